//! History as seen from a commit, and what it teaches, kept between questions.
//!
//! A walk along one path asks the log about the commits that it meets and no others, so it needs no window, which puts
//! all commits in order: a process that answers one question has none ([`Sight`]).

use super::{Engine, MAX_VIEWS, State, WindowKey};
use crate::git::{Repo, history};
use crate::history::log::Log;
use crate::history::window::Window;
use crate::id::CommitId;
use crate::query::diff::risk::Model;
use crate::query::diff::risk::past;
use crate::query::history::steps::Steps;
use crate::query::{Error, Progress};
use crate::store::{self, Snapshot};
use std::sync::{Arc, OnceLock, PoisonError};

/// What the log says to a walk that begins at some commit.
pub(in crate::query) struct Sight {
    log: Log,
    window: OnceLock<Arc<Window>>,
    /// What the window is made of, where nobody needed one yet.
    from: Option<(Arc<Repo>, Arc<Snapshot>, CommitId)>,
    /// What lies where in trees.
    pub(in crate::query) steps: Arc<Steps>,
}

impl Sight {
    /// The pieces that are at hand.
    pub(in crate::query) fn log(&self) -> &Log {
        match self.window.get() {
            Some(window) => window.log(),
            None => &self.log,
        }
    }

    /// The window, which is made where there is none.
    pub(in crate::query) fn window(&self) -> &Window {
        self.window.get_or_init(|| {
            let made = self.from.as_ref().map(|(repo, snapshot, commit)| {
                store::log::window_over(repo, snapshot, self.log.clone(), *commit)
            });
            made.map(Arc::new).unwrap_or_default()
        })
    }
}

impl From<Arc<Window>> for Sight {
    fn from(window: Arc<Window>) -> Self {
        Self {
            log: Log::default(),
            window: window.into(),
            from: None,
            steps: Arc::default(),
        }
    }
}

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

    /// The tip of the index as it was opened last.
    pub(in crate::query) fn tip(&self) -> Option<CommitId> {
        self.state().snapshot.tip
    }

    /// What the log says to a walk from a commit. Fails when nobody waits for the answer.
    pub(in crate::query) fn sight(
        &self,
        commit: CommitId,
        progress: &dyn Progress,
    ) -> Result<Sight, Error> {
        // Where question follows question, the window is there or needed soon.
        if !self.serves {
            let snapshot = self.state().snapshot.clone();
            let log = store::log::at_hand(&self.repo, &snapshot);
            if log.find_one(commit).is_some() {
                return Ok(Sight {
                    log,
                    window: OnceLock::new(),
                    from: Some((self.repo.clone(), snapshot, commit)),
                    steps: Arc::default(),
                });
            }
        }
        Ok(Sight {
            steps: self.steps.clone(),
            ..self.window(Some(commit), progress)?.into()
        })
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
