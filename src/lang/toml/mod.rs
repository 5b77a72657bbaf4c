//! Keys of TOML: tables, and the keys in them.

pub(crate) mod facts;

use crate::syntax::found::{Found, Input};
use crate::syntax::intern::Interner;
use crate::syntax::keys::{self, Doc, Key, Keys, line_bounds, quoted};

/// Reads a document.
fn read(input: &Input<'_>, names: &mut Interner) -> Found {
    keys::read(input, names, scan)
}

fn scan(src: &[u8], lines: &[u32], keys: &mut Keys) {
    let mut table: Option<usize> = None;
    let mut in_table = false;
    let mut current: Option<usize> = None;
    let mut value = Value::default();
    let mut doc = Doc::default();
    for row in 0..lines.len() {
        let bounds = line_bounds(src, lines, row);
        let text = &src[bounds.clone()];
        if value.is_open() {
            value.read(text);
        } else {
            let start = bounds.end - text.trim_ascii_start().len();
            match src.get(start).filter(|_| start < bounds.end) {
                None => {
                    doc.forget();
                    continue;
                }
                Some(b'#') => {
                    doc.comment(keys, start..bounds.end);
                    continue;
                }
                Some(b'[') => {
                    in_table = true;
                    table = header(src, start, bounds.end).and_then(|name| {
                        keys.push(Key {
                            depth: 1,
                            start,
                            value: bounds.end,
                            end: bounds.end,
                            nested: true,
                            name,
                            doc: doc.take(),
                        })
                    });
                    current = None;
                }
                Some(_) => {
                    let line = &src[start..bounds.end];
                    let Some(equals) = equals(line) else {
                        doc.forget();
                        continue;
                    };
                    current = keys.push(Key {
                        depth: 1 + usize::from(in_table),
                        start,
                        name: unquoted(src, start, start + equals),
                        value: start + equals,
                        end: bounds.end,
                        nested: false,
                        doc: doc.take(),
                    });
                    value.read(&line[equals + 1..]);
                }
            }
            doc.forget();
        }
        for key in [table, current].into_iter().flatten() {
            keys.found[key].end = bounds.end;
        }
    }
}

/// The name in `[name]` or `[[name]]`.
fn header(src: &[u8], start: usize, end: usize) -> Option<std::ops::Range<usize>> {
    let double = src[start..end].starts_with(b"[[");
    let open = start + 1 + usize::from(double);
    let mut close = open;
    while close < end && src[close] != b']' {
        close += match src[close] {
            b'"' | b'\'' => quoted(&src[close..end])?,
            _ => 1,
        };
    }
    (close < end).then(|| unquoted(src, open, close))
}

/// Where the `=` after a key stands.
fn equals(line: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            b'=' => return (at > 0).then_some(at),
            b'"' | b'\'' => at += quoted(&line[at..])?,
            b'#' => return None,
            _ => at += 1,
        }
    }
    None
}

/// A name without blanks around it, and without quotes when it is one quoted string.
fn unquoted(src: &[u8], start: usize, end: usize) -> std::ops::Range<usize> {
    let text = src[start..end].trim_ascii();
    let from = start + (src[start..end].len() - src[start..end].trim_ascii_start().len());
    match text.first() {
        Some(b'"' | b'\'') if quoted(text) == Some(text.len()) => from + 1..from + text.len() - 1,
        _ => from..from + text.len(),
    }
}

/// How far a value is read that may run over lines.
#[derive(Default)]
struct Value {
    brackets: usize,
    /// Quote of the multi-line string that is open.
    quote: Option<u8>,
}

impl Value {
    fn is_open(&self) -> bool {
        self.brackets > 0 || self.quote.is_some()
    }

    fn read(&mut self, line: &[u8]) {
        let mut at = 0;
        while at < line.len() {
            let rest = &line[at..];
            let triple = |quote: u8| rest.starts_with(&[quote; 3]);
            if let Some(quote) = self.quote {
                if triple(quote) {
                    self.quote = None;
                    at += 3;
                } else {
                    at += if rest[0] == b'\\' && quote == b'"' {
                        2
                    } else {
                        1
                    };
                }
                continue;
            }
            match rest[0] {
                b'#' => return,
                quote @ (b'"' | b'\'') if triple(quote) => {
                    self.quote = Some(quote);
                    at += 3;
                    continue;
                }
                b'"' | b'\'' => {
                    at += quoted(rest).unwrap_or(rest.len());
                    continue;
                }
                b'[' | b'{' => self.brackets += 1,
                b']' | b'}' => self.brackets = self.brackets.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
    }
}
