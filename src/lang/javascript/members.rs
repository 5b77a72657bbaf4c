//! Members that are written where they belong: of classes, enums and object literals.

use super::bindings::first_member;
use super::expected::expected;
use super::functions::{claim, is_function, value_kind};
use super::modules::required;
use super::types::type_hint;
use super::values::hint;
use super::{first_plain_child, unquote};
use crate::syntax::prelude::*;

/// Visibility and decorators of a class or interface member.
pub(super) fn member<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) {
    let mut private = walk.src.get(draft.name.start) == Some(&b'#');
    for child in (0..node.child_count()).filter_map(|i| node.child(i)) {
        match child.kind_name() {
            "accessibility_modifier" => private |= walk.text(child) == b"private",
            "decorator" => draft.decorated(child),
            "formal_parameters" | "statement_block" => break,
            _ => {}
        }
    }
    if draft.flags.contains(SymbolFlags::DECORATED)
        && let Some(first) = first_plain_child(node)
    {
        draft.begin(first);
    }
    // TypeScript lists the decorators of a method beside it, not inside it.
    let mut before = node
        .prev_sibling()
        .filter(|_| walk.kind_above(0) == "class_body");
    while let Some(decorator) = before.filter(|node| node.kind_name() == "decorator") {
        draft.decorated(decorator);
        before = decorator.prev_sibling();
    }
    draft.set_if(SymbolFlags::EXPORTED, frame.exported && !private);
}

/// Functions in object literals outside functions or that a function gives out, all that `module.exports = {}` holds,
/// and what the object of a constant does.
pub(super) fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let (Some(key), Some(value)) = (node.field("key"), node.field("value")) else {
        return;
    };
    if walk.take_claim(node.start_byte()) {
        walk.claim(value.start_byte());
        return;
    }
    let plain = key.kind_name() == "property_identifier";
    let is_seen = frame.scope != Scope::Function || is_kept(walk, value);
    let kind = match value_kind(Some(value)).filter(|_| is_seen) {
        Some(SymbolKind::Function) => SymbolKind::Method,
        Some(kind) => kind,
        None => {
            let given = value.kind_name() == "identifier" || required(walk, value).is_some();
            if !given && plain && frame.exported && is_export(walk) {
                SymbolKind::Constant
            } else if plain && frame.scope != Scope::Function && is_of_constant(walk) {
                SymbolKind::Field
            } else {
                if plain {
                    let of = walk.above(0).and_then(|object| expected(walk, object, 1));
                    walk.member_name(key, OccurrenceKind::Write, of);
                }
                return;
            }
        }
    };
    if key.kind_name() == "computed_property_name" {
        return;
    }
    let mut draft = Draft::new(kind, key, node);
    unquote(walk, &mut draft);
    draft.set_if(SymbolFlags::EXPORTED, frame.exported);
    let is_function = kind == SymbolKind::Method;
    if matches!(kind, SymbolKind::Constant | SymbolKind::Field) {
        draft.value(hint(walk, value));
    } else {
        claim(walk, &mut draft, value);
    }
    walk.define(draft, frame);
    if plain && is_function {
        note_expected(walk, key);
    }
}

/// Notes that the name of a function in an object stands for a member of what is expected there, too:
/// `const handler: Handler = { run(request) {} }`.
pub(super) fn note_expected<'t>(walk: &mut Walk<'t>, name: Node<'t>) {
    let object = walk.above(0).filter(|above| above.kind_name() == "object");
    if let Some(object) = object.filter(|object| is_told(walk, *object))
        && let Some(of) = expected(walk, object, 1)
    {
        walk.member_name(name, OccurrenceKind::Write, Some(of));
    }
}

