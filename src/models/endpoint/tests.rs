//! Against a server of this process.

#![cfg(feature = "remote-models")]

use super::*;
use crate::models::http::tests::{reply, serve};
use crate::vector::model::ModelId;
use std::cell::RefCell;

thread_local! {
    static PAUSES: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

fn record(pause: Duration) {
    PAUSES.with_borrow_mut(|pauses| pauses.push(pause.as_millis() as u64));
}

fn target(url: String) -> Target {
    Target::new(Some(url), Some("some/Model".to_owned()), None).unwrap()
}

fn connect(url: String) -> Result<Endpoint, Error> {
    Endpoint::with_pause(target(url), |_| None, Patience::Long, record)
}

fn ollama(vectors: &str) -> (u16, String, Vec<u8>) {
    reply(200, format!(r#"{{"model":"m","embeddings":{vectors}}}"#))
}

#[test]
fn the_interface_of_openai_is_spoken() {
    let first = r#"{"data":[{"index":0,"embedding":[3,4]}]}"#;
    let second = r#"{"data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[1,0]}]}"#;
    let (url, asked) = serve(vec![reply(200, first), reply(200, second)]);
    let named = Some("SECRET".to_owned());
    let target = Target::new(
        Some(format!("{url}/v1/embeddings")),
        Some("m".to_owned()),
        named,
    );
    let model = Endpoint::connect(
        target.unwrap(),
        |name| (name == "SECRET").then(|| "s3cret".to_owned()),
        Patience::Long,
    )
    .unwrap();
    assert_eq!(model.dims(), 2);
    let vectors = model.embed(&["one", "two"], Side::Document).unwrap();
    assert_eq!(
        vectors,
        [[1.0, 0.0], [0.0, 1.0]],
        "by index, and of length one"
    );
    let probe = asked.recv().unwrap();
    assert_eq!(probe.line, "POST /v1/embeddings HTTP/1.1");
    assert!(
        probe.headers.contains("authorization: bearer s3cret"),
        "{}",
        probe.headers
    );
    assert_eq!(
        asked.recv().unwrap().body,
        r#"{"model":"m","input":["one","two"]}"#
    );
}

#[test]
fn the_interface_of_ollama_is_spoken() {
    let (url, asked) = serve(vec![ollama("[[0,0,5]]"), ollama("[[0,1,0]]")]);
    let model = connect(format!("{url}/api/embed")).unwrap();
    assert!(
        model.id().starts_with("endpoint-some-model-"),
        "{}",
        model.id()
    );
    assert!(ModelId::new(model.id()).is_some(), "{}", model.id());
    assert_eq!(model.embed(&[" "], Side::Query).unwrap(), [[0.0, 1.0, 0.0]]);
    let probe = asked.recv().unwrap();
    assert!(
        !probe.headers.contains("authorization"),
        "{}",
        probe.headers
    );
    assert_eq!(
        asked.recv().unwrap().body,
        r#"{"model":"some/Model","input":["-"]}"#
    );
}

#[test]
fn a_busy_server_is_asked_again_and_given_up() {
    PAUSES.take();
    let wait = (429, "retry-after: 7\r\n".to_owned(), Vec::new());
    let long = (503, "retry-after: 7000\r\n".to_owned(), Vec::new());
    let (url, asked) = serve(vec![wait, long, reply(500, ""), ollama("[[1]]")]);
    let model = connect(format!("{url}/api/embed")).unwrap();
    assert_eq!(model.dims(), 1);
    assert_eq!(
        PAUSES.take(),
        [7_000, 30_000, 2_000],
        "as told, within bounds"
    );
    assert_eq!(asked.try_iter().count(), 4);

    let busy = || reply(502, r#"{"error":{"message":"no\nroom"}}"#);
    let (url, asked) = serve(vec![busy(), busy(), busy(), busy(), ollama("[[1]]")]);
    let err = connect(format!("{url}/api/embed"))
        .err()
        .unwrap()
        .to_string();
    assert!(
        err.contains("it answered 502: no room; given up after 4 tries"),
        "{err}"
    );
    assert_eq!(PAUSES.take(), [500, 1_000, 2_000]);
    assert_eq!(asked.try_iter().count(), 4);
}

#[test]
fn who_has_little_patience_asks_once() {
    PAUSES.take();
    let (url, asked) = serve(vec![reply(503, "loading"), ollama("[[1]]")]);
    let target = target(format!("{url}/api/embed"));
    let err = Endpoint::with_pause(target, |_| None, Patience::Short, record);
    let err = err.err().unwrap().to_string();
    assert!(err.ends_with("it answered 503: loading"), "{err}");
    assert!(PAUSES.take().is_empty());
    assert_eq!(asked.try_iter().count(), 1);
}

#[test]
fn a_refusal_is_final() {
    PAUSES.take();
    let (url, asked) = serve(vec![reply(404, r#"{"error":"model \"m\" not found"}"#)]);
    let err = connect(format!("{url}/api/embed"))
        .err()
        .unwrap()
        .to_string();
    assert!(
        err.ends_with(r#"it answered 404: model "m" not found"#),
        "{err}"
    );
    // A redirection could lead anywhere with the code in hand.
    let elsewhere = (
        307,
        "location: http://127.0.0.1:9/\r\n".to_owned(),
        Vec::new(),
    );
    let (url, _asked) = serve(vec![elsewhere]);
    let err = connect(format!("{url}/api/embed"))
        .err()
        .unwrap()
        .to_string();
    assert!(err.contains("307"), "{err}");
    assert_eq!(asked.try_iter().count(), 1);
    assert!(PAUSES.take().is_empty());
}

#[test]
fn an_answer_that_is_none_is_an_error() {
    let refused = |answers: Vec<&str>| {
        let (url, _asked) = serve(answers.into_iter().map(ollama).collect());
        let model = connect(format!("{url}/api/embed"));
        let vectors = model.and_then(|model| model.embed(&["one", "two"], Side::Query));
        vectors.unwrap_err().to_string()
    };
    assert!(refused(vec!["[[1,0]]", "[[1,0]]"]).contains("1 vectors for 2 texts"));
    assert!(refused(vec!["[[1,0]]", "[[1,0],[1]]"]).contains("a vector of 1 numbers"));
    assert!(refused(vec!["[[0,0]]"]).contains("without direction"));
    assert!(refused(vec!["\"x\""]).contains("no answer in vectors"));
}

#[test]
fn requests_are_bounded() {
    let answer = |n: usize| ollama(&format!("[{}]", vec!["[1]"; n].join(",")));
    let (url, asked) = serve(vec![
        answer(1),
        answer(64),
        answer(6),
        answer(32),
        answer(1),
    ]);
    let model = connect(format!("{url}/api/embed")).unwrap();
    model.embed(&["text"; 70], Side::Document).unwrap();
    let long = "é".repeat(5_000);
    let vectors = model
        .embed(&vec![long.as_str(); 33], Side::Document)
        .unwrap();
    assert_eq!(vectors.len(), 33);
    let sizes: Vec<usize> = asked
        .try_iter()
        .map(|asked| asked.body.matches("é").count())
        .collect();
    assert_eq!(
        sizes,
        [0, 0, 0, 32 * 4_000, 4_000],
        "each text cut, on a character"
    );
}

#[test]
fn what_is_configured_is_checked() {
    let refused = |url: &str, key: Option<&str>| {
        let model = Some("m".to_owned());
        Target::new(Some(url.to_owned()), model, key.map(str::to_owned))
            .err()
            .map(|err| err.to_string())
    };
    assert!(
        refused("http://h/v1/chat", None)
            .unwrap()
            .contains("/v1/embeddings")
    );
    assert!(
        refused("h:11434/api/embed", None)
            .unwrap()
            .contains("sverklo.embedEndpoint")
    );
    assert!(refused("https://me:pw@h/v1/embeddings", None).is_some());
    assert!(
        refused("http://h/v1/embeddings", Some("KEY"))
            .unwrap()
            .contains("https")
    );
    assert_eq!(refused("http://h/v1/embeddings", None), None);
    assert_eq!(refused("https://h/v1/embeddings", Some("KEY")), None);
    assert_eq!(
        refused("http://localhost:1/v1/embeddings/", Some("KEY")),
        None
    );
    assert!(
        Target::new(None, None, None)
            .unwrap_err()
            .to_string()
            .contains(KEY.name())
    );
    let unnamed = Target::new(Some("http://h/api/embed".to_owned()), None, None);
    assert!(unnamed.unwrap_err().to_string().contains(MODEL_KEY.name()));
    // A key that is configured and not there is not left out silently.
    let keyed = Target {
        key_variable: Some("NO_SUCH".to_owned()),
        ..target("http://localhost:1/api/embed".to_owned())
    };
    let err = Endpoint::connect(keyed, |_| None, Patience::Long)
        .err()
        .unwrap()
        .to_string();
    assert!(
        err.contains("NO_SUCH") && err.contains(SECRET_KEY.name()),
        "{err}"
    );
}

#[test]
fn a_remote_server_is_told_of_once() {
    let folder = tempfile::tempdir().unwrap();
    let memory = folder.path().join("told");
    let remote = target("https://models.example/v1/embeddings".to_owned());
    let told = warn_once(&remote, &memory).unwrap();
    assert!(
        told.contains("https://models.example/v1/embeddings"),
        "{told}"
    );
    assert_eq!(warn_once(&remote, &memory), None);
    let other = target("https://other.example/v1/embeddings".to_owned());
    assert!(
        warn_once(&other, &memory).is_some(),
        "another server is another matter"
    );
    let local = target("http://127.0.0.1:11434/api/embed".to_owned());
    assert_eq!(warn_once(&local, &memory), None);
}
