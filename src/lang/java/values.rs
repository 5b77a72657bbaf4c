//! Java: what types and expressions say of values.

use crate::record::Flow;
use crate::syntax::flows::Clue;
use crate::syntax::values::{Known, MAX_STEPS, children, text};
use crate::syntax::walk::Walk;
use tree_sitter::Node;

/// Types of `java.lang` that stand for values of the language.
const LITERALS: &[&[u8]] = &[
    b"Boolean",
    b"Byte",
    b"CharSequence",
    b"Character",
    b"Double",
    b"Float",
    b"Integer",
    b"Long",
    b"Number",
    b"Object",
    b"Short",
    b"String",
    b"StringBuilder",
    b"Void",
];

/// Types that are used as what they hold is.
const WRAPPERS: &[&[u8]] = &[
    b"CompletableFuture",
    b"CompletionStage",
    b"Future",
    b"ListenableFuture",
    b"Mono",
    b"Optional",
];

const COLLECTIONS: &[&[u8]] = &[
    b"ArrayDeque",
    b"ArrayList",
    b"Collection",
    b"CopyOnWriteArrayList",
    b"Deque",
    b"Enumeration",
    b"Flux",
    b"HashSet",
    b"ImmutableList",
    b"ImmutableSet",
    b"Iterable",
    b"Iterator",
    b"LinkedHashSet",
    b"LinkedList",
    b"List",
    b"ListIterator",
    b"PriorityQueue",
    b"Queue",
    b"Set",
    b"SortedSet",
    b"Stack",
    b"Stream",
    b"TreeSet",
    b"Vector",
];

const MAPS: &[&[u8]] = &[
    b"ConcurrentHashMap",
    b"ConcurrentMap",
    b"EnumMap",
    b"HashMap",
    b"ImmutableMap",
    b"LinkedHashMap",
    b"Map",
    b"NavigableMap",
    b"SortedMap",
    b"TreeMap",
];

/// What an instance of a type is.
pub(super) fn of_type<'n>(walk: &Walk<'_>, mut node: Node<'n>) -> Option<Known<'n>> {
    let mut nested = 0;
    for _ in 0..MAX_STEPS {
        node = match node.kind() {
            "type_identifier" | "identifier" => {
                let flow = match text(walk, node) {
                    b"var" => return None,
                    name if LITERALS.contains(&name) => Flow::Literal,
                    _ => Flow::Type,
                };
                return Known::new(flow, node).collection(nested);
            }
            "integral_type" | "floating_point_type" | "boolean_type" | "void_type" => {
                return Some(Known::new(Flow::Literal, node));
            }
            "array_type" => {
                nested += 1;
                node.child_by_field_name("element")?
            }
            "scoped_type_identifier" | "annotated_type" => children(node).pop()?,
            "scoped_identifier" => node.child_by_field_name("name")?,
            // `? extends T`, a catch of one type, a bound.
            "wildcard" | "catch_type" | "type_bound" => {
                let types = children(node);
                if node.kind() == "catch_type" && types.len() > 1 {
                    return None;
                }
                if node.kind() == "type_bound" {
                    *types.first()?
                } else {
                    *types.last()?
                }
            }
            "generic_type" => {
                let parts = children(node);
                let mut base = *parts.first()?;
                if base.kind() == "scoped_type_identifier" {
                    base = children(base).pop()?;
                }
                let arguments = parts.last().map_or_else(Vec::new, |list| children(*list));
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
            "field_access" => {
                let field = node.child_by_field_name("field")?;
                if field.kind() != "identifier" {
                    return None;
                }
                return Known::new(Flow::Value, field).element(elements);
            }
            "method_invocation" => {
                let name = node.child_by_field_name("name")?;
                match (text(walk, name), node.child_by_field_name("object")) {
                    // What an Optional or a Future holds.
                    (b"orElse" | b"orElseGet" | b"orElseThrow" | b"join", Some(object)) => object,
                    (b"requireNonNull", _) => {
                        node.child_by_field_name("arguments")?.named_child(0)?
                    }
                    (b"toString" | b"hashCode", _) => return Some(Known::new(Flow::Literal, name)),
                    _ => return Known::new(Flow::Result, name).element(elements),
                }
            }
            "object_creation_expression" | "cast_expression" => {
                return of_type(walk, node.child_by_field_name("type")?)?.element(elements);
            }
            "array_creation_expression" => {
                let made = of_type(walk, node.child_by_field_name("type")?)?;
                return made.collection(1)?.element(elements);
            }
            "array_access" => {
                elements += 1;
                node.child_by_field_name("array")?
            }
            "parenthesized_expression" => node.named_child(0)?,
            "assignment_expression" => node.child_by_field_name("right")?,
            "ternary_expression" => {
                let first = node.child_by_field_name("consequence")?;
                if first.kind() == "null_literal" {
                    node.child_by_field_name("alternative")?
                } else {
                    first
                }
            }
            "string_literal"
            | "character_literal"
            | "decimal_integer_literal"
            | "hex_integer_literal"
            | "decimal_floating_point_literal"
            | "true"
            | "false"
            | "class_literal"
            | "lambda_expression"
            | "method_reference"
            | "binary_expression"
            | "unary_expression"
            | "instanceof_expression" => return Some(Known::new(Flow::Literal, node)),
            _ => return None,
        };
    }
    None
}

/// What is declared with a type or, where that is `var`, by its value.
pub(super) fn of_declared<'n>(
    walk: &Walk<'_>,
    declared: Option<Node<'n>>,
    value: Option<Node<'n>>,
) -> Option<Known<'n>> {
    let declared = declared?;
    if text(walk, declared) == b"var" {
        of_value(walk, value?)
    } else {
        of_type(walk, declared)
    }
}
