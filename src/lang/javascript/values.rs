//! What JavaScript expressions and TypeScript types say of values.

use super::functions::{is_function, is_function_node};
use super::narrowing::proof;
use crate::syntax::prelude::*;

/// Expressions looked through to find a value: `(a || b)[0]` are three. A bound on time, since
/// every member access asks.
const MAX_STEPS: u8 = 8;

/// Functions of the language whose results have no members of the repository.
const PLAIN_CALLS: &[&[u8]] = byte_words!(
    "String Number Boolean Symbol BigInt Array parseInt parseFloat isNaN encodeURIComponent
     decodeURIComponent encodeURI decodeURI"
);

/// Objects of the language whose methods return what has no members of the repository.
const PLAIN_OBJECTS: &[&[u8]] = byte_words!("Math Number Date String JSON Symbol Reflect");

pub(super) static CONTAINERS: Containers = Containers {
    wrappers: byte_words!(
        "Promise PromiseLike Awaited Readonly Partial Required NonNullable DeepReadonly
         DeepPartial Mutable Omit Pick WeakRef MaybePromise Awaitable"
    ),
    collections: byte_words!(
        "Array ReadonlyArray Set ReadonlySet WeakSet Iterable IterableIterator Iterator
         AsyncIterable AsyncIterableIterator Generator AsyncGenerator ArrayLike NodeListOf"
    ),
    maps: byte_words!("Map ReadonlyMap WeakMap Record"),
};

/// Types of the language that no repository defines.
const PLAIN_TYPES: &[&[u8]] = byte_words!("Function RegExp Date BigInt String Number Boolean");

/// What an expression says of its own value.
pub(super) fn hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "string template_string number true false regex unary_expression update_expression
     meta_property arrow_function function_expression generator_function"
);

/// What the object itself is: what the function around says (`function f(this: Foo)`), else an instance of its class.
fn this_of(walk: &Walk<'_>) -> Hint {
    if walk.typed_this.is_empty() {
        return Hint::THIS;
    }
    let mut around = walk.stack.iter().rev().map(|frame| frame.node);
    let has_own = |node: &Node<'_>| {
        node.kind() == "class_body" || is_function_node(*node) && node.kind() != "arrow_function"
    };
    let start = around.find(has_own).map(|function| function.start_byte());
    let mut typed = walk.typed_this.iter().rev();
    let known = typed.find(|(of, _)| Some(*of) == start);
    known.map_or(Hint::THIS, |(_, known)| *known)
}

fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: u8) -> Option<Hint> {
    for left in (0..steps).rev() {
        node = match node.kind() {
            "this" => return Some(this_of(walk)),
            "super" => return Some(Hint::THIS),
            "identifier" | "shorthand_property_identifier" => {
                return Some(Hint::value(node));
            }
            "member_expression" => {
                let member = node.field("property")?;
                return Some(Hint::value(member));
            }
            "call_expression" => return result(walk, node, left),
            "new_expression" => {
                let class = node.field("constructor")?;
                if let Some(arguments) = node.field("type_arguments")
                    && let Some((at, levels)) = CONTAINERS.held(walk.text(class))
                    && let Some(held) = arguments.nth_part(at)
                    && let Some(held) = annotated(walk, held, left)
                    && let Some(known) = held.collections(levels)
                    && known != Hint::LITERAL
                {
                    return Some(known);
                }
                let list = || node.field("arguments")?.nth_part(0);
                if let Some(list) = list().filter(|_| walk.text(class) == b"Set")
                    && let Some(known) = value(walk, list, left)
                {
                    return Some(known.copied());
                }
                return match class.kind() {
                    "identifier" => Some(Hint::result(class)),
                    "this" => Some(Hint::THIS),
                    "member_expression" => {
                        let name = class.field("property")?;
                        if walk.text(class) == b"this.constructor" {
                            return Some(Hint::THIS);
                        }
                        Some(Hint::result(name))
                    }
                    _ => None,
                };
            }
            "subscript_expression" => {
                let index = node.field("index")?;
                if index.kind() == "string" {
                    return Some(Hint::of_quoted(HintKind::Value, index));
                }
                return value(walk, node.field("object")?, left)?.element();
            }
            "await_expression" | "parenthesized_expression" | "non_null_expression" => {
                node.named_child(0)?
            }
            "sequence_expression" => node.last_named()?,
            "assignment_expression" | "augmented_assignment_expression" => node.field("right")?,
            "as_expression" | "satisfies_expression" => {
                let told = node.named_child(1).and_then(|of| type_hint(walk, of));
                if told.is_some() {
                    return told;
                }
                node.named_child(0)?
            }
            "type_assertion" => {
                let told = node.named_child(0).and_then(|of| of.named_child(0));
                if let Some(told) = told.and_then(|of| type_hint(walk, of)) {
                    return Some(told);
                }
                node.last_named()?
            }
            "ternary_expression" => {
                let taken = node.field("consequence");
                if let Some(found) = taken.and_then(|taken| value(walk, taken, left)) {
                    return Some(found);
                }
                node.field("alternative")?
            }
            "binary_expression" => match node.field("operator")?.kind() {
                "||" | "??" => {
                    let first = node.field("left")?;
                    if let Some(found) = value(walk, first, left) {
                        return Some(found);
                    }
                    node.field("right")?
                }
                "&&" => node.field("right")?,
                _ => return Some(Hint::LITERAL),
            },
            "array" => {
                let first = node.nth_part(0);
                // `[...others]`
                if let Some(spread) = first.filter(|first| first.kind() == "spread_element") {
                    let list = value(walk, spread.named_child(0)?, left);
                    return Some(list.map_or(Hint::LITERAL, Hint::copied));
                }
                return Some(
                    first
                        .and_then(|first| made_here(walk, first))
                        .unwrap_or(Hint::LITERAL),
                );
            }
            "object" => return (!has_functions(node)).then_some(Hint::LITERAL),
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        };
    }
    None
}

