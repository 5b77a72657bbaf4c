//! Answers in pages: the pages together are the whole, each once, and each but the last says where to go
//! on.

use super::harness::TestRepo;
use super::mcp::{call, text, with_client};
use serde_json::{Value, json};

fn project() -> TestRepo {
    let repo = TestRepo::init();
    for file in 0..7 {
        let mut source =
            format!("class Store{file}:\n    def get(self, key):\n        return key\n\n\n");
        for at in 0..3 {
            source += &format!(
                "def load_{file}_{at}(store):\n    key = store.get({at})\n    return Store{file}().get(key)\n\n\n"
            );
        }
        repo.write(format!("shop/part{file}.py"), source);
    }
    repo.write("main.py", "import shop.part0\nimport shop.part1\n");
    repo.commit("parts");
    repo
}

/// The items of an answer, by what tells them apart.
fn items(answer: &Value) -> Vec<String> {
    let list = |of: &Value, key: &str| of[key].as_array().cloned().unwrap_or_default();
    let mut found: Vec<String> = Vec::new();
    for key in [
        "hits",
        "cards",
        "outlines",
        "findings",
        "reached",
        "memories",
        "importers",
    ] {
        let place = |of: &Value| {
            let id = if key == "memories" {
                &of["id"]
            } else {
                &of["start"]
            };
            format!(
                "{key} {} {} {} {}",
                of["path"], id, of["name"], of["symbol"]["name"]
            )
        };
        found.extend(list(answer, key).iter().map(place));
    }
    for key in ["files", "ambiguous"] {
        for file in list(answer, key) {
            let uses = list(&file, "uses");
            found.extend(
                uses.iter()
                    .map(|one| format!("{} {}", file["path"], one["line"])),
            );
        }
    }
    found
}

#[track_caller]
fn ask(repo: &TestRepo, args: &[&str]) -> Value {
    let out = repo.sverklo(args);
    serde_json::from_str(&out.stdout).unwrap_or_else(|err| panic!("{args:?}: {err}: {out:?}"))
}

/// Goes through the pages as the answers say.
#[track_caller]
fn pages(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let (mut all, mut offset) = (Vec::new(), "0".to_owned());
    for _ in 0..100 {
        let page = ask(repo, &[args, &["--json", "--offset", &offset]].concat());
        all.extend(items(&page));
        let Some((_, next)) = page["next"]
            .as_str()
            .and_then(|next| next.rsplit_once("--offset "))
        else {
            return all;
        };
        next.clone_into(&mut offset);
    }
    panic!("{args:?} never ends");
}

#[test]
fn pages_together_are_the_whole() {
    let repo = project();
    for question in [
        &["symbol", "get"][..],
        &["symbol", "shop/"],
        &["refs", "get"],
        &["refs", "Store1", "--in", "--depth", "2"],
        &["search", "-F", "store.get"],
        &["search", "load the key of a store"],
        &["audit", "unused"],
    ] {
        let whole = ask(
            &repo,
            &[question, &["--json", "-n", "1000", "--budget", "100000"]].concat(),
        );
        let mut whole = items(&whole);
        assert!(whole.len() > 2, "{question:?}: {whole:?}");
        for rest in [
            &["-n", "2", "--budget", "100000"][..],
            &["-n", "50", "--budget", "250"],
        ] {
            let mut paged = pages(&repo, &[question, rest].concat());
            // A ranked answer is as good as it is long: what it ends with does not matter here.
            paged.sort();
            whole.sort();
            assert_eq!(paged, whole, "{question:?} {rest:?}");
        }
    }
}

#[test]
fn a_footer_says_which_items_are_shown_and_where_to_go_on() {
    let repo = project();
    let last = |args: &[&str]| {
        let said = repo.sverklo(args).stdout;
        let line = said.lines().last().unwrap_or_default();
        line.split_once(" | ")
            .map(|(_, said)| said.to_owned())
            .unwrap_or_default()
    };
    assert_eq!(
        last(&["symbol", "get", "-n", "3"]),
        "shown 3 of 7 | next: --offset 3"
    );
    assert_eq!(
        last(&["symbol", "get", "-n", "3", "--offset", "3"]),
        "shown 4-6 of 7 | next: --offset 6"
    );
    assert_eq!(
        last(&["symbol", "get", "-n", "3", "--offset", "6"]),
        "shown 7-7 of 7"
    );
    assert_eq!(
        last(&["symbol", "get", "--offset", "9"]),
        "shown 0 of 7 after 9"
    );
}

