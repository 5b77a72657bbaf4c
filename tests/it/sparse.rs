//! Sparse checkouts: what is asked about by itself, and what is said of the rest.

use super::harness::TestRepo;
use super::mcp::{call, text, with_client};
use serde_json::json;

/// A work tree of one folder of three.
fn sparse(flags: &[&str]) -> TestRepo {
    let repo = TestRepo::init();
    repo.write("top.js", "export function atTop() {}\n");
    repo.write("apps/readme.js", "export function beside() {}\n");
    repo.write(
        "apps/one/a.js",
        "export function inOne(a) {\n  return a;\n}\n",
    );
    repo.write(
        "apps/two/b.js",
        "import { inOne } from '../one/a.js';\nexport const inTwo = () => inOne(1);\n",
    );
    repo.write("lib/c.js", "import { inOne } from '../apps/one/a.js';\nexport function inLib() {\n  return inOne(2);\n}\n");
    repo.commit("one");
    repo.git(&[&["sparse-checkout", "set"], flags].concat());
    repo
}

#[test]
fn a_cone_is_asked_about_by_itself() {
    for flags in [
        &["--cone", "apps/one"][..],
        &["--cone", "--sparse-index", "apps/one"],
    ] {
        let repo = sparse(flags);
        let ask = |args: &[&str]| repo.sverklo(args);
        // As long as it is small, all of it is.
        assert_eq!(ask(&["symbol", "inLib"]).status, Some(0), "{flags:?}");
        repo.git(&["config", "sverklo.sparse", "cone"]);
        for name in ["inOne", "atTop", "beside"] {
            let found = ask(&["symbol", name]).success();
            let said = "2 folders outside of the sparse checkout left out: at HEAD asks about all";
            assert!(found.contains(said), "{found}");
            assert!(!found.contains("uncommitted"), "{found}");
        }
        let nothing = ask(&["symbol", "inLib"]);
        assert_eq!(nothing.status, Some(1), "{flags:?}");
        let said = "nothing found: searched 3 files\n\
                    not understood: not read 2 outside of the sparse checkout (apps/two, lib)\n";
        assert!(nothing.stdout.starts_with(said), "{}", nothing.stdout);
        let map = ask(&["map"]).success();
        assert!(map.starts_with("3 files: javascript 3 files, "), "{map}");
        assert!(
            map.contains("2 folders outside of the sparse checkout"),
            "{map}"
        );
        let found = ask(&["symbol", "inLib", "--at", "HEAD"]).success();
        assert!(
            found.contains("lib/c.js:2-4") && !found.contains("sparse"),
            "{found}"
        );
        // Nobody says dead of what those outside may use.
        let unused = ask(&["audit", "unused"]).stdout;
        assert!(unused.contains("| not listed: 3 exported |"), "{unused}");
        repo.git(&["config", "sverklo.sparse", "some"]);
        let told = ask(&["symbol", "inLib"]).success();
        assert!(
            told.contains("sverklo.sparse is \"some\", not auto, cone or whole"),
            "{told}"
        );
        repo.git(&["config", "sverklo.sparse", "whole"]);
        assert_eq!(ask(&["symbol", "inLib"]).status, Some(0), "{flags:?}");
    }
}

#[test]
fn a_change_in_a_cone_is_held_against_all() {
    let repo = sparse(&["--cone", "apps/one"]);
    repo.git(&["config", "sverklo.sparse", "cone"]);
    repo.write(
        "apps/one/a.js",
        "export function another(a) {\n  return a;\n}\n",
    );
    repo.sverklo(&["symbol", "another"]).success();
    assert_eq!(repo.sverklo(&["symbol", "inOne"]).status, Some(1));
    let told = repo.sverklo(&["diff"]).success();
    for place in ["apps/two/b.js:2", "lib/c.js:3"] {
        assert!(told.contains(place), "{place}: {told}");
    }
    assert!(
        !told.contains("not covered") && !told.contains("removed file"),
        "{told}"
    );
}

#[test]
fn what_is_staged_outside_of_a_cone_is_left_out_too() {
    let repo = sparse(&["--cone", "--no-sparse-index", "apps/one"]);
    repo.git(&["config", "sverklo.sparse", "cone"]);
    let blob = repo.git(&["rev-parse", "HEAD:top.js"]);
    let entry = format!("100644,{},lib/c.js", blob.trim());
    repo.git(&["update-index", "--cacheinfo", &entry]);
    repo.git(&["update-index", "--skip-worktree", "lib/c.js"]);
    let found = repo.sverklo(&["symbol", "inOne"]).success();
    assert!(!found.contains("uncommitted"), "{found}");
    // What was brought there by hand is part of the work tree.
    repo.write("lib/new.js", "export function fresh() {}\n");
    let found = repo.sverklo(&["symbol", "fresh"]).success();
    assert!(found.contains("lib/new.js:1"), "{found}");
}

#[test]
fn patterns_that_are_no_cone_leave_nothing_out() {
    let repo = sparse(&["--no-cone", "/apps/one/*", "*.md"]);
    repo.git(&["config", "sverklo.sparse", "cone"]);
    let found = repo.sverklo(&["symbol", "inLib"]).success();
    assert!(
        found.contains("lib/c.js:2-4") && !found.contains("sparse"),
        "{found}"
    );
}

#[test]
fn a_server_follows_a_cone() {
    let repo = sparse(&["--cone", "--sparse-index", "apps/one"]);
    repo.git(&["config", "sverklo.sparse", "cone"]);
    with_client(&repo, async |client| {
        let ask = async |name: &str| {
            let told = client
                .call_tool(call("symbol", json!({ "name": name })))
                .await;
            text(&told.unwrap()).to_owned()
        };
        let (mine, theirs) = (ask("inOne").await, ask("inTwo").await);
        assert!(mine.contains("apps/one/a.js:1-3"), "{mine}");
        assert!(theirs.starts_with("nothing found"), "{theirs}");
        repo.write("apps/one/d.js", "export function later() {}\n");
        let later = ask("later").await;
        assert!(later.contains("apps/one/d.js:1"), "{later}");
        repo.git(&["sparse-checkout", "add", "apps/two"]);
        let theirs = ask("inTwo").await;
        assert!(theirs.contains("apps/two/b.js:2"), "{theirs}");
        assert!(
            theirs.contains("1 folder outside of the sparse checkout"),
            "{theirs}"
        );
        repo.git(&["sparse-checkout", "disable"]);
        let all = ask("inLib").await;
        assert!(
            all.contains("lib/c.js:2-4") && !all.contains("sparse"),
            "{all}"
        );
    });
}

#[test]
#[cfg(unix)]
fn what_says_which_folders_is_a_file_with_an_end() {
    let repo = sparse(&["--cone", "apps/one"]);
    repo.git(&["config", "sverklo.sparse", "cone"]);
    assert_eq!(repo.sverklo(&["symbol", "inLib"]).status, Some(1));
    let place = repo.dir().join(".git/info/sparse-checkout");
    std::fs::remove_file(&place).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &place).unwrap();
    repo.sverklo(&["symbol", "inLib"]).success();
}
