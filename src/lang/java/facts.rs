//! What sets Java apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// Java.
pub(crate) static JAVA: Language = Language {
    reader: Reader::tree(
        parser!("grammar-java", tree_sitter_java::LANGUAGE),
        &super::JAVA,
    ),
    extensions: &["java"],
    ..Language::new(Grammar::Java)
};
