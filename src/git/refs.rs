//! Our refs: their names, reading them, and moving them by compare and swap.

use super::error::Error;
use super::error::WayBack;
use super::finished::Finished;
use super::packs::Held;
use super::repo::{RefStorage, Repo};
use super::{failpoint, obstacle, program};
use crate::cache::make_below;
use crate::id::CommitId;
use gix::ObjectId;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// Where our refs live unless `sverklo.refPrefix` says otherwise.
pub const DEFAULT_PREFIX: &str = "refs/sverklo/v1/";

/// Where all our refs are unless `sverklo.refPrefix` moves some.
const NAMESPACE: &[u8] = b"refs/sverklo/";

/// Where refs that were fetched from remotes live.
const REMOTES: &str = "refs/sverklo/remotes/";

/// Namespaces in which git and the servers of others give refs a meaning; in small letters.
const OTHERS: &[&str] = words!(
    "bisect changes for heads merge-requests original prefetch pull remotes replace rewritten
     stash tags worktree"
);

/// How often a ref is tried again while another process holds its lock.
const LOCK_ATTEMPTS: u32 = 12;

/// Age from which a lock is not waited for. git holds one for milliseconds, and for as long as
/// syncing takes; after this it is all but certain that its process is dead.
const STALE: Duration = Duration::from_secs(10 * 60);

/// Losses from which on writers take turns.
const PATIENT: u32 = 4;
/// How often a turn is asked for; some twenty seconds.
const TURN_ATTEMPTS: u32 = 120;

/// Who moves refs, as their logs say.
const MOVER: [(&str, &str); 2] = [
    ("GIT_COMMITTER_NAME", "sverklo"),
    ("GIT_COMMITTER_EMAIL", "sverklo@localhost"),
];

/// The names of the refs that belong to git-sverklo in one repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefNames {
    prefix: String,
}

impl RefNames {
    /// Checks a prefix; it must begin with `refs/` and is given a final slash when it lacks one.
    ///
    /// Any repository may name one, so it must not be where somebody else's refs are: a part of it begins
    /// with `sverklo`, it is below no namespace whose refs git takes for commits or objects of the user, and
    /// not where refs of remotes are remembered, which are overwritten by a fetch. Fails with
    /// [`Error::InvalidRefName`] for what git would not accept, and for all others.
    pub fn with_prefix(prefix: &str) -> Result<Self, Error> {
        let invalid = |reason: &str| Error::InvalidRefName {
            name: prefix.to_owned(),
            reason: reason.to_owned(),
        };
        let prefix = format!("{}/", prefix.trim_end_matches('/'));
        if !prefix.starts_with("refs/") {
            return Err(invalid("it does not begin with refs/"));
        }
        // Where names are files, some file systems do not tell capitals from small letters.
        let small = prefix.to_ascii_lowercase();
        let mut parts = small.split('/').skip(1);
        if parts.next().is_some_and(|first| OTHERS.contains(&first)) {
            return Err(invalid("what is there belongs to the user or to git"));
        }
        if small.starts_with(REMOTES) {
            return Err(invalid("there refs of remotes are remembered"));
        }
        if !small.split('/').any(|part| part.starts_with("sverklo")) {
            return Err(invalid("no part of it begins with sverklo"));
        }
        // Messages name refs in commands to paste, so nothing in one may mean something to a shell.
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"_./@%+-".contains(&b);
        if !prefix.bytes().all(plain) {
            return Err(invalid(
                "it has other characters than letters, digits and _./@%+-",
            ));
        }
        gix::validate::reference::name(format!("{prefix}index").as_str().into())
            .map_err(|err| invalid(&err.to_string()))?;
        Ok(Self { prefix })
    }

    /// Returns the ref that names the index.
    pub fn index(&self) -> String {
        format!("{}index", self.prefix)
    }

    /// Returns a ref that is made only to see whether a remote takes it.
    pub fn probe(&self, mark: &str) -> String {
        format!("{}probe-{mark}", self.prefix)
    }

