//! Markdown, by lines: headings as nested sections, code in backticks as mentions.
//!
//! A full parser is deliberately absent: it costs more than reading all code of a repository, and
//! sections are all that search needs.

pub(crate) mod facts;

use crate::id::LocalName;
use crate::limits::{MAX_NAME_BYTES, MAX_OCCURRENCES_PER_DOC, MAX_SYMBOLS_PER_DOC};
use crate::record::{Occurrence, Symbol};
use crate::syntax::found::{Found, Input};
use crate::syntax::intern::Interner;
use crate::syntax::prelude::*;
use std::ops::Range;

/// Longest code span that is looked at for identifiers, in bytes; longer ones are examples.
const MAX_CODE_SPAN: usize = 100;

struct Heading {
    level: usize,
    row: usize,
    /// First byte of its line.
    start: usize,
    text: Range<usize>,
}

struct Fence {
    mark: u8,
    len: usize,
    /// Whether its content is said to be in a programming language.
    code: bool,
}

/// Words after a fence that name no programming language.
const NO_CODE: &[&[u8]] = byte_words!(
    "ascii console csv diff env http ini json json5 jsonc log markdown md mermaid none output
     plain plaintext text toml txt xml yaml yml"
);

/// Scans a document.
fn scan(input: &Input<'_>, names: &mut Interner) -> Found {
    let (src, lines) = (input.src, input.lines);
    let mut out = Found::default();
    let mut levels: Vec<(usize, u32)> = Vec::new();
    let mut fence: Option<Fence> = None;
    let mut prose_from = 0;
    let mut in_comment = false;
    let body = front_matter(src, lines);
    for row in 0..lines.len() {
        let (start, end) = line_bounds(src, lines, row);
        let line = &src[start..end];
        if row < body {
            continue;
        }
        if let Some(open) = &fence {
            if closes(line, open) {
                fence = None;
                prose_from = end;
            } else if open.code {
                code_mentions(&mut out.occurrences, names, line, row);
            }
            continue;
        }
        // A comment for whoever edits the file.
        if in_comment || line.trim_ascii_start().starts_with(b"<!--") {
            in_comment = memchr::memmem::find(line, b"-->").is_none();
            continue;
        }
        if let Some(open) = opens(line) {
            push_prose(&mut out.comments, prose_from, start);
            fence = Some(open);
            continue;
        }
        let heading = match atx(line) {
            Some((level, text)) => Some((level, text, row)),
            None if row > body => {
                let (before, before_end) = line_bounds(src, lines, row - 1);
                setext(line, &src[before..before_end]).map(|(level, text)| (level, text, row - 1))
            }
            None => None,
        };
        if let Some((level, text, row)) = heading {
            let start = line_bounds(src, lines, row).0;
            let heading = Heading {
                level,
                row,
                start,
                text: start + text.start..start + text.end,
            };
            close_sections(src, lines, &mut out.symbols, &mut levels, level, start, row);
            open_section(src, &mut out, &mut levels, names, heading);
        }
        mentions(&mut out.occurrences, names, line, row);
    }
    if fence.is_none() {
        push_prose(&mut out.comments, prose_from, src.len());
    }
    close_sections(
        src,
        lines,
        &mut out.symbols,
        &mut levels,
        0,
        src.len(),
        lines.len(),
    );
    out.leads
        .extend(out.symbols.iter().map(|symbol| symbol.start_line));
    out
}

fn push_prose(prose: &mut Vec<Range<u32>>, start: usize, end: usize) {
    if start < end {
        prose.push(start as u32..end as u32);
    }
}

/// Bounds of a line without its line break.
fn line_bounds(src: &[u8], lines: &[u32], row: usize) -> (usize, usize) {
    let start = lines[row] as usize;
    let end = lines.get(row + 1).map_or(src.len(), |next| *next as usize);
    let text = &src[start..end];
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    (start, start + text.len())
}

/// Row after a header of YAML (`---`) or TOML (`+++`), 0 without one.
fn front_matter(src: &[u8], lines: &[u32]) -> usize {
    let mark = match src.get(..3) {
        Some(mark @ (b"---" | b"+++")) if matches!(src.get(3), Some(b'\n' | b'\r')) => mark,
        _ => return 0,
    };
    for row in 1..lines.len() {
        let (start, end) = line_bounds(src, lines, row);
        if src[start..end].trim_ascii_end() == mark {
            return row + 1;
        }
    }
    0
}

fn unindent(line: &[u8]) -> Option<&[u8]> {
    let spaces = line.iter().take_while(|b| **b == b' ').count();
    (spaces <= 3).then(|| &line[spaces..])
}

