//! What sets R apart.

use super::resolve;
use crate::lang::language::*;

/// R.
pub(crate) static R: Language = Language {
    reader: Reader::tree(parser!("grammar-r", tree_sitter_r::LANGUAGE), &super::R),
    types_are_hints: true,
    extensions: &["r", "rprofile"],
    file_names: &[".Rprofile", "Rprofile.site"],
    interpreters: &["Rscript", "littler"],
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::R::new(configs))),
    ..Language::new(Grammar::R)
};
