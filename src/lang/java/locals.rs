//! Java: names bound by parameters, variables and patterns.

use super::handed;
use super::values::{elements_of, of_declared, of_type, of_value};
use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

const BLOCKS: &[&str] = words!(
    "block constructor_body for_statement switch_block_statement_group switch_rule
     lambda_expression"
);

const FUNCTIONS: &[&str] = words!("method_declaration constructor_declaration lambda_expression");

fn after<'t>(walk: &Walk<'t>, node: Node<'t>) -> Range<Point> {
    node.end_position()..walk.scope_within(BLOCKS).end
}

pub(super) fn variables<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let declared = node.field("type");
    no_type(walk, declared);
    let end = walk.scope_within(BLOCKS).end;
    for declarator in node.named_fields("declarator") {
        let Some(name) = declarator.field("name") else {
            continue;
        };
        let value = declarator.field("value");
        let mut known = of_declared(walk, declared, value);
        if declarator.field("dimensions").is_some() {
            known = known.and_then(|known| known.collections(1));
        }
        walk.local(name, declarator.end_position()..end, known);
    }
}

/// `var` stands where a type stands and is none.
fn no_type<'t>(walk: &mut Walk<'t>, declared: Option<Node<'t>>) {
    if let Some(declared) = declared.filter(|declared| walk.text(*declared) == b"var") {
        walk.pass_over(declared);
    }
}

/// A parameter of a method, a constructor or a lambda that says its type.
pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.field("name") {
        let declared = node.field("type");
        no_type(walk, declared);
        let mut known = declared.and_then(|declared| of_type(walk, declared));
        if node.field("dimensions").is_some() {
            known = known.and_then(|known| known.collections(1));
        }
        walk.local_in(FUNCTIONS, name, known);
    }
}

/// `Job... jobs`.
pub(super) fn spread<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let parts = node.content();
    let declarator = parts.last().copied();
    if let Some(name) = declarator.and_then(|last| last.field("name")) {
        let declared = parts.iter().rev().nth(1);
        let known = declared
            .and_then(|declared| of_type(walk, *declared))
            .and_then(|known| known.collections(1));
        walk.local_in(FUNCTIONS, name, known);
        walk.receiver(name.start_position(), Hint::REST);
    }
}

/// A lambda's parameters that leave their types to be inferred.
pub(super) fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.scope = Scope::Function;
    let call = walk.ancestor(1).map(|call| call.node);
    let given = |count| handed_to_lambda(walk, call?, count);
    if let Some(parameters) = node.field("parameters") {
        match parameters.kind_name() {
            "identifier" => {
                let known = given(1).or_else(|| declared_for(walk, 0, 1));
                walk.local(parameters, node.span(), known);
            }
            "inferred_parameters" => {
                let names = parameters.content();
                let known = given(names.len());
                // What a map hands over last is its value.
                let of_map = names.len() == 2 && call.is_some_and(|call| is_for_each(walk, call));
                for (i, name) in names.iter().enumerate() {
                    let is_key = of_map && i == 0;
                    let declared = || declared_for(walk, i, names.len());
                    // Behind what was awaited stands what went wrong.
                    let is_fault =
                        i > 0 && call.is_some_and(|call| !is_comparing(walk, call) && !of_map);
                    let known = known.filter(|_| !is_key && !is_fault).or_else(declared);
                    walk.local(*name, node.span(), known);
                }
            }
            _ => {}
        }
    }
}

/// Calls that hand each element of the collection they are called on to a function of one parameter.
const HAND_OVER: &[&[u8]] = byte_words!(
    "allMatch anyMatch dropWhile filter flatMap forEach forEachOrdered map mapToDouble mapToInt mapToLong mapToObj
     noneMatch peek removeIf takeWhile"
);

/// Calls that hand two elements over at once.
const COMPARE: &[&[u8]] = byte_words!("max min reduce sort sorted");

fn is_comparing(walk: &Walk<'_>, call: Node<'_>) -> bool {
    COMPARE.contains(&walk.text_of(call.field("name")))
}

fn is_for_each(walk: &Walk<'_>, call: Node<'_>) -> bool {
    walk.text_of(call.field("name")) == b"forEach"
}

/// What a call gives to the parameters of its lambda, if it is one that goes over a collection.
fn handed_to_lambda(walk: &Walk<'_>, call: Node<'_>, parameters: usize) -> Option<Hint> {
    if call.kind_name() != "method_invocation" {
        return None;
    }
    let name = walk.text_of(call.field("name"));
    let goes_over = match parameters {
        1 => HAND_OVER.contains(&name),
        2 => COMPARE.contains(&name) || name == b"forEach",
        _ => false,
    };
    let object = call.field("object")?;
    let is_one = matches!(name, b"map" | b"filter" | b"flatMap")
        && handed::goes_over(walk, object) == Some(false);
    match goes_over && !is_one {
        true => elements_of(walk, object),
        // An Optional is used as what it holds is.
        false if is_one || HAND_HELD.contains(&name) => of_value(walk, object),
        false => None,
    }
}

