//! Running the `git` program: the only place in the crate that starts a process.
//!
//! The repository may be hostile, so every child runs without the caller's `GIT_*` variables,
//! with an explicit git directory, without hooks, monitors, pagers, prompts or lazy fetches.

use super::Error;
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// Configuration that every child gets; it beats the repository's own.
///
/// `core.fsync` without these values would sync packs but neither loose objects, pack indexes nor
/// refs, and a power loss would leave a ref that names an empty file.
const CONFIG: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.fsync=loose-object,pack,pack-metadata,reference",
    "core.fsyncMethod=batch",
    "core.logAllRefUpdates=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.objectNameWarning=false",
    "core.warnAmbiguousRefs=false",
];

/// Most bytes of a child's standard error that are kept for a message.
const MAX_STDERR: usize = 2000;

/// What a finished child said.
pub(super) struct Finished {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

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
const LOCATION: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
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
];

/// Prepares `git` for the repository at `git_dir`; arguments are still to be added.
pub(super) fn git(git_dir: &Path) -> Command {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("GIT_")) {
            command.env_remove(name);
        }
    }
    prepare(command, git_dir)
}

/// Prepares `git` for what takes the user's own set-up. In talking to a remote, how they reach it (ssh
/// command, askpass, proxies, configuration given on the command line or in the environment) gets
/// through; in signing, their key and the program that has it.
pub(super) fn as_user(git_dir: &Path) -> Command {
    let mut command = Command::new("git");
    for name in LOCATION {
        command.env_remove(name);
    }
    prepare(command, git_dir)
}

fn prepare(mut command: Command, git_dir: &Path) -> Command {
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
    for setting in CONFIG {
        command.args(["-c", setting]);
    }
    command
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

/// Runs `git <args>` in the repository at `git_dir` to its end.
pub(super) fn run_args<S: AsRef<OsStr>>(git_dir: &Path, args: &[S]) -> Result<Finished, Error> {
    let mut command = git(git_dir);
    command.args(args);
    run(command)
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

/// Reads a pipe to its end; what was read before an error is kept.
fn drain(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

fn shorten(stderr: &[u8]) -> String {
    String::from_utf8_lossy(&stderr[..stderr.len().min(MAX_STDERR)]).into_owned()
}
