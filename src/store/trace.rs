//! Recorded coverage: for each blob the lines that ran under test and those that did not.
//!
//! Guarantees: a trace belongs to a blob, as a document does, and knows no path and no commit. Two
//! traces of one blob unite by set union. What is stored is a function of what was observed and of
//! nothing else: the observations are cut into *pieces* by the bits of their blob ids, and a piece
//! is stored under its own object id like a segment.
//!
//! Unlike documents, traces cannot be derived from the code, and nobody can check what somebody
//! else claims to have seen. They are hints: they may say that a symbol lives, and nothing depends
//! on them.

mod observed;
pub(super) mod piece;

pub use observed::{BlobTrace, Body, Observed};
pub use piece::{TracePieces, decode, encode};

use super::error::Warning;
use super::recorded::unite;
use super::snapshot::Snapshot;
use crate::git::Repo;
use crate::id::BlobId;
use crate::trace::lines::{Lines, Ran};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// The traces of an index, opened for reading.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    observed: Observed,
    /// What was seen of bodies with a hash, counted from the first line of each, which is 0.
    bodies: OnceLock<FxHashMap<u64, Lines>>,
}

impl Traces {
    /// Reads the traces of a snapshot. What cannot be read is left out, with a warning.
    pub fn open(repo: &Repo, snapshot: &Snapshot) -> (Self, Vec<Warning>) {
        let mut warnings = Vec::new();
        let pieces = snapshot.traces().open(repo, &mut warnings);
        let mut observed = Observed::new();
        for piece in pieces {
            let said = piece.body.observed.iter();
            unite(
                &mut observed,
                said.map(|(blob, trace)| (*blob, trace.clone())),
            );
        }
        (Self::of(observed), warnings)
    }

    /// Wraps observations.
    pub fn of(observed: Observed) -> Self {
        Self {
            observed,
            bodies: OnceLock::new(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.observed.is_empty()
    }

    /// Number of blobs with a trace.
    pub fn len(&self) -> usize {
        self.observed.len()
    }

    /// The blobs with a trace, in order.
    pub fn blobs(&self) -> impl ExactSizeIterator<Item = BlobId> + '_ {
        self.observed.keys().copied()
    }

    /// What was observed of the lines of a blob, from 1; `None` when nobody watched it.
    pub fn lines(&self, blob: BlobId) -> Option<&Lines> {
        self.observed.get(&blob).map(|trace| &trace.lines)
    }

    /// What was observed of functions with this body, in whatever blob: lines counted from the
    /// first of the definition, which is 0. `None` when nobody watched one.
    ///
    /// Functions with equal text share what was seen of any of them.
    pub fn seen(&self, body_hash: u64) -> Option<&Lines> {
        self.bodies
            .get_or_init(|| {
                let mut bodies: FxHashMap<u64, Lines> = FxHashMap::default();
                for trace in self.observed.values() {
                    for body in &trace.bodies {
                        let seen = trace.lines.within(body.first, body.last);
                        bodies.entry(body.hash).or_default().unite(&seen);
                    }
                }
                bodies
            })
            .get(&body_hash)
    }

    /// Whether a symbol ran that stands on the lines from `first` to `last` of a blob, both
    /// included. A trace of the blob itself decides; else what was seen of equal bodies.
    pub fn symbol(&self, blob: BlobId, first: u32, last: u32, body_hash: u64) -> Ran {
        let here = self.lines(blob).map(|lines| lines.within(first, last));
        match here.map_or(Ran::Unknown, |lines| lines.symbol()) {
            Ran::Unknown => self.seen(body_hash).map_or(Ran::Unknown, Lines::symbol),
            known => known,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::lines::LineSet;
    use std::collections::BTreeSet;

    fn blob(n: u8) -> BlobId {
        BlobId::from_bytes(&[n; 20]).unwrap()
    }

    fn lines(executed: &[(u32, u32)], missed: &[(u32, u32)]) -> Lines {
        let set = |ranges: &[(u32, u32)]| LineSet::of_ranges(ranges.to_vec());
        Lines::new(set(executed), set(missed))
    }

    #[test]
    fn a_function_is_known_again_after_its_lines_moved() {
        let body = |first: u32, hash: u64| Body {
            first,
            last: first + 3,
            hash,
        };
        let traces = Traces::of(Observed::from([
            (
                blob(1),
                BlobTrace {
                    lines: lines(&[(1, 2), (11, 12)], &[(12, 14), (21, 22)]),
                    bodies: BTreeSet::from([body(10, 7), body(20, 8)]),
                },
            ),
            (
                blob(2),
                BlobTrace {
                    lines: lines(&[(51, 52)], &[(52, 53)]),
                    bodies: BTreeSet::from([body(50, 9)]),
                },
            ),
        ]));
        assert_eq!(traces.seen(7), Some(&lines(&[(1, 2)], &[(2, 4)])));
        assert_eq!(traces.seen(1), None);
        // The blob itself was watched.
        assert_eq!(traces.symbol(blob(1), 10, 13, 7), Ran::Yes);
        assert_eq!(traces.symbol(blob(1), 20, 23, 9), Ran::No);
        // It was not, but the same text elsewhere was.
        assert_eq!(traces.symbol(blob(3), 70, 73, 7), Ran::Yes);
        assert_eq!(traces.symbol(blob(3), 70, 73, 8), Ran::No);
        assert_eq!(traces.symbol(blob(3), 70, 73, 1), Ran::Unknown);
        // Lines that nobody watched say nothing of a function on them.
        assert_eq!(traces.symbol(blob(2), 10, 13, 8), Ran::No);
        assert_eq!(traces.symbol(blob(2), 10, 13, 6), Ran::Unknown);
        assert_eq!(traces.lines(blob(1)).unwrap().line(2), Ran::Unknown);
    }
}
