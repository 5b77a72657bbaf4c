//! The work tree in a process that is asked again and again: what is known of it, and what changed since.
//!
//! Guarantees: what [`Watch::look`] returns is what [`super::status`] would, for every change that was made before it
//! was called. Where the system's word cannot be trusted for that, everything is looked at each time.
//! Two kinds of change are told by nobody, and seen within [`LOOK_AGAIN`]: writing through a mapping that is older
//! than the last look, and writing under another name that a file was given since.

use super::Status;
use super::events::Told;
use super::index::Index;
use super::listening::{Teller, ask_monitor, listen};
use super::look::{self, Committed, Listener as _, Part, Touched, Unheard, Walked};
use super::rules::{Rules, Stamp, is_rule};
use crate::git::error::Error;
use crate::git::path::RepoPath;
use crate::git::tree::{self, EntryMode, Found, TreeEntry};
use crate::git::{Objects, Repo};
use crate::id::{BlobId, TreeId};
use crate::limits::MAX_DIRTY_BYTES;
use gix::bstr::{BStr, BString};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use super::events::{Alarm, Unwatched};
pub use super::listening::Tells;

/// How long the system's word is taken before everything is looked at again.
const LOOK_AGAIN: Duration = Duration::from_secs(300);

/// How long nobody is asked again who could tell, where nobody did.
const TRY_AGAIN: Duration = Duration::from_secs(30);

/// Most paths that are looked at one by one; from there on the whole costs as little.
const MOST_PATHS: usize = 1000;

/// Most files with several names that are looked at each time.
const MOST_LINKED: usize = 256;

/// A work tree that is looked at again and again.
#[derive(Default)]
pub struct Watch {
    known: Option<Known>,
    listening: Listening,
}

#[derive(Default)]
enum Listening {
    #[default]
    NotYet,
    To(Teller),
    /// Since then.
    Not(Unwatched, Instant),
}

/// The work tree as it was seen.
struct Known {
    /// The tree that it was compared with.
    tree: TreeId,
    index: Index,
    index_stamp: Stamp,
    rules: Rules,
    status: Arc<Status>,
    /// Files that have other names.
    linked: BTreeSet<BString>,
    looked: Instant,
}

impl Watch {
    /// Knows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Who can be listened to in this work tree, as far as that shows before it is done. Fails with what stands against
    /// it.
    pub fn possible(repo: &Repo) -> Result<Tells, Unwatched> {
        listen(repo).map(|teller| teller.who())
    }

    /// Returns why everything is looked at each time, if so.
    pub fn unwatched(&self) -> Option<Unwatched> {
        match &self.listening {
            Listening::Not(why, _) => Some(*why),
            Listening::NotYet | Listening::To(_) => None,
        }
    }

    /// Returns what wakes whoever waits for a change; `None` where nothing is listened to, or not yet.
    pub fn alarm(&self) -> Option<Alarm> {
        match &self.listening {
            Listening::To(teller) => teller.alarm(),
            Listening::NotYet | Listening::Not(..) => None,
        }
    }

    /// Compares the work tree with `tree`, the one of `HEAD`, which `list` lists. While nothing changed, the same
    /// list is returned. Fails as [`super::status`] does.
    pub fn look(
        &mut self,
        repo: &Repo,
        tree: TreeId,
        list: impl FnOnce() -> Vec<TreeEntry>,
    ) -> Result<Arc<Status>, Error> {
        let known = self.known.take();
        let told = match &mut self.listening {
            Listening::To(teller) => teller.told(),
            Listening::NotYet | Listening::Not(..) => Told::default(),
        };
        if told.lost {
            self.listening = Listening::NotYet;
        }
        if let (Some(known), Listening::To(teller)) = (known, &mut self.listening)
            && !told.rules
            && let Some(next) = known.again(repo, tree, told.touched, teller)?
            && teller.failed().is_none()
        {
            let status = next.status.clone();
            self.known = Some(next);
            return Ok(status);
        }
        self.everything(repo, tree, list())
    }

