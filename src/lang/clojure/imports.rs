//! What a Clojure namespace takes from others.

use super::draft;
use crate::id::LocalName;
use crate::record::Binding;
use crate::syntax::prelude::*;

/// `(ns a.b (:require ...) (:import ...))`.
pub(super) fn namespace<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rest: &[Node<'t>],
    frame: &mut Frame<'t>,
) {
    let Some((name, rest)) = rest
        .split_first()
        .filter(|(name, _)| name.kind_name() == "sym_lit")
    else {
        return;
    };
    let mut module = draft(walk, SymbolKind::Module, *name, node);
    let whole = walk.src.get(module.name.clone()).unwrap_or(b"");
    walk.import(ImportKind::Package, node, whole, Vec::new());
    if let Some(dot) = whole.iter().rposition(|b| *b == b'.') {
        module.name.start += dot + 1;
        module.name_at.column += dot + 1;
        module.receiver = Some(&whole[..dot]);
    }
    if let Some(doc) = rest.iter().find(|part| part.kind_name() == "str_lit") {
        module.doc = Some(doc.byte_range());
        walk.claim(doc.start_byte());
    }
    walk.record(&module, frame);
    frame.role = OccurrenceKind::Import;
    for list in rest.iter().filter(|part| part.kind_name() == "list_lit") {
        let all = list.content();
        if let Some((word, items)) = all.split_first() {
            clause(walk, walk.text(*word), items);
        }
    }
}

/// `(:require [a.b :as c] d.e)`, or the same as a call with quoted items.
pub(super) fn clause<'t>(walk: &mut Walk<'t>, word: &[u8], items: &[Node<'t>]) {
    let word = word.strip_prefix(b":").unwrap_or(word);
    for item in items {
        let item = match item.kind_name() {
            "quoting_lit" => item.field("value").unwrap_or(*item),
            _ => *item,
        };
        match (word, item.kind_name()) {
            (b"require" | b"use" | b"require-macros" | b"use-macros", _) => {
                required(walk, word, b"", item);
            }
            (b"import", "sym_lit") => class(walk, b"", item),
            (b"import", "list_lit" | "vec_lit") => {
                let all = item.content();
                if let Some((package, classes)) = all.split_first() {
                    for name in classes {
                        class(walk, walk.text(*package), *name);
                    }
                }
            }
            _ => {}
        }
    }
}

/// `java.util.Date`, in full or in a list below its package.
fn class<'t>(walk: &mut Walk<'t>, package: &[u8], name: Node<'t>) {
    if name.kind_name() != "sym_lit" {
        return;
    }
    let name_text = walk.text(name);
    let own = name_text.rsplit(|b| *b == b'.').next().unwrap_or(name_text);
    let whole = match package {
        b"" => name_text.to_vec(),
        _ => [package, b".", name_text].concat(),
    };
    let binding = walk.binding(None, Some(own));
    walk.import(ImportKind::Import, name, &whole, vec![binding]);
}

/// One namespace: a symbol, a vector with options, or a list of those below a common prefix.
fn required<'t>(walk: &mut Walk<'t>, word: &[u8], prefix: &[u8], item: Node<'t>) {
    let mut open = vec![(prefix.to_vec(), item)];
    while let Some((prefix, item)) = open.pop() {
        let all = match item.kind_name() {
            "sym_lit" => vec![item],
            "vec_lit" => item.content(),
            "list_lit" if prefix.is_empty() => {
                let all = item.content();
                if let Some((name, inner)) = all.split_first() {
                    let prefix = [walk.text(*name), b"."].concat();
                    open.extend(inner.iter().rev().map(|item| (prefix.clone(), *item)));
                }
                continue;
            }
            _ => continue,
        };
        let Some((name, options)) = all.split_first() else {
            continue;
        };
        let whole = [&prefix[..], walk.text(*name)].concat();
        let bindings = bindings(walk, word, &whole, options);
        walk.import(ImportKind::Import, *name, &whole, bindings);
    }
}

/// The names that a namespace is known by here, and those of its own that are taken.
fn bindings<'t>(
    walk: &mut Walk<'t>,
    word: &[u8],
    whole: &[u8],
    options: &[Node<'t>],
) -> Vec<Binding<LocalName>> {
    let mut found = vec![walk.binding(None, Some(whole))];
    let mut all = word.starts_with(b"use");
    for pair in options.chunks(2) {
        let [key, value] = pair else { continue };
        match walk.text(*key) {
            b":as" | b":as-alias" => {
                let alias = walk.text(*value);
                found.push(walk.binding(None, Some(alias)));
            }
            b":refer" | b":only" | b":refer-macros" => {
                all = value.kind_name() == "kwd_lit";
                for name in value.content() {
                    let name = walk.text(name);
                    found.push(walk.binding(Some(name), Some(name)));
                }
            }
            b":rename" => {
                for pair in value.content().chunks(2) {
                    let [from, to] = pair else { continue };
                    let (from, to) = (walk.text(*from), walk.text(*to));
                    found.push(walk.binding(Some(from), Some(to)));
                }
            }
            _ => {}
        }
    }
    if all {
        found.push(walk.binding(None, None));
    }
    found
}
