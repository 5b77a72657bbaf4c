//! Listing a tree and comparing two.
//!
//! Trees come from whoever wrote the repository. An entry whose name git would refuse to check
//! out is left out; nesting, path length and the number of entries are bounded.

use super::error::Error;
use super::objects::Objects;
use super::path::RepoPath;
use super::path::check_component;
use super::repo::Repo;
use crate::id::{BlobId, CommitId, TreeId};
use crate::limits::{MAX_PATH_BYTES, MAX_TREE_DEPTH, MAX_TREE_ENTRIES};
use gix::ObjectId;
use gix::bstr::{BStr, BString};
use gix::objs::tree::EntryKind;
use gix::objs::{Kind, TreeRefIter};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Entries that are met, and trees that are read, before all are counted: most repositories have fewer, and nothing is
/// counted for them.
const MET_UNWEIGHED: usize = 1 << 17;
const READ_UNWEIGHED: usize = 1 << 13;

/// What a tree entry that is not a tree is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EntryMode {
    /// A file.
    File,
    /// A file that may be executed.
    Executable,
    /// A symbolic link; its blob holds the target.
    Symlink,
    /// A commit of another repository; there is no such object here.
    Gitlink,
}

impl EntryMode {
    /// Whether the entry's blob holds the content of a file.
    pub fn is_file(self) -> bool {
        matches!(self, Self::File | Self::Executable)
    }
}

/// One file of a tree, at any depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeEntry {
    /// Where it is.
    pub path: RepoPath,
    /// What it is.
    pub mode: EntryMode,
    /// Its blob; for a gitlink, the commit's id in the same form.
    pub id: BlobId,
}

/// A path at which two trees differ; at least one side is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Where.
    pub path: RepoPath,
    /// The entry in the old tree.
    pub old: Option<(EntryMode, BlobId)>,
    /// The entry in the new tree.
    pub new: Option<(EntryMode, BlobId)>,
}

/// Lists every file of a tree, ordered by the bytes of the path.
///
/// # Errors
/// [`Error::MissingObject`] and [`Error::CorruptObject`] for the tree or a subtree,
/// [`Error::TreeTooLarge`] beyond the limits.
pub fn list(objects: &mut Objects, root: TreeId) -> Result<Vec<TreeEntry>, Error> {
    list_within(objects, root, MAX_TREE_ENTRIES)
}

fn list_within(objects: &mut Objects, root: TreeId, limit: usize) -> Result<Vec<TreeEntry>, Error> {
    let walk = Walk::new(objects, root, limit);
    sorted(walk, root, &mut |_| true)
}

/// As [`list`], without what is in the directories that `holds` does not hold. It is asked with their paths.
pub(super) fn list_where(
    objects: &mut Objects,
    root: TreeId,
    holds: &mut dyn FnMut(&BStr) -> bool,
) -> Result<Vec<TreeEntry>, Error> {
    let mut walk = Walk::new(objects, root, MAX_TREE_ENTRIES);
    // To count all would be to read all.
    walk.is_weighed = true;
    sorted(walk, root, holds)
}

fn sorted(
    mut walk: Walk<'_>,
    root: TreeId,
    holds: &mut dyn FnMut(&BStr) -> bool,
) -> Result<Vec<TreeEntry>, Error> {
    let mut out = Vec::new();
    walk.list(root.as_object(), holds, &mut |entry| out.push(entry))?;
    // Git writes trees in this order; a hostile one may repeat or swap names.
    if !out.is_sorted_by(|a, b| a.path < b.path) {
        out.sort_by(|a, b| a.path.cmp(&b.path));
        out.dedup_by(|b, a| a.path == b.path);
    }
    Ok(out)
}

/// Whether a tree has more entries than so many, trees among them; no more of it is read than tells. One that cannot be
/// read has.
pub fn has_more_than(objects: &mut Objects, root: TreeId, most: usize) -> bool {
    let mut walk = Walk::new(objects, root, most);
    walk.is_weighed = true;
    walk.list(root.as_object(), &mut |_| true, &mut |_| {})
        .is_err()
}

