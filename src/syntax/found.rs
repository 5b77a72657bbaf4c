//! What a reader is given and what it gives, whichever language it reads.

use super::rows::Tables;
use super::walk::Walk;
use crate::id::LocalName;
use crate::record::{Entry, Grammar, Import, Occurrence, Symbol, TypeHints};
use std::ops::Range;
use tree_sitter::Point;

/// A document that is to be read.
pub(crate) struct Input<'a> {
    pub(crate) src: &'a [u8],
    /// Byte at which each line begins.
    pub(crate) lines: &'a [u32],
    pub(crate) grammar: Grammar,
    /// The tables of a grammar that parts of the document are written in; `None` when this build
    /// lacks it.
    pub(crate) tables: &'a dyn Fn(Grammar) -> Option<&'static Tables>,
}

/// What was read of a document, before it is cut into chunks.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) symbols: Vec<Symbol<LocalName>>,
    /// First line of each symbol with its doc comment and decorators, 1-based.
    pub(crate) leads: Vec<u32>,
    pub(crate) occurrences: Vec<Occurrence<LocalName>>,
    pub(crate) imports: Vec<Import<LocalName>>,
    pub(crate) hints: TypeHints,
    /// Bytes of comments and prose, in order.
    pub(crate) comments: Vec<Range<u32>>,
    /// Entry points.
    pub(crate) entries: Vec<Entry>,
    pub(crate) syntax_errors: bool,
    /// Bytes that lie in errors, in order.
    pub(crate) errors: Vec<Range<usize>>,
    /// What is searched, where that is not the whole file: as long as the file, the rest blanked out.
    pub(crate) words: Option<Vec<u8>>,
}

impl Found {
    /// Takes over what a walk has found.
    pub(crate) fn take(&mut self, mut walk: Walk<'_>) {
        walk.order_symbols();
        walk.order_occurrences();
        let comments = walk.comments.iter();
        self.comments
            .extend(comments.map(|comment| comment.start..comment.end));
        self.comments.sort_by_key(|comment| comment.start);
        self.leads = walk.leads;
        self.symbols = walk.symbols;
        self.hints = walk.hints.finish(&walk.occurrences);
        self.occurrences = walk.occurrences;
        self.imports = walk.imports;
    }
}

/// Row and column of a byte, in a file whose lines begin at `lines`.
pub(crate) fn point(lines: &[u32], byte: usize) -> Point {
    let row = lines
        .partition_point(|start| *start as usize <= byte)
        .saturating_sub(1);
    let start = lines.get(row).copied().unwrap_or(0);
    Point {
        row,
        column: byte - start as usize,
    }
}

/// Bytes of a file, whose lines begin at `lines`, as the parser names them.
pub(crate) fn range(lines: &[u32], bytes: &Range<usize>) -> tree_sitter::Range {
    tree_sitter::Range {
        start_byte: bytes.start,
        end_byte: bytes.end,
        start_point: point(lines, bytes.start),
        end_point: point(lines, bytes.end),
    }
}

/// Byte at which each line begins; a last line without a newline counts.
pub(crate) fn line_starts(bytes: &[u8]) -> Vec<u32> {
    let mut starts = Vec::with_capacity(bytes.len() / 32 + 1);
    if !bytes.is_empty() {
        starts.push(0);
    }
    starts.extend(
        bytes
            .iter()
            .enumerate()
            .filter(|(_, b)| **b == b'\n')
            .map(|(at, _)| at as u32 + 1),
    );
    if starts
        .last()
        .is_some_and(|last| *last as usize == bytes.len())
    {
        starts.pop();
    }
    starts
}
