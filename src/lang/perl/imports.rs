//! What a Perl file loads: modules, the names it takes from them, and the bases of its classes.

use super::{last_part, strings};
use crate::syntax::prelude::*;

/// `use A::B qw(c d)`, `use parent 'A'`, `use constant A => 1`.
pub(super) fn use_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(module) = node.field("module") else {
        return;
    };
    let list: Vec<Node<'t>> = node
        .content()
        .into_iter()
        .filter(|child| *child != module && child.kind_name() != "package")
        .collect();
    walk.def_names.insert(module.start_byte());
    match walk.text(module) {
        b"parent" | b"base" | b"Mojo::Base" => {
            for item in list {
                inherit(walk, item);
            }
            return frame.skip();
        }
        b"constant" => {
            for item in list {
                constants(walk, node, item, frame);
            }
            return;
        }
        b"lib" | b"vars" | b"feature" => return frame.skip(),
        // What begins with a small letter speaks to the compiler.
        name if name.first().is_some_and(u8::is_ascii_lowercase) && !name.contains(&b':') => {
            return frame.skip();
        }
        name => {
            let own = &name[last_part(name)..];
            let mut bindings = vec![walk.binding(Some(own), Some(own))];
            // `tests => 3` is an option.
            let options = |item: &&Node<'t>| {
                let mut parts = item.content().into_iter();
                !parts.any(|part| part.kind_name() == "autoquoted_bareword")
            };
            for item in list.iter().filter(options) {
                for (word, ..) in strings(walk, *item) {
                    let word = word.trim_ascii_start();
                    let word = word.strip_prefix(b"&").unwrap_or(word);
                    bindings.push(walk.binding(Some(word), Some(word)));
                }
            }
            if list.is_empty() {
                bindings.push(walk.binding(None, None));
            }
            walk.import(ImportKind::Import, node, name, bindings);
            walk.def_names.remove(&module.start_byte());
        }
    }
    frame.role = OccurrenceKind::Import;
}

/// Bases, which are loaded as well.
pub(super) fn inherit<'t>(walk: &mut Walk<'t>, list: Node<'t>) {
    for (word, start, at) in strings(walk, list) {
        let from = last_part(word);
        if !crate::syntax::walk::is_name(&word[from..]) || word == b"Exporter" {
            continue;
        }
        let own = &word[from..];
        let binding = walk.binding(Some(own), Some(own));
        walk.import(ImportKind::Require, list, word, vec![binding]);
        let kind = OccurrenceKind::Inherit;
        walk.occurrence(own, at.row, at.column + from, kind, Qualifier::None);
        walk.def_names.insert(start);
    }
}

/// `NAME => value`, or several in braces.
fn constants<'t>(walk: &mut Walk<'t>, node: Node<'t>, list: Node<'t>, frame: &mut Frame<'t>) {
    let several = list.kind_name() == "anonymous_hash_expression";
    let pairs = match several {
        true => list
            .named_child(0)
            .map(NodeExt::content)
            .unwrap_or_default(),
        false => list.content(),
    };
    let step = if several { 2 } else { usize::MAX };
    for name in pairs.into_iter().step_by(step) {
        if name.kind_name() == "autoquoted_bareword" {
            let mut draft = Draft::new(SymbolKind::Constant, name, node);
            if frame.scope != Scope::Function {
                draft.set(SymbolFlags::EXPORTED);
            }
            walk.record(&draft, frame);
        }
    }
}

/// `require A::B`, `require "a.pl"`.
pub(super) fn require<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(what) = node.named_child(0) else {
        return;
    };
    match what.kind_name() {
        "bareword" => {
            let name = walk.text(what);
            let own = &name[last_part(name)..];
            let binding = walk.binding(Some(own), Some(own));
            walk.import(ImportKind::Require, node, name, vec![binding]);
        }
        "string_literal" | "interpolated_string_literal" => {
            let path = string_content(walk.text(what));
            if !path.is_empty() && !path.contains(&b'$') {
                let all = vec![walk.binding(None, None)];
                walk.import(ImportKind::Include, node, path, all);
            }
        }
        _ => return,
    }
    frame.role = OccurrenceKind::Import;
}
