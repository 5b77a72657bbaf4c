//! Rust: what types and expressions say of values.

use crate::syntax::prelude::*;

static CONTAINERS: Containers = Containers {
    // Those that are locked or borrowed first are among them: what takes the value out of them is
    // looked through as well.
    wrappers: byte_words!(
        "Arc Box Cell Cow LazyLock ManuallyDrop MaybeUninit Mutex MutexGuard NonNull OnceCell
         OnceLock Option Pin Poll Rc Ref RefCell RefMut Result RwLock RwLockReadGuard
         RwLockWriteGuard UnsafeCell Weak"
    ),
    collections: byte_words!(
        "BTreeSet BinaryHeap DoubleEndedIterator ExactSizeIterator HashSet IntoIterator
         Iterator LinkedList Stream Vec VecDeque"
    ),
    maps: byte_words!("BTreeMap HashMap"),
    ..Containers::NONE
};

/// What paths of the standard library's own types begin with.
const LIBRARIES: &[&[u8]] = byte_words!("std core alloc string");

/// Calls that give back the value they are called on, or what is in it.
const TRANSPARENT: &[&[u8]] = byte_words!(
    "as_deref as_deref_mut as_mut as_ref as_slice borrow borrow_mut by_ref clone cloned
     context copied expect lock map_err ok ok_or ok_or_else to_owned unwrap unwrap_or
     unwrap_or_default unwrap_or_else with_context"
);

/// Calls that go over the elements of the value they are called on.
const OVER_ELEMENTS: &[&[u8]] = byte_words!(
    "chain drain enumerate filter into_iter into_values iter iter_mut peekable rev skip take
     values values_mut"
);

/// Whether an expression is an iterator that is made of a collection where it stands.
pub(super) fn goes_over(walk: &Walk<'_>, mut node: Node<'_>) -> bool {
    for _ in 0..MAX_STEPS {
        let function = node.field("function");
        let Some(function) = function.filter(|called| called.kind_name() == "field_expression")
        else {
            return false;
        };
        let name = walk.text_of(function.field("field"));
        if matches!(
            name,
            b"iter"
                | b"into_iter"
                | b"iter_mut"
                | b"drain"
                | b"values"
                | b"values_mut"
                | b"into_values"
        ) {
            return true;
        }
        match function.field("value") {
            Some(inner) => node = inner,
            None => return false,
        }
    }
    false
}

/// What an instance of a type is.
pub(super) fn of_type(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    type_within(walk, node, MAX_STEPS)
}

fn type_within(walk: &Walk<'_>, mut node: Node<'_>, steps: usize) -> Option<Hint> {
    let mut nested = 0;
    for left in (0..steps).rev() {
        node = match node.kind_name() {
            "type_identifier" => {
                let known = match walk.text(node) {
                    b"Self" => Hint::THIS,
                    b"String" => Hint::LITERAL,
                    _ => Hint::instance(node),
                };
                return known.collections(nested);
            }
            "function_type" => return given(walk, node, left).collections(nested),
            "primitive_type" | "unit_type" => {
                return Some(Hint::LITERAL);
            }
            "scoped_type_identifier" => {
                let name = node.field("name")?;
                if !may_be_own(walk.text(node), LIBRARIES) {
                    return Hint::instance(name).collections(nested);
                }
                name
            }
            "reference_type" | "pointer_type" => node.field("type")?,
            "dynamic_type" | "abstract_type" => node.field("trait")?,
            "bounded_type" | "trait_bounds" => first_type(walk, node)?,
            "array_type" => {
                nested += 1;
                node.field("element")?
            }
            "generic_type" => {
                let mut base = node.field("type")?;
                if base.kind_name() == "scoped_type_identifier" {
                    base = base.field("name")?;
                }
                let arguments = node.field("type_arguments")?;
                let name = walk.text(base);
                match CONTAINERS.held(name) {
                    Some((at, levels)) => {
                        nested += levels;
                        argument(arguments, at)?
                    }
                    None if name == b"Future" => argument(arguments, 0)?,
                    None => base,
                }
            }
            _ => return None,
        };
    }
    None
}

