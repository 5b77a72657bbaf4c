//! Go: what types and expressions say of values.

use crate::record::Flow;
use crate::syntax::flows::Clue;
use crate::syntax::values::{Known, MAX_STEPS, children, text};
use crate::syntax::walk::Walk;
use tree_sitter::Node;

const BUILTIN_TYPES: &[&[u8]] = &[
    b"any",
    b"bool",
    b"byte",
    b"comparable",
    b"complex128",
    b"complex64",
    b"error",
    b"float32",
    b"float64",
    b"int",
    b"int16",
    b"int32",
    b"int64",
    b"int8",
    b"rune",
    b"string",
    b"uint",
    b"uint16",
    b"uint32",
    b"uint64",
    b"uint8",
    b"uintptr",
];

/// Whether an identifier is likely the name of a type.
pub(super) fn may_be_type(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_uppercase) || BUILTIN_TYPES.contains(&name)
}

/// What an instance of a type is.
pub(super) fn of_type<'n>(walk: &Walk<'_>, mut node: Node<'n>) -> Option<Known<'n>> {
    let mut nested = 0;
    for _ in 0..MAX_STEPS {
        node = match node.kind() {
            "type_identifier" | "identifier" => {
                let flow = if BUILTIN_TYPES.contains(&text(walk, node)) {
                    Flow::Literal
                } else {
                    Flow::Type
                };
                return Known::new(flow, node).collection(nested);
            }
            "function_type" | "interface_type" | "struct_type" => {
                return Some(Known::new(Flow::Literal, node));
            }
            "qualified_type" => node.child_by_field_name("name")?,
            "selector_expression" => node.child_by_field_name("field")?,
            "field_identifier" => return Known::new(Flow::Type, node).collection(nested),
            "generic_type" => node.child_by_field_name("type")?,
            "slice_type" | "array_type" | "implicit_length_array_type" => {
                nested += 1;
                node.child_by_field_name("element")?
            }
            "map_type" | "channel_type" => {
                nested += 1;
                node.child_by_field_name("value")?
            }
            "unary_expression" => node.child_by_field_name("operand")?,
            "pointer_type" | "parenthesized_type" | "parenthesized_expression" => {
                node.named_child(0)?
            }
            // A constraint of one type.
            "type_constraint" | "type_elem" if node.named_child_count() == 1 => {
                node.named_child(0)?
            }
            _ => return None,
        };
    }
    None
}

/// What a function returns: the first of its results, unless that is an error.
pub(super) fn of_result<'n>(walk: &Walk<'_>, function: Node<'n>) -> Option<Known<'n>> {
    let result = function.child_by_field_name("result")?;
    if result.kind() != "parameter_list" {
        return of_type(walk, result);
    }
    of_type(walk, result.named_child(0)?.child_by_field_name("type")?)
}

/// The language's way of asking: what the object of a member access is.
pub(super) fn clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    of_value(walk, node).map(Known::clue)
}

/// What an expression is.
pub(super) fn of_value<'n>(walk: &Walk<'_>, mut node: Node<'n>) -> Option<Known<'n>> {
    let mut elements = 0;
    for _ in 0..MAX_STEPS {
        node = match node.kind() {
            "identifier" => return Known::new(Flow::Value, node).element(elements),
            "selector_expression" => {
                let field = node.child_by_field_name("field")?;
                return Known::new(Flow::Value, field).element(elements);
            }
            "call_expression" => match called(walk, node)? {
                Called::Known(known) => return known.element(elements),
                Called::Argument(argument) => argument,
            },
            "composite_literal" | "type_assertion_expression" => {
                let made = of_type(walk, node.child_by_field_name("type")?)?;
                return made.element(elements);
            }
            "type_conversion_expression" => {
                let made = node.child_by_field_name("type")?;
                let mut known = of_type(walk, made)?;
                // `f[int](x)` calls a function just as well.
                if made.kind() == "generic_type" && known.flow == Flow::Type {
                    known.flow = Flow::Result;
                }
                return known.element(elements);
            }
            "index_expression" => {
                elements += 1;
                node.child_by_field_name("operand")?
            }
            "slice_expression" => node.child_by_field_name("operand")?,
            "parenthesized_expression" => node.named_child(0)?,
            "unary_expression" => {
                match node.child_by_field_name("operator")?.kind() {
                    "&" | "*" => {}
                    "<-" => elements += 1,
                    _ => return Some(Known::new(Flow::Literal, node)),
                }
                node.child_by_field_name("operand")?
            }
            "binary_expression" => match node.child_by_field_name("operator")?.kind() {
                "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||" => {
                    return Some(Known::new(Flow::Literal, node));
                }
                _ => return None,
            },
            "func_literal"
            | "int_literal"
            | "float_literal"
            | "imaginary_literal"
            | "rune_literal"
            | "interpreted_string_literal"
            | "raw_string_literal"
            | "true"
            | "false"
            | "iota" => return Some(Known::new(Flow::Literal, node)),
            _ => return None,
        };
    }
    None
}

