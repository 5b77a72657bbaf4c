//! What no other language claims: words only, unless a `#!` line says more.

use crate::lang::language::Language;
use crate::record::Grammar;

/// Text.
pub(crate) static TEXT: Language = Language::new(Grammar::Text);