fn opens(line: &[u8]) -> Option<Fence> {
    // Lists indent their fences further than a top-level fence may be.
    let line = line.trim_ascii_start();
    let mark = *line.first().filter(|b| matches!(b, b'`' | b'~'))?;
    let len = line.iter().take_while(|b| **b == mark).count();
    if len < 3 || (mark == b'`' && line[len..].contains(&b'`')) {
        return None;
    }
    // "```rust,ignore" and "``` {.python}".
    let info = line[len..].trim_ascii();
    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'#' | b'-' | b'_');
    let info = info.strip_prefix(b"{.").unwrap_or(info);
    let info = &info[..info.iter().take_while(|b| word(b)).count()];
    let code = !info.is_empty() && !NO_CODE.contains(&info.to_ascii_lowercase().as_slice());
    Some(Fence { mark, len, code })
}

fn closes(line: &[u8], fence: &Fence) -> bool {
    let line = line.trim_ascii();
    line.len() >= fence.len && line.iter().all(|b| *b == fence.mark)
}

/// Level and bounds of the text of a `#` heading.
fn atx(line: &[u8]) -> Option<(usize, Range<usize>)> {
    let rest = unindent(line)?;
    let level = rest.iter().take_while(|b| **b == b'#').count();
    if !(1..=6).contains(&level) || !rest.get(level).is_none_or(|b| matches!(b, b' ' | b'\t')) {
        return None;
    }
    let mut text = rest[level..].trim_ascii();
    let closing = text.iter().rev().take_while(|b| **b == b'#').count();
    let open = &text[..text.len() - closing];
    if closing > 0 && (open.is_empty() || open.ends_with(b" ") || open.ends_with(b"\t")) {
        text = open.trim_ascii();
    }
    // `# Title { #anchor }`: the anchor is markup.
    if text.ends_with(b"}")
        && let Some(at) = text.windows(2).rposition(|pair| pair == b" {")
        && text[at + 2..].trim_ascii_start().starts_with(b"#")
    {
        text = text[..at].trim_ascii_end();
    }
    text = link_text(text);
    let start = if text.is_empty() {
        line.len()
    } else {
        text.as_ptr() as usize - line.as_ptr() as usize
    };
    Some((level, start..start + text.len()))
}

/// The `text` of a heading that is nothing but one link: `[text](target)`.
fn link_text(heading: &[u8]) -> &[u8] {
    let inner = heading
        .strip_prefix(b"[")
        .and_then(|rest| rest.strip_suffix(b")"));
    let Some(inner) = inner else { return heading };
    let mut middles = inner
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| *pair == b"](");
    match (middles.next(), middles.next()) {
        (Some((at, _)), None) if at > 0 => &inner[..at],
        _ => heading,
    }
}

/// Level and bounds of the text of a heading underlined with `=` or `-`.
fn setext(line: &[u8], before: &[u8]) -> Option<(usize, Range<usize>)> {
    let rule = unindent(line)?.trim_ascii_end();
    let mark = *rule.first().filter(|b| matches!(b, b'=' | b'-'))?;
    if rule.len() < 2 || !rule.iter().all(|b| *b == mark) {
        return None;
    }
    let text = unindent(before)?.trim_ascii_end();
    let first = text.first()?;
    if b"#>-*+|=<`:".contains(first) || (first.is_ascii_digit() && text.contains(&b'.')) {
        return None;
    }
    let start = text.as_ptr() as usize - before.as_ptr() as usize;
    Some((if mark == b'=' { 1 } else { 2 }, start..start + text.len()))
}

/// Ends the open sections that a heading of `level` does not belong to.
fn close_sections(
    src: &[u8],
    lines: &[u32],
    symbols: &mut [Symbol<LocalName>],
    levels: &mut Vec<(usize, u32)>,
    level: usize,
    at: usize,
    row: usize,
) {
    while let Some((open, index)) = levels.last().copied().filter(|(open, _)| *open >= level) {
        debug_assert!(open > 0);
        let symbol = &mut symbols[index as usize];
        let start = symbol.span.start as usize;
        let end = start + src[start..at].trim_ascii_end().len();
        let mut end_row = row.min(lines.len()).saturating_sub(1);
        while end_row > 0 && lines[end_row] as usize >= end {
            end_row -= 1;
        }
        symbol.span.end = end as u32;
        symbol.end_line = end_row as u32 + 1;
        symbol.end_col = (end - lines[end_row] as usize) as u32;
        symbol.signature.end = symbol.signature.end.min(symbol.span.end);
        levels.pop();
    }
}

