//! Libraries, parts and imports of Dart.

use super::child;
use crate::record::ImportKind;
use crate::syntax::rows::Visit;
use crate::syntax::walk::{Frame, Walk, string_content};
use tree_sitter::Node;

/// `library a.b;` and `part of a.b;` or `part of 'a.dart';` name what the file belongs to.
pub(super) fn library<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let row = node.start_position().row;
    if let Some(name) = child(node, &["dotted_identifier_list"]) {
        walk.import(ImportKind::Package, row, walk.text(name), Vec::new());
    } else if let Some(uri) = child(node, &["uri"]) {
        let specifier = string_content(walk.text(uri));
        walk.import(ImportKind::Package, row, specifier, Vec::new());
    }
    Visit::Skip
}

pub(super) fn part<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(uri) = node.child_by_field_name("uri") {
        let specifier = string_content(walk.text(uri));
        let row = node.start_position().row;
        walk.import(ImportKind::Include, row, specifier, Vec::new());
    }
    Visit::Skip
}

/// `import 'a.dart' as b show C;` and `export 'a.dart' show C;`
pub(super) fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let (kind, clause) = match child(node, &["import_specification"]) {
        Some(clause) => (ImportKind::Import, clause),
        None => (ImportKind::Reexport, node),
    };
    let Some(uri) = clause.child_by_field_name("uri") else {
        return Visit::Descend;
    };
    // Others may follow for other platforms.
    let uri = child(uri, &["uri"]).unwrap_or(uri);
    let mut bindings = Vec::new();
    if let Some(alias) = clause.child_by_field_name("alias") {
        bindings.push(walk.binding(None, Some(walk.text(alias))));
    } else {
        let mut cursor = clause.walk();
        for list in clause
            .named_children(&mut cursor)
            .filter(|list| list.kind() == "combinator" && child(*list, &["show"]).is_some())
        {
            let mut cursor = list.walk();
            for name in list.named_children(&mut cursor) {
                let name = Some(walk.text(name));
                bindings.push(walk.binding(name, name));
            }
        }
        if bindings.is_empty() {
            bindings.push(walk.binding(None, None));
        }
    }
    let specifier = string_content(walk.text(uri));
    walk.import(kind, node.start_position().row, specifier, bindings);
    Visit::Descend
}
