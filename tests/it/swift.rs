//! What Swift expects where `.name` stands, and what else its own rules say of members.

use crate::harness::TestRepo;
use crate::typed::uses_in;

/// A repository of one file.
fn program(code: &str) -> TestRepo {
    let repo = TestRepo::init();
    repo.write("a.swift", code);
    repo.commit("swift");
    repo
}

/// Lines of it that use a definition; none may be less than resolved.
#[track_caller]
fn lines(repo: &TestRepo, target: &str) -> Vec<u32> {
    let all = uses_in(repo, "a.swift", target);
    let line = |one: &String| {
        one.strip_suffix(" resolved")
            .and_then(|line| line.parse().ok())
    };
    let found: Option<Vec<u32>> = all.iter().map(line).collect();
    found.unwrap_or_else(|| panic!("{target}: {all:?}"))
}

#[test]
fn what_is_expected_says_whose_member_is_meant() {
    let repo = program(
        "enum A { case up, down }\n\
         enum B { case up, down }\n\
         func k(to a: A, _ b: A = .down) {}\n\
         func h() { let a: A = .up\n\
         k(to: .up)\n\
         k(to: a, .up) }\n\
         func f(a: A, b: Int) -> Bool { switch a {\n\
         case .up: return a == .up\n\
         default: return b != 1 && a == .up && b == 2 } }\n\
         func g(b: Int, a: A) -> A? { switch (b, a) {\n\
         case (1, .up): return .up\n\
         default: return b == 1 ? .up : nil } }\n\
         var c: A { .up }\n\
         func l(a: A) { if case .up = a {}\n\
         let all: [A] = [.up]\n\
         m([.up]) }\n\
         func m(_ all: [A]) { for case .up in all {} }\n\
         struct S { var a: A = .up\n\
         mutating func n() { a = .up\n\
         self.a = a ?? .up } }\n\
         extension A { init(x: Int) { self = .up } }\n",
    );
    let used = [4, 5, 6, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21];
    assert_eq!(lines(&repo, "A.up"), used);
    assert_eq!(lines(&repo, "A.down"), [3]);
    assert!(lines(&repo, "B.up").is_empty());
    assert!(lines(&repo, "B.down").is_empty());
}

#[test]
fn an_argument_is_what_the_parameter_of_its_name_is() {
    let repo = program(
        "struct Spec { static func short(_ c: String) -> Spec { Spec() } }\n\
         struct Item { static func short(_ c: String) -> Item { Item() } }\n\
         @propertyWrapper struct Option<Value> { var wrappedValue: Value }\n\
         extension Option { init(name: Spec, help: Item) { fatalError() }\n\
         init(name: Spec) { fatalError() } }\n\
         struct S { @Option(name: .short(\"a\")) var x: Int\n\
         @Option(name: .short(\"b\"), help: .short(\"c\").self)\n\
         var y: Int }\n\
         struct Held { var item: Item }\n\
         func f() { Held(item: .short(\"d\"))\n\
         g(name: .short(\"e\"))\n\
         g(item: .short(\"f\")) }\n\
         func g(name: Spec) {}\n\
         func g(item: Item) {}\n",
    );
    assert_eq!(lines(&repo, "Spec.short"), [6, 7, 11]);
    assert_eq!(lines(&repo, "Item.short"), [7, 10, 12]);
}

#[test]
fn a_list_is_of_what_its_type_is_made_with() {
    let repo = program(
        "struct Spec { init(arrayLiteral elements: Element...) {}\n\
         struct Element { static func short(_ c: String) -> Element { Element() } }\n\
         static func short(_ c: String) -> Spec {\n\
         [.short(c)] }\n\
         }\n\
         func option(name: Spec) {}\n\
         func f() { option(name: [.short(\"a\")])\n\
         option(name: .short(\"b\")) }\n",
    );
    assert_eq!(lines(&repo, "Spec.Element.short"), [4, 7]);
    assert_eq!(lines(&repo, "Spec.short"), [8]);
}

#[test]
fn the_name_of_an_argument_is_a_field_where_no_constructor_is_written() {
    let repo = program(
        "struct Plain { var usage: String }\n\
         struct Made { let usage: String\n\
         init(usage: String) { self.usage = usage } }\n\
         func f() { Plain(usage: \"\")\n\
         Made(usage: \"\") }\n",
    );
    assert_eq!(lines(&repo, "Plain.usage"), [4]);
    assert_eq!(lines(&repo, "Made.usage"), [3]);
}

#[test]
fn a_type_parameter_has_the_members_of_its_bound() {
    let repo = program(
        "protocol P { static var names: [String] { get }\n\
         func go() }\n\
         struct Q { static var names: [String] = []\n\
         func go() {} }\n\
         func f<T: P>(_ t: T) { t.go()\n\
         print(T.names) }\n\
         func g<T>(_ t: T, _ of: T.Type) where T: P { t.go()\n\
         print(of.names) }\n\
         struct Box<V: P> { var v: V\n\
         func k() { v.go() } }\n\
         struct W<Value> { var wrapped: Value }\n\
         extension W where Value: P { func f() { wrapped.go()\n\
         print(Value.names) } }\n\
         protocol Container { associatedtype Item: P }\n\
         func h<C: Container>(_ i: C.Item) { i.go()\n\
         print(C.Item.names) }\n",
    );
    assert_eq!(lines(&repo, "P.go"), [5, 7, 10, 12, 15]);
    assert_eq!(lines(&repo, "P.names"), [6, 8, 13, 16]);
    assert!(lines(&repo, "Q.go").is_empty());
    assert!(lines(&repo, "Q.names").is_empty());
}

