//! Segments under a ref: an index is a set of segments, with vectors of their chunks ([`vectors`]), with what
//! was seen running of the same blobs ([`trace`]) and with what commits say ([`log`]), that one commit
//! names.
//!
//! Guarantees: publishing writes objects first and moves the ref last, by compare and swap, and a
//! lost race ends in the union of both; killed at any instruction, the ref names the old set or
//! the new one. Equal sets of segments have equal tips. What is read back may come from anyone:
//! a bad segment is one warning and its documents are extracted again. What is kept beside the object store
//! ([`crate::cache`]) may be deleted at any time, is believed only when its seal holds, and is held against
//! its id before anything is written from it ([`proof`]).
//!
//! Deliberately absent: paths and trees of code. This layer is asked for documents by key and never
//! learns where a blob stands; commits are to it what [`log`] has of them.

mod cache;
mod check;
mod compact;
mod crowd;
mod error;
mod forget;
mod gc;
mod ingest;
mod ledger;
mod lock;
pub mod log;
pub(crate) mod manifest;
mod mend;
pub mod offer;
mod partition;
mod pieces;
mod proof;
mod publish;
mod rederive;
mod snapshot;
pub mod trace;
mod trust;
mod union;
mod unite;
pub mod vectors;

pub use check::{Checked, Finding, Healed, check, heal};
pub use error::{Error, Warning};
pub use forget::{Forgotten, forget, would_forget};
pub use gc::{Collected, Keep, collect, gc};
pub use ingest::{Progress, Quiet, Report, ensure, ensure_in_memory};
pub use ledger::Ledger;
pub use manifest::LAYOUT_VERSION;
pub use mend::mend;
pub use publish::{union, union_with};
pub use rederive::{Lie, Rederiver};
pub use snapshot::{OpenSegment, Snapshot};
pub use trust::{Sample, disown, open_fetched, set_aside};
