//! The history channel: files that commits touched whose messages match.
//!
//! Somebody who asks how timeouts are handled uses the words of those who once wrote "fix timeout of
//! idle connections", which need not be in the code. Messages are ranked like documents by BM25, over
//! a window of history that ends at the revision asked about, and the best of them credit the files
//! they changed, where these are today.

use super::chunk::LiveChunk;
use super::norms::Norms;
use super::query::QueryTerms;
use super::text::{Scored, idf};
use crate::history::window::{Age, Window};
use crate::view::live::{FileId, View};
use rustc_hash::FxHashMap;

/// Saturation of a term's count in a message.
const K1: f64 = 1.2;
/// How far a message's length counts against it.
const B: f64 = 0.75;
/// Commits that credit files. Of 20, 50, 100 and 200 none is best on every set of `benchmark/`.
const BEST_COMMITS: usize = 50;
/// A commit that changed more files than this credits none of them; 10 measures the same.
pub(super) const MOST_FILES: u32 = 30;

/// Returns the files that matching commits touched, best first, each at the chunk that says most of
/// the question, with the credit as a share of the best.
pub fn rank(
    view: &View,
    norms: &Norms,
    window: &Window,
    query: &QueryTerms,
    scored: &Scored,
    limit: usize,
) -> Vec<(LiveChunk, f64)> {
    at_best_chunks(view, norms, scored, credits(view, window, query), limit)
}

/// Orders files by what they are credited with, best first, each at the chunk that says most of the
/// question, with the credit as a share of the best.
pub(super) fn at_best_chunks(
    view: &View,
    norms: &Norms,
    scored: &Scored,
    credits: FxHashMap<FileId, f64>,
    limit: usize,
) -> Vec<(LiveChunk, f64)> {
    let mut credits: Vec<(FileId, f64)> = credits.into_iter().collect();
    credits.sort_unstable_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
    credits.truncate(limit);
    let best = credits.first().map_or(1.0, |(_, credit)| *credit);
    let mut seen = rustc_hash::FxHashSet::default();
    credits
        .into_iter()
        .filter_map(|(file, credit)| Some((scored.shown(view, norms, file)?, credit / best)))
        .filter(|(chunk, _)| seen.insert(*chunk))
        .collect()
}

/// What each file is credited with.
fn credits(view: &View, window: &Window, query: &QueryTerms) -> FxHashMap<FileId, f64> {
    let mut credits: FxHashMap<FileId, f64> = FxHashMap::default();
    for (age, score) in matching(window, query) {
        let changed = window.changed(age);
        if changed > MOST_FILES {
            continue;
        }
        let credit = score / f64::from(changed.max(1)).sqrt();
        for path in window.touched(age) {
            let file = view.file_at(window.today(&path, age));
            if let Some(file) = file.filter(|file| view.file(*file).doc.is_some()) {
                *credits.entry(file).or_default() += credit;
            }
        }
    }
    credits
}

/// The best [`BEST_COMMITS`] that hold terms of the query, best first; of equals the newest.
fn matching(window: &Window, query: &QueryTerms) -> Vec<(Age, f64)> {
    if window.is_empty() {
        return Vec::new();
    }
    let mut scores = vec![0.0; window.len()];
    let average = window.average_length().max(1.0);
    for term in &query.terms {
        let holders: Vec<(Age, u8)> = window.holders(term).collect();
        let idf = idf(holders.len() as u64, window.len() as u64);
        for (age, count) in holders {
            let (count, length) = (f64::from(count), f64::from(window.length(age)));
            let norm = K1 * (1.0 - B + B * length / average);
            scores[age.0 as usize] += idf * count * (K1 + 1.0) / (count + norm);
        }
    }
    let found = (0..).map(Age).zip(scores);
    let mut ranked: Vec<(Age, f64)> = found.filter(|(_, score)| *score > 0.0).collect();
    let order = |(a, x): &(Age, f64), (b, y): &(Age, f64)| y.total_cmp(x).then(a.cmp(b));
    if ranked.len() > BEST_COMMITS {
        ranked.select_nth_unstable_by(BEST_COMMITS, order);
        ranked.truncate(BEST_COMMITS);
    }
    ranked.sort_unstable_by(order);
    ranked
}
