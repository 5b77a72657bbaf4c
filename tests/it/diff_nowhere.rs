//! Names that were written with the change and lead nowhere: told where nothing can have them, and only there.

use super::harness::TestRepo;
use serde_json::Value;

/// What leads nowhere, as path, line and what should have it.
pub(super) fn told(repo: &TestRepo) -> Vec<String> {
    let out = repo.sverklo(&["diff", "--json", "--budget", "20000"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    let answer: Value = serde_json::from_str(&out.stdout).unwrap();
    let all = answer["broken"].as_array().cloned().unwrap_or_default();
    let is_nowhere = |found: &&Value| {
        let fault = found["fault"].as_str().unwrap();
        fault == "absent" || fault == "nowhere"
    };
    let place = |found: &Value| {
        let text = |key: &str| found[key].as_str().unwrap().to_owned();
        format!("{}:{} {}", text("path"), found["line"], text("expected"))
    };
    all.iter().filter(is_nowhere).map(place).collect()
}

const CONTEXT: &str = "export class Context {\n  json(a: number) { return a }\n  html() { return this.json(1) }\n}\n\
                       export function make(): Context { return new Context() }\n";
const CART: &str =
    "class Cart:\n    def add(self, x):\n        return x\n\n\ndef make():\n    return Cart()\n";

fn shop() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("web/context.ts", CONTEXT)
        .write("web/index.ts", "export * from './context'\n")
        .write(
            "web/use.ts",
            "import { make } from './context'\nexport const one = () => make().json(1)\n",
        )
        .write("py/cart.py", CART)
        .write(
            "py/use.py",
            "from cart import make\n\n\ndef one():\n    return make().add(1)\n",
        )
        .write("go/go.mod", "module shop\n")
        .write(
            "go/shop.go",
            "package shop\n\ntype Cart struct{}\n\nfunc (c *Cart) Add(x int) int { return x }\n\n\
             func Use(c *Cart) int { return c.Add(1) }\n",
        );
    repo.commit("one");
    repo
}

#[test]
fn names_that_nothing_has_are_told() {
    let repo = shop();
    repo.write(
        "web/use.ts",
        "import { make } from './context'\nimport {\n  Context,\n  renderAll,\n} from './index'\n\
         import { other } from './nope'\nexport const one = () => make().json(1)\n\
         export function two(c: Context) {\n  const d = make()\n  d.renderEverything(2)\n  c.renderSome(1)\n  \
         renderEntirely(3)\n  return renderAll(1) + other()\n}\n",
    );
    repo.write(
        "py/use.py",
        "from cart import make, make_all\n\n\ndef one():\n    return make().add(1)\n\n\ndef two():\n    \
         cart = make()\n    cart.add_all(3)\n    return assemble(make_all())\n",
    );
    repo.write(
        "web/context.ts",
        CONTEXT.replace("this.json(1)", "this.jsonify(1)"),
    );
    repo.write(
        "go/shop.go",
        "package shop\n\ntype Cart struct{}\n\nfunc (c *Cart) Add(x int) int { return x }\n\n\
         func Use(c *Cart) int { return c.AddAll(1) }\n",
    );
    let mut found = told(&repo);
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "go/shop.go:7 Cart",
            "py/use.py:1 py/cart.py",
            "py/use.py:10 Cart",
            "py/use.py:11 assemble",
            "web/context.ts:3 Context",
            "web/use.ts:10 Context",
            "web/use.ts:11 Context",
            "web/use.ts:12 renderEntirely",
            "web/use.ts:4 web/index.ts",
            "web/use.ts:6 ./nope",
        ]
    );
    let out = repo.sverklo(&["diff"]).stdout;
    let head = out.lines().next().unwrap();
    assert!(
        head.ends_with("| no use left behind | 10 new names lead nowhere"),
        "{head}"
    );
    assert!(
        out.contains("not in Context (web/context.ts:1-4):\n  web/context.ts:3 in Context.html | jsonify; it has json, html\n"),
        "{out}"
    );
    let review = repo.sverklo(&["review", "--ci", "--fail-on", "nowhere"]);
    assert_eq!(review.status, Some(1), "{review:?}");
    let said = "leads nowhere: web/index.ts does not have it: renderAll";
    assert!(review.stdout.contains(said), "{}", review.stdout);
}

