//! C and C++: what types and expressions say of values.

use super::declarators::declared;
use crate::record::Flow;
use crate::syntax::flows::Clue;
use crate::syntax::values::{Known, MAX_STEPS, children, text};
use crate::syntax::walk::Walk;
use tree_sitter::Node;

/// Templates that are used as what they hold is.
const WRAPPERS: &[&[u8]] = &[
    b"StatusOr",
    b"expected",
    b"future",
    b"optional",
    b"reference_wrapper",
    b"shared_ptr",
    b"unique_ptr",
    b"weak_ptr",
];

const COLLECTIONS: &[&[u8]] = &[
    b"array",
    b"deque",
    b"forward_list",
    b"initializer_list",
    b"list",
    b"multiset",
    b"queue",
    b"set",
    b"span",
    b"stack",
    b"unordered_set",
    b"vector",
];

const MAPS: &[&[u8]] = &[b"map", b"multimap", b"unordered_map"];

/// Function templates that give an instance of the type they are given.
const MAKERS: &[&[u8]] = &[
    b"any_cast",
    b"const_cast",
    b"dynamic_cast",
    b"dynamic_pointer_cast",
    b"make_shared",
    b"make_unique",
    b"reinterpret_cast",
    b"static_cast",
    b"static_pointer_cast",
];

/// What an instance of a type is.
pub(super) fn of_type<'n>(walk: &Walk<'_>, mut node: Node<'n>) -> Option<Known<'n>> {
    let mut nested = 0;
    for _ in 0..MAX_STEPS {
        node = match node.kind() {
            "type_identifier" => {
                let literal = matches!(text(walk, node), b"string" | b"string_view" | b"wstring");
                let flow = if literal { Flow::Literal } else { Flow::Type };
                return Known::new(flow, node).collection(nested);
            }
            "primitive_type" | "sized_type_specifier" => {
                return Some(Known::new(Flow::Literal, node));
            }
            "struct_specifier"
            | "union_specifier"
            | "enum_specifier"
            | "class_specifier"
            | "qualified_identifier" => node.child_by_field_name("name")?,
            "type_descriptor" => node.child_by_field_name("type")?,
            "dependent_type" => node.named_child(0)?,
            "template_type" => {
                let base = node.child_by_field_name("name")?;
                let arguments = node.child_by_field_name("arguments")?;
                let arguments = children(arguments);
                let name = text(walk, base);
                if WRAPPERS.contains(&name) {
                    *arguments.first()?
                } else if COLLECTIONS.contains(&name) {
                    nested += 1;
                    *arguments.first()?
                } else if MAPS.contains(&name) {
                    nested += 1;
                    *arguments.get(1)?
                } else {
                    base
                }
            }
            _ => return None,
        };
    }
    None
}

/// What a declarator declares, by the type before it or, where that is `auto`, by its value.
pub(super) fn of_declared<'n>(
    walk: &Walk<'_>,
    declared_type: Option<Node<'n>>,
    declarator: Node<'n>,
) -> Option<Known<'n>> {
    let declared_type = declared_type?;
    if declared_type.kind() == "placeholder_type_specifier" {
        return of_value(walk, declarator.child_by_field_name("value")?);
    }
    let shape = declared(walk, declarator)?;
    if shape.pointer_to_function {
        return Some(Known::new(Flow::Literal, declared_type));
    }
    of_type(walk, declared_type)?.collection(shape.arrays)
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
            "this" => return Known::new(Flow::This, node).element(elements),
            "qualified_identifier" | "field_expression" => {
                let name = member(node)?;
                return Known::new(Flow::Value, name).element(elements);
            }
            "call_expression" => match called(walk, node)? {
                Called::Known(known) => return known.element(elements),
                Called::Argument(argument) => argument,
            },
            // `A<int>::make()`.
            "template_type" => {
                let name = node.child_by_field_name("name")?;
                return Known::new(Flow::Type, name).element(elements);
            }
            "new_expression" | "cast_expression" | "compound_literal_expression" => {
                return of_type(walk, node.child_by_field_name("type")?)?.element(elements);
            }
            "subscript_expression" => {
                elements += 1;
                node.child_by_field_name("argument")?
            }
            "pointer_expression" => node.child_by_field_name("argument")?,
            "parenthesized_expression" => node.named_child(0)?,
            "assignment_expression" | "comma_expression" => node.child_by_field_name("right")?,
            "conditional_expression" => node.child_by_field_name("consequence")?,
            "binary_expression" => match node.child_by_field_name("operator")?.kind() {
                // A place further on.
                "+" | "-" => node.child_by_field_name("left")?,
                _ => return Some(Known::new(Flow::Literal, node)),
            },
            "number_literal"
            | "string_literal"
            | "raw_string_literal"
            | "concatenated_string"
            | "char_literal"
            | "true"
            | "false"
            | "sizeof_expression"
            | "lambda_expression" => return Some(Known::new(Flow::Literal, node)),
            _ => return None,
        };
    }
    None
}

