//! Walks through history: what they visit must be what `git rev-list` and `git ls-tree` list.

use crate::git_oracle::{KINDS, open};
use crate::harness::{Kind, TestRepo};
use git_sverklo::git::history::{self, TipSet, TreeWalk, commits, tips};
use git_sverklo::git::{Error, Repo};
use git_sverklo::id::CommitId;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::process::Stdio;

/// A small deterministic generator.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// Makes `count` commits with merges, renamed and removed files and files at several paths; the
/// clock of each is off by up to `skew` seconds. Returns their ids.
pub fn grow(repo: &TestRepo, seed: u64, count: usize, skew: usize) -> Vec<String> {
    let mut dice = Dice(seed);
    let mut stream = Vec::new();
    for mark in 1..=count {
        let date = 1_700_000_000 + mark * 60 - dice.roll(skew + 1);
        write!(
            stream,
            "commit refs/heads/made\nmark :{mark}\ncommitter C <c@example.com> {date} +0000\ndata 0\n"
        )
        .unwrap();
        if mark > 1 {
            let from = mark - 1 - dice.roll(5.min(mark - 1));
            writeln!(stream, "from :{from}").unwrap();
            let other = mark - 1 - dice.roll(12.min(mark - 1));
            if dice.roll(4) == 0 && other != from {
                writeln!(stream, "merge :{other}").unwrap();
            }
        }
        for _ in 0..1 + dice.roll(3) {
            let path = ["", "a/", "a/b/", "c/", "a.b/"][dice.roll(5)];
            let name = dice.roll(4);
            match dice.roll(6) {
                0 => writeln!(stream, "D {path}f{name}.rs").unwrap(),
                1 => write!(stream, "M 100755 inline {path}f{name}.rs\ndata 1\nx\n").unwrap(),
                _ => {
                    let text = dice.roll(30).to_string();
                    let length = text.len();
                    write!(
                        stream,
                        "M 100644 inline {path}f{name}.rs\ndata {length}\n{text}\n"
                    )
                    .unwrap();
                }
            }
        }
    }
    import(repo, &stream)
}

fn import(repo: &TestRepo, stream: &[u8]) -> Vec<String> {
    let marks = repo.beside("marks");
    let mut child = repo
        .command("git")
        .args(["fast-import", "--quiet", "--force"])
        .arg(format!("--export-marks={}", marks.display()))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(stream).unwrap();
    assert!(child.wait().unwrap().success());
    let text = std::fs::read_to_string(marks).unwrap();
    let mut marked: Vec<(usize, String)> = text
        .lines()
        .map(|line| {
            let (mark, id) = line[1..].split_once(' ').unwrap();
            (mark.parse().unwrap(), id.to_owned())
        })
        .collect();
    marked.sort();
    marked.into_iter().map(|(_, id)| id).collect()
}

fn id(hex: &str) -> CommitId {
    CommitId::from_hex(hex.as_bytes()).unwrap()
}

fn ids(hex: &[&String]) -> Vec<CommitId> {
    hex.iter().map(|hex| id(hex)).collect()
}

