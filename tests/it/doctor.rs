//! `doctor`: each thing that can be wrong is seen and comes with what mends it.

use super::harness::{Output, TestRepo};
use super::hooks::{git, listing, sverklo};
use super::memory::{MEMORY, remember};
use git_sverklo::git::Repo;
use git_sverklo::git::lineage::objects_without_graph;
use serde_json::Value;

/// Level and text of every check on a subject.
fn checks(repo: &TestRepo, args: &[&str], subject: &str) -> Vec<(String, String)> {
    let out = sverklo(repo, &[&["doctor", "--json"], args].concat());
    let report: Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(
        out.status,
        Some(if report["healthy"] == true { 0 } else { 1 })
    );
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let checks = report["checks"].as_array().unwrap().iter();
    checks
        .filter(|check| check["subject"] == subject)
        .map(|check| {
            let seen = format!("{} | {}", text(&check["seen"]), text(&check["mend"]));
            (text(&check["level"]), seen)
        })
        .collect()
}

#[track_caller]
fn one(repo: &TestRepo, subject: &str) -> (String, String) {
    let mut found = checks(repo, &[], subject);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn with_a_commit() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("a.rs", "pub fn a() {}\n");
    repo.commit("a");
    repo
}

#[test]
fn a_repository_that_was_set_up_is_healthy() {
    let repo = with_a_commit();
    sverklo(&repo, &["init", "--write", "claude"]).success();
    let Output { status, stdout, .. } = sverklo(&repo, &["doctor"]);
    assert_eq!(status, Some(0), "{stdout}");
    for subject in [
        "binary",
        "git",
        "repository",
        "trust",
        "hooks",
        "worker",
        "index",
        "memories",
        "cache",
        "agent",
        "model",
        "server",
    ] {
        assert!(
            stdout.contains(&format!("ok       {subject}")),
            "{subject} in {stdout}"
        );
    }
    assert!(stdout.ends_with("healthy\n"));
    assert!(stdout.contains("lists 10 tools"), "{stdout}");
}

#[test]
fn a_model_that_cannot_be_used_is_a_problem() {
    let repo = with_a_commit();
    repo.git(&["config", "sverklo.model", "no-such-model"]);
    let Output { stdout, .. } = sverklo(&repo, &["doctor"]);
    let line = stdout.lines().find(|line| line.contains(" model "));
    assert!(
        line.is_some_and(|line| line.starts_with("problem")),
        "{stdout}"
    );
    assert!(stdout.contains("--unset sverklo.model"), "{stdout}");
}

#[test]
fn memories_are_counted_and_those_of_this_clone_alone_are_named() {
    let repo = with_a_commit();
    let memories = || one(&repo, "memories");
    assert_eq!(memories(), ("ok".to_owned(), "none | ".to_owned()));
    let id = remember(&repo, &["one"]);
    let said = "1 memory can be read, ended ones included";
    assert_eq!(memories(), ("ok".to_owned(), format!("{said} | ")));

    let there = remote(&repo, &[]);
    let unknown = format!("{said}; as far as is known here, there has none | git sverklo push");
    assert_eq!(memories(), ("note".to_owned(), unknown));
    sverklo(&repo, &["push"]).success();
    let all = format!("{said}; there has all | ");
    assert_eq!(memories(), ("ok".to_owned(), all));
    remember(&repo, &["two"]);
    repo.sverklo(&["memory", "end", &id]).success();
    let said = "2 memories can be read, ended ones included";
    let some = format!("{said}; 2 events not pushed to there | git sverklo push");
    // Nothing is asked of the remote.
    std::fs::remove_dir_all(there.dir()).unwrap();
    assert_eq!(memories(), ("note".to_owned(), some));
}

#[test]
fn what_wants_consent_is_no_fault_of_the_index() {
    let repo = with_a_commit();
    repo.sverklo(&["index"]).success();
    repo.git(&["config", "sverklo.modelDir", "/nowhere"]);
    let (level, said) = one(&repo, "trust");
    assert_eq!(level, "note", "{said}");
    let (level, said) = one(&repo, "index");
    assert_eq!(level, "ok", "{said}");
    assert!(!said.contains("trust"), "{said}");
}

#[test]
fn memories_that_cannot_be_read_are_a_problem() {
    let repo = with_a_commit();
    remember(&repo, &["one"]);
    let good = repo.git(&["rev-parse", MEMORY]);
    // Somebody commits a file that has no place there.
    let blob = repo.git(&["rev-parse", "HEAD:a.rs"]);
    let format = repo.git(&["rev-parse", &format!("{MEMORY}:format")]);
    let listing = format!("100644 blob {format}\tformat\n100644 blob {blob}\tstray\n");
    repo.write("listing", listing);
    let mktree = repo
        .command("sh")
        .args(["-c", "git mktree <listing"])
        .output();
    let tree = String::from_utf8(mktree.unwrap().stdout).unwrap();
    let bad = repo.git(&["commit-tree", tree.trim(), "-p", &good, "-m", "x"]);
    repo.git(&["update-ref", MEMORY, &bad]);
    let (level, seen) = one(&repo, "memories");
    assert_eq!(level, "problem");
    let (seen, mend) = seen.split_once(" | ").unwrap();
    assert_eq!(
        seen,
        format!("{MEMORY} cannot be read at {bad}: path stray: nothing of this name belongs there")
    );
    let back = format!("git update-ref {MEMORY} {good}");
    assert!(mend.contains(&back), "{mend}");
}

