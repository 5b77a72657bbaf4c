//! JavaScript, TypeScript and JSX: one specification, since the grammars share their names.

mod members;
mod modules;

use super::{DefRow, LangSpec, Rule, Visit};
use crate::extract::flows::no_clue;
use crate::extract::record::{ImportKind, OccurrenceKind, SymbolFlags, SymbolKind};
use crate::extract::symbols::Draft;
use crate::extract::walk::{Frame, Scope, Walk};
use crate::id::LocalName;
use OccurrenceKind::{Call, Import, Inherit, Read, Type, Write};
use Rule::{Arg, Capital, Is, Member, Object, Pass};
use members::{assignment, class_field, enum_body, member, pair, parameter};
use modules::{export_statement, import_statement, require_into, required};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

const fn def(node: &'static str, kind: SymbolKind) -> DefRow {
    DefRow {
        node,
        kind,
        name: "name",
        body: "body",
    }
}

/// JavaScript.
pub(crate) static JAVASCRIPT: LangSpec = LangSpec {
    defs: &[
        def("function_declaration", SymbolKind::Function),
        def("generator_function_declaration", SymbolKind::Function),
        def("function_signature", SymbolKind::Function),
        def("class_declaration", SymbolKind::Class),
        def("abstract_class_declaration", SymbolKind::Class),
        def("interface_declaration", SymbolKind::Interface),
        def("type_alias_declaration", SymbolKind::Type),
        def("enum_declaration", SymbolKind::Enum),
        def("internal_module", SymbolKind::Module),
        def("module", SymbolKind::Module),
        def("method_definition", SymbolKind::Method),
        def("method_signature", SymbolKind::Method),
        def("abstract_method_signature", SymbolKind::Method),
        def("property_signature", SymbolKind::Field),
        def("enum_assignment", SymbolKind::Variant),
    ],
    refine,
    hooks: &[
        ("import_statement", import_statement),
        ("export_statement", export_statement),
        ("call_expression", call),
        ("assignment_expression", assignment),
        ("variable_declarator", declarator),
        ("pair", pair),
        ("public_field_definition", class_field),
        ("field_definition", class_field),
        ("enum_body", enum_body),
        ("function_expression", function_expression),
        ("generator_function", function_expression),
        ("arrow_function", function_expression),
        ("class", class_expression),
        ("required_parameter", parameter),
        ("class_static_block", class_static_block),
        ("jsx_closing_element", jsx_closing_element),
    ],
    roles: &[
        ("call_expression", "function", Is(Call)),
        ("new_expression", "constructor", Is(Call)),
        ("type_arguments", "", Is(Type)),
        ("decorator", "", Is(Call)),
        ("member_expression", "object", Object),
        ("member_expression", "property", Member),
        ("subscript_expression", "object", Is(Read)),
        ("non_null_expression", "", Pass),
        ("parenthesized_expression", "", Pass),
        ("sequence_expression", "", Pass),
        ("instantiation_expression", "", Pass),
        ("instantiation_expression", "type_arguments", Is(Type)),
        ("assignment_expression", "left", Is(Write)),
        ("augmented_assignment_expression", "left", Is(Write)),
        ("update_expression", "argument", Is(Write)),
        ("for_in_statement", "left", Is(Write)),
        ("variable_declarator", "name", Is(Write)),
        ("variable_declarator", "type", Is(Type)),
        ("catch_clause", "parameter", Is(Write)),
        ("formal_parameters", "", Is(Write)),
        ("arrow_function", "parameter", Is(Write)),
        ("required_parameter", "pattern", Is(Write)),
        ("required_parameter", "name", Is(Write)),
        ("optional_parameter", "pattern", Is(Write)),
        ("optional_parameter", "name", Is(Write)),
        ("assignment_pattern", "left", Pass),
        ("object_assignment_pattern", "left", Pass),
        ("object_pattern", "", Pass),
        ("array_pattern", "", Pass),
        ("rest_pattern", "", Pass),
        ("pair_pattern", "value", Pass),
        ("pair", "key", Is(Write)),
        ("field_definition", "property", Is(Write)),
        ("public_field_definition", "name", Is(Write)),
        ("function_expression", "name", Is(Write)),
        ("generator_function", "name", Is(Write)),
        ("class", "name", Is(Write)),
        ("method_definition", "name", Is(Write)),
        ("class_heritage", "", Is(Inherit)),
        ("extends_clause", "", Is(Inherit)),
        ("extends_clause", "type_arguments", Is(Type)),
        ("implements_clause", "", Is(Inherit)),
        ("extends_type_clause", "", Is(Inherit)),
        ("import_statement", "", Is(Import)),
        ("import_clause", "", Pass),
        ("named_imports", "", Pass),
        ("import_specifier", "", Pass),
        ("namespace_import", "", Pass),
        ("import_require_clause", "", Pass),
        ("import_alias", "", Is(Import)),
        ("export_clause", "", Is(Import)),
        ("export_specifier", "", Pass),
        ("namespace_export", "", Is(Import)),
        ("export_statement", "source", Is(Import)),
        ("jsx_opening_element", "name", Capital(Call)),
        ("jsx_self_closing_element", "name", Capital(Call)),
        ("jsx_attribute", "", Is(Write)),
        ("jsx_expression", "", Is(Read)),
        ("type_annotation", "", Is(Type)),
        ("asserts_annotation", "", Is(Type)),
        ("type_predicate_annotation", "", Is(Type)),
        ("constraint", "", Is(Type)),
        ("default_type", "", Is(Type)),
        ("type_parameter", "name", Is(Write)),
        ("as_expression", "", Pass),
        ("satisfies_expression", "", Pass),
        ("generic_type", "name", Pass),
        ("generic_type", "type_arguments", Is(Type)),
        ("nested_type_identifier", "module", Object),
        ("nested_type_identifier", "name", Member),
        ("nested_identifier", "object", Object),
        ("nested_identifier", "property", Member),
        ("union_type", "", Arg),
        ("intersection_type", "", Arg),
        ("array_type", "", Arg),
    ],
    identifiers: &[
        ("identifier", Read),
        ("property_identifier", Read),
        ("private_property_identifier", Read),
        ("shorthand_property_identifier", Read),
        ("shorthand_property_identifier_pattern", Write),
        ("type_identifier", Type),
    ],
    this_kinds: &["this", "super", "this_type"],
    this_names: &[],
    comments: &["comment", "html_comment", "hash_bang_line"],
    strings: &["string"],
    clue: no_clue,
    finish,
};

