//! OCaml, implementations and interfaces.

pub(crate) mod facts;
mod resolve;

use crate::syntax::prelude::*;

/// OCaml.
pub(crate) static OCAML: LangSpec = LangSpec {
    hooks: hooks! {
        let_binding => "let_binding",
        value_specification => "value_specification external",
        type_binding => "type_binding",
        constructor_declaration => "constructor_declaration",
        field_declaration => "field_declaration",
        exception_definition => "exception_definition",
        module_binding => "module_binding",
        module_type_definition => "module_type_definition",
        class_binding => "class_binding",
        class_type_binding => "class_type_binding",
        method_definition => "method_definition instance_variable_definition",
        specification => "method_specification instance_variable_specification",
        open_module => "open_module include_module",
        path => "value_path constructor_path type_constructor_path module_path module_type_path
            field_path",
    },
    roles: roles! {
        Is(Call) => "application_expression.function module_application.functor",
        Pass => "parenthesized_expression set_expression",
        Object => "field_get_expression.record method_invocation.object",
        Member => "method_invocation.method",
        Is(Read) => "set_expression.body",
        Is(Import) => "open_module include_module",
        Is(Write) => "module_parameter value_pattern",
        Is(Type) => "module_parameter.module_type",
    },
    identifiers: &[
        ("value_name", Read),
        ("value_pattern", Write),
        ("module_name", Read),
        ("module_type_name", Type),
        ("type_constructor", Type),
        ("constructor_name", Read),
        ("field_name", Read),
        ("method_name", Call),
        ("class_name", Type),
        ("class_type_name", Type),
        ("instance_variable_name", Read),
    ],
    this_names: &[b"self", b"this"],
    strings: &["string"],
    ..LangSpec::new()
};

/// What an interface or a module shows, but for names that ask to be left alone.
fn show<'t>(walk: &Walk<'t>, draft: &mut Draft<'t>, frame: &Frame<'t>) {
    let name = draft.text(walk);
    draft.set_if(
        SymbolFlags::EXPORTED,
        frame.scope != Scope::Function && !name.starts_with(b"_"),
    );
}

/// The node around a definition that has the keyword, when it defines one thing.
fn whole<'t>(walk: &Walk<'t>, node: Node<'t>) -> Node<'t> {
    let above = walk.above(0);
    above
        .filter(|above| {
            let same = above
                .named()
                .filter(|child| child.kind_name() == node.kind_name());
            above.kind_name().ends_with("_definition") && same.count() == 1
        })
        .unwrap_or(node)
}

fn let_binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let body = node.field("body");
    let function = node.named_of("parameter").is_some()
        || body.is_some_and(|body| {
            matches!(body.kind_name(), "fun_expression" | "function_expression")
        });
    let name = node
        .field("pattern")
        .and_then(|pattern| match pattern.kind_name() {
            "value_name" => Some(pattern),
            "parenthesized_operator" => pattern.named_child(0),
            _ => None,
        });
    let local = frame.scope == Scope::Function;
    match name {
        Some(name) if function || !local => {
            let kind = if function {
                SymbolKind::Function
            } else {
                SymbolKind::Constant
            };
            let mut draft = Draft::new(kind, name, whole(walk, node));
            draft.body_at(body);
            show(walk, &mut draft, frame);
            walk.define(draft, frame);
        }
        Some(name) if name.kind_name() == "value_name" => {
            walk.occurrence_at(name, Write, Qualifier::None);
            walk.pass_over(name);
        }
        _ => {}
    }
    frame.scope = Scope::Function;
}

/// `val f : t` and `external f : t = "c"`.
fn value_specification<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    // `val ( + ) : int -> int -> int`.
    let operator = node.named_of("parenthesized_operator");
    let operator = operator.and_then(|operator| operator.named_child(0));
    if let Some(name) = node.named_of("value_name").or(operator) {
        let typed = node.field("type");
        let function = typed.is_some_and(|typed| typed.kind_name() == "function_type");
        let kind = if function {
            SymbolKind::Function
        } else {
            SymbolKind::Constant
        };
        let mut draft = Draft::new(kind, name, node);
        draft.set(SymbolFlags::DECLARATION);
        show(walk, &mut draft, frame);
        walk.record(&draft, frame);
    }
}

fn type_binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field_of("name", "type_constructor") else {
        return;
    };
    let body = node.field("body");
    let kind = match body.map_or("", |body| body.kind_name()) {
        "record_declaration" => SymbolKind::Struct,
        "variant_declaration" => SymbolKind::Enum,
        _ => SymbolKind::Type,
    };
    let mut draft = Draft::new(kind, name, whole(walk, node));
    draft.body = body
        .filter(|_| kind != SymbolKind::Type)
        .map(|body| body.start_byte());
    show(walk, &mut draft, frame);
    walk.define(draft, frame);
}

fn constructor_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let exception = walk.kind_above(0) == "exception_definition";
    if let Some(name) = node.named_of("constructor_name").filter(|_| !exception) {
        let mut draft = Draft::new(SymbolKind::Variant, name, node);
        show(walk, &mut draft, frame);
        walk.record(&draft, frame);
    }
}