    /// Returns the ref that names the memories.
    pub fn memory(&self) -> String {
        format!("{}memory", self.prefix)
    }

    /// What may be done about a ref that cannot be read.
    fn way_back(&self, name: &str) -> WayBack {
        if name == self.index() || name.starts_with(REMOTES) && name.ends_with("/index") {
            return WayBack::Derived;
        }
        match self.owns(name.as_bytes()) {
            true => WayBack::Authored,
            false => WayBack::Theirs,
        }
    }

    /// Whether a ref is one of ours, tracking refs and those of other versions included.
    pub fn owns(&self, name: &[u8]) -> bool {
        name.starts_with(NAMESPACE) || name.starts_with(self.prefix.as_bytes())
    }
}

impl Default for RefNames {
    fn default() -> Self {
        Self {
            prefix: DEFAULT_PREFIX.to_owned(),
        }
    }
}

/// How a compare and swap ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Swap {
    /// The ref now has the new value (or had it already).
    Moved,
    /// The ref did not have the expected value; read it again.
    Lost,
}

/// Reads a ref; `None` when it does not exist. Fails with [`Error::CorruptRef`] when it is there and
/// holds no object id, or what the git program said.
pub fn read(repo: &Repo, name: &str) -> Result<Option<ObjectId>, Error> {
    let corrupt = |reason: String| Error::CorruptRef {
        way_back: repo.ref_names().way_back(name),
        name: name.to_owned(),
        reason,
    };
    if *repo.ref_storage() == RefStorage::Files {
        let local = repo.local();
        let found = local
            .try_find_reference(name)
            .map_err(|err| corrupt(err.to_string()))?;
        return match found {
            None => Ok(None),
            Some(reference) => match reference.target().try_id() {
                Some(id) => Ok(Some(id.to_owned())),
                None => Err(corrupt("it is symbolic".to_owned())),
            },
        };
    }
    let out = program::run_args(
        repo,
        &["for-each-ref", "--format=%(objectname) %(refname)", name],
    )?;
    if !out.status.success() {
        return Err(out.into_error("for-each-ref"));
    }
    // The pattern also matches refs below `name/`.
    for line in out.stdout.split(|b| *b == b'\n') {
        if let Some(at) = line.iter().position(|b| *b == b' ')
            && &line[at + 1..] == name.as_bytes()
        {
            return ObjectId::from_hex(&line[..at])
                .map(Some)
                .map_err(|err| corrupt(err.to_string()));
        }
    }
    Ok(None)
}

/// Returns the indexes last fetched from remotes: names of refs and what they name, in order. Fails
/// with what the git program said when it cannot list them.
pub fn fetched(repo: &Repo) -> Result<Vec<(String, CommitId)>, Error> {
    fetched_of(repo, "/index")
}

/// Returns the memories last fetched from remotes: names of refs and what they name, in order. Fails
/// with what the git program said when it cannot list them.
pub fn fetched_memories(repo: &Repo) -> Result<Vec<(String, CommitId)>, Error> {
    fetched_of(repo, "/memory")
}

fn fetched_of(repo: &Repo, ending: &str) -> Result<Vec<(String, CommitId)>, Error> {
    let out = program::run_args(
        repo,
        &["for-each-ref", "--format=%(objectname) %(refname)", REMOTES],
    )?;
    if !out.status.success() {
        return Err(out.into_error("for-each-ref"));
    }
    let text = String::from_utf8_lossy(&out.stdout);
    let parse = |line: &str| {
        let (id, name) = line.split_once(' ')?;
        let id = CommitId::from_hex(id.as_bytes())?;
        name.ends_with(ending).then(|| (name.to_owned(), id))
    };
    Ok(text.lines().filter_map(parse).collect())
}

