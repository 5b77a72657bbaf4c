//! Heads of what holds others, made readable.

use super::outline::{self, Piece};
use super::search::Search;
use std::ops::Range;
use tree_sitter::Tree;

/// A file as it is given to the parser, where heads are not understood as they are.
#[derive(Default, Clone)]
pub(super) struct Patched {
    /// Its bytes; none while nothing is other than in the file.
    pub(super) bytes: Vec<u8>,
    /// Where lines begin that are read as the rest of the line above, in order.
    pub(super) joined: Vec<usize>,
    /// What is blanked out.
    pub(super) gaps: Vec<Range<usize>>,
}

impl Search<'_> {
    /// Makes heads readable that the tree of the file does not have: on one line, else without all but what
    /// they are of and called. One that is not even then is taken for a leaf.
    pub(super) fn mend_heads(&mut self, tree: &Tree) {
        let spoiled = self.spoiled(tree);
        let is_wrong = |head: &usize| {
            let piece = &self.pieces[*head];
            let body = piece
                .body
                .as_ref()
                .map_or(piece.rows.end, |body| body.start);
            spoiled.touches(&self.bytes_of(&piece.head())) || !self.is_whole(tree, piece, body)
        };
        let wrong: Vec<usize> = self.heads.iter().copied().filter(is_wrong).collect();
        let mut work: Vec<&[usize]> = vec![&wrong];
        let mut is_changed = false;
        while let Some(heads) = work.pop() {
            match heads {
                _ if heads.is_empty() || self.heads_of(heads).is_some() => {}
                [head] => is_changed |= !self.mend(*head),
                heads => {
                    let (first, second) = heads.split_at(heads.len() / 2);
                    work.extend([second, first]);
                }
            }
        }
        if is_changed {
            self.list();
        }
    }

    /// The tree of heads with nothing in them, if they are understood.
    pub(super) fn heads_of(&mut self, heads: &[usize]) -> Option<Tree> {
        if !self.may_parse() {
            return None;
        }
        let tree = self.parse(heads)?;
        let is_whole = |head: &usize| {
            let piece = &self.pieces[*head];
            let tail = piece.tail();
            tail.is_empty() || self.is_whole(&tree, piece, tail.start)
        };
        let is_right = !tree.root_node().has_error() && heads.iter().all(is_whole);
        is_right.then_some(tree)
    }

    /// Whether a line of a piece belongs to what its head begins, and not to something that was taken for an
    /// expression of its own.
    pub(super) fn is_whole(&self, tree: &Tree, piece: &Piece, row: usize) -> bool {
        let Some((word, _)) = outline::holder(&self.rows, piece.head()) else {
            return true;
        };
        let start = self.rows.start(piece.rows.start);
        let at = self.rows.text_start(row);
        let mut cursor = tree.walk();
        let mut is_in_error = tree.root_node().is_error();
        while cursor.goto_first_child_for_byte(at).is_some() {
            let node = cursor.node();
            if node.start_byte() >= start {
                // In an error it is one by itself.
                return node.start_byte() <= word.start || is_in_error && node.start_byte() >= at;
            }
            is_in_error = node.is_error();
        }
        false
    }

    /// Makes a head that is not understood readable; says whether that was possible.
    fn mend(&mut self, at: usize) -> bool {
        let rows = self.pieces[at].head();
        if let Some((word, name)) = outline::holder(&self.rows, rows.clone())
            && !name.is_empty()
        {
            let before = self.patched.clone();
            if self.join(word.start, rows.end) && self.heads_of(&[at]).is_some() {
                return true;
            }
            let span = self.bytes_of(&rows);
            let text = self.bytes.get(span.clone()).unwrap_or(b"").trim_ascii_end();
            let end = span.start + text.len();
            let end = end - usize::from(text.ends_with(self.rows.shape.opens));
            for gap in [span.start..word.start, name.end..end] {
                self.blank(gap);
            }
            if self.heads_of(&[at]).is_some() {
                return true;
            }
            self.patched = before;
        }
        self.pieces[at].body = None;
        false
    }

    /// Puts the lines of a head from that of `word` on one line; says whether there are several.
    fn join(&mut self, word: usize, end: usize) -> bool {
        let comment = self.rows.shape.comment;
        let first = self.lines.partition_point(|start| *start as usize <= word);
        let mut rows = first.saturating_sub(1)..end;
        if first >= end
            || rows.any(|row| memchr::memmem::find(self.rows.text(row), comment).is_some())
        {
            return false;
        }
        self.patch();
        for row in first..end {
            let start = self.rows.start(row);
            if let Some(newline) = self.patched.bytes.get_mut(start - 1) {
                *newline = b' ';
            }
            self.patched.joined.push(start);
        }
        self.patched.joined.sort_unstable();
        true
    }

    fn patch(&mut self) {
        if self.patched.bytes.is_empty() {
            self.patched.bytes = self.bytes.to_vec();
        }
    }

    fn blank(&mut self, range: Range<usize>) {
        self.patch();
        let text = self.bytes.get(range.clone()).unwrap_or(b"");
        let start = range.start + (text.len() - text.trim_ascii_start().len());
        let gap = start..start + text.trim_ascii().len();
        for byte in self.patched.bytes.get_mut(gap.clone()).unwrap_or_default() {
            if !byte.is_ascii_whitespace() {
                *byte = b' ';
            }
        }
        if !gap.is_empty() {
            self.patched.gaps.push(gap);
        }
    }
}
