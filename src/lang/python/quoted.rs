//! Types in quotes that are more than one name: `def next(self) -> "Node | None"`, `"List['Node']"`.
//!
//! Guarantee: a string with other than words, dots, brackets, `|`, commas and quotes in it is no type. Deliberately absent: which
//! of several types it is that is not `None`.

use super::values::{CONTAINERS, bare_type};
use crate::syntax::prelude::*;

/// Bytes of a type in quotes that are read.
const MAX_TYPE: usize = 512;

/// Types within types that are followed.
const MAX_DEPTH: u8 = 8;

/// Records the names in a string that stands for a type of several words. Says whether it is one.
pub(super) fn record<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> bool {
    let Some((content, offset)) = content(walk, node) else {
        return false;
    };
    let at = node.start_position();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let mut from = 0;
    while let Some(rest) = content.get(from..).filter(|rest| !rest.is_empty()) {
        let length = rest.iter().take_while(|byte| is_word(byte)).count();
        let word = &rest[..length];
        if word.first().is_some_and(|first| !first.is_ascii_digit()) && word != b"None" {
            let before = content[..from].last();
            let qualifier = match before {
                Some(b'.') => Qualifier::Previous,
                _ => Qualifier::None,
            };
            walk.occurrence(word, at.row, at.column + offset + from, Type, qualifier);
        }
        from += length.max(1);
    }
    true
}

/// Whether the walk is in `Literal[...]` or `Annotated[...]`, where strings are no types.
pub(super) fn is_text(walk: &Walk<'_>) -> bool {
    let mut above = (0..MAX_DEPTH.into()).map_while(|up| walk.above(up));
    above.any(|above| {
        let is_generic = matches!(above.kind_name(), "generic_type" | "subscript");
        let name = walk.text_of(above.named_child(0).filter(|_| is_generic));
        name.ends_with(b"Literal") || name.ends_with(b"Annotated")
    })
}

/// What a string that stands for a type of several words says of the values it allows.
pub(super) fn hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    let (content, offset) = content(walk, node)?;
    told(node, content, offset, MAX_DEPTH)
}

/// What stands in the quotes, and where: several words, of which none is free text.
fn content<'t>(walk: &Walk<'t>, node: Node<'_>) -> Option<(&'t [u8], usize)> {
    let text = walk.text(node);
    let content = string_content(text);
    let offset = content.as_ptr() as usize - text.as_ptr() as usize;
    let is_told = |byte: &u8| {
        byte.is_ascii_alphanumeric() || b"_.[]|, '\"".contains(byte) || !byte.is_ascii()
    };
    let has_several = content.iter().any(|byte| b"[|.".contains(byte));
    let is_type = has_several
        && content.len() <= MAX_TYPE
        && content.iter().all(is_told)
        && !content.windows(7).any(|word| word == b"Literal");
    is_type.then_some((content, offset))
}

/// What a type says. `offset` is where it begins in its string.
fn told(node: Node<'_>, text: &[u8], offset: usize, depth: u8) -> Option<Hint> {
    let left = depth.checked_sub(1)?;
    only(parts(text, b'|'), |from, part| {
        one(node, part, offset + from, left)
    })
}

/// What the only type of several says that is not `None`: of two nothing is told.
fn only<'s>(
    types: impl Iterator<Item = (usize, &'s [u8])>,
    told: impl Fn(usize, &'s [u8]) -> Option<Hint>,
) -> Option<Hint> {
    let mut types = types.filter(|(_, part)| part.trim_ascii() != b"None");
    let (from, part) = types.next()?;
    match types.next() {
        Some(_) => None,
        None => told(from, part),
    }
}

fn one(node: Node<'_>, text: &[u8], offset: usize, depth: u8) -> Option<Hint> {
    let start = text
        .iter()
        .take_while(|byte| b" '\"".contains(byte))
        .count();
    let text = &text[start..];
    let end = text
        .iter()
        .rev()
        .take_while(|byte| b" '\"".contains(byte))
        .count();
    let (text, offset) = (&text[..text.len() - end], offset + start);
    let opens = text.iter().position(|byte| *byte == b'[');
    let path = &text[..opens.unwrap_or(text.len())];
    let before = path
        .iter()
        .rposition(|byte| *byte == b'.')
        .map_or(0, |dot| dot + 1);
    let name = &path[before..];
    let instance = Hint::of_part(HintKind::Type, node, offset + before);
    if name.is_empty()
        || !name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii())
    {
        return None;
    }
    let Some(opens) = opens else {
        return bare_type(path, name, instance);
    };
    let arguments = text[opens + 1..].strip_suffix(b"]")?;
    let mut arguments =
        parts(arguments, b',').map(|(from, part)| (offset + opens + 1 + from, part));
    if let Some((at, levels)) = CONTAINERS.held(name) {
        let (from, held) = arguments.nth(at as usize)?;
        let held = told(node, held, from, depth)?.collections(levels)?;
        return Some(match CONTAINERS.maps.contains(&name) {
            true => held.mapped(),
            false => held,
        });
    }
    match name {
        b"Union" => only(arguments, |from, part| told(node, part, from, depth)),
        b"type" | b"Type" => {
            let (from, class) = arguments.next()?;
            let class = told(node, class, from, depth)?;
            (class.kind == HintKind::Type).then(|| class.with(HintKind::Value))
        }
        b"tuple" | b"Tuple" | b"Callable" => Some(Hint::LITERAL),
        _ => Some(instance),
    }
}

/// The parts of a type between signs that stand in no brackets, with where each begins.
fn parts(text: &[u8], sign: u8) -> impl Iterator<Item = (usize, &[u8])> {
    let mut from = Some(0);
    std::iter::from_fn(move || {
        let start = from?;
        let mut depth = 0usize;
        let end = text[start..].iter().position(|byte| {
            match byte {
                b'[' => depth += 1,
                b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            *byte == sign && depth == 0
        });
        from = end.map(|end| start + end + 1);
        Some((
            start,
            &text[start..end.map_or(text.len(), |end| start + end)],
        ))
    })
}
