//! What our refs name stays, there is a way back from every move, and what is gone all the same is mended.

use crate::harness::{Kind, TestRepo};
use crate::memory::{MEMORY, remember, texts};
use std::path::PathBuf;

const INDEX: &str = "refs/sverklo/v1/index";

fn moves(repo: &TestRepo, name: &str) -> Vec<String> {
    let log = repo.git(&["log", "-g", "--format=%gs", name, "--"]);
    log.lines().map(str::to_owned).collect()
}

/// The packs that the program wrote.
fn our_packs(repo: &TestRepo) -> Vec<PathBuf> {
    let packs = std::fs::read_dir(repo.dir().join(".git/objects/pack")).expect("a folder");
    let paths = packs.map(|entry| entry.expect("an entry").path());
    paths
        .filter(|path| path.to_string_lossy().contains("pack-73766b31"))
        .collect()
}

/// Takes them out of the object store.
fn lose_packs(repo: &TestRepo) {
    let ours = our_packs(repo);
    assert!(!ours.is_empty());
    for path in ours {
        std::fs::remove_file(path).expect("it is ours");
    }
}

/// Takes one object out of the object store.
fn lose(repo: &TestRepo, gone: &str) {
    let listed = repo.git(&["rev-list", "--objects", "--all"]);
    let kept: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|id| *id != gone)
        .collect();
    repo.write("../kept", kept.join("\n") + "\n");
    let script = "git pack-objects -q .git/objects/pack/pack < ../kept";
    let packed = repo.command("sh").args(["-c", script]).status();
    assert!(packed.expect("sh").success());
    lose_packs(repo);
    repo.git(&["prune-packed"]);
    assert_ne!(repo.try_git(&["cat-file", "-e", gone]).status, Some(0));
}

fn repo() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("a.py", "def alpha():\n    pass\n").commit("one");
    repo
}

#[test]
fn every_move_of_a_ref_of_ours_is_in_its_log() {
    for kind in [
        Kind::default(),
        Kind {
            reftable: true,
            ..Kind::default()
        },
    ] {
        let repo = TestRepo::init_as(kind);
        repo.write("a.py", "def alpha():\n    pass\n").commit("one");
        repo.git(&["config", "core.logAllRefUpdates", "false"]);
        let old = remember(&repo, &["said first"]);
        let tip = repo.git(&["rev-parse", MEMORY]);
        remember(&repo, &["said second"]);
        let said = moves(&repo, MEMORY);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(
            said.iter().all(|line| line.starts_with("memory: assert")),
            "{said:?}"
        );
        assert!(said[1].contains(&old), "{said:?}");
        assert_eq!(repo.git(&["rev-parse", &format!("{MEMORY}@{{1}}")]), tip);

        let mut most = 0;
        for n in 0..9 {
            repo.write(format!("b{n}.py"), format!("def b{n}():\n    pass\n"));
            repo.commit("more");
            repo.sverklo(&["index"]).success();
            most = most.max(moves(&repo, INDEX).len());
        }
        assert!((4..=12).contains(&most), "{most}");
        let before = repo.git(&["rev-parse", &format!("{INDEX}@{{1}}")]);
        repo.git(&["gc", "-q", "--prune=now"]);
        repo.git(&["ls-tree", "-r", &before]);
        repo.sverklo(&["gc"]).success();
        assert!(moves(&repo, INDEX).is_empty());
        repo.git(&["gc", "-q", "--prune=now"]);
        assert_ne!(repo.try_git(&["cat-file", "-e", &before]).status, Some(0));
        repo.git(&["fsck", "--strict"]);
    }
}

#[test]
fn nothing_leads_back_to_what_was_taken_out() {
    let repo = repo();
    let id = remember(&repo, &["the pass phrase is swordfish"]);
    remember(&repo, &["said second"]);
    repo.sverklo(&["index"]).success();
    let blob = repo.git(&["rev-parse", &id]);
    repo.sverklo(&["memory", "redact", &id, "-m", "no"])
        .success();
    assert!(moves(&repo, MEMORY).is_empty());
    repo.git(&["gc", "-q", "--prune=now"]);
    assert_ne!(repo.try_git(&["cat-file", "-e", &blob]).status, Some(0));
    let kept = repo
        .command("grep")
        .args(["-rl", "swordfish", ".git"])
        .output();
    assert_eq!(String::from_utf8_lossy(&kept.expect("grep").stdout), "");

    let segments = repo.git(&["ls-tree", "-r", INDEX, "seg"]);
    let segment = segments
        .split_whitespace()
        .nth(2)
        .expect("a segment")
        .to_owned();
    repo.sverklo(&["forget", "a.py"]).success();
    assert!(moves(&repo, INDEX).is_empty());
    repo.git(&["gc", "-q", "--prune=now"]);
    assert_ne!(repo.try_git(&["cat-file", "-e", &segment]).status, Some(0));
}

#[cfg(debug_assertions)]
#[test]
fn nothing_leads_back_although_whoever_took_it_out_was_killed() {
    let repo = repo();
    let id = remember(&repo, &["the pass phrase is swordfish"]);
    repo.sverklo(&["index"]).success();
    for args in [&["memory", "redact", &id][..], &["forget", "a.py"]] {
        let mut command = repo.sverklo_command(args);
        let out = command.env("SVERKLO_FAILPOINT", "ref-moved").output();
        assert!(!out.expect("it starts").status.success());
    }
    assert_eq!(moves(&repo, MEMORY).len(), 2);
    // Anybody who reads memories, and anybody who moves the index.
    repo.sverklo(&["memory", "list", "--all"]);
    assert!(moves(&repo, MEMORY).is_empty());
    repo.write("b.py", "def beta():\n    pass\n").commit("two");
    repo.sverklo(&["index"]).success();
    let said = moves(&repo, INDEX);
    assert!(said.len() <= 1, "{said:?}");
    repo.git(&["gc", "-q", "--prune=now"]);
    let blob = repo.try_git(&["cat-file", "-e", &id]);
    assert_ne!(blob.status, Some(0));
}

