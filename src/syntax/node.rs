//! Short questions to a syntax node: for its parts by field, by kind and by place.
//!
//! Deliberately absent: what a part means in a language.

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::iter;
use std::num::NonZeroU16;
use std::ops::Range;
use tree_sitter::{Language, Node, Point};

/// Most children of a node that are looked through for each of them.
pub(crate) const MAX_PARTS: usize = 128;

/// Names of fields with their numbers in a grammar.
type Fields = FxHashMap<Box<str>, Option<NonZeroU16>>;

thread_local! {
    /// Those that were asked for, the grammar asked last in front: tree-sitter compares a name with that of each field.
    static FIELDS: RefCell<Vec<(Language, Fields)>> = const { RefCell::new(Vec::new()) };
}

/// The number of a field in the grammar of a node.
fn field_id(node: Node<'_>, name: &str) -> Option<NonZeroU16> {
    let language = node.language();
    FIELDS.with_borrow_mut(|all| {
        match all.iter().position(|(of, _)| *of == *language) {
            Some(0) => {}
            Some(at) => all.swap(0, at),
            None => all.insert(0, (language.clone(), Fields::default())),
        }
        let (_, fields) = all.first_mut()?;
        if let Some(known) = fields.get(name) {
            return *known;
        }
        let found = language.field_id_for_name(name);
        fields.insert(name.into(), found);
        found
    })
}

/// Questions to a node that the languages ask all the time.
pub(crate) trait NodeExt<'t>: Copy {
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
    fn field(self, name: &str) -> Option<Node<'t>> {
        self.child_by_field_id(field_id(self, name)?.get())
    }

    fn field_of(self, name: &str, kind: &str) -> Option<Node<'t>> {
        self.field(name).filter(|child| child.kind() == kind)
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
        self.fields(name).filter(move |child| child.kind() == kind)
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
        self.named().filter(move |child| child.kind() == kind)
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
        self.parts().find(|child| kinds.contains(&child.kind()))
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
