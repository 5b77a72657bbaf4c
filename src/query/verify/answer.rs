//! Answers of `verify`.

use crate::extract::record::Lines;
use crate::git::RepoPath;
use crate::id::{BlobId, CommitId};
use crate::query::history::commits::CommitLine;
use crate::query::state::Stamp;

/// Answer of `verify`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VerifyAnswer {
    /// What the citations were held against.
    pub stamp: Stamp,
    /// One for each citation, in their order.
    pub verdicts: Vec<Verdict>,
    /// Places in the text that name no commit, and were passed over.
    pub plain: usize,
    /// Whether there were more files than are searched for lines that left theirs.
    pub is_partial: bool,
}

impl VerifyAnswer {
    /// Whether there is something, and all of it still says what it said, here or elsewhere.
    pub fn stands(&self) -> bool {
        let stands = |one: &Verdict| matches!(one.fate, Fate::Unchanged(_) | Fate::Moved(_));
        !self.verdicts.is_empty() && self.verdicts.iter().all(stands)
    }
}

/// What became of one citation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The citation as it was written.
    pub text: String,
    /// The commit that it is of.
    pub from: Option<CommitId>,
    /// Whether that is what the cited commit became, which is no longer here: whether the text was the same then is not
    /// known.
    pub is_rewritten: bool,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a cited place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The same text at the same place.
    Unchanged(Place),
    /// The same text at another place.
    Moved(Place),
    /// Another text, where it was or elsewhere.
    Modified(Modified),
    /// It is gone.
    Deleted(Removal),
    /// It was not there at its commit: why not.
    NeverWas(String),
    /// It cannot be told: why not, or what to write.
    Unknown(String),
}

impl Fate {
    /// The names of all, in the order of the variants.
    pub const LABELS: [&str; 6] = [
        "unchanged",
        "moved",
        "modified",
        "deleted",
        "never was",
        "unknown",
    ];

    /// Its name.
    pub fn label(&self) -> &'static str {
        Self::LABELS[match self {
            Self::Unchanged(_) => 0,
            Self::Moved(_) => 1,
            Self::Modified(_) => 2,
            Self::Deleted(_) => 3,
            Self::NeverWas(_) => 4,
            Self::Unknown(_) => 5,
        }]
    }

    /// Where it is now, if it is anywhere.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Unchanged(place) | Self::Moved(place) => Some(place),
            Self::Modified(modified) => Some(&modified.place),
            Self::Deleted(_) | Self::NeverWas(_) | Self::Unknown(_) => None,
        }
    }
}

/// A place in the state that was asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file.
    pub path: RepoPath,
    /// Its lines; `None` for all of it.
    pub lines: Option<Lines>,
    /// Its content.
    pub blob: BlobId,
    /// Whether a definition was cited and is called so here.
    pub is_named: bool,
    /// Whether the content of the file is uncommitted.
    pub is_dirty: bool,
}

/// A place whose text is another one now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Modified {
    /// Where it is.
    pub place: Place,
    /// Cited lines that are still there, byte for byte.
    pub kept: u32,
    /// Cited lines.
    pub of: u32,
    /// Lines of today that are not among those, rising.
    pub changed: Vec<Lines>,
}

/// How something went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Removal {
    /// A commit removed it.
    By(CommitLine),
    /// No commit can be named: why not.
    Untold(&'static str),
}
