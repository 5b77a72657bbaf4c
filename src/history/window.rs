//! The newest commits that can be reached from one, and what they say.

use super::log::{Log, Place};
use super::piece::{MAX_PLACES, Parent, Piece};
use super::read::{Unknown, Watch, read};
use super::touching::Turned;
use crate::git::history::Headers;
use crate::git::{Error, Repo};
use crate::id::CommitId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, OnceLock};

/// Commits of a window, merges not counted. What was done longer ago than that tells little of
/// where things are today; the bound keeps the work the same for a million commits.
pub const MAX_COMMITS: usize = 20_000;
/// Commits looked at for them, merges included.
const MAX_WALKED: usize = 4 * MAX_COMMITS;
/// Renames one path is followed through.
const MAX_RENAMES: usize = 64;
/// Fewer commits than this say nothing: all that one commit can say is that it made everything.
const LEAST_COMMITS: usize = 2;

/// What a window could not hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// Commits in the window.
    pub commits: usize,
    /// Whether there are more, and older ones.
    pub is_bounded: bool,
    /// Whether history ends at the boundary of a shallow clone.
    pub is_shallow: bool,
    /// Commits whose trees are not in this clone or cannot be read.
    pub unreadable: usize,
    /// Why there is no history at all.
    pub failure: Option<String>,
}

impl Extent {
    /// What an answer should say of it: nothing when all of history was there.
    pub fn remark(&self) -> Option<String> {
        let cut = match (&self.failure, self.is_shallow, self.unreadable) {
            (Some(reason), _, _) => format!(" ({reason})"),
            (None, true, _) => " (shallow clone)".to_owned(),
            (None, false, 0) => String::new(),
            (None, false, n) => format!(" ({n} commits cannot be read)"),
        };
        if self.commits < LEAST_COMMITS {
            return Some(format!("no history to rank by{cut}"));
        }
        if self.is_bounded {
            return Some(format!("history: newest {} commits{cut}", self.commits));
        }
        (!cut.is_empty()).then(|| format!("history: only {} commits{cut}", self.commits))
    }
}

/// Place of a commit in a window; the newest has 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Age(pub u32);

/// Not in the window.
const OUTSIDE: u32 = u32::MAX;

impl Age {
    /// Whether it is that of a commit.
    pub(super) fn is_known(self) -> bool {
        self.0 != OUTSIDE
    }
}

/// It was told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// The newest commits that can be reached from one, merges left out.
#[derive(Default)]
pub struct Window {
    pub(super) log: Log,
    /// Where each commit is, newest first.
    pub(super) commits: Vec<Place>,
    /// The merges between them.
    merges: Vec<Place>,
    /// Ages by piece and place.
    pub(super) ages: Vec<Vec<u32>>,
    lengths: u64,
    /// By old path: when it moved and where to, newest first.
    pub(super) moves: FxHashMap<Vec<u8>, Vec<(Age, Vec<u8>)>>,
    /// Number of `moves`.
    moved: usize,
    pub(super) turned: OnceLock<Turned>,
    fresh: Option<Arc<Piece>>,
    extent: Extent,
}

impl Window {
    /// A window of some of the commits of pieces, newest first.
    #[cfg(test)]
    pub(crate) fn made(newest_first: &[CommitId], pieces: Vec<Vec<super::piece::Entry>>) -> Self {
        let piece = |entries| Arc::new(Piece::of(gix::hash::Kind::Sha1, entries));
        let log = Log::of(pieces.into_iter().map(piece).collect());
        let ages = log.pieces().iter().map(|of| vec![OUTSIDE; of.len()]);
        let mut window = Self {
            ages: ages.collect(),
            log,
            ..Self::default()
        };
        for id in newest_first {
            let place = window.log.find(*id).expect("some piece has it");
            let movers = Movers::of(window.log.piece(place.0));
            window.admit(place, &movers);
        }
        window.extent.commits = window.len();
        window
    }

    /// Opens the window of a commit, reading what no piece has. History that cannot be walked is none,
    /// and [`Extent::failure`] says why: there is an answer without it. Fails with [`Stopped`] when
    /// `watch` says so.
    pub fn open(repo: &Repo, log: Log, tip: CommitId, watch: &Watch) -> Result<Self, Stopped> {
        let failed = |err: Error| Self {
            extent: Extent {
                failure: Some(err.to_string()),
                ..Extent::default()
            },
            ..Self::default()
        };
        match walk(repo, &log, tip) {
            Ok(walked) => Self::read(repo, log, walked, watch),
            Err(err) => Ok(failed(err)),
        }
    }

