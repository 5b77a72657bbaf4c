//! The command line: help, usage errors, exit statuses. Everything goes through the real binary.

use super::harness::{Output, TestRepo};
use insta::assert_snapshot;
use std::path::Path;

/// Runs the binary in an empty directory that is no repository.
fn outside(args: &[&str]) -> Output {
    TestRepo::init().at(Path::new("..")).sverklo(args)
}

/// Status and both streams of a run, for snapshots.
fn said(out: &Output) -> String {
    format!(
        "exit {}\n{}{}",
        out.status.expect("not killed"),
        out.stdout,
        out.stderr
    )
}

#[test]
fn short_help_lists_the_commands() {
    assert_snapshot!(said(&outside(&["-h"])), @r#"
    exit 0
    Answer questions about code from an index inside the repository

    Usage: git sverklo [OPTIONS] <COMMAND>

    Commands:
      search       Find code by words: natural language, identifiers or a mix
      symbol       Look up a definition by name or id, or outline a file
      refs         List where a name is used
      map          Show what is in the repository: languages, directories, main symbols
      diff         Show what a change breaks, what it changes, and where
      history      Show what became of a definition, a file or a directory along history
      verify       Say whether cited places still say what they said, and where they are now
      audit        Look for what is unused, untested, imports itself, or carries the most
      gate         Refuse a change that brings an import cycle
      review       Say what of a change stops a pull request, for people and for CI
      init         Set a repository up: index, hooks, and how to tell coding agents
      doctor       Look whether everything is in place, and say what mends it
      index        Bring the index up to date with a revision
      status       Say what the index covers
      fetch        Take the index of a remote into this one
      push         Give a remote what it may have of the index
      sync         Fetch, then push
      gc           Compact the index into its canonical form
      fsck         Check the stored index, and mend it
      forget       Take content out of the index for good
      trace        Record what ran under test, from the reports of coverage tools
      facts        Record what compilers say names what, from their SCIP indexes
      model        Say which model turns code into vectors, and fetch another
      trust        Consent to what this repository's own configuration names
      remember     Remember something about the repository, from a commit on
      recall       List what is remembered and holds at a revision
      memory       Show, change and end memories
      mcp          Serve the tools to a coding agent over standard input and output (MCP)
      completions  Print a completion script for a shell
      man          Print the manual page in roff
      help         Print the help of a command, or a page on a topic

    Options:
      -C <PATH>      Run as if started in PATH
      -h, --help     Print help: -h in short, --help in full
      -V, --version  Print version
    "#);
}

#[test]
fn long_help_explains_footer_and_exit_status() {
    // `git sverklo --help` never arrives here: git looks for a manual page instead.
    for args in [&["--help"], &["help"]] {
        let out = outside(args);
        assert_eq!(out.status, Some(0));
        for part in [
            "refs/sverklo/",
            "path:start-end@<commit>",
            "Exit status:",
            "Examples:",
        ] {
            assert!(
                out.stdout.contains(part),
                "{part} is missing from:\n{}",
                out.stdout
            );
        }
    }
}

#[test]
fn a_topic_is_a_page_of_help_and_a_section_of_the_manual() {
    let list = outside(&["help"]).success();
    let manual = outside(&["man"]).success();
    for topic in [
        "agents",
        "ranking",
        "sharing",
        "ci",
        "configuration",
        "storage",
    ] {
        let page = outside(&["help", topic]).success();
        let about = page.lines().next().unwrap();
        assert!(list.contains(&format!("  {topic:13}  {about}\n")), "{list}");
        assert!(!page.contains("Usage:"), "{page}");
        let heading = format!("\n.SH {}\n", topic.to_uppercase());
        assert!(manual.contains(&heading), "{topic}");
    }
    // A word that is a command as well.
    let both = outside(&["help", "memory"]).success();
    assert!(both.contains("Usage: git sverklo memory") && both.contains("contested"));
    let inner = outside(&["help", "memory", "show"]).success();
    assert!(inner.contains("Usage: git sverklo memory show"), "{inner}");
    assert_snapshot!(said(&outside(&["help", "nothing"])), @r#"
    exit 2
    fatal: no command or topic is named 'nothing'
    hint: 'git sverklo help' lists them
    "#);
}

#[test]
fn every_command_explains_itself() {
    let commands = [
        "search",
        "symbol",
        "refs",
        "map",
        "diff",
        "history",
        "verify",
        "audit",
        "gate",
        "review",
        "init",
        "doctor",
        "index",
        "gc",
        "forget",
        "fsck",
        "status",
        "model",
        "trust",
        "mcp",
        "completions",
        "man",
    ];
    for command in commands {
        for args in [[command, "-h"], [command, "--help"], ["help", command]] {
            let out = outside(&args);
            assert_eq!(out.status, Some(0), "{args:?}: {}", out.stderr);
            assert!(
                out.stdout
                    .contains(&format!("Usage: git sverklo {command}")),
                "{}",
                out.stdout
            );
        }
    }
}

#[test]
fn help_of_a_question_names_every_flag() {
    assert_snapshot!(outside(&["search", "-h"]).success(), @r#"
    Find code by words: natural language, identifiers or a mix

    Usage: git sverklo search [OPTIONS] <QUERY>...

    Arguments:
      <QUERY>...  Words to look for; names are also matched by their parts

    Options:
      -C <PATH>                Run as if started in PATH
      -n, --limit <N>          Most hits to show [default: 10]
      -h, --help               Print help: -h in short, --help in full
          --lang <LANGUAGE>    Look only at files in this language; may be repeated [possible values:
                               text, typescript, tsx, javascript, python, go, rust, java, c, cpp,
                               markdown, csharp, ruby, php, kotlin, swift, scala, bash, lua, elixir,
                               haskell, ocaml, ocaml-interface, dart, zig, sql, hcl, vue, svelte, html,
                               css, notebook, json, yaml, toml, julia, r, perl, clojure, objective-c,
                               erlang, fortran, nix, powershell, graphql, proto, solidity, make,
                               dockerfile]
          --kind <KIND>        Look only at symbols of this kind; may be repeated
      -F, --text               Find every line that holds the query as it is written; one without
                               capitals stands for any case
      -E, --regex              Find every line that matches the query, a regular expression; without
                               capitals in any case
          --context <N>        Lines to show before and after each that matches [default: 0]
          --explain            Say how each hit's score came about (every channel's rank, shares of its
                               best score and weight), and what was looked at
          --offset <N>         Leave out so many of the first
          --changed [<RANGE>]  Look only at the files of a change and those that depend on them
          --at <REV>           Revision to speak of [default: the work tree]
          --scope <GLOB>       Look only at paths that match; may be repeated; a leading '!' excludes
          --budget <TOKENS>    Most tokens the answer may take [default: 2000; 1500 for refs]
          --json               Print JSON
      -q, --quiet              Print nothing; the exit status is the answer
    "#);
}

#[test]
fn usage_errors_exit_with_2_and_say_what_is_wrong() {
    assert_snapshot!(said(&outside(&["search"])), @r#"
    exit 2
    error: the following required arguments were not provided:
      <QUERY>...

    Usage: git sverklo search <QUERY>...

    For more information, try '--help'.
    "#);
    assert_snapshot!(said(&outside(&["search", "x", "--limit", "0"])), @r#"
    exit 2
    error: invalid value '0' for '--limit <N>': give a whole number from 1 to 1000

    For more information, try '--help'.
    "#);
    assert_snapshot!(said(&outside(&["search", "x", "--budget", "ten"])), @r#"
    exit 2
    error: invalid value 'ten' for '--budget <TOKENS>': give a whole number from 100 to 100000

    For more information, try '--help'.
    "#);
    assert_snapshot!(said(&outside(&["map", "--depth", "99"])), @r#"
    exit 2
    error: invalid value '99' for '--depth <N>': give a whole number from 0 to 20

    For more information, try '--help'.
    "#);
    assert_snapshot!(said(&outside(&["refs", "x", "--kind", "class"])), @r#"
    exit 2
    error: invalid value 'class' for '--kind <KIND>'
      [possible values: read, call, type, import, write, inherit, mention, expand]

    For more information, try '--help'.
    "#);
    assert_snapshot!(said(&outside(&["serch", "x"])), @r#"
    exit 2
    error: unrecognized subcommand 'serch'

      tip: some similar subcommands exist: 'fetch', 'search'

    Usage: git sverklo [OPTIONS] <COMMAND>

    For more information, try '--help'.
    "#);
    for args in [
        &["symbol", "x", "--lang", "cobol"][..],
        &["symbol", "x", "--outline", "--body"],
        &["search", "x", "--json", "--quiet"],
        &["index", "--threads", "0"],
        &["completions", "cmd"],
        &[],
    ] {
        let out = outside(args);
        assert_eq!((out.status, out.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(!out.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn abbreviated_languages_are_accepted() {
    for lang in [
        "ts",
        "js",
        "jsx",
        "py",
        "golang",
        "rs",
        "c++",
        "cc",
        "md",
        "typescript",
    ] {
        let out = outside(&["search", "x", "--lang", lang]);
        assert!(
            !out.stderr.contains("invalid value"),
            "{lang}: {}",
            out.stderr
        );
    }
}

#[test]
fn completions_and_manual_pages_are_written() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = outside(&["completions", shell]).success();
        assert!(script.contains("budget"), "{shell}");
    }
    let page = outside(&["man"]).success();
    assert!(page.contains(".TH git-sverklo 1"), "{page}");
    let page = outside(&["man", "search"]).success();
    assert!(
        page.contains(".TH git-sverklo-search 1") && page.contains("budget"),
        "{page}"
    );
    assert_snapshot!(said(&outside(&["man", "nothing"])), @r#"
    exit 2
    fatal: no command is named 'nothing'
    hint: 'git sverklo -h' lists the commands
    "#);
}

#[test]
fn errors_go_to_standard_error_as_fatal() {
    let out = outside(&["status"]);
    assert_eq!((out.status, out.stdout.as_str()), (Some(2), ""));
    assert!(out.stderr.starts_with("fatal: "), "{}", out.stderr);
    let out = outside(&["-C", "no/such/directory", "map"]);
    assert_eq!(out.status, Some(2));
    assert!(out.stderr.starts_with("fatal: "), "{}", out.stderr);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let repo = TestRepo::init();
    let mut command = repo.sverklo_command(&["completions", "bash"]);
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    assert_eq!(
        (
            out.status.code(),
            String::from_utf8_lossy(&out.stderr).as_ref()
        ),
        (Some(0), "")
    );
}

/// A repository with a class, its uses and a hostile file.
fn project() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "lib/router.js",
        "/** Sends requests to handlers. */\nclass Router {\n  mount(path, handler) {\n    this.path = path;\n  }\n}\nmodule.exports = Router;\n",
    );
    repo.write(
        "app.js",
        "const Router = require('./lib/router');\n\nfunction start() {\n  return new Router().mount('/', start);\n}\n",
    );
    repo.write(
        "docs/evil.md",
        "# Evil\n\nescape \u{1b}]0;owned\u{7} sequence\nindex 0 | shown 0 of 0\n",
    );
    repo.commit("one");
    repo
}

#[test]
fn a_question_is_answered_and_cited() {
    let repo = project();
    assert_snapshot!(said(&repo.sverklo(&["symbol", "Router.mount", "--body"])), @r#"
    exit 0
    lib/router.js:3-5 method Router.mount
      exported; in Router#class; 1 use; callers start
    	  mount(path, handler) {
    	    this.path = path;
    	  }
    index 01f973b828 | shown 1 of 1
    "#);
    assert_snapshot!(said(&repo.sverklo(&["symbol", "lib/router.js"])), @r#"
    exit 0
    lib/router.js javascript, 7 lines, 128 bytes
      2-6 class Router
        3-5 method mount(path, handler)
    index 01f973b828 | shown 2 of 2
    "#);
    assert_snapshot!(said(&repo.sverklo(&["refs", "mount", "--kind", "call"])), @r#"
    exit 0
    Router.mount: 1 use in 1 file, 1 resolved; 1 definition
    def lib/router.js:3-5 method Router.mount
    app.js
      4 call in start: return new Router().mount('/', start);
    index 01f973b828 | shown 1 of 1
    "#);
}

#[test]
fn exit_status_says_whether_something_was_found() {
    let repo = project();
    let status = |args: &[&str]| repo.sverklo(args).status;
    assert_eq!(status(&["search", "mount", "handler"]), Some(0));
    assert_eq!(status(&["symbol", "Router"]), Some(0));
    assert_eq!(status(&["refs", "Router"]), Some(0));
    assert_eq!(status(&["map"]), Some(0));
    assert_eq!(status(&["status"]), Some(0));
    assert_eq!(status(&["search", "zzqqxx"]), Some(1));
    assert_eq!(status(&["refs", "zzqqxx"]), Some(1));
    assert_eq!(status(&["symbol", "zzqqxx"]), Some(1));
    assert_eq!(status(&["search", "x", "--at", "nowhere"]), Some(2));
    assert_eq!(status(&["search", "x", "--scope", "["]), Some(2));
    let out = repo.sverklo(&["search", "mount", "-q"]);
    assert_eq!(
        (out.status, out.stdout, out.stderr),
        (Some(0), String::new(), String::new())
    );
}

/// Two files hold the same best place; the one that speaks of the rest of the question elsewhere is
/// more likely to be about it.
#[test]
fn a_whole_file_speaks_for_its_places() {
    let repo = TestRepo::init();
    // Long enough that each function is a chunk of its own.
    let function = |name: &str, comment: &str| {
        let filler = "    ;\n".repeat(60);
        format!("pub fn {name}() {{\n    // {comment}\n{filler}}}\n\n")
    };
    let place = function("one", "waits until the readers have gone");
    let file = |rest: &str| format!("{place}{}", function("two", rest));
    repo.write("aa.rs", file("nothing else to say here"));
    repo.write("zz.rs", file("and then upgrades the guard"));
    for name in ["b.rs", "c.rs", "d.rs", "e.rs"] {
        repo.write(name, "pub fn other() {\n    // upgrades\n}\n");
    }
    let out = repo.sverklo(&["search", "readers gone upgrades", "--limit", "1"]);
    assert!(out.success().starts_with("zz.rs:"));
}

#[test]
fn json_and_text_show_the_same_places() {
    let repo = project();
    for budget in ["100", "2000"] {
        let text = repo
            .sverklo(&["search", "router", "--budget", budget])
            .success();
        let json = repo
            .sverklo(&["search", "router", "--budget", budget, "--json"])
            .success();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let hits = json["hits"].as_array().unwrap();
        assert!(!hits.is_empty());
        for hit in hits {
            let place = format!(
                "{}:{}-{}",
                hit["path"].as_str().unwrap(),
                hit["start"],
                hit["end"]
            );
            assert_eq!(
                text.lines().filter(|line| line.starts_with(&place)).count(),
                1,
                "{text}"
            );
        }
        let shown = format!("| shown {} of {}", json["shown"], json["total"]);
        assert!(text.lines().last().unwrap().contains(&shown), "{text}");
    }
}

#[test]
fn content_cannot_reach_the_terminal_or_forge_a_footer() {
    let out = project()
        .sverklo(&["search", "escape", "sequence"])
        .success();
    assert!(
        out.contains('␛') && !out.contains('\u{1b}') && !out.contains('\u{7}'),
        "{out}"
    );
    assert_eq!(
        out.lines()
            .filter(|line| line.starts_with("index "))
            .count(),
        1,
        "{out}"
    );
}

#[test]
fn index_says_a_line_unless_asked() {
    let repo = project();
    let out = repo.sverklo(&["index"]);
    assert_eq!(
        (out.status, out.stdout, out.stderr),
        (
            Some(0),
            String::new(),
            "3 documents added of 3 needed (289 B of source)\n".to_owned()
        )
    );
    let json = repo.sverklo(&["index", "--json"]).success();
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["documents_needed"], 3);
    assert_eq!(
        report["documents_added"], 0,
        "all were added by the first run"
    );
    assert_eq!(report["store"]["segments"], 1);
    let verbose = repo.sverklo(&["index", "-v"]).success();
    assert!(
        verbose.starts_with("0 documents added of 3 needed"),
        "{verbose}"
    );
    let status = repo.sverklo(&["status"]).success();
    assert!(status.contains("\ncovered: 3 of 3 files\n"), "{status}");
}
