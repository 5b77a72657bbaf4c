//! Namespaces, imports and includes of PHP.

use crate::syntax::prelude::*;

pub(super) fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = walk.text_of(node.field("name"));
    walk.import(ImportKind::Package, node, name, Vec::new());
}

/// `use A\B` binds `B` to the whole of `A\B`; `use function A\f` takes `f` from `A`.
pub(super) fn use_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let group = node.field("body");
    let mut member = node.field("type").is_some();
    let mut prefix = Vec::new();
    if group.is_some() {
        let name = node.named_of("namespace_name");
        prefix.extend_from_slice(name.map_or(b"", |name| walk.text(name)));
        prefix.push(b'\\');
    }
    let list = group.unwrap_or(node);
    for clause in list.all_of("namespace_use_clause") {
        let alias = clause.field("alias");
        let typed = clause.field("type").is_some();
        if group.is_none() {
            // Said once, it holds for the clauses after it.
            member |= typed;
        }
        let Some(path) = clause.named().find(|child| Some(*child) != alias) else {
            continue;
        };
        let mut full = prefix.clone();
        full.extend_from_slice(walk.text(path));
        let full = full.strip_prefix(b"\\").unwrap_or(&full);
        let split = full.iter().rposition(|b| *b == b'\\');
        let (module, last) = match split {
            Some(at) => (&full[..at], &full[at + 1..]),
            None => (&b""[..], full),
        };
        let local = alias.map_or(last, |alias| walk.text(alias));
        if member || typed {
            let binding = walk.binding(Some(last), Some(local));
            walk.import(ImportKind::Import, clause, module, vec![binding]);
        } else {
            let binding = walk.binding(None, Some(local));
            walk.import(ImportKind::Import, clause, full, vec![binding]);
        }
    }
}

/// `require 'a.php'`, and `require __DIR__ . '/a.php'` as a path relative to the file.
pub(super) fn include<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let mut path = node.named_child(0);
    while let Some(inner) = path.filter(|path| path.kind_name() == "parenthesized_expression") {
        path = inner.named_child(0);
    }
    let plain = |node: Node<'t>| matches!(node.kind_name(), "string" | "encapsed_string");
    match path {
        Some(path) if plain(path) => {
            let specifier = string_content(walk.text(path));
            walk.import(ImportKind::Include, node, specifier, Vec::new());
        }
        Some(path) if path.kind_name() == "binary_expression" => {
            let left = path.field("left");
            let right = path.field("right").filter(|right| plain(*right));
            let here = left
                .is_some_and(|left| matches!(walk.text(left), b"__DIR__" | b"dirname(__FILE__)"));
            if let Some(right) = right.filter(|_| here) {
                let mut specifier = b".".to_vec();
                specifier.extend_from_slice(string_content(walk.text(right)));
                walk.import(ImportKind::Include, node, &specifier, Vec::new());
            }
        }
        _ => {}
    }
    frame.role = OccurrenceKind::Read;
}
