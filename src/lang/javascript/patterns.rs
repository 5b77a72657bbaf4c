//! Patterns: the names that `[a, b]` and `{ a, b: c }` bind, and what each takes of what is taken apart.
//!
//! A pattern in another one takes what that takes apart.

use super::bindings::{is_nothing, note_told};
use super::frameworks::first_of_pair;
use super::values::{hint, may_be_tuple};
use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

/// Calls `f` with each name that a pattern binds, and what the pattern itself says of it: a part
/// taken by name is that member.
pub(super) fn pattern_names<'t>(
    pattern: Node<'t>,
    f: &mut impl FnMut(Node<'t>, Option<Hint>, Option<Node<'t>>),
) {
    let mut open = vec![(pattern, None, None)];
    while let Some((node, known, default)) = open.pop() {
        match node.kind_name() {
            "identifier" | "shorthand_property_identifier_pattern" => f(node, known, default),
            "pair_pattern" => {
                let member = node
                    .field_of("key", "property_identifier")
                    .map(|key| Hint::value(key));
                if let Some(value) = node.field("value") {
                    open.push((value, member, None));
                }
            }
            "object_assignment_pattern" | "assignment_pattern" => {
                if let Some(left) = node.field("left") {
                    open.push((left, known, node.field("right")));
                }
            }
            "rest_pattern" => {
                open.extend(node.named_child(0).map(|inner| (inner, None, None)));
            }
            "object_pattern" | "array_pattern" => {
                let children = (0..node.named_child_count() as u32).rev();
                open.extend(children.filter_map(|i| Some((node.named_child(i)?, None, None))));
            }
            _ => {}
        }
    }
}

/// Binds the names of a pattern for a span; `known` is what is known of the whole value.
pub(super) fn bind<'t>(
    walk: &mut Walk<'t>,
    pattern: Node<'t>,
    scope: Range<Point>,
    known: Option<Hint>,
    frame: &Frame<'t>,
) {
    let mut open = vec![(pattern, known, None)];
    while let Some((node, known, default)) = open.pop() {
        let name = |walk: &mut Walk<'t>, known: Option<Hint>, default: Option<Node<'t>>| {
            let default = default.filter(|default| !is_nothing(*default));
            let known = known.or_else(|| hint(walk, default?));
            walk.first_bound(frame.symbol, walk.text(node));
            walk.local(node, scope.clone(), known);
        };
        match node.kind_name() {
            "identifier" => name(walk, known, default),
            // `{ name }` names a member of what is taken apart, too.
            "shorthand_property_identifier_pattern" => {
                name(walk, None, default);
                if let Some(of) = known {
                    walk.receiver(node.start_position(), of);
                }
            }
            "pair_pattern" => {
                let member = node.field_of("key", "property_identifier").map(Hint::value);
                open.extend(node.field("value").map(|value| (value, member, None)));
            }
            "object_assignment_pattern" | "assignment_pattern" => {
                let default = node.field("right");
                open.extend(node.field("left").map(|left| (left, known, default)));
            }
            // `[first, ...others]` of a list, `{ name, ...others }` of an object.
            "rest_pattern" => open.extend(node.named_child(0).map(|inner| (inner, known, None))),
            "object_pattern" => {
                let known = known.filter(|known| !node.is_wide() && *known != Hint::LITERAL);
                open.extend(node.named().map(|part| (part, known, None)));
            }
            "array_pattern" => {
                let parts = parts_of(walk, node, known);
                let known = known.filter(|known| !node.is_wide() && *known != Hint::LITERAL);
                open.extend(node.named().map(|part| match part.kind_name() {
                    "rest_pattern" => (part, known, None),
                    _ => (part, part_named(&parts, part), None),
                }));
            }
            _ => {}
        }
    }
}

/// What each part of `[a, { b }]` is of `known`, which may be a tuple: its places are noted.
pub(super) fn parts_of<'t>(
    walk: &mut Walk<'t>,
    pattern: Node<'t>,
    known: Option<Hint>,
) -> Vec<(Node<'t>, Option<Hint>)> {
    let is_list = pattern.kind_name() == "array_pattern" && !pattern.is_wide();
    let Some(known) = known.filter(|known| is_list && *known != Hint::LITERAL) else {
        return Vec::new();
    };
    let all = at_places(pattern).into_iter();
    let all = all.filter(|at| at.part.kind_name() != "rest_pattern");
    if !may_be_tuple(known) {
        return all.map(|at| (at.part, known.element())).collect();
    }
    // The first sign has the whole as its receiver, each other one the sign before.
    let mut of = known;
    for sign in pattern
        .parts()
        .filter(|part| matches!(part.kind_name(), "[" | ","))
    {
        walk.occurrence_at(sign, OccurrenceKind::Mention, Qualifier::None);
        walk.receiver(sign.start_position(), of);
        of = Hint::value(sign);
    }
    all.map(|at| (at.part, Some(Hint::value(at.sign))))
        .collect()
}

/// What is known of one of the parts of a pattern.
fn part_named<'t>(parts: &[(Node<'t>, Option<Hint>)], part: Node<'t>) -> Option<Hint> {
    parts.iter().find(|(of, _)| *of == part)?.1
}

/// What is known of a name that is one of the parts of a pattern, or one with a default: `[first = 1]`.
pub(super) fn name_of_part<'t>(parts: &[(Node<'t>, Option<Hint>)], name: Node<'t>) -> Option<Hint> {
    let default = name
        .parent()
        .filter(|above| above.kind_name() == "assignment_pattern");
    part_named(parts, name).or_else(|| part_named(parts, default?))
}

