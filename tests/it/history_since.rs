//! `history` of what holds in a tree or not: when it began, and when it ceased.

use super::harness::TestRepo;
use super::history_of::history;
use super::mcp::{call, text, with_client};
use serde_json::{Value, json};

/// Changes as `subject: what`, and whether it holds.
fn changes(repo: &TestRepo, args: &[&str]) -> (Vec<String>, Option<bool>) {
    let answer = history(repo, args);
    let versions = answer["versions"].as_array().unwrap().iter();
    let said = versions.map(|version| {
        let subject = version["commit"]["subject"].as_str().unwrap();
        format!("{subject}: {}", version["did"][0].as_str().unwrap())
    });
    (said.collect(), answer["holds"].as_bool())
}

/// A function that calls another of another file now and then.
fn calling() -> TestRepo {
    let repo = TestRepo::init();
    let a = |inner: &str| {
        format!(
            "from b import save\n\n\ndef run(x):\n    {inner}\n    return x\n\n\ndef other(x):\n    return save(x)\n"
        )
    };
    let b = "def save(x):\n    return x\n";
    repo.write("a.py", a("x += 1")).write("b.py", b);
    repo.commit("without");
    repo.write("a.py", a("save(x)"));
    repo.commit("with");
    repo.write("a.py", a("# save(x)\n    x += 2"));
    repo.commit("a comment is no use");
    repo.write("a.py", a("if x:\n        save(x)"));
    repo.commit("again");
    repo.write("b.py", format!("import os\n\n\n{b}"));
    repo.commit("beside");
    repo.git(&["mv", "b.py", "store.py"]);
    repo.write(
        "a.py",
        a("if x:\n        save(x)").replace("from b", "from store"),
    );
    repo.commit("moved");
    repo.git(&["switch", "-q", "-c", "side"]);
    repo.write("a.py", a("x += 3").replace("from b", "from store"));
    repo.commit("side does without");
    repo.git(&["switch", "-q", "main"]);
    repo.write("c.py", "y = 1\n");
    repo.commit("main does something");
    repo.git(&["merge", "-q", "--no-edit", "side"]);
    repo
}

#[test]
fn a_use_begins_and_ceases_where_somebody_did_it() {
    let repo = calling();
    let all = [
        "side does without: ceased",
        "again: began",
        "a comment is no use: ceased",
        "with: began",
    ];
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    assert_eq!(changes(&repo, &["run -> save"]), (all.clone(), Some(false)));
    let at = changes(&repo, &["run -> save", "--at", "HEAD~1"]);
    assert_eq!(at, (all[1..].to_vec(), Some(true)));
    assert_eq!(changes(&repo, &["a.py::run#function -> store.py:4"]).0, all);
    // The file that it is in uses it all the time, its other function too.
    let file = changes(&repo, &["a.py -> save"]);
    assert_eq!(file, (vec!["without: began".to_owned()], Some(true)));
    let answer = history(&repo, &["other -> save"]);
    let seen = &answer["seen"];
    assert_eq!(
        (
            &seen["path"],
            &seen["line"],
            &seen["how"],
            &seen["certainty"]
        ),
        (
            &json!("a.py"),
            &json!(10),
            &json!("call"),
            &json!("resolved")
        )
    );
    assert_eq!(seen["to"], "store.py:4");
    let out = repo
        .sverklo(&["history", "run -> save", "-n", "1"])
        .success();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[0],
        "\"a.py::run#function -> store.py::save#function\" | 4 changes | does not hold"
    );
    assert!(
        lines[1].contains(" | ceased | ") && lines[1].ends_with("| a.py:6 call store.py:4"),
        "{out}"
    );
    assert!(
        out.contains("commits read") && out.ends_with("next: --offset 1\n"),
        "{out}"
    );
}

/// Whether `refs` of a revision has a use of `name` inside of `from`.
fn is_used(repo: &TestRepo, (from, name): (&str, &str), at: &str) -> bool {
    let out = repo.sverklo(&["refs", name, "--at", at, "--json", "--budget", "20000"]);
    assert!(matches!(out.status, Some(0 | 1)), "{out:?}");
    let answer: Value = serde_json::from_str(&out.stdout).unwrap();
    let sorts = ["files", "ambiguous"].into_iter();
    let files = sorts.flat_map(|sort| answer[sort].as_array().into_iter().flatten());
    let mut uses = files.flat_map(|file| file["uses"].as_array().into_iter().flatten());
    uses.any(|of| of["within"] == from && of["certainty"] != "text")
}

