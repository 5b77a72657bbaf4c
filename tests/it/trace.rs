//! What ran under test is recorded by blob, travels, unites, and is forgotten.

use crate::harness::{Kind, Output, TestRepo};
use crate::store::open;
use crate::trust::rule_out;
use git_sverklo::id::BlobId;
use git_sverklo::store::Snapshot;
use git_sverklo::store::trace::Traces;
use git_sverklo::trace::lines::Ran;

const INDEX: &str = "refs/sverklo/v1/index";

const CART: &str = "\
def add(cart, item):
    if item is None:
        return cart
    cart.append(item)
    return cart


def total(cart):
    return sum(
        item.price for item in cart)
";

fn repository(kind: Kind) -> TestRepo {
    let repo = TestRepo::init_as(kind);
    repo.write("src/cart.py", CART);
    repo.write("src/idle.py", "def idle():\n    return 1\n");
    repo.commit("one");
    repo
}

/// An LCOV report: paths with the lines that ran and those that did not.
fn lcov(files: &[(&str, &[u32], &[u32])]) -> String {
    let mut text = String::from("TN:\n");
    for (path, executed, missed) in files {
        text += &format!("SF:{path}\n");
        for line in *executed {
            text += &format!("DA:{line},1\n");
        }
        for line in *missed {
            text += &format!("DA:{line},0\n");
        }
        text += "end_of_record\n";
    }
    text
}

fn import(repo: &TestRepo, report: &str, args: &[&str]) -> Output {
    let path = repo.beside("report.info");
    std::fs::write(&path, report).unwrap();
    let mut all = vec!["trace", "import", path.to_str().unwrap()];
    all.extend(args);
    repo.sverklo(&all)
}

#[track_caller]
fn json(out: Output) -> serde_json::Value {
    serde_json::from_str(&out.success()).expect("json")
}

fn tip(repo: &TestRepo) -> String {
    repo.git(&["rev-parse", INDEX])
}

fn blob(repo: &TestRepo, spec: &str) -> BlobId {
    BlobId::from_hex(repo.git(&["rev-parse", spec]).as_bytes()).unwrap()
}

fn traces(repo: &TestRepo) -> Traces {
    let repo = open(repo);
    let snapshot = Snapshot::open(&repo).unwrap();
    assert!(snapshot.warnings.is_empty(), "{:?}", snapshot.warnings);
    let (traces, warnings) = Traces::open(&repo, &snapshot);
    assert!(warnings.is_empty(), "{warnings:?}");
    traces
}

/// The pieces of the traces that the index names.
fn pieces(repo: &TestRepo) -> Vec<String> {
    let list = repo.git(&["ls-tree", "-r", "--name-only", INDEX, "trace"]);
    list.lines()
        .map(|path| path.replace(['/'], "").replacen("trace", "", 1))
        .collect()
}

#[test]
fn a_report_is_recorded_and_read_back() {
    for kind in [
        Kind::default(),
        Kind {
            sha256: true,
            ..Kind::default()
        },
    ] {
        let repo = repository(kind);
        let report = lcov(&[
            ("/build/src/cart.py", &[1, 2, 4, 5, 8], &[3, 9]),
            ("/usr/lib/python3/json.py", &[1], &[]),
        ]);
        let dry = json(import(&repo, &report, &["--dry-run", "--json"]));
        assert_eq!((&dry["added"], &dry["dry_run"]), (&1.into(), &true.into()));
        let out = import(&repo, &report, &[]).success();
        assert!(out.contains("lcov, 1 of 2 files found"), "{out}");
        assert!(
            out.contains("recorded 1 blob: 5 of 7 lines ran; 1 new"),
            "{out}"
        );
        assert!(
            out.contains("not in this tree: 1 path: /usr/lib/python3/json.py"),
            "{out}"
        );
        let before = tip(&repo);
        let again = json(import(&repo, &report, &["--json"]));
        assert_eq!(
            (&again["added"], &again["extended"]),
            (&0.into(), &0.into())
        );
        assert_eq!(tip(&repo), before, "nothing new, nothing written");

        let shown = json(repo.sverklo(&["trace", "show", "--json"]));
        let files = shown["files"].as_array().unwrap();
        assert_eq!(files.len(), 1, "{shown}");
        assert_eq!(files[0]["path"], "src/cart.py");
        assert_eq!(files[0]["executed"], "1-2,4-5,8");
        assert_eq!(files[0]["executable"], "1-5,8-9");
        let ran: Vec<_> = files[0]["functions"].as_array().unwrap().iter().collect();
        assert_eq!(
            (&ran[0]["name"], &ran[0]["ran"]),
            (&"add".into(), &"ran".into())
        );
        assert_eq!(
            (&ran[1]["name"], &ran[1]["ran"]),
            (&"total".into(), &"did not run".into()),
            "defining it does not run it"
        );
        let traces = traces(&repo);
        let lines = traces.lines(blob(&repo, "HEAD:src/cart.py")).unwrap();
        assert_eq!(
            [lines.line(2), lines.line(3), lines.line(7)],
            [Ran::Yes, Ran::No, Ran::Unknown]
        );
        assert!(traces.lines(blob(&repo, "HEAD:src/idle.py")).is_none());
        let status = repo.sverklo(&["status"]).success();
        assert!(
            status.contains("traces: 1 blob, 1 file at HEAD"),
            "{status}"
        );
        repo.sverklo(&["fsck"]).success();
    }
}

