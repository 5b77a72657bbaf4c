//! What files and definitions look like from other files, as hashes of 64 bits: where those of two trees
//! are equal, edges are taken over from the graph of the one before ([`super::reuse`]).
//!
//! Guarantee: the hashes of a definition cover that and nothing else, so they stay when lines move and
//! when segments are cut otherwise. The hash of a file's contents covers also the segment that says them.

mod seen;
mod values;

use super::documents::{DocImport, Head};
use super::modules::{Place, Resolution};
use super::resolve::Resolver;
use super::semantics;
use super::table::SymbolId;
use super::value::Value;
use super::{names::Name, parallel};
use crate::extract::record::{ImportKind, SymbolFlags};
use crate::git::tree::EntryMode;
use crate::lang;
use crate::view::files::File;
use crate::view::live::{FileId, View};
use rustc_hash::FxHashMap;
use seen::{FileDigests, Seen};
use std::borrow::Cow;
use std::sync::Arc;
use values::push_taken;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// How far a change of an import or export can be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// Only in the file itself, unless it exports what it imports.
    Own = 0,
    /// Wherever one of its names is used.
    Names = 1,
    /// Anywhere.
    All = 2,
}

/// The digests of a graph. Those of one tree after the other share the columns in which nothing differs.
#[derive(Clone, Debug, Default, PartialEq, bincode::Encode, bincode::Decode)]
pub struct Digests {
    /// Which file each is: its path, what it is there, and whether it has a document.
    pub(super) paths: Vec<u64>,
    /// What each file holds, and which segment says so.
    pub(super) contents: Vec<u64>,
    /// What compilers say of the uses of each file; 0 where none was asked.
    pub(super) told: Vec<u64>,
    /// Whether compilers have listed the definitions of each file.
    pub(super) listed: Vec<bool>,
    /// Whether each file does nothing but pass one module on.
    pub(super) passing: Vec<bool>,
    /// Files that were read for configuration, as in `paths` and `contents`; sorted.
    pub(super) configuration: Vec<(u64, u64)>,
    /// What the imports of each file lead to.
    pub(super) resolutions: Arc<Vec<u64>>,
    /// What each file gives out as its default.
    pub(super) defaults: Arc<Vec<u64>>,
    /// First definition of each file, and one more.
    pub(super) symbols: Arc<Vec<u32>>,
    /// Which definition it is: its file, its containers, name and kind.
    pub(super) identity: Arc<Vec<u64>>,
    /// What is seen by who finds the definition by its name: flags, whether it has members, value.
    pub(super) meaning: Arc<Vec<u64>>,
    /// What is seen by who comes to it otherwise: of which type it is a part, and bases. 0 for most.
    pub(super) shape: Arc<Vec<u64>>,
    /// Hash of its name.
    pub(super) name: Arc<Vec<u64>>,
    /// First import or export of each file, and one more.
    pub(super) imports: Arc<Vec<u32>>,
    /// What each import says.
    pub(super) import: Arc<Vec<u64>>,
    /// A [`Reach`].
    pub(super) reach: Arc<Vec<u8>>,
    /// Where the names of each import end.
    pub(super) name_ends: Arc<Vec<u32>>,
    /// Hashes of the names of imports, of those with [`Reach::Names`].
    pub(super) names: Arc<Vec<u64>>,
}

/// Hash of a tree's paths: graphs that agree in it can be made from one another.
pub(super) fn paths_of(view: &View) -> u64 {
    let bytes: Vec<u8> = view
        .files()
        .iter()
        .flat_map(|file| path_of(file).to_le_bytes())
        .collect();
    xxh3_64(&bytes)
}

/// Which file one is: its path, what it is there, and whether it has a document.
fn path_of(file: &File) -> u64 {
    let mode = match file.mode {
        EntryMode::File | EntryMode::Executable => 0,
        EntryMode::Symlink => 1,
        EntryMode::Gitlink => 2,
    };
    xxh3_64_with_seed(
        file.path.as_bytes(),
        mode << 1 | u64::from(file.doc.is_some()),
    )
}

/// By file, its content and the segment that says what is in it: segments may lie, and are set aside.
fn content_of(view: &View, file: &File) -> u64 {
    let source = view.source(file);
    let source = source.as_ref().map_or(&[][..], |id| id.as_bytes());
    xxh3_64(&[file.blob.as_bytes(), source].concat())
}

