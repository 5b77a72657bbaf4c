//! Hermetic repositories: every test gets its own directory, home, clock and configuration.
//!
//! Nothing of the machine's or the user's git set-up can reach a test: the environment is cleared,
//! `HOME` is inside the temporary directory and system configuration is switched off. Dates are
//! fixed and advance by one second a commit, so object ids are the same on every run.

#![allow(dead_code)]

use std::cell::Cell;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Date of the first commit of every test repository.
const FIRST_DATE: u64 = 1_700_000_000;

/// How a test repository is created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kind {
    /// SHA-256 instead of SHA-1.
    pub sha256: bool,
    /// Refs in the reftable backend instead of files.
    pub reftable: bool,
    /// No work tree.
    pub bare: bool,
}

/// What a finished program said.
#[derive(Debug)]
pub struct Output {
    /// Exit code; `None` when killed by a signal.
    pub status: Option<i32>,
    /// Standard output, lossy.
    pub stdout: String,
    /// Standard error, lossy.
    pub stderr: String,
}

impl Output {
    /// What it warned of, or why it failed; a command that did something says so on standard error too.
    pub fn trouble(&self) -> Vec<&str> {
        let is_trouble = |line: &&str| line.starts_with("warning: ") || line.starts_with("fatal: ");
        self.stderr.lines().filter(is_trouble).collect()
    }

    /// Returns standard output of a program that must have succeeded.
    #[track_caller]
    pub fn success(self) -> String {
        assert_eq!(
            self.status,
            Some(0),
            "stdout: {}\nstderr: {}",
            self.stdout,
            self.stderr
        );
        self.stdout
    }
}

/// A temporary repository that is removed when dropped.
pub struct TestRepo {
    temp: Option<tempfile::TempDir>,
    home: PathBuf,
    dir: PathBuf,
    clock: Cell<u64>,
}

impl TestRepo {
    /// Creates an empty repository with a work tree, SHA-1 and refs in files.
    pub fn init() -> Self {
        Self::init_as(Kind::default())
    }

    /// Creates an empty repository of the given kind.
    pub fn init_as(kind: Kind) -> Self {
        let temp = tempfile::tempdir().expect("a temporary directory can be made");
        // macOS and some CI machines reach their temporary directory through a symlink.
        let base = temp
            .path()
            .canonicalize()
            .expect("the directory was just made");
        let (home, dir) = (base.join("home"), base.join("repo"));
        std::fs::create_dir_all(&home).expect("home can be made");
        std::fs::create_dir_all(&dir).expect("the directory can be made");
        share_key(&home);
        let repo = Self {
            temp: Some(temp),
            home,
            dir,
            clock: Cell::new(FIRST_DATE),
        };
        let mut args = vec!["init", "-q", "-b", "main"];
        if kind.sha256 {
            args.push("--object-format=sha256");
        }
        if kind.reftable {
            args.push("--ref-format=reftable");
        }
        if kind.bare {
            args.push("--bare");
        }
        repo.git(&args);
        repo
    }

    /// Opens an existing directory (a clone, a linked work tree, a submodule) with this
    /// repository's home and clock. The directory lives as long as `self`.
    pub fn at(&self, dir: impl AsRef<Path>) -> Self {
        Self {
            temp: None,
            home: self.home.clone(),
            dir: self.dir.join(dir),
            clock: Cell::new(self.clock.get() + 1000),
        }
    }

    /// Clones it into a directory beside it.
    pub fn cloned(&self, name: &str) -> Self {
        let dir = self.beside(name);
        self.git(&["clone", "-q", ".", dir.to_str().expect("names are UTF-8")]);
        self.at(dir)
    }

    /// Returns the top of the work tree (or the git directory of a bare repository).
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the folder of what is kept beside the object store, for the program and the library.
    pub fn kept(&self) -> PathBuf {
        let common = self.git(&["rev-parse", "--git-common-dir"]);
        let kept = git_sverklo::cache::Kept::new(&self.dir.join(common));
        kept.folder().expect("whoever runs tests has a home")
    }

