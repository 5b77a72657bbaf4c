//! What the text channel knows of a view before any question: numbers for its chunks and documents, and
//! the weight that each of their fields has by its length.
//!
//! BM25F divides a term's frequency in a field by a factor of the field's length. The factor depends on
//! the view alone, so it is worked out once a view, 20 bytes a chunk. Chunks and documents of all segments
//! are numbered through, so that sums over them are plain arrays.
//!
//! Guarantee: weights are a pure function of the view's live documents, in single precision with IEEE
//! operations in a fixed order, so the same wherever a document is stored. Numbers are not: they must
//! not decide an order.

use super::chunk::LiveChunk;
use crate::extract::record::FIELDS;
use crate::id::{ChunkId, DocAddress, DocId, SegmentOrd};
use crate::view::live::View;
use std::ops::Range;

/// Weight of each field: name, signature, body, comment.
const WEIGHT: [f32; FIELDS] = [4.0, 2.0, 1.0, 1.2];
/// How far a field's length counts against it, per field.
const B: [f32; FIELDS] = [0.3, 0.4, 0.6, 0.5];
/// The same for whole documents, whose lengths differ more.
const DOCUMENT_B: [f32; FIELDS] = [0.6, 0.6, 0.75, 0.6];
/// In place of the document of a chunk that is not live.
const DEAD: u32 = u32::MAX;

/// Chunks that are taken or passed over at once when the best are looked for.
pub const BLOCK: usize = 256;

/// Weights of one occurrence of a term, by field.
pub type Norm = [f32; FIELDS];

/// Numbers and norms of a view.
pub struct Norms {
    /// Number of the first chunk of each segment, and one past the last.
    chunk_bases: Vec<u32>,
    /// The same for documents.
    doc_bases: Vec<u32>,
    /// The document of each chunk.
    doc_of: Vec<u32>,
    chunks: Vec<Norm>,
    documents: Vec<Norm>,
    /// The documents of the live chunks of each block of [`BLOCK`] chunks, as a range that holds them.
    block_docs: Vec<Range<u32>>,
    /// Number of live documents.
    pub(crate) live_documents: u64,
}

impl Norms {
    /// Works out the norms of a view.
    pub fn of(view: &View) -> Self {
        let statistics = view.statistics();
        let live_documents: u64 = view.segments().iter().map(|live| live.docs.len()).sum();
        let average = |all: u64| -> [f32; FIELDS] {
            let all = all.max(1) as f32;
            std::array::from_fn(|f| (statistics.field_len[f] as f32 / all).max(1.0))
        };
        let (of_chunk, of_document) = (average(statistics.chunks), average(live_documents));
        let mut norms = Self {
            chunk_bases: vec![0],
            doc_bases: vec![0],
            doc_of: Vec::new(),
            chunks: Vec::new(),
            documents: Vec::new(),
            block_docs: Vec::new(),
            live_documents,
        };
        for live in view.segments() {
            let segment = &live.segment;
            let (chunk_base, doc_base) = (norms.doc_of.len(), norms.documents.len());
            let chunks = chunk_base + segment.chunk_count() as usize;
            let documents = doc_base + segment.doc_count() as usize;
            norms.doc_of.resize(chunks, DEAD);
            norms.chunks.resize(chunks, [0.0; FIELDS]);
            norms.documents.resize(documents, [0.0; FIELDS]);
            norms.chunk_bases.push(chunks as u32);
            norms.doc_bases.push(documents as u32);
            for doc in live.docs.iter().filter(|doc| *doc < segment.doc_count()) {
                let range = segment.doc(DocId(doc)).chunks;
                let mut lengths = [0u64; FIELDS];
                for chunk in range.start.0..range.end.0.min(segment.chunk_count()) {
                    let of = segment.field_len(ChunkId(chunk));
                    for (sum, length) in lengths.iter_mut().zip(of) {
                        *sum += u64::from(length);
                    }
                    let at = chunk_base + chunk as usize;
                    norms.doc_of[at] = doc_base as u32 + doc;
                    norms.chunks[at] = norm(&of.map(f32::from), &of_chunk, &B);
                }
                let lengths = lengths.map(|n| n as f32);
                norms.documents[doc_base + doc as usize] =
                    norm(&lengths, &of_document, &DOCUMENT_B);
            }
        }
        let range = |docs: &[u32]| {
            let live = || docs.iter().copied().filter(|doc| *doc != DEAD);
            let first = live().min().unwrap_or(0);
            first..live().max().map_or(first, |last| last + 1)
        };
        norms.block_docs = norms.doc_of.chunks(BLOCK).map(range).collect();
        norms
    }

