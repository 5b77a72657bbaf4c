//! What Python expressions and annotations say of values.

use crate::record::{Flow, SymbolKind};
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::walk::{Frame, Scope, Walk, is_name};
use tree_sitter::Node;

/// Expressions looked through to find a value: `(a or b)[0]` are three. A bound on time, since
/// every member access asks.
const MAX_STEPS: u8 = 8;

/// Built-in types and functions whose results have no members of the repository.
const PLAIN: &[&[u8]] = &[
    b"str",
    b"bytes",
    b"bytearray",
    b"int",
    b"float",
    b"complex",
    b"bool",
    b"list",
    b"dict",
    b"set",
    b"tuple",
    b"frozenset",
    b"range",
    b"len",
    b"repr",
    b"sorted",
    b"isinstance",
    b"hash",
    b"hasattr",
    b"enumerate",
    b"zip",
    b"memoryview",
    b"open",
    b"None",
];

/// Generic types that stand for what they wrap.
const WRAPPERS: &[&[u8]] = &[
    b"Optional",
    b"Annotated",
    b"Required",
    b"NotRequired",
    b"ReadOnly",
    b"Final",
    b"ClassVar",
    b"InitVar",
    b"Awaitable",
    b"Mapped",
    b"TypeGuard",
    b"Future",
    b"Task",
];

/// Generic types whose elements are their first argument.
const COLLECTIONS: &[&[u8]] = &[
    b"list",
    b"List",
    b"set",
    b"Set",
    b"frozenset",
    b"FrozenSet",
    b"Sequence",
    b"MutableSequence",
    b"Iterable",
    b"Iterator",
    b"Collection",
    b"Container",
    b"deque",
    b"Deque",
    b"Generator",
    b"AsyncIterable",
    b"AsyncIterator",
    b"AsyncGenerator",
    b"AbstractSet",
    b"MutableSet",
    b"KeysView",
    b"ValuesView",
    b"Reversible",
];

/// Generic types whose elements are their second argument.
const MAPPINGS: &[&[u8]] = &[
    b"dict",
    b"Dict",
    b"Mapping",
    b"MutableMapping",
    b"defaultdict",
    b"DefaultDict",
    b"OrderedDict",
    b"WeakValueDictionary",
    b"ChainMap",
];

/// What an expression says of its own value.
pub(super) fn clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    value(walk, node, MAX_STEPS)
}

fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: u8) -> Option<Clue> {
    for left in (0..steps).rev() {
        node = match node.kind() {
            "identifier" => {
                return Some(match walk.text(node) {
                    b"self" | b"cls" => Clue::THIS,
                    _ => Clue::of(Flow::Value, node),
                });
            }
            "attribute" => {
                let member = node.child_by_field_name("attribute")?;
                return Some(Clue::of(Flow::Value, member));
            }
            "call" => return result(walk, node, left),
            "subscript" => {
                let object = node.child_by_field_name("value")?;
                let part = node.child_by_field_name("subscript")?;
                let of = value(walk, object, left)?;
                if part.kind() == "slice" {
                    return Some(of);
                }
                return element_of(of);
            }
            "await" | "parenthesized_expression" => node.named_child(0)?,
            "as_pattern" => node.named_child(0)?,
            "named_expression" => node.child_by_field_name("value")?,
            "assignment" => node.child_by_field_name("right")?,
            "conditional_expression" => {
                let taken = node.named_child(0).and_then(|node| value(walk, node, left));
                if taken.is_some() {
                    return taken;
                }
                node.named_child(2)?
            }
            "boolean_operator" => {
                let left_operand = node.child_by_field_name("left")?;
                let either = node
                    .child_by_field_name("operator")
                    .is_some_and(|operator| operator.kind() == "or");
                if either && let Some(found) = value(walk, left_operand, left) {
                    return Some(found);
                }
                node.child_by_field_name("right")?
            }
            "binary_operator" => {
                let first = value(walk, node.child_by_field_name("left")?, left)?;
                let operator = node.child_by_field_name("operator")?.kind();
                // Paths are joined by `/`; what other operators give is for their types to say.
                return (first == Clue::LITERAL || operator == "/").then_some(first);
            }
            "list"
            | "set"
            | "list_comprehension"
            | "set_comprehension"
            | "generator_expression" => {
                let first = node.child_by_field_name("body").or(node.named_child(0));
                return Some(
                    first
                        .and_then(|first| made_here(walk, first))
                        .unwrap_or(Clue::LITERAL),
                );
            }
            "dictionary" | "dictionary_comprehension" => {
                let first = node.child_by_field_name("body").or(node.named_child(0));
                let held = first.and_then(|pair| pair.child_by_field_name("value"));
                return Some(
                    held.and_then(|held| made_here(walk, held))
                        .unwrap_or(Clue::LITERAL),
                );
            }
            "string"
            | "concatenated_string"
            | "integer"
            | "float"
            | "true"
            | "false"
            | "tuple"
            | "comparison_operator"
            | "not_operator"
            | "lambda"
            | "expression_list" => {
                return Some(Clue::LITERAL);
            }
            _ => return None,
        };
    }
    None
}

