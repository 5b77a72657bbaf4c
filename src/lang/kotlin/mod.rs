//! Kotlin. Its grammar names few of its fields, so most of what a declaration consists of is found
//! by kind.

pub(crate) mod facts;
mod flows;

use crate::record::{ImportKind, OccurrenceKind, SymbolFlags, SymbolKind};
use crate::syntax::interpolated;
use crate::syntax::rows::{DefRow, LangSpec, Rule, Visit};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk};
use OccurrenceKind::{Call, Import, Inherit, Read, Type, Write};
use Rule::{Chain, First, Infix, Is, Pass};
use tree_sitter::Node;

const fn def(node: &'static str, kind: SymbolKind, name: &'static str) -> DefRow {
    DefRow {
        node,
        kind,
        name,
        body: "",
    }
}

/// Kotlin.
pub(crate) static KOTLIN: LangSpec = LangSpec {
    defs: &[
        def("class_declaration", SymbolKind::Class, "name"),
        def("object_declaration", SymbolKind::Class, "name"),
        def("companion_object", SymbolKind::Class, "name"),
        def("function_declaration", SymbolKind::Function, "name"),
        def("type_alias", SymbolKind::Type, "type"),
    ],
    refine,
    hooks: &[
        ("enum_entry", enum_entry),
        ("class_parameter", class_parameter),
        ("property_declaration", property),
        ("secondary_constructor", constructor),
        ("class_body", class_body),
        ("getter", function_scope),
        ("setter", setter),
        ("function_body", function_scope),
        ("block", function_scope),
        ("lambda_literal", lambda),
        ("infix_expression", misread_class),
        ("user_type", user_type),
        ("parameter", flows::parameter),
        ("lambda_parameters", flows::lambda_parameters),
        ("for_statement", flows::for_statement),
        ("catch_block", flows::caught),
        ("when_subject", flows::when_subject),
        ("type_parameter", flows::type_parameter),
        ("value_argument", argument),
        ("unary_expression", step),
        ("binary_expression", binary),
        ("call_expression", call),
        ("package_header", package_header),
        ("import", import),
        ("string_literal", interpolated::string),
    ],
    roles: &[
        ("call_expression", "", Is(Call)),
        ("navigation_expression", "", Chain),
        ("callable_reference", "", Chain),
        ("user_type", "", Chain),
        ("qualified_identifier", "", Chain),
        ("infix_expression", "", Infix),
        ("parenthesized_expression", "", Pass),
        ("unary_expression", "argument", Pass),
        ("binary_expression", "left", Pass),
        ("assignment", "left", Is(Write)),
        ("annotation", "", Is(Call)),
        ("file_annotation", "", Is(Call)),
        ("constructor_invocation", "", Pass),
        ("delegation_specifiers", "", Is(Inherit)),
        ("delegation_specifier", "", Pass),
        ("explicit_delegation", "", First),
        ("type_arguments", "", Is(Type)),
        ("type_parameter", "", Is(Write)),
        ("type_constraint", "", Is(Type)),
        ("variable_declaration", "", Is(Write)),
        ("parameter", "", Is(Write)),
        ("class_parameter", "", First),
        ("setter", "", First),
        ("catch_block", "", Is(Write)),
        ("value_argument", "", First),
        ("import", "", Is(Import)),
    ],
    identifiers: &[("identifier", Read)],
    this_kinds: &["this_expression", "super_expression"],
    this_names: &[],
    comments: &["line_comment", "block_comment"],
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
    let words = modifiers(walk, node, frame, draft);
    let body = child(
        node,
        &["class_body", "enum_class_body", "function_body", "block"],
    );
    draft.body = body.map(|body| body.start_byte());
    match node.kind() {
        "class_declaration" => {
            if child(node, &["interface"]).is_some() {
                draft.kind = SymbolKind::Interface;
            } else if words.contains(&&b"enum"[..]) {
                draft.kind = SymbolKind::Enum;
            }
        }
        "function_declaration" => {
            if frame.scope == Scope::Class {
                draft.kind = SymbolKind::Method;
            }
            if body.is_none() {
                draft.set(SymbolFlags::DECLARATION);
            }
            extension(walk, node, draft);
            draft.value(flows::returned(walk, node));
        }
        "type_alias" => draft.value(flows::type_clue(walk, node)),
        _ => {}
    }
    unquote(walk, draft);
    !draft.name.is_empty()
}

