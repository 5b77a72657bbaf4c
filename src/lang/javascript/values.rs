//! What JavaScript expressions say of values.

use super::frameworks::given;
use super::functions::{is_function, is_function_node};
use super::literals::{given_list, is_const, object_made};
use super::narrowing::proof;
use super::types::{CONTAINERS, MAX_STEPS, annotated, type_hint};
use crate::syntax::prelude::*;

/// Functions of the language whose results have no members of the repository.
const PLAIN_CALLS: &[&[u8]] = byte_words!(
    "String Number Boolean Symbol BigInt Array parseInt parseFloat isNaN encodeURIComponent
     decodeURIComponent encodeURI decodeURI"
);

/// Objects of the language whose methods return what has no members of the repository.
const PLAIN_OBJECTS: &[&[u8]] = byte_words!("Math Number Date String JSON Symbol Reflect");
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
        node.kind_name() == "class_body"
            || is_function_node(*node) && node.kind_name() != "arrow_function"
    };
    let start = around.find(has_own).map(|function| function.start_byte());
    let mut typed = walk.typed_this.iter().rev();
    let known = typed.find(|(of, _)| Some(*of) == start);
    known.map_or(Hint::THIS, |(_, known)| *known)
}

pub(super) fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: u8) -> Option<Hint> {
    for left in (0..steps).rev() {
        node = match node.kind_name() {
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
                return match class.kind_name() {
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
                if index.kind_name() == "string" {
                    return Some(Hint::of_quoted(HintKind::Value, index));
                }
                let list = value(walk, node.field("object")?, left)?;
                return match is_place(walk, index) && may_be_tuple(list) {
                    true => Some(Hint::value(index)),
                    false => list.element(),
                };
            }
            "await_expression" | "parenthesized_expression" | "non_null_expression" => {
                node.named_child(0)?
            }
            "sequence_expression" => node.last_named()?,
            "assignment_expression" | "augmented_assignment_expression" => node.field("right")?,
            "as_expression" | "satisfies_expression" => {
                if is_const(node)
                    && let Some(list) = node.named_child(0)
                    && let Some(known) = given_list(walk, list, left)
                {
                    return Some(known);
                }
                let written = node.named_child(1);
                let told = written.and_then(|of| type_hint(walk, of));
                if told.is_some() || walk.text_of(written) == b"any" {
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
            "binary_expression" => match node.field("operator")?.kind_name() {
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
                if let Some(spread) = first.filter(|first| first.kind_name() == "spread_element") {
                    let list = value(walk, spread.named_child(0)?, left);
                    return Some(list.map_or(Hint::LITERAL, Hint::copied));
                }
                return Some(made_here(walk, node).unwrap_or(Hint::LITERAL));
            }
            "object" => {
                if let Some(copied) = copied(walk, node, left) {
                    return copied.filter(|of| *of != Hint::LITERAL);
                }
                if let Some(made) = object_made(walk, node, left) {
                    return Some(made);
                }
                return (!has_functions(node)).then_some(Hint::LITERAL);
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        };
    }
    None
}

/// What an object is that is another one with other literals: `{ ...user, name: "" }`.
fn copied(walk: &Walk<'_>, object: Node<'_>, steps: u8) -> Option<Option<Hint>> {
    let left = steps.checked_sub(1)?;
    let first = object.nth_part(0)?;
    if first.kind_name() != "spread_element" || object.is_wide() {
        return None;
    }
    let is_literal = |part: Node<'_>| {
        let made = part.field("value");
        part.kind_name() == "pair"
            && made.is_some_and(|made| {
                !is_function(made) && value(walk, made, left) == Some(Hint::LITERAL)
            })
    };
    let mut others = object.named().filter(|part| !part.is_extra()).skip(1);
    others
        .all(is_literal)
        .then(|| value(walk, first.named_child(0)?, left))
}

/// Whether a literal object holds functions: then it has members that others mean.
fn has_functions(object: Node<'_>) -> bool {
    object.named().any(|child| match child.kind_name() {
        "pair" => child
            .field("value")
            .is_some_and(|value| is_function(value) || value.kind_name() == "object"),
        "comment" => false,
        _ => true,
    })
}

/// Elements of the class that each item of a list constructs: `[new User(a), new User(b)]`.
fn made_here(walk: &Walk<'_>, list: Node<'_>) -> Option<Hint> {
    let class = |item: Node<'_>| walk.text_of(item.field_of("constructor", "identifier"));
    let first = list.nth_part(0)?;
    let mut all = list.named().filter(|item| !item.is_extra());
    if class(first).is_empty() || !all.all(|item| class(item) == class(first)) {
        return None;
    }
    Some(value(walk, first, 1)?.with(HintKind::Elements))
}

/// Whether an index is the number of a place: `x[0]`.
fn is_place(walk: &Walk<'_>, index: Node<'_>) -> bool {
    index.kind_name() == "number"
        && walk.text(index).len() <= 3
        && walk.text(index).iter().all(u8::is_ascii_digit)
}

/// Whether what is said of a list leaves open that each of its parts is something else.
pub(super) fn may_be_tuple(list: Hint) -> bool {
    !matches!(
        list.kind,
        HintKind::Elements
            | HintKind::List
            | HintKind::ResultList
            | HintKind::ListOf
            | HintKind::ListOfResults
            | HintKind::Literal
            | HintKind::This
    )
}

fn result(walk: &Walk<'_>, call: Node<'_>, steps: u8) -> Option<Hint> {
    if let Some(known) = given(walk, call, steps) {
        return known;
    }
    let mut function = call.field("function")?;
    if function.kind_name() == "await_expression" {
        // The grammar reads `await f<T>()` as `(await f)<T>()`.
        function = function.named_child(0)?;
    }
    let argument = || call.field("arguments")?.named_child(0);
    match function.kind_name() {
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
                    if prototype.kind_name() == "member_expression"
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
                | (b"Promise", b"resolve" | b"all") => value(walk, argument()?, steps),
                (b"Object", b"values") | (b"Array", b"from") => {
                    let is_alone = call.field("arguments")?.named_child_count() == 1;
                    let list = argument().filter(|_| is_alone);
                    let known = list.and_then(|list| value(walk, list, steps));
                    Some(known.map_or(Hint::LITERAL, Hint::copied))
                }
                (b"Object", b"keys" | b"entries") => Some(Hint::LITERAL),
                (object, _) if PLAIN_OBJECTS.contains(&object) => Some(Hint::LITERAL),
                (b"Promise", b"race" | b"any") => value(walk, argument()?, steps)?.element(),
                (_, b"bind") => value(walk, object, steps),
                (_, b"map" | b"flatMap" | b"then") => {
                    let made = argument().and_then(|with| made_by(walk, with, steps));
                    let made = match walk.text(name) {
                        b"map" => made.and_then(Hint::listed),
                        b"flatMap" => made.map(Hint::copied),
                        _ => made,
                    };
                    Some(made.unwrap_or(Hint::result(name)))
                }
                // `all.reduce((held, one) => held, [] as User[])`
                (_, b"reduce" | b"reduceRight") => {
                    let from = call.field("arguments").and_then(|list| list.nth_part(1));
                    let from = from.and_then(|from| value(walk, from, steps));
                    let told = from.filter(|from| *from != Hint::LITERAL);
                    Some(told.unwrap_or(Hint::result(name)))
                }
                _ => Some(Hint::result(name)),
            }
        }
        "subscript_expression" => value(walk, function, steps)?.called(),
        "instantiation_expression" | "non_null_expression" => {
            value(walk, function.named_child(0)?, 1)?.called()
        }
        _ => None,
    }
}

