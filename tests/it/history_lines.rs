//! `history -F` and `-E`: the commits that changed how many lines match.

use super::harness::TestRepo;
use super::history_of::history;
use super::mcp::{call, text, with_client};
use serde_json::json;

/// Commits as `subject: what, where, how many`.
fn commits(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let answer = history(repo, args);
    let versions = answer["versions"].as_array().unwrap().iter();
    let said = versions.map(|version| {
        format!(
            "{}: {} {}; {}",
            version["commit"]["subject"].as_str().unwrap(),
            version["did"][0].as_str().unwrap(),
            version["path"].as_str().unwrap(),
            version["detail"].as_str().unwrap(),
        )
    });
    said.collect()
}

fn noted() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("a.py", "x = 1\n# TODO(auth): check\n")
        .write("b.py", "y = 1\n");
    repo.commit("one");
    repo.write("a.py", "x = 1\ny = 2\n# TODO(auth): check\n");
    repo.commit("beside");
    repo.write("a.py", "x = 1\ny = 2\n# TODO(auth): check it\n");
    repo.commit("reworded");
    repo.write("a.py", "x = 1\n")
        .write("b.py", "y = 1\n# TODO(auth): check it\n");
    repo.commit("moved");
    repo.git(&["switch", "-q", "-c", "side"]);
    repo.write("c.py", "# TODO(auth): one\n# TODO(auth): two\n");
    repo.commit("more");
    repo.git(&["switch", "-q", "main"]);
    repo.write("d.py", "z = 1\n");
    repo.commit("main");
    repo.git(&["merge", "-q", "--no-edit", "side"]);
    repo.write("b.py", "y = 1\n");
    repo.remove("c.py");
    repo.commit("done");
    repo
}

#[test]
fn commits_that_changed_how_many_lines_match_are_found() {
    let repo = noted();
    let all = [
        "done: removed c.py; was in line 1; +0 -3; also b.py",
        "more: added c.py; line 1; +2 -0",
        "moved: moved b.py; line 2; +1 -1; also a.py",
        "one: added a.py; line 2; +1 -0",
    ];
    assert_eq!(commits(&repo, &["-F", "TODO(auth)"]), all);
    assert_eq!(commits(&repo, &["-E", r"TODO\(\w+\)"]), all);
    assert_eq!(commits(&repo, &["--text", "todo(auth)"]), all);
    // git finds the same commits, but for what was moved.
    let git = repo.git(&["log", "--format=%s", "-S", "TODO(auth)", "--no-renames"]);
    let found: Vec<&str> = git.lines().collect();
    let ours: Vec<&str> = all
        .iter()
        .map(|said| said.split(':').next().unwrap())
        .collect();
    assert_eq!(found, ours);
    // Versions that the index has are not read.
    repo.sverklo(&["index", "--all"]).success();
    assert_eq!(commits(&repo, &["-F", "TODO(auth)"]), all);
    let none = history(&repo, &["-F", "never_there"]);
    assert_eq!(none["way"], "8 commits looked at");
    assert_eq!(none["holds"], false);
    assert_eq!(commits(&repo, &["--first", "-F", "TODO(auth)"]).len(), 2);
    let at = history(&repo, &["-F", "TODO(auth)", "--at", "HEAD~1", "--first"]);
    assert_eq!((&at["holds"], &at["total"]), (&json!(true), &json!(1)));
}

#[test]
fn the_text_says_how_many_lines_there_are_now() {
    let repo = noted();
    let out = repo
        .sverklo(&["history", "-F", "TODO(auth)", "-n", "1", "--at", "HEAD~1"])
        .success();
    assert!(
        out.starts_with("\"text TODO(auth)\" | 3 commits | 3 lines in 2 files now\n"),
        "{out}"
    );
    let out = repo
        .sverklo(&["history", "-F", "TODO(auth)", "--since", "HEAD"])
        .success();
    assert!(out.contains("| 1 commit | no line now\n"), "{out}");
    for (args, problem) in [
        (["-E", "("], "no regular expression"),
        (["-F", ""], "holds no word"),
    ] {
        let out = repo.sverklo(&[&["history"][..], &args].concat());
        assert_eq!(out.status, Some(2), "{out:?}");
        assert!(out.stderr.contains(problem), "{out:?}");
    }
    // In a text an arrow and a revision are text.
    let out = repo.sverklo(&["history", "-F", "a -> b@HEAD"]);
    assert_eq!(out.status, Some(1), "{out:?}");
}

#[test]
fn an_agent_asks_for_lines() {
    let repo = noted();
    with_client(&repo, async |client| {
        let asked = json!({"target": "TODO(auth)", "mode": "text", "first": true});
        let result = client.call_tool(call("history", asked)).await.unwrap();
        let said = text(&result);
        assert!(said.contains("| 2 commits | no line now\n"), "{said}");
        client.cancel().await.unwrap();
    });
}
