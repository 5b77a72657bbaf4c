//! Answers, as values: no JSON, no layout. Every text in them was cut from a blob or a work-tree
//! file when the question was asked, never from a segment; what is a segment's word is [`Written`], which
//! was found there.
//!
//! Paths are display text: UTF-8 with anything else escaped as git does (`\303\244`).

use super::audit::answer::HubFile;
use super::context::TaskContext;
use super::nothing::Nothing;
use super::recall::surface::Note;
use super::request::Direction;
use super::search::confidence::{Confidence, Narrower};
use super::state::{IndexState, Skipped, Stamp};
use crate::extract::record::{Grammar, OccurrenceKind, SymbolKind};
use crate::graph::rule::Certainty;
use crate::id::BlobId;
use crate::trace::lines::Ran;
use crate::view::written::Written;

/// A symbol in the fewest words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolRef {
    /// `path::Qualified.name#kind[~n]`.
    pub id: Written,
    /// Name with its containers (`Router.use`).
    pub qualified: Written,
    /// What it is.
    pub kind: SymbolKind,
    /// Path of its file.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

/// What a channel of the ranking had to say of a hit or of its file.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundBy {
    /// Channel name: `text`, `name`, `symbol`, `path`, `history`, `vector`.
    pub channel: &'static str,
    /// Rank in that channel, from 1; `None` where it ranked only other hits of the file.
    pub rank: Option<u32>,
    /// Its score as a share of the channel's best.
    pub share: f64,
    /// The best share of any hit of the file.
    pub of_file: f64,
    /// The channel's part in the sum, between 0 and 1.
    pub weight: f64,
}

/// How much a definition is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marks {
    /// Product functions that call it.
    pub callers: usize,
    /// Tests that call it.
    pub tests: usize,
}

/// One result of `search`.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchHit {
    /// Path of the file.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The symbol the lines show, if any.
    pub symbol: Option<SymbolRef>,
    /// First line of the symbol's signature, or the first telling line of the text.
    pub headline: String,
    /// The text of the lines.
    pub text: String,
    /// The lines of `text` (absolute line numbers) that hold most of the query's words; at most 3.
    pub telling_lines: Vec<u32>,
    /// Which channels found it or its file, the most telling first.
    pub found_by: Vec<FoundBy>,
    /// Factor of what its file is for: product code, tests, examples.
    pub role: f64,
    /// Who calls the symbol; `None` where no graph is at hand: making one takes longer than a search.
    pub marks: Option<Marks>,
    /// Fused score; only its order means anything.
    pub score: f64,
    /// The content it was cut from.
    pub blob: BlobId,
    /// Where else nearly the same lines are; at most a few.
    pub copies: Vec<Elsewhere>,
}

/// Lines that say nearly what a hit says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elsewhere {
    /// Path of the file.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

/// How far a search for every match went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exact {
    /// Lines that match.
    pub lines: usize,
    /// Files with a match.
    pub files: usize,
    /// Files that were read.
    pub read: usize,
}

/// Answer of `search`.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchAnswer {
    /// State spoken from.
    pub stamp: Stamp,
    /// The question.
    pub query: String,
    /// How many of the first were left out.
    pub offset: usize,
    /// Best first.
    pub hits: Vec<SearchHit>,
    /// Number of chunks that matched, shown or not.
    pub total: usize,
    /// Files searched.
    pub files: usize,
    /// Words of the query that occur nowhere in the files searched.
    pub unknown_words: Vec<String>,
    /// What of history could not be ranked by, in a few words; `None` when all of it was there.
    pub history: Option<String>,
    /// How sure the answer is; `None` without a hit.
    pub confidence: Option<Confidence>,
    /// What to ask instead, when it is not sure.
    pub narrower: Vec<Narrower>,
    /// Set when every line that matches was looked for, and nothing was ranked.
    pub exact: Option<Exact>,
    /// What could not be ranked by vectors, in a few words; `None` when all could.
    pub vectors: Option<String>,
    /// Memories whose targets it shows.
    pub memories: Vec<Note>,
    /// Set when there is nothing: where it was looked, and what is near.
    pub nothing: Option<Box<Nothing>>,
}

/// How a `symbol` target was matched, from strict to loose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MatchKind {
    /// A symbol id.
    Id,
    /// The exact name.
    Exact,
    /// The name but for case.
    CaseInsensitive,
    /// A member of a base of the type that was named.
    Inherited,
    /// A member of what the variable before it is somewhere known to be.
    Receiver,
    /// The name, but not in the container that was named.
    OtherContainer,
    /// All its sub-words.
    SubWord,
    /// The first letters of its sub-words (`lru` of `LeastRecentlyUsed`).
    Acronym,
    /// A prefix of the name.
    Prefix,
    /// A few letters off.
    Fuzzy,
}

