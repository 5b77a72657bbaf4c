//! How names of Scala and Kotlin are found, as their compilers find them.

use crate::harness::TestRepo;
use crate::typed::uses_in;

#[test]
fn scala_objects_stand_beside_classes_and_aliases() {
    let repo = TestRepo::init();
    repo.write(
        "src/File.scala",
        "package files\n\nimport java.nio.file.LinkOption\n\nclass File(val path: String) {\n  \
         def /(child: String): File = this\n  def up(other: File) = this / other.path / \"x\"\n}\n\n\
         object File {\n  val home = new File(path = \"/\")\n  type Links = Seq[LinkOption]\n  \
         object Links {\n    val default: Links = Seq.empty\n  }\n}\n",
    )
    .write(
        "src/Use.scala",
        "package files\n\nobject Others { val default = 1; val path = 2 }\nobject More { val default = 1; val path = 2 }\n\n\
         object Use {\n  def a(links: File.Links = File.Links.default) = File.home.path\n  \
         def b(f: File) = f / \"c\"\n  def c(n: Int) = n == 1 && n + 2 > 3\n}\n",
    );
    repo.commit("scala");
    let of = |target: &str| uses_in(&repo, "src/Use.scala", target);
    assert_eq!(of("File.Links.default"), ["7 resolved"]);
    assert_eq!(of("File.home"), ["7 resolved"]);
    assert_eq!(of("File.path"), ["7 resolved"]);
    assert_eq!(of("src/File.scala::File./#method"), ["8 resolved"]);
    let own = |target: &str| uses_in(&repo, "src/File.scala", target);
    assert_eq!(own("src/File.scala::File./#method"), ["7 resolved"]);
    // The parameter that a call names is a field.
    assert_eq!(own("File.path"), ["7 resolved", "11 resolved"]);
}

#[test]
fn scala_packages_have_objects_and_stand_in_others() {
    let repo = TestRepo::init();
    repo.write(
        "src/package.scala",
        "package org\n\npackage object acme {\n  type Name = String\n  def tidy(name: Name) = name\n}\n",
    )
    .write(
        "src/Json.scala",
        "package org.acme\n\nclass Json\nobject Ast {\n  type Node = org.acme.Json\n  val one = org.acme.Other.one\n}\n\
         object Other { val one: Name = tidy(\"a\") }\nobject Third { val one = 1 }\n",
    )
    .write(
        "src/Token.scala",
        "package org\npackage acme.token\n\ntrait Tokens { trait Token; trait Found }\n",
    )
    .write(
        "src/Lexer.scala",
        "package org\npackage acme\npackage lexer\n\nimport token._\n\ntrait Scanners { type Token }\n\
         class Lexer extends Scanners with Tokens {\n  def next: Token = null\n  def json = new Json\n}\n",
    )
    .write(
        "src/Shown.scala",
        "package org.acme\n\nimport Ast._\n\nclass Shown(node: Node, other: java.io.File) { def f = Files.one(node) }\n",
    )
    .write("src/Node.scala", "package org.acme\n\nclass Node { def one = 1 }\n");
    repo.commit("packages");
    let of = |file: &str, target: &str| uses_in(&repo, file, target);
    assert_eq!(
        of("src/Json.scala", "src/Json.scala::Json#class"),
        ["5 resolved"]
    );
    assert_eq!(of("src/Json.scala", "Other.one"), ["6 resolved"]);
    assert_eq!(of("src/Json.scala", "tidy"), ["8 resolved"]);
    assert_eq!(of("src/Json.scala", "Name"), ["8 resolved"]);
    // What stands in each of the packages around is seen, and imports begin in them.
    assert_eq!(
        of("src/Lexer.scala", "src/Json.scala::Json#class"),
        ["10 resolved"]
    );
    assert_eq!(
        of("src/Lexer.scala", "src/Token.scala::Tokens#trait"),
        ["8 resolved"]
    );
    // The last of the bases gives what several have.
    assert_eq!(
        of("src/Lexer.scala", "src/Token.scala::Tokens.Token#trait"),
        ["9 resolved"]
    );
    assert_eq!(
        of("src/Lexer.scala", "src/Lexer.scala::Scanners.Token#type"),
        [""; 0]
    );
    // An import of all is nearer than another file of the package.
    assert_eq!(of("src/Shown.scala", "Ast.Node"), ["5 resolved"]);
    assert_eq!(of("src/Shown.scala", "src/Node.scala::Node#class"), [""; 0]);
    // A type that is nowhere here has members of its own.
    assert_eq!(
        of("src/Shown.scala", "src/Node.scala::Node.one#method"),
        [""; 0]
    );
}

