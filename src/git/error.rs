//! What can go wrong between us and a repository, and what the user can do about it.

use super::refusal::Refusal;
use super::shell;
use crate::id::{CommitId, TreeId};
use gix::ObjectId;
use std::path::{Path, PathBuf};

/// An error of the git layer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Neither the directory nor any of its parents is a repository.
    #[error(
        "{dir:?} is not inside a git repository: {reason}; run this inside one, or create one with `git init`"
    )]
    NotARepository {
        /// Where the search began.
        dir: PathBuf,
        /// What was found instead.
        reason: String,
    },
    /// The repository belongs to someone else and is not listed in `safe.directory`: its git
    /// directory, which was refused.
    #[error(
        "the repository at {0:?} belongs to another user; if you trust it, run `git config --global --add safe.directory {dir}`",
        dir = in_shell(.0)
    )]
    Untrusted(PathBuf),
    /// A bare repository was found that nobody named, where the user wants them named: its directory.
    #[error(
        "cannot use bare repository {0:?} (safe.bareRepository is 'explicit'); name it with `git --git-dir={dir} sverklo`",
        dir = in_shell(.0)
    )]
    ImplicitBare(PathBuf),
    /// What we keep in a git directory is a link to somewhere else, or a pipe or device: what
    /// was put there.
    #[error(
        "{0:?} is neither a file nor a folder: through a link files elsewhere would be written and deleted, for a pipe everybody would wait; remove it"
    )]
    Planted(PathBuf),
    /// Object stores that borrow from each other in a circle: where the search for the repository
    /// began.
    #[error(
        "the object store of the repository at {0:?} borrows from itself in a circle; git passes over that, git-sverklo does not: take the line that leads back out of objects/info/alternates"
    )]
    AlternatesCycle(PathBuf),
    /// The user has no folder of their own.
    #[error("the environment names no home folder, so consent cannot be kept; set HOME")]
    NoHome,
    /// The `git` program could not be started.
    #[error(
        "the git program could not be started ({source}); install git 2.36 or newer and put it on PATH"
    )]
    GitNotFound {
        /// Why.
        source: std::io::Error,
    },
    /// The `git` program failed.
    #[error("`git {command}` failed ({status}): {stderr}")]
    Git {
        /// Its subcommand.
        command: String,
        /// How it ended.
        status: String,
        /// What it said, cut to a few lines.
        stderr: String,
    },
    /// Who asked has taken the question back or left.
    #[error("nobody waits for the answer any more")]
    NobodyWaits,
    /// No object answers to this revision: what was asked for.
    #[error("unknown revision {0:?}; give a commit, branch, tag or an expression such as HEAD~3")]
    UnknownRevision(String),
    /// The commit is gone, and this clone was told what it became.
    #[error("{rev:?} is no longer here: it was rewritten as {became}; ask there")]
    Rewritten {
        /// What was asked for.
        rev: String,
        /// What it became, abbreviated.
        became: String,
    },
    /// More than one object answers to this abbreviation: what was asked for.
    #[error("{0:?} is ambiguous; give more digits")]
    AmbiguousRevision(String),
    /// A revision that is looked for in messages by more than plain words.
    #[error(
        "{0:?} would search messages by an expression, which git does without a bound; give words alone behind :/ or ^{{/"
    )]
    SearchingRevision(String),
    /// git does not take this for a range of revisions.
    #[error(
        "{range:?} is no range of revisions: {reason}; give what `git rev-list` takes, such as v1..v2"
    )]
    UnknownRange {
        /// What was given.
        range: String,
        /// What git said.
        reason: String,
    },
    /// git finds no date in this: what was given.
    #[error("{0:?} is no date; give what git takes, such as 2.weeks, yesterday or 2026-01-31")]
    UnknownDate(String),
    /// The revision names an object that is not a commit.
    #[error("{rev:?} names a {kind}, not a commit")]
    NotACommit {
        /// What was asked for.
        rev: String,
        /// What it is instead.
        kind: String,
    },
    /// git does not know who the user is.
    #[error(
        "git does not know who you are; run `git config --global user.name \"Your Name\"` and the same for user.email"
    )]
    NoIdentity,
    /// git could not make the signature of a commit: what it said.
    #[error(
        "git cannot sign: {0}; see user.signingKey and gpg.format in `git help config` (a passphrase is not asked for at the terminal)"
    )]
    Signing(String),
    /// There is no commit yet.
    #[error("the repository has no commit yet")]
    Unborn,
    /// This object is not in the object store.
    #[error(
        "object {0} is missing; in a partial clone fetch it with `git fetch --refetch`, else run `git fsck`"
    )]
    MissingObject(ObjectId),
    /// The object exists and is not of the kind it must be.
    #[error("object {id} is a {actual} where a {expected} is needed")]
    WrongKind {
        /// The object.
        id: ObjectId,
        /// The kind that is needed.
        expected: &'static str,
        /// The kind it has.
        actual: String,
    },
    /// The object exists and cannot be read.
    #[error("object {id} cannot be read: {reason}; run `git fsck`")]
    CorruptObject {
        /// The object.
        id: ObjectId,
        /// What is wrong with it.
        reason: String,
    },
    /// A tree nests deeper or lists more than is followed.
    #[error(
        "{}tree {id}: {what} exceeds the limit of {limit}; some small objects can name billions of files, over which git too would take all memory: ask about another commit (--at), and do not check this one out",
        of_commit(commit)
    )]
    TreeTooLarge {
        /// The commit, where one was read.
        commit: Option<CommitId>,
        /// The root tree.
        id: ObjectId,
        /// What exceeds.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// Bytes that are no path inside a repository.
    #[error("{path:?} is no path inside a repository: {reason}")]
    InvalidPath {
        /// The bytes, lossy.
        path: String,
        /// Which rule they break.
        reason: &'static str,
    },
    /// A configured or given name is no ref of ours.
    #[error("{name:?} is not a valid ref name: {reason}; check `sverklo.refPrefix`")]
    InvalidRefName {
        /// The name.
        name: String,
        /// Which rule it breaks.
        reason: String,
    },
    /// A ref holds what no ref of ours holds.
    #[error("ref {name} cannot be read: {reason}; {}", way_back.advice(name))]
    CorruptRef {
        /// What may be done about it.
        way_back: WayBack,
        /// The ref.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The git index cannot be read.
    #[error("the git index at {path:?} cannot be read: {reason}")]
    Index {
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The repository has no work tree: its git directory.
    #[error("the repository at {0:?} is bare: there is no work tree to compare")]
    Bare(PathBuf),
    /// A file or directory could not be read or written.
    #[error("{path:?}: {source}")]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The object store cannot be written by this user.
    #[error("the object store at {dir:?} cannot be written: {reason}")]
    ReadOnly {
        /// The object directory.
        dir: PathBuf,
        /// What git said.
        reason: String,
    },
    /// There is no remote that could be meant.
    #[error("no remote{}: {reason}", named(given))]
    NoRemote {
        /// What was asked for, if anything.
        given: Option<String>,
        /// Why it cannot be used, and what can be done.
        reason: String,
    },
    /// A remote could not be reached, or did not do what it was asked to.
    #[error("{remote}: {why}")]
    Remote {
        /// Which one; without a password.
        remote: String,
        /// What it refused.
        why: Refusal,
    },
    /// There is no room for what is to be written.
    #[error(
        "there is no room below {dir:?}: {reason}; free some space or raise the limit, then try again"
    )]
    NoRoom {
        /// The directory on the file system that is full.
        dir: PathBuf,
        /// What git or the system said.
        reason: String,
    },
    /// A ref stays locked.
    #[error(
        "ref {name} is locked by {path:?}, made {minutes} minutes ago; if no git process is at work here, one was killed: delete that file"
    )]
    Locked {
        /// The ref.
        name: String,
        /// The lock.
        path: PathBuf,
        /// Its age in minutes.
        minutes: u64,
    },
    /// gix refused something that git may accept; names the step.
    #[error("{step}: {reason}")]
    Unsupported {
        /// What was tried.
        step: &'static str,
        /// Why it failed.
        reason: String,
    },
}

