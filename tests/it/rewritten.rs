//! What is told of commits that were rewritten: by `history`, by `verify`, and where one is asked for.

use crate::harness::TestRepo;

/// Tells the program what git tells the post-rewrite hook.
pub fn rewrote(repo: &TestRepo, pairs: &[(&str, &str)]) {
    let pairs = pairs.iter().map(|(old, new)| format!("{old} {new}\n"));
    repo.write("../pairs", pairs.collect::<String>());
    let file = std::fs::File::open(repo.beside("pairs")).unwrap();
    let mut command = repo.sverklo_command(&["hook", "post-rewrite", "rebase"]);
    assert!(command.stdin(file).status().unwrap().success());
}

fn head(repo: &TestRepo) -> String {
    repo.git(&["rev-parse", "HEAD"])
}

fn forget_the_old(repo: &TestRepo) {
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["gc", "-q", "--prune=now"]);
}

/// Two commits made one, which is then amended: their ids, and that of what they became.
fn squashed() -> (TestRepo, [String; 2], String) {
    let repo = TestRepo::init();
    repo.write("a.txt", "a\n").commit("base");
    repo.write("price.py", "def price(n):\n    return n\n");
    repo.commit("Add price");
    let first = head(&repo);
    repo.write("price.py", "def price(n):\n    return max(n, 0)\n");
    repo.commit("Reject negatives\n\nA refund came in as -3 (#12).");
    let second = head(&repo);
    repo.git(&["reset", "-q", "--soft", "HEAD~2"]);
    repo.commit("Add price");
    let one = head(&repo);
    rewrote(&repo, &[(&first, &one), (&second, &one)]);
    repo.git(&["commit", "-q", "--amend", "-m", "Add prices"]);
    let amended = head(&repo);
    rewrote(&repo, &[(&one, &amended)]);
    (repo, [first, second], amended)
}

#[test]
fn a_version_names_what_was_squashed_into_it() {
    let (repo, [first, second], one) = squashed();
    let (a, b) = (&first[..10], &second[..10]);
    let said = repo.sverklo(&["history", "price"]).success();
    let line = format!("squashed from {a} \"Add price\", {b} \"Reject negatives\"");
    assert!(said.contains(&line) && said.contains(&one[..10]), "{said}");
    let why = repo.sverklo(&["history", "price", "--why"]).success();
    let words =
        format!("\"[{a}] Add price [{b}] Reject negatives: A refund came in as -3 (#12).\"");
    // What the commit says itself is not said again.
    let words = words.replace(&format!("[{a}] Add price "), "");
    assert!(why.contains(&words), "{why}");
    let json = repo.sverklo(&["history", "price", "--json"]).success();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let parts = &json["versions"][0]["commit"]["squashed"];
    assert_eq!(parts[1]["id"], second);
    assert_eq!(parts[1]["subject"], "Reject negatives");

    forget_the_old(&repo);
    let said = repo.sverklo(&["history", "price"]).success();
    assert!(
        said.contains(&format!("squashed from {a}, {b} |")),
        "{said}"
    );
    let why = repo.sverklo(&["history", "price", "--why"]).success();
    assert!(!why.contains("refund"), "{why}");
}

#[test]
fn a_commit_that_was_only_amended_is_itself() {
    let repo = TestRepo::init();
    repo.write("a.py", "def a():\n    return 1\n");
    repo.commit("one");
    let old = head(&repo);
    repo.git(&["commit", "-q", "--amend", "-m", "two"]);
    rewrote(&repo, &[(&old, &head(&repo))]);
    let said = repo.sverklo(&["history", "a"]).success();
    assert!(!said.contains("squashed"), "{said}");
}

/// A branch with a file of its own, rebased: the commit before, and the one after.
fn rebased() -> (TestRepo, String, String) {
    let repo = TestRepo::init();
    repo.write("a.txt", "a\n").commit("base");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write(
        "b.py",
        "def b():\n    return 'b'\n\n\ndef c():\n    return 'c'\n",
    );
    repo.commit("add b");
    let old = head(&repo);
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a.txt", "b\n").commit("meanwhile");
    repo.git(&["checkout", "-q", "topic"]);
    repo.git(&["rebase", "-q", "main"]);
    let new = head(&repo);
    rewrote(&repo, &[(&old, &new)]);
    repo.write("b.py", "def b():\n    return 'b'\n");
    repo.commit("drop c");
    (repo, old, new)
}

#[test]
fn what_went_after_a_rebase_was_removed_by_a_commit() {
    let (repo, old, _) = rebased();
    let dropped = head(&repo);
    let cited = format!("b.py:5-6@{old}");
    let said = repo.sverklo(&["verify", &cited]).stdout;
    assert!(said.contains(&format!("by {}", &dropped[..10])), "{said}");
    assert!(!said.contains("is gone"), "{said}");
}

#[test]
fn a_citation_of_a_commit_that_is_gone_is_asked_of_what_it_became() {
    let (repo, old, new) = rebased();
    forget_the_old(&repo);
    let (was, is) = (&old[..12], &new[..10]);
    let cited = [format!("b.py:1-2@{was}"), format!("z.py:1@{was}")];
    let said = repo.sverklo(&["verify", &cited[0], &cited[1]]).stdout;
    let gone = format!("its commit is gone: asked of {is}, which it became");
    let stands = format!("unchanged b.py:1-2@{was} | {gone}\n");
    assert!(said.contains(&stands), "{said}");
    let unknown = format!("unknown z.py:1@{was} | no such file at {is} | {gone}\n");
    assert!(said.contains(&unknown), "{said}");

    repo.write("../notes.md", format!("see {}\n", cited[0]));
    let notes = repo.beside("notes.md").display().to_string();
    let fixed = repo.sverklo(&["verify", "--fix", "--file", &notes]);
    let now = head(&repo);
    assert_eq!(fixed.stdout, format!("see b.py:1-2@{}\n", &now[..10]));
    assert!(fixed.stderr.contains("b.py:1-2@"), "{fixed:?}");

    for rev in [was, old.as_str()] {
        let asked = repo.sverklo(&["symbol", "c", "--at", rev]);
        assert_eq!(asked.status, Some(2));
        let hint = format!("{rev:?} is no longer here: it was rewritten as {is}; ask there");
        assert!(asked.stderr.contains(&hint), "{asked:?}");
    }
    let asked = repo.sverklo(&["symbol", "c", "--at", &new]).success();
    assert!(asked.contains("b.py:5"), "{asked}");
}

/// What was told goes with the clone, and a long history of rewriting does not grow without end.
#[test]
fn only_the_last_rewrites_are_kept() {
    let (repo, old, new) = rebased();
    let id = |n: usize| format!("{n:040x}");
    let pairs: Vec<(String, String)> = (1..14_000).map(|n| (id(n), id(n + 20_000))).collect();
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (&a[..], &b[..])).collect();
    rewrote(&repo, &pairs);
    forget_the_old(&repo);
    let asked = repo.sverklo(&["symbol", "c", "--at", &old]);
    assert!(asked.stderr.contains("unknown revision"), "{asked:?}");
    rewrote(&repo, &[(&old, &new)]);
    let asked = repo.sverklo(&["symbol", "c", "--at", &old]);
    assert!(asked.stderr.contains("rewritten as"), "{asked:?}");
}
