//! What an index remembers besides its parts: tombstones of those that must not come back, and which blobs must
//! never be recorded.
//!
//! A set only ever grows by union, so whoever drops something has to say so, or a clone that has
//! not heard of it brings it back. Both lists unite like the segments do: in any order, any number
//! of times, without conflict.

use crate::id::{BlobId, PartId};
use crate::limits::{MAX_DENIED, MAX_TOMBSTONES};
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

/// Tombstones and denied blobs. Empty until a collection drops something.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ledger {
    marks: BTreeMap<PartId, Mark>,
    denied: BTreeSet<BlobId>,
}

impl Ledger {
    /// Whether there is nothing to remember.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty() && self.denied.is_empty()
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
        self.forget_oldest();
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
        (marks, denied).prop_map(|(marks, denied)| Ledger {
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
            prop_assert_eq!(read, a);
        }

        #[test]
        fn any_bytes_are_read_without_harm(text in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut read = Ledger::default();
            read.read_tombstones(&text, SHA1);
            read.read_deny(&text, SHA1);
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
        assert!(!ledger.read_deny(b"0123\n", SHA1));
        assert!(ledger.denied().next().is_none());
    }
}
