//! The definitions of a view with what questions about all of them need, numbered as in its graph,
//! and the edges of the graph by where they start. An engine keeps the tables of the last few
//! ([`super::engine::Engine::inventory`]).

use crate::extract::record::{Grammar, OccurrenceKind, Symbol, SymbolFlags, SymbolKind};
use crate::graph::edges::Graph;
use crate::graph::names::{Name, Names};
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang::{self, Language, language::Genre};
use crate::query::answer::SymbolRef;
use crate::query::verified;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Containers that are followed from a symbol outwards. Code people write stays under ten.
const MAX_CONTAINERS: usize = 64;

/// One definition.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its own name.
    pub name: Name,
    /// What it is.
    pub kind: SymbolKind,
    /// Facts about it.
    pub flags: SymbolFlags,
    /// The symbol it is nested in.
    pub container: Option<SymbolId>,
    /// The file it is in.
    pub file: FileId,
    /// Where it starts: line, column.
    pub start: (u32, u32),
    /// Just past its end: line, column.
    pub end: (u32, u32),
    /// xxh3-64 of its text.
    pub body_hash: u64,
}

/// The name of a definition that a graph has and the document has not.
const UNNAMED: Name = Name(u32::MAX);

impl Entry {
    /// Stands for a definition that a graph has and the document has not.
    fn missing(file: FileId) -> Self {
        Self {
            name: UNNAMED,
            kind: SymbolKind::Variable,
            flags: SymbolFlags(0),
            container: None,
            file,
            start: (0, 0),
            end: (0, 0),
            body_hash: 0,
        }
    }

    /// Number of its lines.
    pub fn lines(&self) -> u32 {
        self.end.0.saturating_sub(self.start.0) + 1
    }
}

/// The definitions of a view, and the edges that start in each.
pub struct Inventory<'a> {
    /// The view.
    pub view: &'a View,
    /// Its graph.
    pub graph: &'a Graph,
    tables: Arc<Tables>,
}

/// What is decoded for an inventory: of one view and its graph, and of no use beside others.
pub struct Tables {
    names: Names,
    entries: Vec<Entry>,
    langs: Vec<Grammar>,
    /// Where the edges of each symbol end in `edges`; then those of the top level of each file.
    ends: Vec<u32>,
    edges: Vec<u32>,
}

impl Tables {
    /// Decodes the definitions of a view.
    pub fn of(view: &View, graph: &Graph) -> Self {
        let names = Names::of(view);
        let mut entries = Vec::with_capacity(graph.symbol_count());
        let mut langs = Vec::with_capacity(view.files().len());
        for (file, id) in view.files().iter().zip((0..).map(FileId)) {
            // Each file has as many definitions here as in the graph, whatever its document says.
            let missing = || Entry::missing(id);
            let first = entries.len();
            let count = graph.symbols_of(id);
            let Some(doc) = file.doc else {
                langs.push(Grammar::Text);
                entries.resize_with(first + count, missing);
                continue;
            };
            let at = doc.segment.index();
            let segment = &view.segment(doc.segment).segment;
            langs.push(segment.doc(doc.doc).lang);
            let entry = |symbol: Symbol<NameId>| Entry {
                name: names.from_segment(at, symbol.name).unwrap_or(UNNAMED),
                kind: symbol.kind,
                flags: symbol.flags,
                container: symbol
                    .container
                    .and_then(|outer| graph.symbol(id, outer as usize)),
                file: id,
                start: (symbol.start_line, symbol.start_col),
                end: (symbol.end_line, symbol.end_col),
                body_hash: symbol.body_hash,
            };
            entries.extend(segment.symbols(doc.doc).take(count).map(entry));
            entries.resize_with(first + count, missing);
        }
        let (ends, edges) = by_origin(graph);
        Self {
            names,
            entries,
            langs,
            ends,
            edges,
        }
    }

    /// Bytes that it takes, but for spare room.
    pub fn bytes(&self) -> usize {
        let columns = [size_of_val(&*self.ends), size_of_val(&*self.edges)];
        let rows = [size_of_val(&*self.entries), size_of_val(&*self.langs)];
        columns.iter().chain(&rows).sum::<usize>() + self.names.held_bytes()
    }
}

