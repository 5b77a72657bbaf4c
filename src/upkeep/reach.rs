//! Which content and which commits a remote can reach: what is recorded of anything else must stay here.
//!
//! A document tells names and words of its blob, so it may travel only to where the blob is. The
//! trees of the remote's latest branches and tags are looked through first, since what is new is
//! mostly there; then history, newest first. What lies in commits that only this repository has is not looked for
//! any further.
//!
//! Deliberately absent: grammars. A document is as public as its blob.

use super::Error;
use crate::git::history::{self, Headers, TipSet, TreeWalk};
use crate::git::{self, Repo};
use crate::id::{BlobId, CommitId};
use gix::ObjectId;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// Branches and tags whose trees are looked through before any history: those of the latest
/// commits. A project may have a thousand tags, and history leads to them all.
const NEWEST_TIPS: usize = 16;
/// First line of the file that remembers what was not found.
const HEADER: &str = "sverklo reach 1";

/// What a remote reaches.
pub struct Reached {
    /// Those of the blobs that were asked about.
    pub blobs: FxHashSet<BlobId>,
    /// A commit was passed over, for this reason.
    pub passed: Option<git::Error>,
}

/// Returns those of `wanted` that commits of the remote reach. `tips` are what its refs name;
/// those that are not here are passed over, and so is content that only they reach.
///
/// `label` names the remote among what is remembered: history that was walked to its end for a
/// blob is not walked again for it. Fails when the repository cannot be read.
pub fn reachable(
    repo: &Repo,
    label: &str,
    tips: &[ObjectId],
    wanted: impl IntoIterator<Item = BlobId>,
) -> Result<Reached, Error> {
    let mut search = Search {
        walk: TreeWalk::new(repo),
        left: wanted.into_iter().collect(),
        met: FxHashSet::default(),
        passed: None,
    };
    let mut tips: Vec<CommitId> = tips.iter().map(|id| CommitId::new(*id)).collect();
    tips.sort_unstable();
    tips.dedup();
    tips.retain(|tip| repo.commit_tree(*tip).is_ok());
    let mut headers = Headers::new(repo)?;
    tips.sort_by_cached_key(|tip| Reverse(headers.read(*tip).map_or(i64::MIN, |(date, _)| date)));
    search.each(tips.iter().take(NEWEST_TIPS))?;
    if search.left.is_empty() || tips.is_empty() {
        return Ok(search.reached());
    }
    let private = only_here(repo, &tips)?;
    search.each(&parents_of(repo, &private)?)?;
    // What a commit that only we have introduces is private, unless the same content is somewhere
    // in their past; then it travels once the commit does. Withholding it costs them a little
    // time, and spares us a walk through all of history for each new commit.
    let public = std::mem::take(&mut search.met);
    search.each(&private)?;
    search.met = public;
    let memory = Memory::open(repo, label);
    let hidden = match search.left.is_subset(&memory.absent) {
        true => memory.tips.as_slice(),
        false => &[],
    };
    search.history(repo, &tips, hidden)?;
    if !repo.is_shallow() && !repo.is_partial() {
        let absent = std::mem::take(&mut search.left);
        Memory { tips, absent }.save(repo, label);
    }
    Ok(search.reached())
}

/// Returns those of `wanted` that tips of the remote reach; `tips` are what its refs name, and those that
/// are not here are passed over.
///
/// A commit whose children all claim to be older than everything wanted is not found. Then what it says
/// stays here. Fails when the repository cannot be read.
pub fn commits(
    repo: &Repo,
    tips: &[ObjectId],
    wanted: impl IntoIterator<Item = CommitId>,
) -> Result<FxHashSet<CommitId>, Error> {
    let (mut left, mut met) = (FxHashSet::default(), FxHashSet::default());
    let mut since = i64::MAX;
    let mut headers = Headers::new(repo)?;
    for commit in wanted {
        // What is not here cannot be met.
        if let Ok((date, _)) = headers.read(commit) {
            since = since.min(date);
            left.insert(commit);
        }
    }
    if left.is_empty() {
        return Ok(met);
    }
    let mut tips: Vec<CommitId> = tips.iter().map(|id| CommitId::new(*id)).collect();
    tips.retain(|tip| repo.commit_tree(*tip).is_ok());
    history::commits(repo, &tips, &[], Some(since), &mut |commit| {
        if left.remove(&commit) {
            met.insert(commit);
        }
        match left.is_empty() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })
    .or_else(missing_is_unknown)?;
    Ok(met)
}

/// Returns the commits that refs of ours reach and none of `tips` does.
fn only_here(repo: &Repo, tips: &[CommitId]) -> Result<FxHashSet<CommitId>, git::Error> {
    let ours = history::tips(repo, TipSet::All)?;
    let mut out = FxHashSet::default();
    history::commits(repo, &ours, tips, None, &mut |commit| {
        out.insert(commit);
        ControlFlow::Continue(())
    })
    .or_else(missing_is_unknown)?;
    Ok(out)
}

