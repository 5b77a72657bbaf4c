//! Byte strings of any length, found by ordinal through one stored offset for every few.

use super::column::Column;
use super::container::Walk;
use super::error::Error;
use super::format::LIST_STRIDE;
use super::varint::{Cursor, put};
use std::ops::Range;

/// Where lists lie in their segment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    offsets: Column,
    data: Range<usize>,
    count: u32,
}

/// Takes lists one by one, in order.
#[derive(Default)]
pub(crate) struct ListsWriter {
    data: Vec<u8>,
    offsets: Vec<u64>,
    count: usize,
}

impl ListsWriter {
    /// Appends a list.
    pub(crate) fn push(&mut self, list: &[u8]) {
        if self.count.is_multiple_of(LIST_STRIDE) {
            self.offsets.push(self.data.len() as u64);
        }
        self.count += 1;
        put(&mut self.data, list.len() as u64);
        self.data.extend_from_slice(list);
    }

    /// Appends everything to `out`.
    pub(crate) fn finish(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.data.len() as u32).to_le_bytes());
        Column::write(out, self.offsets.iter().copied());
        out.extend_from_slice(&self.data);
    }
}

impl Lists {
    /// Locates `count` lists.
    pub(crate) fn parse(walk: &mut Walk<'_>, count: u32) -> Result<Self, Error> {
        let len = walk.u32()?;
        let offsets = Column::parse(walk, (count as usize).div_ceil(LIST_STRIDE))?;
        Ok(Self {
            offsets,
            data: walk.skip(len as usize)?,
            count,
        })
    }

    /// Returns list `i`; an empty one when there is none.
    pub(crate) fn get<'a>(&self, bytes: &'a [u8], i: u32) -> Cursor<'a> {
        if i >= self.count {
            return Cursor::default();
        }
        let mut cursor = self.all_from(bytes, i as usize / LIST_STRIDE);
        for _ in 0..i as usize % LIST_STRIDE {
            if cursor.bytes().is_none() {
                return Cursor::default();
            }
        }
        Cursor::new(cursor.bytes().unwrap_or_default())
    }

    /// Iterates over all lists in order.
    pub(crate) fn iter<'a>(&self, bytes: &'a [u8]) -> impl Iterator<Item = Cursor<'a>> + use<'a> {
        let mut cursor = self.all_from(bytes, 0);
        (0..self.count).map_while(move |_| cursor.bytes().map(Cursor::new))
    }

    fn all_from<'a>(&self, bytes: &'a [u8], sample: usize) -> Cursor<'a> {
        let data = bytes.get(self.data.clone()).unwrap_or_default();
        Cursor::new(
            data.get(self.offsets.get32(bytes, sample) as usize..)
                .unwrap_or_default(),
        )
    }
}

/// Appends rising numbers as differences: the first as it is, then one less than each difference.
pub(crate) fn put_rising(out: &mut Vec<u8>, values: impl Iterator<Item = u32>) {
    let mut next = 0;
    for value in values {
        put(out, u64::from(value) - next);
        next = u64::from(value) + 1;
    }
}

/// Reads what [`put_rising`] wrote, as far as it is below `bound`.
pub(crate) fn rising(mut cursor: Cursor<'_>, bound: u32) -> impl Iterator<Item = u32> {
    let mut next = 0u32;
    std::iter::from_fn(move || {
        let value = next.checked_add(cursor.u32()?)?;
        if value >= bound {
            cursor = Cursor::default();
            return None;
        }
        next = value + 1;
        Some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::super::arbitrary::cases;
    use super::*;
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(cases(256))]

        #[test]
        fn lists_are_found_by_ordinal(lists in vec(vec(any::<u8>(), 0..300), 0..40)) {
            let mut writer = ListsWriter::default();
            lists.iter().for_each(|list| writer.push(list));
            let mut out = Vec::new();
            writer.finish(&mut out);
            let mut walk = Walk::new(&out, 0..out.len());
            let found = Lists::parse(&mut walk, lists.len() as u32).unwrap();
            walk.finish().unwrap();
            for (i, list) in lists.iter().enumerate() {
                let mut cursor = found.get(&out, i as u32);
                prop_assert_eq!(cursor.take(cursor.len()), Some(list.as_slice()));
            }
            prop_assert!(found.get(&out, lists.len() as u32).is_empty());
            prop_assert_eq!(found.iter(&out).count(), lists.len());
        }

        #[test]
        fn rising_numbers_survive(values in btree_set(any::<u32>(), 0..50), bound: u32) {
            let mut out = Vec::new();
            put_rising(&mut out, values.iter().copied());
            let read: Vec<u32> = rising(Cursor::new(&out), bound).collect();
            let wanted: Vec<u32> = values.into_iter().filter(|value| *value < bound).collect();
            prop_assert_eq!(read, wanted);
        }
    }
}
