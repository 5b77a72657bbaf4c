//! What of a state others can reach: what files give out that others may import, as the manifests and the habits of
//! the language say ([`Outlet`]), and what these pass on.

use crate::extract::record::{Grammar, Import, ImportKind, SymbolFlags, SymbolKind};
use crate::graph::edges::{Dependency, Graph};
use crate::graph::modules::{Modules, Resolution, Site};
use crate::id::NameId;
use crate::lang::language::Genre;
use crate::lang::liveness::Outlet;
use crate::query::diff::units::{Side, UnitId};
use crate::query::exposure::{self, Manifests, Offer};
use crate::query::inventory::is_callable;
use crate::segment::Segment;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What a file gives to others than the repository.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum Given {
    /// Nothing.
    #[default]
    Nothing,
    /// What it defines under these names.
    Names(FxHashSet<Vec<u8>>),
    /// All that it exports.
    All,
}

/// What of a state others can reach.
pub struct Offered {
    given: Vec<Given>,
    /// The manifest of each file that is part of a package whose entries were found.
    packages: Vec<Option<FileId>>,
    /// Whether nothing is a library, so that files are told of by what they give each other.
    pub is_program: bool,
}

impl Offered {
    /// Judges the files of a view.
    pub fn of(view: &View, graph: &Graph, texts: &mut Texts) -> Self {
        let mut manifests = Manifests::of(view);
        let all = (0..view.files().len() as u32).map(FileId);
        let code: Vec<FileId> = all.filter(|file| is_code(view, *file)).collect();
        let offers: Vec<(FileId, Offer)> = (code.iter())
            .filter_map(|file| Some((*file, manifests.offer(texts, *file)?)))
            .collect();
        let mut walk = Walk {
            view,
            graph,
            given: vec![Given::Nothing; view.files().len()],
            packages: vec![None; view.files().len()],
            queue: Vec::new(),
        };
        // A script beside a program, of which nothing tells who uses it, makes no library.
        let main = main_language(view, &code);
        let is_program = !offers.iter().any(|(file, _)| family(view, *file) == main);
        match is_program {
            true => code.into_iter().for_each(|file| walk.give_all(file)),
            false => walk.begin(&offers, texts),
        }
        if !is_program {
            walk.pass_on(texts);
        }
        Self {
            given: walk.given,
            packages: walk.packages,
            is_program,
        }
    }

    /// Takes what the files of a program give each other for nothing.
    pub fn close_program(&mut self) {
        if self.is_program {
            self.given.fill(Given::Nothing);
        }
    }

    /// Whether a file gives anything to others.
    pub fn is_open(&self, file: FileId) -> bool {
        self.given[file.0 as usize] != Given::Nothing
    }

    /// Whether others can reach a definition.
    pub fn has(&self, side: &Side<'_>, unit: UnitId) -> bool {
        let exported = |at: UnitId| {
            let symbol = side.symbol(at);
            symbol.is_some_and(|symbol| symbol.flags.contains(SymbolFlags::EXPORTED))
        };
        let around: Vec<UnitId> = side.around(unit).collect();
        let of = side.unit(unit);
        if of.container.is_none() && of.kind == SymbolKind::Function && is_underscored(&of.name) {
            return false;
        }
        if side.is_own(unit) {
            return false;
        }
        // What stands in a function is its own.
        let mut outside = around.iter().skip(1);
        if outside.any(|outer| is_callable(side.unit(*outer).kind)) {
            return false;
        }
        match &self.given[side.unit(unit).file.0 as usize] {
            Given::Nothing => false,
            Given::All => side.is_exported(unit),
            Given::Names(names) => around.split_last().is_some_and(|(outer, inner)| {
                names.contains(first_name(&side.unit(*outer).name))
                    && inner.iter().copied().all(exported)
            }),
        }
    }

