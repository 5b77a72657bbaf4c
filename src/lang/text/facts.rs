//! What no other language claims: words only, unless a `#!` line says more.

use crate::lang::language::*;

/// Text.
pub(crate) static TEXT: Language = Language {
    genre: Genre::Text,
    ..Language::new(Grammar::Text)
};
