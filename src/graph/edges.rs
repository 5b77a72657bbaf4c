//! The graph itself: every resolved occurrence as an edge, in columns, readable from both ends.
//!
//! There is one list of edges, in order of the files and places they start from. What arrives at a
//! definition is an index into that list, so the two directions agree. Where an occurrence has several
//! candidates its edge leads to a *set* of definitions, and each set is kept once.

use super::depends::{Depends, ImportAt};
use super::families::Families;
use super::lacking::Lacking;
use super::numbers::{Column, Numbers, columns};
use super::rule::Rule;
use super::table::SymbolId;
use crate::extract::record::{ImportKind, OccurrenceKind};
use crate::view::live::FileId;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Stands for no symbol.
const NONE: u32 = u32::MAX;

/// Lists of numbers, one behind the other.
#[derive(Clone, Debug, Default, PartialEq, bincode::Encode, bincode::Decode)]
pub struct Lists {
    /// Where each list ends.
    pub(super) ends: Numbers<u32>,
    pub(super) items: Numbers<u32>,
}

impl Lists {
    pub(super) fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.own().extend(items);
        let end = self.items.len() as u32;
        self.ends.own().push(end);
    }

    /// Turns pairs of (list, item) into lists, each in order of the pairs.
    pub(super) fn from_pairs(
        lists: usize,
        pairs: impl Iterator<Item = (u32, u32)> + Clone,
    ) -> Self {
        let mut ends = vec![0u32; lists];
        for (list, _) in pairs.clone() {
            ends[list as usize] += 1;
        }
        let mut sum = 0;
        let mut starts = Vec::with_capacity(lists);
        for end in &mut ends {
            starts.push(sum);
            sum += *end;
            *end = sum;
        }
        let mut items = vec![0u32; sum as usize];
        for (list, item) in pairs {
            let at = &mut starts[list as usize];
            items[*at as usize] = item;
            *at += 1;
        }
        Self {
            ends: ends.into(),
            items: items.into(),
        }
    }

    /// One list; empty past the end.
    pub fn get(&self, list: usize) -> &[u32] {
        let Some(end) = self.ends.get(list) else {
            return &[];
        };
        let start = list.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.items.get(start as usize..*end as usize).unwrap_or(&[])
    }

    /// Of each of so many items, the lists that it is in.
    pub(super) fn turned(&self, items: usize) -> Self {
        let of = |list: usize| self.get(list).iter().map(move |item| (*item, list as u32));
        let pairs: Vec<(u32, u32)> = (0..self.len()).flat_map(of).collect();
        Self::from_pairs(items, pairs.into_iter())
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Whether ends do not fall, the last one is that of the items, and every item is below `limit`.
    pub(super) fn is_sound(&self, lists: usize, limit: usize) -> bool {
        self.ends.len() == lists
            && self.ends.is_sorted()
            && self.ends.last().map_or(0, |end| *end as usize) == self.items.len()
            && self.items.iter().all(|item| (*item as usize) < limit)
    }
}

/// One occurrence with what it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The file it stands in.
    pub file: FileId,
    /// The innermost symbol it lies in; `None` at the top of the file.
    pub from: Option<SymbolId>,
    /// Line, from 1.
    pub line: u32,
    /// Byte column, from 0.
    pub col: u32,
    /// How the name is used.
    pub kind: OccurrenceKind,
    /// How it was resolved.
    pub rule: Rule,
}

/// The edges of a graph, whose columns are looked up once: those of a saved graph lie in its bytes.
pub struct EdgeReader<'a> {
    first: &'a [u32],
    from: &'a [u32],
    line: &'a [u32],
    col: &'a [u32],
    kind: &'a [u8],
    rule: &'a [u8],
    /// The file of the edge that was read last.
    file: usize,
}

impl EdgeReader<'_> {
    /// An edge; quickest when they are asked for in their order.
    ///
    /// # Panics
    /// When the number is another graph's.
    pub fn edge(&mut self, edge: u32) -> Edge {
        let i = edge as usize;
        let begun = |file: usize| self.first.get(file).is_some_and(|first| *first <= edge);
        if begun(self.file + 1) || !begun(self.file) {
            // Files behind the last one, or all.
            let skipped = if begun(self.file) { self.file } else { 0 };
            let after = self.first[skipped..].partition_point(|first| *first <= edge);
            self.file = (skipped + after).saturating_sub(1);
        }
        Edge {
            file: FileId(self.file as u32),
            from: Some(self.from[i])
                .filter(|from| *from != NONE)
                .map(SymbolId),
            line: self.line[i],
            col: self.col[i],
            kind: OccurrenceKind::from_code(self.kind[i]).unwrap_or(OccurrenceKind::Read),
            rule: Rule::from_code(self.rule[i]).unwrap_or(Rule::Ambiguous),
        }
    }
}

