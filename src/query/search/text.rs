//! The text channel: BM25F over chunks, and over whole documents by the same postings.
//!
//! Document frequencies, counts and field lengths are those of live chunks and documents only, so a merge,
//! a compaction or a branch nobody looks at never moves a score. Sums run in the order of the
//! query's terms, so scores are bit-identical wherever a chunk is stored. What a term adds to a chunk
//! is worked out in `impacts`.

use super::chunk::LiveChunk;
use super::impacts::TextTables;
use super::norms::Norms;
use super::query::QueryTerms;
use super::stems;
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
pub struct Scored {
    /// Live chunks that hold each term of the query.
    pub containing: Vec<u64>,
    /// By the number of a chunk; 0 for one without any term.
    chunks: Vec<f32>,
    /// By the number of a document; 0 for one without any term.
    documents: Vec<f32>,
}

impl Scored {
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

    /// The best chunks that `admits` lets pass, each with its score and that of its document added up,
    /// both as shares of the best: the chunk says where, the document says whether this is the file
    /// at all. In no particular order; those that tie with the last of `count` are among them. Also
    /// how many there are in all.
    pub fn best(
        &self,
        norms: &Norms,
        count: usize,
        admits: impl Fn(u32) -> bool,
    ) -> (Vec<(LiveChunk, f64)>, usize) {
        let admitted = || {
            let held = self
                .chunks
                .iter()
                .zip(0u32..)
                .filter(|(sum, _)| **sum > 0.0);
            held.filter(|(_, chunk)| admits(*chunk))
        };
        let of_document = |chunk: u32| {
            let doc = norms.doc_of(chunk);
            doc.map_or(0.0, |doc| self.documents[doc as usize])
        };
        let (mut most, mut most_of_document, mut total) = (f32::MIN_POSITIVE, f32::MIN_POSITIVE, 0);
        for (sum, chunk) in admitted() {
            most = most.max(*sum);
            most_of_document = most_of_document.max(of_document(chunk));
            total += 1;
        }
        let mut best: Vec<(u32, f32)> = Vec::with_capacity(total);
        best.extend(
            admitted()
                .map(|(sum, chunk)| (chunk, sum / most + of_document(chunk) / most_of_document)),
        );
        if best.len() > count && count > 0 {
            let (_, (_, least), _) =
                best.select_nth_unstable_by(count - 1, |a, b| b.1.total_cmp(&a.1));
            let least = *least;
            best.retain(|(_, score)| *score >= least);
        }
        let best = best.into_iter();
        let best = best.map(|(chunk, score)| (norms.chunk(chunk), f64::from(score)));
        (best.collect(), total)
    }
}

/// Scores every live chunk and document that holds a term of the query.
///
/// Words of the same stem count as one. A file that speaks of all of a question in several places is
/// about it, though none of its chunks holds all the words, so documents are scored beside chunks.
pub fn score(view: &View, tables: &TextTables, query: &QueryTerms) -> Scored {
    let norms = &tables.norms;
    let mut scored = Scored {
        containing: vec![0; query.terms.len()],
        chunks: vec![0.0; norms.chunk_count()],
        documents: vec![0.0; norms.doc_count()],
    };
    for stem in query.stems() {
        let forms = forms_of(&stem, query);
        let impacts = tables.impacts(view, &forms);
        for (chunk, impact) in &impacts.chunks {
            scored.chunks[*chunk as usize] += impact;
        }
        for (doc, impact) in &impacts.documents {
            scored.documents[*doc as usize] += impact;
        }
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
