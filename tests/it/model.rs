//! `model`: what is chosen is said, and what is wrong with it; nothing is fetched or asked unasked.

use crate::harness::TestRepo;
use serde_json::Value;
use std::process::Output;

fn run(repo: &TestRepo, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = repo.sverklo_command(&[&["model"], args].concat());
    // What is installed on the machine must not matter.
    command.env("ORT_DYLIB_PATH", repo.beside("no-library"));
    command.env_remove("XDG_DATA_HOME");
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

fn json(repo: &TestRepo, args: &[&str]) -> Value {
    let (_, said, _) = run(repo, &[args, &["--json"]].concat());
    serde_json::from_str(&said).unwrap()
}

/// Answers one request after the other with the same body, and counts them.
#[cfg(feature = "remote-models")]
fn serve(body: &'static str) -> (String, std::sync::mpsc::Receiver<String>) {
    use std::io::{BufRead, BufReader, Write};

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (tell, asked) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut reader = BufReader::new(stream.unwrap());
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let mut header = String::new();
            let mut length = 0;
            while reader.read_line(&mut header).unwrap() > 2 {
                if let Some(n) = header.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = n.trim().parse().unwrap();
                }
                header.clear();
            }
            let mut sent = vec![0; length];
            std::io::Read::read_exact(&mut reader, &mut sent).unwrap();
            let _ = tell.send(line.trim().to_owned());
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n", body.len());
            let _ = write!(reader.into_inner(), "{head}connection: close\r\n\r\n{body}");
        }
    });
    (url, asked)
}

#[test]
fn the_embedded_model_is_chosen_unless_said_otherwise() {
    let repo = TestRepo::init();
    let (code, said, err) = run(&repo, &[]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(said, "model    static: the one in this program\nready\n");
    let wire = json(&repo, &[]);
    assert_eq!(wire["kind"], "static");
    assert_eq!(wire["ready"], true);
    assert_eq!(
        run(&repo, &["--quiet"]),
        (Some(0), String::new(), String::new())
    );
}

#[test]
fn what_a_chosen_model_lacks_is_said() {
    let repo = TestRepo::init();
    repo.git(&["config", "sverklo.model", "all-minilm-l6-v2"]);
    let (code, said, _) = run(&repo, &[]);
    assert_eq!(code, Some(1));
    assert!(
        said.contains("run `git sverklo model fetch all-minilm-l6-v2`"),
        "{said}"
    );

    let mine = repo.dir().join("mine");
    let mine = mine.to_str().unwrap();
    repo.git(&["config", "--unset", "sverklo.model"]);
    repo.git(&["config", "--global", "sverklo.model", mine]);
    assert!(run(&repo, &[]).1.contains("there is no model.onnx"));
    repo.write("mine/model.onnx", "");
    let (code, said, _) = run(&repo, &[]);
    assert_eq!(code, Some(1));
    assert!(
        said.contains("no-library, which ORT_DYLIB_PATH names"),
        "{said}"
    );
    let wire = json(&repo, &[]);
    assert_eq!(
        (&wire["kind"], &wire["ready"]),
        (&"onnx".into(), &false.into())
    );
    assert!(wire["place"].as_str().unwrap().ends_with("mine"), "{wire}");
}

#[cfg(feature = "onnx-models")]
#[test]
fn a_library_that_is_none_is_an_error() {
    let repo = TestRepo::init();
    repo.write("mine/model.onnx", "");
    let mine = repo.dir().join("mine");
    repo.git(&[
        "config",
        "--global",
        "sverklo.model",
        mine.to_str().unwrap(),
    ]);
    std::fs::write(repo.beside("no-library"), "no library").unwrap();
    let (code, said, err) = run(&repo, &[]);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    let expected = "no-library, which ORT_DYLIB_PATH names, is no usable ONNX Runtime library: ";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn models_are_listed_outside_a_repository_too() {
    let repo = TestRepo::init();
    let outside = repo.beside("outside");
    std::fs::create_dir(&outside).unwrap();
    let outside = repo.at(&outside);
    let wire = json(&outside, &["list"]);
    let model = &wire["models"][0];
    assert_eq!(model["name"], "all-minilm-l6-v2");
    assert_eq!(model["license"], "Apache-2.0");
    assert_eq!(model["fetched"], false);
    assert!(
        model["folder"].as_str().unwrap().contains("git-sverklo"),
        "{wire}"
    );
    let (code, said, _) = run(&outside, &["list"]);
    assert_eq!(code, Some(0));
    assert!(
        said.starts_with("all-minilm-l6-v2  22.4 MiB  Apache-2.0  not fetched"),
        "{said}"
    );
    assert_eq!(
        run(&outside, &[]).0,
        Some(2),
        "there is no repository to look at"
    );
}

#[cfg(feature = "remote-models")]
#[test]
fn a_file_that_is_not_the_pinned_one_is_not_installed() {
    let repo = TestRepo::init();
    let models = repo.beside("models");
    repo.git(&[
        "config",
        "--global",
        "sverklo.modelDir",
        models.to_str().unwrap(),
    ]);
    let (hub, asked) = serve("not a network");
    let (code, said, err) = run(&repo, &["fetch", "--hub", &hub]);
    assert_eq!((code, said.as_str()), (Some(2), ""));
    assert!(
        err.contains("13 bytes, not 23046789; nothing was installed"),
        "{err}"
    );
    let line = asked.recv().unwrap();
    let path = "/sentence-transformers/all-MiniLM-L6-v2/resolve/";
    assert!(line.starts_with(&format!("GET {path}")), "{line}");
    assert_eq!(std::fs::read_dir(&models).unwrap().count(), 0);
    let (code, _, err) = run(&repo, &["fetch", "word2vec", "--hub", &hub]);
    assert_eq!(code, Some(2));
    assert!(err.contains("no model is named \"word2vec\""), "{err}");
    assert_eq!(asked.try_iter().count(), 0);
}

#[cfg(feature = "remote-models")]
#[test]
fn a_server_is_asked_only_when_told_to() {
    let repo = TestRepo::init();
    let (url, asked) = serve(r#"{"embeddings":[[1,2,2]]}"#);
    repo.git(&["config", "--global", "sverklo.model", "endpoint"]);
    assert!(
        run(&repo, &[])
            .1
            .contains("sverklo.embedEndpoint is not set")
    );
    repo.git(&[
        "config",
        "--global",
        "sverklo.embedEndpoint",
        &format!("{url}/api/embed"),
    ]);
    repo.git(&["config", "--global", "sverklo.embedModel", "tiny"]);
    let (code, said, _) = run(&repo, &[]);
    assert_eq!(code, Some(0));
    assert!(said.contains("without asking it"), "{said}");
    assert_eq!(asked.try_iter().count(), 0);
    let wire = json(&repo, &["--check"]);
    assert_eq!(wire["dims"], 3, "{wire}");
    assert!(
        wire["id"].as_str().unwrap().starts_with("endpoint-tiny-"),
        "{wire}"
    );
    assert_eq!(asked.recv().unwrap(), "POST /api/embed HTTP/1.1");
}
