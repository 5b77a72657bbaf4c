//! What is called dead: its name stands nowhere else, in a language whose callers name what they call.

use super::harness::TestRepo;
use super::verdict::{all, said};
use super::verdict_alive::judged;

#[test]
fn what_nothing_uses_is_dead_where_nothing_else_has_its_name() {
    let repo = TestRepo::init();
    repo.write(
        "main.go",
        "package main\n\nfunc main() {}\n\nfunc goSole() {}\n\nfunc goTold() {}\n",
    )
    .write("notes.txt", "goTold is gone, and so is jsTold\n")
    .write(
        "Cargo.toml",
        "[package]\nname = \"a\"\nversion = \"0.1.0\"\n",
    )
    .write(
        "src/main.rs",
        "fn main() {}\n\nfn rust_sole() {}\n\nfn rust_again(n: u32) {\n    rust_again(n);\n}\n",
    )
    .write(
        "app/Main.java",
        "class Main {\n    private static void javaSole() {}\n    public static void main(String[] args) {}\n}\n",
    )
    .write("app/main.kt", "fun main() {}\n\nprivate fun kotlinSole() {}\n")
    .write("app/main.swift", "func swiftSole() {}\nprint(1)\n")
    .write(
        "app/Program.cs",
        "class Program {\n    static void SharpSole() {}\n    static void Main() {}\n}\n",
    )
    .write(
        "package.json",
        "{ \"name\": \"a\", \"private\": true, \"main\": \"web/main.ts\" }\n",
    )
    .write("web/main.ts", "import './other.js'\nfunction tsSole() {}\n")
    .write("web/other.js", "function jsSole() {}\nmodule.exports = 1\n");
    repo.commit("all");
    assert_eq!(
        judged(&repo),
        [
            "Main.javaSole dead",
            "Program.SharpSole dead",
            "goSole dead",
            "goTold unreached",
            "jsSole unreached",
            "kotlinSole dead",
            "rust_again unreached",
            "rust_sole dead",
            "swiftSole dead",
            "tsSole dead",
        ]
    );
    let expected = [
        ("goSole", "0 uses, dead: its name stands nowhere else"),
        ("goTold", "0 uses, nothing known uses it"),
        ("jsSole", "0 uses, nothing known uses it"),
        ("rust_again", "1 use, all its own"),
    ];
    for (name, verdict) in expected {
        assert_eq!(said(&repo, name), verdict, "{name}");
    }
    let found = repo.sverklo(&["audit", "unused"]).success();
    assert!(
        found.contains("main.go:5-5 function goSole | 0.97 dead\n"),
        "{found}"
    );
    assert!(
        found.contains("| 7 dead, 3 unreached, 0 uncertain |"),
        "{found}"
    );
}

#[test]
fn what_stands_twice_or_where_not_all_was_understood_is_not_called_dead() {
    let repo = TestRepo::init();
    repo.write("main.go", "package main\n\nfunc main() {}\n")
        // The same bytes at two paths.
        .write("one/copy.go", "package one\n\nfunc copied() {}\n")
        .write("two/copy.go", "package one\n\nfunc copied() {}\n")
        .write(
            "torn.go",
            "package main\n\nfunc inTorn() {}\n\nfunc broken( {{{ ]\n",
        );
    repo.commit("all");
    let said = judged(&repo);
    assert!(!said.iter().any(|one| one.ends_with(" dead")), "{said:?}");
    assert!(said.iter().any(|one| one == "inTorn unreached"), "{said:?}");
}

#[test]
fn what_is_not_committed_and_names_it_counts() {
    let repo = TestRepo::init();
    repo.write(
        "main.go",
        "package main\n\nfunc main() {}\n\nfunc sole() {}\n",
    );
    repo.commit("all");
    assert_eq!(judged(&repo), ["sole dead"]);
    repo.write("notes.md", "We keep `sole` for later.\n");
    assert_eq!(judged(&repo), ["sole unreached"]);
}

#[test]
fn what_the_language_calls_without_its_name_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "app/Program.cs",
        "class Pair {\n    public void Deconstruct(out int a, out int b) { a = 1; b = 2; }\n    public void Divide() {}\n}\n\
         class Program {\n    static void Main() { var (one, two) = new Pair(); }\n}\n",
    )
    .write(
        "app/main.kt",
        "class Money(val n: Int) {\n    operator fun plus(other: Money) = Money(n + other.n)\n    private fun minusOne() = n\n}\n\n\
         operator fun Money.rangeTo(other: Money) = listOf(this, other)\n\n\
         fun main() { println((Money(1) + Money(2))..Money(3)) }\n",
    );
    repo.commit("all");
    repo.write(
        "sdk.go",
        "package main\n\nimport \"C\"\n\nfunc main() {}\n\n// Opens it.\n//\n//export openAll\nfunc openAll() {}\n\n\
         //export other\nfunc shutAll() {}\n",
    )
    .write(
        "native.c",
        "int Java_org_a_Native_count(void) { return 1; }\nint counted(void) { return 1; }\nint main(void) { return 0; }\n",
    )
    .write("middleware.ts", "export default function guard() {}\nfunction plain() {}\n");
    repo.commit("more");
    assert_eq!(
        judged(&repo),
        [
            "Money.minusOne dead",
            "Pair.Divide dead",
            "counted unreached",
            "plain dead",
            "shutAll dead",
        ]
    );
    all(
        &repo,
        &[
            ("Deconstruct", "0 uses, called by the language"),
            ("plus", "0 uses, called by the language"),
        ],
    );
}

