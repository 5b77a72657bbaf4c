//! `map --at A..B`: what came between two revisions, as release notes are written.

use super::harness::TestRepo;
use super::mcp::{call, text, with_client_of};
use serde_json::{Value, json};

/// The answer about a range.
#[track_caller]
fn json(repo: &TestRepo, range: &str) -> Value {
    let out = repo.sverklo(&["map", "--json", "--budget", "20000", "--at", range]);
    assert_eq!(out.status, Some(0), "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

/// What is told: section, words, name.
fn told(answer: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = answer["symbols"].as_array().cloned().unwrap_or_default();
    let all = all.iter().map(|one| {
        let words = one["change"].as_array().cloned().unwrap_or_default();
        let words: Vec<String> = words.iter().map(text).collect();
        format!(
            "{}: {} {}",
            text(&one["section"]),
            words.join(","),
            text(&one["name"])
        )
    });
    all.collect()
}

/// A package with an entry, a file behind it that others cannot reach, and a route.
fn package() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "package.json",
        "{\"name\": \"shop\", \"version\": \"1.0.0\", \"main\": \"./dist/index.js\"}\n",
    )
    .write(
        "src/index.ts",
        "export { price, Cart, round as rounded } from './price';\nexport * from './tax';\nimport { inner } from './inner';\nexport const go = () => inner(1);\n",
    )
    .write(
        "src/price.ts",
        "export function price(net: number): number {\n  return net * 2;\n}\nexport class Cart {\n  add(line: string): void {\n    this.lines.push(line);\n  }\n  private lines: string[] = [];\n}\nexport function round(n: number): number {\n  return Math.round(n);\n}\nexport function hidden(n: number): number {\n  return n - 1;\n}\n",
    )
    .write(
        "src/tax.ts",
        "export function tax(net: number): number {\n  return net / 5;\n}\nexport function duty(net: number): number {\n  const share = net * 3;\n  return share / 7 + 1;\n}\n",
    )
    .write("src/inner.ts", "export function inner(n: number): number {\n  return n;\n}\n");
    repo.commit("one");
    repo.git(&["tag", "v1"]);
    repo
}

#[test]
fn what_others_reach_through_the_entry_is_told_and_nothing_else() {
    let repo = package();
    repo.write(
        "src/price.ts",
        "export function price(net: number, rate: number): number {\n  return net * rate;\n}\nexport class Cart {\n  add(line: string, at?: number): void {\n    this.lines.push(line);\n  }\n  private lines: string[] = [];\n}\n/** @deprecated use price */\nexport function round(n: number): number {\n  return Math.round(n);\n}\nexport function hidden(): number {\n  return 1;\n}\n",
    )
    // Another body, and one that is gone: `tax` is behind a star.
    .write(
        "src/tax.ts",
        "export function tax(net: number): number {\n  return net / 6;\n}\nexport function fresh(): void {}\n",
    )
    .write("src/inner.ts", "export function inner(): number {\n  return 0;\n}\n");
    repo.commit("two");
    repo.git(&["tag", "v2"]);
    let answer = json(&repo, "v1..v2");
    assert_eq!(
        told(&answer),
        [
            "breaking: signature,body price",
            "breaking: removed duty",
            "deprecated: comments round",
            "added: signature Cart.add",
            "added: added fresh",
        ],
        "{answer:#}"
    );
    assert_eq!(answer["inside"], 1, "{answer:#}");
    assert_eq!(answer["total"], 5);
    assert_eq!(answer["shown"], 5);
    assert!(answer["index"]["commit"].is_string());
    let text = repo.sverklo(&["map", "--at", "v1..v2"]).success();
    let price = text
        .lines()
        .skip_while(|line| !line.contains("function price"))
        .take(3);
    assert_eq!(
        price.collect::<Vec<_>>(),
        [
            "  signature src/price.ts:1-3 function price | takes something else",
            "\t- export function price(net: number): number",
            "\t+ export function price(net: number, rate: number): number",
        ],
        "{text}"
    );
    // The other way round what was added is gone.
    let back = told(&json(&repo, "v2..v1"));
    assert!(
        back.contains(&"breaking: removed fresh".to_owned()),
        "{back:?}"
    );
    assert!(back.contains(&"added: added duty".to_owned()), "{back:?}");
}

#[test]
fn what_moved_behind_an_entry_is_where_it_was() {
    let repo = package();
    repo.write(
        "src/tax.ts",
        "export function tax(net: number): number {\n  return net / 5;\n}\nexport { duty } from './duty';\n",
    )
    .write(
        "src/duty.ts",
        "export function duty(net: number): number {\n  const share = net * 3;\n  return share / 7 + 1;\n}\n",
    );
    repo.commit("two");
    let out = repo.sverklo(&["map", "--json", "--at", "v1..HEAD"]);
    let answer: Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(told(&answer), Vec::<String>::new(), "{answer:#}");
    assert_eq!(out.status, Some(1), "nothing is told");
}

