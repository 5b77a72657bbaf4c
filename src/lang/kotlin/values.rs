//! Parameters, variables, and what expressions and types of Kotlin say of values.

use super::destructuring::{self, declared_names};
use super::lambdas;
use crate::syntax::prelude::*;

const FUNCTIONS: &[&str] =
    words!("function_declaration anonymous_function secondary_constructor setter");

const BLOCKS: &[&str] = words!("block lambda_literal when_expression function_body");

const TYPES: &[&str] =
    words!("user_type nullable_type non_nullable_type parenthesized_type function_type");

/// What an expression says of its own value.
pub(super) fn hint<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "string_literal multiline_string_literal number_literal float_literal character_literal
     lambda_literal collection_literal is_expression in_expression range_expression"
);

fn value<'t>(walk: &Walk<'t>, mut node: Node<'t>, steps: usize) -> Option<Hint> {
    for left in (0..steps).rev() {
        match node.kind_name() {
            "identifier" => {
                return match walk.text(node) {
                    b"null" => None,
                    b"true" | b"false" => Some(Hint::LITERAL),
                    _ => Some(Hint::value(node)),
                };
            }
            "this_expression" => {
                let label = node.part(&["identifier"]);
                let is_type = |label: &Node<'_>| {
                    let first = walk.text(*label).first();
                    first.is_some_and(u8::is_ascii_uppercase)
                };
                return Some(label.filter(is_type).map_or(Hint::THIS, Hint::instance));
            }
            "super_expression" => return Some(Hint::THIS),
            "parenthesized_expression" => node = node.named_child(0)?,
            "navigation_expression" => {
                return Some(Hint::value(node.last_of("identifier")?));
            }
            "call_expression" => {
                let callee = node.named_child(0)?;
                match callee.kind_name() {
                    "identifier" => {
                        let made = made_collection(walk, node, callee, left);
                        if matches!(walk.text(callee), b"requireNotNull" | b"checkNotNull") {
                            node = argument(node, 0)?;
                            continue;
                        }
                        return Some(made.unwrap_or(Hint::result(callee)));
                    }
                    "navigation_expression" => {
                        let name = callee.last_of("identifier")?;
                        if KEEP.contains(&walk.text(name)) {
                            node = callee.named_child(0)?;
                            continue;
                        }
                        return Some(Hint::result(name));
                    }
                    // `f(x) { ... }` is one call.
                    "call_expression" => node = callee,
                    _ => return None,
                }
            }
            "unary_expression" => {
                if node.field("operator")?.kind_name() != "!!" {
                    return Some(Hint::LITERAL);
                }
                node = node.field("argument")?;
            }
            "binary_expression" => {
                if node.field("operator")?.kind_name() != "?:" {
                    return None;
                }
                node = node.field("left")?;
            }
            "as_expression" => return of_type(walk, node.field("right")?),
            // Outside of a function it is known by what it is based on.
            "object_literal" => {
                let bases = node.part(&["delegation_specifiers"])?;
                let base = bases.named_child(0)?;
                let base = base.part(&["user_type", "constructor_invocation"])?;
                return of_type(walk, base.part(&["user_type"]).unwrap_or(base));
            }
            "if_expression" => {
                let [then, other] = branches(node)?.map(last_of);
                match (is_none(walk, then?), is_none(walk, other?)) {
                    (true, false) => node = other?,
                    (false, true) => node = then?,
                    (true, true) => return None,
                    (false, false) => {
                        let [then, other] =
                            branches(node)?.map(|one| only_statement(one, &["block"]));
                        return made_alike(walk, [then?, other?], |one| value(walk, one, left));
                    }
                }
            }
            "try_expression" => {
                let blocks = node.all_of("catch_block");
                let is_last = |block: Node<'t>| {
                    let last = block.part(&["block"]).unwrap_or(block).last_named();
                    last.is_none_or(|last| is_none(walk, last))
                };
                if !blocks.take(MAX_PARTS).all(is_last) {
                    return None;
                }
                node = node.part(&["block"])?.last_named()?;
            }
            "index_expression" => return value(walk, node.named_child(0)?, left)?.element(),
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        }
    }
    None
}

