//! What a repository's own configuration names is not used before the user consents to it: no program is
//! run, no library loaded, nothing sent, no file outside read.

use crate::harness::TestRepo;
use serde_json::Value;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

/// A work tree with a bare repository committed in it, as in a plain clone.
fn fixture() -> (TestRepo, TestRepo) {
    let repo = TestRepo::init();
    let dir = repo.dir().join("pkg/fixture");
    repo.git(&["init", "-q", "--bare", dir.to_str().unwrap()]);
    let inner = repo.at(&dir);
    let blob = inner.git(&["hash-object", "-w", "config"]);
    inner.git(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("100644,{blob},a.py"),
    ]);
    let tree = inner.git(&["write-tree"]);
    let commit = inner.git(&["commit-tree", "-m", "one", &tree]);
    inner.git(&["update-ref", "refs/heads/main", &commit]);
    inner.git(&["symbolic-ref", "HEAD", "refs/heads/main"]);
    (repo, inner)
}

/// Lines that have a model run: a library that is none says so when it is loaded.
fn name_a_model(repo: &TestRepo, folder: &Path) {
    std::fs::create_dir_all(folder.join("model")).unwrap();
    std::fs::write(folder.join("model/model.onnx"), "").unwrap();
    std::fs::write(folder.join("evil.so"), "no library").unwrap();
    repo.git(&["config", "sverklo.model", "./model"]);
    repo.git(&["config", "sverklo.onnxruntime", "./evil.so"]);
}

fn said(repo: &TestRepo, args: &[&str]) -> String {
    let out = repo.sverklo(args);
    out.stdout + &out.stderr
}

#[cfg(feature = "onnx-models")]
#[test]
fn a_committed_bare_repository_loads_no_library() {
    let (_outer, inner) = fixture();
    name_a_model(&inner, inner.dir());
    for args in [
        &["index"][..],
        &["doctor"],
        &["model"],
        &["search", "where is it said that it is bare"],
        &["status"],
    ] {
        let said = said(&inner, args);
        assert!(!said.contains("ONNX Runtime library:"), "{args:?}: {said}");
        assert!(
            said.contains("not in effect until the user runs `git sverklo trust`"),
            "{args:?}: {said}"
        );
    }
    let shown = inner.sverklo(&["trust", "-n"]).success();
    assert!(
        shown.contains("model    sverklo.model = ./model\n"),
        "{shown}"
    );
    assert!(
        shown.contains("sverklo.onnxruntime = ./evil.so\n"),
        "{shown}"
    );
    assert!(
        said(&inner, &["model"]).contains("not in effect"),
        "to look is not to consent"
    );
    inner.sverklo(&["trust"]).success();
    // The trap is one.
    let said = said(&inner, &["model"]);
    assert!(
        said.contains("evil.so, which sverklo.onnxruntime names, is no usable ONNX"),
        "{said}"
    );
}

