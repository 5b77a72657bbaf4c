//! Parameters, variables, and what expressions and types of PHP say of values.

use super::bare;
use crate::syntax::prelude::*;
use tree_sitter::Point;

const FUNCTIONS: &[&str] = words!(
    "function_definition method_declaration anonymous_function arrow_function property_hook"
);

/// What an expression says of its own value.
pub(super) fn hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "string encapsed_string heredoc nowdoc integer float boolean
     anonymous_function arrow_function cast_expression"
);

fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: usize) -> Option<Hint> {
    for left in (0..steps).rev() {
        match node.kind_name() {
            "parenthesized_expression" | "clone_expression" | "error_suppression_expression" => {
                node = node.named_child(0)?;
            }
            "assignment_expression" | "augmented_assignment_expression" => {
                node = node.field("right")?;
            }
            // What is left out in `a ?: b` is the condition.
            "conditional_expression" => {
                node = node.field("body").or_else(|| node.field("condition"))?;
            }
            // `a ?? b` is mostly `a`.
            "binary_expression" => {
                let operator = node.field("operator")?;
                if operator.kind_name() != "??" {
                    return Some(Hint::LITERAL);
                }
                node = node.field("left")?;
            }
            "variable_name" => {
                let name = bare(node)?;
                return Some(match walk.text(name) {
                    b"this" => Hint::THIS,
                    _ => Hint::value(name),
                });
            }
            "member_access_expression"
            | "nullsafe_member_access_expression"
            | "scoped_property_access_expression" => {
                let name = node.field("name")?;
                let name = bare(name).or_else(|| (name.kind_name() == "name").then_some(name))?;
                return Some(Hint::value(name));
            }
            "class_constant_access_expression" => {
                let last = node.last_named()?;
                return match last.kind_name() {
                    "name" if walk.text(last) == b"class" => Some(Hint::LITERAL),
                    "name" => Some(Hint::value(last)),
                    _ => None,
                };
            }
            "function_call_expression" => {
                let function = node.field("function")?;
                let name = bare(function).or_else(|| last_name(function))?;
                return Some(Hint::result(name));
            }
            "member_call_expression"
            | "nullsafe_member_call_expression"
            | "scoped_call_expression" => {
                let name = node.field("name")?;
                return (name.kind_name() == "name").then_some(Hint::result(name));
            }
            "object_creation_expression" => {
                let name = last_name(node.named_child(0)?)?;
                return Some(match is_this(walk, name) {
                    true => Hint::THIS,
                    false => Hint::result(name),
                });
            }
            "subscript_expression" => return value(walk, node.named_child(0)?, left)?.element(),
            "array_creation_expression" => {
                let items = node.all_of("array_element_initializer");
                let items = items.filter_map(|item| item.last_named());
                let list = list_of(walk, items, |item| value(walk, item, left));
                return Some(list.unwrap_or(Hint::LITERAL));
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        }
    }
    None
}

fn is_this(walk: &Walk<'_>, name: Node<'_>) -> bool {
    matches!(walk.text(name), b"this" | b"self" | b"static")
}

/// The last name of a path.
fn last_name(path: Node<'_>) -> Option<Node<'_>> {
    match path.kind_name() {
        "name" => Some(path),
        "qualified_name" | "relative_name" => {
            let last = path.last_named()?;
            (last.kind_name() == "name").then_some(last)
        }
        _ => None,
    }
}

/// An instance of the class that a name is of.
pub(super) fn named(walk: &Walk<'_>, class: Node<'_>) -> Option<Hint> {
    let name = last_name(class)?;
    Some(match is_this(walk, name) {
        true => Hint::THIS,
        false => Hint::instance(name),
    })
}

/// What a type says of its instances. Of several it must be the only class.
pub(super) fn type_hint(walk: &Walk<'_>, node: Option<Node<'_>>) -> Option<Hint> {
    let mut node = node?;
    while node.kind_name() == "optional_type" {
        node = node.named_child(0)?;
    }
    if matches!(node.kind_name(), "union_type" | "intersection_type") {
        let parts = node.named();
        let mut classes = parts.filter(|part| part.kind_name() == "named_type");
        let only = classes.next()?;
        if classes.next().is_some() {
            return None;
        }
        node = only;
    }
    match node.kind_name() {
        "primitive_type" => Some(Hint::LITERAL),
        "named_type" => named(walk, node.named_child(0)?),
        "bottom_type" => Some(Hint::LITERAL),
        _ => None,
    }
}

/// Bytes of documentation that are looked through.
const MAX_DOCUMENTATION: usize = 4096;

/// Whether what stands before a function ends with documentation that says what it gives.
fn says_what_it_returns(before: &[u8]) -> bool {
    let Some(before) = before.trim_ascii_end().strip_suffix(b"*/") else {
        return false;
    };
    let near = &before[before.len().saturating_sub(MAX_DOCUMENTATION)..];
    let start = memchr::memmem::rfind(near, b"/*").unwrap_or(0);
    memchr::memmem::find(&near[start..], b"@return").is_some()
}

/// What a function gives back: its type, or what its last statement returns.
pub(super) fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Hint> {
    if let Some(annotation) = function.field("return_type") {
        return type_hint(walk, Some(annotation));
    }
    let body = function.field("body")?;
    let last = body.last_named()?;
    if last.kind_name() != "return_statement" {
        return None;
    }
    let value = last.named_child(0)?;
    // What its documentation says may be wider than what it gives here.
    let is_told = says_what_it_returns(&walk.src[..function.start_byte()]);
    let is_made = value.kind_name() == "object_creation_expression";
    let given = hint(walk, value).filter(|hint| *hint != Hint::LITERAL);
    given.filter(|hint| is_made || !is_told || *hint == Hint::THIS)
}

/// Notes that a variable is bound in the function around it. Bindings hold for all of it; one that
/// follows another holds from `after` on.
pub(super) fn bind<'t>(
    walk: &mut Walk<'t>,
    frame: &Frame<'t>,
    name: Node<'t>,
    hint: Option<Hint>,
    after: Point,
) {
    if frame.scope != Scope::Function || walk.text(name) == b"this" {
        return;
    }
    let mut scope = walk.scope_within(FUNCTIONS);
    if !walk.first_bound(frame.symbol, walk.text(name)) {
        scope.start = after;
        // `if ($log === null) { $log = new NullLog(); }`: behind it the parameter is of its type still.
        if walk.is_bound(frame.symbol, &typed(walk.text(name))) {
            scope.end = walk.scope_within(&["compound_statement"]).end;
        }
    }
    walk.local(name, scope, hint);
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("name").and_then(bare) {
        let mut hint = type_hint(walk, node.field("type"));
        if node.kind_name() == "variadic_parameter" {
            let element = node
                .field("type")
                .and_then(|annotation| last_name(annotation.named_child(0)?));
            hint = element.map(|name| Hint::collection_of(name));
        }
        // A parameter begins anew whatever an outer function called it.
        let scope = walk.scope_within(FUNCTIONS);
        walk.first_bound(frame.symbol, walk.text(name));
        if hint.is_some_and(|hint| hint.type_name().is_some()) {
            walk.first_bound(frame.symbol, &typed(walk.text(name)));
        }
        walk.local(name, scope, hint);
    }
}

/// What a parameter with a type is noted by; no variable has such a name.
fn typed(name: &[u8]) -> Vec<u8> {
    [name, b":"].concat()
}

pub(super) fn caught<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("name").and_then(bare) {
        let types = node.field("type");
        let only = types.filter(|types| types.named_child_count() == 1);
        let hint = type_hint(walk, only.and_then(|types| types.named_child(0)));
        bind(walk, frame, name, hint, name.start_position());
    }
}

