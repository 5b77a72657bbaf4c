//! Why a definition has no sure use: what `symbol` and `refs` say instead of a bare zero.

use super::harness::TestRepo;

/// What is said of a name after its number of uses.
#[track_caller]
pub(super) fn said(repo: &TestRepo, name: &str) -> String {
    let out = repo.sverklo(&["symbol", name]).success();
    let facts = out
        .lines()
        .find(|line| line.starts_with("  ") && (line.contains(" use") || line.contains("uses")))
        .unwrap_or_else(|| panic!("{name}: {out}"));
    let uses = facts.split("; ").find(|fact| fact.contains(" use"));
    uses.expect("uses are counted").trim().to_owned()
}

/// What is said of some names; of what nothing uses, how sure that is makes no difference (see `verdict_dead`).
#[track_caller]
pub(super) fn all(repo: &TestRepo, expected: &[(&str, &str)]) {
    let unused = [
        "0 uses, nothing known uses it",
        "0 uses, dead: its name stands nowhere else",
    ];
    for (name, verdict) in expected {
        let said = said(repo, name);
        let said = match unused.contains(&said.as_str()) {
            true => "0 uses, nothing uses it",
            false => &said,
        };
        assert_eq!(said, *verdict, "{name}");
    }
}

#[test]
fn what_python_registers_and_calls_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "app/views.py",
        "from flask import Blueprint\nfrom .auth import login_required\n\nbp = Blueprint(\"blog\", __name__)\n\n\n\
         @bp.route(\n    \"/create\", methods=(\"GET\", \"POST\"))\n@login_required\ndef create():\n    return helper()\n\n\n\
         @login_required\ndef kept():\n    return 1\n\n\n\
         def helper():\n    return 2\n\n\ndef _gone():\n    return _gone()\n\n\ndef _stale():\n    return 3\n\n\n\
         def _named():\n    return 4\n\n\ndef _step_one():\n    return 6\n\n\ndef run(n):\n    return globals()[\"_step_\" + n]()\n\n\ndef _tested():\n    return 5\n\n\ndef main():\n    return HANDLERS\n\n\nHANDLERS = {\"x\": \"_named\"}\n",
    )
    .write(
        "app/auth.py",
        "def login_required(view):\n    return view\n",
    )
    .write(
        "app/models.py",
        "from django.db import models\n\n\nclass Base:\n    def load(self):\n        return 1\n\n\n\
         class Child(Base):\n    def load(self):\n        return 2\n\n    def __len__(self):\n        return 0\n\n\n\
         class Row(models.Model):\n    def save(self):\n        return 3\n\n    def _own(self):\n        return 4\n\n\n\
         def use(base: Base):\n    return base.load()\n",
    )
    .write(
        "tests/test_views.py",
        "import pytest\nfrom app.views import _tested\n\n\n@pytest.fixture\ndef client():\n    return 1\n\n\n\
         def test_it(client):\n    assert _tested() == 5\n",
    )
    .write("setup.py", "from setuptools import setup\nsetup(name=\"app\")\n");
    repo.commit("python");
    all(
        &repo,
        &[
            ("create", "0 uses, called by what is outside"),
            (
                "kept",
                "0 uses, perhaps registered by `@login_required` on line 14",
            ),
            ("helper", "1 use"),
            ("_gone", "1 use, all its own"),
            ("_stale", "0 uses, nothing uses it"),
            ("_named", "0 uses, but its name stands at app/views.py:51"),
            (
                "_step_one",
                "0 uses, but its name may be put together at app/views.py:40",
            ),
            ("_tested", "2 uses, all in tests"),
            ("main", "0 uses, a program begins here"),
            (
                "Child.load",
                "0 uses, may be called through Base.load, 1 use",
            ),
            ("Child.__len__", "0 uses, called by the language"),
            (
                "Row.save",
                "0 uses, may be called through Model, which is not in this repository",
            ),
            (
                "Row._own",
                "0 uses, may be called through Model, which is not in this repository",
            ),
            ("client", "1 use, a fixture by `@pytest.fixture` on line 5"),
            ("test_it", "0 uses, run as a test"),
        ],
    );
    let refs = repo.sverklo(&["refs", "create"]).success();
    assert!(
        refs.contains("function create: called by what is outside\n"),
        "{refs}"
    );
}

