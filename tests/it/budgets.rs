//! No answer takes more tokens than it was given, in any voice, whatever repository it is about.
//!
//! Counted with the vocabulary of a real model, because the program only estimates.

use super::harness::TestRepo;
use super::mcp::{call, text, with_client_of};
use serde_json::{Value, json};

/// Random repositories.
const REPOSITORIES: u64 = 3;
/// Random requests put to each, in each form.
const REQUESTS: u64 = 40;
/// What an answer may take: a twentieth more than it was given, because the count is an estimate.
const MOST: f64 = 1.05;

/// Numbers that look random and are always the same (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    fn name(&mut self) -> String {
        const WORDS: [&str; 24] = [
            "parse",
            "Http",
            "x",
            "retry",
            "größe",
            "handle",
            "数据",
            "id",
            "Сервис",
            "buffer_",
            "XML",
            "a1b2c3",
            "request",
            "of",
            "__init",
            "Config",
            "très_long",
            "MAX_",
            "flush",
            "0x7f",
            "Q",
            "visit",
            "node",
            "dispatcher",
        ];
        let mut name = String::from(self.pick(&["f", "g_", "Do", "is"]));
        for _ in 0..=self.below(5) {
            name += self.pick(&WORDS);
        }
        name
    }
}

/// A repository of random sources; returns names and paths that are in it.
fn repository(random: &mut Random) -> (TestRepo, Vec<String>, Vec<String>) {
    let repo = TestRepo::init();
    repo.write("begin.txt", "begin\n");
    repo.commit("begin");
    let names: Vec<String> = (0..60).map(|_| random.name()).collect();
    let mut paths = Vec::new();
    for n in 0..30 {
        let folder = random.pick(&[
            "",
            "src/",
            "lib/deep/er/and/deeper/",
            "ünï/",
            "test/",
            "a b/",
        ]);
        let stem = random.name();
        let (ending, mut body) = match random.below(5) {
            0 => ("js", String::from("'use strict'\n")),
            1 => ("py", String::from("import os\n")),
            2 => ("go", String::from("package x\n")),
            3 => ("rs", String::from("use std::fmt;\n")),
            _ => ("md", String::from("# Notes\n")),
        };
        for _ in 0..=random.below(12) {
            let (name, other) = (&names[random.below(60)], &names[random.below(60)]);
            let comment = "what it says, ".repeat(random.below(30));
            body += &match ending {
                "js" => format!(
                    "/** {comment} */\nfunction {name}(a, b) {{\n  return {other}(a) + \"{comment}\";\n}}\n"
                ),
                "py" => format!(
                    "def {name}(a, b=1):\n    \"\"\"{comment}\"\"\"\n    return {other}(a)\n"
                ),
                "go" => {
                    format!("// {comment}\nfunc {name}(a int) int {{\n\treturn {other}(a)\n}}\n")
                }
                "rs" => {
                    format!("/// {comment}\npub fn {name}(a: u32) -> u32 {{\n    {other}(a)\n}}\n")
                }
                _ => format!("## {name}\n\nUses `{other}`; {comment}\n"),
            };
        }
        let path = format!("{folder}{stem}{n}.{ending}");
        repo.write(&path, body);
        paths.push(path);
    }
    repo.commit("all of it");
    for _ in 0..12 {
        let note = format!(
            "{} {}",
            random.name(),
            "has to stay as it is, ".repeat(random.below(20))
        );
        repo.sverklo(&["remember", &note]).success();
    }
    (repo, names, paths)
}

/// A random question: the tool, what it is asked, and its budget.
fn question(
    random: &mut Random,
    names: &[String],
    paths: &[String],
) -> (&'static str, Value, usize) {
    let budget = 100 + random.below(20) * random.below(200);
    let limit = 1 + random.below(60);
    let name = &names[random.below(names.len())];
    let path = &paths[random.below(paths.len())];
    let (tool, mut asked) = match random.below(14) {
        0 => (
            "search",
            json!({"query": format!("{name} what it says"), "limit": limit}),
        ),
        1 => (
            "search",
            json!({"query": "says", "mode": "text", "context": 2, "limit": limit}),
        ),
        2 => ("symbol", json!({"name": name, "limit": limit})),
        3 => ("symbol", json!({"name": name, "detail": "body"})),
        4 => ("symbol", json!({"name": path})),
        5 => ("refs", json!({"target": name, "limit": limit})),
        6 => ("refs", json!({"target": name, "depth": 3, "limit": limit})),
        7 => ("refs", json!({"target": path, "limit": limit})),
        8 => ("map", json!({})),
        9 => ("audit", json!({"view": "unused", "limit": limit})),
        10 => ("map", json!({"at": "HEAD~1..HEAD"})),
        11 => ("audit", json!({"view": "hotspots", "limit": limit})),
        12 => (
            "history",
            json!({"target": path, "who": true, "limit": limit}),
        ),
        _ => ("recall", json!({"limit": limit})),
    };
    asked["budget"] = json!(budget);
    (tool, asked, budget)
}

fn tokens(text: &str) -> usize {
    let vocabulary = tiktoken_rs::o200k_base_singleton();
    vocabulary.encode_ordinary(text).len()
}

#[track_caller]
fn fits(what: &str, budget: usize, shown: &str) {
    let took = tokens(shown);
    assert!(
        took as f64 <= budget as f64 * MOST,
        "{what} takes {took} tokens:\n{shown}"
    );
}

#[test]
fn no_answer_takes_more_than_it_was_given() {
    for seed in 0..REPOSITORIES {
        let mut random = Random(seed);
        let (repo, names, paths) = repository(&mut random);
        for args in [&["mcp"][..], &["mcp", "--structured"]] {
            with_client_of(&repo, args, async |client| {
                for _ in 0..REQUESTS {
                    let (tool, asked, budget) = question(&mut random, &names, &paths);
                    let what = format!("{seed}: {args:?} {tool} {asked}");
                    let result = client.call_tool(call(tool, asked)).await.unwrap();
                    assert_ne!(result.is_error, Some(true), "{what}: {}", text(&result));
                    fits(&what, budget, text(&result));
                    if let Some(structured) = result.structured_content {
                        fits(&what, budget, &structured.to_string());
                    }
                }
                client.cancel().await.unwrap();
            });
        }
        for _ in 0..REQUESTS / 4 {
            let budget = 100 + random.below(20) * random.below(100);
            let given = budget.to_string();
            let name = &names[random.below(names.len())];
            for args in [
                &["symbol", name][..],
                &["refs", name],
                &["search", name],
                &["map"],
                &["map", "--at", "HEAD~1..HEAD"],
                &["audit", "hotspots"],
                &["history", "--who", name],
            ] {
                let args = [args, &["--budget", &given]].concat();
                fits(&format!("{args:?}"), budget, &repo.sverklo(&args).stdout);
            }
        }
    }
}
