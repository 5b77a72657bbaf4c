//! What was written last of our log, kept a second time beside the object store.
//!
//! Memories are authored, and the newest of them are in packs of their own for a while: whoever removes one by
//! mistake, or collects garbage by rules that are not git's, must not take them for good. So each
//! publication leaves its objects in `<common dir>/sverklo/memory/spare/<commit>`, and a log that cannot be read is
//! read again after those of them that are gone have been written again, under the same ids. They are few, and after a text
//! was taken out they are removed with all else that is kept.

use super::cache;
use crate::git::Repo;
use crate::git::packs::Held;
use crate::git::write::PackWriter;
use crate::id::CommitId;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Publications that are kept: more than git needs to have put them into a pack with everything else, where
/// hooks run `git gc --auto`.
const MOST: usize = 64;
/// Most bytes of one that is kept; a union of large logs comes again from where it came from.
const MAX_BYTES: usize = 4 << 20;

fn folder(repo: &Repo) -> PathBuf {
    cache::folder(repo).join("spare")
}

/// Keeps the objects of a publication, and no more than the last ones.
pub(super) fn keep(repo: &Repo, commit: CommitId, objects: &[u8]) {
    if objects.len() > MAX_BYTES {
        return;
    }
    let folder = folder(repo);
    // Without it there is no second copy, as with any other file.
    let _ = cache::save(&folder.join(commit.to_string()), objects);
    let mut all = by_age(&folder);
    let surplus = all.len().saturating_sub(MOST);
    for (_, path) in all.drain(..surplus) {
        let _ = std::fs::remove_file(path);
    }
}

/// Files in a folder, the oldest first.
fn by_age(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<_> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    all.sort();
    all
}

/// Writes what is kept and not in the object store any more; returns how many objects that are.
///
/// # Errors
/// As writing.
pub(super) fn restore(repo: &Repo) -> Result<(usize, Held), crate::git::Error> {
    let objects = repo.objects();
    let mut pack = PackWriter::new(repo.hash());
    for (_, path) in by_age(&folder(repo)) {
        // What is damaged is of no use, and each object is named by what it holds.
        if let Ok(kept) = std::fs::read(path) {
            pack.add_missing(&objects, &kept);
        }
    }
    let count = pack.len();
    Ok((count, pack.write(repo)?))
}
