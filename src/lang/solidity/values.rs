//! Parameters, variables, and what expressions and types of Solidity say of values.

use crate::syntax::hints::{Hint, MAX_STEPS};
use crate::syntax::node::NodeExt;
use crate::syntax::walk::{Frame, Walk};
use tree_sitter::Node;

/// What a parameter belongs to.
const OWNERS: &[&str] = words!(
    "function_definition modifier_definition constructor_definition fallback_receive_definition
     event_definition error_declaration type_name catch_clause try_statement"
);

/// Where a variable is known.
const BLOCKS: &[&str] = words!(
    "function_body block_statement for_statement yul_block assembly_statement yul_for_statement"
);

/// The last named child that is an identifier.
fn last_identifier(node: Node<'_>) -> Option<Node<'_>> {
    let last = node.last_named()?;
    (last.kind_name() == "identifier").then_some(last)
}

/// What a type says of its values: the elements of arrays and mappings are of the type they hold.
fn type_source(mut node: Node<'_>) -> Option<Hint> {
    let mut collections = 0;
    for _ in 0..MAX_STEPS {
        match node.kind_name() {
            "primitive_type" => return Hint::LITERAL.collections(collections),
            "user_defined_type" => {
                return Hint::instance(last_identifier(node)?).collections(collections);
            }
            "type_name" => {
                if let Some(value) = node.field("value_type") {
                    (node, collections) = (value, collections + 1);
                    continue;
                }
                let inner = node.named_child(0)?;
                collections += usize::from(inner.kind_name() == "type_name");
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
        node = match node.kind_name() {
            "expression" | "parenthesized_expression" => node.named_child(0)?,
            "struct_expression" => node.field("type")?,
            "ternary_expression" => node.named_child(1)?,
            "call_expression" => {
                taken.push(Step::Call);
                node.field("function")?
            }
            "array_access" => {
                taken.push(Step::Element);
                node.field("base")?
            }
            "identifier" => {
                found = Some(Hint::value(node));
                break;
            }
            "member_expression" => {
                found = Some(Hint::value(node.field("property")?));
                break;
            }
            "new_expression" => {
                found = type_source(node.field("name")?);
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

pub(super) fn hint(_: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    source(node)
}

/// The type of a variable or field, or the one type that a function returns.
pub(super) fn of_definition(node: Node<'_>) -> Option<Hint> {
    let of = match node.field("return_type") {
        Some(returns) if returns.named_child_count() == 1 => returns.named_child(0)?.field("type"),
        Some(_) => None,
        None => node.field("type"),
    };
    type_source(of?)
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        walk.local_in(OWNERS, name, of_definition(node));
    }
}

pub(super) fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let scope = walk.scope_from(node.start_position(), BLOCKS);
        walk.local(name, scope, of_definition(node));
    }
}

/// `let a, b := f()`.
pub(super) fn yul_variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let scope = walk.scope_from(node.start_position(), BLOCKS);
    let left = node.named_fields("left").into_iter();
    walk.locals(
        left.filter_map(last_identifier),
        &scope,
        Some(Hint::LITERAL),
    );
}

/// `function f(a) -> b { ... }` inside assembly: its name is known in the block around, the others in it.
pub(super) fn yul_function<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let outer = walk.scope_within(BLOCKS);
    let inner = node.span();
    let mut names = node.all_of("yul_identifier").map(last_identifier);
    if let Some(own) = names.next().flatten() {
        walk.local(own, outer, Some(Hint::LITERAL));
    }
    walk.locals(names.flatten(), &inner, Some(Hint::LITERAL));
}
