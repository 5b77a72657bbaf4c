//! What Python expressions and annotations say of values.

use super::decorators::{decorators, is_fixture, makes_context};
use super::itself::is_object;
use super::quoted;
use crate::id::LocalName;
use crate::record::{Import, Symbol};
use crate::syntax::prelude::*;

/// Expressions looked through to find a value: `(a or b)[0]` are three. A bound on time, since
/// every member access asks.
const MAX_STEPS: u8 = 8;

/// What modules of the library's own types are called where they are imported.
const LIBRARIES: &[&[u8]] = byte_words!("typing t typing_extensions collections builtins");

/// Built-in types and functions whose results have no members of the repository.
const PLAIN: &[&[u8]] = byte_words!(
    "str bytes bytearray int float complex bool list dict set tuple frozenset range len repr
     sorted isinstance hash hasattr enumerate zip memoryview open None"
);

/// Functions of the library that say what they give by what they are given.
const SHADOWED: &[&[u8]] = byte_words!(
    "all any cast copy deepcopy enumerate filter iter list map max min next reversed set sorted tuple zip"
);

/// Definitions and imports of a file that are asked whether they are of such a name. A bound on time, since every call asks.
const MAX_ASKED: usize = 500;

/// Modules that have such functions.
const SOURCES: &[&[u8]] =
    byte_words!("builtins copy future.builtins itertools six.moves typing typing_extensions");

pub(super) static CONTAINERS: Containers = Containers {
    wrappers: byte_words!(
        "Optional Annotated Required NotRequired ReadOnly Final ClassVar InitVar Awaitable
         Mapped TypeGuard Future Task"
    ),
    collections: byte_words!(
        "list List set Set frozenset FrozenSet Sequence MutableSequence Iterable Iterator
         Collection Container deque Deque Generator AsyncIterable AsyncIterator
         AsyncGenerator AbstractSet MutableSet KeysView ValuesView Reversible"
    ),
    maps: byte_words!(
        "dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict
         WeakValueDictionary ChainMap"
    ),
    ..Containers::NONE
};

/// What an expression says of its own value.
pub(super) fn hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "string concatenated_string integer float true false tuple comparison_operator
     not_operator lambda expression_list"
);

fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: u8) -> Option<Hint> {
    for left in (0..steps).rev() {
        node = match node.kind_name() {
            "identifier" => {
                return Some(match is_object(walk, node) {
                    true => Hint::THIS,
                    false => Hint::value(node),
                });
            }
            "attribute" => {
                let member = node.field("attribute")?;
                return Some(Hint::value(member));
            }
            "call" => return result(walk, node, left),
            "subscript" => {
                let object = node.field("value")?;
                let part = node.field("subscript")?;
                let of = value(walk, object, left)?;
                if part.kind_name() == "slice" {
                    return Some(of);
                }
                return match of.kind {
                    HintKind::List | HintKind::ResultList => of.each(),
                    _ => of.element(),
                };
            }
            "await" | "parenthesized_expression" => node.named_child(0)?,
            "as_pattern" => node.named_child(0)?,
            "named_expression" => node.field("value")?,
            "assignment" => node.field("right")?,
            "conditional_expression" => {
                let taken = node.named_child(0).and_then(|node| value(walk, node, left));
                if taken.is_some() {
                    return taken;
                }
                node.named_child(2)?
            }
            "boolean_operator" => {
                let left_operand = node.field("left")?;
                let either = node
                    .field("operator")
                    .is_some_and(|operator| operator.kind_name() == "or");
                if either && let Some(found) = value(walk, left_operand, left) {
                    return Some(found);
                }
                node.field("right")?
            }
            "binary_operator" => {
                let first = value(walk, node.field("left")?, left)?;
                let operator = node.field("operator")?.kind_name();
                // Paths are joined by `/`; what other operators give is for their types to say.
                return (first == Hint::LITERAL || operator == "/").then_some(first);
            }
            "list"
            | "set"
            | "list_comprehension"
            | "set_comprehension"
            | "generator_expression" => {
                let first = node.field("body").or(node.named_child(0));
                let made = first.and_then(|first| made_here(walk, first));
                let given = || listed(walk, node.field("body")?, left);
                return Some(made.or_else(given).unwrap_or(Hint::LITERAL));
            }
            "dictionary" | "dictionary_comprehension" => {
                let first = node.field("body").or(node.named_child(0));
                let held = first.and_then(|pair| pair.field("value"));
                let made = held.and_then(|held| made_here(walk, held));
                let given = || listed(walk, node.field("body")?.field("value")?, left);
                return Some(made.or_else(given).map_or(Hint::LITERAL, Hint::mapped));
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        };
    }
    None
}

/// Elements of the type whose construction `item` is: `[User(n) for n in names]`.
fn made_here(walk: &Walk<'_>, item: Node<'_>) -> Option<Hint> {
    if item.kind_name() != "call" {
        return None;
    }
    let class = last_name(item.field("function")?)?;
    let capital = walk.text(class).first()?.is_ascii_uppercase();
    capital.then(|| Hint::collection_of(class))
}

/// A list of what a comprehension gives: `[user.team for user in users]`.
fn listed(walk: &Walk<'_>, item: Node<'_>, steps: u8) -> Option<Hint> {
    value(walk, item, steps)?.listed()
}

/// The last name of a dotted path.
fn last_name(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind_name() {
        "identifier" => Some(node),
        "attribute" => node.field("attribute"),
        "member_type" => node.named_child(1),
        _ => None,
    }
}

fn result(walk: &Walk<'_>, call: Node<'_>, steps: u8) -> Option<Hint> {
    let mut function = call.field("function")?;
    let argument = |i| call.field("arguments")?.named_child(i);
    if function.kind_name() == "subscript" {
        function = function.field("value")?;
    }
    if function.kind_name() == "call" {
        // `type(self)(...)` makes one more of the same class.
        return (walk.text(function) == b"type(self)").then_some(Hint::THIS);
    }
    let name = last_name(function)?;
    if function.kind_name() == "identifier" && is_own(walk, name) {
        return Some(Hint::result(name));
    }
    match (walk.text(name), function.kind_name()) {
        (b"cls", "identifier") if !is_object(walk, name) => Some(Hint::result(name)),
        (b"cls", "identifier") | (b"__class__", _) | (b"super", "identifier") => Some(Hint::THIS),
        (b"cast", _) => type_hint(walk, argument(0)?),
        (b"iter" | b"reversed" | b"deepcopy" | b"copy", "identifier") => {
            value(walk, argument(0)?, steps)
        }
        (b"list" | b"sorted" | b"tuple" | b"set", "identifier") => {
            // The same elements in another collection.
            Some(
                match argument(0).and_then(|first| value(walk, first, steps)) {
                    Some(found) if found.kind == HintKind::Value => found.copied(),
                    Some(found) if found.kind == HintKind::Elements => found,
                    _ => Hint::LITERAL,
                },
            )
        }
        (b"next", "identifier") => value(walk, argument(0)?, steps)?.each(),
        (b"min" | b"max", "identifier") if is_of_one(call) => {
            value(walk, argument(0)?, steps)?.each()
        }
        (plain, "identifier") if PLAIN.contains(&plain) => Some(Hint::LITERAL),
        _ => Some(Hint::result(name)),
    }
}

/// Whether a function that is called like one of the library's is another: one that is defined above, or imported from
/// elsewhere.
pub(super) fn is_own(walk: &Walk<'_>, function: Node<'_>) -> bool {
    let name = walk.text(function);
    if !SHADOWED.contains(&name) {
        return false;
    }
    let Some(name) = walk.names.find(name) else {
        return false;
    };
    let is_defined = |symbol: &Symbol<LocalName>| symbol.name == name && symbol.container.is_none();
    let foreign = |import: &&Import<LocalName>| !SOURCES.contains(&import.specifier.as_slice());
    let imports = walk.imports.iter().filter(foreign);
    let mut brought = imports.flat_map(|import| &import.bindings).take(MAX_ASKED);
    let is_bound = |frame: &Frame<'_>| walk.bound.contains(&(frame.symbol, name));
    walk.symbols.iter().take(MAX_ASKED).any(is_defined)
        || brought.any(|binding| binding.local == Some(name))
        || walk.stack.iter().any(is_bound)
}

/// Whether a call has one argument without a name, which is no list that is spread.
fn is_of_one(call: Node<'_>) -> bool {
    let Some(arguments) = call.field("arguments").filter(|all| !all.is_wide()) else {
        return false;
    };
    let plain = arguments
        .named()
        .filter(|argument| !matches!(argument.kind_name(), "keyword_argument" | "comment"));
    let mut plain = plain.peekable();
    let is_spread = |first: &Node<'_>| first.kind_name() == "list_splat";
    plain.peek().is_some_and(|first| !is_spread(first)) && plain.nth(1).is_none()
}

/// What one step of `for x in node` gives.
pub(super) fn element(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    if node.kind_name() == "call"
        && let Some(function) = node.field("function")
        && function.kind_name() == "attribute"
        && function
            .field("attribute")
            .is_some_and(|name| walk.text(name) == b"values")
    {
        return hint(walk, function.field("object")?)?.element();
    }
    hint(walk, node)?.each()
}

/// What the first name of `for a, b in node` is: of pairs that `zip` makes.
pub(super) fn first_of_pair(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    let function = node.field("function");
    let is_zip = node.kind_name() == "call"
        && walk.text_of(function) == b"zip"
        && !function.is_some_and(|function| is_own(walk, function));
    element(
        walk,
        node.field("arguments").filter(|_| is_zip)?.named_child(0)?,
    )
}

/// What the second name of `for a, b in node` is: of pairs that `enumerate`, `zip` and `items` make.
pub(super) fn second_of_pair(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    if node.kind_name() != "call" {
        return None;
    }
    let function = node.field("function")?;
    if is_own(walk, function) {
        return None;
    }
    match (function.kind_name(), walk.text(last_name(function)?)) {
        ("identifier", b"zip") => element(walk, node.field("arguments")?.named_child(1)?),
        ("identifier", b"enumerate") => element(walk, node.field("arguments")?.named_child(0)?),
        ("attribute", b"items") => hint(walk, function.field("object")?)?.each_value(),
        _ => None,
    }
}

/// What an annotation says of the values it allows.
pub(super) fn type_hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    annotated(walk, node, MAX_STEPS)
}

