//! Architecture decision records: a file of Markdown for each decision, as Michael Nygard described them
//! in 2011, or by the MADR template.
//!
//! Taken is what was decided and holds. A record that is only proposed, or was rejected, deprecated or
//! superseded, is left: its status says what became of it, but not from which commit on.

use super::markdown::{Section, parts};
use super::{Draft, Drafts, clean};
use crate::limits::MAX_MEMORY_TEXT;
use crate::memory::event::Kind;

/// Titles of the section that says what was decided.
const DECISION: [&str; 3] = ["decision", "decision outcome", "decisions"];
/// First words of a status of what holds.
const HOLDS: &[&str] = words!("accepted approved adopted implemented done active");

/// Whether a file may be a record, by its path: Markdown in a folder that is called for them, or with
/// a number before its name (`0007-use-sqlite.md`).
pub fn is_record(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let in_folder = folder.split('/').any(|part| {
        matches!(
            part.to_ascii_lowercase().as_str(),
            "adr" | "adrs" | "decisions" | "decision-records" | "architecture-decisions"
        )
    });
    let stem = name.strip_suffix(".md").or(name.strip_suffix(".markdown"));
    let Some(stem) = stem.map(str::to_ascii_lowercase) else {
        return false;
    };
    let digits = stem.strip_prefix("adr-").unwrap_or(&stem);
    let digits = digits.bytes().take_while(u8::is_ascii_digit).count();
    let is_about_records = matches!(
        stem.as_str(),
        "readme" | "index" | "template" | "adr-template"
    );
    in_folder && !is_about_records && !stem.contains("template") || digits >= 3
}

/// The decision that a record tells of; `path` is what it will be about.
pub fn record(path: &str, text: &str) -> Drafts {
    let mut drafts = Drafts::default();
    let parts = parts(text);
    let title = parts.sections.iter().find(|section| section.level == 1);
    let section = |titles: &[&str]| {
        let wanted = |s: &&Section<'_>| titles.contains(&s.title.to_lowercase().as_str());
        parts.sections.iter().find(wanted)
    };
    let status = status(parts.front, section(&["status"]).map(|s| s.body), text);
    let first = status
        .split(|c: char| !c.is_alphanumeric())
        .find(|w| !w.is_empty());
    if let Some(first) = first.filter(|word| !HOLDS.contains(&word.to_lowercase().as_str())) {
        drafts.leave(1, format!("its status is {first:?}"));
        return drafts;
    }
    let Some(decision) = section(&DECISION) else {
        drafts.leave(1, "it has no section \"Decision\"");
        return drafts;
    };
    let mut said = String::new();
    if let Some(title) = title {
        said = format!("{}\n\n", without_number(&title.title));
    }
    said.push_str(decision.body);
    // The section and what is below it, by deeper headings.
    let at = parts
        .sections
        .iter()
        .position(|section| section == decision);
    let inner = parts.sections[at.map_or(0, |at| at + 1)..].iter();
    for inner in inner.take_while(|inner| inner.level > decision.level) {
        said.push_str(&format!("\n\n{}\n{}", inner.title, inner.body));
    }
    drafts.take(Draft {
        kind: Kind::Decision,
        text: shortened(&clean(&said)),
        targets: vec![path.to_owned()],
        tags: vec!["adr".to_owned()],
        core: false,
        pin: None,
        line: title.map_or(decision.line, |title| title.line),
    });
    drafts
}

/// What a record says of itself: in its front matter, in a section, or in a line `Status: ...`. Empty if
/// nothing.
fn status(front: Option<&str>, section: Option<&str>, text: &str) -> String {
    let named = |text: &str| {
        let mut lines = text.lines();
        lines.find_map(|line| {
            let line = line.trim_start_matches(|c: char| "*-+_ ".contains(c));
            let (key, value) = line.split_once(':')?;
            let key = key.trim_end_matches(['*', '_', ' ']);
            key.eq_ignore_ascii_case("status").then(|| value.to_owned())
        })
    };
    let of_front = front.and_then(named);
    let of_section = || section.map(|body| body.lines().next_back().unwrap_or_default().to_owned());
    of_front
        .or_else(of_section)
        .or_else(|| named(text))
        .unwrap_or_default()
}

