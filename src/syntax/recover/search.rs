//! Which groups of declarations are parsed, and what is taken from which.

use super::groups::Filler;
use super::heads::Patched;
use super::outline::{self, Piece};
use super::rows::Rows;
use super::{MAX_PARSES, MOST_READ, Part, READ, Recovered, WORTH, errors};
use crate::id::LocalName;
use crate::record::Symbol;
use crate::syntax::found::point;
use crate::syntax::rows::Tables;
use std::ops::Range;
use tree_sitter::Tree;

/// The search for groups that are understood.
pub(super) struct Search<'s> {
    pub(super) bytes: &'s [u8],
    pub(super) lines: &'s [u32],
    pub(super) tables: &'s Tables,
    pub(super) rows: Rows<'s>,
    pub(super) pieces: Vec<Piece>,
    /// Those that hold nothing, in order.
    leaves: Vec<usize>,
    /// Those that do, in order, the file left out.
    pub(super) heads: Vec<usize>,
    /// How heads are read.
    pub(super) patched: Patched,
    /// What stood in place of what was left out when something was parsed last.
    pub(super) fillers: Vec<Filler>,
    pub(super) parses: usize,
    pub(super) read: usize,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        bytes: &'s [u8],
        lines: &'s [u32],
        tables: &'s Tables,
        rows: Rows<'s>,
        pieces: Vec<Piece>,
    ) -> Self {
        let mut search = Self {
            bytes,
            lines,
            tables,
            rows,
            pieces,
            leaves: Vec::new(),
            heads: Vec::new(),
            patched: Patched::default(),
            fillers: Vec::new(),
            parses: 0,
            read: 0,
        };
        search.list();
        search
    }

    /// Lists leaves and heads anew.
    pub(super) fn list(&mut self) {
        // What lies in a leaf is no piece of its own; it stands behind it.
        let mut is_there = vec![true; self.pieces.len()];
        (self.leaves, self.heads) = (Vec::new(), Vec::new());
        for (at, piece) in self.pieces.iter().enumerate().skip(1) {
            is_there[at] = is_there[piece.up] && self.pieces[piece.up].body.is_some();
            if is_there[at] {
                match piece.body {
                    Some(_) => self.heads.push(at),
                    None => self.leaves.push(at),
                }
            }
        }
        let start = |at: &usize| self.pieces[*at].rows.start;
        self.leaves.sort_by_key(start);
        self.heads.sort_by_key(start);
    }

    /// Which leaves a tree of the file does not have as they are: those that an error spoils, and those in
    /// something that was taken for something else.
    pub(super) fn unsound(&self, tree: &Tree) -> Vec<bool> {
        let spoiled = self.spoiled(tree);
        let mut is_whole = vec![true; self.pieces.len()];
        for at in self.heads.iter().copied() {
            let piece = &self.pieces[at];
            let body = piece
                .body
                .as_ref()
                .map_or(piece.rows.start, |body| body.start);
            is_whole[at] = is_whole[piece.up] && self.is_whole(tree, piece, body);
        }
        let leaves = self.leaves.iter().map(|at| {
            let piece = &self.pieces[*at];
            !is_whole[piece.up] || spoiled.touches(&self.text_of(piece))
        });
        leaves.collect()
    }

    /// Whether so much is missing of what a tree does not have that it is worth reading it again.
    pub(super) fn is_worth(&self, again: &[bool], found: &[Symbol<LocalName>]) -> bool {
        let mut found: Vec<(usize, bool)> = found
            .iter()
            .map(|symbol| (symbol.start_line as usize - 1, symbol.container.is_some()))
            .collect();
        found.sort_unstable();
        let (mut missed, mut cost) = (0, 0);
        for (at, _) in self.leaves.iter().zip(again).filter(|(_, again)| **again) {
            let piece = &self.pieces[*at];
            let first = found.partition_point(|(row, _)| *row < piece.rows.start);
            missed += usize::from(match found.get(first) {
                Some((row, has_container)) if piece.rows.contains(row) => {
                    !has_container && self.is_named(piece.up)
                }
                _ => outline::declares(&self.rows, &piece.rows),
            });
            cost += self.text_of(piece).len();
        }
        for at in &self.heads {
            cost += self.bytes_of(&self.pieces[*at].head()).len();
        }
        missed > 0 && cost <= missed * WORTH
    }

    /// Whether a piece, or one that it lies in, says what it is of and called.
    fn is_named(&self, mut at: usize) -> bool {
        while at > 0 {
            let head = self.pieces[at].head();
            if outline::holder(&self.rows, head).is_some_and(|(_, name)| !name.is_empty()) {
                return true;
            }
            at = self.pieces[at].up;
        }
        false
    }

    /// Reads again what the tree of the file does not have.
    pub(super) fn run(&mut self, first: &Tree) -> Option<Recovered> {
        self.mend_heads(first);
        let mut trees = vec![first.clone()];
        let mut work = Vec::new();
        let again = self.unsound(first);
        // Which tree has a leaf.
        let mut of = vec![0; self.leaves.len()];
        self.plan(first, None, &again, &mut work);
        while let Some(leaves) = work.pop() {
            if !self.may_parse() {
                break;
            }
            let group = self.leaves[leaves.clone()].to_vec();
            let Some(tree) = self.parse(&group) else {
                if leaves.len() > 1 {
                    let (first, second) = self.halves(leaves);
                    work.extend([second, first]);
                }
                continue;
            };
            let spoiled = self.spoiled(&tree);
            let unsound: Vec<bool> = self.leaves[leaves.clone()]
                .iter()
                .map(|at| spoiled.touches(&self.text_of(&self.pieces[*at])))
                .collect();
            of[leaves.clone()].fill(trees.len());
            match leaves.len() {
                1 if unsound == [true] => self.open(leaves.start)?,
                1 => {}
                _ => self.plan(&tree, Some(leaves.start), &unsound, &mut work),
            }
            trees.push(tree);
        }
        let base = self.parse(&self.heads.clone())?;
        Some(self.put_together(base, trees, &of))
    }

    /// Says how to go on with leaves that a tree does not have, from the one at `first` on or, where that is
    /// nothing, of all of the file: with the one that an
    /// error begins in by itself, what stands before it and what follows. What was not understood in a group
    /// goes into halves.
    fn plan(
        &self,
        tree: &Tree,
        first: Option<usize>,
        unsound: &[bool],
        work: &mut Vec<Range<usize>>,
    ) {
        let spoiled = self.spoiled(tree);
        let is_file = first.is_none();
        let first = first.unwrap_or(0);
        let mut groups: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while at < unsound.len() {
            let len = unsound[at..].iter().take_while(|unsound| **unsound).count();
            let run = first + at..first + at + len;
            at += len.max(1);
            let reason = run.clone().find(|leaf| {
                let piece = &self.pieces[self.leaves[*leaf]];
                spoiled.begins_in(&self.bytes_of(&piece.rows))
            });
            let mut rest = run.clone();
            if let Some(reason) = reason {
                groups.extend([run.start..reason, reason..reason + 1]);
                rest.start = reason + 1;
            }
            match is_file || rest.len() < 2 {
                true => groups.push(rest),
                false => groups.extend(<[_; 2]>::from(self.halves(rest))),
            }
        }
        work.extend(groups.into_iter().filter(|group| !group.is_empty()).rev());
    }

    /// Tells the head of a leaf that was not understood from its block, if the head is not what is wrong.
    fn open(&mut self, leaf: usize) -> Option<()> {
        let at = *self.leaves.get(leaf)?;
        let body = outline::block(&self.rows, &self.pieces[at].rows);
        let Some(body) = body.filter(|body| !body.is_empty() && self.may_parse()) else {
            return Some(());
        };
        let inner = self.pieces.len();
        let piece = self.pieces[at].within(at, body.clone());
        self.pieces.push(piece);
        (self.pieces[at].body, self.pieces[at].kids) = (Some(body), inner..inner + 1);
        if self.heads_of(&[at]).is_some() {
            self.leaves[leaf] = inner;
            self.heads.push(at);
        } else {
            self.pieces[at].body = None;
        }
        Some(())
    }

    fn put_together(&self, base: Tree, trees: Vec<Tree>, of: &[usize]) -> Recovered {
        let mut parts: Vec<Part> = Vec::new();
        let mut before: Option<&Piece> = None;
        for (at, tree) in self.leaves.iter().zip(of.iter().copied()) {
            let piece = &self.pieces[*at];
            let bytes = self.text_of(piece);
            if bytes.is_empty() {
                continue;
            }
            let adjoins = |part: &&mut Part| {
                let is_next = before.is_some_and(|before| {
                    before.up == piece.up
                        && (before.rows.end..piece.rows.start).all(|row| self.rows.is_blank(row))
                });
                is_next && part.tree == tree
            };
            let end = point(self.lines, bytes.end);
            match parts.last_mut().filter(adjoins) {
                Some(part) => (part.bytes.end, part.points.end) = (bytes.end, end),
                None => parts.push(Part {
                    points: point(self.lines, bytes.start)..end,
                    bytes,
                    tree,
                }),
            }
            before = Some(piece);
        }
        let of_trees: Vec<_> = trees.iter().map(|tree| self.spoiled(tree).errors).collect();
        let mut errors: Vec<Range<usize>> = self.patched.gaps.clone();
        errors.extend(errors::ranges(&base));
        for part in &parts {
            let all = &of_trees[part.tree];
            let first = all.partition_point(|error| error.end < part.bytes.start);
            let touching = all[first..]
                .iter()
                .take_while(|error| error.start < part.bytes.end);
            errors.extend(
                touching
                    .map(|error| error.start.max(part.bytes.start)..error.end.min(part.bytes.end)),
            );
        }
        errors.sort_by_key(|error| error.start);
        Recovered {
            base,
            parts,
            ends: self.ends(),
            trees,
            errors,
        }
    }

    /// The bytes of lines.
    pub(super) fn bytes_of(&self, rows: &Range<usize>) -> Range<usize> {
        self.rows.start(rows.start)..self.rows.start(rows.end)
    }

    /// The bytes of a piece, without the space around it.
    pub(super) fn text_of(&self, piece: &Piece) -> Range<usize> {
        let bytes = self.bytes_of(&piece.rows);
        let text = self.bytes.get(bytes.clone()).unwrap_or(b"");
        let start = bytes.start + (text.len() - text.trim_ascii_start().len());
        start..start + text.trim_ascii().len()
    }

    /// Two halves of a group of leaves, as even as may be; neither is empty.
    fn halves(&self, group: Range<usize>) -> (Range<usize>, Range<usize>) {
        let start = |at: usize| self.rows.start(self.pieces[self.leaves[at]].rows.start);
        let end = self.pieces[self.leaves[group.end - 1]].rows.end;
        let middle = start(group.start).midpoint(self.rows.start(end));
        let leaves = &self.leaves[group.clone()];
        let cut =
            leaves.partition_point(|at| self.rows.start(self.pieces[*at].rows.start) < middle);
        let cut = group.start + cut.clamp(1, group.len() - 1);
        (group.start..cut, cut..group.end)
    }

    pub(super) fn may_parse(&self) -> bool {
        self.parses < MAX_PARSES && self.read < READ + MOST_READ * self.bytes.len()
    }
}