    /// Whether two files are to others one and the same place: of one package that is entered elsewhere.
    pub fn package(&self, file: FileId) -> Option<FileId> {
        self.packages[file.0 as usize]
    }

    /// Whether a file passes a name on from another file, so that who finds it there still does.
    pub fn passes_on(
        &self,
        (view, graph): (&View, &Graph),
        from: FileId,
        to: FileId,
        name: &[u8],
    ) -> bool {
        if !self.is_open(from) {
            return false;
        }
        let Some(file) = Imports::of(view, graph, from) else {
            return false;
        };
        let mut leading = file.leading();
        leading.any(|(import, dependency)| {
            dependency.files().any(|target| target == to)
                && import.bindings.iter().any(|binding| match binding.local {
                    Some(local) => file.name(local) == name,
                    None => import.kind == ImportKind::Reexport,
                })
        })
    }
}

/// Whether a file is code that the repository exists for, in a language that people program in, or says what the types
/// of such code are where packages name their entries.
pub fn is_code(view: &View, file: FileId) -> bool {
    let language = exposure::language(view, file);
    let is_asked = match view.file(file).role {
        FileRole::Product => true,
        FileRole::Declaration => matches!(language.liveness.outlet, Outlet::Entries(_)),
        _ => false,
    };
    let genre = language.genre;
    view.file(file).doc.is_some() && is_asked && genre.is_code() && genre != Genre::Data
}

/// The part of a name that others ask for: the type that a method is written with.
pub fn first_name(name: &[u8]) -> &[u8] {
    name.split(|b| *b == b'.').next().unwrap_or(name)
}

fn family(view: &View, file: FileId) -> Grammar {
    exposure::language(view, file).family
}

/// The language of most lines, with those that share its modules; text where there is no code.
fn main_language(view: &View, code: &[FileId]) -> Grammar {
    let mut lines: BTreeMap<Grammar, u64> = BTreeMap::new();
    for file in code {
        let doc = view.file(*file).doc;
        let own = doc.map_or(0, |doc| {
            view.segment(doc.segment).segment.doc(doc.doc).lines
        });
        *lines.entry(family(view, *file)).or_default() += u64::from(own);
    }
    let most = lines
        .into_iter()
        .max_by_key(|(family, lines)| (*lines, Reverse(*family)));
    most.map_or(Grammar::Text, |(family, _)| family)
}

/// Whether a name is one that the language itself calls: `__getattr__`.
fn is_underscored(name: &[u8]) -> bool {
    name.len() > 4 && name.starts_with(b"__") && name.ends_with(b"__")
}

/// The imports of a file.
struct Imports<'a> {
    graph: &'a Graph,
    file: FileId,
    segment: &'a Segment,
    all: Vec<Import<NameId>>,
}

impl<'a> Imports<'a> {
    fn of(view: &'a View, graph: &'a Graph, file: FileId) -> Option<Self> {
        let doc = view.file(file).doc?;
        let segment = &view.segment(doc.segment).segment;
        Some(Self {
            graph,
            file,
            segment,
            all: segment.imports(doc.doc).collect(),
        })
    }

    fn name(&self, id: NameId) -> Vec<u8> {
        let mut name = Vec::new();
        self.segment.name(id, &mut name);
        name
    }

    /// Each that leads somewhere, with where.
    fn leading(&self) -> impl Iterator<Item = (&Import<NameId>, Dependency<'_>)> {
        let all = self.graph.dependencies(self.file);
        all.filter_map(|dependency| Some((self.all.get(dependency.import as usize)?, dependency)))
    }
}

/// What a file is asked for while it is found out what it passes on.
enum Asked {
    All,
    Name(Vec<u8>),
}

struct Walk<'a> {
    view: &'a View,
    graph: &'a Graph,
    given: Vec<Given>,
    packages: Vec<Option<FileId>>,
    queue: Vec<(FileId, Asked)>,
}

