//! Names that Python code binds: module variables, attributes of classes and of their instances,
//! and the local names of functions, lambdas and comprehensions.
//!
//! [`Walk::bound`] holds what has been bound so far, by the symbol it is bound in. A symbol with
//! [`RESERVED`] stands for names that are not to be bound there: `global` ones, and those that a
//! `def` or `class` has made symbols.

use super::values::{clue, element, is_none, second_of_pair, type_clue};
use super::{is_constant, is_private};
use crate::lang::python::imports::{all_names, import_into};
use crate::record::{SymbolFlags, SymbolKind};
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk};
use std::ops::Range;
use tree_sitter::{Node, Point};

/// Set in the index of a symbol (a file has fewer than 2^31).
const RESERVED: u32 = 1 << 31;

/// Bytes of a class's bases that are searched for the word that makes it an enumeration.
const MAX_BASES: usize = 256;

const COMPREHENSIONS: &[&str] = &[
    "list_comprehension",
    "set_comprehension",
    "dictionary_comprehension",
    "generator_expression",
];

/// Keeps assignments in the symbol `holder` from binding `name`.
pub(super) fn reserve(walk: &mut Walk<'_>, holder: u32, name: &[u8]) {
    let (id, _) = walk.names.intern(name);
    walk.bound.insert((Some(holder | RESERVED), id));
}

fn is_reserved(walk: &mut Walk<'_>, holder: u32, name: &[u8]) -> bool {
    let (id, _) = walk.names.intern(name);
    walk.bound.contains(&(Some(holder | RESERVED), id))
}

pub(super) fn span(node: Node<'_>) -> Range<Point> {
    node.start_position()..node.end_position()
}

/// Where the names of the enclosing function hold.
fn function_span(walk: &Walk<'_>) -> Range<Point> {
    let function = walk
        .stack
        .iter()
        .rev()
        .find(|frame| frame.node.kind() == "function_definition");
    let body = function.and_then(|frame| frame.node.child_by_field_name("body"));
    body.map_or_else(|| walk.scope_within(&[]), span)
}

/// Binds a name inside a function; `end` is where the statement ends, after which a name bound
/// before has its new value.
fn bind<'t>(
    walk: &mut Walk<'t>,
    name: Node<'t>,
    frame: &Frame<'t>,
    end: Point,
    clue: Option<Clue>,
) {
    let text = walk.text(name);
    let (id, _) = walk.names.intern(text);
    if let Some(holder) = frame.symbol
        && walk.bound.contains(&(Some(holder | RESERVED), id))
    {
        // `global x` and a value: one of a module variable's.
        if let Some(clue) = clue
            && let Some(symbol) = walk.owner(text, |symbol| symbol.kind == SymbolKind::Variable)
        {
            walk.value(symbol, clue);
        }
        return;
    }
    let whole = function_span(walk);
    if walk.bound.insert((frame.symbol, id)) {
        walk.local(name, whole, clue);
    } else {
        walk.local(name, end..whole.end, clue);
    }
}

