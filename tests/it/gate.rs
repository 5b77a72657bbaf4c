//! `gate`: a change that closes an import cycle, or makes a hub, is refused.

use super::harness::{Output, TestRepo};

fn layers() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("p/__init__.py", "")
        .write(
            "p/high.py",
            "from p.low import f\n\ndef g():\n    return f()\n",
        )
        .write("p/low.py", "def f():\n    return 1\n")
        .write(
            "p/old_a.py",
            "from p import old_b\n\ndef a():\n    return old_b.b()\n",
        )
        .write(
            "p/old_b.py",
            "from p import old_a\n\ndef b():\n    return old_a.a()\n",
        );
    repo.commit("one");
    // A commit whose parent has the same files.
    repo.commit("two");
    repo
}

/// Closes a cycle: `low` imports `high`.
fn close(repo: &TestRepo) {
    repo.write(
        "p/low.py",
        "import os\nfrom p.high import g\n\ndef f():\n    return g()\n",
    );
}

fn gate(repo: &TestRepo, args: &[&str]) -> Output {
    repo.sverklo(&[&["gate"], args].concat())
}

#[track_caller]
fn refused(out: &Output) {
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(
        out.stdout.starts_with(
            "p/low.py:2: new import cycle: imports p/high.py\n  \
             p/low.py:2 -> p/high.py\n  \
             p/high.py:1 -> p/low.py\n"
        ),
        "{out:?}"
    );
}

#[test]
fn a_new_cycle_in_the_work_tree_is_refused_and_an_old_one_is_not() {
    let repo = layers();
    let out = gate(&repo, &[]);
    assert_eq!(out.status, Some(0), "{out:?}");
    repo.write(
        "p/new.py",
        "from p.low import f\n\ndef n():\n    return f()\n",
    );
    let out = gate(&repo, &[]);
    assert_eq!(out.status, Some(0), "{out:?}");
    assert!(out.stdout.contains("| 1 cycle before"), "{out:?}");
    close(&repo);
    refused(&gate(&repo, &[]));
    assert!(gate(&repo, &["-q"]).stdout.is_empty());
}

#[test]
fn a_commit_is_compared_with_where_its_branch_began() {
    let repo = layers();
    close(&repo);
    repo.commit("closes it");
    // No remote: the parent.
    refused(&gate(&repo, &[]));
    repo.write("p/new.py", "def n():\n    return 1\n");
    repo.commit("innocent");
    assert_eq!(gate(&repo, &[]).status, Some(0));
    // A remote that has the first commit only.
    let first = repo.git(&["rev-parse", "HEAD~2"]);
    let remote = repo.beside("remote.git");
    let remote = remote.to_str().unwrap();
    repo.git(&["init", "-q", "--bare", remote]);
    repo.git(&["remote", "add", "origin", remote]);
    repo.git(&["update-ref", "refs/remotes/origin/main", &first]);
    let out = gate(&repo, &[]);
    refused(&out);
    assert!(
        out.stdout.contains("merge base with origin/main"),
        "{out:?}"
    );
    // A named base.
    assert_eq!(gate(&repo, &["--base", "HEAD~1"]).status, Some(0));
    refused(&gate(&repo, &["--base", "HEAD~2"]));
    refused(&gate(&repo, &["--base", &first, "--head", "HEAD~1"]));
}

