//! Where a pack is received before it becomes part of the object store.
//!
//! `git index-pack` leaves what it has written behind when it fails, so on a full disk it would
//! keep the last free bytes occupied by half a pack. Here that is in a directory of our own, which
//! is removed. The name is one that `git prune` knows, for the case that nobody lives to do it.

use super::packs::{self, Held};
use crate::cache::make_below;
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
        let packs = packs::folder(common_dir);
        make_below(common_dir, &packs)?;
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

    /// Whether nobody took it away: `git prune --expire=now` does.
    pub fn is_there(&self) -> bool {
        self.dir.path().join("pack").is_dir()
    }

    /// Makes the pack part of the object store, and holds it there. Fails with an error of kind
    /// [`io::ErrorKind::NotFound`] when it was taken away meanwhile.
    pub fn accept(self) -> io::Result<Held> {
        packs::accept(&self.dir.path().join("pack"), &self.packs).map(Held::one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_accepted_stays_and_what_is_not_is_gone() {
        let temp = tempfile::tempdir().unwrap();
        let folder = packs::folder(temp.path());
        for accepted in [false, true] {
            let quarantine = Quarantine::open(temp.path()).unwrap();
            for name in ["pack-1.idx", "pack-1.pack"] {
                std::fs::write(quarantine.dir.path().join("pack").join(name), name).unwrap();
            }
            assert!(quarantine.is_there());
            if accepted {
                drop(quarantine.accept().unwrap());
            }
        }
        let mut left: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().extension().unwrap().to_owned())
            .collect();
        left.sort();
        assert_eq!(left, ["idx", "pack"]);
    }

    #[test]
    fn one_that_was_taken_away_is_seen_to_be_gone() {
        let temp = tempfile::tempdir().unwrap();
        let quarantine = Quarantine::open(temp.path()).unwrap();
        std::fs::remove_dir_all(quarantine.dir.path()).unwrap();
        assert!(!quarantine.is_there());
        let err = quarantine.accept().unwrap_err();
        assert_eq!(err.kind(), io::ErrorKind::NotFound);
    }
}
