//! Memories are found under the names that files have at the revision that is asked about.

use super::harness::TestRepo;
use super::memory::{recall, remember};
use super::surfacing::{CLIENT, shop};

#[track_caller]
fn found(repo: &TestRepo, at: &str, targets: &[&str]) -> Vec<String> {
    let args: Vec<&str> = targets.iter().flat_map(|target| ["-t", *target]).collect();
    let all = recall(repo, at, &args);
    all.into_iter().map(|(text, ..)| text).collect()
}

/// How often so many commits pass.
fn pass(repo: &TestRepo, count: usize) {
    for number in 0..count {
        repo.write("other.txt", format!("{number}\n"));
        repo.commit("elsewhere");
    }
}

#[test]
fn a_memory_is_found_by_the_path_that_its_file_has_at_the_revision() {
    let repo = shop();
    remember(&repo, &["-t", "net/client.py", "One connection a host."]);
    let symbol = "net/client.py::retry#function";
    remember(&repo, &["-t", symbol, "Three attempts are enough."]);
    pass(&repo, 5);
    let first = repo.git(&["rev-parse", "HEAD"]);
    // Moved and edited at once, moved again, and edited until nothing is as it was.
    repo.git(&["mv", "net/client.py", "net/caller.py"]);
    repo.write(
        "net/caller.py",
        CLIENT.replace("    raise", "    log(times)\n    raise"),
    );
    repo.commit("a better name");
    pass(&repo, 3);
    let second = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["mv", "net/caller.py", "caller.py"]);
    repo.commit("up");
    repo.write("caller.py", "def retry(call):\n    return call()\n");
    repo.commit("all new");
    pass(&repo, 2);
    let both = ["One connection a host.", "Three attempts are enough."];
    assert_eq!(found(&repo, "HEAD", &["caller.py"]), both);
    assert_eq!(found(&repo, "HEAD", &["./caller.py"]), both);
    assert_eq!(
        found(&repo, "HEAD", &["caller.py::retry#function"]),
        both[1..]
    );
    // What it was called then still finds it.
    assert_eq!(found(&repo, "HEAD", &["net/client.py"]), both);
    assert_eq!(found(&repo, second.trim(), &["net/caller.py"]), both);
    // At an old commit the names of that commit count.
    assert!(found(&repo, second.trim(), &["caller.py"]).is_empty());
    assert!(found(&repo, first.trim(), &["net/caller.py"]).is_empty());
    assert_eq!(found(&repo, first.trim(), &["net/client.py"]), both);
    let out = repo.sverklo(&["recall", "-t", "caller.py"]).success();
    assert!(
        out.contains("net/client.py (moved to caller.py and changed by at least 2 commits since"),
        "{out}"
    );
    assert!(
        out.contains("(moved to caller.py::retry#function and changed by"),
        "{out}"
    );
    // It comes up beside the file, too, and is said to be of other code.
    let out = repo
        .sverklo(&["symbol", "caller.py::retry#function"])
        .success();
    assert!(out.contains("Three attempts are enough."), "{out}");
    assert!(out.contains("code changed since"), "{out}");
}

#[test]
fn a_path_that_came_and_went_is_followed() {
    let repo = shop();
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("late.py", "def late():\n    return 1\n\n\nLATE = late()\n");
    repo.commit("late");
    remember(&repo, &["-t", "late.py", "Late is one."]);
    repo.git(&["checkout", "-q", "main"]);
    pass(&repo, 40);
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "topic"]);
    pass(&repo, 1);
    repo.git(&["mv", "late.py", "later.py"]);
    repo.commit("rename");
    pass(&repo, 10);
    assert_eq!(found(&repo, "HEAD", &["later.py"]), ["Late is one."]);
    // One that is gone for good is nowhere.
    repo.remove("later.py");
    repo.write("new.py", "def quite():\n    return 'another'\n");
    repo.commit("no more");
    assert!(found(&repo, "HEAD", &["new.py"]).is_empty());
    assert_eq!(found(&repo, "HEAD", &["late.py"]), ["Late is one."]);
}

#[test]
fn a_directory_and_what_is_in_it_are_followed() {
    let repo = shop();
    remember(&repo, &["-t", "net/", "The network is slow."]);
    remember(&repo, &["-t", "net/names.py", "Names are cached."]);
    repo.git(&["mv", "net", "transport"]);
    repo.write("transport/client.py", format!("import os\n\n{CLIENT}"));
    repo.commit("spell it out");
    let both = ["Names are cached.", "The network is slow."];
    assert_eq!(found(&repo, "HEAD", &["transport"]), both);
    assert_eq!(found(&repo, "HEAD", &["transport/names.py"]), both[..1]);
    assert!(found(&repo, "HEAD", &["transport/client.py"]).is_empty());
}

#[test]
fn a_symbol_that_left_its_file_is_found_in_the_one_that_has_it() {
    let repo = shop();
    let symbol = "net/client.py::retry#function";
    remember(&repo, &["-t", symbol, "Three attempts are enough."]);
    let (connect, retry) = CLIENT.split_once("\n\n\ndef retry").unwrap();
    repo.write("net/client.py", format!("{connect}\n"));
    repo.write("net/again.py", format!("def retry{retry}"));
    repo.commit("a file of its own");
    let one = ["Three attempts are enough."];
    assert_eq!(found(&repo, "HEAD", &["net/again.py"]), one);
    assert_eq!(found(&repo, "HEAD", &["net/again.py::retry#function"]), one);
    assert!(found(&repo, "HEAD", &["net/names.py"]).is_empty());
}

#[test]
fn a_copy_is_not_taken_for_what_was_moved() {
    let repo = shop();
    remember(&repo, &["-t", "net/client.py", "One connection a host."]);
    repo.write("net/copy.py", CLIENT);
    repo.commit("copy");
    assert!(found(&repo, "HEAD", &["net/copy.py"]).is_empty());
}
