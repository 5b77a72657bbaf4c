//! What is answered when nothing is found: the real binary on a repository with something of each sort.

use super::harness::{Output, TestRepo};
use insta::assert_snapshot;

/// Code in two folders, a file that does not parse, one that is not read.
fn repo() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("lib/router.js", "class Router {\n  handle(req) {\n    return configure(req);\n  }\n}\nfunction configure(options) {\n  return options;\n}\nmodule.exports = { Router, configure };\n")
        .write("lib/broken.py", "def good():\n    return 1\n\ndef bad(:\n  = = =\n")
        .write("test/router_test.js", "const { Router } = require('../lib/router');\nnew Router().handle(1);\n")
        .write("data/logo.bin", b"\x00\x01\x02")
        .write("package-lock.json", "{}\n");
    repo.commit("one");
    repo
}

/// Exit status and standard output without the commit of the footer.
fn said(out: &Output) -> String {
    let lines = out.stdout.lines().map(|line| match line.split_once(' ') {
        Some(("index", rest)) => {
            let rest = rest.split_once(" | ").map_or(rest, |(_, rest)| rest);
            format!("index … | {rest}")
        }
        // Its id is another one with every version that reads text differently.
        Some(("stored:", rest)) => {
            let rest = rest.rsplit_once(" in ").map_or(rest, |(rest, _)| rest);
            format!("stored: {rest} in …")
        }
        _ => line.to_owned(),
    });
    let lines: Vec<String> = lines.collect();
    format!(
        "exit {}\n{}",
        out.status.expect("not killed"),
        lines.join("\n")
    )
}

