//! How far two commits have gone apart, and which commit on the way touched a file last.

use super::error::Error;
use super::path::RepoPath;
use super::repo::Repo;
use super::{revisions, tree};
use crate::id::CommitId;
use rustc_hash::FxHashMap;

/// Most commits whose changes are looked at for who touched what.
const MAX_COMMITS: usize = 500;

/// Commits that one of two has and the other does not, latest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Divergence {
    /// Those of ours alone.
    pub ours: Vec<CommitId>,
    /// Those of theirs alone.
    pub theirs: Vec<CommitId>,
}

/// Compares the histories of two commits. Fails with what git said.
pub fn between(repo: &Repo, ours: CommitId, theirs: CommitId) -> Result<Divergence, Error> {
    let alone = |from: CommitId, to: CommitId| match from == to {
        true => Ok(Vec::new()),
        false => revisions::range(repo, &format!("{from}..{to}"), None),
    };
    Ok(Divergence {
        ours: alone(theirs, ours)?,
        theirs: alone(ours, theirs)?,
    })
}

/// The latest of some commits, latest first, that changed each of these paths, as far as one of the latest 500
/// did. Merges are passed over: what they bring was done before. What cannot be read is, too.
pub fn last_to_touch(
    repo: &Repo,
    commits: &[CommitId],
    paths: &[RepoPath],
) -> FxHashMap<RepoPath, CommitId> {
    let mut found = FxHashMap::default();
    let mut objects = repo.objects();
    for commit in commits.iter().take(MAX_COMMITS) {
        if found.len() == paths.len() {
            break;
        }
        let Ok(parents) = repo.commit_parents(*commit) else {
            continue;
        };
        let [parent] = parents[..] else {
            continue;
        };
        let (Ok(old), Ok(new)) = (repo.commit_tree(parent), repo.commit_tree(*commit)) else {
            continue;
        };
        let changes = tree::diff(&mut objects, old, new).unwrap_or_default();
        for path in paths {
            let place = changes.binary_search_by(|change| change.path.cmp(path));
            if place.is_ok() {
                found.entry(path.clone()).or_insert(*commit);
            }
        }
    }
    found
}
