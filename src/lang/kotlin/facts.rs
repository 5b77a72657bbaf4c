//! What sets Kotlin apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// Kotlin.
pub(crate) static KOTLIN: Language = Language {
    reader: Reader::tree(
        parser!("grammar-kotlin", tree_sitter_kotlin_ng::LANGUAGE),
        &super::KOTLIN,
    ),
    extensions: &["kt", "kts"],
    interpreters: &["kotlin", "kotlinc"],
    ..Language::new(Grammar::Kotlin)
};
