//! `diff`: what a zero of broken uses does not know.

use super::harness::TestRepo;
use serde_json::Value;

fn json(repo: &TestRepo) -> Value {
    let out = repo.sverklo(&["diff", "HEAD", "--json", "--budget", "20000"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

/// The verdict, then places and reasons.
fn possible(answer: &Value) -> (String, Vec<String>) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = answer["possible"].as_array().cloned().unwrap_or_default();
    let all = all.iter().map(|one| {
        let (path, line) = (text(&one["path"]), &one["line"]);
        format!(
            "{path}:{line} {} {}",
            text(&one["expected"]),
            text(&one["why"])
        )
    });
    (text(&answer["left_behind"]), all.collect())
}

fn edit(repo: &TestRepo, path: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(repo.dir().join(path)).unwrap();
    assert!(text.contains(from), "{path} has no {from:?}");
    repo.write(path, text.replace(from, to));
}

/// Two classes with a method of one name, and somebody who calls it on he knows not what.
fn doubles() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "a.py",
        "class Cat:\n    def speak(self, loud):\n        return loud\n",
    )
    .write(
        "b.py",
        "class Dog:\n    def speak(self, loud):\n        return 2\n",
    )
    .write(
        "c.py",
        "def all(animals):\n    return [one.speak(1) for one in animals]\n",
    );
    repo.commit("one");
    repo
}

#[test]
fn what_may_mean_another_is_told_and_no_check_fails_for_it() {
    let repo = doubles();
    edit(&repo, "a.py", "def speak(", "def purr(");
    let answer = json(&repo);
    assert_eq!(
        possible(&answer),
        (
            "possible".to_owned(),
            vec!["c.py:2 Cat.speak ambiguous".to_owned()]
        )
    );
    assert_eq!(answer["totals"]["broken"], 0);
    assert_eq!(answer["totals"]["possible"], 1);
    let text = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(text.contains("| 1 place may be left behind\n"), "{text}");
    let line = "1 may be left behind: 1 ambiguous (c.py:2 Cat.speak)\n";
    assert!(text.contains(line), "{text}");
    for rule in ["dangling", "misfit"] {
        let review = repo.sverklo(&["review", "--ci", "--fail-on", rule, "HEAD"]);
        assert_eq!(review.status, Some(0), "{review:?}");
        let end = " | 1 may be left behind | passes\n";
        assert!(review.stdout.ends_with(end), "{review:?}");
    }
}

#[test]
fn a_call_that_may_mean_another_may_no_longer_fit() {
    let repo = doubles();
    edit(&repo, "a.py", "(self, loud)", "(self, loud, twice)");
    let (verdict, places) = possible(&json(&repo));
    assert_eq!(verdict, "possible");
    assert_eq!(places, ["c.py:2 Cat.speak ambiguous"]);
    // It still fits what may be left out.
    edit(
        &repo,
        "a.py",
        "(self, loud, twice)",
        "(self, loud, twice=1)",
    );
    assert_eq!(possible(&json(&repo)), ("nothing".to_owned(), vec![]));
}

fn prices() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "lib/prices.py",
        "def net_price(amount):\n    return amount\n",
    )
    .write(
        "lib/other.py",
        "def total(amounts):\n    return sum(amounts)\n",
    );
    repo
}

#[test]
fn a_name_that_is_gone_is_looked_for_in_texts() {
    let repo = prices();
    repo.write(
        "lib/table.py",
        "# What net_price says.\nTABLE = {'a': 'lib.prices.net_price'}\nprice = 'net prices'\n",
    )
    .write("docs/use.md", "# Use\n\nCall `net_price(3)`.\n")
    .write("CHANGELOG.md", "# Changes\n\n- `net_price` is new.\n")
    .write("jobs.yaml", "job:\n  handler: net_price\n");
    repo.commit("one");
    edit(
        &repo,
        "lib/prices.py",
        "def net_price",
        "def price_without_tax",
    );
    let (verdict, mut places) = possible(&json(&repo));
    places.sort();
    assert_eq!(verdict, "possible");
    assert_eq!(
        places,
        [
            "docs/use.md:3 net_price text",
            "jobs.yaml:2 net_price text",
            "lib/table.py:1 net_price comment",
            "lib/table.py:2 net_price text",
        ]
    );
    // As long as something has the name, they may all mean that.
    edit(
        &repo,
        "lib/other.py",
        "def total",
        "def net_price(x):\n    return x\n\n\ndef total",
    );
    assert_eq!(possible(&json(&repo)), ("nothing".to_owned(), vec![]));
}

