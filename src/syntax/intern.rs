//! Interning of byte strings in order of first appearance.
//!
//! Guarantees: positions are dense and follow first appearance; nothing is allocated for a string
//! that is already known. The table is open-addressed over the [`NameTable`] itself, because a
//! map with owned keys would store every name twice.

use crate::id::LocalName;
use crate::record::NameTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

const EMPTY: u32 = u32::MAX;
const FIRST_SLOTS: usize = 256;

/// A [`NameTable`] that is being filled.
#[derive(Default)]
pub(crate) struct Interner {
    names: NameTable,
    hashes: Vec<u32>,
    slots: Vec<u32>,
}

impl Interner {
    /// Returns the position of `bytes`, appending it when it is new; the flag says whether it was.
    pub(crate) fn intern(&mut self, bytes: &[u8]) -> (LocalName, bool) {
        if self.hashes.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let hash = hash(bytes);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let at = self.slots[slot];
            if at == EMPTY {
                let name = self.names.push(bytes);
                self.slots[slot] = name.0;
                self.hashes.push(hash);
                return (name, true);
            }
            if self.hashes[at as usize] == hash && self.names.get(LocalName(at)) == bytes {
                return (LocalName(at), false);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The position of a string, if it is known.
    pub(crate) fn find(&self, bytes: &[u8]) -> Option<LocalName> {
        let hash = hash(bytes);
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = hash as usize & mask;
        loop {
            let at = self.slots[slot];
            if at == EMPTY {
                return None;
            }
            if self.hashes[at as usize] == hash && self.names.get(LocalName(at)) == bytes {
                return Some(LocalName(at));
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Returns the bytes of an interned string.
    pub(crate) fn get(&self, name: LocalName) -> &[u8] {
        self.names.get(name)
    }

    /// Number of distinct strings so far.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns the finished table and leaves the interner empty, its room kept for the next one.
    pub(crate) fn take(&mut self) -> NameTable {
        self.hashes.clear();
        self.slots.fill(EMPTY);
        std::mem::take(&mut self.names)
    }

    fn grow(&mut self) {
        let len = (self.slots.len() * 2).max(FIRST_SLOTS);
        self.slots.clear();
        self.slots.resize(len, EMPTY);
        for (at, hash) in self.hashes.iter().enumerate() {
            let mut slot = *hash as usize & (len - 1);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (len - 1);
            }
            self.slots[slot] = at as u32;
        }
    }
}

fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_follow_first_appearance_across_growth_and_reuse() {
        let mut interner = Interner::default();
        for round in 0..2 {
            for i in 0..2000u32 {
                assert_eq!(
                    interner.intern(format!("n{i}").as_bytes()),
                    (LocalName(i), true),
                    "round {round}"
                );
            }
            assert_eq!(interner.intern(b"n1999"), (LocalName(1999), false));
            assert_eq!(interner.get(LocalName(7)), b"n7");
            assert_eq!(interner.take().len(), 2000);
        }
    }
}
