//! Uses of what is gone that something else answers to, and uses of what is there and may not be seen any more.

use super::harness::TestRepo;
use serde_json::Value;

/// What a change leaves behind, as path, line, fault and what is expected; and the first line of the answer.
fn told(before: &[(&str, &str)], after: &[(&str, Option<&str>)]) -> (Vec<String>, String) {
    let repo = TestRepo::init();
    for (path, text) in before {
        repo.write(path, text);
    }
    repo.commit("one");
    for (path, text) in after {
        match text {
            Some(text) => repo.write(path, text),
            None => repo.remove(path),
        };
    }
    let out = repo.sverklo(&["diff", "--json", "--budget", "20000"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    let answer: Value = serde_json::from_str(&out.stdout).unwrap();
    let all = answer["broken"].as_array().cloned().unwrap_or_default();
    let place = |found: &Value| {
        let text = |key: &str| found[key].as_str().unwrap().to_owned();
        let (path, fault, expected) = (text("path"), text("fault"), text("expected"));
        format!("{path}:{} {fault} {expected}", found["line"])
    };
    let mut all: Vec<String> = all.iter().map(place).collect();
    all.sort_unstable();
    let said = repo.sverklo(&["diff"]).stdout;
    (all, said.lines().next().unwrap_or_default().to_owned())
}

/// Files before a change, and those that it writes or removes.
type Rows<'a> = &'a [(&'a [(&'a str, &'a str)], &'a [(&'a str, Option<&'a str>)])];

#[track_caller]
fn nothing_is_told(rows: Rows<'_>) {
    for (before, after) in rows {
        let (found, _) = told(before, after);
        assert_eq!(found, [""; 0], "{after:?}");
    }
}

const MOD_TS: &str = "export function helper() { return 1 }\nexport class Thing { go() {} }\n";
const USE_TS: &str = "import { helper, Thing } from './mod'\nexport function f() {\n  helper()\n  new Thing().go()\n}\n";
const MOD_PY: &str = "def helper():\n    pass\n\n\nclass Thing:\n    def go(self):\n        pass\n";
const USE_PY: &str =
    "from mod import helper, Thing\n\n\ndef f():\n    helper()\n    t = Thing()\n    t.go()\n";

#[test]
fn what_something_else_answers_to_is_not_left_behind() {
    let rows: Rows<'_> = &[
        // It is bound in the function now.
        (
            &[(
                "a.ts",
                "const RE = /x/g\nexport function f(s: string) {\n  return RE.exec(s)\n}\n",
            )],
            &[(
                "a.ts",
                Some("export function f(s: string) {\n  const RE = /x/g\n  return RE.exec(s)\n}\n"),
            )],
        ),
        (
            &[(
                "a.py",
                "config = load()\n\n\ndef f():\n    return config.x\n",
            )],
            &[("a.py", Some("def f(config):\n    return config.x\n"))],
        ),
        (
            &[(
                "a.go",
                "package a\n\nvar re = compile()\n\nfunc compile() int { return 1 }\n\nfunc F() int {\n\treturn re + 1\n}\n",
            )],
            &[(
                "a.go",
                Some(
                    "package a\n\nfunc compile() int { return 1 }\n\nfunc F() int {\n\tre := compile()\n\treturn re + 1\n}\n",
                ),
            )],
        ),
        (
            &[(
                "t.py",
                "def add(a):\n    return a\n\n\nclass Case:\n    def setup(self):\n        self.add = add\n",
            )],
            &[(
                "t.py",
                Some(
                    "class Case:\n    def setup(self):\n        def add(a):\n            return a\n\n        self.add = add\n",
                ),
            )],
        ),
        // A package outside gives it, through the module that had it.
        (
            &[("mod.ts", MOD_TS), ("u.ts", USE_TS)],
            &[("mod.ts", Some("export { helper, Thing } from 'ext'\n"))],
        ),
        (
            &[("mod.ts", MOD_TS), ("u.ts", USE_TS)],
            &[(
                "mod.ts",
                Some("import { helper, Thing } from 'ext'\nexport { helper, Thing }\n"),
            )],
        ),
        (
            &[("mod.ts", MOD_TS), ("u.ts", USE_TS)],
            &[("mod.ts", Some("export * from 'ext'\n"))],
        ),
        (
            &[("mod.py", MOD_PY), ("u.py", USE_PY)],
            &[("mod.py", Some("from ext import helper, Thing\n"))],
        ),
        (
            &[("mod.py", MOD_PY), ("u.py", USE_PY)],
            &[("mod.py", Some("from ext import *\n"))],
        ),
        (
            &[
                ("mod.py", MOD_PY),
                ("mid.py", "from mod import helper\n"),
                ("u.py", "import mid\n\n\ndef f():\n    mid.helper()\n"),
            ],
            &[
                ("mod.py", Some("")),
                ("mid.py", Some("from ext import helper\n")),
            ],
        ),
        // A base outside may have it.
        (
            &[(
                "m.py",
                "from pdb import Pdb\n\n\nclass Rdb(Pdb):\n    def set_trace(self):\n        pass\n\n\ndef f():\n    r = Rdb()\n    r.set_trace()\n",
            )],
            &[(
                "m.py",
                Some(
                    "from pdb import Pdb\n\n\nclass Rdb(Pdb):\n    pass\n\n\ndef f():\n    r = Rdb()\n    r.set_trace()\n",
                ),
            )],
        ),
        (
            &[(
                "m.py",
                "class E(Exception):\n    def __init__(self, a):\n        self.a = a\n\n\nclass C(E):\n    def __init__(self, m):\n        super().__init__(m)\n",
            )],
            &[(
                "m.py",
                Some(
                    "class C(Exception):\n    def __init__(self, m):\n        super().__init__(m)\n",
                ),
            )],
        ),
        (
            &[
                (
                    "a.ts",
                    "export class Hono { get(a: string) {} }\nexport const dyn = (a: string) => Object\n",
                ),
                ("b.ts", "import { Hono } from './a'\nnew Hono().get('/')\n"),
            ],
            &[(
                "a.ts",
                Some(
                    "export class Hono extends dyn('get') { }\nexport const dyn = (a: string) => Object\n",
                ),
            )],
        ),
        // The value may be of another type.
        (
            &[(
                "a.ts",
                "interface Position { top: number }\nconst all = new Map<string, Position>()\nexport function f(k: string) {\n  const pos = all.get(k)!\n  return pos.top\n}\n",
            )],
            &[(
                "a.ts",
                Some(
                    "const all = new Map<string, DOMRect>()\nexport function f(k: string) {\n  const pos = all.get(k)!\n  return pos.top\n}\n",
                ),
            )],
        ),
        // It is part of the name of a module.
        (
            &[
                (
                    "rich/text.py",
                    "from .console import (\n    Console,\n)\n\nconsole = Console()\n",
                ),
                ("rich/console.py", "class Console:\n    pass\n"),
                ("rich/__init__.py", ""),
            ],
            &[(
                "rich/text.py",
                Some("from .console import (\n    Console,\n)\n"),
            )],
        ),
        // Every program has it.
        (
            &[
                (
                    "a.ts",
                    "export {}\ndeclare global {\n  class Response {}\n}\n",
                ),
                ("b.ts", "export const f = () => new Response('x')\n"),
            ],
            &[("a.ts", Some("export {}\n"))],
        ),
    ];
    nothing_is_told(rows);
}

#[test]
fn what_nothing_answers_to_still_is() {
    let (found, _) = told(
        &[("mod.ts", MOD_TS), ("u.ts", USE_TS)],
        &[("mod.ts", Some("export { Thing } from 'ext'\n"))],
    );
    assert_eq!(found, ["u.ts:1 dangling helper", "u.ts:3 dangling helper"]);
    let (found, _) = told(
        &[("mod.py", MOD_PY), ("u.py", USE_PY)],
        &[(
            "mod.py",
            Some("class Thing:\n    def go(self):\n        pass\n"),
        )],
    );
    assert_eq!(found, ["u.py:1 dangling helper", "u.py:5 dangling helper"]);
}

#[test]
fn a_file_that_was_not_read_has_lost_nothing() {
    let key = format!("KEY = '{}'\n", "a".repeat(5000));
    let long = format!("{key}{MOD_PY}");
    let (found, head) = told(
        &[("mod.py", MOD_PY), ("u.py", USE_PY)],
        &[("mod.py", Some(&long))],
    );
    assert_eq!(found, [""; 0]);
    assert!(
        head.ends_with("no use left behind as far as was looked"),
        "{head}"
    );
    // Nor is it known what it has lost.
    let (_, head) = told(
        &[("mod.py", &long), ("u.py", USE_PY)],
        &[("mod.py", Some(&long.replace("helper", "other")))],
    );
    assert!(
        head.ends_with("no use left behind as far as was looked"),
        "{head}"
    );
}

#[test]
fn who_may_not_see_what_is_there_is_told() {
    type Row<'a> = (
        &'a [(&'a str, &'a str)],
        &'a [(&'a str, Option<&'a str>)],
        &'a [&'a str],
    );
    let rows: &[Row<'_>] = &[
        (
            &[("mod.ts", MOD_TS), ("u.ts", USE_TS)],
            &[(
                "mod.ts",
                Some("function helper() { return 1 }\nexport class Thing { go() {} }\n"),
            )],
            &["u.ts:1 hidden helper"],
        ),
        // Through a module that passes all on.
        (
            &[
                ("mod.ts", MOD_TS),
                ("i.ts", "export * from './mod'\n"),
                ("u.ts", "import { helper } from './i'\nhelper()\n"),
            ],
            &[(
                "mod.ts",
                Some("function helper() { return 1 }\nexport class Thing { go() {} }\n"),
            )],
            &["u.ts:1 hidden helper"],
        ),
        (
            &[
                ("mod.ts", MOD_TS),
                ("i.ts", "export * from './mod'\nexport const x = 1\n"),
                ("u.ts", "import { helper } from './i'\nhelper()\n"),
            ],
            &[("i.ts", Some("export const x = 1\n"))],
            &["u.ts:1 hidden helper"],
        ),
        (
            &[
                (
                    "mod.js",
                    "function foo() {}\nfunction bar() {}\nexport { foo, bar }\n",
                ),
                ("u.js", "import { bar, foo } from './mod'\nfoo(bar)\n"),
            ],
            &[(
                "mod.js",
                Some("function foo() {}\nfunction bar() {}\nexport { foo }\n"),
            )],
            &["u.js:1 hidden bar"],
        ),
        (
            &[
                ("p/__init__.py", "from .a import helper as helper\n"),
                ("p/a.py", MOD_PY),
                ("u.py", "from p import helper\n\nhelper()\n"),
            ],
            &[("p/__init__.py", Some(""))],
            &["u.py:1 hidden helper"],
        ),
        (
            &[
                ("a.c", "int helper(int a) { return a; }\n"),
                (
                    "b.c",
                    "int helper(int a);\nint f(void) { return helper(1); }\n",
                ),
            ],
            &[("a.c", Some("static int helper(int a) { return a; }\n"))],
            &["b.c:2 hidden helper"],
        ),
        (
            &[
                ("src/lib.rs", "pub mod a;\npub mod b;\n"),
                ("src/a.rs", "pub fn helper() {}\n"),
                (
                    "src/b.rs",
                    "use crate::a::helper;\n\npub fn f() {\n    helper()\n}\n",
                ),
            ],
            &[("src/a.rs", Some("fn helper() {}\n"))],
            &["src/b.rs:1 hidden helper"],
        ),
        (
            &[
                (
                    "s/A.java",
                    "package s;\n\npublic class A {\n    public void help() {}\n}\n",
                ),
                (
                    "s/B.java",
                    "package s;\n\nclass B {\n    void f(A a) {\n        a.help();\n    }\n}\n",
                ),
            ],
            &[(
                "s/A.java",
                Some("package s;\n\npublic class A {\n    private void help() {}\n}\n"),
            )],
            &["s/B.java:5 hidden A.help"],
        ),
        // The file lies elsewhere, and its own imports with it.
        (
            &[
                (
                    "utils.ts",
                    "import { z } from './other'\nexport const u = () => z()\nexport const v = () => z()\n",
                ),
                ("other.ts", "export const z = () => 1\n"),
            ],
            &[
                ("utils.ts", None),
                (
                    "sub/utils.ts",
                    Some(
                        "import { z } from './other'\nexport const u = () => z()\nexport const v = () => z()\n",
                    ),
                ),
            ],
            &["sub/utils.ts:1 dangling other.ts"],
        ),
    ];
    for (before, after, wanted) in rows {
        let (found, head) = told(before, after);
        assert_eq!(found, *wanted, "{after:?}");
        assert!(head.contains("1 place left behind"), "{head}");
    }
}

