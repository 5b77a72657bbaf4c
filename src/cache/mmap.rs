//! A file as memory: the only unsafe code beside the allocator of the parser.
#![expect(unsafe_code, reason = "a mapping cannot be made otherwise")]

use std::fs::File;

/// The bytes of a file that nobody changes.
pub(super) struct Mapped(memmap2::Mmap);

impl Mapped {
    /// Maps a file that was written completely before it got its name.
    pub fn of(file: &File) -> std::io::Result<Self> {
        // SAFETY: the bytes must not change while they are borrowed. Only this module writes into the
        // folder this is called for: under a temporary name, then renamed, and never opened for
        // writing again. Deleting the file leaves the mapping intact. Who else can change it can
        // change the program's memory as well, since it is the same user.
        unsafe { memmap2::Mmap::map(file) }.map(Self)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
