//! `refs` and `symbol` in small programs: what a use means, what a symbol uses, what files import.

use crate::harness::TestRepo;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Answers a question in JSON, with room for everything.
#[track_caller]
fn ask(repo: &TestRepo, args: &[&str]) -> Value {
    let all = [args, &["--json", "--budget", "100000"]].concat();
    let out = repo.sverklo(&all);
    serde_json::from_str(&out.stdout).unwrap_or_else(|err| panic!("{args:?}: {err}: {out:?}"))
}

fn items<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Uses of a target: `path:line certainty rule`.
#[track_caller]
fn uses(repo: &TestRepo, target: &str) -> Vec<String> {
    let answer = ask(repo, &["refs", target]);
    let mut uses = Vec::new();
    for file in items(&answer, "files").chain(items(&answer, "ambiguous")) {
        for one in items(file, "uses") {
            let (path, line) = (text(file, "path"), &one["line"]);
            let (certainty, rule) = (text(one, "certainty"), text(one, "rule"));
            uses.push(format!("{path}:{line} {certainty} {rule}"));
        }
    }
    uses
}

/// What is reached from a target: `name depth`, with the path where there is one.
#[track_caller]
fn reached(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let answer = ask(repo, &[&["refs"], args].concat());
    let named = |link: &Value| {
        let name = match link["symbol"].is_object() {
            true => text(&link["symbol"], "name"),
            false => text(link, "path"),
        };
        let via: Vec<&str> = items(link, "via").filter_map(Value::as_str).collect();
        let via = via.iter().map(|step| format!(" via {step}"));
        format!("{name} {}{}", link["depth"], via.collect::<String>())
    };
    items(&answer, "reached").map(named).collect()
}

/// What a file depends on (`dependencies`) or what depends on it (`importers`): `path tie names`, or the
/// specifier of what lies outside.
#[track_caller]
fn ties(repo: &TestRepo, side: &str, path: &str) -> Vec<String> {
    let answer = ask(repo, &["refs", path]);
    let tie = |of: &Value| {
        let path = match text(of, "path") {
            "" => text(of, "specifier"),
            path => path,
        };
        let names: Vec<&str> = items(of, "names").filter_map(Value::as_str).collect();
        format!("{path} {} {}", text(of, "tie"), names.join(" "))
            .trim_end()
            .to_owned()
    };
    items(&answer, side).map(tie).collect()
}

fn python() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "shop/store.py",
        "class Store:\n    def get(self, key):\n        return key\n\n\
         class Cache:\n    def get(self, key):\n        return self.clean(key)\n\n\
             \x20   def clean(self, key):\n        return key\n",
    )
    .write("shop/__init__.py", "from .store import Store\n")
    .write(
        "main.py",
        "import os\n\nfrom shop import Store\nfrom shop.store import Cache\n\n\n\
         def load(path):\n    store = Store()\n    return store.get(os.path.join(path))\n\n\n\
         def warm(cache: Cache):\n    return cache.get(\"b\")\n\n\n\
         def run():\n    load(\".\")\n    return warm(Cache())\n",
    )
    .write(
        "tests/test_main.py",
        "from main import load\n\n\ndef test_load():\n    assert load(\"x\")\n",
    );
    repo.commit("python");
    repo
}

fn typescript() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "src/store.ts",
        "export class Store {\n  get(key: string) {\n    return key;\n  }\n}\n\n\
         export class Cache {\n  get(key: string) {\n    return key;\n  }\n}\n",
    )
    .write("src/index.ts", "export { Store as Shop, Cache } from './store';\n")
    .write(
        "src/main.ts",
        "import { Shop, Cache } from './index';\n\n\
         export function load(): string {\n  const shop = new Shop();\n  return shop.get('a');\n}\n\n\
         export const warm = (cache: Cache) => cache.get('b');\n",
    );
    repo.commit("typescript");
    repo
}

