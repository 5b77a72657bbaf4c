//! What sets Clojure apart.

use super::resolve;
use crate::lang::language::*;
use crate::modules::ByPath;

/// Clojure and ClojureScript.
pub(crate) static CLOJURE: Language = Language {
    reader: Reader::tree(
        parser!("grammar-clojure", tree_sitter_clojure_orchard::LANGUAGE),
        &super::CLOJURE,
    ),
    types_are_hints: true,
    extensions: &["clj", "cljs", "cljc", "cljd", "bb"],
    interpreters: &["clojure", "clj", "bb", "lumo", "planck"],
    aliases: &["clojurescript", "cljs"],
    naming: Naming {
        implicit_members: true,
        ..Naming::new()
    },
    liveness: Liveness {
        entry_points: &[b"-main"],
        ..Liveness::new()
    },
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    ..Language::new(Grammar::Clojure)
};
