//! Folders and paths of a tree, looked up by hash, and files looked up by the end of their path.
//!
//! Specifiers are turned into paths by trial, a dozen candidates each, so a candidate costs one
//! hash and nothing is allocated for it.

use super::tree::{Document, Tree};
use crate::id::FileId;
use crate::record::Grammar;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

/// Position of a folder in [`Paths`]; 0 is the top.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct FolderId(pub(crate) u32);

/// The top of the tree.
pub(crate) const TOP: FolderId = FolderId(0);

#[derive(Debug)]
struct Folder {
    parent: FolderId,
    /// A file below it, and how many bytes of that file's path are the folder's.
    below: FileId,
    len: u32,
    /// Its own files, as a range of `Paths::listed`.
    files: (u32, u32),
}

/// Every regular file of a tree and every folder that holds one, at any depth. Symbolic links and
/// submodules are not there.
pub struct Paths {
    files: FxHashMap<u64, FileId>,
    folders: FxHashMap<u64, FolderId>,
    rows: Vec<Folder>,
    /// Folder of each file.
    of_file: Vec<FolderId>,
    /// Files by folder, in path order within one.
    listed: Vec<FileId>,
    /// Files by the hash of their name, in path order within one.
    by_name: Vec<(u64, FileId)>,
}

/// A tree with its paths. What resolution looks things up in.
#[derive(Clone, Copy)]
pub struct Layout<'a> {
    pub(crate) tree: &'a dyn Tree,
    pub(crate) paths: &'a Paths,
}

impl<'a> Layout<'a> {
    /// The regular file at a path.
    pub(crate) fn file(self, path: &[u8]) -> Option<FileId> {
        self.paths.file(self.tree, path)
    }

    /// The folder at a path; the empty path is the top.
    pub(crate) fn folder(self, path: &[u8]) -> Option<FolderId> {
        self.paths.folder(self.tree, path)
    }

    /// Path of a folder, without a slash at its end.
    pub(crate) fn path(self, folder: FolderId) -> &'a [u8] {
        self.paths.path(self.tree, folder)
    }

    /// Path of a file.
    pub(crate) fn path_of(self, file: FileId) -> &'a [u8] {
        self.tree.path(file)
    }

    /// Every file, in path order.
    pub(crate) fn files(self) -> impl Iterator<Item = FileId> {
        (0..self.tree.count() as u32).map(FileId)
    }

    /// The files of a family of languages with what was recorded of them, in path order.
    pub(crate) fn documents(
        self,
        family: Grammar,
    ) -> impl Iterator<Item = (FileId, Box<dyn Document + 'a>)> {
        let of_family = self
            .files()
            .filter(move |file| self.tree.family(*file) == Some(family));
        of_family.filter_map(move |file| Some((file, self.tree.document(file)?)))
    }

    /// Name of a file.
    pub(crate) fn name_of(self, file: FileId) -> &'a [u8] {
        file_name(self.path_of(file))
    }

    /// The folder that a file lies in.
    pub(crate) fn home(self, file: FileId) -> FolderId {
        self.paths.folder_of(file)
    }

    /// Path of the folder that a file lies in.
    pub(crate) fn home_path(self, file: FileId) -> &'a [u8] {
        parent(self.path_of(file))
    }

    /// The file that `relative` leads to from a folder.
    pub(crate) fn file_from(self, folder: &[u8], relative: &[u8]) -> Option<FileId> {
        self.file(&join(folder, relative)?)
    }

    /// Regular files of a name, in path order.
    pub(crate) fn named(self, name: &[u8]) -> impl Iterator<Item = FileId> + 'a {
        let hash = xxh3_64(name);
        let by_name = &self.paths.by_name;
        let start = by_name.partition_point(|(other, _)| *other < hash);
        let same = by_name[start..].iter();
        same.take_while(move |(other, _)| *other == hash)
            .map(|(_, file)| *file)
    }

    /// The only other file that is called like one beside `from`; `None` when there is none beside it.
    pub(crate) fn only_elsewhere(self, from: FileId, name: &[u8]) -> Option<FileId> {
        let beside = self.file_from(self.home_path(from), name)?;
        let mut others = self.named(file_name(name)).filter(|file| {
            let front = self.path_of(*file).strip_suffix(name);
            *file != beside && front.is_some_and(|front| front.ends_with(b"/"))
        });
        others.next().filter(|_| others.next().is_none())
    }

    /// The file whose path ends in `suffix`, whole components of it. Of several, the one that
    /// shares most folders with `from`; `None` when that does not decide.
    pub(crate) fn closest(self, from: FileId, suffix: &[u8]) -> Option<FileId> {
        let home = self.home_path(from);
        let mut best: Option<(usize, FileId)> = None;
        let mut tied = false;
        for file in self.named(file_name(suffix)) {
            let path = self.path_of(file);
            let Some(front) = path.strip_suffix(suffix) else {
                continue;
            };
            if !front.is_empty() && !front.ends_with(b"/") {
                continue;
            }
            let shared = shared_folders(home, path);
            match best {
                Some((most, _)) if shared < most => {}
                Some((most, _)) if shared == most => tied = true,
                _ => (best, tied) = (Some((shared, file)), false),
            }
        }
        best.filter(|_| !tied).map(|(_, file)| file)
    }
}