fn go() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("go.mod", "module example.com/shop\n\ngo 1.22\n")
        .write(
            "store/store.go",
            "package store\n\ntype Store struct{}\n\nfunc New() *Store { return &Store{} }\n\n\
             func (s *Store) Get(key string) string { return clean(key) }\n",
        )
        .write(
            "store/cache.go",
            "package store\n\ntype Cache struct{}\n\n\
             func (c *Cache) Get(key string) string { return clean(key) }\n\n\
             func clean(key string) string { return key }\n",
        )
        .write(
            "main.go",
            "package main\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/shop/store\"\n)\n\n\
             func main() {\n\ts := store.New()\n\tfmt.Println(s.Get(\"a\"))\n\twarm(&store.Cache{})\n}\n\n\
             func warm(c *store.Cache) string { return c.Get(\"b\") }\n",
        );
    repo.commit("go");
    repo
}

fn rust() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n")
        .write(
            "src/lib.rs",
            "pub mod cache;\npub mod store;\n\npub use store::Store as Shop;\n",
        )
        .write(
            "src/store.rs",
            "pub struct Store;\n\nimpl Store {\n    pub fn get(&self) -> u32 {\n        1\n    }\n}\n",
        )
        .write(
            "src/cache.rs",
            "use crate::store::Store;\n\npub struct Cache {\n    pub store: Store,\n}\n\n\
             impl Cache {\n    pub fn get(&self) -> u32 {\n        self.store.get()\n    }\n}\n",
        )
        .write(
            "src/main.rs",
            "use shop::Shop;\nuse shop::cache::Cache;\n\n\
             fn main() {\n    let cache = Cache { store: Shop };\n    println!(\"{}\", cache.get());\n}\n",
        );
    repo.commit("rust");
    repo
}

#[test]
fn python_members_are_those_of_their_class() {
    let repo = python();
    assert_eq!(
        uses(&repo, "shop/store.py::Store.get#method"),
        ["main.py:9 resolved receiver"]
    );
    assert_eq!(
        uses(&repo, "shop/store.py::Cache.get#method"),
        ["main.py:13 resolved receiver"]
    );
    assert_eq!(
        uses(&repo, "Cache.clean"),
        ["shop/store.py:7 resolved this"]
    );
    assert_eq!(
        uses(&repo, "Store"),
        [
            "main.py:3 resolved re-export",
            "main.py:8 resolved re-export",
            "shop/__init__.py:1 resolved import"
        ]
    );
}

#[test]
fn typescript_names_are_followed_through_renaming_exports() {
    let repo = typescript();
    assert_eq!(
        uses(&repo, "Store.get"),
        ["src/main.ts:5 resolved receiver"]
    );
    assert_eq!(
        uses(&repo, "Cache.get"),
        ["src/main.ts:8 resolved receiver"]
    );
    assert_eq!(
        uses(&repo, "src/store.ts::Store#class"),
        [
            "src/index.ts:1 resolved import",
            "src/main.ts:1 resolved re-export",
            "src/main.ts:4 resolved re-export"
        ]
    );
}

#[test]
fn commonjs_modules_that_pass_another_on_are_looked_through() {
    let repo = TestRepo::init();
    repo.write(
        "lib/app.js",
        "exports = module.exports = createApp;\n\nfunction createApp() {\n  return {};\n}\n",
    )
    .write(
        "index.js",
        "'use strict';\n\nmodule.exports = require('./lib/app');\n",
    )
    .write(
        "test/app.js",
        "var make = require('..');\n\nvar app = make();\n",
    );
    repo.commit("commonjs");
    let found = uses(&repo, "createApp");
    let call = found
        .iter()
        .find(|found| found.starts_with("test/app.js:3 "));
    assert!(
        call.is_some_and(|call| call.contains(" resolved ")),
        "{found:?}"
    );
}

#[test]
fn go_names_are_those_of_their_package() {
    let repo = go();
    assert_eq!(uses(&repo, "Store.Get"), ["main.go:11 resolved receiver"]);
    assert_eq!(uses(&repo, "Cache.Get"), ["main.go:15 resolved receiver"]);
    assert_eq!(
        uses(&repo, "clean"),
        [
            "store/cache.go:5 resolved scope",
            "store/store.go:7 resolved package"
        ]
    );
    assert_eq!(uses(&repo, "store.New"), ["main.go:10 resolved qualified"]);
}

