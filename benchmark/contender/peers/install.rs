//! A peer's program as the user has it, and the throw-away home that its processes live in.

use crate::Result;
use std::collections::hash_map::DefaultHasher;
use std::ffi::OsStr;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long indexing one folder may take. The slowest peer embeds about 30 chunks a second, so that
/// this is enough for some 50,000.
pub const INDEX_PATIENCE: Duration = Duration::from_secs(30 * 60);
/// How long anything else may take, as a question may.
const PATIENCE: Duration = Duration::from_secs(60);
/// Variables of the user's that every program gets; keys of paid services are not among them.
const PASSED: &[&str] = &[
    "PATH",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "TEMP",
    "TMP",
    "SystemRoot",
];
/// How long the output of a program that has ended is waited for.
const LINGER: Duration = Duration::from_secs(5);
/// Characters of a failed program's words that are kept.
const WORDS: usize = 400;

/// A program that may be installed.
pub struct Install {
    program: &'static str,
    variable: &'static str,
    remedy: &'static str,
    home: OnceLock<std::io::Result<TempDir>>,
}

impl Install {
    /// A program of this name on `PATH`, unless an environment variable names another. `remedy` says
    /// how to get it.
    pub fn new(program: &'static str, variable: &'static str, remedy: &'static str) -> Self {
        Self {
            program,
            variable,
            remedy,
            home: OnceLock::new(),
        }
    }

    /// Where it is, or why it is absent.
    pub fn find(&self) -> std::result::Result<PathBuf, String> {
        if let Some(named) = std::env::var_os(self.variable) {
            // It is run in other folders than this one.
            let path = std::path::absolute(named).unwrap_or_default();
            return match path.is_file() {
                true => Ok(path),
                false => Err(format!("{}: no file {}", self.variable, path.display())),
            };
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        search(&path, self.program).ok_or_else(|| {
            format!(
                "no {} on PATH and no {}; {}",
                self.program, self.variable, self.remedy
            )
        })
    }

    /// A command that runs the program in a folder, in that folder's throw-away home.
    pub fn command(&self, dir: &Path) -> Result<Command> {
        Ok(self.command_of(&self.find()?, dir, &self.home(dir)?))
    }

    /// A command that runs any program as `command` does.
    pub fn command_of(&self, program: &Path, dir: &Path, home: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(dir).stdin(Stdio::null()).env_clear();
        for name in PASSED {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        command.env("HOME", home).env("USERPROFILE", home);
        for name in ["CONFIG", "CACHE", "DATA", "STATE"] {
            let folder = home.join(name.to_lowercase());
            command.env(format!("XDG_{name}_HOME"), folder);
        }
        // Tools that ask who is using them are told that nobody wants to be counted.
        command.env("DO_NOT_TRACK", "1");
        command
    }

    /// The throw-away home for work on a folder: nothing of one folder is seen in another, and nothing
    /// is left when the benchmark ends.
    pub fn home(&self, dir: &Path) -> Result<PathBuf> {
        let mut hasher = DefaultHasher::new();
        dir.hash(&mut hasher);
        let home = self.shared()?.join(format!("{:016x}", hasher.finish()));
        std::fs::create_dir_all(&home)?;
        Ok(home)
    }

    /// The folder that all homes of this program are in.
    pub fn shared(&self) -> Result<PathBuf> {
        match self.home.get_or_init(tempfile::tempdir) {
            // Some systems name their temporary folder through a link.
            Ok(home) => Ok(home.path().canonicalize()?),
            Err(err) => Err(err.to_string().into()),
        }
    }

    /// What the program says when asked with these arguments, in a folder of its own.
    pub fn say(&self, args: &[&str]) -> std::result::Result<String, String> {
        let program = self.find()?;
        let say = || -> Result<String> {
            let dir = self.shared()?.join("empty");
            std::fs::create_dir_all(&dir)?;
            let mut command = self.command_of(&program, &dir, &self.home(&dir)?);
            let out = run_briefly(command.args(args))?;
            Ok(String::from_utf8_lossy(&out.stdout).into_owned())
        };
        say().map_err(|err| format!("{} does not run: {err}", program.display()))
    }

    /// The last word of what `--version` prints first: some say their name before it.
    pub fn version(&self) -> std::result::Result<String, String> {
        let said = self.say(&["--version"])?;
        let line = said.lines().find(|line| !line.trim().is_empty());
        let word = line.and_then(|line| line.split_whitespace().last());
        let word = word.ok_or_else(|| format!("{} has no version", self.program))?;
        Ok(word.trim_start_matches('v').to_owned())
    }
}

/// Runs an indexing command to its end.
pub fn index(command: &mut Command) -> Result<Output> {
    run(command, INDEX_PATIENCE)
}

/// Runs a command that should not take longer than a question.
pub fn run_briefly(command: &mut Command) -> Result<Output> {
    run(command, PATIENCE)
}

/// A program on a search path.
fn search(path: &OsStr, program: &str) -> Option<PathBuf> {
    let endings: &[&str] = if cfg!(windows) {
        &[".exe", ".cmd"]
    } else {
        &[""]
    };
    std::env::split_paths(path)
        .flat_map(|folder| {
            let named = endings
                .iter()
                .map(move |ending| folder.join(format!("{program}{ending}")));
            named.collect::<Vec<_>>()
        })
        .find(|file| file.is_file())
}

/// Runs a command to its end, which must be a success within a time.
fn run(command: &mut Command, patience: Duration) -> Result<Output> {
    let name = command.get_program().display().to_string();
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|err| format!("{name}: {err}"))?;
    // Read beside the waiting: a full pipe would stop the program.
    let stdout = child.stdout.take().map(drain);
    let stderr = child.stderr.take().map(drain);
    let until = Instant::now() + patience;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() >= until {
            stop(&mut child);
            return Err(format!("{name}: no end in {} s", patience.as_secs()).into());
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    // Whatever it left running may hold the pipes open.
    let read = |pipe: Option<Receiver<Vec<u8>>>| {
        pipe.and_then(|pipe| pipe.recv_timeout(LINGER).ok())
            .unwrap_or_default()
    };
    let out = Output {
        status,
        stdout: read(stdout),
        stderr: read(stderr),
    };
    if !status.success() {
        let words = String::from_utf8_lossy(&out.stderr);
        let words: Vec<&str> = words.split_whitespace().collect();
        let words: Vec<char> = words.join(" ").chars().collect();
        let words: String = words[words.len().saturating_sub(WORDS)..].iter().collect();
        return Err(format!("{name}: {status}: {words}").into());
    }
    Ok(out)
}

fn drain(mut pipe: impl std::io::Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe that breaks has said what it had to say; nobody may be waiting for it any more.
        let _ = pipe.read_to_end(&mut bytes);
        let _ = send.send(bytes);
    });
    receive
}

