//! Interning of byte strings over all documents of a segment under construction.

use rustc_hash::FxHashMap;

/// Distinct byte strings, numbered provisionally in order of first appearance.
#[derive(Default)]
pub(super) struct Interner<'a> {
    ids: FxHashMap<&'a [u8], u32>,
    strings: Vec<&'a [u8]>,
}

/// The strings of an [`Interner`] in byte order.
pub(super) struct Ranked<'a> {
    /// Strings by rank.
    pub(super) strings: Vec<&'a [u8]>,
    /// Rank by provisional number.
    pub(super) ranks: Vec<u32>,
    /// Provisional number by rank.
    pub(super) order: Vec<u32>,
}

impl<'a> Interner<'a> {
    /// Returns the provisional number of `string`.
    pub(super) fn intern(&mut self, string: &'a [u8]) -> u32 {
        *self.ids.entry(string).or_insert_with(|| {
            self.strings.push(string);
            self.strings.len() as u32 - 1
        })
    }

    /// Sorts the strings.
    pub(super) fn rank(self) -> Ranked<'a> {
        let strings = self.strings;
        // The first eight bytes decide nearly every comparison without touching the strings.
        let mut keyed: Vec<(u64, u32)> = strings
            .iter()
            .zip(0..)
            .map(|(string, id)| (head(string), id))
            .collect();
        keyed.sort_unstable_by(|a, b| {
            let tail = |id: u32| &strings[id as usize];
            a.0.cmp(&b.0).then_with(|| tail(a.1).cmp(tail(b.1)))
        });
        let order: Vec<u32> = keyed.into_iter().map(|(_, id)| id).collect();
        let mut ranks = vec![0; order.len()];
        for (&id, rank) in order.iter().zip(0..) {
            ranks[id as usize] = rank;
        }
        let strings = order.iter().map(|&id| strings[id as usize]).collect();
        Ranked {
            strings,
            ranks,
            order,
        }
    }
}

/// Returns the first eight bytes as a number that compares like them.
fn head(string: &[u8]) -> u64 {
    let mut head = [0; 8];
    let len = string.len().min(8);
    head[..len].copy_from_slice(&string[..len]);
    u64::from_be_bytes(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_byte_order_even_where_heads_are_equal() {
        let mut interner = Interner::default();
        let strings: [&[u8]; 6] = [
            b"b",
            b"a\0",
            b"a",
            b"longer than 8 b",
            b"longer than 8 a",
            b"",
        ];
        let ids: Vec<u32> = strings
            .iter()
            .map(|string| interner.intern(string))
            .collect();
        assert_eq!(interner.intern(b"a"), ids[2]);
        let ranked = interner.rank();
        assert!(ranked.strings.is_sorted());
        for (string, id) in strings.iter().zip(ids) {
            let rank = ranked.ranks[id as usize] as usize;
            assert_eq!(ranked.strings[rank], *string);
            assert_eq!(ranked.order[rank], id);
        }
    }
}
