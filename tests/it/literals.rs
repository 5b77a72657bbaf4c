//! Values of which several are written side by side, items of lists and branches of conditions, and values that
//! something else holds: optional ones, futures, collections.

use crate::harness::TestRepo;
use crate::typed::uses_in;

/// Of each language: two types that have a `go`, and what is made of the first one in several ways.
const MADE: &[(&str, &str, &[u32])] = &[
    (
        "a.kt",
        "class A(n: Int) { fun go() {} }\nclass B { fun go() {} }\nfun use(c: Boolean) {\n  val xs = listOf(A(1), A(2))\n  xs[0].go()\n  \
         xs.first().go()\n  for (x in xs) x.go()\n  xs.forEach { it.go() }\n  val z = if (c) A(1) else { A(2) }\n  z.go()\n  \
         mapOf(\"a\" to A(1))[\"a\"]?.go()\n  val n = mutableListOf<A>()\n  n[0].go()\n  listOf(A(1), B())[0].go()\n  \
         val w = if (c) A(1) else B()\n  w.go()\n}\n",
        &[5, 6, 7, 8, 10, 11, 13],
    ),
    (
        "a.scala",
        "class A(n: Int) { def go(): Unit = {} }\nclass B { def go(): Unit = {} }\nobject Use {\n  def use(c: Boolean) = {\n    \
         val xs = List(new A(1), new A(2))\n    xs.head.go()\n    for (x <- xs) x.go()\n    xs.foreach(_.go())\n    \
         val z = if (c) new A(1) else new A(2)\n    z.go()\n    val o = Some(new A(1))\n    o.get.go()\n    val w = Seq(new A(1), new B)\n    \
         w.head.go()\n  }\n}\n",
        &[6, 7, 8, 10],
    ),
    (
        "a.dart",
        "class A { A(int n); void go() {} }\nclass B { void go() {} }\nvoid use(bool c) {\n  final xs = [A(1), A(2)];\n  xs[0].go();\n  \
         for (final x in xs) x.go();\n  final z = c ? A(1) : A(2);\n  z.go();\n  final m = {'a': A(1)};\n  m['a']?.go();\n  \
         final n = <A>[];\n  n[0].go();\n  [A(1), B()][0].go();\n  final w = c ? A(1) : B();\n  w.go();\n}\n",
        &[5, 6, 8, 10, 12],
    ),
    (
        "a.swift",
        "class A { init(_ n: Int) {} ; func go() {} }\nclass B { func go() {} }\nfunc use() {\n  let xs = [A(1), A(2)]\n  xs[0].go()\n  \
         for x in xs { x.go() }\n  let m = [\"a\": A(1)]\n  m[\"a\"]?.go()\n  let n = [A]()\n  n[0].go()\n  let w = [A(1), B()]\n  \
         w[0].go()\n}\n",
        &[5, 6, 8, 10],
    ),
    (
        "a.rs",
        "struct A; struct B;\nimpl A { fn new(_: u8) -> Self { A } fn go(&self) {} }\nimpl B { fn new() -> Self { B } fn go(&self) {} }\n\
         fn uses(c: bool) {\n    let xs = vec![A::new(1), A::new(2)];\n    xs[0].go();\n    for x in &xs { x.go(); }\n    \
         let z = if c { A::new(1) } else { A::new(2) };\n    z.go();\n    let n = vec![A::new(1); 3];\n    n[0].go();\n    \
         [A::new(1)][0].go();\n    let w = if c { A::new(1) } else { B::new() };\n    w.go();\n    let v = vec![A::new(1), B::new()];\n    \
         v[0].go();\n}\n",
        &[6, 7, 9, 11, 12],
    ),
    (
        "a.php",
        "<?php\nclass A { function go() {} }\nclass B { function go() {} }\nfunction uses() {\n  $xs = [new A(), new A()];\n  \
         $xs[0]->go();\n  foreach ($xs as $x) $x->go();\n  foreach (['k' => new A()] as $y) $y->go();\n  $w = [new A(), new B()];\n  \
         $w[0]->go();\n}\n",
        &[6, 7, 8],
    ),
    (
        "a.rb",
        "class A\n  def go; end\nend\nclass B\n  def go; end\nend\ndef use\n  xs = [A.new, A.new]\n  xs[0].go\n  w = [A.new, B.new]\n  w[0].go\n\
         end\n",
        &[9],
    ),
];

