//! What a JavaScript file takes from other files and gives to them: ECMAScript modules and CommonJS.

use super::assignments::reexport_all;
use super::functions::{claim, value_kind};
use super::statement;
use super::values::hint;
use crate::id::LocalName;
use crate::record::Binding;
use crate::syntax::prelude::*;

/// The specifier of `require("x")`, and the property taken of it in `require("x").y`.
pub(super) fn required<'t>(
    walk: &Walk<'t>,
    value: Node<'t>,
) -> Option<(&'t [u8], Option<&'t [u8]>)> {
    let (mut call, property) = match value.kind_name() {
        "member_expression" => (
            value.field("object")?,
            value.field("property").map(|node| walk.text(node)),
        ),
        _ => (value, None),
    };
    while matches!(
        call.kind_name(),
        "await_expression" | "parenthesized_expression"
    ) {
        call = call.named_child(0)?;
    }
    if call.kind_name() != "call_expression" {
        return None;
    }
    let function = walk.text(call.field("function")?);
    if function != b"require" && function != b"import" {
        return None;
    }
    let argument = call
        .field("arguments")?
        .named_child(0)
        .filter(|node| node.kind_name() == "string")?;
    Some((string_content(walk.text(argument)), property))
}

/// Records `name = require("x")`; the call itself is then not recorded again.
pub(super) fn require_into<'t>(walk: &mut Walk<'t>, value: Node<'t>, name: Node<'t>) -> bool {
    let Some((specifier, property)) = required(walk, value) else {
        return false;
    };
    let mut bindings = Vec::new();
    if name.kind_name() == "identifier" {
        bindings.push(walk.binding(property, Some(walk.text(name))));
    } else {
        for child in name.named() {
            let (imported, local) = match child.kind_name() {
                "pair_pattern" => (child.field("key"), child.field("value")),
                "object_assignment_pattern" => (child.field("left"), child.field("left")),
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
    walk.import(kind, value, specifier, bindings);
    claim_require(walk, value);
    true
}

/// The pattern by which what is handed to `then` takes the module apart whose import is being entered.
pub(super) fn taken_from<'t>(walk: &Walk<'t>) -> Option<Node<'t>> {
    let (member, call) = (walk.above(0)?, walk.above(1)?);
    let property = member.field("property")?;
    if call.kind_name() != "call_expression" || walk.text(property) != b"then" {
        return None;
    }
    let function = call.field("arguments")?.named_child(0)?;
    let first = function.field("parameters")?.named_child(0)?;
    let pattern = first.field("pattern").unwrap_or(first);
    (pattern.kind_name() == "object_pattern").then_some(pattern)
}

/// The member that is taken of the module whose import is being entered, which then is a name that is imported:
/// `import("x").Type`, `(await import("x")).value`. What is called stays a call, and what a promise has is none.
pub(super) fn member_of_module<'t>(walk: &mut Walk<'t>, import: Node<'t>) -> Option<&'t [u8]> {
    let mut up = 0;
    while matches!(
        walk.kind_above(up),
        "await_expression" | "parenthesized_expression"
    ) {
        up += 1;
    }
    let is_value = up > 0 || walk.text(import).starts_with(b"require");
    let frame = walk.ancestor_mut(up)?;
    let member = frame.node;
    let is_object = member.kind_name() == "member_expression"
        && member.start_byte() <= import.start_byte()
        && member
            .field("object")
            .is_some_and(|object| import.end_byte() <= object.end_byte());
    if !is_object || frame.role == OccurrenceKind::Call {
        return None;
    }
    let name = member.field("property")?;
    let name = &walk.src[name.byte_range()];
    if !is_value && matches!(name, b"then" | b"catch" | b"finally") {
        return None;
    }
    let frame = walk.ancestor_mut(up)?;
    (frame.role, frame.object) = (OccurrenceKind::Import, (0, 0));
    Some(name)
}

/// Keeps the call inside a recorded `require` from being recorded again.
pub(super) fn claim_require(walk: &mut Walk<'_>, value: Node<'_>) {
    let mut call = Some(value);
    while let Some(outer) = call.filter(|call| call.kind_name() != "call_expression") {
        call = outer.named_child(0);
    }
    if let Some(call) = call {
        walk.claim(call.start_byte());
    }
}

/// The variable of `var app = exports = module.exports = {}`: it is the symbol that is exported.
pub(super) fn declared_with<'t>(walk: &Walk<'t>) -> Option<&'t [u8]> {
    let mut up = 0;
    while walk.ancestor(up)?.node.kind_name() == "assignment_expression" {
        up += 1;
    }
    let declarator = walk
        .ancestor(up)
        .filter(|above| above.node.kind_name() == "variable_declarator")?;
    declarator.node.field("name").map(|name| walk.text(name))
}