/// What a function of a type is: one that gives something, where that is an instance of a named type.
fn given(walk: &Walk<'_>, function: Node<'_>, steps: usize) -> Hint {
    let gives = function.field("return_type");
    match gives.and_then(|gives| type_within(walk, gives, steps)) {
        Some(gives) if gives.kind == HintKind::Type => gives.with(HintKind::Gives),
        _ => Hint::LITERAL,
    }
}

/// Bounds that say nothing of members.
const MARKERS: &[&[u8]] = byte_words!("Copy Send Sized Sync Unpin");

/// Several bounds that are types, lifetimes and markers aside.
pub(super) fn bounds<'n>(walk: &Walk<'_>, node: Node<'n>) -> Vec<Node<'n>> {
    let is_bound = |child: &Node<'_>| {
        !matches!(child.kind_name(), "lifetime" | "removed_trait_bound")
            && !MARKERS.contains(&walk.text(*child))
    };
    let mut bounds = node.content();
    bounds.retain(is_bound);
    bounds
}

/// The first of several bounds, lifetimes aside, and markers where there are others.
fn first_type<'n>(walk: &Walk<'_>, node: Node<'n>) -> Option<Node<'n>> {
    let telling = bounds(walk, node).into_iter().next();
    telling.or_else(|| {
        node.named()
            .find(|child| !matches!(child.kind_name(), "lifetime" | "removed_trait_bound"))
    })
}

/// The type argument at a place, lifetimes aside; that of an associated type (`Item = T`) is its
/// type.
fn argument(arguments: Node<'_>, at: u32) -> Option<Node<'_>> {
    let types = arguments.named();
    let mut types = types.filter(|child| child.kind_name() != "lifetime" && !child.is_extra());
    let found = types.nth(at as usize)?;
    match found.kind_name() {
        "type_binding" => found.field("type"),
        _ => Some(found),
    }
}

/// What the object of a member access is.
pub(super) fn hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    of_value(walk, node, 0)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "string_literal raw_string_literal char_literal boolean_literal integer_literal
     float_literal closure_expression"
);

/// Tokens that an item of `vec![]` is looked through for.
const TOLD: &[&str] = words!("identifier self :: . & mut token_tree");

/// The collection that `vec![User::new(a), User::new(b)]` makes: there are only tokens.
fn made_vec(walk: &Walk<'_>, made: Node<'_>, steps: usize) -> Option<Hint> {
    let tokens = made.part(&["token_tree"])?;
    if tokens.is_wide() {
        return None;
    }
    let tokens: Vec<Node<'_>> = tokens.parts().filter(|token| !token.is_extra()).collect();
    let inside = tokens.get(1..tokens.len().checked_sub(1)?)?;
    let items = inside.split(|token| matches!(token.kind_name(), "," | ";"));
    // Of `vec![User::new(); 3]` the last one is a number.
    let is_repeated = inside.iter().any(|token| token.kind_name() == ";");
    let items = items.take(if is_repeated { 1 } else { MAX_PARTS });
    let items = items.filter_map(|item| {
        let (first, last) = (item.first()?, item.last()?);
        let is_told = item.len() == 1 || item.iter().all(|token| TOLD.contains(&token.kind_name()));
        Some((*first, value(walk, *last, 0, steps).filter(|_| is_told)))
    });
    alike(walk, items)?.listed()
}

/// What an expression is, or what its elements are, `elements` deep.
pub(super) fn of_value(walk: &Walk<'_>, node: Node<'_>, elements: usize) -> Option<Hint> {
    value(walk, node, elements, MAX_STEPS)
}

