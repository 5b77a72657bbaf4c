//! `memories.jsonl`, the journal that sverklo writes beside its database: one operation a line.
//!
//! What was forgotten or is no longer valid at the end of the journal is left: the journal numbers
//! memories per database, so an end could not be told from that of somebody else's memory.

use super::{Draft, Drafts, clean, tag};
use crate::memory::event::Kind;
use serde::Deserialize;
use std::collections::BTreeMap;

/// One line of the journal; keys that are not here do not matter.
#[derive(Deserialize)]
struct Line {
    op: String,
    id: i64,
    content: Option<String>,
    category: Option<String>,
    tags: Option<Vec<String>>,
    git_sha: Option<String>,
    related_files: Option<Vec<String>>,
    tier: Option<String>,
    new_tier: Option<String>,
}

/// What the journal says of one memory in the end.
enum End {
    Holds(Draft),
    Over(&'static str, usize),
}

/// The memories that hold at the end of a journal.
pub fn journal(text: &str) -> Drafts {
    let mut drafts = Drafts::default();
    let mut all: BTreeMap<i64, End> = BTreeMap::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let said: Line = match serde_json::from_str(text) {
            Ok(said) => said,
            Err(err) => {
                drafts.leave(line, format!("no line of a journal: {err}"));
                continue;
            }
        };
        match said.op.as_str() {
            "remember" => {
                let draft = draft(&said, line);
                all.insert(said.id, End::Holds(draft));
            }
            "forget" => drop(all.insert(said.id, End::Over("it was forgotten", line))),
            "invalidate" => drop(all.insert(said.id, End::Over("it is no longer valid", line))),
            "promote" | "demote" => {
                if let Some(End::Holds(draft)) = all.get_mut(&said.id) {
                    draft.core = said.new_tier.as_deref() == Some("core");
                }
            }
            _ => {}
        }
    }
    for end in all.into_values() {
        match end {
            End::Holds(draft) => drafts.take(draft),
            End::Over(reason, line) => drafts.leave(line, reason),
        }
    }
    drafts.drafts.sort_by_key(|draft| draft.line);
    drafts.left.sort_by_key(|left| left.line);
    drafts
}

fn draft(said: &Line, line: usize) -> Draft {
    let kind = match said.category.as_deref() {
        Some("decision") => Kind::Decision,
        Some("preference") => Kind::Preference,
        Some("pattern") => Kind::Rule,
        Some("todo") => Kind::Todo,
        Some("procedural") => Kind::Howto,
        Some("correction") => Kind::Correction,
        _ => Kind::Fact,
    };
    let tags = said.tags.iter().flatten();
    Draft {
        kind,
        text: clean(said.content.as_deref().unwrap_or_default()),
        targets: said.related_files.clone().unwrap_or_default(),
        tags: tags.filter_map(|word| tag(word)).collect(),
        core: said.tier.as_deref() == Some("core"),
        pin: said.git_sha.clone().filter(|sha| !sha.is_empty()),
        line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_in_the_end_is_taken() {
        let found = journal(concat!(
            r#"{"op":"remember","id":1,"ts":"x","content":"retry in the client","category":"decision","tags":["Net IO"],"git_sha":"abc123","related_files":["src/a.ts"],"tier":"archive"}"#,
            "\n",
            r#"{"op":"remember","id":2,"ts":"x","content":"gone","category":"context","tier":"core"}"#,
            "\n\nnot json\n",
            r#"{"op":"promote","id":1,"ts":"x","new_tier":"core"}"#,
            "\n",
            r#"{"op":"forget","id":2,"ts":"x"}"#,
            "\n",
        ));
        assert_eq!(
            found.drafts,
            [Draft {
                kind: Kind::Decision,
                text: "retry in the client".to_owned(),
                targets: vec!["src/a.ts".to_owned()],
                tags: vec!["net-io".to_owned()],
                core: true,
                pin: Some("abc123".to_owned()),
                line: 1,
            }]
        );
        let left: Vec<_> = found.left.iter().map(|left| left.line).collect();
        assert_eq!(left, [4, 6]);
    }
}
