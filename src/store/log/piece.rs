//! Pieces of the history log as parts of an index: what commits say, by commit.

use crate::git::Repo;
use crate::history::piece::{Entry as Commit, MAX_WEIGHT, Piece};
use crate::history::{rederive, window};
use crate::id::{CommitId, LogId};
use crate::limits::{MAX_LOG_BYTES, MAX_LOG_PIECES, MAX_SEGMENT_BYTES};
use crate::segment;
use crate::store::error::Error;
use crate::store::judge::{self, Derived};
use crate::store::kind::{Bytes, Files, Kind, Part};
use crate::store::partition::{Entry, MOST_BITS};
use crate::store::parts::{Judgement, Listed, Parts};
use crate::store::scope::{Keep, Subject};
use crate::store::{files, union};
use gix::ObjectId;
use gix::hash::Kind as Hash;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The kind of pieces of the history log: what commits say, by commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogPieces {}

/// A piece that is open.
pub type OpenPiece = Part<LogPieces>;

impl OpenPiece {
    /// The piece.
    pub fn piece(&self) -> &Arc<Piece> {
        &self.body
    }
}

/// A commit in the order of the canonical cut: by date, then by id. So what is old stays as it is cut when more
/// comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dated {
    id: CommitId,
    date: i64,
    weight: u64,
}

impl Dated {
    /// The commit at a place of a piece.
    pub(super) fn of(piece: &Piece, at: u32) -> Option<Self> {
        let (id, date) = (piece.id(at)?, piece.date(at));
        let weight = piece.weight(at);
        Some(Self { id, date, weight })
    }
}

impl Entry for Dated {
    type Key = CommitId;
    fn key(&self) -> CommitId {
        self.id
    }
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

impl Kind for LogPieces {
    type Id = LogId;
    type Body = Piece;
    type Entry = Dated;

