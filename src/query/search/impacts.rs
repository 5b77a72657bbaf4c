//! What one stem adds to the score of every chunk and document of a view.
//!
//! The impact of a stem on a chunk does not depend on the rest of a question, so it is worked out once
//! and kept: adding up a list of impacts costs a twentieth of reading the postings.
//!
//! Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields (CIKM 2004); impacts
//! as in Anh, Moffat: Pruned query evaluation using pre-computed impacts (SIGIR 2006).

use super::memo::Memo;
use super::norms::{Norm, Norms};
use super::text::{K1, idf};
use crate::extract::record::FIELDS;
use crate::id::SegmentOrd;
use crate::segment::Posting;
use crate::view::live::View;
use std::sync::Arc;

/// Bytes of impacts kept for a view: the words of some hundreds of questions at 20,000 chunks.
const ROOM: usize = 24 << 20;

/// The impacts of a stem: what all its forms together add.
pub struct Impacts {
    /// By the number of a chunk.
    pub chunks: Vec<(u32, f32)>,
    /// By the number of a document.
    pub documents: Vec<(u32, f32)>,
    /// Live chunks that hold each of the forms.
    pub holding: Vec<u32>,
}

/// What the text channel keeps of a view between questions.
pub struct TextTables {
    /// Numbers and norms.
    pub(crate) norms: Norms,
    impacts: Memo<Impacts>,
}

impl TextTables {
    /// Prepares a view for questions.
    pub fn of(view: &View) -> Self {
        Self {
            norms: Norms::of(view),
            impacts: Memo::new(ROOM),
        }
    }

    /// The impacts of words that count as one; `forms` are in ascending order.
    pub fn impacts(&self, view: &View, forms: &[Vec<u8>]) -> Arc<Impacts> {
        let size = |impacts: &Impacts| {
            8 * (impacts.chunks.len() + impacts.documents.len()) + 4 * impacts.holding.len()
        };
        let key = forms.join(&0);
        self.impacts
            .get(&key, size, || Impacts::of(view, &self.norms, forms))
    }
}

impl Impacts {
    fn of(view: &View, norms: &Norms, forms: &[Vec<u8>]) -> Self {
        let mut chunks = Tally::new(norms.chunk_count());
        let mut documents = Tally::new(norms.doc_count());
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
        Self {
            chunks: chunks.impacts(view.statistics().chunks),
            documents: documents.impacts(norms.live_documents),
            holding,
        }
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
    fn new(len: usize) -> Self {
        Self {
            sums: vec![0.0; len],
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

    /// The saturated sums, times the weight that the stem has among `all`.
    fn impacts(mut self, all: u64) -> Vec<(u32, f32)> {
        self.held.sort_unstable();
        let idf = idf(self.held.len() as u64, all) as f32;
        let saturated = |sum: f32| sum * (K1 + 1.0) / (K1 + sum);
        let impact = |at: &u32| (*at, idf * saturated(self.sums[*at as usize]));
        self.held.iter().map(impact).collect()
    }
}
