use super::super::build::build;
use super::super::modules::testing::Tree;
use super::*;

#[test]
fn hops_end_in_depth_and_in_all() {
    let all = Search::new();
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
