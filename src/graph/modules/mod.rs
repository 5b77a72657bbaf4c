//! Import resolution of a view: the resolver of each language over the view's paths, records and
//! configuration files.

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use crate::git::tree::EntryMode;
use crate::id::{DocId, NameId};
use crate::lang::{self, LANGUAGES};
use crate::modules::config::Configs;
use crate::modules::paths::{Layout, Paths};
pub use crate::modules::place::{Place, Resolution, Site, names_a_module};
use crate::modules::tree::{Document, Tree};
use crate::modules::{MakeResolver, Resolver};
use crate::record::{Grammar, Import, Symbol};
use crate::segment::Segment;
use crate::view::files::Reading;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Import resolution of one view.
#[derive(Clone)]
pub struct Modules {
    paths: Arc<Paths>,
    /// Every file, so that a file alone is a slice too.
    own: Arc<[FileId]>,
    resolvers: Vec<Arc<dyn Resolver>>,
    /// Position of each file's resolver.
    of_file: Arc<[Option<u8>]>,
}

/// Families of languages of which imports are resolved.
fn families() -> Vec<Grammar> {
    let known = LANGUAGES
        .iter()
        .filter(|language| language.resolver.is_some());
    known.map(|language| language.family).collect()
}

impl Modules {
    /// Reads what a view says of its modules. `read` gives the bytes of a file of the view and is
    /// called for configuration files only.
    pub fn of(view: &View, read: &mut dyn FnMut(FileId) -> Option<Vec<u8>>) -> Self {
        let paths = Paths::new(view);
        let layout = Layout {
            tree: view,
            paths: &paths,
        };
        let mut configs = Configs::new(layout, read);
        let families = families();
        let resolvers = families
            .iter()
            .filter_map(|family| lang::of(*family).resolver);
        let resolvers = resolvers
            .map(|make: MakeResolver| Arc::from(make(&mut configs)))
            .collect();
        let files = (0..view.files().len() as u32).map(FileId);
        let of_file = files.clone().map(|file| position(&families, view, file));
        Self {
            of_file: of_file.collect(),
            own: files.collect(),
            resolvers,
            paths: Arc::new(paths),
        }
    }

    /// The same for a view of the same paths and configuration in which some files hold something else. Returns
    /// also for which files it may resolve otherwise.
    pub fn after(
        &self,
        view: &View,
        changed: &[FileId],
        read: &mut dyn FnMut(FileId) -> Option<Vec<u8>>,
    ) -> (Self, Vec<bool>) {
        let families = families();
        let of = |file: &FileId| position(&families, view, *file);
        let is_same = |file: &FileId| of(file) == self.of_file[file.0 as usize];
        if !changed.iter().all(is_same) {
            return (Self::of(view, read), vec![true; self.own.len()]);
        }
        let mut modules = self.clone();
        let mut remade = vec![false; self.resolvers.len()];
        let layout = self.layout(view);
        let mut configs = Configs::new(layout, read);
        for at in changed.iter().filter_map(of).map(usize::from) {
            if remade[at] || !self.resolvers[at].reads_documents() {
                continue;
            }
            if let Some(make) = lang::of(families[at]).resolver {
                modules.resolvers[at] = Arc::from(make(&mut configs));
                remade[at] = true;
            }
        }
        let may_differ = |at: &Option<u8>| at.is_some_and(|at| remade[usize::from(at)]);
        let may_differ = self.of_file.iter().map(may_differ).collect();
        (modules, may_differ)
    }

    fn layout<'a>(&'a self, view: &'a View) -> Layout<'a> {
        Layout {
            tree: view,
            paths: &self.paths,
        }
    }

    fn resolver(&self, file: FileId) -> Option<&dyn Resolver> {
        let at = self.of_file[file.0 as usize]?;
        self.resolvers
            .get(usize::from(at))
            .map(|resolver| &**resolver)
    }

    /// The module that an import names.
    ///
    /// # Panics
    /// When its file is another view's.
    pub fn resolve(&self, view: &View, site: Site, specifier: &[u8]) -> Resolution {
        if !names_a_module(site.kind) || specifier.is_empty() {
            return Resolution::Unresolved;
        }
        let found = self.asked(view, site, specifier);
        found.unwrap_or(Resolution::Unresolved)
    }

    fn asked(&self, view: &View, site: Site, specifier: &[u8]) -> Option<Resolution> {
        let layout = self.layout(view);
        Some(self.resolver(site.from)?.resolve(layout, site, specifier))
    }

