//! Whether some files load others over any number of imports, and whether a file loads itself again: what `audit`
//! calls a cycle. Read are all files that the first ones reach.

use super::bisect::Probe;
use super::ends::End;
use super::since::Evidence;
use super::telling::Telling;
use crate::extract::record::ImportKind;
use crate::git::RepoPath;
use crate::git::tree::Change;
use crate::graph::edges::{Dependency, Graph, Target};
use crate::graph::rule::Certainty;
use crate::id::{BlobId, TreeId};
use crate::query::Error;
use crate::query::engine::Engine;
use crate::query::engine::sketch::{Load, Sketcher, Wanted};
use crate::query::imports::ImportGraph;
use crate::query::inventory::Inventory;
use crate::view::files::Reading;
use crate::view::live::{FileId, View};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Imports that are followed one after the other.
const MAX_STEPS: usize = 256;
/// Files named between the ends.
const MAX_VIA: usize = 6;

/// What is looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Way {
    /// From some files to others.
    To(End),
    /// From a file back to it.
    Round,
}

/// A way over imports, asked of any number of trees.
pub struct Reach<'e> {
    engine: &'e Engine,
    sketcher: Sketcher<'e>,
    from: End,
    way: Way,
    /// Files that the first ones reached in the tree looked at last.
    reached: FxHashSet<RepoPath>,
    sums: FxHashMap<BlobId, u64>,
    /// Trees in which more files were reached than are read.
    pub cut: usize,
}

impl<'e> Reach<'e> {
    /// A way from some files.
    pub fn new(engine: &'e Engine, from: End, way: Way) -> Self {
        Self {
            sketcher: Sketcher::new(engine),
            engine,
            from,
            way,
            reached: FxHashSet::default(),
            sums: FxHashMap::default(),
            cut: 0,
        }
    }

    /// Keeps the documents that were extracted for the next question.
    pub fn keep(&self) {
        self.sketcher.keep();
    }

    fn sum(&mut self, blob: BlobId) -> Result<u64, Error> {
        if let Some(known) = self.sums.get(&blob) {
            return Ok(*known);
        }
        // Whether only types are imported is told by their uses.
        let telling = match self.way {
            Way::To(_) => Telling::Imports,
            Way::Round => Telling::Whole,
        };
        let sum = telling.sum(&self.sketcher.content(blob)?);
        self.sums.insert(blob, sum);
        Ok(sum)
    }
}

impl Probe for Reach<'_> {
    fn look(&mut self, root: TreeId) -> Result<Option<Evidence>, Error> {
        let files = self.sketcher.files(root)?;
        let from = self.from.files(&files);
        let to: Wanted = match &self.way {
            Way::To(end) => end
                .files(&files)
                .into_iter()
                .filter(|to| !from.contains(to))
                .collect(),
            Way::Round => from.iter().copied().collect(),
        };
        // Most of what was reached in the tree before is reached in this one.
        let before = (0u32..).map(FileId).zip(files.iter());
        let before = before.filter(|(_, file)| self.reached.contains(&file.path));
        let mut wanted: Wanted = before
            .map(|(id, _)| id)
            .chain(from.iter().copied())
            .collect();
        let loads = self
            .sketcher
            .gather(&files, &mut wanted, MAX_STEPS, &mut |_, _| Ok(true))?;
        self.cut += usize::from(loads.is_none());
        self.reached = wanted
            .iter()
            .map(|file| files[file.0 as usize].path.clone())
            .collect();
        if from.is_empty() || to.is_empty() {
            return Ok(None);
        }
        if let (Way::To(_), Some(loads)) = (&self.way, &loads)
            && let Some(found) = way(&loads.view, &mut |file| loads.of_file(file), (&from, &to))
        {
            return Ok(found);
        }
        let begun: Vec<FileId> = wanted.iter().copied().collect();
        let families = &mut FxHashSet::default();
        self.sketcher
            .declaring(&files, &begun, families, &mut wanted);
        let view = self.sketcher.view(&files, &wanted)?;
        let graph = self.sketcher.graph(&view);
        Ok(match self.way {
            Way::To(_) => {
                let mut loads = |file| Some(loads_of(&graph, file));
                way(&view, &mut loads, (&from, &to)).flatten()
            }
            Way::Round => round(self.engine, &view, &graph, &from),
        })
    }

    fn may_change(&mut self, change: &Change) -> Result<bool, Error> {
        let read = |side: Option<(_, BlobId)>| {
            side.filter(|(mode, _)| {
                matches!(Reading::of(&change.path, *mode), Reading::Document(_))
            })
            .map(|(_, blob)| blob)
        };
        Ok(match (read(change.old), read(change.new)) {
            (Some(old), Some(new)) => {
                self.reached.contains(&change.path) && self.sum(old)? != self.sum(new)?
            }
            // What nothing reaches is not missed before it was there. What is there no more may have been reached.
            (None, Some(_)) => self.reached.contains(&change.path),
            (Some(_), None) => true,
            (None, None) => false,
        })
    }
}

