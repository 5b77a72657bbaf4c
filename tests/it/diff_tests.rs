//! `diff --tests`: the tests that reach a change, as their runners name them.

use super::harness::{Output, TestRepo};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

/// A repository with some files, committed.
fn with(files: &[(&str, &str)]) -> TestRepo {
    let repo = TestRepo::init();
    for (path, text) in files {
        repo.write(path, text);
    }
    repo.commit("one");
    repo
}

fn ask(repo: &TestRepo, form: &str) -> Output {
    repo.sverklo(&["diff", &format!("--tests{form}")])
}

/// The tests and the commands that are told.
#[track_caller]
fn said(repo: &TestRepo) -> (String, String) {
    (ask(repo, "").success(), ask(repo, "=command").success())
}

fn json(repo: &TestRepo) -> Value {
    let out = repo.sverklo(&["diff", "--tests", "--json"]);
    serde_json::from_str(&out.stdout).unwrap_or_else(|err| panic!("{err}: {out:?}"))
}

const PYPROJECT: (&str, &str) = ("pyproject.toml", "[tool.pytest.ini_options]\n");
const PRICE: &str = "TAX = 2\n\ndef net(x):\n    return x\n\ndef gross(x):\n    return net(x) + TAX\n\n\
                     def unused(x):\n    return x\n";

fn shop() -> TestRepo {
    with(&[
        PYPROJECT,
        ("shop/__init__.py", ""),
        ("shop/price.py", PRICE),
        (
            "shop/cart.py",
            "from shop.price import gross\n\nclass Cart:\n    def __init__(self):\n        self.items = []\n\n    \
             def total(self):\n        return sum(gross(i) for i in self.items)\n",
        ),
        (
            "tests/conftest.py",
            "import pytest\nfrom shop.cart import Cart\n\n@pytest.fixture\ndef cart():\n    return Cart()\n",
        ),
        (
            "tests/test_price.py",
            "from shop.price import net, gross\n\ndef test_net():\n    assert net(1) == 1\n\n\
             class TestGross:\n    def test_adds(self):\n        assert gross(1) == 3\n\n    \
             def test_nothing(self):\n        pass\n",
        ),
        (
            "tests/test_cart.py",
            "def test_total(cart):\n    assert cart.total() == 0\n\ndef test_other():\n    assert 1\n",
        ),
    ])
}

