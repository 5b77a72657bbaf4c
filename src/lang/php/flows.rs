//! Parameters, variables, and what expressions and types of PHP say of values.

use super::bare;
use crate::record::Flow;
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::sources::{MAX_STEPS, Source};
use crate::syntax::walk::{Frame, Scope, Walk};
use tree_sitter::Node;

const FUNCTIONS: &[&str] = &[
    "function_definition",
    "method_declaration",
    "anonymous_function",
    "arrow_function",
    "property_hook",
];

pub(super) fn clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    source(walk, node, MAX_STEPS).map(Source::clue)
}

fn source<'t>(walk: &Walk<'_>, mut node: Node<'t>, steps: usize) -> Option<Source<'t>> {
    for left in (0..steps).rev() {
        match node.kind() {
            "parenthesized_expression" | "clone_expression" | "error_suppression_expression" => {
                node = node.named_child(0)?;
            }
            "assignment_expression" | "augmented_assignment_expression" => {
                node = node.child_by_field_name("right")?;
            }
            // `a ?? b` is mostly `a`.
            "binary_expression" => {
                let operator = node.child_by_field_name("operator")?;
                if operator.kind() != "??" {
                    return Some(Source::Literal);
                }
                node = node.child_by_field_name("left")?;
            }
            "variable_name" => {
                let name = bare(node)?;
                return Some(match is_this(walk, name) {
                    true => Source::This,
                    false => Source::Of(Flow::Value, name),
                });
            }
            "member_access_expression"
            | "nullsafe_member_access_expression"
            | "scoped_property_access_expression" => {
                let name = node.child_by_field_name("name")?;
                let name = bare(name).or_else(|| (name.kind() == "name").then_some(name))?;
                return Some(Source::Of(Flow::Value, name));
            }
            "class_constant_access_expression" => {
                let last = node.named_child(node.named_child_count().checked_sub(1)? as u32)?;
                return match last.kind() {
                    "name" if text(walk, last) == b"class" => Some(Source::Literal),
                    "name" => Some(Source::Of(Flow::Value, last)),
                    _ => None,
                };
            }
            "function_call_expression" => {
                let function = node.child_by_field_name("function")?;
                let name = bare(function).or_else(|| last_name(function))?;
                return Some(Source::Of(Flow::Result, name));
            }
            "member_call_expression"
            | "nullsafe_member_call_expression"
            | "scoped_call_expression" => {
                let name = node.child_by_field_name("name")?;
                return (name.kind() == "name").then_some(Source::Of(Flow::Result, name));
            }
            "object_creation_expression" => {
                let name = last_name(node.named_child(0)?)?;
                return Some(match is_this(walk, name) {
                    true => Source::This,
                    false => Source::Of(Flow::Result, name),
                });
            }
            "subscript_expression" => return source(walk, node.named_child(0)?, left)?.element(),
            "string"
            | "encapsed_string"
            | "heredoc"
            | "nowdoc"
            | "integer"
            | "float"
            | "boolean"
            | "array_creation_expression"
            | "anonymous_function"
            | "arrow_function"
            | "cast_expression" => return Some(Source::Literal),
            _ => return None,
        }
    }
    None
}

/// Bytes of a node of the tree, whatever its lifetime.
fn text<'s>(walk: &Walk<'s>, node: Node<'_>) -> &'s [u8] {
    walk.src.get(node.byte_range()).unwrap_or(b"")
}

fn is_this(walk: &Walk<'_>, name: Node<'_>) -> bool {
    matches!(text(walk, name), b"this" | b"self" | b"static")
}

