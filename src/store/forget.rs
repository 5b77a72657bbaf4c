//! Forgetting blobs: nothing is recorded of them any more, here and wherever this index goes.

use super::error::Error;
use super::gc::retain_segments;
use super::ledger::Ledger;
use super::pieces::Counts;
use super::publish::{Durable, Move, Moved, replace};
use super::recheck::recheck_denied;
use super::snapshot::Snapshot;
use super::union::add;
use crate::git::Repo;
use crate::id::BlobId;
use crate::limits::MAX_DENIED;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What forgetting did, or would do.
#[derive(Clone, Debug)]
pub struct Forgotten {
    /// The index afterwards.
    pub snapshot: Snapshot,
    /// Blobs that were not forgotten before.
    pub blobs: usize,
    /// Documents that were recorded of them.
    pub documents: usize,
    /// Segments that held these.
    pub segments: usize,
    /// What was recorded of them besides, by kind.
    pub pieces: Counts,
}

/// Rewrites the index without any document of `blobs`, remembers never to record one again, and
/// removes what is kept of them beside the object store. Fails with [`Error::TooManyDenied`],
/// [`Error::Contended`], or what the repository said.
pub fn forget(repo: &Repo, blobs: &BTreeSet<BlobId>) -> Result<Forgotten, Error> {
    let none = Snapshot::default();
    let moved = replace(repo, &none, Durable::default(), &mut |current, _| {
        let out = would_forget(repo, current.clone(), blobs)?;
        let mut next = current.contents.clone();
        next.ledger.deny(blobs.iter().copied());
        let ledger = &next.ledger;
        if ledger.denied().len() > MAX_DENIED {
            return Err(Error::TooManyDenied {
                found: ledger.denied().len(),
                limit: MAX_DENIED,
            });
        }
        let mut warnings = Vec::new();
        let segments = recheck_denied(repo, next.segments, ledger)?;
        next.segments = add(repo.hash(), segments, ledger);
        next.pieces = next.pieces.without_denied(repo, ledger, &mut warnings)?.0;
        let (from, set) = (current.segments(), &next.segments);
        next.vectors = next.vectors.carry(repo, from, set, ledger)?;
        Ok(Some((next, Move::Drops("index: forget"), (out, warnings))))
    })?;
    let Moved { before, after, out } = moved;
    let mut snapshot = after;
    let Some((mut out, warnings)) = out else {
        return would_forget(repo, before, blobs);
    };
    snapshot.warnings.extend(warnings);
    retain_segments(repo, &snapshot);
    repo.kept().remove_others();
    out.snapshot = snapshot;
    Ok(out)
}

/// Says what [`forget`] would do to an index. Fails with what the repository said.
pub fn would_forget(
    repo: &Repo,
    snapshot: Snapshot,
    blobs: &BTreeSet<BlobId>,
) -> Result<Forgotten, Error> {
    let mut ledger = Ledger::default();
    ledger.deny(blobs.iter().copied());
    let (mut documents, mut segments) = (FxHashSet::default(), 0);
    for open in snapshot.segments() {
        if open.holds_denied(&ledger) {
            segments += 1;
            let segment = open.segment();
            let keys = segment.doc_ids().map(|doc| segment.key(doc));
            documents.extend(keys.filter(|key| ledger.denies(key.blob)));
        }
    }
    let pieces = snapshot.pieces();
    let (_, dropped) = pieces.without_denied(repo, &ledger, &mut Vec::new())?;
    let known = snapshot.ledger();
    Ok(Forgotten {
        blobs: blobs.iter().filter(|blob| !known.denies(**blob)).count(),
        documents: documents.len(),
        segments,
        pieces: dropped,
        snapshot,
    })
}