#[test]
fn who_still_sees_it_is_not() {
    let rows: Rows<'_> = &[
        (
            &[(
                "a.ts",
                "export function helper() { return 1 }\nexport const f = () => helper()\n",
            )],
            &[(
                "a.ts",
                Some("function helper() { return 1 }\nexport const f = () => helper()\n"),
            )],
        ),
        (
            &[
                ("src/lib.rs", "pub mod a;\n"),
                ("src/a.rs", "pub mod b;\npub fn helper() {}\n"),
                (
                    "src/a/b.rs",
                    "use super::helper;\n\npub fn f() {\n    helper()\n}\n",
                ),
            ],
            &[("src/a.rs", Some("pub mod b;\nfn helper() {}\n"))],
        ),
        (
            &[
                ("h.h", "int helper(int a) { return a; }\n"),
                (
                    "b.c",
                    "#include \"h.h\"\nint f(void) { return helper(1); }\n",
                ),
            ],
            &[("h.h", Some("static int helper(int a) { return a; }\n"))],
        ),
        (
            &[
                (
                    "s/A.java",
                    "package s;\n\npublic class A {\n    public void help() {}\n}\n",
                ),
                (
                    "s/B.java",
                    "package s;\n\nclass B {\n    void f(A a) {\n        a.help();\n    }\n}\n",
                ),
            ],
            &[(
                "s/A.java",
                Some("package s;\n\npublic class A {\n    void help() {}\n}\n"),
            )],
        ),
        (
            &[
                (
                    "c.js",
                    "module.exports = {\n  write: function write(a) {\n    return [a, 1, 2]\n  },\n}\n",
                ),
                ("u.js", "const cookies = require('./c')\ncookies.write(2)\n"),
            ],
            &[(
                "c.js",
                Some(
                    "module.exports = (make() ?\n  (function () {\n    return {\n      write: function write(a) {\n        \
                     return [a, 1, 2]\n      },\n    }\n  })() : {})\n",
                ),
            )],
        ),
        (
            &[
                ("mod.ts", MOD_TS),
                ("i.ts", "export { helper } from './mod'\n"),
                ("u.ts", "import { helper } from './i'\nhelper()\n"),
            ],
            &[("i.ts", Some("export * from './mod'\n"))],
        ),
    ];
    nothing_is_told(rows);
}

