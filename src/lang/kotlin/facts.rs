//! What sets Kotlin apart.

use crate::lang::language::*;

/// Kotlin.
pub(crate) static KOTLIN: Language = Language {
    reader: Reader::Tree(TreeReader {
        overflows: Some(ends_in_annotation),
        shape: Some(&KOTLIN_SHAPE),
        ..TreeReader::new(
            parser!("grammar-kotlin", tree_sitter_kotlin_ng::LANGUAGE),
            &super::KOTLIN,
        )
    }),
    extensions: &["kt", "kts"],
    interpreters: &["kotlin", "kotlinc"],
    family: Grammar::Java,
    naming: Naming {
        implicit_members: true,
        open_namespaces: true,
        imports_types: true,
        ..Naming::new()
    },
    liveness: Liveness {
        called_methods: words!("compareTo equals hashCode toString"),
        ..Liveness::new()
    },
    roles: Roles {
        class_tests: &[".kt"],
        settings: &["build.gradle.kts", "settings.gradle.kts"],
        ..Roles::new()
    },
    ..Language::new(Grammar::Kotlin)
};

/// How declarations are told apart.
const KOTLIN_SHAPE: Shape = Shape {
    nested: true,
    long: &[b"\"\"\""],
    terminated: false,
    ..Shape::BRACES
};

/// Whether a file ends in what may be an annotation: the grammar's scanner looks for the space after it, and
/// never stops where there is none.
fn ends_in_annotation(bytes: &[u8]) -> bool {
    let last = bytes.rsplit(|byte| byte.is_ascii_whitespace()).next();
    last.is_some_and(|word| word.contains(&b'@'))
}