/// Whether a type, or a call, says what is expected of the object that stands right above.
fn is_told<'t>(walk: &Walk<'t>, mut object: Node<'t>) -> bool {
    for up in (1..).step_by(2).take(MAX_OBJECTS) {
        match expected(walk, object, up).map(|of| of.kind) {
            Some(HintKind::Value) if walk.kind_above(up) == "pair" => match walk.above(up + 1) {
                Some(around) if around.kind_name() == "object" => object = around,
                _ => return false,
            },
            Some(HintKind::Value | HintKind::Result) | None => return false,
            Some(_) => return true,
        }
    }
    false
}

/// How many objects a member of a constant may lie in, and how much one of them may hold: what is larger is data.
const MAX_DEPTH: usize = 3;
const MAX_MEMBERS: usize = 256;
/// What gives back the object that it is given.
const FREEZERS: &[&[u8]] = byte_words!("Object.freeze Object.seal");

/// Whether the pair being entered stands in an object that a name is declared for (`const KEYS = { ENTER: "Enter" }`)
/// and that no type is written for, whose members these then are.
fn is_of_constant(walk: &Walk<'_>) -> bool {
    // Of a written type the members are its own, unless it says no more than that there are some.
    let has_members = |written| !walk.text(written).starts_with(b"Record<");
    let mut depth = 0;
    for up in 0.. {
        let Some(above) = walk.ancestor(up).map(|above| above.node) else {
            return false;
        };
        match above.kind_name() {
            "object" => {
                depth += 1;
                if depth > MAX_DEPTH || above.named_child_count() > MAX_MEMBERS {
                    return false;
                }
            }
            "pair" | "parenthesized_expression" | "arguments" => {}
            "as_expression" | "satisfies_expression" => {
                // Not so `as const`.
                if above.named_child(1).is_some_and(has_members) {
                    return false;
                }
            }
            "call_expression" => {
                let called = above.field("function");
                if !called.is_some_and(|called| FREEZERS.contains(&walk.text(called))) {
                    return false;
                }
            }
            "variable_declarator" => {
                let written = above
                    .field("type")
                    .and_then(|written| written.named_child(0));
                return !written.is_some_and(has_members);
            }
            _ => return false,
        }
    }
    false
}

/// How many objects a function may lie in within the one that is kept.
const MAX_OBJECTS: usize = 4;
/// What puts the functions of an object into another.
const PUTTERS: &[&[u8]] = byte_words!("assign extend mixin");

/// Whether the function of the pair being entered stands, in a function, in an object that is returned, put
/// somewhere or named: a member, as one that is written `name() {}` is. An object that is only handed to a
/// call has options and callbacks, and so have arrow functions.
fn is_kept(walk: &Walk<'_>, value: Node<'_>) -> bool {
    if !matches!(
        value.kind_name(),
        "function_expression" | "generator_function"
    ) {
        return false;
    }
    let mut objects = 1;
    for up in 1.. {
        match walk.kind_above(up) {
            "object" => objects += 1,
            "pair" | "parenthesized_expression" if objects <= MAX_OBJECTS => {}
            "return_statement" | "variable_declarator" | "assignment_expression" => return true,
            "arguments" => return is_put(walk, up),
            _ => return false,
        }
    }
    false
}

/// Whether the method being entered stands, in a function, in an object that is only handed to a call: it has options
/// and callbacks, which are no members of their own.
pub(super) fn is_handed(walk: &Walk<'_>, frame: &Frame<'_>) -> bool {
    if frame.scope != Scope::Function || walk.kind_above(0) != "object" {
        return false;
    }
    for up in 1..2 * MAX_OBJECTS {
        match walk.kind_above(up) {
            "object" | "pair" | "parenthesized_expression" | "array" => {}
            "arguments" => return !is_put(walk, up),
            _ => return false,
        }
    }
    false
}

/// Whether the arguments that are so far up are those of a call that puts members of one object into another.
fn is_put(walk: &Walk<'_>, up: usize) -> bool {
    let call = walk.above(up + 1);
    let callee = call.and_then(|call| call.field("function"));
    let name = callee.map(|callee| walk.text(callee)).unwrap_or_default();
    PUTTERS.iter().any(|putter| name.ends_with(putter))
}

