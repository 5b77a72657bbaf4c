//! What a language says of its parameter lists and calls.
//!
//! A row is `kind.field`: a child of a node of this kind, by its field or, where the node has no such
//! field, by its own kind. `kind.` is the node itself for a list, and a child by its place for a callee.

use super::{By, Need, Parameter, Parameters, Receiver, Strictness};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// What a node in a parameter list is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Take {
    /// A parameter; what stands in it may make it optional or a rest.
    One(By, Need),
    /// The object that the method belongs to.
    This,
    /// What stands before it is given by place only: `/`.
    EndOfPlaces,
    /// What comes after it is given by name only: `*`.
    StartOfNames,
    /// Parameters that may be left out, by name where they stand in braces.
    Group,
    /// Any arguments whatever.
    All,
    /// No parameter.
    Nothing,
}

/// What a node in an argument list is; any that is in no row is one argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Give {
    /// One that says itself whether it is named or spread.
    Wrapped,
    /// One that is given by name.
    Named,
    /// A list of any length.
    Spread,
    /// A list that is all that the last parameter takes.
    WholeRest,
    /// Names unknown.
    SpreadNames,
    /// What may give several values where it stands last.
    Several,
    /// The same where it stands alone.
    SeveralAlone,
    /// No argument: a block, a comment.
    Nothing,
    /// What stands for arguments left open: nothing is called here.
    Open,
    /// The same in place of a list, and one argument in a list: the template of a tag.
    OpenAlone,
}

/// Finds the parameter lists of a definition; `None` where they cannot be told.
pub(crate) type FindLists = for<'t> fn(&[u8], Node<'t>) -> Option<Vec<Node<'t>>>;

