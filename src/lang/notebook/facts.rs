//! What sets Notebook apart.

use crate::lang::language::*;
use crate::lang::python;

/// Jupyter notebooks: the code of their cells.
pub(crate) static NOTEBOOK: Language = Language {
    reader: Reader::Scanner(super::read),
    extensions: &["ipynb"],
    parts: &[Grammar::Python],
    // Pictures are lines of any length, which are not read.
    long_lines: true,
    family: Grammar::Python,
    naming: python::facts::NAMING,
    ..Language::new(Grammar::Notebook)
};
