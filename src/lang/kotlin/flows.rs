//! Parameters, variables, and what expressions and types of Kotlin say of values.

use super::child;
use crate::record::Flow;
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::sources::{MAX_STEPS, Source};
use crate::syntax::walk::{Frame, Walk};
use tree_sitter::Node;

const FUNCTIONS: &[&str] = &[
    "function_declaration",
    "anonymous_function",
    "secondary_constructor",
    "setter",
];

const BLOCKS: &[&str] = &[
    "block",
    "lambda_literal",
    "when_expression",
    "function_body",
];

const TYPES: &[&str] = &[
    "user_type",
    "nullable_type",
    "non_nullable_type",
    "parenthesized_type",
    "function_type",
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
            "identifier" => {
                return match text(walk, node) {
                    b"null" => None,
                    b"true" | b"false" => Some(Source::Literal),
                    _ => Some(Source::Of(Flow::Value, node)),
                };
            }
            "this_expression" | "super_expression" => return Some(Source::This),
            "parenthesized_expression" => node = node.named_child(0)?,
            "navigation_expression" => {
                return Some(Source::Of(Flow::Value, last_named(node, "identifier")?));
            }
            "call_expression" => {
                let callee = node.named_child(0)?;
                match callee.kind() {
                    "identifier" => return Some(Source::Of(Flow::Result, callee)),
                    "navigation_expression" => {
                        let name = last_named(callee, "identifier")?;
                        if matches!(text(walk, name), b"apply" | b"also") {
                            node = callee.named_child(0)?;
                            continue;
                        }
                        return Some(Source::Of(Flow::Result, name));
                    }
                    // `f(x) { ... }` is one call.
                    "call_expression" => node = callee,
                    _ => return None,
                }
            }
            "unary_expression" => {
                if node.child_by_field_name("operator")?.kind() != "!!" {
                    return Some(Source::Literal);
                }
                node = node.child_by_field_name("argument")?;
            }
            "binary_expression" => {
                if node.child_by_field_name("operator")?.kind() != "?:" {
                    return None;
                }
                node = node.child_by_field_name("left")?;
            }
            "as_expression" => return type_source(walk, node.child_by_field_name("right")?),
            "index_expression" => return source(walk, node.named_child(0)?, left)?.element(),
            "string_literal"
            | "multiline_string_literal"
            | "number_literal"
            | "float_literal"
            | "character_literal"
            | "lambda_literal"
            | "collection_literal"
            | "is_expression"
            | "in_expression"
            | "range_expression" => {
                return Some(Source::Literal);
            }
            _ => return None,
        }
    }
    None
}

/// Types of the language itself.
const BUILT_IN: &[&[u8]] = &[
    b"String",
    b"Int",
    b"Long",
    b"Short",
    b"Byte",
    b"Char",
    b"Boolean",
    b"Double",
    b"Float",
    b"Unit",
    b"Any",
    b"Nothing",
    b"Number",
    b"ByteArray",
    b"IntArray",
    b"CharSequence",
];

const WRAPPERS: &[&[u8]] = &[b"Result", b"Deferred", b"Lazy", b"Optional"];

const COLLECTIONS: &[&[u8]] = &[
    b"List",
    b"MutableList",
    b"ArrayList",
    b"Set",
    b"MutableSet",
    b"Collection",
    b"MutableCollection",
    b"Iterable",
    b"Sequence",
    b"Array",
    b"Flow",
];

const MAPS: &[&[u8]] = &[b"Map", b"MutableMap", b"HashMap", b"LinkedHashMap"];

fn type_source<'t>(walk: &Walk<'_>, mut node: Node<'t>) -> Option<Source<'t>> {
    let mut collections = 0;
    for _ in 0..MAX_STEPS {
        match node.kind() {
            "nullable_type" | "non_nullable_type" | "parenthesized_type" => {
                node = child(node, TYPES)?;
            }
            "function_type" => return Source::Literal.collections(collections),
            "user_type" => {
                let name = last_named(node, "identifier")?;
                let word = text(walk, name);
                let arguments = last_named(node, "type_arguments");
                let argument = |at: u32| {
                    let projection = arguments.and_then(|list| list.named_child(at))?;
                    child(projection, TYPES)
                };
                if BUILT_IN.contains(&word) {
                    return Source::Literal.collections(collections);
                }
                if let Some(first) = argument(0) {
                    if WRAPPERS.contains(&word) {
                        node = first;
                        continue;
                    }
                    if COLLECTIONS.contains(&word) {
                        (node, collections) = (first, collections + 1);
                        continue;
                    }
                    if let Some(value) = argument(1).filter(|_| MAPS.contains(&word)) {
                        (node, collections) = (value, collections + 1);
                        continue;
                    }
                }
                return Source::Of(Flow::Type, name).collections(collections);
            }
            _ => return None,
        }
    }
    None
}

/// What the type that a declaration gives says.
pub(super) fn type_clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    type_source(walk, child(node, TYPES)?).map(Source::clue)
}

