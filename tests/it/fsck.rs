//! `fsck` names what is wrong, mends it, and finds nothing the second time.

use crate::harness::{Kind, Output, TestRepo};
use crate::store::{check_covers, commit_change, documents, ids, open};
use crate::trust::{LIES, TRACKING, honest, lying, plant, rule_out};
use git_sverklo::store::{self, Snapshot};
use std::path::PathBuf;

const INDEX: &str = "refs/sverklo/v1/index";

fn repository(kind: Kind) -> TestRepo {
    let repo = TestRepo::init_as(kind);
    (0..5).for_each(|n| commit_change(&repo, n));
    repo.sverklo(&["index", "HEAD"]).success();
    repo
}

fn fsck(repo: &TestRepo, args: &[&str]) -> Output {
    repo.sverklo(&[&["fsck"], args].concat())
}

#[track_caller]
fn check_sound(repo: &TestRepo) {
    let out = fsck(repo, &["--rederive", "100"]);
    assert_eq!(out.status, Some(0), "{}{}", out.stdout, out.stderr);
    assert!(out.stdout.contains("nothing is wrong"), "{}", out.stdout);
    let ours = open(repo);
    check_covers(&Snapshot::open(&ours).unwrap(), &documents_of_head(repo));
}

fn documents_of_head(repo: &TestRepo) -> Vec<git_sverklo::extract::record::DocKey> {
    documents(&open(repo), "HEAD")
}

fn object_file(repo: &TestRepo, id: &str) -> PathBuf {
    repo.dir()
        .join(".git/objects")
        .join(&id[..2])
        .join(&id[2..])
}

/// Makes loose objects of all packs, so that one of them can be damaged or removed alone.
fn unpack(repo: &TestRepo) {
    let packs = repo.dir().join(".git/objects/pack");
    let aside = repo.beside("packs");
    // Git does not unpack what it finds in a pack.
    std::fs::rename(&packs, &aside).unwrap();
    std::fs::create_dir(&packs).unwrap();
    for entry in std::fs::read_dir(&aside).unwrap() {
        let path = entry.unwrap().path();
        if path.extension() == Some("pack".as_ref()) {
            let mut command = repo.command("git");
            let pack = std::fs::File::open(path).unwrap();
            let status = command.args(["unpack-objects", "-q"]).stdin(pack).status();
            assert!(status.unwrap().success());
        }
    }
    std::fs::remove_dir_all(aside).unwrap();
}

/// Damages an object, all others being whole.
pub fn damage(repo: &TestRepo, id: &str) {
    unpack(repo);
    let file = object_file(repo, id);
    let mut bytes = std::fs::read(&file).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 0x55;
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, bytes).unwrap();
}

fn segments(repo: &TestRepo) -> Vec<String> {
    let snapshot = Snapshot::open(&open(repo)).unwrap();
    ids(&snapshot).iter().map(ToString::to_string).collect()
}

#[test]
fn a_sound_index_has_no_findings() {
    let none = TestRepo::init();
    commit_change(&none, 0);
    assert_eq!(
        fsck(&none, &[]).status,
        Some(0),
        "there is nothing to be wrong"
    );
    let repo = repository(Kind {
        sha256: true,
        ..Kind::default()
    });
    let before = repo.git(&["rev-parse", INDEX]);
    check_sound(&repo);
    let out = fsck(&repo, &["--rederive", "1", "--json"]).success();
    assert!(
        out.contains("\"sound\":true") && out.contains("\"rederived\":1"),
        "{out}"
    );
    assert!(!out.contains("mended"), "{out}");
    assert_eq!(repo.git(&["rev-parse", INDEX]), before);
}

#[test]
fn a_lie_is_named_and_replaced() {
    for lie in LIES {
        let repo = TestRepo::init();
        (0..5).for_each(|n| commit_change(&repo, n));
        let ours = open(&repo);
        let (records, _) = honest(&ours, "HEAD");
        let (key, bytes) = lying(&ours, &records, *lie);
        plant(&repo, INDEX, &[&bytes]);
        let bad = segments(&repo).remove(0);
        let name = format!(
            "segment {bad}: document {} ({}): recorded {} differ from what the blob says",
            key.blob,
            key.grammar.label(),
            lie.0
        );
        let out = fsck(&repo, &["--rederive", "100", "--dry-run"]);
        assert_eq!(out.status, Some(1), "{}", out.stderr);
        assert!(out.stdout.contains(&name), "{}", out.stdout);
        assert!(out.stdout.contains("nothing was mended"), "{}", out.stdout);
        let out = fsck(&repo, &["--rederive", "100"]);
        assert_eq!(out.status, Some(1));
        assert!(
            out.stdout.contains(&name) && out.stdout.contains("mended: 1 segment"),
            "{}",
            out.stdout
        );
        assert!(!segments(&repo).contains(&bad));
        check_sound(&repo);
        let aside = store::set_aside(&ours);
        assert_eq!(
            aside.iter().map(ToString::to_string).collect::<Vec<_>>(),
            [bad]
        );
    }
}