#[test]
fn what_go_calls_through_interfaces_is_not_dead() {
    let repo = TestRepo::init();
    repo.write("go.mod", "module example.com/app\n").write(
        "main.go",
        "package main\n\nimport \"sort\"\n\ntype byName []string\n\n\
         func (b byName) Len() int { return len(b) }\nfunc (b byName) Less(i, j int) bool { return b[i] < b[j] }\n\
         func (b byName) Swap(i, j int) { b[i], b[j] = b[j], b[i] }\n\n\
         type half struct{}\n\nfunc (half) Less(i, j int) bool { return false }\n\n\
         type shape interface {\n\tArea() int\n}\n\ntype square struct{}\n\nfunc (square) Area() int { return 1 }\n\n\
         func (square) edge() int { return 2 }\n\nfunc main() {\n\tsort.Sort(byName{})\n\tvar s shape = square{}\n\t_ = s\n\t_ = half{}\n}\n",
    );
    repo.commit("go");
    all(
        &repo,
        &[
            (
                "byName.Less",
                "0 uses, may be called through sort.Interface",
            ),
            ("half.Less", "0 uses, nothing uses it"),
            ("square.Area", "0 uses, may be called through shape.Area"),
            ("square.edge", "0 uses, nothing uses it"),
            ("main", "0 uses, a program begins here"),
        ],
    );
}

#[test]
fn what_a_library_gives_out_is_said_to_be_for_others() {
    let repo = TestRepo::init();
    repo.write(
        "package.json",
        "{\"name\": \"lib\", \"main\": \"src/index.ts\"}\n",
    )
    .write(
        "src/index.ts",
        "export function open(): number { return 1 }\nfunction shut(): number { return 2 }\n\
         export const table = { run() { return 3 } }\n",
    )
    .write(
        "src/users.ts",
        "import { Controller, Get } from '@nestjs/common'\n\n@Controller('users')\nexport class Users {\n  \
         @Get(':id')\n  one() { return 1 }\n\n  private two() { return 2 }\n}\n",
    )
    .write(
        "Cargo.toml",
        "[package]\nname = \"lib\"\n",
    )
    .write(
        "src/lib.rs",
        "pub struct Point;\n\nimpl std::str::FromStr for Point {\n    type Err = ();\n}\n\nimpl std::fmt::Display for Point {\n    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {\n        Ok(())\n    }\n}\n\n\
         #[no_mangle]\npub extern \"C\" fn outside() {}\n\nfn inside() {}\n",
    )
    .write(
        "src/App.java",
        "import org.springframework.web.bind.annotation.*;\n\n@RestController\nclass App {\n  @GetMapping(\"/users/{id}\")\n  String user() { return \"\"; }\n\n  private String none() { return \"\"; }\n\n  public String toString() { return \"\"; }\n}\n",
    );
    repo.commit("several");
    all(
        &repo,
        &[
            ("open", "0 uses, unused here, for others to use"),
            ("shut", "0 uses, nothing uses it"),
            ("Users.one", "0 uses, called by what is outside"),
            ("Users.two", "0 uses, nothing uses it"),
            (
                "Point.fmt",
                "0 uses, may be called through Display, which is not in this repository",
            ),
            (
                "outside",
                "0 uses, a symbol for others by `#[no_mangle]` on line 13",
            ),
            ("inside", "0 uses, nothing uses it"),
            ("App.user", "0 uses, called by what is outside"),
            ("App.none", "0 uses, nothing uses it"),
            ("App.toString", "0 uses, called by the language"),
        ],
    );
}

/// A name in an expression is for those who read a stack trace: whoever gets the value calls it.
#[test]
fn what_is_named_where_it_is_a_value_is_not_dead() {
    let repo = TestRepo::init();
    repo.write("package.json", "{\"private\": true}\n").write(
        "app.js",
        "const app = require('express')()\n\
         app.on('mount', function onmount() { helper() })\n\
         function etag() {\n  return function generate() { return 1 }\n}\n\
         Object.defineProperty(app, 'router', { get: function getrouter() { return etag() } })\n\
         function helper() {}\nfunction dead() {}\n",
    );
    repo.commit("express");
    let handed = "0 uses, a value that is handed on where it stands";
    all(
        &repo,
        &[
            ("onmount", handed),
            ("generate", handed),
            ("dead", "0 uses, nothing uses it"),
        ],
    );
    let audit = repo.sverklo(&["audit"]).success();
    assert!(audit.contains("function dead |"), "{audit}");
    for alive in ["onmount", "generate", "getrouter", "helper", "etag"] {
        assert!(!audit.contains(alive), "{audit}");
    }
}

