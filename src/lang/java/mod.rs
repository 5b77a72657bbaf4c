//! Java.

pub(crate) mod facts;
mod locals;
mod resolve;
mod values;

use crate::record::{ImportKind, OccurrenceKind, SymbolFlags, SymbolKind};
use crate::syntax::flows::Clue;
use crate::syntax::rows::{DefRow, LangSpec, Rule, Visit};
use crate::syntax::symbols::Draft;
use crate::syntax::values::Known;
use crate::syntax::walk::{Frame, Scope, Walk};
use OccurrenceKind::{Call, Import, Inherit, Read, Type, Write};
use Rule::{Chain, Is, Loose, Member, MemberIs, Object, Pass, Pattern};
use tree_sitter::Node;

const fn def(node: &'static str, kind: SymbolKind) -> DefRow {
    DefRow {
        node,
        kind,
        name: "name",
        body: "body",
    }
}

/// Java.
pub(crate) static JAVA: LangSpec = LangSpec {
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
    hooks: &[
        ("field_declaration", field_declaration),
        ("constant_declaration", field_declaration),
        ("class_body", class_body),
        ("formal_parameter", formal_parameter),
        ("spread_parameter", locals::spread),
        ("catch_formal_parameter", locals::catch_parameter),
        ("local_variable_declaration", locals::variables),
        ("enhanced_for_statement", locals::enhanced_for),
        ("resource", locals::resource),
        ("instanceof_expression", locals::instance_of),
        ("type_pattern", locals::pattern),
        ("record_pattern_component", locals::pattern),
        ("type_parameter", locals::type_parameter),
        ("lambda_expression", locals::lambda),
        ("generic_type", declared_type),
        ("scoped_type_identifier", declared_type),
        ("array_type", declared_type),
        ("element_value_pair", element_value_pair),
        ("static_initializer", function_scope),
        ("block", function_scope),
        ("import_declaration", import_declaration),
        ("package_declaration", package_declaration),
    ],
    roles: &[
        ("method_invocation", "object", Object),
        ("method_invocation", "name", MemberIs(Call)),
        ("object_creation_expression", "type", Is(Call)),
        ("field_access", "object", Object),
        ("field_access", "field", Member),
        ("scoped_identifier", "scope", Object),
        ("scoped_identifier", "name", Member),
        ("scoped_type_identifier", "", Chain),
        ("method_reference", "", Loose),
        ("generic_type", "", Pass),
        ("type_arguments", "", Is(Type)),
        ("array_type", "element", Pass),
        ("annotated_type", "", Pass),
        ("superclass", "", Is(Inherit)),
        ("super_interfaces", "", Is(Inherit)),
        ("extends_interfaces", "", Is(Inherit)),
        ("permits", "", Is(Type)),
        ("type_list", "", Pass),
        ("type_bound", "", Is(Type)),
        ("type_parameter", "", Is(Write)),
        ("annotation", "name", Is(Call)),
        ("marker_annotation", "name", Is(Call)),
        ("parenthesized_expression", "", Pass),
        ("assignment_expression", "left", Is(Write)),
        ("update_expression", "", Is(Write)),
        ("variable_declarator", "name", Is(Write)),
        ("formal_parameter", "name", Is(Write)),
        ("catch_formal_parameter", "name", Is(Write)),
        ("enhanced_for_statement", "name", Is(Write)),
        ("resource", "name", Is(Write)),
        ("instanceof_expression", "name", Is(Write)),
        ("lambda_expression", "parameters", Is(Write)),
        ("inferred_parameters", "", Pass),
        ("pattern", "", Is(Write)),
        ("record_pattern", "", Is(Type)),
        ("record_pattern_body", "", Is(Write)),
        ("type_pattern", "", Pattern),
        ("record_pattern_component", "", Pattern),
        ("import_declaration", "", Is(Import)),
    ],
    identifiers: &[("identifier", Read), ("type_identifier", Type)],
    this_kinds: &["this", "super"],
    this_names: &[],
    comments: &["line_comment", "block_comment"],
    strings: &["string_literal"],
    clue: values::clue,
    finish: |_| {},
};

