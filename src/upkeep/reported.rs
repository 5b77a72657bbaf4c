//! What importing the reports of other tools has in common: their bytes, which files of a tree their paths
//! mean, given what is known of where they were made, and what recording them changes.

use super::Error;
use crate::git::Repo;
use crate::query::engine::warnings;
use crate::query::state::IndexState;
use crate::store::Snapshot;
use crate::store::recorded::{ByBlob, OfBlob, record, would_record};
use crate::trace::paths::Places;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// How an import is to go about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImportOptions {
    /// The reports.
    pub files: Vec<PathBuf>,
    /// The revision that they are about; see the imports for what holds without.
    pub at: Option<String>,
    /// Prefixes of the machine that made them.
    pub strip: Vec<String>,
    /// Only say what would be recorded.
    pub dry_run: bool,
}

/// What an import came to, whatever was imported.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Imports {
    /// Blobs that are told of.
    pub blobs: usize,
    /// Those of them of which nothing was known before.
    pub added: usize,
    /// Those of which more is known than before.
    pub extended: usize,
    /// Paths that are no files of the tree, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<String>,
    /// Paths that could be several files of the tree, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ambiguous: Vec<String>,
    /// The index afterwards.
    #[serde(rename = "store")]
    pub index: IndexState,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// What went wrong without stopping the run; one sentence each.
    pub warnings: Vec<String>,
}

impl Imports {
    /// Records what was said of blobs, or finds out what recording would change.
    pub(super) fn finish<T: OfBlob>(
        &mut self,
        repo: &Repo,
        snapshot: Snapshot,
        said: &ByBlob<T>,
    ) -> Result<(), Error> {
        let recorded = match self.dry_run {
            true => would_record(repo, snapshot, said),
            false => record(repo, said)?,
        };
        (self.blobs, self.added) = (said.len(), recorded.added);
        self.extended = recorded.extended;
        self.index = IndexState::of(&recorded.snapshot);
        self.warnings.extend(warnings(&recorded.snapshot));
        for paths in [&mut self.unmatched, &mut self.ambiguous] {
            paths.sort_unstable();
            paths.dedup();
        }
        Ok(())
    }
}

/// Reads a report of so many bytes at most, looked for in `dir` when its path is relative.
pub(super) fn read(dir: &Path, file: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    let path = dir.join(file);
    let size = std::fs::metadata(&path).map_err(Error::file(file))?.len();
    if size > limit {
        let reason = format!("it has {size} bytes, where {limit} is the limit");
        return Err(Error::file(file)(std::io::Error::other(reason)));
    }
    std::fs::read(&path).map_err(Error::file(file))
}

/// Says what is known of where reports about a tree were made: where the work tree lies, and which of its
/// folders was worked in.
pub(super) fn places<'a>(
    repo: &Repo,
    paths: Vec<&'a [u8]>,
    strip: &[String],
    dir: &Path,
) -> Places<'a> {
    let mut places = Places::new(paths).strip(strip.iter().map(String::as_str));
    if let Some(top) = repo.work_dir() {
        // A tool may have seen the work tree by a link to it.
        let real = top.canonicalize().ok();
        let dir = dir.canonicalize().ok();
        for top in [Some(top), real.as_deref()].into_iter().flatten() {
            places = places.top(&top.to_string_lossy());
        }
        if let Some(here) = dir.zip(real).and_then(|(dir, top)| {
            let here = dir.strip_prefix(top).ok()?;
            Some(here.to_string_lossy().replace('\\', "/"))
        }) {
            places = places.here(&here);
        }
    }
    places
}
