//! What a collection keeps, and what may leave the repository: by what entries tell of.

use crate::extract::record::DocKey;
use crate::id::{BlobId, CommitId};

/// What a collection keeps.
#[derive(Clone, Copy)]
pub struct Keep<'a> {
    /// Whether a document is kept.
    pub document: &'a dyn Fn(&DocKey) -> bool,
    /// Whether the trace of a blob is kept.
    pub trace: &'a dyn Fn(BlobId) -> bool,
    /// Whether the document of a commit is kept.
    pub commit: &'a dyn Fn(CommitId) -> bool,
}

/// What an entry of a part tells of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// A blob.
    Blob(BlobId),
    /// A commit.
    Commit(CommitId),
}

/// What may travel to a remote.
#[derive(Clone, Copy)]
pub struct Public<'a> {
    /// Whether what is recorded of a blob may.
    pub blob: &'a dyn Fn(BlobId) -> bool,
    /// Whether what a commit says may.
    pub commit: &'a dyn Fn(CommitId) -> bool,
}

impl Public<'_> {
    /// Whether what is recorded may.
    pub fn allows(&self, subject: Subject) -> bool {
        match subject {
            Subject::Blob(blob) => (self.blob)(blob),
            Subject::Commit(commit) => (self.commit)(commit),
        }
    }
}
