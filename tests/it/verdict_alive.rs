//! What looks dead and is not: what is used in ways that a language, a tool or another language has. Beside each stands what
//! is dead.

use super::harness::TestRepo;
use super::verdict::all;

/// What is dead of what [`unused`] says, files that nothing loads among it.
pub fn dead(said: &[String]) -> Vec<&str> {
    let ends = [" unreached", " not loaded, uncertain"];
    let all = said
        .iter()
        .filter_map(|one| ends.iter().find_map(|end| one.strip_suffix(end)));
    all.collect()
}

/// The same of what `audit unused` lists where it makes no difference how sure it is that nothing reaches a definition.
pub fn unused(repo: &TestRepo) -> Vec<String> {
    let all = judged(repo).into_iter();
    all.map(|one| match one.strip_suffix(" dead") {
        Some(name) => format!("{name} unreached"),
        None => one,
    })
    .collect()
}

/// What `audit unused` says of the definitions and files that it lists, in the order of their names.
pub fn judged(repo: &TestRepo) -> Vec<String> {
    let listed = repo
        .sverklo(&["audit", "unused", "--json", "--limit", "100"])
        .success();
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let findings = listed["findings"].as_array().unwrap();
    let mut said: Vec<String> = findings
        .iter()
        .map(|found| {
            let name = found["name"].as_str().or(found["path"].as_str()).unwrap();
            let verdict = found["verdict"].as_str().unwrap();
            match found["kind"] == "file" {
                // Which is uncertain: a pattern may take it.
                true => format!("{name} not loaded, {verdict}"),
                false => format!("{name} {verdict}"),
            }
        })
        .collect();
    said.sort();
    said
}

#[test]
fn what_a_header_declares_in_a_namespace_or_a_nested_class_is_used_through_it() {
    let repo = TestRepo::init();
    repo.write(
        "src/tools.h",
        "namespace Tools {\n    int used(int a);\n    int stale(int a);\n    \
         struct Outer { struct Result { bool isInfo() const; bool never() const; }; };\n    \
         inline int twice(int a) { return inner(a); }\n    int inner(int a);\n}\n\
         class Dialog {\n    class Model { public: Model(); void toggle(int i); void idle(); };\n    Model m;\n};\n",
    )
    .write(
        "src/tools.cpp",
        "#include \"tools.h\"\nnamespace Tools {\n    int used(int a) { return a; }\n    int stale(int a) { return a + 1; }\n    \
         int inner(int a) { return a; }\n    \
         bool Outer::Result::isInfo() const { return true; }\n    bool Outer::Result::never() const { return true; }\n}\n\
         Dialog::Model::Model() {}\nvoid Dialog::Model::toggle(int i) { (void)i; }\nvoid Dialog::Model::idle() {}\n",
    )
    .write(
        "src/other.h",
        "namespace Other {\n    int used(int a);\n    int one(int a);\n}\n",
    )
    .write(
        "src/other.cpp",
        "#include \"other.h\"\nnamespace Other {\n    int used(int a) { return a; }\n    int one(int a) { return a; }\n}\n\
         void* operator new[](unsigned long size) { return nullptr; }\n",
    )
    .write(
        "src/main.cpp",
        "#include \"tools.h\"\n#include \"other.h\"\nint main(int argc, char** argv) {\n    Tools::Outer::Result r;\n    \
         if (r.isInfo()) { return Tools::used(argc) + Tools::twice(1); }\n    Dialog::Model m;\n    m.toggle(1);\n    \
         return Other::one(1);\n}\n",
    );
    repo.commit("parts");
    assert_eq!(
        unused(&repo),
        [
            "Model.idle unreached",
            "Other.used uncertain",
            "Tools.Result.never unreached",
            "Tools.stale unreached",
        ]
    );
    let refs = repo.sverklo(&["refs", "Tools.used"]).success();
    assert!(refs.contains("1 use in 1 file, 1 resolved"), "{refs}");
    all(&repo, &[("Tools.stale", "0 uses, nothing uses it")]);
}