#[test]
fn a_symbol_that_is_not_there_is_not_answered_by_one_like_it() {
    let repo = repo();
    let ask = |args: &[&str]| said(&repo.sverklo(&[&["symbol"], args].concat()));
    assert_snapshot!(ask(&["confgure"]), @r#"
    exit 1
    nothing found: searched 5 files
    not understood: syntax errors in 1 file (lib/broken.py); not read 1 binary, 1 lock file (data/logo.bin, package-lock.json)
    near:
    lib/router.js:6-8 function configure  function configure(options)
      exported; 2 uses; callers Router.handle; fuzzy match
    index … | shown 0 of 0 | 1 named alike | next: git sverklo symbol configure
    "#);
    assert_snapshot!(ask(&["router"]), @r#"
    exit 1
    nothing found: searched 5 files
    not understood: syntax errors in 1 file (lib/broken.py); not read 1 binary, 1 lock file (data/logo.bin, package-lock.json)
    near:
    lib/router.js:1-5 class Router  class Router
      exported; 3 uses; calls configure; case-insensitive match
    index … | shown 0 of 0 | 1 named alike | next: git sverklo symbol Router
    "#);
    assert_snapshot!(ask(&["Router", "--scope", "test/"]), @r#"
    exit 1
    nothing found: searched 1 of 5 files (scope test/); without that 1 found
    index … | shown 0 of 0 | next: without --scope
    "#);
    assert_snapshot!(ask(&["lib/ruoter.js"]), @r#"
    exit 1
    nothing found: searched 5 files
    not understood: syntax errors in 1 file (lib/broken.py); not read 1 binary, 1 lock file (data/logo.bin, package-lock.json)
    near: lib/router.js
    index … | shown 0 of 0 | next: git sverklo symbol lib/router.js
    "#);
    assert_snapshot!(ask(&["zzzzzz"]), @r#"
    exit 1
    nothing found: searched 5 files
    not understood: syntax errors in 1 file (lib/broken.py); not read 1 binary, 1 lock file (data/logo.bin, package-lock.json)
    index … | shown 0 of 0 | next: git sverklo search zzzzzz
    "#);
}

#[test]
fn uses_that_are_not_there() {
    let repo = repo();
    let ask = |args: &[&str]| said(&repo.sverklo(&[&["refs"], args].concat()));
    assert_snapshot!(ask(&["confgure"]), @r#"
    exit 1
    nothing found: searched 5 files
    not understood: syntax errors in 1 file (lib/broken.py); not read 1 binary, 1 lock file (data/logo.bin, package-lock.json)
    near: configure
    index … | shown 0 of 0 | next: git sverklo refs configure
    "#);
    assert_snapshot!(ask(&["configure", "--scope", "test/"]), @r#"
    exit 0
    configure: 0 uses in 0 files; 1 definition
    searched 1 of 5 files (scope test/); without that 2 found
    def lib/router.js:6-8 function configure
    index … | shown 0 of 0 | next: without --scope
    "#);
    assert_snapshot!(ask(&["good"]), @r#"
    exit 0
    good: 0 uses in 0 files; 1 definition
    searched 5 files
    not understood: syntax errors in 1 file (lib/broken.py); not read 1 binary, 1 lock file (data/logo.bin, package-lock.json)
    def lib/broken.py:1-2 function good: nothing known uses it
    index … | shown 0 of 0
    "#);
}

#[test]
fn words_that_are_not_there() {
    let repo = repo();
    let ask = |args: &[&str]| said(&repo.sverklo(&[&["search"], args].concat()));
    assert_snapshot!(ask(&["confgure"]), @r#"
    exit 0
    lib/router.js:1-9 function configure  function configure(options)  [symbol]
    index … | shown 1 of 1 | no history to rank by | unknown words: confgure | confidence low: most of the words occur nowhere | next: git sverklo symbol configure
    "#);
    assert_snapshot!(ask(&["-F", "new Rooter("]), @r#"
    exit 1
    nothing found: searched 5 files
    not understood: not read 1 binary, 1 lock file (data/logo.bin, package-lock.json)
    near: Router, lib/router.js
    index … | shown 0 of 0 | next: git sverklo search 'new Rooter'
    "#);
    assert_snapshot!(ask(&["-F", "module.exports", "--scope", "test/"]), @r#"
    exit 1
    nothing found: searched 1 of 5 files (scope test/); without that 1 found
    index … | shown 0 of 0 | next: without --scope
    "#);
    assert_snapshot!(ask(&["configure", "--scope", "libs/"]), @r#"
    exit 1
    nothing found: searched 0 of 5 files (scope libs/); without that 1 found
    near: lib/
    index … | shown 0 of 0 | no history to rank by | next: without --scope
    "#);
}

#[test]
fn a_part_of_the_repository_that_is_not_there() {
    let repo = repo();
    let ask = |args: &[&str]| said(&repo.sverklo(args));
    assert_snapshot!(ask(&["map", "libs/"]), @r#"
    exit 1
    nothing found: searched 0 of 5 files (scope libs/)
    near: lib/
    stored: 4 documents, 1 segment, 1006 B in …
    index … | shown 0 of 0 | next: --scope lib/
    "#);
    assert_snapshot!(ask(&["audit", "cycles"]), @r#"
    exit 1
    nothing found: searched 5 files
    not understood: syntax errors in 1 file (lib/broken.py); not read 1 binary, 1 lock file (data/logo.bin, package-lock.json)
    index … | shown 0 of 0 | 2 files of code
    "#);
    assert_snapshot!(ask(&["audit", "unused", "--scope", "src/router.js"]), @r#"
    exit 1
    nothing found: searched 0 of 5 files (scope src/router.js)
    near: lib/router.js, test/router_test.js
    index … | shown 0 of 0 | 0 files of code | next: --scope lib/router.js
    "#);
    assert_snapshot!(ask(&["map", "--task", "zzzzz qqqqq"]), @r#"
    exit 1
    nothing found: searched 5 files
    not understood: syntax errors in 1 file (lib/broken.py); not read 1 binary, 1 lock file (data/logo.bin, package-lock.json)
    index … | shown 0 of 0 | unknown words: zzzzz, qqqqq | next: git sverklo map
    "#);
}

#[test]
fn memories_that_are_not_there() {
    let repo = repo();
    let ask = |args: &[&str]| {
        let out = repo.sverklo(&[&["recall"], args].concat());
        let text = said(&out);
        let (lines, footer) = text.rsplit_once("\n[at ").expect("a footer");
        let (_, footer) = footer.rsplit_once("; 0 of ").expect("none is shown");
        format!("{lines}\n[… 0 of {footer}")
    };
    assert_snapshot!(ask(&[]), @r#"
    exit 1
    nothing found: looked at 0 memories, 0 may hold
    [… 0 of 0 shown]
    "#);
    repo.sverklo(&["remember", "Handlers are pure.", "-t", "lib/router.js"])
        .success();
    assert_snapshot!(ask(&["-t", "src/router.js"]), @r#"
    exit 1
    nothing found: looked at 1 memory, 1 may hold
    near: lib/router.js
    [… 0 of 0 shown; next: without --target (1 found)]
    "#);
    assert_snapshot!(ask(&["-k", "rule"]), @r#"
    exit 1
    nothing found: looked at 1 memory, 1 may hold
    [… 0 of 0 shown; next: without --kind (1 found)]
    "#);
    assert_snapshot!(ask(&["zzzzz"]), @r#"
    exit 1
    nothing found: looked at 1 memory, 1 may hold
    [… 0 of 0 shown; next: without words (1 found)]
    "#);
}

#[test]
fn what_was_not_understood_is_said_where_it_may_matter() {
    let repo = TestRepo::init();
    repo.write(
        "harbour.py",
        "def moor(ship):\n    return ship\n\n\ndef tow(ship, quay={(\n    moor(ship, f\"{wait\n\n\ndef leave(ship):\n    return moor(ship)\n",
    );
    repo.commit("one");
    repo.sverklo(&["index"]);
    let ask = |args: &[&str]| said(&repo.sverklo(args));
    assert_snapshot!(ask(&["symbol", "tow"]), @r#"
    exit 1
    nothing found: searched 1 file
    stands in lines that were not understood: harbour.py:5
    not understood: syntax errors in 1 file (harbour.py)
    index … | shown 0 of 0 | next: git sverklo search tow
    "#);
    assert_snapshot!(ask(&["symbol", "harbour.py"]), @r#"
    exit 0
    harbour.py python, 10 lines, 120 bytes
      not understood: lines 5-6
      1-2 def moor(ship):
      9-10 def leave(ship):
    index … | shown 2 of 2
    "#);
    let status = ask(&["status"]);
    let line = status
        .lines()
        .find(|line| line.starts_with("not understood"));
    assert_eq!(line, Some("not understood: 44 B of 120 B in 1 file"));
    assert_snapshot!(ask(&["status", "--skipped"]), @r#"
    exit 0
    1 with syntax errors, read in part
      harbour.py:5-6
    "#);
}

/// The commands that a footer proposes, as a shell that has no git reads them.
fn proposed(out: &Output, dir: &std::path::Path) -> Vec<String> {
    let footer = out
        .stdout
        .lines()
        .find_map(|line| line.split_once("next: "));
    let Some((_, calls)) = footer else {
        return Vec::new();
    };
    let read = |call: &str| {
        let script = format!("printf '[%s]' {call}");
        let shell = std::process::Command::new("sh")
            .args(["-c", &script])
            .current_dir(dir)
            .output()
            .unwrap();
        assert!(shell.stderr.is_empty(), "{call}: {shell:?}");
        String::from_utf8(shell.stdout).unwrap()
    };
    calls.split(" or ").map(read).collect()
}

#[cfg(unix)]
#[test]
fn what_a_footer_proposes_may_be_pasted() {
    let repo = TestRepo::init();
    repo.write("src/handler$(touch PWNED).py", "def one():\n    return 1\n")
        .write(
            "src/a `touch PWNED` b/deep.py",
            "def x1():\n    return 1\n\n\ndef x2():\n    return x1()\n",
        )
        .write("css/theme.css", ".a { --color$(touch${IFS}PWNED): red; }\n")
        .write(
            "src/tag.js",
            "exports['zz$(touch${IFS}PWNED)'] = function () { return 1; };\n",
        );
    repo.commit("hostile");
    let root = repo.dir().to_owned();
    let mut seen = Vec::new();
    for asked in [
        vec!["symbol", "src/handler"],
        vec!["symbol", "src/handler.py"],
        vec!["symbol", "zz"],
        vec!["refs", "zz$(touch"],
        vec!["refs", "src/handler"],
        vec!["search", "nothing$(touch PWNED) at all"],
        vec!["search", "deep x1"],
        vec!["map"],
        vec!["map", "--scope", "src/a"],
        vec!["symbol", "-dashed"],
    ] {
        let mut asked = asked;
        if asked[1..] == ["-dashed"] {
            asked.insert(1, "--");
        }
        seen.extend(proposed(&repo.sverklo(&asked), &root));
    }
    assert!(!root.join("PWNED").exists(), "{seen:?}");
    let all = seen.join("\n");
    assert!(all.contains("[src/handler$(touch PWNED).py]"), "{all}");
}

#[test]
fn a_name_that_is_made_up_leads_to_what_shares_its_words() {
    let repo = TestRepo::init();
    repo.write(
        "lib/body.ts",
        "export function parseBody(text: string) {\n  return text;\n}\nexport class Context {\n  json(value: unknown) {\n    return value;\n  }\n  \
         html() {\n    return parseBody('');\n  }\n}\nexport function sendFile() {\n  return new Context().json(1);\n}\n",
    );
    repo.write("test/body_test.ts", "it('send json value', () => {})\n");
    repo.commit("one");
    let ask = |name: &str| {
        let said = said(&repo.sverklo(&["symbol", name]));
        let near = said.split_once("near:").map_or("", |(_, near)| near);
        near.trim().to_owned()
    };
    assert_snapshot!(ask("parseBodyAsync"), @r#"
    lib/body.ts:1-3 function parseBody  export function parseBody(text: string)
      exported; 1 use; callers Context.html; shared words match
    index … | shown 0 of 0 | 1 named alike | next: git sverklo symbol parseBody
    "#);
    // Of a container that is there a member is looked for, not what shares a word elsewhere.
    assert_snapshot!(ask("Context.sendJson"), @r#"
    lib/body.ts:5-7 method Context.json  json(value: unknown)
      exported; in Context#class; 1 use; callers sendFile; shared words match
    index … | shown 0 of 0 | 1 named alike | next: git sverklo symbol Context.json
    "#);
    // And where no member is like it the container says what there is.
    assert_snapshot!(ask("Context.renderPage"), @r#"
    Context
    index … | shown 0 of 0 | next: git sverklo symbol Context
    "#);
    assert_eq!(ask("renderPage"), "");
    // The title of a test is no name.
    assert_eq!(ask("sendJsonValues"), "");
    let refs = |name: &str| said(&repo.sverklo(&["refs", name]));
    assert!(refs("Context.sendJson").contains("near: Context.json"));
    assert!(refs("Context.renderPage").contains("near: Context\n"));
    assert!(refs("parseBodyAsync").contains("near: parseBody"));
}
