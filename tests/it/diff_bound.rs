//! Uses that a change breaks without touching what they mean: an import, an include or a declaration that is gone, a
//! package called otherwise, a member that is static no more.

use super::harness::TestRepo;
use serde_json::Value;

/// Writes files, commits them, changes one and returns what `diff` says.
fn after(files: &[(&str, &str)], (path, from, to): (&str, &str, &str)) -> Value {
    let repo = TestRepo::init();
    for (path, text) in files {
        repo.write(path, text);
    }
    repo.commit("one");
    let text = std::fs::read_to_string(repo.dir().join(path)).unwrap();
    assert!(text.contains(from), "{path} has no {from:?}");
    repo.write(path, text.replacen(from, to, 1));
    let out = repo.sverklo(&["diff", "HEAD", "--json", "--budget", "20000"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

/// What is broken: path, line, fault, what is expected.
fn broken(answer: &Value) -> Vec<String> {
    let all = answer["broken"].as_array().cloned().unwrap_or_default();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    let one = |one: &Value| {
        let (path, fault, expected) =
            (text(one, "path"), text(one, "fault"), text(one, "expected"));
        format!("{path}:{} {fault} {expected}", one["line"])
    };
    all.iter().map(one).collect()
}

#[track_caller]
fn breaks(files: &[(&str, &str)], edit: (&str, &str, &str), told: &[&str]) {
    let answer = after(files, edit);
    assert_eq!(broken(&answer), told, "{edit:?} {answer}");
    let left = if told.is_empty() { "nothing" } else { "proven" };
    assert_eq!(answer["left_behind"], left, "{edit:?} {answer}");
}

/// Nothing is broken for sure, and nothing is said to be whole either.
#[track_caller]
fn is_open(files: &[(&str, &str)], edit: (&str, &str, &str), uncompared: &[&str]) {
    let answer = after(files, edit);
    assert_eq!(broken(&answer), [""; 0], "{edit:?} {answer}");
    assert_eq!(answer["left_behind"], "possible", "{edit:?} {answer}");
    let names = answer["unseen"]["uncompared_names"].as_array().cloned();
    let names: Vec<String> = names
        .unwrap_or_default()
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, uncompared, "{edit:?} {answer}");
}

const GO: [(&str, &str); 4] = [
    ("go.mod", "module example.com/m\n\ngo 1.20\n"),
    ("old/a.go", "package old\n\nfunc Func() int { return 1 }\n"),
    (
        "old/b.go",
        "package old\n\nfunc Other() int { return Func() }\n",
    ),
    (
        "main.go",
        "package main\n\nimport \"example.com/m/old\"\n\nfunc main() {\n\told.Func()\n\told.Other()\n}\n",
    ),
];

#[test]
fn a_package_of_another_name_is_not_found_under_the_old_one() {
    // Its folder says the old name still.
    breaks(
        &GO,
        ("old/a.go", "package old", "package fresh"),
        &["old/b.go:3 hidden Func"],
    );
    let alone = [
        GO[0],
        GO[1],
        (
            "main.go",
            "package main\n\nimport \"example.com/m/old\"\n\nfunc main() {\n\told.Func()\n}\n",
        ),
    ];
    breaks(
        &alone,
        ("old/a.go", "package old", "package fresh"),
        &["main.go:6 hidden Func"],
    );
    // Who gives it a name of his own finds it, and builds pass over what says so.
    let named = [
        GO[0],
        GO[1],
        (
            "main.go",
            "package main\n\nimport old \"example.com/m/old\"\n\nfunc main() {\n\told.Func()\n}\n",
        ),
    ];
    breaks(&named, ("old/a.go", "package old", "package fresh"), &[]);
    let passed = [
        GO[0],
        (
            "old/a.go",
            "//go:build ignore\n\npackage old\n\nfunc Func() int { return 1 }\n",
        ),
        GO[2],
    ];
    breaks(&passed, ("old/a.go", "package old", "package main"), &[]);
}

#[test]
fn names_of_an_import_that_is_gone_are_told() {
    breaks(
        &GO,
        ("main.go", "import \"example.com/m/old\"\n", ""),
        &["main.go:5 unbound old", "main.go:6 unbound old"],
    );
    breaks(
        &[
            GO[0],
            (
                "a.go",
                "package m\n\nimport \"fmt\"\n\nfunc F() { fmt.Println(1) }\n",
            ),
        ],
        ("a.go", "import \"fmt\"\n\n", ""),
        &["a.go:3 unbound fmt"],
    );
    breaks(
        &[
            (
                "a/A.java",
                "package a;\n\npublic class A {\n  public static int f() { return 1; }\n}\n",
            ),
            (
                "b/B.java",
                "package b;\n\nimport a.A;\n\nclass B {\n  int g() { return A.f(); }\n}\n",
            ),
        ],
        ("b/B.java", "import a.A;\n\n", ""),
        &["b/B.java:4 unbound A"],
    );
    let script = [
        (
            "a.ts",
            "export function fa() { return 1; }\nexport interface Shape { x: number }\n",
        ),
        (
            "b.ts",
            "import { fa, Shape } from './a';\nimport { readFile } from 'fs';\n\nexport function g(s: Shape) {\n  return fa() + readFile('x');\n}\n",
        ),
    ];
    breaks(
        &script,
        ("b.ts", "fa, Shape }", "Shape }"),
        &["b.ts:5 unbound fa"],
    );
    breaks(
        &script,
        ("b.ts", "import { readFile } from 'fs';\n", ""),
        &["b.ts:4 unbound readFile"],
    );
    breaks(
        &[
            ("a.js", "exports.fa = function () { return 1; };\n"),
            (
                "b.js",
                "const a = require('./a');\n\nexports.g = function () { return a.fa(); };\n",
            ),
        ],
        ("b.js", "const a = require('./a');\n\n", ""),
        &["b.js:1 unbound a"],
    );
    breaks(
        &[("b.py", "import os\n\n\ndef g():\n    return os.getcwd()\n")],
        ("b.py", "import os\n", ""),
        &["b.py:4 unbound os"],
    );
    breaks(
        &[
            (
                "A.php",
                "<?php\nnamespace X;\nclass A { public static function f() { return 1; } }\n",
            ),
            (
                "B.php",
                "<?php\nnamespace Z;\nuse X\\A;\nclass B { function g() { return A::f(); } }\n",
            ),
        ],
        ("B.php", "use X\\A;\n", ""),
        &["B.php:3 unbound A"],
    );
    breaks(
        &[
            ("Cargo.toml", "[package]\nname = 'm'\nversion = '0.1.0'\n"),
            ("src/lib.rs", "pub mod a;\npub mod b;\n"),
            ("src/a.rs", "pub fn fa() -> u32 { 1 }\n"),
            (
                "src/b.rs",
                "use crate::a::fa;\n\npub fn g() -> u32 { fa() }\n",
            ),
        ],
        ("src/b.rs", "use crate::a::fa;\n\n", ""),
        &["src/b.rs:1 unbound fa"],
    );
    let repo = TestRepo::init();
    repo.write("b.py", "import os\n\n\ndef g():\n    return os.getcwd()\n")
        .commit("one");
    repo.write("b.py", "\n\ndef g():\n    return os.getcwd()\n");
    let text = repo.sverklo(&["diff", "HEAD"]).success();
    let told = "use os, which nothing binds any more (b.py:1):\n  b.py:4 in g\n";
    assert!(text.contains(told), "{text}");
    let review = repo.sverklo(&["review", "--ci", "--fail-on", "dangling", "HEAD"]);
    assert_eq!(review.status, Some(1), "{review:?}");
}

#[test]
fn a_name_that_is_found_without_the_import_is_not_told() {
    // The language has it, or a module that is taken whole may.
    breaks(
        &[(
            "b.py",
            "from six.moves import range\n\n\ndef g():\n    return range(3)\n",
        )],
        ("b.py", "from six.moves import range\n", ""),
        &[],
    );
    breaks(
        &[(
            "b.py",
            "from lib import *\nfrom lib import make\n\n\ndef g():\n    return make(3)\n",
        )],
        ("b.py", "from lib import make\n", ""),
        &[],
    );
    breaks(
        &[(
            "b.ts",
            "import { Response } from 'node-fetch';\n\nexport function g() { return new Response(); }\n",
        )],
        ("b.ts", "import { Response } from 'node-fetch';\n\n", ""),
        &[],
    );
    // Another import of a name that its path does not say.
    breaks(
        &[
            GO[0],
            (
                "a.go",
                "package m\n\nimport \"example.org/bar\"\n\nfunc F() { bar.Do() }\n",
            ),
        ],
        ("a.go", "example.org/bar", "example.org/go-bar"),
        &[],
    );
    // It lies in the same package; a key is no use.
    breaks(
        &[(
            "b/B.java",
            "package b;\n\nimport b.A;\n\nclass B {\n  int g() { return A.f(); }\n}\n",
        )],
        ("b/B.java", "import b.A;\n\n", ""),
        &[],
    );
    breaks(
        &[(
            "b.js",
            "import { size } from 'lib';\n\nexport const a = { size: 1 };\n",
        )],
        ("b.js", "import { size } from 'lib';\n\n", ""),
        &[],
    );
    breaks(
        &[(
            "b.py",
            "try:\n    import json\nexcept ImportError:\n    pass\n\n\ndef g():\n    return json.dumps(1)\n",
        )],
        (
            "b.py",
            "    import json\n",
            "    import simplejson as json\n",
        ),
        &[],
    );
}

#[test]
fn a_name_that_a_script_gives_to_all_is_not_told() {
    let spec = "var help = require('./help');\n\nit('helps', function () {\n  help.now();\n});\n";
    let edit = ("spec.js", "var help = require('./help');\n\n", "");
    let help = ("help.js", "exports.now = function () { return 1; };\n");
    let other = |text| [help, ("spec.js", spec), ("setup.js", text)];
    breaks(
        &other("var help = require('./help');\nhelp.now();\n"),
        edit,
        &["spec.js:2 unbound help"],
    );
    for given in [
        "help = require('./help');\n",
        "window.help = require('./help');\n",
        "global['help'] = require('./help');\n",
    ] {
        breaks(&other(given), edit, &[]);
    }
    let says = "/* global help */\n".to_owned() + spec;
    let all = [help, ("spec.js", &says)];
    breaks(
        &all,
        ("spec.js", "var help = require('./help');\n\n", ""),
        &[],
    );
}

#[test]
fn a_variable_that_is_called_otherwise_is_told_where_its_uses_stay() {
    breaks(
        &[
            GO[0],
            (
                "a.go",
                "package m\n\nfunc F() int {\n\tcount := 1\n\treturn count\n}\n",
            ),
        ],
        ("a.go", "count := 1", "total := 1"),
        &["a.go:5 unbound count"],
    );
    breaks(
        &[(
            "a.ts",
            "export function f(amount: number) {\n  console.log(1);\n  return amount;\n}\n",
        )],
        ("a.ts", "f(amount", "f(number"),
        &["a.ts:3 unbound amount"],
    );
    breaks(
        &[(
            "a.c",
            "int f(int amount)\n{\n  int x = 1;\n  return amount + x;\n}\n",
        )],
        ("a.c", "int amount", "int number"),
        &["a.c:4 unbound amount"],
    );
    // A macro may declare it on the line that is new.
    breaks(
        &[(
            "a.c",
            "int f(void)\n{\n  int amount = 1;\n  return amount;\n}\n",
        )],
        ("a.c", "int amount = 1;", "DECLARE(amount);"),
        &[],
    );
    // The field of the class is meant now.
    breaks(
        &[(
            "A.java",
            "class A {\n  int amount;\n\n  int f(int amount) {\n    int x = 1;\n    return amount + x;\n  }\n}\n",
        )],
        ("A.java", "f(int amount)", "f(int number)"),
        &[],
    );
}

const C: [(&str, &str); 3] = [
    ("a.h", "int add(int a, int b);\n#define ADD_MAX 10\n"),
    (
        "a.c",
        "#include \"a.h\"\nint add(int a, int b) { return a + b; }\n",
    ),
    (
        "b.c",
        "#include \"a.h\"\nint main(void)\n{\n  return add(1, ADD_MAX);\n}\n",
    ),
];

#[test]
fn what_a_file_of_c_saw_by_an_include_alone_is_told() {
    let told = ["b.c:4 hidden ADD_MAX", "b.c:4 hidden add"];
    let sorted = |answer: &Value| {
        let mut all = broken(answer);
        all.sort();
        all
    };
    let answer = after(&C, ("b.c", "#include \"a.h\"\n", "\n"));
    assert_eq!(sorted(&answer), told, "{answer}");
    // By a header in between.
    let between = [
        C[0],
        C[1],
        ("m.h", "#include \"a.h\"\n"),
        ("b.c", &C[2].1.replace("a.h", "m.h")),
    ];
    let answer = after(&between, ("m.h", "#include \"a.h\"\n", "\n"));
    assert_eq!(sorted(&answer), told, "{answer}");
    // It comes another way, or something that is not here may have it.
    breaks(
        &[
            C[0],
            C[1],
            ("m.h", "#include \"a.h\"\n"),
            ("b.c", &format!("#include \"m.h\"\n{}", C[2].1)),
        ],
        ("b.c", "#include \"a.h\"\n", "\n"),
        &[],
    );
    breaks(
        &C,
        ("b.c", "#include \"a.h\"\n", "#include <adding.h>\n"),
        &[],
    );
    // What includes it may have read it before.
    breaks(
        &[
            C[0],
            C[1],
            C[2],
            ("all.c", "#include \"a.h\"\n#include \"b.c\"\n"),
        ],
        ("b.c", "#include \"a.h\"\n", "\n"),
        &[],
    );
}

#[test]
fn what_was_taken_whole_is_told() {
    breaks(
        &[
            ("a.py", "def fa():\n    return 1\n"),
            ("b.py", "from a import *\n\n\ndef g():\n    return fa()\n"),
        ],
        ("b.py", "from a import *\n", ""),
        &["b.py:4 hidden fa"],
    );
    let sharp = [
        (
            "A.cs",
            "namespace X.Y;\npublic class A { public static int F() => 1; }\n",
        ),
        (
            "B.cs",
            "using X.Y;\nnamespace Z;\nclass B { int G() { return A.F(); } }\n",
        ),
    ];
    breaks(&sharp, ("B.cs", "using X.Y;\n", ""), &["B.cs:2 hidden A"]);
    let given = [sharp[0], sharp[1], ("Usings.cs", "global using X.Y;\n")];
    breaks(&given, ("B.cs", "using X.Y;\n", ""), &[]);
    breaks(
        &[
            ("Cargo.toml", "[package]\nname = 'm'\nversion = '0.1.0'\n"),
            ("src/lib.rs", "pub mod a;\npub mod b;\n"),
            ("src/a.rs", "pub fn fa() -> u32 { 1 }\n"),
            ("src/b.rs", "pub fn g() -> u32 { crate::a::fa() }\n"),
        ],
        ("src/lib.rs", "pub mod a;\n", ""),
        &["src/b.rs:1 hidden fa"],
    );
}

#[test]
fn what_a_module_gives_out_no_more_is_told() {
    breaks(
        &[
            ("a.js", "export const A = 1;\n"),
            ("b.js", "import { A } from './a.js';\nexport const n = A;\n"),
        ],
        (
            "a.js",
            "export const A = 1;",
            "const A = 1;\nexport default A;",
        ),
        &["b.js:1 hidden A"],
    );
    let listed = [
        ("p/__init__.py", "from .m import *\n"),
        (
            "p/m.py",
            "__all__ = ['f', 'g']\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n",
        ),
        ("b.py", "from p import f, g\n\nX = f() + g()\n"),
        ("c.py", "from p.m import g\n\nY = g()\n"),
    ];
    breaks(
        &listed,
        ("p/m.py", "['f', 'g']", "['f']"),
        &["b.py:1 hidden g"],
    );
    breaks(
        &[
            ("p/__init__.py", "from .m import f\n"),
            ("p/m.py", "def f():\n    return 1\n"),
            ("b.py", "import p\n\nX = p.f()\n"),
        ],
        ("p/__init__.py", "from .m import f\n", ""),
        &["b.py:3 hidden f"],
    );
}

#[test]
fn an_import_that_settings_lead_elsewhere_is_told() {
    let aliased = [
        (
            "tsconfig.json",
            "{\"compilerOptions\":{\"baseUrl\":\".\",\"paths\":{\"@lib/*\":[\"lib/*\"]}}}\n",
        ),
        ("lib/a.ts", "export const a = 1;\n"),
        ("b.ts", "import { a } from '@lib/a';\nexport const b = a;\n"),
    ];
    let edit = ("tsconfig.json", "\"@lib/*\"", "\"@core/*\"");
    breaks(&aliased, edit, &["b.ts:1 hidden lib/a.ts"]);
    // Something else may say it.
    let bundled = [
        aliased[0],
        aliased[1],
        aliased[2],
        (
            "vite.config.js",
            "export default { alias: { '@lib': 'lib' } };\n",
        ),
    ];
    breaks(&bundled, edit, &[]);
    let go = [
        ("go.mod", "module example.com/m\n\ngo 1.20\n"),
        ("a/a.go", "package a\n\nfunc Do() int { return 1 }\n"),
        (
            "b.go",
            "package m\n\nimport \"example.com/m/a\"\n\nvar X = a.Do()\n",
        ),
    ];
    breaks(
        &go,
        ("go.mod", "example.com/m", "example.com/n"),
        &["b.go:3 hidden a/a.go"],
    );
    let replaced = [
        ("go.mod", "module example.com/m\n\ngo 1.20\n"),
        go[1],
        go[2],
    ];
    let edit = (
        "go.mod",
        "module example.com/m\n",
        "module example.com/n\n\nrequire example.com/m v1.0.0\n",
    );
    breaks(&replaced, edit, &[]);
}

#[test]
fn members_of_a_base_that_a_type_has_no_more_are_told() {
    breaks(
        &[
            GO[0],
            (
                "a.go",
                "package m\n\ntype B struct{ n int }\n\nfunc (b B) Hi() int { return b.n }\n\ntype T struct {\n\tB\n}\n",
            ),
            ("b.go", "package m\n\nfunc F(t T) int { return t.Hi() }\n"),
        ],
        ("a.go", "type T struct {\n\tB\n}", "type T struct {\n}"),
        &["b.go:3 hidden B.Hi"],
    );
    breaks(
        &[
            (
                "a.rb",
                "module H\n  def hi\n    1\n  end\nend\n\nclass A\n  include H\nend\n",
            ),
            ("b.rb", "require_relative 'a'\nA.new.hi\n"),
        ],
        ("a.rb", "  include H\n", ""),
        &["b.rb:2 hidden H.hi"],
    );
    breaks(
        &[
            GO[0],
            (
                "a.go",
                "package m\n\ntype I interface {\n\tRun() int\n}\n\ntype T struct{}\n\nfunc (T) Run() int { return 1 }\n\nvar _ I = T{}\n",
            ),
        ],
        ("a.go", "\tRun() int\n", "\tWalk() int\n"),
        &["a.go:7 missing I.Walk"],
    );
}

#[test]
fn a_member_that_is_static_no_more_or_now_is_told() {
    let java = [
        (
            "p/A.java",
            "package p;\n\npublic class A {\n  public static int f(int x) {\n    return x;\n  }\n\n  public int g() {\n    return f(1);\n  }\n\n  \
             public static void main(String[] a) {\n    f(2);\n  }\n}\n",
        ),
        (
            "p/B.java",
            "package p;\n\nimport java.util.function.BiFunction;\n\nclass B {\n  int h() {\n    return A.f(1);\n  }\n\n  BiFunction<A, Integer, Integer> r = A::f;\n}\n",
        ),
    ];
    breaks(
        &java,
        ("p/A.java", "public static int f", "public int f"),
        &["p/A.java:13 misfit A.f", "p/B.java:7 misfit A.f"],
    );
    let script = [
        (
            "a.ts",
            "export class A {\n  static f(x: number) { return x; }\n  g() { return A.f(1); }\n}\n",
        ),
        (
            "b.ts",
            "import { A } from './a';\n\nexport const n = A.f(1);\n",
        ),
    ];
    breaks(
        &script,
        ("a.ts", "static f", "f"),
        &["a.ts:3 misfit A.f", "b.ts:3 misfit A.f"],
    );
    let of_object = [
        (
            "a.ts",
            "export class A {\n  f(x: number) { return x; }\n  g() { return this.f(1); }\n}\n",
        ),
        (
            "b.ts",
            "import { A } from './a';\n\nexport function q(a: A) { return a.f(2); }\n",
        ),
    ];
    breaks(
        &of_object,
        ("a.ts", "  f(x", "  static f(x"),
        &["a.ts:3 misfit A.f", "b.ts:3 misfit A.f"],
    );
    breaks(
        &[
            (
                "A.php",
                "<?php\nclass A {\n  public static function f() { return 1; }\n  public function g() { return A::f(); }\n}\n",
            ),
            (
                "B.php",
                "<?php\nrequire 'A.php';\nclass B { function g() { return A::f(); } }\n",
            ),
        ],
        ("A.php", "public static function f", "public function f"),
        &["B.php:3 misfit A.f"],
    );
    // Java lets an object be used for what is of the type.
    breaks(
        &[
            (
                "p/A.java",
                "package p;\n\npublic class A {\n  public int f(int x) {\n    return x;\n  }\n}\n",
            ),
            (
                "p/B.java",
                "package p;\n\nclass B {\n  int h(A a) {\n    return a.f(1);\n  }\n}\n",
            ),
        ],
        ("p/A.java", "public int f", "public static int f"),
        &[],
    );
    let repo = TestRepo::init();
    repo.write(script[0].0, script[0].1)
        .write(script[1].0, script[1].1)
        .commit("one");
    repo.write(script[0].0, script[0].1.replace("static f", "f"));
    let text = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(
        text.contains("| a member of objects now, not of the type\n"),
        "{text}"
    );
}

#[test]
fn what_nobody_compares_is_no_zero() {
    is_open(
        &[
            ("a.ts", "export type K = 'a' | 'b';\n"),
            (
                "b.ts",
                "import { K } from './a';\nexport const k: K = 'b';\n",
            ),
        ],
        ("a.ts", " | 'b'", ""),
        &["K"],
    );
    is_open(
        &[
            ("a.ts", "export interface Opts { x: number; y?: number }\n"),
            (
                "b.ts",
                "import { Opts } from './a';\nexport const o: Opts = { x: 1 };\n",
            ),
        ],
        ("a.ts", "y?:", "y:"),
        &["Opts"],
    );
    is_open(
        &[
            (
                "a.py",
                "class A:\n    @property\n    def size(self):\n        return 1\n",
            ),
            (
                "b.py",
                "from a import A\n\n\ndef f(a: A):\n    return a.size + 1\n",
            ),
        ],
        ("a.py", "    @property\n", ""),
        &["A.size"],
    );
    is_open(
        &[
            ("Cargo.toml", "[package]\nname = 'm'\nversion = '0.1.0'\n"),
            (
                "src/lib.rs",
                "#[derive(Clone)]\npub struct Shape;\npub fn f(s: &Shape) -> Shape {\n    s.clone()\n}\n",
            ),
        ],
        ("src/lib.rs", "#[derive(Clone)]\n", ""),
        &["Shape"],
    );
    is_open(
        &[
            ("Cargo.toml", "[package]\nname = 'm'\nversion = '0.1.0'\n"),
            (
                "src/lib.rs",
                "pub enum Shape { One }\npub fn f(s: Shape) -> u32 {\n    match s { Shape::One => 1 }\n}\n",
            ),
        ],
        ("src/lib.rs", "{ One }", "{ One, Two }"),
        &["Shape"],
    );
    // Who only gets a new body is as before.
    breaks(
        &[
            ("a.py", "class A:\n    def size(self):\n        return 1\n"),
            ("b.py", "from a import A\n\nX = A().size()\n"),
        ],
        ("a.py", "return 1", "return 2"),
        &[],
    );
}

#[test]
fn a_field_that_is_gone_may_stand_short_in_a_literal() {
    let files = [
        (
            "a.ts",
            "export interface Opt { nickName: string; size: number }\nexport function take(o: Opt) { return o.size; }\n",
        ),
        (
            "b.ts",
            "import { take, Opt } from './a';\n\nexport function g(nickName: string, size: number) {\n  const o: Opt = { nickName, size };\n  \
             take({ nickName, size });\n  const { nickName: other } = o;\n  log(nickName, size);\n  return other;\n}\n",
        ),
    ];
    let answer = after(&files, ("a.ts", "nickName: string", "title: string"));
    let possible = answer["possible"].as_array().cloned().unwrap_or_default();
    let short = possible
        .iter()
        .filter(|one| one["why"] == "short in a literal");
    let lines: Vec<i64> = short.map(|one| one["line"].as_i64().unwrap()).collect();
    assert_eq!(lines, [4, 5], "{answer}");
}
