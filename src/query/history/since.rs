//! When something began to hold and ceased to: back along the ancestry of a commit, to each commit whose parents all
//! say something else.
//!
//! Of a commit that has the same as a parent, as far as that tells, nothing is read. A merge that says what one of
//! its parents says is passed over on that side, the first of them first.

use super::ancestry::Ancestry;
use super::watch::{Standing, Watch};
use crate::git::history::Headers;
use crate::git::{Repo, RepoPath};
use crate::graph::rule::Certainty;
use crate::id::{CommitId, TreeId};
use crate::query::Error;
use crate::store::Progress;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Changes that are looked for.
const MAX_CHANGES: usize = 2000;

/// Where it is seen that something holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// How sure it is.
    pub certainty: Certainty,
    /// In which way: `call`, `import`.
    pub how: &'static str,
    /// The path it stands at.
    pub path: String,
    /// Its line, from 1.
    pub line: u32,
    /// What it leads to.
    pub to: String,
    /// What lies between, where there is more than one step.
    pub via: Vec<String>,
    /// Other definitions that may be meant.
    pub candidates: usize,
}

/// Something that holds in a tree or does not, as far as some paths of it tell.
pub trait Fact {
    /// The paths that tell.
    fn paths(&self) -> Vec<RepoPath>;

    /// A number that is the same for trees that say the same, from what stands at its paths.
    fn basis(&mut self, standing: &[Option<Standing>]) -> Result<u64, Error>;

    /// Where it is seen that it holds in a tree; `None` where it does not.
    fn look(&mut self, root: TreeId) -> Result<Option<Evidence>, Error>;
}

/// A commit at which something began or ceased.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The commit.
    pub commit: CommitId,
    /// Its committer's date.
    pub date: i64,
    /// Whether it is a merge of sides that both say something else.
    pub is_merge: bool,
    /// Whether it began.
    pub began: bool,
    /// Where it is seen since then, or was to the last.
    pub evidence: Evidence,
    /// Whether nothing is known of what came before.
    pub is_cut_off: bool,
}

/// All that was found out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Timeline {
    /// Where it is seen in the commit asked about.
    pub now: Option<Evidence>,
    /// Changes, newest first.
    pub changes: Vec<Change>,
    /// Where history ends before its beginning.
    pub end: Option<String>,
    /// Trees that were read.
    pub looked: usize,
    /// Commits that were passed.
    pub passed: usize,
}

/// Finds when something began and ceased before a commit. Fails when what it needs cannot be read.
pub fn timeline(
    repo: &Repo,
    ancestry: &mut Ancestry,
    fact: &mut dyn Fact,
    from: CommitId,
    progress: &dyn Progress,
) -> Result<Timeline, Error> {
    let root = ancestry.root(from)?;
    let now = fact.look(root)?;
    let mut walk = Walk {
        headers: Headers::of_kept(repo)?,
        watch: Watch::new(fact.paths().iter()),
        ancestry,
        fact,
        bases: FxHashMap::default(),
        known: FxHashMap::default(),
        timeline: Timeline {
            now: now.clone(),
            looked: 1,
            ..Timeline::default()
        },
    };
    let basis = walk.basis(from)?;
    walk.known.insert(basis, now);
    match walk.run(from, progress) {
        Ok(()) => {}
        Err(Error::Git(err)) if err.is_missing_object() => {
            walk.timeline.end = Some(format!("this clone lacks what came before: {err}"));
        }
        Err(err) => return Err(err),
    }
    let mut timeline = walk.timeline;
    timeline.changes.sort_by_key(|change| Reverse(change.date));
    Ok(timeline)
}

struct Walk<'w> {
    ancestry: &'w mut Ancestry,
    headers: Headers,
    fact: &'w mut dyn Fact,
    watch: Watch,
    /// By what stands at the paths.
    bases: FxHashMap<Vec<Option<Standing>>, u64>,
    known: FxHashMap<u64, Option<Evidence>>,
    timeline: Timeline,
}

impl Walk<'_> {
    fn standing(&mut self, commit: CommitId) -> Result<Vec<Option<Standing>>, Error> {
        Ok(self.watch.at(self.ancestry, commit)?)
    }

    fn basis(&mut self, commit: CommitId) -> Result<u64, Error> {
        let standing = self.standing(commit)?;
        self.basis_of(standing)
    }

    fn basis_of(&mut self, standing: Vec<Option<Standing>>) -> Result<u64, Error> {
        if let Some(known) = self.bases.get(&standing) {
            return Ok(*known);
        }
        let basis = self.fact.basis(&standing)?;
        self.bases.insert(standing, basis);
        Ok(basis)
    }

    fn evidence(&mut self, commit: CommitId, basis: u64) -> Result<Option<Evidence>, Error> {
        if let Some(known) = self.known.get(&basis) {
            return Ok(known.clone());
        }
        let root = self.ancestry.root(commit)?;
        let found = self.fact.look(root)?;
        self.timeline.looked += 1;
        self.known.insert(basis, found.clone());
        Ok(found)
    }

    fn run(&mut self, from: CommitId, progress: &dyn Progress) -> Result<(), Error> {
        let mut queue = BinaryHeap::from([(i64::MAX, Reverse(0usize), from)]);
        let mut seen = FxHashSet::default();
        let mut added = 0;
        while let Some((_, _, from)) = queue.pop() {
            if self.timeline.changes.len() >= MAX_CHANGES || progress.cancelled() {
                let passed = self.timeline.passed;
                self.timeline.end = Some(format!("only {passed} commits were looked at"));
                return Ok(());
            }
            for parent in self.origin(from, &mut seen)? {
                let (date, _) = self.headers.read(parent)?;
                added += 1;
                queue.push((date, Reverse(added), parent));
            }
        }
        Ok(())
    }

    /// Goes back from a commit to the one that made things what they are there, and takes note of it; returns its
    /// parents.
    fn origin(
        &mut self,
        from: CommitId,
        seen: &mut FxHashSet<CommitId>,
    ) -> Result<Vec<CommitId>, Error> {
        let mut commit = from;
        let mut standing = self.standing(commit)?;
        'back: loop {
            if !seen.insert(commit) {
                return Ok(Vec::new());
            }
            self.timeline.passed += 1;
            let (date, parents) = self.headers.read(commit)?;
            let mut before = Vec::with_capacity(parents.len());
            for parent in &parents {
                let there = self.standing(*parent)?;
                if there == standing {
                    commit = *parent;
                    continue 'back;
                }
                before.push(there);
            }
            let basis = self.basis_of(standing.clone())?;
            let here = self.evidence(commit, basis)?;
            let mut last = None;
            for (parent, there) in parents.iter().zip(before) {
                let basis = self.basis_of(there.clone())?;
                let found = self.evidence(*parent, basis)?;
                if found.is_some() == here.is_some() {
                    (commit, standing) = (*parent, there);
                    continue 'back;
                }
                last = last.or(found);
            }
            let is_cut_off = self.headers.is_cut_off(commit);
            if is_cut_off {
                let short = commit.short();
                self.timeline.end = Some(format!("history ends at {short}: the clone is shallow"));
            }
            let began = here.is_some();
            if let Some(evidence) = here.or(last) {
                self.timeline.changes.push(Change {
                    commit,
                    date,
                    is_merge: parents.len() > 1,
                    began,
                    evidence,
                    is_cut_off,
                });
            }
            return Ok(parents);
        }
    }
}
