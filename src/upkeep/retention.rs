//! Which documents, traces and commits are worth keeping: those of blobs that a ref, a `HEAD` or this work
//! tree can still reach, as far back as is configured, and commits that one can reach.
//!
//! Guarantee: in doubt a document is kept. Where history is cut off, and where a tree is missing,
//! nothing is dropped.

use super::Error;
use super::span::Span;
use crate::git::history::{self, Headers, TipSet, TreeWalk};
use crate::git::worktree::{self, DirtyState};
use crate::git::{self, Head, Repo, keys, refs, tree};
use crate::id::{BlobId, CommitId};
use crate::store::Snapshot;
use crate::store::facts;
use crate::store::trace::Traces;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;

/// A window is looked through once for all tips whose windows begin within this part of it.
const STEPS: i64 = 8;

/// Documents of blobs that are not here, from which on they may be too many.
const LEAST_CROWD: usize = 512;

/// How far back documents are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Retention {
    /// Everything that any ref can reach.
    #[default]
    All,
    /// What was there in so many seconds before each tip, and what tips have.
    Window(i64),
}

impl Retention {
    /// Reads `all`, or a length of time: `1.year`, `90.days`, `1.year.6.months`. Fails with
    /// [`Error::BadTimeSpan`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        if text == "all" {
            return Ok(Self::All);
        }
        let span: Result<Span, _> = text.parse();
        span.map(|span| Self::Window(span.seconds))
            .map_err(|_| Error::BadTimeSpan(text.to_owned()))
    }

    /// Returns what `sverklo.retain` says; everything when it is not set. Fails as [`Retention::parse`]
    /// does.
    pub fn configured(repo: &Repo) -> Result<Self, Error> {
        repo.config_str(keys::RETAIN)
            .map_or(Ok(Self::All), |text| Self::parse(&text))
    }
}

/// Blobs and commits whose documents may go, and why some stay.
#[derive(Debug, Default)]
pub(super) struct Droppable {
    /// The blobs.
    pub blobs: FxHashSet<BlobId>,
    /// Commits whose documents may go.
    pub commits: FxHashSet<CommitId>,
    /// Why nothing may go, or no commit, when that is so.
    pub reason: Option<String>,
}

/// Finds the documents and traces of `snapshot` that nothing needs any more. Fails when the refs cannot
/// be listed.
pub(super) fn droppable(
    repo: &Repo,
    snapshot: &Snapshot,
    retention: Retention,
) -> Result<Droppable, Error> {
    let mut left: FxHashSet<BlobId> = FxHashSet::default();
    for open in snapshot.segments() {
        let segment = open.segment();
        left.extend(segment.doc_ids().map(|doc| segment.key(doc).blob));
    }
    let documents = left.len();
    left.extend(Traces::open(repo, snapshot).0.blobs());
    left.extend(facts::blobs(repo, snapshot));
    match search(repo, &mut left, retention) {
        Ok(()) => {}
        Err(Error::Git(err)) if err.is_missing_object() || err.is_too_large() => {
            return Ok(Droppable {
                reason: Some(format!("every document is kept, because {err}")),
                ..Droppable::default()
            });
        }
        Err(err) => return Err(err),
    }
    if repo.is_shallow() && !left.is_empty() {
        return Ok(Droppable {
            reason: Some("history is cut off in this clone, so every document is kept".to_owned()),
            ..Droppable::default()
        });
    }
    let objects = repo.objects();
    let absent = left
        .iter()
        .filter(|blob| !objects.contains(blob.as_object()));
    let absent = absent.count();
    // More than a clone's share of them is nobody's branch: such an index would not be taken now.
    let is_crowd = absent > LEAST_CROWD && absent * 8 > documents * 7 && !repo.is_partial();
    if absent > 0 && !is_crowd {
        // Of blobs that are not here others may know more.
        for (_, tip) in refs::fetched(repo)? {
            let theirs = Snapshot::at(repo, tip, snapshot);
            let traces = Traces::open(repo, &theirs).0;
            let told: FxHashSet<BlobId> = facts::blobs(repo, &theirs).into_iter().collect();
            let is_held =
                |blob| theirs.holds(blob) || traces.lines(blob).is_some() || told.contains(&blob);
            left.retain(|blob| objects.contains(blob.as_object()) || !is_held(*blob));
        }
    }
    let (commits, reason) = match unreached(repo, snapshot) {
        Ok(commits) => (commits, None),
        Err(Error::Git(err)) if err.is_missing_object() => {
            let reason = format!("the log of every commit is kept, because {err}");
            (FxHashSet::default(), Some(reason))
        }
        Err(err) => return Err(err),
    };
    Ok(Droppable {
        blobs: left,
        commits,
        reason,
    })
}

