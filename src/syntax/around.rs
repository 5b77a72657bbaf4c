//! What is around the node that a walk enters: the nodes it lies in, and what holds there.

use super::node::NodeExt;
use super::walk::{Frame, Walk};
use tree_sitter::Node;

impl<'t> Walk<'t> {
    /// What holds in the enclosing node `up` levels above the one being entered.
    pub(crate) fn ancestor(&self, up: usize) -> Option<&Frame<'t>> {
        self.stack
            .len()
            .checked_sub(up + 1)
            .and_then(|i| self.stack.get(i))
    }

    /// As [`Self::ancestor`], to change what holds there.
    pub(crate) fn ancestor_mut(&mut self, up: usize) -> Option<&mut Frame<'t>> {
        let at = self.stack.len().checked_sub(up + 1)?;
        self.stack.get_mut(at)
    }

    /// The nearest enclosing node of one of these kinds, the node being entered not counted.
    pub(crate) fn enclosing(&self, kinds: &[&str]) -> Option<&Frame<'t>> {
        let mut outwards = self.stack.iter().rev();
        outwards.find(|frame| kinds.contains(&frame.node.kind_name()))
    }

    /// The enclosing node `up` levels above the one being entered.
    pub(crate) fn above(&self, up: usize) -> Option<Node<'t>> {
        self.ancestor(up).map(|above| above.node)
    }

    /// The kind of the enclosing node `up` levels above the one being entered; empty if there is none.
    pub(crate) fn kind_above(&self, up: usize) -> &'t str {
        self.above(up).map_or("", |above| above.kind_name())
    }

    /// Whether the object that begins at a byte says which of several it is: `this@Outer` of Kotlin.
    pub(super) fn is_labelled_this(&self, start: usize) -> bool {
        let rest = self.src.get(start..).unwrap_or_default();
        rest.starts_with(b"this@")
    }
}
