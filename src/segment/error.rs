//! What can be wrong with a segment.

use super::format;
use crate::extract::record::DocKey;
use gix::hash::Kind;

/// Why a segment cannot be built, opened or trusted.
///
/// For a reader all of these mean the same: treat the segment as absent, and extract again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not begin like a segment.
    #[error("not a segment")]
    Magic,
    /// The header, the table of contents or a chunk ends too early or too late.
    #[error("segment has {actual} bytes where its header promises {expected}")]
    Length {
        /// Length that the bytes call for.
        expected: u64,
        /// Length of the bytes.
        actual: u64,
    },
    /// Written by a version with another layout.
    #[error("segment has layout version {found}, this program reads {known}")]
    Layout {
        /// Version in the header.
        found: u16,
        /// Version of this program.
        known: u16,
    },
    /// Documents of more than one object hash, or of one that the layout has no code for.
    #[error("hash {found} where {expected} is called for")]
    Hash {
        /// The hash met.
        found: Kind,
        /// The hash of the segment.
        expected: Kind,
    },
    /// The bytes break this rule of the layout.
    #[error("segment is damaged: {0}")]
    Damaged(&'static str),
    /// The bytes of this chunk are not those its checksum was taken of.
    #[error("segment is damaged: checksum of chunk {0:?} differs")]
    Checksum(format::ChunkTag),
    /// Valid to read, but not the bytes that the same documents are written as: where they
    /// differ first.
    #[error("segment is not in canonical form, first at byte {0}")]
    NotCanonical(u64),
    /// Over a bound of [`crate::limits`].
    #[error("{what} of a segment: {found}, where {limit} is the limit")]
    TooLarge {
        /// What is bounded.
        what: &'static str,
        /// What was found.
        found: u64,
        /// The bound.
        limit: u64,
    },
    /// A record contradicts itself; a defect of extraction.
    #[error("record of blob {} as {}: {what}", .key.blob, .key.grammar.label())]
    Record {
        /// Which record.
        key: DocKey,
        /// What is wrong with it.
        what: &'static str,
    },
}
