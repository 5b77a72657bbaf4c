//! Neighbouring versions of the program at one index: each takes what its own extractor said and leaves the rest.
//!
//! The other build is this one, told that its Ruby is of a version to come.

use crate::harness::TestRepo;
use crate::store::open;
use crate::trust::{LIES, honest, lying, plant};
use git_sverklo::extract::record::{DocKey, Grammar, RowKey};
use git_sverklo::store::Snapshot;
use serde_json::Value;
use std::collections::BTreeSet;

const INDEX: &str = "refs/sverklo/v1/index";
/// Nothing to tell, so this build.
const OURS: &str = "";
const NEXT: &str = "ruby=255";

const FILES: [(&str, &str); 4] = [
    (
        "lib/cart.rb",
        "class Cart\n  def total\n    add(1)\n  end\nend\n",
    ),
    (
        "bin/tool",
        "#!/usr/bin/env ruby\ndef tool\n  Cart.new.total\nend\n",
    ),
    ("app.py", "def app():\n    return 1\n"),
    ("notes.txt", "the cart is a list\n"),
];

fn run(repo: &TestRepo, build: &str, args: &[&str]) -> String {
    let mut command = repo.sverklo_command(args);
    let out = command
        .env("SVERKLO_LANGUAGE_VERSIONS", build)
        .output()
        .unwrap();
    let (said, trouble) = (String::from_utf8(out.stdout), String::from_utf8(out.stderr));
    assert!(out.status.success(), "{args:?} of {build:?}: {trouble:?}");
    said.unwrap()
}

/// Indexes with a build; returns the number of documents that it had to extract.
fn index(repo: &TestRepo, build: &str) -> u64 {
    let report: Value = serde_json::from_str(&run(repo, build, &["index", "--json"])).unwrap();
    report["documents_added"].as_u64().unwrap()
}

fn hub() -> TestRepo {
    let hub = TestRepo::init();
    for (path, text) in FILES {
        hub.write(path, text);
    }
    hub.commit("begin");
    hub
}

fn clone(hub: &TestRepo, name: &str) -> TestRepo {
    let clone = hub.at(hub.beside(name));
    let url = format!("file://{}", hub.dir().display());
    hub.git(&["clone", "-q", &url, clone.dir().to_str().unwrap()]);
    clone
}

fn tip(repo: &TestRepo) -> String {
    repo.git(&["rev-parse", INDEX])
}

/// The rows of a file that an index holds.
fn rows(repo: &TestRepo, path: &str, grammar: Grammar) -> BTreeSet<RowKey> {
    let hex = repo.git(&["rev-parse", &format!("HEAD:{path}")]);
    let blob = git_sverklo::id::BlobId::from_hex(hex.as_bytes()).unwrap();
    let snapshot = Snapshot::open(&open(repo)).unwrap();
    let segments = snapshot.segments().iter();
    let rows = segments.flat_map(|open| {
        let segment = open.segment();
        segment
            .doc_ids()
            .map(|doc| segment.row_key(doc))
            .collect::<Vec<_>>()
    });
    rows.filter(|row| row.doc == DocKey { blob, grammar })
        .collect()
}

