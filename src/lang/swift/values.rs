//! Parameters, variables, and what expressions and types of Swift say of values.

use super::bound_names;
use super::closures;
use super::expected::{cases, last_side, place};
use crate::syntax::prelude::*;

const FUNCTIONS: &[&str] = words!(
    "function_declaration protocol_function_declaration init_declaration subscript_declaration
     macro_declaration"
);

const BLOCKS: &[&str] = words!("statements function_body lambda_literal computed_property");

const TYPES: &[&str] = words!(
    "user_type optional_type array_type dictionary_type opaque_type existential_type function_type
     tuple_type protocol_composition_type"
);

/// What an expression says of its own value.
pub(super) fn hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
}

/// What the object of a member says of its value: the grammar takes all of `"a" + b` for the object of what is behind it.
pub(super) fn object(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    value(walk, last_side(node), MAX_STEPS)
}

/// The name that a path or a call begins with.
pub(super) fn first_name(mut node: Node<'_>) -> Option<Node<'_>> {
    for _ in 0..MAX_STEPS {
        node = match node.kind_name() {
            "simple_identifier" => return Some(node),
            "navigation_expression" | "postfix_expression" => node.field("target")?,
            "call_expression" => node.named_child(0)?,
            _ => return None,
        };
    }
    None
}

/// What `as` makes of a value.
pub(super) fn cast(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    of_type(walk, node.part(TYPES)?)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "line_string_literal multi_line_string_literal raw_string_literal integer_literal
     real_literal boolean_literal array_literal dictionary_literal lambda_literal
     regex_literal"
);

fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: usize) -> Option<Hint> {
    for left in (0..steps).rev() {
        match node.kind_name() {
            "simple_identifier" => {
                return Some(match walk.text(node) {
                    b"self" => Hint::THIS,
                    _ => Hint::value(node),
                });
            }
            "self_expression" | "super_expression" => return Some(Hint::THIS),
            "navigation_expression" => {
                let suffix = node.field("suffix")?;
                let name = suffix.field("suffix")?;
                if matches!(walk.text(name), b"init" | b"self") {
                    // `A.init` is `A`, called.
                    node = last_side(node.field("target")?);
                    continue;
                }
                return (name.kind_name() == "simple_identifier").then_some(Hint::value(name));
            }
            "constructor_expression" => {
                let made = node.field("constructed_type")?;
                let name = made.last_of("type_identifier")?;
                return Some(Hint::result(name));
            }
            "call_expression" => {
                let callee = last_side(node.named_child(0)?);
                let index = node
                    .part(&["call_suffix"])
                    .and_then(|suffix| suffix.part(&["value_arguments"]))
                    .and_then(|arguments| arguments.child(0))
                    .is_some_and(|first| first.kind_name() == "[");
                // `[User]()`
                if callee.kind_name() == "array_literal" && !index {
                    let element = callee.field_of("element", "simple_identifier")?;
                    return Some(Hint::collection_of(element));
                }
                let found = value(walk, callee, left)?;
                // `self.init()`
                if found == Hint::THIS && !index {
                    return (callee.kind_name() == "navigation_expression").then_some(found);
                }
                return if index {
                    found.element()
                } else {
                    found.called()
                };
            }
            "try_expression" | "await_expression" => {
                node = node.field("expr").or_else(|| node.last_named())?;
            }
            "postfix_expression" => node = node.field("target")?,
            // `.name`
            "prefix_expression" if node.field("operation")?.kind_name() == "." => {
                node = node.field("target")?;
            }
            "nil_coalescing_expression" => node = node.field("value")?,
            "ternary_expression" => node = node.field("if_true")?,
            "as_expression" => return cast(walk, node),
            "tuple_expression" if node.fields("value").nth(1).is_none() => {
                node = node.field("value")?
            }
            "type_identifier" => return Some(Hint::value(node)),
            // `Type<Argument>.Inner`
            "type_arguments" => node = node.prev_named_sibling()?,
            "array_literal" | "dictionary_literal" => {
                let items = match node.kind_name() {
                    "array_literal" => node.fields("element"),
                    _ => node.fields("value"),
                };
                let list = list_of(walk, items, |item| value(walk, item, left));
                return Some(list.unwrap_or(Hint::LITERAL));
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        }
    }
    None
}

/// What paths of types of the language itself begin with.
const LIBRARIES: &[&[u8]] = byte_words!("Swift Foundation");

/// Types of the language itself.
const BUILT_IN: &[&[u8]] = byte_words!(
    "String Int Int64 Int32 UInt UInt8 UInt32 UInt64 Bool Double Float Character Void Any
     Never CGFloat"
);

static CONTAINERS: Containers = Containers {
    wrappers: byte_words!("Optional Result"),
    collections: byte_words!(
        "Array ArraySlice AnySequence BidirectionalCollection Collection ContiguousArray
         RandomAccessCollection Sequence Set"
    ),
    maps: byte_words!(""),
    ..Containers::NONE
};

/// What a type says of its instances.
fn of_type(walk: &Walk<'_>, mut node: Node<'_>) -> Option<Hint> {
    let mut collections = 0;
    for _ in 0..MAX_STEPS {
        match node.kind_name() {
            "optional_type" => node = node.field("wrapped")?,
            "opaque_type" | "existential_type" => node = node.part(TYPES)?,
            "array_type" => (node, collections) = (node.part(TYPES)?, collections + 1),
            "dictionary_type" => (node, collections) = (node.last_named()?, collections + 1),
            "function_type" | "tuple_type" => return Hint::LITERAL.collections(collections),
            "protocol_composition_type" => node = node.part(TYPES)?,
            "user_type" => {
                let name = instance(walk, node)?;
                let word = walk.text(name);
                if word == b"Self" {
                    return Hint::THIS.collections(collections);
                }
                if !may_be_own(walk.text(node), LIBRARIES) {
                    return Hint::instance(name).collections(collections);
                }
                if BUILT_IN.contains(&word) {
                    return Hint::LITERAL.collections(collections);
                }
                let argument = || node.last_of("type_arguments")?.part(TYPES);
                match CONTAINERS.held(word).zip(argument()) {
                    Some(((_, levels), inner)) => {
                        (node, collections) = (inner, collections + levels)
                    }
                    None => return Hint::instance(name).collections(collections),
                }
            }
            _ => return None,
        }
    }
    None
}

/// The name of the type that instances are of. A type that is a value has the members of the type.
fn instance<'t>(walk: &Walk<'_>, node: Node<'t>) -> Option<Node<'t>> {
    let path: Vec<Node<'t>> = node.all_of("type_identifier").collect();
    match *path {
        [.., of, last] if matches!(walk.text(last), b"Type" | b"Protocol") => Some(of),
        _ => path.last().copied(),
    }
}

/// What a type alias stands for.
pub(super) fn aliased(walk: &Walk<'_>, alias: Node<'_>) -> Option<Hint> {
    let mut after = alias.parts().skip_while(|part| part.kind_name() != "=");
    of_type(walk, after.find(|part| TYPES.contains(&part.kind_name()))?)
}

/// What an associated type or a type parameter is bounded by.
pub(super) fn bound(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    let mut before = node.parts().take_while(|part| part.kind_name() != "=");
    of_type(walk, before.find(|part| TYPES.contains(&part.kind_name()))?)
}

/// What the type that a node holds says.
pub(super) fn type_hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    of_type(walk, node.part(TYPES)?)
}

