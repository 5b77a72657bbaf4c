//! The text channel: BM25F over chunks, and over whole documents by the same postings.
//!
//! Document frequencies, counts and field lengths are those of live chunks and documents only, so a merge,
//! a compaction or a branch nobody looks at never moves a score. Sums run in the order of the
//! query's terms, so scores are bit-identical wherever a chunk is stored. What a term adds to a chunk
//! is worked out in `impacts`.

use super::impacts::TextTables;
use super::norms::Norms;
use super::stems;
use crate::extract::terms;
use crate::id::{ChunkId, SegmentOrd};
use crate::view::live::View;
use std::ops::Range;

/// Saturation of the weighted term frequency.
pub const K1: f32 = 1.2;
/// Words that say nothing about code; dropped unless the query has no others.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "by", "can", "did", "do", "does", "for",
    "from", "has", "have", "how", "in", "into", "is", "it", "its", "of", "on", "or", "should",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "to", "was", "we",
    "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you",
];

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

/// A query taken apart.
#[derive(Clone, Debug)]
pub struct QueryTerms {
    /// Distinct terms in order of appearance: folded words and their sub-words.
    pub terms: Vec<Vec<u8>>,
    /// The words they come from, as typed.
    pub words: Vec<String>,
}

impl QueryTerms {
    /// Takes a query apart with the rules that took the documents apart.
    pub fn parse(query: &str) -> Self {
        let mut words: Vec<&[u8]> = Vec::new();
        terms::for_each_word(query.as_bytes(), |word, at| {
            words.push(&query.as_bytes()[at..at + word.len()]);
        });
        let telling = |word: &&[u8]| {
            let lower = String::from_utf8_lossy(word).to_lowercase();
            !STOP_WORDS.contains(&lower.as_str())
        };
        if words.iter().any(telling) {
            words.retain(telling);
        }
        let mut all: Vec<Vec<u8>> = Vec::new();
        for word in &words {
            terms::for_each_term(word, |term| {
                if !all.iter().any(|t| t == term) {
                    all.push(term.to_vec());
                }
            });
        }
        let words = words
            .iter()
            .map(|w| String::from_utf8_lossy(w).into_owned())
            .collect();
        Self { terms: all, words }
    }
}

impl QueryTerms {
    /// The words that may be meant as names: all of a short query; of a sentence only those that
    /// no sentence has (`parseRequest`, `max_len`, `utf8`), since `found` and `end` are names too.
    pub fn names(&self) -> impl DoubleEndedIterator<Item = &String> {
        let short = self.words.len() <= 2;
        self.words.iter().filter(move |word| {
            short
                || word
                    .chars()
                    .skip(1)
                    .any(|c| c.is_uppercase() || c.is_numeric())
                || word.contains('_')
        })
    }
}

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
    pub fn best_of(
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
    let norms = tables.norms();
    let mut scored = Scored {
        containing: vec![0; query.terms.len()],
        chunks: vec![0.0; norms.chunk_count()],
        documents: vec![0.0; norms.doc_count()],
    };
    for stem in stems_of(query) {
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

/// The distinct stems of a query's terms, in order.
fn stems_of(query: &QueryTerms) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    for stem in query.terms.iter().map(|term| stems::stem(term)) {
        if !all.contains(&stem) {
            all.push(stem);
        }
    }
    all
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
    fn a_query_is_taken_apart_like_a_document() {
        let query = QueryTerms::parse("how does the parseRequest work?");
        assert_eq!(query.words, ["parseRequest", "work"]);
        let terms: Vec<_> = query
            .terms
            .iter()
            .map(|t| String::from_utf8_lossy(t))
            .collect();
        assert_eq!(terms, ["parserequest", "parse", "request", "work"]);
    }

    #[test]
    fn a_sentence_names_only_what_no_sentence_has() {
        let names = |query: &str| {
            QueryTerms::parse(query)
                .names()
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(names("end"), ["end"]);
        assert_eq!(names("Context.JSON"), ["Context", "JSON"]);
        assert_eq!(
            names("where parseRequest and max_len are found"),
            ["parseRequest", "max_len"]
        );
    }

    #[test]
    fn stop_words_alone_are_searched_for() {
        assert_eq!(
            QueryTerms::parse("what is this").words,
            ["what", "is", "this"]
        );
        assert!(QueryTerms::parse("?! ...").terms.is_empty());
    }

    #[test]
    fn rare_terms_weigh_more_and_none_is_negative() {
        assert!(idf(1, 1000) > idf(10, 1000));
        assert!(idf(1000, 1000) > 0.0);
    }
}
