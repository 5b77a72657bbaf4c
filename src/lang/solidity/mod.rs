//! Solidity.

pub(crate) mod facts;
mod resolve;
mod values;

use crate::record::{ImportKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::syntax::node::NodeExt;
use crate::syntax::rows::{LangSpec, Rule, def};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Walk, string_content};
use OccurrenceKind::{Call, Import, Inherit, Read, Type, Write};
use Rule::{Is, Member, Object, Pass};
use tree_sitter::Node;

/// Solidity.
pub(crate) static SOLIDITY: LangSpec = LangSpec {
    defs: &[
        def("contract_declaration", SymbolKind::Class),
        def("library_declaration", SymbolKind::Class),
        def("interface_declaration", SymbolKind::Interface),
        def("struct_declaration", SymbolKind::Struct),
        def("struct_member", SymbolKind::Field),
        def("enum_declaration", SymbolKind::Enum),
        def("event_definition", SymbolKind::Struct),
        def("error_declaration", SymbolKind::Struct),
        def("function_definition", SymbolKind::Function),
        def("modifier_definition", SymbolKind::Method),
        def("state_variable_declaration", SymbolKind::Field),
        def("constant_variable_declaration", SymbolKind::Constant),
        def("user_defined_type_definition", SymbolKind::Type),
    ],
    refine,
    hooks: hooks! {
        unnamed => "constructor_definition fallback_receive_definition",
        enum_value => "enum_value",
        import => "import_directive",
        user_type => "user_defined_type",
        values::parameter => "parameter event_parameter error_parameter",
        values::variable => "variable_declaration",
        values::yul_variable => "yul_variable_declaration",
        values::yul_function => "yul_function_definition",
    },
    roles: roles! {
        Is(Call) => "call_expression.function emit_statement.name revert_statement.error
            new_expression.name struct_expression.type modifier_invocation
            yul_function_call.function",
        Pass => "expression parenthesized_expression tuple_expression yul_assignment yul_path
            yul_identifier user_defined_type type_name",
        Object => "member_expression.object",
        Member => "member_expression.property",
        Is(Read) => "array_access.base yul_block using_alias",
        Is(Write) => "assignment_expression.left augmented_assignment_expression.left
            update_expression.argument yul_variable_declaration.left yul_function_definition
            call_struct_argument.name struct_field_assignment.name type_name.key_identifier
            type_name.value_identifier parameter.name event_parameter.name error_parameter.name
            variable_declaration.name variable_declaration_tuple",
        Is(Inherit) => "inheritance_specifier.ancestor",
        Is(Type) => "override_specifier type_name.key_type type_name.value_type meta_type_expression
            using_directive using_directive.source type_alias parameter.type return_parameter.type
            event_parameter.type error_parameter.type struct_member.type
            state_variable_declaration.type constant_variable_declaration.type
            variable_declaration.type catch_clause",
        Is(Import) => "import_directive",
    },
    identifiers: &[("identifier", Read)],
    this_kinds: &[],
    this_names: &[b"this", b"super"],
    comments: &["comment"],
    strings: &["string"],
    hint: values::hint,
    ..LangSpec::new()
};

/// What stands between the parameters and the body: `public`, `view`, names of modifiers.
fn has_word(walk: &Walk<'_>, node: Node<'_>, words: &[&[u8]]) -> bool {
    node.parts().any(|child| words.contains(&walk.text(child)))
}

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    // Only private members are hidden from contracts of other files, which may inherit the rest.
    draft.set_if(SymbolFlags::EXPORTED, !has_word(walk, node, &[b"private"]));
    draft.value(values::of_definition(node));
    match node.kind_name() {
        "function_definition" => {
            draft.method_in(frame);
            draft.set_if(SymbolFlags::DECLARATION, draft.body.is_none());
            draft.set_if(SymbolFlags::TEST, is_test(walk, node, draft));
        }
        "state_variable_declaration" if has_word(walk, node, &[b"constant", b"immutable"]) => {
            draft.kind = SymbolKind::Constant;
        }
        _ => {}
    }
}

/// What Foundry runs: `test...` and `invariant...` of a contract that inherits one whose name ends in
/// `Test`.
fn is_test<'t>(walk: &Walk<'t>, node: Node<'t>, draft: &Draft<'t>) -> bool {
    let name = draft.text(walk);
    let named = [&b"test"[..], b"invariant", b"check_"]
        .iter()
        .any(|begin| name.starts_with(begin));
    if !named || !has_word(walk, node, &[b"public", b"external"]) {
        return false;
    }
    let contract = walk.above(1);
    contract.is_some_and(|contract| {
        contract.named().any(|base| {
            let ancestor = base.field("ancestor");
            ancestor.is_some_and(|ancestor| {
                let base = walk.text(ancestor);
                base.ends_with(b"Test") || base.ends_with(b"TestBase")
            })
        })
    })
}

/// A constructor, `receive` and `fallback` are named by their keyword.
fn unnamed<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(keyword) = node.child(0) else {
        return;
    };
    let kind = match node.kind_name() {
        "constructor_definition" => SymbolKind::Constructor,
        _ => SymbolKind::Method,
    };
    let mut draft = Draft::new(kind, keyword, node);
    draft.body_at(node.field("body"));
    draft.set(SymbolFlags::EXPORTED);
    walk.define(draft, frame);
}

fn enum_value<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let mut draft = Draft::new(SymbolKind::Variant, node, node);
    draft.set(SymbolFlags::EXPORTED);
    walk.record(&draft, frame);
    frame.skip();
}

/// `import "a"` takes every name, `import {a as b} from "a"` some, `import * as a from "a"` and
/// `import "a" as a` the whole.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(source) = node.field("source") else {
        return;
    };
    let specifier = string_content(walk.text(source));
    let mut bindings = Vec::new();
    let mut cursor = node.walk();
    let mut named: Option<&[u8]> = None;
    if cursor.goto_first_child() {
        loop {
            let text = walk.text(cursor.node());
            match cursor.field_name() {
                Some("import_name") => {
                    if let Some(before) = named.replace(text) {
                        bindings.push(walk.binding(Some(before), Some(before)));
                    }
                }
                Some("alias") => {
                    let imported = named.take();
                    bindings.push(walk.binding(imported, Some(text)));
                }
                _ => {}
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    if let Some(last) = named {
        bindings.push(walk.binding(Some(last), Some(last)));
    }
    if bindings.is_empty() {
        bindings.push(walk.binding(None, None));
    }
    walk.import(ImportKind::Import, node, specifier, bindings);
}

/// `A.B.C`: each name in the one before.
fn user_type<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let parts: Vec<Node<'t>> = node.all_of("identifier").collect();
    walk.path(&parts, Qualifier::None, Read, frame.role);
    frame.skip();
}