/// A base that is told of the types derived from it, as where plugins are found.
#[test]
fn what_is_derived_from_what_collects_it_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "lib/plugin.rb",
        "class Plugin\n  def self.inherited(const)\n    (@all ||= []) << const\n  end\nend\n",
    )
    .write("lib/identity.rb", "class Identity < Plugin\nend\n")
    .write(
        "plugins.py",
        "class Base:\n    def __init_subclass__(cls):\n        print(cls)\n\n\n\
         class _Found(Base):\n    pass\n\n\nclass _Lost:\n    pass\n",
    );
    repo.commit("plugins");
    all(
        &repo,
        &[
            (
                "Identity",
                "0 uses, derived from what asks for that, Plugin.inherited",
            ),
            (
                "_Found",
                "0 uses, derived from what asks for that, Base.__init_subclass__",
            ),
            ("_Lost", "0 uses, nothing uses it"),
        ],
    );
    let audit = repo.sverklo(&["audit"]).success();
    assert!(
        audit.contains("_Lost") && !audit.contains("_Found"),
        "{audit}"
    );
}

/// A program beside a C library, as its tests have, does not make the library a program.
#[test]
fn what_a_c_build_installs_is_for_others() {
    let repo = TestRepo::init();
    repo.write(
        "CMakeLists.txt",
        "add_library(lib lib.c)\ninstall(TARGETS lib)\n",
    )
    .write(
        "lib.h",
        "int open_it(void);\n#define TWICE(n) ((n) + (n))\n",
    )
    .write(
        "lib.c",
        "#include \"lib.h\"\nint open_it(void) { return 1; }\nstatic int own(void) { return 2; }\n",
    )
    .write(
        "demo.c",
        "#include \"lib.h\"\nint main(void) { return 0; }\n",
    );
    repo.commit("c");
    all(
        &repo,
        &[
            ("open_it", "0 uses, unused here, for others to use"),
            ("TWICE", "0 uses, unused here, for others to use"),
            ("own", "0 uses, nothing uses it"),
        ],
    );
    let said = |build: &[(&str, &str)]| {
        for (path, text) in build {
            repo.write(path, text);
        }
        repo.commit("build");
        repo.sverklo(&["symbol", "open_it"]).success()
    };
    let upper = "ADD_LIBRARY(lib lib.c)\nINSTALL(TARGETS lib)\n";
    assert!(said(&[("CMakeLists.txt", upper)]).contains("for others to use"));
    let program = "add_executable(demo demo.c)\n";
    assert!(said(&[("CMakeLists.txt", program)]).contains("nothing known uses it"));
    let install = "install: lib.a\n\t$(INSTALL) lib.h $(DESTDIR)/include\n";
    assert!(said(&[("Makefile", install)]).contains("for others to use"));
    let install = "install: demo lib.hpp\n\t$(INSTALL) demo $(DESTDIR)/bin\n";
    assert!(said(&[("Makefile", install)]).contains("nothing known uses it"));
}

/// `declare module` adds to what others have.
#[test]
fn what_is_declared_in_a_module_of_others_is_theirs_to_use() {
    let repo = TestRepo::init();
    repo.write("package.json", "{\"name\": \"a\", \"private\": true}\n")
        .write(
            "src/immer.ts",
            "declare module './vanilla' {\n  interface Mutators<S> {\n    immer: WithImmer<S>\n  }\n}\n\
             type WithImmer<S> = S & { a: 1 }\ntype Lonely = 1\nnamespace own {\n  interface Kept { a: 1 }\n}\n",
        )
        .write("src/vanilla.ts", "interface Other {}\n");
    repo.commit("one");
    all(
        &repo,
        &[
            ("Mutators", "0 uses, unused here, for others to use"),
            ("Kept", "0 uses, nothing uses it"),
        ],
    );
    let unused = repo.sverklo(&["audit", "unused"]).success();
    assert!(unused.contains("type Lonely"), "{unused}");
    assert!(!unused.contains("Mutators"), "{unused}");
    assert!(!unused.contains("WithImmer"), "{unused}");
}

