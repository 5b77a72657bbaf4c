//! The history log in the index: written by `index`, united, pushed without what is private, collected, and
//! never worth more than the commits it is about.

use crate::git_oracle::open;
use crate::harness::TestRepo;
use crate::wander::Wander;
use git_sverklo::git::{Head, Repo};
use git_sverklo::history::log::Log;
use git_sverklo::history::window::{Age, Window};
use git_sverklo::id::CommitId;
use git_sverklo::store::{self, Quiet, Snapshot};
use std::collections::BTreeSet;

const INDEX: &str = "refs/sverklo/v1/index";

/// Commits something that touches two of a few files.
pub fn commit(repo: &TestRepo, n: usize, said: &str) {
    for file in [n % 5, (n * 3 + 1) % 5] {
        let text = format!("def part{file}(x):\n    return x + {n}\n");
        repo.write(format!("src/part{file}.py"), text);
    }
    repo.commit(said);
}

pub fn workshop(commits: usize) -> TestRepo {
    let repo = TestRepo::init();
    for n in 0..commits {
        commit(&repo, n, &format!("step{n} of the workshop"));
    }
    repo
}

pub fn clone(of: &TestRepo, name: &str, options: &[&str]) -> TestRepo {
    let dir = of.beside(name);
    let url = format!("file://{}", of.dir().display());
    let mut args = vec!["clone", "-q"];
    args.extend(options);
    args.extend([&*url, dir.to_str().unwrap()]);
    of.git(&args);
    of.at(dir)
}

pub fn hub() -> TestRepo {
    TestRepo::init_as(crate::harness::Kind {
        bare: true,
        ..Default::default()
    })
}

pub fn head(repo: &Repo) -> CommitId {
    match repo.head().unwrap() {
        Head::Commit { id, .. } => id,
        Head::Unborn => panic!("no commit"),
    }
}

/// What a window holds, for comparing.
fn listed(window: &Window) -> Vec<(u32, Vec<String>, usize)> {
    let ages = (0..window.len() as u32).map(Age);
    let text = |path: Vec<u8>| String::from_utf8(path).unwrap();
    ages.map(|age| {
        let holders = ["workshop", "side", "step3", "step7"].map(|term| {
            let found = window.holders(term.as_bytes());
            found.filter(|(of, _)| *of == age).count()
        });
        let touched = window.touched(age).map(text).collect();
        (window.length(age), touched, holders.iter().sum())
    })
    .collect()
}

/// The window of `HEAD` as the index has it is the one that is read from the commits; returns what the
/// index did not have.
#[track_caller]
pub fn check(repo: &TestRepo) -> usize {
    let repo = open(repo);
    let snapshot = Snapshot::open(&repo).unwrap();
    let kept = store::log::window(&repo, &snapshot, head(&repo), &Quiet).unwrap();
    let read = Window::open(&repo, Log::default(), head(&repo), &|_, _| true).unwrap();
    assert_eq!(listed(&kept), listed(&read));
    assert_eq!(kept.extent(), read.extent());
    kept.fresh().map_or(0, |fresh| fresh.len())
}

/// The commits that the log of an index tells of.
pub fn told(repo: &TestRepo) -> BTreeSet<String> {
    told_at(repo, INDEX)
}

pub fn told_at(repo: &TestRepo, name: &str) -> BTreeSet<String> {
    let tip = repo.git(&["rev-parse", name]);
    let opened = open(repo);
    let tip = CommitId::from_hex(tip.trim().as_bytes()).unwrap();
    let snapshot = Snapshot::at(&opened, tip, &Snapshot::default());
    let mut warnings = Vec::new();
    let pieces = snapshot.log().open(&opened, &mut warnings);
    assert!(warnings.is_empty(), "{warnings:?}");
    let ids = pieces.iter().flat_map(|open| open.piece().ids());
    ids.map(|id| id.to_string()).collect()
}

pub fn commits(repo: &TestRepo, revisions: &[&str]) -> BTreeSet<String> {
    let listed = repo.git(&[&["rev-list"], revisions].concat());
    listed.lines().map(str::to_owned).collect()
}