/// Whether a literal object holds functions: then it has members that others mean.
fn has_functions(object: Node<'_>) -> bool {
    object.named().any(|child| match child.kind() {
        "pair" => child
            .field("value")
            .is_some_and(|value| is_function(value) || value.kind() == "object"),
        "comment" => false,
        _ => true,
    })
}

/// Elements of the class whose construction `item` is: `[new User(a), new User(b)]`.
fn made_here(walk: &Walk<'_>, item: Node<'_>) -> Option<Hint> {
    if item.kind() != "new_expression" {
        return None;
    }
    Some(value(walk, item, 1)?.with(HintKind::Elements))
}

fn result(walk: &Walk<'_>, call: Node<'_>, steps: u8) -> Option<Hint> {
    let mut function = call.field("function")?;
    if function.kind() == "await_expression" {
        // The grammar reads `await f<T>()` as `(await f)<T>()`.
        function = function.named_child(0)?;
    }
    let argument = || call.field("arguments")?.named_child(0);
    match function.kind() {
        "identifier" => match walk.text(function) {
            b"require" | b"import" => None,
            plain if PLAIN_CALLS.contains(&plain) => Some(Hint::LITERAL),
            _ => Some(Hint::result(function)),
        },
        "member_expression" => {
            let name = function.field("property")?;
            let object = function.field("object")?;
            match (walk.text(object), walk.text(name)) {
                (b"Object", b"create") => {
                    let prototype = argument()?;
                    if prototype.kind() == "member_expression"
                        && prototype
                            .field("property")
                            .is_some_and(|name| walk.text(name) == b"prototype")
                    {
                        let class = value(walk, prototype.field("object")?, steps);
                        return class?.instantiated();
                    }
                    value(walk, prototype, steps).filter(|of| *of != Hint::LITERAL)
                }
                (b"Object", b"assign" | b"freeze" | b"seal" | b"defineProperties")
                | (b"Promise", b"resolve") => value(walk, argument()?, steps),
                (b"Object", b"values") | (b"Array", b"from") => {
                    let is_alone = call.field("arguments")?.named_child_count() == 1;
                    let list = argument().filter(|_| is_alone);
                    let known = list.and_then(|list| value(walk, list, steps));
                    Some(known.map_or(Hint::LITERAL, Hint::copied))
                }
                (b"Object", b"keys" | b"entries") => Some(Hint::LITERAL),
                (object, _) if PLAIN_OBJECTS.contains(&object) => Some(Hint::LITERAL),
                (_, b"bind") => value(walk, object, steps),
                _ => Some(Hint::result(name)),
            }
        }
        "instantiation_expression" | "non_null_expression" => {
            value(walk, function.named_child(0)?, 1)?.called()
        }
        _ => None,
    }
}

