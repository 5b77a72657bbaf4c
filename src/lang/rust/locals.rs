//! Rust: names bound by parameters, patterns and items of function bodies.

use super::values::{bounds, goes_over, named, of_type, of_value};
use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

const BLOCKS: &[&str] = &["block", "match_arm", "closure_expression", "function_item"];

const ITEMS: &[&str] = words!(
    "function_item function_signature_item impl_item struct_item enum_item union_item trait_item
     type_item associated_type"
);

/// What a pattern takes apart.
#[derive(Clone, Copy)]
enum Source<'n> {
    Unknown,
    Known(Hint),
    /// An instance of this type.
    Type(Node<'n>),
    /// The value of this expression.
    Value(Node<'n>),
    /// The elements of this expression, one after the other.
    Elements(Node<'n>),
}

impl<'n> Source<'n> {
    fn known(self, walk: &Walk<'_>) -> Option<Hint> {
        match self {
            Self::Unknown => None,
            Self::Known(known) => Some(known),
            Self::Type(node) => of_type(walk, node),
            Self::Value(node) => of_value(walk, node, 0),
            Self::Elements(node) => of_value(walk, node, 1),
        }
    }

    /// What the part at a place of a tuple is.
    fn part(self, walk: &Walk<'_>, at: usize) -> Self {
        match self {
            Self::Type(node) if node.kind_name() == "tuple_type" => node
                .content()
                .get(at)
                .map_or(Self::Unknown, |part| Self::Type(*part)),
            Self::Value(node) if node.kind_name() == "tuple_expression" => node
                .content()
                .get(at)
                .map_or(Self::Unknown, |part| Self::Value(*part)),
            Self::Elements(node) => elements_part(walk, node, at),
            _ => Self::Unknown,
        }
    }
}

/// What the part at a place of each pair is that an expression goes over: `xs.iter().enumerate()`, `xs.iter().zip(ys)`,
/// `&map`.
fn elements_part<'n>(walk: &Walk<'_>, mut node: Node<'n>, at: usize) -> Source<'n> {
    for _ in 0..MAX_STEPS {
        let call = node
            .field("function")
            .filter(|called| called.kind_name() == "field_expression");
        let Some((call, object)) = call.and_then(|call| Some((call, call.field("value")?))) else {
            break;
        };
        let other = || node.field("arguments")?.named_child(0);
        match (walk.text_of(call.field("field")), at) {
            (b"enumerate", 1) => return Source::Elements(object),
            (b"zip", 0) if goes_over(walk, object) => return Source::Elements(object),
            (b"zip", 1) if goes_over(walk, object) => {
                return other().map_or(Source::Unknown, Source::Elements);
            }
            (b"zip", _) => return Source::Unknown,
            (b"rev" | b"skip" | b"take" | b"filter" | b"skip_while" | b"take_while", _) => {
                node = object;
            }
            _ => break,
        }
    }
    match at == 1 && !pairs_up(walk, node) {
        true => Source::Elements(node),
        false => Source::Unknown,
    }
}

/// Whether an iterator gives pairs of two of its own.
fn pairs_up(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let text = walk.text(node);
    [&b".zip("[..], b".windows(", b".map(", b".partition("]
        .iter()
        .any(|call| text.windows(call.len()).any(|window| window == *call))
}

/// Whether a name in a pattern is that of a constant or of a case, not one that it binds.
fn is_constant(name: &[u8]) -> bool {
    name.first().is_none_or(u8::is_ascii_uppercase)
}

/// Cases of the library that hold one thing, which is taken for the whole.
const HOLD_SAME: &[&[u8]] =
    byte_words!("Async::Ready Ok Option::Some Poll::Ready Ready Result::Ok Some task::Poll::Ready");

/// The last name of the path of a case.
fn case_name(path: Node<'_>) -> Option<Node<'_>> {
    match path.kind_name() {
        "identifier" => Some(path),
        "scoped_identifier" => path.field("name"),
        _ => None,
    }
}

/// Binds the names of a pattern.
fn bind<'t>(walk: &mut Walk<'t>, pattern: Node<'t>, scope: &Range<Point>, source: Source<'t>) {
    let mut open = vec![(pattern, source)];
    while let Some((node, source)) = open.pop() {
        match node.kind_name() {
            "identifier" if !is_constant(walk.text(node)) => {
                let hint = source.known(walk);
                walk.local(node, scope.clone(), hint);
            }
            "shorthand_field_identifier" => walk.local(node, scope.clone(), None),
            "mut_pattern" | "ref_pattern" | "reference_pattern" | "box_pattern" => {
                let last = node.named_child_count().saturating_sub(1);
                open.extend(node.named_child(last as u32).map(|inner| (inner, source)));
            }
            "captured_pattern" | "or_pattern" | "match_pattern" => {
                let parts =
                    (0..node.named_child_count()).filter_map(|i| node.named_child(i as u32));
                let condition = node.field("condition");
                open.extend(
                    parts
                        .filter(|part| Some(*part) != condition)
                        .map(|part| (part, source)),
                );
            }
            "tuple_pattern" => {
                // `_` is no node that has a name, so that commas tell which part one is.
                let mut at = 0;
                for part in node.parts() {
                    match part.kind_name() {
                        "," => at += 1,
                        _ if part.is_named() && !part.is_extra() => {
                            open.push((part, source.part(walk, at)));
                        }
                        _ => {}
                    }
                }
            }
            "tuple_struct_pattern" => {
                let case = node.field("type");
                let name = walk.text_of(case);
                // What is in these is taken for the same value.
                let same = HOLD_SAME.contains(&name);
                let parts = node.content();
                let mut parts: Vec<_> = parts
                    .into_iter()
                    .filter(|part| Some(*part) != case)
                    .collect();
                let held = case.and_then(case_name).filter(|_| parts.len() == 1);
                let inner = match (same, held) {
                    (true, _) => source.known(walk).map_or(Source::Unknown, Source::Known),
                    (false, Some(case)) => Source::Known(Hint::element_of(case)),
                    (false, None) => Source::Unknown,
                };
                open.extend(parts.drain(..).map(|part| (part, inner)));
            }
            "slice_pattern" => {
                open.extend(
                    node.content()
                        .into_iter()
                        .map(|part| (part, Source::Unknown)),
                );
            }
            "struct_pattern" => {
                let fields = node.content().into_iter();
                for field in fields.filter(|field| field.kind_name() == "field_pattern") {
                    let (part, name) = (field.field("pattern"), field.field("name"));
                    // What the field holds.
                    let held = name
                        .filter(|name| name.kind_name() == "field_identifier")
                        .map_or(Source::Unknown, |name| Source::Known(Hint::value(name)));
                    open.extend(part.or(name).map(|part| (part, held)));
                }
            }
            _ => {}
        }
    }
}

pub(super) fn let_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(pattern) = node.field("pattern") else {
        return;
    };
    let declared = node.field("type").filter(|declared| {
        // `Vec<_>` and `_` leave it to the value.
        of_type(walk, *declared).is_some() || declared.kind_name() == "tuple_type"
    });
    let source = match (declared, node.field("value")) {
        (Some(declared), _) => Source::Type(declared),
        (None, Some(value)) => Source::Value(value),
        (None, None) => Source::Unknown,
    };
    let scope = walk.scope_from(node.end_position(), BLOCKS);
    bind(walk, pattern, &scope, source);
}

/// `if let`, `while let` and those in guards: bound until the block that depends on it ends.
pub(super) fn let_condition<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let owner = walk.stack.iter().rev().find_map(|frame| {
        let field = match frame.node.kind_name() {
            "if_expression" => "consequence",
            "while_expression" => "body",
            "match_arm" => "value",
            _ => return None,
        };
        frame.node.field(field)
    });
    if let (Some(pattern), Some(owner)) = (node.field("pattern"), owner) {
        let value = node.field("value");
        let scope = node.end_position()..owner.end_position();
        bind(
            walk,
            pattern,
            &scope,
            value.map_or(Source::Unknown, Source::Value),
        );
    }
}