#[test]
fn who_lacks_what_is_wanted_since_now_is_told() {
    const GO: &str = "package a\n\ntype Shape interface {\n\tArea() int\n}\n\ntype Sq struct{}\n\nfunc (s Sq) Area() int { return 1 }\n\n\
                      type Other struct{}\n\nfunc (o Other) Area(x int) int { return x }\n\nvar _ Shape = Sq{}\n\nfunc Take(s Shape, q Sq) int { return s.Area() + q.Area() }\n";
    let (found, _) = told(
        &[("a.go", GO), ("go.mod", "module a\n")],
        &[(
            "a.go",
            Some(&GO.replace("\tArea() int\n}", "\tArea() int\n\tGrow(by int)\n}")),
        )],
    );
    assert_eq!(found, ["a.go:8 missing Shape.Grow"]);
    const PY: &str = "from abc import ABC, abstractmethod\n\n\nclass Shape(ABC):\n    @abstractmethod\n    def area(self): ...\n\n\n\
                      class Sq(Shape):\n    def area(self):\n        return 1\n\n\nclass Part(Shape):\n    pass\n\n\n\
                      class Whole(Part):\n    def area(self):\n        return 2\n\n    def grow(self):\n        return 3\n";
    let wanted = "    def area(self): ...\n\n    @abstractmethod\n    def grow(self): ...\n";
    let (found, _) = told(
        &[("a.py", PY)],
        &[(
            "a.py",
            Some(&PY.replace("    def area(self): ...\n", wanted)),
        )],
    );
    assert_eq!(found, ["a.py:12 missing Shape.grow"]);
}

