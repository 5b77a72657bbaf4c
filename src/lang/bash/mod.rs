//! Bash, and the shells that are close enough to be read as Bash.

mod expansions;
pub(crate) mod facts;
mod resolve;
mod zsh;

use crate::syntax::prelude::*;
use rustc_hash::FxHashSet;
use tree_sitter::Point;

/// Bash.
pub(crate) static BASH: LangSpec = LangSpec {
    defs: &[def("function_definition", SymbolKind::Function)],
    refine,
    hooks: hooks! {
        command => "command",
        command_name => "command_name",
        variable_assignment => "variable_assignment",
        declaration_command => "declaration_command",
        expansion => "simple_expansion expansion",
        binary_expression => "binary_expression",
        string => "string",
    },
    roles: roles! {
        Is(Write) => "variable_assignment.name declaration_command unset_command
            for_statement.variable postfix_expression",
        Pass => "subscript.name binary_expression.left",
    },
    identifiers: &[("variable_name", Read)],
    strings: &["raw_string"],
    finish,
    ..LangSpec::new()
};

/// What a script that sources the file sees, but for names that ask to be left alone.
fn is_exported(name: &[u8], frame: &Frame<'_>) -> bool {
    frame.symbol.is_none() && !name.starts_with(b"_")
}

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let name = draft.text(walk);
    draft.set_if(SymbolFlags::EXPORTED, is_exported(name, frame));
    draft.set_if(SymbolFlags::TEST, name.starts_with(b"test_"));
    if walk.text(node).starts_with(b"function ")
        && let (Some(name), Some(body)) = (node.field("name"), node.field("body"))
    {
        other_names(walk, node, name, body, frame);
    }
}

/// Most names of a function.
const MAX_NAMES: usize = 64;

/// In zsh a function may have several names: `function a b {`. The grammar sees the first alone.
fn other_names<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    name: Node<'t>,
    body: Node<'t>,
    frame: &Frame<'t>,
) {
    let head = walk.src.get(name.end_byte()..body.start_byte());
    let (mut at, mut place) = (name.end_byte(), name.end_position());
    let is_end = |b: &u8| b.is_ascii_whitespace() || b"()\\".contains(b);
    let head = head.unwrap_or(b"");
    // What stands behind is for people.
    let head = head.split(|b| *b == b'#').next().unwrap_or(head);
    for word in head.split_inclusive(is_end).take(MAX_NAMES) {
        let text = &word[..word.iter().position(is_end).unwrap_or(word.len())];
        if is_command_name(text) {
            let mut draft = Draft::new(SymbolKind::Function, name, node);
            draft.name = at..at + text.len();
            draft.name_at = place;
            draft.body_at(Some(body));
            draft.set_if(SymbolFlags::EXPORTED, is_exported(text, frame));
            walk.record(&draft, frame);
        }
        at += word.len();
        place = match word.ends_with(b"\n") {
            true => Point {
                row: place.row + 1,
                column: 0,
            },
            false => Point {
                row: place.row,
                column: place.column + word.len(),
            },
        };
    }
}

/// The name of the command as written; empty when it is computed.
fn called<'t>(walk: &Walk<'t>, command: Node<'t>) -> &'t [u8] {
    let name = command.field("name").and_then(|name| name.named_child(0));
    walk.text_of(name.filter(|name| name.kind_name() == "word"))
}

/// Whether a word could name a function or program; unlike variables these may hold `-`, `:`, `.`.
fn is_command_name(word: &[u8]) -> bool {
    let part = |b: &u8| b.is_ascii_alphanumeric() || b"_-:.+".contains(b) || *b >= 0x80;
    word.first()
        .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
        && word.iter().all(part)
}

fn command<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let mut arguments = node.fields("argument");
    match called(walk, node) {
        b"source" | b"." => {
            if let Some(path) = arguments.next() {
                let specifier = included(walk, path);
                if !specifier.is_empty() {
                    walk.import(ImportKind::Include, node, specifier, Vec::new());
                }
            }
        }
        b"alias" => arguments.for_each(|argument| alias(walk, node, argument, frame)),
        _ => {}
    }
}

/// The path of a sourced file from the last thing that is computed on: of
/// `"$(dirname "$0")/lib.sh"` that is `lib.sh`, mostly beside the script.
fn included<'t>(walk: &Walk<'t>, path: Node<'t>) -> &'t [u8] {
    let mut start = path.start_byte();
    for part in path.named() {
        if matches!(
            part.kind_name(),
            "simple_expansion" | "expansion" | "command_substitution" | "string"
        ) {
            start = part.end_byte();
        }
    }
    let computed = start > path.start_byte();
    let text = walk.src.get(start..path.end_byte()).unwrap_or(b"");
    let text = text.trim_ascii();
    let quote = |b: &u8| matches!(b, b'"' | b'\'');
    let text = text
        .strip_prefix(b"\"")
        .or(text.strip_prefix(b"'"))
        .unwrap_or(text);
    let text = &text[..text.len() - usize::from(text.last().is_some_and(quote))];
    if computed {
        text.strip_prefix(b"/").unwrap_or(b"")
    } else {
        text
    }
}

/// `alias name='command'`.
fn alias<'t>(walk: &mut Walk<'t>, command: Node<'t>, argument: Node<'t>, frame: &Frame<'t>) {
    let text = walk.text(argument);
    let Some(len) = text.iter().position(|b| *b == b'=') else {
        return;
    };
    if !is_command_name(&text[..len]) {
        return;
    }
    let mut draft = Draft::new(SymbolKind::Function, argument, command);
    draft.name = argument.start_byte()..argument.start_byte() + len;
    draft.set_if(SymbolFlags::EXPORTED, is_exported(&text[..len], frame));
    walk.record(&draft, frame);
}