enum Called<'n> {
    Known(Known<'n>),
    /// It gives back what it is given first.
    Argument(Node<'n>),
}

fn called<'n>(walk: &Walk<'_>, call: Node<'n>) -> Option<Called<'n>> {
    let mut function = call.child_by_field_name("function")?;
    let first = || call.child_by_field_name("arguments")?.named_child(0);
    for _ in 0..MAX_STEPS {
        function = match function.kind() {
            "identifier" => {
                let known = match text(walk, function) {
                    b"new" | b"make" => of_type(walk, first()?)?,
                    b"append" => return Some(Called::Argument(first()?)),
                    b"len" | b"cap" | b"copy" => Known::new(Flow::Literal, function),
                    name if BUILTIN_TYPES.contains(&name) => Known::new(Flow::Literal, function),
                    _ => Known::new(Flow::Result, function),
                };
                return Some(Called::Known(known));
            }
            "selector_expression" => {
                let field = function.child_by_field_name("field")?;
                return Some(Called::Known(Known::new(Flow::Result, field)));
            }
            // `(*T)(x)` converts.
            "unary_expression" => return of_type(walk, function).map(Called::Known),
            "func_literal" => return of_result(walk, function).map(Called::Known),
            "index_expression" => function.child_by_field_name("operand")?,
            "parenthesized_expression" => function.named_child(0)?,
            _ => return None,
        };
    }
    None
}

/// What a composite literal's keys name.
pub(super) enum Keys<'t> {
    /// Fields of this.
    Fields(Option<Known<'t>>),
    /// Values like any other: the keys of a map, the positions of an array.
    Values,
}

/// What the keys of the literal name whose `{` stands around the element being entered. An inner
/// literal may leave out its type: it is that of the outer one's elements.
pub(super) fn keys<'t>(walk: &Walk<'t>) -> Option<Keys<'t>> {
    let mut above = 0;
    let mut depth = 0;
    let mut node = loop {
        // Above the literal's braces is the literal, or the element it is.
        let parent = walk.ancestor(above + 1)?.node;
        match parent.kind() {
            "composite_literal" => break parent.child_by_field_name("type")?,
            "literal_element" => {
                depth += 1;
                above += 2;
                if walk.ancestor(above)?.node.kind() == "keyed_element" {
                    above += 1;
                }
            }
            _ => return None,
        }
        if depth > MAX_STEPS {
            return None;
        }
    };
    for _ in 0..MAX_STEPS {
        node = match node.kind() {
            "slice_type" | "array_type" | "implicit_length_array_type" | "map_type"
                if depth == 0 =>
            {
                return Some(Keys::Values);
            }
            "slice_type" | "array_type" | "implicit_length_array_type" => {
                depth -= 1;
                node.child_by_field_name("element")?
            }
            "map_type" => {
                depth -= 1;
                node.child_by_field_name("value")?
            }
            "pointer_type" => node.named_child(0)?,
            // What a named type's elements are is said elsewhere.
            _ if depth > 0 => return Some(Keys::Fields(None)),
            _ => return Some(Keys::Fields(of_type(walk, node))),
        };
    }
    None
}

/// Pairs the names on the left with what stands on the right. A call that gives several values says
/// something of the first only.
pub(super) fn pairs<'n>(
    walk: &Walk<'_>,
    names: &[Node<'n>],
    right: Option<Node<'n>>,
) -> Vec<Option<Clue>> {
    let values = right.map_or_else(Vec::new, |right| match right.kind() {
        "expression_list" => children(right),
        _ => vec![right],
    });
    let single = values.len() == 1 && names.len() == 2;
    let clue = |i: usize| match values.get(i) {
        Some(value) => of_value(walk, *value).map(Known::clue),
        // `v, ok := x.(T)`, `v, ok := m[k]`, `v, ok := <-c`.
        None if single
            && matches!(
                values[0].kind(),
                "type_assertion_expression" | "index_expression" | "unary_expression"
            ) =>
        {
            Some(Clue::LITERAL)
        }
        None => None,
    };
    (0..names.len()).map(clue).collect()
}