pub(super) fn match_arm<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let value = walk.ancestor(1).and_then(|whole| whole.node.field("value"));
    if let Some(pattern) = node.field("pattern") {
        bind(
            walk,
            pattern,
            &node.span(),
            value.map_or(Source::Unknown, Source::Value),
        );
    }
}

pub(super) fn for_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let (Some(pattern), Some(value), Some(body)) = (
        node.field("pattern"),
        node.field("value"),
        node.field("body"),
    ) {
        bind(walk, pattern, &body.span(), Source::Elements(value));
    }
}

/// A parameter of a function, or one of a closure that says its type.
pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(pattern) = node.field("pattern") {
        let declared = node.field("type");
        let scope = walk.scope_within(words!(
            "function_item function_signature_item closure_expression"
        ));
        bind(
            walk,
            pattern,
            &scope,
            declared.map_or(Source::Unknown, Source::Type),
        );
    }
}

pub(super) fn closure_parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let scope = walk.scope_within(&["closure_expression"]);
    // The call that the closure is the last argument of.
    let call = walk.ancestor(2).map(|call| call.node);
    let content = node.content();
    let count = content.len();
    for (place, pattern) in content.into_iter().enumerate() {
        if pattern.kind_name() != "parameter" {
            let source = call.map_or(Source::Unknown, |call| {
                handed_over(walk, call, (place, count))
            });
            bind(walk, pattern, &scope, source);
        }
    }
    let closure = walk
        .ancestor(0)
        .and_then(|closure| closure.node.field("body"));
    if let Some((call, body)) = call.zip(closure) {
        gives(walk, call, body);
    }
}

