//! Names that JavaScript code binds: variables of modules, and the local names of functions and
//! blocks.
//!
//! [`Walk::bound`] holds the names that functions have bound so far, by the symbol they stand in;
//! with [`MEMBER`] set, the members that a symbol has.

use super::expected::called_with;
use super::frameworks::loaded;
use super::functions::{claim, is_function, is_function_node, value_kind};
use super::modules::require_into;
use super::patterns::{
    bind, bind_data, bind_each, bind_first, bind_pair, list_taken_apart, name_of_part,
    pair_taken_apart, parts_of, pattern_names,
};
use super::types::{binds_all, elements_of_tuple, type_hint};
use super::values::{element, hint, kept, unparenthesized};
use super::widen;
use crate::syntax::prelude::*;
use tree_sitter::Point;

/// Set in the index of a symbol (a file has fewer than 2^31).
const MEMBER: u32 = 1 << 31;

/// Set in the index of a symbol that binds names of which the type is written; with the name.
const TYPED: u32 = 1 << 30;

/// What holds names declared with `var`.
const FUNCTIONS: &[&str] = words!(
    "function_declaration generator_function_declaration function_expression generator_function
     arrow_function method_definition class_static_block"
);

/// What holds names declared with `let` and `const`.
const BLOCKS: &[&str] = words!(
    "statement_block for_statement for_in_statement switch_body arrow_function class_static_block"
);

/// What runs as a whole or not at all, and functions.
const BRANCHES: &[&str] = words!(
    "statement_block switch_case switch_default if_statement else_clause for_statement for_in_statement while_statement
     do_statement ternary_expression binary_expression arrow_function"
);

/// Array methods that call what they are given with each element.
const ITERATIONS: &[&[u8]] =
    byte_words!("forEach map filter find findIndex findLast some every flatMap sort toSorted");

/// Notes that `owner` has a member of this name; `false` if that was known.
pub(super) fn first_member(walk: &mut Walk<'_>, owner: u32, name: &[u8]) -> bool {
    let (id, _) = walk.names.intern(name);
    walk.bound.insert((Some(owner | MEMBER), id))
}

/// `undefined` and `null` say nothing of what a name will hold.
pub(super) fn is_nothing(node: Node<'_>) -> bool {
    matches!(node.kind_name(), "null" | "undefined")
}

/// Variables of modules, which are symbols, and of functions and blocks, which are not unless they
/// are functions or classes.
pub(super) fn declarator<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field("name") else {
        return;
    };
    let value = node.field("value");
    if let Some(value) = value
        && require_into(walk, value, name)
    {
        frame.role = OccurrenceKind::Import;
        return;
    }
    let Some(statement) = walk.above(0) else {
        return;
    };
    let inner = value.map(unparenthesized);
    let bound = value_kind(inner);
    let annotation = node.field("type");
    let annotated = annotation.and_then(|annotation| type_hint(walk, annotation));
    let is_var = statement.kind_name() == "variable_declaration";
    let local = frame.scope == Scope::Function || (!is_var && in_block(walk));
    if bound.is_none() && local {
        let scope = walk.scope_within(if is_var { FUNCTIONS } else { BLOCKS });
        let held = value.filter(|value| !is_nothing(*value) && annotation.is_none());
        if let Some(list) = held.and_then(|held| list_taken_apart(walk, name, held)) {
            bind_each(walk, name, list, &scope, frame);
            return;
        }
        if let Some(first) = held.and_then(|held| pair_taken_apart(walk, name, held)) {
            bind_first(walk, name, first, &scope, frame);
            return;
        }
        if let Some(loaded) = held.and_then(|held| loaded(walk, held)) {
            bind_data(walk, name, loaded, &scope, frame);
            return;
        }
        let known = annotated.or_else(|| hint(walk, held?));
        bind(walk, name, scope, known, frame);
        if annotation.is_some() {
            note_typed(walk, name, frame);
        }
        return;
    }
    let kind = bound.unwrap_or(if walk.text(statement).starts_with(b"const") {
        SymbolKind::Constant
    } else {
        SymbolKind::Variable
    });
    if name.kind_name() == "identifier" {
        let mut draft = draft_of(walk, kind, name, node, statement);
        if let Some(value) = inner.filter(|_| bound.is_some()) {
            claim(walk, &mut draft, value);
        } else {
            draft.value(annotated.or_else(|| hint(walk, value?)));
        }
        walk.define(draft, frame);
    } else {
        let held = annotated.or_else(|| hint(walk, value?));
        let parts = parts_of(walk, name, held);
        pattern_names(name, &mut |name, known, default| {
            let mut draft = draft_of(walk, kind, name, node, statement);
            let known = known.or_else(|| name_of_part(&parts, name));
            draft.value(known.or_else(|| hint(walk, default?)));
            walk.record(&draft, frame);
        });
    }
}

