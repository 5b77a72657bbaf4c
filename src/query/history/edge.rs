//! Whether one thing uses another in a tree: a definition or the files of a path use a definition or what stands
//! at a path.
//!
//! Read are the files of both, and of those that the first imports what may lead to the second. Between paths only
//! imports count, and each file is read by itself.

use super::ends::{End, Stand};
use super::since::{Evidence, Fact};
use super::telling::{self, Telling};
use super::watch::Standing;
use crate::extract::record::{ImportKind, OccurrenceKind};
use crate::git::RepoPath;
use crate::graph::edges::{Graph, Target};
use crate::graph::rule::Certainty;
use crate::id::{BlobId, TreeId};
use crate::query::Error;
use crate::query::engine::Engine;
use crate::query::engine::sketch::{Sketcher, Wanted};
use crate::query::ids::DocSymbols;
use crate::view::files::File;
use crate::view::live::{FileId, View};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Imports that are followed from the first end to the second.
const STEPS: usize = 4;
/// Files between both ends that are watched.
const MAX_BETWEEN: usize = 24;

/// An edge, asked of any number of trees.
pub struct Edge<'e> {
    sketcher: Sketcher<'e>,
    from: End,
    to: End,
    /// Words of which one stands in a file that uses the second end.
    words: Vec<Vec<u8>>,
    /// Words of which one stands in a file between both.
    chains: Vec<Vec<u8>>,
    telling: Telling,
    /// Files that pass names on from one end to the other, as seen in the first tree.
    between: Option<Vec<RepoPath>>,
    sums: FxHashMap<BlobId, u64>,
    /// What a file imports of the second end, by its path, what of it tells, and what there is of that end.
    imports: FxHashMap<(RepoPath, u64, u64), Option<Evidence>>,
}

impl<'e> Edge<'e> {
    /// An edge between two ends, with the files between them in a tree.
    pub fn new(engine: &'e Engine, from: End, to: End, root: TreeId) -> Result<Self, Error> {
        let telling = match (&from, &to) {
            (End::Paths(_), End::Paths(_)) => Telling::Imports,
            (End::Symbols(_), End::Paths(_)) => Telling::Whole,
            (_, End::Symbols(_)) => Telling::Words {
                // What the first end is called stands above them.
                names: to.names(),
                files: to.files_called(),
            },
        };
        let mut edge = Self {
            sketcher: Sketcher::new(engine),
            words: to.names().into_iter().chain(to.files_called()).collect(),
            chains: to.chains(),
            from,
            to,
            telling,
            between: None,
            sums: FxHashMap::default(),
            imports: FxHashMap::default(),
        };
        edge.look(root)?;
        Ok(edge)
    }

    /// Keeps the documents that were extracted for the next question.
    pub fn keep(&self) {
        self.sketcher.keep();
    }

    fn sum(&mut self, blob: BlobId) -> Result<u64, Error> {
        if let Some(known) = self.sums.get(&blob) {
            return Ok(*known);
        }
        let sum = self.telling.sum(&self.sketcher.content(blob)?);
        self.sums.insert(blob, sum);
        Ok(sum)
    }

    /// Where files of the first end import some of the second.
    fn imported(
        &mut self,
        files: &[File],
        (from, to): (Vec<FileId>, Wanted),
    ) -> Result<Option<Evidence>, Error> {
        let mut hasher = rustc_hash::FxHasher::default();
        for file in &to {
            files[file.0 as usize].path.hash(&mut hasher);
        }
        let there = hasher.finish();
        let mut asked: Vec<(FileId, (RepoPath, u64, u64))> = Vec::new();
        for file in from.into_iter().filter(|file| !to.contains(file)) {
            let of = &files[file.0 as usize];
            let key = (of.path.clone(), self.sum(of.blob)?, there);
            asked.push((file, key));
        }
        let unknown: Wanted = asked
            .iter()
            .filter(|(_, key)| !self.imports.contains_key(key))
            .map(|(file, _)| *file)
            .collect();
        if !unknown.is_empty() {
            let begun: Vec<FileId> = unknown.iter().copied().collect();
            let mut wanted = unknown.clone();
            let families = &mut FxHashSet::default();
            self.sketcher
                .declaring(files, &begun, families, &mut wanted);
            let view = self.sketcher.view(files, &wanted)?;
            let graph = self.sketcher.graph(&view);
            for (file, key) in &asked {
                if unknown.contains(file) {
                    let found = import(&view, &graph, *file, &to);
                    self.imports.insert(key.clone(), found);
                }
            }
        }
        let known = asked
            .iter()
            .filter_map(|(_, key)| self.imports.get(key)?.clone());
        Ok(known.min_by_key(|found| (found.path.clone(), found.line)))
    }

