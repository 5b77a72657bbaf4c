//! What `index` covers, with the git program as the oracle, and shards that unite to the whole.

use crate::git_oracle::{KINDS, open};
use crate::harness::TestRepo;
use crate::walks::grow;
use git_sverklo::id::CommitId;
use git_sverklo::store::{self, Quiet};
use git_sverklo::upkeep::cover;
use serde_json::Value;
use std::collections::BTreeSet;

/// A history with two branches, a remote-tracking branch, a tag that nothing else reaches and a
/// linked work tree. Commits are a minute apart.
fn made(repo: &TestRepo) -> Vec<String> {
    let made = grow(repo, 17, 80, 0);
    repo.git(&["update-ref", "-d", "refs/heads/made"]);
    for (name, n) in [
        ("refs/heads/main", 70),
        ("refs/heads/topic", 40),
        ("refs/remotes/origin/main", 77),
        ("refs/tags/v1", 79),
    ] {
        repo.git(&["update-ref", name, &made[n]]);
    }
    repo.git(&["checkout", "-q", "-f", "main"]);
    let linked = repo.beside("linked");
    let linked = linked.to_str().unwrap();
    repo.git(&["worktree", "add", "-q", "--detach", linked, &made[60]]);
    made
}

fn index(repo: &TestRepo, args: &[&str]) -> Value {
    let args = [&["index", "--json"], args].concat();
    serde_json::from_str(&repo.sverklo(&args).success()).unwrap()
}

/// The blobs that `git ls-tree` lists for the commits; all are Rust, so each is one document.
fn blobs<'a>(repo: &TestRepo, commits: impl IntoIterator<Item = &'a String>) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for commit in commits {
        let listed = repo.git(&["ls-tree", "-r", "--format=%(objectname)", commit]);
        all.extend(listed.lines().map(str::to_owned));
    }
    all
}

fn lines(text: String) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

#[track_caller]
fn assert_covers(repo: &TestRepo, args: &[&str], commits: &BTreeSet<String>) {
    let report = index(repo, args);
    assert_eq!(report["commits_total"], commits.len(), "{args:?}: {report}");
    let needed = blobs(repo, commits).len();
    assert_eq!(report["documents_needed"], needed, "{args:?}: {report}");
    if commits.len() <= 20 {
        let listed: BTreeSet<&str> = report["commits"]
            .as_array()
            .unwrap()
            .iter()
            .map(|id| id.as_str().unwrap())
            .collect();
        assert!(commits.iter().all(|commit| listed.contains(&commit[..10])));
    }
    // Covered means that nothing of it is left to be extracted.
    let again: Vec<&str> = commits.iter().map(String::as_str).collect();
    assert_eq!(index(repo, &again)["documents_added"], 0, "{args:?}");
    repo.git(&["update-ref", "-d", "refs/sverklo/v1/index"]);
}

#[test]
fn index_covers_what_git_lists() {
    for kind in KINDS {
        let repo = TestRepo::init_as(kind);
        let made = made(&repo);
        let set =
            |all: &[usize]| -> BTreeSet<String> { all.iter().map(|n| made[*n].clone()).collect() };
        let listed = |args: &[&str]| -> BTreeSet<String> {
            let args = [&["rev-list"], args].concat();
            lines(repo.git(&args)).into_iter().collect()
        };
        assert_covers(&repo, &["HEAD"], &set(&[70]));
        assert_covers(&repo, &["topic", "v1"], &set(&[40, 79]));
        let everything = listed(&["--branches", "--remotes", "--tags", &made[60]]);
        assert_covers(&repo, &["--all"], &everything);
        let since = (1_700_000_000 + 50 * 60).to_string();
        let after = format!("--since={since}");
        assert_covers(
            &repo,
            &["--since", &since],
            &listed(&["--branches", "--remotes", "--tags", &made[60], &after]),
        );
        assert_covers(&repo, &["main", &after], &listed(&["main", &after]));
        assert_covers(
            &repo,
            &["--rev-range", "topic..main", "--rev-range=v1^!"],
            &(&listed(&["topic..main"]) | &listed(&["v1^!"])),
        );

        // Everything is within two weeks of a tip, but not everything is behind a local one.
        let local = listed(&["--branches", &made[60]]);
        assert_covers(&repo, &[], &local);
        repo.git(&["config", "sverklo.window", "5.minutes"]);
        let mut recent = BTreeSet::new();
        for tip in [40, 60, 70] {
            let since = 1_700_000_000 + (tip + 1 - 5) * 60;
            recent.extend(listed(&[&made[tip], &format!("--since={since}")]));
        }
        assert!(recent.len() < local.len());
        assert_covers(&repo, &[], &recent);
        assert_covers(&repo, &["--recent"], &recent);
        repo.git(&["config", "sverklo.history", "tips"]);
        assert_covers(&repo, &[], &set(&[40, 60, 70]));
        assert_covers(&repo, &["--recent"], &recent);
        repo.git(&["config", "sverklo.history", "all"]);
        assert_covers(&repo, &[], &everything);
    }
}

#[test]
fn the_window_is_counted_from_each_tip_and_not_from_now() {
    let repo = TestRepo::init();
    made(&repo);
    // The commits are years old, and a window of two weeks still covers them.
    assert!(index(&repo, &["--recent"])["commits_total"].as_u64() > Some(3));
}

