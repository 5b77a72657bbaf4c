//! C and C++ as tokens, for telling macros without syntax apart from what stands around them.

use std::ops::Range;

/// A word or a sign.
pub(in crate::lang) struct Token {
    pub(in crate::lang) bytes: Range<usize>,
    /// Whether it is the first of its line.
    pub(super) is_first: bool,
    /// The other of a pair of parentheses.
    pub(in crate::lang) pair: Option<usize>,
}

/// The tokens of a file without comments, texts, numbers and directives.
pub(in crate::lang) fn tokens(bytes: &[u8]) -> Vec<Token> {
    tokens_and_directives(bytes).0
}

/// The same, and where directives stand.
pub(in crate::lang) fn tokens_and_directives(bytes: &[u8]) -> (Vec<Token>, Vec<Range<usize>>) {
    let mut directives = Vec::new();
    let mut found: Vec<Token> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let (mut at, mut is_first) = (0, true);
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let len = match byte {
            b'\n' => {
                is_first = true;
                at += 1;
                continue;
            }
            b'#' if is_first => {
                let len = directive(rest);
                directives.push(at..at + len);
                len
            }
            b'/' if rest.starts_with(b"//") => line(rest),
            b'/' if rest.starts_with(b"/*") => until(rest, 2, b"*/"),
            b'R' if rest.starts_with(b"R\"") => raw(rest),
            b'"' | b'\'' => quoted(rest),
            b if b.is_ascii_digit() => number(rest),
            b if b.is_ascii_whitespace() => 1,
            b if is_part(b) => {
                let len = rest.iter().take_while(|b| is_part(**b)).count();
                push(&mut found, at..at + len, is_first);
                len
            }
            b => {
                let this = found.len();
                push(&mut found, at..at + 1, is_first);
                if b == b'(' {
                    open.push(this);
                } else if b == b')'
                    && let Some(other) = open.pop()
                {
                    found[this].pair = Some(other);
                    found[other].pair = Some(this);
                }
                1
            }
        };
        is_first &= byte.is_ascii_whitespace() || rest.starts_with(b"/*");
        at += len;
    }
    (found, directives)
}

/// Whether a byte is a part of a name.
pub(in crate::lang) fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn push(found: &mut Vec<Token>, bytes: Range<usize>, is_first: bool) {
    found.push(Token {
        bytes,
        is_first,
        pair: None,
    });
}

/// Length of a line without its end.
fn line(rest: &[u8]) -> usize {
    rest.iter().take_while(|b| **b != b'\n').count()
}

/// Length of a line that goes on where it ends with a backslash.
fn directive(rest: &[u8]) -> usize {
    let mut len = line(rest);
    while rest[..len].trim_ascii_end().ends_with(b"\\") && len < rest.len() {
        len += 1 + line(&rest[len + 1..]);
    }
    len
}

/// What stands in comments of a directive that goes on behind them in another line, line by line.
pub(super) fn remarks(bytes: &[u8], directive: &Range<usize>) -> Vec<Range<usize>> {
    let text = &bytes[directive.clone()];
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let len = match rest[0] {
            b'/' if rest.starts_with(b"//") => break,
            b'/' if rest.starts_with(b"/*") => {
                let len = until(rest, 2, b"*/");
                if !rest[..len].ends_with(b"*/") || memchr::memchr(b'\n', &rest[len..]).is_none() {
                    break;
                }
                let mut start = directive.start + at;
                for line in rest[..len].split_inclusive(|b| *b == b'\n') {
                    let text = line.trim_ascii_end();
                    let text = text.strip_suffix(b"\\").unwrap_or(text);
                    found.push(start..start + text.len());
                    start += line.len();
                }
                len
            }
            b'"' | b'\'' => quoted(rest),
            _ => 1,
        };
        at += len;
    }
    found
}

/// Length of what ends with `end`, which stands behind `from` bytes.
fn until(rest: &[u8], from: usize, end: &[u8]) -> usize {
    let body = rest.get(from..).unwrap_or(b"");
    let found = body.windows(end.len()).position(|window| window == end);
    found.map_or(rest.len(), |found| from + found + end.len())
}

/// Length of `R"x(..)x"`.
fn raw(rest: &[u8]) -> usize {
    // A delimiter has sixteen characters at most.
    let mark = rest[2..].iter().take(17).position(|b| *b == b'(');
    let Some(mark) = mark else {
        return 1;
    };
    let end = [b")", &rest[2..2 + mark], b"\""].concat();
    until(rest, 3 + mark, &end)
}

/// Length of a text or character; one that does not end ends with its line.
fn quoted(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => at += 2,
            b if *b == rest[0] => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// Length of a number, such as `1'000u` and `0x1p3`.
fn number(rest: &[u8]) -> usize {
    let is_inner = |at: usize| {
        let is_quote = rest[at] == b'\'' && rest.get(at + 1).is_some_and(|b| is_part(*b));
        is_part(rest[at]) || rest[at] == b'.' || is_quote
    };
    (0..rest.len()).take_while(|at| is_inner(*at)).count()
}