#[test]
fn a_work_trees_own_configuration_loads_no_library_either() {
    let repo = TestRepo::init();
    repo.write("a.py", "def alpha():\n    pass\n");
    repo.commit("one");
    name_a_model(&repo, repo.dir());
    // Nor what it includes, nor that of the one work tree.
    let settings = "[sverklo]\n\tonnxruntime = ./evil.so\n\tmodelDir = /\n";
    std::fs::write(repo.dir().join(".git/more"), settings).unwrap();
    repo.git(&["config", "include.path", "more"]);
    repo.git(&["config", "extensions.worktreeConfig", "true"]);
    repo.git(&["config", "--worktree", "sverklo.embedKeyEnv", "HOME"]);
    let text = repo.sverklo(&["search", "what does alpha do"]).success();
    assert!(
        text.contains("sverklo.model, ") && text.contains("not in effect"),
        "{text}"
    );
    let shown = repo.sverklo(&["trust", "--dry-run", "--json"]).success();
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let keys: Vec<&str> = shown["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["key"].as_str().unwrap())
        .collect();
    let expected = [
        "sverklo.model",
        "sverklo.onnxruntime",
        "sverklo.modelDir",
        "sverklo.onnxruntime",
        "sverklo.embedKeyEnv",
    ];
    assert_eq!(keys, expected);
    assert_eq!(shown["trusted"], false);
    // What a user's own file includes for this repository is the user's.
    let mine = repo.beside("mine");
    std::fs::write(&mine, "[sverklo]\n\tmodel = no-such-model\n").unwrap();
    let condition = format!("includeIf.gitdir:{}/.path", repo.dir().display());
    repo.git(&["config", "--global", &condition, mine.to_str().unwrap()]);
    assert!(said(&repo, &["model"]).starts_with("model    no-such-model\n"));
}

#[cfg(feature = "remote-models")]
#[test]
fn nothing_is_sent_to_a_server_that_the_repository_names() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}/v1/embeddings", listener.local_addr().unwrap());
    let repo = TestRepo::init();
    repo.write("a.py", "def alpha():\n    pass\n");
    repo.commit("one");
    let set = |key: &str, value: &str| repo.git(&["config", key, value]);
    set("sverklo.model", "endpoint");
    set("sverklo.embedEndpoint", &url);
    set("sverklo.embedModel", "tiny");
    set("sverklo.embedKeyEnv", "AWS_SECRET_ACCESS_KEY");
    set("sverklo.embedInHooks", "true");
    let ask = |args: &[&str]| {
        let mut command = repo.sverklo_command(args);
        command
            .env("AWS_SECRET_ACCESS_KEY", "secret")
            .output()
            .unwrap()
    };
    for args in [
        &["index"][..],
        &["search", "what does alpha do"],
        &["doctor"],
        &["model", "--check"],
        &["hook", "post-commit"],
    ] {
        ask(args);
        assert!(listener.accept().is_err(), "{args:?} sent something");
    }
    // The user's own server is not for the repository to choose, nor the key.
    set(
        "sverklo.embedEndpoint",
        "https://example.invalid/v1/embeddings",
    );
    repo.git(&["config", "--global", "sverklo.embedEndpoint", &url]);
    repo.git(&["config", "--global", "sverklo.embedModel", "tiny"]);
    ask(&["index"]);
    assert!(
        listener.accept().is_err(),
        "the repository chose the user's server"
    );
    repo.git(&["config", "--global", "sverklo.model", "endpoint"]);
    let server = std::thread::spawn(move || {
        use std::io::Read as _;
        listener.set_nonblocking(false).unwrap();
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let n = stream.read(&mut request).unwrap();
        String::from_utf8_lossy(&request[..n]).into_owned()
    });
    ask(&["model", "--check"]);
    let request = server.join().unwrap().to_ascii_lowercase();
    assert!(request.starts_with("post /v1/embeddings"), "{request}");
    assert!(!request.contains("authorization"), "{request}");
}

