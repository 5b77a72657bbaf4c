//! `symbol --diff`: what became of one definition, by statement.

use super::harness::TestRepo;
use super::mcp::{call, text, with_client};
use serde_json::{Value, json};

const OLD: &str = "import os\n\n\ndef total(items, limit):\n    \"\"\"Adds up.\"\"\"\n    result = 0\n    for item in items:\n        result += item.size(limit, True)\n    log(result)\n    return result\n\n\ndef other():\n    return 1\n";

fn diff(repo: &TestRepo, args: &[&str]) -> Value {
    let out = repo.sverklo(&[&["symbol", "--json", "--budget", "20000"], args].concat());
    assert!(matches!(out.status, Some(0 | 1)), "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

/// Changes as `before -> after`.
fn changes(answer: &Value) -> Vec<String> {
    let all = answer["changes"].as_array().unwrap().iter();
    let side = |side: &Value| side["text"].as_str().unwrap_or("-").trim().to_owned();
    all.map(|change| format!("{} -> {}", side(&change["before"]), side(&change["after"])))
        .collect()
}

/// A function that is moved and renamed, wrapped otherwise, and changed in one statement.
fn moved() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("a.py", OLD);
    repo.commit("one");
    repo.git(&["tag", "v1"]);
    let new = OLD
        .replace(
            "item.size(limit, True)",
            "item.size(\n            limit, True\n        )",
        )
        .replace(
            "    log(result)\n",
            "    log(\"sum\", result)\n    check(result)\n",
        )
        .replace("def total", "def add_up");
    repo.git(&["mv", "a.py", "sums.py"]);
    repo.write("sums.py", new);
    repo.commit("two");
    repo.git(&["tag", "v2"]);
    repo
}

#[test]
fn a_definition_is_followed_and_aligned_by_statement() {
    let repo = moved();
    // By its name then and by its name now.
    for name in ["add_up", "total", "sums.py::add_up#function", "sums.py:6"] {
        let answer = diff(&repo, &["--diff", "v1..v2", name]);
        assert_eq!(answer["fate"], "kept", "{name}");
        assert_eq!(answer["old"]["path"], "a.py", "{name}");
        assert_eq!(answer["new"]["name"], "add_up", "{name}");
        assert_eq!(
            changes(&answer),
            [
                "def total(items, limit): -> def add_up(items, limit):",
                "log(result) -> log(\"sum\", result)",
                "- -> check(result)",
            ],
            "{name}"
        );
        assert_eq!((&answer["shown"], &answer["total"]), (&json!(3), &json!(3)));
        assert_eq!(answer["spaced"], 1, "{name}");
        assert_eq!(answer["changes"][1]["before"]["line"], 9);
        assert_eq!(answer["changes"][2]["after"]["line"], 12);
    }
    let out = repo.sverklo(&["symbol", "--diff", "v1..v2", "add_up"]);
    assert!(
        out.stdout.contains("| was a.py:4-10 total |"),
        "{}",
        out.stdout
    );
    assert!(
        out.stdout
            .contains("\t-    9     log(result)\n\t+   11     log(\"sum\", result)\n")
    );
    assert!(
        out.stdout.contains("1 statement in white space only"),
        "{}",
        out.stdout
    );
    // git takes it for another file, all of which is new.
    let git = repo.git(&["diff", "-M", "--shortstat", "v1", "v2"]);
    assert!(git.contains("17 insertions(+), 14 deletions(-)"), "{git}");
    // At a revision it is as it was.
    let body = repo
        .sverklo(&["symbol", "total", "--at", "v1", "--body"])
        .stdout;
    assert!(body.contains("result += item.size(limit, True)"), "{body}");
}

#[test]
fn what_is_on_one_side_only_is_said() {
    let repo = moved();
    repo.write(
        "sums.py",
        "import os\n\n\ndef fresh(path):\n    return os.stat(path)\n",
    );
    for (range, name, fate, said) in [
        ("v2", "fresh", Some("added"), "added since"),
        ("v2", "add_up", Some("removed"), "removed since"),
        ("v1..v2", "other", Some("kept"), "moved since"),
        ("v2..v2", "other", Some("kept"), "unchanged since"),
        (
            "v1..v2",
            "nothing_like_it",
            None,
            "neither state has nothing_like_it",
        ),
    ] {
        let answer = diff(&repo, &["--diff", range, name]);
        assert_eq!(answer["fate"].as_str(), fate, "{name}");
        let out = repo.sverklo(&["symbol", "--diff", range, name]);
        assert!(out.stdout.contains(said), "{name}: {}", out.stdout);
        assert_eq!(out.status, Some(i32::from(fate.is_none())), "{name}");
    }
    for args in [
        &["symbol", "--diff", "no-such..v2", "other"] as &[&str],
        &["symbol", "--diff", "v1..v2", "other", "fresh"],
        &["symbol", "--diff", "v1..v2", "--body", "other"],
    ] {
        assert_eq!(repo.sverklo(args).status, Some(2), "{args:?}");
    }
}

#[test]
fn white_space_alone_is_said_to_be_that() {
    let repo = moved();
    let text = std::fs::read_to_string(repo.dir().join("sums.py")).unwrap();
    let spaced = text.replace("check(result)", "check( result )");
    repo.write("sums.py", spaced);
    let out = repo.sverklo(&["symbol", "--diff", "HEAD", "add_up"]);
    assert!(
        out.stdout.contains("only white space since"),
        "{}",
        out.stdout
    );
    assert!(out.stdout.contains("shown 0 of 0"), "{}", out.stdout);
}

#[test]
fn agents_ask_for_one_symbol_of_a_diff() {
    let repo = moved();
    with_client(&repo, async |client| {
        let arguments = json!({"range": "v1..v2", "symbol": "add_up"});
        let result = client.call_tool(call("diff", arguments)).await.unwrap();
        assert!(text(&result).contains("check(result)"), "{}", text(&result));
        client.cancel().await.unwrap();
    });
}