#[cfg(debug_assertions)]
#[test]
fn what_a_killed_command_held_is_let_go_also_by_a_collection_with_nothing_to_write() {
    let repo = repo();
    repo.sverklo(&["index"]).success();
    repo.sverklo(&["gc"]).success();
    let tip = repo.git(&["rev-parse", INDEX]);
    let mut command = repo.sverklo_command(&["remember", "said by one who was killed"]);
    let out = command.env("SVERKLO_FAILPOINT", "ref-moved").output();
    assert!(!out.expect("it starts").status.success());
    let keeps = || {
        let packs = std::fs::read_dir(repo.dir().join(".git/objects/pack")).expect("a folder");
        let names = packs.map(|entry| entry.expect("an entry").path());
        names
            .filter(|path| path.extension() == Some("keep".as_ref()))
            .count()
    };
    assert_eq!(keeps(), 1);
    repo.sverklo(&["gc"]).success();
    assert_eq!(keeps(), 0);
    assert_eq!(repo.git(&["rev-parse", INDEX]), tip, "nothing was written");
}

#[test]
fn memories_whose_objects_are_gone_come_back_with_one_warning() {
    let repo = repo();
    remember(&repo, &["said first"]);
    remember(&repo, &["said second"]);
    let tip = repo.git(&["rev-parse", MEMORY]);
    for mends in [&["recall"][..], &["remember", "said third"], &["fsck"]] {
        lose_packs(&repo);
        assert_ne!(repo.try_git(&["gc", "-q"]).status, Some(0), "git minds");
        let out = repo.sverklo(mends);
        assert_ne!(out.status, Some(2), "{mends:?}: {}", out.stderr);
        repo.git(&["gc", "-q", "--prune=now"]);
        repo.git(&["fsck", "--strict"]);
        let all = texts(&repo, "HEAD");
        for text in ["said first", "said second"] {
            assert!(all.iter().any(|other| other == text), "{mends:?}: {all:?}");
        }
        let said = out.stdout + &out.stderr;
        assert_eq!(said.matches("written again").count(), 1, "{said}");
        if mends[0] == "recall" {
            assert_eq!(repo.git(&["rev-parse", MEMORY]), tip);
        }
        // Now they are in a pack of git's, and this makes one of ours again.
        remember(&repo, &[&format!("said after {}", mends[0])]);
    }
}

#[test]
fn fsck_looks_through_the_history_of_memories() {
    let repo = repo();
    remember(&repo, &["said first"]);
    let first = repo.git(&["rev-parse", MEMORY]);
    remember(&repo, &["said second"]);
    lose(&repo, &first);
    assert!(texts(&repo, "HEAD").contains(&"said first".to_owned()));
    for _ in 0..2 {
        let out = repo.sverklo(&["fsck", "--dry-run"]);
        assert_eq!(out.status, Some(1), "{}", out.stderr);
        assert!(
            out.stdout.contains("`git sverklo fsck` writes"),
            "{}",
            out.stdout
        );
    }
    let out = repo.sverklo(&["fsck"]);
    assert!(
        out.stdout.contains("have been written again"),
        "{}",
        out.stdout
    );
    repo.git(&["cat-file", "-e", &first]);
    repo.git(&["gc", "-q", "--prune=now"]);
    repo.git(&["fsck", "--strict"]);
    assert_eq!(repo.sverklo(&["fsck"]).status, Some(0));
}

#[test]
fn an_index_whose_objects_are_gone_is_mended_with_a_warning_and_git_can_go_on() {
    for keeps_files in [true, false] {
        let repo = repo();
        repo.sverklo(&["index"]).success();
        let tip = repo.git(&["rev-parse", INDEX]);
        lose_packs(&repo);
        if !keeps_files {
            std::fs::remove_dir_all(repo.dir().join(".git/sverklo")).expect("a cache");
        }
        assert_ne!(repo.try_git(&["gc", "-q"]).status, Some(0), "git minds");
        let report = repo.sverklo(&["index", "--json"]).success();
        assert!(report.contains(&format!("the index at {tip}")), "{report}");
        repo.git(&["gc", "-q", "--prune=now"]);
        repo.git(&["fsck", "--strict"]);
        let report = repo.sverklo(&["index", "--json"]).success();
        assert!(report.contains("\"warnings\":[]"), "{report}");
        let now = repo.git(&["rev-parse", INDEX]);
        assert_eq!(now, tip, "what is made again is the same");
    }
}

#[test]
fn a_segment_that_is_gone_is_written_again_from_its_file() {
    let repo = repo();
    repo.sverklo(&["index"]).success();
    let tip = repo.git(&["rev-parse", INDEX]);
    let segments = repo.git(&["ls-tree", "-r", INDEX, "seg"]);
    let segment = segments
        .split_whitespace()
        .nth(2)
        .expect("a segment")
        .to_owned();
    lose(&repo, &segment);
    let report = repo.sverklo(&["index", "--json"]).success();
    assert!(report.contains("named objects that are gone"), "{report}");
    repo.git(&["gc", "-q", "--prune=now"]);
    assert_eq!(repo.git(&["rev-parse", INDEX]), tip);
    repo.git(&["cat-file", "-e", &segment]);
}
