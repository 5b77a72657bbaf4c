//! A work tree that is listened to: what was told of changes gives the same as looking at all of it.

use crate::git_oracle::open;
use crate::harness::TestRepo;
use git_sverklo::git::worktree::{self, DirtyState, Status, Watch};
use git_sverklo::git::{Head, Repo, tree};
use git_sverklo::id::TreeId;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(target_os = "linux")]
use std::time::Duration;

/// Moves of the random walk.
const MOVES: usize = 900;

/// Rounds of the race.
const ROUNDS: usize = 3000;

struct Watched {
    repo: Repo,
    watch: Watch,
    /// How often everything was looked at.
    looks: usize,
}

impl Watched {
    fn new(at: &TestRepo) -> Self {
        Self {
            repo: open(at),
            watch: Watch::new(),
            looks: 0,
        }
    }

    fn head(&self) -> (TreeId, Vec<tree::TreeEntry>) {
        match self.repo.head().unwrap() {
            Head::Unborn => {
                let empty = gix::ObjectId::empty_tree(self.repo.hash());
                (TreeId::new(empty), Vec::new())
            }
            Head::Commit { id, .. } => {
                let root = self.repo.commit_tree(id).unwrap();
                (root, tree::list(&mut self.repo.objects(), root).unwrap())
            }
        }
    }

    fn look(&mut self) -> Arc<Status> {
        let (root, entries) = self.head();
        let list = || {
            self.looks += 1;
            entries
        };
        self.watch.look(&self.repo, root, list).unwrap()
    }

    /// What looking at all of it gives.
    fn truth(&self) -> Status {
        worktree::status(&self.repo, &self.head().1).unwrap()
    }
}

fn shown(status: &Status) -> Vec<String> {
    let state = |state: &DirtyState| match state {
        DirtyState::Content { id, .. } => id.to_string(),
        DirtyState::TooLarge { size } => format!("{size} bytes"),
        DirtyState::Deleted => "deleted".to_owned(),
    };
    let dirty = status.dirty.iter();
    dirty
        .map(|dirty| format!("{} {}", dirty.path, state(&dirty.state)))
        .collect()
}

struct Random(u32);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 as usize % below
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

const DIRS: &[&str] = &[
    "", "a/", "a/b/", "a/b/c/", "d/", "build/", "d/build/", "e e/",
];
const NAMES: &[&str] = &["x.rs", "y.rs", "z.log", "build", "b", "*.rs", "keep.log"];
const RULES: &[&str] = &[
    "*.log\nbuild/\n",
    "*.log\n!keep.log\n",
    "a/b\n",
    "",
    "/d/*\n",
];

