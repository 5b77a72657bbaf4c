//! Exchanging the index with remotes, over every kind of connection that needs no network.

use crate::harness::{Kind, Output, TestRepo};
use crate::http::Server;
use crate::store::{check_covers, documents, open};
use git_sverklo::store::offer::{self, Terms};
use git_sverklo::store::{self, Quiet, Snapshot};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

const INDEX: &str = "refs/sverklo/v1/index";
const TRACKING: &str = "refs/sverklo/remotes/origin/v1/index";

/// A bare repository that others push to.
fn hub() -> TestRepo {
    hub_as(Kind::default())
}

fn hub_as(kind: Kind) -> TestRepo {
    let hub = TestRepo::init_as(Kind { bare: true, ..kind });
    hub.git(&["config", "http.receivepack", "true"]);
    hub.git(&["config", "uploadpack.allowFilter", "true"]);
    hub
}

/// A clone whose remote is the path of the hub.
fn clone(hub: &TestRepo, name: &str) -> TestRepo {
    clone_with(hub, name, &[])
}

fn clone_with(hub: &TestRepo, name: &str, options: &[&str]) -> TestRepo {
    let dir = hub.beside(name);
    let url = file_url(hub.dir());
    let mut args = vec!["clone", "-q"];
    args.extend(options);
    args.extend([&url, dir.to_str().unwrap()]);
    hub.git(&args);
    hub.at(dir)
}

fn file_url(dir: &Path) -> String {
    let path = dir.to_str().unwrap().replace('\\', "/");
    format!("file:///{}", path.trim_start_matches('/'))
}

/// Commits a file on the current branch, pushes the branch and indexes it.
fn contribute(repo: &TestRepo, name: &str) {
    repo.write(
        format!("src/{name}.py"),
        format!("def {name}():\n    pass\n"),
    );
    repo.commit(name);
    repo.git(&["push", "-q", "origin", "HEAD"]);
    repo.sverklo(&["index"]).success();
}

#[track_caller]
fn json(out: Output) -> serde_json::Value {
    serde_json::from_str(&out.success()).expect("json")
}

#[track_caller]
fn refused(out: Output, words: &[&str]) {
    assert_eq!(out.status, Some(2), "{out:?}");
    for word in words {
        assert!(out.stderr.contains(word), "{word}: {}", out.stderr);
    }
    assert_eq!(out.stderr.lines().count(), 1, "{}", out.stderr);
}

/// The bytes of every object of a repository, one after the other.
fn all_objects(repo: &TestRepo) -> Vec<u8> {
    repo.git_bytes(&["cat-file", "--batch-all-objects", "--batch"])
}

fn contains(bytes: &[u8], word: &str) -> bool {
    bytes
        .windows(word.len())
        .any(|part| part == word.as_bytes())
}

/// What may change without asking: objects, what is kept, our refs, and the logs of the two that are this
/// repository's own.
const OURS: &[&str] = &[
    "objects",
    "sverklo",
    "refs/sverklo",
    "logs/refs/sverklo/v1/memory",
    "logs/refs/sverklo/v1/index",
];

