//! Reading objects in process.

use super::Error;
use crate::id::BlobId;
use gix::ObjectId;
use gix::objs::{Exists, Find, FindHeader, Kind};
use std::path::Path;

/// A handle on the object store for one thread; get one from [`super::Repo::objects`].
///
/// It caches pack windows and delta bases, so keep it for a whole batch. Replace refs are
/// ignored, and a missing object is never fetched.
pub struct Objects {
    pub(super) odb: gix::OdbHandle,
    hash: gix::hash::Kind,
}

impl Objects {
    pub(super) fn new(odb: gix::OdbHandle, hash: gix::hash::Kind) -> Self {
        Self { odb, hash }
    }

    /// Returns the hash that ids in this store are made with.
    pub fn hash(&self) -> gix::hash::Kind {
        self.hash
    }

    /// Keeps up to so many bytes of delta bases. Whoever reads most objects of a pack, in whatever order,
    /// would else undo each chain of deltas once for each of its links.
    pub fn keep_bases(&mut self, bytes: usize) {
        self.odb.set_pack_cache(move || {
            Box::new(gix::odb::pack::cache::lru::MemoryCappedHashmap::new(bytes))
        });
    }

    /// Reads a blob into `out`, replacing what it held.
    ///
    /// # Errors
    /// [`Error::MissingObject`], [`Error::WrongKind`] or [`Error::CorruptObject`].
    pub fn blob(&mut self, id: BlobId, out: &mut Vec<u8>) -> Result<(), Error> {
        self.read(id.as_object(), Kind::Blob, out)
    }

    /// Returns the size of a blob from its header, without reading the content.
    ///
    /// # Errors
    /// [`Error::MissingObject`], [`Error::WrongKind`] or [`Error::CorruptObject`].
    pub fn blob_size(&self, id: BlobId) -> Result<u64, Error> {
        let id = id.as_object();
        self.check_hash(id)?;
        let header = self.odb.try_header(&id).map_err(|err| corrupt(id, err))?;
        let header = header.ok_or(Error::MissingObject { id })?;
        check_kind(id, Kind::Blob, header.kind)?;
        Ok(header.size)
    }

    /// Whether the store has the object.
    pub fn contains(&self, id: ObjectId) -> bool {
        id.kind() == self.hash && self.odb.exists(&id)
    }

    /// Returns the kind of an object.
    pub(super) fn kind(&self, id: ObjectId) -> Result<Kind, Error> {
        self.check_hash(id)?;
        let header = self.odb.try_header(&id).map_err(|err| corrupt(id, err))?;
        header
            .map(|header| header.kind)
            .ok_or(Error::MissingObject { id })
    }

    /// Reads any object of a known kind into `out`, replacing what it held.
    pub(super) fn read(
        &mut self,
        id: ObjectId,
        kind: Kind,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        self.check_hash(id)?;
        out.clear();
        let found = self
            .odb
            .try_find(&id, out)
            .map_err(|err| corrupt(id, err))?;
        let actual = found.ok_or(Error::MissingObject { id })?.kind;
        check_kind(id, kind, actual)
    }

    /// Reads an object of whatever kind into `out`; `None` when it cannot be read.
    pub(super) fn read_any(&mut self, id: ObjectId, out: &mut Vec<u8>) -> Option<Kind> {
        self.check_hash(id).ok()?;
        out.clear();
        Some(self.odb.try_find(&id, out).ok()??.kind)
    }

    /// Returns what the index of a pack lists; `None` when it cannot be read.
    pub(super) fn ids_in(&self, index: &Path) -> Option<Vec<ObjectId>> {
        let index = gix::odb::pack::index::File::at(index, self.hash).ok()?;
        Some(index.iter().map(|entry| entry.oid).collect())
    }

    /// Ids of another hash cannot be in this store, and some lookups assume that lengths agree.
    fn check_hash(&self, id: ObjectId) -> Result<(), Error> {
        if id.kind() == self.hash {
            Ok(())
        } else {
            Err(Error::MissingObject { id })
        }
    }
}

fn check_kind(id: ObjectId, expected: Kind, actual: Kind) -> Result<(), Error> {
    if expected == actual {
        return Ok(());
    }
    let expected = match expected {
        Kind::Blob => "blob",
        Kind::Tree => "tree",
        Kind::Commit => "commit",
        Kind::Tag => "tag",
    };
    Err(Error::WrongKind {
        id,
        expected,
        actual: actual.to_string(),
    })
}

fn corrupt(id: ObjectId, err: impl std::fmt::Display) -> Error {
    Error::CorruptObject {
        id,
        reason: err.to_string(),
    }
}
