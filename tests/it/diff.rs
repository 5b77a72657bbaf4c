//! `diff`: what became of each definition, and what still expects it as it was.

use super::harness::TestRepo;
use serde_json::Value;

fn shop() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "shop/prices.py",
        "\
RATE = 7


def net(amount):
    return amount - tax(amount)


def tax(amount):
    \"\"\"What the state takes.\"\"\"
    share = amount * RATE
    return share / 100


class Cart:
    def __init__(self, owner):
        self.owner = owner
        self.lines = []

    def add(self, line):
        self.lines.append(line)
        return len(self.lines)
",
    )
    .write(
        "shop/desk.py",
        "\
from shop.prices import Cart, net, tax


def pay(amount):
    cart = Cart('me')
    cart.add(amount)
    return net(amount) + tax(amount)
",
    )
    .write("shop/__init__.py", "")
    .write("README.md", "# Shop\n");
    repo.commit("one");
    repo
}

fn json(repo: &TestRepo, args: &[&str]) -> Value {
    let args = [&["diff", "--json", "--budget", "20000"], args].concat();
    let out = repo.sverklo(&args);
    assert_eq!(out.status, Some(0), "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

/// The definitions that changed: name and words.
fn symbols(answer: &Value) -> Vec<(String, String)> {
    let all = answer["symbols"].as_array().cloned().unwrap_or_default();
    let mut all: Vec<_> = all
        .iter()
        .map(|symbol| {
            let words: Vec<&str> = symbol["change"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_str)
                .collect();
            let name = symbol["name"].as_str().unwrap().to_owned();
            (name, words.join(" "))
        })
        .collect();
    all.sort();
    all
}

/// The places that are broken: path, line, what is expected, what is wrong.
fn broken(answer: &Value) -> Vec<String> {
    let all = answer["broken"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    all.iter()
        .map(|found| {
            format!(
                "{}:{} {} {} {}",
                text(&found["path"]),
                found["line"],
                text(&found["fault"]),
                text(&found["expected"]),
                text(&found["certainty"])
            )
        })
        .collect()
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    let all = all.iter();
    all.map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect()
}

fn edit(repo: &TestRepo, path: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(repo.dir().join(path)).unwrap();
    assert!(text.contains(from), "{path} has no {from:?}");
    repo.write(path, text.replace(from, to));
}

#[test]
fn nothing_differs() {
    let repo = shop();
    let out = repo.sverklo(&["diff", "HEAD"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(out.stdout.contains("0 files | 0 definitions"), "{out:?}");
}

#[test]
fn each_way_to_change_has_its_word() {
    let repo = shop();
    edit(&repo, "shop/prices.py", "What the state takes", "The share");
    edit(&repo, "shop/prices.py", "share / 100", "share / 1000");
    assert_eq!(symbols(&json(&repo, &[])), pairs(&[("tax", "body")]));
    edit(&repo, "shop/prices.py", "share / 1000", "share / 100");
    assert_eq!(symbols(&json(&repo, &[])), pairs(&[("tax", "comments")]));
    edit(
        &repo,
        "shop/prices.py",
        "def add(self, line):",
        "@property\n    def add(self, line=None):",
    );
    edit(&repo, "shop/prices.py", "RATE = 7", "RATE = 8\nNEW = 1");
    assert_eq!(
        symbols(&json(&repo, &[])),
        pairs(&[
            ("Cart.add", "signature modifiers"),
            ("NEW", "added"),
            ("RATE", "body"),
            ("tax", "comments"),
        ])
    );
    // Formatting alone.
    repo.git(&["checkout", "-q", "."]);
    edit(
        &repo,
        "shop/prices.py",
        "return share / 100",
        "return (share\n            / 100)",
    );
    edit(
        &repo,
        "shop/prices.py",
        "    share = amount * RATE",
        "    share =  amount  * RATE",
    );
    let answer = json(&repo, &[]);
    assert_eq!(symbols(&answer), pairs(&[("tax", "body")]));
    edit(
        &repo,
        "shop/prices.py",
        "(share\n            / 100)",
        "share / 100",
    );
    let answer = json(&repo, &[]);
    assert_eq!(symbols(&answer), pairs(&[("tax", "comments")]));
}

#[test]
fn a_name_that_is_gone_is_missed_where_it_is_used() {
    let repo = shop();
    edit(
        &repo,
        "shop/prices.py",
        "def net(amount):\n    return amount - tax(amount)\n\n\n",
        "",
    );
    let answer = json(&repo, &[]);
    assert_eq!(symbols(&answer), pairs(&[("net", "removed")]));
    assert_eq!(
        broken(&answer),
        [
            "shop/desk.py:1 dangling net resolved",
            "shop/desk.py:7 dangling net resolved"
        ]
    );
    // Who no longer uses it is not told of.
    edit(&repo, "shop/desk.py", "Cart, net, tax", "Cart, tax");
    edit(&repo, "shop/desk.py", "net(amount) + ", "");
    assert!(broken(&json(&repo, &[])).is_empty());
    // Who begins to use it is.
    edit(
        &repo,
        "shop/desk.py",
        "return tax(amount)",
        "return tax(net(amount))",
    );
    assert_eq!(
        broken(&json(&repo, &[])),
        ["shop/desk.py:7 dangling net resolved"]
    );
}

#[test]
fn a_renamed_function_is_one_and_its_callers_are_told() {
    let repo = shop();
    edit(&repo, "shop/prices.py", "def tax(", "def duty(");
    edit(
        &repo,
        "shop/prices.py",
        "amount - tax(amount)",
        "amount - duty(amount)",
    );
    let answer = json(&repo, &[]);
    assert_eq!(
        symbols(&answer),
        pairs(&[("duty", "renamed"), ("net", "body")])
    );
    let all = answer["symbols"].as_array().unwrap();
    let duty = all.iter().find(|symbol| symbol["name"] == "duty");
    assert_eq!(duty.unwrap()["was"]["name"], "tax");
    assert_eq!(
        broken(&answer),
        [
            "shop/desk.py:1 dangling tax resolved",
            "shop/desk.py:7 dangling tax resolved"
        ]
    );
    let out = repo.sverklo(&["diff"]).success();
    assert!(
        out.contains(
            "still expect tax (shop/prices.py:8-11, now shop/prices.py:8-11 function duty):\n"
        ),
        "{out}"
    );
    assert!(
        out.contains("  shop/desk.py:7 in pay\n\treturn net(amount) + tax(amount)\n"),
        "{out}"
    );
}

#[test]
fn what_is_new_is_told_that_it_imports_what_is_no_longer_there() {
    let repo = shop();
    edit(&repo, "shop/prices.py", "def tax(", "def duty(");
    edit(
        &repo,
        "shop/prices.py",
        "amount - tax(amount)",
        "amount - duty(amount)",
    );
    edit(&repo, "shop/desk.py", "net, tax", "duty, net");
    edit(&repo, "shop/desk.py", "+ tax(amount)", "+ duty(amount)");
    assert!(broken(&json(&repo, &[])).is_empty());
    repo.write(
        "shop/new.py",
        "from shop.prices import tax\n\n\ndef owe(x):\n    return tax(x)\n",
    );
    assert_eq!(
        broken(&json(&repo, &[])),
        ["shop/new.py:1 dangling tax resolved"]
    );
}

#[test]
fn what_was_decided_of_what_changes_is_told() {
    let repo = shop();
    repo.sverklo(&[
        "remember",
        "--kind",
        "decision",
        "--target",
        "shop/prices.py",
        "Taxes are rounded once, at the desk.",
    ])
    .success();
    edit(&repo, "shop/prices.py", "share / 100", "share / 1000");
    let out = repo.sverklo(&["diff"]).success();
    assert!(out.contains("Taxes are rounded once"), "{out}");
    let answer = json(&repo, &[]);
    assert_eq!(
        answer["memories"][0]["text"],
        "Taxes are rounded once, at the desk."
    );
}

#[test]
fn a_new_import_cycle_is_told() {
    let repo = shop();
    edit(
        &repo,
        "shop/prices.py",
        "RATE = 7",
        "from shop.desk import pay\n\nRATE = 7",
    );
    let answer = json(&repo, &[]);
    assert_eq!(
        answer["cycles"].as_array().map(Vec::len),
        Some(1),
        "{answer}"
    );
    repo.commit("closed");
    // A change of code alone is no new one.
    edit(&repo, "shop/prices.py", "RATE = 7", "RATE = 8");
    assert!(json(&repo, &["HEAD"]).get("cycles").is_none());
}

#[test]
fn a_file_that_too_many_import_since_now_is_told() {
    let repo = shop();
    repo.write(
        "shop/till.py",
        "from shop.prices import net\n\nX = net(3)\n",
    );
    assert!(json(&repo, &[]).get("hubs").is_none());
    repo.git(&["config", "sverklo.gate.maxFanIn", "1"]);
    let answer = json(&repo, &[]);
    let hub = &answer["hubs"][0];
    assert_eq!(
        (&hub["path"], &hub["now"]),
        (&"shop/prices.py".into(), &2.into())
    );
    assert_eq!(answer["max_fan_in"], 1);
    assert_eq!(answer["totals"]["hubs"], 1);
    let text = repo.sverklo(&["diff"]).success();
    let told = "too many import shop/prices.py: 2 files, 1 before, limit 1\n  shop/till.py:1 -> shop/prices.py\n";
    assert!(text.contains(told), "{text}");
    let refused = repo.sverklo(&["review", "--ci", "--fail-on", "fan-in"]);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    // What was over the limit before passes.
    repo.commit("over");
    repo.write(
        "shop/more.py",
        "from shop.prices import net\n\nX = net(3)\n",
    );
    assert!(json(&repo, &["HEAD"]).get("hubs").is_none());
}

#[test]
fn a_name_that_comes_from_outside_now_is_not_missed() {
    let repo = TestRepo::init();
    repo.write(
        "a.js",
        "function fail(x) {\n  return new Error(x);\n}\n\nexports.go = () => fail(1);\n",
    );
    repo.commit("one");
    repo.write(
        "a.js",
        "var fail = require('http-errors');\n\nexports.go = () => fail(1);\n",
    );
    let answer = json(&repo, &[]);
    assert!(broken(&answer).is_empty(), "{:?}", broken(&answer));
    repo.write("a.js", "exports.go = () => fail(1);\n");
    assert_eq!(broken(&json(&repo, &[])), ["a.js:1 dangling fail resolved"]);
}

#[test]
fn what_is_called_like_its_parameter_keeps_its_signature_when_renamed() {
    let repo = TestRepo::init();
    repo.write(
        "wrap.ts",
        "export function middleware(middleware: string): string {\n  const again = middleware + middleware;\n  \
         return again;\n}\n",
    );
    repo.commit("one");
    edit(
        &repo,
        "wrap.ts",
        "function middleware",
        "function createMiddleware",
    );
    assert_eq!(
        symbols(&json(&repo, &[])),
        pairs(&[("createMiddleware", "renamed")])
    );
}

#[test]
fn short_fields_that_were_renamed_are_found_in_their_order() {
    let repo = TestRepo::init();
    let text = "\
class Panel:
    def __init__(self, title, footer, footer_align):
        self.title = title
        self.footer = footer
        self.footer_align = footer_align
";
    repo.write("panel.py", text);
    repo.commit("one");
    repo.write("panel.py", text.replace("footer", "subtitle"));
    let renamed: Vec<String> = symbols(&json(&repo, &[]))
        .into_iter()
        .filter(|(_, words)| words.contains("renamed"))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(renamed, ["Panel.subtitle", "Panel.subtitle_align"]);
}

#[test]
fn a_call_never_meant_the_field_that_is_named_like_its_method() {
    let repo = TestRepo::init();
    repo.write("Cargo.toml", "[package]\nname = \"t\"\nversion = \"0.1.0\"\n")
        .write("src/lib.rs", "pub mod worker;\npub mod user;\n")
        .write(
            "src/worker.rs",
            "pub struct Worker {\n    index: usize,\n}\n\nimpl Worker {\n    pub fn index(&self) -> usize {\n        \
             self.index\n    }\n}\n",
        )
        .write(
            "src/user.rs",
            "use crate::worker::Worker;\n\npub fn at(worker: &Worker) -> usize {\n    worker.index()\n}\n",
        );
    repo.commit("one");
    edit(&repo, "src/worker.rs", "pub fn index(", "pub fn place(");
    assert_eq!(
        broken(&json(&repo, &[])),
        ["src/user.rs:4 dangling Worker.index resolved"]
    );
}

#[test]
fn a_method_that_hands_on_does_not_miss_itself() {
    let repo = TestRepo::init();
    repo.write(
        "Wrapper.java",
        "import java.util.ArrayList;\n\nclass Wrapper {\n  private final ArrayList<String> delegate = null;\n\n  \
         int lastIndexOf(Object o) {\n    return delegate.lastIndexOf(o);\n  }\n}\n",
    );
    repo.commit("one");
    edit(&repo, "Wrapper.java", "int lastIndexOf(", "int last(");
    assert!(broken(&json(&repo, &[])).is_empty());
}

#[test]
fn what_moves_is_the_same_and_what_was_imported_from_there_is_not() {
    let repo = shop();
    let text = std::fs::read_to_string(repo.dir().join("shop/prices.py")).unwrap();
    let (rest, cart) = text.split_at(text.find("class Cart").unwrap());
    repo.write("shop/prices.py", rest)
        .write("shop/carts.py", cart);
    let answer = json(&repo, &[]);
    assert_eq!(symbols(&answer), pairs(&[("Cart", "moved")]));
    assert_eq!(
        broken(&answer),
        [
            "shop/desk.py:1 dangling Cart resolved",
            "shop/desk.py:5 dangling Cart resolved"
        ]
    );
    edit(
        &repo,
        "shop/desk.py",
        "import Cart, net, tax",
        "import net, tax\nfrom shop.carts import Cart",
    );
    assert!(broken(&json(&repo, &[])).is_empty());
}

#[test]
fn a_file_under_another_name_is_the_same_file() {
    let repo = shop();
    repo.git(&["mv", "shop/prices.py", "shop/costs.py"]);
    edit(&repo, "shop/costs.py", "RATE = 7", "RATE = 8");
    let answer = json(&repo, &[]);
    assert_eq!(answer["files"][0]["change"], "renamed");
    assert_eq!(answer["files"][0]["was"], "shop/prices.py");
    assert_eq!(symbols(&answer), pairs(&[("RATE", "body")]));
    let lines: Vec<String> = broken(&answer);
    assert!(
        lines.contains(&"shop/desk.py:1 dangling shop/prices.py resolved".to_owned()),
        "{lines:?}"
    );
}

#[test]
fn members_of_subtypes_are_left_behind() {
    let repo = TestRepo::init();
    repo.write(
        "a.ts",
        "export interface Store {\n  load(key: string): string;\n}\n\n\
         export class Disk implements Store {\n  load(key: string): string {\n    return key;\n  }\n}\n",
    )
    .write(
        "b.ts",
        "import { Store } from './a';\n\nexport class Memory implements Store {\n  \
         load(key: string): string {\n    return key + key;\n  }\n}\n",
    );
    repo.commit("one");
    edit(
        &repo,
        "a.ts",
        "load(key: string): string;",
        "load(key: string): string;\n  drop(key: string): void;",
    );
    edit(
        &repo,
        "a.ts",
        "return key;\n  }",
        "return key;\n  }\n  drop(key: string): void {}",
    );
    let answer = json(&repo, &[]);
    assert_eq!(broken(&answer), ["b.ts:3 missing Store.drop inferred"]);
}

#[test]
fn both_states_are_named_as_git_names_them() {
    let repo = shop();
    edit(&repo, "shop/prices.py", "RATE = 7", "RATE = 8");
    repo.commit("two");
    repo.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    edit(&repo, "shop/prices.py", "share / 100", "share / 200");
    let side = repo.commit("three");
    let main = repo.git(&["branch", "--format=%(refname:short)"]);
    let main = main
        .lines()
        .find(|name| *name != "side")
        .unwrap()
        .to_owned();
    // What is on the side alone.
    let answer = json(&repo, &[&main]);
    assert_eq!(symbols(&answer), pairs(&[("tax", "body")]));
    assert_eq!(answer["chosen"], format!("merge base with {main}"));
    let answer = json(&repo, &[&format!("{main}...{side}")]);
    assert_eq!(symbols(&answer), pairs(&[("tax", "body")]));
    // Two states.
    let answer = json(&repo, &[&format!("{main}..{side}")]);
    assert_eq!(
        symbols(&answer),
        pairs(&[("RATE", "body"), ("tax", "body")])
    );
    // Without a range: where the branch left the default one.
    repo.write("new.py", "def fresh():\n    return 1\n");
    let answer = json(&repo, &[]);
    assert_eq!(
        symbols(&answer),
        pairs(&[("fresh", "added"), ("tax", "body")])
    );
    let out = repo.sverklo(&["diff", "nowhere"]);
    assert_eq!(out.status, Some(2), "{out:?}");
    assert!(out.stderr.contains("nowhere"), "{out:?}");
}

#[test]
fn odd_histories_have_clear_answers() {
    let repo = TestRepo::init();
    repo.write("a.py", "def f():\n    return 1\n");
    let answer = json(&repo, &[]);
    assert_eq!(symbols(&answer), pairs(&[("f", "added")]));
    assert_eq!(answer["chosen"], "no commits");
    repo.commit("one");
    repo.git(&["checkout", "-q", "--orphan", "other"]);
    repo.write("b.py", "def g():\n    return 2\n");
    repo.remove("a.py");
    repo.commit("unrelated");
    let main = repo.git(&["branch", "--format=%(refname:short)"]);
    let main = main
        .lines()
        .find(|name| *name != "other")
        .unwrap()
        .to_owned();
    let answer = json(&repo, &[&main]);
    let warnings = answer["index"]["warnings"].to_string();
    assert!(warnings.contains("no common ancestor"), "{warnings}");
    assert_eq!(symbols(&answer), pairs(&[("f", "removed"), ("g", "added")]));
}

#[test]
fn calls_that_no_longer_fit_are_told() {
    let repo = shop();
    edit(
        &repo,
        "shop/prices.py",
        "def tax(amount):",
        "def tax(amount, country):",
    );
    edit(
        &repo,
        "shop/prices.py",
        "amount - tax(amount)",
        "amount - tax(amount, 'de')",
    );
    edit(
        &repo,
        "shop/prices.py",
        "def add(self, line):",
        "def add(self, line, times=1):",
    );
    edit(
        &repo,
        "shop/prices.py",
        "self, owner):",
        "self, owner, *, id):",
    );
    let answer = json(&repo, &[]);
    assert_eq!(
        broken(&answer),
        [
            "shop/desk.py:7 misfit tax resolved",
            "shop/desk.py:5 misfit Cart resolved"
        ]
    );
    let out = repo.sverklo(&["diff"]).success();
    assert!(
        out.contains("  shop/desk.py:7 in pay | gives 1, takes 2\n"),
        "{out}"
    );
    // Who was mended is not told of.
    edit(&repo, "shop/desk.py", "Cart('me')", "Cart('me', id=1)");
    edit(
        &repo,
        "shop/desk.py",
        "+ tax(amount)",
        "+ tax(amount, 'de')",
    );
    assert!(broken(&json(&repo, &[])).is_empty());
}

#[test]
fn what_was_given_for_one_parameter_is_not_taken_for_another_unseen() {
    let repo = TestRepo::init();
    repo.write("go.mod", "module m\n\ngo 1.19\n")
        .write(
            "a.go",
            "package m\n\nfunc Use(names ...string) {}\n\nfunc Div(a int, b int) int {\n\treturn a / b\n}\n",
        )
        .write(
            "b.go",
            "package m\n\nfunc All(xs []string) int {\n\tUse(\"a\")\n\tUse()\n\tUse(xs...)\n\treturn Div(1, 2)\n}\n",
        );
    repo.commit("one");
    edit(&repo, "a.go", "Use(names", "Use(strict bool, names");
    let answer = json(&repo, &[]);
    assert_eq!(
        broken(&answer),
        [
            "b.go:4 misfit Use inferred",
            "b.go:5 misfit Use resolved",
            "b.go:6 misfit Use resolved"
        ]
    );
    let reason = &answer["broken"][0]["reason"];
    assert_eq!(reason, "gives for names what strict takes now");
    // Nor where they change places, unless the caller did too.
    repo.git(&["checkout", "-q", "."]);
    edit(&repo, "a.go", "a int, b int", "b int, a int");
    assert_eq!(broken(&json(&repo, &[])), ["b.go:7 misfit Div inferred"]);
    edit(&repo, "b.go", "Div(1, 2)", "Div(2, 1)");
    assert!(broken(&json(&repo, &[])).is_empty());
    // Another name in the same place takes the same.
    repo.git(&["checkout", "-q", "."]);
    edit(&repo, "a.go", "a int, b int", "whole int, part int");
    edit(&repo, "a.go", "a / b", "whole / part");
    assert!(broken(&json(&repo, &[])).is_empty());
}

#[test]
fn overloads_take_what_one_of_them_takes() {
    let repo = TestRepo::init();
    repo.write(
        "src/Shop.java",
        "package a;\n\npublic class Shop {\n  int pay(int a) {\n    return a;\n  }\n\n  \
         int run() {\n    return pay(1);\n  }\n}\n",
    );
    repo.commit("one");
    edit(
        &repo,
        "src/Shop.java",
        "int pay(int a) {\n    return a;",
        "int pay(int a, int b) {\n    return a;",
    );
    assert_eq!(
        broken(&json(&repo, &[])),
        ["src/Shop.java:9 misfit Shop.pay resolved"]
    );
    edit(
        &repo,
        "src/Shop.java",
        "  int run() {",
        "  int pay(int a) {\n    return pay(a, 2);\n  }\n\n  int run() {",
    );
    assert!(broken(&json(&repo, &[])).is_empty());
}

#[test]
fn what_rests_on_a_change_is_told_with_the_way_to_it() {
    let repo = shop();
    edit(&repo, "shop/prices.py", "share / 100", "share / 1000");
    let answer = json(&repo, &[]);
    let reach: Vec<String> = answer["reach"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| {
            format!(
                "{} {}",
                link["depth"],
                link["symbol"]["name"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(reach, ["1 net", "1 pay"]);
    let out = repo.sverklo(&["diff"]).success();
    assert!(
        out.contains("depend on what changed (2 definitions in 2 files), by steps:\n"),
        "{out}"
    );
}

#[test]
fn a_prototype_that_declares_what_was_is_left_behind() {
    let repo = TestRepo::init();
    repo.write(
        "add.h",
        "int add(int a, int b);\nint add_all(int, int);\nint twice(int a);\n",
    )
    .write(
        "add.c",
        "#include \"add.h\"\nstatic int half(int n);\nint add(int a, int b) { return a + b; }\n\
         int add_all(int a, int b) { return add(a, b); }\nint twice(int a) { return half(4 * a); }\n\
         static int half(int n) { return n / 2; }\n",
    )
    .write("other.c", "static int half(int n);\n");
    repo.commit("one");
    edit(
        &repo,
        "add.c",
        "int add(int a, int b)",
        "int add(int a, int b, int c)",
    );
    edit(
        &repo,
        "add.c",
        "int add_all(int a, int b)",
        "int add_all(long a, int b)",
    );
    edit(
        &repo,
        "add.c",
        "half(int n) { return n",
        "half(long n) { return n",
    );
    let left: Vec<String> = broken(&json(&repo, &["HEAD"]))
        .into_iter()
        .filter(|one| one.contains("left behind"))
        .collect();
    assert_eq!(
        left,
        [
            "add.h:1 left behind add inferred",
            "add.h:2 left behind add_all inferred",
            "add.c:2 left behind half inferred",
        ]
    );
    let text = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(text.contains("still declare add as it was"), "{text}");
    // The header follows, and nothing is left.
    edit(&repo, "add.h", "add(int a, int b);", "add(int, int, int);");
    let text = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(!text.contains("still declare add as it was"), "{text}");
}

/// A prototype may say what is given when nothing is, and the definition does not say it again.
#[test]
fn a_prototype_with_a_default_argument_is_not_left_behind() {
    let repo = TestRepo::init();
    repo.write("add.hpp", "int add(int a, int b = 2);\n").write(
        "add.cpp",
        "#include \"add.hpp\"\nint add(int a, int b) { return a + b; }\n",
    );
    repo.commit("one");
    edit(
        &repo,
        "add.cpp",
        "int add(int a, int b)",
        "int add(int a, int step)",
    );
    let text = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(!text.contains("still declare"), "{text}");
    edit(
        &repo,
        "add.cpp",
        "int add(int a, int step)",
        "int add(long a, int step)",
    );
    let text = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(text.contains("still declare add as it was"), "{text}");
}

#[test]
fn calls_of_one_function_that_no_longer_fit_are_told_in_a_line() {
    let repo = TestRepo::init();
    let calls = "    price(1)\n".repeat(20);
    repo.write("price.py", "def price(a):\n    return a\n")
        .write(
            "test_price.py",
            format!("from price import price\n\n\ndef test_all():\n{calls}"),
        );
    repo.commit("one");
    edit(&repo, "price.py", "price(a)", "price(a, b)");
    let text = repo.sverklo(&["diff", "HEAD"]).success();
    let line =
        "test_price.py:5,6,7,8,9,10,11,12,13,14,15,16 and 8 more in test_all | gives 1, takes 2\n";
    assert!(text.contains("20 places left behind"), "{text}");
    assert!(text.contains(line), "{text}");
}