fn annotated(walk: &Walk<'_>, node: Node<'_>, steps: u8) -> Option<Hint> {
    let left = steps.checked_sub(1)?;
    match node.kind_name() {
        "type" | "parenthesized_expression" => annotated(walk, node.named_child(0)?, left),
        "identifier" | "attribute" | "member_type" => {
            let name = last_name(node)?;
            bare_type(walk.text(node), walk.text(name), Hint::instance(name))
        }
        "string" => {
            let content = node.named_child(1)?;
            match walk.text(content) {
                b"Self" => Some(Hint::THIS),
                b"Any" | b"object" => None,
                plain if PLAIN.contains(&plain) => Some(Hint::LITERAL),
                name if is_name(name) => Some(Hint::instance(content)),
                _ => quoted::hint(walk, node),
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
            let name = last_name(node.field("value")?)?;
            generic(walk, name, |i| node.named_child(i + 1), left)
        }
        "union_type" | "binary_operator" => {
            let mut sides = sides(walk, node).into_iter();
            sides.find_map(|side| annotated(walk, side, left))
        }
        "none" => None,
        _ => None,
    }
}

/// What a type without arguments says: its path, the last name of that, and an instance of it.
pub(super) fn bare_type(path: &[u8], name: &[u8], instance: Hint) -> Option<Hint> {
    match name {
        b"Self" => Some(Hint::THIS),
        b"Any" | b"object" => None,
        plain if path == name && PLAIN.contains(&plain) => Some(Hint::LITERAL),
        // Without arguments they say nothing of what they hold.
        _ if !may_be_own(path, LIBRARIES) => Some(instance),
        bare if CONTAINERS.wrappers.contains(&bare) => None,
        bare if CONTAINERS.has_elements(bare) => Some(Hint::LITERAL),
        _ => Some(instance),
    }
}

/// The types of a union without `None`: those that are named alone first, all in source order.
fn sides<'t>(walk: &Walk<'_>, node: Node<'t>) -> Vec<Node<'t>> {
    let mut open = vec![node];
    let mut found = Vec::new();
    while let Some(side) = open.pop() {
        if matches!(side.kind_name(), "union_type" | "binary_operator") {
            let inner: Vec<Node<'t>> = side.named().collect();
            open.extend(inner.into_iter().rev());
        } else if walk.text(side) != b"None" {
            found.push(side);
        }
    }
    found.sort_by_key(|side| !is_alone(walk, *side));
    found
}

fn is_alone(walk: &Walk<'_>, side: Node<'_>) -> bool {
    side.kind_name() == "identifier" && !PLAIN.contains(&walk.text(side))
}

/// `A | B`: notes beside each type which one is next.
pub(super) fn several_types<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if walk.kind_above(0) != "type" || walk.kind_above(1) == "type_parameter" {
        return;
    }
    let sides = sides(walk, node).into_iter();
    let sides = sides.filter_map(|side| Some((side, annotated(walk, side, MAX_STEPS)?)));
    let known: Vec<(Node<'t>, Hint)> = sides.collect();
    for pair in known.windows(2) {
        if is_alone(walk, pair[0].0)
            && let Some(at) = pair[0].1.identifier()
        {
            walk.receiver(at, pair[1].1);
        }
    }
}

/// What `name[arguments]` says.
fn generic<'t>(
    walk: &Walk<'_>,
    name: Node<'t>,
    argument: impl Fn(u32) -> Option<Node<'t>>,
    steps: u8,
) -> Option<Hint> {
    let inner = |i| annotated(walk, argument(i)?, steps);
    let text = walk.text(name);
    if let Some((at, levels)) = CONTAINERS.held(text) {
        let held = inner(at)?.collections(levels)?;
        return Some(match CONTAINERS.maps.contains(&text) {
            true => held.mapped(),
            false => held,
        });
    }
    match text {
        b"Union" => (0..4)
            .filter(|i| argument(*i).is_some_and(|side| walk.text(side) != b"None"))
            .find_map(inner),
        b"Coroutine" => inner(2),
        // The class itself, not an instance of it.
        b"type" | b"Type" => {
            let class = inner(0).filter(|class| class.kind == HintKind::Type)?;
            Some(class.with(HintKind::Value))
        }
        b"tuple" | b"Tuple" => match argument(1) {
            Some(rest) if walk.text(rest) == b"..." => inner(0)?.collections(1),
            _ => Some(Hint::LITERAL),
        },
        // What is called gives it.
        b"Callable" => match inner(1) {
            Some(gives) if gives.kind == HintKind::Type => Some(gives.with(HintKind::Gives)),
            _ => Some(Hint::LITERAL),
        },
        b"Literal" | b"LiteralString" => Some(Hint::LITERAL),
        _ => Some(Hint::instance(name)),
    }
}

