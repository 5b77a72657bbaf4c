//! Walking back from a commit along one path: the next commit that has something else there than its parents.
//!
//! A merge is passed over on the side that it took the path from, so that what is met is what somebody wrote. The
//! log says of most commits, and of merges as of others, that they left the path as their first parent has it
//! ([`Touch`]). A walk that believes that ends where one that reads trees does. What it has there is compared in the
//! end, and the log not believed any more where it was wrong.

use super::steps::Kind;
use crate::git::history::Headers;
use crate::git::tree::{self, EntryMode};
use crate::git::{Error, Objects, Repo, RepoPath};
use crate::history::touched::{PathInLog, Touch};
use crate::id::{BlobId, CommitId, TreeId};
use crate::query::engine::history::Sight;
use gix::ObjectId;
use gix::bstr::{BStr, BString};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Trees of commits that are remembered.
const MAX_TREES: usize = 4096;
/// Commits that are passed over to find the one that removed a file, if there is one.
const MAX_WAY: usize = 50_000;

/// Something that stands at a path: a file by its blob, a directory by its tree.
pub type Entry = ObjectId;

/// Where a walk along a path ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The commit that has something else there than each of its parents.
    pub commit: CommitId,
    /// Its committer's date, in seconds since 1970.
    pub date: i64,
    /// Its parents, each with what it has there.
    pub parents: Vec<(CommitId, Option<Entry>)>,
    /// Whether its parents are not in this clone.
    pub is_cut_off: bool,
}

/// History behind a commit.
pub struct Ancestry {
    headers: Headers,
    objects: Objects,
    sight: Rc<Sight>,
    roots: FxHashMap<CommitId, TreeId>,
    /// Whether the log was never wrong.
    is_log_true: bool,
}

/// A path with what was found on the way to it last: trees that did not change are not read again.
pub struct Trail {
    /// `None` for the root.
    path: Option<RepoPath>,
    /// Whether a file is meant, of which the log knows, and nothing else that may have the path.
    is_file: bool,
    parts: Vec<BString>,
    /// The ids on the way, from the root on, and what is at its end.
    last: Vec<Option<ObjectId>>,
}

impl Trail {
    /// A trail to a file, with nothing found yet.
    pub fn to_file(path: &RepoPath) -> Self {
        Self {
            is_file: true,
            ..Self::to_folder(Some(path))
        }
    }

    /// A trail to a directory; without a path, to the root.
    pub fn to_folder(path: Option<&RepoPath>) -> Self {
        let parts = path.into_iter().flat_map(RepoPath::components);
        Self {
            parts: parts.map(ToOwned::to_owned).collect(),
            path: path.cloned(),
            is_file: false,
            last: Vec::new(),
        }
    }
}

impl Trail {
    /// Leads to whatever has the path from here on.
    fn take_any(&mut self) {
        self.is_file = false;
        self.last.clear();
    }
}

impl Ancestry {
    /// Starts to read. Fails with [`Error::Unsupported`] when the boundary of a shallow clone cannot be read.
    pub(in crate::query) fn new(repo: &Repo, sight: impl Into<Sight>) -> Result<Self, Error> {
        let mut objects = repo.objects();
        // Versions of one file lie in one chain of deltas.
        objects.keep_bases(64 << 20);
        Ok(Self {
            headers: Headers::of_kept(repo)?,
            objects,
            sight: Rc::new(sight.into()),
            roots: FxHashMap::default(),
            is_log_true: true,
        })
    }

    /// The object store.
    pub fn objects(&mut self) -> &mut Objects {
        &mut self.objects
    }

    /// What the log says.
    pub(in crate::query) fn sight(&self) -> Rc<Sight> {
        self.sight.clone()
    }

    /// The root tree of a commit. Fails as [`Repo::commit_tree`] does.
    pub fn root(&mut self, commit: CommitId) -> Result<TreeId, Error> {
        if let Some(known) = self.roots.get(&commit) {
            return Ok(*known);
        }
        let root = self.headers.root(commit)?;
        if self.roots.len() >= MAX_TREES {
            self.roots.clear();
        }
        self.roots.insert(commit, root);
        Ok(root)
    }

    /// What a commit has at a path: a file, or else whatever has the path. Fails as [`Ancestry::entry`] does.
    pub fn standing(&mut self, commit: CommitId, path: &RepoPath) -> Result<Option<Entry>, Error> {
        match self.entry(commit, &mut Trail::to_file(path))? {
            None => self.entry(commit, &mut Trail::to_folder(Some(path))),
            file => Ok(file),
        }
    }

