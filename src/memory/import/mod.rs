//! Memories from elsewhere: what other tools and habits have written down, as claims to be made.
//!
//! A source is text and nothing else; reading files and notes, and turning a [`Draft`] into an event at
//! a commit, is done outside. What is not taken is listed with the reason, so that nothing is lost in
//! silence.

pub mod adr;
pub mod journal;
pub mod markdown;
pub mod own;
pub mod rules;

use super::event::Kind;
use crate::limits::MAX_MEMORY_TEXT;

/// A claim that somebody made elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// What sort of thing.
    pub kind: Kind,
    /// What it says; not empty, and as long as a memory may be.
    pub text: String,
    /// Paths and symbol ids that it is about, as written; they need not exist.
    pub targets: Vec<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Whether it should be known before anything else.
    pub core: bool,
    /// The commit from which on it holds, as written; without one it is up to who imports.
    pub pin: Option<String>,
    /// The line of the source that it begins at, from 1.
    pub line: usize,
}

/// Something of a source that became no draft.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Left {
    /// The line of the source, from 1.
    pub line: usize,
    /// Why, to be read after "line 3: ".
    pub reason: String,
}

/// What a source holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Drafts {
    /// In the order of the source.
    pub drafts: Vec<Draft>,
    /// What was not taken.
    pub left: Vec<Left>,
}

impl Drafts {
    fn leave(&mut self, line: usize, reason: impl Into<String>) {
        let reason = reason.into();
        self.left.push(Left { line, reason });
    }

    /// Takes a draft, if a memory can say it.
    fn take(&mut self, draft: Draft) {
        let line = draft.line;
        if draft.text.trim().is_empty() {
            self.leave(line, "it says nothing");
        } else if draft.text.len() > MAX_MEMORY_TEXT {
            let (is, may) = (draft.text.len(), MAX_MEMORY_TEXT);
            self.leave(
                line,
                format!("it has {is} bytes, and a memory at most {may}"),
            );
        } else {
            self.drafts.push(draft);
        }
    }
}

/// Makes a word to find things by of what somebody wrote: letters and digits, parted by hyphens.
fn tag(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let mut tag = String::new();
    for part in parts {
        if tag.len() + part.len() >= super::text::MAX_WORD {
            break;
        }
        if !tag.is_empty() {
            tag.push('-');
        }
        tag.push_str(part);
    }
    (!tag.is_empty()).then_some(tag)
}

/// The text without what no memory may hold: control characters but line breaks and tabs.
fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let kept = text.chars().filter(|c| !super::text::is_forbidden(*c));
    kept.collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_a_word() {
        assert_eq!(
            tag("Error handling & logs").as_deref(),
            Some("error-handling-logs")
        );
        assert_eq!(tag("  ... "), None);
        assert!(tag(&"long words ".repeat(30)).unwrap().len() < super::super::text::MAX_WORD);
    }

    #[test]
    fn what_is_too_long_is_left_with_the_reason() {
        let mut drafts = Drafts::default();
        let draft = |text: String| Draft {
            kind: Kind::Fact,
            text,
            targets: Vec::new(),
            tags: Vec::new(),
            core: false,
            pin: None,
            line: 7,
        };
        drafts.take(draft("x".repeat(MAX_MEMORY_TEXT)));
        drafts.take(draft("x".repeat(MAX_MEMORY_TEXT + 1)));
        drafts.take(draft(" \n".to_owned()));
        assert_eq!(drafts.drafts.len(), 1);
        assert_eq!(
            drafts.left.iter().map(|left| left.line).collect::<Vec<_>>(),
            [7, 7]
        );
    }
}
