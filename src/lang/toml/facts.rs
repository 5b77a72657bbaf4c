//! What sets TOML apart.

use crate::lang::language::{Language, Reader};
use crate::record::Grammar;

/// TOML.
pub(crate) static TOML: Language = Language {
    reader: Reader::Scanner(super::read),
    extensions: &["toml"],
    file_names: &["Pipfile"],
    ..Language::new(Grammar::Toml)
};
