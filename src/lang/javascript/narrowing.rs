//! What conditions say of local names, and where that holds: `x instanceof Foo`, functions that check what they are
//! given (`isFoo(x)`, whose type may say `x is Foo`), those that demand it (`assertFoo(x)`), and members that are compared
//! (`x.kind === "foo"`).
//!
//! Each place where something is known binds the name anew. Whether a function checks anything is told where it is
//! defined; where it does not, the name means what it meant before. Deliberately absent: members that are checked
//! (`isFoo(a.b)`), values that are compared themselves, and loops that come back to a name that was checked before them.

use super::bindings::{is_bound_around, note_told};
use super::discriminants::{Comparison, compared};
use super::types::type_hint;
use super::values::hint;
use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

/// Parts of one condition around a check that are looked at.
const MAX_PARTS_AROUND: usize = 12;

/// What holds statements one after the other.
const STATEMENTS: &[&str] = words!("statement_block program switch_case switch_default");

/// A name that is checked, and what says what for.
#[derive(Clone, Copy)]
struct Check<'t> {
    name: Node<'t>,
    by: Hint,
    /// The member that is compared.
    member: Option<Node<'t>>,
    /// What is known where the check is true, and where it is false.
    known: Known,
}

impl<'t> Check<'t> {
    /// A check of what a name is.
    fn of_type(name: Node<'t>, by: Hint) -> Self {
        Self {
            name,
            by,
            member: None,
            known: Known {
                when_true: Some(by),
                when_false: Some(by.with(HintKind::Disproved)),
            },
        }
    }

    /// A check of one of its members.
    fn of_member(of: Comparison<'t>) -> Self {
        let (same, other) = (Some(of.with), Some(of.with.with(HintKind::Unmatched)));
        let (when_true, when_false) = match of.differs {
            true => (other, same),
            false => (same, other),
        };
        Self {
            name: of.name,
            by: of.with,
            member: of.member,
            known: Known {
                when_true,
                when_false,
            },
        }
    }

    /// Notes that one of two checks has to hold, `other` being the later; what is known then.
    fn or(self, other: Self, walk: &mut Walk<'t>, first: Hint) -> Option<Hint> {
        let is_same = |a: Option<Node<'_>>, b| walk.text_of(a) == walk.text_of(b);
        match (self.by.kind, other.by.kind) {
            (HintKind::Proved, HintKind::Proved) => {
                walk.receiver(self.by.identifier()?, other.by);
                Some(first)
            }
            (HintKind::Matched, HintKind::Matched)
                if self.member.is_some()
                    && is_same(self.member, other.member)
                    && other.known.when_true == Some(other.by) =>
            {
                walk.receiver(other.by.at(), self.by.with(HintKind::Compared));
                Some(other.by)
            }
            _ => None,
        }
    }
}

/// What is known of a name where an expression is true, and where it is false.
#[derive(Clone, Copy)]
struct Known {
    when_true: Option<Hint>,
    when_false: Option<Hint>,
}

/// `x instanceof Foo`, `x.kind === "foo"`
pub(super) fn binary_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(check) = by_operator(walk, node) {
        narrow(walk, node, check, frame);
    }
}

/// `isFoo(x)`, `assertFoo(x)`
pub(super) fn check_by_call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>) {
    if let Some(check) = by_function(walk, node, b"is") {
        narrow(walk, node, check, frame);
    } else if is_statement(walk, 0)
        && let Some(check) = by_function(walk, node, b"assert")
        && is_bound_around(walk, walk.text(check.name), frame)
    {
        let scope = behind(walk, node);
        walk.local(check.name, scope, Some(check.by));
        note_told(walk, check.name);
    }
}

fn by_operator<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Check<'t>> {
    if node.field("operator")?.kind_name() != "instanceof" {
        return compared(walk, node).map(Check::of_member);
    }
    let name = node.field_of("left", "identifier")?;
    let class = hint(walk, node.field("right")?)?;
    let by = (class.kind == HintKind::Value).then_some(class.with(HintKind::Proved))?;
    Some(Check::of_type(name, by))
}

/// A call of what is called like a check of its first argument.
fn by_function<'t>(walk: &Walk<'t>, call: Node<'t>, prefix: &[u8]) -> Option<Check<'t>> {
    let function = call.field("function")?;
    let called = match function.kind_name() {
        "identifier" => function,
        "member_expression" => function.field_of("property", "property_identifier")?,
        _ => return None,
    };
    let next = *walk.text(called).strip_prefix(prefix)?.first()?;
    if next.is_ascii_lowercase() {
        return None;
    }
    let name = call.field("arguments")?.nth_part(0)?;
    let by = Hint::value(called).with(HintKind::Proved);
    (name.kind_name() == "identifier").then_some(Check::of_type(name, by))
}

/// The check of a name that an expression is, in parentheses or not.
fn check_of<'t>(walk: &Walk<'t>, mut node: Node<'t>, name: &[u8]) -> Option<Check<'t>> {
    for _ in 0..MAX_PARTS_AROUND {
        let check = match node.kind_name() {
            "parenthesized_expression" => {
                node = node.named_child(0)?;
                continue;
            }
            "binary_expression" => by_operator(walk, node)?,
            "call_expression" => by_function(walk, node, b"is")?,
            _ => return None,
        };
        return (walk.text(check.name) == name).then_some(check);
    }
    None
}

