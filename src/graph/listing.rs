//! The files of two trees beside one another: which were there before, which came and which went.
//!
//! A path can be named where nothing imports it, in languages whose modules have children: a module below a package
//! (`package.module` in Python), a namespace in a namespace. So the names that such a path has count as changed, too.
//! Elsewhere who imports the file has an import that leads elsewhere now, and nobody else can name it.

use super::changed::Changed;
use super::digests::{Reach, reach};
use super::documents::words_of;
use super::numbers::{Numbers, columns};
use super::resolve::Resolver;
use crate::extract::record::{ImportKind, SymbolKind};
use crate::lang;
use crate::modules::paths::{file_name, parent};
use crate::view::live::{FileId, View};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Which files of one tree are which of another.
#[derive(Default)]
pub(super) struct Aligned {
    /// By file: what it was before.
    pub(super) was: Vec<Option<u32>>,
    /// By earlier file: what it is now.
    pub(super) now: Vec<Option<u32>>,
    /// Whether no file came or went.
    pub(super) is_same: bool,
}

impl Aligned {
    /// Of paths as hashes, both in path order.
    pub(super) fn of(before: &[u64], now: &[u64]) -> Self {
        let mut aligned = Self {
            was: vec![None; now.len()],
            now: vec![None; before.len()],
            is_same: before == now,
        };
        let same = |(a, b): &(&u64, &u64)| a == b;
        let front = before.iter().zip(now).take_while(same).count();
        let (old, new) = (&before[front..], &now[front..]);
        let back = old
            .iter()
            .rev()
            .zip(new.iter().rev())
            .take_while(same)
            .count();
        let middle = front..before.len() - back;
        let places = middle.clone().map(|i| (before[i], i));
        let places: FxHashMap<u64, usize> = places.collect();
        for file in 0..now.len() {
            let was = match file {
                file if file < front => Some(file),
                file if file >= now.len() - back => Some(file + before.len() - now.len()),
                file => places.get(&now[file]).copied(),
            };
            if let Some(was) = was {
                aligned.was[file] = Some(was as u32);
                aligned.now[was] = Some(file as u32);
            }
        }
        aligned
    }

    /// Files that were not there before.
    fn came(&self) -> impl Iterator<Item = FileId> + '_ {
        absent(&self.was)
    }

    /// Earlier files that are not there any more.
    pub(super) fn went(&self) -> impl Iterator<Item = FileId> + '_ {
        absent(&self.now)
    }
}

fn absent(of: &[Option<u32>]) -> impl Iterator<Item = FileId> + '_ {
    let all = of.iter().zip((0..).map(FileId));
    all.filter_map(|(there, file)| there.is_none().then_some(file))
}

/// What is said of a file once it is no more, besides names, as flags.
mod flag {
    /// It says what is seen from afar: what a header includes, where modules lie, what fixtures there are.
    pub(super) const FAR: u8 = 1;
}

/// Stands for the folder that is the top of a tree.
const TOP: u32 = u32::MAX;

/// The files of a tree, as far as the next one has to know of those that are no more. It is saved, so it holds hashes,
/// which are all of one size: whether a name is the same is all that is asked.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Listing {
    folders: Folders,
    /// What each file is, see [`flag`].
    flags: Numbers<u8>,
    /// Hashes of the names that others may know a file, its imports, exports and modules by.
    names: Numbers<u64>,
    name_ends: Numbers<u32>,
    /// Hashes of the packages that each says it is of.
    packages: Numbers<u64>,
    package_ends: Numbers<u32>,
}

columns! { Listing:
    folders.of folders.parents folders.paths folders.names
    flags names name_ends packages package_ends
}

impl Listing {
    pub(super) fn of(resolver: &Resolver<'_>) -> Self {
        let (mut flags, mut name_ends, mut package_ends) = (Vec::new(), Vec::new(), Vec::new());
        let mut declared = Declared::default();
        for file in (0..resolver.view.files().len() as u32).map(FileId) {
            flags.push(declared.add(file, resolver));
            name_ends.push(declared.names.len() as u32);
            package_ends.push(declared.packages.len() as u32);
        }
        Self {
            folders: Folders::of(resolver.view),
            flags: flags.into(),
            names: declared.names.into(),
            name_ends: name_ends.into(),
            packages: declared.packages.into(),
            package_ends: package_ends.into(),
        }
    }