#[test]
fn a_missing_commit_graph_is_noticed_without_a_walk() {
    let repo = with_a_commit();
    let objects = || objects_without_graph(&Repo::discover(repo.dir()).unwrap());
    assert_eq!(objects(), Some(0));
    repo.git(&["repack", "-adq"]);
    assert_eq!(objects(), Some(3));
    repo.git(&["commit-graph", "write", "--reachable"]);
    assert_eq!(objects(), None);
    repo.git(&["config", "core.commitGraph", "false"]);
    assert_eq!(objects(), None);
}

#[test]
fn looking_changes_nothing() {
    let repo = with_a_commit();
    let before = listing(repo.dir());
    let (level, seen) = one(&repo, "hooks");
    assert_eq!(level, "note");
    assert!(seen.ends_with("git sverklo init"), "{seen}");
    let (level, seen) = one(&repo, "index");
    assert_eq!(level, "note");
    assert!(
        seen.contains("covers 0 of 1") && seen.ends_with("git sverklo index"),
        "{seen}"
    );
    assert_eq!(one(&repo, "agent").0, "note");
    assert_eq!(listing(repo.dir()), before);
    assert_eq!(git(&repo, &["for-each-ref", "refs/sverklo"]), "");
}

#[test]
fn without_the_program_on_path_it_says_so() {
    let repo = with_a_commit();
    // The harness's own PATH does not have the binary's folder.
    let out = repo.sverklo(&["doctor"]);
    assert_eq!(out.status, Some(1));
    assert!(out.stdout.contains("problem  binary") && out.stdout.contains("to PATH"));
    assert!(out.stdout.ends_with("1 problem\n"), "{}", out.stdout);
}

#[test]
fn an_agent_whose_command_is_missing_is_a_problem() {
    let repo = with_a_commit();
    repo.write(
        ".mcp.json",
        "{\"mcpServers\": {\"sverklo\": {\"command\": \"/no/such\"}}}",
    );
    let (level, seen) = one(&repo, "agent");
    assert_eq!(level, "problem");
    assert!(seen.contains("/no/such, which is not there"), "{seen}");
}

#[test]
fn kinds_of_repositories_are_named() {
    let repo = with_a_commit();
    repo.commit("b");
    git(
        &repo,
        &[
            "clone",
            "-q",
            "--bare",
            "--depth=1",
            &format!("file://{}", repo.dir().display()),
            "../shallow.git",
        ],
    );
    let (level, seen) = one(&repo.at("../shallow.git"), "repository");
    assert_eq!(level, "note");
    assert!(seen.contains("bare") && seen.contains("shallow"), "{seen}");
    assert_eq!(one(&repo, "repository").0, "ok");
}

/// A remote with settings of its own, beside the repository.
fn remote(repo: &TestRepo, config: &[(&str, &str)]) -> TestRepo {
    git(repo, &["init", "-q", "--bare", "../remote.git"]);
    git(repo, &["remote", "add", "there", "../remote.git"]);
    let remote = repo.at("../remote.git");
    for (key, value) in config {
        git(&remote, &["config", key, value]);
    }
    remote
}

#[test]
fn a_remote_that_takes_our_refs_is_left_as_it_was() {
    let repo = with_a_commit();
    let remote = remote(&repo, &[]);
    let loose = || git(&repo, &["count-objects"]);
    let before = loose();
    let found = checks(&repo, &["--remote", "there"], "remote");
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|(level, _)| level == "ok"), "{found:?}");
    assert_eq!(git(&remote, &["for-each-ref"]), "");
    assert_eq!(loose(), before);
    assert_eq!(git(&repo, &["for-each-ref", "refs/sverklo"]), "");
}

#[test]
fn what_a_remote_refuses_is_said_in_clear_words() {
    let refused = |config: &[(&str, &str)], hook: Option<&str>| {
        let repo = with_a_commit();
        let remote = remote(&repo, config);
        if let Some(text) = hook {
            // `write_hook` knows repositories with a work tree.
            let path = remote.dir().join("hooks/update");
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        let found = checks(&repo, &["--remote", "there"], "remote");
        assert!(
            found.iter().any(|(level, _)| level == "problem"),
            "{found:?}"
        );
        assert_eq!(git(&remote, &["for-each-ref", "refs/sverklo"]), "");
        found
            .into_iter()
            .find(|(level, _)| level == "problem")
            .unwrap()
            .1
    };
    let said = refused(&[("receive.hideRefs", "refs/sverklo")], None);
    assert!(said.contains("sverklo.refPrefix"), "{said}");
    let forward_only = "#!/bin/sh\nz=0000000000000000000000000000000000000000\n\
        [ \"$2\" = $z ] || [ \"$3\" = $z ] || { echo non-fast-forward >&2; exit 1; }\n";
    let said = refused(&[], Some(forward_only));
    assert!(said.contains("sverklo.indexHistory linear"), "{said}");
    let said = refused(&[], Some("#!/bin/sh\nexit 1\n"));
    assert!(said.contains("declined"), "{said}");
    let repo = with_a_commit();
    let (_, said) = checks(&repo, &["--remote", "../nowhere.git"], "remote").remove(0);
    assert!(said.contains("no such path"), "{said}");
}