/// `7. Use SQLite` and `ADR-7: Use SQLite` without the number.
fn without_number(title: &str) -> &str {
    let rest = title
        .strip_prefix("ADR")
        .or(title.strip_prefix("adr"))
        .unwrap_or(title)
        .trim_start_matches(['-', ' ', '#']);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    match rest[digits..].strip_prefix(['.', ':', ')', '-']) {
        Some(rest) if digits > 0 => rest.trim(),
        _ => title.trim(),
    }
}

/// As much of a text as a memory can hold, whole paragraphs if there are any.
fn shortened(text: &str) -> String {
    let Some(head) = (text.len() > MAX_MEMORY_TEXT).then(|| {
        let mut end = MAX_MEMORY_TEXT - "\n...".len();
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        &text[..end]
    }) else {
        return text.to_owned();
    };
    let end = head
        .rfind("\n\n")
        .or(head.rfind('\n'))
        .unwrap_or(head.len());
    format!("{}\n...", &head[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_known_by_its_path() {
        for path in [
            "docs/adr/use-sqlite.md",
            "doc/0007-use-sqlite.md",
            "decisions/ADR-012.md",
        ] {
            assert!(is_record(path), "{path}");
        }
        for path in *words!("docs/adr/README.md docs/adr/template.md docs/adr/a.png 2-fast.md") {
            assert!(!is_record(path), "{path}");
        }
    }

    #[test]
    fn what_was_decided_is_taken() {
        let text = "# 7. Use SQLite\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nWe need a store.\n\n## Decision\n\nWe keep everything in SQLite.\n\n### Details\n\nOne file.\n\n## Consequences\n\nNone.\n";
        let found = record("docs/adr/0007-use-sqlite.md", text);
        assert_eq!(found.left, []);
        let draft = &found.drafts[0];
        assert_eq!(draft.kind, Kind::Decision);
        assert_eq!(
            draft.text,
            "Use SQLite\n\nWe keep everything in SQLite.\n\nDetails\nOne file."
        );
        assert_eq!(draft.targets, ["docs/adr/0007-use-sqlite.md"]);
    }

    #[test]
    fn madr_records_have_their_status_in_front() {
        let text =
            "---\nstatus: accepted\n---\n# Use Redis\n\n## Decision Outcome\n\nChosen: Redis.\n";
        assert_eq!(
            record("a", text).drafts[0].text,
            "Use Redis\n\nChosen: Redis."
        );
        let text = text.replace("accepted", "\"rejected\"");
        assert_eq!(record("a", &text).drafts, []);
    }

    #[test]
    fn what_does_not_hold_is_left_with_its_status() {
        for status in ["Proposed", "Superseded by [9](0009.md)", "Deprecated"] {
            let text = format!("# X\n\n## Status\n\nAccepted\n\n{status}\n\n## Decision\n\nY\n");
            let found = record("a", &text);
            assert_eq!(found.drafts, [], "{status}");
            assert!(
                found.left[0].reason.starts_with("its status is"),
                "{:?}",
                found.left
            );
        }
        assert!(
            record("a", "# X\n\ntext\n").left[0]
                .reason
                .contains("no section")
        );
    }

    #[test]
    fn a_long_decision_ends_with_a_paragraph() {
        let text = format!(
            "# X\n\n## Decision\n\n{}",
            "A paragraph of words.\n\n".repeat(1000)
        );
        let found = record("a", &text);
        assert!(found.drafts[0].text.ends_with("words.\n..."));
        assert!(found.drafts[0].text.len() <= MAX_MEMORY_TEXT);
    }
}