fn walked(
    repo: &Repo,
    tips: &[CommitId],
    hidden: &[CommitId],
    since: Option<i64>,
) -> Result<Vec<String>, Error> {
    let mut out = Vec::new();
    commits(repo, tips, hidden, since, &mut |commit| {
        out.push(commit.to_string());
        ControlFlow::Continue(())
    })?;
    Ok(out)
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

#[test]
fn commits_are_visited_in_the_order_of_rev_list() {
    for (kind, skew) in KINDS.into_iter().zip([0, 600, 5000]) {
        let repo = TestRepo::init_as(kind);
        let made = grow(&repo, 7, 150, skew);
        for with_graph in [false, true] {
            if with_graph {
                repo.git(&["commit-graph", "write", "--reachable"]);
            }
            let open = open(&repo);
            let mut dice = Dice(skew as u64 + 3);
            for _ in 0..12 {
                let some: Vec<&String> = (0..3).map(|_| &made[dice.roll(made.len())]).collect();
                let (tips, hidden) = some.split_at(1 + dice.roll(2));
                let all = repo.git(&[vec!["rev-list"], strs(tips)].concat());
                assert_eq!(walked(&open, &ids(tips), &[], None).unwrap(), lines(&all));

                let not = [vec!["rev-list"], strs(tips), vec!["--not"], strs(hidden)].concat();
                // git gives up early where clocks are wrong, so it is told to be sure.
                let not = repo.git(&[not, vec!["--topo-order"]].concat());
                let want: BTreeSet<String> = lines(&not).into_iter().collect();
                let got = walked(&open, &ids(tips), &ids(hidden), None).unwrap();
                assert_eq!(got.iter().cloned().collect::<BTreeSet<_>>(), want);
                assert_eq!(got.len(), want.len(), "each once");
                let order = lines(&all);
                let place = |id: &String| order.iter().position(|other| other == id);
                assert!(got.is_sorted_by_key(place), "newest first");
            }
        }
    }
}

fn strs<'a>(ids: &[&'a String]) -> Vec<&'a str> {
    ids.iter().map(|id| id.as_str()).collect()
}

