//! Names that Python code binds: module variables, attributes of classes and of their instances,
//! and the local names of functions, lambdas and comprehensions.
//!
//! [`Walk::bound`] holds what has been bound so far, by the symbol it is bound in. A symbol with
//! [`RESERVED`] stands for names that are not to be bound there: `global` ones, and those that a
//! `def` or `class` has made symbols.

use super::itself::{is_object, rebind};
use super::values::{element, first_of_pair, hint, is_none, second_of_pair, type_hint};
use super::{is_constant, is_private};
use crate::lang::python::imports::{all_names, import_into};
use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

/// Set in the index of a symbol (a file has fewer than 2^31).
const RESERVED: u32 = 1 << 31;

/// Bytes of a class's bases that are searched for the word that makes it an enumeration.
const MAX_BASES: usize = 256;

const COMPREHENSIONS: &[&str] =
    words!("list_comprehension set_comprehension dictionary_comprehension generator_expression");

/// Keeps assignments in the symbol `holder` from binding `name`.
pub(super) fn reserve(walk: &mut Walk<'_>, holder: u32, name: &[u8]) {
    let (id, _) = walk.names.intern(name);
    walk.bound.insert((Some(holder | RESERVED), id));
}

fn is_reserved(walk: &mut Walk<'_>, holder: u32, name: &[u8]) -> bool {
    let (id, _) = walk.names.intern(name);
    walk.bound.contains(&(Some(holder | RESERVED), id))
}

/// Where the names of the enclosing function hold.
fn function_span(walk: &Walk<'_>) -> Range<Point> {
    let function = walk.enclosing(&["function_definition"]);
    let body = function.and_then(|frame| frame.node.field("body"));
    body.map_or_else(|| walk.scope_within(&[]), NodeExt::span)
}

/// Binds a name inside a function; `end` is where the statement ends, after which a name bound
/// before has its new value.
fn bind<'t>(
    walk: &mut Walk<'t>,
    name: Node<'t>,
    frame: &Frame<'t>,
    end: Point,
    hint: Option<Hint>,
) {
    let text = walk.text(name);
    let (id, _) = walk.names.intern(text);
    if let Some(holder) = frame.symbol
        && walk.bound.contains(&(Some(holder | RESERVED), id))
    {
        // `global x` and a value: one of a module variable's.
        if let Some(hint) = hint
            && let Some(symbol) = walk.owner(text, |symbol| symbol.kind == SymbolKind::Variable)
        {
            walk.value(symbol, hint);
        }
        return;
    }
    let whole = function_span(walk);
    if walk.bound.insert((frame.symbol, id)) {
        walk.local(name, whole, hint);
    } else {
        walk.local(name, end..whole.end, hint);
    }
}

/// The names a target binds, with what is known of their values when `value` is a display of as
/// many. Attributes and subscripts bind no name.
pub(super) fn targets<'t>(
    walk: &Walk<'t>,
    target: Node<'t>,
    value: Option<Node<'t>>,
) -> Vec<(Node<'t>, Option<Hint>)> {
    let mut found = Vec::new();
    let mut open = vec![(target, value)];
    while let Some((node, value)) = open.pop() {
        match node.kind_name() {
            "identifier" | "attribute" => {
                found.push((node, value.and_then(|value| hint(walk, value))));
            }
            "pattern_list" | "tuple_pattern" | "list_pattern" => {
                let count = node.named_child_count();
                let display = value.filter(|value| {
                    matches!(value.kind_name(), "expression_list" | "tuple" | "list")
                        && value.named_child_count() == count
                });
                for i in (0..count as u32).rev() {
                    if let Some(part) = node.named_child(i) {
                        open.push((part, display.and_then(|display| display.named_child(i))));
                    }
                }
            }
            "list_splat_pattern"
            | "dictionary_splat_pattern"
            | "parenthesized_expression"
            | "as_pattern_target"
            | "splat_pattern" => {
                open.extend(node.named_child(0).map(|inner| (inner, value)));
            }
            _ => {}
        }
    }
    found
}

