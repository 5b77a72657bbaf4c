//! What sets Kotlin apart.

use crate::lang::language::{Language, Reader, Roles, parser};
use crate::lang::naming::Naming;
use crate::record::Grammar;
use crate::syntax::recover::Shape;

/// Kotlin.
pub(crate) static KOTLIN: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-kotlin", tree_sitter_kotlin_ng::LANGUAGE),
        &super::KOTLIN,
        &KOTLIN_SHAPE,
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

/// How declarations are told apart.
const KOTLIN_SHAPE: Shape = Shape {
    nested: true,
    long: &[b"\"\"\""],
    terminated: false,
    ..Shape::BRACES
};
