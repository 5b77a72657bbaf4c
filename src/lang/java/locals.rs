//! Java: names bound by parameters, variables and patterns.

use super::values::{elements_of, of_declared, of_type, of_value};
use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

const BLOCKS: &[&str] = words!(
    "block constructor_body for_statement switch_block_statement_group switch_rule
     lambda_expression"
);

const FUNCTIONS: &[&str] = words!("method_declaration constructor_declaration lambda_expression");

fn after<'t>(walk: &Walk<'t>, node: Node<'t>) -> Range<Point> {
    node.end_position()..walk.scope_within(BLOCKS).end
}

pub(super) fn variables<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let declared = node.field("type");
    no_type(walk, declared);
    let end = walk.scope_within(BLOCKS).end;
    for declarator in node.named_fields("declarator") {
        let Some(name) = declarator.field("name") else {
            continue;
        };
        let value = declarator.field("value");
        let mut known = of_declared(walk, declared, value);
        if declarator.field("dimensions").is_some() {
            known = known.and_then(|known| known.collections(1));
        }
        walk.local(name, declarator.end_position()..end, known);
    }
}

/// `var` stands where a type stands and is none.
fn no_type<'t>(walk: &mut Walk<'t>, declared: Option<Node<'t>>) {
    if let Some(declared) = declared.filter(|declared| walk.text(*declared) == b"var") {
        walk.pass_over(declared);
    }
}

/// A parameter of a method, a constructor or a lambda that says its type.
pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.field("name") {
        let declared = node.field("type");
        no_type(walk, declared);
        let mut known = declared.and_then(|declared| of_type(walk, declared));
        if node.field("dimensions").is_some() {
            known = known.and_then(|known| known.collections(1));
        }
        walk.local_in(FUNCTIONS, name, known);
    }
}

/// `Job... jobs`.
pub(super) fn spread<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let parts = node.content();
    let declarator = parts.last().copied();
    if let Some(name) = declarator.and_then(|last| last.field("name")) {
        let declared = parts.iter().rev().nth(1);
        let known = declared
            .and_then(|declared| of_type(walk, *declared))
            .and_then(|known| known.collections(1));
        walk.local_in(FUNCTIONS, name, known);
        walk.receiver(name.start_position(), Hint::REST);
    }
}

/// A lambda's parameters that leave their types to be inferred.
pub(super) fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.scope = Scope::Function;
    let call = walk.ancestor(1).map(|call| call.node);
    let given = |count| handed_to_lambda(walk, call?, count);
    if let Some(parameters) = node.field("parameters") {
        match parameters.kind() {
            "identifier" => {
                let known = given(1);
                walk.local(parameters, node.span(), known);
            }
            "inferred_parameters" => {
                let names = parameters.content();
                let known = given(names.len());
                // What a map hands over last is its value.
                let of_map = names.len() == 2 && call.is_some_and(|call| is_for_each(walk, call));
                for (i, name) in names.iter().enumerate() {
                    let is_key = of_map && i == 0;
                    walk.local(*name, node.span(), known.filter(|_| !is_key));
                }
            }
            _ => {}
        }
    }
}

/// Calls that hand each element of the collection they are called on to a function of one parameter.
const HAND_OVER: &[&[u8]] = byte_words!(
    "allMatch anyMatch dropWhile filter flatMap forEach forEachOrdered map mapToDouble mapToInt mapToLong mapToObj
     noneMatch peek removeIf takeWhile"
);

/// Calls that hand two elements over at once.
const COMPARE: &[&[u8]] = byte_words!("max min reduce sort sorted");

fn is_for_each(walk: &Walk<'_>, call: Node<'_>) -> bool {
    walk.text_of(call.field("name")) == b"forEach"
}

/// What a call gives to the parameters of its lambda, if it is one that goes over a collection.
fn handed_to_lambda(walk: &Walk<'_>, call: Node<'_>, parameters: usize) -> Option<Hint> {
    if call.kind() != "method_invocation" {
        return None;
    }
    let name = walk.text_of(call.field("name"));
    let goes_over = match parameters {
        1 => HAND_OVER.contains(&name),
        2 => COMPARE.contains(&name) || name == b"forEach",
        _ => false,
    };
    let object = call.field("object")?;
    match (goes_over, name) {
        (true, _) => elements_of(walk, object),
        // An Optional is used as what it holds is.
        (false, b"ifPresent" | b"ifPresentOrElse") => of_value(walk, object),
        _ => None,
    }
}

pub(super) fn catch_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let declared = node
            .content()
            .into_iter()
            .find(|part| part.kind() == "catch_type");
        let known = declared.and_then(|declared| of_type(walk, declared));
        walk.local_in(&["catch_clause"], name, known);
    }
}

pub(super) fn enhanced_for<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let (Some(name), Some(declared), Some(body)) =
        (node.field("name"), node.field("type"), node.field("body"))
    {
        let value = node.field("value");
        no_type(walk, Some(declared));
        let known = if walk.text(declared) == b"var" {
            let value = value.and_then(|value| of_value(walk, value));
            value.and_then(|value| value.nested_element(1))
        } else {
            of_type(walk, declared)
        };
        walk.local(name, body.span(), known);
    }
}

/// `try (Reader in = open())`: open until the block ends.
pub(super) fn resource<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let body = walk
        .ancestor(1)
        .and_then(|statement| statement.node.field("body"));
    if let (Some(name), Some(body)) = (node.field("name"), body) {
        let declared = node.field("type");
        no_type(walk, declared);
        let known = of_declared(walk, declared, node.field("value"));
        let scope = node.end_position()..body.end_position();
        walk.local(name, scope, known);
    }
}

/// `x instanceof Job job`. The name may be known in what follows the statement too, so it is bound
/// until the block ends.
pub(super) fn instance_of<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let (Some(name), Some(right)) = (node.field("name"), node.field("right")) {
        let known = of_type(walk, right);
        let scope = after(walk, node);
        walk.local(name, scope, known);
    }
}

/// `case Job job ->` and the parts of `case Pair(Job left, var right)`.
pub(super) fn pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let parts = node.content();
    if let [.., declared, name] = parts.as_slice()
        && name.kind() == "identifier"
    {
        no_type(walk, Some(*declared));
        let known = of_type(walk, *declared);
        let scope = after(walk, node);
        walk.local(*name, scope, known);
    }
}

/// `<T extends Job>`.
pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let parts = node.content();
    let is = |kind: &str| parts.iter().find(|part| part.kind() == kind).copied();
    if let Some(name) = is("type_identifier") {
        let known = is("type_bound").and_then(|bound| of_type(walk, bound));
        walk.local_in(
            words!(
                "method_declaration constructor_declaration class_declaration
                 interface_declaration record_declaration"
            ),
            name,
            known,
        );
        if matches!(
            walk.kind_above(1),
            "method_declaration" | "constructor_declaration"
        ) {
            walk.receiver(name.start_position(), Hint::TYPE_PARAMETER);
        }
    }
}