/// Module variables, class attributes, instance attributes and local variables.
pub(super) fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(left) = node.field("left") else {
        return;
    };
    let mut value = node.field("right");
    while let Some(inner) = value.filter(|value| value.kind_name() == "assignment") {
        value = inner.field("right");
    }
    let annotation = node.field("type");
    let annotated = annotation.and_then(|annotation| type_hint(walk, annotation));
    for (name, hint) in targets(walk, left, value) {
        let hint = annotated.or(hint);
        if frame.scope == Scope::Function && name == left {
            rebind(walk, name, value, node, frame);
        }
        if name.kind_name() == "attribute" {
            instance_attribute(walk, name, node, hint, frame);
        } else if frame.scope != Scope::Function {
            if name == left {
                variable(walk, name, node, hint, frame);
            } else if walk.text(name) != b"_" {
                variable_of(walk, name, node, hint, frame, None);
            }
        } else if value.is_some_and(|value| is_none(value) && hint.is_none()) {
            // The value to come is the one of interest.
            if !walk.is_bound(frame.symbol, walk.text(name)) {
                bind(walk, name, frame, node.end_position(), None);
            }
        } else {
            bind(walk, name, frame, node.end_position(), hint);
        }
        if let Some(value) = value.filter(|_| name == left) {
            import_into(walk, value, name);
        }
    }
}

/// A variable that is assigned to on its own: it may be a function, or list what is exported.
fn variable<'t>(
    walk: &mut Walk<'t>,
    name: Node<'t>,
    node: Node<'t>,
    hint: Option<Hint>,
    frame: &mut Frame<'t>,
) {
    let right = node.field("right");
    if walk.text(name) == b"__all__"
        && let Some(right) = right
    {
        all_names(walk, right);
    }
    let lambda = right.filter(|right| right.kind_name() == "lambda");
    let symbol = variable_of(walk, name, node, hint, frame, lambda);
    if lambda.is_some() && symbol.is_some() {
        frame.symbol = symbol;
    }
}

/// Records a variable of a module or class the first time it is bound, and once more in each other
/// branch of a condition.
fn variable_of<'t>(
    walk: &mut Walk<'t>,
    name: Node<'t>,
    node: Node<'t>,
    hint: Option<Hint>,
    frame: &Frame<'t>,
    lambda: Option<Node<'t>>,
) -> Option<u32> {
    let text = walk.text(name);
    let first = walk.first_bound(frame.symbol, text);
    if !first && !in_other_branch(walk) {
        return None;
    }
    let class = frame.scope == Scope::Class;
    let kind = if lambda.is_some() {
        if class {
            SymbolKind::Method
        } else {
            SymbolKind::Function
        }
    } else if class && is_enum_body(walk) && node.field("type").is_none() {
        SymbolKind::Variant
    } else if class {
        SymbolKind::Field
    } else if is_constant(text) {
        SymbolKind::Constant
    } else {
        SymbolKind::Variable
    };
    let mut draft = Draft::new(kind, name, node);
    draft.set_if(
        SymbolFlags::EXPORTED,
        !is_private(text) && (frame.scope == Scope::Module || frame.exported),
    );
    match lambda.and_then(|lambda| lambda.field("body")) {
        Some(body) => {
            draft.body = Some(body.start_byte());
            draft.value(super::values::hint(walk, body));
        }
        None => draft.value(hint),
    }
    walk.record(&draft, frame)
}

/// Whether the assignment being entered stands in an `else`, `elif` or `except` branch.
fn in_other_branch(walk: &Walk<'_>) -> bool {
    walk.ancestor(2).is_some_and(|branch| {
        matches!(
            branch.node.kind_name(),
            "else_clause" | "elif_clause" | "except_clause"
        )
    })
}

/// Whether the assignment being entered stands in the body of an enumeration.
fn is_enum_body(walk: &Walk<'_>) -> bool {
    let class = walk.above(2);
    let bases = class.and_then(|class| class.field("superclasses"));
    bases.is_some_and(|bases| {
        // Bases are few; a bound keeps a list made to be long from being read for each member.
        let text = walk.text(bases);
        let text = &text[..text.len().min(MAX_BASES)];
        let has = |word: &[u8]| text.windows(word.len()).any(|window| window == word);
        has(b"Enum") || has(b"Flag")
    })
}

/// `self.x = ...` in a method: the first is the definition of an attribute that the class body
/// does not declare.
fn instance_attribute<'t>(
    walk: &mut Walk<'t>,
    target: Node<'t>,
    node: Node<'t>,
    hint: Option<Hint>,
    frame: &Frame<'t>,
) {
    let (Some(object), Some(name)) = (target.field("object"), target.field("attribute")) else {
        return;
    };
    if !is_object(walk, object) {
        return;
    }
    let Some(class) = enclosing_class(walk, frame) else {
        return;
    };
    let text = walk.text(name);
    if is_reserved(walk, class, text) {
        return;
    }
    if !walk.first_bound(Some(class), text) {
        // `x = None` in the class body, and the value in `__init__`.
        return;
    }
    let mut draft = Draft::new(SymbolKind::Field, name, node);
    draft.container = Some(class);
    draft.value(hint);
    let exported = walk.symbols[class as usize]
        .flags
        .contains(SymbolFlags::EXPORTED);
    draft.set_if(SymbolFlags::EXPORTED, exported && !is_private(text));
    walk.record(&draft, frame);
}

