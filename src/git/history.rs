//! Walking history in process: which commits can be reached, and what is in their trees.
//!
//! gix has a walk of its own, but it looks for the parents that a shallow clone lacks as soon as
//! something is hidden. It is not used for that reason; its reader of the commit-graph is.

use super::error::Error;
use super::kept_commits::{Made, Reader};
use super::objects::Objects;
use super::program;
use super::repo::RefStorage;
use super::repo::Repo;
use super::tree::{self, Raw, TreeEntry, Walk, Weights};
use crate::id::{BlobId, CommitId, TreeId};
use crate::limits::MAX_TREE_ENTRIES;
use gix::ObjectId;
use gix::objs::{CommitRefIter, Kind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::vec::IntoIter;
use xxhash_rust::xxh3::Xxh3Default;

/// Commits that are looked at below the oldest one found, for clocks that went wrong. git looks
/// at 5; reading this many takes a millisecond or two.
const SKEWED_COMMITS: usize = 256;

/// Stands for a tree where files have the number of their [`tree::EntryMode`].
const TREE: u8 = u8::MAX;

/// Which refs count as ends of history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TipSet {
    /// Branches, and the `HEAD` of every work tree.
    Local,
    /// These, remote-tracking branches, tags and the latest stash.
    All,
}

impl TipSet {
    fn patterns(self) -> &'static [&'static str] {
        match self {
            Self::Local => &["refs/heads/"],
            Self::All => &["refs/heads/", "refs/remotes/", "refs/tags/", "refs/stash"],
        }
    }
}

/// Returns the commits that refs and the `HEAD` of every work tree name, sorted and distinct.
///
/// Tags are followed to what they mark. Refs of ours, refs to anything but a commit and refs to
/// objects that are not here are left out. Fails with what the git program said when it cannot list
/// them.
pub fn tips(repo: &Repo, which: TipSet) -> Result<Vec<CommitId>, Error> {
    // Asking for more than the id would make git read the objects, which need not all be here.
    let mut args = vec!["for-each-ref", "--format=%(objectname) %(refname)"];
    args.extend(which.patterns());
    let refs = lines_of(repo, &args, b'\n')?;
    let work_trees = lines_of(repo, &["worktree", "list", "--porcelain", "-z"], b'\0')?;
    let named = refs.iter().filter_map(|line| {
        let at = line.iter().position(|b| *b == b' ')?;
        let (id, name) = (&line[..at], &line[at + 1..]);
        (!repo.ref_names().owns(name)).then_some(id)
    });
    let heads = work_trees.iter().filter_map(|l| l.strip_prefix(b"HEAD "));
    let mut out = Vec::new();
    for hex in named.chain(heads) {
        let Ok(id) = ObjectId::from_hex(hex) else {
            continue;
        };
        match repo.peel("", id) {
            Ok(commit) => out.push(commit),
            // The `HEAD` of a work tree without a commit is the null id, an unknown one too.
            Err(Error::NotACommit { .. } | Error::UnknownRevision { .. }) => {}
            Err(err) => return Err(err),
        }
    }
    out.sort_unstable();
    out.dedup();
    Ok(out)
}

/// Stands for what [`tips`] returns: as long as it is the same, so are they. Where refs are files nothing
/// is started to find it. Fails as [`tips`] does.
pub fn tips_stamp(repo: &Repo, which: TipSet) -> Result<u64, Error> {
    let mut hasher = Xxh3Default::new();
    if *repo.ref_storage() == RefStorage::Files && stamp_files(repo, which, &mut hasher).is_some() {
        return Ok(hasher.digest());
    }
    hasher.reset();
    for tip in tips(repo, which)? {
        hasher.update(tip.as_bytes());
    }
    Ok(hasher.digest())
}

/// Stands for the names of tags and what they lead to, as [`tips_stamp`] does for tips, and for where a shallow clone
/// ends; `None` where refs are not files, a tag stands for another ref, or one cannot be read.
pub(super) fn tags_stamp(repo: &Repo) -> Option<u128> {
    if *repo.ref_storage() != RefStorage::Files {
        return None;
    }
    let mut hasher = Xxh3Default::new();
    let local = repo.local();
    for found in local.references().ok()?.prefixed("refs/tags/").ok()? {
        let found = found.ok()?;
        hasher.update(found.name().as_bstr());
        hasher.update(found.target().try_id()?.as_bytes());
    }
    for commit in shallow(repo).ok()? {
        hasher.update(commit.as_bytes());
    }
    Some(hasher.digest128())
}

