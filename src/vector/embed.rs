//! The vectors of a segment, made from the terms that it has counted.
//!
//! A term of a chunk is in one field or several, and each of its places counts in one of them (see
//! `extract::chunks`), so the fields' counts add up to how often the chunk has the term. They are not
//! weighed: the model was trained on plain counts.

use super::Error;
use super::block::{Block, Writer};
use super::static_model::{StaticModel, Sum};
use crate::id::ChunkId;
use crate::segment::Segment;
use std::cmp::Ordering;

/// One term of one chunk: the model's row, and how often.
#[derive(Clone, Copy, Default)]
struct Counted {
    row: u32,
    times: u16,
}

/// Makes the block of a segment. Fails when it would be over the limit.
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

/// Finds one of these chunks whose vector in a block is not the one that its segment calls for.
pub fn differing(
    model: &StaticModel<'_>,
    segment: &Segment,
    block: &Block,
    chunks: &[ChunkId],
) -> Option<ChunkId> {
    if chunks.is_empty() {
        return None;
    }
    let (ends, terms) = by_chunk(model, segment);
    let mut sum = Sum::new(model);
    let mut vector = vec![0; model.model().dims as usize];
    chunks.iter().copied().find(|chunk| {
        let at = chunk.index();
        let start = at
            .checked_sub(1)
            .map_or(Some(&0), |before| ends.get(before));
        let range = start.zip(ends.get(at)).map(|(start, end)| *start..*end);
        let counted = range.and_then(|range| terms.get(range));
        for Counted { row, times } in counted.unwrap_or_default() {
            sum.add(*row, u32::from(*times));
        }
        sum.finish(&mut vector);
        block.row(chunk.0) != vector
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::extract;
    use crate::extract::record::{DocKey, Grammar};
    use crate::extract::terms::{for_each_term, for_each_word};
    use crate::id::{BlobId, DocId};
    use crate::segment::arbitrary::{cases, docs};
    use crate::segment::{build, merge};
    use crate::vector::static_model::embedded;
    use gix::hash::Kind;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const SOURCE: &str = "\
/// Reads a configuration file.
/// The file may be absent.
fn read_config(path: &Path) -> Result<Config> {
    let text = std::fs::read_to_string(path)?;
    parse(&text)
}

fn zzqxv() {}
";

    #[test]
    fn a_chunk_has_the_vector_of_its_text() {
        let record = extract(SOURCE.as_bytes(), Grammar::Rust);
        let key = DocKey {
            blob: BlobId::from_bytes(&[1; 20]).unwrap(),
            grammar: Grammar::Rust,
        };
        let segment = Segment::open(build(Kind::Sha1, vec![(key, record)]).unwrap()).unwrap();
        let block = embed(embedded(), &segment).unwrap();
        assert_eq!(block.rows, segment.chunk_count());
        assert!(block.rows > 0);
        let lines: Vec<&str> = SOURCE.lines().collect();
        for chunk in 0..block.rows {
            let row = segment.chunk(ChunkId(chunk));
            let text = lines[row.start_line as usize - 1..row.end_line as usize].join("\n");
            let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
            for_each_word(text.as_bytes(), |word, _| {
                for_each_term(word, |term| {
                    if let Some(row) = embedded().find(term) {
                        *counts.entry(row).or_default() += 1;
                    }
                });
            });
            let (vector, product) = embedded().vector(counts).unwrap();
            let found: Vec<i8> = block.row(chunk).iter().map(|b| b.cast_signed()).collect();
            assert_eq!(found, vector);
            assert_eq!(block.products(chunk..chunk + 1).next(), Some(product));
        }
    }

    #[test]
    fn a_vector_that_is_not_of_its_chunk_is_found() {
        let record = extract(SOURCE.as_bytes(), Grammar::Rust);
        let key = DocKey {
            blob: BlobId::from_bytes(&[1; 20]).unwrap(),
            grammar: Grammar::Rust,
        };
        let segment = Segment::open(build(Kind::Sha1, vec![(key, record)]).unwrap()).unwrap();
        let honest = embed(embedded(), &segment).unwrap();
        let all: Vec<ChunkId> = (0..honest.rows).map(ChunkId).collect();
        assert_eq!(differing(embedded(), &segment, &honest, &all), None);
        for chunk in &all {
            let mut block = Writer::new(embedded().model(), &segment).unwrap();
            for row in &all {
                block.row(row.index(), |bytes| {
                    bytes.copy_from_slice(honest.row(row.0));
                    if row == chunk {
                        bytes[7] ^= 1;
                    }
                    crate::vector::block::product(bytes)
                });
            }
            let lie = Block::open(block.finish(), embedded().model(), &segment).unwrap();
            lie.verify().unwrap();
            assert_eq!(differing(embedded(), &segment, &lie, &all), Some(*chunk));
            assert_eq!(differing(embedded(), &segment, &lie, &[]), None);
        }
    }

    /// The vectors of each document, by its key.
    fn by_key(segment: &Segment) -> BTreeMap<DocKey, Vec<u8>> {
        let block = embed(embedded(), segment).unwrap();
        let of = |doc: DocId| {
            let chunks = segment.doc(doc).chunks;
            (
                segment.key(doc),
                block.some_rows(chunks.start.0..chunks.end.0).to_vec(),
            )
        };
        segment.doc_ids().map(of).collect()
    }

    proptest! {
        #![proptest_config(cases(64))]

        #[test]
        fn vectors_do_not_depend_on_how_documents_are_cut(
            docs in docs(Kind::Sha1, 8),
            cut in any::<prop::sample::Index>(),
        ) {
            let cut = cut.index(docs.len() + 1);
            let segment = |docs: &[_]| {
                Segment::open(build(Kind::Sha1, docs.to_vec()).unwrap()).unwrap()
            };
            let (one, two) = (segment(&docs[..cut]), segment(&docs[cut..]));
            let whole = segment(&docs);
            let merged = merge(Kind::Sha1, &[&two, &one], |_| true).unwrap();
            let merged = Segment::open(merged).unwrap();
            let mut parts = by_key(&one);
            parts.extend(by_key(&two));
            prop_assert_eq!(&by_key(&whole), &parts);
            let whole = embed(embedded(), &whole).unwrap();
            let merged = embed(embedded(), &merged).unwrap();
            prop_assert_eq!(whole.bytes(), merged.bytes());
        }
    }
}
