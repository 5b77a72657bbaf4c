//! Java: what types and expressions say of values.

use crate::syntax::prelude::*;

/// Types of `java.lang` that stand for values of the language.
const BUILT_IN: &[&[u8]] = byte_words!(
    "Boolean Byte CharSequence Character Double Float Integer Long Number Object Short String
     StringBuilder Void"
);

static CONTAINERS: Containers = Containers {
    wrappers: byte_words!(
        "CompletableFuture CompletionStage Future ListenableFuture Mono Optional"
    ),
    collections: byte_words!(
        "ArrayDeque ArrayList Collection CopyOnWriteArrayList Deque Enumeration Flux HashSet
         ImmutableList ImmutableSet Iterable Iterator LinkedHashSet LinkedList List
         ListIterator PriorityQueue Queue Set SortedSet Stack Stream TreeSet Vector"
    ),
    maps: byte_words!(
        "ConcurrentHashMap ConcurrentMap EnumMap HashMap ImmutableMap LinkedHashMap Map
         NavigableMap SortedMap TreeMap"
    ),
    cells: &[
        (
            byte_words!(
                "AtomicReference BinaryOperator Callable Supplier ThreadLocal UnaryOperator"
            ),
            0,
        ),
        (byte_words!("Function"), 1),
        (byte_words!("BiFunction"), 2),
    ],
    entries: byte_words!("Entry"),
};

/// What paths of types of the language itself begin with.
const LIBRARIES: &[&[u8]] = byte_words!("java javax");

/// What an instance of a type is.
pub(super) fn of_type(walk: &Walk<'_>, mut node: Node<'_>) -> Option<Hint> {
    let mut nested = Holding::default();
    for _ in 0..MAX_STEPS {
        node = match node.kind_name() {
            "type_identifier" | "identifier" => {
                return match walk.text(node) {
                    b"var" => None,
                    name if BUILT_IN.contains(&name) => Some(Hint::LITERAL),
                    _ => nested.of(Hint::instance(node)),
                };
            }
            "integral_type" | "floating_point_type" | "boolean_type" | "void_type" => {
                return Some(Hint::LITERAL);
            }
            "array_type" => {
                nested.deeper();
                node.field("element")?
            }
            "annotated_type" => node.content().pop()?,
            "scoped_type_identifier" => {
                let last = node.content().pop()?;
                match may_be_own(walk.text(node), LIBRARIES) {
                    true => last,
                    false => return nested.of(Hint::instance(last)),
                }
            }
            "scoped_identifier" => node.field("name")?,
            // `? extends T`, a catch of one type, a bound.
            "wildcard" | "catch_type" | "type_bound" => {
                let types = node.content();
                if node.kind_name() == "catch_type" && types.len() > 1 {
                    return None;
                }
                if node.kind_name() == "type_bound" {
                    *types.first()?
                } else {
                    *types.last()?
                }
            }
            "generic_type" => {
                let parts = node.content();
                let mut base = *parts.first()?;
                if base.kind_name() == "scoped_type_identifier" {
                    let is_entry = walk.text(base) == b"Map.Entry";
                    let may_be_own = is_entry || may_be_own(walk.text(base), LIBRARIES);
                    base = base.content().pop()?;
                    if !may_be_own {
                        return nested.of(Hint::instance(base));
                    }
                }
                let arguments = parts.last().map_or_else(Vec::new, |list| list.content());
                let name = walk.text(base);
                let is_own = CONTAINERS.is_cell(name) && !is_library(walk, name);
                match nested.enter(&CONTAINERS, name) {
                    Some(at) if !is_own => *arguments.get(at as usize)?,
                    Some(_) => return Some(Hint::instance(base)),
                    None => base,
                }
            }
            _ => return None,
        };
    }
    None
}

/// Whether a name is that of a type of the library, which has to be imported but for what is always there.
fn is_library(walk: &Walk<'_>, name: &[u8]) -> bool {
    name == b"ThreadLocal" || walk.imports_of(LIBRARIES, name)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "string_literal character_literal decimal_integer_literal hex_integer_literal
     decimal_floating_point_literal true false class_literal lambda_expression
     method_reference binary_expression unary_expression instanceof_expression"
);

/// What an expression is.
pub(super) fn of_value(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
}