    /// Returns a path beside the repository, for clones and linked work trees.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.dir
            .parent()
            .expect("the repository is inside the temporary directory")
            .join(name)
    }

    /// Writes a file, making its directories.
    pub fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.dir.join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a parent")).expect("mkdir");
        std::fs::write(&path, bytes).unwrap_or_else(|err| panic!("{}: {err}", path.display()));
        self
    }

    /// Removes a file.
    pub fn remove(&self, path: impl AsRef<Path>) -> &Self {
        let path = self.dir.join(path);
        std::fs::remove_file(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display()));
        self
    }

    /// Runs git, which must succeed, and returns its output without the last newline.
    #[track_caller]
    pub fn git<S: AsRef<OsStr>>(&self, args: &[S]) -> String {
        let mut out = String::from_utf8_lossy(&self.git_bytes(args)).into_owned();
        if out.ends_with('\n') {
            out.pop();
        }
        out
    }

    /// Runs git, which must succeed, and returns exactly what it printed.
    #[track_caller]
    pub fn git_bytes<S: AsRef<OsStr>>(&self, args: &[S]) -> Vec<u8> {
        let out = self.git_command(args).output().expect("git is installed");
        assert!(
            out.status.success(),
            "git {:?} failed: {}",
            args.iter()
                .map(|a| a.as_ref().to_string_lossy().into_owned())
                .collect::<Vec<_>>(),
            String::from_utf8_lossy(&out.stderr)
        );
        out.stdout
    }

    /// Runs git and returns what happened, success or not.
    pub fn try_git<S: AsRef<OsStr>>(&self, args: &[S]) -> Output {
        finish(self.git_command(args))
    }

    /// Stages everything and commits it; returns the id of the commit.
    #[track_caller]
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        match self.branch_tip() {
            Some(id) => {
                // The clock counts as if git had been asked: dates are part of ids.
                self.clock.set(self.clock.get() + 1);
                id
            }
            None => self.git(&["rev-parse", "HEAD"]),
        }
    }

    /// Stages everything and commits it as if the clock had shown this date.
    #[track_caller]
    pub fn commit_on(&self, message: &str, date: &str) {
        self.git(&["add", "-A"]);
        let mut git = self.git_command(&["commit", "-q", "-m", message]);
        git.env("GIT_COMMITTER_DATE", date);
        assert_eq!(finish(git).status, Some(0), "{message}");
    }

    /// Reads the commit of the current branch from the file that it was just written to, which is
    /// quicker than a process; `None` where it is elsewhere.
    fn branch_tip(&self) -> Option<String> {
        let git = self.dir.join(".git");
        let head = std::fs::read_to_string(git.join("HEAD")).ok()?;
        let id = std::fs::read_to_string(git.join(head.strip_prefix("ref: ")?.trim_end())).ok()?;
        Some(id.trim_end().to_owned())
    }

    /// Runs the `git-sverklo` binary in the repository.
    pub fn sverklo<S: AsRef<OsStr>>(&self, args: &[S]) -> Output {
        finish(self.sverklo_command(args))
    }

    /// Returns a command that will run the `git-sverklo` binary in the repository.
    pub fn sverklo_command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_git-sverklo"));
        command.args(args);
        command
    }

    /// Makes commits of `main` as a stream of `git fast-import` says, and checks it out.
    #[track_caller]
    pub fn fast_import(&self, stream: impl AsRef<[u8]>) {
        let mut import = self.command("git");
        let import = import.args(["fast-import", "--quiet", "--force"]);
        let mut child = import.stdin(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(stream.as_ref()).unwrap();
        drop(input);
        assert!(child.wait().unwrap().success());
        self.git(&["reset", "-q", "--hard", "main"]);
    }

    /// Returns a command with a cleared environment, the test's home and its clock.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        let date = format!("{} +0000", self.clock.get());
        command
            .current_dir(&self.dir)
            .stdin(Stdio::null())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .env("XDG_CONFIG_HOME", self.home.join("config"))
            .env("LC_ALL", "C")
            .env("TZ", "UTC")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_AUTHOR_NAME", "A. Author")
            .env("GIT_AUTHOR_EMAIL", "author@example.com")
            .env("GIT_COMMITTER_NAME", "A. Author")
            .env("GIT_COMMITTER_EMAIL", "author@example.com")
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date);
        command
    }

    fn git_command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        self.clock.set(self.clock.get() + 1);
        let mut command = self.command("git");
        command
            .args([
                "-c",
                "core.autocrlf=false",
                "-c",
                "protocol.file.allow=always",
            ])
            .args(["-c", "maintenance.auto=false", "-c", "gc.auto=0"])
            // Nothing here has to outlive the machine.
            .args(["-c", "core.fsync=none"])
            .args(args);
        command
    }
}

/// Gives a home the key of whoever runs the tests: the program and the library, which many tests use both,
/// believe what the other keeps.
fn share_key(home: &Path) {
    let kept = git_sverklo::cache::Kept::new(home);
    kept.folder().expect("whoever runs tests has a home");
    let ours = git_sverklo::home::data(&|name| std::env::var_os(name));
    let theirs = git_sverklo::home::data(&|name| {
        matches!(name, "HOME" | "LOCALAPPDATA").then(|| home.as_os_str().to_owned())
    });
    let (ours, theirs) = (ours.expect("a home"), theirs.expect("a home"));
    std::fs::create_dir_all(&theirs).expect("mkdir");
    let file = "cache-key";
    std::fs::copy(ours.join(file), theirs.join(file)).expect("the key was made");
}

fn finish(mut command: Command) -> Output {
    let out = command
        .output()
        .unwrap_or_else(|err| panic!("{command:?}: {err}"));
    Output {
        status: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    }
}

#[test]
fn two_repositories_made_alike_have_equal_ids() {
    let make = |kind| {
        let repo = TestRepo::init_as(kind);
        repo.write("a/b.txt", "hello\n");
        repo.commit("one")
    };
    let kind = Kind {
        sha256: true,
        reftable: true,
        bare: false,
    };
    assert_eq!(make(Kind::default()), make(Kind::default()));
    assert_eq!(make(kind).len(), 64);
}
