//! What was written last of our log, kept a second time beside the object store.
//!
//! Memories are authored, and the newest of them are in packs of their own for a while: whoever removes one by
//! mistake, or collects garbage by rules that are not git's, must not take them for good. So each
//! publication leaves its objects in `memory/spare/<commit>` of what is kept ([`crate::cache`]), and a log that cannot be read is
//! read again after those of them that are gone have been written again, under the same ids. They are few, and after a text
//! was taken out they are removed with all else that is kept.

use crate::git::Repo;
use crate::git::packs::Held;
use crate::git::write::PackWriter;
use crate::id::CommitId;

/// Folder of what is kept here.
const FOLDER: &str = "memory/spare";
/// Publications that are kept: more than git needs to have put them into a pack with everything else, where
/// hooks run `git gc --auto`.
const MOST: usize = 64;
/// Most bytes of one that is kept; a union of large logs comes again from where it came from.
const MAX_BYTES: usize = 4 << 20;

/// Keeps the objects of a publication, and no more than the last ones.
pub(super) fn keep(repo: &Repo, commit: CommitId, objects: &[u8]) {
    if objects.len() > MAX_BYTES {
        return;
    }
    let kept = repo.kept();
    // Without it there is no second copy, as with any other file.
    let _ = kept.write(&format!("{FOLDER}/{commit}"), objects);
    kept.evict(FOLDER, MOST);
}

/// Writes what is kept and not in the object store any more; returns how many objects that are. Fails
/// as writing does.
pub(super) fn restore(repo: &Repo) -> Result<(usize, Held), crate::git::Error> {
    let objects = repo.objects();
    let mut pack = PackWriter::new(repo.hash());
    for entry in repo.kept().list(FOLDER) {
        // What is damaged is of no use, and each object is named by what it holds.
        if let Some(kept) = repo.kept().read(&format!("{FOLDER}/{}", entry.name)) {
            pack.add_missing(&objects, kept.as_ref());
        }
    }
    let count = pack.len();
    Ok((count, pack.write(repo)?))
}
