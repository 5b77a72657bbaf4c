//! The graph after an edit is that of the tree alone.

mod declared;
mod sources;

use super::super::build::build_from;
use super::super::modules::testing::Tree;
use super::*;
use crate::id::BlobId;
use crate::segment::arbitrary::cases;
use crate::store::facts::{BlobFacts, CompilerFacts, FactsByBlob, Symbol};
use proptest::prelude::*;
use sources::{
    CALLED_BACK, COUNTED, FILES, GIVEN, HANDED, HELD, NARROWED, PARTS, SHAPED, TOLD_APART,
};

type Texts = Vec<(String, String)>;

fn texts() -> Texts {
    FILES
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect()
}

/// A state of the files with its graph.
struct State {
    tree: Tree,
    made: Made,
    kept: Kept,
}

/// The graph of files of which compilers said something, from nothing or from that of an earlier state: from what
/// is on disk of it, or from all that was held.
fn state(texts: &Texts, before: Option<(&State, bool)>, said: &CompilerFacts) -> State {
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(p, t)| (p.as_str(), t.as_str()))
        .collect();
    let tree = match before {
        Some((before, _)) => Tree::over(&before.tree, &files),
        None => Tree::new(&files),
    };
    let threads = 1 + usize::from(before.is_some());
    let from = before.map(|(state, held)| (&state.made, held.then_some(&state.kept)));
    let read = &mut |file| tree.content(file);
    let (made, kept) = build_from((tree.view(), said), from, threads, read);
    State { tree, made, kept }
}

fn made(texts: &Texts) -> State {
    state(texts, None, &CompilerFacts::default())
}

/// The graph after an edit, from all that was held, which has to be that of the tree alone.
fn next(
    texts: &Texts,
    before: &State,
    said: &CompilerFacts,
    (is_held, what): (bool, &str),
) -> State {
    let next = state(texts, Some((before, is_held)), said);
    let anew = state(texts, None, said).made;
    assert!(next.made.digests == anew.digests, "{what}");
    let resolved = next.made.resolved;
    assert!(
        next.made.graph == anew.graph,
        "{what}: {resolved} files resolved"
    );
    next
}

/// What a compiler might say of the files that two sorts of names stand in: a name that follows a word
/// that defines is defined there, in a package of its own; all others are used.
fn said() -> CompilerFacts {
    let mut known = FactsByBlob::new();
    for (_, text) in texts().iter().step_by(2) {
        let blob = gix::objs::compute_hash(
            gix::hash::Kind::Sha1,
            gix::objs::Kind::Blob,
            text.as_bytes(),
        );
        let (mut definitions, mut uses) = (Vec::new(), Vec::new());
        for (line, number) in text.lines().zip(1_u32..) {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let mut before = "";
            for word in line.split(|c| !is_part(c)).filter(|word| word.len() > 2) {
                let col = word.as_ptr().addr() - line.as_ptr().addr();
                let package = word.len() % 3;
                let symbol = format!("scip-test x p{package} {word}.");
                let place = (number, col as u32, Symbol::stored(&symbol).unwrap());
                let defines = ["def", "class", "fn", "func", "function", "struct", "type"];
                match defines.contains(&before) {
                    true => definitions.push(place),
                    false => uses.push(place),
                }
                before = word;
            }
        }
        fn each(all: &[(u32, u32, Symbol)]) -> impl Iterator<Item = (u32, u32, &Symbol)> {
            all.iter().map(|(line, col, symbol)| (*line, *col, symbol))
        }
        let facts = BlobFacts::of(each(&definitions), each(&uses));
        known.insert(BlobId::new(blob.unwrap()), facts);
    }
    CompilerFacts::of(known)
}

fn edited(path: &str, from: &str, to: &str) -> Texts {
    let mut texts = texts();
    let (_, text) = texts.iter_mut().find(|(p, _)| p == path).unwrap();
    assert!(text.contains(from), "{path} has no {from}");
    *text = text.replace(from, to);
    texts
}

