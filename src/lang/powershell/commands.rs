//! Commands: what is called, and those that define, import and test something.

use super::string_text;
use crate::record::{ImportKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::syntax::node::NodeExt;
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk};
use OccurrenceKind::{Call, Mention};
use tree_sitter::Node;

/// Whether a word could name a command or function.
fn is_command_name(word: &[u8]) -> bool {
    let part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.') || *b >= 0x80;
    word.first()
        .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
        && word.iter().all(part)
}

/// Words and strings behind a command, and whether each is a parameter (`-Name`).
fn arguments<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let Some(elements) = node.named_of("command_elements") else {
        return Vec::new();
    };
    elements
        .named()
        .filter(|element| element.kind_name() != "command_argument_sep")
        .collect()
}

/// The value behind one of some parameters, or the first argument that belongs to none.
fn value<'t>(walk: &Walk<'t>, arguments: &[Node<'t>], named: &[&[u8]]) -> Option<Node<'t>> {
    let is_named = |node: &Node<'t>| {
        let text = walk.text(*node);
        node.kind_name() == "command_parameter"
            && named.iter().any(|name| name.eq_ignore_ascii_case(text))
    };
    let behind = arguments.iter().position(is_named).map(|at| at + 1);
    let value = arguments.get(behind.unwrap_or(0))?;
    (value.kind_name() != "command_parameter").then_some(*value)
}

/// The text of a word or string.
fn text_of<'t>(walk: &Walk<'t>, node: Node<'t>) -> &'t [u8] {
    string_text(walk, node).unwrap_or_else(|| walk.text(node))
}

pub(super) fn command<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field("command_name") else {
        return;
    };
    let text = walk.text(name);
    if let Some(operator) = node.named_of("command_invokation_operator")
        && walk.text(operator) == b"."
    {
        let path = walk.text(node).get(1..).unwrap_or(b"");
        // The grammar takes `$PSScriptRoot/a.ps1` for a member of a variable.
        if import(walk, node, path, ImportKind::Include) {
            frame.skip();
        }
        return;
    }
    if is_command_name(text) && !text.eq_ignore_ascii_case(b"using") {
        let at = name.start_position();
        walk.occurrence(text, at.row, at.column, Call, Qualifier::None);
    }
    let arguments = arguments(node);
    match &*text.to_ascii_lowercase() {
        b"import-module" | b"ipmo" => {
            if let Some(module) = value(walk, &arguments, &[b"-Name", b"-Path"]) {
                import(walk, node, text_of(walk, module), ImportKind::Import);
            }
        }
        b"using" => {
            let is_module = |word: &Node<'t>| walk.text(*word).eq_ignore_ascii_case(b"module");
            if let (Some(_), Some(path)) = (
                arguments.first().filter(|word| is_module(word)),
                arguments.get(1),
            ) {
                import(walk, node, text_of(walk, *path), ImportKind::Import);
            }
        }
        b"set-alias" | b"new-alias" | b"sal" | b"nal" => {
            let name = value(walk, &arguments, &[b"-Name"]);
            defined(walk, node, name, SymbolKind::Function, frame);
        }
        b"set-variable" | b"new-variable" if frame.scope != Scope::Function => {
            let name = value(walk, &arguments, &[b"-Name"]);
            defined(walk, node, name, SymbolKind::Variable, frame);
        }
        b"describe" | b"context" | b"it" => test(walk, node, &arguments, frame),
        _ => {}
    }
}

/// The path of a script or module from the last thing that is computed on: of `$PSScriptRoot/a.ps1` that
/// is `./a.ps1`.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, path: &[u8], kind: ImportKind) -> bool {
    let quote = |b: &u8| matches!(b, b'"' | b'\'' | b' ' | b'(' | b')');
    let start = path.iter().take_while(|b| quote(b)).count();
    let path = &path[start..];
    let end = path.iter().rev().take_while(|b| quote(b)).count();
    let path = &path[..path.len() - end];
    let mut specifier: Vec<u8> = path
        .iter()
        .map(|b| if *b == b'\\' { b'/' } else { *b })
        .collect();
    if specifier.starts_with(b"$") {
        let Some(slash) = memchr::memchr(b'/', &specifier) else {
            return false;
        };
        specifier.splice(..slash, *b".");
    }
    let computed = specifier.iter().any(|b| matches!(b, b'$' | b' ' | b'{'));
    if specifier.is_empty() || computed {
        return false;
    }
    let bindings = match kind {
        ImportKind::Import => vec![walk.binding(None, None)],
        _ => Vec::new(),
    };
    walk.import(kind, node, &specifier, bindings);
    true
}

/// `Set-Alias name value`, `Set-Variable name value`.
fn defined<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    name: Option<Node<'t>>,
    kind: SymbolKind,
    frame: &Frame<'t>,
) {
    let Some(name) = name else {
        return;
    };
    let text = text_of(walk, name);
    if !is_command_name(text) {
        return;
    }
    let mut draft = Draft::new(kind, name, node);
    let quote = (draft.name.len() - text.len()) / 2;
    draft.trim_name(quote, quote);
    draft.set(SymbolFlags::EXPORTED);
    walk.record(&draft, frame);
}

/// `Describe 'title' { ... }`, as Pester has it.
fn test<'t>(walk: &mut Walk<'t>, node: Node<'t>, arguments: &[Node<'t>], frame: &mut Frame<'t>) {
    let title = value(walk, arguments, &[b"-Name"]);
    let Some((title, text)) = title.and_then(|title| Some((title, string_text(walk, title)?)))
    else {
        return;
    };
    if text.trim_ascii().is_empty() || text.iter().any(u8::is_ascii_control) {
        return;
    }
    let last = arguments.last().copied();
    let body = last.filter(|last| walk.text(*last).starts_with(b"{"));
    walk.define_test(node, frame, title, body);
}

/// A word that looks like the name of a command: `Get-Command Add-Book`.
pub(super) fn word<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let text = walk.text(node);
    if walk.def_names.remove(&node.start_byte()) {
        return frame.skip();
    }
    let verb = memchr::memchr(b'-', text).unwrap_or(0);
    let capital = text.first().is_some_and(u8::is_ascii_uppercase);
    if verb > 1 && capital && text.len() > verb + 1 && is_command_name(text) {
        let at = node.start_position();
        walk.occurrence(text, at.row, at.column, Mention, Qualifier::None);
    }
    frame.skip();
}
