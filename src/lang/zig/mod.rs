//! Zig: types are values, and a file is a struct.

pub(crate) mod facts;
mod resolve;

use crate::id::LocalName;
use crate::record::{
    Binding, Flow, ImportKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind,
};
use crate::syntax::flows::Clue;
use crate::syntax::rows::{DefRow, LangSpec, Rule, Visit};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk, string_content};
use OccurrenceKind::{Call, Read, Type, Write};
use Rule::{Is, Member, Object, Pass};
use tree_sitter::Node;

/// Zig.
pub(crate) static ZIG: LangSpec = LangSpec {
    defs: &[DefRow {
        node: "function_declaration",
        kind: SymbolKind::Function,
        name: "name",
        body: "body",
    }],
    refine,
    hooks: &[
        ("variable_declaration", variable_declaration),
        ("container_field", container_field),
        ("struct_declaration", container),
        ("enum_declaration", container),
        ("union_declaration", container),
        ("opaque_declaration", container),
        ("error_set_declaration", error_set),
        ("test_declaration", test_declaration),
        ("builtin_function", builtin_function),
        ("field_expression", field_expression),
        ("struct_initializer", struct_initializer),
        ("parameter", parameter),
        ("payload", payload),
    ],
    roles: &[
        ("call_expression", "function", Is(Call)),
        ("field_expression", "object", Object),
        ("field_expression", "member", Member),
        ("function_declaration", "type", Is(Type)),
        ("function_signature", "type", Is(Type)),
        ("variable_declaration", "type", Is(Type)),
        ("container_field", "type", Is(Type)),
        ("parameter", "name", Is(Write)),
        ("parameter", "type", Is(Type)),
        ("pointer_type", "", Pass),
        ("nullable_type", "", Pass),
        ("slice_type", "", Pass),
        ("array_type", "", Pass),
        ("error_union_type", "", Pass),
        ("error_union_type", "ok", Pass),
        ("error_union_type", "error", Pass),
        ("struct_initializer", "", Pass),
        ("initializer_list", "", Is(Read)),
        ("assignment_expression", "left", Is(Write)),
        ("payload", "", Is(Write)),
    ],
    identifiers: &[("identifier", Read)],
    this_kinds: &[],
    this_names: &[b"self"],
    comments: &["comment"],
    strings: &["string"],
    clue,
    finish: |_| {},
};

fn is_public(text: &[u8]) -> bool {
    text.starts_with(b"pub ") || text.starts_with(b"export ")
}

fn refine<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> bool {
    if frame.scope == Scope::Class {
        draft.kind = SymbolKind::Method;
    }
    if is_public(walk.text(node)) {
        draft.set(SymbolFlags::EXPORTED);
    }
    if draft.body.is_none() {
        draft.set(SymbolFlags::DECLARATION);
    }
    let returned = node.child_by_field_name("type");
    draft.value(returned.and_then(|returned| type_clue(walk, returned)));
    true
}

/// The name a declaration declares; assignments have the same node.
fn declared<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let words = [
        &b"pub "[..],
        b"const ",
        b"var ",
        b"export ",
        b"extern ",
        b"threadlocal ",
        b"comptime ",
    ];
    let text = walk.text(node);
    let declares = words.iter().any(|word| text.starts_with(word));
    node.named_child(0)
        .filter(|name| declares && name.kind() == "identifier")
}

/// The value of a declaration.
fn value_of<'t>(node: Node<'t>, name: Node<'t>) -> Option<Node<'t>> {
    let last = node.named_child(node.named_child_count().checked_sub(1)? as u32)?;
    (last != name && Some(last) != node.child_by_field_name("type")).then_some(last)
}

