//! What is used by who gets the whole that it is a part of: a module, a type. Beside each stands what is dead.

use super::harness::TestRepo;
use super::verdict::all;
use super::verdict_alive::unused;

/// Names that `audit unused` calls dead.
fn dead(repo: &TestRepo) -> Vec<String> {
    let said = unused(repo);
    let dead = super::verdict_alive::dead(&said);
    dead.into_iter().map(str::to_owned).collect()
}

/// A program of JavaScript that is for nobody else.
fn script() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("package.json", "{ \"name\": \"a\", \"private\": true }\n");
    repo
}

#[test]
fn what_a_module_gives_out_may_be_used_by_who_gets_that() {
    let repo = script();
    repo.write("web/load.ts", "export const loadAll = () => 1\nconst inner = () => 2\n")
        .write("web/save.ts", "export function save() {}\nexport function stale() {}\n")
        .write(
            "web/actions.ts",
            "export * from './load'\nexport { save as keep } from './save'\n",
        )
        .write("web/given.ts", "import * as actions from './actions'\nexport { actions }\n")
        .write("web/tools.ts", "export function sharpen() {}\n")
        .write("web/store.ts", "export * as tools from './tools'\n")
        .write("web/old.js", "exports.first = function () {}\n")
        .write(
            "web/main.js",
            "import { actions } from './given'\nimport { tools as kit } from './store'\nconst old = require('./old')\n\
             bind(actions, 1)\nconsole.log({ ...kit })\nfor (const one of Object.values(old)) one()\n",
        );
    repo.commit("wholes");
    assert_eq!(dead(&repo), ["inner", "stale"]);
    all(
        &repo,
        &[
            (
                "loadAll",
                "0 uses, may be called by who gets the module, web/main.js:4",
            ),
            (
                "sharpen",
                "0 uses, may be called by who gets the module, web/main.js:5",
            ),
            ("stale", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn a_module_of_which_members_are_named_is_handed_to_nobody() {
    let repo = script();
    repo.write(
        "web/parts.ts",
        "export function one() {}\nexport function two() {}\nexport function three() {}\nexport function stale() {}\n",
    )
    .write("web/hidden.ts", "export function low() {}\nexport function deep() {}\n")
    .write("web/tried.ts", "export function known() {}\nexport function stray() {}\n")
    .write(
        "web/main.ts",
        "import * as parts from './parts'\nimport * as hidden from './hidden'\nimport * as tried from './tried'\nparts.one()\n\
         const { two, three: last } = parts\nlast(two())\nfunction go(hidden: any) { return Object.values(hidden) }\n\
         go(hidden.low())\ntried.known()\n",
    )
    .write(
        "web/tried.test.ts",
        "import * as tried from './tried'\ntest('a', () => spy(tried))\n",
    );
    repo.commit("members");
    assert_eq!(dead(&repo), ["deep", "stale", "stray"]);
    all(
        &repo,
        &[
            (
                "two",
                "0 uses, may be called by who gets the module, web/main.ts:5",
            ),
            ("stale", "0 uses, nothing uses it"),
            ("deep", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn what_a_type_has_that_an_attribute_gets_may_be_called_by_who_reads_that() {
    let repo = TestRepo::init();
    repo.write(
        "A.csproj",
        "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>\n",
    )
    .write(
        "Page.cs",
        "namespace A;\n[CustomMarshaller(typeof(string), Mode.In, typeof(Page.In))]\ninternal static class Page\n{\n    \
         internal ref struct In\n    {\n        internal void FromManaged(string text) { Make(text); }\n    }\n    \
         private static nint Make(string text) { return 0; }\n    internal static nint Stale(string text) { return 0; }\n}\n",
    )
    .write(
        "Other.cs",
        "namespace A;\ninternal class Other\n{\n    internal void Unasked() { }\n    static void Main() { Console.Write(typeof(Other).Name); }\n}\n",
    );
    repo.commit("attributes");
    assert_eq!(dead(&repo), ["Other.Unasked", "Page.Stale"]);
    all(
        &repo,
        &[
            (
                "Page.In.FromManaged",
                "0 uses, may be called by who gets its type, Page.cs:2",
            ),
            ("Other.Unasked", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn a_beginning_that_is_a_name_of_its_own_may_have_more_put_behind_it() {
    let repo = TestRepo::init();
    repo.write(
        "index.php",
        "<?php\nfunction getContents($u) { return $u; }\nfunction putContents($u) { return $u; }\necho getContents(1);\n\
         echo array_map('putContents', [1]);\nclass Wiki {\n    public function collect($lang) {\n        \
         $function = 'getContents' . ucfirst($lang);\n        $this->$function(1);\n    }\n    \
         private function getContentsDe($h) { return $h; }\n    private function putContentsDe($h) { return $h; }\n}\n\
         (new Wiki())->collect($_GET['l']);\n",
    );
    repo.commit("pieces");
    assert_eq!(dead(&repo), ["Wiki.putContentsDe"]);
    all(
        &repo,
        &[
            (
                "Wiki.getContentsDe",
                "0 uses, but its name may be put together at index.php:8",
            ),
            ("Wiki.putContentsDe", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn a_constructor_is_called_by_what_makes_an_object() {
    let repo = script();
    repo.write(
        "web/sockets.js",
        "export class Sockets {\n  constructor() {\n    this.open = 1\n  }\n}\nclass Unmade {\n  constructor() {\n    this.open = 2\n  }\n}\n",
    )
    .write("web/main.js", "import { Sockets } from './sockets'\nrun(new Sockets())\n");
    repo.commit("made");
    all(
        &repo,
        &[(
            "Sockets.constructor",
            "0 uses, called by what makes Sockets, 1 use",
        )],
    );
}

#[test]
fn a_module_of_python_is_a_value_too() {
    let repo = TestRepo::init();
    repo.write("app/__init__.py", "")
        .write("app/whole.py", "def grow():\n    return 1\n\n\ndef _stale():\n    return 2\n")
        .write("app/named.py", "def known():\n    return 1\n\n\ndef unknown():\n    return 2\n")
        .write("app/deep.py", "def low():\n    return 1\n")
        .write(
            "app/__main__.py",
            "import app.deep\nfrom app import named, whole\n\nload(whole)\nnamed.known()\nprint(getattr(named, \"known\"), app)\n",
        );
    repo.commit("modules");
    assert_eq!(dead(&repo), ["_stale", "low", "unknown"]);
    all(
        &repo,
        &[(
            "grow",
            "0 uses, may be called by who gets the module, app/__main__.py:4",
        )],
    );
}

#[test]
fn a_text_with_a_secret_is_read_as_any_other() {
    let secret = format!("AKIA{}", "Z7QW3X5R6T2LKNHP");
    let repo = script();
    repo.write("web/tools.ts", "export function sharpen() {}\n")
        .write(
            "web/main.js",
            format!("import * as kit from './tools'\nconst key = '{secret}'\nbind(kit, key)\n"),
        );
    repo.commit("secret");
    assert_eq!(dead(&repo), [""; 0]);

    let repo = TestRepo::init();
    repo.write(
        "App.cs",
        format!(
            "[Marshaller(typeof(In))]\nclass App {{\n    const string Key = \"{secret}\";\n    static void Main() {{ }}\n    static void Stale() {{ }}\n}}\n\
             class In {{\n    public static int Read(int a) {{ return a; }}\n}}\n"
        ),
    );
    repo.commit("secret");
    assert_eq!(dead(&repo), ["App.Stale"]);
}
