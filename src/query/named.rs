//! The name channel: definitions whose name is made of words of the query.

use super::definitions::kind_rank;
use super::lexical::{LiveChunk, QueryTerms, idf};
use super::scope::Filter;
use crate::extract::terms;
use crate::id::{ChunkId, NameId, SegmentOrd};
use crate::segment::Segment;
use crate::view::live::{LiveSegment, View};
use rustc_hash::FxHashMap;

/// Names scored at most, those with the rarest sub-words first.
const MAX_NAMES: usize = 400;

/// Chunks that define what the query names, best first, at most `limit`, each once.
pub fn rank(view: &View, filter: &Filter, query: &QueryTerms, limit: usize) -> Vec<LiveChunk> {
    let names = names_by_score(view, query);
    let mut ranked: Vec<(f64, u8, u8, crate::view::live::FileId, u32, LiveChunk)> = Vec::new();
    for (score, places) in names {
        for (ord, name) in places {
            let live = view.segment(ord);
            for doc in live
                .segment
                .defining_docs(name)
                .filter(|d| live.is_live(*d))
            {
                let Some(file) = live
                    .files_of(doc)
                    .find(|f| filter.admits(view, view.file(*f)))
                else {
                    continue;
                };
                let role = view.file(file).role;
                for symbol in live.segment.symbols(doc) {
                    if symbol.name != name || !filter.admits_kind(symbol.kind) {
                        continue;
                    }
                    let Some(chunk) = chunk_at(&live.segment, doc, symbol.name_line) else {
                        continue;
                    };
                    let place = LiveChunk {
                        segment: ord,
                        chunk,
                    };
                    let kind = kind_rank(symbol.kind);
                    ranked.push((
                        score * role.weight(),
                        kind,
                        role as u8,
                        file,
                        symbol.name_line,
                        place,
                    ));
                }
            }
        }
    }
    ranked.sort_unstable_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then_with(|| (a.1, a.2, a.3, a.4).cmp(&(b.1, b.2, b.3, b.4)))
    });
    let mut seen = rustc_hash::FxHashSet::default();
    ranked
        .into_iter()
        .map(|r| r.5)
        .filter(|c| seen.insert(*c))
        .take(limit)
        .collect()
}

/// Defined names that hold sub-words of the query, best first, each with the places it is known
/// at. The score is the share of the query's weight that the name covers, less what the name has
/// beside it.
fn names_by_score(view: &View, query: &QueryTerms) -> Vec<(f64, Vec<(SegmentOrd, NameId)>)> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for word in &query.words {
        terms::for_each_subword(word.as_bytes(), |part| {
            if !parts.iter().any(|p| p == part) {
                parts.push(part.to_vec());
            }
        });
    }
    // Names by spelling, each with the query parts it holds, across all segments.
    let mut names: FxHashMap<Vec<u8>, (u64, Vec<(SegmentOrd, NameId)>)> = FxHashMap::default();
    let mut known = vec![0u64; parts.len()];
    for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        let mut held: FxHashMap<NameId, u64> = FxHashMap::default();
        for (i, part) in parts.iter().enumerate().take(64) {
            for id in live.segment.names_with_subword(part) {
                *held.entry(id).or_default() |= 1 << i;
            }
        }
        for (id, mask) in held {
            if is_defined(live, id) {
                let mut spelt = Vec::new();
                live.segment.name(id, &mut spelt);
                let entry = names.entry(spelt).or_default();
                if entry.1.is_empty() {
                    (0..parts.len().min(64))
                        .filter(|i| mask >> i & 1 == 1)
                        .for_each(|i| known[i] += 1);
                }
                entry.0 |= mask;
                entry.1.push((ord, id));
            }
        }
    }
    let all = names.len() as u64;
    let weights: Vec<f64> = known.iter().map(|n| idf(*n, all.max(*n))).collect();
    let total: f64 = weights.iter().sum();
    let mut scored: Vec<(f64, Vec<u8>, Vec<(SegmentOrd, NameId)>)> = names
        .into_iter()
        .map(|(spelt, (mask, places))| {
            let covered: f64 = weights
                .iter()
                .enumerate()
                .filter(|(i, _)| mask >> i & 1 == 1)
                .map(|(_, w)| w)
                .sum();
            let mut own = 0u32;
            terms::for_each_subword(&spelt, |_| own += 1);
            let beside = f64::from(own.saturating_sub(mask.count_ones()));
            let exact = query.words.iter().any(|w| w.as_bytes() == spelt);
            let score = covered / total.max(f64::MIN_POSITIVE) / (1.0 + 0.15 * beside)
                + if exact { 1.0 } else { 0.0 };
            (score, spelt, places)
        })
        .collect();
    scored.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    scored.truncate(MAX_NAMES);
    scored
        .into_iter()
        .map(|(score, _, mut places)| {
            places.sort_unstable();
            (score, places)
        })
        .collect()
}

fn is_defined(live: &LiveSegment, id: NameId) -> bool {
    live.segment.defining_docs(id).any(|doc| live.is_live(doc))
}

/// The chunk of a document that holds a line.
pub fn chunk_at(segment: &Segment, doc: crate::id::DocId, line: u32) -> Option<ChunkId> {
    let range = segment.doc(doc).chunks;
    let (mut low, mut high) = (range.start.0, range.end.0);
    while low < high {
        let middle = low + (high - low) / 2;
        if segment.chunk(ChunkId(middle)).end_line < line {
            low = middle + 1
        } else {
            high = middle
        }
    }
    (low < range.end.0).then_some(ChunkId(low))
}
