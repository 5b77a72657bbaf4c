//! PowerShell. Names are recorded as written, though the language does not tell `get-x` from `Get-X`.

mod commands;
pub(crate) mod facts;
mod resolve;
mod texts;

use crate::record::{HintKind, ImportKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::syntax::hints::{Hint, MAX_STEPS};
use crate::syntax::hooks;
use crate::syntax::node::NodeExt;
use crate::syntax::rows::{LangSpec, Rule};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk, string_content};
use OccurrenceKind::{Call, Inherit, Read, Type, Write};
use Rule::{Is, Pass};
use std::ops::Range;
use tree_sitter::Node;

/// PowerShell.
pub(crate) static POWERSHELL: LangSpec = LangSpec {
    hooks: hooks! {
        function => "function_statement",
        loose_function => "function_name",
        class => "class_statement enum_statement",
        method => "class_method_definition",
        property => "class_property_definition",
        enum_member => "enum_member",
        parameter => "script_parameter class_method_parameter foreach_statement",
        assignment => "assignment_expression",
        variable => "variable",
        member => "member_name",
        invocation => "invokation_expression",
        commands::command => "command",
        commands::word => "generic_token",
        hooks::function => "script_block_expression",
        hash_entry => "hash_entry",
    },
    roles: roles! {
        Is(Write) => "left_assignment_expression post_increment_expression post_decrement_expression
            pre_increment_expression pre_decrement_expression",
        Pass => "logical_expression bitwise_expression comparison_expression additive_expression
            multiplicative_expression format_expression range_expression array_literal_expression
            unary_expression expression_with_unary_operator cast_expression invokation_expression
            type_literal type_spec type_name",
    },
    identifiers: &[("type_identifier", Type)],
    this_kinds: &[],
    this_names: &[],
    comments: &["comment"],
    strings: &["verbatim_string_characters"],
    ..LangSpec::new()
};

/// Variables that the language sets.
const AUTOMATIC: &[&[u8]] = byte_words!(
    "_ args error false input lastexitcode matches myinvocation null pscmdlet pscommandpath
     psboundparameters psitem psscriptroot psversiontable pwd this true"
);

/// Types whose values have no members that a file defines.
const BUILT_IN: &[&[u8]] = byte_words!("string int bool switch object hashtable");

/// Whether the language sets a variable.
fn is_automatic(name: &[u8]) -> bool {
    AUTOMATIC.contains(&&*name.to_ascii_lowercase())
}

/// The bytes of a variable's name: of `$script:name`, `${name}` and `@name` that is `name`. `None` for
/// those that the language sets and for `$env:name`.
fn name_of(walk: &Walk<'_>, variable: Node<'_>) -> Option<Range<usize>> {
    let start = variable.start_byte();
    let text = walk.src.get(variable.byte_range())?;
    let signs = text.iter().take_while(|b| b"$@{".contains(b)).count();
    let mut begin = signs;
    let end = text.len() - usize::from(text.ends_with(b"}"));
    if let Some(colon) = memchr::memrchr(b':', text) {
        if text[signs..colon].eq_ignore_ascii_case(b"env") {
            return None;
        }
        begin = colon + 1;
    }
    let name = text.get(begin..end)?;
    (!name.is_empty() && !is_automatic(name)).then(|| start + begin..start + end)
}

/// Makes a draft that of a variable.
fn variable_draft<'t>(
    walk: &Walk<'t>,
    kind: SymbolKind,
    variable: Node<'t>,
    outer: Node<'t>,
) -> Option<Draft<'t>> {
    let name = name_of(walk, variable)?;
    let mut draft = Draft::new(kind, variable, outer);
    draft.name_at.column += name.start - variable.start_byte();
    draft.name = name;
    Some(draft)
}

/// The type that a node is given in brackets, as a hint.
fn type_hint<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Hint> {
    let mut literal = node.named_of("type_literal").or_else(|| {
        // In a parameter it is one of the attributes.
        let list = node.named_of("attribute_list")?;
        let attributes = list.named();
        attributes
            .filter_map(|attribute| attribute.named_of("type_literal"))
            .last()
    })?;
    let mut kind = HintKind::Type;
    for _ in 0..MAX_STEPS {
        let next = literal.named_child(0)?;
        match next.kind_name() {
            "type_identifier" => {
                let last = literal.last_named()?;
                let name = if last.kind_name() == "type_identifier" {
                    last
                } else {
                    next
                };
                return Some(
                    match BUILT_IN.contains(&&*walk.text(name).to_ascii_lowercase()) {
                        true => Hint::LITERAL,
                        false => Hint::instance(name).with(kind),
                    },
                );
            }
            "array_type_name" => kind = HintKind::Elements,
            _ => {}
        }
        literal = next;
    }
    None
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.named_of("function_name") else {
        return;
    };
    let mut draft = Draft::new(SymbolKind::Function, name, node);
    // `function script:Get-X`
    if let Some(colon) = memchr::memrchr(b':', walk.text(name)) {
        draft.trim_name(colon + 1, 0);
    }
    draft.body_at(node.part(&["{"]));
    draft.set_if(SymbolFlags::EXPORTED, frame.scope != Scope::Function);
    walk.define(draft, frame);
}

