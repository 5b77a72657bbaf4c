//! Running the `git` program: the only place in the crate that starts a process.
//!
//! The repository may be hostile, so every child runs without the caller's `GIT_*` variables,
//! with an explicit git directory, without hooks, monitors, pagers, prompts, lazy fetches or network.

use super::error::Error;
use super::finished::Finished;
use super::interrupt::{self, drain};
use super::repo::Repo;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// Configuration that every child gets; it beats the repository's own.
///
/// The subcommands that are started here read objects, refs and configuration, write refs and packs, and
/// talk to remotes; none looks at a work tree. What follows is what a repository's configuration could make
/// them run, read, or wait for. What it says of a remote is not among it: without the network nothing asks
/// ([`git`]), and with it the user does ([`as_user`]).
const CONFIG: &[&str] = &[
    // Run when the git index is read, as by `rev-parse :path`.
    "core.fsmonitor=false",
    // Hooks in files: `reference-transaction` of `update-ref`, `pre-push`.
    "core.hooksPath=/dev/null",
    // Run when output goes to a terminal, which it never does.
    "core.pager=cat",
    // Run by `fetch` where there are alternates; a command of the shell that says nothing.
    "core.alternateRefsCommand=:",
    // Run to ask for a name or a tag message; nothing here asks.
    "core.editor=:",
    // Files outside that `diff-tree` would read. Its drivers and filters are switched off where it is run.
    "core.attributesFile=/dev/null",
    "diff.orderFile=/dev/null",
    // Run in place of the difference, if a flag were forgotten.
    "diff.external=",
    // Negative, a lock would be waited for without an end. These are git's own defaults.
    "core.filesRefLockTimeout=100",
    "core.packedRefsTimeout=1000",
    // Without these values packs would be synced, but neither loose objects, pack indexes nor refs, and a
    // power loss would leave a ref that names an empty file.
    "core.fsync=loose-object,pack,pack-metadata,reference",
    "core.fsyncMethod=batch",
    "core.logAllRefUpdates=false",
    // Processes that would go on behind us.
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.objectNameWarning=false",
    "core.warnAmbiguousRefs=false",
];

/// Most bytes of a child's standard error that are kept for a message.
const MAX_STDERR: usize = 2000;

impl Finished {
    /// Turns a failure into an error that names the subcommand.
    pub fn into_error(self, command: &str) -> Error {
        let status = match self.status.code() {
            Some(code) => format!("exit code {code}"),
            None => "killed by a signal".to_owned(),
        };
        Error::Git {
            command: command.to_owned(),
            status,
            stderr: self.stderr.trim().to_owned(),
        }
    }
}

/// Variables that say where a repository is. git sets them for hooks, and a child that is told the
/// repository by us must not be told another one by them.
const LOCATION: &[&str] = words!(
    "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_CONFIG GIT_DIR GIT_GRAFT_FILE
     GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_INTERNAL_SUPER_PREFIX GIT_NAMESPACE
     GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_QUARANTINE_PATH GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE
     GIT_WORK_TREE"
);

/// Prepares `git` for a repository, without any network; arguments are still to be added.
pub(super) fn git(repo: &Repo) -> Command {
    prepare(alone(), repo.git_dir(), &repo.configured_hooks(), 0)
}

/// `git` without what the caller's environment says to it, and without any network.
fn alone() -> Command {
    let mut command = Command::new(located());
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("GIT_")) {
            command.env_remove(name);
        }
    }
    // No protocol at all. `GIT_NO_LAZY_FETCH` is known to git from 2.44 on alone.
    command.env("GIT_ALLOW_PROTOCOL", "");
    command
}

/// Prepares `git` for a git directory of our own making. What users and machines have configured does not
/// count there either, so the same objects give the same answer to everybody.
pub(super) fn apart(git_dir: &Path) -> Command {
    let mut command = alone();
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_ATTR_NOSYSTEM", "1");
    let mut command = prepare(command, git_dir, &[], 0);
    // All of it is thrown away.
    command.args(["-c", "core.fsync=none", "-c", "core.looseCompression=0"]);
    command
}

