//! Names that one script gives to all others: `helper = require("./helper")` without a declaration, `window.helper = ..`.

use crate::extract::record::Grammar;
use crate::lang;
use crate::query::diff::document::Document;
use crate::query::diff::nowhere::free;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;

/// Files with a name that are read: where there are more, it may be given by one of them.
const MAX_FILES: usize = 128;
/// Objects of which the members are names for all.
const ALL: &[&[u8]] = byte_words!("window global globalThis self top root");

/// Whether a file may have names that it neither binds nor takes from somebody, or all files this one.
pub(super) fn may_be_given(
    view: &View,
    document: &Document<'_>,
    name: &[u8],
    texts: &mut Texts,
) -> bool {
    let naming = &lang::of(document.grammar).naming;
    let has_more = naming.object_modules || naming.passes_imports_on;
    (has_more && free::has_more(view, document.file, &document.imports, texts))
        || (is_script(document.grammar) && is_given_to_all(view, document.file, name, texts))
}

fn is_script(grammar: Grammar) -> bool {
    lang::of(grammar).family == Grammar::JavaScript
}

/// Whether another script gives a name to all.
fn is_given_to_all(view: &View, own: FileId, name: &[u8], texts: &mut Texts) -> bool {
    let mut read = 0;
    for live in view.segments() {
        let Some(id) = live.segment.name_id(name) else {
            continue;
        };
        for found in live
            .segment
            .uses(id)
            .filter(|found| live.is_live(found.doc))
        {
            if !is_script(live.segment.doc(found.doc).lang) {
                continue;
            }
            for file in live.files_of(found.doc).filter(|file| *file != own) {
                read += 1;
                let text = texts.if_here(view, file).filter(|_| read <= MAX_FILES);
                if text.is_none_or(|text| {
                    text.bytes()
                        .split(|b| *b == b'\n')
                        .any(|line| gives(line, name))
                }) {
                    return true;
                }
            }
        }
    }
    false
}

/// Whether a line gives a name to all: it begins with `name =`, or has `window.name =` in it.
fn gives(line: &[u8], name: &[u8]) -> bool {
    memchr::memmem::find_iter(line, name).any(|at| {
        let (before, behind) = (&line[..at], line[at + name.len()..].trim_ascii_start());
        let is_assigned = behind.starts_with(b"=") && !matches!(behind.get(1), Some(b'=' | b'>'));
        let object = before
            .strip_suffix(b".")
            .or(before.strip_suffix(b"[\"").or(before.strip_suffix(b"['")));
        let is_of_all = object.is_some_and(|object| ALL.iter().any(|all| object.ends_with(all)));
        let is_quoted = behind.starts_with(b"\"]") || behind.starts_with(b"']");
        let is_first = before.is_empty() || before.ends_with(b"= ") || before.ends_with(b";");
        (is_assigned && (is_first || is_of_all)) || (is_of_all && is_quoted)
    })
}

#[cfg(test)]
mod tests {
    use super::gives;

    #[test]
    fn what_a_script_gives_to_all_is_told_from_what_it_keeps() {
        let rows = [
            ("axios = require('../../index');", true),
            ("a = axios = 1;", true),
            ("window.axios = axios;", true),
            ("  global.axios=axios", true),
            ("globalThis[\"axios\"] = 1", true),
            ("var axios = require('axios');", false),
            ("const axios = 1;", false),
            ("axios == 1", false),
            ("axios => 1", false),
            ("this.axios = axios;", false),
            ("axios.get()", false),
        ];
        for (line, is_given) in rows {
            assert_eq!(gives(line.as_bytes(), b"axios"), is_given, "{line}");
        }
    }
}
