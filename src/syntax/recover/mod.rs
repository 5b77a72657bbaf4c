//! Reading on after a syntax error.
//!
//! Where a parser stumbles it may give up what follows: seven hundred lines are one error because a class
//! has its constructor on a line of its own. A file with such an error is cut into declarations by its
//! layout ([`outline`]), and they are parsed in groups, each with the heads and ends of what they lie in
//! and without everything else: halves, and halves of those halves that were not understood, so that in
//! the end one declaration stands alone with what is wrong in it. All trees have the positions of the
//! file, since what is left out is left out of the ranges that the parser is given. One tree of heads and
//! ends alone holds them together: the walk visits it, and each group in its place.
//!
//! Guarantees: what is read is a function of the bytes, the grammar and its [`Shape`]. A file is parsed at
//! most [`MAX_PARSES`] times and some [`MOST_READ`] times its length on top of the first. What is read is
//! taken for what the first parse gave only when fewer bytes lie in errors. Deliberately absent: guesses at
//! what the author meant, and errors that stay within one declaration, which lose nothing.

mod outline;
mod rows;

use super::found::point;
use super::parse;
use super::rows::Tables;
use outline::Piece;
use rows::Rows;
use std::ops::Range;
use tree_sitter::{Node, Point, Tree};

/// How many groups are parsed of a file.
const MAX_PARSES: usize = 64;
/// How many times its length is read of a file, and so many bytes of any.
const MOST_READ: usize = 5;
const READ: usize = 16 << 10;
/// What part of a file must lie in errors that spread, or so many bytes.
const PART_LOST: usize = 32;
const MUCH_LOST: usize = 512;

/// What the layout of a language says, as far as declarations are told apart by it.
pub(crate) struct Shape {
    /// What begins a comment that ends with its line.
    pub(crate) comment: &'static [u8],
    /// Whether there are comments in `/*` and `*/`.
    pub(crate) blocks: bool,
    /// Whether these nest.
    pub(crate) nested: bool,
    /// Quotes of strings that may have several lines.
    pub(crate) long: &'static [&'static [u8]],
    /// Whether what stands in single quotes is a character.
    pub(crate) chars: bool,
    /// Whether every declaration ends with a semicolon or a brace.
    pub(crate) terminated: bool,
    /// Whether lines that begin with `#` are for a preprocessor.
    pub(crate) directives: bool,
    /// What a line ends with before those that stand in a block; nothing where indentation says it.
    pub(crate) opens: &'static [u8],
    /// What may stand in a block that has nothing in it, where it must not be empty.
    pub(crate) filler: &'static [u8],
}

impl Shape {
    /// That of C and what took after it.
    pub(crate) const BRACES: Self = Self {
        comment: b"//",
        blocks: true,
        nested: false,
        long: &[],
        chars: true,
        terminated: true,
        directives: false,
        opens: b"{",
        filler: b"",
    };
}

/// A file that was read in groups.
pub(crate) struct Recovered {
    /// Heads and ends of what holds others.
    pub(crate) base: Tree,
    pub(crate) parts: Vec<Part>,
    /// Where what was put in place of the last of a block ends, in order, and where that ends.
    pub(crate) ends: Vec<(usize, usize)>,
    trees: Vec<Tree>,
    /// Bytes that lie in errors.
    lost: usize,
}

/// Declarations that are read from a tree of their own.
pub(crate) struct Part {
    pub(crate) bytes: Range<usize>,
    /// Row and column of its end.
    pub(crate) end_at: Point,
    tree: usize,
}

impl Recovered {
    /// All its trees.
    pub(crate) fn trees(&self) -> impl Iterator<Item = &Tree> {
        std::iter::once(&self.base).chain(&self.trees)
    }

    /// Whether anything was not understood.
    pub(crate) fn has_errors(&self) -> bool {
        self.lost > 0
    }

    /// The innermost node that holds a part and begins before it.
    pub(crate) fn around(&self, part: &Part) -> Option<Node<'_>> {
        let mut cursor = self.trees.get(part.tree)?.walk();
        while cursor.goto_first_child_for_byte(part.bytes.start).is_some() {
            let node = cursor.node();
            if node.start_byte() >= part.bytes.start || node.end_byte() < part.bytes.end {
                cursor.goto_parent();
                break;
            }
        }
        Some(cursor.node())
    }
}

