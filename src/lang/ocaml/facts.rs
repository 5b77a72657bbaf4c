//! What sets OCaml apart.

use super::resolve;
use crate::lang::language::*;

/// OCaml.
pub(crate) static OCAML: Language = Language {
    reader: Reader::Tree(TreeReader {
        overflows: Some(overflows),
        ..TreeReader::new(
            parser!("grammar-ocaml", tree_sitter_ocaml::LANGUAGE_OCAML),
            &super::OCAML,
        )
    }),
    version: 3,
    extensions: &["ml"],
    interpreters: &["ocaml"],
    roles: Roles {
        settings: &["dune", "dune-project"],
        ..Roles::new()
    },
    resolver: Some(|configs| Box::new(resolve::OCaml::new(configs))),
    liveness: Liveness {
        names_are_fixed: true,
        ..Liveness::new()
    },
    ..Language::new(Grammar::OCaml)
};

/// Interfaces of OCaml.
pub(crate) static OCAML_INTERFACE: Language = Language {
    reader: Reader::Tree(TreeReader {
        overflows: Some(overflows),
        ..TreeReader::new(
            parser!("grammar-ocaml", tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE),
            &super::OCAML,
        )
    }),
    version: 3,
    extensions: &["mli"],
    family: Grammar::OCaml,
    liveness: Liveness {
        names_are_fixed: true,
        ..Liveness::new()
    },
    ..Language::new(Grammar::OCamlInterface)
};

/// Most comments of a file. The grammar's scanner calls itself for a comment in a comment, and what
/// ends one is hard to tell from outside, so that all count as if they were nested.
const MAX_COMMENTS: usize = 8192;

/// Whether the grammar's scanner could run out of stack.
fn overflows(bytes: &[u8]) -> bool {
    memchr::memmem::find_iter(bytes, b"(*").count() > MAX_COMMENTS
}