/// What a function gives back: the type after its arrow.
pub(super) fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Hint> {
    let mut after = function.parts().skip_while(|part| part.kind_name() != "->");
    let annotation = after.find(|part| TYPES.contains(&part.kind_name()))?;
    of_type(walk, annotation)
}

/// What the properties of a declaration are, in the order of its patterns: of the type or the value
/// that follows each.
pub(super) fn property_hints(walk: &Walk<'_>, property: Node<'_>) -> Vec<Option<Hint>> {
    let mut hints: Vec<Option<Hint>> = Vec::new();
    let mut cursor = property.walk();
    if cursor.goto_first_child() {
        loop {
            let part = cursor.node();
            let found = match (cursor.field_name(), part.kind_name()) {
                (Some("name"), "pattern") => {
                    hints.push(None);
                    None
                }
                (_, "type_annotation") => type_hint(walk, part),
                (Some("value"), _) => hint(walk, part),
                _ => None,
            };
            if let Some(last) = hints.last_mut() {
                *last = last.or(found);
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    hints
}

/// What the pattern is annotated with that has this value.
pub(super) fn annotated(walk: &Walk<'_>, property: Node<'_>, value: Node<'_>) -> Option<Hint> {
    if property.is_wide() {
        return None;
    }
    let before = property.parts().take_while(|part| *part != value);
    let mut annotation = None;
    for part in before {
        match part.kind_name() {
            "pattern" => annotation = None,
            "type_annotation" => annotation = Some(part),
            _ => {}
        }
    }
    type_hint(walk, annotation?)
}

/// `let x = ...` inside a function.
pub(super) fn local_property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let hints = property_hints(walk, node);
    let patterns: Vec<_> = node.fields_of("name", "pattern").collect();
    let scope = walk.scope_from(node.end_position(), BLOCKS);
    for (pattern, hint) in patterns.into_iter().zip(hints) {
        let mut names = Vec::new();
        bound_names(pattern, &mut names);
        let hint = hint.filter(|_| names.len() == 1);
        walk.locals(names, &scope, hint);
    }
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node.last_of("simple_identifier");
    if let Some(name) = name {
        let mut hint = type_hint(walk, node);
        if hint.is_none() && node.kind_name() == "lambda_parameter" {
            let of = words!("lambda_parameter");
            let list = walk.above(0).filter(|list| !list.is_wide());
            let all = list.into_iter().flat_map(|list| list.named());
            let before = all.take_while(|part| *part != node);
            let place = before.filter(|part| of.contains(&part.kind_name())).count();
            hint = closures::parameter(walk, 2, place);
        }
        let kinds = match node.kind_name() {
            "lambda_parameter" => &["lambda_literal"],
            _ => FUNCTIONS,
        };
        if node.kind_name() == "parameter" && is_preset(walk, node) {
            walk.receiver(name.start_position(), Hint::PRESET);
        }
        walk.local_in(kinds, name, hint);
    }
}

/// Whether a call may leave a parameter out: it has a value, may be many or none, or is a closure, which may stand behind
/// the call.
fn is_preset(walk: &Walk<'_>, parameter: Node<'_>) -> bool {
    let behind = walk.src[parameter.end_byte()..].trim_ascii_start();
    behind.starts_with(b"=")
        || parameter.part(&["..."]).is_some()
        || walk.text(parameter).windows(2).any(|two| two == b"->")
}

pub(super) fn for_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(pattern) = node.field("item") {
        let mut names = Vec::new();
        bound_names(pattern, &mut names);
        let element = node
            .field("collection")
            .and_then(|items| closures::held(walk, items))
            .filter(|_| names.len() == 1);
        walk.locals(names, &node.span(), element);
    }
}

/// `if let a = b` holds in the statement, `guard let a = b` after it.
pub(super) fn condition<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let mut scope = node.span();
    if node.kind_name() == "guard_statement" {
        scope = walk.scope_from(node.start_position(), BLOCKS);
    }
    let mut found: Vec<(Node<'t>, Option<Hint>)> = Vec::new();
    let mut cursor = node.walk();
    if cursor.goto_first_child() {
        loop {
            let part = cursor.node();
            if cursor.field_name() == Some("bound_identifier") {
                // `if let a` is `a` itself.
                found.push((part, None));
            } else if let Some((_, last)) = found.last_mut()
                && last.is_none()
                && cursor.field_name() == Some("condition")
                && part.is_named()
            {
                *last = hint(walk, part);
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    for (name, hint) in found {
        walk.local(name, scope.clone(), hint);
    }
    for (name, of) in cases(node) {
        if let Some(of) = of.and_then(|of| hint(walk, of)) {
            walk.receiver(place(walk, name), of);
        }
        walk.implied.insert(name.start_byte(), Read);
    }
}

/// Definitions that have type parameters.
const GENERIC: &[&str] = words!(
    "function_declaration protocol_function_declaration init_declaration class_declaration
     typealias_declaration subscript_declaration protocol_declaration"
);

pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Write;
    if let Some(name) = node.part(&["type_identifier"]) {
        let of = bound(walk, node).or_else(|| constrained(walk, walk.above(1)?, walk.text(name)));
        let scope = walk.scope_from(name.end_position(), GENERIC);
        walk.local(name, scope, of);
    }
}

/// What a definition says behind `where` of one of its type parameters.
fn constrained(walk: &Walk<'_>, definition: Node<'_>, name: &[u8]) -> Option<Hint> {
    let all = definition.part(&["type_constraints"])?;
    if all.is_wide() {
        return None;
    }
    let mut constraints = all.all_of("type_constraint");
    constraints.find_map(|constraint| {
        let constraint = constraint.part(&["inheritance_constraint"])?;
        let of = constraint.field("constrained_type")?;
        (walk.text(of) == name).then(|| of_type(walk, constraint.part(TYPES)?))?
    })
}

/// `extension Box where Value: P`: what is said of a type parameter that is not declared here holds in the definition.
pub(super) fn constraint<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let of = node.field("constrained_type");
    let Some(name) = of.filter(|of| of.named_child_count() == 1) else {
        return;
    };
    let Some(name) = name.part(&["simple_identifier"]) else {
        return;
    };
    let Some(around) = walk.enclosing(GENERIC).map(|frame| frame.node) else {
        return;
    };
    let declared = around.part(&["type_parameters"]).is_some_and(|all| {
        let mut names = all.all_of("type_parameter").take(MAX_PARTS);
        names.any(|one| walk.text_of(one.part(&["type_identifier"])) == walk.text(name))
    });
    if !declared && walk.text(name) != b"Self" && around.kind_name() != "protocol_declaration" {
        let hint = node.part(TYPES).and_then(|of| of_type(walk, of));
        walk.local(name, around.span(), hint);
    }
}
