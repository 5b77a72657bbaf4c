//! Parameters, variables, and what expressions and types of Scala say of values.

use super::{bound_names, child, type_name};
use crate::record::Flow;
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::sources::{MAX_STEPS, Source};
use crate::syntax::walk::{Frame, Walk};
use tree_sitter::Node;

const OWNERS: &[&str] = &[
    "function_definition",
    "function_declaration",
    "extension_definition",
    "given_definition",
    "class_definition",
    "trait_definition",
    "enum_definition",
    "full_enum_case",
    "type_definition",
];

const BLOCKS: &[&str] = &["block", "indented_block", "case_clause", "template_body"];

pub(super) fn clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    source(walk, node).map(Source::clue)
}

fn text<'s>(walk: &Walk<'s>, node: Node<'_>) -> &'s [u8] {
    walk.src.get(node.byte_range()).unwrap_or(b"")
}

fn source<'t>(walk: &Walk<'_>, mut node: Node<'t>) -> Option<Source<'t>> {
    for _ in 0..MAX_STEPS {
        match node.kind() {
            "identifier" => {
                return Some(match text(walk, node) {
                    b"this" | b"super" => Source::This,
                    _ => Source::Of(Flow::Value, node),
                });
            }
            "parenthesized_expression" => node = node.named_child(0)?,
            "field_expression" => {
                return Some(Source::Of(Flow::Value, node.child_by_field_name("field")?));
            }
            "call_expression" => {
                let mut function = node.child_by_field_name("function")?;
                if function.kind() == "generic_function" {
                    function = function.child_by_field_name("function")?;
                }
                let name = match function.kind() {
                    "identifier" => function,
                    "field_expression" => function.child_by_field_name("field")?,
                    // `f(a)(b)`.
                    "call_expression" => {
                        node = function;
                        continue;
                    }
                    _ => return None,
                };
                return Some(Source::Of(Flow::Result, name));
            }
            "instance_expression" => {
                let name = node.named_child(0).and_then(type_name)?;
                return Some(Source::Of(Flow::Result, name));
            }
            "ascription_expression" => {
                return type_source(walk, node.child_by_field_name("type")?);
            }
            "string"
            | "interpolated_string_expression"
            | "integer_literal"
            | "floating_point_literal"
            | "boolean_literal"
            | "character_literal"
            | "lambda_expression"
            | "unit"
            | "tuple_expression" => return Some(Source::Literal),
            _ => return None,
        }
    }
    None
}

/// Types of the language itself.
const BUILT_IN: &[&[u8]] = &[
    b"String", b"Int", b"Long", b"Short", b"Byte", b"Char", b"Boolean", b"Double", b"Float",
    b"Unit", b"Any", b"AnyRef", b"Nothing",
];

/// Types that stand for the one value in them.
const WRAPPERS: &[&[u8]] = &[b"Option", b"Future", b"Try", b"IO", b"Task"];

const COLLECTIONS: &[&[u8]] = &[
    b"List",
    b"Seq",
    b"Vector",
    b"Set",
    b"Array",
    b"Iterable",
    b"Iterator",
    b"IndexedSeq",
];

fn type_source<'t>(walk: &Walk<'_>, mut node: Node<'t>) -> Option<Source<'t>> {
    let mut collections = 0;
    for _ in 0..MAX_STEPS {
        let name = type_name(node)?;
        let word = text(walk, name);
        if BUILT_IN.contains(&word) {
            return Source::Literal.collections(collections);
        }
        let arguments = node.child_by_field_name("type_arguments");
        let argument = |at: u32| arguments.and_then(|list| list.named_child(at));
        match argument(0) {
            Some(first) if WRAPPERS.contains(&word) => node = first,
            Some(first) if COLLECTIONS.contains(&word) => {
                (node, collections) = (first, collections + 1);
                continue;
            }
            Some(_) if word == b"Map" => (node, collections) = (argument(1)?, collections + 1),
            _ => return Source::Of(Flow::Type, name).collections(collections),
        }
    }
    None
}

/// What the type in a field of a node says.
pub(super) fn type_clue(walk: &Walk<'_>, node: Node<'_>, field: &str) -> Option<Clue> {
    type_source(walk, node.child_by_field_name(field)?).map(Source::clue)
}

/// What a definition is of: its type, else what it is said to be.
pub(super) fn value_clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    type_clue(walk, node, "type").or_else(|| clue(walk, node.child_by_field_name("value")?))
}

pub(super) fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Clue> {
    type_clue(walk, function, "return_type")
        .or_else(|| clue(walk, function.child_by_field_name("body")?))
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    plain_parameter(walk, node);
    Visit::Descend
}

/// A parameter that is no field.
pub(super) fn plain_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.child_by_field_name("name") {
        let clue = type_clue(walk, node, "type");
        let scope = walk.scope_within(OWNERS);
        walk.local(name, scope, clue);
    }
}

pub(super) fn binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let clue = type_clue(walk, node, "type");
        let scope = walk.scope_within(&["lambda_expression", "colon_argument"]);
        walk.local(name, scope, clue);
    }
    Visit::Descend
}

/// `x => ...`: the parameter is the list.
pub(super) fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node
        .child_by_field_name("parameters")
        .filter(|name| name.kind() == "identifier")
    {
        walk.local(name, node.start_position()..node.end_position(), None);
    }
}

/// `val x = ...` inside a function.
pub(super) fn local_value<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut names = Vec::new();
    if let Some(pattern) = node.child_by_field_name("pattern") {
        bound_names(walk, pattern, &mut names);
    }
    let clue = value_clue(walk, node).filter(|_| names.len() == 1);
    let mut scope = walk.scope_within(BLOCKS);
    scope.start = node.start_position();
    for name in names {
        walk.local(name, scope.clone(), clue);
    }
}

/// `x <- xs` and `x = y`, in a comprehension.
pub(super) fn enumerator<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(pattern) = node.named_child(0) else {
        return;
    };
    let draws = child(node, &["<-"]).is_some();
    let mut names = Vec::new();
    bound_names(walk, pattern, &mut names);
    let value = node.named_child(1).and_then(|value| source(walk, value));
    let found = if draws {
        value.and_then(Source::element)
    } else {
        value
    };
    let clue = found.map(Source::clue).filter(|_| names.len() == 1);
    let mut scope = walk.scope_within(&["for_expression"]);
    scope.start = node.start_position();
    for name in names {
        walk.local(name, scope.clone(), clue);
    }
}

/// The names that the pattern of a case binds.
pub(super) fn case<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(pattern) = node.child_by_field_name("pattern") else {
        return;
    };
    let mut names = Vec::new();
    bound_names(walk, pattern, &mut names);
    for name in names {
        let capital = walk.text(name).first().is_some_and(u8::is_ascii_uppercase);
        if capital {
            continue;
        }
        let typed = name
            .parent()
            .filter(|above| above.kind() == "typed_pattern");
        let clue = typed.and_then(|typed| type_clue(walk, typed, "type"));
        walk.local(name, node.start_position()..node.end_position(), clue);
    }
}

pub(super) fn type_parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let scope = walk.scope_within(OWNERS);
    let mut cursor = node.walk();
    let names: Vec<_> = node
        .children_by_field_name("name", &mut cursor)
        .filter(|name| name.kind() == "identifier")
        .collect();
    for name in names {
        walk.local(name, scope.clone(), None);
    }
    Visit::Descend
}