#[test]
fn rust_fields_and_reexports_lead_to_their_types() {
    let repo = rust();
    assert_eq!(
        uses(&repo, "Store::get"),
        ["src/cache.rs:9 resolved receiver"]
    );
    assert_eq!(
        uses(&repo, "Cache::get"),
        ["src/main.rs:6 resolved receiver"]
    );
    assert_eq!(
        uses(&repo, "src/store.rs::Store#struct"),
        [
            "src/store.rs:3 resolved scope",
            "src/cache.rs:1 resolved import",
            "src/cache.rs:4 resolved import",
            "src/lib.rs:4 resolved import",
            "src/main.rs:1 resolved re-export",
            "src/main.rs:5 resolved re-export"
        ]
    );
}

#[test]
fn files_tell_what_they_import_and_who_imports_them() {
    let repo = python();
    assert_eq!(
        ties(&repo, "dependencies", "main.py"),
        [
            "shop/__init__.py import Store",
            "shop/store.py import Cache",
            "os external * as os"
        ]
    );
    assert_eq!(
        ties(&repo, "importers", "shop/store.py"),
        ["main.py import Cache", "shop/__init__.py import Store"]
    );
    assert_eq!(
        reached(&repo, &["shop/store.py", "--depth", "3"]),
        ["tests/test_main.py 2 via main.py"]
    );

    let repo = typescript();
    assert_eq!(
        ties(&repo, "dependencies", "src/main.ts"),
        ["src/index.ts import Shop Cache", "src/store.ts used"]
    );
    assert_eq!(
        ties(&repo, "importers", "src/index.ts"),
        ["src/main.ts import Shop Cache"]
    );

    let repo = go();
    assert_eq!(
        ties(&repo, "dependencies", "main.go"),
        [
            "store/cache.go import * as store",
            "store/store.go import * as store",
            "fmt external * as fmt"
        ]
    );
    assert_eq!(
        ties(&repo, "importers", "store/cache.go"),
        ["main.go import * as store", "store/store.go used"]
    );

    let repo = rust();
    assert_eq!(
        ties(&repo, "dependencies", "src/main.rs"),
        [
            "src/cache.rs import Cache",
            "src/lib.rs import Shop",
            "src/store.rs used"
        ]
    );
    assert_eq!(
        ties(&repo, "importers", "src/store.rs"),
        [
            "src/cache.rs import Store",
            "src/lib.rs module * as store Store as Shop",
            "src/main.rs used"
        ]
    );
}

#[test]
fn chains_are_followed_with_the_path() {
    let repo = python();
    assert_eq!(
        reached(&repo, &["run", "--out"]),
        ["Cache 1", "load 1", "warm 1"]
    );
    assert_eq!(
        reached(&repo, &["run", "--out", "--depth", "2"]),
        [
            "Cache 1",
            "load 1",
            "warm 1",
            "Store 2 via load",
            "Store.get 2 via load",
            "Cache.get 2 via warm"
        ]
    );
    assert_eq!(
        reached(&repo, &["Cache.clean", "--depth", "3"]),
        [
            "Cache.get 1",
            "warm 2 via Cache.get",
            "run 3 via warm via Cache.get"
        ]
    );
}

#[test]
fn candidates_that_cannot_be_told_apart_are_all_listed() {
    let repo = TestRepo::init();
    repo.write("a.py", "class A:\n    def fetch_row(self):\n        pass\n")
        .write("b.py", "class B:\n    def fetch_row(self):\n        pass\n")
        .write("c.py", "def use(thing):\n    return thing.fetch_row()\n")
        .write("d.py", "class D:\n    def only_here(self):\n        pass\n")
        .write("e.py", "def other(thing):\n    return thing.only_here()\n");
    repo.commit("candidates");
    for class in ["A", "B"] {
        let answer = ask(&repo, &["refs", &format!("{class}.fetch_row")]);
        let one = &answer["ambiguous"][0]["uses"][0];
        assert_eq!(one["certainty"], "ambiguous", "{answer:#}");
        assert_eq!(one["others"], 1, "{answer:#}");
        assert_eq!(answer["counts"]["ambiguous"], 1);
        assert_eq!(answer["counts"]["resolved"], 0);
    }
    assert_eq!(uses(&repo, "only_here"), ["e.py:2 inferred unique"]);
    let out = ask(&repo, &["refs", "use", "--out"]);
    assert_eq!(items(&out, "reached").count(), 2, "{out:#}");
}

