//! Syntax that is newer than the grammar: context parameters (`context(log: Log) fun work()`, Kotlin 2.2), guards of a
//! `when` (`is Circle if radius > 0 -> ...`, Kotlin 2.1) and texts in which a dollar is one (`$$"${a}"`, Kotlin 2.2);
//! and values that are called like a modifier (`open = isOpen`, `run = suspend { work() }`), which the grammar takes for
//! the beginning of a declaration.
//!
//! Each costs the grammar the declaration and often what follows. Where a file has errors it is parsed again
//! with contexts blanked out, their types recorded as names that are read, with guards as one more condition,
//! and with another letter in front of such values, byte for byte as long. Deliberately absent: guards of conditions
//! that begin with neither `is` nor `in`, and texts of several lines with more than one dollar before their quotes.

use crate::syntax::blanked::Blanked;
use std::ops::Range;

/// Most places that are changed in one file.
const MAX_PLACES: usize = 4096;
/// Most bytes between the parentheses of a context.
const MAX_CONTEXT: usize = 1000;

/// Most bytes of a guard.
const MAX_GUARD: usize = 500;

/// What a declaration behind a context may begin with.
const BEGINNINGS: &[&[u8]] = byte_words!(
    "abstract actual class const expect external final fun infix inline internal lateinit open operator override
    private protected public suspend tailrec val var"
);
/// Modifiers, and what begins a constraint, that the grammar takes for nothing else at the beginning of a statement.
const MODIFIERS: &[&[u8]] = byte_words!(
    "abstract crossinline external final infix inline internal lateinit noinline open override private protected
     public sealed tailrec vararg where"
);
const CONDITIONS: &[&[u8]] = &[b"is ", b"!is ", b"in ", b"!in "];

/// Makes newer syntax older; `None` where there is none.
pub(super) fn blank(bytes: &[u8]) -> Option<Blanked> {
    let mut changed = bytes.to_vec();
    let (mut words, mut places) = (Vec::new(), 0);
    let mut start = 0;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        if places == MAX_PLACES {
            break;
        }
        let at = start + (line.len() - line.trim_ascii_start().len());
        if let Some(context) = context(bytes, at) {
            words.extend(types(bytes, context.clone()));
            for byte in &mut changed[context] {
                // Lines stay where they are.
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
            places += 1;
        } else if let Some(guard) = guard(&bytes[at..]) {
            changed[at + guard..at + guard + 2].copy_from_slice(b", ");
            places += 1;
        } else if is_value(line.trim_ascii_start()) {
            changed[at] = b'_';
            places += 1;
        }
        for word in suspended(line) {
            changed[start + word] = b'_';
            places += 1;
        }
        for (dollar, letter) in dollars(line) {
            changed[start + dollar] = letter;
            places += 1;
        }
        start += line.len();
    }
    (places > 0).then_some(Blanked {
        bytes: changed,
        words,
    })
}

