use super::rules::{Paths, Prediction, Spot, predict};
use crate::git::RepoPath;
use crate::history::document::Document;
use crate::history::piece::Entry;
use crate::history::window::Window;
use crate::id::CommitId;
use proptest::prelude::*;

fn id(n: usize) -> CommitId {
    let mut raw = [0; 20];
    raw[..8].copy_from_slice(&(n as u64).to_be_bytes());
    CommitId::from_bytes(&raw).unwrap()
}

/// The `n`th commit, which touched these paths; `old > new` moved one.
fn commit(n: usize, paths: &[&str]) -> Entry {
    let path = |text: &str| RepoPath::new(text).unwrap();
    let (moves, plain): (Vec<&str>, Vec<&str>) = paths.iter().partition(|p| p.contains(" > "));
    let moves = moves.iter().map(|pair| pair.split_once(" > ").unwrap());
    let renames: Vec<_> = moves.map(|(old, new)| (path(old), path(new))).collect();
    let kept = plain.into_iter().map(path);
    let mut touched: Vec<RepoPath> = kept
        .chain(renames.iter().map(|(_, new)| new.clone()))
        .collect();
    touched.sort();
    Entry {
        id: id(n),
        date: n as i64,
        parents: Vec::new(),
        document: Document {
            changed: touched.len() as u32,
            touched,
            renames,
            ..Document::default()
        },
    }
}

/// A window of commits that touched these paths, the oldest first.
fn window(commits: &[&[&str]]) -> Window {
    let entries = commits.iter().enumerate();
    let entries = entries.map(|(n, paths)| commit(n, paths)).collect();
    let newest_first: Vec<CommitId> = (0..commits.len()).rev().map(id).collect();
    Window::made(&newest_first, vec![entries])
}

fn ask(window: &Window, tree: &[&str], changed: &[&str]) -> Vec<Prediction> {
    let bytes = |paths: &[&'static str]| -> Vec<&'static [u8]> {
        paths.iter().map(|path| path.as_bytes()).collect()
    };
    let leak = |paths: &[&str]| -> Vec<&'static str> {
        let owned = paths.iter().map(|path| &*String::leak((*path).to_owned()));
        owned.collect()
    };
    let (tree, changed) = (leak(tree), leak(changed));
    predict(
        window,
        &Paths::of(bytes(&tree)),
        &bytes(&changed),
        &|_, _| 0.0,
    )
}

fn file(path: &str) -> Spot {
    Spot::File(path.as_bytes().to_vec())
}

fn new_in(folder: &str) -> Spot {
    Spot::NewIn(folder.as_bytes().to_vec())
}

#[test]
fn what_usually_changes_too_is_predicted_with_its_commits() {
    let both: &[&str] = &["src/a.rs", "tests/a.rs"];
    let commits = [
        both,
        &["src/a.rs"],
        both,
        both,
        &["src/b.rs", "src/c.rs"],
        both,
    ];
    let window = window(&commits);
    let found = ask(
        &window,
        &["src/a.rs", "tests/a.rs", "src/b.rs", "src/c.rs"],
        &["src/a.rs"],
    );
    assert_eq!(found.len(), 1);
    let one = &found[0];
    assert_eq!(
        (&one.spot, &one.because),
        (&file("tests/a.rs"), &file("src/a.rs"))
    );
    assert_eq!((one.commits.len(), one.of), (4, 5));
    let cited: Vec<_> = one
        .commits
        .iter()
        .map(|age| window.commit(*age).unwrap())
        .collect();
    assert_eq!(cited, [id(5), id(3), id(2), id(0)]);
    assert!(one.confidence > 0.5 && one.confidence < 1.0);
}

#[test]
fn once_is_no_rule_and_a_sweep_is_none_either() {
    let once = window(&[&["a", "b"], &["c"]]);
    assert!(ask(&once, &["a", "b", "c"], &["a"]).is_empty());
    let names: Vec<String> = (0..31).map(|n| format!("f{n}")).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let sweeps = window(&[&all, &all, &all, &all]);
    assert!(ask(&sweeps, &all, &["f0"]).is_empty());
    let thirty = &all[..30];
    let sweeps = window(&[thirty, thirty, thirty, thirty]);
    let found = ask(&sweeps, thirty, &["f0"]);
    assert!(found.iter().all(|one| one.confidence < 0.15));
}

#[test]
fn two_files_that_say_the_same_are_surer_than_one() {
    let commits: [&[&str]; 8] = [
        &["a", "c"],
        &["b", "c"],
        &["a"],
        &["b"],
        &["a", "c"],
        &["b", "c"],
        &["a"],
        &["b"],
    ];
    let window = window(&commits);
    let sure = |changed: &[&str]| ask(&window, &["a", "b", "c"], changed)[0].confidence;
    assert!(sure(&["a", "b"]) > sure(&["a"]).max(sure(&["b"])));
}

