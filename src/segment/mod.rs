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
mod entries;
mod error;
mod folded;
pub mod format;
mod gaps;
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

pub use builder::{build, build_rows, own_row};
pub use chunks::ChunkRow;
pub use dict::DictCursor as NameCursor;
pub use docs::DocRow;
pub use error::Error;
pub use imports::Imports;
pub use merge::merge;
pub use occurrences::{Occurrences, OccurrencesOf};
pub use postings::{DocUse, DocUses};
pub use reader::Segment;
pub use symbols::Symbols;
pub use terms::{Posting, Postings};
pub use verify::walk_all;