    /// What a commit has at the end of a trail. Fails when its trees cannot be read.
    pub fn entry(&mut self, commit: CommitId, trail: &mut Trail) -> Result<Option<Entry>, Error> {
        let root = self.root(commit)?;
        let mut here = Some(root.as_object());
        let depth = trail.parts.len();
        let is_known = trail.last.len() == depth + 1;
        let mut ids = Vec::with_capacity(depth + 1);
        for at in 0..=depth {
            if is_known && trail.last[at] == here {
                ids.extend_from_slice(&trail.last[at..]);
                break;
            }
            ids.push(here);
            let (Some(tree), Some(part)) = (here, trail.parts.get(at)) else {
                // What is not there has nothing below it.
                ids.resize(depth + 1, None);
                break;
            };
            let kind = match (at + 1 == depth, trail.is_file) {
                (false, _) => Kind::Folder,
                (true, true) => Kind::File,
                (true, false) => Kind::Any,
            };
            here = self.step(tree, part.as_ref(), kind)?;
        }
        trail.last = ids;
        Ok(trail.last.last().copied().flatten())
    }

    /// What a tree has at a name.
    fn step(&mut self, tree: ObjectId, name: &BStr, kind: Kind) -> Result<Option<Entry>, Error> {
        if let Some(known) = self.sight.steps.get(tree, name, kind) {
            return Ok(known);
        }
        let is_wanted = |mode: Option<EntryMode>| match kind {
            Kind::Folder => mode.is_none(),
            Kind::File => mode.is_some_and(EntryMode::is_file),
            Kind::Any => true,
        };
        let mut found = None;
        tree::for_each_entry(&mut self.objects, TreeId::new(tree), |other, mode, id| {
            if found.is_none() && other == name && is_wanted(mode) {
                found = Some(id);
            }
        })?;
        self.sight.steps.keep(tree, name, kind, found);
        Ok(found)
    }

    /// Walks back from a commit that has `entry` at the path of a trail, to where it came from. Fails when
    /// commits or trees cannot be read.
    pub fn origin(
        &mut self,
        from: CommitId,
        entry: Option<Entry>,
        trail: &mut Trail,
    ) -> Result<Event, Error> {
        let event = self.ended(from, entry, trail, usize::MAX)?;
        Ok(event.expect("no way is longer than that"))
    }

    /// Walks back from a commit that has no file at the path of a trail to the commit that removed it, or to the
    /// beginning of history where none did; `None` where that is a very long way. Fails as [`Ancestry::origin`] does.
    pub fn removal(&mut self, from: CommitId, trail: &mut Trail) -> Result<Option<Event>, Error> {
        self.ended(from, None, trail, MAX_WAY)
    }

    fn ended(
        &mut self,
        from: CommitId,
        entry: Option<Entry>,
        trail: &mut Trail,
        most: usize,
    ) -> Result<Option<Event>, Error> {
        let sight = self.sight.clone();
        // What becomes of a directory is not in the log.
        let path = trail.path.clone().filter(|_| trail.is_file);
        if let Some(path) = path.filter(|_| self.is_log_true) {
            let log = sight.log().look_up(&path);
            let event = self.walk(from, entry, trail, Some(&log), most)?;
            let Some(event) = event else {
                return Ok(None);
            };
            if self.entry(event.commit, trail)? == entry {
                return Ok(Some(event));
            }
            match self.entry(from, trail)? == entry {
                true => self.is_log_true = false,
                // A link or a submodule, of which the log does not know.
                false => trail.take_any(),
            }
        }
        self.walk(from, entry, trail, None, most)
    }

    /// Goes on to the first parent that has the same, until there is none; `None` when that takes more than so many.
    fn walk(
        &mut self,
        from: CommitId,
        entry: Option<Entry>,
        trail: &mut Trail,
        log: Option<&PathInLog<'_>>,
        most: usize,
    ) -> Result<Option<Event>, Error> {
        let mut commit = from;
        for _ in 0..most {
            let (date, parents) = self.headers.read(commit)?;
            let touch = log.map_or(Touch::Unknown, |log| log.touched_by(commit));
            if let (Touch::No, Some(first)) = (touch, parents.first()) {
                commit = *first;
                continue;
            }
            let mut all = Vec::with_capacity(parents.len());
            let mut same = None;
            for parent in parents {
                let there = self.entry(parent, trail)?;
                if there == entry {
                    same = Some(parent);
                    break;
                }
                all.push((parent, there));
            }
            match same {
                Some(parent) => commit = parent,
                None => {
                    return Ok(Some(Event {
                        commit,
                        date,
                        parents: all,
                        is_cut_off: self.headers.is_cut_off(commit),
                    }));
                }
            }
        }
        Ok(None)
    }

    /// The content of a blob. Fails as [`Objects::blob`] does.
    pub fn blob(&mut self, blob: BlobId) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.blob_into(blob, &mut bytes)?;
        Ok(bytes)
    }

    /// The same where there is room for it already. Fails as [`Objects::blob`] does.
    pub fn blob_into(&mut self, blob: BlobId, out: &mut Vec<u8>) -> Result<(), Error> {
        self.objects.blob(blob, out)
    }
}
