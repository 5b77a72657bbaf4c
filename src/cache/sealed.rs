//! Sealed files: the bytes, and behind them a keyed hash over the name and all of them.
//!
//! Guarantee: [`Body::read`] gives bytes that a program of this user wrote under this name. Deliberately absent: which files
//! there are ([`super::folder`]), and which need no second look ([`super::believed`]).

use super::key::Key;
use super::mmap::Mapped;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use tempfile::NamedTempFile;

/// What the name of a file begins with that is still being written.
pub(super) const TEMP: &str = "new-";
/// What a sealed file ends with, before the 32 bytes of the seal.
const MAGIC: &[u8; 8] = b"svseal\x01\n";
/// Bytes behind the body.
const TRAILER: usize = MAGIC.len() + 32;

/// The bytes of a file whose seal holds.
pub struct Body {
    mapped: Mapped,
    len: usize,
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        self.mapped.bytes().get(..self.len).unwrap_or_default()
    }
}

impl Body {
    /// The bytes of a file, if it is sealed for this name.
    pub(super) fn read(key: &Key, name: &str, file: &File) -> Option<Self> {
        let found = Self::believed(file)?;
        let (body, trailer) = found.mapped.bytes().split_at_checked(found.len)?;
        let seal: [u8; 32] = trailer.strip_prefix(MAGIC)?.try_into().ok()?;
        // Compared in constant time.
        (key.seal(name, body) == seal).then_some(found)
    }

    /// The bytes of a file whose seal is not looked at: it held before, and the file is the same.
    pub(super) fn believed(file: &File) -> Option<Self> {
        let mapped = Mapped::of(file).ok()?;
        let len = mapped.bytes().len().checked_sub(TRAILER)?;
        Some(Self { mapped, len })
    }
}

/// Writes bytes with their seal into a new file of a folder. Fails as the operating system says.
pub(super) fn write(
    key: &Key,
    name: &str,
    body: &[u8],
    folder: &Path,
) -> std::io::Result<NamedTempFile> {
    let mut temp = tempfile::Builder::new().prefix(TEMP).tempfile_in(folder)?;
    // Whoever finds the file unlocked knows that its writer is dead. Where files cannot be locked
    // they are not found so, and stay.
    let _ = temp.as_file().try_lock();
    temp.write_all(body)?;
    temp.write_all(MAGIC)?;
    temp.write_all(key.seal(name, body).as_bytes())?;
    Ok(temp)
}
