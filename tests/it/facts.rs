//! What compilers say is recorded by blob, outranks what is found without them, travels, unites, and is dropped.
//! The indexes of `tests/scip` were made by scip-typescript 0.4.0 and scip-python 0.6.6 of the files beside them.

use crate::harness::{Kind, Output, TestRepo};
use crate::store::open;
use git_sverklo::id::BlobId;
use git_sverklo::scip::symbol::Symbol;
use git_sverklo::store::Snapshot;
use git_sverklo::store::facts::{BlobFacts, CompilerFacts, FactsByBlob};
use git_sverklo::store::recorded::record;
use serde_json::Value;
use std::path::{Path, PathBuf};

const INDEX: &str = "refs/sverklo/v1/index";

fn fixture(name: &str) -> PathBuf {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scip");
    all.join(name)
}

fn index(name: &str) -> String {
    let path = fixture(name).join("index.scip");
    path.to_str().unwrap().to_owned()
}

fn text(name: &str, path: &str) -> String {
    std::fs::read_to_string(fixture(name).join(path)).unwrap()
}

const TS: [&str; 4] = [
    "package.json",
    "tsconfig.json",
    "src/main.ts",
    "src/shapes.ts",
];
const PY: [&str; 3] = ["shop/__init__.py", "shop/carts.py", "shop/desk.py"];

fn repository(kind: Kind, name: &str, files: &[&str]) -> TestRepo {
    let repo = TestRepo::init_as(kind);
    for path in files {
        repo.write(path, text(name, path));
    }
    repo.commit("one");
    repo
}

fn ts() -> TestRepo {
    repository(Kind::default(), "ts", &TS)
}

fn import(repo: &TestRepo, name: &str, args: &[&str]) -> Output {
    let index = index(name);
    let mut all = vec!["facts", "import", index.as_str()];
    all.extend(args);
    repo.sverklo(&all)
}

#[track_caller]
fn json(out: Output) -> Value {
    serde_json::from_str(&out.success()).expect("json")
}

/// Uses of a symbol, each as line, certainty and rule, by file in order.
fn uses(repo: &TestRepo, of: &str) -> Vec<String> {
    let answer = json(repo.sverklo(&["refs", of, "--json"]));
    let mut out = Vec::new();
    for list in ["files", "ambiguous"] {
        for file in answer[list].as_array().into_iter().flatten() {
            for one in file["uses"].as_array().into_iter().flatten() {
                let said = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
                let line = one["line"].as_u64().unwrap();
                let path = file["path"].as_str().unwrap();
                out.push(format!(
                    "{path}:{line} {}: {}",
                    said("certainty"),
                    said("rule")
                ));
            }
        }
    }
    out
}

fn known(repo: &TestRepo) -> CompilerFacts {
    let repo = open(repo);
    let snapshot = Snapshot::open(&repo).unwrap();
    assert!(snapshot.warnings.is_empty(), "{:?}", snapshot.warnings);
    let (facts, warnings) = CompilerFacts::open(&repo, &snapshot, &|_| true);
    assert!(warnings.is_empty(), "{warnings:?}");
    facts
}

fn blob(repo: &TestRepo, spec: &str) -> BlobId {
    BlobId::from_hex(repo.git(&["rev-parse", spec]).as_bytes()).unwrap()
}

fn tip(repo: &TestRepo) -> String {
    repo.git(&["rev-parse", INDEX])
}

fn pieces(repo: &TestRepo) -> String {
    repo.git(&["ls-tree", "-r", "--name-only", INDEX, "facts"])
}

