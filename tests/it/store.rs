//! Segments under a ref: what is published, read back, merged and collected.

use crate::harness::{Kind, TestRepo};
use git_sverklo::extract::record::DocKey;
use git_sverklo::git::{Repo, tree};
use git_sverklo::id::SegmentId;
use git_sverklo::lang;
use git_sverklo::limits::SEGMENT_SOURCE_BYTES;
use git_sverklo::store::{self, Quiet, Report, Snapshot, Warning};
use std::collections::BTreeSet;

pub fn open(repo: &TestRepo) -> Repo {
    Repo::discover(repo.dir()).expect("a repository")
}

/// Every file of `rev`, with the grammar of its name.
pub fn documents(repo: &Repo, rev: &str) -> Vec<DocKey> {
    let tree = repo.commit_tree(repo.resolve(rev).unwrap()).unwrap();
    let entries = tree::list(&mut repo.objects(), tree).unwrap();
    entries
        .into_iter()
        .filter(|entry| entry.mode.is_file())
        .map(|entry| DocKey {
            blob: entry.id,
            grammar: lang::by_file_name(entry.path.file_name()),
        })
        .collect()
}

pub fn ensure(repo: &Repo, rev: &str) -> (Snapshot, Report) {
    let snapshot = Snapshot::open(repo).unwrap();
    store::ensure(repo, &snapshot, &documents(repo, rev), 2, &Quiet).unwrap()
}

pub fn ids(snapshot: &Snapshot) -> BTreeSet<SegmentId> {
    snapshot.segments().iter().map(|open| open.id()).collect()
}

#[track_caller]
pub fn check_covers(snapshot: &Snapshot, documents: &[DocKey]) {
    for key in documents {
        let found = snapshot
            .find(key)
            .unwrap_or_else(|| panic!("{key:?} is not covered"));
        assert_eq!(
            snapshot.segment(found.segment).unwrap().key(found.doc),
            *key
        );
    }
}

/// Commits a change of a few files.
pub fn commit_change(repo: &TestRepo, n: usize) {
    repo.write(
        format!("src/m{}.py", n % 7),
        format!("def f{n}(x):\n    return g{n}(x)\n"),
    );
    repo.write(
        format!("web/c{}.ts", n % 5),
        format!("export const v{n} = {n};\n"),
    );
    repo.write("notes.txt", format!("note number {n}\n"));
    repo.commit(&format!("change {n}"));
}

/// A repository that weighs several segments; its large files are skipped quickly.
fn heavy() -> TestRepo {
    let repo = TestRepo::init();
    let line = vec![b'x'; 1 << 20];
    for n in 0..40_u32 {
        let mut bytes = line.clone();
        bytes[..4].copy_from_slice(format!("{n:04}").as_bytes());
        repo.write(format!("big/{n}.js"), bytes);
        repo.write(
            format!("src/{n}.py"),
            format!("class C{n}:\n    def m(self):\n        return {n}\n"),
        );
    }
    repo.commit("heavy");
    repo
}

#[test]
fn an_index_is_a_pure_function_of_the_documents() {
    for kind in [
        Kind::default(),
        Kind {
            sha256: true,
            reftable: true,
            bare: false,
        },
    ] {
        let tips: Vec<String> = [1, 2, 5]
            .map(|threads| {
                let repo = TestRepo::init_as(kind);
                (0..9).for_each(|n| commit_change(&repo, n));
                let ours = open(&repo);
                let mut wanted = documents(&ours, "HEAD");
                if threads == 5 {
                    wanted.reverse();
                }
                let empty = Snapshot::open(&ours).unwrap();
                assert!(empty.tip.is_none() && empty.is_empty());
                let (snapshot, report) =
                    store::ensure(&ours, &empty, &wanted, threads, &Quiet).unwrap();
                check_covers(&snapshot, &wanted);
                assert_eq!(
                    (report.extracted, report.segments, report.published),
                    (13, 1, true)
                );
                assert!(snapshot.warnings.is_empty(), "{:?}", snapshot.warnings);
                let tip = repo.git(&["rev-parse", "refs/sverklo/v1/index"]);
                assert_eq!(snapshot.tip.unwrap().to_string(), tip);
                repo.git(&["fsck", "--strict"]);
                tip
            })
            .into();
        assert_eq!(tips[0], tips[1]);
        assert_eq!(tips[0], tips[2]);
    }
}