#[test]
fn what_texts_of_other_languages_call_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "app/assets/app.js",
        "function showTab(name) { return name; }\nfunction pickDate(x) { return x; }\nfunction staleTab() {}\nfunction next() {}\n",
    )
    .write("app/assets/more/main_mac.js", "function endFind() {}\nfunction goneFind() {}\n")
    .write("app/assets/more/main_gone.js", "function other() {}\n")
    .write(
        "lib/helper.rb",
        "def link\n  \"<a onclick='showTab(1)'>\" + \"before: pickDate};\" + \"the next (page)\"\nend\n# calls staleTab()\nputs link\n",
    )
    .write(
        "src/View.swift",
        "func main() {\n    let names = [\"main_mac\"]\n    view.evaluate(\"endFind()\", names)\n}\n",
    )
    .write("web/plugin.ts", "function inner() { return 1; }\nexport const Plugin = () => inner();\n")
    .write("web/other.ts", "export const Other = () => 1;\n")
    .write(
        "src/main.rs",
        "const PLUGIN: &str = include_str!(\"../web/plugin.ts\");\nfn main() {\n    println!(\"{PLUGIN}\");\n}\n",
    )
    .write("Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\n");
    repo.commit("texts");
    all(
        &repo,
        &[
            ("showTab", "0 uses, but its name stands at lib/helper.rb:2"),
            ("pickDate", "0 uses, but its name stands at lib/helper.rb:2"),
            ("endFind", "0 uses, but its name stands at src/View.swift:3"),
            ("staleTab", "0 uses, nothing uses it"),
            ("next", "0 uses, nothing uses it"),
            (
                "Plugin",
                "0 uses, but a path of its file stands at src/main.rs:1",
            ),
            ("Other", "0 uses, nothing uses it"),
        ],
    );
    let said = unused(&repo);
    assert_eq!(
        dead(&said),
        [
            "app/assets/more/main_gone.js",
            "goneFind",
            "next",
            "staleTab",
            "web/other.ts"
        ]
    );
}

