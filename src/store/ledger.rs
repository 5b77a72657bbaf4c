//! What an index remembers besides its parts: tombstones of those that must not come back, which blobs must
//! never be recorded, and whose documents are in use.
//!
//! A set only ever grows by union, so whoever drops something has to say so, or a clone that has
//! not heard of it brings it back. All lists unite like the segments do: in any order, any number
//! of times, without conflict.

use crate::extract::record::Fingerprint;
use crate::id::{BlobId, PartId};
use crate::limits::{MAX_DENIED, MAX_TOMBSTONES, MAX_USES};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What was last decided about a part: its tombstone, or that this was taken away. Ordered so that the later decision is the greater one
/// and, of two made at the same time, the one that costs nothing to be wrong about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Mark {
    /// One more than the greatest clock of the ledger in which the decision was made.
    clock: u32,
    /// Whether the part may be used again.
    revived: bool,
}

/// Collections for which documents of another extractor are kept although nobody has used it meanwhile.
const KEPT_FOR: u32 = 8;

/// Tombstones, denied blobs and extractors in use. Empty until a collection drops something or two extractors
/// share an index.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ledger {
    marks: BTreeMap<PartId, Mark>,
    denied: BTreeSet<BlobId>,
    /// When a program that has this extractor was last here, by the number of collections of indexes that more
    /// than one extractor shares.
    uses: BTreeMap<Fingerprint, u32>,
}

