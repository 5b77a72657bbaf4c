//! States that nobody has checked out: another work tree, and the merge of two states.

use super::{Engine, Pinned, pinned};
use crate::git::tree::TreeEntry;
use crate::git::worktree::Status;
use crate::graph::edges::Graph;
use crate::graph::saved::GraphKey;
use crate::query::Error;
use crate::view::files::File;
use crate::view::overlay;
use std::sync::Arc;

impl Engine {
    /// The state that differs from that of a commit in these files. Documents that the other states have are
    /// not extracted again. Nothing is kept. Fails when the documents cannot be put into a segment.
    pub(in crate::query) fn beside(
        &self,
        base: &Pinned,
        others: &[&Pinned],
        status: Status,
    ) -> Result<Pinned, Error> {
        let snapshot = self.state().snapshot.clone();
        let others: Vec<_> = others.iter().map(|other| other.view()).collect();
        let (hash, ledger) = (self.repo.hash(), snapshot.ledger());
        let view = overlay::lay_aside(base.view(), &others, &status, hash, ledger)?;
        let open = Arc::new(self.open_view(view));
        Ok(pinned(open, base.stamp.commit, Vec::new()))
    }

    /// The symbol graph of a state that is nearly like others whose graphs are at hand. It is not saved.
    pub(in crate::query) fn graph_near<'p>(
        &self,
        pinned: &'p Pinned,
        near: &[&Pinned],
    ) -> &'p Graph {
        let made = pinned.open.graph.get_or_init(|| {
            let view = pinned.view();
            let snapshot = self.state().snapshot.clone();
            let key = GraphKey::of(view, snapshot.facts().ids());
            let is_near = |other: &&&Pinned| {
                let facts = snapshot.facts().ids();
                let of_other = GraphKey::of(other.view(), facts);
                of_other.same_paths(key)
            };
            if let Some(saved) = self.graphs.load(key, view) {
                return Arc::new(saved);
            }
            let before = near.iter().find(is_near);
            let before = before.and_then(|other| other.open.graph.get());
            let before = before.map(|made| (&**made, None));
            Arc::new(self.make(view, &snapshot, before).0)
        });
        &made.graph
    }

    /// The entries of the tree of a state without uncommitted files.
    pub(in crate::query) fn entries(&self, committed: &Pinned) -> Vec<TreeEntry> {
        committed.view().files().iter().map(File::entry).collect()
    }
}
