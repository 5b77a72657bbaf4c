//! The commits at which something began to hold in trees and ceased to, where to look at each tree would take too long:
//! along first parents, by halving.
//!
//! Some trees, evenly apart, are looked at first. Where it changes at most once among them, the change is found by
//! halving; where it changes more often, each commit is looked at that may have changed it. A change of a merge is
//! looked for on the side that it came from.

use super::ancestry::Ancestry;
use super::since::{Change, Evidence, Timeline};
use crate::git::Repo;
use crate::git::history::Headers;
use crate::git::tree::{self, Change as TreeChange};
use crate::id::{CommitId, TreeId};
use crate::query::Error;
use crate::store::Progress;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// Trees that are looked at first.
const SAMPLES: usize = 17;
/// Trees that are looked at one after the other; what lies behind is halved.
const MAX_SCANNED: usize = 400;
/// Commits of a side of a merge that are looked at.
const MAX_SIDE: usize = 64;

/// Something that is found in a tree or not.
pub trait Probe {
    /// Where it is seen in a tree.
    fn look(&mut self, root: TreeId) -> Result<Option<Evidence>, Error>;

    /// Whether it is still seen in a tree as it was in one before, which takes less than to look; `false` where only a
    /// look can tell.
    fn still_holds(&mut self, root: TreeId) -> Result<bool, Error>;

    /// Whether a change of a file, from the older tree (`old`) to the one looked at last, may be what makes it another.
    fn may_change(&mut self, change: &TreeChange) -> Result<bool, Error>;
}

/// What was found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// When it began and ceased.
    pub timeline: Timeline,
    /// In which way that was found.
    pub way: String,
    /// Whether nothing stood in the way that may be gone the next time.
    pub is_whole: bool,
}

/// Finds when something began and ceased along the first parents of a commit. Fails when what it needs cannot be read.
pub fn timeline(
    repo: &Repo,
    ancestry: &mut Ancestry,
    probe: &mut dyn Probe,
    from: CommitId,
    progress: &dyn Progress,
) -> Result<Found, Error> {
    let mut headers = Headers::of_kept(repo)?;
    let mut chain = Vec::new();
    let mut next = Some(from);
    while let Some(commit) = next {
        let (date, parents) = headers.read(commit)?;
        chain.push((commit, date));
        next = parents.first().copied();
    }
    let mut search = Search {
        ancestry,
        probe,
        headers,
        chain,
        known: FxHashMap::default(),
        still: FxHashSet::default(),
        looked: 0,
        changes: Vec::new(),
    };
    let now = search.at(0)?;
    let mut timeline = Timeline {
        now,
        passed: search.chain.len(),
        ..Timeline::default()
    };
    let way = search.run(progress);
    let way = match way.and_then(|way| search.look_at_end().map(|()| way)) {
        Ok(way) => way,
        Err(Error::Git(err)) if err.is_missing_object() => {
            timeline.end = Some(format!("this clone lacks what came before: {err}"));
            "cut short".to_owned()
        }
        Err(err) => return Err(err),
    };
    let last = search.chain.last().copied();
    if let Some((last, date)) = last
        && let Some(evidence) = search.known.get(&last).cloned().flatten()
    {
        let is_cut_off = search.headers.is_cut_off(last);
        search.changes.push(Change {
            commit: last,
            date,
            is_merge: false,
            began: true,
            evidence,
            is_cut_off,
        });
    }
    if let Some((last, _)) = last.filter(|(last, _)| search.headers.is_cut_off(*last)) {
        let short = last.short();
        timeline.end = Some(format!("history ends at {short}: the clone is shallow"));
    }
    timeline.looked = search.looked;
    timeline.changes = search.changes;
    timeline.changes.sort_by_key(|change| Reverse(change.date));
    Ok(Found {
        is_whole: timeline.end.is_none() && !progress.cancelled(),
        timeline,
        way,
    })
}

struct Search<'s> {
    ancestry: &'s mut Ancestry,
    probe: &'s mut dyn Probe,
    headers: Headers,
    /// First parents with their dates, newest first.
    chain: Vec<(CommitId, i64)>,
    known: FxHashMap<CommitId, Option<Evidence>>,
    /// Commits in which it is seen, wherever; counted among those that were looked at.
    still: FxHashSet<CommitId>,
    looked: usize,
    changes: Vec<Change>,
}

