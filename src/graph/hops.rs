//! How far hints and members are followed for one occurrence.

use std::cell::Cell;

/// Hops that follow from one another. The bound is for code made to be followed for ever.
const MAX_HOPS: u32 = 40;

/// Hops in all. One place may lead to several (a type parameter to each type of its bound), so with
/// depth alone bounded, two parameters that bound each other double the work with every few hops.
/// Real code takes a hundred at most.
const MAX_LOOKS: u32 = 512;

/// What is left of the hops for one occurrence.
#[derive(Clone, Copy)]
pub(super) struct Hops<'a> {
    deep: u32,
    in_all: &'a Cell<u32>,
}

impl<'a> Hops<'a> {
    /// All hops; `in_all` is what [`looks`] gives.
    pub(super) fn new(in_all: &'a Cell<u32>) -> Self {
        Self {
            deep: MAX_HOPS,
            in_all,
        }
    }

    /// What is left after one more; `None` when there is none.
    pub(super) fn next(self) -> Option<Self> {
        let deep = self.deep.checked_sub(1)?;
        self.in_all.set(self.in_all.get().checked_sub(1)?);
        Some(Self { deep, ..self })
    }
}

/// What one occurrence may take.
pub(super) fn looks() -> Cell<u32> {
    Cell::new(MAX_LOOKS)
}

#[cfg(test)]
mod tests {
    use super::super::build::build;
    use super::super::modules::testing::Tree;
    use super::*;

    #[test]
    fn hops_end_in_depth_and_in_all() {
        let all = looks();
        let mut hops = Hops::new(&all);
        for _ in 0..MAX_HOPS {
            hops = hops.next().unwrap();
        }
        assert!(hops.next().is_none());
        for _ in MAX_HOPS..MAX_LOOKS {
            assert!(Hops::new(&all).next().is_some());
        }
        assert!(Hops::new(&all).next().is_none());
    }

    /// Of two methods of a name, how many a call on an `A` may mean, where the path to `A` lies behind
    /// so many types that each lead to all of them again.
    fn meant(times: usize) -> usize {
        let (t, u) = ("T | ".repeat(times), "U | ".repeat(times));
        let text = format!(
            "class A {{ go() {{}} }}\nclass B {{ go() {{}} }}\n\
             function f<T extends {u}A, U extends {t}A>(x: T) {{ x.go(); }}\n"
        );
        let tree = Tree::new(&[("x.ts", &text)]);
        let graph = build(tree.view(), 1, &mut |file| tree.content(file)).graph;
        let edges = 0..graph.edge_count() as u32;
        let widest = edges.map(|edge| graph.targets(edge).len()).max();
        widest.unwrap_or_default()
    }

    #[test]
    fn types_that_bound_each_other_do_not_double_the_work() {
        assert_eq!(meant(2), 1);
        assert_eq!(meant(20), 2);
    }
}