    fn used(
        &mut self,
        files: &Arc<Vec<File>>,
        (from, to): (Vec<FileId>, Wanted),
    ) -> Result<Option<Evidence>, Error> {
        let mut using = Wanted::new();
        for file in from {
            let bytes = self.sketcher.content(files[file.0 as usize].blob)?;
            if self.telling == Telling::Whole || telling::holds(&bytes, &self.words) {
                using.insert(file);
            }
        }
        if using.is_empty() {
            return Ok(None);
        }
        let mut wanted = using.clone();
        wanted.extend(&to);
        let words = self.chains.clone();
        self.sketcher
            .gather(files, &mut wanted, STEPS, &mut |sketcher, file| {
                Ok(telling::holds(&sketcher.content(file.blob)?, &words))
            })?;
        if self.between.is_none() {
            let mut between = Vec::new();
            for file in wanted
                .iter()
                .filter(|file| !using.contains(file) && !to.contains(file))
            {
                let file = &files[file.0 as usize];
                let bytes = self.sketcher.content(file.blob)?;
                if between.len() < MAX_BETWEEN && telling::holds(&bytes, &words) {
                    between.push(file.path.clone());
                }
            }
            self.between = Some(between);
        }
        let begun: Vec<FileId> = wanted.iter().copied().collect();
        let families = &mut FxHashSet::default();
        self.sketcher
            .declaring(files, &begun, families, &mut wanted);
        let view = self.sketcher.view(files, &wanted)?;
        let graph = self.sketcher.graph(&view);
        Ok(use_of(&view, &graph, (&self.from, &using), (&self.to, &to)))
    }
}

impl Fact for Edge<'_> {
    fn paths(&self) -> Vec<RepoPath> {
        let between = self.between.iter().flatten().cloned();
        let mut all: Vec<RepoPath> = self
            .from
            .paths()
            .chain(self.to.paths())
            .chain(between)
            .collect();
        let mut seen = FxHashSet::default();
        all.retain(|path| seen.insert(path.clone()));
        all
    }

    fn basis(&mut self, standing: &[Option<Standing>]) -> Result<u64, Error> {
        // Of what is imported it only matters that it is there.
        let is_path = matches!(self.to, End::Paths(_));
        let only_there: FxHashSet<RepoPath> = self
            .to
            .paths()
            .filter(|to| is_path && self.from.paths().all(|from| from != *to))
            .collect();
        let mut hasher = rustc_hash::FxHasher::default();
        for (path, standing) in self.paths().iter().zip(standing) {
            let Some(standing) = standing else {
                0u64.hash(&mut hasher);
                continue;
            };
            let is_only_there = only_there.contains(path);
            if !standing.is_folder {
                match is_only_there {
                    true => 1u64.hash(&mut hasher),
                    false => self.sum(BlobId::new(standing.id))?.hash(&mut hasher),
                }
                continue;
            }
            let files = self.sketcher.files(TreeId::new(standing.id))?;
            for file in files.iter().filter(|file| file.key().is_some()) {
                file.path.hash(&mut hasher);
                if !is_only_there {
                    self.sum(file.blob)?.hash(&mut hasher);
                }
            }
        }
        Ok(hasher.finish())
    }

    fn look(&mut self, root: TreeId) -> Result<Option<Evidence>, Error> {
        let files = self.sketcher.files(root)?;
        let from = self.from.files(&files);
        let to: Wanted = self.to.files(&files).into_iter().collect();
        if from.is_empty() || to.is_empty() {
            return Ok(None);
        }
        match (&self.from, &self.to) {
            (End::Paths(_), End::Paths(_)) => self.imported(&files, (from, to)),
            _ => self.used(&files, (from, to)),
        }
    }
}

/// Where a file imports one of some others.
fn import(view: &View, graph: &Graph, from: FileId, to: &Wanted) -> Option<Evidence> {
    let path = view.file(from).path.to_string();
    graph
        .dependencies(from)
        .filter(|import| import.target == Target::Found)
        .filter(|import| !matches!(import.kind, ImportKind::Package | ImportKind::Export))
        .find_map(|import| {
            let there = import.files().find(|file| to.contains(file))?;
            Some(Evidence {
                certainty: Certainty::Resolved,
                how: import.kind.label(),
                path: path.clone(),
                line: import.line,
                to: view.file(there).path.to_string(),
                via: Vec::new(),
                candidates: 0,
            })
        })
}

