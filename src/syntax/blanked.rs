//! What stands in a file but is no part of its syntax, such as macros before declarations: blanked
//! out for the parser, and recorded as names that are read.

use super::rows::Tables;
use super::walk::Walk;
use super::{parse, recover};
use crate::record::{OccurrenceKind, Qualifier};
use std::ops::Range;
use tree_sitter::Tree;

/// A file without some of its words, byte for byte as long, and where they were.
pub(crate) struct Blanked {
    pub(crate) bytes: Vec<u8>,
    pub(crate) words: Vec<Range<usize>>,
}

/// Blanks words of a file out; `None` where there are none to blank out.
pub(crate) type Blank = fn(&[u8]) -> Option<Blanked>;

/// Parses a file, and where it has errors once more without what `blank` takes out of it; with `for_less` the
/// second tree is taken only where no more lies in errors. What is too complex as it is may not be without what is
/// taken out. `None` where the file is too complex.
pub(crate) fn parse(
    bytes: &[u8],
    tables: &Tables,
    blank: Option<Blank>,
    for_less: bool,
) -> Option<(Tree, Option<Blanked>)> {
    let Some(tree) = parse::parse(bytes, tables) else {
        let without = blank.and_then(|blank| blank(bytes))?;
        let tree = parse::parse(&without.bytes, tables)?;
        return Some((tree, Some(without)));
    };
    if tree.root_node().has_error()
        && let Some(without) = blank.and_then(|blank| blank(bytes))
        && let Some(again) = parse::parse(&without.bytes, tables)
        && (!for_less || lost(&again) <= lost(&tree))
    {
        return Some((again, Some(without)));
    }
    Some((tree, None))
}

/// How many bytes lie in errors.
fn lost(tree: &Tree) -> usize {
    recover::errors(tree).iter().map(Range::len).sum()
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
