//! What the source says of a value, while it can still change: an annotation read inwards, a chain
//! of calls read back to where it begins. Becomes a [`Clue`] once it is done.
//!
//! Deliberately absent: anything of one language.

use crate::extract::flows::Clue;
use crate::extract::record::Flow;
use crate::extract::syntax::Syntax;
use tree_sitter::Node;

/// How many steps an annotation or an expression is followed before it is given up.
pub(super) const MAX_STEPS: usize = 32;

/// A value that follows from the identifier at a node, which says nothing where the flow follows
/// from none.
#[derive(Clone, Copy)]
pub(super) struct Known<'n> {
    pub(super) flow: Flow,
    pub(super) node: Node<'n>,
}

impl<'n> Known<'n> {
    pub(super) fn new(flow: Flow, node: Node<'n>) -> Self {
        Self { flow, node }
    }

    /// One element of it, `times` deep.
    pub(super) fn element(self, times: usize) -> Option<Self> {
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
    pub(super) fn collection(self, times: usize) -> Option<Self> {
        let flow = match (self.flow, times) {
            (flow, 0) => flow,
            (Flow::Type, 1) => Flow::Elements,
            (Flow::Literal, _) => Flow::Literal,
            _ => return None,
        };
        Some(Self { flow, ..self })
    }

    pub(super) fn clue(self) -> Clue {
        match self.flow {
            Flow::This => Clue::THIS,
            Flow::Literal => Clue::LITERAL,
            flow => Clue::of(flow, self.node),
        }
    }
}

/// The named children that are no comments.
pub(super) fn children<'n>(node: Node<'n>) -> Vec<Node<'n>> {
    let found = node.named();
    found.filter(|child| !child.is_extra()).collect()
}

/// The named children in a field.
pub(super) fn in_field<'n>(node: Node<'n>, field: &str) -> Vec<Node<'n>> {
    let found = node.fields(field);
    found.filter(Node::is_named).collect()
}
