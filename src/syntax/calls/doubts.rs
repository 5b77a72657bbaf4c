//! What languages share who ask whether an object is what it seems: the nodes around and below one, the values that a name
//! has, and what it is handed to.

use super::rows::text;
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// Nodes that are looked at for one name: in more, nothing is sure.
const MAX_NODES: usize = 1 << 15;

/// Last words of functions that say what a value is, or give it members.
const CHANGING: &[&str] = words!(
    "assert assign augment apply bind cast decorate defineProperties defineProperty enhance ensure
     extend extends hasattr inherits install is isinstance merge mixin mixins mock object patch promisify setattr
     setPrototypeOf wrap"
);

/// The name of an annotation or attribute: `@Name(..)`.
pub(crate) fn annotation(written: &[u8]) -> &[u8] {
    let of = written.strip_prefix(b"@").unwrap_or_default();
    let end = of.iter().position(|b| !b.is_ascii_alphanumeric());
    &of[..end.unwrap_or(of.len())]
}

/// The nodes around one, the nearest first.
pub(crate) fn around<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    std::iter::successors(node.parent(), |node| node.parent())
}

/// All nodes below one, but for those in what is not entered; `None` where there are too many.
pub(crate) fn below<'t>(
    node: Node<'t>,
    is_entered: impl Fn(Node<'t>) -> bool,
) -> Option<Vec<Node<'t>>> {
    let mut all = Vec::new();
    let mut cursor = node.walk();
    if !cursor.goto_first_child() {
        return Some(all);
    }
    loop {
        let here = cursor.node();
        all.push(here);
        if all.len() > MAX_NODES {
            return None;
        }
        if is_entered(here) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() || cursor.node() == node {
                return Some(all);
            }
        }
    }
}

/// What is written of a value where a name gets it.
#[derive(Clone, Copy)]
pub(crate) struct Given<'t> {
    /// The value; `None` of what gets it from outside.
    pub value: Option<Node<'t>>,
    /// What is said of its type.
    pub said: Option<Node<'t>>,
    /// It is given only where nothing else is, or is taken out of something.
    pub is_either: bool,
}

/// Whether values that are given to one name may be of several types.
pub(crate) fn differ(src: &[u8], all: &[Given<'_>]) -> bool {
    let head = |given: &Given<'_>| {
        let value = given.value.map_or(&b""[..], |value| text(src, value));
        let open = memchr::memchr(b'(', value).unwrap_or(value.len());
        value[..open].to_vec()
    };
    all.windows(2).any(|pair| head(&pair[0]) != head(&pair[1]))
}

/// Whether a type says that a value may be of another one too.
pub(crate) fn type_is_open(said: &[u8]) -> bool {
    const OPEN: &[&[u8]] = byte_words!("Any any unknown object Union");
    const NOTHING: &[&[u8]] = byte_words!("None null undefined void false");
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let mut words = said.split(|b| !is_word(b));
    let either = said.split(|b| *b == b'|').map(bare);
    let either = either.filter(|part| !part.is_empty() && !NOTHING.contains(part));
    said.contains(&b'&') || words.any(|word| OPEN.contains(&word)) || either.count() > 1
}

/// A type without what stands before and around it where it is written: `: "A"`.
fn bare(mut said: &[u8]) -> &[u8] {
    let is_mark = |b: &u8| matches!(b, b':' | b'"' | b'\'' | b' ' | b'\n');
    while let [first, rest @ ..] = said
        && is_mark(first)
    {
        said = rest;
    }
    while let [rest @ .., last] = said
        && is_mark(last)
    {
        said = rest;
    }
    said
}

/// Whether some call that takes an object may say what it is, or give it members: it is asked as a condition, it stands
/// alone and takes it first, or it is called so.
pub(crate) fn is_handed_on(
    src: &[u8],
    all: &[Node<'_>],
    object: &[u8],
    (call, callee): (&str, &str),
) -> bool {
    let takes_it = |taking: &Node<'_>| {
        let arguments = taking.field("arguments");
        let mut given = arguments
            .into_iter()
            .flat_map(|of| of.named().filter(|one| !one.is_extra()).take(8));
        given.position(|one| text(src, one) == object)
    };
    all.iter().any(|node| {
        let taking = Some(node).filter(|node| node.kind_name() == call);
        let Some((place, called)) =
            taking.and_then(|taking| Some((takes_it(taking)?, taking.field(callee)?)))
        else {
            return false;
        };
        let name = text(src, called);
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let last = name.rsplit(|b| !is_part(b)).next().unwrap_or(name);
        let is_bare = called.kind_name() == "identifier";
        let stands_alone = node
            .parent()
            .is_some_and(|above| above.kind_name() == "expression_statement");
        let speaks = !matches!(last, b"print" | b"log" | b"repr" | b"str" | b"len");
        speaks && (says_what(last) || is_asked(*node) || (stands_alone && is_bare && place == 0))
    })
}

/// Whether a function is called as those are that say what a value is, or change it: `isModel`, `set_up`.
fn says_what(name: &[u8]) -> bool {
    CHANGING.iter().any(|word| {
        let rest = name.strip_prefix(word.as_bytes());
        rest.is_some_and(|rest| {
            rest.first().is_none_or(|next| {
                *next == b'_' || next.is_ascii_uppercase() || next.is_ascii_digit()
            })
        })
    })
}

/// Whether a call is asked as a condition.
fn is_asked(call: Node<'_>) -> bool {
    const THROUGH: &[&str] = words!(
        "parenthesized_expression unary_expression await_expression await not_operator boolean_operator
         comparison_operator"
    );
    const CONDITIONS: &[&str] = words!(
        "if_statement while_statement ternary_expression conditional_expression assert_statement elif_clause
         if_clause"
    );
    let mut inner = call;
    for above in around(call).take(8) {
        let kind = above.kind_name();
        if CONDITIONS.contains(&kind) {
            let branches = ["consequence", "alternative", "body"];
            return !branches
                .iter()
                .any(|field| above.field(field) == Some(inner));
        }
        if kind == "binary_expression" {
            let operator = above.field("operator").map(|of| of.kind_name());
            if matches!(operator, Some("&&" | "||" | "??")) {
                return true;
            }
        } else if !THROUGH.contains(&kind) {
            return false;
        } else if kind == "boolean_operator" {
            return true;
        }
        inner = above;
    }
    false
}
