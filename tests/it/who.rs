//! `history --who`: who knows something, how often it changes, what it changes with.

use super::harness::TestRepo;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[track_caller]
fn who(repo: &TestRepo, args: &[&str]) -> Value {
    let out = repo.sverklo(&[&["history", "--who", "--json", "--budget", "20000"], args].concat());
    assert!(out.status == Some(0) || out.status == Some(1), "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

/// People by name, with a figure of theirs.
fn figures(answer: &Value, figure: &str) -> BTreeMap<String, u64> {
    let all = answer["people"].as_array().unwrap().iter();
    let all = all.map(|one| {
        (
            one["name"].as_str().unwrap().to_owned(),
            one[figure].as_u64().unwrap(),
        )
    });
    all.filter(|(_, n)| *n > 0).collect()
}

/// Commits as somebody, at some time.
fn commit_as(repo: &TestRepo, (name, mail): (&str, &str), date: &str, message: &str) {
    repo.git(&["add", "-A"]);
    let mut git = repo.command("git");
    git.args(["commit", "-q", "--allow-empty", "-m", message]);
    for (key, value) in [
        ("GIT_AUTHOR_NAME", name),
        ("GIT_AUTHOR_EMAIL", mail),
        ("GIT_AUTHOR_DATE", date),
        ("GIT_COMMITTER_DATE", date),
    ] {
        git.env(key, value);
    }
    assert!(git.status().unwrap().success(), "{message}");
}

const ANN: (&str, &str) = ("Ann", "ann@private.example");
const BEE: (&str, &str) = ("bee", "bee@old.example");
const BEE_NOW: (&str, &str) = ("Bee Keeper", "bee@new.example");

/// Three people, a file that is renamed, a merge, and a `.mailmap` that says that two of them are one.
fn house() -> TestRepo {
    let repo = TestRepo::init();
    let price =
        |rate: &str| format!("def price(net):\n    gross = net * {rate}\n    return gross\n");
    repo.write(
        "old.py",
        format!(
            "import os\n\n\n{}\n\ndef other(a):\n    b = a + 1\n    c = b * 2\n    return c\n",
            price("2")
        ),
    );
    repo.write("notes.md", "one\n");
    commit_as(&repo, ANN, "2020-01-01T00:00:00+00:00", "begin");
    repo.git(&["mv", "old.py", "shop.py"]);
    commit_as(&repo, ANN, "2020-02-01T00:00:00+00:00", "move");
    repo.write(
        "shop.py",
        format!(
            "import os\n\n\n{}\n\ndef other(a):\n    b = a + 1\n    c = b * 3\n    return c\n",
            price("3")
        ),
    )
    .write("notes.md", "one\ntwo\n");
    commit_as(&repo, BEE, "2021-06-01T00:00:00+00:00", "fix the price");
    repo.git(&["switch", "-q", "-c", "side"]);
    repo.write(
        "shop.py",
        format!(
            "import os\n\n\n{}\n\ndef other(a):\n    b = a + 1\n    c = b * 3\n    return c + 0\n",
            price("3")
        ),
    );
    commit_as(&repo, BEE_NOW, "2021-12-01T00:00:00+00:00", "side");
    repo.git(&["switch", "-q", "-"]);
    repo.write(
        "shop.py",
        format!(
            "import sys\n\n\n{}\n\ndef other(a):\n    b = a + 1\n    c = b * 3\n    return c\n",
            price("3")
        ),
    )
    .write("notes.md", "one\ntwo\nthree\n")
    .write(
        ".mailmap",
        "Bee Keeper <bee@new.example> <bee@old.example>\n",
    );
    commit_as(&repo, ANN, "2022-01-01T00:00:00+00:00", "another import");
    repo.git(&["merge", "-q", "--no-edit", "side"]);
    repo
}

/// What `git blame` says of a range of lines, by who the mailmap says it was.
fn blamed(repo: &TestRepo, rev: &str, path: &str, lines: &str) -> BTreeMap<String, u64> {
    let said = repo.git(&["blame", "--line-porcelain", "-L", lines, rev, "--", path]);
    let mut found = BTreeMap::new();
    for name in said.lines().filter_map(|line| line.strip_prefix("author ")) {
        *found.entry(name.to_owned()).or_default() += 1;
    }
    found
}

#[test]
fn versions_are_by_whom_the_mailmap_of_the_state_says() {
    let repo = house();
    let authors = |arguments: &[&str]| -> Vec<String> {
        let asked = [&["history", "price", "--json"], arguments].concat();
        let answer: Value = serde_json::from_str(&repo.sverklo(&asked).success()).unwrap();
        let versions = answer["versions"].as_array().unwrap().iter();
        let authors = versions.map(|version| version["commit"]["author"].as_str().unwrap());
        authors.map(str::to_owned).collect()
    };
    let by_git = repo.git(&[
        "log",
        "--use-mailmap",
        "--format=%aN",
        "--",
        "shop.py",
        "old.py",
    ]);
    let now = authors(&[]);
    assert!(now.contains(&"Bee Keeper".to_owned()), "{now:?}");
    assert!(
        now.iter()
            .all(|name| by_git.lines().any(|line| line == name)),
        "{now:?}"
    );
    // Before there was one.
    let before = authors(&["--at", "HEAD^^"]);
    assert!(before.iter().all(|name| name != "Bee Keeper"), "{before:?}");
}

#[test]
fn lines_are_credited_as_git_blame_does_through_renames_merges_and_the_mailmap() {
    let repo = house();
    let file = who(&repo, &["shop.py"]);
    assert_eq!(file["lines"], 12);
    assert_eq!(
        figures(&file, "lines"),
        blamed(&repo, "HEAD", "shop.py", "1,12")
    );
    assert_eq!(file["people"].as_array().unwrap().len(), 2, "{file:#}");
    let price = who(&repo, &["price"]);
    assert_eq!(price["lines"], 3, "{price:#}");
    assert_eq!(
        figures(&price, "lines"),
        blamed(&repo, "HEAD", "shop.py", "4,6")
    );
    assert_eq!(
        figures(&price, "changes"),
        BTreeMap::from([("Ann".to_owned(), 2), ("Bee Keeper".to_owned(), 1)])
    );
    // What is not committed is nobody's yet.
    repo.write(
        "shop.py",
        "import sys\nimport re\n\n\ndef price(net):\n    return 1\n",
    );
    let dirty = who(&repo, &["shop.py"]);
    assert_eq!(
        (&dirty["lines"], &dirty["uncommitted"]),
        (&json!(6), &json!(2)),
        "{dirty:#}"
    );
}

#[test]
fn changes_are_those_of_history_with_fixes_and_years() {
    let repo = house();
    let file = who(&repo, &["shop.py"]);
    let versions: Value = serde_json::from_str(
        &repo
            .sverklo(&["history", "--json", "shop.py", "--budget", "20000"])
            .success(),
    )
    .unwrap();
    let all = versions["versions"].as_array().unwrap();
    let written = all.iter().filter(|one| one["merge"] != true).count();
    assert_eq!((&file["changes"], written), (&json!(5), 5), "{versions:#}");
    assert_eq!(
        figures(&file, "fixes"),
        BTreeMap::from([("Bee Keeper".to_owned(), 1)])
    );
    let first = &file["people"][0];
    assert_eq!(
        (&first["name"], &first["first"], &first["last"]),
        (&json!("Ann"), &json!("2020-01-01"), &json!("2022-01-01"))
    );
    let at = who(&repo, &["shop.py", "--at", "HEAD^1"]);
    // Of 2022-01-01: a fix and this one in the year before it, the move in the one before, the beginning a day earlier.
    assert_eq!(
        (&at["changes"], &at["last_year"], &at["year_before"]),
        (&json!(4), &json!(2), &json!(1)),
        "{at:#}"
    );
    assert_eq!(
        at["changes_with"],
        json!([{"path": "notes.md", "times": 3, "of": 4}]),
        "{at:#}"
    );
    let all = who(&repo, &["./", "--at", "HEAD^1"]);
    assert_eq!(all["changes"], 4, "{all:#}");
    assert!(all.get("lines").is_none(), "{all:#}");
}

#[test]
fn addresses_are_shown_when_they_are_asked_for_alone() {
    let repo = house();
    for args in [
        vec!["shop.py"],
        vec!["price"],
        vec!["./"],
        vec!["shop.py", "--json"],
    ] {
        let out = repo.sverklo(&[vec!["history", "--who"], args.clone()].concat());
        let said = out.success();
        assert!(
            said.contains("Ann") && !said.contains('@'),
            "{args:?}: {said}"
        );
    }
    let said = repo
        .sverklo(&["history", "--who", "--mails", "shop.py"])
        .success();
    assert!(said.contains("  Ann <ann@private.example> | "), "{said}");
    assert!(said.contains("  Bee Keeper <bee@new.example> | "), "{said}");
    assert!(!said.contains("bee@old.example"), "{said}");
    let alone = repo.sverklo(&["history", "--mails", "shop.py"]);
    assert_eq!(alone.status, Some(2), "{alone:?}");
}

#[test]
fn the_past_is_that_of_a_clone_that_ends_there() {
    let repo = house();
    let then = repo.cloned("then");
    // What the mailmap says later of people does not change what was said before.
    repo.write(".mailmap", "Nobody <bee@new.example> <bee@old.example>\n");
    commit_as(&repo, ANN, "2023-01-01T00:00:00+00:00", "fix: names");
    for back in ["HEAD~1", "HEAD~2", "HEAD~3"] {
        let commit = repo.git(&["rev-parse", back]);
        then.git(&["reset", "-q", "--hard", commit.trim()]);
        for target in ["shop.py", "other", "./", "notes.md"] {
            let old = who(&repo, &[target, "--at", back]);
            assert_eq!(old, who(&then, &[target]), "{target} at {back}");
        }
    }
    let before = who(&repo, &["shop.py", "--at", "HEAD~3"]);
    assert!(
        figures(&before, "changes").contains_key("Ann"),
        "{before:#}"
    );
}

#[test]
fn a_shallow_clone_says_what_it_does_not_know() {
    let repo = house();
    let dir = repo.beside("shallow");
    let url = format!("file://{}", repo.dir().display());
    repo.git(&["clone", "-q", "--depth", "2", &url, dir.to_str().unwrap()]);
    let shallow = repo.at(&dir);
    let answer = who(&shallow, &["shop.py"]);
    assert_eq!(answer["year_before"], Value::Null, "{answer:#}");
    assert!(answer["older"].as_u64().unwrap() > 5, "{answer:#}");
    assert!(
        answer["end"].as_str().unwrap().contains("shallow"),
        "{answer:#}"
    );
    let text = shallow.sverklo(&["history", "--who", "shop.py"]).success();
    assert!(text.contains("older than what was read"), "{text}");
    assert!(text.contains("unknown in the one before"), "{text}");
}

#[test]
fn what_nobody_can_know_is_said() {
    let repo = house();
    let out = repo.sverklo(&["history", "--who", "no_such_name"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(
        out.stdout.starts_with("nothing is called \"no_such_name\""),
        "{out:?}"
    );
    let out = repo.sverklo(&["history", "--who", "price -> other"]);
    assert_eq!(out.status, Some(2), "{out:?}");
    assert!(
        out.stderr
            .contains("is an edge, which has no lines and no authors"),
        "{out:?}"
    );
    let empty = TestRepo::init();
    let out = empty.sverklo(&["history", "--who", "a.py"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(out.stdout.contains("there are no commits"), "{out:?}");
}
