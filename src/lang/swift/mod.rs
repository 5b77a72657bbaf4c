//! Swift.

pub(crate) mod facts;
mod flows;
mod resolve;

use crate::record::{ImportKind, OccurrenceKind, SymbolFlags, SymbolKind};
use crate::syntax::flows::Clue;
use crate::syntax::interpolated;
use crate::syntax::rows::{DefRow, LangSpec, Rule, Visit};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk};
use OccurrenceKind::{Call, Import, Inherit, Read, Type, Write};
use Rule::{Chain, First, Is, Member, Object, Pass};
use tree_sitter::Node;

const fn def(node: &'static str, kind: SymbolKind) -> DefRow {
    DefRow {
        node,
        kind,
        name: "name",
        body: "body",
    }
}

/// Swift 6.
pub(crate) static SWIFT: LangSpec = LangSpec {
    defs: &[
        def("class_declaration", SymbolKind::Class),
        def("protocol_declaration", SymbolKind::Trait),
        def("function_declaration", SymbolKind::Function),
        def("protocol_function_declaration", SymbolKind::Function),
        def("init_declaration", SymbolKind::Constructor),
        def("typealias_declaration", SymbolKind::Type),
        def("associatedtype_declaration", SymbolKind::Type),
    ],
    refine,
    hooks: &[
        ("subscript_declaration", keyword_member),
        ("deinit_declaration", keyword_member),
        ("enum_entry", enum_entry),
        ("property_declaration", property),
        ("protocol_property_declaration", property),
        ("function_body", function_scope),
        ("computed_property", function_scope),
        ("willset_didset_block", function_scope),
        ("lambda_literal", function_scope),
        ("parameter", flows::parameter),
        ("lambda_parameter", flows::parameter),
        ("for_statement", flows::for_statement),
        ("if_statement", flows::condition),
        ("guard_statement", flows::condition),
        ("while_statement", flows::condition),
        ("type_parameter", flows::type_parameter),
        ("pattern", pattern),
        ("prefix_expression", prefix),
        ("call_expression", call),
        ("user_type", user_type),
        ("attribute", attribute),
        ("directive", directive),
        ("import_declaration", import),
        ("line_string_literal", interpolated::string),
    ],
    roles: &[
        ("call_expression", "", Pass),
        ("call_suffix", "name", Is(Write)),
        ("constructor_expression", "constructed_type", Is(Call)),
        ("constructor_suffix", "name", Is(Write)),
        ("navigation_expression", "target", Object),
        ("navigation_expression", "suffix", Member),
        ("navigation_suffix", "suffix", Member),
        ("prefix_expression", "target", Member),
        ("postfix_expression", "target", Pass),
        ("user_type", "", Chain),
        ("identifier", "", Chain),
        ("assignment", "target", Is(Write)),
        ("directly_assignable_expression", "", Pass),
        ("inheritance_specifier", "inherits_from", Is(Inherit)),
        ("inheritance_constraint", "constrained_type", Is(Type)),
        ("equality_constraint", "constrained_type", Is(Type)),
        ("type_parameter", "", First),
        ("parameter", "external_name", Is(Write)),
        ("parameter", "name", Is(Write)),
        ("lambda_parameter", "external_name", Is(Write)),
        ("lambda_parameter", "name", Is(Write)),
        ("capture_list_item", "name", Is(Write)),
        ("computed_setter", "", Is(Write)),
        ("willset_clause", "", Is(Write)),
        ("didset_clause", "", Is(Write)),
        ("enum_type_parameters", "", Is(Write)),
        ("tuple_expression", "name", Is(Write)),
        ("pattern", "bound_identifier", Is(Write)),
        ("pattern", "", Member),
        ("if_statement", "bound_identifier", Is(Write)),
        ("guard_statement", "bound_identifier", Is(Write)),
        ("while_statement", "bound_identifier", Is(Write)),
        ("value_argument_label", "", Is(Write)),
        ("attribute", "", First),
        ("import_declaration", "", Is(Import)),
    ],
    identifiers: &[("simple_identifier", Read), ("type_identifier", Type)],
    this_kinds: &["self_expression", "super_expression"],
    this_names: &[b"self", b"Self"],
    comments: &["comment", "multiline_comment"],
    strings: &[],
    clue: flows::clue,
    finish: |_| {},
};

