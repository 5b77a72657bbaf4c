//! Segments that are about to be written into others are looked at once more.
//!
//! A file was whole when it was opened, which may be long ago. What is written from it becomes what
//! everybody believes, so its bytes must have the id they are named by at that moment.

use super::snapshot::{OpenSegment, Snapshot};
use super::unite::holds_denied;
use super::{Error, Ledger, Warning, cache};
use crate::git::Repo;
use crate::git::write::blob_id;
use crate::id::SegmentId;
use crate::segment::{self, Segment};

/// Returns a segment whose bytes have its id: the same, or what the object store has.
///
/// # Errors
/// [`Error::Damaged`] when the object store does not have it either.
fn proven(repo: &Repo, open: &OpenSegment) -> Result<OpenSegment, Error> {
    let id = open.id();
    if is_whole(repo, open)? {
        return Ok(open.clone());
    }
    repo.kept().remove_damaged(&cache::name(id));
    let damaged = |reason: String| Error::Damaged { id, reason };
    let bytes = cache::read(&mut repo.objects(), id).map_err(|err| damaged(err.to_string()))?;
    let segment = Segment::open(bytes).map_err(|err| damaged(err.to_string()))?;
    segment.verify().map_err(|err| damaged(err.to_string()))?;
    Ok(open.with_bytes(segment.named(id)))
}

fn is_whole(repo: &Repo, open: &OpenSegment) -> Result<bool, Error> {
    let actual = blob_id(repo.hash(), open.segment().bytes())?;
    Ok(SegmentId::new(actual.as_object()) == open.id())
}

/// Replaces the segments of a snapshot whose bytes are not what they were by what the object store has.
///
/// # Errors
/// [`Error::Damaged`].
pub(super) fn prove(repo: &Repo, snapshot: &mut Snapshot) -> Result<(), Error> {
    snapshot.try_map(|open| proven(repo, open))?;
    snapshot
        .warnings
        .extend(repo.kept().recovered().map(Warning::Recovered));
    Ok(())
}

/// The same of those segments alone that are cut anew because they hold what is denied.
///
/// # Errors
/// [`Error::Damaged`].
pub(super) fn prove_denied(
    repo: &Repo,
    segments: Vec<OpenSegment>,
    ledger: &Ledger,
) -> Result<Vec<OpenSegment>, Error> {
    let prove = |open: OpenSegment| match holds_denied(&open, ledger) {
        true => proven(repo, &open),
        false => Ok(open),
    };
    segments.into_iter().map(prove).collect()
}

/// The same of some segments.
///
/// # Errors
/// [`Error::Damaged`].
pub(super) fn prove_all(repo: &Repo, segments: &[OpenSegment]) -> Result<Vec<OpenSegment>, Error> {
    segments.iter().map(|open| proven(repo, open)).collect()
}

/// Names the segment that a merge failed on.
pub(super) fn blamed(parts: &[OpenSegment], err: segment::Error) -> Error {
    let cannot_be_read = |open: &&OpenSegment| open.segment().to_records().is_err();
    match parts.iter().find(cannot_be_read) {
        Some(open) => Error::Damaged {
            id: open.id(),
            reason: err.to_string(),
        },
        None => err.into(),
    }
}