#[test]
fn python_tests_come_by_distance_and_through_fixtures() {
    let repo = shop();
    repo.write(
        "shop/price.py",
        PRICE.replace("def net(x):\n    return x", "def net(x):\n    return x + 0"),
    );
    let (tests, commands) = said(&repo);
    assert_eq!(
        tests,
        "tests/test_price.py::test_net\ntests/test_price.py::TestGross::test_adds\ntests/test_cart.py::test_total\n"
    );
    assert_eq!(
        commands,
        "pytest tests/test_price.py::test_net tests/test_price.py::TestGross::test_adds \
         tests/test_cart.py::test_total\n"
    );
    let answer = json(&repo);
    let distances: Vec<&Value> = answer["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| &t["distance"])
        .collect();
    assert_eq!(distances, [1, 2, 3]);
    assert_eq!(answer["tests"][1]["name"], "TestGross::test_adds");
    assert_eq!(answer["tests"][1]["reaches"], "net");
    assert!(answer.get("unreached").is_none(), "{answer}");
}

#[test]
fn what_no_test_reaches_is_said() {
    let repo = shop();
    repo.write(
        "shop/price.py",
        PRICE.replace("unused(x):\n    return x", "unused(x):\n    return 7"),
    );
    let answer = json(&repo);
    assert_eq!(
        answer["unreached"][0]["id"],
        "shop/price.py::unused#function"
    );
    // What is left is the file that is called after it.
    assert_eq!(answer["tests"][0]["why"], "named after");
    assert_eq!(answer["tests"].as_array().unwrap().len(), 1);
    let why = ask(&repo, "=why").success();
    assert!(
        why.contains("no test reaches:\n  shop/price.py:9-10 function unused\n"),
        "{why}"
    );
}

#[test]
fn a_test_that_changed_comes_first_and_comments_select_nothing() {
    let repo = shop();
    repo.write(
        "tests/test_cart.py",
        "def test_total(cart):\n    assert cart.total() == 0\n\ndef test_other():\n    assert 2\n",
    );
    repo.write(
        "shop/price.py",
        PRICE.replace("    return x\n\ndef gross", "    return x + 0\n\ndef gross"),
    );
    let first = json(&repo)["tests"][0].clone();
    assert_eq!(
        (first["name"].as_str(), first["why"].as_str()),
        (Some("test_other"), Some("changed"))
    );

    let repo = shop();
    repo.write(
        "shop/price.py",
        PRICE.replace(
            "    return x\n\ndef gross",
            "    return x  # why\n\ndef gross",
        ),
    );
    let out = ask(&repo, "");
    assert_eq!((out.status, out.stdout.as_str()), (Some(1), ""), "{out:?}");
}

#[test]
fn tests_of_what_is_gone_are_found_in_the_old_state() {
    let repo = shop();
    repo.write(
        "shop/price.py",
        PRICE
            .replace("def net(x):\n    return x\n\n", "")
            .replace("net(x) +", "x +"),
    );
    let (tests, _) = said(&repo);
    assert!(tests.starts_with("tests/test_price.py::"), "{tests}");
    assert!(tests.contains("tests/test_price.py::test_net\n"), "{tests}");
}

#[test]
fn scripts_are_run_by_file() {
    let repo = with(&[
        (
            "package.json",
            r#"{"name":"a","devDependencies":{"vitest":"1"}}"#,
        ),
        (
            "src/add.ts",
            "export function add(a: number, b: number) {\n  return a + b;\n}\n",
        ),
        (
            "src/twice.ts",
            "import { add } from \"./add\";\nexport const twice = (a: number) => add(a, a);\n",
        ),
        (
            "src/add.test.ts",
            "import { add } from \"./add\";\nimport { test, expect } from \"vitest\";\n\
             test(\"adds\", () => { expect(add(1, 2)).toBe(3); });\n",
        ),
        (
            "src/twice.test.ts",
            "import { twice } from \"./twice\";\nimport { test, expect } from \"vitest\";\n\
             test(\"doubles\", () => { expect(twice(2)).toBe(4); });\n",
        ),
        (
            "src/other.test.ts",
            "import { test, expect } from \"vitest\";\ntest(\"nothing\", () => { expect(1).toBe(1); });\n",
        ),
    ]);
    repo.write(
        "src/add.ts",
        "export function add(a: number, b: number) {\n  return b + a;\n}\n",
    );
    let (tests, commands) = said(&repo);
    assert_eq!(tests, "src/add.test.ts\nsrc/twice.test.ts\n");
    assert_eq!(
        commands,
        "npx vitest run src/add.test.ts src/twice.test.ts\n"
    );
}

#[test]
fn go_tests_are_named_with_their_packages() {
    let price = "package price\n\nfunc Net(x int) int { return x }\n\nfunc Gross(x int) int { return Net(x) + 2 }\n";
    let repo = with(&[
        ("go.mod", "module example.com/m\n\ngo 1.20\n"),
        ("price/price.go", price),
        (
            "price/price_test.go",
            "package price\n\nimport \"testing\"\n\nfunc TestNet(t *testing.T) {\n\tif Net(1) != 1 {\n\t\tt.Fail()\n\t}\n}\n\n\
             func TestNothing(t *testing.T) {}\n",
        ),
        (
            "cart/cart.go",
            "package cart\n\nimport \"example.com/m/price\"\n\nfunc Total(x int) int { return price.Gross(x) }\n",
        ),
        (
            "cart/cart_test.go",
            "package cart\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(1) != 3 {\n\t\tt.Fail()\n\t}\n}\n",
        ),
    ]);
    repo.write(
        "price/price.go",
        price.replace("{ return x }", "{ return x + 0 }"),
    );
    let (tests, commands) = said(&repo);
    assert_eq!(tests, "./price TestNet\n./cart TestTotal\n");
    assert_eq!(
        commands,
        "go test -run '^(TestNet|TestTotal)$' ./cart ./price\n"
    );
}

#[test]
fn rust_tests_are_named_with_their_modules() {
    let price = "pub fn net(x: u32) -> u32 {\n    x\n}\n\npub fn gross(x: u32) -> u32 {\n    net(x) + 2\n}\n\n\
                 #[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn net_is_kept() {\n        \
                 assert_eq!(net(1), 1);\n    }\n\n    #[test]\n    fn nothing() {}\n}\n";
    let repo = with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        ),
        ("src/lib.rs", "pub mod price;\n"),
        ("src/price.rs", price),
        (
            "tests/it.rs",
            "use shop::price::gross;\n\n#[test]\nfn gross_adds() {\n    let it = gross(1);\n    assert_eq!(it, 3);\n}\n",
        ),
    ]);
    repo.write(
        "src/price.rs",
        price.replace("{\n    x\n}", "{\n    x + 0\n}"),
    );
    let (tests, commands) = said(&repo);
    assert_eq!(tests, "price::tests::net_is_kept\ngross_adds\n");
    assert_eq!(
        commands,
        "cargo test --lib --test it -- --exact gross_adds price::tests::net_is_kept\n"
    );
}

