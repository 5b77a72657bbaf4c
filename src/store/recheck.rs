//! Segments that are about to be written into others are looked at once more.
//!
//! A file was whole when it was opened, which may be long ago. What is written from it becomes what
//! everybody believes, so its bytes must have the id they are named by at that moment.

use super::error::Error;
use super::files;
use super::kind::{Files, Kind, Part};
use super::ledger::Ledger;
use super::segments::OpenSegment;
use crate::git::Repo;
use crate::git::write::blob_id;
use crate::id::{PartId, SegmentId};
use crate::segment;
use gix::hash::Kind as Hash;

/// Returns a part whose bytes have its id: the same, or what the object store has. Fails with
/// [`Error::Damaged`] when the object store does not have it either.
fn rechecked<K: Kind>(repo: &Repo, part: &Part<K>) -> Result<Part<K>, Error> {
    let id: PartId = part.id().into();
    let is_whole = || Ok::<_, Error>(PartId::from(blob_id(repo.hash(), part.bytes())?) == id);
    if K::FILES != Files::Mapped || is_whole()? {
        return Ok(part.clone());
    }
    repo.kept().remove_damaged(&files::name::<K>(part.id()));
    let body = files::open_stored::<K>(repo, &mut repo.objects(), part.id());
    let mut whole = part.with(body.map_err(|why| damaged(id, why.reason()))?);
    whole.is_kept = false;
    Ok(whole)
}

fn damaged(id: PartId, reason: String) -> Error {
    let id = SegmentId::from(id);
    Error::Damaged { id, reason }
}

/// Returns segments, those whose bytes are not what they were by what the object store has, of those alone that are
/// cut anew because they hold what is denied. Fails with [`Error::Damaged`].
pub(super) fn recheck_denied(
    repo: &Repo,
    segments: Vec<OpenSegment>,
    ledger: &Ledger,
) -> Result<Vec<OpenSegment>, Error> {
    let prove = |open: OpenSegment| match open.holds_denied(ledger) {
        true => rechecked(repo, &open),
        false => Ok(open),
    };
    segments.into_iter().map(prove).collect()
}

/// The same of some parts. Fails with [`Error::Damaged`].
pub(super) fn recheck_all<K: Kind>(repo: &Repo, parts: &[Part<K>]) -> Result<Vec<Part<K>>, Error> {
    parts.iter().map(|part| rechecked(repo, part)).collect()
}

/// Names the part that a merge failed on.
pub(super) fn blamed<K: Kind>(hash: Hash, parts: &[Part<K>], err: segment::Error) -> Error {
    let cannot_be_read = |part: &&Part<K>| K::merge(hash, &[&part.body], &|_| true).is_err();
    match parts.iter().find(cannot_be_read) {
        Some(part) => damaged(part.id().into(), err.to_string()),
        None => err.into(),
    }
}
