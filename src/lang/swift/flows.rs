//! Parameters, variables, and what expressions and types of Swift say of values.

use super::{bound_names, child};
use crate::record::Flow;
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::sources::{MAX_STEPS, Source};
use crate::syntax::walk::{Frame, Walk};
use tree_sitter::Node;

const FUNCTIONS: &[&str] = &[
    "function_declaration",
    "protocol_function_declaration",
    "init_declaration",
    "subscript_declaration",
    "macro_declaration",
];

const BLOCKS: &[&str] = &[
    "statements",
    "function_body",
    "lambda_literal",
    "computed_property",
];

const TYPES: &[&str] = &[
    "user_type",
    "optional_type",
    "array_type",
    "dictionary_type",
    "opaque_type",
    "existential_type",
    "function_type",
    "tuple_type",
];

pub(super) fn clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    source(walk, node, MAX_STEPS).map(Source::clue)
}

fn text<'s>(walk: &Walk<'s>, node: Node<'_>) -> &'s [u8] {
    walk.src.get(node.byte_range()).unwrap_or(b"")
}

fn last_named<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| child.kind() == kind)
        .last()
}

fn source<'t>(walk: &Walk<'_>, mut node: Node<'t>, steps: usize) -> Option<Source<'t>> {
    for left in (0..steps).rev() {
        match node.kind() {
            "simple_identifier" => {
                return Some(match text(walk, node) {
                    b"self" => Source::This,
                    _ => Source::Of(Flow::Value, node),
                });
            }
            "self_expression" | "super_expression" => return Some(Source::This),
            "navigation_expression" => {
                let suffix = node.child_by_field_name("suffix")?;
                let name = suffix.child_by_field_name("suffix")?;
                if text(walk, name) == b"init" {
                    // `A.init` is `A`, called.
                    node = node.child_by_field_name("target")?;
                    continue;
                }
                return (name.kind() == "simple_identifier")
                    .then_some(Source::Of(Flow::Value, name));
            }
            "constructor_expression" => {
                let made = node.child_by_field_name("constructed_type")?;
                let name = last_named(made, "type_identifier")?;
                return Some(Source::Of(Flow::Result, name));
            }
            "call_expression" => {
                let callee = node.named_child(0)?;
                let index = child(node, &["call_suffix"])
                    .and_then(|suffix| child(suffix, &["value_arguments"]))
                    .and_then(|arguments| arguments.child(0))
                    .is_some_and(|first| first.kind() == "[");
                let found = source(walk, callee, left)?;
                return match found {
                    _ if index => found.element(),
                    Source::Of(Flow::Value, name) => Some(Source::Of(Flow::Result, name)),
                    _ => None,
                };
            }
            "try_expression" | "await_expression" => {
                node = node
                    .child_by_field_name("expr")
                    .or_else(|| last_child(node))?;
            }
            "postfix_expression" => node = node.child_by_field_name("target")?,
            "nil_coalescing_expression" => node = node.child_by_field_name("value")?,
            "ternary_expression" => node = node.child_by_field_name("if_true")?,
            "as_expression" => return type_source(walk, child(node, TYPES)?),
            "line_string_literal"
            | "multi_line_string_literal"
            | "raw_string_literal"
            | "integer_literal"
            | "real_literal"
            | "boolean_literal"
            | "array_literal"
            | "dictionary_literal"
            | "lambda_literal"
            | "regex_literal" => {
                return Some(Source::Literal);
            }
            _ => return None,
        }
    }
    None
}

fn last_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(node.named_child_count().checked_sub(1)? as u32)
}

/// Types of the language itself.
const BUILT_IN: &[&[u8]] = &[
    b"String",
    b"Int",
    b"Int64",
    b"Int32",
    b"UInt",
    b"UInt8",
    b"UInt32",
    b"UInt64",
    b"Bool",
    b"Double",
    b"Float",
    b"Character",
    b"Void",
    b"Any",
    b"Never",
    b"CGFloat",
];

const COLLECTIONS: &[&[u8]] = &[b"Array", b"Set", b"ArraySlice", b"ContiguousArray"];

