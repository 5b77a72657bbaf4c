//! Expressions of templates, taken apart into identifiers.

use super::Use;
use crate::record::{OccurrenceKind, Qualifier};
use std::ops::Range;

/// Words of the language, which name nothing.
const KEYWORDS: &[&[u8]] = byte_words!(
    "as async await const delete else false function if in instanceof let new null of return then
     true typeof undefined var void"
);

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// Length of the string or comment that `text` begins with.
fn opaque(text: &[u8]) -> Option<usize> {
    match text {
        [quote @ (b'"' | b'\''), ..] => {
            let mut at = 1;
            while let Some(byte) = text.get(at) {
                match byte {
                    b'\\' => at += 1,
                    b'\n' => return Some(at),
                    byte if byte == quote => return Some(at + 1),
                    _ => {}
                }
                at += 1;
            }
            Some(text.len())
        }
        [b'/', b'*', ..] => {
            Some(memchr::memmem::find(&text[2..], b"*/").map_or(text.len(), |n| n + 4))
        }
        _ => None,
    }
}

/// Where the brace at `at` is closed; the end of the file when it is not.
pub(super) fn closing(src: &[u8], at: usize) -> usize {
    let mut depth = 0usize;
    let mut template = Template::default();
    let mut at = at;
    while at < src.len() {
        if let Some(len) = template.skip(&src[at..], depth) {
            at += len;
            continue;
        }
        match src[at] {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
                template.close(depth);
            }
            _ => {}
        }
        at += 1;
    }
    src.len()
}

/// Adds the identifiers of an expression.
pub(super) fn names(src: &[u8], range: Range<usize>, out: &mut Vec<Use>) {
    let Range { start, end } = range;
    let text = &src[..end.min(src.len())];
    let mut at = start;
    let mut depth = 0usize;
    let mut template = Template::default();
    // The last two things that were no blanks, and where the identifier before a dot ended.
    let mut before = 0u8;
    let mut named = false;
    while at < text.len() {
        if let Some(len) = template.skip(&text[at..], depth) {
            at += len;
            before = b'"';
            named = false;
            continue;
        }
        let byte = text[at];
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if !is_word(byte) {
            match byte {
                b'{' => depth += 1,
                b'}' => {
                    depth = depth.saturating_sub(1);
                    template.close(depth);
                }
                _ => {}
            }
            named &= byte == b'.' || (byte == b'?' && text.get(at + 1) == Some(&b'.'));
            // `...rest` is no member.
            before = if byte == b'.' && text[at..].starts_with(b"...") {
                at += 2;
                0
            } else {
                byte
            };
            at += 1;
            continue;
        }
        let len = text[at..].iter().take_while(|b| is_word(**b)).count();
        let word = &text[at..at + len];
        let member = before == b'.';
        let rest = text[at + len..].trim_ascii_start();
        if word[0].is_ascii_digit() || (!member && KEYWORDS.contains(&word)) {
            named = false;
        } else if word == b"this" {
            named = false;
            before = b'a';
            at += len;
            continue;
        } else {
            let key = matches!(before, b'{' | b',') && rest.starts_with(b":");
            let kind = if key {
                OccurrenceKind::Write
            } else if text.get(at + len) == Some(&b'(') {
                OccurrenceKind::Call
            } else {
                OccurrenceKind::Read
            };
            let qualifier = match (member, named) {
                (false, _) => Qualifier::None,
                (true, true) => Qualifier::Previous,
                (true, false) => Qualifier::Expression,
            };
            // `$name` of Svelte is what the store `name` holds.
            let sigil = usize::from(word[0] == b'$' && len > 1 && word[1] != b'$' && !member);
            out.push(Use {
                name: at + sigil..at + len,
                kind,
                qualifier,
            });
            named = true;
        }
        before = b'a';
        at += len;
    }
}

/// Strings with code in them: where the text is, and at which depth of braces each hole was opened.
#[derive(Default)]
struct Template {
    /// Depth of braces at which each open template string was begun.
    holes: Vec<usize>,
    in_text: bool,
    open: usize,
}

impl Template {
    /// Length of what is no code at the start of `text`.
    fn skip(&mut self, text: &[u8], depth: usize) -> Option<usize> {
        if self.in_text {
            let len = memchr::memchr3(b'`', b'$', b'\\', text).unwrap_or(text.len());
            return Some(match &text[len..] {
                [b'`', ..] => {
                    self.open -= 1;
                    self.in_text = false;
                    len + 1
                }
                [b'$', b'{', ..] => {
                    self.holes.push(depth);
                    self.in_text = false;
                    // The brace is counted as any other.
                    len + 1
                }
                [b'\\', ..] => (len + 2).min(text.len()),
                [_, ..] => len + 1,
                [] => len,
            });
        }
        if text[0] == b'`' {
            self.open += 1;
            self.in_text = true;
            return Some(1);
        }
        opaque(text)
    }

    /// A brace was closed, and `depth` are open still.
    fn close(&mut self, depth: usize) {
        if self.holes.last() == Some(&depth) {
            self.holes.pop();
            self.in_text = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<String> {
        let mut uses = Vec::new();
        names(source.as_bytes(), 0..source.len(), &mut uses);
        let show = |found: &Use| {
            let name = &source[found.name.clone()];
            format!(
                "{} {name}{}",
                found.kind.label(),
                match found.qualifier {
                    Qualifier::None => "",
                    Qualifier::Previous => " (previous)",
                    _ => " (expression)",
                }
            )
        };
        uses.iter().map(show).collect()
    }

    #[test]
    fn expressions_give_their_identifiers() {
        assert_eq!(
            found("{ active: user?.isOn, 'a-b': f(x)[0].y }"),
            *phrases!(
                "write active, read user, read isOn (previous), call f, read x,
                 read y (expression)"
            )
        );
        assert_eq!(
            found("(item, i) in items"),
            ["read item", "read i", "read items"]
        );
        assert_eq!(
            found("`a ${b + `${c}`} d` + ...e"),
            ["read b", "read c", "read e"]
        );
        assert_eq!(
            found("$cart.total > 10 ? 'x' : this.y"),
            ["read cart", "read total (previous)", "read y (expression)"]
        );
    }

    #[test]
    fn braces_in_strings_close_nothing() {
        let source = b"{ f('}', `}${ {a: 1} }`) } rest";
        assert_eq!(closing(source, 0), 25);
        assert_eq!(closing(b"{ `${", 0), 5);
    }
}