#[test]
fn both_sides_of_a_merge_are_no_definitions() {
    let before = "export function target(a: number) { return a }\n";
    let both = "<<<<<<< HEAD\nexport function target(a: number, b: number) { return a }\n=======\n\
                export function target(a: string) { return a }\n>>>>>>> other\n";
    let (found, head) = told(
        &[
            ("t.ts", before),
            ("u.ts", "import { target } from './t'\ntarget(1)\n"),
        ],
        &[("t.ts", Some(both))],
    );
    assert_eq!(found, [""; 0]);
    assert!(
        head.ends_with("no use left behind as far as was looked"),
        "{head}"
    );
}

#[test]
fn calls_that_may_mean_something_else_are_no_misfits() {
    let rows: Rows<'_> = &[
        // All that is given is taken.
        (
            &[(
                "a.go",
                "package x\n\nfunc setup(input string) int { return len(input) }\n\nfunc Use() int { return setup(\"help\") }\n",
            )],
            &[(
                "a.go",
                Some(
                    "package x\n\nfunc setup(args ...string) int { return len(args) }\n\nfunc Use() int { return setup(\"help\") }\n",
                ),
            )],
        ),
        // It gets its object as a method does.
        (
            &[("m.py", "X = 1\n")],
            &[(
                "p.py",
                Some(
                    "import pydoc\n\n\nclass Pager:\n    _pager = lambda self, content: pydoc.pager(content)\n\n    def show(self, content):\n        self._pager(content)\n",
                ),
            )],
        ),
        // Something else was put there.
        (
            &[(
                "m.py",
                "class Cluster:\n    def _start(self, node):\n        return node\n",
            )],
            &[(
                "t.py",
                Some(
                    "from unittest.mock import Mock\nfrom m import Cluster\n\n\ndef test_x():\n    c = Cluster()\n    c._start = Mock()\n    assert c._start()\n",
                ),
            )],
        ),
        // Each function imports its own.
        (
            &[
                ("a2.py", "def g():\n    return 1\n"),
                ("b2.py", "def g(x):\n    return x\n"),
            ],
            &[(
                "use.py",
                Some(
                    "def one():\n    from a2 import g\n    return g()\n\n\ndef two():\n    from b2 import g\n    return g(1)\n",
                ),
            )],
        ),
    ];
    nothing_is_told(rows);
}
