//! What people write every day with an instance in it: what generic types of the repository give, what functions give that are
//! handed over or held, and what collections are made of.

use crate::harness::TestRepo;
use crate::typed::uses_in;

/// Of each language: two types that have a `go`, and uses of the first one, then those of the second.
const EVERYDAY: &[(&str, &str, &[u32], &[u32])] = &[
    (
        "A.java",
        "import java.util.*; import java.util.function.*; class A { void go() {} B own() { return null; } }\nclass B { void go() {} B(A a) {} }\n\
         class Box<T> { T v; T get() { return v; } List<T> all() { return null; } }\nclass Own { Own map(Function<A, B> f) { return this; } \
         A first() { return null; } }\nclass Use {\n  void use(Box<A> box, List<A> xs, Map<String, A> m, Supplier<A> s, Function<String, A> f, Own o) {\n    \
         box.get().go();\n    box.v.go();\n    box.all().get(0).go();\n    List.of(new A()).get(0).go();\n    \
         for (var e : m.entrySet()) e.getValue().go();\n    s.get().go();\n    f.apply(\"\").go();\n    new ArrayList<>(xs).get(0).go();\n    \
         xs.stream().map(x -> x.own()).forEach(b -> b.go());\n    xs.stream().map(A::own).toList().get(0).go();\n    \
         xs.stream().map(B::new).findFirst().get().go();\n    xs.stream().map(x -> x).collect(Collectors.toList()).get(0).go();\n    \
         CompletableFuture.supplyAsync(() -> new A()).thenAccept(x -> x.go());\n    Consumer<B> eats = b -> b.go();\n    \
         o.map(x -> x.own()).first().go();\n    Optional.of(new A()).get().go();\n  }\n}\n",
        &[7, 8, 9, 10, 11, 12, 13, 14, 18, 19, 21, 22],
        &[15, 16, 17, 20],
    ),
    (
        "a.cs",
        "class A { public void go() {} public B Own; }\nclass B { public void go() {} }\ninterface IBox<T> { T Get(); IEnumerable<T> All(); \
         Task<T> Find(); }\nclass Use {\n  async Task use(IBox<A> box, List<A> xs, Dictionary<string, A> m, Func<string, A> f, object o) {\n    \
         box.Get().go();\n    box.All().First().go();\n    (await box.Find()).go();\n    new[] { new A() }[0].go();\n    \
         if (m.TryGetValue(\"k\", out var got)) got.go();\n    foreach (KeyValuePair<string, A> e in m) e.Value.go();\n    f(\"\").go();\n    \
         xs.Select(x => x.Own).First().go();\n    (from x in xs select x.Own).ToList()[0].go();\n    xs.OfType<B>().First().go();\n    \
         (await box.Find().ConfigureAwait(false)).go();\n    var made = await Task.Run(() => new A());\n    made.go();\n    \
         var sw = o switch { 1 => new A(), 2 => new A(), _ => null };\n    sw.go();\n  }\n}\n",
        &[6, 7, 8, 9, 10, 11, 12, 16, 18, 20],
        &[13, 14, 15],
    ),
    (
        "a.kt",
        "class A(val own: B?) { fun go() {}; fun made() = B() }\nclass B { fun go() {} }\ninterface Box<T> { fun get(): T; fun all(): List<T> }\n\
         class Own { fun map(f: (A) -> B): Own = this; fun first(): A = TODO() }\nfun use(box: Box<A>, xs: List<A>, m: Map<String, A>, \
         f: () -> A, g: (A) -> B, n: A?, o: Own) {\n  box.get().go()\n  box.all().first().go()\n  f().go()\n  g(xs[0]).go()\n  \
         xs.map { it.made() }.first().go()\n  xs.mapNotNull { x -> x.own }.forEach { it.go() }\n  for ((k, v) in m) v.go()\n  \
         m.forEach { (k, v) -> v.go() }\n  n?.let { it.made() }?.go()\n  with(xs[0]) { made() }.go()\n  o.map { it.made() }.first().go()\n  \
         requireNotNull(n).go()\n  val t = try { A(null) } catch (e: Exception) { null }\n  t?.go()\n  xs.associateBy { it.own }[null]?.go()\n}\n",
        &[6, 7, 8, 12, 13, 16, 17, 19, 20],
        &[9, 10, 11, 14, 15],
    ),
    (
        "a.rs",
        "struct A { own: B } struct B;\nimpl A { fn new() -> Self { todo!() } fn go(&self) {} fn own(&self) -> Option<&B> { None } }\n\
         impl B { fn go(&self) {} }\nstruct Holder<T> { v: T, items: Vec<T> }\nimpl<T> Holder<T> { fn held(&self) -> &T { &self.v } fn all(&self) -> &[T] \
         { &self.items } }\nenum Out { Done(A), Lost(B), None }\nfn find() -> Option<A> { None }\nfn uses(h: Holder<A>, xs: Vec<A>, bs: &[B], f: impl Fn() -> A, g: &dyn \
         Fn(u8) -> B, out: Out, w: std::rc::Weak<A>) {\n    h.held().go();\n    h.v.go();\n    h.all()[0].go();\n    f().go();\n    g(1).go();\n    \
         xs.iter().map(|x| &x.own).for_each(|b| b.go());\n    xs.iter().filter_map(|x| x.own()).for_each(|b| b.go());\n    \
         for (x, b) in xs.iter().zip(bs) { b.go(); }\n    xs.iter().fold(0, |acc, x| x.go());\n    \
         let m = match find() { Some(x) => x, None => return };\n    m.go();\n    \
         match out { Out::Done(x) => x.go(), _ => {} }\n    if let Out::Lost(b) = out { b.go(); }\n    let A { own } = m;\n    own.go();\n    \
         w.upgrade().unwrap().go();\n    xs.sort_by_key(|x| x.go());\n}\n",
        &[9, 10, 11, 12, 17, 19, 20, 24, 25],
        &[13, 14, 15, 16, 21, 23],
    ),
    (
        "a.py",
        "class A:\n    own: \"Beta\"\n    def go(self): pass\nclass Beta:\n    def go(self): pass\nclass Svc:\n    def __init__(self, cb: Callable[[], A]):\n        \
         self.cache: dict[str, A] = {}\n        self.cb = cb\n    def run(self):\n        self.cache.get(\"k\").go()\n        self.cb().go()\n@contextmanager\n\
         def opened() -> Iterator[A]:\n    yield A()\n@asynccontextmanager\nasync def both():\n    yield Beta()\nasync def use(xs: list[A], bs: list[Beta]):\n    \
         ys = [x.own for x in xs]\n    ys[0].go()\n    with opened() as held:\n        held.go()\n    async with both() as b:\n        b.go()\n    \
         for x, b in zip(xs, bs):\n        b.go()\n    sorted(xs, key=lambda x: x.go())\n    min(xs, key=str).go()\n    \
         {x: x for x in xs}[1].go()\n    map(lambda b: b.go(), bs)\n    xs.pop().go()\n",
        &[11, 12, 23, 28, 29, 30, 32],
        &[21, 25, 27, 31],
    ),
    (
        "a.go",
        "package p\ntype A struct{}\ntype B struct{}\nfunc (a *A) Halt() {}\nfunc (b *B) Halt() {}\ntype Srv struct { handler func(a *A) *B; \
         build func() (*A, error) }\nfunc (s *Srv) run() {\n\ts.handler(nil).Halt()\n\ta, _ := s.build()\n\ta.Halt()\n}\n",
        &[10],
        &[8],
    ),
];

