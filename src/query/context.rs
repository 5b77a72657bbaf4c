//! The context of a task: the files and definitions to look at, what they hang together with, and the
//! tests to run, in one answer.
//!
//! What speaks of the task is found as `search` finds it. What hangs together with it is found by
//! structure: files that the found ones import and files that import them, up to two steps away, and
//! those first that much of the repository depends on. In a ranking of search results structure
//! takes more from questions about one place than it gives to those about many (measured on 516
//! annotated questions: architecture +.006, all others -.006 to -.01), so it has its place here.

use super::answer::SymbolRef;
use super::relations;
use super::search::answer::SearchAnswer;
use super::spoken;
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Hits that the files of a task are made of.
pub const HITS: usize = 30;
/// Files that speak of a task.
const MAX_FILES: usize = 10;
/// Definitions named of each.
const MAX_SYMBOLS: usize = 3;
/// Files that hang together with them.
const MAX_RELATED: usize = 8;
/// Tests.
const MAX_TESTS: usize = 8;
/// Share of the best hit's score below which a hit is not about the task.
const LEAST: f64 = 0.3;
/// Files from which structure is followed.
const SEEDS: usize = 5;
/// What a file two steps away counts, against one step.
const SECOND_STEP: f64 = 0.3;

/// A file to look at for a task.
#[derive(Clone, PartialEq, Debug)]
pub struct TaskFile {
    /// Its path.
    pub path: String,
    /// Definitions in it that speak of the task, best first.
    pub symbols: Vec<SymbolRef>,
}

labelled! {
    /// How a file hangs together with those of a task.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Relation {
        /// One of them imports it.
        Imported = "imported by",
        /// It imports one of them.
        Imports = "imports",
        /// By way of another file.
        Indirect = "near",
    }
}

/// A file that hangs together with those of a task.
#[derive(Clone, PartialEq, Debug)]
pub struct RelatedFile {
    /// Its path.
    pub path: String,
    /// How.
    pub relation: Relation,
    /// With which of them.
    pub with: String,
}

/// The context of a task.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TaskContext {
    /// Files that speak of it, best first.
    pub files: Vec<TaskFile>,
    /// What hangs together with them.
    pub related: Vec<RelatedFile>,
    /// Tests that use the definitions named, and then those that speak of the task.
    pub tests: Vec<SymbolRef>,
    /// Other test files that speak of it or import the files.
    pub test_files: Vec<String>,
}

/// Puts the context of a task together from what a search for it found.
pub fn context(view: &View, graph: &Graph, texts: &mut Texts, found: &SearchAnswer) -> TaskContext {
    let mut files: Vec<(FileId, TaskFile)> = Vec::new();
    let mut spoken: Vec<SymbolRef> = Vec::new();
    let mut test_files: Vec<String> = Vec::new();
    let is_test = |file: FileId| view.file(file).role == FileRole::Test;
    let best = found.hits.first().map_or(0.0, |hit| hit.score);
    for hit in found.hits.iter().filter(|hit| hit.score >= LEAST * best) {
        let Some(id) = view.file_at(hit.path.as_bytes()) else {
            continue;
        };
        if is_test(id) {
            match &hit.symbol {
                Some(symbol) => spoken.push(symbol.clone()),
                None => test_files.push(hit.path.clone()),
            }
            continue;
        }
        let at = match files.iter().position(|(file, _)| *file == id) {
            Some(at) => at,
            None if files.len() < MAX_FILES => {
                let (path, symbols) = (hit.path.clone(), Vec::new());
                files.push((id, TaskFile { path, symbols }));
                files.len() - 1
            }
            None => continue,
        };
        let symbols = &mut files[at].1.symbols;
        if let Some(symbol) = &hit.symbol
            && symbols.len() < MAX_SYMBOLS
            && !symbols.contains(symbol)
        {
            symbols.push(symbol.clone());
        }
    }
    let seeds: Vec<FileId> = files.iter().map(|(id, _)| *id).take(SEEDS).collect();
    let own: FxHashSet<FileId> = files.iter().map(|(id, _)| *id).collect();
    let mut tests = tests(view, graph, texts, found);
    for symbol in spoken {
        if !tests.contains(&symbol) {
            tests.push(symbol);
        }
    }
    tests.truncate(MAX_TESTS);
    for importer in seeds.iter().flat_map(|seed| graph.dependents(*seed)) {
        let path = view.file(importer).path.to_string();
        if is_test(importer) && !test_files.contains(&path) {
            test_files.push(path);
        }
    }
    test_files.retain(|path| tests.iter().all(|test| test.path != *path));
    test_files.truncate(MAX_TESTS);
    TaskContext {
        related: related(view, graph, &seeds, &own),
        tests,
        test_files,
        files: files.into_iter().map(|(_, file)| file).collect(),
    }
}

