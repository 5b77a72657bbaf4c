//! Types of objects and tuples that are written where they are used: `{ user: User }` behind a parameter, `[User, string]`.
//!
//! Their members are no definitions. Each is an occurrence that is bound, in an empty scope, to what its type says, but for
//! those of types of the language: so that who has such an object knows what its members are. The parts of a tuple are
//! such members in their order, each named by the sign before it, `[` or `,`. Deliberately absent: what
//! methods give, lists of such objects, and tuples that end in a list.

use super::patterns::at_places;
use super::types::{MAX_STEPS, annotated};
use super::{MAX_WRAPPERS, is_wrapper};
use crate::syntax::prelude::*;

/// Whether the object type that stands so far up from what is being entered (0: in what is right above) is no part of a type
/// that has a name of its own.
pub(super) fn is_anonymous(walk: &Walk<'_>, up: usize) -> bool {
    for up in up..up + MAX_WRAPPERS {
        let Some(outer) = walk.above(up) else {
            return true;
        };
        match outer.kind_name() {
            "intersection_type"
            | "union_type"
            | "parenthesized_type"
            | "type_arguments"
            | "extends_type_clause" => {}
            "generic_type" if is_wrapper(walk, outer) => {}
            "interface_declaration" | "type_alias_declaration" => return false,
            _ => return true,
        }
    }
    true
}

/// The name of a member of an object type, and what is known of it; `None` for one that has no members of the repository.
fn member<'t>(walk: &Walk<'t>, member: Node<'t>, steps: u8) -> Option<(Node<'t>, Option<Hint>)> {
    let name = member.field_of("name", "property_identifier")?;
    let written = member
        .field("type")
        .filter(|_| member.kind_name() == "property_signature");
    let known = written.and_then(|written| annotated(walk, written, steps));
    let is_plain = matches!(known, Some(Hint::LITERAL | Hint::NEVER));
    (!is_plain).then_some((name, known))
}

/// What an object is that has its type written: `{ user: User }`.
pub(super) fn written(walk: &Walk<'_>, object: Node<'_>, steps: u8) -> Option<Hint> {
    let is_plain = |part: Node<'_>| {
        part.is_extra() || matches!(part.kind_name(), "property_signature" | "method_signature")
    };
    if object.is_wide() || !object.named().all(is_plain) {
        return None;
    }
    let first = object.named().find_map(|one| member(walk, one, steps));
    Some(first.map_or(Hint::LITERAL, |(name, _)| Hint::shape(name)))
}

/// Notes the members of an object type that is written where it is used.
pub(super) fn note_members<'t>(walk: &mut Walk<'t>, object: Node<'t>) {
    if object.is_wide() || !is_anonymous(walk, 0) {
        return;
    }
    let all = object.named();
    let all: Vec<_> = all.filter_map(|one| member(walk, one, MAX_STEPS)).collect();
    let Some(first) = all.first().map(|(name, _)| name.start_position()) else {
        return;
    };
    for (name, known) in all {
        walk.def_names.insert(name.start_byte());
        walk.occurrence_at(name, Mention, Qualifier::None);
        walk.local(name, first..first, known);
    }
}

/// A part of a tuple: the sign before it, and what is known of it.
pub(super) type Part<'t> = (Node<'t>, Option<Hint>);

/// The parts of the type of a tuple, if any is of a type that is not of the language.
fn parts<'t>(walk: &Walk<'t>, tuple: Node<'t>, steps: u8) -> Vec<Part<'t>> {
    let all = match tuple.is_wide() {
        true => Vec::new(),
        false => at_places(tuple),
    };
    if all.iter().any(|at| at.part.kind_name() == "rest_type") {
        return Vec::new();
    }
    let told = all.into_iter().map(|at| {
        // `[user: User, name?: string]`
        let written = at.part.field("type").unwrap_or(at.part);
        (at.sign, annotated(walk, written, steps))
    });
    let parts: Vec<Part<'t>> = told.collect();
    let is_plain = |(_, known): &Part<'_>| matches!(known, Some(Hint::LITERAL | Hint::NEVER));
    match parts.iter().all(is_plain) {
        true => Vec::new(),
        false => parts,
    }
}

/// What a tuple is that has its type written: `[User, string]`.
pub(super) fn tuple(walk: &Walk<'_>, node: Node<'_>, steps: u8) -> Hint {
    let parts = parts(walk, node, steps);
    let first = parts.first();
    first.map_or(Hint::LITERAL, |(sign, _)| Hint::shape(*sign))
}

/// Notes the parts of the type of a tuple.
pub(super) fn tuple_type<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let parts = parts(walk, node, MAX_STEPS);
    note_parts(walk, &parts);
}

pub(super) fn note_parts<'t>(walk: &mut Walk<'t>, parts: &[Part<'t>]) {
    let Some(first) = parts.first().map(|(sign, _)| sign.start_position()) else {
        return;
    };
    for (sign, known) in parts {
        walk.occurrence_at(*sign, Mention, Qualifier::None);
        walk.local(*sign, first..first, *known);
    }
}
