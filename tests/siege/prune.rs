//! git takes away what nothing reaches, at every step of a publication: nothing of it is missed afterwards.
//!
//! A command of ours is held at a place while git commands run to their ends, and `git gc` is held after it
//! has looked at the refs, by its own `gc.recentObjectsHook`, while commands of ours run to their ends.

use crate::harness::{Output, TestRepo};
use crate::kills::keeps;
use crate::random::{Random, scale, seed};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const INDEX: &str = "refs/sverklo/v1/index";
const MEMORY: &str = "refs/sverklo/v1/memory";

/// What git may be told to do at any moment.
const GIT: &[&[&[&str]]] = &[
    &[&["gc", "-q", "--prune=now"]],
    &[&["prune", "--expire=now"]],
    &[&["repack", "-adfq"]],
    &[&["repack", "--cruft", "--cruft-expiration=now", "-dq"]],
    &[
        &["repack", "-adq", "--pack-kept-objects"],
        &["prune", "--expire=now"],
    ],
    &[&["repack", "--geometric=2", "-dq"], &["prune-packed"]],
    &[
        &["multi-pack-index", "write", "--no-progress"],
        &["multi-pack-index", "repack", "--no-progress"],
        &["multi-pack-index", "expire", "--no-progress"],
        &["prune", "--expire=now"],
    ],
    &[
        &[
            "maintenance",
            "run",
            "--task=loose-objects",
            "--task=incremental-repack",
            "--quiet",
        ],
        &["prune", "--expire=now"],
    ],
];

/// Where a command of ours can be held, in the order in which it comes by.
const STEPS: &[&str] = &["pack-received", "pack-accepted", "ref-moved"];

/// Commands of ours that publish.
const OURS: &[&[&str]] = &[
    &["index"],
    &["remember", "what was said while git took things away"],
    &["gc"],
];

/// A repository with an index that a collection changes, memories, and things that nobody needs.
fn repo() -> TestRepo {
    let repo = TestRepo::init();
    for n in 0..3 {
        repo.write(format!("a{n}.py"), format!("def a{n}():\n    pass\n"));
        repo.commit("more");
        repo.sverklo(&["index"]).success();
    }
    repo.sverklo(&["remember", "said before"]).success();
    repo.write("new.py", "def brand_new():\n    pass\n");
    repo.commit("new");
    repo
}

