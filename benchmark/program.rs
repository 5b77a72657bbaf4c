//! The program under test.

use crate::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A git-sverklo executable.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
}

impl Program {
    /// The program that was named, or the one built from the sources beside this benchmark, in the
    /// profile of the benchmark itself. It is always brought up to date first: cargo builds the
    /// library for the benchmark but not the program, and measuring yesterday's is worse than waiting.
    pub fn find(named: Option<&Path>) -> Result<Self> {
        if let Some(path) = named {
            let path = path
                .canonicalize()
                .map_err(|err| format!("--program {}: {err}", path.display()))?;
            return Ok(Self { path });
        }
        let here = std::env::current_exe()?;
        let mut folder = here.parent().ok_or("an executable lies in a folder")?;
        // A test's executable lies one deeper.
        if folder.ends_with("deps") {
            folder = folder.parent().ok_or("target folders are nested")?;
        }
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // Beside tests the crates have the features that only tests ask for; the program alone would
        // want half of them built again.
        let what: &[&str] = match cfg!(test) {
            true => &["--all-targets"],
            false => &["--bin", "git-sverklo"],
        };
        build
            .args(["build", "--quiet", "--locked"])
            .args(what)
            .arg("--manifest-path")
            .arg(root().join("Cargo.toml"));
        // Cargo tells a test which package it is of. Told the same, build scripts that look at these
        // names run again, and with them half of the program is built again, now and at the next gate.
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(is_of_package) {
                build.env_remove(name);
            }
        }
        if folder.ends_with("release") {
            build.arg("--release");
        }
        if let Some(target) = folder.parent() {
            build.arg("--target-dir").arg(target);
        }
        if !build.status()?.success() {
            return Err("git-sverklo does not build; see above, or name one with --program".into());
        }
        let path = folder.join(format!("git-sverklo{}", std::env::consts::EXE_SUFFIX));
        Ok(Self { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A command that runs it in a folder.
    pub fn command(&self, dir: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(dir).args(args);
        command
    }

    /// What it says of itself.
    pub fn version(&self) -> Result<String> {
        let out = Command::new(&self.path).arg("--version").output()?;
        Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned())
    }
}

/// Whether a variable is one that cargo sets for the package whose test or program it runs:
/// <https://doc.rust-lang.org/cargo/reference/environment-variables.html>.
fn is_of_package(name: &str) -> bool {
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}

/// The folder of git-sverklo's own sources.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// The compiler that cargo would use here.
pub struct Compiler {
    /// What it compiles for, such as `x86_64-unknown-linux-gnu`.
    pub host: String,
    /// Its version, such as `1.95.0`.
    pub release: String,
}

impl Compiler {
    /// Asks it.
    pub fn find() -> Result<Self> {
        let out = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
            .arg("-vV")
            .current_dir(root())
            .output()
            .map_err(|err| format!("rustc: {err}"))?;
        let said = String::from_utf8_lossy(&out.stdout);
        let field = |name: &str| -> Result<String> {
            let value = said.lines().find_map(|line| line.strip_prefix(name));
            Ok(value
                .ok_or_else(|| format!("rustc -vV has no {name}"))?
                .to_owned())
        };
        Ok(Self {
            host: field("host: ")?,
            release: field("release: ")?,
        })
    }
}
