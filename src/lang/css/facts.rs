//! What sets CSS apart.

use crate::lang::language::{Genre, Language, Reader, parser};
use crate::record::Grammar;

/// CSS.
pub(crate) static CSS: Language = Language {
    reader: Reader::tree(
        parser!("grammar-css", tree_sitter_css::LANGUAGE),
        &super::CSS,
    ),
    extensions: &["css"],
    genre: Genre::Description,
    ..Language::new(Grammar::Css)
};
