//! Two versions of a definition, statement by statement.
//!
//! A statement is a line with those that go on with it: inside of brackets, behind a backslash, in a chain of calls. Two
//! are the same when their tokens are, however they are broken into lines; of those that differ the ones that have
//! most tokens in common are one that changed.

use super::lines::LineMap;
use super::tokens::{OwnNames, Tokens, masked};
use crate::view::text::Text;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Least share of their tokens that two versions of a statement have in common.
const MIN_ALIKE: f64 = 0.5;
/// What the same first token is worth in that: most statements begin with what they do, or do it to.
const SAME_BEGINNING: f64 = 0.2;
/// Lines that one statement may have.
const MAX_LINES: u32 = 60;
/// Statements between two that are the same which are compared with each other.
const MAX_PAIRED: usize = 150;
/// How a line begins that goes on with the one before.
const GOES_ON: &[&[u8]] = &[b".", b"?.", b"&&", b"||", b"|>"];

/// A statement, or a comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// First line in its file.
    pub first: u32,
    /// Its lines as they are.
    pub lines: Vec<String>,
    /// Whether it is no code.
    pub is_comment: bool,
    tokens: Vec<u64>,
    digest: u64,
}

/// What became of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// It is the same.
    Same(Statement, Statement),
    /// Its tokens are the same, its white space is not.
    Spaced(Statement, Statement),
    /// It was changed.
    Changed(Statement, Statement),
    /// It is gone.
    Removed(Statement),
    /// It is new.
    Added(Statement),
}

impl Step {
    /// Whether it is another in what it says.
    pub fn is_different(&self) -> bool {
        matches!(self, Self::Changed(..) | Self::Removed(_) | Self::Added(_))
    }
}

/// Cuts a part of a file into statements.
pub fn read(
    text: &Text,
    span: &Range<u32>,
    (comments, own): (&[Range<u32>], OwnNames),
) -> Vec<Statement> {
    let bytes = text.bytes();
    let tokens = Tokens::of(bytes, comments, false);
    let end = (span.end as usize).min(bytes.len());
    let mut start =
        memchr::memrchr(b'\n', &bytes[..(span.start as usize).min(end)]).map_or(0, |at| at + 1);
    let mut line = memchr::memchr_iter(b'\n', &bytes[..start]).count() as u32 + 1;
    let mut found: Vec<Statement> = Vec::new();
    let mut depth = 0usize;
    let mut goes_on = false;
    while start < end {
        let stop = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
        let written = &bytes[start..stop];
        let trimmed = written.trim_ascii();
        let range = start as u32..stop as u32;
        let own_tokens: Vec<u64> = masked(tokens.within(&range).iter(), own).collect();
        let is_open = depth > 0 || goes_on || GOES_ON.iter().any(|mark| trimmed.starts_with(mark));
        let shown = String::from_utf8_lossy(written).into_owned();
        let is_comment = own_tokens.is_empty();
        match found.last_mut() {
            Some(last) if is_open && !last.is_comment && (last.lines.len() as u32) < MAX_LINES => {
                last.lines.push(shown);
                last.tokens.extend(own_tokens);
            }
            _ if trimmed.is_empty() => {}
            _ => found.push(Statement {
                first: line,
                lines: vec![shown],
                is_comment,
                tokens: own_tokens,
                digest: 0,
            }),
        }
        depth = brackets(bytes, &range, comments, depth);
        goes_on = trimmed.ends_with(b"\\");
        start = stop + 1;
        line += 1;
    }
    for statement in &mut found {
        statement.digest = statement.digest();
    }
    found
}

impl Statement {
    fn digest(&self) -> u64 {
        if self.is_comment {
            return xxh3_64(self.lines.join("\n").trim().as_bytes());
        }
        let mut hasher = Xxh3::new();
        for token in &self.tokens {
            hasher.update(&token.to_le_bytes());
        }
        hasher.digest()
    }

    /// Its text without white space.
    fn squeezed(&self) -> String {
        let all = self.lines.iter().flat_map(|line| line.chars());
        all.filter(|c| !c.is_whitespace()).collect()
    }

    /// Share of the tokens of both that both have, and more where they begin with the same.
    fn likeness(&self, other: &Self) -> f64 {
        if self.is_comment || other.is_comment {
            return f64::from(u8::from(self.is_comment && other.is_comment)) * MIN_ALIKE;
        }
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for token in &self.tokens {
            *counts.entry(*token).or_default() += 1;
        }
        let mut both = 0;
        for token in &other.tokens {
            if let Some(left) = counts.get_mut(token).filter(|left| **left > 0) {
                *left -= 1;
                both += 1;
            }
        }
        let begins = self.tokens.first() == other.tokens.first();
        let begins = f64::from(u8::from(begins)) * SAME_BEGINNING;
        2.0 * f64::from(both) / (self.tokens.len() + other.tokens.len()) as f64 + begins
    }
}

