//! What is used by markup, by bridges to other languages, by hosts of scripts, and by what computes a name. Beside each
//! stands what is dead.

use super::harness::TestRepo;
use super::verdict::all;
use super::verdict_alive::unused;

/// Names that `audit unused` calls dead.
fn dead(repo: &TestRepo) -> Vec<String> {
    let said = unused(repo);
    let dead = super::verdict_alive::dead(&said);
    dead.into_iter().map(str::to_owned).collect()
}

#[test]
fn what_markup_beside_a_file_names_is_used_however_large_that_is() {
    let repo = TestRepo::init();
    let line = "  <Label Text=\"padding of a page that is larger than texts may be\"/>\n";
    let large = format!(
        "<Window>\n{}<Button Click=\"Save_Executed\"/>\n</Window>\n",
        line.repeat(5000)
    );
    repo.write("ui/Page.xaml", &large)
        .write(
            "ui/Page.xaml.cs",
            "partial class Page {\n    private void Save_Executed() {}\n    private void Stale_Executed() {}\n}\n",
        )
        .write(
            "ui/List.xaml",
            "<List PreviewMouseDown=\"ResultListBox_OnPreviewMouseRightButtonDown\"/>\n",
        )
        .write(
            "ui/List.xaml.cs",
            "partial class List {\n    private void ResultListBox_OnPreviewMouseRightButtonDown() {}\n    \
             private void ResultListBox_OnPreviewMouseMiddleButtonDown() {}\n    \
             static void Main() { new Page(); new List(); }\n}\n",
        );
    repo.commit("markup");
    assert_eq!(
        dead(&repo),
        [
            "List.ResultListBox_OnPreviewMouseMiddleButtonDown",
            "Page.Stale_Executed"
        ]
    );
    all(
        &repo,
        &[
            (
                "Page.Save_Executed",
                "0 uses, but its name stands at ui/Page.xaml:5002",
            ),
            ("Page.Stale_Executed", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn what_another_language_calls_by_its_name_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "src/bridge.rs",
        "#[bridge]\nmod ffi {\n    extern \"Rust\" {\n        fn open_store(path: &str) -> bool;\n    }\n}\n\n\
         fn open_store(path: &str) -> bool {\n    path.is_empty()\n}\n\nfn stale_store(path: &str) -> bool {\n    path.is_empty()\n}\n",
    )
    .write("src/main.rs", "mod bridge;\nmod clip;\nfn main() {\n    clip::start();\n}\n")
    .write("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\n")
    .write("mac/Keys.h", "int GenerateKey(int bits);\nint StaleKey(int bits);\n")
    .write(
        "mac/Keys.c",
        "#include \"Keys.h\"\nstatic int inner(int a) { return a; }\nint GenerateKey(int bits) { return inner(bits); }\nint StaleKey(int bits) { return bits; }\n\
         int main(void) { return 0; }\n",
    )
    .write("win/clip.c", "static int deep(int a) { return a; }\nint init_clip(int a) { return deep(a); }\nint stale_clip(int a) { return a; }\n")
    .write("src/clip.rs", "extern \"C\" {\n    fn init_clip(a: i32) -> i32;\n}\npub fn start() -> i32 {\n    unsafe { init_clip(1) }\n}\n")
    .write("mac/App.swift", "func main() {\n    print(GenerateKey(1))\n}\n");
    repo.commit("bridges");
    assert_eq!(dead(&repo), ["StaleKey", "stale_clip", "stale_store"]);
    all(
        &repo,
        &[(
            "open_store",
            "0 uses, but its name stands at src/bridge.rs:4",
        )],
    );
}

#[test]
fn names_that_a_macro_puts_together_are_used() {
    let repo = TestRepo::init();
    repo.write(
        "src/page.c",
        "#include <gtk/gtk.h>\nG_DEFINE_TYPE(Page, page, G_TYPE_OBJECT);\nstatic void page_open(GObject* of) {}\n\
         static void page_class_init(PageClass* of) { of->open = page_open; }\nstatic void pages_stale(PageClass* of) {}\n\
         int main(void) { return 0; }\n",
    );
    repo.commit("pasted");
    assert_eq!(dead(&repo), ["pages_stale"]);
}

#[test]
fn members_that_a_value_chooses_are_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "web/package.json",
        "{ \"name\": \"a\", \"private\": true }\n",
    )
    .write(
        "web/tool.js",
        "class Tool {\n  run(kind) {\n    return this[kind](1);\n  }\n  grow(a) {\n    return a;\n  }\n}\n\
         class Plain {\n  go(kind) {\n    return this[kind];\n  }\n  shrink(a) {\n    return a;\n  }\n}\n\
         class Canvas {\n  paint() {}\n}\nfor (const op of [\"paint\"]) {\n  Canvas.prototype[op + 1] = Canvas.prototype[op];\n}\n\
         new Canvas();\nnew Tool().run(process.argv[2]);\nnew Plain().go(1);\n",
    );
    repo.commit("chosen");
    assert_eq!(dead(&repo), ["Plain.shrink"]);
    all(
        &repo,
        &[
            ("Tool.grow", "0 uses, but its name stands at web/tool.js:3"),
            ("Plain.shrink", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn what_stands_in_for_a_field_that_holds_a_function_lives_with_it() {
    let repo = TestRepo::init();
    repo.write("package.json", "{ \"name\": \"a\", \"private\": true }\n")
        .write(
            "web/kinds.ts",
            "abstract class Kind {\n  shown: (a: number) => string\n  constructor() {\n    this.shown = (a: number) => String(a)\n  }\n}\n\
             class Day extends Kind {\n  shown = (a: number) => 'day ' + a\n  stale = (a: number) => 'old ' + a\n}\n\
             const all: Kind[] = [new Day()]\nfor (const one of all) {\n  console.log(one.shown(1))\n}\n",
        );
    repo.commit("kinds");
    assert_eq!(dead(&repo), ["Day.stale"]);
}

#[test]
fn what_compilers_and_libraries_call_by_its_name_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "Builder.swift",
        "@resultBuilder\nstruct Builder {\n    static func buildBlock(_ parts: Int...) -> Int { 1 }\n    \
         static func buildNothing(_ parts: Int...) -> Int { 1 }\n}\nfunc made(@Builder a: () -> Int) {}\nfunc main() { made { 1 } }\n",
    )
    .write(
        "lib/page.rb",
        "class Page\n  def title\n    3\n  end\n\n  private\n\n  def marshal_dump\n    1\n  end\n\n  def initialize_copy(other)\n    2\n  end\n\n\
           def stale_dump\n    3\n  end\nend\n\npage = Page.new\nputs page.title\n",
    );
    repo.commit("called");
    assert_eq!(dead(&repo), ["Builder.buildNothing", "Page.stale_dump"]);
}

#[test]
fn what_scripts_of_a_host_and_folders_of_a_manifest_are_is_loaded() {
    let repo = TestRepo::init();
    repo.write("package.json", "{ \"name\": \"a\", \"private\": true }\n")
        .write(
            "host/pac.py",
            "def run(engine):\n    engine.evaluate(read_file(\"js/tools.js\"))\n\n\nif __name__ == '__main__':\n    run(1)\n",
        )
        .write("js/tools.js", "function inRange(a) {\n  return a;\n}\n")
        .write("js/others.js", "function outOfRange(a) {\n  return a;\n}\n")
        .write("assets/main.js", "//= require_tree ./widgets\nconsole.log(1);\n")
        .write("assets/widgets/direction.js", "var turn = function () { return 1; };\nexports.turn = turn;\n")
        .write("assets/gadgets/speed.js", "var speed = function () { return 1; };\nexports.speed = speed;\n");
    repo.commit("loaded");
    assert_eq!(dead(&repo), ["assets/gadgets/speed.js", "js/others.js"]);
    all(
        &repo,
        &[(
            "inRange",
            "0 uses, but a path of its file stands at host/pac.py:2",
        )],
    );
}

#[test]
fn bases_behind_conditions_and_macros_are_bases() {
    let repo = TestRepo::init();
    repo.write(
        "jobs.py",
        "import os\nfrom threads import Worker\n\n\nclass Job(Worker if os.name == 'nt' else object):\n    def handle(self):\n        return 1\n\n\n\
         class Plain:\n    def stale(self):\n        return 1\n\n\nif __name__ == '__main__':\n    Job()\n    Plain()\n",
    )
    .write(
        "view.h",
        "class LibExport Base\n{\n    LIB_OBJECT\npublic:\n    explicit Base(int a);\n    virtual int centre() const;\n    int zoom() { return centre(); }\n};\n\
         class LibExport View : public Base\n{\n    LIB_OBJECT\npublic:\n    explicit View(int a);\n    int centre() const override;\n    int stale() const;\n};\n",
    )
    .write(
        "view.cpp",
        "#include \"view.h\"\nBase::Base(int a) {}\nint Base::centre() const { return 1; }\nView::View(int a) : Base(a) {}\nint View::centre() const { return 2; }\n\
         int View::stale() const { return 3; }\nint main() { View view(1); return view.zoom(); }\n",
    )
    .write("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\n")
    .write(
        "src/main.rs",
        "flags! {\n    struct Flags: u8 {\n        const ONE = 1;\n        const TWO = 2;\n    }\n}\nfn main() {\n    let _ = Flags::ONE;\n}\n",
    );
    repo.commit("bases");
    assert_eq!(dead(&repo), ["Plain.stale", "View.stale"]);
}

#[test]
fn what_is_told_of_an_event_is_used() {
    let repo = TestRepo::init();
    repo.write("package.json", "{ \"name\": \"a\", \"private\": true }\n").write(
        "web/a.js",
        "const query = matchMedia(\"(wide)\");\nquery.onchange = function () {\n  console.log(1);\n};\n\
         const stale = 3;\nconsole.log(2);\n",
    );
    repo.commit("told");
    assert_eq!(dead(&repo), ["stale"]);
}

#[test]
fn each_branch_of_a_base_is_one() {
    let repo = TestRepo::init();
    repo.write(
        "main.py",
        "import lib\nclass A(lib.Base if lib else object):\n    def on_event(self):\n        pass\n\
         class B(object if lib is None else lib.Base):\n    def on_thing(self):\n        pass\n\
         class C(object):\n    def stale(self):\n        pass\nprint(A(), B(), C())\n",
    );
    repo.commit("bases");
    assert_eq!(dead(&repo), ["C.stale"]);
}

#[test]
fn what_says_which_way_a_parameter_goes_is_no_name() {
    let repo = TestRepo::init();
    repo.write(
        "src/a.cpp",
        "UINT __stdcall Install(\n  __in MSIHANDLE hInstall)\n{\n  return 0;\n}\n\
         void halt(_In_ LPWSTR name, _Out_writes_opt_(3) bool* x)\n{\n  return;\n}\n\
         int main() { return Install(0); }\n",
    );
    repo.commit("ways");
    assert_eq!(dead(&repo), ["halt"]);
}

#[test]
fn what_changes_a_library_as_the_program_starts_is_called_by_that() {
    let repo = TestRepo::init();
    let of = |module: &str, method: &str| {
        format!(
            "module {module}\n  class Tokenizer\n    private\n\n    def {method}\n      1\n    end\n  end\nend\n"
        )
    };
    repo.write("config/initializers/liquid.rb", of("Liquid", "next_token"))
        .write("app/fluid.rb", of("Fluid", "stale_token"))
        .write(
            "app/run.rb",
            "Liquid::Tokenizer.new\nFluid::Tokenizer.new\n",
        );
    repo.commit("changed");
    assert_eq!(dead(&repo), ["Fluid.Tokenizer.stale_token"]);
}

#[test]
fn names_that_are_made_or_looked_up_late_are_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "src/many.h",
        "#define ANY(n, ...) pick##n(__VA_ARGS__)\n#define pick2(a, b) (a + b)\n#define stale2(a, b) (a + b)\n",
    )
    .write(
        "src/load.c",
        "#include \"many.h\"\n#include <dlfcn.h>\nstatic void* find(void* lib, const char* name) { return dlsym(lib, name); }\n\
         int main(void) { return ANY(2, 1, 2) + (find(0, \"init\") != 0); }\n",
    )
    .write(
        "src/chat.c",
        "#include \"chat.h\"\nstatic void listen(void) {}\nvoid chat_init(void) { listen(); }\nvoid chat_stale(void) {}\nvoid chat_loose(void) {}\n",
    )
    .write("src/chat.h", "void chat_init(void);\nvoid chat_stale(void);\n");
    repo.commit("late");
    assert_eq!(dead(&repo), ["chat_stale", "stale2"]);
    all(
        &repo,
        &[(
            "chat_loose",
            "0 uses, but its name may be put together at src/load.c:3",
        )],
    );
}