/// Waits until a file is there, or the process that is to make it has ended.
fn wait_for(file: &Path, child: &mut Child) -> bool {
    while !file.exists() {
        if child.try_wait().expect("it was started").is_some() {
            return file.exists();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

fn spawn(mut command: Command) -> Child {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

fn finish(child: Child) -> Output {
    let out = child.wait_with_output().expect("it was started");
    Output {
        status: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    }
}

/// Nothing that our refs lead to is missing, git can go on, and everything that was said is there.
#[track_caller]
fn check(repo: &TestRepo, memories: &[&str], at: &str) {
    for name in [INDEX, MEMORY] {
        let walk = repo.try_git(&["rev-list", "--objects", "--quiet", name]);
        assert_eq!(walk.status, Some(0), "{at}: {name}: {}", walk.stderr);
    }
    let fsck = repo.try_git(&["fsck", "--strict", "--connectivity-only"]);
    assert_eq!(fsck.status, Some(0), "{at}: {}{}", fsck.stdout, fsck.stderr);
    let gc = repo.try_git(&["gc", "-q", "--prune=now"]);
    assert_eq!((gc.status, &*gc.stderr), (Some(0), ""), "{at}");
    let list = repo.sverklo(&["memory", "list", "--all"]).success();
    for text in memories {
        assert!(list.contains(text), "{at}: {text:?} is lost: {list}");
    }
    let report = repo.sverklo(&["index", "--json"]).success();
    assert!(report.contains("\"warnings\":[]"), "{at}: {report}");
    let found = repo.sverklo(&["symbol", "brand_new"]);
    assert_eq!((found.status, &*found.stderr), (Some(0), ""), "{at}");
    assert_eq!(keeps(repo), Vec::<PathBuf>::new(), "{at}");
}

#[test]
fn whatever_git_does_between_two_steps_nothing_is_missed() {
    let mut random = Random(seed());
    let (mut held, mut ran) = (0, 0);
    for ours in OURS {
        for step in STEPS {
            // The first one is what people run; a long siege tries all.
            let others = &GIT[1..];
            let chosen: Vec<_> = match scale() {
                1 => vec![&GIT[0], random.pick(others)],
                _ => GIT.iter().collect(),
            };
            for git in chosen {
                let at = format!("{ours:?} at {step}, {git:?}");
                let repo = repo();
                let file = repo.dir().join(".git/hold");
                std::fs::write(&file, "").expect("a file");
                let mut command = repo.sverklo_command(ours);
                command.env("SVERKLO_HOLD", format!("{step}={}", file.display()));
                let mut child = spawn(command);
                let reached = wait_for(&file.with_extension("reached"), &mut child);
                assert!(reached, "{at}: it did not come by");
                for args in *git {
                    let out = repo.try_git(args);
                    assert_eq!(out.status, Some(0), "{at}: {}", out.stderr);
                    ran += 1;
                }
                std::fs::remove_file(&file).expect("it was made");
                let out = finish(child);
                assert_eq!((out.status, out.trouble()), (Some(0), vec![]), "{at}");
                let said = "what was said while git took things away";
                let memories: &[&str] = match ours[0] {
                    "remember" => &["said before", said],
                    _ => &["said before"],
                };
                check(&repo, memories, &at);
                held += 1;
            }
        }
    }
    println!("prune: {held} commands held, {ran} git commands meanwhile");
}

/// git looks at the refs, then calls this, then takes away what it did not see.
#[cfg(unix)]
#[test]
fn whoever_looked_before_takes_nothing_away_afterwards() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut ran = 0;
    for git in [
        &["prune", "--expire=now"][..],
        &["repack", "--cruft", "--cruft-expiration=now", "-dq"],
        &["gc", "-q", "--prune=now"],
    ] {
        let repo = repo();
        let (hold, reached) = (repo.beside("hold"), repo.beside("reached"));
        let hook = repo.beside("hook");
        let script = format!(
            "#!/bin/sh\n: > {}\nwhile [ -e {} ]; do sleep 0.01; done\n",
            reached.display(),
            hold.display()
        );
        std::fs::write(&hook, script).expect("a file");
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755))
            .expect("it is ours");
        std::fs::write(&hold, "").expect("a file");
        // There must be something that may be taken away, or git does not even ask.
        repo.write(".git/loose", "nobody needs this");
        repo.git(&["hash-object", "-w", ".git/loose"]);
        let mut command = repo.command("git");
        command.args(["-c", &format!("gc.recentObjectsHook={}", hook.display())]);
        command.args(git);
        let mut child = spawn(command);
        if wait_for(&reached, &mut child) {
            repo.sverklo(&["remember", "said while git had looked"])
                .success();
            repo.sverklo(&["index"]).success();
            ran += 1;
        }
        std::fs::remove_file(&hold).expect("it was made");
        let out = finish(child);
        assert_eq!(out.status, Some(0), "{git:?}: {}", out.stderr);
        check(&repo, &["said before"], &format!("{git:?}"));
        let list = repo.sverklo(&["memory", "list", "--all"]).success();
        assert!(list.contains("said while"), "{git:?}: {list}");
    }
    assert!(ran > 0, "git never asked");
    println!("prune: {ran} git commands held");
}

#[test]
fn a_try_that_was_killed_protects_nothing_and_leaves_nothing() {
    let repo = repo();
    // It has written everything, and no ref names it.
    for _ in 0..3 {
        let mut command = repo.sverklo_command(&["index"]);
        command.env("SVERKLO_FAILPOINT", "pack-written");
        assert_ne!(finish(spawn(command)).status, Some(0));
    }
    assert_eq!(
        keeps(&repo).len(),
        1,
        "each try removes what the one before left"
    );
    repo.git(&["gc", "-q", "--prune=now"]);
    repo.sverklo(&["index"]).success();
    repo.git(&["gc", "-q", "--prune=now"]);
    check(&repo, &["said before"], "after three that were killed");
}

#[test]
fn packs_of_ours_stay_few() {
    let repo = TestRepo::init();
    repo.write("a.py", "def a():\n    pass\n").commit("one");
    let packs = || {
        let names = std::fs::read_dir(repo.dir().join(".git/objects/pack")).expect("a folder");
        let names = names.map(|entry| entry.expect("an entry").path());
        names
            .filter(|path| path.extension() == Some("pack".as_ref()))
            .count()
    };
    let mut most = 0;
    let mut texts = Vec::new();
    for n in 0..36 * scale().min(5) {
        let text = format!("thing number {n:03}");
        repo.sverklo(&["remember", &text]).success();
        texts.push(text);
        most = most.max(packs());
    }
    assert!((2..=17).contains(&most), "{most} packs");
    let list = repo.sverklo(&["memory", "list", "--all"]);
    let list = list.success();
    assert!(texts.iter().all(|text| list.contains(text)), "{list}");
    repo.git(&["fsck", "--strict"]);
    println!("prune: {most} packs at most after {} writes", texts.len());
}
