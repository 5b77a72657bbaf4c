//! What sets Swift apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// Swift.
pub(crate) static SWIFT: Language = Language {
    reader: Reader::tree(
        parser!("grammar-swift", tree_sitter_swift::LANGUAGE),
        &super::SWIFT,
    ),
    extensions: &["swift", "swiftinterface"],
    interpreters: &["swift"],
    ..Language::new(Grammar::Swift)
};