/// The context that begins at a byte and has a declaration behind it.
fn context(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = bytes[at..].strip_prefix(b"context(")?;
    let mut depth = 1;
    let len = rest.iter().take(MAX_CONTEXT).position(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let behind = rest[len + 1..].trim_ascii_start();
    let word = behind.iter().take_while(|b| b.is_ascii_lowercase()).count();
    let begins = behind.starts_with(b"@") || BEGINNINGS.contains(&&behind[..word]);
    begins.then_some(at..at + b"context(".len() + len + 1)
}

/// The types that a context names: its words that begin with a capital.
fn types(bytes: &[u8], context: Range<usize>) -> Vec<Range<usize>> {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80;
    let mut found = Vec::new();
    let mut at = context.start;
    while at < context.end {
        let len = bytes[at..context.end]
            .iter()
            .take_while(|b| is_part(b))
            .count();
        if bytes[at].is_ascii_uppercase() {
            found.push(at..at + len);
        }
        at += len.max(1);
    }
    found
}

/// Whether a line begins with a value that is called like a modifier: it is written, called, or asked for a member.
fn is_value(line: &[u8]) -> bool {
    let len = line.iter().take_while(|b| b.is_ascii_lowercase()).count();
    let (word, rest) = line.split_at(len);
    let behind = rest.trim_ascii_start();
    let is_written = || match behind {
        [b'=', next, ..] => *next != b'=',
        [b'+' | b'-' | b'*' | b'/' | b'%', b'=', ..] => true,
        _ => false,
    };
    MODIFIERS.contains(&word) && (matches!(rest.first(), Some(b'.' | b'(' | b'?')) || is_written())
}

/// Where `suspend` stands in a line before a lambda (`run = suspend { work() }`): a function that is called, which no
/// modifier of a declaration can be.
fn suspended(line: &[u8]) -> Vec<usize> {
    const WORD: &[u8] = b"suspend";
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || b"_.\"`".contains(b);
    let found = memchr::memmem::find_iter(line, WORD);
    let is_called = |at: &usize| {
        let before = at.checked_sub(1).map(|before| &line[before]);
        let behind = line[at + WORD.len()..].trim_ascii_start();
        !before.is_some_and(is_part) && behind.starts_with(b"{")
    };
    found.filter(is_called).collect()
}

/// Where the `if` of a guard stands that begins at a line without what it is indented by. One that goes on in other lines
/// holds no braces.
fn guard(rest: &[u8]) -> Option<usize> {
    CONDITIONS.iter().find(|word| rest.starts_with(word))?;
    let rest = &rest[..rest.len().min(MAX_GUARD)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let at = memchr::memmem::find(line, b" if ")?;
    let arrow = memchr::memmem::find(rest, b"->")?;
    let is_long = arrow > line.len();
    let is_guard = !is_long || memchr::memchr2(b'{', b'}', &rest[..arrow]).is_none();
    (at < arrow && is_guard && memchr::memchr(b'{', &line[..at]).is_none()).then_some(at + 1)
}

/// Where dollars stand that are no sign of a value in a text with two or more before its quote (`$$"${a}"`), which are
/// left out, and in it, where another letter takes their place.
fn dollars(line: &[u8]) -> Vec<(usize, u8)> {
    let Some(at) = memchr::memmem::find(line, b"$$\"") else {
        return Vec::new();
    };
    let is_text = memchr::memchr_iter(b'"', &line[..at]).count() % 2 == 1;
    let inner = &line[at + 3..];
    let Some(len) = memchr::memchr(b'"', inner).filter(|len| *len > 0 && !is_text) else {
        return Vec::new();
    };
    let before = line[..at].iter().rev().take_while(|b| **b == b'$').count();
    let inner = memchr::memchr_iter(b'$', &inner[..len]).map(|dollar| (at + 3 + dollar, b'_'));
    let before = (at - before..at + 2).map(|dollar| (dollar, b' '));
    before.chain(inner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blanked(source: &str) -> Option<(String, Vec<String>)> {
        let found = blank(source.as_bytes())?;
        assert_eq!(found.bytes.len(), source.len());
        let words = found.words.into_iter().map(|word| source[word].to_owned());
        Some((String::from_utf8(found.bytes).unwrap(), words.collect()))
    }

    #[test]
    fn contexts_and_guards_are_made_older() {
        let source =
            "  context(log: Log, b: (Int) -> B)\n  private fun a() {\n  is C if d(1) -> e\n";
        let (text, words) = blanked(source).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].trim(), "");
        assert_eq!(lines[2], "  is C ,  d(1) -> e");
        assert_eq!(words, ["Log", "Int", "B"]);
    }

    #[test]
    fn values_called_like_modifiers_get_another_name() {
        let source =
            "  open = isOpen\n  final += 1\n  inline.get()\n  private(1)\n  where?.let { a }\n";
        let (text, words) = blanked(source).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(
            lines,
            [
                "_pen = isOpen",
                "_inal += 1",
                "_nline.get()",
                "_rivate(1)",
                "_here?.let { a }"
            ]
        );
        assert!(words.is_empty());
        let (text, _) = blanked("copy(a = suspend { b() }, c = suspend{})\n").unwrap();
        assert_eq!(text, "copy(a = _uspend { b() }, c = _uspend{})\n");
        let (text, _) = blanked("@Value($$\"${a.b:}$c\")\n").unwrap();
        assert_eq!(text, "@Value(  \"_{a.b:}_c\")\n");
        let (text, _) = blanked("is A if (\n  b && c\n  ) ->\n  d\n").unwrap();
        assert_eq!(text, "is A ,  (\n  b && c\n  ) ->\n  d\n");
    }

    #[test]
    fn what_only_looks_like_one_stays() {
        for source in [
            "context(a) + 1\n",
            "context(a\n",
            "is A -> if (b) c else d\n",
            "is A -> { if b }\n",
            "val a = is B if c -> d\n",
            "context(",
            "open class A\n",
            "private set\n",
            "open == b\n",
            "opened = b\n",
            "where T : A\n",
            "a: suspend () -> Unit, b.suspend { c }\n",
            "\"a$$\" + \"b\"\n",
            "a$$\"\n",
            "is A if (b\n) { c -> d }\n",
        ] {
            assert_eq!(blanked(source), None, "{source}");
        }
    }
}
