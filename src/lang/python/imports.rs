//! What a Python file takes from other modules, and what `__all__` says it gives out.

use crate::id::LocalName;
use crate::syntax::prelude::*;
use rustc_hash::FxHashSet;

/// `import a.b`, `import a.b as c`: without an alias the first part is bound.
pub(super) fn import_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    for child in node.named() {
        let (module, local) = match child.kind_name() {
            "aliased_import" => (child.field("name"), child.field("alias")),
            "dotted_name" => (Some(child), child.named_child(0)),
            _ => continue,
        };
        if let (Some(module), Some(local)) = (module, local) {
            let binding = walk.binding(None, Some(walk.text(local)));
            walk.import(ImportKind::Import, child, walk.text(module), vec![binding]);
        }
    }
}

/// `from x import a, b as c`, `from . import d`, `from x import *`.
pub(super) fn import_from<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let module = node.field("module_name");
    let specifier = module.map_or(&b"__future__"[..], |module| walk.text(module));
    let mut bindings = Vec::new();
    for child in node.named() {
        if Some(child) == module {
            continue;
        }
        match child.kind_name() {
            "dotted_name" => {
                let name = walk.text(child);
                bindings.push(walk.binding(Some(name), Some(name)));
            }
            "aliased_import" => {
                let name = child.field("name").map(|name| walk.text(name));
                let alias = child.field("alias").map(|alias| walk.text(alias));
                bindings.push(walk.binding(name, alias));
            }
            "wildcard_import" => bindings.push(walk.binding(None, None)),
            _ => {}
        }
    }
    walk.import(ImportKind::Import, node, specifier, bindings);
}

/// `__import__("x")`, `importlib.import_module("x")`, and names given to `__all__` by call.
pub(super) fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let function = node.field("function");
    match walk.text_of(function) {
        b"__all__.extend" | b"__all__.append" => {
            if let Some(arguments) = node.field("arguments") {
                all_names(walk, arguments);
            }
        }
        b"__import__" | b"import_module" | b"importlib.import_module"
            if !walk.take_claim(node.start_byte()) =>
        {
            dynamic_import(walk, node, None);
        }
        _ => {}
    }
}

/// Records `name = import_module("x")`; the call itself is then not recorded again.
pub(super) fn import_into<'t>(walk: &mut Walk<'t>, call: Node<'t>, name: Node<'t>) {
    if call.kind_name() != "call" {
        return;
    }
    let function = call.field("function");
    if matches!(
        walk.text_of(function),
        b"import_module" | b"importlib.import_module"
    ) {
        dynamic_import(walk, call, Some(name));
        walk.claim(call.start_byte());
    }
}

fn dynamic_import<'t>(walk: &mut Walk<'t>, call: Node<'t>, name: Option<Node<'t>>) {
    let specifier = call
        .field("arguments")
        .and_then(|arguments| arguments.named_child(0))
        .filter(|argument| {
            // Only a literal says which module: no `f"..."`.
            let quote = walk.text(*argument).first();
            argument.kind_name() == "string" && matches!(quote, Some(b'"' | b'\''))
        });
    if let Some(specifier) = specifier {
        let specifier = string_content(walk.text(specifier));
        let bindings = name.map(|name| walk.binding(None, Some(walk.text(name))));
        walk.import(
            ImportKind::Dynamic,
            call,
            specifier,
            bindings.into_iter().collect(),
        );
    }
}

/// The strings in `["a", "b"]`, `base.__all__ + ["c"]` or the arguments of a call, as exports.
pub(super) fn all_names<'t>(walk: &mut Walk<'t>, value: Node<'t>) {
    let mut bindings = Vec::new();
    let mut open = vec![value];
    while let Some(node) = open.pop() {
        match node.kind_name() {
            "string" => {
                let name = string_content(walk.text(node));
                bindings.push(walk.binding(Some(name), Some(name)));
            }
            "list"
            | "tuple"
            | "argument_list"
            | "binary_operator"
            | "parenthesized_expression"
            | "expression_list" => {
                let children = (0..node.named_child_count() as u32).rev();
                open.extend(children.filter_map(|i| node.named_child(i)));
            }
            _ => {}
        }
    }
    if !bindings.is_empty() {
        walk.import(ImportKind::Export, value, b"", bindings);
    }
}

/// Where `__all__` is given, it alone says what is exported at module level.
pub(super) fn finish(walk: &mut Walk<'_>) {
    let mut listed: FxHashSet<LocalName> = FxHashSet::default();
    let exports = walk
        .imports
        .iter()
        .filter(|import| import.kind == ImportKind::Export);
    listed.extend(
        exports.flat_map(|import| import.bindings.iter().filter_map(|binding| binding.local)),
    );
    if listed.is_empty() {
        return;
    }
    for symbol in walk
        .symbols
        .iter_mut()
        .filter(|symbol| symbol.container.is_none())
    {
        if listed.contains(&symbol.name) {
            symbol.flags = symbol.flags.with(SymbolFlags::EXPORTED);
        } else {
            symbol.flags.0 &= !SymbolFlags::EXPORTED.0;
        }
    }
    for i in 0..walk.symbols.len() {
        if let Some(container) = walk.symbols[i].container
            && !walk.symbols[container as usize]
                .flags
                .contains(SymbolFlags::EXPORTED)
        {
            walk.symbols[i].flags.0 &= !SymbolFlags::EXPORTED.0;
        }
    }
}