#[test]
fn what_is_written_alike_is_one_thing() {
    for (path, text, lines) in MADE {
        let repo = TestRepo::init();
        repo.write(path, text);
        repo.commit("made");
        let uses = uses_in(&repo, path, "A.go");
        let told: Vec<&String> = uses
            .iter()
            .filter(|one| !one.ends_with("ambiguous"))
            .collect();
        let place = |one: &&String| one.split(' ').next()?.parse::<u32>().ok();
        let mut found: Vec<u32> = told.iter().filter_map(place).collect();
        found.sort_unstable();
        assert_eq!(&found, lines, "{path}: {uses:?}");
        // Where lists may hold anything, or are made by calls of names, it is a guess.
        if ["dart", "swift", "rs"]
            .iter()
            .any(|typed| path.ends_with(typed))
        {
            assert!(
                told.iter().all(|one| one.ends_with("resolved")),
                "{path}: {uses:?}"
            );
        }
        let other = uses_in(&repo, path, "B.go");
        assert!(
            other.iter().all(|one| one.ends_with("ambiguous")),
            "{path}: {other:?}"
        );
    }
}

/// Of each language: two types that have a `go`, and uses of the first one where something else holds it.
const HELD: &[(&str, &str, &[u32])] = &[
    (
        "A.java",
        "class A { void go() {} static Optional<A> find() { return null; } }\nclass B { void go() {} }\nclass Box { A get() { return null; } \
         void go() {} }\nclass Use {\n  void use(Optional<A> p, CompletableFuture<A> f, Box box) {\n    p.get().go();\n    A.find().get().go();\n    \
         f.join().go();\n    box.get().go();\n  }\n}\n",
        &[6, 7, 8, 9],
    ),
    (
        "a.cs",
        "class A { public void go() {} }\nclass B { public void go() {} }\nclass Use {\n  void use(Task<A> t, Lazy<A> l) {\n    t.Result.go();\n    \
         l.Value.go();\n  }\n}\n",
        &[5, 6],
    ),
    (
        "a.scala",
        "class A { def go(): Unit = {} }\nclass B { def go(): Unit = {}  }\nobject Use {\n  \
         def use(p: Option[A]) = {\n    p.get.go()\n  }\n}\n",
        &[5],
    ),
    (
        "a.rs",
        "struct A; struct B;\nimpl A { fn go(&self) {} }\nimpl B { fn go(&self) {} }\nfn uses(v: Vec<A>, m: HashMap<String, A>) {\n    \
         v.first().unwrap().go();\n    if let Some(x) = m.get(\"k\") { x.go(); }\n    while let Some(x) = v.pop() { x.go(); }\n    \
         v.iter().filter(|x| true).next().unwrap().go();\n    v.last().map(|x| x.go());\n}\n",
        &[5, 6, 7, 8, 9],
    ),
    (
        "a.py",
        "class Node:\n    other: \"Optional[Node]\"\n    def go(self): pass\n    @staticmethod\n    def find() -> \"Node | None\": ...\n\
         class Leaf:\n    def go(self): pass\ndef use(o, p, q, r, s, n: \"dict[str, Node]\", l: \"Literal['Node', 'x']\"):\n    Node.find().go()\n    \
         Node().other.go()\n    n['a'].go()\n    if isinstance(o, Node):\n        o.go()\n    o.go()\n    if not isinstance(p, Node):\n        \
         return p.go()\n    p.go()\n    assert isinstance(q, Node) and q.go()\n    q.go()\n    r.go() if isinstance(r, Node) else r.go()\n    \
         if isinstance(s, str) or isinstance(s, Node):\n        s.go()\n    l.go()\n",
        &[9, 10, 11, 13, 17, 18, 19, 20],
    ),
];

#[test]
fn what_is_held_is_known() {
    for (path, text, lines) in HELD {
        let repo = TestRepo::init();
        repo.write(path, text);
        repo.commit("held");
        let uses = uses_in(&repo, path, "go");
        let mut found: Vec<u32> = uses
            .iter()
            .filter(|one| !one.ends_with("ambiguous"))
            .filter_map(|one| one.split(' ').next()?.parse().ok())
            .collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(&found, lines, "{path}: {uses:?}");
        let other = if path.ends_with("py") {
            "Leaf.go"
        } else {
            "B.go"
        };
        let other = uses_in(&repo, path, other);
        assert!(
            other.iter().all(|one| one.ends_with("ambiguous")),
            "{path}: {other:?}"
        );
    }
}

#[test]
fn what_is_told_is_not_taken_back() {
    let repo = TestRepo::init();
    repo.write(
        "a.py",
        "class Alpha:\n    def stop(self): pass\nclass Beta:\n    def stop(self): pass\ndef f(x: Alpha):\n    \
         if isinstance(x, (Alpha, Beta)):\n        x.stop()\n",
    )
    .write(
        "a.kt",
        "class A { fun go() {} }\nclass B { fun go() {} }\nfun use(c: Boolean) {\n  \
         val p = if (c) { println(); A() } else null\n  p?.go()\n}\n",
    );
    repo.commit("told");
    assert_eq!(uses_in(&repo, "a.py", "Alpha.stop"), ["7 resolved"]);
    assert_eq!(uses_in(&repo, "a.kt", "a.kt:1"), ["5 resolved"]);
}

