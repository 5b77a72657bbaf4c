//! A graph made of the one before by putting the edges of a few files in place of those that they had: what an edit of the
//! body of a function leads to.
//!
//! Columns are copied in two or three pieces, or shared where nothing in them differs. Sets of definitions that nothing
//! leads to any more stay, and new ones come last: so this is not done again and again ([`MAX_LOOSE`]).
//!
//! Guarantee: the graph is equal to the one that is put together of all files.

use super::assemble::{NewEdge, Referred, Targets};
use super::depends::Depends;
use super::edges::{Graph, LackingAt, Lists};
use super::families::Families;
use super::lacking::Lacking;
use super::moves::{Moves, Replaced};
use super::numbers::Numbers;
use super::resolve::Resolver;
use super::reuse::Reused;
use crate::view::live::FileId;
use bytemuck::Pod;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Files whose edges are put in place one by one. Of more all edges are put together as fast.
const MAX_FILES: usize = 16;

/// Sets that may be added to those of a graph that was put together of all files, as one of so many that it has.
const MAX_LOOSE: usize = 16;

/// And so many more, since small graphs have few sets.
const MORE_LOOSE: usize = 16;

/// The edges of a file in the earlier graph, and those that take their place.
struct Cut {
    file: FileId,
    was: Range<u32>,
    now: Vec<Placed>,
    /// Calls of members that the object does not have.
    lacking: Vec<(u32, u32, Lacking)>,
}

/// One edge with the node that it leads to.
struct Placed {
    from: u32,
    target: u32,
    line: u32,
    col: u32,
    kind: u8,
    rule: u8,
}

/// The files that [`splice`] can put in place: those that were resolved again, where all files and definitions have the
/// numbers that they had. `None` when there are too many.
pub(super) fn files(reused: &Reused<'_>) -> Option<Vec<FileId>> {
    let few = reused.is_in_place() && reused.stale_files() <= MAX_FILES;
    few.then(|| reused.marked().collect())
}

/// Puts what the occurrences of some files mean in place of what they meant. `None` when it is as well put together of all
/// files. `families` are those of the graph before where they are the same.
pub(super) fn splice(
    resolver: &Resolver<'_>,
    found: Vec<(FileId, Referred)>,
    reused: &Reused<'_>,
    families: Option<Families>,
) -> Option<Graph> {
    let old = reused.graph;
    let files: Vec<FileId> = found.iter().map(|(file, _)| *file).collect();
    let mut sets = Sets::of(old);
    let place = |(file, referred): (FileId, Referred)| Cut {
        file,
        was: old.edges_of(file),
        now: (referred.edges.into_iter())
            .filter_map(|edge| sets.place(edge))
            .collect(),
        lacking: referred.lacking,
    };
    let cuts: Vec<Cut> = found.into_iter().map(place).collect();
    if sets.loose > old.sets.len() / MAX_LOOSE + MORE_LOOSE {
        return None;
    }
    let loose = sets.loose as u32;
    let (sets, sets_of) = sets.into_lists();
    let mut graph = Graph {
        symbols: old.symbols.clone(),
        edges: first_edges(&old.edges, &cuts),
        from: spliced(&old.from, &cuts, |edge| edge.from),
        target: spliced(&old.target, &cuts, |edge| edge.target),
        line: spliced(&old.line, &cuts, |edge| edge.line),
        col: spliced(&old.col, &cuts, |edge| edge.col),
        kind: spliced(&old.kind, &cuts, |edge| edge.kind),
        rule: spliced(&old.rule, &cuts, |edge| edge.rule),
        sets,
        sets_of,
        lacking: lacking(&old.lacking, &cuts),
        loose,
        ..Graph::default()
    };
    graph.incoming = incoming(old, &graph, &cuts);
    let depends = Depends::same(resolver, &graph, old, &files);
    let depends = depends.unwrap_or_else(|| Depends::of(resolver, &graph, Some(reused)));
    let families = families.unwrap_or_else(|| Families::of(resolver));
    Some(graph.completed(depends, families))
}

