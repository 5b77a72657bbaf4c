//! Dropping what compilers said.

use super::blobs;
use crate::git::Repo;
use crate::id::BlobId;
use crate::store::error::Error;
use crate::store::publish::{Durable, Move, replace};
use crate::store::snapshot::Snapshot;

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
