//! `diff --with` and `--with-worktrees`: what merges would come to.

use super::harness::TestRepo;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file and its text; empty for none.
type Files<'a> = &'a [(&'a str, &'a str)];

fn write(repo: &TestRepo, files: Files<'_>) {
    for (path, text) in files {
        match text.is_empty() {
            true => drop(repo.remove(path)),
            false => drop(repo.write(path, text)),
        }
    }
}

/// A repository with a branch `theirs`, and our branch checked out.
fn parted(base: Files<'_>, ours: Files<'_>, theirs: Files<'_>) -> TestRepo {
    let repo = TestRepo::init();
    write(&repo, base);
    repo.commit("base");
    repo.git(&["checkout", "-q", "-b", "theirs"]);
    write(&repo, theirs);
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "main"]);
    write(&repo, ours);
    repo.commit("ours");
    repo
}

fn ask(repo: &TestRepo, args: &[&str]) -> Vec<Value> {
    let args = [&["diff", "--json", "--budget", "20000"], args].concat();
    let out = repo.sverklo(&args);
    assert!(matches!(out.status, Some(0 | 1)), "{out:?}");
    let answer: Value = serde_json::from_str(&out.stdout).unwrap();
    answer["merges"].as_array().unwrap().clone()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// What is wrong: clash, side, place, what is expected.
fn clashes(merge: &Value) -> Vec<String> {
    let all = merge["conflicts"].as_array().cloned().unwrap_or_default();
    let said = all.iter().map(|found| {
        let sure = match text(found, "certainty") {
            "resolved" => "",
            _ => "~",
        };
        format!(
            "{}{sure} {} {}:{} {}",
            text(found, "clash"),
            text(found, "side"),
            text(found, "path"),
            found["line"],
            text(found, "expected")
        )
    });
    said.collect()
}

/// Whatever merges in text and is broken all the same, from both sides.
#[track_caller]
fn check(base: Files<'_>, user: Files<'_>, changer: Files<'_>, expected: &[&str]) {
    for is_ours in [true, false] {
        let repo = match is_ours {
            true => parted(base, user, changer),
            false => parted(base, changer, user),
        };
        let [merge] = &ask(&repo, &["--with", "theirs"])[..] else {
            panic!("one merge was asked for");
        };
        assert_eq!(text(merge, "fate"), "clean", "{merge}");
        let side = match is_ours {
            true => "ours",
            false => "theirs",
        };
        let expected: Vec<String> = expected.iter().map(|e| e.replace("SIDE", side)).collect();
        assert_eq!(clashes(merge), expected, "{merge}");
        let commits = merge["conflicts"].as_array().cloned().unwrap_or_default();
        let changer = repo.git(&["rev-parse", if is_ours { "theirs" } else { "main" }]);
        for found in commits {
            assert!(changer.starts_with(text(&found, "commit")), "{found}");
            assert!(!text(&found, "commit").is_empty(), "{found}");
        }
    }
}

const PYTHON: Files<'_> = &[
    ("shop/__init__.py", "VERSION = 1\n"),
    (
        "shop/prices.py",
        "RATE = 7\n\n\ndef net(amount):\n    share = amount * RATE\n    return amount - share\n\n\n\
         def gross(amount):\n    return amount + RATE\n",
    ),
    (
        "shop/desk.py",
        "from shop.prices import gross, net\n\n\ndef pay(amount):\n    return net(amount)\n\n\n\
         def owe(amount):\n    return gross(amount)\n",
    ),
];

