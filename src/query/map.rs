//! `map`: what is in the repository, for somebody who sees it for the first time.

use super::Error;
use super::answer::{DirectoryShare, IndexState, LanguageShare, MapAnswer, Stamp, SymbolRef};
use super::definitions::{self, kind_rank};
use super::ids::DocSymbols;
use super::request::MapRequest;
use super::scope::Filter;
use crate::extract::record::{Grammar, SymbolFlags};
use crate::id::LiveDoc;
use crate::view::live::{FileId, View};
use crate::view::role::{FileRole, is_code};
use std::collections::BTreeMap;

/// Largest definitions looked at when choosing those to show.
const CANDIDATES: usize = 300;
/// Definitions shown for the whole repository.
const MAX_SYMBOLS: usize = 20;
/// Definitions shown of a directory.
const MAX_DIRECTORY_SYMBOLS: usize = 5;
/// Smallest definition worth a place on the map, in lines.
const MIN_LINES: u32 = 3;

/// A definition that may be shown.
struct Candidate {
    file: FileId,
    doc: LiveDoc,
    index: usize,
    lines: u32,
    references: u64,
}

/// Answers `map` from a view.
///
/// # Errors
/// A bad scope.
pub fn map(
    view: &View,
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
            let shown = is_code(row.lang)
                && file.role == FileRole::Product
                && kind_rank(symbol.kind) == 0
                && symbol.flags.contains(SymbolFlags::EXPORTED)
                && lines >= MIN_LINES;
            if shown {
                candidates.push(Candidate {
                    file: *id,
                    doc,
                    index,
                    lines,
                    references: 0,
                });
            }
        }
    }
    let mut languages: Vec<LanguageShare> = languages.into_values().collect();
    languages.sort_by_key(|share| (std::cmp::Reverse(share.lines), share.lang));
    let mut skipped: Vec<(&'static str, usize)> = skipped.into_iter().collect();
    skipped.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), *reason));
    let directories = directories(view, &files, &mut candidates, request.depth);
    Ok(MapAnswer {
        stamp,
        files: files.len(),
        languages,
        directories,
        symbols: best(view, candidates, MAX_SYMBOLS),
        skipped,
        index,
    })
}

/// The directories down to `depth`, each with the largest definitions right below it.
fn directories(
    view: &View,
    files: &[FileId],
    candidates: &mut [Candidate],
    depth: usize,
) -> Vec<DirectoryShare> {
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
    sort_by_size(candidates);
    let mut largest: BTreeMap<Vec<u8>, Vec<&Candidate>> = BTreeMap::new();
    for candidate in candidates.iter() {
        let path = view.file(candidate.file).path.as_bytes();
        if let Some(innermost) = ancestors(path, depth).last() {
            let list = largest.entry(innermost.to_vec()).or_default();
            if list.len() < MAX_DIRECTORY_SYMBOLS {
                list.push(candidate);
            }
        }
    }
    shares
        .into_iter()
        .map(|(path, (files, lines))| DirectoryShare {
            depth: if path.is_empty() {
                0
            } else {
                path.iter().filter(|b| **b == b'/').count() + 1
            },
            symbols: largest
                .get(&path)
                .into_iter()
                .flatten()
                .filter_map(|candidate| reference(view, candidate))
                .collect(),
            path: String::from_utf8_lossy(&path).into_owned(),
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

fn sort_by_size(candidates: &mut [Candidate]) {
    candidates.sort_unstable_by_key(|c| (std::cmp::Reverse(c.lines), c.file, c.index));
}

/// The most used of the largest definitions.
fn best(view: &View, mut candidates: Vec<Candidate>, count: usize) -> Vec<SymbolRef> {
    sort_by_size(&mut candidates);
    candidates.truncate(CANDIDATES);
    for candidate in &mut candidates {
        let segment = &view.segment(candidate.doc.segment).segment;
        let mut name = Vec::new();
        if let Some(symbol) = segment.symbols(candidate.doc.doc).nth(candidate.index) {
            segment.name(symbol.name, &mut name);
        }
        candidate.references = definitions::count_occurrences(view, &name);
    }
    candidates.sort_unstable_by_key(|c| {
        (
            std::cmp::Reverse(c.references),
            std::cmp::Reverse(c.lines),
            c.file,
            c.index,
        )
    });
    candidates
        .iter()
        .take(count)
        .filter_map(|candidate| reference(view, candidate))
        .collect()
}

fn reference(view: &View, candidate: &Candidate) -> Option<SymbolRef> {
    let segment = &view.segment(candidate.doc.segment).segment;
    let path = view.file(candidate.file).path.to_string();
    DocSymbols::load(segment, candidate.doc.doc).reference(candidate.index, &path)
}
