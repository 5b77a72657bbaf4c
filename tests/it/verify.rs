//! `verify`: whether cited places still say what they said, and where they are now.

use super::harness::{Kind, Output, TestRepo};
use super::mcp::{call, text, with_client};
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;

const HEAD: &str = "import os\nimport sys\n\n";
const COUNT: &str = "def count(text):\n    total = 0\n    for word in text.split():\n        total += len(word)\n    return total\n";
const PRINT: &str =
    "def show(lines):\n    for number, line in enumerate(lines):\n        print(number, line)\n";

/// Joined by an empty line.
fn file(parts: &[&str]) -> String {
    parts.join("\n")
}

fn verify(repo: &TestRepo, args: &[&str]) -> Value {
    let out = repo.sverklo(&[&["verify", "--json", "--budget", "50000"], args].concat());
    assert!(matches!(out.status, Some(0 | 1)), "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

/// What became of citations: the fate, and the place or the reason or the subject of the commit.
fn fates(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let answer = verify(repo, args);
    assert_eq!(answer["shown"], answer["total"]);
    let all = answer["citations"].as_array().unwrap().iter();
    all.map(|one| {
        let mut said = one["fate"].as_str().unwrap().to_owned();
        if let Some(path) = one["path"].as_str() {
            said += &format!(" {path}");
        }
        if let (Some(start), Some(end)) = (one["start"].as_u64(), one["end"].as_u64()) {
            said += &format!(":{start}-{end}");
        }
        if let (Some(kept), Some(of)) = (one["kept"].as_u64(), one["of"].as_u64()) {
            said += &format!(" {kept}/{of} {}", one["changed"]);
        }
        for field in [&one["by"]["subject"], &one["reason"]] {
            said += &field.as_str().map(|s| format!(" {s}")).unwrap_or_default();
        }
        said
    })
    .collect()
}

/// What became of one citation.
#[track_caller]
fn fate(repo: &TestRepo, citation: &str) -> String {
    fates(repo, &[citation]).remove(0)
}

/// What the program says to a text on standard input.
fn piped(repo: &TestRepo, args: &[&str], text: &str) -> Output {
    let mut command = repo.sverklo_command(&[&["verify", "--file", "-"], args].concat());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    let out = child.wait_with_output().unwrap();
    Output {
        status: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    }
}

#[test]
fn each_fate_is_told() {
    let repo = TestRepo::init();
    repo.write("a.py", file(&[HEAD, COUNT, PRINT]))
        .write("gone.py", file(&[HEAD, "ANSWER = 'forty and two'\n"]));
    let old = repo.commit("one");
    repo.git(&["tag", "v1"]);
    assert_eq!(fate(&repo, "a.py:5-9@v1"), "unchanged a.py:5-9");
    let edited = COUNT.replace("total = 0", "total = start\n    seen = set()");
    repo.write("a.py", file(&["# new\n", HEAD, &edited, PRINT]));
    repo.commit("edit");
    repo.remove("gone.py");
    repo.commit("drop gone.py");
    let at = &old[..10];
    assert_eq!(
        fates(
            &repo,
            &[
                "a.py:1@v1",
                "a.py:5-9@v1",
                &format!("a.py:11-13@{at}"),
                "a.py#L11-L13@v1",
                "a.py@v1",
                "gone.py:5@v1",
                "gone.py@v1",
                "a.py:12-99@v1",
                "never.py:1@v1",
                "a.py:1@0123456789",
                "a.py:1@v2",
                "a.py:1",
                "",
            ]
        ),
        [
            "moved a.py:3-3",
            "modified a.py:7-12 4/5 [[8,9]]",
            "moved a.py:14-16",
            "moved a.py:14-16",
            "modified a.py 12/13 [[1,2],[8,9]]",
            "deleted drop gone.py",
            "deleted drop gone.py",
            &format!("never was its file has 13 lines at {at}"),
            &format!("never was no such file at {at}"),
            "unknown no such commit in this clone",
            "unknown no such commit in this clone",
            "unknown names no commit; write @COMMIT behind it, or say where it is from",
            "unknown no citation; write path:start-end@COMMIT",
        ]
    );
    // Against another revision than the work tree, and of a commit that is said beside.
    assert_eq!(
        fates(&repo, &["--at", "v1", "a.py:5-9@HEAD"]),
        ["modified a.py:3-6 3/5 [[6,6]]"]
    );
    assert_eq!(
        fates(&repo, &["--from", "v1", "a.py:1"]),
        ["moved a.py:3-3"]
    );
    let blob = repo.git(&["rev-parse", "v1:a.py"]);
    let cited = format!("a.py:1@v1#{}", &blob[..10]);
    assert_eq!(fate(&repo, &cited), "moved a.py:3-3");
    let other = "a.py:1@v1#0123456789";
    let said = format!("never was its file is the blob {} at {at}", &blob[..10]);
    assert_eq!(fate(&repo, other), said);
}

#[test]
fn unchanged_and_moved_are_the_same_bytes() {
    let repo = TestRepo::init();
    repo.write("a.py", file(&[HEAD, COUNT, PRINT]));
    repo.commit("one");
    // White space inside, at the end and in line endings is a difference.
    for (edited, said) in [
        (
            COUNT.replace("total = 0", "total  = 0"),
            "modified a.py:5-9 4/5 [[6,6]]",
        ),
        (
            COUNT.replace("total = 0", "total = 0 "),
            "modified a.py:5-9 4/5 [[6,6]]",
        ),
        (COUNT.replace('\n', "\r\n"), "modified a.py:5-9 0/5 [[5,9]]"),
    ] {
        repo.write("a.py", file(&[HEAD, &edited, PRINT]));
        assert_eq!(fate(&repo, "a.py:5-9@HEAD"), said, "{edited:?}");
        assert_eq!(fate(&repo, "a.py:11-13@HEAD"), "unchanged a.py:11-13");
    }
    // What is indented anew in another file has moved, and is another text.
    let inside: String = COUNT.lines().map(|line| format!("    {line}\n")).collect();
    repo.write("a.py", file(&[HEAD, PRINT]));
    repo.write("b.py", format!("class Counter:\n{inside}"));
    assert_eq!(
        fate(&repo, "a.py:5-9@HEAD"),
        "modified b.py:2-6 0/5 [[2,6]]"
    );
    // A last line that got its end is the same.
    repo.write("c.txt", "first line here\nlast line here");
    repo.commit("two");
    repo.write("c.txt", "first line here\nlast line here\n");
    assert_eq!(fate(&repo, "c.txt:1-2@HEAD"), "unchanged c.txt:1-2");
}

#[test]
fn lines_are_followed_across_files_and_names() {
    let repo = TestRepo::init();
    repo.write("a.py", file(&[HEAD, COUNT, PRINT]));
    repo.commit("one");
    repo.git(&["tag", "v1"]);
    repo.git(&["mv", "a.py", "b.py"]);
    repo.commit("rename");
    assert_eq!(fate(&repo, "a.py:5-9@v1"), "moved b.py:5-9");
    assert_eq!(fate(&repo, "a.py@v1"), "moved b.py");
    std::fs::create_dir_all(repo.dir().join("lib")).unwrap();
    repo.git(&["mv", "b.py", "lib/c.py"]);
    repo.write("lib/c.py", file(&["# moved\n", HEAD, COUNT, PRINT]));
    repo.commit("rename and edit");
    assert_eq!(fate(&repo, "a.py:5-9@v1"), "moved lib/c.py:7-11");
    // Lines that leave their file are found in the one they went to.
    repo.write("lib/c.py", file(&[HEAD, PRINT]))
        .write("lib/d.py", file(&["# counting\n", COUNT]));
    repo.commit("split");
    assert_eq!(fate(&repo, "a.py:5-9@v1"), "moved lib/d.py:3-7");
    assert_eq!(fate(&repo, "a.py:11-13@v1"), "moved lib/c.py:5-7");
    // Back to a name that it had.
    repo.write("back.txt", "one line\nanother line\n");
    repo.commit("back 0");
    repo.git(&["tag", "back"]);
    for (at, to) in [
        ("back.txt", "forth.txt"),
        ("forth.txt", "back.txt"),
        ("back.txt", "far.txt"),
    ] {
        repo.git(&["mv", at, to]);
        repo.commit(to);
    }
    assert_eq!(fate(&repo, "back.txt:2@back"), "moved far.txt:2-2");
    // Of files with the same content, the one at its path goes with it.
    for dir in ["x/one", "x/two"] {
        repo.write(format!("{dir}/deep/same.txt"), "the same in both\n");
    }
    repo.commit("twins");
    repo.git(&["mv", "x", "lib/y"]);
    repo.commit("twins move");
    for dir in ["one", "two"] {
        assert_eq!(
            fate(&repo, &format!("x/{dir}/deep/same.txt@HEAD~1")),
            format!("moved lib/y/{dir}/deep/same.txt")
        );
    }
    // What changes places within a file.
    repo.write("lib/c.py", file(&[PRINT, HEAD, "x = 1\n", "y = 2\n"]));
    repo.commit("reorder");
    assert_eq!(fate(&repo, "a.py:11-13@v1"), "moved lib/c.py:1-3");
    assert_eq!(fate(&repo, "lib/c.py:5-7@HEAD~1"), "moved lib/c.py:1-3");
    repo.remove("lib/d.py");
    repo.commit("no more counting");
    assert_eq!(
        fate(&repo, "a.py:5-9@v1"),
        "deleted split",
        "of its own file"
    );
    // A copy that was there before is not where they went.
    repo.write("copy.py", file(&["# copy\n", PRINT]));
    repo.commit("copied");
    repo.write("lib/c.py", "x = 1\n");
    repo.commit("original gone");
    assert_eq!(fate(&repo, "lib/c.py:1-3@HEAD~1"), "deleted original gone");
}

#[test]
fn the_commit_that_removed_lines_is_named() {
    let repo = TestRepo::init();
    repo.write("a.py", file(&[HEAD, COUNT, PRINT]));
    repo.commit("one");
    repo.git(&["tag", "v1"]);
    for n in 0..5 {
        repo.write("a.py", file(&[&format!("x = {n}\n"), HEAD, COUNT, PRINT]));
        repo.commit(&format!("before {n}"));
    }
    repo.write("a.py", file(&[HEAD, PRINT]));
    repo.commit("remove count");
    for n in 0..5 {
        repo.write("a.py", file(&[&format!("x = {n}\n"), HEAD, PRINT]));
        repo.commit(&format!("after {n}"));
    }
    assert_eq!(fate(&repo, "a.py:5-9@v1"), "deleted remove count");
    // By a branch: its own commit, not the merge.
    repo.git(&["checkout", "-q", "-b", "side", "v1"]);
    repo.write("b.py", "b = 1\n");
    repo.commit("beside");
    repo.write("a.py", file(&[HEAD, COUNT]));
    repo.commit("remove show");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "-s", "ours", "-m", "ours", "side~1"]);
    repo.git(&["checkout", "-q", "side"]);
    repo.git(&["checkout", "-q", "-b", "trunk", "v1"]);
    repo.write("c.py", "c = 1\n");
    repo.commit("trunk");
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge side", "side"]);
    assert_eq!(fate(&repo, "a.py:11-13@v1"), "deleted remove show");
    // Only brackets, and twice: nothing that says where they went.
    repo.write("x.js", "call({\n});\n");
    repo.commit("brackets");
    repo.write("x.js", "other\n");
    repo.commit("no brackets");
    assert_eq!(fate(&repo, "x.js:2@HEAD~1"), "deleted no brackets");
}