#[test]
fn python() {
    let user: Files<'_> = &[(
        "shop/till.py",
        "from shop.prices import net\n\n\ndef till(amount):\n    return net(amount) * 2\n",
    )];
    let removed: Files<'_> = &[
        (
            "shop/prices.py",
            "RATE = 7\n\n\ndef gross(amount):\n    return amount + RATE\n",
        ),
        (
            "shop/desk.py",
            "from shop.prices import gross\n\n\ndef pay(amount):\n    return amount\n\n\n\
             def owe(amount):\n    return gross(amount)\n",
        ),
    ];
    check(
        PYTHON,
        user,
        removed,
        &[
            "removed SIDE shop/till.py:1 net",
            "removed SIDE shop/till.py:5 net",
        ],
    );
    let renamed: Vec<(&str, String)> = PYTHON[1..]
        .iter()
        .map(|(path, text)| (*path, text.replace("net", "net_of_tax")))
        .collect();
    let renamed: Vec<(&str, &str)> = renamed.iter().map(|(p, t)| (*p, t.as_str())).collect();
    check(
        PYTHON,
        user,
        &renamed,
        &[
            "renamed SIDE shop/till.py:1 net",
            "renamed SIDE shop/till.py:5 net",
        ],
    );
    let widened: Vec<(&str, String)> = PYTHON[1..]
        .iter()
        .map(|(path, text)| {
            let text = text.replace("def net(amount", "def net(amount, rate");
            (
                *path,
                text.replace("return net(amount", "return net(amount, 7"),
            )
        })
        .collect();
    let widened: Vec<(&str, &str)> = widened.iter().map(|(p, t)| (*p, t.as_str())).collect();
    check(
        PYTHON,
        user,
        &widened,
        &["signature SIDE shop/till.py:5 net"],
    );
    // What need not be given is no conflict.
    let optional: Files<'_> = &[(
        "shop/prices.py",
        "RATE = 7\n\n\ndef net(amount, rate=7):\n    share = amount * rate\n    return amount - share\n\n\n\
         def gross(amount):\n    return amount + RATE\n",
    )];
    check(PYTHON, user, optional, &[]);
    // The import goes with its last use.
    let unimported: Files<'_> = &[(
        "shop/desk.py",
        "from shop.prices import gross\n\n\ndef pay(amount):\n    return amount\n\n\n\
         def owe(amount):\n    return gross(amount)\n",
    )];
    let one_more: Files<'_> = &[(
        "shop/desk.py",
        "from shop.prices import gross, net\n\n\ndef pay(amount):\n    return net(amount)\n\n\n\
         def owe(amount):\n    return gross(amount)\n\n\ndef both(amount):\n    return net(amount)\n",
    )];
    check(
        PYTHON,
        one_more,
        unimported,
        &["no longer imported~ SIDE shop/desk.py:13 net"],
    );
}

#[test]
fn typescript() {
    let base: Files<'_> = &[
        ("tsconfig.json", "{}\n"),
        (
            "src/prices.ts",
            "const RATE = 7;\n\nexport function net(amount: number) {\n  return amount - RATE;\n}\n\n\
             export function gross(amount: number) {\n  return amount + RATE;\n}\n",
        ),
        (
            "src/desk.ts",
            "import { gross, net } from './prices';\n\nexport function pay(a: number) {\n  \
             return net(a) + gross(a);\n}\n",
        ),
        (
            "src/shape.ts",
            "export interface Shape {\n  area(): number;\n}\n\nexport class Dot implements Shape {\n  \
             area() {\n    return 0;\n  }\n}\n",
        ),
    ];
    let user: Files<'_> = &[(
        "src/till.ts",
        "import { net } from './prices';\n\nexport const till = (a: number) => net(a) * 2;\n",
    )];
    let moved: Files<'_> = &[
        (
            "src/prices.ts",
            "const RATE = 7;\n\nexport function gross(amount: number) {\n  return amount + RATE;\n}\n",
        ),
        (
            "src/net.ts",
            "const RATE = 7;\n\nexport function net(amount: number) {\n  return amount - RATE;\n}\n",
        ),
        (
            "src/desk.ts",
            "import { net } from './net';\nimport { gross } from './prices';\n\n\
             export function pay(a: number) {\n  return net(a) + gross(a);\n}\n",
        ),
    ];
    check(
        base,
        user,
        moved,
        &[
            "moved SIDE src/till.ts:1 net",
            "moved SIDE src/till.ts:3 net",
        ],
    );
    let widened: Files<'_> = &[
        (
            "src/prices.ts",
            "const RATE = 7;\n\nexport function net(amount: number, rate: number) {\n  \
             return amount - rate;\n}\n\nexport function gross(amount: number) {\n  return amount + RATE;\n}\n",
        ),
        (
            "src/desk.ts",
            "import { gross, net } from './prices';\n\nexport function pay(a: number) {\n  \
             return net(a, 7) + gross(a);\n}\n",
        ),
    ];
    check(base, user, widened, &["signature SIDE src/till.ts:3 net"]);
    let wants: Files<'_> = &[(
        "src/shape.ts",
        "export interface Shape {\n  area(): number;\n  name(): string;\n}\n\n\
         export class Dot implements Shape {\n  area() {\n    return 0;\n  }\n  name() {\n    \
         return 'dot';\n  }\n}\n",
    )];
    let line: Files<'_> = &[(
        "src/line.ts",
        "import { Shape } from './shape';\n\nexport class Line implements Shape {\n  area() {\n    \
         return 0;\n  }\n}\n",
    )];
    check(base, line, wants, &["lacks~ SIDE src/line.ts:3 Shape.name"]);
    // What it inherits from others counts, and that it has others does not.
    let marks: Files<'_> = &[(
        "src/marks.ts",
        "import { Shape } from './shape';\n\nclass Base {\n  size() {\n    return 1;\n  }\n}\n\n\
         class Named extends Base {\n  name() {\n    return '';\n  }\n}\n\n\
         export class Mark extends Base implements Shape {\n  area() {\n    return 0;\n  }\n}\n\n\
         export class Sign extends Named implements Shape {\n  area() {\n    return 0;\n  }\n}\n",
    )];
    check(
        base,
        marks,
        wants,
        &["lacks~ SIDE src/marks.ts:15 Shape.name"],
    );
    // What may be left out is not lacked, and a type beside one that has it is another type.
    let may = wants[0].1.replace("  name(): s", "  name?(): s");
    check(base, line, &[("src/shape.ts", &may)], &[]);
    let pair: Files<'_> = &[(
        "src/pair.ts",
        "import { Shape } from './shape';\n\nexport class Full implements Shape {\n  area() {\n    \
         return 0;\n  }\n  name() {\n    return '';\n  }\n}\n\nexport class Half implements Shape {\n  \
         area() {\n    return 0;\n  }\n}\n",
    )];
    check(
        base,
        pair,
        wants,
        &["lacks~ SIDE src/pair.ts:12 Shape.name"],
    );
}