/// Returns the parents of these commits that are not among them.
fn parents_of(
    repo: &Repo,
    commits: &FxHashSet<CommitId>,
) -> Result<FxHashSet<CommitId>, git::Error> {
    let mut out = FxHashSet::default();
    for commit in commits {
        out.extend(repo.commit_parents(*commit)?);
    }
    out.retain(|parent| !commits.contains(parent));
    Ok(out)
}

/// History that is not here cannot be looked through; nothing is found there.
fn missing_is_unknown(err: git::Error) -> Result<(), git::Error> {
    match err.is_missing_object() {
        true => Ok(()),
        false => Err(err),
    }
}

/// Blobs that are looked for in the trees of commits.
struct Search<'a> {
    walk: TreeWalk<'a>,
    left: FxHashSet<BlobId>,
    met: FxHashSet<BlobId>,
    /// Why a commit was passed over whose tree lists more than is followed.
    passed: Option<git::Error>,
}

impl Search<'_> {
    fn reached(self) -> Reached {
        Reached {
            blobs: self.met,
            passed: self.passed,
        }
    }

    /// Looks through what is new in the trees of a commit; breaks off once all are met.
    fn commit(&mut self, commit: CommitId) -> Result<ControlFlow<()>, git::Error> {
        if self.left.is_empty() {
            return Ok(ControlFlow::Break(()));
        }
        let (left, met) = (&mut self.left, &mut self.met);
        let looked = self.walk.commit(commit, &mut |entry| {
            if entry.mode.is_file() && left.remove(&entry.id) {
                met.insert(entry.id);
            }
            match left.is_empty() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        looked.or_else(|err| match err.is_too_large() {
            true => {
                self.passed.get_or_insert(err);
                Ok(ControlFlow::Continue(()))
            }
            false => missing_is_unknown(err).map(ControlFlow::Continue),
        })
    }

    fn each<'c>(
        &mut self,
        commits: impl IntoIterator<Item = &'c CommitId>,
    ) -> Result<(), git::Error> {
        for commit in commits {
            if self.commit(*commit)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Looks through history, newest first.
    fn history(
        &mut self,
        repo: &Repo,
        tips: &[CommitId],
        hidden: &[CommitId],
    ) -> Result<(), git::Error> {
        if self.left.is_empty() {
            return Ok(());
        }
        let mut failure = None;
        let walked = history::commits(repo, tips, hidden, None, &mut |commit| match self
            .commit(commit)
        {
            Ok(flow) => flow,
            Err(err) => {
                failure = Some(err);
                ControlFlow::Break(())
            }
        });
        match failure {
            Some(err) => Err(err),
            None => walked.or_else(missing_is_unknown),
        }
    }
}

/// What the history behind some tips does not have, among what is kept ([`crate::cache`]).
#[derive(Default)]
struct Memory {
    tips: Vec<CommitId>,
    absent: FxHashSet<BlobId>,
}

impl Memory {
    fn name(label: &str) -> String {
        format!(
            "reach/{:016x}",
            xxhash_rust::xxh3::xxh3_64(label.as_bytes())
        )
    }

    /// Reads what was remembered; nothing, when it is damaged or tips have gone.
    fn open(repo: &Repo, label: &str) -> Self {
        let body = repo.kept().read(&Self::name(label));
        let text = body
            .as_ref()
            .and_then(|body| std::str::from_utf8(body.as_ref()).ok());
        let mut memory = Self::default();
        let mut lines = text.unwrap_or_default().lines();
        if lines.next() != Some(HEADER) {
            return memory;
        }
        for line in lines {
            let Some((kind, hex)) = line.split_once(' ') else {
                return Self::default();
            };
            match (kind, ObjectId::from_hex(hex.as_bytes())) {
                ("tip", Ok(id)) => memory.tips.push(CommitId::new(id)),
                ("absent", Ok(id)) => drop(memory.absent.insert(BlobId::new(id))),
                _ => return Self::default(),
            }
        }
        // A tip that is gone hides nothing, so all would be walked again: right, only slow.
        memory
    }

    /// Writes the file; without it the next push walks more.
    fn save(&self, repo: &Repo, label: &str) {
        let mut lines = vec![HEADER.to_owned()];
        lines.extend(self.tips.iter().map(|tip| format!("tip {tip}")));
        let mut absent: Vec<_> = self.absent.iter().collect();
        absent.sort_unstable();
        lines.extend(absent.into_iter().map(|blob| format!("absent {blob}")));
        let text = lines.join("\n") + "\n";
        let _ = repo.kept().write(&Self::name(label), text.as_bytes());
    }
}