#[test]
fn a_function_that_did_not_change_keeps_what_was_seen_of_it() {
    let repo = repository(Kind::default());
    import(
        &repo,
        &lcov(&[("src/cart.py", &[1, 2, 4, 5, 8], &[3, 9])]),
        &[],
    )
    .success();
    repo.write(
        "src/cart.py",
        format!("import os\n\n\n{}\n# end\n", CART.replace("sum(", "max(")),
    );
    for commit in [false, true] {
        if commit {
            repo.commit("moved");
        }
        let shown = json(repo.sverklo(&["trace", "show", "src", "--json"]));
        let file = &shown["files"][0];
        assert_eq!(file["same"], false, "{shown}");
        let functions = file["functions"].as_array().unwrap();
        assert_eq!(functions.len(), 1, "total has changed: {shown}");
        assert_eq!(functions[0]["name"], "add");
        assert_eq!(functions[0]["start"], 4);
        assert_eq!(functions[0]["ran"], "ran");
    }
    let old = repo.sverklo(&["trace", "show", "--at", "HEAD~"]).success();
    assert!(
        old.contains("src/cart.py: 5 of 7 lines ran: 1-2,4-5,8\n"),
        "{old}"
    );
}

#[test]
fn what_is_not_committed_yet_holds_once_it_is() {
    let repo = repository(Kind::default());
    repo.write("src/new.py", "def new():\n    return 2\n");
    import(&repo, &lcov(&[("src/new.py", &[1, 2], &[])]), &[]).success();
    // The content itself is nobody's business before it is committed.
    let snapshot = Snapshot::open(&open(&repo)).unwrap();
    let id = repo.git(&["hash-object", "src/new.py"]);
    let new = BlobId::from_hex(id.as_bytes()).unwrap();
    assert!(!snapshot.holds(new) && traces(&repo).lines(new).is_some());
    repo.commit("two");
    let shown = json(repo.sverklo(&["trace", "show", "--at", "HEAD", "--json"]));
    assert_eq!(shown["files"][0]["path"], "src/new.py");
    assert_eq!(shown["files"][0]["same"], true);
}

#[test]
fn a_report_about_another_version_is_left_out_or_goes_to_its_own() {
    let repo = repository(Kind::default());
    let report = lcov(&[("src/cart.py", &[1, 40], &[]), ("src/idle.py", &[1], &[2])]);
    let out = import(&repo, &report, &[]).success();
    assert!(
        out.contains("shorter than reported, so left out: 1 path: src/cart.py"),
        "{out}"
    );
    repo.write("src/idle.py", "\n\n\ndef idle():\n    return 1\n");
    repo.commit("two");
    let report = lcov(&[("src/idle.py", &[2], &[])]);
    import(&repo, &report, &["--at", "HEAD~"]).success();
    let traces = traces(&repo);
    let old = traces.lines(blob(&repo, "HEAD~:src/idle.py")).unwrap();
    assert_eq!(old.executed().to_string(), "1-2");
    assert!(traces.lines(blob(&repo, "HEAD:src/idle.py")).is_none());
}

