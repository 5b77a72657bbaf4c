//! States that nobody has checked out: another work tree, and the merge of two states.

use super::{Engine, Last, Pinned, pinned};
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
            let facts = snapshot.facts().ids();
            let key = GraphKey::of(view, facts);
            if let Some(saved) = self.graphs.load(key, view) {
                return Arc::new(saved);
            }
            // Best from one of which it is known how it came about: then only what differs is looked at.
            let at_hand = |other: &&Pinned| other.open.graph.get().cloned();
            let first = near.first().and_then(at_hand);
            let last = self.state().graph.clone();
            let known = match (&last.made, &last.kept) {
                (Some(made), Some(kept))
                    if last.lacking.is_empty()
                        && first.is_none_or(|first| made.is_near(&first)) =>
                {
                    Some((&**made, Some(&**kept)))
                }
                _ => None,
            };
            let is_near = |other: &&&Pinned| GraphKey::of(other.view(), facts).same_paths(key);
            let other = near.iter().find(is_near).and_then(at_hand);
            let before = known.or_else(|| Some((other.as_deref()?, None)));
            let (made, kept, lacking) = self.make(view, &snapshot, before);
            let made = Arc::new(made);
            if known.is_none() && lacking.is_empty() {
                self.state().graph = Last {
                    key: Some(key),
                    made: Some(made.clone()),
                    kept: Some(Arc::new(kept)),
                    lacking,
                };
            }
            made
        });
        &made.graph
    }

    /// The entries of the tree of a state without uncommitted files.
    pub(in crate::query) fn entries(&self, committed: &Pinned) -> Vec<TreeEntry> {
        committed.view().files().iter().map(File::entry).collect()
    }
}
