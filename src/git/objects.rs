//! Reading objects in process.

use super::arrivals;
use super::error::Error;
use crate::id::{BlobId, CommitId};
use gix::ObjectId;
use gix::objs::{Exists, Find, FindHeader, Kind};
use std::cell::{Cell, OnceCell, RefCell};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Most looks for one object while packs come and go. Each can only fail by another collection of garbage.
const MAX_LOOKS: usize = 16;

/// Largest size that a header is believed, in bytes. A loose object may say any number.
const MAX_SIZE: u64 = 1 << 40;

/// A handle on the object store for one thread; get one from [`super::Repo::objects`].
///
/// It caches pack windows and delta bases, so keep it for a whole batch. Replace refs are
/// ignored, and a missing object is never fetched.
pub struct Objects {
    pub(super) odb: gix::OdbHandle,
    hash: gix::hash::Kind,
    /// Where packs come and go.
    folders: OnceCell<Vec<PathBuf>>,
    /// When they had last come or gone, as of the last look that found nothing.
    packs: RefCell<Vec<Option<SystemTime>>>,
    /// Whether all packs of then are known.
    is_settled: Cell<bool>,
}

impl Objects {
    pub(super) fn new(odb: gix::OdbHandle, hash: gix::hash::Kind) -> Self {
        Self {
            odb,
            hash,
            folders: OnceCell::new(),
            packs: RefCell::default(),
            is_settled: Cell::default(),
        }
    }

    /// Looks for an object, and again as long as packs come and go meanwhile: `git gc` may remove a pack
    /// after its folder was listed and before its index was opened, and what stands in the new one
    /// would seem to be nowhere.
    fn look<T, E>(
        &self,
        id: &gix::oid,
        mut once: impl FnMut() -> Result<Option<T>, E>,
    ) -> Result<Option<T>, E> {
        if self.still_lacks(id) {
            return Ok(None);
        }
        for _ in 0..MAX_LOOKS {
            let found = once()?;
            if found.is_some() {
                return Ok(found);
            }
            let packs = self.pack_times();
            let is_settled = packs.iter().flatten().all(|at| arrivals::is_over(*at));
            if self.packs.replace(packs.clone()) == packs && is_settled {
                self.is_settled.set(true);
                break;
            }
        }
        Ok(None)
    }

    /// Whether an object is missing, as far as that can be said without listing the packs again, which takes ten
    /// times as long: a partial clone lacks thousands.
    fn still_lacks(&self, id: &gix::oid) -> bool {
        self.is_settled.get()
            && !self.odb.exists_without_refresh(id)
            && *self.packs.borrow() == self.pack_times()
    }

