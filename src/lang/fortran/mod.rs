//! Fortran.

mod conditions;
pub(crate) mod facts;
mod fypp;
mod resolve;

use crate::syntax::prelude::*;
use rustc_hash::FxHashSet;

/// Fortran 2018.
pub(crate) static FORTRAN: LangSpec = LangSpec {
    hooks: hooks! {
        unit => "module submodule program block_data subroutine function module_procedure",
        half_typed => "subroutine_statement function_statement module_statement",
        derived_type => "derived_type_definition",
        procedure => "procedure_statement generic_statement",
        interface => "interface",
        enumerators => "enumerator_statement",
        variables => "variable_declaration",
        parameters => "parameters",
        result => "function_result",
        association => "association",
        written => "loop_control_expression",
        call_or_element => "call_expression",
        use_statement => "use_statement",
        include => "include_statement",
        public => "public_statement",
        private => "private_statement",
        no_names => "end_module_statement end_submodule_statement end_program_statement
            end_subroutine_statement end_function_statement end_module_procedure_statement
            end_type_statement end_interface_statement end_block_data_statement language_binding",
    },
    roles: roles! {
        Chain => "derived_type_member_expression",
        First => "call_expression loop_control_expression sized_declarator",
        Is(Call) => "subroutine_call.subroutine",
        Is(Read) => "argument_list init_declarator.right pointer_init_declarator.right",
        Is(Write) => "keyword_argument.name assignment_statement.left
            pointer_association_statement.left association.name parameters function_result
            variable_declaration.declarator",
        Pass => "init_declarator.left pointer_init_declarator.left parenthesized_expression",
        Is(Inherit) => "base_type_specifier",
        Is(Type) => "type_statement.type",
        Is(Import) => "use_statement included_items use_alias submodule_statement.ancestor
            public_statement private_statement",
    },
    identifiers: &[
        ("identifier", Read),
        ("type_member", Read),
        ("type_name", Type),
        ("method_name", Read),
        ("module_name", Read),
        ("local_name", Read),
        ("name", Read),
        ("procedure_interface", Type),
    ],
    this_kinds: &[],
    this_names: &[],
    comments: &["comment"],
    strings: &["string_literal"],
    hint: hint_of,
    finish,
    ..LangSpec::new()
};

fn no_names<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.skip();
}

/// What has variables of its own.
const UNITS: &[&str] = &["subroutine", "function", "module_procedure", "program"];

/// The name in the first statement of a unit.
fn unit_name(statement: Node<'_>) -> Option<Node<'_>> {
    statement.field("name").or_else(|| {
        statement
            .content()
            .into_iter()
            .find(|part| matches!(part.kind_name(), "name" | "type_name"))
    })
}

fn unit_kind(kind: &str) -> SymbolKind {
    match kind {
        "module" | "submodule" | "block_data" | "module_statement" => SymbolKind::Module,
        _ => SymbolKind::Function,
    }
}

/// A module, program, subroutine or function.
fn unit<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(statement) = node.named_child(0) else {
        return;
    };
    let kind = unit_kind(node.kind_name());
    let Some(name) = unit_name(statement) else {
        if kind == SymbolKind::Function {
            frame.scope = Scope::Function;
        }
        return;
    };
    let mut draft = Draft::new(kind, name, node);
    draft.body = Some(statement.end_byte());
    let in_interface = walk
        .ancestor(0)
        .is_some_and(|above| above.node.kind_name() == "interface");
    if in_interface {
        draft.set(SymbolFlags::DECLARATION);
    }
    if frame.scope != Scope::Function && frame.symbol.is_none() {
        draft.set(SymbolFlags::EXPORTED);
    }
    if walk.text(name).starts_with(b"test_") && kind == SymbolKind::Function {
        draft.set(SymbolFlags::TEST);
    }
    let returned = statement.field("type");
    draft.value(returned.and_then(|kind| declared_type(kind)));
    walk.define(draft, frame);
    if node.kind_name() == "submodule"
        && let Some(parent) = statement
            .content()
            .into_iter()
            .find(|part| part.kind_name() == "module_name")
    {
        let all = vec![walk.binding(None, None)];
        walk.import(ImportKind::Import, statement, walk.text(parent), all);
    }
}

/// The first statement of a unit whose end is not typed yet.
fn half_typed<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let loose = walk.ancestor(0).is_some_and(|above| above.node.is_error());
    if let Some(name) = unit_name(node).filter(|_| loose) {
        let draft = Draft::new(unit_kind(node.kind_name()), name, node);
        walk.record(&draft, frame);
        if node.kind_name() != "module_statement"
            && let Some(error) = walk.stack.last_mut()
        {
            error.scope = Scope::Function;
        }
    }
}

