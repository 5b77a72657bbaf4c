use super::*;
use crate::git::worktree;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// What a path of a made commit has: its mode, and its content (of a submodule, the commit).
type Files = BTreeMap<&'static str, (&'static str, String)>;

/// A repository whose commits are made from files in memory.
struct Made {
    dir: tempfile::TempDir,
    repo: Repo,
}

impl Made {
    fn new(format: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let format = format!("--object-format={format}");
        let mut command = Command::new("git");
        command.args(["init", "-q", "-b", "ours", &format]);
        assert!(command.arg(dir.path()).status().unwrap().success());
        let repo = Repo::discover(dir.path()).unwrap();
        Self { dir, repo }
    }

    fn sha1() -> Self {
        Self::new("sha1")
    }

    fn run(&self, args: &[&str]) -> std::process::Output {
        let mut command = Command::new("git");
        let who = ["-c", "user.name=a", "-c", "user.email=a@b"];
        command.arg("-C").arg(self.dir.path()).args(who).args(args);
        command.output().unwrap()
    }

    fn git(&self, args: &[&str]) -> String {
        let out = self.run(args);
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{args:?}: {said}");
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    }

    /// Makes a branch of a commit with these files, and returns the commit.
    fn commit(&self, branch: &str, parents: &[CommitId], files: &Files) -> CommitId {
        let mut text = format!("commit refs/heads/{branch}\n");
        text += "committer a <a@b> 0 +0000\ndata 0\n";
        for (at, parent) in parents.iter().enumerate() {
            let word = ["from", "merge"][at.min(1)];
            text += &format!("{word} {parent}\n");
        }
        text += "deleteall\n";
        for (path, (mode, content)) in files {
            match *mode {
                "160000" => text += &format!("M 160000 {content} {path}\n"),
                mode => {
                    text += &format!(
                        "M {mode} inline {path}\ndata {}\n{content}\n",
                        content.len()
                    )
                }
            }
        }
        let mut command = Command::new("git");
        command.arg("-C").arg(self.dir.path());
        command.args([
            "fast-import",
            "--quiet",
            "--force",
            "--date-format=raw-permissive",
        ]);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        drop(stdin);
        assert!(child.wait().unwrap().success(), "{text}");
        let id = self.git(&["rev-parse", &format!("refs/heads/{branch}")]);
        CommitId::from_hex(id.as_bytes()).unwrap()
    }

    /// What `git merge-tree` itself makes of two commits: the tree, whether it calls that clean, and the paths
    /// that it leaves in several stages.
    fn oracle(&self, ours: CommitId, theirs: CommitId) -> (TreeId, bool, BTreeSet<String>) {
        let ids = [ours.to_string(), theirs.to_string()];
        let args = [
            "merge-tree",
            "--write-tree",
            "-z",
            "--name-only",
            "--no-messages",
        ];
        let out = self.run(&[&args[..], &[&ids[0], &ids[1]]].concat());
        assert!(matches!(out.status.code(), Some(0 | 1)), "{out:?}");
        let text = String::from_utf8(out.stdout).unwrap();
        let mut fields = text.split('\0').filter(|field| !field.is_empty());
        let tree = TreeId::from_hex(fields.next().unwrap().as_bytes()).unwrap();
        let is_clean = out.status.code() == Some(0);
        (tree, is_clean, fields.map(str::to_owned).collect())
    }

    fn merge(&self, ours: CommitId, theirs: CommitId) -> Outcome {
        let merger = Merger::new(&self.repo).unwrap();
        let sides = [ours, theirs].map(|commit| merger.side(commit, None).unwrap());
        merger.merge(&sides[0], &sides[1]).unwrap()
    }

    fn merged(&self, ours: CommitId, theirs: CommitId) -> Merged {
        match self.merge(ours, theirs) {
            Outcome::Merged(merged) => *merged,
            other => panic!("{other:?}"),
        }
    }

    /// Every file below the git directory with what it holds. Not the times of objects: git renews that
    /// of one which it would have made, in whichever store it finds it.
    fn listing(&self) -> BTreeMap<std::path::PathBuf, Vec<u8>> {
        let mut open = vec![self.dir.path().join(".git")];
        let mut found = BTreeMap::new();
        while let Some(place) = open.pop() {
            let mut content = Vec::new();
            match place.is_dir() {
                true => {
                    let inner = std::fs::read_dir(&place).unwrap();
                    open.extend(inner.map(|entry| entry.unwrap().path()));
                }
                false => content = std::fs::read(&place).unwrap(),
            }
            found.insert(place, content);
        }
        found
    }
}

