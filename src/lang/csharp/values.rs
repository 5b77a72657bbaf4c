//! Parameters, variables, and what expressions and types of C# say of values.

use super::handed::parts;
use crate::syntax::prelude::*;

/// What a parameter or type parameter may belong to.
const OWNERS: &[&str] = words!(
    "method_declaration constructor_declaration local_function_statement lambda_expression
     anonymous_method_expression delegate_declaration indexer_declaration operator_declaration
     conversion_operator_declaration class_declaration struct_declaration record_declaration
     interface_declaration"
);

/// Where a variable is known.
pub(super) const BLOCKS: &[&str] = words!(
    "block switch_section for_statement using_statement fixed_statement lambda_expression
     arrow_expression_clause"
);

/// What an expression says of its own value.
pub(super) fn hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
}

/// The identifier of a name with or without type arguments, the last one of a path.
pub(super) fn simple(mut name: Node<'_>) -> Option<Node<'_>> {
    loop {
        name = match name.kind_name() {
            "identifier" => return Some(name),
            "generic_name" => {
                let plain = name.named_child(0);
                return plain.filter(|name| name.kind_name() == "identifier");
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
        match node.kind_name() {
            "parenthesized_expression"
            | "await_expression"
            | "checked_expression"
            | "with_expression"
            | "postfix_unary_expression" => node = node.named_child(0)?,
            "assignment_expression" => node = node.field("right")?,
            "conditional_expression" => node = node.field("consequence")?,
            "binary_expression" => {
                if node.field("operator")?.kind_name() != "??" {
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
            "implicit_array_creation_expression" => {
                let items = node.part(&["initializer_expression"])?;
                let items = items.named().filter(|item| !item.is_extra());
                return list_of(walk, items, |item| value(walk, item, left));
            }
            "switch_expression" => {
                let arms = branches(walk, node)?.into_iter();
                let made = alike(walk, arms.map(|one| (one, value(walk, one, left))))?;
                let is_made = !matches!(made.kind, HintKind::Value | HintKind::Element);
                return is_made.then_some(made);
            }
            "query_expression" => {
                let select = node
                    .last_named()
                    .filter(|last| last.kind_name() == "select_clause")?;
                return value(walk, select.named_child(0)?, left)?.listed();
            }
            "element_access_expression" => {
                return value(walk, node.field("expression")?, left)?.element();
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        }
    }
    None
}

/// The arms of a `switch` that give something.
fn branches<'t>(walk: &Walk<'_>, node: Node<'t>) -> Option<Vec<Node<'t>>> {
    let mut all = Vec::new();
    if node.is_wide() {
        return None;
    }
    for arm in node.all_of("switch_expression_arm") {
        let given = arm.last_named()?;
        let is_none = given.kind_name() == "throw_expression" || walk.text(given) == b"null";
        all.extend((!is_none).then_some(given));
    }
    Some(all)
}

static CONTAINERS: Containers = Containers {
    wrappers: byte_words!("Task ValueTask Nullable"),
    cells: &[(byte_words!("Lazy"), 0)],
    collections: byte_words!(
        "List IList IQueryable IEnumerable IAsyncEnumerable ICollection IReadOnlyList
         IReadOnlyCollection HashSet ISet Queue Stack Collection ObservableCollection
         ImmutableArray ImmutableList Span ReadOnlySpan"
    ),
    maps: byte_words!(
        "Dictionary IDictionary IReadOnlyDictionary ConcurrentDictionary SortedDictionary
         ImmutableDictionary"
    ),
    entries: byte_words!("KeyValuePair"),
};

/// A function that gives an instance of a type, where that is a named one.
fn gives_one(walk: &Walk<'_>, gives: Node<'_>, steps: usize) -> Hint {
    match type_within(walk, gives, steps) {
        Some(gives) if gives.kind == HintKind::Type => gives.with(HintKind::Gives),
        _ => Hint::LITERAL,
    }
}

/// What a type says of its instances.
pub(super) fn of_type(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    type_within(walk, node, MAX_STEPS)
}

fn type_within(walk: &Walk<'_>, mut node: Node<'_>, steps: usize) -> Option<Hint> {
    let mut collections = Holding::default();
    for left in (0..steps).rev() {
        match node.kind_name() {
            "predefined_type" => return collections.of(Hint::LITERAL),
            "nullable_type" | "ref_type" | "scoped_type" | "pointer_type" => {
                node = node.field("type")?;
            }
            "array_type" => {
                node = node.field("type")?;
                collections.deeper();
            }
            "identifier" | "qualified_name" | "alias_qualified_name" | "generic_name" => {
                let name = simple(node)?;
                let arguments = name
                    .next_named_sibling()
                    .filter(|list| list.kind_name() == "type_argument_list");
                let argument = |at| arguments?.named_child(at);
                if walk.text(name) == b"Func" {
                    let gives = arguments.and_then(NodeExt::last_named);
                    return collections.of(gives_one(walk, gives?, left));
                }
                let plain = collections;
                let held = collections.enter(&CONTAINERS, walk.text(name));
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

/// What the type in a field of a node says.
pub(super) fn type_hint(walk: &Walk<'_>, node: Node<'_>, field: &str) -> Option<Hint> {
    of_type(walk, node.field(field)?)
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.field("name") {
        let handed = || {
            let (list, lambda) = (walk.above(0)?, walk.above(1)?);
            if lambda.kind_name() != "lambda_expression" || list.is_wide() {
                return None;
            }
            let at = list.named().position(|parameter| parameter == node)?;
            let handed = (at == 0).then(|| handed_over(walk, lambda, 2)).flatten();
            handed.or_else(|| declared(walk, at, 2))
        };
        let hint = match node.field("type") {
            Some(declared) => of_type(walk, declared),
            None => handed(),
        };
        walk.local_in(OWNERS, name, hint);
        if node.part(&["="]).is_some() {
            walk.receiver(name.start_position(), Hint::PRESET);
        }
    }
}

/// `params string[] names` stands in the list itself.
pub(super) fn rest<'t>(walk: &mut Walk<'t>, list: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = list.field("name") {
        let hint = list
            .field("type")
            .and_then(|declared| of_type(walk, declared));
        walk.local_in(OWNERS, name, hint);
        walk.receiver(name.start_position(), Hint::REST);
    }
}

/// Calls that hand each element of the collection they are called on to a function, as its first parameter.
const HAND_OVER: &[&[u8]] = byte_words!(
    "All AllAsync Any AnyAsync Average Count CountAsync DistinctBy Exists Find FindAll FindIndex FindLast First FirstAsync
     FirstOrDefault FirstOrDefaultAsync ForEach GroupBy Last LastOrDefault LongCount Max MaxBy Min MinBy OrderBy
     OrderByDescending RemoveAll RemoveWhere Select SelectMany Single SingleAsync SingleOrDefault SingleOrDefaultAsync
     SkipWhile Sum TakeWhile ThenBy ThenByDescending ToDictionary ToHashSet ToLookup TrueForAll Where"
);

/// `x => ...`: the parameter is the list. One without a type is what the call of a collection hands over.
pub(super) fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.field_of("parameters", "implicit_parameter") {
        let hint = handed_over(walk, node, 0).or_else(|| declared(walk, 0, 0));
        walk.local(name, node.span(), hint);
    }
}

/// Types of functions, whose arguments are the types of what they take.
const FUNCTION_TYPES: &[&[u8]] =
    byte_words!("Func Action Predicate Converter Comparison EventHandler");

/// What a parameter of a lambda is by the type that is declared for the lambda: `Func<Dog, int> age = dog => dog.Age`, and
/// what a method or property of such a type gives. `up` nodes lie between the lambda and the one being entered.
fn declared(walk: &Walk<'_>, parameter: usize, up: usize) -> Option<Hint> {
    let holder = walk.above(up)?;
    let mut known = match holder.kind_name() {
        "variable_declarator" => walk.above(up + 1)?.field("type")?,
        "property_declaration" => holder.field("type")?,
        "return_statement" | "arrow_expression_clause" => {
            let mut outwards = walk.stack.iter().rev().skip(up + 1).map(|frame| frame.node);
            let member = outwards.find(|node| {
                OWNERS.contains(&node.kind_name()) || node.kind_name() == "property_declaration"
            })?;
            member.field("returns").or_else(|| member.field("type"))?
        }
        _ => return None,
    };
    for _ in 0..MAX_STEPS {
        let name = simple(known)?;
        let list = name.next_named_sibling()?;
        if walk.text(name) == b"Expression" {
            known = list.named_child(0)?;
            continue;
        }
        let at = match walk.text(name) {
            b"Comparison" => 0,
            b"EventHandler" if parameter == 1 => 0,
            b"EventHandler" => return None,
            _ => parameter,
        };
        // The last argument of a `Func` is what it gives.
        let given = usize::from(walk.text(name) == b"Func");
        let takes = at + given < list.named_child_count();
        let is_function = takes && FUNCTION_TYPES.contains(&walk.text(name));
        return is_function.then(|| of_type(walk, list.named_child(at as u32)?))?;
    }
    None
}

/// What the call that a lambda is an argument of hands to it. `up` nodes lie between the lambda and the one being entered.
fn handed_over(walk: &Walk<'_>, lambda: Node<'_>, up: usize) -> Option<Hint> {
    let call = walk.above(up + 2)?;
    if walk.kind_above(up) != "argument" || call.kind_name() != "invocation_expression" {
        return None;
    }
    let (name, object) = parts(call)?;
    let is_first = walk.above(up + 1)?.named_child(0) == walk.above(up);
    let is_of_it = lambda.start_byte() > object.end_byte();
    let goes_over = HAND_OVER.contains(&walk.text(name));
    (is_first && is_of_it && goes_over).then(|| hint(walk, object)?.each())?
}

pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        walk.local_in(OWNERS, name, None);
        if matches!(
            walk.kind_above(1),
            "method_declaration" | "local_function_statement"
        ) {
            walk.receiver(name.start_position(), Hint::TYPE_PARAMETER);
        }
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
    let value = node.named().last().filter(|value| *value != name);
    let hint = declared
        .and_then(|declared| type_hint(walk, declared, "type"))
        .or_else(|| hint(walk, value?));
    let scope = walk.scope_from(node.start_position(), BLOCKS);
    walk.local(name, scope, hint);
}

/// Names bound by patterns and `out` arguments.
pub(super) fn designation<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let hint = type_hint(walk, node, "type").or_else(|| taken_out(walk));
    let scope = walk.scope_from(node.start_position(), BLOCKS);
    let names: Vec<_> = node.fields_of("name", "identifier").collect();
    walk.locals(names, &scope, hint);
}

/// Methods that hand an element out.
const HAND_OUT: &[&[u8]] = byte_words!("TryDequeue TryGetValue TryPeek TryPop TryRemove TryTake");

/// What `out var` of a call is that hands an element out: `all.TryGetValue(key, out var found)`.
fn taken_out(walk: &Walk<'_>) -> Option<Hint> {
    let call = walk.above(2).filter(|_| walk.kind_above(0) == "argument")?;
    let (name, object) = parts(call)?;
    HAND_OUT
        .contains(&walk.text(name))
        .then(|| hint(walk, object)?.element())?
}

pub(super) fn foreach<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field_of("left", "identifier") {
        let hint =
            type_hint(walk, node, "type").or_else(|| hint(walk, node.field("right")?)?.each());
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
            .or_else(|| hint(walk, items.filter(|items| *items != name)?)?.each());
        walk.local_in(&["query_expression"], name, hint);
    }
}

/// `new Dog { Name = value }` and `dog with { Name = value }`: the name is a member of what is made. Of an object whose type
/// is not written (`new() { .. }`) it is that of the variable, where it is declared.
pub(super) fn initialized<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node.field_of("left", "identifier");
    let (Some(name), Some(made)) = (name, walk.above(1)) else {
        return;
    };
    if walk.kind_above(0) != "initializer_expression" {
        return;
    }
    let hint = match made.kind_name() {
        "object_creation_expression" => type_hint(walk, made, "type"),
        "implicit_object_creation_expression" => walk.above(2).and_then(|holder| {
            let declaration = match holder.kind_name() {
                "variable_declarator" => walk.above(3)?,
                _ => holder,
            };
            type_hint(walk, declaration, "type")
        }),
        // `Owner = { Name = value }`
        "assignment_expression" => {
            let left = made.field("left");
            left.and_then(|left| hint(walk, left))
        }
        _ => return,
    };
    walk.member_name(name, Write, hint);
}

pub(super) fn changed<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let changed = walk.above(0).and_then(|with| with.named_child(0));
    if let Some(name) = node.named_of("identifier") {
        let hint = changed.and_then(|changed| hint(walk, changed));
        walk.member_name(name, Write, hint);
    }
}

/// `new { Name = value }`: the names are those of a type that nothing else names.
pub(super) fn anonymous<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let mut parts = node.parts().peekable();
    while let Some(name) = parts.next() {
        if name.kind_name() == "identifier"
            && parts.peek().is_some_and(|next| next.kind_name() == "=")
        {
            walk.pass_over(name);
        }
    }
}