#[test]
fn memories_come_in_pages_too() {
    let repo = project();
    for n in 0..5 {
        repo.sverklo(&["remember", "--kind", "fact", &format!("thing number {n}")])
            .success();
    }
    let mut seen = Vec::new();
    for offset in ["0", "2", "4"] {
        let page = ask(&repo, &["recall", "--json", "-n", "2", "--offset", offset]);
        seen.extend(items(&page));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 5, "{seen:?}");
    let said = repo
        .sverklo(&["recall", "-n", "2", "--offset", "2"])
        .success();
    assert!(
        said.ends_with("3-4 of 5 shown; 1 more: --offset 4]\n"),
        "{said}"
    );
}

/// Classes with methods in one file, more than an answer has room for.
fn long() -> (TestRepo, usize) {
    const CLASSES: usize = 400;
    const METHODS: usize = 25;
    let repo = TestRepo::init();
    let mut source = String::from("import os\n\n\n");
    for class in 0..CLASSES {
        source += &format!("class Store{class}:\n");
        for at in 0..METHODS {
            source += &format!("    def load_{at}(self, key, fallback={at}): return key\n");
        }
        source += "\n\n";
    }
    repo.write("long.py", source);
    repo.commit("long");
    (repo, CLASSES * (METHODS + 1))
}

/// The members of the outlines of an answer.
fn members(answer: &Value) -> Vec<Value> {
    let outlines = answer["outlines"].as_array().into_iter().flatten();
    let members = outlines.flat_map(|outline| outline["members"].as_array());
    members.flatten().cloned().collect()
}

#[test]
fn the_outline_of_a_file_that_no_budget_holds_is_read_in_pages() {
    let (repo, count) = long();
    // Two lines of it differ in where they are, and each says its signature.
    let mut by_budget = Vec::new();
    for budget in ["100000", "30000"] {
        let (mut all, mut offset) = (Vec::new(), "0".to_owned());
        loop {
            let args = [
                "symbol", "long.py", "--json", "--budget", budget, "--offset", &offset,
            ];
            let page = ask(&repo, &args);
            assert_eq!(page["total"], count);
            assert!(!members(&page).is_empty(), "{page}");
            all.extend(members(&page));
            let Some(next) = page["next"].as_str() else {
                break;
            };
            let (_, next) = next.rsplit_once("--offset ").expect(next);
            next.clone_into(&mut offset);
        }
        assert_eq!(all.len(), count);
        assert!(all.iter().all(|one| one["signature"].is_string()));
        by_budget.push(all);
    }
    assert_eq!(by_budget[0], by_budget[1]);
    let said = repo
        .sverklo(&["symbol", "long.py", "--offset", "10399"])
        .success();
    assert!(said.contains("load_24(self, key, fallback=24)"), "{said}");
    assert!(said.ends_with("| shown 10400-10400 of 10400\n"), "{said}");
    // Also by a client of a server.
    with_client(&repo, async |client| {
        let mut seen = 0;
        for _ in 0..100 {
            let page = call(
                "symbol",
                json!({"name": "long.py", "offset": seen, "budget": 50_000}),
            );
            let page = client.call_tool(page).await.unwrap();
            let said = text(&page).to_owned();
            seen += said.lines().filter(|line| line.starts_with("  ")).count();
            seen -= usize::from(said.contains("\n  imports os\n"));
            let Some((_, next)) = said.trim_end().rsplit_once("next: offset=") else {
                break;
            };
            assert_eq!(next, seen.to_string());
        }
        assert_eq!(seen, count);
        client.cancel().await.unwrap();
    });
}

#[test]
fn an_offset_into_one_file_counts_the_lines_of_its_outline() {
    let repo = project();
    let said = repo
        .sverklo(&["symbol", "shop/part0.py", "--offset", "2"])
        .success();
    assert!(
        said.contains("load_0_0") && !said.contains("Store0:"),
        "{said}"
    );
    assert!(said.contains("shown 3-5 of 5"), "{said}");
}
