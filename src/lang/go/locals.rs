//! Go: names bound inside functions.

use super::values::{of_type, of_value, pairs};
use crate::record::Flow;
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::values::{Known, children, in_field, span, text};
use crate::syntax::walk::{Frame, Walk};
use std::ops::Range;
use tree_sitter::{Node, Point};

/// What a name bound by a statement is visible in.
const BLOCKS: &[&str] = &[
    "block",
    "if_statement",
    "for_statement",
    "expression_switch_statement",
    "type_switch_statement",
    "expression_case",
    "type_case",
    "default_case",
    "communication_case",
];

const FUNCTIONS: &[&str] = &[
    "func_literal",
    "function_declaration",
    "method_declaration",
    "method_elem",
    "function_type",
];

/// From behind a statement to the end of the block around it.
fn after<'t>(walk: &Walk<'t>, statement: Node<'t>) -> Range<Point> {
    statement.end_position()..walk.scope_within(BLOCKS).end
}

/// Binds names, `_` left out.
fn bind<'t>(walk: &mut Walk<'t>, names: &[Node<'t>], scope: &Range<Point>, clues: &[Option<Clue>]) {
    for (i, name) in names.iter().enumerate() {
        if name.kind() == "identifier" && walk.text(*name) != b"_" {
            walk.local(*name, scope.clone(), clues.get(i).copied().flatten());
        }
    }
}

/// The names and values on the sides of `:=`; `None` for `=`, which binds nothing.
fn sides<'t>(node: Node<'t>) -> Option<(Vec<Node<'t>>, Option<Node<'t>>)> {
    let left = node.child_by_field_name("left")?;
    let defines = node.kind() == "short_var_declaration"
        || left.next_sibling().is_some_and(|sign| sign.kind() == ":=");
    defines.then(|| (children(left), node.child_by_field_name("right")))
}

pub(super) fn short_var<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some((names, right)) = sides(node) {
        let clues = pairs(walk, &names, right);
        let scope = after(walk, node);
        bind(walk, &names, &scope, &clues);
    }
    Visit::Descend
}

/// `case v := <-c` of a select statement.
pub(super) fn receive<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    short_var(walk, node, frame)
}

/// `for k, v := range xs`.
pub(super) fn range<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some((names, right)) = sides(node) {
        let value = right.and_then(|right| of_value(walk, right));
        // A single name is an index, a key or what comes from a channel.
        let element = value.and_then(|value| value.element(1)).map(Known::clue);
        let scope = after(walk, node);
        bind(walk, &names, &scope, &[None, element]);
    }
    Visit::Descend
}

/// Constants and variables of a function.
pub(super) fn value_spec<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let names = in_field(node, "name");
    let clues = spec_clues(walk, node, &names);
    let scope = after(walk, node);
    bind(walk, &names, &scope, &clues);
}

/// What the names of a `var` or `const` are.
pub(super) fn spec_clues<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    names: &[Node<'t>],
) -> Vec<Option<Clue>> {
    match node.child_by_field_name("type") {
        Some(declared) => vec![of_type(walk, declared).map(Known::clue); names.len()],
        None => pairs(walk, names, node.child_by_field_name("value")),
    }
}

/// Parameters, receivers and named results.
pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let names = in_field(node, "name");
    if names.is_empty() {
        return Visit::Descend;
    }
    let declared = node.child_by_field_name("type");
    let mut known = declared.and_then(|declared| of_type(walk, declared));
    if node.kind() == "variadic_parameter_declaration" {
        known = known.and_then(|known| known.collection(1));
    }
    let scope = walk.scope_within(FUNCTIONS);
    let clues = vec![known.map(Known::clue); names.len()];
    bind(walk, &names, &scope, &clues);
    Visit::Descend
}

/// The type parameters that a method's receiver names anew: the `T` of `(s *Server[T])`.
pub(super) fn receiver_parameters<'t>(walk: &mut Walk<'t>, method: Node<'t>, receiver: Node<'t>) {
    let Some(declared) = receiver
        .named_child(0)
        .and_then(|parameter| parameter.child_by_field_name("type"))
    else {
        return;
    };
    let generic = match declared.kind() {
        "pointer_type" | "parenthesized_type" => declared.named_child(0),
        _ => Some(declared),
    };
    let Some(list) = generic.and_then(|generic| generic.child_by_field_name("type_arguments"))
    else {
        return;
    };
    for argument in children(list) {
        if let Some(name) = argument
            .named_child(0)
            .filter(|name| name.kind() == "type_identifier" && text(walk, *name) != b"_")
        {
            walk.local(name, span(method), None);
        }
    }
}

/// `[T fmt.Stringer]`.
pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let names = in_field(node, "name");
    let bound = node.child_by_field_name("type");
    let clue = bound
        .and_then(|bound| of_type(walk, bound))
        .filter(|known| known.flow == Flow::Type)
        .map(Known::clue);
    let scope = walk.scope_within(&[
        "function_declaration",
        "method_declaration",
        "type_spec",
        "type_alias",
    ]);
    let clues = vec![clue; names.len()];
    bind(walk, &names, &scope, &clues);
    Visit::Descend
}

/// `switch v := x.(type)`: outside of the cases the name is what it was.
pub(super) fn type_switch<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(alias) = node.child_by_field_name("alias") {
        let value = node.child_by_field_name("value");
        let clues = pairs(walk, &[alias], value);
        bind(walk, &children(alias), &span(node), &clues);
    }
    Visit::Descend
}

/// In a case of one type the name that the switch binds is of that type.
pub(super) fn type_case<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let alias = walk
        .ancestor(0)
        .and_then(|switch| switch.node.child_by_field_name("alias"));
    let types = in_field(node, "type");
    if let (Some(alias), [one]) = (alias, types.as_slice())
        && let Some(known) = of_type(walk, *one)
    {
        let scope = one.end_position()..node.end_position();
        bind(walk, &children(alias), &scope, &[Some(known.clue())]);
    }
    Visit::Descend
}
