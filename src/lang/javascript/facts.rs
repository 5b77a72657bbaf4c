//! What sets JavaScript and TypeScript apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// TypeScript without JSX.
pub(crate) static TYPESCRIPT: Language = Language {
    reader: Reader::tree(
        parser!(
            "grammar-typescript",
            tree_sitter_typescript::LANGUAGE_TYPESCRIPT
        ),
        &super::TYPESCRIPT,
    ),
    extensions: &["ts", "mts", "cts"],
    interpreters: &["ts-node", "tsx", "deno"],
    ..Language::new(Grammar::TypeScript)
};

/// TypeScript with JSX.
pub(crate) static TSX: Language = Language {
    reader: Reader::tree(
        parser!("grammar-typescript", tree_sitter_typescript::LANGUAGE_TSX),
        &super::TYPESCRIPT,
    ),
    extensions: &["tsx"],
    ..Language::new(Grammar::Tsx)
};

/// JavaScript, with or without JSX.
pub(crate) static JAVASCRIPT: Language = Language {
    reader: Reader::tree(
        parser!("grammar-javascript", tree_sitter_javascript::LANGUAGE),
        &super::JAVASCRIPT,
    ),
    extensions: &["js", "jsx", "mjs", "cjs"],
    file_names: &["Jakefile"],
    interpreters: &["node", "nodejs", "bun"],
    ..Language::new(Grammar::JavaScript)
};
