//! `audit` on small programs: what is called unused, untested, a hub or a cycle, and what is not.

use super::harness::TestRepo;

/// The lines of an audit without its footer.
#[track_caller]
fn findings(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let out = repo.sverklo(&[&["audit"], args].concat());
    assert!(out.status == Some(0) || out.status == Some(1), "{out:?}");
    let mut lines: Vec<String> = out.stdout.lines().map(str::to_owned).collect();
    let footer = lines.pop().expect("a footer");
    assert!(footer.starts_with("index "), "{footer}");
    if out.status == Some(1) {
        assert!(lines[0].starts_with("nothing found: "), "{lines:?}");
        lines.clear();
    }
    lines
}

/// Qualified names of what is listed as unused, in order, with their verdicts.
#[track_caller]
/// What `audit unused` lists; how sure it is that nothing reaches a definition makes no difference (see `verdict_dead`).
fn unused(repo: &TestRepo) -> Vec<String> {
    let named = |line: &String| {
        let (place, judged) = line.split_once(" | ").expect("a verdict");
        let name = place.rsplit(' ').next().expect("a name");
        let mut words = judged.split([' ', ':']);
        let verdict = words.nth(1).expect("confidence and verdict");
        format!("{name} {}", verdict.replace("dead", "unreached"))
    };
    findings(repo, &["unused"]).iter().map(named).collect()
}

fn python() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "app/main.py",
        "from app.store import Store, load\n\
         from app.routes import app\n\n\
         def main():\n    store = Store(load())\n    store.put_item(1)\n    getattr(store, \"by_string\")()\n\n\
         if __name__ == \"__main__\":\n    main()\n",
    )
    .write(
        "app/store.py",
        "def load():\n    return _parse(\"x\")\n\n\
         def _parse(text):\n    return text\n\n\
         def _ping(n):\n    return _pong(n)\n\n\
         def _pong(n):\n    return _ping(n)\n\n\
         class Store:\n    def __init__(self, items):\n        self.items = items\n\n\
             \x20   def __len__(self):\n        return 1\n\n\
             \x20   def put_item(self, item):\n        self._check(item)\n\n\
             \x20   def _check(self, item):\n        pass\n\n\
             \x20   def _stale(self):\n        return 3\n\n\
             \x20   def by_string(self):\n        return 2\n\n\
         class _Old:\n    def _a(self):\n        return 1\n\n    def _b(self):\n        return self._a()\n",
    )
    .write(
        "app/routes.py",
        "from flask import Flask\n\napp = Flask(__name__)\n\n\
         @app.route(\"/\")\ndef index():\n    return _render()\n\n\
         def _render():\n    return \"\"\n",
    )
    .write("app/__init__.py", "")
    .write(
        "tests/test_store.py",
        "from app.store import load\n\ndef test_load():\n    assert load()\n",
    );
    repo.commit("one");
    repo
}

#[test]
fn unused_is_what_no_way_in_reaches() {
    let repo = python();
    assert_eq!(
        unused(&repo),
        [
            "_Old unreached",
            "_ping unreached",
            "_pong unreached",
            "Store._stale unreached",
            "Store.by_string uncertain",
        ]
    );
    let lines = findings(&repo, &["unused"]).join("\n");
    assert!(
        lines.contains("named in a string at app/main.py:7"),
        "{lines}"
    );
}

#[test]
fn what_a_library_exports_is_counted_and_not_listed() {
    let repo = python();
    repo.write("pyproject.toml", "[project]\nname = \"app\"\n")
        .write(
            "app/api.py",
            "def offered():\n    return _inner()\n\ndef _inner():\n    return 1\n",
        );
    repo.commit("two");
    let listed = unused(&repo);
    assert!(
        !listed.iter().any(|l| l.starts_with("offered")),
        "{listed:?}"
    );
    let out = repo.sverklo(&["audit", "unused"]).stdout;
    assert!(out.contains("not listed: 2 exported"), "{out}");
    assert!(!listed.iter().any(|l| l.contains("_inner")), "{listed:?}");
    assert!(!listed.iter().any(|l| l.starts_with("load ")), "{listed:?}");
}

