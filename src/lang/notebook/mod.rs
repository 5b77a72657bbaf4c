//! Jupyter notebooks: the code of their cells, read as Python where the notebook is one of Python.
//!
//! Code stands in JSON strings, a line each. It is decoded into a text of its own, cell by cell,
//! read there, and every position is taken back to the file. Guarantees: positions are those of
//! the file; nothing but the sources of cells gives terms: outputs and pictures are data.

pub(crate) mod facts;

use crate::limits::MAX_NESTING;
use crate::record::Grammar;
use crate::syntax::found::{Found, Input, line_starts, point, range};
use crate::syntax::intern::Interner;
use crate::syntax::parse;
use crate::syntax::walk::{InnerTrees, Walk};
use std::ops::Range;

/// Most cells that are parsed, since each is granted a budget of its own however short it is.
const MAX_CELLS: usize = 2048;

/// One cell: whether it is code, and the strings of its source.
#[derive(Default)]
struct Cell {
    code: bool,
    lines: Vec<Range<usize>>,
}

/// Reads a notebook; searched are the words of its cells.
fn read(input: &Input<'_>, names: &mut Interner) -> Found {
    let (src, lines) = (input.src, input.lines);
    let (cells, python) = cells(src);
    let blank = |b: &u8| if *b == b'\n' { b'\n' } else { b' ' };
    let mut words: Vec<u8> = src.iter().map(blank).collect();
    let mut code = Decoded::default();
    let mut parts = Vec::new();
    let mut found = Found::default();
    for cell in &cells {
        let start = code.text.len();
        for line in &cell.lines {
            code.push(src, line.clone(), &mut words);
            if !cell.code {
                found.comments.push(line.start as u32..line.end as u32);
            }
        }
        if cell.code && parts.len() < MAX_CELLS && code.hide_magic(start) {
            parts.push(start..code.text.len());
        }
        code.end_cell();
    }
    found.words = Some(words);
    let Some(tables) = (input.tables)(Grammar::Python).filter(|_| python) else {
        return found;
    };
    let starts = line_starts(&code.text);
    let mut trees = Vec::new();
    for part in parts {
        match parse::parse_range(&code.text, tables, range(&starts, &part)) {
            Some(tree) => trees.push(tree),
            None => found.syntax_errors = true,
        }
    }
    let inner = InnerTrees::default();
    let mut walk = Walk::new(&code.text, tables, &inner, names);
    for tree in &trees {
        found.syntax_errors |= tree.root_node().has_error();
        found.syntax_errors |= walk.run_part(tree, tables).is_err();
    }
    let prose = std::mem::take(&mut found.comments);
    found.take(walk);
    let place = Place {
        code: &code,
        starts: &starts,
        lines,
    };
    place.take_back(&mut found);
    found.comments.extend(prose);
    found.comments.sort_by_key(|comment| comment.start);
    found
}

/// An object or array that is open: the key whose value is being read, and the cell it is.
struct Level {
    object: bool,
    key: Range<usize>,
    expects_key: bool,
}