#[test]
fn a_branch_that_is_no_ancestor_is_judged_by_what_is_here() {
    let repo = TestRepo::init();
    repo.write("a.py", file(&[HEAD, COUNT]));
    repo.commit("one");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("a.py", file(&[HEAD, COUNT, PRINT]))
        .write("only.py", "ONLY_ON_THIS_BRANCH = 'a long enough line'\n");
    repo.commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["mv", "a.py", "b.py"]);
    repo.commit("renamed on main");
    assert_eq!(fate(&repo, "a.py:5-9@side"), "moved b.py:5-9");
    let never = "its commit is no ancestor, and it never came here";
    assert_eq!(fate(&repo, "a.py:11-13@side"), format!("deleted {never}"));
    for cited in ["only.py@side", "only.py:1@side"] {
        assert_eq!(fate(&repo, cited), format!("deleted {never}"), "{cited}");
    }
    // Squashed, it is here, whatever commit brought it.
    repo.git(&["merge", "-q", "--squash", "side"]);
    repo.commit("squashed");
    assert_eq!(fate(&repo, "only.py:1@side"), "unchanged only.py:1-1");
    // Without anything in common.
    repo.git(&["checkout", "-q", "--orphan", "alone"]);
    repo.git(&["rm", "-q", "-r", "-f", "."]);
    repo.write("z.py", "z = 1\n");
    repo.commit("alone");
    assert_eq!(fate(&repo, "only.py:1@side"), format!("deleted {never}"));
}