/// Elements of the type whose construction `item` is: `[User(n) for n in names]`.
fn made_here(walk: &Walk<'_>, item: Node<'_>) -> Option<Clue> {
    if item.kind() != "call" {
        return None;
    }
    let class = last_name(item.child_by_field_name("function")?)?;
    let capital = walk.text(class).first()?.is_ascii_uppercase();
    capital.then(|| Clue::of(Flow::Elements, class))
}

/// The last name of a dotted path.
fn last_name(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "identifier" => Some(node),
        "attribute" => node.child_by_field_name("attribute"),
        "member_type" => node.named_child(1),
        _ => None,
    }
}

fn result(walk: &Walk<'_>, call: Node<'_>, steps: u8) -> Option<Clue> {
    let mut function = call.child_by_field_name("function")?;
    let argument = |i| call.child_by_field_name("arguments")?.named_child(i);
    if function.kind() == "subscript" {
        function = function.child_by_field_name("value")?;
    }
    if function.kind() == "call" {
        // `type(self)(...)` makes one more of the same class.
        return (walk.text(function) == b"type(self)").then_some(Clue::THIS);
    }
    let name = last_name(function)?;
    match (walk.text(name), function.kind()) {
        (b"cls", "identifier") | (b"__class__", _) | (b"super", "identifier") => Some(Clue::THIS),
        (b"cast", _) => type_clue(walk, argument(0)?),
        (b"iter" | b"reversed" | b"deepcopy" | b"copy", "identifier") => {
            value(walk, argument(0)?, steps)
        }
        (b"list" | b"sorted" | b"tuple" | b"set", "identifier") => {
            // The same elements in another collection.
            Some(
                match argument(0).and_then(|first| value(walk, first, steps)) {
                    Some(found) if found.flow == Flow::Value || found.flow == Flow::Elements => {
                        found
                    }
                    _ => Clue::LITERAL,
                },
            )
        }
        (b"next", "identifier") => element_of(value(walk, argument(0)?, steps)?),
        (plain, "identifier") if PLAIN.contains(&plain) => Some(Clue::LITERAL),
        _ => Some(Clue::of(Flow::Result, name)),
    }
}

/// What an element is, if `of` is what is known of its collection.
fn element_of(mut of: Clue) -> Option<Clue> {
    of.flow = match of.flow {
        Flow::Value => Flow::Element,
        Flow::Result => Flow::ResultElement,
        Flow::Elements => Flow::Type,
        _ => return None,
    };
    Some(of)
}

/// What one step of `for x in node` gives.
pub(super) fn element(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    if node.kind() == "call"
        && let Some(function) = node.child_by_field_name("function")
        && function.kind() == "attribute"
        && function
            .child_by_field_name("attribute")
            .is_some_and(|name| walk.text(name) == b"values")
    {
        return element_of(clue(walk, function.child_by_field_name("object")?)?);
    }
    element_of(clue(walk, node)?)
}

/// What the second name of `for a, b in node` is: of pairs that `enumerate` and `items` make.
pub(super) fn second_of_pair(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    if node.kind() != "call" {
        return None;
    }
    let function = node.child_by_field_name("function")?;
    match (function.kind(), walk.text(last_name(function)?)) {
        ("identifier", b"enumerate") => {
            element(walk, node.child_by_field_name("arguments")?.named_child(0)?)
        }
        ("attribute", b"items") => element_of(clue(walk, function.child_by_field_name("object")?)?),
        _ => None,
    }
}

/// What an annotation says of the values it allows.
pub(super) fn type_clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    annotated(walk, node, MAX_STEPS)
}

