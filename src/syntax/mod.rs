//! What reading any language is made of: trees parsed within a budget, the walk over them, the rows
//! that steer it, and what is collected on the way.
//!
//! Guarantees: nothing here knows a language by name; what differs between them is said by
//! [`rows::LangSpec`] and by the scanners of [`crate::lang`].

mod alike;
mod around;
mod base;
pub(crate) mod blanked;
pub mod calls;
pub(crate) mod containers;
pub(crate) mod entry_points;
pub(crate) mod found;
pub(crate) mod hints;
pub(crate) mod hooks;
mod imports;
pub(crate) mod intern;
pub(crate) mod interpolated;
pub(crate) mod keys;
pub(crate) mod memory;
pub(crate) mod node;
mod occurrences;
pub(crate) mod parse;
mod parts;
pub(crate) mod prelude;
pub(crate) mod recover;
pub(crate) mod rows;
pub(crate) mod symbols;
pub mod terms;
mod unclosed;
pub(crate) mod walk;
