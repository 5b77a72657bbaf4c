//! Memories from elsewhere and for elsewhere.

use crate::harness::TestRepo;
use serde_json::Value;

const RECORD: &str =
    "# 7. Use SQLite\n\n## Status\n\nAccepted\n\n## Decision\n\nWe keep everything in SQLite.\n";

fn json(repo: &TestRepo, args: &[&str]) -> Value {
    let out = repo.sverklo(args).success();
    serde_json::from_str(&out).expect("--json prints JSON")
}

/// What a command that ends with a status says.
fn fails(repo: &TestRepo, args: &[&str], status: i32) -> String {
    let out = repo.sverklo(args);
    assert_eq!(
        out.status,
        Some(status),
        "{args:?}: {} {}",
        out.stdout,
        out.stderr
    );
    out.stderr
}

#[test]
fn records_hold_from_the_commit_that_wrote_them() {
    let repo = TestRepo::init();
    repo.write("src/a.rs", "fn a() {}\n");
    let first = repo.commit("begin");
    repo.write("docs/adr/0007-use-sqlite.md", RECORD);
    repo.write("docs/adr/0008-x.md", RECORD.replace("Accepted", "Rejected"));
    let second = repo.commit("decide");
    repo.write("src/b.rs", "fn b() {}\n");
    repo.commit("go on");
    let took = json(&repo, &["memory", "import", "--json", "docs/adr"]);
    assert_eq!(took["taken"].as_array().map(Vec::len), Some(1), "{took}");
    assert!(
        second.starts_with(took["taken"][0]["pin"].as_str().unwrap()),
        "{took}"
    );
    assert_eq!(took["left"][0]["from"], "docs/adr/0008-x.md:1");
    let now = json(&repo, &["recall", "--json", "which database"]);
    assert_eq!(now["memories"][0]["kind"], "decision", "{now}");
    assert_eq!(
        now["memories"][0]["targets"][0],
        "docs/adr/0007-use-sqlite.md"
    );
    fails(&repo, &["recall", "--at", &first], 1);
    // Once is enough.
    let again = repo.sverklo(&["memory", "import", "docs/adr"]);
    assert_eq!(again.status, Some(1), "{}", again.stderr);
    assert!(
        again.stdout.contains("it is remembered already"),
        "{}",
        again.stdout
    );
}

#[test]
fn rules_journals_and_notes_are_taken_over() {
    let repo = TestRepo::init();
    repo.write(
        "AGENTS.md",
        "# Rules\n\n## Tests\n\n- Never sleep in a test\n- a b\n",
    );
    repo.write("src/a.ts", "export function a() {}\n");
    let first = repo.commit("begin");
    repo.git(&["notes", "add", "-m", "measured twice", &first]);
    let entry = |id: u32, text: &str, file: &str| {
        format!(
            "{{\"op\":\"remember\",\"id\":{id},\"content\":\"{text}\",\"category\":\"decision\",\"git_sha\":\"{first}\",\"related_files\":[\"{file}\"]}}\n"
        )
    };
    let secret = format!("AKIA{}", "Z7QW3X5R6T2LKNHP");
    repo.write(
        ".sverklo/memories.jsonl",
        entry(1, "retry in the client", "src/a.ts")
            + &entry(2, "gone", "src/gone.ts")
            + &entry(3, &format!("the key is {secret}"), "src/a.ts"),
    );
    let dry = json(
        &repo,
        &["memory", "import", "--json", "--dry-run", "AGENTS.md"],
    );
    assert_eq!(dry["taken"][0]["text"], "Never sleep in a test");
    fails(&repo, &["recall"], 1);
    let took = json(
        &repo,
        &[
            "memory",
            "import",
            "--json",
            "AGENTS.md",
            ".sverklo/memories.jsonl",
        ],
    );
    assert_eq!(took["taken"].as_array().map(Vec::len), Some(3), "{took}");
    assert_eq!(took["left"].as_array().map(Vec::len), Some(2), "{took}");
    assert!(!took.to_string().contains(&secret), "{took}");
    assert!(
        took["notes"][0].as_str().unwrap().contains("src/gone.ts"),
        "{took}"
    );
    repo.sverklo(&["memory", "import", "--from", "notes", "commits"])
        .success();
    // All of it is one commit a call.
    let log = json(&repo, &["memory", "log", "--json"]);
    assert_eq!(log["sessions"].as_array().map(Vec::len), Some(2), "{log}");
    let all = json(&repo, &["recall", "--json", "--target", "src/a.ts"]);
    assert_eq!(all["memories"][0]["text"], "retry in the client");
}

