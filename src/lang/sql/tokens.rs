//! Cuts SQL into tokens.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    Word,
    /// A name in quotes, backticks or brackets.
    Quoted,
    /// Punctuation, a number or a string.
    Other(u8),
}

/// A token by its bytes, without the quotes of a name.
#[derive(Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) row: usize,
    pub(super) column: usize,
}

impl Token {
    pub(super) fn text<'a>(&self, src: &'a [u8]) -> &'a [u8] {
        src.get(self.start..self.end).unwrap_or(b"")
    }

    pub(super) fn is(&self, src: &[u8], word: &[u8]) -> bool {
        self.kind == Kind::Word && self.text(src).eq_ignore_ascii_case(word)
    }

    pub(super) fn is_any(&self, src: &[u8], words: &[&[u8]]) -> bool {
        words.iter().any(|word| self.is(src, word))
    }

    pub(super) fn names(&self) -> bool {
        !matches!(self.kind, Kind::Other(_))
    }
}

/// Cuts a file into tokens; notes the comments.
pub(super) fn tokens(src: &[u8], comments: &mut Vec<Range<u32>>) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(src.len() / 8);
    let (mut at, mut row, mut line) = (0, 0, 0);
    while at < src.len() {
        let rest = &src[at..];
        let byte = rest[0];
        let until = |needle: &[u8], from: usize| {
            memchr::memmem::find(&rest[from.min(rest.len())..], needle)
                .map_or(rest.len(), |n| from + n + needle.len())
        };
        let (len, kind, inner) = match byte {
            b'\n' => {
                row += 1;
                at += 1;
                line = at;
                continue;
            }
            _ if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'-' if rest.starts_with(b"--") => {
                let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                comments.push(at as u32..(at + rest[..len].trim_ascii_end().len()) as u32);
                at += len;
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                let len = until(b"*/", 2);
                comments.push(at as u32..(at + len) as u32);
                row += rest[..len].iter().filter(|b| **b == b'\n').count();
                if let Some(last) = memchr::memrchr(b'\n', &rest[..len]) {
                    line = at + last + 1;
                }
                at += len;
                continue;
            }
            b'\'' => (string_end(rest), Kind::Other(b'\''), 0),
            b'"' => (until(b"\"", 1), Kind::Quoted, 1),
            b'`' => (until(b"`", 1), Kind::Quoted, 1),
            b'[' if rest.get(1).is_some_and(|b| b.is_ascii_alphabetic()) => {
                let len = rest
                    .iter()
                    .position(|b| matches!(b, b']' | b'\n'))
                    .unwrap_or(rest.len());
                match rest.get(len) {
                    Some(b']') => (len + 1, Kind::Quoted, 1),
                    _ => (1, Kind::Other(b'['), 0),
                }
            }
            _ if is_word(byte) && !byte.is_ascii_digit() => {
                let len = rest.iter().take_while(|b| is_word(**b)).count();
                (len, Kind::Word, 0)
            }
            _ if byte.is_ascii_digit() => {
                let number = |b: &&u8| is_word(**b) || **b == b'.';
                (rest.iter().take_while(number).count(), Kind::Other(b'0'), 0)
            }
            // `$$` and `$tag$` quote the body of a function, which is read as the rest is.
            _ => (1, Kind::Other(byte), 0),
        };
        let whole = &rest[..len];
        let closed = inner == 0 || (len > 1 && whole.len() == len);
        let end = if closed { at + len - inner } else { at + len };
        tokens.push(Token {
            kind,
            start: at + inner,
            end: end.max(at + inner),
            row,
            column: at + inner - line,
        });
        row += whole.iter().filter(|b| **b == b'\n').count();
        if let Some(last) = memchr::memrchr(b'\n', whole) {
            line = at + last + 1;
        }
        at += len;
    }
    tokens
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'@' | b'#') || byte >= 0x80
}

/// Length of a string: quotes in it are doubled, or follow a backslash.
fn string_end(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' if text.get(at + 1) == Some(&b'\'') && text.get(at + 2) != Some(&b')') => at += 1,
            b'\'' if text.get(at + 1) == Some(&b'\'') => at += 1,
            b'\'' => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}
