//! What is heard of many definitions at once: uses that may mean any of a set of them.
//!
//! A file may have thousands of definitions of one name and as many uses, each of which may mean all of them. What is
//! heard of such a set is noted once for the set, and apart from it which of its definitions a use lies in, since what
//! a definition says itself is no hearsay of it. So the work grows with the uses and with the sizes of sets, and not
//! with the product of these.

use super::alive::Hearsay;
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What a use is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// It may mean another.
    Ambiguous,
    /// A string in code is exactly the name.
    Mention,
    /// Documentation names it.
    Documented,
}

/// What is heard of sets.
#[derive(Default)]
pub(super) struct Heard {
    sets: FxHashMap<u32, OfSet>,
    /// Uses that lie in a definition of the set that they may mean.
    own: FxHashMap<(u32, SymbolId), FxHashSet<u32>>,
}

#[derive(Default)]
struct OfSet {
    ambiguous: BTreeSet<u32>,
    mentions: BTreeSet<u32>,
    documented: BTreeSet<u32>,
    /// Whether its definitions were told that there may be a use.
    is_told: bool,
    /// Those that were not, since all uses so far lie in them.
    untold: Vec<SymbolId>,
}

impl OfSet {
    /// Notes a use. Returns those of `all` that it is the first possible use of.
    fn note(
        &mut self,
        edge: u32,
        sort: Sort,
        own: &[SymbolId],
        all: impl FnOnce() -> Vec<SymbolId>,
    ) -> Vec<SymbolId> {
        let edges = match sort {
            Sort::Ambiguous => &mut self.ambiguous,
            Sort::Mention => &mut self.mentions,
            Sort::Documented => &mut self.documented,
        };
        edges.insert(edge);
        if sort == Sort::Documented {
            return Vec::new();
        }
        let untold = match std::mem::replace(&mut self.is_told, true) {
            true => std::mem::take(&mut self.untold),
            false => all(),
        };
        let (untold, told) = untold.into_iter().partition(|id| own.contains(id));
        self.untold = untold;
        told
    }
}

impl Heard {
    /// Notes a use that lies in some of the definitions of a set. Returns those that it is the first possible use of.
    pub fn note(
        &mut self,
        graph: &Graph,
        (set, edge): (u32, u32),
        sort: Sort,
        own: Vec<SymbolId>,
    ) -> Vec<SymbolId> {
        for id in &own {
            self.own.entry((set, *id)).or_default().insert(edge);
        }
        let of = self.sets.entry(set).or_default();
        of.note(edge, sort, &own, || graph.of_set(set).collect())
    }

    /// Adds what was heard of a definition with others to what was heard of it alone.
    pub fn add_to(&self, graph: &Graph, id: SymbolId, hearsay: &mut Hearsay) {
        for set in graph.sets_of(id) {
            let Some(of) = self.sets.get(set) else {
                continue;
            };
            let own = self.own.get(&(*set, id));
            let is_own = |edge: &u32| own.is_some_and(|own| own.contains(edge));
            let count = |edges: &BTreeSet<u32>| {
                let within = own.into_iter().flatten();
                let within = within.filter(|edge| edges.contains(edge)).count();
                (edges.len() - within) as u32
            };
            let first = |edges: &BTreeSet<u32>| edges.iter().find(|edge| !is_own(edge)).copied();
            let least = |known: Option<u32>, edges| known.into_iter().chain(first(edges)).min();
            hearsay.ambiguous += count(&of.ambiguous);
            hearsay.first_ambiguous = least(hearsay.first_ambiguous, &of.ambiguous);
            hearsay.mentions += count(&of.mentions);
            hearsay.first_mention = least(hearsay.first_mention, &of.mentions);
            hearsay.documented += count(&of.documented);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told of a set of four, without a graph.
    fn heard(uses: &[(u32, Sort, &[u32])]) -> OfSet {
        let mut of = OfSet::default();
        let all: Vec<SymbolId> = (0..4).map(SymbolId).collect();
        for (edge, sort, own) in uses {
            let own: Vec<SymbolId> = own.iter().copied().map(SymbolId).collect();
            of.note(*edge, *sort, &own, || all.clone());
        }
        of
    }

    #[test]
    fn who_uses_itself_alone_is_told_by_the_first_other() {
        use Sort::{Ambiguous, Documented, Mention};
        let of = heard(&[(5, Documented, &[])]);
        assert!(!of.is_told);
        let of = heard(&[(5, Ambiguous, &[1, 2])]);
        assert_eq!(of.untold, [SymbolId(1), SymbolId(2)]);
        let of = heard(&[(5, Ambiguous, &[1, 2]), (3, Mention, &[2])]);
        assert_eq!(of.untold, [SymbolId(2)]);
        let of = heard(&[
            (5, Ambiguous, &[1, 2]),
            (3, Mention, &[2]),
            (9, Ambiguous, &[]),
        ]);
        assert!(of.untold.is_empty());
        assert_eq!(of.ambiguous, BTreeSet::from([5, 9]));
        assert_eq!(of.mentions, BTreeSet::from([3]));
    }
}
