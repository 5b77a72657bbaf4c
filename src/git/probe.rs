//! Asking a remote whether it takes our refs, by pushing one, moving it and deleting it again.
//!
//! The commits that travel are made in a folder of their own, so the repository's object store does
//! not grow. Unlike every other child, these keep the caller's way to the network: ssh and proxy
//! settings, credential helpers and what asks for passwords.

use super::{Error, Repo};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// Variables that say where a repository is or how it is read. The repository is named by
/// `--git-dir` instead.
const LOCATION: [&str; 17] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
    "GIT_EXTERNAL_DIFF",
];

/// Why a remote did not do what was asked of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It hides or reserves the refs below our prefix.
    Hidden,
    /// This user may not.
    Forbidden,
    /// It wants a ref only ever to go forward.
    NonFastForward,
    /// It could not be reached or is no repository.
    Unreachable,
    /// Something else; see what git said.
    Other,
}

impl Refusal {
    /// Judges by what git said. The order matters: a host that lets nobody in is also one from which
    /// nothing can be read.
    pub fn of(said: &str) -> Self {
        const SIGNS: [(Refusal, &[&str]); 4] = [
            (
                Refusal::Hidden,
                &[
                    "hidden ref",
                    "funny refname",
                    "reserved",
                    "not allowed to be updated",
                ],
            ),
            (
                Refusal::NonFastForward,
                &[
                    "non-fast-forward",
                    "fast-forward",
                    "fetch first",
                    "forced push",
                    "force push",
                    "force-push",
                ],
            ),
            (
                Refusal::Forbidden,
                &[
                    "permission",
                    "denied",
                    "403",
                    "401",
                    "not authorized",
                    "not allowed",
                    "authentication",
                    "could not read username",
                    "prohibited",
                    "protected",
                    "hook declined",
                    "read-only",
                    "unable to create",
                ],
            ),
            (
                Refusal::Unreachable,
                &[
                    "could not resolve",
                    "unable to access",
                    "could not read from remote",
                    "does not appear to be a git repository",
                    "does not exist",
                    "not found",
                    "connection",
                    "timed out",
                    "no such remote",
                    "unable to find remote helper",
                ],
            ),
        ];
        let said = said.to_lowercase();
        SIGNS
            .iter()
            .find(|(_, signs)| signs.iter().any(|sign| said.contains(sign)))
            .map_or(Self::Other, |(refusal, _)| *refusal)
    }
}

/// One step of the probe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was asked of the remote.
    pub what: &'static str,
    /// `None` when it did so; else why not, and what git said.
    pub refused: Option<(Refusal, String)>,
}

/// Pushes a ref below our prefix, moves it to an unrelated commit under a lease, and deletes it.
/// Steps after the first that is refused are left out, but what was made is deleted in any case.
///
/// # Errors
/// [`Error::GitNotFound`], or what git said of making the commits.
pub fn probe(repo: &Repo, remote: &str) -> Result<Vec<Step>, Error> {
    let objects = tempfile::tempdir().map_err(Error::io("a temporary folder"))?;
    let nanos = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |now| now.as_nanos());
    let mark = format!("{nanos:x}-{:x}", std::process::id());
    let first = commit(repo, objects.path(), &format!("probe {mark} 1"))?;
    let second = commit(repo, objects.path(), &format!("probe {mark} 2"))?;
    let name = repo.ref_names().probe(&mark);
    let push = |lease: &str, from: &str| {
        let mut command = network(repo);
        with_objects(&mut command, repo, objects.path())
            .args(["push", "--porcelain", "--no-verify", "--no-follow-tags"])
            .args(["--recurse-submodules=no", "--no-signed", "--no-thin"])
            .arg(format!("--force-with-lease={name}:{lease}"))
            .arg("--end-of-options")
            .arg(remote)
            .arg(format!("{from}:{name}"));
        said(command)
    };
    let mut steps = Vec::new();
    let mut step = |what, outcome: Option<String>| {
        let refused = outcome.map(|said| (Refusal::of(&said), said));
        steps.push(Step { what, refused });
        steps[steps.len() - 1].refused.is_none()
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

/// Prepares a git that may use the network. It runs at the top of the work tree, because that is
/// what the path of a remote is relative to.
fn network(repo: &Repo) -> Command {
    let mut command = Command::new("git");
    for name in LOCATION {
        command.env_remove(name);
    }
    command
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("LC_ALL", "C")
        .env_remove("LANGUAGE")
        .current_dir(repo.work_dir().unwrap_or(repo.git_dir()))
        .stdin(Stdio::null())
        .arg("--git-dir")
        .arg(repo.git_dir());
    // No hook of the repository's is run for a question.
    for setting in [
        "core.hooksPath=/dev/null",
        "gc.auto=0",
        "maintenance.auto=false",
    ] {
        command.args(["-c", setting]);
    }
    command
}

/// Lets new objects go into `folder`, with those of the repository in reach.
fn with_objects<'a>(command: &'a mut Command, repo: &Repo, folder: &Path) -> &'a mut Command {
    command.env("GIT_OBJECT_DIRECTORY", folder).env(
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        quoted(repo.common_dir().join("objects").as_os_str()),
    )
}

