//! What can be reached, and by which way.

use super::csr::Csr;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Stands for no node.
const NONE: u32 = u32::MAX;

/// Everything that can be reached from some roots, with a shortest way to each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reached {
    bits: Vec<u64>,
    /// The node before each on the way; of a root the root itself.
    previous: Vec<u32>,
    count: usize,
}

/// Goes from `roots` as far as edges lead. Of ways of equal length the one from the earlier root is
/// kept, then the one through smaller nodes. Roots that are not in the graph are passed over.
pub fn reach(graph: &Csr, roots: &[u32]) -> Reached {
    let nodes = graph.nodes() as usize;
    let mut out = Reached {
        bits: vec![0; nodes.div_ceil(64)],
        previous: vec![NONE; nodes],
        count: 0,
    };
    let mut queue = VecDeque::new();
    for root in roots {
        if *root < graph.nodes() && out.enter(*root, *root) {
            queue.push_back(*root);
        }
    }
    while let Some(node) = queue.pop_front() {
        for target in graph.targets(node) {
            if out.enter(*target, node) {
                queue.push_back(*target);
            }
        }
    }
    out
}

impl Reached {
    /// Notes a node; false when it was noted before.
    fn enter(&mut self, node: u32, from: u32) -> bool {
        let word = &mut self.bits[node as usize / 64];
        let bit = 1_u64 << (node % 64);
        if *word & bit != 0 {
            return false;
        }
        *word |= bit;
        self.previous[node as usize] = from;
        self.count += 1;
        true
    }

    /// Whether a node was reached.
    pub fn contains(&self, node: u32) -> bool {
        let word = self.bits.get(node as usize / 64);
        word.is_some_and(|word| word & (1 << (node % 64)) != 0)
    }

    /// Number of nodes that were reached, roots included.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there was no root.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The nodes that were not reached, in order.
    pub fn unreached(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.previous.len() as u32).filter(|node| !self.contains(*node))
    }

    /// The node before one on the way to it; `None` for a root and for what was not reached.
    pub fn previous(&self, node: u32) -> Option<u32> {
        let previous = self.previous.get(node as usize).copied();
        previous.filter(|previous| *previous != NONE && *previous != node)
    }

    /// The way to a node, from its root to the node itself; empty when it was not reached.
    pub fn path(&self, node: u32) -> Vec<u32> {
        if !self.contains(node) {
            return Vec::new();
        }
        let mut path = vec![node];
        let mut at = node;
        while let Some(previous) = self.previous(at) {
            path.push(previous);
            at = previous;
        }
        path.reverse();
        path
    }
}

/// A node near another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The node.
    pub node: u32,
    /// Number of edges to it.
    pub depth: u32,
    /// Position of the node before it; its own at the start.
    from: u32,
}

/// The nodes near a start, nearest first. To look against the edges, go through
/// [`Csr::reversed`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Nearby {
    steps: Vec<Step>,
    at: FxHashMap<u32, u32>,
}

/// Goes at most `depth` edges from `start`, and no further than `limit` nodes, which are then the
/// nearest. The cost is that of what is met, not of the graph.
pub fn nearby(graph: &Csr, start: u32, depth: u32, limit: usize) -> Nearby {
    let mut out = Nearby::default();
    if start >= graph.nodes() {
        return out;
    }
    out.enter(start, 0, 0);
    let mut at = 0;
    while let Some(step) = out.steps.get(at).copied() {
        if step.depth >= depth {
            break;
        }
        for target in graph.targets(step.node) {
            // The start is one more.
            if out.steps.len() > limit {
                return out;
            }
            out.enter(*target, step.depth + 1, at as u32);
        }
        at += 1;
    }
    out
}

impl Nearby {
    fn enter(&mut self, node: u32, depth: u32, from: u32) {
        let next = self.steps.len() as u32;
        if let std::collections::hash_map::Entry::Vacant(place) = self.at.entry(node) {
            place.insert(next);
            self.steps.push(Step { node, depth, from });
        }
    }

    /// The nodes without the start, nearest first; those at one depth in the order they were met.
    pub fn steps(&self) -> &[Step] {
        self.steps.get(1..).unwrap_or_default()
    }

