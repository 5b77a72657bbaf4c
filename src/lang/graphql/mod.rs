//! GraphQL: types and their fields, and the operations and fragments that ask for them.

pub(crate) mod facts;

use crate::record::{OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::syntax::blanked::Blanked;
use crate::syntax::hints::Hint;
use crate::syntax::hooks;
use crate::syntax::node::NodeExt;
use crate::syntax::rows::{LangSpec, Rule};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Walk, string_content};
use OccurrenceKind::{Call, Inherit, Read, Type, Write};
use Rule::{Is, MemberIs, Pass};
use std::borrow::Cow;
use tree_sitter::Node;

/// GraphQL.
pub(crate) static GRAPHQL: LangSpec = LangSpec {
    hooks: hooks! {
        definition => "object_type_definition object_type_extension interface_type_definition
            interface_type_extension input_object_type_definition input_object_type_extension
            enum_type_definition enum_type_extension union_type_definition union_type_extension
            scalar_type_definition scalar_type_extension directive_definition field_definition
            enum_value_definition operation_definition fragment_definition",
        input_value => "input_value_definition",
        variable_definition => "variable_definition",
        variable => "variable",
        field => "field",
        member => "object_field enum_value",
        hooks::skip => "description",
    },
    roles: roles! {
        Is(Type) => "field_definition input_value_definition variable_definition
            root_operation_type_definition type_condition union_member_types
            interface_type_extension input_object_type_extension enum_type_extension
            union_type_extension scalar_type_extension",
        Pass => "variable type list_type non_null_type named_type fragment_name",
        Is(Inherit) => "implements_interfaces",
        Is(Call) => "directive fragment_spread",
        Is(Write) => "argument alias",
        MemberIs(Read) => "field enum_value",
        MemberIs(Write) => "object_field",
        // What is extended is a type that another place defines.
        Is(Type) => "object_type_extension",
    },
    identifiers: &[("name", Read)],
    this_kinds: &[],
    this_names: &[],
    comments: &["comment"],
    strings: &[],
    ..LangSpec::new()
};

/// The name that a node gives.
fn name<'t>(node: Node<'t>) -> Option<Node<'t>> {
    let inner = node
        .named_of("enum_value")
        .or_else(|| node.named_of("fragment_name"));
    inner.unwrap_or(node).named_of("name")
}

/// The type that values of a type are of, or are lists of: a selection goes through lists.
fn named_type<'t>(node: Node<'t>) -> Option<Node<'t>> {
    const WRAPPERS: [&str; 4] = ["type", "non_null_type", "list_type", "named_type"];
    let mut inner = node.named_of("type")?;
    loop {
        let next = inner
            .named()
            .find(|child| child.kind_name() == "name" || WRAPPERS.contains(&child.kind_name()))?;
        if next.kind_name() == "name" {
            return Some(next);
        }
        inner = next;
    }
}

fn kind_of(node: Node<'_>) -> SymbolKind {
    match node.kind_name() {
        "object_type_definition" => SymbolKind::Class,
        "interface_type_definition" => SymbolKind::Interface,
        "input_object_type_definition" => SymbolKind::Struct,
        "enum_type_definition" => SymbolKind::Enum,
        "union_type_definition" => SymbolKind::Union,
        "scalar_type_definition" => SymbolKind::Type,
        "enum_value_definition" => SymbolKind::Variant,
        "field_definition" | "input_value_definition" => SymbolKind::Field,
        "fragment_definition" => SymbolKind::Macro,
        kind if kind.ends_with("_extension") => SymbolKind::Impl,
        _ => SymbolKind::Function,
    }
}