#[test]
fn an_index_is_recorded_and_outranks_what_is_found_without_it() {
    for sha256 in [false, true] {
        let kind = Kind {
            sha256,
            ..Kind::default()
        };
        let repo = repository(kind, "ts", &TS);
        let before = uses(&repo, "Square.area");
        assert_eq!(
            before,
            ["src/main.ts:10 ambiguous: ambiguous"],
            "nothing here knows what a callback is given"
        );
        let dry = json(import(&repo, "ts", &["--dry-run", "--json"]));
        assert_eq!((&dry["added"], &dry["dry_run"]), (&2.into(), &true.into()));
        assert!(known(&repo).is_empty());
        let out = import(&repo, "ts", &[]).success();
        assert!(
            out.contains("scip-typescript, 2 of 2 documents taken\n"),
            "{out}"
        );
        assert!(
            out.contains("recorded 2 blobs: 16 definitions, 27 uses; 2 new"),
            "{out}"
        );
        let of = |name: &str| uses(&repo, name);
        let compiled = |line: u32| format!("src/main.ts:{line} resolved: compiler");
        assert_eq!(of("Circle.area"), [compiled(6)]);
        assert_eq!(of("Square.area"), [compiled(10)]);
        assert_eq!(of("Square.half"), [compiled(10)], "an accessor");
        let constructed = of("Circle");
        assert!(constructed.contains(&compiled(4)), "{constructed:?}");
        let said = repo.sverklo(&["refs", "Square.area"]).success();
        assert!(
            said.contains("1 use in 1 file, 1 resolved by a compiler"),
            "{said}"
        );

        let once = tip(&repo);
        let again = json(import(&repo, "ts", &["--json"]));
        assert_eq!(
            (&again["added"], &again["extended"]),
            (&0.into(), &0.into())
        );
        assert_eq!(tip(&repo), once, "nothing new, nothing written");
        let shown = repo.sverklo(&["facts", "show"]).success();
        assert!(
            shown.contains("facts of 2 of 4 files\nsrc/main.ts: 5 definitions, 22 uses\n"),
            "{shown}"
        );
        let status = repo.sverklo(&["status"]).success();
        assert!(
            status.contains("compilers' facts: 2 blobs, 2 files at HEAD"),
            "{status}"
        );
        repo.sverklo(&["fsck"]).success();
    }
}

#[test]
fn facts_hold_by_content_whatever_the_path_and_the_commit() {
    let repo = repository(Kind::default(), "py", &PY);
    import(&repo, "py", &[]).success();
    let compiled = |line: u32| format!("shop/desk.py:{line} resolved: compiler");
    assert_eq!(uses(&repo, "Cart.add"), [compiled(11)]);
    assert_eq!(uses(&repo, "Ledger.add"), [compiled(15)]);
    assert_eq!(uses(&repo, "Ledger.total"), [""; 0]);
    // Another file changes, and this one moves.
    repo.write("README.md", "A shop.\n");
    repo.git(&["mv", "shop/carts.py", "shop/wagons.py"]);
    repo.write("shop/desk.py", text("py", "shop/desk.py") + "# end\n");
    repo.commit("two");
    repo.write("shop/desk.py", text("py", "shop/desk.py"));
    assert_eq!(
        uses(&repo, "Cart.add"),
        [compiled(11)],
        "the work tree has the content again"
    );
}

#[test]
fn what_changed_since_is_resolved_as_without_a_compiler() {
    let repo = ts();
    import(&repo, "ts", &[]).success();
    // A new content, of which nobody has said anything: the methods change places.
    let shapes = text("ts", "src/shapes.ts");
    let swapped = shapes
        .replace("Circle", "Other")
        .replace("Square", "Circle")
        .replace("Other", "Square");
    repo.write("src/shapes.ts", swapped);
    let now = uses(&repo, "Circle.area");
    assert!(now.iter().all(|line| !line.contains("compiler")), "{now:?}");
    // What needs no compiler is as sure as ever.
    let own = uses(&repo, "all");
    assert_eq!(own.len(), 2);
    assert!(
        own.iter().all(|line| line.ends_with("resolved: scope")),
        "{own:?}"
    );
    repo.write("src/shapes.ts", shapes);
    assert_eq!(uses(&repo, "Circle.area").len(), 1);
}

