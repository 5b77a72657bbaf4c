//! Parameters, variables, and what expressions and types of C# say of values.

use crate::syntax::prelude::*;

/// What a parameter or type parameter may belong to.
const OWNERS: &[&str] = words!(
    "method_declaration constructor_declaration local_function_statement lambda_expression
     anonymous_method_expression delegate_declaration indexer_declaration operator_declaration
     conversion_operator_declaration class_declaration struct_declaration record_declaration
     interface_declaration"
);

/// Where a variable is known.
const BLOCKS: &[&str] = words!(
    "block switch_section for_statement using_statement fixed_statement lambda_expression
     arrow_expression_clause"
);

/// What an expression says of its own value.
pub(super) fn hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
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
            | "member_binding_expression" => name.field("name")?,
            "conditional_access_expression" => name.last_named()?,
            _ => return None,
        };
    }
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "string_literal verbatim_string_literal raw_string_literal interpolated_string_expression
     integer_literal real_literal boolean_literal character_literal lambda_expression
     anonymous_method_expression typeof_expression is_expression is_pattern_expression
     collection_expression"
);

fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: usize) -> Option<Hint> {
    for left in (0..steps).rev() {
        match node.kind() {
            "parenthesized_expression"
            | "await_expression"
            | "checked_expression"
            | "with_expression"
            | "postfix_unary_expression" => node = node.named_child(0)?,
            "assignment_expression" => node = node.field("right")?,
            "conditional_expression" => node = node.field("consequence")?,
            "binary_expression" => {
                if node.field("operator")?.kind() != "??" {
                    return Some(Hint::LITERAL);
                }
                node = node.field("left")?;
            }
            "this" | "base" => return Some(Hint::THIS),
            "identifier"
            | "generic_name"
            | "member_access_expression"
            | "conditional_access_expression"
            | "qualified_name" => {
                return Some(Hint::value(simple(node)?));
            }
            "invocation_expression" => {
                let name = simple(node.field("function")?)?;
                return Some(Hint::result(name));
            }
            // Also of `new`: a type that is named nowhere is from outside, what a call of such a name gives may not be.
            "object_creation_expression"
            | "cast_expression"
            | "array_creation_expression"
            | "default_expression" => {
                return of_type(walk, node.field("type")?);
            }
            "as_expression" => return of_type(walk, node.field("right")?),
            "element_access_expression" => {
                return value(walk, node.field("expression")?, left)?.element();
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        }
    }
    None
}

static CONTAINERS: Containers = Containers {
    wrappers: byte_words!("Task ValueTask Nullable Lazy"),
    collections: byte_words!(
        "List IList IEnumerable IAsyncEnumerable ICollection IReadOnlyList
         IReadOnlyCollection HashSet ISet Queue Stack Collection ObservableCollection
         ImmutableArray ImmutableList Span ReadOnlySpan"
    ),
    maps: byte_words!(
        "Dictionary IDictionary IReadOnlyDictionary ConcurrentDictionary SortedDictionary
         ImmutableDictionary"
    ),
};

/// What a type says of its instances.
fn of_type(walk: &Walk<'_>, mut node: Node<'_>) -> Option<Hint> {
    let mut collections = 0;
    for _ in 0..MAX_STEPS {
        match node.kind() {
            "predefined_type" => return Hint::LITERAL.collections(collections),
            "nullable_type" | "ref_type" | "scoped_type" | "pointer_type" => {
                node = node.field("type")?;
            }
            "array_type" => {
                node = node.field("type")?;
                collections += 1;
            }
            "identifier" | "qualified_name" | "alias_qualified_name" | "generic_name" => {
                let name = simple(node)?;
                let arguments = name
                    .next_named_sibling()
                    .filter(|list| list.kind() == "type_argument_list");
                let argument = |at| arguments?.named_child(at);
                let held = CONTAINERS.held(walk.text(name));
                let Some((inner, levels)) =
                    held.and_then(|(at, levels)| Some((argument(at)?, levels)))
                else {
                    return Hint::instance(name).collections(collections);
                };
                (node, collections) = (inner, collections + levels);
            }
            _ => return None,
        }
    }
    None
}

/// What the type in a field of a node says.
pub(super) fn type_hint(walk: &Walk<'_>, node: Node<'_>, field: &str) -> Option<Hint> {
    of_type(walk, node.field(field)?)
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.field("name") {
        let hint = type_hint(walk, node, "type");
        walk.local_in(OWNERS, name, hint);
    }
}

/// `x => ...`: the parameter is the list.
pub(super) fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.field_of("parameters", "implicit_parameter") {
        walk.local(name, node.span(), None);
    }
}

pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        walk.local_in(OWNERS, name, None);
    }
}

/// A variable of a block; those of a class are fields.
pub(super) fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let kind = |up| walk.kind_above(up);
    if matches!(kind(1), "field_declaration" | "event_field_declaration") {
        return;
    }
    let Some(name) = node.field("name") else {
        return;
    };
    let declared = walk.above(0);
    let hint = declared
        .and_then(|declared| type_hint(walk, declared, "type"))
        .or_else(|| {
            let value = node.named().last()?;
            (value != name).then(|| hint(walk, value))?
        });
    let scope = walk.scope_from(node.start_position(), BLOCKS);
    walk.local(name, scope, hint);
}

/// Names bound by patterns and `out` arguments.
pub(super) fn designation<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let hint = type_hint(walk, node, "type");
    let scope = walk.scope_from(node.start_position(), BLOCKS);
    let names: Vec<_> = node.fields_of("name", "identifier").collect();
    walk.locals(names, &scope, hint);
}

pub(super) fn foreach<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field_of("left", "identifier") {
        let hint =
            type_hint(walk, node, "type").or_else(|| hint(walk, node.field("right")?)?.element());
        walk.local(name, node.span(), hint);
    }
}

pub(super) fn caught<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let hint = type_hint(walk, node, "type");
        walk.local_in(&["catch_clause"], name, hint);
    }
}

/// `from x in xs`, in a query.
pub(super) fn from<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let items = node.named().last();
        let hint = type_hint(walk, node, "type")
            .or_else(|| hint(walk, items.filter(|items| *items != name)?)?.element());
        walk.local_in(&["query_expression"], name, hint);
    }
}
