//! What sets Scala apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// Scala.
pub(crate) static SCALA: Language = Language {
    reader: Reader::tree(
        parser!("grammar-scala", tree_sitter_scala::LANGUAGE),
        &super::SCALA,
    ),
    extensions: &["scala", "sc", "sbt", "mill"],
    interpreters: &["scala", "scala-cli", "amm"],
    ..Language::new(Grammar::Scala)
};
