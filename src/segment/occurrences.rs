//! The `OCCS` chunk: each document's names, then where they occur, about three bytes a time.
//!
//! Positions are told from the end of the occurrence before: on one line the next identifier
//! nearly always stands one to six bytes on (`.`, `, `, ` = `), which leaves no bytes to store.

use super::format::HOT_NAMES;
use super::lists::put_rising;
use super::names::NameUse;
use super::varint::{Cursor, put32};
use crate::extract::record::{Occurrence, OccurrenceKind, Qualifier};
use crate::id::{LocalName, NameId};

/// Position code: on the same line, at a column that follows.
const SAME_LINE: u8 = 6;
/// Position code: on another line.
const OTHER_LINE: u8 = 7;
/// Line code: the difference of lines follows.
const FAR_LINE: u32 = 3;
/// Column code: the rest of the column follows.
const FAR_COLUMN: u32 = 63;

/// Working memory that is kept from document to document.
#[derive(Default)]
pub(super) struct Encoder {
    /// Names of the document that occur, with how often.
    table: Vec<(NameId, u32)>,
    /// Their ordinals, by the document's own numbers.
    ordinals: Vec<u32>,
}

impl Encoder {
    /// Appends the stream of one document. `uses` tells of each of its names; `len` gives the
    /// length of a name in bytes.
    pub(super) fn encode(
        &mut self,
        out: &mut Vec<u8>,
        occurrences: &[Occurrence<LocalName>],
        uses: &[NameUse],
        len: impl Fn(NameId) -> u8,
    ) {
        if occurrences.is_empty() {
            return;
        }
        self.assign(uses);
        let hot = self.table.len().min(HOT_NAMES);
        put32(out, self.table.len() as u32);
        for part in [&self.table[..hot], &self.table[hot..]] {
            put_rising(out, part.iter().map(|(name, _)| name.0));
        }
        out.extend(self.table.iter().map(|(name, _)| len(*name)));

        let (mut line, mut end) = (1, 0);
        for occurrence in occurrences {
            let (name, col) = (uses[occurrence.name.index()].name, occurrence.col);
            let head = occurrence.kind.code() | occurrence.qualifier.code() << 3;
            if occurrence.line != line {
                let step = occurrence.line.wrapping_sub(line).wrapping_sub(1);
                let (near_line, near_col) = (step.min(FAR_LINE), col.min(FAR_COLUMN));
                out.extend_from_slice(&[head | OTHER_LINE << 5, (near_line << 6 | near_col) as u8]);
                if near_line == FAR_LINE {
                    put32(out, step - FAR_LINE);
                }
                if near_col == FAR_COLUMN {
                    put32(out, col - FAR_COLUMN);
                }
                line = occurrence.line;
            } else {
                match col.wrapping_sub(end) {
                    gap @ 1..=6 => out.push(head | (gap as u8 - 1) << 5),
                    _ => {
                        out.push(head | SAME_LINE << 5);
                        put32(out, col);
                    }
                }
            }
            put32(out, self.ordinals[occurrence.name.index()]);
            end = col.wrapping_add(u32::from(len(name)));
        }
    }

    /// Gives the names that occur their ordinals: in byte order, but the most frequent before all
    /// others when there are so many that some need two bytes.
    fn assign(&mut self, uses: &[NameUse]) {
        self.table.clear();
        self.table.extend(
            uses.iter()
                .filter(|u| u.count > 0)
                .map(|u| (u.name, u.count)),
        );
        if self.table.len() > HOT_NAMES {
            let by_count = |a: &(NameId, u32), b: &(NameId, u32)| (b.1, a.0).cmp(&(a.1, b.0));
            self.table.select_nth_unstable_by(HOT_NAMES - 1, by_count);
        }
        let hot = self.table.len().min(HOT_NAMES);
        self.table[..hot].sort_unstable();
        self.table[hot..].sort_unstable();
        self.ordinals.clear();
        self.ordinals.resize(uses.len(), 0);
        // Ranks are distinct within a document, so a merge walk would do; a search is as quick.
        for (ordinal, u) in self
            .ordinals
            .iter_mut()
            .zip(uses)
            .filter(|(_, u)| u.count > 0)
        {
            let find = |part: &[(NameId, u32)]| part.binary_search(&(u.name, u.count)).ok();
            let found = find(&self.table[..hot]);
            let found = found.or_else(|| find(&self.table[hot..]).map(|i| i + hot));
            *ordinal = found.unwrap_or(0) as u32;
        }
    }
}

/// Iterates over the occurrences of one document, in source order.
#[derive(Clone)]
pub struct Occurrences<'a> {
    cursor: Cursor<'a>,
    /// Names by ordinal, with their lengths.
    table: Vec<(NameId, u8)>,
    line: u32,
    end: u32,
    /// Whether the stream was found to be malformed.
    pub(super) failed: bool,
}

impl<'a> Occurrences<'a> {
    pub(super) fn new(stream: &'a [u8], names: u32) -> Self {
        let cursor = Cursor::new(stream);
        let mut read = Self {
            cursor,
            table: Vec::new(),
            line: 1,
            end: 0,
            failed: false,
        };
        if !stream.is_empty() && read.read_table(names).is_none() {
            read.fail();
        }
        read
    }

