//! `map`: what is in the repository, for somebody who sees it for the first time.

use super::Error;
use super::answer::SymbolRef;
use super::audit::answer::HubFile;
use super::audit::hubs::hub_files;
use super::context::{self, TaskContext};
use super::engine::{Engine, Pinned};
use super::entry_points;
use super::nothing::Nothing;
use super::overview::{Candidate, Hub, Overview};
use super::question::{self, Question, warned};
use super::recall::related::{Note, Shown};
use super::request::{MAP_DEPTH, MapRequest, MapView, Mode, Scope, SearchRequest};
use super::scope::Filter;
use super::search::answer::SearchAnswer;
use super::state::{IndexState, Skipped, Stamp};
use super::verified;
use crate::extract::record::Grammar;
use crate::git::quoting;
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::lang::{self, language::Genre};
use crate::store::Progress;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use std::collections::BTreeMap;

/// Files shown that most others depend on.
const MAX_HUBS: usize = 8;
/// Definitions shown for the whole repository.
const MAX_SYMBOLS: usize = 20;
/// Definitions shown of a directory.
const MAX_DIRECTORY_SYMBOLS: usize = 5;

/// A language's share of the view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LanguageShare {
    /// Language.
    pub lang: Grammar,
    /// Files.
    pub files: usize,
    /// Lines.
    pub lines: u64,
    /// Bytes.
    pub bytes: u64,
    /// Symbols.
    pub symbols: usize,
}

/// One directory of the map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DirectoryShare {
    /// Path; empty for the root.
    pub path: String,
    /// Nesting depth, from 0 for the root.
    pub depth: usize,
    /// Files below it, at any depth.
    pub files: usize,
    /// Lines below it.
    pub lines: u64,
    /// Its exported types and functions that most files use, at most 5.
    pub symbols: Vec<SymbolRef>,
}

/// Entry points of a repository.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entries {
    /// Routes in order of their paths, then commands, jobs and the rest in order of their names.
    pub entry_points: Vec<entry_points::Shown>,
    /// Entry points that files of tests state, which are left out.
    pub of_tests: usize,
}

/// Answer of `map`.
#[derive(Clone, PartialEq, Debug)]
pub struct MapAnswer {
    /// State spoken from.
    pub stamp: Stamp,
    /// Paths in the view.
    pub files: usize,
    /// Languages, most lines first.
    pub languages: Vec<LanguageShare>,
    /// Directories, in path order, down to the depth asked.
    pub directories: Vec<DirectoryShare>,
    /// Files of the code proper that most of it depends on, highest PageRank first.
    pub hubs: Vec<HubFile>,
    /// Types and functions of the code proper, those that most files use first.
    pub symbols: Vec<SymbolRef>,
    /// The context of the task that was asked about, with what the search for it found; then nothing
    /// is said of languages, directories and hubs.
    pub task: Option<(TaskContext, SearchAnswer)>,
    /// Entry points, when these were asked for; then nothing else is said.
    pub entries: Option<Entries>,
    /// Files not extracted, by reason; path rules (lock files, secrets by name) included.
    pub skipped: Vec<Skipped>,
    /// The index.
    pub index: IndexState,
    /// Core memories, then those whose targets it shows.
    pub memories: Vec<Note>,
    /// Set when there is nothing: where it was looked, and what is near.
    pub nothing: Option<Box<Nothing>>,
}

/// What a map shows of files, before its words are read.
pub(in crate::query) struct Parts {
    files: usize,
    languages: Vec<LanguageShare>,
    skipped: Vec<Skipped>,
    directories: Vec<Directory>,
    hubs: Vec<Hub>,
    symbols: Vec<SymbolId>,
}

/// A directory, before its words are read.
#[derive(Default)]
struct Directory {
    path: Vec<u8>,
    files: usize,
    lines: u64,
    symbols: Vec<SymbolId>,
}

/// A view, its graph, and what most of it uses.
#[derive(Clone, Copy)]
pub(in crate::query) struct Whole<'a> {
    /// The view.
    pub(in crate::query) view: &'a View,
    /// Its graph.
    pub(in crate::query) graph: &'a Graph,
    /// What most of it uses.
    pub(in crate::query) overview: &'a Overview,
}

impl Whole<'_> {
    /// The definitions that a filter lets pass, most used first.
    fn definitions<'a>(&'a self, filter: &'a Filter) -> impl Iterator<Item = &'a Candidate> {
        let admitted = |of: &&Candidate| filter.admits(self.view, self.view.file(of.file));
        self.overview.definitions.iter().filter(admitted)
    }
}

warned!(MapAnswer, stamp.warnings);

impl Question for MapRequest {
    type Pin = Pinned;
    type Answer = MapAnswer;

