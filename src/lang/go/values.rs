//! Go: what types and expressions say of values.

use crate::syntax::prelude::*;

const BUILTIN_TYPES: &[&[u8]] = byte_words!(
    "any bool byte comparable complex128 complex64 error float32 float64 int int16 int32
     int64 int8 rune string uint uint16 uint32 uint64 uint8 uintptr"
);

/// Whether an identifier is likely the name of a type.
pub(super) fn may_be_type(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_uppercase) || BUILTIN_TYPES.contains(&name)
}

/// What an instance of a type is.
pub(super) fn of_type(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    type_within(walk, node, MAX_STEPS)
}

fn type_within(walk: &Walk<'_>, mut node: Node<'_>, steps: usize) -> Option<Hint> {
    let mut nested = 0;
    for left in (0..steps).rev() {
        node = match node.kind_name() {
            "type_identifier" | "identifier" => {
                if BUILTIN_TYPES.contains(&walk.text(node)) {
                    return Some(Hint::LITERAL);
                }
                return Hint::instance(node).collections(nested);
            }
            "function_type" => {
                let gives = result_within(walk, node, left);
                let gives = gives.filter(|gives| gives.kind == HintKind::Type);
                let known = gives.map_or(Hint::LITERAL, |gives| gives.with(HintKind::Gives));
                return known.collections(nested);
            }
            "interface_type" | "struct_type" => {
                return Some(Hint::LITERAL);
            }
            "qualified_type" => node.field("name")?,
            "selector_expression" => node.field("field")?,
            "field_identifier" => return Hint::instance(node).collections(nested),
            "generic_type" => node.field("type")?,
            "slice_type" | "array_type" | "implicit_length_array_type" => {
                nested += 1;
                node.field("element")?
            }
            "map_type" | "channel_type" => {
                nested += 1;
                node.field("value")?
            }
            "unary_expression" => node.field("operand")?,
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
pub(super) fn of_result(walk: &Walk<'_>, function: Node<'_>) -> Option<Hint> {
    result_within(walk, function, MAX_STEPS)
}

fn result_within(walk: &Walk<'_>, function: Node<'_>, steps: usize) -> Option<Hint> {
    let result = function.field("result")?;
    if result.kind_name() != "parameter_list" {
        return type_within(walk, result, steps);
    }
    type_within(walk, result.named_child(0)?.field("type")?, steps)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "func_literal int_literal float_literal imaginary_literal rune_literal
     interpreted_string_literal raw_string_literal true false iota"
);

/// What an expression is.
pub(super) fn of_value(walk: &Walk<'_>, mut node: Node<'_>) -> Option<Hint> {
    let mut elements = 0;
    for _ in 0..MAX_STEPS {
        node = match node.kind_name() {
            "identifier" => return Hint::value(node).nested_element(elements),
            "selector_expression" => {
                let field = node.field("field")?;
                return Hint::value(field).nested_element(elements);
            }
            "call_expression" => match called(walk, node)? {
                Step::Known(known) => return known.nested_element(elements),
                Step::Same(argument) => argument,
            },
            "composite_literal" | "type_assertion_expression" => {
                let made = of_type(walk, node.field("type")?)?;
                return made.nested_element(elements);
            }
            "type_conversion_expression" => {
                let made = node.field("type")?;
                let known = of_type(walk, made)?;
                // `f[int](x)` calls a function just as well.
                let known = match known.kind {
                    HintKind::Type if made.kind_name() == "generic_type" => {
                        known.with(HintKind::Result)
                    }
                    _ => known,
                };
                return known.nested_element(elements);
            }
            "index_expression" => {
                elements += 1;
                node.field("operand")?
            }
            "slice_expression" => node.field("operand")?,
            "parenthesized_expression" => node.named_child(0)?,
            "unary_expression" => {
                match node.field("operator")?.kind_name() {
                    "&" | "*" => {}
                    "<-" => elements += 1,
                    _ => return Some(Hint::LITERAL),
                }
                node.field("operand")?
            }
            "binary_expression" => match node.field("operator")?.kind_name() {
                "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||" => {
                    return Some(Hint::LITERAL);
                }
                _ => return None,
            },
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        };
    }
    None
}

fn called<'n>(walk: &Walk<'_>, call: Node<'n>) -> Option<Step<'n>> {
    let mut function = call.field("function")?;
    let first = || call.field("arguments")?.named_child(0);
    for _ in 0..MAX_STEPS {
        function = match function.kind_name() {
            "identifier" => {
                let known = match walk.text(function) {
                    b"new" | b"make" => of_type(walk, first()?)?,
                    b"append" => return Some(Step::Same(first()?)),
                    b"len" | b"cap" | b"copy" => Hint::LITERAL,
                    name if BUILTIN_TYPES.contains(&name) => Hint::LITERAL,
                    _ => Hint::result(function),
                };
                return Some(Step::Known(known));
            }
            "selector_expression" => {
                let field = function.field("field")?;
                return Some(Step::Known(Hint::result(field)));
            }
            // `(*T)(x)` converts.
            "unary_expression" => return of_type(walk, function).map(Step::Known),
            "func_literal" => return of_result(walk, function).map(Step::Known),
            "index_expression" => function.field("operand")?,
            "parenthesized_expression" => function.named_child(0)?,
            _ => return None,
        };
    }
    None
}

/// What a composite literal's keys name.
pub(super) enum Keys {
    /// Fields of this.
    Fields {
        object: Option<Hint>,
        /// Whether its type is that of another package.
        elsewhere: bool,
    },
    /// Values like any other: the keys of a map, the positions of an array.
    Values,
}

/// What the keys of the literal name whose `{` stands around the element being entered. An inner
/// literal may leave out its type: it is that of the outer one's elements.
pub(super) fn keys(walk: &Walk<'_>) -> Option<Keys> {
    let mut above = 0;
    let mut depth = 0;
    let mut node = loop {
        // Above the literal's braces is the literal, or the element it is.
        let parent = walk.ancestor(above + 1)?.node;
        match parent.kind_name() {
            "composite_literal" => break parent.field("type")?,
            "literal_element" => {
                depth += 1;
                above += 2;
                if walk.ancestor(above)?.node.kind_name() == "keyed_element" {
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
        node = match node.kind_name() {
            "slice_type" | "array_type" | "implicit_length_array_type" | "map_type"
                if depth == 0 =>
            {
                return Some(Keys::Values);
            }
            "slice_type" | "array_type" | "implicit_length_array_type" => {
                depth -= 1;
                node.field("element")?
            }
            "map_type" => {
                depth -= 1;
                node.field("value")?
            }
            "pointer_type" => node.named_child(0)?,
            // What a named type's elements are is said elsewhere.
            _ => {
                let known = Some(node).filter(|_| depth == 0);
                let base = known.and_then(|known| match known.kind_name() {
                    "generic_type" => known.field("type"),
                    _ => Some(known),
                });
                return Some(Keys::Fields {
                    object: known.and_then(|known| of_type(walk, known)),
                    elsewhere: base.is_some_and(|base| base.kind_name() == "qualified_type"),
                });
            }
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
) -> Vec<Option<Hint>> {
    let values = right.map_or_else(Vec::new, |right| match right.kind_name() {
        "expression_list" => right.content(),
        _ => vec![right],
    });
    let single = values.len() == 1 && names.len() == 2;
    let hint = |i: usize| match values.get(i) {
        Some(value) => of_value(walk, *value),
        // `v, ok := x.(T)`, `v, ok := m[k]`, `v, ok := <-c`.
        None if single
            && matches!(
                values[0].kind_name(),
                "type_assertion_expression" | "index_expression" | "unary_expression"
            ) =>
        {
            Some(Hint::LITERAL)
        }
        None => None,
    };
    (0..names.len()).map(hint).collect()
}
