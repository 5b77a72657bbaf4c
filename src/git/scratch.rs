//! A repository of our own, in a temporary folder, that borrows the objects of another one.
//!
//! What git makes in it is never part of the borrowed object store, and goes when this does. Nothing
//! that the other repository configures is known in it: no merge driver, no hook, no promisor that a missing
//! object would be fetched from. Commits and trees are named by their ids alone; there are no refs.

use super::error::Error;
use super::objects::Objects;
use super::open::PACK_SLOTS;
use super::repo::Repo;
use super::write::PackWriter;
use super::{program, quoting};
use gix::objs::Write as _;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// Attributes that beat those of the tree. A marker may be as long as an attribute says, gigabytes as well.
const ATTRIBUTES: &str = "* conflict-marker-size=7\n";

/// A repository that is removed when dropped.
pub(super) struct Scratch {
    dir: tempfile::TempDir,
    inner: gix::ThreadSafeRepository,
    hash: gix::hash::Kind,
}

impl Scratch {
    /// Makes one that borrows from `repo`, and is cut off where that is. Fails with [`Error::Io`] when the
    /// temporary folder cannot be written.
    pub fn borrowing(repo: &Repo) -> Result<Self, Error> {
        let place = std::env::temp_dir();
        let dir = tempfile::Builder::new().prefix("git-sverklo-").tempdir();
        let dir = dir.map_err(Error::io(place))?;
        for folder in ["info", "objects/info", "objects/pack", "refs"] {
            let folder = dir.path().join(folder);
            std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        }
        let format = repo.hash().to_string();
        let files = [
            ("HEAD", "ref: refs/heads/none\n".to_owned()),
            ("config", config(&format)),
            ("info/attributes", ATTRIBUTES.to_owned()),
            ("objects/info/alternates", lenders(repo)?),
        ];
        for (name, text) in files {
            let file = dir.path().join(name);
            std::fs::write(&file, text).map_err(Error::io(&file))?;
        }
        if repo.is_shallow() {
            let boundary = repo.common_dir().join("shallow");
            std::fs::copy(&boundary, dir.path().join("shallow")).map_err(Error::io(&boundary))?;
        }
        let options = gix::open::Options::isolated().object_store_slots(PACK_SLOTS);
        let inner = gix::ThreadSafeRepository::open_opts(dir.path(), options);
        let inner = inner.map_err(|err| Error::Unsupported {
            step: "opening a repository in the temporary folder",
            reason: err.to_string(),
        })?;
        Ok(Self {
            inner,
            hash: repo.hash(),
            dir,
        })
    }

    /// Returns a handle for the calling thread on what was made here and all that is borrowed.
    pub fn objects(&self) -> Objects {
        Objects::new(self.inner.to_thread_local().objects, self.hash)
    }

    /// Writes what was collected. Fails with [`Error::Io`].
    pub fn write(&self, pack: &PackWriter) -> Result<(), Error> {
        let objects = self.objects();
        for (kind, bytes) in pack.collected() {
            let written = objects.odb.write_buf(kind, bytes);
            let io = |err: gix::Error| std::io::Error::other(err.to_string());
            written.map_err(io).map_err(Error::io(self.dir.path()))?;
        }
        Ok(())
    }

    /// Prepares `git` in here; arguments are still to be added.
    pub fn git(&self) -> Command {
        program::apart(self.dir.path())
    }
}

/// What makes git read the objects as the lender does.
fn config(format: &str) -> String {
    format!(
        "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = {format}\n"
    )
}

/// The folders of objects, one a line. All that the lender borrows from are named: a relative path counts
/// for git only in the first of them.
fn lenders(repo: &Repo) -> Result<String, Error> {
    let store = repo.local().objects.store();
    let further = store.alternate_db_paths();
    let further = further.map_err(|err| Error::Unsupported {
        step: "reading from which object stores this one borrows",
        reason: err.to_string(),
    })?;
    let mut lines = String::new();
    let all = std::iter::once(store.path()).chain(further.iter().map(AsRef::<Path>::as_ref));
    for folder in all {
        let folder = std::path::absolute(folder).map_err(Error::io(folder))?;
        lines.push_str(&quoting::quoted(bytes(folder.as_os_str())));
        lines.push('\n');
    }
    Ok(lines)
}

/// The bytes of a path; where paths are no bytes, as UTF-8.
fn bytes(path: &OsStr) -> &[u8] {
    path.as_encoded_bytes()
}
