//! What one file says decides what another means that names none of it.

use super::assert_seen;
use super::sources::{
    CALLED_BACK, COUNTED, FILES, GIVEN, HANDED, HELD, NARROWED, PARTS, SHAPED, TOLD_APART,
};
use super::*;

/// What a call hands to a function, what a value gives that is called, and which operator is the first one.
#[test]
fn what_functions_take_is_seen_from_afar() {
    let rows = [
        ("Till => Till", "Purse => Till"),
        ("(Purse, Till) => Int", "(Till, Purse) => Int"),
        ("List[Till]", "List[Purse]"),
        ("apply(said: String): Till", "apply(said: String): Purse"),
        ("def apply", "def other"),
        ("def rule: Rule", "def rule(said: String): Rule"),
        ("Strict extends Rule", "Strict"),
        (
            "class Booth {",
            "class Booth {\n  def copy(coins: Int) = coins",
        ),
        (
            "case class Till(coins: Int)",
            "class Till { def copy(coins: Int) = 1; val coins = 1 }",
        ),
    ];
    assert_seen(HANDED, &rows);
}

/// How many arguments a function takes is written in one file, and how many it is given in another.
#[test]
fn how_many_arguments_are_taken_is_seen_from_afar() {
    let rows = [
        ("Codec code(int all) ", "Codec code(int all, int own) "),
        ("code(int all, int... rest)", "code(int all, int[] rest)"),
        ("Hex code(int all, int from)", "Hex code(int all)"),
        ("void end(int of)", "void end(int... of)"),
        ("void end() {}", "<T> void end() {}"),
        (
            "open fun cut(from: Int, to: Int = 1)",
            "open fun cut(from: Int, to: Int)",
        ),
        ("fun cut() = 1", "fun cut(all: Int) = 1"),
        (
            "override fun cut(from: Int, to: Int)",
            "override fun cut(from: Int)",
        ),
        ("b: Int, vararg c: Int", "b: Int"),
    ];
    assert_seen(COUNTED, &rows);
}

/// What groups of tests have is used without the name of the type that they have it from, and a method that is written for
/// another type without that of its parameter.
#[test]
fn what_is_not_named_is_seen_from_afar() {
    let rows = [
        ("class Minitest::Spec", "class Minitext::Spec"),
        ("class Minitest::Spec", "class Minitest::Other"),
        ("Sum(this Uri uri)", "Sum(this Account uri)"),
    ];
    assert_seen(FILES, &rows);
}

/// With what functions are called is said in one file, taken in another and used in a third.
#[test]
fn what_callbacks_take_is_seen_from_afar() {
    let rows = [
        ("type One = (b: B)", "type One = (b: C)"),
        ("interface Two { (b: B)", "interface Two { (b: C)"),
        ("function three(cb: (b: B)", "function three(cb: (b: C)"),
        ("constructor(cb: (b: B)", "constructor(cb: (b: C)"),
        (
            "function five<T extends B>(f: (b: T)",
            "function five<T>(f: (b: B)",
        ),
        ("function six<T extends B>(x: T)", "function six<T>(x: B)"),
        ("gives: () => B", "gives: () => C"),
    ];
    assert_seen(CALLED_BACK, &rows);
}

/// What a check proves is said in one file, passed on by another and asked for in a third.
#[test]
fn what_a_check_proves_is_seen_from_afar() {
    let rows = [
        ("x is B {", "x is C {"),
        ("x is B {", "boolean {"),
        ("isB(x: unknown): x", "isB(y: unknown, x: unknown): x"),
        ("asserts x is C", "asserts x is B"),
        ("Any = A | B", "Any = A | C"),
        ("Any = A | B", "Any = A | B | C"),
        ("class B {", "class B extends C {"),
        ("Record<string, B>", "Record<string, C>"),
        ("[name: string]: C", "[name: string]: B"),
        ("[name: string]: C", "other: B"),
    ];
    assert_seen(NARROWED, &rows);
}

