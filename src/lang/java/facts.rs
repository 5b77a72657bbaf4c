//! What sets Java apart.

use super::resolve;
use crate::lang::language::*;

/// Java.
pub(crate) static JAVA: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-java", tree_sitter_java::LANGUAGE),
        &super::JAVA,
        &JAVA_SHAPE,
    ),
    version: 8,
    extensions: &["java"],
    naming: Naming {
        collections: COLLECTIONS,
        unwraps: byte_words!("apply call get getNow getPlain getValue join resultNow"),
        in_full: InFull::Namespaces,
        implicit_members: true,
        overloads: true,
        counts: Counts::All,
        accessors: Accessors::Methods,
        imports_types: true,
        loose_names: false,
        methods_apart: true,
        literals_all_through: true,
        globals: |name| JAVA_LANG.contains(&name),
        types_are_declared: true,
        members_are_written: true,
        packages: Packages::Built,
        heirs_answer: false,
        object_members: |name| OBJECT.contains(&name),
        ..Naming::new()
    },
    liveness: Liveness {
        callers_name: true,
        types_are_values: true,
        functions_are_members: true,
        given_marks: &["public ", "protected "],
        // What others may see and should not, by the habit of libraries.
        outlet: Outlet::Shown(|part| part != b"internal"),
        called_methods: words!(
            "afterMarshal afterUnmarshal agentmain beforeMarshal beforeUnmarshal compareTo equals finalize hashCode premain readObject readObjectNoData readResolve toString
             writeObject writeReplace"
        ),
        ..Liveness::new()
    },
    roles: Roles {
        class_tests: &[".java"],
        ..Roles::new()
    },
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::Jvm::new(configs))),
    calls: Some(&super::arguments::CALLS),
    versioning: Versioning {
        visibilities: &["public", "protected", "private"],
        throws: Some("throws"),
        unchecked: words!(
            "RuntimeException IllegalArgumentException IllegalStateException NullPointerException UnsupportedOperationException IndexOutOfBoundsException ArithmeticException ClassCastException NumberFormatException UncheckedIOException Error AssertionError"
        ),
        ..Versioning::new()
    },
    ..Language::new(Grammar::Java)
};

/// Types that no import names: those of `java.lang`.
const JAVA_LANG: &[&[u8]] = byte_words!(
    "AssertionError Boolean Byte CharSequence Character Class ClassLoader Cloneable Comparable Double Enum Error
     Exception Float Integer Iterable Long Math Number Object Process Runnable Runtime RuntimeException Short String
     StringBuffer StringBuilder System Thread ThreadLocal Throwable Void"
);

/// What members of the language's own collections give.
const COLLECTIONS: CollectionMembers = CollectionMembers {
    element: byte_words!(
        "computeIfAbsent element elementAt findAny findFirst first firstElement get getFirst getLast getOrDefault last
         lastElement max min next peek peekFirst peekLast poll pollFirst pollLast pop previous put remove removeFirst
         removeLast take"
    ),
    same: byte_words!(
        "descendingIterator distinct dropWhile filter iterator limit listIterator parallel parallelStream peek reversed
         sequential skip sorted stream subList takeWhile toList"
    ),
    values: byte_words!("values"),
    entries: byte_words!("entrySet"),
    entry_value: byte_words!("getValue setValue"),
    opens: byte_words!(
        "accumulateAndGet apply call compareAndExchange get getAcquire getAndAccumulate getAndSet getAndUpdate getOpaque getPlain
         updateAndGet"
    ),
    other: byte_words!("collect entrySet flatMap getKey keySet map mapMulti mapToObj reduce"),
    are_read: false,
    outside_stays: false,
    ..CollectionMembers::NONE
};

/// Methods of every object.
const OBJECT: &[&[u8]] = byte_words!(
    "clone compareTo describeConstable equals finalize getClass getDeclaringClass hashCode name notify notifyAll
     ordinal toString valueOf values wait"
);

/// How declarations are told apart.
const JAVA_SHAPE: Shape = Shape {
    long: &[b"\"\"\""],
    ..Shape::BRACES
};
