//! Members: of classes and enums, of object literals, and those assigned to objects, prototypes
//! and `exports` one by one.

use super::modules::{claim_require, declared_with, export_value, require_into_existing, required};
use super::{claim, first_plain_child, is_function, statement, unquote, value_kind};
use crate::extract::lang::Visit;
use crate::extract::record::{ImportKind, OccurrenceKind, SymbolFlags, SymbolKind};
use crate::extract::symbols::Draft;
use crate::extract::walk::{Frame, Scope, Walk};
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

/// `exports.x = ...`, `module.exports = ...`, `A.prototype.m = function`, `app.use = function`,
/// `this.m = function` in a constructor function.
pub(super) fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let (Some(left), Some(right)) = (
        node.child_by_field_name("left"),
        node.child_by_field_name("right"),
    ) else {
        return Visit::Descend;
    };
    if left.kind() == "identifier" {
        if require_into_existing(walk, left, right, frame) {
            frame.role = OccurrenceKind::Import;
        }
        return Visit::Descend;
    }
    if left.kind() != "member_expression" {
        return Visit::Descend;
    }
    let (Some(object), Some(property)) = (
        left.child_by_field_name("object"),
        left.child_by_field_name("property"),
    ) else {
        return Visit::Descend;
    };
    let owner = walk.text(object);
    let bound = value_kind(Some(right));
    let row = node.start_position().row;
    if owner == b"module" && walk.text(property) == b"exports" {
        if let Some(local) = declared_with(walk) {
            let binding = walk.binding(None, Some(local));
            walk.import(ImportKind::Export, row, b"", vec![binding]);
            frame.exported = true;
            return Visit::Descend;
        }
        export_value(walk, right, None, property, node, frame);
        return Visit::Descend;
    }
    if owner == b"exports" || owner == b"module.exports" {
        if let Some((specifier, imported)) = required(walk, right) {
            let binding = walk.binding(imported, Some(walk.text(property)));
            walk.import(ImportKind::Reexport, row, specifier, vec![binding]);
            claim_require(walk, right);
        } else if let Some(local) = declared_with(walk) {
            let binding = walk.binding(Some(walk.text(property)), Some(local));
            walk.import(ImportKind::Export, row, b"", vec![binding]);
        } else if right.kind() == "identifier" {
            let binding = walk.binding(Some(walk.text(property)), Some(walk.text(right)));
            walk.import(ImportKind::Export, row, b"", vec![binding]);
        } else if (bound.is_some() || frame.scope != Scope::Function)
            && right.kind() != "assignment_expression"
        {
            let mut draft = Draft::new(
                bound.unwrap_or(SymbolKind::Constant),
                property,
                statement(walk, node),
            );
            draft.set(SymbolFlags::EXPORTED);
            if bound.is_some() {
                claim(walk, &mut draft, right);
            }
            walk.define(draft, frame);
        }
        return Visit::Descend;
    }
    let Some(kind) = bound else {
        return Visit::Descend;
    };
    let owner = owner.strip_suffix(b".prototype").unwrap_or(owner);
    let on_this = owner == b"this" && frame.symbol.is_some();
    if !on_this
        && (frame.scope == Scope::Function || owner == b"this" || !owner.iter().all(is_path_byte))
    {
        return Visit::Descend;
    }
    let kind = if kind == SymbolKind::Function {
        SymbolKind::Method
    } else {
        kind
    };
    let mut draft = Draft::new(kind, property, statement(walk, node));
    if !on_this {
        let found = walk
            .owner(owner, |symbol| symbol.container.is_none())
            .map(|found| found as usize);
        match found {
            Some(found) => {
                draft.container = Some(found as u32);
                draft.flags.0 |= walk.symbols[found].flags.0 & SymbolFlags::EXPORTED.0;
            }
            None => draft.receiver = Some(owner),
        }
    }
    claim(walk, &mut draft, right);
    walk.define(draft, frame);
    Visit::Descend
}

fn is_path_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// Functions in object literals outside functions; what `module.exports = {}` holds is exported.
pub(super) fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if frame.scope == Scope::Function {
        return Visit::Descend;
    }
    let (Some(key), Some(value)) = (
        node.child_by_field_name("key"),
        node.child_by_field_name("value"),
    ) else {
        return Visit::Descend;
    };
    if let Some(kind) = value_kind(Some(value)) {
        let kind = if kind == SymbolKind::Function {
            SymbolKind::Method
        } else {
            kind
        };
        let mut draft = Draft::new(kind, key, node);
        unquote(walk, &mut draft);
        if frame.exported {
            draft.set(SymbolFlags::EXPORTED);
        }
        claim(walk, &mut draft, value);
        walk.define(draft, frame);
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
    if let Some(function) = function {
        claim(walk, &mut draft, function);
    }
    walk.define(draft, frame);
    Visit::Descend
}

/// `constructor(private store: Store)` declares a field.
pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(modifier) = node
        .named_child(0)
        .filter(|child| child.kind() == "accessibility_modifier")
    else {
        return Visit::Descend;
    };
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
    if exported && walk.text(modifier) != b"private" {
        draft.set(SymbolFlags::EXPORTED);
    }
    walk.record(&draft, frame);
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
