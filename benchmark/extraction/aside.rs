//! What ctags calls a definition and is none, or is one that nobody looks for.
//!
//! The rules look at what ctags says and at the text, never at what is recorded, and no rule knows a file.

use super::kinds::Language;
use super::tags::Tag;
use std::ops::Range;

/// The tags of the kinds that are compared.
pub fn of_kinds<'t>(language: &Language, tags: &'t [Tag]) -> impl Iterator<Item = &'t Tag> {
    tags.iter()
        .filter(|tag| language.kinds.contains(&tag.kind.as_str()))
}

/// What is set aside, by rules.
pub struct Aside<'t> {
    language: &'t Language,
    all: &'t [Tag],
    lines: &'t [&'t str],
    /// Names with their lines, or without where clauses of one function are told one by one.
    told: std::collections::BTreeSet<(&'t str, u32)>,
    /// Lines, from 1, that begin within something, and in what.
    within: Vec<(Range<u32>, &'static str)>,
}

impl<'t> Aside<'t> {
    /// The rules for the tags of one file.
    pub fn new(language: &'t Language, all: &'t [Tag], lines: &'t [&'t str]) -> Self {
        Self {
            language,
            all,
            lines,
            told: std::collections::BTreeSet::new(),
            within: {
                let texts = texts(language, lines).into_iter();
                let mut within: Vec<_> = texts.map(|lines| (lines, "in a text")).collect();
                within.extend((language.within)(lines));
                within
            },
        }
    }

    /// Why a tag does not count. Tags are asked about in order.
    pub fn reason(&mut self, tag: &'t Tag) -> Option<&'static str> {
        let line = self.line(tag.line);
        let text = line.trim_start();
        let language = self.language;
        if language.comments.iter().any(|mark| text.starts_with(mark)) {
            // ctags took the end of a text or of another comment for the end of this one.
            return Some("in a comment");
        }
        let mut within = self.within.iter();
        if let Some((_, why)) = within.find(|(lines, _)| lines.contains(&tag.line)) {
            return Some(why);
        }
        if !self.is_written(tag) {
            // `Companion`, what `attr_accessor` and macros make: the name is ctags' own.
            return Some("its name is not there");
        }
        if KEYWORDS.contains(&tag.name.as_str()) {
            // `else if (x) {` read as a function that is called `if`.
            return Some("a keyword");
        }
        if let Some(rule) = language.aside.iter().find(|rule| (rule.is)(tag, line)) {
            return Some(rule.why);
        }
        if self.is_local(tag) {
            return Some("local");
        }
        let at = if language.clauses { 0 } else { tag.line };
        if !self.told.insert((&tag.name, at)) {
            // Twice in one line as two kinds, or the next clause of the same function.
            return Some("told before");
        }
        None
    }

    fn line(&self, line: u32) -> &'t str {
        let at = (line as usize).checked_sub(1);
        at.and_then(|at| self.lines.get(at))
            .copied()
            .unwrap_or_default()
    }

    /// Whether a name is written within two lines.
    fn is_written(&self, tag: &Tag) -> bool {
        let is_between = |c: char| !(c.is_alphanumeric() || c == '_');
        let mut words = tag.name.rsplit(is_between);
        let word = words.find(|part| !part.is_empty()).unwrap_or(&tag.name);
        let at = (tag.line as usize).saturating_sub(1);
        let near = self
            .lines
            .get(at.saturating_sub(2)..self.lines.len().min(at + 3));
        near.unwrap_or_default()
            .iter()
            .any(|line| line.contains(word))
    }

    /// Whether something stands in a function.
    fn is_local(&self, tag: &Tag) -> bool {
        let is_function = |kind: &str| self.language.functions.contains(&kind);
        is_function(&tag.scope_kind)
            || self.all.iter().any(|other| {
                is_function(&other.kind) && other.line < tag.line && tag.line <= other.end
            })
    }
}

/// The lines that begin within a text of several lines.
fn texts(language: &Language, lines: &[&str]) -> Vec<Range<u32>> {
    let mut found = Vec::new();
    let mut open: Option<(&str, u32)> = None;
    for (line, number) in lines.iter().zip(1..) {
        let mut rest = *line;
        loop {
            match open {
                Some((mark, from)) => {
                    let Some(at) = rest.find(mark) else { break };
                    found.push(from + 1..number + 1);
                    rest = &rest[at + mark.len()..];
                    open = None;
                }
                None => {
                    let mut marks = language.texts.iter();
                    let Some(mark) = marks.find(|mark| rest.contains(**mark)) else {
                        break;
                    };
                    let at = rest.find(mark).unwrap_or_default();
                    rest = &rest[at + mark.len()..];
                    open = Some((mark, number));
                }
            }
        }
    }
    found
}

/// Words that are no names in any of the languages that have blocks in braces.
const KEYWORDS: &[&str] = &["catch", "else", "for", "if", "return", "switch", "while"];

/// A rule of one language.
pub struct Rule {
    /// Why what it is about does not count.
    pub why: &'static str,
    /// Whether it is about a tag, by what ctags says and its line.
    pub is: fn(&Tag, &str) -> bool,
}

/// A rule of one language.
pub const fn rule(why: &'static str, is: fn(&Tag, &str) -> bool) -> Rule {
    Rule { why, is }
}

/// Whether a word stands in a text, not as a part of another.
pub fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

/// What follows a name where it stands first in a line.
pub fn after<'l>(line: &'l str, name: &str) -> &'l str {
    line.find(name).map_or("", |at| &line[at + name.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_lines() {
        let elixir = &super::super::kinds::chosen(&["elixir".to_owned()]).unwrap()[0];
        let lines = [
            "a",
            "@doc \"\"\"",
            "def b",
            "\"\"\"",
            "def c",
            "~s''' d '''",
        ];
        assert_eq!(texts(elixir, &lines), [3..5, 7..7]);
    }

    #[test]
    fn a_word_is_no_part_of_another() {
        assert!(has_word("export class A", "class"));
        assert!(!has_word("subclass A", "class"));
        assert_eq!(after("res.get = f", "res"), ".get = f");
    }
}
