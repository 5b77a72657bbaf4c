//! What errors of a tree spoil, told by the pieces of the file.

use super::search::Search;
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// What errors spoil beyond the declarations that they begin in.
#[derive(Default)]
pub(super) struct Spoiled {
    /// Bytes, in order of their beginning and none of them in two.
    ranges: Vec<Range<usize>>,
    /// Where errors begin that do so, in order.
    starts: Vec<usize>,
    /// What lies in errors, in order; not what is one whole node in an error of many declarations.
    pub(super) errors: Vec<Range<usize>>,
}

impl Spoiled {
    /// Whether any of a range is spoiled.
    pub(super) fn touches(&self, range: &Range<usize>) -> bool {
        let next = self
            .ranges
            .partition_point(|spoiled| spoiled.end <= range.start);
        self.ranges
            .get(next)
            .is_some_and(|spoiled| spoiled.start < range.end)
    }

    /// Whether an error begins in a range.
    pub(super) fn begins_in(&self, range: &Range<usize>) -> bool {
        let next = self.starts.partition_point(|start| *start < range.start);
        self.starts
            .get(next)
            .is_some_and(|start| *start < range.end)
    }

    fn in_order(mut self) -> Self {
        self.ranges.sort_by_key(|range| range.start);
        self.ranges.dedup_by(|next, last| {
            let meets = next.start <= last.end;
            if meets {
                last.end = last.end.max(next.end);
            }
            meets
        });
        self.starts.sort_unstable();
        self.errors.sort_by_key(|error| error.start);
        self
    }
}

/// Where a line stands.
enum Place {
    /// In a piece, or in the head or the end of one that holds others.
    In(usize),
    /// In a line of the frame, before this line.
    Frame(usize),
}

