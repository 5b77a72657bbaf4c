//! Objects that go to what nobody here knows as soon as they are made: `sys.stdout = Tee()`, `csv.writer(Echo())`. Who gets
//! one calls what it has, and in a language that asks for no types (Python) nothing says what that is.
//!
//! Read from the line that makes the object: what is known of it, it says itself. Objects that are kept first and handed
//! over later are deliberately absent; their methods are looked for by their names as those of all others are.

use super::exposure;
use crate::extract::record::OccurrenceKind;
use crate::graph::edges::{Edge, Graph};
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;

/// Whether an edge makes an object of a type and gives it to something that is not in the repository.
pub fn is_handed(view: &View, graph: &Graph, texts: &mut Texts, edge: &Edge) -> bool {
    let language = exposure::language(view, edge.file);
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
