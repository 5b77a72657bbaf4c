//! Nix: the names of a file are those of its outermost `let` and of the attribute sets it is made of.

pub(crate) mod facts;
mod resolve;

use crate::record::{HintKind, ImportKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::syntax::hints::{Hint, MAX_STEPS};
use crate::syntax::hooks;
use crate::syntax::node::NodeExt;
use crate::syntax::rows::{LangSpec, Rule};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk};
use OccurrenceKind::{Call, Read, Write};
use Rule::{Is, Pass};
use tree_sitter::Node;

/// Sets in sets that are looked at: `packages.shop.meta` is the third.
const MAX_DEPTH: usize = 3;

/// Nix.
pub(crate) static NIX: LangSpec = LangSpec {
    hooks: hooks! {
        binding => "binding",
        inherit_from => "inherit_from",
        formal => "formal",
        function => "function_expression",
        attrpath => "attrpath",
        apply => "apply_expression",
        path => "path_expression spath_expression",
        // What stands in these belongs to no set that has a name.
        hooks::function => "list_expression",
        hooks::function => "interpolation",
        binary => "binary_expression",
    },
    roles: roles! {
        Is(Call) => "apply_expression.function",
        Pass => "variable_expression.name parenthesized_expression.expression
            select_expression.attrpath inherit_from.attrs inherited_attrs.attr",
        Is(Read) => "inherit.attrs",
        Is(Write) => "formal.name function_expression.universal",
    },
    identifiers: &[("identifier", Read)],
    this_kinds: &[],
    this_names: &[],
    comments: &["comment"],
    strings: &[],
    hint,
    ..LangSpec::new()
};

/// The identifiers that an attribute path begins with; what comes behind a computed part is not known.
fn attributes<'t>(path: Node<'t>) -> Vec<Node<'t>> {
    path.named()
        .take_while(|attribute| attribute.kind_name() == "identifier")
        .collect()
}

/// The identifier that an expression follows from.
fn hint(_: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    let mut node = node;
    let mut kind = HintKind::Value;
    for _ in 0..MAX_STEPS {
        node = match node.kind_name() {
            "parenthesized_expression" => node.field("expression")?,
            "apply_expression" => {
                kind = HintKind::Result;
                node.field("function")?
            }
            "variable_expression" => {
                return Some(Hint::value(node.field("name")?).with(kind));
            }
            "select_expression" => {
                let path = node.field("attrpath")?;
                let last = path.last_named()?;
                return (last.kind_name() == "identifier").then(|| Hint::value(last).with(kind));
            }
            "string_expression"
            | "indented_string_expression"
            | "integer_expression"
            | "float_expression"
            | "path_expression" => return Some(Hint::LITERAL),
            _ => return None,
        };
    }
    None
}

/// Whether a binding is one of a `let`.
fn let_around<'t>(walk: &Walk<'t>) -> Option<Node<'t>> {
    walk.above(1)
        .filter(|above| above.kind_name() == "let_expression")
}

fn depth(walk: &Walk<'_>, frame: &Frame<'_>) -> usize {
    let container = |at: &u32| walk.symbols[*at as usize].container;
    std::iter::successors(frame.symbol, container)
        .take(MAX_DEPTH)
        .count()
}

/// `a.b.c = value;`
fn binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let (Some(path), Some(value)) = (node.field("attrpath"), node.field("expression")) else {
        return;
    };
    let names = attributes(path);
    let whole = names.len() == path.named_child_count();
    let let_expression = let_around(walk);
    let top = frame.scope == Scope::Module;
    let Some(name) = names.last().copied().filter(|_| whole) else {
        frame.scope = Scope::Function;
        return;
    };
    if let Some(around) = let_expression.filter(|_| !top || frame.symbol.is_some()) {
        let first = names[0];
        walk.local(first, around.span(), hint(walk, value));
        written(walk, &names);
        frame.scope = Scope::Function;
        return;
    }
    if !top || depth(walk, frame) >= MAX_DEPTH {
        written(walk, &names);
        frame.scope = Scope::Function;
        return;
    }
    let (kind, body) = match value.kind_name() {
        "function_expression" => (SymbolKind::Function, value.field("body")),
        "attrset_expression" | "rec_attrset_expression" => (SymbolKind::Module, Some(value)),
        _ if let_expression.is_some() => (SymbolKind::Constant, None),
        _ => (SymbolKind::Field, None),
    };
    let mut draft = Draft::new(kind, name, node);
    draft.body_at(body);
    if names.len() > 1 {
        let before = path.start_byte()..names[names.len() - 2].end_byte();
        draft.receiver = walk.src.get(before);
    }
    draft.set_if(SymbolFlags::EXPORTED, let_expression.is_none());
    draft.value(hint(walk, value));
    for name in &names {
        walk.pass_over(*name);
    }
    walk.define(draft, frame);
    // A function gives out the set that it makes, as a file does.
    frame.scope = match kind {
        SymbolKind::Function | SymbolKind::Module => Scope::Module,
        _ => Scope::Function,
    };
}

