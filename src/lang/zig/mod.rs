//! Zig: types are values, and a file is a struct.

pub(crate) mod facts;
mod resolve;

use crate::id::LocalName;
use crate::record::Binding;
use crate::syntax::prelude::*;

/// Zig.
pub(crate) static ZIG: LangSpec = LangSpec {
    defs: &[def("function_declaration", SymbolKind::Function)],
    refine,
    hooks: hooks! {
        variable_declaration => "variable_declaration",
        container_field => "container_field",
        hooks::class => "struct_declaration enum_declaration union_declaration opaque_declaration",
        error_set => "error_set_declaration",
        test_declaration => "test_declaration",
        builtin_function => "builtin_function",
        field_expression => "field_expression",
        struct_initializer => "struct_initializer",
        parameter => "parameter",
        payload => "payload",
    },
    roles: roles! {
        Is(Call) => "call_expression.function",
        Object => "field_expression.object",
        Member => "field_expression.member",
        Is(Type) => "function_declaration.type function_signature.type variable_declaration.type
            container_field.type parameter.type",
        Is(Write) => "parameter.name assignment_expression.left payload",
        Pass => "pointer_type nullable_type slice_type array_type error_union_type
            error_union_type.ok error_union_type.error struct_initializer",
        Is(Read) => "initializer_list",
    },
    this_names: &[b"self"],
    strings: &["string"],
    hint,
    ..LangSpec::new()
};

fn is_public(text: &[u8]) -> bool {
    text.starts_with(b"pub ") || text.starts_with(b"export ")
}

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    draft.method_in(frame);
    draft.set_if(SymbolFlags::EXPORTED, is_public(walk.text(node)));
    draft.set_if(SymbolFlags::DECLARATION, draft.body.is_none());
    let returned = node.field("type");
    draft.value(returned.and_then(|returned| type_hint(walk, returned)));
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
        .filter(|name| declares && name.kind_name() == "identifier")
}

/// The value of a declaration.
fn value_of<'t>(node: Node<'t>, name: Node<'t>) -> Option<Node<'t>> {
    let last = node.last_named()?;
    (last != name && Some(last) != node.field("type")).then_some(last)
}

fn variable_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = declared(walk, node) else {
        return;
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
        return;
    }
    let kind = match value.map_or("", |value| value.kind_name()) {
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
    let annotated = node.field("type");
    let known = match annotated {
        Some(annotated) => type_hint(walk, annotated),
        None => value.and_then(|value| hint(walk, value)),
    };
    if frame.scope == Scope::Function && !container {
        let scope = walk.scope_from(node.end_position(), &["block", "source_file"]);
        walk.local(name, scope, known);
        write(walk, name, Write);
        return;
    }
    let mut draft = Draft::new(kind, name, node);
    draft.set_if(SymbolFlags::EXPORTED, public);
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
}

/// Records a name that is bound, which the grammar does not tell from one that is read.
fn write<'t>(walk: &mut Walk<'t>, name: Node<'t>, kind: OccurrenceKind) {
    walk.occurrence_at(name, kind, Qualifier::None);
    walk.pass_over(name);
}

/// The call in `@import("x.zig")` and `@import("x.zig").Name`, and the name.
fn imported<'t>(walk: &Walk<'t>, value: Node<'t>) -> Option<(Node<'t>, Option<Node<'t>>)> {
    let (call, member) = match value.kind_name() {
        "field_expression" => (value.field("object")?, Some(value.field("member")?)),
        _ => (value, None),
    };
    let imports =
        call.kind_name() == "builtin_function" && walk.text(call).starts_with(b"@import(");
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
        .filter(|file| file.kind_name() == "string");
    if let Some(file) = file {
        let specifier = string_content(walk.text(file));
        walk.import(kind, call, specifier, bindings);
        // The file's name is no mention of something else.
        walk.def_names.insert(file.start_byte() + 1);
    }
}

fn builtin_function<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if walk.text(node).starts_with(b"@import(") && !walk.take_claim(node.start_byte()) {
        let all = walk.kind_above(0) == "using_namespace_declaration";
        if all {
            let binding = walk.binding(None, None);
            import(walk, node, ImportKind::Reexport, vec![binding]);
        } else {
            import(walk, node, ImportKind::Import, Vec::new());
        }
    }
}

fn container_field<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field("name").filter(|_| frame.symbol.is_some()) else {
        return;
    };
    let variant = walk.kind_above(0) == "enum_declaration";
    let kind = if variant {
        SymbolKind::Variant
    } else {
        SymbolKind::Field
    };
    let mut draft = Draft::new(kind, name, node);
    draft.set_if(SymbolFlags::EXPORTED, frame.exported);
    let annotated = node.field("type");
    draft.value(annotated.and_then(|annotated| type_hint(walk, annotated)));
    walk.record(&draft, frame);
}

