//! Memories between clones: push and fetch, what is taken out for good, and logs that are damaged.

use crate::harness::{Kind, TestRepo};
use crate::memory::{MEMORY, json, recall, remember, texts};

/// A hub and two clones of it that share one commit.
pub fn team() -> (TestRepo, TestRepo, TestRepo) {
    let hub = TestRepo::init_as(Kind {
        bare: true,
        ..Kind::default()
    });
    let clone = |name: &str| {
        let dir = hub.beside(name);
        hub.git(&[
            "clone",
            "-q",
            hub.dir().to_str().unwrap(),
            dir.to_str().unwrap(),
        ]);
        hub.at(dir)
    };
    let ann = clone("ann");
    ann.git(&["symbolic-ref", "HEAD", "refs/heads/main"]);
    ann.write("a.py", "def a():\n    pass\n");
    ann.commit("first");
    ann.git(&["push", "-q", "origin", "main"]);
    hub.git(&["symbolic-ref", "HEAD", "refs/heads/main"]);
    let bob = clone("bob");
    (hub, ann, bob)
}

/// Whether any object of a repository that refs reach has these words.
pub fn reaches(repo: &TestRepo, words: &str) -> bool {
    let ids = repo.git(&["rev-list", "--objects", "--all"]);
    ids.lines().any(|line| {
        let id = line.split(' ').next().unwrap();
        let kind = repo.git(&["cat-file", "-t", id]);
        kind != "tree" && repo.git(&["cat-file", &kind, id]).contains(words)
    })
}

#[test]
fn what_two_say_apart_is_known_to_both() {
    let (hub, ann, bob) = team();
    remember(&ann, &["said by ann"]);
    remember(&bob, &["said by bob"]);
    let sent = json(ann.sverklo(&["push", "--json"]));
    assert_eq!(
        (&sent["memories"], &sent["segments"]),
        (&1.into(), &0.into())
    );
    bob.sverklo(&["push"]).success();
    assert_eq!(
        texts(&bob, "HEAD"),
        ["said by ann", "said by bob"],
        "a push unites first"
    );
    let came = json(ann.sverklo(&["fetch", "--json"]));
    assert_eq!(
        came["memories"][0]["author"],
        "A. Author <author@example.com>"
    );
    assert_eq!(came["memories"][0]["memories"][0]["text"], "said by bob");
    assert_eq!(texts(&ann, "HEAD"), ["said by ann", "said by bob"]);
    let tips = [&hub, &ann, &bob].map(|repo| repo.git(&["rev-parse", MEMORY]));
    assert!(tips[0] == tips[1] && tips[1] == tips[2], "{tips:?}");
    assert!(ann.sverklo(&["fetch", "-v"]).success().contains("memories"));
    let again = json(bob.sverklo(&["push", "--json"]));
    assert!(again.get("memories").is_none(), "{again}");
}

#[test]
fn the_same_union_made_twice_is_one_commit() {
    let (_hub, ann, bob) = team();
    remember(&ann, &["one"]);
    remember(&bob, &["two"]);
    let fetch = |to: &TestRepo, from: &TestRepo| {
        to.sverklo(&["fetch", from.dir().to_str().unwrap()])
            .success();
        to.git(&["rev-parse", MEMORY])
    };
    let before = ann.git(&["rev-parse", MEMORY]);
    let ours = fetch(&ann, &bob);
    assert_ne!(ours, before);
    ann.git(&["update-ref", MEMORY, &before]);
    assert_eq!(fetch(&bob, &ann), ours);
}

#[test]
fn an_index_and_memories_travel_together_and_apart() {
    let (hub, ann, bob) = team();
    ann.sverklo(&["index"]).success();
    remember(&ann, &["with the index"]);
    let dry = json(ann.sverklo(&["push", "--dry-run", "--json"]));
    assert_eq!(dry["memories"], 1);
    assert!(hub.try_git(&["rev-parse", "--verify", "-q", MEMORY]).status != Some(0));
    let (fetched, pushed) = {
        let both = json(ann.sverklo(&["sync", "--json"]));
        (both["fetched"].clone(), both["pushed"].clone())
    };
    assert!(fetched.get("memories").is_none());
    assert_eq!(
        (&pushed["memories"], &pushed["documents"]),
        (&1.into(), &1.into())
    );
    let came = bob.sverklo(&["fetch", "-v"]).success();
    assert!(
        came.contains("1 memory of A. Author") && came.contains("with the index"),
        "{came}"
    );
    assert_eq!(texts(&bob, "HEAD"), ["with the index"]);
}

