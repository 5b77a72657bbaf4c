//! The history channel: what commits say finds the files they touched, and git is the oracle of
//! which commits these are.

use crate::git_oracle::{KINDS, open};
use crate::harness::TestRepo;
use git_sverklo::git::history::commits;
use git_sverklo::git::{Head, Repo, RepoPath};
use git_sverklo::history::log::Log;
use git_sverklo::history::piece::Piece;
use git_sverklo::history::touched::Touch;
use git_sverklo::history::window::{Age, Window};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

fn search(repo: &TestRepo, query: &str, at: Option<&str>) -> Value {
    let mut args = vec!["search", query, "--json"];
    args.extend(at.map(|at| ["--at", at]).into_iter().flatten());
    // Nothing found is an answer too.
    let mut answer: Value =
        serde_json::from_str(&repo.sverklo(&args).stdout).expect("--json prints JSON");
    answer["index"]["warnings"].take();
    answer
}

/// The paths that the history channel found, by its rank.
fn by_history(answer: &Value) -> Vec<String> {
    found_by(answer, "history#")
}

fn found_by(answer: &Value, channel: &str) -> Vec<String> {
    let mut found = Vec::new();
    for hit in answer["hits"].as_array().into_iter().flatten() {
        let by = hit["found_by"].as_array().into_iter().flatten();
        for rank in by.filter_map(|by| by.as_str()?.strip_prefix(channel)) {
            let rank: u32 = rank.parse().unwrap();
            found.push((rank, hit["path"].as_str().unwrap().to_owned()));
        }
    }
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// Three files of which each has a commit of its own.
fn workshop() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("src/pump.py", "def pump(level):\n    return level\n");
    repo.write("src/valve.py", "def valve(state):\n    return state\n");
    repo.write("src/tank.py", "def tank(size):\n    return size\n");
    repo.commit("begin");
    repo.write("src/valve.py", "def valve(state):\n    return not state\n");
    repo.commit("stop backflow when pressure drops");
    repo.write("src/pump.py", "def pump(level):\n    return level + 1\n");
    repo.commit("prime before first stroke\n\nDry starts ruined the gasket.");
    repo
}

#[test]
fn what_a_commit_said_finds_what_it_changed() {
    let repo = workshop();
    let answer = search(&repo, "backflow", None);
    assert_eq!(by_history(&answer), ["src/valve.py"]);
    assert_eq!(by_history(&search(&repo, "gasket", None)), ["src/pump.py"]);
    assert_eq!(answer["history"], Value::Null);
}

#[test]
fn a_question_about_the_past_hears_nothing_from_the_future() {
    let repo = workshop();
    let before = search(&repo, "backflow gasket", Some("HEAD~1"));
    assert_eq!(by_history(&before), ["src/valve.py"]);
    let first = search(&repo, "backflow gasket", Some("HEAD~2"));
    assert_eq!(by_history(&first), [""; 0]);
    assert_eq!(first["history"], "no history to rank by");
    // All that was read for it does not change the past.
    search(&repo, "backflow gasket", None);
    assert_eq!(search(&repo, "backflow gasket", Some("HEAD~1")), before);
    // A branch beside it is as far away as the future.
    repo.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    repo.write("src/tank.py", "def tank(size):\n    return size * 2\n");
    repo.commit("double gasket");
    assert_eq!(by_history(&search(&repo, "gasket", None)), ["src/tank.py"]);
    assert_eq!(
        by_history(&search(&repo, "gasket", Some("main"))),
        ["src/pump.py"]
    );
    repo.git(&[
        "merge",
        "-q",
        "--no-ff",
        "-m",
        "merge backflow plans",
        "main",
    ]);
    let mut both = by_history(&search(&repo, "gasket", None));
    both.sort();
    assert_eq!(both, ["src/pump.py", "src/tank.py"]);
    // The merge itself changed nothing.
    assert_eq!(by_history(&search(&repo, "plans", None)), [""; 0]);
}

#[test]
fn credit_follows_a_file_to_where_it_is_today() {
    let repo = workshop();
    std::fs::create_dir_all(repo.dir().join("lib/flow")).unwrap();
    repo.git(&["mv", "src/valve.py", "lib/valve.py"]);
    repo.commit("move");
    repo.git(&["mv", "lib/valve.py", "lib/flow/gate.py"]);
    repo.commit("move on");
    repo.write("src/valve.py", "def other():\n    return None\n");
    repo.commit("something else of that name");
    let answer = search(&repo, "backflow", None);
    assert_eq!(by_history(&answer), ["lib/flow/gate.py"]);
    assert_eq!(
        by_history(&search(&repo, "else name", None)),
        ["src/valve.py"]
    );
    repo.git(&["rm", "-q", "lib/flow/gate.py"]);
    repo.commit("gone");
    assert_eq!(by_history(&search(&repo, "backflow", None)), [""; 0]);
    // Where it still was, it is found.
    let before = search(&repo, "backflow", Some("HEAD~1"));
    assert_eq!(by_history(&before), ["lib/flow/gate.py"]);
}