/// Extension methods are used without their class being named.
#[test]
fn what_is_used_through_a_member_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "src/Ext.cs",
        "namespace A {\n  internal static class Extensions {\n    public static int TwiceAsMuch(this Type type) => 2;\n  }\n\
         \x20 internal static class Gone {\n    public static int NeverAsMuch(int n) => n;\n  }\n}\n",
    )
    .write(
        "src/Use.cs",
        "namespace A {\n  class Use {\n    object Both() { return Run(x => x.TwiceAsMuch()); }\n  }\n}\n",
    );
    repo.commit("extension");
    let said = said(&repo, "Extensions");
    assert_eq!(said, "0 uses, used through A.Extensions.TwiceAsMuch");
}

#[test]
fn what_a_library_keeps_for_itself_is_not_said_to_be_for_others() {
    let repo = TestRepo::init();
    repo.write("Cargo.toml", "[package]\nname = \"lib\"\n[lib]\n")
        .write(
            "src/lib.rs",
            "pub struct Open;\n\nimpl Open {\n    pub fn offered(&self) {}\n    pub(crate) fn kept(&self) {}\n}\n\n\
             pub(in crate::a) fn stale() {}\n",
        )
        .write(
            "src/Tools.cs",
            "namespace Lib;\n\npublic class Tools\n{\n    public int Given() => 1;\n    internal int Own() => 2;\n}\n",
        )
        .write(
            "src/Block.cs",
            "namespace Lib.Inner\n{\n  public class Block\n  {\n    public int Given() => 1;\n  }\n}\n",
        )
        .write(
            "src/Polyfill.cs",
            "namespace System.Runtime.CompilerServices;\n\ninternal static class IsExternalInit\n{\n}\n",
        );
    repo.commit("own");
    all(
        &repo,
        &[
            ("Open.offered", "0 uses, unused here, for others to use"),
            ("Open.kept", "0 uses, nothing uses it"),
            ("stale", "0 uses, nothing uses it"),
            ("Tools.Given", "0 uses, unused here, for others to use"),
            ("Tools.Own", "0 uses, nothing uses it"),
            ("Block.Given", "0 uses, unused here, for others to use"),
            ("IsExternalInit", "0 uses, called by the language"),
        ],
    );
    let flags = |name: &str| {
        let out = repo.sverklo(&["symbol", name, "--json"]);
        let answer: serde_json::Value = serde_json::from_str(&out.stdout).expect("JSON");
        let mut cards = answer["cards"].as_array().into_iter().flatten();
        cards.next().map(|card| card["flags"].to_string())
    };
    let told = |flag: &str| Some(format!("[\"{flag}\"]"));
    assert_eq!(flags("Open.offered"), told("exported"));
    assert_eq!(flags("Open.kept"), told("internal"));
    assert_eq!(flags("stale"), told("internal"));
    assert_eq!(flags("Tools.Given"), told("exported"));
    assert_eq!(flags("Block.Given"), told("exported"));
    assert_eq!(flags("Tools.Own"), told("internal"));
}

/// A method may be called by a name that its file puts together.
#[test]
fn a_name_that_is_put_together_in_its_own_file_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "src/Export.php",
        "<?php\nclass Export\n{\n    public function as($format)\n    {\n        $name = 'produce' . ucfirst($format);\n        return $this->$name();\n    }\n\n    private function produceEpub()\n    {\n        return 1;\n    }\n\n    private function forgotten()\n    {\n        return 2;\n    }\n}\n",
    )
    .write("index.php", "<?php\n$export = new Export();\n$export->as('epub');\n");
    repo.commit("one");
    let audit = repo.sverklo(&["audit", "unused"]).stdout;
    let line = |name: &str| {
        audit
            .lines()
            .find(|line| line.contains(name))
            .unwrap_or_default()
    };
    assert!(line("forgotten").contains("unreached"), "{audit}");
    assert!(!line("produceEpub").contains("unreached"), "{audit}");
}

