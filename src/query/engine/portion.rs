//! What of a tree is opened for questions about the work tree: all of it or, in a very large repository, what a sparse
//! checkout has of it.
//!
//! Guarantees: of what is left out the folders are named in the view, and count as not covered, so that no answer takes
//! it for nothing. Who names a revision asks about all, and so does who compares two states.

use super::Engine;
use crate::git::sparse::{Cone, Within};
use crate::git::{self, Objects, keys, tree};
use crate::id::TreeId;
use crate::view::files::File;
use std::sync::PoisonError;

/// Entries of a tree up to which all of it is opened, whatever is checked out: what lies beside may use what is asked about.
/// Of 100,053 files a server holds .7 GB after edits, and of a million 13 GB (`benchmark/README.md`).
const MOST_WHOLE: usize = 250_000;

/// What is asked about in a sparse checkout.
#[derive(Clone, Copy, Default)]
pub(super) enum Sparse {
    /// What is checked out, where the tree is very large.
    #[default]
    Auto,
    /// What is checked out.
    Cone,
    /// All of the tree.
    Whole,
}

/// A tree, or the part of it that is opened.
pub(super) struct Portion {
    /// The tree.
    pub(super) tree: TreeId,
    cone: Option<(Cone, TreeId)>,
}

impl Portion {
    /// All of a tree.
    pub(super) fn whole(tree: TreeId) -> Self {
        Self { tree, cone: None }
    }

    /// Names it among other trees and parts of trees.
    pub(super) fn id(&self) -> TreeId {
        self.cone.as_ref().map_or(self.tree, |(_, id)| *id)
    }

    /// Its files in path order, and among them the folders that are left out. Fails as [`tree::list`] does.
    pub(super) fn files(&self, objects: &mut Objects) -> Result<Vec<File>, git::Error> {
        let Some((cone, _)) = &self.cone else {
            let all = tree::list(objects, self.tree)?;
            return Ok(all
                .into_iter()
                .map(|entry| File::new(entry, false))
                .collect());
        };
        let Within { files, outside } = cone.list(objects, self.tree)?;
        let hash = objects.hash();
        let files = files.into_iter().map(|entry| File::new(entry, false));
        let outside = outside.into_iter().map(|path| File::outside(path, hash));
        let mut all: Vec<File> = files.chain(outside).collect();
        all.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(all)
    }
}

impl Engine {
    /// What is opened of the tree of `HEAD` for questions about the work tree.
    pub(super) fn portion(&self, tree: TreeId) -> Portion {
        let cone = self.cone(tree);
        let cone = cone.and_then(|cone| cone.id_of(tree).map(|id| (cone, id)));
        Portion { tree, cone }
    }

    fn cone(&self, tree: TreeId) -> Option<Cone> {
        match self.sparse().unwrap_or_default() {
            Sparse::Whole => None,
            Sparse::Cone => Cone::of(&self.repo),
            Sparse::Auto => Cone::of(&self.repo).filter(|_| self.is_very_large(tree)),
        }
    }

    /// What is said of sparse checkouts. Fails with a sentence about what is neither of its values.
    pub(super) fn sparse(&self) -> Result<Sparse, String> {
        match self.repo.config_str(keys::SPARSE).as_deref() {
            None | Some("auto") => Ok(Sparse::Auto),
            Some("cone") => Ok(Sparse::Cone),
            Some("whole") => Ok(Sparse::Whole),
            Some(other) => Err(format!(
                "{} is {other:?}, not auto, cone or whole",
                keys::SPARSE
            )),
        }
    }

    /// Whether a tree is too large to be opened as a whole. The last answer is kept: counting takes tenths of a second.
    fn is_very_large(&self, tree: TreeId) -> bool {
        let mut known = self.large.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, is_large)) = known.filter(|(other, _)| *other == tree) {
            return is_large;
        }
        let is_large = tree::has_more_than(&mut self.repo.objects(), tree, MOST_WHOLE);
        *known = Some((tree, is_large));
        is_large
    }
}
