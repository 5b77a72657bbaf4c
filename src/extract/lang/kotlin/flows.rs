//! Parameters, variables, and what expressions and types of Kotlin say of values.

use crate::extract::flows::Clue;
use crate::extract::record::Flow;
use crate::extract::sources::{MAX_STEPS, Source};
use crate::extract::syntax::Syntax;
use crate::extract::walk::{Frame, Walk};
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

fn source<'t>(walk: &Walk<'_>, mut node: Node<'t>, steps: usize) -> Option<Source<'t>> {
    for left in (0..steps).rev() {
        match node.kind() {
            "identifier" => {
                return match walk.text(node) {
                    b"null" => None,
                    b"true" | b"false" => Some(Source::Literal),
                    _ => Some(Source::Of(Flow::Value, node)),
                };
            }
            "this_expression" | "super_expression" => return Some(Source::This),
            "parenthesized_expression" => node = node.named_child(0)?,
            "navigation_expression" => {
                return Some(Source::Of(Flow::Value, node.last_of("identifier")?));
            }
            "call_expression" => {
                let callee = node.named_child(0)?;
                match callee.kind() {
                    "identifier" => return Some(Source::Of(Flow::Result, callee)),
                    "navigation_expression" => {
                        let name = callee.last_of("identifier")?;
                        if matches!(walk.text(name), b"apply" | b"also") {
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
                if node.field("operator")?.kind() != "!!" {
                    return Some(Source::Literal);
                }
                node = node.field("argument")?;
            }
            "binary_expression" => {
                if node.field("operator")?.kind() != "?:" {
                    return None;
                }
                node = node.field("left")?;
            }
            "as_expression" => return type_source(walk, node.field("right")?),
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
                node = node.part(TYPES)?;
            }
            "function_type" => return Source::Literal.collections(collections),
            "user_type" => {
                let name = node.last_of("identifier")?;
                let word = walk.text(name);
                let arguments = node.last_of("type_arguments");
                let argument = |at: u32| {
                    let projection = arguments.and_then(|list| list.named_child(at))?;
                    projection.part(TYPES)
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
    type_source(walk, node.part(TYPES)?).map(Source::clue)
}

/// What a function gives back: the type after its parameters, or the expression it is.
pub(super) fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Clue> {
    let mut after = function
        .named()
        .skip_while(|part| part.kind() != "function_value_parameters");
    if let Some(annotation) = after.find(|part| TYPES.contains(&part.kind())) {
        return type_source(walk, annotation).map(Source::clue);
    }
    let body = function.part(&["function_body"])?;
    let value = body
        .named_child(0)
        .filter(|value| value.kind() != "block")?;
    clue(walk, value)
}

/// What a property is: of its type, else its value, or what it is lazily made of.
pub(super) fn property_clue(walk: &Walk<'_>, property: Node<'_>) -> Option<Clue> {
    let declared = property.part(&["variable_declaration"])?;
    if let Some(clue) = type_clue(walk, declared) {
        return Some(clue);
    }
    if let Some(delegate) = property.part(&["property_delegate"]) {
        let call = delegate.part(&["call_expression"])?;
        let lambda = call
            .part(&["annotated_lambda"])?
            .part(&["lambda_literal"])?;
        let last = lambda.named_child_count().checked_sub(1)?;
        return clue(walk, lambda.named_child(last as u32)?);
    }
    let parts: Vec<_> = property.parts().collect();
    let at = parts.iter().position(|part| part.kind() == "=")?;
    clue(walk, *parts.get(at + 1)?)
}

/// Names that `variable_declaration` nodes bind below a declaration.
fn declared_names<'t>(declared: Node<'t>) -> Vec<Node<'t>> {
    if declared.kind() == "variable_declaration" {
        return declared.part(&["identifier"]).into_iter().collect();
    }
    declared
        .named()
        .filter_map(|part| part.part(&["identifier"]))
        .collect()
}

const DECLARED: &[&str] = &["variable_declaration", "multi_variable_declaration"];

/// `val x = ...` inside a function.
pub(super) fn local_property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(declared) = node.part(DECLARED) else {
        return;
    };
    let clue = property_clue(walk, node);
    let scope = walk.scope_from(node.end_position(), BLOCKS);
    walk.locals(declared_names(declared), &scope, clue);
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let listed = walk.kind_above(0) == "function_value_parameters";
    if let Some(name) = node.part(&["identifier"]).filter(|_| listed) {
        let varargs = node
            .prev_named_sibling()
            .is_some_and(|before| walk.text(before) == b"vararg");
        let found = node
            .part(TYPES)
            .and_then(|annotation| type_source(walk, annotation));
        let found = match varargs {
            true => found.and_then(|found| found.collections(1)),
            false => found,
        };
        walk.local_in(FUNCTIONS, name, found.map(Source::clue));
    }
}

/// A parameter of a primary constructor that is no property.
pub(super) fn plain_class_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.part(&["identifier"]) {
        let clue = type_clue(walk, node);
        walk.local_in(&["class_declaration"], name, clue);
    }
}

pub(super) fn lambda_parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let scope = walk.scope_within(&["lambda_literal"]);
    let parts: Vec<_> = node.named().collect();
    for part in parts
        .into_iter()
        .filter(|part| DECLARED.contains(&part.kind()))
    {
        let clue = type_clue(walk, part);
        walk.locals(declared_names(part), &scope, clue);
    }
}

pub(super) fn for_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(declared) = node.part(DECLARED) {
        let clue = type_clue(walk, declared).or_else(|| {
            let items = source(walk, declared.next_named_sibling()?, MAX_STEPS)?;
            Some(items.element()?.clue())
        });
        let clue = clue.filter(|_| declared.kind() == "variable_declaration");
        let scope = node.span();
        walk.locals(declared_names(declared), &scope, clue);
    }
}

pub(super) fn caught<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.part(&["identifier"]) {
        let clue = type_clue(walk, node);
        walk.local(name, node.span(), clue);
    }
}

/// `when (val x = ...)`.
pub(super) fn when_subject<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(declared) = node.part(&["variable_declaration"]) {
        let last = node.named_child_count().saturating_sub(1);
        let value = node
            .named_child(last as u32)
            .filter(|value| *value != declared);
        let clue = value.and_then(|value| clue(walk, value));
        let scope = walk.scope_within(&["when_expression"]);
        walk.locals(declared_names(declared), &scope, clue);
    }
}

pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.part(&["identifier"]) {
        let owners = &[
            "function_declaration",
            "class_declaration",
            "property_declaration",
            "type_alias",
        ];
        walk.local_in(owners, name, None);
    }
}

pub(super) fn setter_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.part(&["identifier"]) {
        walk.local(name, node.span(), None);
    }
}
