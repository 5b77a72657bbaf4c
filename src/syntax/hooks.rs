//! Hooks that many languages have in common.

use super::hints::Hint;
use super::node::NodeExt;
use super::walk::{Frame, Scope, Walk};
use crate::record::{HintKind, OccurrenceKind, SymbolKind};
use tree_sitter::Node;

/// Definitions before an anonymous class among which the field is looked for whose value it is in.
const MAX_BEFORE: usize = 256;

/// What stands below is local, as in the body of a function.
pub(crate) fn function<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.scope = Scope::Function;
}

/// What stands below are members, those of an anonymous class too.
pub(crate) fn class<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.scope = Scope::Class;
}

/// What stands below are members of an anonymous class. They belong to the function around it, or to the field whose
/// value it is in, and never to the class around that.
pub(crate) fn anonymous<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    use SymbolKind::{Constant, Field, Variable};
    frame.scope = Scope::Class;
    frame.exported = false;
    let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
    let recent = walk.symbols.iter().enumerate().rev().take(MAX_BEFORE);
    let held = recent.filter(|(_, symbol)| symbol.span.start <= start && end <= symbol.span.end);
    if let Some((index, holder)) = held.max_by_key(|(_, symbol)| symbol.span.start)
        && matches!(holder.kind, Constant | Field | Variable)
    {
        frame.symbol = Some(index as u32);
    }
}

/// `f(name: value)`: the name is that of a parameter, which for a type is mostly that of a field.
pub(crate) fn label<'t>(walk: &mut Walk<'t>, name: Node<'t>, callee: Option<Node<'t>>) {
    let is_type = |callee: &Node<'t>| {
        walk.text(*callee)
            .first()
            .is_some_and(u8::is_ascii_uppercase)
    };
    match callee.filter(is_type) {
        Some(class) => walk.member_name(name, OccurrenceKind::Write, Some(Hint::result(class))),
        None => walk.pass_over(name),
    }
}

/// The same, where functions, too, tell what is handed to a parameter by its name.
pub(crate) fn told_label<'t>(walk: &mut Walk<'t>, name: Node<'t>, callee: Option<Node<'t>>) {
    match callee {
        Some(callee) => {
            let of = Hint::value(callee).with(HintKind::Named);
            walk.member_name(name, OccurrenceKind::Write, Some(of));
        }
        None => walk.pass_over(name),
    }
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
    if let Some(object) = object.filter(|it| matches!(it.kind_name(), "this" | "super" | "base")) {
        frame.object = (object.start_byte(), object.end_byte());
        walk.this_end = object.end_byte();
    }
}
