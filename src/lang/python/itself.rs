//! Whether `self` and `cls` are the object itself: not from where a function gives the name to something else.
//!
//! Only what is done whenever the function runs that far counts: behind a condition the name may still be the object. Nor
//! does what makes another of the same class, or asks one for its class.

use super::values::{hint, is_none};
use crate::syntax::prelude::*;

/// Blocks that are run as far as a function runs.
const STRAIGHT: &[&str] = words!("expression_statement block with_statement try_statement");

/// Whether a name is one of those that stand for the object itself.
fn may_be(name: &[u8]) -> bool {
    matches!(name, b"self" | b"cls")
}

/// Whether a name, which may be that of anything, stands for the object itself at its place.
pub(super) fn is_object(walk: &Walk<'_>, name: Node<'_>) -> bool {
    may_be(walk.text(name)) && means_this(walk, name)
}

/// Whether a name of the object itself stands for it where it is.
pub(super) fn means_this(walk: &Walk<'_>, name: Node<'_>) -> bool {
    if walk.rebound.is_empty() {
        return true;
    }
    let Some(id) = walk.names.find(walk.text(name)) else {
        return true;
    };
    let at = name.start_byte();
    let mut around = walk.stack.last().and_then(|frame| frame.symbol);
    while let Some(symbol) = around {
        if let Some((named, from)) = walk.rebound.get(&(symbol, id)) {
            return at != *named && at < *from;
        }
        let of = &walk.symbols[symbol as usize];
        if of.kind == SymbolKind::Class {
            return true;
        }
        around = of.container;
    }
    true
}

/// Notes that an assignment gives a name of the object itself to something else.
pub(super) fn rebind<'t>(
    walk: &mut Walk<'t>,
    name: Node<'t>,
    value: Option<Node<'t>>,
    node: Node<'t>,
    frame: &Frame<'t>,
) {
    let (Some(symbol), Some(value)) = (frame.symbol, value) else {
        return;
    };
    let is_other = may_be(walk.text(name)) && !is_none(value);
    if !is_other || !is_always_done(walk) || is_same(walk, name, value) {
        return;
    }
    let (id, _) = walk.names.intern(walk.text(name));
    let from = (name.start_byte(), node.end_byte());
    walk.rebound.entry((symbol, id)).or_insert(from);
}

/// Whether the statement being entered is run as far as its function runs.
fn is_always_done(walk: &Walk<'_>) -> bool {
    let mut above = (0..).map(|at| walk.kind_above(at));
    above.find(|kind| !STRAIGHT.contains(kind)) == Some("function_definition")
}

/// Whether a value is the object itself, one more of its class, or its class.
fn is_same(walk: &Walk<'_>, name: Node<'_>, value: Node<'_>) -> bool {
    if hint(walk, value) == Some(Hint::THIS) {
        return true;
    }
    let last = |of: Node<'_>| of.field("attribute").map(|last| walk.text(last));
    match value.kind_name() {
        "attribute" => last(value) == Some(b"__class__"),
        "call" => {
            let Some(callee) = value.field("function") else {
                return false;
            };
            let made = last(callee).is_some_and(|last| matches!(last, b"__new__" | b"__class__"));
            let is_class = walk.text(callee) == b"type";
            // Who goes on with what a method of the object gives goes on with one like it.
            let object = callee.field("object");
            let is_own = walk.text(name) == b"self"
                && object.is_some_and(|object| walk.text(object) == b"self");
            made || is_class || is_own
        }
        _ => false,
    }
}
