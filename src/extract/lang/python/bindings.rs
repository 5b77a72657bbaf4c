//! Names that Python code binds: module variables, attributes of classes and of their instances,
//! and the local names of functions, lambdas and comprehensions.
//!
//! [`Walk::bound`] holds what has been bound so far, by the symbol it is bound in. A symbol with
//! [`RESERVED`] stands for names that are not to be bound there: `global` ones, and those that a
//! `def` or `class` has made symbols.

use super::values::{clue, element, is_none, second_of_pair, type_clue};
use super::{is_constant, is_private};
use crate::extract::flows::Clue;
use crate::extract::lang::Visit;
use crate::extract::lang::python::imports::{all_names, import_into};
use crate::extract::record::{Flow, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::extract::symbols::Draft;
use crate::extract::walk::{Frame, Scope, Walk};
use std::ops::Range;
use tree_sitter::{Node, Point};

/// Set in the index of a symbol (a file has fewer than 2^31).
const RESERVED: u32 = 1 << 31;

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

fn span(node: Node<'_>) -> Range<Point> {
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
fn targets<'t>(
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
        let text = walk.text(bases);
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
fn bind_target<'t>(
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

/// `with f() as x`, `except E as x`, `case C() as x`.
pub(super) fn as_pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let above = walk.ancestor(0).map_or("", |above| above.node.kind());
    let Some(value) = node.named_child(0) else {
        return Visit::Descend;
    };
    if above == "case_pattern" {
        // The pattern on the left was descended into as a read; the name is a bare identifier.
        if let Some(name) = node
            .named_child(1)
            .filter(|name| name.kind() == "identifier")
        {
            let class = value
                .named_child(0)
                .filter(|class| class.kind() == "class_pattern");
            let clue = class.and_then(|class| instance_of_path(class.named_child(0)?));
            bind_target(walk, name, frame, node, |_| clue);
        }
        return Visit::Descend;
    }
    let Some(target) = node.child_by_field_name("alias") else {
        return Visit::Descend;
    };
    if above == "except_clause" {
        let caught = type_clue(walk, value);
        let clause = walk.scope_within(&["except_clause"]);
        for (name, _) in targets(walk, target, None) {
            walk.local(name, clause.clone(), caught);
        }
        return Visit::Descend;
    }
    let entered = clue(walk, value);
    bind_target(walk, target, frame, node, |i| entered.filter(|_| i == 0));
    Visit::Descend
}

/// An instance of the class that the dotted name of a pattern names.
fn instance_of_path(path: Node<'_>) -> Option<Clue> {
    let last = path.named_child(path.named_child_count().checked_sub(1)? as u32)?;
    Some(Clue::of(Flow::Type, last))
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

/// `case name:` binds; `case a.b:` compares.
pub(super) fn case_pattern<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    let path = node
        .named_child(0)
        .filter(|path| path.kind() == "dotted_name");
    if let Some(path) = path {
        capture(walk, path, node, frame);
    }
    Visit::Descend
}

fn capture<'t>(walk: &mut Walk<'t>, path: Node<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if path.named_child_count() == 1
        && let Some(name) = path.named_child(0)
        && walk.text(name) != b"_"
    {
        frame.role = OccurrenceKind::Write;
        bind_target(walk, name, frame, node, |_| None);
    } else {
        frame.role = OccurrenceKind::Read;
    }
}

/// `*rest` and `**rest` in a pattern.
pub(super) fn splat_pattern<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    if let Some(name) = node.named_child(0) {
        bind_target(walk, name, frame, node, |_| Some(Clue::LITERAL));
    }
    Visit::Descend
}

/// `x=pattern` in `case Point(x=pattern)`: `x` is a member of the class.
pub(super) fn keyword_pattern<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    if let Some(name) = node.named_child(0) {
        let class = walk
            .stack
            .iter()
            .rev()
            .find(|above| above.node.kind() == "class_pattern")
            .and_then(|above| instance_of_path(above.node.named_child(0)?));
        member_name(walk, name, OccurrenceKind::Read, class);
    }
    if let Some(path) = node
        .named_child(1)
        .filter(|path| path.kind() == "dotted_name")
    {
        capture(walk, path, node, frame);
    }
    Visit::Descend
}

