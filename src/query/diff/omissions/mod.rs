//! What usually changes with a change and did not: the test, the translation, the other implementation.
//!
//! History up to the base says so ([`rules`]); paths and the graph say what a file is to those that changed
//! ([`relation`]). Each finding has the commits that it follows from. Guarantees: a pure function of the base, its
//! history and the changed paths, so commits after the base never count; no path that is not in the tree of the base
//! is named; where support is weak nothing is said.

pub mod relation;
pub mod rules;
#[cfg(test)]
mod tests;

use crate::git::{Objects, RepoPath, commit};
use crate::graph::edges::Graph;
use crate::history::message;
use crate::history::window::Window;
use crate::id::CommitId;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::fold_line;
pub use relation::Relation;
use rules::{Paths, Prediction, Spot, predict};
use rustc_hash::FxHashSet;

/// Confidence from which on something is said. Of 596 commits of ten repositories that nothing was fitted on, so
/// named with one file taken out, the file was among what was said in 63 % of the answers (at .3 in 54 %), and of those
/// with nothing taken out 25 % got an answer (at .3 60 %). What that costs: 23 % of all files that were taken out are
/// named, and not 35 %. To ask that two rules agree is worse at any threshold.
pub const LEAST_CONFIDENCE: f64 = 0.5;
/// Omissions that are named. At .3 a fourth and a fifth found .8 % more of what was missing.
const MOST_NAMED: usize = 3;
/// Commits that are shown for each.
const MOST_CITED: usize = 3;
/// Longest subject that is shown, in bytes.
const SUBJECT_BYTES: usize = 200;
/// Definitions that implement one and the same are looked at, of each.
const MOST_SIBLINGS: usize = 256;

/// Something that usually changes with a change, and did not.
#[derive(Clone, PartialEq, Debug)]
pub struct Omission {
    /// The file, or the folder that usually gains one, with a slash at its end.
    pub path: String,
    /// What it is to the files that changed.
    pub relation: Relation,
    /// The changed file, or the folder that gained one, that says most.
    pub because: String,
    /// Commits that changed both.
    pub together: usize,
    /// Newest commits that changed `because`: those of up to 30 files, no more than 50.
    pub of: usize,
    /// How likely it is, by all that changed; from 0 to 1.
    pub confidence: f64,
    /// The newest of the commits that changed both.
    pub commits: Vec<Cited>,
}

/// A commit that says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cited {
    /// Its abbreviated id.
    pub id: String,
    /// The first line of its message, with secrets masked.
    pub subject: String,
}

/// Names what usually changes with the files at `changed`, the most likely first; few, or none. `view` and `graph` are
/// the base, `window` is its history. Commits that cannot be read are not shown.
pub fn find(
    (view, graph): (&View, &Graph),
    window: &Window,
    changed: &[&RepoPath],
    objects: &mut Objects,
) -> Vec<Omission> {
    let changed: Vec<&[u8]> = changed.iter().map(|path| path.as_bytes()).collect();
    if changed.len() > rules::MOST_CHANGED {
        return Vec::new();
    }
    let siblings = siblings(view, graph, &changed);
    let is_sibling = |path: &[u8]| {
        let file = view.file_at(path);
        file.is_some_and(|file| siblings.contains(&file))
    };
    let kinship = |path: &[u8], other: &[u8]| relation::kinship(path, other, is_sibling(other));
    let tree = Paths::of(view.files().iter().map(|file| file.path.as_bytes()));
    let mut found = predict(window, &tree, &changed, &kinship);
    found.retain(|one| one.confidence >= LEAST_CONFIDENCE);
    found.truncate(MOST_NAMED);
    let told = |one: Prediction| {
        let (path, role) = match &one.spot {
            Spot::File(path) => (&**path, view.file(view.file_at(path)?).role),
            Spot::NewIn(folder) => (
                &**folder,
                FileRole::of_path(&[folder, &b"/new"[..]].concat()),
            ),
        };
        let commits = one.commits.iter().filter_map(|age| window.commit(*age));
        let commits = commits.filter_map(|id| cite(objects, id));
        Some(Omission {
            path: named(&one.spot)?,
            relation: relation::of(path, role, &changed, is_sibling(path)),
            because: named(&one.because)?,
            together: one.commits.len(),
            of: one.of,
            confidence: one.confidence,
            commits: commits.take(MOST_CITED).collect(),
        })
    };
    found.into_iter().filter_map(told).collect()
}

fn named(spot: &Spot) -> Option<String> {
    match spot {
        Spot::File(path) => Some(RepoPath::new(path.clone()).ok()?.to_string()),
        Spot::NewIn(folder) if folder.is_empty() => Some("./".to_owned()),
        Spot::NewIn(folder) => Some(format!("{}/", RepoPath::new(folder.clone()).ok()?)),
    }
}

/// A commit with its subject, as git has it.
fn cite(objects: &mut Objects, id: CommitId) -> Option<Cited> {
    let message = commit::read(objects, id).ok()?.message;
    Some(Cited {
        id: id.short(),
        subject: fold_line(&message::subject(&message), SUBJECT_BYTES),
    })
}

/// Files of code with definitions that implement or extend what one of a changed file of code does.
fn siblings(view: &View, graph: &Graph, changed: &[&[u8]]) -> FxHashSet<FileId> {
    let is_code = |file: &FileId| view.file(*file).role == FileRole::Product;
    let files = changed.iter().filter_map(|path| view.file_at(path));
    let mut found = FxHashSet::default();
    for file in files.filter(is_code) {
        let own = (0..graph.symbols_of(file)).filter_map(|position| graph.symbol(file, position));
        for base in own.flat_map(|id| graph.bases(id)) {
            let derived = graph.derived(base).take(MOST_SIBLINGS);
            let others = derived.map(|id| graph.place(id).0);
            found.extend(others.filter(|other| *other != file && is_code(other)));
        }
    }
    found
}