/// How many files are resolved again for an edit, after the result was found to be right.
fn resolved(path: &str, from: &str, to: &str) -> usize {
    let (said, what) = (CompilerFacts::default(), format!("{path}: {from} -> {to}"));
    let (before, texts) = (made(&texts()), edited(path, from, to));
    let of = |is_held| next(&texts, &before, &said, (is_held, &what)).made.resolved;
    let (held, from_disk) = (of(true), of(false));
    assert_eq!(held, from_disk, "{what}");
    held
}

#[test]
fn an_edit_resolves_what_it_can_reach() {
    let all = FILES.len();
    let rows = [
        // Inside a body, even where lines move.
        (
            "src/store.rs",
            "super::limit()",
            "\n\nsuper::limit() + limit()",
            1,
        ),
        ("web/client.ts", "ready() {}", "ready() { make().body; }", 1),
        ("py/base.py", "return 1", "return 2", 1),
        // A definition that nobody else names.
        (
            "py/base.py",
            "def helper",
            "def other():\n    pass\n\n\ndef helper",
            1,
        ),
        ("cart/item.go", "func tax", "func Extra() {}\n\nfunc tax", 1),
        // A definition that another file names.
        ("web/reply.ts", "status = 2", "state = 2", 3),
        ("web/reply.ts", "status = 2", "load = 2", 4),
        // What an alias stands for is seen where nobody names it.
        ("web/kinds.ts", "Reply | Client", "Client", 3),
        // Who writes the accessors of fields.
        ("shop/Keeper.java", "import lombok.Data;\n", "", 7),
        ("shop/Keeper.java", "Ware ware", "Kept ware", 3),
        // What can be seen without a name.
        ("py/base.py", "Base(Root)", "Base", all),
        (
            "old/log.js",
            "module.exports = log",
            "module.exports = 1",
            all,
        ),
        ("go.mod", "shop.test", "shop.example", all),
        ("old/Godeps/Godeps.json", "old.test", "older.test", all),
        ("old/run.go", "old.test", "other.test", 1),
    ];
    for (path, from, to, files) in rows {
        assert_eq!(resolved(path, from, to), files, "{path}: {from} -> {to}");
    }
}

/// Edits each the first file that has a text, and looks whether the graph is that of the tree alone.
fn assert_seen(files: &[(&str, &str)], rows: &[(&str, &str)]) {
    let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    let all: Texts = files.iter().map(owned).collect();
    let (before, said) = (made(&all), CompilerFacts::default());
    for (from, to) in rows {
        let mut edited = all.clone();
        let of = edited.iter_mut().find(|(_, text)| text.contains(from));
        let (_, text) = of.unwrap_or_else(|| panic!("no file has {from}"));
        *text = text.replacen(from, to, 1);
        for is_held in [true, false] {
            next(&edited, &before, &said, (is_held, from));
        }
    }
}

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
        for held in [true, false] {
            next(&texts(), &begun, &said, (held, path));
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
    let resolved = |path: &str, text: &str| {
        let mut with = texts();
        with.push((path.to_owned(), text.to_owned()));
        let there = next(&with, &made(&texts()), &said, (true, path));
        let gone = next(&texts(), &there, &said, (true, path));
        (there.made.resolved, gone.made.resolved)
    };
    assert_eq!(resolved("web/new.ts", body), (1, 0));
    let (there, gone) = resolved("py/fresh.py", module);
    assert!(there < 8 && gone < there, "{there}, {gone}");
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
        for is_held in [true, false] {
            let said = CompilerFacts::default();
            next(&texts, &before, &said, (is_held, &what));
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

#[derive(Clone, Debug)]
enum Edit {
    Remove,
    Repeat,
    Swap,
    /// Another line of any file is put there.
    Insert(usize),
    /// A word becomes another one of the same file or of another.
    Rename(usize, usize),
    /// The file is gone.
    Delete,
    /// Another file holds the same, called like some file and in the folder of another.
    Copy(usize, usize),
    /// The file is elsewhere.
    Move(usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        Just(Edit::Remove),
        Just(Edit::Repeat),
        Just(Edit::Swap),
        any::<usize>().prop_map(Edit::Insert),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Rename(a, b)),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Rename(a, b)),
        Just(Edit::Delete),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Copy(a, b)),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Move(a, b)),
    ]
}

