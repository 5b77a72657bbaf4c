//! What is expected where an object or a function is written: of which type the members are that an object names, and
//! with what a function is called that is handed on.
//!
//! Only places say so: an argument of a call, what has a written type, a member of such an object, an attribute of JSX.
//! What the call or the type means is not decided here. Deliberately absent: arguments behind the third.

use super::frameworks::props;
use super::types::type_hint;
use super::values::hint;
use crate::syntax::prelude::*;

/// Parameters of a function that is handed on of which is looked for what they are.
const MAX_PLACES: usize = 3;

/// What holds the type that a function says it returns.
const FUNCTIONS: &[&str] = words!(
    "function_declaration generator_function_declaration function_expression generator_function
     arrow_function method_definition"
);

/// What the function is called with, at a place among its parameters, that stands in what is so far up.
pub(super) fn called_with(
    walk: &Walk<'_>,
    function: Node<'_>,
    up: usize,
    place: usize,
) -> Option<Hint> {
    let expected = match function.kind_name() {
        _ if place >= MAX_PLACES => return None,
        // Accessors are not called.
        "method_definition" if function.part(&["get", "set"]).is_none() => {
            let key = function.field_of("name", "property_identifier")?;
            (walk.above(up)?.kind_name() == "object").then(|| Hint::value(key))?
        }
        "arrow_function" | "function_expression" => {
            if place == 0
                && let Some(props) = props(walk, function, up)
            {
                return Some(props);
            }
            expected(walk, function, up)?
        }
        _ => return None,
    };
    expected.called_with(place)
}

/// What is expected where a node stands, whose parent is so far up.
pub(super) fn expected<'t>(walk: &Walk<'t>, mut node: Node<'t>, up: usize) -> Option<Hint> {
    let mut in_list = false;
    for up in up..up + MAX_STEPS {
        let above = walk.above(up)?;
        let is = |field: &str| above.field(field) == Some(node);
        let found = match above.kind_name() {
            "parenthesized_expression" => None,
            "ternary_expression" if !is("condition") => None,
            "binary_expression" => match above.field("operator")?.kind_name() {
                "||" | "??" => None,
                _ => return None,
            },
            "array" if !in_list => {
                in_list = true;
                None
            }
            "arguments" => Some(argument(walk, node, up)?),
            "pair" => Some(member(walk, above, up)?),
            "jsx_expression" => {
                let attribute = walk.above(up + 1)?;
                let name = attribute.named_child(0)?;
                let is_named = name.kind_name() == "property_identifier";
                Some(is_named.then(|| Hint::value(name))?)
            }
            "assignment_expression" if is("right") => Some(hint(walk, above.field("left")?)?),
            "return_statement" => {
                let function = walk.enclosing(FUNCTIONS)?.node;
                Some(type_hint(walk, function.field("return_type")?)?)
            }
            "arrow_function" if is("body") => Some(type_hint(walk, above.field("return_type")?)?),
            _ => Some(written(walk, above, node)?),
        };
        if let Some(found) = found {
            return match in_list {
                true => found.expected_element(),
                false => Some(found),
            };
        }
        node = above;
    }
    None
}

/// What the type says that is written for the value of a node.
fn written(walk: &Walk<'_>, above: Node<'_>, value: Node<'_>) -> Option<Hint> {
    match above.kind_name() {
        "variable_declarator"
        | "public_field_definition"
        | "required_parameter"
        | "optional_parameter"
            if above.field("value") == Some(value) =>
        {
            type_hint(walk, above.field("type")?)
        }
        "as_expression" | "satisfies_expression" => type_hint(walk, above.named_child(1)?),
        _ => None,
    }
}

/// What an argument of a call may be, whose list is so far up.
fn argument(walk: &Walk<'_>, argument: Node<'_>, up: usize) -> Option<Hint> {
    let (list, call) = (walk.above(up)?, walk.above(up + 1)?);
    if list.is_wide() {
        return None;
    }
    let mut called = call
        .field("function")
        .or_else(|| call.field("constructor"))?;
    while matches!(
        called.kind_name(),
        "non_null_expression" | "instantiation_expression" | "parenthesized_expression"
    ) {
        called = called.named_child(0)?;
    }
    let name = match called.kind_name() {
        "identifier" => called,
        "member_expression" => called.field_of("property", "property_identifier")?,
        _ => return None,
    };
    let mut before = list.named().take_while(|one| *one != argument);
    let place = before.try_fold(0, |place, one| match one.kind_name() {
        "comment" => Some(place),
        // Nobody knows how many there are.
        "spread_element" => None,
        _ => Some(place + 1),
    });
    Hint::argument(name, place?)
}

/// What the value of a pair may be: the member of this name, or an element of a map that is written out.
fn member(walk: &Walk<'_>, pair: Node<'_>, up: usize) -> Option<Hint> {
    let (object, above) = (walk.above(up + 1)?, walk.above(up + 2)?);
    let of_map = written(walk, above, object).filter(|of| of.kind == HintKind::Elements);
    match of_map {
        Some(map) => map.element(),
        None => pair.field_of("key", "property_identifier").map(Hint::value),
    }
}
