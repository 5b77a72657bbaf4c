//! Many writers at once: nobody's documents are lost, and readers keep what they opened.

use crate::harness::{Kind, TestRepo};
use crate::store::{check_covers, commit_change, documents, open};
use git_sverklo::git::refs::{self, Swap};
use git_sverklo::git::write::PackWriter;
use git_sverklo::store::{self, Quiet, Snapshot};
use std::process::{Child, Command, Stdio};

/// Set in a child process: the repository it works in.
const REPO: &str = "SVERKLO_TEST_REPO";
/// Set in a child process: what it does there.
const ROLE: &str = "SVERKLO_TEST_ROLE";

/// Starts this test binary again as a process that plays a role in `repo`: `index`, `collect`,
/// or `share i/n`.
pub fn start_child(repo: &TestRepo, role: &str, settings: &[(&str, &str)]) -> Child {
    let this = std::env::current_exe().expect("the test binary has a path");
    let mut command: Command = repo.command(this);
    let test = "concurrency::processes_that_publish_at_once_lose_nothing";
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    command
        .env(REPO, repo.dir())
        .env(ROLE, role)
        .envs(settings.iter().copied());
    command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the test binary starts")
}

/// Plays the role that a child process was started for; false in the process of the tests.
fn is_child() -> bool {
    let (Some(dir), Ok(role)) = (std::env::var_os(REPO), std::env::var(ROLE)) else {
        return false;
    };
    let repo = git_sverklo::git::Repo::discover(dir.as_ref()).expect("a repository");
    let wanted = documents(&repo, "HEAD");
    let ensure = |wanted: &[_], threads| {
        let snapshot = Snapshot::open(&repo).unwrap();
        store::ensure(&repo, &snapshot, wanted, threads, &Quiet).unwrap();
    };
    match role.split_once(' ') {
        // One publication a document, to meet the others as often as possible.
        Some(("share", share)) => {
            let (at, of) = share.split_once('/').unwrap();
            let (at, of): (usize, usize) = (at.parse().unwrap(), of.parse().unwrap());
            wanted
                .chunks(1)
                .skip(at)
                .step_by(of)
                .for_each(|key| ensure(key, 1));
        }
        None if role == "index" => ensure(&wanted, 2),
        None if role == "collect" => drop(store::gc(&repo, &|key| wanted.contains(key)).unwrap()),
        _ => panic!("no role {role:?}"),
    }
    true
}

#[test]
fn processes_that_publish_at_once_lose_nothing() {
    if is_child() {
        return;
    }
    for kind in [
        Kind::default(),
        Kind {
            reftable: true,
            ..Kind::default()
        },
    ] {
        let repo = TestRepo::init_as(kind);
        for n in 0..24 {
            repo.write(
                format!("src/f{n}.py"),
                format!("def f{n}():\n    return {n}\n"),
            );
        }
        repo.commit("one");
        let children: Vec<_> = (0..4)
            .map(|n| start_child(&repo, &format!("share {n}/4"), &[]))
            .collect();
        // Readers meanwhile always see some valid set.
        let ours = open(&repo);
        let wanted = documents(&ours, "HEAD");
        let mut covered = 0;
        for mut child in children {
            while child.try_wait().unwrap().is_none() {
                let snapshot = Snapshot::open(&ours).unwrap();
                assert!(snapshot.warnings.is_empty(), "{:?}", snapshot.warnings);
                let now = wanted
                    .iter()
                    .filter(|key| snapshot.find(key).is_some())
                    .count();
                assert!(now >= covered, "{now} documents after {covered}");
                covered = now;
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            let out = child.wait_with_output().unwrap();
            assert!(
                out.status.success(),
                "{}",
                String::from_utf8_lossy(&out.stderr)
            );
        }
        check_covers(&Snapshot::open(&ours).unwrap(), &wanted);
        repo.git(&["fsck", "--strict"]);
        let canonical = store::gc(&ours, &|_| true).unwrap().snapshot.tip;
        repo.git(&["update-ref", "-d", "refs/sverklo/v1/index"]);
        let cold = store::ensure(&ours, &Snapshot::default(), &wanted, 2, &Quiet)
            .unwrap()
            .0;
        assert_eq!(
            cold.tip, canonical,
            "the order of publications leaves no trace"
        );
    }
}

#[test]
fn threads_that_swap_one_ref_all_get_their_turn() {
    let repo = TestRepo::init();
    repo.write("file", "x\n").commit("one");
    let ours = open(&repo);
    let name = "refs/sverklo/v1/counter";
    let moved = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (ours, moved) = (&ours, &moved);
            scope.spawn(move || {
                for round in 0..5 {
                    let mut pack = PackWriter::new(ours.hash());
                    let blob = pack.blob(format!("{thread} {round}").into_bytes()).unwrap();
                    let held = pack.write(ours).unwrap();
                    loop {
                        let now = refs::read(ours, name).unwrap();
                        let swap = refs::compare_and_swap(
                            ours,
                            name,
                            blob.as_object(),
                            now,
                            &held,
                            "count",
                        );
                        match swap.unwrap() {
                            Swap::Moved => break,
                            Swap::Lost => {}
                        }
                    }
                    moved.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(moved.into_inner(), 20);
    repo.git(&["fsck", "--strict"]);
}

#[test]
fn a_ref_moves_only_from_the_expected_value() {
    for kind in [
        Kind::default(),
        Kind {
            sha256: true,
            ..Kind::default()
        },
        Kind {
            reftable: true,
            ..Kind::default()
        },
        Kind {
            bare: true,
            ..Kind::default()
        },
    ] {
        let repo = TestRepo::init_as(kind);
        let ours = open(&repo);
        let name = ours.ref_names().index();
        let mut pack = PackWriter::new(ours.hash());
        let [a, b] = [&b"a"[..], b"b"].map(|bytes| pack.blob(bytes.to_vec()).unwrap().as_object());
        let held = pack.write(&ours).unwrap();
        assert_eq!(refs::read(&ours, &name).unwrap(), None);
        let swap =
            |new, old| refs::compare_and_swap(&ours, &name, new, old, &held, "test").unwrap();
        assert_eq!(swap(a, Some(b)), Swap::Lost);
        assert_eq!(refs::read(&ours, &name).unwrap(), None);
        assert_eq!(swap(a, None), Swap::Moved);
        assert_eq!(swap(b, None), Swap::Lost);
        assert_eq!(refs::read(&ours, &name).unwrap(), Some(a));
        assert_eq!(repo.git(&["rev-parse", &name]), a.to_string());
        assert_eq!(swap(b, Some(a)), Swap::Moved);
        repo.git(&["pack-refs", "--all"]);
        assert_eq!(refs::read(&ours, &name).unwrap(), Some(b));
        assert_eq!(refs::delete(&ours, &name, a).unwrap(), Swap::Lost);
        assert_eq!(refs::delete(&ours, &name, b).unwrap(), Swap::Moved);
        assert_eq!(refs::read(&ours, &name).unwrap(), None);
    }
}

#[test]
fn a_lock_that_is_released_is_waited_for_and_one_that_stays_is_named() {
    let repo = TestRepo::init();
    commit_change(&repo, 0);
    let ours = open(&repo);
    let lock = repo.dir().join(".git/refs/sverklo/v1/index.lock");
    repo.write(".git/refs/sverklo/v1/index.lock", "");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            std::fs::remove_file(&lock).unwrap();
        });
        let made = store::ensure(
            &ours,
            &Snapshot::default(),
            &documents(&ours, "HEAD"),
            1,
            &Quiet,
        );
        check_covers(&made.unwrap().0, &documents(&ours, "HEAD"));
    });
    repo.write(".git/refs/sverklo/v1/index.lock", "");
    commit_change(&repo, 1);
    let made = store::ensure(
        &ours,
        &Snapshot::default(),
        &documents(&ours, "HEAD"),
        1,
        &Quiet,
    );
    // The documents are there all the same, and it is said why they are not stored.
    let (snapshot, report) = made.unwrap();
    check_covers(&snapshot, &documents(&ours, "HEAD"));
    let refusal = report.refusal.unwrap();
    assert!(
        !report.published && refusal.contains("index.lock"),
        "{refusal}"
    );
    assert!(lock.exists());
}