/// Each is written with the change, and may be there although nothing that is read has it.
#[test]
fn what_may_be_there_is_not_told() {
    let rows = [
        // Something outside has more.
        "import { Base } from 'lib'\nexport class A extends Base {}\nexport const f = (a: A) => a.renderEverything()\n",
        "import * as lib from 'lib'\nexport const f = () => lib.renderEverything()\n",
        "import { renderEverything } from './outer'\nexport const f = () => renderEverything()\n",
        // A type that answers to any name.
        "export class A { [name: string]: () => void }\nexport const f = (a: A) => a.renderEverything()\n",
        "import { mix } from 'lib'\nexport class A extends mix(Object) {}\nexport const f = (a: A) => a.renderEverything()\n",
        "import { Base } from 'lib'\nexport class A { f() { return this.renderEverything() } }\n\
         export class B extends A {}\nexport class C extends Base {}\nObject.assign(A.prototype, { renderEverything() {} })\n",
        // It is put there.
        "import { Context } from './context'\nContext.prototype.renderEverything = () => 1\n\
         export const f = (c: Context) => c.renderEverything()\n",
        "import { Context } from './context'\nexport const f = (c: Context) => (c as any)['renderEverything'] && \
         c.renderEverything()\n",
        // It is bound here, or by the language.
        "export const f = (renderEverything: () => void) => renderEverything()\n",
        "export function f() { const { renderEverything } = g(); return renderEverything() }\nconst g = () => ({}) as any\n",
        "export const f = () => structuredClone(parseInt('1'))\n",
        "export const f = (x: any) => x.renderEverything()\n",
        "function f() { renderEverything() }\n",
        "import { Context } from './context'\nexport const f = (c: Context) => c.toString() + c.hasOwnProperty('a')\n",
        // What makes it is not here.
        "import { x } from './generated/client'\nexport const f = () => x\n",
        "import { x } from './missing'\nexport const f = () => x\n",
    ];
    for text in rows {
        let repo = shop();
        repo.write("web/outer.ts", "export * from 'lib'\n").write(
            "web/old.ts",
            "import { y } from './missing'\nexport const g = y\n",
        );
        repo.commit("two");
        repo.write(
            "web/old.ts",
            "import { y } from './missing'\nexport const g = y + 1\n",
        )
        .write("web/new.ts", text);
        assert_eq!(told(&repo), [""; 0], "{text}");
    }
    let rows = [
        "import lib\n\n\nclass A(lib.B):\n    pass\n\n\ndef f(a: A):\n    return a.render_everything()\n",
        "class A:\n    def __getattr__(self, name):\n        return name\n\n\ndef f(a: A):\n    return a.render_everything()\n",
        "import lib\n\n\nclass A(metaclass=lib.M):\n    pass\n\n\ndef f(a: A):\n    return a.render_everything()\n",
        "import lib\n\n\nclass Mixed:\n    def f(self):\n        return self.render_everything()\n\n\n\
         class A(Mixed, lib.B):\n    pass\n",
        "from lib import wraps\n\n\n@wraps\nclass A:\n    pass\n\n\ndef f(a: A):\n    return a.render_everything()\n",
        "class A:\n    pass\n\n\nsetattr(A, 'render_everything', 1)\n\n\ndef f(a: A):\n    return a.render_everything()\n",
        "from lib import *\n\n\ndef f():\n    return render_everything()\n",
        "def f():\n    global render_everything\n    render_everything = print\n    return render_everything()\n",
        "from loose import render_everything\n\n\ndef f():\n    return render_everything()\n",
        "def f(x):\n    return x.render_everything() + reversed(x)\n",
    ];
    for text in rows {
        let repo = shop();
        repo.write("py/loose.py", "def __getattr__(name):\n    return name\n");
        repo.commit("two");
        repo.write("py/new.py", text);
        assert_eq!(told(&repo), [""; 0], "{text}");
    }
}

