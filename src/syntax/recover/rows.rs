//! The lines of a file as far as their layout says what belongs together: how deep each is indented, how
//! many brackets are open, which begin inside a comment or a string.
//!
//! This is asked of files that a parser did not understand, so nothing here needs a tree. Guarantee: every
//! byte is looked at a fixed number of times.

use super::Shape;

/// Columns of a tab.
const TAB: u32 = 4;
/// Longest character literal.
const MAX_CHAR: usize = 12;

/// A line.
#[derive(Clone, Copy)]
struct Row {
    start: usize,
    end: usize,
    /// Columns before its text; `None` where it has none.
    indent: Option<u32>,
    /// Whether it begins inside a comment or a string.
    inside: bool,
    /// Whether it is for a preprocessor.
    directive: bool,
    /// Brackets open at its beginning.
    depth: i32,
    /// The first line at whose end no more brackets are open than at the beginning of this.
    closed_by: Option<usize>,
}

/// The lines of a file.
pub(super) struct Rows<'s> {
    src: &'s [u8],
    pub(super) shape: &'static Shape,
    rows: Vec<Row>,
}

impl<'s> Rows<'s> {
    /// `lines` is where each line begins.
    pub(super) fn new(src: &'s [u8], lines: &[u32], shape: &'static Shape) -> Self {
        let ends = lines.iter().skip(1).map(|end| *end as usize);
        let ends = ends.chain([src.len()]);
        let rows = lines.iter().zip(ends).map(|(start, end)| {
            let start = *start as usize;
            Row {
                start,
                end,
                indent: indent(src.get(start..end).unwrap_or(b"")),
                inside: false,
                directive: false,
                depth: 0,
                closed_by: None,
            }
        });
        let mut rows = Self {
            src,
            shape,
            rows: rows.collect(),
        };
        rows.read_brackets();
        rows.pair_brackets();
        if shape.directives {
            rows.mark_directives();
        }
        rows
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Where a line begins; the one after the last begins at the end of the file.
    pub(super) fn start(&self, row: usize) -> usize {
        self.rows.get(row).map_or(self.src.len(), |row| row.start)
    }

    /// What stands in a line, without the space around it.
    pub(super) fn text(&self, row: usize) -> &'s [u8] {
        let row = self.rows.get(row).map_or(0..0, |row| row.start..row.end);
        self.src.get(row).unwrap_or(b"").trim_ascii()
    }

    /// Where the text of a line begins.
    pub(super) fn text_start(&self, row: usize) -> usize {
        let line = self.rows.get(row).map_or(0..0, |row| row.start..row.end);
        let line = self.src.get(line).unwrap_or(b"");
        self.start(row) + (line.len() - line.trim_ascii_start().len())
    }

    /// How many bytes of space a line begins with.
    pub(super) fn column(&self, row: usize) -> usize {
        self.text_start(row) - self.start(row)
    }

    /// How far a line is indented that is neither blank nor begins inside a comment or a string.
    pub(super) fn indent(&self, row: usize) -> Option<u32> {
        let row = self.rows.get(row)?;
        row.indent.filter(|_| !row.inside)
    }

    /// Whether a line holds nothing.
    pub(super) fn is_blank(&self, row: usize) -> bool {
        self.rows
            .get(row)
            .is_none_or(|row| row.indent.is_none() && !row.inside)
    }

    /// Whether a line is one for a preprocessor, or one that such a line goes on in.
    pub(super) fn is_directive(&self, row: usize) -> bool {
        self.rows.get(row).is_some_and(|row| row.directive)
    }

    /// The line that closes what a line opens.
    pub(super) fn closer(&self, row: usize) -> Option<usize> {
        let after = self.rows.get(row + 1)?.depth;
        let row = self.rows.get(row)?;
        row.closed_by.filter(|_| after > row.depth)
    }

    fn mark_directives(&mut self) {
        let mut goes_on = false;
        for at in 0..self.rows.len() {
            let text = self.text(at);
            let begins = text.starts_with(b"#") && self.indent(at).is_some();
            self.rows[at].directive = goes_on || begins;
            goes_on = self.rows[at].directive && text.ends_with(b"\\");
        }
    }