/// What an import statement leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Files of the repository.
    Found,
    /// Something outside the repository.
    External,
    /// Nothing that is there, although it looks as if it should be.
    Unresolved,
}

/// One import statement of a file, resolved.
#[derive(Clone, Debug)]
pub struct Dependency<'a> {
    /// Position of the import in the document.
    pub import: u32,
    /// Line it stands on.
    pub line: u32,
    /// What kind of statement it is.
    pub kind: ImportKind,
    /// What it leads to.
    pub target: Target,
    files: &'a [u32],
}

impl Dependency<'_> {
    /// The files it leads to, in path order.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FileId> + '_ {
        self.files.iter().map(|file| FileId(*file))
    }
}

/// A call of a member that the object does not have: file, line, column, 1 if the object is a module, and its file or type.
pub(super) type LackingAt = (u32, u32, u32, u8, u32);

/// The resolved references and imports of a view.
#[derive(Clone, Debug, Default, bincode::Encode, bincode::Decode)]
pub struct Graph {
    /// Number of each file's first symbol, and the count.
    pub(super) symbols: Numbers<u32>,
    /// Number of each file's first edge, and the count.
    pub(super) edges: Numbers<u32>,
    pub(super) from: Numbers<u32>,
    /// A symbol, or, from the number of symbols on, a set.
    pub(super) target: Numbers<u32>,
    pub(super) line: Numbers<u32>,
    pub(super) col: Numbers<u32>,
    pub(super) kind: Numbers<u8>,
    pub(super) rule: Numbers<u8>,
    /// Members of each set.
    pub(super) sets: Lists,
    /// Edges that arrive at each symbol, then at each set.
    pub(super) incoming: Lists,
    /// Sets that each symbol is in.
    pub(super) sets_of: Lists,
    /// Number of each file's first import, and the count.
    pub(super) imports: Numbers<u32>,
    /// Position in the document, line, kind, target of each import.
    pub(super) import_at: Arc<Vec<ImportAt>>,
    /// Files of each import.
    pub(super) import_files: Lists,
    /// Files that each file depends on, sorted: those its imports lead to, and those that define
    /// what it uses.
    pub(super) depends: Lists,
    /// Files that depend on each file, sorted.
    pub(super) dependents: Lists,
    /// Bases of each type, as (type, base), sorted.
    pub(super) bases: Arc<Vec<(u32, u32)>>,
    /// The same the other way round, as (base, type), sorted.
    pub(super) derived: Arc<Vec<(u32, u32)>>,
    /// The type of members that stand outside of it, as (member, type), sorted.
    pub(super) owners: Arc<Vec<(u32, u32)>>,
    /// Parts of types and the part that stands for all of each type, as (part, whole), sorted.
    pub(super) parts: Arc<Vec<(u32, u32)>>,
    /// Members and those of a base that they override, as (member, of the base), sorted.
    pub(super) overridden: Arc<Vec<(u32, u32)>>,
    /// The same the other way round, sorted.
    pub(super) overrides: Arc<Vec<(u32, u32)>>,
    /// Calls of members that the object does not have, in order of file and place.
    pub(super) lacking: Arc<Vec<LackingAt>>,
    /// Files with an import that leads to each file, sorted.
    pub(super) importers: Lists,
    /// PageRank of each file; they sum to 1.
    pub(super) rank: Numbers<f64>,
    /// Sets that came to those of the graph that was put together of all files, see [`super::splice`].
    pub(super) loose: u32,
}

/// Equal when all edges of one have the same candidates in the other, however sets are numbered.
impl PartialEq for Graph {
    fn eq(&self, other: &Self) -> bool {
        let same_targets = || {
            let edges = 0..self.edge_count() as u32;
            edges
                .into_iter()
                .all(|edge| self.targets(edge).eq(other.targets(edge)))
        };
        let same_incoming = || {
            let mut ids = (0..self.symbol_count() as u32).map(SymbolId);
            ids.all(|id| self.incoming(id) == other.incoming(id))
        };
        self.symbols == other.symbols
            && self.edges == other.edges
            && self.from == other.from
            && self.line == other.line
            && self.col == other.col
            && self.kind == other.kind
            && self.rule == other.rule
            && self.imports == other.imports
            && self.import_at == other.import_at
            && self.import_files == other.import_files
            && self.depends == other.depends
            && self.dependents == other.dependents
            && self.bases == other.bases
            && self.derived == other.derived
            && self.owners == other.owners
            && self.parts == other.parts
            && self.overridden == other.overridden
            && self.overrides == other.overrides
            && self.lacking == other.lacking
            && self.importers == other.importers
            && self.rank == other.rank
            && same_targets()
            && same_incoming()
    }
}

