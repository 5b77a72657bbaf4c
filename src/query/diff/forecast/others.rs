//! Whom our side is to be merged with.

use super::answer::{Fate, Forecast};
use crate::git::worktree::{self, Status};
use crate::git::worktrees::{self, LinkedTree};
use crate::id::CommitId;
use crate::query::Error;
use crate::query::engine::{Engine, Pinned};
use crate::query::request::{ForecastRequest, Revision};
use crate::store::Progress;

/// One of them.
pub(super) struct Other {
    /// As it was asked for, or the top of its work tree.
    pub name: String,
    /// The branch of a work tree.
    pub branch: Option<String>,
    /// Its state, or why there is none.
    pub there: Result<Theirs, String>,
}

/// A state that can be merged.
pub(super) struct Theirs {
    pub commit: CommitId,
    pub pinned: Pinned,
    pub uncommitted: Option<Status>,
}

impl Other {
    /// A forecast that has nothing but its head.
    pub fn forecast(&self, fate: Fate) -> Forecast {
        let there = self.there.as_ref().ok();
        Forecast {
            name: self.name.clone(),
            branch: self.branch.clone(),
            commit: there.map(|theirs| theirs.commit.short()),
            dirty: there.map_or(0, |theirs| theirs.pinned.stamp.dirty),
            fate,
            ..Forecast::default()
        }
    }
}

/// Finds everybody who was asked about. Who cannot be had says why. Fails when the work trees cannot be
/// listed, or nobody waits for the answer.
pub(super) fn find(
    engine: &Engine,
    request: &ForecastRequest,
    progress: &dyn Progress,
) -> Result<Vec<Other>, Error> {
    let mut others = Vec::new();
    for (at, rev) in request.with.iter().enumerate() {
        if request.with[..at].contains(rev) {
            continue;
        }
        let there = match engine.repo().resolve(rev) {
            Ok(commit) => {
                let pinned = engine.pin(&Revision::At(commit.to_string()), progress)?;
                Ok(Theirs {
                    commit,
                    pinned,
                    uncommitted: None,
                })
            }
            Err(err) => Err(err.to_string()),
        };
        others.push(Other {
            name: rev.clone(),
            branch: None,
            there,
        });
    }
    if request.with_worktrees {
        for tree in worktrees::others(engine.repo())? {
            others.push(Other {
                name: tree.path.display().to_string(),
                branch: tree.branch.clone(),
                there: read(engine, &tree, progress)?,
            });
        }
    }
    Ok(others)
}

/// Reads a work tree with its uncommitted files.
fn read(
    engine: &Engine,
    tree: &LinkedTree,
    progress: &dyn Progress,
) -> Result<Result<Theirs, String>, Error> {
    let commit = match (&tree.state, tree.head) {
        (worktrees::State::Bare, _) => return Ok(Err("bare: it has no files".to_owned())),
        (worktrees::State::Away, _) => {
            return Ok(Err("locked, and not there at the moment".to_owned()));
        }
        (worktrees::State::Gone(why), _) => return Ok(Err(format!("gone: {why}"))),
        (worktrees::State::There, None) => return Ok(Err("it has no commit yet".to_owned())),
        (worktrees::State::There, Some(commit)) => commit,
    };
    let opened = match worktrees::open(engine.repo(), tree) {
        Ok(opened) => opened,
        Err(err) => return Ok(Err(err.to_string())),
    };
    let committed = engine.pin(&Revision::At(commit.to_string()), progress)?;
    let status = match worktree::status(&opened, &engine.entries(&committed)) {
        Ok(status) => status,
        Err(err) => return Ok(Err(err.to_string())),
    };
    if status.dirty.is_empty() {
        return Ok(Ok(Theirs {
            commit,
            pinned: committed,
            uncommitted: None,
        }));
    }
    Ok(Ok(Theirs {
        commit,
        pinned: engine.beside(&committed, &[], status.clone())?,
        uncommitted: Some(status),
    }))
}
