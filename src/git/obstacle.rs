//! What git says when a repository cannot be written, told apart by what the user can do about it.
//!
//! Children run with `LC_ALL=C`, so the words are those of the C library in English.

use super::error::Error;
use std::io;
use std::path::Path;

/// No room: a full disk, an exhausted quota ("disc" on BSD and macOS), a limit on file sizes.
const NO_ROOM: &[&str] = &["No space left", "quota exceeded", "File too large"];
/// No leave: permissions or a read-only mount. git says "unable to create directory" when it may
/// not make the folders of a new ref, and nothing but "I/O error" where refs are in a reftable.
const NO_LEAVE: &[&str] = phrases!(
    "Permission denied, Read-only file system, Operation not permitted, insufficient permission,
     unable to create directory, transaction prepare: I/O error"
);

/// Returns the error that git's words stand for; `None` when they are about something else.
pub(super) fn of_words(dir: &Path, said: &str) -> Option<Error> {
    let has = |signs: &[&str]| signs.iter().any(|sign| said.contains(sign));
    let (dir, reason) = (dir.to_owned(), said.trim().to_owned());
    if has(NO_ROOM) {
        Some(Error::NoRoom { dir, reason })
    } else if has(NO_LEAVE) {
        Some(Error::ReadOnly { dir, reason })
    } else {
        None
    }
}

/// Returns the error that a failed write of our own below `dir` stands for.
pub(super) fn of_io(dir: &Path, err: io::Error) -> Error {
    let (owned, reason) = (dir.to_owned(), err.to_string());
    match err.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Error::NoRoom { dir: owned, reason }
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            Error::ReadOnly { dir: owned, reason }
        }
        _ => Error::io(dir)(err),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart_by_what_can_be_done() {
        let dir = Path::new("objects");
        for said in [
            "fatal: write error: No space left on device",
            "error: unable to write file: Disk quota exceeded",
            "fatal: write error: Disc quota exceeded",
            "fatal: write error: File too large",
        ] {
            assert!(
                matches!(of_words(dir, said), Some(Error::NoRoom { .. })),
                "{said}"
            );
        }
        for said in [
            "error: insufficient permission for adding an object to repository database",
            "fatal: cannot lock ref: unable to create directory for .git/refs/x/y",
            "fatal: reftable: transaction prepare: I/O error",
        ] {
            assert!(
                matches!(of_words(dir, said), Some(Error::ReadOnly { .. })),
                "{said}"
            );
        }
        assert!(of_words(dir, "fatal: early EOF").is_none());
        let full = of_io(dir, io::ErrorKind::StorageFull.into());
        assert!(full.to_string().contains("free some space"), "{full}");
        assert!(full.is_unwritable());
        assert!(!of_io(dir, io::ErrorKind::NotFound.into()).is_unwritable());
    }
}
