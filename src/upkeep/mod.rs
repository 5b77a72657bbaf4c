//! What keeps an index warm, shared, small and sound.
//!
//! Questions extend the index by themselves, so everything here may be left out and costs latency,
//! never correctness. Each command of the life of an index is one file: it decides *which*
//! documents (by commits, refs and configuration) and leaves it to [`crate::store`] *how*.
//!
//! Guarantees: nothing leaves the repository except by an explicit push; nothing is dropped that
//! could not be extracted again; what is written outside the object store is named in the report.
//! Deliberately absent: JSON, printing, and answers about code.

pub mod agents;
pub mod collect;
pub mod cover;
pub mod doctor;
mod embed;
pub mod facts;
pub mod forget;
pub mod fsck;
pub mod hooks;
pub mod import;
pub mod init;
pub mod journal;
pub mod memories;
pub mod memory;
pub mod model;
mod place;
pub mod reach;
pub mod repin;
pub mod reported;
pub mod retention;
pub mod selection;
pub mod span;
pub mod status;
pub mod sync;
pub mod trace;
pub mod trust;
mod walked;
pub mod worker;

use crate::extract::record::{DocFlags, DocKey, Gaps, SkipReason};
use crate::store::Snapshot;
use std::path::PathBuf;

/// Why a command of upkeep failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The repository or a revision.
    #[error(transparent)]
    Git(#[from] crate::git::Error),
    /// The stored index.
    #[error(transparent)]
    Store(#[from] crate::store::Error),
    /// The memories.
    #[error(transparent)]
    Memory(#[from] crate::memory::Error),
    /// A question that had to be answered first.
    #[error(transparent)]
    Query(#[from] crate::query::Error),
    /// A model of the user's own.
    #[error(transparent)]
    Model(#[from] crate::models::Error),
    /// A time span that is none: what was given.
    #[error("'{0}' is no time span; give 'all', or one like 1.year or 90.days")]
    BadTimeSpan(String),
    /// Neither a blob nor a path of any commit: what was given.
    #[error("'{0}' is neither a blob nor a path that a commit of any ref has")]
    NothingToForget(String),
    /// There is no index that could be given to anybody.
    #[error("there is no index to push; run `git sverklo index` first")]
    NoIndex,
    /// Memories could not be exchanged with a remote; what else was to be done is done.
    #[error("{done}; memories were left as they are: {why}")]
    MemoriesLeft {
        /// What is done.
        done: String,
        /// Why not the memories too.
        why: Box<Self>,
    },
    /// The remote's index is of a later version of this program: how it differs.
    #[error("{0}; update git-sverklo before pushing to it")]
    NewerIndex(String),
    /// A file is no report of a coverage tool.
    #[error("{path:?}: {source}")]
    Report {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: crate::trace::Error,
    },
    /// A file is no index of a compiler.
    #[error("{path:?}: {source}")]
    Scip {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: crate::scip::Error,
    },
    /// No paths were given whose facts to drop, nor that all are meant.
    #[error("give the paths whose facts to drop, or --all")]
    NothingToDrop,
    /// What was extracted could not be stored: why.
    #[error("nothing was stored: {0}")]
    NotStored(String),
    /// A configured value is none of those it may be.
    #[error("{key} is set to {value:?}; it must be {expected}")]
    Setting {
        /// The key in git's configuration.
        key: &'static str,
        /// What it is set to.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// A file beside the object store, or one of another program, cannot be read or written.
    #[error("{path:?}: {source}")]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file of another program is not as it must be to be edited; it was left alone.
    #[error("{path:?} was left alone: {reason}")]
    LeftAlone {
        /// Which one.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// There is no agent of that name.
    #[error("no agent is named '{0}'; known are {known}", known = agents::labels().join(", "))]
    UnknownAgent(String),
    /// What was asked for needs a work tree.
    #[error("a bare repository has no work tree to write {0} into")]
    NoWorkTree(String),
    /// The home directory is not known.
    #[error("the home directory is not known; set HOME")]
    NoHome,
    /// Another process is at `init`.
    #[error("another `git sverklo init` is at work in this repository; try again when it is done")]
    Busy,
}

impl Error {
    /// Wraps an input or output error with the path it happened at.
    fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::File {
            path: path.into(),
            source,
        }
    }
}

/// Why a document carries a skip record; `None` when it has content or is not covered.
fn skip_reason(snapshot: &Snapshot, key: &DocKey) -> Option<SkipReason> {
    let live = snapshot.find(key)?;
    snapshot.segment(live.segment)?.doc(live.doc).skip
}

/// The size of a document, and what of it was not understood if it parses only in part; `None` when it is not
/// covered.
fn understood(snapshot: &Snapshot, key: &DocKey) -> Option<(u64, Option<Gaps>)> {
    let live = snapshot.find(key)?;
    let segment = snapshot.segment(live.segment)?;
    let row = segment.doc(live.doc);
    let is_broken = row.flags.contains(DocFlags::SYNTAX_ERRORS);
    Some((row.size, is_broken.then(|| segment.gaps(live.doc))))
}

/// Whether a path is one of those that were asked for, or lies below one; all are when none was.
fn is_wanted(path: &[u8], wanted: &[String]) -> bool {
    wanted.is_empty()
        || wanted.iter().any(|wanted| {
            let wanted = wanted.trim_start_matches("./").trim_end_matches('/');
            path.strip_prefix(wanted.as_bytes())
                .is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
        })
}