/// What a change that adds these files is told, in a repository of a few types.
fn added(files: &[(&str, &str)]) -> Vec<String> {
    let repo = shop();
    for (path, text) in files {
        repo.write(path, text);
    }
    told(&repo)
}

/// Asserts that none of some changes is told anything.
fn none_is_told<'a>(rows: impl IntoIterator<Item = Vec<(&'a str, &'a str)>>) {
    let rows = rows.into_iter().map(|files| (added(&files), files));
    let wrong: Vec<_> = rows.filter(|(told, _)| !told.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn names_that_are_there_by_themselves_are_not_told() {
    let rows = [
        (
            "web/new.mjs",
            "import './context.js'\nconst x = await (await fetch('x')).json()\n",
        ),
        (
            "web/new.ts",
            "import './context'\nexport const f = () => [new ReadableStream(), new KeyboardEvent('a'), new File([], 'x')]\n",
        ),
        (
            "web/new.test.ts",
            "import './context'\ntest('a', () => { expectTypeOf(1); spyOn(console, 'log') })\n",
        ),
        (
            "web/new.js",
            "/* global drawAll */\nimport './context'\ndrawAll(1)\n",
        ),
        ("web/new.js", "import 'zx/globals'\ndrawAll(1)\n"),
        ("web/new.js", "require('shelljs/global')\ndrawAll(1)\n"),
        (
            "web/A.vue",
            "<script setup>\nimport { ref } from 'vue'\nconst n = ref(0)\n</script>\n\
             <template><a @click=\"$emit('a', n); drawAll()\" /></template>\n",
        ),
        (
            "web/A.svelte",
            "<script>\n  import { x } from 'lib'\n</script>\n{#snippet row(item)}<b>{item}</b>{/snippet}\n\
             {@render row(x)}\n",
        ),
        ("py/new.py", "exec(open('defs.py').read())\ndraw_all(1)\n"),
        (
            "py/new.py",
            "for n in 'ab':\n    globals()['draw_' + n] = 1\ndraw_all()\n",
        ),
        ("py/jupyter_config.py", "c = get_config()\n"),
        (
            "py/new.py",
            "try:\n    draw_all()\nexcept NameError:\n    pass\n",
        ),
    ];
    none_is_told(rows.map(|row| vec![row]));
    let go = "package calc\n\n//go:generate goyacc -o y.go expr.y\n\nfunc Parse() int { return yyParse() }\n";
    assert_eq!(
        added(&[("calc/go.mod", "module calc\n"), ("calc/calc.go", go)]),
        [""; 0]
    );
}

#[test]
fn objects_that_may_be_others_are_not_told() {
    let rows = [
        // Not the class around.
        "export class A {\n  a() { $('x').each(function () { this.drawAll() }) }\n}\n",
        "export class A {\n  a() { return { b() { return this.drawAll() } } }\n}\n",
        "import { Context } from './context'\nexport class A {\n  a() { function b(this: Context) { this.drawAll() } return b }\n}\n",
        // Another value, or more of one.
        "import { Context } from './context'\nimport { is } from 'lib'\nexport const f = (m: Context) => { if (is(m)) m.drawAll() }\n",
        "import { Context } from './context'\nconst a: any = new Context()\na.drawAll()\n",
        "import { Context } from './context'\nexport const f = () => { const a = <any>new Context(); a.drawAll() }\n",
        "import { Context } from './context'\nimport { more } from 'lib'\n\
         export const f = () => { const a = Object.assign(new Context(), more); a.drawAll() }\n",
        "import { Context } from './context'\nexport const f = () => { const a = new Context(); a.drawAll?.() }\n",
        "import { Context } from './context'\nexport const f = (a: Context) => { if ('draw' in a) a.drawAll() }\n",
        "import { Context } from './context'\nexport const f = (a: Context) => {\n  // @ts-expect-error\n  a.drawAll()\n}\n",
        // More than is written for the type.
        "import { B } from 'lib'\nexport class A { own() {} }\nexport interface A extends B {}\nexport const f = (a: A) => a.drawAll()\n",
        "import { more } from 'lib'\nexport class A { own() {} }\nObject.assign(A.prototype, more)\nexport const f = (a: A) => a.drawAll()\n",
        "export class A { constructor(o: object) { Object.assign(this, o) } }\nexport const f = (a: A) => a.drawAll()\n",
        "import { more } from 'lib'\nexport class A { own() {} }\n\
         more.forEach((m) => { (A.prototype as any)[m] = 1 })\nexport const f = (a: A) => a.drawAll()\n",
        "import { B } from 'lib'\nexport class A { own() {} }\nObject.setPrototypeOf(A.prototype, B)\nexport const f = (a: A) => a.drawAll()\n",
    ];
    none_is_told(rows.map(|text| vec![("web/new.ts", text)]));
}

#[test]
fn objects_of_python_that_may_be_others_are_not_told() {
    let rows = [
        "class A:\n    def a(self, patch):\n        def send(self, x):\n            return self.draw_all()\n        patch(send)\n\n\nA()\n",
        "class A:\n    @staticmethod\n    def a(self):\n        self.draw_all()\n\n\nA()\n",
        "from lib import B\n\n\nclass A:\n    def a(self):\n        self = B()\n        self.draw_all()\n\n\nA()\n",
        "from lib import B\n\n\nclass A:\n    def a(self):\n        cls = B\n        cls.draw_all()\n\n\nA()\n",
        "class PartMixin:\n    def a(self):\n        self.draw_all()\n\n\nPartMixin()\n",
        "class Part:\n    def a(self):\n        return super().draw_all()\n",
        "class A:\n    def __get__(self, a, b=None):\n        return a\n\n\nclass B:\n    x = A()\n\n    def b(self):\n        self.x.draw_all()\n",
        "class A:\n    def __init__(self, **kw):\n        self.__dict__.update(kw)\n\n\ndef f():\n    A().draw_all()\n",
        "class A:\n    def __init__(self, **kw):\n        for k in kw:\n            setattr(self, k, 1)\n\n\ndef f():\n    A().draw_all()\n",
        "class A:\n    def __enter__(self):\n        return self.x\n\n\ndef f():\n    with A() as a:\n        a.draw_all()\n",
        "from typing import Any\nfrom cart import Cart\n\n\ndef f():\n    x: Any = Cart()\n    x.draw_all()\n",
        "from cart import Cart\n\n\ndef f(x=Cart()):\n    x.draw_all()\n",
        "from typing import Union\nfrom cart import Cart\nfrom lib import B\n\n\ndef f(x: Union[Cart, B]):\n    x.draw_all()\n",
        "from cart import Cart\nfrom lib import b\n\n\ndef f():\n    try:\n        x = b()\n    except E:\n        x = Cart()\n    x.draw_all()\n",
        "from cart import Cart\n\n\ndef f():\n    k = Cart()\n    k += 1\n    k.draw_all()\n",
        "from cart import Cart\nfrom lib import b\n\n\ndef f():\n    k = Cart() or b\n    k.draw_all()\n",
        "from cart import Cart\n\n\ndef f(c: Cart):\n    try:\n        c.draw_all()\n    except AttributeError:\n        pass\n",
    ];
    none_is_told(rows.map(|text| vec![("py/new.py", text)]));
}

#[test]
fn modules_that_may_have_more_are_not_told() {
    let rows: &[&[(&str, &str)]] = &[
        &[
            ("web/hand.js", "export const go = () => 1\n"),
            (
                "web/hand.d.ts",
                "export type Options = {}\nexport const go: () => number\n",
            ),
            (
                "web/new.ts",
                "import { Opts } from './hand'\nexport const f = (a: Opts) => a\n",
            ),
        ],
        &[
            (
                "web/more.js",
                "exports.own = 1\nObject.keys(require('x')).forEach((k) => { exports[k] = 1 })\n",
            ),
            (
                "web/new.mjs",
                "import { drawAll } from './more.js'\ndrawAll()\n",
            ),
        ],
        &[
            (
                "web/more.js",
                "const lib = { own: 1 }\nObject.assign(lib, require('x'))\nmodule.exports = lib\nexports = lib\n",
            ),
            (
                "web/new.mjs",
                "import { drawAll } from './more.js'\ndrawAll()\n",
            ),
        ],
        &[
            (
                "py/more.py",
                "import sys\nfor n in 'ab':\n    setattr(sys.modules[__name__], n, 1)\n",
            ),
            ("py/new.py", "from more import draw_all\ndraw_all()\n"),
        ],
        &[
            ("py/more.py", "own = 1\n"),
            (
                "py/patch.py",
                "import more\nfor k in 'ab':\n    setattr(more, k, 1)\n",
            ),
            ("py/new.py", "import more\nmore.draw_all()\n"),
        ],
        &[
            ("examples/lib/__init__.py", ""),
            ("examples/lib/new.py", "from lib import Base\nBase()\n"),
        ],
        &[
            ("pkg/__init__.py", ""),
            ("pkg/sub/mod.py", "x = 1\n"),
            ("pkg/new.py", "from . import sub\n"),
        ],
        &[
            ("pkg/__init__.py", ""),
            ("pkg/_fast.pyx", "x = 1\n"),
            ("pkg/foo.proto", "message A {}\n"),
            (".gitignore", "*_made.py\n"),
            (
                "pkg/new.py",
                "from ._fast import x\nfrom .foo_pb2 import A\nfrom .version import v\nfrom .all_made import m\n\
                 try:\n    from .other import y\nexcept ImportError:\n    pass\n",
            ),
        ],
        &[
            ("web/Button.ios.tsx", "export default 1\n"),
            (
                "web/new.tsx",
                "import B from './Button'\nimport type { P } from './$types'\nimport type { R } from './+types/a'\nexport const f = [B]\n",
            ),
        ],
        &[
            ("core/__init__.py", ""),
            ("core/six.py", "import sys\nsys.modules['a'] = 1\n"),
            (
                "core/new.py",
                "from .six.moves import http\nfrom .six import PY3x\n",
            ),
        ],
    ];
    none_is_told(rows.iter().map(|files| files.to_vec()));
}

#[test]
fn what_leads_nowhere_is_told_beside_what_may_be_there() {
    // A word of another language, and types with an index in the module, say nothing of what it gives out.
    let module = "export type Any = { [k: string]: number }\nexport const own = /a/.exec('a')\n";
    let user = "import { drawAll } from './more'\nexport const f = () => drawAll()\n";
    let found = added(&[("web/more.ts", module), ("web/new.ts", user)]);
    assert_eq!(found, ["web/new.ts:1 web/more.ts"]);
    // After `super` it is the base that lacks it.
    let heir = "from cart import Cart\n\n\nclass Sub(Cart):\n    def a(self):\n        return super().draw_all()\n";
    assert_eq!(added(&[("py/new.py", heir)]), ["py/new.py:6 Cart"]);
    // A module that a package of the repository does not have, unless it is tried.
    let tried = "try:\n    from pkg.other import x\nexcept ImportError:\n    x = 1\n";
    let found = added(&[
        ("pkg/__init__.py", ""),
        ("pkg/tried.py", tried),
        ("pkg/new.py", "from pkg.missing import draw_all\n"),
    ]);
    assert_eq!(found, ["pkg/new.py:1 pkg.missing"]);
    let line = "from .sub.mod import draw_all\n";
    let found = added(&[
        ("pkg/__init__.py", ""),
        ("pkg/sub/__init__.py", ""),
        ("pkg/sub/mod.py", "x = 1\n"),
        ("pkg/new.py", line),
    ]);
    assert_eq!(found, ["pkg/new.py:1 pkg/sub/mod.py"]);
}

/// Each takes a walk over the tree, and a file may have as many as somebody likes.
#[test]
fn no_more_names_are_looked_at_than_somebody_writes() {
    const MANY: usize = 2_200;
    let repo = shop();
    let imports = (0..MANY).map(|n| format!("import {{ a{n} }} from './nope{n}'\n"));
    repo.write("web/many.ts", imports.collect::<String>());
    let out = repo.sverklo(&["diff"]).success();
    let head = out.lines().next().unwrap();
    let told = head
        .rsplit(" | ")
        .next()
        .and_then(|said| said.split(' ').next());
    let told: usize = told.unwrap().parse().unwrap();
    assert!(0 < told && told < MANY, "{head}");
}
