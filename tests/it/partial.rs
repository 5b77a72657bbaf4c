//! Clones that lack blobs or history: nothing is fetched unasked, and what is asked for comes in
//! one fetch.

use crate::harness::TestRepo;
#[cfg(target_os = "linux")]
use crate::mcp::with_client_by;
use crate::mcp::{call, text, with_client};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A remote with two commits and an index of the later one.
fn remote() -> TestRepo {
    let repo = TestRepo::init();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    for n in 0..6 {
        let text =
            format!("/** Adds {n}. */\nfunction addNumber{n}(a) {{\n  return a + {n};\n}}\n");
        repo.write(format!("src/old{n}.js"), &text);
    }
    repo.commit("first");
    for n in 0..6 {
        let text =
            format!("// Second.\nfunction addNumber{n}(a) {{\n  return helper(a) + {n};\n}}\n");
        repo.write(format!("src/add{n}.js"), &text);
        repo.remove(format!("src/old{n}.js"));
    }
    repo.write("src/helper.js", "function helper(a) {\n  return a;\n}\n");
    repo.commit("second");
    repo.sverklo(&["index", "HEAD"]).success();
    repo
}

fn url(repo: &TestRepo) -> String {
    format!("file://{}", repo.dir().display())
}

/// A bare clone without any blob, but with the remote's index.
fn without_blobs(repo: &TestRepo) -> TestRepo {
    let dir = repo.beside("partial.git");
    let to = dir.to_str().unwrap();
    repo.git(&[
        "clone",
        "-q",
        "--bare",
        "--filter=blob:none",
        &url(repo),
        to,
    ]);
    let clone = repo.at(&dir);
    let spec = "refs/sverklo/v1/index:refs/sverklo/v1/index";
    clone.git(&[
        "fetch",
        "-q",
        "--no-filter",
        "--no-write-fetch-head",
        "origin",
        spec,
    ]);
    clone
}

/// What a command said, and how often it ran `git fetch`.
fn traced(repo: &TestRepo, args: &[&str]) -> (Value, usize) {
    let trace: PathBuf = repo.beside("trace");
    let _ = std::fs::remove_file(&trace);
    let out = repo
        .sverklo_command(args)
        .arg("--json")
        .env("GIT_TRACE2_EVENT", &trace)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{args:?}: {said}");
    let trace = std::fs::read_to_string(&trace).unwrap_or_default();
    let fetches = trace.lines().filter(|line| {
        line.contains("\"event\":\"cmd_name\"") && line.contains("\"name\":\"fetch\"")
    });
    (
        serde_json::from_slice(&out.stdout).unwrap(),
        fetches.count(),
    )
}

/// Blobs of the code that are here.
fn blobs_here(clone: &TestRepo) -> usize {
    let listed = clone.git(&[
        "rev-list",
        "--objects",
        "--missing=print",
        "--no-object-names",
        "--all",
    ]);
    let out = clone.git(&[
        "cat-file",
        "--batch-check=%(objecttype)",
        "--batch-all-objects",
    ]);
    assert!(listed.lines().count() > 0);
    let segments = clone
        .git(&["ls-tree", "-r", "refs/sverklo/v1/index"])
        .lines()
        .count();
    out.lines().filter(|kind| *kind == "blob").count() - segments
}

fn warnings(answer: &Value) -> String {
    answer["index"]["warnings"].to_string()
}

