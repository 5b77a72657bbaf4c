//! Whether a commit touched a file, as the log has it: what lets a walk pass over commits without reading them.

use super::document::MAX_TOUCHED;
use super::piece::is_recordable;
use super::window::{Age, Window};
use crate::git::RepoPath;
use crate::id::CommitId;

/// What the log says of a commit and a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touch {
    /// The commit left the path as its first parent has it.
    No,
    /// It left something else there.
    Yes,
    /// The log does not know, or does not say because the commit changed very much.
    Unknown,
}

/// A path, looked up in the log.
pub struct PathInLog<'w> {
    window: &'w Window,
    /// Its place in each piece; `None` where no commit touched it.
    places: Vec<Option<u32>>,
    is_recorded: bool,
}

impl Window {
    /// Looks a path up. What is said of it holds where the file is there: that a commit removed one is not
    /// recorded.
    pub fn look_up(&self, path: &RepoPath) -> PathInLog<'_> {
        let pieces = self.log().pieces().iter();
        PathInLog {
            window: self,
            places: pieces
                .map(|piece| piece.find_path(path.as_bytes()))
                .collect(),
            is_recorded: is_recordable(path),
        }
    }
}

impl PathInLog<'_> {
    /// Whether a commit touched it.
    pub fn touched_by(&self, commit: CommitId) -> Touch {
        let log = self.window.log();
        let Some((piece, at)) = log.find(commit).filter(|_| self.is_recorded) else {
            return Touch::Unknown;
        };
        let of = log.piece(piece);
        if of.changed(at) as usize > MAX_TOUCHED {
            return Touch::Unknown;
        }
        let place = self.places.get(piece).copied().flatten();
        let is_touched = place.is_some_and(|place| of.touched(at).any(|other| other == place));
        if is_touched { Touch::Yes } else { Touch::No }
    }

    /// Whether a commit older than this one left the path changed, as far as the log tells; of a commit that is not
    /// in the window that is not known, and may be.
    pub fn was_touched_before(&self, commit: CommitId) -> bool {
        let log = self.window.log();
        let age = |piece: usize, at: u32| {
            let ages = self.window.ages.get(piece)?;
            ages.get(at as usize)
                .copied()
                .map(Age)
                .filter(|age| age.is_known())
        };
        let Some(of) = log.find(commit).and_then(|(piece, at)| age(piece, at)) else {
            return true;
        };
        let pieces = log.pieces().iter().enumerate().zip(&self.places);
        pieces
            .filter_map(|((piece, of), place)| Some((piece, of, (*place)?)))
            .any(|(piece, from, place)| {
                let mut commits = from.all_touched().zip(0_u32..);
                commits.any(|(mut touched, at)| {
                    touched.any(|other| other == place)
                        && age(piece, at).is_some_and(|age| age > of)
                })
            })
    }
}