#[test]
fn definitions_are_followed_by_name() {
    let repo = TestRepo::init();
    repo.write("a.py", file(&[HEAD, COUNT, PRINT]));
    let old = repo.commit("one");
    repo.git(&["tag", "v1"]);
    let longer = COUNT.replace("    return", "    log(total)\n    return");
    repo.write("a.py", file(&[HEAD, PRINT, &longer]));
    repo.commit("two");
    let id = "a.py::count#function@v1";
    assert_eq!(fate(&repo, id), "modified a.py:9-14 5/5 [[13,13]]");
    let shown = "a.py::show#function@v1";
    assert_eq!(
        fate(&repo, shown),
        "unchanged a.py:5-7",
        "wherever it stands"
    );
    let said = format!("never was not defined at {}", &old[..10]);
    assert_eq!(fate(&repo, "a.py::other#function@v1"), said);
    repo.git(&["mv", "a.py", "b.py"]);
    repo.commit("three");
    assert_eq!(fate(&repo, shown), "moved b.py:5-7");
    repo.write("b.py", file(&[HEAD, PRINT]));
    repo.commit("no count");
    assert_eq!(fate(&repo, id), "deleted no count");
}

#[test]
fn a_dirty_work_tree_is_what_they_are_held_against() {
    let repo = TestRepo::init();
    repo.write("a.py", file(&[HEAD, COUNT, PRINT])).write(
        "b.py",
        file(&["b = 1\n", "UNCOMMITTED = 'removal of this line'\n"]),
    );
    repo.commit("one");
    repo.write("a.py", file(&["# dirty\n", HEAD, COUNT, PRINT]));
    repo.remove("b.py");
    let answer = verify(&repo, &["a.py:5-9@HEAD"]);
    assert_eq!(answer["citations"][0]["fate"], "moved");
    assert_eq!(answer["citations"][0]["dirty"], true);
    let said = "deleted in the work tree, by nothing that is committed";
    assert_eq!(fate(&repo, "b.py:3@HEAD"), said);
    assert_eq!(fate(&repo, "b.py@HEAD"), said);
    assert_eq!(
        fates(&repo, &["--at", "HEAD", "a.py:5-9@HEAD"]),
        ["unchanged a.py:5-9"]
    );
    // Moved to a file that is not tracked.
    repo.write("a.py", file(&["# dirty\n", HEAD, PRINT]))
        .write("new.py", COUNT);
    assert_eq!(fate(&repo, "a.py:5-9@HEAD"), "moved new.py:1-5");
    let id = repo.git(&["rev-parse", "HEAD"]);
    let text = &*format!("`a.py:5-9@HEAD` and b.py@{id}");
    let out = piped(&repo, &["--fix"], text);
    assert_eq!(
        (out.status, &*out.stdout),
        (Some(1), text),
        "{}",
        out.stderr
    );
    assert!(
        out.stderr
            .contains("left a.py:5-9@HEAD: it is in a file with uncommitted changes")
    );
    repo.write("a.py", "x = 1\n");
    repo.remove("new.py");
    assert_eq!(fate(&repo, "a.py:5-9@HEAD"), said);
}

