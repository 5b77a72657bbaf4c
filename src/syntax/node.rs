//! Short questions to a syntax node: for its parts by field, by kind and by place.
//!
//! Deliberately absent: what a part means in a language.

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::iter;
use std::num::NonZeroU16;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use tree_sitter::{Language, Node, Point};

/// Most children of a node that are looked through for each of them.
pub(crate) const MAX_PARTS: usize = 128;

/// Names of fields with their numbers in a grammar.
type Fields = FxHashMap<Box<str>, Option<NonZeroU16>>;

/// Names of kinds by their numbers.
type Kinds = &'static [&'static str];

/// The kinds of a grammar, read once and kept for as long as the program runs, as the grammar is.
fn kinds_of(language: &Language) -> Kinds {
    static READ: Mutex<Vec<(&'static Language, Kinds)>> = Mutex::new(Vec::new());
    let mut all = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = all.iter().find(|(of, _)| *of == language) {
        return known;
    }
    let language: &'static Language = Box::leak(Box::new(language.clone()));
    let ids = 0..language.node_kind_count() as u16;
    let kinds: Vec<&str> = ids
        .map(|id| language.node_kind_for_id(id).unwrap_or_default())
        .collect();
    let kinds: Kinds = kinds.leak();
    all.push((language, kinds));
    kinds
}

/// What was asked of a grammar. tree-sitter compares the name of a field with that of each, and reads and checks
/// the name of a kind, which has no length, at each question.
struct Asked {
    language: Language,
    fields: Fields,
    kinds: Kinds,
}

impl Asked {
    fn new(language: Language) -> Self {
        Self {
            kinds: kinds_of(&language),
            fields: Fields::default(),
            language,
        }
    }

    fn number_of(&mut self, name: &str) -> Option<NonZeroU16> {
        if let Some(known) = self.fields.get(name) {
            return *known;
        }
        let found = self.language.field_id_for_name(name);
        self.fields.insert(name.into(), found);
        found
    }
}

thread_local! {
    /// The grammars that were asked, the one asked last in front.
    static ASKED: RefCell<Vec<Asked>> = const { RefCell::new(Vec::new()) };
}

/// Asks the grammar of a node.
fn asked<T>(node: Node<'_>, ask: impl FnOnce(&mut Asked) -> T) -> T {
    let language = node.language();
    ASKED.with_borrow_mut(|all| {
        match all.iter().position(|of| of.language == *language) {
            Some(0) => {}
            Some(at) => all.swap(0, at),
            None => all.insert(0, Asked::new(language.clone())),
        }
        ask(&mut all[0])
    })
}

/// The number of a field in the grammar of a node.
fn field_id(node: Node<'_>, name: &str) -> Option<NonZeroU16> {
    asked(node, |of| of.number_of(name))
}

/// Questions to a node that the languages ask all the time.
pub(crate) trait NodeExt<'t>: Copy {
    /// The name of what it is in its grammar: `kind` of tree-sitter, at a third of the price.
    fn kind_name(self) -> &'static str;

    /// The first child in a field.
    fn field(self, name: &str) -> Option<Node<'t>>;

    /// The first child in a field, when it is of this kind.
    fn field_of(self, name: &str, kind: &str) -> Option<Node<'t>>;

    /// Whether it has more children than may be looked through for each of them: of a list of ten thousand that
    /// would be a hundred million.
    fn is_wide(self) -> bool;

    /// All children in a field, tokens among them.
    fn fields(self, name: &str) -> impl Iterator<Item = Node<'t>>;

    /// All children, tokens among them.
    fn parts(self) -> impl Iterator<Item = Node<'t>>;

    /// All children of this kind in a field.
    fn fields_of(self, name: &str, kind: &str) -> impl Iterator<Item = Node<'t>>;

    /// The children that are no tokens; comments are among them.
    fn named(self) -> impl Iterator<Item = Node<'t>>;

    /// The named children of this kind.
    fn all_of(self, kind: &str) -> impl Iterator<Item = Node<'t>>;

    /// The children that are neither tokens nor comments.
    fn content(self) -> Vec<Node<'t>>;

    /// The child at a place among those that are neither tokens nor comments.
    fn nth_part(self, place: u32) -> Option<Node<'t>>;

    /// The children in a field that are no tokens.
    fn named_fields(self, name: &str) -> Vec<Node<'t>>;

    /// The first child of one of these kinds, tokens among them.
    fn part(self, kinds: &[&str]) -> Option<Node<'t>>;

    /// The first named child of this kind.
    fn named_of(self, kind: &str) -> Option<Node<'t>>;

    /// The last named child of this kind.
    fn last_of(self, kind: &str) -> Option<Node<'t>>;

    /// The last named child.
    fn last_named(self) -> Option<Node<'t>>;

    /// How many children it has that are neither tokens nor comments, unless it has very many.
    fn argument_count(self) -> Option<usize>;

    /// From where it starts to where it ends.
    fn span(self) -> Range<Point>;
}

