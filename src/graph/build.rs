//! Building the graph of a view.

use super::csr::Csr;
use super::documents::Documents;
use super::edges::{Graph, Lists};
use super::guess::Guesses;
use super::includes::Includes;
use super::members::Members;
use super::modules::{Modules, Resolution, Site};
use super::names::Names;
use super::parallel;
use super::rank;
use super::resolve::{Meaning, Resolver};
use super::rule::{Certainty, Rule};
use super::semantics::{CommonNames, Family};
use super::table::{SymbolId, SymbolTable};
use super::values::Values;
use crate::extract::record::ImportKind;
use crate::view::live::{FileId, View};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Builds the graph of a view on so many threads. `read` gives the content of a file; it is asked
/// for configuration files only.
pub fn build(
    view: &View,
    threads: usize,
    read: &mut dyn FnMut(FileId) -> Option<Vec<u8>>,
) -> Graph {
    let names = Names::of(view);
    let docs = Documents::of(view, &names, threads);
    let modules = Modules::of(view, read);
    let table = SymbolTable::of(&docs);
    let files: Vec<FileId> = (0..docs.len() as u32).map(FileId).collect();
    let imports = parallel::map(&files, threads, |file| {
        let imports = docs.get(*file).into_iter().flat_map(|doc| &doc.imports);
        imports
            .map(|import| match import.kind {
                ImportKind::Export | ImportKind::Package => Resolution::Unresolved,
                kind => {
                    let line = import.line;
                    modules.resolve(view, *file, Site { kind, line }, &import.specifier)
                }
            })
            .collect::<Vec<_>>()
    });
    let includes = Includes::of(&docs, &imports, threads);
    let common = CommonNames::of(&names);
    let mut resolver = Resolver {
        view,
        names: &names,
        docs: &docs,
        table: &table,
        modules: &modules,
        imports: &imports,
        includes: &includes,
        common: &common,
        guesses: Guesses::default(),
        members: Members::default(),
        values: Values::default(),
    };
    resolver.members = resolver.collect_members();
    let bases = resolver.collect_bases();
    resolver.members.add_bases(bases);
    resolver.collect_values(threads);
    let found = parallel::map(&files, threads, |file| references(&resolver, *file));
    assemble(&resolver, found)
}

/// One edge in the making.
struct Found {
    from: Option<SymbolId>,
    line: u32,
    col: u32,
    kind: u8,
    rule: Rule,
    targets: Targets,
}

/// Where an edge leads.
enum Targets {
    /// To what resolution found.
    Found(Vec<SymbolId>),
    /// To one of a list that many edges share.
    Listed(Arc<[SymbolId]>),
}

/// Sets of candidates, each with the number of its node.
struct Sets {
    symbols: u32,
    by_members: FxHashMap<Vec<SymbolId>, u32>,
    /// The node of each shared list, by its address.
    by_address: FxHashMap<*const SymbolId, u32>,
    lists: Lists,
}

impl Sets {
    /// The node that an edge leads to; `None` when it leads nowhere.
    fn node(&mut self, targets: Targets) -> Option<u32> {
        match targets {
            Targets::Found(mut found) => {
                found.sort_unstable();
                found.dedup();
                self.of_members(found)
            }
            Targets::Listed(list) => {
                let address = list.as_ptr();
                if let Some(node) = self.by_address.get(&address) {
                    return Some(*node);
                }
                let node = self.of_members(list.to_vec())?;
                self.by_address.insert(address, node);
                Some(node)
            }
        }
    }

    fn of_members(&mut self, members: Vec<SymbolId>) -> Option<u32> {
        if let [] | [_] = *members {
            return members.first().map(|one| one.0);
        }
        let next = self.symbols + self.by_members.len() as u32;
        let lists = &mut self.lists;
        let node = self.by_members.entry(members);
        Some(*node.or_insert_with_key(|members| {
            lists.push(members.iter().map(|id| id.0));
            next
        }))
    }
}

/// Resolves the occurrences of a file.
fn references(resolver: &Resolver<'_>, file: FileId) -> Vec<Found> {
    let Some(doc) = resolver.docs.get(file) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (occurrence, at) in doc.occurrences.iter().zip(0..) {
        let (targets, rule) = match resolver.resolve(file, at) {
            Meaning::Symbols(targets, rule) => (Targets::Found(targets), rule),
            Meaning::Candidates(targets, rule) => (Targets::Listed(targets), rule),
            _ => continue,
        };
        found.push(Found {
            from: occurrence.owner().map(|i| resolver.table.id(file, i)),
            line: occurrence.line,
            col: occurrence.col,
            kind: occurrence.kind.code(),
            rule,
            targets,
        });
    }
    found
}