/// A function whose end the grammar does not see, by its name alone.
fn loose_function<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let whole = walk.kind_above(0) == "function_statement";
    if !whole {
        let mut draft = Draft::new(SymbolKind::Function, node, node);
        draft.set(SymbolFlags::EXPORTED);
        walk.record(&draft, frame);
    }
    frame.skip();
}

/// `class A : B, C` and `enum A`; the names behind the colon are its bases.
fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let names: Vec<Node<'t>> = node.all_of("simple_name").collect();
    let Some((name, bases)) = names.split_first() else {
        return;
    };
    let kind = match node.kind_name() {
        "enum_statement" => SymbolKind::Enum,
        _ => SymbolKind::Class,
    };
    let mut draft = Draft::new(kind, *name, node);
    draft.body_at(node.part(&["{"]));
    draft.set(SymbolFlags::EXPORTED);
    walk.define(draft, frame);
    for base in bases {
        walk.occurrence_at(*base, Inherit, Qualifier::None);
    }
}

/// Whether `hidden` stands before a member.
fn is_hidden(walk: &Walk<'_>, node: Node<'_>) -> bool {
    node.all_of("class_attribute")
        .any(|word| walk.text(word).eq_ignore_ascii_case(b"hidden"))
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.named_of("simple_name") else {
        return;
    };
    let text = walk.text(name);
    let class = frame.symbol.map(|class| walk.symbols[class as usize].name);
    let makes = class.is_some_and(|class| walk.names.get(class) == text);
    let kind = match makes {
        true => SymbolKind::Constructor,
        false => SymbolKind::Method,
    };
    let mut draft = Draft::new(kind, name, node);
    draft.body_at(node.named_of("script_block"));
    draft.set_if(SymbolFlags::EXPORTED, !is_hidden(walk, node));
    draft.value(type_hint(walk, node));
    walk.define(draft, frame);
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(variable) = node.named_of("variable") else {
        return;
    };
    if let Some(mut draft) = variable_draft(walk, SymbolKind::Field, variable, node) {
        draft.set_if(SymbolFlags::EXPORTED, !is_hidden(walk, node));
        draft.value(type_hint(walk, node));
        walk.record(&draft, frame);
    }
}

fn enum_member<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.named_of("simple_name") {
        let mut draft = Draft::new(SymbolKind::Variant, name, node);
        draft.set(SymbolFlags::EXPORTED);
        walk.record(&draft, frame);
    }
}

/// What has variables of its own.
const SCOPES: &[&str] =
    words!("function_statement class_method_definition script_block_expression");

/// Notes that a variable is known in a part of the file.
fn bind<'t>(walk: &mut Walk<'t>, variable: Node<'t>, hint: Option<Hint>, whole: bool) {
    let Some(name) = name_of(walk, variable) else {
        return;
    };
    let mut at = variable.start_position();
    at.column += name.start - variable.start_byte();
    let scope = match whole {
        true => walk.scope_within(SCOPES),
        false => walk.scope_from(variable.start_position(), SCOPES),
    };
    walk.local_at(at, scope, hint);
}

/// `param([A] $a)`, `foreach ($a in ...)`.
fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(variable) = node.named_of("variable") {
        let hint = type_hint(walk, node);
        let whole = node.kind_name() != "foreach_statement";
        bind(walk, variable, hint, whole);
    }
}

/// The variables on the left of an assignment that are assigned themselves, with the types they are
/// cast to.
fn assigned<'t>(left: Node<'t>) -> Vec<(Node<'t>, Node<'t>)> {
    let mut found = Vec::new();
    let mut open = vec![(left, left)];
    while let Some((node, cast)) = open.pop() {
        match node.kind_name() {
            "variable" => found.push((node, cast)),
            "array_literal_expression" => {
                let parts: Vec<Node<'t>> = node.named().collect();
                open.extend(parts.into_iter().rev().map(|part| (part, part)));
            }
            "cast_expression" => {
                if let Some(inner) = node.named_of("unary_expression") {
                    open.push((inner, node));
                }
            }
            kind if kind.ends_with("_expression") || kind == "expression_with_unary_operator" => {
                if let (1, Some(inner)) = (node.named_child_count(), node.named_child(0)) {
                    open.push((inner, cast));
                }
            }
            _ => {}
        }
    }
    found
}

