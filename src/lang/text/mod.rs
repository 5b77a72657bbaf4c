//! Text of no known language.

pub(crate) mod facts;
