//! A dictionary: a sorted list of distinct byte strings, front-coded, numbered by rank.
//!
//! Keys are coded as (bytes shared with the key before, what follows), in blocks whose first key
//! shares nothing, so that a lookup is a binary search over blocks and a walk in one.
//!
//! An FST (`fst` 0.4.7) was measured beside it on the 46,869 identifiers of the Python library:
//! 275 kB against 366 kB, built in 0.8 ms against 58 ms, key by rank 59 ns against 491 ns, rank by
//! key 409 ns against 222 ns. Nor can an FST be described byte for byte without its builder's
//! cache of states, or be read from hostile bytes without panics.

use super::column::Column;
use super::container::Walk;
use super::error::Error;
use super::format::{DICT_BLOCK, MAX_KEY_BYTES};
use super::varint::{Cursor, put};
use std::ops::Range;

/// Half a byte, all ones: the rest of the number follows as a varint.
const ESCAPE: usize = 15;

/// Where a dictionary lies in its segment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dict {
    count: u32,
    blocks: Column,
    data: Range<usize>,
}

/// Appends a dictionary of `keys`, which are sorted and distinct.
pub(crate) fn write<'a>(out: &mut Vec<u8>, keys: impl ExactSizeIterator<Item = &'a [u8]>) {
    let count = keys.len();
    let mut data = Vec::with_capacity(count * 8);
    let mut blocks = Vec::with_capacity(count.div_ceil(DICT_BLOCK));
    let mut last: &[u8] = &[];
    for (i, key) in keys.enumerate() {
        if i % DICT_BLOCK == 0 {
            blocks.push(data.len() as u64);
            last = &[];
        }
        let shared = last.iter().zip(key).take_while(|(a, b)| a == b).count();
        let suffix = &key[shared..];
        data.push((shared.min(ESCAPE) << 4 | suffix.len().min(ESCAPE)) as u8);
        if shared >= ESCAPE {
            put(&mut data, (shared - ESCAPE) as u64);
        }
        if suffix.len() >= ESCAPE {
            put(&mut data, (suffix.len() - ESCAPE) as u64);
        }
        data.extend_from_slice(suffix);
        last = key;
    }
    out.extend_from_slice(&(count as u32).to_le_bytes());
    out.extend_from_slice(&(data.len() as u32).to_le_bytes());
    Column::write(out, blocks.iter().copied());
    out.extend_from_slice(&data);
}

/// Reads one entry: the number of bytes shared with the key before, and the bytes that follow.
#[inline]
fn entry<'a>(cursor: &mut Cursor<'a>) -> Option<(usize, &'a [u8])> {
    let head = usize::from(cursor.byte()?);
    let (mut shared, mut len) = (head >> 4, head & ESCAPE);
    if shared == ESCAPE {
        shared += cursor.u32()? as usize;
    }
    if len == ESCAPE {
        len += cursor.u32()? as usize;
    }
    if shared + len > MAX_KEY_BYTES {
        return None;
    }
    Some((shared, cursor.take(len)?))
}

impl Dict {
    /// Locates a dictionary.
    pub(crate) fn parse(walk: &mut Walk<'_>) -> Result<Self, Error> {
        let count = walk.u32()?;
        let len = walk.u32()?;
        // Every key takes a byte at least, which bounds the count by the bytes there are.
        if count > len {
            return Err(Error::Damaged("number of keys"));
        }
        let blocks = Column::parse(walk, (count as usize).div_ceil(DICT_BLOCK))?;
        Ok(Self {
            count,
            blocks,
            data: walk.skip(len as usize)?,
        })
    }

    /// Number of keys.
    pub(crate) fn len(&self) -> u32 {
        self.count
    }

