//! The symbol graph is what the files of a tree say, however they came to be indexed.

use crate::harness::TestRepo;
use crate::store::{ids, open};
use git_sverklo::graph::build;
use git_sverklo::graph::edges::Graph;
use git_sverklo::query::engine::Engine;
use git_sverklo::query::request::{ForecastRequest, Revision};
use git_sverklo::store::{Quiet, Snapshot};
use std::path::{Path, PathBuf};

/// Source files of the golden corpus, in every language: more than one batch of a thread.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files = Vec::new();
    for language in std::fs::read_dir(&root).unwrap() {
        let language = language.unwrap().path();
        if !language.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(&language).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|ext| ext == "expect") {
                continue;
            }
            let name = file.strip_prefix(&root).unwrap().to_str().unwrap();
            files.push((name.replace('\\', "/"), std::fs::read(&file).unwrap()));
        }
    }
    files.sort();
    files
}

fn engine(repo: &TestRepo) -> Engine {
    Engine::open(repo.dir()).unwrap()
}

/// The graph of the work tree, built anew on some threads.
fn built(repo: &TestRepo, threads: usize) -> Graph {
    let engine = engine(repo);
    let pinned = engine.pin(&Revision::WorkTree, &Quiet).unwrap();
    let view = pinned.view();
    let read = &mut |file| {
        let path = view.file(file).path.to_string();
        std::fs::read(repo.dir().join(path)).ok()
    };
    build::build(view, threads, read).graph
}

/// The graph that questions about the work tree are answered from.
fn asked(repo: &TestRepo) -> Graph {
    let engine = engine(repo);
    let pinned = engine.pin(&Revision::WorkTree, &Quiet).unwrap();
    engine.graph(&pinned).clone()
}

fn segments(repo: &TestRepo) -> usize {
    ids(&Snapshot::open(&open(repo)).unwrap()).len()
}

#[test]
fn neither_threads_nor_segments_show() {
    let files = corpus();
    assert!(files.len() > 64, "{} files are few", files.len());
    let whole = TestRepo::init();
    for (path, bytes) in &files {
        whole.write(path, bytes);
    }
    whole.commit("all at once");
    whole.sverklo(&["index"]).success();
    let graph = built(&whole, 1);
    assert!(graph.symbol_count() > 500, "{}", graph.symbol_count());
    for threads in [2, 3, 7] {
        assert!(built(&whole, threads) == graph, "{threads} threads");
    }
    assert!(asked(&whole) == graph);

    // The same files in other orders, a commit and an index for each part; then united by `gc`.
    for parts in [2, 5] {
        let cut = TestRepo::init();
        for part in 0..parts {
            let of_part = |(at, _): &(usize, _)| at * 7 % parts == part;
            for (_, (path, bytes)) in files.iter().enumerate().filter(of_part) {
                cut.write(path, bytes);
            }
            cut.commit("a part");
            cut.sverklo(&["index"]).success();
        }
        assert!(segments(&cut) > 1, "{parts} parts are one segment");
        assert!(built(&cut, 2) == graph, "{parts} parts");
        cut.sverklo(&["gc"]).success();
        assert!(built(&cut, 2) == graph, "{parts} parts after gc");
    }
}

const APP: &str = "from lib import Store\n\n\ndef main():\n    store = Store()\n    store.put(1)\n";
const LIB: &str = "class Store:\n    def put(self, item):\n        return check(item)\n\n\n\
                   def check(item):\n    return item\n";

fn app() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("app.py", APP).write("lib.py", LIB);
    repo.commit("app");
    repo
}

#[test]
fn uncommitted_files_count_as_if_they_were_committed() {
    let dirty = app();
    dirty
        .write(
            "more.py",
            "from lib import check\n\n\ndef more():\n    return check(2)\n",
        )
        .write("lib.py", LIB.replace("check", "inspect"))
        .remove("app.py");
    let uncommitted = asked(&dirty);
    dirty.commit("the same");
    assert!(uncommitted == asked(&dirty));
    assert!(uncommitted != asked(&app()));

    let unborn = TestRepo::init();
    unborn.write("app.py", APP).write("lib.py", LIB);
    assert!(asked(&unborn) == asked(&app()));
}

/// How many files were resolved for the graph of the work tree as it is now.
fn resolved(engine: &Engine) -> usize {
    let pinned = engine.pin(&Revision::WorkTree, &Quiet).unwrap();
    engine.made(&pinned).resolved
}

