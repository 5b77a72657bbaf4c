//! What sets JSON apart.

use crate::lang::language::{Language, Reader};
use crate::record::Grammar;

/// JSON, comments allowed.
pub(crate) static JSON: Language = Language {
    reader: Reader::Scanner(super::read),
    extensions: &["json", "jsonc", "json5", "webmanifest", "code-workspace"],
    ..Language::new(Grammar::Json)
};
