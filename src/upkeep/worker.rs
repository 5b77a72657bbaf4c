//! The worker behind the hooks: one process at a time covers what the latest commits need.
//!
//! A hook leaves a mark and tries to become the worker. When another process is, that one will see
//! the mark: it looks for marks until there is none, releases its lock, and looks once more, since a
//! mark may have come between the two. A mark is taken away before its commit is covered, so one
//! that comes during the work asks for another round. Thus no wake-up is lost, and a rebase of a
//! hundred commits is covered in a few rounds.

use super::selection::Selection;
use super::{Error, cover};
use crate::git::{Head, Repo, failpoint, keys, make_below};
use crate::query::Quiet;
use crate::query::engine::FOLDER;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// How long marks must stay the same before work begins: longer than git takes from one commit of
/// a rebase to the next (about 20 ms), shorter than anybody takes to ask the first question.
const SETTLE: Duration = Duration::from_millis(150);
/// How long changing marks are watched at most, so that a long rebase is covered in parts.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often marks are looked at meanwhile.
const PAUSE: Duration = Duration::from_millis(30);

/// Name of the file that tells `doctor` how the last round failed.
const LOG: &str = "worker.log";
/// Longest line that is read back, in bytes.
const MAX_LINE: u64 = 64 << 10;

/// Does what the hooks of `repo` ask for, in this process or in the one that is at it already.
///
/// There is nobody to tell of a failure; it is kept for [`last_error`].
pub fn wake(repo: &Repo) {
    if repo.config_bool(keys::HOOKS) == Some(false) {
        return;
    }
    if let Err(err) = mark_and_serve(repo) {
        note(&repo.common_dir().join(FOLDER).join(LOG), &err);
    }
}

fn mark_and_serve(repo: &Repo) -> Result<(), Error> {
    let Head::Commit { id, .. } = repo.head()? else {
        return Ok(());
    };
    let desk = Desk::at(&repo.common_dir().join(FOLDER), SETTLE);
    desk.mark(&work_tree_name(repo), &id.to_string())
        .map_err(Error::file(&desk.dir))?;
    let log = desk.dir.join(LOG);
    desk.serve(|commits| match cover_commits(repo, commits) {
        Ok(()) => drop(std::fs::remove_file(&log)),
        Err(err) => note(&log, &err),
    })
    .map_err(Error::file(&desk.dir))
}

/// Covers commits on behalf of hooks, and then what configuration keeps warm.
fn cover_commits(repo: &Repo, commits: &[String]) -> Result<(), Error> {
    failpoint::hold("worker");
    let cover = |commits: &[String]| {
        let selection = Selection {
            revisions: commits.to_vec(),
            ..Selection::default()
        };
        cover::behind(repo, &selection, threads(), &Quiet).map(drop)
    };
    let mut outcome = cover(commits);
    if outcome.is_err() && commits.len() > 1 {
        // One work tree's commit may be gone already; the others must not suffer for it.
        let each = commits.iter().map(std::slice::from_ref).map(cover);
        outcome = each.filter_map(Result::err).last().map_or(Ok(()), Err);
    }
    let warm = cover::warm(repo, threads(), &Quiet).map(drop);
    outcome.and(warm)
}

/// Half of the cores: whoever commits is about to use the others.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get().div_ceil(2))
}

/// Keeps one line about a failure. Where it cannot be written there is nobody to tell.
fn note(log: &Path, err: &Error) {
    let seconds = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |now| now.as_secs());
    let line = err.to_string().replace('\n', " ");
    let _ = std::fs::write(log, format!("{seconds} {line}\n"));
}

/// The beginning of a file of ours, which is a line: one that somebody else left may be of any size.
fn read_line(path: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_LINE).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns how the last round failed, with its time in seconds since 1970; `None` when it did not.
pub fn last_error(repo: &Repo) -> Option<(u64, String)> {
    let all = read_line(&repo.common_dir().join(FOLDER).join(LOG)).ok()?;
    let (seconds, text) = all.lines().next()?.trim_end().split_once(' ')?;
    Some((seconds.parse().ok()?, text.to_owned()))
}

/// Returns a name for the work tree that no other work tree of the repository has.
fn work_tree_name(repo: &Repo) -> OsString {
    let mut name = OsString::from("main");
    if repo.git_dir() != repo.common_dir()
        && let Some(linked) = repo.git_dir().file_name()
    {
        // git made this name unique below `worktrees/`.
        name = OsString::from("linked-");
        name.push(linked);
    }
    name
}

/// The folder in which processes leave marks for the one that holds the lock.
struct Desk {
    dir: PathBuf,
    quiet: Duration,
}

impl Desk {
    fn at(dir: &Path, quiet: Duration) -> Self {
        Self {
            dir: dir.to_owned(),
            quiet,
        }
    }

    fn pending(&self) -> PathBuf {
        self.dir.join("pending")
    }

    /// Asks for `commit`, in place of what was asked for under the same name.
    fn mark(&self, name: &OsString, commit: &str) -> std::io::Result<()> {
        let pending = self.pending();
        make_below(self.dir.parent().unwrap_or(&self.dir), &pending)?;
        // Written beside the marks and then named, so that nobody reads half an id.
        let mut temp = tempfile::Builder::new()
            .prefix("mark-")
            .tempfile_in(&self.dir)?;
        temp.write_all(commit.as_bytes())?;
        temp.persist(pending.join(name))?;
        Ok(())
    }