impl MatchKind {
    /// Whether it is what was named, spelt as it was named.
    pub fn is_exact(self) -> bool {
        matches!(
            self,
            Self::Id | Self::Exact | Self::Inherited | Self::Receiver
        )
    }

    /// Returns the word shown to people and agents.
    pub fn label(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Exact => "exact",
            Self::CaseInsensitive => "case-insensitive",
            Self::Inherited => "inherited",
            Self::Receiver => "receiver",
            Self::OtherContainer => "other container",
            Self::SubWord => "sub-word",
            Self::Acronym => "acronym",
            Self::Prefix => "prefix",
            Self::Fuzzy => "fuzzy",
        }
    }
}

/// Definitions of one sort, and how many there are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Related {
    /// How many.
    pub total: usize,
    /// The first of them, at most 5.
    pub first: Vec<SymbolRef>,
}

/// What a definition has to do with others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Relations {
    /// References that were resolved to it, or inferred.
    pub uses: u64,
    /// References that may mean it or another definition.
    pub ambiguous: u64,
    /// Who calls it, tests left out.
    pub callers: Related,
    /// What it calls.
    pub callees: Related,
    /// Tests that call it.
    pub tests: Related,
    /// Direct subtypes and implementations.
    pub derived: Related,
    /// Members of subtypes that stand in for it.
    pub overrides: Related,
    /// Members of bases that it stands in for.
    pub overridden: Related,
}

/// One definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolCard {
    /// Where and what.
    pub symbol: SymbolRef,
    /// How it matched the target.
    pub matched: MatchKind,
    /// Language of its file.
    pub lang: Grammar,
    /// Its signature, white space folded, at most 300 bytes.
    pub signature: String,
    /// First sentence or line of its documentation; empty when there is none.
    pub doc: String,
    /// Facts: `exported`, `test`, `declaration`, `decorated`, `default`, `deprecated`.
    pub flags: Vec<&'static str>,
    /// Id of the symbol it is nested in.
    pub container: Option<Written>,
    /// Occurrences of its name anywhere in the view, by name (not resolved).
    pub references: u64,
    /// What it has to do with other definitions.
    pub relations: Relations,
    /// Symbols nested in it (detail `Outline`), any depth, in source order.
    pub members: Vec<OutlineItem>,
    /// Its source text (detail `Body`).
    pub body: Option<String>,
    /// The content it was cut from.
    pub blob: BlobId,
}

/// One line of an outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineItem {
    /// Where and what.
    pub symbol: SymbolRef,
    /// Nesting depth below the outline's root, from 0.
    pub depth: usize,
    /// First line of the signature, white space folded.
    pub signature: String,
}

/// Outline of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileOutline {
    /// Path of the file.
    pub path: String,
    /// Language.
    pub lang: Grammar,
    /// Number of lines.
    pub lines: u32,
    /// Size in bytes.
    pub bytes: u64,
    /// Why it has no symbols.
    pub skip: Option<&'static str>,
    /// Import specifiers as written, in order, each once.
    pub imports: Vec<Written>,
    /// Its symbols in source order.
    pub items: Vec<OutlineItem>,
    /// The content it was cut from.
    pub blob: BlobId,
}

/// Outline of a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FolderOutline {
    /// Its path with a slash at the end; `./` for the root.
    pub path: String,
    /// Its files, those further down last, with what stands at their top level.
    pub files: Vec<FileOutline>,
    /// Number of files, shown or not.
    pub total: usize,
}

/// Lines of a file that no symbol stands in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passage {
    /// Path of the file.
    pub path: String,
    /// First line.
    pub start: u32,
    /// Last line, inclusive.
    pub end: u32,
    /// Lines of the whole file; 0 when it was not extracted.
    pub lines: u32,
    /// The first of the lines, as they stand there.
    pub text: String,
    /// The content they were cut from.
    pub blob: BlobId,
}

/// What an answer has to say of its target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aside {
    /// It is also the path of a file or, with a slash at its end, of a directory.
    Path(String),
    /// It is also a definition, of this id.
    Symbol(Written),
    /// No symbol stands there, so the answer is of the whole file.
    NoSymbol(String),
    /// The variable before the name is known to be one of these, with the number of uses that say so.
    Receiver(String, Vec<(Written, usize)>),
    /// The type that was named has it from this base.
    Inherited(String, Written),
}

