//! Import resolution: which files of the tree a specifier in a file names.
//!
//! Guarantees: a pure function of the view: its paths, its documents' import records and its
//! configuration files. A missing or malformed configuration file makes less resolve and nothing
//! fail. Every answer is of the tree; nothing is looked up on this machine or on the network.
//!
//! Three answers are told apart, since they mean different things to a reader: *found* names files
//! of the tree; *external* is what clearly lies outside (a standard library, a dependency that a
//! manifest names); *unresolved* is what looks like it should be in the tree and is not.
//!
//! Deliberately absent: what the imported names mean inside the module. [`Modules`] ends at files
//! (and the names of inner modules or classes to be walked in them); the symbols are the
//! resolver's part.

mod beam;
mod c;
mod config;
mod dart;
mod described;
mod dotnet;
mod go;
mod javascript;
mod jvm;
mod namespaces;
mod paths;
mod php;
mod python;
mod ruby;
mod rust;
mod simple;
mod swift;
#[cfg(test)]
pub(in crate::graph) mod testing;

use crate::extract::record::{Grammar, Import, ImportKind};
use crate::view::files::Reading;
use crate::view::live::{FileId, View};
use beam::Beam;
use c::C;
use config::Configs;
use dart::Dart;
use dotnet::DotNet;
use go::Go;
use javascript::JavaScript;
use jvm::Jvm;
use paths::{FolderId, Layout, Paths};
use php::Php;
use python::Python;
use ruby::Ruby;
use rust::Rust;
use simple::{OCaml, Terraform};
use swift::Swift;
use xxhash_rust::xxh3::xxh3_64;

/// Import resolution of one view.
pub struct Modules {
    paths: Paths,
    /// Every file, so that a file alone is a slice too.
    own: Vec<FileId>,
    javascript: JavaScript,
    python: Python,
    go: Go,
    rust: Rust,
    jvm: Jvm,
    c: C,
    php: Php,
    ruby: Ruby,
    dotnet: DotNet,
    beam: Beam,
    dart: Dart,
    swift: Swift,
    ocaml: OCaml,
    terraform: Terraform,
}

/// Where an import stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// What kind of import it is.
    pub kind: ImportKind,
    /// The line it stands on, from 1: in Rust, `super` means another module inside an inline one.
    pub line: u32,
}

impl Site {
    /// The site of an import record.
    pub fn of<N>(import: &Import<N>) -> Self {
        Self {
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
    whole: Option<Whole>,
}

/// The larger thing that a place is, so that what lies below it can be found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Whole {
    Folder(FolderId),
    /// A declared package or namespace, of the family its files are of.
    Namespace(u32),
}

impl Place {
    /// A file alone.
    fn file(file: FileId) -> Self {
        Self {
            files: vec![file],
            ..Self::default()
        }
    }

    /// Tells what it is as numbers, which are the same for equal places of views of the same paths.
    pub(in crate::graph) fn describe(&self, tell: &mut dyn FnMut(u64)) {
        tell(match self.whole {
            None => 3,
            Some(Whole::Folder(folder)) => u64::from(folder.0) << 8 | 4,
            Some(Whole::Namespace(id)) => u64::from(id) << 8 | 5,
        });
        tell(self.files.len() as u64);
        for file in &self.files {
            tell(u64::from(file.0));
        }
        for part in &self.inner {
            tell(xxh3_64(part));
        }
    }
}

impl From<Option<FileId>> for Resolution {
    fn from(found: Option<FileId>) -> Self {
        found.map_or(Self::Unresolved, |file| Self::Found(Place::file(file)))
    }
}

/// Whether a record of this kind names another module. [`ImportKind::Export`] and
/// [`ImportKind::Package`] speak of the file itself.
pub fn names_a_module(kind: ImportKind) -> bool {
    !matches!(kind, ImportKind::Export | ImportKind::Package)
}

impl Modules {
    /// Reads what a view says of its modules. `read` gives the bytes of a file of the view and is
    /// called for configuration files only.
    pub fn of(view: &View, read: &mut dyn FnMut(FileId) -> Option<Vec<u8>>) -> Self {
        let paths = Paths::new(view);
        let layout = Layout {
            view,
            paths: &paths,
        };
        let mut configs = Configs::new(layout, read);
        Self {
            own: (0..view.files().len() as u32).map(FileId).collect(),
            javascript: JavaScript::new(&mut configs),
            python: Python::new(&mut configs),
            go: Go::new(&mut configs),
            rust: Rust::new(&mut configs),
            jvm: Jvm::new(layout),
            c: C::new(&mut configs),
            php: Php::new(&mut configs),
            ruby: Ruby::new(&mut configs),
            dotnet: DotNet::new(layout),
            beam: Beam::new(layout),
            dart: Dart::new(&mut configs),
            swift: Swift::new(&mut configs),
            ocaml: OCaml::new(&mut configs),
            terraform: Terraform::new(layout),
            paths,
        }
    }

    fn layout<'a>(&'a self, view: &'a View) -> Layout<'a> {
        Layout {
            view,
            paths: &self.paths,
        }
    }

