//! Parameters, variables, and what expressions and types of Dart say of values.

use super::{child, type_name};
use crate::record::Flow;
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::sources::{MAX_STEPS, Source};
use crate::syntax::walk::{Frame, Walk};
use tree_sitter::Node;

const FUNCTIONS: &[&str] = &[
    "function_declaration",
    "setter_declaration",
    "external_function_declaration",
    "local_function_declaration",
    "method_declaration",
    "declaration",
    "function_expression",
    "type_alias",
];

const BLOCKS: &[&str] = &["block", "for_statement", "switch_statement_case"];

pub(super) fn clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    source(walk, node, MAX_STEPS).map(Source::clue)
}

fn text<'s>(walk: &Walk<'s>, node: Node<'_>) -> &'s [u8] {
    walk.src.get(node.byte_range()).unwrap_or(b"")
}

fn source<'t>(walk: &Walk<'_>, mut node: Node<'t>, steps: usize) -> Option<Source<'t>> {
    for left in (0..steps).rev() {
        match node.kind() {
            "identifier" => return Some(Source::Of(Flow::Value, node)),
            "this" | "super" => return Some(Source::This),
            "parenthesized_expression" | "cascade" | "await_expression" => {
                node = node.named_child(0)?;
            }
            "unary_expression" => node = child(node, &["await_expression"])?,
            "null_assertion_expression" => node = node.child_by_field_name("value")?,
            "if_null_expression" => node = node.named_child(0)?,
            "member_expression" | "null_aware_member_expression" => {
                return Some(Source::Of(
                    Flow::Value,
                    node.child_by_field_name("property")?,
                ));
            }
            "call_expression" => {
                let mut function = node.child_by_field_name("function")?;
                if function.kind() == "instantiation_expression" {
                    function = function.child_by_field_name("function")?;
                }
                return match source(walk, function, left)? {
                    Source::Of(Flow::Value, name) => Some(Source::Of(Flow::Result, name)),
                    _ => None,
                };
            }
            "new_expression" | "const_object_expression" => {
                let name = node
                    .child_by_field_name("constructor")
                    .filter(|name| name.kind() == "identifier")
                    .or_else(|| type_name(node.child_by_field_name("type")?))?;
                return Some(Source::Of(Flow::Result, name));
            }
            "index_expression" => {
                return source(walk, node.child_by_field_name("object")?, left)?.element();
            }
            "type_cast_expression" => {
                let cast = child(node, &["type_cast"])?;
                return type_source(walk, child(cast, &["type"])?);
            }
            "string_literal"
            | "decimal_integer_literal"
            | "decimal_floating_point_literal"
            | "hex_integer_literal"
            | "true"
            | "false"
            | "list_literal"
            | "set_or_map_literal"
            | "function_expression"
            | "record_literal" => return Some(Source::Literal),
            _ => return None,
        }
    }
    None
}

/// Types of the language itself.
const BUILT_IN: &[&[u8]] = &[
    b"String",
    b"int",
    b"double",
    b"num",
    b"bool",
    b"dynamic",
    b"Object",
    b"Never",
    b"Null",
    b"Function",
];

fn type_source<'t>(walk: &Walk<'_>, mut node: Node<'t>) -> Option<Source<'t>> {
    let mut collections = 0;
    for _ in 0..MAX_STEPS {
        if child(node, &["void_type", "function_type"]).is_some() {
            return Source::Literal.collections(collections);
        }
        let name = type_name(node)?;
        let word = text(walk, name);
        if BUILT_IN.contains(&word) {
            return Source::Literal.collections(collections);
        }
        let arguments = child(node, &["type_arguments"]);
        let argument = |at: u32| arguments.and_then(|list| list.named_child(at));
        match (word, argument(0)) {
            (b"Future" | b"FutureOr", Some(first)) => node = first,
            (b"List" | b"Iterable" | b"Set" | b"Stream" | b"Iterator", Some(first)) => {
                (node, collections) = (first, collections + 1);
                continue;
            }
            (b"Map", Some(_)) => (node, collections) = (argument(1)?, collections + 1),
            _ => return Source::Of(Flow::Type, name).collections(collections),
        }
    }
    None
}

/// What the type that a node holds says.
pub(super) fn type_clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    type_source(walk, child(node, &["type"])?).map(Source::clue)
}

/// What a variable is: of the type given for its list, else its value.
pub(super) fn variable_clue(walk: &Walk<'_>, list: Node<'_>, variable: Node<'_>) -> Option<Clue> {
    type_clue(walk, list).or_else(|| clue(walk, variable.child_by_field_name("value")?))
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let name = node
        .child_by_field_name("name")
        .or_else(|| child(node, &["identifier"]));
    if let Some(name) = name.filter(|name| name.kind() == "identifier") {
        let clue = type_clue(walk, node);
        let scope = walk.scope_within(FUNCTIONS);
        walk.local(name, scope, clue);
    }
    Visit::Descend
}

/// `var a = b, c = d;` inside a function.
pub(super) fn variables<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let mut scope = walk.scope_within(BLOCKS);
    scope.start = node.start_position();
    let mut cursor = node.walk();
    let others: Vec<_> = node
        .named_children(&mut cursor)
        .filter(|part| part.kind() == "initialized_identifier")
        .collect();
    for variable in std::iter::once(node).chain(others) {
        if let Some(name) = variable.child_by_field_name("name") {
            let clue = variable_clue(walk, node, variable);
            walk.local(name, scope.clone(), clue);
        }
    }
    Visit::Descend
}

pub(super) fn pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let clue = type_clue(walk, node);
        let mut scope = walk.scope_within(BLOCKS);
        scope.start = node.start_position();
        walk.local(name, scope, clue);
    }
    Visit::Descend
}

/// `for (var a in b)`.
pub(super) fn for_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let element = node
            .child_by_field_name("value")
            .and_then(|items| source(walk, items, MAX_STEPS)?.element());
        let clue = type_clue(walk, node).or(element.map(Source::clue));
        walk.local(name, node.start_position()..node.end_position(), clue);
    }
    Visit::Descend
}

/// `on A catch (e, stack)`: the names hold in the block that follows.
pub(super) fn caught<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let end = node.next_named_sibling().unwrap_or(node).end_position();
    let clue = node
        .prev_named_sibling()
        .filter(|class| class.kind() == "type")
        .and_then(|class| type_source(walk, class))
        .map(Source::clue);
    if let Some(name) = node.child_by_field_name("exception") {
        walk.local(name, node.start_position()..end, clue);
    }
    if let Some(name) = node.child_by_field_name("stack_trace") {
        walk.local(name, node.start_position()..end, Some(Clue::LITERAL));
    }
    Visit::Descend
}
