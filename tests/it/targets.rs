//! Targets of `symbol` and `refs` in all the forms that people and answers write them in: a table written
//! by hand over a small repository of six languages (`tests/targets`), asked in one session of a server.

use super::harness::TestRepo;
use super::mcp::{Client, call, text, with_client};
use serde_json::json;
use std::path::Path;

/// The table; it says itself how it is read.
const TABLE: &str = include_str!("targets.txt");

/// One row: the tool, the target, and the beginnings of what it answers.
type Row<'t> = (&'t str, String, Vec<&'t str>);

fn rows(table: &str) -> impl Iterator<Item = Row<'_>> {
    let rows = table
        .lines()
        .filter(|row| !row.is_empty() && !row.starts_with('#'));
    rows.map(|row| {
        let (asked, expected) = row.split_once(" =>").unwrap();
        let (tool, target) = asked.split_once(' ').unwrap();
        let target = target
            .replace("\\n", "\n")
            .replace("\\t", "\t")
            .replace('␠', " ");
        let expected = expected.split(" | ").map(str::trim_start);
        (
            tool,
            target,
            expected.filter(|begin| !begin.is_empty()).collect(),
        )
    })
}

/// The fixture, with an earlier commit in which the router is smaller.
fn repository() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "js/router.js",
        "class Router {\n  handle(path) {\n    return path;\n  }\n}\n\nmodule.exports = Router;\n",
    );
    repo.commit("earlier");
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/targets");
    copy(&repo, &top, &top);
    repo.commit("fixture");
    repo
}

fn copy(repo: &TestRepo, top: &Path, folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => copy(repo, top, &path),
            false => {
                repo.write(
                    path.strip_prefix(top).unwrap(),
                    std::fs::read(&path).unwrap(),
                );
            }
        }
    }
}

async fn ask(client: &Client, tool: &'static str, target: &str) -> String {
    let name = if tool == "symbol" { "name" } else { "target" };
    let arguments = json!({name: target, "budget": 100_000});
    let result = client.call_tool(call(tool, arguments)).await.unwrap();
    text(&result).to_owned()
}

/// The lines that say what a target was taken for.
fn heads<'a>(tool: &str, answer: &'a str) -> Vec<&'a str> {
    let lines: Vec<&str> = answer.lines().collect();
    let body = &lines[..lines.len() - 1];
    let mut heads: Vec<&str> = match tool {
        "symbol" => body
            .iter()
            .copied()
            .filter(|line| !line.starts_with([' ', '\t']))
            .collect(),
        _ => body.iter().copied().take(1).collect(),
    };
    if tool == "refs" {
        heads.extend(body.iter().filter(|line| line.starts_with("def ")));
    }
    heads
}

#[test]
fn targets_mean_what_they_say() {
    let repo = repository();
    with_client(&repo, |client| async move {
        let (mut asked, mut wrong) = (0, Vec::new());
        for (tool, target, expected) in rows(TABLE) {
            let answer = ask(
                &client,
                if tool == "refs" { "refs" } else { "symbol" },
                &target,
            )
            .await;
            let heads = heads(tool, &answer);
            let begins = |(head, begin): (&&str, &&str)| head.starts_with(begin);
            asked += 1;
            if heads.len() != expected.len() || !heads.iter().zip(&expected).all(begins) {
                wrong.push(format!(
                    "{tool} {target:?}: expected {expected:#?}\n{answer}"
                ));
            }
        }
        println!("{asked} targets, {} wrong", wrong.len());
        assert!(asked >= 120 && wrong.is_empty(), "{}", wrong.join("\n"));
        client.cancel().await.unwrap();
    });
}

#[test]
fn what_else_a_target_names_is_told_with_its_call() {
    let repo = repository();
    let footer = |args: &[&str]| {
        let answer = repo.sverklo(args).success();
        answer.lines().last().unwrap_or_default().to_owned()
    };
    let both = footer(&["symbol", "res.json"]);
    assert!(
        both.ends_with("also a path: git sverklo symbol data/res.json"),
        "{both}"
    );
    let both = footer(&["refs", "res.json"]);
    assert!(
        both.ends_with("also a path: git sverklo refs data/res.json"),
        "{both}"
    );
    repo.write("Context.HTML", "<p>\n");
    let both = footer(&["symbol", "Context.HTML"]);
    let call = "also a name: git sverklo symbol 'web/context.go::Context.HTML#method'";
    assert!(both.ends_with(call), "{both}");
    let receiver = footer(&["symbol", "c.JSON"]);
    assert!(receiver.ends_with("| c is Context (5 uses)"), "{receiver}");
}

