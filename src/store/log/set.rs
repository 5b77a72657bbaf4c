//! The algebra of pieces: union, the canonical cut, tiers, and leaving commits out.

use super::folder;
use crate::git::Repo;
use crate::git::write::blob_id;
use crate::history::piece::{Entry, MAX_WEIGHT, Piece};
use crate::id::{CommitId, LogId, SegmentId};
use crate::limits::{MAX_LOG_BYTES, MAX_LOG_PIECES, MAX_SEGMENT_BYTES};
use crate::store::compact::{self, Candidate};
use crate::store::partition::{self, Divisible, MOST_BITS};
use crate::store::pieces::{self, marked};
use crate::store::union::{Covering, normalize};
use crate::store::{Error, Ledger, Warning};
use gix::hash::Kind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Commits that full compaction keeps, the newest: four windows, for branches that have little in common.
/// What is older is in no window but that of an old revision, which reads it when it is asked about.
const MAX_KEPT: usize = 4 * crate::history::window::MAX_COMMITS;

/// A piece that is open.
#[derive(Clone, Debug)]
pub struct OpenPiece {
    id: LogId,
    piece: Arc<Piece>,
    /// Whether the object store has it.
    is_stored: bool,
}

impl OpenPiece {
    /// Wraps a piece that this process has made.
    pub(super) fn built(hash: Kind, piece: Piece) -> Result<Self, Error> {
        let id = LogId::new(blob_id(hash, piece.bytes())?.as_object());
        Ok(Self {
            id,
            piece: Arc::new(piece),
            is_stored: false,
        })
    }

    /// Wraps a piece that is known to have this id and that the object store need not have.
    pub(super) fn unstored(id: LogId, piece: Piece) -> Self {
        Self {
            id,
            piece: Arc::new(piece),
            is_stored: false,
        }
    }

    /// Wraps a piece that was read from the object store.
    pub(super) fn stored(id: LogId, piece: Piece) -> Self {
        Self {
            is_stored: true,
            ..Self::unstored(id, piece)
        }
    }

    /// Names it.
    pub fn id(&self) -> LogId {
        self.id
    }

    /// The piece.
    pub fn piece(&self) -> &Arc<Piece> {
        &self.piece
    }
}

impl Covering for OpenPiece {
    type Key = CommitId;
    fn id(&self) -> SegmentId {
        marked(self.id)
    }
    fn bytes(&self) -> u64 {
        self.piece.bytes().len() as u64
    }
    fn documents(&self) -> usize {
        self.piece.len()
    }
    fn key(&self, at: usize) -> CommitId {
        let null = || CommitId::new(gix::ObjectId::null(Kind::Sha1));
        self.piece.id(at as u32).unwrap_or_else(null)
    }
    fn covers(&self, key: &CommitId) -> bool {
        self.piece.find(*key).is_some()
    }
}

/// The pieces of a log by id, with those that are not written yet.
pub type Pieces = pieces::Pieces<LogId, Piece>;

/// Names the pieces of a set.
fn named(set: &[OpenPiece]) -> Pieces {
    let unwritten = set.iter().filter(|open| !open.is_stored);
    let unwritten = unwritten.map(|open| (open.id, open.piece.clone()));
    Pieces::of(set.iter().map(OpenPiece::id), unwritten.collect())
}

/// Opens pieces: from their files, or else from the object store, making the files. What cannot be used is
/// left out, with a warning.
pub fn open(repo: &Repo, pieces: &Pieces, warnings: &mut Vec<Warning>) -> Vec<OpenPiece> {
    let mut objects = repo.objects();
    let mut left = MAX_LOG_BYTES;
    let mut out = Vec::with_capacity(pieces.ids().len());
    for id in pieces.ids() {
        let opened = match pieces.find_unwritten(*id) {
            Some(piece) => Ok(piece.clone()),
            None => folder::open(repo, &mut objects, *id).map(Arc::new),
        };
        let within = opened.and_then(|piece| {
            left = left
                .checked_sub(piece.bytes().len())
                .ok_or("the log of this index is larger than the limit")?;
            Ok(piece)
        });
        match within {
            Ok(piece) => out.push(OpenPiece {
                id: *id,
                piece,
                is_stored: pieces.is_stored(*id),
            }),
            Err(reason) => warnings.push(Warning::BadLog { id: *id, reason }),
        }
    }
    out
}

