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
use gix::bstr::BString;
use gix::objs::tree::EntryKind;
use gix::objs::{Kind, TreeRefIter};

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
    let mut walk = Walk::new(objects, root, limit);
    let mut out = Vec::new();
    walk.list(root.as_object(), 0, &mut |entry| out.push(entry))?;
    // Git writes trees in this order; a hostile one may repeat or swap names.
    if !out.is_sorted_by(|a, b| a.path < b.path) {
        out.sort_by(|a, b| a.path.cmp(&b.path));
        out.dedup_by(|b, a| a.path == b.path);
    }
    Ok(out)
}

/// What stands at a path of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// A file, a link or a commit of another repository.
    Leaf(EntryMode, BlobId),
    /// A directory.
    Tree(TreeId),
}

/// Returns what stands at a path, reading only the trees on the way; `None` for nothing.
///
/// # Errors
/// As [`list`].
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

/// Calls `f` with the name of each entry of one tree, whether it is a tree itself, and its id.
///
/// # Errors
/// As [`list`]; what came before has been told then.
pub fn for_each_entry(
    objects: &mut Objects,
    tree: TreeId,
    mut f: impl FnMut(&[u8], bool, ObjectId),
) -> Result<(), Error> {
    entries(objects, tree, |name, kind, id| {
        f(name, mode(kind).is_none(), id);
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

/// Compares two trees, ordered by the bytes of the path. Equal subtrees are not read.
///
/// # Errors
/// As [`list`].
pub fn diff(objects: &mut Objects, old: TreeId, new: TreeId) -> Result<Vec<Change>, Error> {
    let mut walk = Walk::new(objects, new, MAX_TREE_ENTRIES);
    let mut out = Vec::new();
    walk.diff(Some(old.as_object()), Some(new.as_object()), 0, &mut out)?;
    out.sort_by(|a, b| a.path.cmp(&b.path));
    out.dedup_by(|b, a| a.path == b.path);
    Ok(out)
}

/// One entry of one tree object.
pub(super) struct Raw {
    pub(super) name: BString,
    pub(super) kind: EntryKind,
    pub(super) id: ObjectId,
}

/// A walk through one root tree; it keeps to the limits.
pub(super) struct Walk<'a> {
    objects: &'a mut Objects,
    root: ObjectId,
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
            path: BString::default(),
            left: limit,
            limit,
        }
    }

    /// Reads the entries of one tree that git would accept; ordered as they are in the object.
    pub(super) fn entries(&mut self, tree: ObjectId) -> Result<Vec<Raw>, Error> {
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

    fn list(
        &mut self,
        tree: ObjectId,
        depth: usize,
        emit: &mut dyn FnMut(TreeEntry),
    ) -> Result<(), Error> {
        if depth > MAX_TREE_DEPTH {
            return Err(self.too_large("nesting", MAX_TREE_DEPTH));
        }
        for raw in self.entries(tree)? {
            let length = self.enter(&raw.name);
            match mode(raw.kind) {
                None => self.list(raw.id, depth + 1, emit)?,
                Some(mode) => {
                    if let Some(path) = self.here() {
                        emit(TreeEntry {
                            path,
                            mode,
                            id: BlobId::new(raw.id),
                        });
                    }
                }
            }
            self.path.truncate(length);
        }
        Ok(())
    }

    fn diff(
        &mut self,
        old: Option<ObjectId>,
        new: Option<ObjectId>,
        depth: usize,
        out: &mut Vec<Change>,
    ) -> Result<(), Error> {
        if old == new {
            return Ok(());
        }
        if depth > MAX_TREE_DEPTH {
            return Err(self.too_large("nesting", MAX_TREE_DEPTH));
        }
        let mut sides = [Vec::new(), Vec::new()];
        for (side, tree) in sides.iter_mut().zip([old, new]) {
            if let Some(tree) = tree {
                *side = self.entries(tree)?;
                // Plain name order: a directory and a file of one name must meet.
                side.sort_by(|a, b| a.name.cmp(&b.name));
                side.dedup_by(|b, a| a.name == b.name);
            }
        }
        let [old, new] = sides;
        let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
        loop {
            let (left, right) = match (old.peek(), new.peek()) {
                (None, None) => return Ok(()),
                (Some(_), None) => (old.next(), None),
                (None, Some(_)) => (None, new.next()),
                (Some(a), Some(b)) => match a.name.cmp(&b.name) {
                    std::cmp::Ordering::Less => (old.next(), None),
                    std::cmp::Ordering::Greater => (None, new.next()),
                    std::cmp::Ordering::Equal => (old.next(), new.next()),
                },
            };
            self.diff_entry(left.as_ref(), right.as_ref(), depth, out)?;
        }
    }

    /// Compares what stands under one name; at least one side is there.
    fn diff_entry(
        &mut self,
        old: Option<&Raw>,
        new: Option<&Raw>,
        depth: usize,
        out: &mut Vec<Change>,
    ) -> Result<(), Error> {
        let Some(either) = old.or(new) else {
            return Ok(());
        };
        let length = self.enter(&either.name);
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
        self.diff(tree(old), tree(new), depth + 1, out)?;
        self.path.truncate(length);
        Ok(())
    }

    /// Appends a component to the path and returns the length to cut it back to.
    pub(super) fn enter(&mut self, name: &[u8]) -> usize {
        let length = self.path.len();
        if length > 0 {
            self.path.push(b'/');
        }
        self.path.extend_from_slice(name);
        length
    }

    /// Returns the current path unless it is too long to be one.
    pub(super) fn here(&self) -> Option<RepoPath> {
        if self.path.len() > MAX_PATH_BYTES {
            None
        } else {
            RepoPath::new(self.path.clone()).ok()
        }
    }

    pub(super) fn too_large(&self, what: &'static str, limit: usize) -> Error {
        Error::TreeTooLarge {
            id: self.root,
            what,
            limit,
        }
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
    use crate::git::repo::Repo;
    use crate::git::write::{NewEntry, PackWriter};

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
        let err = list(&mut repo.objects(), deep).unwrap_err();
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
        let empty = TreeId::new(ObjectId::empty_tree(repo.hash()));
        assert!(diff(&mut repo.objects(), empty, deep).is_err());
    }
}
