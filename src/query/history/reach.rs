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
    /// The files of the way that was found last, from its first to its last.
    found: Vec<RepoPath>,
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
            found: Vec::new(),
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
            && let Some(found) = way(&mut |file| loads.of_file(file), (&from, &to))
        {
            if let Some(chain) = &found {
                let path = |file: &FileId| files[file.0 as usize].path.clone();
                self.found = chain.files.iter().map(path).collect();
            }
            return Ok(found.and_then(|chain| chain.evidence(&loads.view)));
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
                let found = way(&mut loads, (&from, &to)).flatten();
                found.and_then(|chain| chain.evidence(&view))
            }
            Way::Round => round(self.engine, &view, &graph, &from),
        })
    }

    fn still_holds(&mut self, root: TreeId) -> Result<bool, Error> {
        let Way::To(end) = &self.way else {
            return Ok(false);
        };
        // What is read in part may be told otherwise.
        if self.found.is_empty() || self.cut > 0 {
            return Ok(false);
        }
        let files = self.sketcher.files(root)?;
        let place = |path: &RepoPath| files.binary_search_by(|file| file.path.cmp(path)).ok();
        let chain = self
            .found
            .iter()
            .map(|path| Some(FileId(place(path)? as u32)));
        let Some(chain) = chain.collect::<Option<Vec<FileId>>>() else {
            return Ok(false);
        };
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else {
            return Ok(false);
        };
        let from = self.from.files(&files);
        if !from.contains(first) || from.contains(last) || !end.files(&files).contains(last) {
            return Ok(false);
        }
        let mut wanted: Wanted = chain.iter().copied().collect();
        let loads = self
            .sketcher
            .gather(&files, &mut wanted, 1, &mut |_, _| Ok(false))?;
        let leads = |step: &[FileId]| {
            let all = loads.as_ref().and_then(|loads| loads.of_file(step[0]));
            all.is_some_and(|all| {
                let mut all = all.iter().filter(|load| load.is_followed());
                all.any(|load| load.files.contains(&step[1]))
            })
        };
        Ok(chain.windows(2).all(leads))
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

/// A way over imports.
struct Chain {
    files: Vec<FileId>,
    /// The line of its first import, and what kind of import that is.
    first: (u32, ImportKind),
}

impl Chain {
    fn evidence(&self, view: &View) -> Option<Evidence> {
        evidence(view, &self.files, self.first.0, self.first.1.label())
    }
}

impl Load {
    fn is_followed(&self) -> bool {
        !matches!(self.kind, ImportKind::Package | ImportKind::Export)
    }
}

/// A shortest way over imports, as far as `loads` knows what each file loads; `None` where it does not.
fn way(
    loads: &mut dyn FnMut(FileId) -> Option<Vec<Load>>,
    (from, to): (&[FileId], &Wanted),
) -> Option<Option<Chain>> {
    let mut came: FxHashMap<FileId, (FileId, u32, ImportKind)> = FxHashMap::default();
    let mut seen: FxHashSet<FileId> = from.iter().copied().collect();
    let mut queue: VecDeque<FileId> = from.iter().copied().collect();
    while let Some(file) = queue.pop_front() {
        for import in loads(file)?.into_iter().filter(Load::is_followed) {
            for next in import.files.into_iter().filter(|next| seen.insert(*next)) {
                came.insert(next, (file, import.line, import.kind));
                if !to.contains(&next) {
                    queue.push_back(next);
                    continue;
                }
                let mut files = vec![next];
                let mut first = (import.line, import.kind);
                let mut at = next;
                while let Some((before, line, kind)) = came.get(&at) {
                    (at, first) = (*before, (*line, *kind));
                    files.push(at);
                }
                files.reverse();
                return Some(Some(Chain { files, first }));
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
