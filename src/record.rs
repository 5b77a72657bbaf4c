//! What extraction says of one document, before it becomes part of a segment.
//!
//! Lines are 1-based, columns are 0-based byte columns, spans are half-open byte ranges of the
//! blob. Names are byte strings (source files are not always UTF-8), interned per document.

#[macro_use]
mod codes;
mod entries;

pub use entries::{Entry, EntryKind, Methods, PartKind, PathPart, Reached};

pub use codes::{
    Grammar, HintKind, ImportKind, OccurrenceKind, Qualifier, SkipReason, Standing, SymbolKind,
};

use crate::id::{BlobId, LocalName};
use std::ops::Range;

/// What the document itself says of the type of a value: enough to find the members that are meant by `x.name`
/// once the names are resolved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeHint {
    /// How the value follows.
    pub kind: HintKind,
    /// Position in [`DocRecord::occurrences`] of what it follows from.
    pub occurrence: u32,
}

/// A name that a function or block binds for itself: a parameter, a variable, a pattern. Uses of it
/// within its scope mean nothing outside of the document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// Position in [`DocRecord::occurrences`] of the name where it is bound.
    pub declared: u32,
    /// Positions in [`DocRecord::occurrences`] at which the name means this binding. Of several that
    /// hold for an occurrence, the one that begins last counts; of those, the one listed last.
    pub scope: Range<u32>,
    /// What is known of its value.
    pub hint: Option<TypeHint>,
}

/// Names that a document binds for itself, and hints for the types of its values, as far as they can be
/// told without other files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TypeHints {
    /// Names bound inside functions and blocks, in order of [`Local::declared`].
    pub locals: Vec<Local>,
    /// By position in [`DocRecord::symbols`], rising: the value of a field, variable or constant;
    /// what a function or method returns; what a type alias stands for.
    pub values: Vec<(u32, TypeHint)>,
    /// By position in [`DocRecord::occurrences`], rising: the object of a member access, for
    /// occurrences qualified by an [`Qualifier::Expression`]; [`HintKind::Super`] for those qualified by
    /// [`Qualifier::This`] that mean the base; and for a local name that is taken out of an object
    /// (`const { name } = object`) the object. For a name in quotes that is taken out of an object or
    /// type (`a["b"]`, `T["b"]`) that object; for a type that is one of several (`A | B`, `A & B`) the
    /// next of them.
    pub receivers: Vec<(u32, TypeHint)>,
}

impl TypeHints {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.locals.is_empty() && self.values.is_empty() && self.receivers.is_empty()
    }
}

/// Identity of a document: the blob and how it is to be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DocKey {
    /// The blob the document is extracted from.
    pub blob: BlobId,
    /// The grammar asked for; [`DocRecord::lang`] says what it was resolved to.
    pub grammar: Grammar,
}

/// Names what an extractor says of documents: equal ones, equal records. See
/// [`fingerprint`](crate::extract::fingerprint).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint(pub u64);

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// What names a row of a segment: a document, and the extractor whose record of it this is.
///
/// Rows of one document by several extractors may lie in one index; a reader takes its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RowKey {
    /// The document.
    pub doc: DocKey,
    /// What made the record.
    pub extractor: Fingerprint,
}

/// Byte strings interned in order of first appearance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameTable {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl NameTable {
    /// Appends a name and returns its position. The caller makes sure that it is new.
    pub fn push(&mut self, name: &[u8]) -> LocalName {
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len() as u32);
        LocalName(self.ends.len() as u32 - 1)
    }

    /// Returns the bytes of a name.
    ///
    /// # Panics
    /// When `name` does not come from this table.
    pub fn get(&self, name: LocalName) -> &[u8] {
        let i = name.index();
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.bytes[start..self.ends[i] as usize]
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Iterates over all names in order.
    pub fn iter(&self) -> impl Iterator<Item = (LocalName, &[u8])> {
        (0..self.ends.len() as u32).map(|i| (LocalName(i), self.get(LocalName(i))))
    }
}

/// A set of yes-or-no facts about a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SymbolFlags(pub u8);

impl SymbolFlags {
    /// Visible outside its file by the rules of its language.
    pub const EXPORTED: Self = Self(1);
    /// Is a test, or lies inside one.
    pub const TEST: Self = Self(2);
    /// Only declared here (a prototype, an abstract method, an overload signature).
    pub const DECLARATION: Self = Self(4);
    /// Carries a decorator, attribute or annotation.
    pub const DECORATED: Self = Self(8);
    /// Is the default export.
    pub const DEFAULT: Self = Self(16);
    /// Marked as deprecated.
    pub const DEPRECATED: Self = Self(32);

