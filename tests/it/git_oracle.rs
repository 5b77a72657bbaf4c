//! Git is the oracle: what the git layer says must be what the git program says.

use crate::harness::{Kind, TestRepo};
use git_sverklo::git::tree::{self, EntryMode};
use git_sverklo::git::worktree::{self, DirtyState};
use git_sverklo::git::{Error, Head, RefStorage, Repo, RepoPath};
use git_sverklo::id::{BlobId, CommitId};
use std::collections::BTreeMap;

const KINDS: [Kind; 3] = [
    Kind {
        sha256: false,
        reftable: false,
        bare: false,
    },
    Kind {
        sha256: true,
        reftable: false,
        bare: false,
    },
    Kind {
        sha256: false,
        reftable: true,
        bare: false,
    },
];

fn open(repo: &TestRepo) -> Repo {
    Repo::discover(repo.dir()).expect("a repository")
}

/// A repository with a bit of everything: nested folders whose names sort differently as files
/// and as folders, an executable, a link, a path that is not UTF-8.
fn varied(kind: Kind) -> TestRepo {
    let repo = TestRepo::init_as(kind);
    repo.write("a.txt", "a\n")
        .write("a/b.txt", "b\n")
        .write("a/b/c.txt", "c\n")
        .write("a0", "0\n");
    repo.write("empty", "").write("sp ace/ta\tb", "x\n");
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        repo.write(std::ffi::OsStr::from_bytes(b"caf\xe9"), "not utf-8\n");
        std::os::unix::fs::symlink("a.txt", repo.dir().join("link")).unwrap();
        let script = repo.dir().join("run.sh");
        std::fs::write(&script, "#!/bin/sh\n").unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(script, mode).unwrap();
    }
    repo
}

fn ls_tree(repo: &TestRepo, rev: &str) -> Vec<(Vec<u8>, String, String)> {
    let out = repo.git_bytes(&["ls-tree", "-r", "-z", "--full-tree", rev]);
    let mut all = Vec::new();
    for line in out.split(|b| *b == 0).filter(|line| !line.is_empty()) {
        let tab = line.iter().position(|b| *b == b'\t').unwrap();
        let head = String::from_utf8(line[..tab].to_vec()).unwrap();
        let mut words = head.split(' ');
        let (mode, id) = (words.next().unwrap(), words.nth(1).unwrap());
        all.push((line[tab + 1..].to_vec(), mode.to_owned(), id.to_owned()));
    }
    all
}

fn listed(repo: &Repo, commit: CommitId) -> Vec<(Vec<u8>, String, String)> {
    let tree = repo.commit_tree(commit).unwrap();
    let entries = tree::list(&mut repo.objects(), tree).unwrap();
    let mode = |mode| match mode {
        EntryMode::File => "100644",
        EntryMode::Executable => "100755",
        EntryMode::Symlink => "120000",
        EntryMode::Gitlink => "160000",
    };
    entries
        .into_iter()
        .map(|entry| {
            (
                entry.path.as_bytes().to_vec(),
                mode(entry.mode).to_owned(),
                entry.id.to_string(),
            )
        })
        .collect()
}

#[test]
fn a_tree_is_listed_as_ls_tree_lists_it() {
    for kind in KINDS {
        let repo = varied(kind);
        repo.commit("one");
        let sub = repo.at(repo.beside("other"));
        std::fs::create_dir_all(sub.dir()).unwrap();
        sub.git(&["init", "-q", "-b", "main"]);
        if !kind.sha256 {
            sub.write("x", "x\n").commit("sub");
            repo.git(&[
                "submodule",
                "add",
                "-q",
                sub.dir().to_str().unwrap(),
                "vendored",
            ]);
        }
        let id = repo.commit("two");
        let ours = open(&repo);
        let commit = ours.resolve("HEAD").unwrap();
        assert_eq!(commit.to_string(), id);
        assert_eq!(listed(&ours, commit), ls_tree(&repo, "HEAD"), "{kind:?}");
    }
}

#[test]
fn blobs_are_read_as_cat_file_prints_them() {
    for kind in KINDS {
        let repo = varied(kind);
        repo.commit("one");
        repo.git(&["gc", "-q"]);
        repo.write("late", "loose\n");
        repo.commit("two");
        let ours = open(&repo);
        let mut objects = ours.objects();
        let mut bytes = Vec::new();
        for (_, mode, hex) in ls_tree(&repo, "HEAD") {
            let id = BlobId::from_hex(hex.as_bytes()).unwrap();
            objects.blob(id, &mut bytes).unwrap();
            assert_eq!(
                bytes,
                repo.git_bytes(&["cat-file", "blob", &hex]),
                "{mode} {hex}"
            );
            assert_eq!(objects.blob_size(id).unwrap(), bytes.len() as u64);
        }
        let commit = ours.resolve("HEAD").unwrap();
        let as_blob = BlobId::new(commit.as_object());
        assert!(matches!(
            objects.blob(as_blob, &mut bytes),
            Err(Error::WrongKind { .. })
        ));
        let absent = "1".repeat(if kind.sha256 { 64 } else { 40 });
        let absent = BlobId::from_hex(absent.as_bytes()).unwrap();
        assert!(
            objects
                .blob(absent, &mut bytes)
                .unwrap_err()
                .is_missing_object()
        );
        assert!(objects.blob_size(absent).unwrap_err().is_missing_object());
    }
}

