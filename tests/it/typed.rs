//! What types say of members: unions, indexed types, collections, objects of the language, types of one's own.

use crate::harness::TestRepo;
use serde_json::Value;

/// Lines of `src/use.ts` that use a member, with how sure that is.
#[track_caller]
fn uses(repo: &TestRepo, target: &str) -> Vec<String> {
    uses_in(repo, "src/use.ts", target)
}

/// Lines of a file whose code uses a definition, with how sure that is.
#[track_caller]
pub fn uses_in(repo: &TestRepo, path: &str, target: &str) -> Vec<String> {
    let out = repo.sverklo(&["refs", target, "--json", "--budget", "100000"]);
    let answer: Value =
        serde_json::from_str(&out.stdout).unwrap_or_else(|err| panic!("{target}: {err}: {out:?}"));
    let files = ["files", "ambiguous"].map(|list| answer[list].as_array());
    let files = files.into_iter().flatten().flatten();
    let of_file = files.filter(|file| file["path"] == path);
    let uses = of_file.flat_map(|file| file["uses"].as_array().into_iter().flatten());
    let code = uses.filter(|one| one["certainty"] != "text");
    code.filter_map(|one| Some(format!("{} {}", one["line"], one["certainty"].as_str()?)))
        .collect()
}

fn program(code: &str) -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "src/types.ts",
        "export interface Cat { name: string; purr(): void; tail: Tail }\n\
         export interface Dog { name: string; bark(): void; tail: Tail }\n\
         export interface Fish { name: string; fins: number }\n\
         export interface Tail { wag(): void; name: string }\n\
         export type Pet = Cat | Dog | Fish;\n\
         export type Done = { value: Cat; fault?: never };\n\
         export type Failed = { value?: never; fault: Fault };\n\
         export interface Fault { name: string; stringify(): string }\n\
         export class Query { limit(): this { return this; } }\n\
         export class Search extends Query { matching(): void {} }\n",
    )
    .write(
        "src/use.ts",
        format!("import {{ Cat, Done, Failed, Pet, Search, Tail }} from './types';\n{code}"),
    );
    repo.commit("pets");
    repo
}

#[test]
fn a_member_of_a_union_is_that_of_each() {
    let repo =
        program("export function call(pet: Pet) {\n  pet.name;\n  pet.purr();\n  pet.tail;\n}\n");
    for owner in ["Cat.name", "Dog.name", "Fish.name"] {
        assert_eq!(uses(&repo, owner), ["3 resolved"], "{owner}");
    }
    assert_eq!(uses(&repo, "Cat.purr"), ["4 resolved"]);
    // A fish has none, so it is known there that it is no fish, and not more.
    for owner in ["Cat.tail", "Dog.tail"] {
        assert_eq!(uses(&repo, owner), ["5 ambiguous"], "{owner}");
    }
    assert_eq!(uses(&repo, "Fault.name"), [""; 0]);
}

#[test]
fn a_member_that_never_is_there_is_not_meant() {
    let repo = program(
        "export function ask(got: Done | Failed) {\n  got.fault.stringify();\n  got.value.purr();\n  \
         JSON.stringify(got);\n}\n",
    );
    assert_eq!(uses(&repo, "Failed.fault"), ["3 resolved"]);
    assert_eq!(uses(&repo, "Done.fault"), [""; 0]);
    assert_eq!(uses(&repo, "Fault.stringify"), ["3 resolved"]);
    assert_eq!(uses(&repo, "Cat.purr"), ["4 resolved"]);
}

#[test]
fn indexed_types_and_names_in_quotes_lead_to_the_member() {
    let repo = program(
        "export function pull(tail: Cat['tail'], cat: Cat) {\n  tail.wag();\n  cat['tail'].wag();\n}\n",
    );
    assert_eq!(uses(&repo, "Tail.wag"), ["3 resolved", "4 resolved"]);
}

#[test]
fn collections_give_what_they_hold_and_this_is_what_was_called() {
    let repo = program(
        "export function all(cats: Cat[], tails: Map<string, Tail>, search: Search) {\n  \
         cats.filter((cat) => cat.name).slice(1).find(Boolean)!.purr();\n  \
         tails.get('a')!.wag();\n  search.limit().matching();\n}\n",
    );
    assert_eq!(uses(&repo, "Cat.purr"), ["3 resolved"]);
    assert_eq!(uses(&repo, "Tail.wag"), ["4 resolved"]);
    assert_eq!(uses(&repo, "Search.matching"), ["5 resolved"]);
}

#[test]
fn types_that_stand_for_each_other_end() {
    let repo = program(
        "type Even = Odd | Cat;\ntype Odd = Even | Even[];\nexport const none = (even: Even) => even.purr();\n",
    );
    assert_eq!(uses(&repo, "Cat.purr"), ["4 resolved"]);
}

