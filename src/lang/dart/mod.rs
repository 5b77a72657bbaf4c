//! Dart.

pub(crate) mod facts;
mod flows;
mod imports;
mod resolve;

use crate::record::{OccurrenceKind, SymbolFlags, SymbolKind};
use crate::syntax::flows::Clue;
use crate::syntax::interpolated;
use crate::syntax::rows::{DefRow, LangSpec, Rule, Visit};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk, string_content};
use OccurrenceKind::{Call, Import, Inherit, Read, Type, Write};
use Rule::{Chain, Is, Member, MemberIs, Object, Pass};
use tree_sitter::Node;

const fn def(node: &'static str, kind: SymbolKind) -> DefRow {
    DefRow {
        node,
        kind,
        name: "name",
        body: "body",
    }
}

/// Dart 3.
pub(crate) static DART: LangSpec = LangSpec {
    defs: &[
        def("class_declaration", SymbolKind::Class),
        def("mixin_declaration", SymbolKind::Trait),
        def("enum_declaration", SymbolKind::Enum),
        def("enum_entry", SymbolKind::Variant),
        def("extension_type_declaration", SymbolKind::Class),
    ],
    refine,
    hooks: &[
        ("extension_declaration", extension),
        ("mixin_application_class", alias_class),
        ("type_alias", type_alias),
        ("function_declaration", callable),
        ("getter_declaration", callable),
        ("setter_declaration", callable),
        ("external_function_declaration", callable),
        ("external_getter_declaration", callable),
        ("external_setter_declaration", callable),
        ("local_function_declaration", callable),
        ("method_declaration", callable),
        ("declaration", declaration),
        ("top_level_variable_declaration", declaration),
        ("external_variable_declaration", declaration),
        ("extension_type_representation", representation),
        ("formal_parameter", flows::parameter),
        ("initialized_variable_declaration", flows::variables),
        ("variable_pattern", flows::pattern),
        ("for_statement", flows::for_statement),
        ("catch_clause", flows::caught),
        ("function_expression", function_scope),
        ("block", function_scope),
        ("member_expression", member),
        ("assignable_expression", member),
        ("field_formal_parameter", member),
        ("super_formal_parameter", member),
        ("cascade_call_expression", cascaded),
        ("cascade_member_expression", cascaded),
        ("cascade_selector", cascade_selector),
        ("unary_expression", step),
        ("type", type_),
        ("call_expression", call),
        ("library_name", imports::library),
        ("library_import", imports::import),
        ("library_export", imports::import),
        ("part_directive", imports::part),
        ("part_of_directive", imports::library),
        ("string_literal_single_quotes", interpolated::string),
        ("string_literal_double_quotes", interpolated::string),
    ],
    roles: &[
        ("call_expression", "function", Is(Call)),
        ("instantiation_expression", "function", Pass),
        ("member_expression", "object", Object),
        ("member_expression", "property", Member),
        ("null_aware_member_expression", "object", Object),
        ("null_aware_member_expression", "property", Member),
        ("assignable_expression", "object", Object),
        ("assignable_expression", "property", Member),
        ("assignable_expression", "index", Is(Read)),
        ("assignable_expression", "", Pass),
        ("cascade_call_expression", "function", Is(Call)),
        ("cascade_call_expression", "property", MemberIs(Call)),
        ("cascade_member_expression", "object", Object),
        ("cascade_member_expression", "property", Member),
        ("cascade_selector", "", Member),
        ("null_assertion_expression", "value", Pass),
        ("parenthesized_expression", "", Pass),
        ("new_expression", "type", Is(Call)),
        ("new_expression", "constructor", Is(Call)),
        ("const_object_expression", "type", Is(Call)),
        ("const_object_expression", "constructor", Is(Call)),
        ("constructor_tearoff", "", Chain),
        ("constant_pattern", "", Chain),
        ("qualified_name", "", Chain),
        ("type", "", Chain),
        (
            "redirecting_factory_constructor_signature",
            "target",
            Is(Call),
        ),
        (
            "redirecting_factory_constructor_signature",
            "target",
            Is(Call),
        ),
        ("superclass", "type", Is(Inherit)),
        ("mixins", "", Is(Inherit)),
        ("interfaces", "", Is(Inherit)),
        ("mixin_declaration", "", Is(Inherit)),
        ("mixin_application", "", Is(Inherit)),
        ("extension_declaration", "class", Is(Inherit)),
        ("annotation", "name", Is(Call)),
        ("assignment_expression", "left", Is(Write)),
        ("postfix_expression", "argument", Is(Write)),
        ("label", "", Is(Write)),
        ("formal_parameter", "name", Is(Write)),
        ("formal_parameter", "", Is(Write)),
        ("field_formal_parameter", "name", MemberIs(Write)),
        ("super_formal_parameter", "name", MemberIs(Write)),
        ("field_initializer", "name", Is(Write)),
        ("type_parameter", "name", Is(Write)),
        ("typed_identifier", "name", Is(Write)),
        ("initialized_variable_declaration", "name", Is(Write)),
        ("initialized_identifier", "name", Is(Write)),
        ("static_final_declaration", "name", Is(Write)),
        ("variable_pattern", "name", Is(Write)),
        ("for_statement", "name", Is(Write)),
        ("for_element", "name", Is(Write)),
        ("catch_clause", "exception", Is(Write)),
        ("catch_clause", "stack_trace", Is(Write)),
        ("library_import", "", Is(Import)),
        ("library_export", "", Is(Import)),
        ("import_specification", "", Pass),
        ("configurable_uri", "", Pass),
        ("configuration_uri", "", Pass),
        ("uri_test", "", Pass),
        ("dotted_identifier_list", "", Chain),
        ("uri", "", Is(Import)),
        ("string_literal", "", Pass),
        ("combinator", "", Pass),
    ],
    identifiers: &[
        ("identifier", Read),
        ("identifier_dollar_escaped", Read),
        ("type_identifier", Type),
    ],
    this_kinds: &[],
    this_names: &[],
    comments: &["comment", "documentation_comment"],
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
    if let Some(name) = node
        .child_by_field_name("name")
        .filter(|name| name.kind() == "extension_type_name")
        .and_then(|name| child(name, &["identifier"]))
    {
        draft.name = name.byte_range();
        draft.name_at = name.start_position();
    }
    annotated(walk, node, draft);
    visible(walk, frame, draft);
    true
}

