//! JavaScript, TypeScript and JSX: one specification, since the grammars share their names.

mod arguments;
mod assignments;
mod bindings;
mod discriminants;
mod doubts;
mod entry_points;
mod expected;
pub(crate) mod facts;
mod frameworks;
mod functions;
mod library;
mod literals;
mod members;
mod modules;
pub(crate) mod naming;
mod narrowing;
mod newer;
mod patterns;
mod picked;
mod resolve;
mod shapes;
mod type_arguments;
mod types;
mod values;

use crate::id::LocalName;
use crate::syntax::prelude::*;
use assignments::{assignment, members_by_call};
use bindings::{
    augmented_assignment, catch_clause, declarator, for_in_statement, formal_parameters,
    pair_pattern, type_parameter, type_variable,
};
use discriminants::{is_of_names, switch_statement};
use expected::expected;
use functions::{class_expression, declares_test, function_expression, test_call};
use literals::{list, object};
use members::{
    class_body, class_field, enum_body, is_handed, jsx_attribute, member, note_expected, pair,
    parameter,
};
use modules::{
    export_statement, import_statement, member_of_module, require_into, required, taken_from,
};
use narrowing::{binary_expression, check_by_call};
use rustc_hash::FxHashMap;
use shapes::{is_anonymous, tuple_type};
use type_arguments::{of_base, of_new, of_type};
use types::{call_signatures, function_type, several_types, type_hint};
use values::{hint, quoted_member, return_statement, returned};

/// JavaScript.
pub(crate) static JAVASCRIPT: LangSpec = LangSpec {
    entry_points: Some(&entry_points::ENTRIES),
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
    hooks: hooks! {
        import_statement => "import_statement",
        declaration_for_others => "ambient_declaration",
        export_statement => "export_statement",
        call => "call_expression",
        assignment => "assignment_expression",
        augmented_assignment => "augmented_assignment_expression",
        declarator => "variable_declarator",
        pair => "pair",
        class_field => "public_field_definition field_definition",
        enum_body => "enum_body",
        function_expression => "function_expression generator_function arrow_function",
        class_expression => "class",
        parameter => "required_parameter optional_parameter",
        formal_parameters => "formal_parameters",
        catch_clause => "catch_clause",
        for_in_statement => "for_in_statement",
        pair_pattern => "pair_pattern",
        type_parameter => "type_parameter",
        binary_expression => "binary_expression",
        switch_statement => "switch_statement",
        type_variable => "infer_type mapped_type_clause index_signature",
        return_statement => "return_statement",
        hooks::function => "method_definition class_static_block",
        class_body => "class_body",
        call_signatures => "interface_body object_type",
        tuple_type => "tuple_type",
        list => "array",
        object => "object",
        function_type => "function_type",
        jsx_attribute => "jsx_attribute",
        hooks::skip => "jsx_closing_element",
        several_types => "union_type intersection_type conditional_type",
        quoted_member => "lookup_type subscript_expression",
        of_type => "generic_type",
        of_base => "extends_clause",
        of_new => "new_expression",
    },
    roles: roles! {
        Is(Call) => "call_expression.function new_expression.constructor decorator",
        Is(Type) => "type_arguments instantiation_expression.type_arguments variable_declarator.type
            extends_clause.type_arguments type_annotation asserts_annotation
            type_predicate_annotation constraint default_type generic_type.type_arguments",
        Object => "member_expression.object nested_type_identifier.module nested_identifier.object",
        Member => "member_expression.property nested_type_identifier.name
            nested_identifier.property",
        Is(Read) => "subscript_expression.object jsx_expression literal_type",
        Pass => "non_null_expression parenthesized_expression sequence_expression await_expression
            instantiation_expression assignment_pattern.left object_assignment_pattern.left
            object_pattern array_pattern rest_pattern pair_pattern.value import_clause named_imports
            import_specifier namespace_import import_require_clause export_specifier as_expression
            satisfies_expression generic_type.name",
        Is(Write) => "assignment_expression.left augmented_assignment_expression.left
            update_expression.argument for_in_statement.left variable_declarator.name
            catch_clause.parameter formal_parameters arrow_function.parameter
            required_parameter.pattern required_parameter.name optional_parameter.pattern
            optional_parameter.name pair.key field_definition.property public_field_definition.name
            function_expression.name generator_function.name class.name method_definition.name
            jsx_attribute type_parameter.name",
        Is(Inherit) => "class_heritage extends_clause implements_clause extends_type_clause",
        Is(Import) => "import_statement import_alias export_clause namespace_export
            export_statement.source",
        Capital(Call) => "jsx_opening_element.name jsx_self_closing_element.name",
        Arg => "union_type intersection_type array_type",
    },
    identifiers: &[
        ("identifier", Read),
        ("property_identifier", Read),
        ("private_property_identifier", Read),
        ("shorthand_property_identifier", Read),
        ("shorthand_property_identifier_pattern", Write),
        ("type_identifier", Type),
    ],
    this_kinds: &["this", "super", "this_type"],
    comments: &["comment", "html_comment", "hash_bang_line"],
    strings: &["string"],
    hint,
    finish,
    ..LangSpec::new()
};

