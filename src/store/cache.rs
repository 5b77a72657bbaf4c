//! Segments as files: what is in the object store as a compressed blob is kept a second time, ready to be
//! mapped into memory ([`crate::cache`]).
//!
//! What is kept was checked before it was sealed, so a file whose seal holds is trusted. What is missing,
//! damaged or of another version is made again from the object store.

use super::{Warning, vectors};
use crate::git::write::blob_id;
use crate::git::{self, Objects, Repo, failpoint};
use crate::id::{BlobId, SegmentId};
use crate::limits::MAX_SEGMENT_BYTES;
use crate::segment::Segment;
use gix::ObjectId;

/// Where the bytes of a segment come from, and so what has to be checked of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// Just built by this process.
    Built,
    /// Read from the object store, into which anyone may have pushed.
    Stored,
}

/// Folder of the segments among what is kept.
const FOLDER: &str = "seg";

/// Names the file of a segment.
pub(super) fn name(id: SegmentId) -> String {
    format!("{FOLDER}/{id}")
}

/// Opens a segment: from its file, or else from the object store, making the file.
///
/// Problems that were worked around are added to `warnings`; the error is the one that makes the
/// segment count as absent.
pub(super) fn open(
    repo: &Repo,
    objects: &mut Objects,
    id: SegmentId,
    warnings: &mut Vec<Warning>,
) -> Result<Segment, Warning> {
    if let Some(body) = repo.kept().read(&name(id))
        && let Ok(segment) = Segment::open(body)
    {
        return Ok(segment.named(id));
    }
    let bytes = read(objects, id)?;
    keep(repo, id, bytes, Origin::Stored, warnings)
        .map_err(|reason| Warning::BadSegment { id, reason })
}

/// Reads the bytes of a segment from the object store; they are those that its name stands for.
pub(super) fn read(objects: &mut Objects, id: SegmentId) -> Result<Vec<u8>, Warning> {
    read_blob(objects, id.as_object(), MAX_SEGMENT_BYTES).map_err(|err| match err {
        Unread::TooLarge(reason) => Warning::BadSegment { id, reason },
        Unread::Unreadable(reason) => Warning::UnreadableSegment { id, reason },
    })
}

/// Why the bytes of a blob are not there.
pub(super) enum Unread {
    /// It has more than it may have.
    TooLarge(String),
    /// The object store does not give it, or gives other bytes.
    Unreadable(String),
}

impl From<Unread> for String {
    fn from(err: Unread) -> Self {
        match err {
            Unread::TooLarge(reason) | Unread::Unreadable(reason) => reason,
        }
    }
}

/// Reads a blob of at most so many bytes; they are those that its name stands for.
pub(super) fn read_blob(
    objects: &mut Objects,
    id: ObjectId,
    limit: usize,
) -> Result<Vec<u8>, Unread> {
    let unreadable = |err: git::Error| Unread::Unreadable(err.to_string());
    let blob = BlobId::new(id);
    let size = objects.blob_size(blob).map_err(unreadable)?;
    if size > limit as u64 {
        let reason = format!("it has {size} bytes, where {limit} is the limit");
        return Err(Unread::TooLarge(reason));
    }
    let mut bytes = Vec::new();
    objects.blob(blob, &mut bytes).map_err(unreadable)?;
    let actual = blob_id(objects.hash(), &bytes).map_err(unreadable)?;
    if actual != blob {
        let reason = format!("its bytes have the id {actual}");
        return Err(Unread::Unreadable(reason));
    }
    Ok(bytes)
}

/// Opens a segment from its bytes, which have its id, and makes its file; without one, it is held in memory.
pub(super) fn keep(
    repo: &Repo,
    id: SegmentId,
    bytes: Vec<u8>,
    origin: Origin,
    warnings: &mut Vec<Warning>,
) -> Result<Segment, String> {
    let segment = Segment::open(bytes).map_err(|err| err.to_string())?;
    let segment = segment.named(id);
    if segment.hash_kind() != repo.hash() {
        return Err(format!("its hash is {}", segment.hash_kind()));
    }
    if origin == Origin::Stored {
        segment.verify().map_err(|err| err.to_string())?;
    }
    let name = name(id);
    match write(repo, &name, segment.bytes()) {
        Ok(()) => match repo.kept().read(&name) {
            Some(body) => {
                let kept = Segment::open(body).map_err(|err| err.to_string())?;
                Ok(kept.named(id))
            }
            // A collection that does not know the segment yet has taken the file away again; there
            // will be another.
            None => Ok(segment),
        },
        Err(err) => {
            // A collection may have taken the folder away. One warning says all else: a full disk
            // fails alike for every one.
            let is_said = |warning: &Warning| matches!(warning, Warning::NoCache { .. });
            let is_news = err.kind() != std::io::ErrorKind::NotFound;
            if is_news && !warnings.iter().any(is_said) {
                let folder = repo.kept().top().to_owned();
                warnings.push(Warning::NoCache {
                    path: repo.kept().path(&name).unwrap_or(folder),
                    reason: err.to_string(),
                });
            }
            Ok(segment)
        }
    }
}

/// Keeps bytes under a name.
pub(super) fn write(repo: &Repo, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    let writing = repo.kept().begin(name, bytes)?;
    failpoint::hit("cache-written");
    writing
        .finish()
        .or_else(|err| match repo.kept().read(name) {
            // Windows does not replace a file that is mapped, and then it is the same content.
            Some(there) if there.as_ref() == bytes => Ok(()),
            // Taken away under our hands, with its folder.
            _ => Err(err),
        })
}

/// Removes the files of these segments, as far as the operating system lets them go.
pub(super) fn remove(repo: &Repo, ids: &[SegmentId]) {
    ids.iter().for_each(|id| repo.kept().remove(&name(*id)));
    vectors::remove(repo, ids);
}

/// Removes the files of segments that are not in `kept`, and what killed processes left behind.
/// Returns the number of bytes that are free now.
pub(super) fn retain(repo: &Repo, kept: &[SegmentId]) -> u64 {
    retain_in(repo, FOLDER, kept) + vectors::retain(repo, kept) + repo.kept().sweep()
}

/// The same of one folder whose files are named by segments or pieces.
pub(super) fn retain_in(repo: &Repo, folder: &str, kept: &[SegmentId]) -> u64 {
    repo.kept().retain(folder, |name| {
        SegmentId::from_hex(name.as_bytes()).is_some_and(|id| kept.contains(&id))
    })
}
