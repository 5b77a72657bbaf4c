//! `history`: what became of a definition, a file or a directory.

use super::harness::{Output, TestRepo};
use super::mcp::{call, text, with_client};
use serde_json::{Value, json};

/// A function of some lines; `said` is one of them.
fn python(name: &str, arguments: &str, said: &str) -> String {
    format!(
        "def {name}({arguments}):\n    \"\"\"Counts the words of a text.\"\"\"\n    total = 0\n    for word in text.split():\n        if word not in STOP:\n            total += len(word)\n    {said}\n    return total\n"
    )
}

/// The whole answer of `history` as JSON.
pub fn history(repo: &TestRepo, args: &[&str]) -> Value {
    let out = repo.sverklo(&[&["history", "--json", "--budget", "20000"], args].concat());
    assert!(matches!(out.status, Some(0 | 1)), "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

/// Versions as `subject: what it did`.
fn versions(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let answer = history(repo, args);
    let versions = answer["versions"].as_array().unwrap().iter();
    let said = versions.map(|version| {
        let did: Vec<&str> = version["did"]
            .as_array()
            .unwrap()
            .iter()
            .map(|did| did.as_str().unwrap())
            .collect();
        let merge = if version["merge"] == true {
            " (merge)"
        } else {
            ""
        };
        let subject = version["commit"]["subject"].as_str().unwrap_or("-");
        format!("{subject}: {}{merge}", did.join(", "))
    });
    said.collect()
}

/// A function that everything happens to.
fn eventful() -> TestRepo {
    let repo = TestRepo::init();
    let stop = "STOP = set()\n\n\n";
    repo.write(
        "a.py",
        format!("{stop}{}", python("count", "text", "total += 1")),
    );
    repo.commit("one");
    // Beside it.
    repo.write(
        "a.py",
        format!("import os\n{stop}{}", python("count", "text", "total += 1")),
    );
    repo.commit("beside");
    repo.write(
        "a.py",
        format!("import os\n{stop}{}", python("count", "text", "total += 2")),
    );
    repo.commit("two (#12)");
    repo.write(
        "a.py",
        format!(
            "import os\n{stop}{}",
            python("count", "text, least=3", "total += 2")
        ),
    );
    repo.commit("signature");
    repo.write(
        "a.py",
        format!(
            "import os\n{stop}{}",
            python("count", "text, least=3", "total += 2  # why")
        ),
    );
    repo.commit("explained");
    repo.write(
        "a.py",
        format!(
            "import os\n{stop}{}",
            python("count_words", "text, least=3", "total += 2  # why")
        ),
    );
    repo.commit("renamed");
    repo.write(
        "a.py",
        format!("import os\n{stop}def other():\n    return 1\n"),
    )
    .write(
        "lib/b.py",
        format!(
            "{stop}{}",
            python("count_words", "text, least=3", "total += 3")
        ),
    );
    repo.commit("moved");
    repo.git(&["mv", "lib/b.py", "lib/c.py"]);
    repo.commit("file moved");
    repo
}

#[test]
fn a_definition_is_followed_through_all_that_happens_to_it() {
    let repo = eventful();
    let all = [
        "file moved: moved",
        "moved: moved, body",
        "renamed: renamed",
        "explained: comments",
        "signature: signature",
        "two (#12): body",
        "one: introduced",
    ];
    assert_eq!(versions(&repo, &["count_words"]), all);
    for target in [
        "lib/c.py::count_words#function",
        "lib/c.py:6",
        "lib/c.py:4-11",
    ] {
        assert_eq!(versions(&repo, &[target]), all, "{target}");
    }
    // The past is that of the revision, under the name it had there.
    assert_eq!(versions(&repo, &["count@HEAD~4"]), all[4..]);
    assert_eq!(versions(&repo, &["count", "--at", "HEAD~4"]), all[4..]);
    let answer = history(&repo, &["count_words"]);
    assert_eq!(answer["versions"][5]["commit"]["issues"], json!([12]));
    assert_eq!(answer["versions"][1]["was"]["path"], "a.py");
    assert_eq!(answer["versions"][2]["was"]["name"], "count");
    assert_eq!(answer["versions"][4]["before"], "def count(text):");
    assert_eq!(answer["versions"][4]["after"], "def count(text, least=3):");
}

#[test]
fn the_text_is_a_line_a_version_and_goes_on_by_pages() {
    let repo = eventful();
    let out = repo
        .sverklo(&["history", "count_words", "-n", "3"])
        .success();
    let lines: Vec<&str> = out.lines().collect();
    // More than are wanted are not looked for.
    assert_eq!(
        lines[0],
        "lib/c.py::count_words#function | 3 versions or more"
    );
    assert!(
        lines[1].contains(" | moved | ") && lines[1].contains("| \"file moved\" |"),
        "{out}"
    );
    assert!(
        lines[1].ends_with("lib/c.py:4-11 count_words | was lib/b.py:4-11 count_words"),
        "{out}"
    );
    assert!(
        out.ends_with("| shown 3 of 3 or more | next: --offset 3\n"),
        "{out}"
    );
    let rest = repo
        .sverklo(&["history", "count_words", "-n", "3", "--offset", "6"])
        .success();
    assert!(
        rest.contains("\"one\"") && rest.ends_with("| shown 7-7 of 7\n"),
        "{rest}"
    );
    let small = repo
        .sverklo(&["history", "count_words", "--budget", "100"])
        .success();
    assert!(small.contains("next: --offset"), "{small}");
}

#[test]
fn time_is_bounded_by_dates_and_revisions() {
    let repo = eventful();
    let since = versions(&repo, &["count_words", "--since", "HEAD~2"]);
    assert_eq!(
        since,
        [
            "file moved: moved",
            "moved: moved, body",
            "renamed: renamed"
        ]
    );
    let until = versions(&repo, &["count_words", "--until", "HEAD~6"]);
    assert_eq!(until, ["one: introduced"]);
    assert!(versions(&repo, &["count_words", "--since", "2999-01-01"]).is_empty());
    assert_eq!(
        versions(&repo, &["count_words", "--until", "2999"]).len(),
        7
    );
    let out = repo.sverklo(&["history", "count_words", "--since", "nowhere"]);
    assert_eq!(out.status, Some(2));
    assert!(out.stderr.contains("neither a date"), "{out:?}");
}

#[test]
fn uncommitted_work_is_one_more_version() {
    let repo = eventful();
    repo.write(
        "lib/c.py",
        format!(
            "STOP = set()\n\n\n{}",
            python("count_words", "text", "total += 3")
        ),
    );
    let found = versions(&repo, &["count_words"]);
    assert_eq!(found[..2], ["-: signature", "file moved: moved"]);
    assert_eq!(versions(&repo, &["count_words", "--at", "HEAD"]).len(), 7);
    let out = repo.sverklo(&["history", "lib/c.py"]).success();
    assert!(
        out.lines()
            .nth(1)
            .unwrap()
            .starts_with("uncommitted | changed"),
        "{out}"
    );
    // Moved to a file that nobody has committed.
    repo.write("lib/c.py", "STOP = set()\n");
    repo.write("d.py", python("count_words", "text, least=3", "total += 3"));
    let answer = history(&repo, &["count_words"]);
    assert_eq!(answer["versions"][0]["did"], json!(["moved"]));
    assert_eq!(answer["versions"][0]["was"]["path"], "lib/c.py");
    assert_eq!(answer["total"], 8);
    let listed = answer["versions"].as_array().unwrap();
    assert_eq!(answer["shown"], listed.len());
}

#[test]
fn a_merge_shows_the_side_that_did_it() {
    let repo = TestRepo::init();
    let file = |one: &str, two: &str| {
        format!(
            "{}\n\n{}",
            python("one", "text", one),
            python("two", "text", two)
        )
    };
    repo.write("a.py", file("total += 1", "total += 1"));
    repo.commit("base");
    repo.git(&["switch", "-q", "-c", "side"]);
    repo.write("a.py", file("total += 1", "total += 2"));
    repo.commit("side does two");
    repo.git(&["switch", "-q", "main"]);
    repo.write("a.py", file("total += 2", "total += 1"));
    repo.commit("main does one");
    repo.git(&["merge", "-q", "--no-edit", "side"]);
    // The file is neither side's, each function is one's.
    assert_eq!(
        versions(&repo, &["one"]),
        ["main does one: body", "base: introduced"]
    );
    assert_eq!(
        versions(&repo, &["two"]),
        ["side does two: body", "base: introduced"]
    );
    let file_of = versions(&repo, &["a.py"]);
    assert!(file_of[0].ends_with("changed (merge)"), "{file_of:?}");
    assert_eq!(file_of.len(), 4);
    // Both sides did something to one function, and the merge is neither.
    repo.git(&["switch", "-q", "side"]);
    repo.write("a.py", file("total += 7", "total += 2"));
    repo.commit("side does one");
    repo.git(&["switch", "-q", "main"]);
    repo.write(
        "a.py",
        file("total += 2", "total += 2").replace("split()", "split(None)"),
    );
    repo.commit("main splits");
    // It may stop for a conflict; what both came to is written below.
    repo.try_git(&["merge", "-q", "side"]);
    repo.write(
        "a.py",
        file("total += 7", "total += 2").replace("split()", "split(None)"),
    );
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "--allow-empty", "-m", "both"]);
    let found = versions(&repo, &["one"]);
    assert_eq!(found[0], "both: body (merge)");
    let mut sides = found[1..].to_vec();
    sides.sort();
    assert_eq!(
        sides,
        [
            "base: introduced",
            "main does one: body",
            "main splits: body",
            "side does one: body"
        ]
    );
}

