//! Memories through the program: what holds where, on branches, in merges and in rewritten history.

use crate::harness::{Output, TestRepo};
use serde_json::Value;
use std::process::Stdio;

pub const MEMORY: &str = "refs/sverklo/v1/memory";

#[track_caller]
pub fn json(out: Output) -> Value {
    serde_json::from_str(&out.success()).expect("json")
}

/// Remembers something and returns its id.
#[track_caller]
pub fn remember(repo: &TestRepo, args: &[&str]) -> String {
    let out = repo.sverklo(&[&["remember"], args].concat());
    out.success().lines().next().expect("an id").to_owned()
}

/// What is recalled at a revision: text, state and why, in order of the texts.
#[track_caller]
pub fn recall(repo: &TestRepo, at: &str, more: &[&str]) -> Vec<(String, String, String)> {
    let out = repo.sverklo(
        &[
            &["recall", "--json", "--at", at, "--budget", "100000"],
            more,
        ]
        .concat(),
    );
    assert_ne!(out.status, Some(2), "{}", out.stderr);
    let answer: Value = serde_json::from_str(&out.stdout).expect("json");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let memories = answer["memories"].as_array().expect("a list").iter();
    let mut all: Vec<_> = memories
        .map(|m| (text(&m["text"]), text(&m["state"]), text(&m["why"])))
        .collect();
    all.sort();
    all
}

/// The texts that hold at a revision.
#[track_caller]
pub fn texts(repo: &TestRepo, at: &str) -> Vec<String> {
    let all = recall(repo, at, &[]);
    let holds = all.into_iter().filter(|(_, state, _)| state == "holds");
    holds.map(|(text, ..)| text).collect()
}

/// A repository with two commits on main.
fn repo() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "src/client.py",
        "def fetch():\n    return 1\n\n\ndef other():\n    pass\n",
    );
    repo.commit("first");
    repo.write("src/server.py", "def serve():\n    return 2\n");
    repo.commit("second");
    repo
}

#[test]
fn what_is_known_in_the_far_future_is_what_is_known_now() {
    let repo = TestRepo::init();
    repo.write("a.js", "function a() {}\n");
    repo.commit("first");
    repo.sverklo(&["remember", "Retries belong in the client."])
        .success();
    for date in [
        "2099-06-01",
        "2100-01-01",
        "2100",
        "9999-12-31",
        "12345-01-01",
        "2150-01-01T00:00:00Z",
    ] {
        let said = repo.sverklo(&["recall", "--known-at", date]).success();
        assert!(said.contains("Retries belong"), "{date}: {said}");
    }
    let before = repo.sverklo(&["recall", "--known-at", "2001-01-01"]);
    assert_eq!(before.status, Some(1), "{}", before.stdout);
}

#[test]
fn a_memory_holds_from_its_commit_until_it_is_ended() {
    let repo = repo();
    let id = remember(&repo, &["-k", "decision", "retries belong in the client"]);
    repo.commit("third");
    repo.sverklo(&["memory", "end", &id, "-m", "moved to the proxy"])
        .success();
    repo.commit("fourth");
    assert!(texts(&repo, "HEAD~3").is_empty());
    assert_eq!(texts(&repo, "HEAD~2"), ["retries belong in the client"]);
    assert!(texts(&repo, "HEAD~1").is_empty());
    assert!(texts(&repo, "HEAD").is_empty());
    let all = recall(&repo, "HEAD", &["--all"]);
    assert_eq!(all[0].1, "ended");
    assert_eq!(recall(&repo, "HEAD~3", &["--all"])[0].1, "later");
    let shown = repo.sverklo(&["memory", "show", &id]).success();
    assert!(
        shown.contains("moved to the proxy") && shown.contains("[ended]"),
        "{shown}"
    );
    assert_eq!(repo.sverklo(&["recall"]).status, Some(1));
    let again = repo.sverklo(&["memory", "end", &id]);
    assert_eq!(again.status, Some(2));
    assert!(again.stderr.contains("does not hold"), "{}", again.stderr);
}

#[test]
fn an_edit_replaces_from_its_commit_on_and_keeps_what_is_not_given() {
    let repo = repo();
    let id = remember(
        &repo,
        &[
            "-k",
            "rule",
            "-t",
            "src/client.py",
            "--tag",
            "Net",
            "three retries",
        ],
    );
    repo.write("src/client.py", "def fetch():\n    return 3\n");
    repo.commit("third");
    let edited = json(repo.sverklo(&["memory", "edit", &id, "--json", "five retries"]));
    assert_eq!(
        (edited["done"].as_str(), edited["id"].as_str()),
        (Some("amend"), Some(&*id))
    );
    assert_eq!(texts(&repo, "HEAD~1"), ["three retries"]);
    assert_eq!(texts(&repo, "HEAD"), ["five retries"]);
    let answer = json(repo.sverklo(&["recall", "--json"]));
    let memory = &answer["memories"][0];
    assert_eq!(
        (&memory["kind"], &memory["id"]),
        (&"rule".into(), &id.clone().into())
    );
    assert_eq!(memory["targets"][0], "src/client.py");
    assert_eq!(memory["tags"][0], "net");
    // The target is pinned as it is now.
    let event = repo.git(&["cat-file", "blob", edited["event"].as_str().unwrap()]);
    let blob = repo.git(&["rev-parse", "HEAD:src/client.py"]);
    assert!(
        event.contains(&format!("path src/client.py {blob}")),
        "{event}"
    );
}

