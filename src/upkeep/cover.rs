//! `index`: covering the trees of revisions.

use super::{Error, by_count, skip_reason};
use crate::git::{Head, Repo, tree};
use crate::id::CommitId;
use crate::query::answer::IndexState;
use crate::query::engine::{not_covered, warnings};
use crate::store::{self, Progress, Snapshot};
use crate::view::files::{File, document_keys};
use std::collections::BTreeMap;

/// What `index` did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IndexReport {
    /// The index afterwards.
    pub index: IndexState,
    /// Commits whose trees are covered now, in the order asked.
    pub commits: Vec<CommitId>,
    /// Documents those trees need.
    pub documents_needed: usize,
    /// Documents extracted by this run; the others were covered before.
    pub documents_added: usize,
    /// Source bytes of the documents extracted.
    pub source_bytes: u64,
    /// Documents needed that carry a skip record, by reason.
    pub skipped: Vec<(&'static str, usize)>,
    /// What went wrong without stopping the run; one sentence each.
    pub warnings: Vec<String>,
}

/// Covers the trees of `revisions` (empty: the work tree's `HEAD`) and publishes the new
/// segments. `threads` of 0 means one for each core.
///
/// # Errors
/// See [`Error`]; when nothing could be stored, that is one.
pub fn index(
    repo: &Repo,
    revisions: &[String],
    threads: usize,
    progress: &dyn Progress,
) -> Result<IndexReport, Error> {
    let mut commits = Vec::new();
    if revisions.is_empty()
        && let Head::Commit { id, .. } = repo.head()?
    {
        commits.push(id);
    }
    for revision in revisions {
        commits.push(repo.resolve(revision)?);
    }
    let mut objects = repo.objects();
    let mut keys = Vec::new();
    let mut skipped: BTreeMap<&'static str, usize> = BTreeMap::new();
    for commit in &commits {
        let entries = tree::list(&mut objects, repo.commit_tree(*commit)?)?;
        let files: Vec<File> = entries.into_iter().map(|e| File::new(e, false)).collect();
        for reason in files.iter().filter_map(|file| file.reading.skip_label()) {
            *skipped.entry(reason).or_default() += 1;
        }
        keys.extend(document_keys(&files));
    }
    keys.sort_unstable();
    keys.dedup();
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let (snapshot, report) = store::ensure(repo, &Snapshot::open(repo)?, &keys, threads, progress)?;
    for key in &keys {
        if let Some(reason) = skip_reason(&snapshot, key) {
            *skipped.entry(reason.label()).or_default() += 1;
        }
    }
    // A question can be answered from memory; an index that is not stored was made for nobody.
    if let Some(reason) = report.refusal {
        return Err(Error::NotStored { reason });
    }
    let mut warnings = warnings(&snapshot);
    warnings.extend(not_covered(&report));
    Ok(IndexReport {
        index: IndexState::of(&snapshot),
        commits,
        documents_needed: keys.len(),
        documents_added: report.extracted,
        source_bytes: report.source_bytes,
        skipped: by_count(skipped),
        warnings,
    })
}
