//! A static embedding: one row of integers a term, read in place from the file that
//! `benchmark/model/README.md` specifies.
//!
//! Guarantee: after [`StaticModel::open`] no accessor fails or panics, whatever the bytes. Sums are of
//! integers, so a text has the same vector on every machine.

use super::Error;
use super::model::{Model, ModelId};
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::LazyLock;

/// What a file begins with; the last byte is the version of the format.
const MAGIC: [u8; 8] = *b"gsvstat\x01";
/// Bytes before the offsets of blocks.
const HEADER_BYTES: usize = 24;
/// Terms that are found by one search step.
const TERMS_PER_BLOCK: usize = 16;
/// Most dimensions. Self-products of vectors then fit in 32 bits.
const MAX_DIMS: u32 = 4096;
/// Weight of a term that a text has n times, from n = 1; the last is that of all greater n. These are
/// 64 (1 + ln n), rounded: a logarithm is not the same everywhere, a table is.
const TIMES: [i32; 16] = [
    64, 108, 134, 153, 167, 179, 189, 197, 205, 211, 217, 223, 228, 233, 237, 241,
];

/// The model that comes with the program.
static EMBEDDED: LazyLock<StaticModel<'static>> = LazyLock::new(|| {
    let model = Model {
        id: ModelId::new("static-v1").expect("a test makes it"),
        fingerprint: EMBEDDED_FINGERPRINT,
        dims: 0,
    };
    StaticModel::open(model, include_bytes!("static-v1.bin")).expect("a test opens it")
});

/// XXH3-64 of the embedded file, so that six megabytes need not be read to know it.
const EMBEDDED_FINGERPRINT: u64 = 0x7f2d_1796_4dfa_73e6;

/// Returns the model that comes with the program.
pub fn embedded() -> &'static StaticModel<'static> {
    &EMBEDDED
}

/// An opened model.
#[derive(Clone, Debug)]
pub struct StaticModel<'a> {
    model: Model,
    bytes: &'a [u8],
    /// Number of terms it knows.
    pub(crate) terms: u32,
    blocks: Range<usize>,
    names: Range<usize>,
    scales: Range<usize>,
    rows: Range<usize>,
}

impl<'a> StaticModel<'a> {
    /// Opens a model after a check of the extent of every part. The dimensions are the file's. Fails
    /// when the bytes are no model of this version, or their parts do not fill them.
    pub fn open(mut model: Model, bytes: &'a [u8]) -> Result<Self, Error> {
        let head = bytes.get(..HEADER_BYTES);
        let head = head.filter(|head| head.starts_with(&MAGIC));
        let head = head.ok_or(Error::Magic("a static model"))?;
        let [dims, terms, blocks, names] =
            [8, 12, 16, 20].map(|at| u32_at(head, at).unwrap_or_default());
        if dims == 0 || dims > MAX_DIMS {
            return Err(Error::TooLarge {
                what: "dimensions of a model",
                found: dims.into(),
                limit: MAX_DIMS.into(),
            });
        }
        if blocks as usize != (terms as usize).div_ceil(TERMS_PER_BLOCK) {
            return Err(Error::Damaged("number of blocks"));
        }
        let lengths = [
            4 * u64::from(blocks),
            u64::from(names),
            2 * u64::from(terms),
            u64::from(dims) * u64::from(terms),
        ];
        let (expected, actual) = (
            HEADER_BYTES as u64 + lengths.iter().sum::<u64>(),
            bytes.len() as u64,
        );
        if expected != actual {
            return Err(Error::Length { expected, actual });
        }
        let mut end = HEADER_BYTES;
        // They fit, since their sum is the length of a slice.
        let [blocks, names, scales, rows] = lengths.map(|length| {
            let start = end;
            end += length as usize;
            start..end
        });
        model.dims = dims;
        Ok(Self {
            model,
            bytes,
            terms,
            blocks,
            names,
            scales,
            rows,
        })
    }

    /// What names it.
    pub fn model(&self) -> &Model {
        &self.model
    }

