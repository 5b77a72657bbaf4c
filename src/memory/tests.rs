//! What strangers may write: events, stubs and sources of memories, from well-formed ones with damage to
//! lines in any order, are read without harm, and what is accepted keeps to the rules.

use super::date::Date;
use super::event::{Body, By, Event, Pin};
use super::import::adr::record;
use super::import::journal::journal;
use super::import::own::export;
use super::import::rules::rules;
use super::import::{Drafts, markdown};
use super::text::{self, decode, decode_stub, encode, encode_stub};
use crate::id::{CommitId, TreeId};
use crate::limits::MAX_MEMORY_LINES;
use gix::ObjectId;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeSet;

const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;

/// The events and the stub of the format's golden vectors.
const SAMPLES: [&str; 6] = [
    include_str!("../../format-spec/vectors/memory-assert.txt"),
    include_str!("../../format-spec/vectors/memory-amend.txt"),
    include_str!("../../format-spec/vectors/memory-end.txt"),
    include_str!("../../format-spec/vectors/memory-repin.txt"),
    include_str!("../../format-spec/vectors/memory-redact.txt"),
    include_str!("../../format-spec/vectors/memory-amend-redacted.txt"),
];

/// Puts bytes in the place of others: damage, truncation, repetition.
fn damaged(whole: &[u8], edits: &[(Index, Index, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for (from, to, new) in edits {
        let (from, to) = (from.index(bytes.len() + 1), to.index(bytes.len() + 1));
        // Damage is mostly small.
        let to = to.clamp(from, (from + new.len() + 2).min(bytes.len()).max(from));
        bytes.splice(from..to, new.iter().copied());
    }
    bytes
}

fn edits() -> impl Strategy<Value = Vec<(Index, Index, Vec<u8>)>> {
    let new = prop_oneof![
        vec(any::<u8>(), 0..4),
        select(vec![
            "\n",
            "\n\n",
            " ",
            "core\n",
            "\"",
            "\\777",
            "\\",
            "é",
            "\u{1b}[2J"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    vec((any::<Index>(), any::<Index>(), new), 1..4)
}

#[test]
fn samples_are_well_formed() {
    for sample in SAMPLES {
        let bytes = sample.as_bytes();
        assert!(decode(bytes, SHA1).is_ok() || decode_stub(bytes, SHA1).is_ok());
    }
}

/// Whatever is accepted is what its own spelling says.
fn read_back(bytes: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(event) = decode(bytes, SHA1) {
        let again = encode(&event);
        prop_assert_eq!(again.as_bytes(), bytes);
        prop_assert!(!event.text.chars().any(text::is_forbidden));
    }
    if let Ok(stub) = decode_stub(bytes, SHA1) {
        let again = encode_stub(&stub);
        prop_assert_eq!(again.as_bytes(), bytes);
    }
    let _ = decode(bytes, gix::hash::Kind::Sha256);
    Ok(())
}

/// Header lines of events, right and wrong.
fn lines() -> impl Strategy<Value = String> {
    let id = "1122334455667788990011223344556677889900";
    let word = select(vec![
        "kind",
        "pin",
        "pin-tree",
        "pin-patch",
        "pin-date",
        "pin-subject",
        "symbol",
        "path",
        "tag",
        "core",
        "replaces",
        "again",
        "closes",
        "old",
        "new",
        "how",
        "redacts",
        "author",
        "tool",
        "date",
        "",
        "sverklo",
    ]);
    let value = prop_oneof![
        4 => select(vec![
            id.to_owned(),
            format!("a {id}"),
            format!("\"a\\n\\\"\\377\" {id}"),
            format!("../a {id}"),
            "a::b#function 00000000000000ff".to_owned(),
            "decision".to_owned(),
            "squash".to_owned(),
            "2026-11-22T18:25:07+01:00".to_owned(),
            "9999-99-99T99:99:99-99:99".to_owned(),
            "A <a@b>".to_owned(),
            String::new(),
        ]),
        1 => "\\PC{0,12}",
        1 => "[\"\\\\0-9 a-f\u{e9}]{0,12}",
    ];
    (word, value).prop_map(|(word, value)| match value.is_empty() {
        true => word.to_owned(),
        false => format!("{word} {value}"),
    })
}

proptest! {
    #[test]
    fn damaged_events_are_read_without_harm(sample in select(&SAMPLES[..]), edits in edits()) {
        read_back(&damaged(sample.as_bytes(), &edits))?;
    }

    /// Each of these says the same as a well-formed event or stub, or more, or less.
    #[test]
    fn lines_that_are_moved_repeated_or_left_out_are_noticed(
        sample in select(&SAMPLES[..]),
        edits in vec((any::<Index>(), any::<Index>(), 0..5, lines()), 1..3),
    ) {
        let mut all: Vec<String> = sample.lines().map(str::to_owned).collect();
        for (from, to, what, new) in edits {
            let (from, to) = (from.index(all.len()), to.index(all.len()));
            match what {
                0 => all.swap(from, to),
                1 => all.insert(to, all[from].clone()),
                2 => all.insert(to, new),
                3 => all[from].make_ascii_uppercase(),
                _ => all[from].push(' '),
            }
        }
        read_back((all.join("\n") + "\n").as_bytes())?;
    }

    #[test]
    fn lines_in_any_order_are_read_without_harm(
        what in select(vec!["assert", "amend", "end", "repin", "redact", "redacted assert", "redacted end", "x"]),
        lines in vec(lines(), 0..16),
        text in "(\n\\PC{0,20}\n?)?",
    ) {
        let header = lines.join("\n");
        read_back(format!("sverklo memory 1\n{what}\n{header}\n{text}").as_bytes())?;
    }
}

/// Parts of Markdown that mean something to who reads decisions and rules.
fn markdown_text() -> impl Strategy<Value = String> {
    let known = select(vec![
        "# 7. Use SQLite",
        "## Status",
        "Accepted",
        "Status: accepted",
        "status: rejected",
        "## Decision",
        "### Inside",
        "Under",
        "---",
        "===",
        "- Never do this again",
        "  - inner one here",
        "12. one two three",
        "\t* a b c",
        "```",
        "~~~sh",
        "> - quoted item here",
        "",
        "",
        "<!-- x -->",
        "| a | b |",
        "[a]: b",
        "* * *",
        "- ",
        "1)",
        "\u{feff}# A",
        "a\u{1b}[2J b \u{7} c",
        "- \u{202e}x y z",
        "    - four spaces in",
        "# `code` *and* [link](x)",
    ]);
    let line = prop_oneof![6 => known.prop_map(str::to_owned), 1 => "\\PC{0,20}", 1 => ".{0,8}"];
    let end = select(vec!["\n", "\n", "\r\n", "\r"]);
    vec((line, end), 0..24)
        .prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect())
}

/// Lines of a journal, an operation each.
fn journal_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        5 => (select(vec!["remember", "forget", "invalidate", "promote", "x"]), -2_i64..4, ".{0,20}", vec(".{0,9}", 0..3), any::<bool>())
            .prop_map(|(op, id, content, tags, core)| {
                let tier = if core { "core" } else { "archive" };
                serde_json::json!({
                    "op": op, "id": id, "content": content, "tags": tags, "tier": tier, "new_tier": tier,
                    "category": "decision", "git_sha": content, "related_files": tags,
                })
                .to_string()
            }),
        1 => Just(r#"{"op":"remember","id":1e99}"#.to_owned()),
        1 => Just("[".repeat(2000)),
        1 => ".{0,20}",
    ];
    vec(line, 0..8).prop_map(|lines| lines.join("\n"))
}

/// Whatever becomes a draft can be stored as it is, and what is left is left with a reason.
fn storable(source: &str, drafts: &Drafts) -> Result<(), TestCaseError> {
    let id = ObjectId::null(SHA1);
    for draft in &drafts.drafts {
        prop_assert!(draft.line >= 1 && draft.line <= source.len() + 1);
        let event = Event {
            body: Body::Claim {
                kind: draft.kind,
                pin: Pin {
                    commit: CommitId::new(id),
                    tree: TreeId::new(id),
                    patch: None,
                    date: Date::new(0, 0),
                    subject: String::new(),
                },
                targets: BTreeSet::new(),
                tags: draft.tags.iter().take(MAX_MEMORY_LINES).cloned().collect(),
                core: draft.core,
                replaces: BTreeSet::new(),
                again: BTreeSet::new(),
            },
            by: By {
                name: "A".to_owned(),
                mail: "a@b".to_owned(),
                tool: "import".to_owned(),
                date: Date::new(0, 0),
            },
            text: draft.text.clone(),
        };
        prop_assert_eq!(decode(encode(&event).as_bytes(), SHA1), Ok(event));
    }
    prop_assert!(
        drafts
            .left
            .iter()
            .all(|left| left.line >= 1 && !left.reason.is_empty())
    );
    Ok(())
}

proptest! {
    #[test]
    fn any_markdown_is_taken_apart(source in markdown_text()) {
        storable(&source, &rules(&source))?;
        storable(&source, &record("docs/adr/0001-x.md", &source))?;
        let parts = markdown::parts(&source);
        for section in &parts.sections {
            prop_assert!(source.contains(section.body));
        }
        for item in &parts.items {
            prop_assert!(source.contains(item.text));
        }
    }

    #[test]
    fn any_journal_is_read(source in journal_text(), edits in edits()) {
        storable(&source, &journal(&source))?;
        let source = damaged(source.as_bytes(), &edits);
        let source = String::from_utf8_lossy(&source);
        storable(&source, &journal(&source))?;
    }

    #[test]
    fn any_export_is_read(
        memories in vec((".{0,12}", vec(".{0,9}", 0..3), any::<bool>(), select(vec!["holds", "", "ended"])), 0..4),
        edits in edits(),
    ) {
        let memories: Vec<_> = memories
            .into_iter()
            .map(|(text, words, core, state)| serde_json::json!({
                "kind": "rule", "text": text, "targets": words, "tags": words, "core": core, "pin": text, "state": state,
            }))
            .collect();
        let source = serde_json::json!({ "memories": memories }).to_string();
        storable(&source, &export(&source))?;
        let source = damaged(source.as_bytes(), &edits);
        let source = String::from_utf8_lossy(&source);
        storable(&source, &export(&source))?;
    }
}
