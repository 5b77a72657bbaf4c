//! Whether the object store has all that the history of the log names.
//!
//! A question reads the last tree alone, and events that are kept besides not even there. git goes through
//! every commit, and refuses to collect garbage or to push when one object is gone.

use super::{Error, spare};
use crate::git::history::Headers;
use crate::git::{Objects, Repo, refs, tree};
use crate::id::{CommitId, TreeId};
use gix::ObjectId;
use rustc_hash::FxHashSet;

/// Returns the objects that are gone, each once; what lies behind them is not known. What a shallow clone
/// was never given is not looked for. Fails when the ref cannot be read.
pub fn lost(repo: &Repo) -> Result<Vec<ObjectId>, Error> {
    let Some(tip) = refs::read(repo, &repo.ref_names().memory())? else {
        return Ok(Vec::new());
    };
    let mut headers = Headers::new(repo)?;
    let mut objects = repo.objects();
    let mut lost = Vec::new();
    let mut seen: FxHashSet<CommitId> = FxHashSet::default();
    let mut open = vec![CommitId::new(tip)];
    while let Some(commit) = open.pop() {
        if !seen.insert(commit) {
            continue;
        }
        let (Ok((_, parents)), Ok(root)) = (headers.read(commit), repo.commit_tree(commit)) else {
            lost.push(commit.as_object());
            continue;
        };
        // Each commit is compared with one parent, so an object is looked for where it first came.
        let before = parents.first().and_then(|p| repo.commit_tree(*p).ok());
        lost.extend(lost_of_tree(&mut objects, before, root));
        open.extend(parents);
    }
    lost.sort_unstable();
    lost.dedup();
    Ok(lost)
}

fn lost_of_tree(objects: &mut Objects, before: Option<TreeId>, root: TreeId) -> Vec<ObjectId> {
    let changed = before.and_then(|before| tree::diff(objects, before, root).ok());
    let ids: Vec<ObjectId> = match changed {
        Some(changes) => {
            let new = changes.into_iter().filter_map(|change| change.new);
            new.map(|(_, id)| id.as_object()).collect()
        }
        None => match tree::list(objects, root) {
            Ok(all) => all.into_iter().map(|entry| entry.id.as_object()).collect(),
            Err(_) => return vec![root.as_object()],
        },
    };
    let is_gone = |id: &ObjectId| !objects.contains(*id);
    ids.into_iter().filter(is_gone).collect()
}

/// Writes again what is kept of the log and gone from the object store; returns how many objects that
/// are. Fails as writing does.
pub fn restore(repo: &Repo) -> Result<usize, Error> {
    Ok(spare::restore(repo)?.0)
}
