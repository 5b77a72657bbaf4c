//! CSS: classes, ids, custom properties and keyframes are what other files refer to.

pub(crate) mod facts;

use crate::record::{ImportKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::syntax::flows::no_clue;
use crate::syntax::rows::{LangSpec, Visit};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Walk, string_content};
use OccurrenceKind::{Read, Write};
use tree_sitter::Node;

/// CSS.
pub(crate) static CSS: LangSpec = LangSpec {
    defs: &[],
    refine: |_, _, _, _| true,
    hooks: &[
        ("class_name", class_name),
        ("id_name", id_name),
        ("property_name", property_name),
        ("keyframes_name", keyframes_name),
        ("keyword_query", keyword_query),
        ("plain_value", plain_value),
        ("import_statement", import_statement),
    ],
    roles: &[],
    identifiers: &[],
    this_kinds: &[],
    this_names: &[],
    comments: &["comment"],
    strings: &[],
    clue: no_clue,
    finish: |_| {},
};

/// The first rule for a name defines it, as far as the file goes; later ones add to it.
fn name<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind, frame: &Frame<'t>) -> Visit {
    let text = walk.text(node);
    let at = node.start_position();
    // A class and an id may have one name; they are told apart by what stands before it.
    let start = node.start_byte();
    let sign = walk.src.get(start.saturating_sub(1)..start).unwrap_or(b"");
    let key = if sign == b"#" || sign == b"." {
        walk.src.get(start - 1..node.end_byte()).unwrap_or(text)
    } else {
        text
    };
    let (id, _) = walk.names.intern(key);
    if !walk.bound.insert((None, id)) {
        walk.occurrence(text, at.row, at.column, Write, Qualifier::None);
        return Visit::Skip;
    }
    let rule = walk
        .stack
        .iter()
        .rev()
        .map(|frame| frame.node)
        .find(|node| {
            matches!(
                node.kind(),
                "rule_set" | "declaration" | "keyframes_statement" | "at_rule"
            )
        });
    let mut draft = Draft::new(kind, node, rule.unwrap_or(node));
    let block = rule.and_then(|rule| {
        let last = rule.named_child(rule.named_child_count().checked_sub(1)? as u32)?;
        matches!(last.kind(), "block" | "keyframe_block_list").then_some(last)
    });
    draft.body = block.map(|block| block.start_byte());
    draft.set(SymbolFlags::EXPORTED);
    walk.record(&draft, frame);
    Visit::Skip
}

/// `.name`; of `:name` the grammar says the same.
fn class_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let selector = walk
        .ancestor(0)
        .is_some_and(|above| above.node.kind() == "class_selector");
    if selector {
        name(walk, node, SymbolKind::Field, frame)
    } else {
        Visit::Skip
    }
}

fn id_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    name(walk, node, SymbolKind::Field, frame)
}

fn keyframes_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    name(walk, node, SymbolKind::Constant, frame)
}

fn property_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if walk.text(node).starts_with(b"--") {
        name(walk, node, SymbolKind::Variable, frame)
    } else {
        Visit::Skip
    }
}

/// `@property --name`.
fn keyword_query<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    property_name(walk, node, frame)
}

/// `var(--name)`, and the keyframes that an animation names.
fn plain_value<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let text = walk.text(node);
    let animates = walk.ancestor(0).is_some_and(|above| {
        above.node.kind() == "declaration"
            && [&b"animation:"[..], b"animation-name:"]
                .iter()
                .any(|property| walk.text(above.node).starts_with(property))
    });
    if text.starts_with(b"--") || animates {
        let at = node.start_position();
        walk.occurrence(text, at.row, at.column, Read, Qualifier::None);
    }
    Visit::Skip
}

/// `@import "a.css"`, `@import url(a.css)`.
fn import_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let Some(mut target) = node.named_child(0) else {
        return Visit::Skip;
    };
    if target.kind() == "call_expression" {
        let inner = target
            .named_child(1)
            .and_then(|arguments| arguments.named_child(0));
        let Some(inner) = inner else {
            return Visit::Skip;
        };
        target = inner;
    }
    let text = walk.text(target);
    let specifier = match target.kind() {
        "string_value" => string_content(text),
        _ => text,
    };
    let row = node.start_position().row;
    walk.import(ImportKind::Import, row, specifier, Vec::new());
    Visit::Skip
}