/// A definition: its id, its file and its lines.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Definition {
    id: String,
    path: String,
    lines: (u64, u64),
}

impl Definition {
    fn of(path: &str, symbol: &Value) -> Self {
        let plain = format!("{path}::{}#{}", text(symbol, "name"), text(symbol, "kind"));
        let line = |key: &str| symbol[key].as_u64().expect("a line");
        Self {
            id: symbol["id"].as_str().map_or(plain, str::to_owned),
            path: path.to_owned(),
            lines: (line("start"), line("end")),
        }
    }

    /// Whether it is another one or inside of it; methods of Go stand elsewhere in the file.
    fn is_within(&self, outer: &Self) -> bool {
        let named = |of: &Self| {
            let (name, _) = of.id.rsplit_once('#').expect("an id");
            name.to_owned()
        };
        let member = named(self).strip_prefix(&named(outer)).map(|rest| {
            let separated = rest.starts_with('.') || rest.starts_with("::");
            rest.is_empty() || separated
        });
        let (from, to) = outer.lines;
        let around = from <= self.lines.0 && self.lines.1 <= to;
        let method = self.path.ends_with(".go") && member == Some(true);
        self.path == outer.path && (around || method)
    }
}

/// Everything that is defined in a repository's files.
fn definitions(repo: &TestRepo) -> Vec<Definition> {
    let mut found = Vec::new();
    for path in repo.git(&["ls-files"]).lines() {
        let answer = ask(repo, &["symbol", path]);
        for outline in items(&answer, "outlines") {
            let members = items(outline, "members");
            found.extend(members.map(|member| Definition::of(path, member)));
        }
    }
    found
}

/// Pairs of a definition and what is one step from it.
fn steps(
    repo: &TestRepo,
    from: &[Definition],
    args: &[&str],
) -> BTreeSet<(Definition, Definition)> {
    let mut steps = BTreeSet::new();
    for of in from {
        let answer = ask(repo, &[&["refs", &of.id, "--limit", "1000"], args].concat());
        let links = items(&answer, "reached");
        for link in links.filter(|link| link["depth"] == 1 && link["symbol"].is_object()) {
            let to = Definition::of(text(link, "path"), &link["symbol"]);
            steps.insert((of.clone(), to));
        }
    }
    steps
}

#[test]
fn users_and_what_they_use_agree() {
    for repo in [python(), typescript(), go(), rust()] {
        let all = definitions(&repo);
        assert!(all.len() > 4, "{all:?}");
        let used_by = steps(&repo, &all, &["--depth", "2"]);
        assert!(used_by.len() >= 4, "{used_by:?}");
        // What is inside of a definition uses things on its behalf.
        let mut expected = BTreeSet::new();
        for (used, user) in &used_by {
            let around = all.iter().filter(|outer| user.is_within(outer));
            let outside = around.filter(|outer| !used.is_within(outer));
            expected.extend(outside.map(|outer| (outer.clone(), used.clone())));
        }
        assert_eq!(steps(&repo, &all, &["--out"]), expected);
    }
}

#[test]
fn cards_tell_callers_callees_tests_and_subtypes() {
    let repo = python();
    repo.write(
        "sub.py",
        "from shop.store import Cache\n\n\nclass Big(Cache):\n    def get(self, key):\n        return key\n",
    );
    let card = |target: &str| ask(&repo, &["symbol", target])["cards"][0].clone();
    let load = card("load");
    assert_eq!(load["callers"], json!(["main.py::run#function"]));
    let callees = [
        "shop/store.py::Store#class",
        "shop/store.py::Store.get#method",
    ];
    assert_eq!(load["callees"], json!(callees));
    let tests = ["tests/test_main.py::test_load#function"];
    assert_eq!(load["tests"], json!(tests));
    assert_eq!(load["uses"], 3);
    assert_eq!(card("Cache")["derived"], json!(["sub.py::Big#class"]));
    let overrides = card("Cache.get");
    assert_eq!(overrides["derived"], json!(["sub.py::Big.get#method"]));
}