/// Calls that give what they are called on, or nothing.
const KEEP: &[&[u8]] = byte_words!("also apply takeIf takeUnless");

/// The argument of a call at a place.
fn argument(call: Node<'_>, at: usize) -> Option<Node<'_>> {
    let mut all = call.part(&["value_arguments"])?.all_of("value_argument");
    all.nth(at)?.last_named()
}

/// Both branches of an `if`.
fn branches<'t>(node: Node<'t>) -> Option<[Node<'t>; 2]> {
    let parts: Vec<_> = node.parts().take(MAX_PARTS).collect();
    let place = |kind| parts.iter().position(|part| part.kind_name() == kind);
    let branch = |at: usize| parts.get(at + 1).copied().filter(Node::is_named);
    Some([branch(place(")")?)?, branch(place("else")?)?])
}

/// What a branch gives.
fn last_of(branch: Node<'_>) -> Option<Node<'_>> {
    match branch.kind_name() {
        "block" => branch.last_named(),
        _ => Some(branch),
    }
}

/// Whether a branch gives `null`, or nothing.
fn is_none(walk: &Walk<'_>, value: Node<'_>) -> bool {
    match value.kind_name() {
        "identifier" => walk.text(value) == b"null",
        kind => matches!(kind, "null" | "return_expression" | "throw_expression"),
    }
}

/// Calls that make a collection of their arguments.
const MAKE_LISTS: &[&[u8]] = byte_words!(
    "arrayListOf arrayOf flowOf hashSetOf linkedSetOf listOf listOfNotNull mutableListOf mutableSetOf sequenceOf setOf
     setOfNotNull sortedSetOf"
);

/// Calls that make a map of their arguments.
const MAKE_MAPS: &[&[u8]] = byte_words!("hashMapOf linkedMapOf mapOf mutableMapOf sortedMapOf");

/// The collection that a call makes: `listOf(User(a), User(b))`, `mapOf("a" to User(a))`, `mutableListOf<User>()`.
fn made_collection<'t>(
    walk: &Walk<'t>,
    call: Node<'t>,
    callee: Node<'t>,
    steps: usize,
) -> Option<Hint> {
    let is_map = MAKE_MAPS.contains(&walk.text(callee));
    if !is_map && !MAKE_LISTS.contains(&walk.text(callee)) {
        return None;
    }
    if let Some(types) = call.part(&["type_arguments"]) {
        let held = types.named_child(u32::from(is_map))?;
        let held = of_type(walk, held.part(TYPES)?)?.collections(1)?;
        return Some(if is_map { held.mapped() } else { held });
    }
    let items = call.part(&["value_arguments"])?.all_of("value_argument");
    let items = items.filter_map(|item| {
        let value = item.last_named()?;
        match is_map {
            true => value
                .last_named()
                .filter(|_| value.kind_name() == "infix_expression"),
            false => Some(value),
        }
    });
    let made = list_of(walk, items, |item| value(walk, item, steps))?;
    Some(if is_map { made.mapped() } else { made })
}

/// What paths of types of the language itself begin with.
const LIBRARIES: &[&[u8]] = byte_words!("kotlin java javax");

/// Where what gives its value when it is asked is imported from.
const CELL_LIBRARIES: &[&[u8]] = byte_words!("androidx java kotlinx");

/// Types of the language itself.
const BUILT_IN: &[&[u8]] = byte_words!(
    "String Int Long Short Byte Char Boolean Double Float Unit Any Nothing Number ByteArray
     IntArray CharSequence"
);

