//! SIGKILL at random moments: git stays sound, every ref has its old value or its new one, and the
//! next run completes.
//!
//! Every run begins with a copy of a prepared repository and is looked at thoroughly; [`super::worn`] is for the
//! great number. A seed repeats the moments of a run that failed, as far as a machine ever does the same twice.

use crate::harness::{Kind, TestRepo};
use crate::random::{Random, scale, seed};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const INDEX: &str = "refs/sverklo/v1/index";
/// Runs of a short siege, spread over the cases.
const KILLS: usize = 6;
/// And of the longest.
const MOST_KILLS: usize = 240;

/// A command that is killed.
struct Case {
    name: &'static str,
    kind: Kind,
    /// Makes what the command works on.
    prepare: fn(&TestRepo),
    args: &'static [&'static str],
}

const REFTABLE: Kind = Kind {
    sha256: false,
    reftable: true,
    bare: false,
};
const FILES: Kind = Kind {
    reftable: false,
    ..REFTABLE
};

const CASES: &[Case] = &[
    Case {
        name: "index",
        kind: FILES,
        prepare: sources,
        args: &["index"],
    },
    Case {
        name: "index, refs in a reftable",
        kind: REFTABLE,
        prepare: sources,
        args: &["index"],
    },
    Case {
        name: "gc",
        kind: FILES,
        prepare: many_segments,
        args: &["gc"],
    },
    Case {
        name: "gc, refs in a reftable",
        kind: REFTABLE,
        prepare: many_segments,
        args: &["gc"],
    },
    Case {
        name: "push",
        kind: FILES,
        prepare: unpublished,
        args: &["push"],
    },
    Case {
        name: "fetch",
        kind: FILES,
        prepare: published_by_another,
        args: &["fetch"],
    },
];

/// Many small files, and some with so many names that there is time to be killed in.
fn sources(repo: &TestRepo) {
    for n in 0..150 {
        let text = format!("def f{n}(x):\n    return g{n}(x)\n");
        repo.write(format!("small/{}/f{n}.py", n % 10), text);
    }
    let mut random = Random(1);
    for n in 0..8 {
        let name = |random: &mut Random| format!("n{:x}", random.next());
        let line = |_| {
            let [a, b] = [name(&mut random), name(&mut random)];
            format!("export const {a} = {b};\n")
        };
        repo.write(
            format!("large/{n}.ts"),
            (0..600).map(line).collect::<String>(),
        );
    }
    repo.commit("sources");
    repo.git(&["repack", "-adq"]);
}

/// An index of several commits, which a collection has to write anew.
fn many_segments(repo: &TestRepo) {
    sources(repo);
    repo.sverklo(&["index"]).success();
    for n in 0..6 {
        repo.write(
            format!("small/0/g{n}.py"),
            format!("def g{n}():\n    pass\n"),
        );
        repo.commit("more");
        repo.sverklo(&["index"]).success();
    }
}

/// An index that a remote with the same code does not have.
fn unpublished(repo: &TestRepo) {
    many_segments(repo);
    let to = remote_of(repo).to_string_lossy().into_owned();
    repo.git(&["init", "-q", "--bare", &to]);
    repo.git(&["remote", "add", "origin", &to]);
    repo.git(&["push", "-q", "origin", "main"]);
}

/// A remote whose index somebody else has made, and one of our own that knows less.
fn published_by_another(repo: &TestRepo) {
    sources(repo);
    repo.sverklo(&["index", "HEAD"]).success();
    let old = repo.git(&["rev-parse", INDEX]);
    unpublished(repo);
    repo.sverklo(&["push"]).success();
    repo.git(&["update-ref", INDEX, &old]);
    repo.git(&["update-ref", "-d", "refs/sverklo/remotes/origin/v1/index"]);
    repo.git(&["reflog", "expire", "--expire=all", INDEX]);
    std::fs::remove_dir_all(repo.dir().join(".git/sverklo")).expect("a cache");
    repo.git(&["prune", "--expire=now"]);
}

/// The entries of the index's tree but for the history log; empty without an index.
fn documents(repo: &TestRepo) -> String {
    let listing = repo.try_git(&["ls-tree", "-r", INDEX]).stdout;
    let lines = listing.lines().filter(|line| !line.contains("\tlog/"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Every ref of the repository and of the one it pushes to.
fn refs(repo: &TestRepo) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for dir in [repo.dir().to_owned(), remote_of(repo)] {
        if !dir.exists() {
            continue;
        }
        let listing = repo
            .at(&dir)
            .git(&["for-each-ref", "--format=%(refname) %(objectname)"]);
        for line in listing.lines() {
            let (name, id) = line.split_once(' ').expect("two columns");
            let place = dir.file_name().unwrap_or_default().to_string_lossy();
            all.insert(format!("{place} {name}"), id.to_owned());
        }
    }
    all
}

/// Where `origin` is, in the cases that have one.
fn remote_of(repo: &TestRepo) -> PathBuf {
    repo.beside("remote.git")
}

/// Copies a prepared repository with its remote, so that every run begins alike.
fn copy(prepared: &TestRepo, name: &str) -> TestRepo {
    let place = prepared.beside(name);
    copy_dir(prepared.dir(), &place.join("repo"));
    let repo = prepared.at(place.join("repo"));
    if remote_of(prepared).exists() {
        copy_dir(&remote_of(prepared), &remote_of(&repo));
        let url = remote_of(&repo).to_string_lossy().into_owned();
        repo.git(&["remote", "set-url", "origin", &url]);
    }
    repo
}

fn copy_dir(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("mkdir");
    for entry in std::fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        match entry.file_type().expect("a type").is_dir() {
            true => copy_dir(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).expect("a copy")),
        }
    }
}