/// Prepares `git` for what takes the user's own set-up. In talking to a remote, how they reach it (ssh
/// command, askpass, proxies, configuration given on the command line or in the environment) gets
/// through; in signing, their key and the program that has it.
pub(super) fn as_user(repo: &Repo) -> Command {
    let mut command = Command::new(located());
    for name in LOCATION {
        command.env_remove(name);
    }
    let given = std::env::var("GIT_CONFIG_COUNT").ok();
    let given = given.and_then(|count| count.parse().ok());
    let given = given.unwrap_or(0);
    prepare(command, repo.git_dir(), &repo.configured_hooks(), given)
}

/// Adds what all have in common. The environment gives `configured` settings already.
fn prepare(mut command: Command, git_dir: &Path, hooks: &[String], configured: usize) -> Command {
    command
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_LITERAL_PATHSPECS", "1")
        .env("LC_ALL", "C")
        .env_remove("LANGUAGE")
        .current_dir(git_dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .arg("--git-dir")
        .arg(git_dir);
    if let Some(path) = std::env::var_os("PATH").and_then(|path| absolute(&path)) {
        command.env("PATH", path);
    }
    for setting in CONFIG {
        command.args(["-c", setting]);
    }
    // git from 2.54 on also runs hooks of the configuration. A name may contain `=`, so not as `-c`.
    for (name, at) in hooks.iter().zip(configured..) {
        command
            .env(
                format!("GIT_CONFIG_KEY_{at}"),
                format!("hook.{name}.enabled"),
            )
            .env(format!("GIT_CONFIG_VALUE_{at}"), "false");
    }
    if !hooks.is_empty() {
        let count = configured + hooks.len();
        command.env("GIT_CONFIG_COUNT", count.to_string());
    }
    command
}

/// Returns where `git` is: its first place on `PATH`. Entries that are empty or relative are passed over,
/// as children run in the repository's own folder and would find a file of the repository there.
fn located() -> &'static OsStr {
    static PLACE: OnceLock<OsString> = OnceLock::new();
    PLACE.get_or_init(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        // Without one the name is a path of no file, so that starting it says what is missing.
        let nowhere = || Path::new("/nonexistent").join("git").into_os_string();
        find("git", &path).map_or_else(nowhere, PathBuf::into_os_string)
    })
}