    /// The documents of the live chunks of a block are within this range.
    pub fn docs_of_block(&self, block: usize) -> Range<u32> {
        self.block_docs.get(block).cloned().unwrap_or(0..0)
    }

    /// Number of chunks, live or not.
    pub fn chunk_count(&self) -> usize {
        self.doc_of.len()
    }

    /// Number of documents, live or not.
    pub fn doc_count(&self) -> usize {
        self.documents.len()
    }

    /// The number of the first chunk of a segment.
    pub fn chunk_base(&self, segment: SegmentOrd) -> u32 {
        self.chunk_bases[segment.index()]
    }

    /// The chunk with a number.
    pub fn chunk(&self, number: u32) -> LiveChunk {
        let (segment, at) = locate(&self.chunk_bases, number);
        LiveChunk {
            segment,
            chunk: ChunkId(at),
        }
    }

    /// The number of a chunk.
    #[inline]
    pub fn chunk_number(&self, chunk: LiveChunk) -> u32 {
        self.chunk_base(chunk.segment) + chunk.chunk.0
    }

    /// The number of a document.
    pub fn number(&self, doc: DocAddress) -> u32 {
        self.doc_bases[doc.segment.index()] + doc.doc.0
    }

    /// The number of the document of a chunk; `None` when it is not live.
    #[inline]
    pub fn doc_of(&self, chunk: u32) -> Option<u32> {
        let doc = *self.doc_of.get(chunk as usize)?;
        (doc != DEAD).then_some(doc)
    }

    /// The norm of a chunk, by its number.
    #[inline]
    pub fn of_chunk(&self, chunk: u32) -> &Norm {
        &self.chunks[chunk as usize]
    }

    /// The norm of a document, by its number.
    #[inline]
    pub fn of_document(&self, doc: u32) -> &Norm {
        &self.documents[doc as usize]
    }
}

fn locate(bases: &[u32], number: u32) -> (SegmentOrd, u32) {
    let segment = bases.partition_point(|base| *base <= number).max(1) - 1;
    (SegmentOrd(segment as u32), number - bases[segment])
}

fn norm(lengths: &[f32; FIELDS], average: &[f32; FIELDS], b: &[f32; FIELDS]) -> Norm {
    std::array::from_fn(|f| WEIGHT[f] / (1.0 - b[f] + b[f] * lengths[f] / average[f]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_fields_weigh_less_and_average_ones_their_weight() {
        let average = [2.0, 8.0, 100.0, 20.0];
        assert_eq!(norm(&average, &average, &B), WEIGHT);
        let long = norm(&average.map(|n| 4.0 * n), &average, &B);
        let short = norm(&[1.0; FIELDS], &average, &B);
        for f in 0..FIELDS {
            assert!(long[f] < WEIGHT[f] && WEIGHT[f] < short[f], "{f}");
        }
    }

    #[test]
    fn numbers_run_through_segments_and_skip_empty_ones() {
        let at = |number| {
            let (segment, at) = locate(&[0, 3, 3, 5], number);
            (segment.0, at)
        };
        assert_eq!(
            [at(0), at(2), at(3), at(4)],
            [(0, 0), (0, 2), (2, 0), (2, 1)]
        );
    }
}
