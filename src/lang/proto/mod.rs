//! Protocol Buffers, proto2, proto3 and editions.

pub(crate) mod facts;
mod resolve;

use crate::record::{ImportKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::syntax::hints::Hint;
use crate::syntax::node::NodeExt;
use crate::syntax::rows::{LangSpec, Rule};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Walk, string_content};
use OccurrenceKind::{Read, Type, Write};
use Rule::{Is, Pass};
use tree_sitter::Node;

/// Protocol Buffers.
pub(crate) static PROTO: LangSpec = LangSpec {
    hooks: hooks! {
        definition => "message group enum enum_field service rpc field map_field oneof_field",
        oneof => "oneof",
        package => "package",
        import => "import",
        path => "message_or_enum_type full_ident",
    },
    roles: roles! {
        Is(Type) => "field map_field oneof_field rpc extend",
        Pass => "type",
        Is(Write) => "option field_option enum_value_option block_lit",
    },
    identifiers: &[("identifier", Read)],
    this_kinds: &[],
    this_names: &[],
    comments: &["comment"],
    strings: &[],
    ..LangSpec::new()
};

/// The identifier that a definition is named by.
fn name<'t>(node: Node<'t>) -> Option<Node<'t>> {
    let inner = node.part(&["message_name", "enum_name", "service_name", "rpc_name"]);
    inner.unwrap_or(node).named_of("identifier")
}

fn draft<'t>(walk: &Walk<'t>, node: Node<'t>, name: Node<'t>) -> Draft<'t> {
    let kind = match node.kind_name() {
        "message" | "group" => SymbolKind::Struct,
        "enum" => SymbolKind::Enum,
        "enum_field" => SymbolKind::Variant,
        "service" => SymbolKind::Interface,
        "rpc" => SymbolKind::Method,
        "oneof" => SymbolKind::Union,
        _ => SymbolKind::Field,
    };
    let mut draft = Draft::new(kind, name, node);
    // Everybody who imports the file sees all of it.
    draft.set(SymbolFlags::EXPORTED);
    draft.body_at(node.part(&["message_body", "enum_body", "{"]));
    draft.set_if(SymbolFlags::DEPRECATED, is_deprecated(walk, node));
    draft
}

/// `option deprecated = true;` in a body, `[deprecated = true]` behind a field.
fn is_deprecated(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let says = |node: Node<'_>| {
        node.named().any(|option| {
            let set = matches!(
                option.kind_name(),
                "option" | "field_option" | "enum_value_option"
            );
            set && option.named_of("identifier").is_some_and(|name| {
                walk.text(name) == b"deprecated"
                    && option
                        .named_of("constant")
                        .is_some_and(|value| walk.text(value) == b"true")
            })
        })
    };
    let within = ["message_body", "enum_body", "field_options"];
    says(node)
        || node
            .parts()
            .any(|part| within.contains(&part.kind_name()) && says(part))
}

fn definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = name(node) else {
        return;
    };
    let mut draft = draft(walk, node, name);
    if draft.kind == SymbolKind::Field {
        let many = node.part(&["repeated"]).is_some() || node.kind_name() == "map_field";
        let of = node
            .named_of("type")
            .and_then(|of| of.named_of("message_or_enum_type"));
        let last = of.and_then(NodeExt::last_named);
        draft.value(last.map(|last| match many {
            true => Hint::collection_of(last),
            false => Hint::instance(last),
        }));
    }
    walk.define(draft, frame);
}

/// The fields of a `oneof` are those of the message around it.
fn oneof<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.named_of("identifier") {
        let draft = draft(walk, node, name);
        walk.record(&draft, frame);
    }
}

fn package<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.named_of("full_ident") {
        walk.import(ImportKind::Package, node, walk.text(name), Vec::new());
    }
    frame.skip();
}

/// `import "a.proto"` takes every name; `import public` gives them on as well.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(path) = node.field("path") else {
        return frame.skip();
    };
    let specifier = string_content(walk.text(path));
    let whole = walk.binding(None, None);
    walk.import(ImportKind::Import, node, specifier, vec![whole.clone()]);
    if node.part(&["public"]).is_some() {
        walk.import(ImportKind::Reexport, node, specifier, vec![whole]);
    }
    frame.skip();
}

/// `a.b.Outer.Inner`: the package, which imports have told already, and then types, each in the one
/// before.
fn path<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let parts: Vec<Node<'t>> = node.all_of("identifier").collect();
    let is_type = |part: &Node<'t>| walk.text(*part).first().is_some_and(u8::is_ascii_uppercase);
    let first_type = parts.iter().position(is_type);
    let first = first_type.unwrap_or(parts.len().saturating_sub(1));
    for package in &parts[..first] {
        walk.occurrence_at(*package, Read, Qualifier::None);
    }
    walk.path(&parts[first..], Qualifier::None, Read, frame.role);
    frame.skip();
}