/// What one step of `for (x of node)` gives.
pub(super) fn element(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    let held = gone_over_by(walk, node, b"values").unwrap_or(node);
    hint(walk, held)?.element()
}

/// What is kept under the keys that one step of `for ([key, value] of node)` goes over.
pub(super) fn kept(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    let held = gone_over_by(walk, node, b"entries").unwrap_or(node);
    hint(walk, held)?.element()
}

/// What a call goes over: `x` in `x.values()` and in `Object.values(x)`, of a method of this name.
fn gone_over_by<'t>(walk: &Walk<'t>, call: Node<'t>, method: &[u8]) -> Option<Node<'t>> {
    let function = call.field_of("function", "member_expression")?;
    let object = function.field("object")?;
    if walk.text(function.field("property")?) != method {
        return None;
    }
    match walk.text(object) {
        b"Object" => call.field("arguments")?.named_child(0),
        _ => Some(object),
    }
}

/// What a type, or the annotation that holds it, says of the values it allows.
pub(super) fn type_hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    annotated(walk, node, MAX_STEPS)
}

fn annotated(walk: &Walk<'_>, node: Node<'_>, steps: u8) -> Option<Hint> {
    let left = steps.checked_sub(1)?;
    match node.kind() {
        "type_annotation"
        | "opting_type_annotation"
        | "omitting_type_annotation"
        | "adding_type_annotation"
        | "parenthesized_type"
        | "readonly_type"
        | "optional_type"
        | "constraint" => annotated(walk, node.named_child(0)?, left),
        "type_identifier" if PLAIN_TYPES.contains(&walk.text(node)) => Some(Hint::LITERAL),
        "type_identifier" => Some(Hint::instance(node)),
        "nested_type_identifier" => {
            let name = node.field("name")?;
            Some(Hint::instance(name))
        }
        // `import("x").T`
        "member_expression" => {
            let name = node.field("property")?;
            Some(Hint::instance(name))
        }
        "this_type" => Some(Hint::THIS),
        "predefined_type" if walk.text(node) == b"never" => Some(Hint::NEVER),
        "predefined_type" => {
            let none = matches!(walk.text(node), b"any" | b"unknown" | b"object");
            (!none).then_some(Hint::LITERAL)
        }
        "literal_type" => {
            let none = matches!(walk.text(node), b"null" | b"undefined");
            (!none).then_some(Hint::LITERAL)
        }
        "function_type" => Some(
            callback(node)
                .or_else(|| given(walk, node, left))
                .unwrap_or(Hint::LITERAL),
        ),
        "object_type" => {
            let called = signatures(node).first().copied();
            called.or_else(|| kept_by_key(walk, node, left))
        }
        "template_literal_type"
        | "constructor_type"
        | "tuple_type"
        | "type_predicate"
        | "type_predicate_annotation"
        | "asserts_annotation" => Some(Hint::LITERAL),
        "array_type" => annotated(walk, node.named_child(0)?, left)?.collections(1),
        "union_type" | "intersection_type" | "conditional_type" => {
            several(walk, node, left).into_iter().next()
        }
        "lookup_type" => {
            let index = node.named_child(1)?;
            match index.named_child(0) {
                Some(string) if string.kind() == "string" => {
                    Some(Hint::of_quoted(HintKind::Value, string))
                }
                _ if walk.text(index) == b"number" => {
                    annotated(walk, node.named_child(0)?, left)?.element()
                }
                _ => None,
            }
        }
        "type_query" => {
            let of = node.named_child(0)?;
            match of.kind() {
                "identifier" => Some(Hint::value(of)),
                "member_expression" => {
                    let name = of.field("property")?;
                    Some(Hint::value(name))
                }
                _ => None,
            }
        }
        "generic_type" => {
            let name = node.field("name")?;
            let arguments = node.field("type_arguments")?;
            let argument = |i| annotated(walk, arguments.nth_part(i)?, left);
            match walk.text(name) {
                b"InstanceType" | b"ReturnType" => argument(0)?.called(),
                container => match CONTAINERS.held(container) {
                    Some((at, levels)) => argument(at)?.collections(levels),
                    None => annotated(walk, name, left),
                },
            }
        }
        _ => None,
    }
}

