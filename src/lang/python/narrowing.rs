//! What `isinstance` says of a variable, and where that holds.
//!
//! Each place where something is known binds the name anew. Deliberately absent: members that are checked, several types at
//! once, what a name is not, and functions inside that give it another value (`nonlocal`).

use super::values;
use crate::syntax::prelude::*;
use tree_sitter::Point;

/// Bytes of an expression before a condition that are looked through.
const MAX_BEFORE: usize = 512;

/// `isinstance(x, Foo)`: the variable is a `Foo` in the rest of the condition and in what is run by it; behind the
/// statement, if that leaves the block where it does not hold, or demands it (`assert`).
pub(super) fn is_instance<'t>(walk: &mut Walk<'t>, call: Node<'t>, frame: &Frame<'t>) {
    if walk.text_of(call.field_of("function", "identifier")) != b"isinstance" {
        return;
    }
    let arguments = call
        .field_of("arguments", "argument_list")
        .map(NodeExt::content);
    let Some([name, class]) = arguments.as_deref() else {
        return;
    };
    // Of one of several types nothing new is told.
    let is_class = matches!(class.kind_name(), "identifier" | "attribute");
    let Some(known) = values::type_hint(walk, *class).filter(|_| is_class) else {
        return;
    };
    if frame.scope != Scope::Function
        || name.kind_name() != "identifier"
        || !walk.is_bound(frame.symbol, walk.text(*name))
    {
        return;
    }
    let mut held = call;
    let mut is_negated = false;
    let (mut start, mut end) = (call.end_position(), call.end_position());
    for up in 0..MAX_STEPS {
        let Some(above) = walk.above(up).filter(|above| !above.is_wide()) else {
            break;
        };
        let is_condition = above.field("condition") == Some(held);
        let operator = walk.text_of(above.field("operator"));
        match above.kind_name() {
            "parenthesized_expression" => {}
            "not_operator" if !is_negated => is_negated = true,
            "boolean_operator" if !is_negated && operator == b"and" => end = above.end_position(),
            // `not isinstance(x, Foo) or x.run()`
            "boolean_operator" if is_negated && operator == b"or" => end = above.end_position(),
            "if_statement" if is_condition && is_negated => {
                let then = above.field("consequence");
                if then.is_some_and(leaves) && above.field("alternative").is_none() {
                    (start, end) = behind(walk, above);
                }
                break;
            }
            "if_statement" | "elif_clause" if is_condition && !is_negated => {
                let then = above.field("consequence");
                end = then.map_or(end, |then| then.end_position());
                break;
            }
            "while_statement" if is_condition && !is_negated => {
                let then = above.field("body");
                end = then.map_or(end, |then| then.end_position());
                break;
            }
            // `x.run() if isinstance(x, Foo) else None`
            "conditional_expression" if !is_negated && above.named_child(1) == Some(held) => {
                let then = above.named_child(0);
                if let Some(then) = then.filter(|then| binds_nothing(walk, *then)) {
                    (start, end) = (then.start_position(), then.end_position());
                }
                break;
            }
            "assert_statement" if !is_negated => {
                end = behind(walk, above).1;
                // What is said where it does not hold.
                if above.named_child_count() > 1 {
                    start = above.end_position();
                }
                break;
            }
            _ => break,
        }
        held = above;
    }
    if start < end {
        walk.local(*name, start..end, Some(known));
    }
}

/// Whether an expression, by its words, holds no other names: of lambdas or comprehensions.
fn binds_nothing(walk: &Walk<'_>, expression: Node<'_>) -> bool {
    let text = walk.text(expression);
    let holds = |word: &[u8]| text.windows(word.len()).any(|part| part == word);
    text.len() <= MAX_BEFORE && !holds(b"for") && !holds(b"lambda")
}

/// From behind a node to the end of the block around it.
fn behind(walk: &Walk<'_>, node: Node<'_>) -> (Point, Point) {
    let end = walk.scope_within(&["block"]).end;
    (node.end_position(), end)
}

/// Whether a block ends in a statement that does not let the next one run.
fn leaves(block: Node<'_>) -> bool {
    let last = block.last_named();
    last.is_some_and(|last| {
        matches!(
            last.kind_name(),
            "return_statement" | "raise_statement" | "continue_statement" | "break_statement"
        )
    })
}
