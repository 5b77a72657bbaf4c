//! What the value of an expression follows from, while its syntax is being looked through.

use super::flows::Clue;
use crate::record::Flow;
use tree_sitter::Node;

/// How many steps an expression or a type is followed inwards before it is given up. What people write
/// takes a few.
pub(crate) const MAX_STEPS: usize = 32;

/// What a value follows from: an identifier, or nothing that has a name.
#[derive(Clone, Copy)]
pub(crate) enum Source<'t> {
    Of(Flow, Node<'t>),
    This,
    Literal,
}

impl<'t> Source<'t> {
    /// One element of it, as a loop or an index takes it.
    pub(crate) fn element(self) -> Option<Self> {
        let Self::Of(flow, name) = self else {
            return None;
        };
        let flow = match flow {
            Flow::Value => Flow::Element,
            Flow::Result => Flow::ResultElement,
            Flow::Elements => Flow::Type,
            _ => return None,
        };
        Some(Self::Of(flow, name))
    }

    /// A collection of it, `times` deep, as an array type is one of its elements' type.
    pub(crate) fn collections(self, times: usize) -> Option<Self> {
        match (self, times) {
            (_, 0) | (Self::Literal, _) => Some(self),
            (Self::Of(Flow::Type, name), 1) => Some(Self::Of(Flow::Elements, name)),
            _ => None,
        }
    }

    pub(crate) fn clue(self) -> Clue {
        match self {
            Self::Of(flow, name) => Clue::of(flow, name),
            Self::This => Clue::THIS,
            Self::Literal => Clue::LITERAL,
        }
    }
}
