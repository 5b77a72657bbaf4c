//! Extraction: bytes and a grammar in, one [`record::DocRecord`] out.
//!
//! Guarantees: the record is a pure function of (blob bytes, grammar, extractor version). Nothing
//! here reads a path, a commit, a clock, the environment or another file, and nothing depends on
//! thread count or order. Deliberately absent: object access, import resolution, ranking.

pub mod record;
pub mod terms;
