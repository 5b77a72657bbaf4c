//! Calls that define, import or test something.

use super::{expect, symbol_name, visible};
use crate::syntax::prelude::*;

/// What a call without a receiver does, by its name.
enum Meaning {
    /// Defines a member for each symbol or string it is given.
    Members(SymbolKind),
    /// Defines one member, named by its first argument.
    Member(SymbolKind),
    /// Defines a member for each argument but the first.
    Delegates,
    /// Defines a method with a block.
    Method,
    /// Requires a file.
    Require,
    /// Declares a test or group of tests.
    Test,
    /// Declares a task of Rake.
    Task,
    /// Refines a class.
    Refine,
}

fn meaning(name: &[u8]) -> Option<Meaning> {
    Some(match name {
        b"attr_reader" | b"attr_writer" | b"attr_accessor" | b"attr" | b"cattr_accessor"
        | b"cattr_reader" | b"cattr_writer" | b"mattr_accessor" | b"mattr_reader"
        | b"mattr_writer" | b"class_attribute" => Meaning::Members(SymbolKind::Field),
        b"delegate" => Meaning::Members(SymbolKind::Method),
        b"belongs_to" | b"has_many" | b"has_one" | b"has_and_belongs_to_many" | b"attribute" => {
            Meaning::Member(SymbolKind::Field)
        }
        b"alias_method" | b"scope" | b"let" | b"let!" | b"subject" | b"subject!" => {
            Meaning::Member(SymbolKind::Method)
        }
        b"def_delegators" | b"def_instance_delegators" => Meaning::Delegates,
        b"define_method" | b"define_singleton_method" => Meaning::Method,
        b"require" | b"require_relative" | b"load" | b"autoload" => Meaning::Require,
        b"describe"
        | b"context"
        | b"it"
        | b"specify"
        | b"example"
        | b"feature"
        | b"scenario"
        | b"test"
        | b"should"
        | b"shared_examples"
        | b"shared_examples_for"
        | b"shared_context"
        | b"xdescribe"
        | b"xcontext"
        | b"xit"
        | b"fdescribe"
        | b"fcontext"
        | b"fit" => Meaning::Test,
        b"task" | b"multitask" => Meaning::Task,
        b"refine" => Meaning::Refine,
        _ => return None,
    })
}

pub(super) fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.role != OccurrenceKind::Write {
        frame.role = OccurrenceKind::Call;
    }
    let Some(method) = node.field("method") else {
        return;
    };
    let name = walk.text(method);
    let Some(meaning) = meaning(name) else { return };
    if let Some(receiver) = node.field("receiver")
        && !(matches!(meaning, Meaning::Test) && walk.text(receiver) == b"RSpec")
    {
        return;
    }
    let arguments: Vec<_> = match node.field("arguments") {
        Some(list) => list.named().collect(),
        None => Vec::new(),
    };
    match meaning {
        Meaning::Members(kind) => members(walk, node, frame, kind, &arguments),
        Meaning::Member(kind) => {
            let first = arguments.get(..1).unwrap_or(&[]);
            members(walk, node, frame, kind, first);
        }
        Meaning::Delegates => {
            let rest = arguments.get(1..).unwrap_or(&[]);
            members(walk, node, frame, SymbolKind::Method, rest);
        }
        Meaning::Method => {
            if let Some(draft) = arguments.first().and_then(|name| {
                let mut draft = named(walk, SymbolKind::Method, *name, node)?;
                block_of(node, &mut draft);
                visible(walk, node, frame, &mut draft);
                Some(draft)
            }) {
                walk.define(draft, frame);
            }
        }
        Meaning::Require => require(walk, node, name, &arguments),
        Meaning::Test => test(walk, node, frame, arguments.first().copied()),
        Meaning::Task => task(walk, node, frame, arguments.first().copied()),
        Meaning::Refine => {
            if let Some(name) = arguments
                .first()
                .filter(|name| name.kind_name() == "constant")
            {
                let mut draft = Draft::new(SymbolKind::Impl, *name, node);
                block_of(node, &mut draft);
                visible(walk, node, frame, &mut draft);
                walk.define(draft, frame);
            }
        }
    }
}

fn members<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    kind: SymbolKind,
    names: &[Node<'t>],
) {
    if frame.symbol.is_none() || (frame.scope == Scope::Function && kind == SymbolKind::Field) {
        return;
    }
    let mut flags = None;
    for name in names {
        if let Some(mut draft) = named(walk, kind, *name, node) {
            let flags = *flags.get_or_insert_with(|| {
                visible(walk, node, frame, &mut draft);
                draft.flags
            });
            draft.set(flags);
            let is_of_class = walk.enclosing(&["class", "module", "singleton_class"]);
            let is_of_class =
                is_of_class.is_some_and(|around| around.node.kind_name() == "singleton_class");
            if kind == SymbolKind::Field && is_of_class {
                let text = draft.text(walk);
                let given = walk.names.find(text).map(|name| (frame.symbol, name));
                let given = given.and_then(|at| walk.awaited.remove(&at));
                draft.value(given);
            }
            walk.record(&draft, frame);
        }
    }
}