#[test]
fn an_index_answers_without_blobs_and_snippets_cost_one_fetch() {
    let repo = remote();
    let clone = without_blobs(&repo);
    assert_eq!(blobs_here(&clone), 0);

    let (symbol, fetches) = traced(&clone, &["symbol", "addNumber3"]);
    assert_eq!(fetches, 0);
    assert_eq!(symbol["total"], 1);
    let text = clone.sverklo(&["symbol", "addNumber3"]).success();
    assert!(text.contains("src/add3.js:2-4"), "{text}");
    let (refs, fetches) = traced(&clone, &["refs", "helper"]);
    assert_eq!((&refs["total"], fetches), (&6.into(), 0));
    assert!(
        warnings(&refs).contains("the text of 6 files is not in this clone"),
        "{refs}"
    );
    assert!(warnings(&refs).contains("`git sverklo trust`"), "{refs}");
    let (map, fetches) = traced(&clone, &["map"]);
    assert_eq!((&map["files"], fetches), (&7.into(), 0));
    assert_eq!(traced(&clone, &["status"]).1, 0);
    assert_eq!(blobs_here(&clone), 0, "nothing was fetched");

    clone.sverklo(&["trust"]).success();
    clone.git(&["config", "sverklo.lazyFetch", "false"]);
    let (refs, fetches) = traced(&clone, &["refs", "helper"]);
    assert_eq!(fetches, 0, "who said no is not overruled by consent");
    assert!(
        warnings(&refs).contains("--unset sverklo.lazyFetch"),
        "{refs}"
    );
    clone.git(&["config", "--unset", "sverklo.lazyFetch"]);
    let (refs, fetches) = traced(&clone, &["refs", "helper"]);
    assert_eq!(fetches, 1, "all snippets in one fetch");
    assert_eq!(blobs_here(&clone), 6, "and nothing but these");
    assert_eq!(warnings(&refs), "null");
    let text = clone.sverklo(&["refs", "helper"]).success();
    assert_eq!(text.matches("return helper(a)").count(), 6, "{text}");
    assert_eq!(traced(&clone, &["refs", "helper"]).1, 0, "they stay");
    let (_, fetches) = traced(&clone, &["search", "helper", "add", "number"]);
    assert!(fetches <= 1);
    assert_eq!(blobs_here(&clone), 7);
    assert!(!clone.dir().join("FETCH_HEAD").exists());
}

#[test]
fn a_remote_that_cannot_be_reached_costs_the_text_and_not_the_answer() {
    let repo = remote();
    let clone = without_blobs(&repo);
    clone.git(&[
        "remote",
        "set-url",
        "origin",
        &format!("{}-gone", url(&repo)),
    ]);
    clone.sverklo(&["trust"]).success();
    let (refs, fetches) = traced(&clone, &["refs", "helper"]);
    assert_eq!((&refs["total"], fetches), (&6.into(), 1));
    assert!(warnings(&refs).contains("`git fetch` failed"), "{refs}");
    let out = clone.sverklo(&["index", "HEAD~1"]);
    assert_eq!(out.status, Some(0));
    assert!(
        out.stderr.contains("6 blobs are not in this clone"),
        "{}",
        out.stderr
    );
}

#[test]
fn an_old_revision_is_fetched_at_once_when_it_is_to_be_indexed() {
    let repo = remote();
    let clone = without_blobs(&repo);
    let (answer, fetches) = traced(&clone, &["map", "--at", "HEAD~1"]);
    assert_eq!(fetches, 0, "a question does not fetch a whole tree");
    assert_eq!(answer["index"]["uncovered"], 6, "{answer}");
    assert!(
        warnings(&answer).contains("`git sverklo index 'HEAD~1'`"),
        "{answer}"
    );
    // Without leave that alone fetches nothing.
    assert!(
        warnings(&answer).contains("`git sverklo trust` lets it"),
        "{answer}"
    );
    let (report, fetches) = traced(&clone, &["index", "HEAD~1"]);
    assert_eq!((&report["documents_added"], fetches), (&0.into(), 0));
    clone.sverklo(&["trust"]).success();
    let (answer, _) = traced(&clone, &["map", "--at", "HEAD~1"]);
    assert!(
        warnings(&answer).contains("`git sverklo index 'HEAD~1'` fetches what is missing"),
        "{answer}"
    );
    let (report, fetches) = traced(&clone, &["index", "HEAD~1"]);
    assert_eq!((&report["documents_added"], fetches), (&6.into(), 1));
    assert_eq!(traced(&clone, &["index", "HEAD~1"]).1, 0);
    let (answer, fetches) = traced(&clone, &["symbol", "addNumber2", "--at", "HEAD~1"]);
    assert_eq!((&answer["total"], fetches), (&1.into(), 0));
}