#[test]
fn what_was_exported_can_be_taken_over_elsewhere() {
    let repo = TestRepo::init();
    repo.write("src/a.rs", "fn a() {}\n");
    repo.commit("begin");
    repo.sverklo(&[
        "remember",
        "-k",
        "rule",
        "--core",
        "-t",
        "src/a.rs",
        "--tag",
        "net",
        "Never `block`\n\n- at all",
    ])
    .success();
    let page = repo.sverklo(&["memory", "export"]).success();
    assert!(
        page.contains("\n## rule\n\n- **core** Never `block`\n\n  - at all\n"),
        "{page}"
    );
    let file = repo.beside("memories.json");
    std::fs::write(
        &file,
        repo.sverklo(&["memory", "export", "--json"]).success(),
    )
    .unwrap();
    let other = TestRepo::init();
    other.write("src/a.rs", "fn a() {}\n");
    other.commit("another begin");
    other
        .sverklo(&["memory", "import", file.to_str().unwrap()])
        .success();
    let took = json(&other, &["recall", "--json"]);
    let memory = &took["memories"][0];
    assert_eq!(memory["text"], "Never `block`\n\n- at all");
    assert_eq!(
        (
            &memory["kind"],
            &memory["core"],
            &memory["tags"][0],
            &memory["targets"][0]
        ),
        (
            &"rule".into(),
            &true.into(),
            &"net".into(),
            &"src/a.rs".into()
        )
    );
}

#[test]
fn a_source_that_is_none_says_what_to_do() {
    let repo = TestRepo::init();
    repo.write("README.md", "hello\n");
    repo.commit("begin");
    let said = |args: &[&str]| fails(&repo, args, 2);
    assert!(said(&["memory", "import", "README.md"]).contains("--from adr|rules"));
    assert!(said(&["memory", "import", "gone.md"]).contains("gone.md"));
    assert!(said(&["memory", "import", "."]).contains("no decision records"));
    assert!(said(&["memory", "import", "--from", "notes", "x"]).contains("refs/notes/x"));
}

#[test]
fn a_new_memory_is_compared_with_those_there_are() {
    let repo = TestRepo::init();
    repo.write("src/a.rs", "fn a() {}\n");
    repo.commit("begin");
    repo.sverklo(&[
        "remember",
        "-k",
        "rule",
        "Requests are retried in the client",
    ])
    .success();
    let same = json(
        &repo,
        &[
            "remember",
            "--json",
            "retry requests in the handler, not in the client",
        ],
    );
    assert_eq!(same["akin"][0]["kind"], "rule", "{same}");
    repo.sverklo(&[
        "remember",
        "-t",
        "src/a.rs",
        "function a stays small, callers depend upon that",
    ])
    .success();
    // Many things are said of one file that have nothing to do with each other.
    let apart = json(
        &repo,
        &[
            "remember",
            "--json",
            "-t",
            "src/a.rs",
            "somebody else wrote it",
        ],
    );
    assert_eq!(apart["akin"], serde_json::Value::Null, "{apart}");
    let about = json(
        &repo,
        &[
            "remember",
            "--json",
            "-t",
            "src/a.rs",
            "callers of function a love its name and where it lives",
        ],
    );
    assert_eq!(about["akin"][0]["why"], "is about src/a.rs too", "{about}");
    let id = about["akin"][0]["id"].as_str().unwrap();
    let instead = json(
        &repo,
        &[
            "remember",
            "--json",
            "-t",
            "src/a.rs",
            "--supersedes",
            id,
            "function a may grow, callers depend upon that",
        ],
    );
    let others = instead["akin"].as_array().unwrap();
    assert!(others.iter().all(|akin| akin["id"] != id), "{instead}");
    assert_eq!(json(&repo, &["recall", "--json"])["total"], 5);
}

/// What a committed link leads to would be stored, and travel with the next push.
#[cfg(unix)]
#[test]
fn nothing_outside_is_imported_by_a_link_of_the_repository() {
    use std::os::unix::fs::symlink;
    let repo = TestRepo::init();
    let notes = repo.beside("home").join("notes.md");
    std::fs::write(&notes, "- Never tell anybody of the heron in the attic\n").unwrap();
    std::fs::create_dir_all(repo.beside("home").join("adr")).unwrap();
    std::fs::write(
        repo.beside("home").join("adr/0001-heron.md"),
        "# 1. Keep the heron\n\n## Status\n\nAccepted\n\n## Decision\n\nIt stays.\n",
    )
    .unwrap();
    symlink(&notes, repo.dir().join("CLAUDE.md")).unwrap();
    std::fs::create_dir_all(repo.dir().join("docs")).unwrap();
    symlink(repo.beside("home").join("adr"), repo.dir().join("docs/adr")).unwrap();
    repo.commit("links");
    for name in ["CLAUDE.md", "docs/adr"] {
        let out = repo.sverklo(&["memory", "import", name]);
        assert_eq!(out.status, Some(2), "{name}: {}", out.stdout);
        assert!(out.stderr.contains("outside"), "{name}: {}", out.stderr);
    }
    assert_ne!(repo.sverklo(&["recall", "heron"]).status, Some(0));
    // The user may say the file itself.
    let named = [
        "memory",
        "import",
        "--from",
        "rules",
        notes.to_str().unwrap(),
    ];
    repo.sverklo(&named).success();
    assert!(
        repo.sverklo(&["recall", "heron"])
            .success()
            .contains("attic")
    );
}
