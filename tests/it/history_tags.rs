//! `history --tags`: which releases hold a body, and which a fix is missing from.

use super::harness::TestRepo;
use super::mcp::{call, text, with_client};
use serde_json::{Value, json};

/// A function of some lines; `check` is one of them.
fn read(name: &str, check: &str) -> String {
    format!(
        "def {name}(stream, limit):\n    parts = []\n    for part in stream.parts():\n        head = part.head()\n{check}        parts.append(head.decode(\"utf-8\"))\n    return join(parts, limit)\n"
    )
}

const CHECK: &str =
    "        if len(head) > limit:\n            raise TooLong(part.name, len(head), limit)\n";

/// The whole answer as JSON.
fn tags(repo: &TestRepo, args: &[&str]) -> Value {
    let out = repo.sverklo(&[&["history", "--json", "--budget", "20000"], args].concat());
    assert!(matches!(out.status, Some(0 | 1)), "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

fn words(of: &Value) -> String {
    let all = of.as_array().into_iter().flatten();
    let all: Vec<&str> = all.map(|one| one.as_str().unwrap()).collect();
    all.join(" ")
}

/// Ranges as `standing: tags / branches`.
fn ranges(answer: &Value) -> Vec<String> {
    let all = answer["ranges"].as_array().unwrap().iter();
    let said = all.map(|range| {
        let branches = words(&range["branches"]);
        let branches = if branches.is_empty() {
            String::new()
        } else {
            format!(" / {branches}")
        };
        let standing = range["standing"].as_str().unwrap();
        format!("{standing}: {}{branches}", words(&range["tags"]))
    });
    said.collect()
}

/// A hole that is there from 0.2 on, closed on the main branch in 2.0 and otherwise in 1.0.1, in a file that had
/// another name.
fn leaky() -> TestRepo {
    let repo = TestRepo::init();
    let rest = "def other():\n    return 1\n";
    repo.write("wire.py", rest);
    repo.commit("begin");
    repo.git(&["tag", "v0.1"]);
    repo.write("wire.py", format!("{rest}\n\n{}", read("take", "")));
    repo.commit("take");
    repo.git(&["tag", "-a", "-m", "second", "v0.2"]);
    repo.write(
        "wire.py",
        format!("import os\n{rest}\n\n{}", read("take", "")),
    );
    repo.commit("beside");
    repo.git(&["tag", "v0.10"]);
    repo.git(&["mv", "wire.py", "reader.py"]);
    repo.commit("moved");
    repo.git(&["tag", "v1.0"]);
    repo.git(&["branch", "1.x"]);
    let text = format!("import os\n{rest}\n\n{}", read("read_parts", ""));
    repo.write("reader.py", &text);
    repo.commit("renamed");
    repo.git(&["tag", "v2.0-rc.1"]);
    repo.write(
        "reader.py",
        text.replace(&read("read_parts", ""), &read("read_parts", CHECK)),
    );
    repo.commit("fix");
    repo.git(&["tag", "v2.0"]);
    repo.git(&["switch", "-q", "1.x"]);
    // The same check, in code that is a little different.
    let backport = read("take", CHECK).replace("parts = []", "parts = list()  # of text");
    repo.write("reader.py", format!("import os\n{rest}\n\n{backport}"));
    repo.commit("fix for 1.x");
    repo.git(&["tag", "v1.0.1"]);
    repo.git(&["switch", "-q", "main"]);
    repo
}

#[test]
fn what_a_fix_is_missing_from_is_told_by_content() {
    let repo = leaky();
    let answer = tags(&repo, &["fix:v2.0"]);
    assert_eq!(
        ranges(&answer),
        [
            "fixed: v2.0 / main",
            "affected: v2.0-rc.1",
            "fixed: v1.0.1 / 1.x",
            "affected: v0.2 v0.10 v1.0",
            "not there: v0.1",
        ]
    );
    // git knows of the one commit only.
    assert_eq!(repo.git(&["tag", "--contains", "v2.0"]), "v2.0");
    let found = answer["ranges"].as_array().unwrap();
    assert_eq!(
        (&found[0]["holds"], &found[2]["holds"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(found[2]["since"]["subject"], "fix for 1.x");
    assert_eq!(found[2]["at"]["name"], "take");
    assert_eq!(found[3]["at"]["path"], "reader.py");
    assert_eq!(answer["fix"]["subject"], "fix");
    assert_eq!(answer["judged"][0]["name"], "read_parts");
    let out = repo.sverklo(&["history", "--tags", "fix:v2.0"]);
    let lines: Vec<&str> = out.stdout.lines().collect();
    assert!(
        lines[0].contains("affected in 4 tags")
            && lines[0].contains("fixed in 2 tags and 2 branches")
    );
    assert!(
        out.stdout.contains("fixed | v1.0.1, branch 1.x"),
        "{}",
        out.stdout
    );
    assert!(
        out.stdout.contains("by another commit | since"),
        "{}",
        out.stdout
    );
    // Several commits at once.
    let both = tags(&repo, &["fix:v1.0..v2.0"]);
    assert!(ranges(&both).contains(&"affected: v0.2 v0.10 v1.0".to_owned()));
    assert_eq!(both["from"].as_str().map(str::len), Some(10));
}

#[test]
fn a_fix_that_was_taken_back_is_missing() {
    let repo = leaky();
    repo.git(&["revert", "--no-edit", "v2.0"]);
    repo.git(&["tag", "v2.1"]);
    let answer = tags(&repo, &["fix:v2.0"]);
    assert_eq!(
        ranges(&answer)[..2],
        ["affected: v2.1 / main", "fixed: v2.0"]
    );
    assert_eq!(answer["ranges"][0]["holds"], true);
    assert_eq!(repo.git(&["tag", "--contains", "v2.0"]), "v2.0\nv2.1");
    let out = repo.sverklo(&["history", "fix:v2.0"]);
    assert!(
        out.stdout.contains("although it holds the commit"),
        "{}",
        out.stdout
    );
}

#[test]
fn a_body_is_found_wherever_it_stood() {
    let repo = leaky();
    for target in [
        "take@v1.0",
        "reader.py:7-9@v1.0",
        "reader.py::take#function@v1.0",
    ] {
        let answer = tags(&repo, &["--tags", target]);
        assert_eq!(answer["subject"], "reader.py::take#function", "{target}");
        let found = ranges(&answer);
        assert!(
            found.contains(&"same: v0.2 v0.10 v1.0".to_owned()),
            "{target}: {found:?}"
        );
        assert_eq!(found.last().unwrap(), "not there: v0.1", "{target}");
    }
    // Under its other name it is the same.
    let answer = tags(&repo, &["--tags", "read_parts@v2.0-rc.1"]);
    let found = ranges(&answer);
    assert!(found.contains(&"same: v2.0-rc.1".to_owned()), "{found:?}");
    assert!(
        found.contains(&"same: v0.2 v0.10 v1.0".to_owned()),
        "{found:?}"
    );
    let since = |standing: &str| {
        let all = answer["ranges"].as_array().unwrap().iter();
        let of = all.filter(|range| range["standing"] == standing);
        let said = of.map(|range| range["since"]["subject"].as_str().unwrap_or("-").to_owned());
        said.collect::<Vec<_>>()
    };
    assert_eq!(since("same"), ["take", "take"]);
    let others = answer["ranges"].as_array().unwrap();
    let fixed = others
        .iter()
        .find(|range| words(&range["tags"]) == "v2.0")
        .unwrap();
    assert_eq!(fixed["since"]["subject"], "fix");
    assert!(fixed["most_alike"].as_f64().unwrap() < 1.0);
}

#[test]
fn files_without_definitions_are_compared_as_wholes() {
    let repo = TestRepo::init();
    for (tag, image) in [
        ("v1", "debian:10"),
        ("v2", "debian:10"),
        ("v3", "debian:12"),
    ] {
        let text = format!(
            "FROM {image}\nRUN apt-get update\nCOPY . /srv\nCMD [\"/srv/run\", \"--{tag}\"]\n"
        );
        repo.write("deploy.txt", text);
        repo.commit(tag);
        repo.git(&["tag", tag]);
    }
    let answer = tags(&repo, &["--tags", "deploy.txt@v1"]);
    assert_eq!(ranges(&answer).last().unwrap(), "same: v1");
    let answer = tags(&repo, &["fix:v3"]);
    assert_eq!(ranges(&answer), ["fixed: v3 / main", "affected: v1 v2"]);
    assert!(words(&answer["remarks"]).contains("no definition changed"));
}

#[test]
fn odd_refs_and_odd_questions_are_answered() {
    let repo = leaky();
    repo.git(&["tag", "of-a-tree", "HEAD^{tree}"]);
    repo.git(&["tag", "of-a-blob", "HEAD:reader.py"]);
    repo.git(&["tag", "-a", "-m", "outer", "v2.0.1", "v0.2"]);
    let answer = tags(&repo, &["fix:v2.0"]);
    assert_eq!(
        ranges(&answer)[..2],
        ["affected: v2.0.1", "fixed: v2.0 / main"]
    );
    assert!(words(&answer["remarks"]).contains("2 refs lead to no commit"));
    for (args, code, said) in [
        (
            &["--tags", "nothing_like_this"] as &[&str],
            1,
            "nothing found of nothing_like_this",
        ),
        (&["--tags", "fix:nothing"], 2, "unknown revision"),
        (&["--tags", "fix:"], 2, "the target is empty"),
        (&["--tags", "fix:v0.1"], 2, "has nothing before it"),
        (&["--tags", "--first", "take"], 2, "cannot be used with"),
        (&["--tags", "-F", "take"], 2, "cannot be used with"),
    ] {
        let out = repo.sverklo(&[&["history"], args].concat());
        assert_eq!(out.status, Some(code), "{args:?}: {out:?}");
        let all = format!("{}{}", out.stdout, out.stderr);
        assert!(all.contains(said), "{args:?}: {all}");
    }
    let none = TestRepo::init();
    none.write("a.py", read("take", ""));
    none.commit("one");
    none.git(&["checkout", "-q", "--detach"]);
    none.git(&["branch", "-q", "-D", "main"]);
    let out = none.sverklo(&["history", "--tags", "take"]);
    assert!(
        out.stdout
            .contains("there are no tags and no branches here"),
        "{out:?}"
    );
}

#[test]
fn pages_are_parts_of_the_whole() {
    let repo = leaky();
    let whole = ranges(&tags(&repo, &["fix:v2.0"]));
    for at in 0..whole.len() {
        let offset = at.to_string();
        let page = tags(&repo, &["fix:v2.0", "-n", "1", "--offset", &offset]);
        assert_eq!(ranges(&page), whole[at..=at]);
        assert_eq!(
            (&page["shown"], &page["total"]),
            (&json!(1), &json!(whole.len()))
        );
    }
    // A fresh clone says the same, whatever the index has.
    repo.sverklo(&["index", "--all"]).success();
    assert_eq!(ranges(&tags(&repo, &["fix:v2.0"])), whole);
}

#[test]
fn who_gets_to_it_is_told() {
    let repo = TestRepo::init();
    let own = |name: &str| read(name, "");
    repo.write(
        "pyproject.toml",
        "[project]\nname = \"wire\"\nversion = \"1\"\n",
    );
    repo.write(
        "wire.py",
        format!(
            "def serve(stream):\n    return _inner(stream, 3)\n\n\n{}\n\n{}\n\n{}",
            own("_inner"),
            own("_lonely").replace("parts", "pieces"),
            own("public").replace("head", "first"),
        ),
    );
    repo.commit("one");
    repo.git(&["tag", "v1.0"]);
    for (name, reached, how) in [
        ("public", "yes", "a public name"),
        ("_inner", "yes", "through serve"),
        ("_lonely", "no", "nothing uses it"),
    ] {
        let answer = tags(&repo, &["--tags", name]);
        let reach = &answer["ranges"][0]["reach"][0];
        assert_eq!(
            (&reach["name"], &reach["reached"]),
            (&json!("v1.0"), &json!(reached)),
            "{name}"
        );
        assert_eq!(reach["how"], how, "{name}");
    }
}

#[test]
fn agents_ask_the_same() {
    let repo = leaky();
    with_client(&repo, async |client| {
        for arguments in [
            json!({"target": "fix:v2.0"}),
            json!({"target": "fix:v2.0", "tags": true}),
        ] {
            let result = client.call_tool(call("history", arguments)).await.unwrap();
            let said = text(&result);
            assert!(said.contains("affected | v0.2..v1.0 (3 tags)"), "{said}");
        }
        let arguments = json!({"target": "take@v1.0", "tags": true, "limit": 1});
        let result = client.call_tool(call("history", arguments)).await.unwrap();
        assert!(
            text(&result).contains("next: offset=1"),
            "{}",
            text(&result)
        );
        client.cancel().await.unwrap();
    });
}
