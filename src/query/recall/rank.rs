//! Which memories a question is about, best first: the text and the vector channel of `search`, over
//! the few words that a memory has.
//!
//! Words are compared by their stems, because whoever asks about *retries* means the decision that says
//! *retry*. Nothing is ranked by who wrote it, when, or how often it was recalled.

use super::words::{Stem, Words};
use crate::id::{CommitId, EventId};
use crate::memory::event::Body;
use crate::memory::log::Log;
use crate::query::recall::named::label;
use crate::query::search::fuse::{Channel, Fusion, Level};
use crate::query::search::query::QueryTerms;
use crate::query::search::text::idf;
use crate::vector::static_model::embedded;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Saturation of a word's count.
const K1: f64 = 1.2;
/// How far a memory's length counts against it.
const B: f64 = 0.75;
/// What a word counts that is of a tag or of the name of a target: somebody chose it to find this by.
const CHOSEN: u8 = 2;
/// The channels' parts in the sum, as for questions to `search` of few words.
const TEXT: f64 = 1.2;
const VECTOR: f64 = 0.5;
/// Stems that two texts must share at least to be alike: one word says little.
const LEAST_STEMS: u32 = 2;
/// Cosine from which on a memory has to do with the question at all, as for chunks of code.
const LEAST: f64 = 0.25;

/// The memories of a log, ready to be asked.
#[derive(Default)]
pub struct Memories {
    /// The commit of the log.
    tip: Option<CommitId>,
    words: Words,
    /// By number, as everything below.
    ids: Vec<EventId>,
    holders: FxHashMap<Stem, Vec<Holder>>,
    /// Terms of each.
    lengths: Vec<u32>,
    /// Distinct stems of each text that say something.
    stems: Vec<u32>,
    /// None where no word is known to the model.
    vectors: Vec<Option<(Vec<i8>, u32)>>,
}

/// A memory that has a stem.
#[derive(Clone, Copy, Default)]
struct Holder {
    memory: u32,
    /// How often, as [`CHOSEN`] has it.
    count: u8,
    /// Whether it is of a word of its text that says something.
    is_said: bool,
}

impl Memories {
    /// Takes the claims of a log apart that were not taken apart before.
    pub fn update(&mut self, log: &Log) {
        if log.tip.is_some() && self.tip == log.tip {
            return;
        }
        if self.ids.iter().any(|id| log.event(*id).is_none()) {
            *self = Self::default();
        }
        let known: BTreeSet<EventId> = self.ids.iter().copied().collect();
        for (id, event) in log.readable().filter(|(id, _)| !known.contains(id)) {
            if let Body::Claim { tags, .. } = &event.body {
                let chosen = event.targets().map(label).chain(tags.iter().cloned());
                self.add(id, &event.text, chosen);
            }
        }
        self.tip = log.tip;
    }

    fn add(&mut self, id: EventId, text: &str, chosen: impl Iterator<Item = String>) {
        let memory = self.ids.len() as u32;
        let mut holders: FxHashMap<Stem, Holder> = FxHashMap::default();
        let mut rows: FxHashMap<u32, u32> = FxHashMap::default();
        let mut length = 0u32;
        let mut take = |text: &str, worth: u8, is_text: bool| {
            self.words.for_each_term(text, |term| {
                length += 1;
                let holder = holders.entry(term.stem).or_default();
                holder.memory = memory;
                holder.count = holder.count.saturating_add(worth);
                holder.is_said |= is_text && term.is_telling;
                if let Some(row) = term.row {
                    *rows.entry(row).or_default() += 1;
                }
            });
        };
        take(text, 1, true);
        chosen.for_each(|text| take(&text, CHOSEN, false));
        let said = holders.values().filter(|holder| holder.is_said).count();
        self.stems.push(said as u32);
        for (stem, holder) in holders {
            self.holders.entry(stem).or_default().push(holder);
        }
        self.ids.push(id);
        self.lengths.push(length);
        self.vectors.push(embedded().vector(rows));
    }

    /// The memories that have to do with a question, best first, with a score from 0 to 1; of equals
    /// that of the lower id.
    pub fn rank(&self, question: &str) -> Vec<(EventId, f64)> {
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
        let items = fusion.items.iter();
        let ranked = self.sorted(items.map(|found| (found.item, found.score)).collect());
        let named = ranked.into_iter();
        named
            .map(|(number, score)| (self.ids[number as usize], score))
            .collect()
    }

    fn by_text(&self, query: &QueryTerms) -> Vec<(u32, f64)> {
        let all = self.lengths.len() as u64;
        let sum: u64 = self.lengths.iter().map(|length| u64::from(*length)).sum();
        let average = (sum as f64 / all.max(1) as f64).max(1.0);
        let mut scores: FxHashMap<u32, f64> = FxHashMap::default();
        for stem in query.stems() {
            let holders = self.words.find(&stem);
            let Some(holders) = holders.and_then(|stem| self.holders.get(&stem)) else {
                continue;
            };
            let idf = idf(holders.len() as u64, all);
            for holder in holders {
                let length = f64::from(self.lengths[holder.memory as usize]);
                let norm = K1 * (1.0 - B + B * length / average);
                let count = f64::from(holder.count);
                *scores.entry(holder.memory).or_default() +=
                    idf * count * (K1 + 1.0) / (count + norm);
            }
        }
        self.sorted(scores.into_iter().collect())
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
        self.sorted((0u32..).zip(&self.vectors).filter_map(near).collect())
    }