/// Hashes the refs and the `HEAD` of every work tree; `None` when one cannot be read.
fn stamp_files(repo: &Repo, which: TipSet, hasher: &mut Xxh3Default) -> Option<()> {
    let local = repo.local();
    let refs = local.references().ok()?;
    for pattern in which.patterns() {
        for found in refs.prefixed(*pattern).ok()? {
            let found = found.ok()?;
            let name = found.name().as_bstr();
            if !repo.ref_names().owns(name) {
                hasher.update(name);
                match found.target().try_id() {
                    Some(id) => hasher.update(id.as_bytes()),
                    // What it leads to is among these, or not of history.
                    None => hasher.update(found.target().try_name()?.as_bstr()),
                }
            }
        }
    }
    let mut heads = vec![repo.common_dir().join("HEAD")];
    if let Ok(all) = std::fs::read_dir(repo.common_dir().join("worktrees")) {
        heads.extend(all.flatten().map(|work_tree| work_tree.path().join("HEAD")));
    }
    heads.sort_unstable();
    for head in heads {
        hasher.update(&std::fs::read(head).ok()?);
    }
    Some(())
}

pub(super) fn lines_of(repo: &Repo, args: &[&str], end: u8) -> Result<Vec<Vec<u8>>, Error> {
    let out = program::ask(repo, args)?;
    if !out.status.success() {
        return Err(out.into_error(args[0]));
    }
    let lines = out.stdout.split(|b| *b == end).filter(|l| !l.is_empty());
    Ok(lines.map(<[u8]>::to_vec).collect())
}

/// Visits the commits that can be reached from `tips` and not from `hidden`, each once, those of
/// later committer dates first, until `visit` breaks off.
///
/// With `since`, a commit of an earlier date (in seconds since 1970) is not visited and nothing is
/// looked for behind it. A shallow clone's boundary is where history begins. What is hidden and
/// not in the object store hides nothing.
///
/// With nothing hidden, commits are visited as they are read; else all that are newer than the
/// oldest one visited are read first. A hidden commit is missed only when clocks were so wrong
/// that the way to it leads through 256 commits that are all older than it.
///
/// # Errors
/// [`Error::MissingObject`] for a commit that is not there, [`Error::WrongKind`] and
/// [`Error::CorruptObject`].
pub fn commits(
    repo: &Repo,
    tips: &[CommitId],
    hidden: &[CommitId],
    since: Option<i64>,
    visit: &mut dyn FnMut(CommitId) -> ControlFlow<()>,
) -> Result<(), Error> {
    let mut walk = CommitWalk::new(repo)?;
    let since = since.unwrap_or(i64::MIN);
    if hidden.is_empty() {
        return walk.stream(tips, since, visit);
    }
    for id in walk.unhidden(tips, hidden, since)? {
        if visit(CommitId::new(id)).is_break() {
            break;
        }
    }
    Ok(())
}

/// Returns when a commit was made: its committer's date in seconds since 1970. Fails with
/// [`Error::MissingObject`], [`Error::WrongKind`] or [`Error::CorruptObject`].
pub fn commit_date(repo: &Repo, commit: CommitId) -> Result<i64, Error> {
    Ok(CommitWalk::new(repo)?.read(commit.as_object())?.date)
}

/// Returns the commits at the boundary of a shallow clone, which lacks their parents; none in a whole
/// one. Fails with [`Error::Unsupported`] when the boundary cannot be read.
pub fn boundary(repo: &Repo) -> Result<Vec<CommitId>, Error> {
    Ok(shallow(repo)?.into_iter().map(CommitId::new).collect())
}

fn shallow(repo: &Repo) -> Result<Vec<ObjectId>, Error> {
    let found = repo.local().shallow_commits();
    let found = found.map_err(|err| Error::Unsupported {
        step: "reading the boundary of the shallow clone",
        reason: err.to_string(),
    })?;
    let mut shallow = found.map_or_else(Vec::new, |commits| commits.iter().copied().collect());
    shallow.sort_unstable();
    Ok(shallow)
}

/// Dates and parents of commits, from the commit-graph where there is one.
pub struct Headers {
    walk: CommitWalk,
}

impl Headers {
    /// Starts to read. Fails with [`Error::Unsupported`] when the boundary of a shallow clone cannot be
    /// read.
    pub fn new(repo: &Repo) -> Result<Self, Error> {
        let walk = CommitWalk::new(repo)?;
        Ok(Self { walk })
    }