#[test]
fn a_use_of_a_macro_may_mean_each_that_has_its_name() {
    let repo = TestRepo::init();
    repo.write(
        "src/a.h",
        "#ifdef BIG\n#define ask(a) (a)\n#else\n#define ask(a) (-(a))\n#endif\n#ifdef BIG\n#define stale(a) (a)\n#else\n\
         #define stale(a) (-(a))\n#endif\n",
    )
    .write("src/config.h", "#define _LARGEFILE_SOURCE 1\n")
    .write("src/main.c", "#include \"config.h\"\n#include \"a.h\"\nint main(void) { return ask(1); }\n");
    repo.commit("variants");
    assert_eq!(dead(&repo), ["stale", "stale"]);
}

#[test]
fn what_a_condition_makes_look_declared_is_called() {
    let repo = TestRepo::init();
    repo.write(
        "src/main.c",
        "static void walk(int a, int b);\nstatic void stale(int a) {}\nint main(int c, char** v) {\n  int a = c, b = c;\n\
         #ifndef WIN\n  if(a)\n    a = 1;\n#else\n  if(b)\n    a = 2;\n#endif\n  else if(c)\n    a = 3;\n  else\n    walk(a, b);\n  return a;\n}\n\
         static void walk(int a, int b) {}\n",
    );
    repo.commit("conditions");
    assert_eq!(dead(&repo), ["stale"]);
}

