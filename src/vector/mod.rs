//! Vectors: what a chunk is about as a point in space, so that a question finds code that says the same
//! in other words.
//!
//! The model that is always there is a table of one row a term ([`static_model`]), and the vector of a
//! chunk a weighted sum of the rows of its terms. Segments have counted these already, so the vectors
//! of a segment are a pure function of the segment and the model ([`embed`]): no source is read, and
//! all sums are of integers, so every machine gets the same bytes ([`block`]). Vectors of different
//! models are never compared. What a model took long for is not asked of it twice: vectors are taken over
//! from segments that have the same chunks ([`reuse`]). Deliberately absent: which chunks are live (see `view`), and where blocks
//! are kept (see `store`).
//!
//! `format-spec/35-vectors.md` is the normative description.

pub mod block;
pub mod embed;
pub mod model;
pub mod reuse;
pub mod scan;
pub mod static_model;

/// Why a model or a block cannot be used. For a reader it means: as if it were not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not begin like what they should be, or are of another version.
    #[error("not {0}")]
    Magic(&'static str),
    /// The bytes end too early or too late.
    #[error("{actual} bytes where {expected} are called for")]
    Length {
        /// Length that the header calls for.
        expected: u64,
        /// Length of the bytes.
        actual: u64,
    },
    /// The bytes break a rule of the format.
    #[error("damaged: {0}")]
    Damaged(&'static str),
    /// Vectors of something else.
    #[error("vectors of another {0}")]
    Other(&'static str),
    /// Over a bound of [`crate::limits`].
    #[error("{what}: {found}, where {limit} is the limit")]
    TooLarge {
        /// What is bounded.
        what: &'static str,
        /// What was found.
        found: u64,
        /// The bound.
        limit: u64,
    },
}
