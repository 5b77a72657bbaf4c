//! What is called in ways that no reference says, and by whom nothing here knows: interfaces of libraries, what a decorator
//! is handed, attributes that name functions, bases that are values.

use super::harness::TestRepo;
use super::verdict::all;

const DELEGATE: &str = "package cluster\n\nimport (\n\t\"log\"\n\n\t\"github.com/hashicorp/memberlist\"\n)\n\n\
     type delegate struct{ p *peer }\n\ntype peer struct{}\n\n\
     func (d *delegate) NotifyMsg(b []byte) { d.p.update() }\n\n\
     func (d *delegate) NotifyLeave(n *memberlist.Node) { log.Print(\"NotifyLeave\") }\n\n\
     func (d *delegate) merge() {}\n\nfunc (p *peer) update() {}\n\n\
     func Join() { memberlist.Create(&delegate{p: &peer{}}) }\n";

#[test]
fn what_an_interface_of_a_library_may_ask_for_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "go.mod",
        "module example.com/app\n\nrequire github.com/hashicorp/memberlist v0.5.0\n",
    )
    .write("internal/cluster/delegate.go", DELEGATE)
    .write(
        "internal/times/file.go",
        "package times\n\nimport (\n\t\"io/fs\"\n\t\"time\"\n)\n\ntype file struct {\n\tfs.FileInfo\n\tt time.Time\n}\n\n\
         func (f *file) ModTime() time.Time { return f.t }\n\nfunc Of(of fs.FileInfo) fs.FileInfo { return &file{of, time.Time{}} }\n",
    )
    .write(
        "internal/plain/plain.go",
        "package plain\n\nimport \"fmt\"\n\ntype thing struct{}\n\nfunc (t thing) Stale() { fmt.Println(\"Stale\") }\n\nfunc Make() { _ = thing{} }\n",
    )
    .write(
        "main.go",
        "package main\n\nimport (\n\t\"example.com/app/internal/cluster\"\n\t\"example.com/app/internal/plain\"\n\t\"example.com/app/internal/times\"\n)\n\n\
         func main() {\n\tcluster.Join()\n\tplain.Make()\n\ttimes.Of(nil)\n\tconfigure()\n}\n",
    )
    // Go builds it into the program: a test is called `routing_test.go`.
    .write(
        "test_routing.go",
        "package main\n\nfunc configure() { show() }\n\nfunc show() {}\n",
    );
    repo.commit("go");
    let elsewhere =
        "0 uses, may be called through an interface of what internal/cluster/delegate.go:6 imports";
    all(
        &repo,
        &[
            ("delegate.NotifyMsg", elsewhere),
            // What it says of itself to a log is no use.
            ("delegate.NotifyLeave", elsewhere),
            ("delegate.merge", "0 uses, nothing uses it"),
            (
                "file.ModTime",
                "0 uses, may be called through FileInfo, which is not in this repository",
            ),
            ("thing.Stale", "0 uses, nothing uses it"),
            ("show", "1 use"),
        ],
    );
    let unused = repo.sverklo(&["audit", "unused"]).success();
    for alive in ["NotifyMsg", "NotifyLeave", "peer.update", "ModTime"] {
        assert!(!unused.contains(alive), "{alive}: {unused}");
    }
    assert!(
        unused.contains("delegate.merge") && unused.contains("thing.Stale"),
        "{unused}"
    );
}

