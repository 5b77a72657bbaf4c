//! Vectors that are known already, from other segments with the same chunks.
//!
//! A static model's vector is a function of what a document's chunk has counted, so it is taken from the
//! same document. Of every other model it is a function of the chunk's bytes alone, so it is taken from
//! any chunk with the same content: of a file that has changed, only the chunks that changed are missing.
//!
//! Guarantees: what comes out is a function of the set of known blocks, in whatever order they are given.
//! Where two know different vectors of one content, because a model did not answer the same twice, the
//! lesser one counts, by its bytes.

use super::Error;
use super::block::{Block, Writer, product};
use super::model::{Model, ModelId};
use crate::id::ChunkId;
use crate::segment::Segment;
use rustc_hash::FxHashMap;

/// A block under construction, filled as far as vectors are known.
pub struct Draft {
    writer: Writer,
    model: Model,
    missing: Vec<ChunkId>,
    filled: usize,
}

/// Begins the block of a segment with the vectors that blocks of the same model have of its chunks.
/// Blocks of another model are passed over. Fails when the block would be over the limit.
pub fn reuse(
    model: &Model,
    segment: &Segment,
    known: &[(&Segment, &Block)],
) -> Result<Draft, Error> {
    let known: Vec<(&Segment, &Block)> = known
        .iter()
        .filter(|(_, block)| block.is_of(model))
        .copied()
        .collect();
    let mut draft = Draft {
        writer: Writer::new(model, segment)?,
        model: model.clone(),
        missing: Vec::new(),
        filled: 0,
    };
    if model.id.is_static() {
        draft.take_documents(segment, &known);
    } else {
        draft.take_contents(segment, &known);
    }
    Ok(draft)
}

/// Unites two blocks of one segment: of each chunk the vector that either has, of two the lesser one. Of
/// blocks of different models that have one name, the one with the greater fingerprint counts, then the
/// one with more dimensions. It commutes, it does not matter what is united first, and twice is as once.
pub fn join(id: &ModelId, segment: &Segment, one: &Block, two: &Block) -> Block {
    let (first, second) = (one.model(id.clone()), two.model(id.clone()));
    if first != second {
        let rank = |model: &Model| (model.fingerprint, model.dims);
        let is_first = rank(&first) > rank(&second);
        return if is_first { one.clone() } else { two.clone() };
    }
    let written = || -> Result<Block, Error> {
        let mut writer = Writer::new(&first, segment)?;
        for row in 0..one.rows {
            if let Some(vector) = lesser(vector(one, row), vector(two, row)) {
                fill(&mut writer, row as usize, vector);
            }
        }
        Block::open(writer.finish(), &first, segment)
    };
    // Both were within the limit, and what comes of them is as large.
    written().unwrap_or_else(|_| one.clone())
}

/// The vector of a row, if it has one.
fn vector(block: &Block, row: u32) -> Option<&[u8]> {
    let has_one = block.products(row..row.saturating_add(1)).next()? > 0;
    has_one.then(|| block.row(row))
}

fn lesser<'a>(one: Option<&'a [u8]>, two: Option<&'a [u8]>) -> Option<&'a [u8]> {
    match (one, two) {
        (Some(one), Some(two)) => Some(one.min(two)),
        (one, two) => one.or(two),
    }
}

fn fill(writer: &mut Writer, chunk: usize, vector: &[u8]) {
    writer.row(chunk, |row| {
        if row.len() == vector.len() {
            row.copy_from_slice(vector);
        }
        product(row)
    });
}

impl Draft {
    fn take_documents(&mut self, segment: &Segment, known: &[(&Segment, &Block)]) {
        for doc in segment.doc_ids() {
            let key = segment.row_key(doc);
            let chunks = segment.doc(doc).chunks;
            let places = chunks.start.0..chunks.end.0;
            let same = known.iter().find_map(|(of, block)| {
                let theirs = of.doc(of.find_row(&key)?).chunks;
                let is_equal = theirs.end.0 - theirs.start.0 == places.end - places.start;
                is_equal.then_some((*block, theirs.start.0))
            });
            let Some((block, start)) = same else {
                self.missing.extend(places.map(ChunkId));
                continue;
            };
            for (place, row) in places.zip(start..) {
                if let Some(vector) = vector(block, row) {
                    fill(&mut self.writer, place as usize, vector);
                }
                self.filled += 1;
            }
        }
    }