impl Paths {
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let count = tree.count();
        let mut paths = Self {
            files: FxHashMap::with_capacity_and_hasher(count, Default::default()),
            folders: FxHashMap::default(),
            rows: vec![Folder {
                parent: TOP,
                below: FileId(0),
                len: 0,
                files: (0, 0),
            }],
            of_file: Vec::with_capacity(count),
            listed: Vec::with_capacity(count),
            by_name: Vec::with_capacity(count),
        };
        paths.folders.insert(xxh3_64(b""), TOP);
        for id in (0..count as u32).map(FileId) {
            let path = tree.path(id);
            let folder = paths.add_folder(parent(path), id);
            paths.of_file.push(folder);
            if tree.is_regular(id) {
                // Of two paths with one hash the first is found, the other by search.
                paths.files.entry(xxh3_64(path)).or_insert(id);
                paths.listed.push(id);
                paths.by_name.push((xxh3_64(file_name(path)), id));
            }
        }
        paths.by_name.sort_unstable();
        let of_file = &paths.of_file;
        paths.listed.sort_by_key(|id| of_file[id.0 as usize]);
        let mut at = 0;
        for (row, folder) in paths.rows.iter_mut().zip(0u32..) {
            let of_row = |id: &FileId| of_file[id.0 as usize].0 == folder;
            let rest = paths.listed.get(at as usize..).unwrap_or_default();
            let end = at + rest.iter().take_while(|id| of_row(id)).count() as u32;
            row.files = (at, end);
            at = end;
        }
        paths
    }

    fn add_folder(&mut self, path: &[u8], below: FileId) -> FolderId {
        // From the inside out until one is known, then back.
        let mut missing = Vec::new();
        let mut rest = path;
        let mut known = loop {
            let hash = xxh3_64(rest);
            if let Some(id) = self.folders.get(&hash) {
                break *id;
            }
            missing.push((rest.len(), hash));
            rest = parent(rest);
        };
        while let Some((len, hash)) = missing.pop() {
            let id = FolderId(self.rows.len() as u32);
            self.rows.push(Folder {
                parent: known,
                below,
                len: len as u32,
                files: (0, 0),
            });
            self.folders.insert(hash, id);
            known = id;
        }
        known
    }

    /// The regular file at a path.
    pub(crate) fn file(&self, tree: &dyn Tree, path: &[u8]) -> Option<FileId> {
        let id = *self.files.get(&xxh3_64(path))?;
        if tree.path(id) == path {
            return Some(id);
        }
        tree.at(path)
    }

    /// The folder at a path; the empty path is the top.
    pub(crate) fn folder(&self, tree: &dyn Tree, path: &[u8]) -> Option<FolderId> {
        let id = *self.folders.get(&xxh3_64(path))?;
        (self.path(tree, id) == path).then_some(id)
    }

    /// Path of a folder, without a slash at its end.
    pub(crate) fn path<'v>(&self, tree: &'v dyn Tree, id: FolderId) -> &'v [u8] {
        let row = &self.rows[id.0 as usize];
        if row.len == 0 {
            return b"";
        }
        &tree.path(row.below)[..row.len as usize]
    }

    /// The folder that a file lies in.
    pub(crate) fn folder_of(&self, file: FileId) -> FolderId {
        self.of_file[file.0 as usize]
    }

    /// The folder around a folder; `None` for the top.
    pub(crate) fn above(&self, id: FolderId) -> Option<FolderId> {
        (id != TOP).then(|| self.rows[id.0 as usize].parent)
    }

    /// The folder, the one around it, and so on to the top.
    pub(crate) fn upward(&self, id: FolderId) -> impl Iterator<Item = FolderId> + '_ {
        std::iter::successors(Some(id), |id| self.above(*id))
    }

    /// The files of a folder itself, in path order.
    pub(crate) fn files_in(&self, id: FolderId) -> &[FileId] {
        let (start, end) = self.rows[id.0 as usize].files;
        &self.listed[start as usize..end as usize]
    }
}

/// The path without its last component; empty at the top.
pub(crate) fn parent(path: &[u8]) -> &[u8] {
    memchr::memrchr(b'/', path).map_or(b"", |at| &path[..at])
}

/// The last component of a path.
pub(crate) fn file_name(path: &[u8]) -> &[u8] {
    memchr::memrchr(b'/', path).map_or(path, |at| &path[at + 1..])
}

/// The last component up to its last dot.
pub(crate) fn stem(path: &[u8]) -> &[u8] {
    let name = file_name(path);
    match memchr::memrchr(b'.', name) {
        None | Some(0) => name,
        Some(at) => &name[..at],
    }
}

/// How many folders two paths have in common from the top; the last component counts as a folder
/// when it is followed by a slash or nothing in both.
pub(crate) fn shared_folders(a: &[u8], b: &[u8]) -> usize {
    let parts = a.split(|c| *c == b'/').zip(b.split(|c| *c == b'/'));
    parts.take_while(|(a, b)| a == b).count()
}

/// Walks `relative` from `folder`; `None` when that leads out of the tree. `.`, `..` and empty
/// components are taken out.
pub(crate) fn join(folder: &[u8], relative: &[u8]) -> Option<Vec<u8>> {
    let mut path = Vec::with_capacity(folder.len() + relative.len() + 1);
    path.extend_from_slice(folder);
    for part in relative.split(|b| *b == b'/') {
        match part {
            b"" | b"." => {}
            b".." if path.is_empty() => return None,
            b".." => path.truncate(parent(&path).len()),
            part => {
                if !path.is_empty() {
                    path.push(b'/');
                }
                path.extend_from_slice(part);
            }
        }
    }
    Some(path)
}

/// What of `path` lies below `folder`; `None` when it does not.
pub(crate) fn below<'a>(path: &'a [u8], folder: &[u8]) -> Option<&'a [u8]> {
    match path.strip_prefix(folder)? {
        rest if folder.is_empty() || rest.is_empty() => Some(rest),
        rest => rest.strip_prefix(b"/"),
    }
}

#[cfg(test)]
mod tests;