columns! { Graph:
    symbols edges from target line col kind rule imports rank
    sets.ends sets.items incoming.ends incoming.items sets_of.ends sets_of.items
    import_files.ends import_files.items depends.ends depends.items dependents.ends dependents.items
    importers.ends importers.items
}

impl Graph {
    /// The graph of which the edges are known, with the rest.
    pub(super) fn completed(self, depends: Depends, families: Families) -> Self {
        let mut graph = Self {
            imports: depends.imports,
            import_at: depends.import_at,
            import_files: depends.import_files,
            importers: depends.importers,
            depends: depends.depends,
            dependents: depends.dependents,
            rank: depends.rank,
            bases: families.bases,
            derived: families.derived,
            owners: families.owners,
            parts: families.parts,
            overrides: families.overrides,
            overridden: families.overridden,
            ..self
        };
        // The next graph has most columns from this one.
        graph.columns_mut().into_iter().for_each(Column::share);
        graph
    }

    /// Number of files.
    pub fn files(&self) -> usize {
        self.symbols.len().saturating_sub(1)
    }

    /// Number of definitions.
    pub fn symbol_count(&self) -> usize {
        self.symbols.last().map_or(0, |last| *last as usize)
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.target.len()
    }

    /// The definition at a position of a file's document; `None` past the end.
    pub fn symbol(&self, file: FileId, position: usize) -> Option<SymbolId> {
        let i = file.0 as usize;
        let id = self.symbols.get(i)?.checked_add(position as u32)?;
        (id < *self.symbols.get(i + 1)?).then_some(SymbolId(id))
    }

    /// Number of definitions of a file.
    pub fn symbols_of(&self, file: FileId) -> usize {
        let i = file.0 as usize;
        match (self.symbols.get(i), self.symbols.get(i + 1)) {
            (Some(first), Some(after)) => after.saturating_sub(*first) as usize,
            _ => 0,
        }
    }

    /// The file of a definition and its position in the document.
    pub fn place(&self, id: SymbolId) -> (FileId, usize) {
        let after = self.symbols.partition_point(|base| *base <= id.0);
        let file = after.saturating_sub(1);
        let base = self.symbols.get(file).copied().unwrap_or(0);
        (FileId(file as u32), (id.0.saturating_sub(base)) as usize)
    }

    /// An edge.
    ///
    /// # Panics
    /// When the number is another graph's.
    pub fn edge(&self, edge: u32) -> Edge {
        self.reader().edge(edge)
    }

