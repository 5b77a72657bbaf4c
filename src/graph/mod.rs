//! Graphs over plain numbers: what ranks, what leads back to itself, what can be reached.
//!
//! Guarantees: pure functions, the same on every machine; linear or nearly so; no recursion, since
//! a chain of imports may be as long as there are files.

pub mod csr;
pub mod cycles;
pub mod feedback;
pub mod rank;
pub mod reach;