#[test]
fn what_may_be_another_is_not_told() {
    let repo = TestRepo::init();
    repo.write(
        "a.kt",
        "interface St { fun go() }\nclass A : St { override fun go() {} }\nclass B : St { override fun go() {} }\nfun use(c: Boolean, x: St) {\n  \
         val p = if (c) { val u = A(); u } else { val u = B(); u }\n  p.go()\n  val q = if (x is A) x else x\n  q.go()\n}\n",
    )
    .write(
        "a.py",
        "class Alpha:\n    def stop(self): pass\nclass Beta:\n    def stop(self): pass\ndef f(x: \"Alpha | Beta\", y, ks: list[Beta]):\n    \
         x.stop()\n    [y.stop() for y in ks] if isinstance(y, Alpha) else None\n    (lambda y: y.stop()) if isinstance(y, Alpha) else None\n    \
         assert isinstance(y, Alpha), y.stop()\ndef g(x: Literal[\"Alpha.stop\", \"Alpha | b\"]): pass\n",
    )
    .write(
        "a.rb",
        "class Pl\n  def halt; end\nend\nclass Ql\n  def halt; end\nend\ndef a(kind = Pl)\n  kind.new.halt\nend\na(Ql)\n",
    );
    repo.commit("either");
    let sure = |path: &str, target: &str| {
        let uses = uses_in(&repo, path, target);
        uses.into_iter()
            .filter(|one| one.ends_with("resolved"))
            .collect::<Vec<_>>()
    };
    assert!(sure("a.kt", "a.kt:2").is_empty());
    assert!(sure("a.py", "Alpha.stop").is_empty());
    assert!(sure("a.rb", "Pl.halt").is_empty());
}

#[test]
fn a_key_of_a_literal_is_no_member_of_another_object() {
    let repo = TestRepo::init();
    repo.write(
        "a.ts",
        "export const GROUPS = { ref: { brief: 'y' } };\nexport interface Row { ref: string; brief: string }\n",
    )
    .write(
        "b.ts",
        "export function f(x: any) {\n  const t = { ref: 1, brief: 'z' };\n  const { ref: r } = x();\n  \
         return x.ref + r;\n}\n",
    );
    repo.commit("keys");
    let found = uses_in(&repo, "b.ts", "GROUPS.ref");
    assert_eq!(found, ["3 ambiguous", "4 ambiguous"]);
    let found = uses_in(&repo, "b.ts", "Row.ref");
    assert_eq!(found, ["2 ambiguous", "3 ambiguous", "4 ambiguous"]);
    assert_eq!(uses_in(&repo, "b.ts", "Row.brief"), ["2 ambiguous"]);
    assert!(uses_in(&repo, "b.ts", "GROUPS.ref.brief").is_empty());
}

#[test]
fn a_method_that_libraries_have_is_not_guessed() {
    let repo = TestRepo::init();
    for (path, library, own) in [
        ("a.py", "splitlines", "split_words"),
        ("a.rb", "each_char", "each_word"),
        ("a.js", "charCodeAt", "wordAt"),
    ] {
        let source = match path {
            "a.py" => format!(
                "class Page:\n    def {library}(self): pass\n    def {own}(self): pass\ndef f(x):\n    x.{library}()\n    \
                 x.{own}()\n"
            ),
            "a.rb" => format!(
                "class Page\n  def {library}; end\n  def {own}; end\nend\ndef f(x)\n  x.{library}(1)\n  x.{own}(1)\nend\n"
            ),
            _ => format!(
                "class Page {{\n  {library}() {{}}\n  {own}() {{}}\n}}\nfunction f(x) {{\n  x.{library}();\n  \
                 x.{own}();\n}}\n"
            ),
        };
        repo.write(path, &source);
    }
    repo.commit("pages");
    for (path, line, library, own) in [
        ("a.py", 5, "splitlines", "split_words"),
        ("a.rb", 6, "each_char", "each_word"),
        ("a.js", 6, "charCodeAt", "wordAt"),
    ] {
        let of = |name: &str| uses_in(&repo, path, &format!("Page.{name}"));
        assert_eq!(of(library), [format!("{line} ambiguous")], "{path}");
        assert_eq!(of(own), [format!("{} inferred", line + 1)], "{path}");
    }
}
