//! The JSON shapes: what `--json` prints and what tools return as structured content.
//!
//! Guarantees: this is the only module that defines JSON shapes; inner types change freely
//! behind it. Empty lists and absent values are left out. Lines are 1-based and inclusive. A
//! symbol's id is `path::name#kind`, and is spelled out only where that is not enough.

pub mod memory;
pub mod model;
pub mod refs;
pub mod status;
pub mod trace;

use super::nothing;
use crate::query::answer;
use schemars::JsonSchema;
use serde::Serialize;

pub mod audit;

/// Checked words as JSON has them.
pub(super) fn texts(written: &[impl AsRef<str>]) -> Vec<String> {
    let texts = written.iter();
    texts.map(|words| words.as_ref().to_owned()).collect()
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// State an answer speaks from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Index {
    /// Abbreviated commit; absent before the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Uncommitted paths laid over it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dirty: usize,
    /// Files the answer may lack.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub uncovered: usize,
    /// What went wrong on the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Index {
    /// Returns the wire form of a stamp.
    pub fn new(stamp: &answer::Stamp) -> Self {
        Self {
            commit: stamp.commit.map(|c| c.short()),
            dirty: stamp.dirty,
            uncovered: stamp.uncovered,
            warnings: stamp.warnings.clone(),
        }
    }
}

/// One numbered line of source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Line {
    /// Line number.
    pub line: u32,
    /// Its text.
    pub text: String,
}

/// A symbol and its place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Symbol {
    /// File.
    pub path: String,
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// What it is.
    pub kind: &'static str,
    /// Qualified name.
    pub name: String,
    /// Id, when it is not `path::name#kind`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

impl Symbol {
    /// Returns the wire form of a symbol.
    pub fn new(symbol: &answer::SymbolRef) -> Self {
        let plain = format!(
            "{}::{}#{}",
            symbol.path,
            symbol.qualified,
            symbol.kind.label()
        );
        Self {
            path: symbol.path.clone(),
            start: symbol.start_line,
            end: symbol.end_line,
            kind: symbol.kind.label(),
            name: symbol.qualified.to_string(),
            id: (*symbol.id != *plain).then(|| symbol.id.to_string()),
        }
    }
}

/// One hit of `search`.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Hit {
    /// File.
    pub path: String,
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// Kind of the symbol shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// Its qualified name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its id, when it is not `path::name#kind`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Signature or first telling line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headline: Option<String>,
    /// Lines with most of the query's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
    /// Whole text, where the budget allowed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where nearly the same lines are, as `path:start-end`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<String>,
    /// Channels and ranks (`name#1`).
    pub found_by: Vec<String>,
    /// Functions that call it, where the graph is at hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<usize>,
    /// Tests that call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<usize>,
    /// How the score came about, when asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub explain: Option<Explanation>,
}

/// How the score of a hit came about.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Explanation {
    /// The score, further hits of a file discounted.
    pub score: f64,
    /// Factor of what the file is for.
    pub role: f64,
    /// What each channel said.
    pub channels: Vec<Told>,
}

/// What a channel said of a hit or its file.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Told {
    /// Its name.
    pub channel: &'static str,
    /// Its rank for the hit, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// Score as a share of the best.
    pub share: f64,
    /// Best share of any hit of the file.
    pub of_file: f64,
    /// Part in the sum.
    pub weight: f64,
}

/// Answer of `search`.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Search {
    /// State spoken from.
    pub index: Index,
    /// Hits shown.
    pub shown: usize,
    /// Hits there are.
    pub total: usize,
    /// Files searched.
    pub files: usize,
    /// Hits, best first.
    pub hits: Vec<Hit>,
    /// Words that occur nowhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_words: Vec<String>,
    /// What of history could not be ranked by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<String>,
    /// How sure, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    /// What could not be ranked by vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vectors: Option<String>,
    /// What is remembered of what is shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<serde_json::Value>")]
    pub memories: Vec<memory::Note>,
    /// Where it was looked, when there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub nothing: Option<nothing::Wire>,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// One line of an outline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Member {
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// What it is.
    pub kind: &'static str,
    /// Qualified name.
    pub name: String,
    /// Signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// One definition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Card {
    /// Where and what.
    #[serde(flatten)]
    pub symbol: Symbol,
    /// How it matched the target.
    pub matched: &'static str,
    /// Language.
    pub lang: &'static str,
    /// Signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// First sentence of its documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Facts (`exported`, `test`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<&'static str>,
    /// Id of the symbol around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
    /// Uses of its name, not resolved.
    pub references: u64,
    /// Uses resolved to it.
    pub uses: u64,
    /// Ids of callers, at most 5.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<String>,
    /// Ids of what it calls, at most 5.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callees: Vec<String>,
    /// Ids of tests that call it, at most 5.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// Ids of subtypes, implementations and overrides, at most 5 each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<String>,
    /// Symbols nested in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Member>,
    /// Source text from `start` on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Last line of `body`, when it was cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_end: Option<u32>,
}

