//! What generic types, traits and bases say of members: type parameters, associated types, methods that traits give to
//! other types, members of one name in fields and methods, parameters of closures.

use crate::harness::TestRepo;
use crate::typed::uses_in as uses;

fn rust(code: &str) -> TestRepo {
    let repo = TestRepo::init();
    repo.write("Cargo.toml", "[package]\nname = \"lib\"\n")
        .write("src/lib.rs", code);
    repo.commit("rust");
    repo
}

#[test]
fn an_associated_type_is_that_of_the_trait() {
    let repo = rust(
        "pub trait Work {\n    type Output;\n    type Other;\n    fn done(self) -> Self::Output;\n}\n\
         pub struct Job;\n\
         impl Work for Job {\n    type Output = u8;\n    type Other = u8;\n    fn done(self) -> Self::Output {\n        1\n    }\n}\n\
         pub fn all<W: Work<Output = u8>>(work: W) -> W::Output {\n    work.done()\n}\n\
         pub fn named<W: Work<Other: Clone>>() -> <Job as Work>::Output {\n    1\n}\n",
    );
    assert_eq!(
        uses(&repo, "src/lib.rs", "Work.Output"),
        ["4 resolved", "10 resolved", "14 resolved", "17 resolved"]
    );
    assert_eq!(uses(&repo, "src/lib.rs", "Work.Other"), ["17 resolved"]);
}

#[test]
fn bounds_say_what_an_associated_type_and_a_parameter_can_do() {
    let repo = rust(
        "pub trait Walk {\n    fn step(&self) {}\n}\n\
         pub trait Paint {\n    fn dip(&self) {}\n}\n\
         pub trait Source {\n    type Iter: Send + Walk;\n    fn walk(&self) -> Self::Iter;\n}\n\
         pub fn run<S: Source, P: Clone + Walk + Paint>(source: S, painter: P) {\n    source.walk().step();\n    \
         painter.step();\n    painter.dip();\n}\n",
    );
    assert_eq!(
        uses(&repo, "src/lib.rs", "Walk.step"),
        ["12 resolved", "13 resolved"]
    );
    assert_eq!(uses(&repo, "src/lib.rs", "Paint.dip"), ["14 resolved"]);
}

#[test]
fn a_parameter_of_a_struct_is_what_the_block_says_it_is() {
    let repo = rust(
        "pub trait Walk {\n    fn step(&self);\n}\n\
         pub trait Swim {\n    fn step(&self);\n}\n\
         pub struct Slow<T> {\n    inner: T,\n}\n\
         pub struct Pair<'a, A, B> {\n    left: &'a A,\n    right: B,\n}\n\
         impl<W> Walk for Slow<W>\nwhere\n    W: Walk,\n{\n    fn step(&self) {\n        self.inner.step()\n    }\n}\n\
         impl<'a, A: Walk, B: Swim> Walk for Pair<'a, A, B> {\n    fn step(&self) {\n        self.left.step();\n        \
         self.right.step();\n    }\n}\n",
    );
    assert_eq!(
        uses(&repo, "src/lib.rs", "Walk.step"),
        ["19 resolved", "24 resolved"]
    );
    assert_eq!(uses(&repo, "src/lib.rs", "Swim.step"), ["25 resolved"]);
}

#[test]
fn a_trait_in_sight_gives_methods_to_values_from_outside() {
    let repo = rust(
        "pub mod near {\n    pub trait Walks {\n        type Way: crate::near::Way;\n        \
         fn walks(&self) -> Self::Way;\n        fn len(&self) -> usize;\n    }\n    \
         impl<T> Walks for T {\n        type Way = Road;\n        fn walks(&self) -> Self::Way {\n            Road\n        }\n        \
         fn len(&self) -> usize {\n            1\n        }\n    }\n    pub trait Way {\n        fn ahead(self) -> Self;\n    }\n    \
         pub trait Fast: Way {\n        fn hurry(self) -> Self;\n    }\n    pub struct Road;\n    \
         impl Way for Road {\n        fn ahead(self) -> Self {\n            self\n        }\n    }\n}\n",
    );
    repo.write(
        "src/seen.rs",
        "use crate::near::Walks;\npub fn go(list: Vec<u8>) {\n    list.walks().ahead();\n    list.walks().hurry();\n    \
         list.len();\n}\n",
    )
    .write(
        "src/unseen.rs",
        "pub fn go(list: Vec<u8>) {\n    list.walks();\n}\n",
    );
    repo.commit("uses");
    // The only body there is; which one is seen where the trait is, and nowhere else.
    assert_eq!(
        uses(&repo, "src/seen.rs", "src/lib.rs:9"),
        ["3 inferred", "4 inferred"]
    );
    assert_eq!(uses(&repo, "src/unseen.rs", "src/lib.rs:9"), [""; 0]);
    assert_eq!(uses(&repo, "src/seen.rs", "Way.ahead"), ["3 inferred"]);
    // Of a value that implements `Way`, and of which no more is known.
    assert_eq!(uses(&repo, "src/seen.rs", "Fast.hurry"), ["4 inferred"]);
    // A list has a length of its own.
    assert_eq!(uses(&repo, "src/seen.rs", "src/lib.rs:12"), [""; 0]);
}

