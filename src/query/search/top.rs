//! The best chunks of the text channel, without looking at most of them.
//!
//! A chunk's score is its sum and that of its document, each as a share of the most there is. Of a block of chunks
//! the greatest sum is known from one pass that does nothing else, and the greatest sum of the documents they
//! are of; their shares added up bound every score in the block, in the same arithmetic: division and addition
//! round in order. Blocks are looked into from the highest bound on, until none can hold one of the best.
//!
//! Guarantee: the answer is that of looking at every chunk (a property test compares them).
//!
//! Ding, Suel: Faster top-k document retrieval using block-max indexes (SIGIR 2011).

use super::facets::Bits;
use super::norms::BLOCK;
use std::ops::Range;

/// What is added up for a question.
pub struct Sums<'a> {
    /// By the number of a chunk; 0 for one without any term.
    pub chunks: &'a [f32],
    /// By the number of a document; 0 for one without any term.
    pub documents: &'a [f32],
}

/// How chunks and documents hang together.
pub trait Layout {
    /// The document of a chunk.
    fn doc_of(&self, chunk: u32) -> Option<u32>;
    /// A range that holds the documents of a block's chunks.
    fn docs_of_block(&self, block: usize) -> Range<u32>;
}

/// The best chunks.
pub struct Best {
    /// With their scores, in no particular order; those that tie with the last are among them.
    pub chunks: Vec<(u32, f32)>,
    /// Chunks that pass and hold a term.
    pub matching: usize,
    /// Chunks whose scores were worked out.
    pub scored: usize,
}

/// Finds the best `count` of the chunks that pass.
pub fn best(sums: &Sums<'_>, layout: &impl Layout, passing: Option<&Bits>, count: usize) -> Best {
    let of_document = |chunk: u32| {
        let doc = layout.doc_of(chunk);
        let sum = doc.and_then(|doc| sums.documents.get(doc as usize));
        sum.copied().unwrap_or(0.0)
    };
    let (mut most, mut matching) = (f32::MIN_POSITIVE, 0);
    let mut most_of_document = f32::MIN_POSITIVE;
    let mut greatest: Vec<f32> = Vec::with_capacity(sums.chunks.len().div_ceil(BLOCK));
    for (block, of_block) in sums.chunks.chunks(BLOCK).enumerate() {
        let (held, best) = match passing {
            None => held_and_greatest(of_block),
            Some(passing) => {
                let (mut held, mut best) = (0, 0.0);
                for chunk in passing_in(passing, block, of_block) {
                    held += 1;
                    best = f32::max(best, of_block[chunk as usize % BLOCK]);
                    most_of_document = most_of_document.max(of_document(chunk));
                }
                (held, best)
            }
        };
        matching += held;
        most = most.max(best);
        greatest.push(best);
    }
    if passing.is_none() {
        // A document holds a term when one of its chunks does.
        most_of_document = most_of_document.max(held_and_greatest(sums.documents).1);
    }
    let score = |sum: f32, of_document: f32| sum / most + of_document / most_of_document;
    let bound = |block: usize| {
        let docs = layout.docs_of_block(block);
        let docs = sums.documents.get(docs.start as usize..docs.end as usize);
        score(
            greatest[block],
            held_and_greatest(docs.unwrap_or_default()).1,
        )
    };
    let blocks = (0..greatest.len()).filter(|block| greatest[*block] > 0.0);
    let mut blocks: Vec<(f32, usize)> = blocks.map(|block| (bound(block), block)).collect();
    blocks.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut found = Found::new(count);
    let mut scored = 0;
    for (bound, block) in blocks {
        if bound < found.least {
            break;
        }
        let start = block * BLOCK;
        let of_block = &sums.chunks[start..sums.chunks.len().min(start + BLOCK)];
        let mut offer = |chunk: u32| {
            let sum = of_block[chunk as usize % BLOCK];
            found.offer(chunk, score(sum, of_document(chunk)));
            scored += 1;
        };
        match passing {
            Some(passing) => passing_in(passing, block, of_block).for_each(&mut offer),
            None => {
                let held = of_block.iter().zip(start as u32..);
                held.filter(|(sum, _)| **sum > 0.0)
                    .for_each(|(_, chunk)| offer(chunk));
            }
        }
    }
    Best {
        chunks: found.finish(),
        matching,
        scored,
    }
}

/// How many sums are not 0, and the greatest. Those of numbers that are not negative are in the order of their bits,
/// which processors compare many at a time.
fn held_and_greatest(sums: &[f32]) -> (usize, f32) {
    let (mut held, mut greatest) = (0u32, 0u32);
    for sum in sums {
        let bits = sum.to_bits();
        held += u32::from(bits > 0);
        greatest = greatest.max(bits);
    }
    (held as usize, f32::from_bits(greatest))
}

/// The chunks of a block that pass and hold a term.
fn passing_in<'a>(
    passing: &'a Bits,
    block: usize,
    sums: &'a [f32],
) -> impl Iterator<Item = u32> + 'a {
    const WORDS: usize = BLOCK / 64;
    (0..WORDS).flat_map(move |at| {
        let mut word = passing.word(block * WORDS + at);
        std::iter::from_fn(move || {
            while word != 0 {
                let own = at * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                if sums.get(own).is_some_and(|sum| *sum > 0.0) {
                    return Some((block * BLOCK + own) as u32);
                }
            }
            None
        })
    })
}

