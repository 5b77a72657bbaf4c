//! What sets TOML apart.

use crate::lang::language::*;

/// TOML.
pub(crate) static TOML: Language = Language {
    reader: Reader::Scanner(super::read),
    extensions: &["toml"],
    file_names: &["Pipfile"],
    genre: Genre::Data,
    ..Language::new(Grammar::Toml)
};