/// Quotes a path for a list of paths, in which the separator may be part of a name.
fn quoted(path: &OsStr) -> std::ffi::OsString {
    match path.to_str() {
        Some(text) => {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{text}\"").into()
        }
        None => path.to_owned(),
    }
}

/// Makes a commit without parents or content.
fn commit(repo: &Repo, folder: &Path, message: &str) -> Result<String, Error> {
    let mut tree = network(repo);
    with_objects(&mut tree, repo, folder).args(["hash-object", "-t", "tree", "-w", "--stdin"]);
    let tree = answer(tree, "hash-object")?;
    let mut commit = network(repo);
    with_objects(&mut commit, repo, folder);
    for who in ["AUTHOR", "COMMITTER"] {
        commit
            .env(format!("GIT_{who}_NAME"), "sverklo")
            .env(format!("GIT_{who}_EMAIL"), "sverklo@localhost")
            .env(format!("GIT_{who}_DATE"), "@0 +0000");
    }
    commit.args(["commit-tree", "--no-gpg-sign", "-m", message, &tree]);
    answer(commit, "commit-tree")
}

fn answer(mut command: Command, name: &str) -> Result<String, Error> {
    let out = command
        .output()
        .map_err(|source| Error::GitNotFound { source })?;
    if out.status.success() {
        return Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned());
    }
    Err(Error::Git {
        command: name.to_owned(),
        status: out.status.to_string(),
        stderr: String::from_utf8_lossy(&out.stderr).trim().to_owned(),
    })
}

/// Runs a push; `None` when it succeeded, else the telling lines of what was said.
fn said(mut command: Command) -> Result<Option<String>, Error> {
    let out = command
        .output()
        .map_err(|source| Error::GitNotFound { source })?;
    if out.status.success() {
        return Ok(None);
    }
    let stdout = String::from_utf8_lossy(&out.stdout);
    let stderr = String::from_utf8_lossy(&out.stderr);
    let refused = stdout.lines().filter(|line| line.starts_with('!'));
    let lines = refused.chain(stderr.lines()).map(str::trim);
    let mut lines: Vec<String> = lines
        .filter(|line| !line.is_empty())
        .map(|line| line.replace('\t', " "))
        .collect();
    lines.truncate(4);
    Ok(Some(lines.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_says_is_understood() {
        for (said, refusal) in [
            (
                "! x:y [remote rejected] (deny updating a hidden ref)",
                Refusal::Hidden,
            ),
            (
                "! [remote rejected] (non-fast-forward)",
                Refusal::NonFastForward,
            ),
            (
                "fatal: Authentication failed for 'https://x/'",
                Refusal::Forbidden,
            ),
            (
                "git@x: Permission denied (publickey). fatal: Could not read from remote repository",
                Refusal::Forbidden,
            ),
            (
                "! [remote rejected] (pre-receive hook declined)",
                Refusal::Forbidden,
            ),
            (
                "fatal: '/nowhere' does not appear to be a git repository; fatal: Could not read \
                 from remote repository.",
                Refusal::Unreachable,
            ),
            (
                "ssh: Could not resolve hostname nowhere",
                Refusal::Unreachable,
            ),
            ("the moon is full", Refusal::Other),
        ] {
            assert_eq!(Refusal::of(said), refusal, "{said}");
        }
    }

    #[test]
    fn paths_with_a_separator_are_quoted() {
        assert_eq!(quoted(OsStr::new("/a:b/\"c\"")), "\"/a:b/\\\"c\\\"\"");
    }
}
