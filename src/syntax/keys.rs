//! Keys of configuration files as symbols: the `test` of `scripts`, a job of a workflow.
//!
//! The scanner of each format says where keys are; this turns them into symbols.
//! Guarantees: one pass, linear in the size of the file, no recursion; at most [`MAX_KEYS`] symbols,
//! and none from inside arrays. A file with more keys keeps its outermost levels, so that data gives
//! few symbols or none. Deliberately absent: syntax trees, which cost more than a key is worth, and
//! values, but for those that name code.

use super::found::{Found, Input};
use super::intern::Interner;
use super::walk::is_name;
use crate::id::LocalName;
use crate::limits::MAX_NAME_BYTES;
use crate::record::{Occurrence, OccurrenceKind, Qualifier, Symbol, SymbolFlags, SymbolKind};
use std::ops::Range;

/// Levels of keys that are looked at: `components.schemas.User` of an OpenAPI file is the third, of
/// which only keys count that have keys of their own.
const MAX_DEPTH: usize = 3;
/// Most keys of a file that become symbols.
const MAX_KEYS: usize = 500;
/// Longest value that is looked at for names of code, in bytes.
const MAX_VALUE: usize = 120;

/// One key, by bytes.
pub(crate) struct Key {
    pub(crate) depth: usize,
    /// Start of the definition: the key's quote, or the bracket of a TOML table.
    pub(crate) start: usize,
    pub(crate) name: Range<usize>,
    /// Where the value begins and the key itself ends.
    pub(crate) value: usize,
    pub(crate) end: usize,
    /// Whether the value has keys of its own.
    pub(crate) nested: bool,
    pub(crate) doc: Range<usize>,
}

/// Keys in the making, in the order of the file.
#[derive(Default)]
pub(crate) struct Keys {
    pub(crate) found: Vec<Key>,
    /// How many of each depth.
    counts: [usize; MAX_DEPTH + 1],
    /// Depth below which too many were found.
    limit: usize,
    pub(crate) comments: Vec<Range<u32>>,
}

impl Keys {
    fn new() -> Self {
        Self {
            limit: MAX_DEPTH,
            ..Self::default()
        }
    }

    /// Adds a key and returns its place, unless it is too deep; `depth` of the outermost is 1.
    pub(crate) fn push(&mut self, key: Key) -> Option<usize> {
        if key.depth == 0 || key.depth > self.limit {
            return None;
        }
        self.counts[key.depth] += 1;
        self.found.push(key);
        while self.counts[..=self.limit].iter().sum::<usize>() > MAX_KEYS {
            self.limit -= 1;
        }
        Some(self.found.len() - 1)
    }

    /// Whether nothing more can become of keys.
    pub(crate) fn is_data(&self) -> bool {
        self.limit == 0
    }
}

/// Reads a configuration file whose keys `scan` finds.
pub(crate) fn read(
    input: &Input<'_>,
    names: &mut Interner,
    scan: fn(&[u8], &[u32], &mut Keys),
) -> Found {
    let (src, lines) = (input.src, input.lines);
    let mut keys = Keys::new();
    scan(src, lines, &mut keys);
    let mut config = Found {
        comments: std::mem::take(&mut keys.comments),
        ..Found::default()
    };
    let mut open: Vec<(usize, u32)> = Vec::new();
    for key in keys.found {
        let name = &src[key.name.clone()];
        // What the third level says of one thing among many is not asked for by name.
        let detail = key.depth == MAX_DEPTH && !key.nested;
        if detail || key.depth > keys.limit || name.is_empty() || name.len() > MAX_NAME_BYTES {
            continue;
        }
        while open.last().is_some_and(|(depth, _)| *depth >= key.depth) {
            open.pop();
        }
        let end = key.start
            + src[key.start..key.end.max(key.name.end)]
                .trim_ascii_end()
                .len();
        let at = |byte| place(lines, byte);
        let (start, stop, named) = (at(key.start), at(end), at(key.name.start));
        let line_end = src[key.start..end]
            .iter()
            .position(|b| *b == b'\n')
            .map_or(end, |n| key.start + n);
        let signature_end = if key.nested {
            key.value.clamp(key.name.end, line_end.max(key.name.end))
        } else {
            line_end
        };
        let signature = src[key.start..signature_end.min(end)]
            .trim_ascii_end()
            .len();
        config.leads.push(match key.doc.is_empty() {
            true => start.0,
            false => at(key.doc.start).0,
        });
        if !key.nested {
            mentions(src, lines, key.value..end, names, &mut config.occurrences);
        }
        config.symbols.push(Symbol {
            name: names.intern(name).0,
            kind: if key.nested {
                SymbolKind::Module
            } else {
                SymbolKind::Field
            },
            // Whatever reads the file sees all of it.
            flags: SymbolFlags::EXPORTED,
            container: open.last().map(|(_, index)| *index),
            receiver: None,
            span: key.start as u32..end as u32,
            start_line: start.0,
            start_col: start.1,
            end_line: stop.0,
            end_col: stop.1,
            name_line: named.0,
            name_col: named.1,
            signature: key.start as u32..(key.start + signature) as u32,
            doc: key.doc.start as u32..key.doc.end as u32,
            body_hash: 0,
        });
        if key.nested {
            open.push((key.depth, config.symbols.len() as u32 - 1));
        }
    }
    config
}

