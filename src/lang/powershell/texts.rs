//! Texts and comments of PowerShell that the grammar stumbles over, and commands that begin with a star.
//!
//! A sign of a comment behind a variable in a text is taken for one (`"$name # $more"`), backticks in a text of several
//! lines end the file for it, and `*Die "why"` is no command. And where a file is cut into declarations by its layout, a
//! comment of several lines must not look like code.
//!
//! Where a file has errors it is parsed again with such comments and texts empty, byte for byte as long, with
//! another sign in place of such signs and a letter in place of a star that begins a command; variables in texts of several lines
//! are recorded as names that are read. Deliberately absent: what stands in `$(...)` of a text of several lines.

use crate::syntax::blanked::Blanked;
use std::ops::Range;

/// Most names of variables that are recorded of texts.
const MAX_WORDS: usize = 4096;
/// How deep texts lie in each other.
const MAX_DEPTH: usize = 32;

/// Empties comments and texts; `None` where nothing changes.
pub(super) fn blank(bytes: &[u8]) -> Option<Blanked> {
    let mut scan = Scan {
        src: bytes,
        bytes: bytes.to_vec(),
        words: Vec::new(),
        open: Vec::new(),
        depth: 0,
        endless: Vec::new(),
    };
    let mut at = 0;
    while at < bytes.len() {
        at += match scan.open.last() {
            Some(Open::Text) => scan.text(at),
            _ => scan.code(at),
        };
    }
    (scan.bytes != bytes).then_some(Blanked {
        bytes: scan.bytes,
        words: scan.words,
    })
}

/// What something stands in.
enum Open {
    /// A text in double quotes.
    Text,
    /// Code in such a text, and how many parentheses are open around the text.
    Code(u32),
}

struct Scan<'s> {
    src: &'s [u8],
    bytes: Vec<u8>,
    words: Vec<Range<usize>>,
    open: Vec<Open>,
    /// Parentheses that are open.
    depth: u32,
    /// What begins or ends texts of which one has no end: no other is looked for, so that a file is read a fixed number of times.
    endless: Vec<&'static [u8]>,
}