    fn check(&self) -> Result<(), Error> {
        question::words("task", self.task.as_deref().unwrap_or_default())?;
        question::place(&self.scope, &self.at)
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pinned, Error> {
        engine.pin(&self.at, progress)
    }

    fn answer(
        &self,
        engine: &Engine,
        pinned: &Pinned,
        progress: &dyn Progress,
    ) -> Result<MapAnswer, Error> {
        let (index, view, graph) = (engine.index_state()?, pinned.view(), engine.graph(pinned));
        let state = (index.clone(), pinned.stamp.clone());
        let Some(task) = self.task.as_ref().filter(|_| self.view != MapView::Entries) else {
            let made;
            let filter = Filter::new(&self.scope)?;
            let parts = match filter.is_open() && self.depth == MAP_DEPTH {
                true => engine.map_parts(pinned),
                false => {
                    made = Parts::of(engine.whole(pinned), &filter, self.depth);
                    &made
                }
            };
            return engine.quoting("", |texts| {
                let answer = parts.answer((view, graph), texts, &self.scope, state.clone())?;
                let entries = match self.view {
                    MapView::Entries => Some(entries(view, graph, texts, self)?),
                    _ => None,
                };
                Ok(MapAnswer { entries, ..answer })
            });
        };
        let search = SearchRequest {
            query: task.clone(),
            scope: self.scope.clone(),
            at: self.at.clone(),
            limit: context::HITS,
            ..SearchRequest::default()
        };
        let found = search.answer(engine, pinned, progress)?;
        engine.quoting(task, |texts| {
            for_task(view, graph, texts, self, found.clone(), index.clone())
        })
    }

    fn remind(engine: &Engine, pinned: &Pinned, answer: &mut MapAnswer) {
        let context = answer.task.iter().flat_map(|(context, _)| &context.files);
        let context = context.flat_map(|found| {
            std::iter::once(Shown::file(&found.path)).chain(found.symbols.iter().map(Shown::symbol))
        });
        let hubs = answer.hubs.iter().map(|hub| Shown::file(&hub.path));
        let directories = answer.directories.iter();
        let directories = directories.map(|dir| Shown::file(dir.path.trim_end_matches('/')));
        let shown = context
            .chain(hubs)
            .chain(answer.symbols.iter().map(Shown::symbol))
            .chain(directories);
        answer.memories = engine.notes(pinned, true, shown, &mut answer.stamp.warnings);
    }
}

/// Answers `map` of a view and its graph. Fails on a bad scope.
pub fn map(
    (view, graph): (&View, &Graph),
    texts: &mut Texts,
    request: &MapRequest,
    state: (IndexState, Stamp),
) -> Result<MapAnswer, Error> {
    let overview = &Overview::of(view, graph);
    let whole = Whole {
        view,
        graph,
        overview,
    };
    let parts = Parts::of(whole, &Filter::new(&request.scope)?, request.depth);
    parts.answer((view, graph), texts, &request.scope, state)
}

impl Parts {
    /// Puts together what a filter lets pass, directories down to `depth`.
    pub(in crate::query) fn of(whole: Whole<'_>, filter: &Filter, depth: usize) -> Self {
        let (view, graph) = (whole.view, whole.graph);
        let files: Vec<FileId> = (0u32..)
            .zip(view.files())
            .filter(|(_, file)| !file.is_outside() && filter.admits(view, file))
            .map(|(id, _)| FileId(id))
            .collect();
        let mut languages: BTreeMap<Grammar, LanguageShare> = BTreeMap::new();
        let mut skipped: BTreeMap<&'static str, usize> = BTreeMap::new();
        for id in &files {
            let file = view.file(*id);
            if let Some(reason) = file.reading.skip_label() {
                *skipped.entry(reason).or_default() += 1;
            }
            let Some(doc) = file.doc else { continue };
            let segment = &view.segment(doc.segment).segment;
            let row = segment.doc(doc.doc);
            if let Some(reason) = row.skip {
                *skipped.entry(reason.label()).or_default() += 1;
                continue;
            }
            let share = languages.entry(row.lang).or_insert(LanguageShare {
                lang: row.lang,
                files: 0,
                lines: 0,
                bytes: 0,
                symbols: 0,
            });
            share.files += 1;
            share.lines += u64::from(row.lines);
            share.bytes += row.size;
            share.symbols += graph.symbols_of(*id);
        }
        let mut languages: Vec<LanguageShare> = languages.into_values().collect();
        languages.sort_by_key(|share| (std::cmp::Reverse(share.lines), share.lang));
        let hubs = whole.overview.hubs.iter().copied();
        let hubs = hubs.filter(|hub| filter.admits(view, view.file(hub.file)));
        let symbols = whole.definitions(filter).take(MAX_SYMBOLS);
        Self {
            directories: directories(whole, &files, filter, depth),
            files: files.len(),
            languages,
            skipped: Skipped::most_first(skipped),
            hubs: hubs.take(MAX_HUBS).collect(),
            symbols: symbols.map(|of| of.id).collect(),
        }
    }