impl<'t> NodeExt<'t> for Node<'t> {
    fn kind_name(self) -> &'static str {
        let id = usize::from(self.kind_id());
        // What is no part of a grammar has a number beyond.
        asked(self, |of| of.kinds.get(id).copied()).unwrap_or("ERROR")
    }

    fn field(self, name: &str) -> Option<Node<'t>> {
        self.child_by_field_id(field_id(self, name)?.get())
    }

    fn field_of(self, name: &str, kind: &str) -> Option<Node<'t>> {
        self.field(name).filter(|child| child.kind_name() == kind)
    }

    fn is_wide(self) -> bool {
        self.child_count() as usize > MAX_PARTS
    }

    fn fields(self, name: &str) -> impl Iterator<Item = Node<'t>> {
        let field = field_id(self, name);
        let mut cursor = self.walk();
        let mut more = field.is_some() && cursor.goto_first_child();
        iter::from_fn(move || {
            while more {
                let (found, of) = (cursor.node(), cursor.field_id());
                more = cursor.goto_next_sibling();
                if of == field {
                    return Some(found);
                }
            }
            None
        })
    }

    fn fields_of(self, name: &str, kind: &str) -> impl Iterator<Item = Node<'t>> {
        self.fields(name)
            .filter(move |child| child.kind_name() == kind)
    }

    fn parts(self) -> impl Iterator<Item = Node<'t>> {
        let mut cursor = self.walk();
        let mut more = cursor.goto_first_child();
        iter::from_fn(move || {
            let found = more.then(|| cursor.node())?;
            more = cursor.goto_next_sibling();
            Some(found)
        })
    }

    fn named(self) -> impl Iterator<Item = Node<'t>> {
        self.parts().filter(Node::is_named)
    }

    fn all_of(self, kind: &str) -> impl Iterator<Item = Node<'t>> {
        self.named().filter(move |child| child.kind_name() == kind)
    }

    fn content(self) -> Vec<Node<'t>> {
        self.named().filter(|child| !child.is_extra()).collect()
    }

    fn nth_part(self, place: u32) -> Option<Node<'t>> {
        self.named()
            .filter(|child| !child.is_extra())
            .nth(place as usize)
    }

    fn named_fields(self, name: &str) -> Vec<Node<'t>> {
        self.fields(name).filter(Node::is_named).collect()
    }

    fn part(self, kinds: &[&str]) -> Option<Node<'t>> {
        self.parts()
            .find(|child| kinds.contains(&child.kind_name()))
    }

    fn named_of(self, kind: &str) -> Option<Node<'t>> {
        self.all_of(kind).next()
    }

    fn last_of(self, kind: &str) -> Option<Node<'t>> {
        self.all_of(kind).last()
    }

    fn last_named(self) -> Option<Node<'t>> {
        self.named_child(self.named_child_count().checked_sub(1)? as u32)
    }

    fn argument_count(self) -> Option<usize> {
        match self.named_child_count() {
            0 => Some(0),
            _ if self.is_wide() => None,
            _ => Some(self.named().filter(|child| !child.is_extra()).count()),
        }
    }

    fn span(self) -> Range<Point> {
        self.start_position()..self.end_position()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tree_sitter::Parser;

    #[test]
    fn kinds_have_the_names_that_the_grammar_gives_them() {
        let samples: [(Language, &str); 3] = [
            (
                tree_sitter_typescript::LANGUAGE_TSX.into(),
                "export const a = (b: C[]) => <p d={b.e}>f</p>; class { ]",
            ),
            (
                tree_sitter_python::LANGUAGE.into(),
                "@a\nasync def f(*b, c=1): return {**d, f'{e}': not g}\nprint )",
            ),
            (
                tree_sitter_rust::LANGUAGE.into(),
                "impl<'a> T for U<'a> { fn f(&self) -> ! { m!(x); loop {} } } fn (",
            ),
        ];
        for (language, text) in samples {
            let mut parser = Parser::new();
            parser.set_language(&language).unwrap();
            let tree = parser.parse(text, None).unwrap();
            let (mut open, mut errors) = (vec![tree.root_node()], 0);
            while let Some(node) = open.pop() {
                assert_eq!(node.kind_name(), node.kind());
                errors += usize::from(node.is_error());
                open.extend(node.parts());
            }
            assert!(errors > 0, "{text}");
        }
    }
}