#[test]
fn everyday_uses_are_told() {
    for (path, text, first, second) in EVERYDAY {
        let repo = TestRepo::init();
        repo.write(path, text);
        repo.commit("everyday");
        let (one, other) = match *path {
            "a.go" => ("A.Halt", "B.Halt"),
            "a.py" => ("A.go", "Beta.go"),
            _ => ("A.go", "B.go"),
        };
        for (target, lines) in [(one, first), (other, second)] {
            let uses = uses_in(&repo, path, target);
            let told = uses.iter().filter(|one| !one.ends_with("ambiguous"));
            let place = |one: &String| one.split(' ').next()?.parse::<u32>().ok();
            let mut found: Vec<u32> = told.filter_map(place).collect();
            found.sort_unstable();
            assert_eq!(&found, lines, "{path} {target}: {uses:?}");
        }
    }
}

#[test]
fn a_type_of_the_repository_is_not_taken_for_that_of_the_library() {
    let repo = TestRepo::init();
    repo.write(
        "A.java",
        "class A { void go() {} }\nclass B { void go() {} }\nclass Optional { static B of(A a) { return null; } }\nclass Use {\n  \
         void use() { Optional.of(new A()).go(); }\n}\n",
    )
    .write(
        "a.kt",
        "class Ka { fun go() {} }\nclass Kb { fun go() {} }\nclass Maybe { fun map(f: (Ka) -> Ka): Kb = Kb() }\n\
         fun use(m: Maybe) {\n  m.map { it }.go()\n}\n",
    );
    repo.commit("own");
    assert_eq!(uses_in(&repo, "A.java", "B.go"), ["5 resolved"]);
    assert_eq!(uses_in(&repo, "a.kt", "Kb.go"), ["5 resolved"]);
}