/// Reads a file again whose tree has errors; `None` where that is not worth it or does not help. `lines`
/// is where each line begins.
pub(crate) fn recover(
    bytes: &[u8],
    lines: &[u32],
    tables: &Tables,
    shape: &'static Shape,
    tree: &Tree,
) -> Option<Recovered> {
    let rows = Rows::new(bytes, lines, shape);
    let pieces = outline::pieces(&rows);
    let mut search = Search::new(bytes, lines, tables, rows, pieces);
    let first = search.judge(tree);
    if first.spread.max(first.misread) < MUCH_LOST.min(bytes.len() / PART_LOST) || !first.spreads {
        return None;
    }
    let found = search.run();
    let found = found?;
    (found.lost < first.lost).then_some(found)
}

/// What is wrong with a tree.
#[derive(Default)]
struct Verdict {
    /// Whether an error goes beyond the declaration it begins in.
    spreads: bool,
    /// Bytes in errors that do.
    spread: usize,
    /// Bytes of what holds others whose head is in error.
    misread: usize,
    /// Bytes in errors.
    lost: usize,
}

/// A group of pieces that was parsed.
struct Group {
    pieces: Range<usize>,
    tree: Tree,
    lost: usize,
}

struct Search<'s> {
    bytes: &'s [u8],
    lines: &'s [u32],
    tables: &'s Tables,
    rows: Rows<'s>,
    pieces: Vec<Piece>,
    /// Those that hold nothing, in order.
    leaves: Vec<usize>,
    /// Those that do, in order, the file left out.
    heads: Vec<usize>,
    /// Where lines begin that are read as the rest of the line above, in order.
    joined: Vec<usize>,
    /// The bytes with what is blanked out of heads; empty while that is nothing.
    patched: Vec<u8>,
    /// Bytes that were blanked out.
    blanked: usize,
    /// What stood in place of what was left out when something was parsed last.
    fillers: Vec<Filler>,
    parses: usize,
    read: usize,
}

/// Something that stands in a block of which its last or first declaration is left out.
struct Filler {
    place: Range<usize>,
    /// Whose block it is.
    holder: usize,
}

