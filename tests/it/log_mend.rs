//! What lies, is damaged or must not come back leaves the history log, and does not come back from a file.

use crate::fsck::damage;
use crate::git_oracle::open;
use crate::harness::{Kind, TestRepo};
use crate::log_store::{check, clone, commit, commits, head, told, workshop};
use crate::trust::{TRACKING, blob, commit_id, rewrite, rule_out};
use git_sverklo::history::log::Log;
use git_sverklo::history::piece::{Entry, Piece};
use git_sverklo::history::window::Window;
use git_sverklo::id::CommitId;
use git_sverklo::query::engine::Engine;
use git_sverklo::query::request::{Mode, Revision, Scope, SearchRequest};
use git_sverklo::store::{self, Quiet, Sample, Snapshot, Warning};
use std::collections::BTreeSet;

const INDEX: &str = "refs/sverklo/v1/index";

/// Replaces the log of an index by one piece of these entries.
fn forge(repo: &TestRepo, entries: Vec<Entry>, spoil: impl Fn(&mut Vec<u8>)) {
    let mut bytes = Piece::of(open(repo).hash(), entries).bytes().to_vec();
    spoil(&mut bytes);
    let id = blob(repo, &bytes);
    rewrite(repo, INDEX, |lines| {
        lines.retain(|line| !line.contains("\tlog/"));
        lines.push(format!("100644 blob {id}\tlog/{}/{}", &id[..2], &id[2..]));
    });
}

/// The entries that an honest log has.
fn honest(repo: &TestRepo) -> Vec<Entry> {
    let opened = open(repo);
    let window = Window::open(&opened, Log::default(), head(&opened), &|_, _| true).unwrap();
    window.fresh().unwrap().entries()
}

/// An entry that says what its commit does not.
fn lie_about(entry: &mut Entry) {
    entry.document.terms.insert(b"zzlie".to_vec(), 3);
}

/// The pieces that an index names.
fn pieces(repo: &TestRepo) -> BTreeSet<String> {
    let names = repo.git(&["ls-tree", "-r", "--name-only", INDEX, "log/"]);
    let id = |name: &str| name.trim_start_matches("log/").replace('/', "");
    names.lines().map(id).collect()
}

