//! The one entry point of the faces: a repository opened for questions.

use super::answer::{
    GcReport, IndexReport, MapAnswer, RefsAnswer, SearchAnswer, StatusAnswer, SymbolAnswer,
};
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

    /// Covers the trees of `revisions` (empty: the work tree's `HEAD`) and publishes the new
    /// segments. `threads` of 0 means one for each core.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn index(
        &self,
        _revisions: &[String],
        _threads: usize,
        _progress: &dyn Progress,
    ) -> Result<IndexReport, Error> {
        Err(Error::Pending)
    }

    /// Compacts the index and drops documents whose blobs nothing reaches.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn gc(&self, _progress: &dyn Progress) -> Result<GcReport, Error> {
        Err(Error::Pending)
    }

    /// Says what the index covers, without extending it.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn status(&self) -> Result<StatusAnswer, Error> {
        Err(Error::Pending)
    }
}
