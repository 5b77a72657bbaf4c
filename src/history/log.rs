//! The pieces at hand, in which commits are looked up.

use super::piece::Piece;
use crate::id::CommitId;
use std::cmp::Reverse;
use std::sync::Arc;

/// Pieces that are open, the largest first.
#[derive(Clone, Debug, Default)]
pub struct Log {
    pieces: Vec<Arc<Piece>>,
}

/// Where a commit is found: the piece, and the place in it.
pub type Place = (usize, u32);

impl Log {
    /// Puts pieces together, in whatever order they come.
    pub fn of(mut pieces: Vec<Arc<Piece>>) -> Self {
        pieces.sort_by(|a, b| (Reverse(a.len()), a.bytes()).cmp(&(Reverse(b.len()), b.bytes())));
        Self { pieces }
    }

    /// Adds one more behind the others.
    pub fn push(&mut self, piece: Arc<Piece>) {
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
        let mut pieces = self.pieces.iter().enumerate();
        pieces.find_map(|(piece, of)| Some((piece, of.find(commit)?)))
    }
}
