//! What sets Rust apart.

use super::item_macros;
use crate::lang::language::{Language, Reader, TreeReader, parser};
use crate::record::Grammar;

/// Rust.
pub(crate) static RUST: Language = Language {
    reader: Reader::Tree(TreeReader {
        inner: Some(item_macros::parse),
        ..TreeReader::new(
            parser!("grammar-rust", tree_sitter_rust::LANGUAGE),
            &super::RUST,
        )
    }),
    extensions: &["rs"],
    interpreters: &["rust-script"],
    ..Language::new(Grammar::Rust)
};
