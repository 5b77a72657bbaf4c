//! What sets CSS apart.

use crate::lang::html::resolve;
use crate::lang::language::*;
use crate::modules::ByPath;

/// CSS.
pub(crate) static CSS: Language = Language {
    reader: Reader::tree(
        parser!("grammar-css", tree_sitter_css::LANGUAGE),
        &super::CSS,
    ),
    extensions: &["css"],
    genre: Genre::Description,
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    ..Language::new(Grammar::Css)
};