/// Files of a folder that is loaded whole are reached.
#[test]
fn a_folder_that_is_loaded_whole_is_not_dead() {
    let repo = TestRepo::init();
    let controller = "export class Tag {\n  connect() {\n    return 1;\n  }\n}\n";
    repo.write("package.json", "{\"private\": true}\n")
        .write(
            "assets/boot.js",
            "run(require.context(\n  'some/loader!./controllers',\n  true,\n));\n",
        )
        .write(
            "assets/lazy.js",
            "run(import.meta.glob('../lib/parts/**/*.js'));\n",
        )
        .write("assets/controllers/tag.js", controller)
        .write("lib/parts/deep/tag.js", controller)
        .write("lib/left/tag.js", controller);
    // What only says the word comes first, and there is much of it.
    for n in 0..200 {
        repo.write(format!("assets/a{n}.js"), "log(context, glob);\n");
    }
    repo.commit("one");
    let audit = repo.sverklo(&["audit", "unused"]).stdout;
    assert!(audit.contains("lib/left/tag.js"), "{audit}");
    for reached in ["controllers/tag.js", "parts/deep/tag.js"] {
        assert!(!audit.contains(reached), "{audit}");
    }
}

/// What a framework finds by its base or is handed is not dead, nor is what it names.
#[test]
fn what_a_framework_finds_is_not_called_dead() {
    let repo = TestRepo::init();
    repo.write(
        "shop/migrations/0001_fill.py",
        "from django.db import migrations\n\n\ndef fill(apps, editor):\n    pass\n\n\n\
         class Migration(migrations.Migration):\n    operations = [migrations.RunPython(fill)]\n",
    )
    .write(
        "shop/apps.py",
        "from django.apps import AppConfig\n\n\nclass ShopConfig(AppConfig):\n    name = 'shop'\n",
    )
    .write(
        "shop/models.py",
        "from django.db import models\n\n\nclass Item(models.Model):\n    class Meta:\n        ordering = ['id']\n\n\n\
         class Plain:\n    class Lost:\n        pass\n\n    def gone(self):\n        pass\n\n\nItem.objects.all()\nPlain()\n",
    )
    .write(
        "shop/urls.py",
        "from django.urls import register_converter\n\n\nclass Quote:\n    def to_url(self, value):\n        return value\n\n    \
         def _own(self):\n        pass\n\n\nregister_converter(Quote, 'quote')\n",
    )
    .write("shop/auth.py", "class Backend:\n    def get_user(self, id):\n        return id\n")
    .write("shop/settings.py", "BACKENDS = ['shop.auth.Backend']\n")
    .write("manage.py", "import shop.models\nimport shop.urls\nimport shop.apps\nimport shop.settings\n");
    repo.commit("one");
    let audit = repo.sverklo(&["audit", "unused"]).stdout;
    let line = |name: &str| {
        let mut all = audit.lines().filter(|line| line.contains(name));
        all.next().unwrap_or_default().to_owned()
    };
    for dead in ["Plain.Lost", "Plain.gone", "Quote._own"] {
        assert!(line(dead).contains("unreached"), "{dead}: {audit}");
    }
    for found in [
        "fill",
        "ShopConfig",
        "Item.Meta",
        "Quote.to_url",
        "class Migration",
    ] {
        assert!(!line(found).contains("unreached"), "{found}: {audit}");
    }
    // A card says no more than the list.
    let gets = "may be called by who gets its type";
    all(
        &repo,
        &[
            ("Quote.to_url", &format!("0 uses, {gets}, shop/urls.py:12")),
            ("Quote._own", "0 uses, nothing uses it"),
            (
                "Backend.get_user",
                &format!("0 uses, {gets}, shop/settings.py:1"),
            ),
        ],
    );
}

#[test]
fn what_is_declared_is_used_as_what_overrides_it() {
    let repo = TestRepo::init();
    repo.write(
        "src/store.ts",
        "export interface Store { save(x: number): void; load(): void }\n\
         export class Disk implements Store { save(x: number) {} load() {} }\n\
         export class Memory implements Store { save(x: number) {} load() {} }\n\
         export function run(disk: Disk, memory: Memory) { disk.save(1); memory.save(2); disk.save(3); }\n",
    );
    repo.commit("one");
    all(
        &repo,
        &[
            (
                "Store.save",
                "0 uses, 2 uses of Disk.save and 1 more, which override it",
            ),
            ("Store.load", "0 uses"),
        ],
    );
    let refs = repo.sverklo(&["refs", "Store.save"]);
    assert!(
        refs.stdout
            .contains("method Store.save: 2 uses of Disk.save and 1 more"),
        "{}",
        refs.stdout
    );
}

