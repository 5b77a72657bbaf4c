//! What conditions say of local names, and where that holds: `if (x is Foo)`, `when (x) { is Foo -> ... }`,
//! `if (x !is Foo) return`, `require(x is Foo)`.
//!
//! Each place where something is known binds the name anew. Deliberately absent: members that are checked (`a.b is Foo`),
//! what a name is not, and variables that are given another value after the check.

use super::values::of_type;
use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

/// Parts of one condition around a check that are looked at.
const MAX_PARTS_AROUND: usize = 12;

/// What holds statements one after the other.
const STATEMENTS: &[&str] = words!("block lambda_literal source_file");

/// What comes back only where its first argument holds.
const DEMANDS: &[&[u8]] = byte_words!("assertTrue check require");

/// What a type that is checked proves.
fn proved(walk: &Walk<'_>, of: Node<'_>) -> Option<Hint> {
    let of = of_type(walk, of)?;
    (of.kind == HintKind::Type).then_some(of.with(HintKind::Proved))
}

/// `x is Foo`, `x !is Foo`
pub(super) fn is_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let checked = node.field_of("left", "identifier").zip(node.field("right"));
    let Some((name, of)) = checked else {
        return;
    };
    let is_not = node
        .child(1)
        .is_some_and(|operator| operator.kind_name() == "!is");
    if let Some(by) = proved(walk, of) {
        narrow(walk, node, name, by, !is_not);
    }
}

/// Binds the name of a check wherever it is known to hold: where the expression is true, or where it is not.
fn narrow<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>, by: Hint, mut when_true: bool) {
    let mut held = node;
    let bind = |walk: &mut Walk<'t>, scope: Range<Point>| {
        if scope.start < scope.end {
            walk.local(name, scope, Some(by));
        }
    };
    for up in 0..MAX_PARTS_AROUND {
        let Some(above) = walk.above(up).filter(|above| !above.is_wide()) else {
            return;
        };
        match above.kind_name() {
            "parenthesized_expression" => {}
            "unary_expression"
                if above
                    .field("operator")
                    .is_some_and(|of| of.kind_name() == "!") =>
            {
                when_true = !when_true;
            }
            "binary_expression" => {
                let (Some(operator), Some(right)) = (above.field("operator"), above.field("right"))
                else {
                    return;
                };
                // Of `a && b` both hold where it is true, of `a || b` neither where it is not.
                let is_told = match operator.kind_name() {
                    "&&" => when_true,
                    "||" => !when_true,
                    _ => return,
                };
                if !is_told {
                    return;
                }
                if right != held {
                    bind(walk, right.span());
                }
            }
            "if_expression" if above.field("condition") == Some(held) => {
                return by_branches(walk, above, up, when_true, &bind);
            }
            "while_statement" if when_true && above.field("condition") == Some(held) => {
                return bind(walk, held.end_position()..above.end_position());
            }
            "when_entry" if when_true && above.named_fields("condition").len() == 1 => {
                return bind(walk, held.end_position()..above.end_position());
            }
            "value_argument" if when_true => {
                let call = demanding(walk, above, up);
                return call.map_or((), |call| {
                    let scope = walk.scope_from(call.end_position(), STATEMENTS);
                    bind(walk, scope);
                });
            }
            _ => return,
        }
        held = above;
    }
}

/// Binds a name in the branch of an `if` where it is known what it is, and behind it where the other one leaves.
fn by_branches<'t>(
    walk: &mut Walk<'t>,
    branches: Node<'t>,
    up: usize,
    when_true: bool,
    bind: &dyn Fn(&mut Walk<'t>, Range<Point>),
) {
    let parts: Vec<_> = branches.parts().collect();
    let place = |kind| parts.iter().position(|part| part.kind_name() == kind);
    let (Some(end), otherwise) = (place(")"), place("else")) else {
        return;
    };
    let branch = |at: usize| parts.get(at + 1).copied().filter(Node::is_named);
    let (then, other) = (branch(end), otherwise.and_then(branch));
    let (told, untold) = match when_true {
        true => (then, other),
        false => (other, then),
    };
    if let Some(told) = told {
        bind(walk, told.span());
    }
    if untold.is_some_and(leaves) && STATEMENTS.contains(&walk.kind_above(up + 1)) {
        let scope = walk.scope_from(branches.end_position(), STATEMENTS);
        bind(walk, scope);
    }
}

/// The statement that calls what comes back only where its argument holds.
fn demanding<'t>(walk: &Walk<'t>, argument: Node<'t>, up: usize) -> Option<Node<'t>> {
    let list = walk.above(up + 1)?;
    let mut call = walk.above(up + 2)?;
    let callee = call.named_child(0)?;
    let is_first = list.named_child(0) == Some(argument);
    if !is_first || callee.kind_name() != "identifier" || !DEMANDS.contains(&walk.text(callee)) {
        return None;
    }
    let mut up = up + 3;
    // `check(x is Foo) { "no Foo" }`
    if walk.kind_above(up) == "call_expression" {
        call = walk.above(up)?;
        up += 1;
    }
    STATEMENTS.contains(&walk.kind_above(up)).then_some(call)
}

/// Whether a branch ends in what does not let the next statement run.
fn leaves(branch: Node<'_>) -> bool {
    let last = match branch.kind_name() {
        "block" => branch.last_named(),
        _ => Some(branch),
    };
    last.is_some_and(|last| {
        matches!(
            last.kind_name(),
            "return_expression" | "throw_expression" | "continue_expression" | "break_expression"
        )
    })
}

/// `when (x) { is Foo -> ... }`
pub(super) fn type_test<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let (Some(entry), Some(choice)) = (walk.above(0), walk.above(1)) else {
        return;
    };
    let is_only = !entry.is_wide() && entry.named_fields("condition").len() == 1;
    let is_not = node
        .child(0)
        .is_some_and(|operator| operator.kind_name() == "!is");
    let subject = choice
        .named_child(0)
        .filter(|of| of.kind_name() == "when_subject");
    let (Some(subject), true) = (
        subject,
        is_only && !is_not && entry.kind_name() == "when_entry",
    ) else {
        return;
    };
    let name = match subject.part(&["variable_declaration"]) {
        Some(declared) => declared.part(&["identifier"]),
        None => subject
            .last_named()
            .filter(|of| of.kind_name() == "identifier"),
    };
    let by = node.last_named().and_then(|of| proved(walk, of));
    if let (Some(name), Some(by)) = (name, by) {
        walk.local(name, node.end_position()..entry.end_position(), Some(by));
    }
}

/// `x as Foo` where its value is not used: from there on it is one.
pub(super) fn as_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node.field_of("left", "identifier");
    let is_sure = node
        .child(1)
        .is_some_and(|operator| operator.kind_name() == "as");
    let Some((name, of)) = name.zip(node.field("right")).filter(|_| is_sure) else {
        return;
    };
    if let Some(by) = proved(walk, of).filter(|_| STATEMENTS.contains(&walk.kind_above(0))) {
        let scope = walk.scope_from(node.end_position(), STATEMENTS);
        walk.local(name, scope, Some(by));
    }
}
