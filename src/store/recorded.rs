//! Recording what cannot be made again from the code: what ran under test, and what compilers say.

use super::error::Error;
use super::pieces::Pieces;
use super::publish::{Addition, Durable, publish};
use super::snapshot::Snapshot;
use crate::git::Repo;
use crate::id::BlobId;
use std::collections::BTreeMap;

/// What is known of blobs.
pub type ByBlob<T> = BTreeMap<BlobId, T>;

/// What may be said of a blob, and more of it by others.
pub trait OfBlob: Clone {
    /// What the log of the index ref says of an addition.
    const WHY: &'static str;
    /// Adds what somebody else says of the same blob.
    fn unite(&mut self, other: &Self);
    /// Whether it says all that another one says.
    fn covers(&self, other: &Self) -> bool;
    /// What an index says of some blobs, or of more. What cannot be read is left out.
    fn known(repo: &Repo, snapshot: &Snapshot, said: &ByBlob<Self>) -> ByBlob<Self>;
    /// Writes it as pieces. Fails when there is too much of it.
    fn pieces(repo: &Repo, said: &ByBlob<Self>) -> Result<Pieces, Error>;
}

/// Adds what is said to what is known.
pub(super) fn unite<T: OfBlob>(to: &mut ByBlob<T>, more: impl IntoIterator<Item = (BlobId, T)>) {
    for (blob, said) in more {
        match to.get_mut(&blob) {
            Some(known) => known.unite(&said),
            None => drop(to.insert(blob, said)),
        }
    }
}

/// What recording changed.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The index afterwards.
    pub snapshot: Snapshot,
    /// Blobs of which nothing was known before.
    pub added: usize,
    /// Blobs of which more is known than before.
    pub extended: usize,
}

/// Adds what is said of blobs to the index, but for those that it was told to forget. Fails with
/// [`Error::TooManyParts`], [`Error::Contended`], or what the repository said.
pub fn record<T: OfBlob>(repo: &Repo, said: &ByBlob<T>) -> Result<Recorded, Error> {
    let mut done = would_record(repo, Snapshot::open(repo)?, said);
    if done.added + done.extended > 0 {
        let made = T::pieces(repo, said)?;
        let added = Addition::Pieces(&made, T::WHY);
        done.snapshot = publish(repo, &done.snapshot, added, Durable::default())?;
    }
    Ok(done)
}

/// Says what [`record`] would change in an index, and leaves it as it is.
pub fn would_record<T: OfBlob>(repo: &Repo, snapshot: Snapshot, said: &ByBlob<T>) -> Recorded {
    // What cannot be read is about to be replaced; publishing says so.
    let known = T::known(repo, &snapshot, said);
    let (mut added, mut extended) = (0, 0);
    for (blob, said) in said {
        match known.get(blob) {
            _ if snapshot.ledger().denies(*blob) => {}
            None => added += 1,
            Some(known) if !known.covers(said) => extended += 1,
            Some(_) => {}
        }
    }
    Recorded {
        snapshot,
        added,
        extended,
    }
}