/// Finds the cells, and whether their language is Python, which it is when nothing says otherwise.
fn cells(src: &[u8]) -> (Vec<Cell>, bool) {
    let mut cells = Vec::new();
    let mut cell = Cell::default();
    let mut python = true;
    let mut open: Vec<Level> = Vec::new();
    let mut at = 0;
    while let Some(byte) = src.get(at) {
        match byte {
            b'{' | b'[' => {
                open.push(Level {
                    object: *byte == b'{',
                    key: 0..0,
                    expects_key: *byte == b'{',
                });
                if open.len() > MAX_NESTING {
                    break;
                }
            }
            b'}' | b']' => {
                if open.len() == 3 && *byte == b'}' && is_at(src, &open, &[b"cells"]) {
                    cells.push(std::mem::take(&mut cell));
                }
                open.pop();
            }
            b',' => {
                if let Some(top) = open.last_mut() {
                    top.expects_key = top.object;
                }
            }
            b'"' => {
                let end = string_end(src, at);
                let inside = at + 1..end.saturating_sub(1).max(at + 1);
                let text = &src[inside.clone()];
                let at_path = |path: &[&[u8]]| is_at(src, &open, path);
                if open.last().is_some_and(|top| top.expects_key) {
                    if let Some(top) = open.last_mut() {
                        top.expects_key = false;
                        top.key = inside;
                    }
                } else if at_path(&[b"cells", b"", b"source"]) {
                    cell.lines.push(inside);
                } else if at_path(&[b"cells", b"", b"cell_type"]) {
                    cell.code = text == b"code";
                } else if at_path(&[b"metadata", b"kernelspec", b"language"])
                    || at_path(&[b"metadata", b"language_info", b"name"])
                {
                    python = text.starts_with(b"python") || text.starts_with(b"ipython");
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    // A file that is cut off.
    if !cell.lines.is_empty() {
        cells.push(cell);
    }
    (cells, python)
}

/// Whether the keys of what is open begin with `path`; arrays have no key, and one more of them may
/// be open.
fn is_at(src: &[u8], open: &[Level], path: &[&[u8]]) -> bool {
    let fits = open.len() == path.len()
        || (open.len() == path.len() + 1 && open.last().is_some_and(|top| !top.object))
        || path.len() == 1;
    fits && open
        .iter()
        .zip(path)
        .all(|(level, key)| &src[level.key.clone()] == *key)
}

/// Where the string that begins at `at` ends, its quote included.
fn string_end(src: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', src.get(end..).unwrap_or(b"")) {
        end += found;
        if src[end] == b'"' {
            return end + 1;
        }
        end += 2;
    }
    src.len()
}

/// The code of all cells, and where each run of it stands in the file.
#[derive(Default)]
struct Decoded {
    text: Vec<u8>,
    /// First byte of each run, in the text and in the file.
    runs: Vec<(usize, usize)>,
}

impl Decoded {
    /// Adds the content of a string; shows its words.
    fn push(&mut self, src: &[u8], string: Range<usize>, words: &mut [u8]) {
        let mut at = string.start;
        while at < string.end {
            let plain = memchr::memchr(b'\\', &src[at..string.end]).unwrap_or(string.end - at);
            if plain > 0 {
                self.runs.push((self.text.len(), at));
                self.text.extend_from_slice(&src[at..at + plain]);
                words[at..at + plain].copy_from_slice(&src[at..at + plain]);
                at += plain;
                continue;
            }
            self.runs.push((self.text.len(), at));
            let escape = src.get(at + 1).copied().unwrap_or(b'\\');
            let (len, byte) = match escape {
                b'n' => (2, b'\n'),
                b't' => (2, b'\t'),
                b'r' => (2, b' '),
                // A character of some alphabet; only its place is kept.
                b'u' => (6, b'?'),
                b'"' | b'\\' | b'/' => (2, escape),
                _ => (2, b' '),
            };
            self.text.push(byte);
            at += len;
        }
    }

    /// Ends a cell, whose last line has no break.
    fn end_cell(&mut self) {
        if let Some((_, file)) = self.runs.last().copied() {
            let length = self.text.len() - self.runs[self.runs.len() - 1].0;
            self.runs.push((self.text.len(), file + length));
        }
        self.text.push(b'\n');
    }

    /// Makes comments of lines for the notebook itself (`%matplotlib inline`, `!pip install x`);
    /// `false` when the whole cell is in another language.
    fn hide_magic(&mut self, start: usize) -> bool {
        let cell = &mut self.text[start..];
        let first = cell.trim_ascii_start();
        let whole = [&b"%%time"[..], b"%%capture", b"%%prun"];
        if first.starts_with(b"%%") && !whole.iter().any(|magic| first.starts_with(magic)) {
            return false;
        }
        let mut begins = true;
        for byte in cell {
            match *byte {
                b'\n' => begins = true,
                b' ' | b'\t' => {}
                b'%' | b'!' if begins => {
                    *byte = b'#';
                    begins = false;
                }
                _ => begins = false,
            }
        }
        true
    }

    /// Where a byte of the text stands in the file.
    fn in_file(&self, byte: usize) -> usize {
        let run = self.runs.partition_point(|(start, _)| *start <= byte);
        match run.checked_sub(1).and_then(|run| self.runs.get(run)) {
            Some((start, file)) => {
                let next = self.runs.get(run).map_or(usize::MAX, |(_, next)| *next);
                (file + (byte - start)).min(next.max(*file))
            }
            None => 0,
        }
    }
}

/// Takes positions in the decoded text back to the file.
struct Place<'a> {
    code: &'a Decoded,
    starts: &'a [u32],
    lines: &'a [u32],
}

impl Place<'_> {
    /// A position by line and column.
    fn at(&self, line: u32, col: u32) -> (u32, u32) {
        let start = self.starts.get(line as usize - 1).copied().unwrap_or(0);
        self.byte((start + col) as usize)
    }

    fn byte(&self, byte: usize) -> (u32, u32) {
        let at = point(self.lines, self.code.in_file(byte));
        (at.row as u32 + 1, at.column as u32)
    }

    fn range(&self, range: &Range<u32>) -> Range<u32> {
        if range.is_empty() {
            return 0..0;
        }
        let start = self.code.in_file(range.start as usize);
        // The end is just past the last byte, which may be an escape.
        let end = self.code.in_file(range.end as usize - 1) + 1;
        start as u32..end.max(start) as u32
    }

    fn take_back(&self, found: &mut Found) {
        for symbol in &mut found.symbols {
            let span = self.range(&symbol.span);
            let signature = self.range(&symbol.signature);
            (symbol.name_line, symbol.name_col) = self.at(symbol.name_line, symbol.name_col);
            symbol.doc = self.range(&symbol.doc);
            symbol.signature = signature.start.max(span.start)..signature.end.min(span.end);
            let (first, last) = (
                point(self.lines, span.start as usize),
                point(self.lines, span.end as usize),
            );
            (symbol.start_line, symbol.start_col) = (first.row as u32 + 1, first.column as u32);
            (symbol.end_line, symbol.end_col) = (last.row as u32 + 1, last.column as u32);
            symbol.span = span;
        }
        for lead in &mut found.leads {
            *lead = self.at(*lead, 0).0;
        }
        for occurrence in &mut found.occurrences {
            (occurrence.line, occurrence.col) = self.at(occurrence.line, occurrence.col);
        }
        for import in &mut found.imports {
            import.line = self.at(import.line, 0).0;
        }
        for comment in &mut found.comments {
            *comment = self.range(comment);
        }
    }
}
