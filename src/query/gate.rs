//! `gate`: whether a change brings an import cycle, or a file that too many import.
//!
//! A pure comparison of the import graphs of two views. Files that were moved are followed by their
//! content, so that a renamed cycle is not a new one.

use super::audit::answer::ImportEdge;
use super::audit::edges;
use super::diff;
use super::imports::{Import, ImportGraph};
use super::inventory::Inventory;
use super::serialize::is_zero;
use super::state::{Skipped, Stamp};
use crate::view::live::FileId;
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Share of a moved file's definitions that must be unchanged for it to count as the same file.
const MIN_SAME: f64 = 0.5;

/// An import that closes a cycle which was not there before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NewCycle {
    /// The import.
    #[serde(flatten)]
    pub import: ImportEdge,
    /// The cycle that it closes, itself first.
    pub cycle: Vec<ImportEdge>,
}

/// A file that more files import than the limit allows, and did not before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NewHub {
    /// Its path.
    pub path: String,
    /// Files that imported it before.
    pub before: u32,
    /// Files that import it now.
    pub now: u32,
    /// Imports of it that are new.
    pub imports: Vec<ImportEdge>,
}

/// Answer of `gate`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GateAnswer {
    /// State that is judged.
    #[serde(rename = "index")]
    pub stamp: Stamp,
    /// Whether it may pass.
    pub passes: bool,
    /// Abbreviated commit it is compared with; `None` for nothing at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// How that commit was chosen.
    pub chosen: String,
    /// Most files that may import a file; `None` for any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_fan_in: Option<usize>,
    /// New import cycles.
    pub cycles: Vec<NewCycle>,
    /// Files over the limit.
    pub hubs: Vec<NewHub>,
    /// Cycles that were there before and still are.
    pub known_cycles: usize,
    /// Product files that were looked at.
    pub files: usize,
    /// Files with code that were not read, in either state, so that what they import is not known.
    #[serde(skip_serializing_if = "is_zero")]
    pub unread: usize,
    /// Why they were not, with how many files each, most first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread_reasons: Vec<Skipped>,
    /// Files of the base of which the objects are missing.
    #[serde(skip_serializing_if = "is_zero")]
    pub base_uncovered: usize,
}

impl GateAnswer {
    /// Whether all of both states was looked at.
    pub fn is_whole(&self) -> bool {
        self.unread + self.base_uncovered + self.stamp.uncovered == 0
    }
}

/// Paths of files with code that were not read, in either of two states, and why.
pub fn unread(base: &Inventory<'_>, head: &Inventory<'_>) -> BTreeMap<String, &'static str> {
    let mut all = BTreeMap::new();
    for inventory in [base, head] {
        for file in inventory.files() {
            if inventory.role(file) == FileRole::Product
                && let Some(reason) = diff::files::unread(inventory.view, file)
            {
                all.insert(inventory.view.file(file).path.to_string(), reason);
            }
        }
    }
    all
}

/// What a change brings.
pub struct Verdict {
    /// New import cycles.
    pub cycles: Vec<NewCycle>,
    /// Files over the limit.
    pub hubs: Vec<NewHub>,
    /// Components of the head in which every import was in a cycle before.
    pub known_cycles: usize,
}

