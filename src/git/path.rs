//! Paths inside a repository.

use super::error::Error;
use super::quoting;
use gix::bstr::{BStr, BString, ByteSlice};
use std::fmt;
use std::path::{Path, PathBuf};

/// A path relative to the top of a tree, in git's form: bytes, separated by `/`.
///
/// The constructor refuses what could lead out of the tree or be read differently by another
/// program: absolute paths, empty components, `.`, `..`, `.git` in any case, NUL, and on Windows
/// backslashes and colons. Other bytes are allowed, UTF-8 or not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(BString);

impl RepoPath {
    /// Checks and wraps a path.
    pub fn new(path: impl Into<BString>) -> Result<Self, Error> {
        let path = path.into();
        match check(&path) {
            Ok(()) => Ok(Self(path)),
            Err(reason) => Err(Error::InvalidPath {
                path: path.to_str_lossy().into_owned(),
                reason,
            }),
        }
    }

    /// Reads a path as it is shown, in quotes or not.
    pub fn shown_as(shown: &str) -> Result<Self, Error> {
        let malformed = || Error::InvalidPath {
            path: shown.to_owned(),
            reason: "its quotes are not git's",
        };
        Self::new(quoting::unquoted(shown).ok_or_else(malformed)?)
    }

    /// Returns the path's bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the path as a byte string.
    pub fn as_bstr(&self) -> &BStr {
        self.0.as_bstr()
    }

    /// Returns the last component.
    pub fn file_name(&self) -> &BStr {
        match self.0.rfind_byte(b'/') {
            Some(at) => self.0[at + 1..].as_bstr(),
            None => self.0.as_bstr(),
        }
    }

    /// Returns what follows the last dot of the file name; `None` without one and for dot files.
    pub fn extension(&self) -> Option<&BStr> {
        let name = self.file_name();
        match name.rfind_byte(b'.') {
            None | Some(0) => None,
            Some(at) => Some(name[at + 1..].as_bstr()),
        }
    }

    /// Returns the path without its last component; `None` at the top.
    pub fn parent(&self) -> Option<RepoPath> {
        self.0.rfind_byte(b'/').map(|at| Self(self.0[..at].into()))
    }

    /// Iterates over the components, outermost first.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &BStr> {
        self.0.split(|b| *b == b'/').map(|part| part.as_bstr())
    }

    /// Returns the place of this path in a checkout at `top`.
    ///
    /// On platforms whose file names are not bytes, a path that is not UTF-8 gives `None`.
    pub fn under(&self, top: &Path) -> Option<PathBuf> {
        gix::path::from_bstr(self.as_bstr())
            .ok()
            .map(|relative| top.join(relative))
    }
}

/// Tells which rule a path breaks.
fn check(path: &[u8]) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("it is empty");
    }
    if path.len() > crate::limits::MAX_PATH_BYTES {
        return Err("it is too long");
    }
    // Each path of a tree is checked whenever its view is read.
    if memchr::memchr(0, path).is_some() {
        return Err("it contains a NUL byte");
    }
    let mut start = 0;
    for end in memchr::memchr_iter(b'/', path).chain([path.len()]) {
        check_name(&path[start..end])?;
        start = end + 1;
    }
    Ok(())
}

/// Tells which rule one component of a path breaks.
pub(super) fn check_component(part: &[u8]) -> Result<(), &'static str> {
    check_name(part)?;
    match memchr::memchr2(0, b'/', part).map(|at| part[at]) {
        Some(0) => Err("it contains a NUL byte"),
        Some(_) => Err("a component contains a slash"),
        None => Ok(()),
    }
}

/// The same of bytes among which there is neither a NUL nor a slash.
fn check_name(part: &[u8]) -> Result<(), &'static str> {
    match part {
        b"" => Err("it has an empty component"),
        b"." | b".." => Err("it has a `.` or `..` component"),
        [b'.', ..] if part.eq_ignore_ascii_case(b".git") => Err("it has a `.git` component"),
        _ if cfg!(windows) && part.iter().any(|b| matches!(b, b'\\' | b':')) => {
            Err("it has a backslash or a colon")
        }
        _ => Ok(()),
    }
}

/// Shows the path as git does ([`quoting::quoted`]): what could drive a terminal or look like another
/// path stands in quotes, escaped. [`RepoPath::shown_as`] reads it back.
impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quoting::quoted(&self.0))
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RepoPath({:?})", self.0)
    }
}

impl std::borrow::Borrow<BStr> for RepoPath {
    fn borrow(&self) -> &BStr {
        self.0.as_bstr()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_lead_out_of_the_tree_is_refused() {
        for bad in [
            "",
            "/a",
            "a/",
            "a//b",
            ".",
            "a/./b",
            "..",
            "a/../b",
            ".git/config",
            "a/.GIT",
            "a\0b",
        ] {
            assert!(RepoPath::new(bad).is_err(), "{bad:?}");
        }
        for good in *phrases!("a, a/b, .gitignore, a/..b, a/b.., ..., a b, -x") {
            assert!(RepoPath::new(good).is_ok(), "{good:?}");
        }
        assert!(
            RepoPath::new(&b"caf\xe9/x"[..]).is_ok(),
            "paths need not be UTF-8"
        );
    }

    #[test]
    fn parts_of_a_path() {
        let path = RepoPath::new("src/git/path.rs").unwrap();
        assert_eq!(path.file_name(), "path.rs");
        assert_eq!(path.extension().unwrap(), "rs");
        assert_eq!(path.parent().unwrap().as_bytes(), b"src/git");
        assert_eq!(
            path.components().collect::<Vec<_>>(),
            ["src", "git", "path.rs"]
        );
        let dot = RepoPath::new(".gitignore").unwrap();
        assert_eq!((dot.extension(), dot.parent()), (None, None));
    }

    #[test]
    fn shown_paths_cannot_drive_a_terminal() {
        let path = RepoPath::new(&b"a\x1b[31m\n\xff\xe2\x80\xae"[..]).unwrap();
        let shown = path.to_string();
        assert_eq!(shown, r#""a\033[31m\n\377\342\200\256""#);
        assert_eq!(RepoPath::shown_as(&shown).unwrap(), path);
        assert!(RepoPath::shown_as("\"a").is_err());
    }
}