/// First child of one of these kinds.
fn child<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .find(|child| kinds.contains(&child.kind()))
}

fn refine<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> bool {
    modifiers(walk, node, frame, draft);
    match node.kind() {
        "class_declaration" => {
            let word = node.child_by_field_name("declaration_kind");
            draft.kind = match word.map_or("", |word| word.kind()) {
                "struct" => SymbolKind::Struct,
                "enum" => SymbolKind::Enum,
                "extension" => SymbolKind::Impl,
                _ => SymbolKind::Class,
            };
            if let Some(name) = node
                .child_by_field_name("name")
                .filter(|name| name.kind() == "user_type")
            {
                extended(draft, name);
            }
            if is_test_case(walk, node) {
                draft.set(SymbolFlags::TEST);
            }
        }
        "function_declaration" | "protocol_function_declaration" => {
            if frame.scope == Scope::Class {
                draft.kind = SymbolKind::Method;
            }
            let name = walk.src.get(draft.name.clone()).unwrap_or(b"");
            let in_case = walk.ancestor(1).is_some_and(|owner| {
                owner.node.kind() == "class_declaration" && is_test_case(walk, owner.node)
            });
            if in_case && name.starts_with(b"test") {
                draft.set(SymbolFlags::TEST);
            }
            if draft.body.is_none() {
                draft.set(SymbolFlags::DECLARATION);
            }
            draft.value(flows::returned(walk, node));
        }
        "init_declaration" if draft.body.is_none() => draft.set(SymbolFlags::DECLARATION),
        _ => {}
    }
    let name = walk.src.get(draft.name.clone()).unwrap_or(b"");
    if name.len() > 2 && name.starts_with(b"`") {
        walk.def_names.insert(draft.name.start);
        draft.name = draft.name.start + 1..draft.name.end - 1;
        draft.name_at.column += 1;
    }
    true
}

/// An extension is named by the last part of the type it extends.
fn extended<'t>(draft: &mut Draft<'t>, name: Node<'t>) {
    let mut cursor = name.walk();
    let parts = name.named_children(&mut cursor);
    if let Some(last) = parts.filter(|part| part.kind() == "type_identifier").last() {
        draft.name = last.byte_range();
        draft.name_at = last.start_position();
    }
}

fn is_test_case(walk: &Walk<'_>, class: Node<'_>) -> bool {
    let mut cursor = class.walk();
    class
        .named_children(&mut cursor)
        .filter(|child| child.kind() == "inheritance_specifier")
        .any(|base| {
            let base = walk.text(base);
            base.ends_with(b"TestCase") || base == b"QuickSpec"
        })
}

/// What the words in front of a declaration say.
#[derive(Default)]
struct Modifiers {
    fixed: bool,
}

/// Attributes and visibility. Whatever is not private to its file can be seen from another.
fn modifiers<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> Modifiers {
    let mut found = Modifiers::default();
    let mut private = false;
    if let Some(list) = child(node, &["modifiers"]) {
        let mut begin = None;
        let mut cursor = list.walk();
        for modifier in list.named_children(&mut cursor) {
            if modifier.kind() == "attribute" {
                draft.decorated(list);
                let text = walk.text(modifier);
                if text.starts_with(b"@Test") || text.starts_with(b"@Suite") {
                    draft.set(SymbolFlags::TEST);
                }
                let deprecated = text.windows(10).any(|window| window == b"deprecated");
                if text.starts_with(b"@available") && deprecated {
                    draft.set(SymbolFlags::DEPRECATED);
                }
                begin = None;
                continue;
            }
            begin = begin.or(Some(modifier));
            match walk.text(modifier) {
                b"private" | b"fileprivate" => private = true,
                b"static" => found.fixed = true,
                _ => {}
            }
        }
        if let Some(begin) = begin.or_else(|| list.next_sibling()) {
            draft.begin(begin);
        }
    }
    let visible = match frame.scope {
        Scope::Module => true,
        Scope::Class => frame.exported,
        Scope::Function => false,
    };
    if visible && !private {
        draft.set(SymbolFlags::EXPORTED);
    }
    found
}