#[test]
fn a_type_made_of_a_list_or_of_something_from_outside_has_its_own_methods() {
    let repo = TestRepo::init();
    repo.write("go.mod", "module example.com/shop\n\ngo 1.22\n");
    repo.write(
        "params.go",
        "package shop\n\nimport \"net/http\"\n\n\
         type Param struct{ Key string }\n\n\
         type Params []Param\n\n\
         func (ps Params) Get(key string) *Param {\n\
         \tfor i, one := range ps {\n\t\tif one.Key == key {\n\t\t\treturn &ps[i]\n\t\t}\n\t}\n\treturn nil\n}\n\n\
         func (ps Params) Has(key string) bool { return ps.Get(key) != nil }\n\n\
         type Head http.Header\n\n\
         func (h Head) Get(key string) string { return \"\" }\n\n\
         type Do func(int)\n\n\
         func (d Do) Get() {}\n",
    );
    repo.write(
        "use.go",
        "package shop\n\n\
         type Request struct{ Params Params; Head Head; Do Do }\n\n\
         func use(r *Request, one Params) {\n\
         \tr.Params.Get(\"a\")\n\
         \tr.Head.Get(\"b\")\n\
         \tr.Do.Get()\n\
         \tone.Has(\"c\")\n\
         \tfor _, each := range one {\n\t\tprintln(each.Key)\n\t}\n\
         \tr.Head.Clone()\n}\n",
    );
    repo.commit("shop");
    let uses = |path: &str, target: &str| uses_in(&repo, path, target);
    assert_eq!(uses("use.go", "Params.Get"), ["6 resolved"]);
    assert_eq!(uses("use.go", "Head.Get"), ["7 resolved"]);
    assert_eq!(uses("use.go", "Do.Get"), ["8 resolved"]);
    assert_eq!(uses("use.go", "Params.Has"), ["9 resolved"]);
    assert_eq!(uses("params.go", "Params.Get"), ["18 resolved"]);
    assert_eq!(uses("use.go", "Param.Key"), ["11 resolved"]);
    assert_eq!(uses("params.go", "Param.Key"), ["11 resolved"]);
}

#[test]
fn a_parameter_of_a_test_is_what_its_fixture_gives() {
    let repo = TestRepo::init();
    repo.write(
        "app/core.py",
        "class Runner:\n    def invoke(self):\n        pass\n\n\nclass Other:\n    def invoke(self):\n        pass\n",
    )
    .write(
        "tests/conftest.py",
        "import pytest\nfrom app.core import Runner, Other\n\n\n@pytest.fixture\ndef runner(request):\n    return Runner()\n\n\n\
         @pytest.fixture(scope=\"module\")\ndef other():\n    with open(\"x\"):\n        yield Other()\n",
    )
    .write(
        "tests/unit/test_core.py",
        "import pytest\nfrom app.core import Other\n\n\n\
         def test_run(runner, other):\n    runner.invoke()\n    other.invoke()\n\n\n\
         @pytest.mark.parametrize(\"runner\", [1])\ndef test_given(runner):\n    runner.invoke()\n\n\n\
         def helper(runner):\n    runner.invoke()\n\n\n\
         @pytest.fixture\ndef local(runner):\n    return runner\n\n\n\
         def test_local(local):\n    local.invoke()\n",
    );
    repo.commit("fixtures");
    let uses = |target: &str| uses_in(&repo, "tests/unit/test_core.py", target);
    let unsure = ["12 ambiguous", "16 ambiguous"];
    assert_eq!(
        uses("Runner.invoke"),
        [&["6 resolved", "25 resolved"][..], &unsure].concat()
    );
    assert_eq!(
        uses("Other.invoke"),
        [&["7 resolved"][..], &unsure].concat()
    );
    let out = repo.sverklo(&["refs", "tests/conftest.py::runner#function"]);
    assert!(
        out.stdout.contains("\n  5 fixture in test_run: "),
        "{out:?}"
    );
    assert_eq!(
        uses("tests/conftest.py::runner#function"),
        ["5 resolved", "20 resolved"]
    );
}