/// Binds the name of a check wherever its outcome is known.
fn narrow<'t>(walk: &mut Walk<'t>, node: Node<'t>, check: Check<'t>, frame: &Frame<'t>) {
    if !is_bound_around(walk, walk.text(check.name), frame) {
        return;
    }
    if let Some(member) = check.member {
        let of = Hint::value(member).with(HintKind::Compared);
        walk.receiver(check.by.at(), of);
    }
    let mut known = check.known;
    // Of several checks of which one has to hold: the last.
    let mut last = check;
    let mut is_used = false;
    let mut held = node;
    let bind = |walk: &mut Walk<'t>, scope: Range<Point>, hint: Option<Hint>| {
        if hint.is_some() && scope.start < scope.end {
            walk.local(check.name, scope, hint);
            note_told(walk, check.name);
        }
    };
    for up in 0..MAX_PARTS_AROUND {
        let Some(above) = walk.above(up).filter(|above| !above.is_wide()) else {
            return;
        };
        let part = |name| above.field(name);
        let is_condition = part("condition") == Some(held);
        match above.kind_name() {
            "parenthesized_expression" => {}
            "unary_expression" if part("operator").is_some_and(|of| of.kind_name() == "!") => {
                std::mem::swap(&mut known.when_true, &mut known.when_false);
            }
            "binary_expression" => {
                let (Some(operator), Some(right)) = (part("operator"), part("right")) else {
                    return;
                };
                let is_left = right != held;
                match operator.kind_name() {
                    "&&" => {
                        if is_left {
                            bind(walk, right.span(), known.when_true);
                            is_used = true;
                        }
                        known.when_false = None;
                    }
                    "||" => {
                        if is_left {
                            bind(walk, right.span(), known.when_false);
                        }
                        let other = check_of(walk, right, walk.text(check.name));
                        let kind = check.by.kind;
                        let holds = known.when_true.filter(|of| of.kind == kind && !is_used);
                        let first = holds.filter(|_| is_left);
                        known.when_true = None;
                        if let (Some(first), Some(other)) = (first, other) {
                            known.when_true = last.or(other, walk, first);
                            last = other;
                        }
                    }
                    _ => return,
                }
            }
            "if_statement" | "ternary_expression" if is_condition => {
                let (then, other) = (part("consequence"), part("alternative"));
                if let Some(then) = then {
                    bind(walk, then.span(), known.when_true);
                }
                if let Some(other) = other {
                    bind(walk, other.span(), known.when_false);
                }
                let is_statement = above.kind_name() == "if_statement"
                    && STATEMENTS.contains(&walk.kind_above(up + 1));
                let scope = behind(walk, above);
                match (then.is_some_and(leaves), other.map(leaves)) {
                    _ if !is_statement => {}
                    (true, None | Some(false)) => bind(walk, scope, known.when_false),
                    (false, Some(true)) => bind(walk, scope, known.when_true),
                    _ => {}
                }
                return;
            }
            "while_statement" if is_condition => {
                if let Some(body) = part("body") {
                    bind(walk, body.span(), known.when_true);
                }
                return;
            }
            // `assert(x instanceof Foo)`
            "arguments" if above.nth_part(0) == Some(held) => {
                let call = walk.above(up + 1);
                let function = call.and_then(|call| call.field_of("function", "identifier"));
                let demands = matches!(walk.text_of(function), b"assert" | b"invariant");
                if let Some(call) = call
                    && demands
                    && is_statement(walk, up + 2)
                {
                    let scope = behind(walk, call);
                    bind(walk, scope, known.when_true);
                }
                return;
            }
            _ => return,
        }
        held = above;
    }
}

/// Whether what stands so far up is one of several statements: what it says holds for those behind it.
fn is_statement(walk: &Walk<'_>, up: usize) -> bool {
    walk.kind_above(up) == "expression_statement" && STATEMENTS.contains(&walk.kind_above(up + 1))
}

/// From behind a statement to the end of those around it.
fn behind(walk: &Walk<'_>, statement: Node<'_>) -> Range<Point> {
    statement.end_position()..walk.scope_within(STATEMENTS).end
}

/// Whether a statement ends in one that does not let the next one run.
pub(super) fn leaves(statement: Node<'_>) -> bool {
    let mut last = Some(statement);
    if let Some(clause) = last.filter(|of| of.kind_name() == "else_clause") {
        last = clause.named_child(0);
    }
    if let Some(block) = last.filter(|of| of.kind_name() == "statement_block") {
        last = block.last_named();
    }
    last.is_some_and(|last| {
        matches!(
            last.kind_name(),
            "return_statement" | "throw_statement" | "continue_statement" | "break_statement"
        )
    })
}

/// What a function proves of its first argument where it gives true, or comes back at all: `x is Foo`, `asserts x is
/// Foo`.
pub(super) fn proof(walk: &Walk<'_>, function: Node<'_>, annotation: Node<'_>) -> Option<Hint> {
    let predicate = match annotation.kind_name() {
        "type_predicate_annotation" => annotation.named_child(0)?,
        "asserts_annotation" => annotation.named_child(0)?.named_child(0)?,
        _ => return None,
    };
    if predicate.kind_name() != "type_predicate" {
        return None;
    }
    let first = function.field("parameters")?.nth_part(0)?;
    let first = first.field("pattern").unwrap_or(first);
    if walk.text(first) != walk.text(predicate.field("name")?) {
        return None;
    }
    let of = type_hint(walk, predicate.field("type")?)?;
    (of.kind == HintKind::Type).then_some(of.with(HintKind::Proof))
}