fn draft_of<'t>(
    walk: &Walk<'t>,
    kind: SymbolKind,
    name: Node<'t>,
    node: Node<'t>,
    statement: Node<'t>,
) -> Draft<'t> {
    let mut draft = Draft::new(kind, name, node);
    if statement.named_child_count() == 1 {
        draft.span(statement);
        widen(walk, 1, &mut draft);
    } else if walk.kind_above(1) == "export_statement" {
        draft.set(SymbolFlags::EXPORTED);
    }
    draft
}

/// Whether the declarator being entered stands in a block that is not the body of a function or
/// namespace, or in the head of a loop.
fn in_block(walk: &Walk<'_>) -> bool {
    let Some(above) = walk.ancestor(1) else {
        return false;
    };
    match above.node.kind_name() {
        "for_statement" | "switch_case" | "switch_default" => true,
        "statement_block" => walk.ancestor(2).is_some_and(|holder| {
            !is_function_node(holder.node)
                && !matches!(
                    holder.node.kind_name(),
                    "internal_module" | "module" | "ambient_declaration"
                )
        }),
        _ => false,
    }
}

/// Stands for whatever holds a name: that more is known of it than what it was bound to.
const TOLD: Option<u32> = Some(u32::MAX);

/// Notes that more is known of a local name than what it was bound to: who assigns to it ends that.
pub(super) fn note_told<'t>(walk: &mut Walk<'t>, name: Node<'t>) {
    walk.first_bound(TOLD, walk.text(name));
}

/// Ends what is known of the local names of a pattern that is assigned to.
pub(super) fn forget_told<'t>(walk: &mut Walk<'t>, pattern: Node<'t>, from: Point) {
    let end = walk.scope_within(FUNCTIONS).end;
    pattern_names(pattern, &mut |name, _, _| {
        if walk.is_bound(TOLD, walk.text(name)) {
            walk.local(name, from..end, None);
        }
    });
}

/// `x ||= y`, `x += y`
pub(super) fn augmented_assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let left = node.field_of("left", "identifier");
    if let Some(left) = left.filter(|_| frame.scope == Scope::Function) {
        forget_told(walk, left, node.end_position());
    }
}

/// `x = new Foo()`: another value for a local variable from here on, or the first of a module's.
pub(super) fn assigned<'t>(
    walk: &mut Walk<'t>,
    name: Node<'t>,
    right: Node<'t>,
    frame: &Frame<'t>,
) {
    if frame.scope != Scope::Function {
        return;
    }
    // An object says less than what the name is bound to.
    let says = |found: &Hint| *found != Hint::LITERAL && right.kind_name() != "object";
    let Some(found) = hint(walk, right).filter(says) else {
        forget_told(walk, name, right.end_position());
        return;
    };
    let text = walk.text(name);
    let (id, _) = walk.names.intern(text);
    let mut holder = frame.symbol;
    loop {
        if walk.bound.contains(&(holder, id)) {
            let is_typed = holder.is_some_and(|of| walk.bound.contains(&(Some(of | TYPED), id)));
            let end = match is_typed {
                // Behind the branch it may hold anything of its type again.
                true => walk.scope_within(BRANCHES).end,
                false => walk.scope_within(FUNCTIONS).end,
            };
            walk.local(name, right.end_position()..end, Some(found));
            return;
        }
        match holder {
            Some(symbol) => holder = walk.symbols[symbol as usize].container,
            None => break,
        }
    }
    if let Some(symbol) = walk.owner(text, |symbol| symbol.kind == SymbolKind::Variable) {
        walk.value(symbol, found);
    }
}

/// Whether a function around binds a name.
pub(super) fn is_bound_around<'t>(walk: &mut Walk<'t>, name: &[u8], frame: &Frame<'t>) -> bool {
    let mut holder = frame.symbol;
    loop {
        if walk.is_bound(holder, name) {
            return true;
        }
        match holder {
            Some(symbol) => holder = walk.symbols[symbol as usize].container,
            None => return false,
        }
    }
}

