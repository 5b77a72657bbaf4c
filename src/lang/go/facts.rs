//! What sets Go apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// Go.
pub(crate) static GO: Language = Language {
    reader: Reader::tree(parser!("grammar-go", tree_sitter_go::LANGUAGE), &super::GO),
    extensions: &["go"],
    ..Language::new(Grammar::Go)
};