#[test]
fn files_that_change_together_are_found_together() {
    let repo = TestRepo::init();
    for name in ["route", "skin", "other"] {
        repo.write(
            format!("src/{name}.py"),
            format!("def {name}(x):\n    return x\n"),
        );
    }
    repo.commit("begin");
    for n in 0..3 {
        for name in ["route", "skin"] {
            let text = format!("def {name}(x):\n    return x + {n}\n");
            repo.write(format!("src/{name}.py"), text);
        }
        repo.commit("go on");
    }
    let first = search(&repo, "route", Some("HEAD~2"));
    assert_eq!(
        found_by(&first, "co-change#"),
        ["src/skin.py", "src/other.py"]
    );
    repo.git(&["mv", "src/skin.py", "src/dress.py"]);
    repo.commit("move");
    let answer = search(&repo, "route", None);
    assert_eq!(
        found_by(&answer, "co-change#"),
        ["src/dress.py", "src/other.py"]
    );
    // Of a commit that changed everything nothing follows.
    let sweep = TestRepo::init();
    for n in 0..40 {
        sweep.write(
            format!("src/part{n}.py"),
            format!("def part{n}():\n    pass\n"),
        );
    }
    sweep.commit("begin");
    sweep.write("README.md", "# Parts\n");
    sweep.commit("say so");
    let answer = search(&sweep, "part7", None);
    assert_eq!(found_by(&answer, "co-change#"), [""; 0]);
}

#[test]
fn history_that_is_not_there_is_named() {
    let repo = workshop();
    let url = format!("file://{}", repo.dir().display());
    let clone = |depth: &str, name: &str| {
        let dir = repo.beside(name);
        repo.git(&["clone", "-q", depth, &url, dir.to_str().unwrap()]);
        repo.at(&dir)
    };
    let none = clone("--depth=1", "none");
    let answer = search(&none, "gasket", None);
    assert_eq!(answer["history"], "no history to rank by (shallow clone)");
    assert_eq!(by_history(&answer), [""; 0]);
    let text = none.sverklo(&["search", "pump"]).success();
    assert!(
        text.contains("| no history to rank by (shallow clone)"),
        "{text}"
    );
    // The oldest of three differs from what is not there: two are known.
    repo.write("src/tank.py", "def tank(size):\n    return size * 3\n");
    repo.commit("triple");
    let some = clone("--depth=3", "some");
    let answer = search(&some, "backflow gasket", None);
    assert_eq!(answer["history"], "history: only 2 commits (shallow clone)");
    assert_eq!(by_history(&answer), ["src/pump.py"]);
    some.git(&["fetch", "-q", "--unshallow"]);
    let answer = search(&some, "backflow gasket", None);
    assert_eq!(answer["history"], Value::Null);
    assert_eq!(by_history(&answer).len(), 2);
    // No commit at all.
    let empty = TestRepo::init();
    empty.write("a.py", "def pump():\n    pass\n");
    assert_eq!(
        search(&empty, "pump", None)["history"],
        "no history to rank by"
    );
}

#[test]
fn a_linked_work_tree_has_its_own_history_and_shares_what_was_read() {
    let repo = workshop();
    search(&repo, "pump", None);
    let pieces = || std::fs::read_dir(repo.kept().join("log")).unwrap().count();
    assert_eq!(pieces(), 1);
    let linked = repo.beside("linked");
    repo.git(&[
        "worktree",
        "add",
        "-q",
        "--detach",
        linked.to_str().unwrap(),
        "HEAD~1",
    ]);
    let linked = repo.at(&linked);
    let answer = search(&linked, "backflow gasket", None);
    assert_eq!(by_history(&answer), ["src/valve.py"]);
    assert_eq!(pieces(), 1);
}

#[test]
fn what_is_kept_is_a_cache() {
    let repo = workshop();
    let whole = search(&repo, "backflow gasket", None);
    let folder = repo.kept().join("log");
    let only = || {
        std::fs::read_dir(&folder)
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path()
    };
    let bytes = std::fs::read(only()).unwrap();
    for at in (0..bytes.len()).step_by(bytes.len() / 23) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        std::fs::write(only(), damaged).unwrap();
        assert_eq!(search(&repo, "backflow gasket", None), whole, "byte {at}");
        std::fs::remove_dir_all(&folder).unwrap();
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("x"), &bytes).unwrap();
    }
    std::fs::write(only(), &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(search(&repo, "backflow gasket", None), whole);
}

/// The window of `HEAD` as these pieces have it, to which the one of what is read is added.
fn window(repo: &Repo, pieces: &mut Vec<Arc<Piece>>) -> Window {
    let Head::Commit { id, .. } = repo.head().unwrap() else {
        panic!("no commit");
    };
    let window = Window::open(repo, Log::of(pieces.clone()), id, &|_, _| true).unwrap();
    pieces.extend(window.fresh().cloned());
    window
}

/// What a window holds, for comparing.
fn listed(window: &Window) -> Vec<(u32, u32, Vec<String>)> {
    let ages = (0..window.len() as u32).map(Age);
    ages.map(|age| {
        let paths = window
            .touched(age)
            .map(|path| String::from_utf8_lossy(&path).into_owned());
        (window.length(age), window.changed(age), paths.collect())
    })
    .collect()
}

