//! Views of committed trees: from memory, saved, or joined from an index that is extended by what it lacks.

use super::lacking::{self, Lacking};
use super::portion::Portion;
use super::{Engine, MAX_VIEWS, OpenView, not_covered, warnings};
use crate::extract::record::DocKey;
use crate::git::Arrivals;
use crate::git::refs;
use crate::id::TreeId;
use crate::query::{Error, Progress};
use crate::segment::Segment;
use crate::store::{self, Snapshot, Warning};
use crate::view::files::{File, document_keys, mark_forgotten};
use crate::view::live::View;
use std::sync::{Arc, Mutex};

impl Engine {
    /// The view of a whole tree: from memory, from the saved views, or by a join with the
    /// snapshot, which is extended by what it lacks.
    pub(super) fn tree_view(
        &self,
        portion: &Portion,
        progress: &dyn Progress,
    ) -> Result<(Arc<OpenView>, Vec<String>), Error> {
        self.await_run(portion.tree, progress)?;
        self.opened_tree(portion, progress)
    }

    /// The same, without waiting for a run that makes the index.
    pub(super) fn opened_tree(
        &self,
        portion: &Portion,
        progress: &dyn Progress,
    ) -> Result<(Arc<OpenView>, Vec<String>), Error> {
        let id = portion.id();
        self.reopen_if_moved()?;
        if let Some(open) = self.view_in_memory(id) {
            let warnings = lacking::warning(&open.view).into_iter().collect();
            return Ok((open, warnings));
        }
        let snapshot = self.snapshot()?;
        if let Some(open) = self.saved_view(id, &snapshot) {
            let mut warnings = warnings(&snapshot);
            warnings.extend(lacking::warning(&open.view));
            return Ok((open, warnings));
        }
        // Before anything is found missing.
        let objects = match self.repo.is_partial() {
            true => Arrivals::of(&self.repo),
            false => None,
        };
        let mut files: Vec<File> = portion.files(&mut self.repo.objects())?;
        let keys = document_keys(&files);
        // Publishing mends what these warn of; whoever asks now is told all the same.
        let met = warnings(&snapshot);
        let (snapshot, report) = self.ensure(&snapshot, &keys, progress)?;
        let segments: Vec<Arc<Segment>> = snapshot
            .segments()
            .iter()
            .map(|open| open.segment().clone())
            .collect();
        mark_forgotten(&mut files, snapshot.ledger());
        let view = View::join(files, &segments, 0);
        let mut warnings = warnings(&snapshot);
        let is_news = |met: &String| !warnings.contains(met);
        let news: Vec<String> = met.into_iter().filter(is_news).collect();
        warnings.extend(news);
        if view.lacks_files() {
            warnings.extend(not_covered(&report));
            if !report.unreadable.is_empty() {
                // Not kept: they may be mended next time, which nothing would show.
                return Ok((Arc::new(self.open_view(view)), warnings));
            }
        }
        if report.published {
            self.views.save(id, &snapshot, &view, objects);
        }
        Ok((self.keep_view(id, view, objects), warnings))
    }

    /// Whether the view of a tree or a part of one is at hand, in memory or saved.
    pub(super) fn has_view(&self, portion: &Portion) -> Result<bool, Error> {
        self.reopen_if_moved()?;
        if self.view_in_memory(portion.id()).is_some() {
            return Ok(true);
        }
        let snapshot = self.snapshot()?;
        Ok(self.saved_view(portion.id(), &snapshot).is_some())
    }

    /// The view of a tree in memory, unless something that it lacks may have come.
    fn view_in_memory(&self, tree: TreeId) -> Option<Arc<OpenView>> {
        let state = self.state();
        let mut known = state.tree_views.iter();
        let open = known.find(|(t, _)| *t == tree)?.1.clone();
        drop(state);
        self.is_up_to_date(&open).then_some(open)
    }

    /// The same of one that was saved, which is kept in memory from here on.
    fn saved_view(&self, tree: TreeId, snapshot: &Snapshot) -> Option<Arc<OpenView>> {
        let (view, objects) = self.views.load(tree, snapshot)?;
        let open = self.keep_view(tree, view, objects);
        if !self.is_up_to_date(&open) {
            return None;
        }
        let now = self.objects_of(&open);
        if now != objects {
            self.views.save(tree, snapshot, &open.view, now);
        }
        Some(open)
    }

    fn keep_view(&self, tree: TreeId, view: View, objects: Option<Arrivals>) -> Arc<OpenView> {
        let mut open = self.open_view(view);
        open.lacking = Mutex::new(Lacking::as_of(objects, self.state().snapshot.tip));
        let open = Arc::new(open);
        let mut state = self.state();
        state.tree_views.retain(|(t, _)| *t != tree);
        state.tree_views.insert(0, (tree, open.clone()));
        state.tree_views.truncate(MAX_VIEWS);
        open
    }

    /// Reopens the index if its ref has moved: somebody may have told it to forget what the
    /// views in memory show.
    pub(super) fn reopen_if_moved(&self) -> Result<(), Error> {
        let name = self.repo.ref_names().index();
        // A ref that cannot be read at the moment says nothing new.
        let Ok(tip) = refs::read(&self.repo, &name) else {
            return Ok(());
        };
        if self.state().snapshot.tip.map(|tip| tip.as_object()) != tip {
            self.snapshot()?;
        }
        Ok(())
    }

    /// Keeps a snapshot for the next question. Views in memory are dropped when other blobs are denied
    /// now, when one of their segments has become a tombstone, or when compilers have said something else.
    pub(super) fn adopt(&self, mut snapshot: Snapshot) -> Arc<Snapshot> {
        let is_told = |warning: &mut Warning| matches!(warning, Warning::Recovered(_));
        let recovered: Vec<Warning> = snapshot.warnings.extract_if(.., is_told).collect();
        let snapshot = Arc::new(snapshot);
        let mut state = self.state();
        state
            .recovered
            .extend(recovered.iter().map(ToString::to_string));
        let (known, now) = (state.snapshot.ledger(), snapshot.ledger());
        let mut held = state
            .snapshot
            .segments()
            .iter()
            .map(|open| open.id().into());
        let is_refuted = held.any(|id| now.has_tombstone(id) && !known.has_tombstone(id));
        // Graphs are kept with views.
        let is_told = state.snapshot.facts() != snapshot.facts();
        if is_refuted || is_told || !now.denied().eq(known.denied()) {
            state.tree_views.clear();
            state.work_tree = None;
            state.inventories.clear();
            self.learnt.clear();
        }
        state.snapshot = snapshot.clone();
        snapshot
    }

    /// The index as its ref has it now.
    pub(super) fn snapshot(&self) -> Result<Arc<Snapshot>, Error> {
        let known = self.state().snapshot.clone();
        Ok(self.adopt(Snapshot::reopen(&self.repo, &known)?))
    }

    pub(super) fn ensure(
        &self,
        snapshot: &Snapshot,
        keys: &[DocKey],
        progress: &dyn Progress,
    ) -> Result<(Arc<Snapshot>, store::Report), Error> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (snapshot, report) = store::ensure(&self.repo, snapshot, keys, threads, progress)?;
        Ok((self.adopt(snapshot), report))
    }
}