/// The definitions of a file that an end means, with all that is inside them where that counts; `None` for all of the
/// file.
fn members(view: &View, file: FileId, of: &End, with_inner: bool) -> Option<FxHashSet<usize>> {
    let End::Symbols(stands) = of else {
        return None;
    };
    let mut found = FxHashSet::default();
    let at = view.file(file);
    let stands: Vec<&Stand> = stands
        .iter()
        .filter(|stand| stand.path == at.path)
        .collect();
    let Some(doc) = at.doc.filter(|_| !stands.is_empty()) else {
        return Some(found);
    };
    let symbols = DocSymbols::load(&view.segment(doc.segment).segment, doc.doc);
    let own: Vec<usize> = (0..symbols.all().len())
        .filter(|index| {
            let qualified = symbols.qualified(*index);
            stands.iter().any(|stand| stand.qualified == qualified)
        })
        .collect();
    for index in 0..symbols.all().len() {
        if own
            .iter()
            .any(|outer| index == *outer || (with_inner && symbols.is_within(index, *outer)))
        {
            found.insert(index);
        }
    }
    Some(found)
}

/// What is the best of several uses: the surest, that says most, that comes first.
type Rank = (Certainty, Reverse<u8>, usize, u32);

/// The surest use of one end by the other, and of these the one that says most.
fn use_of(
    view: &View,
    graph: &Graph,
    (from, using): (&End, &Wanted),
    (to, there): (&End, &Wanted),
) -> Option<Evidence> {
    let of_to: FxHashMap<FileId, Option<FxHashSet<usize>>> = there
        .iter()
        .map(|file| (*file, members(view, *file, to, false)))
        .collect();
    let is_meant = |(file, index): (FileId, usize)| {
        let members = of_to.get(&file);
        members.is_some_and(|members| members.as_ref().is_none_or(|all| all.contains(&index)))
    };
    let mut best: Option<(Rank, Evidence)> = None;
    for (at, file) in using.iter().enumerate() {
        let of_from = members(view, *file, from, true);
        for number in graph.edges_of(*file) {
            let edge = graph.edge(number);
            let certainty = edge.rule.certainty();
            if certainty == Certainty::Text || edge.kind == OccurrenceKind::Mention {
                continue;
            }
            let owner = edge.from.map(|id| graph.place(id).1);
            let is_inside = of_from
                .as_ref()
                .is_none_or(|own| owner.is_some_and(|owner| own.contains(&owner)));
            if !is_inside {
                continue;
            }
            let targets: Vec<(FileId, usize)> =
                graph.targets(number).map(|id| graph.place(id)).collect();
            let Some(target) = targets.iter().find(|target| is_meant(**target)) else {
                continue;
            };
            // What uses itself says nothing.
            let is_own = |of: &(FileId, usize)| {
                of.0 == *file && of_from.as_ref().is_none_or(|own| own.contains(&of.1))
            };
            if is_own(target) && !matches!((from, to), (End::Symbols(a), End::Symbols(b)) if a == b)
            {
                continue;
            }
            let rank: Rank = (certainty, Reverse(weight(edge.kind)), at, edge.line);
            if best.as_ref().is_some_and(|(other, _)| *other <= rank) {
                continue;
            }
            let others = targets.iter().filter(|other| !is_meant(**other)).count();
            let evidence = Evidence {
                certainty,
                how: edge.kind.label(),
                path: view.file(*file).path.to_string(),
                line: edge.line,
                to: shown(view, *target),
                via: Vec::new(),
                candidates: others,
            };
            best = Some((rank, evidence));
        }
    }
    best.map(|(_, evidence)| evidence)
}

/// How much a kind of use says.
fn weight(kind: OccurrenceKind) -> u8 {
    match kind {
        OccurrenceKind::Inherit => 6,
        OccurrenceKind::Call | OccurrenceKind::Expand => 5,
        OccurrenceKind::Type => 4,
        OccurrenceKind::Write | OccurrenceKind::Read => 3,
        OccurrenceKind::Import => 2,
        OccurrenceKind::Mention => 1,
    }
}

fn shown(view: &View, (file, index): (FileId, usize)) -> String {
    let file = view.file(file);
    let symbol = file.doc.and_then(|doc| {
        let segment = &view.segment(doc.segment).segment;
        segment.symbols(doc.doc).nth(index)
    });
    match symbol {
        Some(symbol) => format!("{}:{}", file.path, symbol.name_line),
        None => file.path.to_string(),
    }
}
