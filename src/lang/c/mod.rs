//! C and C++: one specification, since the C++ grammar extends the C grammar.

mod arguments;
mod conditions;
mod declarators;
pub(crate) mod facts;
mod locals;
mod macro_prefixes;
mod macro_tokens;
mod macros;
mod resolve;
mod values;

use self::declarators::{declared, unqualified};
use crate::syntax::prelude::*;
pub(super) use macro_prefixes::blank as blank_prefixes;
pub(super) use macro_tokens::{Token, is_part, tokens};
pub(super) use values::of_value;

/// What C and Objective-C define alike.
pub(super) const DEFS: &[DefRow] = &[
    def("enumerator", SymbolKind::Variant),
    DefRow {
        node: "preproc_def",
        kind: SymbolKind::Macro,
        name: "name",
        body: "value",
    },
    DefRow {
        node: "preproc_function_def",
        kind: SymbolKind::Macro,
        name: "name",
        body: "value",
    },
];

/// What C++ defines besides.
const CPP_DEFS: &[DefRow] = &[
    def("namespace_definition", SymbolKind::Module),
    def("alias_declaration", SymbolKind::Type),
    def("concept_definition", SymbolKind::Type),
    def("namespace_alias_definition", SymbolKind::Module),
];

/// Code that C and Objective-C share.
pub(super) const HOOKS: &[(&str, Hook)] = hooks! {
    specifier => "struct_specifier union_specifier enum_specifier",
    type_definition => "type_definition",
    declarators::function_definition => "function_definition",
    declarators::declaration => "declaration field_declaration",
    declarators::called_declaration => "expression_statement",
    declarators::stray_declarator => "function_declarator",
    function_scope => "compound_statement",
    include => "preproc_include",
    macros::macro_text => "preproc_arg",
    locals::macro_parameters => "preproc_params",
    locals::parameter => "parameter_declaration",
    locals::designator => "field_designator",
};

/// Code of C++ alone.
const CPP_HOOKS: &[(&str, Hook)] = hooks! {
    specifier => "class_specifier",
    function_scope => "lambda_expression",
    locals::parameter => "optional_parameter_declaration variadic_parameter_declaration",
    locals::type_parameter => "type_parameter_declaration optional_type_parameter_declaration
        variadic_type_parameter_declaration",
    locals::range_loop => "for_range_loop",
    locals::capture => "lambda_capture_initializer",
    locals::field_initializer => "field_initializer",
    using => "using_declaration",
};

/// How C and Objective-C use names alike.
pub(super) const ROLES: &[(&str, &str, Rule)] = roles! {
    Is(Call) => "call_expression.function",
    Object => "field_expression.argument",
    Member => "field_expression.field",
    Pass => "parenthesized_expression init_declarator.declarator pointer_declarator.declarator
        array_declarator.declarator function_declarator.declarator parenthesized_declarator
        attributed_declarator",
    Is(Write) => "assignment_expression.left update_expression.argument declaration.declarator
        field_declaration.declarator parameter_declaration.declarator function_definition.declarator
        preproc_params",
};

/// How C++ uses names besides.
const CPP_ROLES: &[(&str, &str, Rule)] = roles! {
    Object => "qualified_identifier.scope",
    Member => "qualified_identifier.name template_function.name template_method.name
        template_type.name",
    Pass => "dependent_name reference_declarator variadic_declarator structured_binding_declarator",
    Is(Call) => "new_expression.type",
    Is(Inherit) => "base_class_clause",
    Is(Write) => "optional_parameter_declaration.declarator
        variadic_parameter_declaration.declarator for_range_loop.declarator field_initializer
        lambda_capture_initializer.left type_parameter_declaration
        variadic_type_parameter_declaration optional_type_parameter_declaration.name",
    Is(Read) => "condition_clause.value",
    Is(Import) => "using_declaration",
};

const ALL_DEFS: [DefRow; DEFS.len() + CPP_DEFS.len()] = joined(DEFS, CPP_DEFS);
const ALL_HOOKS: [(&str, Hook); HOOKS.len() + CPP_HOOKS.len()] = joined(HOOKS, CPP_HOOKS);
const ALL_ROLES: [(&str, &str, Rule); ROLES.len() + CPP_ROLES.len()] = joined(ROLES, CPP_ROLES);

/// C and C++.
pub(crate) static C: LangSpec = LangSpec {
    defs: &ALL_DEFS,
    refine,
    hooks: &ALL_HOOKS,
    roles: &ALL_ROLES,
    identifiers: &[
        ("identifier", Read),
        ("field_identifier", Read),
        ("type_identifier", Type),
        ("namespace_identifier", Read),
    ],
    this_kinds: &["this"],
    strings: &["string_literal", "raw_string_literal"],
    hint: values::of_value,
    ..LangSpec::new()
};

