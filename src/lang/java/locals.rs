//! Java: names bound by parameters, variables and patterns.

use super::values::{of_declared, of_type, of_value};
use crate::syntax::rows::Visit;
use crate::syntax::values::{Known, children, in_field, span, text};
use crate::syntax::walk::{Frame, Scope, Walk};
use std::ops::Range;
use tree_sitter::{Node, Point};

const BLOCKS: &[&str] = &[
    "block",
    "constructor_body",
    "for_statement",
    "switch_block_statement_group",
    "switch_rule",
    "lambda_expression",
];

const FUNCTIONS: &[&str] = &[
    "method_declaration",
    "constructor_declaration",
    "lambda_expression",
];

fn after<'t>(walk: &Walk<'t>, node: Node<'t>) -> Range<Point> {
    node.end_position()..walk.scope_within(BLOCKS).end
}

pub(super) fn variables<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let declared = node.child_by_field_name("type");
    no_type(walk, declared);
    let end = walk.scope_within(BLOCKS).end;
    for declarator in in_field(node, "declarator") {
        let Some(name) = declarator.child_by_field_name("name") else {
            continue;
        };
        let value = declarator.child_by_field_name("value");
        let mut known = of_declared(walk, declared, value);
        if declarator.child_by_field_name("dimensions").is_some() {
            known = known.and_then(|known| known.collection(1));
        }
        walk.local(name, declarator.end_position()..end, known.map(Known::clue));
    }
    Visit::Descend
}

/// `var` stands where a type stands and is none.
fn no_type<'t>(walk: &mut Walk<'t>, declared: Option<Node<'t>>) {
    if let Some(declared) = declared.filter(|declared| walk.text(*declared) == b"var") {
        walk.pass_over(declared);
    }
}

/// A parameter of a method, a constructor or a lambda that says its type.
pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.child_by_field_name("name") {
        let declared = node.child_by_field_name("type");
        no_type(walk, declared);
        let mut known = declared.and_then(|declared| of_type(walk, declared));
        if node.child_by_field_name("dimensions").is_some() {
            known = known.and_then(|known| known.collection(1));
        }
        let scope = walk.scope_within(FUNCTIONS);
        walk.local(name, scope, known.map(Known::clue));
    }
}

/// `Job... jobs`.
pub(super) fn spread<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let parts = children(node);
    let declarator = parts.last().copied();
    if let Some(name) = declarator.and_then(|last| last.child_by_field_name("name")) {
        let declared = parts.iter().rev().nth(1);
        let known = declared
            .and_then(|declared| of_type(walk, *declared))
            .and_then(|known| known.collection(1));
        let scope = walk.scope_within(FUNCTIONS);
        walk.local(name, scope, known.map(Known::clue));
    }
    Visit::Descend
}

/// A lambda's parameters that leave their types to be inferred.
pub(super) fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = Scope::Function;
    if let Some(parameters) = node.child_by_field_name("parameters") {
        match parameters.kind() {
            "identifier" => walk.local(parameters, span(node), None),
            "inferred_parameters" => {
                for name in children(parameters) {
                    walk.local(name, span(node), None);
                }
            }
            _ => {}
        }
    }
    Visit::Descend
}

pub(super) fn catch_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let declared = children(node)
            .into_iter()
            .find(|part| part.kind() == "catch_type");
        let known = declared.and_then(|declared| of_type(walk, declared));
        let scope = walk.scope_within(&["catch_clause"]);
        walk.local(name, scope, known.map(Known::clue));
    }
    Visit::Descend
}

pub(super) fn enhanced_for<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let (Some(name), Some(declared), Some(body)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("type"),
        node.child_by_field_name("body"),
    ) {
        let value = node.child_by_field_name("value");
        no_type(walk, Some(declared));
        let known = if text(walk, declared) == b"var" {
            let value = value.and_then(|value| of_value(walk, value));
            value.and_then(|value| value.element(1))
        } else {
            of_type(walk, declared)
        };
        walk.local(name, span(body), known.map(Known::clue));
    }
    Visit::Descend
}

/// `try (Reader in = open())`: open until the block ends.
pub(super) fn resource<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let body = walk
        .ancestor(1)
        .and_then(|statement| statement.node.child_by_field_name("body"));
    if let (Some(name), Some(body)) = (node.child_by_field_name("name"), body) {
        let declared = node.child_by_field_name("type");
        no_type(walk, declared);
        let known = of_declared(walk, declared, node.child_by_field_name("value"));
        let scope = node.end_position()..body.end_position();
        walk.local(name, scope, known.map(Known::clue));
    }
    Visit::Descend
}

/// `x instanceof Job job`. The name may be known in what follows the statement too, so it is bound
/// until the block ends.
pub(super) fn instance_of<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let (Some(name), Some(right)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("right"),
    ) {
        let known = of_type(walk, right);
        let scope = after(walk, node);
        walk.local(name, scope, known.map(Known::clue));
    }
    Visit::Descend
}

/// `case Job job ->` and the parts of `case Pair(Job left, var right)`.
pub(super) fn pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let parts = children(node);
    if let [.., declared, name] = parts.as_slice()
        && name.kind() == "identifier"
    {
        no_type(walk, Some(*declared));
        let known = of_type(walk, *declared);
        let scope = after(walk, node);
        walk.local(*name, scope, known.map(Known::clue));
    }
    Visit::Descend
}

/// `<T extends Job>`.
pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let parts = children(node);
    let is = |kind: &str| parts.iter().find(|part| part.kind() == kind).copied();
    if let Some(name) = is("type_identifier") {
        let known = is("type_bound").and_then(|bound| of_type(walk, bound));
        let scope = walk.scope_within(&[
            "method_declaration",
            "constructor_declaration",
            "class_declaration",
            "interface_declaration",
            "record_declaration",
        ]);
        walk.local(name, scope, known.map(Known::clue));
    }
    Visit::Descend
}