#[test]
fn go() {
    let base: Files<'_> = &[
        ("go.mod", "module example.com/shop\n\ngo 1.21\n"),
        (
            "prices/prices.go",
            "package prices\n\nconst rate = 7\n\nfunc Net(amount int) int {\n\treturn amount - rate\n}\n",
        ),
        (
            "desk/desk.go",
            "package desk\n\nimport \"example.com/shop/prices\"\n\nfunc Pay(a int) int {\n\t\
             return prices.Net(a)\n}\n",
        ),
    ];
    let user: Files<'_> = &[(
        "desk/till.go",
        "package desk\n\nimport \"example.com/shop/prices\"\n\nfunc Till(a int) int {\n\t\
         return prices.Net(a) * 2\n}\n",
    )];
    let renamed: Files<'_> = &[
        (
            "prices/prices.go",
            "package prices\n\nconst rate = 7\n\nfunc NetOf(amount int) int {\n\treturn amount - rate\n}\n",
        ),
        (
            "desk/desk.go",
            "package desk\n\nimport \"example.com/shop/prices\"\n\nfunc Pay(a int) int {\n\t\
             return prices.NetOf(a)\n}\n",
        ),
    ];
    check(base, user, renamed, &["renamed SIDE desk/till.go:6 Net"]);
    let widened: Files<'_> = &[
        (
            "prices/prices.go",
            "package prices\n\nfunc Net(amount int, rate int) int {\n\treturn amount - rate\n}\n",
        ),
        (
            "desk/desk.go",
            "package desk\n\nimport \"example.com/shop/prices\"\n\nfunc Pay(a int) int {\n\t\
             return prices.Net(a, 7)\n}\n",
        ),
    ];
    check(base, user, widened, &["signature SIDE desk/till.go:6 Net"]);
    // A name that a function binds is not the function of that name.
    let local: Files<'_> = &[(
        "prices/own.go",
        "package prices\n\nfunc Own(a int) int {\n\tNet := func(b int) int { return b }\n\t\
         return Net(a)\n}\n",
    )];
    check(base, local, renamed, &[]);
    // A list that is handed on as the rest is no other parameter.
    let sum: Files<'_> = &[(
        "desk/sum.go",
        "package desk\n\nfunc sum(all ...int) int {\n\treturn len(all)\n}\n",
    )];
    let handed: Files<'_> = &[(
        "desk/all.go",
        "package desk\n\nfunc both(all ...int) int {\n\treturn sum(all...)\n}\n",
    )];
    let scaled: Files<'_> = &[(
        "desk/sum.go",
        "package desk\n\nfunc sum(by int, all ...int) int {\n\treturn len(all) * by\n}\n",
    )];
    let whole = [base, sum].concat();
    check(
        &whole,
        handed,
        scaled,
        &["signature SIDE desk/all.go:4 sum"],
    );
    // One package, two files.
    let one: Files<'_> = &[(
        "desk/one.go",
        "package desk\n\nfunc round(a int) int {\n\treturn a / 10 * 10\n}\n\nfunc init() {}\n",
    )];
    let two: Files<'_> = &[(
        "desk/two.go",
        "package desk\n\nfunc round(a int) int {\n\treturn a\n}\n\nfunc init() {}\n",
    )];
    let repo = parted(base, one, two);
    let merges = ask(&repo, &["--with", "theirs"]);
    assert_eq!(
        clashes(&merges[0]),
        ["defined twice ours desk/one.go:3 round"]
    );
    assert_eq!(merges[0]["conflicts"][0]["at"], "desk/two.go:3-5");
    // The same name in another package is another name.
    let repo = parted(
        base,
        one,
        &[(
            "prices/two.go",
            "package prices\n\nfunc round(a int) int {\n\treturn a\n}\n",
        )],
    );
    assert!(clashes(&ask(&repo, &["--with", "theirs"])[0]).is_empty());
}

