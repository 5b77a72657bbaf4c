//! A tree that differs from another one in a few files, made by writing the trees on the way alone.

use super::error::Error;
use super::objects::Objects;
use super::tree::{EntryMode, Raw, Walk, mode};
use super::write::{NewEntry, PackWriter};
use crate::id::{BlobId, TreeId};
use gix::bstr::{BString, ByteSlice};
use std::collections::BTreeMap;

/// Most entries that the trees on the way may have together.
const MAX_ENTRIES: usize = 1 << 20;

/// Most folders that an edited file may lie in. Those of a log lie in two.
const MAX_FOLDERS: usize = 64;

/// Files to put in place, and to take away (`None`), by path.
pub type Edits = BTreeMap<BString, Option<BlobId>>;

/// Adds the trees of `root` with edits made to a pack, and returns the new root; `None` when no file
/// is left. A program that is edited stays one; in the place of anything else comes a plain file.
///
/// # Errors
/// [`Error::MissingObject`] and [`Error::CorruptObject`] for a tree on the way,
/// [`Error::InvalidPath`] for a path that git would refuse, or one that lies in more than 64 folders.
pub fn apply(
    objects: &mut Objects,
    pack: &mut PackWriter,
    root: Option<TreeId>,
    edits: &Edits,
) -> Result<Option<TreeId>, Error> {
    let edits: Vec<(&[u8], Option<BlobId>)> = edits
        .iter()
        .map(|(path, blob)| (path.as_slice(), *blob))
        .collect();
    descend(objects, pack, root, &edits, 0)
}

/// Works on one tree, so many folders deep; the paths of `edits` begin there.
fn descend(
    objects: &mut Objects,
    pack: &mut PackWriter,
    tree: Option<TreeId>,
    edits: &[(&[u8], Option<BlobId>)],
    depth: usize,
) -> Result<Option<TreeId>, Error> {
    let mut entries: BTreeMap<BString, NewEntry> = BTreeMap::new();
    if let Some(tree) = tree {
        let raw = Walk::new(objects, tree, MAX_ENTRIES).entries(tree.as_object())?;
        for Raw { name, kind, id } in raw {
            let entry = match mode(kind) {
                None => NewEntry::Tree(TreeId::new(id)),
                Some(EntryMode::File) => NewEntry::Blob(BlobId::new(id)),
                Some(mode) => NewEntry::Other(mode, BlobId::new(id)),
            };
            entries.insert(name, entry);
        }
    }
    let mut rest = edits;
    while let Some((path, blob)) = rest.first() {
        let Some(slash) = path.find_byte(b'/') else {
            let was_program = matches!(
                entries.get(path.as_bstr()),
                Some(NewEntry::Other(EntryMode::Executable, _))
            );
            let entry = blob.map(|blob| match was_program {
                true => NewEntry::Other(EntryMode::Executable, blob),
                false => NewEntry::Blob(blob),
            });
            match entry {
                Some(entry) => drop(entries.insert((*path).into(), entry)),
                None => drop(entries.remove(path.as_bstr())),
            }
            rest = &rest[1..];
            continue;
        };
        if depth >= MAX_FOLDERS {
            return Err(Error::InvalidPath {
                path: path.to_str_lossy().into_owned(),
                reason: "it lies in too many folders",
            });
        }
        let folder = &path[..=slash];
        // Paths are ordered by bytes, so all that begin alike are neighbours.
        let same = rest.partition_point(|(path, _)| path.starts_with(folder));
        let inner: Vec<_> = rest[..same]
            .iter()
            .map(|(path, blob)| (&path[slash + 1..], *blob))
            .collect();
        let name: BString = path[..slash].into();
        let before = match entries.get(&name) {
            Some(NewEntry::Tree(tree)) => Some(*tree),
            _ => None,
        };
        match descend(objects, pack, before, &inner, depth + 1)? {
            Some(after) => drop(entries.insert(name, NewEntry::Tree(after))),
            // A file that takes the place of the folder is there already.
            None if before.is_some() => drop(entries.remove(&name)),
            None => {}
        }
        rest = &rest[same..];
    }
    match entries.is_empty() {
        true => Ok(None),
        false => pack.tree(entries.into_iter().collect()).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::super::repo::Repo;
    use super::super::tree::list;
    use super::*;
    use std::process::Command;

    #[test]
    fn files_are_put_so_many_folders_deep() {
        let dir = tempfile::tempdir().unwrap();
        let made = Command::new("git").arg("init").arg(dir.path()).output();
        assert!(made.unwrap().status.success());
        let repo = Repo::discover(dir.path()).unwrap();
        let mut pack = PackWriter::new(repo.hash());
        let blob = pack.blob(b"x".to_vec()).unwrap();
        let mut put = |folders: usize| {
            let path = BString::from("d/".repeat(folders) + "f");
            let edits = Edits::from([(path, Some(blob))]);
            apply(&mut repo.objects(), &mut pack, None, &edits)
        };
        let err = put(MAX_FOLDERS + 1).unwrap_err();
        assert!(matches!(err, Error::InvalidPath { .. }), "{err}");
        let deepest = put(MAX_FOLDERS).unwrap().unwrap();
        drop(pack.write(&repo).unwrap());
        assert_eq!(list(&mut repo.objects(), deepest).unwrap().len(), 1);
    }
}