impl<'s> Search<'s> {
    fn new(
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
            joined: Vec::new(),
            patched: Vec::new(),
            blanked: 0,
            fillers: Vec::new(),
            parses: 0,
            read: 0,
        };
        search.list();
        search
    }

    /// Lists leaves and heads anew.
    fn list(&mut self) {
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

    fn run(&mut self) -> Option<Recovered> {
        if self.leaves.len() < 2 {
            return None;
        }
        self.mend_heads()?;
        let mut groups = Vec::new();
        let mut work = match self.leaves.len() {
            0 => return None,
            1 => vec![0..1],
            all => {
                let (first, second) = self.halves(0..all);
                vec![second, first]
            }
        };
        while let Some(group) = work.pop() {
            let tree = self.parse(&self.leaves[group.clone()].to_vec());
            let verdict = tree.as_ref().map(|tree| self.judge(tree));
            let understood = verdict.as_ref().is_some_and(|verdict| !verdict.spreads);
            if !understood && group.len() > 1 && self.may_parse() {
                let (first, second) = self.halves(group);
                work.extend([second, first]);
                continue;
            }
            if !understood && group.len() == 1 {
                self.open(group.start)?;
            }
            let span = self.span(&group);
            match tree {
                Some(tree) => groups.push(Group {
                    lost: lost_in(&tree, &span),
                    pieces: group,
                    tree,
                }),
                None => return None,
            }
        }
        let base = self.parse(&self.heads.clone())?;
        Some(self.put_together(base, groups))
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
        if self.is_right(&[at])? {
            self.leaves[leaf] = inner;
            self.heads.push(at);
        } else {
            self.pieces[at].body = None;
        }
        Some(())
    }

    fn put_together(&self, base: Tree, groups: Vec<Group>) -> Recovered {
        let mut lost = self.blanked + lost_in(&base, &(0..self.bytes.len()));
        let (mut parts, mut trees): (Vec<Part>, Vec<Tree>) = (Vec::new(), Vec::new());
        for group in groups {
            lost += group.lost;
            let mut before: Option<&Piece> = None;
            for at in &self.leaves[group.pieces] {
                let piece = &self.pieces[*at];
                let bytes = self.text_of(piece);
                let adjoins = before.is_some_and(|before| {
                    before.up == piece.up
                        && (before.rows.end..piece.rows.start).all(|row| self.rows.is_blank(row))
                });
                let end_at = point(self.lines, bytes.end);
                match parts.last_mut().filter(|_| adjoins) {
                    Some(part) => (part.bytes.end, part.end_at) = (bytes.end, end_at),
                    None => parts.push(Part {
                        bytes,
                        end_at,
                        tree: trees.len(),
                    }),
                }
                before = Some(piece);
            }
            trees.push(group.tree);
        }
        parts.retain(|part| !part.bytes.is_empty());
        Recovered {
            base,
            parts,
            ends: self.ends(),
            trees,
            lost,
        }
    }

    /// The bytes of a piece, without the space around it.
    fn text_of(&self, piece: &Piece) -> Range<usize> {
        let bytes = self.rows.start(piece.rows.start)..self.rows.start(piece.rows.end);
        let text = self.bytes.get(bytes.clone()).unwrap_or(b"");
        let start = bytes.start + (text.len() - text.trim_ascii_start().len());
        start..start + text.trim_ascii().len()
    }

    fn span(&self, group: &Range<usize>) -> Range<usize> {
        let piece = |at: usize| self.leaves.get(at).and_then(|at| self.pieces.get(*at));
        let start = piece(group.start).map_or(0, |piece| piece.rows.start);
        let end = piece(group.end.saturating_sub(1)).map_or(0, |piece| piece.rows.end);
        self.rows.start(start)..self.rows.start(end)
    }

    /// Two halves of a group of leaves, as even as may be; neither is empty.
    fn halves(&self, group: Range<usize>) -> (Range<usize>, Range<usize>) {
        let span = self.span(&group);
        let middle = span.start + span.len() / 2;
        let starts = &self.leaves[group.clone()];
        let cut =
            starts.partition_point(|at| self.rows.start(self.pieces[*at].rows.start) < middle);
        let cut = group.start + cut.clamp(1, group.len() - 1);
        (group.start..cut, cut..group.end)
    }

    fn may_parse(&self) -> bool {
        self.parses < MAX_PARSES && self.read < READ + MOST_READ * self.bytes.len()
    }

    /// Makes heads readable: on one line, else without all but what they are of and called. One that is not
    /// even then is taken for a leaf.
    fn mend_heads(&mut self) -> Option<()> {
        let mut work: Vec<Vec<usize>> = vec![self.heads.clone()];
        let mut is_changed = false;
        while let Some(heads) = work.pop() {
            if heads.is_empty() || self.is_right(&heads)? {
                continue;
            }
            if !self.may_parse() {
                return None;
            }
            match heads.as_slice() {
                [head] => is_changed |= !self.mend(*head)?,
                heads => {
                    let (first, second) = heads.split_at(heads.len() / 2);
                    work.extend([second.to_vec(), first.to_vec()]);
                }
            }
        }
        if is_changed {
            self.list();
        }
        Some(())
    }

    /// Whether heads with nothing in them are understood.
    fn is_right(&mut self, heads: &[usize]) -> Option<bool> {
        let tree = self.parse(heads)?;
        let are_whole = heads
            .iter()
            .all(|head| self.is_whole(&tree, &self.pieces[*head]));
        Some(!tree.root_node().has_error() && are_whole)
    }

    /// Whether what ends a piece belongs to what its head begins, and not to something that was taken for an
    /// expression of its own.
    fn is_whole(&self, tree: &Tree, piece: &Piece) -> bool {
        let tail = piece.tail();
        let Some((word, _)) =
            outline::holder(&self.rows, piece.head()).filter(|_| !tail.is_empty())
        else {
            return true;
        };
        let (start, end) = (
            self.rows.start(piece.rows.start),
            self.rows.text_start(tail.start),
        );
        let mut cursor = tree.walk();
        while cursor.goto_first_child_for_byte(end).is_some() {
            let node = cursor.node();
            if node.start_byte() >= start {
                return node.start_byte() <= word.start;
            }
        }
        false
    }

    /// Makes a head readable; says whether that was possible.
    fn mend(&mut self, at: usize) -> Option<bool> {
        let rows = self.pieces[at].head();
        if let Some((word, name)) = outline::holder(&self.rows, rows.clone())
            && !name.is_empty()
        {
            let before = (self.patched.clone(), self.blanked, self.joined.clone());
            if self.join(word.start, rows.end) && self.is_right(&[at])? {
                return Some(true);
            }
            let span = self.rows.start(rows.start)..self.rows.start(rows.end);
            let text = self.bytes.get(span.clone()).unwrap_or(b"").trim_ascii_end();
            let end = span.start + text.len();
            let end = end - usize::from(text.ends_with(self.rows.shape.opens));
            for gap in [span.start..word.start, name.end..end] {
                self.blank(gap);
            }
            if self.is_right(&[at])? {
                return Some(true);
            }
            (self.patched, self.blanked, self.joined) = before;
        }
        self.pieces[at].body = None;
        Some(false)
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
            if let Some(newline) = self.patched.get_mut(start - 1) {
                *newline = b' ';
            }
            self.joined.push(start);
        }
        self.joined.sort_unstable();
        true
    }

    fn patch(&mut self) {
        if self.patched.is_empty() {
            self.patched = self.bytes.to_vec();
        }
    }

    fn blank(&mut self, range: Range<usize>) {
        self.patch();
        for byte in self.patched.get_mut(range).unwrap_or_default() {
            if !byte.is_ascii_whitespace() {
                *byte = b' ';
                self.blanked += 1;
            }
        }
    }

    /// Parses pieces with the heads and ends of what they lie in.
    fn parse(&mut self, group: &[usize]) -> Option<Tree> {
        let mut keep = vec![false; self.rows.len()];
        let mut is_kept = vec![false; self.pieces.len()];
        let mark = |keep: &mut Vec<bool>, rows: Range<usize>| {
            keep.get_mut(rows).unwrap_or_default().fill(true);
        };
        for at in group {
            let mut next = *at;
            if self.pieces[next].body.is_none() {
                mark(&mut keep, self.pieces[next].rows.clone());
                next = self.pieces[next].up;
            }
            while !is_kept[next] {
                let piece = &self.pieces[next];
                is_kept[next] = true;
                if next > 0 {
                    mark(&mut keep, piece.head());
                    mark(&mut keep, piece.tail());
                }
                for row in &piece.frame {
                    keep[*row] = true;
                }
                next = piece.up;
            }
        }
        if group.is_empty() {
            for row in &self.pieces[0].frame {
                keep[*row] = true;
            }
        }
        self.fillers = self.fillers(&keep, &is_kept);
        let ranges = self.ranges(&keep);
        self.parses += 1;
        self.read += ranges
            .iter()
            .map(|range| range.end_byte - range.start_byte)
            .sum::<usize>();
        if ranges.is_empty() {
            return None;
        }
        if self.patched.is_empty() && self.fillers.is_empty() {
            return parse::parse_ranges(self.bytes, self.tables, &ranges);
        }
        let mut bytes = match self.patched.is_empty() {
            true => self.bytes.to_vec(),
            false => self.patched.clone(),
        };
        for Filler { place, .. } in &self.fillers {
            let filler = self
                .rows
                .shape
                .filler
                .iter()
                .chain(std::iter::repeat(&b' '));
            let rest = bytes.get_mut(place.clone()).unwrap_or_default().iter_mut();
            rest.take_while(|byte| **byte != b'\n')
                .zip(filler)
                .for_each(|(byte, with)| *byte = *with);
        }
        parse::parse_ranges(&bytes, self.tables, &ranges)
    }

    /// Where something must stand so that blocks begin and end where they do: in the first and in the last line
    /// of what they hold, if that is left out.
    fn fillers(&self, keep: &[bool], is_kept: &[bool]) -> Vec<Filler> {
        let len = self.rows.shape.filler.len();
        if len == 0 {
            return Vec::new();
        }
        let mut places = Vec::new();
        for (at, piece) in self.pieces.iter().enumerate().skip(1) {
            if piece.body.is_none() || !is_kept[at] {
                continue;
            }
            let kids = &self.pieces[piece.kids.clone()];
            let column = kids
                .first()
                .map_or(0, |first| self.rows.column(first.rows.start));
            let place = |row: usize| {
                let (place, end) = (self.rows.start(row) + column, self.rows.start(row + 1));
                let fits = self.rows.column(row) >= column && place + len < end;
                fits.then_some(Filler {
                    place: place..end,
                    holder: at,
                })
            };
            let is_left = |kid: &&Piece| kid.rows.clone().all(|row| keep.get(row) != Some(&true));
            let first = kids.first().filter(is_left);
            let last = kids.last().filter(is_left);
            places.extend(first.and_then(|first| first.rows.clone().find_map(place)));
            places.extend(last.and_then(|last| last.rows.clone().rev().find_map(place)));
        }
        let start = |filler: &Filler| filler.place.start;
        places.sort_by_key(start);
        places.dedup_by_key(|filler| start(filler));
        places
    }

    /// Where what stood in place of what was left out ended, and where the last of its block does.
    fn ends(&self) -> Vec<(usize, usize)> {
        let ends = self.fillers.iter().map(|filler| {
            let kids = self.pieces[filler.holder].kids.clone();
            let end = filler.place.start + self.rows.shape.filler.len();
            let last = self.pieces[kids].last();
            (end, last.map_or(end, |last| self.text_of(last).end))
        });
        ends.collect()
    }

    /// The ranges of lines that are kept, what is left out of heads left out.
    fn ranges(&self, keep: &[bool]) -> Vec<tree_sitter::Range> {
        let mut spans: Vec<Range<usize>> = Vec::new();
        for (row, _) in keep.iter().enumerate().filter(|(_, keep)| **keep) {
            let span = self.rows.start(row)..self.rows.start(row + 1);
            match spans.last_mut().filter(|last| last.end == span.start) {
                Some(last) => last.end = span.end,
                None => spans.push(span),
            }
        }
        for Filler { place, .. } in &self.fillers {
            let row = self
                .lines
                .partition_point(|start| *start as usize <= place.start);
            spans.push(self.rows.start(row.saturating_sub(1))..place.end);
        }
        spans.sort_by_key(|span| span.start);
        let mut ranges = Vec::new();
        let mut joined = self.joined.iter().copied().peekable();
        for mut span in spans {
            while let Some(cut) = joined.next_if(|cut| *cut < span.end) {
                if cut > span.start {
                    ranges.push(span.start..cut);
                    span.start = cut;
                }
            }
            ranges.push(span);
        }
        let ranges = ranges.into_iter().filter(|range| !range.is_empty());
        ranges
            .map(|range| tree_sitter::Range {
                start_byte: range.start,
                end_byte: range.end,
                start_point: point(self.lines, range.start),
                end_point: point(self.lines, range.end),
            })
            .collect()
    }

    /// Says what is wrong with a tree.
    fn judge(&self, tree: &Tree) -> Verdict {
        let mut verdict = Verdict::default();
        for_each_error(tree, |error, above| {
            verdict.lost += error.end_byte() - error.start_byte();
            let Some(beyond) = self.beyond(error, above) else {
                return;
            };
            verdict.spreads = true;
            verdict.spread += error.end_byte() - error.start_byte();
            verdict.misread = verdict.misread.max(beyond);
        });
        verdict
    }

    /// How much more than itself an error spoils; `None` when it stays within the declaration that it begins
    /// in.
    fn beyond(&self, error: Node<'_>, above: &[Node<'_>]) -> Option<usize> {
        let row = error.start_position().row;
        let mut at = 0;
        let piece = loop {
            let piece = &self.pieces[at];
            let kids = match &piece.body {
                Some(body) if body.contains(&row) => &self.pieces[piece.kids.clone()],
                _ => break piece,
            };
            let next = kids.partition_point(|kid| kid.rows.end <= row);
            match kids.get(next).filter(|kid| kid.rows.contains(&row)) {
                Some(_) => at = piece.kids.start + next,
                None => {
                    // A line of the frame.
                    let after = kids.get(next).map_or(piece.rows.end, |kid| kid.rows.start);
                    let in_error = above.last().is_some_and(Node::is_error);
                    let stays = error.end_byte() <= self.rows.start(after) && !in_error;
                    return (!stays || error.parent().is_none()).then_some(0);
                }
            }
        };
        let (start, end) = (
            self.rows.start(piece.rows.start),
            self.rows.start(piece.rows.end),
        );
        let below = above.get(1..).unwrap_or_default();
        let cut = below.partition_point(|node| node.start_byte() < start);
        let top = below.get(cut).copied().unwrap_or(error);
        let holder = match cut {
            0 => above.first(),
            cut => below.get(cut - 1),
        };
        let stays = top.end_byte() <= end && holder.is_some_and(|holder| !holder.is_error());
        match &piece.body {
            _ if !stays => Some(0),
            Some(body) if top.is_error() || top.end_byte() < self.rows.start(body.end) => {
                Some(end - start)
            }
            _ => None,
        }
    }
}