/// A function that is called with something, as its type or signature says.
fn callback(of: Node<'_>) -> Option<Hint> {
    let parameters = of.field("parameters")?;
    if !binds_all(parameters) {
        return None;
    }
    let mut parameters = parameters.named().take(MAX_PARTS);
    let names = parameters.find_map(|parameter| {
        let name = parameter.field("pattern")?;
        match name.kind() {
            "identifier" => Some(Some(name)),
            "rest_pattern" => Some(
                name.named_child(0)
                    .filter(|name| name.kind() == "identifier"),
            ),
            "this" => None,
            _ => Some(None),
        }
    });
    names.flatten().map(Hint::callback)
}

/// Whether each parameter binds a name, by which its place is known.
pub(super) fn binds_all(parameters: Node<'_>) -> bool {
    let mut patterns = parameters.named().filter_map(|one| one.field("pattern"));
    !patterns.any(|pattern| {
        matches!(pattern.kind(), "object_pattern" | "array_pattern")
            && pattern.named_child_count() == 0
    })
}

/// A function that gives an instance of a type, as its own type or signature says.
fn given(walk: &Walk<'_>, of: Node<'_>, steps: u8) -> Option<Hint> {
    let result = annotated(walk, of.field("return_type")?, steps)?;
    (result.kind == HintKind::Type).then_some(result.with(HintKind::Gives))
}

/// The type of a function, or how something is called: notes beside its first parameter what it gives.
pub(super) fn function_type<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let parameter = callback(node).and_then(Hint::identifier);
    if let (Some(at), Some(gives)) = (parameter, given(walk, node, MAX_STEPS)) {
        walk.receiver(at, gives);
    }
}

/// What a tuple holds that is all of one type: `...handlers: [Handler, Handler]`.
pub(super) fn elements_of_tuple<'t>(walk: &Walk<'t>, annotation: Node<'t>) -> Option<Hint> {
    let tuple = annotation
        .named_child(0)
        .filter(|of| of.kind() == "tuple_type")?;
    // `Handler<T> & Other` is a `Handler`, too.
    let narrowed = |of: Node<'t>| match of.kind() {
        "intersection_type" => of.named_child(0).unwrap_or(of),
        _ => of,
    };
    let name = |of: Node<'t>| {
        let of = narrowed(of);
        match of.kind() {
            "generic_type" => of.field("name").map(|name| walk.text(name)),
            "type_identifier" => Some(walk.text(of)),
            _ => None,
        }
    };
    let mut parts = tuple.named();
    let first = parts.next()?;
    let same = name(first)?;
    let is_same = parts.all(|part| name(part) == Some(same));
    type_hint(walk, narrowed(first))
        .filter(|_| is_same)?
        .collections(1)
}

/// The ways to call what has such members.
fn signatures(members: Node<'_>) -> Vec<Hint> {
    let first = members.named().take(MAX_PARTS);
    let all = first.filter(|member| member.kind() == "call_signature");
    all.filter_map(callback).collect()
}

/// What has all members of another type as they are: `{ [K in keyof T]: T[K] }`.
fn same_members(walk: &Walk<'_>, query: Node<'_>, annotation: Node<'_>) -> Option<Hint> {
    let of = query
        .named_child(0)
        .filter(|of| of.kind() == "type_identifier")?;
    let kept = annotation
        .named_child(0)
        .filter(|of| of.kind() == "lookup_type")?;
    let same = walk.text_of(kept.named_child(0)) == walk.text(of);
    same.then_some(Hint::instance(of))
}

/// What the interface whose members are entered is like that extends a generic type, which may stand for another one:
/// `interface Options extends WithName<Base> {}`.
fn generic_base(walk: &Walk<'_>) -> Option<Hint> {
    let mut parts = walk.above(0)?.named().take(MAX_PARTS);
    let clause = parts.find(|part| part.kind() == "extends_type_clause")?;
    let base = clause
        .named_child(0)
        .filter(|of| of.kind() == "generic_type")?;
    type_hint(walk, base).filter(|hint| hint.kind == HintKind::Type)
}

/// A collection of what an object keeps under any name: `{ [name: string]: Foo }`, `{ [K in Names]: Foo }`. Where the names
/// are those of another type, each is a member of that.
fn kept_by_key(walk: &Walk<'_>, members: Node<'_>, steps: u8) -> Option<Hint> {
    let first = members.named().take(MAX_PARTS);
    let mut all = first.filter(|member| member.kind() == "index_signature");
    let signature = all.next()?;
    let clause = signature.named_child(0);
    let clause = clause.filter(|of| of.kind() == "mapped_type_clause");
    let names = clause.and_then(|clause| clause.field("type"));
    if let Some(query) = names.filter(|of| of.kind() == "index_type_query") {
        return same_members(walk, query, signature.field("type")?);
    }
    annotated(walk, signature.field("type")?, steps)?.collections(1)
}

