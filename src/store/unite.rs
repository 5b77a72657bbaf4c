//! The one set that several segments are together, under what is remembered of them.
//!
//! Guarantees: a function of the segments and the ledger alone. It commutes, doing it twice
//! changes nothing, no document is lost but those that the ledger drops, and no segment of the
//! result holds a denied document.

use super::gc::existing;
use super::partition::partition;
use super::snapshot::{OpenSegment, documents};
use super::union::normalize;
use super::{Error, Ledger};
use crate::segment;

/// Returns the set that two sets are together, given the segments of both.
///
/// When the canonical cut of all documents is there, it is the result: so after one clone has
/// collected, all others end in the same segments.
pub(super) fn unite(segments: Vec<OpenSegment>, ledger: &Ledger) -> Vec<OpenSegment> {
    let admitted = admit(segments, ledger);
    canonical_cut(&admitted).unwrap_or_else(|| normalize(admitted))
}

/// Returns the set that results when segments are added to a set, given all of them.
///
/// As [`unite`] without the look for a canonical cut, which costs as much as there are documents.
pub(super) fn add(segments: Vec<OpenSegment>, ledger: &Ledger) -> Vec<OpenSegment> {
    normalize(admit(segments, ledger))
}

/// Finds the segments of the canonical cut of all documents, if all of them are there.
///
/// A part that the limits of a segment would divide further is not looked for.
pub(super) fn canonical_cut(segments: &[OpenSegment]) -> Option<Vec<OpenSegment>> {
    let documents = documents(segments);
    let ranges = partition(&documents);
    if ranges.len() > segments.len() {
        return None;
    }
    let mut ordered = segments.to_vec();
    ordered.sort_by_key(OpenSegment::id);
    let mut set = ranges
        .into_iter()
        .map(|range| existing(&ordered, &documents[range]))
        .collect::<Option<Vec<_>>>()?;
    set.sort_by_key(OpenSegment::id);
    Some(set)
}

/// Leaves out what must not come back and what must not be recorded.
fn admit(segments: Vec<OpenSegment>, ledger: &Ledger) -> Vec<OpenSegment> {
    if ledger.is_empty() {
        return segments;
    }
    let is_wanted = |open: &OpenSegment| !ledger.absorbs(open.id());
    segments
        .into_iter()
        .filter(is_wanted)
        .filter_map(|open| without_denied(open, ledger))
        // What is left of a segment may have been absorbed itself.
        .filter(is_wanted)
        .collect()
}

/// Rewrites a segment without the documents of denied blobs; `None` when nothing is left, or when
/// it cannot be rewritten because it is damaged.
fn without_denied(open: OpenSegment, ledger: &Ledger) -> Option<OpenSegment> {
    if !holds_denied(&open, ledger) {
        return Some(open);
    }
    rewrite(&open, ledger).ok().flatten()
}

fn rewrite(open: &OpenSegment, ledger: &Ledger) -> Result<Option<OpenSegment>, Error> {
    let segment = open.segment();
    let hash = segment.hash_kind();
    let bytes = segment::merge(hash, &[segment], |key| !ledger.denies(key.blob))?;
    let rest = OpenSegment::built(hash, bytes)?;
    Ok((rest.segment().doc_count() > 0).then_some(rest))
}