/// Whether the pair being entered stands in the object of `module.exports = {...}`.
fn is_export(walk: &Walk<'_>) -> bool {
    walk.ancestor(1)
        .and_then(|above| above.node.field("left"))
        .is_some_and(|left| walk.text(left) == b"module.exports")
}

/// What a class declares: `this.name = ...` in its constructor is then no definition.
pub(super) fn class_body<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(class) = frame.symbol.filter(|_| frame.scope == Scope::Class) else {
        return;
    };
    for child in node.named() {
        let name = child.field("name").or_else(|| child.field("property"));
        if let Some(name) = name {
            first_member(walk, class, walk.text(name));
        }
    }
}

/// `name={...}` in JSX: a member of what the component takes.
pub(super) fn jsx_attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node
        .named_child(0)
        .filter(|name| name.kind_name() == "property_identifier")
    {
        // A component is a function of its attributes.
        let element = walk.above(0).and_then(|element| element.field("name"));
        let component = element.and_then(|name| match name.kind_name() {
            "identifier" => Some(name),
            _ => name.field_of("property", "property_identifier"),
        });
        let is_component =
            |name: &Node<'t>| walk.text(*name).first().is_some_and(u8::is_ascii_uppercase);
        let of = component
            .filter(is_component)
            .and_then(|name| Hint::argument(name, 0));
        walk.member_name(name, OccurrenceKind::Write, of);
    }
}

pub(super) fn class_field<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let name = node.field("name").or_else(|| node.field("property"));
    let Some(name) = name else { return };
    let value = node.field("value");
    let function = value.filter(|value| is_function(*value));
    let mut draft = Draft::new(
        if function.is_some() {
            SymbolKind::Method
        } else {
            SymbolKind::Field
        },
        name,
        node,
    );
    unquote(walk, &mut draft);
    member(walk, node, frame, &mut draft);
    let annotation = node.field("type");
    draft.value(annotation.and_then(|annotation| type_hint(walk, annotation)));
    if let Some(function) = function {
        claim(walk, &mut draft, function);
    } else if annotation.is_none() {
        draft.value(value.and_then(|value| hint(walk, value)));
    }
    walk.define(draft, frame);
}

/// `constructor(private store: Store)` declares a field.
pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let modifier = node.named_of("accessibility_modifier");
    let readonly = || {
        (0..node.child_count()).any(|i| {
            node.child(i)
                .is_some_and(|child| child.kind_name() == "readonly")
        })
    };
    if modifier.is_none() && !readonly() {
        return;
    }
    let Some(name) = node.field_of("pattern", "identifier") else {
        return;
    };
    let Some(class) = frame
        .symbol
        .and_then(|index| walk.symbols[index as usize].container)
    else {
        return;
    };
    let mut draft = Draft::new(SymbolKind::Field, name, node);
    draft.container = Some(class);
    let exported = walk.symbols[class as usize]
        .flags
        .contains(SymbolFlags::EXPORTED);
    draft.set_if(
        SymbolFlags::EXPORTED,
        exported && modifier.is_none_or(|modifier| walk.text(modifier) != b"private"),
    );
    draft.value(match node.field("type") {
        Some(annotation) => type_hint(walk, annotation),
        None => node.field("value").and_then(|value| hint(walk, value)),
    });
    let start = draft.name.start;
    walk.record(&draft, frame);
    first_member(walk, class, walk.text(name));
    // The name is that of the parameter, too.
    walk.def_names.remove(&start);
}

pub(super) fn enum_body<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let mut found = Vec::new();
    for child in node.fields("name") {
        if child.is_named() {
            found.push(child);
        }
    }
    for child in found {
        let mut draft = Draft::new(SymbolKind::Variant, child, child);
        unquote(walk, &mut draft);
        draft.set_if(SymbolFlags::EXPORTED, frame.exported);
        walk.record(&draft, frame);
    }
}
