//! What stands in a file but is no part of its syntax, such as macros before declarations: blanked
//! out for the parser, and recorded as names that are read.

use super::walk::Walk;
use crate::record::{OccurrenceKind, Qualifier};
use std::ops::Range;

/// A file without some of its words, byte for byte as long, and where they were.
pub(crate) struct Blanked {
    pub(crate) bytes: Vec<u8>,
    pub(crate) words: Vec<Range<usize>>,
}

impl Walk<'_> {
    /// Records words that were blanked out among the names the walk met. `lines` is where each
    /// line begins.
    pub(crate) fn add_blanked(&mut self, words: &[Range<usize>], lines: &[u32]) {
        if words.is_empty() {
            return;
        }
        for word in words {
            let row = lines.partition_point(|start| *start as usize <= word.start) - 1;
            let col = word.start - lines[row] as usize;
            let name = &self.src[word.clone()];
            self.occurrence(name, row, col, OccurrenceKind::Read, Qualifier::None);
        }
        self.occurrences
            .sort_by_key(|found| (found.line, found.col));
    }
}
