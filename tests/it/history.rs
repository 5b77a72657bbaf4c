//! Past equals fresh: what the accumulated index answers about an old commit is what a fresh index
//! of a clean checkout of it answers. The same comparison shows that an edited and re-indexed file
//! ranks as in a cold index.

use crate::harness::TestRepo;
use crate::mcp::{call, with_client_of};
use serde_json::{Value, json};

/// Questions that between them reach every channel, every match kind and every chunk of the format.
const QUESTIONS: &[&[&str]] = &[
    &["search", "parse the request header"],
    &["search", "how are retries limited", "--limit", "30"],
    &["search", "cache", "--scope", "src/"],
    &["search", "token bucket", "--lang", "python"],
    &["symbol", "parse_header"],
    &["symbol", "ParseHeader"],
    &["symbol", "Retry"],
    &["symbol", "retry limit"],
    &["symbol", "cach"],
    &["symbol", "parse_haeder"],
    &["symbol", "Cache.get", "--body"],
    &["symbol", "src/mod0.py"],
    &["refs", "parse_header"],
    &["refs", "get", "--limit", "100"],
    &["refs", "nothing_like_this"],
    &["map"],
];

/// A small deterministic generator; tests must not depend on the machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// Source text that changes a little from call to call.
fn python(dice: &mut Dice) -> String {
    let names = [
        "parse_header",
        "retry_limit",
        "token_bucket",
        "flush_cache",
        "read_request",
    ];
    let mut text = format!("import os\nfrom .mod{} import Cache\n\n", dice.roll(4));
    for _ in 0..2 + dice.roll(3) {
        let name = names[dice.roll(names.len())];
        let callee = names[dice.roll(names.len())];
        text.push_str(&format!(
            "def {name}(request, limit={}):\n    \"\"\"Handles the {} header.\"\"\"\n    return {callee}(request).get(limit)\n\n\n",
            dice.roll(100),
            ["request", "retry", "cache"][dice.roll(3)],
        ));
    }
    text.push_str("class Cache:\n    def get(self, key):\n        return self.items[key]\n");
    text
}

fn typescript(dice: &mut Dice) -> String {
    format!(
        "import {{ parseHeader }} from './mod{}';\n\n/** Retries {} times. */\nexport class Retry {{\n  limit = {};\n  get(key: string) {{ return parseHeader(key); }}\n}}\n",
        dice.roll(4),
        dice.roll(9),
        dice.roll(9),
    )
}

fn mutate(repo: &TestRepo, dice: &mut Dice) {
    for _ in 0..1 + dice.roll(3) {
        let n = dice.roll(4);
        match dice.roll(7) {
            0 | 1 => drop(repo.write(format!("src/mod{n}.py"), python(dice))),
            2 => drop(repo.write(format!("web/mod{n}.ts"), typescript(dice))),
            3 => drop(repo.write(format!("tests/test_mod{n}.py"), python(dice))),
            4 => drop(repo.write(
                "README.md",
                format!(
                    "# Cache\n\nThe `parse_header` cache.\n\n## Retry {}\n\nLimits.\n",
                    dice.roll(50)
                ),
            )),
            // The same blob at two paths, and a path that goes away.
            5 => {
                let copied = python(dice);
                repo.write(format!("src/mod{n}.py"), &copied)
                    .write(format!("lib/copy{n}.py"), &copied);
            }
            _ => {
                if repo.dir().join(format!("lib/copy{n}.py")).exists() {
                    repo.remove(format!("lib/copy{n}.py"));
                }
            }
        }
    }
    repo.write("log.txt", dice.roll(1_000_000).to_string());
}

/// All answers about a state, as one text. `map` also reports the index, which differs by design.
fn answers(repo: &TestRepo, at: Option<&str>) -> Vec<(String, String)> {
    QUESTIONS
        .iter()
        .map(|question| {
            let mut args: Vec<&str> = question.to_vec();
            args.extend(["--json", "--budget", "20000"]);
            if let Some(at) = at {
                args.extend(["--at", at]);
            }
            let out = repo.sverklo(&args);
            assert!(
                matches!(out.status, Some(0 | 1)),
                "{args:?}: {}",
                out.stderr
            );
            let mut json: serde_json::Value = serde_json::from_str(&out.stdout)
                .unwrap_or_else(|err| panic!("{args:?}: {err}: {}", out.stdout));
            if question[0] == "map" {
                json.as_object_mut()
                    .expect("an object")
                    .remove("store")
                    .expect("map tells of the store");
            }
            (
                question.join(" "),
                serde_json::to_string_pretty(&json).expect("just parsed"),
            )
        })
        .collect()
}