impl Search<'_> {
    /// What the errors of a tree spoil.
    pub(super) fn spoiled(&self, tree: &Tree) -> Spoiled {
        let mut spoiled = Spoiled::default();
        let mut work = vec![(tree.root_node(), Vec::new())];
        while let Some((node, above)) = work.pop() {
            for_each_error(node, above, |error, above| {
                if self.is_of_many(error) {
                    self.spoil_in(error, &mut spoiled, &mut work);
                    return;
                }
                spoiled.errors.push(error.byte_range());
                if let Some(range) = self.extent(error, above) {
                    spoiled.ranges.push(range);
                    spoiled.starts.push(error.start_byte());
                }
            });
        }
        spoiled.in_order()
    }

    /// Whether an error goes on where what it begins in ends.
    fn is_of_many(&self, error: Node<'_>) -> bool {
        let after = match self.place(error.start_position().row) {
            Place::In(at) => {
                let piece = &self.pieces[at];
                piece
                    .body
                    .as_ref()
                    .map_or(piece.rows.end, |body| body.start)
            }
            Place::Frame(after) => after,
        };
        error.end_byte() > self.rows.start(after)
    }

    /// Adds what an error of many declarations spoils: not those that are one whole node in it.
    fn spoil_in<'t>(
        &self,
        error: Node<'t>,
        spoiled: &mut Spoiled,
        work: &mut Vec<(Node<'t>, Vec<Node<'t>>)>,
    ) {
        let mut cursor = error.walk();
        if !cursor.goto_first_child() {
            spoiled.errors.push(error.byte_range());
            spoiled.ranges.push(self.around(error));
            spoiled.starts.push(error.start_byte());
            return;
        }
        // Where the declaration ends that had a node, and where what has none begins.
        let (mut had, mut from) = (0, error.start_byte());
        loop {
            let node = cursor.node();
            let end = self.end_around(node);
            let is_whole = node.is_named() && node.child_count() > 0 && node.end_byte() <= end;
            if node.is_error() && self.is_of_many(node) {
                work.push((node, vec![error]));
            } else if is_whole && !node.is_error() && node.start_byte() >= had {
                had = end;
                self.spoil(from..node.start_byte(), spoiled);
                from = node.end_byte();
                if node.has_error() {
                    work.push((node, vec![error]));
                }
            } else if node.is_extra() && !node.is_error() {
                self.spoil(from..node.start_byte(), spoiled);
                from = node.end_byte();
            } else {
                spoiled.ranges.push(self.around(node));
                spoiled.starts.push(node.start_byte());
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        self.spoil(from..error.end_byte(), spoiled);
    }

    /// Adds a range without the space around it, if it has any text.
    fn spoil(&self, range: Range<usize>, spoiled: &mut Spoiled) {
        let text = self.bytes.get(range.clone()).unwrap_or(b"");
        let start = range.start + (text.len() - text.trim_ascii_start().len());
        let text = start..start + text.trim_ascii().len();
        if !text.is_empty() {
            spoiled.errors.push(text.clone());
            spoiled.ranges.push(text);
        }
    }

    /// Where the declaration ends in which a node begins.
    fn end_around(&self, node: Node<'_>) -> usize {
        match self.place(node.start_position().row) {
            Place::In(at) => self.bytes_of(&self.pieces[at].rows).end,
            Place::Frame(after) => self.rows.start(after),
        }
    }

    /// A node, and the declaration in which it begins.
    fn around(&self, node: Node<'_>) -> Range<usize> {
        let bytes = node.byte_range();
        match self.place(node.start_position().row) {
            Place::In(at) if self.pieces[at].body.is_none() => {
                let piece = self.bytes_of(&self.pieces[at].rows);
                piece.start.min(bytes.start)..piece.end.max(bytes.end)
            }
            _ => bytes,
        }
    }

    fn place(&self, row: usize) -> Place {
        let mut at = 0;
        loop {
            let piece = &self.pieces[at];
            let kids = match &piece.body {
                Some(body) if body.contains(&row) => &self.pieces[piece.kids.clone()],
                _ => return Place::In(at),
            };
            let next = kids.partition_point(|kid| kid.rows.end <= row);
            match kids.get(next) {
                Some(kid) if kid.rows.contains(&row) => at = piece.kids.start + next,
                Some(kid) => return Place::Frame(kid.rows.start),
                None => return Place::Frame(piece.rows.end),
            }
        }
    }

    /// What an error spoils; `None` when it stays within the declaration that it begins in. `above` are the
    /// nodes that it lies in, outermost first.
    fn extent(&self, error: Node<'_>, above: &[Node<'_>]) -> Option<Range<usize>> {
        let bytes = error.byte_range();
        let piece = match self.place(error.start_position().row) {
            Place::In(at) => &self.pieces[at],
            Place::Frame(after) => return (bytes.end > self.rows.start(after)).then_some(bytes),
        };
        let rows = self.bytes_of(&piece.rows);
        // The outermost node that begins in the piece.
        let below = above.get(1..).unwrap_or_default();
        let top = below.partition_point(|node| node.start_byte() < rows.start);
        let top = below.get(top).copied().unwrap_or(error);
        match &piece.body {
            _ if top.end_byte() > rows.end => Some(rows.start..top.end_byte()),
            Some(body) if top.is_error() || top.end_byte() < self.rows.start(body.end) => {
                Some(rows)
            }
            _ => None,
        }
    }
}

/// Where errors are, none of them in another.
pub(super) fn ranges(tree: &Tree) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for_each_error(tree.root_node(), Vec::new(), |error, _| {
        found.push(error.byte_range())
    });
    found
}

/// Visits every error in a node that lies in no other, with the nodes above it, outermost first; `above` are
/// those that the node lies in.
fn for_each_error<'t>(
    node: Node<'t>,
    mut above: Vec<Node<'t>>,
    mut visit: impl FnMut(Node<'t>, &[Node<'t>]),
) {
    let mut cursor = node.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            visit(node, &above);
        } else if node.has_error() && cursor.goto_first_child() {
            above.push(node);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            above.pop();
        }
    }
}