    fn read_brackets(&mut self) {
        let mut at = 0;
        let (mut row, mut depth) = (0, 0);
        let mut endless: Vec<&[u8]> = Vec::new();
        while let Some(byte) = self.src.get(at).copied() {
            let rest = &self.src[at..];
            let mut end = at + 1;
            match byte {
                b'\n' => {
                    row += 1;
                    if let Some(row) = self.rows.get_mut(row) {
                        row.depth = depth;
                    }
                }
                b'{' | b'(' | b'[' => depth += 1,
                b'}' | b')' | b']' => depth -= 1,
                b'/' | b'#' | b'"' | b'\'' | b'`' => {
                    if rest.starts_with(self.shape.comment) {
                        end = memchr::memchr(b'\n', rest).map_or(self.src.len(), |len| at + len);
                    } else if let Some(len) = self.skip(rest, &mut endless) {
                        end = at + len;
                    }
                    for _ in self.src[at..end].iter().filter(|byte| **byte == b'\n') {
                        row += 1;
                        if let Some(row) = self.rows.get_mut(row) {
                            (row.depth, row.inside) = (depth, true);
                        }
                    }
                }
                _ => {}
            }
            at = end;
        }
    }

    /// How long the comment or string is that `rest` begins with. What has no end is none; `endless` is what
    /// is known to end no more.
    fn skip(&self, rest: &[u8], endless: &mut Vec<&'static [u8]>) -> Option<usize> {
        let shape = self.shape;
        if shape.blocks && rest.starts_with(b"/*") {
            return find_once(b"*/", rest, endless, |rest| block(rest, shape.nested));
        }
        if let Some(quotes) = shape.long.iter().find(|quotes| rest.starts_with(quotes)) {
            return find_once(quotes, rest, endless, |rest| {
                let len = memchr::memmem::find(&rest[quotes.len()..], quotes)?;
                Some(len + 2 * quotes.len())
            });
        }
        match rest.first()? {
            b'"' => quoted(rest, usize::MAX),
            b'\'' if shape.chars => quoted(rest, MAX_CHAR),
            b'\'' => quoted(rest, usize::MAX),
            _ => None,
        }
    }

    /// Finds the line that closes each, from the last to the first.
    fn pair_brackets(&mut self) {
        // Lines whose end has fewer open than those after them.
        let mut lower: Vec<(i32, usize)> = Vec::new();
        let mut after = self.rows.last().map_or(0, |row| row.depth);
        for row in (0..self.rows.len()).rev() {
            let depth = self.rows[row].depth;
            while lower.last().is_some_and(|(open, _)| *open > depth) {
                lower.pop();
            }
            self.rows[row].closed_by = lower.last().map(|(_, at)| *at);
            while lower.last().is_some_and(|(open, _)| *open >= after) {
                lower.pop();
            }
            lower.push((after, row));
            after = depth;
        }
    }
}

fn indent(line: &[u8]) -> Option<u32> {
    let mut columns = 0;
    for byte in line {
        match byte {
            b' ' => columns += 1,
            b'\t' => columns += TAB - columns % TAB,
            b'\n' | b'\r' | b'\x0c' => {}
            _ => return Some(columns),
        }
    }
    None
}

/// Looks for the end of what `mark` ends, unless it was looked for in vain before.
fn find_once(
    mark: &'static [u8],
    rest: &[u8],
    endless: &mut Vec<&'static [u8]>,
    find: impl FnOnce(&[u8]) -> Option<usize>,
) -> Option<usize> {
    if endless.contains(&mark) {
        return None;
    }
    let found = find(rest);
    if found.is_none() {
        endless.push(mark);
    }
    found
}

/// Length of the block comment that `rest` begins with.
fn block(rest: &[u8], nested: bool) -> Option<usize> {
    let mut open = 0;
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'*', b'/', rest.get(at..)?)?;
        match rest.get(at..at + 2)? {
            b"/*" if nested || open == 0 => (open, at) = (open + 1, at + 2),
            b"*/" => {
                (open, at) = (open - 1, at + 2);
                if open == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
}

/// Length of the string on one line that `rest` begins with, if it is at most `most`.
fn quoted(rest: &[u8], most: usize) -> Option<usize> {
    let quote = *rest.first()?;
    let mut at = 1;
    while at < most {
        match *rest.get(at)? {
            b'\n' => return None,
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}
