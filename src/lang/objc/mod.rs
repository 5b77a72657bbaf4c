//! Objective-C: what C has, and classes, protocols, properties, methods and messages.

mod attributes;
mod enums;
pub(crate) mod facts;

use super::c;
use crate::syntax::prelude::*;

const HOOKS: &[(&str, Hook)] = hooks! {
    class => "class_interface class_implementation protocol_declaration",
    property => "property_declaration instance_variable",
    synthesized => "property_implementation",
    method => "method_declaration method_definition",
    parameter => "method_parameter",
    message => "message_expression",
    selector => "selector_expression",
    block => "block_literal",
    for_statement => "for_statement",
    catch_clause => "catch_clause",
    import => "module_import",
    no_names => "property_attributes_declaration",
};

const ROLES: &[(&str, &str, Rule)] = roles! {
    Is(Inherit) => "class_interface.superclass class_implementation.superclass
        parameterized_arguments protocol_reference_list",
    Is(Read) => "class_interface.category property_implementation",
    Pass => "class_interface class_implementation type_name block_pointer_declarator.declarator",
    Is(Type) => "class_declaration method_type",
    Object => "message_expression.receiver",
    MemberIs(Call) => "message_expression.method",
    Is(Write) => "method_parameter",
    Is(Import) => "module_import",
};

const ALL_HOOKS: [(&str, Hook); c::HOOKS.len() + HOOKS.len()] = joined(c::HOOKS, HOOKS);
const ALL_ROLES: [(&str, &str, Rule); c::ROLES.len() + ROLES.len()] = joined(c::ROLES, ROLES);

/// Objective-C 2.
pub(crate) static OBJECTIVE_C: LangSpec = LangSpec {
    entry_points: None,
    defs: c::DEFS,
    refine: c::refine,
    hooks: &ALL_HOOKS,
    roles: &ALL_ROLES,
    identifiers: &[
        ("identifier", Read),
        ("field_identifier", Read),
        ("type_identifier", Type),
    ],
    this_kinds: &[],
    this_names: &[b"self", b"super"],
    heads_are_read: false,
    means_this: |_, _| true,
    backquoted: false,
    comments: &["comment"],
    strings: &["string_literal"],
    hint: hint_of,
    finish,
};

fn no_names<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.skip();
}

/// A class, a category or extension of one, its implementation, or a protocol.
fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let parts = node.content();
    let Some(name) = parts.iter().find(|part| part.kind_name() == "identifier") else {
        return;
    };
    let mut cursor = node.walk();
    let category = node
        .children(&mut cursor)
        .any(|child| child.kind_name() == "(");
    let kind = match node.kind_name() {
        "protocol_declaration" => SymbolKind::Trait,
        "class_interface" if !category => SymbolKind::Class,
        _ => SymbolKind::Impl,
    };
    let mut draft = Draft::new(kind, *name, node);
    draft.set(SymbolFlags::EXPORTED);
    let head = parts.iter().take_while(|part| {
        matches!(
            part.kind_name(),
            "identifier" | "parameterized_arguments" | "protocol_reference_list"
        )
    });
    draft.body = head.last().map(|last| last.end_byte());
    if category {
        draft.body = parts.get(1).map(|part| part.start_byte());
    }
    let test = node
        .named_fields("superclass")
        .iter()
        .any(|base| walk.text(*base).ends_with(b"TestCase"));
    if test {
        draft.set(SymbolFlags::TEST);
    }
    walk.define(draft, frame);
    frame.exported = true;
    frame.role = Read;
    frame.scope = Scope::Class;
    if kind == SymbolKind::Impl {
        // The class is used here, not defined.
        walk.def_names.remove(&name.start_byte());
        frame.role = Type;
    }
    if let Some(category) = node.field("category") {
        walk.def_names.insert(category.start_byte());
    }
}

/// The name that a declaration inside a class declares.
fn declared(declaration: Node<'_>) -> Option<Node<'_>> {
    let mut inner = declaration
        .content()
        .into_iter()
        .rfind(|part| part.kind_name() == "struct_declarator")?;
    for _ in 0..32 {
        match inner.kind_name() {
            "identifier" | "field_identifier" => return Some(inner),
            _ => inner = inner.field("declarator").or(inner.named_child(0))?,
        }
    }
    None
}

/// `@property (copy) NSString *name;` and variables of an object.
fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(declaration) = node
        .content()
        .into_iter()
        .find(|part| part.kind_name() == "struct_declaration")
    else {
        return;
    };
    if let Some(name) = declared(declaration) {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        if node.kind_name() == "property_declaration" {
            draft.set(SymbolFlags::EXPORTED);
        }
        let kind = declaration
            .named_child(0)
            .filter(|kind| kind.kind_name() == "type_identifier");
        draft.value(kind.map(|kind| Hint::instance(kind)));
        walk.record(&draft, frame);
    }
}

/// `@synthesize name = _name;`: the variable that a property is kept in.
fn synthesized<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let names = node.content();
    if let [property, variable] = names[..]
        && walk.text(property) != walk.text(variable)
    {
        let draft = Draft::new(SymbolKind::Field, variable, node);
        walk.record(&draft, frame);
    }
}