/// Gives every piece that was published its file.
pub(in crate::store) fn settle(repo: &Repo, pieces: Pieces) -> Pieces {
    for (id, piece) in pieces.unwritten() {
        folder::keep(repo, id, piece);
    }
    pieces.settled()
}

/// Removes the files of other pieces; returns the bytes that are free now.
pub(in crate::store) fn retain(repo: &Repo, kept: &[LogId]) -> u64 {
    folder::retain(repo, kept)
}

/// Opens several sets as one, without what must not come back.
fn open_all(
    repo: &Repo,
    sets: &[&Pieces],
    ledger: &Ledger,
    warnings: &mut Vec<Warning>,
) -> Vec<OpenPiece> {
    let mut all = Vec::new();
    for set in sets {
        // Before they are opened, which gives them files.
        all.extend(open(repo, &set.admitted(ledger), warnings));
    }
    // One that is stored counts, if either is.
    all.sort_by_key(|open| (open.id, !open.is_stored));
    all.dedup_by_key(|open| open.id);
    all
}

/// Returns the pieces that two sets are together: a function of both and of the ledger. When the
/// canonical cut of all commits is there, it is the result.
pub(in crate::store) fn unite(
    repo: &Repo,
    ours: &Pieces,
    theirs: &Pieces,
    ledger: &Ledger,
    warnings: &mut Vec<Warning>,
) -> Result<Pieces, Error> {
    let has = |id: &LogId| ours.ids().binary_search(id).is_ok();
    let brings = theirs.ids().iter().any(|id| !has(id));
    let loses = ours.ids().iter().any(|id| ledger.absorbs(marked(*id)));
    if !brings && !loses {
        return Ok(ours.clone());
    }
    let all = open_all(repo, &[ours, theirs], ledger, warnings);
    let set = canonical(&all).unwrap_or_else(|| normalize(all));
    finished(repo, set)
}

/// Returns pieces with more of them; those of a tier that is full are merged.
pub(in crate::store) fn add(
    repo: &Repo,
    ours: &Pieces,
    more: &[OpenPiece],
    ledger: &Ledger,
    warnings: &mut Vec<Warning>,
) -> Result<Pieces, Error> {
    let mut all = open_all(repo, &[ours], ledger, warnings);
    all.extend_from_slice(more);
    all.sort_by_key(|open| (open.id, !open.is_stored));
    all.dedup_by_key(|open| open.id);
    let set = merge_full_tiers(repo.hash(), normalize(all))?;
    finished(repo, set)
}

fn merge_full_tiers(hash: Kind, mut set: Vec<OpenPiece>) -> Result<Vec<OpenPiece>, Error> {
    if set.len() < compact::FAN_IN {
        return Ok(set);
    }
    let weight = |open: &OpenPiece| -> u64 {
        let weights = (0..open.piece.len() as u32).map(|at| open.piece.weight(at));
        weights.sum()
    };
    let candidates: Vec<Candidate> = set
        .iter()
        .map(|open| Candidate {
            id: marked(open.id),
            weight: weight(open),
        })
        .collect();
    for group in compact::plan(&candidates) {
        let is_in = |open: &&OpenPiece| group.contains(&marked(open.id));
        let inside = candidates.iter().filter(|of| group.contains(&of.id));
        if inside.map(|of| of.weight).sum::<u64>() > MAX_WEIGHT {
            continue;
        }
        let entries = set
            .iter()
            .filter(is_in)
            .flat_map(|open| open.piece.entries());
        let merged = Piece::of(hash, entries.collect());
        if merged.bytes().len() <= MAX_SEGMENT_BYTES {
            set.retain(|open| !is_in(&open));
            set.push(OpenPiece::built(hash, merged)?);
        }
    }
    Ok(normalize(set))
}

/// Keeps to the number of pieces that readers accept: by full compaction, and if that does not help
/// without the oldest.
fn bounded(hash: Kind, set: Vec<OpenPiece>) -> Result<Vec<OpenPiece>, Error> {
    if set.len() <= MAX_LOG_PIECES {
        return Ok(set);
    }
    let mut cut = compacted(hash, &set, commits(&set))?;
    cut.drain(..cut.len().saturating_sub(MAX_LOG_PIECES));
    Ok(cut)
}