    /// As [`Headers::new`], for a walk that begins at a commit that is here: commits of which is kept what they are made
    /// of are not read again, so that one behind the first that is missing may be taken for there.
    pub fn of_kept(repo: &Repo) -> Result<Self, Error> {
        let mut walk = CommitWalk::new(repo)?;
        walk.believes_kept = true;
        Ok(Self { walk })
    }

    /// Returns a commit's root tree. Fails as [`Headers::read`] does.
    pub fn root(&mut self, commit: CommitId) -> Result<TreeId, Error> {
        let id = commit.as_object();
        let graph = self.walk.graph.as_ref();
        if let Some(known) = graph.and_then(|graph| graph.commit_by_id(id)) {
            return Ok(TreeId::new(known.root_tree_id().to_owned()));
        }
        Ok(TreeId::new(self.walk.made(id)?.tree))
    }

    /// Returns a commit's date, in seconds since 1970, and its parents, none at the boundary of a
    /// shallow clone. Fails with [`Error::MissingObject`], [`Error::WrongKind`] or
    /// [`Error::CorruptObject`].
    pub fn read(&mut self, commit: CommitId) -> Result<(i64, Vec<CommitId>), Error> {
        let Commit { date, parents } = self.walk.read(commit.as_object())?;
        Ok((date, parents.into_iter().map(CommitId::new).collect()))
    }

    /// Whether history is cut off somewhere.
    pub fn is_shallow(&self) -> bool {
        !self.walk.shallow.is_empty()
    }

    /// Whether a commit is at the boundary of a shallow clone, which lacks its parents.
    pub fn is_cut_off(&self, commit: CommitId) -> bool {
        let shallow = &self.walk.shallow;
        shallow.binary_search(&commit.as_object()).is_ok()
    }
}

/// What a walk needs to know of a commit.
struct Commit {
    date: i64,
    parents: Vec<ObjectId>,
}

/// What is known of a commit on the way.
#[derive(Clone, Copy)]
struct Seen {
    is_hidden: bool,
    /// Whether its parents were looked at.
    is_done: bool,
}

struct CommitWalk {
    objects: Objects,
    graph: Option<gix::commitgraph::Graph>,
    /// What is kept of commits; `None` in a shallow clone.
    kept: Option<Reader>,
    /// Whether a commit that is kept is not read.
    believes_kept: bool,
    /// Commits whose parents are cut off; sorted.
    shallow: Vec<ObjectId>,
    buf: Vec<u8>,
    queue: BinaryHeap<(i64, Reverse<u64>, ObjectId)>,
    queued: u64,
    seen: FxHashMap<ObjectId, Seen>,
    /// Commits in the queue that are not hidden.
    open: usize,
}

impl CommitWalk {
    fn new(repo: &Repo) -> Result<Self, Error> {
        let local = repo.local();
        let shallow = shallow(repo)?;
        // A graph that cannot be read is as good as none, and it knows no shallow boundary.
        let graph = match shallow.is_empty() {
            true => local.commit_graph_if_enabled().ok().flatten(),
            false => None,
        };
        Ok(Self {
            objects: repo.objects(),
            graph,
            kept: shallow.is_empty().then(|| repo.commits_kept()),
            believes_kept: false,
            shallow,
            buf: Vec::new(),
            queue: BinaryHeap::new(),
            queued: 0,
            seen: FxHashMap::default(),
            open: 0,
        })
    }

    fn read(&mut self, id: ObjectId) -> Result<Commit, Error> {
        if let Some(known) = self.in_graph(id) {
            return Ok(known);
        }
        let Made { date, parents, .. } = self.made(id)?;
        let parents = match self.shallow.binary_search(&id) {
            Ok(_) => Vec::new(),
            Err(_) => parents,
        };
        Ok(Commit { date, parents })
    }

    /// What a commit is made of, its parents where a shallow clone lacks them among it.
    fn made(&mut self, id: ObjectId) -> Result<Made, Error> {
        if self.believes_kept
            && let Some(known) = self.kept.as_ref().and_then(|kept| kept.get(&id))
        {
            return Ok(known);
        }
        self.objects.read(id, Kind::Commit, &mut self.buf)?;
        let corrupt = |err| Error::corrupt(id, err);
        let fields = || CommitRefIter::from_bytes(&self.buf, self.objects.hash());
        let made = Made {
            tree: fields().tree_id().map_err(corrupt)?,
            parents: fields().parent_ids().collect(),
            // git too takes a date that cannot be read for the beginning of time.
            date: fields().committer().map_or(0, |by| by.seconds()),
        };
        if let Some(kept) = &mut self.kept {
            kept.meet(id, &made);
        }
        Ok(made)
    }