#[test]
fn java_and_ruby_tests_are_named_as_their_runners_do() {
    let price = "package org.shop;\n\npublic class Price {\n    public int net(int x) {\n        return x;\n    }\n}\n";
    let repo = with(&[
        ("pom.xml", "<project></project>\n"),
        ("src/main/java/org/shop/Price.java", price),
        (
            "src/test/java/org/shop/PriceTest.java",
            "package org.shop;\n\nimport org.junit.jupiter.api.Test;\n\nclass PriceTest {\n    @Test\n    \
             void keepsNet() {\n        Price price = new Price();\n        price.net(1);\n    }\n\n    @Test\n    \
             void nothing() {\n    }\n}\n",
        ),
    ]);
    repo.write(
        "src/main/java/org/shop/Price.java",
        price.replace("return x", "return x + 0"),
    );
    let (tests, commands) = said(&repo);
    assert_eq!(tests, "org.shop.PriceTest#keepsNet\n");
    assert_eq!(commands, "mvn test '-Dtest=org.shop.PriceTest#keepsNet'\n");

    let price = "class Price\n  def net_of(x)\n    x\n  end\nend\n";
    let repo = with(&[
        ("Gemfile", "gem \"rspec\"\n"),
        ("lib/price.rb", price),
        (
            "spec/price_spec.rb",
            "require \"price\"\n\nRSpec.describe Price do\n  it \"keeps net\" do\n    \
             expect(Price.new.net_of(1)).to eq(1)\n  end\n\n  it \"does nothing\" do\n    expect(1).to eq(1)\n  end\nend\n",
        ),
    ]);
    repo.write("lib/price.rb", price.replace("    x\n", "    x + 0\n"));
    let (tests, commands) = said(&repo);
    assert_eq!(tests, "spec/price_spec.rb:4\n");
    assert_eq!(commands, "bundle exec rspec spec/price_spec.rb:4\n");
}

#[test]
fn data_and_settings_select_who_rests_on_them() {
    let repo = with(&[
        PYPROJECT,
        ("tests/test_a.py", "def test_a():\n    pass\n"),
        (
            "tests/test_b.py",
            "def test_b():\n    open(\"data/prices.json\")\n",
        ),
        ("data/prices.json", "{}\n"),
        ("README.md", "x\n"),
        (".github/workflows/ci.yml", "a: 1\n"),
    ]);
    repo.write("README.md", "y\n");
    assert_eq!(ask(&repo, "").status, Some(1));
    repo.write("data/prices.json", "{\"a\": 1}\n");
    assert_eq!(ask(&repo, "").success(), "tests/test_b.py::test_b\n");
    repo.write(".github/workflows/ci.yml", "a: 2\n");
    let out = ask(&repo, "=command");
    assert!(
        out.stderr
            .contains("run all tests: .github/workflows/ci.yml"),
        "{out:?}"
    );
    assert_eq!(out.success(), "pytest\n");
}

