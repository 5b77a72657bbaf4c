//! The vector channel: chunks that are about what the question is about, whatever words they use.
//!
//! A question has the vector of its terms, as a chunk has, and chunks are ranked by the cosine. A
//! question of words that the model does not know has no vector, and then there is no channel.

use super::chunk::LiveChunk;
use super::query::QueryTerms;
use crate::id::{ChunkId, SegmentOrd};
use crate::store::Snapshot;
use crate::store::vectors::Blocks;
use crate::vector::block::Block;
use crate::vector::scan::Query;
use crate::vector::static_model::{StaticModel, embedded};
use crate::view::live::{LiveSegment, View};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::Arc;

/// Cosine of a question and a chunk from which on they have something to do with each other. Of
/// questions about what a repository has nothing of, the nearest chunk was at .15 to .27; of questions
/// about what it has, the tenth nearest at .25 to .5 (model `static-v1`).
const LEAST: f64 = 0.25;

/// The vectors of a view.
pub struct Vectors {
    model: &'static StaticModel<'static>,
    /// One for each segment of the view.
    rows: Vec<LiveRows>,
}

/// The rows of a segment's block that a view sees.
struct LiveRows {
    /// None if the segment has none.
    block: Option<Arc<Block>>,
    live: Vec<Range<u32>>,
}

impl Vectors {
    /// Opens the vectors of a view, and makes those that it lacks.
    pub fn of(view: &View, blocks: &Blocks, snapshot: &Snapshot) -> Self {
        let segments: Vec<_> = view
            .segments()
            .iter()
            .map(|live| live.segment.clone())
            .collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let blocks = blocks.all(&segments, snapshot, threads);
        let live = view.segments().iter().map(live_ranges);
        Self {
            model: embedded(),
            rows: blocks
                .into_iter()
                .zip(live)
                .map(|(block, live)| LiveRows { block, live })
                .collect(),
        }
    }

    /// What an answer should say of them: nothing when all chunks have been compared.
    pub fn remark(&self) -> Option<String> {
        let without = self.rows.iter().filter(|rows| rows.block.is_none()).count();
        (without > 0).then(|| format!("no vectors of {without} segments, which are too large"))
    }

    /// The vector of a question: that of its terms, each once.
    fn query(&self, query: &QueryTerms) -> Option<Query> {
        let rows = query.terms.iter().filter_map(|term| self.model.find(term));
        let (vector, product) = self.model.vector(rows.map(|row| (row, 1)))?;
        Some(Query::new(&vector, product))
    }
}

/// A chunk that may be among the best. `P` says where it is shown, and breaks ties.
struct Candidate<P> {
    cosine: f64,
    place: P,
    chunk: LiveChunk,
}

impl<P: Ord> Ord for Candidate<P> {
    /// What is better is less, so that a heap has the worst on top.
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .cosine
            .total_cmp(&self.cosine)
            .then_with(|| self.place.cmp(&other.place))
    }
}

impl<P: Ord> PartialOrd for Candidate<P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<P: Ord> PartialEq for Candidate<P> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<P: Ord> Eq for Candidate<P> {}

/// Returns the live chunks nearest to a question, best first, with how far their cosines are above the
/// least that means anything. Only chunks that `place` gives a place count; of equals the one whose
/// place comes first.
pub fn rank<P: Ord>(
    vectors: &Vectors,
    query: &QueryTerms,
    place: impl Fn(LiveChunk) -> Option<P>,
    limit: usize,
) -> Vec<(LiveChunk, f64)> {
    let Some(query) = vectors.query(query) else {
        return Vec::new();
    };
    let mut best: BinaryHeap<Candidate<P>> = BinaryHeap::with_capacity(limit + 1);
    let mut least = LEAST;
    for (rows, ord) in vectors.rows.iter().zip(0u32..) {
        let Some(block) = &rows.block else {
            continue;
        };
        let mut offer = |row, cosine| {
            let chunk = LiveChunk {
                segment: SegmentOrd(ord),
                chunk: ChunkId(row),
            };
            if let Some(place) = place(chunk) {
                best.push(Candidate {
                    cosine,
                    place,
                    chunk,
                });
                if best.len() > limit {
                    best.pop();
                }
            }
            match best.peek() {
                Some(worst) if best.len() == limit => worst.cosine,
                _ => LEAST,
            }
        };
        for range in rows.live.iter().cloned() {
            least = query.scan(block, range, least, &mut offer);
        }
    }
    let best = best.into_sorted_vec().into_iter();
    best.map(|found| (found.chunk, found.cosine - LEAST))
        .filter(|(_, score)| *score > 0.0)
        .collect()
}

/// The live chunks of a segment as ranges.
fn live_ranges(live: &LiveSegment) -> Vec<Range<u32>> {
    let mut ranges: Vec<Range<u32>> = Vec::new();
    for chunk in &live.chunks {
        match ranges.last_mut() {
            Some(last) if last.end == chunk => last.end += 1,
            _ => ranges.push(chunk..chunk + 1),
        }
    }
    ranges
}