/// A clone without blobs whose remote is reached by a program that leaves a file, and that file.
fn booby_trapped() -> (TestRepo, TestRepo, PathBuf) {
    let repo = TestRepo::init();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.write("a.js", "function alpha() {\n  return 1;\n}\n");
    repo.commit("one");
    repo.sverklo(&["index"]).success();
    let dir = repo.beside("partial");
    let url = format!("file://{}", repo.dir().display());
    repo.git(&[
        "clone",
        "-q",
        "--bare",
        "--filter=blob:none",
        &url,
        dir.to_str().unwrap(),
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
    let mark = repo.beside("mark");
    let trap = format!("touch '{}'; false", mark.display());
    clone.git(&["config", "remote.origin.uploadpack", &trap]);
    (repo, clone, mark)
}

#[test]
fn a_question_starts_no_program_that_reaches_a_remote() {
    let (_repo, clone, mark) = booby_trapped();
    let ask = |args: &[&str]| said(&clone, args);
    for args in [
        &["symbol", "alpha", "--body"][..],
        &["search", "alpha"],
        &["refs", "alpha"],
        &["search", "-F", "return"],
        &["index", "--all"],
        &["fsck"],
        &["status"],
        &["doctor"],
    ] {
        let said = ask(args);
        assert!(!mark.exists(), "{args:?}: {said}");
    }
    let said = ask(&["symbol", "alpha", "--body"]);
    assert!(
        said.contains("the text of 1 file is not in this clone; `git sverklo trust`"),
        "{said}"
    );
    let shown = ask(&["trust"]);
    assert!(
        shown.contains("fetch    remote.origin.uploadpack = touch "),
        "{shown}"
    );
    assert!(
        shown.contains("fetch    remote.origin.url = file://"),
        "{shown}"
    );
    // The trap is one.
    ask(&["symbol", "alpha", "--body"]);
    assert!(mark.exists());
}

#[test]
fn consent_ends_with_any_change_of_the_lines() {
    let repo = TestRepo::init();
    repo.git(&["config", "sverklo.model", "./one"]);
    let trusted = |repo: &TestRepo| {
        let out = repo.sverklo(&["trust", "-n", "--json"]).success();
        serde_json::from_str::<Value>(&out).unwrap()["trusted"] == true
    };
    assert!(!trusted(&repo));
    let shown = repo.sverklo(&["trust"]).success();
    assert!(
        shown.ends_with(&format!(
            "in effect, until a line changes, for {}\n",
            repo.dir().join(".git").display()
        )),
        "{shown}"
    );
    assert!(trusted(&repo));
    // What needs none does not matter.
    repo.git(&["config", "sverklo.history", "tips"]);
    assert!(trusted(&repo));
    repo.git(&["config", "sverklo.model", "./other"]);
    assert!(!trusted(&repo), "another value");
    repo.git(&["config", "sverklo.model", "./one"]);
    assert!(trusted(&repo), "as it was");
    repo.git(&["config", "core.excludesFile", "/etc/hostname"]);
    assert!(!trusted(&repo), "another line");
    let listed = repo.sverklo(&["trust", "--list"]).success();
    assert!(listed.contains("sverklo.model = ./one"), "{listed}");
    // A copy elsewhere is another repository.
    repo.git(&["config", "--unset", "core.excludesFile"]);
    let copy = repo.beside("copy");
    std::fs::rename(repo.dir(), &copy).unwrap();
    let copy = repo.at(&copy);
    assert!(!trusted(&copy));
    std::fs::rename(copy.dir(), repo.dir()).unwrap();
    assert!(trusted(&repo));
    assert_eq!(repo.sverklo(&["trust", "--revoke"]).status, Some(0));
    assert!(!trusted(&repo));
    assert_eq!(repo.sverklo(&["trust", "--revoke"]).status, Some(1));
    assert_eq!(repo.sverklo(&["trust", "--list"]).status, Some(1));
    repo.git(&["config", "--unset", "sverklo.model"]);
    let nothing = repo.sverklo(&["trust"]);
    assert_eq!((nothing.status, nothing.stderr.as_str()), (Some(1), ""));
    assert!(nothing.stdout.contains("names nothing that needs consent"));
}

/// Whoever cannot keep consent is told, and nothing is in effect.
#[test]
fn without_a_home_there_is_no_consent() {
    let repo = TestRepo::init();
    repo.git(&["config", "sverklo.model", "./one"]);
    let mut command = repo.sverklo_command(&["trust"]);
    let out = command
        .env_remove("HOME")
        .env("XDG_DATA_HOME", "relative")
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("set HOME"));
    assert!(!repo.dir().join("relative").exists());
}

#[test]
fn a_work_tree_elsewhere_is_not_read() {
    let repo = TestRepo::init();
    repo.write("a.js", "function inside() {}\n");
    repo.commit("one");
    let elsewhere = repo.beside("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("secret.js"), "function outsideOnly() {}\n").unwrap();
    repo.git(&["config", "core.worktree", elsewhere.to_str().unwrap()]);
    assert_eq!(repo.sverklo(&["symbol", "outsideOnly"]).status, Some(1));
    assert_eq!(repo.sverklo(&["symbol", "inside"]).status, Some(0));
    let status = said(&repo, &["status"]);
    assert!(
        status.contains("core.worktree of this repository's own configuration is not in effect"),
        "{status}"
    );
    repo.sverklo(&["trust"]).success();
    assert_eq!(repo.sverklo(&["symbol", "outsideOnly"]).status, Some(0));
}

/// That of a submodule, or of a git directory that was set apart, leads back by itself.
#[test]
fn a_work_tree_that_names_its_git_directory_needs_no_consent() {
    let repo = TestRepo::init();
    repo.write("a.js", "function inside() {}\n");
    repo.commit("one");
    let apart = repo.beside("apart.git");
    repo.git(&["init", "-q", "--separate-git-dir", apart.to_str().unwrap()]);
    repo.git(&["config", "core.worktree", repo.dir().to_str().unwrap()]);
    repo.write("b.js", "function uncommitted() {}\n");
    assert_eq!(repo.sverklo(&["symbol", "uncommitted"]).status, Some(0));
    // As hooks are run.
    let mut command = repo.sverklo_command(&["symbol", "uncommitted"]);
    assert!(command.env("GIT_DIR", &apart).status().unwrap().success());
    assert_eq!(repo.sverklo(&["trust"]).status, Some(1));
}

#[test]
fn files_that_the_repository_names_are_not_read_for_patterns() {
    let repo = TestRepo::init();
    repo.commit("one");
    repo.write("b.js", "function uncommitted() {}\n");
    let patterns = repo.beside("patterns");
    std::fs::write(&patterns, "*.js\n").unwrap();
    let find = || repo.sverklo(&["symbol", "uncommitted"]).status;
    repo.git(&["config", "core.excludesFile", patterns.to_str().unwrap()]);
    assert_eq!(find(), Some(0));
    repo.git(&["config", "--unset", "core.excludesFile"]);
    repo.git(&[
        "config",
        "--global",
        "core.excludesFile",
        patterns.to_str().unwrap(),
    ]);
    assert_eq!(find(), Some(1), "the user's own counts");
}

#[test]
fn memories_are_not_signed_with_what_the_repository_names() {
    let repo = TestRepo::init();
    repo.commit("one");
    let mark = repo.beside("mark");
    let program = repo.beside("gpg");
    std::fs::write(
        &program,
        format!("#!/bin/sh\ntouch '{}'\nexit 1\n", mark.display()),
    )
    .unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let program = program.to_str().unwrap();
    repo.git(&["config", "sverklo.signMemory", "true"]);
    repo.git(&["config", "gpg.program", program]);
    let out = repo.sverklo(&["remember", "something"]);
    assert_eq!(out.status, Some(2), "{}", out.stdout);
    assert!(
        out.stderr
            .contains("gpg.program of this repository's own configuration"),
        "{}",
        out.stderr
    );
    assert!(!mark.exists());
    repo.sverklo(&["trust"]).success();
    repo.sverklo(&["remember", "something"]);
    assert!(mark.exists());
}

#[test]
fn bare_repositories_are_opened_as_git_opens_them() {
    let (outer, inner) = fixture();
    outer.git(&["config", "safe.bareRepository", "explicit"]);
    inner.git(&["config", "safe.bareRepository", "explicit"]);
    assert_eq!(
        inner.sverklo(&["status"]).status,
        Some(0),
        "a repository's own word is none"
    );
    let refused = |out: crate::harness::Output| {
        assert_eq!(out.status, Some(2), "{}", out.stdout);
        let reason = "(safe.bareRepository is 'explicit')";
        assert!(out.stderr.contains(reason), "{}", out.stderr);
    };
    let run = |repo: &TestRepo, pairs: &[(&str, &str)]| {
        let mut command = repo.sverklo_command(&["status"]);
        command.envs(pairs.iter().copied());
        let out = command.output().unwrap();
        crate::harness::Output {
            status: out.status.code(),
            stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
        }
    };
    // `git -c`, the environment, and the user's file.
    let given = "'safe.bareRepository'='explicit'";
    refused(run(&inner, &[("GIT_CONFIG_PARAMETERS", given)]));
    refused(run(
        &inner,
        &[
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "safe.barerepository"),
            ("GIT_CONFIG_VALUE_0", "explicit"),
        ],
    ));
    inner.git(&["config", "--global", "safe.bareRepository", "explicit"]);
    refused(run(&inner, &[]));
    refused(run(&inner.at("refs"), &[]));
    let named = inner.dir().to_str().unwrap();
    run(&inner, &[("GIT_DIR", named)]).success();
    outer.sverklo(&["status"]).success();
    outer.at(".git").sverklo(&["status"]).success();
}

/// Where the test runs as root, a repository can be given to somebody else.
#[cfg(unix)]
#[test]
fn directories_of_others_are_opened_when_the_user_says_they_are_safe() {
    let repo = TestRepo::init();
    repo.write("a.js", "function inside() {}\n");
    repo.commit("one");
    let give = |path: &Path| std::os::unix::fs::chown(path, Some(12_345), None);
    if give(repo.dir())
        .and_then(|()| give(&repo.dir().join(".git")))
        .is_err()
    {
        eprintln!("skipped: only root can give a directory away");
        return;
    }
    let out = repo.sverklo(&["status"]);
    assert_eq!(out.status, Some(2), "{}", out.stdout);
    assert!(
        out.stderr.contains("belongs to another user"),
        "{}",
        out.stderr
    );
    let run = |value: &str| {
        let mut command = repo.sverklo_command(&["symbol", "inside"]);
        command
            .env("GIT_CONFIG_COUNT", "1")
            .env("GIT_CONFIG_KEY_0", "safe.directory")
            .env("GIT_CONFIG_VALUE_0", value);
        command.status().unwrap().code()
    };
    let dir = repo.dir().display().to_string();
    let above = repo.dir().parent().unwrap().join("*").display().to_string();
    assert_eq!([&*dir, &above, "*"].map(run), [Some(0); 3]);
    assert_eq!(["", "/elsewhere/*"].map(run), [Some(2); 2]);
    let mut command = repo.sverklo_command(&["symbol", "inside"]);
    command.env("GIT_CONFIG_PARAMETERS", "'safe.directory=*'");
    assert_eq!(command.status().unwrap().code(), Some(0));
}

#[test]
fn without_git_it_is_git_that_is_missing() {
    let repo = TestRepo::init();
    repo.commit("one");
    repo.commit("two");
    let mut command = repo.sverklo_command(&["symbol", "x", "--at", "HEAD~1"]);
    let out = command.env("PATH", repo.dir()).output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(
        said.contains("the git program could not be started"),
        "{said}"
    );
}

/// Children run in the git directory, where an archive may have a file of that name.
#[cfg(unix)]
#[test]
fn git_is_not_looked_for_in_the_repository() {
    use std::os::unix::fs::PermissionsExt as _;
    let repo = TestRepo::init();
    repo.commit("one");
    repo.commit("two");
    let mark = repo.beside("mark");
    for folder in [".git", ".git/bin", "."] {
        let program = repo.dir().join(folder).join("git");
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::write(&program, format!("#!/bin/sh\ntouch '{}'\n", mark.display())).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = std::env::var("PATH").unwrap();
    for first in [".", "", "bin"] {
        let mut command = repo.sverklo_command(&["status"]);
        let out = command
            .env("PATH", format!("{first}:{path}"))
            .output()
            .unwrap();
        assert_eq!(out.status.code(), Some(0), "{first:?}");
        let mut command = repo.sverklo_command(&["map", "--at", "HEAD~1"]);
        command
            .env("PATH", format!("{first}:{path}"))
            .output()
            .unwrap();
        assert!(!mark.exists(), "{first:?}");
    }
}

#[test]
fn object_stores_in_a_circle_are_named() {
    let repo = TestRepo::init();
    repo.commit("one");
    let other = repo.beside("other");
    repo.git(&["clone", "-q", "-s", ".", other.to_str().unwrap()]);
    let line = other.join(".git/objects").display().to_string() + "\n";
    std::fs::write(repo.dir().join(".git/objects/info/alternates"), line).unwrap();
    let out = repo.sverklo(&["status"]);
    assert_eq!(out.status, Some(2), "{}", out.stdout);
    assert!(
        out.stderr.contains("objects/info/alternates"),
        "{}",
        out.stderr
    );
}

/// A committed bare repository may hold links too, and caches are cleaned up.
#[cfg(unix)]
#[test]
fn nothing_is_deleted_through_a_link() {
    let (outer, inner) = fixture();
    let documents = outer.beside("documents");
    std::fs::create_dir(&documents).unwrap();
    for n in 0..100 {
        std::fs::write(documents.join(format!("{n}.txt")), "mine").unwrap();
    }
    let profile = outer.beside("profile");
    std::fs::write(&profile, "mine").unwrap();
    let links = [
        ("sverklo", &documents),
        ("sverklo/views", &documents),
        ("sverklo/seg", &documents),
        ("sverklo/worker.log", &profile),
        ("sverklo-init.json", &profile),
    ];
    for (name, target) in links {
        let link = inner.dir().join(name);
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, &link).unwrap();
        for args in [
            &["search", "bare"][..],
            &["index"],
            &["gc"],
            &["hook", "post-commit"],
        ] {
            let out = inner.sverklo(args);
            let said = format!("{link:?} is neither a file nor a folder");
            let is_hook = args[0] == "hook";
            assert!(
                is_hook || out.stderr.contains(&said),
                "{args:?}: {}",
                out.stderr
            );
        }
        assert_eq!(
            std::fs::read_dir(&documents).unwrap().count(),
            100,
            "{name}"
        );
        assert_eq!(std::fs::read_to_string(&profile).unwrap(), "mine", "{name}");
        std::fs::remove_file(&link).unwrap();
    }
    inner.sverklo(&["search", "bare"]).success();
}
