//! What sets Julia apart.

use super::resolve;
use crate::lang::language::*;

/// Julia.
pub(crate) static JULIA: Language = Language {
    reader: Reader::Tree(TreeReader {
        // Its scanner looks for the end of a string from wherever a reading of the code is given up:
        // vectors that may be comprehensions. Of the files of DataFrames.jl the worst is read 57
        // times, four more often than 16.
        most_reads: 128,
        blank: Some(super::newer::blank),
        shape: Some(&JULIA_SHAPE),
        ..TreeReader::new(
            parser!("grammar-julia", tree_sitter_julia::LANGUAGE),
            &super::JULIA,
        )
    }),
    version: 3,
    extensions: &["jl"],
    interpreters: &["julia"],
    naming: Naming {
        overloads: true,
        open_namespaces: true,
        ..Naming::new()
    },
    resolver: Some(|_| Box::new(resolve::Julia)),
    ..Language::new(Grammar::Julia)
};

/// How declarations are told apart.
const JULIA_SHAPE: Shape = Shape {
    comment: b"#",
    blocks: false,
    long: &[b"\"\"\""],
    terminated: false,
    opens: b"",
    ..Shape::BRACES
};