/// As [`list`], for the tree of a commit, which an error names.
pub fn list_commit(repo: &Repo, commit: CommitId) -> Result<Vec<TreeEntry>, Error> {
    let root = repo.commit_tree(commit)?;
    list(&mut repo.objects(), root).map_err(|err| err.at_commit(commit))
}

/// What stands at a path of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// A file, a link or a commit of another repository.
    Leaf(EntryMode, BlobId),
    /// A directory.
    Tree(TreeId),
}

/// Returns what stands at a path, reading only the trees on the way; `None` for nothing. Fails as
/// [`list`] does.
pub fn find(objects: &mut Objects, root: TreeId, path: &RepoPath) -> Result<Option<Found>, Error> {
    let mut here = root;
    let mut parts = path.components().peekable();
    while let Some(part) = parts.next() {
        let mut found = None;
        entries(objects, here, |name, kind, id| {
            if name == part && found.is_none() {
                found = Some((kind, id));
            }
        })?;
        let Some((kind, id)) = found else {
            return Ok(None);
        };
        match (mode(kind), parts.peek()) {
            (None, None) => return Ok(Some(Found::Tree(TreeId::new(id)))),
            (None, Some(_)) => here = TreeId::new(id),
            (Some(mode), None) => return Ok(Some(Found::Leaf(mode, BlobId::new(id)))),
            (Some(_), Some(_)) => return Ok(None),
        }
    }
    Ok(None)
}

/// Calls `f` with the name of each entry of one tree, its mode, which a tree has not, and its id. Fails as
/// [`list`] does; what came before has been told then.
pub fn for_each_entry(
    objects: &mut Objects,
    tree: TreeId,
    mut f: impl FnMut(&[u8], Option<EntryMode>, ObjectId),
) -> Result<(), Error> {
    entries(objects, tree, |name, kind, id| {
        f(name, mode(kind), id);
    })
}

fn entries(
    objects: &mut Objects,
    tree: TreeId,
    mut f: impl FnMut(&[u8], EntryKind, ObjectId),
) -> Result<(), Error> {
    // Git knows the empty tree without storing it.
    if tree.as_object() == ObjectId::empty_tree(objects.hash()) {
        return Ok(());
    }
    let mut buf = Vec::new();
    objects.read(tree.as_object(), Kind::Tree, &mut buf)?;
    for entry in TreeRefIter::from_bytes(&buf, objects.hash()) {
        let entry = entry.map_err(|err| Error::corrupt(tree.as_object(), err))?;
        f(entry.filename, entry.mode.kind(), entry.oid.to_owned());
    }
    Ok(())
}

/// Compares two trees, ordered by the bytes of the path. Equal subtrees are not read. Fails as [`list`]
/// does.
pub fn diff(objects: &mut Objects, old: TreeId, new: TreeId) -> Result<Vec<Change>, Error> {
    let all = diff_within(objects, old, new, usize::MAX)?;
    Ok(all.expect("there is no number above the bound"))
}

/// As [`diff`], if there are no more changes than so many; else `None`, without reading on.
pub fn diff_within(
    objects: &mut Objects,
    old: TreeId,
    new: TreeId,
    most: usize,
) -> Result<Option<Vec<Change>>, Error> {
    let mut walk = Walk::new(objects, new, MAX_TREE_ENTRIES);
    walk.other = Some(old.as_object());
    let mut out = Vec::new();
    walk.diff(old.as_object(), new.as_object(), most, &mut out)?;
    if out.len() > most {
        return Ok(None);
    }
    out.sort_by(|a, b| a.path.cmp(&b.path));
    out.dedup_by(|b, a| a.path == b.path);
    Ok(Some(out))
}

/// One entry of one tree object.
pub(super) struct Raw {
    pub(super) name: BString,
    pub(super) kind: EntryKind,
    pub(super) id: ObjectId,
}

/// What is still to be compared of two trees at one path.
struct Pair {
    old: Peekable<IntoIter<Raw>>,
    new: Peekable<IntoIter<Raw>>,
    /// Length of the path.
    length: usize,
}

impl Pair {
    /// Returns what stands under the next name, on one side or on both.
    fn next(&mut self) -> Option<(Option<Raw>, Option<Raw>)> {
        let order = match (self.old.peek(), self.new.peek()) {
            (None, None) => return None,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => a.name.cmp(&b.name),
        };
        Some(match order {
            Ordering::Less => (self.old.next(), None),
            Ordering::Greater => (None, self.new.next()),
            Ordering::Equal => (self.old.next(), self.new.next()),
        })
    }
}

