//! Members that are written where they belong: of classes, enums and object literals.

use super::bindings::first_member;
use super::functions::{claim, is_function, member_name, value_kind};
use super::modules::required;
use super::values::{clue, type_clue};
use super::{first_plain_child, unquote};
use crate::record::{OccurrenceKind, SymbolFlags, SymbolKind};
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk};
use tree_sitter::Node;

/// Visibility and decorators of a class or interface member.
pub(super) fn member<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) {
    let mut private = walk.src.get(draft.name.start) == Some(&b'#');
    for child in (0..node.child_count()).filter_map(|i| node.child(i)) {
        match child.kind() {
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
    let mut before = node.prev_sibling().filter(|_| {
        walk.ancestor(0)
            .is_some_and(|f| f.node.kind() == "class_body")
    });
    while let Some(decorator) = before.filter(|node| node.kind() == "decorator") {
        draft.decorated(decorator);
        before = decorator.prev_sibling();
    }
    if frame.exported && !private {
        draft.set(SymbolFlags::EXPORTED);
    }
}

/// Functions in object literals outside functions, and all that `module.exports = {}` holds.
pub(super) fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let (Some(key), Some(value)) = (
        node.child_by_field_name("key"),
        node.child_by_field_name("value"),
    ) else {
        return Visit::Descend;
    };
    if walk.take_claim(node.start_byte()) {
        walk.claim(value.start_byte());
        return Visit::Descend;
    }
    let plain = key.kind() == "property_identifier";
    let kind = match value_kind(Some(value)).filter(|_| frame.scope != Scope::Function) {
        Some(SymbolKind::Function) => SymbolKind::Method,
        Some(kind) => kind,
        None => {
            let given = value.kind() == "identifier" || required(walk, value).is_some();
            if !given && plain && frame.exported && is_export(walk) {
                SymbolKind::Constant
            } else {
                if plain {
                    let of = object_type(walk);
                    member_name(walk, key, OccurrenceKind::Write, of);
                }
                return Visit::Descend;
            }
        }
    };
    if key.kind() == "computed_property_name" {
        return Visit::Descend;
    }
    let mut draft = Draft::new(kind, key, node);
    unquote(walk, &mut draft);
    if frame.exported {
        draft.set(SymbolFlags::EXPORTED);
    }
    if kind == SymbolKind::Constant {
        draft.value(clue(walk, value));
    } else {
        claim(walk, &mut draft, value);
    }
    walk.define(draft, frame);
    Visit::Descend
}

/// Whether the pair being entered stands in the object of `module.exports = {...}`.
fn is_export(walk: &Walk<'_>) -> bool {
    walk.ancestor(1)
        .and_then(|above| above.node.child_by_field_name("left"))
        .is_some_and(|left| walk.text(left) == b"module.exports")
}

/// The type that is written for the object whose pair is being entered.
fn object_type(walk: &Walk<'_>) -> Option<Clue> {
    let above = walk.ancestor(1)?.node;
    match above.kind() {
        "variable_declarator" | "public_field_definition" => {
            type_clue(walk, above.child_by_field_name("type")?)
        }
        "as_expression" | "satisfies_expression" => type_clue(walk, above.named_child(1)?),
        _ => None,
    }
}

/// What a class declares: `this.name = ...` in its constructor is then no definition.
pub(super) fn class_body<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(class) = frame.symbol.filter(|_| frame.scope == Scope::Class) else {
        return Visit::Descend;
    };
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        let name = child
            .child_by_field_name("name")
            .or_else(|| child.child_by_field_name("property"));
        if let Some(name) = name {
            first_member(walk, class, walk.text(name));
        }
    }
    Visit::Descend
}

/// `name={...}` in JSX: a member of what the component takes.
pub(super) fn jsx_attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = node
        .named_child(0)
        .filter(|name| name.kind() == "property_identifier")
    {
        member_name(walk, name, OccurrenceKind::Write, None);
    }
    Visit::Descend
}

pub(super) fn class_field<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let name = node
        .child_by_field_name("name")
        .or_else(|| node.child_by_field_name("property"));
    let Some(name) = name else {
        return Visit::Descend;
    };
    let value = node.child_by_field_name("value");
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
    let annotation = node.child_by_field_name("type");
    draft.value(annotation.and_then(|annotation| type_clue(walk, annotation)));
    if let Some(function) = function {
        claim(walk, &mut draft, function);
    } else if annotation.is_none() {
        draft.value(value.and_then(|value| clue(walk, value)));
    }
    walk.define(draft, frame);
    Visit::Descend
}

/// `constructor(private store: Store)` declares a field.
pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let mut cursor = node.walk();
    let modifier = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "accessibility_modifier");
    let readonly = || {
        (0..node.child_count()).any(|i| {
            node.child(i)
                .is_some_and(|child| child.kind() == "readonly")
        })
    };
    if modifier.is_none() && !readonly() {
        return Visit::Descend;
    }
    let Some(name) = node
        .child_by_field_name("pattern")
        .filter(|name| name.kind() == "identifier")
    else {
        return Visit::Descend;
    };
    let Some(class) = frame
        .symbol
        .and_then(|index| walk.symbols[index as usize].container)
    else {
        return Visit::Descend;
    };
    let mut draft = Draft::new(SymbolKind::Field, name, node);
    draft.container = Some(class);
    let exported = walk.symbols[class as usize]
        .flags
        .contains(SymbolFlags::EXPORTED);
    if exported && modifier.is_none_or(|modifier| walk.text(modifier) != b"private") {
        draft.set(SymbolFlags::EXPORTED);
    }
    draft.value(match node.child_by_field_name("type") {
        Some(annotation) => type_clue(walk, annotation),
        None => node
            .child_by_field_name("value")
            .and_then(|value| clue(walk, value)),
    });
    let start = draft.name.start;
    walk.record(&draft, frame);
    first_member(walk, class, walk.text(name));
    // The name is that of the parameter, too.
    walk.def_names.remove(&start);
    Visit::Descend
}

pub(super) fn enum_body<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let mut cursor = node.walk();
    let mut found = Vec::new();
    for child in node.children_by_field_name("name", &mut cursor) {
        if child.is_named() {
            found.push(child);
        }
    }
    for child in found {
        let mut draft = Draft::new(SymbolKind::Variant, child, child);
        unquote(walk, &mut draft);
        if frame.exported {
            draft.set(SymbolFlags::EXPORTED);
        }
        walk.record(&draft, frame);
    }
    Visit::Descend
}