#[test]
fn a_base_that_went_on_counts_where_the_branch_left_it() {
    let repo = layers();
    repo.git(&["switch", "-q", "-c", "side"]);
    repo.write("p/new.py", "def n():\n    return 1\n");
    repo.commit("innocent");
    repo.git(&["switch", "-q", "main"]);
    repo.write("p/old_b.py", "def b():\n    return 1\n");
    repo.commit("mends the old cycle");
    repo.git(&["switch", "-q", "side"]);
    // Against the tip of main, the old cycle would look new.
    let out = gate(&repo, &["--base", "main"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    assert!(out.stdout.contains("merge base with main"), "{out:?}");
}

#[test]
fn a_cycle_that_moved_is_not_new() {
    let repo = layers();
    repo.git(&["mv", "p/old_a.py", "p/moved_a.py"]);
    repo.write(
        "p/old_b.py",
        "from p import moved_a\n\ndef b():\n    return moved_a.a()\n",
    );
    repo.commit("moves it");
    let out = gate(&repo, &[]);
    assert_eq!(out.status, Some(0), "{out:?}");
    assert!(out.stdout.contains("| 1 cycle before"), "{out:?}");
}

#[test]
fn a_new_import_inside_an_old_cycle_is_a_new_cycle() {
    let repo = layers();
    repo.write(
        "p/third.py",
        "from p import old_a\n\ndef t():\n    return old_a.a()\n",
    )
    .write(
        "p/old_b.py",
        "from p import old_a\nfrom p import third\n\ndef b():\n    return old_a.a() + third.t()\n",
    );
    let out = gate(&repo, &[]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(
        out.stdout
            .starts_with("p/old_b.py:2: new import cycle: imports p/third.py\n"),
        "{out:?}"
    );
    assert!(out.stdout.contains("| 1 new cycle"), "{out:?}");
}

#[test]
fn a_file_may_not_come_over_the_limit() {
    let repo = layers();
    let import = "from p.low import f\n\ndef n():\n    return f()\n";
    repo.write("p/one.py", import);
    assert_eq!(gate(&repo, &["--max-fan-in", "2"]).status, Some(0));
    repo.write("p/two.py", import);
    let out = gate(&repo, &["--max-fan-in", "2"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(
        out.stdout.starts_with(
            "p/low.py: imported by 3 files, 1 before, limit 2\n  \
             p/one.py:1 -> p/low.py\n  \
             p/two.py:1 -> p/low.py\n"
        ),
        "{out:?}"
    );
    // Configured, and over the limit before.
    repo.git(&["config", "sverklo.gate.maxFanIn", "2"]);
    assert_eq!(gate(&repo, &[]).status, Some(1));
    repo.commit("two");
    repo.write("p/three.py", import);
    assert_eq!(gate(&repo, &["--base", "HEAD"]).status, Some(0));
}

#[test]
fn json_says_the_same() {
    let repo = layers();
    close(&repo);
    let out = gate(&repo, &["--json"]);
    assert_eq!(out.status, Some(1));
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(json["passes"], false);
    assert_eq!(json["cycles"][0]["path"], "p/low.py");
    assert_eq!(json["cycles"][0]["line"], 2);
    assert_eq!(json["cycles"][0]["imports"], "p/high.py");
    assert_eq!(json["cycles"][0]["cycle"].as_array().unwrap().len(), 2);
    assert_eq!(json["known_cycles"], 1);
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let repo = layers();
    let out = gate(&repo, &["--base", "nowhere"]);
    assert_eq!(out.status, Some(2));
    assert!(out.stderr.contains("nowhere"), "{out:?}");
    repo.commit("two");
    let shallow = repo.beside("shallow");
    let url = format!("file://{}", repo.dir().display());
    repo.git(&["clone", "-q", "--depth=1", &url, shallow.to_str().unwrap()]);
    let shallow = repo.at(&shallow);
    shallow.git(&["remote", "remove", "origin"]);
    let out = gate(&shallow, &[]);
    assert_eq!(out.status, Some(2), "{out:?}");
    assert!(
        out.stderr.contains("--base") || out.stderr.contains("base"),
        "{out:?}"
    );
}

#[test]
fn a_repository_without_commits_and_a_first_commit_are_compared_with_nothing() {
    let repo = TestRepo::init();
    repo.write("a.py", "import b\n").write("b.py", "import a\n");
    let out = gate(&repo, &[]);
    assert_eq!(out.status, Some(1), "{out:?}");
    repo.commit("one");
    let out = gate(&repo, &[]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(out.stdout.contains("1 new cycle"), "{out:?}");
}

/// What was not read may import anything.
#[test]
fn what_was_not_read_is_no_pass_of_all() {
    let repo = layers();
    repo.write(
        "p/new.py",
        "from p.low import f\n\ndef n():\n    return f()\n",
    );
    let out = gate(&repo, &[]);
    assert!(!out.stdout.contains("passes"), "{out:?}");
    repo.write("p/packed.py", "x = 1;".repeat(20_000));
    let out = gate(&repo, &[]);
    assert_eq!(out.status, Some(0), "{out:?}");
    let end = " | not read 1 minified | passes as far as was looked\n";
    assert!(out.stdout.ends_with(end), "{out:?}");
    let json: serde_json::Value = serde_json::from_str(&gate(&repo, &["--json"]).stdout).unwrap();
    assert_eq!(json["passes"], true, "{json}");
    assert_eq!(json["unread"], 1, "{json}");
    // What is refused is refused, whatever else there is.
    close(&repo);
    let out = gate(&repo, &[]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(!out.stdout.contains("passes"), "{out:?}");
}
