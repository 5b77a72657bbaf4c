//! What nothing reaches is dead where code has its name for nothing else, and uncertain where it has.

use super::harness::TestRepo;
use super::verdict::all;
use super::verdict_alive::unused;

#[test]
fn a_name_that_means_something_else_elsewhere_is_a_reason_for_doubt() {
    let repo = TestRepo::init();
    repo.write("package.json", "{ \"name\": \"a\", \"private\": true }\n")
        .write(
            "web/lib.js",
            "function load() {}\nfunction send() {}\nfunction first() { second() }\nfunction second() {}\n\
             function again(n) { return n && again(n - 1) }\n// load, as it was\n",
        )
        .write(
            "web/main.js",
            "const { send } = client()\nsend()\nrequire('./lib')\n",
        )
        .write("docs/example.js", "const load = 1\nload()\n");
    repo.commit("script");
    assert_eq!(
        unused(&repo),
        [
            "again unreached",
            "first unreached",
            "load unreached",
            "second unreached",
            "send uncertain",
        ]
    );
    all(
        &repo,
        &[
            ("load", "0 uses, nothing uses it"),
            (
                "send",
                "0 uses, nothing known uses it, but its name means something else at web/main.js:2",
            ),
            ("again", "1 use, all its own"),
        ],
    );
    let found = repo.sverklo(&["audit", "unused"]).success();
    assert!(
        found.contains("0.46 uncertain: its name means something else at web/main.js:2"),
        "{found}"
    );
}

#[test]
fn an_overload_that_is_not_chosen_may_be_meant() {
    let repo = TestRepo::init();
    repo.write(
        "src/Main.java",
        "class Main {\n    private static int size(int a) { return a; }\n    private static int size(String a, int b) { return 1; }\n    \
         private static int idle(String a) { return 1; }\n    \
         public static void main(String[] args) { size(1); }\n}\n",
    );
    repo.commit("overloads");
    assert_eq!(
        unused(&repo),
        ["Main.idle unreached", "Main.size uncertain"]
    );
}

#[test]
fn what_a_member_of_a_namesake_is_taken_for_is_uncertain() {
    let repo = TestRepo::init();
    repo.write(
        "src/a.php",
        "<?php\nclass A {\n    private static function name() { return 1; }\n    private static function lost() { return 1; }\n    \
         public function run() { return B::name(); }\n}\n\
         class B {\n    public static function name() { return 2; }\n}\n",
    )
    .write("index.php", "<?php\nrequire 'src/a.php';\n(new A())->run();\n");
    repo.commit("members");
    assert_eq!(unused(&repo), ["A.lost unreached", "A.name uncertain"]);
}