/// Moves a ref from `expected` (`None`: it does not exist) to `new`, or leaves it as it is.
///
/// The objects that `new` reaches must be durable and reachable already, or held until this returns. What
/// the move is for (`why`) is one line of the ref's log, when it is one of our own: others are git's.
/// A lock held by another process is waited for, about two seconds at most. Fails with
/// [`Error::Locked`] when the lock stays, or what the git program said when the ref still has the
/// expected value and cannot be moved.
pub fn compare_and_swap(
    repo: &Repo,
    name: &str,
    new: ObjectId,
    expected: Option<ObjectId>,
    _held: &Held,
    why: &str,
) -> Result<Swap, Error> {
    let old = expected.unwrap_or(ObjectId::null(repo.hash())).to_string();
    let new_hex = new.to_string();
    let mut args = vec!["update-ref", "--no-deref", "-m", why];
    let names = repo.ref_names();
    if [names.index(), names.memory()].contains(&name.to_owned()) {
        args.push("--create-reflog");
    }
    args.extend(["--end-of-options", name, &new_hex, &old]);
    let swap = attempt(repo, name, &args, expected, Some(new))?;
    if swap == Swap::Moved {
        failpoint::hit("ref-moved");
        failpoint::hold("ref-moved");
    }
    Ok(swap)
}

/// Deletes a ref that has the value `expected`. Fails with what the git program said when the ref still
/// has the expected value and cannot be deleted.
pub fn delete(repo: &Repo, name: &str, expected: ObjectId) -> Result<Swap, Error> {
    let old = expected.to_string();
    let args = [
        "update-ref",
        "--no-deref",
        "-d",
        "--end-of-options",
        name,
        &old,
    ];
    attempt(repo, name, &args, Some(expected), None)
}

/// Runs `git update-ref` until the ref has moved to `wanted` or is seen to have another value.
///
/// The outcome is judged by the ref itself, not by the wording of messages.
fn attempt(
    repo: &Repo,
    name: &str,
    args: &[&str],
    expected: Option<ObjectId>,
    wanted: Option<ObjectId>,
) -> Result<Swap, Error> {
    let mut tries = 0;
    loop {
        let mut command = program::git(repo);
        // Who moved it is in the commit, where that matters; here git would look for a name and the host's.
        command.args(args).envs(MOVER);
        let out = program::run(command)?;
        if out.status.success() {
            return Ok(Swap::Moved);
        }
        let now = read(repo, name)?;
        if now == wanted {
            return Ok(Swap::Moved);
        }
        if now != expected {
            return Ok(Swap::Lost);
        }
        tries += 1;
        // Anything but a lock (no permission, a directory in the way) does not pass by waiting.
        if !out.stderr.contains(".lock") && !out.stderr.contains("cannot lock") {
            return Err(refusal(repo, out));
        }
        let lock = lock_of(repo, name);
        let is_stale = lock.as_ref().is_some_and(|lock| lock.age >= STALE);
        if is_stale || tries == LOCK_ATTEMPTS {
            return Err(match lock {
                Some(Lock { path, age }) => Error::Locked {
                    name: name.to_owned(),
                    path,
                    minutes: age.as_secs() / 60,
                },
                None => refusal(repo, out),
            });
        }
        std::thread::sleep(backoff(tries));
    }
}

/// A lock on refs that exists at this moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lock {
    /// The file whose existence is the lock.
    pub path: PathBuf,
    /// How long ago it was made.
    pub age: Duration,
}

/// Returns the lock that keeps a ref from being moved, if there is one.
///
/// It may be held by a live process, which is why nothing here ever deletes one.
pub fn lock_of(repo: &Repo, name: &str) -> Option<Lock> {
    let dir = repo.common_dir();
    let places = match repo.ref_storage() {
        RefStorage::Files => [
            dir.join(format!("{name}.lock")),
            dir.join("packed-refs.lock"),
        ],
        // The files of a reftable are locked together.
        RefStorage::Other(_) => {
            ["reftable/tables.list.lock", "packed-refs.lock"].map(|p| dir.join(p))
        }
    };
    places.into_iter().find_map(|path| {
        let made = path.metadata().ok()?.modified().ok()?;
        let age = SystemTime::now().duration_since(made).unwrap_or_default();
        Some(Lock { path, age })
    })
}

