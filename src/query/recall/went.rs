//! Which names a path had before a commit, and where one went that the commit does not have any more: back along the
//! first parents of the commit to the one that put the path there or took it away, and what that took away or put there
//! at once.
//!
//! A question at an old commit starts from that commit, so it is told in the names of its time. No index is needed and
//! few trees are read: another state of the path is looked for 1, 2, 4, 8... commits back, and between two of these by
//! halves. That is remembered, for many memories are about one path, and so are the last comparisons of trees.
//!
//! Deliberately absent: a path that something else has taken. What stands there is believed to be what was meant.

use crate::git::history::{self, Headers};
use crate::git::tree::Change;
use crate::git::tree::{self, Found};
use crate::git::{Objects, Repo, RepoPath};
use crate::id::{CommitId, TreeId};
use crate::query::renamed::{came_from, folder_came_from, folder_went_to, went_to};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// First parents that are looked back to.
const MAX_LINE: usize = 20_000;
/// Of these the nearest that are all looked at where leaps found nothing.
const MAX_NEAR: usize = 200;
/// Trees that are looked into for one answer.
const MAX_LOOKS: usize = 4000;
/// Names that a path had one after the other.
const MAX_NAMES: usize = 10;
/// Paths of which is remembered where they went.
const MAX_KNOWN: usize = 10_000;
/// Files that one commit changed, beyond which nobody looks which is which.
const MAX_CHANGES: usize = 50_000;
/// Files of comparisons that are kept together.
const MAX_KEPT_CHANGES: usize = 100_000;

/// Where paths went, as far as it was asked, seen from one commit.
#[derive(Default)]
pub(super) struct Went {
    /// The commit, and where the clone's history ends.
    at: Option<(CommitId, Vec<CommitId>)>,
    headers: Option<Headers>,
    /// The commit and its first parents, nearest first, with their trees.
    line: Vec<TreeId>,
    /// The next one, if there is one.
    next: Option<CommitId>,
    known: FxHashMap<RepoPath, Option<RepoPath>>,
    /// What the commits of the line changed that were looked at, with how many files these are together.
    changes: FxHashMap<usize, Arc<Vec<Change>>>,
    kept: usize,
    looks: usize,
}

impl Went {
    /// Turns to a commit, for another answer. What was found of it before is kept.
    pub fn start(&mut self, repo: &Repo, at: CommitId) {
        self.looks = MAX_LOOKS;
        self.headers = None;
        let from = Some((at, history::boundary(repo).unwrap_or_default()));
        if self.at != from {
            self.at = from;
            self.line.clear();
            self.next = Some(at);
            self.known.clear();
            self.changes.clear();
            self.kept = 0;
        }
    }

    /// The paths that a file or a directory of the commit had before, latest first.
    pub fn from(&mut self, repo: &Repo, objects: &mut Objects, path: &RepoPath) -> Vec<RepoPath> {
        let mut names = Vec::new();
        let mut at = 0;
        let mut path = path.clone();
        while names.len() < MAX_NAMES {
            let Some((to, before)) = self.origin(repo, objects, at, &path) else {
                break;
            };
            names.push(before.clone());
            (at, path) = (to, before);
        }
        names
    }

    /// The name that a path of the line had before the one it has at a place, and where that is.
    fn origin(
        &mut self,
        repo: &Repo,
        objects: &mut Objects,
        at: usize,
        path: &RepoPath,
    ) -> Option<(usize, RepoPath)> {
        let (new, old) = self.leap(repo, objects, (at, true), path)?;
        let (new, old) = self.halve(repo, objects, (new, old, true), path)?;
        let all = self.changed(repo, objects, (old, new))?;
        let before = match self.look(repo, objects, new, path)?? {
            Found::Leaf(_, blob) => came_from(objects, &all, path, blob)?.0,
            Found::Tree(_) => folder_came_from(objects, &all, path)?,
        };
        Some((old, before))
    }