#[test]
fn a_function_is_called_by_the_name_of_its_module() {
    let repo = rust("mod join;\npub use self::join::join;\nmod pool;\n");
    repo.write("src/join/mod.rs", "pub fn join() {}\npub fn other() {}\n")
        .write(
            "src/pool.rs",
            "use crate::join;\npub fn run() {\n    join();\n    crate::join();\n    join::other();\n}\n",
        );
    repo.commit("pool");
    assert_eq!(
        uses(&repo, "src/pool.rs", "src/join/mod.rs:1"),
        ["3 resolved", "4 resolved"]
    );
    assert_eq!(uses(&repo, "src/pool.rs", "other"), ["5 resolved"]);
}

#[test]
fn a_closure_is_handed_what_is_gone_over() {
    let repo = rust(
        "pub struct Shard;\nimpl Shard {\n    pub fn key(&self) -> u8 {\n        1\n    }\n}\n\
         pub struct Other;\nimpl Other {\n    pub fn key(&self) {}\n}\n\
         pub fn all(shards: Vec<Shard>, last: Option<Shard>) {\n    shards.iter().filter(|shard| shard.key() > 0).count();\n    \
         shards.iter().enumerate().for_each(|(_, shard)| drop(shard.key()));\n    last.map(|shard| shard.key());\n}\n",
    );
    assert_eq!(
        uses(&repo, "src/lib.rs", "Shard.key"),
        ["12 resolved", "13 resolved", "14 resolved"]
    );
    assert_eq!(uses(&repo, "src/lib.rs", "Other.key"), [""; 0]);
}

fn java(code: &str) -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "a/Base.java",
        "package a;\npublic abstract class Base<T, B> {\n    protected int size;\n    T made() { return null; }\n    \
         B set(int to) { return null; }\n    Base<T, B> self() { return this; }\n}\n",
    )
    .write(
        "a/Cat.java",
        "package a;\npublic class Cat {\n    void purr() {}\n    public static class Tail {\n        void wag() {}\n    }\n}\n",
    )
    .write(
        "a/Dog.java",
        "package a;\npublic class Dog {\n    void purr() {}\n    void wag() {}\n}\n",
    )
    .write("b/Use.java", code);
    repo.commit("java");
    repo
}

#[test]
fn a_generic_base_gives_what_its_arguments_say() {
    let repo = java(
        "package b;\nimport a.*;\nclass Half<X> extends Base<X, Half> {}\nclass Use extends Half<Cat> {\n    void go() {\n        \
         made().purr();\n        set(1).made().purr();\n        this.made().purr();\n    }\n    \
         void other(Use use, Nested<Dog> nested) {\n        use.made().purr();\n    }\n}\n\
         class Nested<T> extends Base<java.util.List<T>, Dog> {}\n",
    );
    // Through `Half`, whose parameter is handed on; what `set` gives is a `Half` of something.
    assert_eq!(
        uses(&repo, "b/Use.java", "Cat.purr"),
        ["6 resolved", "8 resolved", "11 resolved", "7 ambiguous"]
    );
    assert_eq!(
        uses(&repo, "b/Use.java", "a/Base.java:4"),
        ["6 resolved", "7 resolved", "8 resolved", "11 resolved"]
    );
}

