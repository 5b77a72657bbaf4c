//! What sets Notebook apart.

use crate::lang::language::{Language, Reader};
use crate::record::Grammar;

/// Jupyter notebooks: the code of their cells.
pub(crate) static NOTEBOOK: Language = Language {
    reader: Reader::Scanner(super::read),
    extensions: &["ipynb"],
    parts: &[Grammar::Python],
    ..Language::new(Grammar::Notebook)
};