#[test]
fn what_was_removed_and_brought_back_says_both() {
    let repo = TestRepo::init();
    let other = "def other():\n    return 1\n\n\n";
    let whole = format!("{other}{}", python("count", "text", "total += 1"));
    repo.write("a.py", &whole);
    repo.commit("one");
    repo.write("a.py", other);
    repo.commit("gone");
    repo.write("b.py", "x = 1\n");
    repo.commit("beside");
    repo.write("a.py", &whole);
    repo.commit("again");
    let want = ["again: brought back", "gone: removed", "one: introduced"];
    assert_eq!(versions(&repo, &["count"]), want);
    // The same of a whole file.
    repo.remove("b.py");
    repo.commit("no b");
    repo.write("b.py", "y = 2\n");
    repo.commit("b again");
    assert_eq!(
        versions(&repo, &["b.py"]),
        [
            "b again: brought back",
            "no b: removed",
            "beside: introduced"
        ]
    );
}

/// Two sides that both change a function, one of which takes it away for a while; some commits are older than what
/// they came from.
fn tangled() -> TestRepo {
    let repo = TestRepo::init();
    let write = |said: &str| {
        repo.write("a.py", python("count", "text", said));
    };
    let commit = |subject: &str, day: u32| {
        repo.commit_on(subject, &format!("2020-01-{day:02}T12:00:00Z"));
    };
    write("total += 1");
    commit("one", 5);
    write("total += 2");
    commit("two", 3);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("a.py", "x = 1\n");
    commit("gone", 6);
    write("total += 3");
    commit("again", 8);
    write("total += 4");
    commit("side", 10);
    repo.git(&["checkout", "-q", "main"]);
    write("total += 5");
    commit("main", 7);
    write("total += 6");
    commit("main again", 9);
    assert_ne!(repo.try_git(&["merge", "-q", "side"]).status, Some(0));
    write("total += 7");
    commit("merge", 11);
    write("total += 8");
    commit("last", 12);
    repo
}

