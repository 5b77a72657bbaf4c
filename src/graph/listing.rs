//! The files of two trees beside one another: which were there before, which came and which went.
//!
//! A path can be named where nothing imports it, in languages whose modules have children: a module below a package
//! (`package.module` in Python), a namespace in a namespace. So the names that such a path has count as changed, too.
//! Elsewhere who imports the file has an import that leads elsewhere now, and nobody else can name it.

use super::changed::Changed;
use super::digests::{Reach, reach};
use super::documents::{Documents, Head};
use super::modules::Modules;
use super::resolve::Resolver;
use crate::extract::record::{ImportKind, SymbolKind};
use crate::modules::paths::{file_name, parent};
use crate::view::live::{FileId, View};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

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
    fn went(&self) -> impl Iterator<Item = FileId> + '_ {
        absent(&self.now)
    }
}

fn absent(of: &[Option<u32>]) -> impl Iterator<Item = FileId> + '_ {
    let all = of.iter().zip((0..).map(FileId));
    all.filter_map(|(there, file)| there.is_none().then_some(file))
}

/// The files of a tree, as far as the next one has to know of those that are no more.
pub(super) struct Listing {
    /// All paths, one behind the other.
    paths: Vec<u8>,
    /// Where each ends.
    ends: Vec<u32>,
    heads: Vec<Option<Arc<Head>>>,
}

impl Listing {
    pub(super) fn of(view: &View, docs: &Documents) -> Self {
        let mut listing = Self {
            paths: Vec::new(),
            ends: Vec::with_capacity(view.files().len()),
            heads: Vec::with_capacity(view.files().len()),
        };
        for (file, id) in view.files().iter().zip((0..).map(FileId)) {
            listing.paths.extend_from_slice(file.path.as_bytes());
            listing.ends.push(listing.paths.len() as u32);
            listing
                .heads
                .push(docs.get(id).map(|doc| doc.head().clone()));
        }
        listing
    }

    fn path(&self, file: FileId) -> &[u8] {
        let i = file.0 as usize;
        let start = i.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.paths[start as usize..self.ends[i] as usize]
    }

    /// Notes the names of files that came and went; `None` when more may have changed than names say. `before` is what
    /// was known of modules.
    pub(super) fn compare(
        &self,
        before: &Modules,
        aligned: &Aligned,
        resolver: &Resolver<'_>,
        changed: &mut Changed<'_>,
    ) -> Option<()> {
        if aligned.is_same {
            return Some(());
        }
        let files = resolver.view.files();
        let folder_of = |i: usize| files.get(i).map(|file| parent(file.path.as_bytes()));
        // Files of a folder lie beside one another.
        let add_folders = |path: &[u8], at: Range<usize>, changed: &mut Changed<'_>| {
            let beside = [
                at.start.checked_sub(1).and_then(folder_of),
                folder_of(at.end),
            ];
            let mut folder = parent(path);
            // A folder that no other file lies in came or went, too.
            while !folder.is_empty() && !beside.iter().flatten().any(|of| is_in(of, folder)) {
                changed.add_bytes(file_name(folder));
                folder = parent(folder);
            }
        };
        for file in aligned.came() {
            let (i, path) = (file.0 as usize, resolver.view.file(file).path.as_bytes());
            add_folders(path, i..i + 1, changed);
            if resolver.modules.is_named(file) {
                add_path(path, changed);
            }
            if let Some(doc) = resolver.docs.get(file) {
                self.add_document(doc, aligned, changed)?;
            }
        }
        for file in aligned.went() {
            let path = self.path(file);
            let at = files.partition_point(|other| other.path.as_bytes() < path);
            add_folders(path, at..at, changed);
            if before.is_named(file) {
                add_path(path, changed);
            }
            if let Some(doc) = &self.heads[file.0 as usize] {
                self.add_document(doc, aligned, changed)?;
            }
        }
        Some(())
    }

    /// Notes what a document declares that came or went.
    fn add_document(&self, doc: &Head, aligned: &Aligned, changed: &mut Changed<'_>) -> Option<()> {
        for import in &doc.imports {
            match import.kind {
                // What a header sees, and where modules lie, is seen from afar.
                ImportKind::Include | ImportKind::Module => return None,
                ImportKind::Package if !self.stays(&import.specifier, aligned) => return None,
                _ if reach(doc, import) == Reach::Own => continue,
                _ => {}
            }
            let names = import.bindings.iter().flat_map(|b| [b.imported, b.local]);
            names.flatten().for_each(|name| changed.add_name(name));
        }
        let modules = doc.symbols.iter().filter(|s| s.kind == SymbolKind::Module);
        for module in modules {
            changed.add_words_of(module.name);
        }
        Some(())
    }

    /// Whether a file that was there before and still is declares a package.
    fn stays(&self, package: &[u8], aligned: &Aligned) -> bool {
        let heads = self.heads.iter().zip(&aligned.now);
        let stay = heads.filter_map(|(head, now)| head.as_ref().filter(|_| now.is_some()));
        let mut imports = stay.flat_map(|head| &head.imports);
        imports.any(|import| import.kind == ImportKind::Package && *import.specifier == *package)
    }
}

/// Whether a folder is another or lies in it.
fn is_in(folder: &[u8], other: &[u8]) -> bool {
    let rest = folder.strip_prefix(other);
    rest.is_some_and(|rest| other.is_empty() || rest.is_empty() || rest.starts_with(b"/"))
}

/// Notes the names that a path has: of its folder, and its own without what follows the first dot or the last,
/// also as the name of a module that begins with a capital.
fn add_path(path: &[u8], changed: &mut Changed<'_>) {
    changed.add_bytes(file_name(parent(path)));
    let name = file_name(path);
    let first = memchr::memchr(b'.', name).unwrap_or(name.len());
    let last = memchr::memrchr(b'.', name).unwrap_or(name.len());
    for stem in [&name[..first], &name[..last]] {
        changed.add_bytes(stem);
        let mut capital = stem.to_vec();
        if let Some(letter) = capital.first_mut() {
            letter.make_ascii_uppercase();
        }
        changed.add_bytes(&capital);
    }
}