#[test]
fn trees_are_compared_as_diff_tree_compares_them() {
    for kind in KINDS {
        let repo = varied(kind);
        repo.commit("one");
        repo.write("a/b.txt", "changed\n")
            .write("new/deep/er", "n\n")
            .remove("a0");
        // A file becomes a folder, and a folder becomes a file.
        repo.remove("a.txt").write("a.txt/inside", "i\n");
        std::fs::remove_dir_all(repo.dir().join("sp ace")).unwrap();
        repo.write("sp ace", "a file now\n");
        repo.commit("two");
        let ours = open(&repo);
        let tree = |rev: &str| ours.commit_tree(ours.resolve(rev).unwrap()).unwrap();
        for (from, to) in [("HEAD~", "HEAD"), ("HEAD", "HEAD~"), ("HEAD", "HEAD")] {
            let mut said: Vec<(Vec<u8>, String)> = Vec::new();
            let out = repo.git_bytes(&["diff-tree", "-r", "-z", "--no-renames", from, to]);
            let mut parts = out.split(|b| *b == 0);
            while let (Some(head), Some(path)) = (parts.next(), parts.next()) {
                let words: Vec<_> = std::str::from_utf8(head).unwrap().split(' ').collect();
                said.push((path.to_vec(), format!("{} {}", words[2], words[3])));
            }
            said.sort();
            let null = "0".repeat(if kind.sha256 { 64 } else { 40 });
            let side = |side: Option<(EntryMode, BlobId)>| match side {
                Some((_, id)) => id.to_string(),
                None => null.clone(),
            };
            let ours: Vec<_> = tree::diff(&mut ours.objects(), tree(from), tree(to))
                .unwrap()
                .into_iter()
                .map(|change| {
                    let ids = format!("{} {}", side(change.old), side(change.new));
                    (change.path.as_bytes().to_vec(), ids)
                })
                .collect();
            assert_eq!(ours, said, "{kind:?} {from} {to}");
        }
    }
}

#[test]
fn revisions_mean_what_rev_parse_says() {
    for kind in KINDS {
        let repo = TestRepo::init_as(kind);
        let ours = open(&repo);
        assert_eq!(ours.head().unwrap(), Head::Unborn);
        assert!(matches!(ours.resolve("HEAD"), Err(Error::Unborn)));
        for n in 0..4 {
            repo.write("file", format!("{n}\n"))
                .commit(&format!("commit number {n}"));
        }
        repo.git(&["tag", "-a", "-m", "tag", "v1", "HEAD~1"]);
        repo.git(&["tag", "-a", "-m", "tag of a tag", "v1-again", "v1"]);
        repo.git(&["branch", "feature/x", "HEAD~2"]);
        let full = repo.git(&["rev-parse", "HEAD~2"]);
        let tag = repo.git(&["rev-parse", "v1"]);
        let revs = [
            "HEAD",
            "@",
            "HEAD~3",
            "HEAD^",
            "v1",
            "v1-again",
            "feature/x",
            "refs/heads/main",
            "main@{0}",
            "main@{1}",
            ":/number 2",
            "HEAD^{/number 1}",
            &full,
            &full[..8],
            &tag,
        ];
        for rev in revs {
            let want = repo.git(&["rev-parse", "--verify", rev]);
            let want = repo.git(&["rev-parse", "--verify", &format!("{want}^{{commit}}")]);
            assert_eq!(
                ours.resolve(rev).unwrap().to_string(),
                want,
                "{kind:?} {rev}"
            );
        }
        let head = ours.head().unwrap();
        assert!(
            matches!(head, Head::Commit { branch: Some(ref name), .. } if name == "main"),
            "{head:?}"
        );
        repo.git(&["checkout", "-q", "--detach", "HEAD~1"]);
        assert!(matches!(
            ours.head().unwrap(),
            Head::Commit { branch: None, .. }
        ));
        for rev in [
            "nope",
            "HEAD~99",
            "",
            "-h",
            "--all",
            "HEAD\n",
            &"2".repeat(full.len()),
            "a b",
        ] {
            let err = ours.resolve(rev).unwrap_err();
            assert!(
                matches!(err, Error::UnknownRevision { .. }),
                "{rev:?}: {err:?}"
            );
        }
        for rev in ["HEAD:file", "HEAD^{tree}"] {
            let err = ours.resolve(rev).unwrap_err();
            assert!(matches!(err, Error::NotACommit { .. }), "{rev:?}: {err:?}");
        }
    }
}

