//! What sets Elixir apart.

use crate::lang::language::{Language, Reader, Roles, parser};
use crate::lang::naming::Naming;
use crate::record::Grammar;

/// Elixir.
pub(crate) static ELIXIR: Language = Language {
    reader: Reader::tree(
        parser!("grammar-elixir", tree_sitter_elixir::LANGUAGE),
        &super::ELIXIR,
    ),
    extensions: &["ex", "exs"],
    interpreters: &["elixir"],
    naming: Naming {
        imports_types: true,
        ..Naming::new()
    },
    roles: Roles {
        settings: &["mix.exs"],
        ..Roles::new()
    },
    ..Language::new(Grammar::Elixir)
};
