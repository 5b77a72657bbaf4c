//! Files that hold what a first question asks for, and how many of them are read for it: fewer of those whose documents
//! have to be made. Deliberately absent: which fit best.

use crate::view::live::FileId;

/// How many more files may be read.
pub(super) struct Rooms {
    /// Whose documents have to be made.
    pub(super) made: usize,
    /// Whose documents the index has.
    indexed: usize,
}

impl Rooms {
    pub(super) fn of(made: usize, indexed: usize) -> Self {
        Self { made, indexed }
    }

    /// Whether there is room for a file, which it takes.
    pub(super) fn take(&mut self, is_indexed: bool) -> bool {
        let room = match is_indexed {
            true => &mut self.indexed,
            false => &mut self.made,
        };
        let left = room.checked_sub(1);
        *room = left.unwrap_or_default();
        left.is_some()
    }
}

/// How well a file fits.
pub(super) struct Fit {
    pub(super) file: FileId,
    /// For each word: nothing, whether it is there, whether it is defined there.
    pub(super) words: Vec<Held>,
    /// Whether the index has its document.
    pub(super) is_indexed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Held {
    #[default]
    Nowhere,
    Somewhere,
    Defined,
}