#[test]
fn a_shallow_clone_says_where_history_ends() {
    let repo = TestRepo::init();
    repo.write("a.py", file(&[HEAD, COUNT, PRINT]));
    let old = repo.commit("one");
    repo.write("a.py", file(&[HEAD, PRINT]));
    repo.commit("two");
    repo.git(&["branch", "other", "HEAD~1"]);
    let url = format!("file://{}", repo.dir().display());
    let dir = repo.beside("shallow");
    let to = dir.to_str().unwrap();
    repo.git(&[
        "clone",
        "-q",
        "--depth",
        "1",
        "--no-single-branch",
        &url,
        to,
    ]);
    let clone = repo.at(&dir);
    let head = clone.git(&["rev-parse", "HEAD"]);
    assert_eq!(fate(&clone, "a.py:5@HEAD"), "unchanged a.py:5-5");
    // That commit is here, and nothing that connects it.
    let cited = format!("a.py:5-9@{old}");
    assert_eq!(
        fate(&clone, &cited),
        "deleted this clone is shallow: which commit did it is not known"
    );
    let cited = "a.py:5-9@0123456789012345678901234567890123456789";
    let said = fate(&clone, cited);
    assert!(
        said.starts_with("unknown no such commit in this clone, whose history ends at "),
        "{said}"
    );
    assert!(
        said.contains(&head[..10]) || said.contains(&old[..10]),
        "{said}"
    );
}

