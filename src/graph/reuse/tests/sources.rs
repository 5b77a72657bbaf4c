//! Files of many languages that name each other.

pub(super) const FILES: &[(&str, &str)] = &[
    ("go.mod", "module shop.test/app\n"),
    (
        "old/Godeps/Godeps.json",
        "{ \"ImportPath\": \"old.test/app\" }\n",
    ),
    (
        "old/kit/kit.go",
        "package kit\n\nfunc Kit() int {\n\treturn 1\n}\n",
    ),
    (
        "old/run.go",
        "package main\n\nimport \"old.test/app/kit\"\n\nfunc run() int {\n\treturn kit.Kit()\n}\n",
    ),
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
        "web/den.d.ts",
        "declare namespace Den {\n  interface Opts { size: Reach }\n}\n\ninterface Reach { far: number }\n",
    ),
    (
        "web/global.ts",
        "import { Reply } from './reply';\n\ndeclare global {\n  interface Reach { near(): Reply }\n  var shared: Reach;\n}\n",
    ),
    (
        "web/more.ts",
        "import './reply';\n\ndeclare module './reply' {\n  interface Reply { more: Reach }\n}\n",
    ),
    (
        "web/far.ts",
        "import { Reply } from './reply';\n\nlet opts: Den.Opts;\n\nfunction far(reply: Reply) {\n  reply.more.near().body;\n  return shared.far + opts.size.far + shared.near().more.far;\n}\n",
    ),
    (
        "web/route.ts",
        "import { Reply } from './reply';\n\nexport type Step = (reply: Reply, next: Step) => Reply;\n\n\
         export interface Route {\n  (path: string, step: Step): Reply;\n  (...steps: [Step, Step]): Reply;\n}\n\n\
         export interface Choice { near: Step; far: { more: Reply } }\n\n\
         export class Router {\n  get: Route;\n  pick(choice: Choice, last?: () => Reply) {}\n  each(f: (step: Router) => void) {}\n}\n",
    ),
    (
        "web/app.tsx",
        "import { Choice, Router } from './route';\n\nfunction Page({ near, far }: Choice) {\n  return far.more;\n}\n\n\
         function start(router: Router) {\n  router.get('/', (reply) => reply.body);\n  router.get((reply) => reply, ({ body }, next) => next);\n  \
         router.pick({ near: (reply) => reply.more.near(), far: { more: null } }, () => null);\n  \
         router.each((step) => step.get('/').body);\n  return <Page near={(reply) => reply.body} far={null} />;\n}\n",
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
        "php/Book.php",
        "<?php\nnamespace Shop;\n\nclass Book extends Model\n{\n    public function scopeLent($query)\n    {\n        return $query;\n    }\n}\n",
    ),
    (
        "php/Shelf.php",
        "<?php\nnamespace Shop;\n\nfunction shelf()\n{\n    return Book::lent();\n}\n",
    ),
    (
        "web/manage.py",
        "import os\n\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'conf.dev')\n",
    ),
    ("web/conf/base.py", "PAGE = 1\n"),
    ("web/conf/dev.py", "from .base import *\n\nLOUD = True\n"),
    (
        "web/views.py",
        "from django.conf import settings\n\n\ndef index():\n    return settings.PAGE, settings.LOUD\n",
    ),
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
        "rb/pack.rb",
        "class Pack\n  attr_reader :lead\n\n  def initialize\n    @lead = Dog.new\n    yield self\n  end\n\n  def walk\n    yield @lead, 1\n    return lead\n  end\nend\n\nclass Wolf < Dog\n  def sit\n    walk\n  end\nend\n",
    ),
    (
        "rb/helper.rb",
        "class Minitest::Spec\n  include Kennel\n  def fetch(dog)\n    dog\n  end\nend\n",
    ),
    (
        "rb/kennel.rb",
        "module Kennel\n  def feed(dog)\n    dog.sit\n  end\nend\n\ndescribe Dog do\n  it 'is fed' do\n    feed(fetch(Dog.new))\n  end\nend\n",
    ),
    (
        "petting/pets.py",
        "class Pup:\n    def sit(self): pass\n\nclass Kit:\n    def sit(self): pass\n",
    ),
    (
        "petting/use.py",
        "from .pets import Pup\n\ndef petted(some, pet: \"Pup | None\", q: \"dict[str, Pup]\"):\n    pet.sit()\n    q['a'].sit()\n    if isinstance(some, Pup):\n        some.sit()\n",
    ),
    (
        "petting/Pets.scala",
        "package petting\n\nclass Cub { def sit(): Unit = {} }\nclass Foal { def sit(): Unit = {} }\n",
    ),
    (
        "petting/Use.scala",
        "package petting\n\nobject Use {\n  def petted(maybe: Option[Cub], flag: Boolean) = {\n    maybe.get.sit()\n    List(new Cub, new Cub).head.sit()\n    val cub = if (flag) new Cub else new Cub\n    cub.sit()\n  }\n}\n",
    ),
    (
        "rb/barks.rb",
        "module Barks\n  def loud\n    train\n    self.bark\n    trained.sit\n  end\n\n  def trained\n    Dog.new\n  end\nend\n\nmodule Kernel\n  def whistle; end\nend\n",
    ),
    (
        "rb/puppy.rb",
        "class Puppy < Animal\n  include Barks\n  def train\n    whistle\n    Dog.new.sit\n  end\n\n  def trained\n    Wolf.new\n  end\nend\n",
    ),
    (
        "rb/whelp.rb",
        "class Whelp < Puppy\n  def bark; end\n  def train; end\nend\n\ndef title(page)\n  title = title(page)\n  Regexp.bark(title)\nend\n",
    ),
    (
        "rb/far.rb",
        "class Far::Dog\n  def howl\n    bark\n  end\n\n  def bark; end\nend\n\nmodule Far\n  class Dog\n    def again\n      bark\n    end\n  end\nend\n",
    ),
    (
        "rb/use.rb",
        "def go\n  pack = Pack.new { |made| made.walk { |dog| dog.sit } }\n  pack.walk { |dog| dog.bark }.speak\n  pack.lead.sit\nend\n",
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
        "kt/crates/Crate.kt",
        "package crates\n\nimport shop.goods.Fruit\n\nopen class Crate<T>(val inner: T) {\n  fun lifted(): T = inner\n  fun piled(): List<T> = listOf(inner)\n}\n\nclass Pile(val fruit: Fruit, val grown: () -> Fruit)\n",
    ),
    (
        "kt/crates/Unload.kt",
        "package crates\n\nimport shop.goods.Fruit\n\nfun unload(crate: Crate<Fruit>, piles: List<Pile>) {\n  crate.lifted().weight()\n  \
         crate.piled().first().weight()\n  piles.map { it.fruit }.first().weight()\n  piles.first().grown().weight()\n}\n",
    ),
    (
        "kt/pets/Pets.kt",
        "package pets\n\nclass Pup { var name = \"\"; fun sit() {} }\nclass Kit { var name = \"\"; fun sit() {} }\n\n\
         fun each(body: (Pup) -> Unit) {}\nfun build(body: Kit.() -> Unit) {}\nfun <T> T.keep(body: T.() -> Unit): T = this\n\
         open class Kennel { fun size(of: Int): Int = of }\n",
    ),
    (
        "kt/pets/Use.kt",
        "package pets.use\n\nimport pets.*\n\nclass Use(val n: Int) : Kennel() {\n  fun size() = size(n)\n  \
         fun go(pup: Pup, any: Any) {\n    each { it.sit() }\n    build { sit() }\n    pup.keep { name = \"a\" }\n    \
         if (any is Kit) any.sit()\n  }\n}\n",
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
        "ex/use.ex",
        "defmodule Shop.Use do\n  alias Shop.Pay\n  @behaviour Shop.Pay.Way\n  def run(a), do: Shop.Pay.Card.take(a)\n  def more(a), do: Pay.Card.take(a)\nend\n",
    ),
    (
        "ex/card.ex",
        "defmodule Shop.Pay.Card do\n  def take(a), do: a\nend\n\ndefmodule Shop.Pay.Way do\n  @callback take(a :: integer) :: integer\nend\n",
    ),
    (
        "php/Full.php",
        "<?php\nnamespace Desk;\n\nfunction full(\\Trade\\Parts\\Line $line) { return $line->cost() + \\Trade\\rate() + \\Trade\\Parts\\Line::none(); }\n",
    ),
    (
        "jvm/full.kt",
        "package desk\n\nfun full(fruit: shop.goods.Fruit) = fruit.weight() + shop.goods.Fruit().weight()\n",
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

/// A file of Scala that hands functions to another.
pub(super) const HANDED: &[(&str, &str)] = &[
    (
        "jvm/Taken.scala",
        "package taken\n\ncase class Till(coins: Int)\nclass Purse { val coins = 1 }\n\ntrait Rule {\n  def apply(said: String): Till\n  \
         def ~>(next: Rule): Rule = next\n}\n\ntrait Strict extends Rule { override def ~>(next: Rule): Rule = next }\n\n\
         class Booth {\n  def each(change: Till => Till): Unit = ()\n  def pair(join: (Purse, Till) => Int): Unit = ()\n  \
         def rule: Rule = null\n  val tills: List[Till] = Nil\n}\n",
    ),
    (
        "jvm/Handed.scala",
        "package taken\n\nclass Handed(booth: Booth) {\n  def all(said: String) = {\n    booth.each(till => till.copy(coins = till.coins))\n    \
         booth.pair((purse, till) => purse.coins + till.coins)\n    booth.tills.map(_.coins)\n    \"a\" ~> booth.rule\n    \
         booth.rule(said).coins\n  }\n}\n",
    ),
];

/// Functions of TypeScript that are handed on.
pub(super) const GIVEN: &[(&str, &str)] = &[
    (
        "m.ts",
        "export class A { f() {}; k = 1 }\nexport class B { f() {}; k = 1 }\n",
    ),
    (
        "h.ts",
        "import { A, B } from './m'\nexport class Box<T> { value!: T; get(): T { return null! } }\nexport class Pair<T, U> { one!: T; two!: U }\n\
         export type Maybe<T> = T | null\nexport type Takes<T> = (x: T) => void\nexport type With<T, K> = Pick<T, K> & Required<Omit<T, K>>\n",
    ),
    (
        "g.ts",
        "import { A, B } from './m'\nimport { Box, Maybe, Pair, Takes, With } from './h'\nexport function box(): Box<A> { return null! }\n\
         export const maybe: Maybe<A> = null\nexport const pair = new Pair<A, B>()\nexport type Handler = Takes<A>\n\
         export interface Like extends Omit<With<A, 'k'>, 'x'> { own: 1 }\nexport class Held extends Box<A> {}\n",
    ),
    (
        "u.ts",
        "import { box, Handler, Held, Like, maybe, pair } from './g'\nbox().value.f()\nmaybe.f()\npair.one.f()\npair.two.f()\n\
         const h: Handler = (x) => x.f()\nfunction z(like: Like, held: Held) { like.f(); held.get().f() }\n",
    ),
];

pub(super) const NARROWED: &[(&str, &str)] = &[
    (
        "m.ts",
        "export class A { f() {}; k = 1 }\nexport class B { f() {}; k = 1 }\nexport class C { f() {}; k = 1 }\n",
    ),
    (
        "h.ts",
        "import { A, B, C } from './m'\nexport type Any = A | B\nexport function isB(x: unknown): x is B { return true }\n\
         export function assertC(x: unknown): asserts x is C {}\nexport type Rows = Record<string, B>\n\
         export interface Kept { [name: string]: C }\n",
    ),
    (
        "g.ts",
        "import { isB, Any, Kept, Rows } from './h'\nexport const check = isB\nexport function make(): Any { return null! }\n\
         export const rows: Rows = {}\nexport const kept: Kept = {}\nexport { isB as isOne } from './h'\n",
    ),
    (
        "u.ts",
        "import { isOne, kept, make, rows } from './g'\nimport { assertC } from './h'\n\
         function y() { const x = make(); if (isOne(x)) { x.f() } else { x.f() } }\n\
         function z() { const x = make(); assertC(x); x.f(); rows.first.f(); kept.other.f() }\n",
    ),
];

pub(super) const TOLD_APART: &[(&str, &str)] = &[
    (
        "m.ts",
        "export interface A { kind: 'one' | 'two'; f: number }\nexport interface B { kind: Kind.Three; f: number }\n\
         export enum Kind { Three, Four }\nexport interface D { k: number; f: number; g: number }\n",
    ),
    (
        "h.ts",
        "import { A, B, D } from './m'\nexport type Any = A | B\n\
         export type Both = Omit<D, 'k'> & { f: number; k: number }\n\
         export interface More extends Readonly<Omit<D, 'k'> & { g: number }> {}\n",
    ),
    (
        "g.ts",
        "import { Any, Both, More } from './h'\nexport function make(): Any { return null! }\n\
         export const both: Both = null!\nexport const more: More = null!\n",
    ),
    (
        "u.ts",
        "import { both, make, more } from './g'\nimport { Kind } from './m'\n\
         function y() { const x = make(); if (x.kind === 'one') { x.f } else { x.f } }\n\
         function z() { const x = make(); switch (x.kind) { case Kind.Three: x.f; break; default: x.f } }\n\
         function w() { both.f; both.k; more.g }\n",
    ),
];

pub(super) const SHAPED: &[(&str, &str)] = &[
    (
        "m.ts",
        "export class A { f() {}; k = 1 }\nexport class B { f() {}; k = 1 }\n",
    ),
    (
        "h.ts",
        "import { A, B } from './m'\nexport interface Kept { opts: { one: A; deep: { two: A } } }\n\
         export function make(): { one: A; gives: () => A } { return null! }\n\
         export function takes(f: (x: { one: A }) => void) {}\nexport type Held<T> = { one: T }\n",
    ),
    (
        "g.ts",
        "import { A, B } from './m'\nimport { Held, Kept, make } from './h'\nexport const kept: Kept = null!\n\
         export const made = make()\nexport const held: { of: Held<A> } = null!\n\
         export const same: { one: typeof made } = null!\n",
    ),
    (
        "u.ts",
        "import { held, kept, made, same } from './g'\nimport { takes } from './h'\n\
         function y() { kept.opts.one.f(); kept.opts.deep.two.f(); made.one.f(); made.gives().f() }\n\
         function z() { takes((x) => x.one.f()); held.of.one.f(); same.one.one.f(); const { one } = made; one.f() }\n",
    ),
];

pub(super) const PARTS: &[(&str, &str)] = &[
    (
        "m.ts",
        "export class A { f() {}; k = 1 }\nexport class B { f() {}; k = 1 }\n",
    ),
    (
        "h.ts",
        "import { A, B } from './m'\nexport type Pair = [A, B]\nexport type With<T> = [T, B]\n\
         export interface Takes { run: (a: A) => void; k: number }\n\
         export const give = () => [new A(), new B()]\n\
         export const put = () => ({ one: new A(), two: { b: new B() } })\nexport const load = (id: string) => new A()\n",
    ),
    (
        "g.ts",
        "import { A } from './m'\nimport { give, load, Pair, put, Takes, With } from './h'\nexport const pair: Pair = null!\n\
         export const held: With<A> = null!\nexport const given = give()\n\
         export const taken: Takes = { run(a) { a.f() }, k: 1 }\nexport const [first] = pair\n\
         export const loaded = [''].map(load)\nexport const made = put()\n",
    ),
    (
        "u.ts",
        "import { first, given, held, loaded, made, pair } from './g'\n\
         function x() { const { two: { b } } = made; b.f(); made.one.f(); loaded[0].f(); loaded.map((a) => made)[0].k }\n\
         function y() { pair[0].f(); const [, b] = pair; b.f(); first.f(); held[0].f() }\n\
         function z() { const [a] = given; a.f(); for (const one of pair) one.k }\n",
    ),
];

pub(super) const CALLED_BACK: &[(&str, &str)] = &[
    (
        "m.ts",
        "export class B { f() {}; k = 1 }\nexport class C { f() {}; k = 1 }\n",
    ),
    (
        "h.ts",
        "import { B, C } from './m'\nexport type One = (b: B) => void\nexport interface Two { (b: B): void }\n\
         export function three(cb: (b: B) => void) {}\nexport class Four { constructor(cb: (b: B) => void) {} }\n\
         export interface Seven { gives: () => B }\n",
    ),
    (
        "g.ts",
        "import { B, C } from './m'\nimport { Four, One, Seven, three, Two } from './h'\nexport function one(...all: One[]) {}\n\
         export function two(...all: Two[]) {}\nexport const thrice = three\nexport const Fore = Four\n\
         export function five<T extends B>(f: (b: T) => void) {}\nexport function six<T extends B>(x: T) {}\n\
         export const seven: Seven = null!\n",
    ),
    (
        "u.ts",
        "import { five, Fore, one, seven, six, thrice, two } from './g'\none((b) => b.f())\ntwo((b) => b.f())\n\
         thrice((b) => b.f())\nnew Fore((b) => b.f())\nfive((b) => b.f())\nfunction z() { six({ k: 1 }) }\nseven.gives().f()\n",
    ),
];

/// Functions of one name that take different numbers of arguments.
pub(super) const COUNTED: &[(&str, &str)] = &[
    (
        "count/Codec.java",
        "package count;\n\nclass Codec {\n  Codec code(int all) { return this; }\n  Codec code(int all, int... rest) { return this; }\n  \
         void end() {}\n}\n",
    ),
    (
        "count/Hex.java",
        "package count;\n\nclass Hex extends Codec {\n  Hex code(int all, int from) { return this; }\n  void end(int of) {}\n}\n",
    ),
    (
        "count/Coded.java",
        "package count;\n\nclass Coded {\n  void run(Hex hex) { hex.code(1).code(1, 2).end(); hex.code(1, 2, 3).end(4); hex.end(); }\n}\n",
    ),
    (
        "count/Hex.kt",
        "package count\n\nopen class Cut {\n  open fun cut(from: Int, to: Int = 1) = this\n  fun cut() = 1\n}\n\
         fun Cut.cut(a: Int, b: Int, vararg c: Int) = 1\n",
    ),
    (
        "count/Cuts.kt",
        "package count\n\nclass Cuts : Cut() {\n  override fun cut(from: Int, to: Int) = this\n}\n\
         fun cuts(cuts: Cuts) { cuts.cut(1); cuts.cut(); cuts.cut(1, 2, 3).cut(4) }\n",
    ),
];

/// Types of the repository that have names of the library, and what holds an instance.
pub(super) const HELD: &[(&str, &str)] = &[
    (
        "held/Held.java",
        "package held;\n\npublic class Held {\n    public void hold() {}\n}\n",
    ),
    (
        "held/Supplier.java",
        "package held;\n\npublic class Supplier<T> {\n    public void hold() {}\n}\n",
    ),
    (
        "held/Holds.java",
        "package held;\n\nimport java.util.*;\nimport java.util.function.*;\n\npublic class Holds {\n    Supplier<Held> supplied;\n    \
         Map<String, Held> named;\n    Optional<Held> maybe;\n\n    void all() {\n        supplied.hold();\n        named.get(\"a\").hold();\n        \
         for (var entry : named.entrySet()) entry.getValue().hold();\n        maybe.hold();\n    }\n}\n",
    ),
    (
        "held/Optional.java",
        "package held;\n\npublic class Optional<T> {\n    public void hold() {}\n}\n",
    ),
];