/// Notes what a call gives by the closure that it is handed: `xs.iter().map(|x| x.owner())`.
fn gives<'t>(walk: &mut Walk<'t>, call: Node<'t>, body: Node<'t>) {
    let function = call
        .field("function")
        .filter(|called| called.kind_name() == "field_expression");
    let Some((name, object)) =
        function.and_then(|called| Some((called.field("field")?, called.field("value")?)))
    else {
        return;
    };
    let is_list = goes_over(walk, object);
    let given = match (walk.text(name), is_list) {
        (b"map" | b"filter_map" | b"map_while", true) => {
            of_value(walk, body, 0).and_then(Hint::listed)
        }
        (b"map" | b"and_then" | b"then" | b"find_map", _) => of_value(walk, body, 0),
        (b"flat_map", true) => of_value(walk, body, 1).and_then(Hint::listed),
        _ => None,
    };
    walk.gives(name, given);
}

/// Calls that hand each element to a closure, or what an option or result holds.
const HAND_OVER: &[&[u8]] = byte_words!(
    "all and_then any filter filter_map find find_map flat_map for_each inspect is_none_or is_ok_and is_some_and map
     map_while max_by_key min_by_key partition position skip_while take_while"
);

/// Calls of a list itself that hand each element to a closure.
const HAND_OVER_HELD: &[&[u8]] = byte_words!(
    "binary_search_by binary_search_by_key dedup_by_key partition_point retain retain_mut sort_by_cached_key sort_by_key
     sort_unstable_by_key"
);

/// Calls that hand two elements to a closure.
const COMPARE: &[&[u8]] = byte_words!(
    "binary_search_by dedup_by is_sorted_by max_by min_by reduce sort_by sort_unstable_by"
);

/// Calls that hand an element to a closure behind what is made of those before.
const GATHER: &[&[u8]] = byte_words!("fold rfold scan try_fold");

/// What a call hands to a closure at one of so many places.
fn handed_over<'t>(walk: &Walk<'t>, call: Node<'t>, (place, count): (usize, usize)) -> Source<'t> {
    let function = call
        .field("function")
        .filter(|_| call.kind_name() == "call_expression");
    let function = function.filter(|function| function.kind_name() == "field_expression");
    let name = walk.text_of(function.and_then(|function| function.field("field")));
    let Some(object) = function.and_then(|function| function.field("value")) else {
        return Source::Unknown;
    };
    match (count, place) {
        (1, _) if HAND_OVER_HELD.contains(&name) => Source::Elements(object),
        (1, _) if HAND_OVER.contains(&name) => match goes_over(walk, object) {
            true => Source::Elements(object),
            false => Source::Value(object),
        },
        (2, _) if COMPARE.contains(&name) => Source::Elements(object),
        (2, 1) if GATHER.contains(&name) => Source::Elements(object),
        _ => Source::Unknown,
    }
}