fn open_section(
    src: &[u8],
    out: &mut Found,
    levels: &mut Vec<(usize, u32)>,
    names: &mut Interner,
    heading: Heading,
) {
    let Heading {
        level,
        row,
        start,
        text,
    } = heading;
    if text.is_empty() || text.len() > MAX_NAME_BYTES || out.symbols.len() >= MAX_SYMBOLS_PER_DOC {
        return;
    }
    let line_end = first_line_end(src, start) as u32;
    let container = levels.last().map(|(_, index)| *index);
    levels.push((level, out.symbols.len() as u32));
    out.symbols.push(Symbol {
        name: names.intern(&src[text.clone()]).0,
        kind: SymbolKind::Section,
        flags: SymbolFlags::default(),
        container,
        receiver: None,
        // The end is known when the section is closed.
        span: start as u32..line_end,
        start_line: row as u32 + 1,
        start_col: 0,
        end_line: row as u32 + 1,
        end_col: line_end - start as u32,
        name_line: row as u32 + 1,
        name_col: (text.start - start) as u32,
        signature: start as u32..line_end,
        doc: 0..0,
        body_hash: 0,
    });
}

fn first_line_end(src: &[u8], start: usize) -> usize {
    let line = src[start..].split(|b| *b == b'\n').next().unwrap_or(b"");
    start + line.trim_ascii_end().len()
}

/// Identifiers inside backticks on one line.
fn mentions(out: &mut Vec<Occurrence<LocalName>>, names: &mut Interner, line: &[u8], row: usize) {
    let mut at = 0;
    while let Some(open) = line[at..].iter().position(|b| *b == b'`').map(|n| at + n) {
        let len = line[open..].iter().take_while(|b| **b == b'`').count();
        let content = open + len;
        let Some(close) = line[content..]
            .windows(len)
            .position(|w| w.iter().all(|b| *b == b'`'))
            .map(|n| content + n)
        else {
            return;
        };
        if close - content <= MAX_CODE_SPAN {
            words(line, content..close, |word| {
                mention(out, names, line, word, row);
            });
        }
        at = close + len;
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// Calls `f` with each word of a range.
fn words(line: &[u8], range: Range<usize>, mut f: impl FnMut(Range<usize>)) {
    let mut at = range.start;
    while at < range.end {
        let len = line[at..range.end]
            .iter()
            .take_while(|b| is_word(**b))
            .count();
        if len > 0 {
            f(at..at + len);
        }
        at += len.max(1);
    }
}

/// Names in a line of code: words that no prose and no keyword looks like. They are called, or
/// stand before or after a dot, or have a capital or `_` in them.
fn code_mentions(
    out: &mut Vec<Occurrence<LocalName>>,
    names: &mut Interner,
    line: &[u8],
    row: usize,
) {
    words(line, 0..line.len(), |word| {
        let text = &line[word.clone()];
        let after = &line[word.end..];
        let joined = matches!(after.first(), Some(b'(' | b'!'))
            || after.starts_with(b"::")
            || (after.first() == Some(&b'.') && after.get(1).is_some_and(|b| is_word(*b)))
            || line[..word.start].ends_with(b".")
            || line[..word.start].ends_with(b"::");
        let named = text.contains(&b'_') || text.iter().any(u8::is_ascii_uppercase);
        if joined || named {
            mention(out, names, line, word, row);
        }
    });
}

/// Records a word that could be a name; what a dot or `::` joins to the one before is its member.
fn mention(
    out: &mut Vec<Occurrence<LocalName>>,
    names: &mut Interner,
    line: &[u8],
    word: Range<usize>,
    row: usize,
) {
    if !is_name(&line[word.clone()]) || out.len() >= MAX_OCCURRENCES_PER_DOC {
        return;
    }
    let before = &line[..word.start];
    let object = before
        .strip_suffix(b"::")
        .or(before.strip_suffix(b"."))
        .map(<[u8]>::len);
    let last = out.last().filter(|last| last.line == row as u32 + 1);
    let member = object.is_some_and(|end| {
        last.is_some_and(|last| last.col as usize + names.get(last.name).len() == end)
    });
    out.push(Occurrence {
        name: names.intern(&line[word.clone()]).0,
        line: row as u32 + 1,
        col: word.start as u32,
        kind: OccurrenceKind::Mention,
        qualifier: if member {
            Qualifier::Previous
        } else {
            Qualifier::None
        },
    });
}