#[test]
fn rust() {
    let base: Files<'_> = &[
        (
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        ),
        (
            "src/lib.rs",
            "pub mod desk;\npub mod prices;\npub mod till;\n",
        ),
        (
            "src/prices.rs",
            "const RATE: i64 = 7;\n\npub fn net(amount: i64) -> i64 {\n    amount - RATE\n}\n\n\
             pub trait Priced {\n    fn price(&self) -> i64;\n}\n",
        ),
        (
            "src/desk.rs",
            "use crate::prices::{Priced, net};\n\npub struct Desk;\n\nimpl Priced for Desk {\n    \
             fn price(&self) -> i64 {\n        net(3)\n    }\n}\n",
        ),
        ("src/till.rs", "pub fn till() -> i64 {\n    1\n}\n"),
    ];
    let user: Files<'_> = &[(
        "src/till.rs",
        "use crate::prices::net;\n\npub fn till() -> i64 {\n    net(1)\n}\n",
    )];
    let renamed: Vec<(&str, String)> = base[2..4]
        .iter()
        .map(|(path, text)| (*path, text.replace("net", "net_of")))
        .collect();
    let renamed: Vec<(&str, &str)> = renamed.iter().map(|(p, t)| (*p, t.as_str())).collect();
    check(
        base,
        user,
        &renamed,
        &[
            "renamed SIDE src/till.rs:1 net",
            "renamed SIDE src/till.rs:4 net",
        ],
    );
    // A module has another name, and somebody else begins to write a path through the old one.
    let root =
        "pub mod prices;\npub mod desk;\npub mod till;\n\npub fn first() -> i64 {\n    1\n}\n";
    let base_of_path = [base, &[("src/lib.rs", root)]].concat();
    let more = format!("{root}\npub fn more() -> i64 {{\n    prices::net(1)\n}}\n");
    let path: Files<'_> = &[("src/lib.rs", &more)];
    let moved_root = root.replace("prices", "rates");
    let moved_desk = base[3].1.replace("prices", "rates");
    let moved: Files<'_> = &[
        ("src/lib.rs", &moved_root),
        ("src/prices.rs", ""),
        ("src/rates.rs", base[2].1),
        ("src/desk.rs", &moved_desk),
    ];
    let expected = ["removed SIDE src/lib.rs:10 src/prices.rs"];
    check(&base_of_path, path, moved, &expected);
    let all: Files<'_> = &[(
        "src/till.rs",
        "use crate::prices::*;\n\npub fn till() -> i64 {\n    net(1)\n}\n",
    )];
    let found = ask(&parted(&base_of_path, all, moved), &["--with", "theirs"]);
    let found = clashes(&found[0]);
    assert!(
        found.contains(&"removed ours src/till.rs:1 src/prices.rs".to_owned()),
        "{found:?}"
    );
    let wants: Files<'_> = &[
        (
            "src/prices.rs",
            "const RATE: i64 = 7;\n\npub fn net(amount: i64) -> i64 {\n    amount - RATE\n}\n\n\
             pub trait Priced {\n    fn price(&self) -> i64;\n    fn label(&self) -> String;\n}\n",
        ),
        (
            "src/desk.rs",
            "use crate::prices::{Priced, net};\n\npub struct Desk;\n\nimpl Priced for Desk {\n    \
             fn price(&self) -> i64 {\n        net(3)\n    }\n    fn label(&self) -> String {\n        \
             String::new()\n    }\n}\n",
        ),
    ];
    let implements: Files<'_> = &[(
        "src/till.rs",
        "use crate::prices::Priced;\n\npub struct Till;\n\nimpl Priced for Till {\n    \
         fn price(&self) -> i64 {\n        1\n    }\n}\n",
    )];
    check(
        base,
        implements,
        wants,
        &["lacks~ SIDE src/till.rs:3 Priced.label"],
    );
    let widened: Files<'_> = &[
        (
            "src/prices.rs",
            "pub fn net(amount: i64, rate: i64) -> i64 {\n    amount - rate\n}\n\n\
             pub trait Priced {\n    fn price(&self) -> i64;\n}\n",
        ),
        (
            "src/desk.rs",
            "use crate::prices::{Priced, net};\n\npub struct Desk;\n\nimpl Priced for Desk {\n    \
             fn price(&self) -> i64 {\n        net(3, 7)\n    }\n}\n",
        ),
    ];
    check(base, user, widened, &["signature SIDE src/till.rs:4 net"]);
    // Both add a function to one file, far apart.
    let before: Files<'_> = &[(
        "src/prices.rs",
        "const RATE: i64 = 7;\n\npub fn half(amount: i64) -> i64 {\n    amount / 2\n}\n\n\
         pub fn net(amount: i64) -> i64 {\n    amount - RATE\n}\n\n\
         pub trait Priced {\n    fn price(&self) -> i64;\n}\n",
    )];
    let after: Files<'_> = &[(
        "src/prices.rs",
        "const RATE: i64 = 7;\n\npub fn net(amount: i64) -> i64 {\n    amount - RATE\n}\n\n\
         pub trait Priced {\n    fn price(&self) -> i64;\n}\n\n\
         pub fn half(amount: i64) -> i64 {\n    amount - amount / 2\n}\n",
    )];
    let repo = parted(base, before, after);
    let merges = ask(&repo, &["--with", "theirs"]);
    assert_eq!(
        clashes(&merges[0]),
        ["defined twice ours src/prices.rs:3 half"]
    );
}