#[test]
fn a_revision_of_a_target_agrees_with_that_of_the_question() {
    let repo = repository();
    let refused = repo.sverklo(&["symbol", "js/router.js:3@HEAD~1", "--at", "HEAD"]);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(
        refused
            .stderr
            .contains("is of HEAD~1, and HEAD was asked for"),
        "{}",
        refused.stderr
    );
    let same = repo.sverklo(&["symbol", "js/router.js:3@HEAD~1", "--at", "main~1"]);
    assert!(
        same.success()
            .starts_with("js/router.js:2-4 method Router.handle")
    );
    let unknown = repo.sverklo(&["symbol", "js/router.js:3@nowhere"]);
    assert_eq!(unknown.status, Some(2), "{unknown:?}");
    assert!(unknown.stderr.contains("nowhere"), "{}", unknown.stderr);
}

#[test]
fn relative_paths_begin_where_one_stands() {
    let repo = repository();
    let inside = repo.at("js");
    for (target, expected) in [
        ("./router.js", "js/router.js javascript"),
        ("./router.js:7", "js/router.js:6-8 method"),
        ("../web/context.go", "web/context.go go"),
        ("../web/", "web/ 2 files"),
        (".", "js/ 5 files"),
        ("./", "js/ 5 files"),
        ("..", "./ "),
        ("js/router.js", "js/router.js javascript"),
    ] {
        let answer = inside.sverklo(&["symbol", target]).success();
        assert!(answer.starts_with(expected), "{target}: {answer}");
    }
    let refs = inside.sverklo(&["refs", "./router.js"]).success();
    assert!(refs.starts_with("js/router.js depends on"), "{refs}");
}

