//! What commits say: messages as documents, and the files they touched.
//!
//! A commit is described by what it holds and nothing else: the terms of its message and what
//! differs from its first parent ([`document`]). Descriptions lie in *pieces* ([`piece`]) in a folder
//! beside the object store ([`log`]), and a [`window::Window`] is the newest of them that can be
//! reached from one commit.
//!
//! Guarantees: a window is a pure function of its commit and of what history the clone has; it never
//! holds what is not reachable from the commit. Only commits that no piece describes are read. The
//! work for a window is bounded however long the history is. The folder is a disposable local cache:
//! what it says is checked before it is used, and it may be deleted at any time.
//!
//! Deliberately absent: which files a tree has today, and any ranking (see `query::history`).

pub mod document;
pub mod log;
pub mod message;
pub mod piece;
pub mod window;
