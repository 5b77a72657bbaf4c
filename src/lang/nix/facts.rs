//! What sets Nix apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// Nix.
pub(crate) static NIX: Language = Language {
    reader: Reader::tree(
        parser!("grammar-nix", tree_sitter_nix::LANGUAGE),
        &super::NIX,
    ),
    extensions: &["nix"],
    ..Language::new(Grammar::Nix)
};
