//! Parts under a ref: an index is a set of segments, with vectors of their chunks ([`vectors`]), with recorded
//! coverage of the same blobs ([`trace`]), what compilers say of them ([`facts`]) and what commits say ([`log`]),
//! that one commit names.
//!
//! All of these but vectors are *parts* of some [`Kind`], and what is done with parts is written once for all
//! kinds; `kind.rs` says where, and what it takes to add one.
//!
//! Guarantees: publishing writes objects first and moves the ref last, by compare and swap, and a
//! lost race ends in the union of both; killed at any instruction, the ref names the old set or
//! the new one. Equal sets of segments have equal tips. What is read back may come from anyone:
//! a bad segment is one warning and its documents are extracted again. What is kept beside the object store
//! ([`crate::cache`]) may be deleted at any time, is believed only when its seal holds, and is held against
//! its id before anything is written from it ([`recheck`]).
//!
//! Deliberately absent: paths and trees of code. This layer is asked for documents by key and never
//! learns where a blob stands; commits are to it what [`log`] has of them.

mod aside;
mod check;
pub mod comments;
mod compact;
mod contents;
mod error;
mod excess;
pub mod facts;
mod files;
mod forget;
mod gc;
mod ingest;
mod judge;
mod kind;
mod ledger;
mod lock;
pub mod log;
pub(crate) mod manifest;
pub mod offer;
pub mod parallel;
mod part_ref;
mod partition;
mod parts;
mod pieces;
mod publish;
mod recheck;
pub mod recorded;
mod rederive;
mod restore;
mod scope;
mod segments;
pub mod sketched;
mod snapshot;
pub mod trace;
mod travel;
mod tree;
mod trust;
mod union;
mod upgrade;
pub mod vectors;
mod work;

pub use aside::read as set_aside;
pub use check::{Checked, Finding, Healed, check, heal};
pub use error::{Error, Warning};
pub use forget::{Forgotten, forget, would_forget};
pub use gc::{Collected, collect, gc};
pub use ingest::{Progress, Quiet, Report, ensure, ensure_in_memory};
pub use kind::{Kind, Part};
pub use ledger::Ledger;
pub use manifest::LAYOUT_VERSION;
pub use part_ref::PartRef;
pub use parts::{Listed, Parts};
pub use pieces::{Counts, Pieces};
pub use publish::{union, union_with};
pub use rederive::{Lie, Rederiver};
pub use restore::restore;
pub use scope::{Keep, Public, Subject};
pub use segments::{OpenSegment, Segments};
pub use snapshot::Snapshot;
pub use trust::{Sample, disown, open_fetched};
