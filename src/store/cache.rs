//! Segments as files: what is in the object store as a compressed blob is kept a second time
//! under `<common dir>/sverklo/seg/`, ready to be mapped into memory.
//!
//! A file gets its name when it is complete, checked and durable, so a file that can be opened is
//! trusted. Everything here may be deleted at any time, and what is missing, cut short or of
//! another version is made again from the object store.

use super::mmap::Mapped;
use super::{Warning, vectors};
use crate::git::write::blob_id;
use crate::git::{self, Objects, Repo, failpoint};
use crate::id::{BlobId, SegmentId};
use crate::limits::MAX_SEGMENT_BYTES;
use crate::segment::Segment;
use gix::ObjectId;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where the bytes of a segment come from, and so what has to be checked of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// Just built by this process.
    Built,
    /// Read from the object store, into which anyone may have pushed.
    Stored,
}

/// What the name of a file begins with that is still being written.
const TEMP: &str = "new-";

/// Returns the folder of everything we keep beside the object store.
pub(super) fn dir(repo: &Repo) -> PathBuf {
    repo.common_dir().join("sverklo")
}

fn seg_dir(repo: &Repo) -> PathBuf {
    dir(repo).join("seg")
}

/// Names the file of a segment.
pub(super) fn file(repo: &Repo, id: SegmentId) -> PathBuf {
    seg_dir(repo).join(id.to_string())
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
    let path = file(repo, id);
    if let Ok(mapped) = Mapped::open(&path)
        && let Ok(segment) = Segment::open(mapped)
    {
        return Ok(segment);
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
    if segment.hash_kind() != repo.hash() {
        return Err(format!("its hash is {}", segment.hash_kind()));
    }
    if origin == Origin::Stored {
        segment.verify().map_err(|err| err.to_string())?;
    }
    let path = file(repo, id);
    match write(&path, segment.bytes()) {
        Ok(mapped) => Segment::open(mapped).map_err(|err| err.to_string()),
        Err(err) => {
            // A collection that does not know the segment yet has taken the file away again; there
            // will be another. One warning says all else: a full disk fails alike for every one.
            let is_news = err.kind() != std::io::ErrorKind::NotFound
                && !warnings
                    .iter()
                    .any(|warning| matches!(warning, Warning::NoCache { .. }));
            if is_news {
                warnings.push(Warning::NoCache {
                    path,
                    reason: err.to_string(),
                });
            }
            Ok(segment)
        }
    }
}

/// Writes a file so that it has its name only when it is complete and durable, and maps it.
pub(super) fn write(path: &Path, bytes: &[u8]) -> std::io::Result<Mapped> {
    let dir = path.parent().ok_or(std::io::ErrorKind::InvalidInput)?;
    std::fs::create_dir_all(dir)?;
    let mut temp = tempfile::Builder::new().prefix(TEMP).tempfile_in(dir)?;
    // Whoever finds the file unlocked knows that its writer is dead. Where files cannot be locked
    // they are not found so, and stay.
    let _ = temp.as_file().try_lock();
    temp.write_all(bytes)?;
    // Without this a power loss may leave the name on a file of zeros.
    temp.as_file().sync_all()?;
    failpoint::hit("cache-written");
    match temp.persist(path) {
        Ok(_) => Mapped::open(path),
        // Windows does not replace a file that is mapped, and then it is the same content.
        Err(err) => match Mapped::open(path) {
            Ok(there) if there.as_ref() == bytes => Ok(there),
            _ => Err(err.error),
        },
    }
}

/// Removes the files of these segments, as far as the operating system lets them go.
pub(super) fn remove(repo: &Repo, ids: &[SegmentId]) {
    for id in ids {
        let _ = std::fs::remove_file(file(repo, *id));
    }
    vectors::remove(repo, ids);
}

/// Removes the files of segments that are not in `kept`, and what killed processes left behind.
/// Returns the number of bytes that are free now. A file that is in use stays where the operating
/// system keeps it (Windows), and goes the next time.
pub(super) fn retain(repo: &Repo, kept: &[SegmentId]) -> u64 {
    retain_in(&seg_dir(repo), kept) + vectors::retain(repo, kept)
}

/// The same of one folder whose files are named by segments or pieces.
pub(super) fn retain_in(folder: &Path, kept: &[SegmentId]) -> u64 {
    let Ok(files) = std::fs::read_dir(folder) else {
        return 0;
    };
    let mut freed = 0;
    for file in files.flatten() {
        let name = file.file_name();
        let name = name.to_str().unwrap_or_default();
        let is_wanted = match SegmentId::from_hex(name.as_bytes()) {
            Some(id) => kept.contains(&id),
            None => is_being_written(&file.path()),
        };
        if !is_wanted {
            let size = file.metadata().map_or(0, |found| found.len());
            // Another process may have done it already; what stays is only disk space.
            if std::fs::remove_file(file.path()).is_ok() {
                freed += size;
            }
        }
    }
    freed
}

/// Whether a file of ours is still being written by a process that lives.
pub(super) fn is_being_written(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let is_free = |file: File| file.try_lock().is_ok();
    name.as_encoded_bytes().starts_with(TEMP.as_bytes())
        && !File::options().write(true).open(path).is_ok_and(is_free)
}