/// A leading underscore makes a name private to its library.
fn visible<'t>(walk: &Walk<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let name = walk.src.get(draft.name.clone()).unwrap_or(b"");
    let open = match frame.scope {
        Scope::Module => true,
        Scope::Class => frame.exported,
        Scope::Function => false,
    };
    if open && !name.starts_with(b"_") {
        draft.set(SymbolFlags::EXPORTED);
    }
}

/// Annotations stand in front, inside of the node; the definition begins after them.
fn annotated<'t>(walk: &Walk<'t>, node: Node<'t>, draft: &mut Draft<'t>) {
    let mut cursor = node.walk();
    for part in node.children(&mut cursor) {
        match part.kind() {
            "annotation" => {
                draft.decorated(part);
                let name = part
                    .child_by_field_name("name")
                    .map_or(&b""[..], |name| walk.text(name));
                if matches!(name, b"deprecated" | b"Deprecated") {
                    draft.set(SymbolFlags::DEPRECATED);
                }
                if name == b"isTest" {
                    draft.set(SymbolFlags::TEST);
                }
            }
            "comment" | "documentation_comment" => {}
            _ => {
                draft.begin(part);
                break;
            }
        }
    }
}

/// An extension without a name goes by the type it extends.
fn extension<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let extended = node.child_by_field_name("class").and_then(type_name);
    if let Some(name) = node.child_by_field_name("name").or(extended) {
        let mut draft = Draft::new(SymbolKind::Impl, name, node);
        draft.body = node
            .child_by_field_name("body")
            .map(|body| body.start_byte());
        annotated(walk, node, &mut draft);
        visible(walk, frame, &mut draft);
        walk.define(draft, frame);
    }
    frame.scope = Scope::Class;
    Visit::Descend
}