/// The last name of `a::b`, `a.b` or `a->b`, template arguments dropped.
fn member(mut node: Node<'_>) -> Option<Node<'_>> {
    for _ in 0..MAX_STEPS {
        node = match node.kind() {
            "qualified_identifier" | "template_function" | "template_method" | "template_type" => {
                node.child_by_field_name("name")?
            }
            "field_expression" => node.child_by_field_name("field")?,
            "dependent_name" => node.named_child(0)?,
            "identifier" | "field_identifier" | "type_identifier" => return Some(node),
            _ => return None,
        };
    }
    None
}

enum Called<'n> {
    Known(Known<'n>),
    /// It gives back what it is given.
    Argument(Node<'n>),
}

fn called<'n>(walk: &Walk<'_>, call: Node<'n>) -> Option<Called<'n>> {
    let mut function = call.child_by_field_name("function")?;
    for _ in 0..MAX_STEPS {
        match function.kind() {
            "primitive_type" => {
                return Some(Called::Known(Known::new(Flow::Literal, function)));
            }
            "parenthesized_expression" => function = function.named_child(0)?,
            "pointer_expression" => function = function.child_by_field_name("argument")?,
            "qualified_identifier" => function = function.child_by_field_name("name")?,
            "template_function" => {
                let name = function.child_by_field_name("name")?;
                if !MAKERS.contains(&text(walk, name)) {
                    return Some(Called::Known(Known::new(Flow::Result, name)));
                }
                let arguments = function.child_by_field_name("arguments")?;
                return of_type(walk, arguments.named_child(0)?).map(Called::Known);
            }
            _ => break,
        }
    }
    let name = member(function)?;
    match text(walk, name) {
        b"move" | b"forward" => {
            let arguments = call.child_by_field_name("arguments")?;
            arguments.named_child(0).map(Called::Argument)
        }
        _ => Some(Called::Known(Known::new(Flow::Result, name))),
    }
}

/// What a designator (`.field = value`) that is being entered names a field of.
pub(super) fn designated<'t>(walk: &Walk<'t>) -> Option<Known<'t>> {
    let mut depth = 0;
    // Above the designator are its pair and the list.
    for above in (2..).take(MAX_STEPS) {
        let node = walk.ancestor(above)?.node;
        match node.kind() {
            "initializer_list" => depth += 1,
            "initializer_pair" => {
                let designator = node.child_by_field_name("designator")?;
                let name = designator.named_child(0)?;
                if designator.kind() == "field_designator" {
                    return Known::new(Flow::Value, name).element(depth);
                }
                // `[2] = { .field = value }`; the list around it is counted next.
            }
            "compound_literal_expression" => {
                return of_type(walk, node.child_by_field_name("type")?);
            }
            "init_declarator" => {
                let declaration = walk.ancestor(above + 1)?.node;
                let declared = declaration.child_by_field_name("type");
                let known = of_declared(walk, declared, node)?;
                return known.element(depth);
            }
            _ => return None,
        }
    }
    None
}