/// A walk through one root tree; it keeps to the limits.
///
/// Trees may name each other again and again, so that a few of them list billions of files. Millions of entries take
/// long to meet; so after some, all are counted, each tree once, and too many are refused at once.
pub(super) struct Walk<'a> {
    objects: &'a mut Objects,
    root: ObjectId,
    /// The tree that it is compared with.
    other: Option<ObjectId>,
    is_weighed: bool,
    /// Trees that were read.
    read: usize,
    pub(super) weights: Weights,
    /// Path of the tree being read, without a final slash.
    pub(super) path: BString,
    /// Entries that may still be met, of `limit` in all.
    left: usize,
    limit: usize,
}

impl<'a> Walk<'a> {
    /// Starts at the root of a tree.
    pub(super) fn new(objects: &'a mut Objects, root: TreeId, limit: usize) -> Self {
        Self {
            objects,
            root: root.as_object(),
            other: None,
            is_weighed: false,
            read: 0,
            weights: Weights::default(),
            path: BString::default(),
            left: limit,
            limit,
        }
    }

    /// Refuses roots that list more than the limit.
    fn weigh(&mut self) -> Result<(), Error> {
        self.is_weighed = true;
        for root in [Some(self.root), self.other].into_iter().flatten() {
            if self.weights.of(self.objects, root) > self.limit as u64 {
                self.root = root;
                return Err(self.too_large("the number of entries", self.limit));
            }
        }
        Ok(())
    }

    /// Reads the entries of one tree that git would accept; ordered as they are in the object.
    pub(super) fn entries(&mut self, tree: ObjectId) -> Result<Vec<Raw>, Error> {
        if self.weights.is_over(tree, self.limit) {
            return Err(self.too_large("the number of entries", self.limit));
        }
        self.read += 1;
        let is_much = self.read > READ_UNWEIGHED || self.limit - self.left > MET_UNWEIGHED;
        if is_much && !self.is_weighed {
            self.weigh()?;
        }
        // Git knows the empty tree without storing it.
        if tree == ObjectId::empty_tree(self.objects.hash()) {
            return Ok(Vec::new());
        }
        let mut buf = Vec::new();
        self.objects.read(tree, Kind::Tree, &mut buf)?;
        let mut out = Vec::with_capacity(buf.len() / 36);
        for entry in TreeRefIter::from_bytes(&buf, self.objects.hash()) {
            let entry = entry.map_err(|err| Error::corrupt(tree, err))?;
            self.left = match self.left.checked_sub(1) {
                Some(left) => left,
                None => return Err(self.too_large("the number of entries", self.limit)),
            };
            if check_component(entry.filename).is_ok() {
                let kind = entry.mode.kind();
                out.push(Raw {
                    name: entry.filename.to_owned(),
                    kind,
                    id: entry.oid.to_owned(),
                });
            }
        }
        Ok(out)
    }

    /// The trees on the way are kept in a list: a thread's stack would not hold as many calls.
    fn list(
        &mut self,
        root: ObjectId,
        holds: &mut dyn FnMut(&BStr) -> bool,
        emit: &mut dyn FnMut(TreeEntry),
    ) -> Result<(), Error> {
        let mut open = vec![(self.entries(root)?.into_iter(), self.path.len())];
        while let Some((rest, length)) = open.last_mut() {
            self.path.truncate(*length);
            let Some(raw) = rest.next() else {
                open.pop();
                continue;
            };
            self.enter(&raw.name);
            let Some(mode) = mode(raw.kind) else {
                self.check_depth(open.len())?;
                if holds(self.path.as_ref()) {
                    open.push((self.entries(raw.id)?.into_iter(), self.path.len()));
                }
                continue;
            };
            if let Some(path) = self.here() {
                emit(TreeEntry {
                    path,
                    mode,
                    id: BlobId::new(raw.id),
                });
            }
        }
        Ok(())
    }