/// Ends a program and, where that can be told, what it has started.
fn stop(child: &mut std::process::Child) {
    #[cfg(unix)]
    let _ = Command::new("kill")
        .args(["-KILL", "--", &format!("-{}", child.id())])
        .stderr(Stdio::null())
        .status();
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_program_that_never_ends_is_ended_with_its_children() {
        let marker = tempfile::tempdir().unwrap();
        let script = format!(
            "sleep 1000 & echo $! > {0}/pid; wait",
            marker.path().display()
        );
        let err = run(&mut shell(&script), Duration::from_secs(2)).unwrap_err();
        assert!(err.to_string().contains("no end in"), "{err}");
        let pid = std::fs::read_to_string(marker.path().join("pid")).unwrap();
        let ended = || {
            let alive = Command::new("kill")
                .args(["-0", pid.trim()])
                .stderr(Stdio::null())
                .status();
            // A killed child of a killed parent may wait for the init process to bury it.
            let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
            !alive.unwrap().success() || state.is_ok_and(|state| state.contains(") Z "))
        };
        // A signal is delivered some time after it is sent.
        while !ended() {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn a_failure_is_told_in_the_programs_own_words() {
        let err = run(&mut shell("echo no such model >&2; exit 3"), PATIENCE).unwrap_err();
        assert!(err.to_string().contains("no such model"), "{err}");
    }

    #[test]
    fn more_output_than_a_pipe_holds_does_not_block() {
        let out = run(&mut shell("head -c 300000 /dev/zero"), PATIENCE).unwrap();
        assert_eq!(out.stdout.len(), 300_000);
    }

    #[test]
    fn a_program_is_searched_in_order() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(second.path().join("peer"), "").unwrap();
        let path = std::env::join_paths([first.path(), second.path()]).unwrap();
        assert_eq!(search(&path, "peer"), Some(second.path().join("peer")));
        std::fs::write(first.path().join("peer"), "").unwrap();
        assert_eq!(search(&path, "peer"), Some(first.path().join("peer")));
        assert_eq!(search(&path, "pear"), None);
    }

    #[test]
    fn homes_differ_by_folder_and_hide_the_users() {
        let install = Install::new("sh", "SVERKLO_BENCH_NO_SUCH", "");
        let (a, b) = (Path::new("/a"), Path::new("/b"));
        assert_ne!(install.home(a).unwrap(), install.home(b).unwrap());
        assert_eq!(install.home(a).unwrap(), install.home(a).unwrap());
        let home = install.home(Path::new("/")).unwrap();
        let mut command = install.command(Path::new("/")).unwrap();
        let out = run(command.args(["-c", "printf %s \"$HOME\""]), PATIENCE).unwrap();
        assert_eq!(String::from_utf8_lossy(&out.stdout), home.to_string_lossy());
    }

    #[test]
    fn a_version_is_the_last_word() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("peer");
        std::fs::write(&file, "#!/bin/sh\necho peer v1.2.3\n").unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&file, mode).unwrap();
        let mut install = Install::new("no-such-peer", "SVERKLO_BENCH_NO_SUCH", "build one");
        let absent = install.version().unwrap_err();
        assert!(absent.ends_with("build one"), "{absent}");
        // An absolute name is found as it is on any search path.
        install.program = file.to_string_lossy().into_owned().leak();
        assert_eq!(install.version(), Ok("1.2.3".to_owned()));
    }
}
