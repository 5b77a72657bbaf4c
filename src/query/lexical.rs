//! The text channel: BM25F over chunks, and over whole documents by the same postings.
//!
//! Document frequencies, counts and field lengths are those of live chunks and documents only, so a merge,
//! a compaction or a branch nobody looks at never moves a score. Sums run in the order of the
//! query's terms, so scores are bit-identical wherever a chunk is stored.
//!
//! Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields (CIKM 2004).

use super::stems;
use crate::extract::record::FIELDS;
use crate::extract::terms;
use crate::id::{ChunkId, DocId, SegmentOrd};
use crate::segment::{Posting, Segment};
use crate::view::live::{LiveSegment, View};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Saturation of the weighted term frequency.
const K1: f64 = 1.2;
/// Weight of each field: name, signature, body, comment.
const WEIGHT: [f64; FIELDS] = [4.0, 2.0, 1.0, 1.2];
/// How far a field's length counts against it, per field.
const B: [f64; FIELDS] = [0.3, 0.4, 0.6, 0.5];
/// The same for whole documents, whose lengths differ more.
const DOCUMENT_B: [f64; FIELDS] = [0.6, 0.6, 0.75, 0.6];

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
    /// Live chunks that hold a term, with their score, in no particular order.
    pub chunks: Vec<(LiveChunk, f64)>,
    /// Live chunks that hold each term of the query.
    pub containing: Vec<u64>,
    /// Scores by segment and chunk; 0 for a chunk without any term.
    sums: Vec<Vec<f64>>,
    /// Scores by segment and document; 0 for a document without any term.
    documents: Vec<Vec<f64>>,
}

impl Scored {
    /// The score of the document that a chunk is of.
    pub fn document(&self, view: &View, chunk: LiveChunk) -> f64 {
        let doc = view.segment(chunk.segment).segment.chunk(chunk.chunk).doc;
        let sums = self.documents.get(chunk.segment.index());
        sums.and_then(|sums| sums.get(doc.index()))
            .copied()
            .unwrap_or(0.0)
    }

    /// The best chunk of a document; of equals the first. `None` when it holds no term.
    pub fn best_of(&self, segment: SegmentOrd, chunks: Range<ChunkId>) -> Option<LiveChunk> {
        let sums = self.sums.get(segment.index())?;
        let mut best: Option<(u32, f64)> = None;
        for chunk in chunks.start.0..chunks.end.0 {
            let sum = sums.get(chunk as usize).copied().unwrap_or(0.0);
            if sum > best.map_or(0.0, |(_, sum)| sum) {
                best = Some((chunk, sum));
            }
        }
        best.map(|(chunk, _)| LiveChunk {
            segment,
            chunk: ChunkId(chunk),
        })
    }
}

/// Scores every live chunk that holds a term of the query.
pub fn score(view: &View, query: &QueryTerms) -> Scored {
    let statistics = view.statistics();
    let average: [f64; FIELDS] =
        std::array::from_fn(|f| statistics.field_len[f] as f64 / statistics.chunks.max(1) as f64);
    let containing: Vec<u64> = query
        .terms
        .iter()
        .map(|term| {
            let found = view
                .segments()
                .iter()
                .map(|live| postings(live, term).len());
            found.map(|found| found as u64).sum()
        })
        .collect();
    // Words of the same stem count as one.
    let mut stems: Vec<Vec<u8>> = Vec::new();
    let mut groups: Vec<Vec<Vec<Posting>>> = Vec::new();
    for term in &query.terms {
        let stem = stems::stem(term);
        if !stems.contains(&stem) {
            let mut forms = stems::forms(&stem);
            let same = query.terms.iter().filter(|t| stems::stem(t) == stem);
            forms.extend(same.cloned());
            forms.sort_unstable();
            forms.dedup();
            let found = view.segments().iter().map(|live| postings_of(live, &forms));
            groups.push(found.collect());
            stems.push(stem);
        }
    }
    let postings = groups;
    let of_stems: Vec<u64> = postings
        .iter()
        .map(|term| term.iter().map(|p| p.len() as u64).sum())
        .collect();
    let mut chunks = Vec::new();
    let mut all_sums = Vec::with_capacity(view.segments().len());
    for (ord, live) in view.segments().iter().enumerate() {
        let mut sums = vec![0.0f64; live.segment.chunk_count() as usize];
        let mut touched: Vec<ChunkId> = Vec::new();
        for (term, containing) in postings.iter().zip(&of_stems) {
            let idf = idf(*containing, statistics.chunks);
            for Posting { chunk, tf } in &term[ord] {
                let lengths = live.segment.field_len(*chunk);
                let mut weighted = 0.0;
                for f in 0..FIELDS {
                    if tf[f] > 0 {
                        let length = f64::from(lengths[f]) / average[f].max(1.0);
                        weighted += WEIGHT[f] * f64::from(tf[f]) / (1.0 - B[f] + B[f] * length);
                    }
                }
                let sum = &mut sums[chunk.index()];
                if *sum == 0.0 {
                    touched.push(*chunk);
                }
                *sum += idf * weighted * (K1 + 1.0) / (K1 + weighted);
            }
        }
        let segment = SegmentOrd(ord as u32);
        chunks.extend(
            touched
                .into_iter()
                .map(|chunk| (LiveChunk { segment, chunk }, sums[chunk.index()])),
        );
        all_sums.push(sums);
    }
    Scored {
        chunks,
        containing,
        sums: all_sums,
        documents: documents(view, &postings),
    }
}

