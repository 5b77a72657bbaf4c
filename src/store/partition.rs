//! Where a set of entries is cut into parts: canonically, by bits. Documents are cut by their blob ids, and so are
//! traces; commits by their dates and ids.
//!
//! The documents form a binary trie over blob ids. A prefix that weighs no more than
//! [`crate::limits::SEGMENT_SOURCE_BYTES`] is one segment; a heavier one is split by its next bit. The cut is a
//! pure function of the set of (key, size), so two people who index the same blobs write the same
//! segments, and a changed document changes the one leaf it lies in (or splits or joins two).
//!
//! Ids are hashes and so evenly spread: with more than one leaf, each weighs between half the
//! limit and the limit, give or take a few documents.

use crate::extract::record::{DocKey, Grammar, RowKey};
use crate::id::BlobId;
use crate::limits::{MAX_PARSED_BYTES, MAX_TEXT_BYTES};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Range;

/// What a document costs even when its blob is empty or is not read.
const DOCUMENT_COST: u64 = 64;

/// A document, or a row of one, that is to be cut, with the size of its blob in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Measured<K = DocKey> {
    /// What names it.
    pub key: K,
    /// Size of its blob in bytes.
    pub size: u64,
}

/// What names a document, or a row of one.
pub trait OfDocument: Copy + Ord + Hash + Debug + Send + Sync {
    /// The document.
    fn document(self) -> DocKey;
}

impl OfDocument for DocKey {
    fn document(self) -> DocKey {
        self
    }
}

impl OfDocument for RowKey {
    fn document(self) -> DocKey {
        self.doc
    }
}

/// Bytes of the longest string of bits that is cut by: a date and a SHA-256 id.
pub const MOST_BITS: usize = 8 + 32;

/// What is cut by weight: in order of its bits, and distinct.
pub trait Entry {
    /// What names it.
    type Key: Copy + Ord + Hash + Debug + Send + Sync;
    /// Its name.
    fn key(&self) -> Self::Key;
    /// What it is divided by, as a string of bits; zeros follow what is shorter.
    fn bits(&self) -> [u8; MOST_BITS];
    /// How much it counts towards the limit.
    fn weight(&self) -> u64;
    /// Of several with one key the one with the smallest counts, and of these the first.
    fn rank(&self) -> u64 {
        0
    }
}

/// What is said of one blob, as the cut sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Said {
    /// The blob.
    pub blob: BlobId,
    /// Bytes of what is said.
    pub bytes: u64,
}

impl Entry for Said {
    type Key = BlobId;
    fn key(&self) -> BlobId {
        self.blob
    }
    fn bits(&self) -> [u8; MOST_BITS] {
        bits_of(self.blob)
    }
    fn weight(&self) -> u64 {
        self.bytes
    }
}

/// The bits of a blob id.
pub fn bits_of(blob: BlobId) -> [u8; MOST_BITS] {
    let mut bits = [0; MOST_BITS];
    let id = blob.as_bytes();
    bits[..id.len()].copy_from_slice(id);
    bits
}

impl<K: OfDocument> Entry for Measured<K> {
    type Key = K;
    fn key(&self) -> K {
        self.key
    }
    fn bits(&self) -> [u8; MOST_BITS] {
        bits_of(self.key.document().blob)
    }
    fn weight(&self) -> u64 {
        weight(self.key.document(), self.size)
    }
    fn rank(&self) -> u64 {
        self.size
    }
}

/// Returns how much a document counts towards the size of a segment.
///
/// A blob over the limits of extraction is not read, so its size says nothing.
pub fn weight(document: DocKey, size: u64) -> u64 {
    let limit = match document.grammar {
        Grammar::Text => MAX_TEXT_BYTES,
        _ => MAX_PARSED_BYTES,
    };
    DOCUMENT_COST + if size > limit as u64 { 0 } else { size }
}

/// Splits one range in two by the first bit in which its ids differ; `None` when they do not.
pub fn split<D: Entry>(documents: &[D]) -> Option<usize> {
    let (first, last) = (documents.first()?.bits(), documents.last()?.bits());
    let bit = (0..MOST_BITS * 8).find(|bit| bit_of(&first, *bit) != bit_of(&last, *bit))?;
    Some(documents.partition_point(|document| !bit_of(&document.bits(), bit)))
}