#[test]
fn a_pinned_snapshot_outlives_collection() {
    let repo = TestRepo::init();
    commit_change(&repo, 0);
    let ours = open(&repo);
    let wanted = documents(&ours, "HEAD");
    let (pinned, _) = store::ensure(&ours, &Snapshot::default(), &wanted, 1, &Quiet).unwrap();
    store::gc(&ours, &|_| false).unwrap();
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    check_covers(&pinned, &wanted);
    assert!(Snapshot::open(&ours).unwrap().is_empty());
}

#[test]
fn whoever_waits_for_another_extraction_does_not_repeat_it() {
    let repo = TestRepo::init();
    for n in 0..300 {
        repo.write(format!("f{n}.txt"), format!("word{n}\n"));
    }
    repo.commit("many");
    let ours = open(&repo);
    let wanted = documents(&ours, "HEAD");
    repo.write(".git/sverklo/lock", "");
    let held = std::fs::File::open(repo.dir().join(".git/sverklo/lock")).unwrap();
    held.lock().unwrap();
    std::thread::scope(|scope| {
        let empty = Snapshot::default();
        let (ours, wanted) = (&ours, &wanted);
        let waiting = scope.spawn(move || store::ensure(ours, &empty, wanted, 2, &Quiet).unwrap());
        // Few documents are extracted without the lock.
        for part in wanted.chunks(100) {
            let snapshot = Snapshot::open(ours).unwrap();
            store::ensure(ours, &snapshot, part, 1, &Quiet).unwrap();
        }
        assert!(
            !waiting.is_finished(),
            "it waits as long as the lock is held"
        );
        drop(held);
        let (snapshot, report) = waiting.join().unwrap();
        assert_eq!((report.extracted, report.published), (0, true));
        check_covers(&snapshot, wanted);
    });
}

#[test]
fn what_git_exports_to_hooks_does_not_mislead() {
    let repo = TestRepo::init();
    commit_change(&repo, 0);
    let exported = [
        ("GIT_DIR", ".git"),
        ("GIT_INDEX_FILE", ".git/index"),
        ("GIT_PREFIX", ""),
        ("GIT_WORK_TREE", "."),
        ("GIT_QUARANTINE_PATH", "/nowhere"),
    ];
    let out = start_child(&repo, "share 0/1", &exported);
    let out = out.wait_with_output().unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let ours = open(&repo);
    check_covers(&Snapshot::open(&ours).unwrap(), &documents(&ours, "HEAD"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}
