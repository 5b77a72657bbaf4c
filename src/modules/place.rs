//! What a specifier names, and where it stands.

use super::paths::FolderId;
use crate::id::FileId;
use crate::record::{Import, ImportKind};
use xxhash_rust::xxh3::xxh3_64;

/// Where an import stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// The file it stands in.
    pub from: FileId,
    /// What kind of import it is.
    pub kind: ImportKind,
    /// The line it stands on, from 1: in Rust, `super` means another module inside an inline one.
    pub line: u32,
}

impl Site {
    /// The site of an import record of a file.
    pub fn of<N>(from: FileId, import: &Import<N>) -> Self {
        Self {
            from,
            kind: import.kind,
            line: import.line,
        }
    }
}

/// What an import names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Resolution {
    /// A module of the tree.
    Found(Place),
    /// Something outside of the tree.
    External,
    /// Something that should be in the tree and is not there, or that is not understood.
    Unresolved,
}

/// A module of the tree: the files it is made of and, inside them, the names still to be walked.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Place {
    /// Its files, sorted: one, or all of a Go package, a JVM package or a namespace. Empty for a
    /// folder that only leads to modules below it (a Python namespace package).
    pub files: Vec<FileId>,
    /// Names to be walked from the top level of its files: a Rust inline module or enum, a class
    /// in a Java package, a nested class.
    pub inner: Vec<Vec<u8>>,
    /// What it is as a whole, when that is more than its files.
    pub(crate) whole: Option<Whole>,
}

/// The larger thing that a place is, so that what lies below it can be found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Whole {
    Folder(FolderId),
    /// A declared package or namespace, of the family its files are of.
    Namespace(u32),
}

impl Place {
    /// The same under other numbers of files; `None` when one of them is gone, or it is more than its files.
    pub(crate) fn moved(&self, now: impl Fn(FileId) -> Option<FileId>) -> Option<Self> {
        if self.whole.is_some() {
            return None;
        }
        let files = self.files.iter().map(|file| now(*file));
        Some(Self {
            files: files.collect::<Option<_>>()?,
            inner: self.inner.clone(),
            whole: None,
        })
    }

    /// Its files and inner names; `None` when it is more than these.
    pub(crate) fn parts(&self) -> Option<(&[FileId], &[Vec<u8>])> {
        self.whole.is_none().then_some((&self.files, &self.inner))
    }

    /// What is no more than these files, and names in them.
    pub(crate) fn of_parts(files: Vec<FileId>, inner: Vec<Vec<u8>>) -> Self {
        Self {
            files,
            inner,
            whole: None,
        }
    }

    /// A file alone.
    pub(crate) fn file(file: FileId) -> Self {
        Self {
            files: vec![file],
            ..Self::default()
        }
    }

    /// Tells what it is as numbers. Those of files and folders are told by the caller: what they are numbered as
    /// depends on the other paths of a tree. Namespaces are known by their files.
    pub(crate) fn describe(
        &self,
        file: &dyn Fn(FileId) -> u64,
        folder: &dyn Fn(FolderId) -> u64,
        tell: &mut dyn FnMut(u64),
    ) {
        match self.whole {
            None => tell(3),
            Some(Whole::Folder(of)) => {
                tell(4);
                tell(folder(of));
            }
            Some(Whole::Namespace(_)) => tell(5),
        }
        tell(self.files.len() as u64);
        for of in &self.files {
            tell(file(*of));
        }
        for part in &self.inner {
            tell(xxh3_64(part));
        }
    }
}

impl Resolution {
    /// A file found, or else something that is not of the tree.
    pub(crate) fn or_external(found: Option<FileId>) -> Self {
        found.map_or(Self::External, |file| Self::Found(Place::file(file)))
    }
}

impl From<Option<FileId>> for Resolution {
    fn from(found: Option<FileId>) -> Self {
        found.map_or(Self::Unresolved, |file| Self::Found(Place::file(file)))
    }
}

impl From<Option<Place>> for Resolution {
    fn from(found: Option<Place>) -> Self {
        found.map_or(Self::Unresolved, Self::Found)
    }
}

/// Whether a record of this kind names another module. [`ImportKind::Export`] and
/// [`ImportKind::Package`] speak of the file itself.
pub fn names_a_module(kind: ImportKind) -> bool {
    !matches!(kind, ImportKind::Export | ImportKind::Package)
}