/// Outline of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Outline {
    /// File.
    pub path: String,
    /// Language.
    pub lang: &'static str,
    /// Lines in it.
    pub lines: u32,
    /// Why it has no symbols.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip: Option<&'static str>,
    /// Modules it imports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<String>,
    /// Its symbols, in source order.
    pub members: Vec<Member>,
}

/// Answer of `symbol`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Symbols {
    /// State spoken from.
    pub index: Index,
    /// Symbols shown.
    pub shown: usize,
    /// Symbols there are.
    pub total: usize,
    /// Files searched.
    pub files: usize,
    /// Definitions, best first.
    pub cards: Vec<Card>,
    /// Definitions that are named alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub near: Vec<Card>,
    /// Outlines, when a file was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outlines: Vec<Outline>,
    /// What is remembered of what is shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<serde_json::Value>")]
    pub memories: Vec<memory::Note>,
    /// Where it was looked, when there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub nothing: Option<nothing::Wire>,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A language's share.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Language {
    /// Language.
    pub lang: &'static str,
    /// Files.
    pub files: usize,
    /// Lines.
    pub lines: u64,
    /// Symbols.
    pub symbols: usize,
}

/// One directory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Directory {
    /// Path; empty for the root.
    pub path: String,
    /// Files below it.
    pub files: usize,
    /// Lines below it.
    pub lines: u64,
    /// Names of its main symbols.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<String>,
}

/// Files skipped for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Skipped {
    /// Why.
    pub reason: &'static str,
    /// How many.
    pub files: usize,
}

/// Returns the wire form of skip counts.
pub fn skipped(counts: &[(&'static str, usize)]) -> Vec<Skipped> {
    counts
        .iter()
        .map(|&(reason, files)| Skipped { reason, files })
        .collect()
}

/// The stored index.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Store {
    /// Abbreviated id of its tip; absent while nothing is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tip: Option<String>,
    /// Segments.
    pub segments: usize,
    /// Documents in them.
    pub documents: usize,
    /// Bytes of them.
    pub bytes: u64,
}

impl Store {
    /// Returns the wire form of an index state.
    pub fn new(state: &answer::IndexState) -> Self {
        Self {
            tip: state.tip.clone(),
            segments: state.segments,
            documents: state.documents,
            bytes: state.bytes,
        }
    }
}

/// A file that much depends on.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Hub {
    /// File.
    pub path: String,
    /// Share of PageRank, from 0 to 1.
    pub rank: f64,
    /// Files that depend on it.
    pub fan_in: usize,
}

/// Answer of `map`.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Map {
    /// State spoken from.
    pub index: Index,
    /// Directories shown.
    pub shown: usize,
    /// Directories there are, down to the depth asked.
    pub total: usize,
    /// Files.
    pub files: usize,
    /// Languages, most lines first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<Language>,
    /// Directories, in path order.
    pub directories: Vec<Directory>,
    /// Files that most depends on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hubs: Vec<Hub>,
    /// Most used symbols.
    pub symbols: Vec<Symbol>,
    /// What a task is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub task: Vec<TaskPart>,
    /// Files not extracted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// The stored index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<Store>,
    /// What is remembered of what is shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<serde_json::Value>")]
    pub memories: Vec<memory::Note>,
    /// Where it was looked, when there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub nothing: Option<nothing::Wire>,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A file that has to do with a task.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct TaskPart {
    /// Its path.
    pub path: String,
    /// `file`, `test` or `related`.
    pub part: &'static str,
    /// Ids of its symbols.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<String>,
}

