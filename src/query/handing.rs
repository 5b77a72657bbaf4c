//! Objects that go to what nobody here knows as soon as they are made: `sys.stdout = Tee()`, `csv.writer(Echo())`. Who gets
//! one calls what it has, and in a language that asks for no types (Python) nothing says what that is. And types that an
//! attribute gets as values, which whoever reads that calls by what they have: `[CustomMarshaller(typeof(Page))]`.
//!
//! Read from the line that makes the object: what is known of it, it says itself. Objects that are kept first and handed
//! over later are deliberately absent; their methods are looked for by their names as those of all others are.

use super::exposure;
use crate::extract::record::OccurrenceKind;
use crate::graph::edges::{Edge, Graph};
use crate::lang::language::Language;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::{Text, Texts};

/// Bytes before a type in which the attribute is looked for that it is named in.
const MAX_ATTRIBUTE_BYTES: usize = 2048;

/// Whether objects or types of a language may be handed so.
pub fn may_hand(language: &Language) -> bool {
    language.liveness.plain_takers.is_some() || language.liveness.type_as_value.is_some()
}

/// Whether an edge makes an object of a type and gives it to something that is not in the repository, or gives the type
/// itself to an attribute.
pub fn is_handed(view: &View, graph: &Graph, texts: &mut Texts, edge: &Edge) -> bool {
    let language = exposure::language(view, edge.file);
    if let Some(mark) = language.liveness.type_as_value
        && matches!(edge.kind, OccurrenceKind::Type | OccurrenceKind::Read)
    {
        return view.file(edge.file).role == FileRole::Product
            && texts
                .get(view, edge.file)
                .is_some_and(|text| is_in_attribute(&text, (edge.line, edge.col), mark));
    }
    let Some(plain) = language.liveness.plain_takers else {
        return false;
    };
    if edge.kind != OccurrenceKind::Call || view.file(edge.file).role != FileRole::Product {
        return false;
    }
    let Some(text) = texts.get(view, edge.file) else {
        return false;
    };
    let before = text.line(edge.line).get(..edge.col as usize);
    let Some((name, is_member)) = before.and_then(taker) else {
        return false;
    };
    let word = &text.line(edge.line)[name.clone()];
    let is_assigned = text.line(edge.line)[name.end..]
        .trim_ascii_start()
        .starts_with(b"=");
    let is_usual = plain.contains(&word) && !is_member
        || is_member && !is_assigned && (language.naming.library_members)(word);
    !is_usual && is_unknown(graph, edge.file, (edge.line, name.start as u32))
}

/// Whether what stands at a place is a type that an attribute gets as a value: `[Marshal(typeof(Page.In))]`.
fn is_in_attribute(text: &Text, (line, col): (u32, u32), mark: &[u8]) -> bool {
    let own = text.line(line);
    let Some(before) = own.get(..col as usize) else {
        return false;
    };
    let is_path = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':');
    let begin = before.iter().rposition(|b| !is_path(b));
    let before = &before[..begin.map_or(0, |at| at + 1)];
    // `typeof(Page.In)` names `In`, not `Page`.
    let behind = own[col as usize..]
        .iter()
        .find(|b| !is_path(b) || **b == b'.');
    if !before.ends_with(mark) || behind == Some(&b'.') {
        return false;
    }
    let begin = text.start(line).unwrap_or_default();
    let end = begin + before.len() - mark.len();
    let before = text
        .bytes()
        .get(end.saturating_sub(MAX_ATTRIBUTE_BYTES)..end);
    let before = before.unwrap_or_default();
    let mut closed = 0_u32;
    for byte in before.iter().rev() {
        match byte {
            b']' => closed += 1,
            b'[' if closed == 0 => return true,
            b'[' => closed -= 1,
            b';' | b'{' | b'}' => return false,
            _ => {}
        }
    }
    false
}

/// Whether a type is named at a place for a member that is defined there: `function account.open()` (Lua).
pub fn defines_member(
    view: &View,
    texts: &mut Texts,
    file: FileId,
    (line, col): (u32, u32),
) -> bool {
    let Some(head) = exposure::language(view, file).liveness.member_head else {
        return false;
    };
    let text = texts.get(view, file);
    text.is_some_and(|text| {
        let before = text.line(line).get(..col as usize);
        before.is_some_and(|before| before.trim_ascii_end().ends_with(head))
    })
}

fn is_unknown(graph: &Graph, file: FileId, (line, col): (u32, u32)) -> bool {
    graph.edge_at(file, line, col).is_none()
}

/// What gets the value that begins behind a part of a line: the attribute it is assigned to, or the function it is an
/// argument of, and whether that is a member of something. Names that are assigned to are the file's own.
pub(super) fn taker(before: &[u8]) -> Option<(std::ops::Range<usize>, bool)> {
    let rest = before.trim_ascii_end();
    let assigned = rest.strip_suffix(b"=").filter(|left| {
        let last = left.last();
        last.is_none_or(|b| !b"=<>!:+-*/%&|^@".contains(b))
    });
    if let Some(target) = assigned.filter(|_| open_bracket(rest).is_none()) {
        let (name, is_member) = last_name(target.trim_ascii_end())?;
        return is_member.then_some((name, true));
    }
    last_name(&rest[..open_bracket(rest)?])
}

/// Where the innermost parenthesis is that is open at the end.
fn open_bracket(text: &[u8]) -> Option<usize> {
    let mut open = 0u32;
    for (at, byte) in text.iter().enumerate().rev() {
        match byte {
            b')' | b']' | b'}' => open += 1,
            b'(' | b'[' | b'{' if open > 0 => open -= 1,
            b'(' => return Some(at),
            b'[' | b'{' => return None,
            _ => {}
        }
    }
    None
}

/// The name that a text ends with, and whether a dot stands before it.
fn last_name(text: &[u8]) -> Option<(std::ops::Range<usize>, bool)> {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80;
    let start = text
        .iter()
        .rposition(|b| !is_part(b))
        .map_or(0, |at| at + 1);
    let is_member = text[..start].last() == Some(&b'.');
    (start < text.len()).then_some((start..text.len(), is_member))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_gets_a_type_that_it_names_as_a_value() {
        let of = |source: &str, name: &[u8]| {
            let text = Text::new(source.as_bytes().to_vec());
            let at = text.words(name).next().unwrap();
            is_in_attribute(&text, text.place(at), b"typeof(")
        };
        assert!(of("[Use(typeof(Page))]", b"Page"));
        assert!(of(
            "f([In, Use(A[0],\n  typeof(a::Book.Page))] int x)",
            b"Page"
        ));
        for (none, name) in [
            ("[Use(typeof(Page.In))]", &b"Page"[..]),
            ("x = typeof(Page);", b"Page"),
            ("[Use]\nvoid f() { x = typeof(Page); }", b"Page"),
            ("[Use(Page)]", b"Page"),
        ] {
            assert!(!of(none, name), "{none}");
        }
    }

    #[test]
    fn who_gets_a_value_stands_before_it() {
        let of = |before: &str| {
            let (name, is_member) = taker(before.as_bytes())?;
            Some((before[name].to_owned(), is_member))
        };
        assert_eq!(of("sys.stdout = "), Some(("stdout".into(), true)));
        assert_eq!(of("w = csv.writer("), Some(("writer".into(), true)));
        assert_eq!(of("w = run(a(), key="), Some(("run".into(), false)));
        for none in ["w = ", "w == ", "return ", "w = [", "f({", "f(x)[", "("] {
            assert_eq!(of(none), None, "{none}");
        }
        assert_eq!(of("a.b += "), None);
    }
}
