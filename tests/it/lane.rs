//! A model of the user's own, from the index to the answer, against a server of this process.

#![cfg(feature = "remote-models")]

use crate::harness::{Output, TestRepo};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A server with a model of three dimensions: about passwords, about matrices, and the rest.
struct Server {
    url: String,
    /// The texts it gave vectors of.
    texts: Arc<Mutex<Vec<String>>>,
    /// How many requests it answers before it refuses.
    patience: Arc<AtomicUsize>,
    /// How many there were, answered or not.
    requests: Arc<AtomicUsize>,
}

fn vector(text: &str) -> [u32; 3] {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    [
        if has(&["password", "zebra"]) { 9 } else { 1 },
        if has(&["matrix"]) { 9 } else { 1 },
        1,
    ]
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            url: format!("http://{}/api/embed", listener.local_addr().unwrap()),
            texts: Arc::default(),
            patience: Arc::new(AtomicUsize::new(usize::MAX)),
            requests: Arc::default(),
        };
        let (texts, patience) = (server.texts.clone(), server.patience.clone());
        let requests = server.requests.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut reader = BufReader::new(stream.unwrap());
                let (mut header, mut length) = (String::new(), 0);
                while reader.read_line(&mut header).unwrap() > 2 {
                    if let Some(n) = header.to_ascii_lowercase().strip_prefix("content-length:") {
                        length = n.trim().parse().unwrap();
                    }
                    header.clear();
                }
                let mut sent = vec![0; length];
                reader.read_exact(&mut sent).unwrap();
                requests.fetch_add(1, Ordering::SeqCst);
                let asked: Value = serde_json::from_slice(&sent).unwrap();
                let shown: Vec<String> = serde_json::from_value(asked["input"].clone()).unwrap();
                let left = patience.load(Ordering::SeqCst);
                let (status, body) = match left {
                    0 => (404, r#"{"error":"no such model"}"#.to_owned()),
                    _ => {
                        let vectors: Vec<[u32; 3]> =
                            shown.iter().map(|text| vector(text)).collect();
                        (
                            200,
                            serde_json::json!({ "embeddings": vectors }).to_string(),
                        )
                    }
                };
                // The first request of a process asks how long vectors are.
                if left > 0 && shown != ["text"] {
                    patience.store(left - 1, Ordering::SeqCst);
                    texts.lock().unwrap().extend(shown);
                }
                let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n", body.len());
                let _ = write!(reader.into_inner(), "{head}connection: close\r\n\r\n{body}");
            }
        });
        server
    }

    fn choose(&self, repo: &TestRepo) {
        choose(repo, &self.url);
    }

    fn answers(&self, requests: usize) {
        self.patience.store(requests, Ordering::SeqCst);
    }

    /// What it was shown since the last call.
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.texts.lock().unwrap())
    }
}

fn choose(repo: &TestRepo, url: &str) {
    // A repository's own configuration may not name a server.
    let set = |name: &str, value: &str| repo.git(&["config", "--global", name, value]);
    set("sverklo.model", "endpoint");
    set("sverklo.embedEndpoint", url);
    set("sverklo.embedModel", "tiny");
}

const PASSWORDS: &str =
    "def verify_password(user, password):\n    return hash(password) == user.secret\n";

fn write(repo: &TestRepo) {
    repo.write("one.py", PASSWORDS);
    repo.write(
        "two.py",
        "def multiply(matrix, vector):\n    return [dot(row, vector) for row in matrix]\n",
    );
}

fn workshop() -> TestRepo {
    let repo = TestRepo::init();
    write(&repo);
    repo.commit("one");
    repo
}

fn fill(repo: &TestRepo, folder: &str, files: usize) {
    for n in 0..files {
        let path = format!("{folder}/part{n}.py");
        repo.write(
            path,
            format!("def part_{folder}_{n}(x):\n    return x + {n}\n"),
        );
    }
}

/// More chunks than a question embeds by the way.
fn factory(files: usize) -> TestRepo {
    let repo = TestRepo::init();
    write(&repo);
    fill(&repo, "parts", files);
    repo.commit("one");
    repo
}

fn index(repo: &TestRepo) -> Output {
    let output = repo.sverklo(&["index", "-v"]);
    assert_eq!(output.status, Some(0), "{}", output.stderr);
    output
}

fn search(repo: &TestRepo, query: &str) -> Value {
    let said = repo.sverklo(&["search", query, "--json"]).stdout;
    serde_json::from_str(&said).expect("--json prints JSON")
}

