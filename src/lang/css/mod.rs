//! CSS: classes, ids, custom properties and keyframes are what other files refer to.

pub(crate) mod facts;

use crate::syntax::prelude::*;

/// CSS.
pub(crate) static CSS: LangSpec = LangSpec {
    hooks: hooks! {
        class_name => "class_name",
        id_name => "id_name",
        property_name => "property_name",
        keyframes_name => "keyframes_name",
        keyword_query => "keyword_query",
        plain_value => "plain_value",
        import_statement => "import_statement",
    },
    roles: &[],
    identifiers: &[],
    ..LangSpec::new()
};

/// The first rule for a name defines it, as far as the file goes; later ones add to it.
fn name<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind, frame: &mut Frame<'t>) {
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
    if !walk.first_bound(None, key) {
        walk.occurrence(text, at.row, at.column, Write, Qualifier::None);
        return frame.skip();
    }
    let rule = walk
        .stack
        .iter()
        .rev()
        .map(|frame| frame.node)
        .find(|node| {
            matches!(
                node.kind_name(),
                "rule_set" | "declaration" | "keyframes_statement" | "at_rule"
            )
        });
    let mut draft = Draft::new(kind, node, rule.unwrap_or(node));
    let block = rule.and_then(|rule| {
        let last = rule.last_named()?;
        matches!(last.kind_name(), "block" | "keyframe_block_list").then_some(last)
    });
    draft.body_at(block);
    draft.set(SymbolFlags::EXPORTED);
    walk.record(&draft, frame);
    frame.skip();
}

/// `.name`; of `:name` the grammar says the same.
fn class_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let selector = walk.kind_above(0) == "class_selector";
    if selector {
        name(walk, node, SymbolKind::Field, frame);
    }
    frame.skip();
}

fn id_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    name(walk, node, SymbolKind::Field, frame)
}

fn keyframes_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    name(walk, node, SymbolKind::Constant, frame)
}

fn property_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if walk.text(node).starts_with(b"--") {
        name(walk, node, SymbolKind::Variable, frame);
    }
    frame.skip();
}

/// `@property --name`.
fn keyword_query<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    property_name(walk, node, frame)
}

/// `var(--name)`, and the keyframes that an animation names.
fn plain_value<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let text = walk.text(node);
    let animates = walk.ancestor(0).is_some_and(|above| {
        above.node.kind_name() == "declaration"
            && [&b"animation:"[..], b"animation-name:"]
                .iter()
                .any(|property| walk.text(above.node).starts_with(property))
    });
    if text.starts_with(b"--") || animates {
        let at = node.start_position();
        walk.occurrence(text, at.row, at.column, Read, Qualifier::None);
    }
    frame.skip();
}

/// `@import "a.css"`, `@import url(a.css)`.
fn import_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(mut target) = node.named_child(0) else {
        return frame.skip();
    };
    if target.kind_name() == "call_expression" {
        let inner = target
            .named_child(1)
            .and_then(|arguments| arguments.named_child(0));
        let Some(inner) = inner else {
            return frame.skip();
        };
        target = inner;
    }
    let text = walk.text(target);
    let specifier = match target.kind_name() {
        "string_value" => string_content(text),
        _ => text,
    };
    walk.import(ImportKind::Import, node, specifier, Vec::new());
    frame.skip();
}