fn definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = name(node) else {
        return;
    };
    let mut draft = Draft::new(kind_of(node), name, node);
    // Everybody who has the schema sees all of it.
    draft.set(SymbolFlags::EXPORTED);
    if let Some(text) = node.named_of("description") {
        let written = walk.text(text);
        let content = string_content(written);
        let start = text.start_byte() + (written.len() - content.len()) / 2;
        draft.doc = Some(start..start + content.len());
        if let Some(after) = text.next_sibling() {
            draft.begin(after);
        }
    }
    if let Some(directives) = node.named_of("directives") {
        draft.set(SymbolFlags::DECORATED);
        let mut names = directives
            .named()
            .filter_map(|directive| directive.named_of("name"));
        draft.set_if(
            SymbolFlags::DEPRECATED,
            names.any(|name| walk.text(name) == b"deprecated"),
        );
    }
    const BODIES: &[&str] =
        words!("fields_definition input_fields_definition enum_values_definition selection_set");
    draft.body_at(node.part(BODIES));
    draft.value(named_type(node).map(|name| Hint::instance(name)));
    let extends = draft.kind == SymbolKind::Impl;
    walk.define(draft, frame);
    if extends {
        walk.names_another(name);
    }
}

/// A field of an input type, or an argument, which is known inside of its field or directive only.
fn input_value<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if walk.kind_above(0) == "input_fields_definition" {
        return definition(walk, node, frame);
    }
    if let Some(name) = name(node) {
        let hint = named_type(node).map(|name| Hint::instance(name));
        walk.local_in(&["arguments_definition"], name, hint);
        walk.occurrence_at(name, Write, Qualifier::None);
        walk.pass_over(name);
    }
}

fn variable_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.named_of("variable").and_then(name) {
        let hint = named_type(node).map(|name| Hint::instance(name));
        walk.local_in(&["operation_definition"], name, hint);
    }
}

fn variable<'t>(walk: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    let bound = walk.kind_above(0) == "variable_definition";
    frame.role = if bound { Write } else { Read };
}

/// A name that is a member of something: no identifier ends where the node begins, so that it is one of
/// an expression.
fn member<'t>(_: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.object = (node.start_byte(), node.start_byte());
}

/// A field that is asked for is a member of what the field around it is of, or of the type that the
/// fragment around it names.
fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let mut around = walk.stack.iter().rev().map(|frame| frame.node);
    let hint = around.find_map(|above| match above.kind_name() {
        "field" => Some(above.named_of("name").map(|name| Hint::value(name))),
        "inline_fragment" | "fragment_definition" => {
            let of = above
                .named_of("type_condition")
                .and_then(|of| of.named_of("named_type"));
            let name = of.and_then(|of| of.named_of("name"))?;
            Some(Some(Hint::instance(name)))
        }
        "operation_definition" => Some(None),
        _ => None,
    });
    if let (Some(Some(hint)), Some(name)) = (hint, node.named_of("name")) {
        walk.receiver(name.start_position(), hint);
    }
    member(walk, node, frame)
}

/// The source without what the grammar takes for the end of a string, and is none: escapes, and quotes in
/// texts of three. `None` when there is nothing of the kind.
fn without_escapes(src: &[u8]) -> Option<Blanked> {
    let mut out = Cow::Borrowed(src);
    let mut at = 0;
    while at < src.len() {
        let rest = &src[at..];
        at += match rest[0] {
            b'#' => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            b'"' if rest.starts_with(b"\"\"\"") => block_text(&mut out, at),
            b'"' => line_text(&mut out, at),
            _ => 1,
        };
    }
    match out {
        Cow::Owned(bytes) => Some(Blanked {
            bytes,
            words: Vec::new(),
        }),
        Cow::Borrowed(_) => None,
    }
}

/// Length of a text in three quotes, which `\"""` does not end.
fn block_text(out: &mut Cow<'_, [u8]>, start: usize) -> usize {
    let mut at = start + 3;
    while let Some(byte) = out.get(at).copied() {
        if out[at..].starts_with(b"\"\"\"") {
            return at + 3 - start;
        }
        let escaped = out[at..].starts_with(b"\\\"\"\"");
        let len = if escaped { 4 } else { 1 };
        if escaped || byte == b'"' {
            out.to_mut()[at..at + len].fill(b' ');
        }
        at += len;
    }
    at - start
}

/// Length of a text in quotes, which ends on its line.
fn line_text(out: &mut Cow<'_, [u8]>, start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = out.get(at).copied() {
        match byte {
            b'"' => return at + 1 - start,
            b'\n' => break,
            b'\\' if out.get(at + 1).is_some_and(|next| *next != b'\n') => {
                out.to_mut()[at..at + 2].fill(b' ');
                at += 2;
            }
            _ => at += 1,
        }
    }
    at - start
}