static CONTAINERS: Containers = Containers {
    wrappers: byte_words!("Optional Result"),
    collections: byte_words!(
        "List MutableList ArrayList Set MutableSet Collection MutableCollection Iterable
         Sequence Array Flow"
    ),
    maps: byte_words!("HashMap LinkedHashMap Map MutableMap"),
    cells: &[
        (
            byte_words!(
                "AtomicReference Deferred LiveData MutableLiveData MutableState MutableStateFlow State StateFlow Supplier
                 ThreadLocal"
            ),
            0,
        ),
        (byte_words!("Lazy"), 0),
    ],
    entries: byte_words!("Entry MutableEntry"),
};

/// What a type says of its instances.
pub(super) fn of_type(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    type_within(walk, node, MAX_STEPS)
}

fn type_within(walk: &Walk<'_>, mut node: Node<'_>, steps: usize) -> Option<Hint> {
    let mut collections = Holding::default();
    for left in (0..steps).rev() {
        match node.kind_name() {
            "nullable_type" | "non_nullable_type" | "parenthesized_type" => {
                node = node.part(TYPES)?;
            }
            "function_type" => return collections.of(given(walk, node, left)),
            "user_type" => {
                let name = node.last_of("identifier")?;
                let word = walk.text(name);
                let arguments = node.last_of("type_arguments");
                let argument = |at| arguments?.named_child(at)?.part(TYPES);
                let is_entry = CONTAINERS.entries.contains(&word);
                let is_own = match is_entry {
                    true => !is_entry_of_map(walk, node),
                    false => !may_be_own(walk.text(node), LIBRARIES),
                };
                let is_known = |word| word == b"Lazy" || walk.imports_of(CELL_LIBRARIES, word);
                if is_own || CONTAINERS.is_cell(word) && !is_known(word) {
                    return collections.of(Hint::instance(name));
                }
                if BUILT_IN.contains(&word) {
                    return collections.of(Hint::LITERAL);
                }
                let plain = collections;
                let held = collections.enter(&CONTAINERS, word);
                let Some(inner) = held.and_then(argument) else {
                    return plain.of(Hint::instance(name));
                };
                node = inner;
            }
            _ => return None,
        }
    }
    None
}

/// Whether a type is written as an entry of a map: `Map.Entry<K, V>`.
fn is_entry_of_map(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let written = walk.text(node);
    written.starts_with(b"Map.") || written.starts_with(b"MutableMap.")
}

/// What a function of a type is: one that gives something, where that is an instance of a named type.
fn given(walk: &Walk<'_>, function: Node<'_>, steps: usize) -> Hint {
    let gives = function
        .last_named()
        .filter(|gives| TYPES.contains(&gives.kind_name()))
        .and_then(|gives| type_within(walk, gives, steps));
    match gives {
        Some(gives) if gives.kind == HintKind::Type => gives.with(HintKind::Gives),
        _ => Hint::LITERAL,
    }
}

/// What the type that a declaration gives says.
pub(super) fn type_hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    of_type(walk, node.part(TYPES)?)
}

/// What a function gives back: the type after its parameters, or the expression it is.
pub(super) fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Hint> {
    let mut after = function
        .named()
        .skip_while(|part| part.kind_name() != "function_value_parameters");
    if let Some(annotation) = after.find(|part| TYPES.contains(&part.kind_name())) {
        return of_type(walk, annotation);
    }
    let body = function.part(&["function_body"])?;
    let value = body
        .named_child(0)
        .filter(|value| value.kind_name() != "block")?;
    hint(walk, value)
}

/// What a property is: of its type, else its value, or what it is lazily made of.
pub(super) fn property_hint(walk: &Walk<'_>, property: Node<'_>) -> Option<Hint> {
    let declared = property.part(&["variable_declaration"])?;
    if let Some(hint) = type_hint(walk, declared) {
        return Some(hint);
    }
    if let Some(delegate) = property.part(&["property_delegate"]) {
        let call = delegate.part(&["call_expression"])?;
        let lambda = call
            .part(&["annotated_lambda"])?
            .part(&["lambda_literal"])?;
        return hint(walk, lambda.last_named()?);
    }
    let parts: Vec<_> = property.parts().collect();
    let at = parts.iter().position(|part| part.kind_name() == "=")?;
    hint(walk, *parts.get(at + 1)?)
}