fn type_source<'t>(walk: &Walk<'_>, mut node: Node<'t>) -> Option<Source<'t>> {
    let mut collections = 0;
    for _ in 0..MAX_STEPS {
        match node.kind() {
            "optional_type" => node = node.child_by_field_name("wrapped")?,
            "opaque_type" | "existential_type" => node = child(node, TYPES)?,
            "array_type" => (node, collections) = (child(node, TYPES)?, collections + 1),
            "dictionary_type" => (node, collections) = (last_child(node)?, collections + 1),
            "function_type" | "tuple_type" => return Source::Literal.collections(collections),
            "user_type" => {
                let name = last_named(node, "type_identifier")?;
                let word = text(walk, name);
                if word == b"Self" {
                    return Source::This.collections(collections);
                }
                if BUILT_IN.contains(&word) {
                    return Source::Literal.collections(collections);
                }
                let argument = last_named(node, "type_arguments")
                    .and_then(|arguments| child(arguments, TYPES));
                match (word, argument) {
                    (b"Optional" | b"Result", Some(first)) => node = first,
                    (_, Some(first)) if COLLECTIONS.contains(&word) => {
                        (node, collections) = (first, collections + 1);
                        continue;
                    }
                    _ => return Source::Of(Flow::Type, name).collections(collections),
                }
            }
            _ => return None,
        }
    }
    None
}

/// What the type that a node holds says.
pub(super) fn type_clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    type_source(walk, child(node, TYPES)?).map(Source::clue)
}

/// What a function gives back: the type after its arrow.
pub(super) fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Clue> {
    let mut cursor = function.walk();
    let mut after = function
        .children(&mut cursor)
        .skip_while(|part| part.kind() != "->");
    let annotation = after.find(|part| TYPES.contains(&part.kind()))?;
    type_source(walk, annotation).map(Source::clue)
}

/// What the properties of a declaration are, in the order of its patterns: of the type or the value
/// that follows each.
pub(super) fn property_clues(walk: &Walk<'_>, property: Node<'_>) -> Vec<Option<Clue>> {
    let mut clues: Vec<Option<Clue>> = Vec::new();
    let mut cursor = property.walk();
    if cursor.goto_first_child() {
        loop {
            let part = cursor.node();
            let found = match (cursor.field_name(), part.kind()) {
                (Some("name"), "pattern") => {
                    clues.push(None);
                    None
                }
                (_, "type_annotation") => type_clue(walk, part),
                (Some("value"), _) => clue(walk, part),
                _ => None,
            };
            if let Some(last) = clues.last_mut() {
                *last = last.or(found);
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    clues
}

/// `let x = ...` inside a function.
pub(super) fn local_property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let clues = property_clues(walk, node);
    let mut cursor = node.walk();
    let patterns: Vec<_> = node
        .children_by_field_name("name", &mut cursor)
        .filter(|name| name.kind() == "pattern")
        .collect();
    let mut scope = walk.scope_within(BLOCKS);
    scope.start = node.end_position();
    for (pattern, clue) in patterns.into_iter().zip(clues) {
        let mut names = Vec::new();
        bound_names(pattern, &mut names);
        let clue = clue.filter(|_| names.len() == 1);
        for name in names {
            walk.local(name, scope.clone(), clue);
        }
    }
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let name = last_named(node, "simple_identifier");
    if let Some(name) = name {
        let clue = type_clue(walk, node);
        let kinds = match node.kind() {
            "lambda_parameter" => &["lambda_literal"],
            _ => FUNCTIONS,
        };
        let scope = walk.scope_within(kinds);
        walk.local(name, scope, clue);
    }
    Visit::Descend
}

pub(super) fn for_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(pattern) = node.child_by_field_name("item") {
        let mut names = Vec::new();
        bound_names(pattern, &mut names);
        let element = node
            .child_by_field_name("collection")
            .and_then(|items| source(walk, items, MAX_STEPS)?.element())
            .filter(|_| names.len() == 1);
        let scope = node.start_position()..node.end_position();
        for name in names {
            walk.local(name, scope.clone(), element.map(Source::clue));
        }
    }
    Visit::Descend
}

/// `if let a = b` holds in the statement, `guard let a = b` after it.
pub(super) fn condition<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let mut scope = node.start_position()..node.end_position();
    if node.kind() == "guard_statement" {
        scope = walk.scope_within(BLOCKS);
        scope.start = node.start_position();
    }
    let mut found: Vec<(Node<'t>, Option<Clue>)> = Vec::new();
    let mut cursor = node.walk();
    if cursor.goto_first_child() {
        loop {
            let part = cursor.node();
            if cursor.field_name() == Some("bound_identifier") {
                // `if let a` is `a` itself.
                found.push((part, None));
            } else if let Some((_, last)) = found.last_mut()
                && last.is_none()
                && cursor.field_name() == Some("condition")
                && part.is_named()
            {
                *last = clue(walk, part);
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    for (name, clue) in found {
        walk.local(name, scope.clone(), clue);
    }
    Visit::Descend
}

pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = child(node, &["type_identifier"]) {
        let owners = &[
            "function_declaration",
            "protocol_function_declaration",
            "init_declaration",
            "class_declaration",
            "typealias_declaration",
        ];
        let scope = walk.scope_within(owners);
        walk.local(name, scope, None);
    }
    Visit::Descend
}
