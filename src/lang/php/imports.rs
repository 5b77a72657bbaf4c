//! Namespaces, imports and includes of PHP.

use crate::record::{ImportKind, OccurrenceKind};
use crate::syntax::rows::Visit;
use crate::syntax::walk::{Frame, Walk, string_content};
use tree_sitter::Node;

pub(super) fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let name = node
        .child_by_field_name("name")
        .map_or(&b""[..], |name| walk.text(name));
    let row = node.start_position().row;
    walk.import(ImportKind::Package, row, name, Vec::new());
    Visit::Descend
}

/// `use A\B` binds `B` to the whole of `A\B`; `use function A\f` takes `f` from `A`.
pub(super) fn use_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let group = node.child_by_field_name("body");
    let mut member = node.child_by_field_name("type").is_some();
    let mut prefix = Vec::new();
    if group.is_some() {
        let mut cursor = node.walk();
        let name = node
            .named_children(&mut cursor)
            .find(|child| child.kind() == "namespace_name");
        prefix.extend_from_slice(name.map_or(&b""[..], |name| walk.text(name)));
        prefix.push(b'\\');
    }
    let list = group.unwrap_or(node);
    let mut cursor = list.walk();
    for clause in list
        .named_children(&mut cursor)
        .filter(|child| child.kind() == "namespace_use_clause")
    {
        let alias = clause.child_by_field_name("alias");
        let typed = clause.child_by_field_name("type").is_some();
        if group.is_none() {
            // Said once, it holds for the clauses after it.
            member |= typed;
        }
        let mut cursor = clause.walk();
        let Some(path) = clause
            .named_children(&mut cursor)
            .find(|child| Some(*child) != alias)
        else {
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
        let row = clause.start_position().row;
        if member || typed {
            let binding = walk.binding(Some(last), Some(local));
            walk.import(ImportKind::Import, row, module, vec![binding]);
        } else {
            let binding = walk.binding(None, Some(local));
            walk.import(ImportKind::Import, row, full, vec![binding]);
        }
    }
    Visit::Descend
}

/// `require 'a.php'`, and `require __DIR__ . '/a.php'` as a path relative to the file.
pub(super) fn include<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let mut path = node.named_child(0);
    while let Some(inner) = path.filter(|path| path.kind() == "parenthesized_expression") {
        path = inner.named_child(0);
    }
    let row = node.start_position().row;
    let plain = |node: Node<'t>| matches!(node.kind(), "string" | "encapsed_string");
    match path {
        Some(path) if plain(path) => {
            let specifier = string_content(walk.text(path));
            walk.import(ImportKind::Include, row, specifier, Vec::new());
        }
        Some(path) if path.kind() == "binary_expression" => {
            let left = path.child_by_field_name("left");
            let right = path
                .child_by_field_name("right")
                .filter(|right| plain(*right));
            let here = left
                .is_some_and(|left| matches!(walk.text(left), b"__DIR__" | b"dirname(__FILE__)"));
            if let Some(right) = right.filter(|_| here) {
                let mut specifier = b".".to_vec();
                specifier.extend_from_slice(string_content(walk.text(right)));
                walk.import(ImportKind::Include, row, &specifier, Vec::new());
            }
        }
        _ => {}
    }
    frame.role = OccurrenceKind::Read;
    Visit::Descend
}
