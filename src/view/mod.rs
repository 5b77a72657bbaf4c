//! A snapshot seen from one tree.
//!
//! This is the only layer that joins blobs to paths: which documents are live, at which paths,
//! what their files are for, and the uncommitted files on top. Whatever two trees that hold the
//! same blob can disagree about belongs here and is never stored in a segment.
//!
//! Guarantee: a view is a pure function of its tree (and the uncommitted files); which segments
//! hold the documents, and what else they hold, does not show.

pub mod cache;
pub mod comments;
pub mod files;
pub mod flaws;
pub mod live;
pub mod names;
pub mod overlay;
pub mod role;
pub mod text;
pub mod word_places;
pub mod written;
