//! One list of ten thousand parts, in the places whose parts are asked what they are among the others: which argument,
//! which parameter, which condition.
//!
//! Asserted is that every part is in the record. Looking through the list for each of its parts shows by the time it
//! takes: minutes a list, where a second is enough.

use git_sverklo::extract::extract;
use git_sverklo::extract::record::Grammar;

const PARTS: usize = 10_000;

/// What opens a list, one part (`@` is its number), and what closes it.
const LISTS: &[(Grammar, &str, &str, &str)] = &[
    (Grammar::Swift, "let x: [K: V] = [", ".a@: .b@,", "]"),
    (Grammar::Swift, "f(", ".a@,", ".z)"),
    (Grammar::Swift, "@A(", ".a@,", ".z) struct S {}"),
    (Grammar::Swift, "let x = (", ".a@,", ".z)"),
    (Grammar::Swift, "func f() -> T {", "return .a@;", "}"),
    (
        Grammar::Swift,
        "func f() { if",
        "case let .a@(x) = y,",
        "true {} }",
    ),
    (Grammar::Swift, "func f(", "a@: T = .b,", "z: Int) {}"),
    (Grammar::Swift, "let", "a@: T = .b,", "z = 1"),
    (Grammar::Swift, "list.map { (", "a@,", "z) in z }"),
    (Grammar::Swift, "func f<", "A@: B,", "Z>() {}"),
    (
        Grammar::CSharp,
        "class A { void f() { list.Select((",
        "a@,",
        "z) => z); } }",
    ),
    (
        Grammar::CSharp,
        "class A { void f() { var x = new {",
        "a@ = b@,",
        "z = 1 }; } }",
    ),
    (
        Grammar::CSharp,
        "class A { void f() { g(",
        "x => x.a@,",
        "z); } }",
    ),
    (
        Grammar::CSharp,
        "class A { Func<A,B>",
        "a@ = x => x.y,",
        "z; }",
    ),
    (
        Grammar::Php,
        "<?php function f() {",
        "if (!$a instanceof B@) { return; }",
        "}",
    ),
    (
        Grammar::Php,
        "<?php class A {",
        "/** @return B */ function f@() { return $this; }",
        "}",
    ),
    (
        Grammar::Scala,
        "object A { val x = f(",
        "a@ = b@,",
        "z = 1) }",
    ),
    (Grammar::Kotlin, "val x = f(", "a@ = b@,", "z = 1)"),
    (Grammar::Ruby, "x = {", "a@: b@,", "}"),
    (
        Grammar::TypeScript,
        "declare module './a' {",
        "interface A@ { }",
        "} export {}",
    ),
    (Grammar::TypeScript, "f(", "(a@) => a@.b,", "z)"),
    (Grammar::TypeScript, "f((", "a@,", "z) => z)"),
    (Grammar::TypeScript, "interface A {", "(a@: B): C;", "}"),
    (Grammar::TypeScript, "f({", "a@: b@,", "})"),
    (
        Grammar::TypeScript,
        "function f(",
        "a@: (b: C) => void,",
        "z: D) { }",
    ),
    (Grammar::JavaScript, "f({", "a@() { return this.b; },", "})"),
];

#[test]
fn the_parts_of_a_long_list_are_all_found() {
    for (grammar, open, part, close) in LISTS {
        let parts: String = (0..PARTS)
            .map(|at| format!("{}\n", part.replace('@', &at.to_string())))
            .collect();
        let source = format!("{open}\n{parts}{close}\n");
        let record = extract(source.as_bytes(), *grammar);
        let found = record.symbols.len() + record.occurrences.len();
        assert!(
            found >= PARTS,
            "{} {open}{part}: {found} of {PARTS}",
            grammar.label()
        );
    }
}