#[test]
fn kin_needs_fewer_commits() {
    let window = window(&[&["a", "b", "c"], &["a", "b", "c"], &["a"]]);
    let tree: [&[u8]; 3] = [b"a", b"b", b"c"];
    let kinship = |_: &[u8], other: &[u8]| if other == b"c" { 0.3 } else { 0.0 };
    let found = predict(&window, &Paths::of(tree), &[b"a"], &kinship);
    assert_eq!(found[0].spot, file("c"));
    assert!(found[0].confidence > found[1].confidence);
}

#[test]
fn a_renamed_file_keeps_its_history_and_a_removed_one_is_not_named() {
    let both: &[&str] = &["a", "b"];
    let window = window(&[
        both,
        both,
        both,
        &["b > x/b"],
        &["a", "gone"],
        &["a", "gone"],
    ]);
    let found = ask(&window, &["a", "x/b"], &["a"]);
    let spots: Vec<&Spot> = found.iter().map(|one| &one.spot).collect();
    assert_eq!(spots, [&file("x/b")]);
    assert_eq!(found[0].commits.len(), 3);
}

#[test]
fn a_new_file_asks_what_changed_when_its_neighbours_were_new() {
    let commits: [&[&str]; 5] = [
        &["cops/a", "default.yml"],
        &["cops/b", "default.yml"],
        &["cops/a"],
        &["cops/c", "default.yml"],
        &["cops/b"],
    ];
    let window = window(&commits);
    let found = ask(
        &window,
        &["cops/a", "cops/b", "cops/c", "default.yml"],
        &["cops/d"],
    );
    assert_eq!(found[0].spot, file("default.yml"));
    assert_eq!(found[0].because, new_in("cops"));
    assert_eq!((found[0].commits.len(), found[0].of), (3, 3));
}

#[test]
fn a_folder_that_gains_a_file_whenever_one_changes_is_named() {
    let commits: [&[&str]; 4] = [
        &["model", "migrate/1"],
        &["model", "migrate/2"],
        &["view"],
        &["model", "migrate/3"],
    ];
    let window = window(&commits);
    let tree = ["model", "view", "migrate/1", "migrate/2", "migrate/3"];
    let found = ask(&window, &tree, &["model"]);
    assert_eq!(found[0].spot, new_in("migrate"));
    assert_eq!((found[0].commits.len(), found[0].of), (3, 3));
    // Not when it did gain one.
    let found = ask(&window, &tree, &["model", "migrate/4"]);
    assert!(found.iter().all(|one| one.spot != new_in("migrate")));
}

#[test]
fn a_change_of_everything_is_about_nothing() {
    let both: &[&str] = &["a", "b"];
    let window = window(&[both, both, both]);
    let names: Vec<String> = (0..super::rules::MOST_CHANGED)
        .map(|n| format!("f{n}"))
        .collect();
    let mut changed: Vec<&str> = names.iter().map(String::as_str).collect();
    changed.push("a");
    assert!(ask(&window, &["a", "b"], &changed).is_empty());
    assert!(ask(&window, &["a", "b"], &[]).is_empty());
    assert!(ask(&Window::default(), &["a", "b"], &["a"]).is_empty());
}

proptest! {
    /// However the log is cut into pieces, and whatever these hold beside the window: what came later never counts.
    #[test]
    fn pieces_and_later_commits_change_nothing(
        commits in proptest::collection::vec(proptest::collection::btree_set(0..8usize, 1..5), 2..14),
        later in proptest::collection::vec(proptest::collection::btree_set(0..8usize, 1..5), 0..6),
        cut in 0..14usize,
        asked in proptest::collection::btree_set(0..9usize, 1..4),
    ) {
        let names: Vec<String> = (0..9).map(|n| format!("d{}/f{n}", n % 3)).collect();
        let paths = |of: &std::collections::BTreeSet<usize>| -> Vec<&str> {
            of.iter().map(|n| names[*n].as_str()).collect()
        };
        let count = commits.len();
        let entries: Vec<Entry> = commits.iter().chain(&later).enumerate()
            .map(|(n, touched)| commit(n, &paths(touched)))
            .collect();
        let newest_first: Vec<CommitId> = (0..count).rev().map(id).collect();
        let alone = Window::made(&newest_first, vec![entries[..count].to_vec()]);
        let cut = cut.min(entries.len());
        let pieces = vec![entries[..cut].to_vec(), entries[cut..].to_vec()];
        let among = Window::made(&newest_first, pieces);
        // The last of the names is of a file that is not there.
        let tree: Vec<&str> = names[..8].iter().map(String::as_str).collect();
        let (one, other) = (ask(&alone, &tree, &paths(&asked)), ask(&among, &tree, &paths(&asked)));
        prop_assert!(one.iter().all(|found| found.confidence > 0.0 && found.confidence < 1.0));
        prop_assert_eq!(one, other);
    }
}