/// What a member may be is said in one file, compared in another.
#[test]
fn what_tells_types_apart_is_seen_from_afar() {
    let rows = [
        ("'one' | 'two'", "'two'"),
        ("'one' | 'two'", "string"),
        ("kind: Kind.Three", "kind: Kind.Four"),
        ("kind: Kind.Three", "kind: 'one'"),
        ("Any = A | B", "Any = B"),
        ("Omit<D, 'k'> & { f", "Omit<D, 'f'> & { f"),
        ("Omit<D, 'k'> & { f", "Pick<D, 'k'> & { f"),
        ("Omit<D, 'k'> & { f", "Omit<D, keyof D> & { f"),
        ("Omit<D, 'k'> & { g", "Omit<D, 'g'> & { g"),
        ("k: number; f: number; g", "k: number; g"),
    ];
    assert_seen(TOLD_APART, &rows);
}

/// Objects have their types written in one file, are passed on by another and taken apart in a third.
#[test]
fn what_is_written_in_place_is_seen_from_afar() {
    let rows = [
        ("opts: { one: A", "opts: { one: B"),
        ("opts: { one: A; deep", "opts: { deep"),
        ("two: A", "two: B"),
        ("(): { one: A", "(): { one: B"),
        ("gives: () => A", "gives: () => B"),
        ("(x: { one: A }) => void", "(x: { one: B }) => void"),
        ("of: Held<A>", "of: Held<B>"),
        ("one: typeof made", "one: typeof kept"),
        ("class A { f() {}; k", "class A { g() {}; k"),
    ];
    assert_seen(SHAPED, &rows);
}

/// Tuples, and what an object is expected to have, are written in one file, named in another and used in a third.
#[test]
fn parts_of_tuples_are_seen_from_afar() {
    let rows = [
        ("Pair = [A, B]", "Pair = [B, A]"),
        ("With<T> = [T, B]", "With<T> = [B, T]"),
        ("With<A>", "With<B>"),
        ("[new A(), new B()]", "[new B(), new A()]"),
        ("one: new A()", "one: new B()"),
        ("b: new B()", "b: new A()"),
        ("=> new A()\n", "=> new B()\n"),
        ("(a: A) => void", "(a: B) => void"),
        ("taken: Takes", "taken: any"),
        ("interface Takes { run", "interface Takes { runs"),
        ("[first] = pair", "[, first] = pair"),
        ("class A { f() {}; k", "class A { g() {}; k"),
    ];
    assert_seen(PARTS, &rows);
}

/// Type arguments are written in one file, taken by a type of another and used in a third.
#[test]
fn type_arguments_are_seen_from_afar_in_types() {
    let rows = [
        ("Box<A> { return", "Box<B> { return"),
        ("Box<A> { return", "Box { return"),
        ("maybe: Maybe<A>", "maybe: Maybe<B>"),
        ("new Pair<A, B>", "new Pair<B, A>"),
        ("Takes<A>", "Takes<B>"),
        ("With<A, 'k'>", "With<B, 'k'>"),
        ("extends Box<A>", "extends Box<B>"),
        (
            "Pair<T, U> { one!: T; two!: U",
            "Pair<T, U> { one!: U; two!: T",
        ),
        ("Pair<T, U> {", "Pair<U, T> {"),
        ("Maybe<T> = T | null", "Maybe<T> = A | null"),
        ("Takes<T> = (x: T)", "Takes<T> = (x: B)"),
        ("With<T, K> = Pick<T, K>", "With<K, T> = Pick<T, K>"),
        ("get(): T", "get(): A"),
    ];
    assert_seen(GIVEN, &rows);
}

#[test]
fn types_with_names_of_the_library_are_seen_from_afar() {
    let rows = [
        ("class Optional<T>", "class Perhaps<T>"),
        ("class Optional<T>", "interface Optional<T>"),
        ("class Supplier<T>", "class Giver<T>"),
        ("Map<String, Held> named", "List<Held> named"),
        ("Supplier<Held> supplied", "Held supplied"),
        ("import java.util.function.*;\n", ""),
        ("public void hold", "public void keep"),
    ];
    assert_seen(HELD, &rows);
}

/// A module that only passes another one on is as if it were that, until it has something of its own.
#[test]
fn a_first_definition_resolves_who_took_the_module_for_another() {
    let rows = [
        (
            "old/index.js",
            "module.exports",
            "function lonely() {}\nmodule.exports",
        ),
        (
            "old/index.js",
            "module.exports",
            "exports.lonely = 1;\nmodule.exports",
        ),
        (
            "web/barrel.ts",
            "export *",
            "export const lonely = 1;\nexport *",
        ),
        // Nothing was in it.
        ("py/__init__.py", "", "def first():\n    pass\n"),
    ];
    for (path, from, to) in rows {
        let seen = resolved(path, from, to);
        assert!((1..8).contains(&seen), "{path}: {from} -> {to}: {seen}");
        let mut with = texts();
        let (_, text) = with.iter_mut().find(|(p, _)| p == path).unwrap();
        *text = match from {
            "" => to.to_owned(),
            from => text.replacen(from, to, 1),
        };
        let (begun, said) = (made(&with), CompilerFacts::default());
        for from in FROM {
            next(&texts(), &begun, &said, (from, path));
        }
    }
}