/// The name of a type, its arguments and path left out.
fn type_name(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|part| part.kind() == "type_identifier")
        .last()
}

/// `class A = B with C;`
fn alias_class<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(name) = child(node, &["identifier"]) {
        let outer = walk.ancestor(0).map_or(node, |above| above.node);
        let mut draft = Draft::new(SymbolKind::Class, name, outer);
        annotated(walk, outer, &mut draft);
        visible(walk, frame, &mut draft);
        walk.record(&draft, frame);
    }
    Visit::Descend
}

fn type_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(name) = child(node, &["type_identifier"]) {
        let mut draft = Draft::new(SymbolKind::Type, name, node);
        annotated(walk, node, &mut draft);
        visible(walk, frame, &mut draft);
        let stands_for = child(node, &["="]).and_then(|_| flows::type_clue(walk, node));
        draft.value(stands_for);
        walk.record(&draft, frame);
    }
    Visit::Descend
}

const SIGNATURES: &[&str] = &[
    "function_signature",
    "getter_signature",
    "setter_signature",
    "operator_signature",
    "constructor_signature",
    "constant_constructor_signature",
    "factory_constructor_signature",
    "redirecting_factory_constructor_signature",
];

/// A function, method, accessor or constructor, which is named by the signature in it.
fn callable<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let wrapped = child(node, &["method_signature"]).unwrap_or(node);
    let Some(signature) = child(wrapped, SIGNATURES) else {
        return Visit::Descend;
    };
    // The semicolon and annotations of a member stand in the node around it.
    let outer = walk
        .ancestor(0)
        .map(|above| above.node)
        .filter(|above| above.kind() == "member_declaration")
        .unwrap_or(node);
    let body = child(node, &["function_body"]);
    let member = frame.scope == Scope::Class;
    let mut kind = if member {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let mut cursor = signature.walk();
    let names: Vec<_> = signature
        .children_by_field_name("name", &mut cursor)
        .filter(|name| name.is_named() || name.kind() == "new")
        .collect();
    let name = match signature.kind() {
        "getter_signature" | "setter_signature" => {
            kind = if member {
                SymbolKind::Field
            } else {
                SymbolKind::Variable
            };
            names.first().copied()
        }
        "operator_signature" => child(signature, &["operator"]),
        "function_signature" => names.first().copied(),
        // `A.name`: the class's own name is no use of it.
        _ => {
            kind = SymbolKind::Constructor;
            if let [class, _] = names[..] {
                walk.def_names.insert(class.start_byte());
            }
            names.last().copied()
        }
    };
    let Some(name) = name else {
        return Visit::Descend;
    };
    let mut draft = Draft::new(kind, name, outer);
    if let Some(operator) = signature
        .child_by_field_name("operator")
        .filter(|operator| operator.start_position().row == name.start_position().row)
    {
        draft.name.end = operator.end_byte();
    }
    annotated(walk, outer, &mut draft);
    if outer != node {
        let begin = draft.start;
        if begin == node.start_byte() {
            annotated(walk, node, &mut draft);
        }
    }
    draft.body = body.map(|body| body.start_byte());
    visible(walk, frame, &mut draft);
    draft.value(match kind {
        // A constructor gives an instance of its class.
        SymbolKind::Constructor => Some(Clue::THIS),
        _ => flows::type_clue(walk, signature),
    });
    let bodiless = body.is_none()
        && (matches!(kind, SymbolKind::Method | SymbolKind::Function)
            || signature.kind() == "getter_signature");
    if bodiless {
        draft.set(SymbolFlags::DECLARATION);
    }
    walk.define(draft, frame);
    // What has no block of its own ends here.
    frame.scope = Scope::Function;
    Visit::Descend
}

