//! The walk over a file that was read in groups: the tree of heads and ends, and in its gaps the declarations
//! from trees of their own.

use super::node::NodeExt;
use super::recover::Recovered;
use super::rows::Rule;
use super::symbols::Draft;
use super::walk::{Scope, TooDeep, Walk};
use crate::record::OccurrenceKind;
use std::ops::Range;
use tree_sitter::{Node, Point};

impl<'t> Walk<'t> {
    /// Visits a file that was read in groups.
    pub(crate) fn run_groups(&mut self, groups: &'t Recovered) -> Result<(), TooDeep> {
        self.groups = Some(groups);
        self.run(&groups.base)?;
        // What ends a head may have been met before what stands in it.
        self.occurrences
            .sort_by_key(|found| (found.line, found.col));
        Ok(())
    }

    /// Visits the parts that stand before a byte, as children of the node whose frame is on the stack.
    pub(super) fn visit_parts(&mut self, end: usize) -> Result<(), TooDeep> {
        let Some(groups) = self.groups else {
            return Ok(());
        };
        while let Some(part) = groups
            .parts
            .get(self.passed)
            .filter(|part| part.bytes.start <= end)
        {
            self.passed += 1;
            let Some(root) = groups.around(part) else {
                continue;
            };
            // As if it stood here, unless it is spoiled by the error that it stands in, or stands in a block
            // that this tree has later.
            let here = self.stack.last().map(|frame| frame.node.kind_id());
            let is_whole = root.is_error() && Recovered::are_whole(part, root);
            let is_here = is_whole || here == Some(root.kind_id());
            let is_elsewhere = !is_here;
            if is_elsewhere {
                let mut frame = self.child_frame(root, Rule::Is(OccurrenceKind::Read));
                let is_below = root.parent().map(|above| above.kind_id()) == here;
                let hook = self.tables.kind(root.kind_id()).hook;
                if let Some(hook) = hook.filter(|_| is_below) {
                    hook(self, root, &mut frame);
                }
                self.stack.push(frame);
            }
            self.until = part.bytes.end;
            self.visit(root, Some(&part.bytes))?;
            self.until = usize::MAX;
            if is_elsewhere {
                self.stack.pop();
            }
        }
        Ok(())
    }

    /// Where what a tree says to lie from `start` to `end` ends in the file: within the part that is being
    /// visited, or after the last part of a block that only something put in its place ends.
    pub(super) fn end_in_file(&self, start: usize, end: usize) -> usize {
        let Some(groups) = self.groups else {
            return end;
        };
        let ends = &groups.ends;
        match ends.binary_search_by_key(&end, |(filled, _)| *filled) {
            Ok(at) if self.until == usize::MAX => ends[at].1,
            _ => end.min(self.until.max(start)),
        }
    }

    /// Makes what holds for all that follows it in a file end with the file, where that is read in groups: a tree of
    /// one ends earlier.
    pub(crate) fn holds_beyond(&self, draft: &mut Draft<'t>) {
        if self.groups.is_some() {
            draft.end = self.src.len();
            draft.end_at = self.point_of(draft.end, draft.start, draft.start_at);
            draft.beyond = true;
        }
    }

    /// Ends what holds beyond the part that it stands in before a byte.
    pub(crate) fn ends_before(&mut self, symbol: u32, end: usize) {
        let is_in_groups = self.groups.is_some();
        let Some(found) = self.symbols.get(symbol as usize).filter(|_| is_in_groups) else {
            return;
        };
        let start = found.span.start as usize;
        let start_at = Point {
            row: found.start_line as usize - 1,
            column: found.start_col as usize,
        };
        let Some(text) = self.src.get(start..end.min(found.span.end as usize)) else {
            return;
        };
        let end = start + text.trim_ascii_end().len();
        let end_at = self.point_of(end, start, start_at);
        let found = &mut self.symbols[symbol as usize];
        found.span.end = end as u32;
        (found.end_line, found.end_col) = (end_at.row as u32 + 1, end_at.column as u32);
    }

    /// Where a name is bound that is met in a part: within it, if not in all of a class around it.
    pub(super) fn scope_in_file(&self, scope: Range<Point>) -> Range<Point> {
        let part = self
            .passed
            .checked_sub(1)
            .filter(|_| self.until < usize::MAX);
        let Some(part) = part.and_then(|at| self.groups?.parts.get(at)) else {
            return scope;
        };
        let inwards = self.stack.iter().rev();
        let mut sound = inwards.take_while(|frame| !frame.node.is_error());
        if sound.any(|frame| frame.scope == Scope::Class && frame.node.span() == scope) {
            return scope;
        }
        let (start, end) = (
            scope.start.max(part.points.start),
            scope.end.min(part.points.end),
        );
        match start < end {
            true => start..end,
            // Of all of the file, which is more than the tree has of it.
            false => part.points.clone(),
        }
    }

    /// Where the first part begins of what begins at `start`, whose head lies before it.
    pub(super) fn head_end(&self, start: usize) -> usize {
        let Some(groups) = self.groups.filter(|_| self.until == usize::MAX) else {
            return self.until;
        };
        let first = groups
            .parts
            .partition_point(|part| part.bytes.start <= start);
        groups
            .parts
            .get(first)
            .map_or(usize::MAX, |part| part.bytes.start)
    }

    /// Whether a node stands in a part that was visited in place of what the tree says there.
    pub(super) fn is_passed(&self, node: Node<'t>) -> bool {
        let before = self.passed.checked_sub(1);
        let part = before.and_then(|at| self.groups?.parts.get(at));
        part.is_some_and(|part| {
            part.bytes.start <= node.start_byte() && node.end_byte() <= part.bytes.end
        })
    }
}
