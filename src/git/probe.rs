//! Asking a remote whether it takes our refs, by pushing one, moving it and deleting it again.
//!
//! The commits that travel are made in a folder of their own, so the repository's object store does
//! not grow.

use super::error::Error;
use super::program;
use super::refusal::Refusal;
use super::transport::Connection;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

/// One step of the probe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was asked of the remote.
    pub what: &'static str,
    /// `None` when it did so; else why not.
    pub refused: Option<Refusal>,
}

/// Pushes a ref below our prefix, moves it to an unrelated commit under a lease, and deletes it.
/// Steps after the first that is refused are left out, but what was made is deleted in any case. Fails
/// with [`Error::GitNotFound`], or what git said of making the commits.
pub fn probe(connection: &Connection) -> Result<Vec<Step>, Error> {
    let folder = tempfile::tempdir().map_err(Error::io("a temporary folder"))?;
    let nanos = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |now| now.as_nanos());
    let mark = format!("{nanos:x}-{:x}", std::process::id());
    let first = commit(connection, folder.path(), &format!("probe {mark} 1"))?;
    let second = commit(connection, folder.path(), &format!("probe {mark} 2"))?;
    let name = connection.repo.ref_names().probe(&mark);
    let push = |lease: &str, from: &str| {
        let mut command = git(connection, folder.path());
        command
            .args(["push", "--porcelain", "--no-verify", "--no-follow-tags"])
            .args(["--recurse-submodules=no", "--no-signed", "--no-thin"])
            .arg(format!("--force-with-lease={name}:{lease}"))
            .args(["--end-of-options", connection.remote.address.as_str()])
            .arg(format!("{from}:{name}"));
        let out = program::run(command)?;
        Ok::<_, Error>((!out.status.success()).then(|| Refusal::of(&out)))
    };
    let mut steps = Vec::new();
    let mut step = |what, refused: Option<Refusal>| {
        let is_done = refused.is_none();
        steps.push(Step { what, refused });
        is_done
    };
    if step("create a ref", push("", &first)?) {
        let tip = match step("move it under a lease", push(&first, &second)?) {
            true => &second,
            false => &first,
        };
        step("delete it", push(tip, "")?);
    }
    Ok(steps)
}

/// Prepares git so that new objects go into `folder`, with those of the repository in reach.
fn git(connection: &Connection, folder: &Path) -> Command {
    let objects = connection.repo.common_dir().join("objects");
    let mut command = connection.git(&[]);
    command.env("GIT_OBJECT_DIRECTORY", folder).env(
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        quoted(objects.as_os_str()),
    );
    command
}

/// Quotes a path for a list of paths, in which the separator may be part of a name.
fn quoted(path: &OsStr) -> OsString {
    match path.to_str() {
        Some(text) => {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{text}\"").into()
        }
        None => path.to_owned(),
    }
}

/// Makes a commit without parents or content.
fn commit(connection: &Connection, folder: &Path, message: &str) -> Result<String, Error> {
    let mut tree = git(connection, folder);
    tree.args(["hash-object", "-t", "tree", "-w", "--stdin"]);
    let tree = answer(tree, "hash-object")?;
    let mut commit = git(connection, folder);
    for who in ["AUTHOR", "COMMITTER"] {
        commit
            .env(format!("GIT_{who}_NAME"), "sverklo")
            .env(format!("GIT_{who}_EMAIL"), "sverklo@localhost")
            .env(format!("GIT_{who}_DATE"), "@0 +0000");
    }
    commit.args(["commit-tree", "--no-gpg-sign", "-m", message, &tree]);
    answer(commit, "commit-tree")
}

fn answer(command: Command, name: &str) -> Result<String, Error> {
    let out = program::run(command)?;
    if !out.status.success() {
        return Err(out.into_error(name));
    }
    Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_a_separator_are_quoted() {
        assert_eq!(quoted(OsStr::new("/a:b/\"c\"")), "\"/a:b/\\\"c\\\"\"");
    }
}
