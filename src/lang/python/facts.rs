//! What sets Python apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// Python.
pub(crate) static PYTHON: Language = Language {
    reader: Reader::tree(
        parser!("grammar-python", tree_sitter_python::LANGUAGE),
        &super::PYTHON,
    ),
    extensions: &["py", "pyi", "pyw"],
    file_names: &["SConstruct", "SConscript", "wscript"],
    interpreters: &["python", "python2", "python3", "pypy", "pypy3"],
    ..Language::new(Grammar::Python)
};
