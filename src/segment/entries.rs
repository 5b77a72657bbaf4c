//! The `ENTR` chunk: entry points that each document states.
//!
//! Positions and ranges are handed out as they are stored: who uses one has to ask whether the document has it.

use super::varint::{Cursor, put32, unzigzag, zigzag};
use crate::extract::record::{DocRecord, Entry, EntryKind, Methods, PartKind, PathPart, Reached};
use crate::limits::{MAX_ENTRIES_PER_DOC, MAX_ENTRY_PARTS};
use std::ops::Range;

/// Bits of the first byte: the kind, then what is reached, then whether it is registered on something.
const KIND: u8 = 15;
const REACHED_SHIFT: u8 = 4;
const ON: u8 = 128;

/// Appends the stream of one document.
pub(super) fn encode(out: &mut Vec<u8>, entries: &[Entry]) {
    let (mut line, mut place) = (0, 0);
    for (at, entry) in (0u32..).zip(entries) {
        let reached = match entry.reached {
            Reached::Nothing => 0,
            Reached::Inline(_) => 1,
            Reached::Symbol(_) => 2,
            Reached::Place(..) => 3,
            Reached::Text(_) => 4,
        };
        let on = entry.on.map_or(0, |_| ON);
        out.push(entry.kind.code() | reached << REACHED_SHIFT | on);
        put32(out, u32::from(entry.methods.0));
        if let Some(on) = entry.on {
            put32(out, at - on);
        }
        put32(out, zigzag(entry.line.wrapping_sub(line)));
        line = entry.line;
        put32(out, entry.path.len() as u32);
        for part in &entry.path {
            out.push(part.kind.code());
            if part.kind.has_text() {
                put_range(out, &part.range, &mut place);
            }
        }
        match &entry.reached {
            Reached::Nothing => {}
            Reached::Inline(at) => put32(out, zigzag(at.wrapping_sub(line))),
            Reached::Symbol(symbol) => put32(out, *symbol),
            Reached::Place(at, col) => {
                put32(out, zigzag(at.wrapping_sub(line)));
                put32(out, *col);
            }
            Reached::Text(range) => put_range(out, range, &mut place),
        }
    }
}

/// A range, its start as the difference to the end of the one before.
fn put_range(out: &mut Vec<u8>, range: &Range<u32>, place: &mut u32) {
    put32(out, zigzag(range.start.wrapping_sub(*place)));
    put32(out, range.end - range.start);
    *place = range.end;
}

/// Looks for what has no code.
pub(super) fn check(record: &DocRecord) -> Result<(), &'static str> {
    if record.entries.len() > MAX_ENTRIES_PER_DOC {
        return Err("too many entry points");
    }
    for (at, entry) in record.entries.iter().enumerate() {
        if entry.on.is_some_and(|on| on as usize >= at) {
            return Err("an entry point is registered on one after it");
        }
        if entry.path.len() > MAX_ENTRY_PARTS {
            return Err("a path has too many parts");
        }
        let is_bad = |part: &PathPart| match part.kind.has_text() {
            true => part.range.end < part.range.start,
            false => part.range != (0..0),
        };
        if entry.path.iter().any(is_bad) {
            return Err("a part of a path has no range");
        }
        if matches!(&entry.reached, Reached::Text(range) if range.end < range.start) {
            return Err("what an entry point leads to has no range");
        }
    }
    Ok(())
}

/// Reads a stream, up to its end or to where it is malformed; says whether it is whole.
pub(super) fn read(stream: &[u8]) -> (Vec<Entry>, bool) {
    let mut entries = Vec::new();
    let mut cursor = Cursor::new(stream);
    let whole = read_into(&mut cursor, &mut entries).is_some();
    (entries, whole)
}