/// Puts a program into a folder that prints its arguments, one a line.
fn stub(repo: &TestRepo, name: &str) -> std::path::PathBuf {
    let folder = repo.dir().parent().unwrap().join("bin");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[test]
fn hostile_names_reach_the_runner_as_they_are_and_run_nothing() {
    let names = [
        "tests/test_$(touch pwned).py",
        "tests/test_`touch pwned`; touch pwned 'x'.py",
        "tests/test_a&touch pwned|b>c.py",
        "tests/test_\"x\" * ~ # !! \\ y.py",
    ];
    let test = "from lib import f\n\ndef test_f():\n    f()\n";
    let mut files = vec![
        PYPROJECT,
        ("lib.py", "def f():\n    return 1\n"),
        ("tests/test_\n.py", test),
    ];
    let others: Vec<String> = (0..6).map(|n| format!("tests/test_{n}.py")).collect();
    files.extend(
        others
            .iter()
            .map(|path| (path.as_str(), "def test_nothing():\n    pass\n")),
    );
    files.extend(names.iter().map(|name| (*name, test)));
    let repo = with(&files);
    repo.write("lib.py", "def f():\n    return 2\n");
    let out = ask(&repo, "=command");
    assert!(out.stderr.contains("1 test left out"), "{out:?}");
    let command = out.success();
    assert_eq!(command.lines().count(), 1, "{command}");
    let bin = stub(&repo, "pytest");
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let ran = Command::new("sh")
        .args(["-c", &command])
        .current_dir(repo.dir())
        .env("PATH", path)
        .output()
        .unwrap();
    assert!(ran.status.success() && ran.stderr.is_empty(), "{ran:?}");
    let mut arguments: Vec<String> = String::from_utf8(ran.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    arguments.sort();
    let mut expected: Vec<String> = names.iter().map(|name| format!("{name}::test_f")).collect();
    expected.sort();
    assert_eq!(arguments, expected);
    assert!(!repo.dir().join("pwned").exists());
}

#[test]
fn coverage_closes_ways_that_no_test_went() {
    let repo = with(&[
        PYPROJECT,
        (
            "lib.py",
            "def f(x):\n    return x\n\ndef g(x):\n    if x:\n        return f(x)\n    return 0\n",
        ),
        (
            "tests/test_f.py",
            "from lib import f\n\ndef test_f():\n    assert f(1)\n",
        ),
        (
            "tests/test_g.py",
            "from lib import g\n\ndef test_g():\n    assert not g(0)\n",
        ),
    ]);
    let report =
        r#"{"meta":{},"files":{"lib.py":{"executed_lines":[1,2,4,5,7],"missing_lines":[6]}}}"#;
    let edit = || {
        repo.write("lib.py", "def f(x):\n    return x + 0\n\ndef g(x):\n    if x:\n        return f(x)\n    return 0\n")
    };
    edit();
    assert_eq!(
        ask(&repo, "").success(),
        "tests/test_f.py::test_f\ntests/test_g.py::test_g\n"
    );
    repo.git(&["checkout", "-q", "."]);
    repo.write("../coverage.json", report);
    repo.sverklo(&["trace", "import", "../coverage.json"])
        .success();
    edit();
    assert_eq!(ask(&repo, "").success(), "tests/test_f.py::test_f\n");
}

/// GoogleTest takes patterns in a variable, whichever program holds the tests; what has no such name runs with all.
#[test]
fn tests_of_cpp_run_by_their_suites() {
    const PRICE_CC: &str =
        "#include \"price.h\"\nint net(int n) { return n; }\nint gross(int n) { return n + 2; }\n";
    let repo = with(&[
        (
            "CMakeLists.txt",
            "find_package(GTest)\nadd_test(NAME all COMMAND all)\n",
        ),
        ("src/price.h", "int net(int n);\nint gross(int n);\n"),
        ("src/price.cc", PRICE_CC),
        (
            "src/price_test.cc",
            "#include \"price.h\"\n#include \"gtest/gtest.h\"\nnamespace shop {\nTEST(Price, Net) { EXPECT_EQ(net(1), 1); }\n\
             TEST(Price, Gross) { EXPECT_EQ(gross(1), 3); }\n}\n",
        ),
    ]);
    repo.write(
        "src/price.cc",
        PRICE_CC.replace("return n;", "return n + 0;"),
    );
    let (tests, commands) = said(&repo);
    assert_eq!(tests, "Price.Net\n");
    assert_eq!(
        commands,
        "GTEST_FILTER='*Price*.Net*' ctest --test-dir build\n"
    );

    repo.write("src/CMakeLists.txt", "find_package(Catch2)\n");
    repo.write(
        "src/price_test.cc",
        "#include \"price.h\"\n#include \"catch2/catch.hpp\"\nTEST_CASE(\"net\") { REQUIRE(net(1) == 1); }\n",
    );
    repo.commit("two");
    repo.write(
        "src/price.cc",
        PRICE_CC.replace("return n;", "return n + 1;"),
    );
    let (tests, commands) = said(&repo);
    assert_eq!(tests, "src/price_test.cc\n");
    assert_eq!(commands, "ctest --test-dir build\n");
}

/// Tests of PHP in so many files, each of which reaches `Price::net` by so many tests.
fn many(files: usize, each: usize) -> Vec<(String, String)> {
    let of = |file: usize| {
        let test = |test: usize| {
            format!(
                "    public function testNetOfNumber{test}Stays(): void\n    {{\n        $price = new Price();\n        \
                 $price->net(1);\n    }}\n"
            )
        };
        let name = format!("PriceOfKind{file}Test");
        let tests: String = (0..each).map(test).collect();
        let text = format!(
            "<?php\nnamespace Tests;\nuse App\\Price;\nuse PHPUnit\\Framework\\TestCase;\n\
             class {name} extends TestCase\n{{\n{tests}}}\n"
        );
        (format!("tests/{name}.php"), text)
    };
    (0..files).map(of).collect()
}

#[test]
fn commands_can_be_pasted_however_many_tests_are_selected() {
    let price = "<?php\nnamespace App;\nclass Price\n{\n    public function net(int $x): int\n    {\n        return $x;\n    }\n}\n";
    let shop = |of_price: usize, others: usize| {
        let repo = with(&[("phpunit.xml", "<phpunit/>\n"), ("app/Price.php", price)]);
        for (path, text) in many(of_price, 12) {
            repo.write(&path, text);
        }
        for (path, text) in many(others, 1) {
            let other = text.replace("Price", "Other").replace("net", "gross");
            repo.write(path.replace("Price", "Other"), other);
        }
        repo.commit("tests");
        repo.write("app/Price.php", price.replace("return $x", "return $x + 0"));
        repo
    };
    // A part of the suite: whole files, in lines.
    let repo = shop(8, 40);
    let (tests, commands) = said(&repo);
    assert_eq!(tests.lines().count(), 8 * 12);
    let classes: Vec<String> = (0..8).map(|i| format!("PriceOfKind{i}Test")).collect();
    assert_eq!(
        commands,
        format!(
            "vendor/bin/phpunit --filter '/\\b({})\\b/'\n",
            classes.join("|")
        )
    );
    let out = ask(&repo, "=command");
    assert!(
        out.stderr
            .contains("phpunit: too many tests for a command, so their files are run as wholes"),
        "{out:?}"
    );
    assert_eq!(json(&repo)["commands"][0]["runs"], "files");
    // More files than there are lines for: the likeliest, then all.
    let repo = shop(700, 600);
    let (tests, commands) = said(&repo);
    assert_eq!(tests.lines().count(), 700 * 12);
    let lines: Vec<&str> = commands.lines().collect();
    assert_eq!((lines.len(), lines[1]), (2, "vendor/bin/phpunit"));
    assert!(
        lines[0].len() <= 2_000 && lines[0].contains("PriceOfKind0Test::testNetOfNumber0Stays")
    );
    let told = json(&repo);
    assert_eq!(told["tests"].as_array().map(Vec::len), Some(700 * 12));
    assert_eq!(told["commands"][0]["runs"], "likeliest");
    assert_eq!(told["commands"][1]["runs"], "all");
}
