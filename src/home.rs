//! The user's own folders: what is there was put there by this user, not by a repository.
//!
//! The trust boundary of `SECURITY.md` rests on it: a repository, a cache or a remote can write into
//! neither folder.

use std::ffi::OsString;
use std::path::PathBuf;

/// Name of our folder in each of them.
const OURS: &str = "git-sverklo";

/// Returns our folder for data: `$XDG_DATA_HOME/git-sverklo` or `~/.local/share/git-sverklo`, the
/// application support folder on macOS, `%LOCALAPPDATA%\git-sverklo` on Windows; `None` when the
/// environment, which `variable` reads, names no absolute folder.
pub fn data(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| {
        let path = variable(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let data = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")))
    };
    Some(data?.join(OURS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_home_is_no_home() {
        let at = |path: &'static str| {
            data(&|name| (name == "HOME" || name == "LOCALAPPDATA").then(|| path.into()))
        };
        assert_eq!(at("here"), None);
        let absolute = if cfg!(windows) { "C:\\u" } else { "/u" };
        assert!(
            at(absolute).is_some_and(|path| path.starts_with(absolute) && path.ends_with(OURS))
        );
        assert_eq!(data(&|_| None), None);
    }
}
