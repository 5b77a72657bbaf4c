//! What walks along definitions found, kept between questions: the second is a look-up, and after a new commit only
//! what that did is looked at.
//!
//! What comes before a commit never changes, so a walk is kept by where it begins: a definition, in a version of its
//! file, at the commit that this version is from. How far it went depends on how much was wanted; the next goes on
//! from there. Texts of files are let go and read again.

use super::ancestry::Event;
use super::follow::Found;
use super::step::Held;
use crate::git::RepoPath;
use crate::id::{BlobId, CommitId};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Versions kept, of all walks together: some ten megabytes.
const MAX_KEPT: usize = 20_000;
/// Walks kept.
const MAX_WALKS: usize = 256;
/// Origins kept.
const MAX_ORIGINS: usize = 1024;

/// A definition in a version of its file, seen from a commit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spot {
    commit: CommitId,
    path: RepoPath,
    blob: BlobId,
    start: u32,
    name: Vec<u8>,
}

impl Spot {
    /// A definition as a commit has it.
    pub fn of(commit: CommitId, held: &Held) -> Self {
        Self {
            commit,
            path: held.path.clone(),
            blob: held.blob,
            start: held.span.start,
            name: held.name.clone(),
        }
    }
}

/// What was found and not looked at yet.
#[derive(Clone, Debug)]
pub enum Waiting {
    /// The commit that a definition is from, as it is there.
    Origin(Event, Held),
    /// The end of an earlier life: the commit, the version that says so, and the parent that still has it.
    Removal(Event, Box<Found>, CommitId, Held),
}

impl Waiting {
    fn without_bytes(&self) -> Self {
        match self {
            Self::Origin(event, held) => Self::Origin(event.clone(), held.without_bytes()),
            Self::Removal(event, version, parent, held) => Self::Removal(
                event.clone(),
                version.clone(),
                *parent,
                held.without_bytes(),
            ),
        }
    }
}

/// A walk, as far as it went.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Versions that were found, in the order in which they were looked at.
    pub versions: Vec<Found>,
    /// Where history ends before its beginning.
    pub end: Option<String>,
    /// Whether it ended where another may go on.
    is_cut: bool,
    /// What was not looked at yet, the newest first; of one date, what was found first.
    waiting: BTreeMap<(Reverse<i64>, usize), Waiting>,
    found: usize,
    seen: FxHashSet<(CommitId, RepoPath, u32)>,
}

impl Walk {
    /// The newest of what was not looked at yet, with its date.
    pub fn pop(&mut self) -> Option<(i64, Waiting)> {
        let ((Reverse(date), _), waiting) = self.waiting.pop_first()?;
        Some((date, waiting))
    }

    /// Puts something off.
    pub fn wait(&mut self, date: i64, waiting: Waiting) {
        self.waiting.insert((Reverse(date), self.found), waiting);
        self.found += 1;
    }

    /// Whether nothing waits.
    pub fn is_all_looked_at(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether nothing was met yet.
    pub fn is_at_its_beginning(&self) -> bool {
        self.seen.is_empty()
    }

    /// Whether a definition of a commit was never met before.
    pub fn is_news(&mut self, commit: CommitId, held: &Held) -> bool {
        (self.seen).insert((commit, held.path.clone(), held.span.start))
    }

    /// Says that it ends here for a reason that may be gone the next time.
    pub fn cut(&mut self, end: String) {
        self.end = Some(end);
        self.is_cut = true;
    }

    /// Goes on with all that another walk found, where nothing else is left to look at.
    pub fn go_on_with(&mut self, known: Arc<Walk>) {
        let known = Arc::unwrap_or_clone(known);
        self.versions.extend(known.versions);
        self.end = known.end;
        self.seen.extend(known.seen);
        for ((Reverse(date), _), waiting) in known.waiting {
            self.wait(date, waiting);
        }
    }
}

/// What walks found.
#[derive(Default)]
pub struct Learnt(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// Where the clone's history ended when they were made.
    boundary: Vec<CommitId>,
    /// By where they begin, the latest last.
    walks: VecDeque<(Spot, Arc<Walk>)>,
    /// The commits that definitions are from, by a later one that has them, the latest last.
    origins: VecDeque<(Spot, (Event, Held))>,
}

impl Learnt {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets all.
    pub fn clear(&self) {
        *self.kept() = Kept::default();
    }

    /// Forgets what was found in a clone whose history ended elsewhere.
    pub fn keep_within(&self, boundary: Vec<CommitId>) {
        let mut kept = self.kept();
        if kept.boundary != boundary {
            *kept = Kept {
                boundary,
                ..Kept::default()
            };
        }
    }

    /// The walk that begins somewhere.
    pub fn walk(&self, spot: &Spot) -> Option<Arc<Walk>> {
        let mut kept = self.kept();
        let at = kept.walks.iter().position(|(of, _)| of == spot)?;
        let found = kept.walks.remove(at)?;
        let walk = found.1.clone();
        kept.walks.push_back(found);
        Some(walk)
    }

    /// Keeps a walk without its first versions, by where the rest begins.
    pub fn keep_walk(&self, spot: Spot, walk: &Walk, first: usize) {
        if walk.is_cut || walk.versions.len() - first > MAX_KEPT {
            return;
        }
        let waiting = walk.waiting.iter();
        let waiting = waiting.map(|(key, waiting)| (*key, waiting.without_bytes()));
        let walk = Walk {
            versions: walk.versions[first..].to_vec(),
            end: walk.end.clone(),
            is_cut: false,
            waiting: waiting.collect(),
            found: walk.found,
            seen: walk.seen.clone(),
        };
        let mut kept = self.kept();
        kept.walks.retain(|(of, _)| *of != spot);
        kept.walks.push_back((spot, Arc::new(walk)));
        let mut versions: usize = kept.walks.iter().map(|(_, walk)| walk.versions.len()).sum();
        while versions > MAX_KEPT || kept.walks.len() > MAX_WALKS {
            let oldest = kept.walks.pop_front();
            versions -= oldest.map_or(0, |(_, walk)| walk.versions.len());
        }
    }

    /// The commit that a definition is from, as it is there.
    pub fn origin(&self, spot: &Spot) -> Option<(Event, Held)> {
        let kept = self.kept();
        let found = kept.origins.iter().find(|(of, _)| of == spot);
        found.map(|(_, origin)| origin.clone())
    }

    /// Keeps the commit that a definition is from, where a walk begins: what follows is kept with the walk.
    pub fn keep_origin(&self, spot: Spot, event: &Event, held: &Held) {
        if spot.commit == event.commit {
            return;
        }
        let mut kept = self.kept();
        let origin = (event.clone(), held.without_bytes());
        kept.origins.push_back((spot, origin));
        let excess = kept.origins.len().saturating_sub(MAX_ORIGINS);
        kept.origins.drain(..excess);
    }
}
