//! Functions that are handed to calls: `all.forEach { it.name }`, `buffer.read { byte -> ... }`, `Request().apply { url = x }`.
//!
//! What such a function takes follows from what is called, which is known only once all files are: it is said of its
//! parameters which ones they are, and of the function that bare names in it may be members of what it is called on. Of a
//! parameter that is a function it is said what that takes first. Deliberately absent: functions in values, and what is
//! taken apart (`(a, b) ->`), see `destructuring`.

use super::facts::HANDING;
use super::values::{hint, of_type};
use crate::syntax::prelude::*;

/// Functions of the language's library that call what they are given on nothing.
const WITHOUT_THIS: &[&[u8]] = byte_words!(
    "all also any associate associateBy associateWith assertFailsWith check checkNotNull count distinctBy filter filterNot
     find first firstOrNull flatMap fold forEach forEachIndexed generateSequence getOrElse getOrPut groupBy joinToString last
     lazy let map mapIndexed mapNotNull maxBy maxByOrNull minBy minByOrNull none onEach partition repeat require
     requireNotNull runCatching sortedBy sumOf synchronized takeIf takeUnless use withLock"
);

/// The name of what is called with the lambda whose parent is so far up.
fn called<'t>(walk: &Walk<'t>, up: usize) -> Option<Node<'t>> {
    let call = match walk.kind_above(up) {
        "annotated_lambda" => up + 1,
        "value_argument" => up + 2,
        _ => return None,
    };
    callee(walk.above(call)?)
}

/// What is called on, with the lambda whose parent is so far up: `all` of `all.forEach { ... }`.
pub(super) fn called_on<'t>(walk: &Walk<'t>, up: usize) -> Option<Node<'t>> {
    let call = match walk.kind_above(up) {
        "annotated_lambda" => walk.above(up + 1)?,
        "value_argument" => walk.above(up + 2)?,
        _ => return None,
    };
    let called = call.named_child(0)?;
    let called = match called.kind_name() {
        "call_expression" => called.named_child(0)?,
        _ => called,
    };
    called
        .named_child(0)
        .filter(|_| called.kind_name() == "navigation_expression")
}

/// What the lambda whose parent is so far up goes over.
pub(super) fn gone_over<'t>(walk: &Walk<'t>, up: usize) -> Option<Node<'t>> {
    let name = walk.text(called(walk, up)?);
    called_on(walk, up).filter(|_| HANDING.each.contains(&name))
}

/// Whether the lambda whose parent is so far up is called for each of what is gone over.
pub(super) fn is_for_each(walk: &Walk<'_>, up: usize) -> bool {
    called(walk, up).is_some_and(|callee| walk.text(callee) == b"forEach")
}

/// The name of what a call calls. `f(x) { ... }` is a call of a call.
fn callee(call: Node<'_>) -> Option<Node<'_>> {
    let mut node = call;
    for _ in 0..MAX_STEPS {
        node = match node.kind_name() {
            "call_expression" => node.named_child(0)?,
            "navigation_expression" => node.last_of("identifier")?,
            "identifier" => return Some(node),
            _ => return None,
        };
    }
    None
}

/// Whether a lambda says what it takes: `{ x -> ... }`, `{ -> ... }`.
fn says_what_it_takes(lambda: Node<'_>) -> bool {
    let behind = |at| {
        let part: Option<Node<'_>> = lambda.child(at);
        part.is_some_and(|part| matches!(part.kind_name(), "lambda_parameters" | "->"))
    };
    behind(1) || behind(2)
}

/// What the lambda whose parent is so far up takes at a place.
pub(super) fn parameter(walk: &Walk<'_>, up: usize, place: usize) -> Option<Hint> {
    let callee = called(walk, up)?;
    match walk.text(callee) {
        // What is made of all begins as the first argument.
        b"fold" | b"foldIndexed" if place == usize::from(walk.text(callee) == b"foldIndexed") => {
            first_argument(walk, walk.above(up + 1)?)
        }
        _ => Hint::argument(callee, place),
    }
}

/// `it`: each such use is a name of its own for what the lambda around takes.
pub(super) fn it<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if walk.text(node) != b"it" {
        return;
    }
    let lambda = (0..MAX_STEPS).find(|up| {
        let above = walk.above(*up);
        above.is_some_and(|above| {
            above.kind_name() == "lambda_literal" && !says_what_it_takes(above)
        })
    });
    if let Some(of) = lambda.and_then(|up| parameter(walk, up + 1, 0)) {
        walk.local(node, node.span(), Some(of));
    }
}

/// Notes that bare names in a lambda may be members of what it is called on.
pub(super) fn within<'t>(walk: &mut Walk<'t>, lambda: Node<'t>) {
    let Some(callee) = called(walk, 0).filter(|_| !says_what_it_takes(lambda)) else {
        return;
    };
    let name = walk.text(callee);
    if WITHOUT_THIS.contains(&name) {
        return;
    }
    let of = match name {
        b"with" => given_first(walk),
        _ => Some(Hint::value(callee).with(HintKind::Within)),
    };
    if let Some(of) = of {
        walk.local(callee, lambda.span(), Some(of));
    }
}