/// What others may use and nothing here does: surest first, with the manifest that says so and with what
/// speaks for it. What tests use or imports hand on is left out, and so is what is called as a member of its base.
#[test]
fn exports_that_nothing_here_uses_are_listed_when_they_are_asked_for() {
    let repo = TestRepo::init();
    repo.write("pyproject.toml", "[project]\nname = \"lib\"\n")
        .write("lib/__init__.py", "from lib.api import Shape, gathered\n")
        .write(
            "lib/api.py",
            "def forgotten():\n    return _inner()\n\ndef _inner():\n    return 1\n\n\
             def gathered():\n    return 2\n\ndef tested():\n    return 3\n\n\
             def _stale():\n    return 4\n\ndef named():\n    return 5\n\n\
             class Shape:\n    def area(self):\n        return 0\n\n    def total(self):\n        return self.area()\n\n\
             class Square(Shape):\n    def area(self):\n        return 1\n\n    def edge(self):\n        return 2\n\n\
             \x20   def _hidden(self):\n        return 3\n\n\
             def make(shape: Shape):\n    return shape.total()\n",
        )
        .write(
            "tests/test_api.py",
            "from lib.api import Square, make, tested\n\ndef test_api():\n    assert tested() + make(Square())\n",
        )
        .write("jobs.yaml", "run: lib.api.named\n");
    repo.commit("one");
    let lines = findings(&repo, &["unused", "--exported"]);
    assert_eq!(
        lines,
        [
            "lib/api.py:1-2 function forgotten | 0.91 exported: a library by pyproject.toml",
            "lib/api.py:30-31 method Square.edge | 0.91 exported: a library by pyproject.toml",
            "lib/api.py:16-17 function named | 0.55 exported: a library by pyproject.toml; \
             unresolved word at jobs.yaml:1",
        ]
    );
    assert_eq!(findings(&repo, &["exported"]), lines);
    assert_eq!(
        unused(&repo),
        ["_stale unreached", "Square._hidden unreached"]
    );
    let told = repo.sverklo(&["audit", "--exported"]).stdout;
    assert!(told.contains("not listed: 2 unreached"), "{told}");
    let refused = repo.sverklo(&["audit", "hubs", "--exported"]);
    assert_eq!(refused.status, Some(2), "{refused:?}");
}

#[test]
fn names_in_data_files_are_a_reason_for_doubt() {
    let repo = python();
    repo.write("deploy.yaml", "handler: app.store._ping\n");
    repo.commit("two");
    let lines = findings(&repo, &["unused"]);
    let ping = lines.iter().find(|l| l.contains(" _ping ")).unwrap();
    assert!(ping.contains("unresolved word at deploy.yaml:1"), "{ping}");
}

#[test]
fn rust_knows_traits_attributes_and_tests() {
    let repo = TestRepo::init();
    repo.write("Cargo.toml", "[package]\nname = \"a\"\n").write(
        "src/main.rs",
        "use std::fmt;\n\n\
         struct Shown;\n\n\
         impl fmt::Display for Shown {\n    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {\n        inner(f)\n    }\n}\n\n\
         fn inner(_: &mut fmt::Formatter<'_>) -> fmt::Result {\n    Ok(())\n}\n\n\
         #[no_mangle]\npub extern \"C\" fn called_from_c() {\n    helper();\n}\n\n\
         fn helper() {}\n\n\
         fn dead() {\n    dead_too();\n}\n\n\
         #[inline]\nfn dead_too() {}\n\n\
         fn main() {\n    println!(\"{}\", Shown);\n}\n\n\
         #[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {}\n}\n",
    );
    repo.commit("one");
    assert_eq!(unused(&repo), ["dead unreached", "dead_too unreached"]);
}

#[test]
fn go_methods_may_satisfy_interfaces() {
    let repo = TestRepo::init();
    repo.write("go.mod", "module example.com/a\n").write(
        "main.go",
        "package main\n\n\
         type Shape interface {\n\tarea() int\n}\n\n\
         type square struct{ side int }\n\n\
         func (s square) area() int { return s.side }\n\n\
         func (s square) String() string { return \"\" }\n\n\
         func (s square) unused() int { return 1 }\n\n\
         func init() { prepare() }\n\n\
         func prepare() {}\n\n\
         func main() {\n\tvar s Shape = square{side: 1}\n\t_ = s\n}\n",
    );
    repo.commit("one");
    assert_eq!(unused(&repo), ["square.unused unreached"]);
}