/// The sets of a graph, and those that come to them.
struct Sets<'a> {
    old: &'a Graph,
    symbols: u32,
    /// Those that come, in order of their nodes.
    added: Vec<Vec<u32>>,
    /// Their nodes.
    known: FxHashMap<Vec<u32>, u32>,
    /// Sets that came since all edges were put together, these among them.
    loose: usize,
}

impl<'a> Sets<'a> {
    fn of(old: &'a Graph) -> Self {
        Self {
            old,
            symbols: old.symbol_count() as u32,
            added: Vec::new(),
            known: FxHashMap::default(),
            loose: old.loose as usize,
        }
    }

    fn place(&mut self, edge: NewEdge) -> Option<Placed> {
        Some(Placed {
            from: edge.from.map_or(u32::MAX, |from| from.0),
            target: self.node(edge.targets)?,
            line: edge.line,
            col: edge.col,
            kind: edge.kind,
            rule: edge.rule as u8,
        })
    }

    /// The node that an edge leads to; `None` when it leads nowhere.
    fn node(&mut self, targets: Targets) -> Option<u32> {
        let mut found: Vec<u32> = match &targets {
            Targets::One(found) => return Some(found.0),
            Targets::Found(found) => found.iter().map(|id| id.0).collect(),
            // Shared lists are in order, and each of its own.
            Targets::Listed(list) => list.iter().map(|id| id.0).collect(),
        };
        if let Targets::Found(_) = targets {
            found.sort_unstable();
            found.dedup();
        }
        match *found {
            [] => None,
            [one] => Some(one),
            [first, ..] => Some(self.node_of_set(first, found)),
        }
    }

    fn node_of_set(&mut self, first: u32, members: Vec<u32>) -> u32 {
        let mut sets = self.old.sets_of.get(first as usize).iter();
        if let Some(set) = sets.find(|set| self.old.sets.get(**set as usize) == members) {
            return self.symbols + set;
        }
        let next = self.symbols + (self.old.sets.len() + self.added.len()) as u32;
        let node = *self.known.entry(members.clone()).or_insert(next);
        if node == next {
            self.added.push(members);
            self.loose += 1;
        }
        node
    }

    /// All sets, and the sets that each definition is in.
    fn into_lists(self) -> (Lists, Lists) {
        if self.added.is_empty() {
            return (self.old.sets.clone(), self.old.sets_of.clone());
        }
        let mut sets = self.old.sets.clone();
        for members in self.added {
            sets.push(members);
        }
        let sets_of = sets.turned(self.symbols as usize);
        (sets, sets_of)
    }
}

/// A column with the new edges in place of the old ones.
fn spliced<T: Pod>(old: &[T], cuts: &[Cut], value: impl Fn(&Placed) -> T) -> Numbers<T> {
    let came: usize = cuts.iter().map(|cut| cut.now.len()).sum();
    let mut column = Vec::with_capacity(old.len() + came);
    let mut next = 0;
    for cut in cuts {
        column.extend_from_slice(&old[next..cut.was.start as usize]);
        column.extend(cut.now.iter().map(&value));
        next = cut.was.end as usize;
    }
    column.extend_from_slice(&old[next..]);
    column.into()
}

/// Number of each file's first edge, and the count.
fn first_edges(old: &[u32], cuts: &[Cut]) -> Numbers<u32> {
    let mut first = old.to_vec();
    let mut shift = 0u32;
    let mut cuts = cuts.iter().peekable();
    for (file, first) in first.iter_mut().enumerate() {
        *first = first.wrapping_add(shift);
        if let Some(cut) = cuts.next_if(|cut| cut.file.0 as usize == file) {
            shift = shift.wrapping_add(cut.replaced().shift());
        }
    }
    first.into()
}

impl Cut {
    fn replaced(&self) -> Replaced {
        Replaced {
            was: self.was.clone(),
            now: self.now.len() as u32,
        }
    }
}

