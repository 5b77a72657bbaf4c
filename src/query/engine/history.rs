//! History as seen from a commit, and what it teaches, kept between questions.

use super::{Engine, MAX_VIEWS, State, WindowKey};
use crate::git::history;
use crate::history::window::Window;
use crate::id::CommitId;
use crate::query::diff::risk::Model;
use crate::query::diff::risk::past;
use crate::query::{Error, Progress};
use crate::store;
use std::sync::{Arc, PoisonError};

impl Engine {
    /// History as seen from a commit; none of no commit. Fails when nobody waits for the answer.
    pub(in crate::query) fn window(
        &self,
        commit: Option<CommitId>,
        progress: &dyn Progress,
    ) -> Result<Arc<Window>, Error> {
        let Some(commit) = commit else {
            return Ok(Arc::default());
        };
        let snapshot = self.state().snapshot.clone();
        let key = WindowKey {
            commit,
            log: snapshot.log().ids().to_vec(),
            // A boundary that cannot be read is no boundary to the window either: it says so itself.
            boundary: history::boundary(&self.repo).unwrap_or_default(),
        };
        let known = |state: &State| {
            let found = state.windows.iter().find(|(of, _)| *of == key);
            found.map(|(_, window)| window.clone())
        };
        if let Some(window) = known(&self.state()) {
            return Ok(window);
        }
        // It may be made behind the questions at the moment.
        let _one = self
            .windowing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(window) = known(&self.state()) {
            return Ok(window);
        }
        let window = store::log::window(&self.repo, &snapshot, commit, progress)?;
        let window = Arc::new(window);
        let mut state = self.state();
        // Where only the log or the boundary moved, nobody asks for the old window again.
        state.windows.retain(|(of, _)| of.commit != commit);
        state.windows.insert(0, (key, window.clone()));
        state.windows.truncate(MAX_VIEWS);
        Ok(window)
    }

    /// What a window teaches of which changes are fixed soon after.
    pub(in crate::query) fn risk_model(&self, window: &Arc<Window>) -> Arc<Model> {
        let known = |state: &State| {
            let mut kept = state.models.iter();
            let found = kept.find(|(of, _)| Arc::ptr_eq(of, window));
            found.map(|(_, model)| model.clone())
        };
        if let Some(model) = known(&self.state()) {
            return model;
        }
        let mut objects = self.repo.objects();
        let model = Model::learn(window, &mut |id| past::author(&mut objects, id));
        let model = Arc::new(model);
        let mut state = self.state();
        state.models.insert(0, (window.clone(), model.clone()));
        state.models.truncate(MAX_VIEWS);
        model
    }
}
