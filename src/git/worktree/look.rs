//! Looking at the work tree: at all of it, or at what may have changed since the last time.
//!
//! Both give the same list: each path is judged by the same rules, whoever asks for it.

use super::compare::{Comparison, Fate, Seen};
use super::compared::Compared;
use super::index::Index;
use super::{Dirty, Status, once, untracked};
use crate::git::Repo;
use crate::git::error::Error;
use crate::git::path::RepoPath;
use crate::git::tree::{EntryMode, TreeEntry};
use crate::id::BlobId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Flags;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Somebody who wants to hear of changes from before a directory is read.
pub(super) trait Listener: Send {
    /// Is told of a directory of the work tree, by its path from the top, before it or a file in it is read.
    fn before_reading(&mut self, dir: &BStr);

    /// Is told of a directory that is left out for what was found in it: another repository, or what may become one.
    fn left_out(&mut self, dir: &BStr);
}

/// Nobody.
pub(super) struct Unheard;

impl Listener for Unheard {
    fn before_reading(&mut self, _dir: &BStr) {}

    fn left_out(&mut self, _dir: &BStr) {}
}

/// What was met on a walk, and what is known of files as git's index has them.
pub(super) struct Walked {
    met: Option<once::Met>,
    compared: Compared,
}

impl Walked {
    /// Walks. Who wants to hear of changes to what is tracked listens before.
    pub(super) fn of(repo: &Repo, index: &Index) -> Self {
        // What is noted is read before the files are looked at.
        let compared = Compared::load(repo, index);
        Self {
            met: once::walk(&repo.local(), index),
            compared,
        }
    }

    /// The tracked files that have other names too; `None` where nobody has looked.
    pub(super) fn linked<'i>(&self, index: &'i Index) -> Option<Vec<&'i BStr>> {
        let linked = self.met.as_ref()?.linked.iter();
        Some(linked.map(|at| index.entries()[*at].path(index)).collect())
    }
}

/// Compares the whole work tree with the listing of a tree. Fails without a work tree, or when it cannot be walked.
pub(super) fn everything(
    repo: &Repo,
    index: &Index,
    head: &[TreeEntry],
    walked: Walked,
    listener: &mut dyn Listener,
) -> Result<Status, Error> {
    let local = repo.local();
    let mut comparison = Comparison::new(repo, &local, walked.compared)?;
    let head_files: FxHashMap<&BStr, &TreeEntry> = head
        .iter()
        .map(|entry| (entry.path.as_bstr(), entry))
        .collect();
    let (seen, strange) = walked.met.map(|met| (met.seen, met.strange)).unzip();
    // Both wait for the file system, so they wait together.
    let (fates, untracked) = std::thread::scope(|scope| {
        let walk = scope.spawn(|| match strange {
            Some(strange) => untracked::among(&repo.local(), index, strange, listener),
            None => untracked::all(&repo.local(), index, listener),
        });
        let fates = tracked(&mut comparison, index, &head_files, seen.as_deref());
        (fates, walk.join().expect("the walk does not panic"))
    });
    let mut untracked = untracked?;
    let committed = |path: &BStr| head_files.get(path).map(|entry| entry.id);
    untracked.retain(|path| comparison.file(index, path.as_ref(), committed(path.as_ref())));
    let mut present: FxHashSet<&BStr> = untracked.iter().map(|path| path.as_ref()).collect();
    let kept = index
        .entries()
        .iter()
        .zip(&fates)
        .filter(|(_, fate)| **fate != Fate::Gone);
    present.extend(kept.map(|(entry, _)| entry.path(index)));
    for entry in head {
        let path = entry.path.as_bstr();
        if entry.mode.is_file() && !present.contains(path) && !index.is_in_sparse_dir(path) {
            comparison.deleted(entry.path.clone());
        }
    }
    Ok(comparison.finish())
}

/// Goes through the git index. Returns what became of each entry.
fn tracked(
    comparison: &mut Comparison<'_>,
    index: &Index,
    head: &FxHashMap<&BStr, &TreeEntry>,
    seen: Option<&[Seen]>,
) -> Vec<Fate> {
    let mut previous = None;
    let judge = |(at, entry): (usize, &gix::index::Entry)| {
        let path = entry.path(index);
        // A conflicted path has up to three entries; its file is compared once.
        if !Comparison::has_file(entry) || previous == Some(path) {
            return Fate::Gone;
        }
        previous = Some(path);
        let committed = head.get(path).map(|entry| entry.id);
        if committed.is_none()
            && entry.flags.contains(Flags::SKIP_WORKTREE)
            && is_left_out(path, head)
        {
            return Fate::LeftOut;
        }
        let seen = seen.and_then(|seen| seen.get(at));
        comparison.entry(index, entry, committed, seen)
    };
    index.entries().iter().enumerate().map(judge).collect()
}