/// Cuts entries, which are in order of their bits and distinct, into the ranges that become parts.
///
/// The ranges are in order, not empty, and cover everything. None weighs more than `limit`, unless all its
/// entries have the same bits.
pub fn partition<D: Entry>(documents: &[D], limit: u64) -> Vec<Range<usize>> {
    debug_assert!(
        documents.is_sorted_by(|a, b| a.bits() <= b.bits()),
        "documents are sorted"
    );
    // Sums up to each position, so that the weight of any range is one subtraction.
    let mut sums = Vec::with_capacity(documents.len() + 1);
    sums.push(0_u64);
    let mut sum = 0_u64;
    for document in documents {
        sum = sum.saturating_add(document.weight());
        sums.push(sum);
    }
    let mut out = Vec::new();
    let mut todo = Vec::from([Range {
        start: 0,
        end: documents.len(),
    }]);
    while let Some(range) = todo.pop() {
        if range.is_empty() {
            continue;
        }
        let fits = sums[range.end] - sums[range.start] <= limit;
        // Skipping the bits that all ids of the range share gives the same leaves as asking each
        // bit in turn, because a split by such a bit leaves one side empty.
        match split(&documents[range.clone()]).filter(|_| !fits) {
            None => out.push(range),
            Some(middle) => {
                let middle = range.start + middle;
                todo.push(middle..range.end);
                todo.push(range.start..middle);
            }
        }
    }
    out
}

fn bit_of(bytes: &[u8], bit: usize) -> bool {
    bytes[bit / 8] & (0x80 >> (bit % 8)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn measured(bytes: [u8; 20], size: u64) -> Measured {
        let blob = BlobId::from_bytes(&bytes).unwrap();
        Measured {
            key: DocKey {
                blob,
                grammar: Grammar::Rust,
            },
            size,
        }
    }

    fn documents() -> impl Strategy<Value = Vec<Measured>> {
        // Two leading bytes of few values make shared prefixes common.
        let one = (0_u8..4, 0_u8..4, any::<u8>(), 0_u64..2000);
        proptest::collection::vec(one, 0..200).prop_map(|all| {
            let make = |(a, b, c, size)| {
                let mut id = [0; 20];
                (id[0], id[5], id[19]) = (a << 6, b, c);
                measured(id, size)
            };
            let mut all: Vec<_> = all.into_iter().map(make).collect();
            all.sort_by_key(|document| document.key);
            all.dedup_by_key(|document| document.key);
            all
        })
    }

    proptest! {
        #[test]
        fn ranges_tile_and_only_one_blob_may_be_over_the_limit(all in documents(), limit in 64_u64..5000) {
            let ranges = partition(&all, limit);
            let mut at = 0;
            for range in &ranges {
                prop_assert_eq!(range.start, at);
                prop_assert!(!range.is_empty());
                at = range.end;
                let total: u64 = all[range.clone()].iter().map(Entry::weight).sum();
                prop_assert!(total <= limit || range.len() == 1);
            }
            prop_assert_eq!(at, all.len());
        }

        #[test]
        fn a_changed_document_changes_few_segments(all in documents(), limit in 500_u64..5000, at in any::<prop::sample::Index>()) {
            prop_assume!(!all.is_empty());
            let sets = |all: &[Measured]| {
                partition(all, limit).into_iter().map(|range| all[range].to_vec()).collect::<Vec<_>>()
            };
            let before = sets(&all);
            let mut less = all.clone();
            less.remove(at.index(all.len()));
            let after = sets(&less);
            let shared = before.iter().filter(|leaf| after.contains(leaf)).count();
            // The leaf it was in is lost; its neighbours may join when they fit together now.
            let joined = before.len() - shared;
            let depth_of_joins = before.len() + 1 - after.len().min(before.len());
            prop_assert!(joined <= depth_of_joins + 1, "{joined} of {} leaves changed", before.len());
        }
    }

    #[test]
    fn blobs_that_are_not_read_do_not_count() {
        let mut text = measured([0; 20], MAX_TEXT_BYTES as u64 + 1);
        assert_eq!(text.weight(), DOCUMENT_COST + MAX_TEXT_BYTES as u64 + 1);
        text.key.grammar = Grammar::Text;
        assert_eq!(text.weight(), DOCUMENT_COST);
        assert_eq!(measured([0; 20], u64::MAX).weight(), DOCUMENT_COST);
    }

    #[test]
    fn one_blob_under_two_grammars_is_never_split() {
        let mut all = vec![measured([7; 20], 900), measured([7; 20], 900)];
        all[1].key.grammar = Grammar::Java;
        assert_eq!(partition(&all, 100).len(), 1);
        assert!(partition::<Measured>(&[], 100).is_empty());
    }
}