    fn take_contents(&mut self, segment: &Segment, known: &[(&Segment, &Block)]) {
        let content = |of: &Segment, chunk| of.chunk(ChunkId(chunk)).content_hash;
        let wanted = (0..segment.chunk_count()).map(|chunk| (content(segment, chunk), None));
        let mut vectors: FxHashMap<u64, Option<&[u8]>> = wanted.collect();
        for (of, block) in known {
            for row in 0..block.rows {
                if let Some(best) = vectors.get_mut(&content(of, row)) {
                    *best = lesser(*best, vector(block, row));
                }
            }
        }
        for chunk in 0..segment.chunk_count() {
            match vectors.get(&content(segment, chunk)).copied().flatten() {
                Some(vector) => {
                    fill(&mut self.writer, chunk as usize, vector);
                    self.filled += 1;
                }
                None => self.missing.push(ChunkId(chunk)),
            }
        }
    }

    /// The chunks of which no vector was known when it was begun, in order.
    pub fn missing(&self) -> &[ChunkId] {
        &self.missing
    }

    /// Number of the others.
    pub fn filled(&self) -> usize {
        self.filled
    }

    /// Writes the vector of a chunk. One of other dimensions is not taken.
    pub fn fill(&mut self, chunk: ChunkId, vector: &[i8]) {
        if vector.len() == self.model.dims as usize {
            let vector: Vec<u8> = vector.iter().map(|c| c.cast_unsigned()).collect();
            fill(&mut self.writer, chunk.index(), &vector);
        }
    }

