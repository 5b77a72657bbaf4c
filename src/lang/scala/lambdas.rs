//! Functions that are handed to calls: `xs.map(x => x.name)`, `xs map { _.name }`.
//!
//! What a parameter of such a function is follows from what is called, which is known only once all files are: it is
//! said of the parameter which one it is ([`Hint::argument`]). Of a parameter that is a function it is said what that takes.

use super::values::of_type;
use crate::syntax::prelude::*;

/// Bytes in which other placeholders are looked for.
const MAX_PLACED: usize = 256;

/// What is called with a function, by the node of that.
fn called(mut function: Node<'_>) -> Option<Node<'_>> {
    for _ in 0..MAX_STEPS {
        let above = function.parent()?;
        match above.kind() {
            "block"
            | "arguments"
            | "parenthesized_expression"
            | "case_block"
            | "colon_argument" => {
                // `{ x => ... }` alone is handed; a function behind other statements is what they give.
                if above.kind() == "block" && above.named_child_count() != 1 {
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
        node = match node.kind() {
            "call_expression" | "generic_function" => node.field("function")?,
            "field_expression" => node.field("field")?,
            "infix_expression" => return None,
            "identifier" => return Some(node),
            _ => return None,
        };
    }
    None
}

/// What a parameter of a function is that is handed to a call.
pub(super) fn parameter(function: Node<'_>, place: usize) -> Option<Hint> {
    Hint::argument(called(function)?, place)
}

/// What `_` stands for in what is handed to a call: the function is the argument or the parentheses around it.
pub(super) fn placeholder(walk: &Walk<'_>, wildcard: Node<'_>) -> Option<Hint> {
    let mut node = wildcard;
    for _ in 0..MAX_STEPS {
        let above = node.parent()?;
        match above.kind() {
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
                return Hint::argument(called(node)?, place);
            }
            _ => return None,
        }
    }
    None
}

/// What the first parameter of a function type is, said of a parameter of that type.
pub(super) fn taken(walk: &Walk<'_>, mut node: Node<'_>) -> Option<Hint> {
    for _ in 0..MAX_STEPS {
        match node.kind() {
            "lazy_parameter_type" => node = node.field("type")?,
            "function_type" => {
                let first = node.field("parameter_types")?.named_child(0)?;
                let hint = of_type(walk, first)?;
                return match hint.kind {
                    HintKind::Type => Some(hint.with(HintKind::First)),
                    HintKind::Elements => Some(hint.with(HintKind::FirstElement)),
                    _ => None,
                };
            }
            // `PartialFunction[A, B]` takes an `A`.
            "generic_type" => {
                let name = walk.text_of(node.field("type"));
                if !matches!(name, b"PartialFunction" | b"Function1") {
                    return None;
                }
                let first = node.field("type_arguments")?.named_child(0)?;
                let hint = of_type(walk, first)?;
                return (hint.kind == HintKind::Type).then(|| hint.with(HintKind::First));
            }
            _ => return None,
        }
    }
    None
}
