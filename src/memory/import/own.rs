//! What `git sverklo memory export --json` writes, as claims to be made again elsewhere.

use super::{Draft, Drafts, clean, tag};
use crate::memory::event::Kind;
use serde::Deserialize;

/// The parts of an export that a claim is made of.
#[derive(Deserialize)]
struct Export {
    memories: Vec<Memory>,
}

#[derive(Deserialize)]
struct Memory {
    kind: String,
    text: Option<String>,
    #[serde(default)]
    targets: Vec<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    core: bool,
    pin: Option<String>,
    #[serde(default)]
    state: String,
}

/// The memories of an export that hold. A text that is no export is left as a whole.
pub fn export(text: &str) -> Drafts {
    let mut drafts = Drafts::default();
    let export: Export = match serde_json::from_str(text) {
        Ok(export) => export,
        Err(err) => {
            drafts.leave(err.line(), format!("no export of memories: {err}"));
            return drafts;
        }
    };
    for (number, memory) in (1..).zip(export.memories) {
        let Some(kind) = Kind::from_label(&memory.kind) else {
            drafts.leave(number, format!("{:?} is no kind of memory", memory.kind));
            continue;
        };
        if !matches!(memory.state.as_str(), "" | "holds") {
            drafts.leave(number, format!("its state is {:?}", memory.state));
            continue;
        }
        drafts.take(Draft {
            kind,
            text: clean(&memory.text.unwrap_or_default()),
            targets: memory.targets,
            tags: memory.tags.iter().filter_map(|word| tag(word)).collect(),
            core: memory.core,
            pin: memory.pin,
            line: number,
        });
    }
    drafts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_is_taken() {
        let found = export(
            r#"{"memories":[{"kind":"rule","text":"a","pin":"abc","state":"holds","core":true},
                {"kind":"rule","text":"b","state":"ended"},{"kind":"?","text":"c"}]}"#,
        );
        assert_eq!(found.drafts.len(), 1);
        assert!(found.drafts[0].core && found.drafts[0].pin.as_deref() == Some("abc"));
        assert_eq!(found.left.len(), 2);
        assert_eq!(export("[]").left.len(), 1);
    }
}