/// Returns a set as a tip is to name it.
fn finished(repo: &Repo, set: Vec<OpenPiece>) -> Result<Pieces, Error> {
    let mut set = cut_around(repo, bounded(repo.hash(), set)?)?;
    set.truncate(MAX_LOG_PIECES);
    Ok(named(&set))
}

/// Replaces new pieces whose objects are there and damaged by two halves each: git does not write an object
/// that it believes to have. A piece of one commit alone has no halves and is left out; the commit is
/// read when it is needed.
fn cut_around(repo: &Repo, set: Vec<OpenPiece>) -> Result<Vec<OpenPiece>, Error> {
    let objects = repo.objects();
    let is_damaged = |open: &OpenPiece| {
        !open.is_stored
            && objects.contains(open.id.as_object())
            && folder::open_stored(repo, open.id).is_err()
    };
    let (mut todo, mut out): (Vec<OpenPiece>, Vec<OpenPiece>) =
        set.into_iter().partition(is_damaged);
    while let Some(open) = todo.pop() {
        let all = commits(std::slice::from_ref(&open));
        let Some(middle) = partition::split(&all) else {
            continue;
        };
        for half in [&all[..middle], &all[middle..]] {
            let entries = entries_of(std::slice::from_ref(&open), half);
            let half = OpenPiece::built(repo.hash(), Piece::of(repo.hash(), entries))?;
            match is_damaged(&half) {
                true => todo.push(half),
                false => out.push(half),
            }
        }
    }
    Ok(out)
}

/// A commit in the order of the canonical cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Dated {
    id: CommitId,
    date: i64,
    weight: u64,
}

impl Dated {
    /// By date, then by id. So what is old stays as it is cut when more comes.
    fn order(&self) -> (i64, CommitId) {
        (self.date, self.id)
    }
}

impl Divisible for Dated {
    fn bits(&self) -> [u8; MOST_BITS] {
        let mut bits = [0; MOST_BITS];
        // With the sign turned, numbers are in the order of their bits.
        let date = self.date.cast_unsigned() ^ (1 << 63);
        bits[..8].copy_from_slice(&date.to_be_bytes());
        let id = self.id.as_bytes();
        bits[8..8 + id.len()].copy_from_slice(id);
        bits
    }
    fn weight(&self) -> u64 {
        self.weight
    }
}

/// All commits of pieces, distinct and in the order of the cut.
fn commits(set: &[OpenPiece]) -> Vec<Dated> {
    let mut all = Vec::new();
    for open in set {
        let piece = &open.piece;
        all.extend(piece.ids().zip(0..).map(|(id, at)| Dated {
            id,
            date: piece.date(at),
            weight: piece.weight(at),
        }));
    }
    // Pieces that contradict each other are not ours; then the order of the set decides.
    all.sort_by_key(|commit| commit.id);
    all.dedup_by_key(|commit| commit.id);
    all.sort_unstable_by_key(Dated::order);
    all
}

/// Finds the pieces of the canonical cut of all commits, if all of them are there.
fn canonical(set: &[OpenPiece]) -> Option<Vec<OpenPiece>> {
    let all = commits(set);
    let ranges = partition::partition(&all);
    if ranges.len() > set.len() {
        return None;
    }
    let found = ranges.into_iter().map(|range| existing(set, &all[range]));
    found.collect()
}

/// Finds the piece of exactly these commits.
fn existing(set: &[OpenPiece], commits: &[Dated]) -> Option<OpenPiece> {
    let is_equal = |open: &&OpenPiece| {
        open.piece.len() == commits.len() && commits.iter().all(|c| open.piece.find(c.id).is_some())
    };
    set.iter().find(is_equal).cloned()
}

/// Returns the canonical cut of commits that are in pieces, oldest first.
fn compacted(hash: Kind, set: &[OpenPiece], commits: Vec<Dated>) -> Result<Vec<OpenPiece>, Error> {
    let ranges = partition::partition(&commits);
    let mut todo: Vec<&[Dated]> = ranges.into_iter().rev().map(|r| &commits[r]).collect();
    let mut out = Vec::with_capacity(todo.len());
    while let Some(part) = todo.pop() {
        if let Some(open) = existing(set, part) {
            out.push(open);
            continue;
        }
        let piece = Piece::of(hash, entries_of(set, part));
        match partition::split(part).filter(|_| piece.bytes().len() > MAX_SEGMENT_BYTES) {
            Some(middle) => {
                let (first, second) = part.split_at(middle);
                todo.extend([second, first]);
            }
            None => out.push(OpenPiece::built(hash, piece)?),
        }
    }
    Ok(out)
}

