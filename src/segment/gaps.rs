//! The `GAPS` chunk: what of each document was not understood.

use super::varint::{Cursor, put32};
use crate::extract::record::{DocRecord, Gaps, Lines};
use crate::limits::MAX_GAPS_PER_DOC;

/// Appends the stream of one document.
pub(super) fn encode(out: &mut Vec<u8>, gaps: &Gaps) {
    if *gaps == Gaps::default() {
        return;
    }
    put32(out, gaps.bytes);
    let mut last = 0;
    for lines in &gaps.lines {
        put32(out, lines.first - last);
        put32(out, lines.last - lines.first);
        last = lines.last;
    }
}

/// Looks for what has no code.
pub(super) fn check(record: &DocRecord) -> Result<(), &'static str> {
    let lines = &record.gaps.lines;
    let mut last = 0;
    for Lines { first, last: end } in lines {
        if *first <= last || end < first {
            return Err("lines that were not understood are not in order");
        }
        last = *end;
    }
    match lines.len() > MAX_GAPS_PER_DOC {
        true => Err("too many lines were not understood"),
        false => Ok(()),
    }
}

/// Reads a stream, up to its end or to where it is malformed; says whether it is whole.
pub(super) fn read(stream: &[u8]) -> (Gaps, bool) {
    let mut gaps = Gaps::default();
    let mut cursor = Cursor::new(stream);
    let whole = cursor.is_empty() || read_into(&mut cursor, &mut gaps).is_some();
    (gaps, whole)
}

fn read_into(cursor: &mut Cursor<'_>, gaps: &mut Gaps) -> Option<()> {
    gaps.bytes = cursor.u32()?;
    let mut last = 0u32;
    while !cursor.is_empty() {
        let after = cursor.u32().filter(|after| *after > 0)?;
        let first = last.checked_add(after)?;
        let lines = Lines {
            first,
            last: first.checked_add(cursor.u32()?)?,
        };
        if gaps.lines.len() >= MAX_GAPS_PER_DOC {
            return None;
        }
        gaps.lines.push(lines);
        last = lines.last;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(bytes: u32, lines: &[(u32, u32)]) -> Gaps {
        let lines = lines.iter().map(|(first, last)| Lines {
            first: *first,
            last: *last,
        });
        Gaps {
            bytes,
            lines: lines.collect(),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let most: Vec<(u32, u32)> = (1..=MAX_GAPS_PER_DOC as u32)
            .map(|at| (at * 3, at * 3 + 1))
            .collect();
        let all = [
            gaps(0, &[]),
            gaps(9, &[(1, 1)]),
            gaps(u32::MAX, &[(3, 3), (5, 900), (u32::MAX, u32::MAX)]),
            gaps(7, &most),
        ];
        for of in all {
            let mut out = Vec::new();
            encode(&mut out, &of);
            assert_eq!(read(&out), (of, true));
        }
    }

    #[test]
    fn streams_that_no_writer_makes_are_malformed() {
        let malformed: [&[u8]; 5] = [
            &[0x80],
            &[1, 3],
            &[1, 0, 0],
            &[1, 3, 1, 0, 0],
            &[1, 0xff, 0xff, 0xff, 0xff, 0x0f, 1],
        ];
        for stream in malformed {
            assert!(!read(stream).1, "{stream:?}");
        }
        let many = [&[1][..], &[2, 0].repeat(MAX_GAPS_PER_DOC + 1)].concat();
        let (read, whole) = read(&many);
        assert!(!whole && read.lines.len() == MAX_GAPS_PER_DOC);
    }
}