#[test]
fn a_change_of_an_argument_is_seen_from_other_files() {
    let repo = java(
        "package b;\nimport a.*;\nclass Use {\n    void go(Kept kept) {\n        kept.made().purr();\n    }\n}\n",
    );
    let kept = |of: &str| {
        format!("package b;\nimport a.*;\npublic class Kept extends Base<{of}, Kept> {{}}\n")
    };
    repo.write("b/Kept.java", kept("Cat"));
    repo.commit("cat");
    assert_eq!(uses(&repo, "b/Use.java", "Cat.purr"), ["5 resolved"]);
    repo.write("b/Kept.java", kept("Dog"));
    repo.commit("dog");
    assert_eq!(uses(&repo, "b/Use.java", "Cat.purr"), [""; 0]);
    assert_eq!(uses(&repo, "b/Use.java", "Dog.purr"), ["5 resolved"]);
}

#[test]
fn a_method_and_a_field_of_one_name_are_told_apart() {
    let repo = java(
        "package b;\nimport a.*;\nclass Use extends Base<Cat, Use> {\n    int size(int more) { return more; }\n    \
         int go() {\n        return size +\n            this.size +\n            size(2);\n    }\n}\n",
    );
    assert_eq!(
        uses(&repo, "b/Use.java", "Base.size"),
        ["6 resolved", "7 resolved"]
    );
    assert_eq!(uses(&repo, "b/Use.java", "Use.size"), ["8 resolved"]);
}

#[test]
fn a_lambda_is_handed_the_elements() {
    let repo = java(
        "package b;\nimport a.*;\nimport java.util.*;\nclass Use {\n    \
         void go(List<Cat> cats, Map<String, Cat> named, Optional<Cat> one) {\n        cats.forEach(cat -> cat.purr());\n        \
         cats.stream().filter(cat -> cat != null).forEach(cat -> cat.purr());\n        \
         named.forEach((name, cat) -> cat.purr());\n        one.ifPresent(cat -> cat.purr());\n    }\n}\n",
    );
    assert_eq!(
        uses(&repo, "b/Use.java", "Cat.purr"),
        ["6 resolved", "7 resolved", "8 resolved", "9 resolved"]
    );
}

#[test]
fn an_import_names_the_types_on_its_way() {
    let repo = java(
        "package b;\nimport a.Cat.Tail;\nclass Use {\n    void go(Tail tail) {\n        tail.wag();\n        \
         Character.isWhitespace('a');\n    }\n}\nclass Text {\n    boolean isWhitespace(char of) { return false; }\n}\n",
    );
    assert_eq!(uses(&repo, "b/Use.java", "Cat"), ["2 resolved"]);
    // What belongs to the language is not taken for the only method of that name.
    assert_eq!(uses(&repo, "b/Use.java", "Text.isWhitespace"), [""; 0]);
}

fn typescript(code: &str) -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "src/pets.ts",
        "export class Cat { purr(): void {} name(): void {} }\nexport class Dog { bark(): void {} name(): void {} }\n\
         export class Box<T> { get(): T { return null as any } }\nexport class CatBox extends Box<Cat> {}\n",
    )
    .write("src/use.ts", code);
    repo.commit("typescript");
    repo
}

#[test]
fn instance_of_says_what_a_variable_is_where_it_holds() {
    let repo = typescript(
        "import { Box, Cat, CatBox, Dog } from './pets'\nexport function call(pet: unknown, box: CatBox) {\n  \
         if (pet instanceof Cat && pet.name) {\n    pet.name()\n  } else if (pet instanceof Dog) pet.name()\n  \
         box.get().name()\n  return pet instanceof Dog ? pet.name() : 0\n}\n",
    );
    assert_eq!(
        uses(&repo, "src/use.ts", "Cat.name"),
        ["3 resolved", "4 resolved", "6 resolved"]
    );
    assert_eq!(
        uses(&repo, "src/use.ts", "Dog.name"),
        ["5 resolved", "7 resolved"]
    );
}

#[test]
fn a_function_says_what_this_is_in_it() {
    let repo = typescript(
        "import { Cat, Dog } from './pets'\nexport function call(this: Cat) {\n  this.name()\n  const later = () => this.name()\n  \
         function inner(this: Dog) { this.name() }\n}\n",
    );
    assert_eq!(
        uses(&repo, "src/use.ts", "Cat.name"),
        ["3 resolved", "4 resolved"]
    );
    assert_eq!(uses(&repo, "src/use.ts", "Dog.name"), ["5 resolved"]);
}

