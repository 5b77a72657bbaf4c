//! Every kind of repository git knows gives a sane answer.

use crate::harness::{Kind, TestRepo};

const SOURCE: &str = "/** Adds numbers. */\nexport function addNumbers(a, b) {\n  return a + b;\n}\n\nconst sum = addNumbers(1, 2);\n";

fn with_commit(kind: Kind) -> TestRepo {
    let repo = TestRepo::init_as(kind);
    repo.write("src/add.js", SOURCE);
    repo.commit("first");
    repo
}

/// The three questions find what they must.
fn assert_answers(repo: &TestRepo, context: &str) {
    let symbol = repo.sverklo(&["symbol", "addNumbers"]).success();
    assert!(symbol.contains("src/add.js:2-4"), "{context}: {symbol}");
    let refs = repo.sverklo(&["refs", "addNumbers"]).success();
    assert!(
        refs.contains("src/add.js") && refs.contains("const sum"),
        "{context}: {refs}"
    );
    let search = repo.sverklo(&["search", "add numbers"]).success();
    assert!(search.contains("src/add.js"), "{context}: {search}");
}

#[test]
fn sha256_and_reftable() {
    for (sha256, reftable) in [(true, false), (false, true), (true, true)] {
        let repo = with_commit(Kind {
            sha256,
            reftable,
            bare: false,
        });
        assert_answers(&repo, &format!("sha256 {sha256}, reftable {reftable}"));
        let tip = repo.git(&["rev-parse", "refs/sverklo/v1/index"]);
        assert_eq!(tip.trim().len(), if sha256 { 64 } else { 40 });
        repo.git(&["fsck", "--strict"]);
        repo.write("src/more.js", "function oneMore() {}\n");
        repo.commit("second");
        repo.sverklo(&["index"]).success();
        assert_ne!(
            repo.git(&["rev-parse", "refs/sverklo/v1/index"]),
            tip,
            "the ref git sees moved"
        );
        assert!(
            repo.sverklo(&["symbol", "oneMore"])
                .success()
                .contains("src/more.js:1")
        );
    }
}

#[test]
fn a_bare_repository_answers_from_head() {
    let repo = with_commit(Kind::default());
    let dir = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", dir.to_str().expect("UTF-8")]);
    assert_answers(&repo.at(&dir), "bare");
}

#[test]
fn linked_work_trees_share_the_index_and_keep_their_edits_apart() {
    let repo = with_commit(Kind::default());
    repo.sverklo(&["index"]).success();
    let tip = repo.git(&["rev-parse", "refs/sverklo/v1/index"]);
    let dir = repo.beside("linked");
    repo.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "other",
        dir.to_str().expect("UTF-8"),
    ]);
    let linked = repo.at(&dir);
    assert_answers(&linked, "linked work tree");
    linked.write("src/draft.js", "function draftOnly() {}\n");
    assert!(
        linked
            .sverklo(&["symbol", "draftOnly"])
            .success()
            .contains("src/draft.js:1")
    );
    assert_eq!(
        repo.sverklo(&["symbol", "draftOnly"]).status,
        Some(1),
        "another tree's draft"
    );
    assert_eq!(
        repo.git(&["rev-parse", "refs/sverklo/v1/index"]),
        tip,
        "nothing new to store"
    );
}

#[test]
fn a_repository_without_commits_answers_from_its_files() {
    let repo = TestRepo::init();
    let out = repo.sverklo(&["search", "anything"]);
    assert_eq!(out.status, Some(1), "{}", out.stderr);
    repo.write("src/add.js", SOURCE);
    assert_answers(&repo, "unborn branch");
    assert!(
        repo.try_git(&["rev-parse", "refs/sverklo/v1/index"]).status != Some(0),
        "nothing stored"
    );
    let out = repo.sverklo(&["symbol", "addNumbers", "--at", "HEAD"]);
    assert_eq!(out.status, Some(2));
    assert!(out.stderr.contains("no commit"), "{}", out.stderr);
}

#[test]
fn a_detached_head_and_an_old_commit() {
    let repo = with_commit(Kind::default());
    let first = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.write("src/add.js", "export function renamedLater() {}\n");
    repo.commit("second");
    assert_eq!(repo.sverklo(&["symbol", "addNumbers"]).status, Some(1));
    let old = repo
        .sverklo(&["symbol", "addNumbers", "--at", "HEAD~1"])
        .success();
    assert!(
        old.contains("src/add.js:2-4") && old.contains(&first[..10]),
        "{old}"
    );
    repo.git(&["checkout", "-q", "--detach", "HEAD~1"]);
    assert_answers(&repo, "detached");
}