impl Search<'_> {
    fn look(&mut self, commit: CommitId) -> Result<Option<Evidence>, Error> {
        if let Some(known) = self.known.get(&commit) {
            return Ok(known.clone());
        }
        let root = self.ancestry.root(commit)?;
        let found = self.probe.look(root)?;
        self.looked += usize::from(!self.still.remove(&commit));
        self.known.insert(commit, found.clone());
        Ok(found)
    }

    fn at(&mut self, index: usize) -> Result<Option<Evidence>, Error> {
        self.look(self.chain[index].0)
    }

    /// Whether it is seen in a commit, where it need not be told how.
    fn holds(&mut self, commit: CommitId) -> Result<bool, Error> {
        if let Some(known) = self.known.get(&commit) {
            return Ok(known.is_some());
        }
        if self.still.contains(&commit) {
            return Ok(true);
        }
        let root = self.ancestry.root(commit)?;
        if self.probe.still_holds(root)? {
            self.looked += 1;
            self.still.insert(commit);
            return Ok(true);
        }
        Ok(self.look(commit)?.is_some())
    }

    fn run(&mut self, progress: &dyn Progress) -> Result<String, Error> {
        let last = self.chain.len() - 1;
        let mut samples: Vec<usize> = (0..SAMPLES).map(|at| at * last / (SAMPLES - 1)).collect();
        samples.dedup();
        let mut held = Vec::with_capacity(samples.len());
        for index in &samples {
            held.push(self.holds(self.chain[*index].0)?);
            if progress.cancelled() {
                return Ok("cut short".to_owned());
            }
        }
        let switches = held.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let intervals = samples.windows(2).zip(held.windows(2));
        let intervals: Vec<(usize, usize)> = intervals
            .filter(|(_, held)| held[0] != held[1])
            .map(|(ends, _)| (ends[0], ends[1]))
            .collect();
        if switches <= 1 {
            for (newer, older) in intervals {
                self.halve(newer, older)?;
            }
            return Ok("halved, as it changed once at most".to_owned());
        }
        let stopped = self.scan(progress)?;
        let Some(stopped) = stopped else {
            return Ok("scanned, as it changed more than once".to_owned());
        };
        for (newer, older) in intervals.into_iter().filter(|(_, older)| *older > stopped) {
            self.halve(newer.max(stopped), older)?;
        }
        let short = self.chain[stopped].0.short();
        Ok(format!(
            "scanned to {short}, halved behind it, where more may have happened"
        ))
    }

    /// Tells how it is seen in the oldest commit.
    fn look_at_end(&mut self) -> Result<(), Error> {
        let last = self
            .chain
            .last()
            .filter(|(last, _)| self.still.contains(last));
        if let Some((last, _)) = last.copied() {
            self.look(last)?;
        }
        Ok(())
    }

    /// Knows nothing of a commit any more.
    fn forget(&mut self, commit: CommitId) {
        self.known.remove(&commit);
        self.still.remove(&commit);
    }

    /// Finds a change between two commits that differ.
    fn halve(&mut self, newer: usize, older: usize) -> Result<(), Error> {
        let (mut newer, mut older) = (newer, older);
        let here = self.holds(self.chain[newer].0)?;
        if self.holds(self.chain[older].0)? == here {
            return Ok(());
        }
        while older - newer > 1 {
            let middle = newer + (older - newer) / 2;
            match self.holds(self.chain[middle].0)? == here {
                true => newer = middle,
                false => older = middle,
            }
        }
        self.note(newer)
    }

    /// Goes through all commits; returns where it stopped, if it did.
    fn scan(&mut self, progress: &dyn Progress) -> Result<Option<usize>, Error> {
        // What may change it is said of the tree looked at last.
        self.forget(self.chain[0].0);
        let mut here = self.at(0)?;
        let begun = self.looked;
        for older in 1..self.chain.len() {
            let commit = self.chain[older].0;
            let (old, new) = (
                self.ancestry.root(commit)?,
                self.ancestry.root(self.chain[older - 1].0)?,
            );
            let mut may_change = false;
            for change in tree::diff(self.ancestry.objects(), old, new)? {
                if self.probe.may_change(&change)? {
                    may_change = true;
                    break;
                }
            }
            if may_change {
                self.forget(commit);
                if self.looked - begun >= MAX_SCANNED || progress.cancelled() {
                    return Ok(Some(older - 1));
                }
                let there = self.look(commit)?;
                if there.is_some() != here.is_some() {
                    // Where it is seen may have been taken from a later tree.
                    self.forget(self.chain[older - 1].0);
                    self.note(older - 1)?;
                    self.forget(commit);
                    self.look(commit)?;
                }
                here = there;
            } else {
                self.known.insert(commit, here.clone());
            }
        }
        Ok(None)
    }

    /// Takes note of a commit that changed it against its first parent.
    fn note(&mut self, index: usize) -> Result<(), Error> {
        let (commit, date) = self.chain[index];
        let here = self.look(commit)?;
        let before = self.at(index + 1)?;
        let (mut commit, mut date) = (commit, date);
        let mut is_merge = false;
        // A merge has it from a side.
        loop {
            let (_, parents) = self.headers.read(commit)?;
            let mut side = None;
            for parent in parents.iter().skip(1) {
                if self.holds(*parent)? == here.is_some() {
                    side = Some(*parent);
                    break;
                }
            }
            let Some(side) = side else {
                is_merge = parents.len() > 1;
                break;
            };
            (commit, date) = self.side(side, here.is_some())?;
            let (_, parents) = self.headers.read(commit)?;
            if parents.len() < 2 {
                break;
            }
        }
        let began = here.is_some();
        if let Some(evidence) = here.or(before) {
            self.changes.push(Change {
                commit,
                date,
                is_merge,
                began,
                evidence,
                is_cut_off: false,
            });
        }
        Ok(())
    }

    /// The oldest commit of a side, along first parents, up to which it is as it is there.
    fn side(&mut self, from: CommitId, holds: bool) -> Result<(CommitId, i64), Error> {
        let mut commit = from;
        let (mut date, mut parents) = self.headers.read(commit)?;
        for _ in 0..MAX_SIDE {
            let Some(parent) = parents.first().copied() else {
                break;
            };
            if self.holds(parent)? != holds {
                break;
            }
            commit = parent;
            (date, parents) = self.headers.read(commit)?;
        }
        Ok((commit, date))
    }
}
