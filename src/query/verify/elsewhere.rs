//! Lines that left their file, looked for in all files of a state.
//!
//! Each line votes for where the first of them would be; most votes win. A place counts where enough lines are found
//! to tell them from any others, where they were not before (what was copied from there is still there), and where no
//! other place is as good.

use super::contents;
use super::text::{Text, is_telling};
use crate::extract::record::Lines;
use crate::git::{Error, Objects, Repo, worktree};
use crate::id::FileId;
use crate::view::files::{File, Reading};
use crate::view::live::View;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of files that are searched.
const MAX_SEARCHED: usize = 64 << 20;
/// Files that a thread reads at a time.
const BATCH: usize = 64;
/// A line at more places says nothing of any of them.
const MAX_PLACES: usize = 32;
/// Share of the telling lines that must be found together.
const MIN_FOUND: f64 = 0.7;
/// Letters and digits that lines must have in all, to be known again.
const MIN_LETTERS: usize = 24;

/// Where some lines stand in all files of a state.
pub struct AllLines {
    at: FxHashMap<u64, Vec<(FileId, u32)>>,
    /// Whether there were more bytes than are searched.
    pub is_partial: bool,
}

/// What was found in one file: its length, and the lines that are sought.
type InFile = (usize, Vec<(u64, u32)>);