#[test]
fn a_memory_is_found_by_words_targets_and_kinds() {
    let repo = repo();
    remember(
        &repo,
        &[
            "-k",
            "rule",
            "-t",
            "src/client.py::fetch#function",
            "Timeouts are seconds",
        ],
    );
    remember(
        &repo,
        &["-k", "todo", "-t", "src/", "--core", "split the sources"],
    );
    remember(&repo, &["-t", "serve", "serve is called once"]);
    let found = |args: &[&str]| {
        recall(&repo, "HEAD", args)
            .into_iter()
            .map(|m| m.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(found(&["timeouts"]), ["Timeouts are seconds"]);
    assert_eq!(found(&["seconds timeouts"]), ["Timeouts are seconds"]);
    // One of its words is enough, and so is another form of it.
    assert_eq!(found(&["timeout minutes"]), ["Timeouts are seconds"]);
    assert!(found(&["zyzzyva"]).is_empty());
    assert_eq!(found(&["-k", "todo"]), ["split the sources"]);
    assert_eq!(found(&["-t", "fetch"]), ["Timeouts are seconds"]);
    assert_eq!(found(&["-t", "src/client.py"]), ["Timeouts are seconds"]);
    assert_eq!(found(&["-t", "src"]).len(), 3);
    let text = repo.sverklo(&["recall"]).success();
    assert!(
        text.lines().next().unwrap().contains("core"),
        "core comes first: {text}"
    );
    let answer = json(repo.sverklo(&["recall", "--json", "once"]));
    assert_eq!(
        answer["memories"][0]["targets"][0],
        "src/server.py::serve#function"
    );
    for (target, word) in [
        ("nowhere.py", "no path"),
        ("src/client.py::gone#function", "no symbol"),
    ] {
        let out = repo.sverklo(&["remember", "-t", target, "x"]);
        assert_eq!(out.status, Some(2));
        assert!(out.stderr.contains(word), "{}", out.stderr);
    }
}

#[test]
fn two_versions_that_meet_in_a_merge_are_contested_until_one_replaces_both() {
    let repo = repo();
    let id = remember(&repo, &["the limit is 10"]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.commit("on side");
    repo.sverklo(&["memory", "edit", &id, "the limit is 20"])
        .success();
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("on main");
    assert_eq!(
        texts(&repo, "main"),
        ["the limit is 10"],
        "side is not merged"
    );
    repo.sverklo(&["memory", "edit", &id, "the limit is 30"])
        .success();
    assert_eq!(texts(&repo, "main"), ["the limit is 30"]);
    assert_eq!(texts(&repo, "side"), ["the limit is 20"]);
    repo.git(&["merge", "-q", "--no-edit", "side"]);
    assert_eq!(texts(&repo, "main"), ["the limit is 20", "the limit is 30"]);
    let conflicts = json(repo.sverklo(&["memory", "conflicts", "--json"]));
    assert_eq!(conflicts["total"], 2);
    assert!(repo.sverklo(&["recall"]).success().contains("[contested]"));
    repo.sverklo(&["memory", "edit", &id, "the limit is 25"])
        .success();
    assert_eq!(texts(&repo, "main"), ["the limit is 25"]);
    assert_eq!(repo.sverklo(&["memory", "conflicts"]).status, Some(1));
    assert_eq!(texts(&repo, "side"), ["the limit is 20"]);
}

#[test]
fn an_end_on_one_branch_counts_where_it_is_merged() {
    let repo = repo();
    let id = remember(&repo, &["use the old parser"]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.commit("new parser");
    repo.sverklo(&["memory", "end", &id]).success();
    repo.git(&["checkout", "-q", "main"]);
    assert_eq!(texts(&repo, "main"), ["use the old parser"]);
    repo.git(&["merge", "-q", "--no-ff", "--no-edit", "side"]);
    assert!(texts(&repo, "main").is_empty());
    // Said again after a revert, in spite of the end, it holds and is no surprise.
    repo.commit("revert");
    let again = repo.sverklo(&["remember", "use the old parser"]);
    assert!(again.stderr.contains("ended before"), "{}", again.stderr);
    assert_eq!(texts(&repo, "main"), ["use the old parser"]);
    assert_eq!(repo.sverklo(&["memory", "conflicts"]).status, Some(1));
}

#[test]
fn what_was_said_in_ignorance_of_an_end_is_contested() {
    let repo = repo();
    let id = remember(&repo, &["cache is safe"]);
    let clone = repo.beside("clone");
    repo.git(&["clone", "-q", ".", clone.to_str().unwrap()]);
    let clone = repo.at(clone);
    clone.sverklo(&["fetch"]).success();
    repo.sverklo(&["memory", "end", &id]).success();
    // The same words, of a later commit, by somebody who has not heard of the end.
    clone.commit("third");
    remember(&clone, &["cache is safe"]);
    assert_eq!(clone.sverklo(&["memory", "conflicts"]).status, Some(1));
    clone.sverklo(&["fetch"]).success();
    let conflicts = json(clone.sverklo(&["memory", "conflicts", "--json"]));
    assert_eq!(conflicts["total"], 1);
    let why = conflicts["memories"][0]["contested"][0].as_str().unwrap();
    assert!(why.contains("ended by"), "{why}");
}

#[test]
fn what_was_known_is_told_by_commit_of_the_log_and_by_date() {
    let repo = repo();
    let id = remember(&repo, &["one"]);
    let first = repo.git(&["rev-parse", MEMORY]);
    let date = repo.git(&["log", "-1", "--format=%cI", MEMORY]);
    for _ in 0..5 {
        repo.commit("time goes by");
    }
    remember(&repo, &["two", "--at", "main~5"]);
    repo.sverklo(&["memory", "end", &id, "--at", "main~5"])
        .success();
    assert_eq!(texts(&repo, "main"), ["two"]);
    assert_eq!(recall(&repo, "main", &["--known-at", &first])[0].0, "one");
    assert_eq!(
        recall(&repo, "main", &["--known-at", "refs/sverklo/v1/memory~1"]).len(),
        2
    );
    assert_eq!(recall(&repo, "main", &["--known-at", &date]).len(), 1);
    assert!(recall(&repo, "main", &["--known-at", "2001-01-01T00:00:00+00:00"]).is_empty());
    assert!(recall(&repo, "main~6", &["--known-at", &first]).is_empty());
    let bad = repo.sverklo(&["recall", "--known-at", "someday"]);
    assert_eq!(bad.status, Some(2));
    let log = json(repo.sverklo(&["memory", "log", "--json"]));
    let whats: Vec<_> = log["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["events"][0]["what"].clone())
        .collect();
    assert_eq!(whats, ["end", "assert", "assert"]);
}

#[test]
fn what_cannot_be_stored_is_refused_with_the_reason() {
    let repo = repo();
    let long = "x".repeat(8193);
    for (text, word) in [
        ("a\u{1b}[31mb", "control character"),
        ("  ", "empty"),
        (&long, "8193"),
        ("key AKIAZ7QW3X5R6T2LKNHP", "AWS key"),
    ] {
        let out = repo.sverklo(&["remember", text]);
        assert_eq!(out.status, Some(2), "{word}");
        assert!(out.stderr.contains(word), "{}", out.stderr);
        assert!(
            repo.try_git(&["rev-parse", "--verify", "-q", MEMORY])
                .status
                != Some(0)
        );
    }
    remember(&repo, &["--force", "key AKIAZ7QW3X5R6T2LKNHP"]);
    assert_eq!(texts(&repo, "HEAD").len(), 1);
    let empty = TestRepo::init();
    let out = empty.sverklo(&["remember", "x"]);
    assert!(out.stderr.contains("no commit yet"), "{}", out.stderr);
}

#[test]
fn the_ref_reads_well_and_git_finds_nothing_wrong_with_it() {
    let repo = repo();
    let mut command = repo.sverklo_command(&["remember", "-k", "howto", "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, b"Run the tests.\r\n\r\nThen push.\n").unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    // The same event again is the same event.
    remember(&repo, &["Run the tests.\n\nThen push.", "-k", "howto"]);
    let shown = repo.git(&["show", MEMORY]);
    for line in [
        "memory: assert",
        "+kind howto",
        "+Run the tests.",
        "+Then push.",
        "+pin-subject second",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    repo.git(&["fsck", "--strict"]);
    assert_eq!(repo.git(&["rev-list", "--count", MEMORY]), "1");
}

#[test]
fn an_edit_and_an_end_on_two_branches_are_contested_where_they_meet() {
    let repo = repo();
    let id = remember(&repo, &["retries belong in the client"]);
    repo.git(&["checkout", "-q", "-b", "edits"]);
    repo.commit("on one branch");
    repo.sverklo(&["memory", "edit", &id, "retries belong in the gateway"])
        .success();
    repo.git(&["checkout", "-q", "-b", "ends", "main"]);
    repo.commit("on the other");
    repo.sverklo(&["memory", "end", &id]).success();
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "both", "edits", "ends"]);
    let answer = json(repo.sverklo(&["recall", "--json"]));
    assert_eq!(
        answer["memories"][0]["text"],
        "retries belong in the gateway"
    );
    let contested = answer["memories"][0]["contested"].to_string();
    assert!(contested.contains("was ended by"), "{contested}");
    assert_eq!(
        json(repo.sverklo(&["recall", "--json", "--at", "edits"]))["memories"][0]["contested"],
        serde_json::Value::Null
    );
    // Whoever sees both and says what is so settles it.
    repo.sverklo(&["memory", "edit", &id, "retries belong nowhere"])
        .success();
    let settled = json(repo.sverklo(&["recall", "--json"]));
    assert_eq!(
        settled["memories"][0]["contested"],
        serde_json::Value::Null,
        "{settled}"
    );
}

#[test]
fn what_would_say_nothing_new_is_refused() {
    let repo = repo();
    let id = remember(&repo, &["-t", "src/client.py", "the client never waits"]);
    let log = repo.git(&["rev-parse", MEMORY]);
    for (args, why) in [
        (&["memory", "edit", &id][..], "says so already"),
        (&["memory", "repin", "HEAD", "HEAD"], "the same commit"),
        (
            &[
                "memory",
                "repin",
                "1234567890123456789012345678901234567890",
                "HEAD",
            ],
            "no memory is pinned to",
        ),
        (
            &["remember", "--tag", "AKIAZ7QW3X9R5T2LMNOP", "hello"],
            "AWS",
        ),
        (&["remember", "white\u{200b}space"], "invisible character"),
    ] {
        let out = repo.sverklo(args);
        assert_eq!(out.status, Some(2), "{args:?}");
        assert!(out.stderr.contains(why), "{args:?}: {}", out.stderr);
    }
    assert_eq!(repo.git(&["rev-parse", MEMORY]), log);
}

#[test]
fn a_name_means_the_symbol_that_is_spelt_so() {
    let repo = TestRepo::init();
    repo.write(
        "a.py",
        "def fetch():\n    pass\n\ndef Fetch():\n    pass\n\ndef fetcher():\n    pass\n",
    );
    repo.commit("three alike");
    remember(&repo, &["-t", "fetch", "fetch is slow"]);
    let answer = json(repo.sverklo(&["recall", "--json"]));
    assert_eq!(answer["memories"][0]["targets"][0], "a.py::fetch#function");
    let out = repo.sverklo(&["remember", "-t", "fetche", "a typo"]);
    assert_eq!(out.status, Some(2));
    assert!(
        out.stderr.contains("no path and no symbol"),
        "{}",
        out.stderr
    );
}

#[test]
fn a_memory_of_many_versions_is_taken_out_version_by_version() {
    let repo = repo();
    let id = remember(&repo, &["the first words"]);
    repo.commit("later");
    repo.sverklo(&["memory", "edit", &id, "the second words"])
        .success();
    let out = repo.sverklo(&["memory", "redact", &id]);
    assert_eq!(out.status, Some(2));
    assert!(out.stderr.contains("several versions"), "{}", out.stderr);
    let answer = json(repo.sverklo(&["recall", "--json"]));
    let version = answer["memories"][0]["version"].as_str().unwrap();
    repo.sverklo(&["memory", "redact", version]).success();
    assert!(texts(&repo, "HEAD").is_empty());
    assert_eq!(texts(&repo, "HEAD~1"), ["the first words"]);
}

#[test]
fn who_says_it_is_whom_git_takes_for_the_author() {
    let repo = repo();
    repo.git(&["config", "user.name", "Configured"]);
    repo.git(&["config", "user.email", "configured@example.com"]);
    for (name, value, author) in [
        ("GIT_AUTHOR_NAME", "Env", "Env <configured@example.com>"),
        (
            "GIT_CONFIG_PARAMETERS",
            "'user.name=Zed'",
            "Zed <configured@example.com>",
        ),
        ("UNUSED", "", "Configured <configured@example.com>"),
    ] {
        let text = format!("said by means of {name}");
        let mut command = repo.sverklo_command(&["remember", &text]);
        for other in ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"] {
            command.env_remove(other);
        }
        command.env(name, value);
        let out = command.output().unwrap();
        assert!(
            out.status.success(),
            "{}",
            String::from_utf8_lossy(&out.stderr)
        );
        let answer = json(repo.sverklo(&["recall", "--json"]));
        let all = answer["memories"].as_array().unwrap();
        let said = all.iter().find(|memory| memory["text"] == text.as_str());
        assert_eq!(said.unwrap()["author"], author, "{answer}");
    }
}
