//! The answer of `search`.

use super::confidence::{Confidence, Narrower};
use crate::id::BlobId;
use crate::query::affected::Extent;
use crate::query::answer::SymbolRef;
use crate::query::nothing::Nothing;
use crate::query::recall::related::Note;
use crate::query::state::Stamp;

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

/// What a question looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Cost {
    /// What words add to chunks and files, added up.
    pub impacts: usize,
    /// Chunks that hold a word, of those that a filter let pass.
    pub matching: usize,
    /// Those of them whose scores were worked out.
    pub scored: usize,
    /// Names whose parts were compared.
    pub names: usize,
    /// Files whose paths hold a word.
    pub paths: usize,
    /// Vectors that were compared.
    pub vectors: usize,
    /// Hits that were read, shown or not.
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
    /// How far the change reaches that it was limited to.
    pub within: Option<Extent>,
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
    /// What it looked at; nothing where nothing was ranked.
    pub cost: Cost,
    /// Memories whose targets it shows.
    pub memories: Vec<Note>,
    /// Set when there is nothing: where it was looked, and what is near.
    pub nothing: Option<Box<Nothing>>,
}