/// What it imports is its own affair, and its name is one only where modules are named without being imported.
#[test]
fn a_new_file_resolves_what_can_see_it() {
    let body =
        "import { make } from './client';\n\nexport function brandNew() {\n  return make();\n}\n";
    let module = "def brand_new():\n    return 1\n";
    let said = CompilerFacts::default();
    for from in [From::Disk, From::Memory] {
        let resolved = |path: &str, text: &str| {
            let mut with = texts();
            with.push((path.to_owned(), text.to_owned()));
            let there = next(&with, &made(&texts()), &said, (from, path));
            let gone = next(&texts(), &there, &said, (from, path));
            (there.made.resolved, gone.made.resolved)
        };
        assert_eq!(resolved("web/new.ts", body), (1, 0), "{from:?}");
        let (there, gone) = resolved("py/fresh.py", module);
        assert!(there < 8 && gone < there, "{from:?}: {there}, {gone}");
    }
}

/// Traits that are in sight without being named, and what types hand to generic ones.
#[test]
fn traits_and_type_arguments_are_seen_from_afar() {
    let edits = [
        ("walk/src/prelude.rs", "pub use crate::near::Walks;\n", ""),
        ("walk/src/prelude.rs", "{Fast, Way}", "{Fast as Quick, Way}"),
        (
            "walk/src/near.rs",
            "impl<T> Walks for T",
            "impl<T> Fast for T",
        ),
        ("walk/src/near.rs", "trait Walks", "trait Strolls"),
        ("walk/src/near.rs", "trait Fast: Way", "trait Fast"),
        ("walk/src/near.rs", "type Iter: Way;", "type Iter;"),
        (
            "walk/src/over.rs",
            "Over<A, B> {\n    pub left: A,",
            "Over<B, A> {\n    pub left: A,",
        ),
        (
            "walk/src/over.rs",
            "Over<A, B> {\n    pub left: A,\n    pub right: B",
            "Over<X, Y> {\n    pub left: X,\n    pub right: Y",
        ),
        ("walk/src/lib.rs", "pub use near::near;\n", ""),
        ("shop/Kept.java", "Base<Ware, Kept>", "Base<Other, Kept>"),
        ("shop/Kept.java", "Base<Ware, Kept>", "Base<Kept, Ware>"),
        ("shop/Kept.java", "Base<Ware, Kept>", "Base<String, Kept>"),
        ("shop/Base.java", "Base<T, B>", "Base<B, T>"),
        ("shop/Ware.java", "class Other", "class Last"),
    ];
    let before = made(&texts());
    for (path, from, to) in edits {
        let (texts, what) = (edited(path, from, to), format!("{path}: {from} -> {to}"));
        for at_hand in FROM {
            let said = CompilerFacts::default();
            next(&texts, &before, &said, (at_hand, &what));
        }
    }
}

#[test]
fn values_and_aliases_are_seen_from_afar() {
    // `again` is `make`: who calls it has another object in hand.
    let seen = resolved("web/client.ts", "new Reply()", "new Base()");
    assert!((2..FILES.len()).contains(&seen), "{seen}");
    // `Rack` is `Shelf` elsewhere.
    let seen = resolved(
        "src/shelf.rs",
        "pub fn new() -> Self",
        "pub fn new() -> Store",
    );
    assert!((2..FILES.len()).contains(&seen), "{seen}");
    // A first member of a function makes it an object.
    resolved(
        "old/tools.js",
        "function wash",
        "wash.twice = 2;\nfunction wash",
    );
    resolved("py/models.py", "return Order()", "return Base()");
    resolved("rb/animal.rb", "class Dog", "class Cat");
    // The first part of a type stands for all of them, and has the bases that another one says.
    resolved("rb/dog.rb", "Dog < Animal", "Dog < Fruit");
}