    fn read(repo: &Repo, mut log: Log, walked: Walked, watch: &Watch) -> Result<Self, Stopped> {
        let read = read(repo, &walked.unknown, watch);
        if read.is_stopped {
            return Err(Stopped);
        }
        let fresh =
            (!read.entries.is_empty()).then(|| Arc::new(Piece::of(repo.hash(), read.entries)));
        fresh.iter().for_each(|fresh| log.push(fresh.clone()));
        let ages = log.pieces().iter().map(|of| vec![OUTSIDE; of.len()]);
        let mut window = Self {
            ages: ages.collect(),
            log,
            fresh,
            ..Self::default()
        };
        let movers: Vec<Movers> = {
            let pieces = window.log.pieces().iter();
            pieces.map(|piece| Movers::of(piece)).collect()
        };
        for met in &walked.commits {
            // What is not found now could not be read.
            let Some(place) = met.place.or_else(|| window.log.find(met.id)) else {
                continue;
            };
            match met.is_merge {
                true => window.merges.push(place),
                false => window.admit(place, &movers[place.0]),
            }
        }
        window.extent = Extent {
            commits: window.commits.len(),
            is_bounded: walked.is_bounded,
            is_shallow: walked.is_shallow,
            unreadable: read.unreadable + walked.missing,
            failure: None,
        };
        Ok(window)
    }

    fn admit(&mut self, (piece, at): Place, movers: &Movers) {
        let age = Age(self.commits.len() as u32);
        let holder = self.log.piece(piece);
        self.ages[piece][at as usize] = age.0;
        self.lengths += u64::from(holder.length(at));
        if movers.commits.contains(&at) {
            // A few bytes of a piece that lies could name long paths without end.
            let left = MAX_PLACES.saturating_sub(self.moved);
            for (old, new) in holder.renames(at).take(left) {
                self.moved += 1;
                let moves = self.moves.entry(movers.path(old)).or_default();
                moves.push((age, movers.path(new)));
            }
        }
        self.commits.push((piece, at));
    }

    /// What it could not hold.
    pub fn extent(&self) -> &Extent {
        &self.extent
    }

    /// The pieces that it is made of, the one of what was read among them.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// What was read for it because no piece had it.
    pub fn fresh(&self) -> Option<&Arc<Piece>> {
        self.fresh.as_ref()
    }

    /// Where its commits are, the merges between them included, in no particular order.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        self.commits.iter().chain(&self.merges).copied()
    }

    /// Number of commits.
    pub fn len(&self) -> usize {
        self.commits.len()
    }

    /// Whether there is too little history to say anything.
    pub fn is_empty(&self) -> bool {
        self.len() < LEAST_COMMITS
    }

    /// Average number of terms of a commit.
    pub fn average_length(&self) -> f64 {
        self.lengths as f64 / self.len().max(1) as f64
    }

    /// The commits that hold a term, in no particular order, with how often it counts.
    pub fn holders(&self, term: &[u8]) -> impl Iterator<Item = (Age, u8)> {
        let pieces = self.log.pieces().iter().zip(&self.ages);
        pieces.flat_map(move |(piece, ages)| {
            let holders = piece.holders(term);
            holders
                .map(|(at, count)| (Age(ages[at as usize]), count))
                .filter(|(age, _)| age.0 != OUTSIDE)
        })
    }

    /// Number of terms of a commit.
    pub fn length(&self, age: Age) -> u32 {
        let (piece, at) = self.commits[age.0 as usize];
        self.log.piece(piece).length(at)
    }

    /// Number of files that a commit changed.
    pub fn changed(&self, age: Age) -> u32 {
        let (piece, at) = self.commits[age.0 as usize];
        self.log.piece(piece).changed(at)
    }

    /// The paths that a commit left changed, as they were then; none of one that is about no file in particular.
    pub fn touched(&self, age: Age) -> impl Iterator<Item = Vec<u8>> {
        let (piece, at) = self.commits[age.0 as usize];
        let piece = self.log.piece(piece);
        piece.about(at).map(|place| piece.path(place))
    }

    /// When a commit was made: its committer's date in seconds since 1970.
    pub fn date(&self, age: Age) -> i64 {
        let (piece, at) = self.commits[age.0 as usize];
        self.log.piece(piece).date(at)
    }

    /// The commit of an age.
    pub fn commit(&self, age: Age) -> Option<CommitId> {
        let (piece, at) = self.commits.get(age.0 as usize)?;
        self.log.piece(*piece).id(*at)
    }

    /// Where a file that had this path right after a commit is today, as far as renames tell.
    pub fn today<'a>(&'a self, path: &'a [u8], mut age: Age) -> &'a [u8] {
        let mut path = path;
        for _ in 0..MAX_RENAMES {
            let moves = self.moves.get(path).map_or(&[][..], Vec::as_slice);
            // The next one after the commit: newest first, so the last of a smaller age.
            let newer = moves.partition_point(|(moved, _)| *moved < age);
            let Some((moved, new)) = newer.checked_sub(1).map(|at| &moves[at]) else {
                break;
            };
            (path, age) = (new, *moved);
        }
        path
    }
}

