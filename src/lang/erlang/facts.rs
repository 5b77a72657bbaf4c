//! What sets Erlang apart.

use super::resolve;
use crate::lang::language::*;

/// Erlang.
pub(crate) static ERLANG: Language = Language {
    reader: Reader::Tree(TreeReader {
        blank: Some(super::template::blank),
        shape: Some(&ERLANG_SHAPE),
        ..TreeReader::new(
            parser!("grammar-erlang", tree_sitter_erlang::LANGUAGE),
            &super::ERLANG,
        )
    }),
    version: 3,
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

/// How declarations are told apart.
const ERLANG_SHAPE: Shape = Shape {
    comment: b"%",
    blocks: false,
    chars: false,
    terminated: false,
    opens: b"->",
    ..Shape::BRACES
};