/// The paths that the vector channel found.
fn by_vector(answer: &Value) -> Vec<String> {
    let hits = answer["hits"].as_array().into_iter().flatten();
    let is_near = |hit: &&Value| hit["found_by"].to_string().contains("\"vector#");
    hits.filter(is_near)
        .map(|hit| hit["path"].as_str().unwrap().to_owned())
        .collect()
}

const QUESTION: &str = "how does the zebra verify";

#[test]
fn only_what_is_new_is_sent() {
    let (repo, server) = (workshop(), Server::start());
    server.choose(&repo);
    assert_eq!(index(&repo).stderr, "");
    let mut sent = server.take();
    sent.sort();
    let all = [
        "def multiply(matrix, vector): return [dot(row, vector) for row in matrix]",
        "def verify password(user, password): return hash(password) == user.secret",
    ];
    assert_eq!(sent, all);
    index(&repo);
    assert_eq!(server.take(), [""; 0], "all is known");

    repo.write(
        "two.py",
        "def transpose(matrix):\n    return zip(*matrix)\n",
    );
    // The same bytes at another path, in another segment.
    repo.write("three.py", PASSWORDS);
    repo.commit("two");
    index(&repo);
    let sent = server.take();
    assert_eq!(sent, ["def transpose(matrix): return zip(*matrix)"]);
    // Nor does it matter how the index is cut, or that the files are gone.
    repo.sverklo(&["gc"]).success();
    std::fs::remove_dir_all(repo.dir().join(".git/sverklo")).unwrap();
    index(&repo);
    assert_eq!(server.take(), [""; 0]);
}

#[test]
fn what_was_embedded_before_a_failure_is_not_sent_again() {
    let (repo, server) = (factory(98), Server::start());
    server.choose(&repo);
    server.answers(1);
    let said = index(&repo).stderr;
    assert!(
        said.contains("64 of 100 chunks were embedded by endpoint-tiny-"),
        "{said}"
    );
    assert!(said.contains("it answered 404: no such model"), "{said}");
    assert_eq!(server.take().len(), 64);
    server.answers(usize::MAX);
    assert_eq!(index(&repo).stderr, "");
    assert_eq!(server.take().len(), 36);
}

#[test]
fn a_question_is_compared_under_the_chosen_model() {
    let (repo, server) = (factory(30), Server::start());
    server.choose(&repo);
    let early = search(&repo, QUESTION);
    let said = early["vectors"].as_str().unwrap();
    assert!(
        said.starts_with("vectors: static; model endpoint-tiny-"),
        "{said}"
    );
    assert!(
        said.ends_with(" lacks 32 of 32 chunks, run git sverklo index"),
        "{said}"
    );
    assert_eq!(server.take(), [""; 0], "nothing to compare it with");

    index(&repo);
    assert_eq!(server.take().len(), 32);
    let answer = search(&repo, QUESTION);
    assert_eq!(answer["vectors"], Value::Null, "{answer}");
    assert_eq!(by_vector(&answer)[0], "one.py");
    assert_eq!(server.take(), [QUESTION]);

    repo.git(&["config", "sverklo.model", "static"]);
    assert_eq!(search(&repo, QUESTION)["vectors"], Value::Null);
    assert_eq!(server.take(), [""; 0]);
}

#[test]
fn a_question_embeds_an_edit_and_not_much_more() {
    let (repo, server) = (factory(40), Server::start());
    server.choose(&repo);
    index(&repo);
    server.take();
    let zebra = "def zebra(password):\n    return password\n";
    repo.write("four.py", format!("{PASSWORDS}\n\n"));
    repo.write("five.py", zebra);
    let dirty = search(&repo, QUESTION);
    assert_eq!(dirty["vectors"], Value::Null, "{dirty}");
    assert!(by_vector(&dirty).contains(&"five.py".to_owned()), "{dirty}");
    let sent = ["def zebra(password): return password", QUESTION];
    assert_eq!(server.take(), sent, "and not what is known by its content");
    // Nothing of it is kept that could travel.
    repo.sverklo(&["gc"]).success();
    repo.git(&["add", "five.py"]);
    repo.git(&["commit", "-qm", "five"]);
    index(&repo);
    assert_eq!(server.take(), ["def zebra(password): return password"]);

    // Too many for a question, yet few enough to leave out.
    fill(&repo, "more", 30);
    let many = search(&repo, QUESTION);
    let said = many["vectors"].as_str().unwrap();
    assert!(
        said.starts_with("vectors: static; model endpoint-tiny-"),
        "{said}"
    );
    assert!(
        said.ends_with(" lacks 30 of 74 chunks, which are uncommitted"),
        "{said}"
    );
    assert_eq!(server.take(), [""; 0]);
}