/// Report of `index`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Indexed {
    /// The stored index afterwards.
    pub store: Store,
    /// Commits covered, in the order they were come by; empty when there are many.
    pub commits: Vec<String>,
    /// Number of commits covered.
    pub commits_total: usize,
    /// Documents their trees need.
    pub documents_needed: usize,
    /// Documents extracted by this run.
    pub documents_added: usize,
    /// Source bytes of those.
    pub source_bytes: u64,
    /// Documents without content.
    pub skipped: Vec<Skipped>,
    /// What went wrong on the way.
    pub warnings: Vec<String>,
}

/// Report of `gc`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Collected {
    /// The stored index before.
    pub before: Store,
    /// The stored index after.
    pub after: Store,
    /// Documents dropped, or to be dropped.
    pub documents_dropped: usize,
    /// Traces dropped, or to be dropped.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub traces_dropped: usize,
    /// Commits dropped from the history log, or to be dropped.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub commits_dropped: usize,
    /// Bytes of files freed beside the object store.
    pub bytes_freed: u64,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// What went wrong on the way.
    pub warnings: Vec<String>,
}

/// Report of `forget`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Forgotten {
    /// Ids of the blobs.
    pub blobs: Vec<String>,
    /// How many of them were not forgotten before.
    pub added: usize,
    /// Documents that were recorded of them.
    pub documents: usize,
    /// Segments that held these.
    pub segments: usize,
    /// Traces of them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub traces: usize,
    /// Refs of fetched indexes that still have documents of them.
    pub fetched: Vec<String>,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// What went wrong on the way.
    pub warnings: Vec<String>,
}

/// What is forgotten.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ForgottenBlobs {
    /// Ids of the blobs.
    pub blobs: Vec<String>,
}

/// Report of `fsck`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Checked {
    /// The stored index afterwards.
    pub store: Store,
    /// Whether nothing is wrong.
    pub sound: bool,
    /// Segments checked.
    pub segments: usize,
    /// Documents in those that can be opened.
    pub documents: usize,
    /// Documents extracted again and compared.
    pub rederived: usize,
    /// What is wrong.
    pub findings: Vec<String>,
    /// What was done about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mended: Option<Mended>,
    /// What went wrong on the way.
    pub warnings: Vec<String>,
}

/// What `fsck` did about what is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Mended {
    /// Segments that left the index.
    pub segments_dropped: usize,
    /// Documents extracted again.
    pub documents_extracted: usize,
    /// Ids of damaged objects that are still needed.
    pub stuck: Vec<String>,
}

/// Report of `fetch`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Fetched {
    /// The remote.
    pub remote: String,
    /// Abbreviated id of its index; absent when it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tip: Option<String>,
    /// Whether nothing was done.
    pub dry_run: bool,
    /// Whether it has what it had when it was last fetched.
    pub known: bool,
    /// Segments that came.
    pub segments: usize,
    /// Documents that were not here.
    pub documents: usize,
    /// Blobs of which it was not known here what ran.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub traces: usize,
    /// Commits of which it was not known here what they say.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub commits: usize,
    /// Memories that came, by author.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<memory::Came>,
    /// The stored index afterwards.
    pub store: Store,
    /// What went wrong on the way.
    pub warnings: Vec<String>,
}

/// Report of `push`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Pushed {
    /// The remote.
    pub remote: String,
    /// Abbreviated id of its index; absent when it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tip: Option<String>,
    /// Whether nothing was done.
    pub dry_run: bool,
    /// Whether it had all of this before.
    pub current: bool,
    /// Segments sent.
    pub segments: usize,
    /// Documents it did not have.
    pub documents: usize,
    /// Blobs of which it learned more about what ran.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub traces: usize,
    /// Commits of which it learned what they say.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub commits: usize,
    /// Commits of which that stays here because the remote does not have them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub commits_withheld: usize,
    /// Bytes of the segments, uncompressed.
    pub bytes: u64,
    /// Documents that stay here because the remote does not have their content.
    pub withheld: usize,
    /// Segments it has afterwards.
    pub segments_there: usize,
    /// Events of the memory log sent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub memories: usize,
    /// Times somebody else was quicker.
    pub races: u32,
    /// What went wrong on the way.
    pub warnings: Vec<String>,
}

/// Report of `sync`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Synced {
    /// What came.
    pub fetched: Fetched,
    /// What went.
    pub pushed: Pushed,
}
