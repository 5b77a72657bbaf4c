//! What `gc` keeps and drops, and that what it dropped stays away until somebody asks.

use crate::harness::TestRepo;
use crate::store::{commit_change, documents, ensure, ids, open};
use crate::trust::{TRACKING, commit_id};
use git_sverklo::git::refs;
use git_sverklo::store::{self, Snapshot};

const INDEX: &str = "refs/sverklo/v1/index";

fn tip(repo: &TestRepo) -> String {
    repo.git(&["rev-parse", INDEX])
}

fn clone(repo: &TestRepo, name: &str) -> TestRepo {
    let other = repo.at(repo.beside(name));
    let url = format!("file://{}", repo.dir().display());
    repo.git(&["clone", "-q", &url, other.dir().to_str().unwrap()]);
    other
}

/// Fetches an index as `git sverklo fetch` would, and unites with it.
fn unite(into: &TestRepo, from: &TestRepo) -> Snapshot {
    let spec = format!("+{INDEX}:{TRACKING}");
    into.git(&["fetch", "-q", from.dir().to_str().unwrap(), &spec]);
    let fetched = commit_id(&into.git(&["rev-parse", TRACKING]));
    let merged = store::union(&open(into), fetched).unwrap();
    assert!(merged.warnings.is_empty(), "{:?}", merged.warnings);
    merged
}

/// Commits at a date, in days after the beginning of 2024.
fn commit_at(repo: &TestRepo, day: u64, path: &str, text: &str) -> String {
    repo.write(path, text);
    repo.git(&["add", "-A"]);
    let date = format!("{} +0000", 1_704_067_200 + day * 86_400);
    let out = repo
        .command("git")
        .args(["commit", "-q", "-m", text])
        .env("GIT_COMMITTER_DATE", &date)
        .env("GIT_AUTHOR_DATE", &date)
        .status();
    assert!(out.unwrap().success());
    repo.git(&["rev-parse", "HEAD"])
}

fn is_covered(repo: &TestRepo, rev_path: &str) -> bool {
    let hex = repo.git(&["rev-parse", rev_path]);
    let blob = git_sverklo::id::BlobId::from_hex(hex.as_bytes()).unwrap();
    Snapshot::open(&open(repo)).unwrap().holds(blob)
}

fn index_all(repo: &TestRepo) {
    for commit in repo
        .git(&["rev-list", "--all", "--exclude=refs/sverklo/*"])
        .lines()
    {
        if repo
            .try_git(&["cat-file", "-e", &format!("{commit}:format")])
            .status
            != Some(0)
        {
            repo.sverklo(&["index", commit]).success();
        }
    }
}

#[test]
fn everything_that_a_ref_reaches_is_kept_by_default() {
    let repo = TestRepo::init();
    (0..6).for_each(|n| commit_change(&repo, n));
    repo.git(&["branch", "side", "HEAD~2"]);
    repo.git(&["tag", "-a", "-m", "t", "v1", "HEAD~1"]);
    index_all(&repo);
    let out = repo.sverklo(&["gc", "-v"]).success();
    assert!(out.contains("0 documents dropped"), "{out}");
    // Canonical, and nothing to remember.
    let ours = open(&repo);
    let all: Vec<_> = (0..6)
        .flat_map(|n| documents(&ours, &format!("HEAD~{n}")))
        .collect();
    let after = Snapshot::open(&ours).unwrap();
    assert!(after.ledger().is_empty());
    let held = tip(&repo);
    repo.git(&["update-ref", "-d", INDEX]);
    let mut revs: Vec<String> = (0..6).map(|n| format!("HEAD~{n}")).collect();
    revs.insert(0, "index".to_owned());
    repo.sverklo(&revs).success();
    assert_eq!(tip(&repo), held);
    drop(all);

    // A branch that is gone takes its documents with it, a tag keeps its own.
    repo.git(&["checkout", "-q", "-b", "gone"]);
    commit_change(&repo, 40);
    let lost = repo.git(&["rev-parse", "HEAD:notes.txt"]);
    repo.sverklo(&["index"]).success();
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["branch", "-q", "-D", "gone"]);
    let before = tip(&repo);
    let out = repo.sverklo(&["gc", "--dry-run"]).success();
    assert!(
        out.contains("3 documents and the log of 1 commit would be dropped"),
        "{out}"
    );
    assert_eq!(tip(&repo), before, "nothing was changed");
    let out = repo.sverklo(&["gc", "--json"]).success();
    assert!(out.contains("\"documents_dropped\":3"), "{out}");
    assert!(!is_covered(&repo, &lost));
    assert!(is_covered(&repo, "v1:notes.txt") && is_covered(&repo, "side:notes.txt"));
    repo.git(&["fsck", "--strict"]);
}

