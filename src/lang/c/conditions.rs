//! Conditions of the preprocessor around a part of a statement: `#ifdef A`, `} else {`, `#endif`.
//!
//! A grammar wants whole statements between two directives, and takes the rest of the function, or of the file, for a part
//! of something else. Where a file has errors, it is parsed again as one reading of it goes: without those directives, and of
//! alternatives with the first, or with what is for this language (`__cplusplus`); what the others name is recorded as
//! names that are read.

use super::macro_tokens::{Token, is_part};
use std::ops::Range;

/// A condition that is open.
struct Open {
    /// Its directives, `#endif` left out.
    directives: Vec<Range<usize>>,
    /// The braces of each branch, of what is in it the first branches alone.
    branches: Vec<Braces>,
    /// Whether parentheses are open around it.
    is_in_parentheses: bool,
    /// The branch that is kept; none of them where it is one behind the last.
    kept: usize,
    /// Whether a branch says how what follows is linked, and nothing else.
    has_extern: bool,
    /// Whether a branch is a part of what a constructor begins with: it begins with `: a(b)` or `, c(d)`, or stands
    /// behind `A() :`.
    goes_on: bool,
}

/// How braces open and close in a stretch.
#[derive(Clone, Copy, Default)]
struct Braces {
    net: i32,
    least: i32,
}

impl Braces {
    fn add(&mut self, more: Self) {
        self.least = self.least.min(self.net + more.least);
        self.net += more.net;
    }

    fn is_balanced(self) -> bool {
        self.net == 0 && self.least == 0
    }
}

/// The stretches of a file that are left out of such a reading, in order and apart; none where every condition stands
/// around whole statements. `directives` are all of a file, which is C++ or C.
pub(super) fn left_out(
    bytes: &[u8],
    (tokens, directives): (&[Token], &[Range<usize>]),
    is_cpp: bool,
) -> Vec<Range<usize>> {
    let mut left_out = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let (mut at, mut parentheses) = (0, 0_i32);
    for directive in directives {
        while let Some(token) = tokens
            .get(at)
            .filter(|token| token.bytes.start < directive.start)
        {
            let (net, round) = match bytes[token.bytes.start] {
                b'{' => (1, 0),
                b'}' => (-1, 0),
                b'(' => (0, 1),
                b')' => (0, -1),
                _ => (0, 0),
            };
            parentheses = (parentheses + round).max(0);
            if net > 0 {
                // A parenthesis that is open still was never closed: few expressions hold braces.
                parentheses = 0;
            }
            if let Some(open) = open.last_mut() {
                let begin = open.directives.last().map_or(0, |begin| begin.end);
                let is_first = at == 0 || tokens[at - 1].bytes.start < begin;
                let is_last =
                    (tokens.get(at + 1)).is_none_or(|next| next.bytes.start > directive.start);
                open.has_extern |= is_first && is_last && bytes[token.bytes.clone()] == *b"extern";
                let is_colon = |at: usize| {
                    let token = tokens.get(at);
                    token.is_some_and(|token| bytes[token.bytes.clone()] == *b":")
                };
                open.goes_on |= is_first
                    && (bytes[token.bytes.start] == b',' || is_colon(at) && !is_colon(at + 1));
                if let Some(braces) = open.branches.last_mut() {
                    braces.add(Braces {
                        net,
                        least: net.min(0),
                    });
                }
            }
            at += 1;
        }
        let (word, condition) = parts(&bytes[directive.clone()]);
        match word {
            b"if" | b"ifdef" | b"ifndef" => open.push(Open {
                directives: vec![directive.clone()],
                branches: vec![Braces::default()],
                is_in_parentheses: parentheses > 0,
                kept: usize::from(match condition {
                    b"0" => true,
                    b"__cplusplus" | b"defined(__cplusplus)" | b"defined __cplusplus" => {
                        is_cpp == (word == b"ifndef")
                    }
                    _ => false,
                }),
                has_extern: false,
                goes_on: at > 1
                    && is_cpp
                    && bytes[tokens[at - 1].bytes.clone()] == *b":"
                    && bytes[tokens[at - 2].bytes.clone()] == *b")",
            }),
            b"else" | b"elif" | b"elifdef" | b"elifndef" => {
                if let Some(open) = open.last_mut() {
                    open.directives.push(directive.clone());
                    open.branches.push(Braces::default());
                }
            }
            b"endif" => {
                let Some(closed) = open.pop() else { continue };
                let kept = closed.kept;
                if let Some(braces) = open.last_mut().and_then(|open| open.branches.last_mut()) {
                    braces.add(closed.branches.get(kept).copied().unwrap_or_default());
                }
                let is_whole = closed.branches.iter().all(|braces| braces.is_balanced());
                if is_whole && !closed.is_in_parentheses && !closed.has_extern && !closed.goes_on {
                    continue;
                }
                let ends = closed.directives.iter().skip(1).chain([directive]);
                for (branch, (begin, end)) in closed.directives.iter().zip(ends).enumerate() {
                    left_out.push(match branch == kept {
                        true => begin.clone(),
                        false => begin.start..end.start,
                    });
                }
                left_out.push(directive.clone());
            }
            _ => {}
        }
    }
    // What stands in a branch that is left out is left out once.
    left_out.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    left_out.retain(|range| {
        let is_apart = range.start >= end;
        end = end.max(range.end);
        is_apart
    });
    left_out
}

/// The names in the condition of a directive.
pub(super) fn names(bytes: &[u8], directive: &Range<usize>) -> Vec<Range<usize>> {
    let text = &bytes[directive.clone()];
    let mut names = Vec::new();
    let mut at = word(text).end;
    while at < text.len() {
        let len = text[at..].iter().take_while(|byte| is_part(**byte)).count();
        let name = &text[at..at + len];
        if len > 0 && !name[0].is_ascii_digit() && name != b"defined" {
            names.push(directive.start + at..directive.start + at + len);
        }
        at += len.max(1);
    }
    names
}

/// The word of a directive and what follows it.
fn parts(directive: &[u8]) -> (&[u8], &[u8]) {
    let word = word(directive);
    (&directive[word.clone()], directive[word.end..].trim_ascii())
}

/// Where the word of a directive stands.
fn word(directive: &[u8]) -> Range<usize> {
    let is_before = |byte: &u8| *byte == b'#' || byte.is_ascii_whitespace();
    let start = directive.iter().take_while(|byte| is_before(byte)).count();
    let len = directive[start..]
        .iter()
        .take_while(|byte| is_part(**byte))
        .count();
    start..start + len
}

#[cfg(test)]
mod tests {
    use super::super::macro_tokens::tokens_and_directives;
    use super::*;

    #[test]
    fn conditions_in_conditions_are_left_out_once() {
        const DEEP: usize = 2000;
        for begin in ["#if 0\n{\n", "#if 0\n#else\n{\n", "#ifdef __cplusplus\n{\n"] {
            let source = begin.repeat(DEEP) + &"#endif\n".repeat(DEEP);
            let (tokens, directives) = tokens_and_directives(source.as_bytes());
            let out = left_out(source.as_bytes(), (&tokens, &directives), false);
            let bytes: usize = out.iter().map(Range::len).sum();
            assert!(bytes > DEEP && bytes <= source.len(), "{begin}: {bytes}");
            assert!(out.is_sorted_by(|a, b| a.end <= b.start), "{begin}");
        }
    }
}
