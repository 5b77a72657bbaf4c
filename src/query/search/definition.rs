//! The definition channel: files that define something whose whole name is a word of the query.
//!
//! A sentence about a program mixes names with words, and a reader cannot always tell them apart
//! (`Router`, `session`). So every word is looked up; what few files define, what stands at the top
//! of its file and what is a type or function counts for more.

use super::admitted::Admitted;
use super::chunk::{LiveChunk, chunk_at};
use super::kind::AskedFor;
use super::query::QueryTerms;
use super::text::idf;
use crate::extract::terms;
use crate::id::SegmentOrd;
use crate::query::definitions::kind_rank;
use crate::view::live::View;
use rustc_hash::FxHashMap;

/// Files that define a name from which on it tells nothing; they are not looked at.
const MAX_FILES: usize = 40;
/// What a definition is worth whose name is the word but for case.
const OTHER_CASE: f64 = 0.6;
/// What it is worth more at the top of its file, when it is a type or function.
const AT_TOP: f64 = 1.5;

/// Chunks that define words of the query, with their scores, best first, at most `limit`.
pub fn rank(
    view: &View,
    admitted: &Admitted<'_>,
    query: &QueryTerms,
    asked: &AskedFor,
    limit: usize,
) -> Vec<(LiveChunk, f64)> {
    let all = view.files().len() as u64;
    let mut sums: FxHashMap<LiveChunk, f64> = FxHashMap::default();
    let mut looked_up: Vec<Vec<u8>> = Vec::new();
    for word in &query.words {
        let mut folded = Vec::new();
        terms::fold(word.as_bytes(), &mut folded);
        if looked_up.contains(&folded) {
            continue;
        }
        let found = definitions(view, admitted, asked, word.as_bytes(), &folded);
        let rarity = idf(found.len() as u64, all);
        for (chunk, worth) in found {
            *sums.entry(chunk).or_default() += rarity * worth;
        }
        looked_up.push(folded);
    }
    let mut ranked: Vec<(LiveChunk, f64)> = sums.into_iter().collect();
    ranked.sort_unstable_by(|(a, x), (b, y)| {
        let at = |chunk: &LiveChunk| {
            let segment = &view.segment(chunk.segment).segment;
            let row = segment.chunk(chunk.chunk);
            let file = view.segment(chunk.segment).files_of(row.doc).next();
            (file, row.start_line)
        };
        y.total_cmp(x).then_with(|| at(a).cmp(&at(b)))
    });
    ranked.truncate(limit);
    ranked
}

/// The best definition of a name in each document that has one, with its worth. Nothing when more
/// than [`MAX_FILES`] live documents define it.
fn definitions(
    view: &View,
    admitted: &Admitted<'_>,
    asked: &AskedFor,
    word: &[u8],
    folded: &[u8],
) -> Vec<(LiveChunk, f64)> {
    let mut defining = Vec::new();
    for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        for id in live.segment.names_folded(folded) {
            let docs = live.segment.defining_docs(id).filter(|d| live.is_live(*d));
            defining.extend(docs.take(MAX_FILES + 1).map(|doc| (ord, doc, id)));
        }
    }
    defining.sort_unstable();
    if defining.len() > MAX_FILES {
        return Vec::new();
    }
    let mut found = Vec::new();
    for of_doc in defining.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (ord, doc, _) = of_doc[0];
        let live = view.segment(ord);
        let Some(file) = live.files_of(doc).find(|file| admitted.file(*file)) else {
            continue;
        };
        let role = view.file(file).role;
        let mut best: Option<(LiveChunk, f64)> = None;
        for symbol in live.segment.symbols(doc) {
            if !of_doc.iter().any(|(.., id)| *id == symbol.name) || !admitted.kind(symbol.kind) {
                continue;
            }
            let rank = kind_rank(symbol.kind);
            let mut worth = asked.weight(role) / (1.0 + f64::from(rank));
            if rank == 0 && symbol.container.is_none() {
                worth *= AT_TOP;
            }
            let mut name = Vec::new();
            live.segment.name(symbol.name, &mut name);
            if name != word {
                worth *= OTHER_CASE;
            }
            if best.is_none_or(|(_, other)| worth > other)
                && let Some(chunk) = chunk_at(&live.segment, doc, symbol.name_line)
            {
                let segment = ord;
                best = Some((LiveChunk { segment, chunk }, worth));
            }
        }
        found.extend(best);
    }
    found
}