/// `interface Handler { (request: Request): void }`: notes with what its objects are called, and beside each way to call
/// them the next one.
pub(super) fn call_signatures<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let all = signatures(node);
    let is_interface = walk.kind_above(0) == "interface_declaration";
    if let (Some(symbol), true) = (frame.symbol, is_interface) {
        let first = all.first().copied();
        let known = first
            .or_else(|| kept_by_key(walk, node, MAX_STEPS))
            .or_else(|| generic_base(walk));
        if let Some(known) = known.filter(|known| *known != Hint::LITERAL) {
            walk.value(symbol, known);
        }
    }
    for pair in all.windows(2) {
        if let Some(at) = pair[0].identifier() {
            walk.receiver(at, pair[1]);
        }
    }
    if let ([_], Some(signature)) = (&*all, node.all_of("call_signature").next()) {
        function_type(walk, signature, frame);
    }
}

/// What is known of each of the types of a union, intersection or conditional type: those that follow from an
/// identifier first, all in source order.
fn several(walk: &Walk<'_>, node: Node<'_>, steps: u8) -> Vec<Hint> {
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
    found.sort_by_key(|hint| hint.identifier().is_none());
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
            .field("right")
            .is_some_and(|right| part.start_byte() < right.end_byte())
}

/// `A | B`, `A & B`, `T extends U ? A : B`: notes beside each type which one is next.
pub(super) fn several_types<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let mut outer = (0..)
        .map_while(|up| walk.ancestor(up))
        .map(|above| above.node);
    let Some(above) = outer.find(|above| above.kind() != "parenthesized_type") else {
        return;
    };
    if is_several(above) && !is_condition(above, node) {
        return;
    }
    let in_collection = match above.kind() {
        "array_type" => true,
        "type_arguments" => outer.next().is_some_and(|generic| {
            let name = generic.field("name");
            name.is_some_and(|name| {
                let name = walk.text(name);
                CONTAINERS.has_elements(name)
            })
        }),
        _ => false,
    };
    let mut all = several(walk, node, MAX_STEPS);
    if in_collection {
        all = all.into_iter().filter_map(|of| of.collections(1)).collect();
    }
    for pair in all.windows(2) {
        if let Some(at) = pair[0].identifier() {
            walk.receiver(at, pair[1]);
        }
    }
}

/// `T["name"]`, `a["name"]`: notes what the name is taken out of.
pub(super) fn quoted_member<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let is_type = node.kind() == "lookup_type";
    let (object, index) = match is_type {
        true => (
            node.named_child(0),
            node.named_child(1).and_then(|index| index.named_child(0)),
        ),
        false => (node.field("object"), node.field("index")),
    };
    if let (Some(object), Some(index)) = (object, index)
        && index.kind() == "string"
    {
        let of = match is_type {
            true => type_hint(walk, object),
            false => hint(walk, object),
        };
        if let Some(of) = of {
            let mut name = index.start_position();
            name.column += 1;
            walk.receiver(name, of);
        }
    }
}

/// What a function returns: what its annotation says, or the expression that is its body.
pub(super) fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Hint> {
    match function.field("return_type") {
        Some(annotation) => {
            proof(walk, function, annotation).or_else(|| type_hint(walk, annotation))
        }
        None => {
            let body = function.field("body")?;
            (body.kind() != "statement_block")
                .then(|| hint(walk, body))
                .flatten()
        }
    }
}

/// What a function without annotation returns, by the first of its `return` statements that says.
pub(super) fn return_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some((symbol, value)) = frame.symbol.zip(node.named_child(0)) else {
        return;
    };
    let function = matches!(
        walk.symbols[symbol as usize].kind,
        SymbolKind::Function | SymbolKind::Method
    );
    if function && in_own_function(walk, symbol, false) {
        let found = hint(walk, value);
        // `return false` early on says nothing of what is returned in the end.
        let last = walk
            .ancestor(1)
            .is_some_and(|above| is_function_node(above.node));
        if let Some(found) = found.filter(|found| last || *found != Hint::LITERAL) {
            walk.value(symbol, found);
        }
    }
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
