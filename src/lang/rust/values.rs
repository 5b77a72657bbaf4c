//! Rust: what types and expressions say of values.

use crate::record::Flow;
use crate::syntax::flows::Clue;
use crate::syntax::values::{Known, MAX_STEPS, text};
use crate::syntax::walk::Walk;
use tree_sitter::Node;

/// Types that are used as what they hold is. Those that are locked or borrowed first are among them:
/// what takes the value out of them is looked through as well.
const WRAPPERS: &[&[u8]] = &[
    b"Arc",
    b"Box",
    b"Cell",
    b"Cow",
    b"LazyLock",
    b"ManuallyDrop",
    b"MaybeUninit",
    b"Mutex",
    b"MutexGuard",
    b"NonNull",
    b"OnceCell",
    b"OnceLock",
    b"Option",
    b"Pin",
    b"Poll",
    b"Rc",
    b"Ref",
    b"RefCell",
    b"RefMut",
    b"Result",
    b"RwLock",
    b"RwLockReadGuard",
    b"RwLockWriteGuard",
    b"UnsafeCell",
    b"Weak",
];

const COLLECTIONS: &[&[u8]] = &[
    b"BTreeSet",
    b"BinaryHeap",
    b"DoubleEndedIterator",
    b"ExactSizeIterator",
    b"HashSet",
    b"IntoIterator",
    b"Iterator",
    b"LinkedList",
    b"Stream",
    b"Vec",
    b"VecDeque",
];

const MAPS: &[&[u8]] = &[b"BTreeMap", b"HashMap"];

/// Calls that give back the value they are called on, or what is in it.
const TRANSPARENT: &[&[u8]] = &[
    b"as_deref",
    b"as_deref_mut",
    b"as_mut",
    b"as_ref",
    b"as_slice",
    b"borrow",
    b"borrow_mut",
    b"by_ref",
    b"clone",
    b"cloned",
    b"context",
    b"copied",
    b"expect",
    b"lock",
    b"map_err",
    b"ok",
    b"ok_or",
    b"ok_or_else",
    b"to_owned",
    b"unwrap",
    b"unwrap_or",
    b"unwrap_or_default",
    b"unwrap_or_else",
    b"with_context",
];

/// Calls that go over the elements of the value they are called on.
const OVER_ELEMENTS: &[&[u8]] = &[
    b"chain",
    b"drain",
    b"enumerate",
    b"filter",
    b"into_iter",
    b"into_values",
    b"iter",
    b"iter_mut",
    b"peekable",
    b"rev",
    b"skip",
    b"take",
    b"values",
    b"values_mut",
];

/// What an instance of a type is.
pub(super) fn of_type<'n>(walk: &Walk<'_>, mut node: Node<'n>) -> Option<Known<'n>> {
    let mut nested = 0;
    for _ in 0..MAX_STEPS {
        node = match node.kind() {
            "type_identifier" => {
                let flow = match text(walk, node) {
                    b"Self" => Flow::This,
                    b"String" => Flow::Literal,
                    _ => Flow::Type,
                };
                return Known::new(flow, node).collection(nested);
            }
            "primitive_type" | "unit_type" | "function_type" => {
                return Some(Known::new(Flow::Literal, node));
            }
            "scoped_type_identifier" => node.child_by_field_name("name")?,
            "reference_type" | "pointer_type" => node.child_by_field_name("type")?,
            "dynamic_type" | "abstract_type" => node.child_by_field_name("trait")?,
            "bounded_type" | "trait_bounds" => first_type(node)?,
            "array_type" => {
                nested += 1;
                node.child_by_field_name("element")?
            }
            "generic_type" => {
                let mut base = node.child_by_field_name("type")?;
                if base.kind() == "scoped_type_identifier" {
                    base = base.child_by_field_name("name")?;
                }
                let arguments = node.child_by_field_name("type_arguments")?;
                let name = text(walk, base);
                if WRAPPERS.contains(&name) {
                    argument(arguments, 0)?
                } else if COLLECTIONS.contains(&name) {
                    nested += 1;
                    argument(arguments, 0)?
                } else if MAPS.contains(&name) {
                    nested += 1;
                    argument(arguments, 1)?
                } else if name == b"Future" {
                    argument(arguments, 0)?
                } else {
                    base
                }
            }
            _ => return None,
        };
    }
    None
}