#[test]
fn scala_operators_give_values_and_literals_are_converted() {
    let repo = TestRepo::init();
    repo.write(
        "src/Parser.scala",
        "package p\n\ntrait Parsers { self =>\n  trait Parser {\n    def ~>(q: => Parser): Parser = q\n    \
         def ^^(f: Int => Int): Parser = this\n    def both(q: => Parser) = q ^^ f\n  }\n  \
         implicit def literal(s: String): Parser = null\n  def word: Parser = null\n  def own = self.word\n}\n\n\
         trait Other { def ^^(n: Int) = n; def _1 = 1 }\n",
    )
    .write(
        "src/Use.scala",
        "package p\n\nclass Use extends Parsers {\n  def a = word ~> word ^^ { n => n }\n  def b = \"(\" ~> word ^^ { n => n }\n  \
         def c(t: Any) = t._1 + t.foreach(t)\n}\n",
    );
    repo.commit("operators");
    let of = |target: &str| uses_in(&repo, "src/Use.scala", target);
    assert_eq!(of("Parser.~>"), ["4 resolved", "5 inferred"]);
    // What is before the second is no more than a guess.
    assert_eq!(of("Parser.^^"), ["4 resolved", "5 inferred"]);
    // Tuples have parts as well.
    assert_eq!(of("Other._1"), [""; 0]);
    let own = |target: &str| uses_in(&repo, "src/Parser.scala", target);
    assert_eq!(own("Parser.^^"), ["7 resolved"]);
    assert_eq!(own("Parsers.word"), ["11 resolved"]);
}

#[test]
fn what_kotlin_expects_and_what_is_actual_are_one() {
    let repo = TestRepo::init();
    repo.write(
        "common/Text.kt",
        "package t\n\nexpect fun String.tidy(): String\nexpect class Bits {\n  fun set(n: Int)\n}\n\n\
         fun all(s: String, b: Bits) = s.tidy() + b.set(1)\n",
    )
    .write(
        "jvm/Text.kt",
        "package t\n\nactual fun String.tidy(): String = this\nactual class Bits {\n  \
         actual fun set(n: Int) {}\n}\n",
    )
    .write(
        "jvm/Use.kt",
        "package t\n\nfun use(s: String, b: Bits) {\n  s.tidy()\n  b.set(2)\n  Character.tidy(1)\n}\n",
    );
    repo.commit("kotlin");
    for file in ["common/Text.kt", "jvm/Text.kt"] {
        let of = |name: &str| uses_in(&repo, "jvm/Use.kt", &format!("{file}::{name}"));
        assert_eq!(of("String.tidy#method"), ["4 inferred"], "{file}");
        assert_eq!(of("Bits#class"), ["3 resolved"], "{file}");
        assert_eq!(of("Bits.set#method"), ["5 resolved"], "{file}");
        let common = uses_in(&repo, "common/Text.kt", &format!("{file}::Bits#class"));
        assert_eq!(common, ["8 resolved"], "{file}");
    }
}

