//! The newest commits that can be reached from one, and what they say.

use super::document::Document;
use super::log::{Log, LogCache};
use super::piece::Entry;
use crate::git::history::Headers;
use crate::git::{Error, Repo, commit};
use crate::id::CommitId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Commits of a window, merges not counted. What was done longer ago than that tells little of
/// where things are today; the bound keeps the work the same for a million commits.
pub const MAX_COMMITS: usize = 20_000;
/// Commits looked at for them, merges included.
const MAX_WALKED: usize = 4 * MAX_COMMITS;
/// Renames one path is followed through.
const MAX_RENAMES: usize = 64;
/// Commits that a thread reads at a time.
const BATCH: usize = 64;
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

/// The newest commits that can be reached from one, merges left out.
#[derive(Default)]
pub struct Window {
    log: Log,
    /// Piece and place of each commit, newest first.
    commits: Vec<(usize, u32)>,
    /// Ages by piece and place.
    ages: Vec<Vec<u32>>,
    lengths: u64,
    /// By old path: when it moved and where to, newest first.
    moves: FxHashMap<Vec<u8>, Vec<(Age, Vec<u8>)>>,
    extent: Extent,
}

impl Window {
    /// Opens the window of a commit, reading and saving what no piece has. History that cannot be
    /// walked is none, and [`Extent::failure`] says why: there is an answer without it.
    pub fn open(repo: &Repo, cache: &LogCache, tip: CommitId) -> Self {
        Self::try_open(repo, cache, tip).unwrap_or_else(|err| Self {
            extent: Extent {
                failure: Some(err.to_string()),
                ..Extent::default()
            },
            ..Self::default()
        })
    }

    fn try_open(repo: &Repo, cache: &LogCache, tip: CommitId) -> Result<Self, Error> {
        let mut log = cache.load();
        let walked = walk(repo, &log, tip)?;
        let (entries, unreadable) = read(repo, walked.unknown);
        if !entries.is_empty() {
            log = cache.add(log, entries);
        }
        let mut window = Self {
            ages: log.pieces().map(|p| vec![OUTSIDE; p.len()]).collect(),
            log,
            ..Self::default()
        };
        for id in walked.commits {
            // What is not found now could not be read.
            if let Some((piece, at)) = window.log.find(id) {
                window.admit(piece, at);
            }
        }
        window.extent = Extent {
            commits: window.commits.len(),
            is_bounded: walked.is_bounded,
            is_shallow: walked.is_shallow,
            unreadable,
            failure: None,
        };
        Ok(window)
    }

    fn admit(&mut self, piece: usize, at: u32) {
        let age = Age(self.commits.len() as u32);
        let holder = self.log.piece(piece);
        self.ages[piece][at as usize] = age.0;
        self.lengths += u64::from(holder.length(at));
        for (old, new) in holder.renames(at) {
            let moves = self.moves.entry(old.to_vec()).or_default();
            moves.push((age, new.to_vec()));
        }
        self.commits.push((piece, at));
    }

    /// What it could not hold.
    pub fn extent(&self) -> &Extent {
        &self.extent
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
        let pieces = self.log.pieces().zip(&self.ages);
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

    /// The paths that a commit left changed, as they were then.
    pub fn touched(&self, age: Age) -> impl Iterator<Item = &[u8]> {
        let (piece, at) = self.commits[age.0 as usize];
        self.log.piece(piece).touched(at)
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

/// A commit that no piece has.
struct Unknown {
    id: CommitId,
    date: i64,
    parents: Vec<CommitId>,
}

struct Walked {
    /// Not merges, in the order of the walk.
    commits: Vec<CommitId>,
    unknown: Vec<Unknown>,
    is_bounded: bool,
    is_shallow: bool,
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
        is_bounded: false,
        is_shallow: false,
    };
    let mut waiting: FxHashMap<CommitId, Vec<CommitId>> = FxHashMap::default();
    let mut next = vec![tip];
    let (mut order, mut seen) = (0u64, 0);
    loop {
        for id in next.drain(..) {
            if !met.insert(id) {
                continue;
            }
            let is_cut_off = headers.is_cut_off(id);
            let known = log.find(id).filter(|_| !is_cut_off);
            let (date, parents) = match known {
                Some((piece, at)) => (log.piece(piece).date(at), log.piece(piece).parents(at)),
                None => headers.read(id)?,
            };
            walked.is_shallow |= is_cut_off;
            if known.is_none() && !is_cut_off {
                walked.unknown.push(Unknown {
                    id,
                    date,
                    parents: parents.clone(),
                });
            }
            queue.push((date, Reverse(order), id));
            order += 1;
            waiting.insert(id, parents);
        }
        let Some((_, _, id)) = queue.pop() else {
            return Ok(walked);
        };
        seen += 1;
        if walked.commits.len() == MAX_COMMITS || seen > MAX_WALKED {
            walked.is_bounded = true;
            return Ok(walked);
        }
        next = waiting.remove(&id).unwrap_or_default();
        // What a commit at the boundary changed cannot be known.
        if next.len() < 2 && !headers.is_cut_off(id) {
            walked.commits.push(id);
        }
    }
}

/// Reads what commits say, on all cores; also returns how many could not be read.
fn read(repo: &Repo, unknown: Vec<Unknown>) -> (Vec<Entry>, usize) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(unknown.len().div_ceil(BATCH));
    let (next, unreadable) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let entries = Mutex::new(Vec::with_capacity(unknown.len()));
    let work = || {
        let mut objects = repo.objects();
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(batch) = unknown.get(start..unknown.len().min(start + BATCH)) else {
                return;
            };
            if batch.is_empty() {
                return;
            }
            let mut done = Vec::with_capacity(batch.len());
            for Unknown { id, date, parents } in batch {
                let document = match parents.len() {
                    0 | 1 => commit::read(&mut objects, *id)
                        .and_then(|commit| Document::of(&mut objects, &commit))
                        .map(Some),
                    _ => Ok(None),
                };
                match document {
                    Ok(document) => done.push(Entry {
                        id: *id,
                        date: *date,
                        parents: parents.clone(),
                        document,
                    }),
                    Err(_) => {
                        unreadable.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
            let mut all = entries.lock().unwrap_or_else(PoisonError::into_inner);
            all.append(&mut done);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(&work);
        }
        work();
    });
    let entries = entries.into_inner().unwrap_or_else(PoisonError::into_inner);
    (entries, unreadable.into_inner())
}