    fn in_graph(&self, id: ObjectId) -> Option<Commit> {
        let graph = self.graph.as_ref()?;
        let commit = graph.commit_by_id(id)?;
        let mut parents = Vec::new();
        for parent in commit.iter_parents() {
            parents.push(graph.id_at(parent.ok()?).to_owned());
        }
        Some(Commit {
            date: i64::try_from(commit.committer_timestamp()).ok()?,
            parents,
        })
    }

    fn push(&mut self, id: ObjectId, date: i64) {
        self.queue.push((date, Reverse(self.queued), id));
        self.queued += 1;
    }

    /// Visits everything, and keeps only what is to be visited next and the ids of what was.
    fn stream(
        &mut self,
        tips: &[CommitId],
        since: i64,
        visit: &mut dyn FnMut(CommitId) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let mut seen = FxHashSet::default();
        let mut waiting: FxHashMap<ObjectId, Vec<ObjectId>> = FxHashMap::default();
        let mut next: Vec<ObjectId> = tips.iter().map(CommitId::as_object).collect();
        loop {
            for id in next.drain(..) {
                if !seen.insert(id) {
                    continue;
                }
                let commit = self.read(id)?;
                if commit.date >= since {
                    self.push(id, commit.date);
                    waiting.insert(id, commit.parents);
                }
            }
            let Some((_, _, id)) = self.queue.pop() else {
                return Ok(());
            };
            if visit(CommitId::new(id)).is_break() {
                return Ok(());
            }
            next = waiting.remove(&id).unwrap_or_default();
        }
    }

    /// Returns what is not hidden, newest first.
    fn unhidden(
        &mut self,
        tips: &[CommitId],
        hidden: &[CommitId],
        since: i64,
    ) -> Result<Vec<ObjectId>, Error> {
        for id in hidden {
            self.meet(id.as_object(), true, since)?;
        }
        for id in tips {
            self.meet(id.as_object(), false, since)?;
        }
        let mut wanted = Vec::new();
        let mut oldest = i64::MAX;
        let mut below = 0;
        while let Some((date, _, id)) = self.queue.pop() {
            let Some(seen) = self.seen.get_mut(&id) else {
                continue;
            };
            seen.is_done = true;
            let is_hidden = seen.is_hidden;
            if is_hidden {
                // Only what may still turn out to hide a wanted commit is worth reading.
                if self.open == 0 && date < oldest {
                    below += 1;
                    if below > SKEWED_COMMITS {
                        break;
                    }
                }
            } else {
                self.open -= 1;
                below = 0;
                oldest = oldest.min(date);
                wanted.push(id);
            }
            for parent in self.parents(id, is_hidden)? {
                self.meet(parent, is_hidden, since)?;
            }
        }
        wanted.retain(|id| self.seen.get(id).is_some_and(|seen| !seen.is_hidden));
        Ok(wanted)
    }

    fn parents(&mut self, id: ObjectId, is_hidden: bool) -> Result<Vec<ObjectId>, Error> {
        match self.read(id) {
            Ok(commit) => Ok(commit.parents),
            Err(Error::MissingObject { .. }) if is_hidden => Ok(Vec::new()),
            Err(err) => Err(err),
        }
    }