/// The list that is taken apart where it is written: `[a, b] = [x(), y()]`, `[a, b] = await Promise.all([x(), y()])`.
pub(super) fn list_taken_apart<'t>(
    walk: &Walk<'t>,
    pattern: Node<'t>,
    mut value: Node<'t>,
) -> Option<Node<'t>> {
    if pattern.kind_name() != "array_pattern" {
        return None;
    }
    if value.kind_name() == "await_expression" {
        value = value.named_child(0)?;
    }
    if value.kind_name() == "call_expression" {
        let is_all = walk.text_of(value.field("function")) == b"Promise.all";
        value = value
            .field("arguments")
            .filter(|_| is_all)?
            .named_child(0)?;
    }
    (value.kind_name() == "array" && !value.is_wide()).then_some(value)
}

/// Binds the names of a pattern to what stands in a list at their places.
pub(super) fn bind_each<'t>(
    walk: &mut Walk<'t>,
    pattern: Node<'t>,
    list: Node<'t>,
    scope: &Range<Point>,
    frame: &Frame<'t>,
) {
    let items = at_places(list);
    let spread = items
        .iter()
        .find(|at| at.part.kind_name() == "spread_element");
    let told = spread.map_or(usize::MAX, |at| at.place);
    for At { part, place, .. } in at_places(pattern) {
        let item = items.iter().find(|at| at.place == place && place < told);
        let known = item.and_then(|at| hint(walk, at.part));
        let is_rest = part.kind_name() == "rest_pattern";
        bind(walk, part, scope.clone(), known.filter(|_| !is_rest), frame);
        pattern_names(part, &mut |name, _, _| note_told(walk, name));
    }
}

/// What is known of the first of a pair that a framework gives: `[user, setUser] = useState<User>()`.
pub(super) fn pair_taken_apart<'t>(
    walk: &Walk<'t>,
    pattern: Node<'t>,
    value: Node<'t>,
) -> Option<Option<Hint>> {
    (pattern.kind_name() == "array_pattern" && !pattern.is_wide())
        .then(|| first_of_pair(walk, value))
        .flatten()
}

/// Binds the names of a pattern that takes a pair apart; `first` is what is known of its first part.
pub(super) fn bind_first<'t>(
    walk: &mut Walk<'t>,
    pattern: Node<'t>,
    first: Option<Hint>,
    scope: &Range<Point>,
    frame: &Frame<'t>,
) {
    for At { part, place, .. } in at_places(pattern) {
        let known = first.filter(|_| place == 0 && part.kind_name() != "rest_pattern");
        bind(walk, part, scope.clone(), known, frame);
    }
}

/// Binds the names of a pattern that takes apart what has something under the name `data`.
pub(super) fn bind_data<'t>(
    walk: &mut Walk<'t>,
    pattern: Node<'t>,
    data: Hint,
    scope: &Range<Point>,
    frame: &Frame<'t>,
) {
    pattern_names(pattern, &mut |name, _, _| {
        let above = name.parent();
        let key = above.and_then(|above| above.field_of("key", "property_identifier"));
        let is_data =
            walk.text(key.unwrap_or(name)) == b"data" && pattern.kind_name() == "object_pattern";
        walk.first_bound(frame.symbol, walk.text(name));
        walk.local(name, scope.clone(), is_data.then_some(data));
    });
}

/// What stands in a list, in the type of a tuple or in a pattern.
pub(super) struct At<'t> {
    pub(super) part: Node<'t>,
    /// From 0.
    pub(super) place: usize,
    /// The bracket or comma before it.
    pub(super) sign: Node<'t>,
}

/// What stands in a list, each with its place: every comma is one further (`[, second]`).
pub(super) fn at_places(list: Node<'_>) -> Vec<At<'_>> {
    let mut found = Vec::new();
    let (mut place, mut before) = (0, list);
    for child in list.parts() {
        match child.kind_name() {
            "," => (place, before) = (place + 1, child),
            "[" => before = child,
            _ if child.is_named() && !child.is_extra() => found.push(At {
                part: child,
                place,
                sign: before,
            }),
            _ => {}
        }
    }
    found
}

/// Binds the names of a pattern that takes a key and what is kept under it apart (`[key, value]`); `kept` is what is known
/// of the second.
pub(super) fn bind_pair<'t>(
    walk: &mut Walk<'t>,
    pattern: Node<'t>,
    scope: Range<Point>,
    kept: Option<Hint>,
    frame: &Frame<'t>,
) {
    let places = match pattern.is_wide() {
        true => Vec::new(),
        false => at_places(pattern),
    };
    let second = places.into_iter().find(|at| at.place == 1);
    let second = second.map(|at| at.part);
    pattern_names(pattern, &mut |name, part, _| {
        let whole = kept.filter(|_| Some(name) == second);
        walk.first_bound(frame.symbol, walk.text(name));
        walk.local(name, scope.clone(), part.or(whole));
        if let Some(object) = second.filter(|of| of.kind_name() == "object_pattern") {
            taken_apart(walk, object, name, kept);
        }
    });
}

/// `{ name }` in a pattern names a member of what is taken apart, too.
fn taken_apart<'t>(walk: &mut Walk<'t>, pattern: Node<'t>, name: Node<'t>, of: Option<Hint>) {
    let direct = |node: Node<'t>| node.parent() == Some(pattern);
    let part = name.kind_name() == "shorthand_property_identifier_pattern"
        && pattern.kind_name() == "object_pattern"
        && (direct(name) || name.parent().is_some_and(direct));
    if let Some(of) = of.filter(|_| part) {
        walk.receiver(name.start_position(), of);
    }
}
