//! What `diff` does not tell of: places that look as if they were left behind, and are not.

use super::harness::TestRepo;
use crate::mcp::{call, text, with_client};
use serde_json::{Value, json};

/// The places that are told as broken, by path and line.
fn broken(repo: &TestRepo) -> Vec<String> {
    let out = repo.sverklo(&["diff", "--json", "--budget", "20000"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    let answer: Value = serde_json::from_str(&out.stdout).unwrap();
    let all = answer["broken"].as_array().cloned().unwrap_or_default();
    let place = |found: &Value| format!("{}:{}", found["path"].as_str().unwrap(), found["line"]);
    all.iter().map(place).collect()
}

#[test]
fn a_parameter_that_gets_a_name_and_a_type_takes_the_same() {
    let repo = TestRepo::init();
    repo.write("commands.py", "def command(path):\n    return path\n")
        .write(
            "addon.py",
            "from commands import command\n\n\n@command('one')\ndef run():\n    command('two')\n    command(path='three')\n",
        );
    repo.commit("one");
    repo.write(
        "commands.py",
        "def command(name: str = '') -> str:\n    return name\n",
    );
    assert_eq!(broken(&repo), ["addon.py:7"], "but who said its name");
    // With two types it is another.
    repo.write(
        "commands.py",
        "def command(path: bytes):\n    return path\n",
    );
    repo.commit("two");
    repo.write("commands.py", "def command(name: str):\n    return name\n");
    assert_eq!(broken(&repo), ["addon.py:4", "addon.py:6", "addon.py:7"]);
}

#[test]
fn a_call_that_never_fitted_is_of_something_else() {
    let repo = TestRepo::init();
    let area = "pub struct Area {\n    end: usize,\n}\n\nimpl Area {\n    pub fn holds(&self, col: usize, line: u32) -> bool {\n        \
                col < self.end && line > 0\n    }\n}\n";
    repo.write(
        "Cargo.toml",
        "[package]\nname = \"a\"\nversion = \"1.0.0\"\n",
    )
    .write("src/lib.rs", format!("mod flags;\n\n{area}"))
    .write(
        "src/flags.rs",
        "bits! { pub struct Flags { const WRAP = 1; } }\n\npub struct Cell {\n    pub flags: Flags,\n}\n\n\
             pub fn wraps(row: &[Cell]) -> bool {\n    row[0].flags.holds(Flags::WRAP)\n}\n\n\
             pub fn inside(area: &crate::Area) -> bool {\n    area.holds(1, 2)\n}\n",
    );
    repo.commit("one");
    let area = area
        .replace("col: usize, line: u32", "point: Point")
        .replace("col < self.end && line > 0", "point.is_before(self.end)");
    repo.write("src/lib.rs", format!("mod flags;\n\n{area}"));
    assert_eq!(broken(&repo), ["src/flags.rs:12"]);
}

#[test]
fn who_edited_a_call_over_several_lines_has_seen_the_change() {
    let repo = TestRepo::init();
    let callers = "from shapes import area\n\n\ndef one():\n    return area(\n        1,\n        'm',\n        2,\n    )\n\n\n\
                   def other():\n    return area(\n        1,\n        'm',\n        2,\n    )\n";
    repo.write(
        "shapes.py",
        "def area(a: int, unit: str, b: int = 0):\n    return a * b\n",
    )
    .write("rooms.py", callers);
    repo.commit("one");
    // The first caller gives no unit any more, so its first line is as it was.
    repo.write(
        "shapes.py",
        "def area(a: int, b: int, c: int = 0):\n    return a * b + c\n",
    )
    .write("rooms.py", callers.replacen("        'm',\n", "", 1));
    assert_eq!(broken(&repo), ["rooms.py:12"]);
}

#[test]
fn an_import_names_no_field() {
    let repo = TestRepo::init();
    repo.write("Cargo.toml", "[package]\nname = \"a\"\nversion = \"1.0.0\"\n")
        .write("src/lib.rs", "mod cells;\nmod grid;\n")
        .write(
            "src/grid.rs",
            "pub struct Grid;\n\npub struct Row;\n\nimpl Grid {\n    pub fn size(&self) -> usize {\n        1\n    }\n}\n",
        )
        .write(
            "src/cells.rs",
            "use crate::grid::Grid;\n\npub struct Cells {\n    pub grid: Grid,\n}\n\n\
             pub fn size(cells: &Cells) -> usize {\n    cells.grid.size()\n}\n",
        );
    repo.commit("one");
    repo.write(
        "src/cells.rs",
        "use crate::grid::{Grid, Row};\n\npub struct Cells {\n    pub inner: Grid,\n    pub row: Row,\n}\n\n\
         pub fn size(cells: &Cells) -> usize {\n    cells.inner.size() + 1\n}\n",
    );
    assert!(broken(&repo).is_empty(), "{:?}", broken(&repo));
}

#[test]
fn a_field_that_became_a_property_answers() {
    let repo = TestRepo::init();
    repo.write(
        "dom.py",
        "class Node:\n    def __init__(self):\n        self.children = []\n\n    @property\n    def view(self):\n        \
         return self.children\n",
    )
    .write("app.py", "class App:\n    @property\n    def children(self):\n        return []\n")
    .write(
        "walk.py",
        "from dom import Node\n\n\ndef walk(root: Node, rest):\n    rest.append(root.children)\n    for node in rest:\n        \
         rest.append(node.view)\n",
    );
    repo.commit("one");
    repo.write(
        "dom.py",
        "class Node:\n    def __init__(self):\n        self._nodes = []\n\n    @property\n    def children(self):\n        \
         return self._nodes\n",
    )
    .write(
        "walk.py",
        "from dom import Node\n\n\ndef walk(root: Node, rest):\n    rest.append(root._nodes)\n    for node in rest:\n        \
         rest.append(node.children)\n",
    );
    assert!(broken(&repo).is_empty(), "{:?}", broken(&repo));
}

#[test]
fn a_call_that_hands_on_several_values_gives_as_many() {
    let repo = TestRepo::init();
    let lib =
        "package x\n\nfunc two() (int, error) { return 1, nil }\n\nfunc one() int { return 1 }\n";
    let takes =
        "func take(a int, err error) int { return a }\n\nfunc pair(a int) int { return a }\n";
    let uses = "package x\n\nfunc use() {\n\ttake(two())\n\tpair(one())\n\ttake(1, nil)\n}\n";
    repo.write("go.mod", "module x\n")
        .write("lib.go", lib)
        .write("takes.go", format!("package x\n\n{takes}"))
        .write("uses.go", uses);
    repo.commit("one");
    let more = takes.replace("err error)", "err error, n int)");
    let more = more.replace("pair(a int)", "pair(a, b int)");
    repo.write("takes.go", format!("package x\n\n{more}"));
    assert_eq!(broken(&repo), ["uses.go:4", "uses.go:6", "uses.go:5"]);
    // What is given changed with what is taken.
    let three = lib.replace(
        "(int, error) { return 1, nil }",
        "(int, error, int) { return 1, nil, 2 }",
    );
    repo.write("lib.go", three);
    assert_eq!(broken(&repo), ["uses.go:6", "uses.go:5"]);
}

#[test]
fn a_server_that_is_asked_again_reads_what_has_changed_since() {
    let repo = TestRepo::init();
    let prices = "def tax(amount):\n    return amount\n";
    let desk = "from prices import tax\n\n\ndef pay(amount):\n    return tax(amount)\n";
    repo.write("prices.py", prices).write("desk.py", desk);
    repo.commit("one");
    let repo = &repo;
    with_client(repo, |client| async move {
        let diff = || async {
            let asked = call("diff", json!({"range": "HEAD"}));
            let told = client.call_tool(asked).await.unwrap();
            text(&told).to_owned()
        };
        let broken = "  desk.py:5 in pay | gives 1, takes 2\n";
        repo.write("prices.py", prices.replace("(amount)", "(amount, rate)"));
        assert!(diff().await.contains(broken));
        assert!(diff().await.contains(broken), "asked again");
        // The same place gives something else.
        repo.write("desk.py", desk.replace("tax(amount)", "tax(amount, 1)"));
        let said = diff().await;
        assert!(!said.contains("gives"), "{said}");
        // The same definition takes something else.
        repo.write(
            "prices.py",
            prices.replace("(amount)", "(amount, rate, more)"),
        );
        let said = diff().await;
        assert!(
            said.contains("  desk.py:5 in pay | gives 2, takes 3\n"),
            "{said}"
        );
        // Once, as one of what changed, and not as a new call as well.
        assert!(!said.contains("do not fit"), "{said}");
        repo.write("desk.py", desk);
        repo.write("prices.py", prices.replace("(amount)", "(amount, rate)"));
        assert!(diff().await.contains(broken), "as it was");
        client.cancel().await.unwrap();
    });
}

#[test]
fn a_new_call_of_what_is_as_it_was_has_to_fit() {
    let repo = TestRepo::init();
    let desk =
        "from prices import tax, net, cached\n\n\ndef pay(amount):\n    return tax(amount)\n";
    repo.write(
        "prices.py",
        "import functools\n\n\ndef tax(amount):\n    return amount\n\n\ndef net(amount, rate=1):\n    return amount\n\n\n\
         @functools.partial\ndef cached(amount):\n    return amount\n",
    )
    .write("desk.py", format!("{desk}\n\ndef old():\n    return tax(1, 2, 3)\n"))
    .write("shop.ts", "export function sum(a: number): void;\nexport function sum(a: number, b: number): void;\nexport function sum(...all: number[]) {}\n")
    .write("loose.js", "export function twice(a) { return a }\n");
    repo.commit("one");
    let more = "\n\ndef more():\n    tax()\n    tax(1, 2)\n    tax(1)\n    net(1)\n    net(1, rate=2)\n    net(1, 2, 3)\n    cached()\n    tax(*all)\n";
    repo.write(
        "desk.py",
        format!("{desk}\n\ndef old():\n    return tax(1, 2, 3)\n{more}"),
    )
    .write(
        "use.ts",
        "import { sum } from './shop';\nsum(1, 2, 3);\nsum(1);\n",
    )
    .write("use.js", "import { twice } from './loose';\ntwice(1, 2);\n");
    // What was there before, and what may be meant by something else, is not told.
    assert_eq!(broken(&repo), ["desk.py:13", "desk.py:14", "desk.py:18"]);
    let said = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(
        said.contains(" | no use left behind | 3 new calls do not fit\n"),
        "{said}"
    );
    assert!(
        said.contains(
            "do not fit tax (prices.py:4-5):\n  desk.py:13 in more | gives 0, takes 1\n\ttax()\n  \
             desk.py:14 in more | gives 2, takes 1\n"
        ),
        "{said}"
    );
    assert!(
        said.contains("  desk.py:18 in more | gives 3, takes 1 to 2\n"),
        "{said}"
    );
}

#[test]
fn a_module_of_a_file_is_imported_as_before() {
    let repo = TestRepo::init();
    repo.write("src/lib.rs", "pub mod shop;\npub mod desk;\n")
        .write("src/shop/mod.rs", "pub mod prices;\n\npub struct Cart;\n")
        .write("src/shop/prices.rs", "pub fn net() -> u32 {\n    1\n}\n")
        .write(
            "src/desk.rs",
            "use crate::shop::Cart;\nuse crate::shop::prices;\n\npub fn pay(_: Cart) -> u32 {\n    prices::net()\n}\n",
        )
        .write("Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\n");
    repo.commit("one");
    repo.write(
        "src/shop/mod.rs",
        "pub mod prices;\n\npub struct Cart;\n\npub struct Basket;\n",
    );
    assert_eq!(broken(&repo), [""; 0]);
    // What is gone is told all the same.
    repo.git(&["rm", "-q", "src/shop/prices.rs"]);
    repo.write("src/shop/mod.rs", "pub struct Cart;\n");
    assert_eq!(broken(&repo), ["src/desk.rs:5"]);
}
