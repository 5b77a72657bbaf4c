//! Git is the oracle: what the git layer says must be what the git program says.

use crate::harness::{Kind, TestRepo};
use git_sverklo::git::tree::{self, EntryMode};
use git_sverklo::git::{Error, Head, RefStorage, Repo, RepoPath};
use git_sverklo::id::{BlobId, CommitId};

pub const KINDS: [Kind; 3] = [
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

pub fn open(repo: &TestRepo) -> Repo {
    Repo::discover(repo.dir()).expect("a repository")
}

/// A repository with a bit of everything: nested folders whose names sort differently as files
/// and as folders, an executable, a link, a path that is not UTF-8.
pub fn varied(kind: Kind) -> TestRepo {
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
        // Words are looked for, expressions are not.
        for rev in [
            ":/number [0-9]",
            "HEAD^{/((((a{100}){100}){100}){100})}",
            "HEAD^{/number}^{/a*}",
        ] {
            let err = ours.resolve(rev).unwrap_err();
            assert!(matches!(err, Error::SearchingRevision(_)), "{rev}: {err:?}");
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

/// Commits of which each has one or two of the five before it as parents, or none.
fn braided(repo: &TestRepo) -> Vec<String> {
    let tree = repo.git(&["mktree", "--missing"]);
    let mut all: Vec<String> = Vec::new();
    let mut dice = 7u32;
    for at in 0..24 {
        let mut parents = Vec::new();
        for _ in 0..2 {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let back = (dice >> 24) as usize % 6;
            if back > 0 && back <= at {
                parents.push(all[at - back].clone());
            }
        }
        parents.dedup();
        let mut args = vec!["commit-tree".to_owned(), tree.clone(), "-m".to_owned()];
        args.push(at.to_string());
        for parent in parents {
            args.extend(["-p".to_owned(), parent]);
        }
        all.push(repo.git(&args));
    }
    all
}

#[test]
fn the_best_common_ancestor_is_one_that_merge_base_names() {
    let repo = TestRepo::init();
    let all = braided(&repo);
    let id = |hex: &String| CommitId::from_hex(hex.as_bytes()).unwrap();
    let ours = open(&repo);
    let mut lineage = git_sverklo::git::lineage::Lineage::new(&ours).unwrap();
    lineage
        .read(&all.iter().map(id).collect::<Vec<_>>())
        .unwrap();
    let mut several = 0;
    for a in &all {
        for b in all.iter().step_by(2) {
            let found = repo.try_git(&["merge-base", "--all", a, b]).stdout;
            let bases: Vec<CommitId> = found.lines().map(|line| id(&line.to_owned())).collect();
            let (from, to) = (lineage.find(id(a)), lineage.find(id(b)));
            let common = lineage.common(from.unwrap(), to.unwrap());
            let common = common.map(|node| lineage.id(node));
            assert_eq!(common.is_none(), bases.is_empty(), "{a} {b}");
            assert!(
                common.is_none_or(|common| bases.contains(&common)),
                "{a} {b}"
            );
            several += usize::from(bases.len() > 1);
        }
    }
    assert!(several > 0, "some have several");
}
