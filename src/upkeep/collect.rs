//! `gc`: compacting the index to the documents worth keeping.

use super::Error;
use crate::git::Repo;
use crate::query::answer::IndexState;
use crate::query::engine::warnings;
use crate::store::{self, Snapshot};

/// What `gc` did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GcReport {
    /// The index before.
    pub before: IndexState,
    /// The index after.
    pub after: IndexState,
    /// Documents dropped; none today, since every document is kept.
    pub documents_dropped: usize,
    /// What went wrong without stopping the run; one sentence each.
    pub warnings: Vec<String>,
}

/// Compacts the index into its canonical form: a pure function of the set of documents.
///
/// # Errors
/// See [`Error`].
pub fn gc(repo: &Repo) -> Result<GcReport, Error> {
    let before = Snapshot::open(repo)?;
    let collected = store::gc(repo, &|_| true)?;
    let after = collected.snapshot;
    Ok(GcReport {
        documents_dropped: collected.dropped,
        before: IndexState::of(&before),
        after: IndexState::of(&after),
        warnings: warnings(&after),
    })
}
