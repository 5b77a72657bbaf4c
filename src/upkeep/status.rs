//! `status`: what the stored index covers, without extending it, and what to do next.

use super::selection::Policy;
use super::{Error, skip_reason, understood};
use crate::extract::record::{Gaps, Lines};
use crate::git::{Head, Repo, promisor, refs, remote, tree, worktree};
use crate::id::CommitId;
use crate::query::engine::{FOLDER, warnings};
use crate::query::serialize;
use crate::query::serialize::is_zero;
use crate::query::state::{IndexState, Skipped, Stamp};
use crate::store::Snapshot;
use crate::store::facts;
use crate::store::trace::Traces;
use crate::view::files::{File, Reading, mark_forgotten};
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

/// Answer of `status`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct StatusAnswer {
    /// State spoken from: `HEAD` and the work tree.
    #[serde(rename = "index")]
    pub stamp: Stamp,
    /// The branch of `HEAD`; `None` when it is detached or has no commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Paths in the view that are meant to be covered.
    pub files: usize,
    /// Those of them that the stored index covers; the others are extracted when asked about.
    pub covered: usize,
    /// Those not covered whose blob this clone lacks.
    pub absent: usize,
    /// Paths of files not extracted, by reason; the reason of most files first.
    #[serde(serialize_with = "counts")]
    pub skipped: Vec<Unread>,
    /// Files that were extracted as far as they parse.
    #[serde(skip_serializing_if = "Partly::is_empty")]
    pub partly: Partly,
    /// The index.
    #[serde(rename = "store")]
    pub index: IndexState,
    /// Blobs with a trace of what ran, whether the view has them or not.
    #[serde(skip_serializing_if = "is_zero")]
    pub traced: usize,
    /// Files of the view whose blob has one.
    #[serde(skip_serializing_if = "is_zero")]
    pub files_traced: usize,
    /// Blobs of which compilers said what they name, whether the view has them or not.
    #[serde(skip_serializing_if = "is_zero")]
    pub told: usize,
    /// Files of the view whose blob is one of them.
    #[serde(skip_serializing_if = "is_zero")]
    pub files_told: usize,
    /// What is kept warm.
    #[serde(flatten)]
    pub policy: Policy,
    /// What was last fetched from each remote.
    pub remotes: Vec<RemoteState>,
    /// Bytes of the cache in the git directory; all of it may be deleted at any time.
    pub cache_bytes: u64,
    /// What to do about what is missing.
    #[serde(rename = "next", skip_serializing_if = "Option::is_none")]
    pub advice: Option<&'static str>,
}

/// Files that were read in part.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Partly {
    /// Them.
    #[serde(serialize_with = "number")]
    pub files: Vec<Broken>,
    /// Bytes of them that were not understood.
    pub bytes: u64,
    /// Bytes of all files that were read.
    pub of: u64,
}

impl Partly {
    fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    fn add(&mut self, path: String, gaps: Gaps) {
        self.bytes += u64::from(gaps.bytes);
        self.files.push(Broken {
            path,
            lines: gaps.lines,
        });
    }
}

fn number<S: Serializer>(files: &[Broken], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(files.len() as u64)
}

/// A file that was read in part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Its path.
    pub path: String,
    /// Lines that were not understood.
    pub lines: Vec<Lines>,
}

/// Files that were not read for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Unread {
    /// Why.
    pub reason: &'static str,
    /// Their paths.
    pub paths: Vec<String>,
}

/// The index of a remote as it was last fetched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RemoteState {
    /// Name of the remote.
    pub name: String,
    /// Its index tip; `None` when none was fetched.
    #[serde(
        serialize_with = "serialize::short",
        skip_serializing_if = "Option::is_none"
    )]
    pub fetched: Option<CommitId>,
    /// Whether it is the tip of our index too.
    #[serde(rename = "same")]
    pub is_ours: bool,
}

impl StatusAnswer {
    /// How many files were not read for each reason.
    pub fn skipped_counts(&self) -> Vec<Skipped> {
        counted(&self.skipped).collect()
    }
}

fn counted(unread: &[Unread]) -> impl Iterator<Item = Skipped> + '_ {
    unread.iter().map(|unread| Skipped {
        reason: unread.reason,
        files: unread.paths.len(),
    })
}

fn counts<S: Serializer>(unread: &[Unread], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(counted(unread))
}

impl StatusAnswer {
    /// Number of files of which nothing may be recorded.
    pub fn forgotten(&self) -> usize {
        let is_forgotten =
            |unread: &&Unread| Some(unread.reason) == Reading::Forgotten.skip_label();
        let found = self.skipped.iter().find(is_forgotten);
        found.map_or(0, |unread| unread.paths.len())
    }
}

