//! Small sources that show what the rule finds, and what it takes for no cycle.

use super::{At, By, Ends, Exception, violations};

fn found_with(files: &[(&str, &str)], exceptions: &[Exception]) -> Vec<String> {
    let files = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    violations(&files.collect(), exceptions)
}

fn found(text: &str) -> Vec<String> {
    found_with(&[("a.rs", text)], &[])
}

/// That each of these texts has one cycle.
#[track_caller]
fn circular(texts: &[&str]) {
    for text in texts {
        assert_eq!(found(text).len(), 1, "{text}: {:?}", found(text));
    }
}

/// That none of these texts has a cycle.
#[track_caller]
fn straight(texts: &[&str]) {
    for text in texts {
        assert_eq!(found(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn what_calls_itself_is_shown_with_its_place() {
    let found = found("fn f() {}\n\nfn g(n: u32) { g(n) }\n");
    let chain = "src/a.rs:3: g (src/a.rs:3) -> g (src/a.rs:3): ";
    assert!(found.len() == 1 && found[0].starts_with(chain), "{found:?}");
    circular(&[
        "fn f<T>() { f::<u8>() }",
        "fn f() { if a { return g(1, || f()); } }",
        "fn f() { fn inner() { f() } inner() }",
        "struct A; impl A { fn f() { Self::f() } }",
        "struct A; impl A { fn f() { A::f() } }",
        "impl<T: Clone> B<'_, T> { fn f(&self) { for x in y { self.f() } } }",
        "fn f() { vec![1, f()] }",
    ]);
}

#[test]
fn cycles_over_files_are_found() {
    let a = (
        "a.rs",
        "use crate::b::c::second as other; pub fn first() { other() }",
    );
    for back in [
        "use crate::a::first; pub fn second() { first() }",
        "use crate::a; pub fn second() { a::first() }",
        "pub fn second() { super::super::a::first() }",
        "use super::super::a::*; pub fn second() { if let Some(x) = first() {} }",
        "use crate::{a::{self, other}, d}; pub fn second() { a::first() }",
    ] {
        let found = found_with(&[a, ("b/c.rs", back)], &[]);
        let chain = "first (src/a.rs:1) -> second (src/b/c.rs:1) -> first (src/a.rs:1)";
        assert!(
            found.len() == 1 && found[0].contains(chain),
            "{back}: {found:?}"
        );
    }
    let apart = "mod d; pub fn second() { d::first() }";
    assert_eq!(
        found_with(&[a, ("b/c.rs", apart)], &[]),
        Vec::<String>::new()
    );
    let passed_on = [
        a,
        ("b/mod.rs", "pub mod c;"),
        ("b/c.rs", "pub use crate::a::first as second;"),
    ];
    assert_eq!(found_with(&passed_on, &[]).len(), 1);
}

#[test]
fn functions_that_are_handed_on_are_taken_for_called() {
    circular(&[
        "fn f(x: &X) { x.list.iter().for_each(f) }",
        "struct A; impl A { fn f(x: &X) { x.list.iter().map(Self::f) } }",
        "fn f() { let next = f; next() }",
        "struct R { hook: fn() } const ROWS: &[R] = &[R { hook: f }]; fn f() { (ROWS[0].hook)() }",
        "static F: Lazy = Lazy::new(g); fn g() { (F.call)() }",
    ]);
}

#[test]
fn methods_on_children_are_taken_for_called() {
    circular(&[
        "struct N { l: Box<N> } impl N { fn f(&self) { self.l.f() } }",
        "struct N { l: Vec<N> } impl N { fn f(&self) { for n in &self.l { n.f() } } }",
        "struct N { l: Vec<N> } impl N { fn f(&self) { self.l.iter().map(|n| n.f()) } }",
        "struct N; impl N { fn child(&self) -> &N { x } fn f(&self) { self.child().f() } }",
        "struct N; impl N { fn child(&self) -> Option<&N> { x } fn f(&self) { self.child()?.f() } }",
        "struct N; impl N { fn f(&self) { let n = N::new(); n.f() } }",
        "enum N { A(Box<N>) } impl N { fn f(&self) { match self { Self::A(n) => n.f() } } }",
        "struct N; impl N { fn f(&self) { matches!(self.l, Some(n) if n.f()) } }",
        // One of several types that have a trait.
        "trait F { fn f(&self); } struct A { l: Box<dyn F> } struct B;
         impl F for A { fn f(&self) { self.l.f() } } impl F for B { fn f(&self) {} }",
        "trait F { fn f(&self) { self.g() } fn g(&self); } struct A; impl F for A { fn g(&self) { self.f() } }",
        "fn g<T: F>(t: &T) { t.f() } struct A; impl A { fn f(&self) { g(self) } }",
    ]);
}

#[test]
fn what_a_name_hides_is_not_called() {
    straight(&[
        "fn f(f: fn()) { f() }",
        "fn f() { let f = 1; g(f) }",
        "fn f() { let g = |f: fn()| f(); }",
        "fn f() { for f in x { g(f) } }",
        "fn f() { if let Some(f) = x && f() { f() } }",
        "fn f() { match x { N { f, .. } if f() => f(), y @ (f, _) => f() } }",
        "fn f() { f::g(); let x: f::T = N { f: 1 }; x.f }",
        "fn f() { /* f() */ \"f()\" }",
    ]);
    circular(&[
        "fn f() { let f = f(); }",
        "fn f() { { let f = 1; } f() }",
        "fn f() { if let Some(f) = f() {} }",
        "fn f() { if let Some(f) = x { } else { f() } }",
        "fn f() { match x { f => 1, _ if f() => 2 } }",
    ]);
}

#[test]
fn asking_another_type_is_no_cycle() {
    straight(&[
        "struct A { l: Vec<A> } impl A { fn len(&self) { self.l.len() } }",
        "struct A { b: B } struct B; impl A { fn f(&self) { self.b.f() } } impl B { fn f(&self) {} }",
        "struct A(B); struct B; impl A { fn f(&self) { self.0.f() } } impl B { fn f(&self) {} }",
        "struct A { x: Node } impl A { fn f(&self) { self.x.f() } }",
        "struct A; impl A { fn f(&self, b: &mut B) { b.f() } } struct B; impl B { fn f(&self) {} }",
        "struct A; impl A { fn f(&self) { let b = B { x }; b.f() } } struct B; impl B { fn f(&self) {} }",
        "enum A { B(B) } struct B; impl B { fn f(&self) {} } impl A { fn f(&self) { let Self::B(b) = self; b.f() } }",
        "struct A; struct B; impl B { fn f(&self) {} }
         impl A { fn b(&self) -> Result<&B, E> { x } fn f(&self) { self.b()?.f() } }",
        // Another number of arguments.
        "struct A; impl A { fn f(&self, n: u8) { x.y().f() } }",
    ]);
}

#[test]
fn a_type_that_comes_with_all_of_a_module_is_that_one() {
    let files = |prelude| {
        [
            ("prelude.rs", prelude),
            ("b.rs", "pub struct A; impl A { pub fn f(&self) {} }"),
            (
                "c.rs",
                "pub struct A; impl A { pub fn f(&self) { crate::x::g(y) } }",
            ),
            ("x.rs", "use crate::prelude::*; pub fn g(a: &A) { a.f() }"),
        ]
    };
    let none = Vec::<String>::new();
    assert_eq!(found_with(&files("pub use crate::b::A;"), &[]), none);
    assert_eq!(found_with(&files("pub use crate::c::A;"), &[]).len(), 1);
}

#[test]
fn tests_may_call_themselves() {
    straight(&[
        "#[cfg(test)] fn f() { f() }",
        "#[cfg(test)] mod tests { /** why */ fn f() { f() } }",
    ]);
    circular(&["#[cfg(test)] mod tests; fn f() { f() }"]);
}

#[test]
fn an_exception_must_be_one() {
    let counts = "const MAX: u8 = 9; fn f(n: u8) { if n < MAX { g(n + 1) } } fn g(n: u8) { f(n) }";
    let excepted = |text, function, ends: Ends| {
        let why = "it is counted";
        found_with(
            &[("a.rs", text)],
            &[Exception {
                function,
                ends,
                why,
            }],
        )
    };
    assert_eq!(excepted(counts, "a.rs: f", By("MAX")), Vec::<String>::new());
    // Unknown functions, and those that stand in no cycle, keep nothing out.
    for function in ["a.rs: h", "b.rs: f", "a.rs: A::f"] {
        let found = excepted(counts, function, By("MAX"));
        assert!(
            found.len() == 2 && found[0].contains("drop the exception"),
            "{found:?}"
        );
    }
    let found = excepted("fn f() {}", "a.rs: f", By("MAX"));
    assert!(
        found.len() == 1 && found[0].contains("drop the exception"),
        "{found:?}"
    );
    // A word in a comment or in the constant itself ends nothing.
    for text in [
        "const MAX: u8 = 9; fn f() { /* MAX */ f() }",
        "fn f() { f() } fn g() { MAXIMUM }",
    ] {
        let found = excepted(text, "a.rs: f", By("MAX"));
        assert!(
            found.len() == 1 && found[0].contains("names `MAX`"),
            "{found:?}"
        );
    }
    // One that others make needless.
    let both = ["a.rs: f", "a.rs: g"].map(|function| Exception {
        function,
        ends: By("MAX"),
        why: "it is counted",
    });
    assert_eq!(found_with(&[("a.rs", counts)], &both).len(), 2);
    // Of two cycles one is left.
    let two = "fn f(n: u8) { if n < MAX { f(n + 1); g() } } fn g() { g() }";
    let found = excepted(two, "a.rs: f", By("MAX"));
    assert!(
        found.len() == 1 && found[0].contains("g (src/a.rs:1) -> g"),
        "{found:?}"
    );
}

#[test]
fn an_exception_that_asks_another_type_names_it() {
    let asks = "struct A; impl A { fn f(&self) { self.l.iter().any(|b| b.f()) } }
                struct B; impl B { fn f(&self) {} }";
    let excepted = |text: &str, ends| {
        let (function, why) = ("a.rs: A::f", "those are asked");
        let exception = Exception {
            function,
            ends,
            why,
        };
        found_with(&[("a.rs", text)], &[exception])
    };
    assert_eq!(excepted(asks, At("B")), Vec::<String>::new());
    for text in [
        asks.replace("impl B", "impl C"),
        asks.replace("b.f()", "b.g()") + "impl D { fn g(&self) { x.y().f() } }",
    ] {
        assert_eq!(excepted(&text, At("B")).len(), 1, "{text}");
    }
    assert_eq!(excepted(asks, At("A")).len(), 1);
}
