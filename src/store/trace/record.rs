//! Recording what was observed.

use super::Traces;
use super::observed::Observed;
use super::piece::Piece;
use crate::git::Repo;
use crate::store::error::Error;
use crate::store::parts::Parts;
use crate::store::pieces::Pieces;
use crate::store::publish::{Addition, Durable, publish};
use crate::store::snapshot::Snapshot;

/// What recording changed.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The index afterwards.
    pub snapshot: Snapshot,
    /// Blobs that had no trace before.
    pub added: usize,
    /// Blobs whose trace says more than before.
    pub extended: usize,
}

/// Adds observations to the index. Those of blobs that it was told to forget are left out. Fails with
/// [`Error::TooManyParts`], [`Error::Contended`], or what the repository said.
pub fn record(repo: &Repo, observed: &Observed) -> Result<Recorded, Error> {
    let mut snapshot = Snapshot::open(repo)?;
    let (added, extended) = would_record(repo, &snapshot, observed);
    if added + extended > 0 {
        let made = Piece::of(repo.hash(), observed.clone());
        let made = Pieces {
            traces: Parts::unwritten(repo.hash(), made)?,
            ..Pieces::default()
        };
        let added = Addition::Pieces(&made, "index: traces");
        snapshot = publish(repo, &snapshot, added, Durable::default())?;
    }
    Ok(Recorded {
        snapshot,
        added,
        extended,
    })
}

/// Says what [`record`] would change in an index: blobs that have no trace yet, and blobs whose
/// trace would say more.
pub fn would_record(repo: &Repo, snapshot: &Snapshot, observed: &Observed) -> (usize, usize) {
    // What cannot be read is about to be replaced; publishing says so.
    let known = Traces::open(repo, snapshot).0.observed;
    let (mut added, mut extended) = (0, 0);
    for (blob, trace) in observed {
        match known.get(blob) {
            _ if snapshot.ledger().denies(*blob) => {}
            None => added += 1,
            Some(known) if !known.covers(trace) => extended += 1,
            Some(_) => {}
        }
    }
    (added, extended)
}