/// `T: Bound` and `const N: usize` among the parameters of an item.
pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let hint = match node.kind_name() {
            "const_parameter" => Some(Hint::LITERAL),
            _ => node.field("bounds").and_then(|bounds| {
                several_bounds(walk, bounds);
                of_type(walk, bounds)
            }),
        };
        walk.local_in(ITEMS, name, hint);
    }
}

/// Notes of each of several bounds which is the next.
pub(super) fn several_bounds<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let types = bounds(walk, node);
    let known = |bound: &Node<'t>| {
        let known = of_type(walk, *bound)?;
        Some((known.type_name()?, known))
    };
    let known: Vec<_> = types.iter().filter_map(known).collect();
    for pair in known.windows(2) {
        let [(at, _), (_, next)] = pair else { continue };
        walk.receiver(*at, *next);
    }
}

/// The names in `Trait<Name = T>` and `Trait<Name: Bound>` are those of the trait's associated types.
pub(super) fn type_arguments<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let of = walk
        .ancestor(0)
        .and_then(|generic| generic.node.field("type"));
    let Some(of) = of.and_then(|of| named(walk, of)) else {
        return;
    };
    for argument in node.content() {
        let next = argument.next_named_sibling();
        let name = match argument.kind_name() {
            "type_binding" => argument.field("name"),
            "type_identifier" if next.is_some_and(|next| next.kind_name() == "trait_bounds") => {
                Some(argument)
            }
            _ => None,
        };
        if let Some(name) = name {
            walk.field_name(name, OccurrenceKind::Type, Some(of));
        }
    }
}

/// `where T: Bound` says of a parameter what its own place does not.
pub(super) fn where_predicate<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let item = walk.above(1);
    let parameters = item.and_then(|item| item.field("type_parameters"));
    if let (Some(item), Some(parameters), Some(left), Some(bounds)) =
        (item, parameters, node.field("left"), node.field("bounds"))
        && left.kind_name() == "type_identifier"
        && let Some(known) = of_type(walk, bounds)
    {
        let name = walk.text(left);
        let mut own = parameters.content().into_iter();
        let named = |parameter: Node<'t>| parameter.field("name");
        if own.any(|parameter| named(parameter).is_some_and(|own| walk.text(own) == name)) {
            several_bounds(walk, bounds);
            walk.local(left, item.span(), Some(known));
        }
    }
}

/// A constant or static of a function body: known in all of the block.
pub(super) fn local_item<'t>(walk: &mut Walk<'t>, item: Node<'t>) {
    if let Some(name) = item.field("name") {
        let declared = item.field("type");
        let hint = declared.and_then(|declared| of_type(walk, declared));
        walk.local_in(BLOCKS, name, hint);
    }
}

/// `field: value` and `field` of a struct literal.
pub(super) fn field_initializer<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let object = walk
        .ancestor(1)
        .and_then(|literal| literal.node.field("name"))
        .and_then(|name| named(walk, name));
    match node.field("field") {
        Some(field) if field.kind_name() == "field_identifier" => {
            walk.field_name(field, OccurrenceKind::Write, object);
        }
        Some(_) => {}
        // The field and the value are of one name: it stands for both.
        None => {
            let last = node.named_child_count().saturating_sub(1);
            if let Some(name) = node.named_child(last as u32) {
                walk.field_name(name, OccurrenceKind::Write, object);
                walk.names_another(name);
            }
        }
    }
}

/// `field: pattern` and `field` of a struct pattern. The latter binds a name as well.
pub(super) fn field_pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let object = walk
        .ancestor(0)
        .and_then(|pattern| pattern.node.field("type"))
        .and_then(|name| named(walk, name));
    if let Some(name) = node.field("name") {
        match name.kind_name() {
            "field_identifier" => walk.field_name(name, OccurrenceKind::Read, object),
            "shorthand_field_identifier" => walk.field_name(name, OccurrenceKind::Write, object),
            _ => {}
        }
    }
}
