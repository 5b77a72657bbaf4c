use super::super::build::{Made, build_from};
use super::super::modules::testing::Tree;
use super::*;
use crate::store::facts::{BlobFacts, FactsByBlob};

const SHAPES: &str = "\
export class Circle {
  area() {}
}
export class Square {
  area() {}
}
";
const MAIN: &str = "\
export function sum(all) {
  return all.map((one) => one.area());
}
";

/// What is said of a file: whether it is a definition, line, column, symbol.
type Said = (bool, u32, u32, &'static str);

const SHAPES_SAID: &[Said] = &[
    (true, 1, 13, "x shop s/Circle#"),
    (true, 2, 2, "x shop s/Circle#area()."),
    (true, 4, 13, "x shop s/Square#"),
    (true, 5, 2, "x shop s/Square#area()."),
];
const MAIN_SAID: &[Said] = &[(false, 2, 30, "x shop s/Square#area().")];

/// Uses of `area` in a file, each as its rule and the places of what it may mean.
fn uses(files: &[(&str, &str)], said: &[(&str, &[Said])], of: &str) -> Vec<String> {
    let tree = Tree::new(files);
    let view = tree.view();
    let mut known = FactsByBlob::new();
    for (path, said) in said {
        let blob = view.file(tree.file(path).unwrap()).blob;
        let symbol = |text: &str| Symbol::stored(&format!("scip-test {text}")).unwrap();
        let all: Vec<_> = said
            .iter()
            .map(|(defines, line, col, text)| (*defines, *line, *col, symbol(text)))
            .collect();
        let those = |wanted: bool| {
            let of = all.iter().filter(move |(defines, ..)| *defines == wanted);
            of.map(|(_, line, col, symbol)| (*line, *col, symbol))
        };
        let facts = BlobFacts::of(those(true), those(false));
        let before = known.remove(&blob).unwrap_or_default();
        known.insert(blob, before.united(&facts));
    }
    let facts = CompilerFacts::of(known);
    let (made, _) = build_from((view, &facts), None, 2, &mut |file| tree.content(file));
    shown(&tree, &made, of)
}

fn shown(tree: &Tree, made: &Made, of: &str) -> Vec<String> {
    let graph = &made.graph;
    let place = |id: SymbolId| {
        let (file, index) = graph.place(id);
        let file = tree.view().file(file);
        let live = file.doc.unwrap();
        let segment = &tree.view().segment(live.segment).segment;
        let symbol = segment.symbols(live.doc).nth(index).unwrap();
        format!("{}:{}", file.path, symbol.name_line)
    };
    let edges = graph.edges_of(tree.file(of).unwrap());
    edges
        .filter(|edge| graph.edge(*edge).col > 20)
        .map(|edge| {
            let targets: Vec<String> = graph.targets(edge).map(place).collect();
            format!("{} {}", graph.edge(edge).rule.label(), targets.join(" "))
        })
        .collect()
}

#[test]
fn what_a_compiler_says_comes_first() {
    let files = [("s.ts", SHAPES), ("m.ts", MAIN)];
    assert_eq!(uses(&files, &[], "m.ts"), ["ambiguous s.ts:2 s.ts:5"]);
    let both: [(&str, &[Said]); 2] = [("s.ts", SHAPES_SAID), ("m.ts", MAIN_SAID)];
    assert_eq!(uses(&files, &both, "m.ts"), ["compiler s.ts:5"]);
    // One side alone says nothing.
    assert_eq!(
        uses(&files, &both[..1], "m.ts"),
        ["ambiguous s.ts:2 s.ts:5"]
    );
    assert_eq!(
        uses(&files, &both[1..], "m.ts"),
        ["ambiguous s.ts:2 s.ts:5"]
    );
}

#[test]
fn what_changed_since_is_found_as_without_a_compiler() {
    // Square has gone from where it was; another file of the package is still known.
    let files = [
        ("s.ts", SHAPES),
        ("m.ts", MAIN),
        ("o.ts", "export function other() {}\n"),
    ];
    let other: &[Said] = &[(true, 1, 16, "x shop o/other().")];
    let said: [(&str, &[Said]); 2] = [("m.ts", MAIN_SAID), ("o.ts", other)];
    assert_eq!(uses(&files, &said, "m.ts"), ["ambiguous s.ts:2 s.ts:5"]);
    // What else the file names was said of an earlier state.
    let more: &[Said] = &[
        (false, 2, 30, "x shop s/Square#area()."),
        (false, 1, 16, "x shop o/gone()."),
    ];
    let said: [(&str, &[Said]); 3] = [("s.ts", SHAPES_SAID), ("m.ts", more), ("o.ts", other)];
    assert_eq!(uses(&files, &said, "m.ts"), ["compiler, earlier s.ts:5"]);
}

#[test]
fn what_is_outside_is_not_in_files_that_were_listed() {
    let outside: &[Said] = &[(false, 2, 30, "x lib m/Field#area().")];
    let files = [
        ("s.ts", SHAPES),
        ("m.ts", MAIN),
        ("t.ts", "export class Third {\n  area() {}\n}\n"),
    ];
    let said: [(&str, &[Said]); 2] = [("s.ts", SHAPES_SAID), ("m.ts", outside)];
    assert_eq!(uses(&files[..2], &said, "m.ts"), [""; 0]);
    assert_eq!(
        uses(&files, &said, "m.ts"),
        ["ambiguous t.ts:2"],
        "nobody has listed that one"
    );
    // A parameter of some function there.
    let inner: &[Said] = &[
        (true, 1, 13, "x shop t/Third#"),
        (true, 1, 0, "x shop t/f().(area)"),
    ];
    let use_of: &[Said] = &[(false, 2, 30, "x shop t/f().(area)")];
    let said: [(&str, &[Said]); 3] = [("s.ts", SHAPES_SAID), ("m.ts", use_of), ("t.ts", inner)];
    assert_eq!(uses(&files, &said, "m.ts"), ["unique t.ts:2"]);
}

#[test]
fn a_name_that_differs_is_no_use() {
    // The symbol is named otherwise than what stands there.
    let files = [("s.ts", SHAPES), ("m.ts", MAIN)];
    let lie: &[Said] = &[(false, 2, 30, "x shop s/Circle#")];
    let said: [(&str, &[Said]); 2] = [("s.ts", SHAPES_SAID), ("m.ts", lie)];
    assert_eq!(uses(&files, &said, "m.ts"), ["ambiguous s.ts:2 s.ts:5"]);
    // And where it is said to be defined another stands.
    let lie: &[Said] = &[(true, 1, 13, "x shop s/Square#area().")];
    let said: [(&str, &[Said]); 2] = [("s.ts", lie), ("m.ts", MAIN_SAID)];
    assert_eq!(uses(&files, &said, "m.ts"), ["ambiguous s.ts:2 s.ts:5"]);
}

#[test]
fn copies_are_told_apart_by_resolution() {
    let main = "import { Square } from './b/s';\nconst s = new Square(), area = 1; s.area();\n";
    let files = [("a/s.ts", SHAPES), ("b/s.ts", SHAPES), ("m.ts", main)];
    let both: Vec<Said> = SHAPES_SAID
        .iter()
        .copied()
        .chain([(true, 5, 2, "x shop t/Square#area().")])
        .collect();
    let use_of: &[Said] = &[(false, 2, 36, "x shop t/Square#area().")];
    let said: [(&str, &[Said]); 2] = [("a/s.ts", &both), ("m.ts", use_of)];
    let found = uses(&files, &said, "m.ts");
    assert_eq!(found.last().map(String::as_str), Some("compiler b/s.ts:5"));
    // Nothing else says which.
    let files = [("a/s.ts", SHAPES), ("b/s.ts", SHAPES), ("m.ts", MAIN)];
    let said: [(&str, &[Said]); 2] = [("a/s.ts", SHAPES_SAID), ("m.ts", MAIN_SAID)];
    assert_eq!(uses(&files, &said, "m.ts"), ["ambiguous a/s.ts:5 b/s.ts:5"]);
}

#[test]
fn of_what_only_a_number_tells_apart_one_is_meant() {
    let shapes = "export class U {\n  area() {}\n}\nexport class V {\n  area() {}\n}\n";
    let files = [("s.ts", shapes), ("m.ts", MAIN), ("t.ts", SHAPES)];
    let use_of: &[Said] = &[(false, 2, 30, "x shop s/f().literal:area.")];
    let one: &[Said] = &[(true, 5, 2, "x shop s/f().literal:area.")];
    let two: &[Said] = &[
        (true, 2, 2, "x shop s/f().literal:area."),
        (true, 5, 2, "x shop s/f().literal:area."),
    ];
    assert_eq!(
        uses(&files, &[("s.ts", one), ("m.ts", use_of)], "m.ts"),
        ["compiler s.ts:5"]
    );
    assert_eq!(
        uses(&files, &[("s.ts", two), ("m.ts", use_of)], "m.ts"),
        ["ambiguous s.ts:2 s.ts:5"],
        "but none of another file"
    );
}