/// Does something to the work tree or the repository; what cannot be done then is not done.
fn step(repo: &TestRepo, random: &mut Random, number: usize) -> String {
    let path = format!("{}{}", random.of(DIRS), random.of(NAMES));
    let other = format!("{}{}", random.of(DIRS), random.of(NAMES));
    let dir = random.of(&DIRS[1..]).trim_end_matches('/');
    let (full, full_other) = (repo.dir().join(&path), repo.dir().join(&other));
    let full_dir = repo.dir().join(dir);
    let write = |to: &Path, text: String| {
        let above = to.parent().unwrap();
        let _ = std::fs::create_dir_all(above).and_then(|()| std::fs::write(to, text));
    };
    let git = |args: &[&str]| drop(repo.try_git(args));
    match random.below(30) {
        0..=6 => {
            write(&full, format!("{}\n", number % 7));
            format!("write {path}")
        }
        7 | 8 => {
            let _ = std::fs::remove_file(&full);
            format!("remove {path}")
        }
        9 => {
            let _ = std::fs::rename(&full, &full_other);
            format!("rename {path} {other}")
        }
        10 => {
            let _ = std::fs::remove_dir_all(&full_dir);
            format!("remove {dir}")
        }
        11 => {
            let to = repo.dir().join("moved");
            let _ = std::fs::rename(&full_dir, &to);
            if random.below(2) == 0 {
                let _ = std::fs::rename(&to, &full_dir);
            }
            format!("move {dir} away, or away and back")
        }
        12 => {
            let _ = std::fs::rename(repo.dir().join("moved"), &full_dir);
            format!("move to {dir}")
        }
        13 => {
            let rules = random.of(RULES);
            let of = random.of(&["", "a/", "d/"]);
            write(
                &repo.dir().join(format!("{of}.gitignore")),
                rules.to_owned(),
            );
            format!("ignore in {of}: {rules:?}")
        }
        14 => {
            let rules = random.of(RULES);
            std::fs::write(repo.dir().join(".git/info/exclude"), rules).unwrap();
            format!("exclude {rules:?}")
        }
        15 => {
            let rules = random.of(&["*.rs text eol=crlf\n", "*.rs -text\n"]);
            write(&repo.dir().join("a/.gitattributes"), rules.to_owned());
            format!("attributes {rules:?}")
        }
        16 | 17 => {
            git(&["add", "-A", "--", &path]);
            format!("add {path}")
        }
        18 => {
            git(&["add", "-f", "--", &path]);
            format!("add by force {path}")
        }
        19 => {
            git(&["rm", "-q", "--cached", "--", &path]);
            format!("no longer track {path}")
        }
        20 => {
            git(&["commit", "-q", "-m", "some"]);
            "commit".to_owned()
        }
        21 => {
            git(&["add", "-A"]);
            git(&["commit", "-q", "-m", "all"]);
            "commit all".to_owned()
        }
        22 => {
            git(&["checkout", "-q", "-f", "HEAD~2"]);
            git(&["checkout", "-q", "-B", "main"]);
            "checkout HEAD~2".to_owned()
        }
        23 => {
            git(&["stash", "-q", "-u"]);
            "stash".to_owned()
        }
        24 => {
            git(&["stash", "pop", "-q"]);
            "stash pop".to_owned()
        }
        25 => {
            git(&["reset", "-q", "--hard"]);
            git(&["clean", "-q", "-f", "-d"]);
            "reset and clean".to_owned()
        }
        26 => {
            git(&["init", "-q", "--", dir]);
            format!("repository in {dir}")
        }
        27 => {
            let _ = std::fs::remove_dir_all(full_dir.join(".git"));
            format!("no repository in {dir}")
        }
        28 => {
            let flags = [
                "--assume-unchanged",
                "--no-assume-unchanged",
                "--skip-worktree",
            ];
            let flags = [flags.as_slice(), &["--no-skip-worktree"]].concat();
            let flag = random.of(&flags);
            git(&["update-index", flag, "--", &path]);
            format!("update-index {flag} {path}")
        }
        _ => {
            // What is ignored is not listened to, so a second name there is heard of late.
            let ignored = repo.try_git(&["check-ignore", "-q", "--", &path, &other]);
            #[cfg(unix)]
            {
                let _ = std::fs::remove_file(&full);
                let _ = std::fs::create_dir_all(full.parent().unwrap());
                let _ = match ignored.status {
                    Some(1) => std::fs::hard_link(&full_other, &full),
                    _ => std::os::unix::fs::symlink("../a", &full),
                };
            }
            format!("link {path}, to {other} perhaps")
        }
    }
}

#[test]
fn what_is_told_gives_what_looking_at_all_gives() {
    for seed in [11, 99, 123456] {
        let repo = TestRepo::init();
        repo.write("a/x.rs", "1\n").write("d/y.rs", "2\n");
        repo.commit("one");
        let (mut watched, mut random) = (Watched::new(&repo), Random(seed));
        watched.look();
        let mut steps = Vec::new();
        for number in 0..MOVES / 3 {
            steps.push(step(&repo, &mut random, number));
            if random.below(3) == 0 {
                continue;
            }
            let told = watched.look();
            let truth = watched.truth();
            assert_eq!(
                shown(&told),
                shown(&truth),
                "seed {seed}, step {number}:\n{}",
                steps.join("\n")
            );
            assert_eq!(*told, truth);
        }
    }
}

