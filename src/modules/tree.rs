//! A tree of files and of what was recorded of them, as resolvers see it.

use crate::id::{FileId, NameId};
use crate::record::{Grammar, Import, Symbol};

/// The files of a tree, in path order.
pub trait Tree: Sync {
    /// How many files there are.
    fn count(&self) -> usize;

    /// Path of a file.
    fn path(&self, file: FileId) -> &[u8];

    /// Whether it is a file, not a symbolic link or a submodule.
    fn is_regular(&self, file: FileId) -> bool;

    /// The file at a path, by search.
    fn at(&self, path: &[u8]) -> Option<FileId>;

    /// Whether only tests use it.
    fn is_test(&self, file: FileId) -> bool;

    /// The language of a file's document, if it has one.
    fn language(&self, file: FileId) -> Option<Grammar>;

    /// The family of that language.
    fn family(&self, file: FileId) -> Option<Grammar>;

    /// What was recorded of a file.
    fn document(&self, file: FileId) -> Option<Box<dyn Document + '_>>;
}

/// What was recorded of a file.
pub trait Document {
    /// Its import records, in order.
    fn imports(&self) -> Box<dyn Iterator<Item = Import<NameId>> + '_>;

    /// Its symbols, in order.
    fn symbols(&self) -> Box<dyn Iterator<Item = Symbol<NameId>> + '_>;

    /// Appends the bytes of a name.
    fn name(&self, name: NameId, out: &mut Vec<u8>);

    /// The name with these bytes, if the documents around it have it.
    fn name_id(&self, bytes: &[u8]) -> Option<NameId>;
}