#[test]
fn the_tip_has_no_history_and_says_what_it_is() {
    let repo = TestRepo::init();
    commit_change(&repo, 0);
    ensure(&open(&repo), "HEAD");
    let tip = repo.git(&["cat-file", "-p", "refs/sverklo/v1/index"]);
    assert!(
        tip.contains("author sverklo <sverklo@localhost> 0 +0000\n"),
        "{tip}"
    );
    assert!(!tip.contains("parent"));
    let format = repo.git(&["show", "refs/sverklo/v1/index:format"]);
    assert!(
        format.starts_with("sverklo index\nlayout ") && format.contains("hash sha1"),
        "{format}"
    );
    for line in repo
        .git(&["ls-tree", "-r", "refs/sverklo/v1/index", "seg/"])
        .lines()
    {
        let (head, path) = line.split_once('\t').unwrap();
        assert_eq!(
            head.split(' ').nth(2).unwrap(),
            path["seg/".len()..].replace('/', "")
        );
    }
    let touched = repo.git(&["status", "--porcelain", "--ignored"]);
    assert_eq!(touched, "", "the work tree is left alone");
}

#[test]
fn work_is_proportional_to_what_is_not_covered() {
    let repo = TestRepo::init();
    (0..5).for_each(|n| commit_change(&repo, n));
    let ours = open(&repo);
    let (_, first) = ensure(&ours, "HEAD");
    assert_eq!(first.extracted, 11);
    let (again, second) = ensure(&ours, "HEAD");
    assert_eq!((second.extracted, second.published), (0, true));
    commit_change(&repo, 5);
    let (after, third) = ensure(&ours, "HEAD");
    assert_eq!((third.extracted, third.segments), (3, 1));
    assert!(ids(&again).is_subset(&ids(&after)));
    let (_, old) = ensure(&ours, "HEAD~3");
    assert_eq!(
        old.extracted, 1,
        "all but one file are those of later commits"
    );
}

#[test]
fn many_commits_leave_few_segments() {
    let repo = TestRepo::init();
    commit_change(&repo, 0);
    let ours = open(&repo);
    let mut most = 0;
    for n in 1..40 {
        commit_change(&repo, n);
        let (snapshot, _) = ensure(&ours, "HEAD");
        check_covers(&snapshot, &documents(&ours, "HEAD"));
        most = most.max(snapshot.segments().len());
    }
    assert!(most <= 9, "{most} segments");
    check_covers(
        &Snapshot::open(&ours).unwrap(),
        &documents(&ours, "HEAD~20"),
    );
    repo.git(&["fsck", "--strict"]);
}

#[test]
fn a_cold_index_is_what_gc_would_cut() {
    let repo = heavy();
    let ours = open(&repo);
    let wanted = documents(&ours, "HEAD");
    let (cold, report) = ensure(&ours, "HEAD");
    assert!(
        cold.segments().len() >= 3,
        "{} segments",
        cold.segments().len()
    );
    assert_eq!(report.source_bytes / SEGMENT_SOURCE_BYTES, 2);
    let collected = store::gc(&ours, &|_| true).unwrap();
    assert_eq!(collected.snapshot.tip, cold.tip);
    assert_eq!(collected.segments_reused, cold.segments().len());

    // The same documents, brought together in many steps.
    repo.git(&["update-ref", "-d", "refs/sverklo/v1/index"]);
    for part in wanted.chunks(7) {
        let snapshot = Snapshot::open(&ours).unwrap();
        store::ensure(&ours, &snapshot, part, 2, &Quiet).unwrap();
    }
    assert_ne!(ids(&Snapshot::open(&ours).unwrap()), ids(&cold));
    let collected = store::gc(&ours, &|_| true).unwrap();
    assert_eq!(collected.snapshot.tip, cold.tip);

    // One document less changes the one segment that had it.
    let gone = wanted[50];
    let collected = store::gc(&ours, &|key| *key != gone).unwrap();
    assert_eq!((collected.kept, collected.dropped), (wanted.len() - 1, 1));
    let changed = ids(&collected.snapshot).difference(&ids(&cold)).count();
    assert_eq!(changed, 1);
    assert!(collected.snapshot.find(&gone).is_none());
    let files = std::fs::read_dir(repo.kept().join("seg")).unwrap().count();
    assert_eq!(files, collected.snapshot.segments().len());
    repo.git(&["fsck", "--strict"]);
}

