//! How uses are counted: a line of a file uses a definition once, however often it names it there.
//!
//! Everything that says how many uses something has counts like this, so that `symbol` and `refs` agree.

use crate::extract::record::OccurrenceKind;
use crate::graph::edges::{Edge, Graph};
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::view::live::{FileId, View};
use rustc_hash::{FxHashMap, FxHashSet};

/// The lines that the names of some definitions stand in. Each file is read once, however many it defines.
pub fn name_lines(
    view: &View,
    graph: &Graph,
    symbols: impl IntoIterator<Item = SymbolId>,
) -> FxHashSet<(FileId, u32)> {
    let mut by_file: FxHashMap<FileId, FxHashSet<usize>> = FxHashMap::default();
    for (file, index) in symbols.into_iter().map(|id| graph.place(id)) {
        by_file.entry(file).or_default().insert(index);
    }
    let mut lines = FxHashSet::default();
    for (file, wanted) in by_file {
        let Some(doc) = view.file(file).doc else {
            continue;
        };
        let symbols = view.segment(doc.segment).segment.symbols(doc.doc);
        let named = symbols.enumerate().filter(|(i, _)| wanted.contains(i));
        lines.extend(named.map(|(_, symbol)| (file, symbol.name_line)));
    }
    lines
}

/// Some definitions, and of each that is a part of a type the part that stands for all of it: there the uses are noted
/// that speak of no part alone.
pub fn with_wholes(graph: &Graph, symbols: &[SymbolId]) -> Vec<SymbolId> {
    let wholes = symbols.iter().filter_map(|id| graph.whole(*id));
    let mut all: Vec<SymbolId> = symbols.iter().copied().chain(wholes).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether an edge only defines what it leads to: `A.prototype.f = ...`, on a line of the names of that.
pub fn defines(edge: &Edge, named: &FxHashSet<(FileId, u32)>) -> bool {
    edge.kind == OccurrenceKind::Write && named.contains(&(edge.file, edge.line))
}

/// The edges that lead to a definition and do not define it.
pub fn edges<'a>(
    view: &'a View,
    graph: &'a Graph,
    id: SymbolId,
) -> impl Iterator<Item = Edge> + use<'a> {
    let ids = with_wholes(graph, &[id]);
    let all = graph.incoming_of(&ids).into_iter();
    let mut reader = graph.reader();
    let edges: Vec<Edge> = all.map(|edge| reader.edge(edge)).collect();
    let writes = |edge: &Edge| edge.kind == OccurrenceKind::Write;
    let named = match edges.iter().any(writes) {
        true => name_lines(view, graph, [id]),
        false => FxHashSet::default(),
    };
    edges.into_iter().filter(move |edge| !defines(edge, &named))
}

/// How many lines use a definition for sure.
pub fn sure(view: &View, graph: &Graph, id: SymbolId) -> usize {
    let sure = edges(view, graph, id).filter(|edge| edge.rule.certainty() <= Certainty::Inferred);
    let lines: FxHashSet<(FileId, u32)> = sure.map(|edge| (edge.file, edge.line)).collect();
    lines.len()
}