/// The paths that changed together with all, weighed so that the order in which weights are added can be seen.
fn together(window: &Window, most: usize) -> Vec<(String, Vec<(Age, f64)>)> {
    let ages = (0..window.len() as u32).map(Age);
    let commits: Vec<(Age, f64)> = ages
        .map(|age| (age, 1.0 / f64::from(window.changed(age) + 2)))
        .collect();
    let found = window.together(&commits, most).into_iter();
    let name = |place| String::from_utf8_lossy(&window.path(place)).into_owned();
    found.map(|(place, times)| (name(place), times)).collect()
}

#[test]
fn git_lists_the_same_changes() {
    for kind in KINDS {
        let repo = TestRepo::init_as(kind);
        let mut pieces = Vec::new();
        // One commit after the other is added to what is known.
        for step in 0..24u32 {
            if step == 9 {
                repo.git(&["checkout", "-q", "-b", "side", "HEAD~3"]);
            } else if step == 15 {
                repo.git(&["merge", "-q", "-s", "ours", "-m", "meet", "main"]);
            }
            for file in 0..6 {
                let path = format!(
                    "d{}/f{}.txt",
                    (step * 5 + file) % 4,
                    (step * 7 + file * 3) % 11
                );
                match (step + file) % 5 {
                    0 if repo.dir().join(&path).exists() => {
                        repo.remove(&path);
                    }
                    1 | 2 => {
                        repo.write(&path, format!("{}\n", (step + file) % 6));
                    }
                    _ => {}
                }
            }
            repo.commit(&format!("step {step}"));
            window(&open(&repo), &mut pieces);
        }
        let opened = open(&repo);
        let grown = window(&opened, &mut pieces);
        let fresh = window(&opened, &mut Vec::new());
        assert_eq!(listed(&grown), listed(&fresh));
        for most in [2, 5, 100] {
            assert_eq!(together(&grown, most), together(&fresh, most), "{most}");
        }

        let Head::Commit { id, .. } = opened.head().unwrap() else {
            panic!("no commit");
        };
        let mut order = Vec::new();
        commits(&opened, &[id], &[], None, &mut |id| {
            order.push(id.to_string());
            ControlFlow::Continue(())
        })
        .unwrap();
        let mut oracle: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let log = repo.git(&[
            "log",
            "--no-merges",
            "--root",
            "--no-renames",
            "--name-status",
            "--format=%x01%H",
        ]);
        for entry in log.split('\u{1}').filter(|entry| !entry.is_empty()) {
            let mut lines = entry.lines();
            let paths = oracle.entry(lines.next().unwrap().to_owned()).or_default();
            let kept = lines.filter(|line| !line.is_empty() && !line.starts_with('D'));
            paths.extend(kept.map(|line| line.split_once('\t').unwrap().1.to_owned()));
        }
        order.retain(|id| oracle.contains_key(id));
        assert_eq!(order.len(), grown.len());
        for (id, (_, _, paths)) in order.iter().zip(listed(&grown)) {
            let want: Vec<String> = oracle[id].iter().cloned().collect();
            assert_eq!(paths, want, "{id}");
        }
    }
}

#[test]
fn a_commit_of_many_files_is_known_and_about_none_of_them() {
    let repo = TestRepo::init();
    let write = |files: std::ops::Range<usize>, text: &str| {
        for file in files {
            repo.write(format!("f{file}.txt"), text);
        }
    };
    write(0..1100, "0\n");
    repo.commit("more than are listed");
    write(0..3, "1\n");
    repo.commit("a few");
    write(2..200, "2\n");
    repo.commit("more than a commit is about");

    let opened = open(&repo);
    let window = window(&opened, &mut Vec::new());
    let listed = listed(&window);
    let shapes = listed
        .iter()
        .map(|(_, changed, paths)| (*changed, paths.len()));
    assert_eq!(shapes.collect::<Vec<_>>(), [(198, 0), (3, 3), (1100, 0)]);
    let ages = |path: &[u8]| -> Vec<Age> { window.touching(path) };
    assert_eq!(ages(b"f2.txt"), [Age(1)]);
    assert_eq!(ages(b"f9.txt"), []);

    let log = Log::of(window.fresh().cloned().into_iter().collect::<Vec<_>>());
    let ids = (0..window.len() as u32).map(|age| window.commit(Age(age)).unwrap());
    let ids: Vec<_> = ids.collect();
    let touch = |path: &[u8]| -> Vec<Touch> {
        let path = RepoPath::new(path.to_vec()).unwrap();
        let of = log.look_up(&path);
        ids.iter().map(|id| of.touched_by(*id)).collect()
    };
    assert_eq!(touch(b"f0.txt"), [Touch::No, Touch::Yes, Touch::Unknown]);
    assert_eq!(touch(b"f2.txt"), [Touch::Yes, Touch::Yes, Touch::Unknown]);
    assert_eq!(touch(b"f9.txt"), [Touch::Yes, Touch::No, Touch::Unknown]);
    assert_eq!(touch(b"none"), [Touch::No, Touch::No, Touch::Unknown]);
}
