//! In what two signatures differ for who calls them, and how many values a function gives.

use super::*;
use crate::extract::extract;

#[test]
fn what_differs_in_types_alone_takes_the_same() {
    let takes = |source: &str| {
        let record = extract(source.as_bytes(), Grammar::TypeScript);
        let parsed = Parsed::of(Grammar::TypeScript, source.as_bytes()).expect("parsed");
        let parameters = parsed.parameters(record.symbols[0].span.clone());
        parameters.expect("read")
    };
    let was = takes("function f(a: number, b?: string): void {}");
    for same in [
        "function f(a: string, b?: string): void {}",
        "async function f(a: number, b?: number): Promise<void> {}",
    ] {
        assert!(was.takes_as(&takes(same)), "{same}");
    }
    for other in [
        "function f(a: number, b: string): void {}",
        "function f(a: number, c?: string): void {}",
        "function f(b?: string, a: number): void {}",
        "function f(a: number): void {}",
        "function f(a: number, ...b: string[]): void {}",
        "function f({ a }: X, b?: string): void {}",
    ] {
        assert!(!was.takes_as(&takes(other)), "{other}");
    }
}

#[test]
fn a_call_of_go_gives_what_the_one_in_it_is_declared_to_give() {
    for (result, values) in [
        ("int", Some(1)),
        ("(int)", Some(1)),
        ("(int, error)", Some(2)),
        ("(a, b int, err error)", Some(3)),
        ("(func(int, int) (int, error), map[string]int,)", Some(2)),
        ("func(int) (int, error)", Some(1)),
        ("", None),
    ] {
        let source =
            format!("package x\nfunc g() {result} {{ panic(1) }}\nfunc h() {{ f(a.g()) }}\n");
        let record = extract(source.as_bytes(), Grammar::Go);
        let parsed = Parsed::of(Grammar::Go, source.as_bytes()).expect("parsed");
        let is_g = |name| record.names.get(name) == b"g";
        let g = record
            .symbols
            .iter()
            .find(|symbol| is_g(symbol.name))
            .unwrap();
        let takes = parsed.parameters(g.span.clone()).expect("read");
        assert_eq!(takes.gives(), values, "{result}");
        let given = parsed.arguments(3, 11).expect("a call");
        assert!(given.may_be_several);
        assert_eq!(given.several_of, Some((3, 15)), "{source}");
    }
    // Where it stands with others it gives one value.
    let source = "package x\nfunc h() { f(g(), 1) }\n";
    let parsed = Parsed::of(Grammar::Go, source.as_bytes()).expect("parsed");
    assert_eq!(parsed.arguments(2, 11).expect("a call").several_of, None);
}

/// What changed between two definitions of `f`.
fn changed(grammar: Grammar, old: &str, new: &str) -> Vec<Change> {
    let of = |source: &str| {
        let record = extract(source.as_bytes(), grammar);
        let mut symbols = record.symbols.iter();
        let f = symbols.find(|symbol| record.names.get(symbol.name) == b"f");
        let parsed = Parsed::of(grammar, source.as_bytes()).expect("parsed");
        let span = f.expect("a definition").span.clone();
        parsed.parameters(span).expect("parameters")
    };
    Parameters::compare(&of(old), &of(new))
}

#[test]
fn changes_are_told_apart() {
    let python = |old: &str, new: &str| {
        let def = |list: &str| format!("def f({list}: pass");
        changed(Grammar::Python, &def(old), &def(new))
    };
    let name = || "b".to_owned();
    assert_eq!(python("a)", "a)"), []);
    assert_eq!(
        python("a)", "a, b)"),
        [Change::Added(name(), Need::Required)]
    );
    assert_eq!(
        python("a)", "a, b=1)"),
        [Change::Added(name(), Need::Optional)]
    );
    assert_eq!(python("a, b)", "a)"), [Change::Removed(name())]);
    assert_eq!(python("a, b)", "b, a)"), [Change::Reordered]);
    assert_eq!(python("a, b=1)", "a, b)"), [Change::Required(name())]);
    assert_eq!(python("a, b)", "a, b=1)"), [Change::Relaxed(name())]);
    assert_eq!(python("a, b)", "a, *, b)"), [Change::Reached(name())]);
    assert_eq!(python("b: int)", "b: str)"), [Change::Retyped(name())]);
    assert_eq!(python("a) -> int", "a) -> str"), [Change::Result]);
    let renamed = Change::Renamed {
        from: name(),
        to: "c".to_owned(),
        is_used: true,
    };
    assert_eq!(python("a, b)", "a, c)"), [renamed]);
    let go = |list: &str| format!("package a\nfunc f{list} {{}}");
    let changes = changed(
        Grammar::Go,
        &go("(a, b int)"),
        &go("(a int, c string) error"),
    );
    let expected = [
        Change::Removed(name()),
        Change::Added("c".to_owned(), Need::Required),
        Change::Result,
    ];
    assert_eq!(changes, expected);
    let asynchronous = changed(Grammar::Rust, "fn f() {}", "async fn f() {}");
    assert_eq!(asynchronous, [Change::Asynchronous]);
}
