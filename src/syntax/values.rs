//! What the source says of a value, while it can still change: an annotation read inwards, a chain
//! of calls read back to where it begins. Becomes a [`Clue`] once it is done.
//!
//! Deliberately absent: anything of one language.

use crate::record::{Flow, OccurrenceKind, Qualifier};
use crate::syntax::flows::Clue;
use crate::syntax::walk::Walk;
use std::ops::Range;
use tree_sitter::{Node, Point};

/// How many steps an annotation or an expression is followed before it is given up.
pub(crate) const MAX_STEPS: usize = 32;

/// A value that follows from the identifier at a node, which says nothing where the flow follows
/// from none.
#[derive(Clone, Copy)]
pub(crate) struct Known<'n> {
    pub(crate) flow: Flow,
    pub(crate) node: Node<'n>,
}

impl<'n> Known<'n> {
    pub(crate) fn new(flow: Flow, node: Node<'n>) -> Self {
        Self { flow, node }
    }

    /// One element of it, `times` deep.
    pub(crate) fn element(self, times: usize) -> Option<Self> {
        let mut flow = self.flow;
        for _ in 0..times {
            flow = match flow {
                Flow::Elements => Flow::Type,
                Flow::Value => Flow::Element,
                Flow::Result => Flow::ResultElement,
                Flow::Literal => Flow::Literal,
                _ => return None,
            };
        }
        Some(Self { flow, ..self })
    }

    /// A collection of it, `times` deep.
    pub(crate) fn collection(self, times: usize) -> Option<Self> {
        let flow = match (self.flow, times) {
            (flow, 0) => flow,
            (Flow::Type, 1) => Flow::Elements,
            (Flow::Literal, _) => Flow::Literal,
            _ => return None,
        };
        Some(Self { flow, ..self })
    }

    pub(crate) fn clue(self) -> Clue {
        match self.flow {
            Flow::This => Clue::THIS,
            Flow::Literal => Clue::LITERAL,
            flow => Clue::of(flow, self.node),
        }
    }
}

/// The bytes of a node.
pub(crate) fn text<'t>(walk: &Walk<'t>, node: Node<'_>) -> &'t [u8] {
    walk.src.get(node.byte_range()).unwrap_or(b"")
}

/// The named children that are no comments.
pub(crate) fn children<'n>(node: Node<'n>) -> Vec<Node<'n>> {
    let mut cursor = node.walk();
    let found = node.named_children(&mut cursor);
    found.filter(|child| !child.is_extra()).collect()
}

/// The named children in a field.
pub(crate) fn in_field<'n>(node: Node<'n>, field: &str) -> Vec<Node<'n>> {
    let mut cursor = node.walk();
    let found = node.children_by_field_name(field, &mut cursor);
    found.filter(Node::is_named).collect()
}

/// What a node spans.
pub(crate) fn span(node: Node<'_>) -> Range<Point> {
    node.start_position()..node.end_position()
}

impl<'t> Walk<'t> {
    /// Records the name of a field where a value is put together or taken apart by fields, as a
    /// member of what `object` says.
    pub(crate) fn field_name(
        &mut self,
        name: Node<'t>,
        kind: OccurrenceKind,
        object: Option<Clue>,
    ) {
        let at = name.start_position();
        let qualifier = if object == Some(Clue::THIS) {
            Qualifier::This
        } else {
            Qualifier::Expression
        };
        if let Some(object) = object.filter(|_| qualifier == Qualifier::Expression) {
            self.receiver(at, object);
        }
        self.occurrence(self.text(name), at.row, at.column, kind, qualifier);
        self.pass_over(name);
    }

    /// Keeps an identifier that is recorded already from being recorded again.
    pub(crate) fn pass_over(&mut self, name: Node<'t>) {
        self.def_names.insert(name.start_byte());
    }

    /// Lets the name of a definition be an occurrence as well, as it names something else too.
    pub(crate) fn names_another(&mut self, name: Node<'t>) {
        let start = name.start_byte();
        self.def_names.remove(&start);
    }
}