/// `subscript` and `deinit` are named by their keywords.
fn keyword_member<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(keyword) = child(node, &["subscript", "deinit"]) {
        let mut draft = Draft::new(SymbolKind::Method, keyword, node);
        modifiers(walk, node, frame, &mut draft);
        let body = child(node, &["computed_property", "function_body"]);
        draft.body = body.map(|body| body.start_byte());
        walk.define(draft, frame);
        walk.def_names.remove(&keyword.start_byte());
    }
    Visit::Descend
}

/// `case a, b(Int)`.
fn enum_entry<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let mut cursor = node.walk();
    let names: Vec<_> = node
        .children_by_field_name("name", &mut cursor)
        .filter(|name| name.kind() == "simple_identifier")
        .collect();
    for name in names {
        let mut draft = Draft::new(SymbolKind::Variant, name, node);
        modifiers(walk, node, frame, &mut draft);
        walk.record(&draft, frame);
    }
    Visit::Descend
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if frame.scope == Scope::Function {
        flows::local_property(walk, node);
        return Visit::Descend;
    }
    let mut cursor = node.walk();
    let patterns: Vec<_> = node
        .children_by_field_name("name", &mut cursor)
        .filter(|name| name.kind() == "pattern")
        .collect();
    let mut names = Vec::new();
    let mut known: Vec<Option<Clue>> = Vec::new();
    let clues = match node.kind() {
        "property_declaration" => flows::property_clues(walk, node),
        _ => {
            let annotation = child(node, &["type_annotation"]);
            vec![annotation.and_then(|annotation| flows::type_clue(walk, annotation))]
        }
    };
    for (at, pattern) in patterns.into_iter().enumerate() {
        let before = names.len();
        bound_names(pattern, &mut names);
        known.resize(names.len(), None);
        if names.len() == before + 1 {
            known[before] = clues.get(at).copied().flatten();
        }
    }
    let computed = child(node, &["computed_property", "willset_didset_block"]);
    let fixed = child(node, &["value_binding_pattern"])
        .and_then(|binding| binding.child(0))
        .is_some_and(|word| word.kind() == "let");
    for (name, clue) in names.into_iter().zip(known) {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        draft.value(clue);
        let found = modifiers(walk, node, frame, &mut draft);
        draft.kind = match frame.scope {
            Scope::Module if fixed => SymbolKind::Constant,
            Scope::Module => SymbolKind::Variable,
            _ if fixed && found.fixed => SymbolKind::Constant,
            _ => SymbolKind::Field,
        };
        draft.body = computed.map(|body| body.start_byte());
        walk.record(&draft, frame);
    }
    Visit::Descend
}

/// The names that a pattern binds, in order.
fn bound_names<'t>(pattern: Node<'t>, names: &mut Vec<Node<'t>>) {
    let mut pending = vec![pattern];
    while let Some(pattern) = pending.pop() {
        let mut cursor = pattern.walk();
        let children: Vec<_> = pattern.children(&mut cursor).collect();
        if children.first().is_some_and(|first| first.kind() == ".") {
            continue;
        }
        for child in children.into_iter().rev() {
            match child.kind() {
                "simple_identifier" => names.push(child),
                "pattern" => pending.push(child),
                _ => {}
            }
        }
    }
}

fn function_scope<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = Scope::Function;
    Visit::Descend
}

