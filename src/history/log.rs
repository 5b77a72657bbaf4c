//! The pieces at hand, in which commits are looked up.

use super::piece::Piece;
use crate::id::CommitId;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

/// Pieces that are open, the largest first.
#[derive(Clone, Debug, Default)]
pub struct Log {
    pieces: Vec<Arc<Piece>>,
    /// Where each commit is, once one was looked for in several pieces: a walk asks for all of them.
    places: OnceLock<FxHashMap<CommitId, Place>>,
}

/// Where a commit is found: the piece, and the place in it.
pub type Place = (usize, u32);

impl Log {
    /// Puts pieces together, in whatever order they come.
    pub fn of(mut pieces: Vec<Arc<Piece>>) -> Self {
        pieces.sort_by(|a, b| (Reverse(a.len()), a.bytes()).cmp(&(Reverse(b.len()), b.bytes())));
        Self {
            pieces,
            places: OnceLock::new(),
        }
    }

    /// Adds one more behind the others.
    pub fn push(&mut self, piece: Arc<Piece>) {
        self.places.take();
        self.pieces.push(piece);
    }

    /// The pieces.
    pub fn pieces(&self) -> &[Arc<Piece>] {
        &self.pieces
    }

    /// One of them.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn piece(&self, at: usize) -> &Piece {
        &self.pieces[at]
    }

    /// Which piece holds a commit, and where.
    pub fn find(&self, commit: CommitId) -> Option<Place> {
        match &self.pieces[..] {
            [] => None,
            [only] => Some((0, only.find(commit)?)),
            _ => self.places.get_or_init(|| self.all()).get(&commit).copied(),
        }
    }

    /// The same for few commits, of which those at hand need not all be put into one table.
    pub fn find_one(&self, commit: CommitId) -> Option<Place> {
        if let Some(places) = self.places.get() {
            return places.get(&commit).copied();
        }
        let mut pieces = self.pieces.iter().enumerate();
        pieces.find_map(|(at, piece)| Some((at, piece.find(commit)?)))
    }

    /// Number of commits, those that are in several pieces counted in each.
    pub fn count(&self) -> usize {
        self.pieces.iter().map(|piece| piece.len()).sum()
    }

    /// Where each commit is; of several places the first.
    fn all(&self) -> FxHashMap<CommitId, Place> {
        let mut places = FxHashMap::with_capacity_and_hasher(self.count(), Default::default());
        for (at, piece) in self.pieces.iter().enumerate() {
            for (id, place) in piece.ids().zip(0..) {
                places.entry(id).or_insert((at, place));
            }
        }
        places
    }
}