/// Whether a segment holds a document of which nothing may be recorded.
pub(super) fn holds_denied(open: &OpenSegment, ledger: &Ledger) -> bool {
    let segment = open.segment();
    if ledger.denied().len() < segment.doc_count() as usize {
        ledger.denied().any(|blob| open.holds(blob))
    } else {
        segment
            .doc_ids()
            .any(|doc| ledger.denies(segment.key(doc).blob))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::record::{DocKey, DocRecord, Grammar, SkipReason};
    use crate::id::{BlobId, SegmentId};
    use crate::store::partition::Measured;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;
    /// Size that is claimed for each blob: a cut has several parts from 17 documents on.
    const SIZE: u64 = 1 << 20;

    fn blob(n: u8) -> BlobId {
        BlobId::from_bytes(&[n.wrapping_mul(37); 20]).unwrap()
    }

    fn key(n: u8) -> DocKey {
        DocKey {
            blob: blob(n),
            grammar: Grammar::Rust,
        }
    }

    fn segment(documents: impl IntoIterator<Item = u8>) -> OpenSegment {
        let record = DocRecord::skipped(Grammar::Rust, SIZE, SkipReason::Minified);
        let records = documents.into_iter().map(|n| (key(n), record.clone()));
        let bytes = segment::build(SHA1, records.collect()).unwrap();
        OpenSegment::built(SHA1, bytes).unwrap()
    }

    fn cut_of(documents: &BTreeSet<u8>) -> Vec<OpenSegment> {
        let mut all: Vec<(DocKey, u8)> = documents.iter().map(|n| (key(*n), *n)).collect();
        all.sort();
        let measured: Vec<Measured> = all
            .iter()
            .map(|(key, _)| Measured {
                key: *key,
                size: SIZE,
            })
            .collect();
        partition(&measured)
            .into_iter()
            .map(|range| segment(all[range].iter().map(|(_, n)| *n)))
            .collect()
    }

    fn ids(set: &[OpenSegment]) -> BTreeSet<SegmentId> {
        set.iter().map(OpenSegment::id).collect()
    }

    fn coverage(set: &[OpenSegment]) -> BTreeSet<DocKey> {
        documents(set).into_iter().map(|d| d.key).collect()
    }

    /// Sets of segments, among them some that are canonical.
    fn sets() -> impl Strategy<Value = Vec<OpenSegment>> {
        let one = proptest::collection::btree_set(0_u8..40, 1..30);
        (proptest::collection::vec((one, any::<bool>()), 0..5)).prop_map(|all| {
            let mut out = Vec::new();
            for (documents, cut) in all {
                if cut {
                    out.extend(cut_of(&documents));
                } else {
                    out.push(segment(documents));
                }
            }
            out
        })
    }

    /// Remembers some of the segments, and parts of segments, as absorbed, and some blobs.
    fn ledgers() -> impl Strategy<Value = (Vec<prop::sample::Index>, BTreeSet<u8>)> {
        (
            proptest::collection::vec(any::<prop::sample::Index>(), 0..3),
            proptest::collection::btree_set(0_u8..45, 0..3),
        )
    }

    fn ledger(all: &[OpenSegment], parts: &(Vec<prop::sample::Index>, BTreeSet<u8>)) -> Ledger {
        let mut ledger = Ledger::default();
        ledger.deny(parts.1.iter().map(|n| blob(*n)));
        if !all.is_empty() {
            // Every second one is absorbed in the form it has without denied documents.
            let picked = parts.0.iter().enumerate().map(|(i, at)| {
                let open = at.get(all).clone();
                let rest = (i % 2 == 0).then(|| without_denied(open.clone(), &ledger));
                rest.flatten().unwrap_or(open).id()
            });
            let picked: Vec<_> = picked.collect();
            ledger.absorb(picked);
        }
        ledger
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn union_is_a_function_of_the_sets(a in sets(), b in sets(), parts in ledgers()) {
            let all = [a.clone(), b.clone()].concat();
            let ledger = ledger(&all, &parts);
            let both = unite(all.clone(), &ledger);
            let turned = unite([b.clone(), a.clone()].concat(), &ledger);
            prop_assert_eq!(ids(&both), ids(&turned));
            prop_assert_eq!(ids(&both), ids(&unite(both.clone(), &ledger)));
            let again = unite([both.clone(), a.clone()].concat(), &ledger);
            prop_assert_eq!(ids(&both), ids(&again));

            // What is covered is what segments that may stay have of blobs that may be recorded.
            let stays = all.iter().filter(|open| !ledger.absorbs(open.id())).cloned();
            let rests = stays.filter_map(|open| without_denied(open, &ledger));
            let mut want = BTreeSet::new();
            for rest in rests.filter(|rest| !ledger.absorbs(rest.id())) {
                let segment = rest.segment();
                want.extend(segment.doc_ids().map(|doc| segment.key(doc)));
            }
            prop_assert!(want.iter().all(|key| !ledger.denies(key.blob)));
            prop_assert_eq!(&coverage(&both), &want);
            prop_assert_eq!(&coverage(&add(all, &ledger)), &want);
            prop_assert!(both.iter().all(|open| !ledger.absorbs(open.id())));
        }

        #[test]
        fn a_canonical_cut_wins(documents in proptest::collection::btree_set(0_u8..60, 1..60), parts in proptest::collection::vec(proptest::collection::vec(any::<prop::sample::Index>(), 1..20), 0..6)) {
            let cut = cut_of(&documents);
            let all: Vec<u8> = documents.iter().copied().collect();
            let others = parts.iter().map(|part| segment(part.iter().map(|at| *at.get(&all)).collect::<BTreeSet<_>>()));
            let mut set: Vec<OpenSegment> = others.collect();
            set.push(segment(all.clone()));
            set.extend(cut.clone());
            prop_assert_eq!(ids(&unite(set, &Ledger::default())), ids(&cut));
        }
    }

    #[test]
    fn a_segment_of_denied_documents_alone_is_gone() {
        let mut ledger = Ledger::default();
        ledger.deny([blob(1), blob(2)]);
        let set = unite(
            vec![segment([1, 2]), segment([2, 3]), segment([4])],
            &ledger,
        );
        assert_eq!(ids(&set), ids(&[segment([3]), segment([4])]));
    }

    #[test]
    fn what_is_left_of_a_segment_may_be_absorbed_too() {
        let mut ledger = Ledger::default();
        ledger.deny([blob(1)]);
        ledger.absorb([segment([3]).id()]);
        assert!(unite(vec![segment([1, 3])], &ledger).is_empty());
    }
}