#[test]
fn what_is_handed_to_scala_functions_is_what_they_take() {
    let repo = TestRepo::init();
    repo.write(
        "src/Model.scala",
        "package m\n\ncase class Account(owner: String)\ncase class Other(owner: String)\n\n\
         class Editor {\n  def edit(change: Account => Account): Unit = ()\n  \
         def both(join: (Other, Account) => Unit): Unit = ()\n  def copy(n: Int) = n\n}\n",
    )
    .write(
        "src/Use.scala",
        "package m\n\nobject Use {\n  def run(e: Editor, all: List[Account], maybe: Option[Account], any: Any) = {\n    \
         e.edit(a => a.owner)\n    e edit (_.owner)\n    e.edit(_.copy(owner = \"\"))\n    e.both((o, a) => a.owner)\n    \
         all.filter(_.owner == \"\").foreach { one => one.owner }\n    all.foldLeft(\"\")((text, one) => one.owner)\n    \
         maybe.map { case found => found.owner }\n    any.asInstanceOf[Account].owner\n    \
         any.collect(_.owner)\n    e.copy(owner = 1)\n  }\n}\n",
    );
    repo.commit("handed");
    let of = |target: &str| uses_in(&repo, "src/Use.scala", target);
    assert_eq!(
        of("Account.owner"),
        [
            "5 resolved",
            "6 resolved",
            "7 resolved",
            "8 resolved",
            "9 resolved",
            "10 resolved",
            "11 inferred",
            "12 resolved",
            "13 ambiguous",
        ]
    );
    assert_eq!(of("Other.owner"), ["13 ambiguous"]);
}

#[test]
fn scala_functions_beside_others_may_be_the_ones_that_are_handed() {
    let repo = TestRepo::init();
    repo.write(
        "src/Model.scala",
        "package m\n\nclass B { def f() = 1; def length() = 2 }\nclass C { def f() = 3; def length() = 4 }\n\nclass Calls {\n  \
         def m(h: String => Int, g: B => Int) = 0\n  def k(g: B => Int)(h: String => Int) = 0\n  \
         def n(h: (Int, C) => Int, g: B => Int) = 0\n  def o(xs: Map[Int, List[C]], s: String)(g: B => Int) = 0\n}\n",
    )
    .write(
        "src/Use.scala",
        "package m\n\nobject Use {\n  def run(c: Calls) = {\n    c.m(s => s.length(), b => 1)\n    \
         c.k(_.f())(s => s.length())\n    c.n((i, s) => s.f(), b => 1)\n    c.o(null, \"\")(_.f())\n  }\n}\n",
    );
    repo.commit("handed");
    let of = |target: &str| uses_in(&repo, "src/Use.scala", target);
    assert_eq!(of("B.length"), ["5 ambiguous", "6 ambiguous"]);
    assert_eq!(of("B.f"), ["8 resolved", "6 ambiguous", "7 ambiguous"]);
}

#[test]
fn scala_values_are_called_and_literals_take_operators_that_are_overridden() {
    let repo = TestRepo::init();
    repo.write(
        "src/Parser.scala",
        "package p\n\nclass Result { def get = 1 }\nclass Text { def get = 2 }\n\n\
         trait Parser {\n  def apply(in: String): Result = null\n  def ~>(q: Parser): Parser = q\n}\n\n\
         trait Once extends Parser { override def ~>(q: Parser): Parser = q }\n\n\
         class Rules {\n  val held = new Parser { val kind = 1 }\n  def csv: Parser = null\n  \
         def made(in: String): Parser = null\n  def formatted = \"a\".charAt(1)\n}\n\nclass Held { def charAt(n: Int) = n }\n",
    )
    .write(
        "src/Use.scala",
        "package p\n\nclass Use(rules: Rules) {\n  def a(in: String) = rules.csv(in).get\n  \
         def b(in: String) = rules.held(in).get\n  def c = \"(\" ~> rules.csv\n  def d(in: String) = rules.made(in).get\n}\n",
    );
    repo.commit("called");
    let of = |target: &str| uses_in(&repo, "src/Use.scala", target);
    assert_eq!(
        of("Result.get"),
        ["4 resolved", "5 resolved", "7 ambiguous"]
    );
    assert_eq!(of("Parser.~>"), ["6 inferred"]);
    let own = |target: &str| uses_in(&repo, "src/Parser.scala", target);
    assert_eq!(own("Held.charAt"), [""; 0]);
}

