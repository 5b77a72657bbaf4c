//! Java.

mod arguments;
mod doubts;
pub(crate) mod entry_points;
pub(crate) mod facts;
mod handed;
mod locals;
mod resolve;
mod values;

use crate::syntax::prelude::*;

/// Java.
pub(crate) static JAVA: LangSpec = LangSpec {
    entry_points: Some(&entry_points::ENTRIES),
    defs: &[
        def("class_declaration", SymbolKind::Class),
        def("interface_declaration", SymbolKind::Interface),
        def("annotation_type_declaration", SymbolKind::Interface),
        def("enum_declaration", SymbolKind::Enum),
        def("record_declaration", SymbolKind::Struct),
        def("method_declaration", SymbolKind::Method),
        def("annotation_type_element_declaration", SymbolKind::Method),
        def("constructor_declaration", SymbolKind::Constructor),
        def("compact_constructor_declaration", SymbolKind::Constructor),
        def("enum_constant", SymbolKind::Variant),
    ],
    refine,
    hooks: hooks! {
        field_declaration => "field_declaration constant_declaration",
        class_body => "class_body",
        formal_parameter => "formal_parameter",
        locals::spread => "spread_parameter",
        locals::catch_parameter => "catch_formal_parameter",
        locals::variables => "local_variable_declaration",
        locals::enhanced_for => "enhanced_for_statement",
        locals::resource => "resource",
        locals::instance_of => "instanceof_expression",
        locals::pattern => "type_pattern record_pattern_component",
        locals::type_parameter => "type_parameter",
        locals::lambda => "lambda_expression",
        counted => "argument_list",
        handed::call => "method_invocation",
        declared_type => "generic_type scoped_type_identifier array_type",
        element_value_pair => "element_value_pair",
        hooks::function => "static_initializer block",
        import_declaration => "import_declaration",
        package_declaration => "package_declaration",
    },
    roles: roles! {
        Object => "method_invocation.object field_access.object scoped_identifier.scope",
        MemberIs(Call) => "method_invocation.name",
        Is(Call) => "object_creation_expression.type annotation.name marker_annotation.name",
        Member => "field_access.field scoped_identifier.name",
        Chain => "scoped_type_identifier",
        Loose => "method_reference",
        Pass => "generic_type array_type.element annotated_type type_list parenthesized_expression
            inferred_parameters",
        Is(Type) => "type_arguments permits type_bound record_pattern",
        Is(Inherit) => "superclass super_interfaces extends_interfaces",
        Is(Write) => "type_parameter assignment_expression.left update_expression
            variable_declarator.name formal_parameter.name catch_formal_parameter.name
            enhanced_for_statement.name resource.name instanceof_expression.name
            lambda_expression.parameters pattern record_pattern_body",
        Pattern => "type_pattern record_pattern_component",
        Is(Import) => "import_declaration",
    },
    identifiers: &[("identifier", Read), ("type_identifier", Type)],
    this_kinds: &["this", "super"],
    comments: &["line_comment", "block_comment"],
    strings: &["string_literal"],
    hint: values::of_value,
    ..LangSpec::new()
};

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    modifiers(walk, node, frame, draft);
    draft.set_if(
        SymbolFlags::DECLARATION,
        matches!(draft.kind, SymbolKind::Method) && node.field("body").is_none(),
    );
    let declared = node.field("type");
    draft.value(match draft.kind {
        SymbolKind::Method => declared.and_then(|declared| values::of_type(walk, declared)),
        SymbolKind::Constructor | SymbolKind::Variant => Some(Hint::THIS),
        _ => None,
    });
}

/// The body of a class, which may have no name.
fn class_body<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    match walk.kind_above(0) == "object_creation_expression" {
        true => hooks::anonymous(walk, node, frame),
        false => hooks::class(walk, node, frame),
    }
}

