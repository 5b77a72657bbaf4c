//! The symbol graph of a state: from memory, loaded or built.

use super::{Engine, Last, Pinned, wait_for};
use crate::graph::build::{self, Made};
use crate::graph::edges::Graph;
use crate::graph::reuse::Kept;
use crate::graph::saved::GraphKey;
use crate::id::BlobId;
use crate::store::Snapshot;
use crate::store::facts::CompilerFacts;
use crate::view::live::View;
use rustc_hash::FxHashSet;
use std::sync::{Arc, PoisonError};

impl Engine {
    /// The symbol graph of a pinned state: from memory, from the saved ones, or made now.
    pub fn graph<'p>(&self, pinned: &'p Pinned) -> &'p Graph {
        &self.made(pinned).graph
    }

    /// The symbol graph of a pinned state with what its making found out.
    pub fn made<'p>(&self, pinned: &'p Pinned) -> &'p Made {
        pinned.open.graph.get_or_init(|| {
            let view = pinned.view();
            let snapshot = self.state().snapshot.clone();
            let key = GraphKey::of(view, snapshot.facts().ids());
            // A view that lacks files is not what its paths say.
            if view.uncovered > 0 {
                return Arc::new(self.make(view, &snapshot, None).0);
            }
            let last = self.last_graph(key, view);
            if last.key != Some(key) {
                let before = (last.made.as_deref()).map(|made| (made, last.kept.as_deref()));
                let (made, kept) = self.make(view, &snapshot, before);
                let made = Arc::new(made);
                self.save(key, &made, view);
                self.state().graph = Last {
                    key: Some(key),
                    made: Some(made.clone()),
                    kept: Some(Arc::new(kept)),
                };
                return made;
            }
            let made = last.made.clone().unwrap_or_default();
            self.state().graph = last;
            made
        })
    }

    /// The graph that is saved for a view, or else one that its own can be made from, if there is any.
    fn last_graph(&self, key: GraphKey, view: &View) -> Last {
        let last = self.state().graph.clone();
        if last.key == Some(key) {
            return last;
        }
        let of = |key, made| Last {
            key: Some(key),
            made: Some(Arc::new(made)),
            kept: None,
        };
        if let Some(saved) = self.graphs.load(key, view) {
            return of(key, saved);
        }
        match last.key {
            Some(other) if other.same_paths(key) || last.kept.is_some() => last,
            _ => match self.graphs.latest(key) {
                Some(made) => Last {
                    key: None,
                    ..of(key, made)
                },
                None => Last::default(),
            },
        }
    }

    /// Saves a graph while the question is answered from it. A server makes one after each edit and holds the
    /// last: of a work tree it saves that alone, at its end.
    fn save(&self, key: GraphKey, made: &Arc<Made>, view: &View) {
        let (graphs, saved) = (self.graphs.clone(), made.clone());
        let mut saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        saving.later = None;
        if self.serves && view.dirty > 0 {
            saving.later = Some((key, saved));
            return;
        }
        wait_for(saving.now.take());
        let save = move || graphs.save(key, &saved);
        match std::thread::Builder::new().spawn(save) {
            Ok(thread) => saving.now = Some(thread),
            Err(_) => self.graphs.save(key, made),
        }
    }

    pub(super) fn make(
        &self,
        view: &View,
        snapshot: &Snapshot,
        before: Option<build::Before<'_>>,
    ) -> (Made, Kept) {
        let facts = self.facts(view, snapshot);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        build::build_from((view, &facts), before, threads, &mut |file| {
            let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
            Some(texts.get(view, file)?.bytes().to_vec())
        })
    }

    /// What compilers said of the contents of a view. Facts that cannot be read are as if not there: `fsck`
    /// names them.
    fn facts(&self, view: &View, snapshot: &Snapshot) -> CompilerFacts {
        if snapshot.facts().is_empty() {
            return CompilerFacts::default();
        }
        let documents = view.files().iter().filter(|file| file.doc.is_some());
        let live: FxHashSet<BlobId> = documents.map(|file| file.blob).collect();
        CompilerFacts::open(&self.repo, snapshot, &|blob| live.contains(&blob)).0
    }
}
