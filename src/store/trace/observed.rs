//! What was observed of blobs.

use super::Traces;
use super::piece::Piece;
use crate::git::Repo;
use crate::limits::MAX_SYMBOLS_PER_DOC;
use crate::store::error::Error;
use crate::store::parts::Parts;
use crate::store::pieces::Pieces;
use crate::store::recorded::{ByBlob, OfBlob};
use crate::store::snapshot::Snapshot;
use crate::trace::lines::Lines;
use std::collections::BTreeSet;

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

impl OfBlob for BlobTrace {
    const WHY: &'static str = "index: traces";

    fn unite(&mut self, other: &Self) {
        self.lines.unite(&other.lines);
        self.bodies.extend(&other.bodies);
        // The smallest stay, so the order in which many are united does not matter.
        while self.bodies.len() > MAX_SYMBOLS_PER_DOC {
            self.bodies.pop_last();
        }
    }
    fn covers(&self, other: &Self) -> bool {
        self.lines.covers(&other.lines) && self.bodies.is_superset(&other.bodies)
    }
    fn known(repo: &Repo, snapshot: &Snapshot, _said: &Observed) -> Observed {
        Traces::open(repo, snapshot).0.observed
    }
    fn pieces(repo: &Repo, said: &Observed) -> Result<Pieces, Error> {
        let made = Piece::of(repo.hash(), said.clone());
        Ok(Pieces {
            traces: Parts::unwritten(repo.hash(), made)?,
            ..Pieces::default()
        })
    }
}

/// Observations by blob.
pub type Observed = ByBlob<BlobTrace>;
