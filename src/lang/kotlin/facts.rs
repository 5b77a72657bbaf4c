//! What sets Kotlin apart.

use crate::lang::language::*;

/// Kotlin.
pub(crate) static KOTLIN: Language = Language {
    reader: Reader::Tree(TreeReader {
        // Behind an annotation with arguments its scanner reads far ahead. Of the files of thirteen
        // repositories the worst is read 80 times, six more often than 16.
        most_reads: 128,
        overflows: Some(ends_in_annotation),
        blank: Some(super::newer::blank),
        shape: Some(&KOTLIN_SHAPE),
        ..TreeReader::new(
            parser!("grammar-kotlin", tree_sitter_kotlin_ng::LANGUAGE),
            &super::KOTLIN,
        )
    }),
    version: 11,
    extensions: &["kt", "kts"],
    interpreters: &["kotlin", "kotlinc"],
    family: Grammar::Java,
    naming: Naming {
        collections: COLLECTIONS,
        lists_are_guesses: true,
        unwraps: &[b"value", b"get", b"await", b"getOrNull", b"getOrThrow"],
        fields_hide_methods: true,
        methods_apart: true,
        literal_types: LITERAL_TYPES,
        in_full: InFull::Namespaces,
        implicit_members: true,
        overloads: true,
        counts: Counts::Lists,
        accessors: Accessors::Properties,
        open_namespaces: true,
        declares_ahead: true,
        type_parts: TypeParts::Declared,
        imports_types: true,
        library_members,
        types_are_declared: true,
        extensions: Extensions::Named,
        unnamed_object: Some("Companion"),
        handing: Some(&HANDING),
        members_are_written: true,
        packages: Packages::Built,
        own_library: byte_words!("kotlin java javax"),
        heirs_answer: false,
        object_members: |name| OBJECT.contains(&name),
        ..Naming::new()
    },
    liveness: Liveness {
        override_mark: Some(b"override"),
        callers_name: true,
        extends_by_receivers: true,
        types_are_values: true,
        actual_mark: Some(b"actual"),
        own_marks: &["internal "],
        // What others may see and should not, by the habit of libraries.
        outlet: Outlet::Shown(|part| part != b"internal"),
        implicit_marks: &[b"operator"],
        called_methods: words!(
            "compareTo equals hashCode readObject readResolve toString writeObject writeReplace"
        ),
        ..Liveness::new()
    },
    roles: Roles {
        class_tests: &[".kt"],
        // What the plugin for binary compatibility writes down of a library.
        declarations: &[".api"],
        settings: &["build.gradle.kts", "settings.gradle.kts"],
        ..Roles::new()
    },
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::Kotlin)
};

/// What numbers have between them, and pairs are made by.
fn library_members(name: &[u8]) -> bool {
    const INFIX: &[&[u8]] = byte_words!("and downTo inv or shl shr step to until ushr xor");
    const OF_ALL: &[&[u8]] =
        byte_words!("also apply async let run runCatching takeIf takeUnless use with withLock");
    INFIX.contains(&name) || OF_ALL.contains(&name)
}

/// What members of the language's own collections give.
const COLLECTIONS: CollectionMembers = CollectionMembers {
    element: byte_words!(
        "elementAt elementAtOrElse elementAtOrNull find findLast first firstOrNull get getOrDefault getOrElse getOrNull getOrPut
         getValue last lastOrNull maxBy maxByOrNull minBy minByOrNull next peek poll pop random randomOrNull remove
         removeAt removeFirst removeFirstOrNull removeLast removeLastOrNull single singleOrNull"
    ),
    same: byte_words!(
        "asFlow asIterable asReversed asSequence catch distinct distinctBy distinctUntilChanged drop dropLast dropWhile
         filter filterIndexed filterKeys filterNot filterNotNull filterValues flowOn ifEmpty iterator minus onEach
         onStart orEmpty plus reversed shuffled sorted sortedBy sortedByDescending sortedWith subList take takeLast takeWhile toHashSet toList
         toMap toMutableList toMutableMap toMutableSet toSet toSortedSet toTypedArray"
    ),
    by_key: byte_words!("computeIfAbsent get getOrDefault getOrElse getOrPut getValue put remove replace"),
    values: byte_words!("values"),
    entries: byte_words!("entries"),
    placed: byte_words!("withIndex"),
    entry_value: byte_words!("component2 setValue value"),
    opens: byte_words!("await first get getAndSet getAndUpdate getCompleted getOrAwaitValue getValue updateAndGet value"),
    step: MapGives::Entries,
    other: byte_words!(
        "associate associateBy associateWith chunked entries key keys withIndex combine flatMap flatMapLatest flatten fold groupBy map mapIndexed mapKeys mapLatest
         mapNotNull mapTo mapValues partition reduce runningFold scan windowed zip zipWithNext"
    ),
    are_read: true,
    outside_stays: false,
    ..CollectionMembers::NONE
};

/// Types that literals are of.
const LITERAL_TYPES: &[&[u8]] = byte_words!(
    "Any Array Boolean BooleanArray Byte ByteArray Char CharArray CharSequence Collection Comparable Double DoubleArray Float
     FloatArray Flow Int IntArray Iterable Iterator List Long LongArray Map MutableCollection MutableIterable MutableList
     MutableMap MutableSet Nothing Number Sequence Set Short ShortArray String UByte UByteArray UInt UIntArray ULong UShort
     Unit"
);

/// What members of the language's own types hand to functions.
pub(super) const HANDING: Handing = Handing {
    each: byte_words!(
        "all any associate associateBy associateWith collect collectLatest count distinctBy dropLastWhile dropWhile filter filterNot filterTo find
         findLast first firstOrNull flatMap flatMapTo forEach groupBy indexOfFirst indexOfLast joinToString last lastOrNull map
         mapKeys mapLatest mapNotNull mapTo mapValues maxBy maxByOrNull maxOf minBy minByOrNull minOf none onEach partition removeAll removeIf
         retainAll single singleOrNull sortBy sortByDescending sortedBy sortedByDescending sumBy sumOf takeLastWhile
         takeWhile"
    ),
    each_second: byte_words!("filterIndexed fold forEach forEachIndexed mapIndexed mapIndexedNotNull onEachIndexed"),
    itself: byte_words!("also let takeIf takeUnless use"),
    within: byte_words!("apply run"),
};

/// Methods of every object and of data classes, and functions for all types.
const OBJECT: &[&[u8]] = byte_words!(
    "also apply clone compareTo component1 component2 component3 component4 component5 copy equals getClass hashCode
     invoke javaClass let notify notifyAll run runCatching synchronized takeIf takeUnless to toString use wait with"
);

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

#[cfg(test)]
mod tests {
    use crate::extract::extract;
    use crate::record::Grammar;

    #[test]
    fn annotations_with_arguments_do_not_spend_the_budget() {
        let one = "@Deprecated(\"x\")\nfun List<Int>.eq(other: Int): Int =\n  if (t) 1 else 2\n\n";
        let record = extract(one.repeat(100).as_bytes(), Grammar::Kotlin);
        assert_eq!((record.skip, record.symbols.len()), (None, 100));
    }
}