fn value(walk: &Walk<'_>, mut node: Node<'_>, mut elements: usize, steps: usize) -> Option<Hint> {
    for left in (0..steps).rev() {
        node = match node.kind_name() {
            "identifier" => return Hint::value(node).nested_element(elements),
            "self" => return Hint::THIS.nested_element(elements),
            "scoped_identifier" => {
                let name = node.field("name")?;
                return Hint::value(name).nested_element(elements);
            }
            "field_expression" => {
                let field = node.field("field")?;
                if field.kind_name() != "field_identifier" {
                    return None;
                }
                return Hint::value(field).nested_element(elements);
            }
            "call_expression" => match called(walk, node, elements > 0)? {
                Step::Known(known) => return known.nested_element(elements),
                Step::Same(inner) => inner,
            },
            "struct_expression" => {
                return made(walk, node)?.nested_element(elements);
            }
            "type_cast_expression" => {
                return of_type(walk, node.field("type")?)?.nested_element(elements);
            }
            "index_expression" => {
                let index = node.named_child(1)?;
                if index.kind_name() != "range_expression" {
                    elements += 1;
                }
                node.named_child(0)?
            }
            // In the arguments of macros there are only tokens, read from the last one back.
            ")" | "]" => {
                let tokens = node.parent()?;
                if tokens.kind_name() != "token_tree" {
                    return None;
                }
                let name = tokens.prev_sibling()?;
                if node.kind_name() == "]" {
                    elements += 1;
                    name
                } else if name.kind_name() != "identifier" {
                    return None;
                } else if TRANSPARENT.contains(&walk.text(name))
                    && let Some(dot) = name.prev_sibling().filter(|dot| dot.kind_name() == ".")
                {
                    dot.prev_sibling()?
                } else {
                    return Hint::result(name).nested_element(elements);
                }
            }
            "?" => node.prev_sibling()?,
            "await" => {
                let dot = node.prev_sibling().filter(|dot| dot.kind_name() == ".")?;
                dot.prev_sibling()?
            }
            "token_tree"
                if node
                    .parent()
                    .is_some_and(|above| above.kind_name() == "token_tree") =>
            {
                let last = node.child_count().checked_sub(1)?;
                node.child(last)?
            }
            // `Cache::<K>::new()`.
            "generic_type" => return named(walk, node)?.nested_element(elements),
            // `<T as Trait>::f()`.
            "bracketed_type" => node.named_child(0)?,
            // An associated type is one of the trait.
            "qualified_type" if is_of_type(node) => {
                return of_type(walk, node.field("alias")?);
            }
            "qualified_type" => {
                return of_type(walk, node.field("type")?)?.nested_element(elements);
            }
            "reference_expression" => node.field("value")?,
            "unary_expression" if walk.text(node).starts_with(b"*") => node.named_child(0)?,
            "parenthesized_expression" | "try_expression" | "await_expression" | "unsafe_block" => {
                node.named_child(0)?
            }
            "block" => {
                let last = node.named_child_count().checked_sub(1)?;
                node.named_child(last as u32)?
            }
            "array_expression" => {
                let items = node.named().filter(|item| !item.is_extra());
                let list = list_of(walk, items, |item| value(walk, item, 0, left));
                return list?.nested_element(elements);
            }
            "if_expression" | "match_expression" => {
                let branches = branches(walk, node)?;
                match branches[..] {
                    [only] => only,
                    _ => {
                        let only = branches
                            .into_iter()
                            .map(|one| only_statement(one, &["block"]));
                        let only: Vec<Node<'_>> = only.collect::<Option<_>>()?;
                        let made = only.into_iter().map(|one| (one, value(walk, one, 0, left)));
                        let made = alike(walk, made)?;
                        let is_made = matches!(made.kind, HintKind::Result | HintKind::Literal);
                        return is_made.then_some(made)?.nested_element(elements);
                    }
                }
            }
            "macro_invocation" if walk.text_of(node.field("macro")) == b"vec" => {
                return made_vec(walk, node, left)?.nested_element(elements);
            }
            "macro_invocation" => {
                let name = node.field("macro")?;
                if !matches!(walk.text(name), b"format" | b"concat" | b"stringify") {
                    return None;
                }
                return Some(Hint::LITERAL);
            }
            "binary_expression" => {
                let operator = node.field("operator")?.kind_name();
                if !matches!(
                    operator,
                    "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||"
                ) {
                    return None;
                }
                return Some(Hint::LITERAL);
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        };
    }
    None
}

/// The branches of a condition that give something: those that leave it, or give `None`, do not.
fn branches<'n>(walk: &Walk<'_>, node: Node<'n>) -> Option<Vec<Node<'n>>> {
    let mut all = Vec::new();
    if let Some(arms) = node.field("body") {
        if arms.is_wide() {
            return None;
        }
        let values = arms.all_of("match_arm").map(|arm| arm.field("value"));
        all = values.collect::<Option<Vec<_>>>()?;
    } else {
        all.push(node.field("consequence")?);
        all.push(node.field("alternative")?.named_child(0)?);
    }
    all.retain(|branch| !gives_nothing(walk, *branch));
    Some(all)
}

/// Whether a branch is left before it gives something, or gives `None` or an error.
fn gives_nothing(walk: &Walk<'_>, branch: Node<'_>) -> bool {
    let mut node = branch;
    for _ in 0..MAX_STEPS {
        let inner = match node.kind_name() {
            "return_expression" | "continue_expression" | "break_expression" => return true,
            "identifier" => return walk.text(node) == b"None",
            "call_expression" => return walk.text_of(node.field("function")) == b"Err",
            "macro_invocation" => {
                let name = walk.text_of(node.field("macro"));
                return matches!(
                    name,
                    b"panic" | b"unreachable" | b"todo" | b"unimplemented" | b"bail"
                );
            }
            "block" | "expression_statement" => node.last_named(),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return false,
        }
    }
    false
}

/// Whether `<T as Trait>` stands before a type, not before a function or constant.
fn is_of_type(qualified: Node<'_>) -> bool {
    let brackets = qualified.parent();
    let path = brackets.and_then(|brackets| brackets.parent());
    path.is_some_and(|path| path.kind_name() == "scoped_type_identifier")
}

/// What a struct literal makes.
pub(super) fn made<'n>(walk: &Walk<'_>, literal: Node<'n>) -> Option<Hint> {
    named(walk, literal.field("name")?)
}

