//! What sets Scala apart.

use crate::lang::language::*;

/// Scala.
pub(crate) static SCALA: Language = Language {
    reader: Reader::tree(
        parser!("grammar-scala", tree_sitter_scala::LANGUAGE),
        &super::SCALA,
    ),
    extensions: &["scala", "sc", "sbt", "mill"],
    interpreters: &["scala", "scala-cli", "amm"],
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
        class_tests: &[".scala"],
        ..Roles::new()
    },
    ..Language::new(Grammar::Scala)
};
