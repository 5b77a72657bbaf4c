//! Repositories made ready for measuring, each a clone in a temporary folder.

use crate::Result;
use crate::program::{Compiler, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A repository under measurement.
pub struct Subject {
    /// Name shown in reports.
    pub name: String,
    /// Its work tree; `.git` is a folder in it.
    pub dir: PathBuf,
    /// The part that questions are about, such as `src/lib`; `None` for all of it.
    pub root: Option<String>,
    _temp: tempfile::TempDir,
}

impl Subject {
    /// Clones a repository at its `HEAD`.
    pub fn clone_of(path: &Path) -> Result<Self> {
        Self::clone_at(path, None, None)
    }

    /// Clones a repository at a revision. `root` limits the questions to a folder.
    pub fn clone_at(path: &Path, revision: Option<&str>, root: Option<String>) -> Result<Self> {
        let path = path
            .canonicalize()
            .map_err(|err| format!("{}: {err}", path.display()))?;
        let (temp, dir) = place()?;
        let (from, to) = (path.to_string_lossy(), dir.to_string_lossy());
        run_git(
            &path,
            &["clone", "-q", "--no-hardlinks", "--no-checkout", &from, &to],
        )?;
        run_git(
            &dir,
            &["checkout", "-q", "--detach", revision.unwrap_or("HEAD")],
        )?;
        Ok(Self {
            name: name_of(&path),
            dir,
            root,
            _temp: temp,
        })
    }

    /// A repository as it was at a commit: objects are shared, and no ref of it leads to anything
    /// that came later.
    pub fn past(path: &Path, commit: &str) -> Result<Self> {
        let path = path
            .canonicalize()
            .map_err(|err| format!("{}: {err}", path.display()))?;
        let (temp, dir) = place()?;
        std::fs::create_dir(&dir)?;
        run_git(&dir, &["init", "-q"])?;
        let git = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
        let objects = Path::new(run_git(&path, &git)?.trim_end()).join("objects");
        let shared = format!("{}\n", objects.display());
        std::fs::write(dir.join(".git/objects/info/alternates"), shared)?;
        run_git(&dir, &["checkout", "-q", "--detach", commit])?;
        Ok(Self {
            name: name_of(&path),
            dir,
            root: None,
            _temp: temp,
        })
    }

    /// This repository's own work tree as one commit, of the benchmark only its code: tasks, runs and
    /// reports hold the answers.
    pub fn own() -> Result<Self> {
        let root = root();
        let listing = run_git(
            &root,
            &[
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ],
        )?;
        let paths = listing
            .split_terminator('\0')
            .filter(|path| !path.starts_with("benchmark/") || path.ends_with(".rs"))
            .map(|path| (path.to_owned(), root.join(path)));
        Self::committed("self".to_owned(), paths)
    }

    /// The sources of a crate of the lock file as one commit; `<name>/<folder>` is a folder of it.
    pub fn of_crate(name: &str) -> Result<Self> {
        let (name, inner) = name.split_once('/').unwrap_or((name, ""));
        let mut folder = crate_folder(name)?;
        if folder.is_none() {
            fetch_crates()?;
            folder = crate_folder(name)?;
        }
        let folder = folder.ok_or_else(|| format!("no crate {name} in Cargo.lock"))?;
        let mut paths = Vec::new();
        walk(&folder.join(inner), "", &mut paths)?;
        Self::committed(format!("crate:{name}"), paths.into_iter())
    }

    /// Copies files into a new repository and commits them.
    fn committed(name: String, paths: impl Iterator<Item = (String, PathBuf)>) -> Result<Self> {
        let (temp, dir) = place()?;
        std::fs::create_dir(&dir)?;
        for (path, from) in paths {
            let to = dir.join(&path);
            // A file that git still lists may be gone from the work tree; a link leads elsewhere.
            if from.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
                std::fs::create_dir_all(to.parent().ok_or("a file lies in a folder")?)?;
                std::fs::copy(&from, &to)?;
            }
        }
        run_git(&dir, &["init", "-q"])?;
        run_git(&dir, &["add", "-A", "-f"])?;
        run_commit(&dir, &["-m", "sources"])?;
        Ok(Self {
            name,
            dir,
            root: None,
            _temp: temp,
        })
    }

    /// Another clone of the same repository, checked out at a commit, beside this one.
    pub fn checkout(&self, commit: &str, name: &str) -> Result<PathBuf> {
        let dir = self.dir.with_file_name(name);
        let dir_text = dir.to_string_lossy().into_owned();
        self.git(&["clone", "-q", "--shared", "--no-checkout", ".", &dir_text])?;
        run_git(&dir, &["checkout", "-q", "--detach", commit])?;
        Ok(dir)
    }

    /// Runs git in the clone and returns what it said.
    pub fn git(&self, args: &[&str]) -> Result<String> {
        run_git(&self.dir, args)
    }

    /// Removes git-sverklo's index and every cache of it.
    pub fn forget_index(&self) -> Result<()> {
        self.git(&["update-ref", "-d", "refs/sverklo/v1/index"])?;
        match std::fs::remove_dir_all(self.dir.join(".git/sverklo")) {
            Err(err) if err.kind() != std::io::ErrorKind::NotFound => Err(err.into()),
            _ => Ok(()),
        }
    }
}

