//! `forget`: taking content out of the index for good.
//!
//! Guarantees: nothing is recorded of a forgotten blob any more, in this clone and in every other
//! one that unites with this index, however stale it is. It cannot be taken back.
//! Deliberately absent: the history of the code, which keeps the content.

use super::Error;
use crate::git::history::{self, TipSet, TreeWalk};
use crate::git::path::RepoPath;
use crate::git::worktree::{self, DirtyState};
use crate::git::{self, Head, Repo, refs, tree};
use crate::id::{BlobId, CommitId};
use crate::query::engine::warnings;
use crate::query::history::told;
use crate::query::serialize;
use crate::query::serialize::is_zero;
use crate::store::comments;
use crate::store::facts;
use crate::store::sketched::Sketched;
use crate::store::trace::Traces;
use crate::store::{self, Snapshot};
use crate::view::cache::ViewCache;
use crate::view::names::AllNames;
use crate::view::overlay;
use serde::Serialize;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

/// Fewest digits of an abbreviated id, as for git.
const MIN_DIGITS: usize = 4;

/// What `forget` did, or would do.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ForgetReport {
    /// The blobs, in order.
    #[serde(serialize_with = "serialize::each_shown")]
    pub blobs: Vec<BlobId>,
    /// Those that were not forgotten before.
    pub added: usize,
    /// Documents that were recorded of them.
    pub documents: usize,
    /// Segments that held these.
    pub segments: usize,
    /// Blobs among them of which it was known what ran.
    #[serde(skip_serializing_if = "is_zero")]
    pub traces: usize,
    /// Blobs among them of which compilers had said what they name.
    #[serde(skip_serializing_if = "is_zero")]
    pub facts: usize,
    /// Fetched indexes that still tell of them, by ref.
    pub fetched: Vec<String>,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// What went wrong without stopping the run; one sentence each.
    pub warnings: Vec<String>,
}

/// Makes the index forget a blob, given by its id, or every blob that ever stood at a path. Fails with
/// [`Error::NothingToForget`] for an unknown blob or path; else see [`Error`].
pub fn forget(repo: &Repo, target: &str, dry_run: bool) -> Result<ForgetReport, Error> {
    let blobs = find(repo, target)?;
    let done = if dry_run {
        store::would_forget(repo, Snapshot::open(repo)?, &blobs)?
    } else {
        store::forget(repo, &blobs)?
    };
    if !dry_run {
        ViewCache::new(repo.kept()).retain(&done.snapshot);
        AllNames::clear(repo.kept());
        Sketched::clear(repo.kept());
        told::clear(repo);
        comments::clear(repo.kept());
        overlay::remove_all(repo);
    }
    let mut fetched = Vec::new();
    for (name, tip) in refs::fetched(repo)? {
        let theirs = Snapshot::at(repo, tip, &done.snapshot);
        let traces = Traces::open(repo, &theirs).0;
        let told = facts::blobs(repo, &theirs);
        let is_held = |blob: &BlobId| {
            let is_told = told.binary_search(blob).is_ok();
            theirs.holds(*blob) || traces.lines(*blob).is_some() || is_told
        };
        if blobs.iter().any(is_held) {
            fetched.push(name);
        }
    }
    let mut warnings = warnings(&done.snapshot);
    if repo.is_shallow() {
        warnings.push(
            "history is cut off in this clone; what older commits had at a path is not known here"
                .to_owned(),
        );
    }
    Ok(ForgetReport {
        blobs: blobs.into_iter().collect(),
        added: done.blobs,
        documents: done.documents,
        segments: done.segments,
        traces: done.pieces.traces,
        facts: done.pieces.facts,
        fetched,
        dry_run,
        warnings,
    })
}

/// Returns the blobs that are forgotten, in order.
pub fn forgotten(repo: &Repo) -> Result<Vec<BlobId>, Error> {
    Ok(Snapshot::open(repo)?.ledger().denied().collect())
}

/// Finds what is meant: a blob by its id, or else all blobs at a path.
fn find(repo: &Repo, target: &str) -> Result<BTreeSet<BlobId>, Error> {
    let is_hex = target.bytes().all(|b| b.is_ascii_hexdigit());
    if is_hex && target.len() >= MIN_DIGITS {
        if let Some(blob) = repo.find_blob(target)? {
            return Ok(BTreeSet::from([blob]));
        }
        // Somebody else may have what was never here.
        let id = BlobId::from_hex(target.as_bytes());
        if let Some(blob) = id.filter(|id| id.as_object().kind() == repo.hash())
            && !repo.objects().contains(blob.as_object())
        {
            return Ok(BTreeSet::from([blob]));
        }
    }
    let nothing = || Error::NothingToForget(target.to_owned());
    let path = inside(repo, target).ok_or_else(nothing)?;
    let blobs = at_path(repo, &path)?;
    if blobs.is_empty() {
        return Err(nothing());
    }
    Ok(blobs)
}

/// A path of the repository; an absolute one is taken relative to the work tree.
fn inside(repo: &Repo, target: &str) -> Option<RepoPath> {
    let relative = repo
        .work_dir()
        .and_then(|top| Path::new(target).strip_prefix(top).ok()?.to_str())
        .map(|path| path.replace('\\', "/"));
    let path = relative.as_deref().unwrap_or(target);
    RepoPath::new(path.strip_prefix("./").unwrap_or(path).as_bytes()).ok()
}

/// The file that a commit has at a path.
fn blob_at(repo: &Repo, commit: CommitId, path: &RepoPath) -> Result<Option<BlobId>, git::Error> {
    let found = tree::find(&mut repo.objects(), repo.commit_tree(commit)?, path)?;
    Ok(match found {
        Some(tree::Found::Leaf(mode, blob)) if mode.is_file() => Some(blob),
        _ => None,
    })
}

/// Every blob that a commit of any ref, or this work tree, has at a path.
fn at_path(repo: &Repo, path: &RepoPath) -> Result<BTreeSet<BlobId>, Error> {
    let mut blobs = BTreeSet::new();
    let mut trees = TreeWalk::new(repo);
    let mut failed: Option<git::Error> = None;
    let tips = history::tips(repo, TipSet::All)?;
    history::commits(repo, &tips, &[], None, &mut |commit| {
        let found = trees.commit(commit, &mut |entry| {
            if entry.path == *path && entry.mode.is_file() {
                blobs.insert(entry.id);
            }
            ControlFlow::Continue(())
        });
        // A tree that lists more than is followed can be asked for one path all the same.
        let found = match found {
            Err(err) if err.is_too_large() => match blob_at(repo, commit, path) {
                Ok(found) => {
                    blobs.extend(found);
                    Ok(ControlFlow::Continue(()))
                }
                Err(err) => Err(err),
            },
            found => found,
        };
        found.unwrap_or_else(|err| {
            failed = Some(err);
            ControlFlow::Break(())
        })
    })?;
    if let Some(err) = failed {
        return Err(err.into());
    }
    if !repo.is_bare() {
        let entries = match repo.head()? {
            Head::Commit { id, .. } => tree::list_commit(repo, id)?,
            Head::Unborn => Vec::new(),
        };
        for dirty in worktree::status(repo, &entries)?.dirty {
            if let DirtyState::Content { id, .. } = dirty.state
                && dirty.path == *path
            {
                blobs.insert(id);
            }
        }
    }
    Ok(blobs)
}
