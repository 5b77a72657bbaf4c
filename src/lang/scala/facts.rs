//! What sets Scala apart.

use crate::lang::language::*;

/// Scala.
pub(crate) static SCALA: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-scala", tree_sitter_scala::LANGUAGE),
        &super::SCALA,
        &SCALA_SHAPE,
    ),
    version: 3,
    extensions: &["scala", "sc", "sbt", "mill"],
    interpreters: &["scala", "scala-cli", "amm"],
    family: Grammar::Java,
    naming: Naming {
        collections: COLLECTIONS,
        in_full: InFull::Namespaces,
        setter_ending: b"_=",
        implicit_members: true,
        overloads: true,
        open_namespaces: true,
        imports_types: true,
        types_are_declared: true,
        extensions: Extensions::Around,
        ..Naming::new()
    },
    liveness: Liveness {
        types_are_values: true,
        called_methods: words!("compareTo equals hashCode toString"),
        ..Liveness::new()
    },
    roles: Roles {
        class_tests: &[".scala"],
        ..Roles::new()
    },
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::Scala)
};

/// What members of the language's own collections give.
const COLLECTIONS: CollectionMembers = CollectionMembers {
    element: byte_words!(
        "apply dequeue find getOrElse head headOption last lastOption maxBy minBy next"
    ),
    same: byte_words!(
        "distinct drop dropRight dropWhile filter filterNot init iterator reverse slice sortBy sortWith sorted tail take takeRight
         takeWhile toArray toIndexedSeq toIterator toList toSeq toSet toVector values"
    ),
    other: &[],
    are_read: true,
};

/// How declarations are told apart.
const SCALA_SHAPE: Shape = Shape {
    nested: true,
    long: &[b"\"\"\""],
    terminated: false,
    ..Shape::BRACES
};