fn annotated(walk: &Walk<'_>, node: Node<'_>, steps: u8) -> Option<Clue> {
    let left = steps.checked_sub(1)?;
    match node.kind() {
        "type" | "parenthesized_expression" => annotated(walk, node.named_child(0)?, left),
        "identifier" | "attribute" | "member_type" => {
            let name = last_name(node)?;
            match walk.text(name) {
                b"Self" => Some(Clue::THIS),
                b"Any" | b"object" => None,
                plain if node.kind() == "identifier" && PLAIN.contains(&plain) => {
                    Some(Clue::LITERAL)
                }
                // Without arguments they say nothing of what they hold.
                bare if WRAPPERS.contains(&bare) => None,
                bare if COLLECTIONS.contains(&bare) || MAPPINGS.contains(&bare) => {
                    Some(Clue::LITERAL)
                }
                _ => Some(Clue::of(Flow::Type, name)),
            }
        }
        "string" => {
            let content = node.named_child(1)?;
            match walk.text(content) {
                b"Self" => Some(Clue::THIS),
                b"Any" | b"object" => None,
                plain if PLAIN.contains(&plain) => Some(Clue::LITERAL),
                name => is_name(name).then(|| Clue::of(Flow::Type, content)),
            }
        }
        "generic_type" => {
            let arguments = node.named_child(1)?;
            generic(
                walk,
                node.named_child(0)?,
                |i| arguments.named_child(i),
                left,
            )
        }
        "subscript" => {
            let name = last_name(node.child_by_field_name("value")?)?;
            generic(walk, name, |i| node.named_child(i + 1), left)
        }
        "union_type" | "binary_operator" => {
            let mut cursor = node.walk();
            node.named_children(&mut cursor)
                .filter(|side| walk.text(*side) != b"None")
                .find_map(|side| annotated(walk, side, left))
        }
        "none" => None,
        _ => None,
    }
}

/// What `name[arguments]` says.
fn generic<'t>(
    walk: &Walk<'_>,
    name: Node<'t>,
    argument: impl Fn(u32) -> Option<Node<'t>>,
    steps: u8,
) -> Option<Clue> {
    let inner = |i| annotated(walk, argument(i)?, steps);
    let elements = |i| {
        let mut clue = inner(i)?;
        clue.flow = match clue.flow {
            Flow::Type => Flow::Elements,
            Flow::Literal => Flow::Literal,
            _ => return None,
        };
        Some(clue)
    };
    let text = walk.text(name);
    if WRAPPERS.contains(&text) {
        inner(0)
    } else if COLLECTIONS.contains(&text) {
        elements(0)
    } else if MAPPINGS.contains(&text) {
        elements(1)
    } else {
        match text {
            b"Union" => (0..4)
                .filter(|i| argument(*i).is_some_and(|side| walk.text(side) != b"None"))
                .find_map(inner),
            b"Coroutine" => inner(2),
            // The class itself, not an instance of it.
            b"type" | b"Type" => {
                let mut clue = inner(0).filter(|clue| clue.flow == Flow::Type)?;
                clue.flow = Flow::Value;
                Some(clue)
            }
            b"tuple" | b"Tuple" => {
                let same = argument(1).is_some_and(|rest| walk.text(rest) == b"...");
                if same {
                    elements(0)
                } else {
                    Some(Clue::LITERAL)
                }
            }
            b"Callable" | b"Literal" | b"LiteralString" => Some(Clue::LITERAL),
            _ => Some(Clue::of(Flow::Type, name)),
        }
    }
}

/// What a function without annotation returns, by the first of its `return` statements that says.
pub(super) fn return_statement<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Visit {
    let Some(function) = frame.symbol.filter(|_| frame.scope == Scope::Function) else {
        return Visit::Descend;
    };
    if walk.symbols[function as usize].kind == SymbolKind::Constructor {
        return Visit::Descend;
    }
    let found = node.named_child(0).and_then(|value| clue(walk, value));
    // `return False` early on says nothing of what is returned in the end.
    let last = walk
        .ancestor(1)
        .is_some_and(|above| above.node.kind() == "function_definition");
    if let Some(found) = found.filter(|found| last || *found != Clue::LITERAL) {
        walk.value(function, found);
    }
    Visit::Descend
}

/// Whether an expression is `None`, which says nothing of what a name will hold.
pub(super) fn is_none(node: Node<'_>) -> bool {
    node.kind() == "none"
}