#[test]
fn what_cannot_be_used_is_refused_or_named() {
    let repo = repository(Kind::default());
    let out = import(&repo, "<coverage/>", &[]);
    assert_eq!(out.status, Some(2));
    assert!(out.stderr.contains("none of the formats"), "{}", out.stderr);
    let out = import(&repo, "SF:a\n", &["--format", "istanbul"]);
    assert!(
        out.stderr.contains("no report of istanbul"),
        "{}",
        out.stderr
    );
    let out = repo.sverklo(&["trace", "import", "nothing.info"]);
    assert!(out.stderr.contains("nothing.info"), "{}", out.stderr);
    let out = import(&repo, &lcov(&[("other/x.py", &[1], &[])]), &[]);
    assert_eq!(out.status, Some(1), "nothing was recorded");
    assert_eq!(repo.sverklo(&["trace", "show"]).status, Some(1));
    assert!(repo.try_git(&["rev-parse", "-q", "--verify", INDEX]).status != Some(0));
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
fn two_clones_end_in_the_union_of_what_they_saw() {
    let origin = repository(Kind::default());
    let [one, two] = clones(&origin);
    import(&one, &lcov(&[("src/cart.py", &[1, 2], &[3, 4])]), &[]).success();
    import(
        &two,
        &lcov(&[("src/cart.py", &[4], &[9]), ("src/idle.py", &[2], &[])]),
        &[],
    )
    .success();
    let report = json(one.sverklo(&["push", "--json"]));
    assert_eq!(
        (&report["traces"], &report["current"]),
        (&1.into(), &false.into())
    );
    let report = json(two.sverklo(&["sync", "--json"]));
    assert_eq!(report["pushed"]["traces"], 2, "{report}");
    let report = json(one.sverklo(&["fetch", "--json"]));
    assert_eq!(report["traces"], 1, "one blob was not known: {report}");
    assert_eq!(pieces(&one), pieces(&two));
    let seen = traces(&one);
    let lines = seen.lines(blob(&one, "HEAD:src/cart.py")).unwrap();
    assert_eq!(lines.executed().to_string(), "1-2,4");
    assert_eq!(lines.executable().to_string(), "1-4,9");
    // The other order gives the same bytes.
    let third = repository(Kind::default());
    import(
        &third,
        &lcov(&[
            ("src/idle.py", &[2], &[]),
            ("src/cart.py", &[4, 2, 1], &[3, 9]),
        ]),
        &[],
    )
    .success();
    assert_eq!(pieces(&third), pieces(&one));
    let again = json(two.sverklo(&["push", "--json"]));
    assert_eq!(again["current"], true, "{again}");
    let tree = |repo: &TestRepo| repo.git(&["rev-parse", &format!("{INDEX}^{{tree}}")]);
    assert_eq!(tree(&one), tree(&two));
    one.sverklo(&["fsck"]).success();
}

#[test]
fn traces_of_what_the_remote_does_not_have_stay_here() {
    let origin = repository(Kind::default());
    let [one, two] = clones(&origin);
    one.write("src/private.py", "def private():\n    return 3\n");
    one.commit("private");
    one.write("src/dirty.py", "def dirty():\n    return 4\n");
    let report = lcov(&[
        ("src/cart.py", &[1], &[]),
        ("src/private.py", &[1, 2], &[]),
        ("src/dirty.py", &[2], &[]),
    ]);
    import(&one, &report, &[]).success();
    assert_eq!(traces(&one).len(), 3);
    one.sverklo(&["push"]).success();
    two.sverklo(&["fetch"]).success();
    let cart = blob(&two, "HEAD:src/cart.py");
    assert_eq!(traces(&two).blobs().collect::<Vec<_>>(), [cart]);
    // With the branch, what is about it goes too; what is not committed stays.
    one.git(&["push", "-q", "origin", "HEAD"]);
    one.sverklo(&["push"]).success();
    two.sverklo(&["fetch"]).success();
    assert_eq!(traces(&two).len(), 2);
    assert_eq!(traces(&one).len(), 3);
}

#[test]
fn gc_drops_the_traces_of_what_is_gone_and_no_clone_brings_them_back() {
    let repo = repository(Kind::default());
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("src/topic.py", "def topic():\n    return 5\n");
    repo.commit("topic");
    let report = lcov(&[("src/cart.py", &[1], &[]), ("src/topic.py", &[2], &[])]);
    import(&repo, &report, &[]).success();
    let [one, _] = clones(&repo);
    one.sverklo(&["fetch", repo.dir().to_str().unwrap()])
        .success();
    assert_eq!(traces(&one).len(), 2);
    repo.sverklo(&["gc"]).success();
    assert_eq!(traces(&repo).len(), 2, "a branch still has both");
    let before = pieces(&repo);

    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["branch", "-q", "-D", "topic"]);
    let out = repo.sverklo(&["gc", "--dry-run"]).success();
    assert!(out.contains("and 1 trace would be dropped"), "{out}");
    assert_eq!(pieces(&repo), before);
    repo.sverklo(&["gc"]).success();
    let cart = blob(&repo, "HEAD:src/cart.py");
    assert_eq!(traces(&repo).blobs().collect::<Vec<_>>(), [cart]);
    // The clone has the older set.
    repo.sverklo(&["fetch", one.dir().to_str().unwrap()])
        .success();
    assert_eq!(traces(&repo).len(), 1);
    // Seen again, it is recorded again.
    repo.git(&["checkout", "-q", "-b", "topic", "main"]);
    repo.write("src/topic.py", "def topic():\n    return 5\n");
    import(&repo, &report, &[]).success();
    assert_eq!(pieces(&repo), before, "the very piece that was dropped");
    repo.sverklo(&["fsck"]).success();
}