impl Walk<'_> {
    fn outlet(&self, file: FileId) -> Outlet {
        exposure::language(self.view, file).liveness.outlet
    }

    fn give_all(&mut self, file: FileId) {
        let given = &mut self.given[file.0 as usize];
        if *given != Given::All {
            *given = Given::All;
            self.queue.push((file, Asked::All));
        }
    }

    fn give(&mut self, file: FileId, name: Vec<u8>) {
        let given = &mut self.given[file.0 as usize];
        let is_new = match given {
            Given::All => false,
            Given::Nothing => {
                *given = Given::Names(std::iter::once(name.clone()).collect());
                true
            }
            Given::Names(names) => names.insert(name.clone()),
        };
        if is_new {
            self.queue.push((file, Asked::Name(name)));
        }
    }

    /// Finds the files that others import first.
    fn begin(&mut self, offers: &[(FileId, Offer)], texts: &mut Texts) {
        let view = self.view;
        // By manifest: what it is in and its files; of languages whose manifests say where others come in.
        let mut packages: FxHashMap<FileId, Vec<FileId>> = FxHashMap::default();
        for (file, offer) in offers {
            match (self.outlet(*file), offer) {
                (Outlet::Shown(is_shown), _) => {
                    let parts = view.file(*file).path.as_bytes().split(|b| *b == b'/');
                    let mut stems =
                        parts.map(|part| part.split(|b| *b == b'.').next().unwrap_or(part));
                    if stems.all(is_shown) {
                        self.give_all(*file);
                    }
                }
                (_, Offer::Manifest(manifest)) => {
                    packages.entry(*manifest).or_default().push(*file)
                }
                _ => self.give_all(*file),
            }
        }
        let mut packages: Vec<(FileId, Vec<FileId>)> = packages.into_iter().collect();
        packages.sort_unstable();
        let mut modules = None;
        for (manifest, files) in packages {
            let Some(first) = files.first() else { continue };
            let roots: Vec<FileId> = match self.outlet(*first) {
                Outlet::Declared { root, .. } => (files.iter().copied())
                    .filter(|file| {
                        view.file(*file)
                            .path
                            .as_bytes()
                            .ends_with(&[b"/", root].concat())
                    })
                    .collect(),
                Outlet::Entries(entries) => {
                    let text = texts.get(view, manifest);
                    let text = text.as_ref().map_or(&b""[..], |text| text.bytes());
                    let Some(named) = entries(text) else { continue };
                    // Types are named beside the code.
                    let types = files.iter().copied().filter(|file| {
                        let path = view.file(*file).path.as_bytes();
                        let name = path.rsplit(|b| *b == b'/').next().unwrap_or(path);
                        view.file(*file).role == FileRole::Declaration
                            && memchr::memmem::find(text, name).is_some()
                    });
                    let types: Vec<FileId> = types.collect();
                    let modules = modules.get_or_insert_with(|| {
                        Modules::of(view, &mut |file| {
                            Some(texts.get(view, file)?.bytes().to_vec())
                        })
                    });
                    let site = Site {
                        from: *first,
                        kind: ImportKind::Import,
                        line: 1,
                    };
                    let found =
                        named
                            .iter()
                            .flat_map(|one| match modules.resolve(view, site, one) {
                                Resolution::Found(place) => place.files,
                                _ => Vec::new(),
                            });
                    found
                        .chain(types)
                        .filter(|file| is_code(view, *file))
                        .collect()
                }
                Outlet::Shown(_) => Vec::new(),
            };
            let is_told = !roots.is_empty();
            for file in &files {
                self.packages[file.0 as usize] = is_told.then_some(manifest);
            }
            match is_told {
                true => roots.into_iter().for_each(|file| self.give_all(file)),
                false => files.into_iter().for_each(|file| self.give_all(file)),
            }
        }
    }

    /// Follows what is given out to where it comes from.
    fn pass_on(&mut self, texts: &mut Texts) {
        while let Some((file, asked)) = self.queue.pop() {
            let Some(imports) = Imports::of(self.view, self.graph, file) else {
                continue;
            };
            let outlet = self.outlet(file);
            match asked {
                Asked::All => self.pass_all_on(&imports, outlet, texts),
                Asked::Name(name) => self.pass_name_on(&imports, outlet, name),
            }
        }
    }

    fn pass_all_on(&mut self, imports: &Imports<'_>, outlet: Outlet, texts: &mut Texts) {
        let text = match outlet {
            Outlet::Declared { .. } => texts.get(self.view, imports.file),
            _ => None,
        };
        for (import, dependency) in imports.leading() {
            let is_passed = match (import.kind, outlet) {
                (ImportKind::Reexport, _) => true,
                (ImportKind::Module, Outlet::Declared { mark, .. }) => {
                    let line = text.as_ref().map(|text| text.line(import.line));
                    line.is_some_and(|line| line.trim_ascii_start().starts_with(mark))
                }
                // What a file that others see imports from one that they do not.
                (ImportKind::Import, Outlet::Shown(is_shown)) => {
                    let locals = import.bindings.iter().filter_map(|binding| binding.local);
                    locals
                        .map(|local| imports.name(local))
                        .all(|local| is_shown(&local))
                }
                _ => false,
            };
            if !is_passed {
                continue;
            }
            for target in dependency.files() {
                for binding in &import.bindings {
                    match (binding.imported, import.kind) {
                        (Some(name), _) => self.give(target, imports.name(name)),
                        (None, ImportKind::Import) if binding.local.is_some() => {}
                        (None, _) => self.give_all(target),
                    }
                }
            }
        }
        let exports = imports
            .all
            .iter()
            .filter(|import| import.kind == ImportKind::Export);
        let locals = exports.flat_map(|export| export.bindings.iter().filter_map(|one| one.local));
        let locals: Vec<Vec<u8>> = locals.map(|local| imports.name(local)).collect();
        for local in locals {
            self.follow_import(imports, &local);
        }
    }

    fn pass_name_on(&mut self, imports: &Imports<'_>, outlet: Outlet, name: Vec<u8>) {
        for import in imports
            .all
            .iter()
            .filter(|one| one.kind == ImportKind::Export)
        {
            for binding in &import.bindings {
                let given = binding.imported.map(|imported| imports.name(imported));
                let is_asked = given.as_ref().is_none_or(|given| *given == name);
                if let (true, Some(local)) = (is_asked, binding.local) {
                    let local = imports.name(local);
                    self.give(imports.file, local.clone());
                    self.follow_import(imports, &local);
                }
            }
        }
        for (import, dependency) in imports.leading() {
            let passes = match import.kind {
                ImportKind::Reexport | ImportKind::Module => true,
                ImportKind::Import => matches!(outlet, Outlet::Shown(_)),
                _ => false,
            };
            for binding in import.bindings.iter().filter(|_| passes) {
                let is_asked = match binding.local {
                    Some(local) => imports.name(local) == name,
                    None => import.kind == ImportKind::Reexport,
                };
                for target in dependency.files().filter(|_| is_asked) {
                    match (binding.imported, binding.local) {
                        (Some(imported), _) => self.give(target, imports.name(imported)),
                        (None, Some(_)) => self.give_all(target),
                        (None, None) => self.give(target, name.clone()),
                    }
                }
            }
        }
    }

    /// Gives out what a file imports under a name of its own and exports.
    fn follow_import(&mut self, imports: &Imports<'_>, local: &[u8]) {
        for (import, dependency) in imports.leading() {
            for binding in &import.bindings {
                if binding.local.is_none_or(|id| imports.name(id) != local) {
                    continue;
                }
                for target in dependency.files() {
                    match binding.imported {
                        Some(imported) => self.give(target, imports.name(imported)),
                        None => self.give_all(target),
                    }
                }
            }
        }
    }
}
