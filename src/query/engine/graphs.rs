//! The symbol graph of a state: from memory, loaded or built.

use super::{Engine, Last, Pinned, State, wait_for};
use crate::git::promisor;
use crate::graph::build::{self, Made};
use crate::graph::edges::Graph;
use crate::graph::reuse::Kept;
use crate::graph::saved::{GraphKey, IsEdited};
use crate::id::BlobId;
use crate::store::Snapshot;
use crate::store::facts::CompilerFacts;
use crate::view::live::{FileId, View};
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock, PoisonError};

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
            let mut last = self.last_graph(key, view);
            if last.key != Some(key) {
                let before = (last.made.as_deref()).map(|made| (made, last.kept.as_deref()));
                let (made, kept, missing) = self.make(view, &snapshot, before);
                let mut lacking = [last.lacking, missing].concat();
                lacking.sort_unstable();
                lacking.dedup();
                let (made, kept) = (Arc::new(made), Arc::new(kept));
                if lacking.is_empty() {
                    self.save(key, (&made, &kept), view);
                }
                last = Last {
                    key: Some(key),
                    made: Some(made),
                    kept: Some(kept),
                    lacking,
                };
            }
            if !last.lacking.is_empty() {
                self.note_lacking(pinned, &last.lacking);
            }
            let made = last.made.clone().unwrap_or_default();
            let mut state = self.state();
            // The other side of a comparison is loaded beside the state that is worked on.
            let is_beside = |kept: &Made| last.kept.is_none() && kept.is_near(&made);
            let known = state.graph.kept.as_ref().and(state.graph.made.as_deref());
            if !known.is_some_and(is_beside) {
                state.graph = last;
            }
            drop(state);
            made
        })
    }

    /// The graph that is saved for a view, or else one that its own can be made from, if there is any.
    fn last_graph(&self, key: GraphKey, view: &View) -> Last {
        let mut last = self.state().graph.clone();
        if self.has_any(&last.lacking) {
            last = Last::default();
        }
        if last.key == Some(key) {
            return last;
        }
        let of = |key, made| Last {
            key: Some(key),
            made: Some(Arc::new(made)),
            ..Last::default()
        };
        if let Some(saved) = self.graphs.load(key, view) {
            return of(key, saved);
        }
        if last
            .key
            .is_some_and(|other| other.same_paths(key) || last.kept.is_some())
        {
            return last;
        }
        let of_saved = |made| Last {
            key: None,
            ..of(key, made)
        };
        match self.graphs.latest_of_paths(key) {
            Some(made) => of_saved(made),
            None if last.made.is_some() => last,
            None => self.graphs.latest().map(of_saved).unwrap_or_default(),
        }
    }

    /// Saves a graph while the question is answered from it. A server makes one after each edit and holds the
    /// last: of a work tree it saves that alone, at its end.
    fn save(&self, key: GraphKey, (made, kept): (&Arc<Made>, &Arc<Kept>), view: &View) {
        let (graphs, made, kept) = (self.graphs.clone(), made.clone(), kept.clone());
        let mut saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        saving.later = None;
        if self.serves && view.dirty > 0 {
            saving.later = Some((key, made, kept));
            return;
        }
        wait_for(saving.now.take());
        let is_edited = IsEdited(view.dirty > 0);
        let here = (made.clone(), kept.clone());
        let save = move || graphs.save(key, (&made, &kept), is_edited);
        match std::thread::Builder::new().spawn(save) {
            Ok(thread) => saving.now = Some(thread),
            Err(_) => self.graphs.save(key, (&here.0, &here.1), is_edited),
        }
    }

    /// Saves what is not saved yet, and waits for what is being saved.
    pub fn save_rest(&self) {
        let mut saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        wait_for(saving.now.take());
        if let Some((key, made, kept)) = saving.later.take() {
            self.graphs.save(key, (&made, &kept), IsEdited(true));
        }
    }

    /// Goes on from the saved graph, as a process does that has just begun: columns are mapped, and what the next graph
    /// would be made from sooner is let go. What is not saved yet is saved; where that fails all stays as it is.
    pub fn rest(&self) {
        // Nobody opens a state meanwhile; who has one pinned keeps its graph.
        let _alone = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        self.save_rest();
        let snapshot = self.state().snapshot.clone();
        let mut state = self.state();
        state.inventories.clear();
        let State {
            work_tree,
            tree_views,
            graph: last,
            ..
        } = &mut *state;
        let opened = work_tree.iter_mut().map(|known| &mut known.open);
        for open in opened.chain(tree_views.iter_mut().map(|(_, open)| open)) {
            let Some(made) = open.graph.get().filter(|made| !made.is_saved()).cloned() else {
                continue;
            };
            let key = GraphKey::of(&open.view, snapshot.facts().ids());
            let Some(saved) = self.graphs.load(key, &open.view).map(Arc::new) else {
                continue;
            };
            if let Some(known) = &mut last.made
                && Arc::ptr_eq(known, &made)
            {
                *known = saved.clone();
                (last.key, last.kept) = (Some(key), None);
            }
            if let Some(open) = Arc::get_mut(open) {
                open.graph = OnceLock::from(saved);
            }
        }
    }

    /// Makes a graph. Returns with it how it came about, and the contents that it would have needed and that are not
    /// here, after they were asked for, if they may be.
    pub(super) fn make(
        &self,
        view: &View,
        snapshot: &Snapshot,
        before: Option<build::Before<'_>>,
    ) -> (Made, Kept, Vec<BlobId>) {
        let facts = self.facts(view, snapshot);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let build = || {
            let mut unread: Vec<FileId> = Vec::new();
            let (made, kept) = build::build_from((view, &facts), before, threads, &mut |file| {
                let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
                let text = texts.get(view, file);
                unread.extend(text.is_none().then_some(file));
                // Who asks for texts later asks for these again.
                texts.take_missing();
                Some(text?.bytes().to_vec())
            });
            (made, kept, self.lacking_of(view, &unread))
        };
        let (made, kept, missing) = build();
        let may_come = !missing.is_empty() && promisor::is_allowed(&self.repo);
        match may_come && promisor::fetch(&self.repo, &missing).is_ok() {
            true => build(),
            false => (made, kept, missing),
        }
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