    /// Is used as a member of its first parameter, or is a type whose members are used as those of what it holds.
    pub const EXTENSION: Self = Self(64);
    /// Has type parameters, in a language where types of one name are told apart by that.
    pub const GENERIC: Self = Self(128);

    /// Returns the union of both sets.
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether every fact in `other` holds.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// One definition. `N` is [`LocalName`] in a record and [`crate::id::NameId`] in a segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol<N> {
    /// Its own name, unqualified.
    pub name: N,
    /// What it is.
    pub kind: SymbolKind,
    /// Facts about it.
    pub flags: SymbolFlags,
    /// The symbol of the same document it is nested in; always earlier in the list.
    pub container: Option<u32>,
    /// Name of a container that is not a symbol of the document (Go receiver, C++ `A::f`).
    pub receiver: Option<N>,
    /// Bytes of the whole definition, decorators and doc comment excluded.
    pub span: Range<u32>,
    /// First line of the definition.
    pub start_line: u32,
    /// Byte column of the definition's start.
    pub start_col: u32,
    /// Last line of the definition, inclusive.
    pub end_line: u32,
    /// Byte column just past the definition's end.
    pub end_col: u32,
    /// Line of the name itself.
    pub name_line: u32,
    /// Byte column of the name itself.
    pub name_col: u32,
    /// Bytes of the signature: from the span's start to the body. Lies within `span`.
    pub signature: Range<u32>,
    /// Bytes of the doc comment or docstring; empty when there is none.
    pub doc: Range<u32>,
    /// xxh3-64 of the bytes of `span`.
    pub body_hash: u64,
}

impl<N> Symbol<N> {
    /// The same with other names for its names.
    pub fn renamed<M>(self, name: impl Fn(N) -> M) -> Symbol<M> {
        Symbol {
            name: name(self.name),
            receiver: self.receiver.map(name),
            kind: self.kind,
            flags: self.flags,
            container: self.container,
            span: self.span,
            start_line: self.start_line,
            start_col: self.start_col,
            end_line: self.end_line,
            end_col: self.end_col,
            name_line: self.name_line,
            name_col: self.name_col,
            signature: self.signature,
            doc: self.doc,
            body_hash: self.body_hash,
        }
    }
}

/// One use of an identifier; a definition's own name is not one. In source order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrence<N> {
    /// The identifier.
    pub name: N,
    /// Line it stands on.
    pub line: u32,
    /// Byte column it starts at.
    pub col: u32,
    /// How it is used.
    pub kind: OccurrenceKind,
    /// What stands before it.
    pub qualifier: Qualifier,
}

impl OccurrenceKind {
    /// Whether something runs by it: a call, or a macro that is expanded.
    pub fn is_call(self) -> bool {
        matches!(self, Self::Call | Self::Expand)
    }
}

/// One name an import brings in or an export gives out.
///
/// An [`ImportKind::Export`] record looks from the other side: `local` is the name in this file,
/// `imported` the name others import it by (`None` for `module.exports = x`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding<N> {
    /// Name in the other module; `None` for the whole module (`* as x`, `import x`).
    pub imported: Option<N>,
    /// Name in this file, or the name given out by a re-export; `None` when all names are taken
    /// (`from x import *`, `export *`).
    pub local: Option<N>,
}

/// One import, export, include or module declaration, as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import<N> {
    /// What it is.
    pub kind: ImportKind,
    /// Line it stands on.
    pub line: u32,
    /// The module as the source names it (`./a`, `os.path`, `<stdio.h>` with its brackets).
    pub specifier: Vec<u8>,
    /// Names it binds. Empty for an import for effect.
    pub bindings: Vec<Binding<N>>,
}

impl<N> Import<N> {
    /// The same with other names for its names.
    pub fn renamed<M>(self, name: impl Fn(N) -> M) -> Import<M> {
        let binding = |found: Binding<N>| Binding {
            imported: found.imported.map(&name),
            local: found.local.map(&name),
        };
        Import {
            kind: self.kind,
            line: self.line,
            specifier: self.specifier,
            bindings: self.bindings.into_iter().map(binding).collect(),
        }
    }
}