fn field_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.named_of("field_name") {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        show(walk, &mut draft, frame);
        walk.record(&draft, frame);
    }
}

fn exception_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let name = node
        .named_of("constructor_declaration")
        .and_then(|declaration| declaration.named_of("constructor_name"));
    if let Some(name) = name {
        let mut draft = Draft::new(SymbolKind::Struct, name, node);
        show(walk, &mut draft, frame);
        walk.define(draft, frame);
    }
}

/// `module M = struct ... end`, `module F (X : S) = ...`, `module A = B`.
fn module_binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.named_of("module_name") else {
        return;
    };
    let body = node.field("body");
    if let Some(target) = body.filter(|body| body.kind_name() == "module_path") {
        let binding = walk.binding(None, Some(walk.text(name)));
        walk.import(ImportKind::Import, node, walk.text(target), vec![binding]);
    }
    let mut draft = Draft::new(SymbolKind::Module, name, whole(walk, node));
    draft.body_at(body.or(node.field("module_type")));
    show(walk, &mut draft, frame);
    walk.define(draft, frame);
}

fn module_type_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.named_of("module_type_name") {
        let mut draft = Draft::new(SymbolKind::Interface, name, node);
        draft.body_at(node.field("body"));
        show(walk, &mut draft, frame);
        walk.define(draft, frame);
    }
}

fn class_binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.named_of("class_name") {
        let mut draft = Draft::new(SymbolKind::Class, name, whole(walk, node));
        draft.body_at(node.field("body"));
        show(walk, &mut draft, frame);
        walk.define(draft, frame);
    }
}

/// `class type t = object ... end`.
fn class_type_binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.named_of("class_type_name") {
        let mut draft = Draft::new(SymbolKind::Interface, name, whole(walk, node));
        draft.body_at(node.named_of("class_body_type"));
        show(walk, &mut draft, frame);
        walk.define(draft, frame);
    }
}

/// What the type of a class says that its objects have.
fn specification<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    // `< a : int >` has methods, too, which are of no class.
    if walk.kind_above(0) != "class_body_type" {
        return;
    }
    let method = node.named_of("method_name");
    let kind = match method {
        Some(_) => SymbolKind::Method,
        None => SymbolKind::Field,
    };
    if let Some(name) = method.or(node.named_of("instance_variable_name")) {
        let mut draft = Draft::new(kind, name, node);
        draft.set(SymbolFlags::DECLARATION);
        let is_private = walk.text(node).starts_with(b"method private");
        draft.set_if(SymbolFlags::EXPORTED, method.is_some() && !is_private);
        walk.record(&draft, frame);
    }
}

/// Methods of a class, and the variables of its objects.
fn method_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let method = node.named_of("method_name");
    let kind = if method.is_some() {
        SymbolKind::Method
    } else {
        SymbolKind::Field
    };
    if let Some(name) = method.or(node.named_of("instance_variable_name")) {
        let mut draft = Draft::new(kind, name, node);
        draft.body_at(node.field("body"));
        draft.set_if(
            SymbolFlags::EXPORTED,
            method.is_some() && !walk.text(node).starts_with(b"method private"),
        );
        walk.define(draft, frame);
    }
    frame.scope = Scope::Function;
}

/// `open M` takes all names in; `include M` gives them out again too.
fn open_module<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let module = node.field_of("module", "module_path");
    if let Some(module) = module {
        let all = vec![walk.binding(None, None)];
        let kind = if node.kind_name() == "include_module" {
            ImportKind::Reexport
        } else {
            ImportKind::Import
        };
        walk.import(kind, node, walk.text(module), all);
    }
}

/// `M.N.f`: each part qualifies the next.
fn path<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let mut parts = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match node.kind_name() {
            "module_path"
            | "extended_module_path"
            | "value_path"
            | "constructor_path"
            | "type_constructor_path"
            | "module_type_path"
            | "field_path" => {
                let children: Vec<_> = node.named().collect();
                open.extend(children.into_iter().rev());
            }
            "module_name" | "value_name" | "constructor_name" | "type_constructor"
            | "module_type_name" | "field_name" => parts.push(node),
            // An operator, or a functor that is applied.
            _ => return,
        }
    }
    let Some(last) = parts.last().copied() else {
        return;
    };
    let record = walk
        .above(0)
        .filter(|above| {
            above.kind_name() == "field_get_expression" && node.kind_name() == "field_path"
        })
        .and_then(|above| above.field("record"));
    let mut qualifier = match record.map(|record| record.kind_name()) {
        None => Qualifier::None,
        Some("value_path" | "field_get_expression") => Qualifier::Previous,
        Some(_) => Qualifier::Expression,
    };
    for part in parts {
        let text = walk.text(part);
        let default = match part.kind_name() {
            "type_constructor" | "module_type_name" => Type,
            _ => Read,
        };
        let kind = match frame.role {
            Read => default,
            role if part == last || role == Import => role,
            _ => default,
        };
        if OCAML.this_names.contains(&text) {
            qualifier = Qualifier::This;
            continue;
        }
        let at = part.start_position();
        walk.occurrence(text, at.row, at.column, kind, qualifier);
        qualifier = Qualifier::Previous;
    }
    walk.qualifies(node.end_byte());
    frame.skip();
}
