//! What sets Kotlin apart.

use crate::lang::language::*;

/// Kotlin.
pub(crate) static KOTLIN: Language = Language {
    reader: Reader::tree(
        parser!("grammar-kotlin", tree_sitter_kotlin_ng::LANGUAGE),
        &super::KOTLIN,
    ),
    extensions: &["kt", "kts"],
    interpreters: &["kotlin", "kotlinc"],
    family: Grammar::Java,
    naming: Naming {
        implicit_members: true,
        open_namespaces: true,
        imports_types: true,
        ..Naming::new()
    },
    roles: Roles {
        class_tests: &[".kt"],
        settings: &["build.gradle.kts", "settings.gradle.kts"],
        ..Roles::new()
    },
    ..Language::new(Grammar::Kotlin)
};