/// Digests of an earlier tree.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    pub(super) digests: &'a Digests,
    /// By file: the file there, unless it was none.
    pub(super) was: &'a [Option<u32>],
    /// By file: whether it is not what it was there.
    pub(super) differs: &'a [bool],
    /// Whether it has the same files with the same definitions.
    pub(super) defines_so: bool,
}

/// Files that lie side by side in two trees and say the same in both: a column's part of them is one piece.
struct Same<'a> {
    digests: &'a Digests,
    /// Where they lie in the earlier tree.
    was: std::ops::Range<usize>,
}

impl Before<'_> {
    /// The file there that says the same.
    fn same(&self, file: FileId) -> Option<usize> {
        let i = file.0 as usize;
        self.was[i]
            .filter(|_| !self.differs[i])
            .map(|was| was as usize)
    }
}

impl Digests {
    /// Says which files there are and what each holds.
    pub(super) fn of(view: &View) -> Self {
        let contents = view.files().iter().map(|file| content_of(view, file));
        Self {
            paths: view.files().iter().map(path_of).collect(),
            contents: contents.collect(),
            ..Self::default()
        }
    }

    /// Notes which files were read for configuration.
    pub(super) fn configure(&mut self, files: &[FileId]) {
        let of = |file: &FileId| {
            let i = file.0 as usize;
            (self.paths[i], self.contents[i])
        };
        self.configuration = files.iter().map(of).collect();
        self.configuration.sort_unstable();
        self.configuration.dedup();
    }

    /// The files that hold something else than before; `None` when the paths are others, or when one of them
    /// configures how imports are read.
    pub(super) fn changed_since(&self, before: &Self) -> Option<Vec<FileId>> {
        let is_same = self.paths == before.paths && self.contents.len() == before.contents.len();
        let files = self
            .contents
            .iter()
            .zip(&before.contents)
            .zip((0..).map(FileId));
        let changed = files.filter_map(|((is, was), file)| (is != was).then_some(file));
        let changed: Vec<FileId> = changed.collect();
        let configures = |file: &FileId| {
            let path = self.paths[file.0 as usize];
            let first = before
                .configuration
                .partition_point(|(other, _)| *other < path);
            before
                .configuration
                .get(first)
                .is_some_and(|(other, _)| *other == path)
        };
        (is_same && !changed.iter().any(configures)).then_some(changed)
    }

    /// Says which definition each one is, and what compilers say of the files. The rest follows with
    /// [`Self::see`].
    pub(super) fn begin(
        &mut self,
        resolver: &Resolver<'_>,
        before: Option<Before<'_>>,
        threads: usize,
    ) {
        match before.filter(|before| before.defines_so) {
            Some(Before { digests, .. }) => {
                self.symbols = digests.symbols.clone();
                self.identity = digests.identity.clone();
                self.name = digests.name.clone();
            }
            None => self.number(resolver, before, threads),
        }
        let compiled = &resolver.compiled;
        self.told = compiled.hashes(resolver.view, &self.identity);
        let files = (0..resolver.docs.len() as u32).map(FileId);
        self.listed = files.clone().map(|file| compiled.defines(file)).collect();
        let passes = |file: FileId| resolver.docs.get(file)?.only_passes_on();
        let passed = |file| match before.and_then(|of| Some(of.digests.passing[of.same(file)?])) {
            Some(passed) => passed,
            None => passes(file).is_some(),
        };
        self.passing = files.map(passed).collect();
    }

    /// Says which definition each one is.
    fn number(&mut self, resolver: &Resolver<'_>, before: Option<Before<'_>>, threads: usize) {
        let symbols = resolver.table.len();
        let mut identity = Vec::with_capacity(symbols);
        let mut name = Vec::with_capacity(symbols);
        let changed = changed(resolver.docs.len(), before);
        let paths = &self.paths;
        let parts = parallel::map(&changed, threads, |file| identities(resolver, paths, *file));
        let mut parts = parts.into_iter();
        for piece in pieces(resolver.docs.len(), before) {
            match piece {
                Ok(file) => {
                    identity.extend(parts.next().unwrap_or_default());
                    let symbols = resolver.docs.get(file).map(|doc| &doc.symbols);
                    let names = symbols.into_iter().flatten().map(|s| s.name);
                    name.extend(names.map(|name| resolver.names.hash(name)));
                }
                Err(Same { digests, was }) => {
                    let of = span(&digests.symbols, was);
                    identity.extend_from_slice(&digests.identity[of.clone()]);
                    name.extend_from_slice(&digests.name[of]);
                }
            }
        }
        self.symbols = Arc::new(resolver.table.offsets().to_vec());
        self.identity = Arc::new(identity);
        self.name = Arc::new(name);
    }