usual! {
    /// How a language writes definitions and calls.
    pub(crate) struct CallRows() {
        pub(crate) strictness: Strictness = Strictness::Checked,
        /// `kind.list` of what can be called.
        pub(crate) definitions: &'static [&'static str] = &[],
        /// `kind.child` of what has a definition in it, by the range of which it goes.
        pub(crate) wraps: &'static [&'static str] = &[],
        /// Finds the lists where rows are not enough.
        pub(crate) lists: Option<FindLists> = None,
        pub(crate) takes: &'static [(Take, &'static [&'static str])] = &[],
        /// What a node in a parameter list is that is in no row; unknown where nothing is said.
        pub(crate) other: Option<Take> = None,
        /// Fields and kinds in a parameter that make it optional.
        pub(crate) optional: &'static [&'static str] = &["=", "value", "default_value"],
        /// Fields and kinds in a parameter that make it a rest.
        pub(crate) rest: &'static [&'static str] = &["..."],
        /// Words before a parameter, in the list, that make it a rest.
        pub(crate) rest_words: &'static [&'static str] = &[],
        /// Whether what comes after a rest is given by name.
        pub(crate) names_after_rest: bool = false,
        /// Fields, or else kinds, of its name.
        pub(crate) names: &'static [&'static str] = &["name", "pattern"],
        /// Whether one node may declare several parameters, each with a field of [`Self::names`].
        pub(crate) many_names: bool = false,
        /// Field of its type.
        pub(crate) types: &'static str = "type",
        /// Names of functions that give one value whatever is said of calls.
        pub(crate) gives_one: &'static [&'static str] = &[],
        /// Names that are the object's, and what becomes of it.
        pub(crate) this: (&'static [&'static str], Receiver) = (&[], Receiver::None),
        /// Completes a parameter.
        pub(crate) each: fn(&[u8], Node<'_>, &mut Parameter) = |_, _, _| {},
        /// Completes what was read of a definition; `false` where calls go by something else.
        pub(crate) finish: fn(&[u8], Node<'_>, &mut Parameters) -> bool = |_, _, _| true,
        /// Field of the type of the result, or the token before it.
        pub(crate) result: &'static [&'static str] = &["return_type"],
        /// Words before the list that mean that callers wait.
        pub(crate) asynchronous: &'static [&'static str] = &["async"],
        /// `kind.body` of types whose name is called to make a value.
        pub(crate) types_called: &'static [&'static str] = &[],
        /// Names and kinds of what makes a value, in such a body.
        pub(crate) constructors: &'static [&'static str] = &[],
        /// `kind.callee` of calls; `kind.` is the first child.
        pub(crate) calls: &'static [&'static str] = &[],
        /// `kind.part` in which the callee's name is; `kind.` is the first child.
        pub(crate) passes: &'static [&'static str] = &[],
        /// The same after an object; `kind.` is the last child.
        pub(crate) members: &'static [&'static str] = &[],
        /// The same after a type or module; `kind.` is the last child.
        pub(crate) paths: &'static [&'static str] = &[],
        /// Fields of a call that hold an object.
        pub(crate) objects: &'static [&'static str] = &[],
        /// Whether the words before a dot may be a type as well as an object.
        pub(crate) through_types: bool = false,
        /// Fields and kinds of argument lists, or of a lone argument.
        pub(crate) arguments: &'static [&'static str] = &["arguments"],
        pub(crate) gives: &'static [(Give, &'static [&'static str])] = &[],
        /// Fields and tokens in an argument that mean that it is named.
        pub(crate) named: &'static [&'static str] = &[":"],
        /// Whether arguments by place may follow a named one that stands in its own place.
        pub(crate) mixes_names: bool = false,
        /// Kinds and tokens in an argument that mean that it is spread.
        pub(crate) spread: &'static [&'static str] = &[],
        /// Kinds of functions behind the parentheses.
        pub(crate) trailing: &'static [&'static str] = &[],
        /// Whether a call without a list is one without arguments.
        pub(crate) bare_calls: bool = false,
        /// Kinds of lists of tokens that macros take, in which calls are not told from anything else.
        pub(crate) tokens: &'static [&'static str] = &[],
        /// Whether named arguments are one hash where the definition takes no names.
        pub(crate) names_are_a_hash: bool = false,
        /// Operators of `binary_operator` whose left side is one more argument.
        pub(crate) pipes: &'static [&'static str] = &[],
        /// Whether a name that is called may mean something else than the types and names around it say: a member of another
        /// type than the one of this name, which is empty where none is meant.
        pub(crate) is_doubtful: fn(&[u8], Node<'_>, &[u8]) -> bool = |_, _, _| false,
        /// The name of the call whose result a call by this name is of.
        pub(crate) result_called: for<'t> fn(Node<'t>) -> Option<Node<'t>> = |_| None,
        /// Whether a type, or a part of one, may have members that are not written, by its node; `None` where that is not
        /// told from the node.
        pub(crate) is_open_type: Option<fn(&[u8], Node<'_>) -> bool> = None,
    }
}

/// What a row says of a node: the part behind the dot.
pub(crate) fn part_of<'r>(rows: &[&'r str], kind: &str) -> Option<&'r str> {
    let mut split = rows.iter().filter_map(|row| row.split_once('.'));
    split.find(|(of, _)| *of == kind).map(|(_, part)| part)
}

/// What a table of kinds says of one.
pub(crate) fn told<T: Copy>(table: &[(T, &[&str])], kind: &str) -> Option<T> {
    let row = table.iter().find(|(_, kinds)| kinds.contains(&kind));
    row.map(|(told, _)| *told)
}

/// The children that a word names by field, or else by kind.
pub(crate) fn children<'t>(node: Node<'t>, word: &str) -> Vec<Node<'t>> {
    let by_field = node.named_fields(word);
    match by_field.is_empty() {
        true => node.all_of(word).collect(),
        false => by_field,
    }
}

/// The first child in one of some fields, or of one of some kinds, tokens among them.
pub(crate) fn first_of<'t>(node: Node<'t>, words: &[&str]) -> Option<Node<'t>> {
    let by_field = || words.iter().find_map(|word| node.field(word));
    by_field().or_else(|| node.part(words))
}

/// The source of a node.
pub(crate) fn text<'s>(src: &'s [u8], node: Node<'_>) -> &'s [u8] {
    src.get(node.byte_range()).unwrap_or(b"")
}

/// The source of a node as text, blanks made one.
pub(crate) fn written(src: &[u8], node: Node<'_>) -> String {
    let text = String::from_utf8_lossy(text(src, node));
    let text = text.trim_start_matches([':', '-', '>', ' ']);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