#[test]
fn kotlin_objects_are_expected_and_imported_extensions_are_not_hidden() {
    let repo = TestRepo::init();
    repo.write(
        "common/Pool.kt",
        "package t\n\nexpect object Pool {\n  val MAX: Int\n}\n\nexpect class Fault(text: String)\n\n\
         class Text {\n  companion object {\n    fun String.tidy(): String = this\n  }\n}\n",
    )
    .write(
        "jvm/Pool.kt",
        "package t\n\nactual object Pool {\n  actual val MAX = 1\n}\n\nactual typealias Fault = java.lang.Exception\n",
    )
    .write(
        "jvm/Use.kt",
        "package u\n\nimport t.Fault\nimport t.Pool\nimport t.Text.Companion.tidy\n\nclass Use {\n  \
         fun tidy(text: String) = text.tidy()\n  fun size() = Pool.MAX\n  fun fail(): Nothing = throw Fault(\"x\")\n  \
         fun checked() = same(1, 2)\n}\n\nclass Own {\n  fun run() {\n    fun same(a: Int, b: Int) {}\n    same(1, 2)\n  }\n}\n",
    );
    repo.commit("kotlin");
    for (file, fault) in [("common/Pool.kt", "class"), ("jvm/Pool.kt", "type")] {
        let of = |name: &str| uses_in(&repo, "jvm/Use.kt", &format!("{file}::{name}"));
        assert_eq!(of("Pool.MAX#field"), ["9 resolved"], "{file}");
        let fault = of(&format!("Fault#{fault}"));
        assert_eq!(fault, ["3 resolved", "10 resolved"], "{file}");
    }
    let of = |target: &str| uses_in(&repo, "jvm/Use.kt", target);
    assert_eq!(of("Text.String.tidy"), ["5 resolved", "8 inferred"]);
    // What lies in a function is not seen outside of it.
    assert_eq!(of("Own.run.same"), ["17 resolved"]);
}

#[test]
fn scala_imports_of_values_bring_their_members() {
    let repo = TestRepo::init();
    repo.write(
        "src/Automaton.scala",
        "package a\n\nclass Automaton(val labels: Seq[Int], val start: Int) {\n  def next(all: Automaton): Automaton = this\n}\n\
         class Other(val labels: Seq[Int], val start: Int) { def next(all: Other) = this }\n",
    )
    .write(
        "src/Use.scala",
        "package a\n\nclass Use(automaton: Automaton) {\n  import automaton.labels\n  def all = labels\n  def first = start\n  \
         def run(): Int = {\n    object parser { def top = 1; def word = 2 }\n    object lexer { def top = 1 }\n    import parser._\n    top + word\n  }\n  \
         def fold(all: Seq[String]) = all.foldLeft(automaton) { (to, one) => to.next(to) }\n}\n",
    );
    repo.commit("imports");
    let of = |target: &str| uses_in(&repo, "src/Use.scala", target);
    assert_eq!(of("Automaton.labels"), ["5 resolved"]);
    assert_eq!(of("Automaton.start"), ["6 ambiguous"]);
    assert_eq!(of("Use.run.parser.top"), ["11 resolved"]);
    assert_eq!(of("Automaton.next"), ["13 resolved"]);
}

