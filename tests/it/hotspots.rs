//! `audit hotspots`: what is complex and changes often.

use super::harness::TestRepo;
use serde_json::{Value, json};

#[track_caller]
fn spots(repo: &TestRepo, args: &[&str]) -> Value {
    let out = repo.sverklo(&[&["audit", "hotspots", "--json", "--budget", "20000"], args].concat());
    assert!(out.status == Some(0) || out.status == Some(1), "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

fn heat<'a>(answer: &'a Value, path: &str) -> &'a Value {
    let all = answer["findings"].as_array().unwrap();
    let found = all.iter().find(|one| one["path"] == path);
    &found.unwrap_or_else(|| panic!("{path}: {answer:#}"))["heat"]
}

fn deep(n: usize) -> String {
    let body = "    if a:\n        b = a\n        if b:\n            c = b\n".repeat(n);
    format!("def flat(a):\n    return a\n\n\ndef knot(a):\n{body}    return a\n")
}

/// Two years and a half: a file that is deep and changes, one that is flat and changes as often, one that is deep and
/// does not.
fn years() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("still.py", deep(9))
        .write("flat.py", "a = 1\n")
        .write("old.py", deep(2));
    repo.commit_on("begin", "2020-01-01T00:00:00+00:00");
    repo.write("flat.py", "a = 2\n").write("old.py", deep(3));
    repo.commit_on("fix: both", "2020-06-01T00:00:00+00:00");
    repo.git(&["mv", "old.py", "hot.py"]);
    repo.commit_on("move", "2021-02-01T00:00:00+00:00");
    repo.write("flat.py", "a = 3\n").write("hot.py", deep(4));
    repo.commit_on("more", "2022-03-01T00:00:00+00:00");
    repo.write("flat.py", "a = 4\n").write("hot.py", deep(5));
    repo.commit_on("fix the knot", "2022-04-01T00:00:00+00:00");
    repo
}

#[test]
fn what_is_deep_and_changes_comes_first_with_its_figures() {
    let repo = years();
    let answer = spots(&repo, &[]);
    assert_eq!(answer["findings"][0]["path"], "hot.py", "{answer:#}");
    // `flat.py` has no levels, so nothing of it is hot; `still.py` changed once.
    assert_eq!(answer["total"], 2, "{answer:#}");
    let hot = heat(&answer, "hot.py");
    // Five times 1, 2, 2 and 3 levels, two returns; a year before, under its old name, three times.
    let figures = json!({
        "share": hot["share"], "lines": 24, "complexity": 42, "complexity_year_ago": 26, "changes": 5, "fixes": 2,
        "last_year": 2, "year_before": 2, "worst": hot["worst"],
    });
    assert_eq!(*hot, figures, "{answer:#}");
    assert_eq!(hot["worst"]["name"], "knot", "{answer:#}");
    let still = heat(&answer, "still.py");
    assert_eq!((&still["changes"], &still["fixes"]), (&json!(1), &json!(0)));
    // The changes are those that git follows.
    let followed = repo.git(&["log", "--follow", "--format=%H", "--", "hot.py"]);
    assert_eq!(hot["changes"], followed.lines().count());
    let text = repo
        .sverklo(&["audit", "hotspots", "--budget", "4000"])
        .success();
    let first = text.lines().next().unwrap();
    assert!(first.starts_with("hot.py | "), "{text}");
    assert!(
        first.contains("complexity 42 in 24 lines, 26 a year ago | 5 changes, 2 fixes"),
        "{text}"
    );
    assert!(
        first.contains("| most in hot.py:5-26 function knot ("),
        "{text}"
    );
}

#[test]
fn an_old_commit_is_told_of_as_a_clone_that_ends_there() {
    let repo = years();
    let then = repo.cloned("then");
    for back in ["HEAD~1", "HEAD~2", "HEAD~3"] {
        let commit = repo.git(&["rev-parse", back]);
        then.git(&["reset", "-q", "--hard", commit.trim()]);
        assert_eq!(spots(&repo, &["--at", back]), spots(&then, &[]), "{back}");
    }
}

#[test]
fn what_history_cannot_tell_is_unknown() {
    let repo = years();
    // Half a year of history.
    let young = spots(&repo, &["--at", "HEAD~3"]);
    let old = heat(&young, "old.py");
    assert_eq!(old["complexity_year_ago"], Value::Null, "{young:#}");
    assert_eq!(old["year_before"], Value::Null, "{young:#}");
    let text = repo
        .sverklo(&["audit", "hotspots", "--at", "HEAD~3", "--budget", "4000"])
        .success();
    assert!(text.contains("unknown a year ago"), "{text}");
    assert!(text.contains("less than a year of them"), "{text}");
    // A shallow clone says where its history ends.
    let dir = repo.beside("shallow");
    let url = format!("file://{}", repo.dir().display());
    repo.git(&["clone", "-q", "--depth", "3", &url, dir.to_str().unwrap()]);
    let shallow = repo.at(&dir);
    let answer = spots(&shallow, &[]);
    assert_eq!(
        answer["history"], "history: only 2 commits (shallow clone)",
        "{answer:#}"
    );
    // One commit says nothing.
    let answer = spots(&repo, &["--at", "HEAD~4"]);
    assert_eq!(answer["history"], "no history to rank by", "{answer:#}");
}

#[test]
fn a_commit_that_changed_everything_says_nothing_of_one_file() {
    let repo = years();
    for n in 0..40 {
        repo.write(format!("gen/f{n}.py"), "a = 1\n");
    }
    repo.write("hot.py", format!("{}\n", deep(5)));
    repo.commit_on("format everything", "2022-05-01T00:00:00+00:00");
    assert_eq!(heat(&spots(&repo, &[]), "hot.py")["changes"], 5);
}