/// The files of pieces.
fn files(repo: &TestRepo) -> BTreeSet<String> {
    let folder = repo.kept().join("log");
    let files = std::fs::read_dir(folder).into_iter().flatten();
    files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn tip(repo: &TestRepo, name: &str) -> CommitId {
    commit_id(&repo.git(&["rev-parse", name]))
}

#[test]
fn a_piece_that_lies_or_is_damaged_is_set_aside() {
    type Lie = fn(&mut Vec<Entry>);
    let lies: [(&str, Lie); 5] = [
        ("terms", |all| lie_about(&mut all[1])),
        ("touched", |all| {
            all[2].document.touched.pop().unwrap();
        }),
        ("renames", |all| {
            let other = all[0].document.touched[0].clone();
            all[2].document.renames = vec![(other.clone(), other)];
        }),
        ("date", |all| all[0].date += 1),
        ("parents", |all| {
            let stranger = CommitId::from_bytes(&[7; 20]).unwrap();
            all[3].parents = vec![stranger];
        }),
    ];
    for (name, lie) in lies {
        let origin = workshop(6);
        origin.sverklo(&["index"]).success();
        let mut entries = honest(&origin);
        lie(&mut entries);
        forge(&origin, entries, |_| {});
        let repo = clone(&origin, "reader", &[]);
        let said = repo.sverklo(&["fetch"]);
        assert!(said.stderr.contains("is set aside"), "{name}: {said:?}");
        repo.sverklo(&["index"]).success();
        assert_eq!(check(&repo), 0, "{name}");
        // What is set aside stays so, and is not given on.
        repo.sverklo(&["fetch"]).success();
        assert_eq!(check(&repo), 0, "{name}");
        assert_eq!(told(&repo), commits(&repo, &["HEAD"]));
    }
    let damages: [fn(&mut Vec<u8>); 3] = [
        |bytes| bytes.truncate(bytes.len() / 2),
        |bytes| bytes[60] ^= 1,
        |bytes| bytes.clear(),
    ];
    for damage in damages {
        let origin = workshop(4);
        origin.sverklo(&["index"]).success();
        forge(&origin, honest(&origin), damage);
        // Its own reader reads the commits.
        origin.sverklo(&["search", "workshop"]).success();
        assert_eq!(check(&origin), 0, "kept beside the ref");
        let found = origin.sverklo(&["fsck"]);
        assert!(found.stdout.contains("is ignored"), "{found:?}");
        origin.sverklo(&["fsck"]).success();
        let repo = clone(&origin, "reader", &[]);
        repo.sverklo(&["fetch"]).success();
        repo.sverklo(&["index"]).success();
        assert_eq!(told(&repo), commits(&repo, &["HEAD"]));
        assert_eq!(check(&repo), 0);
    }
}

#[test]
fn what_nobody_here_can_settle_is_named_and_leaves_no_file() {
    let origin = workshop(4);
    origin.sverklo(&["index"]).success();
    // A reader with the index and without the commits.
    let repo = TestRepo::init_as(Kind {
        bare: true,
        ..Kind::default()
    });
    let url = format!("file://{}", origin.dir().display());
    repo.git(&["fetch", "-q", &url, &format!("{INDEX}:{INDEX}")]);
    let before = pieces(&repo);
    let mut entries = honest(&origin);
    lie_about(&mut entries[1]);
    forge(&origin, entries, |_| {});
    repo.git(&["fetch", "-q", &url, &format!("{INDEX}:{TRACKING}")]);
    let merged = store::union_with(&open(&repo), tip(&repo, TRACKING), Sample::All).unwrap();
    assert!(
        matches!(merged.warnings[..], [Warning::Disputed { .. }]),
        "{:?}",
        merged.warnings
    );
    assert_eq!(pieces(&repo), before);
    assert!(store::set_aside(&open(&repo)).is_empty());
    // Whatever has a file is used.
    assert!(files(&repo).is_subset(&before), "{:?}", files(&repo));
}

#[test]
fn what_cannot_be_judged_is_left_out() {
    let origin = workshop(4);
    origin.sverklo(&["index"]).success();
    let repo = clone(&origin, "reader", &[]);
    let url = format!("file://{}", origin.dir().display());
    repo.git(&["fetch", "-q", &url, &format!("{INDEX}:{TRACKING}")]);
    let tip = tip(&repo, TRACKING);
    let opened = open(&repo);
    let judged = || store::open_fetched(&opened, tip, &Snapshot::default(), Sample::All);
    assert!(!judged().log().is_empty());
    std::fs::write(repo.dir().join(".git/shallow"), "nonsense\n").unwrap();
    let blind = judged();
    assert!(blind.log().is_empty());
    let warned = |warning: &Warning| matches!(warning, Warning::Disputed { .. });
    assert!(blind.warnings.iter().any(warned), "{:?}", blind.warnings);
}

#[test]
fn a_lie_of_ours_does_not_come_back_from_its_file() {
    let origin = workshop(6);
    origin.sverklo(&["index"]).success();
    let repo = clone(&origin, "reader", &[]);
    // Larger than theirs, so that it would be asked first.
    commit(&repo, 7, "one more of the workshop");
    repo.sverklo(&["index", "HEAD"]).success();
    let mut entries = honest(&repo);
    entries.iter_mut().for_each(lie_about);
    forge(&repo, entries, |_| {});
    // Nor is there a file of what it was before.
    std::fs::remove_dir_all(repo.kept().join("log")).unwrap();
    repo.sverklo(&["search", "workshop"]).success();
    let lying = pieces(&repo);
    assert!(lying.is_subset(&files(&repo)));
    let said = repo.sverklo(&["fetch"]);
    let dropped = "of this index was wrong and is dropped";
    assert!(said.stderr.contains(dropped), "{said:?}");
    assert!(files(&repo).is_disjoint(&lying));
    assert_eq!(check(&repo), 1, "what is new is read again");
    repo.sverklo(&["index"]).success();
    assert_eq!(check(&repo), 0);
    assert_eq!(told(&repo), commits(&repo, &["HEAD"]));
}

#[test]
fn a_lie_that_fsck_found_does_not_come_back() {
    let origin = workshop(6);
    origin.sverklo(&["index"]).success();
    let mut entries = honest(&origin);
    lie_about(&mut entries[2]);
    forge(&origin, entries, |_| {});
    let repo = clone(&origin, "reader", &[]);
    repo.git(&["config", "sverklo.sample", "0"]);
    repo.sverklo(&["fetch"]).success();
    let lying = pieces(&repo);
    assert_eq!(repo.sverklo(&["fsck", "--rederive", "100"]).status, Some(1));
    let aside = store::set_aside(&open(&repo));
    let aside: BTreeSet<String> = aside.iter().map(ToString::to_string).collect();
    assert_eq!(aside, lying);
    repo.sverklo(&["fetch"]).success();
    assert!(pieces(&repo).is_disjoint(&lying));
    assert_eq!(check(&repo), 0);
}

#[test]
fn a_damaged_object_is_cut_around() {
    for with_file in [true, false] {
        let repo = workshop(5);
        repo.sverklo(&["index"]).success();
        let damaged = pieces(&repo).pop_first().unwrap();
        damage(&repo, &damaged);
        if !with_file {
            std::fs::remove_dir_all(repo.dir().join(".git/sverklo")).unwrap();
        }
        let found = repo.sverklo(&["fsck"]);
        assert!(found.stdout.contains(&damaged), "{found:?}");
        let is_mended = || {
            assert!(!pieces(&repo).contains(&damaged));
            assert_eq!(told(&repo), commits(&repo, &["HEAD"]));
            assert_eq!(check(&repo), 0);
            repo.sverklo(&["fsck"]).success();
        };
        is_mended();
        // Compaction would make it again.
        repo.sverklo(&["gc"]).success();
        is_mended();
        let bare = repo.beside("bare");
        repo.git(&["init", "-q", "--bare", bare.to_str().unwrap()]);
        repo.git(&["push", "-q", bare.to_str().unwrap(), INDEX]);
    }
    // Of one commit there is one piece.
    let repo = workshop(1);
    repo.sverklo(&["index"]).success();
    damage(&repo, &pieces(&repo).pop_first().unwrap());
    assert_eq!(repo.sverklo(&["fsck"]).status, Some(1));
    repo.sverklo(&["fsck"]).success();
    assert!(pieces(&repo).is_empty());
    assert_eq!(check(&repo), 0, "it is kept beside the ref");
}

#[test]
fn what_is_absorbed_leaves() {
    let repo = workshop(3);
    repo.git(&["checkout", "-q", "-b", "side"]);
    commit(&repo, 5, "side of the workshop");
    repo.sverklo(&["index"]).success();
    let all = told(&repo);
    repo.git(&["checkout", "-q", "main"]);
    let id = pieces(&repo).pop_first().unwrap();
    rule_out(&repo, INDEX, "absorbs", &format!("{id} 1 absorbed"));
    let found = repo.sverklo(&["fsck"]);
    let said = format!("log {id}: it is absorbed and yet named");
    assert!(found.stdout.contains(&said), "{found:?}");
    assert_eq!(told(&repo), commits(&repo, &["main"]));
    assert!(told(&repo).is_subset(&all) && !pieces(&repo).contains(&id));
    repo.sverklo(&["fsck"]).success();
}

#[test]
fn what_the_tip_names_has_one_file() {
    let origin = workshop(5);
    origin.sverklo(&["index"]).success();
    let repo = clone(&origin, "reader", &[]);
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    repo.sverklo(&["search", "workshop"]).success();
    assert_eq!(files(&repo).len(), 1, "what the question needed");
    repo.sverklo(&["fetch"]).success();
    assert_eq!(files(&repo), pieces(&repo));
}

#[test]
fn a_collection_bears_with_missing_history() {
    let repo = TestRepo::init();
    repo.write("a.py", "def kept():\n    return 1\n");
    for n in 0..5 {
        repo.commit(&format!("step{n}"));
    }
    repo.sverklo(&["index"]).success();
    let all = told(&repo);
    let missing = repo.git(&["rev-parse", "HEAD~2"]);
    let object = format!(".git/objects/{}/{}", &missing[..2], &missing[2..]);
    std::fs::remove_file(repo.dir().join(object)).unwrap();
    let out = repo.sverklo(&["gc"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    assert!(out.stderr.contains(&missing), "{out:?}");
    assert_eq!(told(&repo), all);
}

#[test]
fn who_is_asked_all_the_time_hears_of_more_history() {
    type Way = fn(&TestRepo);
    let origin = workshop(8);
    origin.sverklo(&["index"]).success();
    let remark = |engine: &Engine| {
        let request = SearchRequest {
            query: "step3".to_owned(),
            scope: Scope::default(),
            at: Revision::WorkTree,
            offset: 0,
            limit: 5,
            mode: Mode::Ranked,
            context: 0,
        };
        engine.ask(&request, &Quiet).unwrap().history
    };
    let blind = Some("no history to rank by (shallow clone)".to_owned());
    let ways: [(&str, Way); 2] = [
        ("unshallow", |repo| {
            drop(repo.git(&["fetch", "-q", "--unshallow"]));
        }),
        ("fetched", |repo| {
            drop(repo.sverklo(&["fetch"]).success());
        }),
    ];
    for (name, learn) in ways {
        let repo = clone(&origin, name, &["--depth=2"]);
        let engine = Engine::open(repo.dir()).unwrap();
        assert_eq!(remark(&engine), blind);
        learn(&repo);
        assert_eq!(remark(&engine), None, "{name}");
    }
}