fn assemble(resolver: &Resolver<'_>, found: Vec<Vec<Found>>) -> Graph {
    let table = resolver.table;
    let symbols = table.len() as u32;
    let mut graph = Graph {
        symbols: table.bases().to_vec(),
        ..Graph::default()
    };
    let mut sets = Sets {
        symbols,
        by_members: FxHashMap::default(),
        by_address: FxHashMap::default(),
        lists: Lists::default(),
    };
    let mut uses: Vec<(u32, u32)> = Vec::new();
    for (edges, file) in found.into_iter().zip(0..) {
        graph.edges.push(graph.target.len() as u32);
        let mut used: Vec<u32> = Vec::new();
        for edge in edges {
            let resolved = edge.rule.certainty() == Certainty::Resolved;
            if let (true, Targets::Found(found)) = (resolved, &edge.targets) {
                used.extend(found.iter().map(|id| table.file(*id).0));
            }
            let Some(node) = sets.node(edge.targets) else {
                continue;
            };
            graph.target.push(node);
            graph.from.push(edge.from.map_or(u32::MAX, |from| from.0));
            graph.line.push(edge.line);
            graph.col.push(edge.col);
            graph.kind.push(edge.kind);
            graph.rule.push(edge.rule as u8);
        }
        used.sort_unstable();
        used.dedup();
        uses.extend(
            used.into_iter()
                .filter(|to| *to != file)
                .map(|to| (file, to)),
        );
    }
    graph.edges.push(graph.target.len() as u32);
    graph.sets = sets.lists;

    let nodes = symbols as usize + graph.sets.len();
    let arriving = graph.target.iter().copied().zip(0..);
    graph.arriving = Lists::from_pairs(nodes, arriving);
    let in_sets: Vec<(u32, u32)> = (0..graph.sets.len())
        .flat_map(|set| graph.sets.get(set).iter().map(move |id| (*id, set as u32)))
        .collect();
    graph.sets_of = Lists::from_pairs(symbols as usize, in_sets.into_iter());
    depend(resolver, &mut graph, uses);
    families(resolver, &mut graph);
    graph
}

/// Import statements and what depends on what.
fn depend(resolver: &Resolver<'_>, graph: &mut Graph, mut uses: Vec<(u32, u32)>) {
    let files = resolver.docs.len();
    let used = uses.clone();
    let mut importing: Vec<(u32, u32)> = Vec::new();
    for file in (0..files as u32).map(FileId) {
        graph.imports.push(graph.import_at.len() as u32);
        let Some(doc) = resolver.docs.get(file) else {
            continue;
        };
        for ((import, resolution), at) in
            doc.imports.iter().zip(resolver.resolutions(file)).zip(0..)
        {
            if matches!(import.kind, ImportKind::Export | ImportKind::Package) {
                continue;
            }
            let (target, reached) = match resolution {
                Resolution::Found(_) => (0, resolver.files_of_import(file, at, &used)),
                Resolution::External => (1, Vec::new()),
                Resolution::Unresolved => (2, Vec::new()),
            };
            graph
                .import_at
                .push((at as u32, import.line, import.kind.code(), target));
            // `mod x;` says where a part of the program lies, not that this file needs it.
            if import.kind != ImportKind::Module {
                let others = reached.iter().filter(|to| **to != file);
                uses.extend(others.map(|to| (file.0, to.0)));
            }
            importing.extend(reached.iter().map(|to| (to.0, file.0)));
            graph.import_files.push(reached.iter().map(|to| to.0));
        }
    }
    graph.imports.push(graph.import_at.len() as u32);
    importing.sort_unstable();
    importing.dedup();
    graph.importers = Lists::from_pairs(files, importing.iter().copied());
    uses.sort_unstable();
    uses.dedup();
    graph.depends = Lists::from_pairs(files, uses.iter().copied());
    graph.dependents = Lists::from_pairs(files, uses.iter().map(|(from, to)| (*to, *from)));
    graph.rank = rank::pagerank(&Csr::of_edges(files as u32, &uses), None);
}

/// Bases, subtypes, and members that stand outside of their types.
fn families(resolver: &Resolver<'_>, graph: &mut Graph) {
    let table = resolver.table;
    for id in table.ids() {
        for base in resolver.members.bases(id) {
            graph.bases.push((id.0, base.0));
            graph.derived.push((base.0, id.0));
        }
        let class = resolver.members.owner(id).or_else(|| {
            let class = resolver.members.canonical(id);
            (class != id).then_some(class)
        });
        if let Some(class) = class {
            graph.owners.push((id.0, class.0));
        }
    }
    for class in table.ids() {
        if resolver.members.bases(class).is_empty() {
            continue;
        }
        for (name, member) in resolver.members.all(class) {
            let bases = resolver.members.with_bases(class).skip(1);
            for of_base in bases.flat_map(|base| resolver.members.direct(base, name)) {
                graph.overrides.push((member.0, of_base.0));
                graph.overridden.push((of_base.0, member.0));
            }
        }
    }
    for pairs in [
        &mut graph.bases,
        &mut graph.derived,
        &mut graph.overrides,
        &mut graph.overridden,
    ] {
        pairs.sort_unstable();
    }
}

impl Resolver<'_> {
    /// The files that an import statement leads to: those of the submodules that it names, those of
    /// a package that are used, else all of the module.
    fn files_of_import(&self, file: FileId, at: usize, used: &[(u32, u32)]) -> Vec<FileId> {
        let (Some(Resolution::Found(place)), Some(doc)) =
            (self.resolutions(file).get(at), self.docs.get(file))
        else {
            return Vec::new();
        };
        let import = &doc.imports[at];
        // A namespace that a JavaScript module gives out is no part of the file that is imported.
        let submodules = Family::of(doc.lang) != Family::JavaScript;
        let mut own = import.bindings.is_empty();
        let mut reached: Vec<FileId> = Vec::new();
        for binding in &import.bindings {
            let Some(imported) = binding.imported else {
                own = true;
                continue;
            };
            match self.exported_from(place, imported) {
                Meaning::Module(module, _) if submodules && module.files != place.files => {
                    reached.extend(module.files);
                }
                _ => own = true,
            }
        }
        if own || reached.is_empty() {
            // A package of many files: those that define what is used here, when any is.
            let is_used = |to: &&FileId| used.binary_search(&(file.0, to.0)).is_ok();
            let needed: Vec<FileId> = match place.files.len() {
                0 | 1 => Vec::new(),
                _ => place.files.iter().filter(is_used).copied().collect(),
            };
            match needed.is_empty() {
                true => reached.extend_from_slice(&place.files),
                false => reached.extend(needed),
            }
        }
        reached.sort_unstable();
        reached.dedup();
        reached
    }
}
