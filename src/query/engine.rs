//! The one entry point of the faces: a repository opened for questions.

use super::answer::{MapAnswer, RefsAnswer, SearchAnswer, SymbolAnswer};
use super::request::{MapRequest, RefsRequest, SearchRequest, SymbolRequest};
use super::{Error, Progress};
use std::path::Path;

/// A repository opened for questions. Cheap to ask again: it keeps opened segments and views, and
/// looks before each answer whether commits, checkouts or edits happened meanwhile.
pub struct Engine {}

impl Engine {
    /// Opens the repository that `start` lies in.
    ///
    /// # Errors
    /// When there is no repository or it cannot be read.
    pub fn open(_start: &Path) -> Result<Self, Error> {
        Err(Error::Pending)
    }

    /// Answers `search`.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn search(&self, _request: &SearchRequest, _progress: &dyn Progress) -> Result<SearchAnswer, Error> {
        Err(Error::Pending)
    }

    /// Answers `symbol`.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn symbol(&self, _request: &SymbolRequest, _progress: &dyn Progress) -> Result<SymbolAnswer, Error> {
        Err(Error::Pending)
    }

    /// Answers `refs`.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn refs(&self, _request: &RefsRequest, _progress: &dyn Progress) -> Result<RefsAnswer, Error> {
        Err(Error::Pending)
    }

    /// Answers `map`.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn map(&self, _request: &MapRequest, _progress: &dyn Progress) -> Result<MapAnswer, Error> {
        Err(Error::Pending)
    }
}