#[test]
fn deleted_or_damaged_files_are_made_again() {
    let repo = TestRepo::init();
    (0..3).for_each(|n| commit_change(&repo, n));
    let ours = open(&repo);
    let (snapshot, _) = ensure(&ours, "HEAD");
    let wanted = documents(&ours, "HEAD");
    let folder = repo.kept().join("seg");
    let file = folder.join(snapshot.segments()[0].id().to_string());
    let whole = std::fs::read(&file).unwrap();
    for damage in [&b""[..], &whole[..whole.len() / 2], &[0; 4096], b"x"] {
        std::fs::remove_file(&file).unwrap();
        std::fs::write(&file, damage).unwrap();
        let again = Snapshot::open(&ours).unwrap();
        assert!(matches!(again.warnings[..], [Warning::Recovered(_)]));
        check_covers(&again, &wanted);
        assert_eq!(std::fs::read(&file).unwrap(), whole);
    }
    std::fs::remove_dir_all(repo.dir().join(".git/sverklo")).unwrap();
    check_covers(&Snapshot::open(&ours).unwrap(), &wanted);
}

/// Puts a blob into the tip's tree under a segment's name.
fn plant(repo: &TestRepo, name: Option<&str>, bytes: &[u8]) -> String {
    repo.write("planted", bytes);
    let blob = repo.git(&["hash-object", "-w", "--no-filters", "planted"]);
    repo.remove("planted");
    let name = name.unwrap_or(&blob).to_owned();
    let index = repo.beside("planting");
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
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    };
    let _ = std::fs::remove_file(&index);
    run(&["read-tree", "refs/sverklo/v1/index"]);
    let path = format!("seg/{}/{}", &name[..2], &name[2..]);
    run(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("100644,{blob},{path}"),
    ]);
    let tree = run(&["write-tree"]);
    let commit = run(&["commit-tree", "-m", "planted", &tree]);
    run(&["update-ref", "refs/sverklo/v1/index", &commit]);
    blob
}

#[test]
fn a_bad_segment_is_one_warning_and_is_replaced() {
    let repo = TestRepo::init();
    (0..3).for_each(|n| commit_change(&repo, n));
    let ours = open(&repo);
    let (good, _) = ensure(&ours, "HEAD");
    let wanted = documents(&ours, "HEAD");
    let mut bent = good.segments()[0].segment().bytes().to_vec();
    let at = bent.len() - 9;
    bent[at] ^= 0x40;
    for bytes in [&b"no segment at all"[..], b"", &bent] {
        plant(&repo, None, bytes);
        let snapshot = Snapshot::open(&ours).unwrap();
        assert!(
            matches!(&snapshot.warnings[..], [Warning::Bad { .. }]),
            "{:?}",
            snapshot.warnings
        );
        check_covers(&snapshot, &wanted);
        commit_change(&repo, bytes.len() + 100);
        let (after, _) = ensure(&ours, "HEAD");
        assert!(!after.warnings.is_empty());
        assert!(
            Snapshot::open(&ours).unwrap().warnings.is_empty(),
            "it is not published again"
        );
    }
    // A name that is not the id of the content.
    plant(&repo, Some(&"ab".repeat(20)), b"anything");
    let snapshot = Snapshot::open(&ours).unwrap();
    assert!(
        matches!(&snapshot.warnings[..], [Warning::ForeignEntry { .. }]),
        "{:?}",
        snapshot.warnings
    );
    check_covers(&snapshot, &wanted);
    let (_, report) = ensure(&ours, "HEAD");
    assert_eq!((report.extracted, report.published), (0, true));
    let snapshot = Snapshot::open(&ours).unwrap();
    assert!(
        snapshot.warnings.is_empty(),
        "the set is published without it"
    );
    check_covers(&snapshot, &wanted);
}

