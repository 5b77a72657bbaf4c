//! Forgetting blobs: nothing is recorded of them any more, here and wherever this index goes.

use super::publish::{ATTEMPTS, settle, swap};
use super::snapshot::{OpenSegment, Snapshot};
use super::unite::{add, holds_denied};
use super::{Error, cache};
use crate::git::Repo;
use crate::git::refs::backoff;
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
}

/// Rewrites the index without any document of `blobs`, remembers never to record one again, and
/// removes what is kept of them beside the object store.
///
/// # Errors
/// [`Error::TooManyDenied`], [`Error::Contended`], or what the repository said.
pub fn forget(repo: &Repo, blobs: &BTreeSet<BlobId>) -> Result<Forgotten, Error> {
    let mut known = Snapshot::default();
    let mut durable = FxHashSet::default();
    for attempt in 1..=ATTEMPTS {
        let current = Snapshot::reopen(repo, &known)?;
        let mut out = would_forget(current, blobs);
        let current = &out.snapshot;
        let mut ledger = current.ledger().clone();
        ledger.deny(blobs.iter().copied());
        if ledger.denied().len() > MAX_DENIED {
            return Err(Error::TooManyDenied {
                found: ledger.denied().len(),
                limit: MAX_DENIED,
            });
        }
        let set = add(current.segments().to_vec(), &ledger);
        // What is left may be what was absorbed before.
        ledger.revive(set.iter().map(OpenSegment::id));
        durable.extend(current.segments().iter().map(OpenSegment::id));
        if let Some(tip) = swap(repo, current.tip, &set, &ledger, &mut durable)? {
            out.snapshot = settle(repo, tip, set, ledger);
            let kept: Vec<_> = out
                .snapshot
                .segments()
                .iter()
                .map(OpenSegment::id)
                .collect();
            cache::retain(repo, &kept);
            return Ok(out);
        }
        known = out.snapshot;
        std::thread::sleep(backoff(attempt));
    }
    Err(Error::Contended { attempts: ATTEMPTS })
}

/// Says what [`forget`] would do to an index.
pub fn would_forget(snapshot: Snapshot, blobs: &BTreeSet<BlobId>) -> Forgotten {
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
    let known = snapshot.ledger();
    Forgotten {
        blobs: blobs.iter().filter(|blob| !known.denies(**blob)).count(),
        documents: documents.len(),
        segments,
        snapshot,
    }
}
