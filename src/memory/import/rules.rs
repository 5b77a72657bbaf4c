//! Rules for agents: the list items of `CLAUDE.md`, `AGENTS.md` and the like.
//!
//! Each outermost item is one rule, with what is in it; the heading above it becomes a tag. Prose between
//! lists explains, and is left where it is.

use super::markdown::parts;
use super::{Draft, Drafts, clean, tag};
use crate::memory::event::Kind;

/// An item of fewer words is a title, a link or a file name.
const LEAST_WORDS: usize = 3;

/// The rules of a file.
pub fn rules(text: &str) -> Drafts {
    let mut drafts = Drafts::default();
    let parts = parts(text);
    let titles: Vec<Option<String>> = parts.sections.iter().map(|s| tag(&s.title)).collect();
    for item in parts.items {
        let text = clean(item.text);
        if text.split_whitespace().count() < LEAST_WORDS {
            drafts.leave(item.line, format!("fewer than {LEAST_WORDS} words"));
            continue;
        }
        drafts.take(Draft {
            kind: Kind::Rule,
            text,
            targets: Vec::new(),
            tags: titles[item.section].clone().into_iter().collect(),
            core: false,
            pin: None,
            line: item.line,
        });
    }
    if drafts == Drafts::default() {
        drafts.leave(1, "it has no lists");
    }
    drafts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_a_rule() {
        let found = rules(
            "# Rules\n\nSome prose.\n\n## Error handling\n\n- Never unwrap outside tests\n  - not even once\n- src/a.rs\n\n```\n- no item at all here\n```\n",
        );
        let drafts: Vec<_> = found
            .drafts
            .iter()
            .map(|d| (d.text.as_str(), d.tags.join(","), d.line))
            .collect();
        assert_eq!(
            drafts,
            [(
                "Never unwrap outside tests\n  - not even once",
                "error-handling".to_owned(),
                7
            )]
        );
        assert_eq!(found.left.len(), 1);
        // Once for the text and not for each item: that would be 4 GB.
        let long = format!(
            "# {}\n\n{}",
            "a ".repeat(200_000),
            "- one two three\n".repeat(10_000)
        );
        assert_eq!(rules(&long).drafts.len(), 10_000);
        assert_eq!(rules("only prose").left[0].reason, "it has no lists");
    }
}
