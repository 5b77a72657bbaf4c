//! What was resolved, put into the columns of a graph.

use super::depends::Depends;
use super::edges::{Graph, LackingAt, Lists};
use super::families::Families;
use super::lacking::Lacking;
use super::parallel;
use super::resolve::Resolver;
use super::reuse::{GONE, Reused};
use super::rule::Rule;
use super::table::SymbolId;
use crate::view::live::FileId;
use rustc_hash::FxHashMap;
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
        symbols: table.offsets().to_vec().into(),
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
    let mut lacking: Vec<LackingAt> = Vec::new();
    let mut done = 0;
    for (edges, file) in found.zip(0..) {
        if file < done {
            continue;
        }
        if let (None, Some(reused)) = (&edges, reused) {
            done = reuse((&mut graph, &mut lacking), &mut sets, reused, file);
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
        let all = referred.lacking.into_iter();
        lacking.extend(all.map(|(line, col, of)| of.at(FileId(file as u32), (line, col))));
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
    graph.lacking = Arc::new(lacking);

    let (reversed, depends) = parallel::both(
        threads,
        || (reversed(&graph), Families::of(resolver)),
        || Depends::of(resolver, &graph, reused),
    );
    let ((incoming, sets_of), families) = reversed;
    Graph {
        incoming,
        sets_of,
        ..graph
    }
    .completed(depends, families)
}

/// Edges by where they lead, and sets by what they hold.
fn reversed(graph: &Graph) -> (Lists, Lists) {
    let nodes = graph.symbol_count() + graph.sets.len();
    let incoming = graph.target.iter().copied().zip(0..);
    let incoming = Lists::from_pairs(nodes, incoming);
    (incoming, graph.sets.turned(graph.symbol_count()))
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
fn reuse(
    (graph, lacking): (&mut Graph, &mut Vec<LackingAt>),
    sets: &mut Sets,
    reused: &Reused<'_>,
    first: usize,
) -> usize {
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
    let lacked = old.lacking[begin..].iter();
    for (file, line, col, is_module, of) in lacked.take_while(|(file, ..)| *file < files.end) {
        let of = match is_module {
            1 => reused.file_now(*of),
            _ => reused.id(*of),
        };
        let file = *file - files.start + first as u32;
        lacking.extend(of.map(|of| (file, *line, *col, *is_module, of)));
    }
    let target = old.target[range].iter();
    graph
        .target
        .own()
        .extend(target.map(|target| sets.reused(reused, *target)));
    end
}
