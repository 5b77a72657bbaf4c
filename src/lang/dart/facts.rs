//! What sets Dart apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// Dart.
pub(crate) static DART: Language = Language {
    reader: Reader::tree(
        parser!("grammar-dart", tree_sitter_dart::LANGUAGE),
        &super::DART,
    ),
    extensions: &["dart"],
    interpreters: &["dart"],
    ..Language::new(Grammar::Dart)
};