    /// Reads edges one after another, for who asks for many.
    pub fn reader(&self) -> EdgeReader<'_> {
        EdgeReader {
            first: &self.edges,
            from: &self.from,
            line: &self.line,
            col: &self.col,
            kind: &self.kind,
            rule: &self.rule,
            file: 0,
        }
    }

    /// The candidates of an edge, sorted: one when its rule is sure and the name is defined once.
    pub fn targets(&self, edge: u32) -> impl ExactSizeIterator<Item = SymbolId> + '_ {
        let target = &self.target[edge as usize..=edge as usize];
        let set = (target[0] as usize).checked_sub(self.symbol_count());
        set.map_or(target, |set| self.sets.get(set))
            .iter()
            .map(|id| SymbolId(*id))
    }

    /// The number of the set of definitions that an edge may lead to, where it may lead to several.
    pub fn set_of(&self, edge: u32) -> Option<u32> {
        let target = *self.target.get(edge as usize)?;
        target.checked_sub(self.symbol_count() as u32)
    }

    /// The definitions of a set, sorted.
    pub fn of_set(&self, set: u32) -> impl ExactSizeIterator<Item = SymbolId> + '_ {
        let all = self.sets.get(set as usize).iter();
        all.map(|id| SymbolId(*id))
    }

    /// The sets that a definition is in.
    pub fn sets_of(&self, id: SymbolId) -> &[u32] {
        self.sets_of.get(id.index())
    }

    /// Edges that may lead to any definition of a set.
    pub fn incoming_of_set(&self, set: u32) -> &[u32] {
        self.incoming.get(self.symbol_count() + set as usize)
    }

    /// Edges that lead to a definition and may lead to no other.
    pub fn incoming_alone(&self, id: SymbolId) -> &[u32] {
        self.incoming.get(id.index())
    }

    /// Edges that may lead to any of some definitions, each once, in order of file and place. Of many definitions of one
    /// name it takes as long as of one.
    pub fn incoming_of(&self, ids: &[SymbolId]) -> Vec<u32> {
        let mut sets: Vec<u32> = ids
            .iter()
            .flat_map(|id| self.sets_of(*id))
            .copied()
            .collect();
        sets.sort_unstable();
        sets.dedup();
        let alone = ids.iter().flat_map(|id| self.incoming_alone(*id));
        let of_sets = sets.iter().flat_map(|set| self.incoming_of_set(*set));
        let mut found: Vec<u32> = alone.chain(of_sets).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Edges that start in a file, in source order.
    pub fn edges_of(&self, file: FileId) -> std::ops::Range<u32> {
        let i = file.0 as usize;
        match (self.edges.get(i), self.edges.get(i + 1)) {
            (Some(start), Some(end)) => *start..*end,
            _ => 0..0,
        }
    }

    /// The innermost symbol that each edge of a file lies in, in order; `None` at the top of the file.
    pub fn origins(&self, file: FileId) -> impl Iterator<Item = Option<SymbolId>> + '_ {
        let edges = self.edges_of(file);
        let from = &self.from[edges.start as usize..edges.end as usize];
        from.iter()
            .map(|from| Some(*from).filter(|from| *from != NONE).map(SymbolId))
    }

    /// Edges that may lead to a definition, in order of file and place.
    pub fn incoming(&self, id: SymbolId) -> Vec<u32> {
        let mut found = self.incoming.get(id.index()).to_vec();
        for set in self.sets_of.get(id.index()) {
            let node = self.symbol_count() + *set as usize;
            found.extend_from_slice(self.incoming.get(node));
        }
        found.sort_unstable();
        found
    }

    /// The calls in a file of members that the object does not have: line, column, and what that is.
    pub fn lacking(&self, file: FileId) -> impl Iterator<Item = (u32, u32, Lacking)> + '_ {
        let first = self.lacking.partition_point(|(of, ..)| *of < file.0);
        let all = self.lacking[first..].iter();
        all.take_while(move |(of, ..)| *of == file.0)
            .map(|(_, line, col, is_module, of)| {
                let lacking = match is_module {
                    1 => Lacking::Module(FileId(*of)),
                    _ => Lacking::Type(SymbolId(*of)),
                };
                (*line, *col, lacking)
            })
    }

    /// The import statements of a file, in source order.
    pub fn dependencies(&self, file: FileId) -> impl Iterator<Item = Dependency<'_>> {
        let i = file.0 as usize;
        let range = match (self.imports.get(i), self.imports.get(i + 1)) {
            (Some(start), Some(end)) => *start as usize..*end as usize,
            _ => 0..0,
        };
        range.filter_map(|i| {
            let (import, line, kind, target) = *self.import_at.get(i)?;
            Some(Dependency {
                import,
                line,
                kind: ImportKind::from_code(kind)?,
                target: match target {
                    0 => Target::Found,
                    1 => Target::External,
                    _ => Target::Unresolved,
                },
                files: self.import_files.get(i),
            })
        })
    }

    /// Files that a file depends on, by import or by use, in path order.
    pub fn depends(&self, file: FileId) -> impl ExactSizeIterator<Item = FileId> + '_ {
        self.depends.get(file.0 as usize).iter().map(|i| FileId(*i))
    }

    /// Files that depend on a file, by import or by use, in path order.
    pub fn dependents(&self, file: FileId) -> impl ExactSizeIterator<Item = FileId> + '_ {
        self.dependents
            .get(file.0 as usize)
            .iter()
            .map(|i| FileId(*i))
    }

    /// Direct bases of a type.
    pub fn bases(&self, id: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        pairs(&self.bases, id)
    }

    /// Direct subtypes and implementations of a type.
    pub fn derived(&self, id: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        pairs(&self.derived, id)
    }

    /// Members of bases that a member overrides: who calls one of those may call it.
    pub fn overridden(&self, id: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        pairs(&self.overridden, id)
    }

    /// Members of subtypes that override a member.
    pub fn overrides(&self, id: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        pairs(&self.overrides, id)
    }

    /// Files with an import that leads to a file, in path order.
    pub fn importers(&self, file: FileId) -> impl ExactSizeIterator<Item = FileId> + '_ {
        self.importers
            .get(file.0 as usize)
            .iter()
            .map(|i| FileId(*i))
    }

    /// The edge that starts at a place of a file.
    pub fn edge_at(&self, file: FileId, line: u32, col: u32) -> Option<u32> {
        let edges = self.edges_of(file);
        let lines = &self.line[edges.start as usize..edges.end as usize];
        let first = edges.start + lines.partition_point(|l| *l < line) as u32;
        (first..edges.end)
            .take_while(|number| self.line[*number as usize] == line)
            .find(|number| self.col[*number as usize] == col)
    }

    /// The type of a member that stands outside of it (a Go method, `A::f` in C++), or the type that
    /// a block adds to (an `impl`).
    pub fn owner(&self, id: SymbolId) -> Option<SymbolId> {
        pairs(&self.owners, id).next()
    }

    /// Members that stand outside of a type, and blocks that add to it, in order. Looks at those of all types.
    pub fn members_outside(&self, class: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        let all = self.owners.iter();
        all.filter(move |(_, of)| *of == class.0)
            .map(|(member, _)| SymbolId(*member))
    }

    /// All blocks that add to some types, and members that stand outside of them.
    pub(super) fn parts_of(&self, classes: &FxHashSet<SymbolId>) -> impl Iterator<Item = SymbolId> {
        let all = self.owners.iter();
        let parts = all.filter(|(_, of)| classes.contains(&SymbolId(*of)));
        parts.map(|(part, _)| SymbolId(*part))
    }

    /// The part that stands for all of the type that a definition is another part of: a module of Ruby that is opened
    /// again, a partial class.
    pub fn whole(&self, id: SymbolId) -> Option<SymbolId> {
        pairs(&self.parts, id).next()
    }

    /// PageRank of a file over the graph of dependencies: the share of attention that ends there.
    pub fn rank(&self, file: FileId) -> f64 {
        self.rank.get(file.0 as usize).copied().unwrap_or(0.0)
    }

    /// Whether every number in the columns is in range, so that no accessor can fail.
    pub(super) fn is_sound(&self) -> bool {
        let (files, symbols, edges) = (self.files(), self.symbol_count(), self.edge_count());
        let columns = [
            self.from.len(),
            self.line.len(),
            self.col.len(),
            self.kind.len(),
            self.rule.len(),
        ];
        let offsets = |offsets: &[u32], count: usize| {
            offsets.len() == files + 1
                && offsets.is_sorted()
                && offsets.first() == Some(&0)
                && offsets.last().is_some_and(|last| *last as usize == count)
        };
        let known = |pairs: &[(u32, u32)]| {
            pairs.is_sorted()
                && pairs
                    .iter()
                    .all(|(a, b)| (*a as usize) < symbols && (*b as usize) < symbols)
        };
        let nodes = symbols + self.sets.len();
        columns.iter().all(|len| *len == edges)
            && offsets(&self.symbols, symbols)
            && offsets(&self.edges, edges)
            && offsets(&self.imports, self.import_at.len())
            && self.target.iter().all(|node| (*node as usize) < nodes)
            && self
                .from
                .iter()
                .all(|from| *from == NONE || (*from as usize) < symbols)
            && self.sets.is_sound(self.sets.len(), symbols)
            && self.incoming.is_sound(nodes, edges)
            && self.sets_of.is_sound(symbols, self.sets.len())
            && self.import_files.is_sound(self.import_at.len(), files)
            && self.depends.is_sound(files, files)
            && self.dependents.is_sound(files, files)
            && self.lacking.is_sorted()
            && self.lacking.iter().all(|(file, _, _, is_module, of)| {
                let most = if *is_module == 1 { files } else { symbols };
                (*file as usize) < files && *is_module < 2 && (*of as usize) < most
            })
            && known(&self.bases)
            && known(&self.derived)
            && known(&self.owners)
            && known(&self.parts)
            && known(&self.overrides)
            && known(&self.overridden)
            && self.importers.is_sound(files, files)
            && self.rank.len() == files
    }
}

fn pairs(all: &[(u32, u32)], id: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
    let first = all.partition_point(|(of, _)| *of < id.0);
    all[first..]
        .iter()
        .take_while(move |(of, _)| *of == id.0)
        .map(|(_, other)| SymbolId(*other))
}