#[test]
fn a_word_of_prose_is_no_name() {
    let repo = prices();
    repo.write(
        "README.md",
        "# Sums\n\nThe total of it. See `total`, or call total(x).\n",
    )
    .write("lib/use.py", "# The total is told.\nX = 1\n");
    repo.commit("one");
    edit(&repo, "lib/other.py", "def total(", "def add_up(");
    assert_eq!(possible(&json(&repo)).1, ["README.md:3 total text"]);
}

#[test]
fn the_beginning_of_a_name_may_be_put_together_with_the_rest() {
    let repo = TestRepo::init();
    repo.write(
        "walk.py",
        "class Walk:\n    def visit_call(self):\n        return 1\n\n    def go(self, kind):\n        \
         return getattr(self, 'visit_' + kind)()\n",
    );
    repo.commit("one");
    edit(&repo, "walk.py", "visit_call", "visit_calls");
    assert_eq!(
        possible(&json(&repo)).1,
        ["walk.py:6 Walk.visit_call beginning of the name"]
    );
}

#[test]
fn a_zero_is_plain_where_all_is_known() {
    let repo = prices();
    repo.write("logo.png", b"\x89PNG\0\0net_price")
        .commit("one");
    edit(
        &repo,
        "lib/prices.py",
        "def net_price",
        "def price_without_tax",
    );
    assert_eq!(possible(&json(&repo)), ("nothing".to_owned(), vec![]));
    let text = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(text.contains("| no use left behind\n"), "{text}");
}

#[test]
fn what_is_not_in_the_index_is_looked_through_or_named() {
    let repo = prices();
    let long = "x".repeat(70_000);
    repo.write("dist/app.min.py", format!("a='{long}';net_price(3)\n"));
    repo.commit("one");
    // Only the body changed: nothing is missed, so nothing has to be known.
    edit(&repo, "lib/prices.py", "return amount", "return amount + 1");
    assert_eq!(possible(&json(&repo)), ("nothing".to_owned(), vec![]));
    edit(
        &repo,
        "lib/prices.py",
        "def net_price",
        "def price_without_tax",
    );
    assert_eq!(
        possible(&json(&repo)),
        (
            "possible".to_owned(),
            vec!["dist/app.min.py:1 net_price file not read".to_owned()]
        )
    );
    // Only uncommitted files are too large to be looked at.
    let file = std::fs::File::create(repo.dir().join("huge.py")).unwrap();
    file.set_len(200 << 20).unwrap();
    let answer = json(&repo);
    assert_eq!(answer["left_behind"], "possible");
    assert_eq!(answer["unseen"]["files"], 1, "{}", answer["unseen"]);
    assert_eq!(answer["unseen"]["paths"][0], "huge.py");
    let text = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(
        text.contains("not looked at: not read 1 too large (huge.py)\n"),
        "{text}"
    );
}

#[test]
fn code_that_was_not_read_may_use_a_plain_name() {
    let repo = TestRepo::init();
    let long = "x=1;".repeat(120_000);
    repo.write("a.js", "export function frob() {\n  return 1;\n}\n")
        .write(
            "b.js",
            format!("import{{frob}}from'./a.js';frob();{long}\n"),
        )
        .write("vendor/c.js", format!("var frob;{long}\n"))
        .write("d.js", format!("var other;{long}\n"));
    repo.commit("one");
    edit(&repo, "a.js", "frob", "twiddle");
    let out = repo.sverklo(&["diff", "HEAD"]).stdout;
    assert!(
        out.contains("no use left behind as far as was looked"),
        "{out}"
    );
    assert!(out.contains("not read 1 minified (b.js)"), "{out}");
    let answer = json(&repo);
    assert_eq!(answer["left_behind"], "possible");
}