/// The branches of a `switch` that give something.
fn branches<'t>(walk: &Walk<'_>, node: Node<'t>) -> Option<Vec<Node<'t>>> {
    let body = node.field("body").filter(|body| !body.is_wide())?;
    let mut all = Vec::new();
    for rule in body.all_of("switch_rule") {
        let given = rule.last_named()?;
        match given.kind_name() {
            "throw_statement" => {}
            "expression_statement" => all.extend(given.named_child(0)),
            _ => return None,
        }
    }
    all.retain(|given| walk.text(*given) != b"null");
    Some(all)
}

fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: usize) -> Option<Hint> {
    let mut elements = 0;
    for left in (0..steps).rev() {
        node = match node.kind_name() {
            "identifier" => return Hint::value(node).nested_element(elements),
            "this" => return Hint::THIS.nested_element(elements),
            "field_access" => {
                let field = node.field("field")?;
                if field.kind_name() != "identifier" {
                    return None;
                }
                return Hint::value(field).nested_element(elements);
            }
            "method_invocation" => {
                let name = node.field("name")?;
                match (walk.text(name), node.field("object")) {
                    // What an Optional or a Future holds.
                    (b"orElse" | b"orElseGet" | b"orElseThrow" | b"join", Some(object)) => object,
                    (b"requireNonNull", _) => node.field("arguments")?.named_child(0)?,
                    (b"toString" | b"hashCode", _) => return Some(Hint::LITERAL),
                    _ => return Hint::result(name).nested_element(elements),
                }
            }
            // A copy of a collection.
            "object_creation_expression" if is_copy(walk, node) => {
                node.field("arguments")?.named_child(0)?
            }
            "object_creation_expression" | "cast_expression" => {
                return of_type(walk, node.field("type")?)?.nested_element(elements);
            }
            "array_creation_expression" => {
                let made = of_type(walk, node.field("type")?)?;
                return made.collections(1)?.nested_element(elements);
            }
            "array_access" => {
                elements += 1;
                node.field("array")?
            }
            "parenthesized_expression" => node.named_child(0)?,
            "assignment_expression" => node.field("right")?,
            "switch_expression" => {
                let all = branches(walk, node)?.into_iter();
                let made = alike(walk, all.map(|one| (one, value(walk, one, left))))?;
                let is_made = !matches!(made.kind, HintKind::Value | HintKind::Element);
                return is_made.then_some(made)?.nested_element(elements);
            }
            "ternary_expression" => {
                let first = node.field("consequence")?;
                if first.kind_name() == "null_literal" {
                    node.field("alternative")?
                } else {
                    first
                }
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        };
    }
    None
}

/// `new ArrayList<>(users)`
fn is_copy(walk: &Walk<'_>, made: Node<'_>) -> bool {
    let of = made.field_of("type", "generic_type");
    let name = of.and_then(|of| of.named_child(0));
    let is_open = of.is_some_and(|of| walk.text(of).ends_with(b"<>"));
    let arguments = made.field("arguments");
    let given = arguments.and_then(|given| given.named_child(0));
    is_open
        && given.is_some_and(|given| !LITERALS.contains(&given.kind_name()))
        && CONTAINERS.has_elements(walk.text_of(name))
}

/// Calls that give the elements of what they are called on.
const OVER_ELEMENTS: &[&[u8]] = byte_words!(
    "distinct dropWhile filter iterator limit parallel parallelStream peek reversed sequential skip sorted stream
     subList takeWhile values"
);

/// What an element of an expression is.
pub(super) fn elements_of(walk: &Walk<'_>, mut node: Node<'_>) -> Option<Hint> {
    for _ in 0..MAX_STEPS {
        let inner = match node.kind_name() {
            "parenthesized_expression" => node.named_child(0),
            "method_invocation" if OVER_ELEMENTS.contains(&walk.text_of(node.field("name"))) => {
                node.field("object")
            }
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    of_value(walk, node)?.nested_element(1)
}

/// What is declared with a type or, where that is `var`, by its value.
pub(super) fn of_declared(
    walk: &Walk<'_>,
    declared: Option<Node<'_>>,
    value: Option<Node<'_>>,
) -> Option<Hint> {
    let declared = declared?;
    if walk.text(declared) == b"var" {
        of_value(walk, value?)
    } else {
        of_type(walk, declared)
    }
}