fn files(list: &[(&'static str, &str)]) -> Files {
    let plain = list
        .iter()
        .map(|(path, text)| (*path, ("100644", (*text).to_owned())));
    plain.collect()
}

/// A conflict as tests write it: path, kind, first and last lines.
type Said = (String, &'static str, Vec<(u32, u32)>);

fn said(merged: &Merged) -> Vec<Said> {
    let conflicts = merged.conflicts.iter().map(|conflict| {
        let lines = conflict.lines.iter().map(|r| (*r.start(), *r.end()));
        (
            conflict.path.to_string(),
            conflict.kind.label(),
            lines.collect(),
        )
    });
    conflicts.collect()
}

fn text_at(merged: &Merged, path: &str) -> Option<String> {
    let all = &merged.over_commit.dirty;
    let found = all
        .iter()
        .find(|dirty| dirty.path.as_bytes() == path.as_bytes());
    match &found?.state {
        DirtyState::Content { bytes, .. } => Some(String::from_utf8(bytes.to_vec()).unwrap()),
        _ => None,
    }
}

#[test]
fn each_way_to_collide_has_its_name_and_our_lines() {
    let made = Made::sha1();
    let long = |top: &str, end: &str| format!("{top}\n2\n3\n4\n5\n6\n7\n8\n{end}\n");
    let (a, b, c) = (long("1", "9"), long("one", "9"), long("uno", "nine"));
    let base = made.commit(
        "base",
        &[],
        &files(&[
            ("text", &a),
            ("gone", &a),
            ("kept", &b),
            ("bin", "\0a"),
            ("moved", &c),
        ]),
    );
    let ours = made.commit(
        "ours",
        &[base],
        &files(&[
            ("text", &format!("new\n{b}")),
            ("kept", &long("mine", "9")),
            ("bin", "\0b"),
            ("both", "x\n"),
            ("here", &c),
            ("place", "a file\n"),
        ]),
    );
    let theirs = made.commit(
        "theirs",
        &[base],
        &files(&[
            ("text", &c),
            ("gone", &long("theirs", "9")),
            ("bin", "\0c"),
            ("both", "y\n"),
            ("there", &c),
            ("place/in", "a folder\n"),
        ]),
    );
    let merged = made.merged(ours, theirs);
    let label = format!("place~{ours}");
    let expected = [
        ("bin", "binary", vec![]),
        ("both", "add/add", vec![(1, 1)]),
        ("gone", "deleted by us", vec![]),
        ("here", "rename", vec![]),
        ("kept", "deleted by them", vec![]),
        ("moved", "rename", vec![]),
        (&label, "file/directory", vec![]),
        ("text", "content", vec![(1, 2)]),
        ("there", "rename", vec![]),
    ];
    let expected = expected.map(|(path, kind, lines)| (path.to_owned(), kind, lines));
    assert_eq!(said(&merged), expected);
    // Our lines, and what of theirs does not collide.
    let text = text_at(&merged, "text").unwrap();
    assert_eq!(text, format!("new\n{}", long("one", "nine")));
    assert!(
        merged
            .over_commit
            .dirty
            .iter()
            .all(|dirty| dirty.path.as_bytes() != b"both")
    );
    assert_eq!(made.oracle(ours, theirs).0, merged.tree);
}

/// Git leaves no path of it in several stages, but does not call the merge clean.
#[test]
fn a_file_in_the_way_of_a_renamed_folder_collides() {
    let made = Made::sha1();
    let long = |word: &str| {
        (0..10)
            .map(|line| format!("{word} {line}\n"))
            .collect::<String>()
    };
    let [a, b, c] = ["a", "b", "c"].map(long);
    let base = made.commit("base", &[], &files(&[("f/a", &a), ("b", &b), ("c", &c)]));
    let ours = files(&[("f/a", &a), ("b", &b), ("f/b", &c)]);
    let ours = made.commit("ours", &[base], &ours);
    let theirs = files(&[("g", &a), ("b", &b), ("c", &c)]);
    let theirs = made.commit("theirs", &[base], &theirs);
    let (tree, is_clean, staged) = made.oracle(ours, theirs);
    assert!(!is_clean && staged.is_empty());
    let merged = made.merged(ours, theirs);
    assert_eq!(merged.tree, tree);
    assert_eq!(said(&merged), [("b".to_owned(), "rename", Vec::new())]);
}

#[test]
fn uncommitted_files_are_merged_and_programs_stay_programs() {
    let made = Made::sha1();
    let text = "1\n2\n3\n4\n5\n";
    let mut with_program = files(&[("a", text), ("b/c", text), ("d", text)]);
    with_program.insert("run", ("100755", text.to_owned()));
    let base = made.commit("ours", &[], &with_program);
    with_program.insert("run", ("100755", "0\n1\n2\n3\n4\n5\n".to_owned()));
    with_program.insert("d", ("100644", "1\n2\n3\n4\n5\ntheirs\n".to_owned()));
    let theirs = made.commit("theirs", &[base], &with_program);
    made.git(&["checkout", "-q", "ours"]);
    let top = made.dir.path();
    std::fs::write(top.join("run"), "1\n2\n3\n4\n5\n6\n").unwrap();
    std::fs::write(top.join("d"), "1\n2\n3\n4\n5\nours\n").unwrap();
    std::fs::write(top.join("new"), "new").unwrap();
    std::fs::remove_file(top.join("a")).unwrap();
    std::fs::remove_dir_all(top.join("b")).unwrap();
    // A file where a folder was.
    std::fs::write(top.join("b"), "file").unwrap();
    std::fs::write(top.join("large"), vec![b'x'; MAX_PARSED_BYTES + 1]).unwrap();
    let tree = made.repo.commit_tree(base).unwrap();
    let head = tree::list(&mut made.repo.objects(), tree).unwrap();
    let status = worktree::status(&made.repo, &head).unwrap();
    let merger = Merger::new(&made.repo).unwrap();
    let before = made.listing();
    let ours = merger.side(base, Some(&status)).unwrap();
    assert_eq!(ours.left_out(), [RepoPath::new("large").unwrap()]);
    let theirs = merger.side(theirs, None).unwrap();
    let Outcome::Merged(merged) = merger.merge(&ours, &theirs).unwrap() else {
        panic!("they have a base");
    };
    assert_eq!(said(&merged), [("d".to_owned(), "content", vec![(6, 6)])]);
    assert_eq!(text_at(&merged, "run").unwrap(), "0\n1\n2\n3\n4\n5\n6\n");
    assert_eq!(text_at(&merged, "b").unwrap(), "file");
    assert_eq!(text_at(&merged, "new").unwrap(), "new");
    let incoming: Vec<_> = merged
        .incoming
        .iter()
        .map(|change| change.path.to_string())
        .collect();
    assert_eq!(incoming, ["d", "run"]);
    let run = merged
        .incoming
        .iter()
        .find(|change| change.path.as_bytes() == b"run");
    assert_eq!(run.unwrap().new.unwrap().0, tree::EntryMode::Executable);
    // The same the other way round, and into a branch that is behind.
    let Outcome::Merged(back) = merger.merge(&theirs, &ours).unwrap() else {
        panic!("they have a base");
    };
    assert_eq!(said(&back), [("d".to_owned(), "content", vec![(6, 6)])]);
    let plain = merger.side(base, None).unwrap();
    assert_eq!(merger.merge(&ours, &plain).unwrap(), Outcome::Contained);
    drop(merger);
    assert!(made.listing() == before);
}

#[test]
fn attributes_choose_how_to_merge_and_run_nothing() {
    let made = Made::sha1();
    let mark = made.dir.path().join("was-run");
    let driver = format!("touch '{}'; exit 0", mark.display());
    made.git(&["config", "merge.evil.driver", &driver]);
    made.git(&["config", "merge.text.driver", &driver]);
    made.git(&["config", "merge.default", "evil"]);
    let rules = "union merge=union\nbinary -merge\nevil merge=evil\nplain merge=text\n\
                 long conflict-marker-size=2000000000\n";
    let sides = ["base", "ours", "theirs"].map(|who| {
        let text = format!("1\n{who}\n3\n");
        let names = ["union", "binary", "evil", "plain", "long", "unset"];
        let mut files = files(&names.map(|name| (name, text.as_str())));
        files.insert(".gitattributes", ("100644", rules.to_owned()));
        files
    });
    let base = made.commit("base", &[], &sides[0]);
    let ours = made.commit("ours", &[base], &sides[1]);
    let theirs = made.commit("theirs", &[base], &sides[2]);
    let merged = made.merged(ours, theirs);
    let expected = ["binary", "evil", "long", "plain", "unset"].map(|name| match name {
        "binary" => (name.to_owned(), "binary", vec![]),
        _ => (name.to_owned(), "content", vec![(2, 2)]),
    });
    assert_eq!(said(&merged), expected);
    assert_eq!(text_at(&merged, "union").unwrap(), "1\nours\ntheirs\n3\n");
    assert!(!mark.exists(), "a merge driver was run");
}

#[test]
fn sides_without_a_common_ancestor_are_not_merged() {
    for format in ["sha1", "sha256"] {
        let made = Made::new(format);
        let one = made.commit("one", &[], &files(&[("a", "1\n")]));
        let two = made.commit("two", &[], &files(&[("b", "1\n")]));
        assert_eq!(made.merge(one, two), Outcome::Unrelated);
        let three = made.commit("three", &[one, two], &files(&[("a", "1\n"), ("b", "1\n")]));
        assert_eq!(made.merge(three, one), Outcome::Contained);
        assert_eq!(made.merge(one, one), Outcome::Contained);
        let forward = made.merged(one, three);
        assert!(forward.is_clean());
        assert_eq!(forward.tree, made.repo.commit_tree(three).unwrap());
        assert_eq!(forward.bases, [one]);
    }
}

#[test]
fn a_shallow_clone_says_that_it_is_cut_off() {
    let made = Made::sha1();
    let base = made.commit("base", &[], &files(&[("a", "1\n")]));
    made.commit("ours", &[base], &files(&[("a", "2\n")]));
    made.commit("theirs", &[base], &files(&[("a", "3\n")]));
    let clone = tempfile::tempdir().unwrap();
    let from = format!("file://{}", made.dir.path().display());
    let args = ["clone", "-q", "--depth=1", "--no-single-branch", &from];
    let mut command = Command::new("git");
    command.args(args).arg(clone.path());
    assert!(command.status().unwrap().success());
    let repo = Repo::discover(clone.path()).unwrap();
    let merger = Merger::new(&repo).unwrap();
    let side = |name| merger.side(repo.resolve(name).unwrap(), None).unwrap();
    let outcome = merger.merge(&side("origin/ours"), &side("origin/theirs"));
    assert_eq!(outcome.unwrap(), Outcome::CutOff);
}

#[test]
fn what_is_missing_is_named_and_not_fetched() {
    let made = Made::sha1();
    let base = made.commit("base", &[], &files(&[("a", "1\n")]));
    let ours = made.commit("ours", &[base], &files(&[("a", "2\n")]));
    let theirs = made.commit("theirs", &[base], &files(&[("a", "3\n")]));
    made.git(&["config", "uploadpack.allowFilter", "true"]);
    let clone = tempfile::tempdir().unwrap();
    let from = format!("file://{}", made.dir.path().display());
    let args = ["clone", "-q", "--bare", "--filter=blob:none", &from];
    let mut command = Command::new("git");
    command.args(args).arg(clone.path());
    assert!(command.status().unwrap().success());
    let repo = Repo::discover(clone.path()).unwrap();
    let merger = Merger::new(&repo).unwrap();
    let sides = [ours, theirs].map(|commit| merger.side(commit, None).unwrap());
    let err = merger.merge(&sides[0], &sides[1]).unwrap_err();
    assert!(err.is_missing_object(), "{err}");
}

#[test]
fn submodules_and_links_collide_as_what_they_are() {
    let made = Made::sha1();
    let commit = |n: u8| ("160000", format!("{n:040x}"));
    let link = |to: &str| ("120000", to.to_owned());
    let side = |n: u8, to| Files::from([("sub", commit(n)), ("link", link(to))]);
    let base = made.commit("base", &[], &side(1, "a"));
    let ours = made.commit("ours", &[base], &side(2, "b"));
    let theirs = made.commit("theirs", &[base], &side(3, "c"));
    let merged = made.merged(ours, theirs);
    let expected = [("link", "content"), ("sub", "submodule")];
    let expected = expected.map(|(path, kind)| (path.to_owned(), kind, vec![]));
    assert_eq!(said(&merged), expected);
    let taken = made.merged(ours, made.commit("later", &[base], &side(1, "b")));
    assert!(taken.is_clean() && taken.incoming.is_empty());
}

#[test]
fn the_store_that_another_store_borrows_from_is_found() {
    let made = Made::sha1();
    let base = made.commit("base", &[], &files(&[("a", "1\n")]));
    let ours = made.commit("ours", &[base], &files(&[("a", "2\n")]));
    let theirs = made.commit("theirs", &[base], &files(&[("a", "1\n"), ("b", "2\n")]));
    let clones = tempfile::tempdir().unwrap();
    let place = clones.path().join("a \"quoted\"\nname");
    std::fs::create_dir(&place).unwrap();
    let mut command = Command::new("git");
    command.args(["clone", "-q", "--bare", "--shared"]);
    command.arg(made.dir.path()).arg(place.join("clone"));
    assert!(command.status().unwrap().success());
    let repo = Repo::discover(&place.join("clone")).unwrap();
    let merger = Merger::new(&repo).unwrap();
    let sides = [ours, theirs].map(|commit| merger.side(commit, None).unwrap());
    let Outcome::Merged(merged) = merger.merge(&sides[0], &sides[1]).unwrap() else {
        panic!("they have a base");
    };
    assert_eq!(merged.tree, made.oracle(ours, theirs).0);
}

/// One edit of a tree.
#[derive(Clone, Debug)]
enum Edit {
    Line(usize, usize, u8),
    Insert(usize, usize, u8),
    Cut(usize, usize),
    Remove(usize),
    Rename(usize, usize),
    Mode(usize, usize),
    Whole(usize, u8),
}

const PATHS: [&str; 9] = ["a", "b", "c", "d/a", "d/b", "d/e/c", "f/a", "f/b", "g"];
const MODES: [&str; 3] = ["100644", "100755", "120000"];

fn edit() -> impl Strategy<Value = Edit> {
    let (path, line, word) = (0..PATHS.len(), 0..12usize, 0..4u8);
    prop_oneof![
        4 => (path.clone(), line.clone(), word.clone()).prop_map(|(p, l, w)| Edit::Line(p, l, w)),
        3 => (path.clone(), line.clone(), word.clone()).prop_map(|(p, l, w)| Edit::Insert(p, l, w)),
        1 => (path.clone(), line).prop_map(|(p, l)| Edit::Cut(p, l)),
        1 => path.clone().prop_map(Edit::Remove),
        2 => (path.clone(), path.clone()).prop_map(|(p, to)| Edit::Rename(p, to)),
        1 => (path.clone(), 0..MODES.len()).prop_map(|(p, m)| Edit::Mode(p, m)),
        1 => (path, word).prop_map(|(p, w)| Edit::Whole(p, w)),
    ]
}

/// Puts a file at a path, where no folder is and no file is a folder of it.
fn put(files: &mut Files, path: &'static str, file: (&'static str, String)) {
    files.retain(|other, _| {
        let below = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.starts_with('/'));
        !below(other, path) && !below(path, other)
    });
    files.insert(path, file);
}

fn edited(mut files: Files, edits: &[Edit]) -> Files {
    for edit in edits {
        let (Edit::Line(at, ..) | Edit::Insert(at, ..) | Edit::Cut(at, _)) = edit else {
            match *edit {
                Edit::Remove(at) => drop(files.remove(PATHS[at])),
                Edit::Rename(from, to) => {
                    if let Some(file) = files.remove(PATHS[from]) {
                        put(&mut files, PATHS[to], file);
                    }
                }
                Edit::Mode(at, mode) => {
                    if let Some(file) = files.get_mut(PATHS[at]) {
                        file.0 = MODES[mode];
                    }
                }
                Edit::Whole(at, word) => {
                    let text = format!("new {word}\n").repeat(4);
                    put(&mut files, PATHS[at], ("100644", text));
                }
                _ => {}
            }
            continue;
        };
        let Some((_, text)) = files.get_mut(PATHS[*at]) else {
            continue;
        };
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let place = |line: usize| line % lines.len().max(1);
        match *edit {
            Edit::Line(_, line, word) if !lines.is_empty() => {
                let at = place(line);
                lines[at] = format!("edited {word}");
            }
            Edit::Insert(_, line, word) => lines.insert(place(line), format!("added {word}")),
            Edit::Cut(_, line) if lines.len() > 1 => drop(lines.remove(place(line))),
            _ => {}
        }
        *text = lines.iter().map(|line| format!("{line}\n")).collect();
    }
    files
}

fn root() -> Files {
    let text = |path: &str| (0..10).map(|line| format!("{path} {line}\n")).collect();
    let there = PATHS[..7].iter();
    there.map(|path| (*path, ("100644", text(path)))).collect()
}

/// What is uncommitted where plain files and programs of one commit are to become those of another.
fn uncommitted(repo: &Repo, from: CommitId, to: CommitId) -> Status {
    let mut objects = repo.objects();
    let trees = [from, to].map(|commit| repo.commit_tree(commit).unwrap());
    let changes = tree::diff(&mut objects, trees[0], trees[1]).unwrap();
    let dirty = changes.into_iter().map(|change| {
        let state = change.new.map_or(DirtyState::Deleted, |(_, id)| {
            let mut bytes = Vec::new();
            objects.blob(id, &mut bytes).unwrap();
            DirtyState::Content {
                id,
                bytes: bytes.into(),
            }
        });
        Dirty {
            path: change.path,
            state,
        }
    });
    Status {
        dirty: dirty.collect(),
        truncated: false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_tree_and_the_conflicts_are_those_of_git(
        ours in prop::collection::vec(edit(), 0..7),
        theirs in prop::collection::vec(edit(), 0..7),
        crossed in any::<bool>(),
        later in prop::collection::vec(edit(), 0..4),
        dirty in prop::collection::vec(edit(), 0..4),
    ) {
        let made = Made::sha1();
        let base = made.commit("base", &[], &root());
        let (mut a, mut b) = (edited(root(), &ours), edited(root(), &theirs));
        let (mut one, mut two) = (made.commit("a", &[base], &a), made.commit("b", &[base], &b));
        if crossed {
            // Both take the other side in, in their own way, and go on.
            (a, b) = (edited(a.clone(), &later), edited(b, &later[later.len() / 2..]));
            let ids = (one, two);
            one = made.commit("a", &[ids.0, ids.1], &a);
            two = made.commit("b", &[ids.1, ids.0], &edited(b, &ours));
        }
        a.retain(|_, (mode, _)| *mode != "120000");
        let clean = made.commit("clean", &[one], &a);
        // A status does not tell modes, so what is uncommitted keeps those that are committed.
        let dirty: Vec<Edit> = dirty.into_iter().filter(|e| !matches!(e, Edit::Mode(..) | Edit::Rename(..))).collect();
        let mut with_dirty = edited(a.clone(), &dirty);
        for (path, (mode, _)) in &mut with_dirty {
            *mode = a.get(path).map_or("100644", |(committed, _)| committed);
        }
        let tip = made.commit("tip", &[clean], &with_dirty);
        let status = uncommitted(&made.repo, clean, tip);

        let before = made.listing();
        let merger = Merger::new(&made.repo).unwrap();
        let mine = merger.side(clean, Some(&status)).unwrap();
        let other = merger.side(two, None).unwrap();
        let outcome = merger.merge(&mine, &other).unwrap();
        drop(merger);
        prop_assert!(made.listing() == before);

        let (tree, is_clean, conflicts) = made.oracle(tip, two);
        match outcome {
            Outcome::Merged(merged) => {
                // Names of files that were moved aside hold the name of the side.
                let mine = mine.tip.to_string();
                let theirs = tip.to_string();
                let name = |c: &Conflict| c.path.to_string().replace(&mine, &theirs);
                // What is in the way of a renamed folder is only told in words, and has one stage.
                let (staged, told): (Vec<_>, Vec<_>) =
                    merged.conflicts.iter().partition(|c| conflicts.contains(&name(c)));
                prop_assert_eq!(staged.into_iter().map(name).collect::<BTreeSet<_>>(), conflicts);
                prop_assert!(told.iter().all(|c| c.kind == ConflictKind::Rename), "{:?}", told);
                prop_assert_eq!(merged.is_clean(), is_clean);
                if is_clean {
                    prop_assert_eq!(merged.tree, tree);
                }
                let direct = made.merge(tip, two);
                let Outcome::Merged(direct) = direct else { panic!("{direct:?}") };
                prop_assert_eq!(direct.tree, tree);
            }
            Outcome::Contained => prop_assert_eq!(tree, made.repo.commit_tree(tip).unwrap()),
            other => prop_assert!(false, "{:?}", other),
        }
    }
}
