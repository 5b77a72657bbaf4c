//! What the documents of a view mean together: which module an import names.

pub mod modules;
