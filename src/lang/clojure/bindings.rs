//! Names that Clojure's forms bind.

use super::{draft, own_name};
use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

/// Most names that are looked for in one form.
const MAX_NAMES: usize = 512;

/// Binds the names of a pattern: `a`, `[a & b :as c]`, `{:keys [a] b :b :as c :or {...}}`.
pub(super) fn bind<'t>(walk: &mut Walk<'t>, pattern: Node<'t>, scope: &Range<Point>) {
    let mut open = vec![pattern];
    let mut left = MAX_NAMES;
    while let Some(node) = open.pop().filter(|_| left > 0) {
        left -= 1;
        match node.kind_name() {
            "sym_lit" => {
                let Some(name) = node.field("name") else {
                    continue;
                };
                if !matches!(walk.text(name), b"&" | b"_") {
                    walk.local(name, scope.clone(), None);
                    walk.claim(name.start_byte());
                }
            }
            "vec_lit" => open.extend(node.content().into_iter().rev().take(MAX_NAMES)),
            "map_lit" => {
                let pairs = node.content();
                for pair in pairs.chunks(2).take(MAX_NAMES) {
                    let [key, value] = pair else { continue };
                    match (key.kind_name(), walk.text(*key)) {
                        ("kwd_lit", b":as") => open.push(*value),
                        ("kwd_lit", word) if word.ends_with(b"keys") || word.ends_with(b"syms") => {
                            open.push(*value);
                        }
                        ("kwd_lit", b":strs") => open.push(*value),
                        ("kwd_lit", _) => {}
                        _ => open.push(*key),
                    }
                }
            }
            _ => {}
        }
    }
}

/// `(let [a 1 b 2] ...)`, `(for [x xs :let [y x] :when y] ...)`: bound in all of the form.
pub(super) fn of_vector<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rest: &[Node<'t>],
    frame: &mut Frame<'t>,
) {
    if let Some(list) = rest.first().filter(|list| list.kind_name() == "vec_lit") {
        pairs(walk, *list, &node.span(), true);
    }
    if frame.scope == Scope::Module {
        frame.scope = Scope::Function;
    }
}

fn pairs<'t>(walk: &mut Walk<'t>, list: Node<'t>, scope: &Range<Point>, outer: bool) {
    for pair in list.content().chunks(2).take(MAX_NAMES) {
        let [pattern, value] = pair else { continue };
        match pattern.kind_name() {
            "kwd_lit" if outer && walk.text(*pattern) == b":let" => {
                for inner in value.content().chunks(2).take(MAX_NAMES) {
                    bind(walk, inner[0], scope);
                }
            }
            "kwd_lit" => {}
            _ => bind(walk, *pattern, scope),
        }
    }
}

/// `(fn name [x] ...)`, `(defn name ([x] ...) ([x y] ...))`, after the name of a definition.
pub(super) fn of_function<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rest: &[Node<'t>],
    frame: &mut Frame<'t>,
) {
    frame.scope = Scope::Function;
    let scope = node.span();
    for part in rest {
        match part.kind_name() {
            "vec_lit" => {
                bind(walk, *part, &scope);
                return;
            }
            // The name of an anonymous function.
            "sym_lit" => bind(walk, *part, &scope),
            "list_lit" => {
                let list = part.named_child(0);
                if let Some(list) = list.filter(|list| list.kind_name() == "vec_lit") {
                    bind(walk, list, &part.span());
                }
            }
            _ => {}
        }
    }
}

/// `(letfn [(f [x] ...)] ...)`.
pub(super) fn of_functions<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rest: &[Node<'t>],
    frame: &mut Frame<'t>,
) {
    frame.scope = Scope::Function;
    let scope = node.span();
    let list = rest.first().filter(|list| list.kind_name() == "vec_lit");
    for function in list.map(|list| list.content()).unwrap_or_default() {
        for part in function.content().iter().take(2) {
            match part.kind_name() {
                "sym_lit" => bind(walk, *part, &scope),
                "vec_lit" => bind(walk, *part, &function.span()),
                _ => {}
            }
        }
    }
}

/// `(catch Exception e ...)`.
pub(super) fn of_catch<'t>(walk: &mut Walk<'t>, node: Node<'t>, rest: &[Node<'t>]) {
    if let Some(name) = rest.get(1) {
        bind(walk, *name, &node.span());
    }
}

/// `(push [this item] ...)` in a type.
pub(super) fn of_method<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rest: &[Node<'t>],
    frame: &mut Frame<'t>,
) {
    let Some(name) = node
        .named_child(0)
        .filter(|name| name.kind_name() == "sym_lit")
    else {
        return;
    };
    let Some(list) = rest.first().filter(|list| list.kind_name() == "vec_lit") else {
        return;
    };
    if own_name(walk, name).is_empty() {
        return;
    }
    let mut method = draft(walk, SymbolKind::Method, name, node);
    method.body = Some(list.end_byte());
    walk.define(method, frame);
    bind(walk, *list, &node.span());
}

/// The fields of a record or type, which its methods see as variables.
pub(super) fn fields<'t>(walk: &mut Walk<'t>, _: Node<'t>, list: Node<'t>, frame: &Frame<'t>) {
    for field in list.content() {
        let name = field.field("name");
        if let Some(name) = name.filter(|_| field.kind_name() == "sym_lit") {
            let mut draft = Draft::new(SymbolKind::Field, name, field);
            draft.set(SymbolFlags::EXPORTED);
            walk.record(&draft, frame);
            walk.def_names.insert(name.start_byte());
        }
    }
}