pub(super) fn static_variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("name").and_then(bare) {
        let value = node.field("value");
        let hint = value.and_then(|value| hint(walk, value));
        bind(walk, frame, name, hint, name.start_position());
    }
}

/// The variables that a loop over `collection`, or a list on the left of `=`, assigns to.
pub(super) fn bind_targets<'t>(
    walk: &mut Walk<'t>,
    frame: &Frame<'t>,
    mut target: Node<'t>,
    collection: Option<Node<'t>>,
) {
    if target.kind_name() == "pair" {
        if let Some(key) = target.named_child(0).and_then(bare) {
            bind(walk, frame, key, None, key.start_position());
        }
        let Some(value) = target.named_child(1) else {
            return;
        };
        target = value;
    }
    match target.kind_name() {
        "variable_name" | "by_ref" => {
            if let Some(name) = bare(target) {
                let element = collection
                    .and_then(|collection| hint(walk, collection))
                    .and_then(Hint::element);
                bind(walk, frame, name, element, name.start_position());
            }
        }
        "list_literal" => {
            let mut names = Vec::new();
            let mut pending = vec![target];
            while let Some(list) = pending.pop() {
                for item in list.named() {
                    match item.kind_name() {
                        "list_literal" => pending.push(item),
                        _ => names.extend(bare(item)),
                    }
                }
            }
            names.sort_by_key(|name| name.start_byte());
            for name in names {
                bind(walk, frame, name, None, name.start_position());
            }
        }
        _ => {}
    }
}

/// Members that are looked through for the property that is assigned to.
const MAX_MEMBERS: usize = 512;

/// Methods that give an object what it is made of.
const MAKERS: &[&[u8]] = byte_words!("__construct setUp setup boot");

/// `$this->name = value` says what a property without a type is, where the object is made, or where an object is made for it.
pub(super) fn property<'t>(
    walk: &mut Walk<'t>,
    frame: &Frame<'t>,
    left: Node<'t>,
    value: Option<Node<'t>>,
) {
    let (object, name) = match left.kind_name() {
        "member_access_expression" => (left.field("object"), left.field("name")),
        "scoped_property_access_expression" => {
            (left.field("scope"), left.field("name").and_then(bare))
        }
        _ => return,
    };
    let of_this = object.is_some_and(|object| match bare(object) {
        Some(name) => walk.text(name) == b"this",
        None => is_this(walk, object),
    });
    let (Some(name), Some(value), Some(method), true) = (name, value, frame.symbol, of_this) else {
        return;
    };
    let method = &walk.symbols[method as usize];
    let (is_maker, class) = (
        MAKERS.contains(&walk.names.get(method.name)),
        method.container,
    );
    if name.kind_name() != "name"
        || !(is_maker || value.kind_name() == "object_creation_expression")
    {
        return;
    }
    let Some(hint) = hint(walk, value).filter(|hint| *hint != Hint::LITERAL) else {
        return;
    };
    let (wanted, _) = walk.names.intern(walk.text(name));
    let Some(class) = class else {
        return;
    };
    let members = walk.symbols.iter().zip(0u32..).skip(class as usize + 1);
    let mut members = members.take(MAX_MEMBERS);
    let found = members.find(|(member, _)| {
        member.container == Some(class) && member.name == wanted && member.kind == SymbolKind::Field
    });
    if let Some((_, index)) = found {
        walk.value(index, hint);
    }
}