/// What the function gives that something is made by: `all.map((user) => user.team)`, `ids.map(load)`.
fn made_by(walk: &Walk<'_>, with: Node<'_>, steps: u8) -> Option<Hint> {
    let left = steps.checked_sub(1)?;
    match with.kind_name() {
        "arrow_function" | "function_expression" => {
            if let Some(written) = with.field("return_type") {
                return annotated(walk, written, left);
            }
            let body = with.field("body")?;
            let given = match body.kind_name() {
                "statement_block" => {
                    let last = body.last_named()?;
                    (last.kind_name() == "return_statement" && returns_once(walk, body))
                        .then(|| last.named_child(0))??
                }
                _ => unparenthesized(body),
            };
            // Of one of two nothing is said.
            let is_either = matches!(
                given.kind_name(),
                "ternary_expression" | "binary_expression"
            );
            value(walk, given, left).filter(|of| !is_either || *of == Hint::LITERAL)
        }
        "identifier" | "member_expression" => value(walk, with, left)?.called(),
        _ => None,
    }
}

/// Whether a function returns in one place, as far as words tell.
fn returns_once(walk: &Walk<'_>, body: Node<'_>) -> bool {
    let words = memchr::memmem::find_iter(walk.text(body), b"return");
    words.take(2).count() == 1
}

pub(super) fn unparenthesized(mut node: Node<'_>) -> Node<'_> {
    while node.kind_name() == "parenthesized_expression" {
        match node.named_child(0) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
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

/// `T["name"]`, `a["name"]`, `a[0]`: notes what the name is taken out of, or which part it is of what.
pub(super) fn quoted_member<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let is_type = node.kind_name() == "lookup_type";
    let (object, index) = match is_type {
        true => (
            node.named_child(0),
            node.named_child(1).and_then(|index| index.named_child(0)),
        ),
        false => (node.field("object"), node.field("index")),
    };
    if let (false, Some(object), Some(index)) = (is_type, object, index)
        && is_place(walk, index)
    {
        if let Some(of) = hint(walk, object).filter(|of| may_be_tuple(*of)) {
            walk.occurrence_at(index, OccurrenceKind::Mention, Qualifier::None);
            walk.receiver(index.start_position(), of);
        }
    } else if let (Some(object), Some(index)) = (object, index)
        && index.kind_name() == "string"
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
            (body.kind_name() != "statement_block")
                .then(|| given_list(walk, body, MAX_STEPS).or_else(|| hint(walk, body)))
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
        let found = given_list(walk, value, MAX_STEPS).or_else(|| hint(walk, value));
        let mut around = walk.stack.iter().rev().map(|frame| frame.node);
        let around = around.find(|node| is_function_node(*node));
        let around = around.and_then(|function| function.field("body"));
        // Of objects that are put together in several places none is the one.
        let is_one = |found: &Hint| {
            found.kind != HintKind::Shape || around.is_some_and(|body| returns_once(walk, body))
        };
        let found = found.filter(is_one);
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
            && !(through_arrows && frame.node.kind_name() == "arrow_function")
        {
            functions += 1;
        }
    }
    functions == 1
}