#[test]
fn what_a_program_may_put_together_is_not_called_dead() {
    let repo = TestRepo::init();
    repo.write(
        "app/Steps.java",
        "class Steps {\n    static void upgradeToVersion1() {}\n    static void upgradeToVersion2() {}\n    static void downgradeFully() {}\n    static void known() {}\n    \
         static void setSelectionChanged() {}\n}\n",
    )
    .write(
        "app/Main.java",
        "class Main {\n    public static void main(String[] args) throws Exception {\n        \
         invoke(\"Steps\", \"upgradeToVersion\" + args[0]);\n        \
         invoke(\"Box\", \"SelectionChanged\");\n        Steps.known();\n    }\n    static void invoke(String a, String b) {}\n}\n",
    )
    // What is gone when the program runs is not looked up.
    .write(
        "main.go",
        "package main\n\nfunc main() { println(\"startLater\") }\n",
    )
    .write("other.go", "package main\n\nfunc startLaterOn() {}\n");
    repo.commit("all");
    let said = judged(&repo);
    let dead: Vec<&String> = said.iter().filter(|one| one.ends_with(" dead")).collect();
    assert_eq!(dead, ["Steps.downgradeFully dead", "startLaterOn dead"]);
}

#[test]
fn what_gets_a_block_of_members_may_call_each() {
    let repo = TestRepo::init();
    repo.write(
        "Cargo.toml",
        "[package]\nname = \"a\"\nversion = \"0.1.0\"\n",
    )
    .write(
        "src/main.rs",
        "struct Player;\n\n#[interface(name = \"org.a.Player\")]\nimpl Player {\n    fn play_pause(&self) {}\n}\n\n\
         #[allow(unused)]\nimpl Player {\n    fn open_all(&self) {}\n}\n\nfn main() {\n    serve(Player);\n}\n\nfn serve(_: Player) {}\n",
    );
    repo.commit("all");
    assert_eq!(judged(&repo), ["Player.open_all dead"]);
    let said = said(&repo, "play_pause");
    assert!(said.contains("#[interface(name"), "{said}");
}

#[test]
fn what_says_that_it_overrides_may_be_called_by_a_base_that_is_not_known() {
    let repo = TestRepo::init();
    repo.write(
        "app/main.swift",
        "class Wrong {}\nclass Loading: Wrong {\n    override func isValidNext() -> Bool { return true }\n    func neverAsked() {}\n}\nprint(Loading())\n",
    );
    repo.commit("all");
    assert_eq!(judged(&repo), ["Loading.neverAsked dead"]);
    let line = said(&repo, "isValidNext");
    assert!(line.contains("overrides"), "{line}");
}

#[test]
fn what_a_file_that_its_place_loads_exports_is_for_others() {
    let repo = TestRepo::init();
    repo.write("package.json", "{ \"name\": \"a\", \"private\": true }\n")
        .write("apps/web/next.config.js", "module.exports = {}\n")
        .write(
            "apps/web/pages/new.tsx",
            "export default function CreateTicket() { return 1 }\nfunction innerPart() {}\nexport function getServerSideProps() {}\n",
        )
        .write(
            "src/types.ts",
            "declare global {\n  namespace NodeJS {\n    interface ProcessEnv { A: string }\n  }\n}\nexport function leftOver() {}\n",
        )
        .write("src/main.ts", "import './types'\nconsole.log(process.env.A)\n");
    repo.commit("all");
    assert_eq!(judged(&repo), ["innerPart dead", "leftOver dead"]);
    all(
        &repo,
        &[
            ("CreateTicket", "0 uses, called by what is outside"),
            (
                "getServerSideProps",
                "0 uses, unused here, for others to use",
            ),
            ("ProcessEnv", "0 uses, unused here, for others to use"),
        ],
    );
}

#[test]
fn what_a_lua_script_hands_out_may_be_called_by_its_host() {
    let repo = TestRepo::init();
    repo.write(
        "boat.lua",
        "local boat = {}\nfunction boat:on_step() end\nregister_entity('boat', boat)\n\
         local idle = {}\nfunction idle:open() end\nfunction idle:shut() end\nidle:open()\n\
         function Meta(m) end\nlocal function hidden() end\n",
    );
    repo.commit("all");
    assert_eq!(judged(&repo), ["hidden unreached", "idle.shut unreached"]);
    all(
        &repo,
        &[
            (
                "on_step",
                "0 uses, may be called by who gets its type, boat.lua:3",
            ),
            ("Meta", "0 uses, unused here, for others to use"),
        ],
    );
}

#[test]
fn what_stands_in_code_that_is_too_large_may_be_used_there() {
    let repo = TestRepo::init();
    let large = format!(
        "package main\n\nfunc TestAll(t *testing.T) {{ calledThere() }}\n{}",
        "// More.\n".repeat(130_000)
    );
    repo.write(
        "main.go",
        "package main\n\nfunc main() {}\n\nfunc calledThere() {}\n\nfunc calledNowhere() {}\n",
    )
    .write("main_test.go", &large);
    repo.commit("all");
    assert_eq!(
        judged(&repo),
        ["calledNowhere dead", "calledThere uncertain"]
    );
    all(
        &repo,
        &[(
            "calledThere",
            "0 uses, but its name stands at main_test.go:3",
        )],
    );
}