/// Product files near the seeds, the most telling first: near to many of them, few others being as
/// near, and much depending on them.
fn related(
    view: &View,
    graph: &Graph,
    seeds: &[FileId],
    own: &FxHashSet<FileId>,
) -> Vec<RelatedFile> {
    let mut found: FxHashMap<FileId, (f64, Relation, FileId)> = FxHashMap::default();
    let mut credit = |file: FileId, worth: f64, relation: Relation, with: FileId| {
        if own.contains(&file) || view.file(file).role != FileRole::Product {
            return;
        }
        let entry = found.entry(file).or_insert((0.0, relation, with));
        if entry.1 == Relation::Indirect && relation != Relation::Indirect {
            (entry.1, entry.2) = (relation, with);
        }
        entry.0 += worth;
    };
    for seed in seeds {
        for (near, relation) in near(graph, *seed) {
            let worth = 1.0 / (near.len().max(1) as f64).sqrt();
            for file in &near {
                credit(*file, worth, relation, *seed);
            }
            for file in near.into_iter().take(2 * MAX_FILES) {
                for (next, _) in self::near(graph, file) {
                    let worth = SECOND_STEP * worth / (next.len().max(1) as f64).sqrt();
                    next.into_iter()
                        .for_each(|next| credit(next, worth, Relation::Indirect, *seed));
                }
            }
        }
    }
    let most = found
        .keys()
        .map(|file| graph.rank(*file))
        .fold(f64::MIN_POSITIVE, f64::max);
    let mut ranked: Vec<(FileId, f64, Relation, FileId)> = found
        .into_iter()
        .map(|(file, (worth, relation, with))| {
            let central = (graph.rank(file) / most).sqrt();
            (file, worth * (0.5 + 0.5 * central), relation, with)
        })
        .collect();
    ranked.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked.truncate(MAX_RELATED);
    let ranked = ranked.into_iter();
    ranked
        .map(|(file, _, relation, with)| RelatedFile {
            path: view.file(file).path.to_string(),
            relation,
            with: view.file(with).path.to_string(),
        })
        .collect()
}

/// What a file imports, and what imports it.
fn near(graph: &Graph, file: FileId) -> [(Vec<FileId>, Relation); 2] {
    [
        (graph.depends(file).collect(), Relation::Imported),
        (graph.dependents(file).collect(), Relation::Imports),
    ]
}

/// Tests that call the definitions found, those first that call most of them.
fn tests(view: &View, graph: &Graph, texts: &mut Texts, found: &SearchAnswer) -> Vec<SymbolRef> {
    let mut calls: BTreeMap<SymbolId, usize> = BTreeMap::new();
    for symbol in found.hits.iter().filter_map(|hit| hit.symbol.as_ref()) {
        let id = view
            .file_at(symbol.path.as_bytes())
            .and_then(|file| relations::at(view, graph, file, symbol));
        for test in id
            .into_iter()
            .flat_map(|id| relations::tests(view, graph, id))
        {
            *calls.entry(test).or_default() += 1;
        }
    }
    let mut calls: Vec<(SymbolId, usize)> = calls.into_iter().collect();
    calls.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let calls = calls.into_iter().take(MAX_TESTS);
    calls
        .filter_map(|(id, _)| spoken::reference(view, graph, texts, id))
        .collect()
}