#[test]
fn a_macro_of_rust_is_named_with_its_mark_and_seen_in_its_crate() {
    let repo = TestRepo::init();
    repo.write("a/Cargo.toml", "[package]\nname = \"a\"\n")
        .write(
            "a/src/lib.rs",
            "#[macro_use]\nmod words;\npub mod user;\nmod other;\n",
        )
        .write(
            "a/src/words.rs",
            "macro_rules! words {\n    ($t:expr) => { $t };\n}\n\n\
             #[macro_export]\nmacro_rules! given {\n    () => { 1 };\n}\n",
        )
        .write(
            "a/src/user.rs",
            "fn words(text: &str) -> &str {\n    text\n}\n\n\
             pub const A: &str = words!(\"a\");\n\n\
             pub fn both() -> String {\n    format!(\"{}\", words!(words(\"b\")))\n}\n",
        )
        .write(
            "a/src/other.rs",
            "macro_rules! local {\n    () => { crate::given!() };\n}\npub(crate) use local;\n",
        )
        .write(
            "b/Cargo.toml",
            "[package]\nname = \"b\"\n[dependencies]\na = { path = \"../a\" }\n",
        )
        .write(
            "b/src/lib.rs",
            "macro_rules! words {\n    () => { 2 };\n}\n\n\
             pub fn two() -> usize {\n    words!() + a::given!() + vec![1].len()\n}\n",
        );
    repo.commit("macros");
    let of = |path, target: &str| uses_in(&repo, path, target);
    let macro_of = "a/src/words.rs:1";
    assert_eq!(of("a/src/user.rs", macro_of), ["5 resolved", "8 resolved"]);
    assert_eq!(of("b/src/lib.rs", macro_of), [""; 0]);
    assert_eq!(of("a/src/user.rs", "a/src/user.rs:1"), ["8 resolved"]);
    assert_eq!(of("b/src/lib.rs", "b/src/lib.rs:1"), ["6 resolved"]);
    assert_eq!(of("b/src/lib.rs", "given"), ["6 resolved"]);
    let out = repo.sverklo(&["refs", "given", "--kind", "call"]).success();
    assert!(out.contains("expand"), "{out}");
}

#[test]
fn a_type_in_a_class_may_be_based_on_one_that_the_class_inherits() {
    let repo = TestRepo::init();
    repo.write(
        "src/Codec.java",
        "package codec;\n\npublic abstract class Codec {\n    public abstract static class Maker<T, B extends Maker<T, B>> {\n        \
         byte[] table() { return null; }\n    }\n}\n",
    )
    .write(
        "src/Stream.java",
        "package codec;\n\npublic class Stream {\n    public abstract static class Maker<T> {\n        \
         byte[] table() { return null; }\n    }\n}\n",
    )
    .write(
        "src/Base64.java",
        "package codec;\n\npublic class Base64 extends Codec {\n    public static class Builder extends Maker<Base64, Builder> {\n    }\n    \
         Base64(Builder builder) {\n        builder.table();\n    }\n}\n",
    );
    repo.commit("codec");
    let uses = |target: &str| uses_in(&repo, "src/Base64.java", target);
    assert_eq!(uses("Codec.Maker"), ["4 resolved"]);
    assert_eq!(uses("Codec.Maker.table"), ["7 resolved"]);
    assert_eq!(uses("Stream.Maker.table"), [""; 0]);
}

#[test]
fn what_a_struct_embeds_lends_it_its_members_and_calls_none_of_its_own() {
    let repo = TestRepo::init();
    repo.write("go.mod", "module example.com/m\n")
        .write(
            "conf.go",
            "package m\n\ntype conf struct {\n\tstrict bool\n}\n\nfunc (c *conf) hi() { c.low() }\n\nfunc (c *conf) low() {}\n\n\
             type group struct {\n\tstrict bool\n}\n\nfunc (g *group) hi() {}\n\nfunc (g *group) low() {}\n",
        )
        .write(
            "use.go",
            "package m\n\ntype Router struct {\n\tname string\n\t*conf\n}\n\nfunc (r *Router) low() {}\n\n\
             func use(r *Router) bool {\n\tr.hi()\n\tr.low()\n\treturn r.strict\n}\n",
        );
    repo.commit("go");
    let uses = |target: &str| uses_in(&repo, "use.go", target);
    assert_eq!(uses("conf.hi"), ["11 resolved"]);
    assert_eq!(uses("conf.strict"), ["13 resolved"]);
    assert_eq!(uses("Router.low"), ["12 resolved"]);
    for other in ["group.hi", "group.strict", "group.low", "conf.low"] {
        assert_eq!(uses(other), [""; 0], "{other}");
    }
    let low = repo.sverklo(&["symbol", "Router.low"]).success();
    assert!(!low.contains("overrides"), "{low}");
}

