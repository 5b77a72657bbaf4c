//! A block: the vectors of one segment under one model, as bytes that are read in place.
//!
//! Row n is the vector of chunk n of the segment. Guarantees: after [`Block::open`] no accessor fails or
//! panics, whatever the bytes; equal segments and models have equal blocks.

use super::Error;
use super::model::{Model, ModelId};
use crate::limits::MAX_VECTORS_BYTES;
use crate::segment::Segment;
use ndarray::ArrayView2;
use std::ops::Range;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// What a block begins with; the last byte is the version of the format.
const MAGIC: [u8; 8] = *b"gsvvecs\x01";
/// Bytes before the products.
const HEADER_BYTES: usize = 32;
/// Bytes of the checksum at the end.
const CHECKSUM_BYTES: usize = 8;
/// Most dimensions of a vector: its product with itself, and with any other, stays below 2^29.
const MAX_DIMS: u32 = 16_384;

/// An opened block. Cloning is cheap and shares the bytes.
#[derive(Clone)]
pub struct Block {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    fingerprint: u64,
    /// Dimensions of its vectors.
    pub(crate) dims: usize,
    /// Number of rows: that of the chunks of the segment.
    pub(crate) rows: u32,
}

/// Returns the length of a block. Fails when it is over the limit.
fn length(rows: u32, dims: u32) -> Result<usize, Error> {
    let rest = u64::from(rows).saturating_mul(u64::from(dims) + 4);
    let found = rest.saturating_add((HEADER_BYTES + CHECKSUM_BYTES) as u64);
    if found > MAX_VECTORS_BYTES as u64 {
        return Err(Error::TooLarge {
            what: "bytes of vectors",
            found,
            limit: MAX_VECTORS_BYTES as u64,
        });
    }
    Ok(found as usize)
}

/// The bytes of a block under construction.
pub(super) struct Writer {
    bytes: Vec<u8>,
    dims: usize,
    rows: usize,
}

impl Writer {
    /// A block for all chunks of a segment, none of which has a vector yet. Fails when the block would
    /// be over the limit.
    pub(super) fn new(model: &Model, segment: &Segment) -> Result<Self, Error> {
        let rows = segment.chunk_count();
        let mut bytes = Vec::with_capacity(length(rows, model.dims)?);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&model.fingerprint.to_le_bytes());
        bytes.extend_from_slice(&segment.checksum().to_le_bytes());
        bytes.extend_from_slice(&model.dims.to_le_bytes());
        bytes.extend_from_slice(&rows.to_le_bytes());
        bytes.resize(bytes.capacity() - CHECKSUM_BYTES, 0);
        Ok(Self {
            bytes,
            dims: model.dims as usize,
            rows: rows as usize,
        })
    }

    /// Fills the row of a chunk with what `write` makes of it; that returns its product with itself.
    pub(super) fn row(&mut self, chunk: usize, write: impl FnOnce(&mut [u8]) -> u32) {
        let (products, rows) = parts(self.rows, self.dims);
        let at = rows.start + chunk * self.dims;
        let Some(row) = self.bytes.get_mut(at..at + self.dims) else {
            return;
        };
        let product = write(row);
        let at = products.start + 4 * chunk;
        self.bytes[at..at + 4].copy_from_slice(&product.to_le_bytes());
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        let checksum = xxh3_64(&self.bytes);
        self.bytes.extend_from_slice(&checksum.to_le_bytes());
        self.bytes
    }
}

/// The product of a vector with itself, each byte an `i8`.
pub(super) fn product(row: &[u8]) -> u32 {
    let square = |byte: &u8| u32::from(byte.cast_signed().unsigned_abs()).pow(2);
    row.iter().map(square).sum()
}

/// Where the products and the rows lie.
fn parts(rows: usize, dims: usize) -> (Range<usize>, Range<usize>) {
    let end = HEADER_BYTES + 4 * rows;
    (HEADER_BYTES..end, end..end + rows * dims)
}

impl Block {
    /// Opens the block of a segment under a model. The cost does not grow with the bytes;
    /// [`Block::verify`] is the deep check. Fails when the bytes are no block, that of something else,
    /// of another length, or over the limit.
    pub fn open(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        model: &Model,
        segment: &Segment,
    ) -> Result<Self, Error> {
        let block = Self::open_any(bytes, segment)?;
        if block.is_of(model) {
            Ok(block)
        } else {
            Err(Error::Other("model"))
        }
    }