/// Every place that an answer prints: `path:start-end` at the beginning of a line or after `def `.
fn places(answer: &str) -> Vec<String> {
    let words = answer.lines().flat_map(|line| line.split(' '));
    let is_place = |word: &&str| {
        let lines = word
            .rsplit_once(':')
            .and_then(|(_, lines)| lines.split_once('-'));
        lines.is_some_and(|(a, b)| a.parse::<u32>().is_ok() && b.parse::<u32>().is_ok())
    };
    let mut found: Vec<String> = words.filter(is_place).map(str::to_owned).collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn every_place_that_is_printed_can_be_given_back() {
    let repo = repository();
    with_client(&repo, |client| async move {
        let mut printed = Vec::new();
        for (tool, given) in [
            (
                "search",
                json!({"query": "handle the path of a request", "limit": 50, "budget": 20000}),
            ),
            (
                "search",
                json!({"query": "store get key", "limit": 50, "budget": 20000}),
            ),
            ("symbol", json!({"name": "Store", "budget": 20000})),
            ("symbol", json!({"name": "handle", "budget": 20000})),
            (
                "symbol",
                json!({"name": "Depot", "detail": "body", "budget": 20000}),
            ),
            ("refs", json!({"target": "get", "budget": 20000})),
            (
                "refs",
                json!({"target": "Render", "depth": 3, "budget": 20000}),
            ),
            ("map", json!({"budget": 20000})),
            (
                "map",
                json!({"task": "change how the store gets keys", "budget": 20000}),
            ),
            ("audit", json!({"view": "unused", "budget": 20000})),
        ] {
            let result = client.call_tool(call(tool, given)).await.unwrap();
            printed.extend(places(text(&result)));
        }
        printed.sort();
        printed.dedup();
        assert!(printed.len() > 20, "{printed:?}");
        for place in printed {
            let (path, lines) = place.rsplit_once(':').unwrap();
            let (first, last) = lines.split_once('-').unwrap();
            let (first, last): (u32, u32) = (first.parse().unwrap(), last.parse().unwrap());
            for target in [place.clone(), format!("{place}@HEAD"), format!("./{place}")] {
                let answer = ask(&client, "symbol", &target).await;
                let back = places(&answer);
                let meets = |back: &String| {
                    let (of, lines) = back.rsplit_once(':').unwrap();
                    let (a, b) = lines.split_once('-').unwrap();
                    let (a, b): (u32, u32) = (a.parse().unwrap(), b.parse().unwrap());
                    of == path && a <= last && first <= b
                };
                assert!(
                    !back.is_empty() && back.iter().all(meets),
                    "{target}: {answer}"
                );
            }
        }
        client.cancel().await.unwrap();
    });
}

#[test]
fn several_targets_have_their_parts_of_one_answer() {
    let repo = repository();
    let answer = repo
        .sverklo(&["symbol", "Router.handle", "res.json", "nowhere", "js/"])
        .success();
    let heads: Vec<&str> = answer
        .lines()
        .filter(|line| line.starts_with("== "))
        .collect();
    assert_eq!(
        heads,
        [
            "== Router.handle",
            "== res.json | also a path: git sverklo symbol data/res.json",
            "== nowhere | shown 0 of 0",
            "== js/",
        ]
    );
    assert_eq!(
        answer
            .lines()
            .filter(|line| line.starts_with("index "))
            .count(),
        1
    );
    assert!(
        answer.lines().last().unwrap().contains("| shown 7 of 7"),
        "{answer}"
    );
    for place in [
        "js/router.js:6-8 method",
        "js/response.js:8-10 method",
        "js/ 5 files",
    ] {
        assert!(
            answer.lines().any(|line| line.starts_with(place)),
            "{place}: {answer}"
        );
    }
    let json = repo
        .sverklo(&["refs", "Router.handle", "web.New", "--json"])
        .success();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["targets"], json!(["Router.handle", "web.New"]));
    assert_eq!(json["answers"].as_array().map(Vec::len), Some(2));
    let none = repo.sverklo(&["symbol", "nowhere", "nothing"]);
    assert_eq!(none.status, Some(1), "{none:?}");
    let many = repo.sverklo(&[&["refs"], &["get"; 21][..]].concat());
    assert_eq!(many.status, Some(2), "{many:?}");
    assert!(
        many.stderr.contains("21 of targets were given"),
        "{}",
        many.stderr
    );
}

#[test]
fn several_targets_share_a_budget() {
    let repo = repository();
    let targets = [
        "get",
        "Store",
        "js/",
        "web/context.go",
        "Router",
        "Depot",
        "app.get",
        "handle",
    ];
    with_client(&repo, |client| async move {
        for budget in [100, 150, 300, 600, 2000] {
            for (tool, name) in [("symbol", "name"), ("refs", "target")] {
                let given = json!({name: targets, "budget": budget});
                let result = client.call_tool(call(tool, given)).await.unwrap();
                let answer = text(&result);
                let tokens = git_sverklo::render::tokens::estimate(answer);
                assert!(tokens <= budget, "{tool}: {tokens} of {budget}: {answer}");
                let parts = answer
                    .lines()
                    .filter(|line| line.starts_with("== "))
                    .count();
                assert!(
                    parts >= 1 && (budget < 300 || parts == targets.len()),
                    "{answer}"
                );
            }
        }
        let result = client
            .call_tool(call("symbol", json!({"name": vec!["x"; 21]})))
            .await
            .unwrap();
        assert_eq!(
            text(&result),
            "`name` has 21 entries, where 20 is the limit"
        );
        client.cancel().await.unwrap();
    });
}

#[test]
fn a_mark_at_the_end_is_part_of_a_name_of_ruby_and_marks_a_macro_of_rust() {
    let repo = TestRepo::init();
    repo.write(
        "link.rb",
        "class Link\n  def make!\n    1\n  end\n  def make\n    2\n  end\nend\n",
    )
    .write("a.rs", "macro_rules! given {\n    () => {};\n}\n");
    repo.commit("one");
    let symbol = |name: &str| repo.sverklo(&["symbol", name]).success();
    assert!(symbol("Link.make!").starts_with("link.rb:2-4 method Link.make!"));
    assert!(symbol("Link.make").starts_with("link.rb:5-7 method Link.make "));
    assert!(symbol("given!").starts_with("a.rs:1-3 macro given"));
}