/// A method, named by the first part of its selector; the other parts are no names of their own.
fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let parts = node.content();
    let mut names = parts.iter().filter(|part| part.kind_name() == "identifier");
    let Some(name) = names.next() else {
        return;
    };
    let rest: Vec<usize> = names.map(|part| part.start_byte()).collect();
    let selector = walk.text(*name);
    let kind = match selector {
        b"init" => SymbolKind::Constructor,
        _ if selector.starts_with(b"initWith") => SymbolKind::Constructor,
        _ => SymbolKind::Method,
    };
    let mut draft = Draft::new(kind, *name, node);
    let body = parts
        .iter()
        .find(|part| part.kind_name() == "compound_statement");
    draft.body = body.map(|body| body.start_byte()).or(Some(node.end_byte()));
    draft.set(SymbolFlags::EXPORTED);
    if body.is_none() {
        draft.set(SymbolFlags::DECLARATION);
    }
    let kind = parts.iter().find(|part| part.kind_name() == "method_type");
    let returned = kind
        .and_then(|kind| kind.named_child(0))
        .and_then(|name| name.named_child(0))
        .filter(|kind| kind.kind_name() == "type_identifier");
    draft.value(returned.map(|kind| match walk.text(kind) {
        b"instancetype" => Hint::THIS,
        _ => Hint::instance(kind),
    }));
    walk.define(draft, frame);
    walk.def_names.extend(rest);
}

/// `:(Type *)name`.
fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node
        .content()
        .into_iter()
        .rfind(|part| part.kind_name() == "identifier");
    let method = walk.ancestor(0).map(|above| above.node);
    if let (Some(name), Some(method)) = (name, method) {
        let kind = node
            .named_child(0)
            .and_then(|kind| kind.named_child(0))
            .and_then(|kind| kind.named_child(0))
            .filter(|kind| kind.kind_name() == "type_identifier");
        let known = kind.map(|kind| Hint::instance(kind));
        walk.local(name, method.span(), known);
    }
}

/// `[object push:item error:nil]`: only the first part of the selector is the name.
fn message<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Read;
    let parts = node.named_fields("method");
    walk.def_names
        .extend(parts.iter().skip(1).map(|part| part.start_byte()));
}

/// `@selector(push:error:)` mentions a method.
fn selector<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let whole = walk.text(node);
    let Some(open) = whole.iter().position(|b| *b == b'(') else {
        return;
    };
    let rest = &whole[open + 1..];
    let blank = rest.len() - rest.trim_ascii_start().len();
    let from = open + 1 + blank;
    let name = whole[from..]
        .split(|b| matches!(b, b':' | b')' | b' '))
        .next();
    let at = node.start_position();
    let one_line = !whole[..from].contains(&b'\n');
    if let Some(name) = name.filter(|name| one_line && is_name(name)) {
        walk.occurrence(name, at.row, at.column + from, Mention, Qualifier::None);
    }
    frame.skip();
}

fn block<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.scope = Scope::Function;
}

/// `for (Type *x in xs)`.
fn for_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let mut cursor = node.walk();
    let mut name = None;
    for child in node.children(&mut cursor) {
        match child.kind_name() {
            "in" => break,
            ";" | "compound_statement" => {
                name = None;
                break;
            }
            "identifier" => name = Some(child),
            "pointer_declarator" => name = child.field("declarator"),
            _ => {}
        }
    }
    if let Some(name) = name.filter(|name| name.kind_name() == "identifier") {
        let kind = node
            .field("type")
            .filter(|kind| kind.kind_name() == "type_identifier");
        walk.local(name, node.span(), kind.map(|kind| Hint::instance(kind)));
    }
}

/// `@catch (NSException *e)`.
fn catch_clause<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let caught = node
        .named_child(0)
        .filter(|name| name.kind_name() == "type_name");
    let declarator = caught.and_then(|caught| caught.named_child(1));
    let name = declarator.and_then(|inner| inner.field("declarator"));
    if let Some(name) = name.filter(|name| name.kind_name() == "identifier") {
        walk.local(name, node.span(), None);
    }
}

/// `@import UIKit;`.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(path) = node.field("path") {
        let whole = walk.text(path);
        let all = vec![walk.binding(None, None)];
        walk.import(ImportKind::Import, node, whole, all);
    }
}

fn hint_of(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    if node.kind_name() != "message_expression" {
        return c::of_value(walk, node);
    }
    let mut inner = node;
    for _ in 0..32 {
        let name = inner.field("method")?;
        let makes = matches!(walk.text(name), b"alloc" | b"new" | b"shared" | b"copy")
            || walk.text(name).starts_with(b"init");
        if !makes {
            return Some(Hint::result(name));
        }
        let receiver = inner.field("receiver")?;
        match receiver.kind_name() {
            "message_expression" => inner = receiver,
            "identifier" if matches!(walk.text(receiver), b"self" | b"super") => {
                return Some(Hint::THIS);
            }
            // `[[Queue alloc] init]`.
            "identifier" => return Some(Hint::result(receiver)),
            _ => return None,
        }
    }
    None
}

/// The methods of a test case that are run, which an implementation does not say of itself.
fn finish(walk: &mut Walk<'_>) {
    let tests = walk.symbols.iter().filter(|symbol| {
        symbol.kind == SymbolKind::Class && symbol.flags.contains(SymbolFlags::TEST)
    });
    let tests: Vec<_> = tests.map(|symbol| symbol.name).collect();
    let mut inside = vec![false; walk.symbols.len()];
    for index in 0..walk.symbols.len() {
        let symbol = &walk.symbols[index];
        inside[index] = symbol.container.is_some_and(|outer| inside[outer as usize])
            || symbol.kind == SymbolKind::Impl && tests.contains(&symbol.name);
        if inside[index] {
            let symbol = &mut walk.symbols[index];
            symbol.flags = symbol.flags.with(SymbolFlags::TEST);
        }
    }
}