    /// Says it. Fails on a bad scope.
    fn answer(
        &self,
        (view, graph): (&View, &Graph),
        texts: &mut Texts,
        scope: &Scope,
        (index, stamp): (IndexState, Stamp),
    ) -> Result<MapAnswer, Error> {
        let nothing = match self.files {
            0 => {
                let nothing = Nothing::within(view, &Filter::new(scope)?, scope);
                Some(Box::new(nothing))
            }
            _ => None,
        };
        let mut referred = |ids: &[SymbolId]| -> Vec<SymbolRef> {
            let ids = ids.iter();
            ids.filter_map(|id| verified::reference(view, graph, texts, *id))
                .collect()
        };
        let directories = self.directories.iter();
        let directories = directories.map(|of| DirectoryShare {
            depth: match &of.path[..] {
                [] => 0,
                path => path.iter().filter(|b| **b == b'/').count() + 1,
            },
            symbols: referred(&of.symbols),
            path: quoting::quoted(&of.path),
            files: of.files,
            lines: of.lines,
        });
        let directories = directories.collect();
        let (hubs, _) = hub_files(view, graph, self.hubs.iter().copied(), MAX_HUBS);
        Ok(MapAnswer {
            stamp,
            files: self.files,
            languages: self.languages.clone(),
            directories,
            hubs,
            symbols: referred(&self.symbols),
            task: None,
            entries: None,
            skipped: self.skipped.clone(),
            index,
            memories: Vec::new(),
            nothing,
        })
    }
}

/// The entry points of a view. Fails on a bad scope.
pub fn entries(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    request: &MapRequest,
) -> Result<Entries, Error> {
    let filter = Filter::new(&request.scope)?;
    let all = entry_points::all(view, graph, texts, &filter, true);
    let is_test = |point: &&entry_points::EntryPoint| view.file(point.file).role == FileRole::Test;
    let shown = all.iter().filter(|point| !is_test(point));
    Ok(Entries {
        entry_points: shown.map(|point| point.shown(view, graph, texts)).collect(),
        of_tests: all.iter().filter(is_test).count(),
    })
}

/// Answers `map` about a task from what a search for it found. Fails on a bad scope.
pub fn for_task(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    request: &MapRequest,
    found: SearchAnswer,
    index: IndexState,
) -> Result<MapAnswer, Error> {
    let filter = Filter::new(&request.scope)?;
    let context = context::context(view, graph, texts, &found);
    let nothing = context.files.is_empty().then(|| {
        let nothing = Nothing::within(view, &filter, &request.scope);
        let task = request.task.as_deref().unwrap_or_default();
        Box::new(nothing.near_words(view, texts, task, Mode::Ranked))
    });
    Ok(MapAnswer {
        stamp: found.stamp.clone(),
        files: filter.count(view),
        languages: Vec::new(),
        directories: Vec::new(),
        hubs: Vec::new(),
        symbols: Vec::new(),
        task: Some((context, found)),
        entries: None,
        skipped: Vec::new(),
        index,
        memories: Vec::new(),
        nothing,
    })
}

/// The directories down to `depth`, each with the most used definitions right below it. Where something is code, those
/// below the first level that hold none are left out.
fn directories(
    whole: Whole<'_>,
    files: &[FileId],
    filter: &Filter,
    depth: usize,
) -> Vec<Directory> {
    let view = whole.view;
    let mut shares: BTreeMap<&[u8], (Directory, bool)> = BTreeMap::new();
    for id in files {
        let file = view.file(*id);
        let row = file
            .doc
            .map(|doc| view.segment(doc.segment).segment.doc(doc.doc));
        let lines = row.as_ref().map_or(0, |row| row.lines);
        let genre = row.map(|row| lang::of(row.lang).genre);
        let is_code = genre.is_some_and(|genre| genre.is_code() && genre != Genre::Data);
        for path in ancestors(file.path.as_bytes(), depth) {
            let (share, has_code) = shares.entry(path).or_default();
            share.files += 1;
            share.lines += u64::from(lines);
            *has_code |= is_code;
        }
    }
    if shares.values().any(|(_, has_code)| *has_code) {
        shares.retain(|path, (_, has_code)| !path.contains(&b'/') || *has_code);
    }
    for candidate in whole.definitions(filter) {
        let path = view.file(candidate.file).path.as_bytes();
        let innermost = ancestors(path, depth).last();
        if let Some((share, _)) = innermost.and_then(|path| shares.get_mut(path))
            && share.symbols.len() < MAX_DIRECTORY_SYMBOLS
        {
            share.symbols.push(candidate.id);
        }
    }
    let shares = shares.into_iter();
    let mut shares: Vec<Directory> = shares
        .map(|(path, (share, _))| Directory {
            path: path.to_vec(),
            ..share
        })
        .collect();
    // Component by component, so that `a/b` comes before `a-c`.
    shares.sort_by(|a, b| {
        let (a, b) = (&a.path, &b.path);
        let by_parts = || a.split(|b| *b == b'/').cmp(b.split(|b| *b == b'/'));
        (!a.is_empty()).cmp(&!b.is_empty()).then_with(by_parts)
    });
    shares
}

/// The root and the directories above a path, outermost first, down to `depth`.
fn ancestors(path: &[u8], depth: usize) -> impl Iterator<Item = &[u8]> {
    let ends = path
        .iter()
        .enumerate()
        .filter(|(_, b)| **b == b'/')
        .map(|(i, _)| i);
    std::iter::once(0)
        .chain(ends)
        .take(depth + 1)
        .map(|end| &path[..end])
}
