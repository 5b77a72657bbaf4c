//! Documents whose code is in parts: the scripts and styles of HTML and of components.
//!
//! Each part is parsed by itself, within the budget of its length, and all are walked as one
//! document. Guarantees: positions are those of the file; a part that cannot be parsed costs no
//! other its symbols.

pub(crate) mod facts;
mod markup;
pub(crate) mod resolve;

use crate::syntax::intern::Interner;
use crate::syntax::prelude::*;

use crate::id::LocalName;
use crate::limits::{MAX_NAME_BYTES, MAX_SPECIFIER_BYTES, MAX_SYMBOLS_PER_DOC};
use crate::record::{Grammar, Import, Symbol};
use crate::syntax::found::{Found, Input, point, range};
use crate::syntax::rows::Tables;
use crate::syntax::walk::InnerTrees;
use crate::syntax::{parse, recover};
use markup::Markup;
use rustc_hash::FxHashSet;
use std::ops::Range;
use tree_sitter::Tree;

/// Most parts of a file that are parsed, since each is granted a budget of its own however short it
/// is.
const MAX_PARTS: usize = 256;

/// Where the scripts and styles of a file are.
fn embedded(src: &[u8], grammar: Grammar) -> Vec<(Range<usize>, Grammar)> {
    markup::scan(src, grammar).embedded
}

/// Reads a file of HTML, Vue or Svelte.
fn read(input: &Input<'_>, names: &mut Interner) -> Found {
    let (src, lines) = (input.src, input.lines);
    let markup = markup::scan(src, input.grammar);
    let mut found = Found::default();
    let mut parts: Vec<(Tree, &Tables)> = Vec::new();
    for (bytes, grammar) in markup.embedded.iter().take(MAX_PARTS) {
        let parsed = (input.tables)(*grammar).and_then(|tables| {
            let tree = parse::parse_range(src, tables, range(lines, bytes))?;
            Some((tree, tables))
        });
        match parsed {
            Some(part) => parts.push(part),
            None => found.syntax_errors = true,
        }
    }
    let Some(script) = (input.tables)(Grammar::JavaScript) else {
        return found;
    };
    let inner = InnerTrees::default();
    let mut walk = Walk::new(src, script, &inner, names);
    for (tree, tables) in &parts {
        found.syntax_errors |= tree.root_node().has_error();
        found.errors.extend(recover::errors(tree));
        found.syntax_errors |= walk.run_part(tree, tables).is_err();
    }
    if input.grammar == Grammar::Svelte {
        name_stores(&mut walk);
    }
    if matches!(input.grammar, Grammar::Vue | Grammar::Svelte) {
        add_component(&mut walk, lines);
    }
    add_ids(&mut walk, lines, &markup);
    add_uses(&mut walk, lines, &markup);
    found.take(walk);
    for (kind, at, specifier) in markup.imports {
        if specifier.len() <= MAX_SPECIFIER_BYTES && !specifier.is_empty() {
            found.imports.push(Import {
                kind,
                line: point(lines, at).row as u32 + 1,
                specifier,
                bindings: Vec::new(),
            });
        }
    }
    found.comments.extend(markup.comments);
    found.comments.sort_by_key(|comment| comment.start);
    found
}

/// A component is what its file gives out by default, whether a script says so or not: the line on which its first
/// script, else its first tag begins stands for it.
fn add_component(walk: &mut Walk<'_>, lines: &[u32]) {
    let is_default = |symbol: &Symbol<LocalName>| {
        symbol.container.is_none() && symbol.flags.contains(SymbolFlags::DEFAULT)
    };
    let script = memchr::memmem::find(walk.src, b"<script");
    let Some(start) = script.or_else(|| memchr::memchr(b'<', walk.src)) else {
        return;
    };
    if walk.symbols.iter().any(is_default) || walk.symbols.len() >= MAX_SYMBOLS_PER_DOC {
        return;
    }
    let rest = &walk.src[start..];
    let end = start + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    let flags = SymbolFlags::EXPORTED.with(SymbolFlags::DEFAULT);
    let component = (SymbolKind::Constant, flags);
    add_symbol(walk, lines, (b"default", start), component, start..end);
}

/// What Svelte's compiler itself means by a name with a dollar sign.
const RUNES: &[&[u8]] = byte_words!("bindable derived effect host inspect props state");

/// `$name` in a script is what the store `name` holds, unless it is a rune or defined as written.
fn name_stores(walk: &mut Walk<'_>) {
    let mut defined: FxHashSet<LocalName> = walk.symbols.iter().map(|symbol| symbol.name).collect();
    defined.extend(walk.hints.declared(&walk.occurrences));
    for at in 0..walk.occurrences.len() {
        let found = &walk.occurrences[at];
        if defined.contains(&found.name) || found.qualifier != Qualifier::None {
            continue;
        }
        let store = match walk.names.get(found.name) {
            [b'$', store @ ..] if !store.is_empty() && store[0] != b'$' => store,
            _ => continue,
        };
        if RUNES.contains(&store) {
            continue;
        }
        let store = store.to_vec();
        let (name, _) = walk.names.intern(&store);
        walk.occurrences[at].name = name;
        walk.occurrences[at].col += 1;
    }
}

fn add_uses(walk: &mut Walk<'_>, lines: &[u32], markup: &Markup) {
    for found in &markup.uses {
        let at = point(lines, found.name.start);
        let name = walk.src.get(found.name.clone()).unwrap_or(b"");
        walk.occurrence(name, at.row, at.column, found.kind, found.qualifier);
    }
    walk.occurrences
        .sort_by_key(|found| (found.line, found.col));
}

fn add_ids(walk: &mut Walk<'_>, lines: &[u32], markup: &Markup) {
    for (id, span) in &markup.ids {
        let name = walk.src.get(id.clone()).unwrap_or(b"");
        if name.len() > MAX_NAME_BYTES || walk.symbols.len() >= MAX_SYMBOLS_PER_DOC {
            continue;
        }
        let field = (SymbolKind::Field, SymbolFlags::EXPORTED);
        add_symbol(walk, lines, (name, id.start), field, span.clone());
    }
}

/// Adds what the markup defines: its name, which stands or begins at a byte, and what it spans.
fn add_symbol(
    walk: &mut Walk<'_>,
    lines: &[u32],
    (name, at): (&[u8], usize),
    (kind, flags): (SymbolKind, SymbolFlags),
    span: Range<usize>,
) {
    let at = point(lines, at);
    let (first, last) = (point(lines, span.start), point(lines, span.end));
    let span = span.start as u32..span.end as u32;
    walk.leads.push(first.row as u32 + 1);
    let symbol = Symbol {
        name: walk.names.intern(name).0,
        kind,
        flags,
        container: None,
        receiver: None,
        span: span.clone(),
        start_line: first.row as u32 + 1,
        start_col: first.column as u32,
        end_line: last.row as u32 + 1,
        end_col: last.column as u32,
        name_line: at.row as u32 + 1,
        name_col: at.column as u32,
        signature: span,
        doc: 0..0,
        body_hash: 0,
    };
    walk.symbols.push(symbol);
}
