//! `history` of what nothing is called any more.

use super::harness::TestRepo;
use super::history_of::history;
use serde_json::json;

fn versions(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let answer = history(repo, args);
    let versions = answer["versions"].as_array().unwrap().iter();
    let said = versions.map(|version| {
        let subject = version["commit"]["subject"].as_str().unwrap_or("-");
        format!("{subject}: {}", version["did"][0].as_str().unwrap())
    });
    said.collect()
}

fn python(name: &str, said: &str) -> String {
    format!(
        "def {name}(text):\n    total = 0\n    for word in text.split():\n        if word not in STOP:\n            total += len(word)\n    {said}\n    return total\n"
    )
}

/// A function that is changed, taken away on a side, and spoken of since.
fn lost() -> TestRepo {
    let repo = TestRepo::init();
    let rest = "def other():\n    return 1\n";
    repo.write(
        "a.py",
        format!("{rest}\n\n{}", python("old_name", "total += 1")),
    );
    repo.commit("one");
    repo.write(
        "a.py",
        format!("{rest}\n\n{}", python("old_name", "total += 2")),
    );
    repo.commit("two");
    repo.git(&["switch", "-q", "-c", "side"]);
    repo.write("a.py", rest);
    repo.commit("taken away");
    repo.git(&["switch", "-q", "main"]);
    repo.write("b.py", "x = 1\n");
    repo.commit("beside");
    repo.git(&["merge", "-q", "--no-edit", "side"]);
    repo.write("notes.md", "# Notes\n\nold_name is no more\n");
    repo.write("b.py", "# old_name was here\nx = 1\n");
    repo.commit("spoken of");
    repo
}

#[test]
fn a_name_that_is_no_more_begins_with_its_end() {
    let repo = lost();
    let all = ["taken away: removed", "two: body", "one: introduced"];
    for target in ["old_name", "a.py::old_name#function"] {
        assert_eq!(versions(&repo, &[target]), all, "{target}");
    }
    let answer = history(&repo, &["old_name"]);
    assert_eq!(answer["subject"], "a.py::old_name#function");
    assert_eq!(answer["versions"][0]["path"], "a.py");
    // git says the same of the text.
    let git = repo.git(&["log", "--format=%s", "-G", "def old_name", "--", "a.py"]);
    assert_eq!(git.lines().collect::<Vec<_>>(), ["taken away", "one"]);
    // With all of history in the index, trees are enough.
    repo.sverklo(&["index", "--all"]).success();
    assert_eq!(versions(&repo, &["old_name"]), all);
    assert_eq!(
        versions(&repo, &["--first", "old_name"]),
        ["taken away: removed", "one: introduced"]
    );
    // As of then it was there.
    assert_eq!(versions(&repo, &["old_name@HEAD~2"]), all[1..]);
}

#[test]
fn what_it_was_renamed_to_is_told() {
    let repo = TestRepo::init();
    repo.write("a.py", python("old_name", "total += 1"));
    repo.commit("one");
    repo.write("a.py", python("new_name", "total += 1"));
    repo.commit("renamed");
    let answer = history(&repo, &["old_name"]);
    assert_eq!(answer["versions"][0]["did"], json!(["renamed"]));
    assert_eq!(answer["versions"][0]["name"], "new_name");
    assert_eq!(answer["versions"][0]["was"]["name"], "old_name");
    assert_eq!(answer["versions"][1]["did"], json!(["introduced"]));
    // Moved away, it is not gone.
    repo.write("a.py", "x = 1\n")
        .write("b.py", python("new_name", "total += 1"));
    repo.commit("moved");
    repo.remove("b.py");
    repo.commit("gone");
    assert_eq!(
        versions(&repo, &["new_name"]),
        [
            "gone: removed",
            "moved: moved",
            "renamed: renamed",
            "one: introduced"
        ]
    );
}

#[test]
fn what_was_read_for_a_name_is_not_read_again_for_it() {
    let repo = lost();
    let id = |rev: &str| repo.git(&["rev-parse", rev]).trim().to_owned();
    let removed = versions(&repo, &["old_name"]);
    let looked = |name: &str| {
        let out = repo.sverklo(&["history", name]);
        assert_eq!(out.status, Some(1), "{out:?}");
        out.stdout
    };
    let never = looked("never_was");
    assert!(never.contains("all 6 commits looked at"), "{never}");
    // A version that had to be read, and is in no index.
    let blob = id("HEAD^{/beside}:b.py");
    let loose = repo.dir().join(".git/objects").join(&blob[..2]);
    std::fs::remove_file(loose.join(&blob[2..])).unwrap();
    assert_eq!(looked("never_was"), never);
    assert_eq!(versions(&repo, &["old_name"]), removed);
    let other = looked("nor_was_this");
    assert!(other.contains("lacks what came before"), "{other}");
    // As of another commit it is looked for anew.
    let out = repo.sverklo(&["history", "never_was@HEAD~1"]).stdout;
    assert!(out.contains("all 5 commits looked at"), "{out}");
}

#[test]
fn what_is_taken_away_and_not_committed_is_told() {
    let repo = TestRepo::init();
    repo.write("a.py", python("old_name", "total += 1"));
    repo.commit("one");
    repo.write("a.py", "x = 1\n");
    assert_eq!(
        versions(&repo, &["old_name"]),
        ["-: removed", "one: introduced"]
    );
}

#[test]
fn paths_that_are_no_more_have_a_past() {
    let repo = lost();
    repo.remove("b.py");
    repo.commit("no b");
    assert_eq!(
        versions(&repo, &["b.py"]),
        ["no b: removed", "spoken of: changed", "beside: introduced"]
    );
}

#[test]
fn what_never_was_says_how_far_was_looked() {
    let repo = lost();
    let out = repo.sverklo(&["history", "never_was"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(out.stdout.contains("all 6 commits looked at"), "{out:?}");
    let shallow = repo.beside("shallow");
    let url = format!("file://{}", repo.dir().display());
    let to = shallow.to_str().unwrap();
    repo.git(&["clone", "-q", "--depth", "1", &url, to]);
    let out = repo.at(&shallow).sverklo(&["history", "old_name"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(out.stdout.contains("of a shallow clone"), "{out:?}");
}

#[test]
fn paths_with_white_space_and_what_the_work_tree_lacks_have_a_past() {
    let repo = TestRepo::init();
    repo.write("my dir/a b.py", python("one", "total += 1"));
    repo.write("c.py", python("two", "total += 1"));
    repo.write("notes", "said once\n");
    repo.commit("one");
    repo.git(&["rm", "-qr", "my dir"]);
    repo.commit("gone");
    for target in ["my dir/a b.py", "my dir/", "my dir"] {
        let all = ["gone: removed", "one: introduced"];
        assert_eq!(versions(&repo, &[target]), all, "{target}");
    }
    std::fs::remove_file(repo.dir().join("c.py")).unwrap();
    for target in ["c.py", "c.py:1", "two"] {
        let all = ["-: removed", "one: introduced"];
        assert_eq!(versions(&repo, &[target]), all, "{target}");
    }
    assert_eq!(versions(&repo, &["c.py@HEAD"]), ["one: introduced"]);
    std::fs::remove_file(repo.dir().join("notes")).unwrap();
    assert_eq!(
        versions(&repo, &["notes"]),
        ["-: removed", "one: introduced"]
    );
    let nothing = repo.sverklo(&["history", "no such words"]);
    assert_eq!(nothing.status, Some(1));
}