/// Calls that hand what the object holds to a function.
const HAND_HELD: &[&[u8]] = byte_words!(
    "handle ifPresent ifPresentOrElse thenAccept thenAcceptAsync thenApply thenApplyAsync thenCompose thenComposeAsync
     whenComplete"
);

/// Types of functions, whose arguments are the types of what they take, with how many of these there are.
const FUNCTION_TYPES: &[(&[u8], usize)] = &[
    (b"BiConsumer", 2),
    (b"BiFunction", 2),
    (b"BiPredicate", 2),
    (b"Consumer", 1),
    (b"Function", 1),
    (b"Predicate", 1),
    (b"ToIntFunction", 1),
    (b"ToLongFunction", 1),
];

/// The same where each takes the one type that is written.
const OF_ONE: &[(&[u8], usize)] = &[
    (b"BinaryOperator", 2),
    (b"Comparator", 2),
    (b"UnaryOperator", 1),
];

/// What a parameter of a lambda is by the type that is declared for the lambda: `Consumer<Dog> feed = dog -> dog.eat()`.
fn declared_for<'t>(walk: &Walk<'t>, place: usize, count: usize) -> Option<Hint> {
    let holder = walk
        .above(0)
        .filter(|of| of.kind_name() == "variable_declarator")?;
    let declared = walk.above(1)?.field_of("type", "generic_type")?;
    if holder.field("dimensions").is_some() {
        return None;
    }
    let parts = declared.content();
    let name = walk.text(*parts.first()?);
    let takes = |all: &[(&[u8], usize)]| {
        let mut all = all.iter();
        all.any(|(of, taken)| *of == name && *taken == count)
    };
    let at = match (takes(FUNCTION_TYPES), takes(OF_ONE)) {
        (true, _) => place,
        (_, true) => 0,
        _ => return None,
    };
    of_type(walk, *parts.last()?.content().get(at)?)
}

pub(super) fn catch_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let declared = node
            .content()
            .into_iter()
            .find(|part| part.kind_name() == "catch_type");
        let known = declared.and_then(|declared| of_type(walk, declared));
        walk.local_in(&["catch_clause"], name, known);
    }
}

pub(super) fn enhanced_for<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let (Some(name), Some(declared), Some(body)) =
        (node.field("name"), node.field("type"), node.field("body"))
    {
        let value = node.field("value");
        no_type(walk, Some(declared));
        let known = if walk.text(declared) == b"var" {
            let value = value.and_then(|value| of_value(walk, value));
            value.and_then(|value| value.nested_element(1))
        } else {
            of_type(walk, declared)
        };
        walk.local(name, body.span(), known);
    }
}

/// `try (Reader in = open())`: open until the block ends.
pub(super) fn resource<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let body = walk
        .ancestor(1)
        .and_then(|statement| statement.node.field("body"));
    if let (Some(name), Some(body)) = (node.field("name"), body) {
        let declared = node.field("type");
        no_type(walk, declared);
        let known = of_declared(walk, declared, node.field("value"));
        let scope = node.end_position()..body.end_position();
        walk.local(name, scope, known);
    }
}

/// `x instanceof Job job`. The name may be known in what follows the statement too, so it is bound
/// until the block ends.
pub(super) fn instance_of<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let (Some(name), Some(right)) = (node.field("name"), node.field("right")) {
        let known = of_type(walk, right);
        let scope = after(walk, node);
        walk.local(name, scope, known);
    }
}

/// `case Job job ->` and the parts of `case Pair(Job left, var right)`.
pub(super) fn pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let parts = node.content();
    if let [.., declared, name] = parts.as_slice()
        && name.kind_name() == "identifier"
    {
        no_type(walk, Some(*declared));
        let known = of_type(walk, *declared);
        let scope = after(walk, node);
        walk.local(*name, scope, known);
    }
}

/// `<T extends Job>`.
pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let parts = node.content();
    let is = |kind: &str| parts.iter().find(|part| part.kind_name() == kind).copied();
    if let Some(name) = is("type_identifier") {
        let known = is("type_bound").and_then(|bound| of_type(walk, bound));
        walk.local_in(
            words!(
                "method_declaration constructor_declaration class_declaration
                 interface_declaration record_declaration"
            ),
            name,
            known,
        );
        if matches!(
            walk.kind_above(1),
            "method_declaration" | "constructor_declaration"
        ) {
            walk.receiver(name.start_position(), Hint::TYPE_PARAMETER);
        }
    }
}
