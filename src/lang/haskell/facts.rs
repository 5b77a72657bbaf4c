//! What sets Haskell apart.

use super::resolve;
use crate::lang::language::*;
use crate::modules::ByPath;

/// Haskell.
pub(crate) static HASKELL: Language = Language {
    reader: Reader::Tree(TreeReader {
        blank: Some(super::foreign::blank),
        blank_for_less: true,
        ..TreeReader::new(
            parser!("grammar-haskell", tree_sitter_haskell::LANGUAGE),
            &super::HASKELL,
        )
    }),
    version: 3,
    extensions: &["hs", "hsc"],
    interpreters: &["runhaskell", "runghc"],
    indented: true,
    naming: Naming {
        overloads: true,
        open_namespaces: true,
        loose_names: false,
        ..Naming::new()
    },
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    liveness: Liveness {
        names_are_fixed: true,
        ..Liveness::new()
    },
    ..Language::new(Grammar::Haskell)
};