/// Compares the imports of two views.
pub fn compare(
    base: &Inventory<'_>,
    head: &Inventory<'_>,
    texts: &mut Texts,
    max_fan_in: Option<usize>,
) -> Verdict {
    let (old, new) = (ImportGraph::of(base, texts), ImportGraph::of(head, texts));
    let before = counterparts(base, head);
    let was = |import: &Import| {
        let from = before[import.from.0 as usize]?;
        let to = before[import.to.0 as usize]?;
        old.find(from, to)
    };
    let (old_of, _) = old.components();
    let went_round = |import: &Import| {
        was(import).is_some_and(|import| {
            let (from, to) = (old_of[import.from.0 as usize], old_of[import.to.0 as usize]);
            from.is_some() && from == to
        })
    };
    let (of, components) = new.components();
    let mut verdict = Verdict {
        cycles: Vec::new(),
        hubs: Vec::new(),
        known_cycles: 0,
    };
    for own in (0..components.len() as u32).map(Some) {
        let inside =
            |import: &&Import| of[import.from.0 as usize] == own && of[import.to.0 as usize] == own;
        let fresh: Vec<Import> = new
            .imports()
            .iter()
            .filter(inside)
            .filter(|import| !went_round(import))
            .copied()
            .collect();
        if fresh.is_empty() {
            verdict.known_cycles += 1;
            continue;
        }
        // The imports that are new are to blame, not those they close a cycle with. There are none
        // when configuration, not code, made old imports lead elsewhere.
        let added: Vec<Import> = fresh.iter().filter(|i| was(i).is_none()).copied().collect();
        let blamed = if added.is_empty() { fresh } else { added };
        let mut told: FxHashSet<Import> = FxHashSet::default();
        for import in blamed {
            if told.contains(&import) {
                continue;
            }
            let back = new.path(import.to, import.from);
            let way = std::iter::once(import).chain(back);
            let cycle: Vec<Import> = way.collect();
            told.extend(cycle.iter().copied());
            let cycle = edges(head, &cycle);
            if let Some(import) = cycle.first().cloned() {
                verdict.cycles.push(NewCycle { import, cycle });
            }
        }
    }
    if let Some(limit) = max_fan_in {
        let (old_in, new_in) = (old.fan_in(), new.fan_in());
        for (file, now) in head.files().zip(new_in) {
            let known = before[file.0 as usize].map_or(0, |file| old_in[file.0 as usize]);
            if now as usize <= limit || known as usize > limit {
                continue;
            }
            let added: Vec<Import> = new
                .imports()
                .iter()
                .filter(|import| import.to == file && was(import).is_none())
                .copied()
                .collect();
            verdict.hubs.push(NewHub {
                path: head.view.file(file).path.to_string(),
                before: known,
                now,
                imports: edges(head, &added),
            });
        }
    }
    verdict
}

/// For each file of the head the file of the base that it was: of the same path, else moved.
fn counterparts(base: &Inventory<'_>, head: &Inventory<'_>) -> Vec<Option<FileId>> {
    let mut found: Vec<Option<FileId>> = head
        .files()
        .map(|file| base.view.file_at(head.view.file(file).path.as_bytes()))
        .collect();
    let kept: FxHashSet<FileId> = found.iter().flatten().copied().collect();
    let gone: Vec<FileId> = base
        .files()
        .filter(|file| !kept.contains(file) && base.is_product(*file))
        .collect();
    let added: Vec<FileId> = head
        .files()
        .filter(|file| found[file.0 as usize].is_none() && head.is_product(*file))
        .collect();
    if gone.is_empty() || added.is_empty() {
        return found;
    }
    let mut taken: FxHashSet<FileId> = FxHashSet::default();
    for (new, old) in moved(base, &gone, head, &added) {
        if found[new.0 as usize].is_none() && taken.insert(old) {
            found[new.0 as usize] = Some(old);
        }
    }
    found
}

/// Pairs of an added and a removed file that hold the same, surest first.
fn moved(
    base: &Inventory<'_>,
    gone: &[FileId],
    head: &Inventory<'_>,
    added: &[FileId],
) -> Vec<(FileId, FileId)> {
    let mut by_hash: FxHashMap<u64, Vec<FileId>> = FxHashMap::default();
    for file in gone {
        for hash in texts(base, *file) {
            by_hash.entry(hash).or_default().push(*file);
        }
    }
    let mut pairs: Vec<(Reverse<u32>, FileId, FileId)> = Vec::new();
    for new in added {
        let blob = head.view.file(*new).blob;
        let same = gone.iter().filter(|old| base.view.file(**old).blob == blob);
        pairs.extend(same.map(|old| (Reverse(u32::MAX), *new, *old)));
        let texts = texts(head, *new);
        let mut shared: FxHashMap<FileId, u32> = FxHashMap::default();
        for hash in &texts {
            for old in by_hash.get(hash).into_iter().flatten() {
                *shared.entry(*old).or_default() += 1;
            }
        }
        let enough = |count: &u32| f64::from(*count) >= MIN_SAME * texts.len() as f64;
        let alike = shared.into_iter().filter(|(_, count)| enough(count));
        pairs.extend(alike.map(|(old, count)| (Reverse(count), *new, old)));
    }
    pairs.sort_unstable();
    pairs.into_iter().map(|(_, new, old)| (new, old)).collect()
}

/// Hashes of the texts of a file's outermost definitions, each once.
fn texts(inventory: &Inventory<'_>, file: FileId) -> FxHashSet<u64> {
    let mut position = 0;
    let mut hashes = FxHashSet::default();
    while let Some(id) = inventory.graph.symbol(file, position) {
        let entry = inventory.get(id);
        if entry.container.is_none() {
            hashes.insert(entry.body_hash);
        }
        position += 1;
    }
    hashes
}