#[test]
fn a_shallow_clone() {
    let repo = with_commit(Kind::default());
    repo.write("src/later.js", "function later() {}\n");
    repo.commit("second");
    let dir = repo.beside("shallow");
    let from = format!("file://{}", repo.dir().display());
    repo.git(&[
        "clone",
        "-q",
        "--depth=1",
        &from,
        dir.to_str().expect("UTF-8"),
    ]);
    let shallow = repo.at(&dir);
    let boundary = std::fs::read(dir.join(".git/shallow")).expect("it is shallow");
    assert_answers(&shallow, "shallow");
    assert_eq!(
        std::fs::read(dir.join(".git/shallow")).expect("still"),
        boundary
    );
    assert_eq!(
        shallow
            .sverklo(&["symbol", "addNumbers", "--at", "HEAD~1"])
            .status,
        Some(2)
    );
}

#[test]
fn submodules_are_left_to_themselves() {
    let repo = with_commit(Kind::default());
    let other = repo.beside("library");
    repo.git(&["init", "-q", other.to_str().expect("UTF-8")]);
    let library = repo.at(&other);
    library.write("inner.js", "function insideTheSubmodule() {}\n");
    library.commit("library");
    repo.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        other.to_str().expect("UTF-8"),
        "vendored-lib",
    ]);
    repo.commit("add the submodule");
    assert_answers(&repo, "with a submodule");
    assert_eq!(
        repo.sverklo(&["symbol", "insideTheSubmodule"]).status,
        Some(1)
    );
    let inside = repo.at(repo.dir().join("vendored-lib"));
    assert!(
        inside
            .sverklo(&["symbol", "insideTheSubmodule"])
            .success()
            .contains("inner.js:1")
    );
}

#[cfg(unix)]
#[test]
fn paths_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt as _;
    let repo = with_commit(Kind::default());
    let odd = std::ffi::OsStr::from_bytes(b"src/caf\xe9.js");
    repo.write(odd, "function oddlyPlaced() { return addNumbers(1, 1); }\n");
    repo.commit("odd path");
    assert_answers(&repo, "non-UTF-8 path");
    let out = repo.sverklo(&["symbol", "oddlyPlaced", "--body"]).success();
    assert!(
        out.contains("src/caf") && out.contains("return addNumbers"),
        "{out}"
    );
    let json = repo.sverklo(&["symbol", "oddlyPlaced", "--json"]).success();
    let json: serde_json::Value = serde_json::from_str(&json).expect("valid JSON");
    assert_eq!(json["cards"][0]["name"], "oddlyPlaced", "{json}");
}

#[test]
fn a_subdirectory_and_minus_capital_c() {
    let repo = with_commit(Kind::default());
    assert_answers(&repo.at(repo.dir().join("src")), "subdirectory");
    let elsewhere = repo.beside("elsewhere");
    std::fs::create_dir(&elsewhere).expect("temporary");
    let dir = repo.dir().to_str().expect("UTF-8").to_owned();
    let out = repo
        .at(&elsewhere)
        .sverklo(&["-C", &dir, "symbol", "addNumbers"])
        .success();
    assert!(out.contains("src/add.js:2-4"), "{out}");
}

#[test]
fn not_a_repository() {
    let repo = TestRepo::init();
    let elsewhere = repo.beside("elsewhere");
    std::fs::create_dir(&elsewhere).expect("temporary");
    for args in [
        &["search", "x"][..],
        &["index"],
        &["symbol", "x"],
        &["map"],
        &["gc"],
        &["status"],
    ] {
        let out = repo.at(&elsewhere).sverklo(args);
        assert_eq!(out.status, Some(2), "{args:?}");
        assert!(
            out.stderr.contains("not inside a git repository"),
            "{args:?}: {}",
            out.stderr
        );
        assert!(out.stdout.is_empty(), "{args:?}: {}", out.stdout);
    }
}

#[test]
fn bad_revisions_say_so() {
    let repo = with_commit(Kind::default());
    for rev in ["nonsense", "--all", "HEAD^{tree}", ""] {
        let out = repo.sverklo(&["symbol", "addNumbers", &format!("--at={rev}")]);
        assert_eq!(out.status, Some(2), "{rev:?}: {}{}", out.stdout, out.stderr);
        assert!(out.stdout.is_empty() && !out.stderr.is_empty(), "{rev:?}");
    }
}