/// At the top of a script an assignment defines a variable, the first one of a name; in a function it
/// binds one.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(left) = node.named_of("left_assignment_expression") else {
        return;
    };
    for (variable, cast) in assigned(left) {
        let hint = type_hint(walk, cast);
        let global = memchr::memchr(b':', walk.text(variable)).is_some();
        if frame.scope == Scope::Function {
            if !global {
                bind(walk, variable, hint, false);
            }
            continue;
        }
        let Some(mut draft) = variable_draft(walk, SymbolKind::Variable, variable, node) else {
            continue;
        };
        if walk.first_bound(None, &draft.text(walk).to_ascii_lowercase()) {
            draft.set(SymbolFlags::EXPORTED);
            draft.value(hint);
            walk.record(&draft, frame);
        }
    }
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = name_of(walk, node) else {
        return frame.skip();
    };
    if walk.def_names.remove(&name.start) {
        return frame.skip();
    }
    let above = walk.ancestor(0).map(|above| above.node.kind_name());
    let role = match above {
        Some("foreach_statement" | "script_parameter" | "class_method_parameter") => Write,
        _ if frame.role == Write => Write,
        _ => Read,
    };
    let mut at = node.start_position();
    at.column += name.start - node.start_byte();
    let text = walk.src.get(name).unwrap_or(b"");
    walk.occurrence(text, at.row, at.column, role, Qualifier::None);
    frame.skip();
}

/// `[A]::new(...)` makes an `A`.
fn invocation<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let makes = node
        .named_of("member_name")
        .is_some_and(|name| walk.text(name).eq_ignore_ascii_case(b"new"));
    frame.role = match node.named_child(0) {
        Some(of) if of.kind_name() == "type_literal" && makes => Call,
        _ => Read,
    };
}

/// `$x.name`, `[A]::name`, `$x.name()`.
fn member<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.named_of("simple_name") else {
        return;
    };
    let Some(access) = walk.ancestor(0).copied() else {
        return;
    };
    let text = walk.text(name);
    let of = node.prev_named_sibling();
    let called = access.node.kind_name() == "invokation_expression";
    if called && text.eq_ignore_ascii_case(b"new") {
        return frame.skip();
    }
    let qualifier = match of.map(|of| (of.kind_name(), of)) {
        Some(("variable", of)) if walk.text(of).eq_ignore_ascii_case(b"$this") => Qualifier::This,
        Some(("variable", of)) if name_of(walk, of).is_some() => Qualifier::Previous,
        Some(("type_literal" | "member_access", _)) => Qualifier::Previous,
        _ => Qualifier::Expression,
    };
    let at = name.start_position();
    if let Some(inner) = of.filter(|of| of.kind_name() == "invokation_expression") {
        let makes = inner
            .named_child(0)
            .filter(|of| of.kind_name() == "type_literal");
        let result = match makes {
            Some(_) => type_hint(walk, inner),
            None => inner
                .named_of("member_name")
                .and_then(|name| name.named_of("simple_name"))
                .map(|name| Hint::result(name)),
        };
        if let Some(result) = result {
            walk.receiver(at, result);
        }
    }
    let kind = match (called, access.role) {
        (true, _) => Call,
        (false, Write) => Write,
        _ => Read,
    };
    walk.occurrence(text, at.row, at.column, kind, qualifier);
    frame.skip();
}

/// `RootModule = 'A.psm1'` in a manifest.
fn hash_entry<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let key = node
        .named_of("key_expression")
        .map_or(&b""[..], |key| walk.text(key));
    let names_files = [&b"RootModule"[..], b"NestedModules", b"ScriptsToProcess"];
    if names_files
        .iter()
        .any(|name| key.eq_ignore_ascii_case(name))
    {
        let text = walk.text(node);
        for part in text.split(|b| matches!(b, b'\'' | b'"')).skip(1).step_by(2) {
            if part.ends_with(b".psm1") || part.ends_with(b".ps1") {
                walk.import(ImportKind::Module, node, part, Vec::new());
            }
        }
    }
}

/// The text of an argument that is one string, without its quotes.
fn string_text<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<&'t [u8]> {
    let mut node = node;
    for kind in [
        "array_literal_expression",
        "unary_expression",
        "string_literal",
    ] {
        let only = node.kind_name() == kind && node.named_child_count() == 1;
        node = node.named_child(0).filter(|_| only)?;
    }
    let quoted = ["verbatim_string_characters", "expandable_string_literal"];
    quoted
        .contains(&node.kind_name())
        .then(|| string_content(walk.text(node)))
}