#[test]
fn a_type_and_a_variable_of_one_name_are_told_apart() {
    let repo = typescript(
        "export function call() {\n  const kept = 1\n  type kept = string\n  const all: kept[] = []\n  return [kept, all]\n}\n\
         export function other(thing: any) {\n  function inside() {}\n  thing.inside()\n  inside()\n}\n",
    );
    assert_eq!(uses(&repo, "src/use.ts", "kept"), ["4 resolved"]);
    // A function in a function is nobody's member.
    assert_eq!(uses(&repo, "src/use.ts", "inside"), ["10 resolved"]);
}

#[test]
fn types_of_one_name_are_told_apart_by_their_parameters_in_csharp() {
    let repo = TestRepo::init();
    repo.write(
        "src/Results.cs",
        "namespace Shop\n{\n    public class Result\n    {\n        public bool Passed() { return true; }\n        \
         public static Result Fine() { return new Result(); }\n    }\n\n    \
         public partial class Result<T> : Result\n    {\n        public T Given() { return default; }\n    }\n\n    \
         public partial class Result<T>\n    {\n        public T Taken() { return Given(); }\n    }\n\n    \
         public interface IStore { void Open(); }\n\n    public interface IStore<T> { void Put(T one); }\n}\n",
    )
    .write(
        "src/Use.cs",
        "namespace Shop\n{\n    public class Disk : IStore<Item>\n    {\n        public void Put(Item one) { }\n    }\n\n    \
         public class Shelf : IStore\n    {\n        public void Open() { }\n    }\n\n    public class Use\n    {\n        \
         public void Run(Result plain, Result<Item> held, IStore store)\n        {\n            plain.Passed();\n            \
         held.Taken();\n            held.Passed();\n            store.Open();\n            Result.Fine();\n        }\n    }\n\n    \
         public class Item { }\n}\n",
    );
    repo.commit("c#");
    let of = |target: &str| uses(&repo, "src/Use.cs", target);
    // Line 15 names both.
    let plain = of("src/Results.cs::Shop.Result#class");
    assert_eq!(plain, ["15 resolved", "21 resolved"]);
    let generic = of("src/Results.cs::Shop.Result#class~2");
    assert_eq!(generic, ["15 resolved"]);
    assert_eq!(of("Passed"), ["17 resolved", "19 resolved"]);
    assert_eq!(of("Taken"), ["18 resolved"]);
    let stores = [
        "src/Results.cs::Shop.IStore#interface",
        "src/Results.cs::Shop.IStore#interface~2",
    ];
    assert_eq!(of(stores[0]), ["8 resolved", "15 resolved"]);
    // Nothing stands behind the name on line 8 that would tell.
    assert_eq!(of(stores[1]), ["3 resolved", "8 resolved"]);
}

#[test]
fn csharp_calls_give_what_they_are_handed_as_a_type() {
    let repo = TestRepo::init();
    repo.write(
        "Types.cs",
        "namespace Shop\n{\n  public class Mediator { public void Send(int n) { } public string Flags; }\n  \
         public class Sender { public void Send(string s) { } }\n  \
         public static class Finds { public static T GetOne<T>(this Factory factory) { return factory.Make<T>(); } }\n  \
         public class Factory { }\n}\n",
    )
    .write(
        "Use.cs",
        "using Shop;\nusing Other;\n\n[Flags]\npublic enum Kinds { One }\n\npublic class Use\n{\n  public void Go(Container container, Factory factory)\n  {\n    \
         var mediator = container.GetInstance<Mediator>();\n    mediator.Send(1);\n    factory.GetOne<Sender>().Send(\"a\");\n    \
         container.All<Sender>().Send(2);\n  }\n}\n",
    );
    repo.commit("types");
    let of = |target: &str| uses(&repo, "Use.cs", target);
    assert_eq!(of("Mediator.Send"), ["12 inferred"]);
    assert_eq!(of("Sender.Send"), ["13 inferred"]);
    // What stands as an attribute is no field.
    assert_eq!(of("Mediator.Flags"), [""; 0]);
}
