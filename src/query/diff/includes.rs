//! Uses in a file of C or C++ of what it saw only by an include that is gone, its own or that of a header in between.
//!
//! Judged are files that nothing includes: what a header lacks, those that include it may have read before.
//!
//! Guarantees: a use is told that led there for sure, on a line that is as it was, where neither the file nor anything that
//! it sees defines or declares the name, and nothing is included now that is not known here and was not before.

use super::dangling::{Search, document};
use super::files::FileChange;
use super::units::Side;
use crate::extract::record::{ImportKind, OccurrenceKind, Qualifier};
use crate::graph::edges::Target;
use crate::graph::rule::Certainty;
use crate::lang;
use crate::query::diff::document::Document;
use crate::view::live::FileId;
use rustc_hash::FxHashSet;

/// Files that may see less than before and are looked at, and headers that are read for one.
const MAX_FILES: usize = 1024;
const MAX_HEADERS: usize = 4096;

/// What a file sees by its includes.
struct Seen {
    /// Itself and the headers that are here.
    files: FxHashSet<FileId>,
    /// What it includes that is not here.
    outer: FxHashSet<Vec<u8>>,
    /// Whether that is all.
    is_whole: bool,
}

impl Search<'_> {
    /// Uses of what files see no more by their includes.
    pub(super) fn lost_includes(&mut self, files: &[FileChange]) {
        let mut open: Vec<FileId> = Vec::new();
        for change in files {
            if let FileChange::Kept { old, new } = *change
                && is_linked(self.old, old)
                && self.includes_less(old, new)
            {
                open.push(old);
            }
        }
        let mut next = 0;
        let mut known: FxHashSet<FileId> = open.iter().copied().collect();
        while let Some(file) = open.get(next).copied()
            && open.len() < MAX_FILES
        {
            next += 1;
            let importers = includers(self.old, file);
            open.extend(importers.into_iter().filter(|file| known.insert(*file)));
        }
        for old in open {
            let Some(new) = self.file_now(old) else {
                continue;
            };
            if includers(self.old, old).is_empty() && includers(self.new, new).is_empty() {
                self.lost_in(old, new);
            }
        }
    }

    /// Whether a file lacks an include of something that is still there.
    fn includes_less(&self, old: FileId, new: FileId) -> bool {
        let now: FxHashSet<FileId> = included(self.new, new).into_iter().collect();
        let before = included(self.old, old).into_iter();
        let mut before = before.filter_map(|header| self.file_now(header));
        before.any(|header| !now.contains(&header))
    }

    fn lost_in(&mut self, old: FileId, new: FileId) {
        let (before, after) = (Seen::of(self.old, old), Seen::of(self.new, new));
        let is_known = before.is_whole && after.is_whole && after.outer.is_subset(&before.outer);
        let still = |search: &Self, header: FileId| {
            let now = search.file_now(header);
            now.is_some_and(|now| after.files.contains(&now))
        };
        let lost = before
            .files
            .iter()
            .any(|header| self.file_now(*header).is_some() && !still(self, *header));
        let Some(was) = Document::read(self.old, old).filter(|_| is_known && lost) else {
            return;
        };
        let mut reader = self.old.graph.reader();
        for number in self.old.graph.edges_of(old) {
            let edge = reader.edge(number);
            let used = was.at((edge.line, edge.col));
            let is_bare = used.is_some_and(|(_, used)| {
                used.qualifier == Qualifier::None
                    && !matches!(used.kind, OccurrenceKind::Mention | OccurrenceKind::Import)
            });
            if !is_bare || edge.rule.certainty() != Certainty::Resolved {
                continue;
            }
            let targets: Vec<_> = self.old.graph.targets(number).collect();
            let file_of = |target| self.old.graph.place(target).0;
            let sees_still = targets.iter().any(|target| still(self, file_of(*target)));
            let saw = |target: &&_| before.files.contains(&file_of(**target));
            let Some(target) = targets.iter().find(saw).filter(|_| !sees_still) else {
                continue;
            };
            let (Some(line), Some(id)) = (
                self.line_now(old, new, edge.line),
                self.matches.still((self.old, self.new), *target),
            ) else {
                continue;
            };
            let now = self.new.graph.edge_at(new, line, edge.col);
            let leads_on = now.is_some_and(|now| {
                let mut targets = self.new.graph.targets(now);
                targets.any(|target| after.files.contains(&self.new.graph.place(target).0))
            });
            // What is called otherwise is told of as that.
            let is_same = self
                .old
                .find(*target)
                .is_none_or(|unit| self.stayed(unit).is_some());
            if is_same && !leads_on {
                self.unseen(id, new, (line, edge.col));
            }
        }
    }
}

impl Seen {
    fn of(side: &Side<'_>, file: FileId) -> Self {
        let (mut open, mut next) = (vec![file], 0);
        let mut seen = Self {
            files: FxHashSet::from_iter([file]),
            outer: FxHashSet::default(),
            is_whole: true,
        };
        while let Some(file) = open.get(next).copied() {
            next += 1;
            if next > MAX_HEADERS {
                seen.is_whole = false;
                break;
            }
            let Some((segment, doc)) = document(side, file) else {
                seen.is_whole = false;
                continue;
            };
            let said: Vec<Vec<u8>> = segment
                .imports(doc)
                .map(|import| import.specifier)
                .collect();
            for found in side.graph.dependencies(file) {
                if found.target != Target::Found {
                    seen.outer.extend(said.get(found.import as usize).cloned());
                }
                for header in found.files() {
                    if seen.files.insert(header) {
                        open.push(header);
                    }
                }
            }
        }
        seen
    }
}

/// The files that a file includes itself.
fn included(side: &Side<'_>, file: FileId) -> Vec<FileId> {
    let all = side.graph.dependencies(file);
    let all = all.filter(|found| found.kind == ImportKind::Include);
    all.flat_map(|found| found.files().collect::<Vec<_>>())
        .collect()
}

/// The files that include a file.
fn includers(side: &Side<'_>, file: FileId) -> Vec<FileId> {
    let all = side.graph.importers(file);
    all.filter(|from| is_linked(side, *from) && *from != file)
        .collect()
}

/// Whether a file is of a language whose includes make names visible.
fn is_linked(side: &Side<'_>, file: FileId) -> bool {
    let found = document(side, file);
    found.is_some_and(|(segment, doc)| lang::of(segment.doc(doc).lang).naming.linked)
}
