//! What is taken apart: `for ((key, value) in all)`, `all.forEach { (key, value) -> ... }`, `val (first, second) = pair`.
//!
//! Guarantee: only the second part of an entry of a map, or of what `withIndex` gives, is known. Which names are maps is
//! said by the last declaration of that name in the file. Deliberately absent: the parts of data classes and pairs.

use super::values::{CONTAINERS, LIBRARIES, MAKE_MAPS, TYPES};
use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

/// Calls that give a map, or keep the entries of one.
const GIVE_MAPS: &[&[u8]] = byte_words!(
    "associate associateBy associateWith filterKeys filterValues toMap toMutableMap toSortedMap"
);

/// Calls that give what they are called on, or a part of it.
const KEEP_ENTRIES: &[&[u8]] = byte_words!(
    "asIterable asSequence drop filter filterNot onEach reversed sortedBy sortedByDescending sortedWith take"
);

/// Notes whether a name is that of a map, by its type or its value.
pub(super) fn declared<'t>(
    walk: &mut Walk<'t>,
    name: Node<'t>,
    (declared, property): (Node<'t>, Option<Node<'t>>),
) {
    let is_map = match declared.part(TYPES) {
        Some(declared) => is_map_type(walk, declared),
        None => property.is_some_and(|property| {
            let value = property.parts().skip_while(|part| part.kind() != "=");
            value
                .take(2)
                .last()
                .is_some_and(|value| is_map(walk, value))
        }),
    };
    walk.note_map(walk.text(name), is_map);
}

fn is_map_type(walk: &Walk<'_>, mut node: Node<'_>) -> bool {
    for _ in 0..MAX_STEPS {
        if node.kind() == "user_type" {
            let name = node.last_of("identifier").map(|name| walk.text(name));
            let is_map = name.is_some_and(|name| CONTAINERS.maps.contains(&name));
            return is_map && may_be_own(walk.text(node), LIBRARIES);
        }
        match node.part(TYPES) {
            Some(inner) => node = inner,
            None => return false,
        }
    }
    false
}

/// Whether an expression is a map, its entries, or a list with its places.
fn is_map(walk: &Walk<'_>, mut node: Node<'_>) -> bool {
    for _ in 0..MAX_STEPS {
        let inner = match node.kind() {
            "identifier" => return walk.is_map(walk.text(node)),
            "navigation_expression" => {
                let name = node
                    .last_of("identifier")
                    .map_or(&[][..], |name| walk.text(name));
                return name == b"entries" || walk.is_map(name);
            }
            "call_expression" => {
                let callee = node.named_child(0);
                let name = callee.and_then(|callee| match callee.kind() {
                    "navigation_expression" => callee.last_of("identifier"),
                    "identifier" => Some(callee),
                    _ => None,
                });
                let object = callee.filter(|callee| callee.kind() == "navigation_expression");
                match (walk.text_of(name), object) {
                    (name, None) if MAKE_MAPS.contains(&name) => return true,
                    (b"withIndex", Some(_)) => return true,
                    (name, Some(_)) if GIVE_MAPS.contains(&name) => return true,
                    (name, Some(object)) if KEEP_ENTRIES.contains(&name) => object.named_child(0),
                    (_, None) => callee.filter(|callee| callee.kind() == "call_expression"),
                    _ => None,
                }
            }
            "parenthesized_expression" => node.named_child(0),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return false,
        }
    }
    false
}

/// Names that `variable_declaration` nodes bind below a declaration.
pub(super) fn declared_names<'t>(declared: Node<'t>) -> Vec<Node<'t>> {
    if declared.kind() == "variable_declaration" {
        return declared.part(&["identifier"]).into_iter().collect();
    }
    declared
        .named()
        .filter_map(|part| part.part(&["identifier"]))
        .collect()
}

/// Binds what a loop or a lambda declares, one name or what is taken apart of what it goes over.
pub(super) fn bind<'t>(
    walk: &mut Walk<'t>,
    declared: Node<'t>,
    scope: &Range<Point>,
    (known, over): (Option<Hint>, Option<Node<'t>>),
) {
    let names = declared_names(declared);
    let held = match declared.kind() == "variable_declaration" {
        true => Some(0),
        false => {
            let is_entry = names.len() == 2 && over.is_some_and(|over| is_map(walk, over));
            is_entry.then_some(1)
        }
    };
    for (at, name) in names.into_iter().enumerate() {
        walk.local(name, scope.clone(), known.filter(|_| held == Some(at)));
    }
}
