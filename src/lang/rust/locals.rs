//! Rust: names bound by parameters, patterns and items of function bodies.

use super::values::{named, of_type, of_value};
use crate::record::OccurrenceKind;
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::values::{Known, children, span, text};
use crate::syntax::walk::{Frame, Walk};
use std::ops::Range;
use tree_sitter::{Node, Point};

const BLOCKS: &[&str] = &["block", "match_arm", "closure_expression", "function_item"];

const ITEMS: &[&str] = &[
    "function_item",
    "function_signature_item",
    "impl_item",
    "struct_item",
    "enum_item",
    "union_item",
    "trait_item",
    "type_item",
    "associated_type",
];

/// What a pattern takes apart.
#[derive(Clone, Copy)]
enum Source<'n> {
    Unknown,
    Known(Known<'n>),
    /// An instance of this type.
    Type(Node<'n>),
    /// The value of this expression.
    Value(Node<'n>),
    /// The elements of this expression, one after the other.
    Elements(Node<'n>),
}

impl<'n> Source<'n> {
    fn known(self, walk: &Walk<'_>) -> Option<Known<'n>> {
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
            Self::Type(node) if node.kind() == "tuple_type" => children(node)
                .get(at)
                .map_or(Self::Unknown, |part| Self::Type(*part)),
            Self::Value(node) if node.kind() == "tuple_expression" => children(node)
                .get(at)
                .map_or(Self::Unknown, |part| Self::Value(*part)),
            // `for (i, x) in xs.iter().enumerate()`, `for (k, v) in &map`.
            Self::Elements(node) if at == 1 && !pairs_up(walk, node) => self,
            _ => Self::Unknown,
        }
    }
}

/// Whether an iterator gives pairs of two of its own.
fn pairs_up(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let text = text(walk, node);
    [&b".zip("[..], b".windows(", b".map(", b".partition("]
        .iter()
        .any(|call| text.windows(call.len()).any(|window| window == *call))
}

/// Whether a name in a pattern is that of a constant or of a case, not one that it binds.
fn is_constant(name: &[u8]) -> bool {
    name.first().is_none_or(u8::is_ascii_uppercase)
}

/// Binds the names of a pattern.
fn bind<'t>(walk: &mut Walk<'t>, pattern: Node<'t>, scope: &Range<Point>, source: Source<'t>) {
    let mut open = vec![(pattern, source)];
    while let Some((node, source)) = open.pop() {
        match node.kind() {
            "identifier" if !is_constant(walk.text(node)) => {
                let clue = source.known(walk).map(Known::clue);
                walk.local(node, scope.clone(), clue);
            }
            "shorthand_field_identifier" => walk.local(node, scope.clone(), None),
            "mut_pattern" | "ref_pattern" | "reference_pattern" | "box_pattern" => {
                let last = node.named_child_count().saturating_sub(1);
                open.extend(node.named_child(last as u32).map(|inner| (inner, source)));
            }
            "captured_pattern" | "or_pattern" | "match_pattern" => {
                let parts =
                    (0..node.named_child_count()).filter_map(|i| node.named_child(i as u32));
                let condition = node.child_by_field_name("condition");
                open.extend(
                    parts
                        .filter(|part| Some(*part) != condition)
                        .map(|part| (part, source)),
                );
            }
            "tuple_pattern" => {
                let parts = children(node).into_iter().enumerate();
                open.extend(parts.map(|(i, part)| (part, source.part(walk, i))));
            }
            "tuple_struct_pattern" => {
                let case = node.child_by_field_name("type");
                let name = case.map_or(&b""[..], |case| walk.text(case));
                // What is in these is taken for the same value.
                let same = matches!(name, b"Some" | b"Ok") || name.ends_with(b"Ready");
                let inner = match source.known(walk) {
                    Some(known) if same => Source::Known(known),
                    _ => Source::Unknown,
                };
                let parts = children(node);
                let parts = parts.into_iter().filter(|part| Some(*part) != case);
                open.extend(parts.map(|part| (part, inner)));
            }
            "slice_pattern" => {
                open.extend(
                    children(node)
                        .into_iter()
                        .map(|part| (part, Source::Unknown)),
                );
            }
            "struct_pattern" => {
                let fields = children(node).into_iter();
                for field in fields.filter(|field| field.kind() == "field_pattern") {
                    let part = field.child_by_field_name("pattern");
                    let part = part.or_else(|| field.child_by_field_name("name"));
                    open.extend(part.map(|part| (part, Source::Unknown)));
                }
            }
            _ => {}
        }
    }
}

pub(super) fn let_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let Some(pattern) = node.child_by_field_name("pattern") else {
        return Visit::Descend;
    };
    let declared = node.child_by_field_name("type").filter(|declared| {
        // `Vec<_>` and `_` leave it to the value.
        of_type(walk, *declared).is_some() || declared.kind() == "tuple_type"
    });
    let source = match (declared, node.child_by_field_name("value")) {
        (Some(declared), _) => Source::Type(declared),
        (None, Some(value)) => Source::Value(value),
        (None, None) => Source::Unknown,
    };
    let scope = node.end_position()..walk.scope_within(BLOCKS).end;
    bind(walk, pattern, &scope, source);
    Visit::Descend
}

/// `if let`, `while let` and those in guards: bound until the block that depends on it ends.
pub(super) fn let_condition<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let owner = walk.stack.iter().rev().find_map(|frame| {
        let field = match frame.node.kind() {
            "if_expression" => "consequence",
            "while_expression" => "body",
            "match_arm" => "value",
            _ => return None,
        };
        frame.node.child_by_field_name(field)
    });
    if let (Some(pattern), Some(owner)) = (node.child_by_field_name("pattern"), owner) {
        let value = node.child_by_field_name("value");
        let scope = node.end_position()..owner.end_position();
        bind(
            walk,
            pattern,
            &scope,
            value.map_or(Source::Unknown, Source::Value),
        );
    }
    Visit::Descend
}