#[test]
fn what_python_hands_over_with_a_type_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "app/body.py",
        "from zope.interface import implementer\nfrom twisted.web.iweb import IBodyProducer\nimport attr\n\n__version__ = \"1\"\n\n\n\
         @implementer(IBodyProducer)\nclass Producer:\n    def pauseProducing(self):\n        pass\n\n    def _own(self):\n        pass\n\n\n\
         @attr.s\nclass Plain:\n    def stale(self):\n        pass\n\n\nUSED = [Producer(), Plain()]\nprint(USED)\n",
    )
    .write(
        "app/handlers.py",
        "from .base import Streaming, NARROW\n\nif NARROW:\n    Base = Streaming[int]\nelse:\n    Base = Streaming\n\n\n\
         class Handler(Base):\n    def _headers(self):\n        return {}\n\n\n\
         class Plain(Streaming):\n    def _stale(self):\n        return {}\n\n\nprint(Handler(), Plain())\n",
    )
    .write(
        "app/base.py",
        "NARROW = True\n\n\nclass Streaming:\n    def _headers(self):\n        raise NotImplementedError\n\n    def run(self):\n        return self._headers()\n",
    )
    .write(
        "app/packs.py",
        "import select\n\nLINK = getattr(select, \"LINK\", 16)\n\n\n\
         def register(registry):\n    pack = unpack = None\n    try:\n        import msgpack\n\n        def pack(s):\n            return msgpack.packb(s)\n\n\
         \x20       def unused(s):\n            return s\n    except ImportError:\n        pass\n    registry.add(pack, unpack)\n",
    )
    .write(
        "app/shown.py",
        "class Shown:\n    def _repr_html_(self):\n        return 1\n\n    def _repr_mine(self):\n        return 1\n\n\nprint(Shown())\n",
    )
    .write(
        "app/tee.py",
        "from http.cookiejar import CookieJar\n\n\nclass Tee:\n    def acquire(self):\n        return 1\n\n\n\
         class Kept:\n    def stale(self):\n        return 1\n\n\ndef run(items):\n    jar = CookieJar()\n    jar._lock = Tee()\n    kept = Kept()\n    items.append(Kept())\n    return kept\n\n\nprint(run([]))\n",
    );
    repo.commit("python");
    all(
        &repo,
        &[
            (
                "Tee.acquire",
                "0 uses, may be called by who gets its type, app/tee.py:16",
            ),
            ("Kept.stale", "0 uses, nothing uses it"),
            ("Shown._repr_html_", "0 uses, called by the language"),
            ("Shown._repr_mine", "0 uses, nothing uses it"),
            (
                "Producer.pauseProducing",
                "0 uses, may be called by who gets its type, app/body.py:8",
            ),
            ("Producer._own", "0 uses, nothing uses it"),
            ("Plain.stale", "0 uses, nothing uses it"),
            ("__version__", "0 uses, called by the language"),
            (
                "Handler._headers",
                "0 uses, may be called through Base, which is a value here",
            ),
            ("Plain._stale", "0 uses, nothing uses it"),
            ("LINK", "0 uses, nothing uses it"),
            (
                "register.pack",
                "0 uses, but its name stands at app/packs.py:18",
            ),
            ("register.unused", "0 uses, nothing uses it"),
        ],
    );
    let unused = repo.sverklo(&["audit", "unused"]).success();
    for alive in ["pauseProducing", "Handler._headers", "Tee.acquire"] {
        assert!(!unused.contains(alive), "{alive}: {unused}");
    }
    assert!(unused.contains("Plain._stale"), "{unused}");
}

#[test]
fn what_an_attribute_names_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "src/main.rs",
        "mod dates;\n\n#[derive(serde::Serialize)]\nstruct Row {\n    #[serde(serialize_with = \"dates::write_day\")]\n    day: u32,\n}\n\n\
         fn main() {\n    let row = Row { day: 1 };\n    println!(\"{}\", serde_json::to_string(&row).unwrap());\n}\n",
    )
    .write(
        "src/dates.rs",
        "pub(crate) fn write_day<S: serde::Serializer>(day: &u32, to: S) -> Result<S::Ok, S::Error> {\n    to.serialize_u32(*day)\n}\n\n\
         pub(crate) fn stale_day() {}\n",
    )
    .write("Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\n");
    repo.commit("rust");
    all(
        &repo,
        &[
            ("write_day", "0 uses, but its name stands at src/main.rs:5"),
            ("stale_day", "0 uses, nothing uses it"),
        ],
    );
    let unused = repo.sverklo(&["audit", "unused"]).success();
    let sure = unused.lines().find(|line| line.contains("write_day"));
    assert!(
        sure.is_none_or(|line| line.contains("uncertain") || line.contains("perhaps")),
        "{unused}"
    );
}

#[test]
fn types_that_a_framework_finds_may_be_private() {
    let repo = TestRepo::init();
    repo.write(
        "app/App.cs",
        "using AutoMapper;\n\nnamespace App;\n\ninternal class Row\n{\n    private class Mapping : Profile\n    {\n        \
         public Mapping() { Names.Of(this); }\n    }\n\n    private class Gone { }\n}\n\ninternal static class Names\n{\n    \
         internal static void Of(object one) { }\n}\n\ninternal static class Program\n{\n    private static void Main() { new Row(); }\n}\n",
    );
    repo.commit("cs");
    let unused = repo.sverklo(&["audit", "unused"]).success();
    assert!(
        unused.contains("Gone") && !unused.contains("Mapping") && !unused.contains("Names"),
        "{unused}"
    );
}

