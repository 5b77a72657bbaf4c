//! What was resolved, put into the columns of a graph.

use super::csr::Csr;
use super::edges::{Graph, Lists};
use super::lacking::Lacking;
use super::modules::Resolution;
use super::parallel;
use super::rank;
use super::resolve::{Meaning, Resolver};
use super::reuse::{GONE, Reused};
use super::rule::{Certainty, Rule};
use super::semantics;
use super::table::{SymbolId, SymbolTable};
use crate::extract::record::{ImportKind, SymbolKind};
use crate::lang;
use crate::view::live::FileId;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// One edge that is not in the columns yet.
pub(super) struct NewEdge {
    pub(super) from: Option<SymbolId>,
    pub(super) line: u32,
    pub(super) col: u32,
    pub(super) kind: u8,
    pub(super) rule: Rule,
    pub(super) targets: Targets,
}

/// What the occurrences of a file mean.
#[derive(Default)]
pub(super) struct Referred {
    pub(super) edges: Vec<NewEdge>,
    /// Calls of members that the object does not have: line, column, and what that is.
    pub(super) lacking: Vec<(u32, u32, Lacking)>,
}

/// Where an edge leads.
pub(super) enum Targets {
    /// To one definition, as nearly all do.
    One(SymbolId),
    /// To several that resolution found.
    Found(Box<[SymbolId]>),
    /// To one of a list that many edges share.
    Listed(Arc<[SymbolId]>),
}

/// Stands for the node of a set that is not known yet. No graph has so many.
const UNASKED: u32 = u32::MAX - 1;

/// Sets of candidates, each with the number of its node.
struct Sets {
    symbols: u32,
    by_members: FxHashMap<Vec<SymbolId>, u32>,
    /// The node of each shared list, by its address.
    by_address: FxHashMap<*const SymbolId, u32>,
    /// By node of the earlier graph: the node now; [`UNASKED`] of a set that nobody has asked for yet.
    by_old: Vec<u32>,
    lists: Lists,
}

