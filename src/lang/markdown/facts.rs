//! What sets Markdown apart.

use crate::lang::language::{Language, Reader};
use crate::record::Grammar;

/// Markdown.
pub(crate) static MARKDOWN: Language = Language {
    reader: Reader::Scanner(super::scan),
    extensions: &["md", "markdown", "mdx", "mdown", "mkd"],
    ..Language::new(Grammar::Markdown)
};
