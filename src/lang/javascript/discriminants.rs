//! Members by which the types of a union are told apart: `x.kind === "circle"`, `switch (x.kind)`, `"radius" in x`.
//!
//! What a member is compared with is a name in quotes, or one of an enumeration. Beside each stands with what else the
//! member is compared, the one before first, and beside the first the member itself.
//! Deliberately absent: members of members, numbers, and members that are true or false.

use super::bindings::{is_bound_around, note_told};
use super::narrowing::leaves;
use crate::syntax::prelude::*;

/// Names that a member may be that are looked at.
const MAX_NAMES: usize = 16;

/// A member of a local name that is compared with something.
#[derive(Clone, Copy)]
pub(super) struct Comparison<'t> {
    pub(super) name: Node<'t>,
    /// Its name.
    pub(super) member: Option<Node<'t>>,
    /// With what: of kind [`HintKind::Matched`].
    pub(super) with: Hint,
    /// Whether it is asked whether they differ.
    pub(super) differs: bool,
}

/// What a comparison compares: `x.kind === "circle"`, `"radius" in x`.
pub(super) fn compared<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Comparison<'t>> {
    let (left, right) = (node.field("left")?, node.field("right")?);
    let differs = match node.field("operator")?.kind_name() {
        "===" | "==" => false,
        "!==" | "!=" => true,
        "in" => {
            let name = (right.kind_name() == "identifier").then_some(right)?;
            let with = quoted(walk, left)?;
            return Some(Comparison {
                name,
                member: None,
                with,
                differs: false,
            });
        }
        _ => return None,
    };
    let (object, with) = match constant(walk, right) {
        Some(with) => (left, with),
        None => (right, constant(walk, left)?),
    };
    let (name, member) = member_of_name(object)?;
    let member = Some(member);
    Some(Comparison {
        name,
        member,
        with,
        differs,
    })
}

/// `x.kind`: the name, and that of the member.
fn member_of_name(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    if node.kind_name() != "member_expression" {
        return None;
    }
    let name = node.field_of("object", "identifier")?;
    Some((name, node.field_of("property", "property_identifier")?))
}

/// A name in quotes, or one of an enumeration.
fn constant(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    if let Some(quoted) = quoted(walk, node) {
        return Some(quoted);
    }
    let (of, name) = member_of_name(node)?;
    let is_type = walk.text(of).first().is_some_and(u8::is_ascii_uppercase);
    is_type.then(|| Hint::value(name).with(HintKind::Matched))
}

fn quoted(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    let is_named = node.kind_name() == "string" && is_name(string_content(walk.text(node)));
    is_named.then(|| Hint::of_quoted(HintKind::Matched, node))
}

/// `switch (x.kind) { case "circle": .. }`: binds the name anew in each branch.
pub(super) fn switch_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let value = node.field("value").and_then(|of| of.named_child(0));
    let (Some((name, member)), Some(body)) = (value.and_then(member_of_name), node.field("body"))
    else {
        return;
    };
    if body.is_wide() || !is_bound_around(walk, walk.text(name), frame) {
        return;
    }
    let mut last = Hint::value(member);
    let mut default = None;
    // Whether the branch before goes on into this one.
    let mut goes_on = false;
    let mut is_known = true;
    for case in body.named().filter(|case| !case.is_extra()) {
        let statements = |case: Node<'t>| case.field("body").is_some();
        if case.kind_name() == "switch_default" {
            default = (!goes_on).then_some(case);
            // Where a default goes on, what follows may be for anything.
            is_known = last_statement(case).is_some_and(leaves);
            goes_on = false;
            continue;
        }
        let with = case.field("value").and_then(|value| constant(walk, value));
        let Some(with) = with else {
            // Some branches are for what is not known here.
            return;
        };
        let link = match goes_on || last.kind == HintKind::Value {
            true => HintKind::Compared,
            false => HintKind::ComparedAnew,
        };
        walk.receiver(with.at(), last.with(link));
        last = with;
        if is_known && statements(case) {
            walk.local(name, case.span(), Some(with));
            note_told(walk, name);
        }
        goes_on = !last_statement(case).is_some_and(leaves);
        is_known |= !goes_on;
    }
    if let Some(default) = default.filter(|_| last.kind == HintKind::Matched) {
        walk.local(name, default.span(), Some(last.with(HintKind::Unmatched)));
        note_told(walk, name);
    }
}

/// The last statement of a branch.
fn last_statement(case: Node<'_>) -> Option<Node<'_>> {
    case.field("body").and(case.last_named())
}

/// Whether the type of a member is nothing but names: `kind: "circle" | "oval"`, `kind: Kind.Circle`. One that may be left
/// out may be nothing, too.
pub(super) fn is_of_names(walk: &Walk<'_>, member: Node<'_>) -> bool {
    if member.kind_name() != "property_signature" || member.part(&["?"]).is_some() {
        return false;
    }
    let mut written = member
        .field("type")
        .and_then(|annotation| annotation.named_child(0));
    // Unions lie in one another, the last part outermost.
    for _ in 0..MAX_NAMES {
        let Some(of) = written else { return false };
        let (one, others) = match of.kind_name() {
            "union_type" => (of.last_named(), of.named_child(0)),
            _ => (Some(of), None),
        };
        let is_name = one.is_some_and(|one| match one.kind_name() {
            "literal_type" => {
                let text = one.named_child(0).filter(|of| of.kind_name() == "string");
                text.is_some_and(|text| is_name(string_content(walk.text(text))))
            }
            "nested_type_identifier" => true,
            _ => false,
        });
        match others.filter(|others| Some(*others) != one) {
            _ if !is_name => return false,
            None => return true,
            others => written = others,
        }
    }
    false
}