/// Fields and variables, or a member without a body.
fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(list) = child(
        node,
        &[
            "initialized_identifier_list",
            "static_final_declaration_list",
            "identifier_list",
        ],
    ) else {
        return callable(walk, node, frame);
    };
    let outer = walk
        .ancestor(0)
        .map(|above| above.node)
        .filter(|above| above.kind() == "member_declaration")
        .unwrap_or(node);
    let constant = child(node, &["const"]).is_some()
        || node
            .child_by_field_name("modifier")
            .is_some_and(|word| matches!(word.kind(), "const" | "final"));
    let fixed = child(node, &["final"]).is_some();
    let mut cursor = list.walk();
    let names: Vec<_> = list
        .named_children(&mut cursor)
        .filter_map(|item| match item.kind() {
            "identifier" => Some(item),
            _ => item.child_by_field_name("name"),
        })
        .collect();
    for name in names {
        let mut draft = Draft::new(SymbolKind::Field, name, outer);
        let of_class = child(node, &["static"]).is_some();
        draft.kind = match frame.scope {
            Scope::Class if constant || (fixed && of_class) => SymbolKind::Constant,
            Scope::Class => SymbolKind::Field,
            _ if constant || fixed => SymbolKind::Constant,
            _ => SymbolKind::Variable,
        };
        annotated(walk, outer, &mut draft);
        visible(walk, frame, &mut draft);
        let variable = name.parent().unwrap_or(node);
        draft.value(flows::variable_clue(walk, node, variable));
        walk.record(&draft, frame);
    }
    Visit::Descend
}

/// What an extension type wraps is a field of it.
fn representation<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        visible(walk, frame, &mut draft);
        draft.value(flows::type_clue(walk, node));
        walk.record(&draft, frame);
    }
    Visit::Descend
}

fn function_scope<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = Scope::Function;
    Visit::Descend
}

/// `this.x` and `super.x`, whose objects are keywords.
fn member<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(object) = node
        .child(0)
        .filter(|object| matches!(object.kind(), "this" | "super"))
    {
        frame.object = (object.start_byte(), object.end_byte());
        walk.this_end = object.end_byte();
    }
    Visit::Descend
}

/// In `a..b()..c()` the object of each part is `a`.
fn cascaded<'t>(walk: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let cascade = walk
        .stack
        .iter()
        .rev()
        .find(|above| above.node.kind() == "cascade");
    if let Some(object) = cascade.and_then(|cascade| cascade.node.named_child(0)) {
        frame.object = (object.start_byte(), object.end_byte());
    }
    Visit::Descend
}

/// `a..b = c` assigns to a member of `a`.
fn cascade_selector<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let assigned = node
        .next_sibling()
        .is_some_and(|next| next.kind().ends_with('='));
    if assigned {
        frame.role = Write;
    }
    cascaded(walk, node, frame)
}

/// `++x` writes.
fn step<'t>(_: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if child(node, &["increment_operator"]).is_some() {
        frame.role = Write;
    }
    Visit::Descend
}

/// Types are told by their nodes: only what a type is used for comes from around it.
fn type_<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if !matches!(frame.role, Inherit | Call) {
        frame.role = Type;
    }
    Visit::Descend
}

const TEST_CALLS: &[&[u8]] = &[
    b"test",
    b"group",
    b"testWidgets",
    b"blocTest",
    b"goldenTest",
];

/// `test('title', () { ... })`.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let name = node
        .child_by_field_name("function")
        .map_or(&b""[..], |name| walk.text(name));
    if !TEST_CALLS.contains(&name) {
        return Visit::Descend;
    }
    let Some(arguments) = node.child_by_field_name("arguments") else {
        return Visit::Descend;
    };
    let title = arguments
        .named_child(0)
        .filter(|title| title.kind() == "string_literal");
    let function = child(arguments, &["function_expression"]);
    let Some((title, function)) = title.zip(function) else {
        return Visit::Descend;
    };
    let text = walk.text(title);
    let content = string_content(text);
    if !content.is_empty() {
        let offset = content.as_ptr() as usize - text.as_ptr() as usize;
        let mut draft = Draft::new(SymbolKind::Test, title, node);
        draft.name = draft.name.start + offset..draft.name.start + offset + content.len();
        draft.name_at.column += offset;
        draft.body = function
            .child_by_field_name("body")
            .map(|body| body.start_byte());
        draft.set(SymbolFlags::TEST);
        walk.define(draft, frame);
    }
    Visit::Descend
}