/// Finds the commits of the history log that no ref and no `HEAD` reaches. How far back they are kept is a
/// matter of the log: a window is as long as it is, whatever is kept of files.
fn unreached(repo: &Repo, snapshot: &Snapshot) -> Result<FxHashSet<CommitId>, Error> {
    let mut left: FxHashSet<CommitId> = FxHashSet::default();
    for open in snapshot.log().open(repo, &mut Vec::new()) {
        left.extend(open.piece().ids());
    }
    // Of commits that are not here others may know more.
    let objects = repo.objects();
    left.retain(|commit| objects.contains(commit.as_object()));
    if left.is_empty() || repo.is_shallow() {
        return Ok(FxHashSet::default());
    }
    let tips = history::tips(repo, TipSet::All)?;
    history::commits(repo, &tips, &[], None, &mut |commit| {
        left.remove(&commit);
        match left.is_empty() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    Ok(left)
}

/// Takes everything that is needed out of `left`; ends as soon as nothing is left.
fn search(repo: &Repo, left: &mut FxHashSet<BlobId>, retention: Retention) -> Result<(), Error> {
    let mut search = Search {
        trees: TreeWalk::new(repo),
        seen: FxHashSet::default(),
        left,
    };
    let tips = history::tips(repo, TipSet::All)?;
    // Cheap first: usually nothing is left after the tips.
    for tip in &tips {
        if search.commit(*tip)?.is_break() {
            return Ok(());
        }
    }
    search.work_tree(repo)?;
    match retention {
        Retention::All => search.commits(repo, &tips, None),
        Retention::Window(seconds) => {
            for (tips, since) in windows(repo, &tips, seconds)? {
                search.commits(repo, &tips, Some(since))?;
            }
            Ok(())
        }
    }
}

/// Returns tips by when their windows begin: groups of tips, and the earliest beginning of each.
fn windows(
    repo: &Repo,
    tips: &[CommitId],
    seconds: i64,
) -> Result<Vec<(Vec<CommitId>, i64)>, Error> {
    let mut headers = Headers::new(repo)?;
    let mut dated = Vec::with_capacity(tips.len());
    for tip in tips {
        let since = headers.read(*tip)?.0.saturating_sub(seconds);
        dated.push((since, *tip));
    }
    dated.sort_unstable();
    let mut groups: Vec<(Vec<CommitId>, i64)> = Vec::new();
    for (since, tip) in dated {
        match groups.last_mut() {
            Some((tips, first)) if since - *first <= seconds / STEPS => tips.push(tip),
            _ => groups.push((vec![tip], since)),
        }
    }
    Ok(groups)
}

struct Search<'a> {
    trees: TreeWalk<'a>,
    seen: FxHashSet<CommitId>,
    left: &'a mut FxHashSet<BlobId>,
}

impl Search<'_> {
    fn commit(&mut self, commit: CommitId) -> Result<ControlFlow<()>, git::Error> {
        if self.left.is_empty() {
            return Ok(ControlFlow::Break(()));
        }
        if !self.seen.insert(commit) {
            return Ok(ControlFlow::Continue(()));
        }
        let left = &mut *self.left;
        self.trees.commit(commit, &mut |entry| {
            left.remove(&entry.id);
            match left.is_empty() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
    }

    fn commits(&mut self, repo: &Repo, tips: &[CommitId], since: Option<i64>) -> Result<(), Error> {
        let mut failed = None;
        history::commits(repo, tips, &[], since, &mut |commit| {
            self.commit(commit).unwrap_or_else(|err| {
                failed = Some(err);
                ControlFlow::Break(())
            })
        })?;
        failed.map_or(Ok(()), |err| Err(err.into()))
    }

    /// What this work tree holds uncommitted; a commit may need it in a moment.
    fn work_tree(&mut self, repo: &Repo) -> Result<(), Error> {
        if repo.is_bare() || self.left.is_empty() {
            return Ok(());
        }
        let entries = match repo.head()? {
            Head::Commit { id, .. } => tree::list_commit(repo, id)?,
            Head::Unborn => Vec::new(),
        };
        for dirty in worktree::status(repo, &entries)?.dirty {
            if let DirtyState::Content { id, .. } = dirty.state {
                self.left.remove(&id);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_or_a_length_of_time_is_kept() {
        assert_eq!(Retention::parse("all").ok(), Some(Retention::All));
        let day = Retention::Window(24 * 60 * 60);
        assert_eq!(Retention::parse("1.day").ok(), Some(day));
        let err = Retention::parse("always").unwrap_err();
        assert!(err.to_string().contains("90.days"), "{err}");
    }
}
