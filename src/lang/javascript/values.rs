//! What JavaScript expressions and TypeScript types say of values.

use super::functions::{is_function, is_function_node};
use crate::record::{Flow, SymbolKind};
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::walk::{Frame, Walk};
use tree_sitter::Node;

/// Expressions looked through to find a value: `(a || b)[0]` are three. A bound on time, since
/// every member access asks.
const MAX_STEPS: u8 = 8;

/// Functions of the language whose results have no members of the repository.
const PLAIN_CALLS: &[&[u8]] = &[
    b"String",
    b"Number",
    b"Boolean",
    b"Symbol",
    b"BigInt",
    b"Array",
    b"parseInt",
    b"parseFloat",
    b"isNaN",
    b"encodeURIComponent",
    b"decodeURIComponent",
    b"encodeURI",
    b"decodeURI",
];

/// Objects of the language whose methods return what has no members of the repository.
const PLAIN_OBJECTS: &[&[u8]] = &[
    b"Math", b"Number", b"Date", b"String", b"JSON", b"Symbol", b"Reflect",
];

/// Generic types that stand for what they wrap.
const WRAPPERS: &[&[u8]] = &[
    b"Promise",
    b"PromiseLike",
    b"Awaited",
    b"Readonly",
    b"Partial",
    b"Required",
    b"NonNullable",
    b"DeepReadonly",
    b"DeepPartial",
    b"Mutable",
    b"Omit",
    b"Pick",
    b"WeakRef",
    b"MaybePromise",
    b"Awaitable",
];

/// Generic types whose elements are their first argument.
const COLLECTIONS: &[&[u8]] = &[
    b"Array",
    b"ReadonlyArray",
    b"Set",
    b"ReadonlySet",
    b"WeakSet",
    b"Iterable",
    b"IterableIterator",
    b"Iterator",
    b"AsyncIterable",
    b"AsyncIterableIterator",
    b"Generator",
    b"AsyncGenerator",
    b"ArrayLike",
    b"NodeListOf",
];

/// Generic types whose elements are their second argument.
const MAPPINGS: &[&[u8]] = &[b"Map", b"ReadonlyMap", b"WeakMap", b"Record"];

/// Types of the language that no repository defines.
const PLAIN_TYPES: &[&[u8]] = &[
    b"Function",
    b"RegExp",
    b"Date",
    b"BigInt",
    b"String",
    b"Number",
    b"Boolean",
];

/// What an expression says of its own value.
pub(super) fn clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    value(walk, node, MAX_STEPS)
}

fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: u8) -> Option<Clue> {
    for left in (0..steps).rev() {
        node = match node.kind() {
            "this" | "super" => return Some(Clue::THIS),
            "identifier" | "shorthand_property_identifier" => {
                return Some(Clue::of(Flow::Value, node));
            }
            "member_expression" => {
                let member = node.child_by_field_name("property")?;
                return Some(Clue::of(Flow::Value, member));
            }
            "call_expression" => return result(walk, node, left),
            "new_expression" => {
                let class = node.child_by_field_name("constructor")?;
                return match class.kind() {
                    "identifier" => Some(Clue::of(Flow::Result, class)),
                    "this" => Some(Clue::THIS),
                    "member_expression" => {
                        let name = class.child_by_field_name("property")?;
                        if walk.text(class) == b"this.constructor" {
                            return Some(Clue::THIS);
                        }
                        Some(Clue::of(Flow::Result, name))
                    }
                    _ => None,
                };
            }
            "subscript_expression" => {
                let index = node.child_by_field_name("index")?;
                if index.kind() == "string" {
                    return Some(Clue::of_quoted(Flow::Value, index));
                }
                return element_of(value(walk, node.child_by_field_name("object")?, left)?);
            }
            "await_expression" | "parenthesized_expression" | "non_null_expression" => {
                node.named_child(0)?
            }
            "sequence_expression" => last_child(node)?,
            "assignment_expression" | "augmented_assignment_expression" => {
                node.child_by_field_name("right")?
            }
            "as_expression" | "satisfies_expression" => {
                let told = node.named_child(1).and_then(|of| type_clue(walk, of));
                if told.is_some() {
                    return told;
                }
                node.named_child(0)?
            }
            "type_assertion" => {
                let told = node.named_child(0).and_then(|of| of.named_child(0));
                if let Some(told) = told.and_then(|of| type_clue(walk, of)) {
                    return Some(told);
                }
                last_child(node)?
            }
            "ternary_expression" => {
                let taken = node.child_by_field_name("consequence");
                if let Some(found) = taken.and_then(|taken| value(walk, taken, left)) {
                    return Some(found);
                }
                node.child_by_field_name("alternative")?
            }
            "binary_expression" => match node.child_by_field_name("operator")?.kind() {
                "||" | "??" => {
                    let first = node.child_by_field_name("left")?;
                    if let Some(found) = value(walk, first, left) {
                        return Some(found);
                    }
                    node.child_by_field_name("right")?
                }
                "&&" => node.child_by_field_name("right")?,
                _ => return Some(Clue::LITERAL),
            },
            "array" => {
                let first = node.named_child(0);
                return Some(
                    first
                        .and_then(|first| made_here(walk, first))
                        .unwrap_or(Clue::LITERAL),
                );
            }
            "object" => return (!has_functions(node)).then_some(Clue::LITERAL),
            "string"
            | "template_string"
            | "number"
            | "true"
            | "false"
            | "regex"
            | "unary_expression"
            | "update_expression"
            | "meta_property"
            | "arrow_function"
            | "function_expression"
            | "generator_function" => return Some(Clue::LITERAL),
            _ => return None,
        };
    }
    None
}