#[test]
fn pages_are_parts_of_the_whole() {
    let repo = tangled();
    let whole = versions(&repo, &["count"]);
    assert_eq!(
        whole,
        [
            "last: body",
            "merge: body (merge)",
            "side: body",
            "main again: body",
            "again: brought back",
            "main: body",
            "gone: removed",
            "two: body",
            "one: introduced"
        ]
    );
    for size in 1..=whole.len() {
        let mut pages = Vec::new();
        for offset in (0..whole.len()).step_by(size) {
            let (size, offset) = (size.to_string(), offset.to_string());
            let args = ["count", "-n", &size, "--offset", &offset];
            let answer = history(&repo, &args);
            let found = versions(&repo, &args);
            pages.extend(found);
            let is_last = pages.len() == whole.len();
            assert_eq!(
                answer["more"],
                if is_last { Value::Null } else { true.into() }
            );
        }
        assert_eq!(pages, whole, "{size}");
    }
}

#[test]
fn what_a_server_remembers_is_what_a_fresh_process_finds() {
    let repo = tangled();
    with_client(&repo, async |client| {
        let mut work = 100;
        for (limit, offset) in [(1, 0), (3, 0), (2, 3), (1, 0), (30, 0), (2, 5), (30, 0)] {
            let (n, after) = (limit.to_string(), offset.to_string());
            let fresh = repo
                .sverklo(&["history", "count", "-n", &n, "--offset", &after])
                .stdout
                .replace("--offset ", "offset=");
            for _ in 0..2 {
                let asked = json!({"target": "count", "limit": limit, "offset": offset});
                let result = client.call_tool(call("history", asked)).await.unwrap();
                assert_eq!(text(&result), fresh);
            }
            // With a new version on top, and one that is not committed.
            work += 1;
            let said = format!("total += {work}");
            repo.write("a.py", python("count", "text", &said));
            if work % 3 != 0 {
                repo.commit(&said);
            }
        }
        client.cancel().await.unwrap();
    });
}