/// The live chunks that hold a term.
fn postings(live: &LiveSegment, term: &[u8]) -> Vec<Posting> {
    let all_live = live.chunks.len() == u64::from(live.segment.chunk_count());
    let postings = live.segment.postings(term).into_iter().flatten();
    postings
        .filter(|p| all_live || live.is_live_chunk(p.chunk))
        .collect()
}

/// The live chunks that hold one of several terms, with how often they hold any.
fn postings_of(live: &LiveSegment, terms: &[Vec<u8>]) -> Vec<Posting> {
    let mut lists = terms.iter().map(|term| postings(live, term));
    let mut all = lists.find(|list| !list.is_empty()).unwrap_or_default();
    let first = all.len();
    for list in lists {
        all.extend(list);
    }
    if all.len() > first {
        all.sort_unstable_by_key(|posting| posting.chunk);
        all.dedup_by(|next, kept| {
            let same = next.chunk == kept.chunk;
            if same {
                for (sum, count) in kept.tf.iter_mut().zip(next.tf) {
                    *sum = sum.saturating_add(count);
                }
            }
            same
        });
    }
    all
}

/// Scores whole documents by the same postings: a file that speaks of all of a question in several
/// places is about it, though none of its chunks holds all the words.
fn documents(view: &View, postings: &[Vec<Vec<Posting>>]) -> Vec<Vec<f64>> {
    let statistics = view.statistics();
    let live: u64 = view.segments().iter().map(|live| live.docs.len()).sum();
    let average: [f64; FIELDS] =
        std::array::from_fn(|f| statistics.field_len[f] as f64 / live.max(1) as f64);
    // The counts of each term by document; chunks of a document follow one another.
    let counts: Vec<Vec<DocumentCounts>> = postings
        .iter()
        .map(|term| {
            term.iter()
                .zip(view.segments())
                .map(|(postings, live)| by_document(&live.segment, postings))
                .collect()
        })
        .collect();
    let mut sums: Vec<Vec<f64>> = view
        .segments()
        .iter()
        .map(|live| vec![0.0; live.segment.doc_count() as usize])
        .collect();
    let mut lengths: FxHashMap<(usize, DocId), [f64; FIELDS]> = FxHashMap::default();
    for term in &counts {
        let containing: u64 = term.iter().map(|docs| docs.len() as u64).sum();
        let idf = idf(containing, live);
        for (ord, docs) in term.iter().enumerate() {
            let segment = &view.segments()[ord].segment;
            for (doc, tf) in docs {
                let lengths = lengths
                    .entry((ord, *doc))
                    .or_insert_with(|| segment.chunk_lengths_sum(*doc).map(|n| n as f64));
                let mut weighted = 0.0;
                for f in 0..FIELDS {
                    if tf[f] > 0 {
                        let length = lengths[f] / average[f].max(1.0);
                        let b = DOCUMENT_B[f];
                        weighted += WEIGHT[f] * f64::from(tf[f]) / (1.0 - b + b * length);
                    }
                }
                sums[ord][doc.index()] += idf * weighted * (K1 + 1.0) / (K1 + weighted);
            }
        }
    }
    sums
}

/// How often a term occurs in documents of one segment, by field.
type DocumentCounts = Vec<(DocId, [u32; FIELDS])>;

/// Adds up the counts of chunks of the same document.
fn by_document(segment: &Segment, postings: &[Posting]) -> DocumentCounts {
    let mut docs: DocumentCounts = Vec::new();
    let mut end = ChunkId(0);
    for Posting { chunk, tf } in postings {
        if *chunk >= end {
            let doc = segment.chunk(*chunk).doc;
            end = segment.doc(doc).chunks.end;
            docs.push((doc, [0; FIELDS]));
        }
        if let Some((_, counts)) = docs.last_mut() {
            for f in 0..FIELDS {
                counts[f] += u32::from(tf[f]);
            }
        }
    }
    docs
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