#[test]
fn a_review_of_a_base_that_is_not_here_passes_as_far_as_was_looked() {
    let repo = remote();
    let clone = without_blobs(&repo);
    let out = clone.sverklo(&["review", "--ci", "HEAD~1..HEAD"]);
    assert_eq!(out.status, Some(0), "{}", out.stderr);
    let said = out.stdout;
    assert!(
        said.contains("6 files of the base are not covered"),
        "{said}"
    );
    assert!(said.contains("passes as far as was looked"), "{said}");
    let out = clone.sverklo(&["gate", "--base", "HEAD~1", "--head", "HEAD"]);
    assert_eq!(out.status, Some(0), "{}", out.stderr);
    let said = out.stdout;
    assert!(
        said.contains("6 files of the base are not covered"),
        "{said}"
    );
    assert!(said.ends_with("| passes as far as was looked\n"), "{said}");
    let out = repo.sverklo(&["review", "--ci", "HEAD~1..HEAD"]);
    assert!(out.stdout.ends_with("| passes\n"), "{}", out.stdout);
}

/// The user's own word for all repositories: it is good for an address, and for nothing that is run.
#[test]
fn a_question_fetches_by_the_users_word_from_what_is_no_more_than_an_address() {
    let repo = remote();
    let clone = without_blobs(&repo);
    clone.git(&["config", "sverklo.lazyFetch", "true"]);
    let ask = || traced(&clone, &["refs", "helper"]);
    assert_eq!(ask().1, 0, "the repository's own word is none");
    clone.git(&["config", "--unset", "sverklo.lazyFetch"]);
    clone.git(&["config", "--global", "sverklo.lazyFetch", "true"]);
    let (refs, fetches) = ask();
    assert_eq!(fetches, 1);
    assert!(warnings(&refs).contains("'file' not allowed"), "{refs}");
    clone.git(&["config", "--global", "protocol.file.allow", "always"]);
    clone.git(&["config", "remote.origin.uploadpack", "git-upload-pack"]);
    assert_eq!(ask().1, 0, "a program is more than an address");
    clone.git(&["config", "--unset", "remote.origin.uploadpack"]);
    let (refs, fetches) = ask();
    assert_eq!((fetches, blobs_here(&clone)), (1, 6), "{refs}");
}

#[test]
fn a_shallow_clone_stays_as_it_is() {
    let repo = remote();
    for n in 0..8 {
        repo.write("src/more.js", format!("function more{n}() {{}}\n"));
        repo.commit(&format!("more {n}"));
    }
    let dir = repo.beside("shallow");
    let to = dir.to_str().unwrap();
    repo.git(&["clone", "-q", "--depth=4", &url(&repo), to]);
    let clone = repo.at(&dir);
    let boundary = std::fs::read(dir.join(".git/shallow")).unwrap();
    for (args, parts) in [
        (&["index", "-v"][..], "covered: "),
        (&["index", "-v", "--all"], "covered: "),
        (&["index", "-v", "--since", "2000-01-01"], "covered: "),
        (&["index", "-v", "--rev-range", "HEAD~2..HEAD"], "covered: "),
        (&["symbol", "more5", "--at", "HEAD~2"], "src/more.js"),
        (&["symbol", "more7"], "src/more.js"),
        (&["status"], "covered: "),
        (&["gc", "-v"], "after: "),
    ] {
        let out = clone.sverklo(args);
        assert_eq!(out.stderr, "", "{args:?}");
        let said = out.success();
        assert!(said.contains(parts), "{args:?}: {said}");
        assert_eq!(
            std::fs::read(dir.join(".git/shallow")).unwrap(),
            boundary,
            "{args:?}"
        );
    }
    let (report, _) = traced(&clone, &["index", "--all"]);
    assert_eq!(report["commits_total"], 4, "{report}");
    assert_eq!(clone.git(&["rev-list", "--count", "HEAD"]), "4");
    let out = clone.sverklo(&["symbol", "more5", "--at", "HEAD~5"]);
    assert_eq!(out.status, Some(2));
    assert!(out.stderr.contains("unknown revision"), "{}", out.stderr);
}