#[test]
fn scala_imports_of_values_bring_their_types() {
    let repo = TestRepo::init();
    repo.write(
        "src/Lang.scala",
        "package a\n\ntrait Lang {\n  sealed abstract class Exp\n  case class Alt(rs: Int) extends Exp\n  type Label\n}\n\
         trait Sub extends Lang\nobject Other { class Alt(val rs: Int); type Label = Int }\n",
    )
    .write(
        "src/Use.scala",
        "package a\n\nabstract class Use {\n  val lang: Sub\n  import lang.{ Alt, Label }\n  import Names.{ one, two => three }\n  \
         object Names { val one = 1; val two = 2; val four = 4 }\n  object More { val one = 1; val four = 4 }\n  \
         def f(of: Any, all: Seq[Label]) = of match {\n    case x: Alt => x.rs + one\n  }\n  \
         def g = { import Names._; four }\n}\n",
    );
    repo.commit("types");
    let of = |target: &str| uses_in(&repo, "src/Use.scala", target);
    assert_eq!(of("Lang.Alt"), ["5 resolved", "10 resolved"]);
    assert_eq!(of("Lang.Label"), ["5 resolved", "9 resolved"]);
    assert_eq!(of("Lang.Alt.rs"), ["10 resolved"]);
    assert_eq!(of("Use.Names.one"), ["6 resolved", "10 resolved"]);
    assert_eq!(of("Use.Names.two"), ["6 resolved"]);
    assert_eq!(of("Use.Names.four"), ["12 resolved"]);
}

#[test]
fn what_follows_an_infix_call_is_a_member_of_what_that_gives() {
    let repo = TestRepo::init();
    repo.write(
        "src/Opt.scala",
        "package a\n\nclass Opt {\n  def keep(p: Test): Opt = this\n  def far(p: Test): Int = 1\n}\n\
         class Test { def far(p: Test) = 2 }\nclass Use {\n  def a(opt: Opt, p: Test) = opt keep p far p\n}\n",
    )
    .write(
        "src/Mask.kt",
        "package m\n\nclass Mask {\n  infix fun or(other: Bit) = this\n  infix fun and(other: Bit) = this\n}\n\
         class Bit { infix fun and(other: Bit) = other }\nfun use(mask: Mask, bit: Bit) = mask or bit and bit\n",
    );
    repo.commit("infix");
    assert_eq!(uses_in(&repo, "src/Opt.scala", "Opt.far"), ["9 resolved"]);
    assert!(uses_in(&repo, "src/Opt.scala", "Test.far").is_empty());
    assert_eq!(uses_in(&repo, "src/Mask.kt", "Bit.and"), ["8 ambiguous"]);
}

#[test]
fn the_name_of_an_argument_calls_no_setter() {
    let repo = TestRepo::init();
    repo.write(
        "src/Made.scala",
        "package a\n\ncase class Made(short: Boolean)\nclass Use(var made: Made) {\n  def short = made.short\n  \
         def short_=(is: Boolean): Unit = edit(_.copy(short = is))\n  def edit(how: Made => Made): Unit = { made = how(made) }\n}\n",
    );
    repo.commit("setters");
    let of = |target: &str| uses_in(&repo, "src/Made.scala", target);
    assert_eq!(of("Made.short"), ["5 resolved", "6 resolved"]);
    assert!(of("Use.short_=").is_empty());
}

#[test]
fn what_is_handed_something_takes_something() {
    let repo = TestRepo::init();
    repo.write(
        "src/Sources.kt",
        "package t\n\nclass Sources {\n  companion object {\n    fun md5(of: Int): Int = of\n  }\n}\n\
         open class Base {\n  fun size(of: Int): Int = of\n}\n",
    )
    .write(
        "src/Use.kt",
        "package u\n\nimport t.Base\nimport t.Sources.Companion.md5\n\nclass Use(val n: Int) : Base() {\n  \
         fun md5() = md5(n)\n  fun size() = size(n)\n  fun own() = size() + md5()\n}\n",
    );
    repo.commit("overloads");
    let of = |target: &str| uses_in(&repo, "src/Use.kt", target);
    assert_eq!(
        of("src/Sources.kt::Sources.md5#method"),
        ["4 resolved", "7 resolved"]
    );
    assert_eq!(of("Base.size"), ["8 resolved"]);
    assert_eq!(of("Use.size"), ["9 resolved"]);
    assert_eq!(of("Use.md5"), ["9 resolved"]);
}