#[test]
fn a_member_of_a_python_union_is_that_of_each() {
    let repo = TestRepo::init();
    repo.write(
        "other.py",
        "class Other:\n    def eval(self):\n        return 1\n",
    )
    .write(
        "use.py",
        "from other import Other\n\n\nclass Mine:\n    def eval(self):\n        return 1\n\n    def own(self):\n        return 2\n\n\n\
         class Third:\n    def eval(self):\n        return 3\n\n\n\
         def show(frame: Other | None | Mine):\n    frame.own()\n    return frame.eval()\n",
    );
    repo.commit("python");
    for owner in ["Other.eval", "Mine.eval"] {
        let uses = uses_in(&repo, "use.py", owner);
        assert_eq!(uses, ["19 resolved"], "{owner}");
    }
    assert_eq!(uses_in(&repo, "use.py", "Mine.own"), ["18 resolved"]);
    assert_eq!(uses_in(&repo, "use.py", "Third.eval"), [""; 0]);
}

/// `fun String(...)` does not stand for the type that everybody names.
#[test]
fn a_function_is_no_type() {
    let repo = TestRepo::init();
    repo.write(
        "test/Util.kt",
        "package shop\n\nfun String(vararg points: Int): kotlin.String = \"\"\n",
    )
    .write(
        "src/Dog.kt",
        "package shop\n\nclass Dog(val name: String) {\n    fun rename(to: String): String {\n        return String(1, 2)\n    }\n}\n",
    )
    .write("src/more/Cat.kt", "package more\n\nclass Cat(val name: String)\n")
    .write("a.go", "package a\n\nfunc Error() {}\n\nfunc use(err Error) { Error() }\n");
    repo.commit("kinds");
    assert_eq!(uses_in(&repo, "src/Dog.kt", "String"), ["5 resolved"]);
    assert_eq!(
        uses_in(&repo, "src/more/Cat.kt", "String"),
        Vec::<String>::new()
    );
    assert_eq!(uses_in(&repo, "a.go", "Error"), ["5 resolved"]);
}

/// The name of an argument is that of a parameter: of a type the field, of a function nothing that is recorded.
#[test]
fn names_of_arguments_are_parameters() {
    let repo = TestRepo::init();
    repo.write(
        "Dog.kt",
        "package a\n\nclass Dog(val name: Int) {\n    val age = 1\n    fun go() {\n        feed(age = age)\n        Dog(name = 2)\n    }\n}\n",
    )
    .write(
        "App.swift",
        "struct App {\n    var logger: Int\n    func go() {\n        start(logger: 1)\n        App(logger: 2)\n        #require(3)\n    }\n    func require(_ x: Int) {}\n}\n",
    )
    .write(
        "Cat.cs",
        "class Cat {\n    int age;\n    void Go() {\n        Feed(age: 1);\n        Feed(age);\n    }\n}\n",
    );
    repo.commit("labels");
    assert_eq!(uses_in(&repo, "Dog.kt", "age"), ["6 resolved"]);
    assert_eq!(uses_in(&repo, "Dog.kt", "name"), ["7 resolved"]);
    assert_eq!(uses_in(&repo, "App.swift", "logger"), ["5 resolved"]);
    assert_eq!(uses_in(&repo, "App.swift", "require"), [""; 0]);
    assert_eq!(uses_in(&repo, "Cat.cs", "age"), ["5 resolved"]);
}

/// What overrides in the object of a field is no method of the class around that, and lives with the field.
#[test]
fn the_name_of_an_argument_is_no_sure_use_of_the_only_field_that_is_called_so() {
    let repo = TestRepo::init();
    repo.write(
        "a.py",
        "class Proxy:\n    def __init__(self):\n        self.auth = 1\nclass Row:\n    key: int\n    @classmethod\n    def made(cls):\n        \
         return cls(key=1)\n    def told(self, auth):\n        self.told(auth=auth)\ndef send(client, auth):\n    client.get(auth=auth)\n    \
         send(client, auth=1)\n    Row(key=1)\n    client.auth = 2\n    kind = Row\n    kind(key=2)\n",
    );
    repo.commit("a");
    let uses = uses_in(&repo, "a.py", "Proxy.auth");
    assert_eq!(uses, ["15 inferred", "12 ambiguous"]);
    let uses = uses_in(&repo, "a.py", "Row.key");
    assert_eq!(uses, ["8 resolved", "14 resolved", "17 resolved"]);
    repo.write(
        "b.py",
        "class Encoder:\n    mask = None\n    def __call__(self, x, mask): return x\n    @staticmethod\n    def of(cls): return cls(mask=4)\n    \
         def all(self): return [cls(mask=5) for cls in (int, str)]\n    @classmethod\n    def own(cls): return cls(mask=6)\n\
         def run(e: Encoder, one=Encoder()):\n    e(1, mask=7)\n    one(1, mask=8)\n    (one or e).mask = 9\n",
    );
    repo.commit("b");
    let sure = uses_in(&repo, "b.py", "Encoder.mask").into_iter();
    let sure: Vec<String> = sure.filter(|line| line.ends_with("resolved")).collect();
    assert_eq!(sure, ["8 resolved", "12 resolved"]);
}

