//! Parsing some of a file as if it were all of it.

use super::outline::Piece;
use super::search::Search;
use crate::syntax::found::range;
use crate::syntax::parse;
use std::ops::Range;
use tree_sitter::Tree;

/// Something that stands in a block of which its last or first declaration is left out.
pub(super) struct Filler {
    place: Range<usize>,
    /// Whose block it is.
    holder: usize,
}

impl Search<'_> {
    /// Parses pieces with the heads and ends of what they lie in.
    pub(super) fn parse(&mut self, group: &[usize]) -> Option<Tree> {
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
        let mut ranges = self.ranges(&keep);
        if ranges.is_empty() {
            // Nothing is a file as well.
            ranges.push(range(self.lines, &(0..0)));
        }
        self.parses += 1;
        self.read += ranges
            .iter()
            .map(|range| range.end_byte - range.start_byte)
            .sum::<usize>();
        if self.patched.bytes.is_empty() && self.fillers.is_empty() {
            return parse::parse_ranges(self.bytes, self.tables, &ranges);
        }
        let mut bytes = match self.patched.bytes.is_empty() {
            true => self.bytes.to_vec(),
            false => self.patched.bytes.clone(),
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
    pub(super) fn ends(&self) -> Vec<(usize, usize)> {
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
        let mut joined = self.patched.joined.iter().copied().peekable();
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
        ranges.map(|bytes| range(self.lines, &bytes)).collect()
    }
}
