//! The repository that the workloads run over: sources that are the same on every machine because
//! `Cargo.lock` names their checksums, and the corpus of the tests for the other languages.

use crate::Result;
use crate::program::root;
use crate::subject::crate_folder;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// Crates of the lock file: Rust and C, and a grammar with JavaScript and a file that is too large.
const CRATES: [&str; 3] = ["tree-sitter", "roaring", "tree-sitter-javascript"];

/// Modification time of every file, in seconds since 1970. Long before git's index is written, or
/// files would have to be read to know that they are unchanged.
const MODIFIED: u64 = 1_000_000_000;

/// The file that a workload edits.
const EDITED: &str = "roaring/src/bitmap/container.rs";

/// A repository of one commit, in a folder of its own.
pub struct Fixture {
    dir: PathBuf,
    _temp: tempfile::TempDir,
}

impl Fixture {
    /// Copies the sources and commits them.
    pub fn make() -> Result<Self> {
        let temp = tempfile::Builder::new().prefix("instructions").tempdir()?;
        let dir = temp.path().canonicalize()?.join("repository");
        for name in CRATES {
            let folder = crate_folder(name)?.ok_or_else(|| {
                format!("the sources of {name} are not here; cargo fetch --locked")
            })?;
            copy(&folder, &dir.join(name))?;
        }
        copy(&root().join("tests/corpus"), &dir.join("corpus"))?;
        let fixture = Self { dir, _temp: temp };
        fixture.git(&["init", "-q", "--object-format=sha1", "-b", "main"])?;
        fixture.git(&["add", "-A", "-f"])?;
        fixture.git(&["commit", "-q", "--no-verify", "-m", "sources"])?;
        fixture.git(&["-c", "pack.threads=1", "repack", "-q", "-a", "-d"])?;
        if !fixture.dir.join(EDITED).is_file() {
            return Err(format!("{EDITED} is gone; edit another file").into());
        }
        Ok(fixture)
    }

    /// Its work tree.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Id of the committed tree.
    pub fn sources(&self) -> Result<String> {
        Ok(self.git(&["rev-parse", "HEAD^{tree}"])?.trim().to_owned())
    }

    /// Changes a file of the work tree. Its size changes too, so that nobody has to read it to know.
    pub fn edit(&self) -> Result<()> {
        let path = self.dir.join(EDITED);
        let mut text = std::fs::read_to_string(&path)?;
        text.push_str("\nfn added_by_the_benchmark() -> usize {\n    1 + 1\n}\n");
        write(&path, text.as_bytes())
    }

    /// Runs git with no settings but these.
    fn git(&self, args: &[&str]) -> Result<String> {
        let out = Command::new("git")
            .arg("-C")
            .arg(&self.dir)
            .args([
                "-c",
                "user.name=benchmark",
                "-c",
                "user.email=benchmark@localhost",
            ])
            .args(args)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_AUTHOR_DATE", "@1000000000 +0000")
            .env("GIT_COMMITTER_DATE", "@1000000000 +0000")
            .output()?;
        if !out.status.success() {
            return Err(format!("git {args:?}: {}", String::from_utf8_lossy(&out.stderr)).into());
        }
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    }
}

/// Copies the files below a folder, without links and hidden files: cargo leaves its marks there,
/// and they differ between a registry and a vendored copy.
fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&entry.path(), &to.join(name))?;
        } else if kind.is_file() {
            write(&to.join(name), &std::fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

/// Writes a file with the fixed time; content alone, so that permissions are the same everywhere.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes)?;
    let file = std::fs::File::options().write(true).open(path)?;
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(MODIFIED))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_fixtures_are_one_commit_of_old_files() {
        let (a, b) = (Fixture::make().unwrap(), Fixture::make().unwrap());
        let head = |fixture: &Fixture| fixture.git(&["rev-parse", "HEAD"]).unwrap();
        assert_eq!(head(&a), head(&b));
        assert_eq!(a.dir().as_os_str().len(), b.dir().as_os_str().len());
        assert_eq!(a.git(&["status", "--porcelain"]).unwrap(), "");
        a.edit().unwrap();
        assert_eq!(
            a.git(&["status", "--porcelain"]).unwrap(),
            format!(" M {EDITED}\n")
        );
        let modified = std::fs::metadata(a.dir().join(EDITED)).unwrap().modified();
        let since = modified.unwrap().duration_since(SystemTime::UNIX_EPOCH);
        assert_eq!(since.unwrap().as_secs(), MODIFIED);
    }
}