#[test]
fn a_private_package_has_nobody_else() {
    let repo = package();
    repo.write(
        "package.json",
        "{\"name\": \"shop\", \"private\": true, \"main\": \"./dist/index.js\"}\n",
    );
    repo.commit("private");
    repo.write("src/tax.ts", "export function other(): void {}\n");
    repo.commit("two");
    let out = repo.sverklo(&["map", "--json", "--at", "HEAD~1..HEAD"]);
    let answer: Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(told(&answer), Vec::<String>::new(), "{answer:#}");
}

#[test]
fn python_names_that_begin_with_an_underscore_are_nobodys_unless_passed_on() {
    let repo = TestRepo::init();
    repo.write("pyproject.toml", "[project]\nname = \"lib\"\n")
        .write("lib/__init__.py", "from ._core import run\n")
        .write(
            "lib/_core.py",
            "def run(a):\n    return a\n\n\ndef own(a):\n    return a\n",
        )
        .write(
            "lib/extra.py",
            "import warnings\n\n\ndef old(a):\n    return a + 1\n",
        );
    repo.commit("one");
    repo.write("lib/_core.py", "def run(a, b):\n    return a\n\n\ndef own():\n    return 1\n")
        .write(
            "lib/extra.py",
            "import warnings\n\n\ndef old(a):\n    warnings.warn('use new', DeprecationWarning)\n    return a + 1\n",
        );
    repo.commit("two");
    assert_eq!(
        told(&json(&repo, "HEAD~1..HEAD")),
        ["breaking: signature run", "deprecated: body old"]
    );
}

#[test]
fn only_public_modules_of_a_crate_are_told_of() {
    let repo = TestRepo::init();
    repo.write(
        "Cargo.toml",
        "[package]\nname = \"v\"\nversion = \"1.0.0\"\n",
    )
    .write(
        "src/lib.rs",
        "pub mod open;\nmod shut;\npub use shut::Given;\n",
    )
    .write("src/open.rs", "pub fn seen(a: u8) -> u8 {\n    a\n}\n")
    .write(
        "src/shut.rs",
        "pub struct Given {\n    pub a: u8,\n}\npub fn unseen(a: u8) -> u8 {\n    a\n}\n",
    );
    repo.commit("one");
    repo.write("src/open.rs", "pub fn seen(a: u16) -> u16 {\n    a\n}\n")
        .write(
            "src/shut.rs",
            "pub struct Given {\n    pub a: u16,\n}\npub fn unseen() -> u8 {\n    7\n}\n",
        );
    repo.commit("two");
    assert_eq!(
        told(&json(&repo, "HEAD~1..HEAD")),
        ["breaking: signature seen", "breaking: signature Given.a"]
    );
}

#[test]
fn a_package_of_go_is_its_folder_whatever_file_something_is_in() {
    let repo = TestRepo::init();
    let big = "func Walk(a int) int {\n\tb := a * 3\n\tif b > 7 {\n\t\treturn b - 1\n\t}\n\treturn b\n}\n";
    repo.write("go.mod", "module example.com/v\n\ngo 1.19\n")
        .write("a.go", format!("package v\n\n{big}"))
        .write("b.go", "package v\n\nfunc Other() {}\n");
    repo.commit("one");
    repo.write("a.go", "package v\n")
        .write("b.go", format!("package v\n\nfunc Other() {{}}\n\n{big}"));
    repo.commit("two");
    let out = repo.sverklo(&["map", "--json", "--at", "HEAD~1..HEAD"]);
    let answer: Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(told(&answer), Vec::<String>::new(), "{answer:#}");
}

#[test]
fn a_program_is_told_by_what_its_files_give_each_other() {
    let repo = TestRepo::init();
    repo.write(
        "main.c",
        "#include \"work.h\"\nint main(void) {\n  return work(1);\n}\n",
    )
    .write("work.h", "int work(int a);\n")
    .write(
        "work.c",
        "#include \"work.h\"\nint work(int a) {\n  return a;\n}\n",
    );
    repo.commit("one");
    repo.write(
        "main.c",
        "#include \"work.h\"\nint main(void) {\n  return work(1, 2);\n}\n",
    )
    .write("work.h", "int work(int a, int b);\n")
    .write(
        "work.c",
        "#include \"work.h\"\nint work(int a, int b) {\n  return a + b;\n}\n",
    );
    repo.commit("two");
    let answer = json(&repo, "HEAD~1..HEAD");
    assert_eq!(answer["program"], true, "{answer:#}");
    assert_eq!(answer["counts"]["breaking"], 2, "{answer:#}");
    let text = repo.sverklo(&["map", "--at", "HEAD~1..HEAD"]).success();
    assert!(
        text.contains("a program: nothing is offered to others"),
        "{text}"
    );
    assert!(!text.contains("breaking"), "{text}");
}