fn derived_type<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(statement) = node.named_child(0) else {
        return;
    };
    if let Some(name) = unit_name(statement) {
        let mut draft = Draft::new(SymbolKind::Struct, name, node);
        draft.body = Some(statement.end_byte());
        access(walk, statement, &mut draft);
        walk.define(draft, frame);
    }
    frame.scope = Scope::Class;
}

/// What a statement itself says of who may use what it declares.
fn access<'t>(walk: &Walk<'t>, statement: Node<'t>, draft: &mut Draft<'t>) {
    let says = |word: &[u8]| {
        statement
            .content()
            .iter()
            .any(|part| walk.text(*part).eq_ignore_ascii_case(word))
    };
    if says(b"public") {
        draft.set(SymbolFlags::EXPORTED);
    }
}

/// `procedure :: push => queue_push` in a type binds a name; elsewhere procedures are only listed.
fn procedure<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope != Scope::Class {
        return;
    }
    for declarator in node.named_fields("declarator") {
        let name = match declarator.kind_name() {
            "method_name" => Some(declarator),
            _ => declarator
                .named_child(0)
                .and_then(|name| name.named_child(0)),
        };
        let Some(name) =
            name.filter(|name| matches!(name.kind_name(), "method_name" | "identifier"))
        else {
            continue;
        };
        let mut draft = Draft::new(SymbolKind::Method, name, node);
        draft.set(SymbolFlags::DECLARATION);
        draft.set(SymbolFlags::EXPORTED);
        walk.record(&draft, frame);
    }
}

/// `interface area`: one name for several procedures.
fn interface<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let statement = node.named_child(0);
    // `interface operator(+)`, `interface assignment(=)`.
    let operator = |statement: Node<'t>| {
        let mut parts = statement.content().into_iter();
        parts.find(|part| matches!(part.kind_name(), "operator" | "assignment"))
    };
    if let Some(name) =
        statement.and_then(|statement| unit_name(statement).or_else(|| operator(statement)))
    {
        let mut draft = Draft::new(SymbolKind::Function, name, node);
        draft.body = statement.map(|statement| statement.end_byte());
        draft.set(SymbolFlags::DECLARATION);
        walk.record(&draft, frame);
    }
}

/// The name that a declarator declares, and whether it is an array.
fn declared(mut declarator: Node<'_>) -> Option<(Node<'_>, bool)> {
    let mut array = false;
    for _ in 0..8 {
        match declarator.kind_name() {
            "identifier" => return Some((declarator, array)),
            "init_declarator" | "pointer_init_declarator" => {
                declarator = declarator.field("left")?;
            }
            "sized_declarator" | "coarray_declarator" => {
                array = true;
                declarator = declarator.named_child(0)?;
            }
            _ => return None,
        }
    }
    None
}

/// `type(queue)`, `class(queue)`; types of the language itself say nothing.
fn declared_type(kind: Node<'_>) -> Option<Hint> {
    match kind.kind_name() {
        "derived_type" => Some(Hint::instance(kind.field("name")?)),
        _ => Some(Hint::LITERAL),
    }
}

/// Variables of a module are symbols, those of a procedure are local, those of a type are its fields.
fn variables<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let kind = node.field("type");
    let constant = node
        .named_fields("attribute")
        .iter()
        .any(|part| walk.text(*part).eq_ignore_ascii_case(b"parameter"));
    for declarator in node.named_fields("declarator") {
        let Some((name, array)) = declared(declarator) else {
            continue;
        };
        let known = match (kind, array) {
            (Some(kind), true) if kind.kind_name() == "derived_type" => {
                kind.field("name").map(|name| Hint::collection_of(name))
            }
            (Some(kind), _) => declared_type(kind),
            _ => None,
        };
        if frame.scope == Scope::Function {
            let scope = walk.scope_within(UNITS);
            walk.local(name, scope, known);
            continue;
        }
        let symbol = match (frame.scope, constant) {
            (Scope::Class, _) => SymbolKind::Field,
            (_, true) => SymbolKind::Constant,
            _ => SymbolKind::Variable,
        };
        let mut draft = Draft::new(symbol, name, node);
        draft.value(known);
        if symbol == SymbolKind::Field {
            draft.set(SymbolFlags::EXPORTED);
        } else {
            access(walk, node, &mut draft);
        }
        walk.record(&draft, frame);
    }
}

fn enumerators<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    for declarator in node.named_fields("declarator") {
        if let Some((name, _)) = declared(declarator)
            && frame.scope != Scope::Function
        {
            let draft = Draft::new(SymbolKind::Constant, name, declarator);
            walk.record(&draft, frame);
        }
    }
}

fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let scope = walk.scope_within(UNITS);
    for name in node.content() {
        if name.kind_name() == "identifier" {
            walk.local(name, scope.clone(), None);
        }
    }
}

