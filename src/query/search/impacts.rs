//! What one stem adds to the score of every chunk and document of a view.
//!
//! The impact of a stem on a chunk does not depend on the rest of a question, so it is worked out once
//! and kept: adding up a list of impacts costs a twentieth of reading the postings.
//!
//! Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields (CIKM 2004); impacts
//! as in Anh, Moffat: Pruned query evaluation using pre-computed impacts (SIGIR 2006).

use super::facets::Facets;
use super::memo::Memo;
use super::norms::{Norm, Norms};
use super::text::{K1, idf};
use crate::extract::record::FIELDS;
use crate::id::SegmentOrd;
use crate::segment::Posting;
use crate::view::live::View;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of impacts kept for a view: the words of some hundreds of questions at 20,000 chunks.
const ROOM: usize = 24 << 20;
/// Bytes for each chunk of a larger view. A hundred words are in a fifth of all chunks; when these have no room,
/// each question reads the longest postings again.
const ROOM_OF_CHUNK: usize = 128;

/// The impacts of a stem: what all its forms together add.
pub struct Impacts {
    /// On chunks, by their numbers.
    pub chunks: List,
    /// On documents, by their numbers.
    pub documents: List,
    /// Live chunks that hold each of the forms.
    pub holding: Vec<u32>,
}

/// What the text channel keeps of a view between questions.
pub struct TextTables {
    /// Numbers and norms.
    pub(crate) norms: Norms,
    /// Sets that filters are made of.
    pub(super) facets: Facets,
    impacts: Memo<Impacts>,
    spare: Spare,
}

impl TextTables {
    /// Prepares a view for questions.
    pub fn of(view: &View) -> Self {
        let norms = Norms::of(view);
        Self {
            impacts: Memo::new(ROOM.max(ROOM_OF_CHUNK * norms.chunk_count())),
            facets: Facets::new(),
            spare: Spare::of(&norms),
            norms,
        }
    }

    /// The impacts of words that count as one; `forms` are in ascending order.
    pub fn impacts(&self, view: &View, forms: &[Vec<u8>]) -> Arc<Impacts> {
        let size = |impacts: &Impacts| {
            impacts.chunks.size() + impacts.documents.size() + 4 * impacts.holding.len()
        };
        let key = forms.join(&0);
        self.impacts
            .get(&key, size, || self.impacts_of(view, forms))
    }

    /// Sums for every chunk and document, all 0.
    pub fn sums(&self) -> (Vec<f32>, Vec<f32>) {
        self.spare.take()
    }

    /// Takes sums back, which are all 0 again.
    pub fn give_back(&self, sums: (Vec<f32>, Vec<f32>)) {
        self.spare.put(sums);
    }

    fn impacts_of(&self, view: &View, forms: &[Vec<u8>]) -> Impacts {
        let norms = &self.norms;
        let (of_chunks, of_documents) = self.sums();
        let mut chunks = Tally::new(of_chunks);
        let mut documents = Tally::new(of_documents);
        let mut holding = vec![0; forms.len()];
        for (live, segment) in view.segments().iter().zip((0..).map(SegmentOrd)) {
            let base = norms.chunk_base(segment);
            live.segment.postings_each(forms, |form, postings| {
                for Posting { chunk, tf } in postings {
                    let chunk = base + chunk.0;
                    let Some(doc) = norms.doc_of(chunk) else {
                        continue;
                    };
                    holding[form] += 1;
                    chunks.add(chunk, weighted(&tf, norms.of_chunk(chunk)));
                    documents.add(doc, weighted(&tf, norms.of_document(doc)));
                }
            });
        }
        let impacts = Impacts {
            chunks: chunks.impacts(view.statistics().chunks),
            documents: documents.impacts(norms.live_documents),
            holding,
        };
        self.give_back((chunks.sums, documents.sums));
        impacts
    }
}

/// Arrays of sums that no question uses at the moment: to ask the system for fresh ones costs more than to add up.
struct Spare {
    chunks: usize,
    documents: usize,
    kept: Mutex<Vec<(Vec<f32>, Vec<f32>)>>,
}

/// Pairs of arrays that are kept.
const MOST_SPARE: usize = 2;

impl Spare {
    fn of(norms: &Norms) -> Self {
        Self {
            chunks: norms.chunk_count(),
            documents: norms.doc_count(),
            kept: Mutex::default(),
        }
    }

