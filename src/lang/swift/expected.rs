//! What is expected where `.name` stands: the name is a member of that type.
//!
//! Guarantee: where the code around does not say it, nothing is said. Deliberately absent: what closures give, and keys
//! of dictionaries.

use super::values::{self, hint};
use crate::syntax::prelude::*;
use tree_sitter::Point;

/// Operators of two sides that have one type.
fn compares(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let op = || walk.text_of(node.field("op"));
    match node.kind_name() {
        "equality_expression" | "comparison_expression" => true,
        "infix_expression" => matches!(op(), b"!=" | b"==" | b"!==" | b"~="),
        _ => false,
    }
}

/// The part of an expression that stands directly before what follows it: the grammar takes `"a" + b.c()` for a call of
/// all that is before the parenthesis.
pub(super) fn last_side(mut node: Node<'_>) -> Node<'_> {
    for _ in 0..MAX_STEPS {
        match node.field("rhs") {
            Some(side) => node = side,
            None => break,
        }
    }
    node
}

/// The part of an expression that stands directly behind what is before it.
fn first_side(mut node: Node<'_>) -> Node<'_> {
    for _ in 0..MAX_STEPS {
        match node.field("lhs") {
            Some(side) => node = side,
            None => break,
        }
    }
    node
}

/// What an expression that is being entered is expected to be.
pub(super) fn expected<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Hint> {
    let (mut child, mut levels) = (node, 0);
    // Whether nothing but the beginning of what is around is looked at: `.a && b` behind `==`.
    let mut leads = false;
    let mut found = None;
    for depth in 0..MAX_STEPS {
        let above = walk.above(depth)?;
        let is = |field: &str| !above.is_wide() && above.field(field) == Some(child);
        if leads && !is("rhs") && !is("lhs") && !is("condition") {
            return None;
        }
        match above.kind_name() {
            "navigation_expression" if is("target") => {}
            "call_expression" if above.named_child(0) == Some(child) => {}
            "postfix_expression" | "prefix_expression" | "try_expression" | "await_expression" => {}
            "tuple_expression" if above.fields("value").nth(1).is_none() => {}
            "ternary_expression" if is("condition") => leads = true,
            "ternary_expression" => {}
            "nil_coalescing_expression" if is("if_nil") => {
                found = hint(walk, above.field("value")?);
            }
            "nil_coalescing_expression" => {}
            "as_expression" => found = values::cast(walk, above),
            "array_literal" => levels += 1,
            "dictionary_literal" if is_behind_colon(walk, child) => levels += 1,
            "dictionary_literal" => return None,
            _ if is("rhs") => match compares(walk, above) {
                true => found = hint(walk, last_side(above.field("lhs")?)),
                false => return None,
            },
            _ if is("lhs") => match compares(walk, above) {
                true => found = hint(walk, first_side(above.field("rhs")?)),
                false => leads = true,
            },
            "value_argument" => found = argument(walk, above, depth),
            "attribute" => found = in_attribute(walk, above, child),
            "property_declaration" => found = values::annotated(walk, above, child),
            "assignment" if is("result") => {
                found = hint(walk, above.field("target")?.named_child(0)?);
            }
            "control_transfer_statement" if is("result") => found = given(walk, depth),
            "statements" if is_several(above) => return None,
            "statements" => match walk.above(depth + 1)?.kind_name() {
                "switch_entry" => {}
                "function_body" | "computed_property" | "computed_getter" => {
                    found = given(walk, depth);
                }
                _ => return None,
            },
            "switch_entry" | "switch_statement" => {}
            _ if is("default_value") => found = default_value(walk, above, child),
            _ => return None,
        }
        if let Some(mut hint) = found {
            for _ in 0..levels {
                hint = hint.expected_element()?;
            }
            return Some(hint);
        }
        if !matches!(
            above.kind_name(),
            "navigation_expression"
                | "call_expression"
                | "postfix_expression"
                | "prefix_expression"
                | "try_expression"
                | "await_expression"
                | "tuple_expression"
                | "ternary_expression"
                | "nil_coalescing_expression"
                | "array_literal"
                | "dictionary_literal"
                | "statements"
                | "switch_entry"
                | "switch_statement"
        ) && !leads
        {
            return None;
        }
        child = above;
    }
    None
}

/// Whether an entry of a dictionary is the value, not the key.
fn is_behind_colon(walk: &Walk<'_>, entry: Node<'_>) -> bool {
    walk.src[..entry.start_byte()]
        .trim_ascii_end()
        .ends_with(b":")
}

/// Whether more than one statement stands here.
fn is_several(statements: Node<'_>) -> bool {
    let mut content = statements.named().filter(|part| !part.is_extra());
    content.nth(1).is_some()
}

/// Where a name begins, backquotes aside.
pub(super) fn place(walk: &Walk<'_>, name: Node<'_>) -> Point {
    let mut at = name.start_position();
    at.column += usize::from(walk.text(name).starts_with(b"`"));
    at
}

/// The name of what is called.
pub(super) fn called(callee: Node<'_>) -> Option<Node<'_>> {
    let mut callee = last_side(callee);
    for _ in 0..MAX_STEPS {
        callee = match callee.kind_name() {
            "simple_identifier" | "type_identifier" => return Some(callee),
            "navigation_expression" => callee.field("suffix")?.field("suffix")?,
            "prefix_expression" => callee.field("target")?,
            "user_type" => callee.last_of("type_identifier")?,
            "postfix_expression" => callee.field("target")?,
            _ => return None,
        };
    }
    None
}

/// What the argument may be that stands `depth` levels up.
fn argument(walk: &Walk<'_>, argument: Node<'_>, depth: usize) -> Option<Hint> {
    let list = walk.above(depth + 1)?;
    let call = walk.above(depth + 3)?;
    if list.child(0)?.kind_name() != "(" {
        return None;
    }
    if let Some(label) = argument.field("name") {
        let name = label.part(&["simple_identifier"])?;
        let is_call = matches!(
            call.kind_name(),
            "call_expression" | "constructor_expression"
        );
        return is_call.then(|| Hint::value(name));
    }
    if list.is_wide() {
        return None;
    }
    let callee = called(call.named_child(0)?)?;
    let bare = |argument: &Node<'_>| argument.field("name").is_none();
    let all: Vec<Node<'_>> = list.all_of("value_argument").filter(bare).collect();
    let place = all.iter().position(|other| *other == argument)?;
    // Tests hand over two values of one type.
    if walk.text(callee).starts_with(b"XCTAssert") {
        let other = all.get(1usize.checked_sub(place)?)?;
        return hint(walk, other.field("value")?);
    }
    (call.kind_name() != "macro_invocation").then_some(())?;
    Hint::argument(callee, place)
}

/// The names of the arguments of an attribute: `@Option(name: .short)`. Its arguments are no nodes of their own.
pub(super) fn attribute_labels<'t>(attribute: Node<'t>) -> Vec<Node<'t>> {
    let parts: Vec<Node<'t>> = attribute.parts().collect();
    let labels = parts.windows(3).filter(|three| {
        matches!(three[0].kind_name(), "(" | ",")
            && three[1].kind_name() == "simple_identifier"
            && three[2].kind_name() == ":"
    });
    labels.map(|three| three[1]).collect()
}

/// What an argument of an attribute may be.
fn in_attribute(walk: &Walk<'_>, attribute: Node<'_>, argument: Node<'_>) -> Option<Hint> {
    if attribute.is_wide() {
        return None;
    }
    let labels = attribute_labels(attribute);
    let before = attribute.parts().take_while(|part| *part != argument);
    let last: Vec<Node<'_>> = before.collect();
    if last.last()?.kind_name() == ":" {
        let label = last.get(last.len().checked_sub(2)?)?;
        return Some(Hint::value(*label));
    }
    let commas = last.iter().filter(|part| part.kind_name() == ",").count();
    let named = labels
        .iter()
        .filter(|label| label.start_byte() < argument.start_byte());
    let callee = called(attribute.part(&["user_type"])?)?;
    (!walk.text(callee).is_empty()).then_some(())?;
    Hint::argument(callee, commas.checked_sub(named.count())?)
}

/// What the function or property around gives.
fn given(walk: &Walk<'_>, depth: usize) -> Option<Hint> {
    for above in depth..walk.stack.len() {
        let node = walk.above(above)?;
        match node.kind_name() {
            "lambda_literal" | "class_declaration" | "computed_setter" | "willset_didset_block" => {
                return None;
            }
            "function_declaration" | "subscript_declaration" => {
                return values::returned(walk, node);
            }
            "computed_property" => {
                let around = walk.above(above + 1)?;
                return match around.kind_name() {
                    "property_declaration" => {
                        let of = around.part(&["type_annotation"])?;
                        values::type_hint(walk, of)
                    }
                    _ => values::returned(walk, around),
                };
            }
            _ => {}
        }
    }
    None
}

/// What a parameter is that has this value where it is not given.
fn default_value(walk: &Walk<'_>, function: Node<'_>, value: Node<'_>) -> Option<Hint> {
    if function.is_wide() {
        return None;
    }
    let before = function.parts().take_while(|part| *part != value);
    let parameter = before
        .filter(|part| part.kind_name() == "parameter")
        .last()?;
    values::type_hint(walk, parameter)
}

/// What a pattern that is being entered is held against.
pub(super) fn matched<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Hint> {
    let mut child = node;
    let mut place = None;
    for depth in 0..MAX_STEPS {
        let above = walk.above(depth)?;
        match above.kind_name() {
            "pattern" if above.is_wide() => return None,
            "pattern" if above.part(&["."]).is_some() => {
                // An optional value is what it holds.
                let name = above.part(&["simple_identifier"])?;
                (walk.text(name) == b"some").then_some(())?;
            }
            "pattern" => {
                let all: Vec<Node<'t>> = above.all_of("pattern").collect();
                if all.len() > 1 {
                    (place.is_none()).then_some(())?;
                    place = Some(all.iter().position(|part| *part == child)?);
                }
            }
            "switch_pattern" | "switch_entry" => {}
            "switch_statement" => return subject(walk, above.field("expr")?, place),
            "for_statement" if place.is_none() => {
                return hint(walk, above.field("collection")?)?.element();
            }
            _ => return None,
        }
        child = above;
    }
    None
}

/// What a value is that patterns are held against, or one of several in parentheses.
fn subject(walk: &Walk<'_>, value: Node<'_>, place: Option<usize>) -> Option<Hint> {
    if value.kind_name() != "tuple_expression" {
        return place.is_none().then(|| hint(walk, value))?;
    }
    let all: Vec<Node<'_>> = value.fields("value").collect();
    match (place, &all[..]) {
        (None, [only]) => hint(walk, *only),
        (Some(place), all) if all.len() > 1 => hint(walk, *all.get(place)?),
        _ => None,
    }
}

/// The names behind `case` in the conditions of a statement, each with the value it is held against: the grammar makes
/// no node of such a condition.
pub(super) fn cases<'t>(statement: Node<'t>) -> Vec<(Node<'t>, Option<Node<'t>>)> {
    let parts: Vec<Node<'t>> = statement.fields("condition").collect();
    let mut found: Vec<(Node<'t>, Option<Node<'t>>)> = Vec::new();
    let (mut depth, mut is_open) = (0usize, false);
    for (at, part) in parts.iter().enumerate() {
        match part.kind_name() {
            "case" => is_open = true,
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "simple_identifier" if is_open && depth == 0 && at >= 2 => {
                let dot = parts[at - 1].kind_name() == ".";
                if dot && matches!(parts[at - 2].kind_name(), "case" | "value_binding_pattern") {
                    found.push((*part, None));
                }
            }
            "=" if is_open && depth == 0 => {
                if let (Some((_, value)), Some(next)) = (found.last_mut(), parts.get(at + 1)) {
                    *value = value.or(Some(*next));
                }
                is_open = false;
            }
            _ => {}
        }
    }
    found
}
