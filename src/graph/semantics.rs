//! What resolution has to know of a language: which names are visible without saying where from.

use super::names::{Name, Names};
use crate::extract::record::{Grammar, SymbolKind};

/// Languages whose files define names for each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// JavaScript, TypeScript and what embeds them.
    JavaScript,
    /// Python and notebooks.
    Python,
    /// C and C++.
    C,
    /// Java, Kotlin, Scala.
    Jvm,
    /// A language of its own.
    Alone(Grammar),
}

impl Family {
    /// The family of a language.
    pub fn of(lang: Grammar) -> Self {
        match lang {
            Grammar::TypeScript
            | Grammar::Tsx
            | Grammar::JavaScript
            | Grammar::Vue
            | Grammar::Svelte => Self::JavaScript,
            Grammar::Python | Grammar::Notebook => Self::Python,
            Grammar::C | Grammar::Cpp => Self::C,
            Grammar::Java | Grammar::Kotlin | Grammar::Scala => Self::Jvm,
            Grammar::OCaml | Grammar::OCamlInterface => Self::Alone(Grammar::OCaml),
            other => Self::Alone(other),
        }
    }
}

/// Whether a bare name inside a class means its members.
pub fn implicit_members(lang: Grammar) -> bool {
    matches!(
        lang,
        Grammar::Java
            | Grammar::Kotlin
            | Grammar::Scala
            | Grammar::CSharp
            | Grammar::Cpp
            | Grammar::Swift
            | Grammar::Dart
            | Grammar::Ruby
            | Grammar::Zig
    )
}

/// Whether what stands in a namespace block counts as standing at the top of the file.
pub fn open_namespaces(lang: Grammar) -> bool {
    matches!(
        lang,
        Grammar::C
            | Grammar::Cpp
            | Grammar::CSharp
            | Grammar::Php
            | Grammar::Kotlin
            | Grammar::Scala
            | Grammar::Haskell
            | Grammar::Hcl
            | Grammar::Sql
    )
}

/// Whether a module gives out what it imports.
pub fn passes_imports_on(lang: Grammar) -> bool {
    matches!(lang, Grammar::Python | Grammar::Rust | Grammar::Notebook)
}

/// Whether an import of a whole module may name a type in it (`import a.b.Type`).
pub fn imports_types(lang: Grammar) -> bool {
    matches!(
        lang,
        Grammar::Java
            | Grammar::Kotlin
            | Grammar::Scala
            | Grammar::Php
            | Grammar::CSharp
            | Grammar::Elixir
            | Grammar::Swift
    )
}

/// Whether a bare name that nothing explains may yet be a definition of another file: where
/// includes and loading order, not imports, make names visible.
pub fn loose_names(lang: Grammar) -> bool {
    !matches!(
        lang,
        Grammar::Python
            | Grammar::Notebook
            | Grammar::Go
            | Grammar::Rust
            | Grammar::Java
            | Grammar::TypeScript
            | Grammar::Tsx
            | Grammar::Dart
            | Grammar::Haskell
    )
}

/// Whether a file that re-opens a type adds to the type defined elsewhere.
pub fn open_types(lang: Grammar) -> bool {
    matches!(lang, Grammar::Ruby | Grammar::CSharp)
}

/// Whether a symbol has members of its own.
pub fn has_members(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Interface
            | SymbolKind::Trait
            | SymbolKind::Enum
            | SymbolKind::Union
            | SymbolKind::Type
            | SymbolKind::Module
            | SymbolKind::Impl
    )
}

/// Whether a symbol names a type.
pub fn is_type(kind: SymbolKind) -> bool {
    has_members(kind) && !matches!(kind, SymbolKind::Impl)
}

/// Whether a symbol can be called.
pub fn is_callable(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Function
            | SymbolKind::Method
            | SymbolKind::Constructor
            | SymbolKind::Macro
            | SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Enum
            | SymbolKind::Variant
    )
}

/// Whether other code can refer to a symbol by its name.
pub fn is_referable(kind: SymbolKind) -> bool {
    !matches!(
        kind,
        SymbolKind::Section | SymbolKind::Test | SymbolKind::Impl
    )
}

/// What a method of a collection gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CollectionMethod {
    /// One of its elements.
    Element,
    /// A collection of the same elements, or of some of them.
    Same,
}

