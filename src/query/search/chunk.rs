//! A chunk as the channels name it: by its segment in the view.

use crate::id::{ChunkId, DocId, SegmentOrd};
use crate::segment::Segment;

/// One chunk of one segment of a view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LiveChunk {
    /// Which segment of the view.
    pub segment: SegmentOrd,
    /// Which of its chunks.
    pub chunk: ChunkId,
}

/// A chunk that a channel found by one of its lines.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pointed {
    /// The chunk.
    pub chunk: LiveChunk,
    /// The line.
    pub line: u32,
    /// What the channel gives it.
    pub score: f64,
}

/// The chunk of a document that holds a line.
pub fn chunk_at(segment: &Segment, doc: DocId, line: u32) -> Option<ChunkId> {
    let range = segment.doc(doc).chunks;
    let (mut low, mut high) = (range.start.0, range.end.0);
    while low < high {
        let middle = low + (high - low) / 2;
        if segment.chunk_lines(ChunkId(middle)).1 < line {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    (low < range.end.0).then_some(ChunkId(low))
}