    /// The namespace of a full name that a file writes: see [`Resolver::namespace`].
    ///
    /// # Panics
    /// When the file is another view's.
    pub fn namespace(&self, from: FileId, parts: &[&[u8]]) -> Option<Place> {
        self.resolver(from)?.namespace(from, parts)
    }

    /// Tells what a place is as numbers that are the same in every tree; `paths` are those of files.
    pub(super) fn describe(
        &self,
        view: &View,
        paths: &[u64],
        place: &Place,
        tell: &mut dyn FnMut(u64),
    ) {
        let file = |file: FileId| paths.get(file.0 as usize).copied().unwrap_or(0);
        let folder = |folder| xxh3_64(self.paths.path(view, folder));
        place.describe(&file, &folder, tell);
    }

    /// The module `name` directly below a module: see [`Resolver::child`]. A folder that only leads to
    /// modules below it has no files, and is of whatever language knows it.
    pub fn below(&self, view: &View, place: &Place, name: &[u8]) -> Option<Place> {
        let layout = self.layout(view);
        let child = |resolver: &dyn Resolver| {
            let children = resolver.has_children().then_some(resolver)?;
            children.child(layout, place, name)
        };
        match place.files.first() {
            Some(first) => child(self.resolver(*first)?),
            None => self
                .resolvers
                .iter()
                .find_map(|resolver| child(&**resolver)),
        }
    }

    /// Whether code may name a file's module without an import of it.
    ///
    /// # Panics
    /// When the file is another view's.
    pub(super) fn is_named(&self, file: FileId) -> bool {
        self.resolver(file).is_some_and(Resolver::has_children)
    }

    /// Names that code elsewhere may know a file by: see [`Resolver::known_as`].
    ///
    /// # Panics
    /// When the file is another view's.
    pub(super) fn names_elsewhere(&self, file: FileId) -> Vec<&[u8]> {
        let resolver = self.resolver(file);
        resolver.map_or(Vec::new(), |resolver| resolver.known_as(file))
    }

    /// The files whose top-level names are visible in `file` without an import, itself included:
    /// see [`Resolver::package_of`].
    ///
    /// # Panics
    /// When `file` is another view's.
    pub fn package_of(&self, file: FileId) -> &[FileId] {
        let resolver = self.resolver(file);
        let found = resolver.and_then(|resolver| resolver.package_of(&self.paths, file));
        found.unwrap_or_else(|| std::slice::from_ref(&self.own[file.0 as usize]))
    }
}

/// The position of a file's family.
fn position(families: &[Grammar], view: &View, file: FileId) -> Option<u8> {
    let family = lang::of(language(view, file)).family;
    let at = families.iter().position(|known| *known == family);
    at.and_then(|at| u8::try_from(at).ok())
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

impl Tree for View {
    fn count(&self) -> usize {
        self.files().len()
    }

    fn path(&self, file: FileId) -> &[u8] {
        self.file(file).path.as_bytes()
    }

    fn is_regular(&self, file: FileId) -> bool {
        matches!(
            self.file(file).mode,
            EntryMode::File | EntryMode::Executable
        )
    }

    fn at(&self, path: &[u8]) -> Option<FileId> {
        self.file_at(path)
    }

    fn is_test(&self, file: FileId) -> bool {
        self.file(file).role == FileRole::Test
    }

    fn language(&self, file: FileId) -> Option<Grammar> {
        let live = self.file(file).doc?;
        Some(self.segment(live.segment).segment.doc(live.doc).lang)
    }

    fn family(&self, file: FileId) -> Option<Grammar> {
        Some(lang::of(self.language(file)?).family)
    }

    fn document(&self, file: FileId) -> Option<Box<dyn Document + '_>> {
        let live = self.file(file).doc?;
        Some(Box::new(Held {
            segment: &self.segment(live.segment).segment,
            doc: live.doc,
        }))
    }
}

/// A document in its segment.
struct Held<'a> {
    segment: &'a Segment,
    doc: DocId,
}

impl Document for Held<'_> {
    fn imports(&self) -> Box<dyn Iterator<Item = Import<NameId>> + '_> {
        Box::new(self.segment.imports(self.doc))
    }

    fn symbols(&self) -> Box<dyn Iterator<Item = Symbol<NameId>> + '_> {
        Box::new(self.segment.symbols(self.doc))
    }

    fn name(&self, name: NameId, out: &mut Vec<u8>) {
        self.segment.name(name, out);
    }

    fn name_id(&self, bytes: &[u8]) -> Option<NameId> {
        self.segment.name_id(bytes)
    }
}
