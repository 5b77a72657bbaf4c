//! What sets Elixir apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// Elixir.
pub(crate) static ELIXIR: Language = Language {
    reader: Reader::tree(
        parser!("grammar-elixir", tree_sitter_elixir::LANGUAGE),
        &super::ELIXIR,
    ),
    extensions: &["ex", "exs"],
    interpreters: &["elixir"],
    ..Language::new(Grammar::Elixir)
};