fn variable_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(name) = declared(walk, node) else {
        return Visit::Descend;
    };
    let text = walk.text(node);
    let public = is_public(text);
    let value = value_of(node, name);
    if let Some(value) = value
        && let Some((call, imported)) = imported(walk, value)
    {
        let local = walk.text(name);
        let imported = imported.map(|imported| walk.text(imported));
        let binding = walk.binding(imported, Some(local));
        let kind = if public {
            ImportKind::Reexport
        } else {
            ImportKind::Import
        };
        import(walk, call, kind, vec![binding]);
        walk.claim(call.start_byte());
        write(walk, name, OccurrenceKind::Import);
        return Visit::Descend;
    }
    let kind = match value.map_or("", |value| value.kind()) {
        "struct_declaration" | "opaque_declaration" => SymbolKind::Struct,
        "enum_declaration" | "error_set_declaration" => SymbolKind::Enum,
        "union_declaration" => SymbolKind::Union,
        _ if value.is_some_and(|value| walk.text(value) == b"@This()") => SymbolKind::Type,
        _ if text
            .split(|b| *b == b' ')
            .take(2)
            .any(|word| word == b"const") =>
        {
            SymbolKind::Constant
        }
        _ => SymbolKind::Variable,
    };
    let container = matches!(
        kind,
        SymbolKind::Struct | SymbolKind::Enum | SymbolKind::Union
    );
    let annotated = node.child_by_field_name("type");
    let known = match annotated {
        Some(annotated) => type_clue(walk, annotated),
        None => value.and_then(|value| clue(walk, value)),
    };
    if frame.scope == Scope::Function && !container {
        let scope = node.end_position()..walk.scope_within(&["block", "source_file"]).end;
        walk.local(name, scope, known);
        write(walk, name, Write);
        return Visit::Descend;
    }
    let mut draft = Draft::new(kind, name, node);
    if public {
        draft.set(SymbolFlags::EXPORTED);
    }
    if container {
        draft.body = value.and_then(|value| {
            let open = walk.text(value).iter().position(|b| *b == b'{')?;
            Some(value.start_byte() + open)
        });
        walk.define(draft, frame);
    } else {
        draft.value(known);
        walk.record(&draft, frame);
    }
    Visit::Descend
}

/// Records a name that is bound, which the grammar does not tell from one that is read.
fn write<'t>(walk: &mut Walk<'t>, name: Node<'t>, kind: OccurrenceKind) {
    let at = name.start_position();
    walk.occurrence(walk.text(name), at.row, at.column, kind, Qualifier::None);
    walk.def_names.insert(name.start_byte());
}

/// The call in `@import("x.zig")` and `@import("x.zig").Name`, and the name.
fn imported<'t>(walk: &Walk<'t>, value: Node<'t>) -> Option<(Node<'t>, Option<Node<'t>>)> {
    let (call, member) = match value.kind() {
        "field_expression" => (
            value.child_by_field_name("object")?,
            Some(value.child_by_field_name("member")?),
        ),
        _ => (value, None),
    };
    let imports = call.kind() == "builtin_function" && walk.text(call).starts_with(b"@import(");
    imports.then_some((call, member))
}

fn import<'t>(
    walk: &mut Walk<'t>,
    call: Node<'t>,
    kind: ImportKind,
    bindings: Vec<Binding<LocalName>>,
) {
    let file = call
        .named_child(1)
        .and_then(|arguments| arguments.named_child(0))
        .filter(|file| file.kind() == "string");
    if let Some(file) = file {
        let specifier = string_content(walk.text(file));
        walk.import(kind, call.start_position().row, specifier, bindings);
        // The file's name is no mention of something else.
        walk.def_names.insert(file.start_byte() + 1);
    }
}

fn builtin_function<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if walk.text(node).starts_with(b"@import(") && !walk.take_claim(node.start_byte()) {
        let all = walk
            .ancestor(0)
            .is_some_and(|above| above.node.kind() == "using_namespace_declaration");
        if all {
            let binding = walk.binding(None, None);
            import(walk, node, ImportKind::Reexport, vec![binding]);
        } else {
            import(walk, node, ImportKind::Import, Vec::new());
        }
    }
    Visit::Descend
}

fn container<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = Scope::Class;
    Visit::Descend
}

fn container_field<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(name) = node
        .child_by_field_name("name")
        .filter(|_| frame.symbol.is_some())
    else {
        return Visit::Descend;
    };
    let variant = walk
        .ancestor(0)
        .is_some_and(|above| above.node.kind() == "enum_declaration");
    let kind = if variant {
        SymbolKind::Variant
    } else {
        SymbolKind::Field
    };
    let mut draft = Draft::new(kind, name, node);
    if frame.exported {
        draft.set(SymbolFlags::EXPORTED);
    }
    let annotated = node.child_by_field_name("type");
    draft.value(annotated.and_then(|annotated| type_clue(walk, annotated)));
    walk.record(&draft, frame);
    Visit::Descend
}

fn error_set<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let mut cursor = node.walk();
    let names: Vec<_> = node.named_children(&mut cursor).collect();
    for name in names {
        if name.kind() == "identifier" && frame.symbol.is_some() {
            let mut draft = Draft::new(SymbolKind::Variant, name, name);
            if frame.exported {
                draft.set(SymbolFlags::EXPORTED);
            }
            walk.record(&draft, frame);
        }
    }
    Visit::Descend
}