/// Names in a pattern are bound by `let` and `var` around them; `.name` is a case of an enum.
fn pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let binds = |node: Node<'t>| child(node, &["value_binding_pattern"]).is_some();
    let mut binding = binds(node);
    for above in walk.stack.iter().rev() {
        match above.node.kind() {
            "pattern" => binding |= binds(above.node),
            "for_statement" | "property_declaration" | "catch_block" => {
                binding = true;
                break;
            }
            _ => break,
        }
    }
    frame.role = if binding { Write } else { Read };
    frame.object = (0, 0);
    if let Some(dot) = child(node, &["."]) {
        frame.role = Read;
        frame.object = (dot.start_byte(), dot.end_byte());
    }
    Visit::Descend
}

/// `.name` is a member of whatever is expected there.
fn prefix<'t>(_: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    match node.child_by_field_name("operation") {
        Some(dot) if dot.kind() == "." => frame.object = (dot.start_byte(), dot.end_byte()),
        Some(step) if matches!(step.kind(), "++" | "--" | "&") => frame.role = Write,
        _ => frame.role = Read,
    }
    Visit::Descend
}

/// Types are told by their nodes: only what a type is used for comes from around it.
fn user_type<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if !matches!(frame.role, Inherit | Call) {
        frame.role = Type;
    }
    Visit::Descend
}

/// The arguments of `@available` are words of their own.
fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.role = Call;
    if walk.text(node).starts_with(b"@available") {
        return Visit::Skip;
    }
    Visit::Descend
}

fn directive<'t>(_: &mut Walk<'t>, _: Node<'t>, _: &mut Frame<'t>) -> Visit {
    Visit::Skip
}

/// `a[i]` has the form of a call. Quick declares tests by call.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let suffix = child(node, &["call_suffix"]);
    let arguments = suffix.and_then(|suffix| child(suffix, &["value_arguments"]));
    let index = arguments
        .and_then(|arguments| arguments.child(0))
        .is_some_and(|first| first.kind() == "[");
    frame.role = if index { Read } else { Call };
    let Some(name) = node
        .child(0)
        .filter(|name| name.kind() == "simple_identifier")
    else {
        return Visit::Descend;
    };
    if !matches!(walk.text(name), b"describe" | b"context" | b"it")
        || !walk
            .imports
            .iter()
            .any(|import| import.specifier == b"Quick")
    {
        return Visit::Descend;
    }
    let lambda = suffix.and_then(|suffix| child(suffix, &["lambda_literal"]));
    let title = arguments
        .and_then(|arguments| arguments.named_child(0))
        .and_then(|argument| argument.named_child(0))
        .filter(|title| title.kind() == "line_string_literal" && title.byte_range().len() > 2);
    if let Some((lambda, title)) = lambda.zip(title) {
        let mut draft = Draft::new(SymbolKind::Test, title, node);
        draft.name = draft.name.start + 1..draft.name.end - 1;
        draft.name_at.column += 1;
        draft.body = Some(lambda.start_byte());
        draft.set(SymbolFlags::TEST);
        walk.define(draft, frame);
    }
    Visit::Descend
}

/// `import A` takes every name; `import struct A.B` takes `B` from `A`.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let Some(path) = child(node, &["identifier"]) else {
        return Visit::Descend;
    };
    const KINDS: &[&str] = &[
        "class",
        "struct",
        "enum",
        "protocol",
        "func",
        "var",
        "let",
        "typealias",
    ];
    let text = walk.text(path);
    let split = text
        .iter()
        .rposition(|b| *b == b'.')
        .filter(|_| child(node, KINDS).is_some());
    let (module, binding) = match split {
        Some(at) => {
            let last = Some(&text[at + 1..]);
            (&text[..at], walk.binding(last, last))
        }
        None => (text, walk.binding(None, None)),
    };
    let exported =
        child(node, &["modifiers"]).is_some_and(|list| walk.text(list).starts_with(b"@_exported"));
    let kind = if exported {
        ImportKind::Reexport
    } else {
        ImportKind::Import
    };
    walk.import(kind, node.start_position().row, module, vec![binding]);
    Visit::Descend
}