#[test]
fn a_tip_of_another_version_counts_as_absent() {
    let repo = TestRepo::init();
    (0..3).for_each(|n| commit_change(&repo, n));
    let ours = open(&repo);
    // The user's own commit is no index, and neither is a blob.
    for rev in ["HEAD", "HEAD:notes.txt"] {
        repo.git(&[
            "update-ref",
            "refs/sverklo/v1/index",
            &repo.git(&["rev-parse", rev]),
        ]);
        let snapshot = Snapshot::open(&ours).unwrap();
        assert!(snapshot.is_empty());
        assert_eq!(snapshot.warnings.len(), 1, "{rev}: {:?}", snapshot.warnings);
        let (after, _) = ensure(&ours, "HEAD");
        check_covers(&after, &documents(&ours, "HEAD"));
        assert!(!after.warnings.is_empty());
    }
}

#[test]
fn two_clones_merge_without_conflict() {
    let repo = TestRepo::init();
    (0..4).for_each(|n| commit_change(&repo, n));
    let other = repo.at(repo.beside("other"));
    repo.git(&[
        "clone",
        "-q",
        repo.dir().to_str().unwrap(),
        other.dir().to_str().unwrap(),
    ]);
    commit_change(&repo, 10);
    commit_change(&other, 20);
    let (ours, theirs) = (open(&repo), open(&other));
    ensure(&ours, "HEAD~");
    ensure(&theirs, "HEAD~");
    let tip = |repo: &TestRepo| repo.git(&["rev-parse", "refs/sverklo/v1/index"]);
    assert_eq!(tip(&repo), tip(&other), "equal content, equal id");
    ensure(&ours, "HEAD");
    ensure(&theirs, "HEAD");
    assert_ne!(tip(&repo), tip(&other));
    let fetch = |into: &TestRepo, from: &TestRepo| {
        let spec = "+refs/sverklo/v1/index:refs/sverklo/remotes/origin/v1/index";
        into.git(&["fetch", "-q", from.dir().to_str().unwrap(), spec]);
        tip_of(into, "refs/sverklo/remotes/origin/v1/index")
    };
    let fetched = [fetch(&repo, &other), fetch(&other, &repo)];
    for (repo, fetched) in [(&ours, fetched[0]), (&theirs, fetched[1])] {
        let merged = store::union(repo, fetched).unwrap();
        check_covers(&merged, &documents(&ours, "HEAD"));
        assert!(merged.warnings.is_empty());
        assert_eq!(
            store::union(repo, fetched).unwrap().tip,
            merged.tip,
            "twice is once"
        );
    }
    assert_eq!(tip(&repo), tip(&other), "union commutes");
}

fn tip_of(repo: &TestRepo, name: &str) -> git_sverklo::id::CommitId {
    let hex = repo.git(&["rev-parse", name]);
    git_sverklo::id::CommitId::from_hex(hex.as_bytes()).unwrap()
}

