//! Parts as files: what is in the object store as a compressed blob is kept a second time, ready to be read or
//! mapped into memory ([`crate::cache`]).
//!
//! What is kept was checked before it was sealed, so a file whose seal holds is trusted. What is missing,
//! damaged or of another version is made again from the object store.

use super::error::Warning;
use super::kind::{Bytes, Files, Kind};
use crate::git::write::blob_id;
use crate::git::{self, Objects, Repo, failpoint};
use crate::id::{BlobId, PartId};
use gix::ObjectId;

/// Names the file of a part.
pub(super) fn name<K: Kind>(id: K::Id) -> String {
    format!("{}/{id}", K::FOLDER)
}

/// Opens what is kept of a part.
pub(super) fn open_kept<K: Kind>(repo: &Repo, id: K::Id) -> Option<K::Body> {
    if K::FILES == Files::None {
        return None;
    }
    let body = repo.kept().read(&name::<K>(id))?;
    let body = K::parse(Bytes::Kept(body), repo.hash()).ok()?;
    Some(K::named(body, id))
}

/// Opens a part: from its file, or else from the object store, making the file. Problems that were worked
/// around are added to `warnings`. Fails with what makes the part count as absent.
pub(super) fn open<K: Kind>(
    repo: &Repo,
    objects: &mut Objects,
    id: K::Id,
    warnings: &mut Vec<Warning>,
) -> Result<K::Body, Unread> {
    if let Some(body) = open_kept::<K>(repo, id) {
        return Ok(body);
    }
    let body = open_stored::<K>(repo, objects, id)?;
    Ok(keep::<K>(repo, id, K::bytes(&body), warnings).unwrap_or(body))
}

/// Opens a part from the object store, into which anyone may have pushed, whatever its file is like.
/// Fails as [`open`] does.
pub(super) fn open_stored<K: Kind>(
    repo: &Repo,
    objects: &mut Objects,
    id: K::Id,
) -> Result<K::Body, Unread> {
    let object = id.into().as_object();
    let bytes = read_blob(objects, object, K::MAX_BYTES)?;
    let body = K::parse(Bytes::Read(bytes), repo.hash()).map_err(Unread::Unfit)?;
    K::verify(&body).map_err(Unread::Unfit)?;
    Ok(K::named(body, id))
}

/// Why a part or a block of vectors cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Unread {
    /// It is not what it must be, whoever has it.
    Unfit(String),
    /// The object store does not give it, or gives other bytes.
    Unreadable(String),
}

impl Unread {
    /// Says it.
    pub fn reason(self) -> String {
        match self {
            Self::Unfit(reason) | Self::Unreadable(reason) => reason,
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
        return Err(Unread::Unfit(reason));
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

/// Makes the file of a part. Returns what is mapped of it, for who would else hold it in memory.
pub(super) fn keep<K: Kind>(
    repo: &Repo,
    id: K::Id,
    bytes: &[u8],
    warnings: &mut Vec<Warning>,
) -> Option<K::Body> {
    if K::FILES == Files::None {
        return None;
    }
    match write(repo, &name::<K>(id), bytes) {
        // A collection that does not know the part yet may have taken the file away again; there will be
        // another.
        Ok(()) if K::FILES == Files::Mapped => open_kept::<K>(repo, id),
        Ok(()) => None,
        Err(err) => {
            // A collection may have taken the folder away. One warning says all else: a full disk
            // fails alike for every one.
            let is_said = |warning: &Warning| matches!(warning, Warning::NoCache { .. });
            let is_news = err.kind() != std::io::ErrorKind::NotFound;
            if is_news && !warnings.iter().any(is_said) {
                let folder = repo.kept().top().to_owned();
                warnings.push(Warning::NoCache {
                    path: repo.kept().path(&name::<K>(id)).unwrap_or(folder),
                    reason: err.to_string(),
                });
            }
            None
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

/// Removes the files of these parts, as far as the operating system lets them go.
pub(super) fn remove<K: Kind>(repo: &Repo, ids: &[K::Id]) {
    ids.iter()
        .for_each(|id| repo.kept().remove(&name::<K>(*id)));
}

/// Removes the files of a folder that are named by other parts. Returns the number of bytes that are free now.
pub(super) fn retain(repo: &Repo, folder: &str, kept: &[PartId]) -> u64 {
    repo.kept().retain(folder, |name| {
        PartId::from_hex(name.as_bytes()).is_some_and(|id| kept.contains(&id))
    })
}
