//! What was observed of blobs.

use crate::id::BlobId;
use crate::limits::MAX_SYMBOLS_PER_DOC;
use crate::trace::lines::Lines;
use std::collections::{BTreeMap, BTreeSet};

/// A function of a blob, known again by its body when the blob has changed elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Body {
    /// First line of its definition, from 1.
    pub first: u32,
    /// Last line of it, inclusive.
    pub last: u32,
    /// The hash of its text, which is [`crate::extract::record::Symbol::body_hash`].
    pub hash: u64,
}

/// What was observed of one blob.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BlobTrace {
    /// Its lines, from 1.
    pub lines: Lines,
    /// Its functions, as far as lines of them were watched.
    pub bodies: BTreeSet<Body>,
}

impl BlobTrace {
    /// Adds what somebody else observed of the same blob.
    pub fn unite(&mut self, other: &Self) {
        self.lines.unite(&other.lines);
        self.bodies.extend(&other.bodies);
        // The smallest stay, so the order in which many are united does not matter.
        while self.bodies.len() > MAX_SYMBOLS_PER_DOC {
            self.bodies.pop_last();
        }
    }

    /// Whether it says all that another one says.
    pub fn covers(&self, other: &Self) -> bool {
        self.lines.covers(&other.lines) && self.bodies.is_superset(&other.bodies)
    }
}

/// Observations by blob.
pub type Observed = BTreeMap<BlobId, BlobTrace>;

/// Adds observations to others.
pub(super) fn unite(to: &mut Observed, more: impl IntoIterator<Item = (BlobId, BlobTrace)>) {
    for (blob, trace) in more {
        match to.get_mut(&blob) {
            Some(known) => known.unite(&trace),
            None => drop(to.insert(blob, trace)),
        }
    }
}