/// The parameters of a function, method or function type.
pub(super) fn formal_parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(function) = walk.above(0) else {
        return;
    };
    let mut last = walk.noted();
    let parameters = node.named().filter(|child| child.kind_name() != "comment");
    for (place, child) in parameters.enumerate() {
        let before = walk.noted();
        parameter_names(walk, child, function, (1, place), frame);
        if walk.noted() != before {
            last = before;
        }
    }
    // Only types say what arguments may be.
    let has_types = node.last_named().is_some_and(is_typed);
    if has_types && is_of_definition(walk) && binds_all(node) {
        walk.last_parameter(last);
    }
    // `lodash.merge = merge` inside of a wrapper finds the function that is assigned to.
    if let Some(symbol) = frame.symbol
        && function.kind_name() == "function_declaration"
        && walk
            .ancestor(1)
            .is_some_and(|outer| outer.scope == Scope::Module)
    {
        let name = walk.symbols[symbol as usize].name;
        walk.owners.entry(name).or_insert(symbol);
    }
}

/// Whether a parameter is one of TypeScript.
fn is_typed(parameter: Node<'_>) -> bool {
    matches!(
        parameter.kind_name(),
        "required_parameter" | "optional_parameter"
    )
}

/// Whether the parameters being entered are those of a definition: of a function that is one, or that one is bound to.
fn is_of_definition(walk: &Walk<'_>) -> bool {
    let symbol = |up| walk.ancestor(up).map(|frame| frame.symbol);
    let binds = words!("variable_declarator public_field_definition pair assignment_expression");
    symbol(0) != symbol(1) || (binds.contains(&walk.kind_above(1)) && symbol(1) != symbol(2))
}

/// Binds what one parameter names: how far up is what the function stands in, and which parameter it is.
pub(super) fn parameter_names<'t>(
    walk: &mut Walk<'t>,
    parameter: Node<'t>,
    function: Node<'t>,
    (up, place): (usize, usize),
    frame: &Frame<'t>,
) {
    let typed = is_typed(parameter);
    let (pattern, default) = if typed {
        (parameter.field("pattern"), parameter.field("value"))
    } else if parameter.kind_name() == "assignment_pattern" {
        (parameter.field("left"), parameter.field("right"))
    } else {
        (Some(parameter), None)
    };
    let Some(pattern) = pattern else { return };
    // What a module that is loaded gives is imported.
    if pattern.kind_name() == "object_pattern" && walk.take_claim(pattern.start_byte()) {
        return;
    }
    let annotation = parameter.field("type").filter(|_| typed);
    if annotation.is_none()
        && default.is_none()
        && pattern.kind_name() == "array_pattern"
        && let Some(list) = gone_over(walk, function, up).filter(|_| place == 0)
    {
        let kept = kept(walk, list);
        let scope = pattern.start_position()..function.end_position();
        bind_pair(walk, pattern, scope, kept, frame);
        return;
    }
    let known = match annotation {
        Some(annotation) => type_hint(walk, annotation),
        None => default
            .filter(|default| !is_nothing(*default))
            .and_then(|default| hint(walk, default))
            .or_else(|| is_function(function).then(|| callback_hint(walk, function, up, place))?)
            .or_else(|| called_with(walk, function, up, place)),
    };
    let (pattern, known) = match pattern.kind_name() {
        // The annotation of `...rest: T[]` is that of the whole list.
        "rest_pattern" => match pattern.named_child(0) {
            Some(inner) => {
                let of_tuple =
                    annotation.and_then(|annotation| elements_of_tuple(walk, annotation));
                let all = of_tuple.or(known).or(Some(Hint::LITERAL));
                // The type of a function has no body that takes the list: it says what one of them is.
                match function.kind_name() == "function_type" {
                    true => (inner, all.and_then(Hint::element)),
                    false => (inner, all),
                }
            }
            None => return,
        },
        // `function f(this: Foo)` says what `this` is in it.
        "this" => {
            let known = known.filter(|_| annotation.is_some());
            walk.typed_this
                .extend(known.map(|known| (function.start_byte(), known)));
            return;
        }
        _ => (pattern, known),
    };
    let scope = pattern.start_position()..function.end_position();
    bind(walk, pattern, scope, known, frame);
    if annotation.is_some() {
        note_typed(walk, pattern, frame);
    }
}

/// Notes that the type of a name is written where it is bound.
fn note_typed<'t>(walk: &mut Walk<'t>, name: Node<'t>, frame: &Frame<'t>) {
    if let Some(holder) = frame.symbol.filter(|_| name.kind_name() == "identifier") {
        walk.first_bound(Some(holder | TYPED), walk.text(name));
    }
}

