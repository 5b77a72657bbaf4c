//! The work tree as a state to ask about: `HEAD` with what is not committed laid over it.

use super::portion::Portion;
use super::{Engine, OpenView, Pinned, WorkTree, pinned};
use crate::git::tree::TreeEntry;
use crate::git::worktree::{self, Alarm, DirtyState, Status};
use crate::git::{Head, RepoPath};
use crate::id::{BlobId, TreeId};
use crate::query::{Error, Progress};
use crate::view::files::File;
use crate::view::overlay;
use std::sync::{Arc, PoisonError};

impl Engine {
    /// The work tree, over all of `HEAD` or over what is opened of it.
    pub(super) fn pin_work_tree(
        &self,
        is_whole: bool,
        progress: &dyn Progress,
    ) -> Result<Pinned, Error> {
        let commit = match self.repo.head()? {
            Head::Unborn => None,
            Head::Commit { id, .. } => Some(id),
        };
        let tree = match commit {
            Some(commit) => self.repo.commit_tree(commit)?,
            None => TreeId::new(gix::ObjectId::empty_tree(self.repo.hash())),
        };
        let portion = match is_whole {
            true => Portion::whole(tree),
            false => self.portion(tree),
        };
        self.await_run(tree, progress)?;
        // Who comes second finds what the first has opened, and all that is derived from it. Nobody waits for a run in
        // here, which opens the same state.
        let _first = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = || match commit {
            Some(commit) => {
                let open = self.opened_tree(&portion, progress);
                open.map_err(|err| err.at_commit(commit))
            }
            None => Ok((Arc::new(OpenView::empty()), Vec::new())),
        };
        if self.repo.is_bare() {
            let (base, warnings) = opened()?;
            return Ok(pinned(base, commit, warnings));
        }
        let list = |base: &OpenView| base.view.files().iter().map(File::entry).collect();
        let (base, mut warnings, status) = match self.watch {
            Some(_) => {
                let (base, warnings) = opened()?;
                let status = self.status(tree, || list(&base))?;
                (base, warnings, status)
            }
            None => {
                // The work tree waits for the file system, the view for nothing.
                let (sighted, opened) = std::thread::scope(|scope| {
                    let sighted = scope.spawn(|| worktree::Sighted::of(&self.repo));
                    let opened = opened();
                    (sighted.join().expect("the walk does not panic"), opened)
                });
                let (base, warnings) = opened?;
                let entries: Vec<TreeEntry> = list(&base);
                let status = Arc::new(sighted?.beside(&self.repo, &entries)?);
                (base, warnings, status)
            }
        };
        warnings.extend(self.sparse().err());
        if status.truncated {
            warnings.push("too many uncommitted files; some are left out".to_owned());
        }
        if status.dirty.is_empty() {
            return Ok(pinned(base, commit, warnings));
        }
        let open = self.overlaid(portion.id(), &base, &status)?;
        Ok(pinned(open, commit, warnings))
    }

    /// Returns what wakes whoever waits for a change of the work tree; `None` where nothing is listened to, or not yet.
    pub fn alarm(&self) -> Option<Alarm> {
        let watch = self.watch.as_ref()?.lock();
        watch.unwrap_or_else(PoisonError::into_inner).alarm()
    }

    /// What is not committed, beside the tree of `HEAD`, which `list` lists.
    pub(super) fn status(
        &self,
        tree: TreeId,
        list: impl FnOnce() -> Vec<TreeEntry>,
    ) -> Result<Arc<Status>, Error> {
        let Some(watch) = &self.watch else {
            return Ok(Arc::new(worktree::status(&self.repo, &list())?));
        };
        let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(watch.look(&self.repo, tree, list)?)
    }

    pub(super) fn overlaid(
        &self,
        tree: TreeId,
        base: &OpenView,
        status: &Arc<Status>,
    ) -> Result<Arc<OpenView>, Error> {
        let known = match &self.state().work_tree {
            Some(known) if known.tree == tree => Some((known.open.clone(), known.status.clone())),
            _ => None,
        };
        let known = known.filter(|(open, _)| self.is_up_to_date(open));
        if let Some((open, _)) = (known.as_ref()).filter(|(_, seen)| Arc::ptr_eq(seen, status)) {
            return Ok(open.clone());
        }
        let seen: Vec<(RepoPath, Option<BlobId>)> = status
            .dirty
            .iter()
            .map(|dirty| match &dirty.state {
                DirtyState::Content { id, .. } => (dirty.path.clone(), Some(*id)),
                DirtyState::TooLarge { .. } | DirtyState::Deleted => (dirty.path.clone(), None),
            })
            .collect();
        if known.is_some()
            && let Some(known) = &self.state().work_tree
            && known.tree == tree
            && known.dirty == seen
        {
            return Ok(known.open.clone());
        }
        let snapshot = self.state().snapshot.clone();
        let view = overlay::lay_over(
            &base.view,
            status,
            self.repo.hash(),
            &self.overlay,
            snapshot.ledger(),
        )?;
        let open = Arc::new(self.open_view(view));
        self.state().work_tree = Some(WorkTree {
            tree,
            dirty: seen,
            status: status.clone(),
            open: open.clone(),
        });
        Ok(open)
    }
}
