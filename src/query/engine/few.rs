//! States in which there are a few files only: what a commit changed, before and after.

use super::{Engine, OpenView};
use crate::git::RepoPath;
use crate::git::worktree::{Dirty, DirtyState, Status};
use crate::graph::build::{self, Made};
use crate::graph::edges::Graph;
use crate::id::BlobId;
use crate::query::Error;
use crate::view::live::View;
use crate::view::overlay;
use std::sync::Arc;

/// A file with its content.
#[derive(Clone, Debug)]
pub(in crate::query) struct Content {
    /// Where it is.
    pub path: RepoPath,
    /// The id of its content.
    pub blob: BlobId,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Some files as a state of their own.
pub(in crate::query) struct Few {
    /// The files.
    pub view: View,
    made: Made,
}

impl Few {
    /// What their names mean, as far as these files tell.
    pub fn graph(&self) -> &Graph {
        &self.made.graph
    }
}

impl Engine {
    /// The state that has these files and no others. Documents that the views at hand have are not extracted again.
    /// Nothing is kept. Fails when the documents cannot be put into a segment.
    pub(in crate::query) fn few(
        &self,
        at_hand: &[&View],
        mut files: Vec<Content>,
    ) -> Result<Few, Error> {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|b, a| a.path == b.path);
        let dirty = files.into_iter().map(|file| Dirty {
            path: file.path,
            state: DirtyState::Content {
                id: file.blob,
                bytes: Arc::new(file.bytes),
            },
        });
        let status = Status {
            dirty: dirty.collect(),
            truncated: false,
        };
        let snapshot = self.state().snapshot.clone();
        let (hash, ledger) = (self.repo.hash(), snapshot.ledger());
        let view =
            overlay::lay_to_compare(&OpenView::empty().view, at_hand, &status, hash, ledger)?;
        // Imports are not asked about, so what configures them is not read.
        let made = build::build(&view, 1, &mut |_| None);
        Ok(Few { view, made })
    }
}
