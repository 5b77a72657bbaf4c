//! Questions and answers.
//!
//! One way for every [`question`]: [`request`] -> [`engine`] pins a view, or for [`recall`] the log at a
//! commit -> [`target_matches`] says what exists of a [`target`] -> [`lookup`], [`refs`], [`search`], [`grep`],
//! [`map`], [`audit`], [`gate`] or [`diff`] -> an answer, and beside it what is remembered of what it shows.
//!
//! Guarantees: an answer is a pure function of four things: the request; what the view's tree holds (score,
//! then path, then line; no clocks, no counters, nothing of how segments are cut); the history of the
//! revision, which is its ancestors only; and the recorded coverage in the index. So an answer at a past
//! commit equals that of a fresh index of a clean checkout of it with the same history and coverage.
//! Two additions are exempt: `search` tells how often a hit is called only where the graph is in memory, and
//! memories beside an answer are those of the log as it is now. Deliberately absent: layout, token budgets
//! and the JSON of what a budget cuts (see `render`).

pub mod affected;
pub mod answer;
pub mod audit;
pub mod baseline;
mod behaviours;
mod beside;
pub mod cards;
pub mod churn;
pub mod context;
pub mod decorators;
mod definitions;
pub mod diff;
mod dispatch;
pub mod engine;
pub mod entry_points;
mod exposure;
pub mod gate;
pub mod grep;
mod handing;
pub mod history;
mod holders;
mod holding;
pub mod ids;
mod implicit;
pub mod imports;
pub mod inventory;
mod late;
mod loaded;
pub mod lookup;
mod loose;
pub mod map;
pub mod memories;
mod namesakes;
pub mod nothing;
mod opened;
mod openings;
pub mod outline;
mod outside;
mod overlap;
mod overview;
mod paths;
pub mod pattern;
mod properties;
pub mod question;
pub mod reach;
pub mod recall;
pub mod receivers;
pub mod refs;
pub mod relations;
pub mod release;
mod renamed;
pub mod request;
pub mod review;
pub mod scope;
pub mod search;
mod self_calls;
pub mod serialize;
mod shared;
pub mod snippets;
mod sole;
pub mod state;
pub mod target;
pub mod target_matches;
mod texted;
mod torn;
mod twins;
mod unexplained;
mod unread;
mod unspoken;
mod use_lines;
pub mod verdict;
pub mod verified;
pub mod verify;
mod wholes;

pub use crate::git::interrupt;
pub use crate::store::{Progress, Quiet};

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The repository or the revision.
    #[error(transparent)]
    Git(#[from] crate::git::Error),
    /// The stored index.
    #[error(transparent)]
    Store(#[from] crate::store::Error),
    /// The memories.
    #[error(transparent)]
    Memory(#[from] crate::memory::Error),
    /// The documents of uncommitted files could not be put into a segment.
    #[error("cannot index the uncommitted files")]
    Overlay(#[from] crate::segment::Error),
    /// A glob of the scope does not parse.
    #[error("bad scope {glob:?}: {reason}")]
    BadScope {
        /// The glob.
        glob: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A language or kind that nobody knows.
    #[error("unknown {what} {label:?}; known are: {known}")]
    UnknownLabel {
        /// `language` or `kind`.
        what: &'static str,
        /// What was asked for.
        label: String,
        /// What there is.
        known: String,
    },
    /// A part of the question is longer than anybody asks.
    #[error("the {what} has {found} bytes, where {limit} is the limit; ask for less")]
    TooLong {
        /// Which part.
        what: &'static str,
        /// Its bytes.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// A list in the question is longer than anybody asks.
    #[error("{found} of {what} were given, where {limit} is the limit; ask for less")]
    TooMany {
        /// Which list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// There is no word in the query.
    #[error("the query holds no word; give names or words to search for")]
    EmptyQuery,
    /// An expression that cannot be read.
    #[error(
        "{pattern:?} is no regular expression: {reason}; to find it as it is written, search for a text"
    )]
    BadPattern {
        /// The expression.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// References are asked of this file.
    #[error("{0:?} is a file; give a name or a symbol id (`symbol` outlines files)")]
    FileTarget(String),
    /// There is nothing to compare with: why not.
    #[error("nothing to compare with: {0}; fetch more history, or name a base")]
    NoBase(String),
    /// A range without an end.
    #[error(
        "{0:?} is no range of two revisions; write A..B, or A...B for what came since B left A"
    )]
    BadRange(String),
    /// What no range has was asked of one.
    #[error("a range of revisions takes no {0}; leave it out, or name one revision")]
    NotOfRange(&'static str),
    /// A target names one revision, the question another.
    #[error("{target:?} is of {named}, and {asked} was asked for; leave one of them out")]
    TwoRevisions {
        /// The target.
        target: String,
        /// The revision written after it.
        named: String,
        /// The revision of the question.
        asked: String,
    },
    /// What bounds a time is neither a date nor a revision.
    #[error("{0:?} is neither a date (2024, 2024-03, 2024-03-09) nor a revision")]
    BadMoment(String),
    /// An edge lacks an end.
    #[error("{0:?} lacks an end; write 'A -> B', 'A ->* B' or 'cycle:PATH'")]
    BadEdge(String),
    /// A change that leads from nothing to something.
    #[error("{0:?} has nothing before it; give a commit with a parent, or 'fix:OLD..NEW'")]
    BadFix(String),
    /// A way over imports leads between files, not definitions.
    #[error(
        "{0:?} is no file and no directory; ways over imports ('->*', 'cycle:') lead from file to file"
    )]
    NoPath(String),
    /// An edge has nobody who knows it.
    #[error("{0:?} is an edge, which has no lines and no authors; ask about one of its ends")]
    NobodyOf(String),
    /// There is no target.
    #[error("the target is empty; give a name, a symbol id or a path")]
    EmptyTarget,
    /// Both ends of references, over so many steps.
    #[error("both directions go one step; ask for `in` or `out` to go {0}")]
    BothFar(usize),
}

impl Error {
    /// Says whose tree it is that is too large.
    fn at_commit(self, commit: crate::id::CommitId) -> Self {
        match self {
            Self::Git(err) => Self::Git(err.at_commit(commit)),
            other => other,
        }
    }
}
