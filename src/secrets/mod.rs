//! Secrets, told by their form: in files' names, in bytes, in what is to be remembered.
//!
//! One detector for all who ask. [`mask`] is what everything that reads a file reads: extraction, and
//! the texts that answers are cut from, so that no term, name, vector or quotation comes from inside
//! a secret and no search finds one. [`find`] says why a text is refused, and is stricter: a memory
//! can be put in other words, code cannot. [`files`] judges names, where the whole file is passed over.
//!
//! Guarantees: a pure function of the bytes; time in proportion to them ([`MAX_VALUE`] and
//! [`keys::MAX_ARMOUR`] bound what follows each mark); masked bytes are as long as they were and
//! have the same line ends, so every offset holds. Forms that issuers made to be recognised are
//! found anywhere ([`formats`]); anything else only beside a name that says so ([`named`]), and only
//! if it looks random ([`random`]): what hides code that is none of these costs more than it keeps.
//! Not found: secrets that look like words, are broken over lines, or are encoded once more.

mod checksum;
pub mod files;
mod formats;
mod keys;
mod named;
mod random;
mod shapes;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind, StartKind};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// What stands for each byte of a secret where it is read: no letter of any word, and code around it
/// stays code.
pub const FILL: u8 = b'.';
/// Bytes of one token or value that are looked at. The longest that issuers make (JSON web tokens)
/// have some 2,000.
const MAX_VALUE: usize = 4 << 10;

/// A secret in some bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it is, with its article: `an AWS key`.
    pub rule: &'static str,
}

impl Span {
    /// What it is, in a word or two, without the article.
    pub fn label(&self) -> &'static str {
        self.rule
            .split_once(' ')
            .map_or(self.rule, |(_, rest)| rest)
    }
}

/// How sure a finding has to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Care {
    /// Sure enough to hide it from who reads code.
    Mask,
    /// Sure enough to ask for other words.
    Refuse,
}

/// A secret in a text that is to be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Secret {
    /// What it looks like.
    pub rule: &'static str,
    /// The line it is on, from 1.
    pub line: usize,
}

/// Finds the first thing in a text that looks like a secret.
pub fn find(text: &str) -> Option<Secret> {
    let found = scan(text.as_bytes(), Care::Refuse).into_iter().next()?;
    let before = &text.as_bytes()[..found.range.start];
    Some(Secret {
        rule: found.rule,
        line: memchr::memchr_iter(b'\n', before).count() + 1,
    })
}

/// Finds the secrets in the bytes of a file, in order; none overlap.
pub fn spans(bytes: &[u8]) -> Vec<Span> {
    scan(bytes, Care::Mask)
}

/// Returns bytes with [`FILL`] in place of the secrets in them. Line ends stay.
pub fn mask(bytes: &[u8]) -> Cow<'_, [u8]> {
    blank(bytes, &spans(bytes))
}

/// As [`mask`], for secrets that were found.
pub fn blank<'a>(bytes: &'a [u8], spans: &[Span]) -> Cow<'a, [u8]> {
    if spans.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut out = bytes.to_vec();
    for span in spans {
        for byte in &mut out[span.range.clone()] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = FILL;
            }
        }
    }
    Cow::Owned(out)
}

/// Puts marks into blanked bytes that say what was there, as long as it was:
/// `[secret: AWS key]...`. Too short a secret has a shorter mark, or none.
pub fn mark(blanked: &mut [u8], spans: &[Span]) {
    for span in spans {
        let room = &mut blanked[span.range.clone()];
        let line = memchr::memchr2(b'\n', b'\r', room).unwrap_or(room.len());
        let marks = [format!("[secret: {}]", span.label()), "[secret]".to_owned()];
        match marks.iter().find(|mark| mark.len() <= line) {
            Some(mark) => room[..mark.len()].copy_from_slice(mark.as_bytes()),
            None if line >= 2 => (room[0], room[line - 1]) = (b'[', b']'),
            None => {}
        }
    }
}