/// TypeScript, with or without JSX.
pub(crate) static TYPESCRIPT: LangSpec = LangSpec { ..JAVASCRIPT };

/// Widens a definition to the statement that exports or declares it.
fn widen<'t>(walk: &Walk<'t>, mut up: usize, draft: &mut Draft<'t>) {
    while let Some(frame) = walk.ancestor(up) {
        match frame.node.kind_name() {
            "export_statement" => {
                draft.set(SymbolFlags::EXPORTED);
                // Decorators may stand before `export`.
                if let Some(decorator) = frame.node.field("decorator") {
                    draft.decorated(decorator);
                    if let Some(keyword) = first_plain_child(frame.node) {
                        draft.begin(keyword);
                    }
                } else {
                    draft.begin(frame.node);
                    draft.lead_row = draft.lead_row.min(draft.start_at.row);
                }
                draft.set_if(
                    SymbolFlags::DEFAULT,
                    frame
                        .node
                        .child(1)
                        .is_some_and(|child| child.kind_name() == "default"),
                );
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
/// Types around the members of an object type that are looked through.
const MAX_WRAPPERS: usize = 12;

/// Whether a generic type has the members of its first argument.
fn is_wrapper(walk: &Walk<'_>, generic: Node<'_>) -> bool {
    let name = generic.field("name");
    name.is_some_and(|name| {
        matches!(
            walk.text(name),
            b"Readonly" | b"Partial" | b"Required" | b"Omit" | b"Pick" | b"NonNullable"
        )
    })
}

fn first_plain_child(node: Node<'_>) -> Option<Node<'_>> {
    (0..node.child_count())
        .filter_map(|i| node.child(i))
        .find(|child| child.kind_name() != "decorator")
}

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let name = draft.text(walk);
    unquote(walk, draft);
    // After a syntax error the grammar may take a keyword for a method's name.
    if name == b"function" || name.starts_with(b"[") {
        return draft.reject();
    }
    if node.kind_name() == "method_definition" && walk.take_claim(node.start_byte()) {
        return draft.reject();
    }
    if node.kind_name() == "method_definition" && is_handed(walk, frame) {
        if let Some((name, object)) = node.field("name").zip(walk.above(0)) {
            let of = expected(walk, object, 1);
            walk.member_name(name, OccurrenceKind::Write, of);
        }
        return draft.reject();
    }
    let known = match node.kind_name() {
        "property_signature" => node.field("type"),
        "type_alias_declaration" => node.field("value"),
        _ => None,
    };
    draft.value(match known {
        // What the members of an alias are say these themselves.
        Some(known) if node.kind_name() == "type_alias_declaration" => {
            let has_own = is_object(known) || known.named().any(is_object);
            let says = |of: &Hint| of.kind != HintKind::Shape && *of != Hint::LITERAL;
            type_hint(walk, known).filter(|of| !has_own || says(of))
        }
        Some(_) if is_of_names(walk, node) => Some(Hint::NAMES),
        Some(known) => type_hint(walk, known),
        None => returned(walk, node)
            .filter(|_| matches!(draft.kind, SymbolKind::Function | SymbolKind::Method)),
    });
    match draft.kind {
        SymbolKind::Method | SymbolKind::Field => {
            let above = walk.kind_above(0);
            if draft.kind == SymbolKind::Field || above == "object_type" {
                // Members of an anonymous object type belong to no symbol.
                if is_anonymous(walk, 1) || !matches!(above, "interface_body" | "object_type") {
                    walk.def_names.insert(draft.name.start);
                    return draft.reject();
                }
            }
            if name == b"constructor" && above == "class_body" {
                draft.kind = SymbolKind::Constructor;
            }
            draft.set_if(
                SymbolFlags::DECLARATION,
                node.kind_name().ends_with("_signature") && draft.kind == SymbolKind::Method,
            );
            member(walk, node, frame, draft);
            if node.kind_name() == "method_definition"
                && let Some(name) = node.field_of("name", "property_identifier")
            {
                note_expected(walk, name);
            }
        }
        SymbolKind::Variant => member(walk, node, frame, draft),
        SymbolKind::Function if node.kind_name() == "function_signature" => {
            draft.set(SymbolFlags::DECLARATION);
            widen(walk, 0, draft);
        }
        _ => {
            if draft.kind == SymbolKind::Type {
                draft.body = node
                    .field_of("value", "object_type")
                    .map(|v| v.start_byte());
            }
            if let Some(decorator) = node.field("decorator") {
                if let Some(first) = first_plain_child(node) {
                    draft.begin(first);
                }
                draft.decorated(decorator);
            }
            widen(walk, 0, draft);
        }
    }
}

fn is_object(of: Node<'_>) -> bool {
    of.kind_name() == "object_type"
}

/// `declare global { ... }` is a module of that name; `declare module "./a" { ... }` takes in the module it adds to.
fn declaration_for_others<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(declared) = node.child(1) else {
        return;
    };
    match declared.kind_name() {
        "global" => {
            let mut draft = Draft::new(SymbolKind::Module, declared, node);
            draft.set(SymbolFlags::DECLARATION);
            walk.define(draft, frame);
        }
        "module" => {
            let name = declared
                .field("name")
                .filter(|name| name.kind_name() == "string");
            let path = name.map(|name| string_content(walk.text(name)));
            if let Some(path) = path.filter(|path| path.starts_with(b".")) {
                walk.import(ImportKind::Import, node, path, Vec::new());
            }
        }
        _ => {}
    }
}

/// Names written as strings lose their quotes.
fn unquote(walk: &Walk<'_>, draft: &mut Draft<'_>) {
    let text = draft.text(walk);
    if text.len() > 2 && b"'\"`".contains(&text[0]) {
        draft.trim_name(1, 1);
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let start = node.start_byte();
    let text = &walk.src[start..];
    if text.starts_with(b"require(") || text.starts_with(b"import(") {
        if walk.take_claim(start) {
            // `const a = require("x").a` binds it already.
            member_of_module(walk, node);
            return;
        }
        // `import("x").then(({ name }) => ...)`
        let given = taken_from(walk);
        if let Some(pattern) = given
            && require_into(walk, node, pattern)
        {
            walk.take_claim(start);
            walk.claim(pattern.start_byte());
        } else if let Some((specifier, _)) = required(walk, node) {
            let dynamic = text.starts_with(b"import");
            let kind = if dynamic {
                ImportKind::Dynamic
            } else {
                ImportKind::Require
            };
            let taken = member_of_module(walk, node).map(|name| walk.binding(Some(name), None));
            walk.import(kind, node, specifier, taken.into_iter().collect());
        }
    } else if declares_test(text) {
        test_call(walk, node, frame);
    } else {
        members_by_call(walk, node, frame);
        check_by_call(walk, node, frame);
    }
}

/// The statement an assignment is, with its semicolon, or the assignment itself.
fn statement<'t>(walk: &Walk<'t>, node: Node<'t>) -> Node<'t> {
    walk.above(0)
        .filter(|above| above.kind_name() == "expression_statement")
        .unwrap_or(node)
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