#[test]
fn what_a_system_or_a_tool_starts_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "win/main.cpp",
        "static int attach() { return 1; }\nstatic int alone() { return 2; }\n\
         int wWinMain(void *instance) { return attach(); }\n",
    )
    .write(
        "database/migrations/2020_add.php",
        "<?php\nreturn new class extends Migration {\n  public function up() { return 1; }\n};\n",
    );
    repo.commit("started");
    let dead = repo.sverklo(&["audit", "unused"]).stdout;
    assert!(dead.contains("function alone"), "{dead}");
    for alive in ["attach", "wWinMain", "method up"] {
        assert!(!dead.contains(alive), "{dead}");
    }
}

#[test]
fn what_overrides_says_so_and_is_registered_by_nobody() {
    let repo = TestRepo::init();
    repo.write(
        "src/Shop.java",
        "package shop;\n\nimport org.lib.Handler;\nimport shop.other.Missing;\n\nclass Desk extends Handler {\n    @Override\n    \
         public void handleDesk(int x) {\n    }\n}\n\ninterface Draws {\n    void drawAll();\n}\n\nclass Pen implements Draws {\n    \
         @Override\n    public void drawAll() {\n    }\n\n    @Override\n    public String toString() {\n        return \"\";\n    }\n\n    \
         @Override\n    public void settle() {\n    }\n\n    @Deprecated\n    void lone() {\n    }\n}\n",
    );
    repo.commit("java");
    all(
        &repo,
        &[
            (
                "handleDesk",
                "0 uses, may be called through Handler, which is not in this repository",
            ),
            (
                "Pen.drawAll",
                "0 uses, may be called through Draws.drawAll, 0 uses",
            ),
            ("toString", "0 uses, called by the language"),
            (
                "settle",
                "0 uses, may be called through what it overrides, as line 26 says",
            ),
        ],
    );
    let unused = repo.sverklo(&["audit", "unused"]).stdout;
    for name in ["handleDesk", "toString", "settle"] {
        assert!(!unused.contains(name), "{unused}");
    }
}

#[test]
fn what_libraries_and_frameworks_call_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "lib/mailer.ex",
        "defmodule Shop.Mailer do\n  use Oban.Worker, queue: :default\n\n  def perform(job), do: job\n\n  def lone_one(x), do: x\nend\n\n\
         defmodule Shop.Box do\n  @impl true\n  def open_it(x), do: x\nend\n",
    )
    .write(
        "app/Policies/SongPolicy.php",
        "<?php\nnamespace App\\Policies;\nclass SongPolicy\n{\n    public function own($user, $song): bool { return true; }\n    \
         private function helper(): bool { return true; }\n}\n",
    )
    .write(
        "lib/http.rb",
        "class Net::HTTP\n  def conn_address\n    1\n  end\nend\n\nclass String\n  def shouted\n    upcase\n  end\nend\n\nmodule Net\n  class FTP\n    def own_address\n      1\n    end\n  end\nend\n\n\
         class Desk\n  def say(list)\n    \"a\".shouted\n  end\nend\n",
    );
    repo.commit("one");
    all(
        &repo,
        &[
            (
                "Mailer.perform",
                "0 uses, may be called through Oban.Worker",
            ),
            (
                "open_it",
                "0 uses, may be called through what it overrides, as line 10 says",
            ),
            (
                "SongPolicy",
                "0 uses, may be called through the gate of laravel",
            ),
            (
                "SongPolicy.own",
                "0 uses, may be called through the gate of laravel",
            ),
            ("helper", "0 uses, nothing uses it"),
            (
                "conn_address",
                "0 uses, may be called through HTTP, which is not in this repository",
            ),
            (
                "own_address",
                "0 uses, may be called through FTP, which is not in this repository",
            ),
            ("shouted", "1 use"),
        ],
    );
    assert_ne!(
        said(&repo, "lone_one"),
        "0 uses, may be called through Oban.Worker"
    );
    let unused = repo.sverklo(&["audit", "unused"]).stdout;
    for name in [
        "perform",
        "open_it",
        "SongPolicy.own",
        "conn_address",
        "own_address",
    ] {
        assert!(!unused.contains(name), "{unused}");
    }
}
