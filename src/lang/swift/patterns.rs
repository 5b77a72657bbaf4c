//! Names that the patterns of `switch`, `catch` and `case` bind.

use super::expected::{self, matched};
use super::values::cast;
use crate::syntax::prelude::*;

/// Names in a pattern are bound by `let` and `var` around them; `.name` is a case of an enum.
pub(super) fn pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let binds = |node: Node<'t>| {
        let mut parts = node.parts().take(MAX_PARTS);
        parts.any(|part| part.kind_name() == "value_binding_pattern")
    };
    let mut binding = binds(node);
    for above in walk.stack.iter().rev() {
        match above.node.kind_name() {
            "pattern" => binding |= binds(above.node),
            // `case let .many(x)` of a condition is no node of its own.
            "if_statement" | "guard_statement" | "while_statement" => {
                binding |= is_bound_in(above.node, node);
                break;
            }
            "for_statement" | "property_declaration" | "catch_block" => {
                binding = true;
                break;
            }
            _ => break,
        }
    }
    frame.role = if binding { Write } else { Read };
    frame.object = (0, 0);
    if let Some(dot) = node.part(&["."]) {
        frame.role = Read;
        frame.object = (dot.start_byte(), dot.end_byte());
        match (node.part(&["user_type"]), node.part(&["simple_identifier"])) {
            (Some(of), _) => frame.object = (of.start_byte(), of.end_byte()),
            (None, Some(name)) => {
                if let Some(of) = matched(walk, node) {
                    walk.receiver(expected::place(walk, name), of);
                }
            }
            _ => {}
        }
    }
    match walk.kind_above(0) {
        "switch_pattern" => {
            let scope = walk.scope_within(&["switch_entry"]);
            bind(walk, node, scope, false);
        }
        "catch_block" => {
            let scope = walk.scope_within(&["catch_block"]);
            bind(walk, node, scope, true);
        }
        "if_statement" | "while_statement" => {
            let scope = walk.scope_within(&["if_statement", "while_statement"]);
            bind(walk, node, scope, binding);
        }
        "guard_statement" => {
            let blocks = words!("statements function_body lambda_literal computed_property");
            let scope = walk.scope_from(node.start_position(), blocks);
            bind(walk, node, scope, binding);
        }
        _ => {}
    }
}

/// Whether `let` or `var` stands behind the `case` that a pattern of a condition belongs to.
fn is_bound_in(statement: Node<'_>, pattern: Node<'_>) -> bool {
    let before = statement
        .fields("condition")
        .take(MAX_PARTS)
        .take_while(|part| part.start_byte() < pattern.start_byte());
    let mut bound = false;
    for part in before {
        match part.kind_name() {
            "case" | "=" => bound = false,
            "value_binding_pattern" => bound = true,
            _ => {}
        }
    }
    bound
}

/// Notes the names that a pattern binds in a scope.
fn bind<'t>(
    walk: &mut Walk<'t>,
    pattern: Node<'t>,
    scope: std::ops::Range<tree_sitter::Point>,
    all: bool,
) {
    let mut names = Vec::new();
    let mut pending = vec![(pattern, all)];
    while let Some((pattern, bound)) = pending.pop() {
        let parts: Vec<Node<'t>> = pattern.parts().collect();
        let bound = bound
            || parts
                .iter()
                .any(|part| part.kind_name() == "value_binding_pattern");
        let is_case = parts.iter().any(|part| part.kind_name() == ".");
        for part in parts.into_iter().rev() {
            match part.kind_name() {
                "simple_identifier" if bound && !is_case => names.push(part),
                "pattern" => pending.push((part, bound)),
                _ => {}
            }
        }
    }
    // `let x as T`, or all that is matched.
    let is_whole = match *names {
        [name] => !pattern_around(pattern, name),
        _ => false,
    };
    let hint = match is_whole {
        true => cast(walk, pattern).or_else(|| matched(walk, pattern)),
        false => None,
    };
    walk.locals(names, &scope, hint);
}

/// Whether a name is only a part of what a pattern matches.
fn pattern_around(mut pattern: Node<'_>, name: Node<'_>) -> bool {
    for _ in 0..MAX_STEPS {
        if pattern.parts().any(|part| part == name) {
            return false;
        }
        let is_part = |kind: &str| matches!(kind, "(" | ".");
        match pattern.part(&["pattern"]) {
            Some(inner) if !pattern.parts().any(|part| is_part(part.kind_name())) => {
                pattern = inner
            }
            _ => return true,
        }
    }
    true
}