#[test]
fn members_of_anonymous_objects_are_not_those_of_the_class_around() {
    let repo = TestRepo::init();
    repo.write(
        "Dogs.kt",
        "package a\n\nprivate val DOGS = object : ThreadLocal<Int>() {\n    override fun initialValue(): Int = 1\n}\n\nfun all() = DOGS.get()\n\nobject Kennel {\n    val cats = object : ThreadLocal<Int>() {\n        override fun initialValue(): Int = 2\n    }\n}\n",
    )
    .write(
        "Shop.java",
        "package b;\n\nclass Shop {\n    static final ThreadLocal<Integer> T = new ThreadLocal<>() {\n        protected Integer second() { return 1; }\n    };\n    int all() { return T.get(); }\n}\n",
    );
    repo.commit("objects");
    let unused = repo.sverklo(&["audit", "unused"]).stdout;
    assert!(!unused.contains("initialValue"), "{unused}");
    assert!(!unused.contains("second"), "{unused}");
    let symbol = repo.sverklo(&["symbol", "initialValue"]).stdout;
    assert!(symbol.contains("Kennel.cats.initialValue"), "{symbol}");
    assert!(!symbol.contains("nothing uses it"), "{symbol}");
}

#[test]
fn overloads_of_the_only_type_that_has_them_are_one() {
    let repo = TestRepo::init();
    repo.write(
        "src/Store.cs",
        "namespace Shop\n{\n    public class Store\n    {\n        public void Keep(int n) { }\n        \
         public void Keep(string s) { }\n        public void Open() { }\n    }\n\n    public class Door\n    {\n        \
         public void Open() { }\n    }\n}\n",
    )
    .write(
        "src/Use.cs",
        "namespace Shop\n{\n    public class Use\n    {\n        public void Run()\n        {\n            \
         Make().Keep(1);\n            Make().Open();\n        }\n    }\n}\n",
    )
    .write(
        "src/shelf.ts",
        "export class Shelf {\n  stack(a: number): void;\n  stack(a: string): void;\n  stack(a: any): void {}\n}\n",
    )
    .write(
        "src/use.ts",
        "export function run(any: any) {\n  any.stack(1);\n}\n",
    )
    .write(
        "src/NSString+Tidy.h",
        "#import <Foundation/Foundation.h>\n@interface NSString (Tidy)\n- (NSString *)tidied;\n@end\n",
    )
    .write(
        "src/NSString+Tidy.m",
        "#import \"NSString+Tidy.h\"\n@implementation NSString (Tidy)\n- (NSString *)tidied { return self; }\n@end\n",
    )
    .write(
        "src/Use.m",
        "#import \"NSString+Tidy.h\"\nvoid run(NSString *name) {\n  [name tidied];\n}\n",
    );
    repo.commit("overloads");
    let keep = "src/Store.cs::Shop.Store.Keep#method";
    for of in [keep, &format!("{keep}~2")] {
        assert_eq!(uses_in(&repo, "src/Use.cs", of), ["7 inferred"], "{of}");
    }
    assert_eq!(
        uses_in(&repo, "src/Use.cs", "Shop.Store.Open"),
        ["8 ambiguous"]
    );
    assert_eq!(uses(&repo, "Shelf.stack"), ["2 inferred"]);
    assert_eq!(uses_in(&repo, "src/Use.m", "tidied"), ["3 inferred"]);
}

#[test]
fn what_a_trait_gives_to_all_types_is_found_on_those_of_the_repository() {
    let repo = TestRepo::init();
    repo.write("Cargo.toml", "[package]\nname = \"a\"\n")
        .write(
            "src/lib.rs",
            "mod config;\nmod aws;\nmod other;\n",
        )
        .write(
            "src/config.rs",
            "pub trait Load: Default {\n    fn try_load(from: Option<u32>) -> Self {\n        Self::default()\n    }\n}\n\n\
             impl<T: Default> Load for T {}\n",
        )
        .write(
            "src/aws.rs",
            "use crate::config::Load;\nuse serde::Deserialize;\n\n#[derive(Default, Deserialize)]\npub struct Aws {\n    a: u32,\n}\n\n\
             pub fn run() -> Aws {\n    Aws::try_load(None)\n}\n",
        )
        .write(
            "src/other.rs",
            "pub trait Fetch: Default {\n    fn try_load(from: Option<u32>) -> Self {\n        Self::default()\n    }\n}\n\n\
             impl<T: Default> Fetch for T {}\n\n#[derive(Default)]\npub struct Far;\n\npub fn run() -> Far {\n    Far::try_load(None)\n}\n",
        );
    repo.commit("blanket");
    // Two traits give it to all types; each is meant where it is in sight.
    assert_eq!(
        uses_in(&repo, "src/aws.rs", "Load.try_load"),
        ["10 inferred"]
    );
    assert_eq!(uses_in(&repo, "src/other.rs", "Load.try_load"), [""; 0]);
    assert_eq!(
        uses_in(&repo, "src/other.rs", "Fetch.try_load"),
        ["13 inferred"]
    );
}