/// Edges that arrive at each definition, then at each set.
fn incoming(old: &Graph, now: &Graph, cuts: &[Cut]) -> Lists {
    let moves = Moves::of(cuts.iter().map(Cut::replaced).collect());
    let mut came: Vec<(u32, u32)> = Vec::new();
    for cut in cuts {
        let edges = now.edges_of(cut.file);
        came.extend(
            cut.now
                .iter()
                .zip(edges)
                .map(|(edge, at)| (edge.target, at)),
        );
    }
    let edges = |cut: &Cut| cut.was.start as usize..cut.was.end as usize;
    let went = cuts.iter().flat_map(|cut| &old.target[edges(cut)]).copied();
    let nodes = now.symbol_count() + now.sets.len();
    let lists = &old.incoming;
    let (ends, items) = moves.lists((&lists.ends, &lists.items), nodes, went, came);
    Lists {
        ends: ends.into(),
        items: items.into(),
    }
}

/// Calls of members that the object does not have, in order of file and place.
fn lacking(old: &Arc<Vec<LackingAt>>, cuts: &[Cut]) -> Arc<Vec<LackingAt>> {
    let of = |file: FileId| {
        let first = old.partition_point(|(of, ..)| *of < file.0);
        first..old.partition_point(|(of, ..)| *of <= file.0)
    };
    if (cuts.iter()).all(|cut| cut.lacking.is_empty() && of(cut.file).is_empty()) {
        return old.clone();
    }
    let mut all = Vec::with_capacity(old.len());
    let mut next = 0;
    for cut in cuts {
        let was = of(cut.file);
        all.extend_from_slice(&old[next..was.start]);
        all.extend(
            cut.lacking
                .iter()
                .map(|(line, col, of)| of.at(cut.file, (*line, *col))),
        );
        next = was.end;
    }
    all.extend_from_slice(&old[next..]);
    Arc::new(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NODES: u32 = 12;

    /// Where the edges of each file lead.
    fn files() -> impl Strategy<Value = Vec<Vec<u32>>> {
        prop::collection::vec(prop::collection::vec(0..NODES, 0..6), 1..6)
    }

    fn graph(files: &[Vec<u32>]) -> Graph {
        let mut edges = vec![0];
        for file in files {
            edges.push(edges[edges.len() - 1] + file.len() as u32);
        }
        let target = files.concat();
        let arrive = target.iter().copied().zip(0..);
        Graph {
            incoming: Lists::from_pairs(NODES as usize, arrive),
            symbols: vec![0, NODES].into(),
            edges: edges.into(),
            target: target.into(),
            ..Graph::default()
        }
    }

    fn placed(target: u32) -> Placed {
        Placed {
            from: 0,
            target,
            line: 0,
            col: 0,
            kind: 0,
            rule: 0,
        }
    }

    proptest! {
        #[test]
        fn edges_are_put_in_place(
            was in files(),
            edits in prop::collection::btree_map(0..6_usize, prop::collection::vec(0..NODES, 0..6), 0..4),
        ) {
            let old = graph(&was);
            let mut is = was.clone();
            let mut cuts = Vec::new();
            for (file, edges) in edits.into_iter().filter(|(file, _)| *file < was.len()) {
                let file_id = FileId(file as u32);
                cuts.push(Cut {
                    file: file_id,
                    was: old.edges_of(file_id),
                    now: edges.iter().map(|to| placed(*to)).collect(),
                    lacking: Vec::new(),
                });
                is[file] = edges;
            }
            let anew = graph(&is);
            let now = Graph {
                symbols: old.symbols.clone(),
                edges: first_edges(&old.edges, &cuts),
                target: spliced(&old.target, &cuts, |edge| edge.target),
                ..Graph::default()
            };
            prop_assert_eq!(&now.edges, &anew.edges);
            prop_assert_eq!(&now.target, &anew.target);
            prop_assert_eq!(incoming(&old, &now, &cuts), anew.incoming);
        }
    }
}