pub(super) fn require_into_existing<'t>(
    walk: &mut Walk<'t>,
    left: Node<'t>,
    right: Node<'t>,
    frame: &Frame<'t>,
) -> bool {
    frame.scope == Scope::Module
        && right.kind_name() == "call_expression"
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
    let outer = if outer.kind_name() == "export_statement" {
        outer
    } else {
        statement(walk, outer)
    };
    let default = exported.is_some();
    if let Some(kind) = value_kind(Some(value)) {
        let mut draft = Draft::new(kind, value.field("name").unwrap_or(name), outer);
        draft.set(SymbolFlags::EXPORTED.with(SymbolFlags::DEFAULT));
        claim(walk, &mut draft, value);
        walk.define(draft, frame);
        return;
    }
    match value.kind_name() {
        "identifier" => {
            let binding = walk.binding(exported, Some(walk.text(value)));
            walk.import(ImportKind::Export, outer, b"", vec![binding]);
        }
        "object" if default => {
            let mut draft = Draft::new(SymbolKind::Constant, name, outer);
            draft.set(SymbolFlags::EXPORTED.with(SymbolFlags::DEFAULT));
            walk.define(draft, frame);
        }
        "object" => {
            frame.exported = true;
            export_object(walk, value, outer);
        }
        "call_expression" | "member_expression" if !default => {
            if let Some((specifier, imported)) = required(walk, value) {
                let binding = walk.binding(imported, None);
                walk.import(ImportKind::Reexport, outer, specifier, vec![binding]);
                claim_require(walk, value);
            }
        }
        // `export default defineConfig({ ... })`
        declaration
            if declaration.ends_with("_declaration") || declaration.ends_with("_signature") => {}
        _ if default => {
            let mut draft = Draft::new(SymbolKind::Constant, name, outer);
            draft.set(SymbolFlags::EXPORTED.with(SymbolFlags::DEFAULT));
            draft.value(hint(walk, value));
            walk.define(draft, frame);
        }
        _ => {}
    }
}

/// `module.exports = { a, b: c, d: require("./d") }`.
pub(super) fn export_object<'t>(walk: &mut Walk<'t>, object: Node<'t>, at: Node<'t>) {
    let mut bindings = Vec::new();
    for child in object.named() {
        match child.kind_name() {
            "shorthand_property_identifier" => {
                let name = walk.text(child);
                bindings.push(walk.binding(Some(name), Some(name)));
            }
            "pair" => {
                let (Some(key), Some(value)) = (child.field("key"), child.field("value")) else {
                    continue;
                };
                let key = walk.text(key);
                let key = if is_name(key) {
                    key
                } else {
                    string_content(key)
                };
                if value.kind_name() == "identifier" {
                    bindings.push(walk.binding(Some(key), Some(walk.text(value))));
                } else if let Some((specifier, imported)) = required(walk, value) {
                    let binding = walk.binding(imported, Some(key));
                    walk.import(ImportKind::Reexport, child, specifier, vec![binding]);
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
        walk.import(ImportKind::Export, at, b"", bindings);
    }
}

pub(super) fn import_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let mut bindings = Vec::new();
    let mut source = node.field("source");
    let mut kind = ImportKind::Import;
    for child in node.named() {
        match child.kind_name() {
            "import_clause" => import_clause(walk, child, &mut bindings),
            "import_require_clause" => {
                kind = ImportKind::Require;
                source = child.field("source");
                if let Some(name) = child.named_child(0) {
                    bindings.push(walk.binding(None, Some(walk.text(name))));
                }
            }
            _ => {}
        }
    }
    if let Some(source) = source {
        walk.import(kind, node, string_content(walk.text(source)), bindings);
    }
}

fn import_clause<'t>(
    walk: &mut Walk<'t>,
    clause: Node<'t>,
    bindings: &mut Vec<Binding<LocalName>>,
) {
    for child in clause.named() {
        match child.kind_name() {
            "identifier" => bindings.push(walk.binding(Some(b"default"), Some(walk.text(child)))),
            "namespace_import" => {
                let name = child.named_child(0).map(|name| walk.text(name));
                bindings.push(walk.binding(None, name));
            }
            "named_imports" => {
                for specifier in child.all_of("import_specifier") {
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
        if node.kind_name() == "string" {
            string_content(text)
        } else {
            text
        }
    };
    let name = node.field("name").map(plain);
    (name, node.field("alias").map(plain).or(name))
}

pub(super) fn export_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let source = node.field("source");
    let mut bindings = Vec::new();
    let mut default = None;
    for child in node.parts() {
        match child.kind_name() {
            "export_clause" => {
                for specifier in child.all_of("export_specifier") {
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
            node,
            string_content(walk.text(source)),
            bindings,
        );
        return;
    }
    if !bindings.is_empty() {
        walk.import(ImportKind::Export, node, b"", bindings);
    }
    if let Some(keyword) = default {
        let value = node
            .field("value")
            .or_else(|| node.named_child(node.named_child_count() as u32 - 1));
        if let Some(value) = value.filter(|value| value.start_byte() > keyword.start_byte()) {
            let exported: Option<&[u8]> = (keyword.kind_name() == "default").then_some(b"default");
            export_value(walk, value, exported, keyword, node, frame);
        }
    }
}