#[test]
fn what_is_made_of_a_type_from_outside_has_no_members_here() {
    let repo = TestRepo::init();
    repo.write(
        "src/Segment.cs",
        "namespace Shop\n{\n    public class Segment\n    {\n        \
         public Segment Put(int n) { return this; }\n    }\n}\n",
    )
    .write(
        "src/Use.cs",
        "namespace Shop\n{\n    public class Use\n    {\n        public void Run()\n        {\n            \
         var builder = new StringBuilder();\n            builder.Line(\"a\").Put(1).Put(2);\n            \
         var segment = new Segment();\n            segment.Put(3).Put(4);\n        }\n    }\n}\n",
    );
    repo.commit("outside");
    let uses = uses_in(&repo, "src/Use.cs", "Shop.Segment.Put");
    assert_eq!(uses, ["10 resolved"]);
}

#[test]
fn what_is_built_on_a_guess_is_one() {
    let repo = TestRepo::init();
    repo.write(
        "src/kinds.ts",
        "export class Other { go() {} back(): Other { return this } }\n\
         export class Far { go() {} back(): Far { return this } }\n\
         export class Chain { leap(): Other { return new Other() } all(): Other[] { return [] } }\n",
    )
    .write(
        "src/use.ts",
        "import { Chain } from \"./kinds\";\n\
         export function sure(x: Chain) { x.leap().go(); }\n\
         export function chained(x) { x.leap().go(); }\n\
         export function named(x) {\n  const y = x.leap();\n  y.back().go();\n}\n\
         export function make(x) { return x.leap(); }\n\
         export function made() { make(1).go(); }\n\
         export class Keeper {\n  kept = make(1);\n  run() { this.kept.go(); }\n}\n\
         export function each(x) { x.leap().back().go(); }\n\
         export function taken(x) { const { go } = x.leap(); }\n",
    );
    repo.commit("guess");
    assert_eq!(
        uses_in(&repo, "src/use.ts", "Other.go"),
        [
            "2 resolved",
            "3 inferred",
            "6 inferred",
            "9 inferred",
            "12 inferred",
            "14 inferred",
            "15 inferred"
        ]
    );
    let out = repo.sverklo(&["refs", "Other.go", "--json"]);
    assert!(out.stdout.contains("\"rule\":\"presumed\""), "{out:?}");
}

/// `Token.String` is none of the language's own, whatever `String` is.
#[test]
fn a_type_in_another_may_be_called_like_one_of_the_language() {
    let of = [
        (
            "j/Token.java",
            "package j;\nclass Token { static class Character { void far() {} } }\nclass Other { void far() {} }\nclass F {\n  void g(Token.Character t) { t.far(); }\n}\n",
            "Token.Character.far",
            5,
        ),
        (
            "k/T.kt",
            "package k\nclass Token {\n  class String { fun far() {} }\n}\nclass Other { fun far() {} }\nfun g(t: Token.String) { t.far() }\n",
            "k/T.kt:3",
            6,
        ),
        (
            "s/T.scala",
            "package s\nobject Token { class String { def far() = 1 } }\nclass Other { def far() = 2 }\nclass F { def g(t: Token.String) = t.far() }\n",
            "s/T.scala:2",
            4,
        ),
        (
            "w/T.swift",
            "class Token {\n  class String { func far() {} }\n}\nclass Other { func far() {} }\nfunc g(t: Token.String) { t.far() }\n",
            "w/T.swift:2",
            5,
        ),
        (
            "r/src/lib.rs",
            "pub mod tok {\n    pub struct String;\n    impl String { pub fn far(&self) {} }\n}\npub struct Other;\nimpl Other { pub fn far(&self) {} }\npub fn g(t: tok::String) { t.far(); }\n",
            "r/src/lib.rs:3",
            7,
        ),
        (
            "c/t.cpp",
            "namespace tok { class string { public: void far() {} }; }\nclass Other { public: void far() {} };\nvoid g(tok::string t) { t.far(); }\n",
            "c/t.cpp:1",
            3,
        ),
    ];
    for (path, text, target, line) in of {
        let repo = TestRepo::init();
        repo.write(path, text);
        repo.commit("types");
        assert_eq!(
            uses_in(&repo, path, target),
            [format!("{line} resolved")],
            "{path}"
        );
    }
    let repo = TestRepo::init();
    repo.write("tok.dart", "class String { void far() {} }\n")
        .write("use.dart", "import 'tok.dart' as tok;\nclass Other { void far() {} }\nvoid g(tok.String t) { t.far(); }\n")
        .write("tok.py", "class List:\n    def far(self): pass\n")
        .write("use.py", "import tok\nclass Other:\n    def far(self): pass\ndef g(t: tok.List):\n    t.far()\n");
    repo.commit("types");
    assert_eq!(uses_in(&repo, "use.dart", "tok.dart:1"), ["3 resolved"]);
    assert_eq!(uses_in(&repo, "use.py", "List.far"), ["5 resolved"]);
}

