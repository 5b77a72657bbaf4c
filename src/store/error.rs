//! What can go wrong with a stored index. Little does: the index is derived, so whatever cannot
//! be read is a [`Warning`], and its documents are extracted again.

use super::part_ref::PartRef;
use crate::cache::Recovered;
use crate::git;
use crate::id::{CommitId, SegmentId};
use crate::segment;
use std::path::PathBuf;

/// An error of the store layer: the repository, not the index, is in the way.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The repository could not be read or written.
    #[error(transparent)]
    Git(#[from] git::Error),
    /// Documents could not be made into a segment; a defect of extraction.
    #[error("a segment could not be built: {0}")]
    Build(#[from] segment::Error),
    /// What is to be written from a segment cannot be read of it.
    #[error(
        "segment {id} is damaged ({reason}); `git sverklo fsck` reads what it holds from the blobs again"
    )]
    Damaged {
        /// The segment.
        id: SegmentId,
        /// Why.
        reason: String,
    },
    /// Nobody waits for the result any more; nothing was published.
    #[error("cancelled before the index covered what was asked for")]
    Cancelled,
    /// Other processes kept moving the ref: how often the ref was tried.
    #[error("the index was moved by others {0} times while it was published; try again")]
    Contended(u32),
    /// More blobs are denied than an index can remember.
    #[error("{found} blobs would be forgotten, where {limit} is the limit")]
    TooManyDenied {
        /// Number of blobs.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// A kind of parts has outgrown the number that readers accept.
    #[error("{whole} would have {found} {unit}, where {limit} is the limit; run `git sverklo gc`")]
    TooManyParts {
        /// What has them.
        whole: &'static str,
        /// What they are called.
        unit: &'static str,
        /// Number of them.
        found: usize,
        /// The limit.
        limit: usize,
    },
}

impl Error {
    /// Whether the cause is that the repository cannot be written, so that an index in memory is
    /// the best there can be.
    pub fn is_unwritable(&self) -> bool {
        matches!(self, Self::Git(err) if err.is_unwritable())
    }
}

/// Something about a stored index that was worked around.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// The tip was written by another version, or is no index at all; it counts as absent.
    #[error("the index at {tip} is not of this version ({reason}) and is ignored")]
    ForeignTip {
        /// The tip.
        tip: CommitId,
        /// How it differs.
        reason: String,
    },
    /// The tip or its tree cannot be read; it counts as absent.
    #[error("the index at {tip} cannot be read ({reason}) and is ignored")]
    UnreadableTip {
        /// The tip.
        tip: CommitId,
        /// Why.
        reason: String,
    },
    /// An entry of the tip's tree is not what it must be; it is left out: its path there,
    /// escaped.
    #[error("entry {0} of the index is not a segment and is ignored")]
    ForeignEntry(String),
    /// A part cannot be used. Documents and commits are extracted and read again, vectors count as absent, and
    /// what traces say is lost.
    #[error("{part} {} ignored: {reason}", .part.be())]
    Bad {
        /// The part.
        part: PartRef,
        /// Why.
        reason: String,
    },
    /// The object of a segment is missing or damaged; its documents will be extracted again.
    #[error("{part} cannot be read: {reason}")]
    Unreadable {
        /// The segment.
        part: PartRef,
        /// Why.
        reason: String,
    },
    /// A fetched part lies or cannot be used; it is set aside.
    #[error("{part} of the index fetched at {} {} set aside: {reason}", .from.short(), .part.be())]
    Distrusted {
        /// The part.
        part: PartRef,
        /// The tip it came with.
        from: CommitId,
        /// Why.
        reason: String,
    },
    /// A fetched part cannot be judged here, or contradicts ours and there is nothing to tell which is right; ours
    /// is used.
    #[error("{part} of the index fetched at {} is left out: {reason}", .from.short())]
    Disputed {
        /// The part.
        part: PartRef,
        /// The tip it came with.
        from: CommitId,
        /// How they differ, or why nobody can tell.
        reason: String,
    },
    /// A part of our own differs from what a blob or commit says; it is dropped.
    #[error("{part} of this index was wrong and is dropped: {reason}")]
    Wrong {
        /// The part.
        part: PartRef,
        /// How.
        reason: String,
    },
    /// The tip named objects that were gone; they were written again, as far as something was left of them.
    #[error(
        "the index at {0} named objects that are gone; what could be read of it was stored again"
    )]
    Incomplete(CommitId),
    /// A segment could not be kept as a file, so it is held in memory.
    #[error("{path:?} cannot be written ({reason}); the index is held in memory instead")]
    NoCache {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// What is kept beside the object store was damaged, and is made again.
    #[error(transparent)]
    Recovered(Recovered),
    /// What was extracted lasts only as long as the process: why.
    #[error("what was extracted is not stored: {0}")]
    NotStored(String),
}

impl Warning {
    /// Whether the stored set is sound, and only this reader was hindered.
    pub fn is_harmless(&self) -> bool {
        matches!(
            self,
            Self::NoCache { .. } | Self::NotStored { .. } | Self::Recovered(_)
        )
    }
}

/// Adds what was not said yet. Why a part of ours was found to be wrong says more than that it was.
pub(super) fn add_news(said: &mut Vec<Warning>, more: &[Warning]) {
    for warning in more {
        let repeats = |of: &Warning| match (of, warning) {
            (Warning::Wrong { part, .. }, Warning::Wrong { part: same, .. }) => part == same,
            _ => of == warning,
        };
        if !said.iter().any(repeats) {
            said.push(warning.clone());
        }
    }
}