#[test]
fn what_an_attribute_does_under_a_condition_it_may_do() {
    let repo = TestRepo::init();
    repo.write("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\n")
        .write(
            "src/main.rs",
            "#[cfg_attr(feature = \"fast\", global_allocator)]\nstatic GLOBAL: Fast = Fast;\n\
             #[cfg_attr(not(test), allow(dead_code))]\nstatic STALE: Fast = Fast;\nstruct Fast;\nfn main() {}\n",
        );
    repo.commit("conditional");
    assert_eq!(dead(&repo), ["STALE"]);
}

#[test]
fn what_has_the_shape_of_an_interface_is_perhaps_called_through_it() {
    let repo = TestRepo::init();
    repo.write("package.json", "{ \"name\": \"a\", \"private\": true }\n")
        .write(
            "src/router.ts",
            "type Part = {\n  setSocket: (io: unknown) => void;\n  setStale: (io: unknown) => void;\n}\n\
             const parts: Part[] = [];\nexport function add(part: Part) {\n  parts.push(part);\n  part.setSocket(1);\n}\n",
        )
        .write(
            "src/pad.ts",
            "export function setSocket(io: unknown) {\n  console.log(io);\n}\nexport function setStale(io: unknown) {\n  console.log(io);\n}\n",
        )
        .write(
            "src/main.ts",
            "import * as pad from './pad';\nimport { add } from './router';\nadd(pad);\n",
        );
    repo.commit("shapes");
    assert_eq!(dead(&repo), ["setStale"]);
}

