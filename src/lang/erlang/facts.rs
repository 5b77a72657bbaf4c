//! What sets Erlang apart.

use super::resolve;
use crate::lang::language::{Language, Reader, parser};
use crate::lang::liveness::Liveness;
use crate::lang::naming::Naming;
use crate::record::Grammar;

/// Erlang.
pub(crate) static ERLANG: Language = Language {
    reader: Reader::tree(
        parser!("grammar-erlang", tree_sitter_erlang::LANGUAGE),
        &super::ERLANG,
    ),
    extensions: &["erl", "hrl", "escript"],
    file_names: &["rebar.config"],
    interpreters: &["escript"],
    naming: Naming {
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
