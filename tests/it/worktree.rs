//! What is not committed: the work tree differs from `HEAD` where git says so.

use crate::git_oracle::{KINDS, open, varied};
use crate::harness::TestRepo;
use git_sverklo::git::worktree::{self, DirtyState};
use git_sverklo::git::{Head, tree};
use std::collections::BTreeMap;

/// What the work tree holds at every path that differs from `HEAD`, from git's own tools: a
/// temporary git index into which everything that is not ignored is added.
fn snapshot_by_git(repo: &TestRepo) -> BTreeMap<Vec<u8>, Option<String>> {
    let index = repo.beside("oracle-index");
    let _ = std::fs::remove_file(&index);
    let run = |args: &[&str]| {
        let out = repo
            .command("git")
            .args(args)
            .env("GIT_INDEX_FILE", &index)
            .output()
            .unwrap();
        assert!(
            out.status.success(),
            "{args:?}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        out.stdout
    };
    let real = repo.git(&["rev-parse", "--git-path", "index"]);
    let real = repo.dir().join(real);
    if real.exists() {
        std::fs::copy(&real, &index).unwrap();
        // Git takes a file changed no earlier than the git index for possibly changed, so the
        // copy must be as old as the original.
        let written = real.metadata().unwrap().modified().unwrap();
        let copy = std::fs::File::options().append(true).open(&index).unwrap();
        copy.set_modified(written).unwrap();
    }
    run(&["add", "-A", "--ignore-errors"]);
    let mut all = BTreeMap::new();
    let has_head = repo
        .try_git(&["rev-parse", "--verify", "-q", "HEAD"])
        .status
        == Some(0);
    let base = if has_head {
        "HEAD".to_owned()
    } else {
        repo.git(&["hash-object", "-t", "tree", "/dev/null"])
    };
    let out = run(&["diff-index", "-z", "--cached", "--no-renames", &base]);
    let mut parts = out.split(|b| *b == 0);
    while let (Some(head), Some(path)) = (parts.next(), parts.next()) {
        let words: Vec<_> = std::str::from_utf8(head).unwrap().split(' ').collect();
        let (old_mode, new_mode) = (&words[0][1..], words[1]);
        let is_file = |mode: &str| mode.starts_with("100");
        let same = words[2] == words[3];
        if is_file(new_mode) && !same {
            all.insert(path.to_vec(), Some(words[3].to_owned()));
        } else if is_file(old_mode) && !is_file(new_mode) {
            all.insert(path.to_vec(), None);
        }
    }
    all
}

pub fn status(repo: &TestRepo) -> BTreeMap<Vec<u8>, Option<String>> {
    let ours = open(repo);
    let head = match ours.head().unwrap() {
        Head::Unborn => Vec::new(),
        Head::Commit { id, .. } => {
            tree::list(&mut ours.objects(), ours.commit_tree(id).unwrap()).unwrap()
        }
    };
    let found = worktree::status(&ours, &head).unwrap();
    assert!(found.dirty.is_sorted_by(|a, b| a.path < b.path));
    found
        .dirty
        .into_iter()
        .map(|dirty| {
            let state = match dirty.state {
                DirtyState::Content { id, .. } => Some(id.to_string()),
                DirtyState::Deleted => None,
                DirtyState::TooLarge { size } => Some(format!("{size} bytes")),
            };
            (dirty.path.as_bytes().to_vec(), state)
        })
        .collect()
}

#[track_caller]
pub fn check_status(repo: &TestRepo, differing: usize) {
    let objects = repo.git(&["count-objects", "-v"]);
    let index = repo
        .dir()
        .join(repo.git(&["rev-parse", "--git-path", "index"]));
    let before = std::fs::read(&index).ok();
    let ours = status(repo);
    assert_eq!(
        repo.git(&["count-objects", "-v"]),
        objects,
        "an object was written"
    );
    assert_eq!(
        std::fs::read(&index).ok(),
        before,
        "the git index was written"
    );
    assert_eq!(ours, snapshot_by_git(repo));
    assert_eq!(ours.len(), differing, "{ours:?}");
}

#[test]
fn the_work_tree_differs_where_git_says_so() {
    for kind in KINDS {
        let repo = varied(kind);
        check_status(&repo, if cfg!(unix) { 8 } else { 6 });
        repo.write(".gitignore", "*.log\nbuild/\n!keep.log\n");
        repo.commit("one");
        check_status(&repo, 0);

        repo.write("a.txt", "unstaged\n");
        repo.write("a0", "staged\n").git(&["add", "a0"]);
        repo.write("a/b.txt", "staged\n").git(&["add", "a/b.txt"]);
        repo.write("a/b.txt", "and changed again\n");
        repo.remove("a/b/c.txt");
        repo.write("empty", "no longer\n").git(&["add", "empty"]);
        repo.write("empty", "");
        repo.write("new/file", "untracked\n")
            .write("x.log", "ignored\n")
            .write("build/out", "ignored\n");
        repo.write("keep.log", "not ignored\n");
        repo.write("intended", "to add\n")
            .git(&["add", "-N", "intended"]);
        check_status(&repo, 7);

        repo.git(&["rm", "-q", "--cached", "sp ace/ta\tb"]);
        check_status(&repo, 7);
        let linked = repo.at(repo.beside("linked"));
        repo.git(&["worktree", "add", "-q", linked.dir().to_str().unwrap()]);
        check_status(&linked, 0);
        linked.write("a0", "changed here alone\n");
        check_status(&linked, 1);
        repo.commit("two");
        repo.write("forgotten.log", "x\n")
            .git(&["add", "-f", "forgotten.log"]);
        repo.commit("three");
        repo.git(&["rm", "-q", "--cached", "forgotten.log"]);
        check_status(&repo, 1);
    }
}

#[test]
fn a_file_changed_within_the_tick_of_the_git_index_is_seen() {
    let repo = TestRepo::init();
    repo.write("racy", "aaaa\n").commit("one");
    for round in 0..5 {
        // Same size and, most of the time, the same second as the git index.
        repo.write("racy", format!("b{round:03}\n"));
        check_status(&repo, 1);
        repo.commit("next");
    }
}

#[test]
fn line_endings_are_compared_as_git_stores_them() {
    let repo = TestRepo::init();
    repo.write(
        ".gitattributes",
        "*.txt text\n*.raw -text\n*.id ident\n*.auto text=auto\n",
    );
    repo.write("a.txt", "one\r\ntwo\r\n")
        .write("b.raw", "one\r\ntwo\r\n");
    repo.write("c.id", "$Id$\n")
        .write("d.auto", "x\r\ny\r\n")
        .write("e.none", "x\r\ny\r\n");
    repo.commit("one");
    check_status(&repo, 0);
    for name in ["a.txt", "b.raw", "d.auto", "e.none"] {
        // The same content with new stat information: the content has to be compared.
        let bytes = std::fs::read(repo.dir().join(name)).unwrap();
        repo.remove(name).write(name, bytes);
    }
    repo.write("c.id", "$Id: expanded $\n");
    check_status(&repo, 0);
    repo.write("a.txt", "one\ntwo\n")
        .write("b.raw", "one\ntwo\n");
    check_status(&repo, 1);
    repo.git(&["config", "core.autocrlf", "true"]);
    repo.write("f.none", "x\r\ny\r\n")
        .write("e.none", "x\r\nz\r\n");
    let ours = status(&repo);
    let converted = [
        "-c",
        "core.autocrlf=true",
        "hash-object",
        "--path=f.none",
        "f.none",
    ];
    let lf = repo.git(&converted);
    assert_eq!(ours[&b"f.none"[..]].as_deref(), Some(lf.as_str()));
}

#[test]
fn no_program_of_the_repository_is_run() {
    let repo = TestRepo::init();
    repo.write("file.txt", "text\n").commit("one");
    let trap = repo.beside("trap");
    let run = format!("touch {} && cat", trap.display());
    repo.write(".gitattributes", "*.txt filter=evil\n");
    for key in [
        "filter.evil.clean",
        "filter.evil.process",
        "core.fsmonitor",
        "diff.external",
        "core.pager",
    ] {
        repo.git(&["config", key, &run]);
    }
    repo.git(&["config", "filter.evil.required", "true"]);
    repo.write("file.txt", "text, changed\n");
    let ours = status(&repo);
    assert_eq!(ours.len(), 2, "{ours:?}");
    open(&repo).resolve("HEAD~0").unwrap();
    assert!(!trap.exists(), "a configured program was run");
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_work_tree() {
    let repo = TestRepo::init();
    repo.write("dir/file", "inside\n")
        .write("other", "o\n")
        .commit("one");
    let outside = repo.beside("outside");
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(outside.join("file"), "secret\n").unwrap();
    std::fs::remove_dir_all(repo.dir().join("dir")).unwrap();
    std::os::unix::fs::symlink(&outside, repo.dir().join("dir")).unwrap();
    repo.remove("other");
    std::os::unix::fs::symlink(outside.join("file"), repo.dir().join("other")).unwrap();
    check_status(&repo, 2);
}

/// What lies there has the times and numbers that git's index knows.
#[cfg(unix)]
#[test]
fn a_folder_that_is_a_link_to_what_it_was_has_no_files() {
    let repo = TestRepo::init();
    repo.write("dir/file", "inside\n")
        .write("dir/deep/file", "deeper\n")
        .write("dir/deep/more/file", "deepest\n")
        .write("other", "o\n")
        .commit("one");
    // Files as young as the index are read whatever their times are.
    let aged = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    for path in ["dir/file", "dir/deep/file", "dir/deep/more/file"] {
        let file = std::fs::File::options()
            .append(true)
            .open(repo.dir().join(path))
            .unwrap();
        file.set_modified(aged).unwrap();
    }
    repo.git(&["update-index", "--refresh"]);
    check_status(&repo, 0);
    let (dir, moved) = (repo.dir().join("dir"), repo.dir().join("moved"));
    std::fs::rename(dir.join("deep"), &moved).unwrap();
    std::os::unix::fs::symlink(&moved, dir.join("deep")).unwrap();
    check_status(&repo, 4);
    std::fs::remove_file(dir.join("deep")).unwrap();
    std::fs::rename(&moved, dir.join("deep")).unwrap();
    std::fs::rename(&dir, &moved).unwrap();
    std::os::unix::fs::symlink("moved", &dir).unwrap();
    check_status(&repo, 6);
}

#[test]
fn nested_repositories_and_submodules_are_left_out() {
    let repo = TestRepo::init();
    repo.write("file", "x\n").commit("one");
    let nested = repo.at("nested");
    std::fs::create_dir_all(nested.dir()).unwrap();
    nested.git(&["init", "-q", "-b", "main"]);
    nested.write("inner", "x\n").commit("inner");
    let from = repo.beside("from");
    repo.git(&[
        "clone",
        "-q",
        nested.dir().to_str().unwrap(),
        from.to_str().unwrap(),
    ]);
    repo.git(&["submodule", "add", "-q", from.to_str().unwrap(), "module"]);
    repo.write("module/changed", "x\n");
    let ours = status(&repo);
    let paths: Vec<_> = ours
        .keys()
        .map(|path| String::from_utf8_lossy(path).into_owned())
        .collect();
    assert_eq!(paths, [".gitmodules"]);
}

#[test]
fn files_that_a_sparse_checkout_leaves_out_are_unchanged() {
    for sparse_index in ["--no-sparse-index", "--sparse-index"] {
        let repo = TestRepo::init();
        repo.write("in/a", "a\n")
            .write("out/b", "b\n")
            .write("out/deep/c", "c\n")
            .write("top", "t\n");
        repo.commit("one");
        repo.git(&["sparse-checkout", "set", "--cone", sparse_index, "in"]);
        assert!(!repo.dir().join("out").exists());
        assert_eq!(status(&repo).len(), 0, "{sparse_index}");
        repo.write("in/a", "changed\n").remove("top");
        let ours = status(&repo);
        assert_eq!(ours.len(), 2, "{sparse_index}: {ours:?}");
    }
}

#[test]
fn conflicts_and_large_files() {
    let repo = TestRepo::init();
    repo.write("file", "base\n")
        .write("same", "s\n")
        .commit("base");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("file", "side\n").commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("file", "main\n").commit("main");
    assert_ne!(repo.try_git(&["merge", "-q", "side"]).status, Some(0));
    let ours = status(&repo);
    assert_eq!(
        ours.keys().map(Vec::as_slice).collect::<Vec<_>>(),
        [b"file"]
    );
    repo.git(&["merge", "--abort"]);
    repo.write("huge", vec![b'x'; (1 << 20) + 1]);
    assert_eq!(
        status(&repo)[&b"huge"[..]].as_deref(),
        Some("1048577 bytes")
    );
}

#[test]
fn variables_of_pathspecs_hide_no_untracked_file() {
    let repo = TestRepo::init();
    repo.write("src/kept.py", "def kept():\n    return 1\n");
    repo.commit("one");
    repo.sverklo(&["index"]).success();
    repo.write("src/fresh.py", "def fresh():\n    return 1\n")
        .write("new/deep.py", "def deep():\n    return 1\n");
    let counted = "+2 dirty on main";
    for name in ["LITERAL", "GLOB", "NOGLOB", "ICASE"] {
        let ask = |args: &[&str]| {
            let mut command = repo.sverklo_command(args);
            let set = command.env(format!("GIT_{name}_PATHSPECS"), "1");
            let out = set.output().unwrap();
            String::from_utf8(out.stdout).unwrap()
        };
        assert!(ask(&["symbol", "fresh"]).contains("src/fresh.py"), "{name}");
        assert!(ask(&["symbol", "deep"]).contains("new/deep.py"), "{name}");
        let status = ask(&["status"]);
        assert!(status.contains(counted), "{name}: {status}");
    }
    let program = env!("CARGO_BIN_EXE_git-sverklo");
    let alias = format!("alias.x=!'{program}' status");
    let flags = [
        "--literal-pathspecs",
        "--glob-pathspecs",
        "--noglob-pathspecs",
        "--icase-pathspecs",
    ];
    for flag in flags {
        let status = repo.git(&[flag, "-c", &alias, "x"]);
        assert!(status.contains(counted), "{flag}: {status}");
    }
}