#[test]
fn each_commit_says_what_refs_says_of_a_checkout_of_it() {
    let repo = calling();
    let commits = repo.git(&["log", "--format=%H", "--first-parent"]);
    let commits: Vec<&str> = commits.lines().collect();
    let mut seen = [false, false];
    for (from, name) in [("run", "save"), ("other", "save"), ("save", "run")] {
        for at in &commits {
            let ours = history(&repo, &[&format!("{from} -> {name}"), "--at", at]);
            let theirs = is_used(&repo, (from, name), at);
            assert_eq!(ours["holds"], json!(theirs), "{from} -> {name} at {at}");
            seen[usize::from(theirs)] = true;
        }
    }
    assert_eq!(seen, [true, true]);
}

#[test]
fn paths_are_tied_by_imports() {
    let repo = TestRepo::init();
    repo.write(
        "lib/a/x.js",
        "const y = require('../b/y')\nmodule.exports = y\n",
    )
    .write("lib/b/y.js", "module.exports = 1\n")
    .write("lib/b-c/z.js", "module.exports = 1\n");
    repo.commit("tied");
    repo.git(&["mv", "lib/a/x.js", "lib/a/w.js"]);
    repo.commit("renamed");
    repo.write(
        "lib/a/w.js",
        "const y = require('../b-c/z')\nmodule.exports = y\n",
    );
    repo.commit("loose");
    repo.write("lib/a/v.js", "import('../b/y')\n");
    repo.commit("tied again");
    let all = ["tied again: began", "loose: ceased", "tied: began"];
    assert_eq!(changes(&repo, &["lib/a/ -> lib/b/"]).0, all);
    assert_eq!(changes(&repo, &["lib/a -> lib/b/y.js"]).0, all);
    assert_eq!(changes(&repo, &["lib/a/w.js -> lib/b"]).0, all[1..]);
    assert_eq!(changes(&repo, &["lib/b/ -> lib/a/"]), (vec![], Some(false)));
    // A path that is no more.
    repo.remove("lib/b-c/z.js");
    repo.write("lib/a/w.js", "module.exports = 2\n");
    repo.commit("gone");
    assert_eq!(
        changes(&repo, &["lib/a/w.js -> lib/b-c/z.js"]).0,
        ["gone: ceased", "loose: began"]
    );
}

#[test]
fn what_is_known_by_name_only_says_so() {
    let repo = TestRepo::init();
    let of = |name: &str| format!("class {name}:\n    def flush_pages(self):\n        return 1\n");
    repo.write("a.py", "def run(x):\n    x.flush_pages()\n")
        .write("b.py", of("One"));
    repo.commit("one");
    let one = history(&repo, &["run -> One.flush_pages"]);
    assert_eq!(one["seen"]["certainty"], "inferred", "{one}");
    repo.write("b.py", format!("{}\n\n{}", of("One"), of("Two")));
    repo.commit("two");
    let two = history(&repo, &["run -> One.flush_pages"]);
    assert_eq!(two["seen"]["certainty"], "ambiguous", "{two}");
    assert_eq!(two["seen"]["candidates"], 1);
    let out = repo
        .sverklo(&["history", "run -> One.flush_pages"])
        .success();
    assert!(
        out.contains("holds: a.py:2 call b.py:2 (by name only, which 1 more thing has)"),
        "{out}"
    );
}

