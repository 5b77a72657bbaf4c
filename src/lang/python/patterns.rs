//! Names that Python binds by `as` and in the patterns of `match`, and names that stand for members:
//! keywords of arguments and of patterns.

use super::bindings::{bind_target, targets};
use super::values::{hint, type_hint};
use crate::syntax::prelude::*;

/// `with f() as x`, `except E as x`, `case C() as x`.
pub(super) fn as_pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let above = walk.kind_above(0);
    let Some(value) = node.named_child(0) else {
        return;
    };
    if above == "case_pattern" {
        // The pattern on the left was descended into as a read; the name is a bare identifier.
        if let Some(name) = node
            .named_child(1)
            .filter(|name| name.kind_name() == "identifier")
        {
            let class = value
                .named_child(0)
                .filter(|class| class.kind_name() == "class_pattern");
            let hint = class.and_then(|class| instance_of_path(class.named_child(0)?));
            bind_target(walk, name, frame, node, |_| hint);
        }
        return;
    }
    let Some(target) = node.field("alias") else {
        return;
    };
    if above == "except_clause" {
        let caught = type_hint(walk, value);
        let clause = walk.scope_within(&["except_clause"]);
        for (name, _) in targets(walk, target, None) {
            walk.local(name, clause.clone(), caught);
        }
        return;
    }
    let entered = hint(walk, value);
    bind_target(walk, target, frame, node, |i| entered.filter(|_| i == 0));
}

/// An instance of the class that the dotted name of a pattern names.
fn instance_of_path(path: Node<'_>) -> Option<Hint> {
    let last = path.last_named()?;
    Some(Hint::instance(last))
}

/// `case name:` binds; `case a.b:` compares.
pub(super) fn case_pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let path = node
        .named_child(0)
        .filter(|path| path.kind_name() == "dotted_name");
    if let Some(path) = path {
        capture(walk, path, node, frame);
    }
}

fn capture<'t>(walk: &mut Walk<'t>, path: Node<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if path.named_child_count() == 1
        && let Some(name) = path.named_child(0)
        && walk.text(name) != b"_"
    {
        frame.role = OccurrenceKind::Write;
        bind_target(walk, name, frame, node, |_| None);
    } else {
        frame.role = OccurrenceKind::Read;
    }
}

/// `*rest` and `**rest` in a pattern.
pub(super) fn splat_pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.named_child(0) {
        bind_target(walk, name, frame, node, |_| Some(Hint::LITERAL));
    }
}

/// `x=pattern` in `case Point(x=pattern)`: `x` is a member of the class.
pub(super) fn keyword_pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.named_child(0) {
        let class = walk
            .enclosing(&["class_pattern"])
            .and_then(|above| instance_of_path(above.node.named_child(0)?));
        walk.member_name(name, OccurrenceKind::Read, class);
    }
    if let Some(path) = node
        .named_child(1)
        .filter(|path| path.kind_name() == "dotted_name")
    {
        capture(walk, path, node, frame);
    }
}

/// Whether `cls` is the class around: the first parameter of the method around, which says that it is one of the class.
fn is_own_class(walk: &Walk<'_>) -> bool {
    const FUNCTIONS: &[&str] = words!("function_definition lambda");
    const BINDING: &[&str] = words!(
        "list_comprehension set_comprehension dictionary_comprehension generator_expression"
    );
    let mut around = walk.stack.iter().rev().map(|frame| frame.node);
    let Some(method) = around
        .find(|node| FUNCTIONS.contains(&node.kind_name()) || BINDING.contains(&node.kind_name()))
    else {
        return false;
    };
    let first = method
        .field("parameters")
        .and_then(|all| all.named_child(0));
    let above = around.find(|node| node.kind_name() != "block");
    let decorators = above.filter(|above| above.kind_name() == "decorated_definition");
    let decorators = decorators.map(|above| above.start_byte()..method.start_byte());
    let marks = decorators
        .and_then(|range| walk.src.get(range))
        .unwrap_or_default();
    let is_of_class = memchr::memmem::find(marks, b"@classmethod").is_some()
        || walk.text_of(method.field("name")) == b"__new__";
    method.kind_name() == "function_definition"
        && is_of_class
        && first.is_some_and(|first| walk.text(first) == b"cls")
}

/// `f(name=value)`: a parameter's name, which for a class is mostly that of a field. What is called tells: its instance for
/// what is named as classes are, else itself.
pub(super) fn keyword_argument<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let call = walk.above(1);
        let callee = call.and_then(|call| call.field("function"));
        let callee = callee.and_then(|callee| match callee.kind_name() {
            "attribute" => callee.field("attribute"),
            "identifier" => Some(callee),
            _ => None,
        });
        let called = callee.map(|callee| match walk.text(callee) {
            b"cls" if is_own_class(walk) => Hint::THIS,
            [b'A'..=b'Z', ..] => Hint::result(callee),
            _ => Hint::value(callee),
        });
        walk.member_name(name, OccurrenceKind::Write, called);
    }
}