    fn block<'a>(&self, bytes: &'a [u8], block: usize) -> Cursor<'a> {
        let data = bytes.get(self.data.clone()).unwrap_or_default();
        Cursor::new(
            data.get(self.blocks.get32(bytes, block) as usize..)
                .unwrap_or_default(),
        )
    }

    /// Appends key `ordinal` to `out`; nothing when there is none.
    pub(crate) fn get(&self, bytes: &[u8], ordinal: u32, out: &mut Vec<u8>) {
        if ordinal >= self.count {
            return;
        }
        let start = out.len();
        let mut cursor = self.block(bytes, ordinal as usize / DICT_BLOCK);
        for _ in 0..=ordinal as usize % DICT_BLOCK {
            match entry(&mut cursor) {
                Some((shared, suffix)) if shared <= out.len() - start => {
                    out.truncate(start + shared);
                    out.extend_from_slice(suffix);
                }
                _ => return out.truncate(start),
            }
        }
    }

    /// Returns the rank of `key`.
    pub(crate) fn find(&self, bytes: &[u8], key: &[u8]) -> Option<u32> {
        let (ordinal, exact) = self.lower_bound(bytes, key);
        exact.then_some(ordinal)
    }

    /// Hands out the rank of each key that there is, for keys in ascending order: keys that are
    /// close to one another cost little more than one.
    pub(super) fn find_each<K: AsRef<[u8]>>(
        &self,
        bytes: &[u8],
        keys: &[K],
        mut found: impl FnMut(usize, u32),
    ) {
        let mut block = 0;
        for (i, key) in keys.iter().map(AsRef::as_ref).enumerate() {
            let in_reach = block > 0 && self.begins_after(bytes, block, key);
            let after = match in_reach {
                true => block,
                false => self.block_after(bytes, key, block),
            };
            block = after;
            if let Some(block) = after.checked_sub(1)
                && let (ordinal, true) = self.lower_bound_in(bytes, key, block)
            {
                found(i, ordinal);
            }
        }
    }

    /// Whether a block begins with a key greater than `key`, as the end of all blocks does.
    fn begins_after(&self, bytes: &[u8], block: usize, key: &[u8]) -> bool {
        block >= self.blocks.len()
            || entry(&mut self.block(bytes, block)).is_none_or(|(_, first)| first > key)
    }

    /// The first block from `from` on that begins with a key greater than `key`.
    fn block_after(&self, bytes: &[u8], key: &[u8], from: usize) -> usize {
        let (mut low, mut high) = (from, self.blocks.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.begins_after(bytes, middle, key) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        low
    }

    /// Returns the rank of the first key that is not less than `key`, and whether it is equal.
    pub(crate) fn lower_bound(&self, bytes: &[u8], key: &[u8]) -> (u32, bool) {
        match self.block_after(bytes, key, 0).checked_sub(1) {
            Some(block) => self.lower_bound_in(bytes, key, block),
            None => (0, false),
        }
    }

    /// The same, of a key that the block begins with or before which the next block begins.
    fn lower_bound_in(&self, bytes: &[u8], key: &[u8], block: usize) -> (u32, bool) {
        let first = (block * DICT_BLOCK) as u32;
        let next = self.count.min(first + DICT_BLOCK as u32);
        let mut cursor = self.block(bytes, block);
        // `matched` bytes of `key` agree with the entry before, which is less than `key`.
        let mut matched = 0;
        for ordinal in first..next {
            let Some((shared, suffix)) = entry(&mut cursor) else {
                return (next, false);
            };
            if shared > matched {
                continue;
            }
            if shared < matched {
                return (ordinal, false);
            }
            let wanted = key.get(matched..).unwrap_or_default();
            let common = suffix
                .iter()
                .zip(wanted)
                .take_while(|(a, b)| a == b)
                .count();
            matched += common;
            if common == wanted.len() {
                return (ordinal, common == suffix.len());
            }
            if common < suffix.len() && suffix[common] > wanted[common] {
                return (ordinal, false);
            }
        }
        (next, false)
    }

    /// Walks over the keys from rank `start` on.
    pub(crate) fn cursor<'a>(&self, bytes: &'a [u8], start: u32) -> DictCursor<'a> {
        let start = start.min(self.count);
        let block = start as usize / DICT_BLOCK;
        let mut cursor = DictCursor {
            data: self.block(bytes, block),
            key: Vec::new(),
            next: (block * DICT_BLOCK) as u32,
            count: self.count,
        };
        while cursor.next < start && cursor.advance().is_some() {}
        cursor
    }
}

