//! Names that Julia's functions and blocks bind, and what its types and expressions say of values.

use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

/// Most names that are looked for in one pattern.
pub(super) const MAX_NAMES: usize = 1024;

/// What has variables of its own. Loops have them too, but what they assign may be the function's.
const FUNCTIONS: &[&str] =
    words!("function_definition macro_definition let_statement quote_statement");

/// Binds the names of a pattern: `a`, `a::T`, `a...`, `(a, b)`, `a = default`.
fn bind<'t>(walk: &mut Walk<'t>, pattern: Node<'t>, scope: &Range<Point>, value: Option<Hint>) {
    let mut open = vec![(pattern, value)];
    let mut left = MAX_NAMES;
    while let Some((node, value)) = open.pop().filter(|_| left > 0) {
        left -= 1;
        match node.kind_name() {
            "identifier" => walk.local(node, scope.clone(), value),
            "typed_expression" => {
                let declared = node.named_child(1).and_then(|node| of_type(walk, node));
                let value = declared.or(value);
                open.extend(node.named_child(0).map(|name| (name, value)));
            }
            "named_argument" | "named_field" | "assignment" | "splat_expression" => {
                open.extend(node.named_child(0).map(|name| (name, None)));
            }
            "tuple_expression" | "open_tuple" | "parenthesized_expression" | "argument_list" => {
                open.extend(node.content().into_iter().rev().map(|name| (name, None)));
            }
            _ => {}
        }
    }
}

/// The parameters in the head of a function, bound in all of it. An object that is called has a name, too.
pub(super) fn parameters<'t>(walk: &mut Walk<'t>, call: Node<'t>, function: Node<'t>) {
    let scope = function.span();
    for part in call.content() {
        if matches!(
            part.kind_name(),
            "argument_list" | "parenthesized_expression"
        ) {
            walk.claim(part.start_byte());
            bind(walk, part, &scope, None);
        }
    }
    if call.kind_name() == "argument_list" {
        walk.claim(call.start_byte());
        bind(walk, call, &scope, None);
    }
}

/// The `T` of `where {T<:Integer}` and of `struct A{T}`.
fn bind_types<'t>(walk: &mut Walk<'t>, types: Node<'t>, scope: &Range<Point>) {
    let parts = match types.kind_name() {
        "curly_expression" => types.content(),
        _ => vec![types],
    };
    for part in parts {
        let name = match part.kind_name() {
            "binary_expression" => part.named_child(0).unwrap_or(part),
            _ => part,
        };
        if name.kind_name() == "identifier" {
            walk.local(name, scope.clone(), None);
        }
    }
}

pub(super) fn type_parameters<'t>(walk: &mut Walk<'t>, head: Node<'t>, definition: Node<'t>) {
    let mut inner = head;
    while matches!(inner.kind_name(), "type_head" | "binary_expression") {
        let Some(child) = inner.named_child(0) else {
            return;
        };
        inner = child;
    }
    if let Some(types) = inner
        .named_child(1)
        .filter(|_| inner.kind_name() == "parametrized_type_expression")
    {
        bind_types(walk, types, &definition.span());
    }
}

/// What follows `where` is bound in the function whose head it ends, else in the type it belongs to.
pub(super) fn where_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let mut around = node;
    for frame in walk.stack.iter().rev() {
        match frame.node.kind_name() {
            "where_expression" => {}
            "signature" | "function_definition" | "macro_definition" | "assignment" => {
                around = frame.node;
                if around.kind_name() != "signature" {
                    break;
                }
            }
            _ => break,
        }
    }
    for types in node.content().into_iter().skip(1) {
        bind_types(walk, types, &around.span());
    }
}

/// `x -> ...`.
pub(super) fn arrow<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(list) = node.named_child(0) {
        walk.claim(list.start_byte());
        bind(walk, list, &node.span(), None);
    }
    frame.scope = Scope::Function;
}

/// `f(xs) do x ... end`.
pub(super) fn do_clause<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let list = node.named_child(0);
    if let Some(list) = list.filter(|list| list.kind_name() == "argument_list") {
        walk.claim(list.start_byte());
        bind(walk, list, &node.span(), None);
    }
    frame.scope = Scope::Function;
}

/// `for x in xs`, of a loop or a comprehension: bound in all of it.
pub(super) fn for_binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = OccurrenceKind::Write;
    let around = walk
        .ancestor(0)
        .filter(|above| above.node.kind_name() == "for_statement")
        .or_else(|| walk.ancestor(1))
        .map(|above| above.node);
    let (Some(around), Some(pattern)) = (around, node.named_child(0)) else {
        return;
    };
    let over = node
        .content()
        .last()
        .and_then(|value| of_value(walk, *value));
    let element = over.and_then(Hint::element);
    bind(walk, pattern, &around.span(), element);
}

