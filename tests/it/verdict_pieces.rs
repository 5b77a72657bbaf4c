//! What is called by a name that is put together, or that another language spells. Beside each stands what is dead.

use super::harness::TestRepo;
use super::verdict::all;
use super::verdict_alive::unused;

#[test]
fn names_that_are_put_together_anywhere_are_a_reason_for_doubt() {
    let repo = TestRepo::init();
    repo.write("package.json", "{ \"name\": \"a\", \"private\": true }\n")
        .write(
            "web/bar.js",
            "function tb_insert() { return level(1); }\nfunction level(n) { return n; }\nfunction tx_insert() {}\n\
             function run(val) { return window['tb_' + val.type]('addBtnAction' + val.name); }\nrun({});\n",
        )
        .write(
            "web/edit.js",
            "function addBtnActionSign() {}\nfunction addRowActionSign() {}\nfunction notifier_test_desk() {}\nfunction notifier_last_desk() {}\n\
             function vc_run_copy() {}\nfunction vc_run_move() {}\n",
        )
        .write(
            "web/main.js",
            "require('./bar'); require('./edit');\nconst copy = (it) => window[`vc_${it}_copy`]();\ncopy('run');\n",
        )
        .write(
            "inc/page.php",
            "<?php\nfunction page($type) {\n    return ['onclick' => 'notifier_test_' . $type . '()'];\n}\necho page('a');\n",
        )
        .write(
            "kodev",
            "#!/bin/bash\nfunction kodev-run {\n    echo run\n}\nfunction kobold-run {\n    echo run\n}\n\
             case \"$1\" in\n    *) CMD=\"$1\"; eval \"kodev-${CMD}\" ;;\nesac\n",
        )
        .write(
            "tool/expect.py",
            "class Chain:\n    def _equal(self, a):\n        return self._compare(a)\n\n    def _compare(self, a):\n        return a\n\n    \
             def __getattr__(self, verb):\n        return getattr(self, \"_%s\" % verb)\n\n\n\
             class Other:\n    def run(self):\n        return Chain().equal(1)\n\n\nOther().run()\n",
        )
        .write(
            "tool/other.py",
            "def _lost():\n    return \"_%s\" % 1\n\n\nprint(1)\n",
        )
        .write(
            "ui/view.lua",
            "local function onClick() end\nlocal function atClick() end\n\
             local function fire(view, name) return view[\"on\" .. name] end\nfire({}, \"Click\")\n",
        );
    repo.commit("pieces");
    let said = unused(&repo);
    let dead: Vec<&str> = super::verdict_alive::dead(&said);
    assert_eq!(
        dead,
        [
            "_lost",
            "addRowActionSign",
            "atClick",
            "kobold-run",
            "notifier_last_desk",
            "tx_insert",
            "vc_run_move",
        ],
        "{said:?}"
    );
    all(
        &repo,
        &[
            (
                "tb_insert",
                "0 uses, but its name may be put together at web/bar.js:4",
            ),
            (
                "addBtnActionSign",
                "0 uses, but its name may be put together at web/bar.js:4",
            ),
            ("addRowActionSign", "0 uses, nothing uses it"),
            (
                "notifier_test_desk",
                "0 uses, but its name may be put together at inc/page.php:3",
            ),
            (
                "vc_run_copy",
                "0 uses, but its name may be put together at web/main.js:2",
            ),
            ("vc_run_move", "0 uses, nothing uses it"),
            (
                "kodev-run",
                "0 uses, but its name may be put together at kodev:9",
            ),
            (
                "Chain._equal",
                "0 uses, but its name may be put together at tool/expect.py:9",
            ),
            (
                "onClick",
                "0 uses, but its name may be put together at ui/view.lua:3",
            ),
        ],
    );
}

#[test]
fn what_another_language_spells_is_a_reason_for_doubt() {
    let repo = TestRepo::init();
    repo.write(
        "web/page.js",
        "function countRows() {}\nfunction whisper() {}\nfunction checkVersion() {}\nfunction dragItem() {}\n\
         function clockChanged() {}\nfunction staleRows() {}\nfunction shouter() {}\n",
    )
    .write("package.json", "{ \"name\": \"a\", \"private\": true }\n")
    .write("web/main.js", "require('./page');\n")
    .write(
        "index.php",
        "<?php\nclass Driver { function countRows() { return 1; } }\n(new Driver)->countRows();\n\
         echo on('click', 'countRows', 1) . on('input', 'whisper');\necho \"onload = partial(checkVersion, 1);\";\n\
         // staleRows and shouter\n?>\n<script>\ndocument.onmove = dragItem;\n</script>\n",
    )
    .write(
        "src/Main.java",
        "class Main {\n    public static void main(String[] a) { Comet.string(\"parent.clockChanged\"); }\n}\n",
    );
    repo.commit("pages");
    let said = unused(&repo);
    assert_eq!(
        super::verdict_alive::dead(&said),
        ["shouter", "staleRows"],
        "{said:?}"
    );
    all(
        &repo,
        &[
            ("whisper", "0 uses, but its name stands at index.php:4"),
            ("checkVersion", "0 uses, but its name stands at index.php:5"),
            ("dragItem", "0 uses, but its name stands at index.php:9"),
            (
                "clockChanged",
                "0 uses, but its name stands at src/Main.java:2",
            ),
            ("staleRows", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn a_script_is_in_the_language_of_its_first_line() {
    let repo = TestRepo::init();
    repo.write(
        "bin/import.sh",
        "#!/usr/bin/env php\n<?php\nfunction print_usage()\n{\n    print 'x';\n}\nclass Tool {\n    static function run() { return 1; }\n    private static function lost() { return 1; }\n}\n\
         if (!$argv) {\n    print_usage(Tool::run());\n}\n",
    );
    repo.commit("script");
    assert_eq!(unused(&repo), ["Tool.lost unreached"]);
    let symbol = repo.sverklo(&["symbol", "print_usage"]).success();
    assert!(symbol.contains("1 use"), "{symbol}");
}