#[test]
fn folders_and_routes_come_and_go() {
    let repo = TestRepo::init();
    let app = |route: &str| {
        format!(
            "const express = require('express');\nconst app = express();\napp.get('{route}', (req, res) => res.send('hi'));\nmodule.exports = app;\n"
        )
    };
    repo.write(
        "package.json",
        "{\"name\": \"web\", \"main\": \"app.js\"}\n",
    )
    .write("app.js", app("/old"))
    .write("lib/gone/a.js", "exports.a = function () { return 1; };\n");
    repo.commit("one");
    repo.remove("lib/gone/a.js");
    repo.write("app.js", app("/new")).write(
        "packages/deep/b.js",
        "exports.b = function () { return [2, 3, 4]; };\n",
    );
    repo.commit("two");
    let text = repo.sverklo(&["map", "--at", "HEAD~1..HEAD"]).success();
    for line in [
        "gone folder lib/, 1 file",
        "new folder packages/, 1 file",
        "gone GET /old at app.js:3",
        "new GET /new at app.js:3",
    ] {
        assert!(
            text.lines().any(|one| one.starts_with(line)),
            "{line}: {text}"
        );
    }
}

#[test]
fn ranges_are_read_as_git_reads_them() {
    let repo = package();
    let range = |at: &str| repo.sverklo(&["map", "--at", at]);
    let same = range("v1..HEAD");
    assert_eq!(same.status, Some(1));
    assert!(
        same.stdout
            .contains("nothing changed: both are the same commit"),
        "{same:?}"
    );
    repo.git(&["switch", "-q", "-c", "side"]);
    repo.write(
        "src/tax.ts",
        "export function tax(net: number): number {\n  return net / 5;\n}\n",
    );
    repo.commit("side");
    repo.git(&["switch", "-q", "-"]);
    repo.write("src/price.ts", "export class Cart {}\n");
    repo.commit("main");
    // Three dots: what came since the second left the first.
    assert_eq!(
        told(&json(&repo, "HEAD...side")),
        ["breaking: removed duty"]
    );
    let both = told(&json(&repo, "HEAD..side"));
    assert!(both.contains(&"added: added price".to_owned()), "{both:?}");
    for (at, said) in [
        ("..v1", "is no range of two revisions"),
        ("v1..HEAD..side", "is no range of two revisions"),
        ("v1..nowhere", "unknown revision \"nowhere\""),
    ] {
        let out = range(at);
        assert_eq!(out.status, Some(2), "{at}: {out:?}");
        assert!(out.stderr.contains(said), "{at}: {out:?}");
    }
    let out = repo.sverklo(&["map", "--at", "v1..side", "--task", "pay"]);
    assert!(
        out.stderr.contains("a range of revisions takes no task"),
        "{out:?}"
    );
}

#[test]
fn notes_of_the_past_are_those_of_a_clone_that_ends_there() {
    let repo = package();
    repo.write(
        "src/tax.ts",
        "export function tax(net: number, at: number): number {\n  return net / at;\n}\n",
    );
    repo.commit("two");
    repo.git(&["tag", "v2"]);
    let dir = repo.beside("then");
    repo.git(&[
        "clone",
        "-q",
        "--branch",
        "v2",
        repo.dir().to_str().unwrap(),
        dir.to_str().unwrap(),
    ]);
    let then = json(&repo.at(&dir), "v1..v2");
    repo.write("src/tax.ts", "export function late(): void {}\n")
        .write("src/more/x.ts", "export const x = 1;\n");
    repo.commit("three");
    repo.git(&["tag", "v3"]);
    assert!(told(&json(&repo, "v1..v3")).len() > 1);
    assert_eq!(json(&repo, "v1..v2"), then);
    assert_eq!(
        told(&then),
        ["breaking: signature,body tax", "breaking: removed duty"]
    );
}

#[test]
fn agents_get_the_notes_by_the_schema_of_the_map() {
    let repo = package();
    repo.write("src/tax.ts", "export function other(): void {}\n");
    repo.commit("two");
    with_client_of(&repo, &["mcp", "--structured"], async |client| {
        let tools = client.list_all_tools().await.unwrap();
        let map = tools.iter().find(|tool| tool.name == "map").unwrap();
        let schema = json!(map.output_schema.as_ref().unwrap().as_ref());
        let asked = call("map", json!({"at": "v1..HEAD"}));
        let result = client.call_tool(asked).await.unwrap();
        assert!(
            text(&result).contains("removed src/tax.ts:4-7 function duty"),
            "{result:?}"
        );
        let said = result.structured_content.unwrap();
        // Nothing has to be there, and what is there besides is nobody's business.
        assert!(schema.get("required").is_none(), "{schema:#}");
        assert_ne!(schema["additionalProperties"], json!(false), "{schema:#}");
        for field in ["index", "shown", "total", "files", "directories"] {
            assert!(said.get(field).is_some(), "{field}: {said:#}");
        }
        let listed = said["symbols"].as_array().unwrap();
        for field in ["path", "start", "end", "kind", "name"] {
            assert!(
                listed.iter().all(|one| one.get(field).is_some()),
                "{field}: {said:#}"
            );
        }
        let bad = call("map", json!({"at": "v1..HEAD", "view": "entries"}));
        let said = client.call_tool(bad).await.unwrap();
        assert_eq!(said.is_error, Some(true), "{said:?}");
        assert!(text(&said).contains("takes no view"), "{said:?}");
        client.cancel().await.unwrap();
    });
}
