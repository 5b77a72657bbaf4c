//! The repository of a session: opened at the first question, and looked at before each further one,
//! because someone may delete, rename, clone or configure it again while the server runs.

use super::serve::describe;
use crate::clean;
use crate::query::engine::{Engine, Standing, Whereabouts};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the server was started, and what is open.
pub(super) struct Place {
    /// As it was given: a relative path stays right when a folder above is renamed.
    given: PathBuf,
    /// As an absolute path, taken at the start: it finds what replaces a folder.
    start: PathBuf,
    engine: Option<Arc<Engine>>,
    /// Where the repository was that was opened last, whether it is open still or not.
    known: Option<Whereabouts>,
    /// What happened to the repository that was open before, until somebody was told.
    lost: Option<Lost>,
}

/// A repository that was open.
struct Lost {
    git_dir: PathBuf,
    standing: Standing,
}

impl Place {
    /// Opens nothing yet.
    pub fn new(dir: &Path) -> Self {
        Self {
            start: std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned()),
            given: dir.to_owned(),
            engine: None,
            known: None,
            lost: None,
        }
    }

    /// Returns the engine, with what the asker should know of a repository that was there before.
    /// A failure is not kept: the repository may be created or mended while the server runs. Fails with
    /// a sentence for the model.
    pub fn engine(&mut self) -> Result<(Arc<Engine>, Option<String>), String> {
        if let Some(known) = &self.known {
            match (known.standing(), &self.engine) {
                (Standing::Same, Some(engine)) => return Ok((Arc::clone(engine), None)),
                (Standing::Same, None) => {}
                // Nobody needs to be told: it is the same one.
                (Standing::Reconfigured, _) => self.engine = None,
                (standing, _) => {
                    let git_dir = known.git_dir().to_owned();
                    self.lost = Some(Lost { git_dir, standing });
                    (self.engine, self.known) = (None, None);
                }
            }
        }
        let from = match self.start.is_dir() {
            true => &self.start,
            false => &self.given,
        };
        let engine = Engine::open(from).map_err(|err| {
            let said = describe(&err.into());
            match &self.lost {
                Some(lost) => format!("the repository at {} is gone; {said}", shown(&lost.git_dir)),
                None => said,
            }
        })?;
        let engine = engine.serving();
        self.engine = Some(Arc::clone(&engine));
        self.known = Some(engine.repo().whereabouts().clone());
        let note = self.lost.take().map(|lost| lost.told(&engine));
        Ok((engine, note))
    }

    /// Returns the engine if one is open, whatever became of its repository.
    pub fn open_engine(&self) -> Option<Arc<Engine>> {
        self.engine.clone()
    }

    /// Takes the engine out, if one is open: the next question opens it again, and is told if its repository is another
    /// by then. To drop it may take a while, as it saves what it has made.
    pub fn close(&mut self) -> Option<Arc<Engine>> {
        self.engine.take()
    }

    /// Forgets the engine; after a panic its caches are not to be trusted.
    pub fn forget(&mut self) {
        self.engine = None;
    }
}

impl Lost {
    /// Says what happened, now that something else is open.
    fn told(&self, engine: &Engine) -> String {
        let (before, now) = (self.git_dir.as_path(), engine.repo().git_dir());
        match before == now {
            true => format!(
                "the repository at {} was replaced since the last question; this speaks of what is there now",
                shown(now)
            ),
            false => format!(
                "the repository at {} is {}; this speaks of the one at {}",
                shown(before),
                match self.standing {
                    Standing::Replaced => "another now",
                    _ => "gone",
                },
                shown(now)
            ),
        }
    }
}

/// Why a question may have failed: its repository went away while it was answered.
pub(super) fn trouble(engine: &Engine) -> Option<String> {
    let is_lost = matches!(engine.standing(), Standing::Gone | Standing::Replaced);
    is_lost.then(|| {
        let at = shown(engine.repo().git_dir());
        format!("the repository at {at} was removed or replaced meanwhile, ask again")
    })
}

fn shown(path: &Path) -> String {
    clean::whole(&path.to_string_lossy())
}