#[test]
fn two_builds_share_what_they_read_alike_through_one_remote() {
    let hub = hub();
    let (a, b) = (clone(&hub, "a"), clone(&hub, "b"));
    assert_eq!(index(&a, OURS), FILES.len() as u64);
    run(&a, OURS, &["push"]);
    run(&b, NEXT, &["fetch"]);
    assert_eq!(index(&b, NEXT), 2, "the Ruby file and the Ruby script");
    run(&b, NEXT, &["push"]);
    run(&a, OURS, &["fetch"]);
    assert_eq!(index(&a, OURS), 0);
    assert_eq!(rows(&a, "lib/cart.rb", Grammar::Ruby).len(), 2);
    assert_eq!(rows(&a, "bin/tool", Grammar::Text).len(), 2);
    assert_eq!(rows(&a, "app.py", Grammar::Python).len(), 1);
    for question in [
        ["symbol", "Cart"],
        ["refs", "total"],
        ["search", "cart list"],
    ] {
        let (one, two) = (run(&a, OURS, &question), run(&b, NEXT, &question));
        let text = |said: &str| {
            said.lines()
                .filter(|line| !line.starts_with("index "))
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert_eq!(text(&one), text(&two));
        assert_eq!(
            one.matches("lib/cart.rb:1").count(),
            two.matches("lib/cart.rb:1").count()
        );
    }
    // Whoever comes next, of either build, finds everything.
    for (name, build) in [("c", OURS), ("d", NEXT)] {
        let next = clone(&hub, name);
        run(&next, build, &["fetch"]);
        assert_eq!(index(&next, build), 0, "{name}");
        let checked = run(&next, build, &["fsck", "--rederive", "100"]);
        assert!(!checked.contains("differ"), "{checked}");
    }
}

#[test]
fn what_another_build_uses_is_kept_until_so_many_collections_have_not_met_it() {
    let hub = hub();
    let a = clone(&hub, "a");
    index(&a, OURS);
    let alone = tip(&a);
    run(&a, OURS, &["gc"]);
    assert_eq!(tip(&a), alone, "one build: nothing to remember");
    index(&a, NEXT);
    let ruby = |repo: &TestRepo| rows(repo, "lib/cart.rb", Grammar::Ruby).len();
    assert_eq!(ruby(&a), 2);
    for _ in 0..6 {
        run(&a, NEXT, &["gc"]);
    }
    assert_eq!(ruby(&a), 2);
    // The other one comes by, adds a document and so says that it is there.
    a.write("lib/more.rb", "def more\nend\n");
    a.commit("more");
    assert_eq!(index(&a, OURS), 1);
    for _ in 0..7 {
        run(&a, NEXT, &["gc"]);
        assert_eq!(ruby(&a), 2);
    }
    run(&a, NEXT, &["gc"]);
    assert_eq!(ruby(&a), 1);
    assert_eq!(
        rows(&a, "app.py", Grammar::Python).len(),
        1,
        "they agree on it"
    );
    assert_eq!(index(&a, NEXT), 1, "what only the other one had read");
    // It is not lost for good.
    assert_eq!(index(&a, OURS), 3);
    let settled = tip(&a);
    assert_eq!((index(&a, OURS), index(&a, NEXT)), (0, 0));
    assert_eq!(tip(&a), settled);
}

#[test]
fn a_stranger_of_another_version_is_believed_about_nothing_that_we_read() {
    let hub = hub();
    let a = clone(&hub, "a");
    index(&a, NEXT);
    // Nobody here can tell what that build says; it is kept, and not answered from.
    let said = run(&a, OURS, &["fsck", "--rederive", "100"]);
    assert!(!said.contains("differ"), "{said}");
    assert_eq!(index(&a, OURS), 2);
    let card = run(&a, OURS, &["symbol", "Cart"]);
    assert!(card.contains("lib/cart.rb:1"), "{card}");
}

#[test]
fn what_another_version_let_pass_is_judged_by_who_can_read_it() {
    let hub = hub();
    let a = clone(&hub, "a");
    let ours = open(&a);
    let (mut records, _) = honest(&ours, "HEAD");
    records.retain(|(key, _)| key.grammar == Grammar::Ruby);
    let (_, bytes) = lying(&ours, &records, LIES[0]);
    plant(&a, INDEX, &[&bytes]);
    assert_eq!(
        index(&a, NEXT),
        FILES.len() as u64,
        "it is no document of that build"
    );
    let mut command = a.sverklo_command(&["index", "--json"]);
    let report: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    assert_eq!(report["documents_added"], 2, "{report}");
    let told = report["warnings"].to_string();
    assert_eq!(
        told.matches("was wrong and is dropped").count(),
        1,
        "{told}"
    );
    assert!(told.contains("differ from what the blob says"), "{told}");
    let card = run(&a, OURS, &["symbol", "Cart"]);
    assert!(card.contains("lib/cart.rb:1"), "{card}");
    assert_eq!(index(&a, OURS), 0);
}
