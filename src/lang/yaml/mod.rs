//! Keys of YAML, by indentation: block mappings only.

pub(crate) mod facts;

use crate::syntax::found::{Found, Input};
use crate::syntax::intern::Interner;
use crate::syntax::keys::{self, Doc, Key, Keys, line_bounds, quoted};
use std::ops::Range;

/// Text that runs over lines and holds no keys.
enum Inside {
    /// A block scalar (`|`, `>`): all that is indented further than its key.
    Block(usize),
    /// A list: all that is indented further than its dashes.
    List(usize),
    /// Brackets that are open.
    Flow(usize),
    /// A quoted string that is open.
    Quote(u8),
}

/// Reads a document.
fn read(input: &Input<'_>, names: &mut Interner) -> Found {
    keys::read(input, names, scan)
}

fn scan(src: &[u8], lines: &[u32], keys: &mut Keys) {
    let mut inside: Option<Inside> = None;
    // Enclosing keys with their indentation; those too deep to be kept have no place.
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    let mut doc = Doc::default();
    for row in 0..lines.len() {
        let bounds = line_bounds(src, lines, row);
        let text = &src[bounds.clone()];
        let indent = text.iter().take_while(|b| **b == b' ').count();
        let line = &text[indent..];
        if line.is_empty() {
            doc.forget();
            continue;
        }
        let ends = |open: &[(usize, Option<usize>)], keys: &mut Keys| {
            for key in open.iter().filter_map(|(_, key)| *key) {
                keys.found[key].end = bounds.end;
            }
        };
        match &mut inside {
            Some(Inside::Block(outer)) if indent > *outer => {
                ends(&open, keys);
                continue;
            }
            Some(Inside::Flow(depth)) => {
                *depth = brackets(line, *depth);
                if *depth == 0 {
                    inside = None;
                }
                ends(&open, keys);
                continue;
            }
            Some(Inside::Quote(quote)) => {
                if ends_quote(line, *quote) {
                    inside = None;
                }
                ends(&open, keys);
                continue;
            }
            _ => {}
        }
        if line.starts_with(b"#") {
            doc.comment(keys, bounds.start + indent..bounds.end);
            continue;
        }
        if let Some(Inside::List(outer)) = inside
            && indent > outer
        {
            doc.forget();
            ends(&open, keys);
            continue;
        }
        inside = None;
        if indent == 0 && (text.starts_with(b"---") || text == b"..." || text.starts_with(b"%")) {
            open.clear();
            doc.forget();
            continue;
        }
        if line == b"-" || line.starts_with(b"- ") {
            // A list may be indented as its key is.
            while open.last().is_some_and(|(outer, _)| *outer > indent) {
                open.pop();
            }
            inside = Some(Inside::List(indent));
            doc.forget();
            ends(&open, keys);
            continue;
        }
        while open.last().is_some_and(|(outer, _)| *outer >= indent) {
            open.pop();
        }
        let start = bounds.start + indent;
        if let Some((name, value)) = key(src, start, bounds.end) {
            let rest = src[value..bounds.end].trim_ascii();
            let rest = without_properties(rest);
            if let Some((_, Some(outer))) = open.last() {
                keys.found[*outer].nested = true;
            }
            let place = keys.push(Key {
                depth: open.len() + 1,
                start,
                name,
                value,
                end: bounds.end,
                nested: false,
                doc: doc.take(),
            });
            open.push((indent, place));
            inside = opened(rest, indent);
        }
        doc.forget();
        ends(&open, keys);
        if keys.is_data() {
            return;
        }
    }
}

/// The name of a key and where its value begins (at the colon).
fn key(src: &[u8], start: usize, end: usize) -> Option<(Range<usize>, usize)> {
    let line = &src[start..end];
    let is_end = |at: usize| {
        line.get(at) == Some(&b':') && line.get(at + 1).is_none_or(u8::is_ascii_whitespace)
    };
    match line.first()? {
        b'"' | b'\'' => {
            let len = quoted(line)?;
            let colon = len + line[len..].iter().take_while(|b| **b == b' ').count();
            is_end(colon).then(|| (start + 1..start + len - 1, start + colon))
        }
        b'{' | b'[' | b'&' | b'*' | b'!' | b'|' | b'>' | b'@' | b'`' | b'?' | b'<' => None,
        _ => {
            let colon = (0..line.len()).find(|at| is_end(*at) || line[*at..].starts_with(b" #"))?;
            let name = line[..colon].trim_ascii_end();
            is_end(colon).then(|| (start..start + name.len(), start + colon))
        }
    }
}

/// A value without the `:`, anchor and tag before it and the comment after it.
fn without_properties(value: &[u8]) -> &[u8] {
    let mut value = value.strip_prefix(b":").unwrap_or(value).trim_ascii();
    while matches!(value.first(), Some(b'&' | b'!')) {
        let len = value
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(value.len());
        value = value[len..].trim_ascii_start();
    }
    value
}

/// What a value leaves open at the end of its line.
fn opened(value: &[u8], indent: usize) -> Option<Inside> {
    match value.first()? {
        b'|' | b'>' => Some(Inside::Block(indent)),
        b'{' | b'[' => {
            let depth = brackets(value, 0);
            (depth > 0).then_some(Inside::Flow(depth))
        }
        quote @ (b'"' | b'\'') => quoted(value).is_none().then_some(Inside::Quote(*quote)),
        b'#' => None,
        // A plain scalar may go on in lines that are indented further.
        _ => Some(Inside::Block(indent)),
    }
}

/// Brackets open after a line.
fn brackets(line: &[u8], mut depth: usize) -> usize {
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' | b'\'' => {
                at += quoted(&line[at..]).unwrap_or(1);
                continue;
            }
            b'#' if at == 0 || line[at - 1] == b' ' => return depth,
            _ => {}
        }
        at += 1;
    }
    depth
}

fn ends_quote(line: &[u8], quote: u8) -> bool {
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        match *byte {
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote => return true,
            _ => {}
        }
        at += 1;
    }
    false
}