#[test]
fn both_ends_of_a_file_and_of_a_symbol() {
    let repo = python();
    let of = |args: &[&str]| {
        let answer = ask(&repo, &[&["refs", "shop/store.py"], args].concat());
        let count = |key| items(&answer, key).count();
        (count("dependencies"), count("importers"))
    };
    assert_eq!(of(&[]), (0, 2));
    assert_eq!(of(&["--in"]), (0, 2));
    assert_eq!(of(&["--out"]), (0, 0));
    assert_eq!(ask(&repo, &["refs", "main.py"])["total"], 4);
    let both = ask(&repo, &["refs", "load", "--both"]);
    assert_eq!(items(&both, "files").count(), 2);
    let used: Vec<&str> = items(&both, "reached")
        .map(|link| text(&link["symbol"], "name"))
        .collect();
    assert_eq!(used, ["Store", "Store.get"]);
    let far = repo.sverklo(&["refs", "load", "--both", "--depth", "2"]);
    assert_eq!(far.status, Some(2));
    let said = &far.stderr;
    assert!(said.contains("ask for `in` or `out`"), "{said}");
}

#[test]
fn what_only_has_the_letters_is_counted_apart() {
    let repo = TestRepo::init();
    repo.write(
        "a.py",
        "def drain(pipe):\n    \"\"\"drain it\"\"\"\n    return pipe\n\n\n\
         def use(other):\n    # drain before use\n    drain(other)\n    return getattr(other, \"drain\")\n",
    )
    .write("docs/notes.md", "# Notes\n\nCall `drain` first.\n\nDraining is slow.\n")
    .write("lib/a.js", "function View() {}\nView.prototype.drain = function () {};\n");
    repo.commit("words");
    let answer = ask(&repo, &["refs", "a.py::drain#function"]);
    assert_eq!(
        uses(&repo, "a.py::drain#function"),
        ["a.py:8 resolved scope"]
    );
    assert_eq!(answer["total"], 1);
    assert_eq!(
        answer["text"],
        json!([
            {"path": "a.py", "lines": [2, 7, 9]},
            {"path": "lib/a.js", "lines": [2]},
            {"path": "docs/notes.md", "lines": [3]},
        ])
    );
    assert_eq!(answer["counts"]["text"], 5);
    // What defines it does not use it.
    let other = uses(&repo, "View.drain");
    assert!(other.iter().all(|one| one.contains(" text")), "{other:?}");
}

#[test]
fn symbol_and_refs_count_uses_in_one_way_whatever_is_shown() {
    let repo = TestRepo::init();
    repo.write(
        "a.py",
        "def unit(x):\n    return x\n\n\ndef both():\n    return unit(1) + unit(2)\n\n\ndef one():\n    return unit(3)\n",
    );
    for i in 0..12 {
        repo.write(format!("notes/{i:02}.md"), "Each `unit` is one.\n");
    }
    repo.commit("one");
    let counted = |args: &[&str]| {
        let said = repo.sverklo(args).success();
        said.lines().next().unwrap_or_default().to_owned()
    };
    let said = counted(&["refs", "unit"]);
    assert!(
        said.starts_with("unit: 2 uses in 1 file, 2 resolved, 12 lines by name alone;"),
        "{said}"
    );
    for n in ["1", "3", "500"] {
        assert_eq!(counted(&["refs", "unit", "-n", n]), said);
    }
    let card = repo.sverklo(&["symbol", "unit"]).success();
    assert!(card.contains(" 2 uses;"), "{card}");
    // What is not listed is counted.
    let few = repo.sverklo(&["refs", "unit", "-n", "3"]).success();
    assert!(
        few.contains("notes/00.md") && !few.contains("notes/01.md"),
        "{few}"
    );
    assert!(few.contains("the word is in 11 more files"), "{few}");
}