/// The commits of a piece that moved something.
struct Movers {
    commits: FxHashSet<u32>,
    /// The paths of the piece, if there are such commits.
    paths: Vec<Vec<u8>>,
}

impl Movers {
    fn of(piece: &Piece) -> Self {
        let commits: FxHashSet<u32> = piece.movers().collect();
        let paths = match commits.is_empty() {
            true => Vec::new(),
            false => piece.all_paths(),
        };
        Self { commits, paths }
    }

    fn path(&self, place: u32) -> Vec<u8> {
        self.paths.get(place as usize).cloned().unwrap_or_default()
    }
}

/// A commit on the way.
struct Met {
    id: CommitId,
    /// Where it is, if a piece has it.
    place: Option<Place>,
    is_merge: bool,
}

struct Walked {
    /// In the order of the walk.
    commits: Vec<Met>,
    unknown: Vec<Unknown>,
    /// Commits that pieces name and that are not here.
    missing: usize,
    is_bounded: bool,
    is_shallow: bool,
}

/// A commit that the walk is to look at.
enum Next {
    /// As a commit in the object store, or the question, names it.
    Named(CommitId),
    /// As a piece names it, which does not have it.
    Claimed(CommitId),
    /// As the piece names it that has it.
    Found(CommitId, Place),
}

/// Walks from a commit to older ones, always on from the newest that was met; of equals the first
/// met. So the order depends on history alone.
fn walk(repo: &Repo, log: &Log, tip: CommitId) -> Result<Walked, Error> {
    let mut headers = Headers::new(repo)?;
    let mut queue = BinaryHeap::new();
    let mut met = FxHashSet::default();
    let mut walked = Walked {
        commits: Vec::new(),
        unknown: Vec::new(),
        missing: 0,
        is_bounded: false,
        is_shallow: false,
    };
    let mut waiting: FxHashMap<CommitId, (Option<Met>, Vec<Next>)> = FxHashMap::default();
    let mut next: Vec<Next> = vec![Next::Named(tip)];
    let (mut order, mut counted) = (0u64, 0);
    loop {
        for one in next.drain(..) {
            let (id, origin, is_claimed) = match one {
                Next::Named(id) => (id, None, false),
                Next::Claimed(id) => (id, None, true),
                Next::Found(id, place) => (id, Some(place), false),
            };
            if !met.insert(id) {
                continue;
            }
            // The log may know more than a shallow clone has.
            let place = origin.or_else(|| log.find(id));
            let is_cut_off = place.is_none() && headers.is_cut_off(id);
            walked.is_shallow |= is_cut_off;
            let (date, parents) = match place {
                Some(place) => recorded(log, place),
                None => match headers.read(id) {
                    Ok((date, parents)) => {
                        if !is_cut_off {
                            let parents = parents.clone();
                            walked.unknown.push(Unknown { id, date, parents });
                        }
                        (date, parents.into_iter().map(Next::Named).collect())
                    }
                    // A piece says so, which may go further than this clone, or lie.
                    Err(err) if is_claimed && err.is_missing_object() => {
                        walked.is_shallow |= headers.is_shallow();
                        walked.missing += usize::from(!headers.is_shallow());
                        continue;
                    }
                    Err(err) => return Err(err),
                },
            };
            queue.push((date, Reverse(order), id));
            order += 1;
            let is_merge = parents.len() > 1;
            let met = Met {
                id,
                place,
                is_merge,
            };
            // What a commit at the boundary changed cannot be known.
            waiting.insert(id, ((!is_cut_off).then_some(met), parents));
        }
        let Some((_, _, id)) = queue.pop() else {
            return Ok(walked);
        };
        if counted == MAX_COMMITS || walked.commits.len() == MAX_WALKED {
            walked.is_bounded = true;
            return Ok(walked);
        }
        let (met, parents) = waiting.remove(&id).unwrap_or_default();
        next = parents;
        counted += usize::from(met.as_ref().is_some_and(|met| !met.is_merge));
        walked.commits.extend(met);
    }
}

/// Date and parents of a commit as its piece has them.
fn recorded(log: &Log, (piece, at): Place) -> (i64, Vec<Next>) {
    let of = log.piece(piece);
    let parents = of.parents(at).filter_map(|parent| match parent {
        Parent::Here(at) => Some(Next::Found(of.id(at)?, (piece, at))),
        Parent::Elsewhere(id) => Some(Next::Claimed(id)),
    });
    (of.date(at), parents.collect())
}