/// `f(name=value)`: a parameter's name, which for a class is mostly that of a field.
pub(super) fn keyword_argument<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    _: &mut Frame<'t>,
) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let call = walk.ancestor(1).map(|call| call.node);
        let callee = call.and_then(|call| call.child_by_field_name("function"));
        let callee = callee.and_then(|callee| match callee.kind() {
            "attribute" => callee.child_by_field_name("attribute"),
            "identifier" => Some(callee),
            _ => None,
        });
        let class = callee.filter(|callee| {
            walk.text(*callee)
                .first()
                .is_some_and(u8::is_ascii_uppercase)
        });
        let made = class.map(|class| Clue::of(Flow::Result, class));
        member_name(walk, name, OccurrenceKind::Write, made);
    }
    Visit::Descend
}

/// Records `name`, the next identifier of the walk, as a member of something written elsewhere.
fn member_name<'t>(walk: &mut Walk<'t>, name: Node<'t>, kind: OccurrenceKind, of: Option<Clue>) {
    let point = name.start_position();
    if let Some(of) = of {
        walk.receiver(point, of);
    }
    walk.occurrence(
        walk.text(name),
        point.row,
        point.column,
        kind,
        Qualifier::Expression,
    );
    walk.def_names.push(name.start_byte());
}

/// The parameters of a function or lambda.
pub(super) fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(function) = walk.ancestor(0).map(|above| above.node) else {
        return Visit::Descend;
    };
    let own = function.kind() == "function_definition";
    let end = function.end_position();
    let mut cursor = node.walk();
    for (i, child) in node.named_children(&mut cursor).enumerate() {
        let splat = |node: Node<'_>| node.kind().ends_with("splat_pattern");
        let (target, known) = match child.kind() {
            "typed_parameter" => {
                let target = child.named_child(0);
                let known = child
                    .child_by_field_name("type")
                    .and_then(|annotation| type_clue(walk, annotation));
                let known = known.and_then(|mut known| {
                    if target.is_some_and(splat) && known.flow == Flow::Type {
                        known.flow = Flow::Elements;
                    }
                    Some(known)
                });
                (target, known)
            }
            "default_parameter" | "typed_default_parameter" => {
                let annotation = child.child_by_field_name("type");
                let known = match annotation {
                    Some(annotation) => type_clue(walk, annotation),
                    None => child
                        .child_by_field_name("value")
                        .and_then(|value| clue(walk, value)),
                };
                (child.child_by_field_name("name"), known)
            }
            kind => {
                let known = if kind.ends_with("splat_pattern") {
                    Some(Clue::LITERAL)
                } else if i == 0 && own && is_method(walk, frame) {
                    Some(Clue::THIS)
                } else {
                    None
                };
                (Some(child), known)
            }
        };
        let Some(target) = target else { continue };
        for (name, _) in targets(walk, target, None) {
            if own {
                let (id, _) = walk.names.intern(walk.text(name));
                walk.bound.insert((frame.symbol, id));
            }
            walk.local(name, name.start_position()..end, known);
        }
    }
    Visit::Descend
}

/// Whether the function whose parameters are entered is bound to an object or class.
fn is_method(walk: &Walk<'_>, frame: &Frame<'_>) -> bool {
    let method = frame.symbol.is_some_and(|symbol| {
        matches!(
            walk.symbols[symbol as usize].kind,
            SymbolKind::Method | SymbolKind::Constructor
        )
    });
    let decorated = walk
        .ancestor(1)
        .filter(|above| above.node.kind() == "decorated_definition");
    method
        && decorated.is_none_or(|decorated| {
            let mut cursor = decorated.node.walk();
            !decorated
                .node
                .named_children(&mut cursor)
                .any(|child| walk.text(child) == b"@staticmethod")
        })
}

/// `def f[T: Bound]`, `class C[T]`, `type P[T]`: `T` is a name of its own there.
pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let kind = |up| walk.ancestor(up).map_or("", |above| above.node.kind());
    let holder = match kind(0) {
        "function_definition" | "class_definition" => walk.ancestor(0),
        "generic_type" if kind(2) == "type_alias_statement" => walk.ancestor(2).filter(|alias| {
            alias
                .node
                .child_by_field_name("left")
                .is_some_and(|left| left.end_byte() >= node.end_byte())
        }),
        _ => None,
    };
    let Some(holder) = holder.map(|holder| holder.node) else {
        return Visit::Descend;
    };
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        let Some(inner) = child.named_child(0) else {
            continue;
        };
        let (name, bound) = match inner.kind() {
            "constrained_type" => (
                inner.named_child(0).and_then(|of| of.named_child(0)),
                inner.named_child(1),
            ),
            "splat_type" => (inner.named_child(0), None),
            _ => (Some(inner), None),
        };
        if let Some(name) = name.filter(|name| name.kind() == "identifier") {
            let known = bound.and_then(|bound| type_clue(walk, bound));
            walk.local(name, span(holder), known);
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