const DECLARED: &[&str] = &["variable_declaration", "multi_variable_declaration"];

/// `val x = ...` inside a function.
pub(super) fn local_property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(declared) = node.part(DECLARED) else {
        return;
    };
    let is_one = declared.kind_name() == "variable_declaration";
    let hint = property_hint(walk, node).filter(|_| is_one);
    let scope = walk.scope_from(node.end_position(), BLOCKS);
    walk.locals(declared_names(declared), &scope, hint);
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let listed = walk.kind_above(0) == "function_value_parameters";
    if let Some(name) = node.part(&["identifier"]).filter(|_| listed) {
        let varargs = node
            .prev_named_sibling()
            .is_some_and(|before| walk.text(before) == b"vararg");
        let function = lambdas::taken(walk, name, node).filter(|_| !varargs);
        let declared = type_hint(walk, node);
        if function.is_some()
            && let Some(gives) = declared.filter(|declared| declared.kind == HintKind::Gives)
        {
            walk.receiver(name.start_position(), gives);
        }
        let known = function.or(declared);
        let known = known.and_then(|known| known.collections(usize::from(varargs)));
        walk.local_in(FUNCTIONS, name, known);
        let after = walk.src.get(node.end_byte()..).unwrap_or_default();
        if varargs {
            walk.receiver(name.start_position(), Hint::REST);
        } else if after.trim_ascii_start().starts_with(b"=") {
            walk.receiver(name.start_position(), Hint::PRESET);
        }
    } else if let Some(name) = node.part(&["identifier"])
        && walk.kind_above(0) == "function_type_parameters"
    {
        // `(offset: Int) -> Unit` binds nothing.
        walk.pass_over(name);
    }
}

/// A parameter of a primary constructor that is no property.
pub(super) fn plain_class_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.part(&["identifier"]) {
        let hint = type_hint(walk, node);
        walk.local_in(&["class_declaration"], name, hint);
    }
}

pub(super) fn lambda_parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let scope = walk.scope_within(&["lambda_literal"]);
    let parts = node
        .named()
        .filter(|part| DECLARED.contains(&part.kind_name()));
    let parts: Vec<_> = parts.collect();
    // `all.forEach { key, value -> ... }`
    let is_of_map = parts.len() == 2 && lambdas::is_for_each(walk, 1);
    for (place, part) in parts.into_iter().enumerate() {
        let given = || lambdas::parameter(walk, 1, place).filter(|_| place > 0 || !is_of_map);
        let hint = type_hint(walk, part).or_else(given);
        let over = lambdas::gone_over(walk, 1);
        destructuring::bind(walk, part, &scope, (hint, over));
    }
}

pub(super) fn for_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(declared) = node.part(DECLARED) {
        let over = declared.next_named_sibling();
        let known = type_hint(walk, declared).or_else(|| hint(walk, over?)?.each());
        destructuring::bind(walk, declared, &node.span(), (known, over));
    }
}

pub(super) fn caught<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.part(&["identifier"]) {
        let hint = type_hint(walk, node);
        walk.local(name, node.span(), hint);
    }
}

/// `when (val x = ...)`.
pub(super) fn when_subject<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(declared) = node.part(&["variable_declaration"]) {
        let value = node.last_named().filter(|value| *value != declared);
        let hint = value.and_then(|value| hint(walk, value));
        let scope = walk.scope_within(&["when_expression"]);
        walk.locals(declared_names(declared), &scope, hint);
    }
}

pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.part(&["identifier"]) {
        let owners =
            words!("function_declaration class_declaration property_declaration type_alias");
        walk.local_in(owners, name, None);
        if walk.kind_above(1) == "function_declaration" {
            walk.receiver(name.start_position(), Hint::TYPE_PARAMETER);
        }
    }
}

pub(super) fn setter_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.part(&["identifier"]) {
        walk.local(name, node.span(), None);
    }
}
