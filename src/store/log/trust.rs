//! What is believed of pieces that were fetched.
//!
//! A commit's document is a pure function of the commit, so an honest piece never differs from what the
//! commit says. Commits that ours has too are compared; of the others a few are read again, chosen so that
//! nobody can tell which.

use super::folder::open_stored;
use super::set::{OpenPiece, open};
use super::{Pieces, marked};
use crate::git::Repo;
use crate::history::piece::Entry;
use crate::history::rederive;
use crate::id::{CommitId, LogId, SegmentId};
use crate::store::Warning;
use crate::store::trust::shuffle;
use rustc_hash::FxHashMap;

/// Commits that are looked for, for each of the sample, where few are there.
const TRIES: usize = 64;

/// What was found of fetched pieces.
#[derive(Default)]
pub(in crate::store) struct Judgement {
    /// Pieces that cannot be used.
    pub left_out: Vec<LogId>,
    /// Those of them that lie.
    pub lies: Vec<(LogId, String)>,
    /// Pieces of ours that lie.
    pub wrong: Vec<(LogId, String)>,
    /// What cannot be read.
    pub warnings: Vec<Warning>,
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
    let own: Vec<LogId> = ours.ids().to_vec();
    let foreign = open(repo, &theirs.without(&own), &mut out.warnings);
    out.left_out
        .extend(out.warnings.iter().filter_map(|warning| match warning {
            Warning::BadLog { id, .. } => Some(*id),
            _ => None,
        }));
    if foreign.is_empty() {
        return out;
    }
    let mut known: FxHashMap<CommitId, (LogId, Entry)> = FxHashMap::default();
    for open in open(repo, ours, &mut Vec::new()) {
        let id = open.id();
        let entries = open.piece().entries().into_iter();
        known.extend(entries.map(|entry| (entry.id, (id, entry))));
    }
    for open in &foreign {
        judge_one(repo, &known, open, sample, &mut out);
    }
    out.wrong.sort_unstable();
    out.wrong.dedup_by_key(|(id, _)| *id);
    out
}

fn judge_one(
    repo: &Repo,
    known: &FxHashMap<CommitId, (LogId, Entry)>,
    open: &OpenPiece,
    sample: usize,
    out: &mut Judgement,
) {
    let entries = open.piece().entries();
    let (shared, rest): (Vec<&Entry>, Vec<&Entry>) = entries
        .iter()
        .partition(|entry| known.contains_key(&entry.id));
    let mut rest: Vec<CommitId> = rest.iter().map(|entry| entry.id).collect();
    shuffle(&mut rest);
    let disputed: Vec<CommitId> = shared
        .iter()
        .filter(|entry| {
            known
                .get(&entry.id)
                .is_some_and(|(_, ours)| ours != **entry)
        })
        .map(|entry| entry.id)
        .collect();
    let objects = repo.objects();
    let rest = rest.into_iter().take(sample.saturating_mul(TRIES));
    let rest = rest
        .filter(|id| objects.contains(id.as_object()))
        .take(sample);
    let asked: Vec<CommitId> = disputed.iter().copied().chain(rest).collect();
    let Ok(truth) = rederive(repo, &asked) else {
        return;
    };
    let truth: FxHashMap<CommitId, Entry> =
        truth.into_iter().map(|entry| (entry.id, entry)).collect();
    let differs = |entry: &&Entry| truth.get(&entry.id).is_some_and(|truth| truth != *entry);
    if let Some(entry) = entries.iter().find(differs) {
        let reason = format!(
            "commit {}: what is recorded differs from what it says",
            entry.id
        );
        out.left_out.push(open.id());
        out.lies.push((open.id(), reason));
        return;
    }
    for id in disputed {
        match (truth.get(&id), known.get(&id)) {
            // The commit is on their side, so it is not on ours.
            (Some(_), Some((own, _))) => {
                let reason = format!("commit {id}: what is recorded differs from what it says");
                out.wrong.push((*own, reason));
            }
            // Nobody here can tell who is right; ours is used.
            _ => return out.left_out.push(open.id()),
        }
    }
}

/// Examines the pieces that a tip names: whether their objects are what they must be, and, of a share of each
/// piece, whether they say what the commits say.
pub(in crate::store) fn examine(repo: &Repo, pieces: &Pieces, percent: u8) -> Judgement {
    let mut out = Judgement::default();
    for id in pieces.ids() {
        let found = open_stored(repo, *id);
        match found {
            Ok(open) => {
                let all = open.piece().len();
                let sample = (all * usize::from(percent)).div_ceil(100).min(all);
                judge_one(repo, &FxHashMap::default(), &open, sample, &mut out);
            }
            Err(reason) => {
                out.left_out.push(*id);
                out.warnings.push(Warning::BadLog { id: *id, reason });
            }
        }
    }
    out
}

impl Judgement {
    /// The pieces that cannot stay.
    pub fn wrong(&self) -> impl Iterator<Item = LogId> {
        self.left_out.iter().copied()
    }

    /// The ids under which the ledger remembers what of ours lies.
    pub fn wrong_ids(&self) -> impl Iterator<Item = SegmentId> {
        self.wrong.iter().map(|(id, _)| marked(*id))
    }
}