    /// The path under which a file or a directory is at the commit that was at another before; `None` where the
    /// path is still there, where nothing is like it, and where that was not found within the bounds.
    pub fn to(&mut self, repo: &Repo, objects: &mut Objects, path: &RepoPath) -> Option<RepoPath> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let found = self.follow(repo, objects, path);
        // Nothing that was not looked for is remembered as not there.
        if self.looks > 0 {
            if self.known.len() >= MAX_KNOWN {
                self.known.clear();
            }
            self.known.insert(path.clone(), found.clone());
        }
        found
    }

    fn follow(&mut self, repo: &Repo, objects: &mut Objects, path: &RepoPath) -> Option<RepoPath> {
        let (mut absent, mut present) = self.leap(repo, objects, (0, false), path)?;
        let mut path = path.clone();
        for _ in 0..MAX_NAMES {
            (absent, present) = self.halve(repo, objects, (absent, present, false), &path)?;
            let all = self.changed(repo, objects, (present, absent))?;
            path = match self.look(repo, objects, present, &path)?? {
                Found::Leaf(_, blob) => went_to(objects, &all, &path, blob)?.0,
                Found::Tree(_) => folder_went_to(objects, &all, &path)?,
            };
            if self.look(repo, objects, 0, &path)?.is_some() {
                return Some(path);
            }
            (absent, present) = (0, absent);
        }
        None
    }

    /// What differs between two neighbours of the line.
    fn changed(
        &mut self,
        repo: &Repo,
        objects: &mut Objects,
        (old, new): (usize, usize),
    ) -> Option<Arc<Vec<Change>>> {
        if let Some(known) = self.changes.get(&new) {
            return Some(known.clone());
        }
        let (before, after) = (self.tree(repo, old)?, self.tree(repo, new)?);
        let all = tree::diff_within(objects, before, after, MAX_CHANGES).ok()??;
        let all = Arc::new(all);
        self.kept += all.len();
        if self.kept > MAX_KEPT_CHANGES {
            self.changes.clear();
            self.kept = all.len();
        }
        self.changes.insert(new, all.clone());
        Some(all)
    }

    /// Two neighbours of the line between two places: the nearer one has the path or not, as is said, and the other
    /// one not so.
    fn halve(
        &mut self,
        repo: &Repo,
        objects: &mut Objects,
        (mut near, mut far, has): (usize, usize, bool),
        path: &RepoPath,
    ) -> Option<(usize, usize)> {
        while far - near > 1 {
            let middle = near + (far - near) / 2;
            match self.look(repo, objects, middle, path)?.is_some() == has {
                true => near = middle,
                false => far = middle,
            }
        }
        Some((near, far))
    }

    /// Two places of the line, from one on: the nearer one has the path or not, as is said, and the other one not so.
    /// `None` where the first one is not as is said, or all are.
    fn leap(
        &mut self,
        repo: &Repo,
        objects: &mut Objects,
        (first, has): (usize, bool),
        path: &RepoPath,
    ) -> Option<(usize, usize)> {
        if self.look(repo, objects, first, path)?.is_some() != has {
            return None;
        }
        let (mut near, mut step) = (first, 1);
        while near < MAX_LINE {
            let mut next = (near + step).min(MAX_LINE);
            while next > near && self.tree(repo, next).is_none() {
                next = self.line.len().saturating_sub(1);
            }
            if next <= near {
                break;
            }
            if self.look(repo, objects, next, path)?.is_some() != has {
                return Some((near, next));
            }
            near = next;
            step *= 2;
        }
        // It came and went between two of these.
        let end = self.line.len().min(first + MAX_NEAR);
        for at in first + 1..end {
            if !has && self.look(repo, objects, at, path)?.is_some() {
                return Some((at - 1, at));
            }
        }
        None
    }

    /// What has a path in a tree of the line; `None` where that cannot be told.
    fn look(
        &mut self,
        repo: &Repo,
        objects: &mut Objects,
        at: usize,
        path: &RepoPath,
    ) -> Option<Option<Found>> {
        self.looks = self.looks.checked_sub(1)?;
        let root = self.tree(repo, at)?;
        tree::find(objects, root, path).ok()
    }

    /// The tree of a commit of the line; `None` past its end.
    fn tree(&mut self, repo: &Repo, at: usize) -> Option<TreeId> {
        if self.headers.is_none() {
            self.headers = Headers::of_kept(repo).ok();
        }
        let headers = self.headers.as_mut()?;
        while self.line.len() <= at {
            let commit = self.next?;
            let read = headers.root(commit).and_then(|root| {
                let (_, parents) = headers.read(commit)?;
                Ok((root, parents))
            });
            let Ok((root, parents)) = read else {
                self.next = None;
                return None;
            };
            self.line.push(root);
            self.next = parents.first().copied();
        }
        self.line.get(at).copied()
    }
}
