//! What can go wrong with a stored index. Little does: the index is derived, so whatever cannot
//! be read is a [`Warning`], and its documents are extracted again.

use crate::cache::Recovered;
use crate::git;
use crate::id::{BlobId, CommitId, LogId, SegmentId, TraceId};
use crate::segment;
use crate::vector::model::ModelId;
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
    /// Other processes kept moving the ref.
    #[error("the index was moved by others {attempts} times while it was published; try again")]
    Contended {
        /// How often the ref was tried.
        attempts: u32,
    },
    /// More blobs are denied than an index can remember.
    #[error("{found} blobs would be forgotten, where {limit} is the limit")]
    TooManyDenied {
        /// Number of blobs.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// The traces have outgrown the number of pieces that readers accept.
    #[error(
        "the traces of the index would have {found} pieces, where {limit} is the limit; run `git sverklo gc`"
    )]
    TooManyTraces {
        /// Number of pieces.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// The set has outgrown the number of segments that readers accept.
    #[error(
        "the index would have {found} segments, where {limit} is the limit; run `git sverklo gc`"
    )]
    TooManySegments {
        /// Number of segments.
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
    /// An entry of the tip's tree is not what it must be; it is left out.
    #[error("entry {path} of the index is not a segment and is ignored")]
    ForeignEntry {
        /// Its path in the tip's tree, escaped.
        path: String,
    },
    /// A segment cannot be used; its documents will be extracted again.
    #[error("segment {id} is ignored: {reason}")]
    BadSegment {
        /// The segment.
        id: SegmentId,
        /// Why.
        reason: String,
    },
    /// The object of a segment is missing or damaged; its documents will be extracted again.
    #[error("segment {id} cannot be read: {reason}")]
    UnreadableSegment {
        /// The segment.
        id: SegmentId,
        /// Why.
        reason: String,
    },
    /// A piece of the traces cannot be used; what it says is lost.
    #[error("trace {id} is ignored: {reason}")]
    BadTrace {
        /// The piece.
        id: TraceId,
        /// Why.
        reason: String,
    },
    /// A piece of the history log cannot be used; its commits are read again.
    #[error("log {id} is ignored: {reason}")]
    BadLog {
        /// The piece.
        id: LogId,
        /// Why.
        reason: String,
    },
    /// The vectors of a segment cannot be used; they count as absent.
    #[error("the {model} vectors of segment {id} are ignored: {reason}")]
    BadVectors {
        /// The segment.
        id: SegmentId,
        /// The model.
        model: ModelId,
        /// Why.
        reason: String,
    },
    /// Fetched vectors of a segment lie or cannot be used; they are set aside.
    #[error("the {model} vectors of segment {id} of the index fetched at {} are set aside: {reason}", .from.short())]
    DistrustedVectors {
        /// The segment.
        id: SegmentId,
        /// The model.
        model: Box<ModelId>,
        /// The block.
        block: Box<BlobId>,
        /// The tip they came with.
        from: CommitId,
        /// Why.
        reason: String,
    },
    /// A fetched piece of the history log lies; it is set aside.
    #[error("log {id} of the index fetched at {} is set aside: {reason}", .from.short())]
    DistrustedLog {
        /// The piece.
        id: LogId,
        /// The tip it came with.
        from: CommitId,
        /// Why.
        reason: String,
    },
    /// A fetched piece of the history log cannot be judged here, or contradicts ours and there is no commit
    /// to tell which is right; ours is used.
    #[error("log {id} of the index fetched at {} is left out: {reason}", .from.short())]
    DisputedLog {
        /// The piece.
        id: LogId,
        /// The tip it came with.
        from: CommitId,
        /// How they differ, or why nobody can tell.
        reason: String,
    },
    /// A piece of our own history log differs from what a commit says; it is dropped.
    #[error("log {id} of this index was wrong and is dropped: {reason}")]
    WrongLog {
        /// The piece.
        id: LogId,
        /// How.
        reason: String,
    },
    /// A fetched segment lies or cannot be used; it is set aside.
    #[error("segment {id} of the index fetched at {} is set aside: {reason}", .from.short())]
    Distrusted {
        /// The segment.
        id: SegmentId,
        /// The tip it came with.
        from: CommitId,
        /// Why.
        reason: String,
    },
    /// A fetched segment contradicts ours and no blob here can tell which is right; ours is used.
    #[error("segment {id} of the index fetched at {} is left out: {reason}", .from.short())]
    Disputed {
        /// The segment.
        id: SegmentId,
        /// The tip it came with.
        from: CommitId,
        /// How they differ.
        reason: String,
    },
    /// A segment of our own differs from what a blob says; it is dropped.
    #[error("segment {id} of this index was wrong and is dropped: {reason}")]
    WrongSegment {
        /// The segment.
        id: SegmentId,
        /// How.
        reason: String,
    },
    /// The tip named objects that were gone; they were written again, as far as something was left of them.
    #[error(
        "the index at {tip} named objects that are gone; what could be read of it was stored again"
    )]
    Incomplete {
        /// The tip.
        tip: CommitId,
    },
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
    /// What was extracted lasts only as long as the process.
    #[error("what was extracted is not stored: {reason}")]
    NotStored {
        /// Why.
        reason: String,
    },
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