#[test]
fn every_kind_of_repository_is_recognised() {
    let repo = varied(Kind::default());
    repo.commit("one");
    repo.commit("two");
    let plain = open(&repo);
    assert_eq!(plain.work_dir().unwrap(), repo.dir());
    assert_eq!(*plain.ref_storage(), RefStorage::Files);
    assert!(!plain.is_bare() && !plain.is_shallow() && !plain.is_partial());

    std::fs::create_dir_all(repo.dir().join("a/b")).unwrap();
    let inside = Repo::discover(&repo.dir().join("a/b")).unwrap();
    assert_eq!(inside.git_dir(), plain.git_dir());

    let linked = repo.at(repo.beside("linked"));
    repo.git(&[
        "worktree",
        "add",
        "-q",
        "--detach",
        linked.dir().to_str().unwrap(),
    ]);
    let linked = open(&linked);
    assert_eq!(linked.common_dir(), plain.git_dir());
    assert_ne!(linked.git_dir(), plain.git_dir());

    let url = format!("file://{}", repo.dir().display());
    for (name, args) in [
        ("shallow", &["--depth=1"][..]),
        ("partial", &["--filter=blob:none", "--no-checkout"]),
        ("bare", &["--bare"]),
    ] {
        let clone = repo.at(repo.beside(name));
        repo.git(&["config", "uploadpack.allowFilter", "true"]);
        repo.git(
            &[
                &["clone", "-q"],
                args,
                &[url.as_str(), clone.dir().to_str().unwrap()],
            ]
            .concat(),
        );
        let ours = open(&clone);
        assert_eq!(ours.is_shallow(), name == "shallow", "{name}");
        assert_eq!(ours.is_partial(), name == "partial", "{name}");
        assert_eq!(ours.is_bare(), name == "bare", "{name}");
        let head = ours.resolve("HEAD").unwrap();
        assert_eq!(listed(&ours, head), ls_tree(&repo, "HEAD"), "{name}");
    }
    let partial = open(&repo.at(repo.beside("partial")));
    let head = tree::list(&mut partial.objects(), {
        let head = partial.resolve("HEAD").unwrap();
        partial.commit_tree(head).unwrap()
    });
    let mut bytes = Vec::new();
    let err = partial
        .objects()
        .blob(head.unwrap()[0].id, &mut bytes)
        .unwrap_err();
    assert!(err.is_missing_object(), "a blob is never fetched: {err}");

    let table = open(&TestRepo::init_as(Kind {
        reftable: true,
        ..Kind::default()
    }));
    assert_eq!(
        *table.ref_storage(),
        RefStorage::Other("reftable".to_owned())
    );

    let nowhere = tempfile::tempdir().unwrap();
    assert!(matches!(
        Repo::discover(nowhere.path()),
        Err(Error::NotARepository { .. })
    ));
}

#[test]
fn replaced_objects_are_not_seen() {
    let repo = TestRepo::init();
    repo.write("file", "true\n").commit("one");
    repo.write("file", "false\n").commit("two");
    let (one, two) = (
        repo.git(&["rev-parse", "HEAD~:file"]),
        repo.git(&["rev-parse", "HEAD:file"]),
    );
    repo.git(&["replace", &one, &two]);
    assert_eq!(repo.git(&["cat-file", "blob", &one]), "false");
    let mut bytes = Vec::new();
    open(&repo)
        .objects()
        .blob(BlobId::from_hex(one.as_bytes()).unwrap(), &mut bytes)
        .unwrap();
    assert_eq!(bytes, b"true\n");
}

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
        // git trusts an entry that is older than the index file, so the copy must be as old.
        let written = std::fs::metadata(&real).unwrap().modified().unwrap();
        let copy = std::fs::File::options().write(true).open(&index).unwrap();
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

fn status(repo: &TestRepo) -> BTreeMap<Vec<u8>, Option<String>> {
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
fn check_status(repo: &TestRepo, differing: usize) {
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
fn names_in_hostile_trees_never_lead_out() {
    let repo = TestRepo::init();
    repo.write("good", "g\n").commit("one");
    let blob = repo.git(&["rev-parse", "HEAD:good"]);
    let raw: Vec<u8> = (0..20)
        .map(|i| u8::from_str_radix(&blob[2 * i..2 * i + 2], 16).unwrap())
        .collect();
    let mut tree = Vec::new();
    for name in ["..", ".", ".git", "a/b", "z", "", ".GIT", "good"] {
        tree.extend_from_slice(format!("100644 {name}\0").as_bytes());
        tree.extend_from_slice(&raw);
    }
    repo.write("raw", &tree);
    let evil = repo.git(&["hash-object", "-t", "tree", "-w", "--literally", "raw"]);
    let ours = open(&repo);
    let evil = git_sverklo::id::TreeId::from_hex(evil.as_bytes()).unwrap();
    let entries = tree::list(&mut ours.objects(), evil).unwrap();
    let names: Vec<_> = entries.iter().map(|entry| entry.path.to_string()).collect();
    assert_eq!(names, ["good", "z"]);
    assert!(
        entries
            .iter()
            .all(|entry| RepoPath::new(entry.path.as_bytes()).is_ok())
    );
}