/// What a file imports of its tree, in its order.
fn loads_of(graph: &Graph, file: FileId) -> Vec<Load> {
    let found = graph.dependencies(file);
    let found = found.filter(|import| import.target == Target::Found);
    let load = |import: Dependency<'_>| Load {
        line: import.line,
        kind: import.kind,
        files: import.files().collect(),
    };
    found.map(load).collect()
}

/// A shortest way over imports, as far as `loads` knows what each file loads; `None` where it does not.
fn way(
    view: &View,
    loads: &mut dyn FnMut(FileId) -> Option<Vec<Load>>,
    (from, to): (&[FileId], &Wanted),
) -> Option<Option<Evidence>> {
    let mut came: FxHashMap<FileId, (FileId, u32, ImportKind)> = FxHashMap::default();
    let mut seen: FxHashSet<FileId> = from.iter().copied().collect();
    let mut queue: VecDeque<FileId> = from.iter().copied().collect();
    while let Some(file) = queue.pop_front() {
        for import in loads(file)? {
            if matches!(import.kind, ImportKind::Package | ImportKind::Export) {
                continue;
            }
            for next in import.files.into_iter().filter(|next| seen.insert(*next)) {
                came.insert(next, (file, import.line, import.kind));
                if !to.contains(&next) {
                    queue.push_back(next);
                    continue;
                }
                let mut chain = vec![next];
                let mut first = (import.line, import.kind);
                let mut at = next;
                while let Some((before, line, kind)) = came.get(&at) {
                    (at, first) = (*before, (*line, *kind));
                    chain.push(at);
                }
                chain.reverse();
                return Some(evidence(view, &chain, first.0, first.1.label()));
            }
        }
    }
    Some(None)
}

/// A shortest way from a file back to it.
fn round(engine: &Engine, view: &View, graph: &Graph, from: &[FileId]) -> Option<Evidence> {
    let inventory = Inventory::of(view, graph);
    let imports = ImportGraph::of(&inventory, &mut engine.texts());
    from.iter().find_map(|file| {
        let path = imports.path(*file, *file);
        let first = path.first()?;
        let ends = path.iter().map(|import| import.to);
        let chain: Vec<FileId> = std::iter::once(*file).chain(ends).collect();
        evidence(view, &chain, first.line, ImportKind::Import.label())
    })
}

fn evidence(view: &View, chain: &[FileId], line: u32, how: &'static str) -> Option<Evidence> {
    let path = |file: &FileId| view.file(*file).path.to_string();
    let (from, rest) = chain.split_first()?;
    let (to, via) = rest.split_last()?;
    Some(Evidence {
        certainty: Certainty::Resolved,
        how,
        path: path(from),
        line,
        to: path(to),
        via: via.iter().take(MAX_VIA).map(path).collect(),
        candidates: 0,
    })
}