fn error_set<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    for name in node.named() {
        if name.kind_name() == "identifier" && frame.symbol.is_some() {
            let mut draft = Draft::new(SymbolKind::Variant, name, name);
            draft.set_if(SymbolFlags::EXPORTED, frame.exported);
            walk.record(&draft, frame);
        }
    }
}

/// `test "title" {` and `test name {`, which tests what it names.
fn test_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let title = node
        .named_child(0)
        .and_then(|title| match title.kind_name() {
            "string" => title.named_child(0),
            "identifier" => Some(title),
            _ => None,
        });
    if let Some(title) = title {
        let mut draft = Draft::new(SymbolKind::Test, title, node);
        let last = node.named_child_count().saturating_sub(1) as u32;
        draft.body_at(node.named_child(last));
        draft.set(SymbolFlags::TEST);
        if title.kind_name() == "identifier" {
            write(walk, title, Read);
        }
        walk.define(draft, frame);
    }
    frame.scope = Scope::Function;
}

/// `.name`: a member of whatever type is expected.
fn field_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if node.field("object").is_some() {
        return;
    }
    let assigned = walk.ancestor(0).is_some_and(|above| {
        above.node.kind_name() == "assignment_expression" && above.node.field("left") == Some(node)
    });
    if let Some(member) = node.field("member") {
        let at = member.start_position();
        let kind = if assigned { Write } else { Read };
        let name = walk.text(member);
        walk.occurrence(name, at.row, at.column, kind, Qualifier::Expression);
    }
    frame.skip();
}

fn struct_initializer<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Call;
}

fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let known = node
            .field("type")
            .and_then(|annotated| type_hint(walk, annotated));
        walk.local_in(&["function_declaration", "function_signature"], name, known);
    }
}

/// `|value, index|`.
fn payload<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(statement) = walk.above(0) else {
        return;
    };
    let over = node
        .prev_named_sibling()
        .filter(|_| statement.kind_name() == "for_statement");
    let over = match over.map(|over| over.kind_name()) {
        Some("range_expression") => over.and_then(|range| range.prev_named_sibling()),
        _ => over,
    };
    let names: Vec<_> = node.named().collect();
    for (i, name) in names.into_iter().enumerate() {
        let element = over
            .filter(|_| i == 0)
            .and_then(last_name)
            .map(|list| Hint::element_of(list));
        walk.local(
            name,
            node.start_position()..statement.end_position(),
            element,
        );
    }
}

/// The identifier that a path ends with.
fn last_name(path: Node<'_>) -> Option<Node<'_>> {
    match path.kind_name() {
        "identifier" => Some(path),
        "field_expression" => path.field("member"),
        _ => None,
    }
}

fn type_hint(walk: &Walk<'_>, mut node: Node<'_>) -> Option<Hint> {
    loop {
        let inner = || node.last_named();
        node = match node.kind_name() {
            "identifier" if walk.text(node) == b"Self" => return Some(Hint::THIS),
            "identifier" | "field_expression" => {
                return Some(Hint::instance(last_name(node)?));
            }
            "builtin_type" => return Some(Hint::LITERAL),
            "pointer_type" | "nullable_type" => inner()?,
            "error_union_type" => node.field("ok")?,
            "slice_type" | "array_type" => {
                return Some(Hint::collection_of(last_name(inner()?)?));
            }
            _ => return None,
        };
    }
}

fn hint(walk: &Walk<'_>, mut value: Node<'_>) -> Option<Hint> {
    loop {
        value = match value.kind_name() {
            "try_expression" | "catch_expression" | "parenthesized_expression" => {
                value.named_child(0)?
            }
            "unary_expression" => value.field("argument")?,
            _ => break,
        };
    }
    match value.kind_name() {
        "identifier" if walk.text(value) == b"self" => Some(Hint::THIS),
        "identifier" | "field_expression" => Some(Hint::value(last_name(value)?)),
        "call_expression" => {
            let function = value.field("function")?;
            Some(Hint::result(last_name(function)?))
        }
        "struct_initializer" => type_hint(walk, value.named_child(0)?),
        "builtin_function" if walk.text(value) == b"@This()" => Some(Hint::THIS),
        "index_expression" => {
            let list = last_name(value.field("object")?)?;
            Some(Hint::element_of(list))
        }
        "string" | "integer" | "float" | "boolean" | "character" => Some(Hint::LITERAL),
        _ => None,
    }
}