impl Scan<'_> {
    /// Reads on in code; says how many bytes were read.
    fn code(&mut self, at: usize) -> usize {
        let rest = &self.src[at..];
        match rest[0] {
            b'`' => 2,
            b'<' if rest.starts_with(b"<#") => {
                let end = memchr::memmem::find(&rest[2..], b"#>");
                let end = end.map_or(rest.len(), |len| len + 2);
                self.fill(at + 2..at + end, b' ');
                end + 2
            }
            b'#' if self.begins(at) => line(rest),
            b'@' => self.long(at).unwrap_or(1),
            b'\'' if !self.endless.contains(&&b"'"[..]) => self.plain(at),
            b'"' => {
                if self.open.len() < MAX_DEPTH {
                    self.open.push(Open::Text);
                }
                1
            }
            b'(' => {
                self.depth += 1;
                1
            }
            b')' => {
                match self.open.last() {
                    Some(Open::Code(outer)) if self.depth == 0 => {
                        self.depth = *outer;
                        self.open.pop();
                    }
                    _ => self.depth = self.depth.saturating_sub(1),
                }
                1
            }
            b'$' if rest.starts_with(b"${") => {
                let end = rest.iter().position(|b| matches!(b, b'}' | b'\n'));
                end.unwrap_or(rest.len()).max(1)
            }
            b'*' if rest.get(1).is_some_and(u8::is_ascii_alphabetic) && self.is_command(at) => {
                self.bytes[at] = b'_';
                1
            }
            _ => 1,
        }
    }

    /// Reads on in a text in double quotes.
    fn text(&mut self, at: usize) -> usize {
        let rest = &self.src[at..];
        match rest[0] {
            b'`' => {
                // A letter would be a part of the name of a variable.
                self.fill(at..(at + 2).min(self.src.len()), b'.');
                2
            }
            b'"' if rest.starts_with(b"\"\"") => 2,
            b'"' => {
                self.open.pop();
                1
            }
            b'$' if rest.starts_with(b"$(") && self.open.len() < MAX_DEPTH => {
                self.open.push(Open::Code(self.depth));
                self.depth = 0;
                2
            }
            b'#' | b'\\' => {
                self.fill(at..at + 1, b'.');
                1
            }
            _ => 1,
        }
    }

    /// A text in single quotes, in which a quote is written twice.
    fn plain(&mut self, at: usize) -> usize {
        let mut len = 1;
        while let Some(quote) = memchr::memchr(b'\'', &self.src[at + len..]) {
            len += quote + 1;
            if self.src.get(at + len) != Some(&b'\'') {
                let signs = at..at + len;
                for sign in signs.filter(|sign| matches!(self.src[*sign], b'#' | b'\\' | b'`')) {
                    self.bytes[sign] = b'_';
                }
                return len;
            }
            len += 1;
        }
        self.endless.push(b"'");
        1
    }

    /// A text of several lines, which begins with `@"` or `@'` at the end of a line and ends at the beginning of one.
    fn long(&mut self, at: usize) -> Option<usize> {
        let rest = &self.src[at..];
        let quote = *rest.get(1).filter(|b| matches!(b, b'"' | b'\''))?;
        let first = line(rest);
        if !rest[2..first].trim_ascii().is_empty() {
            return None;
        }
        let ends: &[u8] = match quote {
            b'"' => b"\n\"@",
            _ => b"\n'@",
        };
        if self.endless.contains(&ends) {
            return None;
        }
        let Some(len) = memchr::memmem::find(&rest[first..], ends) else {
            self.endless.push(ends);
            return None;
        };
        let len = first + len;
        let inner = at + first..at + len;
        if quote == b'"' {
            self.add_words(inner.clone());
        }
        // Of one with nothing but space the grammar does not find the end.
        self.fill(inner, b'_');
        Some(len + 3)
    }

    /// The variables that a text names.
    fn add_words(&mut self, inner: Range<usize>) {
        for at in memchr::memchr_iter(b'$', &self.src[inner.clone()]) {
            let start = inner.start + at + 1;
            let is_part = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
            let len = self.src[start..inner.end].iter().take_while(is_part);
            let end = start + len.count();
            let is_scope = self.src.get(end) == Some(&b':');
            let is_own = !super::is_automatic(&self.src[start..end]);
            if end > start && is_own && !is_scope && self.words.len() < MAX_WORDS {
                self.words.push(start..end);
            }
        }
    }

    /// Writes one letter over all but the ends of lines.
    fn fill(&mut self, range: Range<usize>, letter: u8) {
        for byte in &mut self.bytes[range] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = letter;
            }
        }
    }

    /// Whether a sign begins a word.
    fn begins(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|at| self.src[at]);
        before.is_none_or(|b| b.is_ascii_whitespace() || b"(){};,|&=".contains(&b))
    }

    /// Whether a sign stands where a command begins.
    fn is_command(&self, at: usize) -> bool {
        let before = self.src[..at].iter().rev();
        let mut before = before.skip_while(|b| matches!(b, b' ' | b'\t'));
        matches!(
            before.next(),
            None | Some(b'\n' | b'{' | b';' | b'|' | b'(')
        )
    }
}

/// Length of a line without its end.
fn line(rest: &[u8]) -> usize {
    memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(source: &str) -> Option<(String, Vec<&str>)> {
        let found = blank(source.as_bytes())?;
        assert_eq!(found.bytes.len(), source.len());
        let words = found.words.into_iter().map(|word| &source[word]).collect();
        Some((String::from_utf8(found.bytes).unwrap(), words))
    }

    #[test]
    fn texts_and_comments_are_empty() {
        for (source, expected, words) in [
            (
                "\"$a # $(b '#' \"c#\")#\"",
                "\"$a . $(b '_' \"c.\").\"",
                &[][..],
            ),
            ("\"a`\"\\b\" # c", "\"a...b\" # c", &[]),
            ("<# a\n b #> c", "<#  \n   #> c", &[]),
            (
                "$a = @\"\n``` $b $_ $c:d\n\"@\n",
                "$a = @\"\n______________\n\"@\n",
                &["b"],
            ),
            ("@'\n$a\n'@", "@'\n__\n'@", &[]),
            ("if ($a) {*Die 1}; $b *c", "if ($a) {_Die 1}; $b *c", &[]),
            ("'it''s a\\'", "'it''s a_'", &[]),
        ] {
            let found = written(source).unwrap();
            assert_eq!((&*found.0, &*found.1), (expected, words), "{source}");
        }
        for same in [
            "# 'a#",
            "a#b",
            "${*}",
            "'a",
            "\"a",
            "@\"",
            "`",
            "\"`",
            "@'\na",
            "$",
            "\"$(",
            "(\"a\" + 'b')",
        ] {
            let found = written(same);
            assert!(found.is_none_or(|(text, _)| text == "\"."), "{same}");
        }
    }

    #[test]
    fn texts_without_an_end_are_read_once() {
        for unit in ["@\"\n", "@'\n", "'''a", "${", "\"$(", "<#", "*a", "\"`"] {
            blank(unit.repeat(2 << 20 >> 2).as_bytes());
        }
    }
}
