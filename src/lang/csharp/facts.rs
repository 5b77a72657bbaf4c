//! What sets C# apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// C#.
pub(crate) static CSHARP: Language = Language {
    reader: Reader::tree(
        parser!("grammar-c-sharp", tree_sitter_c_sharp::LANGUAGE),
        &super::CSHARP,
    ),
    extensions: &["cs", "csx"],
    interpreters: &["dotnet-script"],
    ..Language::new(Grammar::CSharp)
};