#[test]
fn a_window_is_counted_back_from_each_tip() {
    let repo = TestRepo::init();
    let old = commit_at(&repo, 0, "a.py", "def a0(): pass\n");
    commit_at(&repo, 100, "a.py", "def a100(): pass\n");
    repo.git(&["branch", "quiet"]);
    commit_at(&repo, 480, "a.py", "def a480(): pass\n");
    commit_at(&repo, 500, "a.py", "def a500(): pass\n");
    index_all(&repo);
    assert!(is_covered(&repo, &format!("{old}:a.py")));
    let gc = |when: &str| repo.sverklo(&["gc", "-v", "--retain", when]).success();
    // 100 days before `quiet` is day 0, which is just inside.
    assert!(gc("100.days").contains("0 documents dropped"));
    assert!(gc("99.days").contains("1 document dropped"));
    assert!(!is_covered(&repo, &format!("{old}:a.py")));
    assert!(
        is_covered(&repo, "quiet:a.py"),
        "tips are kept whatever their age"
    );
    assert!(gc("1.day").contains("1 document dropped"));
    assert!(is_covered(&repo, "quiet:a.py") && is_covered(&repo, "main:a.py"));
    assert!(!is_covered(&repo, "main~:a.py"));
    // Configured for good, and what is uncommitted counts.
    repo.git(&["config", "sverklo.retain", "1.hour"]);
    repo.sverklo(&["index", "main~"]).success();
    repo.write("a.py", "def a480(): pass\n");
    assert!(
        repo.sverklo(&["gc", "-v"])
            .success()
            .contains("0 documents dropped")
    );
    repo.git(&["checkout", "-q", "a.py"]);
    assert!(
        repo.sverklo(&["gc", "-v"])
            .success()
            .contains("1 document dropped")
    );
    repo.git(&["config", "sverklo.retain", "yesteryear"]);
    let out = repo.sverklo(&["gc"]);
    assert_eq!(out.status, Some(2));
    assert!(
        out.stderr.contains("'yesteryear' is no time span"),
        "{}",
        out.stderr
    );
}

#[test]
fn what_was_dropped_does_not_come_back_until_somebody_asks() {
    let repo = TestRepo::init();
    commit_at(&repo, 0, "a.py", "def first(): pass\n");
    commit_at(&repo, 400, "a.py", "def second(): pass\n");
    commit_at(&repo, 401, "b.py", "def stays(): pass\n");
    index_all(&repo);
    let stale = clone(&repo, "stale");
    stale.git(&["fetch", "-q", "origin", &format!("{INDEX}:{INDEX}")]);
    assert_eq!(tip(&stale), tip(&repo));

    let out = repo.sverklo(&["gc", "-v", "--retain", "1.day"]).success();
    assert!(out.contains("1 document dropped"), "{out}");
    assert!(Snapshot::open(&open(&repo)).unwrap().ledger().tombstones() > 0);
    unite(&stale, &repo);
    assert!(
        !is_covered(&stale, "HEAD~2:a.py"),
        "the stale clone lets go of it"
    );
    unite(&repo, &stale);
    assert!(!is_covered(&repo, "HEAD~2:a.py"));
    assert_eq!(tip(&repo), tip(&stale));

    // Asked at the old commit: extracted once, and it stays.
    let ask = |repo: &TestRepo| {
        repo.sverklo(&["symbol", "first", "--at", "HEAD~2"])
            .success()
    };
    ask(&stale);
    assert!(is_covered(&stale, "HEAD~2:a.py"));
    let asked = tip(&stale);
    ask(&stale);
    assert_eq!(tip(&stale), asked, "nothing was extracted again");
    unite(&repo, &stale);
    unite(&stale, &repo);
    assert_eq!(tip(&repo), tip(&stale));
    assert!(is_covered(&repo, "HEAD~2:a.py"));
    let before = tip(&repo);
    ask(&repo);
    assert_eq!(tip(&repo), before);

    // Dropped again, wanted again: the segment that was built is built with the same bytes.
    repo.sverklo(&["gc", "--retain", "1.day"]).success();
    ask(&repo);
    let revived = tip(&repo);
    let merged = unite(&stale, &repo);
    assert!(is_covered(&stale, "HEAD~2:a.py"), "{merged:?}");
    ask(&repo);
    assert_eq!(tip(&repo), revived);
    for repo in [&repo, &stale] {
        let snapshot = Snapshot::open(&open(repo)).unwrap();
        let ledger = snapshot.ledger();
        assert!(
            ids(&snapshot)
                .iter()
                .all(|id| !ledger.has_tombstone((*id).into()))
        );
    }
}

#[test]
fn after_one_collected_everybody_ends_in_its_segments() {
    let repo = TestRepo::init();
    (0..5).for_each(|n| commit_change(&repo, n));
    let other = clone(&repo, "other");
    for n in (0..5).rev() {
        ensure(&open(&repo), &format!("HEAD~{n}"));
    }
    for n in 0..5 {
        ensure(&open(&other), &format!("HEAD~{n}"));
    }
    assert_ne!(tip(&repo), tip(&other));
    let canonical = store::gc(&open(&repo), &|_| true).unwrap().snapshot;
    assert_eq!(ids(&unite(&other, &repo)), ids(&canonical));
    assert_eq!(tip(&other), tip(&repo));
}

