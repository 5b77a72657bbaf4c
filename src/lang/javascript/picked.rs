//! Members that are named where a type is taken without some, or with these alone: `Omit<Foo, "a" | "b">`, `Pick<Foo, "a">`.
//!
//! Deliberately absent: types of the repository's own that do the same, and keys that are computed.

use super::types::type_hint;
use crate::syntax::prelude::*;
use tree_sitter::Point;

/// Types around one that are looked at.
const MAX_AROUND: usize = 8;

/// Notes beside each name what it is a member of. Where the type is one of several that hold at once, its members lie
/// beside those of the others: which ones do is noted, too.
pub(super) fn named_members<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let name = node.field("name");
    let kind = match walk.text_of(name) {
        b"Omit" => HintKind::Omitted,
        b"Pick" => HintKind::Picked,
        _ => return,
    };
    let Some(arguments) = node.field("type_arguments") else {
        return;
    };
    let (Some(of), Some(mut keys)) = (arguments.nth_part(0), arguments.nth_part(1)) else {
        return;
    };
    let Some(of) = type_hint(walk, of).filter(|hint| hint.kind == HintKind::Type) else {
        return;
    };
    let noted = match is_beside_others(walk) {
        true => of.with(kind),
        false => of,
    };
    // Unions lie in one another, the last name outermost.
    for _ in 0..MAX_PARTS {
        let (key, others) = match keys.kind_name() {
            "parenthesized_type" => (None, keys.named_child(0)),
            "union_type" => (keys.last_named(), keys.named_child(0)),
            _ => (Some(keys), None),
        };
        if let Some(key) = key {
            note_key(walk, key, noted);
        }
        match others.filter(|others| Some(*others) != key) {
            Some(others) => keys = others,
            None => return,
        }
    }
}

fn note_key<'t>(walk: &mut Walk<'t>, key: Node<'t>, of: Hint) {
    let text = key
        .named_child(0)
        .filter(|text| key.kind_name() == "literal_type" && text.kind_name() == "string");
    let at = match text {
        Some(text) => {
            let mut at = text.start_position();
            at.column += 1;
            Some(at)
        }
        // Which names these are is not known: the first name of the type says so.
        None if of.kind.is_of_key() => first_name(key),
        None => None,
    };
    if let Some(at) = at {
        walk.receiver(at, of);
    }
}

/// Where the first name in a type stands.
fn first_name(of: Node<'_>) -> Option<Point> {
    let mut open = vec![of];
    for _ in 0..MAX_PARTS {
        let node = open.pop()?;
        match node.kind_name() {
            "type_identifier" | "identifier" => return Some(node.start_position()),
            _ if node.is_wide() => return None,
            _ => {
                let mut inner: Vec<_> = node.named().collect();
                inner.reverse();
                open.append(&mut inner);
            }
        }
    }
    None
}

/// Whether the type being entered is a part of `A & B`: itself, or what another type makes of it.
fn is_beside_others(walk: &Walk<'_>) -> bool {
    let mut is_argument = false;
    for up in 0..MAX_AROUND {
        let Some(above) = walk.above(up) else {
            return false;
        };
        match above.kind_name() {
            "intersection_type" => return true,
            "type_arguments" => is_argument = true,
            "generic_type" if is_argument => is_argument = false,
            "parenthesized_type" => {}
            _ => return false,
        }
    }
    false
}