#[test]
fn after_an_edit_the_edges_of_other_files_are_kept() {
    let repo = app();
    let one = engine(&repo);
    assert_eq!(resolved(&one), 2, "the first time all are resolved");
    repo.write("lib.py", LIB.replace("return item", "return check(item)"));
    assert_eq!(resolved(&one), 1, "from the graph in memory");
    assert!(asked(&repo) == built(&repo, 1));
    drop(one);

    repo.write(
        "lib.py",
        LIB.replace("return item", "return check(check(item))"),
    );
    assert_eq!(resolved(&engine(&repo)), 1, "from a saved graph");
    assert!(asked(&repo) == built(&repo, 1));
    assert_eq!(resolved(&engine(&repo)), 0, "the saved graph itself");

    repo.write("lib.py", LIB.replace("Store", "Shop"));
    assert_eq!(resolved(&engine(&repo)), 2, "another file names it");
    repo.write("more.py", "import lib\n");
    assert_eq!(
        resolved(&engine(&repo)),
        2,
        "what is new, and who may name it"
    );
    assert!(asked(&repo) == built(&repo, 1));
}

#[test]
fn the_other_side_of_a_comparison_is_held_beside_the_work_tree() {
    let repo = app();
    resolved(&engine(&repo));
    let one = engine(&repo);
    repo.write("lib.py", LIB.replace("return item", "return check(item)"));
    assert_eq!(resolved(&one), 1);
    let base = one.pin(&Revision::At("HEAD".to_owned()), &Quiet).unwrap();
    assert_eq!(one.made(&base).resolved, 0, "it was saved");
    // The other side was loaded in between.
    repo.write("more.py", "more = 1\n");
    assert_eq!(resolved(&one), 1);
    assert!(asked(&repo) == built(&repo, 1));
}

#[test]
fn forecasts_are_made_of_what_differs() {
    let repo = app();
    repo.git(&["checkout", "-q", "-b", "theirs"]);
    repo.write("theirs.py", "theirs = 1\n");
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "-"]);
    repo.write("lib.py", LIB.replace("return item", "return check(item)"));
    repo.commit("ours");
    resolved(&engine(&repo));
    let one = engine(&repo);
    assert_eq!(resolved(&one), 0, "it was saved");
    let request = ForecastRequest {
        head: Revision::WorkTree,
        with: vec!["theirs".to_owned()],
        with_worktrees: false,
    };
    one.ask(&request, &Quiet).unwrap();
    // What was made for the forecast says how it came about, so only what differs from it is looked at.
    repo.write("more.py", "more = 1\n");
    assert_eq!(resolved(&one), 2, "of three files");
    assert!(asked(&repo) == built(&repo, 1));
}

/// Answers about everything in `app`.
fn answers(repo: &TestRepo) -> Vec<String> {
    let questions: [&[&str]; 6] = [
        &["refs", "check"],
        &["refs", "main", "--out", "--depth", "3"],
        &["refs", "check", "--depth", "3"],
        &["refs", "lib.py"],
        &["symbol", "Store.put"],
        &["audit", "unused"],
    ];
    // Its last line says what was damaged.
    let is_answer = |line: &&str| !line.starts_with("index ");
    let said = questions.map(|args| {
        let said = repo.sverklo(args).stdout;
        said.lines()
            .filter(is_answer)
            .collect::<Vec<_>>()
            .join("\n")
    });
    said.to_vec()
}

fn saved(repo: &TestRepo) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(repo.kept().join("graph")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn saved_graphs_may_be_lost_or_damaged() {
    let repo = app();
    let wanted = answers(&repo);
    assert!(wanted[0].contains("lib.py"), "{}", wanted[0]);
    let [path] = saved(&repo).try_into().expect("one graph is saved");
    let whole = std::fs::read(&path).unwrap();
    assert_eq!(answers(&repo), wanted, "from the saved graph");

    std::fs::remove_dir_all(repo.dir().join(".git/sverklo")).unwrap();
    assert_eq!(answers(&repo), wanted, "without caches");
    assert_eq!(std::fs::read(&path).unwrap(), whole, "saved again");

    for damage in 0..4 {
        let mut bytes = whole.clone();
        match damage {
            0 => bytes.clear(),
            1 => bytes.truncate(whole.len() / 2),
            2 => bytes[whole.len() / 2] ^= 0x40,
            _ => bytes.extend_from_slice(b"more"),
        }
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(answers(&repo), wanted, "damage {damage}");
        assert_eq!(std::fs::read(&path).unwrap(), whole, "{damage}: replaced");
    }
}
