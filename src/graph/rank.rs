//! PageRank: how much of a walk at random through a graph is spent at each node.

use super::csr::Csr;

/// How likely the walk is to go on along an edge, as Brin and Page have it; else it starts anew
/// anywhere.
pub const DAMPING: f64 = 0.85;
/// Sum of all changes of a round below which the ranks count as found.
const CLOSE: f64 = 1e-9;
/// Most rounds. The change is at most 2 at first and shrinks at least by [`DAMPING`] in each, so after
/// as many it is below 2e-7 whatever the graph, and all that is still to come below 2e-6.
const MAX_ROUNDS: usize = 100;
/// Steps into which the mean rank is divided for comparisons.
const STEPS: f64 = (1_u64 << 20) as f64;

/// Returns the rank of each node; all are positive, and their sum is 1.
///
/// `weights` has the weight of each edge, by its position in the graph; without, all edges of a node
/// are equal. What is not positive and finite weighs nothing. A walk that comes to a node whose
/// edges weigh nothing goes on anywhere. Sums are taken in the order of nodes, so ranks are equal to
/// the last bit on every machine.
pub fn pagerank(graph: &Csr, weights: Option<&[f32]>) -> Vec<f64> {
    let nodes = graph.nodes() as usize;
    if nodes == 0 {
        return Vec::new();
    }
    let weight = |at: usize| match weights {
        None => 1.0,
        Some(weights) => weights
            .get(at)
            .map(|weight| f64::from(*weight))
            .filter(|weight| weight.is_finite() && *weight > 0.0)
            .unwrap_or_default(),
    };
    let out: Vec<f64> = (0..graph.nodes())
        .map(|node| graph.row(node).map(weight).sum())
        .collect();
    let (incoming, positions) = graph.reversed();
    // The share of its source's rank that each turned edge brings.
    let mut shares = vec![0.0; graph.edges()];
    for node in 0..graph.nodes() {
        for (source, at) in incoming.targets(node).iter().zip(incoming.row(node)) {
            let total = out[*source as usize];
            if total > 0.0 {
                shares[at] = weight(positions[at] as usize) / total;
            }
        }
    }
    let uniform = 1.0 / nodes as f64;
    let mut rank = vec![uniform; nodes];
    let mut next = vec![0.0; nodes];
    for _ in 0..MAX_ROUNDS {
        let dangling = rank.iter().zip(&out).filter(|(_, out)| **out == 0.0);
        let dangling: f64 = dangling.map(|(rank, _)| rank).sum();
        let base = uniform * (1.0 - DAMPING + DAMPING * dangling);
        for (node, place) in (0..).zip(&mut next) {
            let sources = incoming.targets(node).iter().zip(incoming.row(node));
            let brought: f64 = sources
                .map(|(source, at)| rank[*source as usize] * shares[at])
                .sum();
            *place = base + DAMPING * brought;
        }
        let change: f64 = rank.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        std::mem::swap(&mut rank, &mut next);
        if change < CLOSE {
            break;
        }
    }
    let sum: f64 = rank.iter().sum();
    rank.iter_mut().for_each(|rank| *rank /= sum);
    rank
}

/// Returns ranks as whole numbers to compare: the mean of all is 2 to the power of 20.
///
/// Nodes in the same position, of which rounding says that one is ahead in the last bits, are equal
/// here as a rule, and something that means something (a path) decides between them.
pub fn quantised(ranks: &[f64]) -> Vec<u64> {
    let nodes = ranks.len() as f64;
    let steps = ranks.iter().map(|rank| (rank * nodes * STEPS).round());
    steps.map(|steps| steps as u64).collect()
}

#[cfg(test)]
mod tests {
    use super::super::csr::tests::{graphs, large, ring};
    use super::*;
    use proptest::prelude::*;

