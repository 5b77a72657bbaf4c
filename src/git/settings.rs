//! Whether the configuration of a repository is still what it was when that was opened: it is read once, and a server
//! runs for days.
//!
//! The files that it was read from are looked at, which takes some microseconds. Where one is another it is read again,
//! and what it says is compared. What git notes of branches is passed over: a new branch is no other configuration.

use super::open;
use super::worktree::Stamp;
use gix::config::{File, Source};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::Xxh3;

/// Sections that git writes by itself for every branch.
const BRANCH: &[u8] = b"branch";

/// What the configuration was.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Where the repository was looked for.
    start: PathBuf,
    /// Files that may hold some of it, as they were seen last.
    files: Arc<Mutex<Vec<(PathBuf, Stamp)>>>,
    print: u64,
}

impl Settings {
    /// Notes the configuration of a repository that was found from a place.
    pub fn of(start: &Path, repo: &gix::Repository) -> Self {
        // Who changes a file while this is done is noticed the next time.
        let files = stamped(repo);
        Self {
            start: start.to_owned(),
            files: Arc::new(Mutex::new(files)),
            print: print(repo.config_snapshot().plumbing()),
        }
    }

    /// A hash of what it says.
    pub fn print(&self) -> u64 {
        self.print
    }

    /// Whether it says the same still. One that cannot be read says what it said.
    pub fn hold(&self) -> bool {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if files.iter().all(|(path, stamp)| stamp.holds(path)) {
            return true;
        }
        let Ok(now) = open::discover(&self.start, open::of_anybody) else {
            return true;
        };
        *files = stamped(&now);
        print(now.config_snapshot().plumbing()) == self.print
    }
}

/// The files that the configuration of a repository is in, and those that git would look at if they were there.
fn stamped(repo: &gix::Repository) -> Vec<(PathBuf, Stamp)> {
    let mut env = |name: &str| std::env::var_os(name);
    let usual = [
        Source::GitInstallation,
        Source::System,
        Source::Git,
        Source::User,
    ];
    let usual = usual
        .into_iter()
        .filter_map(|source| source.storage_location(&mut env));
    let own = [
        repo.common_dir().join("config"),
        repo.git_dir().join("config.worktree"),
    ];
    let config = repo.config_snapshot();
    let read = config.plumbing().sections();
    let read = read.filter_map(|section| section.meta().path.clone());
    let mut all: Vec<PathBuf> = usual.chain(own).chain(read).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter()
        .map(|path| {
            let stamp = Stamp::of(&path);
            (path, stamp)
        })
        .collect()
}

fn print(config: &File) -> u64 {
    let mut hash = Xxh3::new();
    let sections = config.sections();
    for section in sections.filter(|section| !section.header().name().eq_ignore_ascii_case(BRANCH))
    {
        let text = section.to_bstring();
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(&text);
    }
    hash.digest()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_configured_otherwise_is_noticed_and_branches_are_not() {
        let temp = tempfile::tempdir().unwrap();
        gix::init(temp.path()).unwrap();
        let open = || open::discover(temp.path(), open::of_anybody).unwrap();
        let repo = open();
        let config = repo.git_dir().join("config");
        std::thread::sleep(Duration::from_millis(80));
        let seen = Settings::of(temp.path(), &repo);
        assert!(seen.hold());
        let add = |text: &str| {
            let before = std::fs::read_to_string(&config).unwrap();
            std::fs::write(&config, before + text).unwrap();
        };
        add("[branch \"main\"]\n\tremote = origin\n");
        assert!(seen.hold());
        add("[core]\n\tautocrlf = true\n");
        assert!(!seen.hold());
        // Until it is opened again.
        let again = open();
        assert!(Settings::of(temp.path(), &again).hold());
        // A file that comes is one that git would look at.
        let worktree = again.git_dir().join("config.worktree");
        let again = Settings::of(temp.path(), &again);
        add("[extensions]\n\tworktreeConfig = true\n");
        assert!(!again.hold());
        std::fs::write(worktree, "[core]\n\tautocrlf = false\n").unwrap();
        assert!(!again.hold());
    }
}