/// The last name of a path.
fn last_name(path: Node<'_>) -> Option<Node<'_>> {
    match path.kind() {
        "name" => Some(path),
        "qualified_name" | "relative_name" => {
            let last = path.named_child(path.named_child_count().checked_sub(1)? as u32)?;
            (last.kind() == "name").then_some(last)
        }
        _ => None,
    }
}

/// What a type says of its instances. Of several it must be the only class.
pub(super) fn type_clue(walk: &Walk<'_>, node: Option<Node<'_>>) -> Option<Clue> {
    let mut node = node?;
    while node.kind() == "optional_type" {
        node = node.named_child(0)?;
    }
    if matches!(node.kind(), "union_type" | "intersection_type") {
        let mut cursor = node.walk();
        let parts = node.named_children(&mut cursor);
        let mut classes = parts.filter(|part| part.kind() == "named_type");
        let only = classes.next()?;
        if classes.next().is_some() {
            return None;
        }
        node = only;
    }
    match node.kind() {
        "primitive_type" => Some(Clue::LITERAL),
        "named_type" => {
            let name = last_name(node.named_child(0)?)?;
            Some(match is_this(walk, name) {
                true => Clue::THIS,
                false => Clue::of(Flow::Type, name),
            })
        }
        "bottom_type" => Some(Clue::LITERAL),
        _ => None,
    }
}

/// What a function gives back: its type, or what its last statement returns.
pub(super) fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Clue> {
    if let Some(annotation) = function.child_by_field_name("return_type") {
        return type_clue(walk, Some(annotation));
    }
    let body = function.child_by_field_name("body")?;
    let last = body.named_child(body.named_child_count().checked_sub(1)? as u32)?;
    if last.kind() != "return_statement" {
        return None;
    }
    let value = last.named_child(0)?;
    let telling = matches!(value.kind(), "object_creation_expression")
        || bare(value).is_some_and(|name| is_this(walk, name));
    if telling { clue(walk, value) } else { None }
}

/// Notes that a variable is bound in the function around it. Bindings hold for all of it; one that
/// follows another holds from where it stands.
pub(super) fn bind<'t>(walk: &mut Walk<'t>, frame: &Frame<'t>, name: Node<'t>, clue: Option<Clue>) {
    if frame.scope != Scope::Function || is_this(walk, name) {
        return;
    }
    let mut scope = walk.scope_within(FUNCTIONS);
    let (id, _) = walk.names.intern(walk.text(name));
    if !walk.bound.insert((frame.symbol, id)) {
        scope.start = name.start_position();
    }
    walk.local(name, scope, clue);
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name").and_then(bare) {
        let mut clue = type_clue(walk, node.child_by_field_name("type"));
        if node.kind() == "variadic_parameter" {
            let element = node
                .child_by_field_name("type")
                .and_then(|annotation| last_name(annotation.named_child(0)?));
            clue = element.map(|name| Clue::of(Flow::Elements, name));
        }
        // A parameter begins anew whatever an outer function called it.
        let scope = walk.scope_within(FUNCTIONS);
        let (id, _) = walk.names.intern(walk.text(name));
        walk.bound.insert((frame.symbol, id));
        walk.local(name, scope, clue);
    }
    Visit::Descend
}

pub(super) fn caught<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name").and_then(bare) {
        let types = node.child_by_field_name("type");
        let only = types.filter(|types| types.named_child_count() == 1);
        let clue = type_clue(walk, only.and_then(|types| types.named_child(0)));
        bind(walk, frame, name, clue);
    }
    Visit::Descend
}

pub(super) fn static_variable<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    if let Some(name) = node.child_by_field_name("name").and_then(bare) {
        let value = node.child_by_field_name("value");
        let clue = value.and_then(|value| clue(walk, value));
        bind(walk, frame, name, clue);
    }
    Visit::Descend
}

/// The variables that a loop over `collection`, or a list on the left of `=`, assigns to.
pub(super) fn bind_targets<'t>(
    walk: &mut Walk<'t>,
    frame: &Frame<'t>,
    mut target: Node<'t>,
    collection: Option<Node<'t>>,
) {
    if target.kind() == "pair" {
        if let Some(key) = target.named_child(0).and_then(bare) {
            bind(walk, frame, key, None);
        }
        let Some(value) = target.named_child(1) else {
            return;
        };
        target = value;
    }
    match target.kind() {
        "variable_name" | "by_ref" => {
            if let Some(name) = bare(target) {
                let element = collection
                    .and_then(|collection| source(walk, collection, MAX_STEPS))
                    .and_then(Source::element);
                bind(walk, frame, name, element.map(Source::clue));
            }
        }
        "list_literal" => {
            let mut names = Vec::new();
            let mut pending = vec![target];
            while let Some(list) = pending.pop() {
                let mut cursor = list.walk();
                for item in list.named_children(&mut cursor) {
                    match item.kind() {
                        "list_literal" => pending.push(item),
                        _ => names.extend(bare(item)),
                    }
                }
            }
            names.sort_by_key(|name| name.start_byte());
            for name in names {
                bind(walk, frame, name, None);
            }
        }
        _ => {}
    }
}