    fn take(&self) -> (Vec<f32>, Vec<f32>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || (vec![0.0; self.chunks], vec![0.0; self.documents]);
        kept.pop().unwrap_or_else(fresh)
    }

    fn put(&self, sums: (Vec<f32>, Vec<f32>)) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST_SPARE {
            kept.push(sums);
        }
    }
}

/// Impacts by number, in order: six bytes each.
pub struct List {
    /// The high halves of numbers, and where those of the next begin.
    runs: Vec<(u16, u32)>,
    /// The low halves.
    lows: Vec<u16>,
    impacts: Vec<f32>,
}

impl List {
    fn of(len: usize, sorted: impl Iterator<Item = (u32, f32)>) -> Self {
        let mut list = Self {
            runs: Vec::new(),
            lows: Vec::with_capacity(len),
            impacts: Vec::with_capacity(len),
        };
        for (number, impact) in sorted {
            let high = (number >> 16) as u16;
            if list.runs.last().is_none_or(|(last, _)| *last != high) {
                list.runs.push((high, 0));
            }
            list.lows.push(number as u16);
            list.impacts.push(impact);
            let end = list.lows.len() as u32;
            list.runs.last_mut().expect("one was pushed").1 = end;
        }
        list
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.lows.len()
    }

    /// Adds each to the sum with its number.
    pub fn add_to(&self, sums: &mut [f32]) {
        let mut start = 0;
        for (high, end) in &self.runs {
            let range = start..*end as usize;
            let first = usize::from(*high) << 16;
            let of_run = sums.get_mut(first..).unwrap_or_default();
            for (low, impact) in self.lows[range.clone()].iter().zip(&self.impacts[range]) {
                if let Some(sum) = of_run.get_mut(usize::from(*low)) {
                    *sum += impact;
                }
            }
            start = *end as usize;
        }
    }

    fn size(&self) -> usize {
        8 * self.runs.len() + 6 * self.lows.len()
    }
}

#[inline]
fn weighted(tf: &[u8; FIELDS], norm: &Norm) -> f32 {
    let mut sum = 0.0;
    for f in 0..FIELDS {
        sum += f32::from(tf[f]) * norm[f];
    }
    sum
}

/// Weighted frequencies by number, of which few are not zero.
struct Tally {
    sums: Vec<f32>,
    held: Vec<u32>,
}

impl Tally {
    fn new(sums: Vec<f32>) -> Self {
        Self {
            sums,
            held: Vec::new(),
        }
    }

    #[inline]
    fn add(&mut self, at: u32, weight: f32) {
        let sum = &mut self.sums[at as usize];
        if *sum == 0.0 {
            self.held.push(at);
        }
        *sum += weight;
    }

    /// The saturated sums, times the weight that the stem has among `all`. The sums are 0 after it.
    fn impacts(&mut self, all: u64) -> List {
        // Forms and segments follow one another, so that most of it is in order already.
        if !self.held.is_sorted() {
            self.held.sort();
        }
        let idf = idf(self.held.len() as u64, all) as f32;
        let saturated = |sum: f32| sum * (K1 + 1.0) / (K1 + sum);
        let impact = |at: &u32| {
            let sum = std::mem::take(&mut self.sums[*at as usize]);
            (*at, idf * saturated(sum))
        };
        List::of(self.held.len(), self.held.iter().map(impact))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_list_adds_what_was_put_in(
            numbers in proptest::collection::btree_map(0..200_000u32, 0.1..9.0f32, 0..400),
        ) {
            let list = List::of(numbers.len(), numbers.iter().map(|(at, impact)| (*at, *impact)));
            let mut sums = vec![1.0; 200_000];
            list.add_to(&mut sums);
            prop_assert_eq!(list.count(), numbers.len());
            for (at, sum) in (0u32..).zip(&sums) {
                prop_assert_eq!(*sum, 1.0 + numbers.get(&at).copied().unwrap_or(0.0));
            }
        }
    }

    #[test]
    fn a_tally_leaves_nothing_behind() {
        let mut tally = Tally::new(vec![0.0; 9]);
        for (at, weight) in [(7, 1.0), (2, 0.5), (7, 2.0)] {
            tally.add(at, weight);
        }
        let list = tally.impacts(9);
        assert_eq!((list.lows, tally.sums), (vec![2, 7], vec![0.0; 9]));
        assert!(list.impacts[1] > list.impacts[0]);
    }
}
