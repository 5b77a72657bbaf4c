//! What TypeScript types say of the values that they allow.

use super::shapes::{is_anonymous, note_members, tuple, written};
use crate::syntax::prelude::*;

/// Expressions looked through to find a value: `(a || b)[0]` are three. A bound on time, since
/// every member access asks.
pub(super) const MAX_STEPS: u8 = 8;

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
    ..Containers::NONE
};

/// Types of the language that no repository defines.
const PLAIN_TYPES: &[&[u8]] = byte_words!("Function RegExp Date BigInt String Number Boolean");

/// What a type, or the annotation that holds it, says of the values it allows.
pub(super) fn type_hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    annotated(walk, node, MAX_STEPS)
}

pub(super) fn annotated(walk: &Walk<'_>, node: Node<'_>, steps: u8) -> Option<Hint> {
    let left = steps.checked_sub(1)?;
    match node.kind_name() {
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
            called
                .or_else(|| kept_by_key(walk, node, left))
                .or_else(|| written(walk, node, left))
        }
        "template_literal_type"
        | "constructor_type"
        | "type_predicate"
        | "type_predicate_annotation"
        | "asserts_annotation" => Some(Hint::LITERAL),
        "tuple_type" => Some(tuple(walk, node, left)),
        "array_type" => annotated(walk, node.named_child(0)?, left)?.collections(1),
        "union_type" | "intersection_type" | "conditional_type" => {
            several(walk, node, left).into_iter().next()
        }
        "lookup_type" => {
            let index = node.named_child(1)?;
            match index.named_child(0) {
                Some(string) if string.kind_name() == "string" => {
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
            match of.kind_name() {
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
                    // Which of the members are left is not looked for.
                    Some((at, _))
                        if matches!(container, b"Omit" | b"Pick")
                            && argument(at)?.kind == HintKind::Shape =>
                    {
                        None
                    }
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
        match name.kind_name() {
            "identifier" => Some(Some(name)),
            "rest_pattern" => Some(
                name.named_child(0)
                    .filter(|name| name.kind_name() == "identifier"),
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
        matches!(pattern.kind_name(), "object_pattern" | "array_pattern")
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
        .filter(|of| of.kind_name() == "tuple_type")?;
    // `Handler<T> & Other` is a `Handler`, too.
    let narrowed = |of: Node<'t>| match of.kind_name() {
        "intersection_type" => of.named_child(0).unwrap_or(of),
        _ => of,
    };
    let name = |of: Node<'t>| {
        let of = narrowed(of);
        match of.kind_name() {
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
    let all = first.filter(|member| member.kind_name() == "call_signature");
    all.filter_map(callback).collect()
}

/// What has all members of another type as they are: `{ [K in keyof T]: T[K] }`.
fn same_members(walk: &Walk<'_>, query: Node<'_>, annotation: Node<'_>) -> Option<Hint> {
    let of = query
        .named_child(0)
        .filter(|of| of.kind_name() == "type_identifier")?;
    let kept = annotation
        .named_child(0)
        .filter(|of| of.kind_name() == "lookup_type")?;
    let same = walk.text_of(kept.named_child(0)) == walk.text(of);
    same.then_some(Hint::instance(of))
}

/// What the interface whose members are entered is like that extends a generic type, which may stand for another one:
/// `interface Options extends WithName<Base> {}`.
fn generic_base(walk: &Walk<'_>) -> Option<Hint> {
    let mut parts = walk.above(0)?.named().take(MAX_PARTS);
    let clause = parts.find(|part| part.kind_name() == "extends_type_clause")?;
    let base = clause
        .named_child(0)
        .filter(|of| of.kind_name() == "generic_type")?;
    type_hint(walk, base).filter(|hint| hint.kind == HintKind::Type)
}

/// A collection of what an object keeps under any name: `{ [name: string]: Foo }`, `{ [K in Names]: Foo }`. Where the names
/// are those of another type, each is a member of that.
fn kept_by_key(walk: &Walk<'_>, members: Node<'_>, steps: u8) -> Option<Hint> {
    let first = members.named().take(MAX_PARTS);
    let mut all = first.filter(|member| member.kind_name() == "index_signature");
    let signature = all.next()?;
    let clause = signature.named_child(0);
    let clause = clause.filter(|of| of.kind_name() == "mapped_type_clause");
    let names = clause.and_then(|clause| clause.field("type"));
    if let Some(query) = names.filter(|of| of.kind_name() == "index_type_query") {
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
    if node.kind_name() == "object_type" {
        note_members(walk, node);
    }
}

/// What is known of each of the types of a union, intersection or conditional type: those that follow from an
/// identifier first, all in source order.
fn several(walk: &Walk<'_>, node: Node<'_>, steps: u8) -> Vec<Hint> {
    let mut open = vec![node];
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        if is_several(node) {
            let conditional = node.kind_name() == "conditional_type";
            let sides = (0..node.named_child_count() as u32).rev();
            // `A extends B ? C : D` is C or D.
            let sides = sides.filter(|i| !conditional || *i > 1);
            open.extend(sides.filter_map(|i| node.named_child(i)));
        } else if !matches!(walk.text(node), b"void" | b"never") {
            found.extend(annotated(walk, node, steps));
        }
    }
    // Nothing is noted beside a shape.
    found.sort_by_key(|hint| (hint.identifier().is_none(), hint.kind == HintKind::Shape));
    found
}

fn is_several(node: Node<'_>) -> bool {
    matches!(
        node.kind_name(),
        "union_type" | "intersection_type" | "conditional_type" | "parenthesized_type"
    )
}

/// Whether `part` lies in what a conditional type asks, not in what it gives.
fn is_condition(conditional: Node<'_>, part: Node<'_>) -> bool {
    conditional.kind_name() == "conditional_type"
        && conditional
            .field("right")
            .is_some_and(|right| part.start_byte() < right.end_byte())
}

/// `A | B`, `A & B`, `T extends U ? A : B`: notes beside each type which one is next.
pub(super) fn several_types<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let mut outer = (0..)
        .map_while(|up| walk.ancestor(up))
        .map(|above| above.node);
    let Some(above) = outer.find(|above| above.kind_name() != "parenthesized_type") else {
        return;
    };
    if is_several(above) && !is_condition(above, node) {
        return;
    }
    let in_collection = match above.kind_name() {
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
    if !is_anonymous(walk, 0) {
        all.retain(|of| of.kind != HintKind::Shape);
    }
    if in_collection {
        all = all.into_iter().filter_map(|of| of.collections(1)).collect();
    }
    for pair in all.windows(2) {
        if let Some(at) = pair[0].identifier() {
            walk.receiver(at, pair[1]);
        }
    }
}