#[test]
fn linked_work_trees_and_bare_clones_share_and_read_the_index() {
    let repo = TestRepo::init();
    (0..3).for_each(|n| commit_change(&repo, n));
    let linked = repo.at(repo.beside("linked"));
    repo.git(&[
        "worktree",
        "add",
        "-q",
        "--detach",
        linked.dir().to_str().unwrap(),
    ]);
    let (made, _) = ensure(&open(&linked), "HEAD");
    assert_eq!(ids(&made), ids(&Snapshot::open(&open(&repo)).unwrap()));
    assert!(
        repo.kept().join("seg").exists(),
        "files are in the common directory"
    );

    let bare = repo.at(repo.beside("bare"));
    repo.git(&[
        "clone",
        "-q",
        "--bare",
        repo.dir().to_str().unwrap(),
        bare.dir().to_str().unwrap(),
    ]);
    assert_eq!(ids(&ensure(&open(&bare), "HEAD").0), ids(&made));

    let borrowing = repo.at(repo.beside("borrowing"));
    let from = repo.dir().to_str().unwrap();
    repo.git(&[
        "clone",
        "-q",
        "--shared",
        from,
        borrowing.dir().to_str().unwrap(),
    ]);
    assert_eq!(ids(&ensure(&open(&borrowing), "HEAD").0), ids(&made));
}

#[test]
fn blobs_that_a_partial_clone_lacks_are_reported() {
    let repo = TestRepo::init();
    (0..3).for_each(|n| commit_change(&repo, n));
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let partial = repo.at(repo.beside("partial"));
    let url = format!("file://{}", repo.dir().display());
    let into = partial.dir().to_str().unwrap().to_owned();
    repo.git(&[
        "clone",
        "-q",
        "--filter=blob:none",
        "--no-checkout",
        &url,
        &into,
    ]);
    let ours = open(&partial);
    let (snapshot, report) = ensure(&ours, "HEAD");
    assert_eq!((report.missing.len(), report.extracted), (7, 0));
    assert!(snapshot.is_empty());
    // An index that was fetched answers all the same.
    ensure(&open(&repo), "HEAD");
    partial.git(&[
        "fetch",
        "-q",
        "--no-filter",
        &url,
        "refs/sverklo/v1/index:refs/sverklo/v1/index",
    ]);
    let (snapshot, report) = ensure(&ours, "HEAD");
    check_covers(&snapshot, &documents(&ours, "HEAD"));
    assert!(report.missing.is_empty());
}

#[test]
fn without_leave_to_write_the_index_is_in_memory() {
    let repo = TestRepo::init();
    (0..3).for_each(|n| commit_change(&repo, n));
    let ours = open(&repo);
    let wanted = documents(&ours, "HEAD");
    let before = repo.git(&["count-objects", "-v"]);
    let empty = Snapshot::open(&ours).unwrap();
    let (snapshot, report) = store::ensure_in_memory(&ours, &empty, &wanted, 2, &Quiet).unwrap();
    check_covers(&snapshot, &wanted);
    assert!(!report.published && snapshot.tip.is_none());
    assert_eq!(repo.git(&["count-objects", "-v"]), before);
    assert!(!repo.dir().join(".git/sverklo").exists());
    let (stored, _) = ensure(&ours, "HEAD");
    assert_eq!(stored.fingerprint(), snapshot.fingerprint());
}

#[test]
fn what_is_in_memory_alone_is_neither_lost_nor_taken_for_stored() {
    let repo = TestRepo::init();
    (0..3).for_each(|n| commit_change(&repo, n));
    let ours = open(&repo);
    let wanted = documents(&ours, "HEAD");
    let (one, two) = wanted.split_at(3);
    // Once without a tip, once with one that stays as it is in between.
    for round in 0..2 {
        let base = Snapshot::open(&ours).unwrap();
        let (base, _) = store::ensure_in_memory(&ours, &base, one, 1, &Quiet).unwrap();
        let part = &two[round..=round];
        let (both, _) = store::ensure(&ours, &base, part, 1, &Quiet).unwrap();
        check_covers(&both, one);
        check_covers(&both, part);
        let stored = Snapshot::open(&ours).unwrap();
        assert!(stored.warnings.is_empty(), "{:?}", stored.warnings);
        assert!(one.iter().all(|key| stored.find(key).is_none()));
        repo.git(&["fsck", "--strict", "--connectivity-only"]);
    }
    let (all, _) = ensure(&ours, "HEAD");
    check_covers(&all, &wanted);
    check_covers(&Snapshot::open(&ours).unwrap(), &wanted);
}