#[test]
fn forgotten_blobs_have_no_traces_anywhere() {
    let origin = repository(Kind::default());
    let [one, two] = clones(&origin);
    let report = lcov(&[("src/cart.py", &[1, 2], &[]), ("src/idle.py", &[2], &[])]);
    import(&one, &report, &[]).success();
    one.sverklo(&["push"]).success();
    two.sverklo(&["fetch"]).success();
    let out = one.sverklo(&["forget", "src/cart.py"]).success();
    assert!(out.contains(", 1 trace\n"), "{out}");
    let idle = blob(&one, "HEAD:src/idle.py");
    assert_eq!(traces(&one).blobs().collect::<Vec<_>>(), [idle]);
    one.sverklo(&["sync"]).success();
    assert_eq!(traces(&one).len(), 1, "the remote had it");
    two.sverklo(&["fetch"]).success();
    assert_eq!(traces(&two).len(), 1);
    let out = import(&one, &report, &[]).success();
    assert!(
        out.contains("not in this tree: 1 path: src/cart.py"),
        "{out}"
    );
    assert_eq!(traces(&one).len(), 1);
}

/// Puts a blob at a path of the tip's tree.
fn put(repo: &TestRepo, path: &str, id: &str) {
    let run = |args: &[&str]| {
        let mut command = repo.command("git");
        command.env("GIT_INDEX_FILE", ".git/other").args(args);
        let out = command.output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{args:?}: {said}");
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    };
    run(&["read-tree", INDEX]);
    let entry = format!("100644,{id},{path}");
    run(&["update-index", "--add", "--cacheinfo", &entry]);
    let tree = run(&["write-tree"]);
    let commit = run(&["commit-tree", "-m", "planted", &tree]);
    run(&["update-ref", INDEX, &commit]);
}

#[test]
fn traces_outlive_the_documents_of_another_layout() {
    let repo = repository(Kind::default());
    repo.sverklo(&["index"]).success();
    import(&repo, &lcov(&[("src/cart.py", &[1], &[])]), &[]).success();
    let (good, held) = (tip(&repo), pieces(&repo));
    let format = repo.git(&["cat-file", "-p", &format!("{INDEX}:format")]);
    let other = format.replace("segment ", "segment 9") + "\n";
    put(
        &repo,
        "format",
        &crate::trust::blob(&repo, other.as_bytes()),
    );
    let out = repo.sverklo(&["trace", "show"]);
    assert!(out.stderr.contains("not of this version"), "{}", out.stderr);
    assert!(
        out.stdout.contains("src/cart.py: 1 of 1 line ran"),
        "{}",
        out.stdout
    );
    repo.sverklo(&["index"]).success();
    assert_eq!((tip(&repo), pieces(&repo)), (good, held));
    // Of another layout it is not known what they mean.
    let other = format.replace("\nlayout ", "\nlayout 9") + "\n";
    put(
        &repo,
        "format",
        &crate::trust::blob(&repo, other.as_bytes()),
    );
    repo.sverklo(&["index"]).success();
    assert!(pieces(&repo).is_empty());
}

#[test]
fn a_damaged_piece_is_one_warning_and_fsck_drops_it() {
    let repo = repository(Kind::default());
    repo.sverklo(&["index"]).success();
    import(&repo, &lcov(&[("src/cart.py", &[1], &[])]), &[]).success();
    let good = tip(&repo);
    let id = crate::trust::blob(&repo, b"svtrace\x01\x01\x01 nonsense");
    put(&repo, &format!("trace/{}/{}", &id[..2], &id[2..]), &id);

    let out = repo.sverklo(&["trace", "show"]);
    assert_eq!(out.status, Some(0));
    let about = format!("warning: trace {id} is ignored");
    assert!(out.stderr.contains(&about), "{}", out.stderr);
    assert!(out.stdout.contains("src/cart.py"), "{}", out.stdout);
    let out = repo.sverklo(&["fsck"]);
    assert!(
        out.stdout.contains(&id) || out.stderr.contains(&id),
        "{out:?}"
    );
    assert_eq!(tip(&repo), good, "the others are as they were");
    assert_eq!(traces(&repo).len(), 1);
}

#[test]
fn what_is_absorbed_leaves() {
    let repo = repository(Kind::default());
    import(&repo, &lcov(&[("src/cart.py", &[1, 2], &[3])]), &[]).success();
    repo.sverklo(&["index"]).success();
    let named = || repo.git(&["ls-tree", "-r", "--name-only", INDEX, "trace/"]);
    let id = named().trim_start_matches("trace/").replace('/', "");
    rule_out(&repo, INDEX, "absorbs", &format!("{id} 1 absorbed"));
    let out = repo.sverklo(&["fsck"]);
    let said = format!("trace {id}: it is absorbed and yet named");
    assert!(out.stdout.contains(&said), "{out:?}");
    assert_eq!(named(), "");
    repo.sverklo(&["fsck"]).success();
}