#[test]
fn untested_is_what_no_test_reaches() {
    let repo = python();
    let names: Vec<String> = findings(&repo, &["untested"])
        .iter()
        .map(|line| {
            let place = line.split(" | ").next().unwrap();
            place.rsplit(' ').next().unwrap().to_owned()
        })
        .collect();
    for missed in ["_ping", "Store", "main"] {
        assert!(names.contains(&missed.to_owned()), "{names:?}");
    }
    for reached in ["load", "_parse", "test_load", "Store.put_item"] {
        assert!(!names.contains(&reached.to_owned()), "{names:?}");
    }
    let out = repo.sverklo(&["audit", "untested", "--json"]);
    assert!(out.stdout.contains("\"view\":\"untested\""), "{out:?}");
}

#[test]
fn cycles_show_a_way_round_and_what_to_cut() {
    let repo = TestRepo::init();
    repo.write("p/__init__.py", "")
        .write(
            "p/a.py",
            "from p import b\n\ndef f():\n    b.g()\n    b.k()\n",
        )
        .write(
            "p/b.py",
            "import os\nfrom p.c import h\n\ndef g():\n    h()\n\ndef k():\n    pass\n",
        )
        .write("p/c.py", "from p.a import f\n\ndef h():\n    f()\n")
        .write(
            "p/late.py",
            "def x():\n    from p import lazy\n    lazy.y()\n",
        )
        .write("p/lazy.py", "from p.late import x\n\ndef y():\n    x()\n");
    repo.commit("one");
    assert_eq!(
        findings(&repo, &["cycles"]).join("\n"),
        "3 files in a cycle, 3 imports\n  \
         p/a.py:1 -> p/b.py\n  \
         p/b.py:2 -> p/c.py\n  \
         p/c.py:1 -> p/a.py\n  \
         cut p/c.py:1 -> p/a.py (1 name)"
    );
    let scoped = repo.sverklo(&["audit", "cycles", "--scope", "p/late.py"]);
    assert_eq!(scoped.status, Some(1), "{scoped:?}");
}

#[test]
fn hubs_are_what_others_use() {
    let repo = TestRepo::init();
    repo.write(
        "core.py",
        "def base():\n    return 1\n\ndef rare():\n    return 2\n",
    )
    .write(
        "a.py",
        "from core import base\n\ndef a():\n    return base() + base()\n",
    )
    .write(
        "b.py",
        "from core import base, rare\n\ndef b():\n    return base() + rare()\n",
    )
    .write(
        "test_c.py",
        "from core import rare\n\ndef test_c():\n    assert rare()\n",
    );
    repo.commit("one");
    let lines = findings(&repo, &["hubs"]);
    assert!(lines[0].starts_with("core.py | rank "), "{lines:?}");
    assert!(lines[0].ends_with("used by 2 files, uses 0"), "{lines:?}");
    assert!(
        lines[1].ends_with("function base | used by 2 files, 3 times, uses 0"),
        "{lines:?}"
    );
    assert!(
        lines[2].ends_with("function rare | used by 1 file, 1 time, uses 0"),
        "{lines:?}"
    );
}

#[test]
fn bad_views_and_scopes_are_told() {
    let repo = python();
    let out = repo.sverklo(&["audit", "dead"]);
    assert_eq!(out.status, Some(2));
    assert!(out.stderr.contains("unused"), "{out:?}");
    let out = repo.sverklo(&["audit", "--scope", "a[b"]);
    assert_eq!(out.status, Some(2));
}

#[test]
fn a_file_that_nothing_imports_is_one_finding() {
    let repo = TestRepo::init();
    repo.write("package.json", "{\"name\": \"a\", \"private\": true}\n")
        .write(
            "src/main.js",
            "const { used } = require(\"./used\");\nused();\n",
        )
        .write(
            "src/used.js",
            "exports.used = function () {};\n",
        )
        .write(
            "src/old.js",
            "const { deep } = require(\"./deep\");\nfunction first() {\n  return deep();\n}\nfunction second() {\n  return first();\n}\nmodule.exports = { first, second };\n",
        )
        .write("src/deep.js", "exports.deep = function () {};\n")
        .write("src/acts.js", "prepare();\nfunction prepare() {}\n")
        .write("src/named.js", "exports.named = function () {};\n")
        .write("build.yaml", "entry: src/named.js\n");
    repo.commit("one");
    let lines = findings(&repo, &["unused"]);
    let files: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split_once(" file, ").map(|(place, _)| place))
        .collect();
    assert_eq!(files, ["src/deep.js:1-1", "src/old.js:1-7"], "{lines:?}");
}

