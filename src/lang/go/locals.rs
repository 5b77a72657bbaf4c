//! Go: names bound inside functions.

use super::values::{of_type, of_value, pairs};
use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

/// What a name bound by a statement is visible in.
const BLOCKS: &[&str] = words!(
    "block if_statement for_statement expression_switch_statement type_switch_statement
     expression_case type_case default_case communication_case"
);

const FUNCTIONS: &[&str] =
    words!("func_literal function_declaration method_declaration method_elem function_type");

/// From behind a statement to the end of the block around it.
fn after<'t>(walk: &Walk<'t>, statement: Node<'t>) -> Range<Point> {
    statement.end_position()..walk.scope_within(BLOCKS).end
}

/// Binds names, `_` left out.
fn bind<'t>(walk: &mut Walk<'t>, names: &[Node<'t>], scope: &Range<Point>, hints: &[Option<Hint>]) {
    for (i, name) in names.iter().enumerate() {
        if name.kind_name() == "identifier" && walk.text(*name) != b"_" {
            walk.local(*name, scope.clone(), hints.get(i).copied().flatten());
        }
    }
}

/// The names and values on the sides of `:=`; `None` for `=`, which binds nothing.
fn sides<'t>(node: Node<'t>) -> Option<(Vec<Node<'t>>, Option<Node<'t>>)> {
    let left = node.field("left")?;
    let defines = node.kind_name() == "short_var_declaration"
        || left
            .next_sibling()
            .is_some_and(|sign| sign.kind_name() == ":=");
    defines.then(|| (left.content(), node.field("right")))
}

pub(super) fn short_var<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some((names, right)) = sides(node) {
        let hints = pairs(walk, &names, right);
        let scope = after(walk, node);
        bind(walk, &names, &scope, &hints);
    }
}

/// `case v := <-c` of a select statement.
pub(super) fn receive<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    short_var(walk, node, frame)
}

/// `for k, v := range xs`.
pub(super) fn range<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some((names, right)) = sides(node) {
        let value = right.and_then(|right| of_value(walk, right));
        // A single name is an index, a key or what comes from a channel.
        let element = value.and_then(|value| value.nested_element(1));
        let scope = after(walk, node);
        bind(walk, &names, &scope, &[None, element]);
    }
}

/// Constants and variables of a function.
pub(super) fn value_spec<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let names = node.named_fields("name");
    let hints = spec_hints(walk, node, &names);
    let scope = after(walk, node);
    bind(walk, &names, &scope, &hints);
}

/// What the names of a `var` or `const` are.
pub(super) fn spec_hints<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    names: &[Node<'t>],
) -> Vec<Option<Hint>> {
    match node.field("type") {
        Some(declared) => vec![of_type(walk, declared); names.len()],
        None => pairs(walk, names, node.field("value")),
    }
}

/// Parameters, receivers and named results.
pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let names = node.named_fields("name");
    if names.is_empty() {
        return;
    }
    let declared = node.field("type");
    let mut known = declared.and_then(|declared| of_type(walk, declared));
    if node.kind_name() == "variadic_parameter_declaration" {
        known = known.and_then(|known| known.collections(1));
    }
    let scope = walk.scope_within(FUNCTIONS);
    let hints = vec![known; names.len()];
    bind(walk, &names, &scope, &hints);
}

/// The type parameters that a method's receiver names anew: the `T` of `(s *Server[T])`.
pub(super) fn receiver_parameters<'t>(walk: &mut Walk<'t>, method: Node<'t>, receiver: Node<'t>) {
    let Some(declared) = receiver
        .named_child(0)
        .and_then(|parameter| parameter.field("type"))
    else {
        return;
    };
    let generic = match declared.kind_name() {
        "pointer_type" | "parenthesized_type" => declared.named_child(0),
        _ => Some(declared),
    };
    let Some(list) = generic.and_then(|generic| generic.field("type_arguments")) else {
        return;
    };
    for argument in list.content() {
        if let Some(name) = argument
            .named_child(0)
            .filter(|name| name.kind_name() == "type_identifier" && walk.text(*name) != b"_")
        {
            walk.local(name, method.span(), None);
        }
    }
}

/// `[T fmt.Stringer]`.
pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let names = node.named_fields("name");
    let bound = node.field("type");
    let hint = bound
        .and_then(|bound| of_type(walk, bound))
        .filter(|known| known.kind == HintKind::Type);
    let scope = walk.scope_within(words!(
        "function_declaration method_declaration type_spec type_alias"
    ));
    let hints = vec![hint; names.len()];
    bind(walk, &names, &scope, &hints);
}

/// `switch v := x.(type)`: outside of the cases the name is what it was.
pub(super) fn type_switch<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(alias) = node.field("alias") {
        let value = node.field("value");
        let hints = pairs(walk, &[alias], value);
        bind(walk, &alias.content(), &node.span(), &hints);
    }
}

/// In a case of one type the name that the switch binds is of that type.
pub(super) fn type_case<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let alias = walk
        .ancestor(0)
        .and_then(|switch| switch.node.field("alias"));
    let types = node.named_fields("type");
    if let (Some(alias), [one]) = (alias, types.as_slice())
        && let Some(known) = of_type(walk, *one)
    {
        let scope = one.end_position()..node.end_position();
        bind(walk, &alias.content(), &scope, &[Some(known)]);
    }
}
