//! Forgetting blobs: nothing is recorded of them any more, here and wherever this index goes.

use super::proof::prove_denied;
use super::publish::{ATTEMPTS, Durable, Move, Next, settle, swap};
use super::snapshot::{OpenSegment, Snapshot};
use super::unite::{add, holds_denied};
use super::{Error, cache, trace};
use crate::git::Repo;
use crate::git::refs::{Turn, backoff};
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
    /// Blobs of which it was known what ran.
    pub traces: usize,
}

/// Rewrites the index without any document of `blobs`, remembers never to record one again, and
/// removes what is kept of them beside the object store.
///
/// # Errors
/// [`Error::TooManyDenied`], [`Error::Contended`], or what the repository said.
pub fn forget(repo: &Repo, blobs: &BTreeSet<BlobId>) -> Result<Forgotten, Error> {
    let mut known = Snapshot::default();
    let mut durable = Durable::default();
    let mut turn = Turn::default();
    for attempt in 1..=ATTEMPTS {
        turn.take(repo, attempt - 1);
        let current = Snapshot::reopen(repo, &known)?;
        let mut out = would_forget(repo, current, blobs)?;
        let current = &out.snapshot;
        let mut ledger = current.ledger().clone();
        ledger.deny(blobs.iter().copied());
        if ledger.denied().len() > MAX_DENIED {
            return Err(Error::TooManyDenied {
                found: ledger.denied().len(),
                limit: MAX_DENIED,
            });
        }
        let set = prove_denied(repo, current.segments().to_vec(), &ledger)?;
        let set = add(set, &ledger);
        let mut warnings = Vec::new();
        let keep = |blob| !ledger.denies(blob);
        let traces = trace::without(repo, current.traces(), &keep, &mut warnings)?.pieces;
        let vectors = current
            .vectors()
            .carry(repo, current.segments(), &set, &ledger)?;
        let mut next = Next {
            set,
            traces,
            vectors,
            // It tells nothing of what blobs hold.
            log: current.log().clone(),
            ledger,
        };
        // What is left may be what was absorbed before.
        next.revive();
        durable
            .ids
            .extend(current.segments().iter().map(OpenSegment::id));
        let why = Move::Drops("index: forget");
        if let Some(tip) = swap(repo, current.tip, &next, &mut durable, why)? {
            out.snapshot = settle(repo, tip, next);
            out.snapshot.warnings.extend(warnings);
            let kept: Vec<_> = out
                .snapshot
                .segments()
                .iter()
                .map(OpenSegment::id)
                .collect();
            cache::retain(repo, &kept);
            repo.kept().remove_others();
            return Ok(out);
        }
        known = out.snapshot;
        std::thread::sleep(backoff(attempt));
    }
    Err(Error::Contended { attempts: ATTEMPTS })
}

/// Says what [`forget`] would do to an index.
///
/// # Errors
/// What the repository said.
pub fn would_forget(
    repo: &Repo,
    snapshot: Snapshot,
    blobs: &BTreeSet<BlobId>,
) -> Result<Forgotten, Error> {
    let mut ledger = super::Ledger::default();
    ledger.deny(blobs.iter().copied());
    let (mut documents, mut segments) = (FxHashSet::default(), 0);
    for open in snapshot.segments() {
        if holds_denied(open, &ledger) {
            segments += 1;
            let segment = open.segment();
            let keys = segment.doc_ids().map(|doc| segment.key(doc));
            documents.extend(keys.filter(|key| ledger.denies(key.blob)));
        }
    }
    let keep = |blob| !ledger.denies(blob);
    let traces = trace::without(repo, snapshot.traces(), &keep, &mut Vec::new())?.dropped;
    let known = snapshot.ledger();
    Ok(Forgotten {
        blobs: blobs.iter().filter(|blob| !known.denies(**blob)).count(),
        documents: documents.len(),
        segments,
        traces,
        snapshot,
    })
}