/// Line and column of a byte.
fn place(lines: &[u32], byte: usize) -> (u32, u32) {
    let row = lines
        .partition_point(|start| *start as usize <= byte)
        .max(1);
    let start = lines.get(row - 1).copied().unwrap_or(0);
    (row as u32, byte as u32 - start)
}

/// Names in a value that is nothing but the name of code: `main`, `app.handlers:create`,
/// `Shop::Order`. Paths, versions and sentences are none.
fn mentions(
    src: &[u8],
    lines: &[u32],
    value: Range<usize>,
    names: &mut Interner,
    out: &mut Vec<Occurrence<LocalName>>,
) {
    let text = src.get(value.clone()).unwrap_or(b"");
    let edge = |b: &u8| b" \t\r\n,:=\"'".contains(b);
    let lead = text.iter().take_while(|b| edge(b)).count();
    let tail = text[lead..].iter().rev().take_while(|b| edge(b)).count();
    let text = &text[lead..text.len() - tail];
    let part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let whole = |b: &u8| part(b) || matches!(b, b'.' | b':');
    if text.len() > MAX_VALUE || !text.iter().all(whole) {
        return;
    }
    let start = value.start + lead;
    let mut at = 0;
    let mut found = Vec::new();
    for word in text.split(|b| !part(b)) {
        if word.is_empty() || is_name(word) {
            found.push((at, word));
        } else {
            return;
        }
        at += word.len() + 1;
    }
    for (at, word) in found {
        if matches!(word, b"" | b"true" | b"false" | b"null" | b"yes" | b"no") {
            continue;
        }
        let (line, col) = place(lines, start + at);
        out.push(Occurrence {
            name: names.intern(word).0,
            line,
            col,
            kind: OccurrenceKind::Mention,
            qualifier: Qualifier::None,
        });
    }
}

/// Bounds of a line without its line break.
pub(crate) fn line_bounds(src: &[u8], lines: &[u32], row: usize) -> Range<usize> {
    let start = lines[row] as usize;
    let end = lines.get(row + 1).map_or(src.len(), |next| *next as usize);
    start..start + src[start..end].trim_ascii_end().len()
}

/// Length of a quoted string at the start of `text`, quotes included; `None` when it does not end.
pub(crate) fn quoted(text: &[u8]) -> Option<usize> {
    let quote = *text.first()?;
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match *byte {
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The comment lines above the line that is scanned.
#[derive(Default)]
pub(crate) struct Doc(Option<Range<usize>>);

impl Doc {
    pub(crate) fn comment(&mut self, keys: &mut Keys, line: Range<usize>) {
        keys.comments.push(line.start as u32..line.end as u32);
        let start = self.0.as_ref().map_or(line.start, |doc| doc.start);
        self.0 = Some(start..line.end);
    }

    pub(crate) fn forget(&mut self) {
        self.0 = None;
    }

    pub(crate) fn take(&mut self) -> Range<usize> {
        self.0.take().unwrap_or(0..0)
    }
}

#[cfg(test)]
mod tests {
    use crate::extract::extract;
    use crate::record::Grammar;
    use std::fmt::Write;

    fn names(source: &str, grammar: Grammar) -> Vec<String> {
        let record = extract(source.as_bytes(), grammar);
        let name = |symbol: &crate::record::Symbol<_>| {
            String::from_utf8_lossy(record.names.get(symbol.name)).into_owned()
        };
        record.symbols.iter().map(name).collect()
    }

    #[test]
    fn data_gives_its_outermost_keys_or_none() {
        let mut data = String::from("{\n\"rows\": {\n");
        for i in 0..super::MAX_KEYS {
            writeln!(data, "\"k{i}\": 1,").unwrap();
        }
        data += "},\n\"total\": 1\n}\n";
        assert_eq!(names(&data, Grammar::Json), ["rows", "total"]);
        let flat: String = (0..=super::MAX_KEYS).fold(String::new(), |mut flat, i| {
            writeln!(flat, "k{i}: 1").unwrap();
            flat
        });
        assert!(names(&flat, Grammar::Yaml).is_empty());
        assert!(names(&flat.replace(':', " ="), Grammar::Toml).is_empty());
    }

    #[test]
    fn arrays_hold_no_keys() {
        let json = "[{\"a\": 1}, {\"b\": {\"c\": 2}}]";
        assert!(names(json, Grammar::Json).is_empty());
        assert_eq!(
            names("a:\n- b: 1\n  c: 2\nd: 3\n", Grammar::Yaml),
            ["a", "d"]
        );
        assert_eq!(
            names("a = [\n  { b = 1 },\n]\nc = 2\n", Grammar::Toml),
            ["a", "c"]
        );
    }

    #[test]
    fn unfinished_files_end() {
        for source in [
            "{\"a\": {\"b\": \"",
            "{\"a\" \"b\": 1,, }]}",
            "a: 'b\nc: |",
            "[a\nb = \"\"\"",
        ] {
            for grammar in [Grammar::Json, Grammar::Yaml, Grammar::Toml] {
                names(source, grammar);
            }
        }
    }
}