    /// The definition, with a matrix and many rounds.
    fn dense(graph: &Csr, weights: Option<&[f32]>) -> Vec<f64> {
        let nodes = graph.nodes() as usize;
        let mut matrix = vec![vec![0.0; nodes]; nodes];
        for (node, cells) in matrix.iter_mut().enumerate() {
            let row = graph.row(node as u32);
            let weight = |at: usize| weights.map_or(1.0, |all| f64::from(all[at]));
            let total: f64 = row.clone().map(weight).sum();
            for (to, cell) in cells.iter_mut().enumerate() {
                *cell = match total {
                    0.0 => 1.0 / nodes as f64,
                    _ => {
                        let at = graph.targets(node as u32).binary_search(&(to as u32));
                        at.map_or(0.0, |at| weight(row.start + at) / total)
                    }
                };
            }
        }
        let mut rank = vec![1.0 / nodes as f64; nodes];
        for _ in 0..400 {
            let step = |to: usize| -> f64 {
                let brought: f64 = (0..nodes).map(|from| rank[from] * matrix[from][to]).sum();
                0.15 / nodes as f64 + 0.85 * brought
            };
            rank = (0..nodes).map(step).collect();
        }
        rank
    }

    fn is_near(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-6)
    }

    proptest! {
        #[test]
        fn it_is_what_the_definition_says((nodes, edges) in graphs(), seed in 0_u32..1000) {
            let graph = Csr::of_edges(nodes, &edges);
            let weights: Vec<f32> = (0..graph.edges() as u32)
                .map(|at| ((at * 7 + seed) % 5) as f32)
                .collect();
            for weights in [None, Some(&weights[..])] {
                let ranks = pagerank(&graph, weights);
                prop_assert!((ranks.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                prop_assert!(ranks.iter().all(|rank| *rank > 0.0));
                prop_assert!(is_near(&ranks, &dense(&graph, weights)));
            }
        }

        #[test]
        fn names_of_nodes_do_not_matter((nodes, edges) in graphs(), turn in 0_u32..12) {
            let other = |node: u32| (nodes - 1 - node + turn) % nodes;
            let moved: Vec<(u32, u32)> = edges.iter().map(|(a, b)| (other(*a), other(*b))).collect();
            let ranks = pagerank(&Csr::of_edges(nodes, &edges), None);
            let there = pagerank(&Csr::of_edges(nodes, &moved), None);
            let back: Vec<f64> = (0..nodes).map(|node| there[other(node) as usize]).collect();
            prop_assert!(is_near(&ranks, &back));
        }
    }

    #[test]
    fn what_is_alike_is_equal() {
        for graph in [ring(7), Csr::of_edges(5, &[])] {
            let ranks = quantised(&pagerank(&graph, None));
            assert!(ranks.iter().all(|rank| *rank == 1 << 20), "{ranks:?}");
        }
        assert!(pagerank(&Csr::of_edges(0, &[]), None).is_empty());
    }

    #[test]
    fn what_many_lead_to_is_ahead() {
        let graph = Csr::of_edges(4, &[(0, 3), (1, 3), (2, 3), (3, 0)]);
        let ranks = quantised(&pagerank(&graph, None));
        assert!(ranks[3] > ranks[0] && ranks[0] > ranks[1] && ranks[1] == ranks[2]);
    }

    #[test]
    fn weights_that_are_none_weigh_nothing() {
        let graph = Csr::of_edges(3, &[(0, 1), (0, 2)]);
        let odd = [f32::NAN, 2.0];
        let plain = [0.0, 1.0];
        assert_eq!(pagerank(&graph, Some(&odd)), pagerank(&graph, Some(&plain)));
        let none = Csr::of_edges(3, &[]);
        let negative = [-1.0, f32::NEG_INFINITY];
        assert_eq!(pagerank(&graph, Some(&negative)), pagerank(&none, None));
        assert_eq!(pagerank(&graph, Some(&[])), pagerank(&none, None));
    }

    #[test]
    fn a_hundred_thousand_nodes_are_ranked() {
        let ranks = pagerank(&large(), None);
        assert!((ranks.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
