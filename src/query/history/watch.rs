//! What stands at some paths in many commits. Each tree is read once, and of it only what lies on the way is kept.

use super::ancestry::{Ancestry, Entry};
use crate::git::{Error, RepoPath, tree};
use crate::id::{CommitId, TreeId};
use gix::ObjectId;
use gix::bstr::BString;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Trees that are remembered.
const MAX_TREES: usize = 1 << 16;

/// What stands at a path: a file or a directory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    /// Whether it is a directory.
    pub is_folder: bool,
    /// Its blob or its tree.
    pub id: Entry,
}

/// Paths that are watched.
pub struct Watch {
    paths: Vec<Vec<BString>>,
    parts: FxHashSet<BString>,
    trees: FxHashMap<ObjectId, Arc<[(BString, Standing)]>>,
}

impl Watch {
    /// Watches some paths.
    pub fn new<'p>(paths: impl Iterator<Item = &'p RepoPath>) -> Self {
        let parts = |path: &RepoPath| path.components().map(ToOwned::to_owned).collect();
        let paths: Vec<Vec<BString>> = paths.map(parts).collect();
        Self {
            parts: paths.iter().flatten().cloned().collect(),
            paths,
            trees: FxHashMap::default(),
        }
    }

    /// What a commit has at each of them. Fails when its trees cannot be read.
    pub fn at(
        &mut self,
        ancestry: &mut Ancestry,
        commit: CommitId,
    ) -> Result<Vec<Option<Standing>>, Error> {
        let root = ancestry.root(commit)?.as_object();
        let mut all = Vec::with_capacity(self.paths.len());
        for at in 0..self.paths.len() {
            let mut here = Some(Standing {
                is_folder: true,
                id: root,
            });
            for depth in 0..self.paths[at].len() {
                let Some(tree) = here.filter(|here| here.is_folder) else {
                    here = None;
                    break;
                };
                let entries = self.entries(ancestry, tree.id)?;
                let part = &self.paths[at][depth];
                let found = entries.iter().find(|(name, _)| name == part);
                here = found.map(|(_, standing)| *standing);
            }
            all.push(here);
        }
        Ok(all)
    }

    fn entries(
        &mut self,
        ancestry: &mut Ancestry,
        tree: ObjectId,
    ) -> Result<Arc<[(BString, Standing)]>, Error> {
        if let Some(known) = self.trees.get(&tree) {
            return Ok(known.clone());
        }
        let mut found: Vec<(BString, Standing)> = Vec::new();
        let objects = ancestry.objects();
        tree::for_each_entry(objects, TreeId::new(tree), |name, mode, id| {
            let name: &gix::bstr::BStr = name.into();
            if self.parts.contains(name) {
                let is_folder = mode.is_none();
                found.push((name.to_owned(), Standing { is_folder, id }));
            }
        })?;
        if self.trees.len() >= MAX_TREES {
            self.trees.clear();
        }
        let found: Arc<[_]> = found.into();
        self.trees.insert(tree, found.clone());
        Ok(found)
    }
}
