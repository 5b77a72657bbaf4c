//! The text channel: BM25F over chunks, and over whole documents by the same postings.
//!
//! Document frequencies, counts and field lengths are those of live chunks and documents only, so a merge,
//! a compaction or a branch nobody looks at never moves a score. Sums run in the order of the
//! query's terms, so scores are bit-identical wherever a chunk is stored. What a term adds to a chunk
//! is worked out in `impacts`.

use super::chunk::LiveChunk;
use super::facets::Bits;
use super::impacts::TextTables;
use super::norms::Norms;
use super::query::QueryTerms;
use super::stems;
use super::top::{self, Best, Sums};
use crate::id::{ChunkId, DocAddress, SegmentOrd};
use crate::view::live::{FileId, View};
use std::ops::Range;

/// Saturation of the weighted term frequency.
pub const K1: f32 = 1.2;
/// A term's weight in a view: Robertson-Sparck Jones with the +1 that keeps it positive.
pub fn idf(containing: u64, all: u64) -> f64 {
    let (n, all) = (containing as f64, all as f64);
    (1.0 + (all - n + 0.5) / (n + 0.5)).ln()
}

/// Result of the channel.
pub struct Scored<'a> {
    /// Live chunks that hold each term of the query.
    pub containing: Vec<u64>,
    /// Impacts that were added up.
    pub impacts: usize,
    tables: &'a TextTables,
    /// By the number of a chunk; 0 for one without any term.
    chunks: Vec<f32>,
    /// By the number of a document; 0 for one without any term.
    documents: Vec<f32>,
}

impl Drop for Scored<'_> {
    fn drop(&mut self) {
        let mut sums = (
            std::mem::take(&mut self.chunks),
            std::mem::take(&mut self.documents),
        );
        sums.0.fill(0.0);
        sums.1.fill(0.0);
        self.tables.give_back(sums);
    }
}

impl top::Layout for Norms {
    fn doc_of(&self, chunk: u32) -> Option<u32> {
        Norms::doc_of(self, chunk)
    }

    fn docs_of_block(&self, block: usize) -> Range<u32> {
        Norms::docs_of_block(self, block)
    }
}

impl Scored<'_> {
    /// The best chunk of a document; of equals the first. `None` when it holds no term.
    fn best_of(
        &self,
        norms: &Norms,
        segment: SegmentOrd,
        chunks: Range<ChunkId>,
    ) -> Option<LiveChunk> {
        let base = norms.chunk_base(segment);
        let mut best: Option<(u32, f32)> = None;
        for chunk in chunks.start.0..chunks.end.0 {
            let sum = self.chunks.get((base + chunk) as usize);
            let sum = sum.copied().unwrap_or(0.0);
            if sum > best.map_or(0.0, |(_, sum)| sum) {
                best = Some((chunk, sum));
            }
        }
        best.map(|(chunk, _)| LiveChunk {
            segment,
            chunk: ChunkId(chunk),
        })
    }

    /// Where a file is shown that was found as a whole: where it speaks of the question, or at its top.
    pub fn shown(&self, view: &View, norms: &Norms, file: FileId) -> Option<LiveChunk> {
        let DocAddress { segment, doc } = view.file(file).doc?;
        let chunks = view.segment(segment).segment.doc(doc).chunks;
        let top = (chunks.start < chunks.end).then_some(LiveChunk {
            segment,
            chunk: chunks.start,
        });
        self.best_of(norms, segment, chunks).or(top)
    }

    /// The best chunks of those that pass, each with its score and that of its document added up,
    /// both as shares of the best: the chunk says where, the document says whether this is the file
    /// at all.
    pub fn best(&self, norms: &Norms, passing: Option<&Bits>, count: usize) -> Best {
        let sums = Sums {
            chunks: &self.chunks,
            documents: &self.documents,
        };
        top::best(&sums, norms, passing, count)
    }
}

/// Scores every live chunk and document that holds a term of the query.
///
/// Words of the same stem count as one. A file that speaks of all of a question in several places is
/// about it, though none of its chunks holds all the words, so documents are scored beside chunks.
pub fn score<'a>(view: &View, tables: &'a TextTables, query: &QueryTerms) -> Scored<'a> {
    let (chunks, documents) = tables.sums();
    let mut scored = Scored {
        containing: vec![0; query.terms.len()],
        impacts: 0,
        tables,
        chunks,
        documents,
    };
    for stem in query.stems() {
        let forms = forms_of(&stem, query);
        let impacts = tables.impacts(view, &forms);
        impacts.chunks.add_to(&mut scored.chunks);
        impacts.documents.add_to(&mut scored.documents);
        scored.impacts += impacts.chunks.count() + impacts.documents.count();
        for (form, holding) in forms.iter().zip(&impacts.holding) {
            if let Some(at) = query.terms.iter().position(|term| term == form) {
                scored.containing[at] = u64::from(*holding);
            }
        }
    }
    scored
}

/// The words to look up for a stem, in ascending order: its forms, and the query's own words that
/// have it.
fn forms_of(stem: &[u8], query: &QueryTerms) -> Vec<Vec<u8>> {
    let mut forms = stems::forms(stem);
    let own = query.terms.iter().filter(|term| stems::stem(term) == stem);
    forms.extend(own.cloned());
    forms.sort_unstable();
    forms.dedup();
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_terms_weigh_more_and_none_is_negative() {
        assert!(idf(1, 1000) > idf(10, 1000));
        assert!(idf(1000, 1000) > 0.0);
    }
}