    /// Those of some files whose imports lead elsewhere than before, and that did not change themselves.
    pub(super) fn led_elsewhere(
        &self,
        resolver: &Resolver<'_>,
        before: Before<'_>,
        files: &[FileId],
        threads: usize,
    ) -> Vec<FileId> {
        let differ = parallel::map(files, threads, |file| match before.same(*file) {
            Some(was) => before.digests.resolutions[was] != self.resolved(resolver, *file),
            None => false,
        });
        let all = differ.into_iter().zip(files);
        all.filter_map(|(differs, file)| differs.then_some(*file))
            .collect()
    }

    /// Whether the imports of some files of a tree of the same paths lead where they did.
    pub(super) fn lead_so(
        &self,
        resolver: &Resolver<'_>,
        before: &Self,
        files: &[FileId],
        threads: usize,
    ) -> bool {
        let leads_so = |file: &FileId| {
            let was = before.resolutions.get(file.0 as usize);
            was == Some(&self.resolved(resolver, *file))
        };
        parallel::map(files, threads, leads_so)
            .into_iter()
            .all(|so| so)
    }

    /// Says what files and definitions look like from others, once values are known.
    pub(super) fn see(
        &mut self,
        resolver: &Resolver<'_>,
        before: Option<Before<'_>>,
        threads: usize,
    ) {
        let changed = changed(resolver.docs.len(), before);
        let parts = parallel::map(&changed, threads, |file| self.of_file(resolver, *file));
        let looks_so = |before: &Before<'_>| {
            let mut all = changed.iter().zip(&parts);
            before.defines_so && all.all(|(file, part)| before.digests.is_part(*file, part))
        };
        if let Some(Before { digests, .. }) = before.filter(looks_so) {
            self.look_as(digests);
            return;
        }
        let mut parts = parts.into_iter();
        let mut seen = Seen::default();
        for column in [&mut seen.meaning, &mut seen.shape] {
            column.reserve(resolver.table.len());
        }
        for piece in pieces(resolver.docs.len(), before) {
            match piece {
                Ok(_) => seen.push(parts.next().unwrap_or_default()),
                Err(same) => seen.push_same(&same),
            }
        }
        seen.imports.push(seen.import.len() as u32);
        self.resolutions = Arc::new(seen.resolutions);
        self.defaults = Arc::new(seen.defaults);
        self.meaning = Arc::new(seen.meaning);
        self.shape = Arc::new(seen.shape);
        self.imports = Arc::new(seen.imports);
        self.import = Arc::new(seen.import);
        self.reach = Arc::new(seen.reach);
        self.name_ends = Arc::new(seen.name_ends);
        self.names = Arc::new(seen.names);
    }

    /// Takes what all files look like from others from an earlier tree.
    fn look_as(&mut self, before: &Self) {
        self.resolutions = before.resolutions.clone();
        self.defaults = before.defaults.clone();
        self.meaning = before.meaning.clone();
        self.shape = before.shape.clone();
        self.imports = before.imports.clone();
        self.import = before.import.clone();
        self.reach = before.reach.clone();
        self.name_ends = before.name_ends.clone();
        self.names = before.names.clone();
    }

    /// Whether a file looks like this.
    fn is_part(&self, file: FileId, part: &FileDigests) -> bool {
        let at = file.0 as usize;
        let (symbols, imports) = (self.symbols_of(at), self.imports_of(at));
        let names = imports.clone().map(|import| self.names_of(import).len());
        let ends = names.scan(0, |end, count| {
            *end += count as u32;
            Some(*end)
        });
        self.resolutions[at] == part.resolutions
            && self.defaults[at] == part.defaults
            && self.meaning[symbols.clone()] == part.meaning
            && self.shape[symbols] == part.shape
            && self.import[imports.clone()] == part.import
            && self.reach[imports.clone()] == part.reach
            && ends.eq(part.name_ends.iter().copied())
            && imports
                .flat_map(|import| self.names_of(import))
                .eq(&part.names)
    }

    /// The definitions of a file.
    pub(super) fn symbols_of(&self, file: usize) -> std::ops::Range<usize> {
        range(&self.symbols, file)
    }

    /// The imports and exports of a file.
    pub(super) fn imports_of(&self, file: usize) -> std::ops::Range<usize> {
        range(&self.imports, file)
    }

    /// The names that an import is seen by.
    pub(super) fn names_of(&self, import: usize) -> &[u64] {
        let Some(end) = self.name_ends.get(import) else {
            return &[];
        };
        let start = import
            .checked_sub(1)
            .map_or(0, |before| self.name_ends[before]);
        self.names.get(start as usize..*end as usize).unwrap_or(&[])
    }

    /// Whether every column is as long as the others say.
    pub(super) fn is_sound(&self, files: usize, symbols: usize) -> bool {
        let starts = |starts: &[u32], count: usize| {
            starts.len() == files + 1
                && starts.is_sorted()
                && starts.last().is_some_and(|last| *last as usize == count)
        };
        let of_symbols = [&self.identity, &self.meaning, &self.shape, &self.name];
        [
            &self.paths,
            &self.contents,
            &self.told,
            &self.resolutions,
            &self.defaults,
        ]
        .iter()
        .all(|column| column.len() == files)
            && self.listed.len() == files
            && self.passing.len() == files
            && of_symbols.iter().all(|column| column.len() == symbols)
            && starts(&self.symbols, symbols)
            && starts(&self.imports, self.import.len())
            && self.reach.len() == self.import.len()
            && self.name_ends.len() == self.import.len()
            && self.name_ends.is_sorted()
            && self.name_ends.last().map_or(0, |end| *end as usize) == self.names.len()
    }
}

