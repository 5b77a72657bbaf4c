//! The rows that describe a language to the walk, compiled once into tables indexed by node kind.
//!
//! Tree-sitter queries are deliberately absent: a cursor walk over these tables is faster, and
//! compiling a query costs up to half a second at start.

use super::entry_points::EntryRows;
use super::hints::Hint;
use super::symbols::Draft;
use super::walk::{Frame, Walk};
use crate::record::{OccurrenceKind, SymbolKind};
use tree_sitter::{Language, Node};

/// What a node does with one of its children.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Rule {
    /// Identifiers below it are used this way.
    Is(OccurrenceKind),
    /// The use of the node itself goes on to the child.
    Pass,
    /// A type argument or operand: a type inside types and base-class lists, else a read.
    Arg,
    /// The part of a member access before the dot.
    Object,
    /// The part after the dot: takes over the use of the whole access, qualified by the object.
    Member,
    /// The part after the dot, used this way; without an object it is a bare name.
    MemberIs(OccurrenceKind),
    /// Used this way when it is dotted or begins with a capital, else read (JSX components).
    Capital(OccurrenceKind),
    /// Part of a pattern: the use goes on, unless it is a path or a name with a capital, which is that
    /// of a constant or of a case and is read.
    Pattern,
    /// Part of a token stream without syntax: called when a parenthesis follows.
    Loose,
    /// Part of a dotted path that is one flat node: the last name is the member, what stands before
    /// it the object.
    Chain,
    /// The use of the node itself goes on to its first child, modifiers aside; the others are read.
    First,
    /// The use of the node itself goes on to its first child; the others are used this way.
    FirstOr(OccurrenceKind),
    /// The use of the node itself goes on to its first and its last child; what stands between is read.
    Ends,
    /// `a f b` in one flat node: `f` is called as a member of `a`.
    Infix,
    /// A pattern: a name that begins with a capital is read, any other bound.
    Bound,
}

/// Code for a construct that no table row can describe; runs when its node is entered. What stands
/// below is visited next, unless the hook asks for [`Frame::skip`].
pub(crate) type Hook = for<'t> fn(&mut Walk<'t>, Node<'t>, &mut Frame<'t>);

/// A node kind that always defines a symbol.
#[derive(Clone, Copy)]
pub(crate) struct DefRow {
    pub(crate) node: &'static str,
    pub(crate) kind: SymbolKind,
    /// Field that holds the name.
    pub(crate) name: &'static str,
    /// Field that holds the body: the signature ends before it.
    pub(crate) body: &'static str,
}

/// A node kind that always defines a symbol and has the fields `name` and `body`, as most have.
pub(crate) const fn def(node: &'static str, kind: SymbolKind) -> DefRow {
    DefRow {
        node,
        kind,
        name: "name",
        body: "body",
    }
}

/// Rows of two languages, one list after the other.
pub(crate) const fn joined<T: Copy, const N: usize>(first: &[T], second: &[T]) -> [T; N] {
    let mut all = [first[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < first.len() {
            first[at]
        } else {
            second[at - first.len()]
        };
        at += 1;
    }
    all
}

usual! {
    /// One language.
    pub(crate) struct LangSpec() {
        pub(crate) defs: &'static [DefRow] = &[],
        /// Completes what a [`DefRow`] found, or rejects it.
        pub(crate) refine: for<'t> fn(&mut Walk<'t>, Node<'t>, &Frame<'t>, &mut Draft<'t>) = |_, _, _, _| {},
        pub(crate) hooks: &'static [(&'static str, Hook)] = &[],
        /// `(parent kind, field, rule)`; the field `""` stands for every child without a row.
        pub(crate) roles: &'static [(&'static str, &'static str, Rule)] = &[],
        /// Leaves that are identifiers, with their use where nothing else is known.
        pub(crate) identifiers: &'static [(&'static str, OccurrenceKind)] = &[("identifier", OccurrenceKind::Read)],
        /// Node kinds that stand for the object itself.
        pub(crate) this_kinds: &'static [&'static str] = &[],
        /// Identifiers that stand for the object itself.
        pub(crate) this_names: &'static [&'static [u8]] = &[],
        /// An error in the item of a type is of its body: the head is not read once more.
        pub(crate) heads_are_read: bool = false,
        /// Whether one of these stands for the object where it stands.
        pub(crate) means_this: fn(&Walk<'_>, Node<'_>) -> bool = |_, _| true,
        /// Names may stand in backquotes, which are no part of them.
        pub(crate) backquoted: bool = false,
        pub(crate) comments: &'static [&'static str] = &["comment"],
        pub(crate) strings: &'static [&'static str] = &[],
        /// What an expression says of its own value.
        pub(crate) hint: fn(&Walk<'_>, Node<'_>) -> Option<Hint> = |_, _| None,
        /// Entry points that its frameworks state.
        pub(crate) entry_points: Option<&'static EntryRows> = None,
        /// Runs after the walk: facts that need the whole file.
        pub(crate) finish: fn(&mut Walk<'_>) = |_| {},
    }
}

