//! Death at any moment: git stays sound, and the ref names the old set or the new one.

#![cfg(debug_assertions)]

use crate::concurrency::start_child;
use crate::harness::{Kind, TestRepo};
use crate::store::{check_covers, commit_change, documents, ids, open};
use git_sverklo::store::{self, Quiet, Snapshot};

/// Every place at which the process can be told to die.
const FAILPOINTS: &[&str] = &[
    "pack-begun",
    "pack-sent",
    "pack-written",
    "ref-moved",
    "cache-written",
];

/// Checks that a repository in which a process has died can be used as before.
#[track_caller]
fn check_sound(repo: &TestRepo, at: &str) {
    let fsck = repo.try_git(&["fsck", "--strict"]);
    assert_eq!(fsck.status, Some(0), "{at}: {}", fsck.stderr);
    let clone = repo.beside(&format!("clone-{at}"));
    let url = format!("file://{}", repo.dir().display());
    let hash = format!(
        "--object-format={}",
        repo.git(&["rev-parse", "--show-object-format"])
    );
    repo.git(&["init", "-q", "--bare", &hash, clone.to_str().unwrap()]);
    let fetcher = repo.at(clone);
    fetcher.git(&["fetch", "-q", &url, "refs/*:refs/*"]);
    fetcher.git(&["fsck", "--strict"]);
    repo.write("after", at).commit("life goes on");
}

fn kill_at(repo: &TestRepo, role: &str, at: &str) {
    let child = start_child(repo, role, &[("SVERKLO_FAILPOINT", at)]);
    let out = child.wait_with_output().unwrap();
    assert!(!out.status.success(), "{at} was not reached");
}

#[test]
fn dying_while_indexing_loses_nothing() {
    for at in FAILPOINTS {
        let repo = TestRepo::init();
        commit_change(&repo, 0);
        let ours = open(&repo);
        let (old, _) = store::ensure(
            &ours,
            &Snapshot::default(),
            &documents(&ours, "HEAD"),
            1,
            &Quiet,
        )
        .unwrap();
        commit_change(&repo, 1);
        kill_at(&repo, "index", at);

        let found = Snapshot::open(&ours).unwrap();
        assert!(found.warnings.is_empty(), "{at}: {:?}", found.warnings);
        let moved = matches!(*at, "ref-moved" | "cache-written");
        if moved {
            assert!(ids(&old).is_subset(&ids(&found)), "{at}");
            check_covers(&found, &documents(&ours, "HEAD"));
        } else {
            assert_eq!(ids(&found), ids(&old), "{at}");
        }
        check_sound(&repo, at);
        let wanted = documents(&ours, "HEAD");
        let (after, _) = store::ensure(&ours, &found, &wanted, 1, &Quiet).unwrap();
        check_covers(&after, &wanted);
        store::gc(&ours, &|_| true).unwrap();
        let left: Vec<_> = std::fs::read_dir(repo.kept().join("seg"))
            .unwrap()
            .collect();
        assert_eq!(left.len(), 1, "{at}: gc removes what was left behind");
    }
}

#[test]
fn dying_before_the_first_index_or_while_collecting_loses_nothing() {
    for at in ["pack-begun", "pack-sent", "pack-written", "ref-moved"] {
        let repo = TestRepo::init_as(Kind {
            sha256: true,
            ..Kind::default()
        });
        commit_change(&repo, 0);
        kill_at(&repo, "index", at);
        let ours = open(&repo);
        let found = Snapshot::open(&ours).unwrap();
        assert_eq!(found.tip.is_some(), at == "ref-moved");
        check_sound(&repo, at);

        let old = documents(&ours, "HEAD");
        store::ensure(&ours, &found, &old, 1, &Quiet).unwrap();
        commit_change(&repo, 1);
        let both = documents(&ours, "HEAD");
        store::ensure(&ours, &Snapshot::default(), &both, 1, &Quiet).unwrap();
        kill_at(&repo, "collect", at);
        let found = Snapshot::open(&ours).unwrap();
        check_covers(&found, &both);
        let replaced = old
            .iter()
            .any(|key| !both.contains(key) && found.find(key).is_none());
        assert_eq!(replaced, at == "ref-moved", "{at}");
        check_sound(&repo, &format!("{at}-gc"));
    }
}

#[test]
fn a_child_that_is_not_told_to_die_finishes() {
    let repo = TestRepo::init();
    commit_change(&repo, 0);
    let child = start_child(&repo, "index", &[("SVERKLO_FAILPOINT", "nowhere")]);
    let out = child.wait_with_output().unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let ours = open(&repo);
    check_covers(&Snapshot::open(&ours).unwrap(), &documents(&ours, "HEAD"));
}

/// Commits so much that its index has several segments, of files that are quickly passed over.
fn commit_much(repo: &TestRepo, mark: &str) {
    for n in 0..40 {
        repo.write(
            format!("{mark}{n}.js"),
            format!("/*{mark}{n}*/").repeat(100_000),
        );
    }
    repo.commit("much");
}

#[test]
fn a_long_index_that_dies_has_kept_what_it_had_published() {
    let repo = TestRepo::init();
    commit_much(&repo, "a");
    kill_at(&repo, "index", "stage,stage-published");
    let ours = open(&repo);
    let (found, wanted) = (Snapshot::open(&ours).unwrap(), documents(&ours, "HEAD"));
    let kept = wanted
        .iter()
        .filter(|key| found.find(key).is_some())
        .count();
    assert!(
        kept > 0 && kept < wanted.len(),
        "{kept} of {}",
        wanted.len()
    );
    check_sound(&repo, "stage-published");
    let (after, report) = store::ensure(&ours, &found, &wanted, 1, &Quiet).unwrap();
    assert_eq!(report.extracted, wanted.len() - kept);
    check_covers(&after, &wanted);
}

#[test]
fn what_is_published_in_stages_ends_as_if_it_had_been_at_once() {
    let (stages, once) = (TestRepo::init(), TestRepo::init());
    for mark in ["a", "b"] {
        commit_much(&stages, mark);
        let child = start_child(&stages, "index", &[("SVERKLO_FAILPOINT", "stage")]);
        assert!(child.wait_with_output().unwrap().status.success());

        commit_much(&once, mark);
        let ours = open(&once);
        let (known, wanted) = (Snapshot::open(&ours).unwrap(), documents(&ours, "HEAD"));
        store::ensure(&ours, &known, &wanted, 1, &Quiet).unwrap();
        let tip = |repo: &TestRepo| Snapshot::open(&open(repo)).unwrap().tip;
        assert!(
            tip(&stages).is_some() && tip(&stages) == tip(&once),
            "{mark}"
        );
    }
}