impl Sets {
    /// The node that an edge leads to; `None` when it leads nowhere.
    fn node(&mut self, targets: Targets) -> Option<u32> {
        match targets {
            Targets::One(found) => Some(found.0),
            Targets::Found(found) => {
                let mut found = found.into_vec();
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

    /// The node now of a target of an earlier graph.
    #[inline]
    fn reused(&mut self, reused: &Reused<'_>, target: u32) -> u32 {
        match self.by_old.get(target as usize) {
            Some(&UNASKED) => self.reused_set(reused, target as usize),
            Some(node) => *node,
            None => GONE,
        }
    }

    fn reused_set(&mut self, reused: &Reused<'_>, target: usize) -> u32 {
        let old = reused.graph;
        let members = old.sets.get(target - old.symbol_count()).iter();
        let members = members.filter_map(|id| reused.id(*id));
        let mut members: Vec<SymbolId> = members.map(SymbolId).collect();
        members.sort_unstable();
        let node = self.of_members(members).unwrap_or(GONE);
        self.by_old[target] = node;
        node
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

/// Puts the edges of all files together; `None` stands for those of a file that are reused.
pub(super) fn assemble(
    resolver: &Resolver<'_>,
    found: impl Iterator<Item = Option<Referred>>,
    reused: Option<&Reused<'_>>,
    threads: usize,
) -> Graph {
    let table = resolver.table;
    let symbols = table.len() as u32;
    let mut graph = Graph {
        symbols: table.offsets.to_vec().into(),
        ..Graph::default()
    };
    let mut sets = Sets {
        symbols,
        by_members: FxHashMap::default(),
        by_address: FxHashMap::default(),
        by_old: reused.map_or_else(Vec::new, |reused| {
            let sets = std::iter::repeat_n(UNASKED, reused.graph.sets.len());
            reused.ids().iter().copied().chain(sets).collect()
        }),
        lists: Lists::default(),
    };
    // No more than occurrences; what is not written to takes no memory, and is given back.
    let count = match reused {
        Some(reused) => reused.graph.edge_count() + reused.graph.edge_count() / 16,
        None => resolver
            .docs
            .iter()
            .map(|(_, doc)| doc.occurrences().len())
            .sum(),
    };
    for column in [
        &mut graph.target,
        &mut graph.from,
        &mut graph.line,
        &mut graph.col,
    ] {
        column.own().reserve(count);
    }
    graph.kind.own().reserve(count);
    graph.rule.own().reserve(count);
    let mut done = 0;
    for (edges, file) in found.zip(0..) {
        if file < done {
            continue;
        }
        if let (None, Some(reused)) = (&edges, reused) {
            done = reuse(&mut graph, &mut sets, reused, file);
            if done > file {
                continue;
            }
        }
        let first = graph.target.len() as u32;
        graph.edges.own().push(first);
        let Some(referred) = edges else {
            continue;
        };
        for edge in referred.edges {
            add(&mut graph, &mut sets, edge);
        }
        for (line, col, of) in referred.lacking {
            let (is_module, of) = match of {
                Lacking::Type(class) => (0, class.0),
                Lacking::Module(module) => (1, module.0),
            };
            graph.lacking.push((file as u32, line, col, is_module, of));
        }
    }
    let first = graph.target.len() as u32;
    graph.edges.own().push(first);
    for column in [
        &mut graph.target,
        &mut graph.from,
        &mut graph.line,
        &mut graph.col,
    ] {
        column.own().shrink_to_fit();
    }
    graph.kind.own().shrink_to_fit();
    graph.rule.own().shrink_to_fit();
    graph.sets = sets.lists;

    let (reversed, depends) = parallel::both(
        threads,
        || (reversed(&graph), Families::of(resolver)),
        || Depends::of(resolver, &graph, reused),
    );
    let ((incoming, sets_of), families) = reversed;
    Graph {
        incoming,
        sets_of,
        imports: depends.imports.into(),
        import_at: depends.import_at,
        import_files: depends.import_files,
        importers: depends.importers,
        depends: depends.depends,
        dependents: depends.dependents,
        rank: depends.rank.into(),
        bases: families.bases,
        derived: families.derived,
        owners: families.owners,
        parts: families.parts,
        overrides: families.overrides,
        overridden: families.overridden,
        ..graph
    }
}

/// Edges by where they lead, and sets by what they hold.
fn reversed(graph: &Graph) -> (Lists, Lists) {
    let nodes = graph.symbol_count() + graph.sets.len();
    let incoming = graph.target.iter().copied().zip(0..);
    let incoming = Lists::from_pairs(nodes, incoming);
    let in_sets: Vec<(u32, u32)> = (0..graph.sets.len())
        .flat_map(|set| graph.sets.get(set).iter().map(move |id| (*id, set as u32)))
        .collect();
    let sets_of = Lists::from_pairs(graph.symbol_count(), in_sets.into_iter());
    (incoming, sets_of)
}

fn add(graph: &mut Graph, sets: &mut Sets, edge: NewEdge) {
    let Some(node) = sets.node(edge.targets) else {
        return;
    };
    graph.target.own().push(node);
    graph
        .from
        .own()
        .push(edge.from.map_or(u32::MAX, |from| from.0));
    graph.line.own().push(edge.line);
    graph.col.own().push(edge.col);
    graph.kind.own().push(edge.kind);
    graph.rule.own().push(edge.rule as u8);
}

/// Adds the edges of the files from one on as an earlier graph has them, as far as they lie side by side there and hold.
/// Returns the first file that is left.
fn reuse(graph: &mut Graph, sets: &mut Sets, reused: &Reused<'_>, first: usize) -> usize {
    let old = reused.graph;
    let (end, was) = (reused.run(first), reused.was(FileId(first as u32)));
    let Some(was) = was.map(|was| was.0 as usize).filter(|_| end > first) else {
        return first;
    };
    let Some(starts) = old.edges.get(was..=was + (end - first)) else {
        return first;
    };
    let (from, to) = (starts[0], starts[end - first]);
    let range = from as usize..to as usize;
    let now = graph.target.len() as u32;
    let starts = starts[..end - first].iter();
    graph
        .edges
        .own()
        .extend(starts.map(|start| start - from + now));
    graph.line.own().extend_from_slice(&old.line[range.clone()]);
    graph.col.own().extend_from_slice(&old.col[range.clone()]);
    graph.kind.own().extend_from_slice(&old.kind[range.clone()]);
    graph.rule.own().extend_from_slice(&old.rule[range.clone()]);
    let from = &old.from[range.clone()];
    match reused.is_numbered_so() {
        true => graph.from.own().extend_from_slice(from),
        false => {
            let now = |from: &u32| reused.id(*from).unwrap_or(GONE);
            graph.from.own().extend(from.iter().map(now));
        }
    }
    let files = was as u32..(was + (end - first)) as u32;
    let begin = old
        .lacking
        .partition_point(|(file, ..)| *file < files.start);
    let lacking = old.lacking[begin..].iter();
    for (file, line, col, is_module, of) in lacking.take_while(|(file, ..)| *file < files.end) {
        let of = match is_module {
            1 => reused.file_now(*of),
            _ => reused.id(*of),
        };
        let file = *file - files.start + first as u32;
        graph
            .lacking
            .extend(of.map(|of| (file, *line, *col, *is_module, of)));
    }
    let target = old.target[range].iter();
    graph
        .target
        .own()
        .extend(target.map(|target| sets.reused(reused, *target)));
    end
}

/// Files of which one surely uses what they define, sorted; itself is none of them.
fn used_by(resolver: &Resolver<'_>, graph: &Graph, file: FileId) -> Vec<u32> {
    let mut used: Vec<u32> = Vec::new();
    for edge in graph.edges_of(file) {
        let rule = Rule::from_code(graph.rule[edge as usize]);
        if rule.is_some_and(|rule| rule.certainty() == Certainty::Resolved) {
            used.extend(graph.targets(edge).map(|id| resolver.table.file(id).0));
        }
    }
    used.sort_unstable();
    used.dedup();
    used.retain(|to| *to != file.0);
    used
}

/// Import statements and what depends on what.
#[derive(Default)]
struct Depends {
    imports: Vec<u32>,
    import_at: Vec<ImportAt>,
    import_files: Lists,
    importers: Lists,
    depends: Lists,
    dependents: Lists,
    rank: Vec<f64>,
}

/// An import statement as the columns have it.
type ImportAt = (u32, u32, u8, u8);

/// What an earlier graph says of a file's imports and of what it depends on, in numbers of files of now.
struct Same<'a> {
    imports: Vec<(ImportAt, Cow<'a, [u32]>)>,
    depends: Cow<'a, [u32]>,
}

impl<'a> Same<'a> {
    /// `None` when it leads to a file that is no more.
    fn of(reused: &Reused<'a>, file: FileId) -> Option<Self> {
        let (old, was) = (reused.graph, reused.was(file)?.0 as usize);
        let (first, end) = (*old.imports.get(was)?, *old.imports.get(was + 1)?);
        let import = |i: u32| {
            let reached = reused.now(old.import_files.get(i as usize))?;
            Some((*old.import_at.get(i as usize)?, reached))
        };
        Some(Self {
            imports: (first..end).map(import).collect::<Option<_>>()?,
            depends: reused.now(old.depends.get(was))?,
        })
    }
}

impl Depends {
    fn of(resolver: &Resolver<'_>, graph: &Graph, reused: Option<&Reused<'_>>) -> Self {
        let files = resolver.docs.len();
        let mut uses: Vec<(u32, u32)> = Vec::new();
        let mut importing: Vec<(u32, u32)> = Vec::new();
        let mut found = Self::default();
        for file in (0..files as u32).map(FileId) {
            found.imports.push(found.import_at.len() as u32);
            let same = reused.filter(|reused| reused.holds(file));
            let same = same.and_then(|reused| Same::of(reused, file));
            if let Some(same) = same {
                uses.extend(same.depends.iter().map(|to| (file.0, *to)));
                for (import, reached) in same.imports {
                    found.import_at.push(import);
                    importing.extend(reached.iter().map(|to| (*to, file.0)));
                    found.import_files.push(reached.iter().copied());
                }
                continue;
            }
            let used = used_by(resolver, graph, file);
            uses.extend(used.iter().map(|to| (file.0, *to)));
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
                let code = import.kind.code();
                found.import_at.push((at as u32, import.line, code, target));
                // `mod x;` says where a part of the program lies, not that this file needs it.
                if import.kind != ImportKind::Module {
                    let others = reached.iter().filter(|to| **to != file);
                    uses.extend(others.map(|to| (file.0, to.0)));
                }
                importing.extend(reached.iter().map(|to| (to.0, file.0)));
                found.import_files.push(reached.iter().map(|to| to.0));
            }
        }
        found.imports.push(found.import_at.len() as u32);
        importing.sort_unstable();
        importing.dedup();
        found.importers = Lists::from_pairs(files, importing.iter().copied());
        uses.sort_unstable();
        uses.dedup();
        found.depends = Lists::from_pairs(files, uses.iter().copied());
        let reversed = uses.iter().map(|(from, to)| (*to, *from));
        found.dependents = Lists::from_pairs(files, reversed);
        found.rank = match reused {
            // Ranks are a function of these pairs alone.
            Some(reused) if reused.graph.depends == found.depends => reused.graph.rank.to_vec(),
            _ => rank::pagerank(&Csr::of_edges(files as u32, &uses), None),
        };
        found
    }
}

/// Bases, subtypes, and members that stand outside of their types.
#[derive(Default)]
struct Families {
    bases: Vec<(u32, u32)>,
    derived: Vec<(u32, u32)>,
    owners: Vec<(u32, u32)>,
    parts: Vec<(u32, u32)>,
    overrides: Vec<(u32, u32)>,
    overridden: Vec<(u32, u32)>,
}

impl Families {
    fn of(resolver: &Resolver<'_>) -> Self {
        let (table, members) = (resolver.table, &resolver.members);
        let mut found = Self::default();
        let based = members.based();
        for id in &based {
            for base in members.bases(*id) {
                found.bases.push((id.0, base.0));
                found.derived.push((base.0, id.0));
            }
        }
        for id in members.outside() {
            let whole = Some(members.canonical(id)).filter(|whole| *whole != id);
            if let Some(class) = members.owner(id).or(whole) {
                found.owners.push((id.0, class.0));
            }
            let is_part = |whole: &SymbolId| {
                let (part, whole) = (table.symbol(id), table.symbol(*whole));
                semantics::is_type(part.kind) && part.name == whole.name
            };
            if let Some(whole) = whole.filter(is_part) {
                found.parts.push((id.0, whole.0));
            }
        }
        for class in based {
            // What a struct embeds calls its own methods, whatever the struct has of their names.
            let embeds = lang::of(table.lang(class)).naming.embeds_types
                && table.symbol(class).kind == SymbolKind::Struct;
            if embeds {
                continue;
            }
            for (name, member) in members.all(class) {
                let bases = members.with_bases(class).skip(1);
                let of_bases = bases.flat_map(|base| members.direct(base, name));
                for of_base in of_bases.filter(|id| may_override(table, member, *id)) {
                    found.overridden.push((member.0, of_base.0));
                    found.overrides.push((of_base.0, member.0));
                }
            }
        }
        for pairs in [
            &mut found.bases,
            &mut found.derived,
            &mut found.overrides,
            &mut found.overridden,
        ] {
            pairs.sort_unstable();
        }
        found
    }
}

/// Whether a member of a type may override one of a base that has its name.
fn may_override(table: &SymbolTable<'_>, member: SymbolId, of_base: SymbolId) -> bool {
    let is_field = |id| {
        let kind = table.symbol(id).kind;
        matches!(kind, SymbolKind::Field | SymbolKind::Constant)
    };
    let hides = lang::of(table.lang(member)).naming.fields_hide_methods;
    !hides || is_field(member) == is_field(of_base)
}

impl Resolver<'_> {
    /// The files that an import statement leads to: those of the submodules that it names, those of
    /// a package that are used, else all of the module.
    fn files_of_import(&self, file: FileId, at: usize, used: &[u32]) -> Vec<FileId> {
        let (Some(Resolution::Found(place)), Some(doc)) =
            (self.resolutions(file).get(at), self.docs.get(file))
        else {
            return Vec::new();
        };
        let import = &doc.imports[at];
        // A namespace that a JavaScript module gives out is no part of the file that is imported.
        let submodules = lang::of(doc.lang).naming.imports_submodules;
        let mut own = import.bindings.is_empty();
        let mut reached: Vec<FileId> = Vec::new();
        for binding in &import.bindings {
            let Some(imported) = binding.imported.filter(|_| submodules) else {
                own = true;
                continue;
            };
            match self.exported_from(place, imported) {
                Meaning::Module(module, _) if module.files != place.files => {
                    reached.extend(module.files);
                }
                _ => own = true,
            }
        }
        if own || reached.is_empty() {
            // A package of many files: those that define what is used here, when any is.
            let is_used = |to: &&FileId| used.binary_search(&to.0).is_ok();
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