#[test]
fn a_list_of_the_repository_holds_what_it_hands_to_its_base() {
    let repo = TestRepo::init();
    repo.write(
        "e/Errors.java",
        "package e;\nimport java.util.ArrayList;\npublic class Errors extends ArrayList<Fault> {}\n",
    )
    .write("e/Pair.java", "package e;\npublic class Pair extends Both<Fault, Other> {}\n")
    .write("e/Fault.java", "package e;\npublic class Fault { public void tell() {} }\n")
    .write("e/Other.java", "package e;\npublic class Other { public void tell() {} }\n")
    .write(
        "e/Use.java",
        "package e;\nimport java.util.*;\nclass Use {\n  Errors errors() { return null; }\n  void a(Errors list) {\n    \
         list.get(0).tell();\n    for (var f : list) { f.tell(); }\n    errors().get(1).tell();\n  }\n  \
         void b(Pair pair) { pair.get(0).tell(); }\n  \
         void c(List<Fault> list, Map<String, Fault> named) {\n    list.get(0).tell();\n    named.get(\"a\").tell();\n    \
         list.size().tell();\n    list.stream().filter(f -> true).findFirst().orElse(null).tell();\n  }\n}\n",
    );
    repo.commit("list");
    // What it hands to one that is not here it may hold; of two nobody knows which.
    assert_eq!(
        uses_in(&repo, "e/Use.java", "Fault.tell"),
        [
            "6 inferred",
            "7 inferred",
            "8 inferred",
            "12 resolved",
            "13 resolved",
            "15 resolved"
        ]
    );
}

#[test]
fn elements_of_collections_have_the_members_of_their_type() {
    let of = [
        (
            "k/T.kt",
            "package k\nclass Cat { fun purr() {} }\nclass Dog { fun purr() {} }\nfun g(all: List<Cat>, named: Map<String, Cat>) {\n    all.first().purr()\n    named.getValue(\"a\").purr()\n    named.values.sortedBy { 1 }.last().purr()\n}\n",
            2,
            vec![5, 6, 7],
        ),
        (
            "c/T.cs",
            "namespace C {\npublic class Cat { public void Purr() {} }\npublic class Dog { public void Purr() {} }\nclass F { void G(List<Cat> all) {\n    all.First().Purr();\n    all.Where(c => true).ToList().Last().Purr();\n    all.FirstOrDefault()?.Purr();\n} }\n}\n",
            2,
            vec![5, 6, 7],
        ),
        (
            "s/T.scala",
            "package s\nclass Cat { def purr() = 1 }\nclass Dog { def purr() = 2 }\nclass F { def g(all: List[Cat]) = {\n    all.head.purr()\n    all.filter(c => true).last.purr()\n} }\n",
            2,
            vec![5, 6],
        ),
        (
            "w/T.swift",
            "class Cat { func purr() {} }\nclass Dog { func purr() {} }\nfunc g(all: [Cat]) {\n    all.first?.purr()\n    all.sorted().last!.purr()\n    all.randomElement()?.purr()\n}\n",
            1,
            vec![4, 5, 6],
        ),
        (
            "d/t.dart",
            "class Cat { void purr() {} }\nclass Dog { void purr() {} }\nvoid g(List<Cat> all) {\n  all.first.purr();\n  all.where((c) => true).toList().last.purr();\n  all.elementAt(1).purr();\n}\n",
            1,
            vec![4, 5, 6],
        ),
    ];
    for (path, text, at, lines) in of {
        let repo = TestRepo::init();
        repo.write(path, text);
        repo.commit("elements");
        let expected: Vec<String> = lines
            .iter()
            .map(|line| format!("{line} resolved"))
            .collect();
        assert_eq!(
            uses_in(&repo, path, &format!("{path}:{at}")),
            expected,
            "{path}"
        );
    }
}

const APP: &str = "\
export interface User { name: string }
export interface Team { name: string }
export interface Session { user: User }
export class Users { find(): User { return null! } name = '' }
";

