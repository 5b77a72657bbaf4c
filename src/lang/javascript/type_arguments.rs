//! What types stand for the parameters of a generic type where its name is used: `Box<Item>`, `extends Box<Item>`, `new
//! Box<Item>()`.
//!
//! Deliberately absent: arguments that are several types, or no names, those behind the third, and those of functions.

use super::picked::named_members;
use super::types::{CONTAINERS, type_hint};
use crate::syntax::prelude::*;

/// Types around one another that are looked through.
const MAX_AROUND: usize = 8;

/// `Box<Item>` where a type is wanted.
pub(super) fn of_type<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node
        .field("name")
        .map(|name| name.field("name").unwrap_or(name));
    note(walk, name, node.field("type_arguments"));
    named_members(walk, node);
}

/// `class Items extends Box<Item>`
pub(super) fn of_base<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    note(
        walk,
        called(node.field("value")),
        node.field("type_arguments"),
    );
}

/// `new Box<Item>()`
pub(super) fn of_new<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let arguments = node.field("type_arguments");
    note(walk, called(node.field("constructor")), arguments);
}

/// The name of what is called.
fn called(function: Option<Node<'_>>) -> Option<Node<'_>> {
    let function = function?;
    match function.kind_name() {
        "identifier" => Some(function),
        "member_expression" => function.field("property"),
        _ => None,
    }
}

/// Notes beside each type that it is an argument. Types of the language that stand for what they hold have none.
fn note<'t>(walk: &mut Walk<'t>, name: Option<Node<'t>>, arguments: Option<Node<'t>>) {
    let Some((name, arguments)) = name.zip(arguments) else {
        return;
    };
    if CONTAINERS.held(walk.text(name)).is_some() {
        return;
    }
    let all = arguments.named().filter(|child| !child.is_extra());
    for (place, argument) in all.take(3).enumerate() {
        if !is_one_name(walk, argument) {
            continue;
        }
        let hint = type_hint(walk, argument);
        if let Some(at) = hint.and_then(Hint::identifier)
            && let Some(given) = hint.and_then(|hint| hint.given_to(name, place))
        {
            walk.receiver(at, given);
        }
    }
}

/// Whether a type comes to one name: to nothing beside which another type is noted.
fn is_one_name<'t>(walk: &Walk<'t>, mut of: Node<'t>) -> bool {
    for _ in 0..MAX_AROUND {
        let inner = match of.kind_name() {
            "type_identifier" | "nested_type_identifier" => return true,
            "array_type" | "readonly_type" | "parenthesized_type" => of.nth_part(0),
            "generic_type" => {
                let name = of.field("name");
                let held = name.and_then(|name| CONTAINERS.held(walk.text(name)));
                let Some((at, _)) = held else {
                    return true;
                };
                of.field("type_arguments").and_then(|all| all.nth_part(at))
            }
            _ => None,
        };
        match inner {
            Some(inner) => of = inner,
            None => return false,
        }
    }
    false
}
