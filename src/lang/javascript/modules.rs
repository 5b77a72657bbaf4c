//! What a JavaScript file takes from other files and gives to them: ECMAScript modules and CommonJS.

use super::assignments::reexport_all;
use super::functions::{claim, value_kind};
use super::statement;
use super::values::clue;
use crate::id::LocalName;
use crate::record::{Binding, ImportKind, SymbolFlags, SymbolKind};
use crate::syntax::rows::Visit;
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk, is_name, string_content};
use tree_sitter::Node;

/// The specifier of `require("x")`, and the property taken of it in `require("x").y`.
pub(super) fn required<'t>(
    walk: &Walk<'t>,
    value: Node<'t>,
) -> Option<(&'t [u8], Option<&'t [u8]>)> {
    let (mut call, property) = match value.kind() {
        "member_expression" => (
            value.child_by_field_name("object")?,
            value
                .child_by_field_name("property")
                .map(|node| walk.text(node)),
        ),
        _ => (value, None),
    };
    while matches!(call.kind(), "await_expression" | "parenthesized_expression") {
        call = call.named_child(0)?;
    }
    if call.kind() != "call_expression" {
        return None;
    }
    let function = walk.text(call.child_by_field_name("function")?);
    if function != b"require" && function != b"import" {
        return None;
    }
    let argument = call
        .child_by_field_name("arguments")?
        .named_child(0)
        .filter(|node| node.kind() == "string")?;
    Some((string_content(walk.text(argument)), property))
}

/// Records `name = require("x")`; the call itself is then not recorded again.
pub(super) fn require_into<'t>(walk: &mut Walk<'t>, value: Node<'t>, name: Node<'t>) -> bool {
    let Some((specifier, property)) = required(walk, value) else {
        return false;
    };
    let mut bindings = Vec::new();
    if name.kind() == "identifier" {
        bindings.push(walk.binding(property, Some(walk.text(name))));
    } else {
        let mut cursor = name.walk();
        for child in name.named_children(&mut cursor) {
            let (imported, local) = match child.kind() {
                "pair_pattern" => (
                    child.child_by_field_name("key"),
                    child.child_by_field_name("value"),
                ),
                "object_assignment_pattern" => (
                    child.child_by_field_name("left"),
                    child.child_by_field_name("left"),
                ),
                _ => (Some(child), Some(child)),
            };
            if let (Some(imported), Some(local)) = (imported, local) {
                bindings.push(walk.binding(Some(walk.text(imported)), Some(walk.text(local))));
            }
        }
    }
    let awaited = matches!(walk.text(value).first(), Some(b'a' | b'('));
    let kind = if awaited || walk.text(value).starts_with(b"import") {
        ImportKind::Dynamic
    } else {
        ImportKind::Require
    };
    walk.import(kind, value.start_position().row, specifier, bindings);
    claim_require(walk, value);
    true
}

/// Keeps the call inside a recorded `require` from being recorded again.
pub(super) fn claim_require(walk: &mut Walk<'_>, value: Node<'_>) {
    let mut call = Some(value);
    while let Some(outer) = call.filter(|call| call.kind() != "call_expression") {
        call = outer.named_child(0);
    }
    if let Some(call) = call {
        walk.claim(call.start_byte());
    }
}

/// The variable of `var app = exports = module.exports = {}`: it is the symbol that is exported.
pub(super) fn declared_with<'t>(walk: &Walk<'t>) -> Option<&'t [u8]> {
    let mut up = 0;
    while walk.ancestor(up)?.node.kind() == "assignment_expression" {
        up += 1;
    }
    let declarator = walk
        .ancestor(up)
        .filter(|above| above.node.kind() == "variable_declarator")?;
    declarator
        .node
        .child_by_field_name("name")
        .map(|name| walk.text(name))
}

pub(super) fn require_into_existing<'t>(
    walk: &mut Walk<'t>,
    left: Node<'t>,
    right: Node<'t>,
    frame: &Frame<'t>,
) -> bool {
    frame.scope == Scope::Module
        && right.kind() == "call_expression"
        && require_into(walk, right, left)
}

/// `module.exports = value` and `export default value`; `name` stands in for a missing name.
pub(super) fn export_value<'t>(
    walk: &mut Walk<'t>,
    value: Node<'t>,
    exported: Option<&[u8]>,
    name: Node<'t>,
    outer: Node<'t>,
    frame: &mut Frame<'t>,
) {
    let row = outer.start_position().row;
    let outer = if outer.kind() == "export_statement" {
        outer
    } else {
        statement(walk, outer)
    };
    let default = exported.is_some();
    if let Some(kind) = value_kind(Some(value)) {
        let mut draft = Draft::new(
            kind,
            value.child_by_field_name("name").unwrap_or(name),
            outer,
        );
        draft.set(SymbolFlags::EXPORTED.with(SymbolFlags::DEFAULT));
        claim(walk, &mut draft, value);
        walk.define(draft, frame);
        return;
    }
    match value.kind() {
        "identifier" => {
            let binding = walk.binding(exported, Some(walk.text(value)));
            walk.import(ImportKind::Export, row, b"", vec![binding]);
        }
        "object" if default => {
            let mut draft = Draft::new(SymbolKind::Constant, name, outer);
            draft.set(SymbolFlags::EXPORTED.with(SymbolFlags::DEFAULT));
            walk.define(draft, frame);
        }
        "object" => {
            frame.exported = true;
            export_object(walk, value, row);
        }
        "call_expression" | "member_expression" if !default => {
            if let Some((specifier, imported)) = required(walk, value) {
                let binding = walk.binding(imported, None);
                walk.import(ImportKind::Reexport, row, specifier, vec![binding]);
                claim_require(walk, value);
            }
        }
        // `export default defineConfig({ ... })`
        declaration
            if declaration.ends_with("_declaration") || declaration.ends_with("_signature") => {}
        _ if default => {
            let mut draft = Draft::new(SymbolKind::Constant, name, outer);
            draft.set(SymbolFlags::EXPORTED.with(SymbolFlags::DEFAULT));
            draft.value(clue(walk, value));
            walk.define(draft, frame);
        }
        _ => {}
    }
}