#[test]
fn what_a_module_chooses_by_a_value_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "app/actions.py",
        "def zoom_in(window):\n    return 1\n\n\ndef _stale(window):\n    return 2\n",
    )
    .write(
        "app/keys.py",
        "from . import actions\n\n\ndef press(key):\n    return getattr(actions, key)(1)\n\n\ndef stale_key():\n    return 1\n",
    )
    .write(
        "app/commands.py",
        "class Print:\n    def run(self):\n        return 1\n\n\nALL = [c for c in globals().values() if type(c) is type]\n",
    )
    .write(
        "app/plain.py",
        "class Stale:\n    def run(self):\n        return 1\n\n\nglobals()[\"TEXT\"] = 1\n",
    )
    .write(
        "main.py",
        "import sys\nfrom app.keys import press\nimport app.commands\nimport app.plain\nprint(press(sys.argv[1]))\n",
    );
    repo.commit("modules");
    assert_eq!(dead(&repo), ["Stale", "_stale", "stale_key"]);
    all(
        &repo,
        &[
            ("zoom_in", "0 uses, but its name stands at app/keys.py:5"),
            ("stale_key", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn what_is_misread_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "src/fields.h",
        "#define MORE_FIELDS FIRST = 100,\ntypedef enum Kinds_ { NONE = 0, ONE, MORE_FIELDS TWO } Kinds;\n\
         typedef struct Gone_ { int a; } Gone;\n",
    )
    .write(
        "src/main.c",
        "#include \"fields.h\"\n#define STALE_FIELDS LAST = 200,\n#define OPTION(of, name) { of ## _get_ ## name }\ntypedef int (*get)(void);\n\
         static int op_get_size(void) { return ONE; }\nstatic int op_stale(void) { return 2; }\n\
         static get all[] = { OPTION(op, size) };\nint main(void) { return all[0] != 0; }\n",
    )
    .write(
        "ui/Page.cs",
        "class Page {\n    void Load() {\n        _next?.Click += OnNext;\n        Init();\n    }\n\n    private void Init() { }\n}\n\
         class Program { static void Main() { new Page(); } }\n",
    );
    repo.commit("misread");
    let said = dead(&repo);
    for kept in ["MORE_FIELDS", "Kinds", "op_get_size", "Init", "Page.Init"] {
        assert!(!said.iter().any(|name| name == kept), "{kept}: {said:?}");
    }
    for gone in ["STALE_FIELDS", "op_stale"] {
        assert!(said.iter().any(|name| name == gone), "{gone}: {said:?}");
    }
}

#[test]
fn what_its_own_file_names_is_not_dead_however_common_the_name() {
    let repo = TestRepo::init();
    let of = |at: usize| {
        format!(
            "<?php\nreturn new class extends Base {{\n  const KIND = 'k{at}';\n  const STALE{at} = 1;\n  function up() {{ return self::KIND; }}\n}};\n"
        )
    };
    for at in 10..52 {
        repo.write(format!("steps/s{at}.php"), of(at));
    }
    repo.write(
        "app/Other.php",
        "<?php\nclass Other {\n  const LIMIT = 2;\n  function get() { return self::LIMIT; }\n}\necho (new Other())->get();\n",
    )
    .write(
        "steps/last.php",
        "<?php\nreturn new class extends Base {\n  const LIMIT = 1;\n  function up() { return self::LIMIT; }\n};\n",
    );
    repo.commit("common");
    let said = dead(&repo);
    let is_named = |name: &String| matches!(name.as_str(), "KIND" | "LIMIT");
    assert!(!said.iter().any(is_named), "{said:?}");
}

#[test]
fn what_is_used_by_what_has_too_common_a_name_is_not_dead() {
    let repo = TestRepo::init();
    repo.write("package.json", "{ \"name\": \"a\", \"private\": true }\n");
    for at in 0..140 {
        let body = match at {
            7 => "this.attach();",
            _ => "",
        };
        let more = match at {
            7 => "  attach() {\n    console.log(1);\n  }\n  stale() {\n    console.log(2);\n  }\n",
            _ => "",
        };
        repo.write(
            format!("web/part{at}.js"),
            format!("class Part{at} {{\n  initialize() {{\n    {body}\n  }}\n{more}}}\nnew Part{at}();\n"),
        );
    }
    repo.commit("common");
    let said = dead(&repo);
    assert!(said.iter().any(|name| name == "Part7.stale"), "{said:?}");
    assert!(!said.iter().any(|name| name == "Part7.attach"), "{said:?}");
}

#[test]
fn a_function_that_is_called_like_the_accessor_of_a_property_is_used() {
    let repo = TestRepo::init();
    repo.write(
        "app/Keys.kt",
        "class Keys(a: String) {\n    val mainKey = getMainKey(a)\n}\n\nprivate fun getMainKey(a: String): String {\n    return a\n}\n\n\
         private fun getStaleKey(a: String): String {\n    return a\n}\n\nfun main() {\n    println(Keys(\"a\").mainKey)\n}\n",
    );
    repo.commit("accessors");
    assert_eq!(dead(&repo), ["getStaleKey"]);
}