fn range(starts: &[u32], file: usize) -> std::ops::Range<usize> {
    match (starts.get(file), starts.get(file + 1)) {
        (Some(start), Some(end)) => *start as usize..*end as usize,
        _ => 0..0,
    }
}

/// All files in order: each that is not what it was, and between these what is, in one piece.
fn pieces<'a>(
    files: usize,
    before: Option<Before<'a>>,
) -> impl Iterator<Item = Result<FileId, Same<'a>>> {
    let was = move |file: usize| before?.same(FileId(file as u32));
    let mut next = 0;
    std::iter::from_fn(move || {
        let first = next;
        next += 1;
        match (before, (first < files).then(|| was(first))?) {
            (Some(before), Some(place)) => {
                while next < files && was(next) == Some(place + (next - first)) {
                    next += 1;
                }
                Some(Err(Same {
                    digests: before.digests,
                    was: place..place + (next - first),
                }))
            }
            _ => Some(Ok(FileId(first as u32))),
        }
    })
}

/// What some files that lie side by side have, where each begins at one of these starts.
fn span(starts: &[u32], files: std::ops::Range<usize>) -> std::ops::Range<usize> {
    match (starts.get(files.start), starts.get(files.end)) {
        (Some(start), Some(end)) => *start as usize..*end as usize,
        _ => 0..0,
    }
}

/// The files that are not what they were; all of them when nothing was before.
fn changed(files: usize, before: Option<Before<'_>>) -> Vec<FileId> {
    let all = (0..files as u32).map(FileId);
    match before {
        Some(before) => all.filter(|file| before.same(*file).is_none()).collect(),
        None => all.collect(),
    }
}