/// A work tree of one folder of two, in a clone that has the blobs of that alone.
fn sparse() -> (TestRepo, TestRepo) {
    let repo = TestRepo::init();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    repo.write("app/use.js", "function useIt() {\n  return deepest();\n}\n");
    for (folder, name) in [("lib", "deepest"), ("far", "farthest")] {
        let text = format!("function {name}() {{\n  return 1;\n}}\n");
        repo.write(format!("{folder}/{name}.js"), text);
    }
    repo.commit("one");
    let dir = repo.beside("sparse");
    let to = dir.to_str().unwrap();
    repo.git(&[
        "clone",
        "-q",
        "--filter=blob:none",
        "--sparse",
        &url(&repo),
        to,
    ]);
    let clone = repo.at(&dir);
    clone.git(&["sparse-checkout", "set", "app"]);
    (repo, clone)
}

#[test]
fn what_a_clone_lacks_is_remembered_until_it_comes() {
    let (repo, clone) = sparse();
    let ask = |name: &str| clone.sverklo(&["symbol", name]);
    let nothing = ask("deepest");
    assert_eq!(nothing.status, Some(1));
    let said = "nothing found: searched 1 of 3 files\n\
                not understood: not read 2 not covered (far/farthest.js, lib/deepest.js)\n";
    assert!(nothing.stdout.starts_with(said), "{}", nothing.stdout);
    let next = "next: git sverklo status\n";
    assert!(nothing.stdout.ends_with(next), "{}", nothing.stdout);
    let views = std::fs::read_dir(clone.kept().join("view")).unwrap();
    assert_eq!(views.count(), 1, "not listed again");
    assert_eq!(ask("deepest").stdout, nothing.stdout);

    // As a file of its own.
    let text = repo.git_bytes(&["show", "HEAD:lib/deepest.js"]);
    std::fs::write(clone.beside("text"), text).unwrap();
    clone.git(&["hash-object", "-w", "../text"]);
    let found = ask("deepest").success();
    assert!(found.contains("lib/deepest.js:1-3"), "{found}");
    assert_eq!(ask("farthest").status, Some(1));
    // In a pack.
    clone.git(&["sparse-checkout", "add", "far"]);
    ask("farthest").success();
    let refs = clone.sverklo(&["refs", "deepest"]).success();
    assert!(refs.contains("app/use.js"), "{refs}");
    assert!(!refs.contains("not covered"), "{refs}");
}

#[test]
fn a_server_sees_what_comes_to_a_clone() {
    let (repo, clone) = sparse();
    with_client(&clone, async |client| {
        let symbol = async |name: &str| {
            let result = client
                .call_tool(call("symbol", json!({ "name": name })))
                .await;
            text(&result.unwrap()).to_owned()
        };
        for edit in ["one", "two"] {
            clone.write("app/new.js", format!("function {edit}() {{}}\n"));
            for _ in 0..2 {
                let own = symbol(edit).await;
                assert!(own.contains("app/new.js:1"), "{own}");
                let deep = symbol("deepest").await;
                assert!(deep.contains("searched 2 of 4 files"), "{deep}");
            }
        }
        clone.git(&["sparse-checkout", "add", "lib"]);
        let deep = symbol("deepest").await;
        assert!(deep.contains("lib/deepest.js:1-3"), "{deep}");
        assert!(deep.contains("1 file not covered"), "{deep}");
        // From an index that somebody else has made.
        repo.sverklo(&["index", "HEAD"]).success();
        let spec = "refs/sverklo/v1/index:refs/sverklo/v1/index";
        clone.git(&["update-ref", "-d", "refs/sverklo/v1/index"]);
        clone.git(&["fetch", "-q", "--no-filter", "origin", spec]);
        let far = symbol("farthest").await;
        assert!(far.contains("far/farthest.js:1-3"), "{far}");
        client.cancel().await.unwrap();
    });
}