/// The first of several bounds, lifetimes aside.
fn first_type(node: Node<'_>) -> Option<Node<'_>> {
    (0..node.named_child_count())
        .filter_map(|i| node.named_child(i as u32))
        .find(|child| !matches!(child.kind(), "lifetime" | "removed_trait_bound"))
}

/// The type argument at a place, lifetimes aside; that of an associated type (`Item = T`) is its
/// type.
fn argument(arguments: Node<'_>, at: usize) -> Option<Node<'_>> {
    let mut types = (0..arguments.named_child_count())
        .filter_map(|i| arguments.named_child(i as u32))
        .filter(|child| child.kind() != "lifetime" && !child.is_extra());
    let found = types.nth(at)?;
    match found.kind() {
        "type_binding" => found.child_by_field_name("type"),
        _ => Some(found),
    }
}

/// The language's way of asking: what the object of a member access is.
pub(super) fn clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    of_value(walk, node, 0).map(Known::clue)
}

/// What an expression is, or what its elements are, `elements` deep.
pub(super) fn of_value<'n>(
    walk: &Walk<'_>,
    mut node: Node<'n>,
    mut elements: usize,
) -> Option<Known<'n>> {
    for _ in 0..MAX_STEPS {
        node = match node.kind() {
            "identifier" => return Known::new(Flow::Value, node).element(elements),
            "self" => return Known::new(Flow::This, node).element(elements),
            "scoped_identifier" => {
                let name = node.child_by_field_name("name")?;
                return Known::new(Flow::Value, name).element(elements);
            }
            "field_expression" => {
                let field = node.child_by_field_name("field")?;
                if field.kind() != "field_identifier" {
                    return None;
                }
                return Known::new(Flow::Value, field).element(elements);
            }
            "call_expression" => match called(walk, node, elements > 0)? {
                Called::Known(known) => return known.element(elements),
                Called::Inner(inner) => inner,
            },
            "struct_expression" => {
                return made(walk, node)?.element(elements);
            }
            "type_cast_expression" => {
                return of_type(walk, node.child_by_field_name("type")?)?.element(elements);
            }
            "index_expression" => {
                let index = node.named_child(1)?;
                if index.kind() != "range_expression" {
                    elements += 1;
                }
                node.named_child(0)?
            }
            // In the arguments of macros there are only tokens, read from the last one back.
            ")" | "]" => {
                let tokens = node.parent()?;
                if tokens.kind() != "token_tree" {
                    return None;
                }
                let name = tokens.prev_sibling()?;
                if node.kind() == "]" {
                    elements += 1;
                    name
                } else if name.kind() != "identifier" {
                    return None;
                } else if TRANSPARENT.contains(&text(walk, name))
                    && let Some(dot) = name.prev_sibling().filter(|dot| dot.kind() == ".")
                {
                    dot.prev_sibling()?
                } else {
                    return Known::new(Flow::Result, name).element(elements);
                }
            }
            "?" => node.prev_sibling()?,
            "await" => {
                let dot = node.prev_sibling().filter(|dot| dot.kind() == ".")?;
                dot.prev_sibling()?
            }
            "token_tree"
                if node
                    .parent()
                    .is_some_and(|above| above.kind() == "token_tree") =>
            {
                let last = node.child_count().checked_sub(1)?;
                node.child(last)?
            }
            // `Cache::<K>::new()`.
            "generic_type" => return named(walk, node)?.element(elements),
            // `<T as Trait>::f()`.
            "bracketed_type" => node.named_child(0)?,
            "qualified_type" => {
                return of_type(walk, node.child_by_field_name("type")?)?.element(elements);
            }
            "reference_expression" => node.child_by_field_name("value")?,
            "unary_expression" if text(walk, node).starts_with(b"*") => node.named_child(0)?,
            "parenthesized_expression" | "try_expression" | "await_expression" | "unsafe_block" => {
                node.named_child(0)?
            }
            "block" => {
                let last = node.named_child_count().checked_sub(1)?;
                node.named_child(last as u32)?
            }
            "macro_invocation" => {
                let name = node.child_by_field_name("macro")?;
                if !matches!(text(walk, name), b"format" | b"concat" | b"stringify") {
                    return None;
                }
                return Some(Known::new(Flow::Literal, node));
            }
            "binary_expression" => {
                let operator = node.child_by_field_name("operator")?.kind();
                if !matches!(
                    operator,
                    "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||"
                ) {
                    return None;
                }
                return Some(Known::new(Flow::Literal, node));
            }
            "string_literal" | "raw_string_literal" | "char_literal" | "boolean_literal"
            | "integer_literal" | "float_literal" | "closure_expression" => {
                return Some(Known::new(Flow::Literal, node));
            }
            _ => return None,
        };
    }
    None
}