#[test]
fn files_of_a_folder_that_code_names_are_loaded() {
    let repo = TestRepo::init();
    repo.write(
        "main.py",
        "import glob, os\n\nROOT = os.path.dirname(__file__)\n\nfor path in glob.glob(os.path.join(ROOT, \"tampers\", \"*.py\")):\n    exec(open(path).read())\n",
    )
    .write("tampers/upper_case.py", "def tamper(payload):\n    return payload.upper()\n")
    .write("helpers/lower_case.py", "def lowered(payload):\n    return payload.lower()\n")
    .write("db/knex_migrations/2023-12-21-0000-min-max.js", "exports.up = function (knex) { return knex; };\n");
    repo.commit("folders");
    assert_eq!(
        unused(&repo),
        [
            "helpers/lower_case.py not loaded, uncertain",
            "tamper uncertain",
        ]
    );
    all(
        &repo,
        &[
            (
                "tamper",
                "0 uses, but a path of its file stands at main.py:5",
            ),
            ("lowered", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn what_stands_in_for_another_is_used_with_it() {
    let repo = TestRepo::init();
    repo.write("Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\n")
        .write(
            "src/main.rs",
            "#[cfg(not(windows))]\nmod home_unix;\n#[cfg(windows)]\nmod home_windows;\nmod home;\nfn main() { home::go(); }\n",
        )
        .write(
            "src/home.rs",
            "#[cfg(not(windows))]\nuse crate::home_unix as platform;\n#[cfg(windows)]\nuse crate::home_windows as platform;\n\
             pub fn go() { platform::dir(); }\n",
        )
        .write("src/home_unix.rs", "pub(crate) fn dir() {}\npub(crate) fn stale() {}\n")
        .write("src/home_windows.rs", "pub(crate) fn dir() {}\npub(crate) fn stale() {}\n")
        .write(
            "kt/Creator.kt",
            "class Creator {\n    fun go(a: Builder, b: Extender) {\n        a.apply { addReply(1) }\n        b.apply { addReply(2) }\n        val shut = shut(\"x\")\n        println(shut)\n    }\n\
             \n    private fun Builder.addReply(x: Int) {}\n\n    private fun Extender.addReply(x: Int) {}\n\n    private fun Builder.stale(x: Int) {}\n\
             \n    private fun shut(line: String): Boolean { return line.isEmpty() }\n}\n\nfun main() { Creator().go(Builder(), Extender()) }\n",
        );
    repo.commit("twins");
    assert_eq!(
        unused(&repo),
        [
            "Creator.Builder.stale unreached",
            "stale unreached",
            "stale unreached"
        ]
    );
    let windows = repo.sverklo(&["symbol", "dir"]).success();
    assert!(
        windows.contains("0 uses, may be called through dir, 1 use"),
        "{windows}"
    );
}

#[test]
fn what_tools_and_libraries_ask_for_by_name_is_not_dead() {
    let repo = TestRepo::init();
    repo.write("PKGBUILD", "pkgname=a\nprepare() {\n    echo 1\n}\n")
        .write("init/app", "#!/sbin/openrc-run\nstart_pre() {\n    echo 1\n}\n")
        .write("init/plain", "#!/bin/sh\nstart_post() {\n    echo 1\n}\n")
        .write(
            "shell/a.zsh",
            "_zsh_autosuggest_strategy_own() {\n    echo 1\n}\n_own_strategy() {\n    echo 1\n}\n",
        )
        .write(
            "manage.sh",
            "#!/bin/bash\n. ./lib.sh\nmain() {\n    local cmd=\"$1\"; shift\n    case \"$cmd\" in\n        *)\n            \"$cmd\" \"$@\"\n            ;;\n    esac\n}\nmain \"$@\"\n",
        )
        .write("lib.sh", "go.list() {\n    echo 1\n}\n_inner_list() {\n    echo 1\n}\n")
        .write(
            "a/Row.cs",
            "class Row {\n    public int Day { get; set; }\n    public bool ShouldSerializeDay() => Day > 0;\n    public bool Stale() => true;\n\
             \n    static void Main() { System.Console.WriteLine(new Row().Day); }\n}\n",
        )
        .write(
            "a/Key.swift",
            "struct Key: RawRepresentable {\n    typealias RawValue = String\n    var rawValue: String\n}\nclass Plain {\n    typealias Stale = String\n    \
             func go() {}\n}\nfunc main() { Plain().go(); print(Key(rawValue: \"a\")) }\n",
        )
        .write(
            "split.py",
            "def split_lines(s):\n    return s\n\n\ndef stale_lines(s):\n    return s\n\n\ndef run(s):\n    \"\"\"Runs stale_lines not at all.\n\n    >>> run(split_lines(1))\n    1\n    \"\"\"\n    \
             return s\n\n\nif __name__ == '__main__':\n    run(1)\n",
        )
        .write(
            "old.js",
            "(function (exports) {\n  var Theme = (function (_super) {\n    function Theme() { return _super; }\n    Theme.prototype.a = 1;\n    return Theme;\n  })(Object);\n\
             \n  exports.a = Theme;\n  function Stale() {}\n})(window);\n",
        );
    repo.commit("tools");
    let said = unused(&repo);
    let dead = dead(&said);
    assert_eq!(
        dead,
        [
            "Plain.Stale",
            "Row.Stale",
            "Stale",
            "_inner_list",
            "_own_strategy",
            "stale_lines",
            "start_post"
        ]
    );
    all(
        &repo,
        &[
            ("prepare", "0 uses, may be called through makepkg"),
            (
                "go.list",
                "0 uses, but its name may be put together at manage.sh:7",
            ),
            ("Row.ShouldSerializeDay", "0 uses, called by the language"),
            ("split_lines", "0 uses, but its name stands at split.py:12"),
        ],
    );
}

#[test]
fn what_is_called_as_a_local_is_made_or_declared_where_nothing_was_understood_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "Main.swift",
        "class Check {\n    static func run() throws {\n        guard let code = try code(of: 1) else { return }\n        print(code)\n    }\n\
         \n    private static func code(of token: Int) throws -> Int? {\n        return token\n    }\n\
         \n    private static func stale(of token: Int) throws -> Int? {\n        return token\n    }\n}\ntry Check.run()\n",
    )
    .write(
        "src/scene.h",
        "SCENE_OF(Scene)\n    void endHover(int card);\n    void idle(int card);\n    virtual int shape(int card) const override\n    {\n        return card;\n    }\n",
    )
    .write(
        "src/scene.cpp",
        "#include \"scene.h\"\nvoid Scene::endHover(int card) { (void)card; }\nvoid Scene::idle(int card) { (void)card; }\n\
         int main(int argc, char** argv) {\n    endHover(argc);\n    return 0;\n}\n",
    );
    repo.commit("locals");
    let said = unused(&repo);
    let dead = dead(&said);
    assert_eq!(dead, ["Check.stale", "Scene.idle"], "{said:?}");
}

#[test]
fn what_calls_its_own_name_may_mean_another_of_it() {
    let repo = TestRepo::init();
    repo.write(
        "icon.h",
        "void setTag(int t);\nvoid setSize(int t);\nvoid idle(int t);\n",
    )
    .write(
        "icon.cpp",
        "#include \"icon.h\"\nstatic int tag;\nvoid setTag(int t) { tag = t; }\nvoid setSize(int t) { tag = t; }\n\
         void idle(int t) { tag = t; }\n",
    )
    .write(
        "win.h",
        "class Win { public: void setTag(int t); void setSize(int t) { ::setSize(t); } void idle() {} };\n",
    )
    .write(
        "win.cpp",
        "#include \"win.h\"\n#include \"icon.h\"\nvoid Win::setTag(int t) { ::setTag(t); }\n",
    )
    .write(
        "factory.h",
        "struct B { int n; };\n\
         template <typename T> struct Factory { static int convert(const T &v) { return v; } };\n\
         template <typename T> int make(const T &v) { return Factory<T>::convert(v); }\n\
         template <> struct Factory<B> { static int convert(const B &b) { return b.n; } static int stale() { return 1; } };\n",
    )
    .write(
        "main.cpp",
        "#include \"win.h\"\n#include \"factory.h\"\n\
         int main() { Win w; w.setTag(1); w.setSize(1); w.idle(); B b{1}; return make(b); }\n",
    );
    repo.commit("c++");
    assert_eq!(unused(&repo), ["Factory.stale unreached", "idle uncertain"]);
    let said = repo.sverklo(&["symbol", "icon.cpp:3"]).success();
    assert!(said.contains("may be called through"), "{said}");

    let repo = TestRepo::init();
    repo.write(
        "Sources/A/Bridge.swift",
        "enum Bridge { }\n\
         extension Bridge {\n    private static func list() -> [Int] { return [1] }\n    private static func idle() -> [Int] { return [2] }\n}\n\
         extension Bridge {\n    static func list(option: [Int] = []) -> [Int] { return option.isEmpty ? list() : option }\n}\n\
         extension String {\n    var ranges: [Int] {\n        ranges(of: 1)\n    }\n}\n\
         private extension Collection {\n    func ranges(of: Int) -> [Int] { return [] }\n    func stale(of: Int) -> [Int] { return [] }\n}\n\
         print(Bridge.list(option: [1]))\nprint(\"a\".ranges)\n",
    );
    repo.commit("swift");
    assert_eq!(dead(&unused(&repo)), ["Bridge.idle", "Collection.stale"]);
}