/// A remote with an index, in which an import means what a file of its own says.
fn configured() -> TestRepo {
    let repo = TestRepo::init();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let config =
        r#"{"compilerOptions": {"baseUrl": ".", "paths": {"@deep/*": ["../lib/inner/*"]}}}"#;
    repo.write("app/tsconfig.json", config);
    repo.write(
        "lib/inner/tool.ts",
        "export function tool() {\n  return 1;\n}\n",
    );
    repo.write(
        "other/tool.ts",
        "export function tool() {\n  return 2;\n}\n",
    );
    let user = "import { tool } from '@deep/tool';\n\nexport const used = tool();\n";
    repo.write("app/use.ts", user);
    repo.commit("one");
    repo.sverklo(&["index", "HEAD"]).success();
    repo
}

/// A graph that was made without what configures imports is not taken for that of the tree.
#[test]
fn configuration_that_is_not_here_is_told_and_counts_once_it_is() {
    let repo = configured();
    let clone = without_blobs(&repo);
    let ask = || traced(&clone, &["refs", "lib/inner/tool.ts::tool#function"]).0;
    let certain = |refs: &Value| refs["counts"]["resolved"].as_u64();
    for _ in 0..2 {
        let refs = ask();
        let told = "1 file that says how imports are read cannot be read";
        assert!(warnings(&refs).contains(told), "{refs}");
        assert_eq!(certain(&refs), Some(0), "{refs}");
    }
    clone.git(&["cat-file", "-e", "HEAD:app/tsconfig.json"]);
    let refs = ask();
    assert_eq!(certain(&refs), Some(2), "{refs}");
    assert!(!warnings(&refs).contains("how imports are read"), "{refs}");
}

/// However many graphs are made without it before somebody asks.
#[test]
#[cfg(target_os = "linux")]
fn a_server_tells_once_what_configuration_is_missing() {
    let repo = configured();
    let dir = repo.beside("few");
    let to = dir.to_str().unwrap();
    repo.git(&[
        "clone",
        "-q",
        "--filter=blob:none",
        "--sparse",
        &url(&repo),
        to,
    ]);
    let clone = repo.at(&dir);
    clone.git(&["sparse-checkout", "set", "other"]);
    let spec = "refs/sverklo/v1/index:refs/sverklo/v1/index";
    clone.git(&["fetch", "-q", "--no-filter", "origin", spec]);
    let reached = clone.beside("made.reached");
    let mut command = clone.sverklo_command(&["mcp"]);
    command.env(
        "SVERKLO_HOLD",
        format!("ready={}", clone.beside("made").display()),
    );
    with_client_by(command, async |client| {
        for round in 0..2 {
            let asked = call(
                "refs",
                json!({"target": "lib/inner/tool.ts::tool#function"}),
            );
            let refs = client.call_tool(asked).await.unwrap();
            let told = text(&refs).matches("how imports are read").count();
            assert_eq!(told, 1, "{}", text(&refs));
            assert!(!text(&refs).contains("more warning"), "{}", text(&refs));
            for edit in 0..2 {
                let body = format!("export const edit{round}{edit} = 1;\n");
                clone.write("other/new.ts", body);
                let mut waits = 0;
                while std::fs::remove_file(&reached).is_err() {
                    assert!(waits < 3000, "nothing gets ready");
                    waits += 1;
                    tokio::time::sleep(std::time::Duration::from_millis(10)).await;
                }
            }
        }
        client.cancel().await.unwrap();
    });
}
