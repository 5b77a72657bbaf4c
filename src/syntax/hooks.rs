//! Hooks that many languages have in common.

use super::walk::{Frame, Scope, Walk};
use crate::record::OccurrenceKind;
use tree_sitter::Node;

/// What stands below is local, as in the body of a function.
pub(crate) fn function<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.scope = Scope::Function;
}

/// What stands below are members, those of an anonymous class too.
pub(crate) fn class<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.scope = Scope::Class;
}

/// What stands below is no use of anything.
pub(crate) fn skip<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.skip();
}

/// A type that is told by its node: only what it is used for comes from around it.
pub(crate) fn type_use<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    if !matches!(frame.role, OccurrenceKind::Inherit | OccurrenceKind::Call) {
        frame.role = OccurrenceKind::Type;
    }
}

/// A member access whose object is a keyword of the language: `this.x`, `super.x`, `base.x`.
pub(crate) fn keyword_object<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let object = node.child(0);
    if let Some(object) = object.filter(|it| matches!(it.kind(), "this" | "super" | "base")) {
        frame.object = (object.start_byte(), object.end_byte());
        walk.this_end = object.end_byte();
    }
}