/// Orders the edges of a graph by the symbol they start in: where those of each end, and the edges.
fn by_origin(graph: &Graph) -> (Vec<u32>, Vec<u32>) {
    let symbols = graph.symbol_count();
    let mut nodes: Vec<u32> = Vec::with_capacity(graph.edge_count());
    for file in (0..graph.files() as u32).map(FileId) {
        let top = symbols as u32 + file.0;
        let from = graph.origins(file);
        nodes.extend(from.map(|from| from.map_or(top, |from| from.0)));
    }
    let mut ends = vec![0u32; symbols + graph.files()];
    for node in &nodes {
        ends[*node as usize] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    let mut next: Vec<u32> = std::iter::once(0).chain(ends.iter().copied()).collect();
    let mut edges = vec![0u32; nodes.len()];
    for (node, edge) in nodes.iter().zip(0..) {
        let at = &mut next[*node as usize];
        edges[*at as usize] = edge;
        *at += 1;
    }
    (ends, edges)
}

impl<'a> Inventory<'a> {
    /// Decodes the definitions of a view.
    pub fn of(view: &'a View, graph: &'a Graph) -> Self {
        Self::over(view, graph, Arc::new(Tables::of(view, graph)))
    }

    /// The same with what was decoded before of this view and this graph.
    pub fn over(view: &'a View, graph: &'a Graph, tables: Arc<Tables>) -> Self {
        Self {
            view,
            graph,
            tables,
        }
    }

    fn edges_from(&self, node: usize) -> &[u32] {
        let Some(end) = self.tables.ends.get(node) else {
            return &[];
        };
        let start = node
            .checked_sub(1)
            .map_or(0, |before| self.tables.ends[before]);
        &self.tables.edges[start as usize..*end as usize]
    }

    /// Edges that start in a symbol and in none inside it.
    pub fn outgoing(&self, id: SymbolId) -> &[u32] {
        match id.index() < self.graph.symbol_count() {
            true => self.edges_from(id.index()),
            false => &[],
        }
    }

    /// Edges that start at the top level of a file.
    pub fn outgoing_top(&self, file: FileId) -> &[u32] {
        self.edges_from(self.graph.symbol_count() + file.0 as usize)
    }

    /// A definition.
    ///
    /// # Panics
    /// When the number is another graph's.
    pub fn get(&self, id: SymbolId) -> &Entry {
        &self.tables.entries[id.index()]
    }

    /// Every definition, files in path order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = SymbolId> + use<> {
        (0..self.tables.entries.len() as u32).map(SymbolId)
    }

    /// The definitions of a file.
    pub fn ids_of(&self, file: FileId) -> impl Iterator<Item = SymbolId> + use<> {
        let first = self.graph.symbol(file, 0).map_or(0, |first| first.0);
        (first..first + self.graph.symbols_of(file) as u32).map(SymbolId)
    }

    /// Number of definitions.
    pub fn len(&self) -> usize {
        self.tables.entries.len()
    }

    /// Whether there are no definitions.
    pub fn is_empty(&self) -> bool {
        self.tables.entries.is_empty()
    }

    /// Every file.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FileId> + use<> {
        (0..self.tables.langs.len() as u32).map(FileId)
    }

    /// The language of a file.
    pub fn lang(&self, file: FileId) -> Grammar {
        self.tables.langs[file.0 as usize]
    }

    /// What is known of the language of a file.
    pub fn language(&self, file: FileId) -> &'static Language {
        lang::of(self.lang(file))
    }

    /// What a file is for.
    pub fn role(&self, file: FileId) -> FileRole {
        self.view.file(file).role
    }

    /// Whether a file is in a language people write programs in.
    pub fn is_code(&self, file: FileId) -> bool {
        self.language(file).genre == Genre::Code
    }

    /// Whether a file is product code in a language people write programs in.
    pub fn is_product(&self, file: FileId) -> bool {
        self.is_code(file) && self.role(file) == FileRole::Product
    }

    /// Whether a definition is a test, or part of one.
    pub fn is_test(&self, id: SymbolId) -> bool {
        let entry = self.get(id);
        entry.flags.contains(SymbolFlags::TEST) || self.role(entry.file) == FileRole::Test
    }

    /// The bytes of a definition's name.
    pub fn name(&self, id: SymbolId) -> &[u8] {
        self.tables.names.bytes(self.get(id).name)
    }

    /// The names of the view.
    pub fn names(&self) -> &Names {
        &self.tables.names
    }

    /// The type that a definition is a member of, or that a block adds to.
    pub fn class_of(&self, id: SymbolId) -> Option<SymbolId> {
        let entry = self.get(id);
        if let Some(owner) = self.graph.owner(id)
            && !is_type(entry.kind)
        {
            return Some(owner);
        }
        let container = entry.container?;
        match self.get(container).kind {
            SymbolKind::Impl => self.graph.owner(container),
            kind if is_type(kind) => Some(self.graph.owner(container).unwrap_or(container)),
            _ => None,
        }
    }

    /// Whether a definition is another one or lies in it, as part of its text or as a member.
    pub fn lies_in(&self, id: SymbolId, outer: SymbolId) -> bool {
        let mut at = Some(id);
        for _ in 0..MAX_CONTAINERS {
            let Some(id) = at else { return false };
            if id == outer || self.class_of(id) == Some(outer) {
                return true;
            }
            at = self.get(id).container.or_else(|| self.graph.owner(id));
        }
        false
    }

    /// All that a definition lies in, in the sense of [`Self::lies_in`], itself included.
    pub fn all_around(&self, id: SymbolId) -> Vec<SymbolId> {
        let mut found = Vec::new();
        let mut at = Some(id);
        for _ in 0..MAX_CONTAINERS {
            let Some(id) = at else { break };
            found.push(id);
            found.extend(self.class_of(id));
            at = self.get(id).container.or_else(|| self.graph.owner(id));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The innermost definition of a file around a place.
    pub fn around(&self, file: FileId, place: (u32, u32)) -> Option<SymbolId> {
        let first = self.graph.symbol(file, 0)?.0;
        let after = self
            .tables
            .entries
            .partition_point(|entry| entry.file <= file);
        let of_file = &self.tables.entries[first as usize..after];
        let begun = of_file.partition_point(|entry| entry.start <= place);
        let mut at = begun.checked_sub(1).map(|i| SymbolId(first + i as u32));
        while let Some(id) = at {
            let entry = self.get(id);
            if place < entry.end {
                return Some(id);
            }
            at = entry.container.filter(|outer| *outer < id);
        }
        None
    }

    /// The first definition of a file that begins at a place or behind it.
    pub fn next(&self, file: FileId, place: (u32, u32)) -> Option<SymbolId> {
        let first = self.graph.symbol(file, 0)?.0;
        let after = self
            .tables
            .entries
            .partition_point(|entry| entry.file <= file);
        let of_file = &self.tables.entries[first as usize..after];
        let begun = of_file.partition_point(|entry| entry.start < place);
        (begun < of_file.len()).then(|| SymbolId(first + begun as u32))
    }

    /// The short description of a definition.
    pub fn reference(&self, texts: &mut Texts, id: SymbolId) -> Option<SymbolRef> {
        verified::reference(self.view, self.graph, texts, id)
    }

    /// Import lines that say nothing of use, because the file itself uses what they name: by edge.
    pub fn idle_imports(&self) -> FxHashSet<u32> {
        let mut idle = FxHashSet::default();
        for file in self.files() {
            let mut used: FxHashSet<SymbolId> = FxHashSet::default();
            let mut imports = Vec::new();
            for at in self.graph.edges_of(file) {
                let edge = self.graph.edge(at);
                match (edge.kind, edge.rule.certainty()) {
                    (OccurrenceKind::Import, _) => imports.push(at),
                    (_, Certainty::Resolved | Certainty::Inferred) => {
                        used.extend(self.graph.targets(at));
                    }
                    _ => {}
                }
            }
            let is_idle = |at: &u32| self.graph.targets(*at).all(|id| used.contains(&id));
            idle.extend(imports.into_iter().filter(is_idle));
        }
        idle
    }
}

/// Whether a definition is a value that a name holds.
pub fn is_value_kind(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Variable | SymbolKind::Constant)
}

/// Whether a symbol names a type, and nothing but a type.
pub fn is_type(kind: SymbolKind) -> bool {
    semantics::is_type(kind) && kind != SymbolKind::Module
}

/// Whether a symbol is code that runs when it is called.
pub fn is_callable(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Macro
    )
}