/// A class whose members are taken apart and put together, in a language that indents and in one that does not;
/// `padding` makes a long file of it.
fn taken_apart(padding: &str) -> TestRepo {
    let repo = TestRepo::init();
    let halves = |one: &str, two: &str| {
        let lines = |word: &str| {
            let each = |n: u32| format!("        {word}.append({n})\n        {word}.sort()\n");
            (0..6).map(each).collect::<String>()
        };
        (lines(one), lines(two))
    };
    let python = |head: &str, between: &str, one: &str, two: &str| {
        let (one, two) = halves(one, two);
        let end = "    def last(self):\n        return 1\n";
        format!("{head}\n    x = 1\n\n    def f(self):\n{one}{between}{two}\n{end}\n\n{padding}")
    };
    let braces = |head: &str, between: &str, one: &str, two: &str| {
        let (one, two) = halves(one, two);
        let (one, two) = (one.replace(")\n", ");\n"), two.replace(")\n", ");\n"));
        format!(
            "{head}\n    f() {{\n{one}{between}{two}    }}\n}}\n{}",
            padding.replace('#', "//")
        )
    };
    let write = |subject: &str, base: &str, split: bool, one: &str, two: &str| {
        let between = if split {
            ["\n    def g(self):\n", "    }\n\n    g() {\n"]
        } else {
            ["", ""]
        };
        let heads = [
            format!("class A{base}:"),
            format!("class A extends B{} {{", base.len()),
        ];
        repo.write("a.py", python(&heads[0], between[0], one, two));
        repo.write("a.js", braces(&heads[1], between[1], one, two));
        repo.commit(subject);
    };
    write("one", "", false, "one", "two");
    write("changed", "", false, "one", "three");
    write("split", "", true, "one", "three");
    write("second half", "", true, "one", "four");
    write("first half", "", true, "five", "four");
    write("base", "(B)", true, "five", "four");
    write("both", "(B)", true, "six", "seven");
    write("joined", "(B)", false, "six", "seven");
    write("last", "(B)", false, "six", "eight");
    repo
}

#[test]
fn a_part_of_a_long_file_tells_what_the_whole_tells() {
    let padding: String = (0..400)
        .map(|n| format!("pad{n} = ['nothing of interest in line {n}']\n"))
        .collect();
    let (short, long) = (taken_apart(""), taken_apart(&padding));
    for target in [
        "a.py::A.f#method",
        "a.js::A.f#method",
        "a.py::A.last#method",
    ] {
        let told = versions(&short, &[target]);
        assert!(
            target.contains("last") || told.len() > 6,
            "{target}: {told:?}"
        );
        assert_eq!(versions(&long, &[target]), told, "{target}");
        assert_eq!(
            versions(&long, &[target, "--at", "HEAD~2"]),
            versions(&short, &[target, "--at", "HEAD~2"]),
            "{target}"
        );
    }
    for target in ["a.py::A.g#method", "a.js::A.g#method"] {
        let told = versions(&short, &[target, "--at", "HEAD~2"]);
        assert!(told.len() > 2, "{target}: {told:?}");
        assert_eq!(
            versions(&long, &[target, "--at", "HEAD~2"]),
            told,
            "{target}"
        );
    }
}