#[test]
fn only_entries_of_maps_are_taken_apart() {
    let repo = TestRepo::init();
    repo.write(
        "a.kt",
        "data class Order(val user: User, val parent: Order?) { fun go() {} }\nclass User { fun go() {} }\n\
         class Held(val named: MutableMap<String, Order>, val all: List<Order>)\nfun find(): Order = TODO()\n\
         fun use(orders: List<Order>, byName: Map<String, Order>, held: Held) {\n  for ((user, parent) in orders) parent.go()\n  \
         val (user, parent) = find()\n  parent.go()\n  orders.forEach { (user, parent) -> parent.go() }\n  \
         for ((_, found) in byName) found.go()\n  byName.forEach { (_, found) -> found.go() }\n  \
         for ((at, found) in orders.withIndex()) found.go()\n  val made = orders.associateBy { it.user }\n  \
         for ((_, found) in made.entries.sortedBy { it.key }) found.go()\n  for ((_, found) in held.named) found.go()\n  \
         for ((user, parent) in held.all) parent.go()\n}\n",
    )
    .write(
        "a.cs",
        "record Bill(Bill Part, Payer By) { public void run() {} }\nclass Payer { public void run() {} }\n\
         class Use {\n  Dictionary<string, Bill> named; List<Bill> all;\n  void use(IDictionary<int, Bill> given) {\n    \
         foreach (var (part, by) in all) by.run();\n    foreach (var (key, bill) in named) bill.run();\n    \
         foreach (var (key, bill) in this.named) bill.run();\n    foreach (var (key, bill) in given) bill.run();\n    \
         var made = all.ToDictionary(bill => bill.By);\n    foreach (var (by, bill) in made) bill.run();\n  }\n}\n",
    );
    repo.commit("parts");
    let told = |path, target| {
        let uses = uses_in(&repo, path, target);
        let told = uses.into_iter().filter(|one| !one.ends_with("ambiguous"));
        told.filter_map(|one| one.split(' ').next()?.parse().ok())
            .collect::<Vec<u32>>()
    };
    assert_eq!(told("a.kt", "Order.go"), [10, 11, 12, 14, 15]);
    assert_eq!(told("a.kt", "User.go"), [0; 0]);
    assert_eq!(told("a.cs", "Bill.run"), [7, 8, 9, 11]);
    assert_eq!(told("a.cs", "Payer.run"), [0; 0]);
}

#[test]
fn what_holds_an_instance_has_members_of_its_own() {
    let repo = TestRepo::init();
    repo.write(
        "S.java",
        "import java.util.*;\nimport java.util.function.*;\nclass S { String getKey() { return null; } S getValue() { return null; } S get() { return null; } void go() {} }\n\
         class Use {\n  void use(Map<String, S> m, Supplier<S> s) {\n    for (Map.Entry<String, S> e : m.entrySet()) { e.getKey(); }\n    \
         for (var e : m.entrySet()) e.getValue().go();\n    m.entrySet().forEach(e -> e.getKey());\n    s.get().go();\n    s.get();\n  }\n}\n",
    )
    .write(
        "T.java",
        "class Supplier<X> { void go() {} S get() { return null; } }\nclass Mine {\n  void use(Supplier<T> s) {\n    s.go();\n  }\n}\nclass T { void go() {} }\n",
    )
    .write(
        "s.cs",
        "class P { public P Key; public P Value; public void run() {} }\nclass U {\n  void use(Dictionary<string, P> m) {\n    \
         foreach (var p in m) { p.Value.run(); p.Key.run(); }\n    foreach (KeyValuePair<string, P> p in m) p.Value.run();\n    \
         m[\"a\"].run();\n    m.Values.First().run();\n  }\n}\n",
    )
    .write(
        "s.kt",
        "import kotlinx.coroutines.flow.*\nclass K(val key: K, val value: L) { fun at() {} }\nclass L { fun at() {} }\n\
         fun use(m: Map<String, K>, st: StateFlow<K>, xs: List<K>) {\n  for (e in m) e.value.at()\n  m.entries.first().value.at()\n  \
         m.map { it.value }.first().at()\n  st.value.at()\n  m.forEach { k, v -> k.at() }\n  xs.associateBy({ it.key }, { it.value }).values.first().at()\n  \
         m[\"a\"]?.at()\n}\n",
    )
    .write(
        "s.py",
        "class H:\n    def lower(self): pass\ndef use(d: dict[str, H]):\n    for k in d: k.lower()\n    max(d).lower()\n    \
         for k, v in d.items(): v.lower()\n    d['a'].lower()\n    for v in d.values(): v.lower()\n    list(d)[0].lower()\n",
    )
    .write(
        "s.rs",
        "struct A; impl A { fn go(&self) {} }\nenum Ev { Ready(A), SocketReady(A) }\nimpl Ev { fn go(&self) {} }\n\
         fn take(ev: Ev) {\n    if let Ev::SocketReady(x) = &ev { x.go(); }\n}\n",
    );
    repo.commit("held");
    let told = |path, target| {
        let uses = uses_in(&repo, path, target);
        let told = uses.into_iter().filter(|one| !one.ends_with("ambiguous"));
        told.filter_map(|one| one.split(' ').next()?.parse().ok())
            .collect::<Vec<u32>>()
    };
    assert_eq!(told("S.java", "S.getKey"), [0; 0]);
    assert_eq!(told("S.java", "S.getValue"), [0; 0]);
    assert_eq!(told("S.java", "S.get"), [0; 0]);
    assert_eq!(told("S.java", "S.go"), [7, 9]);
    assert_eq!(told("T.java", "Supplier.go"), [4]);
    assert_eq!(told("s.cs", "P.run"), [4, 5, 6, 7]);
    assert_eq!(told("s.kt", "K.at"), [5, 6, 7, 8, 11]);
    assert_eq!(told("s.kt", "L.at"), [0; 0]);
    assert_eq!(told("s.py", "H.lower"), [6, 7, 8]);
    assert_eq!(told("s.rs", "A.go"), [5]);
}