/// `result(res)`.
fn result<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node
        .named_child(0)
        .filter(|name| name.kind_name() == "identifier")
    {
        let scope = walk.scope_within(UNITS);
        walk.local(name, scope, None);
    }
}

/// `associate (n => self%size)`.
fn association<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let around = walk.ancestor(1).map(|above| above.node);
    if let (Some(name), Some(around)) = (node.field("name"), around) {
        let value = node.field("selector");
        let known = value.and_then(|value| hint_of(walk, value));
        walk.local(name, around.span(), known);
    }
}

fn written<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Write;
}

/// `a(i)` calls `a` or takes an element of it.
fn call_or_element<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    if frame.role != Write {
        frame.role = Call;
    }
}

/// `use a`, `use a, only: b, c => d`.
fn use_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let parts = node.content();
    let Some(module) = parts.iter().find(|part| part.kind_name() == "module_name") else {
        return;
    };
    let items = parts
        .iter()
        .find(|part| part.kind_name() == "included_items");
    let listed = items.map(|items| items.content());
    let renamed = parts
        .iter()
        .filter(|part| part.kind_name() == "use_alias")
        .copied();
    let all = listed.is_none();
    let names: Vec<Node<'t>> = listed
        .unwrap_or_default()
        .into_iter()
        .chain(renamed)
        .collect();
    let mut bindings = Vec::new();
    for name in names {
        match name.kind_name() {
            "use_alias" => {
                if let [local, imported] = name.content()[..] {
                    let (local, imported) = (walk.text(local), walk.text(imported));
                    bindings.push(walk.binding(Some(imported), Some(local)));
                }
            }
            "identifier" => {
                let name = walk.text(name);
                bindings.push(walk.binding(Some(name), Some(name)));
            }
            _ => {}
        }
    }
    if all {
        bindings.push(walk.binding(None, None));
    }
    walk.import(ImportKind::Import, node, walk.text(*module), bindings);
}

fn include<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(path) = node.field("path") {
        let quoted = |b: &u8| matches!(b, b'"' | b'\'');
        let path = walk.text(path);
        let path = path
            .strip_prefix(b"'")
            .or(path.strip_prefix(b"\""))
            .unwrap_or(path);
        let end = path.iter().position(quoted).unwrap_or(path.len());
        let all = vec![walk.binding(None, None)];
        walk.import(ImportKind::Include, node, &path[..end], all);
    }
    frame.skip();
}

/// `public :: a, b`: what a module gives out.
fn public<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let names = node
        .content()
        .into_iter()
        .filter(|name| name.kind_name() == "identifier");
    let names: Vec<_> = names.map(|name| walk.text(name)).collect();
    if frame.scope == Scope::Module && !names.is_empty() {
        let bindings = names
            .into_iter()
            .map(|name| walk.binding(Some(name), Some(name)))
            .collect();
        walk.import(ImportKind::Export, node, b"", bindings);
    }
}

/// `private` alone: nothing but what is said to be public is given out.
fn private<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope == Scope::Module && node.named_child_count() == 0 {
        walk.import(ImportKind::Export, node, b"", Vec::new());
    }
}

fn hint_of(_: &Walk<'_>, mut value: Node<'_>) -> Option<Hint> {
    let mut kind = HintKind::Value;
    for _ in 0..4 {
        match value.kind_name() {
            "identifier" => return Some(Hint::value(value).with(kind)),
            "derived_type_member_expression" => {
                let last = value.named_child(value.named_child_count().checked_sub(1)? as u32)?;
                return (last.kind_name() == "type_member").then(|| Hint::value(last).with(kind));
            }
            // An element of an array, more often than a call that is looked into.
            "call_expression" => {
                kind = HintKind::Element;
                value = value.named_child(0)?;
            }
            "number_literal" | "string_literal" | "boolean_literal" | "array_literal" => {
                return Some(Hint::LITERAL);
            }
            _ => return None,
        }
    }
    None
}

/// Without a list of what is public everything of a module is.
fn finish(walk: &mut Walk<'_>) {
    let mut exports = walk
        .imports
        .iter()
        .filter(|import| import.kind == ImportKind::Export)
        .peekable();
    let listed = exports.peek().is_some();
    let names: FxHashSet<_> = exports
        .flat_map(|import| import.bindings.iter().filter_map(|binding| binding.local))
        .collect();
    for index in 0..walk.symbols.len() {
        let symbol = &walk.symbols[index];
        let of_module = symbol
            .container
            .is_none_or(|outer| walk.symbols[outer as usize].kind == SymbolKind::Module);
        if of_module && (!listed || names.contains(&symbol.name)) {
            let symbol = &mut walk.symbols[index];
            symbol.flags = symbol.flags.with(SymbolFlags::EXPORTED);
        }
    }
}