#[test]
fn members_are_told_of_a_class_and_followed_by_themselves() {
    let repo = TestRepo::init();
    let class = |name: &str, get: &str, more: &str| {
        format!(
            "class {name}:\n    size = 1\n\n    def get(self, key):\n        found = self.items.find(key)\n        return {get}\n\n    def put(self, key, value):\n        self.items.add(key, value)\n        return self\n{more}"
        )
    };
    repo.write("a.py", class("Store", "found", ""));
    repo.commit("one");
    repo.write(
        "a.py",
        class(
            "Store",
            "found or None",
            "\n    def drop(self):\n        self.items = []\n",
        ),
    );
    repo.commit("members");
    repo.write(
        "a.py",
        class(
            "Shop",
            "found or None",
            "\n    def drop(self):\n        self.items = []\n",
        ),
    );
    repo.commit("renamed");
    let answer = history(&repo, &["Shop"]);
    assert_eq!(answer["versions"][0]["did"], json!(["renamed"]));
    assert_eq!(answer["versions"][1]["did"], json!(["members"]));
    assert_eq!(
        answer["versions"][1]["detail"],
        "added drop, items; changed get"
    );
    assert_eq!(
        versions(&repo, &["Shop.get"]),
        ["members: body", "one: introduced"]
    );
    assert_eq!(versions(&repo, &["Shop.put"]), ["one: introduced"]);
}

#[test]
fn a_directory_has_the_versions_of_all_that_is_in_it() {
    let repo = eventful();
    assert_eq!(
        versions(&repo, &["lib/"]),
        ["file moved: changed", "moved: introduced"]
    );
    assert_eq!(versions(&repo, &["./"]).len(), 8);
    assert_eq!(
        versions(&repo, &["lib/c.py"]),
        ["file moved: moved", "moved: introduced"]
    );
}

#[test]
fn a_shallow_clone_says_where_history_ends() {
    let repo = eventful();
    let shallow = repo.beside("shallow");
    let url = format!("file://{}", repo.dir().display());
    repo.git(&[
        "clone",
        "-q",
        "--depth",
        "3",
        &url,
        shallow.to_str().unwrap(),
    ]);
    let clone = repo.at(&shallow);
    let out = clone.sverklo(&["history", "count_words"]).success();
    assert!(out.contains("the clone is shallow"), "{out}");
    assert!(out.contains("there at the end of history"), "{out}");
    assert_eq!(versions(&clone, &["count_words"]).len(), 3);
}