    fn marks(&self) -> std::io::Result<BTreeMap<PathBuf, String>> {
        let mut marks = BTreeMap::new();
        let entries = match std::fs::read_dir(self.pending()) {
            Ok(entries) => entries,
            // Everything here may be deleted at any time.
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => return Ok(marks),
            Err(err) => return Err(err),
        };
        for entry in entries {
            let path = entry?.path();
            // One that goes away meanwhile was taken by somebody who does the work.
            if let Ok(commit) = read_line(&path) {
                marks.insert(path, commit);
            }
        }
        Ok(marks)
    }

    /// Takes all marks away once they are quiet, and returns the commits they ask for.
    fn take(&self) -> std::io::Result<Vec<String>> {
        let start = Instant::now();
        let mut marks = self.marks()?;
        let mut quiet_since = start;
        while !marks.is_empty() && quiet_since.elapsed() < self.quiet && start.elapsed() < PATIENCE
        {
            std::thread::sleep(PAUSE);
            let now = self.marks()?;
            if now != marks {
                marks = now;
                quiet_since = Instant::now();
            }
        }
        let mut commits = Vec::new();
        for path in marks.keys() {
            // Read again under a name of our own: it may be newer than what was seen.
            let taken = self.dir.join("taken");
            std::fs::rename(path, &taken)?;
            commits.push(read_line(&taken)?);
            std::fs::remove_file(&taken)?;
        }
        commits.sort_unstable();
        commits.dedup();
        Ok(commits)
    }

    /// Works until there is no mark, or leaves it to the process that is at it.
    fn serve(&self, mut work: impl FnMut(&[String])) -> std::io::Result<()> {
        // Windows locks no file that is open for appending alone.
        let lock = File::options()
            .create(true)
            .read(true)
            .append(true)
            .open(self.dir.join("worker.lock"))?;
        loop {
            match lock.try_lock() {
                Ok(()) => {}
                // The holder looks for marks after it has let go of the lock; ours is there.
                Err(TryLockError::WouldBlock) => return Ok(()),
                Err(TryLockError::Error(err)) => return Err(err),
            }
            loop {
                let commits = self.take()?;
                if commits.is_empty() {
                    break;
                }
                work(&commits);
            }
            lock.unlock()?;
            if self.marks()?.is_empty() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Every wake-up is followed by work that sees it, whoever does it, and never two at once.
    #[test]
    fn no_wake_up_is_lost() {
        const PROCESSES: usize = 8;
        const WAKES: usize = 60;
        let dir = tempfile::tempdir().unwrap();
        let desk = Desk::at(dir.path(), Duration::ZERO);
        let latest: Vec<AtomicUsize> = (0..PROCESSES).map(|_| AtomicUsize::new(0)).collect();
        let seen = Mutex::new(vec![0_usize; PROCESSES]);
        let at_work = AtomicUsize::new(0);
        let rounds = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for i in 0..PROCESSES {
                let (desk, latest, seen, at_work, rounds) =
                    (&desk, &latest, &seen, &at_work, &rounds);
                scope.spawn(move || {
                    for n in 1..=WAKES {
                        latest[i].store(n, Ordering::SeqCst);
                        let name = OsString::from(format!("tree-{i}"));
                        desk.mark(&name, &format!("{i}-{n}")).unwrap();
                        desk.serve(|commits| {
                            assert_eq!(at_work.fetch_add(1, Ordering::SeqCst), 0);
                            rounds.fetch_add(1, Ordering::SeqCst);
                            for commit in commits {
                                let (tree, n) = commit.split_once('-').unwrap();
                                let n = n.parse().unwrap();
                                let mut seen = seen.lock().unwrap();
                                let tree = &mut seen[tree.parse::<usize>().unwrap()];
                                *tree = (*tree).max(n);
                            }
                            at_work.fetch_sub(1, Ordering::SeqCst);
                        })
                        .unwrap();
                    }
                });
            }
        });
        assert_eq!(*seen.lock().unwrap(), vec![WAKES; PROCESSES]);
        assert!(rounds.into_inner() <= PROCESSES * WAKES);
        assert!(desk.marks().unwrap().is_empty());
    }

    #[test]
    fn marks_of_one_work_tree_replace_each_other_and_those_of_others_stay() {
        let dir = tempfile::tempdir().unwrap();
        let desk = Desk::at(dir.path(), Duration::ZERO);
        for (name, commit) in [("main", "a"), ("linked-x", "b"), ("main", "c")] {
            desk.mark(&OsString::from(name), commit).unwrap();
        }
        let mut rounds = Vec::new();
        desk.serve(|commits| rounds.push(commits.to_vec())).unwrap();
        assert_eq!(rounds, [["b", "c"]]);
    }

    #[test]
    fn a_mark_left_while_working_is_worked_on_too() {
        let dir = tempfile::tempdir().unwrap();
        let desk = Desk::at(dir.path(), Duration::ZERO);
        let main = OsString::from("main");
        desk.mark(&main, "a").unwrap();
        let mut rounds = Vec::new();
        desk.serve(|commits| {
            if rounds.is_empty() {
                desk.mark(&main, "b").unwrap();
                // As another hook does, which finds the lock held and goes away.
                desk.serve(|_| panic!("two at once")).unwrap();
            }
            rounds.push(commits.to_vec());
        })
        .unwrap();
        assert_eq!(rounds, [["a"], ["b"]]);
    }
}
