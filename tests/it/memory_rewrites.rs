//! Memories whose commits were rewritten, by real git, and those of clones that lack history.

use crate::harness::TestRepo;
use crate::memory::{recall, remember, texts};

/// A branch `topic` with two commits on top of main, and a memory at each of them.
fn topic() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("a.txt", "a\n".repeat(30));
    repo.commit("base");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("b.py", "def b():\n    return 'b'\n");
    repo.commit("add b");
    remember(&repo, &["-t", "b.py", "b is pure"]);
    repo.write("c.py", "def c():\n    return 'c'\n");
    repo.commit("add c");
    remember(&repo, &["-t", "c.py::c#function", "c is slow"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a.txt", "b\n".repeat(30));
    repo.commit("meanwhile");
    repo
}

const BOTH: [&str; 2] = ["b is pure", "c is slow"];

/// The states and reasons at a revision, by text.
#[track_caller]
fn states(repo: &TestRepo, at: &str) -> Vec<(String, String)> {
    let all = recall(repo, at, &["--all"]).into_iter();
    all.map(|(_, state, why)| (state, why)).collect()
}

#[test]
fn a_branch_that_is_not_merged_says_nothing_here() {
    let repo = topic();
    assert_eq!(texts(&repo, "topic"), BOTH);
    assert!(texts(&repo, "main").is_empty());
    for (state, why) in states(&repo, "main") {
        assert_eq!(
            (state.as_str(), why.as_str()),
            ("elsewhere", "its commit is not merged here")
        );
    }
    assert!(
        states(&repo, "main~1")
            .iter()
            .all(|(state, _)| state == "later")
    );
}

#[test]
fn a_rebase_is_followed_by_the_pairs_that_the_hook_is_told() {
    let repo = topic();
    let old = repo.git(&["rev-parse", "topic~1", "topic"]);
    repo.git(&["rebase", "-q", "main", "topic"]);
    let new = repo.git(&["rev-parse", "topic~1", "topic"]);
    let pairs: String = old
        .lines()
        .zip(new.lines())
        .map(|(a, b)| format!("{a} {b}\n"))
        .collect();
    hook(&repo, &pairs);
    // Nothing but the repins knows: the old commits are gone from the clone.
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    assert_eq!(texts(&repo, "topic"), BOTH);
    assert!(
        states(&repo, "topic")
            .iter()
            .all(|(_, why)| why.contains("rewritten as"))
    );
    assert!(texts(&repo, "main").is_empty());
    assert!(
        states(&repo, "main")
            .iter()
            .all(|(state, _)| state == "later")
    );
}

/// Tells the program what git tells the post-rewrite hook.
fn hook(repo: &TestRepo, pairs: &str) {
    repo.write("../pairs", pairs);
    let file = std::fs::File::open(repo.beside("pairs")).unwrap();
    let mut command = repo.sverklo_command(&["hook", "post-rewrite", "rebase"]);
    assert!(command.stdin(file).status().unwrap().success());
}

#[test]
fn a_repin_is_followed_over_steps_and_recorded_once() {
    let repo = topic();
    let ids: Vec<String> = (0..3)
        .map(|n| {
            repo.git(&["checkout", "-q", "topic"]);
            let old = repo.git(&["rev-parse", "HEAD"]);
            repo.write("c.py", format!("def c():\n    return {n}\n"));
            repo.git(&[
                "commit",
                "-q",
                "-a",
                "--amend",
                "-m",
                &format!("amended {n}"),
                "--date=2020-01-01T00:00:00Z",
            ]);
            let new = repo.git(&["rev-parse", "HEAD"]);
            hook(&repo, &format!("{old} {new}\n"));
            hook(&repo, &format!("{old} {new}\n"));
            new
        })
        .collect();
    let short = &ids[2][..10];
    let found = recall(&repo, "topic", &["slow"]);
    assert_eq!(found[0].1, "holds");
    assert!(found[0].2.contains(short), "{}", found[0].2);
    let log = repo.sverklo(&["memory", "log"]).success();
    assert_eq!(log.matches("  repin ").count(), 3, "{log}");
}

#[test]
fn pairs_that_no_memory_is_pinned_to_leave_no_trace() {
    let repo = topic();
    let before = repo.git(&["rev-parse", crate::memory::MEMORY]);
    let other = repo.git(&["rev-parse", "main"]);
    hook(
        &repo,
        &format!("{other} {}\nnonsense\n", repo.git(&["rev-parse", "topic"])),
    );
    assert_eq!(repo.git(&["rev-parse", crate::memory::MEMORY]), before);
}

#[test]
fn copies_are_known_by_their_patch() {
    let repo = topic();
    repo.git(&["cherry-pick", "topic"]);
    let found = recall(&repo, "main", &["--all"]);
    assert_eq!(
        (found[0].1.as_str(), found[1].1.as_str()),
        ("elsewhere", "holds")
    );
    assert!(found[1].2.contains("is a copy"), "{}", found[1].2);
    // Rebased where no hook was: both are copies.
    repo.git(&["checkout", "-q", "-b", "rebased", "topic"]);
    repo.git(&["rebase", "-q", "main~1"]);
    assert_eq!(texts(&repo, "rebased"), BOTH);
}

#[test]
fn a_squash_is_known_by_what_it_brought() {
    let repo = topic();
    repo.git(&["merge", "-q", "--squash", "topic"]);
    let squash = repo.commit("topic, squashed");
    for later in 0..2 {
        let found = recall(&repo, "main", &[]);
        assert_eq!(texts(&repo, "main"), BOTH, "{later}: {found:?}");
        assert!(
            found.iter().all(|(.., why)| why.contains(&squash[..10])),
            "{found:?}"
        );
        // Still so when the branch is gone and the files went on.
        repo.git(&["branch", "-q", "-D", "topic"]);
        repo.git(&["reflog", "expire", "--expire=now", "--all"]);
        repo.git(&["gc", "-q", "--prune=now"]);
        repo.write("b.py", "def b():\n    return 'later'\n");
        repo.write("c.py", "def c():\n    return 'later'\n");
        repo.commit("later");
        repo.git(&["branch", "topic", "main"]);
    }
    assert!(texts(&repo, "main~3").is_empty());
}

#[test]
fn content_that_was_there_before_tells_nothing() {
    let repo = TestRepo::init();
    repo.write("a.py", "def a():\n    pass\n");
    repo.commit("base");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("b.py", "def b():\n    pass\n");
    repo.commit("on topic");
    remember(&repo, &["-t", "a.py", "a is old"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("on main");
    assert_eq!(states(&repo, "main")[0].0, "elsewhere");
    repo.git(&["branch", "-q", "-D", "topic"]);
    let (state, why) = states(&repo, "main").remove(0);
    assert_eq!(state, "unknown");
    assert!(why.contains("no branch or tag"), "{why}");
}

#[test]
fn a_commit_that_is_gone_without_a_trace_is_unknown_and_can_be_placed_by_hand() {
    let repo = topic();
    let lost = repo.git(&["rev-parse", "topic"]);
    repo.git(&["branch", "-q", "-D", "topic"]);
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    let all = states(&repo, "main");
    assert!(
        all.iter()
            .all(|(state, why)| state == "unknown" && why.contains("not in this clone")),
        "{all:?}"
    );
    let text = repo.sverklo(&["recall"]).success();
    assert!(text.contains("[unknown]"), "{text}");
    repo.sverklo(&["memory", "repin", &lost, "main"]).success();
    assert_eq!(texts(&repo, "main"), ["c is slow"]);
}

#[test]
fn a_shallow_clone_says_what_it_does_not_know() {
    let repo = TestRepo::init();
    repo.write("a", "1");
    repo.commit("one");
    remember(&repo, &["from the start"]);
    repo.write("a", "2");
    repo.commit("two");
    remember(&repo, &["from two"]);
    repo.write("a", "3");
    repo.commit("three");
    remember(&repo, &["from three"]);
    let dir = repo.beside("shallow");
    let url = format!("file://{}", repo.dir().display());
    repo.git(&["clone", "-q", "--depth", "2", &url, dir.to_str().unwrap()]);
    let clone = repo.at(dir);
    clone.sverklo(&["fetch"]).success();
    assert_eq!(texts(&clone, "HEAD"), ["from three", "from two"]);
    let unknown = recall(&clone, "HEAD", &["start"]);
    assert_eq!(unknown[0].1, "unknown");
    assert!(unknown[0].2.contains("shallow"), "{}", unknown[0].2);
    let before = recall(&clone, "HEAD~1", &["--all"]);
    assert_eq!(
        before[1].1, "later",
        "what is a descendant is no ancestor: {before:?}"
    );
    clone.git(&["fetch", "-q", "--unshallow"]);
    assert_eq!(texts(&clone, "HEAD").len(), 3);
}

#[test]
fn rewriting_all_of_history_keeps_what_is_copied() {
    let repo = topic();
    repo.git(&["checkout", "-q", "topic"]);
    // As filter-repo does: every commit anew, with its author, date and difference.
    let mut parent: Option<String> = None;
    for old in repo.git(&["rev-list", "--reverse", "topic"]).lines() {
        let said = repo.git(&["log", "-1", "--format=%T%n%aI%n%s", old]);
        let [tree, date, subject] = said.lines().collect::<Vec<_>>()[..] else {
            panic!("{said}");
        };
        let mut command = repo.command("git");
        command.args(["commit-tree", tree, "-m", subject]);
        command.args(parent.iter().flat_map(|parent| ["-p", parent]));
        command
            .env("GIT_AUTHOR_DATE", date)
            .env("GIT_COMMITTER_NAME", "Other");
        let out = command.output().unwrap();
        assert!(out.status.success());
        parent = Some(String::from_utf8(out.stdout).unwrap().trim().to_owned());
    }
    repo.git(&["reset", "-q", "--hard", &parent.unwrap()]);
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    assert_eq!(texts(&repo, "topic"), BOTH);
}

#[test]
fn what_was_said_of_work_that_is_not_here_does_not_hold_by_what_was_there_before() {
    let ann = TestRepo::init();
    ann.write("a.py", "def a():\n    pass\n");
    ann.commit("base");
    let pure = remember(&ann, &["-t", "a.py", "a is pure"]);
    ann.git(&["checkout", "-q", "-b", "topic"]);
    ann.write("b.py", "def b():\n    return 1\n");
    ann.commit("work that is never pushed");
    ann.sverklo(&["memory", "end", &pure]).success();
    remember(&ann, &["-t", "a.py", "a may be impure"]);
    remember(&ann, &["-t", "b.py", "b returns one"]);

    let bob = ann.at(ann.beside("bob"));
    let from = format!("file://{}", ann.dir().display());
    let to = bob.dir().to_str().unwrap();
    ann.git(&[
        "clone",
        "-q",
        "--single-branch",
        "--branch",
        "main",
        &from,
        to,
    ]);
    bob.git(&[
        "fetch",
        "-q",
        "origin",
        "refs/sverklo/v1/memory:refs/sverklo/v1/memory",
    ]);
    bob.write("c.txt", "c\n");
    bob.commit("meanwhile");
    let states = |repo: &TestRepo| -> Vec<(String, String)> {
        let all = recall(repo, "HEAD", &["--all"]).into_iter();
        all.map(|(text, state, _)| (text, state)).collect()
    };
    let is = |text: &str, state: &str| (text.to_owned(), state.to_owned());
    let unknown = [
        is("a is pure", "unknown"),
        is("a may be impure", "unknown"),
        is("b returns one", "unknown"),
    ];
    assert_eq!(states(&bob), unknown);
    // What came with the very content that it was said of is here.
    bob.write("b.py", "def b():\n    return 1\n");
    bob.commit("the same work, melted into one");
    assert_eq!(states(&bob)[2], is("b returns one", "holds"));
    assert_eq!(states(&bob)[..2], unknown[..2]);
}

#[test]
fn a_second_rewrite_may_be_told_before_the_first() {
    let repo = topic();
    repo.git(&["checkout", "-q", "topic"]);
    let mut ids = vec![repo.git(&["rev-parse", "HEAD"])];
    for n in 0..2 {
        repo.write("c.py", format!("def c():\n    return {n}\n"));
        repo.git(&["commit", "-q", "-a", "--amend", "-m", "again"]);
        ids.push(repo.git(&["rev-parse", "HEAD"]));
    }
    hook(&repo, &format!("{} {}\n", ids[1], ids[2]));
    hook(&repo, &format!("{} {}\n", ids[0], ids[1]));
    let found = recall(&repo, "topic", &["slow"]);
    assert_eq!(found[0].1, "holds");
    assert!(found[0].2.contains("rewritten as"), "{}", found[0].2);
    let log = repo.sverklo(&["memory", "log"]).success();
    assert_eq!(log.matches("  repin ").count(), 2, "{log}");
}

#[test]
fn pairs_that_came_with_an_archive_are_not_recorded() {
    let repo = topic();
    repo.git(&["checkout", "-q", "topic"]);
    let topic = repo.git(&["rev-parse", "HEAD"]);
    let main = repo.git(&["rev-parse", "main"]);
    repo.write(".git/sverklo/rewrites", format!("{topic} {main}\n"));
    hook(&repo, &format!("{main} {topic}\n"));
    let log = repo.sverklo(&["memory", "log"]).success();
    assert!(!log.contains("  repin "), "{log}");
}