/// Gives back the entries of commits, each from the first piece that has it.
fn entries_of(set: &[OpenPiece], commits: &[Dated]) -> Vec<Entry> {
    let mut left: FxHashSet<CommitId> = commits.iter().map(|commit| commit.id).collect();
    let mut out = Vec::with_capacity(left.len());
    for open in set {
        let piece = &open.piece;
        let places = piece.ids().zip(0..).filter(|(id, _)| left.remove(id));
        let places: FxHashSet<u32> = places.map(|(_, at)| at).collect();
        if !places.is_empty() {
            out.extend(piece.entries_where(&|at| places.contains(&at)));
        }
    }
    out
}

/// Returns the canonical cut of the commits at places of pieces.
pub(super) fn cut(repo: &Repo, places: &[(Arc<Piece>, Vec<u32>)]) -> Result<Vec<OpenPiece>, Error> {
    let hash = repo.hash();
    let mut set = Vec::new();
    let mut wanted: FxHashMap<CommitId, Dated> = FxHashMap::default();
    for (piece, places) in places.iter().filter(|(_, places)| !places.is_empty()) {
        set.push(OpenPiece {
            id: LogId::new(blob_id(hash, piece.bytes())?.as_object()),
            piece: piece.clone(),
            is_stored: false,
        });
        for at in places {
            let (date, weight) = (piece.date(*at), piece.weight(*at));
            if let Some(id) = piece.id(*at) {
                wanted.insert(id, Dated { id, date, weight });
            }
        }
    }
    let mut wanted: Vec<Dated> = wanted.into_values().collect();
    wanted.sort_unstable_by_key(Dated::order);
    cut_around(repo, compacted(hash, &set, wanted)?)
}

/// Pieces without what was dropped.
pub(in crate::store) struct Kept {
    /// The pieces.
    pub pieces: Pieces,
    /// Commits that were dropped.
    pub dropped: usize,
    /// The pieces that held one of these.
    pub shrunk: Vec<LogId>,
}

/// Compacts pieces fully, to the newest of the commits that pass `keep`.
pub(in crate::store) fn collect(
    repo: &Repo,
    ours: &Pieces,
    keep: &dyn Fn(CommitId) -> bool,
    warnings: &mut Vec<Warning>,
) -> Result<Kept, Error> {
    let set = open(repo, ours, warnings);
    let mut all = commits(&set);
    let before = all.len();
    all.retain(|commit| keep(commit.id));
    all.drain(..all.len().saturating_sub(MAX_KEPT));
    let dropped = before - all.len();
    let mut shrunk = Vec::new();
    if dropped > 0 {
        let kept: FxHashSet<CommitId> = all.iter().map(|commit| commit.id).collect();
        let loses = |open: &&OpenPiece| open.piece.ids().any(|id| !kept.contains(&id));
        shrunk.extend(set.iter().filter(loses).map(OpenPiece::id));
    }
    let cut = compacted(repo.hash(), &set, all)?;
    Ok(Kept {
        pieces: finished(repo, cut)?,
        dropped,
        shrunk,
    })
}

/// Returns pieces without commits that must stay here: each as it is, smaller, or not at all where it
/// would bring `theirs` nothing.
pub(in crate::store) fn without(
    repo: &Repo,
    ours: &Pieces,
    private: &FxHashSet<CommitId>,
    theirs: &[OpenPiece],
) -> Result<Pieces, Error> {
    let mut set = Vec::new();
    for open in open(repo, ours, &mut Vec::new()) {
        let piece = &open.piece;
        if !piece.ids().any(|id| private.contains(&id)) {
            set.push(open);
            continue;
        }
        let is_there = |id| theirs.iter().any(|other| other.piece.find(id).is_some());
        if piece
            .ids()
            .any(|id| !private.contains(&id) && !is_there(id))
        {
            let is_public = |at| piece.id(at).is_some_and(|id| !private.contains(&id));
            let rest = Piece::of(repo.hash(), piece.entries_where(&is_public));
            set.push(OpenPiece::built(repo.hash(), rest)?);
        }
    }
    Ok(named(&set))
}
