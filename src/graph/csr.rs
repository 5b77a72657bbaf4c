//! A directed graph as two arrays: what a node leads to lies together.

use std::ops::Range;

/// A directed graph over the nodes `0..nodes`, in compressed sparse rows. The targets of a node are
/// in order and distinct, so equal sets of edges are equal graphs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Csr {
    /// Where the targets of each node begin, and behind the last where they end.
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl Csr {
    /// Makes the graph of these edges; those between other nodes are left out, and repeated ones
    /// count once.
    pub fn of_edges(nodes: u32, edges: &[(u32, u32)]) -> Self {
        let mut edges: Vec<(u32, u32)> = edges
            .iter()
            .copied()
            .filter(|(from, to)| *from < nodes && *to < nodes)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        // Positions of edges have 32 bits.
        edges.truncate(u32::MAX as usize);
        let mut offsets = Vec::with_capacity(nodes as usize + 1);
        offsets.push(0);
        let mut at = 0;
        for node in 0..nodes {
            at += edges[at..].partition_point(|(from, _)| *from == node);
            offsets.push(at as u32);
        }
        Self {
            offsets,
            targets: edges.into_iter().map(|(_, to)| to).collect(),
        }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// What a node leads to, in order; nothing for one that is not in the graph.
    pub fn targets(&self, node: u32) -> &[u32] {
        &self.targets[self.row(node)]
    }

    /// The positions of a node's edges among all, which is where their weights are.
    pub fn row(&self, node: u32) -> Range<usize> {
        let at = node as usize;
        match self.offsets.get(at..at.saturating_add(2)) {
            Some(&[start, end]) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// Returns the graph with every edge turned round, and for each of its edges the position that
    /// it has here.
    pub fn reversed(&self) -> (Self, Vec<u32>) {
        let nodes = self.nodes();
        let mut offsets = vec![0_u32; nodes as usize + 1];
        for target in &self.targets {
            offsets[*target as usize + 1] += 1;
        }
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; self.targets.len()];
        let mut positions = vec![0; self.targets.len()];
        // Sources come in order, so every row is.
        for node in 0..nodes {
            for at in self.row(node) {
                let place = &mut next[self.targets[at] as usize];
                targets[*place as usize] = node;
                positions[*place as usize] = at as u32;
                *place += 1;
            }
        }
        (Self { offsets, targets }, positions)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Small graphs, as the number of nodes and edges.
    pub(in crate::graph) fn graphs() -> impl Strategy<Value = (u32, Vec<(u32, u32)>)> {
        (1_u32..12).prop_flat_map(|nodes| {
            let edges = proptest::collection::vec((0..nodes, 0..nodes), 0..40);
            (Just(nodes), edges)
        })
    }

    /// A graph of a hundred thousand nodes with four edges each on the average, always the same.
    pub(in crate::graph) fn large() -> Csr {
        const NODES: u32 = 100_000;
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as u32 % NODES
        };
        let edges: Vec<(u32, u32)> = (0..4 * NODES).map(|_| (next(), next())).collect();
        Csr::of_edges(NODES, &edges)
    }

    /// A chain that closes: each node leads to the next, and the last to the first.
    pub(in crate::graph) fn ring(nodes: u32) -> Csr {
        let edges: Vec<(u32, u32)> = (0..nodes).map(|n| (n, (n + 1) % nodes)).collect();
        Csr::of_edges(nodes, &edges)
    }

    proptest! {
        #[test]
        fn edges_are_kept((nodes, edges) in graphs()) {
            let graph = Csr::of_edges(nodes, &edges);
            let mut want = edges.clone();
            want.sort_unstable();
            want.dedup();
            let all = |graph: &Csr| -> Vec<(u32, u32)> {
                let of = |node| graph.targets(node).iter().map(move |to| (node, *to));
                (0..graph.nodes()).flat_map(of).collect()
            };
            prop_assert_eq!(all(&graph), want);
            let (turned, positions) = graph.reversed();
            prop_assert_eq!(&turned.reversed().0, &graph);
            for (from, to) in all(&graph) {
                let at = turned.row(to).find(|at| turned.targets[*at] == from).unwrap();
                prop_assert!(graph.row(from).contains(&(positions[at] as usize)));
                prop_assert_eq!(graph.targets[positions[at] as usize], to);
            }
        }
    }

    #[test]
    fn edges_of_nodes_that_are_not_there_are_left_out() {
        let graph = Csr::of_edges(2, &[(0, 1), (7, 0), (0, 9), (0, 1)]);
        assert_eq!((graph.edges(), graph.targets(9)), (1, &[][..]));
        assert_eq!(Csr::of_edges(0, &[]).nodes(), 0);
    }
}