/// Calls that give what the lambda gives that they are handed.
const GIVE: &[&[u8]] =
    byte_words!("async let run runBlocking runCatching supplyAsync use with withContext withLock");

/// Those of these that are called on nothing.
const ALONE: &[&[u8]] =
    byte_words!("Array List MutableList generateSequence runBlocking supplyAsync with withContext");

/// Calls that give a list of what the lambda gives.
const GIVE_ALL: &[&[u8]] = byte_words!(
    "Array List MutableList generateSequence map mapIndexed mapIndexedNotNull mapLatest mapNotNull mapTo"
);

/// Calls that give a list of the elements of what the lambda gives.
const GIVE_EACH: &[&[u8]] = byte_words!("flatMap flatMapIndexed flatMapLatest");

/// Notes what a call gives that is handed the lambda, where that says it: `xs.map { it.owner }`, `x.let { it.owner }`.
pub(super) fn gives<'t>(walk: &mut Walk<'t>, lambda: Node<'t>) {
    let Some(callee) = called(walk, 0) else {
        return;
    };
    let object = called_on(walk, 0);
    if walk.text(callee) == b"associateBy" {
        let is_alone = is_only_argument(walk);
        let of = object.and_then(|object| hint(walk, object));
        walk.gives(
            callee,
            of.filter(|_| is_alone).map(|of| of.copied().mapped()),
        );
        return;
    }
    let is_among = |names: &[&[u8]]| names.contains(&walk.text(callee));
    let (one, all, each) = (is_among(GIVE), is_among(GIVE_ALL), is_among(GIVE_EACH));
    let is_foreign = is_among(ALONE) && object.is_some();
    if is_foreign || !one && !all && !each {
        return;
    }
    // It may give something else on the way.
    if memchr::memmem::find(walk.text(lambda), b"return@").is_some() {
        return;
    }
    let given = lambda.last_named().and_then(|last| hint(walk, last));
    let given = given.and_then(|given| match (all, each) {
        (true, _) => given.listed(),
        (_, true) => Some(given.copied()),
        _ => Some(given),
    });
    walk.gives(callee, given);
}

/// Whether the lambda that is visited is the only argument of its call.
fn is_only_argument(walk: &Walk<'_>) -> bool {
    let call = walk
        .above(1)
        .filter(|_| walk.kind_above(0) == "annotated_lambda");
    let called = call.and_then(|call| call.named_child(0));
    called.is_some_and(|called| called.kind_name() == "navigation_expression")
}

/// What stands in parentheses before a lambda: `x` in `f(x) { ... }`.
fn first_argument(walk: &Walk<'_>, call: Node<'_>) -> Option<Hint> {
    let call = call.named_child(0)?;
    let argument = call.part(&["value_arguments"])?.named_child(0)?;
    hint(walk, argument.named_child(0)?)
}

/// What bare names in the lambda that is entered may be members of: `x` in `with(x) { ... }`.
fn given_first(walk: &Walk<'_>) -> Option<Hint> {
    let of = first_argument(walk, walk.above(1)?)?;
    let kind = match of.kind {
        HintKind::Value => HintKind::WithinValue,
        HintKind::Result => HintKind::WithinResult,
        _ => return None,
    };
    Some(of.with(kind))
}

/// What a function of a type takes first, said of a parameter of that type; or what it is called on (`T.() -> Unit`). Where
/// that is not known, the parameter is named itself: what else takes functions beside it is not all then.
pub(super) fn taken(walk: &Walk<'_>, name: Node<'_>, declared: Node<'_>) -> Option<Hint> {
    let mut node = declared.part(&["function_type", "nullable_type", "parenthesized_type"])?;
    for _ in 0..MAX_STEPS {
        if node.kind_name() == "function_type" {
            break;
        }
        node = node.part(&["function_type", "nullable_type", "parenthesized_type"])?;
    }
    let list = node.part(&["function_type_parameters"])?;
    let receiver = node.part(&["user_type", "nullable_type", "parenthesized_type"]);
    let receiver = receiver.filter(|of| of.start_byte() < list.start_byte());
    if let Some(receiver) = receiver {
        let of = of_type(walk, receiver).filter(|of| of.kind == HintKind::Type);
        return Some(of.unwrap_or(Hint::value(name)).with(HintKind::WithinType));
    }
    let first = list.named_child(0)?;
    let first = match first.kind_name() {
        "parameter" => first.last_named()?,
        _ => first,
    };
    Some(match of_type(walk, first) {
        Some(of) if of.kind == HintKind::Type => of.with(HintKind::First),
        Some(of) if of.kind == HintKind::Elements => of.with(HintKind::FirstElement),
        _ => Hint::value(name).with(HintKind::First),
    })
}