#[test]
fn what_a_block_extends_a_type_by_is_for_others() {
    let repo = TestRepo::init();
    repo.write(
        "lib/Lib.csproj",
        "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><PackageId>Lib</PackageId></PropertyGroup></Project>\n",
    )
    .write(
        "lib/Extensions.cs",
        "namespace Lib;\n\npublic static class Extensions\n{\n    extension(Request request)\n    {\n        \
         public Request WithCookie(string name) => request;\n        private Request WithNothing() => request;\n    }\n}\n\n\
         public class Request\n{\n    public Request()\n    {\n        void Local() { }\n    }\n}\n",
    );
    repo.commit("cs");
    all(
        &repo,
        &[
            ("WithCookie", "0 uses, unused here, for others to use"),
            ("WithNothing", "0 uses, nothing uses it"),
            ("Local", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn what_is_put_in_for_a_macro_is_no_local() {
    let repo = TestRepo::init();
    repo.write(
        "a.c",
        "#define END\n#if DEBUG\n#define STACK(a, b) show(a, b)\n#else\n#define STACK(a, b)\n#endif\n\
         int main(int a, char **b) {\n    int *c;\n    END\n    STACK (a, c);\n    return 0;\n}\n\nstatic int gone(void) { return 1; }\n",
    );
    repo.commit("c");
    let said = repo.sverklo(&["symbol", "STACK"]).success();
    assert!(!said.contains("nothing uses it"), "{said}");
    all(&repo, &[("gone", "0 uses, nothing uses it")]);
}

#[test]
fn a_list_of_what_a_library_has_uses_nothing() {
    let repo = TestRepo::init();
    repo.write(
        "core/api/core.api",
        "public final class Core {\n\tpublic final fun refreshAll ()V\n}\n",
    )
    .write(
        "core/src/commonMain/kotlin/Core.kt",
        "class Core {\n    fun refreshAll() {}\n}\n\nexpect fun clockOf(): Long\n\ninternal val START = clockOf()\n",
    )
    .write(
        "core/src/jsMain/kotlin/Clock.kt",
        "actual fun clockOf(): Long = 1\n\nfun clockOfNobody(): Long = 2\n",
    );
    repo.commit("kotlin");
    all(
        &repo,
        &[("refreshAll", "0 uses, unused here, for others to use")],
    );
    let exported = repo.sverklo(&["audit", "unused", "--exported"]).success();
    assert!(
        exported.contains("clockOfNobody") && !exported.contains("clockOf "),
        "{exported}"
    );
    let actual = repo
        .sverklo(&[
            "symbol",
            "core/src/jsMain/kotlin/Clock.kt::clockOf#function",
        ])
        .success();
    assert!(!actual.contains("for others to use"), "{actual}");
}

#[test]
fn what_an_object_that_is_given_out_has_is_for_others() {
    let repo = TestRepo::init();
    repo.write("package.json", "{\"name\": \"lib\", \"main\": \"index.ts\"}\n")
        .write(
            "index.ts",
            "class Manager {\n  configure(): number { return 1 }\n  private stale(): number { return 2 }\n}\n\n\
             class Kept {\n  left(): number { return 3 }\n}\n\nconst kept = new Kept()\nconsole.log(kept)\n\n\
             export const manager = new Manager()\n",
        );
    repo.commit("objects");
    all(
        &repo,
        &[
            (
                "Manager.configure",
                "0 uses, unused here, for others to use",
            ),
            ("Manager.stale", "0 uses, nothing uses it"),
            ("Kept.left", "0 uses, nothing uses it"),
        ],
    );
    let unused = repo.sverklo(&["audit", "unused"]).success();
    assert!(
        unused.contains("stale") && unused.contains("left") && !unused.contains("configure"),
        "{unused}"
    );
}

#[test]
fn what_a_module_has_for_the_language_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "lib/client.rb",
        "module App\n  module Compat\n    def respond_to_missing?(name, all = false)\n      super\n    end\n\n    \
         private def _stale_one\n      1\n    end\n  end\n\n  Client = Decorator.create(Compat)\nend\nApp::Client.new\n",
    );
    repo.commit("ruby");
    let unused = repo.sverklo(&["audit", "unused"]).success();
    assert!(!unused.contains("respond_to_missing"), "{unused}");
}

#[test]
fn names_that_are_put_together_or_short_are_not_surely_dead() {
    let repo = TestRepo::init();
    repo.write(
        "info.sh",
        "#!/usr/bin/env bash\n_tool_:run() {\n    echo 1\n}\n\n_tool_:stop() {\n    echo 2\n}\n\nstart() {\n    \"_$1_:run\"\n}\n\nstart \"$@\"\n",
    )
    .write(
        "src/main.rs",
        "const N: &str = \"[0-9]\";\n\nconst STALE: u32 = 1;\n\nfn main() {\n    println!(\"{N}\");\n}\n",
    )
    .write("Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\n");
    repo.commit("shell");
    all(
        &repo,
        &[
            (
                "_tool_:run",
                "0 uses, but its name may be put together at info.sh:11",
            ),
            ("_tool_:stop", "0 uses, nothing uses it"),
        ],
    );
    let unused = repo.sverklo(&["audit", "unused", "--json"]).success();
    let of = |name: &str| {
        let at = unused.find(&format!("\"name\":\"{name}\""))?;
        let rest = unused[at..].split("\"verdict\":\"").nth(1)?;
        rest.split('"').next().map(str::to_owned)
    };
    assert_eq!(of("N").as_deref(), Some("uncertain"), "{unused}");
    assert_eq!(of("STALE").as_deref(), Some("dead"), "{unused}");
    assert_eq!(of("_tool_:stop").as_deref(), Some("unreached"), "{unused}");
    assert_ne!(of("_tool_:run").as_deref(), Some("unreached"), "{unused}");
}

#[test]
fn what_templates_and_headers_from_outside_read_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "src/App.java",
        "package a;\nclass App {\n  void f() { Prop p = new Prop(); p.toString(); }\n}\nclass Prop {\n  String getCastText() { return \"\"; }\n  \
         boolean isWideKind() { return true; }\n  String getStale() { return \"\"; }\n}\n",
    )
    .write("src/gen.vm", "${p.castText} #if ($p.wideKind) stale #end\n")
    .write(
        "src/pool.c",
        "#define _POSIX_C_SOURCE 200112L\n#include \"own.h\"\n#include <string.h>\n#define STALE_SIZE 3\nint main(void) { return 0; }\n",
    );
    repo.write(
        "src/table.c",
        "#define ROW(name) { #name }\n#define STALE_ROW 3\n#include \"rows.def\"\n",
    )
    .write("src/rows.def", "ROW(get),\n")
    .commit("templates");
    all(
        &repo,
        &[
            (
                "Prop.getCastText",
                "0 uses, but its name stands at src/gen.vm:1",
            ),
            (
                "Prop.isWideKind",
                "0 uses, but its name stands at src/gen.vm:1",
            ),
            ("Prop.getStale", "0 uses, nothing uses it"),
            (
                "_POSIX_C_SOURCE",
                "0 uses, may be asked for by what line 3 includes",
            ),
            ("STALE_SIZE", "0 uses, nothing uses it"),
            ("ROW", "0 uses, may be asked for by what line 3 includes"),
        ],
    );
    let listed = repo.sverklo(&["audit", "unused"]).success();
    assert!(
        listed.contains("STALE_SIZE") && !listed.contains("_POSIX_C_SOURCE"),
        "{listed}"
    );
}