#[test]
fn a_partial_clone_says_what_it_lacks() {
    let repo = TestRepo::init();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.write("a.py", file(&[HEAD, COUNT]));
    let old = repo.commit("one");
    repo.write("a.py", file(&[HEAD, PRINT]));
    repo.commit("two");
    let url = format!("file://{}", repo.dir().display());
    let dir = repo.beside("partial");
    repo.git(&[
        "clone",
        "-q",
        "--filter=blob:none",
        &url,
        dir.to_str().unwrap(),
    ]);
    let clone = repo.at(&dir);
    assert_eq!(fate(&clone, "a.py:5@HEAD"), "unchanged a.py:5-5");
    let said = "unknown its content is not in this partial clone";
    assert_eq!(fate(&clone, &format!("a.py:5@{old}")), said);
}

#[test]
fn hostile_names_are_quoted_and_taken_back() {
    let repo = TestRepo::init();
    let odd = "x\ny | deleted a.py.py";
    let spaced = "a b/[c] (d).py";
    for path in [odd, spaced, ":(top)x.py", "@at/@b.py"] {
        repo.write(path, file(&[HEAD, COUNT]));
    }
    repo.commit("one");
    for path in [odd, spaced, ":(top)x.py", "@at/@b.py"] {
        repo.write(path, file(&["# new\n", HEAD, COUNT]));
    }
    repo.commit("two");
    let quoted = r#""x\ny | deleted a.py.py":5-9@HEAD~1"#;
    let text = format!(
        "See {quoted}, \"{spaced}\":5-9@HEAD~1; :(top)x.py:5-9@HEAD~1 or @at/@b.py:5-9@HEAD~1.\n"
    );
    repo.write("notes.txt", &text);
    let answer = verify(&repo, &["--file", "notes.txt"]);
    let places = answer["citations"].as_array().unwrap().iter();
    let places: Vec<_> = places
        .map(|one| (&one["fate"], &one["path"], &one["start"]))
        .collect();
    assert_eq!(places.len(), 4, "{answer}");
    for (fate, path, start) in places {
        assert_eq!((fate, start), (&json!("moved"), &json!(7)), "{path}");
    }
    let out = repo.sverklo(&["verify", "--file", "notes.txt"]).success();
    for line in out.lines().skip(1) {
        assert!(
            line.starts_with("moved ") || line.starts_with("index "),
            "{out}"
        );
    }
    // What was written anew is read again.
    let fixed = piped(&repo, &["--fix"], &text).success();
    let at = &repo.git(&["rev-parse", "HEAD"])[..10];
    assert!(
        fixed.contains(&format!("\"{spaced}\":7-11@{at};")),
        "{fixed}"
    );
    let again = piped(&repo, &["--json"], &fixed).success();
    let again: Value = serde_json::from_str(&again).unwrap();
    assert_eq!(again["total"], 4, "{fixed}");
    for one in again["citations"].as_array().unwrap() {
        assert_eq!(one["fate"], "unchanged", "{one}");
    }
    // A sha256 repository has longer ids.
    let repo = TestRepo::init_as(Kind {
        sha256: true,
        ..Kind::default()
    });
    repo.write("a.py", file(&[HEAD, COUNT]));
    let id = repo.commit("one");
    assert_eq!(fate(&repo, &format!("a.py:5@{id}")), "unchanged a.py:5-5");
}

