//! What stood at some paths over many commits, read once for all paths.
//!
//! Neighbouring commits share nearly all their trees, and a tree that was looked through once is not
//! looked at again, so a thousand commits cost little more than what they changed.

use crate::git::{Objects, RepoPath, commit, tree};
use crate::id::{CommitId, TreeId};
use gix::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Bytes of delta bases that are kept: trees of neighbouring commits are deltas of each other.
const MAX_BASES: usize = 32 << 20;

/// See the module.
pub(super) struct Sightings {
    paths: FxHashMap<RepoPath, usize>,
    /// By path: what stood there, with the first of the commits in which it did, in their order.
    seen: Vec<Vec<(usize, ObjectId)>>,
}

/// A part of the wanted paths.
#[derive(Default)]
struct Branch {
    below: FxHashMap<Vec<u8>, usize>,
    /// The path that ends here.
    path: Option<usize>,
}

impl Sightings {
    /// Looks at paths in commits, in this order. What cannot be read is not seen.
    pub fn of<'p>(
        objects: &mut Objects,
        commits: &[CommitId],
        paths: impl Iterator<Item = &'p RepoPath>,
    ) -> Self {
        objects.keep_bases(MAX_BASES);
        let mut out = Self {
            paths: FxHashMap::default(),
            seen: Vec::new(),
        };
        let mut branches = vec![Branch::default()];
        for path in paths {
            if out.paths.contains_key(path) {
                continue;
            }
            let number = out.seen.len();
            out.paths.insert(path.clone(), number);
            out.seen.push(Vec::new());
            let mut at = 0;
            for part in path.components() {
                let next = branches.len();
                let below = *branches[at].below.entry(part.to_vec()).or_insert(next);
                if below == next {
                    branches.push(Branch::default());
                }
                at = below;
            }
            branches[at].path = Some(number);
        }
        let mut known: FxHashSet<(usize, ObjectId)> = FxHashSet::default();
        for (number, commit) in commits.iter().enumerate() {
            let Ok((root, _)) = commit::links(objects, *commit) else {
                continue;
            };
            let mut open = vec![(0, root)];
            while let Some((at, root)) = open.pop() {
                if !known.insert((at, root.as_object())) {
                    continue;
                }
                let branch = &branches[at];
                // What cannot be read ends the look at this tree.
                let _ = tree::for_each_entry(objects, root, |name, mode, id| {
                    let Some(below) = branch.below.get(name) else {
                        return;
                    };
                    if let Some(path) = branches[*below].path
                        && !out.seen[path].iter().any(|(_, object)| *object == id)
                    {
                        out.seen[path].push((number, id));
                    }
                    if mode.is_none() && !branches[*below].below.is_empty() {
                        open.push((*below, TreeId::new(id)));
                    }
                });
            }
        }
        out
    }

    /// What stood at one of the paths, with the number of the first commit in which it did, in their
    /// order.
    pub fn at(&self, path: &RepoPath) -> &[(usize, ObjectId)] {
        self.paths
            .get(path)
            .map_or(&[], |number| &self.seen[*number])
    }
}