/// Finds a program in the absolute folders of a `PATH`.
pub(super) fn find(program: &str, path: &OsStr) -> Option<PathBuf> {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    let mut places = folders.map(|folder| folder.join(&name));
    places.find(|place| is_program(place))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Returns a `PATH` without entries that are empty or relative; `None` when it has none of these.
pub(super) fn absolute(path: &OsStr) -> Option<OsString> {
    let entries: Vec<PathBuf> = std::env::split_paths(path).collect();
    let kept = entries.iter().filter(|entry| entry.is_absolute());
    let kept: Vec<&PathBuf> = kept.collect();
    match kept.len() == entries.len() {
        true => None,
        false => std::env::join_paths(kept).ok(),
    }
}

/// Runs a prepared command to its end.
pub(super) fn run(mut command: Command) -> Result<Finished, Error> {
    let out = command
        .output()
        .map_err(|source| Error::GitNotFound { source })?;
    Ok(Finished {
        status: out.status,
        stdout: out.stdout,
        stderr: shorten(&out.stderr),
    })
}

/// Runs `git <args>` in a repository to its end, without any network.
pub(super) fn run_args<S: AsRef<OsStr>>(repo: &Repo, args: &[S]) -> Result<Finished, Error> {
    let mut command = git(repo);
    command.args(args);
    run(command)
}

/// Runs `git <args>`, which only reads, without any network: to its end, or until nobody waits for the answer.
pub(super) fn ask<S: AsRef<OsStr>>(repo: &Repo, args: &[S]) -> Result<Finished, Error> {
    let mut command = git(repo);
    command.args(args);
    interrupt::wait(command)
}

/// Runs a prepared command to its end while `feed` writes its standard input.
///
/// An early exit of the child shows up in its status, so a broken pipe is not an error here.
pub(super) fn run_fed(
    mut command: Command,
    feed: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<Finished, Error> {
    let mut child: Child = command
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|source| Error::GitNotFound { source })?;
    let stdin = child.stdin.take();
    let stderr = child.stderr.take();
    let stdout = child.stdout.take();
    let (fed, stdout, stderr) = std::thread::scope(|scope| {
        // Both outputs are drained while we write, or a talkative child would block for ever.
        let err = scope.spawn(move || drain(stderr));
        let out = scope.spawn(move || drain(stdout));
        let fed = match stdin {
            Some(mut stdin) => feed(&mut stdin),
            None => Ok(()),
        };
        (
            fed,
            out.join().unwrap_or_default(),
            err.join().unwrap_or_default(),
        )
    });
    let status = child.wait().map_err(Error::io("git"))?;
    match fed {
        Err(err) if err.kind() != std::io::ErrorKind::BrokenPipe => {
            return Err(Error::io("git")(err));
        }
        _ => {}
    }
    Ok(Finished {
        status,
        stdout,
        stderr: shorten(&stderr),
    })
}

/// Runs a prepared command to its end while `keep` is shown each line of its standard error as it
/// comes, with those that end in a carriage return, and says which are kept.
pub(super) fn run_watched(
    mut command: Command,
    keep: &mut dyn FnMut(&str) -> bool,
) -> Result<Finished, Error> {
    let mut child: Child = command
        .spawn()
        .map_err(|source| Error::GitNotFound { source })?;
    let stderr = child.stderr.take();
    let stdout = child.stdout.take();
    let (stdout, stderr) = std::thread::scope(|scope| {
        let out = scope.spawn(move || drain(stdout));
        let kept = stderr.map_or(String::new(), |pipe| watch(pipe, keep));
        (out.join().unwrap_or_default(), kept)
    });
    Ok(Finished {
        status: child.wait().map_err(Error::io("git"))?,
        stdout,
        stderr,
    })
}

/// Reads lines until the pipe ends, and returns those that are kept, as far as there is room.
fn watch(mut pipe: impl Read, keep: &mut dyn FnMut(&str) -> bool) -> String {
    let mut kept = String::new();
    let mut line = Vec::new();
    let mut buf = [0; 4096];
    let mut take = |line: &mut Vec<u8>| {
        let text = String::from_utf8_lossy(line);
        if keep(&text) && kept.len() + text.len() < MAX_STDERR {
            kept.push_str(&text);
            kept.push('\n');
        }
        line.clear();
    };
    loop {
        let n = match pipe.read(&mut buf) {
            Ok(0) => break,
            Ok(n) => n,
            Err(err) if err.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        for byte in &buf[..n] {
            // A line without an end is cut, or a server could fill the memory.
            if matches!(byte, b'\n' | b'\r') || line.len() == MAX_STDERR {
                take(&mut line);
            } else {
                line.push(*byte);
            }
        }
    }
    take(&mut line);
    kept
}

pub(super) fn shorten(stderr: &[u8]) -> String {
    String::from_utf8_lossy(&stderr[..stderr.len().min(MAX_STDERR)]).into_owned()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_program_is_looked_for_in_absolute_folders_alone() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path();
        for (folder, mode) in [("plain", 0o644), ("good", 0o755), ("later", 0o755)] {
            let file = top.join(folder).join("git");
            std::fs::create_dir(top.join(folder)).unwrap();
            std::fs::write(&file, "").unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        let path = |entries: &[&str]| std::env::join_paths(entries).unwrap();
        let at = |folder: &str| top.join(folder).display().to_string();
        let (plain, good, later) = (at("plain"), at("good"), at("later"));
        let mixed = path(&["", ".", "bin", &plain, &good, &later]);
        assert_eq!(find("git", &mixed), Some(top.join("good/git")));
        assert_eq!(absolute(&mixed), Some(path(&[&plain, &good, &later])));
        assert_eq!(absolute(&path(&[&good])), None);
        assert_eq!(find("git", &path(&[".", ""])), None);
    }
}
