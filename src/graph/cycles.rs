//! What leads back to itself: strongly connected components, a cycle to show of each, and the
//! edges to cut.

use super::csr::Csr;
use super::feedback;
use std::collections::VecDeque;

/// Edges that are looked at for the shortest cycle of one component. Below, it is the shortest;
/// a component of thousands has short ones everywhere, and the best of those seen is as good.
const MAX_STEPS: usize = 4 << 20;

/// A component whose nodes lead to each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// Its nodes, in order.
    pub nodes: Vec<u32>,
    /// A shortest cycle through some of them, from its smallest node on; the last leads to the first.
    pub path: Vec<u32>,
    /// Edges without which nothing in the component leads back to itself, in order: see
    /// [`feedback::cut`].
    pub cut: Vec<(u32, u32)>,
}

/// Finds every component of more than one node, and every node that leads to itself, ordered by
/// their smallest nodes.
///
/// `weights` has by position what each edge costs to cut; without, all cost the same.
pub fn cycles(graph: &Csr, weights: Option<&[u32]>) -> Vec<Cycle> {
    let mut components = components(graph);
    components.retain(|nodes| match nodes[..] {
        [one] => graph.targets(one).binary_search(&one).is_ok(),
        _ => true,
    });
    let mut inside = vec![false; graph.nodes() as usize];
    let mut cycles = Vec::with_capacity(components.len());
    for nodes in components {
        nodes.iter().for_each(|node| inside[*node as usize] = true);
        cycles.push(Cycle {
            path: shortest(graph, &nodes, &inside),
            cut: feedback::cut(graph, weights, &nodes),
            nodes: nodes.clone(),
        });
        nodes.iter().for_each(|node| inside[*node as usize] = false);
    }
    cycles
}

/// Returns the strongly connected components, ordered by their smallest nodes; the nodes of each
/// are in order.
///
/// This is Tarjan's algorithm with a stack of its own. The one of petgraph calls itself for each
/// node, and a chain of a hundred thousand files would overflow the stack of a thread.
pub fn components(graph: &Csr) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let nodes = graph.nodes() as usize;
    // When each node was met, and the earliest of those it leads back to.
    let (mut met, mut low) = (vec![NEW; nodes], vec![NEW; nodes]);
    let mut is_open = vec![false; nodes];
    let mut open: Vec<u32> = Vec::new();
    // The nodes on the way, each with the position of its next edge.
    let mut way: Vec<(u32, usize)> = Vec::new();
    let mut clock = 0;
    let mut out: Vec<Vec<u32>> = Vec::new();
    for root in 0..graph.nodes() {
        if met[root as usize] != NEW {
            continue;
        }
        way.push((root, 0));
        while let Some((node, next)) = way.last_mut() {
            let at = *node as usize;
            if *next == 0 {
                met[at] = clock;
                low[at] = clock;
                clock += 1;
                is_open[at] = true;
                open.push(*node);
            }
            if let Some(target) = graph.targets(*node).get(*next).copied() {
                *next += 1;
                let to = target as usize;
                if met[to] == NEW {
                    way.push((target, 0));
                } else if is_open[to] {
                    low[at] = low[at].min(met[to]);
                }
                continue;
            }
            let node = *node;
            way.pop();
            if let Some((before, _)) = way.last() {
                let before = *before as usize;
                low[before] = low[before].min(low[at]);
            }
            if low[at] == met[at] {
                let start = open.iter().rposition(|other| *other == node);
                let mut component = open.split_off(start.unwrap_or(open.len()));
                component
                    .iter()
                    .for_each(|node| is_open[*node as usize] = false);
                component.sort_unstable();
                out.push(component);
            }
        }
    }
    out.sort_unstable_by_key(|component| component.first().copied());
    out
}

/// Finds a shortest cycle of a component: of several the first found, from the smallest nodes on.
fn shortest(graph: &Csr, nodes: &[u32], inside: &[bool]) -> Vec<u32> {
    let own = nodes
        .iter()
        .find(|node| graph.targets(**node).binary_search(node).is_ok());
    if let Some(own) = own {
        return vec![*own];
    }
    let mut best: Option<Vec<u32>> = None;
    let mut steps = 0;
    let mut previous = vec![u32::MAX; inside.len()];
    for start in nodes {
        let bound = best.as_ref().map_or(usize::MAX, Vec::len);
        if bound == 2 || (best.is_some() && steps > MAX_STEPS) {
            break;
        }
        let mut met = vec![*start];
        let mut queue = VecDeque::from([(*start, 1_usize)]);
        'search: while let Some((node, length)) = queue.pop_front() {
            if length >= bound {
                break;
            }
            for target in graph.targets(node) {
                steps += 1;
                if target == start {
                    best = Some(walk_back(&previous, *start, node));
                    break 'search;
                }
                let to = *target as usize;
                if inside[to] && previous[to] == u32::MAX {
                    previous[to] = node;
                    met.push(*target);
                    queue.push_back((*target, length + 1));
                }
            }
        }
        met.iter()
            .for_each(|node| previous[*node as usize] = u32::MAX);
    }
    let mut path = best.unwrap_or_default();
    let first = (0..path.len()).min_by_key(|at| path[*at]);
    path.rotate_left(first.unwrap_or_default());
    path
}

