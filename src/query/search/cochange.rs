//! The co-change channel: files that change together with the best hits.
//!
//! A file that had to be changed whenever another was is part of the same work, also where neither
//! imports the other: a route and its template, an option and its documentation. What is asked for is
//! often the one when the words are those of the other.

use super::chunk::LiveChunk;
use super::history::{MOST_FILES, at_best_chunks};
use super::norms::Norms;
use super::text::Scored;
use crate::history::window::{Age, Window};
use crate::id::DocAddress;
use crate::view::live::{FileId, View};
use rustc_hash::FxHashMap;

/// Hits whose files are looked at.
const SEEDS: usize = 5;
/// Commits of each that are looked at, the newest: what belonged together years ago may not today.
const COMMITS: usize = 50;
/// Commits that a file is taken to have beside those it has, so that what happened once is no rule.
const PRIOR: f64 = 3.0;
/// Paths that are looked up in the view.
const MOST_PATHS: usize = 100;

/// Returns the files that changed most often together with the files of the best `hits`, best first, each at
/// the chunk that says most of the question, with a share of the best. Hits are documents with
/// their scores.
pub fn rank(
    view: &View,
    norms: &Norms,
    window: &Window,
    hits: impl IntoIterator<Item = (DocAddress, f64)>,
    scored: &Scored,
    limit: usize,
) -> Vec<(LiveChunk, f64)> {
    if window.is_empty() {
        return Vec::new();
    }
    let seeds = seeds(view, hits);
    let mut credits: FxHashMap<FileId, f64> = FxHashMap::default();
    for (seed, score) in &seeds {
        for (file, share) in together(view, window, *seed) {
            // What is a hit already is no news.
            if !seeds.iter().any(|(seed, _)| *seed == file) {
                *credits.entry(file).or_default() += score * share;
            }
        }
    }
    at_best_chunks(view, norms, scored, credits, limit)
}

/// The files of the best hits.
fn seeds(view: &View, hits: impl IntoIterator<Item = (DocAddress, f64)>) -> Vec<(FileId, f64)> {
    let file = |hit: DocAddress| view.segment(hit.segment).files_of(hit.doc).next();
    let hits = hits.into_iter();
    let mut files: Vec<(FileId, f64)> = hits
        .filter_map(|(hit, score)| Some((file(hit)?, score)))
        .collect();
    files.sort_unstable_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
    files.truncate(SEEDS);
    files
}

/// How large a share of a file's changes others took part in, a change of many files counting less.
fn together(view: &View, window: &Window, seed: FileId) -> Vec<(FileId, f64)> {
    let path = view.file(seed).path.as_bytes();
    let weighted = |age: Age| {
        let changed = window.changed(age);
        let counts = (2..=MOST_FILES).contains(&changed);
        counts.then(|| (age, 1.0 / f64::from(changed - 1)))
    };
    let touching = window.touching(path).into_iter();
    let commits: Vec<(Age, f64)> = touching.filter_map(weighted).take(COMMITS).collect();
    let all = commits.len() as f64 + PRIOR;
    let mut out: FxHashMap<FileId, f64> = FxHashMap::default();
    for (place, times) in window.together(&commits, MOST_PATHS) {
        let name = window.path(place);
        for (age, share) in times {
            let file = view.file_at(window.today(&name, age));
            if let Some(file) = file.filter(|file| *file != seed && view.file(*file).doc.is_some())
            {
                *out.entry(file).or_default() += share / all;
            }
        }
    }
    let mut out: Vec<(FileId, f64)> = out.into_iter().collect();
    out.sort_unstable_by_key(|(file, _)| *file);
    out
}
