//! The model that a repository's configuration asks for.

use super::choice::{Choice, Settings};
use super::endpoint::warn_once;
use super::{Error, Patience, TextModel};
use crate::git::Repo;
use std::path::Path;

/// File in the repository's own folder that remembers which server was told of.
const TOLD: &str = "endpoint";

/// A model that is open, and what to say about it.
pub struct Opened {
    /// The model; none if the embedded one is chosen.
    pub model: Option<Box<dyn TextModel>>,
    /// That code leaves the machine, the first time that it does.
    pub warnings: Vec<String>,
}

/// Calls `ask` with what is configured for `repo`; outside a repository the environment alone counts.
pub fn with_settings<T>(repo: Option<&Repo>, ask: impl FnOnce(&Settings<'_>) -> T) -> T {
    let trusted = repo.filter(|repo| repo.consent.is_given);
    ask(&Settings {
        configured: &|key| repo?.config_str(key),
        variable: &|name| std::env::var_os(name),
        base: trusted.map(|repo| repo.work_dir().unwrap_or(repo.git_dir())),
    })
}

/// Opens the model that is chosen for `repo`, for work on its code.
///
/// `folder` is where the repository's own files of ours are. Errors are those of [`Settings::open`].
pub fn open(repo: &Repo, folder: &Path) -> Result<Opened, Error> {
    with_settings(Some(repo), |settings| {
        let warning = match settings.choice()? {
            Choice::Endpoint(target) => warn_once(&target, &folder.join(TOLD)),
            Choice::Static | Choice::Folder(_) => None,
        };
        Ok(Opened {
            model: settings.open(Patience::Long)?,
            warnings: warning.into_iter().collect(),
        })
    })
}