/// A walk over the keys of a dictionary, in order.
pub struct DictCursor<'a> {
    data: Cursor<'a>,
    key: Vec<u8>,
    next: u32,
    count: u32,
}

impl DictCursor<'_> {
    /// The key it stands at; empty before the first step.
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// Steps to the next key and returns its rank and bytes; `None` at the end.
    pub fn advance(&mut self) -> Option<(u32, &[u8])> {
        if self.next >= self.count {
            return None;
        }
        match entry(&mut self.data) {
            Some((shared, suffix)) if shared <= self.key.len() => {
                self.key.truncate(shared);
                self.key.extend_from_slice(suffix);
                self.next += 1;
                Some((self.next - 1, &self.key))
            }
            _ => {
                self.count = 0;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::arbitrary::cases;
    use super::*;
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn make(keys: &BTreeSet<Vec<u8>>) -> (Vec<u8>, Dict) {
        let mut out = Vec::new();
        write(
            &mut out,
            keys.iter()
                .map(Vec::as_slice)
                .collect::<Vec<_>>()
                .into_iter(),
        );
        let mut walk = Walk::new(&out, 0..out.len());
        let dict = Dict::parse(&mut walk).unwrap();
        walk.finish().unwrap();
        (out, dict)
    }

    fn keys() -> impl Strategy<Value = BTreeSet<Vec<u8>>> {
        let short = vec(prop_oneof![Just(b'a'), Just(b'b'), any::<u8>()], 0..6);
        let long = (0..200usize).prop_map(|n| vec![b'a'; n]);
        btree_set(prop_oneof![4 => short, 1 => long], 0..80)
    }

    proptest! {
        #![proptest_config(cases(256))]

        #[test]
        fn keys_are_found_by_rank_and_by_bytes(keys in keys(), probe in vec(any::<u8>(), 0..4)) {
            let (bytes, dict) = make(&keys);
            let mut cursor = dict.cursor(&bytes, 0);
            for (rank, key) in keys.iter().enumerate() {
                let mut out = vec![1];
                dict.get(&bytes, rank as u32, &mut out);
                prop_assert_eq!(&out[1..], key.as_slice());
                prop_assert_eq!(dict.find(&bytes, key), Some(rank as u32));
                prop_assert_eq!(cursor.advance(), Some((rank as u32, key.as_slice())));
                let mut middle = dict.cursor(&bytes, rank as u32);
                prop_assert_eq!(middle.advance(), Some((rank as u32, key.as_slice())));
            }
            prop_assert_eq!(cursor.advance(), None);
            let mut wanted: Vec<Vec<u8>> = keys.iter().step_by(3).cloned().collect();
            wanted.extend([probe.clone(), b"ab".to_vec()]);
            wanted.sort();
            let mut found = Vec::new();
            dict.find_each(&bytes, &wanted, |at, rank| found.push((at, rank)));
            let one_by_one = wanted.iter().enumerate();
            let one_by_one: Vec<_> = one_by_one
                .filter_map(|(at, key)| Some((at, dict.find(&bytes, key)?)))
                .collect();
            prop_assert_eq!(found, one_by_one);
            let below = keys.iter().filter(|key| **key < probe).count() as u32;
            prop_assert_eq!(dict.lower_bound(&bytes, &probe), (below, keys.contains(&probe)));
        }
    }

    #[test]
    fn keys_that_claim_to_be_endless_are_refused() {
        let mut bytes = vec![2, 0, 0, 0, 12, 0, 0, 0, 0];
        bytes.extend([0x01, b'a', 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 0]);
        let dict = Dict::parse(&mut Walk::new(&bytes, 0..bytes.len())).unwrap();
        let mut out = Vec::new();
        dict.get(&bytes, 1, &mut out);
        assert!(out.is_empty());
        assert_eq!(dict.find(&bytes, b"b"), None);
    }
}
