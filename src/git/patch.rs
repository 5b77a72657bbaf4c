//! What a commit changes, as an id that a copy of the commit on another base has too.

use super::error::Error;
use super::repo::Repo;
use super::{program, tree};
use crate::id::CommitId;
use gix::ObjectId;

/// Most paths a commit may change to have a patch id: the whole difference is read for it.
const MAX_CHANGES: usize = 2000;

/// Returns the patch id of a commit, as `git patch-id --stable` has it of the commit's difference to
/// its parent. `None` for a merge, a first commit, a commit that changes nothing or very much, and
/// where an object is missing. Fails when git cannot be run.
pub fn id(repo: &Repo, commit: CommitId) -> Result<Option<ObjectId>, Error> {
    let Ok(parents) = repo.commit_parents(commit) else {
        return Ok(None);
    };
    let [parent] = parents[..] else {
        return Ok(None);
    };
    let (Ok(old), Ok(new)) = (repo.commit_tree(parent), repo.commit_tree(commit)) else {
        return Ok(None);
    };
    let changes = tree::diff(&mut repo.objects(), old, new);
    if !changes.is_ok_and(|all| !all.is_empty() && all.len() <= MAX_CHANGES) {
        return Ok(None);
    }
    let (old, new) = (old.to_string(), new.to_string());
    let args: &[&str] = words!(
        "-c diff.algorithm=myers -c core.attributesFile=/dev/null diff-tree -r -p --no-renames
         --no-ext-diff --no-textconv --full-index --diff-algorithm=myers --unified=3"
    );
    let diff = program::ask(repo, &[args, &[&old, &new]].concat())?;
    if !diff.status.success() {
        return Ok(None);
    }
    let mut command = program::git(repo);
    command.args(["patch-id", "--stable"]);
    let out = program::run_fed(command, |stdin| stdin.write_all(&diff.stdout))?;
    let hex = out.stdout.split(|b| *b == b' ').next().unwrap_or_default();
    Ok(ObjectId::from_hex(hex).ok())
}
