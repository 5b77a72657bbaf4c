//! Parameters, variables, and what expressions and types of C# say of values.

use crate::record::Flow;
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::sources::{MAX_STEPS, Source};
use crate::syntax::walk::{Frame, Walk};
use tree_sitter::Node;

/// What a parameter or type parameter may belong to.
const OWNERS: &[&str] = &[
    "method_declaration",
    "constructor_declaration",
    "local_function_statement",
    "lambda_expression",
    "anonymous_method_expression",
    "delegate_declaration",
    "indexer_declaration",
    "operator_declaration",
    "conversion_operator_declaration",
    "class_declaration",
    "struct_declaration",
    "record_declaration",
    "interface_declaration",
];

/// Where a variable is known.
const BLOCKS: &[&str] = &[
    "block",
    "switch_section",
    "for_statement",
    "using_statement",
    "fixed_statement",
    "lambda_expression",
    "arrow_expression_clause",
];

pub(super) fn clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    source(walk, node, MAX_STEPS).map(Source::clue)
}

/// The identifier of a name with or without type arguments, the last one of a path.
fn simple(mut name: Node<'_>) -> Option<Node<'_>> {
    loop {
        name = match name.kind() {
            "identifier" => return Some(name),
            "generic_name" => {
                let plain = name.named_child(0);
                return plain.filter(|name| name.kind() == "identifier");
            }
            "qualified_name"
            | "alias_qualified_name"
            | "member_access_expression"
            | "member_binding_expression" => name.child_by_field_name("name")?,
            "conditional_access_expression" => {
                let last = name.named_child_count().checked_sub(1)?;
                name.named_child(last as u32)?
            }
            _ => return None,
        };
    }
}

fn source<'t>(walk: &Walk<'_>, mut node: Node<'t>, steps: usize) -> Option<Source<'t>> {
    for left in (0..steps).rev() {
        match node.kind() {
            "parenthesized_expression"
            | "await_expression"
            | "checked_expression"
            | "with_expression"
            | "postfix_unary_expression" => node = node.named_child(0)?,
            "assignment_expression" => node = node.child_by_field_name("right")?,
            "conditional_expression" => node = node.child_by_field_name("consequence")?,
            "binary_expression" => {
                if node.child_by_field_name("operator")?.kind() != "??" {
                    return Some(Source::Literal);
                }
                node = node.child_by_field_name("left")?;
            }
            "this" | "base" => return Some(Source::This),
            "identifier"
            | "generic_name"
            | "member_access_expression"
            | "conditional_access_expression"
            | "qualified_name" => {
                return Some(Source::Of(Flow::Value, simple(node)?));
            }
            "invocation_expression" => {
                let name = simple(node.child_by_field_name("function")?)?;
                return Some(Source::Of(Flow::Result, name));
            }
            "object_creation_expression" => {
                let name = simple(node.child_by_field_name("type")?)?;
                return Some(Source::Of(Flow::Result, name));
            }
            "cast_expression" | "array_creation_expression" | "default_expression" => {
                return type_source(walk, node.child_by_field_name("type")?);
            }
            "as_expression" => return type_source(walk, node.child_by_field_name("right")?),
            "element_access_expression" => {
                return source(walk, node.child_by_field_name("expression")?, left)?.element();
            }
            "string_literal"
            | "verbatim_string_literal"
            | "raw_string_literal"
            | "interpolated_string_expression"
            | "integer_literal"
            | "real_literal"
            | "boolean_literal"
            | "character_literal"
            | "lambda_expression"
            | "anonymous_method_expression"
            | "typeof_expression"
            | "is_expression"
            | "is_pattern_expression"
            | "collection_expression" => return Some(Source::Literal),
            _ => return None,
        }
    }
    None
}

/// Types that stand for the one value in them.
const WRAPPERS: &[&[u8]] = &[b"Task", b"ValueTask", b"Nullable", b"Lazy"];

const COLLECTIONS: &[&[u8]] = &[
    b"List",
    b"IList",
    b"IEnumerable",
    b"IAsyncEnumerable",
    b"ICollection",
    b"IReadOnlyList",
    b"IReadOnlyCollection",
    b"HashSet",
    b"ISet",
    b"Queue",
    b"Stack",
    b"Collection",
    b"ObservableCollection",
    b"ImmutableArray",
    b"ImmutableList",
    b"Span",
    b"ReadOnlySpan",
];

const MAPS: &[&[u8]] = &[
    b"Dictionary",
    b"IDictionary",
    b"IReadOnlyDictionary",
    b"ConcurrentDictionary",
    b"SortedDictionary",
    b"ImmutableDictionary",
];

fn type_source<'t>(walk: &Walk<'_>, mut node: Node<'t>) -> Option<Source<'t>> {
    let mut collections = 0;
    for _ in 0..MAX_STEPS {
        match node.kind() {
            "predefined_type" => return Source::Literal.collections(collections),
            "nullable_type" | "ref_type" | "scoped_type" | "pointer_type" => {
                node = node.child_by_field_name("type")?;
            }
            "array_type" => {
                node = node.child_by_field_name("type")?;
                collections += 1;
            }
            "identifier" | "qualified_name" | "alias_qualified_name" | "generic_name" => {
                let name = simple(node)?;
                let text = walk.src.get(name.byte_range()).unwrap_or(b"");
                let arguments = name
                    .next_named_sibling()
                    .filter(|list| list.kind() == "type_argument_list");
                let argument = |at: u32| arguments.and_then(|list| list.named_child(at));
                if let Some(first) = argument(0) {
                    if WRAPPERS.contains(&text) {
                        node = first;
                        continue;
                    }
                    if COLLECTIONS.contains(&text) {
                        (node, collections) = (first, collections + 1);
                        continue;
                    }
                    if let Some(value) = argument(1).filter(|_| MAPS.contains(&text)) {
                        (node, collections) = (value, collections + 1);
                        continue;
                    }
                }
                return Source::Of(Flow::Type, name).collections(collections);
            }
            _ => return None,
        }
    }
    None
}

/// What the type in a field of a node says.
pub(super) fn type_clue(walk: &Walk<'_>, node: Node<'_>, field: &str) -> Option<Clue> {
    type_source(walk, node.child_by_field_name(field)?).map(Source::clue)
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.child_by_field_name("name") {
        let clue = type_clue(walk, node, "type");
        let scope = walk.scope_within(OWNERS);
        walk.local(name, scope, clue);
    }
}

/// `x => ...`: the parameter is the list.
pub(super) fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node
        .child_by_field_name("parameters")
        .filter(|name| name.kind() == "implicit_parameter")
    {
        walk.local(name, node.start_position()..node.end_position(), None);
    }
}

pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let scope = walk.scope_within(OWNERS);
        walk.local(name, scope, None);
    }
    Visit::Descend
}

/// A variable of a block; those of a class are fields.
pub(super) fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let kind = |up| walk.ancestor(up).map_or("", |above| above.node.kind());
    if matches!(kind(1), "field_declaration" | "event_field_declaration") {
        return Visit::Descend;
    }
    let Some(name) = node.child_by_field_name("name") else {
        return Visit::Descend;
    };
    let declared = walk.ancestor(0).map(|above| above.node);
    let clue = declared
        .and_then(|declared| type_clue(walk, declared, "type"))
        .or_else(|| {
            let mut cursor = node.walk();
            let value = node.named_children(&mut cursor).last()?;
            (value != name).then(|| clue(walk, value))?
        });
    let mut scope = walk.scope_within(BLOCKS);
    scope.start = node.start_position();
    walk.local(name, scope, clue);
    Visit::Descend
}

/// Names bound by patterns and `out` arguments.
pub(super) fn designation<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let clue = type_clue(walk, node, "type");
    let mut scope = walk.scope_within(BLOCKS);
    scope.start = node.start_position();
    let mut cursor = node.walk();
    let names: Vec<_> = node
        .children_by_field_name("name", &mut cursor)
        .filter(|name| name.kind() == "identifier")
        .collect();
    for name in names {
        walk.local(name, scope.clone(), clue);
    }
    Visit::Descend
}

pub(super) fn foreach<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = node
        .child_by_field_name("left")
        .filter(|name| name.kind() == "identifier")
    {
        let clue = type_clue(walk, node, "type").or_else(|| {
            let items = source(walk, node.child_by_field_name("right")?, MAX_STEPS)?;
            Some(items.element()?.clue())
        });
        walk.local(name, node.start_position()..node.end_position(), clue);
    }
    Visit::Descend
}

pub(super) fn caught<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let clue = type_clue(walk, node, "type");
        let scope = walk.scope_within(&["catch_clause"]);
        walk.local(name, scope, clue);
    }
    Visit::Descend
}

/// `from x in xs`, in a query.
pub(super) fn from<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let mut cursor = node.walk();
        let items = node.named_children(&mut cursor).last();
        let clue = type_clue(walk, node, "type").or_else(|| {
            let items = source(walk, items.filter(|items| *items != name)?, MAX_STEPS)?;
            Some(items.element()?.clue())
        });
        let scope = walk.scope_within(&["query_expression"]);
        walk.local(name, scope, clue);
    }
    Visit::Descend
}