    fn part(&self, part: &Range<usize>) -> &'a [u8] {
        self.bytes.get(part.clone()).unwrap_or_default()
    }

    /// Walks over all terms in the order of their bytes.
    pub fn terms(&self) -> Terms<'a> {
        Terms {
            rest: self.part(&self.names),
            term: Vec::new(),
            next: 0,
            end: self.terms,
        }
    }

    /// Walks over the terms of one block.
    fn block(&self, block: usize) -> Terms<'a> {
        let start = u32_at(self.part(&self.blocks), 4 * block).unwrap_or(u32::MAX);
        let first = block.saturating_mul(TERMS_PER_BLOCK);
        let end = first
            .saturating_add(TERMS_PER_BLOCK)
            .min(self.terms as usize);
        Terms {
            rest: self
                .part(&self.names)
                .get(start as usize..)
                .unwrap_or_default(),
            term: Vec::new(),
            next: first.min(end) as u32,
            end: end as u32,
        }
    }

    /// Returns the row of a term; `None` when the model does not know it.
    pub fn find(&self, term: &[u8]) -> Option<u32> {
        let (mut low, mut high) = (0, self.blocks.len() / 4);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.block(middle).advance() {
                Some((_, first)) if first <= term => low = middle + 1,
                _ => high = middle,
            }
        }
        let mut block = self.block(low.checked_sub(1)?);
        while let Some((row, at)) = block.advance() {
            match at.cmp(term) {
                Ordering::Less => {}
                Ordering::Equal => return Some(row),
                Ordering::Greater => return None,
            }
        }
        None
    }

    /// The factor of a row, and the row, as bytes that each are an `i8`; nothing for a row that is not there.
    fn row(&self, row: u32) -> (i32, &'a [u8]) {
        let (at, dims) = (row as usize, self.model.dims as usize);
        let scale = self.part(&self.scales).get(2 * at..2 * at + 2);
        let scale = scale.map_or(0, |b| i32::from(u16::from_le_bytes([b[0], b[1]])));
        let row = self.part(&self.rows).get(at * dims..(at + 1) * dims);
        (scale, row.unwrap_or_default())
    }

    /// Returns the vector of a text that has terms of these rows so many times each, and its product
    /// with itself; `None` when nothing is left of it.
    pub fn vector(&self, counts: impl IntoIterator<Item = (u32, u32)>) -> Option<(Vec<i8>, u32)> {
        let mut sum = Sum::new(self);
        let mut vector = vec![0; self.model.dims as usize];
        counts.into_iter().for_each(|(row, n)| sum.add(row, n));
        let product = sum.finish(&mut vector);
        let vector = vector.iter().map(|b| b.cast_signed()).collect();
        (product > 0).then_some((vector, product))
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*four))
}

/// A walk over terms in order.
pub struct Terms<'a> {
    rest: &'a [u8],
    term: Vec<u8>,
    next: u32,
    end: u32,
}

impl Terms<'_> {
    /// Steps to the next term and returns its row and bytes; `None` at the end, or where the bytes go wrong.
    pub fn advance(&mut self) -> Option<(u32, &[u8])> {
        let [shared, length, rest @ ..] = self.rest else {
            return None;
        };
        let (suffix, rest) = rest.split_at_checked(usize::from(*length))?;
        if self.next >= self.end || usize::from(*shared) > self.term.len() {
            self.rest = &[];
            return None;
        }
        self.term.truncate(usize::from(*shared));
        self.term.extend_from_slice(suffix);
        self.rest = rest;
        self.next += 1;
        Some((self.next - 1, &self.term))
    }
}

/// The sum of the rows of a text under construction. It may be used for one text after the other.
pub struct Sum<'m> {
    model: &'m StaticModel<'m>,
    /// What was added since `left` was last full.
    narrow: Vec<i32>,
    wide: Vec<i64>,
    /// By how much `narrow` can grow without a thought of overflow.
    left: i32,
}

impl<'m> Sum<'m> {
    /// An empty sum.
    pub fn new(model: &'m StaticModel<'m>) -> Self {
        let dims = model.model.dims as usize;
        Self {
            model,
            narrow: vec![0; dims],
            wide: vec![0; dims],
            left: i32::MAX,
        }
    }

    /// Adds a term that the text has `n` times.
    pub fn add(&mut self, row: u32, n: u32) {
        let Some(last) = n.checked_sub(1) else {
            return;
        };
        let (scale, row) = self.model.row(row);
        let factor = TIMES[(last as usize).min(TIMES.len() - 1)] * scale;
        // At most 241 * 65,535 * 128, which is below 2^31.
        let most = factor * 128;
        if most > self.left {
            self.widen();
        }
        self.left -= most;
        add_row(&mut self.narrow, factor, row);
    }

    fn widen(&mut self) {
        for (wide, narrow) in self.wide.iter_mut().zip(&mut self.narrow) {
            *wide += i64::from(std::mem::take(narrow));
        }
        self.left = i32::MAX;
    }

    /// Writes the vector, each byte an `i8`, returns its product with itself, and begins anew. The
    /// product is 0 when the text has no vector.
    pub fn finish(&mut self, vector: &mut [u8]) -> u32 {
        self.widen();
        let peak = self.wide.iter().map(|total| total.unsigned_abs()).max();
        let peak = peak.unwrap_or(0).max(1);
        let mut product = 0;
        for (out, total) in vector.iter_mut().zip(&mut self.wide) {
            // To the nearest, halves away from zero; at most 127. A sum is below 2^31 a term, so
            // nothing saturates below a million terms.
            let size = total.unsigned_abs().saturating_mul(254);
            let size = (size.saturating_add(peak) / peak.saturating_mul(2)) as i32;
            let component = if *total < 0 { -size } else { size };
            product += (size * size) as u32;
            *out = (component as i8).cast_unsigned();
            *total = 0;
        }
        product
    }
}

