//! The graph after an edit is that of the tree alone.

use super::super::build::build_from;
use super::super::modules::testing::Tree;
use super::*;
use crate::id::BlobId;
use crate::segment::arbitrary::cases;
use crate::store::facts::{BlobFacts, CompilerFacts, FactsByBlob, Symbol};
use proptest::prelude::*;

const FILES: &[(&str, &str)] = &[
    ("go.mod", "module shop.test/app\n"),
    (
        "cart/cart.go",
        "package cart\n\ntype Cart struct {\n\titems []Item\n}\n\nfunc New() *Cart {\n\treturn &Cart{}\n}\n\n\
         func (c *Cart) Add(item Item) {\n\tc.items = append(c.items, item)\n}\n\n\
         func (c *Cart) First() Item {\n\treturn c.items[0]\n}\n",
    ),
    (
        "cart/item.go",
        "package cart\n\ntype Item struct {\n\tPrice int\n}\n\nfunc (i Item) Total() int {\n\treturn tax(i.Price)\n}\n\n\
         func tax(price int) int {\n\treturn price\n}\n",
    ),
    (
        "main.go",
        "package main\n\nimport \"shop.test/app/cart\"\n\nfunc main() {\n\tc := cart.New()\n\tc.Add(cart.Item{})\n\tprintln(c.First().Total())\n}\n",
    ),
    (
        "src/lib.rs",
        "mod shelf;\nmod store;\npub use shelf::Shelf as Rack;\n\npub fn open() -> Rack {\n    let shelf = Rack::new();\n    shelf.put(1);\n    shelf\n}\n",
    ),
    (
        "src/shelf.rs",
        "use crate::store::Store;\n\npub struct Shelf {\n    store: Store,\n}\n\nimpl Shelf {\n    pub fn new() -> Self {\n        Self { store: Store::make() }\n    }\n\n    pub fn put(&self, n: u32) {\n        self.store.keep(n);\n    }\n}\n",
    ),
    (
        "src/store.rs",
        "pub struct Store;\n\nimpl Store {\n    pub fn make() -> Store {\n        Store\n    }\n\n    pub fn keep(&self, n: u32) -> u32 {\n        inner::check(n)\n    }\n}\n\nmod inner {\n    pub fn check(n: u32) -> u32 {\n        super::limit() + n\n    }\n}\n\nfn limit() -> u32 {\n    1\n}\n",
    ),
    (
        "Cargo.toml",
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\n",
    ),
    (
        "walk/Cargo.toml",
        "[package]\nname = \"walk\"\nversion = \"0.1.0\"\n",
    ),
    (
        "walk/src/lib.rs",
        "mod near;\nmod over;\nmod go;\npub mod prelude;\npub use near::near;\n",
    ),
    (
        "walk/src/near.rs",
        "pub trait Way {\n    fn ahead(self);\n}\n\npub trait Fast: Way {\n    fn hurry(self);\n}\n\npub trait Walks {\n    \
         type Iter: Way;\n    fn walks(&self) -> Self::Iter;\n}\n\npub struct Road;\n\nimpl Way for Road {\n    fn ahead(self) {}\n}\n\n\
         impl<T> Walks for T {\n    type Iter = Road;\n    fn walks(&self) -> Self::Iter {\n        Road\n    }\n}\n\npub fn near() {}\n",
    ),
    (
        "walk/src/prelude.rs",
        "pub use crate::near::Walks;\npub use crate::near::{Fast, Way};\n",
    ),
    (
        "walk/src/over.rs",
        "use crate::near::Way;\n\npub struct Over<A, B> {\n    pub left: A,\n    pub right: B,\n}\n\n\
         impl<A: Way, B> Way for Over<A, B> {\n    fn ahead(self) {\n        self.left.ahead()\n    }\n}\n",
    ),
    (
        "walk/src/go.rs",
        "use crate::prelude::*;\nuse crate::over::Over;\nuse crate::near;\n\npub fn go(list: Vec<u8>) {\n    list.walks().ahead();\n    \
         list.walks().hurry();\n    near();\n}\n\nimpl<A: Way, B: Way> Over<A, B> {\n    fn on(self) {\n        self.right.ahead()\n    }\n}\n",
    ),
    (
        "shop/Base.java",
        "package shop;\n\npublic abstract class Base<T, B> {\n    T made() {\n        return null;\n    }\n\n    \
         B with() {\n        return null;\n    }\n}\n",
    ),
    (
        "shop/Kept.java",
        "package shop;\n\npublic class Kept extends Base<Ware, Kept> {}\n",
    ),
    (
        "shop/Ware.java",
        "package shop;\n\npublic class Ware {\n    void sell() {}\n}\n\nclass Other {\n    void sell() {}\n}\n",
    ),
    (
        "shop/Use.java",
        "package shop;\n\nclass Use {\n    void all(Kept kept) {\n        kept.made().sell();\n        kept.with().with().made();\n    }\n}\n",
    ),
    (
        "shop/Keeper.java",
        "package shop;\n\nimport lombok.Data;\n\n@Data\npublic class Keeper extends outside.Far {\n    \
         private Ware ware;\n    private boolean isOpen;\n    private Kept kept;\n\n    public Kept getKept() {\n        \
         return kept;\n    }\n\n    void own() {\n        getWare().sell();\n        this.setOpen(isOpen());\n    }\n}\n",
    ),
    (
        "shop/Keeps.java",
        "package shop;\n\nclass Keeps {\n    void all(Keeper keeper, Keep keep) {\n        keeper.getWare().sell();\n        \
         keeper.setOpen(keeper.isOpen());\n        keeper.getKept().with().made();\n        keep.getKeeper().own();\n    }\n}\n",
    ),
    (
        "shop/Keep.kt",
        "package shop\n\nclass Keep(val keeper: Keeper) {\n    fun all() {\n        keeper.kept.with()\n        keeper.ware.sell()\n    }\n}\n",
    ),
    (
        "web/api.ts",
        "import { Client as Caller, Base } from './client';\nexport * from './client';\n\nexport class Api extends Base {\n  caller = new Caller();\n  load() {\n    this.ready();\n    return this.caller.fetch().body;\n  }\n}\n\nexport default function start() {\n  return new Api();\n}\n",
    ),
    (
        "web/client.ts",
        "import { Reply } from './reply';\n\nexport class Base {\n  ready() {}\n}\n\nexport class Client {\n  fetch(): Reply {\n    return make();\n  }\n}\n\nexport const make = () => new Reply();\nexport const again = make;\n",
    ),
    (
        "web/reply.ts",
        "export class Reply {\n  body = 1;\n  status = 2;\n}\n",
    ),
    (
        "web/page.ts",
        "import begin, { make, again } from './api';\nimport { Reply as Answer } from './reply';\n\nfunction show(answer: Answer) {\n  return answer.status + again().body + make().status;\n}\n\nbegin().load();\nbegin().caller.fetch();\n",
    ),
    (
        "web/kinds.ts",
        "import { Reply } from './reply';\nimport { Client } from './client';\n\nexport type Either = Reply | Client;\nexport type Outer = Either;\n",
    ),
    (
        "web/star.ts",
        "import * as whole from './client';\n\nexport const shelf = whole;\nexport * as inner from './reply';\n\nexport function fresh() {\n  return whole.make();\n}\n",
    ),
    (
        "web/stars.ts",
        "import { shelf, inner, fresh } from './star';\n\nfunction all() {\n  return shelf.again().body + new inner.Reply().status + fresh().body;\n}\n",
    ),
    (
        "web/holder.ts",
        "import { Outer } from './kinds';\n\nexport const held: Outer = give();\n\nexport function give(): Outer {\n  return held;\n}\n",
    ),
    (
        "web/pick.ts",
        "import { held, give } from './holder';\n\nheld.body;\ngive().fetch();\n",
    ),
    (
        "old/log.js",
        "function log(text) {\n  return log.level + text;\n}\nlog.level = 1;\nlog.warn = function (text) { return log(text); };\nmodule.exports = log;\n",
    ),
    (
        "old/run.js",
        "const log = require('./log');\nconst { tidy: clean } = require('./tools');\nlog.warn(clean(1));\nexports.run = () => log('x');\nexports.clean = clean;\n",
    ),
    (
        "old/tools.js",
        "exports.tidy = function tidy(x) { return wash(x); };\nfunction wash(x) { return x; }\n",
    ),
    ("old/index.js", "module.exports = require('./log');\n"),
    (
        "old/main.js",
        "const all = require('./index');\nexports.all = all;\nall(1);\nall.warn(1);\n",
    ),
    (
        "old/last.js",
        "const { all } = require('./main');\n\nfunction sweep() { return all(2) + all.warn(2); }\n",
    ),
    ("web/barrel.ts", "export * from './client';\n"),
    (
        "web/taker.ts",
        "export * as bag from './barrel';\nimport { make } from './barrel';\n\nmake().body;\n",
    ),
    (
        "web/carrier.ts",
        "import { bag } from './taker';\n\nexport const worn = bag.again();\n",
    ),
    (
        "py/app.py",
        "from py.models import Order as Bill, make_order\nimport py.models as models\n\n\ndef main():\n    order = make_order()\n    order.pay(amount=1)\n    Bill().pay()\n    models.Base().close()\n",
    ),
    (
        "py/models.py",
        "from py.base import Base\n\n\nclass Order(Base):\n    def __init__(self):\n        self.base = Base()\n\n    def pay(self, amount=0):\n        self.close()\n        return self.base.close()\n\n\ndef make_order():\n    return Order()\n",
    ),
    (
        "py/base.py",
        "class Root:\n    def close(self):\n        return helper()\n\n\nclass Base(Root):\n    pass\n\n\ndef helper():\n    return 1\n",
    ),
    ("py/__init__.py", ""),
    (
        "java/a/Shape.java",
        "package a;\n\npublic interface Shape {\n  int area();\n}\n",
    ),
    (
        "java/a/Square.java",
        "package a;\n\npublic class Square implements Shape {\n  int side;\n  public int area() {\n    return side * Sizes.of(this);\n  }\n}\n",
    ),
    (
        "java/b/Use.java",
        "package b;\n\nimport a.Square;\nimport a.Shape;\n\nclass Use {\n  Shape shape = new Square();\n  int total() {\n    return shape.area();\n  }\n}\n",
    ),
    (
        "c/list.h",
        "#ifndef LIST_H\n#define LIST_H\nstruct list { int size; };\nint list_size(struct list *l);\n#define EMPTY 0\n#endif\n",
    ),
    (
        "c/list.c",
        "#include \"list.h\"\n\nstatic int half(int n) { return n / 2; }\n\nint list_size(struct list *l) {\n  return half(l->size) + EMPTY;\n}\n",
    ),
    (
        "rb/dog.rb",
        "require_relative 'animal'\n\nclass Dog < Animal\n  def speak\n    bark\n    self.name = 2\n    name\n  end\n\n  def bark\n    'woof'\n  end\nend\n",
    ),
    (
        "rb/animal.rb",
        "class Animal\n  def name\n    speak\n  end\n\n  def name=(given)\n    given\n  end\nend\n\nclass Dog\n  def sit\n    bark\n  end\nend\n",
    ),
    (
        "kt/shop/Basket.kt",
        "package shop\n\nimport shop.goods.Fruit\nimport shop.goods.*\n\nclass Basket : Holder() {\n  val fruit: Fruit = Fruit()\n  fun weigh(): Int = fruit.weight() + total(2)\n}\n",
    ),
    (
        "kt/goods/Fruit.kt",
        "package shop.goods\n\nopen class Fruit {\n  fun weight(): Int = 1\n}\n\nopen class Holder {\n  fun total(n: Int): Int = n\n}\n",
    ),
    (
        "kt/goods/Text.kt",
        "package shop.goods\n\nimport okio.Source\n\nfun Source.skipped(n: Int): Int = n\nfun String.tidy(): String = this\n\n\
         class Kind {\n  companion object {\n    fun String.toKind(): Kind = Kind()\n  }\n}\n",
    ),
    (
        "kt/shop/Read.kt",
        "package shop\n\nimport okio.Source\nimport shop.goods.skipped\nimport shop.goods.tidy\nimport shop.goods.Kind.Companion.toKind\n\n\
         fun read(from: Source, name: String): Int {\n  name.tidy()\n  name.toKind()\n  return from.skipped(2)\n}\n",
    ),
    (
        "kt/okio/Source.kt",
        "package okio\n\nclass Source {\n  fun near(): Int = 1\n}\n",
    ),
    (
        "cs/Words.cs",
        "namespace Office.Words\n{\n  public static class Words\n  {\n    public static int Sum(this Uri uri) { return 1; }\n  }\n}\n",
    ),
    (
        "cs/Read.cs",
        "using Office.Words;\n\nnamespace Office\n{\n  public class Read\n  {\n    public int All(Uri uri) { return uri.Sum(); }\n  }\n}\n",
    ),
    (
        "cs/Desk.cs",
        "using Office.Tools;\n\nnamespace Office\n{\n  public partial class Desk\n  {\n    public Lamp Light = new Lamp();\n    public int Shine() { return Light.Turn(); }\n  }\n}\n",
    ),
    (
        "cs/Lamp.cs",
        "namespace Office.Tools\n{\n  public class Lamp\n  {\n    public int Turn() { return 1; }\n  }\n}\n\nnamespace Office\n{\n  public partial class Desk\n  {\n    public int Height() { return Shine(); }\n  }\n}\n",
    ),
    (
        "php/Order.php",
        "<?php\nnamespace Trade;\n\nuse Trade\\Parts\\Line;\n\nclass Order extends Line\n{\n    public function sum() { $line = new Line(); return $line->cost() + rate(); }\n}\n\nfunction rate() { return 1; }\n",
    ),
    (
        "php/Line.php",
        "<?php\nnamespace Trade\\Parts;\n\nclass Line\n{\n    public function cost() { return 2; }\n}\n",
    ),
    (
        "dart/lib/home.dart",
        "import 'room.dart';\nexport 'room.dart';\npart 'door.dart';\n\nclass Home extends Room {\n  Door door = Door();\n  int open() => door.swing() + size();\n}\n",
    ),
    (
        "dart/lib/door.dart",
        "part of 'home.dart';\n\nclass Door {\n  int swing() => 1;\n}\n",
    ),
    (
        "dart/lib/room.dart",
        "class Room {\n  int size() => 2;\n}\n",
    ),
    (
        "ml/stock.ml",
        "open Shelves\n\nlet count = Shelves.amount 1\nlet twice = amount count\n",
    ),
    ("ml/shelves.ml", "let amount n = n + 1\n"),
    (
        "ex/lib/bank.ex",
        "defmodule Bank do\n  alias Bank.Account\n  import Bank.Math\n\n  def open(x), do: Account.make(add(x, 1))\nend\n",
    ),
    (
        "ex/lib/account.ex",
        "defmodule Bank.Account do\n  def make(x), do: x\nend\n\ndefmodule Bank.Math do\n  def add(a, b), do: a + b\nend\n",
    ),
    (
        "README.md",
        "# Shop\n\nCall `make_order` or `Shelf`, see `tidy`.\n",
    ),
];

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
    ];
    for (path, from, to, files) in rows {
        assert_eq!(resolved(path, from, to), files, "{path}: {from} -> {to}");
    }
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