/// How many round and square brackets are open behind some bytes. Quotes end with their line.
fn brackets(bytes: &[u8], range: &Range<u32>, comments: &[Range<u32>], before: usize) -> usize {
    let (mut depth, mut quote) = (before, None);
    let mut next = comments.partition_point(|comment| comment.end <= range.start);
    let mut at = range.start as usize;
    while at < range.end as usize {
        if let Some(comment) = comments.get(next)
            && comment.start as usize <= at
        {
            at = (comment.end as usize).max(at + 1);
            next += 1;
            continue;
        }
        match bytes[at] {
            b'\\' if quote.is_some() => at += 1,
            byte if quote == Some(byte) => quote = None,
            byte @ (b'"' | b'\'' | b'`') if quote.is_none() => quote = Some(byte),
            b'(' | b'[' if quote.is_none() => depth += 1,
            b')' | b']' if quote.is_none() => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    depth
}

/// Says what became of each statement, in order.
pub fn align(old: Vec<Statement>, new: Vec<Statement>) -> Vec<Step> {
    let lines = |all: &[Statement]| {
        let mut text = String::new();
        for statement in all {
            // A write to a text never fails.
            let _ = writeln!(text, "{:x}", statement.digest);
        }
        text
    };
    let map = LineMap::of(lines(&old).as_bytes(), lines(&new).as_bytes());
    let (mut old, mut new) = (old.into_iter(), new.into_iter());
    let (mut at, mut now) = (0, 0);
    let mut steps = Vec::new();
    let ends = (old.len() as u32, new.len() as u32);
    let last = (ends.0..ends.0, ends.1..ends.1);
    for (before, after) in map.hunks().iter().cloned().chain([last]) {
        while at < before.start {
            let (Some(was), Some(is)) = (old.next(), new.next()) else {
                break;
            };
            (at, now) = (at + 1, now + 1);
            steps.push(match () {
                () if was.lines == is.lines => Step::Same(was, is),
                () if was.squeezed() == is.squeezed() => Step::Spaced(was, is),
                // Its own name stands there, which is no token.
                () => Step::Changed(was, is),
            });
        }
        let gone: Vec<Statement> = old.by_ref().take((before.end - at) as usize).collect();
        let come: Vec<Statement> = new.by_ref().take((after.end - now) as usize).collect();
        (at, now) = (before.end, after.end);
        steps.extend(paired(gone, come));
    }
    steps
}

/// What is gone and what has come between two statements that are the same: paired in order, so that those of a pair are
/// as much alike as can be, all together.
fn paired(gone: Vec<Statement>, come: Vec<Statement>) -> Vec<Step> {
    if gone.len().max(come.len()) > MAX_PAIRED {
        let gone = gone.into_iter().map(Step::Removed);
        return gone.chain(come.into_iter().map(Step::Added)).collect();
    }
    let width = come.len() + 1;
    let mut likeness = vec![0.0; gone.len() * width];
    // The most that the rest of both, from here on, is alike.
    let mut most = vec![0.0f64; (gone.len() + 1) * width];
    for (at, was) in gone.iter().enumerate().rev() {
        for (now, is) in come.iter().enumerate().rev() {
            let here = at * width + now;
            let alike = was.likeness(is);
            likeness[here] = alike;
            let without = most[here + width].max(most[here + 1]);
            most[here] = match alike >= MIN_ALIKE {
                true => without.max(alike + most[here + width + 1]),
                false => without,
            };
        }
    }
    let mut steps = Vec::new();
    let mut gone = gone.into_iter().enumerate().peekable();
    let mut come = come.into_iter().enumerate().peekable();
    while let (Some((at, _)), Some((now, _))) = (gone.peek(), come.peek()) {
        let here = at * width + now;
        let is_pair =
            likeness[here] >= MIN_ALIKE && most[here] <= likeness[here] + most[here + width + 1];
        let is_gone = most[here + width] >= most[here + 1];
        match is_pair {
            true => {
                let pair = gone.next().zip(come.next());
                steps.extend(pair.map(|((_, was), (_, is))| Step::Changed(was, is)));
            }
            false if is_gone => steps.extend(gone.next().map(|(_, was)| Step::Removed(was))),
            false => steps.extend(come.next().map(|(_, is)| Step::Added(is))),
        }
    }
    steps.extend(gone.map(|(_, was)| Step::Removed(was)));
    steps.extend(come.map(|(_, is)| Step::Added(is)));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(old: &str, new: &str) -> Vec<String> {
        let read = |text: &str| {
            let text = Text::new(text.as_bytes().to_vec());
            let end = text.bytes().len() as u32;
            read(&text, &(0..end), (&[], OwnNames::one(0)))
        };
        let first = |of: &Statement| of.lines[0].trim().to_owned();
        let said = align(read(old), read(new))
            .into_iter()
            .map(|step| match step {
                Step::Same(..) => "=".to_owned(),
                Step::Spaced(..) => "~".to_owned(),
                Step::Changed(was, is) => format!("{} -> {}", first(&was), first(&is)),
                Step::Removed(was) => format!("-{}", first(&was)),
                Step::Added(is) => format!("+{}", first(&is)),
            });
        said.collect()
    }

    #[test]
    fn statements_are_aligned_however_they_are_broken() {
        assert_eq!(
            steps("f(a,\n  b);\ng();\nh(1);\n", "f(a, b);\nx = 2;\nh(2);\n"),
            ["~", "-g();", "+x = 2;", "h(1); -> h(2);"]
        );
        assert_eq!(steps("a\n  .b()\n  .c()\n", "a.b().c()\n"), ["~"]);
        assert_eq!(
            steps("x = '('\ny = 1\n", "x = '('\ny = 2\n"),
            ["=", "y = 1 -> y = 2"]
        );
        assert_eq!(steps("a()\n", "a()\n\n"), ["="]);
        assert_eq!(steps("", "a()\n"), ["+a()"]);
        assert_eq!(steps("a(\n", "a(\nb\n"), ["a( -> a("]);
    }
}
