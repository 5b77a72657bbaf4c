//! Lines of a Makefile that begin, go on with or end a condition: `ifeq ($(A),b)`, `else ifdef C`, `endif`, and those of
//! Automake, `if NAME`.

use std::ops::Range;

/// What begins a condition.
const IFS: &[&[u8]] = byte_words!("if ifdef ifeq ifndef ifneq");

/// Such a line.
pub(super) struct Condition {
    /// What it asks, as a part of the line.
    asked: Range<usize>,
    /// Whether that is a name, not a text with references.
    is_name: bool,
}

impl Condition {
    /// Reads a line.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        let (mut word, mut rest) = first(text);
        let is_branch = word == b"else";
        if is_branch {
            (word, rest) = first(rest);
        }
        let asks = IFS.contains(&word);
        // `else: a` and `if = b` are none.
        let is_none = rest
            .trim_ascii_start()
            .first()
            .is_some_and(|b| b":=+?".contains(b));
        let is_end = word == b"endif" || is_branch && (word.is_empty() || word.starts_with(b"#"));
        (!is_none && (asks || is_end || is_branch)).then(|| Self {
            asked: match asks {
                true => text.len() - rest.len()..text.len(),
                false => text.len()..text.len(),
            },
            is_name: matches!(word, b"ifdef" | b"ifndef"),
        })
    }

    /// The names that it asks about, where the line begins at `start`.
    pub(super) fn names(&self, text: &[u8], start: usize) -> Vec<Range<usize>> {
        let asked = &text[self.asked.clone()];
        let from = start + self.asked.start;
        let is_part = |b: &&u8| b.is_ascii_alphanumeric() || b"_-.".contains(b);
        let name = |at: usize| {
            let len = asked[at..].iter().take_while(is_part).count();
            let begins = asked
                .get(at)
                .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
            (begins && len > 0).then_some(from + at..from + at + len)
        };
        if self.is_name {
            return name(asked.len() - asked.trim_ascii_start().len())
                .into_iter()
                .collect();
        }
        let references = memchr::memchr_iter(b'$', asked);
        let named = references.filter_map(|at| {
            let inner = asked.get(at + 2..)?;
            let call = inner.starts_with(b"call ").then_some(5);
            let found = name(at + 2 + call.unwrap_or(0))?;
            // A function's own name is none.
            let end = asked.get(found.end - from)?;
            let is_named = b")}:".contains(end) || call.is_some() && b", ".contains(end);
            (matches!(asked.get(at + 1), Some(b'(' | b'{')) && is_named).then_some(found)
        });
        named.collect()
    }
}

/// The first word of a text, and what follows it.
fn first(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii_start();
    let is_end = |b: &u8| b.is_ascii_whitespace() || b"(\":=".contains(b);
    text.split_at(text.iter().position(is_end).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_told_from_rules_and_variables() {
        for line in [
            "ifeq ($(A),b)",
            "  ifneq \"$(A)\" \"\"",
            "ifeq($(A),)",
            "else",
            "else # b",
            "else ifdef A",
            "endif # A",
            "if A",
        ] {
            assert!(Condition::read(line.as_bytes()).is_some(), "{line}");
        }
        for line in [
            "else: a",
            "if = b",
            "ifdefs = c",
            "endif: d",
            "include a",
            "",
            "else := c",
        ] {
            assert!(Condition::read(line.as_bytes()).is_none(), "{line}");
        }
    }
}