/// TypeScript, with or without JSX.
pub(crate) static TYPESCRIPT: LangSpec = LangSpec { ..JAVASCRIPT };

/// Widens a definition to the statement that exports or declares it.
fn widen<'t>(walk: &Walk<'t>, mut up: usize, draft: &mut Draft<'t>) {
    while let Some(frame) = walk.ancestor(up) {
        match frame.node.kind() {
            "export_statement" => {
                draft.set(SymbolFlags::EXPORTED);
                // Decorators may stand before `export`.
                if let Some(decorator) = frame.node.child_by_field_name("decorator") {
                    draft.decorated(decorator);
                    if let Some(keyword) = first_plain_child(frame.node) {
                        draft.begin(keyword);
                    }
                } else {
                    draft.begin(frame.node);
                    draft.lead_row = draft.lead_row.min(draft.start_at.row);
                }
                if frame
                    .node
                    .child(1)
                    .is_some_and(|child| child.kind() == "default")
                {
                    draft.set(SymbolFlags::DEFAULT);
                }
            }
            "ambient_declaration" => {
                draft.begin(frame.node);
                draft.lead_row = draft.start_at.row;
                draft.set(SymbolFlags::DECLARATION);
            }
            // `declare global { ... }` and namespaces put their content in a block.
            _ => return,
        }
        up += 1;
    }
}