/// Adds a row times a factor.
#[multiversion::multiversion(targets("x86_64+avx2", "x86_64+sse4.1"))]
fn add_row(sum: &mut [i32], factor: i32, row: &[u8]) {
    for (sum, component) in sum.iter_mut().zip(row) {
        *sum += factor * i32::from(component.cast_signed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::terms::{for_each_term, for_each_word};
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use xxhash_rust::xxh3::xxh3_64;

    const BYTES: &[u8] = include_bytes!("static-v1.bin");

    fn vector(text: &str) -> Option<(Vec<i8>, u32)> {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        for_each_word(text.as_bytes(), |word, _| {
            for_each_term(word, |term| {
                if let Some(row) = embedded().find(term) {
                    *counts.entry(row).or_default() += 1;
                }
            });
        });
        embedded().vector(counts)
    }

    #[test]
    fn vectors_are_those_of_the_reference() {
        let references: [(&str, [i8; 8], u32); 3] = [
            (
                "parse a configuration file",
                [58, 16, 23, -127, 47, -17, -18, 117],
                518_464,
            ),
            (
                "fn open_database(path: &Path) -> Result<Database>",
                [7, 24, -10, -127, 19, -24, -1, 68],
                249_232,
            ),
            (
                "retry retry retry request",
                [-31, -23, 37, -56, -43, 113, 127, 9],
                405_344,
            ),
        ];
        for (text, first, product) in references {
            let (vector, found) = vector(text).unwrap();
            assert_eq!((&vector[..8], found), (&first[..], product), "{text}");
            let sum: i32 = vector.iter().map(|c| i32::from(*c) * i32::from(*c)).sum();
            assert_eq!(sum as u32, product);
        }
    }

    #[test]
    fn the_embedded_model_is_what_it_is_called() {
        assert_eq!(xxh3_64(BYTES), EMBEDDED_FINGERPRINT);
        assert_eq!(embedded().model().dims, 256);
        assert_eq!(embedded().model().id.as_str(), "static-v1");
    }

    #[test]
    fn terms_are_in_order_and_found() {
        let model = embedded();
        let (mut terms, mut last, mut count) = (model.terms(), Vec::new(), 0);
        while let Some((row, term)) = terms.advance() {
            assert!(row == 0 || term > &last[..]);
            assert_eq!(model.find(term), Some(row));
            last = term.to_vec();
            count += 1;
            assert!(model.row(row).0 >= 1);
            assert!(model.row(row).1.iter().all(|c| c.cast_signed() > i8::MIN));
        }
        assert_eq!(count, model.terms);
        for unknown in [&b""[..], b"\0", b"zzzzzzzz", b"\xff\xff", b"parsee"] {
            assert_eq!(model.find(unknown), None);
        }
        assert_eq!(model.row(count).1, b"");
    }

    #[test]
    fn a_text_of_unknown_terms_has_no_vector() {
        assert_eq!(vector("zzqxv"), None);
        assert_eq!(vector(""), None);
        assert_eq!(embedded().vector([(u32::MAX, 1), (0, 0)]), None);
    }

    #[test]
    fn sums_do_not_overflow() {
        // Each adds up to 2^31: 40 of them only fit in the wide sum.
        let loudest = (0..embedded().terms)
            .max_by_key(|row| embedded().row(*row).0)
            .unwrap();
        let many = embedded().vector(std::iter::repeat_n((loudest, 100), 40));
        assert_eq!(many, embedded().vector([(loudest, 100)]));
    }

    /// A small model: three terms, two dimensions.
    fn small() -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for n in [2u32, 3, 1, 12, 0] {
            bytes.extend(n.to_le_bytes());
        }
        bytes.extend(b"\0\x02ab\x01\x01c\x00\x01d\0\0");
        bytes.extend([1, 0, 2, 0, 3, 0]);
        bytes.extend([1, 2, 3, 4, 5, 0xff]);
        bytes
    }

    fn open(bytes: &[u8]) -> Result<StaticModel<'_>, Error> {
        let model = Model {
            id: ModelId::new("m").unwrap(),
            fingerprint: 0,
            dims: 0,
        };
        StaticModel::open(model, bytes)
    }

    proptest! {
        #[test]
        fn hostile_bytes_do_no_harm(
            changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
            probe in proptest::collection::vec(any::<u8>(), 0..4),
        ) {
            let mut bytes = small();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Ok(model) = open(&bytes) {
                let (mut terms, mut count) = (model.terms(), 0);
                while terms.advance().is_some() {
                    count += 1;
                }
                prop_assert!(count <= model.terms);
                let _ = model.find(&probe);
                let all = (0..10).chain([u32::MAX]).map(|row| (row, row));
                if let Some((vector, product)) = model.vector(all) {
                    prop_assert_eq!(vector.len(), model.model().dims as usize);
                    prop_assert!(product > 0);
                }
            }
        }
    }

    #[test]
    fn a_small_model_is_read() {
        let bytes = small();
        let model = open(&bytes).unwrap();
        assert_eq!(model.find(b"ac"), Some(1));
        assert_eq!(model.find(b"d"), Some(2));
        assert_eq!(model.row(2), (3, &[5, 0xff][..]));
        for length in 0..bytes.len() {
            assert!(open(&bytes[..length]).is_err(), "{length}");
        }
    }
}