    /// A shortest way from the start to a node, both included; empty when it is not near.
    pub fn path(&self, node: u32) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = self.at.get(&node).copied();
        while let Some(step) = at.and_then(|at| self.steps.get(at as usize)) {
            path.push(step.node);
            at = (step.depth > 0).then_some(step.from);
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::super::csr::tests::{graphs, large, ring};
    use super::*;
    use proptest::prelude::*;

    /// Number of edges to each node, by going round until nothing changes.
    fn distances(graph: &Csr, roots: &[u32]) -> Vec<Option<usize>> {
        let mut far = vec![None; graph.nodes() as usize];
        roots.iter().for_each(|root| far[*root as usize] = Some(0));
        for length in 0..graph.nodes() as usize {
            for node in 0..graph.nodes() {
                if far[node as usize] != Some(length) {
                    continue;
                }
                for to in graph.targets(node) {
                    let to = &mut far[*to as usize];
                    *to = to.or(Some(length + 1));
                }
            }
        }
        far
    }

    fn is_way(graph: &Csr, path: &[u32]) -> bool {
        path.windows(2)
            .all(|two| graph.targets(two[0]).contains(&two[1]))
    }

    proptest! {
        #[test]
        fn everything_is_reached_by_a_shortest_way(
            (nodes, edges) in graphs(),
            roots in proptest::collection::vec(0_u32..12, 0..3),
        ) {
            let graph = Csr::of_edges(nodes, &edges);
            let reached = reach(&graph, &roots);
            let roots: Vec<u32> = roots.into_iter().filter(|root| *root < nodes).collect();
            let far = distances(&graph, &roots);
            prop_assert_eq!(reached.len(), far.iter().flatten().count());
            prop_assert_eq!(reached.unreached().count() + reached.len(), nodes as usize);
            for node in 0..nodes {
                let path = reached.path(node);
                prop_assert_eq!(path.len().checked_sub(1), far[node as usize]);
                prop_assert!(is_way(&graph, &path));
                prop_assert!(path.first().is_none_or(|root| roots.contains(root)));
                prop_assert_eq!(reached.contains(node), path.last() == Some(&node));
            }
        }

        #[test]
        fn what_is_near_is_met_in_order((nodes, edges) in graphs(), start in 0_u32..12, depth in 0_u32..5) {
            let graph = Csr::of_edges(nodes, &edges);
            let start = start % nodes;
            let near = nearby(&graph, start, depth, usize::MAX - 1);
            let far = distances(&graph, &[start]);
            let want = far.iter().flatten().filter(|far| (1..=depth as usize).contains(far));
            prop_assert_eq!(near.steps().len(), want.count());
            prop_assert!(near.steps().is_sorted_by_key(|step| step.depth));
            for step in near.steps() {
                prop_assert_eq!(Some(step.depth as usize), far[step.node as usize]);
                let path = near.path(step.node);
                prop_assert_eq!(path.len(), step.depth as usize + 1);
                prop_assert_eq!((path.first(), path.last()), (Some(&start), Some(&step.node)));
                prop_assert!(is_way(&graph, &path));
            }
            let few = nearby(&graph, start, depth, 2);
            prop_assert_eq!(few.steps(), &near.steps()[..near.steps().len().min(2)]);
        }
    }

    #[test]
    fn what_is_not_there_is_not_reached() {
        let graph = ring(3);
        assert!(reach(&graph, &[9]).is_empty());
        assert!(!reach(&graph, &[0]).contains(700));
        assert!(reach(&graph, &[]).path(1).is_empty());
        assert!(nearby(&graph, 9, 4, 10).steps().is_empty());
        assert!(nearby(&graph, 0, 1, 10).path(2).is_empty());
        assert_eq!(nearby(&graph, 0, 1, 10).path(0), [0]);
    }

    #[test]
    fn large_graphs_are_walked() {
        let ring = ring(100_000);
        assert_eq!(reach(&ring, &[1]).path(0).len(), 100_000);
        assert_eq!(
            nearby(&ring.reversed().0, 2, 4, 80).path(99_998),
            [2, 1, 0, 99_999, 99_998]
        );
        let graph = large();
        let reached = reach(&graph, &[0]);
        assert_eq!(reached.len() + reached.unreached().count(), 100_000);
    }
}