#[test]
fn values_that_are_none_are_named_with_what_is_valid() {
    let repo = TestRepo::init();
    made(&repo);
    let refused = |args: &[&str], parts: &[&str]| {
        let out = repo.sverklo(&[&["index"], args].concat());
        assert_eq!(out.status, Some(2), "{args:?}: {}", out.stdout);
        for part in parts {
            assert!(out.stderr.contains(part), "{args:?}: {}", out.stderr);
        }
    };
    refused(&["--since", "no day at all"], &["no day at all", "2.weeks"]);
    refused(&["--since", ""], &["no date"]);
    refused(
        &["--rev-range", "main..nowhere"],
        &["main..nowhere", "v1..v2"],
    );
    refused(&["--rev-range", "--all"], &["--all", "no range"]);
    for shard in ["0/2", "3/2", "1/1025", "x"] {
        refused(&["--shard", shard], &["K/N with 1 <= K <= N <= 1024"]);
    }
    refused(&["--all", "HEAD"], &["cannot be used with"]);
    refused(
        &["--recent", "--since", "yesterday"],
        &["cannot be used with"],
    );
    repo.git(&["config", "sverklo.window", "yesterday"]);
    refused(&[], &["sverklo.window", "\"yesterday\"", "2.weeks"]);
    repo.git(&["config", "sverklo.history", "everything"]);
    refused(
        &[],
        &["sverklo.history", "\"everything\"", "tips, recent or all"],
    );
    assert_eq!(
        index(&repo, &["HEAD"])["commits_total"],
        1,
        "it asks no configuration"
    );
    for date in ["yesterday", "2.weeks", "2023-11-15", "1700000000"] {
        index(&repo, &["--since", date]);
    }
}

#[test]
fn shards_unite_to_the_index_of_one_machine() {
    for (kind, count) in KINDS.into_iter().zip([3, 4, 7]) {
        let repo = TestRepo::init_as(kind);
        let made = grow(&repo, 5, 60, 0);
        repo.git(&["update-ref", "refs/heads/main", &made[59]]);
        let total = index(&repo, &["--all"])["documents_needed"].as_u64();
        let want = repo.git(&["rev-parse", "refs/sverklo/v1/index"]);
        let clone = |name: &str| {
            let dir = repo.beside(name);
            let (from, to) = (repo.dir().to_str().unwrap(), dir.to_str().unwrap());
            let format = format!(
                "--ref-format={}",
                if kind.reftable { "reftable" } else { "files" }
            );
            repo.git(&["clone", "-q", &format, from, to]);
            repo.at(&dir)
        };
        let joined = clone("joined");
        let mut sum = 0;
        for number in 1..=count {
            let name = format!("shard{number}");
            let machine = clone(&name);
            let shard = format!("--shard={number}/{count}");
            let report = index(&machine, &["--all", &shard]);
            assert_eq!(report["documents_needed"], report["documents_added"]);
            sum += report["documents_needed"].as_u64().unwrap();
            let to = format!("refs/sverklo/v1/index:refs/sverklo/remotes/{name}/v1/index");
            joined.git(&["fetch", "-q", machine.dir().to_str().unwrap(), &to]);
            let tip = joined.git(&[
                "rev-parse",
                &format!("refs/sverklo/remotes/{name}/v1/index"),
            ]);
            let tip = CommitId::from_hex(tip.as_bytes()).unwrap();
            store::union(&open(&joined), tip).unwrap();
        }
        assert_eq!(Some(sum), total, "each document is in one shard");
        store::gc(&open(&joined), &|_| true).unwrap();
        assert_eq!(joined.git(&["rev-parse", "refs/sverklo/v1/index"]), want);
        assert_eq!(index(&joined, &["--all"])["documents_added"], 0);
    }
}

#[test]
fn keeping_all_of_history_warm_costs_what_is_new() {
    let repo = TestRepo::init();
    let made = made(&repo);
    repo.git(&["config", "sverklo.history", "all"]);
    let warm = || cover::warm(&open(&repo), 1, &Quiet).unwrap();
    let count = |args: &[&str]| -> usize {
        let args = [&["rev-list", "--count"], args].concat();
        repo.git(&args).parse().unwrap()
    };
    let all = ["--branches", "--remotes", "--tags", &made[60]];
    let everything = count(&all);
    assert!(everything > 20);
    assert_eq!(warm().commits_total, everything);
    assert_eq!(warm().commits_total, 1, "HEAD, which is always looked at");
    repo.write("new.rs", "fn brand_new() {}\n");
    repo.commit("new");
    let report = warm();
    assert_eq!((report.commits_total, report.documents_added), (1, 1));
    repo.git(&["update-ref", "refs/heads/fresh", &made[78]]);
    let old = [
        "fresh",
        "--not",
        "v1",
        "main",
        "topic",
        "origin/main",
        &made[60],
    ];
    assert_eq!(warm().commits_total, 1 + count(&old));

    // An index that lost documents is made whole.
    repo.git(&["update-ref", "-d", "refs/sverklo/v1/index"]);
    assert!(warm().commits_total > everything);
    assert_eq!(index(&repo, &["--all"])["documents_added"], 0);
    // What somebody asks for is looked at whatever the notes say.
    assert_eq!(index(&repo, &[])["commits_total"], count(&all));
}