#[test]
fn a_definition_whose_name_ends_with_a_sign_is_no_use_of_itself() {
    let repo = TestRepo::init();
    repo.write(
        "lib/desk.ex",
        "defmodule Desk do\n  def open?(x), do: x > 1\n\n  def clear!() do\n    open?(2)\n  end\nend\n",
    )
    .write("Fold.hs", "module Fold where\n\nfold' :: Int -> Int\nfold' x = x\n\nuse :: Int\nuse = fold' 1\n")
    .write("fold.ml", "let pair' x = x\n\nlet use = pair' 1\n");
    repo.commit("one");
    assert_eq!(uses(&repo, "open?"), ["lib/desk.ex:5 resolved scope"]);
    assert_eq!(uses(&repo, "clear!"), [""; 0]);
    assert_eq!(uses(&repo, "fold'").len(), 1);
    assert_eq!(uses(&repo, "pair'").len(), 1);
}

#[test]
fn names_from_outside_are_found_through_their_imports() {
    let repo = TestRepo::init();
    repo.write(
        "a.js",
        "const merge = require('utils-merge');\nmerge({}, {});\nx.merge();\n",
    )
    .write("b.js", "import { merge as join } from 'lodash';\njoin();\n")
    .write("c.js", "function f(merge) { return merge(); }\n");
    repo.commit("outside");
    let answer = ask(&repo, &["refs", "merge"]);
    assert_eq!(answer["outside"], json!(["utils-merge"]));
    let sure: Vec<String> = uses(&repo, "merge")
        .into_iter()
        .filter(|one| one.contains("resolved"))
        .collect();
    assert_eq!(sure, ["a.js:1 resolved import", "a.js:2 resolved import"]);
}

#[test]
fn one_line_is_one_use() {
    let repo = TestRepo::init();
    repo.write("a.js", "exports.twice = function twice(n) { return n; };\n")
        .write(
            "b.js",
            "const twice = require('./a').twice;\ntwice(twice(1));\n",
        );
    repo.commit("lines");
    assert_eq!(
        uses(&repo, "twice"),
        ["b.js:1 resolved import", "b.js:2 resolved import"]
    );
}

#[test]
fn a_struct_and_its_typedef_are_one_to_those_who_use_it() {
    let repo = TestRepo::init();
    repo.write(
        "src/box.h",
        "typedef struct box box;\nstruct box {\n    int width;\n};\nint area(box *box);\n",
    )
    .write(
        "src/bag.h",
        "typedef struct bag {\n    int width;\n} bag;\n",
    )
    .write(
        "src/box.c",
        "#include \"box.h\"\nint area(box *box) {\n    return box->width;\n}\n",
    )
    .write(
        "src/bag.c",
        "#include \"bag.h\"\nint weigh(bag *all) {\n    return all[0].width;\n}\n",
    );
    repo.commit("one");
    assert_eq!(
        uses(&repo, "src/box.h::box.width#field"),
        ["src/box.c:3 resolved receiver"]
    );
    assert_eq!(
        uses(&repo, "src/bag.h::bag.width#field"),
        ["src/bag.c:3 resolved receiver"]
    );
    // The type before a parameter of its name is no use of the parameter.
    assert_eq!(
        uses(&repo, "src/box.h::box#struct"),
        [
            "src/box.h:1 resolved scope",
            "src/box.h:5 resolved scope",
            "src/box.c:2 resolved package",
        ]
    );
}

#[test]
fn a_header_sees_what_those_that_include_it_read_before() {
    let repo = TestRepo::init();
    repo.write("src/base.h", "typedef int handle;\n")
        .write("other/base.h", "typedef long handle;\n")
        .write("src/open.h", "handle open_one(void);\n")
        .write(
            "src/open.c",
            "#include \"base.h\"\n#include \"open.h\"\nhandle open_one(void) {\n    return 1;\n}\n",
        );
    repo.commit("one");
    assert_eq!(
        uses(&repo, "src/base.h::handle#type"),
        [
            "src/open.c:3 resolved package",
            "src/open.h:1 resolved package",
        ]
    );
    assert_eq!(uses(&repo, "other/base.h::handle#type"), [""; 0]);
}

