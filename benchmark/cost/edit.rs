//! Edits, commits and switches in a subject's clone, and the way back.

use crate::Result;
use crate::subject::Subject;
use std::path::{Path, PathBuf};

/// Commits between one place that is switched to and the next.
const FAR: usize = 20;
/// Places that are switched to.
const PLACES: usize = 6;

/// A source file that is edited again and again, never twice to the same content.
pub struct Edited {
    path: PathBuf,
    original: Vec<u8>,
    /// What a comment begins with.
    mark: &'static str,
    edits: usize,
}

impl Edited {
    /// The source file in the middle of the list.
    pub fn some_file(subject: &Subject) -> Result<Self> {
        let paths = sources(subject)?;
        Self::open(&subject.dir.join(&paths[paths.len() / 2]))
    }

    fn open(path: &Path) -> Result<Self> {
        let is_python = path.extension().is_some_and(|extension| extension == "py");
        Ok(Self {
            path: path.to_path_buf(),
            original: std::fs::read(path)?,
            mark: if is_python { "#" } else { "//" },
            edits: 0,
        })
    }

    /// Adds a line that was not there before.
    pub fn change(&mut self) -> Result<()> {
        self.edits += 1;
        let mut changed = self.original.clone();
        // Numbers start anew with every round, and content that was seen before may be cheaper.
        let nonce = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
        let line = format!(
            "\n{} edit {} at {}\n",
            self.mark,
            self.edits,
            nonce.as_nanos()
        );
        changed.extend_from_slice(line.as_bytes());
        Ok(std::fs::write(&self.path, changed)?)
    }

    /// Puts the file back.
    pub fn restore(&self) -> Result<()> {
        Ok(std::fs::write(&self.path, &self.original)?)
    }

    /// Commits what was changed.
    pub fn commit(&self, subject: &Subject) -> Result<()> {
        subject.git(&COMMIT)?;
        Ok(())
    }
}

/// Commits all changes, as nobody in particular and without hooks.
pub const COMMIT: [&str; 11] = [
    "-c",
    "user.name=b",
    "-c",
    "user.email=b@localhost",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "commit.gpgsign=false",
    "commit",
    "-qam",
    "edit",
];

/// Paths of source files, in order; at least one.
pub fn sources(subject: &Subject) -> Result<Vec<String>> {
    let listing = subject.git(&[
        "ls-files", "*.js", "*.ts", "*.py", "*.go", "*.rs", "*.c", "*.java",
    ])?;
    let paths: Vec<String> = listing
        .lines()
        // git quotes names that are not plain.
        .filter(|path| !path.starts_with('"'))
        .map(str::to_owned)
        .collect();
    if paths.is_empty() {
        return Err(format!("{}: no source file to edit", subject.name).into());
    }
    Ok(paths)
}

/// Where the clone is, and where it can be switched to.
pub struct History {
    head: String,
    far: Vec<String>,
}

impl History {
    /// The first-parent history of `HEAD`. Of a repository with less than twenty commits one is made
    /// first, in the clone: a commit for each of many files, one after the other.
    pub fn of(subject: &Subject) -> Result<Self> {
        // Nothing of git's own upkeep between two measurements.
        subject.git(&["config", "gc.auto", "0"])?;
        subject.git(&["config", "maintenance.auto", "false"])?;
        let wanted = FAR * PLACES + 1;
        let log = || subject.git(&["rev-list", "--first-parent", &format!("-n{wanted}"), "HEAD"]);
        let mut commits = log()?;
        if commits.lines().count() <= FAR {
            let paths = sources(subject)?;
            for path in paths.iter().cycle().take(wanted - 1) {
                let mut edited = Edited::open(&subject.dir.join(path))?;
                edited.change()?;
                edited.commit(subject)?;
            }
            commits = log()?;
        }
        let commits: Vec<&str> = commits.lines().collect();
        Ok(Self {
            head: commits[0].to_owned(),
            far: commits
                .iter()
                .skip(FAR)
                .step_by(FAR)
                .map(|id| (*id).to_owned())
                .collect(),
        })
    }

    /// Where the clone was.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Commits to switch to, each twenty further back than the one before.
    pub fn far(&self) -> &[String] {
        &self.far
    }

    /// Switches to a commit.
    pub fn checkout(&self, subject: &Subject, commit: &str) -> Result<()> {
        subject.git(&["checkout", "-q", "--detach", commit])?;
        Ok(())
    }

    /// Goes back to where the clone was, and forgets what was edited or committed since.
    pub fn restore(&self, subject: &Subject) -> Result<()> {
        subject.git(&["checkout", "-q", "--force", "--detach", &self.head])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::tests::small;

    #[test]
    fn a_short_history_is_made_longer() {
        let subject = small(3);
        let history = History::of(&subject).unwrap();
        assert_eq!(history.far().len(), PLACES);
        let head = subject.git(&["rev-parse", "HEAD"]).unwrap();
        assert_eq!(head.trim(), history.head());
        let ahead = format!("{}..HEAD", history.far()[1]);
        let count = subject
            .git(&["rev-list", "--first-parent", "--count", &ahead])
            .unwrap();
        assert_eq!(count.trim(), (2 * FAR).to_string());
    }

    #[test]
    fn a_long_history_is_left_alone() {
        let subject = small(45);
        let before = subject.git(&["rev-parse", "HEAD"]).unwrap();
        let history = History::of(&subject).unwrap();
        assert_eq!(before.trim(), history.head());
        assert_eq!(history.far().len(), 2);
    }

    #[test]
    fn edits_differ_and_are_forgotten() {
        let subject = small(25);
        let history = History::of(&subject).unwrap();
        let mut edited = Edited::some_file(&subject).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..3 {
            edited.change().unwrap();
            seen.insert(std::fs::read(&edited.path).unwrap());
        }
        // Another round begins with what the first one began with.
        edited.restore().unwrap();
        let mut again = Edited::some_file(&subject).unwrap();
        again.change().unwrap();
        seen.insert(std::fs::read(&again.path).unwrap());
        assert_eq!(seen.len(), 4);
        again.commit(&subject).unwrap();
        let head = || subject.git(&["rev-parse", "HEAD"]).unwrap();
        assert_ne!(head().trim(), history.head());
        again.change().unwrap();
        history.restore(&subject).unwrap();
        assert_eq!(head().trim(), history.head());
        assert_eq!(subject.git(&["status", "--porcelain"]).unwrap(), "");
    }
}