/// The class whose method the code is in, also from functions inside the method.
fn enclosing_class(walk: &Walk<'_>, frame: &Frame<'_>) -> Option<u32> {
    let mut symbol = frame.symbol.filter(|_| frame.scope == Scope::Function)?;
    loop {
        let container = walk.symbols[symbol as usize].container?;
        if walk.symbols[container as usize].kind == SymbolKind::Class {
            return Some(container);
        }
        symbol = container;
    }
}

/// `x += 1` binds `x` where nothing has, and `__all__ += [...]` exports more.
pub(super) fn augmented_assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let (Some(left), Some(right)) = (node.field("left"), node.field("right"))
        && left.kind_name() == "identifier"
    {
        if frame.scope == Scope::Function {
            if !walk.is_bound(frame.symbol, walk.text(left)) {
                bind(walk, left, frame, node.end_position(), None);
            }
        } else if walk.text(left) == b"__all__" {
            all_names(walk, right);
        }
    }
}

/// Binds the names of a target other than that of an assignment: local to their function, or to
/// what follows in a module or class, where they are seldom meant for others.
pub(super) fn bind_target<'t>(
    walk: &mut Walk<'t>,
    target: Node<'t>,
    frame: &Frame<'t>,
    whole: Node<'t>,
    hint: impl Fn(usize) -> Option<Hint>,
) {
    for (i, (name, _)) in targets(walk, target, None).into_iter().enumerate() {
        let hint = hint(i);
        if name.kind_name() == "attribute" {
            instance_attribute(walk, name, whole, hint, frame);
        } else if frame.scope == Scope::Function {
            bind(walk, name, frame, name.end_position(), hint);
        } else {
            if !walk.is_bound(frame.symbol, walk.text(name)) {
                let outer = walk.scope_within(&["class_definition"]);
                walk.local(name, whole.start_position()..outer.end, hint);
            }
        }
    }
}

/// What the names of a loop's target are: one name an element, of two the second that of pairs.
fn loop_hint<'t>(walk: &Walk<'t>, left: Node<'t>, right: Option<Node<'t>>) -> [Option<Hint>; 2] {
    let Some(right) = right else {
        return [None; 2];
    };
    if left.kind_name() == "identifier" {
        [element(walk, right), None]
    } else {
        [first_of_pair(walk, right), second_of_pair(walk, right)]
    }
}

pub(super) fn for_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(left) = node.field("left") {
        let hints = loop_hint(walk, left, node.field("right"));
        bind_target(walk, left, frame, node, |i| *hints.get(i)?);
    }
}

/// A comprehension has a scope of its own.
pub(super) fn for_in_clause<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(left) = node.field("left") {
        let hints = loop_hint(walk, left, node.field("right"));
        let scope = walk.scope_within(COMPREHENSIONS);
        for (i, (name, _)) in targets(walk, left, None).into_iter().enumerate() {
            walk.local(name, scope.clone(), hints.get(i).copied().flatten());
        }
    }
}

pub(super) fn named_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let value = node.field("value");
        let hint = value.and_then(|value| hint(walk, value));
        bind_target(walk, name, frame, node, |_| hint);
    }
}

/// `global x` and `nonlocal x`: the function's `x` is another's.
pub(super) fn global_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(holder) = frame.symbol {
        for name in node.named() {
            reserve(walk, holder, walk.text(name));
        }
    }
}

/// The body of a class: names that are no attributes of its instances, being methods.
pub(super) fn block<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let of_class = frame.scope == Scope::Class && walk.kind_above(0) == "class_definition";
    if let Some(class) = frame.symbol.filter(|_| of_class) {
        for child in node.named() {
            let definition = match child.kind_name() {
                "decorated_definition" => child.field("definition"),
                "function_definition" | "class_definition" => Some(child),
                _ => None,
            };
            if let Some(name) = definition.and_then(|it| it.field("name")) {
                reserve(walk, class, walk.text(name));
            }
        }
    }
}