/// Answer of `symbol`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymbolAnswer {
    /// State spoken from.
    pub stamp: Stamp,
    /// The target as asked.
    pub target: String,
    /// How many of the first were left out.
    pub offset: usize,
    /// What is named exactly so, then what is named alike, each best first.
    pub cards: Vec<SymbolCard>,
    /// Number of definitions that are named exactly so, or of files that are meant, listed or not.
    pub total: usize,
    /// Number of definitions that are named alike, listed or not.
    pub near: usize,
    /// Set when the target is a file: its outline instead of cards.
    pub outlines: Vec<FileOutline>,
    /// Set when the target is a directory.
    pub folder: Option<FolderOutline>,
    /// Set when the target is lines that no symbol stands in.
    pub passage: Option<Passage>,
    /// What there is to say of the target.
    pub asides: Vec<Aside>,
    /// Files searched.
    pub files: usize,
    /// Memories whose targets it shows.
    pub memories: Vec<Note>,
    /// Set when there is nothing: where it was looked, and what is near.
    pub nothing: Option<Box<Nothing>>,
}

/// One use of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// Line.
    pub line: u32,
    /// Byte column, from 1.
    pub col: u32,
    /// How it is used.
    pub kind: OccurrenceKind,
    /// How sure it is that the target is meant.
    pub certainty: Certainty,
    /// What connects it with the target; `None` when only the letters agree.
    pub rule: Option<&'static str>,
    /// Other definitions that may be meant instead.
    pub candidates: usize,
    /// Qualified name of the innermost symbol it lies in.
    pub enclosing: Option<Written>,
    /// Text of the line, trimmed, at most 200 bytes.
    pub text: String,
}

/// Uses of a name in one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileReferences {
    /// Path of the file.
    pub path: String,
    /// Uses, in source order.
    pub references: Vec<Reference>,
    /// Number of uses in the file, shown or not.
    pub total: u64,
    /// The content they were cut from.
    pub blob: BlobId,
}

/// Lines of one file that hold a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordLines {
    /// Path of the file.
    pub path: String,
    /// Lines, ascending.
    pub lines: Vec<u32>,
}

/// Where a name stands without being a use that could be resolved: in comments, strings, prose, and
/// in code that means something else by it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// Lines found.
    pub total: u64,
    /// Files with such lines, product code first.
    pub files: Vec<WordLines>,
    /// Files that hold the word and were not read.
    pub unread: usize,
}

/// Something that a chain of references leads to.
#[derive(Clone, PartialEq, Debug)]
pub struct Reached {
    /// Path of its file.
    pub path: String,
    /// The symbol; `None` for the top level of the file, or the file as a whole.
    pub symbol: Option<SymbolRef>,
    /// Number of steps from the target.
    pub depth: usize,
    /// That of the least sure step.
    pub certainty: Certainty,
    /// Product of the confidence of the steps, from 0 to 1.
    pub confidence: f32,
    /// Line of the reference that the last step is; 0 where there is none.
    pub line: u32,
    /// What the shortest path goes through, from here to the target, both left out.
    pub via: Vec<Written>,
    /// References that make up the last step.
    pub uses: usize,
}

/// What ties two files together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tie {
    /// An import.
    Import,
    /// A re-export.
    Reexport,
    /// A textual include.
    Include,
    /// The declaration that the other file is part of the program (`mod x;`).
    Module,
    /// An import at run time.
    Dynamic,
    /// Use of names without an import, as inside a package.
    Used,
    /// An import of something outside the repository.
    External,
    /// An import of something that should be there and is not found.
    Unresolved,
}

impl Tie {
    /// The word shown to people and agents.
    pub fn label(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Reexport => "reexport",
            Self::Include => "include",
            Self::Module => "module",
            Self::Dynamic => "dynamic",
            Self::Used => "used",
            Self::External => "external",
            Self::Unresolved => "unresolved",
        }
    }
}

/// A file that another depends on, or that depends on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileDependency {
    /// Path of the other file; empty when it is not in the repository.
    pub path: String,
    /// The module as the import names it; empty without an import.
    pub specifier: Written,
    /// Line of the import, in the file that imports; of the first use without one.
    pub line: u32,
    /// Names that are imported, at most 12.
    pub names: Vec<Written>,
    /// What ties the files together.
    pub tie: Tie,
    /// Resolved references from one file to the other.
    pub uses: usize,
}