pub(super) fn let_binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = OccurrenceKind::Write;
    if let (Some(above), Some(name)) = (walk.ancestor(0), node.named_child(0)) {
        let scope = above.node.span();
        let value = node
            .content()
            .last()
            .and_then(|value| hint_of(walk, *value));
        bind(walk, name, &scope, value);
    }
}

pub(super) fn catch_clause<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    // A name on the line of `catch`; below it a statement begins.
    if let Some(name) = node.named_child(0).filter(|name| {
        name.kind_name() == "identifier" && name.start_position().row == node.start_position().row
    }) {
        walk.local(name, node.span(), None);
    }
}

/// The variables that an assignment inside a function binds: in all of the function, as a variable is
/// one and the same before and after the loop that sets it.
pub(super) fn assigned<'t>(walk: &mut Walk<'t>, node: Node<'t>, left: Node<'t>, right: Node<'t>) {
    let mut around = walk.stack.iter().rev().map(|frame| frame.node);
    let function = around.find(|around| {
        let short = || {
            around.kind_name() == "assignment"
                && around.named_child(0).is_some_and(|left| {
                    super::called(left)
                        .is_some_and(|(call, _)| call.kind_name() == "call_expression")
                })
        };
        FUNCTIONS.contains(&around.kind_name()) || short()
    });
    // Outside of functions, of the outermost block or test.
    let block = || {
        let mut outer = walk.stack.iter();
        let outer = outer.find(|frame| frame.scope == Scope::Function);
        outer.map_or(node, |frame| frame.node)
    };
    let scope = function.unwrap_or_else(block).span();
    let value = hint_of(walk, right);
    bind(walk, left, &scope, value);
}

/// What a type annotation says.
pub(super) fn of_type<'t>(walk: &Walk<'_>, mut node: Node<'t>) -> Option<Hint> {
    for _ in 0..MAX_STEPS {
        match node.kind_name() {
            "identifier" => return Some(Hint::instance(node)),
            "field_expression" => node = node.named_child(1)?,
            "parametrized_type_expression" => {
                let name = node.named_child(0)?;
                let arguments = node
                    .named_child(1)
                    .map(NodeExt::content)
                    .unwrap_or_default();
                match walk.text(name) {
                    b"Union" => {
                        let nothing: [&[u8]; 2] = [b"Nothing", b"Missing"];
                        let mut real = arguments
                            .into_iter()
                            .filter(|part| !nothing.contains(&walk.text(*part)));
                        node = real.next()?;
                        if real.next().is_some() {
                            return None;
                        }
                    }
                    b"Vector" | b"AbstractVector" | b"Array" | b"AbstractArray" | b"Set" => {
                        let element = *arguments.first()?;
                        return (element.kind_name() == "identifier")
                            .then_some(Hint::collection_of(element));
                    }
                    _ => node = name,
                }
            }
            _ => return None,
        }
    }
    None
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "integer_literal float_literal boolean_literal string_literal character_literal
     command_literal vector_expression matrix_expression comprehension_expression
     tuple_expression range_expression arrow_function_expression"
);

/// What an expression says.
pub(super) fn of_value<'t>(walk: &Walk<'_>, mut node: Node<'t>) -> Option<Hint> {
    // How often an element is taken of what is found.
    let mut taken = 0;
    let found =
        |source: Hint, taken: usize| (0..taken).try_fold(source, |source, _| source.element());
    for _ in 0..MAX_STEPS {
        match node.kind_name() {
            "identifier" => return found(Hint::value(node), taken),
            "field_expression" => {
                let name = node.named_child(1)?;
                let source = Hint::value(name);
                return found(source, taken).filter(|_| name.kind_name() == "identifier");
            }
            "parenthesized_expression" if node.named_child_count() == 1 => {
                node = node.named_child(0)?;
            }
            "typed_expression" => return found(of_type(walk, node.named_child(1)?)?, taken),
            "index_expression" => {
                taken += 1;
                node = node.named_child(0)?;
            }
            "call_expression" => {
                let mut name = node.named_child(0)?;
                if name.kind_name() == "parametrized_type_expression" {
                    name = name.named_child(0)?;
                }
                if name.kind_name() == "field_expression" {
                    name = name.named_child(1)?;
                }
                let source = Hint::result(name);
                return found(source, taken).filter(|_| name.kind_name() == "identifier");
            }
            kind if LITERALS.contains(&kind) => return found(Hint::LITERAL, taken),
            _ => return None,
        }
    }
    None
}

pub(super) fn hint_of(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    of_value(walk, node)
}