/// How the walk treats a node kind before hooks and definitions are considered.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Class {
    /// Nothing of its own; its children are visited.
    Plain,
    /// Punctuation and keywords: nothing, and no children.
    Token,
    Identifier(OccurrenceKind),
    This,
    Comment,
    String,
}

/// Everything known of one node kind.
#[derive(Clone, Copy)]
pub(crate) struct KindEntry {
    pub(crate) class: Class,
    pub(crate) hook: Option<Hook>,
    pub(crate) def: Option<&'static DefRow>,
    /// Range of [`Tables::rules`] for its children.
    pub(crate) rules: (u32, u32),
    /// Rule for children without a row.
    pub(crate) other: Rule,
}

/// A [`LangSpec`] compiled for one grammar.
pub(crate) struct Tables {
    language: Language,
    /// Whether the grammar's own scanner could run out of stack over a file.
    overflows: Option<fn(&[u8]) -> bool>,
    /// How often the lexer may read a file.
    pub(crate) most_reads: usize,
    pub(crate) spec: &'static LangSpec,
    kinds: Vec<KindEntry>,
    /// The kind of error nodes, which no grammar lists.
    error: KindEntry,
    rules: Vec<(u16, Rule)>,
}

impl Tables {
    /// Compiles a specification. Rows for kinds the grammar lacks are ignored: related grammars
    /// share a specification.
    pub(crate) fn new(
        language: Language,
        spec: &'static LangSpec,
        overflows: Option<fn(&[u8]) -> bool>,
        most_reads: usize,
    ) -> Self {
        let mut kinds = Vec::new();
        let mut rules = Vec::new();
        for id in 0..language.node_kind_count() as u16 {
            let name = language.node_kind_for_id(id).unwrap_or("");
            let named = language.node_kind_is_named(id);
            let class = if !named {
                Class::Token
            } else if let Some((_, kind)) = spec.identifiers.iter().find(|(kind, _)| *kind == name)
            {
                Class::Identifier(*kind)
            } else if spec.this_kinds.contains(&name) {
                Class::This
            } else if spec.comments.contains(&name) {
                Class::Comment
            } else if spec.strings.contains(&name) {
                Class::String
            } else {
                Class::Plain
            };
            let start = rules.len() as u32;
            let mut other = Rule::Is(OccurrenceKind::Read);
            for (_, field, rule) in spec
                .roles
                .iter()
                .filter(|(kind, ..)| named && *kind == name)
            {
                match language.field_id_for_name(field) {
                    Some(field) => rules.push((field.get(), *rule)),
                    None if field.is_empty() => other = *rule,
                    None => {}
                }
            }
            kinds.push(KindEntry {
                class,
                hook: spec
                    .hooks
                    .iter()
                    .find(|(kind, _)| named && *kind == name)
                    .map(|(_, hook)| *hook),
                def: spec.defs.iter().find(|row| named && row.node == name),
                rules: (start, rules.len() as u32),
                other,
            });
        }
        let error = KindEntry {
            class: Class::Plain,
            hook: None,
            def: None,
            rules: (0, 0),
            other: Rule::Is(OccurrenceKind::Read),
        };
        Self {
            language,
            overflows,
            most_reads,
            spec,
            kinds,
            error,
            rules,
        }
    }

    /// The grammar.
    pub(crate) fn language(&self) -> &Language {
        &self.language
    }

    /// Whether the grammar's own scanner could run out of stack over a file.
    pub(crate) fn overflows(&self, bytes: &[u8]) -> bool {
        self.overflows.is_some_and(|overflows| overflows(bytes))
    }

    /// Returns what is known of a node kind. Errors are plain: what stands in one is visited as what
    /// stands in the root, which may be an error itself.
    pub(crate) fn kind(&self, id: u16) -> &KindEntry {
        self.kinds.get(id as usize).unwrap_or(&self.error)
    }

    /// Whether an entry is that of error nodes.
    pub(crate) fn is_error(&self, entry: &KindEntry) -> bool {
        std::ptr::eq(entry, &self.error)
    }

    /// Returns the rule of a kind for the child in `field` (0 for no field).
    pub(crate) fn rule(&self, entry: &KindEntry, field: u16) -> Rule {
        let rows = &self.rules[entry.rules.0 as usize..entry.rules.1 as usize];
        rows.iter()
            .find(|(id, _)| *id == field)
            .map_or(entry.other, |(_, rule)| *rule)
    }
}
