//! The vectors of a segment, made from the terms that it has counted.
//!
//! A term of a chunk is in one field or several, and each of its places counts in one of them (see
//! `extract::chunks`), so the fields' counts add up to how often the chunk has the term. They are not
//! weighed: the model was trained on plain counts.

use super::Error;
use super::block::{Block, Writer};
use super::static_model::{StaticModel, Sum};
use crate::segment::Segment;
use std::cmp::Ordering;

/// One term of one chunk: the model's row, and how often.
#[derive(Clone, Copy, Default)]
struct Counted {
    row: u32,
    times: u16,
}

/// Makes the block of a segment.
///
/// # Errors
/// When it would be over the limit.
pub fn embed(model: &StaticModel<'_>, segment: &Segment) -> Result<Block, Error> {
    let mut block = Writer::new(model.model(), segment)?;
    let (ends, terms) = by_chunk(model, segment);
    let mut sum = Sum::new(model);
    let mut start = 0;
    for (chunk, end) in ends.into_iter().enumerate() {
        let counted = terms.get(start..end).unwrap_or_default();
        start = end;
        if !counted.is_empty() {
            for Counted { row, times } in counted {
                sum.add(*row, u32::from(*times));
            }
            block.row(chunk, |row| sum.finish(row));
        }
    }
    Block::open(block.finish(), model.model(), segment)
}

/// Turns the posting lists of the terms that the model knows around: the terms of each chunk, one
/// chunk behind the other, and where those of each end.
fn by_chunk(model: &StaticModel<'_>, segment: &Segment) -> (Vec<usize>, Vec<Counted>) {
    let mut ends = vec![0usize; segment.chunk_count() as usize];
    for_each_posting(model, segment, |chunk, _| ends[chunk] += 1);
    let mut total = 0;
    for end in &mut ends {
        // Where the next one of this chunk goes; at last, where they end.
        total += std::mem::replace(end, total);
    }
    let mut terms = vec![Counted::default(); total];
    for_each_posting(model, segment, |chunk, counted| {
        terms[ends[chunk]] = counted;
        ends[chunk] += 1;
    });
    (ends, terms)
}

/// Calls `f` with the chunk and count of every posting of a term that the model knows, term by term.
/// Both lists of terms are in order, so they are walked side by side.
fn for_each_posting(model: &StaticModel<'_>, segment: &Segment, mut f: impl FnMut(usize, Counted)) {
    let (mut known, mut terms) = (model.terms(), segment.all_terms());
    let mut lists = segment.all_postings();
    let Some((mut row, mut name)) = known.advance() else {
        return;
    };
    while let (Some((_, term)), Some(list)) = (terms.advance(), lists.next()) {
        while name < term {
            match known.advance() {
                Some(next) => (row, name) = next,
                None => return,
            }
        }
        if name.cmp(term) == Ordering::Equal {
            for posting in list {
                let times = posting.tf.iter().map(|count| u16::from(*count)).sum();
                f(posting.chunk.index(), Counted { row, times });
            }
        }
    }
}