/// The names a target binds, with what is known of their values when `value` is a display of as
/// many. Attributes and subscripts bind no name.
pub(super) fn targets<'t>(
    walk: &Walk<'t>,
    target: Node<'t>,
    value: Option<Node<'t>>,
) -> Vec<(Node<'t>, Option<Clue>)> {
    let mut found = Vec::new();
    let mut open = vec![(target, value)];
    while let Some((node, value)) = open.pop() {
        match node.kind() {
            "identifier" | "attribute" => {
                found.push((node, value.and_then(|value| clue(walk, value))));
            }
            "pattern_list" | "tuple_pattern" | "list_pattern" => {
                let count = node.named_child_count();
                let display = value.filter(|value| {
                    matches!(value.kind(), "expression_list" | "tuple" | "list")
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
pub(super) fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(left) = node.child_by_field_name("left") else {
        return Visit::Descend;
    };
    let mut value = node.child_by_field_name("right");
    while let Some(inner) = value.filter(|value| value.kind() == "assignment") {
        value = inner.child_by_field_name("right");
    }
    let annotation = node.child_by_field_name("type");
    let annotated = annotation.and_then(|annotation| type_clue(walk, annotation));
    for (name, clue) in targets(walk, left, value) {
        let clue = annotated.or(clue);
        if name.kind() == "attribute" {
            instance_attribute(walk, name, node, clue, frame);
        } else if frame.scope != Scope::Function {
            if name == left {
                variable(walk, name, node, clue, frame);
            } else if walk.text(name) != b"_" {
                variable_of(walk, name, node, clue, frame, None);
            }
        } else if value.is_some_and(|value| is_none(value) && clue.is_none()) {
            // The value to come is the one of interest.
            let (id, _) = walk.names.intern(walk.text(name));
            if !walk.bound.contains(&(frame.symbol, id)) {
                bind(walk, name, frame, node.end_position(), None);
            }
        } else {
            bind(walk, name, frame, node.end_position(), clue);
        }
        if let Some(value) = value.filter(|_| name == left) {
            import_into(walk, value, name);
        }
    }
    Visit::Descend
}

/// A variable that is assigned to on its own: it may be a function, or list what is exported.
fn variable<'t>(
    walk: &mut Walk<'t>,
    name: Node<'t>,
    node: Node<'t>,
    clue: Option<Clue>,
    frame: &mut Frame<'t>,
) {
    let right = node.child_by_field_name("right");
    if walk.text(name) == b"__all__"
        && let Some(right) = right
    {
        all_names(walk, right);
    }
    let lambda = right.filter(|right| right.kind() == "lambda");
    let symbol = variable_of(walk, name, node, clue, frame, lambda);
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
    clue: Option<Clue>,
    frame: &Frame<'t>,
    lambda: Option<Node<'t>>,
) -> Option<u32> {
    let text = walk.text(name);
    let (id, _) = walk.names.intern(text);
    let first = walk.bound.insert((frame.symbol, id));
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
    } else if class && is_enum_body(walk) && node.child_by_field_name("type").is_none() {
        SymbolKind::Variant
    } else if class {
        SymbolKind::Field
    } else if is_constant(text) {
        SymbolKind::Constant
    } else {
        SymbolKind::Variable
    };
    let mut draft = Draft::new(kind, name, node);
    if !is_private(text) && (frame.scope == Scope::Module || frame.exported) {
        draft.set(SymbolFlags::EXPORTED);
    }
    match lambda.and_then(|lambda| lambda.child_by_field_name("body")) {
        Some(body) => {
            draft.body = Some(body.start_byte());
            draft.value(super::values::clue(walk, body));
        }
        None => draft.value(clue),
    }
    walk.record(&draft, frame)
}

/// Whether the assignment being entered stands in an `else`, `elif` or `except` branch.
fn in_other_branch(walk: &Walk<'_>) -> bool {
    walk.ancestor(2).is_some_and(|branch| {
        matches!(
            branch.node.kind(),
            "else_clause" | "elif_clause" | "except_clause"
        )
    })
}

/// Whether the assignment being entered stands in the body of an enumeration.
fn is_enum_body(walk: &Walk<'_>) -> bool {
    let class = walk.ancestor(2).map(|class| class.node);
    let bases = class.and_then(|class| class.child_by_field_name("superclasses"));
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
    clue: Option<Clue>,
    frame: &Frame<'t>,
) {
    let (Some(object), Some(name)) = (
        target.child_by_field_name("object"),
        target.child_by_field_name("attribute"),
    ) else {
        return;
    };
    if !matches!(walk.text(object), b"self" | b"cls") {
        return;
    }
    let Some(class) = enclosing_class(walk, frame) else {
        return;
    };
    let text = walk.text(name);
    if is_reserved(walk, class, text) {
        return;
    }
    let (id, _) = walk.names.intern(text);
    if !walk.bound.insert((Some(class), id)) {
        // `x = None` in the class body, and the value in `__init__`.
        return;
    }
    let mut draft = Draft::new(SymbolKind::Field, name, node);
    draft.container = Some(class);
    draft.value(clue);
    let exported = walk.symbols[class as usize]
        .flags
        .contains(SymbolFlags::EXPORTED);
    if exported && !is_private(text) {
        draft.set(SymbolFlags::EXPORTED);
    }
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
pub(super) fn augmented_assignment<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    if let (Some(left), Some(right)) = (
        node.child_by_field_name("left"),
        node.child_by_field_name("right"),
    ) && left.kind() == "identifier"
    {
        if frame.scope == Scope::Function {
            let (id, _) = walk.names.intern(walk.text(left));
            if !walk.bound.contains(&(frame.symbol, id)) {
                bind(walk, left, frame, node.end_position(), None);
            }
        } else if walk.text(left) == b"__all__" {
            all_names(walk, right);
        }
    }
    Visit::Descend
}

/// Binds the names of a target other than that of an assignment: local to their function, or to
/// what follows in a module or class, where they are seldom meant for others.
pub(super) fn bind_target<'t>(
    walk: &mut Walk<'t>,
    target: Node<'t>,
    frame: &Frame<'t>,
    whole: Node<'t>,
    clue: impl Fn(usize) -> Option<Clue>,
) {
    for (i, (name, _)) in targets(walk, target, None).into_iter().enumerate() {
        let clue = clue(i);
        if name.kind() == "attribute" {
            instance_attribute(walk, name, whole, clue, frame);
        } else if frame.scope == Scope::Function {
            bind(walk, name, frame, name.end_position(), clue);
        } else {
            let (id, _) = walk.names.intern(walk.text(name));
            if !walk.bound.contains(&(frame.symbol, id)) {
                let outer = walk.scope_within(&["class_definition"]);
                walk.local(name, whole.start_position()..outer.end, clue);
            }
        }
    }
}

/// What the names of a loop's target are: one name an element, of two the second that of pairs.
fn loop_clue<'t>(walk: &Walk<'t>, left: Node<'t>, right: Option<Node<'t>>) -> [Option<Clue>; 2] {
    let Some(right) = right else {
        return [None; 2];
    };
    if left.kind() == "identifier" {
        [element(walk, right), None]
    } else {
        [None, second_of_pair(walk, right)]
    }
}

pub(super) fn for_statement<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    if let Some(left) = node.child_by_field_name("left") {
        let clues = loop_clue(walk, left, node.child_by_field_name("right"));
        bind_target(walk, left, frame, node, |i| *clues.get(i)?);
    }
    Visit::Descend
}