#[test]
fn what_fits_is_silent() {
    let user: Files<'_> = &[(
        "shop/till.py",
        "from shop.prices import net\n\n\ndef till(amount):\n    return net(amount) * 2\n",
    )];
    let body: Files<'_> = &[(
        "shop/prices.py",
        "RATE = 8\n\n\ndef net(amount):\n    share = amount * RATE / 100\n    return amount - share\n\n\n\
         def gross(amount):\n    return amount + RATE\n\n\ndef more(amount):\n    return amount\n",
    )];
    check(PYTHON, user, body, &[]);
    // Of two modules of a package one is gone, and somebody imports the other.
    let whole = [
        PYTHON,
        &[("shop/till.py", "from shop import desk, prices\n")],
    ]
    .concat();
    let one: Files<'_> = &[(
        "shop/till.py",
        "from shop import prices\n\n\nprices.RATE = 9\n",
    )];
    check(&whole, one, &[("shop/desk.py", "")], &[]);
    // What they broke by themselves is not of the merge.
    let broken: Files<'_> = &[("shop/prices.py", "RATE = 7\n")];
    let other: Files<'_> = &[("shop/other.py", "def other():\n    return 1\n")];
    check(PYTHON, other, broken, &[]);
}

#[test]
fn what_both_changed_is_to_be_read_with_care() {
    let change = |from: &str, to: &str| PYTHON[1].1.replace(from, to);
    let repo = parted(
        PYTHON,
        &[(
            "shop/prices.py",
            &change(
                "    share = amount * RATE\n    return amount - share",
                "    share = amount * RATE\n    print(share)\n    return amount - share",
            ),
        )],
        &[(
            "shop/prices.py",
            &change("def net(amount):", "def net(amount: int) -> int:"),
        )],
    );
    let merges = ask(&repo, &["--with", "theirs"]);
    // Neighbouring lines may collide in git's eyes; then there is nothing to add.
    if text(&merges[0], "fate") == "clean" {
        assert_eq!(merges[0]["both_changed"][0]["name"], "net");
    } else {
        assert_eq!(merges[0]["collisions"][0]["path"], "shop/prices.py");
    }
}

