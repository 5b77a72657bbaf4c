//! What sets YAML apart.

use crate::lang::language::*;

/// YAML.
pub(crate) static YAML: Language = Language {
    reader: Reader::Scanner(super::read),
    extensions: &["yaml", "yml"],
    file_names: &[".clang-format", ".clang-tidy"],
    genre: Genre::Data,
    ..Language::new(Grammar::Yaml)
};
