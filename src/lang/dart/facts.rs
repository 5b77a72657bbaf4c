//! What sets Dart apart.

use super::resolve;
use crate::lang::language::*;

/// Dart.
pub(crate) static DART: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-dart", tree_sitter_dart::LANGUAGE),
        &super::DART,
        &DART_SHAPE,
    ),
    version: 3,
    extensions: &["dart"],
    interpreters: &["dart"],
    naming: Naming {
        collections: COLLECTIONS,
        implicit_members: true,
        loose_names: false,
        types_are_declared: true,
        extensions: Extensions::Around,
        ..Naming::new()
    },
    liveness: Liveness {
        names_are_fixed: true,
        types_are_values: true,
        called_methods: words!("compareTo hashCode noSuchMethod toString"),
        ..Liveness::new()
    },
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::Dart::new(configs))),
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::Dart)
};

/// What members of the language's own collections give.
const COLLECTIONS: CollectionMembers = CollectionMembers {
    element: byte_words!(
        "elementAt first firstWhere last lastWhere putIfAbsent reduce remove removeAt removeFirst removeLast single
         singleWhere"
    ),
    same: byte_words!(
        "followedBy reversed skip skipWhile sublist take takeWhile toList toSet values where"
    ),
    other: &[],
    are_read: true,
    outside_stays: false,
    ..CollectionMembers::NONE
};

/// How declarations are told apart.
const DART_SHAPE: Shape = Shape {
    nested: true,
    long: &[b"\"\"\"", b"'''"],
    chars: false,
    ..Shape::BRACES
};