#[test]
fn a_type_of_the_repository_holds_what_it_says_whatever_its_name() {
    let repo = TestRepo::init();
    repo.write(
        "own/Maybe.java",
        "package own;\nclass Optional<T> { void go() {} C get() { return null; } }\nclass A { void go() {} }\nclass C { void go() {} }\n\
         class Use {\n  void use(Optional<A> o) {\n    o.go();\n    o.get().go();\n  }\n}\n",
    )
    .write(
        "own.rs",
        "struct Ra; impl Ra { fn go(&self) {} }\nenum Option<T> { Some(T) }\n\
         impl<T> Option<T> { fn go(&self) {} }\nfn take(o: Option<Ra>) {\n    o.go();\n}\n",
    )
    .write(
        "own.kt",
        "class Ka { fun go() {} }\nclass Kc { fun go() {} }\nclass Result<T> { fun go() {} }\nclass Dsl { fun let(f: () -> Unit): Kc = Kc() }\n\
         fun use(r: Result<Ka>, a: Ka?) {\n  r.go()\n  a?.let { it }?.go()\n}\n",
    );
    repo.commit("own");
    assert_eq!(
        uses_in(&repo, "own/Maybe.java", "Optional.go"),
        ["7 resolved"]
    );
    assert_eq!(uses_in(&repo, "own/Maybe.java", "C.go"), ["8 resolved"]);
    assert_eq!(uses_in(&repo, "own.rs", "Option.go"), ["5 resolved"]);
    let mut of_result = uses_in(&repo, "own.kt", "Result.go");
    of_result.retain(|one| !one.ends_with("ambiguous"));
    assert_eq!(of_result, ["6 resolved"]);
    let of_other = uses_in(&repo, "own.kt", "Kc.go");
    assert!(
        of_other.iter().all(|one| one.ends_with("ambiguous")),
        "{of_other:?}"
    );
}

#[test]
fn a_function_of_the_repository_is_not_taken_for_that_of_the_library() {
    let repo = TestRepo::init();
    repo.write(
        "a.py",
        "from pairs import zip\nfrom copy import copy\nclass A:\n    def go(self): pass\nclass B:\n    def go(self): pass\ndef sorted(all):\n    \
         return B()\ndef use(xs: list[A], one: A):\n    for x, y in zip(xs, xs):\n        x.go()\n        y.go()\n    sorted(xs).go()\n    \
         max(xs).go()\n    copy(one).go()\n    sorted(xs, key=lambda x: x.go())\n",
    );
    repo.commit("a");
    let sure = |of: &str| -> Vec<String> {
        let uses = uses_in(&repo, "a.py", of).into_iter();
        uses.filter(|line| line.ends_with("resolved")).collect()
    };
    assert_eq!(sure("A.go"), ["14 resolved", "15 resolved"]);
    assert_eq!(sure("B.go"), ["13 resolved"]);
    repo.write(
        "a.py",
        "class A:\n    def go(self): pass\nclass next:\n    def go(self): pass\ndef use(xs: list[A], max, list=None):\n    sorted = print\n    \
         max(xs).go()\n    list(xs)[0].go()\n    sorted(xs)[0].go()\n    next(xs).go()\n    min(xs).go()\n",
    );
    repo.commit("b");
    let uses = uses_in(&repo, "a.py", "A.go").into_iter();
    let sure: Vec<String> = uses.filter(|line| line.ends_with("resolved")).collect();
    assert_eq!(sure, ["11 resolved"]);
}