#[test]
fn what_nobody_outside_can_ask_for_may_be_dead() {
    let repo = TestRepo::init();
    repo.write("go.mod", "module example.com/app\n")
        .write(
            "main.go",
            "package main\n\nimport \"sync\"\n\ntype Cache struct {\n\tsync.Mutex\n\tn int\n}\n\nfunc (c *Cache) stale() int { return c.n }\n\n\
             func (c *Cache) Lock() {}\n\nfunc main() { _ = &Cache{} }\n",
        )
        .write(
            "a.ts",
            "import { thing } from 'thing';\n@thing()\nclass Deep {\n  private hidden() {}\n  shown() {}\n}\nnew Deep();\n",
        )
        .write(
            "tee.py",
            "import sys\nclass Tee:\n    def isatty(self):\n        return False\nsys.stdout = Tee()\n",
        )
        .write("src/site/view.py", "def dead_view():\n    pass\n");
    repo.commit("hidden");
    all(
        &repo,
        &[
            ("Cache.stale", "0 uses, nothing uses it"),
            ("Deep.hidden", "0 uses, nothing uses it"),
            (
                "Deep.shown",
                "0 uses, may be called by who gets its type, a.ts:2",
            ),
            (
                "Tee.isatty",
                "0 uses, may be called by who gets its type, tee.py:5",
            ),
            ("dead_view", "0 uses, nothing uses it"),
        ],
    );
}