fn last_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(node.named_child_count().checked_sub(1)? as u32)
}

/// Whether a literal object holds functions: then it has members that others mean.
fn has_functions(object: Node<'_>) -> bool {
    let mut cursor = object.walk();
    object
        .named_children(&mut cursor)
        .any(|child| match child.kind() {
            "pair" => child
                .child_by_field_name("value")
                .is_some_and(|value| is_function(value) || value.kind() == "object"),
            "comment" => false,
            _ => true,
        })
}

/// Elements of the class whose construction `item` is: `[new User(a), new User(b)]`.
fn made_here(walk: &Walk<'_>, item: Node<'_>) -> Option<Clue> {
    if item.kind() != "new_expression" {
        return None;
    }
    let mut made = value(walk, item, 1)?;
    made.flow = Flow::Elements;
    Some(made)
}

fn result(walk: &Walk<'_>, call: Node<'_>, steps: u8) -> Option<Clue> {
    let mut function = call.child_by_field_name("function")?;
    if function.kind() == "await_expression" {
        // The grammar reads `await f<T>()` as `(await f)<T>()`.
        function = function.named_child(0)?;
    }
    let argument = || call.child_by_field_name("arguments")?.named_child(0);
    match function.kind() {
        "identifier" => match walk.text(function) {
            b"require" | b"import" => None,
            plain if PLAIN_CALLS.contains(&plain) => Some(Clue::LITERAL),
            _ => Some(Clue::of(Flow::Result, function)),
        },
        "member_expression" => {
            let name = function.child_by_field_name("property")?;
            let object = function.child_by_field_name("object")?;
            match (walk.text(object), walk.text(name)) {
                (b"Object", b"create") => {
                    let prototype = argument()?;
                    if prototype.kind() == "member_expression"
                        && prototype
                            .child_by_field_name("property")
                            .is_some_and(|name| walk.text(name) == b"prototype")
                    {
                        let class = value(walk, prototype.child_by_field_name("object")?, steps);
                        return class.and_then(|mut class| {
                            class.flow = (class.flow == Flow::Value).then_some(Flow::Type)?;
                            Some(class)
                        });
                    }
                    value(walk, prototype, steps).filter(|of| *of != Clue::LITERAL)
                }
                (b"Object", b"assign" | b"freeze" | b"seal" | b"defineProperties")
                | (b"Promise", b"resolve") => value(walk, argument()?, steps),
                (b"Object", b"keys" | b"entries") => Some(Clue::LITERAL),
                (object, _) if PLAIN_OBJECTS.contains(&object) => Some(Clue::LITERAL),
                (_, b"bind") => value(walk, object, steps),
                _ => Some(Clue::of(Flow::Result, name)),
            }
        }
        "instantiation_expression" | "non_null_expression" => {
            let mut of = value(walk, function.named_child(0)?, 1)?;
            of.flow = (of.flow == Flow::Value).then_some(Flow::Result)?;
            Some(of)
        }
        _ => None,
    }
}

/// What an element is, if `of` is what is known of its collection.
fn element_of(mut of: Clue) -> Option<Clue> {
    of.flow = match of.flow {
        Flow::Value => Flow::Element,
        Flow::Result => Flow::ResultElement,
        Flow::Elements => Flow::Type,
        _ => return None,
    };
    Some(of)
}

