//! What sets Scala apart.

use crate::lang::language::*;

/// Scala.
pub(crate) static SCALA: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-scala", tree_sitter_scala::LANGUAGE),
        &super::SCALA,
        &SCALA_SHAPE,
    ),
    version: 6,
    extensions: &["scala", "sc", "sbt", "mill"],
    interpreters: &["scala", "scala-cli", "amm"],
    family: Grammar::Java,
    naming: Naming {
        collections: COLLECTIONS,
        lists_are_guesses: true,
        unwraps: &[b"get", b"orNull", b"value"],
        in_full: InFull::Namespaces,
        setter_ending: b"_=",
        implicit_members: true,
        overloads: true,
        counts: Counts::Lists,
        open_namespaces: true,
        type_parts: TypeParts::File,
        imports_before_package: true,
        last_base_first: true,
        converts_literals: true,
        globals: |name| BUILT_IN.contains(&name),
        applied: b"apply",
        handing: Some(&HANDING),
        library_members,
        imports_types: true,
        types_are_declared: true,
        extensions: Extensions::Around,
        ..Naming::new()
    },
    liveness: Liveness {
        override_mark: Some(b"override"),
        implicit_marks: &[b"implicit", b"given"],
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

/// Types that every file sees.
const BUILT_IN: &[&[u8]] = byte_words!(
    "Any AnyRef AnyVal Array Boolean Byte Char Double Float Int Long Nothing Short String Unit"
);

/// Operators of numbers, texts and collections, parts of tuples, and methods of collections.
fn library_members(name: &[u8]) -> bool {
    const METHODS: &[&[u8]] = byte_words!(
        "andThen compose flatten foldLeft foldRight forall foreach getOrElse groupBy head headOption init invoke isDefined
         mkString nonEmpty orElse partition peek recover sortBy sum tail toIterator toMap toOption toSeq toSet toVector
         withFilter zipWithIndex"
    );
    const OF_TEXTS: &[&[u8]] = byte_words!(
        "charAt codePointAt compareTo concat endsWith equalsIgnoreCase getBytes indexOf intern lastIndexOf matches replaceAll
         replaceFirst startsWith stripMargin subSequence substring toCharArray toInt toLong toLowerCase toUpperCase trim"
    );
    const OPERATORS: &[&[u8]] =
        byte_words!("+ - * / % < > <= >= ! ~ & | ^ << >> >>> ++ -- += -= *= /= ++= --= ->");
    let part = name.strip_prefix(b"_");
    METHODS.contains(&name)
        || OF_TEXTS.contains(&name)
        || OPERATORS.contains(&name)
        || part.is_some_and(|part| part.iter().all(u8::is_ascii_digit))
}

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
    outside_stays: false,
    ..CollectionMembers::NONE
};

const HANDING: Handing = Handing {
    each: byte_words!(
        "collectFirst count dropWhile exists filter filterNot find flatMap forall foreach groupBy indexWhere map maxBy minBy
         partition sortBy span takeWhile withFilter"
    ),
    each_second: byte_words!("foldLeft scanLeft"),
    itself: &[],
    within: &[],
};

/// How declarations are told apart.
const SCALA_SHAPE: Shape = Shape {
    nested: true,
    long: &[b"\"\"\""],
    terminated: false,
    ..Shape::BRACES
};
