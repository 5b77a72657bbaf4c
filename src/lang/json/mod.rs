//! Keys of JSON, with the comments and trailing commas that configuration files have.

pub(crate) mod facts;

use crate::limits::MAX_NESTING;
use crate::syntax::found::{Found, Input};
use crate::syntax::intern::Interner;
use crate::syntax::keys::{self, Key, Keys, quoted};

/// An object or array that is not closed yet.
struct Open {
    object: bool,
    /// Whether all that encloses it are objects, and it too.
    keyed: bool,
    /// The key whose value is being read.
    key: Option<usize>,
    /// Whether a string would be a key.
    expects_key: bool,
}

/// Reads a document.
fn read(input: &Input<'_>, names: &mut Interner) -> Found {
    keys::read(input, names, scan)
}

fn scan(src: &[u8], _: &[u32], keys: &mut Keys) {
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    while let Some(byte) = src.get(at) {
        match byte {
            b'{' | b'[' => {
                let object = *byte == b'{';
                if let Some(key) = open.last().and_then(|outer| outer.key) {
                    keys.found[key].nested = object;
                }
                open.push(Open {
                    object,
                    keyed: object && open.last().is_none_or(|outer| outer.keyed),
                    key: None,
                    expects_key: object,
                });
                if open.len() > MAX_NESTING {
                    return;
                }
            }
            b'}' | b']' => {
                open.pop();
                value_ends(&mut open, keys, at + 1);
            }
            b',' => {
                if let Some(top) = open.last_mut() {
                    top.key = None;
                    top.expects_key = top.object;
                }
            }
            b'/' if matches!(src.get(at + 1), Some(b'/' | b'*')) => {
                let end = comment_end(src, at);
                keys.comments.push(at as u32..end as u32);
                at = end;
                continue;
            }
            b'"' => {
                let len = quoted(&src[at..]).unwrap_or(src.len() - at);
                let after = at + len;
                let is_key = open.last().is_some_and(|top| top.expects_key)
                    && src[after..].trim_ascii_start().starts_with(b":");
                if is_key {
                    begin(&mut open, keys, at, after);
                } else {
                    value_ends(&mut open, keys, after);
                }
                at = after;
                continue;
            }
            byte if byte.is_ascii_whitespace() || *byte == b':' => {}
            // A number or word.
            _ => value_ends(&mut open, keys, at + 1),
        }
        at += 1;
        // Nothing more can become of the keys.
        if keys.is_data() {
            return;
        }
    }
    // What is not closed ends with the file.
    for unfinished in open.iter().filter_map(|open| open.key) {
        keys.found[unfinished].end = src.len();
    }
}

fn begin(open: &mut [Open], keys: &mut Keys, start: usize, end: usize) {
    let depth = open.len();
    if let Some(top) = open.last_mut() {
        top.expects_key = false;
        top.key = None;
        if top.keyed && end > start + 1 {
            top.key = keys.push(Key {
                depth,
                start,
                name: start + 1..end - 1,
                value: end,
                end,
                nested: false,
                doc: 0..0,
            });
        }
    }
}

fn value_ends(open: &mut [Open], keys: &mut Keys, at: usize) {
    if let Some(key) = open.last().and_then(|top| top.key) {
        keys.found[key].end = at;
    }
}

/// Where a comment ends: with its line, or after `*/`.
fn comment_end(src: &[u8], at: usize) -> usize {
    let rest = &src[at..];
    let len = if rest.starts_with(b"//") {
        memchr::memchr(b'\n', rest)
    } else {
        memchr::memmem::find(&rest[2..], b"*/").map(|n| n + 4)
    };
    at + len.unwrap_or(rest.len())
}