/// Every file of a git directory that belongs to the user, with its content.
fn users_files(repo: &TestRepo) -> BTreeMap<String, Vec<u8>> {
    fn walk(dir: &Path, top: &Path, out: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(dir).unwrap().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(top).unwrap().to_str().unwrap().to_owned();
            if OURS.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                walk(&path, top, out);
            } else {
                out.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    let mut out = BTreeMap::new();
    let top = repo.dir().join(".git");
    walk(&top, &top, &mut out);
    out
}

fn tree_of(repo: &TestRepo, name: &str) -> String {
    repo.git(&["rev-parse", &format!("{name}^{{tree}}")])
}

/// Pushes from one clone and fetches into another through `url`.
fn check_round_trip(hub: &TestRepo, url: &str, env: &[(&str, &str)]) {
    let a = clone(hub, "a");
    contribute(&a, "shared_name");
    let run = |repo: &TestRepo, args: &[&str]| {
        let mut command = repo.sverklo_command(args);
        let out = command.envs(env.iter().copied()).output().unwrap();
        let stderr = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.code().is_some(), "{stderr}");
        Output {
            status: out.status.code(),
            stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
            stderr,
        }
    };
    let nothing = run(&a, &["fetch", url]);
    assert_eq!(nothing.status, Some(1), "{nothing:?}");
    assert!(nothing.stdout.contains("nothing there yet"));
    let pushed = json(run(&a, &["push", url, "--json"]));
    assert_eq!(pushed["documents"], 1, "{pushed}");
    let again = json(run(&a, &["push", url, "--json"]));
    assert_eq!(again["current"], true);

    let b = clone(hub, "b");
    assert_eq!(run(&b, &["fetch", url]).success(), "");
    let indexed = json(b.sverklo(&["index", "--json"]));
    assert_eq!(indexed["documents_added"], 0);
    assert!(
        b.sverklo(&["symbol", "shared_name"])
            .success()
            .contains("src/shared_name.py")
    );
    let tip = |repo: &TestRepo| repo.git(&["rev-parse", INDEX]);
    assert_eq!(tip(&a), tip(&b));
    assert_eq!(tree_of(hub, INDEX), tree_of(&a, INDEX));
    hub.git(&["fsck", "--strict"]);

    contribute(&b, "second_name");
    let synced = json(run(&b, &["sync", url, "--json"]));
    assert_eq!(synced["pushed"]["documents"], 1, "{synced}");
    let fetched = json(run(&a, &["fetch", url, "--json"]));
    assert_eq!(
        (&fetched["documents"], &fetched["segments"]),
        (&1.into(), &1.into())
    );
    for repo in [&a, &b] {
        repo.git(&["fsck", "--strict"]);
        repo.sverklo(&["gc"]).success();
    }
    assert_eq!(tip(&a), tip(&b));
}

#[test]
fn an_index_travels_by_path_and_by_file_url() {
    let first = hub();
    check_round_trip(&first, first.dir().to_str().unwrap(), &[]);
    let second = hub_as(Kind {
        sha256: true,
        reftable: true,
        bare: true,
    });
    check_round_trip(&second, &file_url(second.dir()), &[]);
}

#[test]
fn an_index_travels_over_http() {
    let hub = hub();
    let server = Server::start(&hub);
    check_round_trip(&hub, &server.url("repo"), &[]);
    hub.git(&["config", "http.receivepack", "false"]);
    let a = hub.at(hub.beside("a"));
    a.git(&["pull", "-q"]);
    contribute(&a, "third_name");
    refused(
        a.sverklo(&["push", &server.url("repo")]),
        &["denies access", "403"],
    );
    refused(
        a.sverklo(&["push", &server.url("none")]),
        &["cannot be reached"],
    );
}