#[test]
fn nothing_is_found_of_nothing() {
    let repo = TestRepo::init();
    let out = repo.sverklo(&["history", "count"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    let repo = eventful();
    let out = repo.sverklo(&["history", "no_such_name_at_all"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(
        out.stdout
            .starts_with("nothing found of no_such_name_at_all"),
        "{out:?}"
    );
    // Nobody may take it for something that never was looked for.
    assert!(
        out.stdout
            .contains("all 8 commits looked at | TARGET@REV asks at a revision that has it"),
        "{out:?}"
    );
    assert_eq!(repo.sverklo(&["history", "count@HEAD~4"]).status, Some(0));
    assert_eq!(repo.sverklo(&["history", " "]).status, Some(2));
    let out: Output = repo.sverklo(&["history", "count", "--at", "nowhere"]);
    assert_eq!(out.status, Some(2));
}

#[test]
fn an_old_commit_answers_as_a_clone_that_ends_there() {
    let repo = eventful();
    for at in ["HEAD~2", "HEAD~3", "HEAD~5"] {
        let commit = repo.git(&["rev-parse", at]);
        let ours = repo.beside(&format!("at-{}", &commit[..8]));
        repo.git(&[
            "clone",
            "-q",
            "--no-local",
            repo.dir().to_str().unwrap(),
            ours.to_str().unwrap(),
        ]);
        let clone = repo.at(&ours);
        clone.git(&["reset", "-q", "--hard", &commit]);
        clone.git(&["remote", "remove", "origin"]);
        for target in ["count", "count_words", "a.py", "./", "other"] {
            let (mut here, mut there) = (
                history(&repo, &[target, "--at", at]),
                history(&clone, &[target, "--at", "HEAD"]),
            );
            here["index"] = Value::Null;
            there["index"] = Value::Null;
            assert_eq!(here, there, "{target} at {at}");
        }
    }
}

#[test]
fn hostile_words_of_commits_stay_in_their_line() {
    let repo = TestRepo::init();
    repo.write("a.py", python("count", "text", "total += 1"));
    repo.git(&["add", "-A"]);
    let evil = "fix\u{1b}[31m \u{202e}it\r\nindex 0000000000 | shown 9 of 9";
    repo.git(&[
        "-c",
        "user.name=Eve\u{1b}]0;x\u{7} | shown",
        "commit",
        "-q",
        "-m",
        evil,
    ]);
    let out = repo.sverklo(&["history", "count"]).success();
    assert!(
        !out.contains('\u{1b}') && !out.contains('\u{202e}') && !out.contains('\u{7}'),
        "{out}"
    );
    assert_eq!(out.lines().count(), 3, "{out}");
    assert_eq!(out.matches("\nindex ").count(), 1, "{out}");
    let json = history(&repo, &["count"]);
    let author = json["versions"][0]["commit"]["author"].as_str().unwrap();
    assert!(!author.contains('\u{1b}'), "{author}");
    // Neither the bar of a name nor the quotes of a subject make a part of the line.
    repo.write("a.py", python("count", "text", "total += 2"));
    repo.git(&["add", "-A"]);
    let mut command = repo.command("git");
    command.env("GIT_AUTHOR_NAME", "Eve | \"signature");
    command.args(["commit", "-q", "-m", "x\" | removed | \"y"]);
    assert!(command.status().unwrap().success());
    let out = repo.sverklo(&["history", "count"]).success();
    let line = out.lines().nth(1).unwrap();
    assert!(
        line.contains("| body | \"Eve | 'signature\" | \"x' | removed | 'y\" |"),
        "{out}"
    );
}

#[test]
fn what_was_said_comes_in_the_order_of_what_it_tells() {
    let repo = TestRepo::init();
    repo.write("a.py", python("count", "text", "total += 1"));
    repo.commit("one");
    for (number, said) in [
        (2, "tweak"),
        (
            3,
            "count (#7)\n\nEmpty texts were \"counted\" twice.\n\nSigned-off-by: A <a@b>",
        ),
        (4, "Revert \"count\"\n\nIt broke | the build."),
    ] {
        repo.write(
            "a.py",
            python("count", "text", &format!("total += {number}")),
        );
        repo.commit(said);
    }
    let said = versions(&repo, &["--why", "count"]);
    let want = ["Revert", "count", "one", "tweak"];
    let is_so = said
        .iter()
        .zip(want)
        .all(|(said, want)| said.starts_with(want));
    assert!(is_so && said.len() == 4, "{said:?}");
    let out = repo
        .sverklo(&["history", "--why", "count", "-n", "2"])
        .success();
    assert!(
        out.contains("| \"Empty texts were 'counted' twice.\"\n"),
        "{out}"
    );
    assert!(!out.contains("Signed-off-by"), "{out}");
}

#[test]
fn an_agent_asks_the_same() {
    let repo = eventful();
    with_client(&repo, async |client| {
        let result = client
            .call_tool(call(
                "history",
                json!({"target": "count_words", "limit": 2}),
            ))
            .await
            .unwrap();
        let said = text(&result);
        assert!(
            said.starts_with("lib/c.py::count_words#function | 2 versions or more\n"),
            "{said}"
        );
        assert!(
            said.ends_with("| shown 2 of 2 or more | next: offset=2\n"),
            "{said}"
        );
        client.cancel().await.unwrap();
    });
}

/// Records are linked by what commits say, by what they change together, and by what the records name.
#[test]
fn decisions_are_told_with_the_reasons() {
    let repo = TestRepo::init();
    let record = |name: &str, text: &str| {
        repo.write(format!("docs/adr/{name}.md"), text);
    };
    let code = |step: &str| format!("def send_later(job):\n    return {step}\n");
    record(
        "0001-retry",
        "# 1. Retry what fails\n\n## Status\n\nSuperseded by 2\n",
    );
    record("0002-queue", "# 2. Use a queue\n\nStatus: accepted\n");
    record(
        "0003-other",
        "# 3. Something else\n\nStatus: accepted\n\nlater\n",
    );
    repo.commit("records");
    repo.write("jobs.py", code("job()"));
    record("0004-jobs", "# Jobs | are \"functions\"\n");
    repo.commit("jobs");
    repo.write("jobs.py", code("put(job)"));
    repo.commit("use the queue\n\nAs decided in ADR 2.");
    record(
        "0001-retry",
        "# 1. Retry what fails\n\n## Status\n\nSuperseded by 2\n\nsend_later(job) retries.\n",
    );
    let old = repo.commit("say what retries");
    repo.write("jobs.py", code("store(job)"));
    record("0005-store", "# Store jobs\n");
    repo.commit("store");

    let told = |args: &[&str]| {
        let said = repo
            .sverklo(&[&["history", "--why"], args].concat())
            .success();
        let lines = said.lines().filter(|line| line.starts_with("decision "));
        let lines = lines.map(|line| {
            let (line, link) = line.rsplit_once(" | ").unwrap();
            // Which commit it is the subject tells.
            let (how, id) = link.rsplit_once(' ').unwrap();
            let id = match how {
                "names" => "it".to_owned(),
                _ => repo.git(&["log", "-1", "--format=%s", id]),
            };
            format!("{line} | {how} {id}")
        });
        lines.collect::<Vec<_>>()
    };
    let of_then = [
        "decision docs/adr/0002-queue.md:1 | \"Use a queue\" | accepted | named by use the queue",
        "decision docs/adr/0004-jobs.md:1 | \"Jobs | are 'functions'\" | changed by jobs",
        "decision docs/adr/0001-retry.md:7 | \"Retry what fails\" | superseded | names it",
    ];
    let mut of_now = of_then.to_vec();
    of_now.insert(
        2,
        "decision docs/adr/0005-store.md:1 | \"Store jobs\" | changed by store",
    );
    assert_eq!(told(&["send_later"]), of_now);
    assert_eq!(told(&["send_later", "--at", old.trim()]), of_then);
    let bare = repo.beside("bare.git");
    let from = format!("file://{}", repo.dir().display());
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let args = ["clone", "-q", "--bare", "--filter=blob:limit=60", &from];
    repo.git(&[&args[..], &[bare.to_str().unwrap()]].concat());
    let few = repo.at(&bare);
    few.git(&["cat-file", "-e", "HEAD:jobs.py"]);
    let said = few.sverklo(&["history", "--why", "send_later"]).success();
    assert!(said.contains("1 decision record not read\n"), "{said}");
    let plain = repo.sverklo(&["history", "send_later"]).success();
    assert!(!plain.contains("decision "), "{plain}");
    let json = history(&repo, &["--why", "send_later"]);
    assert_eq!(json["decisions"][0]["status"], "accepted");
    assert_eq!(json["decisions"].as_array().unwrap().len(), 4);
}

/// What the newest version of a target was before, after what was done to it.
fn was(repo: &TestRepo, target: &str) -> String {
    let answer = history(repo, &[target]);
    let newest = &answer["versions"][0];
    let was = &newest["was"];
    format!(
        "{} {}::{}",
        newest["did"],
        was["path"].as_str().unwrap_or("-"),
        was["name"].as_str().unwrap_or("-")
    )
}

#[test]
fn what_was_renamed_on_its_way_to_another_file_is_found_in_one_that_stays() {
    let repo = TestRepo::init();
    let rest = "def other(a):\n    return a\n";
    let here = python("count", "text", "total += 1");
    repo.write("a.py", format!("{here}\n\n{rest}"));
    repo.write("b.py", "def third(b):\n    return not b\n");
    repo.commit("one");
    repo.write("a.py", rest);
    let there = python("count_words", "text", "total += 1");
    repo.write(
        "b.py",
        format!("def third(b):\n    return not b\n\n\n{there}"),
    );
    repo.commit("two");
    assert_eq!(
        was(&repo, "b.py::count_words#function"),
        "[\"renamed\",\"moved\"] a.py::count"
    );
}

#[test]
fn a_name_that_something_else_took_tells_what_that_was() {
    let repo = TestRepo::init();
    let gone = "def match(a):\n    for b in a.routes():\n        yield b.name\n    print('nothing more', a, flush=True)\n";
    let kept = python("_match", "text", "total += 1");
    repo.write("a.py", format!("{gone}\n\n{kept}"));
    repo.commit("one");
    repo.write("a.py", python("match", "text", "total += 1"));
    repo.commit("two");
    assert_eq!(
        was(&repo, "a.py::match#function"),
        "[\"renamed\"] a.py::_match"
    );
}

#[test]
fn a_class_that_others_were_put_around_is_moved() {
    let repo = TestRepo::init();
    let class = "  class Cleaner\n    def sweep(all)\n      all.each { |one| one.delete if one.old? }\n    end\n  end\n";
    repo.write("a.rb", format!("module Site\n{class}end\n"));
    repo.commit("one");
    let deeper: String = class.lines().map(|line| format!("  {line}\n")).collect();
    repo.write(
        "a.rb",
        format!("module Site\n  class Whole\n{deeper}  end\nend\n"),
    );
    repo.commit("two");
    assert_eq!(
        was(&repo, "a.rb::Site.Whole.Cleaner#class"),
        "[\"moved\"] a.rb::Site.Cleaner"
    );
}

#[test]
fn names_that_share_their_words_need_less_to_be_the_same() {
    let repo = TestRepo::init();
    let last = "\n\nfunction last() {\n  return 'last';\n}\n";
    let text = |name: &str, body: &str| {
        format!("function {name}(res) {{\n  res.status(401);\n  {body}\n}}\n{last}")
    };
    repo.write("a.js", text("unauthorized", "res.send({ ok: false });"));
    repo.commit("one");
    let body = "res.type('text');\n  res.end('not authorized');";
    repo.write("a.js", text("sendUnauthorized", body));
    repo.commit("two");
    assert_eq!(
        was(&repo, "a.js::sendUnauthorized#function"),
        "[\"renamed\",\"body\"] a.js::unauthorized"
    );
    repo.write("a.js", text("refuse", "res.send({ ok: false });"));
    repo.commit("three");
    assert_eq!(was(&repo, "a.js::refuse#function"), "[\"introduced\"] -::-");
}

#[test]
fn of_two_that_are_gone_the_equal_one_is_meant() {
    let repo = TestRepo::init();
    let text = |name: &str, last: usize| {
        let lines: String = (0..20).map(|at| format!("    keep(a, {at})\n")).collect();
        format!("def {name}(a):\n{lines}    return {last}\n")
    };
    let (alike, equal) = (text("count_all", 2), text("count_each", 1));
    repo.write("a.py", format!("{alike}\n\n{equal}"));
    repo.commit("one");
    repo.write("a.py", text("count", 1));
    repo.commit("two");
    assert_eq!(
        was(&repo, "a.py::count#function"),
        "[\"renamed\"] a.py::count_each"
    );
}

/// A class template whose head is understood or not, with a method; enough stands above it for it to be read in part.
fn template(number: usize, is_understood: bool, said: &str, of: &str) -> String {
    let above: String = (0..250)
        .map(|at| format!("int f{at}(int a) {{ return a + {number}; }}\n"))
        .collect();
    let head = match is_understood {
        true => "struct formatter<T, Char, enable_if_t<is_range<T, Char>::value>> {\n",
        false => {
            "struct formatter<\n    T, Char,\n    enable_if_t<\n        is_range<T, Char>::value\n// Workaround.\n#if !MSC || MSC >= 1927\n        &&\n        (has_formatter<value_type<T>, context>::value ||\n         has_fallback<value_type<T>, context>::value)\n#endif\n        >> {\n"
        }
    };
    format!(
        "{above}template <typename T, typename Char>\n{head}  T formatting;\n\n  template <typename ParseContext>\n  CONSTEXPR auto parse(ParseContext& ctx) -> decltype(ctx.begin()) {{\n    return formatting.parse(ctx);\n  }}\n\n  template <typename Context>\n  typename Context::iterator format(const {of}& values, Context& ctx) {{\n    auto out = copy(formatting.prefix, ctx.out());\n    {said}\n    for (auto it = values.begin(); it != values.end(); ++it) out = copy(*it, out);\n    return copy(formatting.postfix, out);\n  }}\n}};\n"
    )
}

#[test]
fn a_method_is_followed_where_its_class_was_not_understood_later() {
    let repo = TestRepo::init();
    let states = [
        (0, true, "a = 0;", "R"),
        (1, true, "a = 1;", "R"),
        (2, true, "a = 2;", "R"),
        (2, false, "a = 2;", "T"),
        (2, false, "a = 3;", "T"),
    ];
    for (at, (number, is_understood, said, of)) in states.into_iter().enumerate() {
        repo.write("a.cc", template(number, is_understood, said, of));
        repo.commit(&format!("v{at}"));
    }
    let target = "a.cc::format#function";
    let want = [
        "v4: body",
        "v3: signature",
        "v2: body",
        "v1: body",
        "v0: introduced",
    ];
    assert_eq!(versions(&repo, &[target]), want);
    // It is known to be the method that stood there, not the file.
    let first = &history(&repo, &[target])["versions"][4];
    assert_eq!(first["kind"], "method", "{first}");
}
