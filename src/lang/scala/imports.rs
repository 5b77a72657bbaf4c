//! Packages and imports of Scala.

use crate::syntax::prelude::*;

/// `package a.b`, once more inside what stands before it.
pub(super) fn package_clause<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field("name") else {
        return;
    };
    declare(walk, node, name);
    if let Some(body) = node.field("body") {
        let mut draft = Draft::new(SymbolKind::Module, name, node);
        draft.body = Some(body.start_byte());
        draft.set(SymbolFlags::EXPORTED);
        walk.define(draft, frame);
    }
}

/// `package object a { }` is the package `a`, once more inside what stands around it: its members are seen in all of
/// that.
pub(super) fn package_object<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.field("name") {
        declare(walk, node, name);
    }
}

/// Says that the file is of a package, whose name follows those of the packages around it.
fn declare<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>) {
    let mut parts: Vec<&[u8]> = walk
        .stack
        .iter()
        .filter(|frame| frame.node.kind_name() == "package_clause")
        .filter_map(|frame| frame.node.field("name"))
        .map(|name| walk.text(name))
        .collect();
    let before = walk
        .imports
        .iter()
        .rfind(|import| import.kind == ImportKind::Package)
        .map(|import| import.specifier.clone());
    if parts.is_empty() {
        parts.extend(before.as_deref());
    }
    parts.push(walk.text(name));
    let full = parts.join(&b'.');
    walk.import(ImportKind::Package, node, &full, Vec::new());
}

pub(super) fn package_identifier<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    // Whoever waits for the names in it waits no longer.
    walk.expect_no_names(node.byte_range());
    frame.skip();
}

/// `import a.b.C` binds `C` to the whole of `a.b.C`; `import a.b.{C, D as E}` takes them from `a.b`.
pub(super) fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = OccurrenceKind::Import;
    let kind = if node.kind_name() == "export_declaration" {
        ImportKind::Reexport
    } else {
        ImportKind::Import
    };
    let mut path: Option<(usize, usize)> = None;
    let mut named: Vec<Node<'t>> = Vec::new();
    let mut last: &[u8] = b"";
    let (mut selected, mut chosen) = (None, None);
    let mut first = node;
    let parts: Vec<_> = node.parts().collect();
    let ends = parts.len();
    for i in 0..=ends {
        let part = parts.get(i);
        match part.map_or(",", |part| part.kind_name()) {
            "identifier" | "operator_identifier" => {
                let Some(part) = part else { continue };
                if path.is_none() {
                    first = *part;
                }
                let start = path.map_or(part.start_byte(), |(start, _)| start);
                path = Some((start, part.end_byte()));
                last = walk.text(*part);
                named.push(*part);
            }
            "namespace_wildcard" => selected = Some(vec![(None, None)]),
            "namespace_selectors" => {
                selected = part.map(|part| selectors(walk, *part));
                chosen = part.copied();
            }
            "arrow_renamed_identifier" | "as_renamed_identifier" => {
                selected = part.and_then(|part| Some(vec![renamed(walk, *part)?]));
            }
            "," => {
                let Some((start, end)) = path.take() else {
                    continue;
                };
                if frame.scope != Scope::Module {
                    of_value(walk, node, &named, (selected.is_some(), chosen.take()));
                }
                named.clear();
                let specifier = walk.src.get(start..end).unwrap_or(b"");
                let names = selected.take().unwrap_or_else(|| vec![(None, Some(last))]);
                let bindings = names
                    .into_iter()
                    .map(|(imported, local)| walk.binding(imported, local))
                    .collect();
                walk.import(kind, first, specifier, bindings);
            }
            _ => {}
        }
    }
}

/// What an import may stand in that is not all of a file.
const AROUND: &[&str] = words!("block indented_block template_body case_clause");

/// `import parser._` where `parser` is a value, or `import Names._` of an object: from there on bare names may be members of
/// it, as those are that the import chooses.
fn of_value<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    path: &[Node<'t>],
    (is_all, chosen): (bool, Option<Node<'t>>),
) {
    let object = match is_all {
        true => path.last(),
        false => path.len().checked_sub(2).and_then(|at| path.get(at)),
    };
    let is_value = |name: &&Node<'t>| {
        let first = walk.text(**name).first();
        first.is_some_and(u8::is_ascii_lowercase)
    };
    let is_near = |_: &&Node<'t>| is_all && path.len() == 1;
    if let Some(object) = object.filter(|name| is_value(name) || is_near(name)) {
        let is_name =
            |item: &Node<'t>| matches!(item.kind_name(), "identifier" | "operator_identifier");
        for item in chosen.into_iter().flat_map(|list| list.named()) {
            let name = Some(item).filter(is_name).or_else(|| item.field("name"));
            if let Some(name) = name.filter(is_name) {
                walk.receiver(name.start_position(), Hint::value(*object));
            }
        }
        let scope = walk.scope_from(node.end_position(), AROUND);
        let of = Hint::value(*object).with(HintKind::WithinValue);
        walk.local(*object, scope, Some(of));
    }
}

type Names<'t> = (Option<&'t [u8]>, Option<&'t [u8]>);

fn selectors<'t>(walk: &Walk<'t>, list: Node<'t>) -> Vec<Names<'t>> {
    let mut names = Vec::new();
    for item in list.named() {
        match item.kind_name() {
            "identifier" | "operator_identifier" => {
                let name = Some(walk.text(item));
                names.push((name, name));
            }
            "namespace_wildcard" => names.push((None, None)),
            _ => names.extend(renamed(walk, item)),
        }
    }
    names
}

/// `a as b`; `a as _` hides `a`.
fn renamed<'t>(walk: &Walk<'t>, item: Node<'t>) -> Option<Names<'t>> {
    let name = item.field("name")?;
    let alias = item
        .field("alias")
        .filter(|alias| alias.kind_name() != "wildcard")?;
    Some((Some(walk.text(name)), Some(walk.text(alias))))
}