#[test]
fn what_only_others_have_is_kept_while_they_have_it() {
    let repo = TestRepo::init();
    commit_change(&repo, 0);
    let other = clone(&repo, "other");
    commit_change(&other, 1);
    other.sverklo(&["index"]).success();
    repo.sverklo(&["index"]).success();
    unite(&repo, &other);
    let foreign = other.git(&["rev-parse", "HEAD:notes.txt"]);
    assert!(repo.try_git(&["cat-file", "-e", &foreign]).status != Some(0));
    let out = repo.sverklo(&["gc", "-v"]).success();
    assert!(out.contains("0 documents dropped"), "{out}");
    let held = || {
        let blob = git_sverklo::id::BlobId::from_hex(foreign.as_bytes()).unwrap();
        Snapshot::open(&open(&repo)).unwrap().holds(blob)
    };
    assert!(held());
    let (name, _) = &refs::fetched(&open(&repo)).unwrap()[0];
    assert_eq!(name, TRACKING);
    repo.git(&["update-ref", "-d", TRACKING]);
    let out = repo.sverklo(&["gc", "-v"]).success();
    assert!(out.contains("3 documents dropped"), "{out}");
    assert!(!held());
}

#[test]
fn a_shallow_clone_drops_nothing_and_a_partial_one_what_nobody_reaches() {
    let repo = TestRepo::init();
    (0..4).for_each(|n| commit_change(&repo, n));
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    index_all(&repo);
    let url = format!("file://{}", repo.dir().display());
    let count = Snapshot::open(&open(&repo)).unwrap().doc_count();
    let shallow = repo.at(repo.beside("shallow"));
    repo.git(&[
        "clone",
        "-q",
        "--depth=1",
        &url,
        shallow.dir().to_str().unwrap(),
    ]);
    let partial = repo.at(repo.beside("partial"));
    let into = partial.dir().to_str().unwrap().to_owned();
    repo.git(&[
        "clone",
        "-q",
        "--filter=blob:none",
        "--no-checkout",
        &url,
        &into,
    ]);
    for clone in [&shallow, &partial] {
        let spec = format!("{INDEX}:{INDEX}");
        clone.git(&["fetch", "-q", "--no-filter", "origin", &spec]);
    }
    let out = shallow.sverklo(&["gc", "-v", "--retain", "1.second"]);
    assert!(out.stdout.contains("0 documents dropped"), "{}", out.stdout);
    assert!(out.stderr.contains("history is cut off"), "{}", out.stderr);
    assert!(shallow.dir().join(".git/shallow").exists());
    // Trees are here though blobs are not.
    let out = partial.sverklo(&["gc", "-v"]);
    assert!(out.stdout.contains("0 documents dropped"), "{}", out.stdout);
    assert_eq!(Snapshot::open(&open(&partial)).unwrap().doc_count(), count);
}

#[test]
fn what_is_stale_beside_the_object_store_goes() {
    let repo = TestRepo::init();
    commit_change(&repo, 0);
    repo.sverklo(&["map"]).success();
    let folder = repo.kept();
    let views = || std::fs::read_dir(folder.join("view")).unwrap().count();
    assert_eq!(views(), 1);
    commit_change(&repo, 1);
    repo.sverklo(&["map"]).success();
    assert_eq!(views(), 2);
    std::fs::write(folder.join("seg/new-x1y2"), [0; 3000]).unwrap();
    let linked = repo.beside("linked");
    repo.git(&[
        "worktree",
        "add",
        "-q",
        "--detach",
        linked.to_str().unwrap(),
    ]);
    let there = repo.at(&linked);
    there.write("src/m1.py", "def uncommitted(): pass\n");
    there.sverklo(&["symbol", "uncommitted"]).success();
    let user = folder.file_name().unwrap().to_owned();
    let overlay = repo.dir().join(".git/worktrees/linked/sverklo");
    let overlay = overlay.join(user).join("overlay");
    assert!(overlay.exists());
    repo.sverklo(&["gc"]).success();
    assert!(overlay.exists(), "the work tree is there");
    std::fs::remove_dir_all(&linked).unwrap();
    std::fs::write(folder.join("seg/new-x1y2"), [0; 3000]).unwrap();
    let out = repo.sverklo(&["gc", "--json"]).success();
    let freed: u64 = out
        .split("\"bytes_freed\":")
        .nth(1)
        .and_then(|rest| rest.split(',').next()?.parse().ok())
        .unwrap();
    assert!(freed > 3000, "{out}");
    assert!(!overlay.exists());
    assert_eq!(std::fs::read_dir(folder.join("seg")).unwrap().count(), 1);
    assert!(views() <= 1);
}