#[test]
fn a_text_that_was_taken_out_does_not_come_back() {
    let (hub, ann, bob) = team();
    let word = "hunter-two-was-here";
    let secret = remember(&ann, &[word]);
    remember(&ann, &["harmless"]);
    ann.sverklo(&["push"]).success();
    bob.sverklo(&["fetch"]).success();
    remember(&bob, &["said by bob, on top"]);
    assert!([&hub, &ann, &bob].iter().all(|repo| reaches(repo, word)));

    ann.sverklo(&["memory", "redact", &secret, "-m", "it was a password"])
        .success();
    assert!(!reaches(&ann, word));
    let kept = std::fs::read_dir(ann.kept().join("memory"));
    assert!(kept.is_err() || kept.unwrap().count() == 0);
    assert_eq!(texts(&ann, "HEAD"), ["harmless"]);
    let shown = ann.sverklo(&["memory", "show", &secret]).success();
    assert!(
        shown.contains("taken out") && shown.contains("it was a password"),
        "{shown}"
    );
    ann.sverklo(&["push"]).success();
    assert!(!reaches(&hub, word));

    // A stale clone that pushes without having fetched.
    bob.sverklo(&["push"]).success();
    assert!(![&hub, &bob].iter().any(|repo| reaches(repo, word)));
    ann.sverklo(&["fetch"]).success();
    for repo in [&ann, &bob] {
        assert_eq!(texts(repo, "HEAD"), ["harmless", "said by bob, on top"]);
        assert!(!reaches(repo, word));
        repo.git(&["fsck", "--strict", "--connectivity-only"]);
    }
    // Once more is not wrong: the first time may have been cut short.
    bob.sverklo(&["memory", "redact", &secret]).success();
}

#[test]
fn what_a_redacted_change_had_replaced_stays_replaced() {
    let (_hub, ann, _) = team();
    let id = remember(&ann, &["first words"]);
    let edited = json(ann.sverklo(&["memory", "edit", &id, "--json", "second words"]));
    ann.sverklo(&["memory", "redact", edited["event"].as_str().unwrap()])
        .success();
    assert!(texts(&ann, "HEAD").is_empty());
    let all = recall(&ann, "HEAD", &["--all"]);
    let states: Vec<&str> = all.iter().map(|(_, state, _)| state.as_str()).collect();
    assert_eq!(states, ["holds", "replaced"]);
}

#[test]
fn a_damaged_log_is_an_error_that_loses_nothing_and_names_the_way_back() {
    let (hub, ann, bob) = team();
    remember(&ann, &["good"]);
    let good = ann.git(&["rev-parse", MEMORY]);
    ann.write("bad", "sverklo memory 1\nassert\nkind opinion\n");
    let blob = ann.git(&["hash-object", "-w", "bad"]);
    for (path, word) in [
        (format!("event/{}/{}", &blob[..2], &blob[2..]), "opinion"),
        (
            format!("event/00/{}", "0".repeat(38)),
            "not that of its content",
        ),
        ("event/readme".to_owned(), "nothing of this name"),
        ("format".to_owned(), "is damaged"),
    ] {
        ann.git(&["update-ref", MEMORY, &good]);
        let with = |args: &[&str]| {
            let mut command = ann.command("git");
            command
                .args(args)
                .env("GIT_INDEX_FILE", ann.dir().join(".git/other"));
            let out = command.output().unwrap();
            assert!(
                out.status.success(),
                "{}",
                String::from_utf8_lossy(&out.stderr)
            );
            String::from_utf8(out.stdout).unwrap().trim().to_owned()
        };
        with(&["read-tree", MEMORY]);
        with(&[
            "update-index",
            "--add",
            "--cacheinfo",
            &format!("100644,{blob},{path}"),
        ]);
        let tree = with(&["write-tree"]);
        let bad = ann.git(&["commit-tree", &tree, "-p", &good, "-m", "bad"]);
        ann.git(&["update-ref", MEMORY, &bad]);
        for args in [
            &["recall"][..],
            &["remember", "more"],
            &["memory", "list"],
            &["push"],
        ] {
            let out = ann.sverklo(args);
            assert_eq!(out.status, Some(2), "{args:?}: {}", out.stdout);
            assert!(out.stderr.contains(word), "{args:?}: {}", out.stderr);
            let way = format!("git update-ref {MEMORY} {good}");
            assert!(out.stderr.contains(&way), "{}", out.stderr);
        }
        let checked = ann.sverklo(&["fsck"]);
        assert_eq!(checked.status, Some(1), "{}", checked.stderr);
        assert!(checked.stdout.contains(word), "{}", checked.stdout);
        assert_eq!(ann.git(&["rev-parse", MEMORY]), bad, "nothing was changed");
        // Whoever fetches it keeps what they have.
        remember(&bob, &[&format!("said by bob {word}")]);
        let before = bob.git(&["rev-parse", MEMORY]);
        let out = bob.sverklo(&["fetch", ann.dir().to_str().unwrap()]);
        assert_eq!(out.status, Some(2));
        assert_eq!(bob.git(&["rev-parse", MEMORY]), before);
    }
    ann.git(&["update-ref", MEMORY, &good]);
    assert_eq!(texts(&ann, "HEAD"), ["good"]);
    assert!(hub.try_git(&["rev-parse", "--verify", "-q", MEMORY]).status != Some(0));
}