    fn sorted(&self, mut ranked: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
        let id = |number: u32| self.ids[number as usize];
        ranked.sort_unstable_by(|(a, x), (b, y)| y.total_cmp(x).then_with(|| id(*a).cmp(&id(*b))));
        ranked
    }

    /// The memories whose text says something that another text says, with the part of the stems of the
    /// shorter one that the longer has too.
    pub fn alike(&mut self, text: &str) -> Vec<(EventId, f64)> {
        let mut own: BTreeSet<Stem> = BTreeSet::new();
        self.words.for_each_term(text, |term| {
            own.extend(term.is_telling.then_some(term.stem));
        });
        let mut shared: FxHashMap<u32, u32> = FxHashMap::default();
        for holder in own
            .iter()
            .filter_map(|stem| self.holders.get(stem))
            .flatten()
        {
            if holder.is_said {
                *shared.entry(holder.memory).or_default() += 1;
            }
        }
        let likeness = |(memory, both): (u32, u32)| {
            let fewer = self.stems[memory as usize].min(own.len() as u32);
            let part = f64::from(both) / f64::from(fewer.max(1));
            let id = self.ids[memory as usize];
            (both >= LEAST_STEMS).then_some((id, part))
        };
        shared.into_iter().filter_map(likeness).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::log::Stored;
    use crate::memory::text;

    fn log(texts: &[(&str, &[&str])]) -> Log {
        let mut log = Log::default();
        for (number, (said, tags)) in texts.iter().enumerate() {
            let id = |digit: u8| char::from(digit).to_string().repeat(40);
            let tags: String = tags.iter().map(|tag| format!("tag {tag}\n")).collect();
            let date = "2026-01-02T03:04:05+00:00";
            let event = format!(
                "sverklo memory 1\nassert\nkind fact\npin {}\npin-tree {}\npin-date {date}\n{tags}author A <a@x>\ntool cli\ndate {date}\n\n{said}\n",
                id(b'1'),
                id(b'2')
            );
            let event = text::decode(event.as_bytes(), gix::hash::Kind::Sha1).unwrap();
            let id = EventId::from_hex(id(b'0' + number as u8).as_bytes()).unwrap();
            log.events.push((id, Stored::Event(Box::new(event))));
        }
        log
    }

    fn of(texts: &[(&str, &[&str])]) -> Memories {
        let mut memories = Memories::default();
        memories.update(&log(texts));
        memories
    }

    fn memories() -> Memories {
        of(&[
            (
                "Requests are retried in the client, never in the handler.",
                &[],
            ),
            (
                "The ledger table is append-only; corrections are new rows.",
                &[],
            ),
            ("Old files are removed by a nightly job.", &[]),
        ])
    }

    fn number(id: EventId) -> u8 {
        id.as_bytes()[0] & 0x0f
    }

    fn best(question: &str) -> Option<u8> {
        memories().rank(question).first().map(|(id, _)| number(*id))
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
        let memories = of(&[
            ("Nobody may retry a payment twice in one day.", &[]),
            (
                "Three attempts are enough for anybody here today.",
                &["retry"],
            ),
        ]);
        let ranked = memories.by_text(&QueryTerms::parse("retry"));
        let ranked: Vec<u32> = ranked.iter().map(|(number, _)| *number).collect();
        assert_eq!(ranked, [1, 0]);
    }

    #[test]
    fn a_log_that_grew_or_shrank_ranks_as_one_read_at_once() {
        let all: Vec<(&str, &[&str])> = vec![
            ("Requests are retried in the client.", &["net"]),
            ("The ledger table is append-only.", &[]),
            ("A retry waits twice as long as the one before.", &[]),
        ];
        let mut grown = Memories::default();
        for logs in [&all[..1], &all[..], &all[..2]] {
            grown.update(&log(logs));
            for question in ["retry", "ledger table", "net"] {
                assert_eq!(grown.rank(question), of(logs).rank(question));
            }
        }
    }

    #[test]
    fn forms_of_words_are_alike() {
        let alike = |a: &str, b: &str| {
            let found = of(&[(a, &[])]).alike(b);
            found.first().map(|(_, likeness)| *likeness)
        };
        let first = "retry requests in the client";
        assert_eq!(alike(first, "in the client requests retry"), Some(1.0));
        // `retried` has another stem.
        assert_eq!(
            alike(first, "Requests are retried in the client"),
            Some(2.0 / 3.0)
        );
        assert_eq!(alike(first, "the ledger is append-only"), None);
        // One word in common says little, and what was chosen to find it by is not said.
        assert_eq!(alike("retry", "retry"), None);
        let tagged = of(&[("nobody waits", &["client", "retry"])]).alike("retry client");
        assert_eq!(tagged, []);
    }
}
