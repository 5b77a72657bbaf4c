//! query layer.

pub mod answer;
pub mod engine;
pub mod request;

/// Reports how far indexing has come and whether the caller still wants the answer.
pub trait Progress: Sync {
    /// Called now and then, from any thread: `done` of `total` documents are extracted.
    fn documents(&self, done: usize, total: usize);
    /// Whether to stop early; checked between documents.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Reports nothing and never cancels.
pub struct Quiet;

impl Progress for Quiet {
    fn documents(&self, _done: usize, _total: usize) {}
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Placeholder while the engine is being written.
    #[error("not there yet")]
    Pending,
}

impl Error {
    /// What the asker may do about it, as one sentence; shown apart from the error itself.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Pending => None,
        }
    }
}