/// Notes with a citation of every form, at `v1`.
fn notes(id: &str) -> String {
    format!(
        "# Notes\n\nSee `a.py:5-9@v1` and [show](https://github.com/o/n/blob/{id}/a.py#L11-L13).\n\
         * **a.py:6@v1**, (a.py#L5-L9@v1); gone.py:1@v1!\n\
         * a.py::count#function@v1 and a.py@{id}.\n\
         Not these: b@example.org, 12:30, vite@5.0.1, a.py:5, x::y.\n\
         ```\na.py:12@v1\n```\n"
    )
}

#[test]
fn texts_are_read_and_written_anew() {
    let repo = TestRepo::init();
    repo.write("a.py", file(&[HEAD, COUNT, PRINT]))
        .write("gone.py", "gone = 'a line that goes'\n");
    let id = repo.commit("one");
    repo.git(&["tag", "v1"]);
    repo.git(&["mv", "a.py", "b.py"]);
    repo.write(
        "b.py",
        file(&[HEAD, &COUNT.replace("total = 0", "total = 1"), PRINT]),
    );
    repo.remove("gone.py");
    repo.commit("two");
    let text = notes(&id);
    let out = piped(&repo, &["--json"], &text);
    assert_eq!(out.status, Some(1));
    let answer: Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!((&answer["total"], &answer["plain"]), (&json!(8), &json!(1)));
    let said = piped(&repo, &[], &text).stdout;
    assert!(
        said.contains("| 1 place without a commit passed over (--from REV)"),
        "{said}"
    );
    let out = piped(&repo, &["--fix"], &text);
    assert_eq!(out.status, Some(1));
    let at = repo.git(&["rev-parse", "HEAD"]);
    let short = &at[..10];
    let expected = text
        .replace("`a.py:5-9@v1`", &format!("`b.py:5-9@{short}`"))
        .replace(&format!("{id}/a.py#L11"), &format!("{at}/b.py#L11"))
        .replace("**a.py:6@v1**", &format!("**b.py:6@{short}**"))
        .replace("(a.py#L5-L9@v1)", &format!("(b.py#L5-L9@{short})"))
        .replace(
            "a.py::count#function@v1",
            &format!("b.py::count#function@{short}"),
        )
        .replace(&format!("a.py@{id}"), &format!("b.py@{at}"))
        .replace("\na.py:12@v1", &format!("\nb.py:12@{short}"));
    assert_eq!(out.stdout, expected);
    for said in [
        "left gone.py:1@v1: deleted".to_owned(),
        format!("its text has changed: b.py:5-9@{short}"),
        format!("its text has changed: b.py:6@{short}"),
    ] {
        assert!(out.stderr.contains(&said), "{}", out.stderr);
    }
    // A second time nothing changes.
    let again = piped(&repo, &["--fix"], &expected);
    assert_eq!(again.stdout, expected);
    repo.write("after.py", "after = 1\n");
    repo.commit("three");
    assert_eq!(piped(&repo, &["--fix"], &expected).stdout, expected);
    // Places without a commit get one, so that they are not taken for old ones again.
    let plain = "a.py:12 and [a](a.py#L5)\n";
    let out = piped(&repo, &["--fix", "--from", "v1"], plain);
    let now = &repo.git(&["rev-parse", "HEAD"])[..10];
    assert_eq!(out.stdout, format!("b.py:12@{now} and [a](a.py#L5)\n"));
    let again = piped(&repo, &["--fix", "--from", "v1"], &out.stdout);
    assert_eq!(again.stdout, out.stdout);
}