/// What a function without annotation returns, by the first of its `return` statements that says.
pub(super) fn return_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(function) = frame.symbol.filter(|_| frame.scope == Scope::Function) else {
        return;
    };
    if walk.symbols[function as usize].kind == SymbolKind::Constructor {
        return;
    }
    let found = node.named_child(0).and_then(|value| hint(walk, value));
    // `return False` early on says nothing of what is returned in the end.
    let last = walk.kind_above(1) == "function_definition";
    if let Some(found) = found.filter(|found| last || *found != Hint::LITERAL) {
        walk.value(function, found);
    }
}

/// What a fixture yields is what the tests get that ask for it, and so is what `with` binds of a function that makes a
/// context.
pub(super) fn yield_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let function = (0..)
        .map_while(|above| Some((above, walk.ancestor(above)?)))
        .find(|(_, ancestor)| ancestor.node.kind_name() == "function_definition");
    let Some((above, _)) = function else { return };
    if frame.scope == Scope::Function
        && let Some(symbol) = frame.symbol
        && let decorators = decorators(walk, above + 1)
        && (is_fixture(decorators) || makes_context(decorators))
        && let Some(found) = node.named_child(0).and_then(|value| hint(walk, value))
    {
        walk.value(symbol, found);
    }
}

/// Whether an expression is `None`, which says nothing of what a name will hold.
pub(super) fn is_none(node: Node<'_>) -> bool {
    node.kind_name() == "none"
}
