//! The answer of `symbol`: cards of definitions, outlines of files.

use super::answer::{MatchKind, SymbolRef, TargetNote};
use super::entry_points::Shown;
use super::nothing::Nothing;
use super::recall::related::Note;
use super::state::Stamp;
use super::verdict::Verdict;
use crate::extract::record::{Grammar, Lines};
use crate::id::BlobId;
use crate::view::written::Written;

/// Definitions that are named alike from which on no further name is looked up: nobody reads so many.
pub const MAX_ALIKE: usize = 500;

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
    /// Why no use is sure, where none is but those that tests make or it itself.
    pub verdict: Option<Verdict>,
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
    /// What it has to do with other definitions; `None` where that is not told.
    pub relations: Option<Relations>,
    /// Entry points that lead to it: routes, commands, jobs.
    pub entry_points: Vec<Shown>,
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
    /// Lines that were not understood, in order.
    pub gaps: Vec<Lines>,
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
    /// Number of definitions that are named alike, listed or not; from [`MAX_ALIKE`] on not all are counted.
    pub near: usize,
    /// Set when the target is a file: its outline instead of cards.
    pub outlines: Vec<FileOutline>,
    /// Set when one file is meant: the lines of its outline, listed or not, which are then what the offset counts.
    pub lines: Option<usize>,
    /// Set when the target is a directory.
    pub folder: Option<FolderOutline>,
    /// Set when the target is lines that no symbol stands in.
    pub passage: Option<Passage>,
    /// What there is to say of the target.
    pub asides: Vec<TargetNote>,
    /// Files searched.
    pub files: usize,
    /// Memories whose targets it shows.
    pub memories: Vec<Note>,
    /// Set when there is nothing: where it was looked, and what is near.
    pub nothing: Option<Box<Nothing>>,
}