#[test]
fn an_index_of_another_content_is_set_aside() {
    let repo = ts();
    let main = text("ts", "src/main.ts");
    repo.write("src/main.ts", format!("\n// later\n{main}"));
    let report = json(import(&repo, "ts", &["--json"]));
    assert_eq!(
        report["changed"],
        serde_json::json!(["src/main.ts"]),
        "{report}"
    );
    assert_eq!(report["blobs"], 1);
    repo.commit("two");
    let report = json(import(&repo, "ts", &["--json"]));
    assert_eq!(
        report["outdated"],
        serde_json::json!(["src/main.ts"]),
        "{report}"
    );
    assert_eq!(report["indexes"][0]["taken"], 1);
    let out = import(&repo, "ts", &["--rev", "HEAD~"]).success();
    assert!(out.contains("1 new"), "{out}");
    let facts = known(&repo);
    assert!(facts.get(blob(&repo, "HEAD:src/main.ts")).is_none());
    assert!(facts.get(blob(&repo, "HEAD~:src/main.ts")).is_some());
}

#[test]
fn an_index_of_a_folder_finds_its_files() {
    let repo = TestRepo::init();
    for path in TS {
        repo.write(format!("packages/cart/{path}"), text("ts", path));
    }
    repo.commit("one");
    let out = import(&repo, "ts", &[]).success();
    assert!(out.contains("2 of 2 documents taken"), "{out}");
    assert_eq!(
        uses(&repo, "Square.area"),
        ["packages/cart/src/main.ts:10 resolved: compiler"]
    );
}

#[test]
fn what_is_no_index_is_refused() {
    let repo = ts();
    for bytes in [&b"{\"a\": 1}"[..], b"", b"\x0a\xff\xff"] {
        let path = repo.beside("bad.scip");
        std::fs::write(&path, bytes).unwrap();
        let out = repo.sverklo(&["facts", "import", path.to_str().unwrap()]);
        assert_eq!(out.status, Some(2));
        assert!(out.stderr.contains("no SCIP index"), "{}", out.stderr);
    }
    let out = repo.sverklo(&["facts", "import", "nothing.scip"]);
    assert!(out.stderr.contains("nothing.scip"), "{}", out.stderr);
    // Of another repository.
    let out = import(&repo, "py", &[]);
    assert_eq!(out.status, Some(1), "nothing was recorded");
    assert!(
        out.stdout.contains("not in this tree: 3 paths"),
        "{}",
        out.stdout
    );
    assert_eq!(repo.sverklo(&["facts", "show"]).status, Some(1));
}

/// A hub with two clones that have the repository's commit.
fn clones(repo: &TestRepo) -> [TestRepo; 2] {
    let hub = repo.beside("hub.git");
    repo.git(&["clone", "-q", "--bare", ".", hub.to_str().unwrap()]);
    ["one", "two"].map(|name| {
        let dir = repo.beside(name);
        repo.git(&["clone", "-q", hub.to_str().unwrap(), dir.to_str().unwrap()]);
        repo.at(dir)
    })
}

#[test]
fn what_one_clone_was_told_all_others_learn() {
    let origin = ts();
    let [one, two] = clones(&origin);
    import(&one, "ts", &[]).success();
    let report = json(one.sverklo(&["push", "--json"]));
    assert_eq!(report["facts"], 2, "{report}");
    let report = json(two.sverklo(&["fetch", "--json"]));
    assert_eq!(report["facts"], 2, "{report}");
    assert_eq!(pieces(&one), pieces(&two));
    assert_eq!(
        uses(&two, "Square.area"),
        ["src/main.ts:10 resolved: compiler"]
    );
    let again = json(two.sverklo(&["push", "--json"]));
    assert_eq!(again["facts"], Value::Null, "{again}");
    // What the remote does not have stays here.
    one.write("src/shapes.ts", text("ts", "src/shapes.ts") + "\n");
    one.commit("private");
    let said = json(import(&one, "ts", &["--json"]));
    assert_eq!(said["added"], 1, "{said}");
    let report = json(one.sverklo(&["push", "--json"]));
    assert_eq!(report["facts"], Value::Null, "{report}");
    two.sverklo(&["fetch"]).success();
    assert_eq!((known(&one).len(), known(&two).len()), (3, 2));
}

