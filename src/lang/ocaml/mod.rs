//! OCaml, implementations and interfaces.

pub(crate) mod facts;
mod resolve;

use crate::record::{ImportKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::syntax::flows::no_clue;
use crate::syntax::rows::{LangSpec, Rule, Visit};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk};
use OccurrenceKind::{Call, Import, Read, Type, Write};
use Rule::{Is, Member, Object, Pass};
use tree_sitter::Node;

/// OCaml.
pub(crate) static OCAML: LangSpec = LangSpec {
    defs: &[],
    refine: |_, _, _, _| true,
    hooks: &[
        ("let_binding", let_binding),
        ("value_specification", value_specification),
        ("external", value_specification),
        ("type_binding", type_binding),
        ("constructor_declaration", constructor_declaration),
        ("field_declaration", field_declaration),
        ("exception_definition", exception_definition),
        ("module_binding", module_binding),
        ("module_type_definition", module_type_definition),
        ("class_binding", class_binding),
        ("method_definition", method_definition),
        ("instance_variable_definition", method_definition),
        ("open_module", open_module),
        ("include_module", open_module),
        ("value_path", path),
        ("constructor_path", path),
        ("type_constructor_path", path),
        ("module_path", path),
        ("module_type_path", path),
        ("field_path", path),
    ],
    roles: &[
        ("application_expression", "function", Is(Call)),
        ("parenthesized_expression", "", Pass),
        ("field_get_expression", "record", Object),
        ("method_invocation", "object", Object),
        ("method_invocation", "method", Member),
        ("module_application", "functor", Is(Call)),
        ("set_expression", "", Pass),
        ("set_expression", "body", Is(Read)),
        ("open_module", "", Is(Import)),
        ("include_module", "", Is(Import)),
        ("module_parameter", "", Is(Write)),
        ("module_parameter", "module_type", Is(Type)),
        ("value_pattern", "", Is(Write)),
    ],
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
        ("instance_variable_name", Read),
    ],
    this_kinds: &[],
    this_names: &[b"self", b"this"],
    comments: &["comment"],
    strings: &["string"],
    clue: no_clue,
    finish: |_| {},
};

fn child<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .find(|child| child.kind() == kind)
}

/// What an interface or a module shows, but for names that ask to be left alone.
fn show<'t>(walk: &Walk<'t>, draft: &mut Draft<'t>, frame: &Frame<'t>) {
    let name = walk.src.get(draft.name.clone()).unwrap_or(b"");
    if frame.scope != Scope::Function && !name.starts_with(b"_") {
        draft.set(SymbolFlags::EXPORTED);
    }
}

/// The node around a definition that has the keyword, when it defines one thing.
fn whole<'t>(walk: &Walk<'t>, node: Node<'t>) -> Node<'t> {
    let above = walk.ancestor(0).map(|above| above.node);
    above
        .filter(|above| {
            let mut cursor = above.walk();
            let same = above
                .named_children(&mut cursor)
                .filter(|child| child.kind() == node.kind());
            above.kind().ends_with("_definition") && same.count() == 1
        })
        .unwrap_or(node)
}

fn let_binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let body = node.child_by_field_name("body");
    let function = child(node, "parameter").is_some()
        || body.is_some_and(|body| matches!(body.kind(), "fun_expression" | "function_expression"));
    let name = node
        .child_by_field_name("pattern")
        .and_then(|pattern| match pattern.kind() {
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
            draft.body = body.map(|body| body.start_byte());
            show(walk, &mut draft, frame);
            walk.define(draft, frame);
        }
        Some(name) if name.kind() == "value_name" => {
            let at = name.start_position();
            walk.occurrence(walk.text(name), at.row, at.column, Write, Qualifier::None);
            walk.def_names.insert(name.start_byte());
        }
        _ => {}
    }
    frame.scope = Scope::Function;
    Visit::Descend
}

/// `val f : t` and `external f : t = "c"`.
fn value_specification<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(name) = child(node, "value_name") {
        let typed = node.child_by_field_name("type");
        let function = typed.is_some_and(|typed| typed.kind() == "function_type");
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
    Visit::Descend
}

fn type_binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(name) = node
        .child_by_field_name("name")
        .filter(|name| name.kind() == "type_constructor")
    else {
        return Visit::Descend;
    };
    let body = node.child_by_field_name("body");
    let kind = match body.map_or("", |body| body.kind()) {
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
    Visit::Descend
}

