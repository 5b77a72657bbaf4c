//! The other work trees of a repository.

use super::error::Error;
use super::program;
use super::repo::Repo;
use crate::id::CommitId;
use std::path::PathBuf;

/// A work tree that the repository knows of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkedTree {
    /// Its top.
    pub path: PathBuf,
    /// What is checked out; `None` before the first commit.
    pub head: Option<CommitId>,
    /// The branch without `refs/heads/`; `None` when `HEAD` is detached.
    pub branch: Option<String>,
    /// Why there is nothing to read, if so.
    pub state: State,
}

/// Whether a work tree can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// It is there.
    There,
    /// The entry is the bare repository itself.
    Bare,
    /// It is locked, and not there at the moment.
    Away,
    /// Its folder is gone: what git says of it.
    Gone(String),
}

/// Lists all work trees but that of `repo` itself, in git's order. Fails with what git said.
pub fn others(repo: &Repo) -> Result<Vec<LinkedTree>, Error> {
    let out = program::run_args(repo, &["worktree", "list", "--porcelain", "-z"])?;
    if !out.status.success() {
        return Err(out.into_error("worktree list"));
    }
    let mut found = Vec::new();
    for entry in split_entries(&out.stdout) {
        let tree = read(&entry);
        let is_own = |path: &PathBuf| {
            let place = dunce::canonicalize(path).ok();
            place.is_some() && place.as_deref() == repo.work_dir()
        };
        found.extend(tree.filter(|tree| !is_own(&tree.path)));
    }
    Ok(found)
}

/// Opens a work tree. Fails as [`Repo::discover`] does, and with [`Error::Unsupported`] when what is found there is
/// another repository, or the environment names one.
pub fn open(repo: &Repo, tree: &LinkedTree) -> Result<Repo, Error> {
    let opened = Repo::discover(&tree.path)?;
    let place = dunce::canonicalize(&tree.path).map_err(Error::io(&tree.path))?;
    let is_it = opened.common_dir() == repo.common_dir() && opened.work_dir() == Some(&*place);
    match is_it {
        true => Ok(opened),
        false => Err(Error::Unsupported {
            step: "opening a linked work tree",
            reason: "another repository is found there, or named by GIT_DIR".to_owned(),
        }),
    }
}

/// Each entry is some lines, and an empty one.
fn split_entries(stdout: &[u8]) -> Vec<Vec<&[u8]>> {
    let mut entries = vec![Vec::new()];
    for line in stdout.split(|b| *b == 0) {
        match (line.is_empty(), entries.last_mut()) {
            (false, Some(entry)) => entry.push(line),
            _ => entries.push(Vec::new()),
        }
    }
    entries.retain(|entry| !entry.is_empty());
    entries
}

fn read(entry: &[&[u8]]) -> Option<LinkedTree> {
    let after = |word: &str| {
        let mut lines = entry.iter();
        lines.find_map(|line| line.strip_prefix(word.as_bytes()))
    };
    let has = |word: &str| entry.iter().any(|line| line.starts_with(word.as_bytes()));
    let path = gix::path::from_byte_slice(after("worktree ")?)
        .ok()?
        .to_path_buf();
    let branch = after("branch ").map(String::from_utf8_lossy);
    let state = match after("prunable ") {
        _ if has("bare") => State::Bare,
        Some(why) => State::Gone(String::from_utf8_lossy(why).into_owned()),
        // git does not call a locked one prunable.
        None if has("locked") && !path.exists() => State::Away,
        None if !path.exists() => State::Gone("its folder is not there".to_owned()),
        None => State::There,
    };
    Some(LinkedTree {
        state,
        path,
        head: after("HEAD ").and_then(CommitId::from_hex).filter(|id| {
            // What git prints for a branch without a commit.
            id.as_bytes().iter().any(|byte| *byte != 0)
        }),
        branch: branch.map(|name| name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_is_told() {
        let there = std::env::temp_dir();
        let hex = "1".repeat(40);
        let text = format!(
            "worktree /nowhere/a\0bare\0\0worktree {}\0HEAD {hex}\0branch refs/heads/x/y\0locked\0\0\
             worktree /nowhere/b\0HEAD {}\0detached\0locked why\0\0\
             worktree /nowhere/c\0HEAD {hex}\0detached\0prunable gone\0\0",
            there.display(),
            "0".repeat(40),
        );
        let entries = split_entries(text.as_bytes());
        let found: Vec<_> = entries.iter().map(|entry| read(entry).unwrap()).collect();
        let states: Vec<_> = found.iter().map(|tree| tree.state.clone()).collect();
        let gone = State::Gone("gone".to_owned());
        assert_eq!(states, [State::Bare, State::There, State::Away, gone]);
        assert_eq!(found[1].branch.as_deref(), Some("x/y"));
        assert!(found[1].head.is_some() && found[2].head.is_none());
    }
}