    /// The same of a tree of the same paths in which some files hold something else: mostly not a word has changed.
    pub(super) fn after(
        before: &Arc<Self>,
        changed: impl Iterator<Item = FileId>,
        resolver: &Resolver<'_>,
    ) -> Arc<Self> {
        let mut changed = changed;
        let declares_same = |file: FileId| {
            let mut is = Declared::default();
            let flags = is.add(file, resolver);
            (flags, &*is.names, &*is.packages) == before.declared(file)
        };
        match changed.all(declares_same) {
            true => before.clone(),
            false => Arc::new(Self::of(resolver)),
        }
    }

    /// What a file declares: its flags, the names and the packages.
    fn declared(&self, file: FileId) -> (u8, &[u64], &[u64]) {
        let names = &self.names[between(&self.name_ends, file)];
        let packages = &self.packages[between(&self.package_ends, file)];
        (self.flags[file.0 as usize], names, packages)
    }

    /// Whether every column is as long as so many files need it to be.
    pub(super) fn is_sound(&self, files: usize) -> bool {
        let ends = |ends: &[u32], count: usize| {
            ends.len() == files
                && ends.is_sorted()
                && ends.last().map_or(0, |last| *last as usize) == count
        };
        self.folders.is_sound(files)
            && self.flags.len() == files
            && ends(&self.name_ends, self.names.len())
            && ends(&self.package_ends, self.packages.len())
    }

    /// Notes the names of files that came and went; `None` when more may have changed than names say.
    pub(super) fn compare(
        &self,
        aligned: &Aligned,
        resolver: &Resolver<'_>,
        changed: &mut Changed<'_>,
    ) -> Option<()> {
        if aligned.is_same {
            return Some(());
        }
        let stay = Packages::that_stay(aligned, resolver);
        let now = Folders::of(resolver.view);
        let (were, are) = (self.folders.all(), now.all());
        for file in aligned.came() {
            let mut declared = Declared::default();
            let flags = declared.add(file, resolver);
            now.add_missing(file, &were, changed);
            note((flags, &declared.names, &declared.packages), &stay, changed)?;
        }
        for file in aligned.went() {
            self.folders.add_missing(file, &are, changed);
            note(self.declared(file), &stay, changed)?;
        }
        Some(())
    }
}

/// The folders of a tree.
#[derive(Clone, Default, PartialEq)]
struct Folders {
    /// By file, the folder that it lies in, or [`TOP`].
    of: Numbers<u32>,
    /// By folder, the one that it lies in, which comes before it.
    parents: Numbers<u32>,
    /// Hashes of their paths.
    paths: Numbers<u64>,
    /// Hashes of their names.
    names: Numbers<u64>,
}

impl Folders {
    fn of(view: &View) -> Self {
        let mut known: FxHashMap<&[u8], u32> = FxHashMap::default();
        let (mut of, mut parents) = (Vec::new(), Vec::new());
        let (mut paths, mut names) = (Vec::new(), Vec::new());
        let mut missing: Vec<&[u8]> = Vec::new();
        for file in view.files() {
            let mut folder = parent(file.path.as_bytes());
            while !folder.is_empty() && !known.contains_key(folder) {
                missing.push(folder);
                folder = parent(folder);
            }
            let mut at = known.get(folder).copied().unwrap_or(TOP);
            while let Some(folder) = missing.pop() {
                parents.push(at);
                at = paths.len() as u32;
                paths.push(xxh3_64(folder));
                names.push(xxh3_64(file_name(folder)));
                known.insert(folder, at);
            }
            of.push(at);
        }
        Self {
            of: of.into(),
            parents: parents.into(),
            paths: paths.into(),
            names: names.into(),
        }
    }

    /// Hashes of all paths.
    fn all(&self) -> FxHashSet<u64> {
        self.paths.iter().copied().collect()
    }

    /// Notes the names of the folders around a file that are not among `others`.
    fn add_missing(&self, file: FileId, others: &FxHashSet<u64>, changed: &mut Changed<'_>) {
        let mut at = self.of[file.0 as usize];
        while let Some(path) = self.paths.get(at as usize)
            && !others.contains(path)
        {
            changed.add_hash(self.names[at as usize]);
            at = self.parents[at as usize];
        }
    }

