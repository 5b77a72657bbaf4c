//! The files of a view: every path of a tree with the document it is to be read as.
//!
//! Guarantee: a pure function of the tree listing. Deliberately absent: whether a document exists
//! (that is the join with a snapshot, in [`super::live`]).

use super::role::FileRole;
use crate::extract::record::{DocKey, Grammar};
use crate::extract::skip;
use crate::git::path::RepoPath;
use crate::git::tree::{EntryMode, TreeEntry};
use crate::id::{BlobId, DocAddress};
use crate::lang;
use crate::secrets::files;
use crate::store::Ledger;

/// How a path is to be read, decided by its mode and its name alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    /// As a document of this grammar.
    Document(Grammar),
    /// Not at all: the path is that of a file that holds secrets, or holds one itself.
    Secret,
    /// Not at all: the name is that of a lock file or another machine-written listing.
    LockFile,
    /// Not at all: a symbolic link.
    Symlink,
    /// Not at all: a submodule, which is its own repository.
    Submodule,
    /// Not at all: an uncommitted file too large to be looked at.
    TooLarge,
    /// Not at all: the index was told to forget the content.
    Forgotten,
    /// Not at all: this build was made without the grammar.
    NoGrammar,
    /// Not at all: a folder that a sparse checkout leaves out.
    Outside,
}

impl Reading {
    /// Decides for a path.
    pub fn of(path: &RepoPath, mode: EntryMode) -> Self {
        match mode {
            EntryMode::Symlink => Self::Symlink,
            EntryMode::Gitlink => Self::Submodule,
            EntryMode::File | EntryMode::Executable => {
                let name = path.file_name();
                let bytes = path.as_bytes();
                if files::is_secret(bytes) || files::names_secret(bytes) {
                    Self::Secret
                } else if skip::lock_file_name(name) {
                    Self::LockFile
                } else {
                    Self::document(lang::by_file_name(name))
                }
            }
        }
    }

    /// As a grammar, unless this build can read no document of it.
    fn document(grammar: Grammar) -> Self {
        if lang::may_be_built(grammar) {
            Self::Document(grammar)
        } else {
            Self::NoGrammar
        }
    }

    /// Why the path is not read; `None` when it is.
    pub fn skip_label(self) -> Option<&'static str> {
        match self {
            Self::Document(_) => None,
            Self::Secret => Some("likely secret"),
            Self::LockFile => Some("lock file"),
            Self::Symlink => Some("symlink"),
            Self::Submodule => Some("submodule"),
            Self::TooLarge => Some("too large"),
            Self::Forgotten => Some("forgotten"),
            Self::NoGrammar => Some("no grammar built in"),
            Self::Outside => Some("outside of the sparse checkout"),
        }
    }
}

/// One path of a view.
#[derive(Clone, Debug)]
pub struct File {
    /// Where it is.
    pub path: RepoPath,
    /// Its mode in the tree.
    pub mode: EntryMode,
    /// Its content.
    pub blob: BlobId,
    /// How it is to be read.
    pub reading: Reading,
    /// What it is for.
    pub role: FileRole,
    /// Its document; `None` when it is not read or not covered.
    pub doc: Option<DocAddress>,
    /// Whether its content is the work tree's and not the commit's.
    pub dirty: bool,
}

impl File {
    /// Makes the file of a tree entry, not yet joined with any document.
    pub fn new(entry: TreeEntry, dirty: bool) -> Self {
        let reading = Reading::of(&entry.path, entry.mode);
        let role = FileRole::of_path(entry.path.as_bytes());
        Self {
            path: entry.path,
            mode: entry.mode,
            blob: entry.id,
            reading,
            role,
            doc: None,
            dirty,
        }
    }

    /// Makes what stands for a folder that is left out with all that is in it. It has no content of its own: what is in
    /// there makes no difference to who does not look.
    pub fn outside(path: RepoPath, hash: gix::hash::Kind) -> Self {
        let entry = TreeEntry {
            path,
            mode: EntryMode::Gitlink,
            id: BlobId::new(gix::ObjectId::null(hash)),
        };
        Self {
            reading: Reading::Outside,
            ..Self::new(entry, false)
        }
    }

    /// Whether it stands for a folder that is left out.
    pub fn is_outside(&self) -> bool {
        self.reading == Reading::Outside
    }

    /// Whether it should have a document and has none.
    pub fn is_uncovered(&self) -> bool {
        self.doc.is_none() && self.key().is_some()
    }

    /// The tree entry it stands for.
    pub fn entry(&self) -> TreeEntry {
        TreeEntry {
            path: self.path.clone(),
            mode: self.mode,
            id: self.blob,
        }
    }

    /// Key of the document it is to be read as.
    pub fn key(&self) -> Option<DocKey> {
        match self.reading {
            Reading::Document(grammar) => Some(DocKey {
                blob: self.blob,
                grammar,
            }),
            _ => None,
        }
    }
}

/// Marks the files of which nothing may be recorded.
pub fn mark_forgotten(files: &mut [File], ledger: &Ledger) {
    if ledger.denied().len() == 0 {
        return;
    }
    for file in files {
        if file.key().is_some() && ledger.denies(file.blob) {
            file.reading = Reading::Forgotten;
            file.doc = None;
        }
    }
}

/// Returns the distinct document keys of `files`, sorted.
pub fn document_keys(files: &[File]) -> Vec<DocKey> {
    let mut keys: Vec<DocKey> = files.iter().filter_map(File::key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_build_can_read_is_listed_as_such() {
        for grammar in Grammar::ALL {
            let reading = Reading::document(*grammar);
            match reading {
                Reading::Document(asked) => assert_eq!(asked, *grammar),
                other => {
                    assert_eq!(other.skip_label(), Some("no grammar built in"));
                    assert!(!lang::is_built(*grammar));
                }
            }
        }
        let rust = cfg!(feature = "grammar-rust");
        assert_eq!(
            Reading::document(Grammar::Rust) == Reading::NoGrammar,
            !rust
        );
    }
}