fn of_commit(commit: &Option<CommitId>) -> String {
    commit.map_or_else(String::new, |id| format!("commit {}: ", id.short()))
}

/// A path as a word of a command to paste; where there is none, nobody can paste it.
fn in_shell(path: &Path) -> String {
    shell::word(&path.to_string_lossy()).unwrap_or_else(|| format!("{path:?}"))
}

fn named(given: &Option<String>) -> String {
    given
        .as_ref()
        .map_or(String::new(), |name| format!(" {name:?}"))
}

/// What may be done about a ref that cannot be read, by whose it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WayBack {
    /// An index of ours or a copy of one. It alone may be deleted: it is made again.
    Derived,
    /// Memories of ours.
    Authored,
    /// The user's, or of another program. Nothing is advised that would change it.
    Theirs,
}

impl WayBack {
    fn advice(self, name: &str) -> String {
        match self {
            Self::Derived => format!("delete it with `git update-ref -d {name}` to start over"),
            Self::Authored => format!(
                "`git reflog show {name}` tells what it named before, and `git fsck` what is there"
            ),
            Self::Theirs => "`git status` and `git fsck` tell what is wrong with it".to_owned(),
        }
    }
}

impl Error {
    /// What is wrong with an object.
    pub(super) fn corrupt(id: ObjectId, reason: impl std::fmt::Display) -> Self {
        Self::CorruptObject {
            id,
            reason: reason.to_string(),
        }
    }

    /// Wraps an input or output error with the path it happened at.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io {
            path: path.into(),
            source,
        }
    }

    /// Whether the repository cannot be written now, while it can be read: permissions, a full disk,
    /// or a lock that a killed process left behind.
    pub fn is_unwritable(&self) -> bool {
        matches!(
            self,
            Self::ReadOnly { .. } | Self::NoRoom { .. } | Self::Locked { .. }
        )
    }

    /// Says whose tree it is that is too large.
    pub fn at_commit(mut self, id: CommitId) -> Self {
        if let Self::TreeTooLarge { commit, .. } = &mut self {
            *commit = Some(id);
        }
        self
    }

    /// The same of the one of some commits whose tree it is.
    pub fn at_one_of(self, commits: &[(TreeId, CommitId)]) -> Self {
        let Self::TreeTooLarge { id, .. } = &self else {
            return self;
        };
        let is_its = |(tree, _): &&(TreeId, CommitId)| tree.as_object() == *id;
        match commits.iter().find(is_its) {
            Some((_, commit)) => self.at_commit(*commit),
            None => self,
        }
    }

    /// Whether a tree names more than is followed.
    pub fn is_too_large(&self) -> bool {
        matches!(self, Self::TreeTooLarge { .. })
    }

    /// Whether the object store may simply lack the object (partial clone, pruned, not fetched).
    pub fn is_missing_object(&self) -> bool {
        matches!(self, Self::MissingObject { .. })
    }
}
