//! Where a pack is received before it becomes part of the object store.
//!
//! `git index-pack` leaves what it has written behind when it fails, so on a full disk it would
//! keep the last free bytes occupied by half a pack. Here that is in a directory of our own, which
//! is removed. The name is one that `git prune` knows, for the case that nobody lives to do it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory for one pack, removed with all that is in it when dropped.
pub(super) struct Quarantine {
    dir: tempfile::TempDir,
    packs: PathBuf,
}

impl Quarantine {
    /// Makes a directory below the packs, so that it is on the same file system even where that is
    /// another one than the rest of the repository.
    pub fn open(common_dir: &Path) -> io::Result<Self> {
        let packs = common_dir.join("objects").join("pack");
        std::fs::create_dir_all(&packs)?;
        let dir = tempfile::Builder::new()
            .prefix("tmp_objdir-sverklo-")
            .tempdir_in(&packs)?;
        std::fs::create_dir(dir.path().join("pack"))?;
        Ok(Self { dir, packs })
    }

    /// Makes a git child write objects here and nowhere else.
    pub fn confine(&self, command: &mut Command) {
        command.env("GIT_OBJECT_DIRECTORY", self.dir.path());
    }

    /// Makes the pack part of the object store.
    pub fn accept(self) -> io::Result<()> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(self.dir.path().join("pack"))? {
            names.push(entry?.file_name());
        }
        // A pack is there for readers from the moment its index is.
        let is_index =
            |name: &std::ffi::OsString| Path::new(name).extension() == Some("idx".as_ref());
        names.sort_by_key(is_index);
        for name in names {
            let (from, to) = (
                self.dir.path().join("pack").join(&name),
                self.packs.join(&name),
            );
            match std::fs::rename(&from, &to) {
                // Equal content has an equal name, and Windows does not replace what is open.
                Err(_) if to.exists() => {}
                moved => moved?,
            }
        }
        // The names must outlast a power loss as the content does. Not every system can do that.
        if let Ok(packs) = std::fs::File::open(&self.packs) {
            let _ = packs.sync_all();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_accepted_stays_and_what_is_not_is_gone() {
        let temp = tempfile::tempdir().unwrap();
        let packs = temp.path().join("objects/pack");
        for accepted in [false, true] {
            let quarantine = Quarantine::open(temp.path()).unwrap();
            for name in ["pack-1.idx", "pack-1.pack"] {
                std::fs::write(quarantine.dir.path().join("pack").join(name), name).unwrap();
            }
            if accepted {
                quarantine.accept().unwrap();
            }
        }
        let mut left: Vec<_> = std::fs::read_dir(&packs)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["pack-1.idx", "pack-1.pack"]);
    }
}
