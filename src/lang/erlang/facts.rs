//! What sets Erlang apart.

use super::resolve;
use crate::lang::language::*;

/// Erlang.
pub(crate) static ERLANG: Language = Language {
    reader: Reader::tree(
        parser!("grammar-erlang", tree_sitter_erlang::LANGUAGE),
        &super::ERLANG,
    ),
    types_are_hints: true,
    extensions: &["erl", "hrl", "escript"],
    file_names: &["rebar.config"],
    interpreters: &["escript"],
    naming: Naming {
        overloads: true,
        open_namespaces: true,
        ..Naming::new()
    },
    liveness: Liveness {
        entry_points: &[b"main"],
        ..Liveness::new()
    },
    resolver: Some(|_| Box::new(resolve::Erlang)),
    ..Language::new(Grammar::Erlang)
};
