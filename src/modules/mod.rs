//! What a language's resolver sees of a tree and what it answers: which files a specifier in a file
//! names.
//!
//! Guarantees: a resolver is given paths, the records of documents and the bytes of configuration
//! files, and nothing else, so that what it answers is a function of the tree. A missing or malformed
//! configuration file makes less resolve and nothing fail.
//!
//! Three answers are told apart, since they mean different things to a reader: *found* names files
//! of the tree; *external* is what clearly lies outside (a standard library, a dependency that a
//! manifest names); *unresolved* is what looks like it should be in the tree and is not.
//!
//! Deliberately absent: what the imported names mean inside the module. A resolver ends at files (and
//! the names of inner modules or classes to be walked in them); the symbols are the graph's part.

pub mod config;
pub mod namespaces;
pub mod paths;
pub mod place;
pub(crate) mod prelude;
pub mod tree;

use config::Configs;
use paths::{Layout, Paths};
use place::{Place, Resolution, Site};

use crate::id::FileId;

/// Import resolution of one family of languages in one tree.
pub trait Resolver: Send + Sync {
    /// The module that an import names.
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution;

    /// The module `name` directly below a module: `from pkg import mod` in Python, `a::b` in Rust,
    /// a package or class below a JVM package, a nested namespace. `None` when the name is not a
    /// module of its own, for one when it is a symbol inside the place's files.
    fn child(&self, _layout: Layout<'_>, _place: &Place, _name: &[u8]) -> Option<Place> {
        None
    }

    /// The namespace of a full name, part by part, as code of `from` may write it without an import
    /// (`com.acme.util` in `com.acme.util.Text`). `None` where that is no namespace of the tree, or where namespaces
    /// are symbols.
    fn namespace(&self, _from: FileId, _parts: &[&[u8]]) -> Option<Place> {
        None
    }

    /// Whether it knows children: whether code may name a module below another that it has not imported.
    fn has_children(&self) -> bool {
        false
    }

    /// Names, beside that of its path, that code elsewhere may know a file by without an import: in Rust those of the
    /// library of which it is the root.
    fn known_as(&self, _file: FileId) -> Vec<&[u8]> {
        Vec::new()
    }

    /// Whether what it knows depends on the documents of its family, and not on paths and configuration alone.
    /// Where it does not, it is taken over from tree to tree as long as those are the same.
    fn reads_documents(&self) -> bool {
        true
    }

    /// The files whose top-level names are visible in `file` without an import, itself included:
    /// its Go package, JVM package or namespace. Sorted.
    fn package_of(&self, _paths: &Paths, _file: FileId) -> Option<&[FileId]> {
        None
    }
}

/// Makes the resolver of a tree.
pub type MakeResolver = fn(&mut Configs<'_>) -> Box<dyn Resolver>;

/// Resolution by a rule that needs nothing but the paths of the tree.
pub struct ByPath(pub fn(Layout<'_>, FileId, &[u8]) -> Resolution);

impl Resolver for ByPath {
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        (self.0)(layout, site.from, specifier)
    }

    fn reads_documents(&self) -> bool {
        false
    }
}