/// Names in backquotes lose them.
fn unquote(walk: &mut Walk<'_>, draft: &mut Draft<'_>) {
    let text = walk.src.get(draft.name.clone()).unwrap_or(b"");
    if text.len() > 2 && text.starts_with(b"`") {
        walk.def_names.insert(draft.name.start);
        draft.name = draft.name.start + 1..draft.name.end - 1;
        draft.name_at.column += 1;
    }
}

/// `fun Type.name()`. Where the type has arguments the grammar takes the name for a part of it.
fn extension<'t>(walk: &Walk<'t>, function: Node<'t>, draft: &mut Draft<'t>) {
    let Some(name) = function.child_by_field_name("name") else {
        return;
    };
    let mut before = name.prev_named_sibling();
    while let Some(wrapped) =
        before.filter(|node| matches!(node.kind(), "nullable_type" | "parenthesized_type"))
    {
        before = wrapped.named_child(0);
    }
    let Some(receiver) = before.filter(|node| node.kind() == "user_type") else {
        return;
    };
    let mut cursor = receiver.walk();
    let mut parts: Vec<_> = receiver
        .named_children(&mut cursor)
        .filter(|part| part.kind() == "identifier")
        .collect();
    if name.byte_range().is_empty()
        && let Some(last) = parts.pop()
    {
        draft.name = last.byte_range();
        draft.name_at = last.start_position();
    }
    if let Some(owner) = parts.last() {
        draft.receiver = Some(walk.text(*owner));
        draft.kind = SymbolKind::Method;
    }
}

/// Annotations and words in front of a declaration; returns the words. Whatever is not private can
/// be seen from another file.
fn modifiers<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> Vec<&'t [u8]> {
    let mut words = Vec::new();
    if let Some(list) = node.child(0).filter(|first| first.kind() == "modifiers") {
        let mut begin = None;
        let mut cursor = list.walk();
        for modifier in list.named_children(&mut cursor) {
            if modifier.kind() != "annotation" {
                begin = begin.or(Some(modifier));
                words.push(walk.text(modifier));
                continue;
            }
            draft.decorated(list);
            let name = annotation_name(walk, modifier);
            if name.ends_with(b"Test") {
                draft.set(SymbolFlags::TEST);
            }
            if name == b"Deprecated" {
                draft.set(SymbolFlags::DEPRECATED);
            }
            begin = None;
        }
        if let Some(begin) = begin.or_else(|| list.next_sibling()) {
            draft.begin(begin);
        }
    }
    let private = words.contains(&&b"private"[..]);
    let visible = match frame.scope {
        Scope::Module => true,
        Scope::Class => frame.exported,
        Scope::Function => false,
    };
    if visible && !private {
        draft.set(SymbolFlags::EXPORTED);
    }
    words
}

/// The last part of an annotation's name.
fn annotation_name<'t>(walk: &Walk<'t>, annotation: Node<'t>) -> &'t [u8] {
    let mut node = child(annotation, &["user_type", "constructor_invocation"]);
    if let Some(invocation) = node.filter(|node| node.kind() == "constructor_invocation") {
        node = child(invocation, &["user_type"]);
    }
    let text = node.map_or(&b""[..], |node| walk.text(node));
    text.rsplit(|b| *b == b'.').next().unwrap_or(text)
}

fn enum_entry<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(name) = child(node, &["identifier"]) {
        let mut draft = Draft::new(SymbolKind::Variant, name, node);
        modifiers(walk, node, frame, &mut draft);
        draft.body = child(node, &["class_body"]).map(|body| body.start_byte());
        walk.define(draft, frame);
    }
    Visit::Descend
}

