//! `search` for a text or an expression: `git grep` is the oracle of which lines match.

use crate::harness::TestRepo;
use serde_json::Value;
use std::collections::BTreeSet;

/// Lines that match, as `path:line`.
type Lines = BTreeSet<String>;

fn ours(repo: &TestRepo, args: &[&str]) -> Lines {
    let asked = ["search", "--json", "--limit", "1000", "--budget", "100000"];
    let out = repo.sverklo(&[&asked[..], args].concat()).stdout;
    let answer: Value = serde_json::from_str(&out).expect("--json prints JSON");
    let hits = answer["hits"].as_array().cloned().unwrap_or_default();
    let lines = hits.iter().flat_map(|hit| {
        let path = hit["path"].as_str().unwrap().to_owned();
        let lines = hit["lines"].as_array().cloned().unwrap_or_default();
        lines
            .into_iter()
            .map(move |line| format!("{path}:{}", line["line"]))
    });
    lines.collect()
}

fn git(repo: &TestRepo, args: &[&str]) -> Lines {
    let out = repo
        .try_git(&[&["-c", "core.quotePath=false", "grep", "-n", "-I"], args].concat())
        .stdout;
    out.lines()
        .map(|line| {
            let mut parts = line.splitn(3, ':');
            format!("{}:{}", parts.next().unwrap(), parts.next().unwrap())
        })
        .collect()
}

fn shop() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "src/parse.rs",
        "/// Parses a request.\npub fn parse_request(line: &str) -> Option<Request> {\n    \
         let re_parse = line.split(' ');\n    let ParseRequest = 1;\n    Request::new(line)\n}\n",
    );
    repo.write(
        "src/größe.py",
        "def größe(x):\n    return x  # die Größe\n\n\nx = größe(1)\n",
    );
    repo.write(
        "notes.txt",
        "parse\nparser\n\nreparse_requests\nfoo.bar(baz)\n",
    );
    repo.write(
        "data/blob.bin",
        b"parse_request\0\x01\x02parse_request".as_slice(),
    );
    repo.commit("begin");
    repo
}

#[test]
fn every_line_that_git_finds_is_found_and_no_other() {
    let repo = shop();
    repo.git(&["add", "-A"]);
    // A lower-case pattern matches both cases, as in ripgrep's smart case.
    for text in [
        "parse",
        "parse_request",
        "Parse",
        "foo.bar(",
        "größe",
        ".",
        "zz",
    ] {
        let case: &[&str] = if text.chars().any(char::is_uppercase) {
            &["-F"]
        } else {
            &["-F", "-i"]
        };
        let expected = git(&repo, &[case, &["-e", text]].concat());
        assert_eq!(ours(&repo, &["-F", "--", text]), expected, "{text}");
    }
    for (expression, posix) in [
        (r"fn\s+parse\w*", r"fn[[:space:]]+parse[[:alnum:]_]*"),
        ("parse(r|_request)", "parse(r|_request)"),
        ("^parse$", "^parse$"),
        ("re_?parse", "re_?parse"),
        (r"x\)", r"x\)"),
    ] {
        let expected = git(&repo, &["-E", "-i", "-e", posix]);
        assert_eq!(
            ours(&repo, &["-E", "--", expression]),
            expected,
            "{expression}"
        );
        assert!(!expected.is_empty(), "{expression}");
    }
}

#[test]
fn a_past_state_and_uncommitted_lines_are_searched_as_they_are() {
    let repo = shop();
    repo.write("notes.txt", "nothing here\n");
    repo.commit("forget");
    repo.write("src/parse.rs", "fn dirty_parse() {}\n");
    let text = ["-F", "parse"];
    let at = |rev: &str| ours(&repo, &[&text[..], &["--at", rev]].concat());
    // With a revision git prints it before the path.
    let git_at = |rev: &str| -> Lines {
        let out = repo.git(&["grep", "-n", "-I", "-F", "-i", "-e", "parse", rev]);
        let lines = out.lines().map(|line| {
            let mut parts = line.splitn(4, ':').skip(1);
            format!("{}:{}", parts.next().unwrap(), parts.next().unwrap())
        });
        lines.collect()
    };
    assert!(git_at("HEAD~1").len() > git_at("HEAD").len());
    assert_eq!(at("HEAD~1"), git_at("HEAD~1"));
    assert_eq!(at("HEAD"), git_at("HEAD"));
    let now = ours(&repo, &text);
    assert!(now.contains("src/parse.rs:1"), "{now:?}");
    assert!(!now.contains("notes.txt:1"), "{now:?}");
}

#[test]
fn only_files_that_can_match_are_read() {
    let repo = shop();
    let out = repo
        .sverklo(&["search", "-F", "re_parse", "--context", "1"])
        .success();
    assert!(
        out.starts_with("src/parse.rs:2-4  in parse_request\n"),
        "{out}"
    );
    assert!(out.contains("\n  3: "), "{out}");
    assert!(out.contains("\n  2- ") && out.contains("\n  4- "), "{out}");
    assert!(out.contains("1 line in 1 file"), "{out}");
}

#[test]
fn a_bad_expression_says_what_to_do() {
    let repo = shop();
    let out = repo.sverklo(&["search", "-E", "("]);
    assert_eq!(out.status, Some(2));
    assert!(out.stderr.contains("search for a text"), "{}", out.stderr);
    assert_eq!(
        repo.sverklo(&["search", "-F", "nowhere at all"]).status,
        Some(1)
    );
}

#[test]
fn what_lies_within_a_very_long_name_is_found_now_and_in_history() {
    let repo = TestRepo::init();
    let long = "SettingMinimumLevelControlledByToAnUndeclaredSwitchThrows";
    let source = |value: u32| format!("def {long}():\n    return {value}\n\n\n{long}()\n");
    repo.write("a.py", source(1)).commit("begin");
    repo.write("a.py", source(2)).commit("another value");
    for text in ["ControlledBy", "controlledbyto"] {
        let case: &[&str] = match text.chars().any(char::is_uppercase) {
            true => &["-F"],
            false => &["-F", "-i"],
        };
        let expected = git(&repo, &[case, &["-e", text]].concat());
        assert_eq!(expected.len(), 2);
        assert_eq!(ours(&repo, &["-F", "--", text]), expected, "{text}");
    }
    repo.sverklo(&["index"]).success();
    let said = repo.sverklo(&["history", "-F", "ControlledBy"]).success();
    assert!(said.contains("1 commit | 2 lines in 1 file now"), "{said}");
    assert!(!said.contains("removed"), "{said}");
}