    fn listen(&mut self, to: Result<Teller, Unwatched>) {
        self.listening = match to {
            Ok(teller) => Listening::To(teller),
            Err(why) => Listening::Not(why, Instant::now()),
        };
    }

    fn everything(
        &mut self,
        repo: &Repo,
        tree: TreeId,
        head: Vec<TreeEntry>,
    ) -> Result<Arc<Status>, Error> {
        match &self.listening {
            Listening::NotYet => self.listen(listen(repo)),
            Listening::Not(why, since) if since.elapsed() > TRY_AGAIN => {
                let why = *why;
                self.listen(ask_monitor(repo).ok_or(why));
            }
            Listening::To(_) | Listening::Not(..) => {}
        }
        let (rules, index_stamp) = (Rules::of(repo), Stamp::of(&repo.local().index_path()));
        let index = Index::read(&repo.local())?;
        let Listening::To(teller) = &mut self.listening else {
            let walked = Walked::of(repo, &index);
            let status = look::everything(repo, &index, &head, walked, &mut Unheard)?;
            return Ok(Arc::new(status));
        };
        for dir in index.dirs() {
            teller.before_reading(dir);
        }
        let walked = Walked::of(repo, &index);
        let tracked = walked.linked(&index);
        let status = look::everything(repo, &index, &head, walked, teller)?;
        let status = Arc::new(status);
        let linked = linked(repo, &index, tracked, &status);
        let failed = teller.failed().or_else(|| {
            let too_many = linked.len() > MOST_LINKED;
            too_many.then_some(Unwatched::Linked)
        });
        if let Some(why) = failed {
            let monitor = match teller {
                Teller::System(_) => ask_monitor(repo),
                Teller::Monitor(_) => None,
            };
            self.listen(monitor.ok_or(why));
            return Ok(status);
        }
        // What is cut off depends on what else there is, so it is not looked at in parts.
        if !status.truncated && status.bytes() <= MAX_DIRTY_BYTES / 2 {
            self.known = Some(Known {
                tree,
                index,
                index_stamp,
                rules,
                status: status.clone(),
                linked,
                looked: Instant::now(),
            });
        }
        Ok(status)
    }
}

impl Known {
    /// Looks again where something may have changed; `None` when everything has to be looked at.
    fn again(
        mut self,
        repo: &Repo,
        tree: TreeId,
        mut touched: Touched,
        teller: &mut Teller,
    ) -> Result<Option<Self>, Error> {
        if self.looked.elapsed() > LOOK_AGAIN || !self.rules.hold() {
            return Ok(None);
        }
        touched.files.extend(self.linked.iter().cloned());
        if !self.index_stamp.holds(&repo.local().index_path()) {
            let stamp = Stamp::of(&repo.local().index_path());
            let index = Index::read(&repo.local())?;
            let changed = index.changed_since(&self.index);
            if changed.iter().any(is_rule) {
                return Ok(None);
            }
            touched.dirs.extend(index.other_dirs(&self.index, &changed));
            touched.files.extend(changed);
            (self.index, self.index_stamp) = (index, stamp);
        }
        let mut objects = repo.objects();
        if self.tree != tree {
            // There may be none yet.
            let Ok(changes) = tree::diff(&mut objects, self.tree, tree) else {
                return Ok(None);
            };
            let paths = changes
                .iter()
                .map(|change| change.path.as_bstr().to_owned());
            touched.files.extend(paths);
            self.tree = tree;
        }
        if touched.is_empty() {
            return Ok(Some(self));
        }
        if teller.may_misspell(&touched, &self.index) {
            return Ok(None);
        }
        let mut head = HeadTree { objects, tree };
        let part = look::part(
            repo,
            &self.index,
            &touched,
            &mut head,
            &self.status,
            MOST_PATHS,
            teller,
        );
        // Somebody may be at work at these very places.
        let Ok(Some(Part { paths, status })) = part else {
            return Ok(None);
        };
        // A name was given to some file of the work tree, and nobody tells to which.
        let mut files = touched.files.union(&paths);
        if files.any(|path| !self.linked.contains(path) && is_linked(repo, path.as_ref())) {
            return Ok(None);
        }
        if status.truncated || status.bytes() > MAX_DIRTY_BYTES / 2 {
            return Ok(None);
        }
        if status != *self.status {
            self.status = Arc::new(status);
        }
        Ok(Some(self))
    }
}

