//! Set algebra of segments: what two indexes are together, and what of it is redundant.
//!
//! The union of two segment sets is [`normalize`] of all their segments. It is a function of the
//! set, so it does not matter who merges what first: no order, no conflict, and doing it twice
//! changes nothing. A segment that was compacted from others silently replaces them, because it
//! is larger and covers what they cover.

use crate::id::SegmentId;

/// What normalization needs to know of a segment, or of another part of an index that holds a set.
pub trait Covering {
    /// What names one of the documents it holds.
    type Key;
    /// Names the segment.
    fn id(&self) -> SegmentId;
    /// Size of the segment in bytes.
    fn bytes(&self) -> u64;
    /// Number of its documents.
    fn documents(&self) -> usize;
    /// The key of its `at`-th document.
    fn key(&self, at: usize) -> Self::Key;
    /// Whether it has a document for the key.
    fn covers(&self, key: &Self::Key) -> bool;
}

/// Keeps the segments that cover something no larger kept segment covers, ordered by id.
///
/// Candidates are taken by size, largest first, then by id. Usually the first key decides, so the
/// cost is about the number of segments squared, plus the documents of those that are dropped.
pub fn normalize<S: Covering>(mut segments: Vec<S>) -> Vec<S> {
    segments.sort_by(|a, b| b.bytes().cmp(&a.bytes()).then_with(|| a.id().cmp(&b.id())));
    segments.dedup_by(|b, a| a.id() == b.id());
    let mut kept: Vec<S> = Vec::with_capacity(segments.len());
    for segment in segments {
        let redundant = (0..segment.documents()).all(|at| {
            let key = segment.key(at);
            kept.iter().any(|other| other.covers(&key))
        });
        if !redundant {
            kept.push(segment);
        }
    }
    kept.sort_by_key(Covering::id);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::record::{DocKey, Grammar};
    use crate::id::BlobId;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// A segment of the documents with these numbers; its id and size follow from them.
    #[derive(Clone, PartialEq, Eq, Debug)]
    struct Fake(BTreeSet<u8>);

    fn key(n: u8) -> DocKey {
        DocKey {
            blob: BlobId::from_bytes(&[n; 20]).unwrap(),
            grammar: Grammar::Text,
        }
    }

    impl Covering for Fake {
        type Key = DocKey;
        fn id(&self) -> SegmentId {
            let mut id = [0; 20];
            for n in &self.0 {
                id[usize::from(n % 20)] ^= n.wrapping_mul(31) | 1;
            }
            SegmentId::from_bytes(&id).unwrap()
        }
        fn bytes(&self) -> u64 {
            self.0.len() as u64 * 100
        }
        fn documents(&self) -> usize {
            self.0.len()
        }
        fn key(&self, at: usize) -> DocKey {
            key(*self.0.iter().nth(at).unwrap())
        }
        fn covers(&self, wanted: &DocKey) -> bool {
            self.0.iter().any(|n| key(*n) == *wanted)
        }
    }

    fn sets() -> impl Strategy<Value = Vec<Fake>> {
        proptest::collection::vec(
            proptest::collection::btree_set(0_u8..20, 0..6).prop_map(Fake),
            0..8,
        )
    }

    fn coverage(set: &[Fake]) -> BTreeSet<u8> {
        set.iter()
            .flat_map(|segment| segment.0.iter().copied())
            .collect()
    }

    proptest! {
        #[test]
        fn union_commutes_is_idempotent_and_loses_nothing(a in sets(), b in sets()) {
            let both = normalize([a.clone(), b.clone()].concat());
            prop_assert_eq!(&both, &normalize([b.clone(), a.clone()].concat()));
            prop_assert_eq!(&both, &normalize(both.clone()));
            prop_assert_eq!(&both, &normalize([both.clone(), a.clone()].concat()));
            prop_assert_eq!(coverage(&both), coverage(&[a, b].concat()));
        }

        #[test]
        fn nothing_that_is_kept_is_covered_by_larger_ones(a in sets()) {
            let kept = normalize(a);
            for segment in &kept {
                let larger: Vec<_> = kept.iter().filter(|s| s.bytes() > segment.bytes()).cloned().collect();
                prop_assert!(!segment.0.is_subset(&coverage(&larger)));
            }
        }
    }

    #[test]
    fn a_compacted_segment_replaces_its_inputs() {
        let parts: Vec<_> = [[1, 2], [3, 4], [2, 5]].map(|n| Fake(n.into())).into();
        let merged = Fake([1, 2, 3, 4, 5].into());
        let apart = Fake([9].into());
        let all = [parts, vec![merged.clone(), apart.clone()]].concat();
        let mut want = vec![merged, apart];
        want.sort_by_key(Covering::id);
        assert_eq!(normalize(all), want);
    }
}