#[test]
fn uncommitted_files_never_reach_the_object_store() {
    let repo = with_commit(Kind::default());
    repo.sverklo(&["index"]).success();
    let before = repo.git(&["count-objects", "-v"]);
    repo.write("src/secret_plan.js", "function secretPlan() {}\n");
    repo.write("src/add.js", SOURCE.replace("addNumbers", "addEverything"));
    assert!(
        repo.sverklo(&["symbol", "secretPlan"])
            .success()
            .contains("+2 dirty")
    );
    assert!(
        repo.sverklo(&["symbol", "addEverything"])
            .success()
            .contains("src/add.js:2-4")
    );
    assert_eq!(
        repo.sverklo(&["symbol", "addNumbers"]).status,
        Some(1),
        "masked by the edit"
    );
    repo.remove("src/add.js");
    assert_eq!(
        repo.sverklo(&["symbol", "addEverything"]).status,
        Some(1),
        "deleted"
    );
    assert_eq!(repo.git(&["count-objects", "-v"]), before);
    assert_eq!(
        repo.git(&["status", "--porcelain"]),
        " D src/add.js\n?? src/secret_plan.js"
    );
}

#[test]
fn ignored_files_and_secrets_are_not_read() {
    let repo = with_commit(Kind::default());
    repo.write(".gitignore", "build/\n");
    repo.write("build/out.js", "function builtByTool() {}\n");
    repo.write(".env", "PASSWORD_OF_DATABASE=hunter2\n");
    repo.commit("with a secret");
    assert_eq!(repo.sverklo(&["symbol", "builtByTool"]).status, Some(1));
    assert_eq!(
        repo.sverklo(&["search", "PASSWORD_OF_DATABASE"]).status,
        Some(1)
    );
}

#[test]
fn a_damaged_cache_changes_no_answer() {
    let repo = with_commit(Kind::default());
    repo.write("src/draft.js", "function draftOnly() {}\n");
    assert!(
        repo.sverklo(&["symbol", "draftOnly"])
            .success()
            .contains("src/draft.js:1")
    );
    let tip = repo.git(&["rev-parse", "refs/sverklo/v1/index"]);
    let mut damaged = 0;
    for damage in [
        |_: &[u8]| Vec::new(),
        |b: &[u8]| b[..b.len() / 2].to_vec(),
        |b: &[u8]| b.iter().map(|byte| byte ^ 0x55).collect(),
    ] {
        for file in files_below(&repo.dir().join(".git/sverklo")) {
            let bytes = std::fs::read(&file).expect("just listed");
            std::fs::write(&file, damage(&bytes)).expect("our own repository");
            damaged += 1;
        }
        assert_answers(&repo, "damaged cache");
        assert!(
            repo.sverklo(&["symbol", "draftOnly"])
                .success()
                .contains("src/draft.js:1")
        );
    }
    assert!(
        damaged >= 9,
        "a segment, a view and an overlay each time, not {damaged}"
    );
    assert_eq!(
        repo.git(&["rev-parse", "refs/sverklo/v1/index"]),
        tip,
        "nothing was lost"
    );
}

fn files_below(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        match path.is_dir() {
            true => files.extend(files_below(&path)),
            false => files.push(path),
        }
    }
    files
}

#[test]
fn a_ref_that_is_no_index_is_one_warning() {
    let repo = with_commit(Kind::default());
    repo.git(&["update-ref", "refs/sverklo/v1/index", "HEAD"]);
    assert_answers(&repo, "the ref names a commit of the user");
    repo.git(&["fsck", "--strict"]);
    assert_ne!(
        repo.git(&["rev-parse", "refs/sverklo/v1/index"]),
        repo.git(&["rev-parse", "HEAD"])
    );
}

#[test]
fn no_advice_would_change_a_ref_that_is_not_ours() {
    let repo = TestRepo::init();
    repo.write("a.py", "def one():\n    pass\n");
    let commit = repo.commit("one");
    let branch = repo.dir().join(".git/refs/heads/main");
    for broken in ["nonsense\n", &commit[..20], "ref: refs/heads/main\n"] {
        std::fs::write(&branch, broken).unwrap();
        for command in [&["symbol", "one"][..], &["status"], &["index"], &["recall"]] {
            let out = repo.sverklo(command);
            let said = out.stdout + &out.stderr;
            assert_eq!(out.status, Some(2), "{command:?}: {said}");
            for harmful in ["delete", "remove", "update-ref", "start over", "reset"] {
                assert!(!said.contains(harmful), "{command:?}: {said}");
            }
        }
        assert_eq!(std::fs::read_to_string(&branch).unwrap(), broken);
    }
}