    /// Opens the block of a segment under whatever model it says. Fails as [`Block::open`] does.
    pub fn open_any(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        segment: &Segment,
    ) -> Result<Self, Error> {
        let shared: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(bytes);
        let bytes = (*shared).as_ref();
        let rest = bytes.strip_prefix(&MAGIC);
        let head = rest.and_then(|rest| rest.first_chunk::<{ HEADER_BYTES - 8 }>());
        let (eights, fours) = head.ok_or(Error::Magic("vectors"))?.split_at(16);
        let eight = |part: &[u8]| part.try_into().map_or(0, u64::from_le_bytes);
        let four = |part: &[u8]| part.try_into().map_or(0, u32::from_le_bytes);
        let dims = four(&fours[..4]);
        if dims == 0 || dims > MAX_DIMS {
            return Err(Error::Damaged("dimensions"));
        }
        let rows = segment.chunk_count();
        if eight(&eights[8..]) != segment.checksum() || four(&fours[4..]) != rows {
            return Err(Error::Other("segment"));
        }
        let (expected, actual) = (length(rows, dims)? as u64, bytes.len() as u64);
        if expected != actual {
            return Err(Error::Length { expected, actual });
        }
        Ok(Self {
            fingerprint: eight(&eights[..8]),
            dims: dims as usize,
            rows,
            bytes: shared,
        })
    }

    /// Whether its vectors are of this model.
    pub fn is_of(&self, model: &Model) -> bool {
        self.fingerprint == model.fingerprint && self.dims == model.dims as usize
    }

    /// The model of its vectors, given what it is called.
    pub fn model(&self, id: ModelId) -> Model {
        Model {
            id,
            fingerprint: self.fingerprint,
            dims: self.dims as u32,
        }
    }

    /// Checks that no byte has changed since the block was written, and that its products are those of
    /// its vectors.
    ///
    /// That the vectors are those of the segment is known by making them again
    /// ([`embed`](super::embed::embed)), which costs little more. Fails when the checksum or a product
    /// differs.
    pub fn verify(&self) -> Result<(), Error> {
        let sound = self
            .bytes()
            .split_last_chunk::<CHECKSUM_BYTES>()
            .is_some_and(|(body, checksum)| xxh3_64(body) == u64::from_le_bytes(*checksum));
        if !sound {
            return Err(Error::Damaged("checksum of vectors"));
        }
        let mut products = (0..self.rows).zip(self.products(0..self.rows));
        if products.any(|(row, said)| said != product(self.row(row))) {
            return Err(Error::Damaged("product of a vector"));
        }
        Ok(())
    }

    /// Returns the whole block.
    pub fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// Returns a vector, each byte an `i8`; nothing when there is no such row.
    pub fn row(&self, row: u32) -> &[u8] {
        self.some_rows(row..row.saturating_add(1))
    }

    /// Returns vectors one behind the other, each byte an `i8`; nothing when they are not all there.
    pub fn some_rows(&self, range: Range<u32>) -> &[u8] {
        let (_, rows) = parts(self.rows as usize, self.dims);
        let at = |row: u32| (row as usize).saturating_mul(self.dims);
        let all = self.bytes().get(rows).unwrap_or_default();
        all.get(at(range.start)..at(range.end)).unwrap_or_default()
    }

    /// Returns vectors as the rows of a matrix, each byte an `i8`; one without rows when they are not all there.
    pub fn rows(&self, range: Range<u32>) -> ArrayView2<'_, u8> {
        let bytes = self.some_rows(range);
        let shape = (bytes.len() / self.dims.max(1), self.dims);
        let none = |_| ArrayView2::from_shape((0, self.dims), &[]).expect("nothing has any width");
        ArrayView2::from_shape(shape, bytes).unwrap_or_else(none)
    }

    /// Returns the product of each vector of a range with itself; 0 where a chunk has none.
    pub fn products(&self, range: Range<u32>) -> impl Iterator<Item = u32> {
        let (products, _) = parts(self.rows as usize, self.dims);
        let all = self.bytes().get(products).unwrap_or_default();
        let at = |row: u32| (row as usize).saturating_mul(4);
        let some = all.get(at(range.start)..at(range.end)).unwrap_or_default();
        some.chunks_exact(4)
            .map(|four| four.try_into().map_or(0, u32::from_le_bytes))
    }
}

impl AsRef<[u8]> for Block {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}

impl std::fmt::Debug for Block {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Block")
            .field("rows", &self.rows)
            .field("dims", &self.dims)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden;
    use crate::vector::embed::embed;
    use crate::vector::scan::Query;
    use crate::vector::static_model::StaticModel;
    use proptest::prelude::*;
    use std::fmt::Write as _;