fn words(texts: &Texts) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let all = texts
        .iter()
        .flat_map(|(_, text)| text.split(|c| !is_part(c)));
    let mut words: Vec<String> = all.filter(|w| w.len() > 2).map(str::to_owned).collect();
    words.sort();
    words.dedup();
    words
}

/// Another path for a file: with a name that some file has, in a folder that some file is in, or in a new one.
fn elsewhere(texts: &Texts, at: usize, name: usize, folder: usize) -> String {
    let names: Vec<&str> = FILES.iter().map(|(path, _)| *path).collect();
    let last = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    let name = last(names[name % names.len()]);
    let stem = name.split('.').next().unwrap();
    let ending = last(&texts[at].0);
    let ending = ending.split_once('.').unwrap().1;
    let place = names[folder % names.len()];
    let place = place.rfind('/').map_or("", |end| &place[..=end]);
    match folder % 3 {
        0 => format!("{place}more/{stem}.{ending}"),
        _ => format!("{place}{stem}.{ending}"),
    }
}

fn apply(texts: &mut Texts, file: usize, line: usize, edit: &Edit) {
    let donors: Vec<String> = texts
        .iter()
        .flat_map(|(_, text)| text.lines().map(str::to_owned))
        .collect();
    let words = words(texts);
    let at = file % texts.len();
    match edit {
        Edit::Delete if texts.len() > 1 => return drop(texts.remove(at)),
        Edit::Delete => return,
        Edit::Copy(name, folder) | Edit::Move(name, folder) => {
            let path = elsewhere(texts, at, *name, *folder);
            if texts.iter().all(|(other, _)| *other != path) {
                match edit {
                    Edit::Move(..) => texts[at].0 = path,
                    _ => texts.push((path, texts[at].1.clone())),
                }
            }
            return;
        }
        _ => {}
    }
    let text = &mut texts[at].1;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place = line % (lines.len() + 1);
    match edit {
        Edit::Insert(donor) => lines.insert(place, donors[donor % donors.len()].clone()),
        Edit::Delete | Edit::Copy(..) | Edit::Move(..) => {}
        _ if place == lines.len() => {}
        Edit::Remove => drop(lines.remove(place)),
        Edit::Repeat => lines.insert(place, lines[place].clone()),
        Edit::Swap => lines.swap(0, place),
        Edit::Rename(from, to) => {
            let own: Vec<&String> = words.iter().filter(|w| lines[place].contains(*w)).collect();
            if !own.is_empty() {
                let from = own[from % own.len()];
                lines[place] = lines[place].replacen(from, &words[to % words.len()], 1);
            }
        }
    }
    *text = lines.join("\n") + "\n";
}

/// Runs of each property; `PROPTEST_CASES` asks for more.
fn runs() -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok();
    asked.and_then(|runs| runs.parse().ok()).unwrap_or(120)
}

proptest! {
    #![proptest_config(cases(runs()))]

    #[test]
    fn it_is_the_graph_of_the_tree_alone(
        edits in proptest::collection::vec((any::<usize>(), any::<usize>(), edit()), 1..8),
        is_held: bool,
    ) {
        let said = CompilerFacts::default();
        let mut texts = texts();
        let mut last = made(&texts);
        for (file, line, edit) in &edits {
            apply(&mut texts, *file, *line, edit);
            last = next(&texts, &last, &said, (is_held, &format!("{edits:?}")));
        }
    }

    #[test]
    fn it_is_so_whatever_compilers_say(
        edits in proptest::collection::vec((any::<usize>(), any::<usize>(), edit()), 1..4),
        is_told_at: usize,
        is_held: bool,
    ) {
        let (mut texts, said) = (texts(), said());
        let none = CompilerFacts::default();
        let is_told_at = is_told_at % (edits.len() + 1);
        let of = |at: usize| if at < is_told_at { &none } else { &said };
        let mut last = state(&texts, None, of(0));
        for ((file, line, edit), at) in edits.iter().zip(1..) {
            apply(&mut texts, *file, *line, edit);
            last = next(&texts, &last, of(at), (is_held, &format!("{edits:?}")));
        }
    }
}