/// Whether there is little else in the bytes than the secrets found in them: at least half of what is
/// not white space.
pub fn are_most(bytes: &[u8], spans: &[Span]) -> bool {
    let filled = |bytes: &[u8]| bytes.iter().filter(|b| !b.is_ascii_whitespace()).count();
    let secret: usize = spans.iter().map(|s| filled(&bytes[s.range.clone()])).sum();
    secret > 0 && secret * 2 >= filled(bytes)
}

/// What a mark in the bytes may be the beginning, the middle or the name of.
#[derive(Clone, Copy)]
enum Mark {
    /// A token of a form of [`formats::FORMATS`].
    Format(usize),
    /// A form that has its own reading.
    Shape(shapes::Shape),
    /// Armour of a private key.
    Key(keys::Armour),
    /// A name of a secret, of [`named::NAMES`].
    Name(usize),
}

/// Every mark, looked for in one pass, capitals or not.
struct Marks {
    automaton: Option<AhoCorasick>,
    marks: Vec<Mark>,
}

impl Marks {
    fn get() -> &'static Self {
        static MARKS: OnceLock<Marks> = OnceLock::new();
        MARKS.get_or_init(Self::new)
    }

    fn new() -> Self {
        let formats = formats::FORMATS.iter().enumerate();
        let names = named::NAMES.iter().enumerate();
        let all: Vec<(&str, Mark)> =
            { formats.map(|(n, format)| (format.prefix, Mark::Format(n))) }
                .chain(
                    shapes::SHAPES
                        .iter()
                        .map(|(text, shape)| (*text, Mark::Shape(*shape))),
                )
                .chain(
                    keys::ARMOURS
                        .iter()
                        .map(|(text, armour)| (*text, Mark::Key(*armour))),
                )
                .chain(names.map(|(n, name)| (name.text, Mark::Name(n))))
                .collect();
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::DFA))
            .start_kind(StartKind::Unanchored)
            .build(all.iter().map(|(text, _)| text));
        Self {
            // A test shows that it can be built.
            automaton: automaton.ok(),
            marks: all.into_iter().map(|(_, mark)| mark).collect(),
        }
    }
}

fn scan(bytes: &[u8], care: Care) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let known = Marks::get();
    let Some(automaton) = &known.automaton else {
        return found;
    };
    for hit in automaton.find_iter(bytes) {
        let at = hit.range();
        let mark = known.marks[hit.pattern().as_usize()];
        // What lies in a secret is part of it, and may say better what it is.
        let inside = found.last().is_some_and(|last| at.start < last.range.end);
        if inside && !matches!(mark, Mark::Format(_)) {
            continue;
        }
        let span = match mark {
            Mark::Format(n) => formats::FORMATS[n].read(bytes, at),
            Mark::Shape(shape) => shape.read(bytes, at, care),
            Mark::Key(armour) => armour.read(bytes, at),
            Mark::Name(n) => named::NAMES[n].read(bytes, at, care),
        };
        let Some(span) = span else { continue };
        let pair = formats::pair_of(bytes, &span);
        match found.last_mut().filter(|_| inside) {
            Some(around) => around.rule = span.rule,
            None => found.push(span),
        }
        found.extend(pair);
    }
    found.extend(shapes::dotted(bytes));
    in_order(found)
}

/// Orders findings; of two that overlap, the one that begins first is made longer.
fn in_order(mut found: Vec<Span>) -> Vec<Span> {
    found.sort_by_key(|span| (span.range.start, span.range.end));
    found.dedup_by(|next, last| {
        let overlaps = next.range.start < last.range.end;
        if overlaps {
            last.range.end = last.range.end.max(next.range.end);
        }
        overlaps
    });
    found
}

/// Whether no letter, digit or `_` stands before a place.
fn begins_word(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    !before.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// How many of the bytes from a place on are of a kind, at most [`MAX_VALUE`].
fn run(bytes: &[u8], from: usize, of: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let window = &rest[..rest.len().min(MAX_VALUE)];
    window.iter().position(|b| !of(*b)).unwrap_or(window.len())
}

#[cfg(test)]
mod tests;
