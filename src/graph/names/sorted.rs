//! Names of many dictionaries as one list without repetition.
//!
//! Each dictionary is in order, so all are walked side by side and no name is looked up: with a hash table a million
//! names of forty segments took seven times as long, since nearly every step missed the cache.

use super::{Name, UNNUMBERED};
use crate::segment::{NameCursor, Segment};
use roaring::RoaringBitmap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Names in order of their bytes, each under its place.
#[derive(Default)]
pub(super) struct Sorted {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    hashes: Vec<u64>,
    /// Places in order of buckets, then of hashes. The bucket of a name is in the upper bits of its hash.
    places: Vec<u32>,
    /// Where each bucket begins, and one more.
    buckets: Vec<u32>,
}

/// A walk over the names of a dictionary.
struct Walk<'a> {
    names: NameCursor<'a>,
    /// Those that are numbered, as the dictionary numbers them; `None` for all.
    wanted: Option<RoaringBitmap>,
    numbers: Vec<Name>,
}

impl Walk<'_> {
    /// Steps on; returns the first bytes of the next name, which are in order as the names are. `None` at the end.
    fn step(&mut self) -> Option<u64> {
        loop {
            let (id, name) = self.names.advance()?;
            if self
                .wanted
                .as_ref()
                .is_some_and(|wanted| !wanted.contains(id))
            {
                self.numbers.push(UNNUMBERED);
                continue;
            }
            let mut first = [0; 8];
            let length = name.len().min(8);
            first[..length].copy_from_slice(&name[..length]);
            return Some(u64::from_be_bytes(first));
        }
    }
}

impl Sorted {
    /// The names of some segments, all or those that are wanted of one, and by segment the number of each.
    pub(super) fn of(segments: Vec<(&Segment, Option<RoaringBitmap>)>) -> (Self, Vec<Arc<[Name]>>) {
        let mut sorted = Self::default();
        let begun = segments.into_iter().map(|(segment, wanted)| Walk {
            names: segment.all_names(),
            wanted,
            numbers: Vec::with_capacity(segment.name_count() as usize),
        });
        let mut walks: Vec<Walk<'_>> = begun.collect();
        let mut next = BinaryHeap::with_capacity(walks.len());
        for (walk, at) in walks.iter_mut().zip(0..) {
            next.extend(walk.step().map(|first| Reverse((first, at))));
        }
        // Those that stand at names of the same first bytes, the least name last.
        let mut same: Vec<usize> = Vec::with_capacity(walks.len());
        let mut stepped: Vec<usize> = Vec::new();
        while let Some(Reverse((first, at))) = next.pop() {
            same.push(at);
            while let Some(Reverse((other, at))) = next.peek()
                && *other == first
            {
                same.push(*at);
                next.pop();
            }
            same.sort_unstable_by_key(|at| Reverse(walks[*at].names.key()));
            while let Some(least) = same.last() {
                let number = sorted.add(walks[*least].names.key());
                let from = sorted.start(number.0 as usize);
                while let Some(at) = same.last().copied()
                    && walks[at].names.key() == &sorted.bytes[from..]
                {
                    same.pop();
                    walks[at].numbers.push(number);
                    match walks[at].step() {
                        Some(stays) if stays == first => stepped.push(at),
                        further => next.extend(further.map(|first| Reverse((first, at)))),
                    }
                }
                for at in stepped.drain(..) {
                    let name = walks[at].names.key();
                    let place = same.partition_point(|other| walks[*other].names.key() > name);
                    same.insert(place, at);
                }
            }
        }
        sorted.index();
        let numbers = walks.into_iter().map(|walk| walk.numbers.into());
        (sorted, numbers.collect())
    }

    fn add(&mut self, name: &[u8]) -> Name {
        let number = Name(self.ends.len() as u32);
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len() as u32);
        self.hashes.push(xxh3_64(name));
        number
    }

    /// Sorts places into buckets: two passes, where a hash table would miss the cache at each name.
    fn index(&mut self) {
        self.buckets = vec![0; self.hashes.len().next_power_of_two() + 1];
        let bits = self.bits();
        for hash in &self.hashes {
            self.buckets[bucket(*hash, bits) + 1] += 1;
        }
        for at in 1..self.buckets.len() {
            self.buckets[at] += self.buckets[at - 1];
        }
        let mut next = self.buckets.clone();
        self.places = vec![0; self.hashes.len()];
        for (hash, place) in self.hashes.iter().zip(0..) {
            let at = &mut next[bucket(*hash, bits)];
            self.places[*at as usize] = place;
            *at += 1;
        }
        // Names may be made to share a bucket.
        for range in self.buckets.windows(2) {
            let of = &mut self.places[range[0] as usize..range[1] as usize];
            if of.len() > 1 {
                of.sort_unstable_by_key(|place| (self.hashes[*place as usize], *place));
            }
        }
    }

    /// Bits of a hash that say its bucket.
    fn bits(&self) -> u32 {
        self.buckets.len().saturating_sub(1).max(1).ilog2()
    }

    /// The names with this hash of their bytes.
    pub(super) fn hashed(&self, hash: u64) -> impl Iterator<Item = u32> + '_ {
        let at = bucket(hash, self.bits());
        let of = match self.buckets.get(at..at + 2) {
            Some(&[start, end]) => &self.places[start as usize..end as usize],
            _ => &[],
        };
        let first = of.partition_point(|place| self.hashes[*place as usize] < hash);
        let same = of[first..].iter().copied();
        same.take_while(move |place| self.hashes[*place as usize] == hash)
    }

    /// The place of a name with this hash.
    pub(super) fn find(&self, hash: u64, bytes: &[u8]) -> Option<u32> {
        self.hashed(hash)
            .find(|place| self.spelled(*place as usize) == bytes)
    }

    /// Number of names.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Hash of a name's bytes.
    pub(super) fn hash(&self, place: usize) -> Option<u64> {
        self.hashes.get(place).copied()
    }

    fn start(&self, place: usize) -> usize {
        let before = place
            .checked_sub(1)
            .and_then(|before| self.ends.get(before));
        before.map_or(0, |end| *end as usize)
    }

    /// The bytes of a name.
    pub(super) fn spelled(&self, place: usize) -> &[u8] {
        let end = self.ends.get(place).map_or(0, |end| *end as usize);
        self.bytes.get(self.start(place)..end).unwrap_or_default()
    }

    /// Bytes that they take, but for spare room.
    pub(super) fn held_bytes(&self) -> usize {
        size_of_val(&*self.bytes)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.hashes)
            + size_of_val(&*self.places)
            + size_of_val(&*self.buckets)
    }
}

/// The bucket of a hash, of which so many bits count.
fn bucket(hash: u64, bits: u32) -> usize {
    hash.checked_shr(u64::BITS - bits).unwrap_or(0) as usize
}
