//! Java: what calls of the language's library give by what they are handed: `List.of(user)`, `users.stream().map(User::team)`.
//!
//! It is said of the name of what is called, and counts only where the repository defines nothing that the name means.

use super::values::of_value;
use crate::syntax::prelude::*;

/// Calls of classes of the language that make a list of their arguments, or hold the one they are given.
const MAKERS: &[(&[u8], &[&[u8]])] = &[
    (b"Arrays", byte_words!("asList stream")),
    (b"Collections", byte_words!("singleton singletonList")),
    (b"EnumSet", byte_words!("of")),
    (b"Flux", byte_words!("just")),
    (b"ImmutableList", byte_words!("of")),
    (b"ImmutableSet", byte_words!("of")),
    (b"List", byte_words!("of")),
    (b"Lists", byte_words!("newArrayList")),
    (b"Set", byte_words!("of")),
    (b"Sets", byte_words!("newHashSet")),
    (b"Stream", byte_words!("of")),
];

/// The same of calls that give what they are handed, or what holds it.
const HOLDERS: &[(&[u8], &[&[u8]])] = &[
    (
        b"Collections",
        byte_words!(
            "synchronizedList unmodifiableCollection unmodifiableList unmodifiableMap unmodifiableSet"
        ),
    ),
    (b"CompletableFuture", byte_words!("completedFuture")),
    (b"ImmutableList", byte_words!("copyOf")),
    (b"List", byte_words!("copyOf")),
    (b"Mono", byte_words!("just justOrEmpty")),
    (b"Optional", byte_words!("of ofNullable")),
    (b"Set", byte_words!("copyOf")),
];

/// What a call of a class of the language gives by what it is handed: `List.of(new User())`, `Optional.of(user)`.
fn made(walk: &Walk<'_>, call: Node<'_>) -> Option<Hint> {
    let class = walk.text(call.field_of("object", "identifier")?);
    let name = walk.text_of(call.field("name"));
    let is_among = |all: &[(&[u8], &[&[u8]])]| {
        let mut all = all.iter();
        all.any(|(of, names)| *of == class && names.contains(&name))
    };
    let items = call.field("arguments")?;
    if is_among(HOLDERS) {
        return of_value(walk, items.named_child(0)?);
    }
    if !is_among(MAKERS) || items.is_wide() {
        return None;
    }
    let items = items.named().filter(|item| !item.is_extra());
    list_of(walk, items, |item| of_value(walk, item))
}

/// Calls that begin to go over the elements of a collection.
const BEGIN: &[&[u8]] = byte_words!("parallelStream stream");

/// Calls that end it with one of them, or none.
const END: &[&[u8]] = byte_words!("findAny findFirst max min reduce");

/// Whether an expression goes over the elements of a collection, so far as it says so; or may be one value.
pub(super) fn goes_over(walk: &Walk<'_>, mut node: Node<'_>) -> Option<bool> {
    for _ in 0..MAX_STEPS {
        match node.kind_name() {
            "method_invocation" => {
                let name = walk.text_of(node.field("name"));
                if BEGIN.contains(&name) || name == b"mapToObj" {
                    return Some(true);
                }
                if END.contains(&name) {
                    return Some(false);
                }
                node = node.field("object")?;
            }
            "identifier" => {
                return match walk.text(node) {
                    b"Arrays" | b"Flux" | b"Stream" => Some(true),
                    b"CompletableFuture" | b"Mono" | b"Optional" => Some(false),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
    None
}

/// Calls that give what the function gives that they are handed.
const GIVE: &[&[u8]] =
    byte_words!("callAsync supplyAsync thenApply thenApplyAsync thenCompose thenComposeAsync");

/// Ways to collect elements that keep them.
const KEEP: &[&[u8]] =
    byte_words!("toList toSet toUnmodifiableList toUnmodifiableSet toImmutableList toImmutableSet");

/// Notes what a call gives by what it is handed.
pub(super) fn call<'t>(walk: &mut Walk<'t>, call: Node<'t>, _: &mut Frame<'t>) {
    let Some(name) = call.field("name") else {
        return;
    };
    let given = given(walk, call, name);
    walk.gives(name, given);
}

fn given<'t>(walk: &Walk<'t>, call: Node<'t>, name: Node<'t>) -> Option<Hint> {
    if let Some(made) = made(walk, call) {
        return Some(made);
    }
    let object = call.field("object")?;
    let handed = call.field("arguments")?.named_child(0)?;
    let name = walk.text(name);
    if name == b"collect" {
        let keeps = KEEP.contains(&walk.text_of(handed.field("name")));
        return keeps.then(|| of_value(walk, object))?;
    }
    let is_list = match name {
        b"map" | b"flatMap" => goes_over(walk, object)?,
        b"mapToObj" => true,
        name if GIVE.contains(&name) => false,
        _ => return None,
    };
    let given = gives(walk, handed)?;
    match (is_list, name) {
        (true, b"flatMap") => Some(given.copied()),
        (true, _) => given.listed(),
        (false, _) => Some(given),
    }
}

/// What a function gives that is handed over.
fn gives(walk: &Walk<'_>, function: Node<'_>) -> Option<Hint> {
    match function.kind_name() {
        "lambda_expression" => {
            let mut body = function.field("body")?;
            if body.kind_name() == "block" {
                body = body.last_named()?;
                body = match body.kind_name() {
                    "return_statement" => body.named_child(0)?,
                    _ => return None,
                };
            }
            of_value(walk, body)
        }
        "method_reference" => {
            let parts = function.content();
            let (of, name) = (*parts.first()?, *parts.last()?);
            match parts.len() {
                1 if of.kind_name().ends_with("identifier") => Some(Hint::instance(of)),
                2 if name.kind_name() == "identifier" => Some(Hint::result(name)),
                _ => None,
            }
        }
        _ => None,
    }
}