#[test]
fn lines_that_were_not_understood_may_hold_it() {
    let repo = prices();
    repo.write(
        "lib/odd.py",
        "def f(:\n    return net_price(3) +* (\n\n\ndef g():\n    return 1\n",
    );
    repo.commit("one");
    edit(
        &repo,
        "lib/prices.py",
        "def net_price",
        "def price_without_tax",
    );
    assert_eq!(
        possible(&json(&repo)),
        (
            "possible".to_owned(),
            vec!["lib/odd.py:2 net_price not understood".to_owned()]
        )
    );
}

#[test]
fn what_cannot_be_counted_may_no_longer_fit() {
    let repo = prices();
    repo.write(
        "lib/use.py",
        "from lib.prices import net_price\n\n\ndef f(xs):\n    return net_price(*xs)\n\n\ndef g(xs):\n    \
         return map(net_price, xs)\n\n\ndef h():\n    return net_price(1)\n",
    );
    repo.commit("one");
    edit(&repo, "lib/prices.py", "(amount)", "(amount, rate)");
    let answer = json(&repo);
    assert_eq!(answer["totals"]["broken"], 1);
    assert_eq!(
        possible(&answer),
        (
            "proven".to_owned(),
            vec![
                "lib/use.py:5 net_price arguments not known".to_owned(),
                "lib/use.py:9 net_price handed on".to_owned(),
            ]
        )
    );
    let text = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(
        text.contains("2 more may be left behind: 1 arguments not known ("),
        "{text}"
    );
    edit(&repo, "lib/prices.py", "(amount, rate)", "(amount, rate=1)");
    assert_eq!(possible(&json(&repo)), ("nothing".to_owned(), vec![]));
}

#[test]
fn one_of_several_that_changed_may_have_been_meant() {
    let repo = TestRepo::init();
    repo.write(
        "A.java",
        "class A {\n    int f(int x) { return x; }\n\n    int f(String x) { return 1; }\n}\n",
    )
    .write(
        "B.java",
        "class B {\n    int g(A a) { return a.f(1); }\n}\n",
    );
    repo.commit("one");
    edit(&repo, "A.java", "f(int x)", "f(int x, int y)");
    assert_eq!(
        possible(&json(&repo)),
        (
            "possible".to_owned(),
            vec!["B.java:2 A.f types or order not compared".to_owned()]
        )
    );
}

#[test]
fn types_and_order_are_not_compared_and_it_is_said() {
    let repo = TestRepo::init();
    repo.write("go.mod", "module m\n\ngo 1.19\n")
        .write(
            "a.go",
            "package m\n\nfunc Sum(a int, b int) int {\n\treturn a + b\n}\n",
        )
        .write(
            "b.go",
            "package m\n\nfunc Use() int {\n\treturn Sum(1, 2)\n}\n",
        );
    repo.commit("one");
    for to in ["Sum(a string, b int) int", "Sum(a int, b int) int64"] {
        edit(&repo, "a.go", "Sum(a int, b int) int", to);
        assert_eq!(
            possible(&json(&repo)).1,
            ["b.go:4 Sum types or order not compared"],
            "{to}"
        );
        repo.git(&["checkout", "-q", "."]);
    }
    // Who changed his line has seen it.
    edit(&repo, "a.go", "b int) int", "b int) int64");
    edit(&repo, "b.go", "return Sum(1, 2)", "return int(Sum(1, 2))");
    assert_eq!(possible(&json(&repo)), ("nothing".to_owned(), vec![]));
}

#[test]
fn what_is_quoted_may_mean_what_is_gone_though_something_else_has_the_name() {
    let repo = TestRepo::init();
    repo.write("A.java", "class A {\n  String nickName;\n}\n")
        .write("B.java", "class B {\n  String nickName;\n}\n")
        .write("map.xml", "<map>\n  <id property=\"nickName\"/>\n</map>\n")
        .write(
            "page.html",
            "<p>nickName</p>\n{{ if eq .nickName 1 }}{{ end }}\n",
        )
        .write("doc.md", "What nickName is for.\n");
    repo.commit("one");
    edit(&repo, "A.java", "nickName", "nick");
    let (verdict, places) = possible(&json(&repo));
    assert_eq!(verdict, "possible");
    assert_eq!(
        places,
        [
            "map.xml:2 A.nickName text, others have the name",
            "page.html:2 A.nickName text, others have the name",
        ]
    );
}