#[test]
fn a_walk_ends_at_a_date_at_a_number_and_at_a_boundary() {
    let repo = TestRepo::init();
    let made = grow(&repo, 21, 80, 0);
    let last = id(&made[79]);
    let open = open(&repo);
    let since = 1_700_000_000 + 40 * 60;
    let want = repo.git(&["rev-list", &format!("--since={since}"), &made[79]]);
    let got = walked(&open, &[last], &[], Some(since as i64)).unwrap();
    assert!(!got.is_empty());
    assert_eq!(got, lines(&want));
    let hidden = [id(&made[60])];
    let want = repo.git(&[
        "rev-list",
        &format!("--since={since}"),
        &made[79],
        "--not",
        &made[60],
    ]);
    let got = walked(&open, &[last], &hidden, Some(since as i64)).unwrap();
    assert_eq!(got, lines(&want));

    let mut left = 5;
    let mut got = Vec::new();
    commits(&open, &[last], &[], None, &mut |commit| {
        got.push(commit.to_string());
        left -= 1;
        match left {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    })
    .unwrap();
    assert_eq!(got, lines(&repo.git(&["rev-list", "-n5", &made[79]])));
    assert_eq!(
        history::commit_date(&open, last).unwrap(),
        1_700_000_000 + 80 * 60
    );
}

#[test]
fn a_shallow_boundary_is_quiet_and_a_missing_parent_is_named() {
    let repo = TestRepo::init();
    let made = grow(&repo, 5, 60, 0);
    repo.git(&["branch", "-f", "made", &made[59]]);
    let dir = repo.beside("shallow");
    let url = format!("file://{}", repo.dir().display());
    repo.git(&[
        "clone",
        "-q",
        "--depth=4",
        "-b",
        "made",
        &url,
        dir.to_str().unwrap(),
    ]);
    let shallow = repo.at(&dir);
    let tip = [id(&made[59])];
    let want = lines(&shallow.git(&["rev-list", "HEAD"]));
    assert!(want.len() < 60);
    assert_eq!(walked(&open(&shallow), &tip, &[], None).unwrap(), want);
    let parent = id(&repo.git(&["rev-parse", &format!("{}^", made[59])]));
    let want = lines(&shallow.git(&["rev-list", "HEAD", "--not", &parent.to_string()]));
    assert_eq!(
        walked(&open(&shallow), &tip, &[parent], None).unwrap(),
        want
    );

    // Without its boundary the clone is damaged, and the first commit that lacks is named.
    std::fs::remove_file(dir.join(".git/shallow")).unwrap();
    let err = walked(&open(&shallow), &tip, &[], None).unwrap_err();
    assert!(err.is_missing_object(), "{err}");
    let lacking = err.to_string();
    assert!(
        made.iter().any(|commit| lacking.contains(commit)),
        "{lacking}"
    );
}

/// Everything `git ls-tree -r` lists for any of the commits.
fn listed(repo: &TestRepo, made: &[String]) -> BTreeSet<(String, String)> {
    let mut all = BTreeSet::new();
    for commit in made {
        for line in repo.git(&["ls-tree", "-r", commit]).lines() {
            let (head, path) = line.split_once('\t').unwrap();
            all.insert((path.to_owned(), head.to_owned()));
        }
    }
    all
}

fn met(walk: &mut TreeWalk, made: &[String]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for commit in made {
        let flow = walk.commit(id(commit), &mut |entry| {
            let mode = if entry.mode == git_sverklo::git::tree::EntryMode::Executable {
                "100755"
            } else {
                "100644"
            };
            let path = String::from_utf8(entry.path.as_bytes().to_vec()).unwrap();
            all.push((path, format!("{mode} blob {}", entry.id)));
            ControlFlow::Continue(())
        });
        assert!(flow.unwrap().is_continue());
    }
    all
}

#[test]
fn each_distinct_entry_of_many_trees_is_met_once() {
    for kind in KINDS {
        let repo = TestRepo::init_as(kind);
        let made = grow(&repo, 99, 70, 0);
        let open = open(&repo);
        let got = met(&mut TreeWalk::new(&open), &made);
        let distinct: BTreeSet<_> = got.iter().cloned().collect();
        assert_eq!(distinct, listed(&repo, &made));
        assert_eq!(distinct.len(), got.len(), "each once");

        let mut args = vec!["rev-list", "--objects", "--no-object-names"];
        args.extend(made.iter().map(String::as_str));
        let objects: BTreeSet<String> = lines(&repo.git(&args)).into_iter().collect();
        let blobs: BTreeSet<&str> = got.iter().map(|(_, head)| &head[12..]).collect();
        assert!(blobs.iter().all(|blob| objects.contains(*blob)));

        // Walked in parts, a commit gives what those before it do not have.
        let mut walk = TreeWalk::new(&open);
        let first = met(&mut walk, &made[..40]);
        let rest = met(&mut walk, &made[40..]);
        assert_eq!([first, rest].concat().len(), got.len());
        assert!(met(&mut walk, &made).is_empty());
    }
}

#[test]
fn a_tree_walk_stops_when_told() {
    let repo = TestRepo::init();
    let made = grow(&repo, 4, 30, 0);
    let open = open(&repo);
    let mut walk = TreeWalk::new(&open);
    let mut count = 0;
    let flow = walk.commit(id(&made[29]), &mut |_| {
        count += 1;
        ControlFlow::Break(())
    });
    assert!(flow.unwrap().is_break());
    assert_eq!(count, 1);
    assert!(
        !met(&mut walk, &made[29..]).is_empty(),
        "the rest is still unseen"
    );
}

#[test]
fn trees_of_a_clone_without_blobs_can_be_walked_and_absent_trees_are_named() {
    let repo = TestRepo::init();
    let made = grow(&repo, 12, 40, 0);
    repo.git(&["branch", "-f", "made", &made[39]]);
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", repo.dir().display());
    for (filter, has_trees) in [("blob:none", true), ("tree:0", false)] {
        let dir = repo.beside(&filter.replace(':', "-"));
        let filter = format!("--filter={filter}");
        let to = dir.to_str().unwrap();
        repo.git(&["clone", "-q", "--bare", &filter, &url, to]);
        let clone = repo.at(&dir);
        let reachable = lines(&repo.git(&["rev-list", "made"]));
        let open = open(&clone);
        if has_trees {
            let got: BTreeSet<_> = met(&mut TreeWalk::new(&open), &reachable)
                .into_iter()
                .collect();
            assert_eq!(got, listed(&repo, &reachable));
        } else {
            let err = TreeWalk::new(&open)
                .commit(id(&made[39]), &mut |_| ControlFlow::Continue(()))
                .unwrap_err();
            let tree = repo.git(&["rev-parse", "made^{tree}"]);
            assert!(err.to_string().contains(&tree), "{err}");
        }
    }
}

#[test]
fn tips_are_what_refs_and_work_trees_name() {
    for kind in KINDS {
        let repo = TestRepo::init_as(kind);
        check_tips(&repo, kind);
    }
}

fn check_tips(repo: &TestRepo, kind: Kind) {
    let open_tips = |which| -> BTreeSet<String> {
        let found = tips(&open(repo), which).unwrap();
        assert!(found.is_sorted_by(|a, b| a < b), "sorted and distinct");
        found.iter().map(ToString::to_string).collect()
    };
    assert!(open_tips(TipSet::All).is_empty(), "{kind:?}: no commit yet");
    let made = grow(repo, 31, 40, 0);
    repo.git(&["update-ref", "-d", "refs/heads/made"]);
    let name = |name: &str, n: usize| drop(repo.git(&["update-ref", name, &made[n]]));
    name("refs/heads/main", 30);
    name("refs/heads/topic/x", 12);
    name("refs/remotes/origin/main", 20);
    name("refs/sverklo/v1/index", 3);
    name("refs/sverklo/remotes/origin/v1/index", 4);
    name("refs/notes/sverklo/index", 5);
    name("refs/pull/1/head", 6);
    repo.git(&["config", "sverklo.refPrefix", "refs/notes/sverklo"]);
    repo.git(&["tag", "light", &made[8]]);
    repo.git(&["tag", "-a", "-m", "t", "heavy", &made[9]]);
    repo.git(&["tag", "-a", "-m", "t", "twice", "heavy"]);
    repo.git(&["tag", "tree", &format!("{}^{{tree}}", made[9])]);
    repo.git(&[
        "symbolic-ref",
        "refs/remotes/origin/HEAD",
        "refs/remotes/origin/main",
    ]);
    repo.git(&["checkout", "-q", "-f", "main"]);
    let linked = repo.beside("linked");
    let linked = linked.to_str().unwrap();
    repo.git(&["worktree", "add", "-q", "--detach", linked, &made[15]]);
    let set =
        |all: &[usize]| -> BTreeSet<String> { all.iter().map(|n| made[*n].clone()).collect() };
    assert_eq!(open_tips(TipSet::Local), set(&[12, 15, 30]));
    assert_eq!(open_tips(TipSet::All), set(&[8, 9, 12, 15, 20, 30]));
    repo.write("f0.rs", "changed");
    repo.git(&["add", "-A"]);
    repo.git(&["stash", "-q"]);
    let mut all = set(&[8, 9, 12, 15, 20, 30]);
    all.insert(repo.git(&["rev-parse", "refs/stash"]));
    assert_eq!(open_tips(TipSet::All), all);
    let from_linked = tips(&Repo::discover(linked.as_ref()).unwrap(), TipSet::Local);
    assert_eq!(
        from_linked.unwrap(),
        tips(&open(repo), TipSet::Local).unwrap()
    );
}

#[test]
fn a_tree_that_nests_too_deep_is_refused() {
    let repo = TestRepo::init();
    let commit = |depth: usize| {
        let path = "d/".repeat(depth);
        let stream = format!(
            "commit refs/heads/deep\nmark :1\ncommitter C <c@example.com> 0 +0000\ndata 0\nM 100644 inline {path}f\ndata 1\nx\n"
        );
        import(&repo, stream.as_bytes()).remove(0)
    };
    let (deep, too_deep) = (commit(1000), commit(1030));
    let open = open(&repo);
    assert_eq!(met(&mut TreeWalk::new(&open), &[deep]).len(), 1);
    let err = TreeWalk::new(&open)
        .commit(id(&too_deep), &mut |_| ControlFlow::Continue(()))
        .unwrap_err();
    assert!(matches!(err, Error::TreeTooLarge { .. }), "{err}");
}

/// A tree of some small objects that names a billion files, beside a file of the user's; its id.
fn bomb(repo: &TestRepo) -> String {
    let blob = {
        repo.write("made", "def evil():\n    pass\n");
        repo.git(&["hash-object", "-w", "made"])
    };
    repo.remove("made");
    let list = repo.beside("entries");
    let tree = |entries: String| {
        std::fs::write(&list, entries).unwrap();
        let mut command = repo.command("git");
        command.arg("mktree");
        command.stdin(std::fs::File::open(&list).unwrap());
        let out = command.output().unwrap();
        assert!(out.status.success());
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    };
    let mut top = tree(format!("100644 blob {blob}\tx.py\n"));
    for _ in 0..30 {
        top = tree(format!("040000 tree {top}\ta\n040000 tree {top}\tb\n"));
    }
    tree(format!("040000 tree {top}\td\n100644 blob {blob}\tok.py\n"))
}

/// Commands that look at trees, each of which must end.
const LOOKS: [&[&str]; 11] = [
    &["index"],
    &["symbol", "f"],
    &["search", "what is f"],
    &["map"],
    &["history", "f"],
    &["history", "a.py"],
    &["recall"],
    &["status"],
    &["sync"],
    &["push"],
    &["gc"],
];

#[test]
fn a_small_tree_that_names_billions_of_files_keeps_nobody_from_other_branches() {
    let hub = TestRepo::init();
    hub.write("a.py", "def f():\n    pass\n");
    let first = hub.commit("one");
    let tree = bomb(&hub);
    let evil = hub.git(&["commit-tree", &tree, "-p", &first, "-m", "evil"]);
    hub.git(&["update-ref", "refs/heads/evil", &evil]);
    let repo = hub.cloned("clone");
    repo.write("b.py", "def g():\n    f()\n");
    repo.commit("two");
    repo.sverklo(&["remember", "f is small"]).success();
    // What only the branch of somebody else has is passed over.
    for args in LOOKS {
        let out = repo.sverklo(args);
        assert_eq!(out.status, Some(0), "{args:?}: {}", out.stderr);
        if args[0] == "sync" {
            assert!(out.stderr.contains("is not sent"), "{}", out.stderr);
        }
    }
    repo.git(&["branch", "-q", "evil", &evil]);
    let out = repo.sverklo(&["index", "--all"]);
    assert_eq!(out.status, Some(0), "{}", out.stderr);
    let said = format!("1 commit was passed over: commit {}", &evil[..10]);
    assert!(out.stderr.contains(&said), "{}", out.stderr);
    // As it is when it was taken out again.
    let undone = repo.git(&[
        "commit-tree",
        "HEAD^{tree}",
        "-p",
        &evil,
        "-p",
        "HEAD",
        "-m",
        "undo",
    ]);
    repo.git(&["reset", "-q", "--hard", &undone]);
    for args in LOOKS {
        let out = repo.sverklo(args);
        assert_eq!(out.status, Some(0), "{args:?}: {}", out.stderr);
    }
    assert!(repo.sverklo(&["forget", "ok.py"]).status == Some(0));
    // Where everything seems to come from there, who asks is told so.
    let plain = repo.git(&["commit-tree", "HEAD^{tree}", "-p", &evil, "-m", "undo"]);
    repo.git(&["reset", "-q", "--hard", &plain]);
    for args in [&["history", "f"], &["history", "a.py"]] {
        let out = repo.sverklo(args);
        assert_eq!(out.status, Some(2), "{args:?}: {}", out.stdout);
        let said = format!("commit {}", &evil[..10]);
        assert!(out.stderr.contains(&said), "{args:?}: {}", out.stderr);
    }
    repo.sverklo(&["symbol", "f"]).success();

    // Who stands on it is told which commit it is.
    repo.git(&["symbolic-ref", "HEAD", "refs/heads/evil"]);
    for args in [
        &["index"][..],
        &["symbol", "f"],
        &["status"],
        &["map", "--at", "evil"],
    ] {
        let out = repo.sverklo(args);
        assert_eq!(out.status, Some(2), "{args:?}: {}", out.stdout);
        let said = format!("commit {}", &evil[..10]);
        assert!(out.stderr.contains(&said), "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains("--at"), "{args:?}: {}", out.stderr);
    }
}