/// What is of the type that a struct literal or pattern names.
pub(super) fn named<'n>(walk: &Walk<'_>, mut name: Node<'n>) -> Option<Hint> {
    for _ in 0..4 {
        name = match name.kind_name() {
            "scoped_type_identifier" => name.field("name")?,
            "generic_type" | "generic_type_with_turbofish" => name.field("type")?,
            _ => return of_type(walk, name),
        };
    }
    None
}

fn called<'n>(walk: &Walk<'_>, call: Node<'n>, for_elements: bool) -> Option<Step<'n>> {
    let mut function = call.field("function")?;
    if function.kind_name() == "generic_function" {
        function = function.field("function")?;
    }
    let first = || call.field("arguments")?.named_child(0);
    let result = |name| Some(Step::Known(Hint::result(name)));
    match function.kind_name() {
        "identifier" => match walk.text(function) {
            b"Some" | b"Ok" => first().map(Step::Same),
            _ => result(function),
        },
        "scoped_identifier" => {
            let name = function.field("name")?;
            let path = function
                .field("path")
                .map_or(&b""[..], |path| walk.text(path));
            let base = path.split(|b| *b == b'<').next().unwrap_or(path);
            let base = base.rsplit(|b| *b == b':').find(|part| !part.is_empty());
            match (base.unwrap_or(b""), walk.text(name)) {
                (b"String", _) => Some(Step::Known(Hint::LITERAL)),
                (base, b"new" | b"clone" | b"pin" | b"from")
                    if CONTAINERS.wrappers.contains(&base) =>
                {
                    first().map(Step::Same)
                }
                (base, _) if CONTAINERS.has_elements(base) => None,
                _ => result(name),
            }
        }
        // `(self.make)()`
        "parenthesized_expression" => {
            let held = function.named_child(0)?;
            match held.kind_name() {
                "field_expression" => result(held.field("field")?),
                "identifier" => result(held),
                _ => None,
            }
        }
        "field_expression" => {
            let name = function.field("field")?;
            let object = function.field("value")?;
            let called = walk.text(name);
            // `read` and `write` lock when nothing is given.
            let locks = || matches!(called, b"read" | b"write") && first().is_none();
            if TRANSPARENT.contains(&called)
                || (for_elements && OVER_ELEMENTS.contains(&called))
                || locks()
            {
                return Some(Step::Same(object));
            }
            match called {
                b"to_string" => Some(Step::Known(Hint::LITERAL)),
                _ => result(name),
            }
        }
        _ => None,
    }
}