fn walk_back(previous: &[u32], start: u32, last: u32) -> Vec<u32> {
    let mut path = vec![last];
    let mut node = last;
    while node != start {
        node = previous[node as usize];
        path.push(node);
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::super::csr::tests::{graphs, large, ring};
    use super::*;
    use proptest::prelude::*;

    /// Which nodes lead to which, by squaring.
    fn closure(graph: &Csr) -> Vec<Vec<bool>> {
        let nodes = graph.nodes() as usize;
        let mut leads = vec![vec![false; nodes]; nodes];
        for (node, row) in (0..).zip(&mut leads) {
            graph
                .targets(node)
                .iter()
                .for_each(|to| row[*to as usize] = true);
        }
        for by in 0..nodes {
            for from in 0..nodes {
                if leads[from][by] {
                    let further = leads[by].clone();
                    leads[from]
                        .iter_mut()
                        .zip(further)
                        .for_each(|(a, b)| *a |= b);
                }
            }
        }
        leads
    }

    /// Length of the shortest cycle within some nodes, by trying all depths.
    fn girth(graph: &Csr, nodes: &[u32]) -> usize {
        let mut ends: Vec<(u32, u32)> = nodes.iter().map(|node| (*node, *node)).collect();
        for length in 1..=nodes.len() {
            let further = |(start, end): &(u32, u32)| {
                let start = *start;
                let inside = graph.targets(*end).iter().filter(|to| nodes.contains(to));
                inside.map(move |to| (start, *to)).collect::<Vec<_>>()
            };
            ends = ends.iter().flat_map(further).collect();
            ends.sort_unstable();
            ends.dedup();
            if ends.iter().any(|(start, end)| start == end) {
                return length;
            }
        }
        0
    }

    proptest! {
        #[test]
        fn components_lead_to_each_other((nodes, edges) in graphs()) {
            let graph = Csr::of_edges(nodes, &edges);
            let leads = closure(&graph);
            let all = components(&graph);
            let mut seen: Vec<u32> = all.concat();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..nodes).collect::<Vec<_>>());
            let mut of = vec![0; nodes as usize];
            for (at, component) in all.iter().enumerate() {
                component.iter().for_each(|node| of[*node as usize] = at);
            }
            for a in 0..nodes as usize {
                for b in 0..nodes as usize {
                    let is_one = a == b || (leads[a][b] && leads[b][a]);
                    prop_assert_eq!(of[a] == of[b], is_one);
                }
            }
        }

        #[test]
        fn every_cycle_is_shown_at_its_shortest_and_can_be_cut((nodes, edges) in graphs()) {
            let graph = Csr::of_edges(nodes, &edges);
            let found = cycles(&graph, None);
            let leads = closure(&graph);
            let looping = (0..nodes as usize).filter(|node| leads[*node][*node]).count();
            prop_assert_eq!(found.iter().map(|cycle| cycle.nodes.len()).sum::<usize>(), looping);
            let mut left = edges.clone();
            for cycle in &found {
                prop_assert_eq!(cycle.path.len(), girth(&graph, &cycle.nodes));
                prop_assert_eq!(cycle.path.iter().min(), cycle.path.first());
                for (at, node) in cycle.path.iter().enumerate() {
                    let next = cycle.path[(at + 1) % cycle.path.len()];
                    prop_assert!(graph.targets(*node).contains(&next));
                }
                left.retain(|edge| !cycle.cut.contains(edge));
            }
            prop_assert!(cycles(&Csr::of_edges(nodes, &left), None).is_empty());
            // Nothing is cut for nothing.
            for edge in found.iter().flat_map(|cycle| &cycle.cut) {
                let with = [&left[..], &[*edge]].concat();
                prop_assert!(!cycles(&Csr::of_edges(nodes, &with), None).is_empty());
            }
        }
    }

    #[test]
    fn a_ring_of_a_hundred_thousand_needs_no_deep_stack() {
        let ring = ring(100_000);
        let found = std::thread::Builder::new()
            .stack_size(64 << 10)
            .spawn(move || cycles(&ring, None))
            .unwrap()
            .join()
            .unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].path.len(), found[0].cut.len()), (100_000, 1));
    }

    #[test]
    fn a_large_graph_is_cut_open() {
        let graph = large();
        let found = cycles(&graph, None);
        assert_eq!(found, cycles(&graph, None));
        let cut: Vec<(u32, u32)> = found.iter().flat_map(|cycle| cycle.cut.clone()).collect();
        let of = |node| graph.targets(node).iter().map(move |to| (node, *to));
        let all = (0..graph.nodes()).flat_map(of);
        let left: Vec<(u32, u32)> = all
            .filter(|edge| cut.binary_search(edge).is_err())
            .collect();
        assert!(cycles(&Csr::of_edges(graph.nodes(), &left), None).is_empty());
    }
}
