//! Which edges to cut so that nothing leads back to itself.
//!
//! The least such set is hard to find (the problem is NP-complete), so this is a heuristic in two
//! steps. First the nodes are put into an order by the rule of Eades, Lin and Smyth: what leads
//! nowhere goes to the end, what nothing leads to goes to the front, and otherwise the node whose
//! outgoing edges outweigh its incoming ones most goes to the front; the edges that point backwards
//! are cut. Then each of these is put back, the heaviest first, unless it closes a cycle.

use super::csr::Csr;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Edges that are followed while edges are put back; what is left then stays cut.
const MAX_STEPS: usize = 8 << 20;

/// Returns edges among `nodes`, which are sorted, without which none of these leads back to itself
/// by way of the others, in order. None of them is there for nothing, unless the component is so
/// large that [`MAX_STEPS`] stop the second step.
///
/// `weights` has by position what each edge of the graph costs; without, all cost the same.
pub fn cut(graph: &Csr, weights: Option<&[u32]>, nodes: &[u32]) -> Vec<(u32, u32)> {
    let inner = Inner::new(graph, weights, nodes);
    let place = inner.order();
    let count = nodes.len() as u32;
    let mut backward: Vec<(u32, u32, u32)> = Vec::new();
    let mut forward: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
    for (from, edges) in (0..count).zip(&inner.out) {
        for (to, weight) in edges {
            if place[from as usize] < place[*to as usize] {
                forward[from as usize].push(*to);
            } else {
                backward.push((*weight, from, *to));
            }
        }
    }
    backward.sort_unstable_by_key(|(weight, from, to)| (Reverse(*weight), *from, *to));
    let mut search = Search {
        seen: vec![0; nodes.len()],
        round: 0,
        left: MAX_STEPS,
    };
    let mut out = Vec::new();
    for (_, from, to) in backward {
        if from != to && search.is_apart(&forward, to, from) {
            forward[from as usize].push(to);
        } else {
            out.push((nodes[from as usize], nodes[to as usize]));
        }
    }
    out.sort_unstable();
    out
}

/// A component by itself, its nodes counted from 0.
struct Inner {
    /// Targets and weights.
    out: Vec<Vec<(u32, u32)>>,
    /// Sources and weights.
    incoming: Vec<Vec<(u32, u32)>>,
}

impl Inner {
    fn new(graph: &Csr, weights: Option<&[u32]>, nodes: &[u32]) -> Self {
        let numbers: FxHashMap<u32, u32> = nodes.iter().copied().zip(0..).collect();
        let mut inner = Self {
            out: vec![Vec::new(); nodes.len()],
            incoming: vec![Vec::new(); nodes.len()],
        };
        for (from, node) in (0_u32..).zip(nodes) {
            for (target, at) in graph.targets(*node).iter().zip(graph.row(*node)) {
                let Some(to) = numbers.get(target) else {
                    continue;
                };
                let weight = weights.map_or(1, |all| all.get(at).copied().unwrap_or(1));
                inner.out[from as usize].push((*to, weight));
                inner.incoming[*to as usize].push((from, weight));
            }
        }
        inner
    }

    /// Puts the nodes into an order; returns the place of each.
    fn order(&self) -> Vec<usize> {
        let count = self.out.len();
        let sum = |edges: &[(u32, u32)], node: u32| -> i64 {
            let others = edges.iter().filter(|(other, _)| *other != node);
            others.map(|(_, weight)| i64::from(*weight)).sum()
        };
        let degree = |edges: &[(u32, u32)], node: u32| {
            edges.iter().filter(|(other, _)| *other != node).count()
        };
        let numbers = 0..count as u32;
        // What is left: the balance of weights, and how many edges go out and come in.
        let mut balance: Vec<i64> = Vec::with_capacity(count);
        let (mut leaving, mut entering) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (node, (out, incoming)) in numbers.zip(self.out.iter().zip(&self.incoming)) {
            balance.push(sum(out, node) - sum(incoming, node));
            leaving.push(degree(out, node));
            entering.push(degree(incoming, node));
        }
        // Sinks first, then sources, then by balance; equal ones by number.
        let key = |node: usize, balance: &[i64], leaving: &[usize], entering: &[usize]| {
            let group = match (leaving[node], entering[node]) {
                (0, _) => 0,
                (_, 0) => 1,
                _ => 2,
            };
            (group, Reverse(balance[node]), node)
        };
        let mut queue: BTreeSet<_> = (0..count)
            .map(|node| key(node, &balance, &leaving, &entering))
            .collect();
        let mut place = vec![usize::MAX; count];
        let (mut front, mut back) = (0, count);
        while let Some((group, _, node)) = queue.pop_first() {
            if group == 0 {
                back -= 1;
                place[node] = back;
            } else {
                place[node] = front;
                front += 1;
            }
            for (edges, sign) in [(&self.out[node], 1), (&self.incoming[node], -1)] {
                for (other, weight) in edges {
                    let at = *other as usize;
                    if place[at] != usize::MAX {
                        continue;
                    }
                    queue.remove(&key(at, &balance, &leaving, &entering));
                    balance[at] += sign * i64::from(*weight);
                    let count = if sign > 0 {
                        &mut entering
                    } else {
                        &mut leaving
                    };
                    count[at] -= 1;
                    queue.insert(key(at, &balance, &leaving, &entering));
                }
            }
        }
        place
    }
}

struct Search {
    /// The round in which each node was last met.
    seen: Vec<u32>,
    round: u32,
    left: usize,
}

impl Search {
    /// Whether `from` is known not to lead to `to`.
    fn is_apart(&mut self, edges: &[Vec<u32>], from: u32, to: u32) -> bool {
        self.round += 1;
        self.seen[from as usize] = self.round;
        let mut todo = vec![from];
        while let Some(node) = todo.pop() {
            for next in &edges[node as usize] {
                if *next == to || self.left == 0 {
                    return false;
                }
                self.left -= 1;
                let seen = &mut self.seen[*next as usize];
                if *seen != self.round {
                    *seen = self.round;
                    todo.push(*next);
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_edge_of_a_cycle_is_cut() {
        // 0 -> 1 -> 2 -> 0, in the order of positions.
        let ring = Csr::of_edges(3, &[(0, 1), (1, 2), (2, 0)]);
        for (weights, want) in [
            ([1, 5, 5], (0, 1)),
            ([5, 1, 5], (1, 2)),
            ([5, 5, 1], (2, 0)),
        ] {
            assert_eq!(cut(&ring, Some(&weights), &[0, 1, 2]), [want]);
        }
        assert_eq!(cut(&ring, None, &[0, 1, 2]).len(), 1);
    }

    #[test]
    fn one_edge_that_closes_many_cycles_is_enough() {
        // A ladder down and one edge back up.
        let mut edges: Vec<(u32, u32)> = (0..9).map(|n| (n, n + 1)).collect();
        edges.extend((0..8).map(|n| (n, n + 2)));
        edges.push((9, 0));
        let graph = Csr::of_edges(10, &edges);
        let nodes: Vec<u32> = (0..10).collect();
        assert_eq!(cut(&graph, None, &nodes), [(9, 0)]);
    }

    #[test]
    fn what_leads_to_itself_is_cut() {
        let graph = Csr::of_edges(2, &[(0, 0), (0, 1), (1, 1)]);
        assert_eq!(cut(&graph, None, &[0]), [(0, 0)]);
        assert_eq!(cut(&graph, Some(&[]), &[0, 1]), [(0, 0), (1, 1)]);
        assert!(cut(&graph, None, &[]).is_empty());
    }
}
