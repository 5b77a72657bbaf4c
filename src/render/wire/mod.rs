//! The JSON shapes of answers that a budget cuts: what `--json` prints and what tools return as structured
//! content of as many items as the text shows. Reports without a budget derive theirs from their own
//! fields.
//!
//! Guarantees: inner types of answers change freely behind it. Empty lists and absent values are left out.
//! Lines are 1-based and inclusive. A symbol's id is `path::name#kind`, and is spelled out only where that
//! is not enough.

pub mod audit;
pub mod diff;
pub mod forecast;
pub mod history;
pub mod memory;
pub mod one;
pub mod outlook;
pub mod refs;
pub mod release;
pub mod tags;
pub mod tests_to_run;
mod unmet;
pub mod verify;
pub mod who;

use super::layout::Layout;
use super::nothing;
use crate::query::affected::Extent;
use crate::query::entry_points::Shown;
use crate::query::search::answer::Cost;
use crate::query::serialize::is_zero;
use crate::query::state::{IndexState, Skipped, Stamp};
use crate::query::{answer, cards};
use schemars::JsonSchema;
use serde::Serialize;

/// The items of a section of an answer that are shown; `places` says where in the layout each stands.
fn shown<T, W>(all: &[T], places: &[usize], layout: &Layout, wire: impl Fn(&T) -> W) -> Vec<W> {
    let placed = all.iter().zip(places);
    let shown = placed.filter(|(_, at)| layout.level(**at).is_some());
    shown.map(|(item, _)| wire(item)).collect()
}

/// Checked words as JSON has them.
pub(super) fn texts(written: &[impl AsRef<str>]) -> Vec<String> {
    let texts = written.iter();
    texts.map(|words| words.as_ref().to_owned()).collect()
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
    pub channels: Vec<ChannelScore>,
}

/// What a channel said of a hit or its file.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ChannelScore {
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
    pub index: Stamp,
    /// Hits shown.
    pub shown: usize,
    /// Hits there are.
    pub total: usize,
    /// Files searched.
    pub files: usize,
    /// How far the change reaches that it was limited to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub within: Option<Extent>,
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
    /// What was looked at, when asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub cost: Option<Cost>,
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
    /// Uses resolved to it; none of what is only named alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<u64>,
    /// Why no use is sure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// Routes, commands and jobs that lead to it.
    #[serde(default, rename = "entries", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<serde_json::Value>")]
    pub entry_points: Vec<Entry>,
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
    /// First and last of lines that were not understood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_understood: Vec<[u32; 2]>,
    /// Its symbols, in source order.
    pub members: Vec<Member>,
}

/// Answer of `symbol`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Symbols {
    /// State spoken from.
    pub index: Stamp,
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
    /// Lines that no symbol stands in, when these were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub passage: Option<Passage>,
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

/// Lines of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Passage {
    /// File.
    pub path: String,
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// The first of them, as they stand there.
    pub text: String,
}

impl Passage {
    /// Returns the wire form of a passage; `None` past the end of its file.
    pub fn new(passage: &cards::Passage) -> Option<Self> {
        (passage.start <= passage.lines).then(|| Self {
            path: passage.path.clone(),
            start: passage.start,
            end: passage.end,
            text: passage.text.clone(),
        })
    }
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
    pub index: Stamp,
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
    /// Routes, commands, jobs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<serde_json::Value>")]
    pub entries: Vec<Entry>,
    /// Files not extracted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// The stored index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<IndexState>,
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

/// An entry point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Entry {
    /// `GET /users/:id`, `command serve`.
    pub entry: String,
    /// What it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handler: Option<String>,
    /// The file that states it.
    pub path: String,
    /// The line there.
    pub line: u32,
}

impl Entry {
    /// As an answer has it.
    pub fn new(point: &Shown) -> Self {
        Self {
            entry: point.title.clone(),
            handler: point.handler.clone(),
            path: point.path.clone(),
            line: point.line,
        }
    }
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