#[test]
fn text_that_collides_is_listed_with_our_lines() {
    let change = |to: &str| PYTHON[1].1.replace("RATE = 7", to);
    let repo = parted(
        PYTHON,
        &[("shop/prices.py", &change("RATE = 8"))],
        &[("shop/prices.py", &change("RATE = 9"))],
    );
    let merges = ask(
        &repo,
        &["--with", "theirs", "--with", "main", "--with", "nowhere"],
    );
    assert_eq!(text(&merges[0], "fate"), "collides");
    assert_eq!(
        (&merges[0]["ahead"], &merges[0]["behind"]),
        (&1.into(), &1.into())
    );
    assert_eq!(
        merges[0]["collisions"][0]["lines"][0],
        serde_json::json!([1, 1])
    );
    assert_eq!(text(&merges[1], "fate"), "contained");
    assert_eq!(text(&merges[2], "fate"), "unknown");
    assert!(
        text(&merges[2], "reason").contains("unknown revision"),
        "{}",
        merges[2]
    );
    let out = repo.sverklo(&["diff", "--with", "theirs"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(
        out.stdout
            .contains("text collides shop/prices.py:1-1 (content)"),
        "{out:?}"
    );
    let out = repo.sverklo(&["diff", "--with", "main"]);
    assert_eq!(out.status, Some(0), "{out:?}");
}

/// Every file below a folder with what it holds.
fn listing(top: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut open = vec![top.to_owned()];
    let mut found = BTreeMap::new();
    while let Some(place) = open.pop() {
        match place.is_dir() {
            true => {
                let inner = std::fs::read_dir(&place).unwrap();
                open.extend(inner.map(|entry| entry.unwrap().path()));
            }
            false => drop(found.insert(place.clone(), std::fs::read(&place).unwrap())),
        }
    }
    found
}

#[test]
fn work_trees_are_merged_with_what_is_uncommitted_in_them() {
    let repo = TestRepo::init();
    write(&repo, PYTHON);
    repo.commit("base");
    let top = |name: &str| repo.beside(name).display().to_string();
    for name in ["agent", "idle", "away", "gone"] {
        repo.git(&["worktree", "add", "-q", "-b", name, &top(name)]);
    }
    let agent = repo.at(repo.beside("agent"));
    // They rename, we use it by its old name; nobody has committed anything.
    for (path, text) in &PYTHON[1..] {
        agent.write(path, text.replace("net", "net_of_tax"));
    }
    repo.write(
        "shop/till.py",
        "from shop.prices import net\n\n\ndef till(amount):\n    return net(amount) * 2\n",
    );
    repo.git(&["worktree", "lock", &top("away")]);
    for name in ["away", "gone"] {
        std::fs::remove_dir_all(repo.beside(name)).unwrap();
    }
    let first = ask(&repo, &["--with-worktrees"]);
    let git_dir = repo.dir().join(".git");
    let before = (listing(&git_dir), listing(agent.dir()));
    let merges = ask(&repo, &["--with-worktrees"]);
    assert!((listing(&git_dir), listing(agent.dir())) == before);
    assert_eq!(first, merges);
    let by_branch = |name: &str| {
        let mut all = merges.iter();
        all.find(|merge| text(merge, "branch") == name).unwrap()
    };
    let agent = by_branch("agent");
    assert_eq!(text(agent, "fate"), "clean");
    assert_eq!(agent["dirty"], 2);
    assert_eq!(
        clashes(agent),
        [
            "renamed ours shop/till.py:1 net",
            "renamed ours shop/till.py:5 net"
        ]
    );
    assert!(agent["conflicts"][0].get("commit").is_none(), "{agent}");
    assert_eq!(text(by_branch("idle"), "fate"), "contained");
    for (name, why) in [("away", "locked"), ("gone", "gone")] {
        assert_eq!(text(by_branch(name), "fate"), "unknown");
        assert!(
            text(by_branch(name), "reason").starts_with(why),
            "{}",
            by_branch(name)
        );
    }
    // And the other way round, from their work tree.
    let from_there = repo.at(repo.beside("agent"));
    let merges = ask(&from_there, &["--with-worktrees"]);
    let main = merges
        .iter()
        .find(|merge| text(merge, "branch") == "main")
        .unwrap();
    assert_eq!(
        clashes(main),
        [
            "renamed theirs shop/till.py:1 net",
            "renamed theirs shop/till.py:5 net"
        ]
    );
}
