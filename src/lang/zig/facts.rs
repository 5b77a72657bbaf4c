//! What sets Zig apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// Zig.
pub(crate) static ZIG: Language = Language {
    reader: Reader::tree(
        parser!("grammar-zig", tree_sitter_zig::LANGUAGE),
        &super::ZIG,
    ),
    extensions: &["zig", "zon"],
    ..Language::new(Grammar::Zig)
};