#[test]
fn an_extension_is_a_use_of_its_type() {
    let repo = program(
        "struct A { enum Kind { case a } }\n\
         struct B { enum Kind { case a } }\n\
         extension A {}\n\
         extension A: Sendable {}\n\
         extension A.Kind { func g() {}\n\
         func h() { self = .a\n\
         g() } }\n",
    );
    assert_eq!(lines(&repo, "A"), [3, 4, 5]);
    assert_eq!(lines(&repo, "A.Kind"), [5]);
    assert_eq!(lines(&repo, "A.Kind.a"), [6]);
    assert!(lines(&repo, "B.Kind").is_empty());
    assert!(lines(&repo, "B.Kind.a").is_empty());
}

#[test]
fn a_call_means_what_takes_the_names_of_its_arguments() {
    let repo = program(
        "class Base { func put(a: Int) {} }\n\
         class Sub: Base { func put(b: Int) {} }\n\
         struct Other { func put(c: Int) {} }\n\
         func f(s: Sub, o: Any) { s.put(a: 1)\n\
         s.put(b: 2) }\n",
    );
    assert_eq!(lines(&repo, "Base.put"), [4]);
    assert_eq!(lines(&repo, "Sub.put"), [5]);
    assert!(lines(&repo, "Other.put").is_empty());
}

#[test]
fn closures_are_handed_what_the_call_says() {
    let repo = program(
        "struct A { var size = 1 }\n\
         struct B { var size = 2 }\n\
         func parse<T>(_ type: T.Type, closure: (T) -> Void) {}\n\
         func make<T>(_ type: T.Type) -> T { fatalError() }\n\
         func f(all: [A], one: A) {\n\
         all.map { $0.size }\n\
         all.filter { a in a.size > 1 }\n\
         all.sorted { $1.size < 1 }\n\
         all.map(\\.size)\n\
         for a in [one] { print(a.size) }\n\
         print(make(A.self).size) }\n",
    );
    assert_eq!(lines(&repo, "A.size"), [6, 7, 8, 9, 10, 11]);
    assert!(lines(&repo, "B.size").is_empty());
    let repo = program(
        "struct A { var size = 1 }\n\
         struct B { var size = 2 }\n\
         func parse<T>(_ type: T.Type, closure: (T) -> Void) {}\n\
         func f() { parse(A.self) { a in print(a.size) } }\n",
    );
    // What the function makes of the type is not known.
    let given = uses_in(&repo, "a.swift", "A.size");
    assert_eq!(given, ["4 inferred"]);
    assert!(lines(&repo, "B.size").is_empty());
}

#[test]
fn backquotes_are_no_part_of_a_name() {
    let repo = program(
        "enum K { case `default`, other }\n\
         func f(_ k: K) { print(K.default, K.`default`)\n\
         switch k { case .`default`: break\n\
         case .other: break } }\n",
    );
    assert_eq!(lines(&repo, "K.default"), [2, 3]);
}

#[test]
fn what_stands_at_the_right_of_an_operator_has_its_own_members() {
    let repo = program(
        "struct A { init(_ x: Int) {}\n\
         func rendered() -> String { \"\" } }\n\
         struct B { func rendered() -> String { \"\" } }\n\
         func f(a: A) -> String {\n\
         print(\"x\" + a.rendered())\n\
         return \"x\" + A(1).rendered() }\n",
    );
    assert_eq!(lines(&repo, "A.rendered"), [5, 6]);
    assert!(lines(&repo, "B.rendered").is_empty());
    assert_eq!(lines(&repo, "A"), [4, 6]);
}

#[test]
fn patterns_bind_names_and_say_what_they_are() {
    let repo = program(
        "protocol P { func go() }\n\
         struct Q { func go() {} }\n\
         enum E { case many(Int, Int) }\n\
         struct S { var count = 1\n\
         func f(_ x: Any, e: E) { switch x { case var r as P: r.go()\n\
         default: break }\n\
         switch e { case .many(let count, _): print(count) }\n\
         if case let .many(_, count) = e { print(count) }\n\
         print(count) } }\n",
    );
    assert_eq!(lines(&repo, "P.go"), [5]);
    assert!(lines(&repo, "Q.go").is_empty());
    assert_eq!(lines(&repo, "S.count"), [9]);
}

#[test]
fn a_type_in_a_type_of_others_is_not_the_only_one_of_its_name() {
    let repo = program(
        "enum Env { struct Key {} }\n\
         func f<K>(_ k: Holder<K>.Key) {}\n",
    );
    assert_eq!(uses_in(&repo, "a.swift", "Env.Key"), [""; 0]);
}