/// Annotations and visibility. Whatever is not private can be seen from another file.
fn modifiers<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> bool {
    let mut private = false;
    let mut constant = (false, false);
    if let Some(list) = node
        .child(0)
        .filter(|child| child.kind_name() == "modifiers")
    {
        let is_annotation = |kind: &str| kind.ends_with("annotation");
        draft.led_by(
            list,
            list.parts(),
            is_annotation,
            |draft, modifier| match modifier.kind_name() {
                "private" => private = true,
                "static" => constant.0 = true,
                "final" => constant.1 = true,
                kind if is_annotation(kind) => {
                    let name = walk.text_of(modifier.field("name"));
                    draft.set_if(SymbolFlags::TEST, name.ends_with(b"Test"));
                    draft.set_if(SymbolFlags::DEPRECATED, name == b"Deprecated");
                }
                _ => {}
            },
        );
    }
    draft.set_if(SymbolFlags::EXPORTED, frame.is_open() && !private);
    constant == (true, true)
}

fn field_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    for declarator in node.fields("declarator") {
        let Some(name) = declarator.field("name") else {
            continue;
        };
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        let mut known = node
            .field("type")
            .and_then(|declared| values::of_type(walk, declared));
        if declarator.field("dimensions").is_some() {
            known = known.and_then(|known| known.collections(1));
        }
        draft.value(known);
        if modifiers(walk, node, frame, &mut draft) || node.kind_name() == "constant_declaration" {
            draft.kind = SymbolKind::Constant;
        }
        walk.record(&draft, frame);
    }
}

/// The parameters of a record are its fields.
fn formal_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let of_record = walk.kind_above(1) == "record_declaration";
    if !of_record {
        locals::parameter(walk, node);
    } else if let Some(name) = node.field("name") {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        modifiers(walk, node, frame, &mut draft);
        let declared = node.field("type");
        let known = declared.and_then(|declared| values::of_type(walk, declared));
        draft.value(known);
        walk.record(&draft, frame);
    }
}

/// In a pattern only the name that follows the type is written to.
fn declared_type<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    if frame.role == Write {
        frame.role = Type;
    }
}

/// How many arguments a method is called with, if any.
fn counted<'t>(walk: &mut Walk<'t>, list: Node<'t>, _: &mut Frame<'t>) {
    if let Some(call) = walk.above(0)
        && call.kind_name() == "method_invocation"
        && let Some(name) = call.field("name")
        && list.named_child_count() > 0
    {
        walk.count(name, list.argument_count());
    }
}

/// `@Column(name = "id")` sets what the annotation's type declares.
fn element_value_pair<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let of = walk
        .ancestor(1)
        .and_then(|annotation| annotation.node.field("name"))
        .and_then(|name| values::of_type(walk, name));
    if let Some(key) = node.field("key") {
        walk.field_name(key, Write, of);
    }
}

fn package_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let name = node
        .named()
        .find(|child| child.kind_name().ends_with("identifier"));
    if let Some(name) = name {
        walk.import(ImportKind::Package, node, walk.text(name), Vec::new());
    }
    frame.skip();
}

/// `import a.b.C` binds `C` to the whole of `a.b.C`; `import static a.B.c` takes `c` from `a.B`.
fn import_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let (mut path, mut all, mut fixed) = (None, false, false);
    for child in node.parts() {
        match child.kind_name() {
            "scoped_identifier" | "identifier" => path = Some(child),
            "asterisk" => all = true,
            "static" => fixed = true,
            _ => {}
        }
    }
    let Some(path) = path else { return };
    let text = walk.text(path);
    let last = path.field("name").map_or(text, |name| walk.text(name));
    let module = path.field("scope").map_or(text, |scope| walk.text(scope));
    let (specifier, binding) = if all {
        (text, walk.binding(None, None))
    } else if fixed {
        (module, walk.binding(Some(last), Some(last)))
    } else {
        (text, walk.binding(None, Some(last)))
    };
    walk.import(ImportKind::Import, node, specifier, vec![binding]);
}