/// What the first parameter of a function is that is passed to `xs.forEach` or `promise.then`, or the second that is
/// passed to `xs.reduce`.
fn callback_hint(walk: &Walk<'_>, function: Node<'_>, up: usize, place: usize) -> Option<Hint> {
    let (object, name) = handed_to(walk, function, up)?;
    match (walk.text(name), place) {
        (b"then", 0) => hint(walk, object).filter(|of| *of != Hint::LITERAL),
        (b"reduce" | b"reduceRight" | b"sort" | b"toSorted", 1) => element(walk, object),
        (name, 0) if ITERATIONS.contains(&name) => element(walk, object),
        _ => None,
    }
}

/// What a method is called on that is given a function first, and the method's name.
fn handed_to<'t>(walk: &Walk<'t>, function: Node<'t>, up: usize) -> Option<(Node<'t>, Node<'t>)> {
    let arguments = walk.above(up)?;
    if arguments.kind_name() != "arguments" || arguments.named_child(0)?.id() != function.id() {
        return None;
    }
    let call = walk.above(up + 1)?;
    let called = call.field_of("function", "member_expression")?;
    Some((called.field("object")?, called.field("property")?))
}

/// What a function is called with each element of.
fn gone_over<'t>(walk: &Walk<'t>, function: Node<'t>, up: usize) -> Option<Node<'t>> {
    let (object, name) = handed_to(walk, function, up).filter(|_| is_function(function))?;
    ITERATIONS.contains(&walk.text(name)).then_some(object)
}

pub(super) fn catch_clause<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(parameter) = node.field("parameter") {
        let annotation = node.field("type");
        let known = annotation.and_then(|annotation| type_hint(walk, annotation));
        bind(walk, parameter, node.span(), known, frame);
    }
}

/// `for (const x of xs)`, `for (var key in object)`.
pub(super) fn for_in_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let (Some(kind), Some(left)) = (node.field("kind"), node.field("left")) else {
        if let Some(left) = node
            .field("left")
            .filter(|_| frame.scope == Scope::Function)
        {
            forget_told(walk, left, left.end_position());
        }
        return;
    };
    let scope = if kind.kind_name() == "var" {
        walk.scope_within(FUNCTIONS)
    } else {
        node.span()
    };
    let keys = node
        .field("operator")
        .is_some_and(|operator| operator.kind_name() == "in");
    let known = if keys {
        Some(Hint::LITERAL)
    } else {
        let right = node.field("right");
        if let Some(right) = right.filter(|_| left.kind_name() == "array_pattern") {
            let kept = kept(walk, right);
            bind_pair(walk, left, scope, kept, frame);
            return;
        }
        right.and_then(|right| element(walk, right))
    };
    bind(walk, left, scope, known, frame);
}

/// `<T extends Foo>`: a name of its own in what it is a parameter of.
pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let (Some(name), Some(holder)) = (node.field("name"), walk.ancestor(1)) {
        let scope = holder.node.span();
        let constraint = node.field("constraint");
        let known = constraint.and_then(|constraint| type_hint(walk, constraint));
        walk.local(name, scope, known);
        walk.receiver(name.start_position(), Hint::TYPE_PARAMETER);
    }
}

/// `infer U` holds in its conditional type, `[K in keyof T]` in its object type.
pub(super) fn type_variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node.field("name").or_else(|| node.named_child(0));
    if let Some(name) =
        name.filter(|name| matches!(name.kind_name(), "type_identifier" | "identifier"))
    {
        let scope = walk.scope_within(match node.kind_name() {
            "infer_type" => &["conditional_type"],
            _ => &["object_type", "interface_body", "class_body"],
        });
        walk.local(name, scope, None);
    }
}

/// `{ key: name }` in a pattern: `key` is a member of what is taken apart.
pub(super) fn pair_pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let key = node.field_of("key", "property_identifier");
    if let Some(key) = key.filter(|_| frame.role != OccurrenceKind::Import) {
        let holder = walk.above(1);
        let of = holder.and_then(|holder| match holder.kind_name() {
            "variable_declarator" | "required_parameter" | "optional_parameter" => {
                match holder.field("type") {
                    Some(annotation) => type_hint(walk, annotation),
                    None => hint(walk, holder.field("value")?),
                }
            }
            "for_in_statement" => element(walk, holder.field("right")?),
            "pair_pattern" => {
                let key = holder.field("key")?;
                (key.kind_name() == "property_identifier").then(|| Hint::value(key))
            }
            _ => None,
        });
        walk.member_name(key, OccurrenceKind::Read, of);
    }
}
