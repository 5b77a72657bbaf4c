//! Whether objects that were missing may have come since.
//!
//! An object comes in a pack or as a file of its own, here or in a store that this one borrows from, and whichever it
//! is changes the time of a folder. As long as no time changes, what was missing is missing.

use super::repo::Repo;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use xxhash_rust::xxh3::Xxh3;

/// A folder that changed within this may have changed again under the same time: Linux gives files the time of
/// the last tick of its clock, which is up to 10 ms old.
const TICK: Duration = Duration::from_millis(20);

/// The same where times are whole seconds: FAT knows every other one.
const COARSE_TICK: Duration = Duration::from_secs(2);

/// A state of the folders that objects come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bincode::Encode, bincode::Decode)]
pub struct Arrivals(u128);

impl Arrivals {
    /// The state now; `None` while one of the folders has just changed, so that a further change might not show.
    pub fn of(repo: &Repo) -> Option<Self> {
        let local = repo.local();
        let mut hash = Xxh3::new();
        for store in stores(local.objects.store_ref()) {
            hash.update(store.as_os_str().as_encoded_bytes());
            let mut folders = vec![store.clone()];
            // Objects in files of their own are in folders of two digits.
            for inner in std::fs::read_dir(&store).ok()?.flatten() {
                let name = inner.file_name();
                if name.len() == 2 || name == "pack" {
                    folders.push(inner.path());
                }
            }
            folders.sort_unstable();
            for folder in folders {
                let at = time(&folder).filter(|at| is_over(*at))?;
                let since = at.duration_since(UNIX_EPOCH).ok()?;
                hash.update(folder.as_os_str().as_encoded_bytes());
                hash.update(&since.as_nanos().to_le_bytes());
            }
        }
        Some(Self(hash.digest128()))
    }
}

/// The folders of objects: of a store, and of those that it borrows from.
pub(super) fn stores(store: &gix::odb::Store) -> Vec<PathBuf> {
    let further = store.alternate_db_paths().unwrap_or_default();
    std::iter::once(store.path().to_owned())
        .chain(further)
        .collect()
}

/// When something last came to a folder or left it.
pub(super) fn time(folder: &Path) -> Option<SystemTime> {
    folder.metadata().and_then(|data| data.modified()).ok()
}

/// Whether a change that comes from now on gets another time than this.
pub(super) fn is_over(at: SystemTime) -> bool {
    let is_coarse = at
        .duration_since(UNIX_EPOCH)
        .is_ok_and(|since| since.subsec_nanos() == 0);
    let tick = if is_coarse { COARSE_TICK } else { TICK };
    at.elapsed().is_ok_and(|age| age > tick)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::write::blob_id;

    /// The state once it stands still.
    fn state(repo: &Repo) -> Arrivals {
        let mut looks = std::iter::repeat_with(|| Arrivals::of(repo));
        looks.by_ref().flatten().next().expect("endless")
    }

    #[test]
    fn whatever_way_an_object_comes_the_state_is_another() {
        let temp = tempfile::tempdir().unwrap();
        let run = |folder: &str, args: &[&str]| {
            let mut command = std::process::Command::new("git");
            command.arg("-C").arg(temp.path().join(folder)).args(args);
            let out = command.output().unwrap();
            assert!(out.status.success(), "{args:?}: {out:?}");
        };
        run(".", &["init", "-q", "lender"]);
        run(".", &["init", "-q", "repo"]);
        let id = |text: &str| {
            let id = blob_id(gix::hash::Kind::Sha1, text.as_bytes()).unwrap();
            id.to_string()
        };
        // Two that come to one folder.
        let first = "first".to_owned();
        let mut others = (0..).map(|n| format!("other {n}"));
        let second = others.find(|text| id(text)[..2] == id(&first)[..2]);
        std::fs::write(temp.path().join("a"), &first).unwrap();
        std::fs::write(temp.path().join("b"), second.expect("endless")).unwrap();

        let open = || Repo::discover(&temp.path().join("repo")).unwrap();
        let mut seen = vec![state(&open())];
        assert_eq!(state(&open()), seen[0]);
        let mut step = |folder: &str, args: &[&str]| {
            run(folder, args);
            let now = state(&open());
            assert!(!seen.contains(&now), "{args:?}");
            seen.push(now);
        };
        step("repo", &["hash-object", "-w", "../a"]);
        step("repo", &["hash-object", "-w", "../b"]);
        let words = "-c user.name=a -c user.email=a commit -q --allow-empty -m a";
        step("repo", &words.split(' ').collect::<Vec<_>>());
        step("repo", &["repack", "-q", "-a", "-d"]);
        let alternates = temp.path().join("repo/.git/objects/info/alternates");
        std::fs::write(alternates, "../../../lender/.git/objects\n").unwrap();
        step("lender", &["hash-object", "-w", "../a"]);
        step("lender", &["hash-object", "-w", "../b"]);
    }
}
