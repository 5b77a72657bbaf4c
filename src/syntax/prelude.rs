//! What the rows, hooks and hints of every language are written with.

pub(crate) use super::alike::{alike, list_of, made_alike, only_statement};
pub(crate) use super::containers::{Containers, Holding, may_be_own};
pub(crate) use super::hints::{Hint, MAX_STEPS, Step};
pub(crate) use super::node::{MAX_PARTS, NodeExt};
pub(crate) use super::rows::{DefRow, Hook, LangSpec, Rule, def, joined};
pub(crate) use super::symbols::Draft;
pub(crate) use super::walk::{Frame, Scope, Walk, is_name, string_content};
pub(crate) use super::{hooks, interpolated};
pub(crate) use crate::record::{
    HintKind, ImportKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind,
};
pub(crate) use tree_sitter::Node;

// Uses and rules stand in rows by their bare names.
pub(crate) use OccurrenceKind::{Call, Expand, Import, Inherit, Mention, Read, Type, Write};
pub(crate) use Rule::{
    Arg, Bound, Capital, Chain, Ends, First, FirstOr, Infix, Is, Loose, Member, MemberIs, Object,
    Pass, Pattern,
};
