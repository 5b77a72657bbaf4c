//! What sets C# apart.

use super::resolve;
use crate::lang::language::*;

/// C#.
pub(crate) static CSHARP: Language = Language {
    reader: Reader::Tree(TreeReader {
        blank: Some(super::conditions::blank),
        blank_for_less: true,
        shape: Some(&CSHARP_SHAPE),
        ..TreeReader::new(
            parser!("grammar-c-sharp", tree_sitter_c_sharp::LANGUAGE),
            &super::CSHARP,
        )
    }),
    version: 10,
    extensions: &["cs", "csx"],
    interpreters: &["dotnet-script"],
    naming: Naming {
        collections: COLLECTIONS,
        unwraps: &[b"Value", b"Result"],
        fields_hide_methods: true,
        implicit_members: true,
        overloads: true,
        counts: Counts::All,
        in_full: InFull::Namespaces,
        open_namespaces: true,
        imports_types: true,
        type_parts: TypeParts::Package,
        types_are_declared: true,
        extensions: Extensions::Around,
        giving_words: byte_words!("Create Deserialize Get Make Require Resolve Throws"),
        library_members: |name| LIBRARY_METHODS.contains(&name),
        members_are_written: true,
        own_library: byte_words!("System"),
        heirs_answer: false,
        object_members: |name| OBJECT.contains(&name),
        ..Naming::new()
    },
    liveness: Liveness {
        override_mark: Some(b"override"),
        callers_name: true,
        extension_block: Some(b"extension"),
        types_are_values: true,
        functions_are_members: true,
        type_as_value: Some(b"typeof("),
        library_namespaces: &["System"],
        given_marks: &["public ", "protected "],
        // By serialisers, and by designers of forms.
        called_beginnings: &["ShouldSerialize"],
        // What the compiler calls by its name: ECMA-334, 11 to 13, and the proposals since.
        called_methods: words!(
            "AppendFormatted AppendLiteral CompareTo Deconstruct Dispose DisposeAsync Equals GetAsyncEnumerator GetAwaiter
             GetEnumerator GetHashCode GetPinnableReference GetResult InvokeAsync MoveNext MoveNextAsync OnCompleted PrintMembers
             SelectMany ToString UnsafeOnCompleted"
        ),
        extends_by_classes: true,
        ..Liveness::new()
    },
    roles: Roles {
        class_tests: &[".cs"],
        ..Roles::new()
    },
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::DotNet::new(configs))),
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::CSharp)
};

/// Methods of the collections, strings, tasks and streams of the standard library and of LINQ, besides those that are
/// common in all languages.
const LIBRARY_METHODS: &[&[u8]] = byte_words!(
    "AddOrUpdate AddRange Aggregate AppendLine AsEnumerable AsQueryable AsSpan AsTask Average BeginInvoke Cast
     ConfigureAwait ContainsKey ContinueWith CopyTo CopyToAsync DefaultIfEmpty Dequeue Dispose DisposeAsync
     Distinct ElementAt EndInvoke Enqueue Equals Except FirstOrDefault FlushAsync GetAwaiter GetEnumerator
     GetHashCode GetOrAdd GetResult GetType GetValue GetValueOrDefault GroupBy IndexOfAny InsertRange Intersect
     Invoke InvokeAsync LastOrDefault LongCount MoveNext OfType OrderBy OrderByDescending Peek Prepend
     ReadAsync ReadLine ReadToEnd RemoveAll RemoveAt RemoveRange SelectMany SequenceEqual SetResult Single
     SingleOrDefault SkipWhile Substring TakeWhile ThenBy ToArray ToDictionary ToHashSet ToList ToLookup
     ToLower ToLowerInvariant ToUpper ToUpperInvariant TrimEnd TrimStart TryAdd TryDequeue TryGetValue
     TryRemove TryUpdate Union Wait WaitAsync Where WriteAsync WriteLine"
);

/// What members of the language's own collections give.
const COLLECTIONS: CollectionMembers = CollectionMembers {
    element: byte_words!(
        "Dequeue ElementAt ElementAtOrDefault Find FindAsync FindLast First FirstAsync FirstOrDefault FirstOrDefaultAsync
         GetValueOrDefault Last LastOrDefault MaxBy MinBy Peek Pop Single SingleAsync SingleOrDefault
         SingleOrDefaultAsync"
    ),
    same: byte_words!(
        "Append AsEnumerable AsNoTracking AsQueryable AsReadOnly Concat Distinct DistinctBy Except FindAll Intersect OrderBy
         OrderByDescending Prepend Reverse Skip SkipLast SkipWhile Take TakeLast TakeWhile ThenBy ThenByDescending
         ToArray ToHashSet ToList ToListAsync Union Where"
    ),
    by_key: byte_words!("AddOrUpdate GetOrAdd GetValueOrDefault"),
    values: byte_words!("Values"),
    entry_value: byte_words!("Value"),
    opens: byte_words!("Value"),
    step: MapGives::Entries,
    other: byte_words!("Cast Key Keys GroupBy GroupJoin Join OfType Select SelectMany Zip"),
    are_read: true,
    outside_stays: false,
    ..CollectionMembers::NONE
};

/// Methods of every object, and what a record is given.
const OBJECT: &[&[u8]] = byte_words!(
    "Clone CompareTo Deconstruct Equals Finalize GetHashCode GetType HasFlag Invoke BeginInvoke EndInvoke
     MemberwiseClone PrintMembers ReferenceEquals ToString"
);

/// How declarations are told apart.
const CSHARP_SHAPE: Shape = Shape {
    long: &[b"\"\"\""],
    directives: true,
    ..Shape::BRACES
};
