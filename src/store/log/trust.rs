//! What is believed of pieces that were fetched.
//!
//! A commit's document is a pure function of the commit, so an honest piece never differs from what the
//! commit says. Commits that ours has too are compared; of the others a few are read again, chosen so that
//! nobody can tell which.
//!
//! Guarantee: a piece has no file in our folder before it is believed.

use super::folder::{keep, open_stored};
use super::set::{OpenPiece, open};
use super::{Pieces, marked};
use crate::git::Repo;
use crate::history::piece::{Entry, Piece};
use crate::history::rederive;
use crate::id::{CommitId, LogId, SegmentId};
use crate::limits::MAX_LOG_BYTES;
use crate::store::Warning;
use crate::store::trust::shuffle;
use rustc_hash::{FxHashMap, FxHashSet};

/// Commits that are looked for, for each of the sample, where few are there.
const TRIES: usize = 64;

/// What was found of fetched pieces.
#[derive(Default)]
pub(in crate::store) struct Judgement {
    /// Pieces that cannot be used, whatever the reason.
    pub left_out: Vec<LogId>,
    /// Those of them that lie.
    pub lies: Vec<(LogId, String)>,
    /// Those of them of which nobody here can tell whether they do.
    pub disputed: Vec<(LogId, String)>,
    /// Pieces of ours that lie.
    pub wrong: Vec<(LogId, String)>,
    /// What cannot be read.
    pub warnings: Vec<Warning>,
}

impl Judgement {
    /// The ids under which the ledger remembers what of ours lies.
    pub fn wrong_ids(&self) -> impl Iterator<Item = SegmentId> {
        self.wrong.iter().map(|(id, _)| marked(*id))
    }

    fn unreadable(&mut self, id: LogId, reason: String) {
        self.left_out.push(id);
        self.warnings.push(Warning::BadLog { id, reason });
    }
}

/// What is believed of a piece.
enum Verdict {
    /// Nothing speaks against it.
    True,
    /// It differs from what a commit says.
    False(String),
    /// Nobody here can tell.
    Unknown(String),
}

/// Judges the pieces of `theirs` that `ours` does not have; of each, so many commits that ours lacks are
/// read again.
pub(in crate::store) fn judge(
    repo: &Repo,
    ours: &Pieces,
    theirs: &Pieces,
    sample: usize,
) -> Judgement {
    let mut out = Judgement::default();
    let foreign = theirs.without(ours.ids());
    if foreign.is_empty() {
        return out;
    }
    let own = open(repo, ours, &mut Vec::new());
    let mut left = MAX_LOG_BYTES;
    for id in foreign.ids() {
        let open = match open_stored(repo, *id) {
            Ok(open) => open,
            Err(reason) => {
                out.unreadable(*id, reason);
                continue;
            }
        };
        left = left.saturating_sub(open.piece().bytes().len());
        if left == 0 {
            out.unreadable(*id, "their log is larger than the limit".to_owned());
            continue;
        }
        match judge_one(repo, &own, &open, sample, &mut out.wrong) {
            Verdict::True => {
                keep(repo, *id, open.piece());
                continue;
            }
            Verdict::False(reason) => out.lies.push((*id, reason)),
            Verdict::Unknown(reason) => out.disputed.push((*id, reason)),
        }
        out.left_out.push(*id);
    }
    out.wrong.sort_unstable();
    out.wrong.dedup_by_key(|(id, _)| *id);
    out
}

/// Judges one piece; pieces of ours that turn out to lie are added to `wrong`.
fn judge_one(
    repo: &Repo,
    own: &[OpenPiece],
    open: &OpenPiece,
    sample: usize,
    wrong: &mut Vec<(LogId, String)>,
) -> Verdict {
    let entries = open.piece().entries();
    let disputed = disputed(own, &entries);
    let is_ours = |id| own.iter().any(|own| own.piece().find(id).is_some());
    let mut rest: Vec<CommitId> = open.piece().ids().filter(|id| !is_ours(*id)).collect();
    shuffle(&mut rest);
    let objects = repo.objects();
    let rest = rest.into_iter().take(sample.saturating_mul(TRIES));
    let rest = rest
        .filter(|id| objects.contains(id.as_object()))
        .take(sample);
    let asked: Vec<CommitId> = disputed.iter().map(|(id, _)| *id).chain(rest).collect();
    let truth = match rederive(repo, &asked) {
        Ok(truth) => truth,
        Err(err) => return Verdict::Unknown(err.to_string()),
    };
    let truth: FxHashMap<CommitId, Entry> =
        truth.into_iter().map(|entry| (entry.id, entry)).collect();
    let lie = |id: CommitId| format!("commit {id}: what is recorded differs from what it says");
    let differs = |entry: &&Entry| truth.get(&entry.id).is_some_and(|truth| truth != *entry);
    if let Some(entry) = entries.iter().find(differs) {
        return Verdict::False(lie(entry.id));
    }
    // The commit is on their side, so it is not on ours.
    let (known, unknown): (Vec<_>, Vec<_>) = disputed
        .into_iter()
        .partition(|(id, _)| truth.contains_key(id));
    wrong.extend(known.into_iter().map(|(id, own)| (own, lie(id))));
    match unknown.first() {
        // Ours is used.
        Some((id, _)) => {
            Verdict::Unknown(format!("commit {id}: what is recorded differs from ours"))
        }
        None => Verdict::True,
    }
}

/// Finds the commits of which a piece of ours says something else. Only what both have is decoded.
fn disputed(own: &[OpenPiece], entries: &[Entry]) -> Vec<(CommitId, LogId)> {
    let theirs: FxHashMap<CommitId, &Entry> =
        entries.iter().map(|entry| (entry.id, entry)).collect();
    let mut out = Vec::new();
    for open in own {
        let piece: &Piece = open.piece();
        let shared = piece.ids().zip(0..);
        let shared: FxHashSet<u32> = shared
            .filter_map(|(id, at)| theirs.contains_key(&id).then_some(at))
            .collect();
        if shared.is_empty() {
            continue;
        }
        let mine = piece.entries_where(&|at| shared.contains(&at));
        let differing = mine
            .iter()
            .filter(|entry| theirs.get(&entry.id) != Some(entry));
        out.extend(differing.map(|entry| (entry.id, open.id())));
    }
    out
}

/// Examines the pieces that a tip names: whether their objects are what they must be, and, of a share of each
/// piece, whether they say what the commits say.
pub(in crate::store) fn examine(repo: &Repo, pieces: &Pieces, percent: u8) -> Judgement {
    let mut out = Judgement::default();
    for id in pieces.ids() {
        let open = match open_stored(repo, *id) {
            Ok(open) => open,
            Err(reason) => {
                out.unreadable(*id, reason);
                continue;
            }
        };
        let all = open.piece().len();
        let sample = (all * usize::from(percent)).div_ceil(100).min(all);
        // What cannot be read again says nothing against a piece of ours.
        if let Verdict::False(reason) = judge_one(repo, &[], &open, sample, &mut out.wrong) {
            out.left_out.push(*id);
            out.lies.push((*id, reason));
        }
    }
    out
}
