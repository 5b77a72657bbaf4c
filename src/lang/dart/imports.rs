//! Libraries, parts and imports of Dart.

use crate::syntax::prelude::*;

/// `library a.b;` and `part of a.b;` or `part of 'a.dart';` name what the file belongs to.
pub(super) fn library<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.part(&["dotted_identifier_list"]) {
        walk.import(ImportKind::Package, node, walk.text(name), Vec::new());
    } else if let Some(uri) = node.part(&["uri"]) {
        let specifier = string_content(walk.text(uri));
        walk.import(ImportKind::Package, node, specifier, Vec::new());
    }
    frame.skip();
}

pub(super) fn part<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(uri) = node.field("uri") {
        let specifier = string_content(walk.text(uri));
        walk.import(ImportKind::Include, node, specifier, Vec::new());
    }
    frame.skip();
}

/// `import 'a.dart' as b show C;` and `export 'a.dart' show C;`
pub(super) fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let (kind, clause) = match node.part(&["import_specification"]) {
        Some(clause) => (ImportKind::Import, clause),
        None => (ImportKind::Reexport, node),
    };
    let Some(uri) = clause.field("uri") else {
        return;
    };
    // Others may follow for other platforms.
    let uri = uri.part(&["uri"]).unwrap_or(uri);
    let mut bindings = Vec::new();
    if let Some(alias) = clause.field("alias") {
        bindings.push(walk.binding(None, Some(walk.text(alias))));
    } else {
        for list in clause
            .named()
            .filter(|list| list.kind_name() == "combinator" && list.part(&["show"]).is_some())
        {
            for name in list.named() {
                let name = Some(walk.text(name));
                bindings.push(walk.binding(name, name));
            }
        }
        if bindings.is_empty() {
            bindings.push(walk.binding(None, None));
        }
    }
    let specifier = string_content(walk.text(uri));
    walk.import(kind, node, specifier, bindings);
}
