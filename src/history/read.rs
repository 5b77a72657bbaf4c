//! Reading commits that no piece describes.

use super::document::Document;
use super::piece::Entry;
use crate::git::history::Headers;
use crate::git::{Error, Objects, Repo, commit};
use crate::id::CommitId;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Commits that a thread reads at a time.
const BATCH: usize = 64;

/// Is told how many of how many commits are read, from several threads; says whether to go on.
pub type Watch<'a> = dyn Fn(usize, usize) -> bool + Sync + 'a;

/// A commit that no piece has.
pub(super) struct Unknown {
    pub id: CommitId,
    pub date: i64,
    pub parents: Vec<CommitId>,
}

impl Unknown {
    fn entry(&self, objects: &mut Objects) -> Result<Entry, Error> {
        let commit = commit::read(objects, self.id)?;
        let document = match self.parents.len() {
            0 | 1 => Document::of(objects, &commit)?,
            _ => Document::of_merge(objects, &commit)?,
        };
        Ok(Entry {
            id: self.id,
            date: self.date,
            parents: self.parents.clone(),
            document,
        })
    }
}

/// What came of reading.
#[derive(Default)]
pub(super) struct Read {
    pub entries: Vec<Entry>,
    /// Commits whose trees are not here or cannot be read, merges apart.
    pub unreadable: usize,
    /// Whether it was told to stop.
    pub is_stopped: bool,
}

/// Reads what commits say, on all cores.
pub(super) fn read(repo: &Repo, unknown: &[Unknown], watch: &Watch) -> Read {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(unknown.len().div_ceil(BATCH));
    let (next, unreadable) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let is_stopped = AtomicBool::new(false);
    let entries = Mutex::new(Vec::with_capacity(unknown.len()));
    let work = || {
        let mut objects = repo.objects();
        while !is_stopped.load(Ordering::Relaxed) {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let end = unknown.len().min(start + BATCH);
            let Some(batch) = unknown.get(start..end).filter(|batch| !batch.is_empty()) else {
                return;
            };
            let mut done = Vec::with_capacity(batch.len());
            for unknown in batch {
                match unknown.entry(&mut objects) {
                    Ok(entry) => done.push(entry),
                    // Merges are counted nowhere.
                    Err(_) if unknown.parents.len() > 1 => {}
                    Err(_) => drop(unreadable.fetch_add(1, Ordering::Relaxed)),
                }
            }
            let mut all = entries.lock().unwrap_or_else(PoisonError::into_inner);
            all.append(&mut done);
            let count = all.len();
            drop(all);
            if !watch(count, unknown.len()) {
                is_stopped.store(true, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    Read {
        entries: entries.into_inner().unwrap_or_else(PoisonError::into_inner),
        unreadable: unreadable.into_inner(),
        is_stopped: is_stopped.into_inner(),
    }
}

/// Reads commits again, to compare them with what is recorded of them. Those that are not here, whose
/// trees are not, or that are at the boundary of a shallow clone are passed over. Fails when the
/// boundary of a shallow clone cannot be read.
pub fn rederive(repo: &Repo, commits: &[CommitId]) -> Result<Vec<Entry>, Error> {
    let mut headers = Headers::new(repo)?;
    let mut objects = repo.objects();
    let mut out = Vec::with_capacity(commits.len());
    for id in commits {
        if headers.is_cut_off(*id) {
            continue;
        }
        let Ok((date, parents)) = headers.read(*id) else {
            continue;
        };
        let (id, objects) = (*id, &mut objects);
        out.extend(Unknown { id, date, parents }.entry(objects));
    }
    Ok(out)
}