/// Runs git in a folder and returns what it said.
pub fn run_git(dir: &Path, args: &[&str]) -> Result<String> {
    let out = Command::new("git").arg("-C").arg(dir).args(args).output()?;
    if !out.status.success() {
        return Err(format!("git {args:?}: {}", String::from_utf8_lossy(&out.stderr)).into());
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Commits what is staged, whoever runs this and whatever hooks they have.
pub fn run_commit(dir: &Path, args: &[&str]) -> Result<()> {
    let as_nobody = [
        "-c",
        "user.name=benchmark",
        "-c",
        "user.email=benchmark@localhost",
        "-c",
        "commit.gpgsign=false",
        "commit",
        "-q",
        "--no-verify",
    ];
    run_git(dir, &[&as_nobody, args].concat())?;
    Ok(())
}

/// Where the lock file's crate of this name was unpacked, by cargo's own account; `None` when it is not
/// on this machine. Never uses the network.
pub fn crate_folder(name: &str) -> Result<Option<PathBuf>> {
    // Building downloads only what this platform needs; the list of everything is then refused, and
    // the list for this platform is all there is.
    let everything = metadata(&[]);
    let host = format!("--filter-platform={}", Compiler::find()?.host);
    let packages = match everything {
        Ok(packages) => packages,
        Err(_) => metadata(&[&host])?,
    };
    Ok(packages["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|package| package["name"] == name)
        .and_then(|package| Path::new(package["manifest_path"].as_str()?).parent())
        .map(Path::to_path_buf))
}

fn metadata(args: &[&str]) -> Result<serde_json::Value> {
    let out = cargo(&["metadata", "--format-version", "1", "--offline"])
        .args(args)
        .output()?;
    if !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&out.stdout)?)
}

/// Downloads every package of the lock file, those for other platforms too.
fn fetch_crates() -> Result<()> {
    eprintln!("downloading the sources that the tasks are about (cargo fetch --locked)");
    if cargo(&["fetch"]).status()?.success() {
        Ok(())
    } else {
        Err("cargo fetch failed; see above".into())
    }
}

fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(args)
        .arg("--locked")
        .arg("--manifest-path")
        .arg(root().join("Cargo.toml"));
    command
}

fn walk(folder: &Path, prefix: &str, paths: &mut Vec<(String, PathBuf)>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // Cargo's own marks, which differ between a registry and a vendored copy, and what would hide
        // files that the package has from the tools that look for it.
        if matches!(
            name.as_str(),
            ".cargo-ok" | ".cargo-checksum.json" | ".cargo_vcs_info.json" | ".gitignore" | ".git"
        ) {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), &format!("{path}/"), paths)?;
        } else {
            paths.push((path, entry.path()));
        }
    }
    Ok(())
}

fn place() -> Result<(tempfile::TempDir, PathBuf)> {
    let temp = tempfile::tempdir()?;
    // Some systems name their temporary folder through a link.
    let dir = temp.path().canonicalize()?.join("clone");
    Ok((temp, dir))
}

/// What a repository in this folder is called: the last component that says something.
pub fn name_of(path: &Path) -> String {
    let mut name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    if matches!(name.as_str(), "repo" | ".git") {
        let parent = path.parent().and_then(Path::file_name).unwrap_or_default();
        name = parent.to_string_lossy().into_owned();
    }
    let name = name.trim_end_matches(".git");
    name.rsplit('+').next().unwrap_or_default().to_owned()
}