/// A parameter of a primary constructor is a property when it says `val` or `var`.
fn class_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.role = Write;
    if child(node, &["val", "var"]).is_some()
        && let Some(name) = child(node, &["identifier"])
    {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        modifiers(walk, node, frame, &mut draft);
        draft.value(flows::type_clue(walk, node));
        unquote(walk, &mut draft);
        walk.record(&draft, frame);
    } else {
        flows::plain_class_parameter(walk, node);
    }
    Visit::Descend
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if frame.scope == Scope::Function {
        flows::local_property(walk, node);
        return Visit::Descend;
    }
    let Some(declared) = child(
        node,
        &["variable_declaration", "multi_variable_declaration"],
    ) else {
        return Visit::Descend;
    };
    let names: Vec<_> = if declared.kind() == "variable_declaration" {
        vec![declared]
    } else {
        let mut cursor = declared.walk();
        declared.named_children(&mut cursor).collect()
    };
    for name in names
        .into_iter()
        .filter_map(|declared| child(declared, &["identifier"]))
    {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        let words = modifiers(walk, node, frame, &mut draft);
        let getter = child(node, &["getter"]);
        let fixed = child(node, &["val"]).is_some() && getter.is_none();
        if words.contains(&&b"const"[..]) || (fixed && frame.scope == Scope::Module) {
            draft.kind = SymbolKind::Constant;
        } else if frame.scope == Scope::Module {
            draft.kind = SymbolKind::Variable;
        }
        if declared.kind() == "variable_declaration" {
            draft.value(getter.and_then(|getter| flows::type_clue(walk, getter)));
            draft.value(flows::property_clue(walk, node));
        }
        let body = getter.or_else(|| child(node, &["setter"]));
        draft.body = body.map(|body| body.start_byte());
        draft.receiver = child(node, &["user_type"]).and_then(|owner| {
            let mut cursor = owner.walk();
            let parts = owner.named_children(&mut cursor);
            let last = parts.filter(|part| part.kind() == "identifier").last()?;
            Some(walk.text(last))
        });
        unquote(walk, &mut draft);
        walk.record(&draft, frame);
    }
    Visit::Descend
}

fn constructor<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(keyword) = child(node, &["constructor"]) {
        let mut draft = Draft::new(SymbolKind::Constructor, keyword, node);
        modifiers(walk, node, frame, &mut draft);
        draft.body = child(node, &["block"]).map(|body| body.start_byte());
        walk.define(draft, frame);
        walk.def_names.remove(&keyword.start_byte());
    }
    Visit::Descend
}

/// Members of an object expression are members too.
fn class_body<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = Scope::Class;
    Visit::Descend
}

fn function_scope<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = Scope::Function;
    Visit::Descend
}

fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = match walk.take_claim(node.start_byte()) {
        true => Scope::Class,
        false => Scope::Function,
    };
    Visit::Descend
}

/// After annotations with arguments the grammar takes `annotation class A` and `actual class A {}`
/// for an infix call, whose right side is the name, or a call of it with the body as lambda.
fn misread_class<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let (Some(first), Some(word), Some(mut right)) = (
        node.named_child(0),
        node.named_child(1),
        node.named_child(2),
    ) else {
        return Visit::Descend;
    };
    let kind = match walk.text(word) {
        b"class" | b"object" => SymbolKind::Class,
        b"interface" => SymbolKind::Interface,
        _ => return Visit::Descend,
    };
    let mut body = None;
    while right.kind() == "call_expression" {
        let lambda = child(right, &["annotated_lambda"]);
        body = body.or(lambda.and_then(|lambda| child(lambda, &["lambda_literal"])));
        let Some(inner) = right.named_child(0) else {
            break;
        };
        right = inner;
    }
    if first.kind() != "identifier" || right.kind() != "identifier" {
        return Visit::Descend;
    }
    let mut draft = Draft::new(kind, right, node);
    if let Some(body) = body {
        draft.body = Some(body.start_byte());
        walk.claim(body.start_byte());
    }
    if let Some(above) = walk
        .ancestor(0)
        .filter(|above| above.node.kind() == "annotated_expression")
    {
        draft.decorated(above.node);
    }
    if frame.scope != Scope::Function {
        draft.set(SymbolFlags::EXPORTED);
    }
    walk.def_names
        .extend([first.start_byte(), word.start_byte()]);
    walk.define(draft, frame);
    Visit::Descend
}

fn setter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    flows::setter_parameter(walk, node);
    frame.scope = Scope::Function;
    frame.role = Write;
    Visit::Descend
}

