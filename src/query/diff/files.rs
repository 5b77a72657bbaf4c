//! Which files differ between two states, and which of them are the same file at another path.

use crate::extract::record::SkipReason;
use crate::lang::{self, language::Genre};
use crate::view::files::{File, Reading};
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use xxhash_rust::xxh3::xxh3_64;

/// Share of the lines of two files that both have, from which on one is the other under a new name: what
/// git takes (`git diff --find-renames`).
const MIN_SHARED: f64 = 0.5;
/// Files that were added or removed of which the lines are compared, of each side.
const MAX_COMPARED: usize = 1000;
/// A line in more files than this says nothing of any of them.
const MAX_FILES_OF_LINE: usize = 32;

/// A file that differs: what it was, what it is, or both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileChange {
    /// It is new.
    Added(FileId),
    /// It is gone.
    Removed(FileId),
    /// It is at the path where it was, or at another; its content may be the same then.
    Kept {
        /// What it was.
        old: FileId,
        /// What it is.
        new: FileId,
    },
}

impl FileChange {
    /// What it was.
    pub fn before(self) -> Option<FileId> {
        match self {
            Self::Added(_) => None,
            Self::Removed(old) | Self::Kept { old, .. } => Some(old),
        }
    }

    /// What it is.
    pub fn after(self) -> Option<FileId> {
        match self {
            Self::Removed(_) => None,
            Self::Added(new) | Self::Kept { new, .. } => Some(new),
        }
    }
}

/// Why a file that may hold code was not read, if it was not.
pub fn unread(view: &View, id: FileId) -> Option<&'static str> {
    let file = view.file(id);
    if matches!(file.role, FileRole::Generated | FileRole::Vendored) {
        return None;
    }
    match (file.reading, file.doc) {
        (Reading::TooLarge | Reading::Forgotten, _) => file.reading.skip_label(),
        (_, None) => None,
        (_, Some(doc)) => {
            let row = view.segment(doc.segment).segment.doc(doc.doc);
            let is_code = lang::of(row.lang).genre == Genre::Code;
            row.skip.filter(|_| is_code).map(SkipReason::label)
        }
    }
}

/// What is said of a file that a merge has left both sides in.
pub const IN_CONFLICT: &str = "in conflict";

/// Whether a file of the work tree has both sides of a merge in it, so that what it defines is not settled.
pub fn is_in_conflict(view: &View, id: FileId, texts: &mut Texts) -> bool {
    let file = view.file(id);
    if !file.dirty || file.doc.is_none() {
        return false;
    }
    let text = texts.if_here(view, id);
    text.is_some_and(|text| {
        let has = |mark: &[u8]| {
            let mut lines = memchr::memmem::find_iter(text.bytes(), mark);
            lines.any(|at| at == 0 || text.bytes()[at - 1] == b'\n')
        };
        has(b"<<<<<<< ") && has(b">>>>>>> ")
    })
}

/// Whether a file that stayed was read in one of the states alone: nothing can be said of what it defines.
pub fn is_half_read(old: &View, new: &View, file: FileChange) -> bool {
    match file {
        FileChange::Kept { old: was, new: is } => {
            unread(old, was).is_some() != unread(new, is).is_some()
        }
        _ => false,
    }
}

/// Compares the files of two states: those that differ, in order of their paths (the new one, if there is one).
pub fn changes(old: &View, new: &View, texts: &mut Texts) -> Vec<FileChange> {
    let (mut kept, mut gone, mut added) = (Vec::new(), Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    loop {
        let order = match (old.files().get(i), new.files().get(j)) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(was), Some(is)) => was.path.cmp(&is.path),
        };
        let (was, is) = (FileId(i as u32), FileId(j as u32));
        match order {
            Ordering::Less => gone.push(was),
            Ordering::Greater => added.push(is),
            Ordering::Equal if differs(old.file(was), new.file(is)) => kept.push((was, is)),
            Ordering::Equal => {}
        }
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
    }
    kept.extend(moved((old, &mut gone), (new, &mut added), texts));
    let kept = kept
        .into_iter()
        .map(|(old, new)| FileChange::Kept { old, new });
    let mut all: Vec<FileChange> = kept
        .chain(gone.into_iter().map(FileChange::Removed))
        .chain(added.into_iter().map(FileChange::Added))
        .collect();
    let path = |change: &FileChange| match change {
        FileChange::Removed(file) => &old.file(*file).path,
        FileChange::Added(file) | FileChange::Kept { new: file, .. } => &new.file(*file).path,
    };
    all.sort_by(|a, b| path(a).cmp(path(b)).then(a.after().cmp(&b.after())));
    all
}