/// What a struct literal makes.
pub(super) fn made<'n>(walk: &Walk<'_>, literal: Node<'n>) -> Option<Known<'n>> {
    named(walk, literal.child_by_field_name("name")?)
}

/// What is of the type that a struct literal or pattern names.
pub(super) fn named<'n>(walk: &Walk<'_>, mut name: Node<'n>) -> Option<Known<'n>> {
    for _ in 0..4 {
        name = match name.kind() {
            "scoped_type_identifier" => name.child_by_field_name("name")?,
            "generic_type" | "generic_type_with_turbofish" => name.child_by_field_name("type")?,
            _ => return of_type(walk, name),
        };
    }
    None
}

enum Called<'n> {
    Known(Known<'n>),
    /// It gives back this, wrapped or unwrapped.
    Inner(Node<'n>),
}

fn called<'n>(walk: &Walk<'_>, call: Node<'n>, for_elements: bool) -> Option<Called<'n>> {
    let mut function = call.child_by_field_name("function")?;
    if function.kind() == "generic_function" {
        function = function.child_by_field_name("function")?;
    }
    let first = || call.child_by_field_name("arguments")?.named_child(0);
    let result = |name| Some(Called::Known(Known::new(Flow::Result, name)));
    match function.kind() {
        "identifier" => match text(walk, function) {
            b"Some" | b"Ok" => first().map(Called::Inner),
            _ => result(function),
        },
        "scoped_identifier" => {
            let name = function.child_by_field_name("name")?;
            let path = function
                .child_by_field_name("path")
                .map_or(&b""[..], |path| text(walk, path));
            let base = path.split(|b| *b == b'<').next().unwrap_or(path);
            let base = base.rsplit(|b| *b == b':').find(|part| !part.is_empty());
            match (base.unwrap_or(b""), text(walk, name)) {
                (b"String", _) => Some(Called::Known(Known::new(Flow::Literal, name))),
                (base, b"new" | b"clone" | b"pin" | b"from") if WRAPPERS.contains(&base) => {
                    first().map(Called::Inner)
                }
                (base, _) if COLLECTIONS.contains(&base) || MAPS.contains(&base) => None,
                _ => result(name),
            }
        }
        "field_expression" => {
            let name = function.child_by_field_name("field")?;
            let object = function.child_by_field_name("value")?;
            let called = text(walk, name);
            // `read` and `write` lock when nothing is given.
            let locks = || matches!(called, b"read" | b"write") && first().is_none();
            if TRANSPARENT.contains(&called)
                || (for_elements && OVER_ELEMENTS.contains(&called))
                || locks()
            {
                return Some(Called::Inner(object));
            }
            match called {
                b"to_string" => Some(Called::Known(Known::new(Flow::Literal, name))),
                _ => result(name),
            }
        }
        _ => None,
    }
}