/// Types are told by their nodes: only what a type is used for comes from around it.
fn user_type<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if !matches!(frame.role, Inherit | Call) {
        frame.role = Type;
    }
    Visit::Descend
}

/// `f(name = value)`.
fn argument<'t>(_: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let named = node.child(1).is_some_and(|second| second.kind() == "=");
    frame.role = if named { Write } else { Read };
    Visit::Descend
}

/// `x++` writes; `x!!` and `-x` are what they stand before or after.
fn step<'t>(_: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let operator = node.child_by_field_name("operator");
    match operator.map_or("", |operator| operator.kind()) {
        "++" | "--" => frame.role = Write,
        "!!" => {}
        _ => frame.role = Read,
    }
    Visit::Descend
}

/// The grammar takes `A<B>(c)` for comparisons where a line ends after it.
fn binary<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let above = walk.ancestor(0).map(|above| above.node);
    let called = is_generic_call(node)
        || above.is_some_and(|above| {
            is_generic_call(above) && above.child_by_field_name("left") == Some(node)
        });
    frame.role = if called { Call } else { Read };
    Visit::Descend
}

fn is_generic_call(node: Node<'_>) -> bool {
    let is = |node: Node<'_>, sign: &str| {
        node.child_by_field_name("operator")
            .is_some_and(|operator| operator.kind() == sign)
    };
    let (Some(left), Some(right)) = (
        node.child_by_field_name("left"),
        node.child_by_field_name("right"),
    ) else {
        return false;
    };
    node.kind() == "binary_expression"
        && is(node, ">")
        && is(left, "<")
        && right.kind() == "parenthesized_expression"
        && left.end_byte() + 1 == right.start_byte()
}

/// Calls that declare tests in the styles of Kotest and Spek.
const TEST_CALLS: &[&[u8]] = &[
    b"test",
    b"it",
    b"describe",
    b"context",
    b"should",
    b"feature",
    b"scenario",
    b"given",
    b"then",
    b"expect",
    b"group",
];

/// `test("title") { ... }`.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(inner) = node
        .child(0)
        .filter(|inner| inner.kind() == "call_expression")
    else {
        return Visit::Descend;
    };
    let Some(lambda) = child(node, &["annotated_lambda"]) else {
        return Visit::Descend;
    };
    let name = inner.child(0).map_or(&b""[..], |name| walk.text(name));
    let has = |path: &[u8], word: &[u8]| path.windows(word.len()).any(|window| window == word);
    let framework = walk
        .imports
        .iter()
        .any(|import| has(&import.specifier, b"kotest") || has(&import.specifier, b"spek"));
    if !framework || !TEST_CALLS.contains(&name) {
        return Visit::Descend;
    }
    let title = child(inner, &["value_arguments"])
        .and_then(|arguments| arguments.named_child(0))
        .and_then(|argument| argument.named_child(0))
        .filter(|title| title.kind() == "string_literal" && title.byte_range().len() > 2);
    if let Some(title) = title {
        let mut draft = Draft::new(SymbolKind::Test, title, node);
        draft.name = draft.name.start + 1..draft.name.end - 1;
        draft.name_at.column += 1;
        draft.body = Some(lambda.start_byte());
        draft.set(SymbolFlags::TEST);
        walk.define(draft, frame);
    }
    Visit::Descend
}

fn package_header<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = child(node, &["qualified_identifier"]) {
        let row = node.start_position().row;
        walk.import(ImportKind::Package, row, walk.text(name), Vec::new());
    }
    Visit::Skip
}

/// `import a.b.C` binds `C` to the whole of `a.b.C`, which may be a type, function or property.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let Some(path) = child(node, &["qualified_identifier"]) else {
        return Visit::Descend;
    };
    let text = walk.text(path);
    let last = text.rsplit(|b| *b == b'.').next().unwrap_or(text);
    let alias = child(node, &["identifier"]).map(|alias| walk.text(alias));
    let local = match child(node, &["*"]) {
        Some(_) => None,
        None => Some(alias.unwrap_or(last)),
    };
    let binding = walk.binding(None, local);
    let row = node.start_position().row;
    walk.import(ImportKind::Import, row, text, vec![binding]);
    Visit::Descend
}
