//! A query taken apart: its words and the terms to look up.
//!
//! Guarantee: a pure function of the query, by the rules that take documents apart.

use super::stems;
use crate::extract::terms;
use rustc_hash::FxHashSet;

/// Words that say nothing about code; dropped unless the query has no others.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "by", "can", "did", "do", "does", "for",
    "from", "has", "have", "how", "in", "into", "is", "it", "its", "of", "on", "or", "should",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "to", "was", "we",
    "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you",
];

/// Whether a word says something about code, as typed.
pub fn is_telling(word: &[u8]) -> bool {
    let lower = String::from_utf8_lossy(word).to_lowercase();
    !STOP_WORDS.contains(&lower.as_str())
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
        if words.iter().any(|word| is_telling(word)) {
            words.retain(|word| is_telling(word));
        }
        let (mut all, mut seen) = (Vec::new(), FxHashSet::default());
        for word in &words {
            terms::for_each_term(word, |term| {
                if seen.insert(term.to_vec()) {
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

    /// The distinct stems of its terms, in order.
    pub fn stems(&self) -> Vec<Vec<u8>> {
        let mut all: Vec<Vec<u8>> = Vec::new();
        for stem in self.terms.iter().map(|term| stems::stem(term)) {
            if !all.contains(&stem) {
                all.push(stem);
            }
        }
        all
    }

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
}
