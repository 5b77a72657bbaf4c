//! Files outside the work tree that decide what is ignored and how files are read, and whether one is the same still.

use crate::git::{Repo, keys};
use gix::bstr::{BStr, BString};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A file younger than this may change again without its stamp telling: the clocks of file systems tick every 1 to
/// 10 ms (`CONFIG_HZ` of Linux).
const SETTLED: Duration = Duration::from_millis(50);

/// The files that git reads for every path (gitignore(5), gitattributes(5)), as they were.
///
/// The configuration itself is read once, when the repository is opened; a server opens it again where that changed.
pub(super) struct Rules(Vec<(PathBuf, Stamp)>);

impl Rules {
    /// Notes how they are now.
    pub(super) fn of(repo: &Repo) -> Self {
        let stamped = |path: PathBuf| (path.clone(), Stamp::of(&path));
        Self(Self::places(repo).into_iter().map(stamped).collect())
    }

    /// Where they are.
    pub(super) fn places(repo: &Repo) -> Vec<PathBuf> {
        let local = repo.local();
        let config = local.config_snapshot();
        let named = |key: keys::Key, usual| match config.trusted_path(key.name()) {
            Ok(Some(path)) => Some(path),
            _ => users(usual),
        };
        let files = [
            named(keys::EXCLUDES_FILE, "ignore"),
            named(keys::ATTRIBUTES_FILE, "attributes"),
        ];
        let own = ["info/exclude", "info/attributes"];
        let dirs = [repo.git_dir(), repo.common_dir()];
        let own = own.iter().flat_map(|file| dirs.map(|dir| dir.join(file)));
        files.into_iter().flatten().chain(own).collect()
    }

    /// Whether all are sure to be the same.
    pub(super) fn hold(&self) -> bool {
        self.0.iter().all(|(path, stamp)| stamp.holds(path))
    }
}

/// Returns where git looks for a file of the user's that nothing names.
fn users(file: &str) -> Option<PathBuf> {
    let set = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let base = set.or_else(|| gix::path::env::home_dir().map(|home| home.join(".config")))?;
    Some(base.join("git").join(file))
}

/// Whether a path is that of a file in the work tree that says what is ignored or how files are read.
pub(super) fn is_rule(path: &BString) -> bool {
    is_called(path.as_ref(), b".gitignore") || is_attributes(path.as_ref())
}

/// Whether a path is that of a file in the work tree that says how files are read.
pub(super) fn is_attributes(path: &BStr) -> bool {
    is_called(path, b".gitattributes")
}

fn is_called(path: &BStr, name: &[u8]) -> bool {
    let dir = path.strip_suffix(name);
    dir.is_some_and(|dir| dir.is_empty() || dir.ends_with(b"/"))
}

/// When and how large a file was; nothing for one that is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::git) struct Stamp {
    seen: Option<(SystemTime, u64, u64)>,
    /// Whether a later change is sure to show.
    settled: bool,
}

impl Stamp {
    /// Takes down how a file is now.
    pub(in crate::git) fn of(path: &Path) -> Self {
        let Ok(found) = std::fs::metadata(path) else {
            return Self {
                seen: None,
                settled: true,
            };
        };
        let modified = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let age = SystemTime::now().duration_since(modified);
        Self {
            seen: Some((modified, found.len(), inode(&found))),
            settled: age.is_ok_and(|age| age > SETTLED),
        }
    }

    /// Whether the file is sure to be the same.
    pub(in crate::git) fn holds(&self, path: &Path) -> bool {
        self.settled && Self::of(path).seen == self.seen
    }
}

#[cfg(unix)]
fn inode(found: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(found)
}

#[cfg(not(unix))]
fn inode(_found: &std::fs::Metadata) -> u64 {
    0
}
