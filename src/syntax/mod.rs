//! What reading any language is made of: trees parsed within a budget, the walk over them, the rows
//! that steer it, and what is collected on the way.
//!
//! Guarantees: nothing here knows a language by name; what differs between them is said by
//! [`rows::LangSpec`] and by the scanners of [`crate::lang`].

pub(crate) mod blanked;
pub(crate) mod flows;
pub(crate) mod found;
mod imports;
pub(crate) mod intern;
pub(crate) mod interpolated;
pub(crate) mod keys;
pub(crate) mod memory;
pub(crate) mod parse;
pub(crate) mod rows;
pub(crate) mod sources;
pub(crate) mod symbols;
pub mod terms;
mod unclosed;
pub(crate) mod values;
pub(crate) mod walk;