    /// Takes note of a commit that a tip or a child leads to.
    fn meet(&mut self, id: ObjectId, is_hidden: bool, since: i64) -> Result<(), Error> {
        let mut all = vec![id];
        while let Some(id) = all.pop() {
            match self.seen.get_mut(&id) {
                None => {
                    let date = match self.read(id) {
                        Ok(commit) => commit.date,
                        Err(Error::MissingObject { .. }) if is_hidden => continue,
                        Err(err) => return Err(err),
                    };
                    if !is_hidden && date < since {
                        continue;
                    }
                    let seen = Seen {
                        is_hidden,
                        is_done: false,
                    };
                    self.seen.insert(id, seen);
                    self.open += usize::from(!is_hidden);
                    self.push(id, date);
                }
                Some(seen) if is_hidden && !seen.is_hidden => {
                    seen.is_hidden = true;
                    if seen.is_done {
                        // Clocks went wrong: it was taken for wanted, and so was what is behind.
                        all.extend(self.parents(id, true)?);
                    } else {
                        self.open -= 1;
                    }
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}

/// A walk through the trees of many commits that meets each distinct entry once.
///
/// What was seen at a path is not read again at that path, so the work for one more commit is
/// proportional to what it changed. Blobs are never read: those that a partial clone lacks are
/// listed like all others.
pub struct TreeWalk<'a> {
    repo: &'a Repo,
    objects: Objects,
    /// Hashes of (path, mode, id); about 16 bytes for each tree and entry.
    seen: FxHashSet<u64>,
    /// Trees that list more than is followed.
    weights: Weights,
}

impl<'a> TreeWalk<'a> {
    /// Starts with nothing seen.
    pub fn new(repo: &'a Repo) -> Self {
        Self {
            objects: repo.objects(),
            repo,
            seen: FxHashSet::default(),
            weights: Weights::default(),
        }
    }

    /// Visits the entries of a commit's tree that no commit before had at the same path.
    ///
    /// Two distinct entries count as one when a 64-bit hash of them is equal, which
    /// happens in three of a million histories of ten million entries. So a walk may decide what
    /// is worth keeping or sending, not what is true.
    ///
    /// # Errors
    /// [`Error::MissingObject`] and [`Error::CorruptObject`] for the commit or a tree,
    /// [`Error::TreeTooLarge`] beyond the limits. What was not visited is still unseen then.
    pub fn commit(
        &mut self,
        commit: CommitId,
        visit: &mut dyn FnMut(&TreeEntry) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        let root = self.repo.commit_tree(commit)?;
        self.tree(root, visit).map_err(|err| err.at_commit(commit))
    }

    /// As [`TreeWalk::commit`], for a root tree.
    pub fn tree(
        &mut self,
        root: TreeId,
        visit: &mut dyn FnMut(&TreeEntry) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        let mut walk = Walk::new(&mut self.objects, root, MAX_TREE_ENTRIES);
        walk.weights = std::mem::take(&mut self.weights);
        let mut descent = Descent {
            walk,
            seen: &mut self.seen,
            visit,
        };
        let met = descent.tree(root.as_object());
        self.weights = descent.walk.weights;
        self.weights.keep_over(MAX_TREE_ENTRIES);
        met
    }
}

struct Descent<'a> {
    walk: Walk<'a>,
    seen: &'a mut FxHashSet<u64>,
    visit: &'a mut dyn FnMut(&TreeEntry) -> ControlFlow<()>,
}

impl Descent<'_> {
    fn tree(&mut self, root: ObjectId) -> Result<ControlFlow<()>, Error> {
        let mut open: Vec<Open> = Vec::new();
        self.open(&mut open, root)?;
        while let Some(tree) = open.last_mut() {
            self.walk.path.truncate(tree.length);
            let Some(raw) = tree.rest.next() else {
                // Only now, so that a tree that could not be read through is not passed over next time.
                self.seen.insert(tree.key);
                open.pop();
                continue;
            };
            self.walk.enter(&raw.name);
            let Some(mode) = tree::mode(raw.kind) else {
                self.open(&mut open, raw.id)?;
                continue;
            };
            let key = hash(&self.walk.path, mode as u8, raw.id);
            let Some(path) = self.walk.here() else {
                continue;
            };
            if !self.seen.insert(key) {
                continue;
            }
            let id = BlobId::new(raw.id);
            let flow = (self.visit)(&TreeEntry { path, mode, id });
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Reads the tree at the current path, unless it was seen there.
    fn open(&mut self, open: &mut Vec<Open>, id: ObjectId) -> Result<(), Error> {
        let key = hash(&self.walk.path, TREE, id);
        if !self.seen.contains(&key) {
            self.walk.check_depth(open.len())?;
            open.push(Open {
                rest: self.walk.entries(id)?.into_iter(),
                length: self.walk.path.len(),
                key,
            });
        }
        Ok(())
    }
}

/// A tree of which some entries are still to be met.
struct Open {
    rest: IntoIter<Raw>,
    /// Length of its path.
    length: usize,
    key: u64,
}

fn hash(path: &[u8], kind: u8, id: ObjectId) -> u64 {
    let mut hasher = xxhash_rust::xxh3::Xxh3Default::new();
    hasher.update(id.as_slice());
    hasher.update(&[kind]);
    hasher.update(path);
    hasher.digest()
}