fn constructor_declaration<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    let exception = walk
        .ancestor(0)
        .is_some_and(|above| above.node.kind() == "exception_definition");
    if let Some(name) = child(node, "constructor_name").filter(|_| !exception) {
        let mut draft = Draft::new(SymbolKind::Variant, name, node);
        show(walk, &mut draft, frame);
        walk.record(&draft, frame);
    }
    Visit::Descend
}

fn field_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(name) = child(node, "field_name") {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        show(walk, &mut draft, frame);
        walk.record(&draft, frame);
    }
    Visit::Descend
}

fn exception_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let name = child(node, "constructor_declaration")
        .and_then(|declaration| child(declaration, "constructor_name"));
    if let Some(name) = name {
        let mut draft = Draft::new(SymbolKind::Struct, name, node);
        show(walk, &mut draft, frame);
        walk.define(draft, frame);
    }
    Visit::Descend
}

/// `module M = struct ... end`, `module F (X : S) = ...`, `module A = B`.
fn module_binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(name) = child(node, "module_name") else {
        return Visit::Descend;
    };
    let body = node.child_by_field_name("body");
    if let Some(target) = body.filter(|body| body.kind() == "module_path") {
        let binding = walk.binding(None, Some(walk.text(name)));
        let row = node.start_position().row;
        walk.import(ImportKind::Import, row, walk.text(target), vec![binding]);
    }
    let mut draft = Draft::new(SymbolKind::Module, name, whole(walk, node));
    draft.body = body
        .or(node.child_by_field_name("module_type"))
        .map(|body| body.start_byte());
    show(walk, &mut draft, frame);
    walk.define(draft, frame);
    Visit::Descend
}

fn module_type_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(name) = child(node, "module_type_name") {
        let mut draft = Draft::new(SymbolKind::Interface, name, node);
        draft.body = node
            .child_by_field_name("body")
            .map(|body| body.start_byte());
        show(walk, &mut draft, frame);
        walk.define(draft, frame);
    }
    Visit::Descend
}

fn class_binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(name) = child(node, "class_name") {
        let mut draft = Draft::new(SymbolKind::Class, name, whole(walk, node));
        draft.body = node
            .child_by_field_name("body")
            .map(|body| body.start_byte());
        show(walk, &mut draft, frame);
        walk.define(draft, frame);
    }
    Visit::Descend
}

/// Methods of a class, and the variables of its objects.
fn method_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let method = child(node, "method_name");
    let kind = if method.is_some() {
        SymbolKind::Method
    } else {
        SymbolKind::Field
    };
    if let Some(name) = method.or(child(node, "instance_variable_name")) {
        let mut draft = Draft::new(kind, name, node);
        draft.body = node
            .child_by_field_name("body")
            .map(|body| body.start_byte());
        if method.is_some() && !walk.text(node).starts_with(b"method private") {
            draft.set(SymbolFlags::EXPORTED);
        }
        walk.define(draft, frame);
    }
    frame.scope = Scope::Function;
    Visit::Descend
}

/// `open M` takes all names in; `include M` gives them out again too.
fn open_module<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let module = node
        .child_by_field_name("module")
        .filter(|module| module.kind() == "module_path");
    if let Some(module) = module {
        let all = vec![walk.binding(None, None)];
        let kind = if node.kind() == "include_module" {
            ImportKind::Reexport
        } else {
            ImportKind::Import
        };
        let row = node.start_position().row;
        walk.import(kind, row, walk.text(module), all);
    }
    Visit::Descend
}

/// `M.N.f`: each part qualifies the next.
fn path<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let mut parts = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match node.kind() {
            "module_path"
            | "extended_module_path"
            | "value_path"
            | "constructor_path"
            | "type_constructor_path"
            | "module_type_path"
            | "field_path" => {
                let mut cursor = node.walk();
                let children: Vec<_> = node.named_children(&mut cursor).collect();
                open.extend(children.into_iter().rev());
            }
            "module_name" | "value_name" | "constructor_name" | "type_constructor"
            | "module_type_name" | "field_name" => parts.push(node),
            // An operator, or a functor that is applied.
            _ => return Visit::Descend,
        }
    }
    let Some(last) = parts.last().copied() else {
        return Visit::Descend;
    };
    let record = walk
        .ancestor(0)
        .map(|above| above.node)
        .filter(|above| above.kind() == "field_get_expression" && node.kind() == "field_path")
        .and_then(|above| above.child_by_field_name("record"));
    let mut qualifier = match record.map(|record| record.kind()) {
        None => Qualifier::None,
        Some("value_path" | "field_get_expression") => Qualifier::Previous,
        Some(_) => Qualifier::Expression,
    };
    for part in parts {
        let text = walk.text(part);
        let default = match part.kind() {
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
    Visit::Skip
}
