//! The immutable byte format: document records in, canonical bytes out, and back.
//!
//! Guarantees:
//! - equal sets of documents give equal bytes, whatever the order, machine or thread count;
//! - nothing is lost: [`Segment::to_records`] gives back what [`build`] was given;
//! - after [`Segment::open`] no accessor fails or panics, whatever the bytes: a malformed stream
//!   ends early, a malformed column reads as zero, and ids that are handed out are in range;
//! - [`Segment::verify`] accepts exactly the bytes that [`build`] would write.
//!
//! Deliberately absent: paths, commits, resolved imports, ranks and document frequencies, since
//! two trees with the same blob can disagree about them; and quotable source text, which is cut
//! from the blob when it is shown.
//!
//! `format-spec/20-segment.md` is the normative description.

#[cfg(test)]
pub(crate) mod arbitrary;
mod builder;
mod chunks;
pub(crate) mod column;
pub(crate) mod container;
mod decode;
pub(crate) mod dict;
mod docs;
mod folded;
pub mod format;
mod fuzzy;
#[cfg(test)]
mod golden;
mod hints;
mod imports;
mod intern;
pub(crate) mod lists;
mod merge;
mod names;
mod occurrences;
mod postings;
mod reader;
mod symbols;
mod terms;
pub(crate) mod varint;
mod verify;

pub use builder::build;
pub use chunks::ChunkRow;
pub use dict::DictCursor as NameCursor;
pub use docs::DocRow;
pub use imports::Imports;
pub use merge::merge;
pub use occurrences::{Occurrences, OccurrencesOf};
pub use postings::{DocUse, DocUses};
pub use reader::Segment;
pub use symbols::Symbols;
pub use terms::{Posting, Postings};
pub use verify::walk_all;

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
    /// Written with another extractor, so that its records cannot be mixed with ours.
    #[error("segment has extractor fingerprint {found}, this program has {known}")]
    Extractor {
        /// Fingerprint in the header.
        found: u32,
        /// Fingerprint of this program.
        known: u32,
    },
    /// Documents of more than one object hash, or of one that the layout has no code for.
    #[error("hash {found} where {expected} is called for")]
    Hash {
        /// The hash met.
        found: Kind,
        /// The hash of the segment.
        expected: Kind,
    },
    /// The bytes break a rule of the layout.
    #[error("segment is damaged: {what}")]
    Damaged {
        /// The rule.
        what: &'static str,
    },
    /// A chunk's bytes are not those its checksum was taken of.
    #[error("segment is damaged: checksum of chunk {chunk:?} differs")]
    Checksum {
        /// The chunk.
        chunk: format::ChunkTag,
    },
    /// Valid to read, but not the bytes that the same documents are written as.
    #[error("segment is not in canonical form, first at byte {offset}")]
    NotCanonical {
        /// Where the bytes differ first.
        offset: u64,
    },
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
