//! The parts of a Markdown text that memories are made of: front matter, sections and list items.

use pulldown_cmark::{Event, MetadataBlockKind, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// A heading and what stands below it, down to the next heading of any level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section<'a> {
    /// Level of the heading, from 1; 0 for what stands before the first.
    pub level: u8,
    /// The heading without markup; empty for what stands before the first.
    pub title: String,
    /// What stands below, as written.
    pub body: &'a str,
    /// Line of the heading, from 1.
    pub line: usize,
}

/// An item of a list that is in no other list, with all that is in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item<'a> {
    /// Which of the sections it stands in. The title is not repeated here: a text may have a million items
    /// below a title of a megabyte.
    pub section: usize,
    /// What it says, as written, without the bullet.
    pub text: &'a str,
    /// Its line, from 1.
    pub line: usize,
}

/// A Markdown text, taken apart.
#[derive(Default)]
pub struct Parts<'a> {
    /// What the block at the start between lines of three hyphens holds.
    pub front: Option<&'a str>,
    /// All of it, by headings.
    pub sections: Vec<Section<'a>>,
    /// The outermost list items.
    pub items: Vec<Item<'a>>,
}

/// Takes a text apart.
pub fn parts(text: &str) -> Parts<'_> {
    let mut parts = Parts::default();
    let mut lines = Lines {
        text,
        at: 0,
        line: 1,
    };
    // Where each heading is, its level and title; what stands before the first is one without a title.
    let mut headings: Vec<(Range<usize>, u8, String, usize)> = vec![(0..0, 0, String::new(), 1)];
    let (mut in_heading, mut depth) = (false, 0usize);
    let events = Parser::new_ext(text, Options::ENABLE_YAML_STYLE_METADATA_BLOCKS);
    for (event, range) in events.into_offset_iter() {
        match event {
            Event::Start(Tag::MetadataBlock(MetadataBlockKind::YamlStyle)) => {
                parts.front.get_or_insert(&text[range.clone()]);
                headings[0].0 = range.end..range.end;
            }
            Event::Start(Tag::Heading { level, .. }) => {
                let line = lines.of(range.start);
                headings.push((range, level as u8, String::new(), line));
                in_heading = true;
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Text(said) | Event::Code(said) if in_heading => {
                if let Some((.., title, _)) = headings.last_mut() {
                    title.push_str(&said);
                }
            }
            Event::Start(Tag::List(_)) => depth += 1,
            Event::End(TagEnd::List(_)) => depth = depth.saturating_sub(1),
            Event::Start(Tag::Item) if depth == 1 => {
                let line = lines.of(range.start);
                parts.items.push(Item {
                    section: headings.len() - 1,
                    text: without_bullet(&text[range]),
                    line,
                });
            }
            _ => {}
        }
    }
    for (at, (range, level, title, line)) in headings.iter().enumerate() {
        let end = headings.get(at + 1).map_or(text.len(), |next| next.0.start);
        parts.sections.push(Section {
            level: *level,
            title: title.trim().to_owned(),
            body: text.get(range.end..end).unwrap_or_default().trim(),
            line: *line,
        });
    }
    parts
}

/// Counts lines up to places that come in order.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn of(&mut self, place: usize) -> usize {
        let passed = self.text.as_bytes().get(self.at..place).unwrap_or_default();
        self.line += passed.iter().filter(|b| **b == b'\n').count();
        self.at = self.at.max(place);
        self.line
    }
}

/// `- text`, `* text`, `12. text` without what makes it an item.
fn without_bullet(item: &str) -> &str {
    let item = item.trim();
    let digits = item.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &item[digits..];
    rest.strip_prefix(['-', '*', '+', '.', ')'])
        .unwrap_or(item)
        .trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_end_at_the_next_heading() {
        let parts = parts(
            "---\nstatus: accepted\n---\nbefore\n\n# `One`\n\ntext\n\n```\n# no heading\n```\n\nTwo\n---\nrest\n",
        );
        assert!(parts.front.unwrap().contains("status: accepted"));
        let sections: Vec<_> = parts
            .sections
            .iter()
            .map(|s| (s.level, s.title.as_str(), s.body, s.line))
            .collect();
        assert_eq!(
            sections,
            [
                (0, "", "before", 1),
                (1, "One", "text\n\n```\n# no heading\n```", 6),
                (2, "Two", "rest", 14),
            ]
        );
    }

    #[test]
    fn items_keep_what_is_in_them() {
        let parts = parts("# A\n\n## B\n- one\n  more\n  - inner\n- two\n\n# C\n1. three\n");
        let items: Vec<_> = parts
            .items
            .iter()
            .map(|i| (parts.sections[i.section].title.as_str(), i.text, i.line))
            .collect();
        assert_eq!(
            items,
            [
                ("B", "one\n  more\n  - inner", 4),
                ("B", "two", 7),
                ("C", "three", 10),
            ]
        );
    }
}