#[test]
fn an_index_tells_what_its_commits_say() {
    let repo = workshop(5);
    repo.sverklo(&["search", "workshop"]).success();
    assert!(told(&repo).is_empty(), "a question publishes no log");
    repo.sverklo(&["index"]).success();
    assert_eq!(told(&repo), commits(&repo, &["HEAD"]));
    assert_eq!(check(&repo), 0);
    // Only what is new is added, and nothing is written when there is nothing new.
    let before = repo.git(&["rev-parse", INDEX]);
    repo.sverklo(&["index"]).success();
    assert_eq!(repo.git(&["rev-parse", INDEX]), before);
    commit(&repo, 7, "one more");
    repo.sverklo(&["index"]).success();
    let names = repo.git(&["ls-tree", "-r", "--name-only", INDEX, "log"]);
    assert_eq!(names.lines().count(), 2);
    // The folder holds nothing that the ref does not.
    std::fs::remove_dir_all(repo.kept().join("log")).unwrap();
    assert_eq!(check(&repo), 0);
}

#[test]
fn logs_written_in_any_way_are_collected_to_the_same() {
    let repo = workshop(12);
    let at_once = clone(&repo, "at-once", &[]);
    at_once.sverklo(&["index"]).success();
    at_once.sverklo(&["gc"]).success();
    let bit_by_bit = clone(&repo, "bit-by-bit", &[]);
    let tip = bit_by_bit.git(&["rev-parse", "HEAD"]);
    for back in (0..12).rev() {
        bit_by_bit.git(&["reset", "-q", "--hard", &format!("{}~{back}", tip.trim())]);
        bit_by_bit.sverklo(&["index"]).success();
    }
    let pieces = |repo: &TestRepo| repo.git(&["ls-tree", "-r", INDEX, "log"]);
    assert!(pieces(&bit_by_bit).lines().count() < 8, "tiers are merged");
    assert_eq!(check(&bit_by_bit), 0);
    bit_by_bit.sverklo(&["gc"]).success();
    assert_eq!(pieces(&bit_by_bit), pieces(&at_once));
    assert_eq!(pieces(&at_once).lines().count(), 1);
}

#[test]
fn a_collection_drops_what_no_ref_reaches_and_it_does_not_come_back() {
    let repo = workshop(4);
    let hub = hub();
    repo.git(&["remote", "add", "origin", hub.dir().to_str().unwrap()]);
    repo.git(&["push", "-q", "origin", "HEAD"]);
    repo.sverklo(&["index"]).success();
    repo.sverklo(&["push"]).success();
    let all = told(&repo);
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    repo.git(&["push", "-q", "--force", "origin", "HEAD"]);
    repo.sverklo(&["index"]).success();
    assert_eq!(told(&repo), all);
    repo.git(&["update-ref", "-d", "refs/remotes/origin/main"]);
    let foreseen = repo.sverklo(&["gc", "--dry-run"]).success();
    assert!(foreseen.contains("the log of 1 commit"), "{foreseen}");
    repo.sverklo(&["gc"]).success();
    assert_eq!(told(&repo), commits(&repo, &["HEAD"]));
    repo.sverklo(&["fetch"]).success();
    assert_eq!(told(&repo), commits(&repo, &["HEAD"]));
    assert_eq!(check(&repo), 0);
}

#[test]
fn whoever_fetches_need_not_read() {
    let hub = hub();
    let ann = workshop(6);
    ann.git(&["remote", "add", "origin", hub.dir().to_str().unwrap()]);
    ann.git(&["push", "-q", "origin", "HEAD"]);
    ann.sverklo(&["index"]).success();
    ann.sverklo(&["push"]).success();
    hub.git(&["symbolic-ref", "HEAD", "refs/heads/main"]);
    let ben = clone(&hub, "ben", &[]);
    let said = ben.sverklo(&["fetch", "--json"]).success();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["commits"], 6);
    assert_eq!(check(&ben), 0);
    // Both go on, and meet.
    commit(&ben, 11, "side of ben");
    ben.git(&["push", "-q", "origin", "HEAD"]);
    ben.sverklo(&["index"]).success();
    ben.sverklo(&["push"]).success();
    ann.git(&["fetch", "-q"]);
    ann.git(&["reset", "-q", "--hard", "origin/main"]);
    ann.sverklo(&["fetch"]).success();
    assert_eq!(check(&ann), 0);
    assert_eq!(told(&ann), commits(&ann, &["HEAD"]));
    // Of the tip that is pushed each piece has a parent, by which git knows it.
    let tip = ann.git(&["rev-parse", INDEX]);
    assert_eq!(ann.git(&["rev-list", "--count", tip.trim()]).trim(), "1");
    let theirs = "refs/sverklo/remotes/origin/v1/index";
    let entries = ann.git(&["ls-tree", "-r", "--name-only", theirs]);
    let pieces = entries.lines().filter(|name| name.contains('/')).count();
    let parents = ann.git(&["rev-list", "--count", theirs]);
    assert_eq!(parents.trim(), (pieces + 1).to_string());
}

