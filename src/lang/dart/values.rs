//! Parameters, variables, and what expressions and types of Dart say of values.

use super::type_name;
use crate::syntax::prelude::*;

const FUNCTIONS: &[&str] = words!(
    "function_declaration setter_declaration external_function_declaration
     local_function_declaration method_declaration declaration function_expression type_alias"
);

const BLOCKS: &[&str] = &["block", "for_statement", "switch_statement_case"];

/// What an expression says of its own value.
pub(super) fn hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "string_literal decimal_integer_literal decimal_floating_point_literal
     hex_integer_literal true false function_expression record_literal"
);

fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: usize) -> Option<Hint> {
    for left in (0..steps).rev() {
        match node.kind_name() {
            "identifier" => return Some(Hint::value(node)),
            "this" | "super" => return Some(Hint::THIS),
            "parenthesized_expression" | "cascade" | "await_expression" => {
                node = node.named_child(0)?;
            }
            "unary_expression" => node = node.part(&["await_expression"])?,
            "null_assertion_expression" => node = node.field("value")?,
            "if_null_expression" => node = node.named_child(0)?,
            "member_expression" | "null_aware_member_expression" => {
                return Some(Hint::value(node.field("property")?));
            }
            "call_expression" => {
                let mut function = node.field("function")?;
                if function.kind_name() == "instantiation_expression" {
                    function = function.field("function")?;
                }
                return value(walk, function, left)?.called();
            }
            "new_expression" | "const_object_expression" => {
                let name = node
                    .field_of("constructor", "identifier")
                    .or_else(|| type_name(node.field("type")?))?;
                return Some(Hint::result(name));
            }
            "index_expression" => {
                return value(walk, node.field("object")?, left)?.element();
            }
            "type_cast_expression" => {
                let cast = node.part(&["type_cast"])?;
                return of_type(walk, cast.part(&["type"])?);
            }
            "conditional_expression" => {
                let branches = [node.field("consequence")?, node.field("alternative")?];
                return made_alike(walk, branches, |branch| value(walk, branch, left));
            }
            "list_literal" | "set_or_map_literal" => {
                return Some(made_collection(walk, node, left).unwrap_or(Hint::LITERAL));
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        }
    }
    None
}

/// The collection that a literal is: `[User(a), User(b)]`, `{"a": User(a)}`, `<User>[]`.
fn made_collection(walk: &Walk<'_>, literal: Node<'_>, steps: usize) -> Option<Hint> {
    if let Some(types) = literal.part(&["type_arguments"]) {
        return of_type(walk, types.last_named()?)?.collections(1);
    }
    let items = literal.named().filter(|item| !item.is_extra());
    let items = items.map(|item| {
        item.field("value")
            .filter(|_| item.kind_name() == "map_element")
            .unwrap_or(item)
    });
    list_of(walk, items, |item| value(walk, item, steps))
}

/// What people call `dart:core` and its like where they import them under a name.
const LIBRARIES: &[&[u8]] = byte_words!("core async collection");

/// Types of the language itself.
const BUILT_IN: &[&[u8]] =
    byte_words!("String int double num bool dynamic Object Never Null Function");

static CONTAINERS: Containers = Containers {
    wrappers: byte_words!("Future FutureOr"),
    collections: byte_words!("List Iterable Set Stream Iterator"),
    maps: byte_words!("Map"),
    ..Containers::NONE
};

/// What a type says of its instances.
fn of_type(walk: &Walk<'_>, mut node: Node<'_>) -> Option<Hint> {
    let mut collections = 0;
    for _ in 0..MAX_STEPS {
        if node.part(&["void_type", "function_type"]).is_some() {
            return Hint::LITERAL.collections(collections);
        }
        let name = type_name(node)?;
        let word = walk.text(name);
        if !may_be_own(walk.text(node), LIBRARIES) {
            return Hint::instance(name).collections(collections);
        }
        if BUILT_IN.contains(&word) {
            return Hint::LITERAL.collections(collections);
        }
        let arguments = node.part(&["type_arguments"]);
        let arguments = arguments.filter(|list| list.named_child_count() > 0);
        let Some(((at, levels), list)) = CONTAINERS.held(word).zip(arguments) else {
            return Hint::instance(name).collections(collections);
        };
        (node, collections) = (list.named_child(at)?, collections + levels);
    }
    None
}

/// What the type that a node holds says.
pub(super) fn type_hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    of_type(walk, node.part(&["type"])?)
}

/// What a variable is: of the type given for its list, else its value.
pub(super) fn variable_hint(walk: &Walk<'_>, list: Node<'_>, variable: Node<'_>) -> Option<Hint> {
    type_hint(walk, list).or_else(|| hint(walk, variable.field("value")?))
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node.field("name").or_else(|| node.part(&["identifier"]));
    if let Some(name) = name.filter(|name| name.kind_name() == "identifier") {
        let hint = type_hint(walk, node);
        walk.local_in(FUNCTIONS, name, hint);
    }
}

/// `var a = b, c = d;` inside a function.
pub(super) fn variables<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let scope = walk.scope_from(node.start_position(), BLOCKS);
    let others = node.all_of("initialized_identifier");
    for variable in std::iter::once(node).chain(others) {
        if let Some(name) = variable.field("name") {
            let hint = variable_hint(walk, node, variable);
            walk.local(name, scope.clone(), hint);
        }
    }
}

pub(super) fn pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let hint = type_hint(walk, node);
        let scope = walk.scope_from(node.start_position(), BLOCKS);
        walk.local(name, scope, hint);
    }
}

/// `for (var a in b)`.
pub(super) fn for_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let element = node
            .field("value")
            .and_then(|items| hint(walk, items)?.element());
        let hint = type_hint(walk, node).or(element);
        walk.local(name, node.span(), hint);
    }
}

/// `on A catch (e, stack)`: the names hold in the block that follows.
pub(super) fn caught<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let end = node.next_named_sibling().unwrap_or(node).end_position();
    let hint = node
        .prev_named_sibling()
        .filter(|class| class.kind_name() == "type")
        .and_then(|class| of_type(walk, class));
    if let Some(name) = node.field("exception") {
        walk.local(name, node.start_position()..end, hint);
    }
    if let Some(name) = node.field("stack_trace") {
        walk.local(name, node.start_position()..end, Some(Hint::LITERAL));
    }
}