impl AllLines {
    /// Looks for lines, by their hashes ([`hashes`]), in the files of code and prose that an index may hold, up to a
    /// bound, on all cores.
    pub fn of(repo: &Repo, view: &View, sought: &FxHashSet<u64>) -> Self {
        let files: Vec<FileId> = (0..)
            .map(FileId)
            .zip(view.files())
            .filter_map(readable)
            .collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.min(files.len().div_ceil(BATCH));
        let (next, bytes) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let done: Mutex<BTreeMap<usize, Vec<(FileId, InFile)>>> = Mutex::default();
        let work = || {
            let mut objects = repo.objects();
            // What was begun before there were too many bytes has all that are searched.
            while bytes.load(Ordering::Relaxed) <= MAX_SEARCHED {
                let start = next.fetch_add(BATCH, Ordering::Relaxed);
                let Some(batch) = files.get(start..files.len().min(start + BATCH)) else {
                    return;
                };
                let found = batch.iter().filter_map(|file| {
                    let text = content(repo, &mut objects, view, *file)?;
                    bytes.fetch_add(text.len(), Ordering::Relaxed);
                    Some((*file, in_file(&text, sought)))
                });
                let found = found.collect();
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                done.insert(start, found);
                if batch.is_empty() {
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        Self::together(done.into_values().flatten())
    }

    /// Puts together what was found in files, in their order.
    fn together(files: impl Iterator<Item = (FileId, InFile)>) -> Self {
        let mut all = Self {
            at: FxHashMap::default(),
            is_partial: false,
        };
        let mut left = MAX_SEARCHED;
        for (file, (length, found)) in files {
            let Some(rest) = left.checked_sub(length) else {
                all.is_partial = true;
                break;
            };
            left = rest;
            for (hash, line) in found {
                let places = all.at.entry(hash).or_default();
                if places.len() <= MAX_PLACES {
                    places.push((file, line));
                }
            }
        }
        all
    }

    /// Finds lines of a text. `was_there` says whether a line stood in a file already when they were cited. Fails
    /// as it does.
    pub fn find(
        &self,
        text: &Text,
        lines: Lines,
        was_there: &mut dyn FnMut(FileId, u64) -> Result<bool, Error>,
    ) -> Result<Option<(FileId, Lines)>, Error> {
        let wanted: Vec<(u32, u64)> = hashes(text, lines).collect();
        let letters = text.cut(lines).iter().filter(|b| b.is_ascii_alphanumeric());
        if wanted.is_empty() || letters.count() < MIN_LETTERS {
            return Ok(None);
        }
        let mut votes: FxHashMap<(FileId, u32), usize> = FxHashMap::default();
        for (offset, hash) in &wanted {
            let places = self.at.get(hash).map_or(&[][..], Vec::as_slice);
            for (file, line) in places.iter().filter(|_| places.len() <= MAX_PLACES) {
                if let Some(start) = line.checked_sub(*offset).filter(|start| *start > 0) {
                    *votes.entry((*file, start)).or_default() += 1;
                }
            }
        }
        let enough = (wanted.len() as f64 * MIN_FOUND).ceil() as usize;
        let mut best = None;
        let mut most = enough;
        let mut found: Vec<((FileId, u32), usize)> = votes.into_iter().collect();
        found.sort_unstable_by_key(|(place, votes)| (std::cmp::Reverse(*votes), *place));
        for ((file, start), votes) in found {
            if votes < most {
                break;
            }
            let mut is_new = false;
            for (_, hash) in &wanted {
                is_new = is_new || !was_there(file, *hash)?;
            }
            if is_new && best.is_some() {
                return Ok(None);
            }
            if is_new {
                (best, most) = (Some((file, start)), votes);
            }
        }
        Ok(best.map(|(file, first)| {
            let last = first + (lines.last - lines.first);
            (file, Lines { first, last })
        }))
    }
}

/// The hashes of the lines that tell others from these, each with how many lines come before it.
pub fn hashes(text: &Text, lines: Lines) -> impl Iterator<Item = (u32, u64)> {
    let telling = (lines.first..=lines.last).filter(|line| is_telling(text.line(*line)));
    telling.map(move |line| (line - lines.first, xxh3_64(text.line(line))))
}

/// A file that is searched.
fn readable((id, file): (FileId, &File)) -> Option<FileId> {
    (matches!(file.reading, Reading::Document(_)) && file.doc.is_some()).then_some(id)
}

/// The content of a file; `None` where it is too long, or not here.
fn content(repo: &Repo, objects: &mut Objects, view: &View, file: FileId) -> Option<Arc<Vec<u8>>> {
    let file = view.file(file);
    if let Some(content) = view.content(file.blob) {
        return Some(content.clone());
    }
    if let Some(bytes) = worktree::read_unchanged(repo, objects, &file.path, file.blob) {
        return Some(Arc::new(bytes));
    }
    contents::read(objects, file.blob).ok()?.map(Arc::new)
}

/// Where lines that are sought stand in a text.
fn in_file(bytes: &[u8], sought: &FxHashSet<u64>) -> InFile {
    let lines = bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
    let telling = lines.zip(1..).filter(|(line, _)| is_telling(line));
    let hashed = telling.map(|(line, number)| (xxh3_64(line), number));
    let found = hashed.filter(|(hash, _)| sought.contains(hash));
    (bytes.len(), found.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_searched_in_their_order_up_to_a_bound() {
        let sought = FxHashSet::from_iter([xxh3_64(b"let here = 1;")]);
        let found = in_file(b"x\n  let here = 1;\n\nlet there = 1;\n", &sought);
        assert_eq!(found, (34, vec![(xxh3_64(b"let here = 1;"), 2)]));
        let file = |id, length| (FileId(id), (length, found.1.clone()));
        let all = AllLines::together([file(0, 5), file(1, MAX_SEARCHED - 5)].into_iter());
        assert!(!all.is_partial && all.at.values().next().is_some_and(|at| at.len() == 2));
        let files = [file(0, 5), file(1, MAX_SEARCHED), file(2, 5)];
        let all = AllLines::together(files.into_iter());
        assert!(all.is_partial && all.at.values().next().is_some_and(|at| at.len() == 1));
        let many = AllLines::together((0..99).map(|id| file(id, 5)));
        assert_eq!(
            many.at.values().next().map(Vec::len),
            Some(MAX_PLACES + 1),
            "more than are looked at, and not all"
        );
    }
}