/// First child that is no decorator.
fn first_plain_child(node: Node<'_>) -> Option<Node<'_>> {
    (0..node.child_count())
        .filter_map(|i| node.child(i))
        .find(|child| child.kind() != "decorator")
}

fn refine<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> bool {
    let name = walk.src.get(draft.name.clone()).unwrap_or(b"");
    unquote(walk, draft);
    // After a syntax error the grammar may take a keyword for a method's name.
    if name == b"function" {
        return false;
    }
    match draft.kind {
        SymbolKind::Method | SymbolKind::Field => {
            let above = walk.ancestor(0).map_or("", |above| above.node.kind());
            if draft.kind == SymbolKind::Field || above == "object_type" {
                // Members of an anonymous object type belong to no symbol.
                let owner = walk.ancestor(1).map_or("", |owner| owner.node.kind());
                let owned = matches!(owner, "interface_declaration" | "type_alias_declaration");
                if !owned || !matches!(above, "interface_body" | "object_type") {
                    return false;
                }
            }
            if name == b"constructor" && above == "class_body" {
                draft.kind = SymbolKind::Constructor;
            }
            if node.kind().ends_with("_signature") && draft.kind == SymbolKind::Method {
                draft.set(SymbolFlags::DECLARATION);
            }
            member(walk, node, frame, draft);
        }
        SymbolKind::Variant => member(walk, node, frame, draft),
        SymbolKind::Function if node.kind() == "function_signature" => {
            draft.set(SymbolFlags::DECLARATION);
            widen(walk, 0, draft);
        }
        _ => {
            if draft.kind == SymbolKind::Type {
                draft.body = node
                    .child_by_field_name("value")
                    .filter(|v| v.kind() == "object_type")
                    .map(|v| v.start_byte());
            }
            if let Some(decorator) = node.child_by_field_name("decorator") {
                if let Some(first) = first_plain_child(node) {
                    draft.begin(first);
                }
                draft.decorated(decorator);
            }
            widen(walk, 0, draft);
        }
    }
    true
}

/// Names written as strings lose their quotes.
fn unquote(walk: &Walk<'_>, draft: &mut Draft<'_>) {
    let text = walk.src.get(draft.name.clone()).unwrap_or(b"");
    if text.len() > 2 && b"'\"`".contains(&text[0]) {
        draft.name = draft.name.start + 1..draft.name.end - 1;
        draft.name_at.column += 1;
    }
}

fn is_function(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "arrow_function" | "function_expression" | "generator_function" | "function"
    )
}

/// What a value makes of the name it is bound to: a function, a class, or neither.
fn value_kind(value: Option<Node<'_>>) -> Option<SymbolKind> {
    let value = value?;
    if is_function(value) {
        Some(SymbolKind::Function)
    } else if value.kind() == "class" {
        Some(SymbolKind::Class)
    } else {
        None
    }
}

/// Gives a draft the body of the function or class it is bound to, and keeps that expression from
/// becoming a symbol of its own.
fn claim<'t>(walk: &mut Walk<'t>, draft: &mut Draft<'t>, value: Node<'t>) {
    draft.body = value
        .child_by_field_name("body")
        .map(|body| body.start_byte());
    walk.claim(value.start_byte());
}