    /// Gives the block as it is; chunks that were missing and were not filled have no vector in it.
    /// Fails when it is the block of another segment than it was begun for.
    pub fn finish(self, segment: &Segment) -> Result<Block, Error> {
        Block::open(self.writer.finish(), &self.model, segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::extract;
    use crate::extract::record::{DocKey, Grammar};
    use crate::id::BlobId;
    use crate::segment::arbitrary::{cases, docs};
    use crate::segment::build;
    use crate::vector::embed::embed;
    use crate::vector::static_model::embedded;
    use gix::hash::Kind;
    use proptest::prelude::*;

    /// A model of two dimensions that takes long.
    fn model(fingerprint: u64) -> Model {
        Model {
            id: ModelId::new("slow").unwrap(),
            fingerprint,
            dims: 2,
        }
    }

    fn segment(docs: Vec<(DocKey, crate::extract::record::DocRecord)>) -> Segment {
        Segment::open(build(Kind::Sha1, docs).unwrap()).unwrap()
    }

    fn source(n: u8, text: &str) -> (DocKey, crate::extract::record::DocRecord) {
        let key = DocKey {
            blob: BlobId::from_bytes(&[n; 20]).unwrap(),
            grammar: Grammar::Python,
        };
        (key, extract(text.as_bytes(), Grammar::Python))
    }

    /// What the slow model makes of a content.
    fn answer(content: u64) -> [i8; 2] {
        [(content % 120) as i8 + 1, (content / 120 % 120) as i8]
    }

    fn content(segment: &Segment, chunk: ChunkId) -> u64 {
        segment.chunk(chunk).content_hash
    }

    /// Completes a draft; returns the block and how many chunks were embedded.
    fn complete(mut draft: Draft, segment: &Segment) -> (Block, usize) {
        let missing = draft.missing().to_vec();
        for chunk in &missing {
            draft.fill(*chunk, &answer(content(segment, *chunk)));
        }
        (draft.finish(segment).unwrap(), missing.len())
    }

    fn functions(names: &[&str]) -> String {
        let one = |name: &&str| {
            let lines = (0..30).map(|n| format!("    {name}_{n} = {n} * {name}\n"));
            format!("def {name}({name}):\n{}\n\n", lines.collect::<String>())
        };
        names.iter().map(one).collect()
    }

    #[test]
    fn of_a_file_that_changed_only_the_new_chunks_are_missing() {
        let before = segment(vec![source(1, &functions(&["read", "write", "close"]))]);
        let (old, made) = complete(reuse(&model(7), &before, &[]).unwrap(), &before);
        assert_eq!((made, old.rows as usize >= 3), (old.rows as usize, true));
        let after = segment(vec![source(2, &functions(&["read", "flush", "close"]))]);
        let draft = reuse(&model(7), &after, &[(&before, &old)]).unwrap();
        let texts: Vec<u64> = draft
            .missing()
            .iter()
            .map(|c| content(&after, *c))
            .collect();
        assert!(!texts.is_empty() && draft.filled() >= 2);
        assert_eq!(texts.len() + draft.filled(), after.chunk_count() as usize);
        let (block, _) = complete(draft, &after);
        block.verify().unwrap();
        for chunk in (0..after.chunk_count()).map(ChunkId) {
            let found: Vec<i8> = block.row(chunk.0).iter().map(|b| b.cast_signed()).collect();
            assert_eq!(found, answer(content(&after, chunk)));
        }
        // Vectors of another model are none of this one.
        for other in [
            model(8),
            Model {
                dims: 3,
                ..model(7)
            },
        ] {
            let draft = reuse(&other, &after, &[(&before, &old)]).unwrap();
            assert_eq!(draft.filled(), 0);
        }
    }

    #[test]
    fn a_vector_of_other_dimensions_is_not_taken() {
        let segment = segment(vec![source(1, &functions(&["read"]))]);
        let mut draft = reuse(&model(7), &segment, &[]).unwrap();
        draft.fill(ChunkId(0), &[1, 2, 3]);
        draft.fill(ChunkId(9_999), &[1, 2]);
        let block = draft.finish(&segment).unwrap();
        assert!(block.products(0..block.rows).all(|product| product == 0));
    }

    /// A block with these rows, repeated; 0 is a row without a vector.
    fn block(segment: &Segment, fingerprint: u64, rows: &[i8]) -> Block {
        let mut draft = reuse(&model(fingerprint), segment, &[]).unwrap();
        for (chunk, row) in (0..segment.chunk_count()).zip(rows.iter().cycle()) {
            draft.fill(ChunkId(chunk), &[*row, *row]);
        }
        draft.finish(segment).unwrap()
    }

    proptest! {
        #![proptest_config(cases(48))]

        #[test]
        fn joining_is_a_union(
            parts in prop::collection::vec((0..2u64, prop::collection::vec(-2..3i8, 1..4)), 3),
        ) {
            let segment = segment(vec![source(1, &functions(&["read", "write", "close"]))]);
            let blocks: Vec<Block> =
                parts.iter().map(|(of, rows)| block(&segment, *of, rows)).collect();
            let id = ModelId::new("slow").unwrap();
            let join = |one: &Block, two: &Block| join(&id, &segment, one, two);
            let [a, b, c] = &blocks[..] else { unreachable!() };
            let (one, two, same) = (join(a, b), join(b, a), join(a, a));
            prop_assert_eq!(one.bytes(), two.bytes());
            prop_assert_eq!(same.bytes(), a.bytes());
            let (left, right) = (join(&join(a, b), c), join(a, &join(b, c)));
            prop_assert_eq!(left.bytes(), right.bytes());
            join(a, b).verify().unwrap();
            let count = |of: &Block| of.products(0..of.rows).filter(|p| *p > 0).count();
            if parts[0].0 == parts[1].0 {
                prop_assert!(count(&join(a, b)) >= count(a).max(count(b)));
            }
        }

        #[test]
        fn static_vectors_taken_over_are_those_made_anew(
            docs in docs(Kind::Sha1, 8),
            cut in any::<prop::sample::Index>(),
            without in any::<prop::sample::Index>(),
        ) {
            let cut = cut.index(docs.len() + 1);
            let (one, two) = (segment(docs[..cut].to_vec()), segment(docs[cut..].to_vec()));
            let blocks = [embed(embedded(), &one).unwrap(), embed(embedded(), &two).unwrap()];
            let known = [(&two, &blocks[1]), (&one, &blocks[0])];
            let whole = segment(docs.clone());
            let draft = reuse(embedded().model(), &whole, &known).unwrap();
            prop_assert!(draft.missing().is_empty());
            let made = embed(embedded(), &whole).unwrap();
            let taken = draft.finish(&whole).unwrap();
            prop_assert_eq!(taken.bytes(), made.bytes());
            // A part of it likewise; and what nobody has is missing.
            if docs.is_empty() {
                return Ok(());
            }
            let mut rest = docs.clone();
            rest.remove(without.index(docs.len()));
            let rest = segment(rest);
            let taken = reuse(embedded().model(), &rest, &[(&whole, &made)]).unwrap();
            let taken = taken.finish(&rest).unwrap();
            let again = embed(embedded(), &rest).unwrap();
            prop_assert_eq!(taken.bytes(), again.bytes());
            let less = embed(embedded(), &rest).unwrap();
            let draft = reuse(embedded().model(), &whole, &[(&rest, &less)]).unwrap();
            let lacks = whole.chunk_count() - rest.chunk_count();
            prop_assert_eq!(draft.missing().len(), lacks as usize);
        }
    }
}
