//! Functions that are handed to calls: `xs.map(x => x.name)`, `xs map { _.name }`.
//!
//! What a parameter of such a function is follows from what is called, which is known only once all files are: it is
//! said of the parameter which one it is ([`Hint::argument`]). Of a parameter that is a function it is said what that takes.

use super::values::{hint, of_type};
use crate::syntax::prelude::*;

/// Bytes in which other placeholders are looked for.
const MAX_PLACED: usize = 256;

/// What is called with a function, by the node of that, whose parent is so far up.
fn called<'t>(walk: &Walk<'t>, mut function: Node<'t>, up: usize) -> Option<Node<'t>> {
    for up in up..up + MAX_STEPS {
        let above = walk.above(up)?;
        match above.kind_name() {
            "block"
            | "arguments"
            | "parenthesized_expression"
            | "case_block"
            | "colon_argument" => {
                // `{ x => ... }` alone is handed; a function behind other statements is what they give.
                if above.kind_name() == "block" && above.named_child_count() != 1 {
                    return None;
                }
                function = above;
            }
            "infix_expression" if above.field("right") == Some(function) => {
                let operator = above.field("operator")?;
                return Some(operator);
            }
            "call_expression" if above.field("arguments") == Some(function) => {
                return callee(above);
            }
            _ => return None,
        }
    }
    None
}

/// The name of what a call calls: `f` of `a.f[T](x)(y)`.
fn callee(call: Node<'_>) -> Option<Node<'_>> {
    let mut node = call;
    for _ in 0..MAX_STEPS {
        node = match node.kind_name() {
            "call_expression" | "generic_function" => node.field("function")?,
            "field_expression" => node.field("field")?,
            "infix_expression" => return None,
            "identifier" => return Some(node),
            _ => return None,
        };
    }
    None
}

/// What a parameter of a function is that is handed to a call; the parent of the function is so far up.
pub(super) fn parameter<'t>(
    walk: &Walk<'t>,
    function: Node<'t>,
    up: usize,
    place: usize,
) -> Option<Hint> {
    let callee = called(walk, function, up)?;
    match (walk.text(callee), place) {
        (b"foldLeft" | b"scanLeft", 0) | (b"foldRight" | b"scanRight", 1) => begun(walk, callee),
        _ => Hint::argument(callee, place),
    }
}

/// What is made of all elements, which begins as `z` of `xs.foldLeft(z)(f)`.
fn begun<'t>(walk: &Walk<'t>, callee: Node<'t>) -> Option<Hint> {
    let mut call = callee.parent()?;
    if call.kind_name() == "field_expression" {
        call = call.parent()?;
    }
    if call.kind_name() == "generic_function" {
        call = call.parent()?;
    }
    let first = call.field_of("arguments", "arguments")?.nth_part(0)?;
    hint(walk, first)
}

/// What `_` stands for in what is handed to a call: the function is the argument or the parentheses around it. What is
/// given is that node or the token in it.
pub(super) fn placeholder<'t>(walk: &Walk<'t>, given: Node<'t>) -> Option<Hint> {
    let (start, end) = (given.start_byte(), given.end_byte());
    let mut around = walk.stack.iter().rev().map(|frame| frame.node);
    let first = around.position(|node| {
        node.start_byte() <= start && end <= node.end_byte() && node.kind_name() != "wildcard"
    })?;
    let holder = walk.above(first)?;
    if holder.is_wide() {
        return None;
    }
    let is_given = |part: &Node<'_>| part.kind_name() == "wildcard" && part.start_byte() == start;
    let wildcard = holder.named().find(is_given)?;
    let mut node = wildcard;
    for up in first..first + MAX_STEPS {
        let above = walk.above(up)?;
        match above.kind_name() {
            "field_expression" | "generic_function" | "infix_expression" | "prefix_expression"
            | "postfix_expression" | "match_expression" => node = above,
            "call_expression" if above.field("function") == Some(node) => node = above,
            "arguments" | "block" | "parenthesized_expression" if node != wildcard => {
                let before = node.start_byte()..wildcard.start_byte();
                let before = walk
                    .src
                    .get(before)
                    .filter(|text| text.len() <= MAX_PLACED)?;
                let words = before.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
                let place = words.filter(|word| *word == b"_").count();
                return Hint::argument(called(walk, node, up)?, place);
            }
            _ => return None,
        }
    }
    None
}

/// What the first parameter of a function type is, said of a parameter of that type. Where that is not known, the
/// parameter is named itself: what else takes functions beside it is not all then.
pub(super) fn taken(walk: &Walk<'_>, name: Node<'_>, mut node: Node<'_>) -> Option<Hint> {
    let unknown = Hint::value(name).with(HintKind::First);
    for _ in 0..MAX_STEPS {
        match node.kind_name() {
            "lazy_parameter_type" => node = node.field("type")?,
            "function_type" => {
                let first = node.field("parameter_types")?.named_child(0)?;
                return Some(match of_type(walk, first) {
                    Some(hint) if hint.kind == HintKind::Type => hint.with(HintKind::First),
                    Some(hint) if hint.kind == HintKind::Elements => {
                        hint.with(HintKind::FirstElement)
                    }
                    _ => unknown,
                });
            }
            // `PartialFunction[A, B]` takes an `A`.
            "generic_type" => {
                let name = walk.text_of(node.field("type"));
                let is_one = matches!(name, b"PartialFunction" | b"Function1");
                // `Function2[A, B, C]` and its like.
                let places = name.strip_prefix(b"Function").unwrap_or_default();
                let is_other = !places.is_empty() && places.iter().all(u8::is_ascii_digit);
                if !is_one && !is_other {
                    return None;
                }
                let first = node.field("type_arguments")?.named_child(0)?;
                let hint = of_type(walk, first)
                    .filter(|hint| is_one && hint.kind == HintKind::Type)
                    .map(|hint| hint.with(HintKind::First));
                return Some(hint.unwrap_or(unknown));
            }
            _ => return None,
        }
    }
    None
}