#[cfg(unix)]
#[test]
fn an_index_travels_over_ssh() {
    use std::os::unix::fs::PermissionsExt;
    let hub = hub();
    let script = hub.beside("ssh");
    let log = hub.beside("ssh.log");
    let text = format!(
        "#!/bin/sh\necho \"$@\" >>'{}'\nfor last; do :; done\nexec sh -c \"$last\"\n",
        log.display()
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let url = format!("ssh://somebody@host{}", hub.dir().display());
    let env = [
        ("GIT_SSH_COMMAND", script.to_str().unwrap()),
        ("GIT_SSH_VARIANT", "ssh"),
    ];
    check_round_trip(&hub, &url, &env);
    let log = std::fs::read_to_string(log).unwrap();
    assert!(
        log.contains("git-receive-pack") && log.contains("git-upload-pack"),
        "{log}"
    );
}

#[test]
fn only_what_the_remote_can_reach_travels() {
    let hub = hub();
    let a = clone(&hub, "a");
    a.write("lib.py", "def zq_old_public():\n    pass\n");
    a.commit("old");
    a.sverklo(&["index"]).success();
    contribute(&a, "zq_public");
    a.write("lib.py", "def zq_new_public():\n    pass\n");
    a.commit("new");
    a.git(&["push", "-q", "origin", "main"]);
    a.sverklo(&["index"]).success();
    a.git(&["checkout", "-q", "-b", "wip"]);
    a.write("wip.py", "def zq_branch_secret():\n    pass\n");
    a.commit("wip");
    a.sverklo(&["index"]).success();
    a.git(&["checkout", "-q", "main"]);
    a.write("lib.py", "def zq_stash_secret():\n    pass\n");
    a.git(&["stash", "-q"]);
    a.sverklo(&["index", "stash"]).success();
    a.write("lost.py", "def zq_lost_secret():\n    pass\n");
    a.commit("lost");
    a.sverklo(&["index"]).success();
    let lost = a.git(&["rev-parse", "HEAD"]);
    a.git(&["reset", "-q", "--hard", "HEAD~1"]);
    a.sverklo(&["gc"]).success();
    // The last was dropped with the rest that no ref reaches.
    a.sverklo(&["index", &lost]).success();

    let secrets = ["zq_branch_secret", "zq_stash_secret", "zq_lost_secret"];
    let here = all_objects(&a);
    assert!(
        secrets.iter().all(|word| contains(&here, word)),
        "else nothing is shown"
    );
    for round in 0..2 {
        let pushed = json(a.sverklo(&["push", "--json"]));
        assert_eq!(pushed["withheld"], 3, "{pushed}");
        assert_eq!(pushed["documents"], if round == 0 { 3 } else { 0 });
        let there = all_objects(&hub);
        for word in secrets {
            assert!(!contains(&there, word), "{word} is in the remote");
        }
        assert!(contains(&there, "zq_old_public"), "history is public");
    }
    let told = a.sverklo(&["push", "-v"]).success();
    assert!(
        told.contains("3 documents withheld") && told.contains("push the branch"),
        "{told}"
    );

    a.git(&["push", "-q", "origin", "wip"]);
    let pushed = json(a.sverklo(&["push", "--json"]));
    assert_eq!(
        (&pushed["withheld"], &pushed["documents"]),
        (&2.into(), &1.into())
    );
    a.git(&["push", "-q", "origin", &format!("{lost}:refs/heads/found")]);
    let pushed = json(a.sverklo(&["push", "--json"]));
    assert_eq!(
        pushed["documents"], 1,
        "not found once is not never: {pushed}"
    );
    let b = clone(&hub, "b");
    b.sverklo(&["fetch"]).success();
    let indexed = json(b.sverklo(&["index", "--json", "origin/main", "origin/wip"]));
    assert_eq!(indexed["documents_added"], 0);
}

#[test]
fn a_dry_run_changes_nothing() {
    let hub = hub();
    let a = clone(&hub, "a");
    contribute(&a, "name");
    let state = |repo: &TestRepo| (all_objects(repo), repo.git(&["for-each-ref"]));
    let before = (state(&hub), state(&a), users_files(&a));
    let out = a.sverklo(&["push", "--dry-run"]).success();
    assert!(out.contains("would send 1 document in 1 segment"), "{out}");
    assert_eq!(a.sverklo(&["fetch", "-n"]).status, Some(1));
    assert_eq!((state(&hub), state(&a), users_files(&a)), before);

    a.sverklo(&["push"]).success();
    let b = clone(&hub, "b");
    let before = (state(&hub), state(&b), users_files(&b));
    assert!(
        b.sverklo(&["fetch", "-n"])
            .success()
            .contains("would be fetched")
    );
    refused(b.sverklo(&["push", "-n"]), &["git sverklo index"]);
    assert_eq!((state(&hub), state(&b), users_files(&b)), before);
    b.sverklo(&["fetch"]).success();
    let out = b.sverklo(&["push", "-n"]).success();
    assert!(out.contains("up to date"), "{out}");
}

#[test]
fn nothing_of_the_users_changes_whatever_is_configured() {
    let hub = hub();
    let a = clone(&hub, "a");
    a.write("f", "x\n");
    a.commit("one");
    a.git(&["tag", "-a", "-m", "t", "v1"]);
    a.git(&["push", "-q", "origin", "main", "v1"]);
    let b = clone(&hub, "b");
    contribute(&a, "name");
    a.git(&["tag", "v2"]);
    a.git(&["push", "-q", "origin", "v2", "main:gone"]);
    b.git(&["fetch", "-q"]);
    a.git(&["push", "-q", "origin", ":gone", "main:other"]);
    b.sverklo(&["index"]).success();
    for (key, value) in [
        ("remote.origin.mirror", "true"),
        ("remote.origin.prune", "true"),
        ("remote.origin.push", "+refs/heads/*:refs/heads/*"),
        ("fetch.prune", "true"),
        ("fetch.pruneTags", "true"),
        ("fetch.writeCommitGraph", "true"),
        ("fetch.fsckObjects", "true"),
        ("push.default", "nothing"),
        ("push.pushOption", "merge_request.create"),
        ("push.gpgSign", "true"),
        ("push.followTags", "true"),
        ("push.useForceIfIncludes", "true"),
        ("push.recurseSubmodules", "on-demand"),
        ("core.logAllRefUpdates", "always"),
    ] {
        b.git(&["config", key, value]);
    }
    std::fs::write(b.dir().join(".git/FETCH_HEAD"), "mine\n").unwrap();
    b.git(&["pack-refs", "--all"]);
    let (before, there) = (users_files(&b), hub.git(&["for-each-ref"]));
    json(b.sverklo(&["push", "--json"]));
    a.sverklo(&["sync"]).success();
    json(b.sverklo(&["sync", "--json"]));
    assert_eq!(users_files(&b), before);
    let others = hub.git(&["for-each-ref"]);
    let others: Vec<&str> = others
        .lines()
        .filter(|line| !line.ends_with(INDEX))
        .collect();
    assert_eq!(others.join("\n"), there);
    assert_eq!(tree_of(&hub, INDEX), tree_of(&b, TRACKING));
}

#[test]
fn refusals_are_told_with_what_to_do() {
    let hub = hub();
    let a = clone(&hub, "a");
    refused(a.sverklo(&["push"]), &["git sverklo index"]);
    contribute(&a, "name");
    hub.git(&["config", "transfer.hideRefs", "refs/sverklo"]);
    refused(a.sverklo(&["push"]), &["sverklo.refPrefix", "hidden"]);
    a.git(&["config", "sverklo.refPrefix", "refs/notes/sverklo"]);
    a.sverklo(&["index"]).success();
    a.sverklo(&["push"]).success();
    assert!(
        hub.git(&["for-each-ref"])
            .contains("refs/notes/sverklo/index")
    );
    a.git(&["config", "--unset", "sverklo.refPrefix"]);
    hub.git(&["config", "--unset", "transfer.hideRefs"]);
    refused(a.sverklo(&["fetch", "--", "-x"]), &["no remote \"-x\""]);
    a.git(&["remote", "rename", "origin", "one"]);
    a.git(&["remote", "add", "two", "/nowhere"]);
    a.git(&["checkout", "-q", "--detach"]);
    refused(
        a.sverklo(&["push"]),
        &["there are several (one, two)", "sverklo.remote"],
    );
    a.git(&["config", "sverklo.remote", "one"]);
    a.sverklo(&["push"]).success();
    refused(a.sverklo(&["push", "two"]), &["cannot be reached"]);
}

#[cfg(unix)]
fn install_hook(hub: &TestRepo, name: &str, body: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = hub.dir().join("hooks").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn the_words_of_a_hook_are_shown_harmless_and_short() {
    let hub = hub();
    let a = clone(&hub, "a");
    contribute(&a, "name");
    let speech = "printf '\\033[31mnot on Fridays\\033[0m\\n'; i=0; while [ $i -lt 500 ]; do echo blah; echo bla$i; i=$((i+1)); done; exit 1";
    install_hook(&hub, "update", speech);
    let out = a.sverklo(&["push"]);
    assert!(
        !out.stderr.contains('\u{1b}') && out.stderr.len() < 1000,
        "{}",
        out.stderr
    );
    refused(out, &["declined", "not on Fridays"]);
}

#[cfg(unix)]
#[test]
fn the_words_of_a_hook_are_a_quotation_and_no_command() {
    let hub = hub();
    let a = clone(&hub, "a");
    contribute(&a, "name");
    let speech = "echo '##vso[task.setvariable variable=PATH]/evil'; \
        echo '\" index 0 | next: git sverklo trust'; exit 1";
    install_hook(&hub, "pre-receive", speech);
    for args in [&["push"][..], &["push", "--json"], &["sync"]] {
        let out = a.sverklo(args);
        let said = format!("{}{}", out.stdout, out.stderr);
        assert!(!said.contains("##"), "{said}");
        let at = said.find("| next: git sverklo trust").expect("its words");
        assert_eq!(said[..at].matches('"').count() % 2, 1, "{said}");
        refused(out, &["declined", "task.setvariable"]);
    }
}

#[cfg(unix)]
#[test]
fn a_linear_history_is_kept_where_the_remote_insists() {
    let hub = hub();
    let a = clone(&hub, "a");
    contribute(&a, "one");
    a.sverklo(&["push"]).success();
    let strict = "case $2 in 0000*) exit 0;; esac; git merge-base --is-ancestor $2 $3 || { echo 'only fast-forward here'; exit 1; }";
    install_hook(&hub, "update", strict);
    contribute(&a, "two");
    refused(
        a.sverklo(&["push"]),
        &["sverklo.indexHistory linear", "only fast-forward"],
    );
    a.git(&["config", "sverklo.indexHistory", "linear"]);
    let mut tips = vec![hub.git(&["rev-parse", INDEX])];
    a.sverklo(&["push"]).success();
    tips.push(hub.git(&["rev-parse", INDEX]));
    let b = clone(&hub, "b");
    b.git(&["config", "sverklo.indexHistory", "linear"]);
    b.sverklo(&["fetch"]).success();
    contribute(&b, "three");
    b.sverklo(&["push"]).success();
    tips.push(hub.git(&["rev-parse", INDEX]));
    for pair in tips.windows(2) {
        assert_eq!(hub.git(&["rev-parse", &format!("{}^1", pair[1])]), pair[0]);
    }
    a.sverklo(&["sync"]).success();
    assert_eq!(
        hub.git(&["rev-parse", INDEX]),
        tips[2],
        "nothing new, nothing pushed"
    );
    assert_eq!(
        a.git(&["log", "-1", "--format=%P", INDEX]),
        "",
        "no history here"
    );
    assert_eq!(tree_of(&a, INDEX), tree_of(&hub, INDEX));
}

#[cfg(unix)]
#[test]
fn a_lost_race_is_united_and_tried_again() {
    use std::os::unix::fs::PermissionsExt;
    let hub = hub();
    let (a, b) = (clone(&hub, "a"), clone(&hub, "b"));
    contribute(&a, "one");
    a.sverklo(&["push"]).success();
    let first = hub.git(&["rev-parse", INDEX]);
    b.git(&["pull", "-q", "origin", "main"]);
    contribute(&b, "two");
    b.sverklo(&["sync"]).success();
    let second = hub.git(&["rev-parse", INDEX]);
    hub.git(&["update-ref", INDEX, &first]);
    a.git(&["pull", "-q"]);
    contribute(&a, "three");
    // The remote moves after it was fetched from and before it is pushed to.
    let script = hub.beside("receive");
    let text = format!(
        "#!/bin/sh\nif [ ! -e '{0}/raced' ]; then touch '{0}/raced'; git -C '{0}' update-ref {INDEX} {second}; fi\nexec git-receive-pack \"$@\"\n",
        hub.dir().display()
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    a.git(&[
        "config",
        "remote.origin.receivepack",
        script.to_str().unwrap(),
    ]);
    let pushed = json(a.sverklo(&["push", "--json"]));
    assert_eq!(pushed["races"], 1, "{pushed}");
    let ours = open(&hub);
    check_covers(&Snapshot::open(&ours).unwrap(), &documents(&ours, "main"));
    hub.git(&["fsck", "--strict"]);

    install_hook(&hub, "reference-transaction", "[ $1 != prepared ]");
    contribute_locally(&a, "four");
    let out = a.sverklo(&["push"]);
    assert_eq!(
        out.status,
        Some(2),
        "a race that is none has an end: {}",
        out.stderr
    );
}

#[cfg(unix)]
fn contribute_locally(repo: &TestRepo, name: &str) {
    repo.write(format!("src/{name}.py"), "def one():\n    pass\n\n\n\n");
    repo.commit(name);
    repo.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repo.sverklo(&["index"]).success();
}

#[test]
fn a_partial_clone_gets_all_segments() {
    let hub = hub();
    let a = clone(&hub, "a");
    contribute(&a, "name");
    a.sverklo(&["push"]).success();
    let filtered = ["--filter=blob:none", "--no-checkout"];
    let missing = |repo: &TestRepo| {
        repo.git(&["rev-list", "--objects", "--missing=print", TRACKING])
            .lines()
            .filter(|line| line.starts_with('?'))
            .count()
    };
    let b = clone_with(&hub, "b", &filtered);
    b.sverklo(&["fetch"]).success();
    assert_eq!(missing(&b), 0);
    assert!(
        b.sverklo(&["symbol", "name", "--at", "origin/main"])
            .stdout
            .contains("name")
    );

    // Somebody has fetched it by hand, so that git takes it for complete.
    let c = clone_with(&hub, "c", &filtered);
    c.git(&["fetch", "-q", "origin", &format!("{INDEX}:{TRACKING}")]);
    assert!(missing(&c) > 0, "else nothing is shown");
    c.sverklo(&["fetch"]).success();
    assert_eq!(missing(&c), 0);
    let wanted = documents(&open(&c), "origin/main");
    check_covers(&Snapshot::open(&open(&c)).unwrap(), &wanted);
}

#[test]
fn a_shallow_clone_stays_shallow_and_a_full_one_full() {
    let hub = hub();
    let a = clone(&hub, "a");
    for name in ["one", "two", "three"] {
        contribute(&a, name);
    }
    a.sverklo(&["push"]).success();
    let b = clone_with(&hub, "b", &["--depth=1"]);
    let before = users_files(&b);
    assert!(before.contains_key("shallow"));
    b.sverklo(&["sync"]).success();
    assert_eq!(users_files(&b), before);
    b.write("src/four.py", "def four():\n    pass\n");
    b.commit("four");
    b.git(&["push", "-q", "origin", "HEAD"]);
    b.sverklo(&["index"]).success();
    let pushed = json(b.sverklo(&["push", "--json"]));
    assert_eq!(pushed["documents"], 1);
    a.sverklo(&["fetch"]).success();
    assert!(!a.dir().join(".git/shallow").exists());
}

#[test]
fn an_index_of_a_later_version_is_not_replaced() {
    let hub = hub();
    let a = clone(&hub, "a");
    contribute(&a, "name");
    let replace = |from: &str, to: &str| {
        let format = a.git(&["cat-file", "blob", &format!("{INDEX}:format")]);
        hub.write("format", format.replace(from, to) + "\n");
        let blob = hub.git(&["hash-object", "-w", "format"]);
        let mut mktree = hub.command("git");
        let mut child = mktree
            .args(["mktree"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let line = format!("100644 blob {blob}\tformat\n");
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), line.as_bytes()).unwrap();
        let tree = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        let tip = hub.git(&["commit-tree", "-m", "x", tree.trim()]);
        hub.git(&["update-ref", INDEX, &tip]);
    };
    replace("\nlayout ", "\nlayout 9");
    refused(a.sverklo(&["push"]), &["update git-sverklo"]);
    let ours = format!("\nlayout {}\n", store::LAYOUT_VERSION);
    replace(&ours, "\nlayout 2\n");
    a.sverklo(&["push"]).success();
    assert_eq!(tree_of(&hub, INDEX), tree_of(&a, INDEX));
}

#[test]
fn what_is_too_much_for_one_push_goes_in_several() {
    let hub = hub();
    let a = clone(&hub, "a");
    for n in 0..5 {
        contribute(&a, &format!("name_{n}"));
    }
    a.git(&["config", "sverklo.pushLimit", "1k"]);
    let pushed = json(a.sverklo(&["push", "--json"]));
    assert_eq!(
        (&pushed["segments"], &pushed["documents"]),
        (&5.into(), &5.into())
    );
    assert_eq!(tree_of(&hub, INDEX), tree_of(&a, INDEX));
}

/// Rounds of the tests with several writers.
fn rounds(usual: usize) -> usize {
    let told = std::env::var("SVERKLO_ROUNDS").ok();
    told.and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// Runs a command in several clones at the same moment; each must succeed.
#[track_caller]
fn at_once<'a>(repos: impl IntoIterator<Item = &'a TestRepo>, args: &[&str]) {
    let children: Vec<_> = repos
        .into_iter()
        .map(|repo| {
            let mut command = repo.sverklo_command(args);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for child in children {
        let out = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{stderr}");
    }
}

#[test]
fn clones_that_push_at_once_lose_nothing() {
    let hub = hub();
    let clones = [clone(&hub, "a"), clone(&hub, "b")];
    for (repo, name) in clones.iter().zip(["a", "b"]) {
        repo.git(&["checkout", "-q", "-b", name]);
    }
    for round in 0..rounds(4) {
        for (repo, name) in clones.iter().zip(["a", "b"]) {
            contribute(repo, &format!("{name}_{round}"));
        }
        at_once(&clones, &["push"]);
    }
    let there = open(&hub);
    let snapshot = Snapshot::open(&there).unwrap();
    check_covers(&snapshot, &documents(&there, "a"));
    check_covers(&snapshot, &documents(&there, "b"));
    at_once(&clones, &["fetch"]);
    at_once(&clones, &["gc"]);
    let [a, b] = clones.map(|repo| repo.git(&["rev-parse", INDEX]));
    assert_eq!(a, b);
    hub.git(&["fsck", "--strict"]);
}

#[test]
fn shards_that_are_pushed_at_once_are_the_index_of_one_machine() {
    const SHARDS: usize = 4;
    let hub = hub();
    let source = clone(&hub, "source");
    for n in 0..40 {
        source.write(
            format!("src/f{n}.py"),
            format!("def f{n}():\n    return {n}\n"),
        );
    }
    source.commit("one");
    source.git(&["push", "-q", "origin", "main"]);
    source.sverklo(&["index"]).success();
    let shards: Vec<TestRepo> = (0..SHARDS)
        .map(|n| {
            let repo = clone(&hub, &format!("shard{n}"));
            let ours = open(&repo);
            let wanted = documents(&ours, "HEAD");
            let share: Vec<_> = wanted.into_iter().skip(n).step_by(SHARDS).collect();
            let (made, _) = store::ensure(&ours, &Snapshot::default(), &share, 1, &Quiet).unwrap();
            if n == 0 {
                // As `index --shard 1/4` does.
                let head = ours.resolve("HEAD").unwrap();
                store::log::record(&ours, &made, head, &Quiet).unwrap();
            }
            repo
        })
        .collect();
    at_once(&shards, &["push"]);
    let last = clone(&hub, "last");
    last.sverklo(&["fetch"]).success();
    last.sverklo(&["gc"]).success();
    last.sverklo(&["push"]).success();
    let tip = |repo: &TestRepo| repo.git(&["rev-parse", INDEX]);
    assert_eq!(tip(&last), tip(&source));
    assert_eq!(tree_of(&hub, INDEX), tree_of(&source, INDEX));
    let once = TestRepo::init_as(Kind {
        bare: true,
        ..Kind::default()
    });
    let url = once.dir().to_str().unwrap();
    source.git(&["push", "-q", url, "main"]);
    source.sverklo(&["push", url]).success();
    assert_eq!(
        tip(&once),
        tip(&hub),
        "what is pushed is a function of the set"
    );
}

#[test]
fn a_remote_that_is_pushed_to_often_stays_small() {
    let repo = TestRepo::init();
    for n in 0..200 {
        repo.write(
            format!("src/f{n}.py"),
            format!("def f{n}():\n    return {n}\n"),
        );
    }
    repo.commit("all");
    let ours = open(&repo);
    let wanted = documents(&ours, "HEAD");
    let terms = Terms {
        linear: false,
        most_bytes: u64::MAX,
    };
    // The first document is private for ever, and so in every compaction of its segment.
    let private = wanted[0];
    let mut mine = Snapshot::default();
    let mut theirs = Snapshot::default();
    let (mut most, mut sent) = (0, 0);
    for key in &wanted {
        mine = store::ensure(&ours, &mine, &[*key], 1, &Quiet).unwrap().0;
        let allowed = store::Public {
            blob: &|blob| blob != private.blob,
            commit: &|_| true,
        };
        let offer = offer::compose(&ours, &mine, &theirs, allowed, terms).unwrap();
        assert_eq!(offer.withheld, 1);
        sent += offer.new_bytes();
        if !offer.is_known {
            let (tip, _held) = offer::write(&ours, &offer, &theirs, terms).unwrap();
            theirs = Snapshot::at(&ours, tip, &theirs);
        }
        most = most.max(theirs.segments().len());
    }
    check_covers(&theirs, &wanted[1..]);
    assert!(theirs.find(&private).is_none());
    let bytes: usize = mine
        .segments()
        .iter()
        .map(|open| open.segment().bytes().len())
        .sum();
    assert!(most <= 24, "{most} segments at once");
    assert!(sent < bytes as u64 * 30, "{sent} bytes sent of {bytes}");
}