/// `test "title" {` and `test name {`, which tests what it names.
fn test_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let title = node.named_child(0).and_then(|title| match title.kind() {
        "string" => title.named_child(0),
        "identifier" => Some(title),
        _ => None,
    });
    if let Some(title) = title {
        let mut draft = Draft::new(SymbolKind::Test, title, node);
        let last = node.named_child_count().saturating_sub(1) as u32;
        draft.body = node.named_child(last).map(|body| body.start_byte());
        draft.set(SymbolFlags::TEST);
        if title.kind() == "identifier" {
            write(walk, title, Read);
        }
        walk.define(draft, frame);
    }
    frame.scope = Scope::Function;
    Visit::Descend
}

/// `.name`: a member of whatever type is expected.
fn field_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if node.child_by_field_name("object").is_some() {
        return Visit::Descend;
    }
    let assigned = walk.ancestor(0).is_some_and(|above| {
        above.node.kind() == "assignment_expression"
            && above.node.child_by_field_name("left") == Some(node)
    });
    if let Some(member) = node.child_by_field_name("member") {
        let at = member.start_position();
        let kind = if assigned { Write } else { Read };
        let name = walk.text(member);
        walk.occurrence(name, at.row, at.column, kind, Qualifier::Expression);
    }
    Visit::Skip
}

fn struct_initializer<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.role = Call;
    Visit::Descend
}

fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let known = node
            .child_by_field_name("type")
            .and_then(|annotated| type_clue(walk, annotated));
        let scope = walk.scope_within(&["function_declaration", "function_signature"]);
        walk.local(name, scope, known);
    }
    Visit::Descend
}

/// `|value, index|`.
fn payload<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let Some(statement) = walk.ancestor(0).map(|above| above.node) else {
        return Visit::Descend;
    };
    let over = node
        .prev_named_sibling()
        .filter(|_| statement.kind() == "for_statement");
    let over = match over.map(|over| over.kind()) {
        Some("range_expression") => over.and_then(|range| range.prev_named_sibling()),
        _ => over,
    };
    let mut cursor = node.walk();
    let names: Vec<_> = node.named_children(&mut cursor).collect();
    for (i, name) in names.into_iter().enumerate() {
        let element = over
            .filter(|_| i == 0)
            .and_then(last_name)
            .map(|list| Clue::of(Flow::Element, list));
        walk.local(
            name,
            node.start_position()..statement.end_position(),
            element,
        );
    }
    Visit::Descend
}

/// The identifier that a path ends with.
fn last_name(path: Node<'_>) -> Option<Node<'_>> {
    match path.kind() {
        "identifier" => Some(path),
        "field_expression" => path.child_by_field_name("member"),
        _ => None,
    }
}

fn type_clue(walk: &Walk<'_>, mut node: Node<'_>) -> Option<Clue> {
    loop {
        let inner = || node.named_child(node.named_child_count().checked_sub(1)? as u32);
        node = match node.kind() {
            "identifier" if walk.text(node) == b"Self" => return Some(Clue::THIS),
            "identifier" | "field_expression" => {
                return Some(Clue::of(Flow::Type, last_name(node)?));
            }
            "builtin_type" => return Some(Clue::LITERAL),
            "pointer_type" | "nullable_type" => inner()?,
            "error_union_type" => node.child_by_field_name("ok")?,
            "slice_type" | "array_type" => {
                return Some(Clue::of(Flow::Elements, last_name(inner()?)?));
            }
            _ => return None,
        };
    }
}

fn clue(walk: &Walk<'_>, mut value: Node<'_>) -> Option<Clue> {
    loop {
        value = match value.kind() {
            "try_expression" | "catch_expression" | "parenthesized_expression" => {
                value.named_child(0)?
            }
            "unary_expression" => value.child_by_field_name("argument")?,
            _ => break,
        };
    }
    match value.kind() {
        "identifier" if walk.text(value) == b"self" => Some(Clue::THIS),
        "identifier" | "field_expression" => Some(Clue::of(Flow::Value, last_name(value)?)),
        "call_expression" => {
            let function = value.child_by_field_name("function")?;
            Some(Clue::of(Flow::Result, last_name(function)?))
        }
        "struct_initializer" => type_clue(walk, value.named_child(0)?),
        "builtin_function" if walk.text(value) == b"@This()" => Some(Clue::THIS),
        "index_expression" => {
            let list = last_name(value.child_by_field_name("object")?)?;
            Some(Clue::of(Flow::Element, list))
        }
        "string" | "integer" | "float" | "boolean" | "character" => Some(Clue::LITERAL),
        _ => None,
    }
}