#[test]
fn behind_an_object_c_has_fields_only() {
    let repo = TestRepo::init();
    repo.write(
        "a.c",
        "#include <outside.h>\nvoid release(void) {}\nvoid f(struct other *o) {\n    o->release();\n    release();\n}\n",
    );
    repo.commit("one");
    assert_eq!(uses(&repo, "release"), ["a.c:5 resolved scope"]);
}

#[test]
fn a_path_with_space_around_it_is_found_as_it_is_shown() {
    let repo = TestRepo::init();
    repo.write(" lib/x.js", "export function alpha() {}\n")
        .write("use.js", "import { alpha } from './ lib/x.js';\nalpha();\n");
    repo.commit("first");
    let path = " lib/x.js";
    let card = ask(&repo, &["symbol", "alpha"]);
    assert_eq!(text(&card["cards"][0], "path"), path, "{card}");
    let found = ask(&repo, &["refs", " lib/x.js::alpha#function"]);
    assert_eq!(text(&found["definitions"][0], "path"), path, "{found}");
    let outline = ask(&repo, &["symbol", path]);
    assert_eq!(text(&outline["outlines"][0], "path"), path, "{outline}");
    let ties = ask(&repo, &["refs", path]);
    assert!(ties.to_string().contains("use.js"), "{ties}");
    let padded = ask(&repo, &["symbol", "  use.js "]);
    assert_eq!(text(&padded["outlines"][0], "path"), "use.js", "{padded}");
}

#[test]
fn what_a_module_gives_out_beside_its_function_is_found() {
    let repo = TestRepo::init();
    repo.write("index.js", "module.exports = require('./lib/make')\n")
        .write(
            "lib/make.js",
            "var Router = require('router')\nvar app = require('./app')\n\
             exports = module.exports = make\nfunction make() { return 1 }\n\
             exports.Router = Router\nexports.app = app\n",
        )
        .write(
            "lib/app.js",
            "var app = exports = module.exports = {}\napp.handle = function handle() { return 1 }\n",
        )
        .write(
            "test/use.js",
            "var make = require('..'), Router = make.Router\n\
             function one() { var router = new Router(); router.handle() }\n\
             function two() { make.app.handle() }\n",
        );
    repo.commit("beside");
    let out = repo.sverklo(&["refs", "app.handle"]).success();
    assert!(
        out.starts_with("app.handle: 1 use in 1 file, 1 resolved"),
        "{out}"
    );
    assert!(out.contains("\n  3 call in two: "), "{out}");
}

/// Names with signs that no word has: texts are found by the word, and to write an attribute calls its method.
#[test]
fn names_of_ruby_are_found_with_their_signs() {
    let repo = TestRepo::init();
    repo.write(
        "story.rb",
        "class Story\n  def ready?\n    true\n  end\n\n  def url\n    @url\n  end\n\n  def url=(given)\n    @url = given\n  end\n\n  def tidy\n    self.url = 'a'\n  end\nend\n",
    )
    .write("use.rb", "require_relative 'story'\n\ndef change(story)\n  made = Story.new\n  made.url = 'b'\n  made.url += 'c'\n  made.url\nend\n")
    .write("view.html.erb", "<% if story.ready? %>\n<% end %>\n");
    repo.commit("one");
    let refs = |name: &str| repo.sverklo(&["refs", name]).stdout;
    let found = refs("Story.ready?");
    assert!(found.contains("view.html.erb 1\n"), "{found}");
    let found = refs("Story.url=");
    for line in ["story.rb\n  15 write", "use.rb\n  5 write", "  6 write"] {
        assert!(found.contains(line), "{line}: {found}");
    }
    assert!(
        found.starts_with("Story.url=: 3 uses in 2 files"),
        "{found}"
    );
    let found = refs("Story.url");
    assert!(
        found.contains("  7 ") && !found.contains("  5 write"),
        "{found}"
    );
}