fn refusal(repo: &Repo, out: Finished) -> Error {
    obstacle::of_words(repo.common_dir(), &out.stderr)
        .unwrap_or_else(|| out.into_error("update-ref"))
}

/// The turn of a writer that has lost races: as long as it lives, others that have lost some wait.
#[derive(Debug, Default)]
pub struct Turn(Option<std::fs::File>);

impl Turn {
    /// Waits for the turn after some losses, but not for ever: whoever has it may be stopped, and the compare and
    /// swap decides in any case.
    pub fn take(&mut self, repo: &Repo, losses: u32) {
        if self.0.is_some() || losses < PATIENT {
            return;
        }
        let dir = repo.common_dir().join("sverklo");
        // Without it, chance decides as before.
        let _ = make_below(repo.common_dir(), &dir);
        let Ok(file) = std::fs::File::create(dir.join("turn")) else {
            return;
        };
        for tries in 1..=TURN_ATTEMPTS {
            match file.try_lock() {
                Ok(()) => {
                    self.0 = Some(file);
                    return;
                }
                Err(std::fs::TryLockError::WouldBlock) => std::thread::sleep(backoff(tries)),
                Err(std::fs::TryLockError::Error(_)) => return,
            }
        }
    }
}

/// Waits longer from try to try, never as long as another process that began at the same moment.
pub(crate) fn backoff(tries: u32) -> Duration {
    let nanos = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |now| now.subsec_nanos());
    let jitter = u64::from(nanos ^ std::process::id().wrapping_mul(0x9e37_79b9)) % 64;
    let base = 1_u64 << tries.min(7);
    Duration::from_millis(base + base * jitter / 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_an_index_of_ours_may_be_deleted() {
        let names = RefNames::with_prefix("refs/sverklo/team/").unwrap();
        for ours in ["refs/sverklo/team/index", "refs/sverklo/remotes/o/index"] {
            assert_eq!(names.way_back(ours), WayBack::Derived, "{ours}");
        }
        for ours in ["refs/sverklo/team/memory", "refs/sverklo/remotes/o/memory"] {
            assert_eq!(names.way_back(ours), WayBack::Authored, "{ours}");
        }
        for theirs in *words!("HEAD refs/heads/index refs/remotes/origin/index refs/index") {
            assert_eq!(names.way_back(theirs), WayBack::Theirs, "{theirs}");
        }
    }

    #[test]
    fn a_prefix_can_be_moved_but_not_among_branches() {
        let names = RefNames::with_prefix("refs/notes/sverklo").unwrap();
        assert_eq!(names.index(), "refs/notes/sverklo/index");
        assert_eq!(RefNames::default().memory(), "refs/sverklo/v1/memory");
        assert!(names.owns(b"refs/notes/sverklo/index") && names.owns(b"refs/sverklo/v2/index"));
        assert!(!names.owns(b"refs/notes/sverklo-ideas") && !names.owns(b"refs/heads/sverklo/x"));
        for bad in [
            "sverklo",
            "refs/heads/x",
            "refs/tags",
            "refs/a..b",
            "refs/a b",
            "refs/x.lock",
            "../refs",
            // Where others keep theirs, on file systems without capitals too.
            "refs/sverklo$(id)",
            "refs/sverklo;id",
            "refs/heads/sverklo",
            "refs/HEADS/sverklo",
            "refs/remotes/sverklo",
            "refs/replace/sverklo",
            "refs/stash/sverklo",
            "refs/notes",
            "refs/notes/commits",
            "refs/sverklo/remotes/origin/v1",
            "refs/sverklo/remotes",
        ] {
            assert!(RefNames::with_prefix(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn waiting_is_bounded() {
        assert!((1..40).map(backoff).max().unwrap() <= Duration::from_millis(256));
    }
}
