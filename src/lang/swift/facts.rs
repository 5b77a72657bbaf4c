//! What sets Swift apart.

use super::resolve;
use crate::lang::language::*;

/// Swift.
pub(crate) static SWIFT: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-swift", tree_sitter_swift::LANGUAGE),
        &super::SWIFT,
        &SWIFT_SHAPE,
    ),
    version: 6,
    extensions: &["swift", "swiftinterface"],
    interpreters: &["swift"],
    naming: Naming {
        collections: COLLECTIONS,
        fields_hide_methods: true,
        implicit_members: true,
        labels: Some(&LABELS),
        overloads: true,
        imports_types: true,
        types_are_declared: true,
        extensions: Extensions::Everywhere,
        members_are_written: true,
        heirs_answer: false,
        object_members: |name| OBJECT.contains(&name),
        ..Naming::new()
    },
    liveness: Liveness {
        override_mark: Some(b"override"),
        callers_name: true,
        names_are_fixed: true,
        // An associated type: `typealias RawValue = String`.
        aliases_are_read: true,
        types_are_values: true,
        given_marks: &["public ", "open "],
        // The compiler calls the methods of what builds results, of what interpolates strings, and of what is called itself.
        called_methods: words!(
            "appendInterpolation appendLiteral buildArray buildBlock buildEither buildExpression buildFinalResult
             buildLimitedAvailability buildOptional buildPartialBlock callAsFunction deinit dynamicallyCall encode
             hash makeAsyncIterator makeIterator next subscript"
        ),
        called_family: Some(Grammar::C),
        ..Liveness::new()
    },
    roles: Roles {
        class_tests: &[".swift"],
        settings: &["package.swift"],
        ..Roles::new()
    },
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::Swift::new(configs))),
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::Swift)
};

/// How what is made is written.
const LABELS: Labels = Labels {
    constructor: b"init",
    list: b"arrayLiteral",
};

/// What members of the language's own collections give.
const COLLECTIONS: CollectionMembers = CollectionMembers {
    element: byte_words!(
        "first last max min popFirst popLast randomElement remove removeFirst removeLast"
    ),
    same: byte_words!(
        "drop dropFirst dropLast filter lazy prefix reversed shuffled sorted suffix values"
    ),
    other: &[],
    are_read: true,
    outside_stays: false,
    ..CollectionMembers::NONE
};

/// Members of all types, and of those that the compiler completes.
const OBJECT: &[&[u8]] = byte_words!(
    "hash hashValue init self encode allCases callAsFunction deinit description debugDescription customMirror
     rawValue"
);

/// How declarations are told apart.
const SWIFT_SHAPE: Shape = Shape {
    nested: true,
    long: &[b"\"\"\""],
    terminated: false,
    directives: true,
    ..Shape::BRACES
};
