//! Rust: what `mod`, `use` and `extern crate` bring in.

use crate::syntax::prelude::*;

/// `mod x;` declares a module that is another file.
pub(super) fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if node.field("body").is_none()
        && let Some(name) = node.field("name")
    {
        let name = walk.text(name);
        let binding = walk.binding(None, Some(name));
        walk.import(ImportKind::Module, node, name, vec![binding]);
        frame.role = OccurrenceKind::Import;
    }
}

pub(super) fn extern_crate<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let local = node.field("alias").unwrap_or(name);
        let binding = walk.binding(None, Some(walk.text(local)));
        walk.import(ImportKind::Import, node, walk.text(name), vec![binding]);
    }
}

/// One record for every module path in a use tree, each with the names taken from it.
pub(super) fn use_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(argument) = node.field("argument") else {
        return;
    };
    let public = node
        .named_child(0)
        .is_some_and(|child| child.kind_name() == "visibility_modifier");
    let kind = if public {
        ImportKind::Reexport
    } else {
        ImportKind::Import
    };
    let mut leaves: Vec<Leaf<'_>> = Vec::new();
    // Iterative, since the nesting of a use tree is not bounded by anything else.
    let mut open: Vec<(Node<'t>, Vec<u8>)> = vec![(argument, Vec::new())];
    while let Some((node, prefix)) = open.pop() {
        match node.kind_name() {
            "scoped_use_list" => {
                let path = walk.text_of(node.field("path"));
                let prefix = join(&prefix, path);
                if let Some(list) = node.field("list") {
                    push_list(&mut open, list, &prefix);
                }
            }
            "use_list" => push_list(&mut open, node, &prefix),
            "use_wildcard" => {
                let path = walk.text_of(node.named_child(0));
                leaves.push(Leaf {
                    at: node,
                    module: join(&prefix, path),
                    names: None,
                });
            }
            "use_as_clause" => {
                let path = walk.text_of(node.field("path"));
                let alias = node.field("alias").map(|alias| walk.text(alias));
                leaves.push(leaf(node, &prefix, path, alias));
            }
            _ if node.is_named() => leaves.push(leaf(node, &prefix, walk.text(node), None)),
            _ => {}
        }
    }
    let mut from = 0;
    while from < leaves.len() {
        let same = leaves[from..]
            .iter()
            .take_while(|leaf| leaf.module == leaves[from].module)
            .count();
        let mut bindings = Vec::new();
        for leaf in &leaves[from..from + same] {
            match &leaf.names {
                // `use a as _` binds nothing.
                Some((None, None)) => {}
                Some((imported, local)) => {
                    bindings.push(walk.binding(imported.as_deref(), local.as_deref()))
                }
                None => bindings.push(walk.binding(None, None)),
            }
        }
        walk.import(kind, leaves[from].at, &leaves[from].module, bindings);
        from += same;
    }
}

/// Name in the module, `None` for the module itself, and local name, `None` for `_`.
type LeafNames = (Option<Vec<u8>>, Option<Vec<u8>>);

struct Leaf<'t> {
    at: Node<'t>,
    module: Vec<u8>,
    /// `None` for a glob.
    names: Option<LeafNames>,
}

fn push_list<'t>(open: &mut Vec<(Node<'t>, Vec<u8>)>, list: Node<'t>, prefix: &[u8]) {
    let children: Vec<_> = list.named().filter(|child| !child.is_extra()).collect();
    open.extend(
        children
            .into_iter()
            .rev()
            .map(|child| (child, prefix.to_vec())),
    );
}

fn join(prefix: &[u8], path: &[u8]) -> Vec<u8> {
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => path.to_vec(),
        (_, true) => prefix.to_vec(),
        _ => [prefix, b"::", path].concat(),
    }
}

fn leaf<'t>(at: Node<'t>, prefix: &[u8], path: &[u8], alias: Option<&[u8]>) -> Leaf<'t> {
    let whole = join(prefix, path);
    let last = |path: &[u8]| path.rsplit(|b| *b == b':').next().unwrap_or(path).to_vec();
    if path == b"self" {
        let local = alias.map_or_else(|| last(prefix), <[u8]>::to_vec);
        return Leaf {
            at,
            module: prefix.to_vec(),
            names: Some((None, Some(local))),
        };
    }
    let name = last(&whole);
    let module = whole[..whole.len() - name.len()]
        .strip_suffix(b"::")
        .unwrap_or(b"")
        .to_vec();
    let local = alias.map_or_else(|| name.clone(), <[u8]>::to_vec);
    let local = Some(local).filter(|local| local != b"_");
    if module.is_empty() {
        return Leaf {
            at,
            module: name,
            names: Some((None, local)),
        };
    }
    Leaf {
        at,
        module,
        names: Some((Some(name), local)),
    }
}
