//! The merge that two sides would make, without a work tree, a ref or an object of the repository.
//!
//! Git itself merges (`git merge-tree`), in a repository of its own in a temporary folder that borrows the
//! objects ([`super::scratch`]), so the answer is that of `git merge`: renames, several merge bases, binary
//! files, and what the `.gitattributes` of our side say of `merge` (from git 2.41 on). A merge driver that
//! somebody has configured is never run; files that want one are merged as text. Line endings count as they
//! are, as without `merge.renormalize`.
//!
//! A side is a commit, and may have uncommitted files over it, which are then merged as if they had been
//! committed. Nothing is merged where the two have no commit in common: git refuses that too.
//!
//! The repository stays as it is, but that git renews the time of an object that it would have made and finds
//! there, which keeps it from being pruned.
//!
//! What collides is reported by path ([`Conflict`]). The contents that are handed out have our lines there, so that
//! they can be read as source code; git's own tree, with its markers, is named in [`Merged::tree`].

mod hunks;
mod report;

use super::error::Error;
use super::interrupt;
use super::path::RepoPath;
use super::repo::Repo;
use super::scratch::Scratch;
use super::tree::{self, Change};
use super::tree_edit::{self, Edits};
use super::worktree::{Dirty, DirtyState, Status};
use super::write::{PackWriter, blob_id};
use crate::id::{BlobId, CommitId, TreeId};
use crate::limits::{MAX_DIRTY_BYTES, MAX_DIRTY_FILES, MAX_PARSED_BYTES};
use gix::ObjectId;
use report::Report;
pub use report::{Conflict, ConflictKind};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The exit code of git for options that it does not know.
const USAGE: i32 = 129;

/// Makes merges, any number of them and from any thread; what it wrote goes when it is dropped.
pub struct Merger<'r> {
    repo: &'r Repo,
    scratch: Scratch,
}

/// One side of a merge: a commit, with what is uncommitted on top of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// The commit that is there.
    commit: CommitId,
    /// The tree of that.
    committed: TreeId,
    /// What is merged: the same, or a commit that only the merger has.
    tip: CommitId,
    /// The tree of that.
    tree: TreeId,
    left_out: Vec<RepoPath>,
}

impl Side {
    /// Returns the commit, without what is uncommitted.
    pub fn commit(&self) -> CommitId {
        self.commit
    }

    /// Returns the uncommitted files that could not be read, whose committed content is merged.
    pub fn left_out(&self) -> &[RepoPath] {
        &self.left_out
    }

    /// Whether there is nothing uncommitted.
    fn is_committed(&self) -> bool {
        self.commit == self.tip
    }
}

/// What a merge would come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Their commits are all in ours already, and they have nothing uncommitted.
    Contained,
    /// The merge was made.
    Merged(Box<Merged>),
    /// The sides have no commit in common, and git would refuse.
    Unrelated,
    /// As far as this shallow clone goes back, the sides have no commit in common.
    CutOff,
}

/// A merge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// The best common ancestors; several where the branches were merged with each other crosswise.
    pub bases: Vec<CommitId>,
    /// What collides, ordered by path; empty for a clean merge.
    pub conflicts: Vec<Conflict>,
    /// The tree that git makes, markers in it. No such object need be in the repository.
    pub tree: TreeId,
    /// What the merged tree has where the commit of our side has something else, to be laid over a view of
    /// that commit. Our uncommitted files are part of it.
    pub over_commit: Status,
    /// What the merged tree has where our side has something else: what comes from them. Ordered by path.
    pub incoming: Vec<Change>,
}

impl Merged {
    /// Whether nothing collides.
    pub fn is_clean(&self) -> bool {
        self.conflicts.is_empty()
    }
}

impl<'r> Merger<'r> {
    /// Prepares a temporary folder. Fails with [`Error::Io`] where that cannot be written.
    pub fn new(repo: &'r Repo) -> Result<Self, Error> {
        let scratch = Scratch::borrowing(repo)?;
        Ok(Self { repo, scratch })
    }

    /// Makes a side of a commit and of what is uncommitted on top of it, in whichever work tree.
    ///
    /// # Errors
    /// As [`tree::list`] for what is missing or malformed in the trees on the way to these files.
    pub fn side(&self, commit: CommitId, uncommitted: Option<&Status>) -> Result<Side, Error> {
        let committed = self.repo.commit_tree(commit)?;
        let mut side = Side {
            commit,
            committed,
            tip: commit,
            tree: committed,
            left_out: Vec::new(),
        };
        let mut pack = PackWriter::new(self.repo.hash());
        let mut edits = Edits::new();
        for Dirty { path, state } in uncommitted.iter().flat_map(|status| &status.dirty) {
            let blob = match state {
                DirtyState::Content { bytes, .. } => Some(pack.blob(bytes.to_vec())?),
                DirtyState::Deleted => None,
                DirtyState::TooLarge { .. } => {
                    side.left_out.push(path.clone());
                    continue;
                }
            };
            edits.insert(path.as_bstr().to_owned(), blob);
        }
        if edits.is_empty() {
            return Ok(side);
        }
        let mut objects = self.scratch.objects();
        let root = tree_edit::apply(&mut objects, &mut pack, Some(committed), &edits)?;
        side.tree = match root {
            Some(root) => root,
            None => pack.tree(Vec::new())?,
        };
        side.tip = pack.commit(side.tree, &[commit], "uncommitted")?;
        self.scratch.write(&pack)?;
        Ok(side)
    }

