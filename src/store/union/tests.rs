//! The algebra over segments, and over a kind that exists only here: all that it takes to add one.

use super::*;
use crate::extract::fingerprint;
use crate::extract::record::{DocKey, DocRecord, Fingerprint, Grammar, RowKey, SkipReason};
use crate::id::{BlobId, SegmentId};
use crate::store::kind::{Bytes, Files};
use crate::store::partition::{MOST_BITS, Measured};
use crate::store::scope::{Keep, Subject};
use crate::store::segments::{OpenSegment, Segments};
use proptest::prelude::*;
use std::collections::BTreeSet;

const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;
/// Size that is claimed for each blob: a cut has several parts from 17 documents on.
const SIZE: u64 = 1 << 20;

/// Two numbers of every three share a blob.
fn blob(n: u8) -> BlobId {
    let n = n - u8::from(n % 3 == 2);
    BlobId::from_bytes(&[n.wrapping_mul(37); 20]).unwrap()
}

/// What our extractor says of a blob, or, for every third number, what another one says of the same.
fn key(n: u8) -> RowKey {
    let doc = DocKey {
        blob: blob(n),
        grammar: Grammar::Rust,
    };
    let extractor = match n % 3 {
        2 => Fingerprint(7),
        _ => fingerprint(Grammar::Rust, Grammar::Rust),
    };
    RowKey { doc, extractor }
}

fn segment(documents: impl IntoIterator<Item = u8>) -> OpenSegment {
    let record = DocRecord::skipped(Grammar::Rust, SIZE, SkipReason::Minified);
    let records = documents.into_iter().map(|n| (key(n), record.clone()));
    let bytes = segment::build_rows(SHA1, records.collect()).unwrap();
    OpenSegment::of_bytes(SHA1, bytes).unwrap()
}

fn cut_of(documents: &BTreeSet<u8>) -> Vec<OpenSegment> {
    let mut all: Vec<(RowKey, u8)> = documents.iter().map(|n| (key(*n), *n)).collect();
    all.sort();
    let measured: Vec<Measured<RowKey>> = all
        .iter()
        .map(|(key, _)| Measured {
            key: *key,
            size: SIZE,
        })
        .collect();
    partition(&measured, Segments::CUT)
        .into_iter()
        .map(|range| segment(all[range].iter().map(|(_, n)| *n)))
        .collect()
}

fn united(set: Vec<OpenSegment>, ledger: &Ledger) -> Vec<OpenSegment> {
    unite(SHA1, set, ledger).unwrap()
}

fn ids(set: &[OpenSegment]) -> BTreeSet<SegmentId> {
    set.iter().map(OpenSegment::id).collect()
}

fn coverage(set: &[OpenSegment]) -> BTreeSet<RowKey> {
    entries(set).into_iter().map(|d| d.key).collect()
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

/// Tombstones of some segments, and of parts of segments, and some denied blobs.
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
        // Every second one has its tombstone in the form it has without denied documents.
        let picked = parts.0.iter().enumerate().map(|(i, at)| {
            let open = at.get(all).clone();
            let rest = (i % 2 == 0).then(|| without_denied(SHA1, open.clone(), &ledger));
            rest.flatten().unwrap_or(open).id()
        });
        let picked: Vec<_> = picked.collect();
        ledger.bury(picked.into_iter().map(PartId::from));
    }
    ledger
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn union_is_a_function_of_the_sets(a in sets(), b in sets(), parts in ledgers()) {
        let all = [a.clone(), b.clone()].concat();
        let ledger = ledger(&all, &parts);
        let both = united(all.clone(), &ledger);
        let turned = united([b.clone(), a.clone()].concat(), &ledger);
        prop_assert_eq!(ids(&both), ids(&turned));
        prop_assert_eq!(ids(&both), ids(&united(both.clone(), &ledger)));
        let again = united([both.clone(), a.clone()].concat(), &ledger);
        prop_assert_eq!(ids(&both), ids(&again));

        // What is covered is what segments that may stay have of blobs that may be recorded.
        let stays = all.iter().filter(|open| !ledger.has_tombstone(open.id().into())).cloned();
        let rests = stays.filter_map(|open| without_denied(SHA1, open, &ledger));
        let mut want = BTreeSet::new();
        for rest in rests.filter(|rest| !ledger.has_tombstone(rest.id().into())) {
            let segment = rest.segment();
            want.extend(segment.doc_ids().map(|doc| segment.row_key(doc)));
        }
        prop_assert!(want.iter().all(|key| !ledger.denies(key.doc.blob)));
        prop_assert_eq!(&coverage(&both), &want);
        prop_assert_eq!(&coverage(&add(SHA1, all, &ledger)), &want);
        prop_assert!(both.iter().all(|open| !ledger.has_tombstone(open.id().into())));
    }

    #[test]
    fn a_canonical_cut_wins(documents in proptest::collection::btree_set(0_u8..60, 1..60), parts in proptest::collection::vec(proptest::collection::vec(any::<prop::sample::Index>(), 1..20), 0..6)) {
        let cut = cut_of(&documents);
        let all: Vec<u8> = documents.iter().copied().collect();
        let others = parts.iter().map(|part| segment(part.iter().map(|at| *at.get(&all)).collect::<BTreeSet<_>>()));
        let mut set: Vec<OpenSegment> = others.collect();
        set.push(segment(all.clone()));
        set.extend(cut.clone());
        prop_assert_eq!(ids(&united(set, &Ledger::default())), ids(&cut));
    }
}