    /// When packs last came or went here and where this store borrows from, and when it was last said where that is.
    fn pack_times(&self) -> Vec<Option<SystemTime>> {
        let folders = self.folders.get_or_init(|| {
            let store = self.odb.store_ref();
            let stores = arrivals::stores(store);
            let packs = stores.iter().map(|store| store.join("pack"));
            packs.chain([store.path().join("info")]).collect()
        });
        folders
            .iter()
            .map(|folder| arrivals::time(folder))
            .collect()
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

    /// Reads a blob into `out`, replacing what it held. Fails with [`Error::MissingObject`],
    /// [`Error::WrongKind`] or [`Error::CorruptObject`].
    pub fn blob(&mut self, id: BlobId, out: &mut Vec<u8>) -> Result<(), Error> {
        self.read(id.as_object(), Kind::Blob, out)
    }

    /// Returns the size of a blob from its header, without reading the content. Fails with
    /// [`Error::MissingObject`], [`Error::WrongKind`] or [`Error::CorruptObject`].
    pub fn blob_size(&self, id: BlobId) -> Result<u64, Error> {
        let id = id.as_object();
        self.check_hash(id)?;
        let header = self.header(id)?.ok_or(Error::MissingObject(id))?;
        check_kind(id, Kind::Blob, header.kind)?;
        // So no sum of sizes comes near to what a number holds.
        match header.size > MAX_SIZE {
            true => Err(Error::corrupt(
                id,
                "its header says that it is larger than any file",
            )),
            false => Ok(header.size),
        }
    }

    /// Whether the store has the object.
    pub fn contains(&self, id: ObjectId) -> bool {
        let look = || Ok::<_, Error>(self.odb.exists(&id).then_some(()));
        id.kind() == self.hash && self.look(&id, look).is_ok_and(|found| found.is_some())
    }

    /// Whether the store has the object, and it is a commit.
    pub fn has_commit(&self, id: CommitId) -> bool {
        matches!(self.kind(id.as_object()), Ok(Kind::Commit))
    }

    fn header(&self, id: ObjectId) -> Result<Option<gix::objs::Header>, Error> {
        let look = || self.odb.try_header(&id);
        self.look(&id, look).map_err(|err| Error::corrupt(id, err))
    }

    /// Returns the kind of an object.
    pub(super) fn kind(&self, id: ObjectId) -> Result<Kind, Error> {
        self.check_hash(id)?;
        self.header(id)?
            .map(|header| header.kind)
            .ok_or(Error::MissingObject(id))
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
        let look = || {
            let found = self.odb.try_find(&id, out);
            Ok(found
                .map_err(|err| Error::corrupt(id, err))?
                .map(|data| data.kind))
        };
        let actual = self.look(&id, look)?.ok_or(Error::MissingObject(id))?;
        check_kind(id, kind, actual)
    }

    /// Reads an object of whatever kind into `out`; `None` when it cannot be read.
    pub(super) fn read_any(&mut self, id: ObjectId, out: &mut Vec<u8>) -> Option<Kind> {
        self.check_hash(id).ok()?;
        out.clear();
        let look = || {
            Ok::<_, Error>(
                self.odb
                    .try_find(&id, out)
                    .ok()
                    .flatten()
                    .map(|found| found.kind),
            )
        };
        self.look(&id, look).ok().flatten()
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
            Err(Error::MissingObject(id))
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

#[cfg(test)]
mod tests {
    use super::Kind;
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};

    const ROUNDS: usize = 16_000;

    /// Gives a file one more place.
    fn link(from: &Path, to: &Path) {
        std::fs::hard_link(from, to).unwrap();
    }

    #[test]
    fn what_moves_from_pack_to_pack_is_found() {
        let temp = tempfile::tempdir().unwrap();
        let git = |args: &[&str]| {
            let mut command = std::process::Command::new("git");
            let out = command
                .arg("-C")
                .arg(temp.path())
                .args(args)
                .output()
                .unwrap();
            assert!(out.status.success(), "{args:?}");
            String::from_utf8(out.stdout).unwrap().trim().to_owned()
        };
        git(&["init", "-q"]);
        std::fs::write(temp.path().join("a"), "here").unwrap();
        let hex = git(&["hash-object", "-w", "a"]);
        let id = gix::ObjectId::from_hex(hex.as_bytes()).unwrap();
        let objects = temp.path().join(".git/objects");
        let loose = objects.join(&hex[..2]).join(&hex[2..]);
        std::fs::write(temp.path().join("ids"), &hex).unwrap();
        let script = "git -C \"$0\" pack-objects -q \"$0/pack\" < \"$0/ids\"";
        let mut pack = std::process::Command::new("sh");
        let made = pack.args(["-c", script]).arg(temp.path()).output().unwrap();
        let kept = temp.path().join("loose");
        link(&loose, &kept);
        let name = String::from_utf8(made.stdout).unwrap().trim().to_owned();
        let file = |n: usize, kind| objects.join(format!("pack/pack-{n:040x}.{kind}"));
        let made = |kind| temp.path().join(format!("pack-{name}.{kind}"));
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for n in 0..ROUNDS {
                    for kind in ["pack", "idx"] {
                        link(&made(kind), &file(n, kind));
                    }
                    std::fs::remove_file(&loose).unwrap();
                    link(&kept, &loose);
                    for kind in ["idx", "pack"] {
                        std::fs::remove_file(file(n, kind)).unwrap();
                    }
                }
                is_over.store(true, Ordering::Relaxed);
            });
            let (mut lost, mut looks) = (0, 0);
            while !is_over.load(Ordering::Relaxed) {
                looks += 2;
                let repo = crate::git::Repo::discover(temp.path()).unwrap();
                let mut objects = repo.objects();
                let mut bytes = Vec::new();
                lost += usize::from(!objects.contains(id));
                lost += usize::from(objects.read(id, Kind::Blob, &mut bytes).is_err());
            }
            assert_eq!(lost, 0, "of {looks} looks");
        });
    }
}