/// Completes a definition of C.
pub(super) fn refine<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) {
    match node.kind_name() {
        "enumerator" if frame.exported => draft.set(SymbolFlags::EXPORTED),
        "enumerator" => {}
        "preproc_def" | "preproc_function_def" => draft.set(SymbolFlags::EXPORTED),
        _ if frame.scope == Scope::Function => draft.reject(),
        _ => {
            draft.set(SymbolFlags::EXPORTED);
            widen(walk, draft);
            let alias = node
                .field("type")
                .filter(|_| node.kind_name() == "alias_declaration");
            let known = alias.and_then(|alias| values::of_type(walk, alias));
            draft.value(known);
        }
    }
}

/// A template's parameters belong to what they are for.
fn widen<'t>(walk: &Walk<'t>, draft: &mut Draft<'t>) {
    if let Some(above) = walk
        .ancestor(0)
        .filter(|above| above.node.kind_name() == "template_declaration")
    {
        draft.begin(above.node);
        draft.lead_row = draft.lead_row.min(draft.start_at.row);
    }
}

fn specifier_kind(node: Node<'_>) -> Option<SymbolKind> {
    match node.kind_name() {
        "struct_specifier" => Some(SymbolKind::Struct),
        "class_specifier" => Some(SymbolKind::Class),
        "union_specifier" => Some(SymbolKind::Union),
        "enum_specifier" => Some(SymbolKind::Enum),
        _ => None,
    }
}

/// A struct, class, union or enum with a name and a body.
fn specifier<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let (Some(kind), Some(body)) = (specifier_kind(node), node.field("body")) else {
        return;
    };
    if let Some(name) = node.field("name") {
        let (name, receiver) = unqualified(walk, name);
        let mut draft = Draft::new(kind, name, node);
        draft.receiver = receiver;
        draft.body = Some(body.start_byte());
        draft.set(SymbolFlags::EXPORTED);
        widen(walk, &mut draft);
        walk.define(draft, frame);
        // `typedef struct a {} b;`, `struct a {} b;`: what is declared with it names it too.
        let declares = walk
            .ancestor(0)
            .is_some_and(|above| above.node.field("declarator").is_some());
        if declares {
            walk.names_another(name);
        }
    }
    frame.scope = Scope::Class;
}

/// `typedef struct { ... } A` names the struct; any other typedef is an alias.
fn type_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let local = frame.scope == Scope::Function;
    let aliased = node.field("type");
    let anonymous = aliased.filter(|a| a.field("name").is_none() && a.field("body").is_some());
    let declarators = node.named_fields("declarator");
    for (i, declarator) in declarators.into_iter().enumerate() {
        let Some(found) = declared(walk, declarator) else {
            continue;
        };
        let mut draft = Draft::new(SymbolKind::Type, found.name, node);
        draft.set_if(SymbolFlags::EXPORTED, !local);
        // `typedef int count` is a name for plain values, and pointers to functions are called.
        let known = values::of_declared(walk, aliased, declarator);
        let known =
            known.filter(|known| known.kind != HintKind::Literal && found.function.is_none());
        draft.value(known);
        if let Some((kind, body)) = anonymous.and_then(|a| specifier_kind(a).zip(a.field("body")))
            && i == 0
        {
            draft.kind = kind;
            draft.body = Some(body.start_byte());
            walk.define(draft, frame);
            continue;
        }
        walk.record(&draft, frame);
    }
}

fn function_scope<'t>(_: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    // Only a class that a macro made look like a function has statements for its members.
    if node.kind_name() != "compound_statement" || frame.scope != Scope::Class {
        frame.scope = Scope::Function;
    }
}

/// `<a.h>` keeps its brackets, `"a.h"` loses its quotes.
fn include<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(path) = node.field("path") {
        let text = walk.text(path);
        let specifier = if path.kind_name() == "string_literal" {
            string_content(text)
        } else {
            text
        };
        walk.import(ImportKind::Include, node, specifier, Vec::new());
    }
    frame.skip();
}

/// `using namespace a` takes everything, `using a::b` one name.
fn using<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(path) = node.named_child(0) else {
        return;
    };
    let text = walk.text(path);
    if node
        .child(1)
        .is_some_and(|child| child.kind_name() == "namespace")
    {
        let binding = walk.binding(None, None);
        walk.import(ImportKind::Import, node, text, vec![binding]);
    } else {
        let (name, _) = unqualified(walk, path);
        let name = walk.text(name);
        let scope = text
            .strip_suffix(name)
            .and_then(|scope| scope.strip_suffix(b"::"))
            .unwrap_or(b"");
        let binding = walk.binding(Some(name), Some(name));
        walk.import(ImportKind::Import, node, scope, vec![binding]);
    }
}