/// A constant of Ruby means what is open around it, or what is in nothing.
#[test]
fn a_class_of_ruby_in_another_is_not_meant_outside_of_it() {
    let repo = TestRepo::init();
    repo.write("app/models/story.rb", "class Story\n  def self.recent\n    1\n  end\nend\n")
        .write(
            "db/old.rb",
            "class AddDomain\n  class Story\n    def self.old\n      2\n    end\n  end\n\n  def up\n    Story.old\n  end\nend\n",
        )
        .write("app/show.rb", "class Show\n  def all\n    Story.recent\n  end\nend\n");
    repo.commit("one");
    let refs = |name: &str| repo.sverklo(&["refs", name]).stdout;
    let of_file = refs("app/models/story.rb");
    assert!(of_file.contains("depended on by 1 file"), "{of_file}");
    let nested = refs("AddDomain.Story");
    assert!(nested.contains("db/old.rb\n  9 "), "{nested}");
    assert!(!nested.contains("app/show.rb"), "{nested}");
    // The names of types that lie in nothing are one namespace, whatever loads their files.
    let recent = refs("Story.recent");
    assert!(recent.contains("1 use in 1 file, 1 resolved"), "{recent}");
}

/// Right after a rename a member is asked for under its old name: who calls it does not write its class.
#[test]
fn a_member_that_is_gone_has_the_uses_that_lead_nowhere() {
    let repo = TestRepo::init();
    repo.write("go.mod", "module m\n\ngo 1.19\n")
        .write(
            "store.go",
            "package m\n\ntype Store struct{}\n\nfunc (s *Store) Feed(id int) int { return id }\n\ntype Other struct{}\n\nfunc (o *Other) Item() int { return 1 }\n",
        )
        .write(
            "use.go",
            "package m\n\nimport \"os\"\n\nfunc Use(s *Store, o *Other) {\n\ts.FeedByID(1)\n\to.Item()\n\ts.Item()\n\tos.FeedByID()\n}\n",
        );
    repo.commit("one");
    let out = repo.sverklo(&["refs", "Store.FeedByID"]).success();
    assert!(
        out.contains("  6 call text in Use: s.FeedByID(1)\n"),
        "{out}"
    );
    // What is another's is not counted, whoever else has the name.
    let out = repo.sverklo(&["refs", "Store.Item"]).stdout;
    assert!(out.contains("Store.Item: 0 uses"), "{out}");
    // Of what is no definition here only what is written so counts.
    let out = repo.sverklo(&["refs", "os.FeedByID"]).success();
    assert!(out.contains("  9 ") && !out.contains("  6 "), "{out}");
}

/// A component is what its file gives out, whatever its script says, and is called like its file.
#[test]
fn components_are_found_by_their_files() {
    let repo = TestRepo::init();
    let options =
        "<template><b/></template>\n<script>\nexport default { props: ['a'] };\n</script>\n";
    repo.write("ui/Pretty.vue", options)
        .write(
            "ui/Page.vue",
            "<template>\n  <Pretty/>\n</template>\n<script setup>\nimport Pretty from './Pretty.vue';\n</script>\n",
        )
        .write("main.js", "import Pretty from './ui/Pretty.vue';\nexport const used = [Pretty];\n");
    repo.commit("one");
    let uses = |repo: &TestRepo| {
        let out = repo.sverklo(&["refs", "Pretty"]).success();
        assert!(out.contains("4 uses in 2 files, 4 resolved"), "{out}");
    };
    uses(&repo);
    let setup = "<template><b/></template>\n<script setup>\ndefineProps(['a']);\n</script>\n";
    repo.write("ui/Pretty.vue", setup);
    uses(&repo);
    let diff = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(diff.contains("no use left behind"), "{diff}");
    let card = repo.sverklo(&["symbol", "Pretty"]).success();
    assert!(card.contains("ui/Pretty.vue:2-2 constant Pretty"), "{card}");
}
