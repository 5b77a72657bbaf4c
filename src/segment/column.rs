//! A column: numbers of one fixed width, readable in place by position.
//!
//! The width is the smallest of 0, 1, 2, 3, 4 and 8 bytes that holds the largest value, so that
//! columns of small numbers cost little and equal values give equal bytes.

use super::container::Walk;
use super::error::Error;

/// Where a column lies in its segment. Reading past its end gives zero.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Column {
    start: usize,
    width: usize,
    len: usize,
}

impl Column {
    /// Appends a column.
    pub(crate) fn write(out: &mut Vec<u8>, values: impl Iterator<Item = u64> + Clone) {
        let width = width_of(values.clone().max().unwrap_or(0));
        out.push(width as u8);
        match width {
            0 => {}
            1 => out.extend(values.map(|value| value as u8)),
            _ => values.for_each(|value| out.extend_from_slice(&value.to_le_bytes()[..width])),
        }
    }

    /// Locates a column of `len` numbers.
    pub(crate) fn parse(walk: &mut Walk<'_>, len: usize) -> Result<Self, Error> {
        let width = usize::from(walk.byte()?);
        if !matches!(width, 0..=4 | 8) {
            return Err(Error::Damaged("width of a column"));
        }
        let bytes = width
            .checked_mul(len)
            .ok_or(Error::Damaged("size of a column"))?;
        Ok(Self {
            start: walk.skip(bytes)?.start,
            width,
            len,
        })
    }

    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns value `i` of the column that lies in `bytes`.
    #[inline]
    pub(crate) fn get(&self, bytes: &[u8], i: usize) -> u64 {
        if i >= self.len {
            return 0;
        }
        let Some(at) = bytes.get(self.start + i * self.width..) else {
            return 0;
        };
        match self.width {
            1 => at.first().map_or(0, |&byte| u64::from(byte)),
            2 => at
                .first_chunk()
                .map_or(0, |&b| u64::from(u16::from_le_bytes(b))),
            3 => at
                .first_chunk()
                .map_or(0, |&[a, b, c]| u64::from(u32::from_le_bytes([a, b, c, 0]))),
            4 => at
                .first_chunk()
                .map_or(0, |&b| u64::from(u32::from_le_bytes(b))),
            8 => at.first_chunk().map_or(0, |&b| u64::from_le_bytes(b)),
            _ => 0,
        }
    }

    /// Returns value `i` as 32 bits; larger ones, which no writer makes, read as the largest.
    #[inline]
    pub(crate) fn get32(&self, bytes: &[u8], i: usize) -> u32 {
        u32::try_from(self.get(bytes, i)).unwrap_or(u32::MAX)
    }

    /// Of a column of ends, returns range `i`; empty when the ends do not rise.
    pub(crate) fn range(&self, bytes: &[u8], i: usize) -> std::ops::Range<u32> {
        let end = self.get32(bytes, i);
        let start = if i == 0 { 0 } else { self.get32(bytes, i - 1) };
        start.min(end)..end
    }
}

fn width_of(largest: u64) -> usize {
    match largest {
        0 => 0,
        1..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xff_ffff => 3,
        0x100_0000..=0xffff_ffff => 4,
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::super::arbitrary::cases;
    use super::*;
    use proptest::prelude::*;

    fn round_trip(values: &[u64]) -> (Vec<u8>, Vec<u64>) {
        let mut out = Vec::new();
        Column::write(&mut out, values.iter().copied());
        let mut walk = Walk::new(&out, 0..out.len());
        let column = Column::parse(&mut walk, values.len()).unwrap();
        walk.finish().unwrap();
        let read = (0..values.len()).map(|i| column.get(&out, i)).collect();
        assert_eq!(column.get(&out, values.len()), 0);
        (out, read)
    }

    #[test]
    fn widths_are_the_smallest_that_hold_every_value() {
        for (largest, bytes) in [
            (0, 1),
            (255, 3),
            (256, 5),
            (1 << 16, 7),
            (1 << 24, 9),
            (1 << 32, 17),
        ] {
            assert_eq!(round_trip(&[0, largest]).0.len(), bytes);
        }
    }

    #[test]
    fn other_widths_are_refused() {
        assert!(Column::parse(&mut Walk::new(&[5, 0, 0, 0, 0, 0], 0..6), 1).is_err());
        assert!(Column::parse(&mut Walk::new(&[2, 0, 0], 0..3), 2).is_err());
    }

    proptest! {
        #![proptest_config(cases(256))]

        #[test]
        fn values_survive(values in proptest::collection::vec(any::<u64>(), 0..20), shift in 0..64u32) {
            let values: Vec<u64> = values.iter().map(|value| value >> shift).collect();
            prop_assert_eq!(round_trip(&values).1, values);
        }
    }
}
