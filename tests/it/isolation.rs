//! What is recorded of a file depends on neither the threads nor the files beside it.

use crate::extract::{cases, dump, golden_of, grammar_of};
use crate::harness::TestRepo;
use git_sverklo::extract::record::SkipReason;
use git_sverklo::extract::{Extractor, extract};
use git_sverklo::lang;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Commits the golden corpus, goldens left out.
fn corpus() -> TestRepo {
    let repo = TestRepo::init();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    for case in cases() {
        let name = case.strip_prefix(&root).unwrap();
        repo.write(name, std::fs::read(&case).unwrap());
    }
    repo.commit("corpus");
    repo
}

/// The index made from nothing, on some threads.
fn tip(repo: &TestRepo, threads: &str) -> String {
    let refs = repo.git(&["for-each-ref", "--format=%(refname)", "refs/sverklo"]);
    for name in refs.lines() {
        repo.git(&["update-ref", "-d", name]);
    }
    let _ = std::fs::remove_dir_all(repo.dir().join(".git/sverklo"));
    repo.sverklo(&["index", "--threads", threads]).success();
    repo.git(&["rev-parse", "refs/sverklo/v1/index"])
}

#[test]
fn threads_make_the_same_index_of_every_language() {
    let repo = corpus();
    let one = tip(&repo, "1");
    assert_eq!(tip(&repo, "3"), one);
    assert_eq!(tip(&repo, "1"), one, "once more");
    repo.write("python/another.py", "def another(): pass\n");
    repo.commit("another");
    assert_ne!(tip(&repo, "3"), one, "the id says what is indexed");
}

/// Cases that differ from their golden when several threads share them out.
fn differing(threads: usize, cases: &[PathBuf]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let work = || {
            let mut extractor = Extractor::new();
            let mut differing = Vec::new();
            while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                let bytes = std::fs::read(case).unwrap();
                let record = extractor.extract(&bytes, grammar_of(case));
                if std::fs::read_to_string(golden_of(case)).unwrap() != dump(&bytes, &record) {
                    differing.push(case.display().to_string());
                }
            }
            differing
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let found = workers.into_iter().map(|worker| worker.join().unwrap());
        found.flatten().collect()
    })
}

#[test]
fn threads_pass_the_same_goldens() {
    let mut cases = cases();
    for threads in [1, 3] {
        assert_eq!(differing(threads, &cases), [""; 0], "{threads} threads");
        cases.reverse();
    }
}

#[test]
fn a_file_that_cannot_be_parsed_costs_no_other_its_symbols() {
    // In lines, since a file of few long ones counts as minified.
    let lines = |unit: &str, count: usize| format!("{}\n", unit.repeat(20)).repeat(count);
    let hostile = [
        ("deep.go", format!("package a\nvar a = {}", lines("(", 250))),
        ("open.py", lines("/*a", 100)),
        ("open.ts", lines("a;/*", 1_000)),
        ("nested.ml", lines("(*", 1_000)),
    ];
    let repo = TestRepo::init();
    for (path, text) in &hostile {
        let grammar = lang::by_file_name(path.as_bytes());
        let skip = extract(text.as_bytes(), grammar).skip;
        assert_eq!(skip, Some(SkipReason::TooComplex), "{path}");
        repo.write(path, text);
        // A neighbour in the same language, on either side of it in order.
        let extension = path.rsplit('.').next().unwrap();
        let (text, name) = match extension {
            "go" => ("package a\nfunc Neighbour() {}\n", "go"),
            "py" => ("def Neighbour(): pass\n", "py"),
            "ts" => ("export function Neighbour() {}\n", "ts"),
            _ => ("let neighbour () = ()\n", "ml"),
        };
        repo.write(format!("a.{name}"), text)
            .write(format!("z.{name}"), text);
    }
    repo.commit("hostile");
    for threads in ["1", "3"] {
        tip(&repo, threads);
        let found = repo.sverklo(&["symbol", "Neighbour"]).success();
        for path in ["a.go", "z.go", "a.py", "z.py", "a.ts", "z.ts"] {
            assert!(found.contains(path), "{path} in {found}");
        }
        let found = repo
            .sverklo(&["symbol", "neighbour", "--lang", "ocaml"])
            .success();
        assert!(found.contains("a.ml") && found.contains("z.ml"), "{found}");
        // What could not be parsed is said, and not passed over.
        let out = repo.sverklo(&["symbol", "deep.go"]);
        let said = out.stdout + &out.stderr;
        assert!(said.contains("too complex"), "{said}");
    }
}