/// The command is called; arguments that are names are noted for [`finish`] to judge.
fn command_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let name = walk.text(node);
    let Some(word) = node
        .named_child(0)
        .filter(|word| word.kind_name() == "word")
    else {
        return;
    };
    let after = walk.src.get(node.end_byte()..).unwrap_or(b"");
    if is_command_name(name) && after.trim_ascii_start().starts_with(b"()") {
        // A function whose end is not typed yet.
        let mut draft = Draft::new(SymbolKind::Function, word, node);
        draft.set_if(SymbolFlags::EXPORTED, is_exported(name, frame));
        walk.record(&draft, frame);
        return frame.skip();
    }
    let at = word.start_position();
    if is_command_name(name) {
        walk.occurrence(name, at.row, at.column, Call, Qualifier::None);
    }
    let Some(command) = walk.above(0) else {
        return frame.skip();
    };
    // Arguments that are computed come later by themselves; those that follow them would be out of
    // order.
    for argument in command.fields("argument") {
        let text = walk.text(argument);
        match argument.kind_name() {
            "word" if is_name(text) => {
                let at = argument.start_position();
                let kind = if name == b"read" { Write } else { Mention };
                walk.occurrence(text, at.row, at.column, kind, Qualifier::None);
            }
            "word" | "number" => {}
            _ => break,
        }
    }
    frame.skip();
}

fn declaration_command<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let text = walk.text(node);
    let local = [&b"local"[..], b"declare", b"typeset"]
        .iter()
        .any(|keyword| text.starts_with(keyword));
    if !local {
        return;
    }
    let Some(scope) = function_scope(walk) else {
        return;
    };
    for child in node.named() {
        let name = match child.kind_name() {
            "variable_name" => child,
            "variable_assignment" => match child.field("name") {
                Some(name) if name.kind_name() == "variable_name" => name,
                _ => continue,
            },
            _ => continue,
        };
        let literal = child
            .field("value")
            .is_some_and(|value| matches!(value.kind_name(), "word" | "number" | "raw_string"));
        walk.local(
            name,
            name.start_position()..scope,
            literal.then_some(Hint::LITERAL),
        );
    }
}

/// Where the enclosing function ends.
fn function_scope(walk: &Walk<'_>) -> Option<Point> {
    let function = walk.enclosing(&["function_definition"])?;
    Some(function.node.end_position())
}

/// Assignments outside of functions define variables; the first one counts.
fn variable_assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field_of("name", "variable_name") else {
        return;
    };
    let above = walk.above(0);
    let declaration = above.filter(|above| above.kind_name() == "declaration_command");
    // `NAME=value command` is for that command alone.
    let prefix = above.is_some_and(|above| above.kind_name() == "command");
    if frame.scope == Scope::Function || prefix {
        return;
    }
    let text = walk.text(name);
    if !walk.first_bound(frame.symbol, text) {
        return;
    }
    let constant = declaration.is_some_and(|declaration| is_read_only(walk.text(declaration)));
    let kind = if constant {
        SymbolKind::Constant
    } else {
        SymbolKind::Variable
    };
    let alone = declaration.filter(|declaration| {
        let assigned = declaration.all_of("variable_assignment");
        assigned.count() == 1
    });
    let mut draft = Draft::new(kind, name, alone.unwrap_or(node));
    draft.set_if(SymbolFlags::EXPORTED, is_exported(text, frame));
    walk.record(&draft, frame);
}

/// `readonly x=1`, `declare -r x=1`, `typeset -xr x=1`.
fn is_read_only(declaration: &[u8]) -> bool {
    let mut words = declaration.split(u8::is_ascii_whitespace);
    let flags = |word: &[u8]| word.starts_with(b"-") && word.contains(&b'r');
    words.next() == Some(b"readonly") || words.take_while(|word| !word.contains(&b'=')).any(flags)
}

/// `$1` and the like are no names.
fn expansion<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node.named_of("variable_name");
    if let Some(name) = name
        && walk.text(name).first().is_some_and(u8::is_ascii_digit)
    {
        walk.pass_over(name);
    }
}

/// `((count += 1))`.
fn binary_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let operator = walk.text_of(node.field("operator"));
    let compares = matches!(operator, b"==" | b"!=" | b"<=" | b">=" | b"=");
    frame.role = if operator.ends_with(b"=") && !compares {
        Write
    } else {
        Read
    };
}

/// A quoted word that is a name and nothing else.
fn string<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let content = string_content(walk.text(node));
    if is_name(content) && !content.contains(&b'$') {
        let at = node.start_position();
        walk.occurrence(content, at.row, at.column + 1, Mention, Qualifier::None);
    }
}

/// Arguments are mostly data. Those stay that name a function of the file, or look as if they named
/// one of another: `retry 3 build_image`.
fn finish(walk: &mut Walk<'_>) {
    let functions: FxHashSet<_> = walk
        .symbols
        .iter()
        .filter(|symbol| symbol.kind == SymbolKind::Function)
        .map(|symbol| symbol.name)
        .collect();
    let names = &walk.names;
    walk.occurrences.retain(|found| {
        found.kind != Mention
            || functions.contains(&found.name)
            || names.get(found.name).contains(&b'_')
    });
}