    fn is_sound(&self, files: usize) -> bool {
        let count = self.paths.len();
        let is_known = |folder: &u32| *folder == TOP || (*folder as usize) < count;
        let mut parents = self.parents.iter().enumerate();
        self.of.len() == files
            && self.of.iter().all(is_known)
            && (self.parents.len(), self.names.len()) == (count, count)
            && parents.all(|(at, parent)| *parent == TOP || (*parent as usize) < at)
    }
}

/// What files declare, one behind the other.
#[derive(Default)]
struct Declared {
    names: Vec<u64>,
    packages: Vec<u64>,
}

impl Declared {
    /// Adds a file; returns its flags.
    fn add(&mut self, file: FileId, resolver: &Resolver<'_>) -> u8 {
        let mut flags = 0;
        let path = resolver.view.file(file).path.as_bytes();
        if resolver.modules.is_named(file) {
            self.add_path(path);
            let names = resolver.modules.names_elsewhere(file);
            self.names.extend(names.into_iter().map(xxh3_64));
        }
        let Some(doc) = resolver.docs.get(file) else {
            return flags;
        };
        // Its fixtures are found by where it lies, and nothing says which names it takes whole.
        let fixtures = lang::of(doc.lang).naming.fixture_file;
        if !doc.wildcard_imports.is_empty()
            && fixtures.is_some_and(|name| file_name(path) == name.as_bytes())
        {
            flags |= flag::FAR;
        }
        for import in &doc.imports {
            match import.kind {
                ImportKind::Include | ImportKind::Module => flags |= flag::FAR,
                ImportKind::Package => self.packages.push(xxh3_64(&import.specifier)),
                _ => {}
            }
            if reach(doc, import) != Reach::Own {
                let bound = import.bindings.iter().flat_map(|b| [b.imported, b.local]);
                let bound = bound.flatten().map(|name| resolver.names.hash(name));
                self.names.extend(bound);
            }
        }
        let modules = doc.symbols.iter().filter(|s| s.kind == SymbolKind::Module);
        for module in modules {
            let words = words_of(resolver.names.bytes(module.name)).map(xxh3_64);
            self.names.extend(words);
        }
        flags
    }

    /// Adds the names that a path has where it can be named without being imported: of its folder, and its own without
    /// what follows the first dot or the last, also as the name of a module that begins with a capital.
    fn add_path(&mut self, path: &[u8]) {
        self.names.push(xxh3_64(file_name(parent(path))));
        let name = file_name(path);
        let first = memchr::memchr(b'.', name).unwrap_or(name.len());
        let last = memchr::memrchr(b'.', name).unwrap_or(name.len());
        for stem in [&name[..first], &name[..last]] {
            self.names.push(xxh3_64(stem));
            let mut capital = stem.to_vec();
            if let Some(letter) = capital.first_mut() {
                letter.make_ascii_uppercase();
            }
            self.names.push(xxh3_64(&capital));
        }
    }
}

/// What of a column is a file's, by where that of each file ends.
fn between(ends: &[u32], file: FileId) -> Range<usize> {
    let i = file.0 as usize;
    let start = i.checked_sub(1).map_or(0, |before| ends[before]);
    start as usize..ends[i] as usize
}

/// Notes what a file declares that came or went: names, and packages.
fn note(
    (flags, names, packages): (u8, &[u64], &[u64]),
    stay: &Packages,
    changed: &mut Changed<'_>,
) -> Option<()> {
    if flags & flag::FAR != 0 || !packages.iter().all(|package| stay.0.contains(package)) {
        return None;
    }
    names.iter().for_each(|name| changed.add_hash(*name));
    Some(())
}

/// Hashes of the packages that files declare which were there before and still are. Who of these declares another one
/// than before is seen from afar anyway.
struct Packages(FxHashSet<u64>);

impl Packages {
    fn that_stay(aligned: &Aligned, resolver: &Resolver<'_>) -> Self {
        let docs = resolver.docs.iter();
        let stay = docs.filter(|(file, _)| aligned.was[file.0 as usize].is_some());
        let imports = stay.flat_map(|(_, doc)| &doc.imports);
        let packages = imports.filter(|import| import.kind == ImportKind::Package);
        Self(packages.map(|import| xxh3_64(&import.specifier)).collect())
    }
}