impl Ledger {
    /// Whether there is nothing to remember.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty() && self.denied.is_empty() && self.uses.is_empty()
    }

    /// Whether a part was replaced by one that holds less, or lied, so that it must not come back.
    pub fn has_tombstone(&self, id: PartId) -> bool {
        self.marks.get(&id).is_some_and(|mark| !mark.revived)
    }

    /// Whether nothing may be recorded of a blob.
    pub fn denies(&self, blob: BlobId) -> bool {
        self.denied.contains(&blob)
    }

    /// The blobs of which nothing may be recorded, in order.
    pub fn denied(&self) -> impl ExactSizeIterator<Item = BlobId> + '_ {
        self.denied.iter().copied()
    }

    /// Number of parts that must not come back.
    pub fn tombstones(&self) -> usize {
        self.marks.values().filter(|mark| !mark.revived).count()
    }

    /// Adds what another ledger remembers: the later decision about each part, and every
    /// denied blob.
    pub fn unite(&mut self, other: &Self) {
        for (id, mark) in &other.marks {
            let own = self.marks.entry(*id).or_insert(*mark);
            *own = (*own).max(*mark);
        }
        self.denied.extend(&other.denied);
        for (extractor, clock) in &other.uses {
            let own = self.uses.entry(*extractor).or_insert(*clock);
            *own = (*own).max(*clock);
        }
        self.forget_oldest();
    }

    /// Remembers that this program uses those of the extractors in an index that are its own, where it shares
    /// the index with others. One that was not heard of before counts as used now.
    pub fn note_use(
        &mut self,
        extractors: &BTreeSet<Fingerprint>,
        is_ours: impl Fn(Fingerprint) -> bool,
    ) {
        self.note_use_at(self.collections().max(1), extractors, is_ours);
    }

    /// The same for a collection, after which it is later than before.
    pub fn note_collection(
        &mut self,
        extractors: &BTreeSet<Fingerprint>,
        is_ours: impl Fn(Fingerprint) -> bool,
    ) {
        self.note_use_at(self.collections().saturating_add(1), extractors, is_ours);
    }

    fn note_use_at(
        &mut self,
        now: u32,
        extractors: &BTreeSet<Fingerprint>,
        is_ours: impl Fn(Fingerprint) -> bool,
    ) {
        if extractors.iter().all(|extractor| is_ours(*extractor)) {
            return;
        }
        for extractor in extractors {
            let last = self.uses.entry(*extractor).or_insert(now);
            if is_ours(*extractor) {
                *last = now;
            }
        }
        self.forget_oldest();
    }

    /// Says of an extractor whether some program is thought to use it still.
    pub fn in_use(&self) -> impl Fn(Fingerprint) -> bool + '_ {
        let now = self.collections();
        move |extractor| {
            let last = self.uses.get(&extractor);
            last.is_none_or(|last| now - last < KEPT_FOR)
        }
    }

    /// Collections of shared indexes that it knows of.
    fn collections(&self) -> u32 {
        self.uses.values().copied().max().unwrap_or_default()
    }

    /// Gives these parts tombstones: they were replaced by ones that hold less, or they lied.
    pub fn bury(&mut self, ids: impl IntoIterator<Item = PartId>) {
        let clock = self.next_clock();
        for id in ids {
            self.marks.insert(
                id,
                Mark {
                    clock,
                    revived: false,
                },
            );
        }
        self.forget_oldest();
    }

    /// Takes the tombstones of these parts away: somebody needed the same entries and
    /// has built the same bytes again. What had no tombstone is not remembered.
    pub fn revive(&mut self, ids: impl IntoIterator<Item = PartId>) {
        let clock = self.next_clock();
        for id in ids {
            if let Some(mark) = self.marks.get_mut(&id)
                && !mark.revived
            {
                *mark = Mark {
                    clock,
                    revived: true,
                };
            }
        }
    }

    /// Remembers that nothing may be recorded of these blobs.
    pub fn deny(&mut self, blobs: impl IntoIterator<Item = BlobId>) {
        self.denied.extend(blobs);
    }

    fn next_clock(&self) -> u32 {
        let last = self.marks.values().map(|mark| mark.clock).max();
        last.map_or(1, |clock| clock.saturating_add(1))
    }

    /// Keeps the list bounded. Of a forgotten one a stale clone may bring entries
    /// back, which costs space until the next collection.
    fn forget_oldest(&mut self) {
        if let Some(over) = self
            .uses
            .len()
            .checked_sub(MAX_USES)
            .filter(|over| *over > 0)
        {
            let mut order: Vec<(u32, Fingerprint)> =
                self.uses.iter().map(|(of, clock)| (*clock, *of)).collect();
            order.sort_unstable();
            for (_, extractor) in &order[..over] {
                self.uses.remove(extractor);
            }
        }
        if self.marks.len() <= MAX_TOMBSTONES {
            return;
        }
        let mut order: Vec<(Mark, PartId)> =
            self.marks.iter().map(|(id, mark)| (*mark, *id)).collect();
        order.sort_unstable();
        for (_, id) in &order[..order.len() - MAX_TOMBSTONES] {
            self.marks.remove(id);
        }
    }

    /// The `absorbs` file: one line a part, in the order of their ids. Empty for none.
    pub(super) fn tombstones_text(&self) -> String {
        let mut text = String::new();
        for (id, mark) in &self.marks {
            let state = if mark.revived { "revived" } else { "absorbed" };
            writeln!(text, "{id} {} {state}", mark.clock).expect("a string takes any text");
        }
        text
    }

    /// The `deny` file: one line a blob, in order. Empty for no blob.
    pub(super) fn deny_text(&self) -> String {
        let mut text = String::new();
        for blob in &self.denied {
            writeln!(text, "{blob}").expect("a string takes any text");
        }
        text
    }

    /// Reads an `absorbs` file into the ledger; says whether all of it was understood.
    ///
    /// A line that is not understood is left out: at worst, documents come back.
    pub(super) fn read_tombstones(&mut self, text: &[u8], hash: gix::hash::Kind) -> bool {
        let mut sound = true;
        for line in lines(text) {
            let mut words = line.split(|b| *b == b' ');
            let id = words.next().and_then(PartId::from_hex);
            let clock = words
                .next()
                .and_then(|clock| std::str::from_utf8(clock).ok()?.parse().ok());
            let revived = match words.next() {
                Some(b"absorbed") => Some(false),
                Some(b"revived") => Some(true),
                _ => None,
            };
            match (id, clock, revived, words.next()) {
                (Some(id), Some(clock), Some(revived), None)
                    if id.as_object().kind() == hash && self.marks.len() < MAX_TOMBSTONES =>
                {
                    self.marks.insert(id, Mark { clock, revived });
                }
                _ => sound = false,
            }
        }
        sound
    }

    /// The `uses` file: one line an extractor, in order. Empty for none.
    pub(super) fn uses_text(&self) -> String {
        let mut text = String::new();
        for (extractor, clock) in &self.uses {
            writeln!(text, "{extractor} {clock}").expect("a string takes any text");
        }
        text
    }

    /// Reads a `uses` file into the ledger; says whether all of it was understood.
    ///
    /// A line that is not understood is left out: at worst, documents are made anew.
    pub(super) fn read_uses(&mut self, text: &[u8]) -> bool {
        let mut sound = true;
        for line in lines(text) {
            let words = std::str::from_utf8(line)
                .ok()
                .and_then(|line| line.split_once(' '));
            let read = words.and_then(|(extractor, clock)| {
                let is_hex = |b: &u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
                let is_whole = extractor.len() == 16 && extractor.as_bytes().iter().all(is_hex);
                let extractor = u64::from_str_radix(extractor, 16)
                    .ok()
                    .filter(|_| is_whole)?;
                Some((Fingerprint(extractor), clock.parse::<u32>().ok()?))
            });
            match read {
                Some((extractor, clock)) if self.uses.len() < MAX_USES => {
                    self.uses.insert(extractor, clock);
                }
                _ => sound = false,
            }
        }
        sound
    }

    /// Reads a `deny` file into the ledger; says whether all of it was understood.
    pub(super) fn read_deny(&mut self, text: &[u8], hash: gix::hash::Kind) -> bool {
        let mut sound = true;
        for line in lines(text) {
            match BlobId::from_hex(line) {
                Some(blob) if blob.as_object().kind() == hash && self.denied.len() < MAX_DENIED => {
                    self.denied.insert(blob);
                }
                _ => sound = false,
            }
        }
        sound
    }
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|b| *b == b'\n').filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;

    fn segment(n: u8) -> PartId {
        PartId::from_bytes(&[n; 20]).unwrap()
    }

    fn ledgers() -> impl Strategy<Value = Ledger> {
        let marks = proptest::collection::vec((0_u8..12, 1_u32..6, any::<bool>()), 0..12);
        let denied = proptest::collection::btree_set(0_u8..9, 0..5);
        let uses =
            proptest::collection::btree_map((0_u64..9).prop_map(Fingerprint), 0..9_u32, 0..5);
        (marks, denied, uses).prop_map(|(marks, denied, uses)| Ledger {
            uses,
            marks: marks
                .into_iter()
                .map(|(n, clock, revived)| (segment(n), Mark { clock, revived }))
                .collect(),
            denied: denied
                .into_iter()
                .map(|n| BlobId::from_bytes(&[n; 20]).unwrap())
                .collect(),
        })
    }

    fn united(a: &Ledger, b: &Ledger) -> Ledger {
        let mut out = a.clone();
        out.unite(b);
        out
    }

    proptest! {
        #[test]
        fn union_is_one(a in ledgers(), b in ledgers(), c in ledgers()) {
            prop_assert_eq!(united(&a, &b), united(&b, &a));
            prop_assert_eq!(united(&a, &a), a.clone());
            prop_assert_eq!(united(&united(&a, &b), &c), united(&a, &united(&b, &c)));
        }

        #[test]
        fn texts_are_read_back(a in ledgers()) {
            let mut read = Ledger::default();
            prop_assert!(read.read_tombstones(a.tombstones_text().as_bytes(), SHA1));
            prop_assert!(read.read_deny(a.deny_text().as_bytes(), SHA1));
            prop_assert!(read.read_uses(a.uses_text().as_bytes()));
            prop_assert_eq!(read, a);
        }

        #[test]
        fn any_bytes_are_read_without_harm(text in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut read = Ledger::default();
            read.read_tombstones(&text, SHA1);
            read.read_deny(&text, SHA1);
            read.read_uses(&text);
        }
    }

    #[test]
    fn who_decides_later_wins_and_a_revival_wins_a_draw() {
        let mut ours = Ledger::default();
        ours.bury([segment(1), segment(2)]);
        let mut theirs = ours.clone();
        theirs.revive([segment(1), segment(9)]);
        assert!(!theirs.has_tombstone(segment(1)) && theirs.has_tombstone(segment(2)));
        assert!(!theirs.has_tombstone(segment(9)), "it had no tombstone");
        assert!(!united(&ours, &theirs).has_tombstone(segment(1)));
        ours.bury([segment(1)]);
        assert!(
            !united(&ours, &theirs).has_tombstone(segment(1)),
            "decided at the same time: in doubt it is kept"
        );
        ours.bury([segment(1)]);
        assert!(united(&theirs, &ours).has_tombstone(segment(1)));
    }

    #[test]
    fn an_extractor_is_in_use_until_so_many_collections_have_not_met_it() {
        let (ours, theirs) = (Fingerprint(1), Fingerprint(2));
        let both = BTreeSet::from([ours, theirs]);
        let mut ledger = Ledger::default();
        ledger.note_use(&BTreeSet::from([ours]), |of| of == ours);
        assert!(ledger.is_empty(), "nobody else is there");
        ledger.note_use(&both, |of| of == ours);
        let once = ledger.clone();
        ledger.note_use(&both, |of| of == ours);
        assert_eq!(ledger, once, "only collections count");
        for _ in 1..KEPT_FOR {
            ledger.note_collection(&both, |of| of == ours);
            assert!(ledger.in_use()(ours) && ledger.in_use()(theirs));
        }
        let mut back = ledger.clone();
        ledger.note_collection(&both, |of| of == ours);
        assert!(ledger.in_use()(ours) && !ledger.in_use()(theirs));
        back.note_use(&both, |of| of == theirs);
        assert!(
            united(&ledger, &back).in_use()(theirs),
            "they have come back"
        );
        assert!(ledger.in_use()(Fingerprint(3)), "not heard of yet");
    }

    #[test]
    fn the_oldest_are_forgotten_first() {
        let id = |n: u32| PartId::from_bytes(&[&n.to_be_bytes()[..], &[0; 16]].concat()).unwrap();
        let mut ledger = Ledger::default();
        ledger.bury([id(u32::MAX)]);
        ledger.bury((0..MAX_TOMBSTONES as u32).map(id));
        assert_eq!(ledger.tombstones(), MAX_TOMBSTONES);
        assert!(!ledger.has_tombstone(id(u32::MAX)) && ledger.has_tombstone(id(0)));
    }

    #[test]
    fn a_line_that_is_not_understood_is_left_out() {
        let good = segment(7);
        let text = format!("{good} 3 absorbed\n{good} x absorbed\nnonsense\n{good} 1 gone\n");
        let mut ledger = Ledger::default();
        assert!(!ledger.read_tombstones(text.as_bytes(), SHA1));
        assert!(ledger.has_tombstone(good));
        let mut uses = Ledger::default();
        assert!(!uses.read_uses(b"0123 4\n+0000000000000ff 4\n00000000000000ff 4\n"));
        assert_eq!(uses.uses_text(), "00000000000000ff 4\n");
        assert!(!ledger.read_deny(b"0123\n", SHA1));
        assert!(ledger.denied().next().is_none());
    }
}
