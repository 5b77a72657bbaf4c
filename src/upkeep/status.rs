//! `status`: what the stored index covers, without extending it.

use super::{Error, by_count, skip_reason};
use crate::git::{Head, Repo, tree, worktree};
use crate::query::answer::{IndexState, Stamp};
use crate::query::engine::{FOLDER, warnings};
use crate::store::Snapshot;
use crate::view::files::{File, mark_forgotten};
use std::collections::BTreeMap;
use std::path::Path;

/// Answer of `status`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StatusAnswer {
    /// State spoken from: `HEAD` and the work tree.
    pub stamp: Stamp,
    /// Paths in the view that are meant to be covered.
    pub files: usize,
    /// Those of them that the stored index covers; the others are extracted when asked about.
    pub covered: usize,
    /// Files not extracted, by reason.
    pub skipped: Vec<(&'static str, usize)>,
    /// The index.
    pub index: IndexState,
    /// Bytes of the cache in the git directory; all of it may be deleted at any time.
    pub cache_bytes: u64,
}

/// Says what the stored index covers, without extending it.
///
/// # Errors
/// See [`Error`].
pub fn status(repo: &Repo) -> Result<StatusAnswer, Error> {
    let snapshot = Snapshot::open(repo)?;
    let mut answer = StatusAnswer {
        index: IndexState::of(&snapshot),
        cache_bytes: folder_bytes(&repo.common_dir().join(FOLDER)),
        ..StatusAnswer::default()
    };
    answer.stamp.warnings = warnings(&snapshot);
    let Head::Commit { id, .. } = repo.head()? else {
        return Ok(answer);
    };
    answer.stamp.commit = Some(id);
    let entries = tree::list(&mut repo.objects(), repo.commit_tree(id)?)?;
    let mut skipped: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut files: Vec<File> = entries
        .iter()
        .cloned()
        .map(|entry| File::new(entry, false))
        .collect();
    mark_forgotten(&mut files, snapshot.ledger());
    for file in files {
        let Some(key) = file.key() else {
            *skipped
                .entry(file.reading.skip_label().unwrap_or("other"))
                .or_default() += 1;
            continue;
        };
        answer.files += 1;
        if snapshot.find(&key).is_some() {
            answer.covered += 1;
        }
        if let Some(reason) = skip_reason(&snapshot, &key) {
            *skipped.entry(reason.label()).or_default() += 1;
        }
    }
    answer.skipped = by_count(skipped);
    answer.stamp.uncovered = answer.files - answer.covered;
    if !repo.is_bare() {
        answer.stamp.dirty = worktree::status(repo, &entries)?.dirty.len();
    }
    Ok(answer)
}

/// Bytes of the files below a folder; 0 when it does not exist.
fn folder_bytes(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => folder_bytes(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}
