//! A server at rest goes on from what it has saved, and answers as before; at its end it saves what it has.

use super::harness::TestRepo;
use git_sverklo::query::engine::Engine;
use git_sverklo::query::request::RefsRequest;
use git_sverklo::store::Quiet;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::Arc;

fn shop() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("a.py", "def tax(x):\n    return x\n").write(
        "b.py",
        "from a import tax\n\n\ndef pay():\n    return tax(1)\n",
    );
    repo.commit("one");
    repo.sverklo(&["index"]).success();
    repo
}

/// Who uses `tax`, as an engine answers.
fn users(engine: &Engine) -> String {
    let request = RefsRequest {
        target: "tax".to_owned(),
        limit: 50,
        ..RefsRequest::default()
    };
    format!("{:?}", engine.ask(&request, &Quiet).unwrap())
}

/// How many graphs of edited work trees are saved.
fn saved(repo: &TestRepo) -> usize {
    let folder = std::fs::read_dir(repo.kept().join("graph-edited"));
    folder.map_or(0, |entries| entries.count())
}

#[test]
fn who_rests_answers_as_before() {
    let repo = shop();
    let fresh = || users(&Engine::open(repo.dir()).unwrap());
    let server: Arc<Engine> = Engine::open(repo.dir()).unwrap().serving();
    server.rest();
    assert_eq!(users(&server), fresh());
    for (path, text) in [
        (
            "b.py",
            "from a import tax\n\n\ndef pay():\n    return tax(1) + tax(2)\n",
        ),
        (
            "c.py",
            "from a import tax\n\n\ndef owe():\n    return tax(3)\n",
        ),
        (
            "a.py",
            "def other():\n    pass\n\n\ndef tax(x, y=1):\n    return x\n",
        ),
    ] {
        repo.write(path, text);
        let saved_before = saved(&repo);
        let before = users(&server);
        assert_eq!(saved(&repo), saved_before, "it is saved when it rests");
        server.rest();
        assert_eq!(users(&server), before);
        assert!(saved(&repo) > saved_before.min(2));
        assert_eq!(fresh(), before);
    }
}

#[test]
fn a_server_that_ends_has_saved_its_graph() {
    let repo = shop();
    repo.write(
        "b.py",
        "from a import tax\n\n\ndef pay():\n    return tax(4)\n",
    );
    let mut server = repo
        .sverklo_command(&["mcp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut asks = server.stdin.take().unwrap();
    for message in [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"refs","arguments":{"name":"tax"}}}"#,
    ] {
        writeln!(asks, "{message}").unwrap();
    }
    let mut answers = BufReader::new(server.stdout.take().unwrap()).lines();
    let answered = answers
        .by_ref()
        .any(|line| line.unwrap().contains("\"id\":2"));
    assert!(answered);
    drop(asks);
    assert!(server.wait().unwrap().success());
    assert_eq!(saved(&repo), 1);
}
