//! `facts show` and `facts drop`: what compilers have said of the files of a revision.

use super::super::Error;
use super::Tree;
use crate::git::Repo;
use crate::git::path::RepoPath;
use crate::id::BlobId;
use crate::query::engine::warnings;
use crate::query::state::IndexState;
use crate::store::Snapshot;
use crate::store::facts::{self, CompilerFacts};
use rustc_hash::FxHashSet;
use serde::{Serialize, Serializer};
use std::fmt::Display;

/// What is known of one file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FileFacts {
    /// Where it lies.
    #[serde(serialize_with = "shown")]
    pub path: RepoPath,
    /// Symbols that it names.
    pub symbols: usize,
    /// Places at which it defines one.
    pub definitions: usize,
    /// Places at which it uses one.
    pub uses: usize,
}

fn shown<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Answer of `facts show`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Shown {
    /// Files of which something is known, ordered by path.
    pub files: Vec<FileFacts>,
    /// Files that were asked about and can be read.
    pub of: usize,
    /// What went wrong without stopping the run; one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Says what compilers have said of a revision, or of `HEAD`: of the files at or below `paths`, or of all.
pub fn show(repo: &Repo, at: Option<&str>, paths: &[String]) -> Result<Shown, Error> {
    let snapshot = Snapshot::open(repo)?;
    let mut tree = Tree::open(repo, at, &snapshot)?;
    tree.files
        .retain(|file| super::super::is_wanted(file.path.as_bytes(), paths));
    let live: FxHashSet<BlobId> = tree.files.iter().map(|file| file.blob).collect();
    let (facts, unread) = CompilerFacts::open(repo, &snapshot, &|blob| live.contains(&blob));
    let mut out = Shown {
        of: tree.files.len(),
        warnings: warnings(&snapshot),
        ..Shown::default()
    };
    out.warnings.extend(unread.iter().map(ToString::to_string));
    for file in tree.files {
        if let Some(facts) = facts.get(file.blob) {
            out.files.push(FileFacts {
                path: file.path,
                symbols: facts.symbols().len(),
                definitions: facts.definitions().len(),
                uses: facts.uses().len(),
            });
        }
    }
    Ok(out)
}

/// What `facts drop` did, or would do.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct DropReport {
    /// Blobs whose facts were dropped.
    pub blobs: usize,
    /// The index afterwards.
    #[serde(rename = "store")]
    pub index: IndexState,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// What went wrong without stopping the run; one sentence each.
    pub warnings: Vec<String>,
}

/// Which facts to drop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Which {
    /// All of them.
    All,
    /// Those of the files at or below some paths, in a revision or `HEAD`.
    Below(Vec<String>, Option<String>),
}

/// Drops facts. Fails with [`Error::NothingToDrop`] for no paths; else see [`Error`].
pub fn drop_facts(repo: &Repo, which: &Which, dry_run: bool) -> Result<DropReport, Error> {
    let snapshot = Snapshot::open(repo)?;
    let blobs: Option<FxHashSet<BlobId>> = match which {
        Which::All => None,
        Which::Below(paths, _) if paths.is_empty() => return Err(Error::NothingToDrop),
        Which::Below(paths, at) => {
            let files = Tree::open(repo, at.as_deref(), &snapshot)?.files;
            let below = files
                .iter()
                .filter(|file| super::super::is_wanted(file.path.as_bytes(), paths));
            Some(below.map(|file| file.blob).collect())
        }
    };
    let is_dropped = |blob| blobs.as_ref().is_none_or(|blobs| blobs.contains(&blob));
    let (blobs, snapshot) = match dry_run {
        true => (facts::would_drop(repo, &snapshot, &is_dropped), snapshot),
        false => {
            let dropped = facts::drop_facts(repo, &is_dropped)?;
            (dropped.blobs, dropped.snapshot)
        }
    };
    Ok(DropReport {
        blobs,
        index: IndexState::of(&snapshot),
        dry_run,
        warnings: warnings(&snapshot),
    })
}