/// What a method of JavaScript's own collections gives, if that is told by what they hold.
pub fn collection_method(name: &[u8]) -> Option<CollectionMethod> {
    match name {
        b"at" | b"find" | b"findLast" | b"get" | b"pop" | b"shift" => {
            Some(CollectionMethod::Element)
        }
        b"concat" | b"filter" | b"reverse" | b"slice" | b"sort" | b"splice" | b"toReversed"
        | b"toSorted" | b"values" => Some(CollectionMethod::Same),
        _ => None,
    }
}

/// Whether a name that a JavaScript file does not define is an object of the language or of its
/// usual hosts.
pub fn is_javascript_global(name: &[u8]) -> bool {
    matches!(
        name,
        b"Array"
            | b"ArrayBuffer"
            | b"Atomics"
            | b"BigInt"
            | b"Buffer"
            | b"Date"
            | b"Error"
            | b"Function"
            | b"Intl"
            | b"JSON"
            | b"Map"
            | b"Math"
            | b"Number"
            | b"Object"
            | b"Promise"
            | b"Proxy"
            | b"Reflect"
            | b"RegExp"
            | b"Set"
            | b"String"
            | b"Symbol"
            | b"WeakMap"
            | b"WeakSet"
            | b"console"
            | b"document"
            | b"globalThis"
            | b"localStorage"
            | b"location"
            | b"navigator"
            | b"performance"
            | b"process"
            | b"sessionStorage"
            | b"window"
    )
}

/// Member names so common in the libraries of their languages that one definition of the name in
/// the repository says nothing about an object of unknown type.
const COMMON: &[&str] = &[
    "add",
    "all",
    "any",
    "append",
    "apply",
    "assert",
    "begin",
    "bind",
    "call",
    "catch",
    "clear",
    "clone",
    "close",
    "collect",
    "concat",
    "contains",
    "copy",
    "count",
    "data",
    "decode",
    "default",
    "delete",
    "describe",
    "drop",
    "emit",
    "empty",
    "encode",
    "end",
    "endsWith",
    "endswith",
    "entries",
    "eq",
    "equals",
    "error",
    "every",
    "exec",
    "exists",
    "expect",
    "extend",
    "fill",
    "filter",
    "find",
    "first",
    "flat",
    "flatMap",
    "flush",
    "fmt",
    "fold",
    "forEach",
    "format",
    "from",
    "get",
    "hasNext",
    "has",
    "hash",
    "hashCode",
    "id",
    "includes",
    "index",
    "indexOf",
    "info",
    "insert",
    "into",
    "is_empty",
    "isEmpty",
    "it",
    "items",
    "iter",
    "join",
    "key",
    "keys",
    "last",
    "len",
    "length",
    "lines",
    "list",
    "load",
    "lock",
    "log",
    "lower",
    "map",
    "match",
    "max",
    "message",
    "min",
    "name",
    "new",
    "next",
    "of",
    "on",
    "once",
    "open",
    "parse",
    "path",
    "pop",
    "port",
    "print",
    "push",
    "put",
    "query",
    "read",
    "reduce",
    "remove",
    "render",
    "repeat",
    "replace",
    "reset",
    "resolve",
    "result",
    "reverse",
    "run",
    "save",
    "search",
    "seek",
    "send",
    "set",
    "shift",
    "size",
    "skip",
    "slice",
    "some",
    "sort",
    "splice",
    "split",
    "start",
    "startsWith",
    "startswith",
    "status",
    "stop",
    "stream",
    "strip",
    "sum",
    "swap",
    "take",
    "test",
    "text",
    "then",
    "toArray",
    "toList",
    "toString",
    "to_owned",
    "to_string",
    "to_vec",
    "top",
    "trim",
    "type",
    "unwrap",
    "update",
    "upper",
    "url",
    "value",
    "valueOf",
    "values",
    "version",
    "wait",
    "with",
    "write",
    "zip",
];

/// The names of [`COMMON`] as a view numbers them.
pub struct CommonNames(rustc_hash::FxHashSet<Name>);

impl CommonNames {
    /// Looks the names up.
    pub fn of(names: &Names) -> Self {
        let found = COMMON.iter().filter_map(|name| names.find(name.as_bytes()));
        Self(found.collect())
    }

    /// Whether a name is one of them.
    pub fn contains(&self, name: Name) -> bool {
        self.0.contains(&name)
    }
}