/// Whether a path lies in a folder that the listing has as one, without what is in it.
fn is_left_out(path: &BStr, head: &FxHashMap<&BStr, &TreeEntry>) -> bool {
    let mut above = path.rfind_iter(b"/").map(|at| path[..at].as_bstr());
    above.any(|dir| {
        head.get(dir)
            .is_some_and(|entry| entry.mode == EntryMode::Gitlink)
    })
}

/// Paths that may have changed.
#[derive(Default)]
pub(super) struct Touched {
    /// Paths of files.
    pub(super) files: BTreeSet<BString>,
    /// Directories; everything below may have changed.
    pub(super) dirs: BTreeSet<BString>,
}

impl Touched {
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.dirs.is_empty()
    }

    /// Whether a path is among them.
    pub(super) fn covers(&self, path: &BStr) -> bool {
        let mut above = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        self.files.contains(path)
            || self.dirs.contains(path)
            || self.dirs.contains(BStr::new(b""))
            || above.any(|(at, _)| self.dirs.contains(BStr::new(&path[..at])))
    }
}

/// What a tree has, as far as it is asked.
pub(super) trait Committed {
    /// Returns what stands at a path; `None` for nothing, and for a directory.
    fn at(&mut self, path: &RepoPath) -> Result<Option<(EntryMode, BlobId)>, Error>;
    /// Returns the paths of what lies below a directory.
    fn below(&mut self, dir: &BStr) -> Result<Vec<BString>, Error>;
}

/// What was seen when a part was looked at.
pub(super) struct Part {
    /// The paths that were judged.
    pub(super) paths: BTreeSet<BString>,
    /// The differences in all of the work tree.
    pub(super) status: Status,
}

/// Looks again at the paths that are touched, and takes the rest from what was known. `None` when these are
/// more than `most`.
pub(super) fn part(
    repo: &Repo,
    index: &Index,
    touched: &Touched,
    head: &mut dyn Committed,
    known: &Status,
    most: usize,
    listener: &mut dyn Listener,
) -> Result<Option<Part>, Error> {
    let mut paths = touched.files.clone();
    for dir in &touched.dirs {
        let below = index.below(dir.as_ref());
        if paths.len() + below.len() > most {
            return Ok(None);
        }
        paths.extend(below.iter().map(|entry| entry.path(index).to_owned()));
        paths.extend(head.below(dir.as_ref())?);
    }
    let (touched_ones, kept): (Vec<&Dirty>, Vec<&Dirty>) = known
        .dirty
        .iter()
        .partition(|dirty| touched.covers(dirty.path.as_bstr()));
    paths.extend(
        touched_ones
            .iter()
            .map(|dirty| dirty.path.as_bstr().to_owned()),
    );
    let local = repo.local();
    let is_untracked = |path: &&BString| index.at(path.as_ref()).is_empty();
    let places = touched
        .files
        .iter()
        .filter(is_untracked)
        .chain(&touched.dirs);
    let untracked: BTreeSet<BString> = untracked::within(&local, index, places, listener)?
        .into_iter()
        .collect();
    paths.extend(untracked.iter().cloned());
    if paths.len() > most {
        return Ok(None);
    }
    // It may be tracked since a moment ago, in a directory that was ignored.
    for path in paths.iter().filter(|path| !is_untracked(path)) {
        let above = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (slash, _) in above {
            listener.before_reading(BStr::new(&path[..slash]));
        }
    }

    // These few are read: to look up what is noted takes as long.
    let mut comparison = Comparison::new(repo, &local, Compared::nothing(repo))?;
    comparison.keep(kept.into_iter().cloned());
    for path in &paths {
        let Ok(repo_path) = RepoPath::new(path.clone()) else {
            continue;
        };
        let committed = head.at(&repo_path)?;
        let id = committed.map(|(_, id)| id);
        let entry = index
            .at(path.as_ref())
            .iter()
            .find(|entry| Comparison::has_file(entry));
        let is_there = match entry {
            Some(entry) => comparison.entry(index, entry, id, None) != Fate::Gone,
            None => untracked.contains(path) && comparison.file(index, path.as_ref(), id),
        };
        let was_file = committed.is_some_and(|(mode, _)| mode.is_file());
        if !is_there && was_file && !index.is_in_sparse_dir(path.as_ref()) {
            comparison.deleted(repo_path);
        }
    }
    let status = comparison.finish();
    Ok(Some(Part { paths, status }))
}
