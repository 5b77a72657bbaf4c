//! What sets Nix apart.

use super::resolve;
use crate::lang::language::{Language, Reader, parser};
use crate::modules::ByPath;
use crate::record::Grammar;

/// Nix.
pub(crate) static NIX: Language = Language {
    reader: Reader::tree(
        parser!("grammar-nix", tree_sitter_nix::LANGUAGE),
        &super::NIX,
    ),
    extensions: &["nix"],
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    ..Language::new(Grammar::Nix)
};