/// A draft named by a symbol or a plain string.
fn named<'t>(
    walk: &mut Walk<'t>,
    kind: SymbolKind,
    name: Node<'t>,
    outer: Node<'t>,
) -> Option<Draft<'t>> {
    let mut draft = Draft::new(kind, name, outer);
    match name.kind_name() {
        "simple_symbol" => unsign(walk, &mut draft),
        "string" if name.named_child_count() == 1 && draft.unquote(walk) => {}
        _ => return None,
    }
    let text = draft.text(walk);
    expect(walk, text, draft.name.start);
    Some(draft)
}

/// Drops the colon of a symbol.
pub(super) fn unsign(walk: &Walk<'_>, draft: &mut Draft<'_>) {
    if walk.src.get(draft.name.start) == Some(&b':') {
        draft.name.start += 1;
        draft.name_at.column += 1;
    }
}

fn block_of<'t>(call: Node<'t>, draft: &mut Draft<'t>) {
    draft.body_at(call.field("block"));
}

/// `require_relative "a"` is written down as `./a`: it starts at the file.
fn require<'t>(walk: &mut Walk<'t>, node: Node<'t>, method: &[u8], arguments: &[Node<'t>]) {
    let Some(path) = arguments
        .last()
        .filter(|path| path.kind_name() == "string" && path.named_child_count() == 1)
    else {
        return;
    };
    let path = string_content(walk.text(*path));
    if method == b"require_relative" && !path.starts_with(b".") && !path.starts_with(b"/") {
        let mut specifier = b"./".to_vec();
        specifier.extend_from_slice(path);
        walk.import(ImportKind::Require, node, &specifier, Vec::new());
        return;
    }
    let mut bindings = Vec::new();
    if method == b"autoload"
        && let Some(name) = arguments.first()
    {
        let name = symbol_name(walk, *name);
        bindings.push(walk.binding(Some(name), Some(name)));
    }
    walk.import(ImportKind::Require, node, path, bindings);
}

/// `describe Thing do`, `it "does" do`.
fn test<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>, title: Option<Node<'t>>) {
    let Some(title) = title.filter(|_| node.field("block").is_some()) else {
        return;
    };
    let mut draft = Draft::new(SymbolKind::Test, title, node);
    match title.kind_name() {
        "string" => {
            if !draft.unquote(walk) {
                return;
            }
        }
        "constant" | "scope_resolution" => {}
        "simple_symbol" => unsign(walk, &mut draft),
        _ => return,
    }
    block_of(node, &mut draft);
    draft.set(SymbolFlags::TEST);
    let names_code = title.kind_name() != "string";
    walk.define(draft, frame);
    if names_code {
        // What is tested is used.
        walk.expect_no_names(title.byte_range());
    }
}

/// `task :name`, `task name: [...]`, `task :name => [...]`.
fn task<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>, name: Option<Node<'t>>) {
    if frame.scope == Scope::Function {
        return;
    }
    let name = match name {
        Some(pair) if pair.kind_name() == "pair" => pair.field("key"),
        other => other,
    };
    let Some(name) = name else { return };
    let draft = match name.kind_name() {
        "hash_key_symbol" => Some(Draft::new(SymbolKind::Function, name, node)),
        _ => named(walk, SymbolKind::Function, name, node),
    };
    if let Some(mut draft) = draft {
        block_of(node, &mut draft);
        draft.set(SymbolFlags::EXPORTED);
        walk.define(draft, frame);
    }
}

/// Whether the block of a call has variables of an object of its own: a class that is made, or a group of tests.
pub(super) fn has_members(walk: &Walk<'_>, call: Node<'_>) -> bool {
    made_class(walk, call).is_some() || GROUPS.contains(&walk.text_of(call.field("method")))
}

/// Calls that declare groups of tests.
const GROUPS: &[&[u8]] = byte_words!(
    "describe context feature shared_examples shared_examples_for shared_context xdescribe xcontext fdescribe fcontext"
);

/// What kind of thing `Struct.new(...)` and the like make.
pub(super) fn made_class(walk: &Walk<'_>, value: Node<'_>) -> Option<SymbolKind> {
    if value.kind_name() != "call" {
        return None;
    }
    let receiver = value.field("receiver")?;
    let method = value.field("method")?;
    match (walk.text(receiver), walk.text(method)) {
        (b"Struct", b"new") | (b"Data", b"define") => Some(SymbolKind::Struct),
        (b"Class", b"new") => Some(SymbolKind::Class),
        (b"Module", b"new") => Some(SymbolKind::Module),
        _ => None,
    }
}

/// The fields that `Struct.new(:x, :y)` is given.
pub(super) fn struct_members<'t>(walk: &mut Walk<'t>, value: Node<'t>, frame: &Frame<'t>) {
    let Some(list) = value.field("arguments") else {
        return;
    };
    for name in list.all_of("simple_symbol") {
        if let Some(mut draft) = named(walk, SymbolKind::Field, name, name) {
            draft.set_if(SymbolFlags::EXPORTED, frame.exported);
            walk.record(&draft, frame);
        }
    }
}
