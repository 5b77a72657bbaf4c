//! What sets JSON apart.

use crate::lang::language::*;

/// JSON, comments allowed.
pub(crate) static JSON: Language = Language {
    reader: Reader::Scanner(super::read),
    extensions: &["json", "jsonc", "json5", "webmanifest", "code-workspace"],
    genre: Genre::Data,
    ..Language::new(Grammar::Json)
};