pub(super) fn match_arm<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let value = walk
        .ancestor(1)
        .and_then(|whole| whole.node.child_by_field_name("value"));
    if let Some(pattern) = node.child_by_field_name("pattern") {
        bind(
            walk,
            pattern,
            &span(node),
            value.map_or(Source::Unknown, Source::Value),
        );
    }
    Visit::Descend
}

pub(super) fn for_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let (Some(pattern), Some(value), Some(body)) = (
        node.child_by_field_name("pattern"),
        node.child_by_field_name("value"),
        node.child_by_field_name("body"),
    ) {
        bind(walk, pattern, &span(body), Source::Elements(value));
    }
    Visit::Descend
}

/// A parameter of a function, or one of a closure that says its type.
pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(pattern) = node.child_by_field_name("pattern") {
        let declared = node.child_by_field_name("type");
        let scope = walk.scope_within(&[
            "function_item",
            "function_signature_item",
            "closure_expression",
        ]);
        bind(
            walk,
            pattern,
            &scope,
            declared.map_or(Source::Unknown, Source::Type),
        );
    }
    Visit::Descend
}

pub(super) fn closure_parameters<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    _: &mut Frame<'t>,
) -> Visit {
    let scope = walk.scope_within(&["closure_expression"]);
    for pattern in children(node) {
        if pattern.kind() != "parameter" {
            bind(walk, pattern, &scope, Source::Unknown);
        }
    }
    Visit::Descend
}

/// `T: Bound` and `const N: usize` among the parameters of an item.
pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let clue = match node.kind() {
            "const_parameter" => Some(Clue::LITERAL),
            _ => node
                .child_by_field_name("bounds")
                .and_then(|bounds| of_type(walk, bounds))
                .map(Known::clue),
        };
        let scope = walk.scope_within(ITEMS);
        walk.local(name, scope, clue);
    }
    Visit::Descend
}

/// `where T: Bound` says of a parameter what its own place does not.
pub(super) fn where_predicate<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let item = walk.ancestor(1).map(|item| item.node);
    let parameters = item.and_then(|item| item.child_by_field_name("type_parameters"));
    if let (Some(item), Some(parameters), Some(left), Some(bounds)) = (
        item,
        parameters,
        node.child_by_field_name("left"),
        node.child_by_field_name("bounds"),
    ) && left.kind() == "type_identifier"
        && let Some(known) = of_type(walk, bounds)
    {
        let name = walk.text(left);
        let mut own = children(parameters).into_iter();
        let named = |parameter: Node<'t>| parameter.child_by_field_name("name");
        if own.any(|parameter| named(parameter).is_some_and(|own| walk.text(own) == name)) {
            walk.local(left, span(item), Some(known.clue()));
        }
    }
    Visit::Descend
}

/// A constant or static of a function body: known in all of the block.
pub(super) fn local_item<'t>(walk: &mut Walk<'t>, item: Node<'t>) {
    if let Some(name) = item.child_by_field_name("name") {
        let declared = item.child_by_field_name("type");
        let clue = declared
            .and_then(|declared| of_type(walk, declared))
            .map(Known::clue);
        let scope = walk.scope_within(BLOCKS);
        walk.local(name, scope, clue);
    }
}

/// `field: value` and `field` of a struct literal.
pub(super) fn field_initializer<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    _: &mut Frame<'t>,
) -> Visit {
    let object = walk
        .ancestor(1)
        .and_then(|literal| literal.node.child_by_field_name("name"))
        .and_then(|name| named(walk, name))
        .map(Known::clue);
    match node.child_by_field_name("field") {
        Some(field) if field.kind() == "field_identifier" => {
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
    Visit::Descend
}

/// `field: pattern` and `field` of a struct pattern. The latter binds a name as well.
pub(super) fn field_pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let object = walk
        .ancestor(0)
        .and_then(|pattern| pattern.node.child_by_field_name("type"))
        .and_then(|name| named(walk, name))
        .map(Known::clue);
    if let Some(name) = node.child_by_field_name("name") {
        match name.kind() {
            "field_identifier" => walk.field_name(name, OccurrenceKind::Read, object),
            "shorthand_field_identifier" => walk.field_name(name, OccurrenceKind::Write, object),
            _ => {}
        }
    }
    Visit::Descend
}