/// Only so many names are looked for in texts; the rest is said to be unknown.
#[test]
fn names_that_were_not_looked_for_are_counted() {
    let repo = TestRepo::init();
    let class = |name: &str, count: usize| {
        let methods =
            (0..count).map(|n| format!("    def field_of_{n}(self):\n        return {n}\n"));
        format!("class {name}:\n") + &methods.collect::<String>()
    };
    repo.write("a.py", class("A", 41))
        .write("b.py", class("B", 41));
    repo.commit("one");
    repo.write("a.py", class("A", 1));
    let text = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(
        text.contains("8 names not looked for in all texts"),
        "{text}"
    );
}

/// What a library gives may be ours: a loop over what it found.
#[test]
fn members_of_what_a_library_gives_may_be_left_behind() {
    let repo = TestRepo::init();
    repo.write(
        "models.py",
        "from django.db import models\n\n\nclass Check(models.Model):\n    def get_status(self):\n        return 1\n",
    )
    .write(
        "sweep.py",
        "import os\nfrom models import Check\n\n# get_status is slow\n\n\ndef sweep():\n    \
         for check in Check.objects.filter():\n        check.get_status()\n    Check.objects.first().get_status()\n    \
         os.get_status()\n",
    )
    .write("list.html", "<p>{{ check.get_status }}</p>\n");
    repo.commit("one");
    edit(&repo, "models.py", "get_status", "status");
    let (left, places) = possible(&json(&repo));
    assert_eq!(left, "possible");
    assert_eq!(
        places,
        [
            "sweep.py:9 Check.get_status unresolved",
            "sweep.py:10 Check.get_status unresolved",
            "list.html:1 Check.get_status text",
            "sweep.py:4 Check.get_status comment",
        ]
    );
}

/// Of several overloads one is gone: the calls that it took are not those of the others, for all that the name says.
#[test]
fn calls_of_an_overload_that_is_gone_are_told() {
    let repo = TestRepo::init();
    repo.write(
        "src/Owner.java",
        "package a;\n\npublic class Owner {\n  Pet getPet(String name) {\n    return null;\n  }\n\n  \
         Pet getPet(Integer id) {\n    return new Pet();\n  }\n\n  \
         Pet getPet(String name, boolean old) {\n    return getPet(name);\n  }\n}\n",
    )
    .write(
        "src/Use.java",
        "package a;\n\nclass Use {\n  void run(Owner owner) {\n    owner.getPet(\"Max\");\n    owner.getPet(\"Max\", true);\n  }\n}\n",
    );
    repo.commit("one");
    let broken = |answer: &Value| {
        let all = answer["broken"].as_array().cloned().unwrap_or_default();
        let all = all.iter();
        let shown = all.map(|one| {
            format!("{} {} {}", one["path"], one["line"], one["reason"]).replace('"', "")
        });
        shown.collect::<Vec<_>>()
    };
    // None that is left takes two.
    edit(
        &repo,
        "src/Owner.java",
        "getPet(String name, boolean old)",
        "petOf(String name, boolean old)",
    );
    let answer = json(&repo);
    assert_eq!(
        broken(&answer),
        ["src/Use.java 6 gives 2, takes 1"],
        "{answer}"
    );
    // Another takes one, of another type.
    repo.git(&["checkout", "-q", "."]);
    edit(
        &repo,
        "src/Owner.java",
        "getPet(String name)",
        "petNamed(String name)",
    );
    let answer = json(&repo);
    assert!(broken(&answer).is_empty(), "{answer}");
    let told = [
        "src/Owner.java:13 Owner.getPet types or order not compared",
        "src/Use.java:5 Owner.getPet types or order not compared",
    ];
    assert_eq!(
        possible(&answer),
        ("possible".to_owned(), told.map(str::to_owned).to_vec())
    );
}
