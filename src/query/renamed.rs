//! Which file of one tree is which of another under a new name, told by what a commit removed and added.
//!
//! Content decides, never a name alone: equal content first, then most lines that are the same, as git tells it
//! (`git diff --find-renames`). A file that stayed is not looked at, so a copy is new.

use crate::git::tree::{Change, EntryMode};
use crate::git::{Objects, RepoPath};
use crate::id::BlobId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use xxhash_rust::xxh3::xxh3_64;

/// Files of one commit that are compared to find what became of one.
const MAX_COMPARED: usize = 200;
/// Share of the lines of two files that both have, from which on one is the other under a new name: what git takes.
const MIN_SHARED: f64 = 0.5;
/// Files of a directory that are looked for to find where it went.
const MAX_INSIDE: usize = 60;

/// Where a file came from that a commit added: of the files that the commit removed one of its content, else the one of
/// which most lines are the same.
pub(in crate::query) fn came_from(
    objects: &mut Objects,
    all: &[Change],
    path: &RepoPath,
    blob: BlobId,
) -> Option<(RepoPath, BlobId)> {
    likest(objects, &gone(all), path, blob)
}

/// Where a file went that a commit removed: the other way round, and only where that is the file from which the new one came.
pub(in crate::query) fn went_to(
    objects: &mut Objects,
    all: &[Change],
    path: &RepoPath,
    blob: BlobId,
) -> Option<(RepoPath, BlobId)> {
    let (to, new) = likest(objects, &added(all), path, blob)?;
    let (from, _) = came_from(objects, all, &to, new)?;
    (from == *path).then_some((to, new))
}

/// Where a directory went that a commit removed: where most of its files did.
pub(in crate::query) fn folder_went_to(
    objects: &mut Objects,
    all: &[Change],
    path: &RepoPath,
) -> Option<RepoPath> {
    most_of(objects, (&gone(all), path), &added(all))
}

/// Where a directory came from that a commit added: from where most of its files did.
pub(in crate::query) fn folder_came_from(
    objects: &mut Objects,
    all: &[Change],
    path: &RepoPath,
) -> Option<RepoPath> {
    most_of(objects, (&added(all), path), &gone(all))
}

/// The directory that most files of one have become, of those on the other side.
fn most_of(
    objects: &mut Objects,
    (files, path): (&[(&RepoPath, BlobId)], &RepoPath),
    others: &[(&RepoPath, BlobId)],
) -> Option<RepoPath> {
    let inside: Vec<(&RepoPath, BlobId, &[u8])> = files
        .iter()
        .filter_map(|(file, blob)| {
            let rest = file.as_bytes().strip_prefix(path.as_bytes())?;
            Some((*file, *blob, rest.strip_prefix(b"/")?))
        })
        .take(MAX_INSIDE)
        .collect();
    let mut votes: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
    for (file, blob, rest) in &inside {
        // In another folder it has the name that it had, so few files have to be read.
        let named: Vec<_> = others
            .iter()
            .filter(|(other, _)| other.as_bytes().ends_with(rest))
            .copied()
            .collect();
        let Some((other, _)) = likest(objects, &named, file, *blob) else {
            continue;
        };
        let top = other.as_bytes().strip_suffix(*rest);
        if let Some(top) = top.and_then(|top| top.strip_suffix(b"/")) {
            *votes.entry(top.to_vec()).or_default() += 1;
        }
    }
    let (top, votes) = votes
        .into_iter()
        .max_by(|(a, n), (b, m)| n.cmp(m).then_with(|| b.cmp(a)))?;
    let most = votes * 2 > inside.len();
    most.then(|| RepoPath::new(top).ok()).flatten()
}

fn file(side: Option<(EntryMode, BlobId)>) -> Option<BlobId> {
    side.filter(|(mode, _)| mode.is_file())
        .map(|(_, blob)| blob)
}

/// The files that only the old tree has.
fn gone(all: &[Change]) -> Vec<(&RepoPath, BlobId)> {
    let gone = all.iter().filter(|change| change.new.is_none());
    gone.filter_map(|change| Some((&change.path, file(change.old)?)))
        .collect()
}

/// The files that only the new tree has.
fn added(all: &[Change]) -> Vec<(&RepoPath, BlobId)> {
    let added = all.iter().filter(|change| change.old.is_none());
    added
        .filter_map(|change| Some((&change.path, file(change.new)?)))
        .collect()
}

/// The file that is most like one: of equal content, else the one of which most lines are the same.
fn likest(
    objects: &mut Objects,
    others: &[(&RepoPath, BlobId)],
    path: &RepoPath,
    blob: BlobId,
) -> Option<(RepoPath, BlobId)> {
    let exact = others.iter().filter(|(_, other)| *other == blob);
    let named =
        exact.max_by_key(|(other, _)| (other.file_name() == path.file_name(), Reverse(*other)));
    if let Some((other, blob)) = named {
        return Some(((*other).clone(), *blob));
    }
    if others.is_empty() {
        return None;
    }
    let mut bytes = Vec::new();
    objects.blob(blob, &mut bytes).ok()?;
    let own = lines(&bytes);
    let mut best: Option<(f64, &RepoPath, BlobId)> = None;
    for (other, blob) in others.iter().take(MAX_COMPARED) {
        if objects.blob(*blob, &mut bytes).is_err() {
            continue;
        }
        let theirs = lines(&bytes);
        let both = own.intersection(&theirs).count() as f64;
        let share = both / own.len().max(theirs.len()).max(1) as f64;
        if share >= MIN_SHARED && best.is_none_or(|(most, ..)| share > most) {
            best = Some((share, *other, *blob));
        }
    }
    best.map(|(_, other, blob)| (other.clone(), blob))
}

/// The different lines of a text, but for empty ones.
fn lines(bytes: &[u8]) -> FxHashSet<u64> {
    let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let full = lines.filter(|line| !line.is_empty());
    full.map(xxh3_64).collect()
}