/// Says what the stored index covers, without extending it.
pub fn status(repo: &Repo) -> Result<StatusAnswer, Error> {
    let snapshot = Snapshot::open(repo)?;
    let mut answer = StatusAnswer {
        index: IndexState::of(&snapshot),
        remotes: remotes(repo, snapshot.tip),
        cache_bytes: folder_bytes(&repo.common_dir().join(FOLDER)),
        ..StatusAnswer::default()
    };
    answer.stamp.warnings = warnings(&snapshot);
    let (traces, unread) = Traces::open(repo, &snapshot);
    let unread = unread.iter().map(ToString::to_string);
    answer.stamp.warnings.extend(unread);
    answer.traced = traces.len();
    let told = facts::blobs(repo, &snapshot);
    answer.told = told.len();
    let withheld = repo.consent.withheld(None);
    answer.stamp.warnings.extend(withheld);
    match Policy::of(repo) {
        Ok(policy) => answer.policy = policy,
        Err(err) => answer.stamp.warnings.push(err.to_string()),
    }
    let Head::Commit { id, branch } = repo.head()? else {
        return Ok(answer);
    };
    answer.stamp.commit = Some(id);
    answer.branch = branch;
    let objects = repo.objects();
    let entries = tree::list_commit(repo, id)?;
    let mut skipped: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    let mut files: Vec<File> = entries
        .iter()
        .cloned()
        .map(|entry| File::new(entry, false))
        .collect();
    mark_forgotten(&mut files, snapshot.ledger());
    for file in files {
        let Some(key) = file.key() else {
            let reason = file.reading.skip_label().unwrap_or("other");
            let paths = skipped.entry(reason).or_default();
            paths.push(file.path.to_string());
            continue;
        };
        answer.files += 1;
        if traces.lines(key.blob).is_some() {
            answer.files_traced += 1;
        }
        answer.files_told += usize::from(told.binary_search(&key.blob).is_ok());
        if snapshot.find(&key).is_some() {
            answer.covered += 1;
        } else if !objects.contains(key.blob.as_object()) {
            answer.absent += 1;
        }
        if let Some(reason) = skip_reason(&snapshot, &key) {
            let paths = skipped.entry(reason.label()).or_default();
            paths.push(file.path.to_string());
        } else if let Some((size, gaps)) = understood(&snapshot, &key) {
            answer.partly.of += size;
            if let Some(gaps) = gaps {
                answer.partly.add(file.path.to_string(), gaps);
            }
        }
    }
    let unread = skipped.into_iter();
    answer.skipped = unread
        .map(|(reason, paths)| Unread { reason, paths })
        .collect();
    let most = |unread: &Unread| (Reverse(unread.paths.len()), unread.reason);
    answer.skipped.sort_by_key(most);
    answer.stamp.uncovered = answer.files - answer.covered;
    if !repo.is_bare() {
        answer.stamp.dirty = worktree::status(repo, &entries)?.dirty.len();
    }
    answer.advice = advice(&answer, promisor::is_allowed(repo));
    Ok(answer)
}

fn remotes(repo: &Repo, ours: Option<CommitId>) -> Vec<RemoteState> {
    let state = |name: String| {
        // A name that is no part of a ref was never fetched from.
        let fetched = refs::read(repo, &remote::tracking_ref(&name, "index"))
            .ok()
            .flatten();
        let fetched = fetched.map(CommitId::new);
        // A tip on a remote has parents, which ours has not; the trees are what counts.
        let tree = |tip: Option<CommitId>| repo.commit_tree(tip?).ok();
        RemoteState {
            is_ours: fetched.is_some() && tree(fetched) == tree(ours),
            fetched,
            name,
        }
    };
    repo.remotes().into_iter().map(state).collect()
}

/// Says what to do when `HEAD` is not covered; nothing must be done, questions do it as well.
fn advice(answer: &StatusAnswer, may_fetch: bool) -> Option<&'static str> {
    let fetched = answer.remotes.iter().any(|remote| remote.fetched.is_some());
    if answer.stamp.uncovered == 0 {
        None
    } else if answer.absent == answer.stamp.uncovered && !may_fetch {
        Some(
            "run `git sverklo fetch`: the missing blobs are not in this clone and may not be fetched; `git sverklo trust` lets them be",
        )
    } else if answer.remotes.is_empty() || fetched {
        Some("run `git sverklo index`, or just ask: questions extract what they need")
    } else {
        Some("run `git sverklo fetch` for a shared index, or `git sverklo index` to make one")
    }
}

/// Bytes of the files below a folder; 0 when it does not exist.
fn folder_bytes(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => folder_bytes(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}