fn declarator<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name") else {
        return Visit::Descend;
    };
    let value = node.child_by_field_name("value");
    if let Some(value) = value
        && require_into(walk, value, name)
    {
        frame.role = Import;
        return Visit::Descend;
    }
    let bound = value_kind(value);
    if bound.is_none() && frame.scope == Scope::Function {
        return Visit::Descend;
    }
    let (statement, constant) = match walk.ancestor(0) {
        Some(above) => (above.node, walk.text(above.node).starts_with(b"const")),
        None => return Visit::Descend,
    };
    let kind = bound.unwrap_or(if constant {
        SymbolKind::Constant
    } else {
        SymbolKind::Variable
    });
    let alone = statement.named_child_count() == 1;
    let draft_of = |walk: &Walk<'t>, name: Node<'t>| {
        let mut draft = Draft::new(kind, name, node);
        let exported_from = if alone {
            draft.span(statement);
            1
        } else {
            usize::MAX
        };
        if exported_from == 1 {
            widen(walk, 1, &mut draft);
        } else if walk
            .ancestor(1)
            .is_some_and(|above| above.node.kind() == "export_statement")
        {
            draft.set(SymbolFlags::EXPORTED);
        }
        draft
    };
    if name.kind() == "identifier" {
        let mut draft = draft_of(walk, name);
        if let Some(value) = value.filter(|_| bound.is_some()) {
            claim(walk, &mut draft, value);
        }
        walk.define(draft, frame);
    } else {
        pattern_names(name, &mut |name| {
            let draft = draft_of(walk, name);
            walk.record(&draft, frame);
        });
    }
    Visit::Descend
}

/// Calls `f` with the names a destructuring pattern binds at its first level.
fn pattern_names<'t>(pattern: Node<'t>, f: &mut impl FnMut(Node<'t>)) {
    let mut cursor = pattern.walk();
    for child in pattern.named_children(&mut cursor) {
        let target = match child.kind() {
            "pair_pattern" => child.child_by_field_name("value"),
            "object_assignment_pattern" | "assignment_pattern" => child.child_by_field_name("left"),
            "rest_pattern" => child.named_child(0),
            _ => Some(child),
        };
        if let Some(name) = target.filter(|node| {
            matches!(
                node.kind(),
                "identifier" | "shorthand_property_identifier_pattern"
            )
        }) {
            f(name);
        }
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let start = node.start_byte();
    let text = &walk.src[start..];
    if text.starts_with(b"require(") || text.starts_with(b"import(") {
        if !walk.take_claim(start)
            && let Some((specifier, _)) = required(walk, node)
        {
            let dynamic = text.starts_with(b"import");
            let kind = if dynamic {
                ImportKind::Dynamic
            } else {
                ImportKind::Require
            };
            walk.import(kind, node.start_position().row, specifier, Vec::new());
        }
    } else if TEST_CALLS
        .iter()
        .any(|name| text.starts_with(name) && matches!(text.get(name.len()), Some(b'(' | b'.')))
    {
        test_call(walk, node, frame);
    }
    Visit::Descend
}

const TEST_CALLS: &[&[u8]] = &[
    b"describe",
    b"it",
    b"test",
    b"suite",
    b"context",
    b"specify",
];

/// `describe("title", () => { ... })` and the like.
fn test_call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(arguments) = node.child_by_field_name("arguments") else {
        return;
    };
    let Some(title) = arguments
        .named_child(0)
        .filter(|node| matches!(node.kind(), "string" | "template_string"))
    else {
        return;
    };
    let mut cursor = arguments.walk();
    let Some(callback) = arguments
        .named_children(&mut cursor)
        .find(|node| is_function(*node))
    else {
        return;
    };
    let mut draft = Draft::new(SymbolKind::Test, title, node);
    unquote(walk, &mut draft);
    draft.set(SymbolFlags::TEST);
    claim(walk, &mut draft, callback);
    walk.define(draft, frame);
}

/// The statement an assignment is, with its semicolon, or the assignment itself.
fn statement<'t>(walk: &Walk<'t>, node: Node<'t>) -> Node<'t> {
    walk.ancestor(0)
        .map(|above| above.node)
        .filter(|above| above.kind() == "expression_statement")
        .unwrap_or(node)
}

