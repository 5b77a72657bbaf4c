//! Function and class expressions: which are symbols, which are only wrappers around a module, and
//! the tests that are declared by call.

use super::bindings::parameter_names;
use super::unquote;
use crate::syntax::prelude::*;

pub(super) fn is_function(node: Node<'_>) -> bool {
    matches!(
        node.kind_name(),
        "arrow_function" | "function_expression" | "generator_function" | "function"
    )
}

/// Whether a node is a function of any kind, with a scope of its own.
pub(super) fn is_function_node(node: Node<'_>) -> bool {
    is_function(node)
        || matches!(
            node.kind_name(),
            "function_declaration"
                | "generator_function_declaration"
                | "method_definition"
                | "class_static_block"
        )
}

/// What a value makes of the name it is bound to: a function, a class, or neither.
pub(super) fn value_kind(value: Option<Node<'_>>) -> Option<SymbolKind> {
    let value = value?;
    if is_function(value) {
        Some(SymbolKind::Function)
    } else if value.kind_name() == "class" {
        Some(SymbolKind::Class)
    } else {
        None
    }
}

/// Gives a draft the body of the function or class it is bound to, and keeps that expression from
/// becoming a symbol of its own.
pub(super) fn claim<'t>(walk: &mut Walk<'t>, draft: &mut Draft<'t>, value: Node<'t>) {
    draft.body_at(value.field("body"));
    if is_function(value) {
        draft.value(super::values::returned(walk, value));
    }
    walk.claim(value.start_byte());
}

/// A function expression is a symbol when it has a name of its own; what it contains is local,
/// unless it wraps a module.
pub(super) fn function_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(parameter) = node.field("parameter") {
        parameter_names(walk, parameter, node, (0, 0), frame);
    }
    let wraps = frame.scope == Scope::Module;
    if walk.take_claim(node.start_byte()) {
        if let Some(name) = node.field("name") {
            own_name(walk, name, node, frame);
        }
        // `var run = (function run(root) { ... })`: as if it were called at once.
        let wraps = walk.ancestor(0).is_some_and(|above| {
            above.node.kind_name() == "parenthesized_expression" && is_at_top(walk, above)
        });
        frame.scope = if wraps {
            Scope::Module
        } else {
            Scope::Function
        };
        return;
    }
    if wraps && is_module_wrapper(walk, node) {
        return;
    }
    if let Some(name) = node.field("name") {
        let mut draft = Draft::new(SymbolKind::Function, name, node);
        draft.body_at(node.field("body"));
        draft.value(super::values::returned(walk, node));
        walk.define(draft, frame);
    }
    frame.scope = Scope::Function;
    frame.exported = false;
}

/// Whether a declaration's value stands at the top of a module; its own symbol made it a function's.
fn is_at_top(walk: &Walk<'_>, above: &Frame<'_>) -> bool {
    let outer = walk
        .stack
        .iter()
        .rev()
        .find(|frame| frame.symbol != above.symbol);
    outer
        .or(walk.stack.first())
        .is_some_and(|outer| outer.scope == Scope::Module)
}

/// The name of a function or class expression that is bound to another name: it holds inside.
fn own_name<'t>(walk: &mut Walk<'t>, name: Node<'t>, node: Node<'t>, frame: &Frame<'t>) {
    let text = walk.text(name);
    let same = frame
        .symbol
        .is_some_and(|symbol| walk.names.get(walk.symbols[symbol as usize].name) == text);
    if !same {
        walk.local(name, node.span(), None);
    }
}

/// `(function () { ... })()`, `!function () { ... }()`, `(function () { ... }.call(this))`, a factory
/// passed to such a function, or to `define`: its content is that of the module.
fn is_module_wrapper(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let kind = |up| walk.kind_above(up);
    let called = match kind(0) {
        "parenthesized_expression" => matches!(
            kind(1),
            "call_expression" | "member_expression" | "expression_statement"
        ),
        "call_expression" => true,
        "member_expression" => kind(1) == "call_expression",
        "arguments" => {
            let Some(call) = walk.ancestor(1) else {
                return false;
            };
            let called = call.node.field("function");
            return called.is_some_and(|called| {
                called.kind_name() == "parenthesized_expression"
                    || is_function(called)
                    || walk.text(called) == b"define"
            });
        }
        _ => false,
    };
    // Arrow functions are called at once for a value, too; bundlers wrap whole files in them.
    let arrow = node.kind_name() == "arrow_function";
    let statement = (1..5).map(kind).any(|kind| kind == "expression_statement");
    called && (!arrow || (statement && !walk.text(node).starts_with(b"async")))
}

pub(super) fn class_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let claimed = walk.take_claim(node.start_byte());
    if let Some(name) = node.field("name") {
        if claimed {
            own_name(walk, name, node, frame);
        } else {
            let mut draft = Draft::new(SymbolKind::Class, name, node);
            draft.body_at(node.field("body"));
            walk.define(draft, frame);
        }
    }
    frame.scope = Scope::Class;
}

const TEST_CALLS: &[&[u8]] = byte_words!("describe it test suite context specify");

/// Whether a call, of which `text` is the source, declares a test.
pub(super) fn declares_test(text: &[u8]) -> bool {
    TEST_CALLS
        .iter()
        .any(|name| text.starts_with(name) && matches!(text.get(name.len()), Some(b'(' | b'.')))
}

/// `describe("title", () => { ... })` and the like.
pub(super) fn test_call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(arguments) = node.field("arguments") else {
        return;
    };
    let Some(title) = arguments
        .named_child(0)
        .filter(|node| matches!(node.kind_name(), "string" | "template_string"))
    else {
        return;
    };
    let Some(callback) = arguments.named().find(|node| is_function(*node)) else {
        return;
    };
    let mut draft = Draft::new(SymbolKind::Test, title, node);
    unquote(walk, &mut draft);
    draft.set(SymbolFlags::TEST);
    draft.body_at(callback.field("body"));
    walk.claim(callback.start_byte());
    walk.define(draft, frame);
}