#[test]
fn chunks_without_a_vector_are_counted() {
    let (repo, server) = (factory(300), Server::start());
    server.choose(&repo);
    index(&repo);
    server.take();
    fill(&repo, "more", 30);
    repo.commit("more");
    let answer = search(&repo, QUESTION);
    let said = answer["vectors"].as_str().unwrap();
    assert!(
        said.starts_with("no vectors of model endpoint-tiny-"),
        "{said}"
    );
    assert!(
        said.ends_with(" for 30 of 332 chunks, run git sverklo index"),
        "{said}"
    );
    assert_eq!(by_vector(&answer)[0], "one.py");
    assert_eq!(server.take(), [QUESTION]);
    let text = repo.sverklo(&["search", QUESTION]).stdout;
    assert!(
        text.contains("for 30 of 332 chunks, run git sverklo index"),
        "{text}"
    );
}

#[test]
fn a_model_that_fails_costs_nothing_but_its_vectors() {
    let (repo, server) = (workshop(), Server::start());
    server.choose(&repo);
    server.answers(0);
    let said = index(&repo).stderr;
    assert!(
        said.contains("no vectors of the model endpoint: "),
        "{said}"
    );
    assert!(said.contains("no such model"), "{said}");

    server.answers(usize::MAX);
    index(&repo);
    server.answers(0);
    let answer = search(&repo, QUESTION);
    assert!(!answer["hits"].as_array().unwrap().is_empty());
    let said = answer["vectors"].as_str().unwrap();
    assert!(
        said.starts_with("vectors: static; model endpoint: "),
        "{said}"
    );
    assert!(said.contains("it answered 404: no such model"), "{said}");
}

#[test]
fn a_server_that_is_down_is_said() {
    let repo = workshop();
    // Nobody listens there once the listener is gone.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
    choose(&repo, &format!("http://{}/api/embed", address.unwrap()));
    let answer = search(&repo, QUESTION);
    assert!(!by_vector(&answer).is_empty(), "{answer}");
    let said = answer["vectors"].as_str().unwrap();
    assert!(
        said.starts_with("vectors: static; model endpoint: "),
        "{said}"
    );
    assert!(!said.contains("tries"), "asked once: {said}");
}

/// What a client says first.
const HELLO: &str = r#"{"jsonrpc":"2.0","id":9,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"lane","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

/// A question over the wire.
fn asked(id: usize, query: &str) -> String {
    let params = json!({"name": "search", "arguments": {"query": query}});
    let method = "tools/call";
    let asked = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    format!("{asked}\n")
}

#[test]
fn a_server_that_refuses_is_left_alone() {
    let (repo, server) = (workshop(), Server::start());
    server.choose(&repo);
    server.answers(0);
    // One process, which has the user's configuration from the repository's home.
    let requests: String = [0, 1, 2].map(|id| asked(id, QUESTION)).concat();
    let mut serving = repo.sverklo_command(&["mcp"]);
    let serving = serving.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut serving = serving.spawn().unwrap();
    let mut stdin = serving.stdin.take().unwrap();
    stdin
        .write_all((HELLO.to_owned() + &requests).as_bytes())
        .unwrap();
    let lines = BufReader::new(serving.stdout.take().unwrap()).lines();
    let answers = lines
        .map(Result::unwrap)
        .filter(|line| !line.contains("protocolVersion"));
    for said in answers.take(3) {
        assert!(said.contains("it answered 404: no such model"), "{said}");
    }
    drop(stdin);
    serving.wait().unwrap();
    assert_eq!(server.requests.load(Ordering::SeqCst), 1);
}

#[test]
fn hooks_embed_only_when_told_to() {
    let (repo, server) = (workshop(), Server::start());
    server.choose(&repo);
    let work = || repo.sverklo(&["hook", "post-commit"]);
    work();
    assert_eq!(server.take(), [""; 0]);
    repo.git(&["config", "sverklo.embedInHooks", "true"]);
    work();
    assert_eq!(server.take(), [""; 0], "the repository cannot tell them");
    repo.git(&["config", "--unset", "sverklo.embedInHooks"]);
    repo.git(&["config", "--global", "sverklo.embedInHooks", "true"]);
    work();
    assert_eq!(server.take().len(), 2);
}
