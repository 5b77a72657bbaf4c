//! Recording what compilers said, and dropping it.

use super::blob::Known;
use super::piece::Piece;
use super::{Facts, blobs};
use crate::git::Repo;
use crate::id::BlobId;
use crate::store::error::Error;
use crate::store::parts::Parts;
use crate::store::pieces::Pieces;
use crate::store::publish::{Addition, Durable, Move, publish, replace};
use crate::store::snapshot::Snapshot;

/// What recording changed.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The index afterwards.
    pub snapshot: Snapshot,
    /// Blobs that had no facts before.
    pub added: usize,
    /// Blobs of which more is known than before.
    pub extended: usize,
}

/// Adds facts to the index. Those of blobs that it was told to forget are left out. Fails with
/// [`Error::TooManyParts`], [`Error::Contended`], or what the repository said.
pub fn record(repo: &Repo, facts: &Known) -> Result<Recorded, Error> {
    let mut snapshot = Snapshot::open(repo)?;
    let (added, extended) = would_record(repo, &snapshot, facts);
    if added + extended > 0 {
        let made = Pieces {
            facts: Parts::unwritten(repo.hash(), Piece::of(repo.hash(), facts)?)?,
            ..Pieces::default()
        };
        let added = Addition::Pieces(&made, "index: facts");
        snapshot = publish(repo, &snapshot, added, Durable::default())?;
    }
    Ok(Recorded {
        snapshot,
        added,
        extended,
    })
}

/// Says what [`record`] would change in an index: blobs that have no facts yet, and blobs of which more
/// would be known.
pub fn would_record(repo: &Repo, snapshot: &Snapshot, facts: &Known) -> (usize, usize) {
    // What cannot be read is about to be replaced; publishing says so.
    let known = Facts::open(repo, snapshot, &|blob| facts.contains_key(&blob)).0;
    let (mut added, mut extended) = (0, 0);
    for (blob, of_blob) in facts {
        match known.get(*blob) {
            _ if snapshot.ledger().denies(*blob) => {}
            None => added += 1,
            Some(known) if !known.covers(of_blob) => extended += 1,
            Some(_) => {}
        }
    }
    (added, extended)
}

/// What dropping changed.
#[derive(Clone, Debug)]
pub struct Dropped {
    /// The index afterwards.
    pub snapshot: Snapshot,
    /// Blobs whose facts were dropped.
    pub blobs: usize,
}

/// Drops the facts of blobs. They come back when somebody who has them fetches, or when they are imported
/// again. Fails with [`Error::Contended`], or what the repository said.
pub fn drop_facts(repo: &Repo, is_dropped: &dyn Fn(BlobId) -> bool) -> Result<Dropped, Error> {
    let none = Snapshot::default();
    let moved = replace(repo, &none, Durable::default(), &mut |current, _| {
        let mut warnings = Vec::new();
        let keep = |blob: &BlobId| !is_dropped(*blob);
        let (facts, kept) = current.facts().collect(repo, &keep, &mut warnings)?;
        if kept.dropped == 0 {
            return Ok(None);
        }
        let mut next = current.contents.clone();
        next.ledger.bury(kept.shrunk);
        next.pieces.facts = facts;
        Ok(Some((next, Move::Drops("index: facts"), kept.dropped)))
    })?;
    Ok(Dropped {
        blobs: moved.out.unwrap_or_default(),
        snapshot: moved.after,
    })
}

/// How many blobs [`drop_facts`] would drop the facts of.
pub fn would_drop(repo: &Repo, snapshot: &Snapshot, is_dropped: &dyn Fn(BlobId) -> bool) -> usize {
    let all = blobs(repo, snapshot).into_iter();
    all.filter(|blob| is_dropped(*blob)).count()
}
