//! Names that were written with the change and lead nowhere: told where nothing can have them, and only there.

use super::harness::TestRepo;
use serde_json::Value;

/// What leads nowhere, as path, line and what should have it.
fn told(repo: &TestRepo) -> Vec<String> {
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