/// Which definition each symbol of a file is. Definitions that agree in everything are told apart
/// by their order.
fn identities(resolver: &Resolver<'_>, paths: &[u64], file: FileId) -> Vec<u64> {
    let Some(doc) = resolver.docs.get(file) else {
        return Vec::new();
    };
    let mut all: Vec<u64> = Vec::with_capacity(doc.symbols.len());
    let mut seen: FxHashMap<u64, u64> = FxHashMap::default();
    for symbol in &doc.symbols {
        let container = symbol.container.and_then(|i| all.get(i as usize).copied());
        let mut key = Key::default();
        key.push(paths[file.0 as usize]);
        key.push(u64::from(doc.lang.code()) << 8 | u64::from(symbol.kind.code()));
        key.push(container.unwrap_or(0));
        key.push(resolver.names.hash(symbol.name));
        let hash = key.hash();
        let before = seen.entry(hash).or_insert(0);
        all.push(match *before {
            0 => hash,
            times => {
                key.push(times);
                key.hash()
            }
        });
        *before += 1;
    }
    all
}

impl Digests {
    /// What the imports of a file lead to, and where paths begin that no import says.
    fn resolved(&self, resolver: &Resolver<'_>, file: FileId) -> u64 {
        let Some(doc) = resolver.docs.get(file) else {
            return 0;
        };
        let (mut key, mut resolutions) = (Key::default(), Key::default());
        let roots = lang::of(doc.lang).naming.path_roots.iter();
        let roots = roots.map(|root| Cow::Owned(resolver.path_root(file, 0, root)));
        let imports = resolver.resolutions(file).iter().map(Cow::Borrowed);
        for resolution in imports.chain(roots) {
            key.clear();
            self.push_resolution(resolver, &resolution, &mut key);
            resolutions.push(key.hash());
        }
        resolutions.hash()
    }

    fn push_resolution(&self, resolver: &Resolver<'_>, resolution: &Resolution, key: &mut Key) {
        match resolution {
            Resolution::Found(place) => self.push_place(resolver, place, key),
            Resolution::External => key.push(1),
            Resolution::Unresolved => key.push(2),
        }
    }

    fn push_place(&self, resolver: &Resolver<'_>, place: &Place, key: &mut Key) {
        let mut tell = |part| key.push(part);
        resolver
            .modules
            .describe(resolver.view, &self.paths, place, &mut tell);
    }

    fn of_file(&self, resolver: &Resolver<'_>, file: FileId) -> FileDigests {
        let identity = &self.identity;
        let Some(doc) = resolver.docs.get(file) else {
            return FileDigests::default();
        };
        let mut digests = FileDigests::default();
        let mut key = Key::default();
        let mut defaults = Key::default();
        for (symbol, i) in doc.symbols.iter().zip(0..) {
            let id = resolver.table.id(file, i);
            key.clear();
            key.push(u64::from(symbol.flags.0) << 1 | u64::from(resolver.members.has_any(id)));
            key.push(symbol.receiver.map_or(0, |name| resolver.names.hash(name)));
            let is_accessed = resolver.has_accessors(id) && resolver.has_written_accessors(id);
            let is_for_all = resolver.is_for_all(id);
            key.push(
                u64::from(is_for_all) << 2
                    | u64::from(is_accessed) << 1
                    | u64::from(resolver.is_extension(id)),
            );
            if symbol.flags.contains(SymbolFlags::EXTENSION) {
                let of = resolver.extended(id);
                key.push(of.map_or(0, |name| resolver.names.hash(name)));
            }
            self.push_value(resolver, id, &mut key);
            for (of, name) in resolver.literal_names(id).into_iter().flatten() {
                key.push(of.map_or(0, |of| resolver.names.hash(of)));
                key.push(resolver.names.hash(name));
            }
            for (label, value, held) in resolver.seen_by_callers(id) {
                key.push(label.map_or(0, |label| resolver.names.hash(label)));
                self.push_values(
                    resolver,
                    vec![Some(value), Some(held)],
                    Vec::new(),
                    &mut key,
                );
            }
            let mut taken = Vec::new();
            push_taken(resolver.parameters_seen(id), &mut key, &mut taken);
            self.push_values(resolver, taken, Vec::new(), &mut key);
            for value in resolver.functions_seen(id) {
                self.push_values(resolver, vec![Some(value)], Vec::new(), &mut key);
            }
            for (stamp, value) in resolver.seen_in_brackets(id) {
                key.push(stamp);
                self.push_values(resolver, vec![Some(value)], Vec::new(), &mut key);
            }
            // Who is decorated names the decorator, and neither the class of what that gives nor the method.
            if semantics::is_type(symbol.kind) && resolver.is_descriptor(id) {
                key.push(1);
            }
            let meaning = key.hash();
            if symbol.flags.contains(SymbolFlags::DEFAULT) {
                defaults.push(identity[id.index()]);
                defaults.push(meaning);
            }
            digests.meaning.push(meaning);
            digests.shape.push(shape(resolver, identity, id, &mut key));
        }
        digests.defaults = defaults.hash();
        for (import, resolution) in doc.imports.iter().zip(resolver.resolutions(file)) {
            key.clear();
            self.push_resolution(resolver, resolution, &mut key);
            key.push(u64::from(import.kind.code()));
            key.push(xxh3_64(&import.specifier));
            let scope = import.scope.map(|at| resolver.table.id(file, at));
            key.push(scope.map_or(0, |id| identity[id.index()]));
            for binding in &import.bindings {
                let hash = |name: Option<Name>| name.map_or(0, |name| resolver.names.hash(name));
                key.push(hash(binding.imported));
                key.push(hash(binding.local));
            }
            digests.import.push(key.hash());
            let reach = reach(doc, import);
            digests.reach.push(reach as u8);
            if reach == Reach::Names {
                let names = import.bindings.iter().flat_map(|b| [b.imported, b.local]);
                let names = names.flatten().map(|name| resolver.names.hash(name));
                digests.names.extend(names);
            }
            digests.name_ends.push(digests.names.len() as u32);
        }
        digests.resolutions = self.resolved(resolver, file);
        digests
    }
}

