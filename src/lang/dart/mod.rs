//! Dart.

mod arguments;
pub(crate) mod facts;
mod imports;
mod resolve;
mod values;

use crate::syntax::prelude::*;

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
    hooks: hooks! {
        extension => "extension_declaration",
        alias_class => "mixin_application_class",
        type_alias => "type_alias",
        callable => "function_declaration getter_declaration setter_declaration
            external_function_declaration external_getter_declaration external_setter_declaration
            local_function_declaration method_declaration",
        declaration => "declaration top_level_variable_declaration external_variable_declaration",
        representation => "extension_type_representation",
        values::parameter => "formal_parameter",
        values::variables => "initialized_variable_declaration",
        values::pattern => "variable_pattern",
        values::for_statement => "for_statement",
        values::caught => "catch_clause",
        hooks::function => "function_expression block",
        hooks::keyword_object => "member_expression assignable_expression field_formal_parameter
            super_formal_parameter",
        cascaded => "cascade_call_expression cascade_member_expression",
        cascade_selector => "cascade_selector",
        step => "unary_expression",
        hooks::type_use => "type",
        call => "call_expression",
        imports::library => "library_name part_of_directive",
        imports::import => "library_import library_export",
        imports::part => "part_directive",
        interpolated::string => "string_literal_single_quotes string_literal_double_quotes",
    },
    roles: roles! {
        Is(Call) => "call_expression.function cascade_call_expression.function new_expression.type
            new_expression.constructor const_object_expression.type
            const_object_expression.constructor redirecting_factory_constructor_signature.target
            redirecting_factory_constructor_signature.target annotation.name",
        Pass => "instantiation_expression.function assignable_expression
            null_assertion_expression.value parenthesized_expression import_specification
            configurable_uri configuration_uri uri_test string_literal combinator",
        Object => "member_expression.object null_aware_member_expression.object
            assignable_expression.object cascade_member_expression.object",
        Member => "member_expression.property null_aware_member_expression.property
            assignable_expression.property cascade_member_expression.property cascade_selector",
        Is(Read) => "assignable_expression.index",
        MemberIs(Call) => "cascade_call_expression.property",
        Chain => "constructor_tearoff constant_pattern qualified_name type dotted_identifier_list",
        Is(Inherit) => "superclass.type mixins interfaces mixin_declaration mixin_application
            extension_declaration.class",
        Is(Write) => "assignment_expression.left postfix_expression.argument label
            formal_parameter.name formal_parameter field_initializer.name type_parameter.name
            typed_identifier.name initialized_variable_declaration.name initialized_identifier.name
            static_final_declaration.name variable_pattern.name for_statement.name for_element.name
            catch_clause.exception catch_clause.stack_trace",
        MemberIs(Write) => "field_formal_parameter.name super_formal_parameter.name",
        Is(Import) => "library_import library_export uri",
    },
    identifiers: &[
        ("identifier", Read),
        ("identifier_dollar_escaped", Read),
        ("type_identifier", Type),
    ],
    comments: &["comment", "documentation_comment"],
    hint: values::hint,
    ..LangSpec::new()
};

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    if let Some(name) = node
        .field_of("name", "extension_type_name")
        .and_then(|name| name.part(&["identifier"]))
    {
        draft.rename(name);
    }
    annotated(walk, node, draft);
    visible(walk, frame, draft);
}

/// A leading underscore makes a name private to its library.
fn visible<'t>(walk: &Walk<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let name = draft.text(walk);
    draft.set_if(
        SymbolFlags::EXPORTED,
        frame.is_open() && !name.starts_with(b"_"),
    );
}