#[test]
fn an_edge_with_an_end_that_is_not_there_says_so() {
    let repo = calling();
    let out = repo.sverklo(&["history", "run -> nowhere"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(
        out.stdout.contains("nothing is or was called nowhere"),
        "{out:?}"
    );
    let out = repo.sverklo(&["history", "run ->"]);
    assert_eq!(out.status, Some(2), "{out:?}");
    assert!(out.stderr.contains("lacks an end"), "{out:?}");
    // Uncommitted work is no commit.
    repo.write("a.py", "def run(x):\n    return x\n");
    let out = repo.sverklo(&["history", "run -> store.py"]);
    assert!(out.stdout.contains("no uncommitted work"), "{out:?}");
}

#[test]
fn uses_of_what_is_no_more_have_an_end() {
    let repo = calling();
    repo.remove("store.py");
    repo.write("a.py", "def other(x):\n    return x\n");
    repo.commit("no store");
    assert_eq!(
        changes(&repo, &["other -> save"]).0,
        ["no store: ceased", "without: began"]
    );
    let ends = changes(&repo, &["--first", "run -> save"]);
    assert_eq!(
        ends.0,
        ["side does without: ceased", "with: began"],
        "{ends:?}"
    );
}

#[test]
fn a_shallow_clone_says_where_a_use_is_lost() {
    let repo = calling();
    let shallow = repo.beside("shallow");
    let url = format!("file://{}", repo.dir().display());
    let to = shallow.to_str().unwrap();
    repo.git(&["clone", "-q", "--depth", "3", &url, to]);
    let clone = repo.at(&shallow);
    let out = clone.sverklo(&["history", "other -> save"]).success();
    assert!(out.contains("the clone is shallow"), "{out}");
    assert!(out.contains("there at the end of history"), "{out}");
}

#[test]
fn an_agent_asks_for_an_edge() {
    let repo = calling();
    with_client(&repo, async |client| {
        let asked = json!({"target": "run -> save", "limit": 1});
        let result = client.call_tool(call("history", asked)).await.unwrap();
        let said = text(&result);
        assert!(said.contains("| 4 changes | does not hold\n"), "{said}");
        client.cancel().await.unwrap();
    });
}

/// Sixty commits; in those that `ties` says a file loads another over a third.
fn long(ties: impl Fn(usize) -> bool) -> TestRepo {
    let repo = TestRepo::init();
    repo.write("lib/mid.js", "require('./end')\n")
        .write("lib/end.js", "module.exports = 1\n");
    for number in 0..60 {
        let tie = if ties(number) {
            "require('./lib/mid')\n"
        } else {
            ""
        };
        repo.write("main.js", format!("{tie}// {number}\nlet x = {number}\n"));
        repo.commit(&format!("c{number}"));
    }
    repo
}

#[test]
fn a_way_over_imports_is_found_by_halving() {
    let repo = long(|number| number >= 23);
    repo.git(&["tag", "v1", "HEAD~40"]);
    repo.git(&["tag", "v2", "HEAD~30"]);
    let args = ["--first", "main.js ->* lib/end.js"];
    let answer = history(&repo, &args);
    assert_eq!(changes(&repo, &args).0, ["c23: began"]);
    assert_eq!(answer["seen"]["via"], json!(["lib/mid.js"]));
    assert_eq!(answer["versions"][0]["detail"], "first tag v2");
    let way = answer["way"].as_str().unwrap();
    assert!(way.contains("halved"), "{way}");
    // Directly it is tied to what lies between.
    assert_eq!(changes(&repo, &["main.js -> lib/mid.js"]).0, ["c23: began"]);
    assert!(changes(&repo, &["main.js -> lib/end.js"]).0.is_empty());
    assert_eq!(
        changes(&repo, &["lib/end.js ->* main.js"]),
        (vec![], Some(false))
    );
    for (target, problem) in [("main.js ->* x", "is no file"), ("cycle:", "lacks an end")] {
        let out = repo.sverklo(&["history", target]);
        assert_eq!(out.status, Some(2), "{out:?}");
        assert!(out.stderr.contains(problem), "{out:?}");
    }
}

#[test]
fn what_was_found_of_a_way_is_told_again_until_there_is_more() {
    let repo = long(|number| number >= 23);
    let args = ["--first", "main.js ->* lib/end.js"];
    let first = history(&repo, &args);
    let kept = || {
        let users = std::fs::read_dir(repo.dir().join(".git/sverklo")).unwrap();
        let folders = users.map(|user| user.unwrap().path().join("ways"));
        let files = folders.filter_map(|folder| std::fs::read_dir(folder).ok());
        let files = files.flatten().map(|file| file.unwrap().path());
        files.collect::<Vec<_>>()
    };
    let [file] = &kept()[..] else {
        panic!("one answer is kept");
    };
    assert_eq!(history(&repo, &args), first);
    // Of tags is told what they are now.
    assert_eq!(first["versions"][0]["detail"], "in no tag");
    repo.git(&["tag", "v2", "HEAD~30"]);
    assert_eq!(
        history(&repo, &args)["versions"][0]["detail"],
        "first tag v2"
    );
    repo.git(&["tag", "-d", "v2"]);
    assert_eq!(history(&repo, &args), first);
    // What nobody of ours has written is not told.
    let mut bytes = std::fs::read(file).unwrap();
    bytes[3] ^= 1;
    std::fs::write(file, bytes).unwrap();
    assert_eq!(history(&repo, &args)["versions"], first["versions"]);
    assert_eq!(kept().len(), 1);
    // The other way round it is another question, and so it is after a commit.
    assert_eq!(
        changes(&repo, &["--first", "lib/end.js ->* main.js"]),
        (vec![], Some(false))
    );
    repo.write("main.js", "let x = 1\n");
    repo.commit("untied");
    assert_eq!(changes(&repo, &args).0, ["untied: ceased", "c23: began"]);
    let blob = repo.git(&["rev-parse", "HEAD:lib/end.js"]);
    let out = repo.sverklo(&["forget", blob.trim()]);
    assert_eq!(out.status, Some(0), "{out:?}");
    assert!(kept().is_empty());
}

#[test]
fn a_way_that_was_another_one_held_all_the_time() {
    let repo = TestRepo::init();
    repo.write("lib/mid.js", "require('./end')\n")
        .write("lib/old.js", "require('./end')\n")
        .write("lib/end.js", "module.exports = 1\n");
    for number in 0..60 {
        let by = if number < 30 { "old" } else { "mid" };
        let text = format!("{}require('./lib/{by}')\n", "\n".repeat(number % 3));
        repo.write("main.js", text);
        repo.commit(&format!("c{number}"));
    }
    let args = ["main.js ->* lib/end.js"];
    assert_eq!(changes(&repo, &args).0, ["c0: began"]);
    let answer = history(&repo, &args);
    let (now, then) = (&answer["seen"], &answer["versions"][0]);
    assert_eq!(
        (&now["line"], &now["via"]),
        (&json!(3), &json!(["lib/mid.js"]))
    );
    assert_eq!(
        (&then["line"], &then["via"]),
        (&json!(1), &json!(["lib/old.js"]))
    );
    let way = answer["way"].as_str().unwrap();
    assert!(way.starts_with("17 of 60 commits read, halved"), "{way}");
}

#[test]
fn what_came_and_went_is_scanned() {
    let ties = |number: usize| (10..20).contains(&number) || (30..41).contains(&number);
    let repo = long(ties);
    let answer = history(&repo, &["main.js ->* lib/end.js"]);
    assert_eq!(
        changes(&repo, &["main.js ->* lib/end.js"]),
        (
            ["c41: ceased", "c30: began", "c20: ceased", "c10: began"]
                .map(str::to_owned)
                .to_vec(),
            Some(false)
        )
    );
    let way = answer["way"].as_str().unwrap();
    assert!(way.contains("scanned"), "{way}");
    assert_eq!(answer["versions"][2]["line"], 1, "{answer}");
    let ends = changes(&repo, &["--first", "main.js ->* lib/end.js"]).0;
    assert_eq!(ends, ["c41: ceased", "c10: began"]);
    let out = repo
        .sverklo(&["history", "--first", "main.js ->* lib/end.js"])
        .success();
    assert!(out.contains("| in no tag\n"), "{out}");
}

#[test]
fn the_commit_that_brought_a_cycle_is_found_on_its_side() {
    let repo = TestRepo::init();
    repo.write("a.py", "import b\n").write("b.py", "x = 1\n");
    repo.commit("one way");
    repo.git(&["switch", "-q", "-c", "side"]);
    repo.write("b.py", "x = 2\n");
    repo.commit("beside");
    repo.write("b.py", "import a\nx = 2\n");
    repo.commit("round");
    repo.write("b.py", "import a\nx = 3\n");
    repo.commit("more");
    repo.git(&["switch", "-q", "main"]);
    repo.write("c.py", "import a\n");
    repo.commit("main");
    repo.git(&["merge", "-q", "--no-edit", "side"]);
    repo.git(&["tag", "v1"]);
    assert_eq!(
        changes(&repo, &["cycle:b.py"]),
        (vec!["round: began".to_owned()], Some(true))
    );
    assert_eq!(changes(&repo, &["cycle:c.py"]), (vec![], Some(false)));
    let out = repo
        .sverklo(&["history", "--first", "cycle:a.py"])
        .success();
    assert!(out.contains("| first tag v1\n"), "{out}");
    // Ends of a definition.
    let answer = history(&repo, &["--first", "x"]);
    assert_eq!(answer["total"], 1);
    assert_eq!(answer["versions"][0]["did"], json!(["introduced"]));
}

#[test]
fn what_never_held_says_where_nobody_looked() {
    let repo = TestRepo::init();
    repo.write("a.py", "def one():\n    return 1\n")
        .write("b.py", "def two():\n    return 2\n");
    repo.commit("one");
    let out = repo.sverklo(&["history", "one -> two"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(
        out.stdout.contains("| 0 changes | does not hold\n"),
        "{out:?}"
    );
    assert!(out.stdout.contains("only the files of both"), "{out:?}");
}
