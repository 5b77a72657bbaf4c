//! What is handed to closures: elements of collections, and instances of a type that a call names.

use super::expected::{called, last_side};
use super::values::hint;
use crate::syntax::prelude::*;

/// Methods that hand elements of what they are called on to a closure.
const OF_ELEMENTS: &[&[u8]] = byte_words!(
    "allSatisfy compactMap contains count drop filter first firstIndex flatMap forEach last
     lastIndex map max min partition prefix removeAll sort sorted split"
);

/// Those of them whose closure takes two.
const OF_PAIRS: &[&[u8]] = byte_words!("max min sort sorted");

/// What a collection that is an expression holds.
pub(super) fn held(walk: &Walk<'_>, collection: Node<'_>) -> Option<Hint> {
    match collection.kind_name() {
        "array_literal" => hint(walk, collection.field("element")?),
        _ => hint(walk, collection)?.element(),
    }
}

/// What the closure `depth` levels up takes as one of its parameters.
pub(super) fn parameter(walk: &Walk<'_>, depth: usize, place: usize) -> Option<Hint> {
    let closure = walk.above(depth)?;
    let around = walk.above(depth + 1)?;
    let call = match around.kind_name() {
        "call_suffix" => walk.above(depth + 2)?,
        "value_argument" => walk.above(depth + 4)?,
        _ => return None,
    };
    if call.kind_name() != "call_expression" || closure.kind_name() != "lambda_literal" {
        return None;
    }
    let callee = last_side(call.named_child(0)?);
    if callee.kind_name() == "navigation_expression" {
        let name = walk.text(called(callee)?);
        let takes = OF_ELEMENTS.contains(&name) && place == 0;
        if takes || (OF_PAIRS.contains(&name) && place < 2) || (name == b"reduce" && place == 1) {
            return held(walk, callee.field("target")?);
        }
    }
    (place == 0).then(|| named_type(walk, call))?
}

/// An instance of the only type that a call is given as such: `parse(A.self) { a in ... }`.
fn named_type(walk: &Walk<'_>, call: Node<'_>) -> Option<Hint> {
    let suffix = call.part(&["call_suffix"])?;
    let list = suffix.part(&["value_arguments"])?;
    if list.is_wide() {
        return None;
    }
    let arguments = list.all_of("value_argument");
    let values = arguments.filter_map(|argument| argument.field("value"));
    let mut types = values.filter_map(|value| {
        let suffix = value.field("suffix")?.field("suffix")?;
        (walk.text(suffix) == b"self").then_some(())?;
        let of = called(value.field("target")?)?;
        let is_type = walk.text(of).first()?.is_ascii_uppercase();
        is_type.then_some(of)
    });
    let only = types.next()?;
    types
        .next()
        .is_none()
        .then(|| Hint::value(only).with(HintKind::Given))
}

/// `$0.name`: each such use is a name of its own for what the closure around takes.
pub(super) fn navigation<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(target) = node.field("target").map(last_side) else {
        return;
    };
    let place = match walk.text(target) {
        b"$0" => 0,
        b"$1" => 1,
        _ => return key_path(walk, node, target),
    };
    let closure = (0..MAX_STEPS).find(|depth| walk.kind_above(*depth) == "lambda_literal");
    if let Some(of) = closure.and_then(|depth| parameter(walk, depth, place)) {
        walk.local(target, target.span(), Some(of));
    }
}

/// `all.map(\.name)`: the name is a member of an element.
fn key_path<'t>(walk: &mut Walk<'t>, node: Node<'t>, target: Node<'t>) {
    if target.kind_name() != "key_path_expression" || target.named_child_count() > 0 {
        return;
    }
    let is_argument = walk.kind_above(0) == "value_argument";
    let call = walk.above(3).filter(|_| is_argument);
    let callee = call.and_then(|call| call.named_child(0)).map(last_side);
    let Some(callee) = callee.filter(|callee| callee.kind_name() == "navigation_expression") else {
        return;
    };
    let takes = called(callee).is_some_and(|name| OF_ELEMENTS.contains(&walk.text(name)));
    let name = node
        .field("suffix")
        .and_then(|suffix| suffix.field("suffix"));
    if takes
        && let Some(name) = name
        && let Some(of) = callee.field("target").and_then(|of| held(walk, of))
    {
        walk.receiver(name.start_position(), of);
    }
}
