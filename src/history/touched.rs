//! Whether a commit touched a file, as the log has it: what lets a walk pass over commits, merges among them, without
//! reading trees.

use super::document::MAX_TOUCHED;
use super::log::{Log, Place};
use super::piece::{Parent, is_recordable};
use crate::git::RepoPath;
use crate::id::CommitId;
use std::cell::Cell;

/// What the log says of a commit and a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touch {
    /// The commit left the path as its first parent has it: both have the same file there, or none.
    No,
    /// It left another file there, or none any more.
    Yes,
    /// The log does not know, or does not say because the commit changed very much.
    Unknown,
}

/// A path, looked up in the log.
pub struct PathInLog<'l> {
    log: &'l Log,
    /// Its place in each piece; `None` where no commit touched it.
    places: Vec<Option<u32>>,
    is_recorded: bool,
    /// The commit that was asked about last: the next is often a parent of it.
    last: Cell<Option<Place>>,
}

impl Log {
    /// Looks a path up.
    pub fn look_up(&self, path: &RepoPath) -> PathInLog<'_> {
        let pieces = self.pieces().iter();
        PathInLog {
            log: self,
            places: pieces
                .map(|piece| piece.find_path(path.as_bytes()))
                .collect(),
            is_recorded: is_recordable(path),
            last: Cell::new(None),
        }
    }
}

impl PathInLog<'_> {
    /// Whether a commit touched it.
    pub fn touched_by(&self, commit: CommitId) -> Touch {
        if !self.is_recorded {
            return Touch::Unknown;
        }
        let Some((piece, at)) = self.place_of(commit) else {
            return Touch::Unknown;
        };
        self.last.set(Some((piece, at)));
        let of = self.log.piece(piece);
        if of.changed(at) as usize > MAX_TOUCHED {
            return Touch::Unknown;
        }
        let place = self.places.get(piece).copied().flatten();
        let is_touched = place.is_some_and(|place| {
            let mut all = of.touched(at).chain(of.gone(at));
            all.any(|other| other == place)
        });
        if is_touched { Touch::Yes } else { Touch::No }
    }

    fn place_of(&self, commit: CommitId) -> Option<Place> {
        let near = self.last.get().and_then(|(piece, at)| {
            let of = self.log.piece(piece);
            let mut parents = of.parents(at).filter_map(|parent| match parent {
                Parent::Here(at) => Some(at),
                Parent::Elsewhere(_) => None,
            });
            let at = parents.find(|at| of.id(*at) == Some(commit))?;
            Some((piece, at))
        });
        near.or_else(|| self.log.find_one(commit))
    }
}
