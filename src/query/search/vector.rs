//! The vector channel: chunks that are about what the question is about, whatever words they use.
//!
//! Under the static model a question has the vector of its terms, as a chunk has, and chunks are ranked by
//! the cosine. A question of words that the model does not know has no vector, and then there is no
//! channel. A text model is given the question as it is ([`super::backend`]). All chunks of an answer are
//! compared under one model.

use super::backend::VectorSource;
use super::chunk::LiveChunk;
use super::query::QueryTerms;
use crate::id::{ChunkId, SegmentOrd};
use crate::store::Snapshot;
use crate::store::vectors::Blocks;
use crate::vector::block::Block;
use crate::vector::scan::Query;
use crate::vector::static_model::embedded;
use crate::view::live::{LiveSegment, View};
use crate::view::text::Texts;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::Arc;

/// Cosine of a question and a chunk from which on they have something to do with each other. Of
/// questions about what a repository has nothing of, the nearest chunk was at .15 to .27; of questions
/// about what it has, the tenth nearest at .25 to .5 (model `static-v1`).
const LEAST: f64 = 0.25;

/// The vectors of a view under one model.
pub struct Vectors {
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
    /// Opens the vectors of a view under the static model, and makes those that it lacks.
    pub fn of(view: &View, blocks: &Blocks, snapshot: &Snapshot) -> Self {
        let segments: Vec<_> = view
            .segments()
            .iter()
            .map(|live| live.segment.clone())
            .collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self::with(view, blocks.all(&segments, snapshot, threads))
    }

    /// Takes a block for each segment of a view, all of one model.
    pub(super) fn with(view: &View, blocks: Vec<Option<Arc<Block>>>) -> Self {
        let live = view.segments().iter().map(live_ranges);
        Self {
            rows: blocks
                .into_iter()
                .zip(live)
                .map(|(block, live)| LiveRows { block, live })
                .collect(),
        }
    }

    /// What an answer should say of those of the static model: nothing when all chunks can be compared.
    fn remark(&self) -> Option<String> {
        let without = self.rows.iter().filter(|rows| rows.block.is_none()).count();
        (without > 0).then(|| format!("no vectors of {without} segments, which are too large"))
    }
}

/// The vector of a question under the static model: that of its terms, each once.
fn of_terms(query: &QueryTerms) -> Option<Query> {
    let model = embedded();
    let rows = query.terms.iter().filter_map(|term| model.find(term));
    let (vector, product) = model.vector(rows.map(|row| (row, 1)))?;
    Some(Query::new(&vector, product))
}

/// A question and the vectors it is compared with, all under one model.
pub(super) struct Compared {
    vectors: Arc<Vectors>,
    query: Option<Query>,
    /// The least cosine that means anything, where the model is known well enough to say.
    least: Option<f64>,
    /// Why it is not the chosen model, or what of the view has no vectors.
    pub(super) remark: Option<String>,
}

impl Compared {
    /// Takes the chosen model if it has what is needed, and the static one otherwise.
    pub(super) fn new(
        source: &VectorSource<'_>,
        typed: &str,
        query: &QueryTerms,
        texts: &mut Texts,
    ) -> Self {
        let said = match source.ask(typed, texts) {
            Ok(Some((near, query))) => {
                return Self {
                    vectors: near.vectors.clone(),
                    query: Some(query),
                    least: None,
                    remark: near.remark.clone(),
                };
            }
            Ok(None) => None,
            Err(said) => Some(said),
        };
        let vectors = source.fixed();
        Self {
            query: of_terms(query),
            least: Some(LEAST),
            remark: said.or_else(|| vectors.remark()),
            vectors,
        }
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
/// place comes first. `within` hands on the parts of a range of a segment's rows that may have one.
/// Also returns how many rows were compared.
///
/// Cosines of different models lie in different places: unrelated texts may be at 0 or at .7. Where it is
/// not known from which on they mean something, it is that of the last chunk that is asked for. (Under
/// all-MiniLM-L6-v2 a fixed .25 ranked files of four repositories as well, NDCG@10 .912 to .913, and .35
/// worse, .907.)
pub(super) fn rank<P: Ord>(
    compared: &Compared,
    within: impl Fn(SegmentOrd, Range<u32>, &mut dyn FnMut(Range<u32>)),
    place: impl Fn(LiveChunk) -> Option<P>,
    limit: usize,
) -> (Vec<(LiveChunk, f64)>, usize) {
    let Some(query) = &compared.query else {
        return (Vec::new(), 0);
    };
    let mut compared_rows = 0;
    let mut room = Query::room();
    let floor = compared.least.unwrap_or(0.0);
    let mut best: BinaryHeap<Candidate<P>> = BinaryHeap::with_capacity(limit + 1);
    let mut least = floor;
    for (rows, ord) in compared.vectors.rows.iter().zip(0u32..) {
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
                _ => floor,
            }
        };
        for range in rows.live.iter().cloned() {
            within(SegmentOrd(ord), range, &mut |range| {
                compared_rows += range.len();
                least = query.scan(block, range, least, &mut room, &mut offer);
            });
        }
    }
    let last = best.peek().map(|worst| worst.cosine);
    let floor = compared.least.or(last).unwrap_or(0.0);
    let best = best.into_sorted_vec().into_iter();
    let best = best.map(|found| (found.chunk, found.cosine - floor));
    (
        best.filter(|(_, score)| *score > 0.0).collect(),
        compared_rows,
    )
}

/// The live chunks of a segment as ranges.
fn live_ranges(live: &LiveSegment) -> Vec<Range<u32>> {
    let mut ranges: Vec<Range<u32>> = Vec::new();
    for chunk in live.chunks() {
        match ranges.last_mut() {
            Some(last) if last.end == chunk => last.end += 1,
            _ => ranges.push(chunk..chunk + 1),
        }
    }
    ranges
}