/// Files below a directory that a writer gives a better name when they are complete, and locks.
pub fn unfinished(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if ["tmp_", "new-", ".tmp"]
            .iter()
            .any(|temp| name.starts_with(temp))
            || name.ends_with(".lock")
        {
            found.push(path);
        } else if path.is_dir() {
            found.extend(unfinished(&path));
        }
    }
    found
}

/// Packs that git may not take.
pub fn keeps(repo: &TestRepo) -> Vec<PathBuf> {
    let packs = std::fs::read_dir(repo.dir().join(".git/objects/pack"));
    let paths = packs
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    paths
        .filter(|path| path.extension() == Some("keep".as_ref()))
        .collect()
}

pub fn start(repo: &TestRepo, args: &[&str]) -> Child {
    let mut command = repo.sverklo_command(args);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().expect("the program starts")
}

/// Kills the program, and where there are process groups every second time its git children too.
pub fn kill(repo: &TestRepo, child: &mut Child, with_children: bool) {
    if cfg!(unix) && with_children {
        let group = format!("kill -9 -{}", child.id());
        // It may have ended by itself.
        let _ = repo
            .command("sh")
            .args(["-c", &group])
            .stderr(Stdio::null())
            .status();
    }
    let _ = child.kill();
    child.wait().expect("it was started");
}

/// What a case has seen.
#[derive(Default, Debug)]
struct Seen {
    killed: usize,
    moved: usize,
    locked: usize,
    unfinished: usize,
}

struct Killing {
    case: &'static Case,
    prepared: TestRepo,
    fetcher: TestRepo,
    old: BTreeMap<String, String>,
    new: BTreeMap<String, String>,
    /// What the index holds with the old refs and with the new ones, the history log left out.
    documents: [String; 2],
    length: Duration,
    seen: Seen,
}

impl Killing {
    /// Prepares a case and lets the command run to its end once.
    fn of(case: &'static Case) -> Self {
        let prepared = TestRepo::init_as(case.kind);
        (case.prepare)(&prepared);
        let fetcher = prepared.at(prepared.beside("fetcher"));
        let to = fetcher.dir().to_string_lossy().into_owned();
        prepared.git(&["clone", "-q", "--mirror", ".", &to]);
        let rehearsal = copy(&prepared, "rehearsal");
        let begin = Instant::now();
        rehearsal.sverklo(case.args).success();
        let length = begin.elapsed();
        let (old, new) = (refs(&prepared), refs(&rehearsal));
        assert_ne!(old, new, "{}: the command has something to do", case.name);
        Self {
            case,
            documents: [&prepared, &rehearsal].map(documents),
            prepared,
            fetcher,
            old,
            new,
            length,
            seen: Seen::default(),
        }
    }