fn read_into(cursor: &mut Cursor<'_>, entries: &mut Vec<Entry>) -> Option<()> {
    let (mut line, mut place) = (0u32, 0u32);
    while !cursor.is_empty() {
        if entries.len() >= MAX_ENTRIES_PER_DOC {
            return None;
        }
        let head = cursor.byte()?;
        let kind = EntryKind::from_code(head & KIND)?;
        let methods = Methods(u16::try_from(cursor.u32()?).ok()?);
        let on = match head & ON {
            0 => None,
            _ => {
                let back = cursor.u32().filter(|back| *back > 0)?;
                Some((entries.len() as u32).checked_sub(back)?)
            }
        };
        line = line.wrapping_add(unzigzag(cursor.u32()?));
        let parts = cursor.u32()? as usize;
        if parts > MAX_ENTRY_PARTS {
            return None;
        }
        let mut path = Vec::with_capacity(parts);
        for _ in 0..parts {
            let kind = PartKind::from_code(cursor.byte()?)?;
            path.push(match kind.has_text() {
                true => PathPart {
                    kind,
                    range: read_range(cursor, &mut place)?,
                },
                false => PathPart::bare(kind),
            });
        }
        let reached = match (head & !ON) >> REACHED_SHIFT {
            0 => Reached::Nothing,
            1 => Reached::Inline(line.wrapping_add(unzigzag(cursor.u32()?))),
            2 => Reached::Symbol(cursor.u32()?),
            3 => Reached::Place(line.wrapping_add(unzigzag(cursor.u32()?)), cursor.u32()?),
            4 => Reached::Text(read_range(cursor, &mut place)?),
            _ => return None,
        };
        entries.push(Entry {
            kind,
            methods,
            on,
            line,
            path,
            reached,
        });
    }
    Some(())
}

fn read_range(cursor: &mut Cursor<'_>, place: &mut u32) -> Option<Range<u32>> {
    let start = place.wrapping_add(unzigzag(cursor.u32()?));
    let end = start.checked_add(cursor.u32()?)?;
    *place = end;
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<Entry> {
        let text = |range| PathPart {
            kind: PartKind::Text,
            range,
        };
        let entry = |kind, on, line, path, reached| Entry {
            kind,
            methods: Methods(1),
            on,
            line,
            path,
            reached,
        };
        let computed = PathPart::bare(PartKind::Computed);
        vec![
            entry(
                EntryKind::Router,
                None,
                9,
                vec![text(5..9)],
                Reached::Symbol(2),
            ),
            entry(
                EntryKind::Route,
                Some(0),
                7,
                vec![computed, text(1..2)],
                Reached::Place(8, 3),
            ),
            entry(EntryKind::Mount, Some(0), 7, vec![], Reached::Text(0..0)),
            entry(
                EntryKind::Job,
                None,
                u32::MAX,
                vec![text(0..u32::MAX)],
                Reached::Inline(0),
            ),
            entry(EntryKind::Command, Some(2), 1, vec![], Reached::Nothing),
        ]
    }

    #[test]
    fn what_is_written_is_read() {
        for count in 0..=entries().len() {
            let mut out = Vec::new();
            encode(&mut out, &entries()[..count]);
            assert_eq!(read(&out), (entries()[..count].to_vec(), true));
            for cut in 1..out.len() {
                assert!(read(&out[..cut]).0.len() <= count);
            }
        }
    }

    #[test]
    fn streams_that_no_writer_makes_are_malformed() {
        let malformed: [&[u8]; 6] = [
            &[3],
            &[0, 0, 0, 0],
            &[0x53, 0, 0, 0],
            &[0x83, 0, 1, 0, 0],
            &[3, 0, 0, MAX_ENTRY_PARTS as u8 + 1],
            &[3, 0, 0, 1, 99],
        ];
        for stream in malformed {
            assert!(!read(stream).1, "{stream:?}");
        }
        let many = [3, 0, 0, 0].repeat(MAX_ENTRIES_PER_DOC + 1);
        let (read, whole) = read(&many);
        assert!(!whole && read.len() == MAX_ENTRIES_PER_DOC);
    }
}