/// The best of what was offered.
struct Found {
    count: usize,
    /// What is less is not among the best.
    least: f32,
    kept: Vec<(u32, f32)>,
}

impl Found {
    fn new(count: usize) -> Self {
        Self {
            count,
            least: 0.0,
            kept: Vec::with_capacity(2 * count),
        }
    }

    fn offer(&mut self, chunk: u32, score: f32) {
        if score >= self.least {
            self.kept.push((chunk, score));
            if self.kept.len() >= 2 * self.count.max(64) {
                self.cut();
            }
        }
    }

    /// Drops what is not among the best, but for what ties with the last of them.
    fn cut(&mut self) {
        if self.count > 0 && self.kept.len() > self.count {
            let at = self.count - 1;
            let (_, (_, least), _) = self
                .kept
                .select_nth_unstable_by(at, |a, b| b.1.total_cmp(&a.1));
            self.least = *least;
            let least = self.least;
            self.kept.retain(|(_, score)| *score >= least);
        }
    }

    fn finish(mut self) -> Vec<(u32, f32)> {
        self.cut();
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Documents of a few chunks each, one after the other.
    struct Made(Vec<u32>);

    impl Layout for Made {
        fn doc_of(&self, chunk: u32) -> Option<u32> {
            self.0.get(chunk as usize).copied()
        }

        fn docs_of_block(&self, block: usize) -> Range<u32> {
            let of = &self.0[block * BLOCK..self.0.len().min((block + 1) * BLOCK)];
            of[0]..of[of.len() - 1] + 1
        }
    }

    /// Every chunk is looked at.
    fn exhaustive(
        sums: &Sums<'_>,
        layout: &Made,
        passing: Option<&Bits>,
        count: usize,
    ) -> (Vec<(u32, u32)>, usize) {
        let passes = |chunk: &u32| {
            sums.chunks[*chunk as usize] > 0.0 && passing.is_none_or(|bits| bits.has(*chunk))
        };
        let all: Vec<u32> = (0..sums.chunks.len() as u32).filter(passes).collect();
        let doc = |chunk: u32| sums.documents[layout.0[chunk as usize] as usize];
        let (mut most, mut most_of_document) = (f32::MIN_POSITIVE, f32::MIN_POSITIVE);
        for chunk in &all {
            most = most.max(sums.chunks[*chunk as usize]);
            most_of_document = most_of_document.max(doc(*chunk));
        }
        let score = |chunk: u32| sums.chunks[chunk as usize] / most + doc(chunk) / most_of_document;
        let mut best: Vec<(u32, f32)> = all.iter().map(|chunk| (*chunk, score(*chunk))).collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1));
        if let Some((_, least)) = best.get(count.saturating_sub(1)).copied()
            && count > 0
        {
            best.retain(|(_, score)| *score >= least);
        }
        let mut best: Vec<(u32, u32)> = best.iter().map(|(c, s)| (*c, s.to_bits())).collect();
        best.sort_unstable();
        (best, all.len())
    }

    proptest! {
        #[test]
        fn pruned_is_exhaustive(
            // Few different sums, so that many tie.
            made in proptest::collection::vec((0..12u8, any::<u8>()), 1..3000),
            step in 1..9usize,
            filtered in any::<bool>(),
            count in 0..300usize,
        ) {
            let sum = |byte: u8, at: usize| match byte % 3 {
                0 => 0.0,
                _ => f32::from(byte) * 0.37 + (at % 7) as f32 * 0.11,
            };
            let chunks: Vec<f32> = made.iter().enumerate().map(|(at, (a, _))| sum(*a, at)).collect();
            let layout = Made((0..chunks.len()).map(|at| (at / step) as u32).collect());
            let mut documents = vec![0.0f32; chunks.len() / step + 1];
            for (sum, doc) in chunks.iter().zip(&layout.0) {
                documents[*doc as usize] += sum * 0.61;
            }
            let bits = Bits::of(
                made.iter().zip(0u32..).filter(|((_, b), _)| b % 3 > 0).map(|(_, at)| at),
                chunks.len(),
            );
            let passing = filtered.then_some(&bits);
            let sums = Sums { chunks: &chunks, documents: &documents };
            let found = best(&sums, &layout, passing, count);
            let mut same: Vec<(u32, u32)> =
                found.chunks.iter().map(|(c, s)| (*c, s.to_bits())).collect();
            same.sort_unstable();
            prop_assert_eq!((same, found.matching), exhaustive(&sums, &layout, passing, count));
        }
    }

    #[test]
    fn blocks_that_cannot_hold_one_of_the_best_are_passed_over() {
        let chunks: Vec<f32> = (0..100 * BLOCK).map(|at| 1.0 + at as f32).collect();
        let documents: Vec<f32> = chunks.clone();
        let layout = Made((0..chunks.len() as u32).collect());
        let sums = Sums {
            chunks: &chunks,
            documents: &documents,
        };
        let found = best(&sums, &layout, None, 200);
        assert_eq!((found.matching, found.chunks.len()), (chunks.len(), 200));
        assert!(found.scored <= 2 * BLOCK, "{}", found.scored);
    }
}
