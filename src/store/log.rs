//! The history log of an index: what commits say, in pieces that its tip names beside the segments.
//!
//! Guarantees: the document of a commit is a pure function of the commit, so pieces unite like segments
//! do, by set union; full compaction is canonical. Beside the object store, in
//! `<common dir>/sverklo/log/`, each piece is kept as a file, and so are commits that questions needed
//! and no tip names yet: those of old revisions, and all of them before the first `index`. The
//! folder may be deleted at any time; without it, and without a ref, commits are read.
//!
//! A tip that is pushed names commits alone that the remote can reach (see [`super::travel`]): what a
//! commit says is as private as the commit.

pub(super) mod folder;
pub(super) mod piece;

pub use piece::{LogPieces, OpenPiece};

use super::error::Error;
use super::ingest::Progress;
use super::partition::Entry;
use super::parts::{Listed, Parts};
use super::pieces::Pieces;
use super::publish::{Addition, Durable, publish};
use super::snapshot::Snapshot;
use super::union;
use crate::git::Repo;
use crate::git::write::blob_id;
use crate::history::log::Log;
use crate::history::piece::Piece;
use crate::history::window::{Stopped, Window};
use crate::id::{CommitId, PartId};
use piece::Dated;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Opens the window of a commit. What no piece has is read, and kept in the folder. Fails with
/// [`Error::Cancelled`]. History that cannot be walked is no error (see [`Window::open`]).
pub fn window(
    repo: &Repo,
    snapshot: &Snapshot,
    commit: CommitId,
    progress: &dyn Progress,
) -> Result<Window, Error> {
    look_back(repo, snapshot, commit, progress).map(|(window, _)| window)
}

/// The pieces that are at hand: those that the tip names, and those of the folder. Nothing is read for what none has.
pub fn at_hand(repo: &Repo, snapshot: &Snapshot) -> Log {
    let named = snapshot.log().open(repo, &mut Vec::new());
    let local = folder::local(repo, snapshot.log().ids(), snapshot.ledger());
    log_of(&named, &local)
}

/// The window of a commit over pieces that are at hand. What they lack is read, and kept in the folder.
pub fn window_over(repo: &Repo, snapshot: &Snapshot, log: Log, commit: CommitId) -> Window {
    let Ok(window) = Window::open(repo, log, commit, &|_, _| true) else {
        return Window::default();
    };
    if let Some(fresh) = window.fresh() {
        let local = folder::local(repo, snapshot.log().ids(), snapshot.ledger());
        folder::add(repo, local, fresh);
    }
    window
}

fn log_of(named: &[OpenPiece], local: &folder::Local) -> Log {
    let pieces = named.iter().chain(&local.pieces);
    Log::of(pieces.map(|open| open.piece().clone()).collect())
}

/// As [`window`], with the pieces that the tip names.
fn look_back(
    repo: &Repo,
    snapshot: &Snapshot,
    commit: CommitId,
    progress: &dyn Progress,
) -> Result<(Window, Vec<OpenPiece>), Error> {
    // What is damaged is read again; whoever publishes next leaves it out.
    let named = snapshot.log().open(repo, &mut Vec::new());
    let local = folder::local(repo, snapshot.log().ids(), snapshot.ledger());
    let log = log_of(&named, &local);
    let watch = |done, total| {
        progress.commits(done, total);
        !progress.cancelled()
    };
    let window = Window::open(repo, log, commit, &watch).map_err(|Stopped| Error::Cancelled)?;
    if let Some(fresh) = window.fresh() {
        folder::add(repo, local, fresh);
    }
    Ok((window, named))
}

/// Adds the window of a commit to the log that the ref names, as far as it is not there, and returns the
/// index. An index without documents is left without a log; so is one that cannot be written. Fails
/// with [`Error::Cancelled`], [`Error::Contended`], or what the repository said.
pub fn record(
    repo: &Repo,
    snapshot: &Snapshot,
    commit: CommitId,
    progress: &dyn Progress,
) -> Result<Snapshot, Error> {
    let (window, named) = look_back(repo, snapshot, commit, progress)?;
    if snapshot.tip.is_none() {
        return Ok(snapshot.clone());
    }
    let made = cut(repo, &unnamed(&window, &named))?;
    if made.is_empty() {
        return Ok(snapshot.clone());
    }
    let made = Pieces {
        log: Parts::of(&made),
        ..Pieces::default()
    };
    let added = Addition::Pieces(&made, "index: commits");
    match publish(repo, snapshot, added, Durable::default()) {
        Ok(mut published) => {
            published.take_unstored(snapshot);
            Ok(published)
        }
        Err(err) if err.is_unwritable() => Ok(snapshot.clone()),
        Err(err) => Err(err),
    }
}

/// The places of a window's commits that no named piece has, by piece.
fn unnamed(window: &Window, named: &[OpenPiece]) -> Vec<(Arc<Piece>, Vec<u32>)> {
    let pieces = window.log().pieces();
    let mut out: Vec<(Arc<Piece>, Vec<u32>)> =
        pieces.iter().map(|of| (of.clone(), Vec::new())).collect();
    let is_named = |of: &Arc<Piece>| named.iter().any(|open| Arc::ptr_eq(open.piece(), of));
    let is_known: Vec<bool> = pieces.iter().map(is_named).collect();
    for (piece, at) in window.places().filter(|(piece, _)| !is_known[*piece]) {
        let id = pieces[piece].id(at);
        let is_held = id.is_some_and(|id| named.iter().any(|open| open.piece().find(id).is_some()));
        if !is_held {
            out[piece].1.push(at);
        }
    }
    out
}

/// Returns the canonical cut of the commits at places of pieces.
fn cut(repo: &Repo, places: &[(Arc<Piece>, Vec<u32>)]) -> Result<Vec<OpenPiece>, Error> {
    let (mut set, mut wanted) = (Vec::new(), FxHashMap::default());
    for (piece, places) in places.iter().filter(|(_, places)| !places.is_empty()) {
        let id = blob_id(repo.hash(), piece.bytes())?;
        set.push(OpenPiece::unstored(PartId::from(id).into(), piece.clone()));
        let dated = places.iter().filter_map(|at| Dated::of(piece, *at));
        wanted.extend(dated.map(|dated| (dated.key(), dated)));
    }
    let mut wanted: Vec<Dated> = wanted.into_values().collect();
    wanted.sort_unstable_by_key(Entry::bits);
    LogPieces::finish(
        repo,
        union::cut(repo.hash(), &set, &wanted, &mut |_| Ok(()))?.0,
    )
}
