//! Whether the repository that was opened is still where it was, and configured as it was. Someone may delete, rename,
//! clone or configure it again while a server runs.
//!
//! Folders are told apart by device, number and time of birth: a number alone is given to the next folder
//! that is made. git never makes any of these folders anew. It takes a few microseconds.

use super::settings::Settings;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What has become of a repository.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is there.
    Same,
    /// It is not there any more.
    Gone,
    /// Another is in its place.
    Replaced,
    /// It is there, and is to be opened again: it is configured otherwise.
    Reconfigured,
}

/// A folder as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Mark {
    number: (u64, u64),
    born: Option<SystemTime>,
}

impl Mark {
    fn of(found: &Metadata) -> Self {
        Self {
            number: number(found),
            born: found.created().ok(),
        }
    }
}

/// Device and number of a folder, where the operating system tells them.
#[cfg(unix)]
fn number(found: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (found.dev(), found.ino())
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

/// The folders of a repository as they were when it was opened.
#[derive(Clone, Debug)]
pub struct Whereabouts {
    git_dir: PathBuf,
    head: PathBuf,
    work_dir: Option<PathBuf>,
    folders: Vec<(PathBuf, Option<Mark>)>,
    settings: Option<Settings>,
}

impl Whereabouts {
    /// Looks at a repository.
    pub fn of(git_dir: &Path, common_dir: &Path, work_dir: Option<&Path>) -> Self {
        let folders = [
            git_dir.to_owned(),
            common_dir.to_owned(),
            common_dir.join("objects"),
        ];
        let mark = |folder: PathBuf| {
            let found = folder.metadata().ok();
            (folder, found.as_ref().map(Mark::of))
        };
        Self {
            head: git_dir.join("HEAD"),
            git_dir: git_dir.to_owned(),
            work_dir: work_dir.map(Path::to_owned),
            folders: folders.map(mark).into(),
            settings: None,
        }
    }

    /// As it is, with how it is configured.
    pub(super) fn configured(self, settings: Settings) -> Self {
        Self {
            settings: Some(settings),
            ..self
        }
    }

    /// A hash of how it is configured.
    pub(super) fn settings(&self) -> u64 {
        self.settings.as_ref().map_or(0, Settings::print)
    }

    /// Its own folder.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Says what has become of it.
    pub fn standing(&self) -> Standing {
        let is_there = |path: &Path| path.symlink_metadata().is_ok();
        if !is_there(&self.head) || !self.work_dir.as_deref().is_none_or(is_there) {
            return Standing::Gone;
        }
        for (folder, mark) in &self.folders {
            match (folder.metadata(), mark) {
                (Err(_), Some(_)) => return Standing::Gone,
                (Ok(found), Some(mark)) if Mark::of(&found) != *mark => return Standing::Replaced,
                _ => {}
            }
        }
        match self.settings.as_ref().is_none_or(Settings::hold) {
            true => Standing::Same,
            false => Standing::Reconfigured,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_was_made_again_is_another() {
        let temp = tempfile::tempdir().unwrap();
        let make = || {
            std::fs::create_dir_all(temp.path().join("objects")).unwrap();
            std::fs::write(temp.path().join("HEAD"), "ref: refs/heads/main\n").unwrap();
        };
        make();
        let seen = Whereabouts::of(temp.path(), temp.path(), None);
        assert_eq!(seen.standing(), Standing::Same);
        std::fs::write(temp.path().join("HEAD"), "ref: refs/heads/other\n").unwrap();
        assert_eq!(seen.standing(), Standing::Same);
        std::fs::remove_dir(temp.path().join("objects")).unwrap();
        assert_eq!(seen.standing(), Standing::Gone);
        make();
        assert_eq!(seen.standing(), Standing::Replaced);
        std::fs::remove_file(temp.path().join("HEAD")).unwrap();
        assert_eq!(seen.standing(), Standing::Gone);
    }
}