    fn read_table(&mut self, names: u32) -> Option<()> {
        let count = self.cursor.u32()? as usize;
        // Each name takes two bytes at least, so the table cannot be larger than its stream.
        if count > self.cursor.len() / 2 {
            return None;
        }
        self.table.reserve_exact(count);
        let mut next = 0u32;
        for i in 0..count {
            if i == HOT_NAMES {
                next = 0;
            }
            let name = next
                .checked_add(self.cursor.u32()?)
                .filter(|&name| name < names)?;
            self.table.push((NameId(name), 0));
            next = name + 1;
        }
        let lengths = self.cursor.take(count)?;
        self.table
            .iter_mut()
            .zip(lengths)
            .for_each(|(entry, &len)| entry.1 = len);
        Some(())
    }

    fn fail(&mut self) {
        self.failed = true;
        self.cursor = Cursor::default();
    }

    /// The distinct names that occur, in order of their ordinals.
    pub(super) fn names(&self) -> impl Iterator<Item = NameId> {
        self.table.iter().map(|entry| entry.0)
    }

    /// Reads the next one as (header, ordinal), and keeps its position.
    #[inline]
    fn step(&mut self) -> Option<(u8, u32, u32)> {
        let head = self.cursor.byte()?;
        let col = match head >> 5 {
            OTHER_LINE => {
                let place = u32::from(self.cursor.byte()?);
                let (mut step, mut col) = (place >> 6, place & FAR_COLUMN);
                if step == FAR_LINE {
                    step = step.wrapping_add(self.cursor.u32()?);
                }
                if col == FAR_COLUMN {
                    col = col.checked_add(self.cursor.u32()?)?;
                }
                self.line = self.line.wrapping_add(step).wrapping_add(1);
                col
            }
            SAME_LINE => self.cursor.u32()?,
            gap => self.end.wrapping_add(u32::from(gap) + 1),
        };
        let ordinal = self.cursor.u32()?;
        let (_, len) = self.table.get(ordinal as usize)?;
        self.end = col.wrapping_add(u32::from(*len));
        Some((head, ordinal, col))
    }

    #[inline]
    fn finish(&self, head: u8, ordinal: u32, col: u32) -> Option<Occurrence<NameId>> {
        Some(Occurrence {
            name: self.table.get(ordinal as usize)?.0,
            line: self.line,
            col,
            kind: OccurrenceKind::from_code(head & 7)?,
            qualifier: Qualifier::from_code(head >> 3 & 3)?,
        })
    }
}

impl Iterator for Occurrences<'_> {
    type Item = Occurrence<NameId>;

    fn next(&mut self) -> Option<Occurrence<NameId>> {
        if self.cursor.is_empty() {
            return None;
        }
        let found = self
            .step()
            .and_then(|(head, ordinal, col)| self.finish(head, ordinal, col));
        if found.is_none() {
            self.fail();
        }
        found
    }
}

/// Iterates over the occurrences of one name in one document.
#[derive(Clone)]
pub struct OccurrencesOf<'a> {
    all: Occurrences<'a>,
    wanted: Option<u32>,
}

impl<'a> OccurrencesOf<'a> {
    pub(super) fn new(all: Occurrences<'a>, name: NameId) -> Self {
        let wanted = all
            .names()
            .position(|found| found == name)
            .map(|i| i as u32);
        Self { all, wanted }
    }
}

impl Iterator for OccurrencesOf<'_> {
    type Item = Occurrence<NameId>;

    fn next(&mut self) -> Option<Occurrence<NameId>> {
        let wanted = self.wanted?;
        while let Some((head, ordinal, col)) = self.all.step() {
            if ordinal == wanted {
                return self.all.finish(head, ordinal, col);
            }
        }
        self.wanted = None;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(places: &[(u32, u32, u32)]) -> Vec<u8> {
        let mut uses = vec![NameUse::default(); 2];
        for (u, id) in uses.iter_mut().zip([7, 300]) {
            u.name = NameId(id);
        }
        let occurrence = |&(name, line, col): &(u32, u32, u32)| {
            uses[name as usize].count += 1;
            let (kind, qualifier) = (OccurrenceKind::Call, Qualifier::This);
            Occurrence {
                name: LocalName(name),
                line,
                col,
                kind,
                qualifier,
            }
        };
        let occurrences: Vec<_> = places.iter().map(occurrence).collect();
        let mut out = Vec::new();
        Encoder::default().encode(&mut out, &occurrences, &uses, |_| 4);
        let read: Vec<_> = Occurrences::new(&out, 301).collect();
        let place = |o: &Occurrence<NameId>| (u32::from(o.name.0 == 300), o.line, o.col);
        assert_eq!(read.iter().map(place).collect::<Vec<_>>(), places);
        out
    }

    #[test]
    fn neighbours_on_a_line_take_two_bytes() {
        let head = OccurrenceKind::Call.code() | Qualifier::This.code() << 3;
        let table = [2, 7, 0xa4, 2, 4, 4];
        assert_eq!(
            encode(&[(0, 1, 1), (1, 1, 11), (0, 2, 8), (1, 3, 0)]),
            [
                &table[..],
                &[
                    head,
                    0,
                    head | 5 << 5,
                    1,
                    head | 7 << 5,
                    8,
                    0,
                    head | 7 << 5,
                    0,
                    1
                ]
            ]
            .concat()
        );
    }

    #[test]
    fn far_lines_and_columns_and_any_order_survive() {
        encode(&[
            (0, 5, 62),
            (1, 8, 63),
            (0, 8, 1),
            (1, 7, 1000),
            (0, u32::MAX, u32::MAX),
            (1, 1, 0),
        ]);
    }

    #[test]
    fn names_that_the_segment_does_not_have_end_the_stream() {
        let out = encode(&[(0, 1, 1), (1, 1, 11)]);
        let mut read = Occurrences::new(&out, 300);
        assert!(read.next().is_none() && read.failed);
    }
}
