//! The answer of `history`.

use super::commits::CommitLine;
use super::decisions::Decisions;
use super::since::Evidence;
use crate::query::answer::SymbolRef;
use crate::query::recall::related::Note;
use crate::query::state::Stamp;

/// Answer of `history`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HistoryAnswer {
    /// The state spoken from.
    pub stamp: Stamp,
    /// What was asked about.
    pub target: String,
    /// What was followed, in words.
    pub subject: String,
    /// Other definitions of the name, by id.
    pub also: Vec<String>,
    /// Whether what was asked about holds now, where it is something that holds or does not.
    pub now: Now,
    /// Versions, newest first: those of the page.
    pub versions: Vec<Version>,
    /// How many come before them.
    pub offset: usize,
    /// How many were found.
    pub total: usize,
    /// Whether there are more, which nobody asked for.
    pub has_more: bool,
    /// Where history ends before its beginning, or where what was not found may be.
    pub end: Option<String>,
    /// How it was found out, where an answer may be wrong otherwise.
    pub way: Option<String>,
    /// Memories of it.
    pub memories: Vec<Note>,
    /// Decision records that are linked to it, where it was asked why.
    pub decisions: Decisions,
    /// Its places, for memories.
    pub shown: Option<(String, Option<String>)>,
}

/// Whether something holds in the state asked about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Now {
    /// What was asked about is nothing that holds or does not.
    #[default]
    Unasked,
    /// It does not.
    No,
    /// It does, and here it is seen.
    Yes(Evidence),
    /// So many lines match, in so many files.
    Lines {
        /// Lines.
        lines: usize,
        /// Files.
        files: usize,
    },
}

impl Now {
    /// Whether it holds; `None` where it is nothing that does or does not.
    pub fn holds(&self) -> Option<bool> {
        match self {
            Self::Unasked => None,
            Self::No => Some(false),
            Self::Yes(_) => Some(true),
            Self::Lines { lines, .. } => Some(*lines > 0),
        }
    }
}

/// A version of something, with what is known of its commit.
#[derive(Clone, PartialEq, Debug)]
pub struct Version<C = CommitLine> {
    /// The commit that made it; `None` for what is not committed.
    pub commit: Option<C>,
    /// What it did, the most telling first.
    pub did: Vec<&'static str>,
    /// Whether it is a merge that came to something else than each of its sides.
    pub is_merge: bool,
    /// Where it stands: a path, with lines where it is a definition.
    pub place: Place,
    /// Where it stood before, where that is elsewhere.
    pub was: Option<Place>,
    /// Its signature before and after, where that changed.
    pub signatures: Option<(String, String)>,
    /// What changed, in a line.
    pub detail: Option<String>,
}

impl<C> Version<C> {
    /// A version that is at a place, of which no more is known than what was done.
    pub fn new(did: &'static str, place: Place) -> Self {
        Self {
            commit: None,
            did: vec![did],
            is_merge: false,
            place,
            was: None,
            signatures: None,
            detail: None,
        }
    }

    /// The same, its commit said in another way.
    pub fn of_commit<D>(self, commit: Option<D>) -> Version<D> {
        Version {
            commit,
            did: self.did,
            is_merge: self.is_merge,
            place: self.place,
            was: self.was,
            signatures: self.signatures,
            detail: self.detail,
        }
    }
}

/// A place in a version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A file or a directory.
    Path(String),
    /// A definition.
    Symbol(SymbolRef),
    /// Where one thing uses another.
    Use(Evidence),
}

impl Place {
    /// Moves it down by so many lines.
    pub(super) fn shift(&mut self, lines: u32) {
        if let Self::Symbol(symbol) = self {
            symbol.start_line += lines;
            symbol.end_line += lines;
        }
    }
}
