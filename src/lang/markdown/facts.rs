//! What sets Markdown apart.

use crate::lang::language::*;

/// Markdown.
pub(crate) static MARKDOWN: Language = Language {
    reader: Reader::Scanner(super::scan),
    extensions: &["md", "markdown", "mdx", "mdown", "mkd"],
    aliases: &["md"],
    genre: Genre::Prose,
    long_lines: true,
    ..Language::new(Grammar::Markdown)
};