/// Records that a symbol is used at a place of a file, which nobody checks.
fn claim(repo: &TestRepo, spec: &str, (line, col): (u32, u32), symbol: &str) {
    let symbol = Symbol::stored(symbol).unwrap();
    let facts = BlobFacts::of([], [(line, col, &symbol)]);
    let known = FactsByBlob::from([(blob(repo, spec), facts)]);
    record(&open(repo), &known).unwrap();
}

#[test]
fn a_stranger_whose_names_stand_elsewhere_is_not_believed() {
    const AREA: &str = "scip-typescript npm @shop/cart src/`shapes.ts`/Circle#area().";
    for (place, is_believed) in [((10, 45), true), ((10, 46), false), ((999, 0), false)] {
        let origin = ts();
        let [one, two] = clones(&origin);
        claim(&one, "HEAD:src/main.ts", place, AREA);
        one.sverklo(&["push"]).success();
        let out = two.sverklo(&["fetch"]);
        let said = format!("{}{}", out.stdout, out.stderr);
        assert_eq!(known(&two).len() == 1, is_believed, "{place:?}: {said}");
        assert_eq!(
            !said.contains("does not stand there"),
            is_believed,
            "{said}"
        );
        // Our own would be found by fsck.
        let out = one.sverklo(&["fsck", "--rederive", "100"]);
        let said = format!("{}{}", out.stdout, out.stderr);
        assert_eq!(
            !said.contains("does not stand there"),
            is_believed,
            "{said}"
        );
    }
}

#[test]
fn a_claim_leads_to_definitions_of_the_view_only() {
    let repo = ts();
    // No file defines it, and none of its package is known.
    claim(
        &repo,
        "HEAD:src/main.ts",
        (10, 45),
        "scip-x npm evil m/Elsewhere#area().",
    );
    let now = uses(&repo, "Square.area");
    assert_eq!(now, ["src/main.ts:10 ambiguous: ambiguous"]);
}

#[test]
fn facts_are_dropped_and_forgotten() {
    let repo = ts();
    import(&repo, "ts", &[]).success();
    let both = pieces(&repo);
    assert_eq!(repo.sverklo(&["facts", "drop"]).status, Some(2));
    let out = repo
        .sverklo(&["facts", "drop", "src/main.ts", "-n"])
        .success();
    assert!(out.contains("would drop the facts of 1 blob"), "{out}");
    assert_eq!(pieces(&repo), both);
    repo.sverklo(&["facts", "drop", "src/main.ts"]).success();
    assert_eq!(known(&repo).len(), 1);
    assert_eq!(
        uses(&repo, "Square.area"),
        ["src/main.ts:10 ambiguous: ambiguous"]
    );
    assert_eq!(repo.sverklo(&["facts", "drop", "docs"]).status, Some(1));
    import(&repo, "ts", &[]).success();
    assert_eq!(pieces(&repo), both, "the very piece that was dropped");
    let out = repo.sverklo(&["forget", "src/shapes.ts"]).success();
    assert!(out.contains(", facts of 1 blob\n"), "{out}");
    assert_eq!(known(&repo).len(), 1);
    repo.sverklo(&["facts", "drop", "--all"]).success();
    assert!(known(&repo).is_empty());
    repo.sverklo(&["fsck"]).success();
}

#[test]
fn gc_drops_the_facts_of_what_is_gone() {
    let repo = ts();
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("src/shapes.ts", text("ts", "src/shapes.ts") + "\n");
    repo.commit("topic");
    import(&repo, "ts", &[]).success();
    repo.sverklo(&["gc"]).success();
    assert_eq!(known(&repo).len(), 2);
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["branch", "-q", "-D", "topic"]);
    let out = repo.sverklo(&["gc", "--dry-run"]).success();
    assert!(
        out.contains("and the facts of 1 blob would be dropped"),
        "{out}"
    );
    repo.sverklo(&["gc"]).success();
    assert_eq!(known(&repo).len(), 1, "both branches have main.ts");
    repo.sverklo(&["fsck"]).success();
}
