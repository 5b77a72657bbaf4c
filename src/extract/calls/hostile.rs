//! Whatever a document holds, asking about it ends.

use super::*;
use crate::lang::LANGUAGES;
use proptest::prelude::*;

/// What definitions and calls are made of, in any order.
const PIECES: &[&str] = &[
    "f(",
    ")",
    "(",
    "{",
    "}",
    "def f(a, b=1, *c, **d):",
    "fun f(a: Int, vararg b: String = x)",
    "func f(a, b int, c ...string) {",
    "fn f(&self, a: u8) {",
    "class A {",
    "\n",
    " ",
    "a.f(x, *y)",
    "f(a: 1, b = 2, ...c)",
    "int f(int a, ...);",
    "|> f()",
    "def f(a, *b, c:, **d, &e)",
    "f do",
    "=",
    "function f(a, ...b) {",
    ",",
    "::f(",
    "\u{e9}",
    "<?php ",
    "def f(a \\\\ 1), do: a",
    "`",
    "\"",
    "<script>",
    "[",
    "f { x }",
    "#if 1\n",
    "@a\n",
    "params int[] x",
    "export const f = (a) => ",
];

/// Asks a document about everything.
fn ask_all(grammar: Grammar, source: &[u8]) {
    let Some(parsed) = Parsed::of(grammar, source) else {
        return;
    };
    let len = source.len() as u32;
    for at in 0..=len + 1 {
        parsed.arguments(1 + at / 64, at % 64);
        for end in [at, at + 9, len, u32::MAX] {
            let (a, b) = (parsed.parameters(at..end), parsed.constructors(at..end));
            if let (Some(a), Some(b)) = (a, b) {
                b.iter().for_each(|b| drop(Parameters::compare(&a, b)));
            }
            parsed.result(at..end);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn nothing_makes_it_panic(pieces in prop::collection::vec(0..PIECES.len(), 0..12), cut in 0..200usize) {
        let whole: String = pieces.iter().map(|at| PIECES[*at]).collect();
        let bytes = &whole.as_bytes()[..cut.min(whole.len())];
        for language in LANGUAGES.iter() {
            ask_all(language.grammar, bytes);
        }
    }
}

#[test]
fn deep_nesting_ends() {
    for language in LANGUAGES.iter() {
        for unit in ["f(", "f(a = ", "(", "f { ", "x.", "f(f)(", "def f(a):\n "] {
            let source = unit.repeat(400);
            let Some(parsed) = Parsed::of(language.grammar, source.as_bytes()) else {
                continue;
            };
            for at in 0..40 {
                parsed.arguments(1, at);
                parsed.arguments(1, source.len() as u32 - at);
                parsed.parameters(at..source.len() as u32);
                parsed.constructors(at..source.len() as u32);
            }
        }
    }
}