/// The text fields that term frequencies are kept by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Field {
    /// Names of symbols defined in the chunk (headings, in documentation).
    Name = 0,
    /// Their signatures.
    Signature = 1,
    /// Code.
    Body = 2,
    /// Comments, docstrings and prose.
    Comment = 3,
}

/// Number of [`Field`]s.
pub const FIELDS: usize = 4;

/// One term of a chunk with its frequency in each field, each saturating at 255.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermFreq {
    /// The term, in [`DocRecord::terms`].
    pub term: LocalName,
    /// Frequency by [`Field`].
    pub tf: [u8; FIELDS],
}

/// A span of a document that is searched and shown as one hit. Chunks tile the document's
/// non-blank lines in order and do not overlap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The symbol it shows: the one it begins with or lies in.
    pub symbol: Option<u32>,
    /// Number of terms in each [`Field`], saturating.
    pub field_len: [u16; FIELDS],
    /// xxh3-64 of the chunk's bytes.
    pub content_hash: u64,
    /// Its distinct terms, ordered by term bytes.
    pub terms: Vec<TermFreq>,
}

/// A set of yes-or-no facts about a document.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct DocFlags(pub u8);

impl DocFlags {
    /// Says of itself that a program wrote it (`@generated`, `Code generated ... DO NOT EDIT`).
    pub const GENERATED: Self = Self(1);
    /// The parser met syntax errors.
    pub const SYNTAX_ERRORS: Self = Self(2);

    /// Returns the union of both sets.
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether every fact in `other` holds.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Lines one after another, the last one included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lines {
    /// The first, 1-based.
    pub first: u32,
    /// The last.
    pub last: u32,
}

/// What of a document its parser did not understand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gaps {
    /// Bytes that lie in syntax errors.
    pub bytes: u32,
    /// The lines of these, in order and none next to another; at most
    /// [`MAX_GAPS_PER_DOC`](crate::limits::MAX_GAPS_PER_DOC).
    pub lines: Vec<Lines>,
}

impl Gaps {
    /// Whether a line was not understood, or not all of it.
    pub fn contains(&self, line: u32) -> bool {
        let next = self.lines.partition_point(|lines| lines.last < line);
        self.lines
            .get(next)
            .is_some_and(|lines| lines.first <= line)
    }
}

/// Everything recorded of one document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocRecord {
    /// The grammar it was read with in the end.
    pub lang: Grammar,
    /// Why nothing was extracted; when set, all lists are empty.
    pub skip: Option<SkipReason>,
    /// Facts about it.
    pub flags: DocFlags,
    /// Size of the blob in bytes.
    pub size: u64,
    /// Number of lines (a last line without a newline counts); 0 when skipped.
    pub lines: u32,
    /// Identifiers of symbols, occurrences and bindings.
    pub names: NameTable,
    /// Definitions, in order of their span's start (containers before what they contain).
    pub symbols: Vec<Symbol<LocalName>>,
    /// Uses of identifiers, in source order.
    pub occurrences: Vec<Occurrence<LocalName>>,
    /// Imports and exports, in source order.
    pub imports: Vec<Import<LocalName>>,
    /// Local names, and what is known of values.
    pub hints: TypeHints,
    /// What was not understood.
    pub gaps: Gaps,
    /// Entry points, in source order, what one stands on before it.
    pub entries: Vec<Entry>,
    /// Lower-cased words and sub-words of the chunks.
    pub terms: NameTable,
    /// Searchable spans, in order.
    pub chunks: Vec<Chunk>,
}

impl DocRecord {
    /// Returns the record of a document of which nothing was extracted.
    pub fn skipped(lang: Grammar, size: u64, reason: SkipReason) -> Self {
        Self {
            skip: Some(reason),
            ..Self::empty(lang, size)
        }
    }

    /// Returns a record without content.
    pub fn empty(lang: Grammar, size: u64) -> Self {
        Self {
            lang,
            skip: None,
            flags: DocFlags::default(),
            size,
            lines: 0,
            names: NameTable::default(),
            symbols: Vec::new(),
            occurrences: Vec::new(),
            imports: Vec::new(),
            hints: TypeHints::default(),
            gaps: Gaps::default(),
            entries: Vec::new(),
            terms: NameTable::default(),
            chunks: Vec::new(),
        }
    }
}
