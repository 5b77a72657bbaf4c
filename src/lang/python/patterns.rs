//! Names that Python binds by `as` and in the patterns of `match`, and names that stand for members:
//! keywords of arguments and of patterns.

use super::bindings::{bind_target, targets};
use super::values::{clue, type_clue};
use crate::record::{Flow, OccurrenceKind, Qualifier};
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::walk::{Frame, Walk};
use tree_sitter::Node;

/// `with f() as x`, `except E as x`, `case C() as x`.
pub(super) fn as_pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let above = walk.ancestor(0).map_or("", |above| above.node.kind());
    let Some(value) = node.named_child(0) else {
        return Visit::Descend;
    };
    if above == "case_pattern" {
        // The pattern on the left was descended into as a read; the name is a bare identifier.
        if let Some(name) = node
            .named_child(1)
            .filter(|name| name.kind() == "identifier")
        {
            let class = value
                .named_child(0)
                .filter(|class| class.kind() == "class_pattern");
            let clue = class.and_then(|class| instance_of_path(class.named_child(0)?));
            bind_target(walk, name, frame, node, |_| clue);
        }
        return Visit::Descend;
    }
    let Some(target) = node.child_by_field_name("alias") else {
        return Visit::Descend;
    };
    if above == "except_clause" {
        let caught = type_clue(walk, value);
        let clause = walk.scope_within(&["except_clause"]);
        for (name, _) in targets(walk, target, None) {
            walk.local(name, clause.clone(), caught);
        }
        return Visit::Descend;
    }
    let entered = clue(walk, value);
    bind_target(walk, target, frame, node, |i| entered.filter(|_| i == 0));
    Visit::Descend
}

/// An instance of the class that the dotted name of a pattern names.
fn instance_of_path(path: Node<'_>) -> Option<Clue> {
    let last = path.named_child(path.named_child_count().checked_sub(1)? as u32)?;
    Some(Clue::of(Flow::Type, last))
}

/// `case name:` binds; `case a.b:` compares.
pub(super) fn case_pattern<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    let path = node
        .named_child(0)
        .filter(|path| path.kind() == "dotted_name");
    if let Some(path) = path {
        capture(walk, path, node, frame);
    }
    Visit::Descend
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
pub(super) fn splat_pattern<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    if let Some(name) = node.named_child(0) {
        bind_target(walk, name, frame, node, |_| Some(Clue::LITERAL));
    }
    Visit::Descend
}

/// `x=pattern` in `case Point(x=pattern)`: `x` is a member of the class.
pub(super) fn keyword_pattern<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    if let Some(name) = node.named_child(0) {
        let class = walk
            .stack
            .iter()
            .rev()
            .find(|above| above.node.kind() == "class_pattern")
            .and_then(|above| instance_of_path(above.node.named_child(0)?));
        member_name(walk, name, OccurrenceKind::Read, class);
    }
    if let Some(path) = node
        .named_child(1)
        .filter(|path| path.kind() == "dotted_name")
    {
        capture(walk, path, node, frame);
    }
    Visit::Descend
}

/// `f(name=value)`: a parameter's name, which for a class is mostly that of a field.
pub(super) fn keyword_argument<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    _: &mut Frame<'t>,
) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let call = walk.ancestor(1).map(|call| call.node);
        let callee = call.and_then(|call| call.child_by_field_name("function"));
        let callee = callee.and_then(|callee| match callee.kind() {
            "attribute" => callee.child_by_field_name("attribute"),
            "identifier" => Some(callee),
            _ => None,
        });
        let class = callee.filter(|callee| {
            walk.text(*callee)
                .first()
                .is_some_and(u8::is_ascii_uppercase)
        });
        let made = class.map(|class| Clue::of(Flow::Result, class));
        member_name(walk, name, OccurrenceKind::Write, made);
    }
    Visit::Descend
}

/// Records `name`, the next identifier of the walk, as a member of something written elsewhere.
fn member_name<'t>(walk: &mut Walk<'t>, name: Node<'t>, kind: OccurrenceKind, of: Option<Clue>) {
    let point = name.start_position();
    if let Some(of) = of {
        walk.receiver(point, of);
    }
    walk.occurrence(
        walk.text(name),
        point.row,
        point.column,
        kind,
        Qualifier::Expression,
    );
    walk.def_names.insert(name.start_byte());
}