/// A function expression is a symbol when it has a name of its own; what it contains is local,
/// unless it is called on the spot (a module pattern).
fn function_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if walk.take_claim(node.start_byte()) {
        frame.scope = Scope::Function;
        return Visit::Descend;
    }
    if frame.scope == Scope::Module && is_called_at_once(walk) {
        return Visit::Descend;
    }
    if let Some(name) = node.child_by_field_name("name") {
        let mut draft = Draft::new(SymbolKind::Function, name, node);
        draft.body = node
            .child_by_field_name("body")
            .map(|body| body.start_byte());
        walk.define(draft, frame);
    }
    frame.scope = Scope::Function;
    frame.exported = false;
    Visit::Descend
}

/// `(function () { ... })()`, `!function () { ... }()`, and a factory passed to such a function.
fn is_called_at_once(walk: &Walk<'_>) -> bool {
    let kind = |up| walk.ancestor(up).map_or("", |frame| frame.node.kind());
    match kind(0) {
        "parenthesized_expression" => matches!(
            kind(1),
            "call_expression" | "member_expression" | "expression_statement"
        ),
        "call_expression" => true,
        "arguments" => {
            let Some(call) = walk.ancestor(1) else {
                return false;
            };
            let called = call.node.child_by_field_name("function");
            called.is_some_and(|called| {
                called.kind() == "parenthesized_expression" || is_function(called)
            })
        }
        _ => false,
    }
}

fn class_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if !walk.take_claim(node.start_byte())
        && let Some(name) = node.child_by_field_name("name")
    {
        let mut draft = Draft::new(SymbolKind::Class, name, node);
        draft.body = node
            .child_by_field_name("body")
            .map(|body| body.start_byte());
        walk.define(draft, frame);
    }
    frame.scope = Scope::Class;
    Visit::Descend
}

fn class_static_block<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = Scope::Function;
    Visit::Descend
}

/// A closing tag repeats its opening tag; it is no use of its own.
fn jsx_closing_element<'t>(_: &mut Walk<'t>, _: Node<'t>, _: &mut Frame<'t>) -> Visit {
    Visit::Skip
}

/// Marks what `export { a }` and `module.exports = a` name.
fn finish(walk: &mut Walk<'_>) {
    let mut exports: FxHashMap<LocalName, bool> = FxHashMap::default();
    for import in walk
        .imports
        .iter()
        .filter(|import| import.kind == ImportKind::Export)
    {
        for binding in &import.bindings {
            let Some(local) = binding.local else { continue };
            let default = binding
                .imported
                .is_none_or(|name| walk.names.get(name) == b"default");
            *exports.entry(local).or_default() |= default;
        }
    }
    for symbol in walk
        .symbols
        .iter_mut()
        .filter(|symbol| symbol.container.is_none())
    {
        if let Some(default) = exports.get(&symbol.name) {
            let flag = if *default {
                SymbolFlags::DEFAULT
            } else {
                SymbolFlags::default()
            };
            symbol.flags = symbol.flags.with(SymbolFlags::EXPORTED).with(flag);
        }
    }
    // Members are visible where their container is.
    for i in 0..walk.symbols.len() {
        let symbol = &walk.symbols[i];
        let Some(container) = symbol.container.map(|c| c as usize) else {
            continue;
        };
        let member = matches!(
            symbol.kind,
            SymbolKind::Method | SymbolKind::Field | SymbolKind::Constructor | SymbolKind::Variant
        );
        let outer = &walk.symbols[container];
        let holder = !matches!(outer.kind, SymbolKind::Method | SymbolKind::Test);
        let signature = &walk.src[symbol.span.start as usize..symbol.signature.end as usize];
        let private =
            signature.starts_with(b"private ") || walk.names.get(symbol.name).starts_with(b"#");
        if member && holder && !private && outer.flags.contains(SymbolFlags::EXPORTED) {
            walk.symbols[i].flags = walk.symbols[i].flags.with(SymbolFlags::EXPORTED);
        }
    }
}