/// Annotations stand in front, inside of the node; the definition begins after them.
fn annotated<'t>(walk: &Walk<'t>, node: Node<'t>, draft: &mut Draft<'t>) {
    for part in node.parts() {
        match part.kind_name() {
            "annotation" => {
                draft.decorated(part);
                let name = walk.text_of(part.field("name"));
                draft.set_if(
                    SymbolFlags::DEPRECATED,
                    matches!(name, b"deprecated" | b"Deprecated"),
                );
                draft.set_if(SymbolFlags::TEST, name == b"isTest");
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
fn extension<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let extended = node.field("class").and_then(type_name);
    if let Some(name) = node.field("name").or(extended) {
        let mut draft = Draft::new(SymbolKind::Impl, name, node);
        draft.body_at(node.field("body"));
        annotated(walk, node, &mut draft);
        visible(walk, frame, &mut draft);
        walk.define(draft, frame);
    }
    frame.scope = Scope::Class;
}

/// The name of a type, its arguments and path left out.
fn type_name(node: Node<'_>) -> Option<Node<'_>> {
    node.last_of("type_identifier")
}

/// `class A = B with C;`
fn alias_class<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.part(&["identifier"]) {
        let outer = walk.ancestor(0).map_or(node, |above| above.node);
        let mut draft = Draft::new(SymbolKind::Class, name, outer);
        annotated(walk, outer, &mut draft);
        visible(walk, frame, &mut draft);
        walk.record(&draft, frame);
    }
}

fn type_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.part(&["type_identifier"]) {
        let mut draft = Draft::new(SymbolKind::Type, name, node);
        annotated(walk, node, &mut draft);
        visible(walk, frame, &mut draft);
        let stands_for = node
            .part(&["="])
            .and_then(|_| values::type_hint(walk, node));
        draft.value(stands_for);
        walk.record(&draft, frame);
    }
}

const SIGNATURES: &[&str] = words!(
    "function_signature getter_signature setter_signature operator_signature constructor_signature
     constant_constructor_signature factory_constructor_signature
     redirecting_factory_constructor_signature"
);

/// A function, method, accessor or constructor, which is named by the signature in it.
fn callable<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let wrapped = node.part(&["method_signature"]).unwrap_or(node);
    let Some(signature) = wrapped.part(SIGNATURES) else {
        return;
    };
    // The semicolon and annotations of a member stand in the node around it.
    let outer = walk
        .above(0)
        .filter(|above| above.kind_name() == "member_declaration")
        .unwrap_or(node);
    let body = node.part(&["function_body"]);
    let member = frame.scope == Scope::Class;
    let mut kind = if member {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let names: Vec<_> = signature
        .fields("name")
        .filter(|name| name.is_named() || name.kind_name() == "new")
        .collect();
    let name = match signature.kind_name() {
        "getter_signature" | "setter_signature" => {
            kind = if member {
                SymbolKind::Field
            } else {
                SymbolKind::Variable
            };
            names.first().copied()
        }
        "operator_signature" => signature.part(&["operator"]),
        "function_signature" => names.first().copied(),
        // `A.name`: the class's own name is no use of it.
        _ => {
            kind = SymbolKind::Constructor;
            if let [class, _] = names[..] {
                walk.pass_over(class);
            }
            names.last().copied()
        }
    };
    let Some(name) = name else { return };
    let mut draft = Draft::new(kind, name, outer);
    if let Some(operator) = signature
        .field("operator")
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
    draft.body_at(body);
    visible(walk, frame, &mut draft);
    draft.value(match kind {
        // A constructor gives an instance of its class.
        SymbolKind::Constructor => Some(Hint::THIS),
        _ => values::type_hint(walk, signature),
    });
    let bodiless = body.is_none()
        && (matches!(kind, SymbolKind::Method | SymbolKind::Function)
            || signature.kind_name() == "getter_signature");
    draft.set_if(SymbolFlags::DECLARATION, bodiless);
    walk.define(draft, frame);
    // What has no block of its own ends here.
    frame.scope = Scope::Function;
}

/// Fields and variables, or a member without a body.
fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(list) = node.part(words!(
        "initialized_identifier_list static_final_declaration_list identifier_list"
    )) else {
        return callable(walk, node, frame);
    };
    let outer = walk
        .above(0)
        .filter(|above| above.kind_name() == "member_declaration")
        .unwrap_or(node);
    let constant = node.part(&["const"]).is_some()
        || node
            .field("modifier")
            .is_some_and(|word| matches!(word.kind_name(), "const" | "final"));
    let fixed = node.part(&["final"]).is_some();
    for name in list.named().filter_map(|item| match item.kind_name() {
        "identifier" => Some(item),
        _ => item.field("name"),
    }) {
        let mut draft = Draft::new(SymbolKind::Field, name, outer);
        let of_class = node.part(&["static"]).is_some();
        draft.kind = match frame.scope {
            Scope::Class if constant || (fixed && of_class) => SymbolKind::Constant,
            Scope::Class => SymbolKind::Field,
            _ if constant || fixed => SymbolKind::Constant,
            _ => SymbolKind::Variable,
        };
        annotated(walk, outer, &mut draft);
        visible(walk, frame, &mut draft);
        let variable = name.parent().unwrap_or(node);
        draft.value(values::variable_hint(walk, node, variable));
        walk.record(&draft, frame);
    }
}

/// What an extension type wraps is a field of it.
fn representation<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        visible(walk, frame, &mut draft);
        draft.value(values::type_hint(walk, node));
        walk.record(&draft, frame);
    }
}

/// In `a..b()..c()` the object of each part is `a`.
fn cascaded<'t>(walk: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    let cascade = walk.enclosing(&["cascade"]);
    if let Some(object) = cascade.and_then(|cascade| cascade.node.named_child(0)) {
        frame.object = (object.start_byte(), object.end_byte());
    }
}

/// `a..b = c` assigns to a member of `a`.
fn cascade_selector<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let assigned = node
        .next_sibling()
        .is_some_and(|next| next.kind_name().ends_with('='));
    if assigned {
        frame.role = Write;
    }
    cascaded(walk, node, frame)
}

/// `++x` writes.
fn step<'t>(_: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if node.part(&["increment_operator"]).is_some() {
        frame.role = Write;
    }
}

const TEST_CALLS: &[&[u8]] = byte_words!("test group testWidgets blocTest goldenTest");

/// `test('title', () { ... })`.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let name = walk.text_of(node.field("function"));
    if !TEST_CALLS.contains(&name) {
        return;
    }
    let Some(arguments) = node.field("arguments") else {
        return;
    };
    let title = arguments
        .named_child(0)
        .filter(|title| title.kind_name() == "string_literal");
    let function = arguments.part(&["function_expression"]);
    let Some((title, function)) = title.zip(function) else {
        return;
    };
    walk.define_test(node, frame, title, function.field("body"));
}