/// As [`answers`] about the work tree, asked in one session of an agent, which is quicker.
fn answers_of_a_session(repo: &TestRepo) -> Vec<(String, String)> {
    let mut all = Vec::new();
    with_client_of(repo, &["mcp", "--structured"], async |client| {
        // Hits tell their callers once there is a graph, which a server may have made before anybody asked.
        let first = call("symbol", json!({"name": "Retry"}));
        client.call_tool(first).await.unwrap();
        for (tool, mut asked) in requests() {
            asked["budget"] = json!(20000);
            let what = format!("{tool} {asked}");
            let result = client.call_tool(call(tool, asked)).await.unwrap();
            assert_ne!(result.is_error, Some(true), "{what}");
            let mut json = result.structured_content.expect("it was asked for");
            json.as_object_mut().expect("an object").remove("store");
            let json = serde_json::to_string_pretty(&json).expect("just parsed");
            all.push((what, json));
        }
        client.cancel().await.unwrap();
    });
    all
}

/// [`QUESTIONS`] as an agent asks them.
fn requests() -> [(&'static str, Value); 16] {
    [
        ("search", json!({"query": "parse the request header"})),
        (
            "search",
            json!({"query": "how are retries limited", "limit": 30}),
        ),
        ("search", json!({"query": "cache", "scope": ["src/"]})),
        (
            "search",
            json!({"query": "token bucket", "lang": ["python"]}),
        ),
        ("symbol", json!({"name": "parse_header"})),
        ("symbol", json!({"name": "ParseHeader"})),
        ("symbol", json!({"name": "Retry"})),
        ("symbol", json!({"name": "retry limit"})),
        ("symbol", json!({"name": "cach"})),
        ("symbol", json!({"name": "parse_haeder"})),
        ("symbol", json!({"name": "Cache.get", "detail": "body"})),
        ("symbol", json!({"name": "src/mod0.py"})),
        ("refs", json!({"target": "parse_header"})),
        ("refs", json!({"target": "get", "limit": 100})),
        ("refs", json!({"target": "nothing_like_this"})),
        ("map", json!({})),
    ]
}

fn assert_same(got: Vec<(String, String)>, want: Vec<(String, String)>, context: &str) {
    for ((question, got), (_, want)) in got.into_iter().zip(want) {
        assert_eq!(got, want, "{question} {context}");
    }
}

fn fresh_checkout(repo: &TestRepo, commit: &str, name: &str) -> TestRepo {
    let dir = repo.beside(name);
    repo.git(&[
        "clone",
        "-q",
        "--no-checkout",
        ".",
        dir.to_str().expect("temporary paths are UTF-8"),
    ]);
    let fresh = repo.at(&dir);
    fresh.git(&["checkout", "-q", "--detach", commit]);
    fresh
}

#[test]
fn past_equals_fresh_on_a_generated_history() {
    let repo = TestRepo::init();
    let mut dice = Dice(7);
    let mut commits = Vec::new();
    for step in 0..14 {
        mutate(&repo, &mut dice);
        commits.push(repo.commit(&format!("step {step}")));
        // Some commits are indexed as they come, others only when asked about.
        if step % 3 != 1 {
            repo.sverklo(&["index"]).success();
        }
    }
    for (i, commit) in commits.iter().enumerate().step_by(3) {
        let fresh = fresh_checkout(&repo, commit, &format!("fresh{i}"));
        let want = answers(&fresh, None);
        assert_same(
            answers(&repo, Some(commit)),
            want.clone(),
            &format!("at commit {i}"),
        );
        assert_same(
            answers(&fresh, Some(commit)),
            want,
            &format!("in the fresh clone at {i}"),
        );
    }
    repo.sverklo(&["gc"]).success();
    let last = commits.last().expect("there are commits");
    let fresh = fresh_checkout(&repo, last, "after-gc");
    assert_same(
        answers(&repo, Some(last)),
        answers(&fresh, None),
        "after gc",
    );
}

#[test]
fn an_edited_file_ranks_as_in_a_cold_index() {
    edits_rank_as_in_a_cold_index(11, |repo| answers(repo, None));
    edits_rank_as_in_a_cold_index(23, answers_of_a_session);
    edits_rank_as_in_a_cold_index(47, answers_of_a_session);
}

fn edits_rank_as_in_a_cold_index(seed: u64, ask: fn(&TestRepo) -> Vec<(String, String)>) {
    let repo = TestRepo::init();
    let mut dice = Dice(seed);
    for n in 0..4 {
        repo.write(format!("src/mod{n}.py"), python(&mut dice));
        repo.write(format!("web/mod{n}.ts"), typescript(&mut dice));
    }
    // A single commit is no history: with one, a commit that is made tells what changes with what.
    repo.commit("first");
    repo.sverklo(&["index"]).success();
    for step in 0..4 {
        mutate(&repo, &mut dice);
        // The dirty tree ranks as the commit that records it, but for the stamp.
        let dirty = ask(&repo);
        repo.git(&["add", "-A"]);
        repo.git(&["commit", "-q", "--amend", "-m", &format!("edit {step}")]);
        let commit = repo.git(&["rev-parse", "HEAD"]);
        let committed = ask(&repo);
        for ((question, dirty), (_, committed)) in dirty.iter().zip(&committed) {
            assert_eq!(
                without_stamp(dirty),
                without_stamp(committed),
                "{question} in step {step} of {seed}"
            );
        }
        let fresh = fresh_checkout(&repo, &commit, &format!("cold{step}"));
        assert_same(
            committed,
            ask(&fresh),
            &format!("after edit {step} of {seed}"),
        );
    }
}

/// An answer without what says which state it speaks from.
fn without_stamp(json: &str) -> serde_json::Value {
    let mut value: serde_json::Value = serde_json::from_str(json).expect("made by answers()");
    value
        .as_object_mut()
        .expect("an object")
        .remove("index")
        .expect("every answer has a stamp");
    value
}

#[test]
fn the_index_comes_back_with_the_same_id() {
    let repo = TestRepo::init();
    let mut dice = Dice(3);
    let mut commits = Vec::new();
    for step in 0..6 {
        mutate(&repo, &mut dice);
        commits.push(repo.commit(&format!("step {step}")));
    }
    let tip = |repo: &TestRepo| repo.git(&["rev-parse", "refs/sverklo/v1/index"]);
    repo.sverklo(&["index", "--threads", "2"]).success();
    let first = tip(&repo);
    repo.git(&["update-ref", "-d", "refs/sverklo/v1/index"]);
    repo.sverklo(&["index", "--threads", "1"]).success();
    assert_eq!(tip(&repo), first, "one thread");
    repo.git(&["update-ref", "-d", "refs/sverklo/v1/index"]);
    std::fs::remove_dir_all(repo.dir().join(".git/sverklo")).expect("the cache exists");
    repo.sverklo(&["index"]).success();
    assert_eq!(tip(&repo), first, "without the cache");

    let clone = fresh_checkout(&repo, &commits[5], "clone");
    clone.sverklo(&["index"]).success();
    assert_eq!(tip(&clone), first, "another clone");

    // In any order of commits, after gc.
    for commit in &commits {
        repo.sverklo(&["index", commit]).success();
    }
    repo.sverklo(&["gc"]).success();
    for commit in commits.iter().rev() {
        clone.sverklo(&["index", commit]).success();
    }
    clone.sverklo(&["gc"]).success();
    assert_eq!(tip(&repo), tip(&clone), "indexed in another order");
    let canonical = tip(&repo);
    repo.sverklo(&["gc"]).success();
    assert_eq!(tip(&repo), canonical, "gc twice");
    // All at once gives the canonical form right away.
    repo.git(&["update-ref", "-d", "refs/sverklo/v1/index"]);
    let mut all = vec!["index"];
    all.extend(commits.iter().map(String::as_str));
    repo.sverklo(&all).success();
    assert_eq!(tip(&repo), canonical, "cold equals gc");
}

#[test]
fn gits_own_gc_changes_no_answer() {
    let repo = TestRepo::init();
    let mut dice = Dice(5);
    for step in 0..4 {
        mutate(&repo, &mut dice);
        repo.commit(&format!("step {step}"));
        repo.sverklo(&["index"]).success();
    }
    let before = answers(&repo, None);
    repo.git(&["gc", "-q", "--prune=now"]);
    std::fs::remove_dir_all(repo.dir().join(".git/sverklo")).expect("the cache exists");
    let tip = repo.git(&["rev-parse", "refs/sverklo/v1/index"]);
    assert_same(answers(&repo, None), before, "after git gc");
    assert_eq!(
        repo.git(&["rev-parse", "refs/sverklo/v1/index"]),
        tip,
        "nothing was extracted again"
    );
    repo.git(&["fsck", "--strict"]);
}
