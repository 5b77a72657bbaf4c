//! Literals of objects and arrays that are put together where they are given or kept: `return { user, team }`, `[user, 1] as const`.
//!
//! Their members and parts are bound as those of types are that are written in place (see [`super::shapes`]). Guarantee: of
//! what may be put together in one of several ways nothing is said. Deliberately absent: what is assigned to a member
//! later, literals that are arguments or stand in lists, and functions, which are definitions of their own.

use super::functions::is_function;
use super::patterns::at_places;
use super::shapes::{Part, note_parts};
use super::types::MAX_STEPS;
use super::values;
use crate::syntax::prelude::*;

/// Parts of a list of an expression that are told apart.
const MAX_PARTS_TOLD: usize = 8;

/// The parts of a list that a function gives or that is `as const`, each of which may be another thing, but for literals.
fn parts_given<'t>(walk: &Walk<'t>, list: Node<'t>, steps: u8) -> Vec<Part<'t>> {
    let all = match list.is_wide() {
        true => Vec::new(),
        false => at_places(list),
    };
    let is_told = (2..=MAX_PARTS_TOLD).contains(&all.len());
    // `[, second]`: a part for each sign.
    let is_hole = all.iter().enumerate().any(|(i, at)| at.place != i);
    let is_spread = all.iter().any(|at| at.part.kind_name() == "spread_element");
    if !is_told || is_hole || is_spread {
        return Vec::new();
    }
    let told = all
        .into_iter()
        .map(|at| (at.sign, values::value(walk, at.part, steps)));
    let parts: Vec<Part<'t>> = told.collect();
    let says = |(_, known): &Part<'_>| known.is_some_and(|known| known != Hint::LITERAL);
    match parts.iter().any(says) {
        true => parts,
        false => Vec::new(),
    }
}

/// What a list is that a function gives, or that is `as const`, where its parts differ.
pub(super) fn given_list(walk: &Walk<'_>, list: Node<'_>, steps: u8) -> Option<Hint> {
    if list.kind_name() != "array" {
        return None;
    }
    let parts = parts_given(walk, list, steps);
    parts.first().map(|(sign, _)| Hint::shape(*sign))
}

/// Notes the parts of such a list.
pub(super) fn list<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let is_given = match walk.above(0) {
        Some(above) if above.kind_name() == "as_expression" => is_const(above),
        Some(above) => {
            above.kind_name() == "return_statement"
                || above.kind_name() == "arrow_function" && above.field("body") == Some(node)
        }
        None => false,
    };
    if is_given {
        let parts = parts_given(walk, node, MAX_STEPS);
        note_parts(walk, &parts);
    }
}

/// Objects that an object lies in whose members are told.
const MAX_OBJECTS: usize = 3;

/// A member of an object that is put together: its name, and what is known of it.
type Member<'t> = (Node<'t>, Option<Hint>);

/// The members of an object that is put together, where something is known of one that is no literal, and whether it may
/// have more.
fn members_made<'t>(walk: &Walk<'t>, object: Node<'t>, steps: u8) -> (Vec<Member<'t>>, bool) {
    let (mut members, mut has_more) = (Vec::new(), false);
    if object.is_wide() {
        return (members, true);
    }
    for part in object.named().filter(|part| !part.is_extra()) {
        match (
            part.kind_name(),
            part.field_of("key", "property_identifier"),
            part.field("value"),
        ) {
            ("shorthand_property_identifier", ..) => members.push((part, Some(Hint::value(part)))),
            // What holds nothing yet may hold anything later.
            ("pair", Some(key), Some(made)) if made.named_child_count() == 0 && is_open(made) => {
                members.push((key, None));
            }
            ("pair", Some(key), Some(made)) if !is_function(made) => {
                members.push((key, values::value(walk, made, steps)));
            }
            // It may have any of the names before it.
            ("spread_element", ..) => {
                has_more = true;
                members.iter_mut().for_each(|(_, known)| *known = None);
            }
            // What a function is called is a definition of its own, as a rule.
            _ => has_more = true,
        }
    }
    let says = |(_, known): &Member<'_>| known.is_some_and(|known| known != Hint::LITERAL);
    if !members.iter().any(says) {
        members.clear();
    }
    (members, has_more)
}

fn is_open(made: Node<'_>) -> bool {
    matches!(made.kind_name(), "object" | "array")
}

/// What an object is that is put together: `{ user, team: new Team() }`.
pub(super) fn object_made(walk: &Walk<'_>, object: Node<'_>, steps: u8) -> Option<Hint> {
    let (members, _) = members_made(walk, object, steps);
    members.first().map(|(name, _)| Hint::shape(*name))
}

/// Notes the members of an object that a function gives or that a name is for, where they are no definitions.
pub(super) fn object<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if !is_kept(walk, node, frame) {
        return;
    }
    let (members, has_more) = members_made(walk, node, MAX_STEPS);
    let Some(first) = members.first().map(|(name, _)| name.start_position()) else {
        return;
    };
    for (name, known) in &members {
        walk.local(*name, first..first, *known);
    }
    // Who is bound twice is not alone.
    if has_more {
        walk.local(members[0].0, first..first, None);
    }
}

/// Whether an object is what a function gives, what a local name, one with a type or a field is for, or a member of
/// such an object.
fn is_kept<'t>(walk: &Walk<'t>, mut node: Node<'t>, frame: &Frame<'t>) -> bool {
    let mut objects = 1;
    for up in 0..2 * MAX_OBJECTS {
        let Some(above) = walk.above(up) else {
            return false;
        };
        match above.kind_name() {
            "parenthesized_expression" | "pair" => {}
            "object" if objects < MAX_OBJECTS => objects += 1,
            "return_statement" => return true,
            "arrow_function" => return above.field("body") == Some(node),
            "variable_declarator" => {
                return frame.scope == Scope::Function || above.field("type").is_some();
            }
            "public_field_definition" | "field_definition" => return true,
            _ => return false,
        }
        node = above;
    }
    false
}

/// `x as const`
pub(super) fn is_const(cast: Node<'_>) -> bool {
    cast.kind_name() == "as_expression" && cast.part(&["const"]).is_some()
}