    fn diff(
        &mut self,
        old: ObjectId,
        new: ObjectId,
        most: usize,
        out: &mut Vec<Change>,
    ) -> Result<(), Error> {
        let mut open: Vec<Pair> = Vec::new();
        let mut trees = [Some(old), Some(new)];
        while out.len() <= most {
            if trees[0] != trees[1] {
                self.check_depth(open.len())?;
                open.push(self.pair(trees)?);
            }
            let (left, right) = loop {
                let Some(pair) = open.last_mut() else {
                    return Ok(());
                };
                self.path.truncate(pair.length);
                match pair.next() {
                    Some(found) => break found,
                    None => drop(open.pop()),
                }
            };
            trees = self.diff_entry(left.as_ref(), right.as_ref(), out);
        }
        Ok(())
    }

    /// Reads two trees that stand at the current path.
    fn pair(&mut self, trees: [Option<ObjectId>; 2]) -> Result<Pair, Error> {
        let mut sides = [Vec::new(), Vec::new()];
        for (side, tree) in sides.iter_mut().zip(trees) {
            if let Some(tree) = tree {
                *side = self.entries(tree)?;
                // Plain name order: a directory and a file of one name must meet.
                side.sort_by(|a, b| a.name.cmp(&b.name));
                side.dedup_by(|b, a| a.name == b.name);
            }
        }
        let [old, new] = sides.map(|side| side.into_iter().peekable());
        let length = self.path.len();
        Ok(Pair { old, new, length })
    }

    /// Compares what stands under one name; at least one side is there. Enters it, and returns the
    /// trees that are to be compared next.
    fn diff_entry(
        &mut self,
        old: Option<&Raw>,
        new: Option<&Raw>,
        out: &mut Vec<Change>,
    ) -> [Option<ObjectId>; 2] {
        let Some(either) = old.or(new) else {
            return [None, None];
        };
        self.enter(&either.name);
        let tree = |side: Option<&Raw>| {
            side.filter(|raw| mode(raw.kind).is_none())
                .map(|raw| raw.id)
        };
        let leaf =
            |side: Option<&Raw>| side.and_then(|raw| Some((mode(raw.kind)?, BlobId::new(raw.id))));
        let (old_leaf, new_leaf) = (leaf(old), leaf(new));
        if old_leaf != new_leaf
            && let Some(path) = self.here()
        {
            out.push(Change {
                path,
                old: old_leaf,
                new: new_leaf,
            });
        }
        [tree(old), tree(new)]
    }

    /// Refuses one more tree inside of so many others.
    pub(super) fn check_depth(&self, outer: usize) -> Result<(), Error> {
        match outer > MAX_TREE_DEPTH {
            true => Err(self.too_large("nesting", MAX_TREE_DEPTH)),
            false => Ok(()),
        }
    }

    /// Appends a component to the path.
    pub(super) fn enter(&mut self, name: &[u8]) {
        if !self.path.is_empty() {
            self.path.push(b'/');
        }
        self.path.extend_from_slice(name);
    }

    /// Returns the current path unless it is too long to be one.
    pub(super) fn here(&self) -> Option<RepoPath> {
        if self.path.len() > MAX_PATH_BYTES {
            None
        } else {
            RepoPath::new(self.path.clone()).ok()
        }
    }

    fn too_large(&self, what: &'static str, limit: usize) -> Error {
        Error::TreeTooLarge {
            commit: None,
            id: self.root,
            what,
            limit,
        }
    }
}

/// How many entries trees list in all, subtrees included.
#[derive(Default)]
pub(super) struct Weights(FxHashMap<ObjectId, u64>);

/// A tree whose entries are being counted: its id, what was counted, and the trees in it that are to be.
struct Weighing {
    id: ObjectId,
    count: u64,
    rest: Vec<ObjectId>,
}

impl Weights {
    /// Whether a tree was found to list more than so many.
    fn is_over(&self, tree: ObjectId, limit: usize) -> bool {
        self.0.get(&tree).is_some_and(|count| *count > limit as u64)
    }