#[test]
fn only_ambiguous_uses_leave_it_open() {
    let repo = TestRepo::init();
    repo.write(
        "app/main.py",
        "class _A:\n    def _go_on(self):\n        return 1\n\nclass _B:\n    def _go_on(self):\n        return 2\n\n\
         def main(x):\n    _A()\n    _B()\n    return x._go_on()\n\nmain(1)\n",
    );
    repo.commit("one");
    let out = repo.sverklo(&["audit", "unused"]).stdout;
    assert!(
        out.contains("not listed: 2 with uses that may mean them"),
        "{out}"
    );
}

#[test]
fn what_a_constant_is_made_of_or_perhaps_used_by_is_not_called_unreached() {
    let repo = TestRepo::init();
    repo.write("Cargo.toml", "[package]\nname = \"a\"\n").write(
        "src/main.rs",
        "mod rows;\n\n#[global_allocator]\nstatic ALLOC: A = A;\n\nconst MOST: usize = 2;\nconst OVER: usize = 3;\n\n\
         struct A;\nstruct B;\n\n\
         impl A {\n    fn go_on(&self) -> usize {\n        MOST\n    }\n}\n\n\
         impl B {\n    fn go_on(&self) -> usize {\n        4\n    }\n}\n\n\
         macro_rules! gone {\n    () => { 1 };\n}\n\n\
         fn main() {\n    let all = (A, B);\n    all.into_iter().for_each(|it| it.go_on());\n}\n",
    );
    repo.write("src/rows.rs", "pub static ROWS: &[usize] = table!(1);\n");
    repo.write(
        "src/words.rs",
        "macro_rules! table {\n    ($n:expr) => { &[$n] };\n}\n",
    );
    repo.commit("one");
    // `MOST` is used by a method that may be called; `table!` is seen in all of the crate.
    assert_eq!(unused(&repo), ["gone unreached", "OVER unreached"]);
}

#[test]
fn what_a_c_program_links_is_its_own() {
    let repo = TestRepo::init();
    repo.write(
        "src/a.h",
        "typedef struct item item;\nint live(item *it);\nint dead(void);\n",
    )
    .write(
        "src/a.c",
        "#include \"a.h\"\nstruct item {\n    struct part {\n        int low;\n    } parts[2];\n};\n\
         int live(item *it) {\n    return it->parts[0].low;\n}\nint dead(void) {\n    return 1;\n}\n",
    )
    .write(
        "src/main.c",
        "#include \"a.h\"\nint main(void) {\n    return live(0);\n}\n",
    );
    repo.commit("one");
    assert_eq!(unused(&repo), ["dead unreached"]);
    repo.write("include/b.h", "int other(void);\n");
    repo.commit("two");
    assert_eq!(unused(&repo), [""; 0]);
}

/// A use leads to the first definitions of a name in a file; of the others nothing is said that is not known.
#[test]
fn what_a_use_does_not_lead_to_for_their_number_is_not_called_unused() {
    let repo = TestRepo::init();
    let many = "def twin(): pass\n".repeat(200);
    repo.write(
        "many.py",
        format!("{many}def lonely(): pass\n\nif __name__ == '__main__':\n    twin()\n"),
    );
    repo.commit("many");
    let said = repo
        .sverklo(&["audit", "unused", "--limit", "500"])
        .success();
    assert!(said.contains("lonely"), "{said}");
    assert!(!said.contains("twin"), "{said}");
}