#[test]
fn answers_are_read_by_their_footers() {
    let repo = TestRepo::init();
    repo.write("a.py", file(&[HEAD, COUNT, PRINT]));
    repo.commit("one");
    let answer = repo.sverklo(&["symbol", "count", "show"]).success();
    repo.write("a.py", file(&["# new\n", HEAD, COUNT, PRINT]));
    repo.commit("two");
    let out = piped(&repo, &["--json"], &answer).success();
    let out: Value = serde_json::from_str(&out).unwrap();
    let starts: Vec<&Value> = out["citations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["start"])
        .collect();
    assert!(
        starts.contains(&&json!(7)) && starts.contains(&&json!(13)),
        "{answer}{out}"
    );
}

#[test]
fn the_text_is_a_line_a_citation_within_the_budget() {
    let repo = TestRepo::init();
    repo.write("a.py", file(&[HEAD, COUNT, PRINT]))
        .write("gone.py", "gone = 'a line that goes'\n");
    repo.commit("one");
    repo.git(&["tag", "v1"]);
    let edited = COUNT.replace("total = 0", "total = start");
    repo.write("a.py", file(&["x = 1\n", HEAD, &edited, PRINT]));
    repo.remove("gone.py");
    repo.commit("a | \"b\"");
    let cited = [
        "a.py:5-9@v1",
        "a.py:11-13@v1",
        "gone.py:1@v1",
        "a.py:9@HEAD",
        "a.py:99@v1",
    ];
    let out = repo.sverklo(&[&["verify"], &cited[..]].concat());
    assert_eq!(out.status, Some(1));
    let (old, now) = (
        &repo.git(&["rev-parse", "v1"])[..10],
        &repo.git(&["rev-parse", "HEAD"])[..10],
    );
    assert_eq!(
        out.stdout,
        format!(
            "5 citations | 1 unchanged | 1 moved | 1 modified | 1 deleted | 1 never was\n\
             modified a.py:5-9@v1 | now a.py:7-11 | 4 of 5 lines kept | new: 8\n\
             moved a.py:11-13@v1 | now a.py:13-15\n\
             deleted gone.py:1@v1 | by {now} 2023-11-14 | A. Author | \"a | 'b'\"\n\
             unchanged a.py:9@HEAD\n\
             never was a.py:99@v1 | its file has 13 lines at {old}\n\
             index {now} | shown 5 of 5\n"
        )
    );
    let stands = repo.sverklo(&["verify", "-q", "a.py:11-13@v1", "a.py:9@HEAD"]);
    assert_eq!((stands.status, &*stands.stdout), (Some(0), ""));
    // A thousand in one call; what stands no more comes first.
    let mut many = "a.py:11-13@v1\n".repeat(999);
    many.push_str("gone.py:1@v1\n");
    let out = piped(&repo, &["--budget", "500"], &many);
    assert!(
        out.stdout
            .starts_with("1000 citations | 999 moved | 1 deleted\n"),
        "{}",
        out.stdout
    );
    assert!(
        out.stdout.contains("\ndeleted gone.py:1@v1 | by "),
        "{}",
        out.stdout
    );
    assert!(
        out.stdout.contains(" of 1000 | next: --budget "),
        "{}",
        out.stdout
    );
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let repo = TestRepo::init();
    repo.write("a.py", COUNT);
    repo.commit("one");
    for (args, said) in [
        (&["verify"][..], "CITATION"),
        (&["verify", "--file", "absent.md"], "cannot read absent.md"),
        (&["verify", "--file", "binary"], "binary is not UTF-8"),
        (&["verify", "--file", "large"], "4194304"),
        (&["verify", "a.py:1", "--from", "nowhere"], "nowhere"),
        (&["verify", "a.py:1@HEAD", "--at", "nowhere"], "nowhere"),
        (&["verify", "a.py:1@HEAD", "--fix"], "--fix"),
        (&["verify", "--fix", "--json", "--file", "a.py"], "--json"),
    ] {
        repo.write("binary", b"\xff\xfe");
        repo.write("large", "x".repeat(5 << 20));
        let out = repo.sverklo(args);
        assert_eq!(out.status, Some(2), "{args:?}: {out:?}");
        assert!(out.stderr.contains(said), "{args:?}: {}", out.stderr);
    }
    let out = piped(&repo, &[], "nothing here\n");
    assert_eq!(out.status, Some(1));
    assert!(
        out.stdout
            .starts_with("no citations; they look like path:start-end@COMMIT\n")
    );
    let out = piped(&repo, &["--fix"], "nothing here\n");
    assert_eq!((out.status, &*out.stdout), (Some(1), "nothing here\n"));
    // Nothing is committed: nothing can have been cited.
    let empty = TestRepo::init();
    empty.write("a.py", COUNT);
    assert_eq!(
        fate(&empty, "a.py:1@main"),
        "unknown no such commit in this clone"
    );
}

#[test]
fn agents_ask_for_it_with_a_list_or_a_text() {
    let repo = TestRepo::init();
    repo.write("a.py", file(&[HEAD, COUNT, PRINT]));
    repo.commit("one");
    repo.git(&["tag", "v1"]);
    repo.write("a.py", file(&["x = 1\n", HEAD, COUNT]));
    repo.commit("two");
    with_client(&repo, async |client| {
        for (citations, said) in [
            (
                json!(["a.py:5-9@v1", "a.py:11-13@v1"]),
                "2 citations | 1 moved | 1 deleted\n",
            ),
            (json!("a.py:5-9@v1"), "1 citation | 1 moved\n"),
            (
                json!("see a.py:5-9@v1\nand a.py:1@v1.\n"),
                "2 citations | 2 moved\n",
            ),
            (
                json!([]),
                "no citations; they look like path:start-end@COMMIT\n",
            ),
        ] {
            let asked = call("verify", json!({"citations": citations}));
            let result = client.call_tool(asked).await.unwrap();
            assert_ne!(result.is_error, Some(true), "{}", text(&result));
            assert!(text(&result).starts_with(said), "{}", text(&result));
        }
        let asked = call(
            "verify",
            json!({"citations": ["a.py:5-9"], "from": "v1", "at": "v1"}),
        );
        let result = client.call_tool(asked).await.unwrap();
        assert!(
            text(&result).contains("\nunchanged a.py:5-9\n"),
            "{}",
            text(&result)
        );
        client.cancel().await.unwrap();
    });
}