#[test]
fn a_segment_of_denied_documents_alone_is_gone() {
    let mut ledger = Ledger::default();
    ledger.deny([blob(1), blob(2)]);
    let set = united(
        vec![segment([1, 2]), segment([2, 3]), segment([4])],
        &ledger,
    );
    assert_eq!(ids(&set), ids(&[segment([3]), segment([4])]));
}

#[test]
fn what_is_left_of_a_segment_may_have_a_tombstone_too() {
    let mut ledger = Ledger::default();
    ledger.deny([blob(1)]);
    ledger.bury([segment([3]).id().into()]);
    assert!(united(vec![segment([1, 3])], &ledger).is_empty());
}

/// Sets of numbers.
enum Numbers {}

impl Entry for u8 {
    type Key = u8;
    fn key(&self) -> u8 {
        *self
    }
    fn bits(&self) -> [u8; MOST_BITS] {
        let mut bits = [0; MOST_BITS];
        bits[0] = *self;
        bits
    }
    fn weight(&self) -> u64 {
        1
    }
}

impl Kind for Numbers {
    type Id = SegmentId;
    /// Sorted and distinct; its bytes are the numbers.
    type Body = Vec<u8>;
    type Entry = u8;

    const NAME: &'static str = "numbers";
    const COUNTED: [&'static str; 2] = ["the test", "numbers"];
    const FOLDER: &'static str = "numbers";
    const MESSAGE: &'static str = "numbers";
    const MAX_PARTS: usize = 100;
    const MAX_BYTES: usize = 100;
    const CUT: u64 = 4;
    const FILES: Files = Files::None;

    fn parse(bytes: Bytes, _hash: Hash) -> Result<Self::Body, String> {
        Ok(bytes.into())
    }
    fn verify(_body: &Self::Body) -> Result<(), String> {
        Ok(())
    }
    fn merge(
        _hash: Hash,
        parts: &[&Self::Body],
        keep: &dyn Fn(&u8) -> bool,
    ) -> Result<Self::Body, segment::Error> {
        let all = parts.iter().flat_map(|part| part.iter().copied());
        let distinct: BTreeSet<u8> = all.filter(|n| keep(n)).collect();
        Ok(distinct.into_iter().collect())
    }
    fn bytes(body: &Self::Body) -> &[u8] {
        body
    }
    fn len(body: &Self::Body) -> usize {
        body.len()
    }
    fn keys(body: &Self::Body) -> impl Iterator<Item = u8> {
        body.iter().copied()
    }
    fn ends(body: &Self::Body) -> Option<(u8, u8)> {
        Some((*body.first()?, *body.last()?))
    }
    fn covers(body: &Self::Body, key: &u8) -> bool {
        body.contains(key)
    }
    fn entries(body: &Self::Body) -> impl Iterator<Item = u8> {
        body.iter().copied()
    }
    fn subject(_key: &u8) -> Subject {
        Subject::Blob(blob(0))
    }
    fn keeps(_keep: Keep, _key: &u8) -> bool {
        true
    }
}

fn numbers(all: impl IntoIterator<Item = u8>) -> Part<Numbers> {
    let distinct: BTreeSet<u8> = all.into_iter().collect();
    Part::built(SHA1, distinct.into_iter().collect()).unwrap()
}

fn number_sets() -> impl Strategy<Value = Vec<Part<Numbers>>> {
    let one = proptest::collection::btree_set(0_u8..20, 0..6).prop_map(numbers);
    proptest::collection::vec(one, 0..8)
}

fn all_numbers(set: &[Part<Numbers>]) -> BTreeSet<u8> {
    set.iter().flat_map(Part::keys).collect()
}

fn names(set: &[Part<Numbers>]) -> Vec<SegmentId> {
    set.iter().map(Part::id).collect()
}

proptest! {
    #[test]
    fn union_commutes_is_idempotent_and_loses_nothing(a in number_sets(), b in number_sets()) {
        let both = normalize([a.clone(), b.clone()].concat());
        prop_assert_eq!(names(&both), names(&normalize([b.clone(), a.clone()].concat())));
        prop_assert_eq!(names(&both), names(&normalize(both.clone())));
        prop_assert_eq!(names(&both), names(&normalize([both.clone(), a.clone()].concat())));
        prop_assert_eq!(all_numbers(&both), all_numbers(&[a, b].concat()));
    }

    #[test]
    fn nothing_that_is_kept_is_covered_by_larger_ones(a in number_sets()) {
        let kept = normalize(a);
        for part in &kept {
            let larger: Vec<_> = kept.iter().filter(|of| of.len() > part.len()).cloned().collect();
            let own: BTreeSet<u8> = part.keys().collect();
            prop_assert!(!own.is_subset(&all_numbers(&larger)));
        }
    }

    #[test]
    fn a_collection_is_the_canonical_cut_of_what_it_keeps(a in number_sets(), most in 0_u8..20) {
        let kept = collect(SHA1, a.clone(), &|n| *n < most, &mut |_| Ok(())).unwrap();
        let want: BTreeSet<u8> = all_numbers(&a).into_iter().filter(|n| *n < most).collect();
        prop_assert_eq!(kept.kept + kept.dropped, all_numbers(&a).len());
        prop_assert_eq!(all_numbers(&kept.set), want.clone());
        let alone: Vec<_> = want.iter().map(|n| numbers([*n])).collect();
        let mut seen = Vec::new();
        let mut put_away = |made: &mut Vec<_>| {
            seen.push(made.len());
            Ok(())
        };
        let again = collect(SHA1, alone, &|_| true, &mut put_away).unwrap();
        prop_assert_eq!(names(&again.set), names(&kept.set));
        prop_assert!(seen.is_sorted() && seen.last().copied().unwrap_or(0) == kept.set.len());
        prop_assert!(kept.set.iter().all(|part| part.len() <= 4));
        let loses = a.iter().filter(|part| part.keys().any(|n| n >= most));
        let loses: BTreeSet<PartId> = loses.map(|part| part.id().into()).collect();
        prop_assert_eq!(kept.shrunk.into_iter().collect::<BTreeSet<_>>(), loses);
    }

    #[test]
    fn nothing_private_travels(a in number_sets(), b in number_sets(), private in proptest::collection::btree_set(0_u8..20, 0..9)) {
        let hidden = private.iter().copied().collect();
        let travelling = without(SHA1, a.clone(), &hidden, &b).unwrap();
        let sent = all_numbers(&travelling);
        prop_assert!(sent.is_disjoint(&private));
        let public: BTreeSet<u8> = all_numbers(&a).difference(&private).copied().collect();
        let there: BTreeSet<u8> = sent.union(&all_numbers(&b)).copied().collect();
        prop_assert!(public.is_subset(&there));
    }
}

#[test]
fn a_compacted_part_replaces_its_inputs() {
    let parts: Vec<_> = [[1, 2], [3, 4], [2, 5]].map(numbers).into();
    let merged = numbers([1, 2, 3, 4, 5]);
    let apart = numbers([9]);
    let all = [parts, vec![merged.clone(), apart.clone()]].concat();
    let mut want = names(&[merged, apart]);
    want.sort();
    assert_eq!(names(&normalize(all)), want);
}
