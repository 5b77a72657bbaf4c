//! `--changed`: questions about the files of a change and those that depend on them.

use super::harness::TestRepo;
use serde_json::Value;

/// `core` is used by `near`, which is used by `far`; `apart` uses none of them.
fn chain() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("core.py", "def shape(value):\n    return value\n")
        .write(
            "near.py",
            "from core import shape\n\n\ndef near(value):\n    return shape(value)\n",
        )
        .write(
            "far.py",
            "from near import near\n\n\ndef far(value):\n    return near(value)\n",
        )
        .write("apart.py", "def apart(value):\n    return value\n");
    repo.commit("one");
    repo
}

fn json(repo: &TestRepo, args: &[&str]) -> Value {
    let out = repo.sverklo(&[args, &["--json"]].concat());
    serde_json::from_str(&out.stdout).unwrap_or_else(|_| panic!("{out:?}"))
}

/// The files of a search's hits.
fn hits(answer: &Value) -> Vec<String> {
    let hits = answer["hits"].as_array().cloned().unwrap_or_default();
    let mut paths: Vec<String> = hits
        .iter()
        .map(|hit| hit["path"].as_str().unwrap().to_owned())
        .collect();
    paths.sort();
    paths.dedup();
    paths
}

#[test]
fn a_search_stays_in_what_changed_and_what_depends_on_it() {
    let repo = chain();
    assert_eq!(
        hits(&json(&repo, &["search", "value"])),
        ["apart.py", "core.py", "far.py", "near.py"]
    );
    repo.write("core.py", "def shape(value):\n    return value + 1\n");
    for mode in ["ranked", "text"] {
        let args: &[&str] = match mode {
            "text" => &["search", "-F", "value", "--changed"],
            _ => &["search", "value", "--changed"],
        };
        let answer = json(&repo, args);
        assert_eq!(hits(&answer), ["core.py", "near.py"], "{mode}");
        assert_eq!(answer["files"], 2);
        assert_eq!(answer["within"]["changed"], 1);
        assert_eq!(answer["within"]["dependents"], 1);
    }
    let out = repo
        .sverklo(&["search", "value", "--changed=HEAD"])
        .success();
    assert!(
        out.contains(" | within 1 file changed since ")
            && out.contains(" (HEAD) and 1 file that depend on them"),
        "{out}"
    );
    // What was not asked about is not told of.
    assert!(
        !repo
            .sverklo(&["search", "value"])
            .success()
            .contains("within")
    );
}

#[test]
fn uses_stay_in_what_changed_too() {
    let repo = chain();
    repo.write(
        "far.py",
        "from near import near\n\n\ndef far(value):\n    return near(near(value))\n",
    );
    let all = json(&repo, &["refs", "shape"]);
    assert_eq!(all["files"][0]["path"], "near.py");
    // `near.py` neither changed nor depends on what did.
    let none = json(&repo, &["refs", "shape", "--changed"]);
    assert_eq!(none["total"], 0, "{none}");
    assert_eq!(none["nothing"]["searched"], 1);
    assert!(none["nothing"]["beyond"].as_u64().unwrap() > 0, "{none}");
    let said = repo.sverklo(&["refs", "shape", "--changed"]).stdout;
    assert!(
        said.contains("searched 1 of 4 files (changed); without that"),
        "{said}"
    );
    let near = json(&repo, &["refs", "near", "--changed"]);
    assert_eq!(near["files"][0]["path"], "far.py");
}

#[test]
fn a_range_is_read_as_diff_reads_it() {
    let repo = chain();
    let first = repo.git(&["rev-parse", "HEAD"]);
    let first = first.trim();
    repo.write("apart.py", "def apart(value):\n    return value * 2\n");
    repo.commit("two");
    repo.write(
        "far.py",
        "from near import near\n\n\ndef far(value):\n    return near(value) - 1\n",
    );
    repo.commit("three");
    let within = |args: &[&str]| hits(&json(&repo, &[&["search", "value"], args].concat()));
    assert_eq!(within(&["--changed", first]), ["apart.py", "far.py"]);
    assert_eq!(
        within(&["--changed", &format!("{first}..HEAD~1")]),
        ["apart.py"]
    );
    assert_eq!(within(&["--changed", "HEAD~1..HEAD"]), ["far.py"]);
    // The state that --at names, where the range names none.
    assert_eq!(
        within(&["--at", "HEAD~1", "--changed", first]),
        ["apart.py"]
    );
    assert_eq!(within(&["--at", "HEAD~1", "--changed"]), ["apart.py"]);
    assert_eq!(
        within(&["--at", "HEAD", "--changed", "HEAD~1..HEAD"]),
        ["far.py"]
    );
    let out = repo.sverklo(&[
        "search",
        "value",
        "--at",
        "HEAD~1",
        "--changed",
        "HEAD~1..HEAD",
    ]);
    assert_eq!(out.status, Some(2), "{out:?}");
    assert!(out.stderr.contains("leave one of them out"), "{out:?}");
    let out = repo.sverklo(&["search", "value", "--changed", "nowhere"]);
    assert_eq!(out.status, Some(2), "{out:?}");
    assert!(out.stderr.contains("nowhere"), "{out:?}");
}

#[test]
fn odd_histories_have_clear_answers() {
    let repo = TestRepo::init();
    repo.write("core.py", "def shape(value):\n    return value\n");
    // No commit: everything is new.
    let answer = json(&repo, &["search", "value", "--changed"]);
    assert_eq!(hits(&answer), ["core.py"]);
    assert_eq!(answer["within"]["chosen"], "no commits");
    repo.commit("one");
    repo.git(&["checkout", "-q", "--orphan", "other"]);
    repo.write("other.py", "def other(value):\n    return value\n");
    repo.commit("unrelated");
    let branches = repo.git(&["branch", "--format=%(refname:short)"]);
    let main = branches.lines().find(|name| *name != "other").unwrap();
    let answer = json(&repo, &["search", "value", "--changed", main]);
    assert_eq!(hits(&answer), ["other.py"]);
    let warnings = answer["index"]["warnings"].to_string();
    assert!(warnings.contains("no common ancestor"), "{warnings}");
}