/// What a function gives back: the type after its parameters, or the expression it is.
pub(super) fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Clue> {
    let mut cursor = function.walk();
    let mut after = function
        .named_children(&mut cursor)
        .skip_while(|part| part.kind() != "function_value_parameters");
    if let Some(annotation) = after.find(|part| TYPES.contains(&part.kind())) {
        return type_source(walk, annotation).map(Source::clue);
    }
    let body = child(function, &["function_body"])?;
    let value = body
        .named_child(0)
        .filter(|value| value.kind() != "block")?;
    clue(walk, value)
}

/// What a property is: of its type, else its value, or what it is lazily made of.
pub(super) fn property_clue(walk: &Walk<'_>, property: Node<'_>) -> Option<Clue> {
    let declared = child(property, &["variable_declaration"])?;
    if let Some(clue) = type_clue(walk, declared) {
        return Some(clue);
    }
    if let Some(delegate) = child(property, &["property_delegate"]) {
        let call = child(delegate, &["call_expression"])?;
        let lambda = child(child(call, &["annotated_lambda"])?, &["lambda_literal"])?;
        let last = lambda.named_child_count().checked_sub(1)?;
        return clue(walk, lambda.named_child(last as u32)?);
    }
    let mut cursor = property.walk();
    let parts: Vec<_> = property.children(&mut cursor).collect();
    let at = parts.iter().position(|part| part.kind() == "=")?;
    clue(walk, *parts.get(at + 1)?)
}

/// Names that `variable_declaration` nodes bind below a declaration.
fn declared_names<'t>(declared: Node<'t>) -> Vec<Node<'t>> {
    if declared.kind() == "variable_declaration" {
        return child(declared, &["identifier"]).into_iter().collect();
    }
    let mut cursor = declared.walk();
    declared
        .named_children(&mut cursor)
        .filter_map(|part| child(part, &["identifier"]))
        .collect()
}

const DECLARED: &[&str] = &["variable_declaration", "multi_variable_declaration"];

/// `val x = ...` inside a function.
pub(super) fn local_property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(declared) = child(node, DECLARED) else {
        return;
    };
    let clue = property_clue(walk, node);
    let mut scope = walk.scope_within(BLOCKS);
    scope.start = node.end_position();
    for name in declared_names(declared) {
        walk.local(name, scope.clone(), clue);
    }
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let listed = walk
        .ancestor(0)
        .is_some_and(|list| list.node.kind() == "function_value_parameters");
    if let Some(name) = child(node, &["identifier"]).filter(|_| listed) {
        let varargs = node
            .prev_named_sibling()
            .is_some_and(|before| text(walk, before) == b"vararg");
        let found = child(node, TYPES).and_then(|annotation| type_source(walk, annotation));
        let found = match varargs {
            true => found.and_then(|found| found.collections(1)),
            false => found,
        };
        let scope = walk.scope_within(FUNCTIONS);
        walk.local(name, scope, found.map(Source::clue));
    }
    Visit::Descend
}

/// A parameter of a primary constructor that is no property.
pub(super) fn plain_class_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = child(node, &["identifier"]) {
        let clue = type_clue(walk, node);
        let scope = walk.scope_within(&["class_declaration"]);
        walk.local(name, scope, clue);
    }
}

pub(super) fn lambda_parameters<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    _: &mut Frame<'t>,
) -> Visit {
    let scope = walk.scope_within(&["lambda_literal"]);
    let mut cursor = node.walk();
    let parts: Vec<_> = node.named_children(&mut cursor).collect();
    for part in parts
        .into_iter()
        .filter(|part| DECLARED.contains(&part.kind()))
    {
        let clue = type_clue(walk, part);
        for name in declared_names(part) {
            walk.local(name, scope.clone(), clue);
        }
    }
    Visit::Descend
}

pub(super) fn for_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(declared) = child(node, DECLARED) {
        let clue = type_clue(walk, declared).or_else(|| {
            let items = source(walk, declared.next_named_sibling()?, MAX_STEPS)?;
            Some(items.element()?.clue())
        });
        let clue = clue.filter(|_| declared.kind() == "variable_declaration");
        let scope = node.start_position()..node.end_position();
        for name in declared_names(declared) {
            walk.local(name, scope.clone(), clue);
        }
    }
    Visit::Descend
}

pub(super) fn caught<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = child(node, &["identifier"]) {
        let clue = type_clue(walk, node);
        walk.local(name, node.start_position()..node.end_position(), clue);
    }
    Visit::Descend
}

/// `when (val x = ...)`.
pub(super) fn when_subject<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(declared) = child(node, &["variable_declaration"]) {
        let last = node.named_child_count().saturating_sub(1);
        let value = node
            .named_child(last as u32)
            .filter(|value| *value != declared);
        let clue = value.and_then(|value| clue(walk, value));
        let scope = walk.scope_within(&["when_expression"]);
        for name in declared_names(declared) {
            walk.local(name, scope.clone(), clue);
        }
    }
    Visit::Descend
}

pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = child(node, &["identifier"]) {
        let owners = &[
            "function_declaration",
            "class_declaration",
            "property_declaration",
            "type_alias",
        ];
        let scope = walk.scope_within(owners);
        walk.local(name, scope, None);
    }
    Visit::Descend
}

pub(super) fn setter_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = child(node, &["identifier"]) {
        walk.local(name, node.start_position()..node.end_position(), None);
    }
}