/// What is for the library alone is no export, whatever the language calls it: `diff`, release notes, verdicts and this
/// go by one rule. What a framework may find, and what stands in for the standard library, is not called dead.
#[test]
fn what_the_library_keeps_for_itself_is_not_exported() {
    let repo = TestRepo::init();
    repo.write("Cargo.toml", "[package]\nname = \"lib\"\n[lib]\n")
        .write(
            "src/lib.rs",
            "pub struct Open;\n\nimpl Open {\n    pub fn offered(&self) -> u8 {\n        1\n    }\n\n    \
             pub(crate) fn kept(&self) -> u8 {\n        2\n    }\n}\n\npub(crate) struct Inner;\n\nimpl Inner {\n    \
             pub fn hidden(&self) -> u8 {\n        3\n    }\n}\n\npub fn made() -> bool {\n    let _ = Inner;\n    true\n}\n\n\
             pub(super) fn stale() {}\n",
        );
    repo.commit("rust");
    assert_eq!(
        unused(&repo),
        [
            "Open.kept unreached",
            "Inner.hidden unreached",
            "stale unreached"
        ]
    );
    let listed = findings(&repo, &["exported"]).join("\n");
    let names = |name: &str| listed.contains(name);
    assert!(names("struct Open") && names("made"), "{listed}");
    assert!(!names("kept") && !names("hidden"), "{listed}");

    let repo = TestRepo::init();
    repo.write(
        "src/Tools.cs",
        "namespace Lib;\n\npublic class Tools\n{\n    public int Offered() => 1;\n    internal int Kept() => 2;\n}\n\n\
         internal class Gone\n{\n}\n\ninternal class Hosted : IHostedService\n{\n}\n\n\
         internal static class Lines\n{\n    internal static int Total(this string line) => line.Length;\n}\n",
    )
    .write(
        "src/Polyfill.cs",
        "namespace System.Runtime.CompilerServices;\n\ninternal static class IsExternalInit\n{\n}\n",
    )
    .write(
        "src/Use.cs",
        "namespace Lib;\n\npublic class Use\n{\n    public int Sum(dynamic it) => it.Total();\n}\n",
    );
    repo.commit("c#");
    assert_eq!(unused(&repo), ["Gone unreached", "Tools.Kept unreached"]);

    let repo = TestRepo::init();
    repo.write(
        "Sources/Map.swift",
        "public struct Map {\n    public func offered() -> Int { 1 }\n    func kept() -> Int { 2 }\n    \
         subscript(at: Int) -> Int { at }\n}\n\nstruct Previews: PreviewProvider {\n}\n",
    )
    .write(
        "Sources/keep.kt",
        "class Open {\n    fun offered() = 1\n    internal fun kept() = 2\n}\n",
    )
    .write(
        "Sources/Pack.java",
        "package lib;\n\npublic class Pack {\n    public int offered() { return 1; }\n    int kept() { return 2; }\n}\n",
    )
    .write("Sources/part.c", "static int kept(void) { return 1; }\n\nint offered(void) { return 2; }\n");
    repo.commit("others");
    let mut found = unused(&repo);
    found.sort();
    assert_eq!(
        found,
        [
            "Map.kept unreached",
            "Open.kept unreached",
            "Pack.kept unreached",
            "kept unreached"
        ]
    );
}

#[test]
fn very_many_at_once_are_a_reason_for_doubt() {
    let functions = |names: std::ops::Range<usize>| -> String {
        names
            .map(|n| format!("static int idle_{n}(void) {{ return {n}; }}\n"))
            .collect()
    };
    let main = "int main(void) { return 0; }\n";
    let repo = TestRepo::init();
    repo.write("main.c", format!("{}{main}", functions(0..19)))
        .write("tool.py", "def _idle(): pass\n\nprint(1)\n");
    let few = findings(&repo, &["unused", "-n", "100"]);
    assert_eq!(few.len(), 20, "{few:?}");
    assert!(few.iter().all(|found| found.ends_with("0.82 unreached")));

    repo.write("main.c", format!("{}{main}", functions(0..20)));
    let many = findings(&repo, &["unused", "-n", "100"]);
    let doubted = many
        .iter()
        .filter(|line| line.contains("uncertain: 19 others of its language are unreached, too"));
    assert_eq!(doubted.count(), 20, "{many:?}");
    // Of another language it says nothing.
    assert!(many[0].ends_with("_idle | 0.82 unreached"), "{many:?}");
    // Nor does it where they are few of very many.
    let used: String = (0..2000)
        .map(|n| format!("int step_{n}(void) {{ return step_{}(); }}\n", n + 1))
        .collect();
    let end = "int step_2000(void) { return 0; }\nint main(void) { return step_0(); }\n";
    repo.write("main.c", format!("{}{used}{end}", functions(0..20)));
    let few = findings(&repo, &["unused", "-n", "100"]);
    assert_eq!(few.len(), 21, "{few:?}");
    assert!(few.iter().all(|found| found.ends_with("0.82 unreached")));
}