    /// The module that an import in `from` names.
    ///
    /// # Panics
    /// When `from` is another view's.
    pub fn resolve(&self, view: &View, from: FileId, site: Site, specifier: &[u8]) -> Resolution {
        if !names_a_module(site.kind) || specifier.is_empty() {
            return Resolution::Unresolved;
        }
        let layout = self.layout(view);
        match language(view, from) {
            Grammar::JavaScript
            | Grammar::TypeScript
            | Grammar::Tsx
            | Grammar::Vue
            | Grammar::Svelte => self.javascript.resolve(layout, from, specifier),
            Grammar::Python | Grammar::Notebook => self.python.resolve(layout, from, specifier),
            Grammar::Go => self.go.resolve(layout, from, specifier),
            Grammar::Rust => self.rust.resolve(layout, from, site, specifier),
            Grammar::Java | Grammar::Kotlin | Grammar::Scala => self.jvm.resolve(from, specifier),
            Grammar::C | Grammar::Cpp | Grammar::CHeader => {
                self.c.resolve(layout, from, site, specifier)
            }
            Grammar::Php => self.php.resolve(layout, from, site, specifier),
            Grammar::Ruby => self.ruby.resolve(layout, from, specifier),
            Grammar::CSharp => self.dotnet.resolve(from, specifier),
            Grammar::Elixir => self.beam.resolve(specifier),
            Grammar::Dart => self.dart.resolve(layout, from, specifier),
            Grammar::Swift => self.swift.resolve(specifier),
            Grammar::Lua => simple::lua(layout, from, specifier),
            Grammar::Haskell => simple::haskell(layout, from, specifier),
            Grammar::OCaml | Grammar::OCamlInterface => self.ocaml.resolve(layout, from, specifier),
            Grammar::Zig => simple::zig(layout, from, specifier),
            Grammar::Bash => simple::bash(layout, from, specifier),
            Grammar::Html | Grammar::Css => simple::web(layout, from, specifier),
            Grammar::Hcl => simple::terraform(layout, from, specifier),
            Grammar::Proto => described::proto(layout, from, specifier),
            Grammar::Solidity => described::solidity(layout, from, specifier),
            Grammar::Make => simple::bash(layout, from, specifier),
            Grammar::Nix => described::nix(layout, from, specifier),
            Grammar::PowerShell => described::powershell(layout, from, specifier),
            Grammar::Dockerfile => Resolution::External,
            _ => Resolution::Unresolved,
        }
    }

    /// The module `name` directly below a module: `from pkg import mod` in Python, `a::b` in Rust,
    /// a package or class below a JVM package, a nested namespace. `None` when the name is not a
    /// module of its own, for one when it is a symbol inside the place's files.
    pub fn child(&self, view: &View, place: &Place, name: &[u8]) -> Option<Place> {
        let layout = self.layout(view);
        let Some(first) = place.files.first() else {
            return self.python.child(layout, place, name);
        };
        match (language(view, *first), place.whole) {
            (Grammar::Elixir, _) => self.beam.child(place, name),
            _ if !place.inner.is_empty() => None,
            (Grammar::Python | Grammar::Notebook, _) => self.python.child(layout, place, name),
            (Grammar::Rust, _) => self.rust.child(layout, place, name),
            (Grammar::OCaml | Grammar::OCamlInterface, _) => self.ocaml.child(layout, place, name),
            (Grammar::Java | Grammar::Kotlin | Grammar::Scala, Some(Whole::Namespace(id))) => {
                self.jvm.packages.child(id, name)
            }
            (Grammar::CSharp, Some(Whole::Namespace(id))) => self.dotnet.namespaces.child(id, name),
            (Grammar::Php, Some(Whole::Namespace(id))) => self.php.namespaces.child(id, name),
            _ => None,
        }
    }

    /// The files whose top-level names are visible in `file` without an import, itself included:
    /// its Go package, JVM package or namespace. Sorted.
    ///
    /// # Panics
    /// When `file` is another view's.
    pub fn package_of(&self, file: FileId) -> &[FileId] {
        let own = || std::slice::from_ref(&self.own[file.0 as usize]);
        let found = self.go.package_of(&self.paths, file);
        let found = found.or_else(|| self.jvm.packages.package_of(file));
        let found = found.or_else(|| self.dotnet.namespaces.package_of(file));
        let found = found.or_else(|| self.php.namespaces.package_of(file));
        let found = found.or_else(|| self.swift.package_of(file));
        let found = found.or_else(|| self.dart.package_of(file));
        let folder = self.paths.folder_of(file);
        let found = found.or_else(|| self.terraform.package_of(folder, file));
        found.unwrap_or_else(own)
    }
}

/// The language a file was read as, or would be by its name.
fn language(view: &View, file: FileId) -> Grammar {
    let file = view.file(file);
    match (file.doc, file.reading) {
        (Some(live), _) => view.segment(live.segment).segment.doc(live.doc).lang,
        (None, Reading::Document(grammar)) => grammar,
        _ => Grammar::Text,
    }
}
