//! Pieces as files in `log/` among what is kept ([`crate::cache`]), named by their ids.
//!
//! What a tip names is there as a copy that need not be inflated and was checked once; what no tip names
//! is there alone.

use super::piece::{LogPieces, OpenPiece};
use crate::git::Repo;
use crate::git::write::blob_id;
use crate::history::piece::Piece;
use crate::id::{LogId, PartId};
use crate::store::files::{self, name, open_kept};
use crate::store::kind::Kind;
use crate::store::ledger::Ledger;
use crate::store::parts::Parts;
use std::sync::Arc;

/// How many times as large as a new piece one must be to be left alone: the geometric rule of git's
/// commit-graph. These files do not travel, so a small factor costs nothing but the merge.
const FACTOR: usize = 2;
/// Commits kept that no tip names: four windows, for those who go back and forth between old revisions.
const MAX_COMMITS: usize = 4 * crate::history::window::MAX_COMMITS;

/// Folder of the pieces.
const FOLDER: &str = LogPieces::FOLDER;

/// What no tip names.
pub(super) struct Local {
    /// The pieces, the largest first.
    pub pieces: Vec<OpenPiece>,
    /// Files that are none: of another version, or of pieces that must not come back.
    others: Vec<String>,
}

impl Local {
    fn remove_others(&self, repo: &Repo) {
        let kept = repo.kept();
        self.others
            .iter()
            .for_each(|other| kept.remove(&format!("{FOLDER}/{other}")));
        // What killed processes left goes, too.
        kept.retain(FOLDER, |_| true);
    }
}

/// Reads every piece of the folder that is whole, not among those that are named, and not one that has a
/// tombstone: what was found to lie must not come back from its file.
pub(super) fn local(repo: &Repo, named: &[LogId], ledger: &Ledger) -> Local {
    let (mut pieces, mut others) = (Vec::new(), Vec::new());
    for entry in repo.kept().list(FOLDER) {
        match LogId::from_hex(entry.name.as_bytes()) {
            Some(id) if named.binary_search(&id).is_ok() => {}
            Some(id) if !ledger.has_tombstone(id.into()) => {
                match open_kept::<LogPieces>(repo, id) {
                    Some(piece) => pieces.push(OpenPiece::unstored(id, Arc::new(piece))),
                    None => others.push(entry.name),
                }
            }
            _ => others.push(entry.name),
        }
    }
    pieces.sort_by_key(|open| (std::cmp::Reverse(open.piece().len()), open.id()));
    Local { pieces, others }
}

/// Adds commits. The new piece takes in those that are not twice as large as itself, so that there are
/// few and little is written again. A failure to write costs time later, nothing else.
pub(super) fn add(repo: &Repo, mut local: Local, fresh: &Arc<Piece>) {
    local.remove_others(repo);
    let held: usize = local.pieces.iter().map(|open| open.piece().len()).sum();
    let mut gone = Vec::new();
    let mut merged = None;
    if held + fresh.len() > MAX_COMMITS {
        gone = local.pieces;
    } else {
        let mut count = fresh.len();
        let is_small = |open: &mut OpenPiece, count| open.piece().len() < FACTOR * count;
        while let Some(last) = local.pieces.pop_if(|last| is_small(last, count)) {
            count += last.piece().len();
            gone.push(last);
        }
        if !gone.is_empty() {
            let mut entries = fresh.entries();
            entries.extend(gone.iter().flat_map(|open| open.piece().entries()));
            merged = Some(Piece::of(repo.hash(), entries));
        }
    }
    let piece = merged.as_ref().unwrap_or(fresh);
    let Ok(id) = blob_id(repo.hash(), piece.bytes()) else {
        return;
    };
    let id = LogId::from(PartId::from(id));
    // A failure costs time: its commits are read again.
    let _ = files::write(repo, &name::<LogPieces>(id), piece.bytes());
    // In a repository that cannot be written nothing is kept, and nothing goes.
    if repo.kept().read(&name::<LogPieces>(id)).is_some() {
        let others = gone.iter().map(OpenPiece::id).filter(|other| *other != id);
        files::remove::<LogPieces>(repo, &others.collect::<Vec<_>>());
    }
}

/// Removes what is in pieces that the tip names by now, and what must not come back.
pub(in crate::store) fn forget_named(repo: &Repo, named: &Parts<LogPieces>, ledger: &Ledger) {
    let local = local(repo, named.ids(), ledger);
    local.remove_others(repo);
    if local.pieces.is_empty() {
        return;
    }
    let named = named.open(repo, &mut Vec::new());
    for open in local.pieces {
        let is_named = |id| named.iter().any(|of| of.piece().find(id).is_some());
        if open.piece().ids().all(is_named) {
            files::remove::<LogPieces>(repo, &[open.id()]);
        }
    }
}
