//! What sets PHP apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// PHP.
pub(crate) static PHP: Language = Language {
    reader: Reader::tree(
        parser!("grammar-php", tree_sitter_php::LANGUAGE_PHP),
        &super::PHP,
    ),
    extensions: &[
        "php", "phtml", "php3", "php4", "php5", "php7", "phps", "phpt",
    ],
    interpreters: &["php"],
    ..Language::new(Grammar::Php)
};