/// A git directory that lies in the work tree under another name is a directory like others.
#[test]
#[cfg(target_os = "linux")]
fn what_lies_in_a_git_directory_of_another_name_is_seen() {
    let repo = TestRepo::init();
    repo.write("a.rs", "1\n").commit("one");
    repo.git(&["init", "-q", "--separate-git-dir=store"]);
    let mut watched = Watched::new(&repo);
    watched.look();
    for text in ["1\n", "2\n"] {
        repo.write("store/note.rs", text);
        let told = shown(&watched.look());
        assert!(
            told.iter().any(|one| one.contains("store/note.rs")),
            "{told:?}"
        );
        assert_eq!(told, shown(&watched.truth()));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn everything_is_looked_at_only_where_it_must_be() {
    let repo = TestRepo::init();
    repo.write("a/x.rs", "1\n").write("d/y.rs", "2\n");
    repo.write(".gitignore", "*.log\n");
    repo.commit("one");
    // Stamps of what was written just now are not relied upon.
    std::thread::sleep(Duration::from_millis(60));
    let mut watched = Watched::new(&repo);
    let first = watched.look();
    assert!(first.dirty.is_empty() && watched.watch.unwatched().is_none());
    assert!(Arc::ptr_eq(&first, &watched.look()));

    repo.write("a/x.rs", "changed\n");
    let edited = watched.look();
    assert_eq!(edited.dirty.len(), 1);
    assert!(Arc::ptr_eq(&edited, &watched.look()));
    repo.write("new/deep/z.rs", "1\n");
    assert_eq!(watched.look().dirty.len(), 2);
    repo.write("new/deep/further/z.rs", "1\n");
    repo.write("a/x.log", "ignored\n");
    assert_eq!(watched.look().dirty.len(), 3);
    repo.git(&["add", "-A"]);
    assert_eq!(watched.look().dirty.len(), 3);
    repo.commit("two");
    assert_eq!(watched.look().dirty.len(), 0);
    std::fs::remove_dir_all(repo.dir().join("new")).unwrap();
    assert_eq!(watched.look().dirty.len(), 2);
    repo.git(&["checkout", "-q", "--force", "HEAD~1"]);
    assert_eq!(watched.look().dirty.len(), 0);
    assert_eq!(watched.looks, 1);

    repo.write(".gitignore", "");
    assert_eq!(watched.look().dirty.len(), 2);
    std::fs::rename(repo.dir().join("a"), repo.dir().join("b")).unwrap();
    assert_eq!(watched.look().dirty.len(), 4);
    assert_eq!(watched.looks, 3);
}

/// An edit whose call has returned is seen, whatever else happens meanwhile.
#[test]
fn no_edit_is_missed_that_was_there_when_the_question_came() {
    let repo = TestRepo::init();
    repo.write("a/x.rs", "0\n").write("b/y.rs", "0\n");
    repo.commit("one");
    let mut watched = Watched::new(&repo);
    let (done, new, ended) = (
        AtomicUsize::new(0),
        AtomicUsize::new(0),
        AtomicUsize::new(0),
    );
    let top = repo.dir().to_owned();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 1..=ROUNDS {
                let text = format!("{round}\n");
                match round % 4 {
                    0 => {
                        std::fs::write(top.join("a/new"), &text).unwrap();
                        std::fs::rename(top.join("a/new"), top.join("a/x.rs")).unwrap();
                    }
                    1 => {
                        let dir = top.join(format!("c{}", round % 64));
                        let _ = std::fs::remove_dir_all(&dir);
                        std::fs::create_dir_all(dir.join("d")).unwrap();
                        std::fs::write(dir.join("d/z.rs"), &text).unwrap();
                        new.store(round, Ordering::SeqCst);
                        std::fs::write(top.join("a/x.rs"), &text).unwrap();
                    }
                    _ => std::fs::write(top.join("a/x.rs"), &text).unwrap(),
                }
                done.store(round, Ordering::SeqCst);
            }
            ended.store(1, Ordering::SeqCst);
        });
        while ended.load(Ordering::SeqCst) == 0 {
            let (at_least, made) = (done.load(Ordering::SeqCst), new.load(Ordering::SeqCst));
            let seen = watched.look();
            let found = seen
                .dirty
                .iter()
                .find(|dirty| dirty.path.as_bytes() == b"a/x.rs");
            let text = match found.map(|dirty| &dirty.state) {
                Some(DirtyState::Content { bytes, .. }) => String::from_utf8_lossy(bytes),
                _ => "0".into(),
            };
            // While it is written it may be empty.
            let number = text.trim().parse::<usize>().unwrap_or(usize::MAX);
            assert!(number >= at_least, "{number} though {at_least} was there");
            let path = format!("c{}/d/z.rs", made % 64);
            let mut paths = seen.dirty.iter().map(|dirty| dirty.path.as_bytes());
            // The directory of one round is removed 64 rounds later.
            let may_be_gone = done.load(Ordering::SeqCst) >= made + 60;
            assert!(
                made == 0 || may_be_gone || paths.any(|seen| seen == path.as_bytes()),
                "{path} is missing"
            );
        }
    });
    assert_eq!(*watched.look(), watched.truth());
}
