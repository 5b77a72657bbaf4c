//! Which memories a question is about, best first: the text and the vector channel of `search`, over
//! the few words that a memory has.
//!
//! Words are compared by their stems, because whoever asks about *retries* means the decision that says
//! *retry*. Nothing is ranked by who wrote it, when, or how often it was recalled.

use crate::extract::terms;
use crate::query::search::fuse::{Channel, Fusion, Level};
use crate::query::search::query::QueryTerms;
use crate::query::search::stems::stem;
use crate::query::search::text::idf;
use crate::vector::static_model::embedded;
use rustc_hash::FxHashMap;

/// Saturation of a word's count.
const K1: f64 = 1.2;
/// How far a memory's length counts against it.
const B: f64 = 0.75;
/// What a word counts that is of a tag or of the name of a target: somebody chose it to find this by.
const CHOSEN: u8 = 2;
/// The channels' parts in the sum, as for questions to `search` of few words.
const TEXT: f64 = 1.2;
const VECTOR: f64 = 0.5;
/// Cosine from which on a memory has to do with the question at all, as for chunks of code.
const LEAST: f64 = 0.25;

/// What a memory says, and what it is found by beside that.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its tags and what it is about.
    pub chosen: &'a [String],
}

/// Memories ready to be asked, numbered in the order they came.
#[derive(Default)]
pub struct Memories {
    /// By stem: memories that hold it and how often.
    holders: FxHashMap<Vec<u8>, Vec<(u32, u8)>>,
    lengths: Vec<u32>,
    /// None where no word is known to the model.
    vectors: Vec<Option<(Vec<i8>, u32)>>,
}

impl Memories {
    /// Takes memories apart.
    pub fn of<'a>(all: impl IntoIterator<Item = Said<'a>>) -> Self {
        let mut memories = Self::default();
        for (number, said) in (0u32..).zip(all) {
            memories.add(number, said);
        }
        memories
    }

    fn add(&mut self, number: u32, said: Said<'_>) {
        let mut counts: FxHashMap<Vec<u8>, u8> = FxHashMap::default();
        let mut rows: FxHashMap<u32, u32> = FxHashMap::default();
        let mut length = 0u32;
        let texts = std::iter::once((said.text, 1));
        let chosen = said.chosen.iter().map(|text| (text.as_str(), CHOSEN));
        for (text, worth) in texts.chain(chosen) {
            terms::for_each_word(text.as_bytes(), |word, _| {
                terms::for_each_term(word, |term| {
                    length += 1;
                    let count = counts.entry(stem(term)).or_default();
                    *count = count.saturating_add(worth);
                    if let Some(row) = embedded().find(term) {
                        *rows.entry(row).or_default() += 1;
                    }
                });
            });
        }
        for (stem, count) in counts {
            self.holders.entry(stem).or_default().push((number, count));
        }
        self.lengths.push(length);
        self.vectors.push(embedded().vector(rows));
    }

    /// The memories that have to do with a question, best first, with a score from 0 to 1; of equals the
    /// first.
    pub fn rank(&self, question: &str) -> Vec<(u32, f64)> {
        let query = QueryTerms::parse(question);
        let mut fusion = Fusion::new();
        for (name, weight, ranked) in [
            ("text", TEXT, self.by_text(&query)),
            ("vector", VECTOR, self.by_vector(&query)),
        ] {
            let level = Level::Item;
            let channel = Channel {
                name,
                level,
                weight,
                ranked,
            };
            fusion.add(&channel, |number| number);
        }
        fusion.score();
        let items = fusion.items().iter();
        sorted(items.map(|found| (found.item, found.score)).collect())
    }

    fn by_text(&self, query: &QueryTerms) -> Vec<(u32, f64)> {
        let all = self.lengths.len() as u64;
        let sum: u64 = self.lengths.iter().map(|length| u64::from(*length)).sum();
        let average = (sum as f64 / all.max(1) as f64).max(1.0);
        let mut scores: FxHashMap<u32, f64> = FxHashMap::default();
        for stem in query.stems() {
            let Some(holders) = self.holders.get(&stem) else {
                continue;
            };
            let idf = idf(holders.len() as u64, all);
            for (number, count) in holders {
                let length = f64::from(self.lengths[*number as usize]);
                let norm = K1 * (1.0 - B + B * length / average);
                let count = f64::from(*count);
                *scores.entry(*number).or_default() += idf * count * (K1 + 1.0) / (count + norm);
            }
        }
        sorted(scores.into_iter().collect())
    }

    fn by_vector(&self, query: &QueryTerms) -> Vec<(u32, f64)> {
        let rows = query.terms.iter().filter_map(|term| embedded().find(term));
        let Some((of_query, product)) = embedded().vector(rows.map(|row| (row, 1))) else {
            return Vec::new();
        };
        let near = |(number, vector): (u32, &Option<(Vec<i8>, u32)>)| {
            let (vector, own) = vector.as_ref()?;
            let both: i32 = vector
                .iter()
                .zip(&of_query)
                .map(|(a, b)| i32::from(*a) * i32::from(*b))
                .sum();
            let cosine = f64::from(both) / (f64::from(product) * f64::from(*own)).sqrt();
            (cosine > LEAST).then_some((number, cosine - LEAST))
        };
        sorted((0u32..).zip(&self.vectors).filter_map(near).collect())
    }
}

fn sorted(mut ranked: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    ranked.sort_unstable_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memories() -> Memories {
        let said = |text| Said { text, chosen: &[] };
        Memories::of([
            said("Requests are retried in the client, never in the handler."),
            said("The ledger table is append-only; corrections are new rows."),
            said("Old files are removed by a nightly job."),
        ])
    }

    fn best(question: &str) -> Option<u32> {
        memories().rank(question).first().map(|(number, _)| *number)
    }

    #[test]
    fn other_forms_of_a_word_find_it() {
        assert_eq!(best("where do we retry?"), Some(0));
        assert_eq!(best("correcting a row of the ledger"), Some(1));
        assert_eq!(best("zzyzx"), None);
    }

    #[test]
    fn other_words_for_a_thing_find_it() {
        assert_eq!(best("delete"), Some(2));
    }

    #[test]
    fn what_was_chosen_to_find_it_by_counts_more() {
        let chosen = vec!["src/net/retry.rs".to_owned()];
        let memories = Memories::of([
            Said {
                text: "Nobody may retry a payment twice in one day.",
                chosen: &[],
            },
            Said {
                text: "Three attempts are enough for anybody here today.",
                chosen: &chosen,
            },
        ]);
        let ranked = memories.by_text(&QueryTerms::parse("retry"));
        assert_eq!(
            ranked.iter().map(|(number, _)| *number).collect::<Vec<_>>(),
            [1, 0]
        );
    }
}