/// Who uses `name` of each of the three types in a file, by line.
fn named_in(path: &str, text: &str) -> [Vec<String>; 3] {
    let repo = TestRepo::init();
    repo.write("app.ts", APP);
    repo.write(
        path,
        format!("import {{ Session, Team, User, Users }} from './app'\n{text}"),
    );
    repo.commit("typescript");
    ["User.name", "Team.name", "Users.name"].map(|of| {
        let all = uses_in(&repo, path, of).into_iter();
        all.map(|line| line.replace(" resolved", "")).collect()
    })
}

#[test]
fn members_of_objects_whose_type_is_written_in_place_are_known() {
    let [user, team, _] = named_in(
        "use.ts",
        "function a(x: { user: User; title: string }) { x.user.name; x.title.name }
function b({ user, team }: { user: User; team?: Team }) { user.name
  team!.name }
function c({ user: of }: { user: User }) { of.name }
const d = (): { user: User } => null!
d().user.name
class E { opts: { deep: { user: User } } = null!; m() { this.opts.deep.user.name } }
interface F { opts: { user: User } | { team: Team } }
function g(x: F) { x.opts.user.name }
function h(x: { make: () => User; save(): void }) { x.make().name }
function i(x: unknown) { return (x as { team: Team }).team.name }
const { team }: { team: Team } = null!
function j(x: { user: User } & Team) { x.name
  x.user.name }
function k<T extends { team: Team }>(f: (x: User) => void) {}
k((x) => x.name)
function l(x: { a: User } & { b: Team }) { x.b.name }
function m(x: { kind: 'a'; of: User } | { kind: 'b'; of: Team }) { x.of.name }
function n(x: { list: { of: User }[]; other: Team }) { x.list[0].of.name }
function o(x: Omit<{ user: User; team: Team }, 'user'> & { user: Team }) { x.user.name }
const p = (x: any) => (x as any)['name']
function q(x: { save(): void; of: User }) { x.of.name }
function r(x: { a: 1 } | { b: User } | { c: User } | { d: User } | { e: User } | { f: Team }) { x.f.name }
function s(x: Session | { user: Team }) { x.user.name }
function t(x: { make(): Team; of: User }) { x.make().name }
",
    );
    assert_eq!(
        user,
        [
            "2",
            "3",
            "5",
            "7",
            "8",
            "10",
            "11",
            "15",
            "17",
            "23",
            "25",
            "19 ambiguous",
            "20 ambiguous",
            "26 ambiguous"
        ]
    );
    assert_eq!(
        team,
        [
            "4",
            "12",
            "14",
            "18",
            "21",
            "24",
            "25",
            "19 ambiguous",
            "20 ambiguous",
            "26 ambiguous"
        ]
    );
}

#[test]
fn what_frameworks_keep_is_of_the_type_that_is_written_for_it() {
    let [user, team, users] = named_in(
        "use.tsx",
        "import React, { FC, createContext, forwardRef, useContext, useMemo, useRef, useState } from 'react'
import { useMemo as own } from './own'
import { useQuery } from '@tanstack/react-query'; import axios from 'axios'
const Current = createContext<Session | null>(null)
function A() { const [user, set] = useState<User | null>(null); user!.name }
function B() { const [all] = React.useState<User[]>([]); all.map((one) => one.name) }
function C() { const held = useRef<Users>(null); held.current!.find().name }
function D() { const { user } = useContext(Current)!; user.name }
function E() { const made = useMemo(() => new Users(), []); made.name }
const F: FC<Session> = ({ user }) => user.name
const G = forwardRef<Element, { team: Team }>(({ team }, ref) => team.name)
function H() { const { data } = useQuery<Team>({}); data!.name }
async function I() { const { data: all } = await axios.get<Team[]>('/'); all[0].name }
function J() { return <Current.Provider value={null} /> }
function K() { const made = own(() => new Users()); made.name }
",
    );
    assert_eq!(user, ["6", "7", "8", "9", "11"]);
    assert_eq!(team, ["12", "13", "14"]);
    // Their own of that name is another one.
    assert_eq!(users, ["10"]);

    let [user, _, users] = named_in(
        "use.ts",
        "import { inject, input, signal } from '@angular/core'
import { computed, reactive, ref } from 'vue'
class A { user = signal<User | null>(null); users = inject(Users); given = input.required<User>()
  m() { this.user()!.name
    this.users.find().name
    this.given().name
    this.users.name } }
const user = ref<User>(), state = reactive<Session>({}), made = ref(new Users())
user.value!.name
state.user.name
made.value.name
const props = withDefaults(defineProps<{ user: User }>(), {})
props.user.name
const all = computed(() => made.value)
",
    );
    assert_eq!(user, ["5", "6 inferred", "7", "10", "11", "14"]);
    assert_eq!(users, ["8 inferred", "12"]);
}