/// How far a change of an import of a file can be seen.
pub(super) fn reach(doc: &Head, import: &DocImport) -> Reach {
    let naming = &lang::of(doc.lang).naming;
    let whole = import.bindings.is_empty()
        || import.bindings.iter().any(|b| {
            b.imported.is_none() && (b.local.is_none() || import.kind == ImportKind::Export)
        });
    match import.kind {
        ImportKind::Package | ImportKind::Module | ImportKind::Include => Reach::All,
        ImportKind::Import | ImportKind::Require if !naming.passes_imports_on => {
            match naming.linked {
                true => Reach::All,
                false => Reach::Own,
            }
        }
        _ if whole => Reach::All,
        _ => Reach::Names,
    }
}

fn shape(resolver: &Resolver<'_>, identity: &[u64], id: SymbolId, key: &mut Key) -> u64 {
    let members = &resolver.members;
    let class = members.canonical(id);
    let owner = members.owner(id);
    let has_bases = !members.bases(id).is_empty() || members.has_external_base(id);
    let constructor = (members.has_any(id) || has_bases) && resolver.has_constructor(id);
    if class == id && owner.is_none() && !has_bases && !constructor {
        return 0;
    }
    key.clear();
    key.push(identity[class.index()]);
    key.push(owner.map_or(0, |owner| identity[owner.index()]));
    key.push(u64::from(members.has_external_base(id)) << 1 | u64::from(constructor));
    // All bases of bases, in the order in which they are asked for members.
    for base in members.with_bases(id) {
        key.push(identity[base.index()]);
        key.push(members.rounds(base));
    }
    // Which of its members lie beside those of bases, in no order.
    let beside = members.all(id).map(|(name, _)| name);
    let beside = beside.filter(|name| resolver.lies_beside_bases(id, *name));
    let beside = beside.map(|name| resolver.names.hash(name));
    key.push(beside.fold(0, u64::wrapping_add));
    // And what the type hands to those that are generic.
    for argument in resolver.handed_to_bases(id) {
        match argument {
            Value::Instance(id) => key.push(identity[id.index()]),
            value if let Some((holder, id)) = value.holds() => {
                key.push(3 + holder as u64);
                key.push(identity[id.index()]);
            }
            Value::Parameter(parameter) => {
                key.push(identity[parameter.of.index()]);
                key.push(u64::from(parameter.at) << 1 | u64::from(parameter.is_list));
            }
            Value::Unknown => key.push(0),
            Value::External => key.push(1),
            _ => key.push(2),
        }
    }
    key.hash()
}

/// Numbers to be hashed together.
#[derive(Default)]
struct Key(Vec<u8>);

impl Key {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn push(&mut self, part: u64) {
        self.0.extend_from_slice(&part.to_le_bytes());
    }

    fn hash(&self) -> u64 {
        xxh3_64(&self.0)
    }
}
