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
pub mod forget;
pub mod fsck;
pub mod reach;
pub mod retention;
pub mod status;
pub mod sync;

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
    /// A time span that is none.
    #[error("'{text}' is no time span; give 'all', or one like 1.year or 90.days")]
    BadTimeSpan {
        /// What was given.
        text: String,
    },
    /// Neither a blob nor a path of any commit.
    #[error("'{target}' is neither a blob nor a path that a commit of any ref has")]
    NothingToForget {
        /// What was given.
        target: String,
    },
    /// There is no index that could be given to anybody.
    #[error("there is no index to push; run `git sverklo index` first")]
    NoIndex,
    /// The remote's index is of a later version of this program.
    #[error("{warning}; update git-sverklo before pushing to it")]
    NewerIndex {
        /// How it differs.
        warning: String,
    },
    /// What was extracted could not be stored.
    #[error("nothing was stored: {reason}")]
    NotStored {
        /// Why.
        reason: String,
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