#[test]
fn what_a_private_commit_says_stays_private() {
    let hub = hub();
    let repo = workshop(4);
    repo.git(&["remote", "add", "origin", hub.dir().to_str().unwrap()]);
    repo.git(&["push", "-q", "origin", "HEAD"]);
    repo.git(&["checkout", "-q", "-b", "secret"]);
    // The content is public, what is said of it is not.
    repo.git(&[
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "zzembargo of the workshop",
    ]);
    repo.sverklo(&["index"]).success();
    assert_eq!(told(&repo), commits(&repo, &["secret"]));
    let out = repo.sverklo(&["push", "--json"]).success();
    let out: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&out["commits"], &out["commits_withheld"]),
        (&4.into(), &1.into())
    );
    assert_eq!(told_at(&hub, INDEX), commits(&repo, &["main"]));
    let objects = hub.git_bytes(&["cat-file", "--batch-all-objects", "--batch"]);
    let leaks = objects.windows(9).any(|part| part == b"zzembargo");
    assert!(!leaks);
    // Nothing to send twice.
    let again = repo.sverklo(&["push", "--json"]).success();
    let again: serde_json::Value = serde_json::from_str(&again).unwrap();
    assert_eq!(again["current"], true);
    // What is fetched back does not take it away here.
    repo.sverklo(&["fetch"]).success();
    assert_eq!(told(&repo), commits(&repo, &["secret"]));
    // It travels with the commit.
    repo.git(&["push", "-q", "origin", "secret"]);
    repo.sverklo(&["push"]).success();
    assert_eq!(told_at(&hub, INDEX), commits(&repo, &["secret"]));
}

#[test]
fn a_shallow_clone_knows_from_the_log_what_it_lacks() {
    let origin = workshop(8);
    origin.sverklo(&["index"]).success();
    let shallow = clone(&origin, "shallow", &["--depth=2"]);
    let search = |repo: &TestRepo| -> serde_json::Value {
        serde_json::from_str(&repo.sverklo(&["search", "step3", "--json"]).stdout).unwrap()
    };
    let blind = search(&shallow);
    assert_eq!(blind["history"], "no history to rank by (shallow clone)");
    shallow.sverklo(&["fetch"]).success();
    let seeing = search(&shallow);
    assert_eq!(seeing["history"], serde_json::Value::Null);
    assert_eq!(seeing["hits"], search(&origin)["hits"]);
    // It adds nothing that it cannot know.
    shallow.sverklo(&["index"]).success();
    assert_eq!(told(&shallow), told(&origin));
    shallow.sverklo(&["gc"]).success();
    assert_eq!(told(&shallow), told(&origin));
}

/// Whatever happens to the index, a window is what the commits say.
#[test]
fn a_window_is_what_is_read_from_the_commits() {
    let hub = hub();
    let ann = workshop(3);
    ann.git(&["remote", "add", "origin", hub.dir().to_str().unwrap()]);
    ann.git(&["push", "-q", "origin", "HEAD:main"]);
    hub.git(&["symbolic-ref", "HEAD", "refs/heads/main"]);
    let ben = clone(&hub, "ben", &[]);
    Wander {
        commit: &|repo, step| commit(repo, step, &format!("step{step} in the workshop")),
        question: "workshop",
        extra: &|_| {},
    }
    .go(&ann, &ben, &mut || {
        check(&ann);
        check(&ben);
    });
}
