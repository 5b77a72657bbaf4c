//! What keeps an index warm, shared, small and sound.
//!
//! Questions extend the index by themselves, so everything here may be left out and costs latency,
//! never correctness. Each command of the life of an index is one file: it decides *which*
//! documents (by commits, refs and configuration) and leaves it to [`crate::store`] *how*.
//!
//! Guarantees: nothing leaves the repository except by an explicit push; nothing is dropped that
//! could not be extracted again; what is written outside the object store is named in the report.
//! Deliberately absent: JSON, printing, and answers about code.

pub mod collect;
pub mod cover;
pub mod selection;
pub mod status;
mod walked;

use crate::extract::record::{DocKey, SkipReason};
use crate::store::Snapshot;
use std::collections::BTreeMap;

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
}

/// Why a document carries a skip record; `None` when it has content or is not covered.
fn skip_reason(snapshot: &Snapshot, key: &DocKey) -> Option<SkipReason> {
    let live = snapshot.find(key)?;
    snapshot.segment(live.segment)?.doc(live.doc).skip
}

/// Orders counts by reason: most first.
fn by_count(counts: BTreeMap<&'static str, usize>) -> Vec<(&'static str, usize)> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), *reason));
    counts
}