#[test]
fn damaged_and_missing_objects_are_replaced_without_touching_them() {
    for with_file in [true, false] {
        for missing in [true, false] {
            let repo = repository(Kind::default());
            let id = segments(&repo).remove(0);
            if missing {
                unpack(&repo);
                std::fs::remove_file(object_file(&repo, &id)).unwrap();
            } else {
                damage(&repo, &id);
            }
            if !with_file {
                std::fs::remove_dir_all(repo.dir().join(".git/sverklo")).unwrap();
            }
            let held = std::fs::read(object_file(&repo, &id)).ok();
            let out = fsck(&repo, &[]);
            assert_eq!(out.status, Some(1), "{}", out.stderr);
            let named = format!("segment {id} cannot be read");
            assert!(out.stdout.contains(&named), "{}", out.stdout);
            assert!(out.stdout.contains("mended"), "{}", out.stdout);
            check_sound(&repo);
            if !missing {
                assert_eq!(std::fs::read(object_file(&repo, &id)).ok(), held);
                assert!(!segments(&repo).contains(&id));
            }
            // Everything the ref reaches is whole, so it can be pushed.
            let bare = repo.beside("bare");
            repo.git(&["init", "-q", "--bare", bare.to_str().unwrap()]);
            repo.git(&["push", "-q", bare.to_str().unwrap(), INDEX]);
            repo.at(&bare).git(&["fsck", "--strict"]);
        }
    }
}

#[test]
fn one_damaged_document_alone_cannot_be_cut_around() {
    let repo = TestRepo::init();
    repo.write("only.py", "def only(): pass\n");
    repo.commit("one");
    repo.sverklo(&["index"]).success();
    let id = segments(&repo).remove(0);
    damage(&repo, &id);
    let out = fsck(&repo, &[]);
    assert_eq!(out.status, Some(1));
    assert!(
        out.stdout
            .contains(&format!("object {id} is damaged and still needed")),
        "{}",
        out.stdout
    );
    std::fs::remove_file(object_file(&repo, &id)).unwrap();
    assert_eq!(fsck(&repo, &[]).status, Some(1));
    check_sound(&repo);
}

#[test]
fn files_that_differ_from_their_objects_are_made_again() {
    let repo = repository(Kind::default());
    let id = segments(&repo).remove(0);
    let file = repo.kept().join("seg").join(&id);
    let whole = std::fs::read(&file).unwrap();
    let mut bent = whole.clone();
    let at = bent.len() - 9;
    bent[at] ^= 1;
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, &bent).unwrap();
    let before = repo.git(&["rev-parse", INDEX]);
    let out = fsck(&repo, &[]);
    assert_eq!(out.status, Some(1));
    assert!(
        out.stdout
            .contains(&format!("the file of segment {id} differs")),
        "{}",
        out.stdout
    );
    assert_eq!(std::fs::read(&file).unwrap(), whole);
    assert_eq!(repo.git(&["rev-parse", INDEX]), before);
    check_sound(&repo);
}

#[test]
fn tips_that_are_not_canonical_are_made_so() {
    let repo = repository(Kind::default());
    let good = repo.git(&["rev-parse", INDEX]);
    let tree = format!("{good}^{{tree}}");
    let parent = repo.git(&["rev-parse", "HEAD"]);
    let bad = repo.git(&["commit-tree", "-m", "mine", "-p", &parent, &tree]);
    repo.git(&["update-ref", INDEX, &bad]);
    let out = fsck(&repo, &[]);
    assert_eq!(out.status, Some(1));
    assert!(
        out.stdout
            .contains(&format!("the tip {bad} is not the commit")),
        "{}",
        out.stdout
    );
    assert_eq!(repo.git(&["rev-parse", INDEX]), good);
    // What is no index at all, and a ref to nothing.
    repo.git(&["update-ref", INDEX, "HEAD"]);
    assert_eq!(fsck(&repo, &[]).status, Some(1));
    assert_eq!(repo.git(&["rev-parse", INDEX]), good);
    std::fs::write(
        repo.dir().join(".git").join(INDEX),
        format!("{}\n", "12".repeat(20)),
    )
    .unwrap();
    assert_eq!(fsck(&repo, &[]).status, Some(1));
    assert_eq!(repo.git(&["rev-parse", INDEX]), good);
    check_sound(&repo);
}

#[test]
fn fetched_indexes_are_looked_at_and_left_alone() {
    let repo = repository(Kind::default());
    let fetched = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["update-ref", TRACKING, &fetched]);
    let out = fsck(&repo, &[]);
    assert_eq!(out.status, Some(1));
    assert!(out.stdout.contains(TRACKING), "{}", out.stdout);
    assert!(out.stdout.contains("nothing was mended"), "{}", out.stdout);
    assert_eq!(repo.git(&["rev-parse", TRACKING]), fetched);
}

#[test]
fn what_the_ledger_rules_out_is_named_and_leaves() {
    let repo = repository(Kind::default());
    let good = repo.git(&["rev-parse", INDEX]);
    let id = segments(&repo).remove(0);
    let denied = repo.git(&["rev-parse", "HEAD:notes.txt"]);
    let rule_out = |list: &str, line: &str| {
        repo.git(&["update-ref", INDEX, &good]);
        rule_out(&repo, INDEX, list, line);
    };
    rule_out("deny", &denied);
    let out = fsck(&repo, &[]);
    assert_eq!(out.status, Some(1));
    let said = format!("segment {id}: it holds documents of forgotten blobs");
    assert!(out.stdout.contains(&said), "{}", out.stdout);
    let blob = git_sverklo::id::BlobId::from_hex(denied.as_bytes()).unwrap();
    assert!(!Snapshot::open(&open(&repo)).unwrap().holds(blob));
    assert_eq!(fsck(&repo, &[]).status, Some(0));

    rule_out("absorbs", &format!("{id} 1 absorbed"));
    let out = fsck(&repo, &[]);
    let said = format!("segment {id}: it is absorbed and yet named");
    assert!(out.stdout.contains(&said), "{}", out.stdout);
    assert_eq!(fsck(&repo, &[]).status, Some(0));
    rule_out("absorbs", "nonsense");
    let out = fsck(&repo, &[]);
    assert!(
        out.stdout.contains("entry absorbs of the index"),
        "{}",
        out.stdout
    );
    assert_eq!(fsck(&repo, &[]).status, Some(0));
    check_sound(&repo);
}