    /// The model of `format-spec/vectors/static-small`: two dimensions, four terms.
    fn model_bytes() -> Vec<u8> {
        let mut bytes = b"gsvstat\x01".to_vec();
        for n in [2u32, 4, 1, 24, 0] {
            bytes.extend(n.to_le_bytes());
        }
        bytes.extend(b"\0\x01a\0\x06listen\x01\x02og\0\x06server\0");
        for scale in [3u16, 100, 7, 65_535] {
            bytes.extend(scale.to_le_bytes());
        }
        bytes.extend([1, -2, 3, 4, 5, 6, 127, -127].map(i8::cast_unsigned));
        bytes
    }

    fn model(bytes: &[u8]) -> StaticModel<'_> {
        let model = Model {
            id: ModelId::new("small").unwrap(),
            fingerprint: xxh3_64(bytes),
            dims: 0,
        };
        StaticModel::open(model, bytes).unwrap()
    }

    /// The segment of `format-spec/vectors/segment-small-sha1`.
    fn segment() -> Segment {
        Segment::open(golden::bytes("segment-small-sha1.hex")).unwrap()
    }

    #[test]
    fn a_block_is_the_golden_bytes() {
        let bytes = model_bytes();
        let model = model(&bytes);
        let block = embed(&model, &segment()).unwrap();
        block.verify().unwrap();
        let mut text = String::from("segment segment-small-sha1, model static-small\n");
        for (row, product) in (0..block.rows).zip(block.products(0..block.rows)) {
            let vector: Vec<i8> = block.row(row).iter().map(|b| b.cast_signed()).collect();
            writeln!(text, "chunk {row}: {vector:?}, product {product}").unwrap();
        }
        golden::assert_same("static-small.hex", &golden::hex(&bytes));
        golden::assert_same("vectors-small.txt", &text);
        golden::assert_same("vectors-small.hex", &golden::hex(block.bytes()));
    }

    #[test]
    fn blocks_of_something_else_are_not_opened() {
        let bytes = model_bytes();
        let small = model(&bytes);
        let segment = segment();
        let block = embed(&small, &segment).unwrap().bytes().to_vec();
        let open = |model, segment| Block::open(block.clone(), model, segment).map(|_| ());
        let other = Model {
            fingerprint: 1,
            ..small.model().clone()
        };
        assert_eq!(open(&other, &segment), Err(Error::Other("model")));
        let none = crate::segment::build(gix::hash::Kind::Sha1, Vec::new()).unwrap();
        let none = Segment::open(none).unwrap();
        assert_eq!(open(small.model(), &none), Err(Error::Other("segment")));
        for length in 0..block.len() {
            let cut = block[..length].to_vec();
            assert!(Block::open(cut, small.model(), &segment).is_err());
        }
        assert!(matches!(length(1 << 30, 256), Err(Error::TooLarge { .. })));
        let mut none = block;
        none[24..28].fill(0);
        let opened = Block::open_any(none, &segment).map(|_| ());
        assert_eq!(opened, Err(Error::Damaged("dimensions")));
    }

    #[test]
    fn a_product_that_is_not_of_its_vector_is_found() {
        let bytes = model_bytes();
        let small = model(&bytes);
        let segment = segment();
        let mut block = embed(&small, &segment).unwrap().bytes().to_vec();
        block[HEADER_BYTES] ^= 1;
        let body = block.len() - CHECKSUM_BYTES;
        let checksum = xxh3_64(&block[..body]).to_le_bytes();
        block[body..].copy_from_slice(&checksum);
        let block = Block::open_any(block, &segment).unwrap();
        assert!(block.is_of(small.model()));
        assert_eq!(block.verify(), Err(Error::Damaged("product of a vector")));
    }

    proptest! {
        #[test]
        fn hostile_bytes_do_no_harm(at in any::<prop::sample::Index>(), change in 1..=255u8) {
            let bytes = model_bytes();
            let model = model(&bytes);
            let segment = segment();
            let mut block = embed(&model, &segment).unwrap().bytes().to_vec();
            let at = at.index(block.len());
            block[at] ^= change;
            if let Ok(block) = Block::open(block, model.model(), &segment) {
                prop_assert_eq!(block.verify(), Err(Error::Damaged("checksum of vectors")));
                let query = Query::new(&[1, 2], 5);
                query.scan(&block, 0..u32::MAX, 0.0, &mut Query::room(), &mut |_, cosine| {
                    assert!(cosine > 0.0 && cosine.is_finite());
                    0.0
                });
                prop_assert!(block.row(u32::MAX).is_empty());
                prop_assert_eq!(block.rows(1..u32::MAX).dim(), (0, 2));
                prop_assert_eq!(block.rows(0..block.rows).dim(), (block.rows as usize, 2));
                prop_assert_eq!(block.products(1..u32::MAX).count(), 0);
            }
        }
    }
}