    /// Counts the entries of a root tree, reading each tree once. What cannot be read counts for nothing: whoever needs
    /// it is told.
    fn of(&mut self, objects: &mut Objects, root: ObjectId) -> u64 {
        let mut open = vec![Weighing::of(objects, root)];
        while let Some(tree) = open.last_mut() {
            if let Some(id) = tree.rest.pop() {
                match self.0.get(&id) {
                    Some(known) => tree.count = tree.count.saturating_add(*known),
                    // What is deeper is refused by whoever lists it.
                    None if open.len() > MAX_TREE_DEPTH => {}
                    None => open.push(Weighing::of(objects, id)),
                }
                continue;
            }
            let Some(done) = open.pop() else { break };
            self.0.insert(done.id, done.count);
            if let Some(outer) = open.last_mut() {
                outer.count = outer.count.saturating_add(done.count);
            }
        }
        self.0.get(&root).copied().unwrap_or_default()
    }

    /// Forgets all but those that list too much.
    pub(super) fn keep_over(&mut self, limit: usize) {
        self.0.retain(|_, count| *count > limit as u64);
    }
}

impl Weighing {
    fn of(objects: &mut Objects, id: ObjectId) -> Self {
        let (mut count, mut rest) = (0, Vec::new());
        let _ = entries(objects, TreeId::new(id), |name, kind, id| {
            count += 1;
            if mode(kind).is_none() && check_component(name).is_ok() {
                rest.push(id);
            }
        });
        Self { id, count, rest }
    }
}

/// Returns what an entry is; `None` for a tree.
pub(super) fn mode(kind: EntryKind) -> Option<EntryMode> {
    match kind {
        EntryKind::Tree => None,
        EntryKind::Blob => Some(EntryMode::File),
        EntryKind::BlobExecutable => Some(EntryMode::Executable),
        EntryKind::Link => Some(EntryMode::Symlink),
        EntryKind::Commit => Some(EntryMode::Gitlink),
    }
}

/// Whether everything in the tree of a commit is in the object store.
pub fn has_all(repo: &Repo, commit: CommitId) -> bool {
    let mut objects = repo.objects();
    let listed = repo
        .commit_tree(commit)
        .and_then(|root| list(&mut objects, root));
    listed.is_ok_and(|all| {
        all.iter()
            .all(|entry| objects.contains(entry.id.as_object()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::history::TreeWalk;
    use crate::git::repo::Repo;
    use crate::git::write::{NewEntry, PackWriter};
    use std::ops::ControlFlow;

    #[test]
    fn a_small_tree_that_names_billions_of_files_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let init = std::process::Command::new("git")
            .args(["init", "-q"])
            .arg(dir.path())
            .status();
        assert!(init.unwrap().success());
        let repo = Repo::discover(dir.path()).unwrap();
        let mut pack = PackWriter::new(repo.hash());
        let mut entry = NewEntry::Blob(pack.blob(Vec::new()).unwrap());
        let mut tree = None;
        for _ in 0..12 {
            let entries = (0..16)
                .map(|n| (format!("n{n:02}").into(), entry.clone()))
                .collect();
            let id = pack.tree(entries).unwrap();
            (entry, tree) = (NewEntry::Tree(id), Some(id));
        }
        drop(pack.write(&repo).unwrap());
        let err = list_within(&mut repo.objects(), tree.unwrap(), 10_000).unwrap_err();
        assert!(
            matches!(err, Error::TreeTooLarge { limit: 10_000, .. }),
            "{err}"
        );

        let mut pack = PackWriter::new(repo.hash());
        let mut deep = pack.tree(vec![("f".into(), entry)]).unwrap();
        for _ in 0..MAX_TREE_DEPTH + 8 {
            deep = pack.tree(vec![("d".into(), NewEntry::Tree(deep))]).unwrap();
        }
        drop(pack.write(&repo).unwrap());
        let mut objects = repo.objects();
        let empty = TreeId::new(ObjectId::empty_tree(repo.hash()));
        let mut walk = TreeWalk::new(&repo);
        for err in [
            list(&mut objects, deep).unwrap_err(),
            diff(&mut objects, empty, deep).unwrap_err(),
            walk.tree(deep, &mut |_| ControlFlow::Continue(()))
                .unwrap_err(),
        ] {
            assert!(
                matches!(
                    err,
                    Error::TreeTooLarge {
                        what: "nesting",
                        ..
                    }
                ),
                "{err}"
            );
        }
    }
}