    /// Merges their side into ours.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where git is older than 2.38, [`Error::MissingObject`] in a clone that lacks
    /// what the merge needs, otherwise what git said.
    pub fn merge(&self, ours: &Side, theirs: &Side) -> Result<Outcome, Error> {
        let bases = self.bases(ours.tip, theirs.tip)?;
        if bases.is_empty() {
            return Ok(match self.repo.is_shallow() {
                true => Outcome::CutOff,
                false => Outcome::Unrelated,
            });
        }
        if bases == [theirs.tip] {
            return Ok(Outcome::Contained);
        }
        let report = self.merge_trees(ours, theirs)?;
        let mut objects = self.scratch.objects();
        let incoming = tree::diff(&mut objects, ours.tree, report.tree)?;
        let changes = match ours.is_committed() {
            true => incoming.clone(),
            false => tree::diff(&mut objects, ours.committed, report.tree)?,
        };
        let mut conflicts = report.conflicts;
        hunks::find_ours(&self.scratch, ours.tip, report.tree, &mut conflicts)?;
        let over_commit = self.contents(ours.tip, changes, &conflicts)?;
        Ok(Outcome::Merged(Box::new(Merged {
            bases,
            conflicts,
            tree: report.tree,
            over_commit,
            incoming,
        })))
    }

    /// The best common ancestors.
    fn bases(&self, ours: CommitId, theirs: CommitId) -> Result<Vec<CommitId>, Error> {
        let mut command = self.scratch.git();
        let ids = [ours.to_string(), theirs.to_string()];
        command.args(["merge-base", "--all"]).args(ids);
        let out = interrupt::wait(command)?;
        if out.status.code() == Some(1) && out.stderr.is_empty() {
            return Ok(Vec::new());
        }
        let lines = out.stdout.split(|b| *b == b'\n').filter(|l| !l.is_empty());
        let bases: Option<Vec<_>> = lines.map(CommitId::from_hex).collect();
        let bases = bases.filter(|bases| out.status.success() && !bases.is_empty());
        bases.ok_or_else(|| self.failure(out.into_error("merge-base")))
    }

    fn merge_trees(&self, ours: &Side, theirs: &Side) -> Result<Report, Error> {
        let mut command = self.scratch.git();
        // As `git merge` reads the files of the work tree. Known to git from 2.41 on.
        command.env("GIT_ATTR_SOURCE", ours.tree.to_string());
        command.args(["merge-tree", "--write-tree", "-z", "--messages"]);
        command.args([ours.tip.to_string(), theirs.tip.to_string()]);
        let out = interrupt::wait(command)?;
        match out.status.code() {
            Some(code @ (0 | 1)) => {
                let report = report::parse(&out.stdout, code == 0);
                report.ok_or_else(|| out.into_error("merge-tree"))
            }
            Some(USAGE) => Err(Error::Unsupported {
                step: "merging without a work tree",
                reason: "git merge-tree --write-tree needs git 2.38 or newer".to_owned(),
            }),
            _ => Err(self.failure(out.into_error("merge-tree"))),
        }
    }

    /// Says which object is missing, where that is what git complains of.
    fn failure(&self, err: Error) -> Error {
        let Error::Git { stderr, .. } = &err else {
            return err;
        };
        let words = stderr.split(|c: char| !c.is_ascii_hexdigit());
        let ids = words.filter_map(|word| ObjectId::from_hex(word.as_bytes()).ok());
        let objects = self.scratch.objects();
        let mut ids = ids.filter(|id| id.kind() == self.repo.hash());
        let missing = ids.find(|id| !objects.contains(*id));
        missing.map_or(err, Error::MissingObject)
    }

    /// Reads what the merged tree has at the paths where it differs.
    fn contents(
        &self,
        tip: CommitId,
        changes: Vec<Change>,
        conflicts: &[Conflict],
    ) -> Result<Status, Error> {
        let marked = conflicts.iter().filter(|conflict| conflict.is_marked());
        let marked: FxHashSet<&RepoPath> = marked.map(|conflict| &conflict.path).collect();
        let mut objects = self.scratch.objects();
        let mut status = Status::default();
        let mut total = 0;
        for Change { path, old, new } in changes {
            if status.dirty.len() >= MAX_DIRTY_FILES {
                status.truncated = true;
                break;
            }
            let file = new.filter(|(mode, _)| mode.is_file());
            let state = match file {
                None => DirtyState::Deleted,
                Some((_, id)) => {
                    let size = objects.blob_size(id)?;
                    if size > MAX_PARSED_BYTES as u64 || total >= MAX_DIRTY_BYTES {
                        DirtyState::TooLarge { size }
                    } else {
                        let mut bytes = Vec::new();
                        objects.blob(id, &mut bytes)?;
                        total += bytes.len();
                        match marked.contains(&path) {
                            true => self.unmarked(tip, &bytes)?,
                            false => DirtyState::Content {
                                id,
                                bytes: Arc::new(bytes),
                            },
                        }
                    }
                }
            };
            // Where all that differs is the mode, or collides, the content is ours.
            let is_ours = match (&state, old) {
                (DirtyState::Content { id, .. }, Some((_, old))) => *id == old,
                _ => false,
            };
            if !is_ours {
                status.dirty.push(Dirty { path, state });
            }
        }
        Ok(status)
    }

    /// A file with our lines where it has markers.
    fn unmarked(&self, tip: CommitId, bytes: &[u8]) -> Result<DirtyState, Error> {
        let bytes = hunks::with_ours(bytes, tip);
        let id: BlobId = blob_id(self.repo.hash(), &bytes)?;
        Ok(DirtyState::Content {
            id,
            bytes: Arc::new(bytes),
        })
    }
}

#[cfg(test)]
mod tests;
