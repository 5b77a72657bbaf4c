//! What `instanceof` says of a variable, and where that holds.

use super::{bare, values};
use crate::syntax::prelude::*;
use tree_sitter::Point;

/// `$x instanceof Foo`: the variable is a `Foo` in the rest of the condition and in what is run by it; behind the
/// statement, if that leaves the block where it does not hold, or demands it (`assert`).
pub(super) fn instance_of<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>) {
    let (Some(name), Some(class)) = (node.field("left").and_then(bare), node.field("right")) else {
        return;
    };
    let Some(known) = values::named(walk, class) else {
        return;
    };
    if frame.scope != Scope::Function || !walk.is_bound(frame.symbol, walk.text(name)) {
        return;
    }
    let mut held = node;
    let mut is_negated = false;
    let (mut start, mut end) = (node.end_position(), node.end_position());
    for up in 0..MAX_STEPS {
        let Some(above) = walk.above(up).filter(|above| !above.is_wide()) else {
            break;
        };
        let is_condition = above.field("condition") == Some(held);
        let operator = walk.text_of(above.field("operator"));
        match above.kind_name() {
            "parenthesized_expression" => {}
            "unary_op_expression" if operator == b"!" && !is_negated => is_negated = true,
            "binary_expression" if !is_negated && matches!(operator, b"&&" | b"and") => {
                end = above.end_position();
            }
            // `!$x instanceof Foo || $x->foo()`
            "binary_expression" if is_negated && matches!(operator, b"||" | b"or") => {
                end = above.end_position();
            }
            "if_statement" if is_condition && is_negated => {
                let then = above.field("body");
                if then.is_some_and(leaves) && above.field("alternative").is_none() {
                    (start, end) = behind(walk, above);
                }
                break;
            }
            "if_statement" | "else_if_clause" | "conditional_expression" | "while_statement"
                if is_condition && !is_negated =>
            {
                let then = above.field("body");
                end = then.map_or(end, |then| then.end_position());
                break;
            }
            "argument" | "arguments" if !is_negated => {}
            "function_call_expression" if !is_negated && is_assert(walk, above) => {
                (start, end) = behind(walk, above);
                break;
            }
            _ => break,
        }
        held = above;
    }
    if start < end {
        walk.local(name, start..end, Some(known));
    }
}

/// From behind a node to the end of the block around it.
fn behind(walk: &Walk<'_>, node: Node<'_>) -> (Point, Point) {
    let end = walk.scope_within(&["compound_statement"]).end;
    (node.end_position(), end)
}

fn is_assert(walk: &Walk<'_>, call: Node<'_>) -> bool {
    matches!(
        walk.text_of(call.field("function")),
        b"assert" | b"\\assert"
    )
}

/// Whether a statement ends in one that does not let the next one run.
fn leaves(statement: Node<'_>) -> bool {
    let last = match statement.kind_name() {
        "compound_statement" => statement.last_named(),
        _ => Some(statement),
    };
    last.is_some_and(|last| match last.kind_name() {
        "return_statement" | "continue_statement" | "break_statement" => true,
        "expression_statement" => {
            let thrown = last.named_child(0);
            thrown.is_some_and(|thrown| thrown.kind_name() == "throw_expression")
        }
        _ => false,
    })
}