/// What one step of `for (x of node)` gives.
pub(super) fn element(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    if node.kind() == "call_expression"
        && let Some(function) = node.child_by_field_name("function")
        && function.kind() == "member_expression"
        && function
            .child_by_field_name("property")
            .is_some_and(|name| walk.text(name) == b"values")
    {
        let object = function.child_by_field_name("object")?;
        let object = match walk.text(object) {
            // `Object.values(x)`
            b"Object" => node.child_by_field_name("arguments")?.named_child(0)?,
            _ => object,
        };
        return element_of(clue(walk, object)?);
    }
    element_of(clue(walk, node)?)
}

/// What a type, or the annotation that holds it, says of the values it allows.
pub(super) fn type_clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    annotated(walk, node, MAX_STEPS)
}

fn annotated(walk: &Walk<'_>, node: Node<'_>, steps: u8) -> Option<Clue> {
    let left = steps.checked_sub(1)?;
    match node.kind() {
        "type_annotation" | "parenthesized_type" | "readonly_type" | "optional_type"
        | "constraint" => annotated(walk, node.named_child(0)?, left),
        "type_identifier" if PLAIN_TYPES.contains(&walk.text(node)) => Some(Clue::LITERAL),
        "type_identifier" => Some(Clue::of(Flow::Type, node)),
        "nested_type_identifier" => {
            let name = node.child_by_field_name("name")?;
            Some(Clue::of(Flow::Type, name))
        }
        "this_type" => Some(Clue::THIS),
        "predefined_type" if walk.text(node) == b"never" => Some(Clue::NEVER),
        "predefined_type" => {
            let none = matches!(walk.text(node), b"any" | b"unknown" | b"object");
            (!none).then_some(Clue::LITERAL)
        }
        "literal_type" => {
            let none = matches!(walk.text(node), b"null" | b"undefined");
            (!none).then_some(Clue::LITERAL)
        }
        "template_literal_type"
        | "function_type"
        | "constructor_type"
        | "tuple_type"
        | "type_predicate"
        | "type_predicate_annotation"
        | "asserts_annotation" => Some(Clue::LITERAL),
        "array_type" => elements(annotated(walk, node.named_child(0)?, left)?),
        "union_type" | "intersection_type" | "conditional_type" => {
            several(walk, node, left).into_iter().next()
        }
        "lookup_type" => {
            let index = node.named_child(1)?;
            match index.named_child(0) {
                Some(string) if string.kind() == "string" => {
                    Some(Clue::of_quoted(Flow::Value, string))
                }
                _ if walk.text(index) == b"number" => {
                    element_of(annotated(walk, node.named_child(0)?, left)?)
                }
                _ => None,
            }
        }
        "type_query" => {
            let of = node.named_child(0)?;
            match of.kind() {
                "identifier" => Some(Clue::of(Flow::Value, of)),
                "member_expression" => {
                    let name = of.child_by_field_name("property")?;
                    Some(Clue::of(Flow::Value, name))
                }
                _ => None,
            }
        }
        "generic_type" => {
            let name = node.child_by_field_name("name")?;
            let arguments = node.child_by_field_name("type_arguments")?;
            let argument = |i| annotated(walk, arguments.named_child(i)?, left);
            match walk.text(name) {
                wrapper if WRAPPERS.contains(&wrapper) => argument(0),
                collection if COLLECTIONS.contains(&collection) => elements(argument(0)?),
                mapping if MAPPINGS.contains(&mapping) => elements(argument(1)?),
                b"InstanceType" | b"ReturnType" => {
                    let mut of = argument(0)?;
                    of.flow = (of.flow == Flow::Value).then_some(Flow::Result)?;
                    Some(of)
                }
                _ => annotated(walk, name, left),
            }
        }
        _ => None,
    }
}

/// What is known of each of the types of a union, intersection or conditional type: those that follow from an
/// identifier first, all in source order.
fn several(walk: &Walk<'_>, node: Node<'_>, steps: u8) -> Vec<Clue> {
    let mut open = vec![node];
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        if is_several(node) {
            let conditional = node.kind() == "conditional_type";
            let sides = (0..node.named_child_count() as u32).rev();
            // `A extends B ? C : D` is C or D.
            let sides = sides.filter(|i| !conditional || *i > 1);
            open.extend(sides.filter_map(|i| node.named_child(i)));
        } else if !matches!(walk.text(node), b"void" | b"never") {
            found.extend(annotated(walk, node, steps));
        }
    }
    found.sort_by_key(|clue| clue.identifier().is_none());
    found
}

