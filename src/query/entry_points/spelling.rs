//! Parts of a path as text, cut from the file.

use crate::extract::record::{EntryKind, PartKind, PathPart};
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use std::ops::Range;

/// What stands for a part that is computed when the program runs, or whose text is not at hand.
pub(super) const COMPUTED: &str = "…";
/// Longest text of a part that is shown, in bytes.
const MAX_BYTES: usize = 256;

/// A path that is put together from its end.
#[derive(Clone, Default)]
pub(super) struct Spelt(String);

impl Spelt {
    /// The path below another.
    pub(super) fn below(self, above: String, kind: EntryKind) -> Self {
        if kind != EntryKind::Route {
            let own = self.0;
            return Self(match (above.is_empty(), own.is_empty()) {
                (true, _) => own,
                (false, true) => above,
                (false, false) => format!("{above} {own}"),
            });
        }
        if self.0.is_empty() {
            return Self(above);
        }
        let above = above.trim_end_matches('/');
        if above.is_empty() {
            return self;
        }
        // What stands in the middle of a path may be an expression of its own: `^api/`.
        let own = self.0.trim_start_matches('/');
        let own = own.strip_prefix('^').unwrap_or(own);
        Self(format!("{above}/{}", own.trim_start_matches('/')))
    }

    /// The whole of it, of a route with a slash at its beginning.
    pub(super) fn whole(self, kind: EntryKind) -> String {
        let path = self.0;
        if kind != EntryKind::Route {
            return path;
        }
        let path = path.strip_prefix('^').unwrap_or(&path);
        let path = path.strip_suffix('$').unwrap_or(path);
        match path.starts_with(['/', '…', '*']) {
            true => path.to_owned(),
            false => format!("/{path}"),
        }
    }
}

/// The text of a range of a file, as one line; `None` where it is not at hand.
pub(super) fn cut(
    view: &View,
    texts: &mut Texts,
    file: FileId,
    range: &Range<u32>,
) -> Option<String> {
    let text = texts.get(view, file)?;
    let bytes = text.slice(range.clone());
    let line = bytes.split(|b| *b == b'\n' || *b == b'\r').next()?;
    let line = &line[..line.len().min(MAX_BYTES)];
    Some(String::from_utf8_lossy(line).trim().to_owned())
}

/// The parts of one entry as text.
pub(super) fn level(view: &View, texts: &mut Texts, file: FileId, parts: &[PathPart]) -> String {
    let mut out = String::new();
    for part in parts {
        let text = match part.kind.has_text() {
            true => cut(view, texts, file, &part.range),
            false => Some(String::new()),
        };
        let Some(text) = text else {
            out.push_str(COMPUTED);
            continue;
        };
        match part.kind {
            PartKind::Text if out.ends_with('/') => out.push_str(text.trim_start_matches('/')),
            PartKind::Text => out.push_str(&text),
            PartKind::Computed => out.push_str(COMPUTED),
            PartKind::Id => slashed(&mut out, ":id"),
            PartKind::New => slashed(&mut out, "new"),
            PartKind::Edit => slashed(&mut out, ":id/edit"),
            PartKind::Create => slashed(&mut out, "create"),
            PartKind::EditOne => slashed(&mut out, "edit"),
            PartKind::One | PartKind::Many | PartKind::Action => {}
            PartKind::Param => slashed(&mut out, &format!(":{}", bare(&text))),
            PartKind::Slash => slashed(&mut out, ""),
            PartKind::Kebab => out.push_str(&kebab(&text)),
            PartKind::ParentId => {
                let name = format!(":{}_id", singular(bare(&text)));
                slashed(&mut out, &name);
            }
            PartKind::Name => slashed(&mut out, bare(&text)),
            PartKind::Dashed => out.push_str(&text.replace('_', "-")),
            PartKind::Class => {
                let name = text.strip_suffix("Controller").unwrap_or(&text);
                out = out.replace("[controller]", name);
            }
            PartKind::Method => {
                let name = text.strip_suffix("Async").unwrap_or(&text);
                out = out.replace("[action]", name);
            }
            PartKind::FirstWord => out.push_str(text.split_whitespace().next().unwrap_or("")),
            PartKind::Root => out.clear(),
        }
    }
    out
}

fn slashed(out: &mut String, text: &str) {
    if !out.ends_with('/') {
        out.push('/');
    }
    out.push_str(text.trim_start_matches('/'));
}

/// Many of what a word names.
pub(super) fn plural(word: &str) -> String {
    let ending = |end: &str, with: &str| word.strip_suffix(end).map(|rest| format!("{rest}{with}"));
    let vowel = word
        .strip_suffix('y')
        .is_some_and(|rest| rest.ends_with(['a', 'e', 'i', 'o', 'u']));
    match word {
        "person" => "people".to_owned(),
        _ if word.ends_with('y') && !vowel => ending("y", "ies").unwrap_or_default(),
        _ if word.ends_with(['s', 'x']) || word.ends_with("ch") || word.ends_with("sh") => {
            format!("{word}es")
        }
        _ => format!("{word}s"),
    }
}

/// A name in small letters with dashes between its words.
fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// A name without the signs that its language writes around it.
pub(super) fn bare(text: &str) -> &str {
    text.trim_matches(|c| matches!(c, ':' | '"' | '\'' | '`' | '/'))
}

/// One of what a word names many of.
pub(super) fn singular(word: &str) -> String {
    const SAME: &[&str] = &["series", "news", "species", "status", "address", "analysis"];
    if SAME.contains(&word) || word.ends_with("ss") {
        return word.to_owned();
    }
    let ending = |end: &str, with: &str| word.strip_suffix(end).map(|rest| format!("{rest}{with}"));
    if word.ends_with("people") {
        return ending("people", "person").unwrap_or_default();
    }
    ending("ies", "y")
        .or_else(|| ending("sses", "ss"))
        .or_else(|| ending("uses", "us"))
        .or_else(|| ending("xes", "x"))
        .or_else(|| ending("ches", "ch"))
        .or_else(|| ending("shes", "sh"))
        .or_else(|| ending("s", ""))
        .unwrap_or_else(|| word.to_owned())
}