/// A path that is set: each name in the one before.
fn written<'t>(walk: &mut Walk<'t>, names: &[Node<'t>]) {
    walk.path(names, Qualifier::None, Write, Write);
    names.iter().for_each(|name| walk.pass_over(*name));
}

/// `inherit (from) a b;` takes members of `from`; in a `let` it binds their names.
fn inherit_from<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.scope = Scope::Function;
    let around = let_around(walk);
    frame.role = if around.is_some() { Write } else { Read };
    let (Some(from), Some(taken)) = (node.field("expression"), node.field("attrs")) else {
        return;
    };
    let object = hint(walk, from);
    for name in attributes(taken) {
        if let Some(object) = object {
            walk.receiver(name.start_position(), object);
        }
        if let Some(around) = around {
            walk.local(name, around.span(), None);
        }
    }
}

fn formal<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        walk.local_in(&["function_expression"], name, None);
    }
    frame.scope = Scope::Function;
}

/// `name: ...`, `{ ... }@name: ...`.
fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("universal") {
        walk.local(name, node.span(), None);
    }
}

/// `x.a.b`: each name is a member of the one before.
fn attrpath<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(above) = walk.above(0) else {
        return;
    };
    if !matches!(
        above.kind_name(),
        "select_expression" | "has_attr_expression"
    ) {
        return;
    }
    let object = above.field("expression");
    let named = object.is_some_and(|object| {
        matches!(
            object.kind_name(),
            "variable_expression" | "select_expression"
        )
    });
    let names = attributes(node);
    let first = match named {
        true => Qualifier::Previous,
        false => Qualifier::Expression,
    };
    let whole = names.len() == node.named_child_count();
    let last = if whole { frame.role } else { Read };
    walk.path(&names, first, Read, last);
    names.iter().for_each(|name| walk.pass_over(*name));
}

/// What is handed to a function is its own, but for a set that a function in parentheses makes.
fn apply<'t>(_: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let argument = node.field("argument");
    if argument.is_none_or(|argument| argument.kind_name() != "parenthesized_expression") {
        frame.scope = Scope::Function;
    }
}

/// `a // b` is one set of both.
fn binary<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let operator = node.field("operator");
    if operator.is_none_or(|operator| walk.text(operator) != b"//") {
        frame.scope = Scope::Function;
    }
}

/// The name that a function is called by: the last one of a path.
fn called<'t>(walk: &Walk<'t>, apply: Node<'t>) -> &'t [u8] {
    let name = match apply.field("function") {
        Some(function) if function.kind_name() == "select_expression" => {
            let path = function.field("attrpath");
            path.and_then(|path| attributes(path).last().copied())
        }
        Some(function) if function.kind_name() == "variable_expression" => function.field("name"),
        _ => None,
    };
    walk.text_of(name)
}

/// A path names another file when it ends like one, when it is imported or called as a package, and
/// in the list of a module's imports. Other paths are data.
fn path<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let text = walk.text(node);
    if node.named_child_count() > 1 {
        // Computed in part.
        return;
    }
    let mut around = walk.stack.iter().rev().map(|frame| frame.node).peekable();
    let function = around
        .next_if(|above| above.kind_name() == "apply_expression")
        .map_or(&b""[..], |apply| called(walk, apply));
    let imported = matches!(function, b"import" | b"callPackage" | b"callPackages");
    // `name = import ./path { ... };`
    while around
        .next_if(|above| above.kind_name() == "apply_expression")
        .is_some()
    {}
    let list = around
        .next_if(|above| above.kind_name() == "list_expression")
        .is_some();
    let bound = around
        .next_if(|above| above.kind_name() == "binding")
        .and_then(|binding| binding.field("attrpath"))
        .map(attributes)
        .unwrap_or_default();
    let last = walk.text_of(bound.last().copied());
    let of_module = list && matches!(last, b"imports" | b"modules");
    let searched = node.kind_name() == "spath_expression";
    if !(imported || of_module || searched || text.ends_with(b".nix")) {
        return frame.skip();
    }
    let mut bindings = Vec::new();
    if function == b"import" && bound.len() == 1 && !list {
        bindings.push(walk.binding(None, Some(last)));
    }
    walk.import(ImportKind::Import, node, text, bindings);
    frame.skip();
}
