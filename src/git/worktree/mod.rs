//! Which files of the work tree differ from the tree of `HEAD`.
//!
//! The question is git's own (`git status`), with one difference: filters that the configuration
//! names are programs, and none is ever run. Line endings, `ident` and encodings, which are built
//! into git, are normalised. So a file kept by a filter (Git LFS) counts as changed once its stat
//! information no longer matches the git index.
//!
//! Guarantees: neither objects nor the git index are written, and no lock is taken (what was read and found to be
//! as committed is noted beside the object store, `compared`); no
//! file outside the work tree is read, whatever is a symbolic link; what is held in memory is
//! bounded. Symbolic links, submodules, nested repositories and ignored files are left out, and a
//! file that a sparse checkout leaves out counts as unchanged.

mod compare;
mod compared;
mod events;
mod index;
mod listening;
mod look;
mod monitor;
mod once;
mod rules;
mod untracked;
mod watch;

use super::error::Error;
use super::objects::Objects;
use super::path::RepoPath;
use super::repo::Repo;
use super::tree::TreeEntry;
use super::write::blob_id;
use crate::id::BlobId;
use crate::limits::MAX_PARSED_BYTES;
pub(in crate::git) use rules::Stamp;
use std::sync::Arc;
pub use watch::{Alarm, Tells, Unwatched, Watch};

/// A path at which the work tree differs from `HEAD`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dirty {
    /// Where.
    pub path: RepoPath,
    /// What is there now.
    pub state: DirtyState,
}

/// What the work tree has where `HEAD` has something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DirtyState {
    /// A file.
    Content {
        /// The id its content would have as a blob; such an object need not exist.
        id: BlobId,
        /// The content as git would store it.
        bytes: Arc<Vec<u8>>,
    },
    /// A file that is too large to be looked at.
    TooLarge {
        /// Its size in bytes.
        size: u64,
    },
    /// Nothing, or nothing that is a file.
    Deleted,
}

/// Everything that is not committed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Status {
    /// The differing paths, ordered by their bytes.
    pub dirty: Vec<Dirty>,
    /// Set when there were more than the limits allow, and the list is cut off.
    pub truncated: bool,
}

impl Status {
    /// Returns how many bytes the listed files have together.
    fn bytes(&self) -> usize {
        let sizes = self.dirty.iter().map(|dirty| match &dirty.state {
            DirtyState::Content { bytes, .. } => bytes.len(),
            DirtyState::TooLarge { .. } | DirtyState::Deleted => 0,
        });
        sizes.sum()
    }
}

/// Reads the file at `path` of the work tree if it is, byte for byte, the blob `id`.
///
/// For a file that was not edited this is several times cheaper than inflating the blob through
/// its chain of deltas. `None` in every other case, among them line endings that were converted.
pub fn read_unchanged(
    repo: &Repo,
    objects: &Objects,
    path: &RepoPath,
    id: BlobId,
) -> Option<Vec<u8>> {
    let place = path.under(repo.work_dir()?)?;
    let found = std::fs::symlink_metadata(&place).ok()?;
    if !found.is_file() || found.len() > MAX_PARSED_BYTES as u64 {
        return None;
    }
    if is_of_other_size(objects, id, found.len()) {
        return None;
    }
    let bytes = std::fs::read(&place).ok()?;
    (blob_id(repo.hash(), &bytes).ok()? == id).then_some(bytes)
}

/// Whether a blob has another size than this. It is told by the blob's header, at a small part of what it takes to hash
/// a file: of an old state most files were edited since. False where the object is not here, as in a partial clone.
fn is_of_other_size(objects: &Objects, id: BlobId, size: u64) -> bool {
    objects.blob_size(id).is_ok_and(|found| found != size)
}

/// What the work tree has, looked at before it is known what it is compared with.
pub struct Sighted {
    index: index::Index,
    seen: look::Walked,
}

impl Sighted {
    /// Looks at all of it. Fails with [`Error::Index`] when the git index cannot be read.
    pub fn of(repo: &Repo) -> Result<Self, Error> {
        let index = index::Index::read(&repo.local())?;
        let seen = look::Walked::of(repo, &index);
        Ok(Self { index, seen })
    }

    /// Compares it with the listing of `HEAD`'s tree (empty when there is no commit).
    ///
    /// # Errors
    /// [`Error::Bare`] without a work tree. A single file that cannot be read counts as deleted.
    pub fn beside(self, repo: &Repo, head: &[TreeEntry]) -> Result<Status, Error> {
        look::everything(repo, &self.index, head, self.seen, &mut look::Unheard)
    }
}

/// Both at once. Fails as [`Sighted::of`] and [`Sighted::beside`] do.
pub fn status(repo: &Repo, head: &[TreeEntry]) -> Result<Status, Error> {
    Sighted::of(repo)?.beside(repo, head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_blob_only_byte_for_byte() {
        let temp = tempfile::tempdir().unwrap();
        let made = gix::init(temp.path()).unwrap();
        let repo = Repo::discover(temp.path()).unwrap();
        let objects = repo.objects();
        let path = RepoPath::new(b"a.txt").unwrap();
        let stored = BlobId::new(made.write_blob("one\n").unwrap().detach());
        let read = |text: &str, id: BlobId| {
            std::fs::write(temp.path().join("a.txt"), text).unwrap();
            read_unchanged(&repo, &objects, &path, id)
        };
        assert_eq!(read("one\n", stored).as_deref(), Some(&b"one\n"[..]));
        assert_eq!(read("two\n", stored), None);
        assert_eq!(read("three\n", stored), None);
        // What is not in the object store is known by its content alone.
        let away = blob_id(repo.hash(), b"four\n").unwrap();
        assert_eq!(read("four\n", away).as_deref(), Some(&b"four\n"[..]));
        // The size settles it before anything is read.
        let other = |id, size| is_of_other_size(&objects, id, size);
        assert!(other(stored, 5) && !other(stored, 4) && !other(away, 4));
    }
}
