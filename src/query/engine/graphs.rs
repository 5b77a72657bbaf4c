//! The symbol graph of a state: from memory, loaded or built.

use super::{Engine, Pinned, wait_for};
use crate::graph::build::{self, Made};
use crate::graph::edges::Graph;
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
                return Arc::new(self.make(view, &snapshot, None));
            }
            let made = self
                .graphs
                .load(key, view)
                .map(Arc::new)
                .unwrap_or_else(|| {
                    let last = self.state().graph.clone();
                    let old = last.filter(|(k, _)| k.same_paths(key)).map(|(_, old)| old);
                    let old = old.or_else(|| Some(Arc::new(self.graphs.latest(key)?)));
                    let made = Arc::new(self.make(view, &snapshot, old.as_deref()));
                    self.save_in_background(key, &made);
                    made
                });
            self.state().graph = Some((key, made.clone()));
            made
        })
    }

    /// Saves a graph while the question is answered from it.
    fn save_in_background(&self, key: GraphKey, made: &Arc<Made>) {
        let (graphs, saved) = (self.graphs.clone(), made.clone());
        let save = move || graphs.save(key, &saved);
        let mut saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        wait_for(saving.take());
        match std::thread::Builder::new().spawn(save) {
            Ok(thread) => *saving = Some(thread),
            Err(_) => self.graphs.save(key, made),
        }
    }

    pub(super) fn make(&self, view: &View, snapshot: &Snapshot, before: Option<&Made>) -> Made {
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