    const NAME: &'static str = "log";
    const COUNTED: [&'static str; 2] = ["the log of the index", "pieces"];
    const FOLDER: &'static str = "log";
    const MESSAGE: &'static str = "git-sverklo log\n\nDerived data; see `git sverklo --help`.";
    const MAX_PARTS: usize = MAX_LOG_PIECES;
    const MAX_BYTES: usize = MAX_SEGMENT_BYTES;
    const MAX_TOTAL: usize = MAX_LOG_BYTES;
    /// Four windows, for branches that have little in common. What is older is in no window but that of an old
    /// revision, which reads it when it is asked about.
    const MAX_KEPT: usize = 4 * window::MAX_COMMITS;
    const FILES: Files = Files::Read;

    fn parse(bytes: Bytes, hash: Hash) -> Result<Piece, String> {
        Ok(Piece::open(bytes.into(), hash)?)
    }
    fn verify(piece: &Piece) -> Result<(), String> {
        Ok(piece.verify()?)
    }
    fn merge(
        hash: Hash,
        parts: &[&Piece],
        keep: &dyn Fn(&CommitId) -> bool,
    ) -> Result<Piece, segment::Error> {
        let (mut seen, mut entries, mut weight) = (FxHashSet::default(), Vec::new(), 0);
        for piece in parts {
            let ids = piece.ids().zip(0..);
            let new = ids.filter(|(id, _)| keep(id) && seen.insert(*id));
            let places: FxHashSet<u32> = new.map(|(_, at)| at).collect();
            if !places.is_empty() {
                weight += places.iter().map(|at| piece.weight(*at)).sum::<u64>();
                entries.extend(piece.entries_where(&|at| places.contains(&at)));
            }
        }
        let is_one = entries.len() == 1;
        let piece = Piece::of(hash, entries);
        let bytes = (piece.bytes().len() as u64, MAX_SEGMENT_BYTES as u64);
        for (what, (found, limit)) in [("bytes", bytes), ("weight", (weight, MAX_WEIGHT))] {
            if found > limit && !is_one {
                return Err(segment::Error::TooLarge { what, found, limit });
            }
        }
        Ok(piece)
    }

    fn bytes(piece: &Piece) -> &[u8] {
        piece.bytes()
    }
    fn len(piece: &Piece) -> usize {
        piece.len()
    }
    fn keys(piece: &Piece) -> impl Iterator<Item = CommitId> {
        piece.ids()
    }
    fn ends(piece: &Piece) -> Option<(CommitId, CommitId)> {
        let last = (piece.len() as u32).checked_sub(1)?;
        piece.id(0).zip(piece.id(last))
    }
    fn covers(piece: &Piece, key: &CommitId) -> bool {
        piece.find(*key).is_some()
    }
    fn entries(piece: &Piece) -> impl Iterator<Item = Dated> {
        (0..piece.len() as u32).filter_map(|at| Dated::of(piece, at))
    }
    fn subject(key: &CommitId) -> Subject {
        Subject::Commit(*key)
    }
    fn keeps(keep: Keep, key: &CommitId) -> bool {
        (keep.commit)(*key)
    }
}

impl Listed for LogPieces {
    /// Keeps to the number of pieces that readers accept: by full compaction, and if that does not help without
    /// the oldest. Replaces new pieces whose objects are there and damaged by two halves each: git does not write
    /// an object that it believes to have. A piece of one commit alone has no halves and is left out; the commit
    /// is read when it is needed.
    fn finish(repo: &Repo, mut set: Vec<OpenPiece>) -> Result<Vec<OpenPiece>, Error> {
        let hash = repo.hash();
        if set.len() > MAX_LOG_PIECES {
            set = union::cut(hash, &set, &union::entries(&set), &mut |_| Ok(()))?.0;
            set.drain(..set.len().saturating_sub(MAX_LOG_PIECES));
        }
        let mut objects = repo.objects();
        let mut is_damaged = |open: &OpenPiece| {
            !open.is_stored
                && objects.contains(open.id().as_object())
                && files::open_stored::<Self>(repo, &mut objects, open.id()).is_err()
        };
        let (mut todo, mut out): (Vec<_>, Vec<_>) = set.into_iter().partition(&mut is_damaged);
        while let Some(open) = todo.pop() {
            let halves = union::halves(hash, &open)?.unwrap_or_default();
            let (damaged, sound): (Vec<_>, Vec<_>) = halves.into_iter().partition(&mut is_damaged);
            todo.extend(damaged);
            out.extend(sound);
        }
        out.truncate(MAX_LOG_PIECES);
        Ok(out)
    }
    fn judge(repo: &Repo, ours: &Parts<Self>, theirs: &Parts<Self>, sample: usize) -> Judgement {
        judge::judge_listed(repo, ours, theirs, sample)
    }
    fn examine(repo: &Repo, parts: &Parts<Self>, percent: u8) -> Judgement {
        judge::examine(repo, parts, percent)
    }
}

impl Derived for LogPieces {
    type Record = Commit;

    fn object(key: &CommitId) -> ObjectId {
        key.as_object()
    }
    fn records(
        piece: &Piece,
        is_wanted: &dyn Fn(&CommitId) -> bool,
    ) -> Result<Vec<(CommitId, Commit)>, String> {
        let wanted = |at| piece.id(at).is_some_and(|id| is_wanted(&id));
        let entries = piece.entries_where(&wanted).into_iter();
        Ok(entries.map(|entry| (entry.id, entry)).collect())
    }
    fn derive(repo: &Repo, keys: &[CommitId]) -> Result<Vec<(CommitId, Commit)>, String> {
        let truth = rederive(repo, keys).map_err(|err| err.to_string())?;
        Ok(truth.into_iter().map(|entry| (entry.id, entry)).collect())
    }
    fn difference(recorded: Option<&Commit>, truth: &Commit) -> Option<&'static str> {
        (recorded != Some(truth)).then_some("words")
    }
    fn lie(key: &CommitId, _what: &'static str) -> String {
        format!("commit {key}: what is recorded differs from what it says")
    }
    fn dispute(key: &CommitId, _what: &'static str) -> String {
        format!("commit {key}: what is recorded differs from ours")
    }
}