/// What a file depends on, or what depends on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// Which of the two.
    pub direction: Direction,
    /// The other ends, best first.
    pub shown: Vec<FileDependency>,
    /// How many other ends are files of the repository, shown or not.
    pub files: usize,
}

/// Answer of `refs`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RefsAnswer {
    /// State spoken from.
    pub stamp: Stamp,
    /// The target as asked.
    pub target: String,
    /// The bare name that was looked for; empty when the target is a file.
    pub name: String,
    /// What is said to be used: the qualified name of the definitions when they have one in common, else
    /// the name as it was asked for.
    pub title: String,
    /// Path of the target when it is a file or, with a slash at its end, a directory.
    pub file: Option<String>,
    /// What there is to say of the target.
    pub asides: Vec<Aside>,
    /// Whether a definition of it was seen running in tests.
    pub ran: Ran,
    /// Steps that were followed.
    pub depth: usize,
    /// What a chain of references leads to, nearest and surest first.
    pub reached: Vec<Reached>,
    /// Which way the chains from symbols were followed, and how much they lead to, shown or not.
    pub reached_by: Option<(Direction, usize)>,
    /// Directories with how many of these lie there, most first; empty when there are few.
    pub directories: Vec<(String, usize)>,
    /// Dependencies of a file, and its dependents.
    pub sides: Vec<Side>,
    /// Number of references by [`Certainty`], those not shown included. Where only the letters agree,
    /// lines are counted; they are part of the total only when nothing better was found.
    pub certainty: [u64; 4],
    /// Definitions of that name, best first, at most 10.
    pub definitions: Vec<SymbolRef>,
    /// Number of definitions of that name.
    pub definitions_total: usize,
    /// Definitions of the name in other containers than those asked for, when it has none in these: none
    /// of the uses is theirs. Best first, at most 10.
    pub elsewhere: Vec<SymbolRef>,
    /// Number of such definitions.
    pub elsewhere_total: usize,
    /// How many of the first were left out, of each sort.
    pub offset: usize,
    /// Files with uses, best first.
    pub files: Vec<FileReferences>,
    /// Files with uses that may mean another of the same name, best first.
    pub ambiguous: Vec<FileReferences>,
    /// Modules outside the repository that the name is imported from, when no definition was meant.
    pub outside: Vec<Written>,
    /// Where the name merely stands.
    pub words: Words,
    /// Number of uses, of what is reached, or of dependencies, shown or not.
    pub total: u64,
    /// Number of files that these are in, shown or not.
    pub files_total: usize,
    /// Files searched.
    pub files_searched: usize,
    /// Set when there is nothing: where it was looked, and what is near.
    pub nothing: Option<Box<Nothing>>,
}

/// A language's share of the view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LanguageShare {
    /// Language.
    pub lang: Grammar,
    /// Files.
    pub files: usize,
    /// Lines.
    pub lines: u64,
    /// Bytes.
    pub bytes: u64,
    /// Symbols.
    pub symbols: usize,
}

/// One directory of the map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DirectoryShare {
    /// Path; empty for the root.
    pub path: String,
    /// Nesting depth, from 0 for the root.
    pub depth: usize,
    /// Files below it, at any depth.
    pub files: usize,
    /// Lines below it.
    pub lines: u64,
    /// Its exported types and functions that most files use, at most 5.
    pub symbols: Vec<SymbolRef>,
}

/// Answer of `map`.
#[derive(Clone, PartialEq, Debug)]
pub struct MapAnswer {
    /// State spoken from.
    pub stamp: Stamp,
    /// Paths in the view.
    pub files: usize,
    /// Languages, most lines first.
    pub languages: Vec<LanguageShare>,
    /// Directories, in path order, down to the depth asked.
    pub directories: Vec<DirectoryShare>,
    /// Files of the code proper that most of it depends on, highest PageRank first.
    pub hubs: Vec<HubFile>,
    /// Types and functions of the code proper, those that most files use first.
    pub symbols: Vec<SymbolRef>,
    /// The context of the task that was asked about, with what the search for it found; then nothing
    /// is said of languages, directories and hubs.
    pub task: Option<(TaskContext, SearchAnswer)>,
    /// Files not extracted, by reason; path rules (lock files, secrets by name) included.
    pub skipped: Vec<Skipped>,
    /// The index.
    pub index: IndexState,
    /// Core memories, then those whose targets it shows.
    pub memories: Vec<Note>,
    /// Set when there is nothing: where it was looked, and what is near.
    pub nothing: Option<Box<Nothing>>,
}