/// Returns the files that have other names too, by which they may be changed. `tracked` are those among what is tracked,
/// where that was seen.
fn linked(
    repo: &Repo,
    index: &Index,
    tracked: Option<Vec<&BStr>>,
    status: &Status,
) -> BTreeSet<BString> {
    let tracked = tracked.unwrap_or_else(|| {
        let all = index.entries().iter().map(|entry| entry.path(index));
        all.filter(|path| is_linked(repo, path)).collect()
    });
    let dirty = status.dirty.iter().map(|dirty| dirty.path.as_bstr());
    let linked = tracked
        .into_iter()
        .chain(dirty.filter(|path| is_linked(repo, path)));
    linked.take(MOST_LINKED + 1).map(BStr::to_owned).collect()
}

#[cfg(unix)]
fn is_linked(repo: &Repo, path: &BStr) -> bool {
    let place = RepoPath::new(path)
        .ok()
        .and_then(|path| path.under(repo.work_dir()?));
    let found = place.and_then(|place| std::fs::symlink_metadata(place).ok());
    found.is_some_and(|found| found.is_file() && std::os::unix::fs::MetadataExt::nlink(&found) > 1)
}

#[cfg(not(unix))]
fn is_linked(_repo: &Repo, _path: &BStr) -> bool {
    false
}

/// The tree of `HEAD`.
struct HeadTree {
    objects: Objects,
    tree: TreeId,
}

impl Committed for HeadTree {
    fn at(&mut self, path: &RepoPath) -> Result<Option<(EntryMode, BlobId)>, Error> {
        Ok(match tree::find(&mut self.objects, self.tree, path)? {
            Some(Found::Leaf(mode, id)) => Some((mode, id)),
            Some(Found::Tree(_)) | None => None,
        })
    }

    fn below(&mut self, dir: &BStr) -> Result<Vec<BString>, Error> {
        let Ok(path) = RepoPath::new(dir) else {
            let all = tree::list(&mut self.objects, self.tree)?;
            return Ok(all
                .iter()
                .map(|entry| entry.path.as_bstr().to_owned())
                .collect());
        };
        let Some(Found::Tree(tree)) = tree::find(&mut self.objects, self.tree, &path)? else {
            return Ok(Vec::new());
        };
        let all = tree::list(&mut self.objects, tree)?;
        let full = |entry: &TreeEntry| [dir.as_ref(), entry.path.as_bytes()].join(&b'/').into();
        Ok(all.iter().map(full).collect())
    }
}

#[cfg(test)]
#[cfg(unix)]
pub(super) mod testing {
    use super::super::monitor::Monitor;
    use super::*;

    /// Looks again and again at a work tree without a commit, of which a monitor tells.
    pub(in super::super) fn seen_by_a_monitor(
        monitor: Monitor,
        repo: &Repo,
    ) -> impl FnMut() -> Arc<Status> {
        let tree = TreeId::new(gix::ObjectId::empty_tree(repo.hash()));
        let mut watch = Watch {
            known: None,
            listening: Listening::To(Teller::Monitor(monitor)),
        };
        let mut is_first = true;
        move || {
            // What it is asked before anything is known would be lost on the script of a test.
            if std::mem::take(&mut is_first) {
                return watch.everything(repo, tree, Vec::new()).unwrap();
            }
            watch.look(repo, tree, Vec::new).unwrap()
        }
    }
}
