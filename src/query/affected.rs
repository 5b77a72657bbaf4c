//! The files that a change touches and those that depend on them: what a question may be limited to
//! ([`Scope::changed`](super::request::Scope::changed)).
//!
//! Only the two lists of files are compared and the new state's graph asked; the old state is neither read nor
//! resolved.

use crate::git::RepoPath;
use crate::git::tree::TreeEntry;
use crate::graph::edges::Graph;
use crate::view::live::{FileId, View};
use roaring::RoaringBitmap;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// How far a question that is limited to a change reaches.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Extent {
    /// Abbreviated commit that the change is told from; `None` for nothing at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// How that commit was chosen.
    pub chosen: String,
    /// Files of the new state that differ from the old one, or are new.
    pub changed: usize,
    /// Other files that depend on one of these directly, by import or by use.
    pub dependents: usize,
}

/// The files of a change and those that depend on them, in the new state.
pub struct Affected {
    paths: FxHashSet<RepoPath>,
    /// How far it reaches.
    pub extent: Extent,
}

impl Affected {
    /// Finds the files of a view that differ from those of an old tree, and what depends on them. `extent` says
    /// where the old tree comes from.
    pub fn of(view: &View, graph: &Graph, old: &[TreeEntry], extent: Extent) -> Self {
        let before: FxHashMap<&RepoPath, &TreeEntry> =
            old.iter().map(|entry| (&entry.path, entry)).collect();
        let is_new = |file: &FileId| {
            let file = view.file(*file);
            let before = before.get(&file.path);
            before.is_none_or(|before| (before.id, before.mode) != (file.blob, file.mode))
        };
        let all = (0..view.files().len() as u32).map(FileId);
        let changed: FxHashSet<FileId> = all.filter(is_new).collect();
        let dependents: FxHashSet<FileId> = changed
            .iter()
            .flat_map(|file| graph.dependents(*file))
            .filter(|file| !changed.contains(file))
            .collect();
        let files = changed.iter().chain(&dependents);
        Self {
            paths: files.map(|file| view.file(*file).path.clone()).collect(),
            extent: Extent {
                changed: changed.len(),
                dependents: dependents.len(),
                ..extent
            },
        }
    }

    /// Those of them that a view has.
    pub fn files(&self, view: &View) -> RoaringBitmap {
        let here = self
            .paths
            .iter()
            .filter_map(|path| view.file_at(path.as_bytes()));
        here.map(|file| file.0).collect()
    }

    /// Whether a file is among them.
    pub fn has(&self, path: &RepoPath) -> bool {
        self.paths.contains(path)
    }
}