fn differs(old: &File, new: &File) -> bool {
    old.blob != new.blob || old.mode != new.mode
}

/// Pairs files that are gone with files that were added: of equal content first, then of similar lines, the most
/// similar first. Takes them from both lists.
fn moved(
    (old, gone): (&View, &mut Vec<FileId>),
    (new, added): (&View, &mut Vec<FileId>),
    texts: &mut Texts,
) -> Vec<(FileId, FileId)> {
    let mut pairs = Vec::new();
    let mut by_blob: FxHashMap<_, Vec<FileId>> = FxHashMap::default();
    for file in added.iter().rev() {
        by_blob.entry(new.file(*file).blob).or_default().push(*file);
    }
    for was in gone.iter() {
        let same = by_blob.get_mut(&old.file(*was).blob);
        pairs.extend(same.and_then(Vec::pop).map(|is| (*was, is)));
    }
    drop_paired(gone, added, &pairs);
    let similar = similar((old, gone), (new, added), texts);
    drop_paired(gone, added, &similar);
    pairs.extend(similar);
    pairs
}

fn drop_paired(gone: &mut Vec<FileId>, added: &mut Vec<FileId>, pairs: &[(FileId, FileId)]) {
    let (old, new): (FxHashSet<FileId>, FxHashSet<FileId>) = pairs.iter().copied().unzip();
    gone.retain(|file| !old.contains(file));
    added.retain(|file| !new.contains(file));
}

fn similar(
    (old, gone): (&View, &[FileId]),
    (new, added): (&View, &[FileId]),
    texts: &mut Texts,
) -> Vec<(FileId, FileId)> {
    if gone.is_empty() || added.is_empty() || gone.len().max(added.len()) > MAX_COMPARED {
        return Vec::new();
    }
    let (before, after) = (lines(old, gone, texts), lines(new, added, texts));
    let mut files_of: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (at, lines) in after.iter().enumerate() {
        for line in lines {
            files_of.entry(*line).or_default().push(at);
        }
    }
    let mut found: Vec<(f64, usize, usize)> = Vec::new();
    for (was, lines) in before.iter().enumerate() {
        let mut shared: FxHashMap<usize, usize> = FxHashMap::default();
        for files in lines.iter().filter_map(|line| files_of.get(line)) {
            if files.len() <= MAX_FILES_OF_LINE {
                for is in files {
                    *shared.entry(*is).or_default() += 1;
                }
            }
        }
        for (is, shared) in shared {
            let share = shared as f64 / lines.len().max(after[is].len()) as f64;
            if share >= MIN_SHARED {
                found.push((share, was, is));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut left, mut taken) = (vec![true; gone.len()], vec![false; added.len()]);
    let mut pairs = Vec::new();
    for (_, was, is) in found {
        if left[was] && !taken[is] {
            (left[was], taken[is]) = (false, true);
            pairs.push((gone[was], added[is]));
        }
    }
    pairs
}

/// The different lines of each of some files, but for empty ones.
fn lines(view: &View, files: &[FileId], texts: &mut Texts) -> Vec<FxHashSet<u64>> {
    let is_document = |file: &FileId| {
        let file = view.file(*file);
        matches!(file.reading, Reading::Document(_)) && file.doc.is_some()
    };
    let read: Vec<FileId> = files.iter().copied().filter(is_document).collect();
    let mut read = texts.all(view, &read).into_iter();
    let of_file = |file: &FileId| {
        let text = is_document(file).then(|| read.next().flatten()).flatten();
        let Some(text) = text else {
            return FxHashSet::default();
        };
        let lines = text.bytes().split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
        lines.filter(|line| !line.is_empty()).map(xxh3_64).collect()
    };
    files.iter().map(of_file).collect()
}
