//! A file as memory: the only unsafe code of the crate.
#![allow(unsafe_code)]

use std::fs::File;
use std::path::Path;

/// The bytes of a file that nobody changes.
pub(super) struct Mapped(memmap2::Mmap);

impl Mapped {
    /// Maps a file that was written completely before it got its name.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: the bytes must not change while they are borrowed. Only `cache.rs` writes into
        // the folder this is called for: under a temporary name, made durable, then renamed, and
        // never opened for writing again. Deleting the file leaves the mapping intact. Who else
        // can change it can change the program's memory as well, since it is the same user.
        unsafe { memmap2::Mmap::map(&file) }.map(Self)
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
