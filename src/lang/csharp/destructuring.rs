//! C#: what loops take apart: `foreach (var (key, value) in all)`.
//!
//! Guarantee: only the second part of an entry of a dictionary is known. Which names are dictionaries is said by the last
//! declaration of that name in the file. Deliberately absent: the parts of tuples, records and of what has `Deconstruct`.

use super::values::{BLOCKS, CONTAINERS, hint, simple};
use crate::syntax::prelude::*;

/// Notes whether a name is that of a dictionary, by the type that is declared or by what it is made of.
pub(super) fn declared<'t>(
    walk: &mut Walk<'t>,
    name: Node<'t>,
    (declared, value): (Option<Node<'t>>, Option<Node<'t>>),
) {
    let declared = declared.filter(|declared| declared.kind() != "implicit_type");
    let is_map = match (declared, value) {
        (Some(declared), _) => is_map_type(walk, declared),
        (None, Some(value)) => {
            let made = value.field_of("type", "generic_name");
            made.is_some_and(|made| is_map_type(walk, made)) || gives_map(walk, value)
        }
        (None, None) => false,
    };
    walk.note_map(walk.text(name), is_map);
}

fn is_map_type(walk: &Walk<'_>, declared: Node<'_>) -> bool {
    let declared = match declared.kind() {
        "nullable_type" => declared.field("type"),
        _ => Some(declared),
    };
    let name = declared.filter(|declared| declared.kind() == "generic_name");
    let name = name.and_then(simple).map(|name| walk.text(name));
    name.is_some_and(|name| CONTAINERS.maps.contains(&name))
}

/// Whether a call makes a dictionary: `all.ToDictionary(...)`.
fn gives_map(walk: &Walk<'_>, value: Node<'_>) -> bool {
    let called = value.field_of("function", "member_access_expression");
    let name = called.and_then(|called| simple(called.field("name")?));
    let name = name.map(|name| walk.text(name));
    name.is_some_and(|name| matches!(name, b"ToDictionary" | b"ToImmutableDictionary"))
}

/// Names that a loop or a declaration takes something apart into.
pub(super) fn taken_apart<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let above = walk.above(0);
    let holder = above.filter(|above| above.kind() == "foreach_statement");
    let scope = match holder {
        Some(looped) => looped.span(),
        None => walk.scope_from(node.start_position(), BLOCKS),
    };
    let parts = node.content();
    let held = holder.filter(|_| parts.len() == 2);
    let held = held.and_then(|looped| value_of_entry(walk, looped.field("right")?));
    for (at, part) in parts.into_iter().enumerate() {
        if part.kind() == "identifier" {
            walk.local(part, scope.clone(), held.filter(|_| at == 1));
        }
    }
}

/// What the values are of the dictionary that a loop goes over.
fn value_of_entry(walk: &Walk<'_>, over: Node<'_>) -> Option<Hint> {
    let name = match over.kind() {
        "identifier" => Some(over),
        "member_access_expression" => over.field("name"),
        _ => None,
    };
    let is_map = walk.is_map(walk.text(name?)) || gives_map(walk, over);
    is_map.then(|| hint(walk, over)?.element())?
}