/// `module.exports = { a, b: c, d: require("./d") }`.
pub(super) fn export_object<'t>(walk: &mut Walk<'t>, object: Node<'t>, row: usize) {
    let mut bindings = Vec::new();
    let mut cursor = object.walk();
    for child in object.named_children(&mut cursor) {
        match child.kind() {
            "shorthand_property_identifier" => {
                let name = walk.text(child);
                bindings.push(walk.binding(Some(name), Some(name)));
            }
            "pair" => {
                let (Some(key), Some(value)) = (
                    child.child_by_field_name("key"),
                    child.child_by_field_name("value"),
                ) else {
                    continue;
                };
                let key = walk.text(key);
                let key = if is_name(key) {
                    key
                } else {
                    string_content(key)
                };
                if value.kind() == "identifier" {
                    bindings.push(walk.binding(Some(key), Some(walk.text(value))));
                } else if let Some((specifier, imported)) = required(walk, value) {
                    let binding = walk.binding(imported, Some(key));
                    walk.import(
                        ImportKind::Reexport,
                        child.start_position().row,
                        specifier,
                        vec![binding],
                    );
                    claim_require(walk, value);
                }
            }
            // `...require("./x")`
            "spread_element" => {
                if let Some(value) = child.named_child(0) {
                    reexport_all(walk, value);
                }
            }
            _ => {}
        }
    }
    if !bindings.is_empty() {
        walk.import(ImportKind::Export, row, b"", bindings);
    }
}

pub(super) fn import_statement<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    _: &mut Frame<'t>,
) -> Visit {
    let row = node.start_position().row;
    let mut bindings = Vec::new();
    let mut source = node.child_by_field_name("source");
    let mut kind = ImportKind::Import;
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "import_clause" => import_clause(walk, child, &mut bindings),
            "import_require_clause" => {
                kind = ImportKind::Require;
                source = child.child_by_field_name("source");
                if let Some(name) = child.named_child(0) {
                    bindings.push(walk.binding(None, Some(walk.text(name))));
                }
            }
            _ => {}
        }
    }
    if let Some(source) = source {
        walk.import(kind, row, string_content(walk.text(source)), bindings);
    }
    Visit::Descend
}

fn import_clause<'t>(
    walk: &mut Walk<'t>,
    clause: Node<'t>,
    bindings: &mut Vec<Binding<LocalName>>,
) {
    let mut cursor = clause.walk();
    for child in clause.named_children(&mut cursor) {
        match child.kind() {
            "identifier" => bindings.push(walk.binding(Some(b"default"), Some(walk.text(child)))),
            "namespace_import" => {
                let name = child.named_child(0).map(|name| walk.text(name));
                bindings.push(walk.binding(None, name));
            }
            "named_imports" => {
                let mut inner = child.walk();
                for specifier in child
                    .named_children(&mut inner)
                    .filter(|node| node.kind() == "import_specifier")
                {
                    let (name, alias) = specifier_names(walk, specifier);
                    bindings.push(walk.binding(name, alias));
                }
            }
            _ => {}
        }
    }
}

/// The `a` and `b` of `a as b`; without an alias both are the name.
fn specifier_names<'t>(walk: &Walk<'t>, node: Node<'t>) -> (Option<&'t [u8]>, Option<&'t [u8]>) {
    let plain = |node: Node<'t>| {
        let text = walk.text(node);
        if node.kind() == "string" {
            string_content(text)
        } else {
            text
        }
    };
    let name = node.child_by_field_name("name").map(plain);
    (name, node.child_by_field_name("alias").map(plain).or(name))
}

pub(super) fn export_statement<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    let row = node.start_position().row;
    let source = node.child_by_field_name("source");
    let mut bindings = Vec::new();
    let mut default = None;
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "export_clause" => {
                let mut inner = child.walk();
                for specifier in child
                    .named_children(&mut inner)
                    .filter(|node| node.kind() == "export_specifier")
                {
                    let (name, alias) = specifier_names(walk, specifier);
                    // A re-export goes from the other module's name to the name given out; an
                    // export's local name is the one in this file.
                    let binding = match source {
                        Some(_) => walk.binding(name, alias),
                        None => walk.binding(alias, name),
                    };
                    bindings.push(binding);
                }
            }
            "namespace_export" => {
                let name = child.named_child(0).map(|name| walk.text(name));
                bindings.push(walk.binding(None, name));
            }
            "*" => bindings.push(walk.binding(None, None)),
            "default" | "=" => default = Some(child),
            _ => {}
        }
    }
    if let Some(source) = source {
        walk.import(
            ImportKind::Reexport,
            row,
            string_content(walk.text(source)),
            bindings,
        );
        return Visit::Descend;
    }
    if !bindings.is_empty() {
        walk.import(ImportKind::Export, row, b"", bindings);
    }
    if let Some(keyword) = default {
        let value = node
            .child_by_field_name("value")
            .or_else(|| node.named_child(node.named_child_count() as u32 - 1));
        if let Some(value) = value.filter(|value| value.start_byte() > keyword.start_byte()) {
            let exported: Option<&[u8]> = (keyword.kind() == "default").then_some(b"default");
            export_value(walk, value, exported, keyword, node, frame);
        }
    }
    Visit::Descend
}
