//! What commits say: messages as documents, and the files they touched.
//!
//! A commit is described by what it holds and nothing else: the terms of its message and what
//! differs from its first parent ([`document`]); a merge by the latter alone. Descriptions lie in *pieces*
//! ([`piece`]), which are bytes of a specified form; a [`log::Log`] is some of them, and a [`window::Window`]
//! is the newest commits that can be reached from one.
//!
//! Guarantees: a window is a pure function of its commit, whatever pieces there are, as long as these are
//! true and the clone has its history; where history is cut off, pieces may tell more. It never holds what
//! is not reachable from the commit.
//! Only commits that no piece describes are read. The work for a window is bounded however long the
//! history is.
//!
//! Deliberately absent: where pieces are kept (see `store::log`), which files a tree has today, and
//! any ranking (see `query::search::history`).

pub mod document;
pub mod log;
pub mod message;
pub mod piece;
mod read;
pub mod touched;
pub mod touching;
pub mod window;

pub use read::{Watch, rederive};
