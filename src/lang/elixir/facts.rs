//! What sets Elixir apart.

use super::resolve;
use crate::lang::language::*;

/// Elixir.
pub(crate) static ELIXIR: Language = Language {
    reader: Reader::tree(
        parser!("grammar-elixir", tree_sitter_elixir::LANGUAGE),
        &super::ELIXIR,
    ),
    version: 2,
    types_are_hints: true,
    extensions: &["ex", "exs"],
    interpreters: &["elixir"],
    naming: Naming {
        overloads: true,
        imports_types: true,
        in_full: InFull::Modules,
        ..Naming::new()
    },
    liveness: Liveness {
        constants_are_read: true,
        ..Liveness::new()
    },
    roles: Roles {
        settings: &["mix.exs"],
        ..Roles::new()
    },
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::Beam::new(configs))),
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::Elixir)
};