#[test]
fn events_of_a_later_version_are_kept_and_passed_on() {
    let (_hub, ann, bob) = team();
    remember(&ann, &["known"]);
    ann.write("new", "sverklo memory 2\nwonder\n");
    let blob = ann.git(&["hash-object", "-w", "new"]);
    let tree = ann.git(&["ls-tree", "-r", MEMORY]);
    ann.write(
        "entries",
        format!(
            "{tree}\n100644 blob {blob}\tevent/{}/{}\n",
            &blob[..2],
            &blob[2..]
        ),
    );
    let index = ann.dir().join(".git/other");
    let mut command = ann.command("git");
    command
        .args(["update-index", "--add", "--index-info"])
        .env("GIT_INDEX_FILE", &index);
    command.stdin(std::fs::File::open(ann.dir().join("entries")).unwrap());
    assert!(command.status().unwrap().success());
    let out = ann
        .command("git")
        .arg("write-tree")
        .env("GIT_INDEX_FILE", &index)
        .output()
        .unwrap();
    let tree = String::from_utf8(out.stdout).unwrap();
    let tip = ann.git(&["commit-tree", tree.trim(), "-p", MEMORY, "-m", "new"]);
    ann.git(&["update-ref", MEMORY, &tip]);
    let out = ann.sverklo(&["recall"]);
    assert!(
        out.stderr.contains("1 events") || out.stderr.contains("later version"),
        "{}",
        out.stderr
    );
    assert!(out.stdout.contains("known"));
    remember(&ann, &["more"]);
    remember(&bob, &["by bob"]);
    ann.sverklo(&["push"]).success();
    bob.sverklo(&["push"]).success();
    let listed = bob.git(&["ls-tree", "-r", MEMORY]);
    assert!(listed.contains(&blob), "{listed}");
}

#[test]
fn many_writers_at_once_lose_nothing() {
    let (_hub, ann, _) = team();
    let children: Vec<_> = (0..8)
        .map(|n| {
            ann.sverklo_command(&["remember", &format!("number {n}")])
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(texts(&ann, "HEAD").len(), 8);
    assert_eq!(ann.git(&["rev-list", "--count", MEMORY]), "8");
}

#[test]
fn a_push_says_what_the_remote_cannot_place() {
    let (_hub, ann, _bob) = team();
    remember(&ann, &["of what everybody has"]);
    let push = |repo: &TestRepo| json(repo.sverklo(&["push", "--json"]))["warnings"].to_string();
    assert!(!push(&ann).contains("count from"));
    ann.commit("of ann alone");
    remember(&ann, &["of what only ann has"]);
    assert!(push(&ann).contains("1 of the memories count from commits that"));
    ann.git(&["push", "-q", "origin", "main"]);
    remember(&ann, &["one more"]);
    assert!(!push(&ann).contains("count from"));
}

#[test]
fn the_one_line_of_a_push_says_how_many_memories_went() {
    let (_hub, ann, _bob) = team();
    let push = |args: &[&str]| {
        let out = ann.sverklo(&[&["push"], args].concat());
        assert_eq!(out.status, Some(0), "{}", out.stderr);
        let said = format!("{}{}", out.stdout, out.stderr);
        said.lines().next().unwrap_or_default().to_owned()
    };
    remember(&ann, &["one"]);
    remember(&ann, &["two"]);
    assert!(push(&["-n"]).contains(": would send 2 events of memories"));
    let said = push(&[]);
    assert!(said.contains(": sent 2 events of memories"), "{said}");
    assert_eq!(push(&[]), "to origin: everything up to date");
    ann.sverklo(&["index"]).success();
    remember(&ann, &["three"]);
    let said = push(&[]);
    assert!(said.contains(": sent 1 document in 1 segment"), "{said}");
    assert!(said.contains(", and 1 event of memories; it has"), "{said}");
}

#[test]
fn what_was_known_at_a_date_stays_when_more_is_learnt() {
    let (_hub, ann, bob) = team();
    let say = |repo: &TestRepo, month: u8, text: &str| {
        let mut command = repo.sverklo_command(&["remember", text]);
        command.env(
            "GIT_COMMITTER_DATE",
            format!("2024-{month:02}-10T00:00:00+0000"),
        );
        assert!(command.output().unwrap().status.success());
    };
    say(&ann, 1, "ann in january");
    say(&ann, 5, "ann in may");
    say(&bob, 3, "bob in march");
    let known = |repo: &TestRepo, at: &str| -> Vec<String> {
        let found = recall(repo, "HEAD", &["--known-at", at]).into_iter();
        found.map(|(text, ..)| text).collect()
    };
    let april = "2024-04-01T00:00:00Z";
    assert_eq!(known(&bob, april), ["bob in march"]);
    ann.sverklo(&["push"]).success();
    bob.sverklo(&["fetch"]).success();
    assert_eq!(known(&bob, april), ["ann in january", "bob in march"]);
    assert_eq!(known(&bob, "2024-02-01T00:00:00Z"), ["ann in january"]);
    assert!(known(&bob, "2023-12-31T00:00:00Z").is_empty());
    assert_eq!(known(&bob, "2024-06-01T00:00:00Z").len(), 3);
    for (date, status) in [("2024-13-45", 2), ("2024-12-31", 0)] {
        let out = bob.sverklo(&["recall", "--known-at", date]);
        assert_eq!(out.status, Some(status), "{date}: {}", out.stderr);
    }
}
