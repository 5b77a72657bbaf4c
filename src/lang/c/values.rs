//! C and C++: what types and expressions say of values.

use super::declarators::declared;
use crate::syntax::prelude::*;

static CONTAINERS: Containers = Containers {
    wrappers: byte_words!(
        "StatusOr expected future optional reference_wrapper shared_ptr unique_ptr weak_ptr"
    ),
    collections: byte_words!(
        "array deque forward_list initializer_list list multiset queue set span stack
         unordered_set vector"
    ),
    maps: byte_words!("map multimap unordered_map"),
    ..Containers::NONE
};

/// Function templates that give an instance of the type they are given.
const MAKERS: &[&[u8]] = byte_words!(
    "any_cast const_cast dynamic_cast dynamic_pointer_cast make_shared make_unique
     reinterpret_cast static_cast static_pointer_cast"
);

/// What paths of types of the language itself begin with.
const LIBRARIES: &[&[u8]] = byte_words!("std");

/// What an instance of a type is.
pub(super) fn of_type(walk: &Walk<'_>, mut node: Node<'_>) -> Option<Hint> {
    let mut nested = 0;
    for _ in 0..MAX_STEPS {
        node = match node.kind_name() {
            "type_identifier" => {
                return match walk.text(node) {
                    b"string" | b"string_view" | b"wstring" => Some(Hint::LITERAL),
                    _ => Hint::instance(node).collections(nested),
                };
            }
            "primitive_type" | "sized_type_specifier" => {
                return Some(Hint::LITERAL);
            }
            "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier" => {
                node.field("name")?
            }
            "qualified_identifier" => {
                let name = node.field("name")?;
                if name.kind_name() == "type_identifier" && !may_be_own(walk.text(node), LIBRARIES)
                {
                    return Hint::instance(name).collections(nested);
                }
                name
            }
            "type_descriptor" => node.field("type")?,
            "dependent_type" => node.named_child(0)?,
            "template_type" => {
                let base = node.field("name")?;
                let arguments = node.field("arguments")?;
                let arguments = arguments.content();
                let name = walk.text(base);
                match CONTAINERS.held(name) {
                    Some((at, levels)) => {
                        nested += levels;
                        *arguments.get(at as usize)?
                    }
                    None => base,
                }
            }
            _ => return None,
        };
    }
    None
}

/// What a declarator declares, by the type before it or, where that is `auto`, by its value.
pub(super) fn of_declared(
    walk: &Walk<'_>,
    declared_type: Option<Node<'_>>,
    declarator: Node<'_>,
) -> Option<Hint> {
    let declared_type = declared_type?;
    if declared_type.kind_name() == "placeholder_type_specifier" {
        return of_value(walk, declarator.field("value")?);
    }
    let shape = declared(walk, declarator)?;
    if shape.pointer_to_function {
        return Some(Hint::LITERAL);
    }
    of_type(walk, declared_type)?.collections(shape.arrays)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "number_literal string_literal raw_string_literal concatenated_string char_literal true
     false sizeof_expression lambda_expression"
);

/// What an expression is.
pub(in crate::lang) fn of_value(walk: &Walk<'_>, mut node: Node<'_>) -> Option<Hint> {
    let mut elements = 0;
    for _ in 0..MAX_STEPS {
        node = match node.kind_name() {
            "identifier" => return Hint::value(node).nested_element(elements),
            "this" => return Hint::THIS.nested_element(elements),
            "qualified_identifier" | "field_expression" => {
                let name = member(node)?;
                return Hint::value(name).nested_element(elements);
            }
            "call_expression" => match called(walk, node)? {
                Step::Known(known) => return known.nested_element(elements),
                Step::Same(argument) => argument,
            },
            // `A<int>::make()`.
            "template_type" => {
                let name = node.field("name")?;
                return Hint::instance(name).nested_element(elements);
            }
            "new_expression" | "cast_expression" | "compound_literal_expression" => {
                return of_type(walk, node.field("type")?)?.nested_element(elements);
            }
            "subscript_expression" => {
                elements += 1;
                node.field("argument")?
            }
            "pointer_expression" => node.field("argument")?,
            "parenthesized_expression" => node.named_child(0)?,
            "assignment_expression" | "comma_expression" => node.field("right")?,
            "conditional_expression" => node.field("consequence")?,
            "binary_expression" => match node.field("operator")?.kind_name() {
                // A place further on.
                "+" | "-" => node.field("left")?,
                _ => return Some(Hint::LITERAL),
            },
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        };
    }
    None
}

/// The last name of `a::b`, `a.b` or `a->b`, template arguments dropped.
fn member(mut node: Node<'_>) -> Option<Node<'_>> {
    for _ in 0..MAX_STEPS {
        node = match node.kind_name() {
            "qualified_identifier" | "template_function" | "template_method" | "template_type" => {
                node.field("name")?
            }
            "field_expression" => node.field("field")?,
            "dependent_name" => node.named_child(0)?,
            "identifier" | "field_identifier" | "type_identifier" => return Some(node),
            _ => return None,
        };
    }
    None
}

fn called<'n>(walk: &Walk<'_>, call: Node<'n>) -> Option<Step<'n>> {
    let mut function = call.field("function")?;
    for _ in 0..MAX_STEPS {
        match function.kind_name() {
            "primitive_type" => {
                return Some(Step::Known(Hint::LITERAL));
            }
            "parenthesized_expression" => function = function.named_child(0)?,
            "pointer_expression" => function = function.field("argument")?,
            "qualified_identifier" => function = function.field("name")?,
            "template_function" => {
                let name = function.field("name")?;
                if !MAKERS.contains(&walk.text(name)) {
                    return Some(Step::Known(Hint::result(name)));
                }
                let arguments = function.field("arguments")?;
                return of_type(walk, arguments.named_child(0)?).map(Step::Known);
            }
            _ => break,
        }
    }
    let name = member(function)?;
    match walk.text(name) {
        b"move" | b"forward" => {
            let arguments = call.field("arguments")?;
            arguments.named_child(0).map(Step::Same)
        }
        _ => Some(Step::Known(Hint::result(name))),
    }
}

/// What a designator (`.field = value`) that is being entered names a field of.
pub(super) fn designated<'t>(walk: &Walk<'t>) -> Option<Hint> {
    let mut depth = 0;
    // Above the designator are its pair and the list.
    for above in (2..).take(MAX_STEPS) {
        let node = walk.ancestor(above)?.node;
        match node.kind_name() {
            "initializer_list" => depth += 1,
            "initializer_pair" => {
                let designator = node.field("designator")?;
                let name = designator.named_child(0)?;
                if designator.kind_name() == "field_designator" {
                    return Hint::value(name).nested_element(depth);
                }
                // `[2] = { .field = value }`; the list around it is counted next.
            }
            "compound_literal_expression" => {
                return of_type(walk, node.field("type")?);
            }
            "init_declarator" => {
                let declaration = walk.ancestor(above + 1)?.node;
                let declared = declaration.field("type");
                let known = of_declared(walk, declared, node)?;
                return known.nested_element(depth);
            }
            _ => return None,
        }
    }
    None
}