fn is_several(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "union_type" | "intersection_type" | "conditional_type" | "parenthesized_type"
    )
}

/// Whether `part` lies in what a conditional type asks, not in what it gives.
fn is_condition(conditional: Node<'_>, part: Node<'_>) -> bool {
    conditional.kind() == "conditional_type"
        && conditional
            .child_by_field_name("right")
            .is_some_and(|right| part.start_byte() < right.end_byte())
}

/// `A | B`, `A & B`, `T extends U ? A : B`: notes beside each type which one is next.
pub(super) fn several_types<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let mut outer = (0..)
        .map_while(|up| walk.ancestor(up))
        .map(|above| above.node);
    let Some(above) = outer.find(|above| above.kind() != "parenthesized_type") else {
        return Visit::Descend;
    };
    if is_several(above) && !is_condition(above, node) {
        return Visit::Descend;
    }
    let in_collection = match above.kind() {
        "array_type" => true,
        "type_arguments" => outer.next().is_some_and(|generic| {
            let name = generic.child_by_field_name("name");
            name.is_some_and(|name| {
                let name = walk.text(name);
                COLLECTIONS.contains(&name) || MAPPINGS.contains(&name)
            })
        }),
        _ => false,
    };
    let mut all = several(walk, node, MAX_STEPS);
    if in_collection {
        all = all.into_iter().filter_map(elements).collect();
    }
    for pair in all.windows(2) {
        if let Some(at) = pair[0].identifier() {
            walk.receiver(at, pair[1]);
        }
    }
    Visit::Descend
}

/// `T["name"]`, `a["name"]`: notes what the name is taken out of.
pub(super) fn quoted_member<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let is_type = node.kind() == "lookup_type";
    let (object, index) = match is_type {
        true => (
            node.named_child(0),
            node.named_child(1).and_then(|index| index.named_child(0)),
        ),
        false => (
            node.child_by_field_name("object"),
            node.child_by_field_name("index"),
        ),
    };
    if let (Some(object), Some(index)) = (object, index)
        && index.kind() == "string"
    {
        let of = match is_type {
            true => type_clue(walk, object),
            false => clue(walk, object),
        };
        if let Some(of) = of {
            let mut name = index.start_position();
            name.column += 1;
            walk.receiver(name, of);
        }
    }
    Visit::Descend
}

/// A collection of what a clue stands for.
fn elements(mut of: Clue) -> Option<Clue> {
    of.flow = match of.flow {
        Flow::Type => Flow::Elements,
        Flow::Literal => Flow::Literal,
        _ => return None,
    };
    Some(of)
}

/// What a function returns: what its annotation says, or the expression that is its body.
pub(super) fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Clue> {
    match function.child_by_field_name("return_type") {
        Some(annotation) => type_clue(walk, annotation),
        None => {
            let body = function.child_by_field_name("body")?;
            (body.kind() != "statement_block")
                .then(|| clue(walk, body))
                .flatten()
        }
    }
}

/// What a function without annotation returns, by the first of its `return` statements that says.
pub(super) fn return_statement<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    let Some((symbol, value)) = frame.symbol.zip(node.named_child(0)) else {
        return Visit::Descend;
    };
    let function = matches!(
        walk.symbols[symbol as usize].kind,
        SymbolKind::Function | SymbolKind::Method
    );
    if function && in_own_function(walk, symbol, false) {
        let found = clue(walk, value);
        // `return false` early on says nothing of what is returned in the end.
        let last = walk
            .ancestor(1)
            .is_some_and(|above| is_function_node(above.node));
        if let Some(found) = found.filter(|found| last || *found != Clue::LITERAL) {
            walk.value(symbol, found);
        }
    }
    Visit::Descend
}

/// Whether the function around the node being entered is the one that `symbol` stands for, and not
/// an anonymous one inside it. Arrow functions share the `this` of what they stand in.
pub(super) fn in_own_function(walk: &Walk<'_>, symbol: u32, through_arrows: bool) -> bool {
    let mut functions = 0;
    for frame in walk.stack.iter().rev() {
        if frame.symbol != Some(symbol) {
            break;
        }
        if is_function_node(frame.node)
            && !(through_arrows && frame.node.kind() == "arrow_function")
        {
            functions += 1;
        }
    }
    functions == 1
}
