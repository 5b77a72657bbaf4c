//! The cosine of a question's vector and every row of a block.
//!
//! Products are of integers and exact. One division and one square root follow, which IEEE 754 rounds
//! the same everywhere.

use super::block::Block;
use ndarray::ArrayView2;
use std::ops::Range;

/// Rows whose products are taken at once: 256 KiB of rows, which stay in the processor's cache.
const ROWS_AT_ONCE: u32 = 1024;

/// Where products are put. A filter cuts a block into many small ranges, and to clear room for each costs more than
/// the products.
pub struct Products([i32; ROWS_AT_ONCE as usize]);

/// The vector of a question, ready to be compared.
pub struct Query {
    components: Vec<i16>,
    product: f64,
}

impl Query {
    /// Takes a vector and its product with itself, which is not 0.
    pub fn new(vector: &[i8], product: u32) -> Self {
        Self {
            components: vector.iter().map(|c| i16::from(*c)).collect(),
            product: f64::from(product),
        }
    }

    /// Room for products, for as many scans as there are.
    pub fn room() -> Products {
        Products([0; ROWS_AT_ONCE as usize])
    }

    /// Calls `f` with each row of a range that is as near as the least cosine asked for, and its cosine.
    /// `f` returns the least cosine asked for from then on. Rows without a vector are never near.
    pub fn scan(
        &self,
        block: &Block,
        range: Range<u32>,
        least: f64,
        room: &mut Products,
        f: &mut impl FnMut(u32, f64) -> f64,
    ) -> f64 {
        let mut least = least.max(0.0);
        if self.components.is_empty() || block.dims != self.components.len() {
            return least;
        }
        let Products(products) = room;
        let mut start = range.start;
        let end = range.end.min(block.rows);
        while start < end {
            let next = end.min(start.saturating_add(ROWS_AT_ONCE));
            let count = (next - start) as usize;
            dot_products(
                &self.components,
                block.rows(start..next),
                &mut products[..count],
            );
            let mut floor = self.floor(least);
            for ((row, with), own) in (start..next)
                .zip(&products[..count])
                .zip(block.products(start..next))
            {
                let (with, own) = (f64::from(*with), f64::from(own));
                if with > 0.0 && with * with > floor * own {
                    let cosine = with / (self.product * own).sqrt();
                    if own > 0.0 && cosine >= least {
                        least = f(row, cosine);
                        floor = self.floor(least);
                    }
                }
            }
            start = next;
        }
        least
    }

    /// What the square of a product over the row's own must exceed; a little less than that, so that
    /// what is left to the exact comparison is never passed over.
    fn floor(&self, least: f64) -> f64 {
        least * least * self.product * (1.0 - 1e-9)
    }
}

/// Writes the product of the query and each row.
///
/// The matrix says that there are as many bytes as rows and columns; the loop is over the bytes, by their places. Whatever is
/// called for each row or component, and were it the `next` of an iterator, must be put in line before the processor's
/// wider registers are used, which compilers do not promise: at `opt-level = 2` iterators took 270 times as long, the
/// rows of an `ArrayView2` as slices 10 times.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2", "x86_64+sse4.1"))]
fn dot_products(query: &[i16], rows: ArrayView2<'_, u8>, out: &mut [i32]) {
    let (count, dims) = rows.dim();
    let Some(bytes) = rows.to_slice().filter(|_| dims == query.len()) else {
        return;
    };
    for at in 0..count.min(out.len()) {
        let row = &bytes[at * dims..(at + 1) * dims];
        let mut sum = 0;
        for i in 0..dims {
            sum += query[i] as i32 * row[i] as i8 as i32;
        }
        out[at] = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(query: &[i16], rows: &[u8]) -> Vec<i32> {
        let dot = |row: &[u8]| {
            let pairs = query.iter().zip(row);
            pairs
                .map(|(q, c)| i32::from(*q) * i32::from(c.cast_signed()))
                .sum()
        };
        rows.chunks_exact(query.len()).map(dot).collect()
    }

    proptest! {
        #[test]
        fn products_are_exact_whatever_the_processor_can_do(
            query in proptest::collection::vec(-127..=127i16, 1..300),
            bytes in proptest::collection::vec(any::<u8>(), 0..2000),
        ) {
            let rows = bytes.len() / query.len();
            let bytes = &bytes[..rows * query.len()];
            let mut out = vec![0; rows];
            let view = ArrayView2::from_shape((rows, query.len()), bytes).unwrap();
            dot_products(&query, view, &mut out);
            prop_assert_eq!(out, plain(&query, bytes));
        }
    }

    #[test]
    fn the_largest_products_fit() {
        let mut out = [0];
        let row = [0x80; 4096];
        let row = ArrayView2::from_shape((1, 4096), &row).unwrap();
        dot_products(&[127; 4096], row, &mut out);
        assert_eq!(out, [-127 * 128 * 4096]);
    }
}