fn refine<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> bool {
    modifiers(walk, node, frame, draft);
    if matches!(draft.kind, SymbolKind::Method) && node.child_by_field_name("body").is_none() {
        draft.set(SymbolFlags::DECLARATION);
    }
    let declared = node.child_by_field_name("type");
    draft.value(match draft.kind {
        SymbolKind::Method => declared
            .and_then(|declared| values::of_type(walk, declared))
            .map(Known::clue),
        SymbolKind::Constructor | SymbolKind::Variant => Some(Clue::THIS),
        _ => None,
    });
    true
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
    if let Some(list) = node.child(0).filter(|child| child.kind() == "modifiers") {
        let mut begin = None;
        let mut cursor = list.walk();
        for modifier in list.children(&mut cursor) {
            if modifier.kind().ends_with("annotation") {
                draft.decorated(list);
                let name = modifier
                    .child_by_field_name("name")
                    .map_or(&b""[..], |name| walk.text(name));
                if name.ends_with(b"Test") {
                    draft.set(SymbolFlags::TEST);
                }
                if name == b"Deprecated" {
                    draft.set(SymbolFlags::DEPRECATED);
                }
                begin = None;
            } else {
                begin = begin.or(Some(modifier));
                match modifier.kind() {
                    "private" => private = true,
                    "static" => constant.0 = true,
                    "final" => constant.1 = true,
                    _ => {}
                }
            }
        }
        if let Some(begin) = begin.or_else(|| node.child(1)) {
            draft.begin(begin);
        }
    }
    let visible = frame.scope == Scope::Module || (frame.scope == Scope::Class && frame.exported);
    if visible && !private {
        draft.set(SymbolFlags::EXPORTED);
    }
    constant == (true, true)
}

fn field_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let mut cursor = node.walk();
    let declarators: Vec<_> = node
        .children_by_field_name("declarator", &mut cursor)
        .collect();
    for declarator in declarators {
        let Some(name) = declarator.child_by_field_name("name") else {
            continue;
        };
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        let mut known = node
            .child_by_field_name("type")
            .and_then(|declared| values::of_type(walk, declared));
        if declarator.child_by_field_name("dimensions").is_some() {
            known = known.and_then(|known| known.collection(1));
        }
        draft.value(known.map(Known::clue));
        if modifiers(walk, node, frame, &mut draft) || node.kind() == "constant_declaration" {
            draft.kind = SymbolKind::Constant;
        }
        walk.record(&draft, frame);
    }
    Visit::Descend
}

/// The parameters of a record are its fields.
fn formal_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let of_record = walk
        .ancestor(1)
        .is_some_and(|owner| owner.node.kind() == "record_declaration");
    if !of_record {
        locals::parameter(walk, node);
    } else if let Some(name) = node.child_by_field_name("name") {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        modifiers(walk, node, frame, &mut draft);
        let declared = node.child_by_field_name("type");
        let known = declared.and_then(|declared| values::of_type(walk, declared));
        draft.value(known.map(Known::clue));
        walk.record(&draft, frame);
    }
    Visit::Descend
}

/// In a pattern only the name that follows the type is written to.
fn declared_type<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if frame.role == Write {
        frame.role = Type;
    }
    Visit::Descend
}

/// `@Column(name = "id")` sets what the annotation's type declares.
fn element_value_pair<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let of = walk
        .ancestor(1)
        .and_then(|annotation| annotation.node.child_by_field_name("name"))
        .and_then(|name| values::of_type(walk, name))
        .map(Known::clue);
    if let Some(key) = node.child_by_field_name("key") {
        walk.field_name(key, Write, of);
    }
    Visit::Descend
}

/// Members of an anonymous class are members too.
fn class_body<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = Scope::Class;
    Visit::Descend
}

fn function_scope<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = Scope::Function;
    Visit::Descend
}

fn package_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let mut cursor = node.walk();
    let name = node
        .named_children(&mut cursor)
        .find(|child| child.kind().ends_with("identifier"));
    if let Some(name) = name {
        walk.import(
            ImportKind::Package,
            node.start_position().row,
            walk.text(name),
            Vec::new(),
        );
    }
    Visit::Skip
}

/// `import a.b.C` binds `C` to the whole of `a.b.C`; `import static a.B.c` takes `c` from `a.B`.
fn import_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let mut cursor = node.walk();
    let (mut path, mut all, mut fixed) = (None, false, false);
    for child in node.children(&mut cursor) {
        match child.kind() {
            "scoped_identifier" | "identifier" => path = Some(child),
            "asterisk" => all = true,
            "static" => fixed = true,
            _ => {}
        }
    }
    let Some(path) = path else {
        return Visit::Descend;
    };
    let row = node.start_position().row;
    let text = walk.text(path);
    let last = path
        .child_by_field_name("name")
        .map_or(text, |name| walk.text(name));
    let module = path
        .child_by_field_name("scope")
        .map_or(text, |scope| walk.text(scope));
    let (specifier, binding) = if all {
        (text, walk.binding(None, None))
    } else if fixed {
        (module, walk.binding(Some(last), Some(last)))
    } else {
        (text, walk.binding(None, Some(last)))
    };
    walk.import(ImportKind::Import, row, specifier, vec![binding]);
    Visit::Descend
}