    fn run(&mut self, random: &mut Random) {
        let repo = copy(&self.prepared, "run");
        let args = self.case.args;
        let with_children = random.below(2) == 0;
        let moment = random.below(self.length.as_micros() as usize * 11 / 10);
        let moment = Duration::from_micros(moment as u64);
        let at = format!(
            "{}, killed after {moment:?} of {:?}",
            self.case.name, self.length
        );
        let mut child = start(&repo, args);
        std::thread::sleep(moment);
        let is_running = child.try_wait().expect("it was started").is_none();
        kill(&repo, &mut child, with_children);
        self.seen.killed += usize::from(is_running);
        if !is_running {
            // The rehearsal met a busier machine.
            self.length = self.length * 9 / 10;
        }
        self.check_refs(&repo, &at);
        let fsck = repo.try_git(&["fsck", "--strict", "--no-dangling"]);
        assert_eq!(fsck.status, Some(0), "{at}: {}{}", fsck.stdout, fsck.stderr);
        let url = format!("file://{}", repo.dir().display());
        let fetch = self
            .fetcher
            .try_git(&["fetch", "-q", &url, "+refs/*:refs/*"]);
        assert_eq!(fetch.status, Some(0), "{at}: {}", fetch.stderr);

        let mut left = unfinished(&repo.dir().join(".git"));
        left.extend(unfinished(&remote_of(&repo)));
        self.seen.unfinished += usize::from(!left.is_empty());
        let mut again = repo.sverklo(args);
        let is_lock = |path: &&PathBuf| path.extension() == Some("lock".as_ref());
        if let Some(lock) = left.iter().find(is_lock) {
            self.seen.locked += 1;
            // A command that finds its work done does not need the lock.
            if again.status != Some(0) {
                assert_eq!(again.status, Some(2), "{at}: {}", again.stderr);
                let name = lock.file_name().unwrap_or_default().to_string_lossy();
                for part in [&*name, "delete that file"] {
                    assert!(again.stderr.contains(part), "{at}: {}", again.stderr);
                }
            }
            // A git child that outlived its parent may have removed it meanwhile.
            for lock in left.iter().filter(is_lock) {
                let _ = std::fs::remove_file(lock);
            }
            again = repo.sverklo(args);
        }
        assert_eq!((again.status, again.trouble()), (Some(0), vec![]), "{at}");
        assert_eq!(refs(&repo), self.new, "{at}: the next run completes");
        let report = repo.sverklo(&["index", "--json"]).success();
        assert!(report.contains("\"documents_added\":0"), "{at}: {report}");
        repo.sverklo(&["gc"]).success();
        repo.git(&["prune", "--expire=now"]);
        let left = unfinished(&repo.dir().join(".git"));
        assert!(left.is_empty(), "{at}: {left:?} is left");
        let held = keeps(&repo);
        if !held.is_empty() {
            // Whoever looks into this wants to know whether somebody held it, and whether it stays.
            let locked = |path: &PathBuf| File::open(path).map(|file| file.try_lock());
            let locks: Vec<_> = held.iter().map(locked).collect();
            repo.sverklo(&["gc"]).success();
            let later = keeps(&repo);
            panic!("{at}: {held:?} are held by nobody ({locks:?}), later {later:?}");
        }
        std::fs::remove_dir_all(repo.beside("")).expect("nobody is at work in it");
    }

    /// Each ref has its old value or its new one; the index may also have its documents and not yet the
    /// history log, which is published after them.
    fn check_refs(&mut self, repo: &TestRepo, at: &str) {
        let is_halfway = self.documents.contains(&documents(repo));
        let now = refs(repo);
        for name in self.old.keys().chain(self.new.keys()).chain(now.keys()) {
            let value = now.get(name);
            assert!(
                value == self.old.get(name)
                    || value == self.new.get(name)
                    || is_halfway && name.ends_with(&format!(" {INDEX}")),
                "{at}: {name} is at {value:?}"
            );
        }
        self.seen.moved += usize::from(now == self.new);
    }
}

#[test]
fn killed_at_any_moment_nothing_is_lost_or_in_the_way() {
    let kills = (KILLS * scale()).min(MOST_KILLS);
    let mut random = Random(seed());
    for (at, case) in CASES.iter().enumerate() {
        let mut killing = Killing::of(case);
        let share = (kills + CASES.len() - 1 - at) / CASES.len();
        (0..share).for_each(|_| killing.run(&mut random));
        println!(
            "kills, {}: {share} runs of {:?}, {:?}",
            case.name, killing.length, killing.seen
        );
    }
}

#[test]
fn a_lock_of_a_killed_git_is_named_and_hinders_no_question() {
    for kind in [FILES, REFTABLE] {
        let repo = TestRepo::init_as(kind);
        repo.write("a.py", "def alpha():\n    pass\n").commit("one");
        repo.sverklo(&["index"]).success();
        repo.write("b.py", "def beta():\n    pass\n").commit("two");
        let path = match kind.reftable {
            true => ".git/reftable/tables.list.lock",
            false => ".git/refs/sverklo/v1/index.lock",
        };
        repo.write(path, "");
        let old = std::time::SystemTime::now() - Duration::from_secs(3600);
        let lock = std::fs::File::options()
            .write(true)
            .open(repo.dir().join(path));
        lock.and_then(|lock| lock.set_modified(old))
            .expect("a date in the past");
        let begin = Instant::now();
        let out = repo.sverklo(&["index"]);
        assert!(begin.elapsed() < Duration::from_secs(60));
        assert_eq!(out.status, Some(2), "{}", out.stderr);
        assert!(out.stderr.contains("60 minutes ago"), "{}", out.stderr);
        assert!(out.stderr.contains("delete that file"), "{}", out.stderr);
        let out = repo.sverklo(&["symbol", "beta"]);
        assert_eq!(out.status, Some(0), "{}", out.stderr);
        assert!(out.stdout.contains("b.py:1"), "{}", out.stdout);
        assert!(out.stdout.contains("is not stored"), "{}", out.stdout);
        assert!(repo.dir().join(path).exists(), "a lock is never deleted");
        repo.remove(path);
        let out = repo.sverklo(&["symbol", "beta"]);
        assert!(!out.stdout.contains("is not stored"), "{}", out.stdout);
        repo.sverklo(&["index"]).success();
    }
}
