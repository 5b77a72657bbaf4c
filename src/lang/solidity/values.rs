//! Parameters, variables, and what expressions and types of Solidity say of values.

use crate::syntax::hints::{Hint, MAX_STEPS};
use crate::syntax::walk::{Frame, Walk};
use tree_sitter::Node;

/// What a parameter belongs to.
const OWNERS: &[&str] = &[
    "function_definition",
    "modifier_definition",
    "constructor_definition",
    "fallback_receive_definition",
    "event_definition",
    "error_declaration",
    "type_name",
    "catch_clause",
    "try_statement",
];

/// Where a variable is known.
const BLOCKS: &[&str] = &[
    "function_body",
    "block_statement",
    "for_statement",
    "yul_block",
    "assembly_statement",
    "yul_for_statement",
];

/// The last named child that is an identifier.
fn last_identifier(node: Node<'_>) -> Option<Node<'_>> {
    let last = node.named_child(node.named_child_count().checked_sub(1)? as u32)?;
    (last.kind() == "identifier").then_some(last)
}

/// What a type says of its values: the elements of arrays and mappings are of the type they hold.
fn type_source(mut node: Node<'_>) -> Option<Hint> {
    let mut collections = 0;
    for _ in 0..MAX_STEPS {
        match node.kind() {
            "primitive_type" => return Hint::LITERAL.collections(collections),
            "user_defined_type" => {
                return Hint::instance(last_identifier(node)?).collections(collections);
            }
            "type_name" => {
                if let Some(value) = node.child_by_field_name("value_type") {
                    (node, collections) = (value, collections + 1);
                    continue;
                }
                let inner = node.named_child(0)?;
                collections += usize::from(inner.kind() == "type_name");
                node = inner;
            }
            _ => return None,
        }
    }
    None
}

/// What a value is taken by from what an expression begins with.
enum Step {
    Call,
    Element,
}

fn source(mut node: Node<'_>) -> Option<Hint> {
    let mut taken = Vec::new();
    let mut found = None;
    for _ in 0..MAX_STEPS {
        node = match node.kind() {
            "expression" | "parenthesized_expression" => node.named_child(0)?,
            "struct_expression" => node.child_by_field_name("type")?,
            "ternary_expression" => node.named_child(1)?,
            "call_expression" => {
                taken.push(Step::Call);
                node.child_by_field_name("function")?
            }
            "array_access" => {
                taken.push(Step::Element);
                node.child_by_field_name("base")?
            }
            "identifier" => {
                found = Some(Hint::value(node));
                break;
            }
            "member_expression" => {
                found = Some(Hint::value(node.child_by_field_name("property")?));
                break;
            }
            "new_expression" => {
                found = type_source(node.child_by_field_name("name")?);
                break;
            }
            "number_literal"
            | "string_literal"
            | "boolean_literal"
            | "hex_string_literal"
            | "type_cast_expression"
            | "binary_expression"
            | "unary_expression"
            | "inline_array_expression"
            | "payable_conversion_expression" => {
                found = Some(Hint::LITERAL);
                break;
            }
            _ => return None,
        };
    }
    taken
        .iter()
        .rev()
        .try_fold(found?, |of, step| match (step, of) {
            // `new A(...)` is what its type says.
            (Step::Call, of) => Some(of.called().unwrap_or(of)),
            (Step::Element, of) => of.element(),
        })
}

pub(super) fn clue(_: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    source(node)
}

/// The type of a variable or field, or the one type that a function returns.
pub(super) fn of_definition(node: Node<'_>) -> Option<Hint> {
    let of = match node.child_by_field_name("return_type") {
        Some(returns) if returns.named_child_count() == 1 => {
            returns.named_child(0)?.child_by_field_name("type")
        }
        Some(_) => None,
        None => node.child_by_field_name("type"),
    };
    type_source(of?)
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.child_by_field_name("name") {
        let clue = of_definition(node);
        let scope = walk.scope_within(OWNERS);
        walk.local(name, scope, clue);
    }
}

pub(super) fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.child_by_field_name("name") {
        let clue = of_definition(node);
        let mut scope = walk.scope_within(BLOCKS);
        scope.start = node.start_position();
        walk.local(name, scope, clue);
    }
}

/// `let a, b := f()`.
pub(super) fn yul_variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let mut scope = walk.scope_within(BLOCKS);
    scope.start = node.start_position();
    let mut cursor = node.walk();
    let left: Vec<Node<'t>> = node
        .children_by_field_name("left", &mut cursor)
        .filter(|name| name.is_named())
        .collect();
    for name in left {
        if let Some(name) = last_identifier(name) {
            walk.local(name, scope.clone(), Some(Hint::LITERAL));
        }
    }
}

/// `function f(a) -> b { ... }` inside assembly: its name is known in the block around, the others in it.
pub(super) fn yul_function<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let outer = walk.scope_within(BLOCKS);
    let inner = node.start_position()..node.end_position();
    let mut cursor = node.walk();
    let names: Vec<Node<'t>> = node
        .named_children(&mut cursor)
        .filter(|name| name.kind() == "yul_identifier")
        .collect();
    for (i, name) in names.into_iter().enumerate() {
        if let Some(name) = last_identifier(name) {
            let scope = if i == 0 { outer.clone() } else { inner.clone() };
            walk.local(name, scope, Some(Hint::LITERAL));
        }
    }
}
