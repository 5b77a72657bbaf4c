//! `map`: what is in the repository, for somebody who sees it for the first time.

use super::Error;
use super::answer::{DirectoryShare, IndexState, LanguageShare, MapAnswer, SearchAnswer, Stamp};
use super::audit::hubs::{Uses, hub_files};
use super::context;
use super::definitions::kind_rank;
use super::inventory::Inventory;
use super::nothing::Nothing;
use super::request::{MapRequest, Mode};
use super::scope::Filter;
use crate::extract::record::{Grammar, SymbolFlags};
use crate::git::quoting;
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::lang;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Files shown that most others depend on.
const MAX_HUBS: usize = 8;
/// Definitions shown for the whole repository.
const MAX_SYMBOLS: usize = 20;
/// Definitions shown of a directory.
const MAX_DIRECTORY_SYMBOLS: usize = 5;
/// Smallest definition worth a place on the map, in lines.
const MIN_LINES: u32 = 3;

/// A definition that may be shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// Files that use it and uses, both the other way round: this is the order of importance.
    files: Reverse<u32>,
    uses: Reverse<u32>,
    lines: Reverse<u32>,
    file: FileId,
    id: SymbolId,
}

/// Answers `map` from a view and its graph.
///
/// # Errors
/// A bad scope.
pub fn map(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    request: &MapRequest,
    index: IndexState,
    stamp: Stamp,
) -> Result<MapAnswer, Error> {
    let filter = Filter::new(&request.scope)?;
    let files: Vec<FileId> = (0u32..)
        .zip(view.files())
        .filter(|(_, file)| filter.admits(view, file))
        .map(|(id, _)| FileId(id))
        .collect();
    let inventory = Inventory::of(view, graph);
    let used = Uses::of(&inventory);
    let mut languages: BTreeMap<Grammar, LanguageShare> = BTreeMap::new();
    let mut skipped: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut candidates = Vec::new();
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
        for (index, symbol) in segment.symbols(doc.doc).enumerate() {
            share.symbols += 1;
            let lines = symbol.end_line.saturating_sub(symbol.start_line) + 1;
            let shown = lang::of(row.lang).genre.is_code()
                && file.role == FileRole::Product
                && kind_rank(symbol.kind) == 0
                && symbol.flags.contains(SymbolFlags::EXPORTED)
                && lines >= MIN_LINES;
            if shown && let Some(symbol) = graph.symbol(*id, index) {
                candidates.push(Candidate {
                    files: Reverse(used.files[symbol.index()]),
                    uses: Reverse(used.uses[symbol.index()]),
                    lines: Reverse(lines),
                    file: *id,
                    id: symbol,
                });
            }
        }
    }
    let mut languages: Vec<LanguageShare> = languages.into_values().collect();
    languages.sort_by_key(|share| (std::cmp::Reverse(share.lines), share.lang));
    let mut skipped: Vec<(&'static str, usize)> = skipped.into_iter().collect();
    skipped.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), *reason));
    candidates.sort_unstable();
    let directories = directories(&inventory, texts, &files, &candidates, request.depth);
    let admits = |file: FileId| filter.admits(view, view.file(file));
    let (hubs, _) = hub_files(&inventory, &admits, MAX_HUBS);
    let symbols = candidates.iter().take(MAX_SYMBOLS);
    let nothing = files.is_empty().then(|| {
        let nothing = Nothing::within(view, &filter, &request.scope);
        Box::new(nothing)
    });
    Ok(MapAnswer {
        stamp,
        files: files.len(),
        languages,
        directories,
        hubs,
        symbols: symbols
            .filter_map(|c| inventory.reference(texts, c.id))
            .collect(),
        task: None,
        skipped,
        index,
        memories: Vec::new(),
        nothing,
    })
}

/// Answers `map` about a task from what a search for it found.
///
/// # Errors
/// A bad scope.
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
        skipped: Vec::new(),
        index,
        memories: Vec::new(),
        nothing,
    })
}

/// The directories down to `depth`, each with the most used definitions right below it.
fn directories(
    inventory: &Inventory<'_>,
    texts: &mut Texts,
    files: &[FileId],
    candidates: &[Candidate],
    depth: usize,
) -> Vec<DirectoryShare> {
    let view = inventory.view;
    let mut shares: BTreeMap<Vec<u8>, (usize, u64)> = BTreeMap::new();
    for id in files {
        let file = view.file(*id);
        let lines = file
            .doc
            .map_or(0, |d| view.segment(d.segment).segment.doc(d.doc).lines);
        for directory in ancestors(file.path.as_bytes(), depth) {
            let share = shares.entry(directory.to_vec()).or_default();
            share.0 += 1;
            share.1 += u64::from(lines);
        }
    }
    let mut main: BTreeMap<Vec<u8>, Vec<SymbolId>> = BTreeMap::new();
    for candidate in candidates {
        let path = view.file(candidate.file).path.as_bytes();
        if let Some(innermost) = ancestors(path, depth).last() {
            let list = main.entry(innermost.to_vec()).or_default();
            if list.len() < MAX_DIRECTORY_SYMBOLS {
                list.push(candidate.id);
            }
        }
    }
    let mut shares: Vec<(Vec<u8>, (usize, u64))> = shares.into_iter().collect();
    // Component by component, so that `a/b` comes before `a-c`.
    shares.sort_by(|(a, _), (b, _)| {
        let parts = |path: &[u8]| {
            path.split(|b| *b == b'/')
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        };
        (!a.is_empty(), parts(a)).cmp(&(!b.is_empty(), parts(b)))
    });
    shares
        .into_iter()
        .map(|(path, (files, lines))| DirectoryShare {
            depth: if path.is_empty() {
                0
            } else {
                path.iter().filter(|b| **b == b'/').count() + 1
            },
            symbols: main
                .get(&path)
                .into_iter()
                .flatten()
                .filter_map(|id| inventory.reference(texts, *id))
                .collect(),
            path: quoting::quoted(&path),
            files,
            lines,
        })
        .collect()
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