/// Bytes of a range that lie in errors.
fn lost_in(tree: &Tree, range: &Range<usize>) -> usize {
    let mut lost = 0;
    for_each_error(tree, |error, _| {
        let (start, end) = (
            error.start_byte().max(range.start),
            error.end_byte().min(range.end),
        );
        lost += end.saturating_sub(start);
    });
    lost
}

/// Visits every error that lies in no other, with the nodes above it, outermost first.
fn for_each_error<'t>(tree: &'t Tree, mut visit: impl FnMut(Node<'t>, &[Node<'t>])) {
    let mut cursor = tree.walk();
    let mut above: Vec<Node<'t>> = Vec::new();
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

#[cfg(test)]
mod tests {
    use crate::extract::extract;
    use crate::record::{DocFlags, DocRecord, Grammar};

    fn names(record: &DocRecord) -> Vec<String> {
        let symbols = record.symbols.iter();
        let name = |id| String::from_utf8_lossy(record.names.get(id)).into_owned();
        symbols
            .map(|symbol| match symbol.container {
                Some(at) => format!(
                    "{}.{}",
                    name(record.symbols[at as usize].name),
                    name(symbol.name)
                ),
                None => name(symbol.name),
            })
            .collect()
    }

    #[test]
    fn a_head_on_two_lines_is_read_on_one() {
        let source = "value class Result<out T>\n@Known internal constructor(val held: Any?) {\n    \
                      fun isRight() = true\n\n    class Wrong\n}\n\ninterface After {\n    fun last()\n}\n";
        let record = extract(source.as_bytes(), Grammar::Kotlin);
        let expected = [
            "Result",
            "Result.held",
            "Result.isRight",
            "Result.Wrong",
            "After",
            "After.last",
        ];
        assert_eq!(names(&record), expected);
        assert!(
            !record.flags.contains(DocFlags::SYNTAX_ERRORS),
            "all of it is understood"
        );
    }

    #[test]
    fn storms_of_errors_end() {
        let units = [
            "class A {\n",
            "fun f( {\n",
            "}\n",
            "  (\n",
            "#if 1\n",
            "def f(\n",
            "namespace a {\n",
            "public:\n",
            "class A\n  constructor( {\n x\n",
            "/*\n",
            "\"\"\"\n",
            "a {\n b (\n}\n",
        ];
        let grammars = [
            Grammar::Kotlin,
            Grammar::Cpp,
            Grammar::Python,
            Grammar::TypeScript,
            Grammar::Ruby,
            Grammar::Rust,
        ];
        for (unit, turn) in units.iter().zip(0..) {
            let grammar = grammars[turn % grammars.len()];
            extract(unit.repeat(20_000 / unit.len()).as_bytes(), grammar);
            for grammar in grammars {
                extract(unit.repeat(60).as_bytes(), grammar);
                extract(
                    format!("{unit}class A {{\n x\n}}\n").repeat(20).as_bytes(),
                    grammar,
                );
            }
        }
    }
}