/// A comprehension has a scope of its own.
pub(super) fn for_in_clause<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(left) = node.child_by_field_name("left") {
        let clues = loop_clue(walk, left, node.child_by_field_name("right"));
        let scope = walk.scope_within(COMPREHENSIONS);
        for (i, (name, _)) in targets(walk, left, None).into_iter().enumerate() {
            walk.local(name, scope.clone(), clues.get(i).copied().flatten());
        }
    }
    Visit::Descend
}

pub(super) fn named_expression<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let value = node.child_by_field_name("value");
        let clue = value.and_then(|value| clue(walk, value));
        bind_target(walk, name, frame, node, |_| clue);
    }
    Visit::Descend
}

/// `global x` and `nonlocal x`: the function's `x` is another's.
pub(super) fn global_statement<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    if let Some(holder) = frame.symbol {
        let mut cursor = node.walk();
        for name in node.named_children(&mut cursor) {
            reserve(walk, holder, walk.text(name));
        }
    }
    Visit::Descend
}

/// The body of a class: names that are no attributes of its instances, being methods.
pub(super) fn block<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let of_class = frame.scope == Scope::Class
        && walk
            .ancestor(0)
            .is_some_and(|above| above.node.kind() == "class_definition");
    if let Some(class) = frame.symbol.filter(|_| of_class) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let definition = match child.kind() {
                "decorated_definition" => child.child_by_field_name("definition"),
                "function_definition" | "class_definition" => Some(child),
                _ => None,
            };
            if let Some(name) = definition.and_then(|it| it.child_by_field_name("name")) {
                reserve(walk, class, walk.text(name));
            }
        }
    }
    Visit::Descend
}
